// @ts-check
// The notes of a lesson in a second window, which follows; if the browser blocks it, in a panel.
import {h} from "./dom.js";
import {comingNext, minutesOf, plainWords} from "./scenes.js";
import {written} from "./written.js";
/** @import {Lesson, Position} from "./scenes.js" */

const TICK = 10_000; // milliseconds between two looks at the clock

export class Notes {
  /** @type {Window | null} */
  #window = null;
  #timer = 0;
  /** @type {Position} */
  #position = {step: 0, scene: 0};
  panel = h("aside", {class: "notes notes-panel", "aria-label": "Notes", hidden: true, tabindex: 0});

  /** @param {Lesson} lesson @param {(event: KeyboardEvent) => void} key what keys do, in the second window, too */
  constructor(lesson, key) {
    this.lesson = lesson;
    this.key = key;
  }

  get #store() {
    return `aspdoku-begun ${this.lesson.title}`;
  }

  /** When the lesson was begun, in milliseconds; undefined before. @returns {number | undefined} */
  get #begun() {
    try {
      return Number(sessionStorage.getItem(this.#store)) || undefined;
    } catch {
      return this.#kept;
    }
  }

  /** @type {number | undefined} */
  #kept; // for a browser that stores nothing

  /** The first step was left: time is counted from now on. */
  begin() {
    if (this.#begun) return;
    this.#kept = Date.now();
    try {
      sessionStorage.setItem(this.#store, String(this.#kept));
    } catch {
      // it is counted until the page is loaded again
    }
  }

  toggle() {
    if (this.#isOpen) this.#window?.close();
    else if (!this.panel.hidden) this.panel.hidden = true;
    else if (!this.#openWindow()) this.panel.hidden = false;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.show(this.#position), TICK);
    this.show(this.#position);
  }

  get #isOpen() {
    return Boolean(this.#window && !this.#window.closed);
  }

  /** Whether the browser has opened a window. */
  #openWindow() {
    this.#window = open("", "aspdoku-notes", "width=760,height=640");
    if (!this.#window) return false;
    const other = /** @type {Window & typeof globalThis} */ (this.#window);
    const {document: page} = other;
    page.title = `Notes: ${this.lesson.title}`;
    page.documentElement.lang = "en";
    page.documentElement.className = "notes-window";
    page.documentElement.dataset.theme = "dark";
    // The Content-Security-Policy, which the window inherits, allows no other style.
    const sheet = new other.CSSStyleSheet();
    sheet.replaceSync([...document.styleSheets].flatMap(({cssRules}) =>
      [...cssRules].map(({cssText}) => cssText)).join("\n"));
    page.adoptedStyleSheets = [sheet];
    this.#window.addEventListener("keydown", this.key);
    return true;
  }

  /** @param {Position} position */
  show(position) {
    this.#position = position;
    if (this.#isOpen) {
      const body = h("main", {class: "notes"}, ...this.#content);
      this.#window?.document.body.replaceChildren(body);
    }
    if (!this.panel.hidden) this.panel.replaceChildren(...this.#content);
  }

  get #content() {
    const {lesson, lesson: {minutes, steps}} = this;
    const position = this.#position;
    const {title, say, notes} = steps[position.step];
    const [start, end] = minutesOf(steps, position.step).map(each => String(each).padStart(2, "0"));
    const begun = this.#begun;
    const gone = begun ? Math.floor((Date.now() - begun) / 60_000) : 0;
    return [
      h("p", {class: "time"}, `${start}–${end} min `, h("span", {}, `of ${minutes} · ${gone} min gone`)),
      h("h1", {}, `${position.step + 1}. ${title}`), h("p", {class: "said"}, plainWords(say)),
      h("ul", {}, ...notes.map(each => h("li", {}, ...written(each)))),
      h("p", {class: "coming"}, comingNext(lesson, position)),
    ];
  }
}
