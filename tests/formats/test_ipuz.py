"""Sudokus in the JSON of ipuz."""

import json

import pytest
from in_one_test import in_one_test

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, registry
from aspdoku.puzzle import Function, Puzzle

ROWS = [[0, 1, None, "2"], [{"given": 3}, "0", 0, 0], [0, 0, 0, 0], [0, 0, {"value": 4}, 0]]


def text(*kinds, **fields):
    names = [f"http://ipuz.org/sudoku{'/' if kind else ''}{kind}#1" for kind in ("", *kinds)]
    document = {"version": "http://ipuz.org/v2", "kind": names, "puzzle": ROWS}
    return json.dumps(document | fields)


def facts(puzzle):
    return {str(fact) for fact in puzzle.facts}


def test_a_sudoku_is_read():
    puzzle = parse(text(title="A &amp; B", author="N. N.", dimensions={"width": 4}))
    assert puzzle.givens() == {(1, 2): 1, (1, 4): 2, (2, 1): 3, (4, 3): 4}
    assert (puzzle.box, puzzle.heading, puzzle.unsupported) == ((2, 2), "A & B, by N. N.", ())


@pytest.mark.parametrize("dimensions", [{"width": 5, "height": 4}, {"height": 3}, {"width": "4x"}])
def test_dimensions_that_contradict_the_puzzle_are_rejected(dimensions):
    with pytest.raises(PuzzleError, match="dimensions does not fit puzzle, which has 4 rows"):
        parse(text(dimensions=dimensions))


def test_characters_stand_for_numbers():
    rows = [["B", "#", "#", "A"], *[["#"] * 4] * 3]
    solution = ["BCDA", "DABC", "CBAD", "ADC#"]
    stated = list(map(list, solution))
    puzzle = parse(text("wordoku", charset="ABCD", empty="#", puzzle=rows, solution=stated))
    assert puzzle.solution == ((2, 3, 4, 1), (4, 1, 2, 3), (3, 2, 1, 4), (1, 4, 3, None))
    assert puzzle.givens() == {(1, 1): 2, (1, 4): 1}
    assert puzzle.unsupported == ()


@pytest.mark.parametrize("charset", ["01234", "ABCDE", "ABC", ["1", "2", "3", "4"], 5])
def test_characters_that_are_not_one_for_each_number_are_rejected(charset):
    """The 1 of "01234" would be the second character, and not the number 1."""
    with pytest.raises(PuzzleError, match="is not the 4 characters for the numbers of the grid"):
        parse(text(charset=charset))
    assert parse(text(charset="123456789")).grid == parse(text()).grid


def test_kinds_are_rules():
    assert parse(text("latinsquare")).without == ("box",)
    assert parse(text(boxes=False)).without == ("box",)
    assert parse(text("diagonalsudoku")).elaborations == ("diagonal",)
    windows = parse(text("hypersudoku", puzzle=[[0] * 9] * 9))
    assert (windows.elaborations, windows.unsupported) == (("windoku",), ())


@pytest.mark.parametrize("first", [0, 1])
def test_cages_and_zones_are_counted_from_0_or_from_1(first):
    """Cells are [column, row]."""
    far = 3 + first
    cages = [{"cells": [[first, first], [first, first + 1]], "value": 5}, {"cells": [[far, first]]}]
    puzzle = parse(text("killersudoku", cages=cages))
    if first == 0:
        cages[1]["cells"] = [[far, 0]]
    assert facts(puzzle) == {"cage(1,1,1)", "cage(2,1,1)", "cage_value(1,5)", "cage(1,4,2)"}
    zones = [{"cells": [[c + first, r + first] for r in range(4)]} for c in range(4)]
    columns = parse(text("jigsawsudoku", zones=zones))
    assert facts(columns) == {f"box({r},{c},{c})" for r in range(1, 5) for c in range(1, 5)}
    assert columns.unsupported == puzzle.unsupported == ()


UNSUPPORTED = {
    "where cells begin": ("killersudoku", {"cages": [{"cells": [[1, 1], [2, 2]], "value": 5}]}),
    "an operator": ("killersudoku", {"cages": [{"cells": [[0, 0]], "operator": "*"}]}),
    "a rectangle": ("killersudoku", {"cages": [{"cells": [[0, 0]], "rect": [0, 0, 1, 1]}]}),
    "cages of another kind": ("", {"cages": [{"cells": [[0, 0]], "value": 3}]}),
    "no cages": ("killersudoku", {}),
    "uneven zones": ("jigsawsudoku", {"zones": [{"cells": [[0, 0], [1, 0]]}]}),
    "another kind": ("calcudoku", {}),
    "windows of 4x4": ("hypersudoku", {}),
    "an extension": ("", {"com.example.rule": 1}),
    "a style": ("", {"puzzle": [[{"given": 0, "style": "x"}, 0, 0, 0], *ROWS[1:]]}),
}


@in_one_test("what", UNSUPPORTED)
def test_the_rest_is_reported(what):
    kind, fields = UNSUPPORTED[what]
    assert parse(text(kind, **fields)).unsupported


INVALID = {
    "a crossword": {"kind": ["http://ipuz.org/crossword#1"]},
    "no grid": {"puzzle": None},
    "a short row": {"puzzle": [[0, 0, 0, 0]] * 3 + [[0]]},
    "a large number": {"puzzle": [[9, 0, 0, 0], *ROWS[1:]]},
    "a letter": {"puzzle": [["?", 0, 0, 0], *ROWS[1:]]},
    "a cell outside": {"cages": [{"cells": [[0, 4]]}]},
    "no cell": {"cages": [{"cells": [["x", 4]]}]},
    "no objects": {"zones": [1]},
}


@pytest.mark.parametrize("what", INVALID)
def test_an_invalid_document_is_an_error(what):
    with pytest.raises(PuzzleError) as caught:
        parse(text(**INVALID[what]), "x")
    assert str(caught.value).startswith("x: ")


def test_what_is_written():
    puzzle = Puzzle.blank(4).replace(
        title="1 < 2",
        facts=(Function("cage", (1, 2, 1)), Function("cage_value", (1, 3))),
        elaborations=("killer", "diagonal"),
    )
    document = json.loads(registry.write(registry.by_name("ipuz"), [puzzle]))
    kinds = [kind.rpartition("/")[2] for kind in document["kind"]]
    assert kinds == ["sudoku#1", "killersudoku#1", "diagonalsudoku#1"]
    assert document["cages"] == [{"cells": [[1, 0]], "value": 3}]
    assert (document["title"], document["charset"]) == ("1 &lt; 2", "1234")


def test_a_sum_that_is_no_number_is_not_written():
    cage = (Function("cage", (1, 1, 1)), Function("cage_value", (1, Function("x"))))
    puzzle = Puzzle(((None,) * 4,) * 4, facts=cage, elaborations=("killer",))
    with pytest.raises(PuzzleError, match="a sum of a cage that is no number"):
        registry.write(registry.by_name("ipuz"), [puzzle])
