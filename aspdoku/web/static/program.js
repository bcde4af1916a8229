// @ts-check
// A puzzle, what can be changed of it, and the program of both: without the page, and without clingo.
import {DECLARATION, codeOf, definitionsIn, lineOf} from "./findings.js";

// Characters of a rule, as for a puzzle that is loaded.
export const MOST_TEXT = 100000;
const MOST_RETRACTIONS = 200;
const MOST_OWN = 20;
// eslint-disable-next-line no-useless-escape -- a field's pattern needs it
export const RULE_NAME = /[a-z][a-z0-9\-]{0,59}/;
// A number, the name of a clue or a word.
const SIMPLE = /-?\d+|_*[a-z]\w*|"[^"\\\n]*"/.source;
// What ab/1 and ab/2 say of a rule: its name, perhaps with what the rule excepts, which may be a tuple.
const RETRACTED = new RegExp(`_*[a-z]\\w*(?:,(?:${SIMPLE}|\\((?:${SIMPLE})(?:,(?:${SIMPLE}))+\\)))?`);

/** @typedef {[row: number, column: number, number: number]} Placed */
/** @typedef {(number | null)[][]} Givens */
/** @typedef {{name: string, place: string, text: string, retracts: string[]}} ActiveRule */
/**
 * @typedef {ActiveRule & {
 *   title: string, sha256: string, inputs: string[], isDrawn: boolean, drawn?: {below: string, above: string} | null,
 * }} Rule drawn: what a page in one file adds to its drawing for the rule; null if it cannot
 */
/** @typedef {[x: number, y: number, size: number]} Spot */
/**
 * @typedef {{
 *   scale: number, width: number, height: number, grid: [number, number], below: string, above: string, digit: Spot,
 *   marks: Record<number, Spot[]>, labels: Record<string, number>, inks: Record<string, [string, string[]]>,
 *   unused: string[],
 * }} Drawing as in `board.drawing_of`
 */
/** @typedef {{indent: number, lead: string, spans: [text: string, rule: string][]}} Line */
/**
 * @typedef {{
 *   lines: Line[], placed: Placed[], candidates: [number, number, number[]][], struck: [number, number, number[]][],
 *   marked: Partial<Record<Mark, [number, number][]>>,
 * }} Step as in `page.steps`
 */
/** @typedef {"concluded" | "looked" | "clue" | "cited"} Mark */
/**
 * @typedef {{
 *   title: string, size: number, numbers: number[], before: string, after: string, base: Rule, rules: Rule[],
 *   vocabulary: (Rule & {declared: string})[], instance: {header: string, numbers: string, facts: string[]},
 *   givens: Givens, retracted: string[], source: string,
 *   rules_in_words: string, wording: Sentence[], sections: string[], unsupported: string[], assumed: string[],
 *   contents: [string, string][], drawing: Drawing, named: Drawing | null, drawn?: string[], plain?: Drawing[],
 *   steps?: Step[], cut_off?: string | null,
 * }} Puzzle as in `page.parts`; drawn: the added rules whose drawing it has; plain: the
 * drawings without those
 */
/**
 * @typedef {{parts: [string, boolean][], rules: [string, string][], about: string[], problem: string}} Sentence of the
 * text: its parts, each with whether it was not understood, its rules with their titles, its drawn elements
 */
/**
 * @typedef {{name: string, text: string, on: boolean, shelved?: boolean}} OwnRule shelved: whether it is off and not
 * on the tower, because it was written for another puzzle
 */
/**
 * @typedef {{
 *   givens: Givens, entries: Record<string, number>, added: string[], retracted: string[], own: OwnRule[],
 * }} State what can be changed on the page: givens, assumed numbers by cell, rules, the arguments of facts ab(…) such
 * as `box` and `anti_knight,5`, and own rules
 */
/** @typedef {{text: string, first: Map<string, number>}} Program with the first line of each rule file */

/** @param {Puzzle} data @returns {State} */
export function initialState(data) {
  return {
    givens: data.givens.map(row => [...row]),
    entries: {},
    added: [],
    retracted: [...data.retracted],
    own: [],
  };
}

/**
 * Whether a text was probably misunderstood: all of its rules were read, and unchanged, they do not have
 * exactly one solution.
 * @param {Puzzle} data @param {State} state @param {string} answer "unique", "several" or "none"
 */
export function isMisread(data, state, answer) {
  const own = state.own.filter(({shelved}) => !shelved);
  return data.wording.length > 0 && !data.unsupported.length && answer !== "unique"
    && JSON.stringify({...state, own}) === JSON.stringify(initialState(data));
}

/**
 * The state in a link, if it is one of this puzzle: a link may come from anybody, and its names and
 * numbers become part of a program.
 * @param {any} state @param {Puzzle} data @param {Rule[]} library @returns {State}
 */
