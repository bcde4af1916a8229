// @ts-check
// A grid on which two rules differ, and blank boards for other grids of a class.
import {Board} from "./board.js";
import {cellsOf, numbersIn, ringsOf} from "./class.js";
import {drawing, h} from "./dom.js";
/** @import {Tint} from "./board.js" */
/** @import {Witness} from "./class.js" */
/** @import {Drawing} from "./program.js" */

/** @typedef {Record<number, Drawing>} Boards by size */

/**
 * @param {Boards} boards @param {Witness} witness @param {string} label
 * @param {Tint[]} [tints] instead of those of the cells of the witness
 */
export function gridFigure(boards, {size, grid, pairs = [], cells}, label, tints) {
  const board = new Board();
  showGrid(board, boards, {size, grid, pairs, cells}, tints);
  return h("div", {class: "fig", role: "img", "aria-label": label}, board);
}

/** @param {Board} board @param {Boards} boards @param {Witness} witness @param {Tint[]} [tints] */
export function showGrid(board, boards, {size, grid, pairs = [], cells}, tints) {
  const span = [...Array(size).keys()].map(index => index + 1);
  const numbers = grid ? numbersIn(grid, size) : [];
  const contents = Object.fromEntries(span.flatMap(row => span.map(column =>
    [`${row},${column}`, {number: numbers[(row - 1) * size + column - 1] || undefined}])));
  board.shown = {
    drawing: boards[size], size, numbers: span, contents, pairs: ringsOf({size, grid, pairs, cells}),
    tints: tints ?? cellsOf({size, grid, pairs, cells}).map(([row, column]) => [row, column, "bad"]),
  };
}

/**
 * The grid of a witness; one with clues, such as cages, is a drawing.
 * @param {Boards} boards @param {Witness & {facts?: string[], drawing?: string | null}} witness @param {string} label
 */
export function witnessFigure(boards, witness, label) {
  if (witness.grid && boards[witness.size] && !witness.facts?.length) return gridFigure(boards, witness, label);
  if (!witness.drawing) return null;
  return h("div", {class: "fig", role: "img", "aria-label": label}, drawing(witness.drawing));
}
