// Reads rule files as JSON, and writes their statements.
import {readFileSync} from "node:fs";
import {statementsIn} from "../../aspdoku/web/static/statements.js";

const texts = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map(text =>
  statementsIn(text).map(({kind, line, column, endLine, endColumn}) => [kind, line, column, endLine, endColumn]))));
