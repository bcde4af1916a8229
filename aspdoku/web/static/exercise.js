// @ts-check
// The page of a student: the rule of the exercise that the class is at, its verdict, and the vote on a grid.
import {Board} from "./board.js";
import {clock, headed} from "./class.js";
import {CodeField, findingItems, severityOf, wordAt} from "./code_field.js";
import {button, h, highlighted, update} from "./dom.js";
import {findingsIn} from "./findings.js";
import {MOST_TEXT, definedIn} from "./program.js";
import {askServer, token} from "./server.js";
import {padlock, sentence} from "./tower.js";
import {isCalm} from "./verdict.js";
import {gridFigure, showGrid, witnessFigure} from "./witness.js";
import {plural} from "./words.js";
/** @import {Exercise, GuessRound, Joined, Mark} from "./class.js" */
/** @import {Finding} from "./findings.js" */
/** @import {Rule} from "./program.js" */
/** @import {Boards} from "./witness.js" */

const NAME = "mine"; // of the rule of each student
const EXAMPLE = {size: 4, grid: "1423234141323214"};
const POLL = 3000, SAVE = 300, LOOK = 600, ASK = 1500; // milliseconds
const LEAST_LINES = 5;
const OF_SIZES = /^\(\S+: ([a-z ]+)(?:, \S+: \1)*\)$/; // the same verdict at each size
const SAID = /^(?:mine\.lp: [a-z ]+: |Your rule is too (?:lax|strict): )/;
const START = "% a(R,C,N): row R, column C holds N\n";

/** @type {{exercises: Exercise[], blanks: Boards, base: Rule, rules: Rule[]}} */
const data = JSON.parse(part("data").textContent ?? "");
const places = definedIn([data.base, ...data.rules]);

/** @param {string} id */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** What this browser keeps; others keep it until the page is left. */
class Kept {
  /** @type {Map<string, string>} */
  #unsaved = new Map();

  /** @param {string} key */
  get(key) {
    try {
      return localStorage.getItem(key) ?? this.#unsaved.get(key);
    } catch {
      return this.#unsaved.get(key);
    }
  }

  /** Whether it will be there after a reload. @param {string} key @param {string} text */
  set(key, text) {
    this.#unsaved.set(key, text);
    try {
      localStorage.setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }
}

const kept = new Kept();

/** A name of this browser for one class, which says nothing of the person. */
function clientName() {
  const key = `aspdoku-client ${token}`;
  const known = kept.get(key);
  if (known) return known;
  const name = [...crypto.getRandomValues(new Uint8Array(16))].map(each => each.toString(16).padStart(2, "0")).join("");
  kept.set(key, name);
  return name;
}

/** What an atom says, for the cell that is pointed at. */
class Explained {
  #board = new Board();
  /** @type {HTMLElement[]} */
  #cells = [];

  constructor() {
    const {size} = EXAMPLE;
    part("example").append(this.#board);
    const {cells} = this.#board;
    cells.setAttribute("role", "grid");
    cells.setAttribute("aria-label", "A solved grid");
    for (let row = 1; row <= size; row++) {
      const line = h("div", {role: "row"});
      for (let column = 1; column <= size; column++) {
        const point = () => this.#point(row, column);
        const cell = h("div", {
          role: "gridcell", tabindex: -1, "aria-label": this.#words(row, column), onpointerenter: point, onfocus: point,
          onclick: point, onkeydown: event => this.#move(event, row, column),
        });
        line.append(cell);
        this.#cells.push(cell);
      }
      cells.append(line);
    }
    this.#point(2, 3);
  }

  /** @param {number} row @param {number} column */
  #number(row, column) {
    return EXAMPLE.grid[(row - 1) * EXAMPLE.size + column - 1];
  }

  /** @param {number} row @param {number} column */
  #words(row, column) {
    return `row ${row}, column ${column} holds ${this.#number(row, column)}`;
  }

