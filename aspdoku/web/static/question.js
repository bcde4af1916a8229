// @ts-check
// The question of a step, its options, and its answer, for which room is kept, so that nothing moves when it comes.
import {h, update} from "./dom.js";
import {plainWords} from "./scenes.js";
import {written} from "./written.js";
/** @import {LessonStep} from "./scenes.js" */

export class Question {
  /** @type {LessonStep | undefined} */
  #step;
  /** @type {HTMLElement[]} */
  #options = [];
  /** @type {string[]} */
  #answers = [];
  #stack = h("div", {class: "answers"}); // each answer of the step, one above the other
  #live = h("p", {class: "vh", role: "status"});
  element = h("section", {class: "ask", "aria-label": "Question"});

  /** The element of the right option: a fact comes from it. */
  get right() {
    return this.element.querySelector(".right");
  }

  /** @param {LessonStep} step @param {number} index of the scene */
  show(step, index) {
    if (step !== this.#step) {
      this.#build(step);
      this.reserve();
    }
    const {answer} = step.scenes[index];
    this.#open(index > 0 || answer !== null);
    const said = answer === null ? "" : plainWords(answer);
    [...this.#stack.children].forEach((each, number) =>
      each.classList.toggle("current", said !== "" && this.#answers[number] === said));
    if (this.#live.textContent !== said) this.#live.textContent = said;
  }

  /** Keep the room that the question needs with and without its answer. */
  reserve() {
    const wasOpen = this.element.classList.contains("open");
    this.element.style.minHeight = "";
    const heights = [!wasOpen, wasOpen].map(isOpen => {
      this.#open(isOpen);
      return this.element.offsetHeight;
    });
    this.element.style.minHeight = `${Math.max(...heights)}px`;
  }

  /** @param {boolean} isOpen whether the right option is marked */
  #open(isOpen) {
    this.element.classList.toggle("open", isOpen);
    const choices = this.#step?.question?.options ?? [];
    this.#options.forEach((option, number) => {
      const {text, right} = choices[number];
      option.classList.toggle("right", isOpen && right);
      update(option, ...(isOpen && right ? ["✓ "] : []), ...written(text));
    });
  }

  /** @param {LessonStep} step */
  #build(step) {
    this.#step = step;
    const {question, scenes} = step;
    const answers = scenes.flatMap(({answer}) => (answer === null ? [] : [answer]));
    this.#answers = [...new Set(answers.map(plainWords))];
    this.#options = (question?.options ?? []).map(({text}) => h("button", {
      type: "button", class: "btn", "aria-pressed": "false", onclick: ({currentTarget}) => this.#choose(currentTarget),
    }, ...written(text)));
    this.#stack.replaceChildren(...this.#answers.map(said =>
      h("p", {class: "answer", "aria-hidden": "true"},
        ...written(/** @type {import("./scenes.js").Words} */ (answers.find(each => plainWords(each) === said))))));
    this.element.replaceChildren(
      ...(question ? [h("p", {class: "asked"}, ...written(question.text))] : []),
      ...(this.#options.length ? [h("div", {class: "opts"}, ...this.#options)] : []), this.#stack, this.#live);
    this.element.hidden = !question && !answers.length;
  }

  /** @param {EventTarget | null} option */
  #choose(option) {
    if (this.element.classList.contains("open")) return;
    for (const each of this.#options) each.setAttribute("aria-pressed", String(each === option));
  }
}
