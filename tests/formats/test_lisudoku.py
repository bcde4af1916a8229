"""The JSON of lisudoku."""

import copy
import json

import published_puzzles
import pytest

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all, registry
from aspdoku.puzzle import Function


def at(*cells):
    return [{"row": row, "col": column} for row, column in cells]


DOCUMENT = {
    "gridSize": 4,
    "fixedNumbers": [{"position": {"row": 0, "col": 1}, "value": 4}],
    "evenCells": at((2, 2)),
    "oddCells": at((3, 3)),
    "thermos": [at((0, 0), (1, 1))],
    "palindromes": [at((0, 2), (0, 3))],
    "renbans": [at((1, 2), (1, 3))],
    "extraRegions": [at((0, 0), (3, 0))],
    "killerCages": [{"sum": 5, "region": at((2, 0), (2, 1))}, {"sum": None, "region": at((3, 1))}],
    "kropkiDots": [{"dotType": "Double", "cell1": at((2, 2))[0], "cell2": at((2, 3))[0]}],
    "antiKnight": True,
    "antiKing": False,
    "primaryDiagonal": True,
    "secondaryDiagonal": True,
    "arrows": None,
}


def test_a_document_becomes_facts_and_rules():
    text = json.dumps(DOCUMENT)
    assert [each.name for each in registry.FOREIGN if each.fits(text)] == ["lisudoku"]
    puzzle = parse(text)
    assert puzzle.givens() == {(1, 2): 4}
    expected = [
        Function("even", (3, 3)),
        Function("odd", (4, 4)),
        Function("thermo", (1, 1, 1, 1)),
        Function("thermo", (1, 2, 2, 2)),
        Function("palindrome", (1, 1, 1, 3)),
        Function("palindrome", (1, 2, 1, 4)),
        Function("renban", (1, 1, 2, 3)),
        Function("renban", (1, 2, 2, 4)),
        Function("extra_region", (1, 1, 1)),
        Function("extra_region", (4, 1, 1)),
        Function("cage", (3, 1, 1)),
        Function("cage", (3, 2, 1)),
        Function("cage_value", (1, 5)),
        Function("cage", (4, 2, 2)),
        Function("black_dot", (3, 3, 3, 4, 2)),
    ]
    assert {*puzzle.facts} == {*expected}
    assert len(puzzle.facts) == len(expected)
    assert {*puzzle.elaborations} == {
        *("even", "odd", "thermo", "palindrome", "renban", "extra-region", "killer", "black-dots"),
        *("anti-knight", "diagonal"),
    }
    assert puzzle.unsupported == ()


def test_unknown_keys_are_reported():
    puzzle = parse('{"gridSize": 4, "arrows": [1], "primaryDiagonal": 2, "antiKnight": 2}')
    assert puzzle.unsupported == ("'arrows'", "'primaryDiagonal'", "'antiKnight'")
    assert puzzle.elaborations == ()


def test_a_line_of_one_cell_is_reported_and_the_others_are_read():
    cells = [{"row": 0, "col": 0}, {"row": 0, "col": 1}]
    puzzle = parse(json.dumps({"gridSize": 4, "thermos": [cells[:1], cells, cells[1:]]}))
    assert puzzle.unsupported == ("thermos: a line of one cell (2 times)",)
    assert {fact.arguments[1:] for fact in puzzle.facts} == {(1, 1, 1), (2, 1, 2)}
    assert puzzle.elaborations == ("thermo",)


@pytest.mark.parametrize(
    ("key", "cells"),
    [
        ("primaryDiagonal", [(k, k) for k in range(4)]),
        ("secondaryDiagonal", [(k, 3 - k) for k in range(4)]),
    ],
)
def test_one_diagonal_alone(key, cells):
    puzzle = parse(f'{{"gridSize": 4, "{key}": true}}')
    assert puzzle.unsupported == ()
    found = {each.rows for each in aspdoku.solve(puzzle, limit=0).solutions}
    plain = {each.rows for each in aspdoku.solve(aspdoku.Puzzle.blank(4), limit=0).solutions}
    expected = {grid for grid in plain if len({grid[r][c] for r, c in cells}) == 4}
    assert 0 < len(expected) < len(plain)
    assert found == expected


def values(document, path=()):
    """The paths of all values in a document."""
    inner = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in inner:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from values(value, (*path, key))


def test_every_change_of_a_value_changes_the_result():
    """Except between values that state nothing."""
    puzzle = parse(json.dumps(DOCUMENT))
    for path in values(DOCUMENT):
        for change in (7, "x", [], True, {"row": 0}, None):
            document = copy.deepcopy(DOCUMENT)
            inner = document
            for key in path[:-1]:
                inner = inner[key]
            blank = (None, False, [])
            if inner[path[-1]] == change or (inner[path[-1]] in blank and change in blank):
                continue
            inner[path[-1]] = change
            try:
                changed = parse(json.dumps(document))
            except PuzzleError:
                continue
            assert changed != puzzle, (path, change)


REJECTED = {
    '{"gridSize": 1}': "gridSize: '1' is not a number from 2 to 35",
    '{"gridSize": 4, "evenCells": [{"row": 4, "col": 0}]}': (
        "evenCells: '4' is not a number from 0 to 3"
    ),
    '{"gridSize": 4, "evenCells": [{"row": 1}]}': "evenCells: expected an object with col and row",
    '{"gridSize": 4, "thermos": [[]]}': "thermos: expected a list that is not empty",
}


@pytest.mark.parametrize(("text", "message"), REJECTED.items(), ids=REJECTED)
def test_invalid_documents_are_reported_with_the_key(text, message):
    with pytest.raises(PuzzleError) as caught:
        parse_all(text, "x")
    assert f"x: {message}" in str(caught.value)


@pytest.mark.skipif(
    not published_puzzles.FILE.exists(), reason=f"there is no {published_puzzles.FILE}"
)
def test_published_puzzles_are_those_of_an_independent_reader():
    """Their solutions are checked with the facts of that reader."""
    lines = map(json.loads, published_puzzles.FILE.read_text("utf-8").splitlines())
    found = [each for each in lines if each["format"] == "lisudoku-json"]
    assert len(found) == 21
    for each in found:
        puzzle, expected = parse(json.dumps(each["puzzle"])), published_puzzles.from_lisudoku(each)
        stated = [fact.arguments for fact in expected.facts if fact.name == "a"]
        givens = {(row, column): number for row, column, number in stated}
        assert puzzle.givens() == expected.givens() | givens
        assert {*puzzle.facts} == {fact for fact in expected.facts if fact.name != "a"}
        assert {*puzzle.elaborations} == {*expected.elaborations}, each["id"]
        assert puzzle.unsupported == ()