  /** @param {KeyboardEvent} event @param {number} row @param {number} column */
  #move(event, row, column) {
    const [down, right] = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key]
      ?? [0, 0];
    if (!down && !right) return;
    event.preventDefault();
    const inside = (/** @type {number} */ index) => Math.max(1, Math.min(EXAMPLE.size, index));
    this.#cells[(inside(row + down) - 1) * EXAMPLE.size + inside(column + right) - 1].focus();
  }

  /** @param {number} row @param {number} column */
  #point(row, column) {
    const {size} = EXAMPLE;
    const others = [...Array(size).keys()].map(index => index + 1);
    showGrid(this.#board, data.blanks, EXAMPLE, [
      ...others.filter(each => each !== column).map(each => /** @type {const} */ ([row, each, "looked"])),
      ...others.filter(each => each !== row).map(each => /** @type {const} */ ([each, column, "differ"])),
    ].map(([r, c, kind]) => [r, c, kind]));
    this.#cells.forEach((cell, index) => {
      const isPointed = index === (row - 1) * size + column - 1;
      cell.setAttribute("aria-selected", String(isPointed));
      cell.tabIndex = isPointed ? 0 : -1;
    });
    part("atom").replaceChildren(h("b", {}, "a"), "(", h("span", {class: "atom-row"}, String(row)), ",",
      h("span", {class: "atom-column"}, String(column)), ",",
      h("span", {class: "atom-number"}, this.#number(row, column)), ")");
    part("means").textContent = this.#words(row, column);
  }
}

/** The base, the rules of the game, and on them the brick of the student. */
class SmallTower {
  #says = h("span", {class: "say"});
  #own = h("li", {class: "brick own"}, h("span", {class: "name"}, h("span", {}, "yours"), this.#says));

