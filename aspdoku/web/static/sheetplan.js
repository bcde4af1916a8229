// @ts-check
// What the sheet of a lesson has: as its file says, or the questions of the lesson. Pure.
/** @import {Choice, Lesson, Words} from "./scenes.js" */
/** @import {Pair} from "./board.js" */
/** @import {State} from "./program.js" */

/**
 * @typedef {{
 *   text: Words, points?: number | null, options?: Choice[], room?: number, box?: boolean, answer?: Words[],
 *   code?: string | null, board?: {puzzle: number, grid: number[], pairs: Pair[]} | null,
 * }} Task room: lines for an answer; box: for a rule, in a box; code, board: of the answer
 */
/**
 * @typedef {{
 *   title: string, puzzle: number | null, state: Pick<State, "added" | "retracted">, words: Words,
 *   code: {words: Words, text: string} | null, solution: number[] | null, counts: [string, number | string][],
 *   tasks: Task[],
 * }} Sheet
 */

const MOST_COLUMNS = 9; // of a puzzle that somebody can write into

/** @param {Lesson} lesson @returns {Sheet} */
export function sheetOf(lesson) {
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
  return steps.flatMap(({question, scenes}) => {
    if (!question) return [];
    const answer = scenes.findLast(scene => scene.answer !== null)?.answer;
    return [{...question, room: question.options.length ? 0 : 2, answer: answer ? [answer] : []}];
  });
}

/** @param {Task[]} tasks the sum of their points; 0 if a task has none */
export function pointsOf(tasks) {
  return tasks.every(({points}) => points) ? tasks.reduce((sum, {points}) => sum + Number(points), 0) : 0;
}
