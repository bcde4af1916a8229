// The live page: a board that can be edited, a program whose parts can be switched, and what follows
// from them. All answers come from `Engine.ask`.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
// The heat map asks clingo about each set of so many rules, at most 64; of more rules, about each one.
const MOST_RETRACTED = 6;
// Characters of a rule, as for a puzzle that is loaded.
const MOST_TEXT = 100000;
// Characters of the state in a link: a rule and a puzzle of the largest size, with all escapes.
const MOST_STATE = 500000;
const MOST_RETRACTIONS = 200;
// For a grid in "guess the rule" that separates the rules, and before that for one that about half of them forbid.
const GAME_SECONDS = 30, HALVING_SECONDS = 5;
// Grids that a rule allows refute more rules than answers do: most grids violate most rules.
const EXAMPLES = 3;
// For a rule that somebody types, which may be endless, and for another try.
const OWN_SECONDS = 2.5, MORE_SECONDS = 60;
const DELAY = 250; // milliseconds after the last key in the editor
const CHECK_DELAY = 500; // milliseconds until the server is asked about a mistake
const HEAT = ["#ffffff", "#fff3c4", "#ffd98a", "#ffb35c", "#f58a4b", "#dd6a4a", "#c2524f", "#a04558"];
const MARKS = {concluded: "#ffd95e", looked: "#a9d3f8", clue: "#c3ecc4", cited: "#e4eefa"};
const MARK_WORDS = {
  concluded: "concluded", looked: "used", clue: "of the clue", cited: "of the row, column or region",
};
const RULE_NAME = /[a-z][a-z0-9\-]{0,59}/;
const TOKENS = /(%\*[^]*?\*%|%[^\n]*)|("(?:\\.|[^"\\\n])*")|(#[a-z]+)|\b(not)\b|([A-Z]\w*)|(\b\d+\b)|(:-)/g;
const TOKEN_KINDS = ["comment", "string", "directive", "not", "variable", "number", "if"];

const engine = new Engine();
const gameEngine = new Engine(); // a game goes on while the puzzle is changed

// ---- Helpers ----

