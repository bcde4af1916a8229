import "./no_page.mjs";
import assert from "node:assert/strict";
import test from "node:test";
import {bricksOf, filesOf} from "../../aspdoku/web/static/bricks.js";
import {initialState} from "../../aspdoku/web/static/program.js";
import {
  addressOf, barWidth, columnsOf, comingNext, contentsOfGrid, costWords, minutesOf, plainWords, positionBeside,
  positionIn, spokenGrid, verdictOf,
} from "../../aspdoku/web/static/scenes.js";
import {pointsOf, sheetOf} from "../../aspdoku/web/static/sheetplan.js";
import {LIBRARY, puzzle} from "./puzzles.mjs";

const words = text => [["", text]];
const BOARD = {show: "puzzle", marks: [], pairs: [], grid: null};
const scene = (more = {}) => ({
  puzzle: 0, state: {added: [], retracted: []}, tower: "all", board: BOARD, answer: null, code: null, verdict: null,
  base: null, fresh: {bricks: [], facts: []}, ...more,
});
const STEPS = [
  {title: "One", minutes: 5, say: words("First."), question: null, notes: [], scenes: [scene(), scene()]},
  {title: "Two", minutes: 7, say: words("Second."), notes: [], scenes: [
    scene(), scene({answer: words("Yes.")}), scene({answer: [["", "Yes: "], ["code", "a(1,1,1)."]]})],
  question: {text: words("Is it?"), options: [{text: words("yes"), right: true}, {text: words("no"), right: false}]}},
];

test("an address names a step and a scene, and others lead to the nearest", () => {
  assert.deepEqual(positionIn("", STEPS), {step: 0, scene: 0});
  assert.deepEqual(positionIn("#2.1", STEPS), {step: 1, scene: 1});
  assert.deepEqual(positionIn("#2", STEPS), {step: 1, scene: 0});
  assert.deepEqual(positionIn("#9.9", STEPS), {step: 1, scene: 2});
  assert.deepEqual(positionIn("#0", STEPS), {step: 0, scene: 0});
  assert.deepEqual(positionIn("#s=abc", STEPS), {step: 0, scene: 0});
  for (const address of ["#1", "#1.1", "#2.2"]) assert.equal(addressOf(positionIn(address, STEPS)), address);
});

test("each scene follows another, and the ends stay", () => {
  const all = ["#1", "#1.1", "#2", "#2.1", "#2.2"];
  all.slice(1).forEach((address, index) => {
    assert.equal(addressOf(positionBeside(positionIn(all[index], STEPS), 1, STEPS)), address);
    assert.equal(addressOf(positionBeside(positionIn(address, STEPS), -1, STEPS)), all[index]);
  });
  assert.equal(addressOf(positionBeside(positionIn("#2.2", STEPS), 1, STEPS)), "#2.2");
  assert.equal(addressOf(positionBeside(positionIn("#1", STEPS), -1, STEPS)), "#1");
});

test("notes have the minutes and what follows", () => {
  assert.deepEqual(minutesOf(STEPS, 1), [5, 12]);
  const coming = position => comingNext({steps: STEPS, puzzles: []}, position);
  assert.equal(coming({step: 0, scene: 0}), "→ the next scene");
  assert.equal(coming({step: 0, scene: 1}), "→ Two: Second.");
  assert.equal(coming({step: 1, scene: 0}), "→ the answer");
  assert.equal(coming({step: 1, scene: 2}), "the end");
  assert.equal(plainWords(STEPS[1].scenes[2].answer), "Yes: a(1,1,1).");
});

test("notes say what the next scene reveals", () => {
  const coming = (now, next) => comingNext(
    {steps: [{scenes: [scene(now), scene(next)]}], puzzles: [{title: "Small"}, {title: "Large"}]}, {step: 0, scene: 0});
  const count = (count, was = null) => ({count, was, most: 1000});
  const drops = {
    verdict: count(288, 576), fresh: {bricks: ["box"], facts: []}, code: {brick: "box", text: "", statements: null},
    answer: words("Half."),
  };
  assert.equal(coming({}, drops), "→ the answer, the box drops, the text of box, 576 becomes 288");
  assert.equal(coming({verdict: count(1)}, {verdict: count(1001)}), "→ 1 becomes more than 1,000");
  assert.equal(coming({}, {verdict: count(1)}), "→ 1 solution");
  assert.equal(coming({}, {fresh: {bricks: [], facts: ["ab(row)", "ab(column)"]}}), "→ the tags ab(row). ab(column).");
  assert.equal(coming({}, {puzzle: 1}), "→ Large");
  assert.equal(coming({}, {verdict: {text: "Stricter, given box.", against: "than mine", isGood: false}}),
    "→ Stricter, given box");
  const marked = kind => ({board: {...BOARD, marks: [[1, 1, kind]]}});
  assert.equal(coming({}, marked("reach")), "→ the marked cells");
  assert.equal(coming({}, marked("exception")), "→ the pairs that only the exception allows");
  assert.equal(coming({}, {board: {...BOARD, show: "solution"}, code: {diff: [["+", "a."]]}}),
    "→ the solution, the difference of the texts");
});

