// @ts-check
// All solutions at once: a wall of tiny grids, of which those that are forbidden go out.
import {drawn} from "./dom.js";
import {columnsOf} from "./scenes.js";
import {isCalm} from "./verdict.js";
/** @import {AllGrids} from "./scenes.js" */

const SIDE = 5, GAP = 0.5, MARGIN = 3; // of the cells of a grid, between them, and between grids
const FIRST = 250, LAST = 1550; // milliseconds between which grids go out
const SHADES = 4; // for which the stylesheet has colours

export class GridWall {
  element = drawn("svg", {class: "gridwall", role: "img"});
  /** @type {AllGrids["grids"] | undefined} */
  #grids;

  /** @param {AllGrids} all @param {boolean} isMoving whether what changes is shown as a movement */
  show({size, grids, alive}, isMoving) {
    if (JSON.stringify(grids) !== JSON.stringify(this.#grids)) this.#draw(size, grids);
    const left = new Set(alive);
    [...this.element.children].forEach((grid, index) => {
      const delay = isMoving && !isCalm() ? FIRST + (LAST - FIRST) * Math.random() : 0;
      /** @type {SVGElement} */ (grid).style.transition = isMoving ? `opacity .5s ${delay}ms` : "none";
      grid.classList.toggle("dead", !left.has(index));
    });
    this.element.setAttribute("aria-label", `${left.size} of ${grids.length} grids`);
  }

  /** @param {number} size @param {AllGrids["grids"]} grids */
  #draw(size, grids) {
    this.#grids = grids;
    const columns = columnsOf(grids.length);
    const pitch = size * (SIDE + GAP) - GAP + MARGIN;
    const [width, height] = [columns * pitch, Math.ceil(grids.length / columns) * pitch];
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.element.style.setProperty("--ratio", String(width / height));
    this.element.replaceChildren(...grids.map((grid, index) => {
      const [left, top] = [index % columns * pitch + MARGIN / 2, Math.floor(index / columns) * pitch + MARGIN / 2];
      /** @type {Map<number, string>} */
      const paths = new Map();
      Array.from(grid, Number).forEach((number, cell) => {
        const [x, y] = [left + cell % size * (SIDE + GAP), top + Math.floor(cell / size) * (SIDE + GAP)];
        paths.set(number, `${paths.get(number) ?? ""}M${x} ${y}h${SIDE}v${SIDE}h-${SIDE}z`);
      });
      const group = drawn("g", {});
      for (const [number, d] of paths) {
        const path = drawn("path", {d, class: `shade-${number}`});
        const share = 100 * (number - 1) / (size - 1);
        if (size > SHADES) path.style.fill = `color-mix(in srgb, var(--tag) ${share}%, var(--cool))`;
        group.append(path);
      }
      return group;
    }));
  }
}
