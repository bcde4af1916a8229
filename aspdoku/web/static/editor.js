// @ts-check
// The editor of an own rule, with what is wrong with it.
import {CodeField, findingItems} from "./code_field.js";
import {button, drawing, h, save, textOf} from "./dom.js";
import {panel} from "./drawer.js";
import {RULE_NAME} from "./program.js";
import {FIRST_NAME} from "./session.js";
import {plural} from "./words.js";
/** @import {Answers, Question} from "./engine.js" */
/** @import {Session} from "./session.js" */

export class Editor {
  #findings = h("ul", {class: "findings", "aria-live": "polite"});
  #verdict = h("div", {class: "words", "aria-live": "polite"});
  /** With which rule each own rule is compared, where that was chosen. @type {Map<string, string>} */
  #chosen = new Map();
  #field = new CodeField({
    rows: 8, placeholder: ":- a(R,C,N), a(R,C+1,N+1), not ab(my_rule).", oninput: () => this.session.typed(),
  });
  #name = h("input", {
    type: "text", value: FIRST_NAME, pattern: RULE_NAME.source, size: 12, onchange: () => this.#rename(),
  });

  /** @param {Session} session @param {() => void} close */
  constructor(session, close) {
    this.session = session;
    this.reference = h("select", {
      "aria-label": "Rule to compare with",
      onchange: () => this.#chosen.set(session.writing, this.reference.value),
    },
      ...session.library.map(rule => h("option", {}, rule.name)));
    this.file = h("input", {type: "file", accept: ".lp", onchange: () => this.#open(this.file.files?.[0])});
    this.element = panel("Own rule", close,
      h("div", {class: "tools"}, h("label", {}, "Name ", this.#name),
        h("label", {class: "btn file"}, "Open .lp", this.file),
        button("Save .lp", () => save(`${session.writing}.lp`, this.draft), {class: "btn"})),
      this.#field.element,
      this.#findings,
      h("div", {class: "tools", hidden: !session.server}, button("Check", () => this.#check(), {class: "btn"}),
        h("label", {}, "Is it the same as ", this.reference),
        button("Compare", () => this.#compare(this.reference.value), {class: "btn"})),
      this.#verdict,
    );
  }

  get draft() {
    return this.#field.text;
  }

  /** The rule was changed by something else than the editor. */
  show() {
    const {own, writing, data: {rules}, library} = this.session;
    this.#field.text = own?.text ?? "";
    this.#name.value = writing;
    const off = this.session.state.retracted.map(name => name.replaceAll("_", "-"));
    // A rule of the puzzle is perhaps written anew, first of all one that was switched off.
    const known = this.#chosen.get(writing)
      ?? [...rules.map(({name}) => name), ...off].findLast(name => library.some(rule => rule.name === name));
    if (known) this.reference.value = known;
    this.renderFindings();
  }

  forget() {
    this.#verdict.replaceChildren();
  }

  render() {
    this.#field.mark(this.session.findings);
  }

  renderFindings() {
    this.#findings.replaceChildren(...findingItems(this.session.findings));
    this.render();
  }

  #rename() {
    const {session} = this;
    const name = this.#name.value;
    if (this.#name.checkValidity() && name && !session.isTaken(name)) session.rename(name);
    else this.#name.value = session.writing;
  }

  focus() {
    this.#field.focus();
  }

  /** @param {File} [file] */
  async #open(file) {
    if (!file) return;
    try {
      this.take(file.name, await textOf(file));
    } catch (error) {
      this.#say(error.message);
    }
  }

  /** Use the text of a file as an own rule; it replaces one of this name. @param {string} file @param {string} text */
  take(file, text) {
    const {session} = this;
    session.takeRule();
    this.#name.value = file.replace(/\.lp$/, "");
    session.write(this.#name.checkValidity() ? this.#name.value : undefined);
    this.#field.text = text;
    session.takeRule();
  }

  #check() {
    this.#ask("Checking …", {kind: "check"}, ({findings}) => {
      this.session.report(findings);
      return [h("p", {}, findings.length ? plural(findings.length, "finding") : "No findings.")];
    });
  }

  /** @param {string} reference */
  #compare(reference) {
    const {retracted} = this.session.state;
    this.#ask("Comparing …", {kind: "equal", reference, retracted},
      ({text, drawings}) => [h("p", {}, text), ...drawings.map(drawing)]);
  }

  /**
   * Ask about the rule in the editor, and show the answer by a function.
   * @template {"check" | "equal"} K
   * @param {string} waiting @param {Question<K>} question
   * @param {(answer: Answers[K]) => Node[]} shown
   */
  async #ask(waiting, question, shown) {
    this.#say(waiting);
    try {
      const answer = await this.session.askAboutRule(question);
      if (!answer) return;
      this.#verdict.replaceChildren(...shown(answer));
      this.element.scrollTop = this.#verdict.offsetTop - this.element.offsetTop;
    } catch (error) {
      this.#say(error.message);
    }
  }

  /** @param {string} words */
  #say(words) {
    this.#verdict.replaceChildren(h("p", {}, words));
  }
}
