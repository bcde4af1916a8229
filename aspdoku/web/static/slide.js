// @ts-check
// A rule file as a slide: each rule below its sentence, as large as it fits the element.
import {button, h, update} from "./dom.js";
import {
  brokenLines, headsIn, isIdle, isRule, mayForbid, retractionsAt, statementsIn, titleIn,
} from "./statements.js";
import {plural} from "./words.js";
/** @import {Atom, CodeLine, Hook, Statement} from "./statements.js" */

/**
 * @typedef {{
 *   name: string, text: string, retracted: string[], idle?: string[], only?: [first: number, last: number],
 *   isQuoted?: boolean,
 * }} Brick
 *   retracted: the atoms over ab/1 and ab/2 that hold, such as `ab(box)` or `ab(anti_knight,5)`
 *   idle: predicates without atoms, such as `unused/2`; rules that need them are folded
 *   only: the rules that are shown, counted from 1; nothing is folded then
 *   isQuoted: whether the text is not part of the program: no grid is asked for
 */
/** @typedef {{element: HTMLElement, isRule?: boolean, isFold?: boolean}} Item */

// In rem, larger ones first.
const SIZES = [1.5, 1.36, 1.22, 1.1, 1, 0.9, 0.8];
const LARGE = 1; // at larger sizes, no line begins with a condition
const LEAST = SIZES[SIZES.length - 1];
const FOLDED_SIZE = 0.85; // relative to that of rules, but at least the least one
const BARE = 5; // characters less for a rule without a sentence, whose button is beside it
const PROBE = 20; // characters, to measure the width of one
const HIDDEN = {class: "slide-probe", "aria-hidden": "true"};

/**
 * Events, all of which bubble: `hook` {atom}, to retract a rule or instances of it, or to undo that; `constraint`
 * {line}, to show a grid that the rule at this line forbids; `atom` {predicate, arguments}, or null, for what is
 * pointed at.
 */
