import "./no_page.mjs";
import assert from "node:assert/strict";
import test from "node:test";
import {packed, unpacked} from "../../aspdoku/web/static/link.js";
import {
  checked, compose, definedElsewhere, described, initialState, isMisread, termsOf,
} from "../../aspdoku/web/static/program.js";
import {LIBRARY, puzzle} from "./puzzles.mjs";

const OWN = {name: "my-rule", text: ":- a(1,1,1), not ab(my_rule).", on: true};

function changed() {
  const state = initialState(puzzle());
  return {...state, entries: {"1,2": 4}, added: ["elaborations/far"], retracted: ["box"], own: [OWN]};
}

test("definitions are included after the base if a rule declares them", () => {
  const own = {name: "own", text: "#defined adjacent/4.\n", on: true};
  const files = state => [...compose(puzzle(), state, LIBRARY).first.keys()];
  assert.deepEqual(files({...changed(), own: [own]}).slice(0, 2), ["asp/base.lp", "asp/adjacent.lp"]);
  assert.ok(!files({...changed(), own: [{...own, text: "% #defined adjacent/4.\n"}]}).includes("asp/adjacent.lp"));
});

test("a program has each part once, with its first line", () => {
  const {text, first} = compose(puzzle(), changed(), LIBRARY);
  assert.equal(text, `% before
% -- asp/base.lp
row(1).
column(1).
% -- asp/box.lp
box(1,1,1).
% -- asp/elaborations/far.lp
far(1).
% -- my-rule.lp
${OWN.text}
% -- puzzle
a(1,1,1).
a(2,3,3).
size(4).
a(1,2,4).

% -- retracted, by addition
ab(box).
% after
`);
  const lines = text.split("\n");
  for (const [place, line] of first) assert.equal(lines[line - 2], `% -- ${place}`);
});

test("words were probably misread if all of them were read and there is not one solution", () => {
  const sentence = {parts: [["Boxes.", false]], rules: [["box", "Boxes."]], about: [], problem: ""};
  const data = puzzle({wording: [sentence]});
  const state = initialState(data);
  assert.ok(isMisread(data, state, "none") && isMisread(data, state, "several"));
  assert.ok(!isMisread(data, state, "unique"));
  assert.ok(!isMisread(puzzle(), state, "none"), "a puzzle that states its rules in another way");
  assert.ok(!isMisread({...data, unsupported: ["a part"]}, state, "none"), "something is open");
  assert.ok(!isMisread(data, {...state, added: ["elaborations/far"]}, "none"), "other rules");
  assert.ok(!isMisread(data, {...state, entries: {"1,2": 4}}, "none"), "numbers of a reader");
});

test("what is changed does not change the puzzle", () => {
  const data = puzzle();
  const state = initialState(data);
  state.givens[0][0] = null;
  state.retracted.push("box");
  assert.deepEqual(data, puzzle());
});

test("questions contain the numbers that are shown, and the text of rules that are not bundled", () => {
  const {givens, added, own} = described(puzzle(), changed(), LIBRARY);
  assert.deepEqual(givens[0], [1, 4, null, null]);
  assert.deepEqual([added, own], [["box", "elaborations/far"], [{name: OWN.name, text: OWN.text}]]);
});

test("an own rule is none of the places where predicates are defined, but another one is", () => {
  const other = {name: "other", text: "% Mine.\nmine(2).", on: true};
  const state = {...changed(), own: [{...OWN, text: "row(1). mine(1)."}, other]};
  const places = {
    "row/1": "asp/base.lp:1", "column/1": "asp/base.lp:2", "box/3": "asp/box.lp:1",
    "far/1": "asp/elaborations/far.lp:1",
  };
  assert.deepEqual(definedElsewhere(puzzle(), state, LIBRARY, OWN.name), {...places, "mine/1": "other.lp:2"});
  assert.deepEqual(definedElsewhere(puzzle(), state, LIBRARY, "other"), {...places, "mine/1": "my-rule.lp:1"});
  const declaring = {...state, own: [{...OWN, text: "#defined adjacent/4. row(1)."}]};
  assert.equal(definedElsewhere(puzzle(), declaring, LIBRARY, OWN.name)["adjacent/4"], "asp/adjacent.lp:1");
});

