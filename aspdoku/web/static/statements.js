// @ts-check
// A rule file as statements with their comments, and a statement on lines of a given length.
import {endOfBlank} from "./findings.js";

/**
 * @typedef {"variable" | "predicate" | "constant" | "number" | "string" | "keyword" | "operator" | "sign"} CodeKind
 */
/** @typedef {{kind: CodeKind | "comment", text: string, start: number, end: number}} Token */
/** @typedef {"constraint" | "choice" | "definition" | "declaration" | "objective"} StatementKind */
/**
 * @typedef {{predicate: string, arguments: string[], first: number, last: number}} Atom
 *   first, last: the indices of its first and its last token
 */
/** @typedef {Atom & {atom: string}} Hook a literal such as `not ab(box,N)`, and its atom */
/**
 * @typedef {{
 *   kind: StatementKind, line: number, column: number, endLine: number, endColumn: number, tokens: Token[],
 *   body: number, atoms: Atom[], hooks: Hook[], sentence: string, template: string, message: string,
 *   isRedundant: boolean, note: string, isComplete: boolean,
 * }} Statement
 *   line, column: of its first character, from 1; endLine, endColumn: of the character after its last one
 *   tokens: with the comments between them
 *   body: the index of the token after `:-`, or the number of tokens
 *   sentence: the comment directly above it, or else the one after it
 *   template: that of its message in explanations; message: the same with names of variables for their values
 *   note: the comment after it and the indented comment lines that continue it
 *   isComplete: whether its full stop is there
 */
/**
 * @typedef {{indent: number, tokens: Token[], spaces: boolean[], first: number, isCut: boolean}} CodeLine
 *   spaces: whether a blank is before each token; first: the index of the first token
 *   isCut: whether it begins inside of a term, or is too long
 */

const SPACE = /\s+/y;
const CODE_TOKEN = new RegExp([
  /("(?:\\.|[^"\\\n])*"?)/, // string
  /(#[a-z]+|:-|:~|not(?![\w']))/, // keyword
  /(_*[A-Z][\w']*|_(?![\w']))/, // variable
  /(_*[a-z][\w']*)/, // predicate or constant
  /(0x[\da-fA-F]+|0o[0-7]+|0b[01]+|\d+)/, // number
  /(\.\.|\*\*|[!<>=]=|<>|[-+*/\\|?^~<>=@&])/, // operator
  /([^])/, // another sign
].map(each => each.source).join("|"), "yu");
/** @type {CodeKind[]} */
const CODE_KINDS = ["string", "keyword", "variable", "constant", "number", "operator", "sign"];
const NUMERIC = /^#(?:inf|sup)/;
const DECLARES = /^#(?!sum|count|min|max|true|false)/;
const OPENS = /^[({[]$/;
const CLOSES = /^[)}\]]$/;
const COMPARISON = /^(?:[!<>=]=?|<>)$/;
const STEP = 3;
// Where a line may end, better places first: after `:-`; after a literal of the body; after an element of braces;
// before a condition; after a part of it; before `}` or after a term of a pool; between arguments; anywhere.
const [AFTER_IF, AFTER_LITERAL, AFTER_ELEMENT, BEFORE_CONDITION, IN_CONDITION, IN_POOL, IN_TERM, ANYWHERE] =
  [0, 1, 2, 3, 4, 5, 6, 7];
const NOWHERE = 9;

/**
 * The statements of a rule file, in its order.
 * @param {string} text @returns {Statement[]}
 */
export function statementsIn(text) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({index}) => index + 1)];
  const place = (/** @type {number} */ offset) => {
    const line = starts.findLastIndex(start => start <= offset);
    return {line: line + 1, column: offset - starts[line] + 1};
  };
  /** @type {Statement[]} */
  const statements = [];
  const tokens = tokensIn(text);
  /** @type {Token[]} the comments since the last statement */
  let comments = [];
  for (let next = 0; next < tokens.length;) {
    if (tokens[next].kind === "comment") {
      comments.push(tokens[next++]);
      continue;
    }
    const last = lastOfStatement(tokens, next);
    const own = tokens.slice(next, last + 1);
    const {line, column} = place(own[0].start);
    const {line: endLine, column: endColumn} = place(own[own.length - 1].end);
    const {behind, end} = noteAt(text, tokens, last + 1, endLine);
    statements.push({
      line, column, endLine, endColumn, ...parsed(own), ...explained(text, comments, line, place),
      note: behind, isComplete: own.some(({text: each}) => each === "."),
    });
    const statement = statements[statements.length - 1];
    if (statement.kind !== "declaration") statement.sentence ||= behind;
    comments = [];
    next = end;
  }
  return statements;
}

