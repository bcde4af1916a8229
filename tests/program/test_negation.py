"""Negated rule files, before and after, and the errors for files that cannot be negated."""

from textwrap import dedent

import clingo
import pytest
from full_grids import all_sudokus_of_four
from in_one_test import in_one_test

from aspdoku import Puzzle, compose
from aspdoku.errors import RuleError
from aspdoku.program import RuleFile, library
from aspdoku.program.transform import is_textually_equal, may_choose, negate, negate_per_instance
from aspdoku.puzzlefile.facts import parse_fact_text

pytestmark = pytest.mark.versions

AB = "#defined ab/1.\n#defined ab/2.\n"
BROKEN = "#defined t_broken/0.\n"
SHOWN = """\
#show t_violation/4.  #defined t_violation/4.
#show t_cell/6.  #defined t_cell/6.
#show t_range/6.  #defined t_range/6.
"""


def rule(text):
    return RuleFile("mine", "mine.lp", dedent(text))


VIOLATIONS = [
    # description, before, after (without the declarations that every file gets)
    ("no constraint", "% to do", "", ""),
    ("one constraint", ":- a(1,1,1), not ab(mine).", "", "t_broken :- a(1,1,1); not ab(mine)."),
    ("an empty body forbids every grid", ":- .", "", "t_broken :- #true."),
    (
        "two constraints, one with #false",
        ":- a(1,1,1).\n#false :- a(1,1,2).",
        "",
        "t_broken :- a(1,1,1).\nt_broken :- a(1,1,2).",
    ),
    (
        "helpers are renamed everywhere, other predicates are not",
        """
        #defined mark/2.
        near(R,C) :- mark(R,C), cell(R,C).
        near.
        :- near, not near(R,C), number(N), 2 { a(R,C,N) : near(R,C) }, { a(1,1,1) : not near } > 0.
        """,
        "#defined mark/2.\n",
        """\
        t_near(R,C) :- mark(R,C); cell(R,C).
        t_near.
        t_broken :- t_near; not t_near(R,C); number(N); 2 <= { a(R,C,N): t_near(R,C) }; 0 < { a(1,1,1): not t_near }.""",  # noqa: E501
    ),
    (
        "helpers of the same name are distinguished by their arity",
        "#defined near/1.\nnear(R,C) :- near(R), column(C).\n:- near(R,C), near(R).",
        "#defined near/1.\n",
        "t_near(R,C) :- near(R); column(C).\nt_broken :- t_near(R,C); near(R).",
    ),
    (
        "a term named like a helper is not changed",
        "near(near).\n:- near(X), X = near.",
        "",
        "t_near(near).\nt_broken :- t_near(X); X = near.",
    ),
    (
        "helpers in a pool",
        "near(1;2).\n:- near(1;2).",
        "",
        "t_near(1;2).\nt_broken :- t_near(1;2).",
    ),
    (
        "a head that must hold",
        "#true :- a(1,1,1).\nnot p :- a(1,1,2).",
        "",
        "t_broken :- a(1,1,1); not #true.\nt_broken :- a(1,1,2); not not p.",
    ),
    (
        "statements for clingo only are omitted",
        "#show a/3.\n#program base.\n:- a(1,1,1).",
        "",
        "t_broken :- a(1,1,1).",
    ),
    (
        "recursion without negation is not a choice",
        "far(1).\nfar(X+1) :- far(X), X < n.\n:- a(1,1,X), not far(X).",
        "",
        "t_far(1).\nt_far((X+1)) :- t_far(X); X < n.\nt_broken :- a(1,1,X); not t_far(X).",
    ),
]


@in_one_test(
    ("before", "declared", "after"),
    [case[1:] for case in VIOLATIONS],
)
def test_violation(before, declared, after):
    after = dedent(after) + "\n" if after else ""
    assert negate(rule(before), "t").text == declared + AB + after + BROKEN


