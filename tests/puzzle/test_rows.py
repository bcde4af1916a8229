"""Puzzles from rows of numbers: lists, generators and arrays."""

import pytest
from in_one_test import in_one_test

import aspdoku

TEXT = "1... .... ..2. ...."
ROWS = [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
SAME = {
    "lists": ROWS,
    "tuples": tuple(map(tuple, ROWS)),
    "generators": (iter(row) for row in ROWS),
    "None": [[cell or None for cell in row] for row in ROWS],
    "dots": [[cell or "." for cell in row] for row in ROWS],
}


@pytest.mark.parametrize("rows", SAME.values(), ids=SAME)
def test_rows_are_a_puzzle(rows):
    puzzle = aspdoku.Puzzle.from_rows(rows)
    assert puzzle == aspdoku.parse(TEXT)
    assert hash(puzzle) == hash(aspdoku.parse(TEXT))


def test_an_array_is_a_puzzle():
    numpy = pytest.importorskip("numpy")
    puzzle = aspdoku.Puzzle.from_rows(numpy.array(ROWS))
    assert puzzle == aspdoku.parse(TEXT)
    assert type(puzzle[1, 1]) is int
    assert aspdoku.count(numpy.array(ROWS)).count == 18


def test_functions_take_rows():
    assert aspdoku.count(ROWS).count == aspdoku.count(TEXT).count == 18
    assert aspdoku.convert(ROWS, "lines") == "1.........2.....\n"
    assert aspdoku.hint(ROWS, entries=[[1, 2, 0, 0], *ROWS[1:]]).entries


def test_zero_is_no_number_of_a_puzzle_from_elsewhere():
    """Only rows have 0 in empty cells: readers of files must not lose it."""
    with pytest.raises(aspdoku.PuzzleError, match="invalid number 0 in r1c1"):
        aspdoku.Puzzle(((0, None), (None, None)))


def test_a_solution_is_its_puzzle_with_all_numbers():
    solution = aspdoku.solve(
        "title: four\n\n" + "\n".join([".4..", "...4", "..2.", "1..."])
    ).solution
    assert aspdoku.convert(solution, "lines").split()[0] == "3412213443211243"
    assert aspdoku.unique(solution).program.puzzle.title == "four"


WRONG = {
    "ragged": ([[1, 0, 0], *ROWS[1:]], aspdoku.PuzzleError, "row 1 has 3 cells"),
    "not square": (ROWS[1:], aspdoku.PuzzleError, "row 1 has 4 cells, but the grid has 3 rows"),
    "no rows": ([], aspdoku.PuzzleError, "invalid grid of 0 rows"),
    "too large": ([[5, 0, 0, 0], *ROWS[1:]], aspdoku.PuzzleError, "invalid number 5 in r1c1"),
    "negative": ([[0, -1, 0, 0], *ROWS[1:]], aspdoku.PuzzleError, "invalid number -1 in r1c2"),
    "letter": ([*ROWS[:3], ["x", 0, 0, 0]], TypeError, "a number in r4c1, or 0, None or '.'"),
    "half": ([[0, 1.5, 0, 0], *ROWS[1:]], TypeError, "if it is empty, not 1.5"),
    "flat": ([1, 0, 0, 0], TypeError, "expected rows of numbers, not 1"),
    "lines": (["1...", "....", "..2.", "...."], TypeError, "not '1...'; aspdoku"),
    "columns": ({"a": [1]}, TypeError, "expected rows of numbers, not {'a'"),
}


@in_one_test("case", WRONG)
@in_one_test("function", [aspdoku.Puzzle.from_rows, aspdoku.count])
def test_what_is_not_a_grid(function, case):
    rows, error, message = WRONG[case]
    with pytest.raises(error, match=message):
        function(rows)


def test_text_is_not_rows():
    with pytest.raises(TypeError, match="parse reads a text"):
        aspdoku.Puzzle.from_rows(TEXT)
