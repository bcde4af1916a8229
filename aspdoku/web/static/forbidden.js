// @ts-check
// A grid that a rule of a program forbids, and where it violates the rule: programs for clingo, and what their answers
// say.
import {Stopped} from "./engine.js";
import {argumentsIn, atomsIn, statementsIn} from "./statements.js";
/** @import {Answers, Question} from "./engine.js" */
/** @import {Atom, Statement, Token} from "./statements.js" */
/** @import {ActiveRule, Placed, Program} from "./program.js" */

/** @typedef {[row: number, column: number]} Place */
/**
 * @typedef {{cells: Place[], values: Record<string, string>, message: string}} Violation
 *   an instance of a rule that a grid violates: its cells, the values of its variables, and its message, which is
 *   empty if the rule has no template
 */
/** @typedef {"" | "least" | "most"} Bound that of a choice which is violated */
/** @typedef {{body: string, bound: Bound}} Offence a body that a rule forbids */
/**
 * @typedef {{program: string, tag: string, rule: Statement, variables: string[], bound: Bound}} Query
 *   variables: those whose values identify an instance of the rule
 */
/** @typedef {Pick<ActiveRule, "place" | "text">} File */

// A board shows one number in a cell.
const ONE_NUMBER = ":- cell(R,C), 2 { a(R,C,N) : number(N) }.";

/**
 * A grid that the rule at a line of a file forbids, with a violation; undefined if none is found in time.
 * @param {(question: Question<"violate">) => Promise<Answers["violate"]>} ask
 * @param {Program} program @param {File[]} files those of the program, the base first
 * @param {string} place @param {number} line @returns {Promise<Violation & {grid: Placed[]} | undefined>}
 */
export async function forbiddenGrid(ask, program, files, place, line) {
  for (const query of forbiddenQueries(program, files, place, line)) {
    try {
      const {grid, atoms} = await ask({kind: "violate", program: query.program});
      const violation = violationIn(query, atoms);
      if (grid && violation) return {grid, ...violation};
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }
  return undefined;
}

/**
 * Programs with such a grid, the better ones first: all other rules hold; those of other files; the same without the
 * givens; those of the base; and at last, for a rule of the base that its other rules imply, only what these say of
 * the most.
 * @param {Program} program @param {File[]} files @param {string} place @param {number} line @returns {Query[]}
 */
export function forbiddenQueries({text, first}, files, place, line) {
  const start = (/** @type {string} */ each) => first.get(each) ?? NaN;
  const ranges = files.map(file => ({place: file.place, end: start(file.place) + file.text.split("\n").length}));
  const placeOf = (/** @type {Statement} */ statement) =>
    ranges.find(({place: each, end}) => start(each) <= statement.line && statement.line < end)?.place;
  const statements = statementsIn(text);
  const rule = statements.find(each => each.line === start(place) + line - 1);
  if (!rule) return [];
  const base = files[0].place;
  const tag = unusedTag(text);
  const isOther = (/** @type {string} */ of) => of !== base;
  const isOwn = (/** @type {string} */ of) => of === place && isOther(of);
  /** @type {{isFree: (of: string) => boolean, hasGivens?: boolean, isLast?: boolean}[]} */
  const levels = [
    {isFree: () => false, hasGivens: true}, {isFree: isOwn, hasGivens: true}, {isFree: () => false}, {isFree: isOwn},
    {isFree: isOther}, {isFree: isOther, isLast: true},
  ];
  const variables = globalVariables(rule);
  /** @type {Map<string, Query>} */
  const queries = new Map();
  for (const {isFree, hasGivens, isLast} of levels) {
    const rest = replaced(text, statements, each => {
      const of = placeOf(each);
      if (of === undefined) return hasGivens || !isGiven(each) ? undefined : "";
      if (each === rule || isFree(of)) return freed(each);
      return isLast ? withoutLeast(each) : undefined;
    });
    for (const {body, bound} of offencesOf(rule)) {
      const last = isLast ? `:- 2 { ${tag}_violation(Key) }.` : "";
      const program = [rest, ONE_NUMBER, ...located(rule, body, variables, tag), last, ""].join("\n");
      if (!queries.has(program)) queries.set(program, {program, tag, rule, variables, bound});
    }
  }
  return [...queries.values()];
}

/**
 * The violation with the fewest cells in an answer to a query.
 * @param {Query} query @param {string[]} atoms @returns {Violation | undefined}
 */
export function violationIn({tag, rule, variables, bound}, atoms) {
  /** @type {Map<string, {cell: Place[], range: Place[]}>} */
  const found = new Map();
  for (const atom of atoms) {
    const [, kind] = new RegExp(`^${tag}_(violation|cell|range)\\(`).exec(atom) ?? [];
    if (!kind) continue;
    const [key, ...cell] = argumentsIn(atom);
    const cells = found.get(key) ?? {cell: [], range: []};
    found.set(key, cells);
    if (kind === "cell" || kind === "range") cells[kind].push(/** @type {Place} */ (cell.map(Number)));
  }
  const violations = [...found].map(([key, {cell, range}]) => {
    const terms = argumentsIn(key);
    const values = Object.fromEntries(variables.map((name, index) => [name, terms[index]]));
    const cells = (cell.length ? cell : range).sort(([r, c], [r1, c1]) => r - r1 || c - c1);
    return {cells, values, message: messageOf(rule, bound, values)};
  });
  const size = (/** @type {Violation} */ {cells: {length}}) => length || Infinity;
  return violations.sort((one, two) => size(one) - size(two) || Number(one.message > two.message))[0];
}

/**
 * The message about an instance of a rule, empty if the rule has no template.
 * @param {Statement} rule @param {Bound} bound @param {Record<string, string>} values
 */
function messageOf({template}, bound, values) {
  const parts = template.split("|").map(part => part.trim());
  const part = parts[bound === "most" ? parts.length - 1 : 0];
  // Strings are shown without quotes.
  const shown = (/** @type {string} */ value) => (value.startsWith('"') ? JSON.parse(value) : value);
  return part
    .replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole))
    .replace(/\ba (?=8|11\b|18\b)/g, "an ");
}

