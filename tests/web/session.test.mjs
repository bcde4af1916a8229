import "./no_page.mjs";
import assert from "node:assert/strict";
import test from "node:test";
import {Cancelled} from "../../aspdoku/web/static/engine.js";
import {explain, heatMap, hint, showStep, why} from "../../aspdoku/web/static/reasons.js";
import {Session} from "../../aspdoku/web/static/session.js";
import {puzzle} from "./puzzles.mjs";

const ALL = [1, 2, 3, 4].flatMap(row => [1, 2, 3, 4].map(column => [row, column, 1 + (row + column) % 4]));
const step = placed => ({placed, candidates: [[2, 1, [1, 4]]], struck: [[2, 1, [4]]], marked: {}, lines: []});
const STEPS = [step([[1, 1, 1], [1, 2, 2]]), step([[1, 3, 3]]), step([[2, 1, 1]])];
const ANSWERS = {
  solve: {grids: [ALL], complete: true, messages: ""},
  candidates: {candidates: ALL, contents: []},
  ground: {lines: ["a(1).", ":- b."]},
  depends: {answers: [{retracted: [], candidates: ALL}, {retracted: ["row"], candidates: [...ALL, [1, 2, 2]]}]},
  hint: {text: "Look here.", cells: [[1, 2]]},
  explain: {steps: STEPS},
  why: {steps: [STEPS[0]]},
};

// A session whose questions are answered from a table, and what its view was told to say.
async function session(data = {}, answers = {}) {
  const said = [];
  const view = new Proxy({draft: "", say: ({text, list = []}) => text && said.push([text, ...list].join("; "))},
    {get: (target, name) => target[name] ?? (() => {}), set: (target, name, value) => (target[name] = value, true)});
  const engine = {cancel() {}, ask: async ({kind}) => {
    const answer = {...ANSWERS, ...answers}[kind];
    await settled();
    if (answer instanceof Error) throw answer;
    return answer;
  }};
  const made = new Session(engine, view, puzzle(data));
  made.show(made.data);
  await answered();
  return {made, said, view};
}

function settled() {
  return new Promise(resolve => setTimeout(resolve));
}

// All questions of `solve` are answered.
async function answered() {
  for (let each = 0; each < 6; each++) await settled();
}

test("a verdict, candidates and ground rules follow from the state", async () => {
  const {made} = await session();
  assert.equal(made.verdict.state, "unique");
  assert.equal(made.groundLine, "1 ground rule and 1 fact");
  assert.deepEqual(made.content(1, 1), {number: 1, kind: "given"});
  assert.deepEqual(made.content(1, 2), {}); // a clean puzzle
  made.shown.candidates = true;
  assert.deepEqual(made.content(1, 2), {candidates: [4]});
  made.shown.solution = true;
  assert.deepEqual(made.content(1, 2), {number: 4, kind: "solved"});
  assert.deepEqual(made.content(4, 4), {});
});

test("a solution can show other numbers than those of the grid", async () => {
  const contents = [[1, 1, 7], [1, 2, 9], [1, 2, 8]];
  const {made} = await session({contents: [["shown", "RCN"]]}, {candidates: {candidates: ALL, contents}});
  made.shown.solution = true;
  assert.deepEqual(made.content(1, 1), {number: "7", kind: "given"});
  assert.deepEqual(made.content(1, 2), {number: "8 9", kind: "solved"});
  assert.deepEqual(made.content(1, 3), {});
});

test("changes are undone and repeated in their order", async () => {
  const {made} = await session();
  const states = [structuredClone(made.state)];
  made.selected = [1, 2];
  for (const number of [2, 3, null]) {
    made.enter(number);
    states.push(structuredClone(made.state));
  }
  for (const state of states.slice(0, -1).reverse()) {
    made.undo();
    assert.deepEqual(made.state, state);
  }
  assert.equal(made.canUndo, false);
  for (const state of states.slice(1)) {
    made.redo();
    assert.deepEqual(made.state, state);
  }
  assert.equal(made.canRedo, false);
  made.undo();
  made.retract("box", true);
  assert.equal(made.canRedo, false);
});

test("givens change only if they are edited, and unused cells never", async () => {
  const {made, said} = await session();
  made.selected = [1, 1];
  made.enter(2);
  assert.equal(made.state.givens[0][0], 1);
  assert.match(said.at(-1), /Edit givens/);
  made.shown.givens = true;
  made.enter(2);
  assert.equal(made.state.givens[0][0], 2);
  made.selected = [4, 4];
  made.enter(2);
  assert.deepEqual([made.state.givens[3][3], made.state.entries], [null, {}]);
});

