"""Guards: with all guards on, the guarded program has the solutions of the original one; switching
a guard off only adds solutions.

The solutions of the original text are those of plain clingo, and for the bundled rules those of
tests/oracle.py.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import oracle
import pytest
from clingo import Control
from in_one_test import in_one_test
from rule_files import rule_file
from sampling import one_in

import aspdoku
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.lint import check
from aspdoku.program.rulefile import message_templates
from aspdoku.program.transform import add_guards
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

BLANK = Puzzle.blank(4)
RULES = {
    "box": oracle.CLASSIC,
    "anti-knight": replace(oracle.CLASSIC, anti_knight=True),
    "offset": replace(oracle.CLASSIC, offset=True),
    "greater-than": replace(oracle.CLASSIC, greater_than=(((1, 1), (1, 2)),)),
    "chain": replace(oracle.CLASSIC, chains={"A": ((1, 1), (2, 2), (3, 2), (4, 3))}),
    "killer": replace(oracle.CLASSIC, cages=(oracle.Cage(((1, 1), (2, 1)), 5, "A"),)),
}


def bundled(name):
    """The base, boxes and a bundled rule, and a blank grid with the example facts of the rule."""
    example = library.find(name).example
    puzzle = aspdoku.parse("....\n" * 4 + f"[facts]\n{example}") if example else BLANK
    return puzzle, [library.base(), *dict.fromkeys([library.find("box"), library.find(name)])]


class Ground:
    """A program grounded by clingo, and its grids, each as the set of its atoms a(R,C,N)."""

    def __init__(self, text):
        self._control = Control(["0", "--project=project"], logger=lambda *_: None)
        self._control.add("base", [], text)
        self._control.ground([("base", [])])
        self.guards = [
            atom.symbol
            for atom in self._control.symbolic_atoms
            if atom.symbol.name.startswith("guard")
        ]

    def grids(self, off=()):
        assumed = [(guard, guard not in off) for guard in self.guards]
        with self._control.solve(assumptions=assumed, yield_=True) as handle:
            return {
                frozenset(
                    tuple(each.number for each in atom.arguments)
                    for atom in model.symbols(shown=True)
                    if atom.match("a", 3)
                )
                for model in handle
            }


def with_guards(puzzle, rules):
    return Ground(assemble(puzzle, add_guards(rules).rules).text)


def as_atoms(grid):
    return frozenset((r, c, n) for r, row in enumerate(grid, 1) for c, n in enumerate(row, 1))


# ---- Message templates ----

TEMPLATES = [
    # a file, and for each line of a rule: the line of the comment, its variables, its parts
    ("%@ never {N}\n:- a(1,1,N).", {2: (1, None, ("never {N}",))}),
    ("%@(R,C) r{R}c{C} is odd\n:- a(R,C,2).", {2: (1, ("R", "C"), ("r{R}c{C} is odd",))}),
    ("%@(R , C1)   so  \n:- a(R,C1,2).", {2: (1, ("R", "C1"), ("so",))}),
    (
        "%@ too few {R} | too many {R}\n{ p(R) } = 1 :- row(R).",
        {2: (1, None, ("too few {R}", "too many {R}"))},
    ),
    ("%@ said\n% a word to the reader\n\n%* and\nmore *%\n:- a(1,1,1).", {6: (1, None, ("said",))}),
    (":- a(1,1,1).\n\n   %@ indented\n   :- a(2,2,2).", {4: (3, None, ("indented",))}),
    (
        "%@ one\n:- a(1,1,1).\n%@ two\n:- a(\n  2,2,2).",
        {2: (1, None, ("one",)), 4: (3, None, ("two",))},
    ),
    ('p("%@ {N}").\n%@ {N} is "p"\n:- p(N).', {3: (2, None, ('{N} is "p"',))}),
    ("% @ no\n%%@ no\n%*@ no *%\n:- a(1,1,1).", {}),
    (":- a(1,1,1).", {}),
    ("%@(r) small\n:- a(1,1,1).", {2: (1, None, ("(r) small",))}),
    ("%@\n:- a(1,1,1).", {2: (1, None, ("",))}),
]


@in_one_test(("text", "expected"), TEMPLATES)
def test_a_template_belongs_to_the_next_line_of_code(text, expected):
    found = message_templates(rule_file(text))
    assert {line: tuple(template) for line, template in found.items()} == expected


@in_one_test(
    "text",
    [
        ":- a(1,1,1).\n%@ nothing below",
        "%@ a declaration below\n#defined p/1.",
        "%@ lost {N}\n",
        "%@ no {X}\n:- a(R,C,N), a(C,R,N), R < C.",
        "%@(R) has no {C}\n:- a(R,C,N), a(C,R,N), R < C.",
        "%@(X) never\n:- a(R,C,N), a(C,R,N), R < C.",
        "%@ the sum {S}\n:- row(R), S = #sum { N : a(R,C,N) }, S > 3.",
        "%@\n:- a(1,1,1).",
        "%@(R)\n:- a(R,R,1).",
        "%@ one |\n{ a(1,1,1) } = 1.",
        "%@() never\n:- a(1,1,1).",
        "%@(r) never\n:- a(1,1,1).",
        "%@ never {R\n:- a(R,R,1).",
        "%@ never { R }\n:- a(R,R,1).",
        "%@ never R}\n:- a(R,R,1).",
        "%@ one | other\n:- a(1,1,1).",
        "%@ one | two | three\n{ a(1,1,1); a(1,1,2) } = 1.",
    ],
)
def test_check_finds_invalid_templates(text):
    (finding,) = [message for message in check(rule_file(text)) if "'%@'" in message.text]
    assert text.splitlines()[finding.line - 1].startswith("%@")


@pytest.mark.slow
def test_templates_of_bundled_rules_only_use_variables_of_their_guards():
    for rule in [library.base(), *map(library.find, library.rule_names())]:
        found = add_guards([library.base(), rule]).guards
        lines_with_messages = {
            line for line, template in message_templates(rule).items() if not template.is_silent
        }
        assert {guard.line for guard in found if guard.place == rule.place} == lines_with_messages
        for guard in found:
            words = guard.message(f"<{name}>" for name in guard.variables)
            assert "{" not in words
            assert guard.place not in words


PARTS = [
    ("%@ few {R} | many {R}\n2 { p(R,1..4) } 3 :- row(R).", {"least": "few 7", "most": "many 7"}),
    ("%@ wrong {R}\n2 { p(R,1..4) } 3 :- row(R).", {"least": "wrong 7", "most": "wrong 7"}),
    ("%@ few {R} | many {R}\n{ p(R,1..4) } 3 :- row(R).", {"most": "many 7"}),
    ("%@ few {R} | many {R}\n2 { p(R,1..4) } :- row(R).", {"least": "few 7"}),
    ("%@ few {R} | many {R}\n{ p(R,1..4) } = 2 :- row(R).", {"least": "few 7", "most": "many 7"}),
    ("%@ few {R} | many {R}\n3 > { p(R,1..4) } :- row(R).", {"most": "many 7"}),
    ("%@ few {R} | many {R}\n3 < { p(R,1..4) } :- row(R).", {"least": "few 7"}),
    ("%@ few {R} | many {R}\n{ p(R,1..4) } > 3 :- row(R).", {"least": "few 7"}),
    ("%@ few {R} | many {R}\n{ p(R,1..4) } < 3 :- row(R).", {"most": "many 7"}),
    ("%@ never {R}\n:- row(R), a(R,1,1).", {"": "never 7"}),
    ("%@ given {R}\na(R,1,1) :- row(R).", {"": "given 7"}),
]


@in_one_test(("text", "words"), PARTS)
def test_the_message_of_a_choice_depends_on_the_bound(text, words):
    own = [
        guard
        for guard in add_guards([library.base(), rule_file(text)]).guards
        if guard.name == "mine"
    ]
    assert {guard.part: guard.message("7") for guard in own} == words


WITHOUT_TEMPLATE = [
    (":- a(R,C,N), a(R+1,C,N).", 1, "456", ":- a(4,5,6), a(4+1,5,6)."),
    ("\n\n:- a(1,1,1).", 3, "", ":- a(1,1,1)."),
    (
        ":- cage(I,S), #sum { N,R,C : a(R,C,N), in(R,C,I) } != S.",
        1,
        "45",
        ":- cage(4,5), #sum { N,R,C : a(R,C,N), in(R,C,4) } != 5.",
    ),
    (
        ":- row(R), X = #sum { N,C : a(R,C,N) }, Y = R+1, X < Y.",
        1,
        "45",
        ":- row(4), X = #sum { N,C : a(4,C,N) }, 5 = 4+1, X < 5.",
    ),
    (":- a(R,_,N), a(_,R,N).", 1, "45", ":- a(4,_,5), a(_,4,5)."),
    (
        ':- name("R is N", R), a(R,1,_R), aR(R,N).',
        1,
        "456",
        ':- name("R is N", 4), a(4,1,5), aR(4,6).',
    ),
    (
        ":- S = #sum { N : a(1,_,N) }, p(S*S), q(|S-3|), r(R).",
        1,
        "4",
        ":- S = #sum { N : a(1,_,N) }, p(S*S), q(|S-3|), r(4).",
    ),
]


@pytest.mark.parametrize(("text", "line", "values", "words"), WITHOUT_TEMPLATE)
def test_the_message_without_a_template_is_the_position_and_the_rule_with_its_values(
    text, line, values, words
):
    (guard,) = add_guards([rule_file(text)]).guards
    assert guard.message(values) == f"mine.lp:{line}: {words}"


def test_values_that_look_like_letters_are_not_replaced_again():
    (guard,) = add_guards([rule_file("%@ {X} and {Y}\n:- p(X,Y).")]).guards
    assert guard.message(["{Y}", "{X}"]) == "{Y} and {X}"


# ---- All guards on ----


@pytest.mark.parametrize("name", one_in(3, RULES))
def test_with_all_guards_on_the_bundled_rules_have_the_solutions_that_the_oracle_finds(name):
    found = with_guards(*bundled(name)).grids()
    assert found == {as_atoms(grid) for grid in oracle.solutions(BLANK.grid, RULES[name])}


STUDENTS = {
    "a pair": ":- a(R,C,N), a(R+1,C+1,N).",
    "two rules in a line": ":- a(1,1,N), a(2,3,N). :- a(1,1,N), a(3,2,N).",
    "an interval": ":- a(1,1..2,N), N = 1..2.",
    "a pool": ":- a(1,(1;2),3).",
    "a comparison": ":- a(1,1,X), a(1,2,Y), X > Y, Y != 2.",
    "an assignment": ":- row(R), C = 5-R, a(R,C,N), a(1,1,N).",
    "anonymous variables": ":- a(1,_,N), N = 1, a(_,1,1).",
    "negation": ":- not a(1,1,1), not a(1,1,2).",
    "double negation": ":- not not a(1,1,1).",
    "a sum": ":- #sum { N,C : a(1,C,N), C < 3 } != 5.",
    "a sum with a name": ":- row(R), S = #sum { N,C : a(R,C,N), C < 3 }, S = 3.",
    "two sums": ":- row(R), X = #sum { N : a(R,1,N) }, #sum { N : a(R,2,N) } = X+1.",
    "a conditional sum": ":- a(1,1,N), #sum { M,C : a(2,C,M), C > 2 } != N+3.",
    "a count": ":- row(R), #count { C : a(R,C,N), N > 2, C < 3 } = 2.",
    "a maximum": ":- #max { N : a(1,C,N), C < 3 } < 3.",
    "a condition": ":- a(1,1,1) : row(1).",
    "a condition over cells": ":- not a(C,C,1) : column(C).",
    "a helper": "big(R,C) :- a(R,C,N), N > 2.\n:- big(1,1), big(2,2).",
    "a helper's negation": "big(R,C) :- a(R,C,N), N > 2.\n:- not big(1,1), not big(4,4).",
    "helpers over helpers": (
        "big(R,C) :- a(R,C,3..4).\nheavy(R) :- row(R), 2 { big(R,1..2) }.\n:- not heavy(1)."
    ),
    "recursion": (
        "edge(C,N) :- a(1,C,N).\nreach(1).\nreach(N) :- reach(C), edge(C,N).\n:- not reach(4)."
    ),
    "a given": "a(1,1,2).",
    "givens of a pool": "a(1,1,2;2,2,3).",
    "givens of an interval": "a(1..2,1,R) :- R = 3. :- a(1,1,3).\nab(column).",
    "givens by a rule": "given(1,1,2). given(3,3,4).\na(R,C,N) :- given(R,C,N).",
    "a conclusion over the grid": "a(1,1,N) :- a(2,2,N).",
    "a condition of a row": "a(1,2,1) :- a(2,4,2), not a(3,3,3).",
    "a custom choice": "{ lucky(R) : row(R) } = 1.\n:- lucky(R), not a(R,R,1).",
    "a choice of two to three": "2 { lucky(R) : row(R) } 3.\n:- lucky(R), not a(R,R,R).",
    "a choice of any number but two": (
        "{ lucky(R) : row(R) } != 2.\n:- lucky(R), a(R,R,R).\n:- not lucky(R), not a(R,R,R),"
        " row(R)."
    ),
    "a choice above": "{ lucky(R) : row(R) } > 2.\n:- lucky(R), not a(R,1,R).",
    "a choice below": "{ lucky(R) : row(R) } < 2.\n:- not lucky(R), not a(R,1,R), row(R).",
    "a choice with a lower bound on the left": (
        "3 <= { lucky(R) : row(R) }.\n:- lucky(R), not a(R,1,R)."
    ),
    "a choice with an upper bound on the left": (
        "2 > { lucky(R) : row(R) }.\n:- not lucky(R), not a(R,1,R), row(R)."
    ),
    "a choice without bounds": "{ lucky }.\n:- lucky, not a(1,1,1).\n:- not lucky, not a(1,1,2).",
    "a choice and a definition": (
        "{ shade(R) : row(R) }.\nshade(0) :- row(1).\nshade(5).\n:- shade(R), a(R,1,R)."
    ),
    "a choice and a definition that depends on the grid": (
        "{ p(1..2) }.\np(3) :- a(1,1,1).\n:- p(3), not a(2,2,2)."
    ),
    "a disjunction": "p ; q.\n:- p, not a(1,1,1).\n:- q, not a(1,1,2).",
    "a head aggregate": "#count { R : lucky(R) : row(R) } = 1.\n:- lucky(R), not a(R,R,1).",
    "a condition in a head": "p(R) : row(R).\n:- p(R), not a(R,R,R).",
    "classical negation": "-a(1,1,1).\n-a(2,2,N) :- a(3,3,N).",
    "a negated head": "not a(1,1,1) :- number(1).",
    "a doubly negated head": "not not a(1,1,1) :- number(1).",
    "a comparison as head": "N < 3 :- a(1,1,N).",
    "a chain of comparisons": ":- a(1,1,X), a(1,2,Y), 1 < X < Y.",
    "true as head": "#true :- a(1,1,1).",
    "false as head": "#false :- a(1,1,1).",
    "a string": 'name("a \\"quoted\\" %@ \\\\ text").\n:- name(X), a(1,1,1).',
    "an exception": "ab(box,3).",
    "an external": "#external p.\n:- p, a(1,1,1).\n:- not p, a(1,1,2).",
    "a shown atom": "#show.\n#show p/1.\np(N) :- a(1,1,N).\n:- p(3).",
    "an instance that is simplified away": ":- a(R,C,N), number(7).\n:- row(1), a(1,1,1).",
    "no solution": ":- row(1).",
    "coarse instances": "%@(R) row {R} falls\n:- a(R,1,X), a(R,2,Y), X < Y, R < 3.",
    "coarse instances of a sum": (
        "%@ so\n:- row(R), R < 3, B = 5..6, B <= #sum { N,C : a(R,C,N), C < 3 }."
    ),
}


@pytest.mark.slow_cases("a maximum")
@pytest.mark.parametrize("name", one_in(2, STUDENTS))
def test_with_all_guards_on_a_file_has_the_same_solutions_as_its_text(name):
    rules = [library.base(), library.find("box"), rule_file(STUDENTS[name])]
    plain = Ground(assemble(BLANK, rules).text)
    assert plain.guards == []
    assert with_guards(BLANK, rules).grids() == plain.grids()


# ---- Guards switched off ----

PARTLY = aspdoku.parse("1 2 3 4\n3 4 1 2\n. . . .\n. . . .")


def sample(items, count):
    return items[:: max(1, len(items) // count)]


@pytest.mark.parametrize("name", [*RULES])
def test_switching_a_bundled_rule_off_allows_more_and_never_less(name):
    puzzle, rules = bundled(name)
    ground = with_guards(puzzle.replace(grid=PARTLY.grid), rules)
    everything = ground.grids()
    assert all(ground.grids({guard}) >= everything for guard in sample(ground.guards, 40))
    for pair in sample(list(combinations(sample(ground.guards, 8), 2)), 8):
        assert ground.grids(set(pair)) >= ground.grids({pair[0]}) | ground.grids({pair[1]})


@pytest.mark.parametrize("name", one_in(2, STUDENTS))
def test_switching_a_rule_of_a_file_off_allows_more_and_never_less(name):
    rules = [library.base(), library.find("box"), rule_file(STUDENTS[name])]
    ground = with_guards(PARTLY, rules)
    everything = ground.grids()
    number = {
        number for number, guard in enumerate(add_guards(rules).guards) if guard.name == "mine"
    }
    own = [guard for guard in ground.guards if guard.arguments[0].number in number]
    assert all(ground.grids({guard}) >= everything for guard in sample(own, 12))


def test_switching_off_one_pair_exempts_only_this_pair():
    puzzle, rules = bundled("anti-knight")
    ground = with_guards(puzzle, rules)
    classic = oracle.solutions(BLANK.grid, oracle.CLASSIC)
    names = [guard.name for guard in add_guards(rules).guards]
    pairs = [guard for guard in ground.guards if names[guard.arguments[0].number] == "anti-knight"]
    assert len(pairs) == len(oracle.knight_pairs(4))
    for guard in pairs[::3]:
        r, c, r1, c1 = (each.number for each in guard.arguments[1].arguments)
        exempt = {tuple(sorted([(r, c), (r1, c1)]))}
        allowed = [
            grid for grid in classic if set(oracle.equal_pairs(grid, oracle.knights_move)) <= exempt
        ]
        assert ground.grids({guard}) == set(map(as_atoms, allowed))


def test_with_all_guards_off_only_the_definitions_constrain_the_grid():
    text = "half(1..2).\n:- half(R), a(R,1,1).\na(1,1,2)."
    base = RuleFile("base", "base.lp", "{ a(1,1,1..2) } = 1.\n")
    ground = Ground(
        "#project a/3.\n"
        + "\n".join(rule.text for rule in add_guards([base, rule_file(text)]).rules)
    )
    assert ground.grids(set(ground.guards)) == {
        frozenset(),
        *map(frozenset, ([(1, 1, 1)], [(1, 1, 2)], [(1, 1, 1), (1, 1, 2)])),
    }
    assert ground.grids() == {frozenset({(1, 1, 2)})}


# ---- Guarded and unguarded statements ----

KINDS = [
    # a rule, its number of guards, and the number of unguarded statements
    (":- a(1,1,1).", 1, 0),
    ("p(R) :- row(R).", 0, 0),
    ("p(R) :- row(R), not a(R,R,R).", 0, 0),
    ("{ p(R) : row(R) }.", 0, 0),
    ("1 { p(R) : row(R) } 2.", 2, 0),
    ("{ p(R) : row(R) } = 1.", 2, 0),
    ("{ p(R) : row(R) } <= 1.", 1, 0),
    ("a(1,1,1).", 1, 0),
    ("a(R,C,N) :- given(R,C,N).", 1, 0),
    ("a(R,C) :- given(R,C,N).", 0, 0),
    ("p ; q.", 0, 1),
    ("p :- not p.", 0, 1),
    ("p(R) :- row(R), not q(R). q(R) :- row(R), not p(R).", 0, 2),
    ("p :- #count { R : q(R) } > 1. q(1..3) :- not p.", 0, 2),
    ("p(R) :- q(R-1). q(R) :- p(R), row(R).", 0, 0),
    ("p : row(1).", 0, 1),
    ("#count { R : p(R) : row(R) } = 1.", 0, 1),
    ("#defined p/1.\n#show p/1.\n% nothing else", 0, 0),
]


@in_one_test(("text", "guards", "unguarded"), KINDS)
def test_guarded_and_unguarded_statements(text, guards, unguarded):
    found = add_guards([library.base(), rule_file(text)])
    assert len([guard for guard in found.guards if guard.name == "mine"]) == guards
    assert [(each.place, each.line) for each in found.unguarded] == [("mine.lp", 1)] * unguarded


def test_each_guard_knows_its_rule():
    text = "% a title\n\n:- a(1,1,1).\np(R) :- row(R).\n\n2 { q(R) : p(R) }\n  3.\na(1,1,4)."
    own = [
        guard
        for guard in add_guards([library.base(), rule_file(text)]).guards
        if guard.name == "mine"
    ]
    assert [(guard.place, guard.line, guard.part) for guard in own] == [
        ("mine.lp", 3, ""),
        ("mine.lp", 6, "least"),
        ("mine.lp", 6, "most"),
        ("mine.lp", 8, ""),
    ]


def test_the_rule_file_is_not_changed():
    rules = [library.base(), rule_file(":- a(1,1,1). % so\n")]
    texts = [rule.text for rule in rules]
    found = add_guards(rules).rules
    assert [rule.text for rule in rules] == texts
    assert [(rule.name, rule.place) for rule in found] == [
        (rule.name, rule.place) for rule in rules
    ]


def with_sections():
    """The puzzles made for a rule that have sections."""
    files = sorted((Path(__file__).parents[2] / "instances" / "made").glob("*.txt"))
    return [file for file in files if "\n[" in file.read_text("utf-8")]


@pytest.mark.slow_cases("[!e]*")
@pytest.mark.parametrize("file", with_sections(), ids=lambda file: file.stem)
def test_a_puzzle_has_the_same_facts_with_guarded_rules(file):
    """The guarded files have no comments, which declare how sections are read."""
    program = aspdoku.compose(aspdoku.read(file))
    guarded = add_guards(part.rule for part in program.parts)
    assert assemble(program.puzzle, guarded.rules).puzzle.facts == program.puzzle.facts
