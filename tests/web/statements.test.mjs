import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import test from "node:test";
import {
  brokenLines, headsIn, isIdle, isRule, lineText, mayForbid, predicatesWithoutAtoms, retractionsAt, statementsIn,
  titleIn, tokensIn,
} from "../../aspdoku/web/static/statements.js";

const ASP = new URL("../../asp/", import.meta.url);
const FILES = readdirSync(ASP, {recursive: true}).filter(name => name.endsWith(".lp"));
const COLUMNS = [200, 100, 60, 44, 38, 30, 24, 16, 8];

const read = name => readFileSync(new URL(name, ASP), "utf8");
const lines = (text, columns) => {
  const [statement] = statementsIn(text);
  return brokenLines(statement, columns).map(lineText);
};
const kinds = text => statementsIn(text).map(({kind}) => kind);

test("the tokens of a rule file are its text without blanks", () => {
  for (const name of FILES) {
    const text = read(name);
    assert.equal(tokensIn(text).map(token => token.text).join("").replace(/\s/g, ""), text.replace(/\s/g, ""), name);
  }
});

test("each statement is there once, in the order of the file", () => {
  for (const name of FILES) {
    const text = read(name);
    const code = tokensIn(text).filter(({kind}) => kind !== "comment").map(({start}) => start);
    const own = statementsIn(text).flatMap(({tokens}) => tokens).filter(({kind}) => kind !== "comment");
    assert.deepEqual(own.map(({start}) => start), code, name);
  }
});

test("broken lines have the same tokens, and are no longer than asked for where that is possible", () => {
  for (const name of FILES) {
    for (const statement of statementsIn(read(name))) {
      for (const columns of COLUMNS) {
        const broken = brokenLines(statement, columns);
        assert.deepEqual(broken.flatMap(({tokens}) => tokens), statement.tokens);
        const text = broken.map(lineText);
        const again = statementsIn(text.join("\n"));
        assert.deepEqual(again.map(({tokens}) => tokens.map(token => token.text)),
          [statement.tokens.map(token => token.text)], `${name}:${statement.line}`);
        if (columns < 44) continue; // a hook is not broken
        for (const line of text) assert.ok(line.length <= columns, `${name}:${statement.line}, ${columns}: ${line}`);
      }
    }
  }
});

test("a literal that fits on a line is not broken, and a statement that fits is one line", () => {
  for (const name of FILES) {
    for (const statement of statementsIn(read(name))) {
      const [whole, ...more] = brokenLines(statement, 1000);
      assert.equal(more.length, 0, name);
      assert.equal(brokenLines(statement, lineText(whole).length).length, 1);
      for (const {first, last} of statement.atoms) {
        const size = statement.tokens.slice(first, last + 1).map(({text}) => text).join("").length;
        const columns = Math.max(size + 20, 44);
        for (const {first: start, isCut} of brokenLines(statement, columns).slice(1)) {
          assert.ok(!isCut || start <= first || last < start, `${name}:${statement.line} at ${columns}`);
        }
      }
    }
  }
});

test("lines end where the grammar breaks, and hooks are on a line of their own", () => {
  const box = ":- box_name(B), number(N), { a(R,C,N) : box(R,C,B) } 0, not ab(box), not ab(box,N).";
  assert.deepEqual(lines(box, 40), [
    ":- box_name(B), number(N),",
    "   { a(R,C,N) : box(R,C,B) } 0,",
    "   not ab(box), not ab(box,N).",
  ]);
  assert.deepEqual(lines(box, 20), [
    ":- box_name(B),",
    "   number(N),",
    "   { a(R,C,N)",
    "      : box(R,C,B)",
    "         } 0,",
    "   not ab(box),",
    "   not ab(box,N).",
  ]);
  assert.deepEqual(lines(":-p(X),q(X,Y),|X-Y|=1.", 16), [":- p(X), q(X,Y),", "   |X-Y|=1."]);
  assert.deepEqual(lines("{ a(R,C,N) : row(R) } = 1 :- column(C), number(N), not ab(column).", 34), [
    "{ a(R,C,N) : row(R) } = 1 :-",
    "   column(C), number(N),",
    "   not ab(column).",
  ]);
  assert.deepEqual(lines(":- p(X), not a(R,C,N) : number(N), N <= X; q(X).", 30), [
    ":- p(X),",
    "   not a(R,C,N)",
    "      : number(N), N <= X;",
    "   q(X).",
  ]);
  const sum = ":- p(I,S), #sum { V,R,C : a(R,C,N), value(R,C,N,V), q(R,C,I) } != S.";
  assert.deepEqual(lines(sum, 46), [
    ":- p(I,S),",
    "   #sum { V,R,C : a(R,C,N), value(R,C,N,V),",
    "      q(R,C,I) } != S.",
  ]);
  assert.deepEqual(lines(":- p(X), % why\n   q(X).", 80), [":- p(X), % why", "   q(X)."]);
  assert.deepEqual(lines("p(aaaaaa,bbbbbb,cccccc).", 14), ["p(aaaaaa,", "      bbbbbb,", "      cccccc)."]);
});

