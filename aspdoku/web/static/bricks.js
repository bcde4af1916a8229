// @ts-check
// The rule files of a state as the bricks of a tower.
import {addedRules, definitionsDeclared, exempted, isRetracted, tagsOf} from "./program.js";
/** @import {ActiveRule, Puzzle, Rule, State} from "./program.js" */
/** @import {Brick} from "./tower.js" */

/** @typedef {{data: Puzzle, state: State, library: Rule[]}} Built what is built of a puzzle; a session is one */

/**
 * The rule files from the base up: the own rule is the last one.
 * @param {Built} built @param {boolean} [isOwnShown] even without a text
 * @returns {(ActiveRule & {title: string, sha256: string})[]}
 */
export function filesOf({data, state, library}, isOwnShown = false) {
  const own = state.own.text.trim() || isOwnShown
    ? [{...state.own, place: `${state.own.name}.lp`, title: "your own rule", retracts: [], sha256: ""}] : [];
  const words = definitionsDeclared(data, state, library);
  return [data.base, ...words, ...data.rules, ...addedRules(state, library), ...own];
}

/**
 * @param {Built} built @param {string[]} derived facts ab(…) that rules derive @param {boolean} [isOwnShown]
 * @returns {Brick[]}
 */
export function bricksOf(built, derived, isOwnShown = false) {
  const {data, state, library} = built;
  const facts = [...exempted(data, state), ...derived.map(atom => atom.slice("ab(".length, -1))];
  const words = definitionsDeclared(data, state, library);
  return filesOf(built, isOwnShown).map(rule => {
    const {name, title, sha256} = rule;
    const isOwn = rule.place === `${state.own.name}.lp`;
    const kind = rule.name === data.base.name ? "base" : words.some(word => word.name === name) ? "word" : "rule";
    const fact = rule.retracts.find(each => each === name.replaceAll("-", "_"));
    const tags = tagsOf(rule, facts).map(each => ({atom: `ab(${each})`, fixed: !state.retracted.includes(each)}));
    return {
      name, title, kind, hash: sha256, tags, fact, on: isOwn ? state.own.on : !(fact && isRetracted(state, name)),
      isSwitched: isOwn || (kind === "rule" && fact !== undefined), isRemovable: state.added.includes(name),
    };
  });
}
