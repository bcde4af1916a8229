// @ts-check
// What the page knows: a puzzle, what has been changed of it, clingo's answers, and what is explained. A `View`
// shows it, which has the elements of the page.
import {byCell, counted, groundChanges, groundWords} from "./answers.js";
import {Cancelled, Stopped} from "./engine.js";
import {findingsIn, findingsOf, sectionDeclaredIn} from "./findings.js";
import {
  MOST_TEXT, activeFiles, checked, compose, definedElsewhere, described, hasOwnRule, initialState, isInGrid, isUnused,
} from "./program.js";
import {plural} from "./words.js";
/** @import {Counts, Dependency} from "./answers.js" */
/** @import {Answers, Engine, Question} from "./engine.js" */
/** @import {Finding} from "./findings.js" */
/** @import {Mark, Puzzle, Rule, State, Step} from "./program.js" */

// For a rule that somebody types, which may be endless, and for another try.
const OWN_SECONDS = 2.5, MORE_SECONDS = 60;
const DELAY = 250; // milliseconds after the last key in the editor
const CHECK_DELAY = 500; // milliseconds until the server is asked about a mistake

/** @typedef {{text?: string, list?: string[], remark?: string, retry?: Retry}} Message */
/** @typedef {{words: string, press: () => void}} Retry */
/** @typedef {"heat" | "explain" | "hint" | "why"} Reason the buttons with which a mode begins */
/** @typedef {Map<string, number[]>} Lists of numbers by cell */
/**
 * @typedef {{
 *   numbers: Map<string, number>, candidates: Lists, struck: Lists, marked: Partial<Record<Mark, [number, number][]>>,
 * }} Reached the board after a step
 */
/** @typedef {{kind: "heat", reason: Reason, cells: Map<string, Dependency>, note: string}} Heat */
/** @typedef {{kind: "hint", reason: Reason, cells: [number, number][]}} Hint */
/**
 * @typedef {{
 *   kind: "steps", reason: Reason, steps: Step[], index: number, title: string, cutOff?: string | null,
 *   reached: Reached,
 * }} Steps
 */
/** @typedef {{number?: number | string, kind?: string, candidates?: number[], struck?: number[]}} Content of a cell */
/**
 * @typedef {{
 *   draft: string, puzzle(): void, changed(): void, program(): void, board(): void, rule(): void, findings(): void,
 *   verdict(): void, mode(): void, say(message: Message): void, forget(): void, remember(): void,
 * }} View `draft`: the text in the editor; `forget`: a verdict on the own rule; `remember`: the state, in the address;
 * the others show what has changed
 */

export class Session {
  /** @type {string[]} */
  #history = [];
  /** @type {string[]} */
  #future = [];
  #timer = 0;
  /** @type {{rules: string | undefined, counts: Counts} | undefined} */
  #ground;
  /** @type {[number, number]} */
  selected = [1, 1];
  /** @type {string | undefined} */
  clicked;
  /** @type {Heat | Hint | Steps | undefined} */
  mode;
  shown = {givens: false, candidates: true, solution: false}; // the switches of the board
  verdict = {state: "", text: "…"};
  groundLine = "";
  /** @type {Finding[]} */
  findings = [];
  /** @type {string[]} */
  fresh = []; // the cards that have just been changed
  /** @type {Set<string> | undefined} */
  candidates;
  /** @type {Lists | undefined} */
  contents; // where cells show other numbers than those of a/3
  isUnique = false;

  /**
   * @param {Engine} engine @param {View} view
   * @param {Puzzle & {server?: boolean, library?: Rule[]}} data
   */
  constructor(engine, view, data) {
    this.engine = engine;
    this.view = view;
    /** @type {Puzzle} */
    this.data = data;
    this.server = Boolean(data.server);
    this.library = data.library || [];
    this.state = initialState(data);
    this.readFacts = data.instance.facts;
    this.program = compose(data, this.state, this.library);
  }

  // ---- State ----

  /** Show a puzzle; the own rule is kept. @param {Puzzle} data */
  show(data) {
    const own = {...this.state.own, text: this.view.draft};
    this.data = data;
    this.readFacts = data.instance.facts;
    this.state = {...initialState(data), own};
    this.#history = [];
    this.#future = [];
    this.selected = [1, 1];
    this.leave();
    this.#ground = undefined;
    this.view.puzzle();
    this.showRule();
    this.changed({remember: false});
  }

