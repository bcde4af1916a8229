"""The contract of a rule file with the files before it, as a table of heads."""

from in_one_test import in_one_test

from aspdoku.lecture.changes import contract
from aspdoku.program import RuleFile, library

BEFORE = [library.base(), library.find("box"), library.find("greater-than")]

CASES = [
    # the text of my-rule.lp, its contract, and the lines that it is derived from
    (":- a(1,1,1).", "restricts", []),
    ("% a comment alone\n", "restricts", []),
    ("my_rule(R) :- row(R).\n:- my_rule(1).", "restricts", [(1, "my_rule/1", "helper")]),
    ("\nmy_rule_pair(R,C) :- cell(R,C).", "restricts", [(2, "my_rule_pair/2", "helper")]),
    ("my_ruler(1).", "extends", [(1, "my_ruler/1", "vocabulary")]),
    ("odd(N) :- number(N), N\\2 == 1.\n:- odd(1).", "extends", [(1, "odd/1", "vocabulary")]),
    ("{ my_rule(R) } :- row(R).", "extends", [(1, "my_rule/1", "vocabulary")]),
    ("my_rule(1) | my_rule(2).", "extends", [(1, "my_rule/1", "vocabulary")]),
    ("#external my_rule(1).", "extends", [(1, "my_rule/1", "vocabulary")]),
    ("ab(box).", "parameter", [(1, "ab/1", "input")]),
    ("\nab(anti_knight,5).", "parameter", [(2, "ab/2", "input")]),
    ("gt(1,1,1,2).", "parameter", [(1, "gt/4", "input")]),
    ("gt(R,C,R,C+1) :- cell(R,C), cell(R,C+1).", "parameter", [(1, "gt/4", "input")]),
    ("gt(1,1,1).", "extends", [(1, "gt/3", "vocabulary")]),
    (":- a(1,1,1).\na(1,1,5).", "redefines", [(2, "a/3", "redefinition")]),
    ("{ a(R,C,1) : cell(R,C) }.", "redefines", [(1, "a/3", "redefinition")]),
    ("a(1,1,1) | a(1,1,2).", "redefines", [(1, "a/3", "redefinition")]),
    ("a(1,1).", "extends", [(1, "a/2", "vocabulary")]),
    ("box(1,1,1).", "redefines", [(1, "box/3", "redefinition")]),
    ("number(10).\nab(row).", "redefines", [(1, "number/1", "redefinition"), (2, "ab/1", "input")]),
    ("odd(1).\nab(row).", "parameter", [(1, "odd/1", "vocabulary"), (2, "ab/1", "input")]),
]


@in_one_test(("text", "kind", "heads"), CASES)
def test_the_contract_is_determined_by_the_heads(text, kind, heads):
    found = contract(RuleFile("my-rule", "my-rule.lp", text), BEFORE)
    assert (found.kind, [(head.line, head.predicate, head.role) for head in found.heads]) == (
        kind,
        heads,
    )


@in_one_test("name", library.rule_names())
def test_every_bundled_elaboration_restricts_or_makes_choices_or_exceptions(name):
    extending = ("chaos-construction", "doublers", "indexers", "negators", "path", "vampires")
    kinds = dict.fromkeys(extending, "extends")
    kinds |= dict.fromkeys(("boards", "either", "liar"), "parameter")
    kinds["extra-cell"] = "redefines"
    assert contract(library.find(name), [library.base()]).kind == kinds.get(name, "restricts")


def test_the_contract_depends_on_the_program_before():
    draws = RuleFile("jigsaw", "jigsaw.lp", "box(1,1,1).")
    assert contract(draws, [library.base()]).kind == "extends"
    assert contract(draws, BEFORE).kind == "redefines"


def test_the_guarantee_names_its_theorem_and_a_redefinition_has_no_guarantee():
    sentences = {
        kind: contract(RuleFile("my-rule", "m.lp", text), BEFORE).guarantee
        for text, kind, _ in CASES
    }
    assert len(set(sentences.values())) == 4
    assert all(
        "Lifschitz and Turner 1994" in sentences[kind]
        for kind in ("restricts", "extends", "redefines")
    )
    assert "nothing is guaranteed" in sentences["redefines"]
