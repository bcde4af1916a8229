// @ts-check
// The words of a step, and the way to the others.
import {button, h} from "./dom.js";
import {showStep} from "./reasons.js";
/** @import {Line, Mark} from "./program.js" */
/** @import {Session, Steps} from "./session.js" */

/** @type {Record<Mark, string>} */
const MARK_WORDS = {
  concluded: "concluded", looked: "used", clue: "of the clue", cited: "of the row, column or region",
};

/** @param {Session} session @param {Steps} mode */
export function stepWords(session, {steps, index, title, cutOff}) {
  const step = steps[index];
  const move = (/** @type {string} */ text, /** @type {number} */ by) =>
    button(text, () => showStep(session, index + by), {"data-key": `move ${by}`, class: "btn"});
  const place = `${title} Step ${index + 1} of ${steps.length}${cutOff ? " that were found in time" : ""}`.trim();
  const kinds = /** @type {Mark[]} */ (Object.keys(MARK_WORDS)).filter(kind => step.marked[kind]);
  const remarks = cutOff ? [cutOff] : [];
  if (session.data.steps && Object.keys(session.state.entries).length) {
    remarks.push("The steps are those of the original puzzle, without entries.");
  }
  return [
    h("div", {class: "tools"}, move("← Back", -1), move("Next →", 1), h("span", {}, place)),
    ...step.lines.map(lineWords),
    h("p", {class: "legend"}, ...kinds.map(kind => h("span", {class: `key key-${kind}`}, MARK_WORDS[kind]))),
    ...remarks.map(remark => h("p", {class: "remark"}, remark)),
  ];
}

/** @param {Line} line */
function lineWords({indent, lead, spans}) {
  return h("p", {class: `indent-${Math.min(9, indent >> 1)}`}, lead, " ",
    ...spans.map(([text, rule]) => (rule ? h("span", {class: "cited", title: rule}, text) : text)));
}
