// @ts-check
// The drawers behind the title and behind the last button of the bar: puzzles, reasons, switches, keys.
import {button, h, toggle} from "./dom.js";
import {Drawer} from "./drawer.js";
import {explain, heatMap, hint, why} from "./reasons.js";
import {Wording} from "./wording.js";
/** @import {Puzzle} from "./program.js" */
/** @import {Reason, Session} from "./session.js" */

/** @typedef {"givens" | "candidates" | "solution"} Switch */
/**
 * @typedef {{
 *   load: (puzzle: string) => void, open: (file?: File) => void, share: () => void, ground: () => void,
 *   write: () => void, guess: () => void, toggle: (name: Switch) => void,
 * }} Actions
 */

const KEYS = [
  ["← →", "take the last change back, repeat it; the steps of an explanation"],
  ["1–9", "enter a number in the selected cell; Delete empties it"],
  ["C", "candidates"], ["S", "the solution, the next solution"], ["D", "light, dark"],
  ["?", "in the grid: why does the cell have its number?"], ["Esc", "back to the puzzle"],
];

/** @param {Puzzle} data */
export function unsupportedIn({unsupported}) {
  return unsupported.length ? `Not supported and ignored: ${unsupported.join("; ")}` : "";
}

export class Menu {
  /** @type {Record<Reason, HTMLButtonElement>} */
  #reasons;
  /** @type {Record<Switch, HTMLButtonElement>} */
  #switches;
  #wording = new Wording();
  #words;
  #unsupported = h("p", {class: "remark unsupported"});
  #list = h("div", {class: "picks"});
  #puzzles;

  /** @param {Session} session @param {Actions} actions @param {string[]} examples */
  constructor(session, actions, examples) {
    this.session = session;
    const go = (/** @type {string} */ text, /** @type {() => void} */ act, more = {}) => button(text, () => {
      this.more.close();
      act();
    }, {class: "btn", ...more});
    this.#reasons = {
      explain: go("Explain", () => explain(session), {title: "All steps to the solution"}),
      hint: go("Hint", () => hint(session), {title: "The next step"}),
      why: go("Why?", () => why(session), {title: "Why does the selected cell have its number? Key: ?"}),
      heat: go("Which rules force a cell?", () => heatMap(session)),
    };
    this.#words = go("Rules in words", () => this.#wording.open());
    const change = (/** @type {string} */ text, /** @type {Switch} */ name) => toggle(text, () => actions.toggle(name));
    this.#switches = {
      candidates: change("Candidates", "candidates"), solution: change("Solution", "solution"),
      givens: change("Edit givens", "givens"),
    };
    const after = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.after"));
    after?.querySelector(".close")?.addEventListener("click", () => after.close());
    this.more = new Drawer("More", this.#unsupported,
      h("div", {class: "picks"}, this.#words),
      h("div", {class: "picks", role: "group", "aria-label": "Reasons"}, ...Object.values(this.#reasons)),
      h("div", {class: "picks", role: "group", "aria-label": "Program"}, go("Write a brick", actions.write),
        go("Ground rules and facts", actions.ground), go("Guess the rule", actions.guess), go("Link", actions.share),
        go("Print", () => print()), after ? go("Exercises and evidence", () => after.showModal()) : ""),
      h("div", {class: "picks", role: "group", "aria-label": "Board"}, ...Object.values(this.#switches)),
      h("div", {class: "keys"}, ...KEYS.filter(([key]) => key !== "?" || session.server || session.data.steps)
        .flatMap(([key, words]) => [h("kbd", {}, key), h("span", {}, words)])));
    const file = h("input", {type: "file", "aria-label": "Open a file", onchange: () => {
      this.#puzzles.close();
      actions.open(file.files?.[0]);
    }});
    const search = h("input",
      {type: "search", placeholder: `Search ${examples.length} puzzles`, "aria-label": "Search"});
    const matches = () => examples.filter(name => name.includes(search.value.trim().toLowerCase()));
    const list = () => this.#list.replaceChildren(...matches().map(name => button(name, () => {
      this.#puzzles.close();
      actions.load(`example:${name}`);
    }, {class: "btn"})));
    search.addEventListener("input", list);
    list();
    this.#puzzles = new Drawer("Open a puzzle", search,
      h("p", {class: "tools"}, h("label", {class: "btn file"}, "Open a file", file),
        h("span", {class: "remark"}, "a puzzle or a rule file (.lp); or paste or drop one")), this.#list);
    this.drawers = [this.more, this.#puzzles, this.#wording];
  }

  open() {
    this.more.open();
  }

  /** Show what a caveat of the verdict is about. */
  explain() {
    if (this.session.data.wording.length) this.#wording.open();
    else this.open();
  }

  /** The title of another puzzle, with which others are opened. @param {HTMLElement} heading */
  puzzle(heading) {
    const {data, server} = this.session;
    heading.replaceChildren(server
      ? button(data.title, () => this.#puzzles.open(), {class: "title", title: "Open another puzzle"}) : data.title);
    this.#unsupported.textContent = unsupportedIn(data);
    this.#words.hidden = !data.rules_in_words;
    this.#wording.show(data);
    const {explain, hint, why} = this.#reasons;
    for (const button of [explain, hint, why]) {
      button.hidden = !server && !data.steps;
      button.disabled = !server && !data.steps?.length;
    }
  }

  render() {
    const {mode, shown} = this.session;
    for (const [reason, button] of Object.entries(this.#reasons)) {
      button.setAttribute("aria-pressed", String(mode?.reason === reason));
    }
    for (const [name, element] of /** @type {[Switch, HTMLElement][]} */ (Object.entries(this.#switches))) {
      element.setAttribute("aria-checked", String(shown[name]));
    }
  }
}
