"""Puzzles with other numbers, such as 0 to 8, from the file to the result."""

import itertools

import pytest

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.engine.candidates import candidates
from aspdoku.errors import PuzzleError
from aspdoku.explanation.explainer import Explainer
from aspdoku.formats.native import write
from aspdoku.program import library
from aspdoku.questions import text

ZEROES = "numbers: 0-3\n\n0 . . .\n. . 0 .\n. 2 . .\n. . . 3\n"


def shifted(rows, by):
    return tuple(tuple(None if number is None else number + by for number in row) for row in rows)


def test_zero_is_a_number_if_it_is_in_the_range():
    puzzle = aspdoku.parse(ZEROES)
    assert puzzle.numbers == range(4)
    assert puzzle.givens() == {(1, 1): 0, (2, 3): 0, (3, 2): 2, (4, 4): 3}
    assert aspdoku.parse(write(puzzle)) == puzzle
    assert text.line(puzzle) == "0.....0..2.....3"


@pytest.mark.parametrize("least", [0, 1, 5])
def test_shifting_the_numbers_shifts_the_solutions(least):
    ordinary = aspdoku.parse("1...\n..1.\n.3..\n....\n")
    puzzle = ordinary.replace(
        grid=shifted(ordinary.grid, least - 1), numbers=range(least, least + 4)
    )
    expected = {
        shifted(solution.rows, least - 1) for solution in Solver(compose(ordinary)).search(0)
    }
    assert {solution.rows for solution in Solver(compose(puzzle)).search(0)} == expected
    possible = candidates(compose(puzzle)).possible
    for row, column in itertools.product(range(4), repeat=2):
        assert possible[row][column] == tuple(
            sorted({solution[row][column] for solution in expected})
        )


def test_a_shifted_puzzle_is_explained_completely():
    explainer = Explainer(compose(aspdoku.parse(ZEROES)), 60)
    steps = list(explainer.steps())
    assert explainer.unexplained() == []
    assert any(
        claim.number == 0
        for step in steps
        for reason in step.reasons
        for claim in reason.claims
        if claim.holds
    )


def test_more_numbers_than_cells_require_retracted_rules():
    puzzle = Puzzle.blank(2, (1, 2)).replace(numbers=range(1, 4))
    program = compose(puzzle)
    assert program.warnings == (
        ("each row has 2 cells but needs all 3 numbers; --without row,column retracts that rule"),
    )
    assert not list(Solver(program).search(1))
    free = compose(puzzle, without=["row", "column", "box"])
    assert free.warnings == ()
    assert sum(1 for _ in Solver(free).search(0)) == 3**4


def test_the_default_numbers_do_not_change_the_program():
    assert "own_numbers" not in compose(Puzzle.blank(4)).text.replace(library.base().text, "")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("numbers: 3-1", "f:1: invalid number range '3-1'"),
        ("numbers: 0-101", "f:1: invalid number range '0-101'"),
        ("numbers: zero", "f:1: invalid number range 'zero'"),
        ("numbers: 0-3\nnumbers: 1-4", "f:2: duplicate header numbers"),
        ("numbers: 0-2", "invalid number 3 in r2c1: this puzzle contains 0 to 2"),
    ],
)
def test_invalid_ranges_of_numbers_are_rejected(header, message):
    with pytest.raises(PuzzleError) as error:
        aspdoku.parse(f"{header}\n1...\n3...\n....\n....\n", "f")
    assert message in str(error.value)


def test_unsupported_parts_are_kept_and_reported():
    puzzle = aspdoku.parse("unsupported: fog #1\nunsupported: a line\n1...\n....\n....\n....\n")
    assert puzzle.unsupported == ("fog #1", "a line")
    assert aspdoku.parse(write(puzzle)) == puzzle
    assert compose(puzzle).warnings == (
        "unsupported and ignored: fog #1",
        "unsupported and ignored: a line",
    )
