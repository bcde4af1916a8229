// @ts-check
// The board: its drawing, its cells for keys and pointers, and the pad of numbers.
import {FONTS, button, drawn, h} from "./dom.js";
import {isRetracted, isUnused, numberAt} from "./program.js";
import {explainCell, why} from "./reasons.js";
/** @import {Drawing, Mark, Spot} from "./program.js" */
/** @import {Session} from "./session.js" */

const HEAT = ["#ffffff", "#fff3c4", "#ffd98a", "#ffb35c", "#f58a4b", "#dd6a4a", "#c2524f", "#a04558"];
/** @type {Record<Mark, string>} */
const MARKS = {cited: "#e4eefa", clue: "#c3ecc4", looked: "#a9d3f8", concluded: "#ffd95e"};
/** @type {Record<string, [number, number]>} */
const MOVES = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

export class Board {
  /** @type {Drawing | undefined} */
  #background; // the drawing that the elements show
  /** @type {Map<string, HTMLElement>} */
  #cell = new Map();
  #typed = {cell: "", number: 0, time: 0};
  #below = drawn("g", {});
  #digits = drawn("g", {});

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.svg = drawn("svg", {class: "board", "aria-hidden": "true", "font-family": FONTS});
    const label = "Grid: type a number, use the arrow keys, or ask why with ?";
    this.cells = h("div", {role: "grid", class: "cells", "aria-label": label, onkeydown: event => this.key(event)});
    this.frame = h("div", {class: "board-frame"}, this.svg, this.cells);
    this.pad = h("div", {class: "pad", role: "group", "aria-label": "Numbers"});
  }

  /** Explanations use the names of cages and lines, which are drawn for them only. */
  get drawing() {
    const {data, mode} = this.session;
    return (mode && mode.kind !== "heat" ? data.named : null) || data.drawing;
  }

  /** Make the cells and the pad of another puzzle. */
  build() {
    const {session} = this;
    const {size, numbers} = session.data;
    this.#cell = new Map();
    const span = [...Array(size).keys()].map(index => index + 1);
    const cellAt = (/** @type {number} */ row, /** @type {number} */ column) => {
      const cell = h("div", {
        role: "gridcell", tabindex: -1,
        onclick: event => this.click(row, column, event),
        onfocus: () => this.select(row, column),
      });
      this.#cell.set(`${row},${column}`, cell);
      return cell;
    };
    this.cells.replaceChildren(...span.map(
      row => h("div", {role: "row"}, ...span.map(column => cellAt(row, column)))));
    this.pad.replaceChildren(
      ...numbers.map(number => button(String(number), () => session.enter(number))),
      button("⌫", () => session.enter(null), {"aria-label": "Empty the cell"}));
  }

  #drawBackground() {
    const {drawing, session: {data: {size}}} = this;
    const {scale, width, height, grid: [left, top]} = drawing;
    this.#background = drawing;
    this.svg.setAttribute("viewBox", `0 0 ${width * scale} ${height * scale}`);
    const group = (/** @type {string} */ markup) => Object.assign(drawn("g", {}), {innerHTML: markup});
    this.#below = drawn("g", {});
    this.#digits = drawn("g", {class: "digits", transform: `translate(${left * scale},${top * scale})`});
    const paper = drawn("rect", {width: "100%", height: "100%", fill: "#ffffff"});
    this.svg.replaceChildren(paper, group(drawing.below), this.#below, group(drawing.above), this.#digits);
    Object.assign(this.cells.style, {
      left: `${100 * left / width}%`, top: `${100 * top / height}%`,
      width: `${100 * size / width}%`, height: `${100 * size / height}%`,
    });
  }

  render() {
    const {drawing, session: {data, state}} = this;
    if (drawing !== this.#background) this.#drawBackground();
    for (const group of /** @type {NodeListOf<SVGGElement>} */ (this.svg.querySelectorAll("[data-rules]"))) {
      const isHidden = group.dataset.rules?.split(" ").some(rule => isRetracted(state, rule));
      group.setAttribute("visibility", isHidden ? "hidden" : "visible");
    }
    const span = [...Array(data.size).keys()].map(index => index + 1);
    this.#digits.replaceChildren(...span.flatMap(row => span.flatMap(column => this.#cellTexts(row, column))));
    this.#colourCells();
    this.renderSelection();
  }

  /** What a cell shows, and says. @param {number} row @param {number} column */
  #cellTexts(row, column) {
    const {drawing: {scale, digit: [x, y, height], inks}, session} = this;
    const {data, state} = session;
    const {number, kind = "", candidates = [], struck = []} = session.content(row, column);
    const [ink, rules] = inks[`r${row}c${column}`] || ["", []];
    /** @param {Spot} spot @param {number | string} text @param {string} kind */
    const written = ([x, y, height], text, kind) => {
      const element = drawn("text", {
        x: (column - 1 + x) * scale, y: (row - 1 + y + 0.36 * height) * scale,
        "font-size": height * scale, "text-anchor": "middle", class: kind,
      }, String(text));
      element.style.fill = rules.some(rule => isRetracted(state, rule)) ? "" : ink;
      return element;
    };
    const empty = candidates.length ? `candidates ${candidates.join(" ")}` : "empty";
    const unknown = isUnused(data, row, column) ? "unused" : empty;
    const words = number === undefined ? unknown : `${number}, ${kind}`;
    this.#cell.get(`${row},${column}`)?.setAttribute("aria-label", `row ${row}, column ${column}: ${words}`);
    const places = this.#places(row, column);
    const marks = [...new Set([...candidates, ...struck])].map(
      each => written(places[data.numbers.indexOf(each)], each, struck.includes(each) ? "struck" : "candidate"));
    if (number === undefined) return marks;
    return [written([x, y, Math.min(height, 1.5 / String(number).length)], number, kind), ...marks];
  }

  /** Where the candidates of a cell are. @param {number} row @param {number} column */
  #places(row, column) {
    const {marks, labels} = this.drawing;
    return marks[labels[`r${row}c${column}`] || 0];
  }

  #colourCells() {
    const {drawing: {scale, grid: [left, top]}, session: {mode}} = this;
    /** @param {number} row @param {number} column @param {string} fill */
    const square = (row, column, fill) => drawn("rect", {
      x: (left + column - 1) * scale, y: (top + row - 1) * scale, width: scale, height: scale, fill,
    });
    /** @type {SVGElement[]} */
    let squares = [];
    if (mode?.kind === "hint") squares = mode.cells.map(([row, column]) => square(row, column, MARKS.concluded));
    else if (mode?.kind === "steps") {
      const {marked} = mode.reached;
      squares = Object.entries(MARKS).flatMap(([kind, fill]) =>
        (marked[/** @type {Mark} */ (kind)] || []).map(([row, column]) => square(row, column, fill)));
    } else if (mode) {
      squares = [...mode.cells].flatMap(([cell, {sets}]) => {
        const count = new Set(sets.flatMap(({rules}) => rules)).size;
        const [row, column] = cell.split(",").map(Number);
        const label = drawn("text", {
          x: (left + column - 0.06) * scale, y: (top + row - 0.78) * scale,
          "font-size": 0.22 * scale, "text-anchor": "end", fill: "#222222",
        }, String(count));
        return [square(row, column, HEAT[Math.min(count, HEAT.length - 1)]), label];
      });
    }
    this.#below.replaceChildren(...squares);
  }

  renderSelection() {
    const {selected: [row, column], state, shown, candidates, data: {numbers}} = this.session;
    for (const [name, cell] of this.#cell) {
      const here = name === `${row},${column}`;
      cell.tabIndex = here ? 0 : -1;
      cell.setAttribute("aria-selected", String(here));
    }
    // Otherwise, it would give away what the candidates do.
    const free = numberAt(state, row, column) === undefined && shown.candidates && candidates;
    this.pad.querySelectorAll("button").forEach((button, index) => {
      const number = numbers[index];
      const isOut = free && number !== undefined && !candidates.has(`${row},${column},${number}`);
      button.classList.toggle("out", Boolean(isOut));
    });
  }

  /** @param {number} row @param {number} column */
  select(row, column) {
    this.session.selected = [row, column];
    this.renderSelection();
    explainCell(this.session);
  }

  /** A second click on a candidate enters it. @param {number} row @param {number} column @param {MouseEvent} event */
  click(row, column, event) {
    const {session} = this;
    const cell = `${row},${column}`;
    const again = session.clicked === cell;
    session.clicked = cell;
    this.#cell.get(cell)?.focus();
    explainCell(session); // the focus is older than the click
    const {candidates} = session.content(row, column);
    if (!again || session.heat || session.steps || !candidates?.length) return;
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const places = this.#places(row, column);
    const far = (/** @type {number} */ number) => {
      const [left, top] = places[session.data.numbers.indexOf(number)];
      return Math.hypot(left - x, top - y);
    };
    const nearest = candidates.reduce((best, each) => (far(each) < far(best) ? each : best));
    if (far(nearest) < 0.2) session.enter(nearest);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const {session} = this;
    if (event.altKey || event.ctrlKey || event.metaKey) {
      if (event.key === "z" && !event.altKey) {
        event.preventDefault();
        session.undo();
      }
      return;
    }
    const {selected, data: {size}} = session;
    const sideways = session.steps && /^Arrow(Left|Right)$/.test(event.key);
    if (event.key in MOVES && !sideways) {
      const to = selected.map((each, index) => Math.min(size, Math.max(1, each + MOVES[event.key][index])));
      this.#cell.get(String(to))?.focus();
    } else if (/^\d$/.test(event.key)) this.#type(Number(event.key), event.timeStamp);
    else if (["Delete", "Backspace", " "].includes(event.key)) session.enter(null);
    else if (event.key === "?" && (session.server || session.data.steps)) why(session);
    else return;
    event.preventDefault();
  }

  /** Two digits that follow each other within a second are one number. @param {number} digit @param {number} time */
  #type(digit, time) {
    const {session, session: {data: {numbers}}} = this;
    const cell = String(session.selected);
    const isSoon = this.#typed.cell === cell && time - this.#typed.time < 1000;
    const both = isSoon ? 10 * this.#typed.number + digit : digit;
    const number = numbers.includes(both) ? both : digit;
    this.#typed = {cell, number, time};
    if (numbers.includes(number)) session.enter(number);
  }
}
