// @ts-check
// The page of an exercise: sends the rule, and shows the verdict, the findings and the grids.
import {askServer} from "./server.js";

/** @typedef {{verdict?: string, parts: {text: string, drawings: string[]}[], findings: Finding[]}} Found */
/** @typedef {{line: number, column: number, text: string}} Finding */

const form = field("exercise");
const answer = field("answer");

/** @param {string} id */
function field(id) {
  return /** @type {HTMLInputElement} */ (document.getElementById(id));
}

/** @param {string} tag @param {string} className @param {string} text */
function add(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  answer.append(element);
  return element;
}

/** @param {string} svg */
function draw(svg) {
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  answer.append(document.importNode(drawing, true));
}

/** @param {Found} found @param {string} name */
function show(found, name) {
  if (found.verdict) {
    add("h2", "verdict", found.verdict);
    for (const part of found.parts) {
      add("p", "words", part.text);
      part.drawings.forEach(draw);
    }
    return;
  }
  if (!found.findings.length) add("p", "words", "nothing found");
  for (const {line, column, text} of found.findings) add("p", "words", `${name}.lp:${line}:${column}: ${text}`);
}

form.addEventListener("submit", async event => {
  event.preventDefault();
  const kind = event.submitter?.getAttribute("value") || "mark";
  const [name, text] = ["name", "text"].map(id => field(id).value);
  const buttons = form.querySelectorAll("button");
  buttons.forEach(button => (button.disabled = true));
  answer.replaceChildren();
  add("p", "words", "…");
  try {
    const found = await askServer({kind, name, text});
    answer.replaceChildren();
    show(found, name);
  } catch (error) {
    answer.replaceChildren();
    add("p", "error", error.message);
  } finally {
    buttons.forEach(button => (button.disabled = false));
    answer.focus();
  }
});
