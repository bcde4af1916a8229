// @ts-check
// What a change costs in several formalisms: bars of statements that are added and removed, and the statements.
import {button, h, update} from "./dom.js";
import {panel} from "./drawer.js";
import {barWidth, costWords} from "./scenes.js";
/** @import {Cost, CostsOfChange} from "./scenes.js" */

export class Formalisms {
  /** @type {CostsOfChange[]} */
  #changes = [];
  #current = 0;
  /** @type {Cost | undefined} */
  #open;
  element = h("section", {class: "costs", "aria-label": "What the same change costs elsewhere"});
  #name = h("p", {class: "remark"});
  #list = h("div", {class: "statements", tabindex: 0, role: "region", "aria-label": "Statements"});
  statements = panel("Statements", () => this.#show(undefined), this.#name, this.#list);

  /** @param {() => void} arrange to call if the statements appear or go */
  constructor(arrange) {
    this.arrange = arrange;
  }

  /** @param {CostsOfChange[]} changes */
  show(changes) {
    if (changes === this.#changes) return;
    this.#changes = changes;
    this.#current = 0;
    this.#open = undefined;
    this.#render();
  }

  get isOpen() {
    return Boolean(this.#open);
  }

  close() {
    if (this.isOpen) this.#show(undefined);
  }

  #render() {
    const {change, rows} = this.#changes[this.#current];
    const most = Math.max(...rows.flatMap(({added, removed}) => [added, removed]));
    update(this.element,
      h("div", {}, h("h2", {}, "What the same change costs elsewhere"),
        h("p", {class: "caption"},
          "Statements added and removed. Compare along a row, not down; bar lengths are logarithmic.")),
      h("div", {class: "seg", role: "group", "aria-label": "Change"}, ...this.#changes.map((each, index) =>
        button(each.change, () => this.#turn(index),
          {"aria-pressed": String(each.change === change), "data-key": `change ${index}`}))),
      ...rows.map((row, index) => this.#bar(row, index, most)));
  }

  /** @param {Cost} row @param {number} index @param {number} most */
  #bar(row, index, most) {
    const {name, note, added, removed} = row;
    const line = (/** @type {string} */ kind, /** @type {string} */ sign, /** @type {number} */ count) => {
      const bar = h("i");
      bar.style.width = `${barWidth(count, most)}%`;
      return h("span", {class: kind}, bar, `${sign}${count.toLocaleString("en")}`);
    };
    const lines = [...(added ? [line("gain", "+", added)] : []), ...(removed ? [line("loss", "−", removed)] : [])];
    return h("button", {
      type: "button", class: `cost${index ? "" : " ours"}`, "data-key": `row ${index}`, title: "Show the statements",
      "aria-label": `${costWords(row)}. Show the statements`, "aria-pressed": String(row === this.#open),
      onclick: () => this.#show(row === this.#open ? undefined : row),
    }, h("span", {}, name, note ? h("small", {}, note) : ""),
    h("span", {class: "lengths"}, ...(lines.length ? lines : [h("span", {class: "nil"}, "nothing")])));
  }

  /** @param {number} index */
  #turn(index) {
    this.#current = index;
    this.#open = undefined;
    this.#render();
    this.arrange();
  }

  /** @param {Cost | undefined} row */
  #show(row) {
    this.#open = row;
    if (row) {
      const {statements: {added, removed}} = row;
      const all = [...added.map(text => ["gain", "+ ", text]), ...removed.map(text => ["loss", "− ", text])];
      const more = row.added + row.removed - all.length;
      this.#name.textContent = `${costWords(row)}.`;
      this.#list.replaceChildren(
        ...all.map(([kind, sign, text]) => h("pre", {class: kind}, sign + text)),
        more > 0 ? h("p", {class: "remark"}, `… and ${more.toLocaleString("en")} more`) : "",
        all.length ? "" : h("p", {}, "No statement is added or removed."));
    }
    this.#render();
    this.arrange();
  }
}
