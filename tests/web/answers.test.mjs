import assert from "node:assert/strict";
import test from "node:test";
import {counted, dependencies, groundChanges, groundWords, repairs} from "../../aspdoku/web/static/answers.js";

const RULES = ["a", "b", "c"];
const SETS = [...Array(8).keys()].map(bits => RULES.filter((rule, index) => bits >> index & 1))
  .sort((one, two) => one.length - two.length);
// The numbers of three cells without a set of rules: more rules that are retracted allow more.
const OPENED = [["1,1", 2, ["a"]], ["1,2", 2, ["b", "c"]], ["1,2", 3, ["a", "b", "c"]]];

function candidates(retracted) {
  const all = [[1, 1, 1], [1, 2, 1], [1, 3, 1]];
  for (const [cell, number, rules] of OPENED) {
    if (rules.every(rule => retracted.includes(rule))) all.push([...cell.split(",").map(Number), number]);
  }
  return all;
}

test("the sets of rules that a number depends on are minimal", () => {
  const cells = dependencies(SETS.map(retracted => ({retracted, candidates: candidates(retracted)})));
  for (const [cell, {number, sets}] of cells) {
    const [row, column] = cell.split(",").map(Number);
    const opens = set => candidates(set).some(([r, c, n]) => r === row && c === column && n !== number);
    const minimal = SETS.filter(set => opens(set) && set.every(rule => !opens(set.filter(other => other !== rule))));
    assert.deepEqual(sets.map(({rules}) => rules), minimal, cell);
  }
  assert.equal(cells.size, 3);
});

test("the repairs are the minimal sets of rules without which there is a solution", () => {
  const solves = set => set.includes("a") || set.includes("b") && set.includes("c");
  const answers = SETS.map(retracted => ({retracted, candidates: solves(retracted) ? [[1, 1, 1]] : []}));
  assert.deepEqual(repairs(answers), [["a"], ["b", "c"]]);
});

test("ground rules are counted with the same key whatever their aggregates are called", () => {
  const before = counted(["a(1).", ":- b(1).", "#delayed(1) <=> 1 <= #count { x }", ":- #delayed(1).", "#show a/1."]);
  const after = counted(
    [":- b(1).", "#delayed(7) <=> 1 <= #count { x }", ":- #delayed(7).", ":- c(1).", "a(1).", "a(2)."]);
  assert.deepEqual(groundChanges(before, after), {kept: 3, rules: 1, facts: 1, gone: 0});
  assert.deepEqual(groundChanges(after, before), {kept: 3, rules: 0, facts: 0, gone: 1});
  const choice = counted(["#delayed(1):-b.", "#delayed(1) <=> 1 <= { a }"]); // a choice and a constraint
  assert.equal(groundChanges(new Map(), choice).rules, 2);
  assert.deepEqual(groundChanges(before, before), {kept: 3, rules: 0, facts: 0, gone: 0});
  assert.equal(groundWords(groundChanges(after, before)),
    "3 ground rules kept, 1 simplified or removed; 0 rules and 0 facts added");
});
