"""The points of a board of squares in Penpa+: centres and corners of cells, and middles of edges.

The board has margins of two cells on all sides. Its cells, in reading order, are numbered from 0;
then come the lower right corners of all cells, the middles of their lower edges, those of their
right edges, and four positions of small texts within each cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.formats import boards
from aspdoku.formats.shapes import SquareGrid
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
        """The row and column of a point in the grid, perhaps outside it. Raises ValueError."""
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


@dataclass(frozen=True)
class PartialGrid(SquareGrid):
    """A square grid of which only these cells are used."""

    cells: frozenset[Cell]

    @property
    def shape(self) -> tuple[int, int]:
        """The last row and the last column with a cell."""
        return max(row for row, _ in self.cells), max(column for _, column in self.cells)

    def has(self, cell: Cell) -> bool:
        """Whether a cell is used."""
        return cell in self.cells


# A border: two neighbours, the left or upper one first.
Border = tuple[Cell, Cell]


def outline(board: boards.Board, grid: SquareGrid) -> set[Border]:
    """The borders around a board, as far as there are cells on both sides."""
    cells = set(board.cells())
    return {
        (min(cell, other), max(cell, other))
        for cell in cells
        for other in (
            *((cell[0] - 1, cell[1]), (cell[0] + 1, cell[1])),
            *((cell[0], cell[1] - 1), (cell[0], cell[1] + 1)),
        )
        if other not in cells and grid.has(other)
    }


def boards_in(
    grid: SquareGrid, regions: Sequence[Sequence[Cell]], frames: set[Border]
) -> list[boards.Board]:
    """The boards of a grid that these regions divide, without their boxes; none for one grid.
    Several boards are squares that consist of as many regions as each has cells: those with an
    outline of frames or, if there are none, all of them. Without frames, a rectangle is one board.

    frames: borders that are thicker than others
    Raises PuzzleError if several boards are possible, but not determined.
    """
    cells, (rows, columns) = grid.in_order(), grid.shape
    size = len(regions[0])
    whole = len(cells) == rows * columns
    single = [] if rows == columns else [boards.Board(1, 1, rows, columns)]
    equal = all(len(region) == size for region in regions)
    if whole and not (equal and size < max(rows, columns) and frames):
        return single
    try:
        return _several_boards(grid, regions if equal else [], frames)
    except PuzzleError:
        if whole:
            return single
        raise


def _several_boards(
    grid: SquareGrid, regions: Sequence[Sequence[Cell]], frames: set[Border]
) -> list[boards.Board]:
    """The boards of a grid that is not a single one. Raises PuzzleError."""
    where = "the cells of the board do not form a rectangle, and"
    if not regions:
        raise PuzzleError(
            f"{where} thick lines do not divide them into regions of the same size, which would"
            " determine several boards"
        )
    size = len(regions[0])
    region_of = {cell: place for place, region in enumerate(regions) for cell in region}
    found = [
        board
        for row, column in region_of
        if (row + size - 1, column + size - 1) in region_of
        for board in [boards.Board(row, column, size, size)]
        if len({region_of.get(cell) for cell in board.cells()}) == size
        if all(map(grid.has, board.cells()))
    ]
    if frames:
        found = [board for board in found if outline(board, grid) <= frames]
        if set().union(*(outline(board, grid) for board in found)) != frames:
            raise PuzzleError(f"{where} the thickest lines are not the outlines of boards")
    covered = Counter(cell for board in found for cell in board.cells())
    for row, column in grid.in_order():
        if (row, column) not in covered:
            raise PuzzleError(
                f"{where} r{row}c{column} is in no square of {size} regions of {size} cells, which"
                " would be a board"
            )
    for board in found:
        if not frames and all(covered[cell] > 1 for cell in board.cells()):
            raise PuzzleError(
                f"{where} it is not clear whether the {size}x{size} cells from"
                f" r{board.row}c{board.column} on are a board: draw thicker lines around boards"
            )
    return sorted(found)
