"""Results of a search as text: the verdict claims no more than was proved."""

import json
from types import SimpleNamespace

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle
from aspdoku.engine.solver import GivenConflicts
from aspdoku.questions.solve import SolutionCount, Solutions, conflict_lines, verdict


def search(found, ended, started=True, unsupported=(), growth=""):
    status = "several" if found > 1 else "unknown"
    return SimpleNamespace(
        found=found,
        ended=ended,
        status=status,
        started=started,
        growth=growth,
        puzzle=Puzzle.blank(4).replace(unsupported=unsupported),
    )


VERDICTS = [
    # number found, how the search ended, number shown, the verdict
    (0, "complete", 1, "no solution"),
    (1, "complete", 1, "unique solution"),
    (1, "complete", None, "unique solution"),
    (2, "complete", 5, "exactly 2 solutions"),
    (288, "complete", None, "exactly 288 solutions"),
    (2, "limit", 1, "at least two solutions; this is the first"),
    (1, "limit", 1, "a solution; no others were searched for"),
    (3, "limit", 3, "3 solutions; there may be others"),
    (0, "time", 1, "no solution found before the time limit, but there may be one"),
    (1, "time", 1, "a solution; its uniqueness was not decided before the time limit"),
    (7, "time", None, "7 solutions found before the time limit; there may be others"),
    (0, "interrupted", 1, "no solution found before the interruption, but there may be one"),
    (
        1,
        "interrupted",
        None,
        "a solution; its uniqueness was not decided before the interruption",
    ),
    (2, "interrupted", None, "2 solutions found before the interruption; there may be others"),
]


@in_one_test(("found", "ended", "shown", "expected"), VERDICTS)
def test_verdict(found, ended, shown, expected):
    assert verdict(search(found, ended), shown) == expected


@in_one_test(("found", "ended", "shown", "expected"), VERDICTS)
def test_every_verdict_has_the_caveat(found, ended, shown, expected):
    printed = verdict(search(found, ended, unsupported=("fog", "a line")), shown)
    assert printed == f"{expected} - ignoring unsupported parts: fog, a line"
    foggy = search(found, ended, unsupported=("fog",))
    for method in ("enumeration", "table"):
        assert str(SolutionCount(None, foggy, (), method)).endswith(
            " - ignoring unsupported parts: fog"
        )


@pytest.mark.parametrize(
    ("ended", "word"), [("time", "the time limit"), ("interrupted", "the interruption")]
)
def test_verdict_if_the_search_did_not_start(ended, word):
    printed = verdict(search(0, ended, started=False), 1)
    assert printed == f"no result before {word}: the program was still being grounded"
    cause = "mine.lp:1: the largest predicate is p/1"
    printed = verdict(search(0, ended, started=False, growth=cause), 1)
    assert printed.endswith(f"was still being grounded; {cause}")


def test_reasons():
    puzzle = aspdoku.parse("1 . . 1\n. . . .\n. . . .\n. . . .\n")
    assert conflict_lines(puzzle, GivenConflicts()) == []
    found = GivenConflicts(givens=(((1, 1), (1, 4)), ((1, 4),)))
    assert conflict_lines(puzzle, found) == [
        "r1c1=1 and r1c4=1 conflict",
        "the rules forbid r1c4=1 on its own",
    ]
    (alone,) = conflict_lines(puzzle, GivenConflicts(rules_alone=True))
    assert "the rules have no solution, whatever the givens are" in alone


def test_an_answer_as_json_is_plain_data():
    conflicts = GivenConflicts(givens=(((1, 1), (1, 4)),))
    document = json.loads(
        json.dumps(Solutions(None, search(0, "time"), (), None, conflicts, (), None).to_json())
    )
    assert document == {
        "schema": "aspdoku/solve/1",
        "status": "unknown",
        "complete": False,
        "ended": "time",
        "solutions": [],
        "conflicts": [[[1, 1], [1, 4]]],
        "rules_alone": False,
    }
