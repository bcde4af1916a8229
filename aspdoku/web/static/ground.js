// @ts-check
// The panel about the program: ground rules of each brick, the facts of the puzzle, and checksums.
import {counted, groundChanges} from "./answers.js";
import {code, h} from "./dom.js";
import {panel} from "./drawer.js";
import {Cancelled} from "./engine.js";
import {compose, definitionsDeclared, instanceText, ownRulesOn} from "./program.js";
import {plural} from "./words.js";
/** @import {Counts} from "./answers.js" */
/** @import {Session} from "./session.js" */

/** @typedef {{name: string, rules: number, facts: number}} Share of the ground program */

export class Ground {
  #line = h("p", {class: "ground-rules", role: "status"});
  #bars = h("div", {class: "bars"});
  #facts = h("div", {});
  #sums = h("dl", {class: "sums"});
  #program = ""; // that the bars show

  /** @param {Session} session @param {() => void} close */
  constructor(session, close) {
    this.session = session;
    this.element = panel("Ground rules and facts", close, this.#line, this.#bars, this.#facts,
      h("h3", {}, "SHA-256 of the locked files"), this.#sums);
  }

  render() {
    const {data, state, library, groundLine, verdict, seconds} = this.session;
    const time = groundLine && seconds !== undefined ? ` (solved in ${seconds.toFixed(2)} s)` : "";
    const line = groundLine && `${groundLine}${time}`;
    if (this.#line.textContent !== line) this.#line.textContent = line;
    this.element.classList.toggle("stale", verdict.state === "busy");
    this.#facts.replaceChildren(h("h3", {}, "The puzzle as facts"),
      code("Facts of the puzzle", instanceText(data, state), {class: "facts"}));
    this.#sums.replaceChildren(...[data.base, ...definitionsDeclared(data, state, library)].flatMap(
      ({place, sha256}) => [h("dt", {}, place), h("dd", {}, h("code", {}, sha256))]));
    if (!this.element.hidden && verdict.state !== "busy") this.#measure();
  }

  /** Ask how many ground rules each brick adds to those below it. */
  async #measure() {
    const {session, session: {program: {text}}} = this;
    if (text === this.#program || session.verdict.state === "error") return;
    this.#program = text;
    try {
      const shares = await this.#shares();
      if (session.program.text === text) this.#draw(shares);
    } catch (error) {
      this.#program = "";
      if (!(error instanceof Cancelled)) this.#bars.replaceChildren(h("p", {class: "remark"}, error.message));
    }
  }

  async #shares() {
    const {engine, data, state, library} = this.session;
    /** @type {Share[]} */
    const shares = [];
    /** @type {Counts} */
    let before = new Map();
    const own = ownRulesOn(state);
    /** @param {string} name @param {number} rules @param {number} added how many there are of each */
    const measure = async (name, rules, added, written = 0) => {
      const some = {...state, added: state.added.slice(0, added), own: own.slice(0, written)};
      const {text} = compose({...data, rules: data.rules.slice(0, rules)}, some, library);
      const counts = counted((await engine.ask({kind: "ground", program: text})).lines);
      const changes = groundChanges(before, counts);
      shares.push({name, rules: changes.rules, facts: changes.facts});
      before = counts;
    };
    const all = data.rules.length;
    await measure("base", 0, 0);
    for (const [index, {name}] of data.rules.entries()) await measure(name, index + 1, 0);
    for (const [index, name] of state.added.entries()) await measure(name, all, index + 1);
    for (const [index, {name}] of own.entries()) await measure(name, all, state.added.length, index + 1);
    return shares;
  }

  /** @param {Share[]} shares */
  #draw(shares) {
    const most = Math.max(1, ...shares.map(({rules}) => rules));
    this.#bars.replaceChildren(...shares.flatMap(({name, rules, facts}, index) => {
      const bar = h("span", {class: `share share-${index && 1 + (index - 1) % 3}`});
      bar.style.width = `${100 * rules / most}%`;
      return [h("b", {}, name), h("span", {class: "track"}, bar),
        h("span", {}, `${plural(rules, "rule")}${facts ? `, ${plural(facts, "fact")}` : ""}`)];
    }));
  }
}
