// Runs findings.js in Node: reads [text, name, defined, messages, first] as JSON lines, prints for each the
// findings in the text and those of clingo's messages.
import fs from "node:fs";
import readline from "node:readline";
import vm from "node:vm";

const page = vm.createContext({});
vm.runInContext(fs.readFileSync(process.argv[2], "utf8"), page);

for await (const line of readline.createInterface({input: process.stdin})) {
  page.line = line;
  console.log(vm.runInContext(`{
    const [text, name, defined, messages, first] = JSON.parse(line);
    JSON.stringify([findingsIn(text, name, defined), findingsOf(messages, text, first)]);
  }`, page));
}
