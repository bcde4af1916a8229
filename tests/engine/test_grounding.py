"""The ground program, against clingo's own text output and numbers counted by hand."""

import subprocess
import sys
from collections import Counter

import oracle
import pytest

from aspdoku.engine.grounding import GroundRule, ground
from aspdoku.errors import RuleError
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

BASE = library.base()


def little(text, size=1):
    """The ground program of a rule file without the base."""
    return ground(assemble(Puzzle.blank(size), [RuleFile("little", "little.lp", text)]))


def printed(program):
    """The number of constraints that clingo prints."""
    command = [sys.executable, "-m", "clingo", "--text", "--warn=none"]
    text = subprocess.run(
        command, input=program.text, capture_output=True, text=True, timeout=60, check=False
    ).stdout
    return sum(line.startswith(":-") for line in text.splitlines())


CASES = [
    # a complete program, and its ground rules as they are written by hand
    ("p(1..2).", []),
    ("{ p(1..2) }.", ["{ p(1) }.", "{ p(2) }."]),
    ("{ p(1) }. q(X) :- p(X).", ["{ p(1) }.", "q(1) :- p(1)."]),
    ("{ p(1..2) }. :- p(1), not p(2).", ["{ p(1) }.", "{ p(2) }.", ":- not p(2), p(1)."]),
    ("{ p(1) }. q(1). r :- p(1), q(1).", ["{ p(1) }.", "r :- p(1)."]),
    ("{ p(1) }. r :- p(1), q(1). #defined q/1.", ["{ p(1) }."]),
    ("{ q }. p(1) | p(2) :- q.", ["{ q }.", "p(1) | p(2) :- q."]),
    ("{ p(1..2) }. :- 2 { p(1); p(2) }.", ["{ p(1) }.", "{ p(2) }.", ":- 2 { p(1); p(2) }."]),
    ("{ p }. :- p. :- p.", ["{ p }.", ":- p.", ":- p."]),
]


@pytest.mark.parametrize(("text", "rules"), CASES)
def test_ground_rules_have_the_names_of_the_author(text, rules):
    assert Counter(map(str, little(text).rules.elements())) == Counter(rules)


def test_facts_are_not_among_the_rules():
    found = little("p(1). { q(1) }.")
    assert (found.facts, found.atoms) == ({"p(1)"}, {"p(1)", "q(1)"})


def test_the_order_of_a_body_does_not_matter():
    assert little("{ p }. { q }. r :- p, not q.") == little("{ q }. { p }. r :- not q, p.")


@pytest.mark.parametrize("size", [4, 6, 9])
def test_anti_knight_adds_a_rule_for_each_pair_of_cells_and_number(size):
    puzzle = Puzzle.blank(size)
    game = [BASE, library.find("box")]
    before, after = (
        ground(assemble(puzzle, game)),
        ground(assemble(puzzle, [*game, library.find("anti-knight")])),
    )
    pairs = oracle.knight_pairs(size)
    atoms = [
        sorted(f"a({r},{c},{n})" for r, c in pair) for pair in pairs for n in range(1, size + 1)
    ]
    assert not before.rules - after.rules
    assert after.rules - before.rules == Counter(
        GroundRule("", tuple(body), frozenset(body)) for body in atoms
    )
    assert size != 9 or len(atoms) == 2016


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("anti-knight", 2016),
        ("box", 81 + 81),
        ("offset", 81),
        ("slides/anti-knight-eight-rules", 2 * 2016),
    ],
)
def test_the_constraints_added_are_as_many_as_clingo_prints(name, added):
    before, after = (
        assemble(Puzzle.blank(9), rules) for rules in ([BASE], [BASE, library.find(name)])
    )
    assert printed(after) - printed(before) == added
    assert (ground(after).rules - ground(before).rules).total() == added


@pytest.mark.parametrize("size", [1, 4, 6, 9])
def test_the_base_has_three_choices_per_cell_and_number(size):
    choices = [
        rule
        for rule in ground(assemble(Puzzle.blank(size), [BASE])).rules.elements()
        if rule.head.startswith("{")
    ]
    named = Counter(atom for rule in choices for atom in rule.head.strip("{ }").split("; "))
    cells = {f"a({r},{c},{n})" for r, c in oracle.cells_of(size) for n in range(1, size + 1)}
    assert named == Counter(dict.fromkeys(cells, 3))


def test_a_program_that_clingo_cannot_ground_is_an_error():
    with pytest.raises(RuleError):
        ground(assemble(Puzzle.blank(1), [RuleFile("bad", "bad.lp", "p(X) :- q.", vetted=True)]))
