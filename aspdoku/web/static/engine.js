// @ts-check
// One function for all questions: `ask({kind, …})`. clingo answers in a worker; questions that need
// Python are sent to the server, if there is one (`server.js`).
import {decoded} from "./link.js";
import {askServer, token} from "./server.js";
/** @import {Drawing, Placed, Puzzle, Step} from "./program.js" */
/** @import {Finding} from "./findings.js" */
/** @import {WithoutRules} from "./answers.js" */

/** @typedef {{grid?: Placed[], broken: number[]}} Judged a grid, and the indices of the rules that forbid it */
/** @typedef {{text?: string, steps: Step[], cut_off?: string | null}} Explained */
/**
 * @typedef {{
 *   solve: {grids: Placed[][], complete: boolean, messages: string}, depends: {answers: WithoutRules[]},
 *   solutions: {grids: Placed[][]}, witness: {atoms?: string[]},
 *   candidates: {candidates: Placed[], contents: Placed[]}, count: {count: number, complete: boolean},
 *   ground: {lines: string[]}, separate: Judged, example: Judged, judge: Judged, load: Puzzle,
 *   violate: {grid?: Placed[], atoms: string[]},
 *   drawing: {drawing: Drawing, named: Drawing | null}, facts: {facts: string[]}, check: {findings: Finding[]},
 *   equal: {text: string, drawings: string[]},
 *   explain: Explained, why: Explained, hint: {text: string, cells: [number, number][]},
 * }} Answers by the kind of the question
 */
/** @template {keyof Answers} K @typedef {{kind: K, [more: string]: unknown}} Question */
/**
 * @typedef {{
 *   question: object, seconds: number, resolve: (answer: any) => void, reject: (error: Error) => void,
 *   id?: number, timer?: number,
 * }} Job
 */

const IN_WORKER = [
  "solve", "solutions", "witness", "violate", "candidates", "count", "depends", "ground", "separate", "example",
  "judge",
];
const SECONDS = 10;

// Each engine has its own worker, so that it answers while others search.
export class Engine {
  /** @type {Promise<WebAssembly.Module>} */
  static #module;
  /** @type {Promise<string>} */
  static #script; // the address of the worker
  /** @type {Promise<Worker> | undefined} */
  #worker;
  /** @type {Worker | undefined} */
  #started;
  /** @type {Job[]} */
  #queue = [];
  /** @type {Job | undefined} */
  #current;
  #number = 0;

  constructor() {
    // Compiled once: a new worker starts within 30 to 70 ms.
    Engine.#module ||= loadModule();
    Engine.#script ||= scriptAddress();
    // Errors are reported by the first question.
    Engine.#module.catch(() => {});
    Engine.#script.catch(() => {});
  }

  /**
   * The answer, or an Error. After `seconds`, the worker is terminated.
   * @template {keyof Answers} K @param {Question<K>} question @returns {Promise<Answers[K]>}
   */
  ask(question, seconds = SECONDS) {
    if (!IN_WORKER.includes(question.kind)) return askServer(question);
    return new Promise((resolve, reject) => {
      this.#queue.push({question, seconds, resolve, reject});
      this.#next();
    });
  }

  // Drop all questions that clingo has not answered; their promises are rejected.
  cancel() {
    const dropped = this.#current ? [this.#current, ...this.#queue] : this.#queue;
    this.#queue = [];
    if (this.#current) this.#end();
    dropped.forEach(({reject}) => reject(new Cancelled()));
  }

  async #next() {
    if (this.#current || !this.#queue.length) return;
    const job = /** @type {Job} */ (this.#current = this.#queue.shift());
    try {
      // A worker that is there is asked at once, before the page is drawn.
      const worker = this.#started ?? await (this.#worker ||= this.#start());
      if (this.#current !== job) return;
      this.#started = worker;
      job.id = ++this.#number;
      job.timer = setTimeout(() => {
        this.#end();
        job.reject(new Stopped(`stopped after ${job.seconds} seconds`));
        this.#next();
      }, 1000 * job.seconds);
      worker.postMessage({id: job.id, question: job.question});
    } catch (error) {
      this.#worker = undefined;
      if (this.#current !== job) return;
      this.#current = undefined;
      job.reject(error);
      this.#next();
    }
  }

  async #start() {
    const [module, script] = await Promise.all([Engine.#module, Engine.#script]);
    const worker = new Worker(script);
    worker.onmessage = ({data}) => this.#receive(data);
    worker.onerror = ({message}) => this.#receive({id: this.#number, error: message || "the worker was refused"});
    worker.postMessage({module});
    return worker;
  }

  /** @param {{id: number, answer?: unknown, error?: string}} message */
  #receive({id, answer, error}) {
    const job = this.#current;
    if (job?.id !== id) return;
    clearTimeout(job.timer);
    this.#current = undefined;
    if (error === undefined) job.resolve(answer);
    else job.reject(new Error(error));
    this.#next();
  }

  #end() {
    clearTimeout(this.#current?.timer);
    this.#worker?.then(worker => worker.terminate());
    this.#worker = this.#started = this.#current = undefined;
  }
}

// The rejection of a question that was cancelled, and of one whose time is up.
export class Cancelled extends Error {}
export class Stopped extends Error {}

function missing() {
  const needed = {WebAssembly: "WebAssembly", Worker: "workers", DecompressionStream: "DecompressionStream"};
  return Object.entries(needed).filter(([name]) => !(name in self)).map(([, words]) => words);
}

/** A handout contains the files; otherwise, they are on the server. @param {string} name */
function embedded(name) {
  return document.getElementById(name)?.textContent;
}

/** A server sends the engine to those who have the token. @param {string} name */
async function fetched(name) {
  const response = await fetch(`/static/${name}`, {headers: token ? {"X-Aspdoku-Token": token} : {}});
  if (!response.ok) throw new Error(`${name} cannot be loaded (status ${response.status})`);
  return response;
}

async function loadModule() {
  if (missing().length) throw new Error(`this browser lacks ${missing().join(", ")}`);
  const text = embedded("clingo.wasm.gz");
  const content = text ? new Response(decoded(text)) : await fetched("clingo.wasm.gz");
  const whole = content.body?.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(whole).arrayBuffer());
}

// Kept, since a worker that was terminated may have to be replaced when the server is gone.
async function scriptAddress() {
  const text = async (/** @type {string} */ name) => embedded(name) ?? (await fetched(name)).text();
  const texts = await Promise.all(["clingo.js", "worker.js"].map(text));
  return URL.createObjectURL(new Blob(texts, {type: "text/javascript"}));
}
