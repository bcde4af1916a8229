// Solves puzzles with Interactive Sudoku Solver, for peers.py: `node iss.mjs CHECKOUT`. Each line of
// the input is a puzzle in JSON, each line of the output its number of solutions, at most two, the
// rows of the grid in the first one, and the processor time in seconds. Without a line, the first
// output lists all puzzles of the checkout.

import {createInterface} from "node:readline";
import {pathToFileURL} from "node:url";

const runner = pathToFileURL(`${process.argv[2]}/tools/lib/puzzle_runner.js`);
const {allPuzzles, buildSolver, loadPuzzle} = await import(runner);
const write = value => process.stdout.write(`${JSON.stringify(value)}\n`);

const puzzles = [];
for (const {name} of allPuzzles()) {
  try {
    puzzles.push(await loadPuzzle({puzzle: name}));
  } catch {
    // a script that needs a browser
  }
}
write(puzzles);
for await (const line of createInterface({input: process.stdin})) {
  const before = process.cpuUsage();
  const grids = [];
  let geometry;
  try {
    const solver = buildSolver(JSON.parse(line));
    geometry = solver.geometry;
    solver.internal.run({maxSolutions: 2}, grid => grids.push([...grid]));
  } catch (error) {
    write({error: String(error)});
    continue;
  }
  const {user, system} = process.cpuUsage(before);
  const {numRows, numCols, valueOffset} = geometry;
  // A number is the place of the one bit that is left in a cell; other cells follow those of the grid.
  const row = (_, at) => grids[0].slice(at * numCols, (at + 1) * numCols)
    .map(bits => 32 - Math.clz32(bits) + valueOffset);
  const rows = grids.length ? Array.from({length: numRows}, row) : [];
  write({found: grids.length, rows, seconds: (user + system) / 1e6});
}
