"""Which region a cell is in, as far as a picture shows it."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle
from aspdoku.puzzle.term import Function


def regions(puzzle: Puzzle) -> dict[Cell, set[object]]:
    """The boxes of each cell: by their shape, or as the puzzle draws them; none where a box is a row or a column."""
    found: dict[Cell, set[object]] = {}
    if puzzle.box:
        height, breadth = puzzle.box
        if min(puzzle.box) > 1:
            span = range(puzzle.size)
            found = {(row + 1, column + 1): {(row // height, column // breadth)} for row in span for column in span}
        return found
    for fact in puzzle.facts:
        if is_region(fact, puzzle.size):
            row, column, name = fact.arguments
            assert isinstance(row, int)
            assert isinstance(column, int)
            found.setdefault((row, column), set()).add(name)
    return found


def is_region(fact: Function, size: int) -> bool:
    """Whether it says of a cell of the grid which region that is in."""
    return fact.signature == REGION and all(isinstance(each, int) and 1 <= each <= size for each in fact.arguments[:2])
