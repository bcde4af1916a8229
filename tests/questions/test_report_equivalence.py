"""Comparisons of rules as text and as JSON, for a handmade comparison."""

import json

import pytest

from aspdoku import Puzzle, Solution
from aspdoku.lecture.equivalence import RuleComparison, SizeResult, Violation, Witness
from aspdoku.program import RuleFile
from aspdoku.puzzle import Function
from aspdoku.questions.equal import Equivalence

ONE, TWO = RuleFile("one", "one.lp", ""), RuleFile("two", "two.lp", "")
GRID = Solution(Puzzle.blank(4), ((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1)))


def witness(broken, *cells, facts=()):
    other = TWO if broken is ONE else ONE
    found = (Violation(broken.place, 3, 5, cells), Violation(broken.place, 7, 1, ((4, 4),)))
    return Witness(broken, other, GRID, facts, found)


def comparison(*findings):
    return RuleComparison(
        ONE,
        TWO,
        tuple(
            SizeResult(size, relation, tuple(witnesses)) for size, relation, *witnesses in findings
        ),
    )


BY_ONE, BY_TWO = witness(ONE, (1, 1), (2, 3)), witness(TWO, (1, 2))
VERDICTS = [
    (
        comparison((4, "same"), (6, "same")),
        "same",
        "equivalent: no grid distinguishes one.lp and two.lp",
    ),
    (
        comparison((4, "same"), (6, "one stricter", BY_ONE)),
        "one stricter",
        "one.lp is stricter than two.lp at 6x6",
    ),
    (
        comparison((4, "two stricter", BY_TWO)),
        "two stricter",
        "two.lp is stricter than one.lp at 4x4",
    ),
    (
        comparison((4, "neither", BY_ONE, BY_TWO)),
        "neither",
        "different: one.lp and two.lp each forbid a grid that",
    ),
    (
        comparison((4, "one stricter", BY_ONE), (6, "two stricter", BY_TWO)),
        "neither",
        "different: one.lp and two.lp each",
    ),
    (
        comparison((4, "same"), (9, "undecided")),
        "undecided",
        "undecided: no grid that distinguishes one.lp and two.lp was found in time",
    ),
    (
        comparison((9, "different", BY_ONE)),
        "different",
        "different: a grid distinguishes one.lp and two.lp; whether one is stricter",
    ),
]


@pytest.mark.parametrize(
    ("compared", "relation", "words"), VERDICTS, ids=[words[:30] for _, _, words in VERDICTS]
)
def test_the_verdict(compared, relation, words):
    assert compared.relation == relation
    assert str(Equivalence(compared)).startswith(words)
    assert Equivalence(compared).to_json()["relation"] == relation
    assert (
        len(Equivalence(compared).to_json()["witnesses"])
        == str(Equivalence(compared)).count("forbids this grid")
        == len(compared.witnesses)
    )


def test_there_is_one_grid_of_the_smallest_size_for_each_direction():
    later = witness(ONE, (3, 3))
    compared = comparison((4, "one stricter", BY_ONE), (6, "neither", later, BY_TWO))
    assert compared.witnesses == (BY_ONE, BY_TWO)


def test_the_sizes_searched_are_listed():
    compared = comparison((4, "same"), (6, "neither", BY_ONE, BY_TWO), (9, "undecided"))
    assert (
        str(Equivalence(compared)).splitlines()[1]
        == "(4x4: the same, 6x6: different, 9x9: not decided in time)"
    )


def test_a_grid_is_shown_with_its_cells_and_facts():
    facts = (Function("gt", (1, 1, 2, 3)), Function("ab", (Function("box"),)))
    compared = comparison((4, "one stricter", witness(ONE, (1, 1), (2, 3), facts=facts)))
    assert str(Equivalence(compared)).split("\n\n", 1)[1] == (
        "one.lp:3 forbids this grid (r1c1, r2c3), and two.lp allows it:\n"
        "\n"
        "[1]  2  |  3   4\n"
        " 3   4  | [1]  2\n"
        "--------+--------\n"
        " 2   1  |  4   3\n"
        " 4   3  |  2   1\n"
        "\n"
        "with gt(1,1,2,3). ab(box)."
    )


@pytest.mark.parametrize(
    ("cells", "named"),
    [
        ((), "one.lp:3 forbids this grid, and"),
        (((1, 1),), "forbids this grid (r1c1), and"),
        (((1, 1), (1, 2), (1, 3), (1, 4)), "forbids this grid (r1c1, r1c2, r1c3, r1c4), and"),
        (
            ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1)),
            "forbids this grid (r1c1, r1c2, r1c3, r1c4 and others), and",
        ),
    ],
)
def test_some_cells_are_listed_and_all_are_marked(cells, named):
    shown = str(Equivalence(comparison((4, "one stricter", witness(ONE, *cells)))))
    assert named in shown
    assert shown.count("[") == len(cells)


def test_the_document():
    facts = (Function("gt", (1, 1, 2, 3)),)
    compared = comparison(
        (4, "same"), (6, "one stricter", witness(ONE, (1, 1), (2, 3), facts=facts))
    )
    assert json.loads(json.dumps(Equivalence(compared).to_json())) == {
        "schema": "aspdoku/equal/1",
        "one": "one.lp",
        "two": "two.lp",
        "relation": "one stricter",
        "without": [],
        "sizes": [{"size": 4, "relation": "same"}, {"size": 6, "relation": "one stricter"}],
        "witnesses": [
            {
                "violated": "one.lp",
                "satisfied": "two.lp",
                "grid": [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]],
                "facts": ["gt(1,1,2,3)."],
                "violations": [
                    {"line": 3, "column": 5, "cells": [[1, 1], [2, 3]], "message": ""},
                    {"line": 7, "column": 1, "cells": [[4, 4]], "message": ""},
                ],
            }
        ],
    }