/** The tokens of a text, comments among them. @param {string} text @returns {Token[]} */
export function tokensIn(text) {
  /** @type {Token[]} */
  const tokens = [];
  for (let start = 0, end; start < text.length; start = end) {
    SPACE.lastIndex = CODE_TOKEN.lastIndex = start;
    const opening = /^(?:%\*|%|#!)/.exec(text.slice(start, start + 2));
    if (SPACE.test(text)) {
      end = SPACE.lastIndex;
    } else if (opening) {
      end = endOfBlank(text, Object.assign(opening, {index: start}));
      tokens.push({kind: "comment", text: text.slice(start, end), start, end});
    } else {
      const found = /** @type {RegExpExecArray} */ (CODE_TOKEN.exec(text));
      end = CODE_TOKEN.lastIndex;
      const kind = NUMERIC.test(found[0]) ? "number" : CODE_KINDS[found.slice(1).findIndex(each => each !== undefined)];
      tokens.push({kind, text: found[0], start, end});
    }
  }
  return tokens;
}

/**
 * The last token of a statement: a full stop, or the weight after it.
 * @param {Token[]} tokens @param {number} first
 */
function lastOfStatement(tokens, first) {
  const stop = tokens.findIndex((token, index) => index >= first && token.text === ".");
  const end = stop < 0 ? tokens.findLastIndex(({kind}) => kind !== "comment") : stop;
  const next = tokens.findIndex(({kind}, index) => index > end && kind !== "comment");
  if (tokens[next]?.text !== "[") return end;
  const closing = tokens.findIndex(({text}, index) => index > next && (text === "]" || text === "."));
  return tokens[closing]?.text === "]" ? closing : end;
}

/**
 * The comment after a statement on its last line, and the index of the token after it. Comment lines directly below
 * continue it if they are indented after their sign.
 * @param {string} text @param {Token[]} tokens @param {number} next @param {number} line
 */
function noteAt(text, tokens, next, line) {
  const lineAt = (/** @type {number} */ offset) => text.slice(0, offset).split("\n").length;
  /** @type {string[]} */
  const words = [];
  let end = next;
  for (; tokens[end]?.kind === "comment"; end++) {
    const at = lineAt(tokens[end].start);
    if (words.length ? at !== line + words.length || !/^% {2}/.test(tokens[end].text) : at !== line) break;
    words.push(plain(tokens[end].text));
  }
  return {behind: words.join(" "), end};
}

/** The text of a comment without its signs. @param {string} comment */
function plain(comment) {
  return comment.replace(/^(?:%\*|#!|%+)|\*%$/g, "").split(/\s+/).filter(word => word && word !== "*").join(" ");
}

/**
 * What the comments above a statement say about it.
 * @param {string} text @param {Token[]} comments @param {number} line
 * @param {(offset: number) => {line: number}} place
 */
function explained(text, comments, line, place) {
  const templates = comments.filter(comment => comment.text.startsWith("%@"));
  const template = templates.at(-1)?.text.replace(/^%@(?:\([^)]*\))?\s*/, "").trim() ?? "";
  /** @type {string[]} the last paragraph directly above */
  const words = [];
  let below = line;
  for (const comment of comments.toReversed()) {
    const isInFront = !text.slice(text.lastIndexOf("\n", comment.start - 1) + 1, comment.start).trim();
    if (place(comment.end - 1).line < below - 1 || !isInFront) break;
    below = place(comment.start).line;
    if (/^%[@!]/.test(comment.text)) continue;
    const said = plain(comment.text);
    if (!said) break;
    words.unshift(said);
  }
  return {
    sentence: words.join(" "),
    isRedundant: template === "-",
    template: template === "-" ? "" : template,
    message: template === "-" ? "" : inVariables(template),
  };
}

/** A message with the names of the variables in it. @param {string} template */
function inVariables(template) {
  const said = template
    .replace(/r\{(\w+)\}c\{(\w+)\}/g, "($1,$2)")
    .replace(/\{(\w+)\}/g, "$1")
    .split("|").map(part => part.trim()).join("; ");
  return said && `${said[0].toUpperCase()}${said.slice(1)}.`;
}

/** The kind of a statement, and its parts. @param {Token[]} tokens */
function parsed(tokens) {
  const code = tokens.filter(({kind}) => kind !== "comment");
  const at = tokens.findIndex(({text}) => text === ":-");
  const first = code[0].text;
  const isDirective = DECLARES.test(first) && code[1]?.text !== ":-";
  const atoms = isDirective ? [] : atomsIn(tokens);
  markPredicates(tokens, atoms, isDirective);
  const body = at < 0 ? tokens.length : at + 1;
  const hooks = atoms.flatMap(atom => {
    const {predicate, first, last} = atom;
    const isWhole = first > body && !isIn(tokens, body, first) && endsLiteral(tokens, last);
    if (predicate !== "ab" || tokens[first - 1]?.text !== "not" || !isWhole) return [];
    if (first - 1 > body && !/^[,;]$/.test(tokens[first - 2].text)) return [];
    return [{...atom, first: first - 1, atom: `ab(${atom.arguments.join(",")})`}];
  });
  return {tokens, body, atoms, hooks, kind: kindOf(code, isDirective)};
}

/**
 * Whether a token is inside of braces or parentheses that open after another one.
 * @param {Token[]} tokens @param {number} from @param {number} to
 */
function isIn(tokens, from, to) {
  let depth = 0;
  for (const {text} of tokens.slice(from, to)) depth += Number(OPENS.test(text)) - Number(CLOSES.test(text));
  return depth > 0;
}

/** @param {Token[]} tokens @param {number} last */
function endsLiteral(tokens, last) {
  return /^[,;.]$/.test(tokens[last + 1]?.text ?? ".");
}

/** @param {Token[]} code without comments @param {boolean} isDirective @returns {StatementKind} */
function kindOf(code, isDirective) {
  const first = code[0].text;
  if (first === ":~" || /^#(?:min|max)imi/.test(first)) return "objective";
  if (isDirective) return "declaration";
  const end = code.findIndex(({text}) => text === ":-");
  const head = end < 0 ? code.slice(0, -1) : code.slice(0, end);
  if (!head.length || /^(?:not|#false|#true|&)$/.test(first)) return "constraint";
  if (head.some(({text}) => text === "{")) return "choice";
  let depth = 0, isChoice = false;
  for (const {kind, text} of head) {
    if (!depth && kind === "operator" && COMPARISON.test(text)) return "constraint";
    isChoice ||= !depth && /^[;:|,]$/.test(text);
    depth += Number(/^[([]$/.test(text)) - Number(/^[)\]]$/.test(text));
  }
  return isChoice ? "choice" : "definition";
}

/**
 * The atoms of a statement: terms with a name where a literal can begin.
 * @param {Token[]} tokens @returns {Atom[]}
 */
export function atomsIn(tokens) {
  /** @type {Atom[]} */
  const atoms = [];
  /** @type {{sign: string, isTuple: boolean}[]} */
  const open = [{sign: "", isTuple: false}];
  let isBody = false;
  for (let index = 0; index < tokens.length; index++) {
    const {kind, text} = tokens[index];
    const inside = open[open.length - 1];
    const before = tokens[index - 1];
    if (kind === "comment") continue;
    isBody ||= text === ":-";
    if (OPENS.test(text)) {
      open.push({sign: text, isTuple: text === "{" && hasTuples(before)});
    } else if (CLOSES.test(text)) {
      if (open.length > 1) open.pop();
    } else if (text === ":") {
      inside.isTuple = false;
    } else if (text === ";" && inside.sign === "{") {
      inside.isTuple = open.length > 1 && isAggregateOfTuples(tokens, index);
    } else if (/^(?:constant|predicate)$/.test(kind) && /^\{?$/.test(inside.sign) && !inside.isTuple) {
      const last = endOfTerm(tokens, index);
      const next = tokens[last + 1];
      const isTerm = [before, next].some(each => each?.kind === "operator" && (isBody || each.text !== "|"));
      const sign = before?.text === "-" && !isTermBefore(tokens[index - 2]) ? "-" : "";
      if (!isTerm || sign) {
        atoms.push({predicate: sign + text, arguments: argumentsOf(tokens, index, last), first: index, last});
      }
      index = last;
    }
  }
  return atoms;
}

/** @param {Token | undefined} token */
function isTermBefore(token) {
  return token !== undefined && (/^(?:variable|constant|number|string)$/.test(token.kind) || /^[)|]$/.test(token.text));
}

/**
 * Whether the element that begins here, inside of braces, begins with a tuple.
 * @param {Token[]} tokens @param {number} at
 */
function isAggregateOfTuples(tokens, at) {
  let depth = 0;
  for (let index = at - 1; index >= 0; index--) {
    if (CLOSES.test(tokens[index].text)) depth++;
    else if (OPENS.test(tokens[index].text) && depth-- === 0) return hasTuples(tokens[index - 1]);
  }
  return false;
}

/** Whether the elements of braces after a token begin with tuples: not those of a choice. @param {Token} [before] */
function hasTuples(before) {
  return before !== undefined && (/^(?:#|\)$)/.test(before.text) || before.kind === "constant");
}

/** The last token of a name with its arguments. @param {Token[]} tokens @param {number} first */
function endOfTerm(tokens, first) {
  if (tokens[first + 1]?.text !== "(") return first;
  let depth = 0;
  for (let index = first + 1; index < tokens.length; index++) {
    depth += Number(OPENS.test(tokens[index].text)) - Number(CLOSES.test(tokens[index].text));
    if (!depth) return index;
  }
  return tokens.length - 1;
}

/** @param {Token[]} tokens @param {number} first @param {number} last */
function argumentsOf(tokens, first, last) {
  if (last === first) return [];
  /** @type {string[]} */
  const found = [""];
  let depth = 0;
  for (const {kind, text} of tokens.slice(first + 2, last)) {
    depth += Number(OPENS.test(text)) - Number(CLOSES.test(text));
    if (text === "," && !depth) found.push("");
    else if (kind !== "comment") found[found.length - 1] += text;
  }
  return found;
}

/** @param {Token[]} tokens @param {Atom[]} atoms @param {boolean} isDirective */
function markPredicates(tokens, atoms, isDirective) {
  for (const {first} of atoms) tokens[first].kind = "predicate";
  if (!isDirective) return;
  tokens.forEach((token, index) => {
    if (token.kind === "constant" && tokens[index + 1]?.text === "/") token.kind = "predicate";
  });
}

/**
 * A statement on lines of at most so many characters, where it is possible. A statement that does not fit on one
 * line is broken where the grammar breaks, and its hooks begin a line. A condition begins a line if it fits on that.
 * @param {Statement} statement @param {number} columns @returns {CodeLine[]}
 */
export function brokenLines(statement, columns) {
  const {tokens, hooks, kind} = statement;
  const {places, spaces} = placesIn(statement);
  const width = (/** @type {number} */ from, /** @type {number} */ to) => {
    let sum = 0;
    for (let index = from; index < to; index++) {
      if (index > from && endsLine(tokens[index - 1])) return Infinity;
      sum += tokens[index].text.length + Number(index > from && spaces[index]);
    }
    return sum;
  };
  for (const [index, place] of places.entries()) {
    if (place !== BEFORE_CONDITION) continue;
    const start = places.findLastIndex((each, at) => at < index && (each <= AFTER_ELEMENT || !at));
    const next = (/** @type {number} */ least) => {
      const found = places.findIndex((each, at) => at > index && each <= least);
      return found < 0 ? tokens.length : found;
    };
    const isLong = 2 * STEP + width(index, next(AFTER_ELEMENT)) > columns;
    if (isLong && STEP + width(start, next(IN_CONDITION)) <= columns) places[index] = IN_POOL;
  }
  const guards = kind === "constraint" && width(0, tokens.length) > columns ? hooks[0]?.first : undefined;
  /** @type {{indent: number, from: number, to: number}[]} */
  const lines = [{indent: 0, from: 0, to: 0}];
  const fits = (/** @type {number} */ end) => {
    const {indent, from} = lines[lines.length - 1];
    return indent + width(from, end) <= columns;
  };
  const put = (/** @type {number} */ from, /** @type {number} */ to, place = AFTER_IF, indent = STEP) => {
    for (let start = from, end = from + 1; end <= to; end++) {
      if (end < to && places[end] > place) continue;
      const isBreak = start === guards || (start > 0 && endsLine(tokens[start - 1]));
      if (start > lines[lines.length - 1].from && (isBreak || !fits(end))) lines.push({indent, from: start, to: start});
      if (place === ANYWHERE || fits(end)) {
        lines[lines.length - 1].to = end;
      } else {
        const isSplit = place >= AFTER_LITERAL && places.slice(start + 1, end).some(each => each === place + 1);
        put(start, end, place + 1, indent + (isSplit ? STEP : 0));
      }
      start = end;
    }
  };
  put(0, tokens.length);
  return lines.map(({indent, from, to}) => ({
    indent,
    tokens: tokens.slice(from, to),
    spaces: [false, ...spaces.slice(from + 1, to)],
    first: from,
    isCut: (from > 0 && places[from] >= IN_TERM) || indent + width(from, to) > columns,
  }));
}

/** @param {Token} token */
function endsLine({kind, text}) {
  return kind === "comment" && !text.startsWith("%*");
}

/** The text of a line. @param {CodeLine} line */
export function lineText({indent, tokens, spaces}) {
  return " ".repeat(indent) + tokens.map(({text}, index) => (spaces[index] ? " " : "") + text).join("");
}

/**
 * For each token, how good a place a line has to end before it, and whether a blank is there.
 * @param {Statement} statement
 */
function placesIn({tokens, hooks}) {
  /** @type {number[]} */
  const places = [];
  /** @type {boolean[]} */
  const spaces = [];
  /** @type {string[]} */
  const open = [];
  let isCondition = false;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const {text} = token;
    const isBraces = open.length > 0 && open.every(sign => sign === "{");
    let place = ANYWHERE, space = index > 0 && token.start > before.end;
    if (!index) place = NOWHERE;
    else if (endsLine(before)) place = AFTER_IF;
    else if (before.text === ":-" || before.text === ":~") [place, space] = [index > 1 ? AFTER_IF : NOWHERE, true];
    else if (text === ":-") space = true;
    else if (/^[,;.]$/.test(text)) place = NOWHERE;
    else if (text === "}") place = IN_POOL;
    else if (before.text === "," || before.text === ";") {
      if (!open.length) [place, space] = [isCondition ? IN_CONDITION : AFTER_LITERAL, true];
      else if (!isBraces) place = before.text === ";" ? IN_POOL : IN_TERM;
      else if (before.text === ";") [place, space] = [AFTER_ELEMENT, true];
      else if (isCondition) [place, space] = [IN_CONDITION, true];
      else place = IN_TERM;
    } else if (text === ":" && (!open.length || isBraces)) [place, space] = [BEFORE_CONDITION, true];
    else if (before.text === ":") [place, space] = [NOWHERE, true];
    if (hooks.some(({first, last}) => first < index && index <= last)) place = NOWHERE;
    if (OPENS.test(text)) {
      open.push(text);
      if (text === "{") isCondition = false;
    } else if (CLOSES.test(text)) {
      if (open.pop() === "{") isCondition = false;
    } else if (text === ":") isCondition = true;
    else if (text === ";" || text === ":-") isCondition = false;
    places.push(place);
    spaces.push(space);
  });
  return {places, spaces};
}

/**
 * What retractions there are at a hook: of the rule, or of some of its instances, whose values are returned.
 * @param {Hook} hook @param {string[]} retracted atoms such as `ab(box)` or `ab(box,5)`
 */
export function retractionsAt(hook, retracted) {
  /** @type {string[]} */
  const exceptions = [];
  let isTaken = false;
  for (const atom of retracted) {
    const values = valuesOf(hook.arguments, argumentsIn(atom));
    isTaken ||= values?.length === 0;
    if (values?.length) exceptions.push(values.join(","));
  }
  return {isTaken, exceptions};
}

/** The arguments of a term. @param {string} term */
export function argumentsIn(term) {
  const tokens = tokensIn(term);
  const opening = tokens.findIndex(({text}) => text === "(");
  return opening < 0 ? [] : argumentsOf(tokens, opening - 1, tokens.length - 1);
}

/**
 * The values of arguments that are variables, or undefined if others differ.
 * @param {string[]} patterns @param {string[]} values @returns {string[] | undefined}
 */
function valuesOf(patterns, values) {
  if (patterns.length !== values.length) return undefined;
  /** @type {string[]} */
  const found = [];
  for (const [index, pattern] of patterns.entries()) {
    const value = values[index];
    if (pattern === value) continue;
    const isTuple = value.startsWith("("); // another hook has it: a variable stands for a number or a name
    const isVariable = /^[_A-Z]/.test(pattern);
    const parts = isVariable ? [] : valuesOf(argumentsIn(pattern), argumentsIn(value));
    const isTerm = isVariable ? !isTuple : parts?.length && pattern.startsWith("(") && isTuple;
    if (!isTerm) return undefined;
    found.push(value);
  }
  return found;
}

/**
 * Whether a statement says something about grids; others declare or define what such statements use, or only speed
 * up the search.
 * @param {Statement} statement
 */
export function isRule({kind, isRedundant, message, atoms}) {
  if (isRedundant || kind === "declaration") return false;
  return kind !== "definition" || Boolean(message) || atoms[0]?.predicate === "ab";
}

/** Whether a rule may forbid a grid: a choice does so by its bounds. @param {Statement} statement */
export function mayForbid({kind, tokens, body, message}) {
  if (kind === "choice") {
    const head = tokens.slice(0, body).filter(each => each.kind !== "comment" && !/^(?::-|\.)$/.test(each.text));
    return head[0]?.text !== "{" || head.at(-1)?.text !== "}";
  }
  return kind === "constraint" || (kind === "definition" && Boolean(message));
}

/**
 * Whether a rule has no instances, because a literal of its body is over one of these predicates, such as `unused/2`.
 * @param {Statement} statement @param {string[]} without
 */
export function isIdle({atoms, tokens, body}, without) {
  return atoms.some(({predicate, arguments: {length}, first}) => first >= body
    && without.includes(`${predicate}/${length}`) && tokens[first - 1].text !== "not" && !isIn(tokens, body, first));
}

/** The predicates that rule files or facts declare, as `unused/2`, and none of them defines. @param {string[]} texts */
export function predicatesWithoutAtoms(texts) {
  const declared = new Set();
  const defined = new Set();
  for (const {kind, tokens, atoms, body} of texts.flatMap(statementsIn)) {
    if (tokens[0].text === "#defined") declared.add(tokens.slice(1, -1).map(({text}) => text).join(""));
    if (kind !== "definition" && kind !== "choice") continue;
    for (const atom of atoms) if (atom.first < body) defined.add(`${atom.predicate}/${atom.arguments.length}`);
  }
  return [...declared].filter(each => !defined.has(each));
}

/**
 * The heads of definitions, each once: with variables as arguments, if the file has such an atom.
 * @param {Statement[]} definitions @param {Statement[]} all
 */
export function headsIn(definitions, all) {
  const named = new Map();
  const name = (/** @type {Atom} */ {predicate, arguments: {length}}) => `${predicate}${length ? `/${length}` : ""}`;
  for (const {atoms: [head]} of definitions) if (head) named.set(name(head), name(head));
  for (const atom of all.flatMap(({atoms}) => atoms)) {
    const isPlain = atom.arguments.every(each => /^[A-Z][\w']*$/.test(each));
    if (isPlain && named.get(name(atom)) === name(atom) && atom.arguments.length) {
      named.set(name(atom), `${atom.predicate}(${atom.arguments.join(",")})`);
    }
  }
  return [...named.values()];
}

/** The comment with which a file begins, up to a blank line or an empty comment. @param {string} text */
export function titleIn(text) {
  const [whole] = /^\s*%\*[^]*?\*%|^\s*(?:%(?![@!]).*\S.*\n?)*/.exec(text) ?? [""];
  return whole.split("\n").map(line => plain(line.trim())).join(" ").trim();
}