test("verdicts of scenes are those of the stage", () => {
  const text = (count, was = null) => verdictOf({count, was, most: 1000});
  assert.deepEqual(text(1, 0), {state: "unique", text: "1 solution", caveat: "", count: 1, was: 0});
  assert.equal(text(0).text, "No solution");
  assert.equal(text(288).text, "288 solutions");
  assert.equal(text(1001).text, "more than 1,000 solutions");
  assert.deepEqual(verdictOf({text: "The same", isGood: true}), {state: "unique", text: "The same", caveat: ""});
});

test("a grid has givens and other numbers, and is spoken by rows", () => {
  const givens = [[1, null], [null, null]];
  const contents = contentsOfGrid([1, 2, 0, 1], givens);
  assert.deepEqual(contents, {
    "1,1": {number: 1, kind: "given"}, "1,2": {number: 2, kind: "solved"}, "2,2": {number: 1, kind: "solved"}});
  assert.equal(spokenGrid(2, contents), "1 2; empty 1");
  assert.equal(spokenGrid(2, {}), "empty grid");
  assert.equal(columnsOf(576), 24);
});

test("bars are longer for more statements", () => {
  assert.ok(barWidth(1, 8766) < barWidth(216, 8766));
  assert.equal(barWidth(8766, 8766), 72);
  const cost = {name: "OWL", note: "", statements: {added: [], removed: []}};
  assert.equal(costWords({...cost, added: 1, removed: 0}), "OWL: 1 statement added");
  assert.equal(costWords({...cost, added: 14, removed: 704}), "OWL: 14 statements added, 704 removed");
  assert.equal(costWords({...cost, added: 0, removed: 0}), "OWL: nothing changes");
});

test("bricks have the tags of the facts about them", () => {
  const data = puzzle();
  const state = {...initialState(data), added: ["near"], retracted: ["box", "row"]};
  const built = {data, state, library: [{...LIBRARY[1], name: "near"}]};
  assert.deepEqual(filesOf(built).map(({name}) => name), ["base", "box", "near"]);
  assert.deepEqual(filesOf(built, "mine").map(({name}) => name), ["base", "box", "near", "mine"]);
  const [base, box, near] = bricksOf(built, ["ab(near)"]);
  assert.deepEqual(base.tags, [{atom: "ab(row)", fixed: false}]);
  assert.deepEqual([box.on, near.on], [false, true]);
  assert.deepEqual(near.tags, [{atom: "ab(near)", fixed: true}]); // a rule derives it
  assert.deepEqual([box.isRemovable, near.isRemovable], [false, true]);
  state.own = [{name: "mine", text: "% Mine.\n:- b.", on: false}, {name: "blank", text: "", on: true}];
  const own = bricksOf(built, []).slice(3);
  assert.deepEqual(own.map(({name, title, on, isRemovable}) => [name, title, on, isRemovable]),
    [["mine", "Mine.", false, true]]);
});

test("a sheet asks the questions of the lesson", () => {
  const solved = scene({board: {show: "solution", grid: [1, 2, 3, 4]}});
  const lesson = {
    title: "A lesson",
    puzzles: [puzzle({givens: [[null]], instance: {facts: []}}), puzzle({rules_in_words: "Boxes."})], exercises: [],
    steps: [...STEPS, {...STEPS[0], scenes: [{...solved, puzzle: 1}]}]};
  const sheet = sheetOf(lesson);
  assert.deepEqual([sheet.title, sheet.puzzle, sheet.words], ["A lesson", 1, "Boxes."]);
  assert.deepEqual(sheet.solution, [1, 2, 3, 4]);
  assert.equal(sheet.tasks.length, 1);
  assert.deepEqual(sheet.tasks[0].answer.map(plainWords), ["Yes: a(1,1,1)."]);
  assert.equal(pointsOf(sheet.tasks), 0);
  assert.equal(sheet.tasks[0].figure, undefined); // it is about no numbers and no clues
  const opening = scene({puzzle: 2, state: {added: [], retracted: ["box"]}});
  const asking = {...STEPS[1], scenes: [opening, {...solved, puzzle: 2}]};
  const puzzles = [...lesson.puzzles, puzzle({title: "Another"})];
  const [task] = sheetOf({...lesson, puzzles, steps: [asking], sheet: {puzzle: 1}}).tasks;
  assert.deepEqual([task.figure.puzzle, task.figure.grid.slice(0, 7), task.figure.retracted],
    [2, [1, 0, 0, 0, 0, 0, 3], ["box"]]);
  assert.deepEqual(task.board.grid, [1, 2, 3, 4]);
  assert.equal(sheetOf({...lesson, puzzles, steps: [asking], sheet: {puzzle: 2}}).tasks[0].figure, undefined);
  const own = {title: "Mine", tasks: [{text: words("Solve."), points: 2}, {text: words("Write."), points: 3}]};
  assert.equal(sheetOf({...lesson, sheet: own}).title, "Mine");
  assert.equal(pointsOf(sheetOf({...lesson, sheet: own}).tasks), 5);
});
