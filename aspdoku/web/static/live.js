// @ts-check
// The live page: a board that can be edited, a program whose parts can be switched, and what follows
// from them. It arranges the parts, and shows what its session knows.
import {Board} from "./board.js";
import {Cards} from "./cards.js";
import {button, h, textOf, toggle} from "./dom.js";
import {Editor} from "./editor.js";
import {Engine} from "./engine.js";
import {Guess} from "./guess.js";
import {packed, unpacked} from "./link.js";
import {MOST_TEXT} from "./program.js";
import {explain, heatMap, hint, showStep, stop, why} from "./reasons.js";
import {Session} from "./session.js";
import {stepWords} from "./steps.js";
/** @import {Game} from "./game.js" */
/** @import {Puzzle, Rule} from "./program.js" */
/** @import {Message, Reason, View} from "./session.js" */

/** @typedef {Puzzle & {server?: boolean, library?: Rule[], examples?: string[], game: Game}} PageData */

/** @implements {View} */
class Page {
  /** @type {Board} */ #board;
  /** @type {Cards} */ #cards;
  /** @type {Editor} */ #editor;
  #address = "";
  #heading = h("h1");
  #unsupported = h("p", {class: "remark"});
  #rulesInWords = h("div", {class: "remark"});
  #verdict = h("p", {class: "verdict", role: "status"});
  #ground = h("p", {class: "ground-rules", role: "status"});
  #words = h("div", {class: "words", "aria-live": "polite", tabindex: 0, role: "region", "aria-label": "Answer"});
  #link = h("input", {type: "text", readonly: true, "aria-label": "Link to this page", hidden: true});
  #undo = button("Undo", () => this.session.undo());
  #redo = button("Redo", () => this.session.redo());
  /** @type {Record<Reason, HTMLButtonElement>} */
  #reasons = {
    heat: button("Which rules force a cell?", () => heatMap(this.session)),
    explain: button("Explain", () => explain(this.session)),
    hint: button("Hint", () => hint(this.session)),
    why: button("Why?", () => why(this.session), {title: "Why does the selected cell have its number? Key: ?"}),
  };

  /** @param {HTMLElement} element @param {PageData} data */
  constructor(element, data) {
    this.session = new Session(new Engine(), this, data);
    this.#board = new Board(this.session);
    this.#cards = new Cards(this.session);
    this.#editor = new Editor(this.session);
    this.#cards.element.append(this.#editor.element, new Guess(data.game).element);
    element.append(h("div", {class: "app"}, this.#header(data.examples || []), this.#puzzle(), this.#cards.element));
    if (this.session.server) this.#listenForPuzzles();
    addEventListener("keydown", event => this.#key(event));
    this.session.show(data);
    addEventListener("hashchange", () => this.#follow());
    this.#follow();
  }

  // ---- The frame ----

  /** @param {string[]} examples */
  #header(examples) {
    const root = document.documentElement;
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const choice = h("select", {onchange: () => this.load(`example:${choice.value}`)},
      h("option", {value: "", disabled: true, selected: true}, "choose"),
      ...examples.map(name => h("option", {}, name)));
    const file = h("input", {type: "file", onchange: () => this.#loadFile(file.files?.[0])});
    return h("header", {}, this.#heading,
      tools("Page",
        toggle("Large type", on => root.classList.toggle("large", on)),
        toggle("Dark", on => (root.dataset.theme = on ? "dark" : "light"), isDark),
        button("Link", () => this.#share())),
      this.#link,
      h("div", {class: "tools", role: "group", "aria-label": "Puzzle", hidden: !this.session.server},
        h("label", {}, "Puzzle ", choice), h("label", {class: "file"}, "Open a file", file),
        h("span", {class: "remark"}, "or paste or drop one")));
  }

  #puzzle() {
    const {shown} = this.session;
    const board = this.#board;
    const change = (/** @type {keyof typeof shown} */ name) => (/** @type {boolean} */ on) => {
      shown[name] = on;
      board.render();
    };
    const candidates = toggle("Candidates", change("candidates"), shown.candidates);
    candidates.title = "The numbers that a cell has in some solution";
    return h("section", {class: "puzzle", "aria-label": "Puzzle"},
      this.#verdict, this.#ground, this.#unsupported, this.#rulesInWords, board.frame, this.#words, board.pad,
      tools("Board", this.#undo, this.#redo,
        toggle("Edit givens", change("givens")), candidates, toggle("Solution", change("solution"))),
      tools("Reasons", ...Object.values(this.#reasons)));
  }

  #listenForPuzzles() {
    addEventListener("paste", event => {
      if (!isTyping(event, /^(INPUT|TEXTAREA)$/)) this.load(event.clipboardData?.getData("text") ?? "");
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
    const {session, session: {steps}} = this;
    if (!steps || event.altKey || event.ctrlKey || event.metaKey) return;
    if (isTyping(event, /^(INPUT|TEXTAREA|SELECT)$/)) return;
    if (event.key === "ArrowRight") showStep(session, steps.index + 1);
    else if (event.key === "ArrowLeft") showStep(session, steps.index - 1);
    else if (event.key === "Escape") stop(session);
    else return;
    event.preventDefault();
  }

  /** @param {string} puzzle */
  async load(puzzle) {
    if (!puzzle.trim()) return;
    this.say({text: "Reading the puzzle …"});
    try {
      await this.session.load(puzzle);
      this.remember();
      this.say({});
    } catch (error) {
      this.say({text: error.message});
    }
  }

  /** @param {File} [file] */
  async #loadFile(file) {
    if (!file) return;
    try {
      this.load(await textOf(file));
    } catch (error) {
      this.say({text: error.message});
    }
  }

  // ---- The address ----

  async #share() {
    this.session.takeRule();
    if (this.session.state.own.text.length > MOST_TEXT) {
      this.say({text: `The rule is too long for a link: it has more than ${MOST_TEXT} characters.`});
      return;
    }
    await this.remember();
    this.#link.hidden = false;
    this.#link.value = location.href.replace(/#.*|$/, this.#address);
    this.#link.select();
    await navigator.clipboard?.writeText(this.#link.value).catch(() => {});
  }

  async remember() {
    const {data, state, server} = this.session;
    if (state.own.text.length > MOST_TEXT) return;
    const text = await packed({...state, puzzle: server ? data.source : undefined});
    if (state !== this.session.state) return;
    this.#address = `#s=${text}`;
    try {
      history.replaceState(null, "", this.#address);
    } catch {
      // a page in a sandbox has no address of its own
    }
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

  // ---- What has changed ----

  get draft() {
    return this.#editor.draft;
  }

  puzzle() {
    const {data, server} = this.session;
    this.#heading.textContent = data.title;
    const unsupported = data.unsupported.join("; ");
    this.#unsupported.textContent = unsupported && `Not supported and ignored: ${unsupported}`;
    const lines = data.rules_in_words.split("\n").filter(Boolean);
    this.#rulesInWords.replaceChildren(...(lines.length ? [h("details", {},
      h("summary", {}, "Rules in words"), ...lines.map(line => h("p", {}, line)))] : []));
    this.#board.build();
    const {explain, hint, why} = this.#reasons;
    for (const button of [explain, hint, why]) {
      button.hidden = !server && !data.steps;
      button.disabled = !server && !data.steps?.length;
    }
  }

  changed() {
    this.#undo.disabled = !this.session.canUndo;
    this.#redo.disabled = !this.session.canRedo;
    this.program();
    this.#editor.render();
    this.#board.render();
  }

  board() {
    this.#board.render();
  }

  program() {
    this.#cards.render();
  }

  rule() {
    this.#editor.show();
  }

  findings() {
    this.#editor.renderFindings();
  }

  forget() {
    this.#editor.forget();
  }

  verdict() {
    const {verdict: {state, text}, groundLine} = this.session;
    this.#verdict.dataset.state = state;
    if (this.#verdict.textContent !== text) this.#verdict.textContent = text;
    if (this.#ground.textContent !== groundLine) this.#ground.textContent = groundLine;
  }

  mode() {
    const {mode, steps} = this.session;
    for (const [reason, button] of Object.entries(this.#reasons)) {
      button.setAttribute("aria-pressed", String(mode?.reason === reason));
    }
    const lines = steps?.steps[steps.index].lines ?? [];
    this.#cards.highlight(lines.flatMap(({spans}) => spans.map(([, rule]) => rule)));
    if (!steps) return;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.move;
    this.#write(stepWords(this.session, steps));
    /** @type {HTMLElement | null} */ (this.#words.querySelector(`[data-move="${focused}"]`))?.focus();
  }

  /** @param {Message} message */
  say({text, list = [], remark, retry}) {
    this.#write([
      ...(text ? [h("p", {}, text)] : []),
      ...(list.length ? [h("ul", {}, ...list.map(line => h("li", {}, line)))] : []),
      ...(remark ? [h("p", {class: "remark"}, remark)] : []),
      ...(retry ? [button(retry.words, retry.press)] : []),
    ]);
  }

  /** @param {Node[]} nodes */
  #write(nodes) {
    this.#words.replaceChildren(...nodes);
    if (!nodes.length) return;
    for (const each of [this.#words, this.#board.frame]) each.scrollIntoView({block: "nearest"}); // rather the board
  }
}

/** @param {string} label @param {Node[]} children */
function tools(label, ...children) {
  return h("div", {class: "tools", role: "group", "aria-label": label}, ...children);
}

/** Whether an event is about a field for text. @param {Event} event @param {RegExp} fields */
function isTyping(event, fields) {
  return fields.test(/** @type {Element} */ (event.target).tagName);
}

class Live extends HTMLElement {
  connectedCallback() {
    const json = this.querySelector("script[type='application/json']")?.textContent;
    this.page = new Page(this, JSON.parse(json ?? ""));
    document.documentElement.classList.add("live");
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
