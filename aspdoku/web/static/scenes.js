// @ts-check
// A lesson as data: its steps, each with scenes of which the next one follows with →. Pure.
import {listed, plural} from "./words.js";
/** @import {Cell, Tint} from "./board.js" */
/** @import {Puzzle, Rule, State} from "./program.js" */
/** @import {Content, Verdict} from "./session.js" */

/** @typedef {string | [kind: string, text: string][]} Words kind: "", "code" or "em" */
/** @typedef {{size: number, grids: (string | number[])[], alive: number[]}} AllGrids alive: indices of those left */
/** @typedef {{added: string[], removed: string[]}} ChangedStatements */
/**
 * @typedef {{name: string, note: string, added: number, removed: number, statements: ChangedStatements}} Cost of a
 * change in a formalism: added and removed are totals, of which there may be fewer statements
 */
/** @typedef {{change: string, rows: Cost[]}} CostsOfChange */
/**
 * @typedef {{
 *   show: "puzzle" | "solution" | "candidates-changed" | "all-solutions" | "formalisms", marks: Tint[],
 *   pairs: [Cell, Cell][], grid: number[] | null, all: AllGrids | null, formalisms: CostsOfChange[] | null,
 * }} SceneBoard
 */
/** @typedef {{brick: string, text: string, statements: [number, number] | null}} SceneBrick */
/** @typedef {{quote: Words, by: Words}} Quotation */
/** @typedef {{diff: [sign: string, line: string][]}} Difference */
/** @typedef {{name: string, hash: string, was: string | null, added: number, removed: number}} OtherBase */
/** @typedef {{text: string, against: string, isGood: boolean}} Relation of two rules */
/** @typedef {{count: number, was: number | null, most: number} | Relation} SceneVerdict */
/**
 * @typedef {{
 *   puzzle: number | null, state: Pick<State, "added" | "retracted">, tower: "none" | "all", board: SceneBoard,
 *   code: SceneBrick | Quotation | Difference | null, verdict: SceneVerdict | null, base: OtherBase | null,
 *   answer: Words | null, fresh: {bricks: string[], facts: string[]},
 * }} Scene
 */
/** @typedef {{text: Words, right: boolean}} Choice */
/** @typedef {{text: Words, options: Choice[]}} Asked */
/**
 * @typedef {{
 *   title: string, minutes: number, say: Words, question: Asked | null, notes: Words[], scenes: Scene[],
 * }} LessonStep
 */
/** @typedef {{address: string, code: string, qr: {d: string, size: number} | null, wall?: string | null}} Invited */
/**
 * @typedef {{
 *   title: string, minutes: number, exercises: string[], join: Invited | null, puzzles: Puzzle[], library: Rule[],
 *   steps: LessonStep[], sheet?: object,
 * }} Lesson
 */
/** @typedef {{step: number, scene: number}} Position indices */

/** @param {Words} words */
export function plainWords(words) {
  return typeof words === "string" ? words : words.map(([, text]) => text).join("");
}

/** The position that an address names: `#3.1` is the second scene of the third step. @param {string} hash
 * @param {LessonStep[]} steps @returns {Position} */
export function positionIn(hash, steps) {
  const [, step, scene] = /^#(\d+)(?:\.(\d+))?$/.exec(hash) ?? ["", "1", "0"];
  const index = Math.min(Math.max(Number(step), 1), steps.length) - 1;
  return {step: index, scene: Math.min(Number(scene ?? 0), steps[index].scenes.length - 1)};
}

/** @param {Position} position */
export function addressOf({step, scene}) {
  return `#${step + 1}${scene ? `.${scene}` : ""}`;
}

/** The next position, or the one before; at an end, the same. @param {Position} position @param {1 | -1} by
 * @param {LessonStep[]} steps @returns {Position} */
export function positionBeside({step, scene}, by, steps) {
  if (steps[step].scenes[scene + by]) return {step, scene: scene + by};
  const other = steps[step + by];
  if (!other) return {step, scene};
  return {step: step + by, scene: by > 0 ? 0 : other.scenes.length - 1};
}

/** The minutes of the lesson between which a step lies. @param {LessonStep[]} steps @param {number} step */
export function minutesOf(steps, step) {
  const start = steps.slice(0, step).reduce((sum, {minutes}) => sum + minutes, 0);
  return [start, start + steps[step].minutes];
}

/** What → reveals, for the notes. @param {Lesson} lesson @param {Position} position */
export function comingNext({steps, puzzles}, {step, scene}) {
  const {scenes} = steps[step];
  const now = scenes[scene], next = scenes[scene + 1];
  if (next) return `→ ${revealed(now, next, puzzles).join(", ") || "the next scene"}`;
  const after = steps[step + 1];
  return after ? `→ ${after.title}: ${plainWords(after.say)}` : "the end";
}