// An element with properties; `on…` are listeners, other names are attributes.
function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function drawn(tag, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

// A solved grid as SVG, in the drawing of its board.
function gridMarkup({scale, width, height, grid: [left, top], below, above, digit: [x, y, size]}, rows) {
  const digits = rows.flatMap((row, r) => row.map((number, c) => `<text x="${(left + c + x) * scale}" y="${(top + r + y + 0.36 * size) * scale}" font-size="${size * scale}" text-anchor="middle" fill="#2f6db5">${number}</text>`));
  return `<svg viewBox="0 0 ${width * scale} ${height * scale}" role="img" aria-label="A solved grid" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif"><rect width="100%" height="100%" fill="#ffffff"/>${below}${above}${digits.join("")}</svg>`;
}

function rowsOf(grid, size) {
  const rows = [...Array(size)].map(() => []);
  grid.forEach(([row, column, number]) => (rows[row - 1][column - 1] = number));
  return rows;
}

// The solved grids in a text, one in each line.
function gridsIn(text, size) {
  return text.split("\n").filter(line => line.trim()).map(line => {
    const digits = [...line.replace(/\s/g, "")];
    if (digits.length !== size * size || digits.some(digit => !/\d/.test(digit))) {
      throw new Error(`“${line.trim()}” is not a solved grid: write ${size * size} digits, row by row.`);
    }
    return digits.map((digit, index) => [Math.floor(index / size) + 1, index % size + 1, Number(digit)]);
  });
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function listed(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

function cardId(name) {
  return `rule-${name.replaceAll("/", "-")}`;
}

function highlighted(text) {
  const fragment = document.createDocumentFragment();
  let end = 0;
  for (const found of text.matchAll(TOKENS)) {
    fragment.append(text.slice(end, found.index));
    const kind = TOKEN_KINDS[found.slice(1).findIndex(group => group !== undefined)];
    fragment.append(h("span", {class: `token-${kind}`}, found[0]));
    end = found.index + found[0].length;
  }
  fragment.append(text.slice(end));
  return fragment;
}

function save(name, text) {
  const link = h("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  URL.revokeObjectURL(link.href);
}

// The text of a file; other encodings than UTF-8 would be damaged when it is saved again.
async function textOf(file) {
  if (file.size > LARGEST) throw new Error(TOO_LONG);
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    throw new Error(`${file.name} is not UTF-8 text`);
  }
}

// The state in the address: it is not sent to a server.
async function packed(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  let content = "";
  const isTooLarge = () => Math.max(text.length, content.length) > MOST_STATE;
  try {
    const bytes = isTooLarge() ? [] : decoded(text.replaceAll("-", "+").replaceAll("_", "/"));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    for (const reader = stream.pipeThrough(new TextDecoderStream()).getReader(); !isTooLarge();) {
      const {value, done} = await reader.read();
      if (done) return JSON.parse(content);
      content += value;
    }
  } catch {
    if (!isTooLarge()) throw new Error("it is damaged or incomplete");
  }
  throw new Error(`it has more than ${MOST_STATE} characters`);
}

// ---- Programs ----

// What can be changed on the page: givens, assumed numbers by cell, rules, and the own rule.
function initialState(data) {
  return {
    givens: data.givens.map(row => [...row]),
    entries: {},
    added: [],
    retracted: [...data.retracted],
    own: {name: "my-rule", text: "", on: true},
  };
}

// The state in a link, if it is one of this puzzle: a link may come from anybody, and its names and
// numbers become part of a program.
function checked({givens, entries, added, retracted, own}, {size, numbers}, library) {
  const inGrid = number => Number.isInteger(number) && 1 <= number && number <= size;
  const whole = (text, pattern) => typeof text === "string" && text.match(pattern)?.[0] === text;
  const rows = rows => Array.isArray(rows) && rows.length === size;
  const differ = names => new Set(names).size === names.length;
  const valid = rows(givens) && givens.every(row => rows(row) && row.every(each => each === null || numbers.includes(each)))
    && Object.entries(entries).every(([cell, number]) => whole(cell, /[1-9]\d*,[1-9]\d*/) && cell.split(",").map(Number).every(inGrid) && numbers.includes(number))
    && [...added, ...retracted].every(name => whole(name, /[\w/\-]+/)) && retracted.every(name => whole(name, /_*[a-z]\w*/))
    && differ(added) && differ(retracted) && retracted.length <= MOST_RETRACTIONS
    && whole(own.name, RULE_NAME) && typeof own.text === "string";
  if (!valid) throw new Error("it is of another puzzle");
  if (own.text.length > MOST_TEXT) throw new Error(`its rule has more than ${MOST_TEXT} characters`);
  const unknown = added.find(name => !library.some(rule => rule.name === name));
  if (unknown !== undefined) throw new Error(`this page does not have its rule ${unknown.slice(0, 60)}`);
  return {givens, entries, added, retracted, own: {name: own.name, text: own.text, on: Boolean(own.on)}};
}

// The text of the program, byte for byte as `aspdoku program` prints it, and the first line of each
// rule file in it.
function compose(data, state, library) {
  let text = data.before;
  const first = new Map();
  for (const rule of activeFiles(data, state, library)) {
    text += `% -- ${rule.place}\n`;
    first.set(rule.place, text.split("\n").length);
    text += `${rule.text}\n`;
  }
  text += `${data.instance.header}\n${instanceText(data, state)}`;
  if (state.retracted.length) {
    text += `\n% -- retracted, by addition\n${state.retracted.map(name => `ab(${name}).\n`).join("")}`;
  }
  return {text: text + data.after, first};
}

function instanceText(data, state) {
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

function activeFiles(data, state, library) {
  const added = state.added.map(name => library.find(rule => rule.name === name)).filter(Boolean);
  return [data.base, ...data.rules, ...added, ...(state.own.on && state.own.text.trim() ? [ownRule(state)] : [])];
}

function ownRule(state) {
  const symbol = state.own.name.replaceAll("-", "_");
  return {
    name: state.own.name,
    place: `${state.own.name}.lp`,
    text: state.own.text,
    retracts: new RegExp(`not\\s+ab\\(\\s*${symbol}\\s*\\)`).test(state.own.text) ? [symbol] : [],
  };
}

// How often each rule and fact occurs in a ground program. The numbers of aggregates depend on the
// rest of the program, and an aggregate in a head is a choice and a constraint.
function counted(lines) {
  const heads = new Set(lines.flatMap(line => /^#delayed\((\d+)\)(?:\.|:-)/.exec(line)?.[1] ?? []));
  const found = new Map();
  for (const line of lines) {
    const key = line.replace(/#delayed\(\d+\)/g, "#delayed");
    if (/^#(?:show|project|defined)|^#delayed(?:\.$|:-)/.test(key)) continue;
    const number = /^#delayed\((\d+)\) <=>/.exec(line)?.[1];
    const entry = found.get(key) || {count: 0, fact: !/:-|<=>|\{/.test(key), weight: heads.has(number) ? 2 : 1};
    entry.count++;
    found.set(key, entry);
  }
  return found;
}

function groundChanges(before, after) {
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

function groundWords({kept, rules, facts, gone}) {
  const keeps = gone ? `${plural(kept, "ground rule")} kept, ${gone} simplified or removed` : `all ${plural(kept, "ground rule")} kept`;
  return `${keeps}; ${plural(rules, "rule")} and ${plural(facts, "fact")} added`;
}

// The numbers in each cell, in order, from a list of row, column and number.
function byCell(found) {
  const cells = new Map();
  for (const [row, column, number] of found) {
    const cell = `${row},${column}`;
    cells.set(cell, [...(cells.get(cell) || []), number]);
  }
  cells.forEach(numbers => numbers.sort((one, two) => one - two));
  return cells;
}

// The minimal sets of rules without which there is a solution.
function repairs(answers) {
  const sets = [];
  for (const {retracted, candidates} of answers) {
    if (candidates.length && !sets.some(set => set.every(rule => retracted.includes(rule)))) sets.push(retracted);
  }
  return sets;
}

// For each cell with one number: the minimal sets of rules whose retraction makes others possible,
// with these numbers.
function dependencies(answers) {
  const found = new Map();
  const possible = answers.map(({retracted, candidates}) => ({retracted, cells: byCell(candidates)}));
  for (const [cell, numbers] of possible[0].cells) {
    if (numbers.length > 1) continue;
    const sets = [];
    for (const {retracted, cells} of possible) {
      const others = (cells.get(cell) || []).filter(number => number !== numbers[0]);
      const smaller = sets.some(({rules}) => rules.every(rule => retracted.includes(rule)));
      if (others.length && !smaller) sets.push({rules: retracted, others});
    }
    found.set(cell, {number: numbers[0], sets});
  }
  return found;
}

// ---- The page ----

class Live extends HTMLElement {
  connectedCallback() {
    this.data = JSON.parse(this.querySelector("script[type='application/json']").textContent);
    this.server = Boolean(this.data.server);
    this.library = this.data.library || [];
    this.examples = this.data.examples || [];
    this.rulesOfGame = this.data.game;
    this.history = [];
    this.future = [];
    this.selected = [1, 1];
    this.build();
    this.show(this.data);
    addEventListener("hashchange", () => this.follow());
    this.follow();
    document.documentElement.classList.add("live");
  }

  // ---- State ----

  // Show a puzzle; the own rule is kept.
  show(data) {
    const own = this.state && {...this.state.own, text: this.editor.value};
    this.data = data;
    this.readFacts = data.instance.facts;
    this.state = {...initialState(data), ...(own && {own})};
    this.history = [];
    this.future = [];
    this.selected = [1, 1];
    this.leaveModes();
    this.heading.textContent = data.title;
    this.unsupported.textContent = data.unsupported.length
      ? `Not supported and ignored: ${data.unsupported.join("; ")}` : "";
    const lines = data.rules_in_words.split("\n").filter(Boolean);
    this.rulesInWords.replaceChildren(...(lines.length ? [h("details", {},
      h("summary", {}, "Rules in words"), ...lines.map(line => h("p", {}, line)))] : []));
    this.buildCells();
    for (const button of [this.explainButton, this.hintButton, this.whyButton]) {
      button.hidden = !this.server && !data.steps;
      button.disabled = !this.server && !data.steps?.length;
    }
    this.ground = undefined;
    this.showRule();
    this.changed({remember: false});
  }

  // Change the state by a function, which can be undone.
  update(change, options = {}) {
    this.history.push(JSON.stringify(this.state));
    this.future = [];
    change(this.state);
    this.changed(options);
  }

  step(from, to) {
    if (!from.length) return;
    to.push(JSON.stringify(this.state));
    this.state = JSON.parse(from.pop());
    this.showRule();
    this.changed();
  }

  changed({fresh = [], remember = true} = {}) {
    this.leaveModes();
    this.fresh = fresh;
    this.undoButton.disabled = !this.history.length;
    this.redoButton.disabled = !this.future.length;
    this.candidates = this.contents = undefined;
    this.renderProgram();
    this.renderEditor();
    this.renderBoard();
    this.solve();
    if (remember) this.remember();
  }

  async remember() {
    const {data, state} = this;
    if (state.own.text.length > MOST_TEXT) return;
    const kept = {...state, puzzle: this.server ? data.source : undefined};
    const text = await packed(kept);
    if (state !== this.state) return;
    this.address = `#s=${text}`;
    try {
      history.replaceState(null, "", this.address);
    } catch {
      // a page in a sandbox has no address of its own
    }
  }

  async follow() {
    const text = /^#s=(.*)/.exec(location.hash)?.[1];
    if (!text || location.hash === this.address) return;
    try {
      const {puzzle, ...state} = await unpacked(text);
      if (this.server && puzzle !== undefined && puzzle !== this.data.source) {
        this.show(await engine.ask({kind: "load", puzzle}));
      }
      this.state = checked(state, this.data, this.library);
      this.showRule();
      this.changed();
    } catch (error) {
      const reason = error instanceof TypeError ? "it is not a link to this page" : error.message;
      this.say(`The link cannot be followed: ${reason}`);
    }
  }

  // What questions to the server say about the program.
  described() {
    const {data, state} = this;
    const files = activeFiles(data, state, this.library).slice(1);
    return {
      puzzle: data.source,
      givens: state.givens.map((row, r) => row.map((number, c) => number ?? state.entries[`${r + 1},${c + 1}`] ?? null)),
      added: files.filter(rule => rule.place.startsWith("asp/")).map(rule => rule.name),
      own: files.filter(rule => !rule.place.startsWith("asp/")).map(({name, text}) => ({name, text})),
      retracted: state.retracted,
    };
  }

  // ---- Answers ----

  // Each question may take `seconds`.
  async solve(seconds = this.hasOwnRule ? OWN_SECONDS : undefined) {
    engine.cancel();
    const {text} = this.state.own;
    const found = this.hasOwnRule && text.length <= MOST_TEXT ? findingsIn(text, this.state.own.name, this.definedElsewhere()) : [];
    this.verdict.dataset.state = "busy";
    try {
      if (!await this.settleSections(found)) return;
    } catch (error) {
      this.verdictOf("error", `The rule cannot be used: ${error.message}`);
      return;
    }
    const program = (this.program = compose(this.data, this.state, this.library));
    this.problems(found);
    if (text.length > MOST_TEXT) {
      this.verdictOf("error", `The rule has more than ${MOST_TEXT} characters.`);
      return;
    }
    if (found.some(({error}) => error)) {
      this.verdictOf("error", "The rule cannot be used.");
      this.askForFindings();
      return;
    }
    const caveat = this.data.unsupported.length ? ", ignoring unsupported parts" : "";
    const start = performance.now();
    try {
      const {grids, complete, messages} = await engine.ask({kind: "solve", program: program.text}, seconds);
      const time = `(${((performance.now() - start) / 1000).toFixed(2)} s)`;
      this.grids = grids;
      this.problems([...found, ...this.located(messages)]);
      if (this.wrong.length) this.askForFindings();
      if (this.wrong.some(({error}) => error)) {
        this.verdictOf("error", "The rule cannot be used.");
        return;
      }
      const outside = grids.flat().find(each => !this.isInGrid(each));
      if (outside) {
        this.verdictOf("error", `The rules derive a(${outside}), which is outside the grid or its numbers.`);
        return;
      }
      if (!grids.length) this.verdictOf("none", `No solution ${time}${caveat}`);
      else if (grids.length === 1 && complete) this.verdictOf("unique", `Unique solution ${time}${caveat}`);
      else this.verdictOf("several", `Several solutions ${time}${caveat}`);
      const {candidates, contents} = await engine.ask({kind: "candidates", program: program.text, shown: this.data.contents}, seconds);
      this.candidates = new Set(candidates.map(String));
      this.contents = this.data.contents.length ? byCell(contents) : undefined;
      this.isUnique = grids.length === 1 && complete;
      this.renderBoard();
      await this.compareGround(program, seconds);
      if (grids.length > 1 || !complete) {
        const {count, complete} = await engine.ask({kind: "count", program: program.text, limit: 1000}, 5);
        if (count > 1) this.verdictOf("several", `${complete ? "" : "At least "}${count} solutions${caveat}`);
      }
    } catch (error) {
      if (error instanceof Cancelled) return;
      const isBusy = this.verdict.dataset.state === "busy";
      if (error instanceof Stopped) {
        if (isBusy) this.verdictOf("error", `No answer: ${error.message}`);
        if (isBusy || !this.candidates) this.offerMoreTime(isBusy);
        if (isBusy && this.hasOwnRule) this.askForFindings(); // perhaps it never ends
        return;
      }
      this.problems([...found, ...this.located(error.message)]);
      if (this.wrong.length) this.askForFindings();
      if (isBusy) this.verdictOf("error", this.wrong.length ? "The rule cannot be used." : `No answer: ${error.message}`);
    }
  }

  // The facts of a section that no rule of the puzzle declares follow from the own rule, which the
  // server reads. False if the rule has been changed meanwhile.
  async settleSections(found) {
    const {text} = this.state.own;
    const section = this.hasOwnRule && sectionDeclaredIn(text, this.data.sections);
    if (section && !this.server) found.push({line: 1, error: true, text: `what the section [${section.replaceAll("_", "-")}] means depends on this rule: open the puzzle with aspdoku serve`});
    const facts = section && this.server ? (await engine.ask({kind: "facts", ...this.described()})).facts : this.readFacts;
    if (text !== this.state.own.text) return false;
    if (String(facts) !== String(this.data.instance.facts)) {
      this.data.instance.facts = facts;
      this.renderProgram();
    }
    return true;
  }

  // Where the rule files besides the own rule define predicates, by name/arity.
  definedElsewhere() {
    const places = {};
    for (const {place, text} of activeFiles(this.data, {...this.state, own: {}}, this.library)) {
      for (const [predicate, offset] of definitionsIn(text)) places[predicate] ??= `${place}:${lineOf(text, offset)}`;
    }
    return places;
  }

  get hasOwnRule() {
    return this.state.own.on && Boolean(this.state.own.text.trim());
  }

  isInGrid([row, column, number]) {
    const {size, numbers} = this.data;
    return [row, column].every(each => 1 <= each && each <= size) && numbers.includes(number);
  }

  offerMoreTime(all) {
    const why = this.hasOwnRule ? " Your rule may have too many ground instances, or infinitely many." : "";
    this.say(`${all ? "The search" : "The search for candidates"} was stopped.${why}`,
      h("button", {type: "button", onclick: () => (this.say(""), this.solve(MORE_SECONDS))}, `Try for ${MORE_SECONDS} seconds`));
  }

  // The server finds more, and says more, than the page about a rule that has mistakes.
  async askForFindings() {
    const {name, text} = this.state.own;
    if (!this.server) return;
    await new Promise(resolve => setTimeout(resolve, CHECK_DELAY));
    const isCurrent = () => this.hasOwnRule && name === this.state.own.name && text === this.editor.value;
    if (!isCurrent()) return;
    try {
      const {findings} = await engine.ask({kind: "check", name, text});
      if (findings.length && isCurrent()) this.problems(findings);
    } catch {
      // what the page has found is enough
    }
  }

  async compareGround(program, seconds) {
    const rules = JSON.stringify([this.state.added, this.state.retracted, this.state.own]);
    const {lines} = await engine.ask({kind: "ground", program: program.text}, seconds);
    const now = counted(lines);
    if (!this.ground) {
      const total = groundChanges(new Map(), now);
      this.groundLine.textContent = `${plural(total.rules, "ground rule")} and ${plural(total.facts, "fact")}`;
    } else if (this.ground.rules !== rules) {
      this.groundLine.textContent = groundWords(groundChanges(this.ground.counts, now));
    }
    this.ground = {rules, counts: now};
  }

  verdictOf(state, text) {
    this.verdict.dataset.state = state;
    this.verdict.textContent = text;
    if (state !== "error") return;
    this.groundLine.textContent = ""; // it is about another program
    if (this.ground) this.ground.rules = undefined;
  }

  say(text, ...more) {
    this.words.replaceChildren(...(text ? [h("p", {}, text)] : []), ...more);
    if (!this.words.firstChild) return;
    for (const each of [this.words, this.frame]) each.scrollIntoView({block: "nearest"}); // rather the board
  }

  // clingo's messages about the own rule, as findings.
  located(messages) {
    const first = this.program.first.get(`${this.state.own.name}.lp`);
    return first ? findingsOf(messages, this.state.own.text, first) : [];
  }

  // ---- The frame ----

  build() {
    const button = (text, onclick, more = {}) => h("button", {type: "button", onclick, ...more}, text);
    this.heading = h("h1");
    this.unsupported = h("p", {class: "remark"});
    this.rulesInWords = h("div", {class: "remark"});
    this.verdict = h("p", {class: "verdict", role: "status"}, "…");
    this.groundLine = h("p", {class: "ground-rules", role: "status"});
    this.svg = drawn("svg", {class: "board", "aria-hidden": "true", "font-family": "Helvetica, Arial, 'Liberation Sans', sans-serif"});
    this.cells = h("div", {role: "grid", class: "cells", "aria-label": "Grid: type a number, use the arrow keys, or ask why with ?", onkeydown: event => this.key(event)});
    this.frame = h("div", {class: "board-frame"}, this.svg, this.cells);
    this.pad = h("div", {class: "pad", role: "group", "aria-label": "Numbers"});
    this.words = h("div", {class: "words", "aria-live": "polite", tabindex: 0, role: "region", "aria-label": "Answer"});
    this.undoButton = button("Undo", () => this.step(this.history, this.future));
    this.redoButton = button("Redo", () => this.step(this.future, this.history));
    this.givensSwitch = this.toggle("Edit givens", () => this.renderBoard());
    this.candidateSwitch = this.toggle("Candidates", () => this.renderBoard(), true);
    this.candidateSwitch.title = "The numbers that a cell has in some solution";
    this.solutionSwitch = this.toggle("Solution", () => this.renderBoard());
    this.heatButton = button("Which rules force a cell?", () => this.heatMap());
    this.explainButton = button("Explain", () => this.explain());
    this.hintButton = button("Hint", () => this.hint());
    this.whyButton = button("Why?", () => this.why(), {title: "Why does the selected cell have its number? Key: ?"});
    this.reasons = h("div", {class: "tools", role: "group", "aria-label": "Reasons"}, this.heatButton, this.explainButton, this.hintButton, this.whyButton);
    this.cards = h("div", {class: "cards"});
    this.search = h("input", {type: "search", placeholder: "e.g. knight, sum, line", oninput: () => this.renderLibrary()});
    this.found = h("div", {class: "cards"});
    this.added = h("div", {class: "cards"});
    this.link = h("input", {type: "text", readonly: true, "aria-label": "Link to this page", hidden: true});
    const large = this.toggle("Large type", on => document.documentElement.classList.toggle("large", on));
    const dark = this.toggle("Dark", on => (document.documentElement.dataset.theme = on ? "dark" : "light"), matchMedia("(prefers-color-scheme: dark)").matches);
    this.loader = h("div", {class: "tools", role: "group", "aria-label": "Puzzle", hidden: !this.server},
      h("label", {}, "Puzzle ", h("select", {onchange: event => this.load(`example:${event.target.value}`)},
        h("option", {value: "", disabled: true, selected: true}, "choose"), ...this.examples.map(name => h("option", {}, name)))),
      h("label", {class: "file"}, "Open a file", h("input", {type: "file", onchange: event => this.loadFile(event.target.files[0])})),
      h("span", {class: "remark"}, "or paste or drop one"));
    const app = h("div", {class: "app"},
      h("header", {}, this.heading, h("div", {class: "tools", role: "group", "aria-label": "Page"}, large, dark, button("Link", () => this.share())), this.link, this.loader),
      h("section", {class: "puzzle", "aria-label": "Puzzle"}, this.verdict, this.groundLine, this.unsupported, this.rulesInWords,
        this.frame, this.words, this.pad,
        h("div", {class: "tools", role: "group", "aria-label": "Board"}, this.undoButton, this.redoButton, this.givensSwitch, this.candidateSwitch, this.solutionSwitch),
        this.reasons),
      h("section", {class: "program", "aria-label": "Program"}, this.cards, this.added,
        this.library.length ? h("section", {"aria-label": "More rules", class: "more"}, h("label", {}, "Add a rule ", this.search), this.found) : "",
        h("section", {"aria-label": "Own rule", class: "card"}, ...this.buildEditor(button)),
        h("section", {"aria-label": "Guess the rule", class: "card"}, ...this.buildGame(button))));
    this.append(app);
    if (this.server) {
      addEventListener("paste", event => {
        if (!/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) this.load(event.clipboardData.getData("text"));
      });
      addEventListener("dragover", event => event.preventDefault());
      addEventListener("drop", event => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file) this.loadFile(file);
        else this.load(event.dataTransfer.getData("text"));
      });
    }
    addEventListener("keydown", event => {
      if (!this.shownStep || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      if (event.key === "ArrowRight") this.showStep(this.stepIndex + 1);
      else if (event.key === "ArrowLeft") this.showStep(this.stepIndex - 1);
      else if (event.key === "Escape") this.leaveModes(), this.renderBoard();
      else return;
      event.preventDefault();
    });
  }

  toggle(text, change, on = false) {
    const element = h("button", {type: "button", role: "switch", "aria-checked": String(on), class: "toggle", onclick: () => {
      const next = element.getAttribute("aria-checked") !== "true";
      element.setAttribute("aria-checked", String(next));
      change(next);
    }}, text);
    return element;
  }

  isOn(element) {
    return element.getAttribute("aria-checked") === "true";
  }

  async share() {
    this.takeRule();
    if (this.state.own.text.length > MOST_TEXT) {
      this.say(`The rule is too long for a link: it has more than ${MOST_TEXT} characters.`);
      return;
    }
    await this.remember();
    this.link.hidden = false;
    this.link.value = location.href.replace(/#.*|$/, this.address);
    this.link.select();
    await navigator.clipboard?.writeText(this.link.value).catch(() => {});
  }

  async load(puzzle) {
    if (!puzzle.trim()) return;
    this.say("Reading the puzzle …");
    try {
      this.show({...await engine.ask({kind: "load", puzzle})});
      this.remember();
      this.say("");
    } catch (error) {
      this.say(error.message);
    }
  }

  async loadFile(file) {
    if (!file) return;
    try {
      this.load(await textOf(file));
    } catch (error) {
      this.say(error.message);
    }
  }

  // ---- The board ----

  // Explanations use the names of cages and lines, which are drawn for them only.
  get drawing() {
    return (this.shownStep || this.hinted ? this.data.named : null) || this.data.drawing;
  }

  drawBackground() {
    const {drawing, data: {size}} = this;
    const {scale, width, height, grid: [left, top]} = drawing;
    this.background = drawing;
    this.svg.setAttribute("viewBox", `0 0 ${width * scale} ${height * scale}`);
    const group = markup => Object.assign(drawn("g", {}), {innerHTML: markup});
    this.below = drawn("g", {});
    this.digits = drawn("g", {class: "digits", transform: `translate(${left * scale},${top * scale})`});
    this.svg.replaceChildren(drawn("rect", {width: "100%", height: "100%", fill: "#ffffff"}), group(drawing.below), this.below, group(drawing.above), this.digits);
    Object.assign(this.cells.style, {
      left: `${100 * left / width}%`, top: `${100 * top / height}%`,
      width: `${100 * size / width}%`, height: `${100 * size / height}%`,
    });
  }

  buildCells() {
    const {size, numbers} = this.data;
    this.cell = new Map();
    const span = [...Array(size).keys()].map(index => index + 1);
    this.cells.replaceChildren(...span.map(row => h("div", {role: "row"}, ...span.map(column => {
      const cell = h("div", {role: "gridcell", tabindex: -1, onclick: event => this.click(row, column, event), onfocus: () => this.select(row, column)});
      this.cell.set(`${row},${column}`, cell);
      return cell;
    }))));
    const key = (text, onclick, label) => h("button", {type: "button", onclick, "aria-label": label}, text);
    this.pad.replaceChildren(...numbers.map(number => key(String(number), () => this.enter(number))), key("⌫", () => this.enter(null), "Empty the cell"));
  }

  numberAt(row, column) {
    return this.state.givens[row - 1][column - 1] ?? this.state.entries[`${row},${column}`];
  }

  isUnused(row, column) {
    return this.data.drawing.unused.includes(`r${row}c${column}`);
  }

  isRetracted(rule) {
    return this.state.retracted.includes(rule.replaceAll("-", "_"));
  }

  // What the cell shows: a number and how it is known, or candidates.
  content(row, column) {
    if (this.isUnused(row, column)) return {};
    const cell = `${row},${column}`;
    const {givens} = this.shownStep && this.data.steps ? this.data : this.state;
    const given = givens[row - 1][column - 1];
    const contents = this.contents && !this.heat && !this.shownStep && (this.contents.get(cell) || []);
    if (contents && this.isUnique && this.isOn(this.solutionSwitch)) {
      return contents.length ? {number: contents.join(" "), kind: given === null ? "solved" : "given"} : {};
    }
    if (given !== null) return {number: given, kind: "given"};
    if (this.heat?.has(cell)) return {number: this.heat.get(cell).number, kind: "forced"};
    if (this.shownStep) {
      const number = this.shownStep.numbers.get(cell);
      if (number !== undefined) return {number, kind: "solved"};
      return {candidates: this.shownStep.candidates.get(cell) || [], struck: this.shownStep.struck.get(cell) || []};
    }
    if (cell in this.state.entries) return {number: this.state.entries[cell], kind: "entered"};
    const candidates = contents || this.data.numbers.filter(number => this.candidates?.has(`${cell},${number}`));
    if (candidates.length === 1 && !contents && this.isOn(this.solutionSwitch)) return {number: candidates[0], kind: "solved"};
    return {candidates: this.isOn(this.candidateSwitch) ? candidates : [], struck: []};
  }

  renderBoard() {
    const {drawing, data: {size, numbers}} = this;
    const {scale} = drawing;
    if (drawing !== this.background) this.drawBackground();
    for (const group of this.svg.querySelectorAll("[data-rules]")) {
      const isDrawn = !group.dataset.rules.split(" ").some(rule => this.isRetracted(rule));
      group.setAttribute("visibility", isDrawn ? "visible" : "hidden");
    }
    const texts = [];
    const write = (row, column, [x, y, height], text, more) => {
      const element = drawn("text", {
        x: (column - 1 + x) * scale, y: (row - 1 + y + 0.36 * height) * scale,
        "font-size": height * scale, "text-anchor": "middle", ...more,
      }, String(text));
      const [ink, rules] = drawing.inks[`r${row}c${column}`] || ["", []];
      element.style.fill = rules.some(rule => this.isRetracted(rule)) ? "" : ink;
      texts.push(element);
    };
    for (let row = 1; row <= size; row++) {
      for (let column = 1; column <= size; column++) {
        const {number, kind, candidates = [], struck = []} = this.content(row, column);
        const [x, y, height] = drawing.digit;
        if (number !== undefined) write(row, column, [x, y, Math.min(height, 1.5 / String(number).length)], number, {class: kind});
        const places = drawing.marks[drawing.labels[`r${row}c${column}`] || 0];
        for (const each of new Set([...candidates, ...struck])) {
          write(row, column, places[numbers.indexOf(each)], each, {class: struck.includes(each) ? "struck" : "candidate"});
        }
        const unknown = candidates.length ? `candidates ${candidates.join(" ")}` : this.isUnused(row, column) ? "unused" : "empty";
        const words = number === undefined ? unknown : `${number}, ${kind}`;
        this.cell.get(`${row},${column}`).setAttribute("aria-label", `row ${row}, column ${column}: ${words}`);
      }
    }
    this.digits.replaceChildren(...texts);
    this.colourCells();
    this.renderSelection();
  }

  colourCells() {
    const {scale, grid: [left, top]} = this.drawing;
    const squares = [];
    const square = (row, column, fill) => squares.push(drawn("rect", {x: (left + column - 1) * scale, y: (top + row - 1) * scale, width: scale, height: scale, fill}));
    for (const [row, column] of this.hinted || []) square(row, column, MARKS.concluded);
    if (this.shownStep) {
      for (const kind of ["cited", "clue", "looked", "concluded"]) {
        for (const [row, column] of this.shownStep.marked[kind] || []) square(row, column, MARKS[kind]);
      }
    }
    for (const [cell, {sets}] of this.heat || []) {
      const count = new Set(sets.flatMap(({rules}) => rules)).size;
      const [row, column] = cell.split(",").map(Number);
      square(row, column, HEAT[Math.min(count, HEAT.length - 1)]);
      squares.push(drawn("text", {x: (left + column - 0.06) * scale, y: (top + row - 0.78) * scale, "font-size": 0.22 * scale, "text-anchor": "end", fill: "#222222"}, String(count)));
    }
    this.below.replaceChildren(...squares);
  }

  renderSelection() {
    const [row, column] = this.selected;
    for (const [name, cell] of this.cell) {
      const here = name === `${row},${column}`;
      cell.tabIndex = here ? 0 : -1;
      cell.setAttribute("aria-selected", String(here));
    }
    // Otherwise, it would give away what the candidates do.
    const free = this.numberAt(row, column) === undefined && this.isOn(this.candidateSwitch) && this.candidates;
    this.pad.querySelectorAll("button").forEach((button, index) => {
      const number = this.data.numbers[index];
      button.classList.toggle("out", Boolean(free && number !== undefined && !this.candidates.has(`${row},${column},${number}`)));
    });
  }

  select(row, column) {
    this.selected = [row, column];
    this.renderSelection();
    this.explainCell();
  }

  click(row, column, event) {
    const again = this.clicked === `${row},${column}`;
    this.clicked = `${row},${column}`;
    this.cell.get(this.clicked).focus();
    this.explainCell(); // the focus is older than the click
    const {candidates} = this.content(row, column);
    if (!again || this.heat || this.shownStep || !candidates?.length) return;
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const places = this.drawing.marks[this.drawing.labels[`r${row}c${column}`] || 0];
    const far = number => {
      const [left, top] = places[this.data.numbers.indexOf(number)];
      return Math.hypot(left - x, top - y);
    };
    const nearest = candidates.reduce((best, each) => (far(each) < far(best) ? each : best));
    if (far(nearest) < 0.2) this.enter(nearest);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) {
      if (event.key === "z" && !event.altKey) {
        event.preventDefault();
        this.step(this.history, this.future);
      }
      return;
    }
    const [row, column] = this.selected;
    const {size, numbers} = this.data;
    const moves = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
    const sideways = this.shownStep && /^Arrow(Left|Right)$/.test(event.key);
    if (event.key in moves && !sideways) {
      const to = [row, column].map((each, index) => Math.min(size, Math.max(1, each + moves[event.key][index])));
      this.cell.get(String(to)).focus();
    } else if (/^\d$/.test(event.key)) {
      const typed = Number(event.key);
      const soon = this.typed?.cell === `${row},${column}` && event.timeStamp - this.typed.time < 1000;
      const both = soon ? 10 * this.typed.number + typed : typed;
      const number = numbers.includes(both) ? both : typed;
      this.typed = {cell: `${row},${column}`, number, time: event.timeStamp};
      if (numbers.includes(number)) this.enter(number);
    } else if (["Delete", "Backspace", " "].includes(event.key)) this.enter(null);
    else if (event.key === "?" && !this.whyButton.hidden) this.why();
    else return;
    event.preventDefault();
  }

  // Enter a number in the selected cell, or none: as a given, or as an assumption.
  enter(number) {
    const [row, column] = this.selected;
    const cell = `${row},${column}`;
    const given = this.state.givens[row - 1][column - 1];
    const edits = this.isOn(this.givensSwitch);
    if (this.isUnused(row, column)) return;
    if (!edits && given !== null) {
      this.say("This cell is given. Switch on “Edit givens” to change it.");
      return;
    }
    this.update(state => {
      if (edits) state.givens[row - 1][column - 1] = number;
      if (edits || number === null) delete state.entries[cell];
      else state.entries[cell] = number;
    });
  }

  // ---- Reasons ----

  leaveModes() {
    this.heat = this.shownStep = this.hinted = undefined;
    this.highlightCards([]);
    for (const button of this.reasons.children) button.setAttribute("aria-pressed", "false");
    this.say("");
  }

  async heatMap() {
    if (this.heat) {
      this.leaveModes();
      this.renderBoard();
      return;
    }
    if (this.verdict.dataset.state === "error") {
      this.say(`No map. ${this.verdict.textContent}`);
      return;
    }
    const files = activeFiles(this.data, this.state, this.library);
    const names = new Map(files.flatMap(rule => rule.retracts.map(name => [name, rule.name])));
    const rules = [...names.keys()].filter(name => !this.state.retracted.includes(name));
    const single = rules.length > MOST_RETRACTED;
    this.say(`Asking clingo about all ${single ? "single rules" : "sets of the rules"} ${listed(rules)} …`);
    try {
      const {answers} = await engine.ask({kind: "depends", program: this.program.text, rules, most: single ? 1 : rules.length}, 60);
      this.leaveModes();
      if (!answers[0].candidates.length) {
        this.sayWhyNone(repairs(answers), single);
        return;
      }
      this.heat = dependencies(answers);
      this.heatNote = single ? `Of the ${rules.length} rules, each is retracted alone: without two of them, more may be possible.` : "";
      this.state.givens.forEach((row, r) => row.forEach((given, c) => (given !== null || this.isUnused(r + 1, c + 1)) && this.heat.delete(`${r + 1},${c + 1}`)));
      this.heatButton.setAttribute("aria-pressed", "true");
      this.renderBoard();
      this.explainCell();
    } catch (error) {
      if (!(error instanceof Cancelled)) this.say(`No map: ${error.message}`);
    }
  }

  // No cell is forced by rules that no grid satisfies: say which of them to retract.
  sayWhyNone(sets, single) {
    const named = set => listed(set.map(rule => rule.replaceAll("_", "-")));
    if (sets.length) this.say("There is no solution, so that no cell is forced.", h("ul", {}, ...sets.map(set => h("li", {}, `without ${named(set)}, there is one`))));
    else this.say(`There is no solution, whichever ${single ? "one" : "ones"} of these rules ${single ? "is" : "are"} retracted.`);
  }

  // The words about the selected cell: in the heat map the rules that force it, in an explanation its
  // step.
  explainCell() {
    const [row, column] = this.selected;
    if (this.heat) {
      const found = this.heat.get(`${row},${column}`);
      const title = `r${row}c${column}`;
      if (!this.heat.size) this.say("No cell has a single number under these rules.");
      else if (this.state.givens[row - 1][column - 1] !== null) this.say(`${title} is given.`);
      else if (!found) this.say(`${title} is not forced: several numbers are possible.`);
      else if (!found.sets.length) this.say(`${title} is ${found.number} whatever ${this.heatNote ? "single " : ""}rule is retracted.`);
      else {
        const lines = found.sets.map(({rules, others}) => h("li", {}, `without ${listed(rules.map(name => name.replaceAll("_", "-")))}, ${listed(others.map(String), "or")} would be possible here`));
        this.say(`${title} is ${found.number}:`, h("ul", {}, ...lines));
      }
      this.words.append(h("p", {class: "remark"}, `The small number in a cell counts the rules that its number depends on. ${this.heatNote}`));
    } else if (this.shownStep && this.clicked === `${row},${column}` && this.data.givens[row - 1][column - 1] === null) {
      const index = this.placing(this.steps, row, column);
      if (index >= 0 && index !== this.stepIndex) this.showStep(index);
      else if (index < 0 && this.whyButton.getAttribute("aria-pressed") === "true") this.why();
    }
  }

  // Highlight the cards of rule files that a step cites.
  highlightCards(names) {
    const ids = names.map(cardId);
    this.querySelectorAll(".card").forEach(card => card.classList.toggle("used", ids.includes(card.id)));
  }

  placing(steps, row, column) {
    return steps.findIndex(step => step.placed.some(([r, c]) => r === row && c === column));
  }

  // The answer of a server about the puzzle, or undefined; `waiting` is shown meanwhile.
  async askAboutPuzzle(waiting, question) {
    this.leaveModes();
    this.renderBoard();
    this.say(waiting);
    const {program} = this;
    try {
      const answer = await engine.ask({...this.described(), ...question});
      if (program === this.program) return answer; // otherwise, the puzzle or a rule has changed
    } catch (error) {
      if (program === this.program) this.say(error.message);
    }
  }

  // All steps to the solution. A handout contains them.
  async explain() {
    if (this.explainButton.getAttribute("aria-pressed") === "true") {
      this.leaveModes();
      this.renderBoard();
      return;
    }
    const found = this.data.steps ? this.data : await this.askAboutPuzzle("Looking for the steps …", {kind: "explain"});
    if (found?.text) this.say(found.text);
    else if (found) this.showSteps(found.steps, 0, this.explainButton, "", found);
  }

  // The steps that lead to the number of the selected cell; in a handout, the step that finds it.
  async why() {
    const [row, column] = this.selected;
    const [name, cell] = [`r${row}c${column}`, `${row},${column}`];
    const givens = this.data.steps ? this.data.givens : this.state.givens;
    this.leaveModes();
    this.renderBoard();
    if (this.isUnused(row, column)) return;
    if (givens[row - 1][column - 1] !== null) {
      this.say(`${name} is given.`);
      return;
    }
    if (this.data.steps) {
      const index = this.placing(this.data.steps, row, column);
      if (index < 0) this.say(`No step finds the number of ${name}.`);
      else this.showSteps(this.data.steps, index, this.whyButton, `Why ${name}?`, this.data);
      return;
    }
    const possible = this.data.numbers.filter(number => this.candidates?.has(`${cell},${number}`));
    if (cell in this.state.entries) this.say(`${name}=${this.state.entries[cell]} is assumed: empty the cell to ask why it has a number.`);
    else if (!possible.length) this.say(this.candidates ? "There is no solution." : "The candidates are not known.");
    else if (possible.length > 1) this.say(`${name} is not forced: ${listed(possible.map(String), "or")} is possible.`);
    else {
      const claim = `${name}=${possible[0]}`;
      const found = await this.askAboutPuzzle(`Looking for the reasons of ${claim} …`, {kind: "why", claim});
      if (found?.steps.length) this.showSteps(found.steps, found.steps.length - 1, this.whyButton, `Why ${claim}?`);
      else if (found) this.say(found.text);
    }
  }

  // The next step, given the numbers that were entered.
  async hint() {
    if (this.data.steps) {
      this.hintInHandout();
      return;
    }
    const {givens} = this.state;
    const entries = this.described().givens;
    const found = await this.askAboutPuzzle("Looking for the next step …", {kind: "hint", givens, entries});
    if (!found) return;
    this.hinted = found.cells;
    this.hintButton.setAttribute("aria-pressed", "true");
    this.renderBoard();
    this.say(found.text);
  }

  hintInHandout() {
    const {steps, givens} = this.data;
    const {entries} = this.state;
    const placed = steps.map(step => step.placed.filter(([row, column]) => givens[row - 1][column - 1] === null));
    const wrong = placed.flat().filter(([row, column, number]) => (entries[`${row},${column}`] ?? number) !== number);
    const done = placed.findLastIndex(cells => cells.length && cells.every(([row, column]) => `${row},${column}` in entries));
    this.leaveModes();
    this.renderBoard();
    if (wrong.length) this.say(`Wrong: ${listed(wrong.map(([row, column]) => `r${row}c${column}=${entries[`${row},${column}`]}`))}`);
    else if (done === steps.length - 1) this.say("There is no next step.");
    else this.showSteps(steps, done + 1, this.hintButton, "", this.data);
  }

  // Show steps, beginning with one of them; their button is pressed until something else is shown.
  // cut_off: why there are not more of them, if the time limit cut them off
  showSteps(steps, index, button, title = "", {cut_off: cutOff} = {}) {
    this.leaveModes();
    if (!steps.length) {
      this.say(cutOff || "There is nothing to explain.");
      return;
    }
    this.steps = steps;
    this.cutOff = cutOff;
    this.stepsTitle = title;
    this.clicked = undefined;
    button.setAttribute("aria-pressed", "true");
    this.showStep(index);
  }

  // The board after a step: the steps contain what each of them changes.
  showStep(index) {
    const {steps} = this;
    this.stepIndex = Math.min(steps.length - 1, Math.max(0, index));
    const [numbers, candidates] = [new Map(), new Map()];
    for (const step of steps.slice(0, this.stepIndex + 1)) {
      for (const [row, column, number] of step.placed) numbers.set(`${row},${column}`, number);
      for (const [row, column, left] of step.candidates) candidates.set(`${row},${column}`, left);
    }
    const step = steps[this.stepIndex];
    const struck = new Map(step.struck.map(([row, column, out]) => [`${row},${column}`, out]));
    this.shownStep = {numbers, candidates, struck, marked: step.marked};
    this.renderBoard();
    this.highlightCards(step.lines.flatMap(({spans}) => spans.map(([, rule]) => rule)));
    const focused = document.activeElement?.dataset.move;
    const move = (text, by) => h("button", {type: "button", "data-move": by, onclick: () => this.showStep(this.stepIndex + by)}, text);
    const lines = step.lines.map(({indent, lead, spans}) => h("p", {class: `indent-${Math.min(9, indent >> 1)}`}, lead, " ", ...spans.map(([text, rule]) => (rule ? h("span", {class: "cited", title: rule}, text) : text))));
    const changed = this.data.steps && JSON.stringify(this.state) !== JSON.stringify(initialState(this.data));
    const kinds = Object.keys(MARKS).filter(kind => step.marked[kind]).map(kind => h("span", {class: `key key-${kind}`}, MARK_WORDS[kind]));
    this.say("", h("div", {class: "tools"}, move("← Back", -1), move("Next →", 1), h("span", {}, `${this.stepsTitle} Step ${this.stepIndex + 1} of ${steps.length}${this.cutOff ? " that were found in time" : ""}`.trim())), ...lines, h("p", {class: "legend"}, ...kinds), this.cutOff ? h("p", {class: "remark"}, this.cutOff) : "", changed ? h("p", {class: "remark"}, "The steps are those of the puzzle as it came, with its rules and without entries.") : "");
    this.words.querySelector(`[data-move="${focused}"]`)?.focus();
  }

  // ---- The program ----

  renderProgram() {
    const {data, state} = this;
    this.cards.replaceChildren(
      this.card(data.base, {locked: true}),
      ...data.rules.map(rule => this.card(rule, {})),
      this.instanceCard(),
    );
    const added = state.added.map(name => this.library.find(rule => rule.name === name)).filter(Boolean);
    this.added.replaceChildren(...added.map(rule => this.card(rule, {switched: on => on || this.remove(rule.name)})));
    this.renderLibrary();
  }

  card(rule, {locked = false, switched}) {
    const id = cardId(rule.name);
    const off = rule.retracts.length > 0 && rule.retracts.every(name => this.state.retracted.includes(name));
    const names = locked ? rule.retracts : rule.retracts.slice(0, 1);
    const switches = switched
      ? [this.ruleSwitch(`Rule ${rule.name}`, rule.name, true, switched)]
      : names.map(name => this.ruleSwitch(`Rule ${name.replaceAll("_", "-")}`, name.replaceAll("_", "-"), !this.state.retracted.includes(name), on => this.retract(name, !on)));
    const code = h("pre", {tabindex: 0, role: "region", "aria-label": `Text of ${rule.name}`}, h("code", {}, highlighted(rule.text)));
    const fresh = this.fresh?.includes(rule.name);
    return h("section", {class: `card${off ? " off" : ""}${fresh ? " fresh" : ""}${locked ? " locked" : ""}`, id, "aria-label": `Rule file ${rule.name}`},
      h("div", {class: "head"}, h("h2", {}, rule.name), ...switches),
      h("p", {}, rule.title),
      locked ? h("p", {class: "sum"}, "Locked: it never changes. SHA-256 ", h("code", {}, rule.sha256)) : "",
      code);
  }

  ruleSwitch(label, text, on, change) {
    const element = this.toggle(text, change, on);
    element.setAttribute("aria-label", label);
    element.dataset.rule = text;
    return element;
  }

  retract(name, off) {
    const focused = document.activeElement?.dataset?.rule;
    this.verdictOfRule.replaceChildren(); // a comparison depends on what is retracted
    this.update(state => {
      state.retracted = off ? [...state.retracted, name] : state.retracted.filter(other => other !== name);
    }, {fresh: off ? ["instance"] : [name.replaceAll("_", "-")]});
    this.querySelector(`[data-rule="${focused}"]`)?.focus();
  }

  instanceCard() {
    const {retracted} = this.state;
    const lines = instanceText(this.data, this.state);
    return h("section", {class: "card", "aria-label": "Instance"},
      h("div", {class: "head"}, h("h2", {}, "instance")),
      h("p", {}, "The puzzle as facts, and retractions, which are facts, too."),
      retracted.length ? h("pre", {class: this.fresh?.includes("instance") ? "fresh" : "", tabindex: 0, role: "region", "aria-label": "Retractions"}, h("code", {}, highlighted(retracted.map(name => `ab(${name}).`).join("\n")))) : "",
      h("pre", {tabindex: 0, role: "region", "aria-label": "Facts of the puzzle", class: "facts"}, h("code", {}, highlighted(lines))));
  }

  renderLibrary() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const present = new Set(activeFiles(this.data, this.state, this.library).map(rule => rule.name));
    const matches = words.length ? this.library.filter(rule => !present.has(rule.name) && words.every(word => `${rule.name} ${rule.title}`.toLowerCase().includes(word))) : [];
    this.found.replaceChildren(...matches.map(rule => h("div", {class: "match"},
      this.ruleSwitch(`Rule ${rule.name}`, rule.name, false, on => on && this.add(rule.name)),
      h("p", {}, rule.title, rule.inputs.length ? h("span", {class: "remark"}, ` Needs clues: ${rule.inputs.join(", ")}`) : ""))));
    if (words.length && !matches.length) this.found.replaceChildren(h("p", {class: "remark"}, "No other rule has these words."));
  }

  add(name) {
    this.search.value = "";
    this.update(state => state.added.push(name), {fresh: [name]});
    this.added.querySelector(`[data-rule="${name}"]`)?.focus();
  }

  remove(name) {
    this.update(state => (state.added = state.added.filter(other => other !== name)));
    this.search.focus();
  }

  // ---- Guess the rule ----

  buildGame(button) {
    const {rules, sizes} = this.rulesOfGame;
    const size = h("select", {}, ...sizes.map(each => h("option", {value: each.size}, `${each.size} rows`)));
    const hidden = h("select", {}, h("option", {value: ""}, "I do"), ...rules.filter(rule => rule.bundled).map(({name}) => h("option", {}, name)));
    this.gameWords = h("div", {class: "game", "aria-live": "polite"});
    const grids = h("textarea", {rows: 3, spellcheck: "false", placeholder: "1234 3412 2143 4321"});
    const given = h("label", {class: "grids"}, "Grids that your rule allows, if you have some, one in each line: ", grids);
    hidden.addEventListener("change", () => (given.hidden = Boolean(hidden.value)));
    this.gameExamples = h("div", {class: "examples"});
    const start = () => this.startGame({size: Number(size.value), hidden: hidden.value}, hidden.value ? "" : grids.value);
    return [
      h("div", {class: "head"}, h("h2", {}, "Guess the rule")),
      h("p", {}, "Think of a rule without clues: aspdoku finds it by asking which grids it allows. Or watch it find a bundled rule."),
      h("div", {class: "tools"}, h("label", {}, "Grids of ", size), h("label", {}, "Who answers? ", hidden), button("Start", start)),
      given, this.gameExamples, this.gameWords,
    ];
  }

  // Begin with grids that the rule allows: some of the bundled rule that is hidden, or those in a text.
  async startGame(game, text) {
    this.game = game;
    gameEngine.cancel();
    const {size, hidden} = game;
    const {rules, sizes} = this.rulesOfGame;
    const {program, drawing} = sizes.find(each => each.size === size);
    this.gameExamples.replaceChildren();
    this.gameWords.replaceChildren(h("p", {}, "Looking for grids that the rule allows …"));
    try {
      const questions = hidden
        ? [...Array(EXAMPLES).keys()].map(seed => ({kind: "example", program, rule: rules.findIndex(rule => rule.name === hidden), seed}))
        : gridsIn(text, size).map(grid => ({kind: "judge", program, grid}));
      const found = await Promise.all(questions.map(question => gameEngine.ask(question, GAME_SECONDS)));
      if (this.game !== game) return;
      const missing = found.findIndex(({grid}) => !grid);
      if (missing >= 0) throw new Error(hidden ? `${hidden} allows no ${size}x${size} grid: choose larger grids.` : `Grid ${missing + 1} violates the rules of the game: each row, column and box has each number once.`);
      if (hidden) {
        this.gameExamples.replaceChildren(h("p", {}, `${hidden} allows these grids:`),
          ...found.map(({grid}) => Object.assign(h("div", {class: "drawing"}), {innerHTML: gridMarkup(drawing, rowsOf(grid, size))})));
      }
      const left = rules.map((_, index) => index).filter(index => !found.some(({broken}) => broken.includes(index)));
      this.play({...game, number: 1, left});
    } catch (error) {
      if (this.game === game && !(error instanceof Cancelled)) this.gameWords.replaceChildren(h("p", {}, error.message));
    }
  }

  // A grid that some of the rules that are left forbid, about half of them if such a grid is found in
  // time, and the indices of the rules that forbid it; no grid if there is none, which is proved.
  async separate(program, left) {
    const number = left.length;
    if (number < 2) return {};
    const ask = (most, seconds) => gameEngine.ask({kind: "separate", program, left, most}, seconds);
    const end = performance.now() + 1000 * HALVING_SECONDS;
    try {
      for (const most of [number >> 2, number >> 1]) {
        if (most < number % 2) continue;
        const found = await ask(most, Math.max(0, end - performance.now()) / 1000);
        if (found.grid) return found;
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    return ask(number - 2, GAME_SECONDS);
  }

  // The verdict of a game, when no grid separates the rules that are left.
  verdictOfGame({size, left}) {
    const [first, ...others] = left.map(index => this.rulesOfGame.rules[index]);
    if (!first) return "None of the rules fits: the rule is another one, or an answer was wrong.";
    const same = others.length ? `\n\nNo ${size}x${size} grid tells it apart from\n${others.map(rule => rule.title).join("\n")}` : "";
    return `The rule that fits: ${first.title}${same}`;
  }

  // Ask the next question of a game: `number`, when the rules with the indices in `left` are left.
  async play(game) {
    this.game = game;
    gameEngine.cancel();
    const {size, hidden, number, left} = game;
    const {rules, sizes} = this.rulesOfGame;
    const {program, drawing} = sizes.find(each => each.size === size);
    const waiting = h("p", {}, "Looking for a grid that separates the rules …");
    const shown = this.gameWords.querySelector(".drawing"); // kept, so that the page does not jump
    if (shown) this.gameWords.firstChild.replaceWith(waiting);
    else this.gameWords.replaceChildren(waiting);
    this.gameWords.querySelectorAll("button").forEach(each => (each.disabled = true));
    const button = (words, onclick) => h("button", {type: "button", onclick}, words);
    try {
      const {grid, broken} = await this.separate(program, left);
      if (this.game !== game) return; // another one was started
      if (grid) {
        const allowed = !broken.includes(rules.findIndex(rule => rule.name === hidden));
        const answer = (words, allowed) => button(words, () => this.play({...game, number: number + 1, left: left.filter(index => broken.includes(index) !== allowed)}));
        const answers = hidden
          ? [h("span", {}, `${hidden} ${allowed ? "allows" : "forbids"} it.`), answer("Next", allowed)]
          : [answer("Allowed", true), answer("Not allowed", false)];
        this.gameWords.replaceChildren(h("p", {}, `${plural(left.length, "rule")} left. Question ${number}: is this grid allowed?`),
          Object.assign(h("div", {class: "drawing"}), {innerHTML: gridMarkup(drawing, rowsOf(grid, size))}), h("div", {class: "tools"}, ...answers));
        this.gameWords.querySelector("button").focus();
        return;
      }
      const larger = left.length > 1 && size < sizes.at(-1).size;
      const rule = rules[left[0]]?.text;
      this.gameWords.replaceChildren(h("p", {}, this.verdictOfGame(game)),
        larger ? h("p", {class: "remark"}, `Larger grids than those of ${size} rows may tell these rules apart.`) : "",
        ...(rule ? [h("div", {class: "tools"}, button("Save .lp", () => save("learned.lp", rule))),
          h("pre", {tabindex: 0, role: "region", "aria-label": "The rule that was found"}, h("code", {}, highlighted(rule)))] : []));
    } catch (error) {
      if (this.game === game) this.gameWords.replaceChildren(h("p", {}, error.message), h("div", {class: "tools"}, button("Try again", () => this.play(game))));
    }
  }

  // ---- The own rule ----

  buildEditor(button) {
    this.editor = h("textarea", {spellcheck: "false", autocapitalize: "off", autocomplete: "off", rows: 8, "aria-label": "Text of your rule", placeholder: ":- a(R,C,N), a(R,C+1,N+1), not ab(my_rule).",
      oninput: () => {
        this.renderEditor();
        this.verdictOfRule.replaceChildren();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.takeRule(), DELAY);
      },
      onscroll: () => (this.mirror.scrollTop = this.gutter.scrollTop = this.editor.scrollTop, this.mirror.scrollLeft = this.editor.scrollLeft)});
    this.mirror = h("pre", {"aria-hidden": "true"});
    this.gutter = h("pre", {"aria-hidden": "true", class: "gutter"});
    this.problemList = h("ul", {class: "problems", "aria-live": "polite"});
    this.nameField = h("input", {type: "text", value: "my-rule", pattern: RULE_NAME.source, size: 12, onchange: () => {
      if (this.nameField.checkValidity() && this.nameField.value) this.update(state => (state.own.name = this.nameField.value));
      else this.nameField.value = this.state.own.name;
    }});
    this.ownSwitch = this.toggle("on", on => this.update(state => (state.own.on = on)), true);
    this.ownSwitch.setAttribute("aria-label", "Own rule");
    this.verdictOfRule = h("div", {class: "words", "aria-live": "polite"});
    const reference = h("select", {"aria-label": "Rule to compare with"}, ...this.library.map(rule => h("option", {}, rule.name)));
    return [
      h("div", {class: "head"}, h("h2", {}, "Your own rule"), this.ownSwitch),
      h("div", {class: "tools"}, h("label", {}, "Name ", this.nameField), h("label", {class: "file"}, "Open .lp", h("input", {type: "file", accept: ".lp", onchange: event => this.openRule(event.target.files[0])})), button("Save .lp", () => save(`${this.state.own.name}.lp`, this.editor.value))),
      h("div", {class: "editor"}, this.gutter, h("div", {}, this.mirror, this.editor)),
      this.problemList,
      h("div", {class: "tools", hidden: !this.server}, button("Check", () => this.check()), h("label", {}, "Is it the same as ", reference), button("Compare", () => this.equal(reference.value))),
      this.verdictOfRule,
    ];
  }

  showRule() {
    clearTimeout(this.timer);
    this.verdictOfRule.replaceChildren();
    this.editor.value = this.state.own.text;
    this.nameField.value = this.state.own.name;
  }

  // Use the rule in the editor.
  takeRule() {
    clearTimeout(this.timer);
    if (this.editor.value !== this.state.own.text) this.update(state => (state.own.text = this.editor.value));
  }

  renderEditor() {
    const text = this.editor.value;
    const wrong = new Map((this.wrong || []).map(problem => [problem.line, problem]));
    const lines = text.length > MOST_TEXT ? [] : text.split("\n");
    const shown = document.createDocumentFragment();
    lines.forEach((line, index) => shown.append(h("span", {class: wrong.has(index + 1) ? "wrong" : ""}, highlighted(line), "\n")));
    this.mirror.replaceChildren(lines.length ? shown : text);
    this.gutter.textContent = lines.map((_, index) => `${wrong.has(index + 1) ? "✗" : " "}${index + 1}`).join("\n");
    this.ownSwitch.setAttribute("aria-checked", String(this.state?.own.on ?? true));
  }

  problems(found) {
    this.wrong = found;
    this.problemList.replaceChildren(...found.map(({line, text}) => h("li", {}, `line ${line}: ${text}`)));
    this.renderEditor();
  }

  async openRule(file) {
    if (!file) return;
    let text;
    try {
      text = await textOf(file);
    } catch (error) {
      this.verdictOfRule.replaceChildren(h("p", {}, error.message));
      return;
    }
    this.verdictOfRule.replaceChildren();
    this.editor.value = text;
    const name = file.name.replace(/\.lp$/, "");
    this.nameField.value = name;
    if (!this.nameField.checkValidity()) this.nameField.value = "my-rule";
    this.update(state => (state.own = {name: this.nameField.value, text, on: true}));
  }

  check() {
    this.askAboutRule("Checking …", {kind: "check"}, ({findings}) => {
      this.problems(findings);
      return [h("p", {}, findings.length ? plural(findings.length, "finding") : "No findings.")];
    });
  }

  equal(reference) {
    this.askAboutRule("Comparing …", {kind: "equal", reference, retracted: this.state.retracted}, ({text, drawings}) => [
      h("p", {}, text),
      ...drawings.map(svg => Object.assign(h("div", {class: "drawing"}), {innerHTML: svg})),
    ]);
  }

  // Ask about the rule in the editor, and show the answer by a function, unless the rule or a switch has changed.
  async askAboutRule(waiting, question, shown) {
    const {own: {name}, retracted} = this.state;
    const text = this.editor.value;
    const isCurrent = () => name === this.state.own.name && text === this.editor.value && String(retracted) === String(this.state.retracted);
    this.verdictOfRule.replaceChildren(h("p", {}, waiting));
    try {
      const answer = await engine.ask({...question, name, text});
      if (isCurrent()) this.verdictOfRule.replaceChildren(...shown(answer));
    } catch (error) {
      if (isCurrent()) this.verdictOfRule.replaceChildren(h("p", {}, error.message));
    }
  }
}

customElements.define("aspdoku-live", Live);
