import "./no_page.mjs";
import assert from "node:assert/strict";
import test from "node:test";

const workers = [];
globalThis.self = globalThis;
globalThis.Worker = class {
  asked = [];
  isTerminated = false;

  constructor() {
    workers.push(this);
  }

  postMessage(message) {
    if (message.module) {
      queueMicrotask(() => this.onmessage({data: {module: EMPTY_MODULE}}));
      return;
    }
    if (message.drop) return;
    this.asked.push(message.question.kind);
    const {answer, error} = message.question;
    if (answer || error) queueMicrotask(() => this.onmessage({data: {id: message.id, answer, error}}));
  }

  terminate() {
    this.isTerminated = true;
  }
};
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
URL.createObjectURL = () => "";
globalThis.fetch = async () =>
  new Response(new Blob([EMPTY_MODULE]).stream().pipeThrough(new CompressionStream("gzip")));
const {Cancelled, Engine, Stopped} = await import("../../aspdoku/web/static/engine.js");

test("questions are answered in their order, by one worker", async () => {
  workers.length = 0;
  const engine = new Engine();
  const questions = ["solve", "count", "ground"].map(kind => ({kind, answer: {kind}}));
  const answers = await Promise.all(questions.map(question => engine.ask(question)));
  assert.deepEqual(answers.map(({kind}) => kind), ["solve", "count", "ground"]);
  assert.deepEqual(workers.map(({asked}) => asked), [["solve", "count", "ground"]]);
});

test("an error ends its question only", async () => {
  const engine = new Engine();
  await assert.rejects(engine.ask({kind: "solve", error: "syntax error"}), {message: "syntax error"});
  assert.deepEqual(await engine.ask({kind: "solve", answer: {grids: []}}), {grids: []});
});

test("a question whose time is up ends its worker, and the next one has another", async () => {
  workers.length = 0;
  const engine = new Engine();
  const late = engine.ask({kind: "solve"}, 0.01);
  const other = engine.ask({kind: "count", answer: {count: 1}});
  await assert.rejects(late, Stopped);
  assert.deepEqual(await other, {count: 1});
  assert.deepEqual(workers.map(worker => worker.isTerminated), [true, false]);
});

test("all questions are cancelled, the one that is searched and those that wait", async () => {
  workers.length = 0;
  const engine = new Engine();
  const questions = [engine.ask({kind: "solve"}), engine.ask({kind: "count"})];
  do await new Promise(resolve => setTimeout(resolve)); while (!workers[0]?.asked.length);
  engine.cancel();
  for (const each of questions) await assert.rejects(each, Cancelled);
  assert.ok(workers[0].isTerminated);
  assert.deepEqual(await engine.ask({kind: "ground", answer: {lines: []}}), {lines: []});
  assert.equal(workers.length, 2);
});

test("a question that is cancelled while clingo is compiled costs no worker", async () => {
  workers.length = 0;
  const engine = new Engine().warm();
  const first = engine.ask({kind: "solve"});
  engine.cancel();
  await assert.rejects(first, Cancelled);
  assert.deepEqual(await engine.ask({kind: "count", answer: {count: 1}}), {count: 1});
  assert.equal(workers.length, 1);
});

test("what needs Python is refused without a server", async () => {
  await assert.rejects(new Engine().ask({kind: "explain"}), /needs a server/);
});
