// @ts-check
// Parts of sentences.

/** @param {number} count @param {string} word */
export function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** @param {string[]} words */
export function listed(words, last = "and") {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** The name of a rule whose name in a program is `symbol`. @param {string} symbol */
export function ruleName(symbol) {
  return symbol.replaceAll("_", "-");
}
