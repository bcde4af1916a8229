// @ts-check
// The lesson: in each scene a sentence, a board, a verdict, a text, a question, and the tower. It is the view of a
// session, so that clingo answers if a hook, a switch or a constraint is pressed; → comes back to the scene.
import {Board} from "./board.js";
import {filesOf} from "./bricks.js";
import {h} from "./dom.js";
import {Drawer} from "./drawer.js";
import {Engine} from "./engine.js";
import {openBase, quotation, showDifference} from "./exhibits.js";
import {Formalisms} from "./formalisms.js";
import {shownBoard} from "./grid.js";
import {GridWall} from "./gridwall.js";
import {Invite} from "./invite.js";
import {Notes} from "./notes.js";
import {compose, initialState} from "./program.js";
import {Question} from "./question.js";
import {Rail} from "./rail.js";
import {addressOf, contentsOfGrid, positionBeside, positionIn, spokenGrid, verdictOf} from "./scenes.js";
import {Session} from "./session.js";
import {Stack} from "./stack.js";
import {flipTheme} from "./theme.js";
import {VerdictLine} from "./verdict.js";
import {written} from "./written.js";
/** @import {Cell, Pair} from "./board.js" */
/** @import {Lesson, Position, Scene} from "./scenes.js" */
/** @import {Message, View} from "./session.js" */


/** The keys that do something. @param {Lesson} lesson */
function keysOf({join}) {
  return [
    ["→ PgDn Space", "on"], ["← PgUp", "back"], ["Home End", "the first step, the last step"],
    ["N", "notes in a second window, which follows"], ...(join ? [["J", "the join code, large"]] : []),
    ...(join?.wall ? [["W", "the wall of the class"]] : []),
    ["D", "light, dark"], ["Esc", "back to the scene"], ["?", "these keys"],
  ];
}

/** @implements {View} */
class Lecture {
  draft = "";
  /** @type {Position} */
  #position = {step: 0, scene: 0};
  #isArranged = false; // whether a scene is shown
  #told = ""; // the brick of which the scene shows a text
  #board = new Board();
  #wall = new GridWall();
  #verdict = new VerdictLine();
  #message = h("p", {class: "said", role: "status"});
  #say = h("h1", {class: "sentence"});
  #quotation = h("figure", {class: "quotation", hidden: true});
  #difference = h("div", {class: "difference", hidden: true, tabindex: 0, role: "region", "aria-label": "Difference"});
  #question = new Question();
  #openBase = h("ol", {class: "tower", hidden: true});
  #place = h("p", {class: "vh", role: "status"});
  #formalisms = new Formalisms(() => this.#arrange());