test("a link brings the state back", async () => {
  const state = changed();
  const text = await packed(state);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(checked(await unpacked(text), puzzle(), LIBRARY), state);
});

test("damaged and large links are refused", async () => {
  const text = await packed({...changed(), own: [{...OWN, text: "x".repeat(600_000)}]});
  await assert.rejects(unpacked(text), /more than 500000 characters/);
  await assert.rejects(unpacked("A".repeat(600_000)), /more than 500000 characters/);
  const small = await packed(changed());
  for (const each of [small.slice(0, -8), `!${small}`, "AAAA", ""]) await assert.rejects(unpacked(each), /damaged/);
});

test("exceptions are offered for a number, a clue, and a tuple that an input has", () => {
  const text = "#defined sign/4.  % sign(E,J,S,T): a sign\n#defined other/1.  % other(S): a sum\n";
  const facts = ['sign(left,1,5,"a, b")', "sign(top,2,3,x)", "sign(top,1..2,3,x)", "other(7)", "sum(1)"];
  const data = {...puzzle(), instance: {facts}};
  const terms = pattern => termsOf(pattern, {text}, data);
  assert.deepEqual(terms("N"), ["1", "2", "3", "4"]);
  assert.deepEqual(terms("S"), ["5", "3", "7"]);
  assert.deepEqual(terms("(E,J,S)"), ["(left,1,5)", "(top,2,3)"]);
  assert.deepEqual(terms("(J,T)"), ['(1,"a, b")', "(2,x)"]);
  assert.deepEqual(terms("(E,J,N)"), []);
});

test("an exception may be a tuple", () => {
  const state = {...changed(), retracted: ["box", 'sign,(left,1,-5,"a, b")', "cage,7"]};
  assert.deepEqual(checked(state, puzzle(), LIBRARY), state);
  const {own, retracted} = described(puzzle(), state, LIBRARY);
  assert.deepEqual(retracted, ["box"]);
  assert.equal(own.at(-1).text, 'ab(sign,(left,1,-5,"a, b")).\nab(cage,7).\n');
});

test("a state that would put other texts into the program is refused", () => {
  const state = changed();
  const wrong = [
    {givens: []}, {givens: [[1], [1], [1], [1]]}, {givens: state.givens.map(row => row.map(() => "1"))},
    {givens: state.givens.map(row => row.map(() => 5))}, {entries: {"1,5": 1}}, {entries: {"0,1": 1}},
    {entries: {"1,2": 9}}, {entries: {"1,1,1). a(2": 1}}, {entries: {"1,2": "1). x(1"}},
    {retracted: ["x). #script"]}, {retracted: ["Box"]}, {retracted: ["box,(1,2"]}, {retracted: ["box,(1,X)"]},
    {retracted: ["box,(1,2)). #script"]}, {retracted: ["box,(1,(2,3))"]}, {retracted: ["box,1,2"]},
    {retracted: ["box", "box"]}, {retracted: "box"},
    {retracted: [...Array(201).keys()].map(index => `x${index}`)},
    {added: [""]}, {added: ""}, {added: ["elaborations/far", "elaborations/far"]}, {added: ["unknown"]}, {added: [1]},
    {own: undefined}, {own: [{...OWN, name: "a\n#script"}]}, {own: [{...OWN, text: 1}]}, {own: [OWN, OWN]},
    {own: [{...OWN, text: "x".repeat(100_001)}]},
    {own: [...Array(21).keys()].map(each => ({...OWN, name: `x${each}`}))},
  ];
  for (const each of wrong) {
    assert.throws(() => checked({...state, ...each}, puzzle(), LIBRARY), Error, JSON.stringify(each));
  }
  assert.deepEqual(checked({...state, more: 1}, puzzle(), LIBRARY), state);
  assert.deepEqual(checked({...state, own: OWN}, puzzle(), LIBRARY), state); // older links had one rule
  assert.deepEqual(checked({...state, own: {...OWN, text: ""}}, puzzle(), LIBRARY), {...state, own: []});
});
