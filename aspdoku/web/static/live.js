// @ts-check
// The live page: a board, the tower of its program, the verdict, and the text of a brick. Everything else is a drawer.
// It arranges the parts, and shows what its session knows.
import {button, h, textOf, update} from "./dom.js";
import {Drawer, heading} from "./drawer.js";
import {Editor} from "./editor.js";
import {Engine} from "./engine.js";
import {Grid} from "./grid.js";
import {Ground} from "./ground.js";
import {Guess} from "./guess.js";
import {packed, unpacked} from "./link.js";
import {Menu, unsupportedIn} from "./menu.js";
import {MOST_TEXT, activeFiles, instanceText, retractions} from "./program.js";
import {explain, showStep} from "./reasons.js";
import {Session} from "./session.js";
import {Shelf} from "./shelf.js";
import {differ, leaf} from "./solutions.js";
import {Stack} from "./stack.js";
import {stepWords} from "./steps.js";
import {flipTheme} from "./theme.js";
import {VerdictLine, isCalm} from "./verdict.js";
/** @import {Game} from "./game.js" */
/** @import {Puzzle, Rule} from "./program.js" */
/** @import {Message, View} from "./session.js" */

/** @typedef {Puzzle & {server?: boolean, library?: Rule[], examples?: string[], game: Game}} PageData */

const FLASH = [2600, 6000]; // milliseconds for which changed candidates are shown; without motion

