// Reads [data of a page, retracted, part] as JSON lines, prints for each, by place and line of each rule, the grid that
// the page shows as one that the rule forbids: for files whose place contains the part.
import "./no_page.mjs";
import readline from "node:readline";
import {ask} from "./clingo_in_node.mjs";

const {forbiddenGrid} = await import("../../aspdoku/web/static/forbidden.js");
const {activeFiles, compose, initialState} = await import("../../aspdoku/web/static/program.js");
const {mayForbid, retractionsAt, statementsIn} = await import("../../aspdoku/web/static/statements.js");

async function answered(question) {
  const answer = await ask(question);
  if (answer.error) throw new Error(`${answer.error}\n${question.program}`);
  return answer;
}

for await (const line of readline.createInterface({input: process.stdin})) {
  const [data, retracted, part] = JSON.parse(line);
  const state = {...initialState(data), retracted};
  const files = activeFiles(data, state, []);
  const found = [];
  for (const {place, text} of files.filter(file => file.place.includes(part))) {
    for (const statement of statementsIn(text).filter(each => mayForbid(each) && !each.isRedundant)) {
      const atoms = retracted.map(name => `ab(${name})`);
      if (statement.hooks.some(hook => retractionsAt(hook, atoms).isTaken)) continue;
      const shown = await forbiddenGrid(answered, compose(data, state, []), files, place, statement.line);
      found.push({place, line: statement.line, shown});
    }
  }
  console.log(JSON.stringify(found));
}
process.exit(0);
