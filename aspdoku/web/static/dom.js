// @ts-check
// Elements, what becomes of them when something is drawn anew, and files.
import {LARGEST, TOO_LONG} from "./server.js";

const SVG = "http://www.w3.org/2000/svg";
export const FONTS = "Helvetica, Arial, 'Liberation Sans', sans-serif";
const TOKENS = /(%\*[^]*?\*%|%[^\n]*)|("(?:\\.|[^"\\\n])*")|(#[a-z]+)|\b(not)\b|\b(a)(?=\()|([A-Z]\w*)|(\b\d+\b)|(:-)/g;
/** @type {Set<"onclick">} */
const LISTENERS = new Set(); // the names of all that elements have
const TOKEN_KINDS = ["comment", "string", "directive", "not", "grid", "variable", "number", "if"];

/** @typedef {Partial<GlobalEventHandlers> & {[name: string]: unknown}} Properties */

/**
 * An element with properties; `on…` are listeners, other names are attributes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Properties} properties @param {(Node | string)[]} children
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      Object.assign(element, {[name]: value});
      LISTENERS.add(/** @type {"onclick"} */ (name));
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Give an element the children that it would have if it was drawn anew. A child that is there, with the same
 * `data-key` or else of the same kind, stays and is changed, so that a press during which an answer comes is a click,
 * and that the focus is kept.
 * @param {Element} parent @param {(Node | string)[]} children
 */
export function update(parent, ...children) {
  const fresh = children.filter(each => each !== "")
    .map(each => (typeof each === "string" ? document.createTextNode(each) : each));
  const old = new Set(parent.childNodes);
  const nodes = fresh.map(child => {
    const kept = old.has(/** @type {ChildNode} */ (child)) ? child
      : [...old].find(each => isSame(each, child) && !fresh.includes(each));
    old.delete(/** @type {ChildNode} */ (kept));
    if (kept && kept !== child) change(kept, child);
    return kept ?? child;
  });
  old.forEach(each => each.remove());
  nodes.forEach((node, index) => {
    const there = parent.childNodes[index] ?? null;
    if (there !== node) parent.insertBefore(node, there);
  });
}

/**
 * Whether a node can become another one; custom elements, such as boards, know what they show, and cannot.
 * @param {Node} one @param {Node} other
 */
function isSame(one, other) {
  if (one.nodeName.includes("-")) return false;
  const [key, wanted] = [one, other].map(each => (each instanceof HTMLElement ? each.dataset.key : undefined));
  return one.nodeName === other.nodeName && key === wanted;
}

/** @param {Node} node @param {Node} fresh what it would be if it was drawn anew */
function change(node, fresh) {
  if (!(node instanceof Element && fresh instanceof Element)) {
    if (node.nodeValue !== fresh.nodeValue) node.nodeValue = fresh.nodeValue;
    return;
  }
  for (const {name} of [...node.attributes]) if (!fresh.hasAttribute(name)) node.removeAttribute(name);
  for (const {name, value} of fresh.attributes) {
    if (node.getAttribute(name) === value) continue;
    // The Content-Security-Policy allows no attribute of this name.
    if (name === "style") /** @type {HTMLElement} */ (node).style.cssText = value;
    else node.setAttribute(name, value);
  }
  if (node instanceof HTMLElement && fresh instanceof HTMLElement) {
    for (const name of LISTENERS) node[name] = fresh[name];
  }
  update(node, ...fresh.childNodes);
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number>} attributes
 */
export function drawn(tag, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}

/** An SVG in a text. @param {string} markup */
export function drawing(markup) {
  return Object.assign(h("div", {class: "drawing drawn"}), {innerHTML: markup});
}

/** @param {string} text @param {() => void} onclick @param {Properties} more */
export function button(text, onclick, more = {}) {
  return h("button", {type: "button", onclick, ...more}, text);
}

/** @param {string} text @param {(on: boolean) => void} change */
export function toggle(text, change, on = false) {
  const element = button(text, () => {
    const next = element.getAttribute("aria-checked") !== "true";
    element.setAttribute("aria-checked", String(next));
    change(next);
  }, {role: "switch", "aria-checked": String(on), class: "toggle"});
  return element;
}

/** A rule or facts. @param {string} label @param {string} text @param {Properties} more */
export function code(label, text, more = {}) {
  return h("pre", {tabindex: 0, role: "region", "aria-label": label, ...more}, h("code", {}, highlighted(text)));
}

/** @param {string} text */
export function highlighted(text) {
  const fragment = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    fragment.append(text.slice(end, match.index));
    const kind = TOKEN_KINDS[match.slice(1).findIndex(group => group !== undefined)];
    fragment.append(h("span", {class: `token-${kind}`}, match[0]));
    end = match.index + match[0].length;
  }
  fragment.append(text.slice(end));
  return fragment;
}

/** @param {string} name @param {string} text */
export function save(name, text) {
  const link = h("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The text of a file; other encodings than UTF-8 would be damaged when it is saved again. @param {File} file */
export async function textOf(file) {
  if (file.size > LARGEST) throw new Error(TOO_LONG);
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    throw new Error(`${file.name} is not UTF-8 text`);
  }
}
