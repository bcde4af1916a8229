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
 * Find numbers that cannot be together with the number that was entered last, though each of the two is possible, and
 * which rules say so. If no single rule does, they are those that all rules together forbid.
 * @param {Session} session
 */
export async function contradictions(session) {
  const {engine, data, state, library, program, lastCell, retractable} = session;
  if (!lastCell) return;
  const [row, column] = lastCell.split(",").map(Number);
  const number = numberAt(state, row, column);
  if (number === undefined) return;
  const givens = state.givens.map(row => row.map(() => null));
  const programOf = (/** @type {Record<string, number>} */ entries) =>
    compose(data, {...state, givens, entries}, library).text;
  const last = {[lastCell]: number};
  /** @type {[string, number][]} */
  const others = [...state.givens.flatMap((row, r) => row.flatMap((given, c) =>
    (given === null ? [] : [/** @type {[string, number]} */ ([`${r + 1},${c + 1}`, given])]))),
  ...Object.entries(state.entries)].filter(([cell]) => cell !== lastCell);
  const isPossible = async (/** @type {Record<string, number>} */ entries, /** @type {string[]} */ without) => {
    const text = `${programOf(entries)}\n${without.map(each => `ab(${each}).\n`).join("")}`;
    return (await engine.ask({kind: "solve", program: text}, SEARCH_SECONDS)).grids.length > 0;
  };
  const excludes = async (/** @type {Record<string, number>} */ other, /** @type {string[]} */ without) =>
    !await isPossible({...last, ...other}, without) && await isPossible(last, without)
    && isPossible(other, without);
  try {
    const {candidates} = await engine.ask({kind: "candidates", program: programOf(last), shown: []}, SEARCH_SECONDS);
    const possible = byCell(candidates);
    const forbidden = others.filter(([cell, other]) => !possible.get(cell)?.includes(other));
    for (const isDirect of [true, false]) {
      for (const [cell, other] of forbidden) {
        const rules = [];
        for (const rule of isDirect ? retractable : []) {
          const without = retractable.filter(each => each !== rule);
          if (await excludes({[cell]: other}, without)) rules.push(ruleName(rule));
        }
        if (isDirect ? !rules.length : !await excludes({[cell]: other}, [])) continue;
        if (program !== session.program) return;
        const [one, two] = [lastCell, cell].map(each => `r${each.replace(",", "c")}`);
        const words = `${one} and ${two} contradict each other${rules.length ? `: ${listed(rules)}` : ""}`;
        if (!session.conflicts.length) session.remark = words;
        session.conflicts.push(/** @type {[Cell, Cell]} */ (
          [lastCell, cell].map(each => /** @type {Cell} */ (each.split(",").map(Number)))));
        session.view.board();
        if (session.conflicts.length === MOST_PAIRS) return;
      }
      if (session.conflicts.length) return;
    }
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