test("there is one mode at a time, which a change ends", async () => {
  const {made, said} = await session({server: true});
  await heatMap(made);
  const left = ALL.map(([row, column]) => `${row},${column}`).filter(cell => !["1,1", "2,3", "4,4"].includes(cell));
  assert.deepEqual([...made.heat.cells.keys()], left); // without givens and unused cells
  assert.deepEqual(made.content(1, 2), {number: 4, kind: "forced"});
  await hint(made);
  assert.deepEqual([made.mode.kind, made.heat, said.at(-1)], ["hint", undefined, "Look here."]);
  await explain(made);
  assert.equal(made.mode.reason, "explain");
  await explain(made);
  assert.equal(made.mode, undefined);
  await heatMap(made);
  made.selected = [1, 2];
  made.enter(3);
  assert.equal(made.mode, undefined);
});

test("the words of the heat map name the rules without which more is possible", async () => {
  const {made, said} = await session();
  made.selected = [1, 2];
  await heatMap(made);
  assert.match(said.at(-1), /^r1c2 is 4:; without row, 2 would be possible here$/);
  await heatMap(made);
  assert.equal(made.mode, undefined);
});

test("the board after a step has the numbers of all steps before it", async () => {
  const {made} = await session({steps: STEPS});
  await explain(made);
  for (const [to, index] of [[0, 0], [1, 1], [9, 2], [-1, 0]]) {
    showStep(made, to);
    assert.equal(made.steps.index, index);
    const placed = STEPS.slice(0, index + 1).flatMap(each => each.placed);
    assert.deepEqual([...made.steps.reached.numbers.values()], placed.map(([, , number]) => number));
    assert.deepEqual(made.content(3, 3), {candidates: [], struck: []});
  }
});

test("a hint of a handout follows the last step that is entered, and names wrong numbers", async () => {
  const {made, said} = await session({steps: STEPS});
  await hint(made);
  assert.equal(made.steps.index, 0);
  made.selected = [1, 2];
  made.enter(2);
  await hint(made);
  assert.equal(made.steps.index, 1);
  made.enter(3);
  await hint(made);
  assert.equal(said.at(-1), "Wrong: r1c2=3");
});

test("why: what is given, assumed, open, and forced", async () => {
  const {made, said} = await session({server: true}, {candidates: {candidates: [...ALL, [3, 3, 1]], contents: []}});
  const asked = async (row, column) => {
    made.selected = [row, column];
    await why(made);
    return said.at(-1);
  };
  assert.equal(await asked(1, 1), "r1c1 is given.");
  assert.match(await asked(3, 3), /not forced: 1 or 3 is possible/);
  await asked(1, 2);
  assert.equal(made.steps.title, "Why r1c2=4?");
  made.enter(2);
  assert.match(await asked(1, 2), /r1c2=2 is assumed/);
});

test("answers about an older program are dropped", async () => {
  const {made, said} = await session({server: true});
  for (const ask of [explain, hint]) {
    const asked = ask(made);
    made.retract("box", !made.state.retracted.length);
    await asked;
    await answered();
    assert.equal(made.mode, undefined);
  }
  assert.ok(!said.includes("Look here."));
});

test("an own rule with a mistake has no answer, and its finding a line", async () => {
  const {made} = await session();
  const own = text => [{name: "my-rule", text, on: true}];
  made.update(state => (state.own = own("% Mine.\n#const x=1.")));
  await answered();
  assert.deepEqual([made.verdict.state, made.findings[0].line], ["error", 2]);
  const {made: other} = await session({}, {solve: new Error("-:8:1-2: error: syntax error, unexpected .")});
  other.update(state => (state.own = own(":- a(1,1,1)),.")));
  await answered();
  assert.equal(other.verdict.text, "The rule cannot be used.");
  assert.deepEqual(other.findings.map(({line}) => line), [1]);
});

test("several own rules are part of the program, each with its findings", async () => {
  const {made, view} = await session();
  view.draft = ":- a(1,1,2).";
  made.takeRule();
  await answered();
  made.write();
  view.draft = "% Mine.\n#const x=1.";
  made.takeRule();
  await answered();
  assert.deepEqual(made.state.own.map(({name}) => name), ["my-rule", "my-rule-2"]);
  assert.equal(made.verdict.text, "my-rule-2 cannot be used.");
  assert.deepEqual(made.findings.map(({line}) => line), [2]);
  view.draft = "";
  made.takeRule();
  await answered();
  assert.match(made.program.text, /% -- my-rule\.lp\n:- a\(1,1,2\)\./);
  assert.equal(made.verdict.state, "unique");
  made.write("my-rule");
  view.draft = ":- a(1,1,2).";
  made.rename("other");
  assert.deepEqual([made.own.name, made.isTaken("other"), made.isTaken("box"), made.isTaken("new")],
    ["other", true, true, false]);
  made.remove({name: "other", retracts: []});
  assert.deepEqual(made.state.own.map(({name}) => name), ["my-rule-2"]);
  made.undo();
  assert.equal(made.own.text, ":- a(1,1,2).");
});

test("questions that were cancelled say nothing", async () => {
  const {made, said} = await session({}, {solve: new Cancelled()});
  assert.deepEqual([made.verdict.state, said], ["busy", []]);
});
