"""The convention for retraction: every constraint contains a literal `not ab(NAME)`."""

import re

import pytest
from in_one_test import in_one_test
from sampling import one_in

from aspdoku.program import RuleFile, library
from aspdoku.program.lint import notes


@pytest.mark.parametrize("name", one_in(3, library.rule_names()))
def test_bundled_rules_can_be_retracted(name):
    rule = library.find(name)
    assert notes(rule) == []
    # In a file with another name, no constraint contains the literal.
    assert notes(RuleFile("other", "other.lp", rule.text))


NO_REPEATS = [
    name
    for name in library.rule_names()
    if re.search(r"%@.*\{I\}.*at most one \{N\}", library.find(name).text)
]


@in_one_test("name", NO_REPEATS)
def test_the_description_of_a_rule_mentions_that_cages_forbid_repeats(name):
    """The title or the declaration of the cage mentions it; players see nothing else."""
    rule = library.find(name)
    described = [rule.title, *(item.meaning for item in rule.inputs)]
    assert any(
        re.search(
            r"\b(twice|different|every number occurs once|numbers from 1 to its size)\b", text, re.I
        )
        for text in described
    )


CASES = [
    # the text of no-ones.lp, then the line of each note and a fragment of it
    (":- a(1,1,1), not ab(no_ones).", []),
    (":- a(1,1,1), not ab(no_ones), not ab(no_ones,1).", []),
    (":- a(1,1,1).", [(1, "add the literal not ab(no_ones)")]),
    (
        "% title\n\n:- a(1,1,1),\n   a(2,2,1).\n",
        [(3, "the fact ab(no_ones). does not retract this constraint")],
    ),
    (
        ":- a(1,1,1), not ab(no_ones).\n:- a(1,1,2).\n:- a(1,1,3).",
        [(2, "not ab(no_ones)"), (3, "not ab(no_ones)")],
    ),
    (
        ":- a(1,1,1), not ab(other).",
        [(1, "does not retract this constraint, which depends on ab(other)")],
    ),
    (":- a(1,1,1), not ab(no_ones,1).", [(1, "does not retract this constraint")]),
    ("ab(box).\n:- a(1,1,1), not ab(no_ones).", [(1, "ab(box) in a rule file retracts a rule")]),
    ("no_ones_row(R) :- row(R).\n{ p }.\n#defined q/1.", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_constraint_that_cannot_be_retracted_gets_a_note(text, expected):
    found = notes(RuleFile("no-ones", "no-ones.lp", text))
    assert [(note.severity, note.place, note.line) for note in found] == [
        ("note", "no-ones.lp", line) for line, _ in expected
    ]
    for note, (_, fragment) in zip(found, expected, strict=True):
        assert fragment in note.text
