// @ts-check
// The section of the page in which "Guess the rule" is played.
import {Board} from "./board.js";
import {button, code, h, save} from "./dom.js";
import {Drawer} from "./drawer.js";
import {Cancelled, Engine} from "./engine.js";
import {boardOf, firstGrids, next, separate, verdictOfGame} from "./game.js";
import {plural} from "./words.js";
/** @import {Game, Round, Setting} from "./game.js" */
/** @import {Placed} from "./program.js" */

export class Guess {
  #engine = new Engine(); // a game goes on while the puzzle is changed
  /** @type {Setting | undefined} */
  #current;
  #words = h("div", {class: "game", "aria-live": "polite"});
  #examples = h("div", {class: "examples"});

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    const {rules, sizes} = game;
    const size = h("select", {}, ...sizes.map(each => h("option", {value: each.size}, `${each.size} rows`)));
    const hidden = h("select", {}, h("option", {value: ""}, "I do"),
      ...rules.filter(rule => rule.bundled).map(({name}) => h("option", {}, name)));
    const grids = h("textarea", {rows: 3, spellcheck: "false", placeholder: "1234 3412 2143 4321"});
    const given = h("label", {class: "grids"},
      "Grids that your rule allows, if you have some, one in each line: ", grids);
    hidden.addEventListener("change", () => (given.hidden = Boolean(hidden.value)));
    const start = () => this.#start({size: Number(size.value), hidden: hidden.value}, grids.value);
    this.drawer = new Drawer("Guess the rule",
      h("p", {}, "Think of a rule without clues: aspdoku finds it by asking which grids it allows. Or watch it find a"
        + " bundled rule."),
      h("div", {class: "tools"}, h("label", {}, "Grids of ", size), h("label", {}, "Who answers? ", hidden),
        button("Start", start, {class: "btn main"})),
      given, this.#examples, this.#words,
    );
  }

  /** @param {number} size @param {Placed[]} grid */
  #drawing(size, grid) {
    const board = new Board();
    board.shown = {
      drawing: boardOf(this.game, size).drawing, size, numbers: [...Array(size).keys()].map(index => index + 1),
      contents: Object.fromEntries(grid.map(([row, column, number]) => [`${row},${column}`, {number, kind: "solved"}])),
    };
    return h("div", {class: "drawing", role: "img", "aria-label": "A solved grid"}, board);
  }

  /** Begin with grids that the rule allows. @param {Setting} setting @param {string} text */
  async #start(setting, text) {
    this.#current = setting;
    this.#engine.cancel();
    this.#examples.replaceChildren();
    this.#words.replaceChildren(h("p", {}, "Looking for grids that the rule allows …"));
    try {
      const {grids, left} = await firstGrids(this.#engine, this.game, setting, text);
      if (this.#current !== setting) return;
      const {size, hidden} = setting;
      if (hidden) {
        this.#examples.replaceChildren(h("p", {}, `${hidden} allows these grids:`),
          ...grids.map(grid => this.#drawing(size, grid)));
      }
      this.#play({...setting, number: 1, left});
    } catch (error) {
      if (this.#current !== setting || error instanceof Cancelled) return;
      this.#words.replaceChildren(h("p", {}, error.message));
    }
  }

  /** Ask the next question of a game. @param {Round} round */
  async #play(round) {
    this.#current = round;
    this.#engine.cancel();
    const waiting = h("p", {}, "Looking for a grid that separates the rules …");
    const shown = this.#words.querySelector(".drawing"); // kept, so that the page does not jump
    if (shown) this.#words.firstChild?.replaceWith(waiting);
    else this.#words.replaceChildren(waiting);
    this.#words.querySelectorAll("button").forEach(each => (each.disabled = true));
    try {
      const {program} = boardOf(this.game, round.size);
      const {grid, broken} = await separate(this.#engine, program, round.left);
      if (this.#current !== round) return; // another one was started
      if (grid) this.#ask(round, grid, broken);
      else this.#end(round);
    } catch (error) {
      if (this.#current !== round) return;
      const again = button("Try again", () => this.#play(round), {class: "btn"});
      this.#words.replaceChildren(h("p", {}, error.message), h("div", {class: "tools"}, again));
    }
  }

  /** @param {Round} round @param {Placed[]} grid @param {number[]} broken */
  #ask(round, grid, broken) {
    const {size, hidden, number, left} = round;
    const allowed = !broken.includes(this.game.rules.findIndex(rule => rule.name === hidden));
    const answer = (/** @type {string} */ words, /** @type {boolean} */ allowed) =>
      button(words, () => this.#play(next(round, broken, allowed)), {class: "btn"});
    const answers = hidden
      ? [h("span", {}, `${hidden} ${allowed ? "allows" : "forbids"} it.`), answer("Next", allowed)]
      : [answer("Allowed", true), answer("Not allowed", false)];
    this.#words.replaceChildren(
      h("p", {}, `${plural(left.length, "rule")} left. Question ${number}: is this grid allowed?`),
      this.#drawing(size, grid), h("div", {class: "tools"}, ...answers));
    this.#words.querySelector("button")?.focus();
  }

  /** @param {Round} round */
  #end(round) {
    const {size, left} = round;
    const {rules, sizes} = this.game;
    const larger = left.length > 1 && sizes.some(each => each.size > size);
    const rule = rules[left[0]]?.text;
    this.#words.replaceChildren(h("p", {}, verdictOfGame(this.game, round)),
      larger ? h("p", {class: "remark"}, `Larger grids than those of ${size} rows may tell these rules apart.`) : "",
      ...(rule ? [h("div", {class: "tools"}, button("Save .lp", () => save("learned.lp", rule), {class: "btn"})),
        code("The rule that was found", rule)] : []));
  }
}