export function checked({givens, entries, added, retracted, own: stated}, {size, numbers}, library) {
  /** @type {any[]} */
  const own = [stated].flat(); // links had one
  const inGrid = (/** @type {number} */ number) => Number.isInteger(number) && 1 <= number && number <= size;
  const whole = (/** @type {unknown} */ text, /** @type {RegExp} */ pattern) =>
    typeof text === "string" && text.match(pattern)?.[0] === text;
  const rows = (/** @type {unknown} */ rows) => Array.isArray(rows) && rows.length === size;
  const differ = (/** @type {unknown[]} */ names) => new Set(names).size === names.length;
  const isCell = (/** @type {string} */ cell) =>
    whole(cell, /[1-9]\d*,[1-9]\d*/) && cell.split(",").map(Number).every(inGrid);
  const valid = rows(givens)
    && givens.every((/** @type {any} */ row) =>
      rows(row) && row.every((/** @type {any} */ each) => each === null || numbers.includes(each)))
    && Object.entries(entries).every(([cell, number]) => isCell(cell) && numbers.includes(number))
    && added.every((/** @type {unknown} */ name) => whole(name, /[\w/-]+/))
    && retracted.every((/** @type {unknown} */ atom) => whole(atom, RETRACTED))
    && differ(added) && differ(retracted) && retracted.length <= MOST_RETRACTIONS
    && own.every(({name, text}) => whole(name, RULE_NAME) && typeof text === "string")
    && differ(own.map(({name}) => name)) && own.length <= MOST_OWN;
  if (!valid) throw new Error("it is of another puzzle");
  if (own.some(({text}) => text.length > MOST_TEXT)) {
    throw new Error(`its rule has more than ${MOST_TEXT} characters`);
  }
  const unknown = added.find((/** @type {string} */ name) => !library.some(rule => rule.name === name));
  if (unknown !== undefined) throw new Error(`this page does not have its rule ${unknown.slice(0, 60)}`);
  const rules = own.filter(({text}) => text.trim()).map(({name, text, on, shelved}) =>
    ({name, text, on: Boolean(on && !shelved), ...(shelved ? {shelved: true} : {})}));
  return {givens, entries, added, retracted, own: rules};
}

/**
 * The program, byte for byte as `aspdoku program` prints it.
 * @param {Puzzle} data @param {State} state @param {Rule[]} library @returns {Program}
 */
export function compose(data, state, library) {
  let text = data.before;
  const first = new Map();
  for (const rule of activeFiles(data, state, library)) {
    text += `% -- ${rule.place}\n`;
    first.set(rule.place, text.split("\n").length);
    text += `${rule.text}\n`;
  }
  text += `${data.instance.header}\n${instanceText(data, state)}`;
  if (state.retracted.length) text += `\n% -- retracted, by addition\n${retractions(state)}\n`;
  return {text: text + data.after, first};
}

/** @param {State} state */
export function retractions({retracted}) {
  return retracted.map(each => `ab(${each}).`).join("\n");
}

/**
 * The facts ab(…) that hold, without `ab(` and `)`: of the page, and of the puzzle.
 * @param {Puzzle} data @param {State} state
 */
export function exempted(data, state) {
  const ofPuzzle = data.instance.facts.flatMap(fact => /^ab\((.*)\)$/.exec(fact)?.[1] ?? []);
  return [...ofPuzzle, ...state.retracted];
}

/**
 * The facts ab(…) about a rule.
 * @param {{retracts: string[]}} rule @param {string[]} exempted
 */
export function tagsOf({retracts}, exempted) {
  return exempted.filter(each => retracts.includes(each.split(",")[0]));
}

/**
 * The terms for which an exception can be made where a rule has a variable, or a tuple of variables: what the letters
 * mean follows from the comments of the inputs of the rule, one of which has all letters of a tuple.
 * @param {string} pattern @param {{text: string}} rule @param {Puzzle} data @returns {string[]}
 */
