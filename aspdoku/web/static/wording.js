// @ts-check
// The rules in words: what each sentence was taken for, and marks on what was not understood.
import {h} from "./dom.js";
import {Drawer} from "./drawer.js";
/** @import {Puzzle, Sentence} from "./program.js" */

/** A drawer with the text of a puzzle. */
export class Wording extends Drawer {
  #text;

  constructor() {
    const text = h("div", {});
    super("Rules in words", text);
    this.#text = text;
  }

  /** @param {Puzzle} data */
  show({wording, rules_in_words: text, assumed}) {
    this.#text.replaceChildren(...(wording.length ? [h("ol", {class: "wording"}, ...wording.map(item))]
      : text.split("\n").filter(Boolean).map(line => h("p", {}, line))),
      ...assumed.map(each => h("p", {class: "remark"}, `assumed: ${each}`)));
  }
}

/** @param {Sentence} sentence */
function item({parts, rules, about, problem}) {
  const isUnread = parts.some(([, unread]) => unread);
  return h("li", {},
    h("p", {}, ...parts.map(([text, unread]) => (unread ? h("mark", {}, text) : text))),
    ...rules.map(([name, title]) => h("p", {}, h("b", {}, name), ` ${title}`)),
    ...about.map(text => h("p", {class: "remark"}, text)),
    ...(isUnread ? [h("p", {class: "why"}, "The marked words were not understood.")] : []),
    ...(problem ? [h("p", {class: "why"}, problem)] : []));
}
