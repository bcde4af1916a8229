import "./no_page.mjs";
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";
import {ask} from "./clingo_in_node.mjs";

const {Stopped} = await import("../../aspdoku/web/static/engine.js");
const {cellOf, forbiddenGrid} = await import("../../aspdoku/web/static/forbidden.js");

const BUNDLED = ["base", "elaborations/box", "elaborations/anti-knight"].map(name =>
  ({place: `asp/${name}.lp`, text: readFileSync(new URL(`../../asp/${name}.lp`, import.meta.url), "utf8")}));
const [BASE, BOX, KNIGHT] = BUNDLED;

function composed(files, facts) {
  let text = "#const n = 4.\n#const box_rows = 2.\n#const box_columns = 2.\n";
  const first = new Map();
  for (const file of files) {
    text += `% -- ${file.place}\n`;
    first.set(file.place, text.split("\n").length);
    text += `${file.text}\n`;
  }
  return {text: `${text}% -- the puzzle\n${facts}\n#show a/3.\n#project a/3.\n`, first};
}

/** What is shown for the rule whose text begins so. */
async function shown(files, facts, file, start) {
  const line = file.text.slice(0, file.text.indexOf(start)).split("\n").length;
  assert.ok(file.text.includes(start));
  const found = await forbiddenGrid(ask, composed(files, facts), files, file.place, line);
  const at = Object.fromEntries(found?.grid.map(([row, column, number]) => [[row, column], number]) ?? []);
  return found && {...found, at};
}

const differs = numbers => new Set(numbers).size === numbers.length;
const line = (at, place) => [1, 2, 3, 4].map(index => at[place(index)]);

test("a grid with one number twice in a box, whose rows and columns and givens are right", async () => {
  const {at, cells, values, message} = await shown([BASE, BOX], "a(1,1,3).", BOX, ":- box_name(B), number(N), 2 {");
  const [[r, c], [r1, c1], ...more] = cells;
  assert.deepEqual(more, []);
  assert.equal(at[[r, c]], at[[r1, c1]]);
  assert.deepEqual([Math.ceil(r / 2), Math.ceil(c / 2)], [Math.ceil(r1 / 2), Math.ceil(c1 / 2)]);
  assert.equal(message, `box ${values.B} has at most one ${at[[r, c]]}`);
  assert.equal(at[[1, 1]], 3);
  for (const index of [1, 2, 3, 4]) {
    assert.ok(differs(line(at, each => [index, each])) && differs(line(at, each => [each, index])));
  }
});

test("a number twice in a row, and a cell without a number", async () => {
  const {at, cells: [[r, c], [r1, c1]], message} = await shown([BASE, BOX], "", BASE, "{ a(R,C,N) : column(C) } = 1");
  assert.ok(r === r1 && c !== c1 && at[[r, c]] === at[[r1, c1]]);
  assert.equal(message, `row ${r} has at most one ${at[[r, c]]}`);
  const empty = await shown([BASE, BOX], "", BASE, "{ a(R,C,N) : number(N) } = 1");
  assert.equal(empty.grid.length, 15);
  assert.equal(empty.at[empty.cells[0]], undefined);
  assert.equal(empty.message, `r${empty.cells[0][0]}c${empty.cells[0][1]} needs a number`);
});

test("the cells of atoms are those of the instance", async () => {
  const {at, cells, values} = await shown(BUNDLED, "", KNIGHT, ":- cell(R,C), (R1,C1)");
  const atom = (...terms) => ({predicate: "a", arguments: terms});
  const [one, two] = [cellOf(atom("R", "C", "N"), values), cellOf(atom("R1", "C1", "N"), values)];
  assert.deepEqual([one, two].sort(), cells.sort());
  assert.equal(Math.abs(one[0] - two[0]) * Math.abs(one[1] - two[1]), 2);
  assert.equal(at[one], at[two]);
  assert.deepEqual(cellOf(atom("R+1", "2", "N"), {R: "3"}), [4, 2]);
  assert.deepEqual(cellOf(atom("R-1", "C", "N"), {R: "3", C: "1"}), [2, 1]);
  assert.equal(cellOf(atom("R", "C", "N"), {N: "3"}), undefined);
  assert.equal(cellOf({predicate: "cell", arguments: ["R", "C"]}, {R: "1", C: "1"}), undefined);
});

test("a rule that somebody types, with conditions and anonymous variables", async () => {
  const own = {place: "my-rule.lp", text: "%@ {N} is missing near r{R}c{C} in \"{T}\"\n"
    + ":- a(R,C,N), T = \"it_s\", N < n, not a(R1,C1,N+1) : adjacent(R,C,R1,C1); a(_,C,N+1).\n"
    + "adjacent(R,C,R,C+1) :- cell(R,C), column(C+1)."};
  const {at, cells, values, message} = await shown([BASE, BOX, own], "", own, ":- a(R,C,N)");
  const [r, c, number] = [values.R, values.C, values.N].map(Number);
  assert.equal(at[[r, c]], number);
  assert.notEqual(at[[r, c + 1]], number + 1);
  assert.deepEqual(cells.map(cell => at[cell]).sort(), [number, number + 1]);
  assert.equal(message, `${number} is missing near r${r}c${c} in "it_s"`);
});

test("nothing is shown for a rule that every grid satisfies, and after the time", async () => {
  assert.equal(await shown([BASE, BOX], "", BASE, ":- unused(R,_)"), undefined);
  const late = async () => {
    throw new Stopped("stopped");
  };
  assert.equal(await forbiddenGrid(late, composed([BASE], ""), [BASE], BASE.place, 14), undefined);
  const wrong = async () => {
    throw new Error("syntax error");
  };
  await assert.rejects(forbiddenGrid(wrong, composed([BASE], ""), [BASE], BASE.place, 14), /syntax error/);
});
