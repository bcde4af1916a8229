// @ts-check
// Other grids than the puzzle on the board: each solution in turn, two that differ, and a grid that a rule forbids.
import {MOST_COUNTED} from "./answers.js";
import {Cancelled} from "./engine.js";
import {forbiddenGrid} from "./forbidden.js";
import {activeFiles} from "./program.js";
import {statementsIn} from "./statements.js";
/** @import {Cell, Tint} from "./board.js" */
/** @import {ActiveRule, Placed} from "./program.js" */
/** @import {Content, Session, ShownGrid} from "./session.js" */

const MOST_LEAVES = 100;
const FORBIDDEN_SECONDS = 5;

/**
 * A grid as contents of cells: its givens are those of the puzzle.
 * @param {Session} session @param {Placed[]} grid @returns {Record<string, Content>}
 */
export function contentsOf({state: {givens}}, grid) {
  return Object.fromEntries(grid.map(([row, column, number]) => [`${row},${column}`,
    {number, kind: givens[row - 1][column - 1] === number ? "given" : "solved"}]));
}

/** Show the solution, or the next one of several; after the last one, the puzzle. @param {Session} session */
export async function leaf(session) {
  const {mode, verdict: {count}} = session;
  if (session.isUnique) {
    session.stop();
    session.shown.solution = !session.shown.solution;
    session.view.board();
    session.view.verdict();
    return;
  }
  const index = mode?.kind === "shown" && mode.reason === "leaf" ? mode.index + 1 : 0;
  const leaves = await leavesOf(session);
  if (!leaves) return;
  if (index >= leaves.length) {
    session.stop();
    return;
  }
  const all = count === undefined ? "several" : count > MOST_COUNTED ? "more than 1,000" : String(count);
  show(session, {
    reason: "leaf", index, contents: contentsOf(session, leaves[index]),
    text: `Solution ${index + 1} of ${all}`,
  });
}

/** The first solutions; nothing if there is no answer, or if it is about another program. @param {Session} session */
async function leavesOf(session) {
  const {program} = session;
  try {
    session.leaves ||= (await session.engine.ask({kind: "solutions", program: program.text, limit: MOST_LEAVES})).grids;
    if (program === session.program) return session.leaves;
  } catch (error) {
    if (!(error instanceof Cancelled)) session.say(error.message);
  }
  return undefined;
}

/**
 * Show two solutions at once, of the first ones those that differ in the fewest cells, which have both numbers.
 * @param {Session} session
 */
export async function differ(session) {
  if (session.mode?.kind === "shown" && session.mode.reason === "differ") {
    session.stop();
    return;
  }
  const leaves = await leavesOf(session);
  if (!leaves) return;
  const [one, two] = nearest(leaves);
  const contents = contentsOf(session, one);
  const others = differing(one, two);
  for (const [row, column, number] of others) contents[`${row},${column}`].other = number;
  show(session, {
    reason: "differ", index: 0, contents, tints: others.map(([row, column]) => [row, column, "differ"]),
    text: `Two solutions that differ in ${others.length} cells`,
  });
}

/** What is in another place or is another number in a second grid. @param {Placed[]} one @param {Placed[]} two */
function differing(one, two) {
  const first = new Set(one.map(String));
  return two.filter(placed => !first.has(String(placed)));
}

/** The two grids that differ in the fewest cells, the first ones of several. @param {Placed[][]} grids */
export function nearest(grids) {
  const known = grids.map(grid => new Set(grid.map(String)));
  let best = {pair: grids.slice(0, 2), common: -1};
  grids.forEach((one, index) => {
    const names = one.map(String);
    for (let other = index + 1; other < grids.length; other++) {
      const common = names.filter(name => known[other].has(name)).length;
      if (common > best.common) best = {pair: [one, grids[other]], common};
    }
  });
  return best.pair;
}

/**
 * Show a grid that a rule of a file forbids and others allow, with one violation; if it is shown, the puzzle.
 * @param {Session} session @param {ActiveRule} rule the file @param {number} line
 */
export async function forbid(session, rule, line) {
  const {data, state, library, mode, program, engine} = session;
  const shown = mode?.kind === "shown" && mode.reason === "forbidden" ? mode : undefined;
  const isShown = shown?.key === rule.name && shown.index === line;
  session.stop();
  if (isShown) return;
  session.say("Looking for a grid that it forbids …");
  try {
    const found = await forbiddenGrid(question => engine.ask(question, FORBIDDEN_SECONDS), program,
      activeFiles(data, state, library), rule.place, line);
    if (program !== session.program) return;
    if (!found) {
      session.say("No grid was found that this rule forbids and the others allow.");
      return;
    }
    const {grid, cells, values, message} = found;
    const sentence = statementsIn(rule.text).find(each => each.line === line)?.sentence ?? "";
    show(session, {
      reason: "forbidden", key: rule.name, index: line, contents: contentsOf(session, grid),
      pairs: pairsOf(grid, cells),
      tints: cells.map(([row, column]) => /** @type {Tint} */ ([row, column, "bad"])), values, isBad: true,
      text: `Forbidden: ${(message || sentence).replace(/\.$/, "")}`,
    });
  } catch (error) {
    if (!(error instanceof Cancelled) && program === session.program) session.say(`No grid: ${error.message}`);
  }
}

/**
 * Two cells are joined, others are ringed; those without a number are not.
 * @param {Placed[]} grid @param {Cell[]} cells @returns {[Cell, Cell][]}
 */
function pairsOf(grid, cells) {
  const filled = cells.filter(([row, column]) => grid.some(([r, c]) => r === row && c === column));
  if (filled.length === 2) return [[filled[0], filled[1]]];
  return filled.length > 9 ? [] : filled.map(cell => [cell, cell]);
}

/**
 * Show a grid instead of the puzzle.
 * @param {Session} session @param {Pick<ShownGrid, "reason" | "index" | "contents" | "text"> & Partial<ShownGrid>} grid
 */
export function show(session, grid) {
  session.leave();
  session.begin({kind: "shown", tints: [], pairs: [], isBad: false, key: "", values: {}, ...grid});
}
