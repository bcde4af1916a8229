// @ts-check
// The verdict: one line in which numbers roll, and a small one about what has changed.
import {MOST_COUNTED} from "./answers.js";
import {button, h} from "./dom.js";
import {plural} from "./words.js";
/** @import {Changes, Verdict} from "./session.js" */

/** Whether things must not move. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class VerdictLine {
  #said = h("span", {class: "vh", role: "status"});
  #shown = h("span", {class: "shown", "aria-hidden": "true"});
  #digits = h("span", {class: "odo"});
  #key = "";
  element = h("div", {class: "verdict"}, this.#said, this.#shown);
  legend = h("p", {class: "legend"});

  /** @param {() => void} [explain] shows what the caveat of a verdict is about */
  constructor(explain) {
    this.explain = explain;
  }

  /** @param {Verdict} verdict @param {Changes} [changes] @param {string} [remark] why there is no solution */
  show({state, text, caveat, count, was}, changes, remark = "") {
    this.element.dataset.state = state;
    this.element.classList.remove("say", "bad");
    const said = caveat ? `${text}, ${caveat}` : text;
    if (state === "busy") return; // the last one is dimmed
    if (this.#said.textContent !== said) this.#said.textContent = said;
    const key = `${state} ${said}`;
    if (key !== this.#key) {
      if (count) roll(this.#digits, Math.min(count, MOST_COUNTED));
      this.#shown.replaceChildren(
        ...(count ? [this.#digits, count > MOST_COUNTED ? h("span", {class: "plus"}, "+") : "",
          h("b", {}, count === 1 ? "solution" : "solutions")] : [h("b", {}, text)]));
    }
    this.#key = key;
    const ask = this.explain && caveat && button(caveat, this.explain, {class: "caveat"});
    this.#explain([remark, ask || caveat], count, was, changes);
  }

  /** What is said of another grid than the puzzle. @param {string} text @param {boolean} isBad */
  say(text, isBad) {
    this.#key = "";
    this.element.classList.add("say");
    this.element.classList.toggle("bad", isBad);
    this.#said.textContent = text;
    this.#shown.replaceChildren(text);
    this.legend.replaceChildren();
  }

  /** @param {(string | Node)[]} remarks @param {number} [count] @param {number} [was] @param {Changes} [changes] */
  #explain(remarks, count, was, changes) {
    const before = was === undefined || was === count ? ""
      : `was ${was > MOST_COUNTED ? `more than ${MOST_COUNTED.toLocaleString("en")}` : was}`;
    const [came, went] = [changes?.came.size ?? 0, changes?.went.size ?? 0];
    const parts = [...remarks, before, came ? h("b", {}, `${plural(came, "candidate")} came`) : "",
      went ? h("s", {}, `${plural(went, "candidate")} went`) : ""].filter(part => part !== "");
    this.legend.replaceChildren(...parts.flatMap((part, index) => (index ? [" · ", part] : [part])));
  }
}

/**
 * Show a number. Each digit is a strip of ten that moves to its place.
 * @param {HTMLElement} digits @param {number} count
 */
export function roll(digits, count) {
  const old = /** @type {HTMLElement[]} */ ([...digits.children]).map(each => Number(each.dataset.digit || 0));
  const signs = [...count.toLocaleString("en")];
  const strips = signs.map((sign, index) => {
    if (!/\d/.test(sign)) return h("span", {}, sign);
    const strip = h("i", {}, ...[...Array(10).keys()].map(digit => h("b", {}, String(digit))));
    const place = (/** @type {number} */ digit) => (strip.style.transform = `translateY(${-1.15 * digit}em)`);
    place(old[old.length - signs.length + index] ?? 0);
    const turn = () => place(Number(sign));
    if (isCalm()) turn();
    else requestAnimationFrame(() => requestAnimationFrame(turn));
    return h("span", {"data-digit": sign}, strip);
  });
  digits.replaceChildren(...strips);
}