test("the kind of a statement is the one of its head", () => {
  const each = {
    constraint: [":- p.", "#false :- p.", "not p :- q.", "X = 1 :- p(X).", "|X| > 1 :- p(X).", "&sum { x } <= 3 :- p."],
    choice: ["{ p }.", "1 { p(X) : q(X) } 2 :- r.", "p | q.", "p; q :- r.", "p(X) : q(X).", "#count { X : p(X) } = 1."],
    definition: ["p.", "p(1..3).", "-p(X) :- q(X).", "p(1;2) :- #sum { X : q(X) } = 1.", "p(|X|) :- q(X)."],
    declaration: ["#defined p/1.", "#const n = 9.", "#show p/1.", "#external p : q. [false]", "#program base."],
    objective: ["#minimize { X@1 : p(X) }.", ":~ p(X). [X@1]"],
  };
  for (const [kind, texts] of Object.entries(each)) {
    for (const text of texts) {
      assert.deepEqual(kinds(`x.\n${text} % note\n y.`), ["definition", kind, "definition"], text);
    }
  }
});

test("comments, strings and blocks are not confused with statements", () => {
  const text = `% ":- a." not a rule.
:- p("% no comment. :- \\" "), q. %* a :- b.
 %* nested. *% still. *% r(1..2).
`;
  const found = statementsIn(text);
  assert.deepEqual(found.map(({kind, line, endLine}) => [kind, line, endLine]),
    [["constraint", 2, 2], ["definition", 3, 3]]);
  assert.equal(found[0].tokens.find(({kind}) => kind === "string").text, '"% no comment. :- \\" "');
  assert.deepEqual(statementsIn("% nothing\n"), []);
  assert.deepEqual(statementsIn(":- p(X), q").map(({kind, isComplete}) => [kind, isComplete]), [["constraint", false]]);
});

test("a sentence is the comment directly above a rule, or the one after it", () => {
  const sentences = text => statementsIn(text).map(({sentence}) => sentence);
  assert.deepEqual(sentences("% Title.\n\n% One idea,\n% on two lines.\n%@ {N} | -\n:- p.\n:- q.  % Another one.\n"),
    ["One idea, on two lines.", "Another one."]);
  assert.deepEqual(sentences("% A note.\n%\n% The idea.\n:- p."), ["The idea."]);
  assert.deepEqual(sentences("%* The idea. *%\n:- p."), ["The idea."]);
  const [declared, rule, silent] = statementsIn(`#defined p/1.  % p(X): something,
%   which is a number
:- p(X).
%@ -
:- p(1).
`);
  assert.deepEqual([declared.note, declared.sentence], ["p(X): something, which is a number", ""]);
  assert.deepEqual([rule.sentence, rule.isRedundant, silent.isRedundant, silent.message], ["", false, true, ""]);
});

test("a message has the names of variables in place of values", () => {
  const message = text => statementsIn(`%@${text}\n:- p.`)[0].message;
  assert.equal(message("(R,C,R1,C1) r{R}c{C} and r{R1}c{C1} differ by {D}"), "(R,C) and (R1,C1) differ by D.");
  assert.equal(message(" row {R} needs a {N} | row {R} has {N} once"), "Row R needs a N; row R has N once.");
});

test("hooks are the guards of a rule, not other literals over ab", () => {
  const hooks = text => statementsIn(text)[0].hooks.map(({atom}) => atom);
  assert.deepEqual(hooks(":- p(N), not ab(box), not ab(box, N)."), ["ab(box)", "ab(box,N)"]);
  assert.deepEqual(hooks(':- p, not ab(killer,("G",1)).'), ['ab(killer,("G",1))']);
  assert.deepEqual(hooks(":- ab(box), { q : not ab(x) } 1, not not ab(y), not ab(z) : r."), []);
  assert.deepEqual(hooks("ab(T,U) :- liar(T,U)."), []);
});