export function termsOf(pattern, {text}, {numbers, size, instance: {facts}}) {
  if (pattern === "N") return numbers.map(String);
  if (["R", "C"].includes(pattern)) return [...Array(size).keys()].map(index => String(index + 1));
  const isTuple = pattern.startsWith("(");
  const variables = isTuple ? pattern.slice(1, -1).split(",") : [pattern];
  const inputs = [...text.matchAll(/^#defined \w+\/\d+\.[ \t]*%[ \t]*(\w+)\(([\w,]*)\)/gm)].map(
    ([, predicate, letters]) => ({predicate, places: variables.map(letter => letters.split(",").indexOf(letter))}));
  const complete = inputs.filter(({places}) => !places.includes(-1));
  const terms = facts.flatMap(fact => complete.flatMap(({predicate, places}) => {
    const [, inside] = new RegExp(`^${predicate}\\((.*)\\)$`).exec(fact) || [];
    const values = inside?.match(/"[^"]*"|[^,]+/g) ?? [];
    const found = places.map(place => values[place] ?? "");
    if (!found.every(value => new RegExp(`^(?:${SIMPLE})$`).test(value))) return [];
    return [isTuple ? `(${found.join(",")})` : found[0]];
  }));
  return [...new Set(terms)];
}

/** @param {Puzzle} data @param {State} state */
export function instanceText(data, state) {
  const lines = data.instance.numbers ? [data.instance.numbers] : [];
  state.givens.forEach((row, r) => {
    const facts = row.flatMap((number, c) => (number === null ? [] : [`a(${r + 1},${c + 1},${number}).`]));
    if (facts.length) lines.push(facts.join(" "));
  });
  lines.push(...data.instance.facts.map(fact => `${fact}.`));
  const entered = Object.entries(state.entries).map(([cell, number]) => `a(${cell},${number}).`);
  if (entered.length) lines.push(entered.join(" "));
  return lines.map(line => `${line}\n`).join("");
}

/** @param {State} state @param {Rule[]} library */
export function addedRules(state, library) {
  return state.added.flatMap(name => library.find(rule => rule.name === name) ?? []);
}

/** @param {Puzzle} data @param {State} state @param {Rule[]} library @returns {ActiveRule[]} */
export function activeFiles(data, state, library) {
  return [data.base, ...definitionsDeclared(data, state, library), ...rulesOf(data, state, library)];
}

/** @param {Puzzle} data @param {State} state @param {Rule[]} library @returns {ActiveRule[]} */
function rulesOf(data, state, library) {
  return [...data.rules, ...addedRules(state, library), ...ownRulesOn(state).map(ownFile)];
}

/**
 * The definitions that rules declare, as `library.with_vocabulary` includes them.
 * @param {Puzzle} data @param {State} state @param {Rule[]} library
 */
export function definitionsDeclared(data, state, library) {
  const declared = new Set(rulesOf(data, state, library).flatMap(({text}) =>
    [...codeOf(text).matchAll(DECLARATION)].map(found => `${found[1]}/${found[2]}`)));
  return data.vocabulary.filter(rule => declared.has(rule.declared));
}

/** The own rules that are part of the program. @param {State} state */
export function ownRulesOn({own}) {
  return own.filter(({on, text}) => on && text.trim());
}

/** @param {OwnRule} rule @returns {ActiveRule} */
function ownFile({name, text}) {
  const symbol = name.replaceAll("-", "_");
  const isRetractable = new RegExp(`not\\s+ab\\(\\s*${symbol}\\s*\\)`).test(text);
  return {name, place: `${name}.lp`, text, retracts: isRetractable ? [symbol] : []};
}

/**
 * Where the rule files besides an own rule define predicates, by name/arity.
 * @param {Puzzle} data @param {State} state @param {Rule[]} library @param {string} name of the own rule
 */
export function definedElsewhere(data, state, library, name) {
  const others = rulesOf(data, {...state, own: state.own.filter(each => each.name !== name)}, library);
  return definedIn([data.base, ...definitionsDeclared(data, state, library), ...others]);
}

/** Where rule files define predicates, by name/arity. @param {{place: string, text: string}[]} files */
export function definedIn(files) {
  /** @type {Record<string, string>} */
  const places = {};
  for (const {place, text} of files) {
    for (const [predicate, offset] of definitionsIn(text)) places[predicate] ??= `${place}:${lineOf(text, offset)}`;
  }
  return places;
}

/**
 * What questions to the server say about the program.
 * @param {Puzzle} data @param {State} state @param {Rule[]} library
 */
export function described(data, state, library) {
  const files = rulesOf(data, state, library); // the server includes what these declare
  const isBundled = (/** @type {ActiveRule} */ rule) => rule.place.startsWith("asp/");
  const own = files.filter(rule => !isBundled(rule)).map(({name, text}) => ({name, text}));
  const exceptions = state.retracted.filter(each => each.includes(","));
  if (exceptions.length) own.push({name: "exceptions", text: exceptions.map(each => `ab(${each}).\n`).join("")});
  return {
    puzzle: data.source,
    givens: state.givens.map((row, r) => row.map((given, c) => given ?? state.entries[`${r + 1},${c + 1}`] ?? null)),
    added: files.filter(isBundled).map(rule => rule.name),
    own,
    retracted: state.retracted.filter(each => !each.includes(",")),
  };
}

/** @param {State} state @param {number} row @param {number} column @returns {number | undefined} */
export function numberAt(state, row, column) {
  return state.givens[row - 1][column - 1] ?? state.entries[`${row},${column}`];
}

/** @param {Puzzle} data @param {number} row @param {number} column */
export function isUnused(data, row, column) {
  return data.drawing.unused.includes(`r${row}c${column}`);
}

/** @param {Puzzle} data @param {Placed} placed */
export function isInGrid({size, numbers}, [row, column, number]) {
  return [row, column].every(each => 1 <= each && each <= size) && numbers.includes(number);
}

/** @param {State} state @param {string} rule */
export function isRetracted({retracted}, rule) {
  return retracted.includes(rule.replaceAll("-", "_"));
}
