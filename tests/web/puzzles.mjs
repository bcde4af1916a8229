// A puzzle with four rows as the data of a page, for tests. Its texts are short: no program is run.
const rule = (name, text, retracts) => (
  {name, place: `asp/${name}.lp`, text, retracts, title: `Title of ${name}.`, sha256: "", inputs: []});

export const LIBRARY = [rule("elaborations/far", "far(1).", []), rule("elaborations/near", "near(1).", ["near"])];

export function puzzle(more = {}) {
  return {
    title: "Small", size: 4, numbers: [1, 2, 3, 4], before: "% before\n", after: "% after\n",
    base: rule("base", "row(1).\ncolumn(1).", ["column", "row"]), rules: [rule("box", "box(1,1,1).", ["box"])],
    vocabulary: [{...rule("adjacent", "adjacent(1,1,1,2).", []), declared: "adjacent/4"}],
    instance: {header: "% -- puzzle", numbers: "", facts: ["size(4)"]},
    givens: [[1, null, null, null], [null, null, 3, null], [null, null, null, null], [null, null, null, null]],
    rules_in_words: "", retracted: [], source: "1... ..3. .... ....", wording: [],
    sections: [], unsupported: [], contents: [], drawing: {unused: ["r4c4"]}, named: null, library: LIBRARY, ...more,
  };
}