  /** Show the puzzle in a text. @param {string} puzzle */
  async load(puzzle) {
    this.show({...await this.engine.ask({kind: "load", puzzle})});
  }

  /** Take over the state of a link. @param {object} state @param {string} [puzzle] */
  async restore(state, puzzle) {
    if (this.server && puzzle !== undefined && puzzle !== this.data.source) await this.load(puzzle);
    this.state = checked(state, this.data, this.library);
    this.showRule();
    this.changed();
  }

  /** Change the state by a function, which can be undone. @param {(state: State) => void} change */
  update(change, options = {}) {
    this.#history.push(JSON.stringify(this.state));
    this.#future = [];
    change(this.state);
    this.changed(options);
  }

  undo() {
    this.#step(this.#history, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#history);
  }

  get canUndo() {
    return this.#history.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @param {string[]} from @param {string[]} to */
  #step(from, to) {
    const state = from.pop();
    if (state === undefined) return;
    to.push(JSON.stringify(this.state));
    this.state = JSON.parse(state);
    this.showRule();
    this.changed();
  }

  /** @param {{fresh?: string[], remember?: boolean}} options */
  changed({fresh = [], remember = true} = {}) {
    this.leave();
    this.fresh = fresh;
    this.candidates = this.contents = undefined;
    this.view.changed();
    this.solve();
    if (remember) this.view.remember();
  }

  /** @param {string} name @param {boolean} off */
  retract(name, off) {
    this.view.forget(); // a comparison depends on what is retracted
    this.update(state => {
      state.retracted = off ? [...state.retracted, name] : state.retracted.filter(other => other !== name);
    }, {fresh: off ? ["instance"] : [name.replaceAll("_", "-")]});
  }

  /** Enter a number in the selected cell, or none: as a given, or as an assumption. @param {number | null} number */
  enter(number) {
    const [row, column] = this.selected;
    const cell = `${row},${column}`;
    const edits = this.shown.givens;
    if (isUnused(this.data, row, column)) return;
    if (!edits && this.state.givens[row - 1][column - 1] !== null) {
      this.say("This cell is given. Switch on “Edit givens” to change it.");
      return;
    }
    this.update(state => {
      if (edits) state.givens[row - 1][column - 1] = number;
      if (edits || number === null) delete state.entries[cell];
      else state.entries[cell] = number;
    });
  }

  showRule() {
    clearTimeout(this.#timer);
    this.view.forget();
    this.view.rule();
  }

  /** The text in the editor was changed: it is used after a pause. */
  typed() {
    this.view.forget();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.takeRule(), DELAY);
  }

