import "./no_page.mjs";
import assert from "node:assert/strict";
import test from "node:test";
import {arranged, cellsOf, clock, headed, numbersIn, ringsOf, widths} from "../../aspdoku/web/static/class.js";
import {wordAt} from "../../aspdoku/web/static/code_field.js";

const group = (kind, count) => ({kind, count, title: `${kind} ${count}`});

test("the numbers of a grid", () => {
  assert.deepEqual(numbersIn("1234 3412\n2143 4321", 4), [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]);
  assert.deepEqual(numbersIn([1, 2, 2, 1], 2), [1, 2, 2, 1]);
  assert.throws(() => numbersIn("123", 2), /a grid of 2 rows has 4 numbers/);
});

test("minutes and seconds", () => {
  const shown = [[372, "6:12"], [59.6, "1:00"], [9, "0:09"], [0, "0:00"], [-3, "0:00"], [3600, "60:00"]];
  for (const [seconds, text] of shown) assert.equal(clock(seconds), text);
});

test("the longest bar leaves room, and few hand-ins are short bars", () => {
  assert.deepEqual(widths([0, 5, 10], 20), [0, 25, 50]);
  const [none, half, most] = widths([0, 20, 40]);
  assert.equal(none, 0);
  assert.ok(Math.abs(most - 2 * half) < 1e-9);
  assert.ok(most < 100);
});

test("right ones are first, then the most frequent mistakes, then errors", () => {
  const groups = [group("error", 9), group("too lax", 2), group("right", 1), group("too strict", 5)];
  const {shown, more} = arranged(groups);
  assert.deepEqual(shown.map(each => each.count), [1, 5, 2, 9]);
  assert.deepEqual(more, []);
});

test("of many groups the rarest mistakes have no place", () => {
  const mistakes = [3, 8, 1, 7, 5, 2].map(count => group("too lax", count));
  const {shown, more, all} = arranged([group("error", 1), ...mistakes, group("right", 4)], 6);
  assert.deepEqual(shown.map(each => each.count), [4, 8, 7, 5, 1]);
  assert.deepEqual(more.map(each => each.count), [3, 2, 1]);
  assert.equal(all.length, 8);
});

test("headings of verdicts", () => {
  const verdicts = {
    right: ["Right ✓", "right"], "too lax": ["Too lax", "bad"], "too strict": ["Too strict", "bad"],
    wrong: ["Too lax, and too strict", "bad"], "cannot be used": ["Not yet a rule", "bad"],
    undecided: ["Undecided", "unknown"], "gave up": ["Gave up", "unknown"],
  };
  for (const [verdict, [text, look]] of Object.entries(verdicts)) assert.deepEqual(headed({verdict}), {text, look});
});

test("the cells of a witness, each once", () => {
  assert.deepEqual(cellsOf({cells: [[1, 1]], pairs: [[[1, 1], [3, 2]]]}), [[1, 1], [3, 2]]);
  assert.deepEqual(cellsOf({}), []);
});

test("each cell of a witness is ringed once", () => {
  const pair = [[1, 1], [3, 2]];
  assert.deepEqual(ringsOf({cells: pair, pairs: [pair]}), [pair]);
  assert.deepEqual(ringsOf({cells: [[2, 2]]}), [[[2, 2], [2, 2]]]);
});

test("a finding is at a word, or at a line", () => {
  const line = ":- a(R,C,N), D > N.";
  const marked = column => line.slice(...wordAt(line, column));
  assert.equal(marked(14), "D");
  assert.equal(marked(4), "a");
  assert.equal(marked(1), ":");
  assert.equal(marked(undefined), line);
  assert.equal(marked(0), line);
  assert.equal(marked(line.length + 1), "."); // what is missing at the end
  assert.deepEqual(wordAt("", 3), [0, 0]);
});
