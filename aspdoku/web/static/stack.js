// @ts-check
// The tower of a session with the slide of the brick that is selected, and what is pressed on both: switches, tags,
// hooks, constraints.
import {bricksOf, filesOf} from "./bricks.js";
import {button, h} from "./dom.js";
import {Drawer} from "./drawer.js";
import {cellOf} from "./forbidden.js";
import {activeFiles, definitionsDeclared, exempted, instanceText, tagsOf, termsOf} from "./program.js";
import {Slide} from "./slide.js";
import {forbid} from "./solutions.js";
import {predicatesWithoutAtoms} from "./statements.js";
import {Tower} from "./tower.js";
/** @import {Session} from "./session.js" */

export class Stack {
  selected = ""; // the brick whose text is shown
  isWriting = false; // whether the own rule in the editor is a brick even without a text
  tower = new Tower();
  slide = new Slide();
  /** @type {{key: string, predicates: string[]}} */
  #idle = {key: "", predicates: []}; // the predicates without atoms of the last program
  #terms = h("div", {class: "picks digits"});
  exceptions = new Drawer("Except for which one?", this.#terms);

  /** @param {Session} session @param {() => void} showBoard */
  constructor(session, showBoard) {
    this.session = session;
    this.showBoard = showBoard;
    /** @param {EventTarget} target @param {string} type @param {(detail: any) => void} act */
    const on = (target, type, act) =>
      target.addEventListener(type, event => act(/** @type {CustomEvent} */ (event).detail));
    on(this.tower, "switch", ({name, fact, on}) => this.#switch(name, fact, on));
    on(this.tower, "tag", ({atom}) => this.#exempt(atom));
    this.slide.addEventListener("hook", event => this.#hook(/** @type {CustomEvent} */ (event).detail.atom,
      /** @type {Element} */ (event.target).getBoundingClientRect()));
    on(this.slide, "constraint", ({line}) => this.#forbid(line));
    on(this.slide, "atom", atom => this.#hover(atom));
  }

  get #writing() {
    return this.isWriting ? this.session.writing : "";
  }

  get files() {
    return filesOf(this.session, this.#writing);
  }

  get bricks() {
    const {session} = this;
    return bricksOf(session, session.shown.solution ? session.derived : [], this.#writing);
  }

  /** If the brick that is selected is gone, select the last one. */
  settle() {
    const {files} = this;
    if (files.some(({name}) => name === this.selected)) return;
    this.selected = files.findLast(({own}) => !own)?.name ?? "";
  }

  /** Show the tower. @param {{cited?: string[], isOpen: boolean}} more */
  showTower({cited = [], isOpen}) {
    const {bricks, selected, session: {data, state, library, fresh}} = this;
    const givens = state.givens.flat();
    const changedGivens = data.givens.flat().filter((given, index) => given !== null && given !== givens[index]);
    const above = activeFiles(data, state, library).length - 1 - definitionsDeclared(data, state, library).length;
    this.tower.shown = {
      bricks, selected, fresh, cited, isOpen,
      added: above + exempted(data, state).length, removed: changedGivens.length,
    };
  }

  /**
   * Show a text on the slide.
   * @param {{name: string, text: string, only?: [number, number], isQuoted?: boolean}} rule
   */
  showText({name, text, only, isQuoted}) {
    const {slide, session: {data, state, library, mode}} = this;
    const texts = [...activeFiles(data, state, library).map(each => each.text), instanceText(data, state)];
    if (String(texts) !== this.#idle.key) this.#idle = {key: String(texts), predicates: predicatesWithoutAtoms(texts)};
    const retracted = exempted(data, state).map(each => `ab(${each})`);
    const brick = {name, text, retracted, idle: this.#idle.predicates, only, isQuoted};
    if (JSON.stringify(brick) !== JSON.stringify(slide.brick)) slide.brick = brick;
    const line = mode?.kind === "shown" && mode.reason === "forbidden" ? mode.index : null;
    if (line !== slide.current) slide.current = line;
  }

  /** @param {string} name @param {string | undefined} fact @param {boolean} on */
  #switch(name, fact, on) {
    this.selected = name;
    const element = this.tower.querySelector(`[data-key="switch ${name}"]`);
    if (fact) this.#exempt(`ab(${fact})`, element?.getBoundingClientRect());
    else this.session.update(state => (state.own = state.own.map(each => (each.name === name ? {...each, on} : each))));
  }

  /** Add a fact ab(…), or take it back. @param {string} atom @param {DOMRect} [from] where its tag comes from */
  #exempt(atom, from) {
    const inside = atom.slice("ab(".length, -1);
    const isNew = !this.session.state.retracted.includes(inside);
    const name = this.files.find(rule => tagsOf(rule, [inside]).length)?.name;
    if (name) this.selected = name;
    this.session.retract(inside, isNew);
    if (isNew && from) this.tower.fly(atom, from);
  }

  /**
   * A hook of the slide was taken: with a variable, for one of its values.
   * @param {string} atom @param {DOMRect} from where it is
   */
  #hook(atom, from) {
    const rule = this.files.find(each => each.name === this.selected);
    const [, name, term] = /^ab\((\w+)(?:,(.*))?\)$/.exec(atom) || [];
    if (!term || !rule) {
      this.#exempt(atom, from);
      return;
    }
    const terms = termsOf(term, rule, this.session.data);
    if (!terms.length) {
      this.session.say(`An exception for ${term} is a fact such as ${atom}. with numbers: write it as a brick.`);
      return;
    }
    this.#terms.replaceChildren(...terms.map(each => button(each.replaceAll('"', ""), () => {
      this.exceptions.close();
      this.#exempt(`ab(${name},${each})`, from);
    }, {class: "btn", "aria-pressed": String(this.session.state.retracted.includes(`${name},${each}`))})));
    this.exceptions.open();
  }

  /** @param {number} line of a statement of the brick */
  #forbid(line) {
    const rule = this.files.find(({name}) => name === this.selected);
    if (rule) forbid(this.session, rule, line);
  }

  /**
   * Frame the cell of an atom in the grid that a rule forbids.
   * @param {{predicate: string, arguments: string[]} | null} atom
   */
  #hover(atom) {
    const {mode} = this.session;
    if (mode?.kind !== "shown" || mode.reason !== "forbidden") return;
    const cell = atom && cellOf(atom, mode.values);
    mode.tints = mode.tints.filter(([, , kind]) => kind !== "atom");
    if (cell) mode.tints.push([...cell, "atom"]);
    this.showBoard();
  }
}
