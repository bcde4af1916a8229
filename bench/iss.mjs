// Solves puzzles with Interactive Sudoku Solver, for peers.py: `node iss.mjs CHECKOUT`. Each line of
// the input is a puzzle in JSON, each line of the output its number of solutions, at most two, the
// first one, and the processor time in seconds. Without a line, the first output lists all puzzles
// of the checkout.

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
  try {
    const {internal, geometry} = buildSolver(JSON.parse(line));
    // A number is the place of the one bit that is left in a cell.
    const number = bits => 32 - Math.clz32(bits) + geometry.valueOffset;
    internal.run({maxSolutions: 2}, grid => grids.push([...grid].map(number)));
  } catch (error) {
    write({error: String(error)});
    continue;
  }
  const {user, system} = process.cpuUsage(before);
  write({found: grids.length, grid: grids[0] ?? [], seconds: (user + system) / 1e6});
}
