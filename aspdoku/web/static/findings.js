// @ts-check
// What the page finds in a rule that somebody types, without Python: in the words of `aspdoku check`,
// for the mistakes that are common.

/** @typedef {{line: number, text: string, error?: boolean, column?: number, severity?: string}} Finding */
const CODE_ONLY = "cannot be used in a rule file: rule files may not run code";
const NOT_ALLOWED_HERE = "not allowed in a rule file";
/** @type {[RegExp, string][]} */
const NOT_ALLOWED = [
  [/#const\b/g, `#const is ${NOT_ALLOWED_HERE}, because it changes all files of a program: remove it, and set the`
    + " constant with -c NAME=VALUE"],
  [/#(?:mini|maxi)mi[sz]e\b|:~/g, `#minimize, #maximize and :~ are ${NOT_ALLOWED_HERE}: a rule defines what a solution`
    + " is, not which one is best"],
  [/#project\b/g, `#project is ${NOT_ALLOWED_HERE}: solutions are distinguished by a/3 alone`],
  [/#theory\b/g, `#theory is ${NOT_ALLOWED_HERE}: there is no theory solver`],
  [/#program\b(?!\s+base\s*\.)/g, `#program is ${NOT_ALLOWED_HERE}: the files after this one would become part of`
    + " that subprogram; remove it"],
  [/#script\b/g, `#script ${CODE_ONLY}`],
  [/#include\b/g, "#include cannot be used in a rule file: rule files may not read other files"],
  [/@\s*[a-z]\w*/g, `@ ${CODE_ONLY}`],
];
/** @type {Record<string, string>} */
const CHARACTERS = {
  "≠": "!=", "≤": "<=", "≥": ">=", "←": ":-", "¬": "not", "∧": "a comma", "−": "-", "–": "-", "“": '"',
  "”": '"',
};
// Operators of Prolog and of other languages, longer ones first.
const OPERATORS = {
  "=\\=": "!=", "\\==": "!=", "=:=": "=", "=!": "!=", "=<": "<=", "=>": ">=", "\\=": "!=", "\\+": "not",
  "&&": "a comma",
};
/** @type {Record<string, string>} */
const CLOSING = {")": "(", "]": "[", "}": "{"};
// Several files may state exceptions and derive the layout of the grid.
const SHARED = /^(?:ab\/\d+|box\/3|unused\/2)$/;
export const DECLARATION = /#defined\s+(-?\w+)\s*\/\s*([0-9]{1,3})\s*\./g;
const STATEMENT_END = /(?<!\.)\.(?!\.)/g;

/**
 * The code of a rule: comments and strings are blank, and all else keeps its place, as in `program/lexer.py`.
 * @param {string} text
 */
export function codeOf(text) {
  const opening = /%\*|%|#!|"/g;
  let code = "";
  let position = 0;
  for (let found; (found = opening.exec(text)); opening.lastIndex = position) {
    const end = endOfBlank(text, found);
    const blank = end === found.index + 1 && found[0] === '"' ? '"' : " ";
    code += text.slice(position, found.index) + text.slice(found.index, end).replace(/[^\n]/g, blank);
    position = end;
  }
  return code + text.slice(position);
}

/**
 * The end of the comment or string that begins with a match. A block comment may contain others.
 * @param {string} text @param {RegExpExecArray} match
 */
export function endOfBlank(text, {0: opening, index}) {
  const next = index + opening.length;
  if (opening === '"') return next + (/^(?:\\["\\n]|[^"\\\n])*"/.exec(text.slice(next))?.[0].length ?? 0);
  if (opening !== "%*") return next + text.slice(next).search(/$/m);
  const edge = /%\*|\*%|%.*/g;
  edge.lastIndex = next;
  let depth = 1;
  for (let found; depth && (found = edge.exec(text));) {
    depth += Number(found[0] === "%*") - Number(found[0] === "*%");
  }
  return depth ? text.length : edge.lastIndex;
}

/** @param {string} text @param {number} offset */
export function lineOf(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

/**
 * What is wrong with a rule before it is run.
 * @param {string} text @param {string} name that of the rule
 * @param {Record<string, string>} defined the places at which other rule files define predicates, by name/arity
 */
export function findingsIn(text, name, defined) {
  const code = codeOf(text);
  /** @type {Finding[]} */
  const found = [];
  const add = (/** @type {number} */ offset, /** @type {string} */ words) =>
    found.push({line: lineOf(text, offset), text: words, error: true});
  for (const [pattern, words] of NOT_ALLOWED) {
    // As a link may come from anybody, not even comments may look like code that is run.
    const searched = /script|include/.test(pattern.source) ? text : code;
    for (const {index} of searched.matchAll(pattern)) add(index, words);
  }
  for (const {0: character, index} of code.matchAll(/\P{ASCII}/gu)) {
    const instead = character in CHARACTERS ? `; write ${CHARACTERS[character]}` : "";
    add(index, `invalid character '${character}' outside comments and strings${instead}`);
  }
  const own = definitionsIn(text);
  for (const [predicate, offset] of own) {
    const place = defined[predicate];
    // The cells that a file takes out of the grid may hold numbers.
    if (!place || SHARED.test(predicate) || (predicate === "a/3" && own.has("unused/2"))) continue;
    const words = /^asp\/base\.lp:/.test(place)
      ? `${predicate} is defined in ${place}: a rule with this head changes the base instead of elaborating it; use a`
        + " constraint ':- ...' to forbid grids"
      : `${predicate} is also defined in ${place}, so that each file changes the other: call it`
        + ` ${ownName(name, predicate, place)} here`;
    add(offset, words);
  }
  for (const {index, 1: predicate, 2: arity} of code.matchAll(DECLARATION)) {
    const [, file] = /^(asp\/(?:vocabulary|speed)\/.*):/.exec(defined[`${predicate}/${arity}`] ?? "") ?? [];
    const comment = /^[^\n]*?\.[ \t]*%\s*(.*)/.exec(text.slice(index))?.[1] ?? "";
    if (file && comment.startsWith(`${predicate}(`)) {
      add(index, `${predicate}/${arity} is a word of the vocabulary, ${file}: use another name, or omit this comment`);
    }
  }
  // clingo would continue it with the facts of the puzzle. The weight of :~ follows its full stop.
  const rest = code.slice(lastStart(code)).replace(/^\s*\[.*?\]/, "").trim();
  if (rest) add(code.trimEnd().length, "incomplete last statement: is its full stop missing?");
  if (!codeOf(`${text}\nx`).endsWith("x")) {
    add(text.indexOf("%*", code.trimEnd().length), "unterminated comment: close it with *%");
  }
  return found.sort((one, two) => one.line - two.line);
}

/** Where the last statement begins. @param {string} code */
function lastStart(code) {
  return ([...code.matchAll(STATEMENT_END)].at(-1)?.index ?? -1) + 1;
}

/**
 * The first of these predicates that a rule declares as an input, if any.
 * @param {string} text @param {string[]} sections
 */
export function sectionDeclaredIn(text, sections) {
  const code = codeOf(text);
  return sections.find(name => new RegExp(`#defined\\s+${name}\\s*/`).test(code));
}

/**
 * The predicates that a rule file defines, as name/arity, with the offset of the first definition.
 * @param {string} text @returns {Map<string, number>}
 */
export function definitionsIn(text) {
  const code = codeOf(text);
  const found = new Map();
  let start = 0;
  for (const {index} of code.matchAll(STATEMENT_END)) {
    for (const [predicate, offset] of headsOf(code.slice(start, index))) {
      if (!found.has(predicate)) found.set(predicate, start + offset);
    }
    start = index + 1;
  }
  return found;
}

/**
 * A name for a predicate that only the rule with this name has.
 * @param {string} rule @param {string} predicate @param {string} place
 */
function ownName(rule, predicate, place) {
  const called = predicate.split("/")[0];
  const prefix = `${rule.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "")}_`;
  const isSame = place.replace(/^.*\/|\.lp:\d+$/g, "") === rule;
  return isSame || called.startsWith(prefix) ? `${called}_2` : prefix + called;
}

/** The predicates in the head of a statement, as name/arity, with their offsets. @param {string} statement */
function headsOf(statement) {
  const head = statement.split(":-")[0];
  if (/^\s*(?:#|:~|$)/.test(head)) return [];
  /** @type {[string, number][]} */
  const found = [];
  let depth = 0, condition = false;
  for (const {0: token, index} of head.matchAll(/[()[\]{};:|]|\bnot\b|\b_*[a-z]\w*/g)) {
    if (";|}".includes(token)) condition = false;
    else if (token === ":") condition = true;
    else if ("([".includes(token)) depth++;
    else if (")]".includes(token)) depth--;
    else if (token !== "{" && token !== "not" && !depth && !condition) {
      found.push([`${token}/${arity(head.slice(index + token.length))}`, index]);
    }
  }
  return found;
}

/** The number of arguments at the start of a text such as (R,f(C,1)) and what follows. @param {string} text */
function arity(text) {
  if (!/^\s*\(\s*[^)\s]/.test(text)) return 0;
  let depth = 0, count = 1;
  for (const sign of text) {
    if (sign === "(") depth++;
    else if (sign === ")" && !--depth) break;
    else if (sign === "," && depth === 1) count++;
  }
  return count;
}

/**
 * clingo's messages about lines of a program as findings in a rule whose text begins at the line `first`.
 * @param {string} messages @param {string} text @param {number} first
 */
export function findingsOf(messages, text, first) {
  /** @type {Finding[]} */
  const found = [];
  const size = text.split("\n").length;
  const each = /^-:(\d+):(\d+)(?:-[\d:]+)?: (\w+): (.*(?:\n {2}.*)*)/gm;
  for (const [, line, column, kind, words] of messages.matchAll(each)) {
    const own = Number(line) - first + 1;
    if (own < 1 || own > size) continue;
    const finding = inWords(words, text, own, Number(column));
    // A predicate that nothing defines is only an information of clingo.
    const error = kind === "error" || kind === "note" || /^atom does not occur in any rule head/.test(words);
    const isSecond = error && /syntax error/.test(words) && found.some(other => other.error);
    if (finding && !isSecond) found.push({line: own, error, ...finding});
  }
  return found;
}

/**
 * One message of clingo: what it says in other words, and perhaps another line.
 * @param {string} message @param {string} text @param {number} line @param {number} column
 */
function inWords(message, text, line, column) {
  const [words, ...more] = message.split(/:?\n\s*/);
  const unsafe = /^'(.*)' is unsafe/.exec(words);
  if (/^unsafe variables in/.test(words)) return null; // notes name them
  if (unsafe) {
    return {text: `unsafe variable: ${unsafe[1]}; bind it with an atom such as number(${unsafe[1]}) in the body`};
  }
  if (/^(?:syntax|lexer) error/.test(words)) return syntaxError(text, line, column);
  if (/^atom does not occur in any rule head/.test(words)) {
    const [, name, rest] = /^(\w+)(.*)/s.exec(more[0]) || [null, more[0], ""];
    const predicate = `${name}/${arity(rest)}`;
    return {text: `undefined predicate ${predicate}. If it comes from the puzzle, declare it: #defined ${predicate}.`};
  }
  if (/^operation undefined/.test(words)) {
    return {text: `undefined operation ${more.join(" ")}: clingo discards the rule or the element that contains it`};
  }
  return {text: [words, ...more].join(": ")};
}

/**
 * What is wrong where clingo's parser gave up; what has to be changed is often before that place.
 * @param {string} text @param {number} line @param {number} column
 */
function syntaxError(text, line, column) {
  const code = codeOf(text);
  const lines = code.split("\n");
  const offset = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  const token = /^(?:#?\w+|:-|[^\s\w])/.exec(code.slice(offset))?.[0] ?? "";
  const start = lastStart(code.slice(0, offset));
  const statement = code.slice(start, offset);
  const before = statement.trimEnd();
  const at = (/** @type {number} */ place, /** @type {string} */ words) =>
    ({line: lineOf(text, place), text: `syntax error: ${words}`});
  const previous = start + before.length;
  if (token === '"') return at(offset, 'unterminated string: its closing " is missing on this line');
  for (const [operator, instead] of Object.entries(OPERATORS)) {
    const place = code.indexOf(operator, Math.max(start, offset - operator.length + 1));
    if (place >= 0 && place <= offset) return at(place, `clingo has no operator ${operator}; write ${instead}`);
  }
  const word = /\w+\s*$/.exec(statement);
  const name = word?.[0].trim() ?? "";
  if (word && /^[A-Z]/.test(name) && "([".includes(token)) {
    return at(start + word.index, `'${name}' begins with a capital letter, so it is a variable; a predicate begins with`
      + ` a small letter, as in ${name[0].toLowerCase()}${name.slice(1)}(…)`);
  }
  const aggregate = /(?<![#\w])(sum|count|min|max)\s*\{/.exec(statement + token);
  if (aggregate) return at(start + aggregate.index, `write #${aggregate[1]} for the aggregate, with #`);
  /** @type {[string, number][]} */
  const open = [];
  [...statement].forEach((sign, index) => {
    if (Object.values(CLOSING).includes(sign)) open.push([sign, start + index]);
    else if (CLOSING[sign] && open.at(-1)?.[0] === CLOSING[sign]) open.pop();
  });
  const unclosed = open.at(-1);
  if ([".", ":-"].includes(token) && unclosed) return at(unclosed[1], `'${unclosed[0]}' is never closed`);
  if (token in CLOSING && !open.length) return at(offset, `'${token}' closes nothing; remove it`);
  if (before.endsWith(",") && ".,".includes(token)) {
    return at(previous - 1, `remove the comma before ${token === "." ? "the full stop" : "another comma"}`);
  }
  const beginsLine = !lines[line - 1].slice(0, column - 1).trim();
  const again = token === ":-" && statement.includes(":-");
  const ends = before && beginsLine && /^[#a-z]/i.test(token) && !/(?:[,;:]|:-|\bnot)$/.test(before);
  if (again || ends) return at(previous - 1, "missing full stop at the end of this statement");
  if (/^[\w#{]/.test(token) && /[\w)}]$/.test(before) && !/^(?:not|if)$/.test(name)) {
    return at(previous - 1, `missing comma before '${token}'`);
  }
  return {line, text: `syntax error, unexpected '${token}'`};
}
