// @ts-check
// The element aspdoku-board: a drawing with numbers, tints and rings. It shows what other scripts, or the JSON
// in it, say.
import {FONTS, drawn, h} from "./dom.js";
/** @import {Drawing, Spot} from "./program.js" */
/** @import {Content} from "./session.js" */

/** @typedef {[row: number, column: number]} Cell */
/** @typedef {[row: number, column: number, kind: string, text?: string | number]} Tint kind "from": a sign */
/** @typedef {[Cell, Cell, kind?: "bad" | "exception"]} Pair */
/** @typedef {{name: string, cells: Cell[]}} Clue */
/**
 * @typedef {{
 *   drawing: Drawing, size: number, numbers: number[], contents: Record<string, Content>, off?: string[],
 *   tints?: Tint[], pairs?: Pair[], exempt?: Clue[],
 * }} Shown contents: by cell, as row,column; off: the names of rules that are retracted; pairs: cells that are ringed
 * and joined; exempt: clues that do not hold
 */

const RING = 0.39; // radius, in cells
const MOST_MOVING = 100; // candidates: more would keep the page from what it is asked next
const INSET = 0.07; // of the outline of a clue, as in drawings

export class Board extends HTMLElement {
  /** @type {Drawing | undefined} */
  #background; // the drawing that the elements show
  #svg = drawn("svg", {class: "board", "aria-hidden": "true", "font-family": FONTS});
  #tints = drawn("g", {class: "tints"});
  #exempt = drawn("g", {});
  #digits = drawn("g", {class: "digits"});
  #marks = drawn("g", {class: "marks"});
  cells = h("div", {class: "cells"}); // lies on the grid
  frame = h("div", {class: "board-frame"}, this.#svg, this.cells);

  connectedCallback() {
    const json = this.querySelector("script[type='application/json']")?.textContent;
    if (json) this.shown = JSON.parse(json);
    else if (!this.frame.isConnected) this.replaceChildren(this.frame);
    if (this.#background) this.#fit();
  }

  /** @param {Shown} shown */
  set shown(shown) {
    if (!this.contains(this.frame)) this.replaceChildren(this.frame);
    if (shown.drawing !== this.#background) this.#draw(shown);
    for (const group of /** @type {NodeListOf<SVGGElement>} */ (this.#svg.querySelectorAll("[data-rules]"))) {
      group.classList.toggle("off", group.dataset.rules?.split(" ").some(rule => shown.off?.includes(rule)));
    }
    this.#tints.replaceChildren(...(shown.tints || []).flatMap(tint => this.#tinted(tint, shown)));
    this.#svg.querySelectorAll(".drawn .exempt").forEach(each => each.classList.remove("exempt"));
    this.#exempt.replaceChildren(...(shown.exempt || []).flatMap(clue => this.#outlined(clue)));
    const span = [...Array(shown.size).keys()].map(index => index + 1);
    const cells = span.flatMap(row => span.map(column => `${row},${column}`)).filter(cell => cell in shown.contents);
    const came = cells.reduce((sum, cell) => sum + (shown.contents[cell].came?.length ?? 0), 0);
    this.#digits.classList.toggle("many", came > MOST_MOVING);
    this.#digits.replaceChildren(...cells.flatMap(cell => this.#written(shown, cell)));
    this.#marks.replaceChildren(...(shown.pairs || []).flatMap(pair => this.#paired(pair)));
  }

  /** The part of the drawing that has shapes: it has a margin for captions. */
  #fit() {
    const {scale, width, height, grid: [left, top]} = /** @type {Drawing} */ (this.#background);
    const whole = {x: 0, y: 0, width: width * scale, height: height * scale};
    const shapes = /** @type {SVGGElement[]} */ ([...this.#svg.querySelectorAll(":scope > .drawn")]);
    const boxes = this.isConnected ? shapes.map(each => each.getBBox()).filter(box => box.width) : [];
    if (boxes.length) {
      const edge = (/** @type {"x" | "y"} */ from, /** @type {"width" | "height"} */ size) =>
        Math.max(...boxes.map(box => box[from] + box[size]));
      const margin = 0.05 * scale;
      whole.x = Math.min(...boxes.map(box => box.x)) - margin;
      whole.y = Math.min(...boxes.map(box => box.y)) - margin;
      whole.width = edge("x", "width") + margin - whole.x;
      whole.height = edge("y", "height") + margin - whole.y;
    }
    this.#svg.setAttribute("viewBox", [whole.x, whole.y, whole.width, whole.height].join(" "));
    this.frame.style.setProperty("--ratio", String(whole.width / whole.height));
    const percent = (/** @type {number} */ part, /** @type {number} */ all) => `${100 * part / all}%`;
    Object.assign(this.cells.style, {
      left: percent(left * scale - whole.x, whole.width), top: percent(top * scale - whole.y, whole.height),
      width: percent(this.#size * scale, whole.width), height: percent(this.#size * scale, whole.height),
    });
  }

  #size = 0;

  /** @param {Shown} shown */
  #draw({drawing, size}) {
    const {scale, grid: [left, top], below, above} = drawing;
    this.#background = drawing;
    this.#size = size;
    const thickness = Math.max(0.55, Math.min(1.6, size / 9));
    this.#svg.style.setProperty("--k", String(thickness));
    const group = (/** @type {string} */ markup) => Object.assign(drawn("g", {class: "drawn"}), {innerHTML: markup});
    const moved = `translate(${left * scale},${top * scale})`;
    for (const each of [this.#tints, this.#exempt, this.#digits, this.#marks]) each.setAttribute("transform", moved);
    const side = size * scale;
    const paper = drawn("rect", {class: "paper", x: left * scale, y: top * scale, width: side, height: side});
    this.#svg.replaceChildren(
      paper, group(below), this.#tints, group(above), this.#exempt, this.#digits, this.#marks);
    this.#svg.querySelectorAll(".axis").forEach(label => this.#moveNumber(label, left * scale, thickness));
    this.#fit();
  }

  /**
   * The numbers of rows and columns are smaller than in a picture, and nearer to the grid.
   * @param {Element} label @param {number} left @param {number} thickness
   */
  #moveNumber(label, left, thickness) {
    const scale = this.#scale;
    const [x, y] = ["x", "y"].map(name => Number(label.getAttribute(name)));
    label.setAttribute("font-size", String(0.19 * thickness * scale));
    if (x < left) label.setAttribute("x", String(x + (0.28 - 0.17 * thickness) * scale));
    label.setAttribute("y", String(y + (x < left ? -0.03 : 0.18 - 0.11 * thickness) * scale));
  }

  get #scale() {
    return this.#background?.scale ?? 1;
  }

  /** @param {Tint} tint @param {Shown} shown */
  #tinted([row, column, kind, text], {contents}) {
    const scale = this.#scale;
    const [x, y] = [(column - 1) * scale, (row - 1) * scale];
    const square = drawn("rect", {class: `tint tint-${kind}`, x, y, width: scale, height: scale});
    if (kind === "from") {
      const isFilled = contents[`${row},${column}`]?.number !== undefined;
      // Beside a number, a sign is in the corner.
      const said = String(text ?? (isFilled ? "" : "●"));
      const [left, low, height] = isFilled ? [0.21, 0.37, 0.38] : said === "●" ? [0.5, 0.62, 0.36] : [0.5, 0.76, 0.78];
      const at = {x: x + left * scale, y: y + low * scale, "font-size": height * scale};
      const sign = drawn("text", {class: "from", ...at, "text-anchor": "middle"}, said);
      return isFilled ? [square, sign] : [sign];
    }
    if (text === undefined) return [square];
    square.style.setProperty("--level", String(Math.min(7, Number(text))));
    const at = {class: "level", x: x + 0.94 * scale, y: y + 0.22 * scale, "font-size": 0.22 * scale};
    return [square, drawn("text", {...at, "text-anchor": "end"}, String(text))];
  }

  /** What a cell shows. @param {Shown} shown @param {string} cell */
  #written({drawing: {scale, digit: [x, y, height], inks}, numbers, off = [], contents}, cell) {
    const [row, column] = cell.split(",").map(Number);
    const {number, other, kind = "", candidates = [], struck = [], came = []} = contents[cell];
    const [ink, rules] = inks[`r${row}c${column}`] || ["", []];
    const isInked = ink && !rules.some(rule => off.includes(rule));
    /** @param {Spot} spot @param {number | string} text @param {string} kind */
    const written = ([x, y, height], text, kind) => {
      const element = drawn("text", {
        x: (column - 1 + x) * scale, y: (row - 1 + y + 0.36 * height) * scale,
        "font-size": height * scale, "text-anchor": "middle", class: kind,
      }, String(text));
      if (isInked) element.style.fill = ink === "#ffffff" ? "var(--sheet)" : ink;
      return element;
    };
    if (other !== undefined) {
      const slash = drawn("path", {class: "slash", d: `M${(column - 0.78) * scale} ${(row - 0.16) * scale}`
        + `L${(column - 0.22) * scale} ${(row - 0.8) * scale}`});
      return [slash, written([0.3, 0.36, 0.42], number ?? "", kind), written([0.7, 0.68, 0.42], other, kind)];
    }
    const places = this.places(row, column);
    const marks = [...new Set([...candidates, ...struck])].map(each => written(places[numbers.indexOf(each)], each,
      struck.includes(each) ? "struck" : `candidate${came.includes(each) ? " came" : ""}`));
    const lines = struck.map(each => {
      const [x, y, height] = places[numbers.indexOf(each)];
      const [left, right] = [column - 1 + x - 0.45 * height, column - 1 + x + 0.45 * height].map(each => each * scale);
      const [low, high] = [row - 1 + y + 0.4 * height, row - 1 + y - 0.4 * height].map(each => each * scale);
      return drawn("path", {class: "strike", d: `M${left} ${low}L${right} ${high}`});
    });
    if (number === undefined) return [...marks, ...lines];
    const size = Math.min(height, 1.5 / String(number).length);
    return [written([x, y, size], number, kind), ...marks];
  }

  /** Where the candidates of a cell are. @param {number} row @param {number} column */
  places(row, column) {
    const {marks, labels} = /** @type {Drawing} */ (this.#background);
    return marks[labels[`r${row}c${column}`] || 0];
  }

  /** Rings around two cells, which may be the same one, and a line between them. @param {Pair} pair */
  #paired([one, two, kind = "bad"]) {
    const scale = this.#scale;
    const [[x, y], [x1, y1]] = [one, two].map(([row, column]) => [(column - 0.5) * scale, (row - 0.5) * scale]);
    const distance = Math.hypot(x1 - x, y1 - y);
    const [dx, dy] = [(x1 - x) / distance * RING * scale, (y1 - y) / distance * RING * scale];
    const centres = distance ? [[x, y], [x1, y1]] : [[x, y]];
    const rings = centres.map(([cx, cy]) => drawn("circle", {class: `ring ring-${kind}`, cx, cy, r: RING * scale}));
    if (!(distance > 0.9 * scale)) return rings;
    return [...rings, drawn("path", {class: `link ring-${kind}`, d: `M${x + dx} ${y + dy}L${x1 - dx} ${y1 - dy}`})];
  }

  /** A line around the cells of a clue, whose label is struck out, and its name. @param {Clue} clue */
  #outlined({name, cells}) {
    const outline = this.#outlineOf(cells);
    if (outline) {
      outline.classList.add("exempt");
      return this.#struck(name, cells);
    }
    const scale = this.#scale;
    const has = (/** @type {number} */ row, /** @type {number} */ column) =>
      cells.some(([r, c]) => r === row && c === column);
    const edges = cells.flatMap(([row, column]) => {
      const [left, top, right, bottom] = [column - 1 + INSET, row - 1 + INSET, column - INSET, row - INSET];
      const [up, down] = [has(row - 1, column) ? row - 1 : top, has(row + 1, column) ? row : bottom];
      const [start, end] = [has(row, column - 1) ? column - 1 : left, has(row, column + 1) ? column : right];
      return [
        ...(has(row - 1, column) ? [] : [[start, top, end, top]]),
        ...(has(row + 1, column) ? [] : [[start, bottom, end, bottom]]),
        ...(has(row, column - 1) ? [] : [[left, up, left, down]]),
        ...(has(row, column + 1) ? [] : [[right, up, right, down]]),
      ];
    });
    const path = edges.map(edge => edge.map(each => each * scale)).map(([x, y, x1, y1]) => `M${x} ${y}L${x1} ${y1}`);
    return [drawn("path", {class: "exempt", d: path.join("")}), ...this.#struck(name, cells)];
  }

  /** The line that the drawing has around cells, if it has one. @param {Cell[]} cells */
  #outlineOf(cells) {
    const {scale, grid: [left, top]} = /** @type {Drawing} */ (this.#background);
    const [rows, columns] = [0, 1].map(part => cells.map(cell => cell[part]));
    const sides = [Math.min(...columns) - 1, Math.min(...rows) - 1, Math.max(...columns), Math.max(...rows)];
    return [...this.#svg.querySelectorAll(".drawn .outline")].find(each => {
      const points = (each.getAttribute("points") ?? "").split(" ").map(point => point.split(",").map(Number));
      const [across, down] = [points.map(([x]) => x / scale - left), points.map(([, y]) => y / scale - top)];
      const found = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
      return found.every((side, index) => Math.abs(side - sides[index]) < 2 * INSET);
    });
  }

  /** Strike the label of a clue, and write its name behind it. @param {string} name @param {Cell[]} cells */
  #struck(name, cells) {
    const {scale, grid} = /** @type {Drawing} */ (this.#background);
    const placeOf = (/** @type {Element} */ text) =>
      ["x", "y"].map((axis, index) => Number(text.getAttribute(axis)) - grid[index] * scale);
    const cellAt = (/** @type {number[]} */ [x, y]) => [y, x].map(each => Math.floor(each / scale) + 1).join();
    const labels = [...this.#svg.querySelectorAll(".drawn .label")];
    const first = [...cells].sort(([row, column], [other, next]) => row - other || column - next);
    const label = first.flatMap(cell => labels.find(each => cellAt(placeOf(each)) === String(cell)) ?? [])[0];
    if (!label) return [];
    label.classList.add("exempt");
    const [x, y] = placeOf(label);
    const height = Number(label.getAttribute("font-size"));
    const end = x + 0.68 * height * (label.textContent ?? "").length;
    const words = drawn("text", {class: "exempt-name", x: end + 0.3 * height, y, "font-size": height}, name);
    const width = height * (0.45 + 0.75 * name.length);
    return [drawn("rect", {class: "paper", x: end, y: y - 0.85 * height, width, height: height}), words];
  }
}

customElements.define("aspdoku-board", Board);
