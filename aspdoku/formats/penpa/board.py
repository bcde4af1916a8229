"""The points of a square board in Penpa+: centres and corners of cells, and middles of edges.

The board has margins of two cells on all sides. Its cells, in reading order, are numbered from 0;
then come the lower right corners of all cells, the middles of their lower edges, those of their
right edges, and four positions of small texts within each cell.
"""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.puzzle.puzzle import Cell

MARGIN = 2
# The kinds of points, by their numbers divided by the number of cells.
CENTRE, CORNER, LOWER, RIGHT, SMALL = range(5)
_SMALL_PER_CELL = 4


class Board(NamedTuple):
    """A board of `columns` x `rows` cells, in which the puzzle's grid begins at `row`, `column`.

    The margins count in `row` and `column`, which begin at 0, but not in `columns` and `rows`.
    """

    columns: int
    rows: int
    row: int = MARGIN
    column: int = MARGIN

    @property
    def width(self) -> int:
        """The number of columns with the margins."""
        return self.columns + 2 * MARGIN

    @property
    def cells(self) -> int:
        """The number of cells with the margins."""
        return self.width * (self.rows + 2 * MARGIN)

    def kind(self, point: int) -> int:
        """The kind of a point. Raises ValueError if there is no such point."""
        if not 0 <= point < (SMALL + _SMALL_PER_CELL) * self.cells:
            raise ValueError
        return min(point // self.cells, SMALL)

    def cell(self, point: int) -> Cell:
        """The cell of a point: row and column in the grid, which can be outside it.

        Raises ValueError if there is no such point.
        """
        index = (
            (point - SMALL * self.cells) // _SMALL_PER_CELL
            if self.kind(point) == SMALL
            else point % self.cells
        )
        return index // self.width - self.row + 1, index % self.width - self.column + 1

    def point(self, cell: Cell, kind: int = CENTRE) -> int:
        """The number of a point; the upper left one of the small texts."""
        index = (cell[0] + self.row - 1) * self.width + cell[1] + self.column - 1
        return (
            SMALL * self.cells + _SMALL_PER_CELL * index
            if kind == SMALL
            else (kind * self.cells + index)
        )
