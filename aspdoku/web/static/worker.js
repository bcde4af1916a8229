// @ts-check
// Runs clingo in a worker, whose script is clingo.js and this file. Messages to it: {module} once, clingo as
// WebAssembly: compiled, or compressed by gzip, as bytes or in base64; then {id, question}, and {drop}, the id of a
// question that needs no answer. Messages from it: {module}, what it has compiled, {id, answer} or {id, error}.
"use strict";
/** @import {Placed} from "./program.js" */
/** @import {WithoutRules} from "./answers.js" */

/** @typedef {{ccall: (name: string, result: string, types: string[], values: string[]) => number}} Clingo */
/** @typedef {[predicate: string, letters: string]} Shown */

// clingo's equivalence preprocessing has lost solutions of programs with sums.
const REQUIRED = "--eq=0";
const MOST_CONFLICTS = 1000;
const FAILED = [33, 65, 128]; // out of memory, error, invalid program

/** @type {Promise<Clingo>} */
let clingo;
/** @type {Set<number>} */
const dropped = new Set();
/** @type {string[]} */
let lines;
/** @type {string[]} */
let messages;

/** @param {WebAssembly.Module | ArrayBuffer | string} source @returns {Promise<WebAssembly.Module>} */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  const whole = new Response(typeof source === "string" ? decoded(source) : source).body;
  const stream = whole?.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Ten times as fast as Uint8Array.from with a function. @param {string} base64 */