  constructor() {
    const {base, rules} = data;
    const brick = (/** @type {Rule} */ {name, title}, /** @type {string} */ kind, /** @type {Node[]} */ ...more) =>
      h("li", {class: `brick ${kind}`}, h("span", {class: "name"}, h("span", {}, name),
        h("span", {class: "say"}, sentence(title))), ...more);
    const lock = h("span", {class: "lock", title: `These bytes never change: SHA-256 ${base.sha256}`},
      h("code", {}, base.sha256.slice(0, 7)), padlock(), h("span", {class: "vh"}, "locked"));
    part("tower").append(brick(base, "base", lock), ...rules.map(rule => brick(rule, "rule")), this.#own);
    this.show(false);
  }

  /** @param {boolean} isRight */
  show(isRight) {
    this.#own.classList.toggle("done", isRight);
    this.#own.classList.toggle("drop", isRight && !isCalm());
    this.#says.textContent = isRight ? "✓ it holds" : "one constraint, on top";
  }
}

/** The exercise that the class is at. */
class Work {
  #tower = new SmallTower();
  #field = new CodeField({
    "aria-describedby": "findings", maxlength: MOST_TEXT, autocorrect: "off", oninput: () => this.#typed(),
    onkeydown: event => this.#key(event),
  }, LEAST_LINES);
  #index = -1;
  #isAsking = false;
  #asked = ""; // the last text that the server was asked about
  /** @type {number | undefined} */ #saving;
  /** @type {number | undefined} */ #looking;
  /** @type {number | undefined} */ #waiting;
  /** @type {Map<number, string[]>} */
  #hints = new Map();

  /** @param {string} client */
  constructor(client) {
    this.client = client;
    part("field").replaceWith(this.#field.element);
    part("check").addEventListener("click", () => this.#check());
    part("hand-in").addEventListener("click", () => this.#handIn());
    part("hint").addEventListener("click", () => this.#askForHint());
  }

  get #exercise() {
    return data.exercises[this.#index];
  }

  /** Where its text is kept. */
  get #place() {
    return `aspdoku-exercise ${token} ${this.#index} ${this.#exercise.title}`;
  }

  /** Go to an exercise. @param {number} index */
  open(index) {
    if (index === this.#index) return;
    this.#save();
    this.#index = index;
    this.#field.text = kept.get(this.#place) ?? START;
    this.#asked = "";
    this.#mark([]);
    this.#tower.show(false);
    part("outcome").hidden = true;
    this.#renderHints();
    this.#look();
  }

  get task() {
    return this.#exercise?.task ?? "";
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#check();
  }

  #typed() {
    say("saving …");
    part("outcome").classList.add("stale");
    this.#tower.show(false);
    clearTimeout(this.#saving);
    clearTimeout(this.#looking);
    clearTimeout(this.#waiting);
    this.#saving = setTimeout(() => this.#save(), SAVE);
    this.#looking = setTimeout(() => this.#look(), LOOK);
    this.#waiting = setTimeout(() => this.#askForFindings(), ASK);
  }

  #save() {
    clearTimeout(this.#saving);
    if (this.#index < 0) return;
    const isKept = kept.set(this.#place, this.#field.text);
    say(isKept ? "kept in this browser" : "this browser keeps nothing: copy your text");
  }

  /** What the page itself finds. */
  #look() {
    const {text} = this.#field;
    this.#mark(text.trim() && text !== START ? findingsIn(text, NAME, places) : []);
  }

  async #askForFindings() {
    const {text} = this.#field;
    if (!text.trim() || text === this.#asked || this.#isAsking) return;
    this.#asked = text;
    try {
      const {findings} = await askServer({kind: "check", name: NAME, text});
      if (text === this.#field.text) this.#mark(findings);
    } catch {
      // What the page finds stays; a check that was asked for says what is wrong.
    }
  }

  /** @param {Finding[]} findings */
  #mark(findings) {
    this.#field.mark(findings);
    part("findings").replaceChildren(...findingItems(findings));
  }

  /**
   * Ask about the rule, and show what the server says unless the class has gone on.
   * @param {string} waiting @param {object} question @param {(answer: any, text: string) => void} show
   */
  async #ask(waiting, question, show) {
    if (this.#isAsking) return;
    const {text} = this.#field;
    const index = this.#index;
    this.#isAsking = true;
    this.#save();
    clearTimeout(this.#looking);
    clearTimeout(this.#waiting);
    this.#conclude("unknown", waiting);
    try {
      const answer = await askServer({name: NAME, text, ...question});
      if (index !== this.#index) return;
      show(answer, text);
    } catch (error) {
      if (index === this.#index) this.#conclude("bad", "No answer", [error.message]);
    } finally {
      this.#isAsking = false;
      part("outcome").classList.toggle("stale", text !== this.#field.text);
    }
    if (matchMedia("(max-width: 820px)").matches) {
      part("outcome").scrollIntoView({block: "nearest", behavior: isCalm() ? "auto" : "smooth"});
    }
  }

  #check() {
    this.#ask("Checking …", {kind: "check"}, ({findings}, text) => {
      this.#mark(findings);
      if (this.#showErrors(findings, text)) return;
      const words = "Hand it in to compare it with the task.";
      if (findings.length) this.#conclude("unknown", plural(findings.length, "finding"), [words]);
      else this.#conclude("unknown", "No mistake found", [words]);
    });
  }

  #handIn() {
    const question = {kind: "mark", exercise: this.#index, client: this.client};
    this.#ask("Comparing …", question, (/** @type {Mark} */ mark, text) => {
      this.#mark(mark.findings);
      this.#tower.show(mark.verdict === "right" && text === this.#field.text);
      if (mark.hints_total !== undefined) this.#exercise.hints = mark.hints_total;
      this.#renderHints();
      const again = mark.verdict === "right" ? "Handed in. The wall shows it without your name."
        : "Handed in. You can hand in again.";
      if (mark.verdict === "cannot be used" && this.#showErrors(mark.findings, text, again)) return;
      const {text: heading, look} = headed(mark);
      const [first, ...others] = mark.parts.map(each => each.text);
      const words = (others.length ? others : [first]).filter(each => !OF_SIZES.test(each)).map(sentenceIn);
      const drawing = mark.parts.flatMap(each => each.drawings)[0];
      const figure = witnessFigure(data.blanks, {drawing, ...mark}, "The grid on which the rules differ");
      this.#conclude(look, heading, words, again, figure ? [figure] : []);
    });
  }

  /**
   * Show findings because of which a rule cannot be used, each with its line.
   * @param {Finding[]} findings @param {string} text @param {string} [remark]
   */
  #showErrors(findings, text, remark) {
    const errors = findings.filter(each => severityOf(each) === "error");
    if (!errors.length) return false;
    const lines = text.split("\n");
    const shown = errors.flatMap(({line, column, text: words}) => {
      const written = lines[line - 1] ?? "";
      const [start, end] = wordAt(written, column);
      return [h("p", {}, line ? `Line ${line}: ${words}` : words), ...(written.trim() ? [h("pre", {},
        h("b", {}, String(line)), "  ", highlighted(written.slice(0, start)),
        h("u", {}, highlighted(written.slice(start, end))), highlighted(written.slice(end)))] : [])];
    });
    this.#conclude("bad", "Not yet a rule", [], remark, shown);
    part("findings").replaceChildren(); // the verdict says them
    return true;
  }

  /**
   * @param {string} look @param {string} heading @param {string[]} [words] @param {string} [remark]
   * @param {Node[]} [more] a figure stands beside the words
   */
  #conclude(look, heading, words = [], remark = "", more = []) {
    const outcome = part("outcome");
    const figures = more.filter(each => each instanceof HTMLElement && each.classList.contains("fig"));
    outcome.className = `outcome ${look}`;
    outcome.hidden = false;
    outcome.replaceChildren(
      h("div", {}, h("h2", {}, heading), ...words.map(each => h("p", {}, each)),
        ...more.filter(each => !figures.includes(each)), remark ? h("p", {class: "remark"}, remark) : ""), ...figures);
  }

  async #askForHint() {
    const index = this.#index;
    const shown = this.#hints.get(index) ?? [];
    if (this.#isAsking || shown.length >= this.#exercise.hints) return;
    this.#isAsking = true;
    try {
      const {text} = await askServer({kind: "hint", exercise: index, number: shown.length + 1});
      this.#hints.set(index, [...shown, text]);
    } catch (error) {
      this.#conclude("bad", "No answer", [error.message]);
    } finally {
      this.#isAsking = false;
    }
    this.#renderHints();
  }

  #renderHints() {
    const shown = this.#hints.get(this.#index) ?? [];
    const {hints} = this.#exercise;
    const list = part("hints");
    list.hidden = !shown.length;
    list.replaceChildren(...shown.map(text => h("li", {}, text)));
    const more = part("hint");
    more.hidden = !hints;
    more.textContent = shown.length < hints ? `Hint ${shown.length + 1} of ${hints}` : "No more hints";
    more.setAttribute("aria-disabled", String(shown.length >= hints));
  }
}

/** What follows the name of the file and the verdict, which the heading says. @param {string} text */
function sentenceIn(text) {
  const said = text.match(SAID)?.[0].length ?? 0;
  return text.charAt(said).toUpperCase() + text.slice(said + 1) + (/[.!?]$|^\(/.test(text) ? "" : ".");
}

/** The vote on a grid. */
class Vote {
  #key = "";
  #round = 0;
  #said = h("p", {class: "remark", role: "status"});
  /** @type {{round: number, allowed: boolean} | undefined} */
  #own;

  /** @param {string} client */
  constructor(client) {
    this.client = client;
  }

  /** @param {GuessRound} guess */
  show(guess) {
    const key = JSON.stringify({...guess, votes: null});
    if (key === this.#key) return;
    this.#key = key;
    this.#round = guess.round;
    this.#render(guess);
  }

  /** @param {GuessRound} guess */
  #render({round, size, grid, examples, answers, left, done, rule}) {
    this.#said.textContent = "";
    const small = (/** @type {string} */ grid, /** @type {string} */ label) =>
      h("figure", {class: label}, gridFigure(data.blanks, {size, grid}, label), h("figcaption", {}, label));
    const before = [...examples.map(each => small(each, "allowed")),
      ...answers.map(each => small(each.grid, each.allowed ? "allowed" : "forbidden"))];
    const question = done ? rule ?? "The rule is found." : grid ? "Is this grid allowed?" : "Looking for a grid …";
    const vote = (/** @type {string} */ words, /** @type {boolean} */ allowed) =>
      button(words, () => this.#send(round, allowed), {class: "btn", "data-allowed": String(allowed)});
    update(part("vote"),
      h("div", {class: "vote-now"}, h("h2", {}, question),
        grid && !done ? gridFigure(data.blanks, {size, grid}, `Grid ${round}`) : "",
        grid && !done ? h("div", {class: "vote-buttons"}, vote("Allowed", true), vote("Not allowed", false)) : "",
        this.#said),
      h("div", {class: "vote-before"}, h("p", {}, `${plural(left, "rule")} left`), ...before));
    this.#press();
  }

  #press() {
    const own = this.#own?.round === this.#round ? this.#own : undefined;
    part("vote").querySelectorAll("[data-allowed]").forEach(each =>
      each.setAttribute("aria-pressed", String(each.getAttribute("data-allowed") === String(own?.allowed))));
  }

  /** @param {number} round @param {boolean} allowed */
  async #send(round, allowed) {
    try {
      await askServer({kind: "vote", client: this.client, round, allowed});
      this.#own = {round, allowed};
      this.#said.textContent = "Your vote counts. You can change it.";
    } catch (error) {
      this.#said.textContent = error.message;
    }
    this.#press();
  }
}

/** @param {string} words */
function say(words) {
  if (part("kept").textContent !== words) part("kept").textContent = words;
}

const client = clientName();
const work = new Work(client);
const vote = new Vote(client);
/** When the time is up, if it is. @type {number | undefined} */
let end;

/** @param {Joined} joined */
function show({exercises, current, guess, seconds_left: left}) {
  // The page keeps what it knows of hints.
  if (exercises.length !== data.exercises.length) data.exercises = exercises;
  const isWriting = !guess && exercises.length > 0;
  if (exercises.length) work.open(current);
  part("writing").hidden = !isWriting;
  part("kept").hidden = !isWriting;
  part("vote").hidden = !guess;
  part("wait").hidden = isWriting || Boolean(guess);
  part("wait").textContent = "There is no exercise yet: this page shows it as soon as it begins.";
  part("task").textContent = guess ? "Guess the rule" : work.task || "The class";
  document.title = guess ? "Guess the rule" : exercises.length > 1 ? `Exercise ${current + 1}` : "Exercise";
  if (guess) vote.show(guess);
  end = left === null || left === undefined || guess ? undefined : performance.now() + 1000 * left;
  count();
}

function count() {
  const text = end === undefined ? "" : `${clock((end - performance.now()) / 1000)} left`;
  if (part("left").textContent !== text) part("left").textContent = text;
}

let isAlone = false;

async function follow() {
  try {
    show(await askServer({kind: "join", client}));
    if (isAlone) say("the server answers again");
    isAlone = false;
  } catch (error) {
    isAlone = true;
    say(error.message);
  }
  setTimeout(follow, POLL);
}

if (data.exercises.length) {
  show({exercises: data.exercises, current: 0, guess: null});
  new Explained(); // a board is measured where it is shown
}
setInterval(count, 1000);
follow();
