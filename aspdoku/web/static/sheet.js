// @ts-check
// The sheet of a lesson, to be printed: a page for students, or several, and pages with the answers.
import {Board} from "./board.js";
import {bricksOf} from "./bricks.js";
import {button, h, highlighted} from "./dom.js";
import {codeImage} from "./invite.js";
import {initialState} from "./program.js";
import {contentsOfGrid, plainWords} from "./scenes.js";
import {pointsOf, sheetOf} from "./sheetplan.js";
import {brokenLines, lineText, statementsIn} from "./statements.js";
import {Tower} from "./tower.js";
import {plural} from "./words.js";
import {written} from "./written.js";
/** @import {Lesson} from "./scenes.js" */
/** @import {Figure, Task} from "./sheetplan.js" */

const CODE_COLUMNS = 34; // characters beside the puzzle

class Pages {
  /** @type {HTMLElement[]} */
  #all = [];

  /** @param {HTMLElement} element @param {Lesson} lesson */
  constructor(element, lesson) {
    this.element = element;
    this.lesson = lesson;
    this.sheet = sheetOf(lesson);
    const {tasks} = this.sheet;
    element.append(button("Print", () => print(), {class: "btn main print-button"}));
    const {solution} = this.sheet;
    this.#write("questions", this.#puzzle(null), tasks.map((task, index) => this.#task(task, index + 1)));
    this.#write("answers", this.#puzzle(solution), tasks.map((task, index) => this.#answer(task, index + 1)));
    for (const kind of ["questions", "answers"]) {
      const pages = this.#all.filter(page => page.dataset.kind === kind);
      pages.forEach((page, index) => {
        const number = page.querySelector(".number");
        page.setAttribute("aria-label", `${kind === "answers" ? "Answers" : "Sheet"} ${index + 1}`);
        if (number) number.textContent = pages.length > 1 ? ` ${index + 1} of ${pages.length}` : "";
      });
    }
  }