function decoded(base64) {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** @param {WebAssembly.Module | ArrayBuffer | string} source @returns {Promise<Clingo>} */
async function start(source) {
  const module = await compiled(source);
  postMessage({module});
  // @ts-expect-error: clingo.js defines it
  return Module({
    print: (/** @type {string} */ line) => lines.push(line),
    printErr: (/** @type {string} */ line) => messages.push(line),
    /** @param {WebAssembly.Imports} imports @param {(...made: object[]) => void} receive */
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
  });
}

/** @param {string} program @param {string} options */
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

/** @param {string} program @param {string} options */
async function search(program, options) {
  /** @type {{Result: string, Models: {Number: number, More: string}, Call: {Witnesses?: {Value: string[]}[]}[]}} */
  const result = JSON.parse((await run(program, `--outf=2 --project=project ${options}`)).join("\n"));
  return {
    witnesses: result.Call.flatMap(call => call.Witnesses || []).map(witness => witness.Value),
    count: result.Models.Number,
    complete: result.Models.More === "no",
    satisfiable: result.Result !== "UNSATISFIABLE",
    messages: messages.join("\n"),
  };
}

/** The numbers of the grid in an answer set. @param {string[]} atoms @returns {Placed[]} */
function numbers(atoms) {
  return atoms.flatMap(atom => {
    const found = /^a\((\d+),(\d+),(\d+)\)$/.exec(atom);
    return found ? [/** @type {Placed} */ (found.slice(1).map(Number))] : [];
  });
}

/**
 * The numbers that cells show where rules define them by other atoms than a/3.
 * @param {string[]} atoms @param {Shown[]} shown @returns {Placed[]}
 */
function contents(atoms, shown) {
  return atoms.flatMap(atom => {
    const [, name, terms = ""] = /^(\w+)\((.*)\)$/.exec(atom) || [];
    const [, letters] = shown.find(([predicate]) => predicate === name) || [];
    const values = terms.split(",");
    if (letters?.length !== values.length) return [];
    return [/** @type {Placed} */ (["R", "C", "N"].map(letter => Number(values[letters.indexOf(letter)])))];
  });
}

/** @param {string} name @param {Shown[]} shown */
function directives(name, shown) {
  return shown.map(([predicate, letters]) => `#${name} ${predicate}/${letters.length}.\n`).join("");
}

/** @param {string} program */
async function candidates(program) {
  const {satisfiable, witnesses} = await search(program, "--enum-mode=brave 0");
  return satisfiable ? numbers(witnesses[witnesses.length - 1]) : [];
}

/** @param {string} program */
async function judged(program, options = "") {
  const {witnesses: [witness]} = await search(`${program}\n#show broken/1.\n`, `1 ${options}`);
  const broken = (witness || []).flatMap(atom => /^broken\((\d+)\)$/.exec(atom)?.slice(1).map(Number) ?? []);
  return {grid: witness && numbers(witness), broken};
}

const ANSWERS = {
  /** Up to two solutions. @param {{program: string}} question */
  async solve({program}) {
    const found = await search(program, "2");
    return {grids: found.witnesses.map(numbers), complete: found.complete, messages: found.messages};
  },
  /** The atoms that a solution shows; nothing if there is none. @param {{program: string}} question */
  async witness({program}) {
    return {atoms: (await search(program, "1")).witnesses[0]};
  },
  /** Solutions, up to a limit. @param {{program: string, limit: number}} question */
  async solutions({program, limit}) {
    return {grids: (await search(program, String(limit))).witnesses.map(numbers)};
  },
  /**
   * The numbers that occur in a solution; with `shown`, also those that cells show instead.
   * @param {{program: string, shown: Shown[]}} question
   */
  async candidates({program, shown}) {
    const more = directives("show", shown) + directives("project", shown);
    const all = shown.length && await search(program + more, "--enum-mode=brave 0");
    return {candidates: await candidates(program), contents: all ? contents(all.witnesses.at(-1) || [], shown) : []};
  },
  /** The number of solutions, up to a limit. @param {{program: string, limit: number}} question */
  async count({program, limit}) {
    const found = await search(program, `--quiet=2 ${limit}`);
    return {count: found.count, complete: found.complete};
  },
  /**
   * The candidates under each set of retracted rules under which some cell still has a single one:
   * without more rules, there are more candidates. If there is no solution, under each set that does
   * not contain one with solutions. The sets have at most `most` rules.
   * @param {{program: string, rules: string[], most: number}} question
   */
  async depends({program, rules, most}) {
    /** @type {WithoutRules[]} */
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
  /**
   * A grid that some of the rules that are left forbid and others allow, and the indices of the rules
   * that forbid it; nothing if there is none. Their numbers differ by at most `most`.
   * @param {{program: string, left: number[], most: number}} question
   */
  separate({program, left, most}) {
    const rest = left.map(index => `left(${index}). `).join("");
    return judged(`${program}\n${rest}\n:- unbalance(B), B > ${most}.\n`);
  },
  /**
   * A random grid that a rule allows, and the indices of the rules that forbid it; nothing if there is none.
   * @param {{program: string, rule: number, seed: number}} question
   */
  example({program, rule, seed}) {
    return judged(`${program}\n:- broken(${rule}).\n`, `--rand-freq=1 --sign-def=rnd --seed=${seed}`);
  },
  /**
   * A grid, and the indices of the rules that forbid it; nothing if the game has no such grid.
   * @param {{program: string, grid: Placed[]}} question
   */
  judge({program, grid}) {
    return judged(`${program}\n${grid.map(placed => `a(${placed}). `).join("")}\n`);
  },
  /**
   * A solution with all of its atoms that are shown, if there is one and the search is easy.
   * @param {{program: string}} question
   */
  async violate({program}) {
    const {witnesses: [witness]} = await search(program, `1 --solve-limit=${MOST_CONFLICTS}`);
    return {grid: witness && numbers(witness), atoms: witness ?? []};
  },
  /** The ground program as text. @param {{program: string}} question */
  async ground({program}) {
    return {lines: await run(program, "--text")};
  },
};

/** @param {string[]} names */
function key(names) {
  return names.join(" ");
}

/** @param {string[]} items @param {number} size @returns {string[][]} */
function subsets(items, size) {
  if (!size) return [[]];
  return items.flatMap((item, index) => subsets(items.slice(index + 1), size - 1).map(rest => [item, ...rest]));
}

onmessage = async ({data}) => {
  if (data.module) {
    clingo = start(data.module);
    clingo.catch(() => {}); // each question reports it
    return;
  }
  if (data.drop) {
    dropped.add(data.drop);
    return;
  }
  try {
    await clingo;
    if (dropped.has(data.id)) return;
    const kind = /** @type {keyof typeof ANSWERS} */ (data.question.kind);
    postMessage({id: data.id, answer: await ANSWERS[kind](data.question)});
  } catch (error) {
    postMessage({id: data.id, error: error.message});
  }
};