/**
 * The cell of an atom a/3 of the violated instance: none for variables that only occur in an aggregate.
 * @param {Pick<Atom, "predicate" | "arguments">} atom @param {Record<string, string>} values
 * @returns {Place | undefined}
 */
export function cellOf({predicate, arguments: terms}, values) {
  if (predicate !== "a" || terms.length !== 3) return undefined;
  const [row, column] = terms.slice(0, 2).map(term => {
    const found = /^(\w+)(?:([-+])(\d+))?$/.exec(term);
    const value = found && Number(values[found[1]] ?? found[1]);
    return found && value !== null ? value + Number((found[2] ?? "+") + (found[3] ?? 0)) : NaN;
  });
  return Number.isInteger(row) && Number.isInteger(column) ? [row, column] : undefined;
}

/** @param {string} text */
function unusedTag(text) {
  let tag = "it";
  while (text.includes(`${tag}_`)) tag += "x";
  return tag;
}

/** A fact such as a(1,1,3). @param {Statement} statement */
function isGiven({kind, atoms, body, tokens}) {
  return kind === "definition" && body === tokens.length && atoms[0].predicate === "a"
    && atoms[0].arguments.length === 3;
}

/**
 * A text with statements replaced; undefined keeps one.
 * @param {string} text @param {Statement[]} statements @param {(statement: Statement) => string | undefined} change
 */
function replaced(text, statements, change) {
  let changed = "", end = 0;
  for (const statement of statements) {
    const words = change(statement);
    if (words === undefined) continue;
    changed += text.slice(end, statement.tokens[0].start) + words;
    end = statement.tokens[statement.tokens.length - 1].end;
  }
  return changed + text.slice(end);
}

/** A rule that defines or chooses what it did, and forbids nothing. @param {Statement} statement */
function freed(statement) {
  const [head, body] = partsOf(statement);
  const choice = choiceOf(statement);
  const condition = body.length ? ` :- ${joinedText(body)}` : "";
  if (isPlainConstraint(statement)) return "";
  if (choice) return `${choice.elements}${condition}.`;
  return statement.kind === "definition" && statement.message ? `{ ${joinedText(head)} }${condition}.` : undefined;
}

