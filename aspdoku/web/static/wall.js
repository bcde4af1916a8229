// @ts-check
// The wall of the lecturer: the answers of a class in groups, one of them large, and "guess the rule" with votes.
import {KINDS, arranged, cellsOf, clock, widths} from "./class.js";
import {button, h, highlighted, update} from "./dom.js";
import {Drawer} from "./drawer.js";
import {askServer} from "./server.js";
import {brokenLines, lineText, statementsIn} from "./statements.js";
import {flipTheme} from "./theme.js";
import {roll} from "./verdict.js";
import {gridFigure, witnessFigure} from "./witness.js";
import {listed, plural} from "./words.js";
/** @import {Exercise, Group, GuessRound, Join, Wall} from "./class.js" */
/** @import {Boards} from "./witness.js" */

const POLL = 2000, FADE = 900; // milliseconds
const CARD_COLUMNS = 27, LARGE_COLUMNS = 29, WIDE_COLUMNS = 64; // characters of a line of code
const MOST_CELLS = 3; // that are named
const MOST_BEFORE = 8; // grids before the one that is asked about
const MINUTES = [3, 5, 8, 10, 15, 20];
const LEAST_WIDTH = 10; // hand-ins that a full bar has at least
/** @type {{exercises: Exercise[], join: Join | null, blanks: Boards}} */
const data = JSON.parse(part("data").textContent ?? "");

/** @param {string} id */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Bars with a name, a number, and the look of their kind. */
class Bars {
  element = h("dl", {class: "kinds"});
  /** @type {Map<string, {bar: HTMLElement, number: HTMLElement}>} */
  #rows = new Map();

  /** @param {[name: string, look: string][]} kinds */
  constructor(kinds) {
    for (const [name, look] of kinds) {
      const bar = h("i", {class: look});
      const number = h("dd", {class: "number"});
      this.#rows.set(name, {bar, number});
      const length = h("dd", {class: "length", "aria-hidden": "true"}, bar);
      this.element.append(h("div", {}, h("dt", {}, name), length, number));
    }
  }

  /** @param {number[]} counts */
  show(counts) {
    const lengths = widths(counts, LEAST_WIDTH);
    [...this.#rows.values()].forEach(({bar, number}, index) => {
      bar.style.width = `${lengths[index]}%`;
      number.textContent = String(counts[index]);
    });
  }
}

/** A number that rolls, with its name. */
class Count {
  #digits = h("span", {class: "odo", "aria-hidden": "true"});
  #said = h("span", {class: "vh"});
  #number = -1;
  element;