  /**
   * Fill pages: a task that does not fit begins the next one.
   * @param {"questions" | "answers"} kind @param {HTMLElement | null} top @param {HTMLElement[]} tasks
   */
  #write(kind, top, tasks) {
    let page = this.#page(kind, top);
    for (const task of tasks) {
      page.list.append(task);
      if (page.list.scrollHeight <= page.list.clientHeight + 1 || page.list.childElementCount === 1) continue;
      page = this.#page(kind, null);
      page.list.append(task);
    }
  }

  /** @param {"questions" | "answers"} kind @param {HTMLElement | null} top */
  #page(kind, top) {
    const {lesson: {join, puzzles}, sheet: {title, tasks, puzzle}} = this;
    const isAnswers = kind === "answers";
    const points = pointsOf(tasks);
    const list = h("div", {class: "tasks"});
    const base = puzzles[puzzle ?? 0]?.base.sha256.slice(0, 7);
    const invitation = [];
    if (join && !isAnswers) {
      const {address, code, qr} = join;
      invitation.push(h("span", {class: "where"}, `Check your rules: ${address}`, h("b", {}, code)), ...codeImage(qr));
    }
    const page = h("section", {class: "sheet-page", "data-kind": kind},
      h("header", {}, h("h1", {}, title, ...(isAnswers ? [" ", h("span", {class: "stamp"}, "answers")] : [])),
        isAnswers ? h("p", {}, points ? plural(points, "point") : "") : h("p", {class: "who"}, "Name ")),
      ...(top ? [top] : []), list,
      h("footer", {}, h("span", {}, `aspdoku · ${isAnswers ? "answers" : "sheet"}`, h("span", {class: "number"}),
        base ? ` · base ${base}` : ""),
      h("span", {class: "invitation"}, ...(isAnswers ? ["Keep this page."] : invitation))));
    this.#all.push(page);
    this.element.append(page);
    return {page, list};
  }

  /** The puzzle, beside its program, or beside its numbers of solutions. @param {number[] | null} solution */
  #puzzle(solution) {
    const {sheet: {puzzle, counts, words, code}, lesson: {puzzles}} = this;
    if (puzzle === null) return null;
    const {givens} = puzzles[puzzle];
    const {retracted} = this.sheet.state;
    const board = this.#board({puzzle, grid: solution ?? givens.flat().map(Number), pairs: [], retracted});
    if (solution) {
      return h("div", {class: "top"}, board, h("div", {class: "beside"}, ...(counts.length ? [
        h("h2", {}, "Counts"), h("p", {}, "All numbers here were computed with this sheet, by the program on it."),
        h("table", {}, h("tbody", {}, ...counts.map(([name, count]) =>
          h("tr", {}, h("th", {scope: "row"}, name), h("td", {}, String(count)))))),
      ] : [])));
    }
    return h("div", {class: "top"}, board, h("div", {class: "beside"}, h("h2", {}, "The program so far"),
      ...(plainWords(words) ? [h("p", {}, ...written(words))] : []), this.#tower(puzzle),
      ...(code ? [h("p", {class: "above"}, ...written(code.words)),
        h("pre", {}, highlighted(brokenText(code.text, CODE_COLUMNS)))] : [])));
  }

  /** @param {Figure} figure */
  #board({puzzle, grid, pairs, retracted}) {
    const {drawing, size, numbers, givens} = this.lesson.puzzles[puzzle];
    const board = new Board();
    // A grid that is an example has no givens.
    const contents = pairs.length ? contentsOfGrid(grid, rowsOf(grid, size)) : contentsOfGrid(grid, givens);
    const off = retracted.map(name => name.replaceAll("_", "-"));
    /** @type {import("./board.js").Tint[]} */
    const tints = pairs.flatMap(([one, two]) => [[...one, "bad"], [...two, "bad"]]);
    board.shown = {drawing, size, numbers, contents, pairs, tints, off};
    board.role = "img";
    board.ariaLabel = pairs.length ? "a grid that is forbidden" : "the puzzle";
    return board;
  }

  /** @param {number} puzzle */
  #tower(puzzle) {
    const {lesson: {puzzles, library}, sheet: {state}} = this;
    const data = puzzles[puzzle];
    const bricks = bricksOf({data, state: {...initialState(data), ...state}, library}, []);
    const tower = new Tower();
    tower.shown = {
      bricks: bricks.map(brick => ({...brick, isSwitched: false, isRemovable: false})),
      selected: "", fresh: [], cited: [], added: 0, removed: 0, isOpen: false,
    };
    return tower;
  }

  /** @param {Task} task @param {number} number */
  #task({text, points, options = [], room = 0, box, figure}, number) {
    const lines = h("div", {class: box ? "code-box" : "lines"});
    lines.style.setProperty("--lines", String(room));
    return h("div", {class: "task"}, h("b", {}, String(number)), h("div", {class: figure ? "two" : ""}, h("div", {},
      h("p", {}, ...(points ? [h("span", {class: "points"}, plural(points, "point"))] : []), ...written(text)),
      ...(options.length
        ? [h("ul", {class: "boxes"}, ...options.map(each => h("li", {}, ...written(each.text))))] : []),
      ...(room ? [lines] : [])),
    ...(figure ? [this.#board(figure)] : [])));
  }

  /** @param {Task} task @param {number} number */
  #answer({options = [], answer = [], points, code, board}, number) {
    const right = options.filter(each => each.right);
    return h("div", {class: "task"}, h("b", {}, String(number)), h("div", {class: board ? "two" : ""}, h("div", {},
      ...right.map(each => h("p", {class: "right"}, "✓ ", ...written(each.text))),
      ...answer.slice(0, 1).map(each => h("p", {}, ...written(each))),
      ...(code ? [h("pre", {}, highlighted(code))] : []),
      ...answer.slice(1).map(each => h("p", {}, ...written(each))),
      ...(points ? [h("p", {class: "remark"}, `${plural(points, "point")}.`)] : [])),
    ...(board ? [this.#board(board)] : [])));
  }
}

/** The statements of a text on lines that end where the grammar breaks. @param {string} text @param {number} columns */
function brokenText(text, columns) {
  return statementsIn(text).flatMap(statement => brokenLines(statement, columns).map(lineText)).join("\n");
}

/** @param {number[]} grid @param {number} size */
function rowsOf(grid, size) {
  return [...Array(size).keys()].map(row => grid.slice(row * size, (row + 1) * size));
}

class SheetElement extends HTMLElement {
  connectedCallback() {
    const json = this.querySelector("script[type='application/json']")?.textContent;
    document.documentElement.dataset.theme = "light"; // a sheet is dark on white
    document.documentElement.classList.add("sheet");
    this.pages = new Pages(this, JSON.parse(json ?? ""));
  }
}

customElements.define("aspdoku-sheet", SheetElement);
