// clingo in WebAssembly as pages run it, in Node: `ask` answers the questions of worker.js.
import fs from "node:fs";
import vm from "node:vm";
import zlib from "node:zlib";

const read = name => fs.readFileSync(new URL(`../../aspdoku/web/static/${name}`, import.meta.url));
let receive;

const worker = vm.createContext({
  WebAssembly, TextDecoder, TextEncoder, URL, console, performance, setTimeout, clearTimeout, crypto,
  location: {href: "file:///"},
  WorkerGlobalScope: class {},
  postMessage: message => message.id && receive(message),
});
worker.self = worker.globalThis = worker;
vm.runInContext(`${read("clingo.js")}${read("worker.js")}`, worker);
worker.onmessage({data: {module: new WebAssembly.Module(zlib.gunzipSync(read("clingo.wasm.gz")))}});

/** The answer to a question, or {error}. */
export async function ask(question) {
  const {answer, error} = await new Promise(resolve => {
    receive = resolve;
    worker.onmessage({data: {id: 1, question}});
  });
  return answer ?? {error};
}
