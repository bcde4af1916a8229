// @ts-check
// A field for the text of a rule, with numbers of lines, colours, and marks where something is wrong.
import {h, highlighted} from "./dom.js";
import {MOST_TEXT} from "./program.js";
/** @import {Properties} from "./dom.js" */
/** @import {Finding} from "./findings.js" */

const WORD = /[\w#@]+|\s*\S?/y;
const SIGNS = {error: "✗", warning: "!", note: "·"}; // before the number of a line

/** @param {Finding} finding @returns {keyof typeof SIGNS} */
export function severityOf({severity, error}) {
  return /** @type {keyof typeof SIGNS} */ (severity ?? (error === false ? "warning" : "error"));
}

/**
 * Where in a line a finding is: a word at its column, or else the line.
 * @param {string} line @param {number} [column]
 */
export function wordAt(line, column) {
  if (column === undefined || column < 1) return [0, line.length];
  // What is missing at the end belongs to what is before it.
  WORD.lastIndex = Math.max(0, Math.min(column, line.trimEnd().length) - 1);
  const length = WORD.exec(line)?.[0].length ?? 0;
  return [WORD.lastIndex - length, WORD.lastIndex];
}

/** What is wrong, as items of a list. @param {Finding[]} findings */
export function findingItems(findings) {
  return findings.map(finding => h("li", {class: `severity-${severityOf(finding)}`},
    h("b", {}, finding.line ? `Line ${finding.line}: ` : ""), finding.text));
}

export class CodeField {
  #mirror = h("pre", {"aria-hidden": "true"});
  #gutter = h("pre", {"aria-hidden": "true", class: "gutter"});
  /** @type {Finding[]} */
  #findings = [];

  /** @param {Properties & {oninput: () => void}} properties of the field @param {number} least numbers of lines */
  constructor({oninput, ...properties}, least = 0) {
    this.least = least;
    this.area = h("textarea", {
      spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": "Text of your rule",
      onscroll: () => this.#scroll(), ...properties,
      oninput: () => {
        this.#render();
        oninput();
      },
    });
    this.element = h("div", {class: "editor"}, this.#gutter, h("div", {}, this.#mirror, this.area));
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.#render();
  }

  /** @param {Finding[]} findings */
  mark(findings) {
    if (!findings.length && !this.#findings.length) return;
    this.#findings = findings;
    this.#render();
  }

  focus() {
    this.area.focus();
  }

  #render() {
    const {text} = this;
    const lines = text.length > MOST_TEXT ? [] : text.split("\n");
    const shown = document.createDocumentFragment();
    lines.forEach((line, index) => shown.append(...this.#marked(line, index + 1), "\n"));
    this.#mirror.replaceChildren(lines.length ? shown : text);
    const numbers = [...Array(Math.max(lines.length, this.least)).keys()].map(index => index + 1);
    this.#gutter.replaceChildren(...numbers.flatMap(number => [number > 1 ? "\n" : "", this.#numbered(number)]));
    this.#scroll();
  }

  /** The finding of a line that is shown: an error, if there is one. @param {number} number */
  #findingIn(number) {
    const found = this.#findings.filter(each => each.line === number);
    return found.find(each => severityOf(each) === "error") ?? found[0];
  }

  /** @param {number} number */
  #numbered(number) {
    const finding = this.#findingIn(number);
    if (!finding) return ` ${number}`;
    const severity = severityOf(finding);
    return h("span", {class: `wrong-number severity-${severity}`}, `${SIGNS[severity]}${number}`);
  }

  /** A line with marks. @param {string} line @param {number} number */
  #marked(line, number) {
    const finding = this.#findingIn(number);
    if (!finding) return [highlighted(line)];
    const [start, end] = wordAt(line, finding.column);
    const word = h("span", {class: `wrong wrong-${severityOf(finding)}`}, highlighted(line.slice(start, end)));
    return [highlighted(line.slice(0, start)), word, highlighted(line.slice(end))];
  }

  #scroll() {
    this.#mirror.scrollTop = this.#gutter.scrollTop = this.area.scrollTop;
    this.#mirror.scrollLeft = this.area.scrollLeft;
  }
}
