// @ts-check
// Why a cell has its number: the rules that force it, and steps.
import {dependencies, repairs} from "./answers.js";
import {Cancelled} from "./engine.js";
import {initialState, isUnused, ownRulesOn} from "./program.js";
import {listed, ruleName} from "./words.js";
/** @import {Dependency} from "./answers.js" */
/** @import {Step} from "./program.js" */
/** @import {Reached, Reason, Session} from "./session.js" */

// The heat map asks clingo about each set of so many rules, at most 64; of more rules, about each one.
const MOST_RETRACTED = 6;

/** @param {Session} session */
export async function heatMap(session) {
  if (session.heat) {
    session.stop();
    return;
  }
  if (session.verdict.state === "error") {
    session.say(`No map. ${session.verdict.text}`);
    return;
  }
  const {data, state, retractable: rules, program: {text: program}} = session;
  const single = rules.length > MOST_RETRACTED;
  session.say(`Asking clingo about all ${single ? "single rules" : "sets of the rules"} ${listed(rules)} …`);
  try {
    const most = single ? 1 : rules.length;
    const {answers} = await session.engine.ask({kind: "depends", program, rules, most}, 60);
    session.leave();
    if (!answers[0].candidates.length) {
      sayWhyNone(session, repairs(answers), single);
      return;
    }
    const cells = dependencies(answers);
    for (const cell of [...cells.keys()]) {
      const [row, column] = cell.split(",").map(Number);
      if (state.givens[row - 1][column - 1] !== null || isUnused(data, row, column)) cells.delete(cell);
    }
    const note = `Of the ${rules.length} rules, each is retracted alone: without two of them, more may be possible.`;
    session.begin({kind: "heat", reason: "heat", cells, note: single ? note : ""});
    explainCell(session);
  } catch (error) {
    if (!(error instanceof Cancelled)) session.say(`No map: ${error.message}`);
  }
}

/**
 * No cell is forced by rules that no grid satisfies: say which of them to retract.
 * @param {Session} session @param {string[][]} sets @param {boolean} single
 */
function sayWhyNone(session, sets, single) {
  const list = sets.map(set => `without ${listed(set.map(ruleName))}, there is one`);
  if (sets.length) session.say("There is no solution, so that no cell is forced.", {list});
  else if (single) session.say("There is no solution, whichever one of these rules is retracted.");
  else session.say("There is no solution, whichever ones of these rules are retracted.");
}

/** The words about the selected cell in the heat map, or its step in an explanation. @param {Session} session */
export function explainCell(session) {
  const [row, column] = session.selected;
  const {heat, steps, data} = session;
  if (heat) {
    const remark = `The small number in a cell counts the rules that its number depends on. ${heat.note}`;
    const [words, list = []] = forcedWords(session, heat.cells.get(`${row},${column}`));
    session.say(words, {list, remark});
  } else if (steps && session.clicked === `${row},${column}` && data.givens[row - 1][column - 1] === null) {
    const index = placing(steps.steps, row, column);
    if (index >= 0 && index !== steps.index) showStep(session, index);
    else if (index < 0 && steps.reason === "why") why(session);
  }
}

/**
 * What forces the selected cell, in words, and the other numbers without some rules.
 * @param {Session} session @param {Dependency} [forced] @returns {[string, string[]?]}
 */
function forcedWords({selected: [row, column], heat, state}, forced) {
  const title = `r${row}c${column}`;
  if (!heat?.cells.size) return ["No cell has a single number under these rules."];
  if (state.givens[row - 1][column - 1] !== null) return [`${title} is given.`];
  if (!forced) return [`${title} is not forced: several numbers are possible.`];
  const {number, sets} = forced;
  if (!sets.length) return [`${title} is ${number} whatever ${heat.note ? "single " : ""}rule is retracted.`];
  return [`${title} is ${number}:`, sets.map(({rules, others}) =>
    `without ${listed(rules.map(ruleName))}, ${listed(others.map(String), "or")} would be possible here`)];
}

/** @param {Step[]} steps @param {number} row @param {number} column */
function placing(steps, row, column) {
  return steps.findIndex(step => step.placed.some(([r, c]) => r === row && c === column));
}

/** All steps to the solution. A handout contains them. @param {Session} session */
export async function explain(session) {
  if (session.mode?.reason === "explain") {
    session.stop();
    return;
  }
  const {steps, cut_off: cutOff} = session.data;
  if (steps) {
    if (!isOther(session)) showSteps(session, "explain", steps, 0, "", cutOff);
    return;
  }
  const found = await session.askAboutPuzzle("Looking for the steps …", {kind: "explain"});
  if (found?.text) session.say(found.text);
  else if (found) showSteps(session, "explain", found.steps, 0, "", found.cut_off);
}

/**
 * The steps that lead to the number of the selected cell; in a handout, the step that finds it.
 * @param {Session} session
 */
