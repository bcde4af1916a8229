// @ts-check
// Texts of a lesson as elements.
import {h} from "./dom.js";
/** @import {Words} from "./scenes.js" */

/** @param {Words} words @returns {(Node | string)[]} */
export function written(words) {
  if (typeof words === "string") return [words];
  return words.map(([kind, text]) => (kind === "code" || kind === "em" ? h(kind, {}, text) : text));
}
