// @ts-check
// The drawer of the rules that can be added.
import {button, h} from "./dom.js";
import {Drawer} from "./drawer.js";
import {definitionsIn} from "./findings.js";
import {activeFiles, ownRulesOn} from "./program.js";
import {titleIn} from "./statements.js";
/** @import {Rule} from "./program.js" */
/** @import {Session} from "./session.js" */

export class Shelf {
  #found = h("div", {class: "found"});

  /** @param {Session} session @param {{add: (name: string) => void, write: () => void, open: () => void}} actions */
  constructor(session, actions) {
    this.session = session;
    this.actions = actions;
    this.search = h("input", {
      type: "search", "aria-label": "Search", placeholder: `Search ${session.library.length} elaborations`,
      oninput: () => this.render(),
    });
    this.drawer = new Drawer("Add on top", this.search, this.#found);
  }

  open() {
    this.search.value = "";
    this.render();
    this.drawer.open();
    this.search.focus();
  }

  render() {
    const {data, state, library} = this.session;
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const files = activeFiles(data, state, library);
    const present = new Set([...files, ...state.own].map(rule => rule.name));
    const matches = library.filter(({name, title}) =>
      !present.has(name) && words.every(word => `${name} ${title}`.toLowerCase().includes(word)));
    const stated = this.#stated();
    const isFitting = (/** @type {Rule} */ {inputs}) => inputs.some(input => stated.has(input));
    const needsNone = (/** @type {Rule} */ {inputs}) => !inputs.length;
    const fitting = matches.filter(isFitting), free = matches.filter(needsNone);
    const rest = matches.filter(rule => !isFitting(rule) && !needsNone(rule));
    const shelved = state.own.filter(({name, shelved}) => shelved && files.every(rule => rule.name !== name));
    const own = shelved.map(({name, text}) => ({name, title: titleIn(text) || "your own rule", inputs: []}));
    const others = [
      button("a new brick …", () => this.#leave(this.actions.write), {class: "btn"}),
      button("open an .lp file …", () => this.#leave(this.actions.open), {class: "btn"})];
    const yours = words.length ? []
      : [h("h3", {}, "Yours"), this.#list(own), h("div", {class: "picks"}, ...others)];
    const bundled = [...this.#group("Fits this puzzle", fitting), ...this.#group("Needs no clues", free)];
    this.#found.replaceChildren(
      ...(own.length ? [...yours, ...bundled] : [...bundled, ...yours]),
      ...this.#group("Needs clues that this puzzle does not have", rest, true),
      words.length && !matches.length ? h("p", {class: "remark"}, "No other rule has these words.") : "");
  }

  /** The predicates that the puzzle or own rules state, as name/arity. */
  #stated() {
    const {data: {instance}, state} = this.session;
    const facts = instance.facts.map(fact => `${fact}.`).join("\n");
    const texts = [facts, ...ownRulesOn(state).map(({text}) => text)];
    return new Set(texts.flatMap(text => [...definitionsIn(text).keys()]));
  }

  /** @param {string} title @param {Rule[]} rules */
  #group(title, rules, disabled = false) {
    return rules.length ? [h("h3", {}, title), this.#list(rules, disabled)] : [];
  }

  /** @param {Pick<Rule, "name" | "title" | "inputs">[]} rules */
  #list(rules, disabled = false) {
    return h("ul", {class: "offers"}, ...rules.map(({name, title, inputs}) => h("li", {},
      button(name, () => this.#leave(() => this.actions.add(name)),
        {class: "btn", disabled, "aria-label": `Rule ${name}`}),
      h("span", {class: "say"}, title, disabled ? ` Needs ${inputs.join(", ")}.` : ""))));
  }

  /** @param {() => void} action */
  #leave(action) {
    this.drawer.close();
    action();
  }
}