/** @implements {View} */
class Page {
  #address = "";
  #epoch = ""; // names the puzzle in the entries of the browser's history
  #panel = ""; // "own" or "ground", if one is in the place of the slide
  #flash = 0;
  #verdict = new VerdictLine(() => this.#menu.explain());
  #heading = h("h1");
  #words = h("div", {class: "words", "aria-live": "polite", tabindex: 0, role: "region", "aria-label": "Answer"});
  #reasons = h("section", {class: "panel reasons", "aria-label": "Reasons", hidden: true},
    heading("Why", () => this.#endReasons()), this.#words);
  #link = h("input", {type: "text", readonly: true, "aria-label": "Link to this page"});
  #sharing = new Drawer("Link to this page",
    h("p", {}, "It contains the puzzle, the tower and your rules."), this.#link);
  #undo = button("←", () => this.#goBack(),
    {class: "btn", "aria-label": "Undo", title: "Take the last change back (←)"});
  #redo = button("→", () => this.#goOn(), {class: "btn", "aria-label": "Redo", title: "Repeat it (→)"});
  #candidates = button("Candidates", () => this.#toggle("candidates"),
    {class: "btn wide", "aria-pressed": "false", title: "The numbers that a cell has in some solution (C)"});
  #leaf = button("Show it", () => leaf(this.session), {class: "btn", "aria-pressed": "false", title: "S"});
  #conflict = button("", () => explain(this.session), {
    class: "btn", "aria-label": "Find the conflict", title: "Which numbers contradict each other, and by which rules",
  });
  #differ = button("", () => differ(this.session),
    {class: "btn", "aria-pressed": "false", "aria-label": "Two that differ"});

  /** @param {HTMLElement} element @param {PageData} data */
  constructor(element, data) {
    this.session = new Session(new Engine().warm(), this, data);
    this.#grid = new Grid(this.session);
    this.#stack = new Stack(this.session, () => this.#grid.render());
    this.#editor = new Editor(this.session, () => this.#open(""));
    this.#ground = new Ground(this.session, () => this.#open(""));
    this.#shelf = new Shelf(this.session, {
      add: name => this.#add(name), write: () => this.#write(), open: () => this.#editor.file.click(),
    });
    const guess = new Guess(data.game);
    this.#menu = new Menu(this.session, {
      load: puzzle => this.load(puzzle), open: file => this.#loadFile(file), share: () => this.#share(),
      ground: () => this.#open("ground"), write: () => this.#write(), guess: () => guess.drawer.open(),
      toggle: name => this.#toggle(name),
    }, data.examples || []);
    this.#differ.append(h("span", {class: "wide"}, "Two that "), h("span", {}, "differ"));
    this.#conflict.append(h("span", {class: "wide"}, "Find the "), h("span", {}, "conflict"));
    element.append(this.#stage(), ...[this.#shelf.drawer, guess.drawer, this.#sharing, this.#stack.exceptions,
      ...this.#menu.drawers].map(drawer => drawer.element));
    this.#listen();
    this.session.show(data);
    this.#follow();
  }

  /** @type {Grid} */ #grid;
  /** @type {Stack} */ #stack;
  /** @type {Editor} */ #editor;
  /** @type {Ground} */ #ground;
  /** @type {Shelf} */ #shelf;
  /** @type {Menu} */ #menu;
  /** @type {HTMLElement} */ #frame = h("div", {class: "stage"});

  // ---- The frame ----

  #stage() {
    const theme = button("◐", flipTheme,
      {class: "btn", "aria-label": "Light or dark", title: "Light or dark (D)", "data-key": "d"});
    const more = button("⋯", () => this.#menu.open(), {class: "btn", "aria-label": "More", title: "More (?)"});
    this.#frame.append(
      h("section", {class: "boardbox", "aria-label": "Puzzle"}, this.#grid.board),
      h("header", {class: "bar"}, this.#heading, this.#undo, this.#redo, this.#candidates, theme, more),
      h("div", {class: "vrow"}, this.#verdict.element, this.#verdict.legend,
        h("div", {class: "leaf"}, this.#leaf, this.#differ, this.#conflict)),
      h("div", {class: "desk"},
        this.#stack.slide, this.#editor.element, this.#ground.element, this.#reasons, this.#grid.pad),
      h("section", {class: "towerbox", "aria-label": "Program"}, this.#stack.tower));
    return this.#frame;
  }

  #listen() {
    this.#listenForFiles();
    addEventListener("keydown", event => this.#key(event));
    addEventListener("hashchange", () => this.#follow());
    addEventListener("popstate", ({state}) => {
      if (state?.epoch !== this.#epoch) return;
      this.#address = location.hash;
      this.session.jump(state.change);
    });
    /** @param {string} type @param {(detail: any) => void} act */
    const on = (type, act) =>
      this.#stack.tower.addEventListener(type, event => act(/** @type {CustomEvent} */ (event).detail));
    on("brick", ({name}) => this.#select(name));
    on("remove", ({name}) => this.#remove(name));
    on("add", () => this.#shelf.open());
  }

  /** A page in one file reads rule files only. */
  #listenForFiles() {
    addEventListener("paste", event => {
      if (!this.session.server || isTyping(event, /^(INPUT|TEXTAREA)$/)) return;
      this.load(event.clipboardData?.getData("text") ?? "");
    });
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.#loadFile(file);
      else this.load(event.dataTransfer?.getData("text") ?? "");
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const {session, session: {steps, mode}} = this;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (isTyping(event, /^(INPUT|TEXTAREA|SELECT)$/)) return;
    const inGrid = this.#grid.board.contains(/** @type {Node} */ (event.target));
    if (steps && event.key === "ArrowRight") showStep(session, steps.index + 1);
    else if (steps && event.key === "ArrowLeft") showStep(session, steps.index - 1);
    else if (event.key === "Escape" && mode) session.stop();
    else if (event.key === "Escape" && this.#panel) this.#open("");
    else if (event.key === "Escape") this.#grid.unselect();
    else if (event.key === "ArrowLeft" && !inGrid) this.#goBack();
    else if (event.key === "ArrowRight" && !inGrid) this.#goOn();
    else if (event.key === "c") this.#candidates.click();
    else if (event.key === "s" && !this.#leaf.hidden) this.#leaf.click();
    else if (event.key === "d") /** @type {HTMLElement} */ (this.#frame.querySelector("[data-key=d]")).click();
    else if (event.key === "?") this.#menu.open();
    else return;
    event.preventDefault();
  }

  /** @param {string} puzzle @param {string} [file] from which it comes */
  async load(puzzle, file) {
    if (!puzzle.trim()) return;
    this.say({text: "Reading the puzzle …"});
    try {
      await this.session.load(puzzle);
      if (this.session.canUndo) this.#enter("pushState", {epoch: this.#epoch, change: 0});
      this.remember(true);
    } catch (error) {
      this.say({text: file ? `${file} was read as a puzzle: ${error.message}` : error.message});
    }
  }

  /** A file is a puzzle or a brick. @param {File} [file] */
  async #loadFile(file) {
    if (!file) return;
    try {
      const text = await textOf(file);
      if (file.name.endsWith(".lp")) {
        this.#editor.take(file.name, text);
        this.#write(this.session.writing);
      } else await this.load(text, file.name);
    } catch (error) {
      this.say({text: error.message});
    }
  }

  // ---- The address ----

  async #share() {
    this.session.takeRule();
    if (this.session.isTooLong) {
      this.say({text: `The rule is too long for a link: it has more than ${MOST_TEXT} characters.`});
      return;
    }
    await this.remember(false);
    this.#link.value = location.href.replace(/#.*|$/, this.#address);
    this.#sharing.open();
    this.#link.select();
    await navigator.clipboard?.writeText(this.#link.value).catch(() => {});
  }

  /** @param {boolean} isNew whether the browser's back key has to lead to the state before */
  async remember(isNew) {
    const {data, state, server, changeCount: change, isTooLong} = this.session;
    if (isTooLong) return;
    const entry = {epoch: this.#epoch, change};
    if (isNew) this.#enter("pushState", entry);
    const text = await packed({...state, puzzle: server ? data.source : undefined});
    if (state !== this.session.state) return;
    this.#address = `#s=${text}`;
    this.#enter("replaceState", entry, this.#address);
  }

  /** @param {"pushState" | "replaceState"} how @param {object} entry @param {string} [address] */
  #enter(how, entry, address) {
    try {
      history[how](entry, "", address);
    } catch {
      // a page in a sandbox has no address of its own
    }
  }

  /** Whether the browser's entry is that of the state, so that its own keys lead to the others. */
  get #isEntered() {
    return history.state?.epoch === this.#epoch && history.state.change === this.session.changeCount;
  }

  #goBack() {
    if (!this.session.canUndo) return;
    if (this.#isEntered) history.back();
    else this.session.undo();
  }

  #goOn() {
    if (!this.session.canRedo) return;
    if (this.#isEntered) history.forward();
    else this.session.redo();
  }

  async #follow() {
    const text = /^#s=(.*)/.exec(location.hash)?.[1];
    if (!text || location.hash === this.#address) return;
    try {
      const {puzzle, ...state} = await unpacked(text);
      await this.session.restore(state, puzzle);
    } catch (error) {
      const reason = error instanceof TypeError ? "it is not a link to this page" : error.message;
      this.say({text: `The link cannot be followed: ${reason}`});
    }
  }

  // ---- The tower ----

  /** @param {string} name of a brick */
  #isOwn(name) {
    return this.#stack.files.some(file => file.own && file.name === name);
  }

  /** @param {string} name */
  #select(name) {
    this.session.stop();
    this.#stack.selected = name;
    if (this.#isOwn(name)) this.#write(name);
    else this.#open("");
  }

  /** @param {string} name */
  #add(name) {
    this.#stack.selected = name;
    this.#panel = "";
    this.session.add(name);
  }

  /** @param {string} name */
  #remove(name) {
    const rule = this.#stack.files.find(each => each.name === name);
    this.#stack.selected = "";
    if (rule?.own && name === this.session.writing) this.#panel = "";
    if (rule) this.session.remove(rule);
  }

  /** Show the editor, or another panel, in the place of the slide. @param {string} name */
  #open(name) {
    this.#panel = name;
    if (name !== "own" && this.#isOwn(this.#stack.selected)) this.#stack.selected = "";
    this.#arrange();
    this.#ground.render();
  }

  /** @param {string} [name] of an own rule; otherwise, a new one is written */
  #write(name) {
    this.session.write(name);
    this.#stack.selected = this.session.writing;
    this.#open("own");
    this.#editor.focus();
  }

  #arrange() {
    const {session: {steps}} = this;
    const stack = this.#stack;
    stack.isWriting = this.#panel === "own";
    stack.settle();
    const isSaying = this.#words.childElementCount > 0;
    this.#reasons.hidden = !isSaying;
    this.#editor.element.hidden = this.#panel !== "own";
    this.#ground.element.hidden = this.#panel !== "ground" || isSaying;
    stack.slide.hidden = isSaying || this.#panel !== "";
    const rule = stack.files.find(({name}) => name === stack.selected);
    if (rule && !stack.isWriting) stack.showText(rule);
    const lines = steps?.steps[steps.index].lines ?? [];
    const {bricks} = stack;
    this.#frame.style.setProperty("--bricks", String(bricks.length - 1));
    this.#frame.style.setProperty("--words", String(bricks.filter(({kind}) => kind === "word").length));
    stack.showTower({cited: lines.flatMap(({spans}) => spans.map(([, name]) => name)), isOpen: true});
  }

  // ---- What has changed ----

  get draft() {
    return this.#editor.draft;
  }

  puzzle() {
    const {data} = this.session;
    this.#epoch = String(Math.random());
    this.#stack.selected = this.#panel = "";
    if (!this.#address) this.#enter("replaceState", {epoch: this.#epoch, change: 0});
    this.#menu.puzzle(this.#heading);
    document.title = data.title;
    this.#grid.build();
  }

  changed() {
    this.#undo.disabled = !this.session.canUndo;
    this.#redo.disabled = !this.session.canRedo;
    this.program();
    this.#editor.render();
    this.#grid.render();
    this.#say();
  }

  board() {
    this.#arrange();
    clearTimeout(this.#flash);
    if (this.session.isFlashing) {
      this.#flash = setTimeout(() => {
        this.session.isFlashing = false;
        this.#grid.render();
      }, FLASH[Number(isCalm())]);
    }
    this.#grid.render();
    this.#say();
  }

  program() {
    this.#arrange();
    this.#ground.render();
    this.#print();
  }

  /** What is printed below the board and the tower: the program as it stands. */
  #print() {
    const {data, state, library} = this.session;
    const unsupported = unsupportedIn(data);
    const title = document.querySelector(".print h1");
    if (title) title.textContent = data.title;
    const facts = [instanceText(data, state), retractions(state)].filter(Boolean).join("\n");
    document.querySelector(".print .files")?.replaceChildren(...(unsupported ? [h("p", {}, unsupported)] : []),
      ...activeFiles(data, state, library).flatMap(({place, text}) => [h("h3", {}, place), h("pre", {}, text)]),
      h("h3", {}, "The puzzle and the retractions as facts"), h("pre", {}, facts));
  }

  /** @param {boolean} isGone whether the rule in the editor was taken back */
  rule(isGone) {
    if (isGone && this.#panel === "own") this.#panel = "";
    this.#editor.show();
  }

  findings() {
    this.#editor.renderFindings();
  }

  forget() {
    this.#editor.forget();
  }

  verdict() {
    this.#say();
    this.#ground.render();
  }

  #say() {
    const {verdict, changes, mode, isUnique, grids, shown, server, conflicts} = this.session;
    const grid = mode?.kind === "shown" ? mode : undefined;
    this.#frame.dataset.state = verdict.state;
    if (grid) this.#verdict.say(grid.text, grid.isBad);
    else this.#verdict.show(verdict, changes, this.session.remark);
    const isMany = grids.length > 1;
    this.#conflict.hidden = !server || verdict.state !== "none" || Boolean(mode) || conflicts.length > 0;
    this.#leaf.hidden = !grids.length;
    this.#leaf.textContent = isMany || !isUnique ? "Leaf ›" : shown.solution ? "Hide it" : "Show it";
    this.#leaf.setAttribute("aria-pressed", String(grid?.reason === "leaf" || (isUnique && shown.solution)));
    this.#differ.hidden = !isMany;
    this.#differ.setAttribute("aria-pressed", String(grid?.reason === "differ"));
    this.#menu.render();
  }

  mode() {
    const {steps} = this.session;
    if (steps) this.#tell(stepWords(this.session, steps));
    this.#say();
  }

  /** @param {Message} message */
  say({text, list = [], remark, retry}) {
    this.#tell([
      ...(text ? [h("p", {}, text)] : []),
      ...(list.length ? [h("ul", {}, ...list.map(line => h("li", {}, line)))] : []),
      ...(remark ? [h("p", {class: "remark"}, remark)] : []),
      ...(retry ? [button(retry.words, retry.press, {class: "btn"})] : []),
    ]);
  }

  /** @param {Node[]} nodes */
  #tell(nodes) {
    if (!nodes.length && !this.#words.childElementCount) return;
    update(this.#words, ...nodes);
    this.#arrange();
  }

  #endReasons() {
    this.session.stop();
  }

  /** @param {"givens" | "candidates" | "solution"} name */
  #toggle(name) {
    const {shown} = this.session;
    shown[name] = !shown[name];
    this.#candidates.setAttribute("aria-pressed", String(shown.candidates));
    this.#arrange();
    this.#grid.render();
    this.#say();
  }
}

/** Whether an event is about a field for text. @param {Event} event @param {RegExp} fields */
function isTyping(event, fields) {
  return fields.test(/** @type {Element} */ (event.target).tagName);
}

class Live extends HTMLElement {
  connectedCallback() {
    const json = this.querySelector("script[type='application/json']")?.textContent;
    document.documentElement.classList.add("live");
    this.page = new Page(this, JSON.parse(json ?? ""));
  }

  get data() {
    return this.page?.session.data;
  }

  /** Show the puzzle in a text, as if it was pasted. @param {string} puzzle */
  load(puzzle) {
    return this.page?.load(puzzle);
  }
}

customElements.define("aspdoku-live", Live);
