// Runs the page's scripts in Node: reads [[data, given answers]…] as JSON lines, prints for each the
// composed program and how many solutions clingo in WebAssembly finds, up to two.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import vm from "node:vm";
import zlib from "node:zlib";

const folder = process.argv[2];
const text = name => fs.readFileSync(path.join(folder, name), "utf8");
const waiting = [];

function scope(more) {
  const found = {WebAssembly, TextDecoder, TextEncoder, URL, console, performance, setTimeout, clearTimeout, crypto, ...more};
  found.self = found.globalThis = found;
  return vm.createContext(found);
}

const worker = scope({
  location: {href: "file:///"},
  WorkerGlobalScope: class {},
  postMessage: ({answer, error}) => waiting.shift()(error ? {error} : answer),
});
vm.runInContext(text("clingo.js") + text("worker.js"), worker);
worker.onmessage({data: {module: new WebAssembly.Module(zlib.gunzipSync(fs.readFileSync(path.join(folder, "clingo.wasm.gz"))))}});

const page = scope({
  HTMLElement: class {},
  customElements: {define() {}},
  document: {getElementById: () => null},
  Worker: class {},
});
vm.runInContext(text("engine.js") + text("live.js"), page);

for await (const line of readline.createInterface({input: process.stdin})) {
  page.data = JSON.parse(line);
  const program = vm.runInContext("compose(data, initialState(data), []).text", page);
  const answer = await new Promise(resolve => {
    waiting.push(resolve);
    worker.onmessage({data: {id: 1, question: {kind: "solve", program}}});
  });
  console.log(JSON.stringify({program, found: answer.grids?.length, ...answer}));
}
process.exit(0);