/** What a scene has that the one before it does not have. @param {Scene} now @param {Scene} next
 * @param {Puzzle[]} puzzles */
function revealed(now, next, puzzles) {
  const {board, code, verdict, fresh, puzzle, base} = next;
  const isNew = (/** @type {(scene: Scene) => unknown} */ part) =>
    part(next) && JSON.stringify(part(next)) !== JSON.stringify(part(now));
  const shows = (/** @type {SceneBoard["show"]} */ kind) => board.show === kind && now.board.show !== kind;
  const facts = fresh.facts.map(fact => `${fact}.`);
  const names = fresh.bricks.map(name => (name === "base" ? name : `the ${name}`));
  const from = now.verdict && "count" in now.verdict ? now.verdict.count : undefined;
  return [
    isNew(each => each.answer) && "the answer",
    base && isNew(each => each.base) && `the base ${base.name}`,
    puzzle !== null && !verdict && puzzle !== now.puzzle && puzzles[puzzle] && puzzles[puzzle].title,
    names.length && `${listed(names)} ${names.length > 1 ? "drop" : "drops"}`,
    fresh.facts.length && `the ${fresh.facts.length > 1 ? "tags" : "tag"} ${facts.join(" ")}`,
    shows("solution") && "the solution", shows("all-solutions") && "all solutions",
    shows("formalisms") && "what the change takes in other formalisms",
    board.marks.some(([, , kind]) => kind === "exception") ? "the pairs that only the exception allows"
      : isNew(each => each.board.marks) && !(verdict && "text" in verdict) && "the marked cells",
    code && "brick" in code && isNew(each => each.code) && `the text of ${code.brick}`,
    code && "diff" in code && isNew(each => each.code) && "the difference of the texts",
    verdict && isNew(each => each.verdict)
      && ("text" in verdict ? verdict.text.replace(/\.$/, "") : countWords(verdict, from)),
  ].filter(part => typeof part === "string");
}

/** @param {Extract<SceneVerdict, {count: number}>} verdict @param {number} [from] */
function countWords(verdict, from) {
  const before = verdict.was ?? from;
  return before === undefined || before === verdict.count ? verdictOf(verdict).text
    : `${numberIn(before, verdict.most)} becomes ${numberIn(verdict.count, verdict.most)}`;
}

/** @param {number} count @param {number} most */
function numberIn(count, most) {
  return count > most ? `more than ${most.toLocaleString("en")}` : String(count);
}

/** A verdict as the line of the stage shows it. @param {SceneVerdict} said @returns {Verdict} */
export function verdictOf(said) {
  if ("text" in said) return {state: said.isGood ? "unique" : "several", text: said.text, caveat: ""};
  const {count, was, most} = said;
  const number = numberIn(count, most);
  return {
    state: count ? (count === 1 ? "unique" : "several") : "none", caveat: "", count, was: was ?? undefined,
    text: count ? (count === 1 ? "1 solution" : `${number} solutions`) : "No solution",
  };
}

/**
 * A grid as contents of cells.
 * @param {ArrayLike<number | string>} grid row by row, 0 if a cell is empty @param {(number | null)[][]} givens
 * @returns {Record<string, Content>}
 */
export function contentsOfGrid(grid, givens) {
  const size = Math.sqrt(grid.length);
  /** @type {Record<string, Content>} */
  const contents = {};
  Array.from(grid, Number).forEach((number, index) => {
    const [row, column] = [Math.floor(index / size), index % size];
    if (!number) return;
    const kind = givens[row]?.[column] === number ? "given" : "solved";
    contents[`${row + 1},${column + 1}`] = {number, kind};
  });
  return contents;
}

/** The numbers on a board, row by row, for those who do not see it. @param {number} size
 * @param {Record<string, Content>} contents */
export function spokenGrid(size, contents) {
  const span = [...Array(size).keys()].map(index => index + 1);
  const rows = span.map(row => span.map(column => contents[`${row},${column}`]?.number ?? "empty").join(" "));
  return Object.values(contents).some(({number}) => number !== undefined) ? rows.join("; ") : "empty grid";
}

/** How many grids of a wall are beside each other. @param {number} count */
export function columnsOf(count) {
  return Math.max(1, Math.ceil(Math.sqrt(count)));
}

/** The width of a bar, in percent: logarithmic, since formalisms differ by factors of hundreds.
 * @param {number} count @param {number} most */
export function barWidth(count, most) {
  return 6 + 66 * Math.log(1 + count) / Math.log(1 + Math.max(1, most));
}

/** @param {Cost} cost */
export function costWords({name, added, removed}) {
  const parts = [added && `${plural(added, "statement")} added`, removed && `${removed} removed`].filter(Boolean);
  return `${name}: ${parts.join(", ") || "nothing changes"}`;
}
