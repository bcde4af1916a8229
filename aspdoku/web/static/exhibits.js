// @ts-check
// What stands in the place of the slide or of the tower: a quotation, a difference of two texts, a base that is open.
import {h} from "./dom.js";
import {largestSize} from "./slide.js";
import {brokenLines, lineText, statementsIn} from "./statements.js";
import {plural} from "./words.js";
import {written} from "./written.js";
/** @import {Difference, OtherBase, Quotation} from "./scenes.js" */

const PROBE_LENGTH = 40; // characters, to measure the width of one
const SIGNS = 5; // characters for the sign and for the padding of a line

/** @param {Quotation} quotation */
export function quotation({quote, by}) {
  return [h("blockquote", {}, ...written(quote)), h("p", {class: "by"}, ...written(by))];
}

/**
 * Show a difference as large as it fits: statements are broken where the grammar breaks, a sign stands before each, and
 * lines that are unchanged are counted.
 * @param {HTMLElement} element @param {Difference} difference
 */
export function showDifference(element, {diff}) {
  const probe = h("span", {}, "0".repeat(PROBE_LENGTH));
  const texts = runsOf(diff);
  const fits = (/** @type {number} */ size) => {
    element.style.setProperty("--code", `${size}rem`);
    element.replaceChildren(h("pre", {}, probe));
    const columns = Math.floor(PROBE_LENGTH * element.clientWidth / probe.offsetWidth) - SIGNS;
    const runs = texts.map(([sign, text]) => linesOf(sign, text, columns));
    element.replaceChildren(h("pre", {}, ...runs.flatMap(({lines}) => lines)));
    const {scrollHeight, clientHeight, scrollWidth, clientWidth} = element;
    const isHigh = scrollHeight > clientHeight + 1, isWide = scrollWidth > clientWidth + 1;
    return !isHigh && !isWide && !runs.some(({isCut}) => isCut);
  };
  fits(largestSize(fits));
}

/** Lines with the same sign that follow each other, as one text. @param {Difference["diff"]} diff */
function runsOf(diff) {
  /** @type {[sign: string, text: string][]} */
  const runs = [];
  for (const [sign, line] of diff) {
    const last = runs[runs.length - 1];
    if (last?.[0] === sign) last[1] += `\n${line}`;
    else runs.push([sign, line]);
  }
  return runs;
}

/** The lines of a text, and whether one ends inside of a term. @param {string} sign @param {string} text
 * @param {number} columns */
function linesOf(sign, text, columns) {
  if (sign === " ") {
    const words = `… ${plural(text.split("\n").length, "line")} unchanged\n`;
    return {lines: [h("span", {class: "line same"}, words)], isCut: false};
  }
  const [kind, mark] = sign === "+" ? ["gain", "+ "] : ["loss", "− "];
  const statements = statementsIn(text).map(statement => brokenLines(statement, columns));
  const lines = statements.flatMap(broken => broken.map((line, index) => h("span", {
    class: `line ${kind}${index ? "" : " begins"}`,
  }, `${index ? "  " : mark}${lineText(line)}\n`)));
  return {lines, isCut: statements.flat().some(line => line.isCut)};
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
