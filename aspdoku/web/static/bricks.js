// @ts-check
// The rule files of a state as the bricks of a tower.
import {addedRules, definitionsDeclared, exempted, isRetracted, tagsOf} from "./program.js";
import {titleIn} from "./statements.js";
/** @import {ActiveRule, OwnRule, Puzzle, Rule, State} from "./program.js" */
/** @import {Brick} from "./tower.js" */

/** @typedef {{data: Puzzle, state: State, library: Rule[]}} Built what is built of a puzzle; a session is one */

/**
 * The rule files from the base up: the own rules are the last ones.
 * @param {Built} built @param {string} [writing] the own rule in the editor, which is shown even without a text
 * @returns {(ActiveRule & {title: string, sha256: string, own?: OwnRule})[]}
 */
export function filesOf({data, state, library}, writing = "") {
  const isKnown = state.own.some(({name}) => name === writing);
  const all = writing && !isKnown ? [...state.own, {name: writing, text: "", on: true}] : state.own;
  const own = all.filter(({name, text, shelved}) => !shelved && (text.trim() || name === writing)).map(rule => ({
    ...rule, own: rule, place: `${rule.name}.lp`, title: titleIn(rule.text) || "your own rule",
    retracts: [], sha256: "",
  }));
  const words = definitionsDeclared(data, state, library);
  return [data.base, ...words, ...data.rules, ...addedRules(state, library), ...own];
}

/**
 * @param {Built} built @param {string[]} derived facts ab(…) that rules derive @param {string} [writing]
 * @returns {Brick[]}
 */
export function bricksOf(built, derived, writing = "") {
  const {data, state, library} = built;
  const facts = [...exempted(data, state), ...derived.map(atom => atom.slice("ab(".length, -1))];
  const words = definitionsDeclared(data, state, library);
  return filesOf(built, writing).map(rule => {
    const {name, title, sha256, own} = rule;
    const kind = rule.name === data.base.name ? "base" : words.some(word => word.name === name) ? "word" : "rule";
    const fact = rule.retracts.find(each => each === name.replaceAll("-", "_"));
    const tags = tagsOf(rule, facts).map(each => ({atom: `ab(${each})`, fixed: !state.retracted.includes(each)}));
    return {
      name, title, kind, hash: sha256, tags, fact, on: own ? own.on : !(fact && isRetracted(state, name)),
      isSwitched: Boolean(own) || (kind === "rule" && fact !== undefined),
      isRemovable: Boolean(own) || state.added.includes(name),
    };
  });
}