INSTANCE_VIOLATIONS = [
    (
        "cells with a number, and the position in the file",
        "% mine\n\n  :- a(R,C,N), a(R1,C+1,N).",
        """\
        t_violation(3,3,0,(R,C,N,R1,)) :- a(R,C,N); a(R1,(C+1),N).
        t_cell(3,3,0,(R,C,N,R1,),R,C) :- a(R,C,N); a(R1,(C+1),N).
        t_cell(3,3,0,(R,C,N,R1,),R1,(C+1)) :- a(R,C,N); a(R1,(C+1),N).""",
    ),
    (
        "without variables",
        ":- a(1,1,1).",
        "t_violation(1,1,0,()) :- a(1,1,1).\nt_cell(1,1,0,(),1,1) :- a(1,1,1).",
    ),
    (
        "a cell with a missing number",
        ":- cell(R,C), not a(R,C,1).",
        """\
        t_violation(1,1,0,(R,C,)) :- cell(R,C); not a(R,C,1).
        t_range(1,1,0,(R,C,),R,C) :- cell(R,C); not a(R,C,1); cell(R,C).""",
    ),
    (
        "local variables of an aggregate are renamed: R is, C and N are not",
        ":- row(R), 2 { a(R,C,N) : column(C), number(N) }.",
        """\
        t_violation(1,1,0,(R,)) :- row(R); 2 <= { a(R,C,N): column(C), number(N) }.
        t_cell(1,1,0,(R,),R,C_) :- row(R); 2 <= { a(R,C,N): column(C), number(N) }; a(R,C_,N_); column(C_); number(N_).
        t_range(1,1,0,(R,),R,C_) :- row(R); 2 <= { a(R,C,N): column(C), number(N) }; \
cell(R,C_); number(N_); column(C_); number(N_).""",  # noqa: E501
    ),
    (
        "a variable in the bound of an aggregate is global",
        ":- #sum { N,R : a(R,1,N), row(R) } = S, S > 3.",
        """\
        t_violation(1,1,0,(S,)) :- S = #sum { N,R: a(R,1,N), row(R) }; S > 3.
        t_cell(1,1,0,(S,),R_,1) :- S = #sum { N,R: a(R,1,N), row(R) }; S > 3; a(R_,1,N_); row(R_).
        t_range(1,1,0,(S,),R_,1) :- S = #sum { N,R: a(R,1,N), row(R) }; S > 3; cell(R_,1); number(N_); row(R_).""",  # noqa: E501
    ),
    (
        "helpers are renamed, and have no cells",
        "near(1,2).\n:- near(R,C), a(R,C,N).",
        """\
        t_near(1,2).
        t_violation(2,1,0,(R,C,N,)) :- t_near(R,C); a(R,C,N).
        t_cell(2,1,0,(R,C,N,),R,C) :- t_near(R,C); a(R,C,N).""",
    ),
    ("no cell at all", ":- number(N), N > 3.", "t_violation(1,1,0,(N,)) :- number(N); N > 3."),
    (
        "a comparison inside an aggregate keeps the atoms that bind its variables",
        ":- #count { N : a(1,1,N), a(1,2,M), N < M } > 0.",
        """\
        t_violation(1,1,0,()) :- 0 < #count { N: a(1,1,N), a(1,2,M), N < M }.
        t_cell(1,1,0,(),1,1) :- 0 < #count { N: a(1,1,N), a(1,2,M), N < M }; a(1,1,N_); a(1,2,M_); N_ < M_.
        t_range(1,1,0,(),1,1) :- 0 < #count { N: a(1,1,N), a(1,2,M), N < M }; \
cell(1,1); number(N_); cell(1,2); number(M_); N_ < M_.
        t_cell(1,1,0,(),1,2) :- 0 < #count { N: a(1,1,N), a(1,2,M), N < M }; a(1,1,N_); a(1,2,M_); N_ < M_.
        t_range(1,1,0,(),1,2) :- 0 < #count { N: a(1,1,N), a(1,2,M), N < M }; \
cell(1,1); number(N_); cell(1,2); number(M_); N_ < M_.""",  # noqa: E501
    ),
    (
        "a conditional literal",
        ":- number(N), not a(1,C,N) : column(C).",
        """\
        t_violation(1,1,0,(N,)) :- number(N); not a(1,C,N): column(C).
        t_range(1,1,0,(N,),1,C_) :- number(N); not a(1,C,N): column(C); cell(1,C_); number(N); column(C_).""",  # noqa: E501
    ),
    (
        "pools make several constraints, intervals and anonymous variables get names",
        ":- a(1..2,_,(3;N)), number(N).",
        """\
        t_violation(1,1,0,(N,)) :- a((1..2),_,3); number(N).
        t_cell(1,1,0,(N,),Any1_,Any2_) :- a((1..2),_,3); number(N); Any1_ = (1..2); a(Any1_,Any2_,3).
        t_violation(1,1,1,(N,)) :- a((1..2),_,N); number(N).
        t_cell(1,1,1,(N,),Any1_,Any2_) :- a((1..2),_,N); number(N); Any1_ = (1..2); a(Any1_,Any2_,N).""",  # noqa: E501
    ),
    (
        "a head that must hold",
        "N < 3 :- a(1,1,N).\nnot a(1,1,4).",
        """\
        t_violation(1,1,0,(N,)) :- a(1,1,N); not N < 3.
        t_cell(1,1,0,(N,),1,1) :- a(1,1,N); not N < 3.
        t_violation(2,1,1,()) :- not not a(1,1,4).
        t_cell(2,1,1,(),1,1) :- not not a(1,1,4); a(1,1,4).""",
    ),
    (
        "new variables are not among those of the constraint",
        ":- Any1 = 1..2, #count { C : a(Any1,C,C_), C < C_, a(_,C_,1) } > 0.",
        """\
        t_violation(1,1,0,(Any1,)) :- Any1 = (1..2); 0 < #count { C: a(Any1,C,C_), C < C_, a(_,C_,1) }.
        t_cell(1,1,0,(Any1,),Any1,C__) :- Any1 = (1..2); 0 < #count { C: a(Any1,C,C_), C < C_, a(_,C_,1) }; \
a(Any1,C__,C___); C__ < C___; a(Any2__,C___,1).
        t_range(1,1,0,(Any1,),Any1,C__) :- Any1 = (1..2); 0 < #count { C: a(Any1,C,C_), C < C_, a(_,C_,1) }; \
cell(Any1,C__); number(C___); C__ < C___; cell(Any2__,C___); number(1).
        t_cell(1,1,0,(Any1,),Any2__,C___) :- Any1 = (1..2); 0 < #count { C: a(Any1,C,C_), C < C_, a(_,C_,1) }; \
a(Any1,C__,C___); C__ < C___; a(Any2__,C___,1).
        t_range(1,1,0,(Any1,),Any2__,C___) :- Any1 = (1..2); 0 < #count { C: a(Any1,C,C_), C < C_, a(_,C_,1) }; \
cell(Any1,C__); number(C___); C__ < C___; cell(Any2__,C___); number(1).""",  # noqa: E501
    ),
]


