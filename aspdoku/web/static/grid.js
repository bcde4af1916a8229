// @ts-check
// The board of a session: what it shows, its cells for keys and pointers, and the pad of numbers.
import {Board} from "./board.js";
import {button, h} from "./dom.js";
import {isUnused, numberAt} from "./program.js";
import {explainCell, why} from "./reasons.js";
/** @import {Shown, Tint} from "./board.js" */
/** @import {Mark} from "./program.js" */
/** @import {Content, Session} from "./session.js" */

/** @type {Mark[]} */
const MARKS = ["cited", "clue", "looked", "concluded"]; // the last ones lie above the others
/** @type {Record<string, [number, number]>} */
const MOVES = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

/**
 * What a board shows of a session.
 * @param {Session} session @returns {Shown}
 */
export function shownBoard(session) {
  const {data, mode, state, changes, witness} = session;
  // Explanations use the names of cages and lines, which are drawn for them only.
  const drawing = (mode && ["hint", "steps"].includes(mode.kind) ? data.named : null) || data.drawing;
  const span = [...Array(data.size).keys()].map(index => index + 1);
  const contents = Object.fromEntries(span.flatMap(
    row => span.map(column => [`${row},${column}`, session.content(row, column)])));
  const off = state.retracted.map(name => name.replaceAll("_", "-"));
  const changed = new Set(changes && !mode && !witness ? [...changes.came].map(each => each.split(",", 2).join()) : []);
  /** @type {Tint[]} */
  const tints = [...changed].map(cell => {
    const [row, column] = cell.split(",").map(Number);
    return [row, column, "came"];
  });
  return {
    drawing, size: data.size, numbers: data.numbers, contents, off, tints: [...tints, ...tintsOf(mode)],
    pairs: mode?.kind === "shown" ? mode.pairs : session.conflicts,
    exempt: !mode && session.shown.solution ? session.exemptClues : [],
  };
}

/** @param {Session["mode"]} mode @returns {Tint[]} */
function tintsOf(mode) {
  if (mode?.kind === "hint") return mode.cells.map(([row, column]) => [row, column, "concluded"]);
  if (mode?.kind === "steps") {
    const {marked} = mode.reached;
    return MARKS.flatMap(kind =>
      (marked[kind] || []).map(([row, column]) => /** @type {Tint} */ ([row, column, kind])));
  }
  if (mode?.kind === "shown") return mode.tints;
  if (mode) {
    return [...mode.cells].map(([cell, {sets}]) => {
      const [row, column] = cell.split(",").map(Number);
      return [row, column, "heat", new Set(sets.flatMap(({rules}) => rules)).size];
    });
  }
  return [];
}

export class Grid {
  /** @type {Map<string, HTMLElement>} */
  #cell = new Map();
  #typed = {cell: "", number: 0, time: 0};
  board = new Board();

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    const label = "Grid: type a number, use the arrow keys, or ask why with ?";
    const {cells} = this.board;
    cells.role = "grid";
    cells.ariaLabel = label;
    cells.addEventListener("keydown", event => this.key(event));
    this.pad = h("div", {class: "pad", role: "group", "aria-label": "Numbers"});
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
    this.board.cells.replaceChildren(...span.map(
      row => h("div", {role: "row"}, ...span.map(column => cellAt(row, column)))));
    this.pad.replaceChildren(
      ...numbers.map(number => button(String(number), () => session.enter(number), {class: "btn"})),
      button("⌫", () => session.enter(null), {"aria-label": "Empty the cell", class: "btn"}));
  }

  render() {
    const shown = shownBoard(this.session);
    this.board.shown = shown;
    for (const [cell, element] of this.#cell) this.#name(element, cell, shown.contents[cell]);
    this.renderSelection();
  }

  /** What a cell says. @param {HTMLElement} element @param {string} cell @param {Content} content */
  #name(element, cell, {number, kind = "", candidates = []}) {
    const [row, column] = cell.split(",").map(Number);
    const empty = candidates.length ? `candidates ${candidates.join(" ")}` : "empty";
    const unknown = isUnused(this.session.data, row, column) ? "unused" : empty;
    const words = number === undefined ? unknown : `${number}, ${kind}`;
    element.setAttribute("aria-label", `row ${row}, column ${column}: ${words}`);
  }

  renderSelection() {
    const {selected: [row, column], isPicked, state, shown, candidates, data: {numbers}} = this.session;
    for (const [name, cell] of this.#cell) {
      const here = name === `${row},${column}`;
      cell.tabIndex = here ? 0 : -1;
      cell.setAttribute("aria-selected", String(here && isPicked));
    }
    this.pad.hidden = !isPicked;
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
    this.session.isPicked = true;
    this.renderSelection();
    explainCell(this.session);
  }

  /** Show no cell as selected. */
  unselect() {
    this.session.isPicked = false;
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    this.renderSelection();
  }

  /** A click on a candidate enters it. @param {number} row @param {number} column @param {MouseEvent} event */
  click(row, column, event) {
    const {session} = this;
    const cell = `${row},${column}`;
    session.clicked = cell;
    this.#cell.get(cell)?.focus();
    explainCell(session); // the focus is older than the click
    const {candidates} = session.content(row, column);
    if (session.mode || !session.shown.candidates || !candidates?.length) return;
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const places = this.board.places(row, column);
    const far = (/** @type {number} */ number) => {
      const [left, top] = places[session.data.numbers.indexOf(number)];
      return Math.hypot(left - x, top - y);
    };
    const nearest = candidates.reduce((best, each) => (far(each) < far(best) ? each : best));
    if (far(nearest) < 0.16) session.enter(nearest);
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
    event.stopPropagation();
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
