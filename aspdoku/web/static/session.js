// @ts-check
// What the page knows: a puzzle, what has been changed of it, clingo's answers, and what is explained. A `View`
// shows it, which has the elements of the page.
import {MOST_COUNTED, byCell, counted, groundChanges, groundWords} from "./answers.js";
import {Cancelled, Stopped} from "./engine.js";
import {contradictions, exemptClues} from "./conflicts.js";
import {findingsIn, findingsOf, sectionDeclaredIn} from "./findings.js";
import {
  MOST_TEXT, activeFiles, addedRules, checked, compose, definedElsewhere, described, initialState, isInGrid, isMisread,
  isUnused, ownRulesOn, tagsOf,
} from "./program.js";
import {listed, plural} from "./words.js";
/** @import {Counts, Dependency} from "./answers.js" */
/** @import {Cell, Clue, Tint} from "./board.js" */
/** @import {Answers, Engine, Question} from "./engine.js" */
/** @import {Finding} from "./findings.js" */
/** @import {ActiveRule, Mark, OwnRule, Placed, Puzzle, Rule, State, Step} from "./program.js" */

// For a rule that somebody types, which may be endless, and for another try.
const OWN_SECONDS = 2.5, MORE_SECONDS = 60;
const PATIENCE = 400; // milliseconds until several solutions are no longer counted in silence
const DELAY = 250; // milliseconds after the last key in the editor
export const FIRST_NAME = "my-rule"; // of own rules; others have a number
const CHECK_DELAY = 1000; // milliseconds more until the server is asked about the rule

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
/**
 * @typedef {{
 *   number?: number | string, other?: number, kind?: string, candidates?: number[], struck?: number[], came?: number[],
 * }} Content of a cell; other: the number of another solution; struck: candidates that went; came: those that are new
 */
/**
 * @typedef {{
 *   kind: "shown", reason: ShownReason, contents: Record<string, Content>, tints: Tint[], pairs: [Cell, Cell][],
 *   text: string, isBad: boolean, index: number, key: string, values: Record<string, string>,
 * }} ShownGrid a grid instead of the puzzle, such as one of several solutions, and what the verdict says of it; key,
 * index: the rule file and the line of the statement that forbids it; values: of the variables of the statement
 */
/** @typedef {"leaf" | "differ" | "forbidden"} ShownReason */
/**
 * @typedef {{
 *   draft: string, puzzle(): void, changed(): void, program(): void, board(): void, rule(isGone: boolean): void,
 *   findings(): void, verdict(): void, mode(): void, say(message: Message): void, forget(): void,
 *   remember(isNew: boolean): void,
 * }} View `draft`: the text in the editor; `forget`: a verdict on it; `remember`: the state, in the address,
 * `isNew` if it is not one of before; the others show what has changed, `rule` perhaps that the rule in the editor
 * was taken back
 */
/**
 * @typedef {{state: string, text: string, caveat: string, count?: number, was?: number}} Verdict `count`: the number of
 * solutions, at most one more than MOST_COUNTED; `was`: that of the program before
 */
/** @typedef {{came: Set<string>, went: Set<string>}} Changes of candidates, each as row, column and number */

