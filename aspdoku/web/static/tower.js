// @ts-check
// The element aspdoku-tower: a base, the bricks on it, and the tags that hang on them. It tells what is pressed by
// events: `brick` and `remove` with a name, `switch` with a name and the fact that the switch adds or takes back,
// `tag` with a fact, and `add`.
import {button, h, update} from "./dom.js";
import {isCalm} from "./verdict.js";

/** @typedef {{atom: string, fixed?: boolean}} Tag a fact ab(…); fixed: the page cannot take it back */
/**
 * @typedef {{
 *   name: string, title: string, kind: "base" | "word" | "rule", hash?: string, tags: Tag[], on: boolean,
 *   fact?: string, isSwitched: boolean, isRemovable: boolean,
 * }} Brick fact: what its switch adds
 */
/**
 * @typedef {{
 *   bricks: Brick[], selected: string, fresh: string[], cited: string[], added: number, removed: number,
 *   isOpen: boolean,
 * }} TowerShown bricks: from the base up; isOpen: whether more can be added
 */

const NOD = 280; // milliseconds
const WIDEST = 26; // characters of two tags on a brick

export class Tower extends HTMLElement {
  #key = ""; // what the elements show
  #shelf = h("div", {class: "shelf"});
  #bricks = h("ol", {class: "tower"});

  connectedCallback() {
    const json = this.querySelector("script[type='application/json']")?.textContent;
    if (json) this.shown = JSON.parse(json);
    else if (!this.#bricks.isConnected) this.replaceChildren(this.#shelf, this.#bricks);
  }

  /** @param {TowerShown} shown */
  set shown(shown) {
    if (!this.contains(this.#bricks)) this.replaceChildren(this.#shelf, this.#bricks);
    const key = JSON.stringify(shown);
    if (key === this.#key) return;
    this.#key = key;
    const {bricks, added, removed, isOpen} = shown;
    const ledger = h("span", {class: "ledger", title: "Rule files and facts ab(…) on the base"},
      "added ", h("b", {}, String(added)), " · removed ", h("i", {}, String(removed)));
    const add = button("Add an elaboration …", () => this.#tell("add"), {class: "add", "data-key": "add"});
    update(this.#shelf, isOpen ? add : "", ledger);
    update(this.#bricks, ...bricks.map(brick => this.#brick(brick, shown)));
    this.classList.toggle("dense", bricks.length > 6);
  }

  /** @param {string} type @param {object} [detail] */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, {bubbles: true, detail}));
  }

  /** @param {Brick} brick @param {TowerShown} shown */
  #brick(brick, {selected, fresh, cited}) {
    const {name, title, kind, hash = "", tags, on, fact, isSwitched, isRemovable} = brick;
    const last = tags.slice(-2).map(({atom}) => atom).join("").length > WIDEST ? -1 : -2;
    const earlier = tags.slice(0, last).map(({atom}) => `${atom}.`);
    const classes = ["brick", kind, on || "off", name === selected && "sel", fresh.includes(name) && "drop",
      cited.includes(name) && "cited-brick"].filter(each => typeof each === "string");
    const said = kind === "word" ? `definition: ${sentence(title)}` : sentence(title);
    const lock = h("span", {class: "lock", title: `These bytes never change: SHA-256 ${hash}`},
      h("code", {}, hash.slice(0, 7)), padlock(), h("span", {class: "vh"}, "locked"));
    const change = h("button", {
      type: "button", class: "sw", role: "switch", "aria-checked": String(on), "aria-label": `Rule ${name}`,
      "data-key": `switch ${name}`, onclick: () => this.#tell("switch", {name, fact, on: !on}),
    });
    return h("li", {class: classes.join(" "), "data-name": name, "data-key": `item ${name}`},
      h("button", {
        type: "button", class: "name", "aria-pressed": String(name === selected), "data-key": `brick ${name}`, title,
        onclick: () => this.#tell("brick", {name}),
      }, h("span", {}, name), tags.length ? "" : h("span", {class: "say"}, said)),
      h("span", {class: "tags"}, earlier.length ? h("span", {title: earlier.join(" ")}, `+${earlier.length}`) : "",
        ...tags.slice(last).map(tag => this.#tag(tag)),
        kind === "rule" ? "" : lock, isSwitched ? change : "",
        isRemovable ? button("×", () => this.#tell("remove", {name}),
          {class: "remove", "aria-label": `Take ${name} off the tower`, title: "Take it off the tower"}) : ""));
  }

  /** @param {Tag} tag */
  #tag({atom, fixed}) {
    if (fixed) return h("span", {class: "tag", "data-atom": atom}, `${atom}.`);
    return button(`${atom}.`, () => this.#tell("tag", {atom}),
      {class: "tag", "data-atom": atom, "data-key": `tag ${atom}`, title: "Take this fact back"});
  }

  /** Let the tag of a fact come from a place of the window. @param {string} atom @param {DOMRect} from */
  fly(atom, from) {
    const tag = /** @type {HTMLElement | null} */ (this.querySelector(`.tag[data-atom="${CSS.escape(atom)}"]`));
    if (!tag || isCalm()) return;
    const to = tag.getBoundingClientRect();
    const flying = h("span", {class: "tag fly"}, tag.textContent ?? "");
    Object.assign(flying.style, {left: `${to.left}px`, top: `${to.top}px`, fontSize: getComputedStyle(tag).fontSize});
    document.body.append(flying);
    tag.classList.add("expected");
    const [x, y] = [from.left - to.left, from.top - to.top];
    const flight = flying.animate([
      {transform: `translate(${x}px,${y}px) rotate(0deg) scale(.85)`, opacity: 0}, {opacity: 1, offset: 0.15},
      {transform: `translate(${x * 0.45}px,${y * 0.5 - 40}px) rotate(-9deg) scale(1.25)`, offset: 0.55},
      {transform: "translate(0,0) rotate(-2deg) scale(1)"},
    ], {duration: 720, easing: "cubic-bezier(.3,.6,.2,1)"});
    flight.onfinish = flight.oncancel = () => {
      flying.remove();
      this.querySelectorAll(".expected").forEach(each => each.classList.remove("expected"));
      const brick = this.querySelector(`.tag[data-atom="${CSS.escape(atom)}"]`)?.closest(".brick");
      const nods = [brick, this.querySelector(".base .lock")];
      nods.forEach(each => each?.classList.add("land"));
      setTimeout(() => nods.forEach(each => each?.classList.remove("land")), 3 * NOD);
    };
  }
}

/** A title without the name before it, and without its full stop. @param {string} title */
export function sentence(title) {
  return title.replace(/^[\w() ,]{1,24}: /, "").replace(/\.$/, "");
}

export function padlock() {
  const lock = h("span", {class: "padlock"});
  lock.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 11V8a5 5 0 0 1 10 0v3" fill="none"'
    + ' stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/><rect x="4.5" y="10.5" width="15" height="11"'
    + ' rx="2.2" fill="currentColor"/><circle class="keyhole" cx="12" cy="15.4" r="1.7"/><path class="keyhole"'
    + ' d="M12 16v2.6" stroke-width="1.8" stroke-linecap="round"/></svg>';
  return lock;
}

customElements.define("aspdoku-tower", Tower);