  /** @param {HTMLElement} element @param {Lesson} lesson */
  constructor(element, lesson) {
    this.lesson = lesson;
    this.session = new Session(new Engine().warm(), this, {...lesson.puzzles[0], library: lesson.library});
    this.#stack = new Stack(this.session, () => this.board());
    this.#invite = new Invite(lesson.join);
    this.#keys = new Drawer("Keys", h("div", {class: "keys"}, ...keysOf(lesson).flatMap(([key, words]) =>
      [h("kbd", {}, key), h("span", {}, words)])), ...licences());
    this.#notes = new Notes(lesson, event => this.#key(event));
    const hints = [["n", "notes"]];
    if (lesson.join) hints.push(["j", "join"]);
    if (lesson.join?.wall) hints.push(["w", "class"]);
    this.#rail = new Rail(lesson.steps, {go: step => this.#go({step, scene: 0}), move: by => this.#move(by)},
      hints.map(([key, words]) => h("span", {}, h("kbd", {}, key.toUpperCase()), ` ${words}`)), this.#invite.small);
    element.append(this.#stage(), this.#notes.panel,
      this.#invite.element, this.#keys.element, this.#stack.exceptions.element);
    this.#stack.tower.addEventListener("brick", event => this.#select(/** @type {CustomEvent} */ (event).detail.name));
    addEventListener("keydown", event => this.#key(event));
    addEventListener("popstate", () => this.#follow());
    addEventListener("hashchange", () => this.#follow());
    addEventListener("resize", () => {
      this.#frame.classList.remove("dense");
      this.#question.reserve();
      this.#tighten();
      this.#fit();
    });
    this.#show(positionIn(location.hash, lesson.steps));
  }

  /** @type {Stack} */ #stack;
  /** @type {Invite} */ #invite;
  /** @type {Drawer} */ #keys;
  /** @type {Notes} */ #notes;
  /** @type {Rail} */ #rail;
  /** @type {HTMLElement} */ #frame = h("div", {class: "lesson"});

  #stage() {
    this.#frame.append(
      h("section", {class: "boardbox", "aria-label": "Board"},
        this.#board, this.#wall.element, this.#formalisms.element),
      this.#say, this.#place,
      h("div", {class: "vrow"}, this.#verdict.element, this.#message, this.#verdict.legend),
      h("div", {class: "desk"}, this.#stack.slide, this.#quotation, this.#difference, this.#formalisms.statements),
      this.#question.element,
      h("section", {class: "towerbox", "aria-label": "Program"}, this.#stack.tower, this.#openBase),
      this.#rail.element);
    return this.#frame;
  }

  get #step() {
    return this.lesson.steps[this.#position.step];
  }

  /** @returns {Scene} */
  get #scene() {
    return this.#step.scenes[this.#position.scene];
  }

  // ---- From scene to scene ----

  /** Whether something else than the scene is shown, which → leaves. */
  get #isAway() {
    return Boolean(this.session.mode) || this.session.changeCount > 0 || this.#formalisms.isOpen;
  }

  /** @param {1 | -1} by */
  #move(by) {
    const {steps} = this.lesson;
    if (this.#isAway) this.#show(this.#position);
    else this.#go(positionBeside(this.#position, by, steps));
  }

  /** @param {Position} position */
  #go(position) {
    const {step, scene} = this.#position;
    const isSame = step === position.step && scene === position.scene;
    if (isSame && !this.#isAway) return;
    this.#notes.begin();
    if (!isSame) this.#enter("pushState", position);
    this.#show(position, step === position.step && position.scene === scene + 1);
  }

  /** @param {"pushState" | "replaceState"} how @param {Position} position */
  #enter(how, position) {
    try {
      history[how](null, "", addressOf(position));
    } catch {
      // a page in a sandbox has no address of its own
    }
  }

  #follow() {
    const position = positionIn(location.hash, this.lesson.steps);
    if (addressOf(position) !== addressOf(this.#position)) this.#show(position);
  }

  /** @param {Position} position @param {boolean} [isForward] whether the scene follows that which is shown */
  #show(position, isForward = false) {
    const {lesson: {puzzles, steps}, session} = this;
    const step = steps[position.step];
    const scene = step.scenes[position.scene];
    const before = step.scenes[position.scene - 1];
    if (step !== this.#step) {
      this.#frame.classList.remove("dense");
      scrollTo(0, 0); // on a phone
    }
    this.#position = position;
    this.#isArranged = false;
    this.#formalisms.close();
    document.title = `${position.step + 1}. ${step.title} · ${this.lesson.title}`;
    this.#say.replaceChildren(...written(step.say));
    this.#place.textContent = `Step ${position.step + 1} of ${steps.length}: ${step.title}`;
    this.#question.show(step, position.scene);
    this.#rail.show(position.step);
    this.#notes.show(position);
    const {added, retracted} = scene.state;
    const index = scene.puzzle ?? 0;
    session.show(puzzles[index], {added: [...added], retracted: [...retracted]}, isForward ? scene.fresh.bricks : []);
    session.shown.solution = scene.board.show === "solution";
    if (scene.board.grid) session.witness = contentsOfGrid(scene.board.grid, puzzles[index].givens);
    if (scene.board.show === "candidates-changed" && before?.puzzle === scene.puzzle) {
      session.compareWith({...initialState(puzzles[index]), ...before.state});
    }
    this.#frame.style.setProperty("--awaited", String(Math.max(...step.scenes.map(each => this.#bricks(each)))
      - this.#bricks(scene)));
    const {code} = scene;
    this.#stack.selected = code && "brick" in code ? code.brick : "";
    this.#stack.settle();
    this.#told = this.#stack.selected;
    if (code && "quote" in code) this.#quotation.replaceChildren(...quotation(code));
    if (scene.base) this.#openBase.replaceChildren(openBase(scene.base));
    if (scene.board.formalisms) this.#formalisms.show(scene.board.formalisms);
    if (scene.board.all) this.#wall.show(scene.board.all, isForward);
    this.#isArranged = true;
    this.board();
    this.#tighten();
    if (isForward) this.#fly(scene.fresh.facts);
  }

  /** How many bricks the tower of a scene has. @param {Scene} scene */
  #bricks({puzzle, base, state}) {
    if (puzzle === null || base) return 0;
    const {puzzles, library} = this.lesson;
    return filesOf({data: puzzles[puzzle], state: {...initialState(puzzles[puzzle]), ...state}, library}).length;
  }

  /** New tags come from the right answer. @param {string[]} facts */
  #fly(facts) {
    const from = (this.#question.right ?? this.#question.element).getBoundingClientRect();
    for (const fact of facts) this.#stack.tower.fly(fact.replace(/\.$/, ""), from);
  }

  // ---- What is shown where ----

  #arrange() {
    if (!this.#isArranged) return;
    const {scene, stack} = {scene: this.#scene, stack: this.#stack};
    const {code, board, tower, base} = scene;
    const {mode} = this.session;
    const isShown = mode?.kind === "shown";
    const isWall = !isShown && board.all !== null;
    const isCosts = !isShown && board.show === "formalisms";
    this.#board.hidden = isWall || isCosts || (scene.puzzle === null && !isShown);
    this.#wall.element.toggleAttribute("hidden", !isWall);
    this.#formalisms.element.hidden = !isCosts;
    const isOpen = this.#formalisms.isOpen;
    this.#formalisms.statements.hidden = !isOpen;
    this.#quotation.hidden = isOpen || !(code && "quote" in code);
    this.#difference.hidden = isOpen || !(code && "diff" in code);
    stack.slide.hidden = isOpen || !code || !("brick" in code);
    // A tower that comes in a later scene has its room, so that nothing moves.
    stack.tower.hidden = base !== null || this.#step.scenes.every(each => each.tower === "none");
    stack.tower.classList.toggle("awaited", tower === "none");
    this.#openBase.hidden = base === null;
    this.#showBrick();
    stack.showTower({isOpen: false});
    this.#fit();
  }

  #showBrick() {
    const {code} = this.#scene;
    const stack = this.#stack;
    stack.settle();
    const rule = stack.files.find(({name}) => name === stack.selected);
    if (code && "brick" in code && stack.selected === this.#told) {
      const {brick, text, statements} = code;
      stack.showText({name: brick, text, only: statements ?? undefined, isQuoted: rule?.name !== brick});
    } else if (rule) stack.showText(rule);
  }

  /** A text that is too high gets room from the question, until the next step. */
  #tighten() {
    const {slide} = this.#stack;
    if (slide.hidden || !slide.isHigh) return;
    this.#frame.classList.add("dense");
    this.#question.reserve();
  }

  #fit() {
    const {code} = this.#scene;
    if (code && "diff" in code && !this.#difference.hidden) showDifference(this.#difference, code);
  }

  /** @param {string} name */
  #select(name) {
    this.#told = "";
    this.#stack.selected = name;
    this.session.stop();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const {key} = event;
    const last = this.lesson.steps.length - 1;
    const isOnButton = /** @type {Element} */ (event.target).closest?.("button, [role=button]");
    if (key === "j") this.#invite.toggle();
    else if (document.querySelector("dialog[open]")) return;
    else if (["ArrowRight", "PageDown"].includes(key) || (key === " " && !isOnButton)) this.#move(1);
    else if (["ArrowLeft", "PageUp"].includes(key)) this.#move(-1);
    else if (key === "Home") this.#go({step: 0, scene: 0});
    else if (key === "End") this.#go({step: last, scene: 0});
    else if (key === "Escape" && this.#isAway) this.#show(this.#position);
    else if (key === "n") this.#notes.toggle();
    else if (key === "w" && this.lesson.join?.wall) open(this.lesson.join.wall, "aspdoku-wall");
    else if (key === "d") flipTheme();
    else if (key === "?") this.#keys.open();
    else return;
    event.preventDefault();
  }

  // ---- The view of the session ----

  puzzle() {}

  changed() {
    this.board();
    if (this.#isArranged && this.session.changeCount && this.#scene.board.all) this.#thin();
  }

  /** Show on the wall which grids are left after a change. */
  async #thin() {
    const {session, session: {engine, data, state, library}} = this;
    const all = /** @type {NonNullable<Scene["board"]["all"]>} */ (this.#scene.board.all);
    const {text: program} = compose(data, state, library);
    await Promise.resolve(); // the session drops older questions
    try {
      const {grids} = await engine.ask({kind: "solutions", program, limit: all.grids.length});
      if (state !== session.state) return;
      const left = new Set(grids.map(grid => String([...grid]
        .sort(([row, column], [other, next]) => row - other || column - next).map(([, , number]) => number))));
      const alive = all.grids.flatMap((grid, index) => (left.has(String(Array.from(grid, Number))) ? [index] : []));
      this.#wall.show({...all, alive}, true);
    } catch {
      // the number of solutions says the same
    }
  }

  board() {
    if (!this.#isArranged) return;
    this.#arrange();
    this.verdict();
    if (this.#board.hidden) return;
    const {session, session: {mode, changeCount}} = this;
    const shown = shownBoard(session);
    if (!mode && !changeCount) {
      const {marks, pairs} = this.#scene.board;
      const isMeant = (/** @type {Cell} */ [row, column]) =>
        marks.some(([r, c, kind]) => r === row && c === column && kind === "exception");
      shown.tints = [...(shown.tints ?? []), ...marks];
      shown.pairs = [...(shown.pairs ?? []), ...pairs.map(([one, two]) =>
        /** @type {Pair} */ ([one, two, isMeant(one) && isMeant(two) ? "exception" : "bad"]))];
    }
    this.#board.shown = shown;
    this.#board.role = "img";
    this.#board.ariaLabel = `${session.data.title}: ${spokenGrid(shown.size, shown.contents)}`;
  }

  program() {
    this.#arrange();
  }

  verdict() {
    if (!this.#isArranged) return;
    const {verdict, changes, mode, changeCount} = this.session;
    const said = this.#scene.verdict;
    const line = this.#verdict;
    line.element.hidden = !mode && !changeCount && !said;
    line.legend.hidden = line.element.hidden;
    line.element.classList.toggle("phrase", said !== null && "text" in said && !mode && !changeCount);
    if (mode?.kind === "shown") line.say(mode.text, mode.isBad);
    else if (changeCount) line.show(verdict, changes, this.session.remark);
    else if (said) {
      const shown = this.#scene.board.show === "candidates-changed" ? changes : undefined;
      line.show(verdictOf(said), shown, "text" in said ? said.against : "");
    }
  }

  mode() {
    this.board();
  }

  /** @param {Message} message */
  say({text = ""}) {
    if (this.#message.textContent !== text) this.#message.textContent = text;
  }

  // There is no editor, and the address is that of the scene.
  rule() {}

  findings() {}

  forget() {}

  remember() {}
}

/** What a page in one file says of the programs in it. */
function licences() {
  const text = document.getElementById("licences")?.textContent;
  const words = "This page contains clingo, under the MIT License, and other programs: their licences";
  return text ? [h("details", {}, h("summary", {}, words), h("pre", {tabindex: 0}, text))] : [];
}

class LessonElement extends HTMLElement {
  connectedCallback() {
    const json = this.querySelector("script[type='application/json']")?.textContent;
    document.documentElement.classList.add("lesson-page");
    this.page = new Lecture(this, JSON.parse(json ?? ""));
  }
}

customElements.define("aspdoku-lesson", LessonElement);
