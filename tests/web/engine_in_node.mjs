// Reads the data of pages as JSON lines, prints for each the composed program and how many solutions
// clingo in WebAssembly finds, up to two.
import readline from "node:readline";
import {compose, initialState} from "../../aspdoku/web/static/program.js";
import {ask} from "./clingo_in_node.mjs";

for await (const line of readline.createInterface({input: process.stdin})) {
  const data = JSON.parse(line);
  const {text: program} = compose(data, initialState(data), []);
  const {grids, error} = await ask({kind: "solve", program});
  console.log(JSON.stringify({program, found: grids?.length, error}));
}
process.exit(0);