  /** @param {string} name */
  constructor(name) {
    this.element = h("p", {class: "count"}, h("span", {class: "big"}, this.#said, this.#digits), h("span", {}, name));
  }

  /** @param {number} number */
  show(number) {
    if (number === this.#number) return;
    this.#number = number;
    this.#said.textContent = `${number} `;
    roll(this.#digits, number);
  }
}

/** Where a class joins, large. */
function codeLarge() {
  if (!data.join) return [];
  const {address, code} = data.join;
  return [h("p", {}, `Join at ${address}`), part("join").querySelector(".qr")?.cloneNode(true) ?? "", h("b", {}, code)];
}

/** @param {Group} group */
function isRight({kind}) {
  return kind === "right";
}

/**
 * A rule that clingo has read, with lines that end where the grammar breaks.
 * @param {string} text @param {number} columns
 */
function codeOf(text, columns = CARD_COLUMNS) {
  const lines = statementsIn(text).flatMap(statement => brokenLines(statement, columns).map(lineText));
  return h("span", {class: "code"}, highlighted(lines.join("\n")));
}

/** @template {{count: number, text: string}} T @param {T[]} entries @param {(entry: T) => Node | string} shown */
function counted(entries, shown) {
  const lines = entries.map(entry => h("li", {}, h("b", {}, String(entry.count)), shown(entry)));
  return h("ul", {class: "counted"}, ...lines);
}

/** @param {GuessRound} guess */
function askedIn({done, rule}) {
  return done ? rule ?? "The game is over." : "Is this grid allowed?";
}

/** The cells on which a rule is wrong, in words. @param {Group} group */
function placeOf(group) {
  const cells = (isRight(group) ? [] : cellsOf(group)).map(([row, column]) => `r${row}c${column}`);
  return cells.length ? `: ${cells.length <= MOST_CELLS ? listed(cells) : plural(cells.length, "cell")}` : "";
}

/** @param {Group} group */
function figureOf(group) {
  const what = isRight(group) ? "A grid that these rules forbid" : "The grid that shows it";
  return witnessFigure(data.blanks, group, what + placeOf(group));
}

/** What a group has besides its heading. @param {Group} group */
function contents(group) {
  if (isRight(group)) return [counted(group.wordings ?? [], ({text}) => codeOf(text))];
  if (group.kind === "error") return [counted(group.errors ?? [], ({text}) => text)];
  return [figureOf(group) ?? "", codeOf(group.example)];
}

/** The rules of a group, large. @param {Group} group @param {number} columns */
function rulesOf({kind, example, wordings = [], errors = []}, columns) {
  if (kind === "right") return counted(wordings, ({text}) => codeOf(text, columns));
  const code = (/** @type {Node} */ shown) =>
    h("pre", {tabindex: 0, role: "region", "aria-label": "One of these rules"}, shown);
  if (kind !== "error") return code(codeOf(example, columns));
  return counted(errors, each => h("div", {}, each.text, code(highlighted(each.example.trim()))));
}

class Page {
  #joined = new Count("joined");
  #handed = new Count("handed in");
  #left = button("", () => this.#time.open(), {class: "big"});
  #bars = new Bars(KINDS.map(kind => [kind, `bar-${kind.replace(" ", "-")}`]));
  #votes = new Bars([["allowed", "bar-right"], ["not allowed", "bar-error"]]);
  #version = -1;
  /** @type {Wall | undefined} */
  #wall;
  #key = ""; // what the groups show
  #gameKey = "";
  /** When the time is up. @type {number | undefined} */
  #end;
  /** @type {HTMLElement | undefined} */ #large; // one answer
  #heard = new Date();

  constructor() {
    this.#time = this.#timeDrawer();
    this.#guess = new Drawer("Guess the rule", h("div", {class: "setting"}));
    this.#keys = new Drawer("Keys", h("dl", {class: "keys"}, ...Object.entries({
      J: "Join code large", N: "Next exercise", P: "Previous exercise", T: "Time", G: "Guess the rule",
      D: "Light or dark", "← →": "Another answer", Esc: "Back",
    }).flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])));
    document.body.append(...[this.#time, this.#guess, this.#keys].map(each => each.element));
    part("sum").append(
      h("div", {class: "counts"}, this.#joined.element, this.#handed.element,
        h("p", {class: "count"}, this.#left, h("span", {}, "left"))),
      this.#bars.element);
    part("commands").append(this.#previous, this.#next,
      this.#clock, this.#play,
      button("?", () => this.#keys.open(), {class: "btn", "aria-label": "Keys", title: "Keys (?)"}));
    document.getElementById("join")?.addEventListener("click", () => this.#showJoin());
    addEventListener("keydown", event => this.#press(event));
    setInterval(() => this.#count(), 1000);
    this.#follow();
  }

  /** @type {Drawer} */ #time;
  /** @type {Drawer} */ #guess;
  /** @type {Drawer} */ #keys;
  #previous = button("‹", () => this.#go(-1), {class: "btn", "aria-label": "Previous exercise", title: "Previous (P)"});
  #next = button("Next exercise ›", () => this.#go(1), {class: "btn", title: "Next exercise (N)"});
  #clock = button("Time", () => this.#time.open(), {class: "btn", title: "Time (T)"});
  #play = button("Guess the rule", () => this.#openGame(), {class: "btn", title: "Guess the rule (G)"});

  // ---- The server ----

  async #follow() {
    await this.#update();
    setTimeout(() => this.#follow(), POLL);
  }

  async #update() {
    try {
      const wall = await askServer({kind: "wall", since: this.#version});
      this.#heard = new Date();
      this.#say(wall.problem ?? this.#wall?.problem ?? "");
      part("wall").classList.remove("stale");
      if (wall.groups) this.show(wall);
    } catch (error) {
      part("wall").classList.add("stale");
      this.#say(`${error.message} · what is shown is of ${this.#heard.toLocaleTimeString("en-GB")}`);
    }
  }

  /** @param {string} words */
  #say(words) {
    if (part("trouble").textContent !== words) part("trouble").textContent = words;
  }

  /** Ask for a change, and show what has become of it. @param {object} question */
  async #change(question) {
    try {
      const answer = await askServer(question);
      await this.#update();
      return answer;
    } catch (error) {
      this.#say(error.message);
      return undefined;
    }
  }

  /** @param {Wall} wall */
  show(wall) {
    const {version, exercise, joined, handed, seconds_left: left, bars, guess} = wall;
    const isOther = this.#wall && this.#wall.exercise?.index !== exercise?.index;
    this.#version = version;
    this.#wall = wall;
    if (isOther) this.#hide();
    const all = exercise && exercise.number_of > 1 ? ` of ${exercise.number_of}` : "";
    const number = exercise ? `Exercise ${exercise.index + 1}${all}` : "The class";
    part("which").textContent = guess ? `Guess the rule · ${joined} joined` : `${number} · anonymous`;
    part("task").textContent = guess ? askedIn(guess) : exercise?.task ?? "";
    document.title = guess ? "Guess the rule" : number;
    this.#previous.hidden = this.#next.hidden = !exercise || exercise.number_of < 2 || Boolean(guess);
    this.#clock.hidden = !exercise || Boolean(guess);
    this.#play.hidden = Boolean(guess);
    this.#previous.disabled = !exercise?.index;
    this.#next.disabled = !exercise || exercise.index + 1 >= exercise.number_of;
    part("sum").hidden = part("groups").hidden = Boolean(guess);
    part("game").hidden = !guess;
    this.#joined.show(joined);
    this.#handed.show(handed);
    this.#bars.show(KINDS.map(kind => bars[kind]));
    this.#end = left === null || left === undefined ? undefined : performance.now() + 1000 * left;
    this.#count();
    this.#showGroups(wall.groups ?? []);
    if (guess) this.#showGame(guess);
  }

  #count() {
    const text = this.#end === undefined ? "–" : clock((this.#end - performance.now()) / 1000);
    if (this.#left.textContent === text) return;
    this.#left.textContent = text;
    const words = this.#end === undefined ? "No limit of time: set one" : `${text} left: change it`;
    this.#left.setAttribute("aria-label", words);
  }

  /** @param {number} step */
  #go(step) {
    const {exercise} = this.#wall ?? {};
    const index = (exercise?.index ?? 0) + step;
    if (exercise && 0 <= index && index < exercise.number_of) this.#change({kind: "exercise", index});
  }

  // ---- Groups ----

  /** @param {Group[]} groups */
  #showGroups(groups) {
    const key = JSON.stringify(groups);
    if (key === this.#key) return;
    this.#key = key;
    const {shown, more, all} = arranged(groups);
    const list = part("groups");
    this.#places = [...shown, ...more].map(group => all.indexOf(group));
    list.dataset.rows = all.length > 4 ? "2" : "1";
    update(list, ...shown.map(group => this.#card(group, all.indexOf(group))), ...(more.length
      ? [h("button", {type: "button", class: "group more", onclick: () => this.#show(all.indexOf(more[0]))},
        h("span", {class: "heading"}, h("b", {}, String(more.reduce((sum, each) => sum + each.count, 0))),
          h("span", {}, plural(more.length, "further group"))),
        counted(more.map(each => ({count: each.count, text: each.title + placeOf(each)})), ({text}) => text))] : []),
    ...(all.length ? [] : [h("div", {class: "nobody"}, ...codeLarge(), h("p", {}, "Nobody has handed in yet."))]));
  }

  /** @param {Group} group @param {number} index */
  #card(group, index) {
    const {kind, count, title} = group;
    const heading = h("span", {class: "heading"}, h("b", {}, String(count)), h("span", {}, title + placeOf(group)));
    return h("button", {
      type: "button", class: `group group-${kind.replace(" ", "-")}`, "data-key": `${kind} ${title} ${group.grid}`,
      onclick: () => this.#show(index),
    }, heading, ...contents(group));
  }

  /** Put one answer of a group on the board, without a name. @param {number} index */
  #show(index) {
    const {all} = arranged(this.#wall?.groups ?? []);
    if (!all.length) return;
    const place = (index + all.length) % all.length;
    const group = all[place];
    const figure = figureOf(group);
    const isNarrow = matchMedia("(max-width: 640px)").matches;
    const columns = isNarrow ? CARD_COLUMNS : figure ? LARGE_COLUMNS : WIDE_COLUMNS;
    const go = (/** @type {number} */ step) => this.#show(place + step);
    const back = button("Back to the wall", () => this.#hide(), {class: "btn", title: "Esc"});
    this.#hide();
    this.#place = place;
    this.#large = h("section", {
      class: `large large-${group.kind.replace(" ", "-")}`, role: "dialog", "aria-modal": "true",
      "aria-label": group.title,
    }, figure ?? "", h("div", {class: "large-words"},
      h("h2", {}, group.title), h("p", {}, group.words),
      rulesOf(group, columns),
      h("p", {class: "who"}, `${group.count} of ${this.#wall?.handed} · no names are kept`),
      h("div", {class: "tools"}, button("←", () => go(-1), {class: "btn", "aria-label": "Previous group"}),
        button("→", () => go(1), {class: "btn", "aria-label": "Next group"}), back)));
    document.body.append(this.#large);
    part("wall").inert = true;
    back.focus();
  }

  #place = 0;
  /** @type {number[]} */ #places = []; // of the groups in the order of their cards

  #hide() {
    if (!this.#large) return;
    this.#large.remove();
    this.#large = undefined;
    part("wall").inert = false;
    const cards = /** @type {HTMLElement[]} */ ([...part("groups").querySelectorAll("button")]);
    cards[Math.min(this.#places.indexOf(this.#place), cards.length - 1)]?.focus();
  }

  // ---- Drawers and keys ----

  #showJoin() {
    if (!data.join) return;
    const dialog = h("dialog", {
      class: "join-large", "aria-label": "Join code", onclick: () => dialog.close(), onclose: () => dialog.remove(),
      onkeydown: event => {
        if (event.key.toLowerCase() !== "j") return;
        event.stopPropagation(); // the page would open it again
        dialog.close();
      },
    }, ...codeLarge(), h("p", {class: "who"}, `${this.#wall?.joined ?? 0} have joined`));
    document.body.append(dialog);
    dialog.showModal();
  }

  #timeDrawer() {
    const set = (/** @type {string} */ words, /** @type {number | null} */ minutes) => button(words, () => {
      drawer.close();
      this.#change({kind: "time", minutes});
    }, {class: "btn"});
    const drawer = new Drawer("Time that is left", h("div", {class: "picks"},
      ...MINUTES.map(minutes => set(plural(minutes, "minute"), minutes)), set("No limit", null)));
    return drawer;
  }

  #openGame() {
    const size = h("select", {}, ...[4, 6].map(each => h("option", {value: each}, `${each} × ${each}`)));
    const rule = h("select", {}, h("option", {value: ""}, "any rule, at random"),
      ...(this.#wall?.hidden_rules ?? []).map(({name, title}) => h("option", {value: name}, title)));
    const start = button("Start", () => {
      this.#guess.close();
      this.#say("Looking for grids that the rule allows …");
      const chosen = rule.value ? {rule: rule.value} : {};
      this.#change({kind: "guess", action: "start", size: Number(size.value), ...chosen});
    }, {class: "btn main"});
    this.#guess.element.querySelector(".setting")?.replaceChildren(
      h("p", {}, "A rule is hidden. The class sees grids, and votes whether the rule allows them."),
      h("div", {class: "tools"}, h("label", {}, "Grids of ", size), h("label", {}, "The rule is ", rule), start));
    this.#guess.open();
  }

  /** @param {GuessRound} guess */
  #showGame(guess) {
    const {round, size, grid, examples, answers, left, rules = [], votes, done} = guess;
    this.#votes.show([votes.yes, votes.no]);
    const key = JSON.stringify({...guess, votes: null});
    if (key === this.#gameKey) return;
    this.#gameKey = key;
    this.#showRules(rules);
    const small = (/** @type {string} */ grid, /** @type {string} */ words, /** @type {string} */ kind) =>
      h("figure", {class: kind}, gridFigure(data.blanks, {size, grid}, words), h("figcaption", {}, words));
    const before = [...examples.map(each => small(each, "allowed", "allowed")),
      ...answers.map(each => {
        const answer = each.allowed ? "allowed" : "forbidden";
        return small(each.grid, `${answer} (${each.yes}\u00a0:\u00a0${each.no})`, answer);
      })].slice(-MOST_BEFORE);
    const end = button("End the game", () => this.#change({kind: "guess", action: "end"}), {class: "btn"});
    const more = h("button", {
      type: "button", class: "btn main", "data-key": "more", onclick: async ({currentTarget}) => {
        const pressed = /** @type {HTMLButtonElement} */ (currentTarget);
        pressed.disabled = true;
        this.#say("Looking for the next grid …");
        await this.#change({kind: "guess", action: "next", round});
        pressed.disabled = false;
      },
    }, "Reveal, next grid");
    const large = grid ?? answers.at(-1)?.grid ?? examples[0] ?? null;
    const label = grid ? `Grid ${round}` : "The last grid";
    update(part("game"),
      h("div", {class: "game-grid"}, gridFigure(data.blanks, {size, grid: large}, label)),
      h("div", {class: "game-words"},
        h("div", {class: "tools"}, done ? "" : more, end),
        done ? "" : this.#votes.element,
        h("h2", {}, h("b", {}, String(left)), left === 1 ? " rule left" : " rules left"),
        this.#rules,
        h("div", {class: "before"}, ...before)));
    if (document.activeElement && document.activeElement !== document.body) return;
    /** @type {HTMLElement | null} */ (part("game").querySelector(".tools button"))?.focus();
  }

  #rules = h("ul", {class: "rules"});

  /** Those that an answer has excluded fade. @param {string[]} titles */
  #showRules(titles) {
    const shown = /** @type {HTMLElement[]} */ ([...this.#rules.children]).filter(each => !each.matches(".out"));
    for (const line of shown.filter(each => !titles.includes(each.textContent ?? ""))) {
      line.classList.add("out");
      setTimeout(() => line.remove(), FADE);
    }
    const known = shown.map(each => each.textContent);
    this.#rules.append(...titles.filter(each => !known.includes(each)).map(each => h("li", {}, each)));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const {target} = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      j: () => this.#showJoin(), d: flipTheme, n: () => this.#go(1), p: () => this.#go(-1),
      t: () => this.#time.open(), g: () => this.#openGame(), "?": () => this.#keys.open(),
      escape: () => this.#hide(),
      arrowleft: () => this.#large && this.#show(this.#place - 1),
      arrowright: () => this.#large && this.#show(this.#place + 1),
    };
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

new Page();
