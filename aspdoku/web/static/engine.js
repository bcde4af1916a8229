// @ts-check
// One function for all questions: `ask({kind, …})`. clingo answers in a worker; questions that need
// Python are sent to the server, if there is one (`server.js`).
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
const SCRIPTS = ["clingo.js", "worker.js"];

/**
 * @typedef {{script: string, module: WebAssembly.Module | ArrayBuffer | string}} Parts of a worker: the address of its
 * script, and clingo: compressed, in base64 in a page in one file, until a worker has compiled it
 */

// Each engine has its own worker, so that it answers while others search.
export class Engine {
  /** @type {Parts | undefined} */
  static #parts;
  /** @type {Promise<void> | undefined} */
  static #loading;
  /** @type {Worker | undefined} */
  #worker;
  #isReady = false; // whether the worker has compiled clingo: the time of questions counts from then on
  /** @type {Job[]} */
  #queue = [];
  /** @type {Job | undefined} */
  #current;
  #number = 0;

  constructor() {
    Engine.#parts ||= embeddedParts();
    if (Engine.#parts) return;
    Engine.#loading ||= fetchedParts().then(parts => {
      Engine.#parts = parts;
    });
    Engine.#loading.catch(() => {}); // the first question reports it
  }

  /** Let clingo be compiled before there is a question, beside what the page does. */
  warm() {
    if (Engine.#parts && !missing().length) this.#worker ||= this.#start(Engine.#parts);
    return this;
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
      if (missing().length) throw new Error(`this browser lacks ${missing().join(", ")}`);
      // A worker that is there is asked at once, before the page is drawn.
      if (!Engine.#parts) await Engine.#loading;
      if (this.#current !== job) return;
      this.#worker ||= this.#start(/** @type {Parts} */ (Engine.#parts));
      job.id = ++this.#number;
      if (this.#isReady) this.#watch(job);
      this.#worker.postMessage({id: job.id, question: job.question});
    } catch (error) {
      if (this.#current !== job) return;
      this.#current = undefined;
      job.reject(error);
      this.#next();
    }
  }

  /** @param {Parts} parts */
  #start({script, module}) {
    const worker = new Worker(script);
    worker.onmessage = ({data}) => (data.module ? this.#ready(data.module) : this.#receive(data));
    worker.onerror = ({message}) => this.#receive({id: this.#number, error: message || "the worker was refused"});
    worker.postMessage({module});
    return worker;
  }

  /** A new worker starts within 30 to 70 ms with what the first one has compiled. @param {WebAssembly.Module} module */
  #ready(module) {
    if (Engine.#parts) Engine.#parts.module = module;
    this.#isReady = true;
    if (this.#current?.id) this.#watch(this.#current);
  }

  /** @param {Job} job */
  #watch(job) {
    job.timer = setTimeout(() => {
      this.#end();
      job.reject(new Stopped(`stopped after ${job.seconds} seconds`));
      this.#next();
    }, 1000 * job.seconds);
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
    if (this.#isReady) {
      this.#worker?.terminate();
      this.#worker = undefined;
      this.#isReady = false;
    } else if (this.#current?.id) this.#worker?.postMessage({drop: this.#current.id}); // it goes on to compile clingo
    this.#current = undefined;
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

/** @param {string[]} texts @returns {string} */
function addressOfScript(texts) {
  return URL.createObjectURL(new Blob(texts, {type: "text/javascript"}));
}

/** @returns {Parts | undefined} */
function embeddedParts() {
  const [wasm, ...texts] = ["clingo.wasm.gz", ...SCRIPTS].map(embedded);
  return wasm ? {script: addressOfScript(texts.map(text => text ?? "")), module: wasm} : undefined;
}

// Kept, since a worker that was terminated may have to be replaced when the server is gone.
async function fetchedParts() {
  const [wasm, ...texts] = ["clingo.wasm.gz", ...SCRIPTS].map(fetched);
  const module = (await wasm).arrayBuffer();
  const script = await Promise.all(texts.map(async each => (await each).text()));
  return {script: addressOfScript(script), module: await module};
}
