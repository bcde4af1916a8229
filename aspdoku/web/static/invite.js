// @ts-check
// Where a class joins: small in a corner, and large.
import {drawn, h} from "./dom.js";
/** @import {Invited} from "./scenes.js" */

export class Invite {
  #large = h("dialog", {class: "invite", "aria-label": "Join", onclick: () => this.#large.close()});
  small = h("button", {
    type: "button", class: "join", "aria-label": "Show the join code large", title: "Join (J)", hidden: true,
    onclick: () => this.toggle(),
  });
  element = this.#large;

  /** @param {Invited | null} join */
  constructor(join) {
    if (!join) return;
    const {address, code, qr} = join;
    this.small.append(...codeImage(qr), h("span", {}, address, h("b", {}, code)));
    this.small.hidden = false;
    this.#large.append(h("p", {}, `Join at ${address}`), ...codeImage(qr), h("b", {}, code));
  }

  toggle() {
    if (this.#large.open) this.#large.close();
    else if (!this.small.hidden) this.#large.showModal();
  }
}

/** The address as a QR code, if there is one. @param {Invited["qr"]} qr */
export function codeImage(qr) {
  if (!qr) return [];
  const svg = drawn("svg", {class: "qr", viewBox: `0 0 ${qr.size} ${qr.size}`, "aria-hidden": "true"});
  svg.append(drawn("path", {d: qr.d}));
  return [svg];
}