@in_one_test(
    ("before", "after"),
    [case[1:] for case in INSTANCE_VIOLATIONS],
)
def test_violation_per_instance(before, after):
    assert negate_per_instance(rule(before), "t").rule.text == AB + dedent(after) + "\n" + SHOWN


def test_name_and_place_of_the_negated_file():
    turned = negate(rule(":- a(1,1,1)."), "t")
    assert (turned.name, turned.place, turned.vetted) == ("t", "mine.lp (negated)", True)


REJECTED = [
    (
        "a choice",
        "\n  { near(R,C) : cell(R,C) }.",
        "2:3",
        "a choice or disjunction cannot be compared",
    ),
    ("a choice with a bound", "1 { p; q } 1.", "1:1", "a choice or disjunction cannot be compared"),
    ("a disjunction", "p(1).\nq ; r :- p(1).", "2:1", "a choice or disjunction cannot be compared"),
    (
        "a condition in the head",
        "p : cell(1,1).",
        "1:1",
        "a choice or disjunction cannot be compared",
    ),
    ("a head of the base", ":- a(1,1,1).\na(1,1,2).", "2:1", "a/3 is defined in base.lp"),
    ("a number more", "number(n+1).", "1:1", "number/1 is defined in base.lp"),
    ("an input filled", "#defined gt/4.\ngt(1,1,1,2).", "2:1", "gt/4 is declared as an input"),
    ("a head that forbids", "-p(1) :- a(1,1,1).", "1:1", "-p/1 implicitly forbids p/1"),
    ("a constant", "#const k = 3.", "1:1", "only rules and constraints can be compared"),
    ("a wish", "#maximize { N : a(1,1,N) }.", "1:", "only rules and constraints can be compared"),
    ("taking a rule back", "\nab(box).", "2:1", "ab(box) retracts a rule"),
    ("a loop of one", "p :- not p.", "1:1", "implicit choice"),
    ("a loop of two", "p :- not q.\nq :- not p.", "1:1", "implicit choice"),
    (
        "a loop through a third predicate",
        "r :- p.\np :- q.\nq :- cell(1,1), not r.",
        "3:1",
        "q/0 depends on itself through negation",
    ),
    ("a loop through two nots", "p :- not not p.", "1:1", "implicit choice"),
    ("a loop through an aggregate", "p(1) :- #count { X : p(X) } > 0.", "1:1", "implicit choice"),
    (
        "a loop with arguments",
        "p(X) :- cell(X,X), not q(X).\nq(X) :- cell(X,X), not p(X).",
        "1:1",
        "implicit choice",
    ),
]


