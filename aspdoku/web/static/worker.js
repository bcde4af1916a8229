// Runs clingo in a worker, whose script is clingo.js and this file. Messages to it: {module} once, the
// compiled WebAssembly; then {id, question}. Messages from it: {id, answer} or {id, error}.
"use strict";

// clingo's equivalence preprocessing has lost solutions of programs with sums.
const REQUIRED = "--eq=0";
const FAILED = [33, 65, 128]; // out of memory, error, invalid program

let clingo, lines, messages;

function start(module) {
  clingo = Module({
    print: line => lines.push(line),
    printErr: line => messages.push(line),
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
  });
}

async function run(program, options) {
  const engine = await clingo;
  lines = [];
  messages = [];
  let status;
  try {
    status = engine.ccall("run", "number", ["string", "string"], [program, `${REQUIRED} ${options}`]);
  } catch (error) {
    messages.push(String(error));
    status = FAILED[0];
  }
  if (FAILED.includes(status)) throw new Error(messages.join("\n") || `clingo ended with status ${status}`);
  return lines;
}

async function search(program, options) {
  const result = JSON.parse((await run(program, `--outf=2 --project=project ${options}`)).join("\n"));
  return {
    witnesses: result.Call.flatMap(call => call.Witnesses || []).map(witness => witness.Value),
    count: result.Models.Number,
    complete: result.Models.More === "no",
    satisfiable: result.Result !== "UNSATISFIABLE",
    messages: messages.join("\n"),
  };
}

// The numbers of the grid in an answer set, as [row, column, number].
function numbers(atoms) {
  return atoms.flatMap(atom => {
    const found = /^a\((\d+),(\d+),(\d+)\)$/.exec(atom);
    return found ? [found.slice(1).map(Number)] : [];
  });
}

// The numbers that cells show, as [row, column, number], where rules define them by other atoms than
// a/3: each atom is its predicate and the letters of its arguments.
function contents(atoms, shown) {
  return atoms.flatMap(atom => {
    const [, name, terms] = /^(\w+)\((.*)\)$/.exec(atom) || [];
    const [, letters] = shown.find(([predicate]) => predicate === name) || [];
    const values = terms?.split(",");
    return letters?.length === values?.length && letters ? [["R", "C", "N"].map(letter => Number(values[letters.indexOf(letter)]))] : [];
  });
}

function directives(name, shown) {
  return shown.map(([predicate, letters]) => `#${name} ${predicate}/${letters.length}.\n`).join("");
}

async function candidates(program) {
  const found = await search(program, "--enum-mode=brave 0");
  return found.satisfiable ? numbers(found.witnesses.at(-1)) : [];
}

async function judged(program, options = "") {
  const {witnesses: [witness]} = await search(`${program}\n#show broken/1.\n`, `1 ${options}`);
  const broken = (witness || []).flatMap(atom => /^broken\((\d+)\)$/.exec(atom)?.slice(1).map(Number) ?? []);
  return {grid: witness && numbers(witness), broken};
}

const ANSWERS = {
  // Up to two solutions.
  async solve({program}) {
    const found = await search(program, "2");
    return {grids: found.witnesses.map(numbers), complete: found.complete, messages: found.messages};
  },
  // The numbers that occur in a solution; with `shown`, also those that cells show instead.
  async candidates({program, shown = []}) {
    const all = shown.length && await search(program + directives("show", shown) + directives("project", shown), "--enum-mode=brave 0");
    return {candidates: await candidates(program), contents: all ? contents(all.witnesses.at(-1) || [], shown) : []};
  },
  // The number of solutions, up to a limit.
  async count({program, limit}) {
    const found = await search(program, `--quiet=2 ${limit}`);
    return {count: found.count, complete: found.complete};
  },
  // The candidates under each set of retracted rules under which some cell still has a single one:
  // without more rules, there are more candidates. If there is no solution, under each set that does
  // not contain one with solutions. The sets have at most `most` rules.
  async depends({program, rules, most}) {
    const answers = [];
    const open = new Set();
    for (let size = 0; size <= rules.length && size <= most; size++) {
      for (const retracted of subsets(rules, size)) {
        if (retracted.some(rule => open.has(key(retracted.filter(other => other !== rule))))) {
          open.add(key(retracted));
          continue;
        }
        const found = await candidates(program + retracted.map(rule => `ab(${rule}).\n`).join(""));
        answers.push({retracted, candidates: found});
        const cells = found.map(([row, column]) => `${row},${column}`);
        const isForced = cells.some(cell => cells.indexOf(cell) === cells.lastIndexOf(cell));
        if (found.length && !(isForced && answers[0].candidates.length)) open.add(key(retracted));
      }
    }
    return {answers};
  },
  // A grid that some of the rules that are left forbid and others allow, and the indices of the rules
  // that forbid it; nothing if there is none. Their numbers differ by at most `most`.
  separate({program, left, most}) {
    const rest = left.map(index => `left(${index}). `).join("");
    return judged(`${program}\n${rest}\n:- unbalance(B), B > ${most}.\n`);
  },
  // A grid that a rule allows, drawn at random, and the indices of the rules that forbid it; nothing
  // if there is none.
  example({program, rule, seed}) {
    return judged(`${program}\n:- broken(${rule}).\n`, `--rand-freq=1 --sign-def=rnd --seed=${seed}`);
  },
  // A grid, as [row, column, number], and the indices of the rules that forbid it; nothing if the game
  // has no such grid.
  judge({program, grid}) {
    return judged(`${program}\n${grid.map(([row, column, number]) => `a(${row},${column},${number}). `).join("")}\n`);
  },
  // The ground program as text.
  async ground({program}) {
    return {lines: await run(program, "--text")};
  },
};

function key(names) {
  return names.join(" ");
}

function subsets(items, size) {
  if (!size) return [[]];
  return items.flatMap((item, index) => subsets(items.slice(index + 1), size - 1).map(rest => [item, ...rest]));
}

onmessage = async ({data}) => {
  if (data.module) {
    start(data.module);
    return;
  }
  try {
    postMessage({id: data.id, answer: await ANSWERS[data.question.kind](data.question)});
  } catch (error) {
    postMessage({id: data.id, error: error.message});
  }
};
