// The page of an exercise: sends the rule, and shows the verdict, the findings and the grids.
"use strict";

const form = document.getElementById("exercise");
const answer = document.getElementById("answer");

function add(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  answer.append(element);
  return element;
}

function draw(svg) {
  const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  answer.append(document.importNode(drawing, true));
}

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
  const kind = event.submitter?.value || "mark";
  const [name, text] = ["name", "text"].map(id => document.getElementById(id).value);
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
