// Reads [text, name, defined, messages, first] as JSON lines, prints for each the findings in the text and
// those of clingo's messages.
import readline from "node:readline";
import {findingsIn, findingsOf} from "../../aspdoku/web/static/findings.js";

for await (const line of readline.createInterface({input: process.stdin})) {
  const [text, name, defined, messages, first] = JSON.parse(line);
  console.log(JSON.stringify([findingsIn(text, name, defined), findingsOf(messages, text, first)]));
}