  /** Use the rule in the editor. */
  takeRule() {
    clearTimeout(this.#timer);
    const {draft} = this.view;
    if (draft !== this.state.own.text) this.update(state => (state.own.text = draft));
  }

  // ---- What is shown ----

  /** @param {string} text @param {Message} more */
  say(text, more = {}) {
    this.view.say({text, ...more});
  }

  leave() {
    this.mode = undefined;
    this.view.mode();
    this.say("");
  }

  /** @param {Heat | Hint | Steps} mode */
  begin(mode) {
    this.mode = mode;
    this.view.board();
    this.view.mode();
  }

  get heat() {
    return this.mode?.kind === "heat" ? this.mode : undefined;
  }

  get steps() {
    return this.mode?.kind === "steps" ? this.mode : undefined;
  }

  /**
   * What the cell shows: a number and how it is known, or candidates.
   * @param {number} row @param {number} column @returns {Content}
   */
  content(row, column) {
    if (isUnused(this.data, row, column)) return {};
    const {data, state, heat, steps, shown} = this;
    const cell = `${row},${column}`;
    const given = (steps && data.steps ? data : state).givens[row - 1][column - 1];
    const contents = !heat && !steps && this.contents && (this.contents.get(cell) || []);
    if (contents && this.isUnique && shown.solution) {
      return contents.length ? {number: contents.join(" "), kind: given === null ? "solved" : "given"} : {};
    }
    if (given !== null) return {number: given, kind: "given"};
    const forced = heat?.cells.get(cell);
    if (forced) return {number: forced.number, kind: "forced"};
    if (steps) {
      const {numbers, candidates, struck} = steps.reached;
      const number = numbers.get(cell);
      if (number !== undefined) return {number, kind: "solved"};
      return {candidates: candidates.get(cell) || [], struck: struck.get(cell) || []};
    }
    if (cell in state.entries) return {number: state.entries[cell], kind: "entered"};
    const candidates = contents || this.candidatesOf(cell);
    if (candidates.length === 1 && !contents && shown.solution) return {number: candidates[0], kind: "solved"};
    return {candidates: shown.candidates ? candidates : []};
  }

  /** @param {string} cell */
  candidatesOf(cell) {
    return this.data.numbers.filter(number => this.candidates?.has(`${cell},${number}`));
  }

  // ---- Answers ----

  get described() {
    return described(this.data, this.state, this.library);
  }

  get hasOwnRule() {
    return hasOwnRule(this.state);
  }

  /** Each question may take `seconds`. */
  async solve(seconds = this.hasOwnRule ? OWN_SECONDS : undefined) {
    this.engine.cancel();
    const {text, name} = this.state.own;
    const isLong = text.length > MOST_TEXT;
    const found = this.hasOwnRule && !isLong
      ? findingsIn(text, name, definedElsewhere(this.data, this.state, this.library)) : [];
    this.#judge("busy", this.verdict.text);
    try {
      if (!await this.#settleSections(found)) return;
    } catch (error) {
      this.#judge("error", `The rule cannot be used: ${error.message}`);
      return;
    }
    this.program = compose(this.data, this.state, this.library);
    this.report(found);
    if (isLong) this.#judge("error", `The rule has more than ${MOST_TEXT} characters.`);
    else if (this.#hasErrors) {
      this.#judge("error", "The rule cannot be used.");
      this.#askForFindings();
    } else await this.#ask(found, seconds);
  }

  /** Ask clingo all that the page shows. @param {Finding[]} found @param {number} [seconds] */
  async #ask(found, seconds) {
    const {engine, data, program: {text: program}} = this;
    const caveat = data.unsupported.length ? ", ignoring unsupported parts" : "";
    const start = performance.now();
    try {
      const {grids, complete, messages} = await engine.ask({kind: "solve", program}, seconds);
      const time = `(${((performance.now() - start) / 1000).toFixed(2)} s)`;
      this.report([...found, ...this.#located(messages)]);
      if (this.findings.length) this.#askForFindings();
      if (this.#hasErrors) {
        this.#judge("error", "The rule cannot be used.");
        return;
      }
      const outside = grids.flat().find(each => !isInGrid(data, each));
      if (outside) {
        this.#judge("error", `The rules derive a(${outside}), which is outside the grid or its numbers.`);
        return;
      }
      const isUnique = grids.length === 1 && complete;
      if (!grids.length) this.#judge("none", `No solution ${time}${caveat}`);
      else if (isUnique) this.#judge("unique", `Unique solution ${time}${caveat}`);
      else this.#judge("several", `Several solutions ${time}${caveat}`);
      const possible = await engine.ask({kind: "candidates", program, shown: data.contents}, seconds);
      this.candidates = new Set(possible.candidates.map(String));
      this.contents = data.contents.length ? byCell(possible.contents) : undefined;
      this.isUnique = isUnique;
      this.view.board();
      await this.#compareGround(program, seconds);
      if (grids.length > 1 || !complete) {
        const {count, complete} = await engine.ask({kind: "count", program, limit: 1000}, 5);
        if (count > 1) this.#judge("several", `${complete ? "" : "At least "}${count} solutions${caveat}`);
      }
    } catch (error) {
      this.#fail(error, found);
    }
  }

  /** Say why there is no answer. @param {Error} error @param {Finding[]} found */
  #fail(error, found) {
    if (error instanceof Cancelled) return;
    const isBusy = this.verdict.state === "busy";
    if (error instanceof Stopped) {
      if (isBusy) this.#judge("error", `No answer: ${error.message}`);
      if (isBusy || !this.candidates) this.#offerMoreTime(isBusy);
      if (isBusy && this.hasOwnRule) this.#askForFindings(); // perhaps it never ends
      return;
    }
    this.report([...found, ...this.#located(error.message)]);
    const isWrong = this.findings.length > 0;
    if (isWrong) this.#askForFindings();
    if (isBusy) this.#judge("error", isWrong ? "The rule cannot be used." : `No answer: ${error.message}`);
  }

  /**
   * The facts of a section that no rule of the puzzle declares follow from the own rule, which the
   * server reads. False if the rule has been changed meanwhile.
   * @param {Finding[]} found
   */
  async #settleSections(found) {
    const {data, state: {own: {text}}} = this;
    const section = this.hasOwnRule && sectionDeclaredIn(text, data.sections);
    if (section && !this.server) {
      const name = `[${section.replaceAll("_", "-")}]`;
      const words = `what the section ${name} means depends on this rule: open the puzzle with aspdoku serve`;
      found.push({line: 1, error: true, text: words});
    }
    const facts = section && this.server
      ? (await this.engine.ask({kind: "facts", ...this.described})).facts : this.readFacts;
    if (text !== this.state.own.text) return false;
    if (String(facts) !== String(this.data.instance.facts)) {
      this.data.instance.facts = facts;
      this.view.program();
    }
    return true;
  }

  /** @param {boolean} all */
  #offerMoreTime(all) {
    const why = this.hasOwnRule ? " Your rule may have too many ground instances, or infinitely many." : "";
    const press = () => {
      this.say("");
      this.solve(MORE_SECONDS);
    };
    this.say(`${all ? "The search" : "The search for candidates"} was stopped.${why}`,
      {retry: {words: `Try for ${MORE_SECONDS} seconds`, press}});
  }

  /** The server finds more, and says more, than the page about a rule that has mistakes. */
  async #askForFindings() {
    const {name, text} = this.state.own;
    if (!this.server) return;
    await new Promise(resolve => setTimeout(resolve, CHECK_DELAY));
    const isCurrent = () => this.hasOwnRule && name === this.state.own.name && text === this.view.draft;
    if (!isCurrent()) return;
    try {
      const {findings} = await this.engine.ask({kind: "check", name, text});
      if (findings.length && isCurrent()) this.report(findings);
    } catch {
      // what the page has found is enough
    }
  }

  /** @param {string} program @param {number} [seconds] */
  async #compareGround(program, seconds) {
    const rules = JSON.stringify([this.state.added, this.state.retracted, this.state.own]);
    const {lines} = await this.engine.ask({kind: "ground", program}, seconds);
    const counts = counted(lines);
    if (!this.#ground) {
      const total = groundChanges(new Map(), counts);
      this.groundLine = `${plural(total.rules, "ground rule")} and ${plural(total.facts, "fact")}`;
    } else if (this.#ground.rules !== rules) {
      this.groundLine = groundWords(groundChanges(this.#ground.counts, counts));
    }
    this.#ground = {rules, counts};
    this.view.verdict();
  }

  /** @param {string} state @param {string} text */
  #judge(state, text) {
    this.verdict = {state, text};
    if (state === "error") {
      this.groundLine = ""; // it is about another program
      if (this.#ground) this.#ground.rules = undefined;
    }
    this.view.verdict();
  }

  /** @param {Finding[]} findings */
  report(findings) {
    this.findings = findings;
    this.view.findings();
  }

  get #hasErrors() {
    return this.findings.some(({error}) => error);
  }

  /** clingo's messages about the own rule, as findings. @param {string} messages */
  #located(messages) {
    const first = this.program.first.get(`${this.state.own.name}.lp`);
    return first ? findingsOf(messages, this.state.own.text, first) : [];
  }

