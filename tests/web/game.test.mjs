import "./no_page.mjs";
import assert from "node:assert/strict";
import test from "node:test";
import {gridsIn, rowsOf, firstGrids, next, separate, verdictOfGame} from "../../aspdoku/web/static/game.js";
import {Stopped} from "../../aspdoku/web/static/engine.js";

const GRID = gridsIn("1234 3412 2143 4321", 4)[0];
const RULES = [..."abcdefghij"].map(name => ({name, title: `Rule ${name}.`, text: name, bundled: true}));
const GAME = {rules: RULES, sizes: [{size: 4, program: "", drawing: {}}]};
// The rules that each of some grids violates; rules 8 and 9 are the same.
const BROKEN = [[0, 1, 2, 3], [0, 2, 4, 6], [1, 4, 5, 7, 8, 9], [0, 8, 9], [3], [], [5, 6, 7]];

// Answers questions by trying all grids.
function engine(asked = [], late = () => false) {
  return {
    async ask({kind, left, most, seed, rule}) {
      asked.push({kind, most});
      if (late(asked.length)) throw new Stopped("late");
      if (kind === "example") {
        const allowed = BROKEN.filter(broken => !broken.includes(rule));
        return {grid: GRID, broken: allowed[seed % allowed.length]};
      }
      if (kind === "judge") return {grid: undefined, broken: []};
      const broken = BROKEN.find(each => {
        const count = left.filter(index => each.includes(index)).length;
        return Math.abs(2 * count - left.length) <= most;
      });
      return broken ? {grid: GRID, broken} : {broken: []};
    },
  };
}

async function played(hidden, late) {
  const asked = [];
  let round = {size: 4, hidden: "", number: 1, left: [...RULES.keys()]};
  for (;;) {
    const {grid, broken} = await separate(engine(asked, late), "", round.left);
    if (!grid) return {round, asked};
    const before = round.left.length;
    round = next(round, broken, !broken.includes(hidden));
    assert.ok(round.left.length < before);
  }
}

test("a game ends with the rules that no grid tells apart from the hidden one", async () => {
  for (const hidden of RULES.keys()) {
    const same = [...RULES.keys()].filter(other =>
      BROKEN.every(broken => broken.includes(other) === broken.includes(hidden)));
    for (const late of [undefined, number => number % 2 === 1]) {
      const {round} = await played(hidden, late).catch(error => assert.ok(error instanceof Stopped) || {});
      if (round) assert.deepEqual(round.left, same);
      else assert.ok(late);
    }
  }
});

test("grids that half of the rules forbid are asked for first", async () => {
  const {asked} = await played(4);
  assert.deepEqual(asked[0], {kind: "separate", most: 2});
});

test("no question is asked that no grid can answer, and an error ends the game", async () => {
  for (const number of [2, 3, 4, 5, 6, 7]) {
    const asked = [];
    await separate(engine(asked), "", Array(number).fill(99));
    for (const {most} of asked) assert.ok(most >= number % 2);
  }
  let asked = 0;
  const failing = {ask: () => Promise.reject(new Error(`failure ${++asked}`))};
  await assert.rejects(separate(failing, "", [0, 1, 2, 3]), {message: "failure 1"});
});

test("a game begins with the rules that its grids do not violate", async () => {
  const {grids, left} = await firstGrids(engine(), GAME, {size: 4, hidden: "a"}, "");
  assert.equal(grids.length, 3);
  const shown = BROKEN.filter(broken => !broken.includes(0)).slice(0, 3);
  assert.deepEqual(left, [...RULES.keys()].filter(index => !shown.flat().includes(index)));
  await assert.rejects(firstGrids(engine(), GAME, {size: 4, hidden: ""}, "1234 1234 1234 1234"), /Grid 1 violates/);
});

test("grids are read digit by digit", () => {
  assert.deepEqual(rowsOf(GRID, 4), [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]);
  assert.deepEqual(gridsIn("\n1234341221434321\n\n", 4), [GRID]);
  for (const text of ["1234", "123x 3412 2143 4321"]) assert.throws(() => gridsIn(text, 4), /16 digits/);
});

test("the verdict names all rules that fit", () => {
  assert.match(verdictOfGame(GAME, {size: 4, left: []}), /None of the rules/);
  assert.equal(verdictOfGame(GAME, {size: 4, left: [1]}), "The rule that fits: Rule b.");
  assert.match(verdictOfGame(GAME, {size: 4, left: [8, 9]}), /Rule i\.[^]*apart from\nRule j\.$/);
});
