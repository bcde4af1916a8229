// @ts-check
// What the pages of a class show, without the pages.
/** @import {Finding} from "./findings.js" */

/** @typedef {[row: number, column: number]} Cell */
/** @typedef {{size: number, grid: string | number[] | null, cells?: Cell[], pairs?: [Cell, Cell][]}} Witness */
/** @typedef {"right" | "too lax" | "too strict" | "error"} Kind */
/**
 * @typedef {Witness & {
 *   kind: Kind, count: number, title: string, words: string, example: string,
 *   facts?: string[], drawing?: string | null,
 *   wordings?: {count: number, text: string}[], errors?: {count: number, text: string, example: string}[],
 * }} Group
 */
/** @typedef {{title: string, task: string, hints: number}} Exercise */
/**
 * @typedef {{
 *   round: number, size: number, grid: string | null, examples: string[], left: number, rules?: string[],
 *   answers: {grid: string, allowed: boolean, yes: number, no: number}[], votes: {yes: number, no: number},
 *   done: boolean, rule?: string | null,
 * }} GuessRound
 */
/**
 * @typedef {{
 *   exercises: Exercise[], current: number, guess: GuessRound | null, seconds_left?: number | null,
 * }} Joined
 */
/** @typedef {{code: string, address: string, qr: {path: string, size: number} | null}} Join */
/**
 * @typedef {{
 *   version: number, exercise: {index: number, title: string, task: string, number_of: number} | null, joined: number,
 *   handed: number, seconds_left: number | null, bars: Record<Kind, number>, groups?: Group[],
 *   guess?: GuessRound | null, hidden_rules?: {name: string, title: string}[], problem?: string | null,
 * }} Wall
 */
/**
 * @typedef {Witness & {
 *   verdict: string, kind?: Kind, parts: {text: string, drawings: string[]}[], findings: Finding[], facts?: string[],
 *   hints_total?: number,
 * }} Mark
 */

/** @type {Kind[]} */
export const KINDS = ["right", "too lax", "too strict", "error"];
export const MOST_GROUPS = 6; // that a projector shows

/** The numbers of a grid, row by row. @param {string | number[]} grid @param {number} size */
export function numbersIn(grid, size) {
  const numbers = typeof grid === "string" ? [...grid.replace(/\s/g, "")].map(digit => parseInt(digit, 36)) : grid;
  if (numbers.length !== size * size) throw new Error(`a grid of ${size} rows has ${size * size} numbers`);
  return numbers;
}

/** Minutes and seconds. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * The widths of bars, in percent: the longest of them leaves some room.
 * @param {number[]} counts @param {number} least what the full width is at least
 */
export function widths(counts, least = 1) {
  const full = Math.max(least, 1.1 * Math.max(...counts));
  return counts.map(count => 100 * count / full);
}

/**
 * Groups in the order of a wall: right ones, others by their number, errors; and how many of them have no place.
 * @param {Group[]} groups @returns {{shown: Group[], more: Group[], all: Group[]}}
 */
export function arranged(groups, most = MOST_GROUPS) {
  const place = (/** @type {Group} */ {kind}) => (kind === "right" ? 0 : kind === "error" ? 2 : 1);
  const all = [...groups].sort((one, two) => place(one) - place(two) || two.count - one.count);
  if (all.length <= most) return {shown: all, more: [], all};
  const others = all.filter(each => place(each) === 1);
  const more = others.slice(most - 1 - (all.length - others.length));
  return {shown: all.filter(each => !more.includes(each)), more, all};
}

/** The heading of a verdict, and how it looks. @param {Mark} mark */
export function headed({verdict}) {
  if (verdict === "right") return {text: "Right ✓", look: "right"};
  if (verdict === "wrong") return {text: "Too lax, and too strict", look: "bad"};
  if (verdict === "cannot be used") return {text: "Not yet a rule", look: "bad"};
  const text = verdict.charAt(0).toUpperCase() + verdict.slice(1);
  return {text, look: /^too /.test(verdict) ? "bad" : "unknown"};
}

/** The cells that a witness is about, each once. @param {Witness} witness @returns {Cell[]} */
export function cellsOf({cells = [], pairs = []}) {
  const names = new Set([...cells, ...pairs.flat()].map(cell => cell.join()));
  return [...names].map(name => /** @type {Cell} */ (name.split(",").map(Number)));
}

/**
 * What is ringed: the pairs of a witness, and its other cells one by one.
 * @param {Witness} witness @returns {[Cell, Cell][]}
 */
export function ringsOf({cells = [], pairs = []}) {
  const names = new Set(pairs.flat().map(cell => cell.join()));
  const others = cells.filter(cell => !names.has(cell.join()));
  return [...pairs, ...others.map(cell => /** @type {[Cell, Cell]} */ ([cell, cell]))];
}
