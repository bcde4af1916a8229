"""Cells of puzzles and solutions by row and column."""

import re

import pytest
from in_one_test import in_one_test

import aspdoku

PUZZLE = aspdoku.parse("1... .... ..2. ....")
ROWS = ((1, 2, 3, 4), (3, 4, 1, 2), (4, 3, 2, 1), (2, 1, 4, 3))
GRIDS = {"puzzle": PUZZLE, "solution": aspdoku.Solution(PUZZLE, ROWS)}


def test_a_puzzle_has_the_given_numbers():
    assert (PUZZLE[1, 1], PUZZLE[3, 3], PUZZLE[4, 4]) == (1, 2, None)
    assert list(PUZZLE)[2] == (None, None, 2, None)


def test_a_solution_has_all_numbers():
    solution = GRIDS["solution"]
    assert [solution[2, column] for column in (1, 2, 3, 4)] == [3, 4, 1, 2]
    assert list(solution) == list(ROWS)


@in_one_test("grid", GRIDS.values())
@in_one_test("cell", [(0, 0), (0, 1), (1, 0), (-1, 1), (1, -1), (5, 1), (1, 5)])
def test_a_cell_outside_the_grid(grid, cell):
    row, column = cell
    problem = f"no cell in row {row} and column {column}: rows and columns are 1 to 4"
    with pytest.raises(IndexError, match=problem):
        grid[cell]


@in_one_test("grid", GRIDS.values())
@in_one_test("cell", [0, 1, "r1c1", (1,), (1, 2, 3), (1, "2"), (1.0, 2), None])
def test_what_is_not_a_cell(grid, cell):
    problem = f"expected a row and a column, such as [1, 4], not {cell!r}"
    with pytest.raises(TypeError, match=re.escape(problem)):
        grid[cell]
