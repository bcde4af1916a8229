// @ts-check
// Numbers that contradict each other, and clues that a solution does not satisfy.
import {byCell} from "./answers.js";
import {activeFiles, compose, numberAt} from "./program.js";
import {statementsIn} from "./statements.js";
import {listed, ruleName} from "./words.js";
/** @import {Cell} from "./board.js" */
/** @import {Puzzle} from "./program.js" */
/** @import {Session} from "./session.js" */
/** @import {Statement} from "./statements.js" */

const SEARCH_SECONDS = 4;
const MOST_PAIRS = 3;

/**
 * The arguments of the atoms of a predicate.
 * @param {string[]} atoms @param {string} predicate @returns {string[][]}
 */
function termsIn(atoms, predicate) {
  return atoms.flatMap(atom => {
    const [, name, inside = ""] = /^(\w+)(?:\((.*)\))?$/.exec(atom) || [];
    return name === predicate ? [inside.match(/"[^"]*"|\([^)]*\)|[^,]+/g) || []] : [];
  });
}

/**
 * The numbers with which the number that was entered last cannot be together under the rules, and which rules say so.
 * @param {Session} session
 */
export async function contradictions(session) {
  const {engine, data, state, library, program, lastCell, retractable} = session;
  if (!lastCell) return;
  const [row, column] = lastCell.split(",").map(Number);
  const number = numberAt(state, row, column);
  if (number === undefined) return;
  const none = state.givens.map(row => row.map(() => null));
  const programOf = (/** @type {Record<string, number>} */ entries) =>
    compose(data, {...state, givens: none, entries}, library).text;
  /** @type {[string, number][]} */
  const others = [...state.givens.flatMap((row, r) => row.flatMap((given, c) =>
    (given === null ? [] : [/** @type {[string, number]} */ ([`${r + 1},${c + 1}`, given])]))),
  ...Object.entries(state.entries)].filter(([cell]) => cell !== lastCell);
  try {
    const alone = programOf({[lastCell]: number});
    const {candidates} = await engine.ask({kind: "candidates", program: alone, shown: []}, SEARCH_SECONDS);
    const possible = byCell(candidates);
    const against = others.filter(([cell, other]) => !possible.get(cell)?.includes(other));
    if (!against.length || program !== session.program) return;
    const cellOf = (/** @type {string} */ cell) => /** @type {Cell} */ (cell.split(",").map(Number));
    session.conflicts = against.slice(0, MOST_PAIRS).map(([cell]) => [cellOf(lastCell), cellOf(cell)]);
    const name = (/** @type {string} */ cell) => `r${cell.replace(",", "c")}`;
    const words = (/** @type {string} */ cell) => `${name(lastCell)} and ${name(cell)} contradict each other`;
    session.remark = words(against[0][0]);
    session.view.board();
    // A rule may contradict itself as long as another one, which is left out here, makes exceptions from it.
    const isPossible = async (/** @type {string} */ rule, /** @type {Record<string, number>} */ entries) => {
      const facts = retractable.filter(each => each !== rule).map(each => `ab(${each}).\n`).join("");
      const {grids} = await engine.ask({kind: "solve", program: `${programOf(entries)}\n${facts}`}, SEARCH_SECONDS);
      return grids.length > 0;
    };
    /** @type {[Cell, Cell][]} */
    const direct = []; // those that a single rule forbids
    for (const [cell, other] of against.slice(0, MOST_PAIRS)) {
      const reasons = [];
      for (const rule of retractable) {
        const isReason = !await isPossible(rule, {[lastCell]: number, [cell]: other})
          && await isPossible(rule, {[lastCell]: number});
        if (isReason) reasons.push(ruleName(rule));
      }
      if (program !== session.program) return;
      if (!reasons.length) continue;
      if (!direct.length) session.remark = `${words(cell)}: ${listed(reasons)}`;
      session.view.verdict();
      direct.push([cellOf(lastCell), cellOf(cell)]);
    }
    if (direct.length) session.conflicts = direct;
    session.view.board();
  } catch {
    // the verdict is known; a rule that takes long has no rings
  }
}

/**
 * The cells of a clue: those that facts with its name put into it.
 * @param {{text: string}} rule @param {string} term @param {Puzzle} data @returns {Cell[]}
 */
function cellsOf({text}, term, {instance: {facts}}) {
  const inputs = [...text.matchAll(/^#defined \w+\/\d+\.[ \t]*%[ \t]*(\w+)\(([\w,]*)\)/gm)];
  return inputs.flatMap(([, predicate, letters]) => {
    const [row, column] = ["R", "C"].map(letter => letters.split(",").indexOf(letter));
    if (row < 0 || column < 0) return [];
    return termsIn(facts, predicate).filter(terms => terms.includes(term))
      .map(terms => /** @type {Cell} */ ([Number(terms[row]), Number(terms[column])]));
  });
}

/**
 * Find the facts ab(…) that the rules derive in the only solution, and their clues.
 * @param {Session} session
 */
export async function exemptClues(session) {
  const {engine, data, state, library, program} = session;
  const files = activeFiles(data, state, library);
  const derives = (/** @type {Statement} */ {tokens, body}) => tokens[0].text === "ab" && body < tokens.length;
  if (!files.some(({text}) => statementsIn(text).some(derives))) return;
  const {atoms} = await engine.ask({kind: "witness", program: `${program.text}\n#show ab/2.\n`});
  const stated = new Set([...data.instance.facts, ...state.retracted.map(each => `ab(${each})`)]);
  session.derived = (atoms || []).filter(atom => atom.startsWith("ab(") && !stated.has(atom));
  session.exemptClues = session.derived.flatMap(atom => {
    const [[name, term] = ["", ""]] = termsIn([atom], "ab");
    const rule = files.find(each => each.retracts.includes(name));
    const cells = rule && term ? cellsOf(rule, term, data) : [];
    return cells.length ? [{name: term.replaceAll('"', ""), cells}] : [];
  });
}