export class Slide extends HTMLElement {
  /** @type {Brick} */
  #brick = {name: "", text: "", retracted: []};
  /** @type {Statement[]} */
  #statements = [];
  /** @type {number | null} */
  #current = null;
  #isOpen = false;
  #toFold = false;
  #page = 0;
  /** @type {Map<string, Atom>} */
  #atoms = new Map(); // by their places
  /** @type {Atom | null} */
  #pointed = null;
  #fitted = "";
  #probes = SIZES.map(size => {
    const probe = h("pre", HIDDEN, "0".repeat(PROBE));
    probe.style.setProperty("--code", `${size}rem`);
    return probe;
  });
  #room = {width: 0, height: 0}; // for the brick, in pixels
  /** @type {number[]} */
  #columns = []; // for each size
  #size = LEAST; // that is shown
  /** @type {WeakMap<Statement, Map<number, CodeLine[]>>} */
  #broken = new WeakMap(); // lines by their number of columns
  #trial = h("div", {class: "slide-items slide-trial", "aria-hidden": "true"}); // to measure parts at a size
  #items = h("div", {class: "slide-items"});
  #observer = new ResizeObserver(() => this.#fitted !== this.#space() && this.#fit());

  constructor() {
    super();
    for (const type of ["pointerover", "focusin"]) this.addEventListener(type, event => this.#point(event.target));
    for (const type of ["pointerleave", "focusout"]) this.addEventListener(type, () => this.#point(null));
  }

  connectedCallback() {
    this.setAttribute("role", "region");
    this.replaceChildren(...this.#probes, this.#trial, this.#items);
    this.#observer.observe(this);
    this.#fit();
  }

  disconnectedCallback() {
    this.#observer.disconnect();
  }

  get brick() {
    return this.#brick;
  }

  set brick(brick) {
    if (brick.name !== this.#brick.name || brick.text !== this.#brick.text) {
      this.#statements = statementsIn(brick.text);
      this.#isOpen = false;
      this.#page = 0;
      this.#current = null;
    }
    this.#brick = brick;
    this.setAttribute("aria-label", `Rules of ${brick.name}`);
    this.#fit();
  }

  /** The line of the rule of which a forbidden grid is shown, if any. */
  get current() {
    return this.#current;
  }

  set current(line) {
    this.#current = line;
    this.#fit();
  }

  /** Whether the brick is too high for the element, as it is now. */
  get isHigh() {
    this.#fit();
    return this.classList.contains("slide-high");
  }

  /** What the largest size depends on besides the brick. */
  #space() {
    return [this.clientWidth, this.clientHeight, this.#probes[0].offsetWidth].join();
  }

  /** Shows the brick at the largest size at which it fits, or else on pages with the least possible number of them. */
  #fit() {
    if (!this.isConnected || !this.clientWidth) return;
    const focused = /** @type {HTMLElement | null} */ (this.#items.querySelector(":focus"))?.dataset.key;
    // A scroll bar would change the width.
    this.classList.remove("slide-high");
    this.#fitted = this.#space();
    this.#measure();
    let tried = {size: 0, fits: false};
    const fits = (/** @type {number} */ size) => {
      if (size !== tried.size) tried = {size, fits: this.#fitsAt(size)};
      return tried.fits;
    };
    const size = largestSize(fits, this.#size);
    if (fits(size)) {
      this.#page = 0;
      this.#draw(size, [...this.#trial.childNodes]);
    } else {
      this.#showPage();
      this.classList.toggle("slide-high", this.#items.getBoundingClientRect().height > this.#room.height + 1);
    }
    this.#trial.replaceChildren();
    if (focused) /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  /** Whether the brick fits at a size, in rem. @param {number} size */
  #fitsAt(size) {
    const {items, isCut} = this.#itemsAt(size);
    this.#trial.replaceChildren(...items.map(({element}) => element));
    return this.#trial.getBoundingClientRect().height <= this.#room.height && (!isCut || size === LEAST);
  }

  /** Find what the brick has to fit. */
  #measure() {
    const style = getComputedStyle(this);
    const padding = (/** @type {string[]} */ ...sides) =>
      sides.reduce((sum, side) => sum + parseFloat(style.getPropertyValue(`padding-${side}`)), 0);
    this.#room = {
      width: this.clientWidth - padding("left", "right"),
      height: this.clientHeight - padding("top", "bottom") + 0.1,
    };
    this.#columns = this.#probes.map(each => this.#room.width / (each.getBoundingClientRect().width / PROBE));
    this.#trial.style.width = `${this.#items.offsetWidth}px`;
  }

  /** @param {number} size @param {Node[]} nodes */
  #draw(size, nodes) {
    this.#size = size;
    this.style.setProperty("--code", `${size}rem`);
    update(this.#items, ...nodes);
  }

  #showPage() {
    const least = this.#pagesAt(LEAST).pages.length;
    const size = largestSize(each => {
      const {pages: {length}, isGood} = this.#pagesAt(each);
      return isGood && length === least;
    }, this.#size);
    const {pages} = this.#pagesAt(size);
    if (this.#toFold) this.#page = pages.findIndex(page => page.some(({isFold}) => isFold));
    this.#toFold = false;
    this.#page = Math.min(this.#page, pages.length - 1);
    const shown = pages[this.#page];
    this.#draw(size, [...shown.map(({element}) => element), this.#turn(pages)]);
  }

  /** The items at a size on pages; they are good if no item is too large and no term is broken. @param {number} size */
  #pagesAt(size) {
    const {items, isCut} = this.#itemsAt(size);
    const turn = this.#turn([items]);
    this.#trial.replaceChildren(...items.map(({element}) => element), turn);
    const endOf = (/** @type {HTMLElement} */ {offsetTop, offsetHeight}) => offsetTop + offsetHeight;
    const room = this.#room.height - (endOf(turn) - endOf(items[items.length - 1].element));
    /** @type {Item[][]} */
    const pages = [[]];
    let start = 0;
    let last = start;
    let isGood = !isCut;
    for (const item of items) {
      const end = endOf(item.element);
      const isBreak = this.#isOpen && item.isFold;
      if (pages[pages.length - 1].length && (isBreak || end - start > room)) {
        pages.push([]);
        start = last;
      }
      pages[pages.length - 1].push(item);
      isGood &&= end - start <= room;
      last = end;
    }
    return {pages, isGood};
  }

  /** The buttons that turn pages. @param {Item[][]} pages */
  #turn(pages) {
    const next = pages.slice(this.#page + 1).flat();
    const more = next.filter(({isRule: each}) => each).length;
    const to = (/** @type {number} */ page) => {
      this.#page = page;
      this.#fit();
      if (!this.contains(document.activeElement)) {
        /** @type {HTMLElement | null} */ (this.querySelector(".slide-turn button"))?.focus();
      }
    };
    return h("div", {class: "slide-turn"},
      this.#page || pages.length === 1 ? button("◂ back", () => to(this.#page - 1), {"data-key": "back"}) : "",
      next.length || pages.length === 1
        ? button(`▸ ${more ? plural(more, "more rule") : "more"}`, () => to(this.#page + 1), {"data-key": "more"})
        : "");
  }

  /** The parts of the slide at a size, and whether a line begins inside of a term. @param {number} size */
  #itemsAt(size) {
    this.#trial.style.setProperty("--code", `${size}rem`);
    const columns = this.#columns[SIZES.indexOf(size)];
    this.#atoms.clear();
    const {idle = [], only} = this.#brick;
    const [from, to] = only ?? [1, Infinity];
    const all = only ? this.#statements.filter(isRule).slice(from - 1, to) : this.#statements;
    const said = all.filter(isRule);
    const [applied, definitions] = [said, all.filter(({kind}) => kind !== "declaration")].map(
      each => each.filter(statement => !isIdle(statement, idle)));
    // A file that only defines something here has nothing else to show.
    const rules = [applied, definitions].find(({length}) => length) ?? said;
    const folded = all.filter(each => !rules.includes(each));
    let isCut = false;
    const lines = (/** @type {Statement} */ statement, less = 0, share = 1) => {
      const width = Math.floor(columns / share) - less;
      const known = this.#broken.get(statement) ?? new Map();
      this.#broken.set(statement, known);
      /** @type {CodeLine[]} */
      const broken = known.get(width) ?? brokenLines(statement, width);
      known.set(width, broken);
      isCut ||= broken.some(({isCut: each, tokens}) => each || (size > LARGE && tokens[0].text === ":"));
      return broken;
    };
    const isSaid = rules.some(({sentence, message}) => sentence || message);
    const title = isSaid && rules !== definitions ? "" : titleIn(this.#brick.text);
    const isAbove = isSaid || rules.length > 1;
    const words = (/** @type {Statement} */ {sentence, message}) => sentence || message || (isAbove ? "" : title);
    /** @type {Item[]} */
    const items = rules.map(each => {
      const said = words(each);
      return {isRule: true, element: this.#rule(each, said, lines(each, said ? 0 : BARE))};
    });
    if (title && isAbove) items.unshift({element: h("p", {class: "slide-title"}, title)});
    if (folded.length) items.push({isFold: true, element: this.#foldOf(folded)});
    if (this.#isOpen) {
      let last = folded[0].line;
      for (const each of folded) {
        const {words: above, code} = this.#foldedStatement(each, lines(each, 0, Math.max(FOLDED_SIZE, LEAST / size)));
        if (each === folded[0] || above || each.line !== last) {
          items.push({element: h("div", {class: "slide-folded"}, above && h("p", {}, above))});
        }
        items[items.length - 1].element.append(code);
        last = each.endLine;
      }
    }
    return {items, isCut};
  }

  /** @param {Statement} statement @param {string} words @param {CodeLine[]} lines */
  #rule(statement, words, lines) {
    const {line, hooks} = statement;
    const states = hooks.map(hook => retractionsAt(hook, this.#brick.retracted));
    const isRetracted = states.some(({isTaken}) => isTaken);
    const exceptions = states.flatMap(state => state.exceptions).map(value => value.replace(/^"(.*)"$/, "$1"));
    const isCurrent = this.#current === line;
    const show = () => this.#send("constraint", {line});
    const marks = [];
    if (isRetracted) marks.push(h("span", {class: "slide-mark"}, "retracted"));
    else if (exceptions.length) marks.push(h("span", {class: "slide-mark"}, `except ${exceptions.join(", ")}`));
    const isOpenToQuestions = !this.#brick.isQuoted && !isRetracted && mayForbid(statement);
    if (isOpenToQuestions) {
      marks.push(button(isCurrent ? "back to the puzzle" : "what it forbids", show,
        {class: "slide-forbids", "aria-pressed": String(isCurrent), "data-key": `rule-${line}-${statement.column}`}));
    }
    const classes = [
      "slide-rule", isRetracted && "slide-off", isCurrent && "slide-current", !words && "slide-bare",
    ];
    const element = h("div", {
      class: classes.filter(Boolean).join(" "),
      role: "group",
      "aria-label": words || `rule in line ${line}`,
      "data-line": line,
      "data-key": `statement ${line}-${statement.column}`,
    },
    h("div", {class: "slide-sentence"}, h("p", {}, words), h("span", {class: "slide-marks"}, ...marks)),
    this.#code(statement, lines, states, isCurrent));
    if (isOpenToQuestions) {
      element.classList.add("slide-asks");
      element.onclick = ({target}) => {
        const isButton = target instanceof Element && target.closest("button");
        if (!isButton && document.getSelection()?.isCollapsed !== false) show();
      };
    }
    return element;
  }

  /** @param {Statement[]} folded */
  #foldOf(folded) {
    const of = (/** @type {(statement: Statement) => boolean} */ test) => folded.filter(test);
    const helpers = of(({kind}) => kind === "definition");
    const redundant = of(({isRedundant, kind}) => isRedundant && kind !== "definition");
    const declarations = of(({kind}) => kind === "declaration");
    const rest = folded.length - helpers.length - redundant.length - declarations.length;
    const heads = headsIn(helpers, this.#statements).join(", ");
    const words = [
      declarations.length && plural(declarations.length, "declaration"),
      redundant.length && plural(redundant.length, "redundant rule"),
      rest && `${plural(rest, "rule")} that cannot apply here`,
      helpers.length && `${plural(helpers.length, "helper")}${heads && `: ${heads}`}`,
    ].filter(Boolean).join(", ");
    return button(`${this.#isOpen ? "▾" : "▸"} ${words}`, () => {
      this.#toFold = this.#isOpen = !this.#isOpen;
      this.#fit();
    }, {class: "slide-fold", "aria-expanded": String(this.#isOpen), "data-key": "fold"});
  }

  /** @param {Statement} statement @param {CodeLine[]} lines */
  #foldedStatement(statement, lines) {
    const {sentence, note, hooks} = statement;
    const states = hooks.map(hook => retractionsAt(hook, this.#brick.retracted));
    return {words: sentence || note, code: this.#code(statement, lines, states, false)};
  }

  /**
   * @param {Statement} statement @param {CodeLine[]} lines
   * @param {{isTaken: boolean, exceptions: string[]}[]} states those of its hooks @param {boolean} isCurrent
   */
  #code({hooks, atoms, line: place}, lines, states, isCurrent) {
    return h("pre", {}, ...lines.map(({indent, tokens, spaces, first}, row) => {
      const line = h("span", {class: "slide-line"}, " ".repeat(indent));
      for (let at = 0; at < tokens.length;) {
        const index = hooks.findIndex(hook => hook.first === first + at);
        const atom = atoms.find(each => each.first <= first + at && first + at <= each.last);
        const end = index >= 0 ? hooks[index].last : Math.max(atom?.last ?? 0, first + at);
        const inside = tokens.slice(at, end - first + 1).flatMap(({kind, text}, offset) => {
          const isGrid = atom?.predicate === "a" && atom.arguments.length === 3 && kind === "predicate";
          const space = offset && spaces[at + offset] ? " " : "";
          const marked = /^(?:variable|keyword|comment)$/.test(kind) || isGrid;
          return [space, marked ? h("span", {class: `slide-${isGrid ? "grid" : kind}`}, text) : text];
        });
        if (spaces[at]) line.append(" ");
        const key = `${place}-${first + at}`;
        if (index >= 0) line.append(this.#hook(hooks[index], states[index], inside, key));
        else if (atom) line.append(this.#atom(atom, inside, key, isCurrent));
        else line.append(...inside);
        at = Math.min(end - first + 1, tokens.length);
      }
      if (row < lines.length - 1) line.append("\n");
      return line;
    }));
  }

  /**
   * @param {Hook} hook @param {{isTaken: boolean, exceptions: string[]}} state @param {(Node | string)[]} inside
   * @param {string} key
   */
  #hook({atom}, {isTaken, exceptions}, inside, key) {
    const state = isTaken ? " slide-taken" : exceptions.length ? " slide-partly" : "";
    return h("button", {
      type: "button",
      class: `slide-hook${state}`,
      "aria-pressed": isTaken ? "true" : exceptions.length ? "mixed" : "false",
      title: isTaken ? `Take ${atom}. off again` : `Hang ${atom}. here`,
      "data-key": key,
      onclick: ({currentTarget}) => this.#send("hook", {atom}, currentTarget),
    }, ...inside);
  }

  /**
   * Those of the current rule can be reached by keys and by touch.
   * @param {Atom} atom @param {(Node | string)[]} inside @param {string} key @param {boolean} isCurrent
   */
  #atom(atom, inside, key, isCurrent) {
    this.#atoms.set(key, atom);
    const properties = {class: "slide-atom", "data-key": key};
    return isCurrent ? h("button", {type: "button", ...properties}, ...inside) : h("span", properties, ...inside);
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const key = target instanceof Element && target.closest(".slide-atom")?.getAttribute("data-key");
    const atom = (key && this.#atoms.get(key)) || null;
    if (atom === this.#pointed) return;
    this.#pointed = atom;
    this.#send("atom", atom && {predicate: atom.predicate, arguments: atom.arguments});
  }

  /**
   * @param {"hook" | "constraint" | "atom"} type @param {unknown} detail
   * @param {EventTarget | null} from where it bubbles from: a tag may fly from a hook
   */
  #send(type, detail, from = this) {
    from?.dispatchEvent(new CustomEvent(type, {bubbles: true, detail}));
  }
}

/**
 * The largest size of letters, in rem, that passes a test, as all smaller ones do, or the least one. The test is
 * called less often if the guess is right.
 * @param {(size: number) => boolean} test @param {number} guess
 */
export function largestSize(test, guess = 0) {
  const at = SIZES.indexOf(guess);
  if (at >= 0 && !(at && test(SIZES[at - 1])) && test(guess)) return guess;
  let [first, last] = [0, SIZES.length - 1];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (test(SIZES[middle])) last = middle;
    else first = middle + 1;
  }
  return SIZES[first];
}

customElements.define("aspdoku-slide", Slide);