export async function why(session) {
  const {data, state, selected: [row, column]} = session;
  const [name, cell] = [`r${row}c${column}`, `${row},${column}`];
  session.stop();
  if (isUnused(data, row, column) || isOther(session)) return;
  if ((data.steps ? data : state).givens[row - 1][column - 1] !== null) {
    session.say(`${name} is given.`);
    return;
  }
  if (data.steps) {
    const index = placing(data.steps, row, column);
    if (index < 0) session.say(`No step finds the number of ${name}.`);
    else showSteps(session, "why", data.steps, index, `Why ${name}?`, data.cut_off);
    return;
  }
  const possible = session.candidatesOf(cell);
  if (cell in state.entries) {
    session.say(`${name}=${state.entries[cell]} is assumed: empty the cell to ask why it has a number.`);
  } else if (!possible.length) {
    session.say(session.candidates ? "There is no solution." : "The candidates are not known.");
  } else if (possible.length > 1) {
    session.say(`${name} is not forced: ${listed(possible.map(String), "or")} is possible.`);
  } else {
    const claim = `${name}=${possible[0]}`;
    const found = await session.askAboutPuzzle(`Looking for the reasons of ${claim} …`, {kind: "why", claim});
    if (found?.steps.length) showSteps(session, "why", found.steps, found.steps.length - 1, `Why ${claim}?`);
    else if (found) session.say(found.text ?? "");
  }
}

/** The next step, given the numbers that were entered. @param {Session} session */
export async function hint(session) {
  const {data: {steps}, state: {givens}, described: {givens: entries}} = session;
  if (steps) {
    if (!isOther(session)) hintOf(session, steps);
    return;
  }
  const found = await session.askAboutPuzzle("Looking for the next step …", {kind: "hint", givens, entries});
  if (!found) return;
  session.begin({kind: "hint", reason: "hint", cells: found.cells});
  session.say(found.text);
}

/** A hint in a handout. @param {Session} session @param {Step[]} steps */
function hintOf(session, steps) {
  const {data: {givens, cut_off: cutOff}, state: {entries}} = session;
  const placed = steps.map(step => step.placed.filter(([row, column]) => givens[row - 1][column - 1] === null));
  const wrong = placed.flat().flatMap(([row, column, number]) => {
    const entry = entries[`${row},${column}`] ?? number;
    return entry === number ? [] : [`r${row}c${column}=${entry}`];
  });
  const done = placed.findLastIndex(
    cells => cells.length && cells.every(([row, column]) => `${row},${column}` in entries));
  session.stop();
  if (wrong.length) session.say(`Wrong: ${listed(wrong)}`);
  else if (done === steps.length - 1) session.say("There is no next step.");
  else showSteps(session, "hint", steps, done + 1, "", cutOff);
}

/**
 * Show steps, beginning with one of them.
 * @param {Session} session @param {Reason} reason @param {Step[]} steps @param {number} index
 * @param {string | null} [cutOff] why there are not more of them, if the time limit cut them off
 */
function showSteps(session, reason, steps, index, title = "", cutOff = "") {
  session.leave();
  if (!steps.length) {
    session.say(cutOff || "There is nothing to explain.");
    return;
  }
  session.clicked = undefined;
  session.begin({kind: "steps", reason, steps, index, title, cutOff, reached: reached(steps, index)});
}

/** Show another one of the steps. @param {Session} session @param {number} to */
export function showStep(session, to) {
  const {steps: mode} = session;
  if (!mode) return;
  const index = Math.min(mode.steps.length - 1, Math.max(0, to));
  session.begin({...mode, index, reached: reached(mode.steps, index)});
}

/**
 * The board after a step: the steps contain what each of them changes.
 * @param {Step[]} steps @param {number} index @returns {Reached}
 */
export function reached(steps, index) {
  const numbers = new Map(), candidates = new Map();
  for (const step of steps.slice(0, index + 1)) {
    for (const [row, column, number] of step.placed) numbers.set(`${row},${column}`, number);
    for (const [row, column, left] of step.candidates) candidates.set(`${row},${column}`, left);
  }
  const {struck, marked} = steps[index];
  return {numbers, candidates, marked, struck: new Map(struck.map(([row, column, out]) => [`${row},${column}`, out]))};
}

/**
 * Whether a handout's steps are about other rules or givens than those that are shown, which is said.
 * @param {Session} session
 */
function isOther(session) {
  const {data, state} = session;
  const changed = {...state, entries: {}, own: ownRulesOn(state)};
  if (!data.steps || JSON.stringify(changed) === JSON.stringify(initialState(data))) return false;
  session.stop();
  session.say("The steps in this page are those of the original puzzle. The rules or the givens have been changed:"
    + " take the changes back (←), or ask aspdoku serve.");
  return true;
}
