// @ts-check
// What stands in the place of the slide or of the tower: a quotation, a difference of two texts, a base that is open.
import {h} from "./dom.js";
import {written} from "./written.js";
/** @import {Difference, OtherBase, Quotation} from "./scenes.js" */

const DIFF_SIZES = [1.3, 1.2, 1.1, 1, 0.9, 0.8, 0.72, 0.66]; // rem, larger ones first

/** @param {Quotation} quotation */
export function quotation({quote, by}) {
  return [h("blockquote", {}, ...written(quote)), h("p", {class: "by"}, ...written(by))];
}

/** The lines of a difference: a sign stands at the first line of a statement. @param {Difference} difference */
export function differenceLines({diff}) {
  const kinds = /** @type {Record<string, string>} */ ({"+": "gain", "-": "loss", " ": "same"});
  return [h("pre", {}, ...diff.map(([sign, line]) => {
    const begins = sign !== " " && !/^\s/.test(line);
    const text = `${begins ? (sign === "+" ? "+ " : "− ") : "  "}${line}`;
    return h("span", {class: `line ${kinds[sign]}${begins ? " begins" : ""}`}, `${text}\n`);
  }))];
}

/** Make the text of an element as large as it fits. @param {HTMLElement} element */
export function fitText(element) {
  for (const size of DIFF_SIZES) {
    element.style.setProperty("--code", `${size}rem`);
    const {scrollHeight, clientHeight, scrollWidth, clientWidth} = element;
    if (scrollHeight <= clientHeight + 1 && scrollWidth <= clientWidth + 1) return;
  }
}

/** The brick of a base without hooks, which changes. @param {OtherBase} base */
export function openBase({name, hash, was, added, removed}) {
  const lock = h("span", {class: "padlock"});
  lock.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 11V7a5 5 0 0 1 9.6-2" fill="none"'
    + ' stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/><rect x="4.5" y="10.5" width="15" height="11"'
    + ' rx="2.2" fill="currentColor"/><circle class="keyhole" cx="12" cy="15.4" r="1.7"/><path class="keyhole"'
    + ' d="M12 16v2.6" stroke-width="1.8" stroke-linecap="round"/></svg>';
  const cost = [removed ? `−${removed}` : "", added ? `+${added}` : ""].filter(Boolean).join(" ");
  return h("li", {class: "brick base open"}, h("p", {class: "name"}, name),
    h("span", {class: "lock"}, cost ? h("span", {class: "bill", title: "Statements removed and added"}, cost) : "",
      was ? h("s", {}, was.slice(0, 7)) : "", h("code", {}, hash.slice(0, 7)), lock, h("span", {class: "vh"}, "open")));
}