  /**
   * The answer about the rule in the editor, or undefined if the rule or a switch has been changed meanwhile.
   * @template {"check" | "equal"} K @param {Question<K>} question @returns {Promise<Answers[K] | undefined>}
   */
  async askAboutRule(question) {
    const {own: {name}, retracted} = this.state;
    const text = this.view.draft;
    const isCurrent = () => name === this.state.own.name && text === this.view.draft
      && String(retracted) === String(this.state.retracted);
    try {
      const answer = await this.engine.ask({...question, name, text});
      return isCurrent() ? answer : undefined;
    } catch (error) {
      if (isCurrent()) throw error;
    }
  }

  /**
   * The answer of a server about the puzzle, or undefined; `waiting` is shown meanwhile.
   * @template {keyof Answers} K
   * @param {string} waiting @param {Question<K>} question @returns {Promise<Answers[K] | undefined>}
   */
  async askAboutPuzzle(waiting, question) {
    this.leave();
    this.view.board();
    this.say(waiting);
    const {program} = this;
    try {
      const answer = await this.engine.ask({...this.described, ...question});
      if (program === this.program) return answer; // otherwise, the puzzle or a rule has been changed
    } catch (error) {
      if (program === this.program) this.say(error.message);
    }
  }

  /** The names with which facts can retract active rules. */
  get retractable() {
    const names = activeFiles(this.data, this.state, this.library).flatMap(rule => rule.retracts);
    return [...new Set(names)].filter(name => !this.state.retracted.includes(name));
  }
}