export class Session {
  /** @type {string[]} */
  #history = [];
  /** @type {string[]} */
  #future = [];
  #timer = 0;
  #patience = 0;
  /** @type {{rules: string | undefined, counts: Counts} | undefined} */
  #ground;
  /** @type {[number, number]} */
  selected = [1, 1];
  isPicked = false; // whether the selected cell is shown
  /** @type {string | undefined} */
  clicked;
  /** @type {Heat | Hint | Steps | ShownGrid | undefined} */
  mode;
  /** @type {[Cell, Cell][]} */
  conflicts = []; // cells whose numbers contradict each other
  remark = ""; // about them
  lastCell = ""; // in which a number was entered
  /** @type {string[]} */
  derived = []; // facts ab(…) that the rules derive in the only solution
  /** @type {Clue[]} */
  exemptClues = []; // that these facts except
  isFlashing = false; // whether changed candidates are shown
  shown = {givens: false, candidates: false, solution: false}; // the switches of the board
  /** @type {Verdict} */
  verdict = {state: "", text: "…", caveat: ""};
  /** @type {Placed[][]} */
  grids = []; // one or two solutions
  /** @type {Placed[][] | undefined} */
  leaves; // the solutions that are shown one after the other
  /** @type {Changes | undefined} */
  changes; // of the last change of the rules
  /** @type {{rules: string, candidates: Set<string>, count?: number} | undefined} */
  #before; // the answers about the program before
  groundLine = "";
  /** @type {Map<string, Finding[]>} */
  #findings = new Map(); // by the name of an own rule
  /** @type {Map<string, Finding[]>} */
  #checked = new Map(); // what the server has found, by the name and the text of an own rule
  writing = FIRST_NAME; // the own rule in the editor, which may have no text yet
  /** @type {string[]} */
  fresh = []; // the rule files that have just been added
  /** @type {Set<string> | undefined} */
  candidates;
  /** @type {Lists | undefined} */
  contents; // where cells show other numbers than those of a/3
  isUnique = false;
  /** @type {Record<string, Content> | undefined} */
  witness; // a grid that is known before clingo answers, instead of the puzzle

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

  /**
   * Show a puzzle; own rules, which were written for another one, go to the shelf, and undoing that brings them back.
   * @param {Puzzle} data @param {Partial<State>} [changes] of its state @param {string[]} [fresh] rules that are new
   */
  show(data, changes = {}, fresh = []) {
    const own = this.#written.filter(({text}) => text.trim());
    const standing = own.filter(({shelved}) => !shelved).map(({name}) => name);
    this.data = data;
    this.readFacts = data.instance.facts;
    const state = {...initialState(data), ...changes, own};
    this.state = {...state, own: own.map(each => ({...each, on: false, shelved: true}))};
    this.#history = standing.length ? [JSON.stringify(state)] : [];
    this.#future = [];
    this.selected = [1, 1];
    this.isPicked = false;
    this.shown.solution = false;
    this.leave();
    this.#ground = this.#before = undefined;
    this.verdict = {state: "", text: "…", caveat: ""};
    this.view.puzzle();
    this.showRule();
    this.changed({fresh, remember: false});
    if (!standing.length) return;
    const [are, them] = standing.length > 1 ? ["are", "them"] : ["is", "it"];
    this.remark = `${listed(standing)} ${are} back on the shelf; ← restores ${them}`;
    this.view.verdict();
  }

  /** Show the puzzle in a text. @param {string} puzzle */
  async load(puzzle) {
    this.show({...await this.engine.ask({kind: "load", puzzle})});
  }

  /** Take over the state of a link. @param {object} state @param {string} [puzzle] */
  async restore(state, puzzle) {
    if (this.server && puzzle !== undefined && puzzle !== this.data.source) await this.load(puzzle);
    this.state = checked(state, this.data, this.library);
    this.writing = this.state.own[0]?.name ?? FIRST_NAME;
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
    this.jump(this.changeCount - 1);
  }

  redo() {
    this.jump(this.changeCount + 1);
  }

  /** How many changes have led to the state. */
  get changeCount() {
    return this.#history.length;
  }

