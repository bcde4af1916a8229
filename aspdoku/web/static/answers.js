// @ts-check
// What clingo's answers say: ground programs, candidates, and the rules that a number depends on.
import {plural} from "./words.js";
/** @import {Placed} from "./program.js" */

export const MOST_COUNTED = 1000; // solutions

/** @typedef {Map<string, {count: number, fact: boolean, weight: number}>} Counts of ground rules and facts */
/** @typedef {{retracted: string[], candidates: Placed[]}} WithoutRules */
/** @typedef {{number: number, sets: {rules: string[], others: number[]}[]}} Dependency */

/**
 * How often each rule and fact occurs in a ground program. The numbers of aggregates depend on the
 * rest of the program, and an aggregate in a head is a choice and a constraint.
 * @param {string[]} lines @returns {Counts}
 */
export function counted(lines) {
  const heads = new Set(lines.flatMap(line => /^#delayed\((\d+)\)(?:\.|:-)/.exec(line)?.[1] ?? []));
  const counts = new Map();
  for (const line of lines) {
    const key = line.replace(/#delayed\(\d+\)/g, "#delayed");
    if (/^#(?:show|project|defined)|^#delayed(?:\.$|:-)/.test(key)) continue;
    const number = /^#delayed\((\d+)\) <=>/.exec(line)?.[1] ?? "";
    const entry = counts.get(key) || {count: 0, fact: !/:-|<=>|\{/.test(key), weight: heads.has(number) ? 2 : 1};
    entry.count++;
    counts.set(key, entry);
  }
  return counts;
}

/** @param {Counts} before @param {Counts} after */
export function groundChanges(before, after) {
  const total = {kept: 0, rules: 0, facts: 0, gone: 0};
  for (const [key, {count, fact, weight}] of after) {
    const old = before.get(key)?.count || 0;
    if (!fact) total.kept += weight * Math.min(count, old);
    total[fact ? "facts" : "rules"] += weight * Math.max(0, count - old);
  }
  for (const [key, {count, fact, weight}] of before) {
    if (!fact) total.gone += weight * Math.max(0, count - (after.get(key)?.count || 0));
  }
  return total;
}

/** @param {{kept: number, rules: number, facts: number, gone: number}} changes */
export function groundWords({kept, rules, facts, gone}) {
  const all = plural(kept, "ground rule");
  const keeps = gone ? `${all} kept, ${gone} simplified or removed` : `all ${all} kept`;
  return `${keeps}; ${plural(rules, "rule")} and ${plural(facts, "fact")} added`;
}

/**
 * The numbers in each cell, in order.
 * @param {Placed[]} placed @returns {Map<string, number[]>}
 */
export function byCell(placed) {
  const cells = new Map();
  for (const [row, column, number] of placed) {
    const cell = `${row},${column}`;
    cells.set(cell, [...(cells.get(cell) || []), number]);
  }
  cells.forEach(numbers => numbers.sort((/** @type {number} */ one, /** @type {number} */ two) => one - two));
  return cells;
}

/** The minimal sets of rules without which there is a solution. @param {WithoutRules[]} answers */
export function repairs(answers) {
  /** @type {string[][]} */
  const sets = [];
  for (const {retracted, candidates} of answers) {
    const isMinimal = !sets.some(set => set.every(rule => retracted.includes(rule)));
    if (candidates.length && isMinimal) sets.push(retracted);
  }
  return sets;
}

/**
 * For each cell with one number: the minimal sets of rules whose retraction makes others possible,
 * with these numbers.
 * @param {WithoutRules[]} answers @returns {Map<string, Dependency>}
 */
export function dependencies(answers) {
  const dependent = new Map();
  const possible = answers.map(({retracted, candidates}) => ({retracted, cells: byCell(candidates)}));
  for (const [cell, numbers] of possible[0].cells) {
    if (numbers.length > 1) continue;
    /** @type {Dependency["sets"]} */
    const sets = [];
    for (const {retracted, cells} of possible) {
      const others = (cells.get(cell) || []).filter(number => number !== numbers[0]);
      const smaller = sets.some(({rules}) => rules.every(rule => retracted.includes(rule)));
      if (others.length && !smaller) sets.push({rules: retracted, others});
    }
    dependent.set(cell, {number: numbers[0], sets});
  }
  return dependent;
}
