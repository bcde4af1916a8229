"""A cell listed twice: every format reports it in a set of cells, and reads a line as a loop."""

import json

import pytest

import aspdoku

BLANK = [[{}] * 4] * 4
PLACES = [{"row": 0, "col": 0}, {"row": 0, "col": 1}, {"row": 1, "col": 1}]
LOOP = ["renban(1,1,1,1)", "renban(1,2,1,2)", "renban(1,3,2,2)", "renban(1,4,1,1)"]


def as_json(**keys):
    return json.dumps(keys)


SETS = {
    "f-puzzles": as_json(
        size=4, grid=BLANK, killercage=[{"cells": ["R1C1", "R1C2", "R1C1"], "value": "5"}]
    ),
    "SudokuPad": as_json(
        cells=BLANK, cages=[{"cells": [[0, 0], [0, 1], [0, 0]], "sum": 5, "unique": True}]
    ),
    "SudokuPad, a row": as_json(
        cells=BLANK,
        cages=[{"cells": [[0, 0], [0, 0], [0, 2], [0, 3]], "style": "rowcol", "hidden": True}],
    ),
    "lisudoku": as_json(gridSize=4, killerCages=[{"region": [*PLACES[:2], PLACES[0]], "sum": 5}]),
    "lisudoku, marks": as_json(gridSize=4, evenCells=[*PLACES, PLACES[0]]),
    "ipuz": as_json(
        version="http://ipuz.org/v2",
        kind=["http://ipuz.org/sudoku/killersudoku#1"],
        puzzle=[[0] * 4] * 4,
        cages=[{"cells": [[0, 0], [1, 0], [0, 0], [3, 3]], "value": 5}],
    ),
    "Interactive Sudoku Solver": ".Shape~4x4.AllDifferent~R1C1~R1C2~R1C1",
}


@pytest.mark.parametrize("name", SETS)
def test_a_cell_twice_in_a_set_is_unsupported(name):
    puzzle = aspdoku.parse(SETS[name])
    assert "the cell R1C1, listed twice" in puzzle.caveat
    assert not puzzle.facts


LINES = {
    "f-puzzles": as_json(
        size=4, grid=BLANK, renban=[{"lines": [["R1C1", "R1C2", "R2C2", "R1C1"]]}]
    ),
    "lisudoku": as_json(gridSize=4, renbans=[[*PLACES, PLACES[0]]]),
    "Interactive Sudoku Solver": ".Shape~4x4.Renban~R1C1~R1C2~R2C2~R1C1",
    "a puzzle file": "with: renban\n" + ". . . .\n" * 4 + "[renban]\nr1c1 r1c2 r2c2 r1c1\n",
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_can_have_a_cell_twice(name):
    puzzle = aspdoku.parse(LINES[name])
    assert list(map(str, puzzle.facts)) == LOOP
    assert not puzzle.caveat
    # Three of the four numbers of a box are consecutive if it is 1 or 4 that lacks.
    assert aspdoku.count(puzzle).count == 144