/** A choice without what it demands at least; other rules are kept. @param {Statement} statement */
function withoutLeast(statement) {
  const choice = choiceOf(statement);
  const [, body] = partsOf(statement);
  return choice?.least && choice.most
    ? `${choice.elements} ${choice.most}${body.length ? ` :- ${joinedText(body)}` : ""}.` : undefined;
}

/**
 * What a rule forbids; of a choice, first that it chooses too many.
 * @param {Statement} statement @returns {Offence[]}
 */
function offencesOf(statement) {
  const [head, body] = partsOf(statement);
  const choice = choiceOf(statement);
  const offence = (/** @type {string} */ more, /** @type {Bound} */ bound = "") =>
    ({body: [joinedText(body), more].filter(Boolean).join("; ") || "#true", bound});
  if (isPlainConstraint(statement)) return [offence("")];
  if (statement.kind === "definition") return statement.message ? [offence(`not ${joinedText(head)}`)] : [];
  if (!choice) return [];
  const {elements, least, most, other} = choice;
  return [
    ...(most ? [offence(`not ${elements} ${most}`, "most")] : []),
    ...(least ? [offence(`not ${least} ${elements}`, "least")] : []),
    ...(other ? [offence(`not ${other}`)] : []),
  ];
}

/** @param {Statement} statement */
function isPlainConstraint({kind, tokens}) {
  return kind === "constraint" && /^(?::-|#false)$/.test(withoutComments(tokens)[0].text);
}

/**
 * The elements of a choice, and its bounds: the least and the most number, or with other comparisons the whole.
 * @param {Statement} statement
 */
function choiceOf(statement) {
  const [head] = partsOf(statement);
  const open = head.findIndex(({text}) => text === "{");
  const close = head.findLastIndex(({text}) => text === "}");
  if (statement.kind !== "choice" || open < 0 || head[open - 1]?.text.startsWith("#")) return undefined;
  const elements = joinedText(head.slice(open, close + 1));
  const [left, right] = [head.slice(0, open), head.slice(close + 1)];
  const sign = (/** @type {Token[]} */ tokens, at = 0) =>
    /^(?:[!<>=]=?|<>)$/.exec(tokens.at(at)?.text ?? "")?.[0] ?? "";
  const signs = [sign(left, -1), sign(right)];
  const term = (/** @type {Token[]} */ tokens) => joinedText(tokens.filter(each => !sign([each])));
  const none = {elements, least: "", most: "", other: ""};
  if (signs.some(each => !/^(?:=|==|<=|)$/.test(each))) return {...none, other: joinedText(head)};
  const exact = /^==?$/.test(signs[0]) ? term(left) : /^==?$/.test(signs[1]) ? term(right) : "";
  return {...none, least: exact || term(left), most: exact || term(right)};
}

/** The tokens of the head and of the body of a rule. @param {Statement} statement @returns {[Token[], Token[]]} */
function partsOf({tokens, body}) {
  const code = (/** @type {Token[]} */ part) => withoutComments(part).filter(({text}) => !/^(?::-|\.)$/.test(text));
  return [code(tokens.slice(0, body)), code(tokens.slice(body))];
}

/** @param {Token[]} tokens */
function withoutComments(tokens) {
  return tokens.filter(({kind}) => kind !== "comment");
}

/** @param {Token[]} tokens */
function joinedText(tokens) {
  return tokens.map(({text}) => text).join(" ");
}

/**
 * Tokens in parts, at separators outside of parentheses and braces; a condition ends with a semicolon.
 * @param {Token[]} tokens @param {RegExp} separator
 */
function partsAt(tokens, separator) {
  /** @type {Token[][]} */
  const parts = [[]];
  let depth = 0, isCondition = false;
  for (const token of tokens) {
    const {text} = token;
    depth += Number(/^[({[]$/.test(text)) - Number(/^[)}\]]$/.test(text));
    if (!depth && separator.test(text) && !(text === "," && isCondition)) {
      parts.push([]);
      isCondition = false;
      continue;
    }
    isCondition ||= !depth && text === ":";
    parts[parts.length - 1].push(token);
  }
  return parts.filter(({length}) => length);
}

/** The variables of a body outside of aggregates and conditions. @param {Statement} rule */
function globalVariables(rule) {
  const [, body] = partsOf(rule);
  /** @type {Set<string>} */
  const found = new Set();
  for (const literal of partsAt(body, /^[,;]$/)) {
    if (partsAt(literal, /^:$/).length > 1) continue;
    let depth = 0;
    for (const {kind, text} of literal) {
      depth += Number(text === "{") - Number(text === "}");
      if (!depth && kind === "variable" && text !== "_") found.add(text);
    }
  }
  return [...found];
}

/**
 * The literals that hold together inside of a literal: in an element of an aggregate, or with a condition; and whether
 * they are inside.
 * @param {Token[]} literal
 */
function elementsOf(literal) {
  const open = literal.findIndex(({text}) => text === "{");
  const close = literal.findLastIndex(({text}) => text === "}");
  if (open >= 0) {
    const hasTuples = /^#|^\+$/.test(literal[open - 1]?.text ?? "");
    return partsAt(literal.slice(open + 1, close), /^;$/).map(element => {
      const [before, ...conditions] = partsAt(element, /^:$/);
      return {isInside: true, literals: [...(hasTuples ? [] : [before]), ...conditions].flatMap(inLiterals)};
    });
  }
  const parts = partsAt(literal, /^:$/);
  return [{isInside: parts.length > 1, literals: parts.flatMap(inLiterals)}];
}

/** @param {Token[]} tokens */
function inLiterals(tokens) {
  return partsAt(tokens, /^,$/);
}

/**
 * Rules that derive the violated instances of a rule, the cells of the atoms a/3 that hold in them, and those that
 * they range over.
 * @param {Statement} rule @param {string} body @param {string[]} variables @param {string} tag
 */
function located(rule, body, variables, tag) {
  const key = `(${variables.map(name => `${name},`).join("")})`;
  const lines = [`${tag}_violation(${key}) :- ${body}.`, `:- { ${tag}_violation(Key) } 0.`];
  const [head, rest] = partsOf(rule);
  const literals = [...(rule.kind === "choice" ? [head] : []), ...partsAt(rest, /^[,;]$/)];
  for (const {isInside, literals: parts} of literals.flatMap(elementsOf)) {
    const apart = parts.map(part => part.map(token => {
      const isLocal = isInside && token.kind === "variable" && token.text !== "_" && !variables.includes(token.text);
      return isLocal ? {...token, text: `${token.text}_${tag}`} : token;
    }));
    const placed = apart.map((part, index) => placedIn(part, index));
    for (const each of placed) {
      if (!each) continue;
      const holding = apart.map((part, index) => placed[index]?.holding ?? joinedText(part));
      const possible = apart.map((part, index) => placed[index]?.possible ?? joinedText(part));
      const derive = (/** @type {string} */ kind, /** @type {string[]} */ conditions) =>
        lines.push(`${tag}_${kind}(${key},${each.cell}) :- ${[body, ...conditions].join("; ")}.`);
      if (!each.isNegated) derive("cell", isInside ? holding : [each.holding]);
      if (isInside || each.isNegated) derive("range", isInside ? possible : [each.possible]);
    }
  }
  const shown = ["violation/1", "cell/3", "range/3"].map(name => `#show ${tag}_${name}.  #defined ${tag}_${name}.`);
  return [...lines, ...shown];
}

/**
 * A literal over a/3, whose row and column can be the arguments of a head: not `_`, and no interval.
 * @param {Token[]} literal @param {number} position
 */
function placedIn(literal, position) {
  const [atom] = atomsIn(literal);
  if (atom?.predicate !== "a" || atom.arguments.length !== 3) return undefined;
  const isNegated = literal[0].text === "not" && literal[1].text !== "not";
  /** @type {string[]} */
  const ranges = [];
  const [row, column] = atom.arguments.slice(0, 2).map((term, index) => {
    if (term !== "_" && !term.includes("..")) return term;
    const variable = `Any${position}_${index}`;
    if (term !== "_") ranges.push(`${variable} = ${term}`);
    return variable;
  });
  const number = atom.arguments[2];
  return {
    isNegated,
    cell: `${row},${column}`,
    holding: [...ranges, `${isNegated ? "not " : ""}a(${row},${column},${number})`].join("; "),
    possible: [...ranges, `cell(${row},${column})`, `number(${number})`].join("; "),
  };
}
