"""Handmade puzzles that are solved quickly only if the formulation of their rule propagates
well.
"""

import pytest

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.puzzle import Function

SECONDS = 30  # seconds: each takes less than one, but minutes with a weaker formulation of its rule

LOOPS = """
9 . 4 . . 1 7 . .
8 . . . 3 . . . 6
. . . . . . . . .
. . . . 6 . . . .
. . . . . 8 . . .
. . . . 9 . . . .
. . . 3 . . . . 4
. . . . 2 . . 5 .
. . . . . . . . .

[sum-line]
10: r4c7 r4c8 r3c9 r2c9 r2c8 r1c8 r2c7 r1c6 r2c5 r3c6
10: r5c4 r6c4 r7c3 r6c2 r6c1 r5c1 r4c1 r3c2 r2c3 r3c3 r4c2 r5c3
10: r8c1 r7c1 r8c2 r9c3 r9c4 r8c4 r8c3 r9c2
10: r4c6 r4c5 r5c5 r6c5 r7c6 r6c7 r6c8 r5c7
10: r8c7 r9c7 r9c8 r8c9 r7c9 r7c8 r8c8

[facts]
sum_line_loop(1..5).
"""
LOOPS_SOLVED = (
    "964851732 852937146 731642985 598764321 623518497 417293568 289375614 176429853 345186279"
)


def test_loops_of_sum_lines():
    search = Solver(compose(aspdoku.parse(LOOPS), "sum-line"), SECONDS).search()
    assert [" ".join("".join(map(str, row)) for row in each.rows) for each in search] == [
        LOOPS_SOLVED
    ]
    assert search.status == "unique"


# Blocks of three rows and two columns, each within a box, by their top left cells. They have few
# rows in common.
BLOCKS = [(1, 1), (4, 4), (7, 7), (1, 8)]


def search_along(blocks, pill):
    """A pill arrow that runs through the blocks; the number in its pill is given."""
    shaft = [(r + y, c + x) for r, c in BLOCKS[:blocks] for y in range(3) for x in range(2)]
    cells = [(4, 1), (4, 2), *shaft]
    facts = tuple(Function("pill_arrow", (1, place, *cell)) for place, cell in enumerate(cells, 1))
    givens = tuple(Function("a", (4, column, number)) for column, number in enumerate(pill, 1))
    return Solver(
        compose(Puzzle.blank(9).replace(facts=(*facts, *givens)), "pill-arrow"), SECONDS
    ).search(1)


@pytest.mark.parametrize(
    ("blocks", "pill", "solutions"),
    [(4, (8, 4), 1), (4, (8, 3), 0), (2, (7, 8), 1), (2, (7, 9), 0)],
    ids=["the least sum", "less", "the greatest sum", "more"],
)
def test_six_cells_of_a_box_are_21_at_least_and_39_at_most(blocks, pill, solutions):
    search = search_along(blocks, pill)
    assert search.count() == solutions
    assert search.ended == ("limit" if solutions else "complete")
