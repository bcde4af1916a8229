// @ts-check
// What the sheet of a lesson has: as its file says, or the questions of the lesson. Pure.
/** @import {Choice, Lesson, Words} from "./scenes.js" */
/** @import {Pair} from "./board.js" */
/** @import {Puzzle, State} from "./program.js" */

/** @typedef {{puzzle: number, grid: number[], pairs: Pair[], retracted: string[]}} Figure a board beside a task */
/**
 * @typedef {{
 *   text: Words, points?: number | null, options?: Choice[], room?: number, box?: boolean, answer?: Words[],
 *   code?: string | null, step?: number, figure?: Figure, board?: Figure,
 * }} Task room: lines for an answer; box: for a rule, in a box; code, board: of the answer; step: that asks the
 * question; figure: its puzzle
 */
/**
 * @typedef {{
 *   title: string, puzzle: number | null, state: Pick<State, "added" | "retracted">, words: Words,
 *   code: {words: Words, text: string} | null, solution: number[] | null, counts: [string, number | string][],
 *   tasks: Task[],
 * }} Sheet
 */

const MOST_COLUMNS = 9; // of a puzzle whose numbers can be read, and written

/** @param {Lesson} lesson @returns {Sheet} */
export function sheetOf(lesson) {
  const sheet = plannedSheet(lesson);
  return {...sheet, tasks: sheet.tasks.map(task => ({...task, ...figuresOf(lesson, task, sheet.puzzle)}))};
}

/**
 * The boards of a question: its puzzle, and the grid that answers it, unless they are at the top of the sheet.
 * @param {Lesson} lesson @param {Task} task @param {number | null} top
 * @returns {{figure?: Figure, board?: Figure}}
 */
function figuresOf({steps, puzzles}, {step}, top) {
  if (step === undefined) return {};
  const {scenes, scenes: [{puzzle, tower, state: {retracted}}]} = steps[step];
  const isLegible = (/** @type {number | null} */ index) =>
    index !== null && index !== top && puzzles[index].size <= MOST_COLUMNS;
  const answer = scenes.findLast(scene => scene.board.grid && isLegible(scene.puzzle));
  /** @type {{figure?: Figure, board?: Figure}} */
  const found = {};
  if (puzzle !== null && tower !== "none" && isLegible(puzzle) && !isBlank(puzzles[puzzle])) {
    found.figure = {puzzle, grid: puzzles[puzzle].givens.flat().map(Number), pairs: [], retracted};
  }
  if (answer?.board.grid && answer.puzzle !== null) {
    const {puzzle: shown, board: {grid, pairs, show}, state} = answer;
    found.board = {puzzle: shown, grid, pairs: show === "solution" ? [] : pairs, retracted: state.retracted};
  }
  return found;
}

/** @param {Puzzle} puzzle */
function isBlank({givens, instance: {facts}}) {
  return givens.flat().every(given => given === null) && !facts.length;
}

/** @param {Lesson} lesson @returns {Sheet} */
function plannedSheet(lesson) {
  const given = /** @type {Partial<Sheet>} */ (lesson.sheet ?? {});
  const puzzle = given.puzzle ?? firstPuzzle(lesson);
  const data = puzzle === null ? undefined : lesson.puzzles[puzzle];
  return {
    title: lesson.title, puzzle, state: {added: [], retracted: data?.retracted ?? []},
    words: data?.rules_in_words ?? "", code: null, solution: solutionOf(lesson, puzzle), counts: [],
    tasks: tasksOf(lesson),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined)),
  };
}

/** The first puzzle with givens, if there is one with the rule of an exercise. @param {Lesson} lesson */
function firstPuzzle({puzzles, exercises}) {
  const fits = puzzles.flatMap(({size, givens}, index) =>
    (size <= MOST_COLUMNS && givens.flat().some(each => each !== null) ? [index] : []));
  const meant = fits.find(index => puzzles[index].rules.some(({name}) => exercises.includes(name)));
  return meant ?? fits[0] ?? null;
}

/** @param {Lesson} lesson @param {number | null} puzzle */
function solutionOf({steps}, puzzle) {
  const scenes = steps.flatMap(step => step.scenes);
  return scenes.find(({puzzle: own, board}) => own === puzzle && board.show === "solution" && board.grid)?.board.grid
    ?? null;
}

/** The questions of the lesson, with their last answer. @param {Lesson} lesson @returns {Task[]} */
function tasksOf({steps}) {
  return steps.flatMap(({question, scenes}, step) => {
    if (!question) return [];
    const answer = scenes.findLast(scene => scene.answer !== null)?.answer;
    return [{...question, step, room: question.options.length ? 0 : 2, answer: answer ? [answer] : []}];
  });
}

/** @param {Task[]} tasks the sum of their points; 0 if a task has none */
export function pointsOf(tasks) {
  return tasks.every(({points}) => points) ? tasks.reduce((sum, {points}) => sum + Number(points), 0) : 0;
}
