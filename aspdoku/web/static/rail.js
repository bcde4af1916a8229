// @ts-check
// The steps of a lesson as dots, of which the current one has its name.
import {button, h} from "./dom.js";
/** @import {LessonStep} from "./scenes.js" */

export class Rail {
  #dots = h("ol", {class: "dots"});

  /**
   * @param {LessonStep[]} steps @param {{go: (step: number) => void, move: (by: 1 | -1) => void}} actions
   * @param {Node[]} keys what further keys do @param {Node} join
   */
  constructor(steps, {go, move}, keys, join) {
    this.steps = steps;
    this.#dots.append(...steps.map(({title, minutes}, index) => h("li", {}, h("button", {
      type: "button", title: `${index + 1}. ${title}, ${minutes} min`, "aria-label": `${index + 1}. ${title}`,
      "data-number": index + 1, onclick: () => go(index),
    }, h("span", {}, `${index + 1}  ${title}`)))));
    this.element = h("nav", {class: "rail", "aria-label": "Steps"}, this.#dots,
      h("span", {class: "hint"},
        button("←", () => move(-1), {class: "arrow", "aria-label": "Back", title: "Back (←)"}),
        button("→", () => move(1), {class: "arrow", "aria-label": "On", title: "On (→)"}), ...keys), join);
  }

  /** @param {number} step */
  show(step) {
    [...this.#dots.querySelectorAll("button")].forEach((dot, index) => {
      dot.classList.toggle("done", index < step);
      if (index === step) dot.setAttribute("aria-current", "step");
      else dot.removeAttribute("aria-current");
    });
  }
}