test("atoms are where literals are, not in terms", () => {
  const atoms = text =>
    statementsIn(text)[0].atoms.map(({predicate, arguments: each}) => [predicate, ...each].join(" "));
  assert.deepEqual(atoms(":- a(R1,C1,N), not p((X,1),f(Y)), X = f(n), n < X, own, -q(X)."),
    ["a R1 C1 N", "p (X,1) f(Y)", "own", "-q X"]);
  assert.deepEqual(atoms(":- #sum { n,R : a(R,1,N), p(n); f(x),R : q } != s, 2 { a(R,C,N) : box(R,C,B) }."),
    ["a R 1 N", "p n", "q", "a R C N", "box R C B"]);
  assert.deepEqual(atoms("{ p(X) : q(X); r } = n :- |n-1| = X, &sum { y } < z, s."), ["p X", "q X", "r", "s"]);
});

test("a hook is taken, or has exceptions", () => {
  const at = (hook, ...retracted) => {
    const {isTaken, exceptions} = retractionsAt(statementsIn(`:- p, not ${hook}.`)[0].hooks[0], retracted);
    return [isTaken, ...exceptions];
  };
  assert.deepEqual(at("ab(box)", "ab(box,5)", "ab(row)"), [false]);
  assert.deepEqual(at("ab(box)", "ab(box,5)", "ab(box)"), [true]);
  assert.deepEqual(at("ab(box,N)", "ab(box)", "ab(box,5)", 'ab( box , "G" )', "ab(row,1)"), [false, "5", '"G"']);
  assert.deepEqual(at("ab(mathrax,(R,C,S))", "ab(mathrax,(1,2,5))", "ab(mathrax,7)"), [false, "(1,2,5)"]);
  assert.deepEqual(at("ab(mathrax,(R,C))", "ab(mathrax,(1,2,5))"), [false]);
  assert.deepEqual(at("ab(mathrax,N)", "ab(mathrax,(1,2,5))", "ab(mathrax,7)"), [false, "7"]);
  assert.deepEqual(at("ab(full_rank,tie)", "ab(full_rank,tie)"), [true]);
});

test("rules say something about grids, and some may forbid them", () => {
  const rules = each => statementsIn(each).filter(isRule).map(({line}) => line);
  const text = ":- p.\n{ p }.\np.\n#show p/0.\nab(T,U) :- liar(T,U).\n%@ -\n:- q.\n%@ q is there\nq :- p.";
  assert.deepEqual(rules(text), [1, 2, 5, 9]);
  const forbids = each => mayForbid(statementsIn(each)[0]);
  assert.ok([":- p.", "{ p } = 1.", "1 { p : q } :- r.", "%@ p\np :- q."].every(forbids));
  assert.ok(!["{ p : q } :- r.", "{ p }.", "p :- q.", "#show p/0."].some(forbids));
});

test("rules that need a predicate without atoms have no instances", () => {
  const base = read("base.lp");
  const texts = [base, read("elaborations/box.lp"), "a(1,1,3). cage(1,1,1)."];
  assert.deepEqual(predicatesWithoutAtoms(texts).sort(), ["ab/1", "ab/2", "own_numbers/0", "unused/2"]);
  assert.deepEqual(predicatesWithoutAtoms([...texts, "unused(1,1). ab(box)."]).sort(), ["ab/2", "own_numbers/0"]);
  assert.deepEqual(statementsIn(base).filter(each => isIdle(each, ["unused/2"])).map(({line}) => line), [26, 28]);
  const [inside, negated] = statementsIn(":- { p : unused(R,C) } 1. :- not unused(1,1), p.");
  assert.deepEqual([isIdle(inside, ["unused/2"]), isIdle(negated, ["unused/2"])], [false, false]);
});

test("definitions are named by atoms with variables", () => {
  const definitions = statementsIn("box(R*2,C,1) :- cell(R,C). name(B) :- box(R,C,B). one. p(1).");
  const all = [...definitions, ...statementsIn(":- 2 { a(R,C,N) : box(R,C,B) }, one, p(1).")];
  assert.deepEqual(headsIn(definitions, all), ["box(R,C,B)", "name(B)", "one", "p/1"]);
});

test("the title is the first paragraph of the comment at the beginning", () => {
  assert.equal(titleIn("\n% Anti-knight,\n% in words.\n%\n% More.\n:- p."), "Anti-knight, in words.");
  assert.equal(titleIn("%* A block\n of words. *%\n:- p. % no"), "A block of words.");
  assert.equal(titleIn(":- p. % no\n% no"), "");
  assert.equal(titleIn("%@ no\n:- p."), "");
});
