// @ts-check
// What lies behind the stage: drawers above it, and panels in the place of the slide.
import {button, h} from "./dom.js";

/** A dialog with a heading, which a click beside it closes. */
export class Drawer {
  /** @param {string} title @param {(Node | string)[]} children */
  constructor(title, ...children) {
    this.element = h("dialog", {
      class: "drawer", "aria-label": title, onclick: event => event.target === this.element && this.close(),
    }, h("div", {class: "inside"}, heading(title, () => this.close()), ...children));
  }

  open() {
    if (!this.element.open) this.element.showModal();
  }

  close() {
    this.element.close();
  }
}

/** @param {string} title @param {() => void} close */
export function heading(title, close) {
  return h("div", {class: "head"}, h("h2", {}, title), button("×", close, {class: "btn close", "aria-label": "Close"}));
}

/** A panel with a heading. @param {string} title @param {() => void} close @param {(Node | string)[]} children */
export function panel(title, close, ...children) {
  return h("section", {class: "panel", "aria-label": title, hidden: true}, heading(title, close), ...children);
}
