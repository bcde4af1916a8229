// @ts-check
// "Guess the rule": the questions by which clingo finds a rule.
import {Stopped} from "./engine.js";
/** @import {Engine, Judged} from "./engine.js" */
/** @import {Drawing, Placed} from "./program.js" */

// For a grid that separates the rules, and before that for one that about half of them forbid.
const GAME_SECONDS = 30, HALVING_SECONDS = 5;
// Grids that a rule allows refute more rules than answers do: most grids violate most rules.
const EXAMPLES = 3;

/**
 * @typedef {{
 *   rules: {name: string, title: string, text: string, bundled: boolean}[],
 *   sizes: {size: number, program: string, drawing: Drawing}[],
 * }} Game as in `game.game`
 */
/** @typedef {{size: number, hidden: string}} Setting `hidden`: the name of a rule, unless a player answers */
/** @typedef {Setting & {number: number, left: number[]}} Round `left`: the indices of rules that fit so far */

/** @param {Placed[]} grid @param {number} size */
export function rowsOf(grid, size) {
  /** @type {number[][]} */
  const rows = [...Array(size)].map(() => []);
  grid.forEach(([row, column, number]) => (rows[row - 1][column - 1] = number));
  return rows;
}

/** The solved grids in a text, one in each line. @param {string} text @param {number} size @returns {Placed[][]} */
export function gridsIn(text, size) {
  return text.split("\n").filter(line => line.trim()).map(line => {
    const digits = [...line.replace(/\s/g, "")];
    if (digits.length !== size * size || digits.some(digit => !/\d/.test(digit))) {
      throw new Error(`“${line.trim()}” is not a solved grid: write ${size * size} digits, row by row.`);
    }
    return digits.map((digit, index) => [Math.floor(index / size) + 1, index % size + 1, Number(digit)]);
  });
}

/** @param {Game} game @param {number} size */
export function boardOf({sizes}, size) {
  return /** @type {Game["sizes"][number]} */ (sizes.find(each => each.size === size));
}

/**
 * Grids that the rule allows, some of the rule that is hidden or those in a text, and the rules that allow them.
 * @param {Engine} engine @param {Game} game @param {Setting} setting @param {string} text
 */
export async function firstGrids(engine, game, {size, hidden}, text) {
  const {rules} = game;
  const {program} = boardOf(game, size);
  const rule = rules.findIndex(each => each.name === hidden);
  const answers = await Promise.all(hidden
    ? [...Array(EXAMPLES).keys()].map(seed => engine.ask({kind: "example", program, rule, seed}, GAME_SECONDS))
    : gridsIn(text, size).map(grid => engine.ask({kind: "judge", program, grid}, GAME_SECONDS)));
  const grids = answers.map(({grid}, index) => {
    if (grid) return grid;
    throw new Error(hidden
      ? `${hidden} allows no ${size}x${size} grid: choose larger grids.`
      : `Grid ${index + 1} violates the rules of the game: each row, column and box has each number once.`);
  });
  const left = [...rules.keys()].filter(index => !answers.some(({broken}) => broken.includes(index)));
  return {grids, left};
}

/**
 * A grid that some of the rules that are left forbid, about half of them if such a grid is found in
 * time, and the indices of the rules that forbid it; no grid if there is none, which is proved.
 * @param {Engine} engine @param {string} program @param {number[]} left @returns {Promise<Judged>}
 */
export async function separate(engine, program, left) {
  const number = left.length;
  if (number < 2) return {broken: []};
  const ask = (/** @type {number} */ most, /** @type {number} */ seconds) =>
    engine.ask({kind: "separate", program, left, most}, seconds);
  const end = performance.now() + 1000 * HALVING_SECONDS;
  try {
    for (const most of [number >> 2, number >> 1]) {
      if (most < number % 2) continue;
      const found = await ask(most, Math.max(0, end - performance.now()) / 1000);
      if (found.grid) return found;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return ask(number - 2, GAME_SECONDS);
}

/**
 * The round after an answer.
 * @param {Round} round @param {number[]} broken @param {boolean} allowed @returns {Round}
 */
export function next({number, left, ...setting}, broken, allowed) {
  return {...setting, number: number + 1, left: left.filter(index => broken.includes(index) !== allowed)};
}

/** The verdict when no grid separates the rules that are left. @param {Game} game @param {Round} round */
export function verdictOfGame({rules}, {size, left}) {
  const [first, ...others] = left.map(index => rules[index].title);
  if (!first) return "None of the rules fits: the rule is another one, or an answer was wrong.";
  const same = others.length ? `\n\nNo ${size}x${size} grid tells it apart from\n${others.join("\n")}` : "";
  return `The rule that fits: ${first}${same}`;
}