@in_one_test("turn", [negate, negate_per_instance])
@in_one_test(("text", "place", "words"), [case[1:] for case in REJECTED])
def test_programs_that_cannot_be_negated_are_rejected(text, place, words, turn):
    with pytest.raises(RuleError) as caught:
        turn(RuleFile("mine", "mine.lp", text), "t")
    assert str(caught.value).startswith(f"mine.lp:{place}")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text", ["p :- not q.\nq :- not r.", "p(1) :- not p(1,1).\np(1,1) :- p(1,1,1)."]
)
def test_negation_without_recursion_is_not_a_choice(text):
    assert "not t_" in negate(RuleFile("mine", "mine.lp", text), "t").text


def test_a_text_that_is_not_a_program():
    with pytest.raises(RuleError, match=r"^mine\.lp:1:\d+: syntax error"):
        negate(RuleFile("mine", "mine.lp", ":- a(1,1,1) a(1,1,2)."), "t")


WORDS = [
    # two texts, the names of rules that may have exceptions, and whether the texts are equivalent
    (":- a(1,1,N), N > 2.", ":- N > 2, a(1,1,N).  % larger", (), True),
    (":- a(1,1,1). :- a(1,1,2).", ":- a(1,1,2).\n:- a(1,1,1).", (), True),
    (":- a(1,1,1), not ab(mine).", ":- a(1,1,1).", (), True),
    (":- a(1,1,1), not ab(mine).", ":- a(1,1,1).", ("mine",), False),
    (":- a(1,1,N), not ab(mine,N).", ":- a(1,1,N).", ("other",), True),
    (":- a(1,1,1), ab(mine).", ":- a(1,1,1).", (), False),
    (":- a(1,1,1), X = mine, not ab(X).", ":- a(1,1,1), X = mine.", ("mine",), False),
    (":- a(1,1,1), not ab.\n#defined ab/0.", ":- a(1,1,1).", (), False),
    (":- a(1,1,1).", ":- a(1,1,1). :- a(1,1,1).", (), False),
    (":- a(1,1,1).", ":- a(1,1,2).", (), False),
    ("p(1). :- a(1,1,N), p(N).", "p(2). :- a(1,1,N), p(N).", (), False),
    ("p(1). :- a(1,1,N), p(N).", "p(1). :- p(N), a(1,1,N).", (), True),
]


@in_one_test(("one", "two", "excepted", "same"), WORDS)
def test_textual_equality(one, two, excepted, same):
    rules = [RuleFile("mine", f"{name}.lp", text) for name, text in (("one", one), ("two", two))]
    assert (
        is_textually_equal(*rules, excepted)
        == is_textually_equal(*reversed(rules), excepted)
        == same
    )


WITH_WORDS = [
    rule.name
    for rule in library.available_rules()
    if {item.signature for item in rule.declared} & library.vocabulary().keys()
    and not may_choose(rule)
]


def grids_of(text):
    """The grids of the answer sets of a program, by plain clingo."""
    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add(text)
    control.ground()
    found = set()
    with control.solve(yield_=True) as models:
        for model in models:
            given = [atom.arguments for atom in model.symbols(atoms=True) if atom.match("a", 3)]
            numbers = {(row.number, column.number): n.number for row, column, n in given}
            found.add(tuple(tuple(numbers[r, c] for c in range(1, 5)) for r in range(1, 5)))
    return found


@pytest.mark.slow_cases(*{*WITH_WORDS} - {"no-ties", "nonconsecutive", "skyscraper"})
@pytest.mark.parametrize("name", WITH_WORDS)
def test_a_negated_rule_has_the_words_of_the_vocabulary_that_it_reads(name):
    """It is violated by the grids that clingo rejects in the printed program."""
    rule = library.find(name)
    facts = parse_fact_text(rule.example) if rule.example else ()
    program = compose(Puzzle.blank(4).replace(facts=facts), rule)
    accepted = grids_of(program.text)
    every = set(all_sudokus_of_four())
    assert accepted < every
    broken = RuleFile("violated", "violated.lp", ":- not t_broken.", vetted=True)
    negated = [library.base(), *library.defaults(), negate(rule, "t", facts), broken]
    assert grids_of(program.changed(negated).text) == every - accepted
