// Reads the data of pages as JSON lines, prints for each the composed program and how many solutions
// clingo in WebAssembly finds, up to two.
import fs from "node:fs";
import readline from "node:readline";
import vm from "node:vm";
import zlib from "node:zlib";
import {compose, initialState} from "../../aspdoku/web/static/program.js";

const read = name => fs.readFileSync(new URL(`../../aspdoku/web/static/${name}`, import.meta.url));
let receive;

const worker = vm.createContext({
  WebAssembly, TextDecoder, TextEncoder, URL, console, performance, setTimeout, clearTimeout, crypto,
  location: {href: "file:///"},
  WorkerGlobalScope: class {},
  postMessage: message => receive(message),
});
worker.self = worker.globalThis = worker;
vm.runInContext(`${read("clingo.js")}${read("worker.js")}`, worker);
worker.onmessage({data: {module: new WebAssembly.Module(zlib.gunzipSync(read("clingo.wasm.gz")))}});

for await (const line of readline.createInterface({input: process.stdin})) {
  const data = JSON.parse(line);
  const {text: program} = compose(data, initialState(data), []);
  const {answer, error} = await new Promise(resolve => {
    receive = resolve;
    worker.onmessage({data: {id: 1, question: {kind: "solve", program}}});
  });
  console.log(JSON.stringify({program, found: answer?.grids.length, error}));
}
process.exit(0);