  /** Undo or repeat changes until so many have led to the state. @param {number} count */
  jump(count) {
    const target = Math.max(0, Math.min(count, this.#history.length + this.#future.length));
    if (target === this.#history.length) return;
    const {own} = this;
    while (target < this.#history.length) this.#step(this.#history, this.#future);
    while (target > this.#history.length) this.#step(this.#future, this.#history);
    this.showRule({isGone: Boolean(own && !this.own)});
    this.changed({isNew: false});
  }

  get canUndo() {
    return this.#history.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @param {string[]} from @param {string[]} to */
  #step(from, to) {
    to.push(JSON.stringify(this.state));
    this.state = JSON.parse(from.pop() ?? "");
  }

  /** @param {{fresh?: string[], remember?: boolean, isNew?: boolean}} options */
  changed({fresh = [], remember = true, isNew = true} = {}) {
    this.leave();
    this.fresh = fresh;
    this.candidates = this.contents = this.changes = this.witness = undefined;
    this.isFlashing = this.isUnique = false;
    this.conflicts = [];
    this.remark = "";
    this.derived = [];
    this.exemptClues = [];
    this.grids = [];
    this.leaves = undefined;
    this.solve(); // clingo answers while the page is drawn
    this.view.changed();
    this.#draw();
    if (remember) this.view.remember(isNew);
  }

  /** Ask the server for the drawing of rules that were added, or without those that were removed. */
  async #draw() {
    const {engine, data, state, library, server, described: {puzzle, added}, view} = this;
    const rules = addedRules(state, library).filter(({isDrawn}) => isDrawn);
    const drawn = rules.map(({name}) => name);
    if (String(drawn) === String(data.drawn ?? [])) return;
    data.drawn = drawn;
    if (!server) {
      this.#addDrawings(rules);
      return;
    }
    try {
      const found = await engine.ask({kind: "drawing", puzzle, added, retracted: data.retracted});
      if (data.drawn !== drawn) return;
      Object.assign(data, found);
      if (data === this.data) view.board();
    } catch {
      // the rule holds all the same
    }
  }

  /** Draw what a page in one file knows of rules that were added. @param {Rule[]} rules */
  #addDrawings(rules) {
    const {data} = this;
    data.plain ??= [data.drawing, ...(data.named ? [data.named] : [])];
    const known = rules.flatMap(({drawn}) => drawn ?? []);
    const [drawing, named = null] = data.plain.map(each => (known.length ? {
      ...each, below: each.below + known.map(({below}) => below).join(""),
      above: each.above + known.map(({above}) => above).join(""),
    } : each));
    Object.assign(data, {drawing, named});
    this.view.board();
    const missing = listed(rules.flatMap(({name, drawn}) => (drawn === null ? [name] : [])));
    if (missing) this.say(`This page has no drawing of ${missing} for the puzzle.`);
  }

  /** Add or take back a fact ab(…). @param {string} exempted what is in the parentheses @param {boolean} off */
  retract(exempted, off) {
    this.view.forget(); // a comparison depends on what is retracted
    this.update(state => {
      state.retracted = off ? [...state.retracted, exempted] : state.retracted.filter(other => other !== exempted);
    });
  }

  /** @param {string} name of a rule of the library, or of an own rule on the shelf */
  add(name) {
    this.update(state => {
      if (!state.own.some(each => each.name === name)) state.added.push(name);
      state.own = state.own.map(each => (each.name === name ? {name, text: each.text, on: true} : each));
    }, {fresh: [name]});
  }

  /** Take back a rule, with the facts ab(…) about it; the text of an own rule goes. @param {ActiveRule} rule */
  remove(rule) {
    this.update(state => {
      const gone = tagsOf(rule, state.retracted);
      state.added = state.added.filter(other => other !== rule.name);
      state.own = state.own.filter(other => other.name !== rule.name);
      state.retracted = state.retracted.filter(each => !gone.includes(each));
    });
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
    this.lastCell = cell;
    this.update(state => {
      if (edits) state.givens[row - 1][column - 1] = number;
      if (edits || number === null) delete state.entries[cell];
      else state.entries[cell] = number;
    });
  }

  // ---- Own rules ----

  /** The own rule in the editor, if it has a text. */
  get own() {
    return this.state.own.find(({name}) => name === this.writing);
  }

  /** The own rules, with the text in the editor. @returns {OwnRule[]} */
  get #written() {
    const {writing, own, state, view: {draft: text}} = this;
    if (own && text !== own.text) {
      const {name, on, shelved = false} = own;
      return state.own.map(each => (each === own ? {name, text, on: on || shelved} : each));
    }
    if (own) return state.own;
    return text ? [...state.own, {name: writing, text, on: true}] : state.own;
  }

  get isTooLong() {
    return this.state.own.some(({text}) => text.length > MOST_TEXT);
  }

  /** Whether a file has the name, so that an own rule cannot have it. @param {string} name */
  isTaken(name) {
    const {data, state, library} = this;
    const files = [...activeFiles(data, {...state, own: []}, library), ...state.own];
    return files.some(each => each.name === name);
  }

  /** Write an own rule in the editor. @param {string} [name] otherwise, it is a new one */
  write(name) {
    this.takeRule();
    const isOwn = this.state.own.some(each => each.name === name);
    this.writing = name && (isOwn || !this.isTaken(name)) ? name : this.#freeName();
    this.showRule();
  }

  /** A name for another own rule. */
  #freeName() {
    let name = FIRST_NAME;
    for (let number = 2; this.isTaken(name); number++) name = `${FIRST_NAME}-${number}`;
    return name;
  }

  /** Give the own rule in the editor another name. @param {string} name */
  rename(name) {
    this.takeRule();
    const {own} = this;
    this.writing = name;
    if (own) this.update(state => (state.own = state.own.map(each => (each === own ? {...each, name} : each))));
  }

  showRule({isGone = false} = {}) {
    clearTimeout(this.#timer);
    this.view.forget();
    this.view.rule(isGone);
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
    if (this.view.draft !== (this.own?.text ?? "")) this.update(state => (state.own = this.#written));
  }

  // ---- What is shown ----

  /** @param {string} text @param {Message} more */
  say(text, more = {}) {
    this.view.say({text, ...more});
  }

  /** Show the puzzle again. */
  stop() {
    this.leave();
    this.view.board();
  }

  leave() {
    this.mode = undefined;
    this.view.mode();
    this.say("");
  }

  /** @param {Heat | Hint | Steps | ShownGrid} mode */
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
    const {data, state, heat, mode, steps, shown} = this;
    const cell = `${row},${column}`;
    if (mode?.kind === "shown") return mode.contents[cell] || {};
    if (this.witness) return this.witness[cell] || {};
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
    return {...this.#changesOf(cell, candidates), ...(shown.candidates ? {candidates} : {})};
  }

  /** The candidates of a cell that has changed, as long as it is shown. @param {string} cell @param {number[]} now */
  #changesOf(cell, now) {
    const {came, went} = this.changes && this.isFlashing ? this.changes : {came: new Set(), went: new Set()};
    const among = (/** @type {Set<string>} */ changed) =>
      this.data.numbers.filter(each => changed.has(`${cell},${each}`));
    const [more, fewer] = [among(came), among(went)];
    return more.length || fewer.length ? {candidates: now, came: more, struck: fewer} : {};
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
    return ownRulesOn(this.state).length > 0;
  }

  /** What is wrong with the own rule in the editor. */
  get findings() {
    return this.#findings.get(this.writing) ?? [];
  }

  /** Each question may take `seconds`. */
  async solve(seconds = this.hasOwnRule ? OWN_SECONDS : undefined) {
    this.engine.cancel();
    const {data, state, library} = this;
    const isLong = ownRulesOn(state).some(({text}) => text.length > MOST_TEXT);
    const found = new Map((isLong ? [] : ownRulesOn(state)).map(({name, text}) =>
      [name, findingsIn(text, name, definedElsewhere(data, state, library, name))]));
    clearTimeout(this.#patience);
    this.#judge("busy", "");
    try {
      if (this.#hasSectionsToSettle && !await this.#settleSections(found)) return;
    } catch (error) {
      this.#judge("error", `The rule cannot be used: ${error.message}`);
      return;
    }
    this.program = compose(this.data, this.state, this.library);
    this.#report(found);
    if (isLong) this.#judge("error", `The rule has more than ${MOST_TEXT} characters.`);
    else if (this.#wrong.length) {
      this.#judge("error", this.#unusable);
      this.#askForFindings();
    } else await this.#ask(found, seconds);
  }

  /** Ask clingo all that the page shows. @param {Map<string, Finding[]>} found @param {number} [seconds] */
  async #ask(found, seconds) {
    const {engine, data, program: {text: program}} = this;
    const start = performance.now();
    try {
      const {grids, complete, messages} = await engine.ask({kind: "solve", program}, seconds);
      this.seconds = (performance.now() - start) / 1000;
      this.#report(found, messages);
      this.#askForFindings();
      if (this.#wrong.length) {
        this.#judge("error", this.#unusable);
        return;
      }
      const outside = grids.flat().find(each => !isInGrid(data, each));
      if (outside) {
        this.#judge("error", `The rules derive a(${outside}), which is outside the grid or its numbers.`);
        return;
      }
      const isUnique = grids.length === 1 && complete;
      this.grids = grids;
      this.isUnique = isUnique;
      if (!grids.length) this.#judge("none", "No solution", 0);
      else if (isUnique) this.#judge("unique", "1 solution", 1);
      else this.#patience = setTimeout(() => this.#judge("several", "Several solutions"), PATIENCE);
      const possible = await engine.ask({kind: "candidates", program, shown: data.contents}, seconds);
      this.candidates = new Set(possible.candidates.map(String));
      this.contents = data.contents.length ? byCell(possible.contents) : undefined;
      this.#compareCandidates();
      this.view.board();
      if (grids.length && !isUnique) await this.#count(program);
      if (this.isUnique) await exemptClues(this);
      if (this.derived.length) this.view.changed();
      if (!grids.length) await contradictions(this);
      this.#before = {rules: this.#rules, candidates: this.candidates, count: this.verdict.count};
      await this.#compareGround(program, seconds);
    } catch (error) {
      this.#fail(error, found);
    }
  }

  /** How many solutions there are, of several. @param {string} program */
  async #count(program) {
    try {
      const {count} = await this.engine.ask({kind: "count", program, limit: MOST_COUNTED + 1}, 5);
      const number = count > MOST_COUNTED ? `more than ${MOST_COUNTED.toLocaleString("en")}` : count;
      this.#judge("several", count > 1 ? `${number} solutions` : "Several solutions", count > 1 ? count : undefined);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.#judge("several", "Several solutions");
    } finally {
      clearTimeout(this.#patience);
    }
  }

  /** Compare the next answers with those about another state of the puzzle. @param {State} before */
  async compareWith(before) {
    const {text: program} = compose(this.data, before, this.library);
    try {
      const {candidates} = await this.engine.ask({kind: "candidates", program, shown: []});
      this.#before = {rules: rulesIn(before), candidates: new Set(candidates.map(String))};
    } catch (error) {
      if (!(error instanceof Cancelled)) this.say(error.message);
    }
  }

  /** What is said of the rules, without the numbers that were entered. */
  get #rules() {
    return rulesIn(this.state);
  }

  #compareCandidates() {
    const [before, now] = [this.#before, this.candidates];
    if (!before || !now || before.rules === this.#rules) return;
    const less = (/** @type {Set<string>} */ some, /** @type {Set<string>} */ others) =>
      new Set([...some].filter(each => !others.has(each)));
    this.changes = {came: less(now, before.candidates), went: less(before.candidates, now)};
    this.isFlashing = true;
  }

  /** Say why there is no answer. @param {Error} error @param {Map<string, Finding[]>} found */
  #fail(error, found) {
    if (error instanceof Cancelled) return;
    clearTimeout(this.#patience);
    if (this.grids.length && this.verdict.state === "busy") this.#judge("several", "Several solutions");
    const isBusy = this.verdict.state === "busy";
    if (error instanceof Stopped) {
      if (isBusy) this.#judge("error", `No answer: ${error.message}`);
      if (isBusy || !this.candidates) this.#offerMoreTime(isBusy);
      if (isBusy) this.#askForFindings(); // perhaps it never ends
      return;
    }
    this.#report(found, error.message);
    this.#askForFindings();
    const isKnown = [...this.#findings.values()].some(({length}) => length);
    if (isBusy) this.#judge("error", isKnown ? this.#unusable : `No answer: ${error.message}`);
  }

  /**
   * The facts of a section that no rule of the puzzle declares follow from own rules, which the
   * server reads. False if they have been changed meanwhile.
   * @param {Map<string, Finding[]>} found
   */
  async #settleSections(found) {
    const {data, state} = this;
    const declaring = ownRulesOn(state).find(({text}) => sectionDeclaredIn(text, data.sections));
    const section = declaring && sectionDeclaredIn(declaring.text, data.sections);
    if (section && !this.server) {
      const name = `[${section.replaceAll("_", "-")}]`;
      const words = `what the section ${name} means depends on this rule: open the puzzle with aspdoku serve`;
      found.get(declaring.name)?.push({line: 1, error: true, text: words});
    }
    const facts = section && this.server
      ? (await this.engine.ask({kind: "facts", ...this.described})).facts : this.readFacts;
    if (JSON.stringify(state.own) !== JSON.stringify(this.state.own)) return false;
    if (String(facts) !== String(this.data.instance.facts)) {
      this.data.instance.facts = facts;
      this.view.program();
    }
    return true;
  }

  get #hasSectionsToSettle() {
    const {data, state, readFacts} = this;
    return String(readFacts) !== String(data.instance.facts)
      || ownRulesOn(state).some(({text}) => sectionDeclaredIn(text, data.sections));
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

  /** The server finds more, and says more, than the page about own rules: it is asked once about each text. */
  async #askForFindings() {
    if (!this.server) return;
    const asked = ownRulesOn(this.state);
    if (asked.some(rule => !this.#checked.has(checkedKey(rule)))) {
      await new Promise(resolve => setTimeout(resolve, CHECK_DELAY));
    }
    for (const rule of asked) {
      const {name, text} = rule;
      const key = checkedKey(rule);
      const isCurrent = () => ownRulesOn({...this.state, own: this.#written}).some(
        each => each.name === name && each.text === text);
      try {
        if (!isCurrent()) continue;
        if (!this.#checked.has(key)) {
          this.#checked.set(key, []);
          this.#checked.set(key, (await this.engine.ask({kind: "check", name, text})).findings);
        }
        const findings = this.#checked.get(key) ?? [];
        if (findings.length && isCurrent()) this.report(findings, name);
      } catch {
        this.#checked.delete(key); // what the page has found is enough
      }
    }
  }

  /** @param {string} program @param {number} [seconds] */
  async #compareGround(program, seconds) {
    const rules = this.#rules;
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

  /** @param {string} state @param {string} text @param {number} [count] of the solutions */
  #judge(state, text, count) {
    const isAnswer = ["unique", "several", "none"].includes(state);
    const ignored = isAnswer && this.data.unsupported.length ? "ignoring unsupported parts" : "";
    const caveat = isAnswer && isMisread(this.data, this.state, state) ? "probably misunderstood" : ignored;
    const was = isAnswer && this.#before?.rules !== this.#rules ? this.#before?.count : undefined;
    this.verdict = state === "busy" ? {...this.verdict, state} : {state, text, caveat, count, was};
    if (state === "error") {
      this.groundLine = ""; // it is about another program
      if (this.#ground) this.#ground.rules = undefined;
    }
    this.view.verdict();
  }

  /** What is wrong with an own rule. @param {Finding[]} findings @param {string} [name] */
  report(findings, name = this.writing) {
    this.#findings.set(name, findings);
    this.view.findings();
  }

  /** What is wrong with own rules; clingo's messages are about lines. @param {Map<string, Finding[]>} found */
  #report(found, messages = "") {
    this.#findings = new Map(ownRulesOn(this.state).map(({name, text}) => {
      const first = this.program.first.get(`${name}.lp`);
      const here = [...(found.get(name) ?? []), ...(first ? findingsOf(messages, text, first) : [])];
      return [name, here.length ? here : this.#checked.get(checkedKey({name, text})) ?? []];
    }));
    this.view.findings();
  }

  /** The own rules that cannot be used. */
  get #wrong() {
    return [...this.#findings].flatMap(([name, findings]) => (findings.some(({error}) => error) ? [name] : []));
  }

  get #unusable() {
    const isOne = this.state.own.length < 2 || !this.#wrong.length;
    return `${isOne ? "The rule" : listed(this.#wrong)} cannot be used.`;
  }

  /**
   * The answer about the rule in the editor, or undefined if the rule or a switch has been changed meanwhile.
   * @template {"check" | "equal"} K @param {Question<K>} question @returns {Promise<Answers[K] | undefined>}
   */
  async askAboutRule(question) {
    const {writing: name, state: {retracted}, view: {draft: text}} = this;
    const isCurrent = () => name === this.writing && text === this.view.draft
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

/** @param {{name: string, text: string}} rule */
function checkedKey({name, text}) {
  return `${name}\n${text}`;
}

/** @param {State} state */
function rulesIn({added, retracted, own}) {
  return JSON.stringify([added, retracted, own]);
}
