// @ts-check
// The rule files of the program, with their switches, and those that can be added.
import {code, h, toggle} from "./dom.js";
import {activeFiles, addedRules, definitionsDeclared, instanceText, retractions} from "./program.js";
import {ruleName} from "./words.js";
/** @import {Rule} from "./program.js" */
/** @import {Session} from "./session.js" */

/** @typedef {(on: boolean) => void} Change */

export class Cards {
  #cards = h("div", {class: "cards"});
  #added = h("div", {class: "cards"});
  #found = h("div", {class: "cards"});

  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    const placeholder = "e.g. knight, sum, line";
    this.search = h("input", {type: "search", placeholder, oninput: () => this.renderLibrary()});
    const more = h("section", {"aria-label": "More rules", class: "more"},
      h("label", {}, "Add a rule ", this.search), this.#found);
    this.element = h("section", {class: "program", "aria-label": "Program"},
      this.#cards, this.#added, session.library.length ? more : "");
  }

  render() {
    const {data, state, library} = this.session;
    this.#cards.replaceChildren(
      this.#card(data.base, this.#switches(data.base.retracts), true),
      ...definitionsDeclared(data, state, library).map(rule => this.#card(rule, [], true)),
      ...data.rules.map(rule => this.#card(rule, this.#switches(rule.retracts.slice(0, 1)))),
      this.#instance(),
    );
    this.#added.replaceChildren(...addedRules(state, library).map(rule => this.#card(
      rule, [ruleSwitch(rule.name, true, on => on || this.#remove(rule.name))])));
    this.renderLibrary();
  }

  /** Highlight the cards of rule files that a step cites. @param {string[]} names */
  highlight(names) {
    const ids = names.map(cardId);
    this.element.querySelectorAll(".card").forEach(card => card.classList.toggle("used", ids.includes(card.id)));
  }

  /** @param {Rule} rule @param {Node[]} switches */
  #card({name, title, text, sha256, retracts}, switches, locked = false) {
    const {state, fresh} = this.session;
    const isOff = retracts.length > 0 && retracts.every(each => state.retracted.includes(each));
    const kinds = ["card", isOff && "off", fresh.includes(name) && "fresh", locked && "locked"].filter(Boolean);
    return h("section", {class: kinds.join(" "), id: cardId(name), "aria-label": `Rule file ${name}`},
      h("div", {class: "head"}, h("h2", {}, name), ...switches),
      h("p", {}, title),
      locked ? h("p", {class: "sum"}, "Locked: it never changes. SHA-256 ", h("code", {}, sha256)) : "",
      code(`Text of ${name}`, text));
  }

  /** @param {string[]} names with which facts retract rules */
  #switches(names) {
    const {retracted} = this.session.state;
    return names.map(name => ruleSwitch(ruleName(name), !retracted.includes(name), on => this.#retract(name, !on)));
  }

  /** @param {string} name @param {boolean} off */
  #retract(name, off) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.rule;
    this.session.retract(name, off);
    focusRule(this.element, focused);
  }

  #instance() {
    const {data, state, fresh} = this.session;
    const more = {class: fresh.includes("instance") ? "fresh" : ""};
    return h("section", {class: "card", "aria-label": "Instance"},
      h("div", {class: "head"}, h("h2", {}, "instance")),
      h("p", {}, "The puzzle as facts, and retractions, which are facts, too."),
      state.retracted.length ? code("Retractions", retractions(state), more) : "",
      code("Facts of the puzzle", instanceText(data, state), {class: "facts"}));
  }

  renderLibrary() {
    const {data, state, library} = this.session;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const present = new Set(activeFiles(data, state, library).map(rule => rule.name));
    const fits = (/** @type {Rule} */ {name, title}) =>
      !present.has(name) && words.every(word => `${name} ${title}`.toLowerCase().includes(word));
    const matches = words.length ? library.filter(fits) : [];
    this.#found.replaceChildren(...matches.map(({name, title, inputs}) => h("div", {class: "match"},
      ruleSwitch(name, false, on => on && this.#add(name)),
      h("p", {}, title, inputs.length ? h("span", {class: "remark"}, ` Needs clues: ${inputs.join(", ")}`) : ""))));
    if (words.length && !matches.length) {
      this.#found.replaceChildren(h("p", {class: "remark"}, "No other rule has these words."));
    }
  }

  /** @param {string} name */
  #add(name) {
    this.search.value = "";
    this.session.update(state => state.added.push(name), {fresh: [name]});
    focusRule(this.#added, name);
  }

  /** @param {string} name */
  #remove(name) {
    this.session.update(state => (state.added = state.added.filter(other => other !== name)));
    this.search.focus();
  }
}

/** @param {string} name */
function cardId(name) {
  return `rule-${name.replaceAll("/", "-")}`;
}

/** @param {string} name @param {boolean} on @param {Change} change */
function ruleSwitch(name, on, change) {
  const element = toggle(name, change, on);
  element.setAttribute("aria-label", `Rule ${name}`);
  element.dataset.rule = name;
  return element;
}

/** @param {HTMLElement} element @param {string} [rule] */
function focusRule(element, rule) {
  /** @type {HTMLElement | null} */ (element.querySelector(`[data-rule="${rule}"]`))?.focus();
}
