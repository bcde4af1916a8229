"""The grid of Interactive Sudoku Solver: names of cells and regions, and default boxes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from math import isqrt

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.boards import default_box
from aspdoku.formats.shapes import SquareGrid, as_cell, cell_name, require_distinct
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term

SIGNS = "0123456789abcdefg"  # of rows and columns, from 1 on
LARGEST = len(SIGNS) - 1
LETTERS = "ABCDEFGHIJKLMNOP-"  # of regions, and for a cell in no region

_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])")
_EXTRA = re.compile(r"[A-Z]{2,}[0-9]*")
REGION_CELL = "CC"  # the group of extra cells for the regions that are to be found
_REGION = re.compile(rf"{REGION_CELL}([1-9][0-9]{{0,3}})")
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~(?:([0-9]{1,2})-)?([0-9]{1,2}))?")
_TYPED = re.compile(r"([^~]*(?:~[^~]+)?)~?~(Raw|Sudoku)")
_MOST_EXTRA_CELLS = 1000


@dataclass(frozen=True)
class IssGrid(SquareGrid):
    """A grid whose cells contain these numbers.

    A grid that is not square, or has extra cells, is in the upper left corner of a field of `size`
    rows; the extra cells are in a square below it and to the right.

    board: rows and columns of the grid, if the field has cells that are not in it
    extra: the extra cells by name
    groups: the number of columns of each group of extra cells, by the prefix of their names
    houses: whether no number occurs twice in a row or column
    """

    numbers: range
    board: tuple[int, int] | None = None
    extra: Mapping[str, Cell] = field(default_factory=dict)
    groups: Mapping[str, int] = field(default_factory=dict)
    houses: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return self.board or (self.size, self.size)

    @property
    def wide(self) -> bool:
        """Whether there are more numbers than cells in the longest rows or columns."""
        return len(self.numbers) > max(self.shape)

    def with_extra_cells(self, names: Iterable[str]) -> IssGrid:
        """The same grid with extra cells of these names. Raises PuzzleError for too many."""
        listed = list(names)
        if not listed:
            return self
        if len(listed) > _MOST_EXTRA_CELLS or len(set(listed)) < len(listed):
            raise PuzzleError(
                f"{len(listed)} extra cells: at most {_MOST_EXTRA_CELLS} are possible, and no two"
                " of the same name"
            )
        rows, columns = self.shape
        width = isqrt(len(listed) - 1) + 1
        cells = {
            name: (rows + 1 + place // width, columns + 1 + place % width)
            for place, name in enumerate(listed)
        }
        return replace(self, size=max(rows, columns) + width, board=(rows, columns), extra=cells)

    def group(self, prefix: str) -> list[Cell]:
        """The cells of a group of extra cells.

        Raises UnsupportedError for an unknown group, or one that has another shape in the field.
        """
        width = self.groups.get(prefix)
        if width is None:
            raise UnsupportedError(f"the cells {prefix[:30]!r}, which are not in the grid")
        name = re.compile(rf"{prefix}[0-9]*")
        cells = [cell for each, cell in self.extra.items() if name.fullmatch(each)]
        top, left = cells[0]
        shape = [(top + place // width, left + place % width) for place in range(len(cells))]
        if cells != shape:
            raise UnsupportedError(f"the group {prefix[:30]}, which has another shape in the field")
        return cells

    def near(self, cell: Cell, down: int, right: int) -> Cell | None:
        """The cell that is so many rows and columns away, in the grid or in its group of extra
        cells; None if there is none.
        """
        name = self._names.get(cell)
        if name is None:
            other = cell[0] + down, cell[1] + right
            return other if self.inside(cell) and self.inside(other) else None
        prefix = name.rstrip("0123456789")
        width = self.groups.get(prefix, 1)
        row, column = divmod(int(name.removeprefix(prefix) or 1) - 1, width)
        if not 0 <= column + right < width:
            return None
        return self.extra.get(f"{prefix}{(row + down) * width + column + right + 1}")

    @cached_property
    def _names(self) -> dict[Cell, str]:
        """The names of the extra cells."""
        return {cell: name for name, cell in self.extra.items()}

    def inside(self, cell: Cell) -> bool:
        """Whether a cell of the field is in the grid itself."""
        return 1 <= cell[0] <= self.shape[0] and 1 <= cell[1] <= self.shape[1]

    def of(self, name: str) -> Cell:
        """The cell of this name, such as R1Cg.

        Raises PuzzleError for an invalid name, UnsupportedError for a cell outside the grid.
        """
        if name in self.extra:
            return self.extra[name]
        match = _CELL.fullmatch(name)
        if match and self.inside(cell := (int(match[1], len(SIGNS)), int(match[2], len(SIGNS)))):
            return cell
        if _REGION.fullmatch(name):
            raise UnsupportedError(
                f"{name}, the region of a cell, whose number is a name that the solver chooses"
            )
        if not match and _EXTRA.fullmatch(name):
            raise UnsupportedError(f"the cell {name[:30]}, which is not in the grid")
        rows, columns = self.shape
        raise PuzzleError(
            f"invalid cell {name[:30]!r}: the cells of a {rows}x{columns} grid are R1C1 to"
            f" R{SIGNS[rows]}C{SIGNS[columns]}"
        )

    def cells_named(self, names: Iterable[str]) -> list[Cell]:
        """The cells of these names."""
        return [self.of(name) for name in names]

    def distinct_cells(self, names: Iterable[str]) -> list[Cell]:
        """The cells of these names. Raises UnsupportedError if one of them occurs twice."""
        found = self.cells_named(names)
        require_distinct(found, iss_name)
        return found

    def name(self, cell: Sequence[Term]) -> str:
        """The name of a cell. Raises UnsupportedError for one outside the grid, TypeError for
        anything else.
        """
        place = as_cell(cell)
        if not self.inside(place) and place not in self._names:
            raise UnsupportedError(f"the cell {cell_name(cell)}, which is not in the grid")
        return self._names.get(place) or iss_name(place)

    def names_of(self, cells: Iterable[Cell]) -> list[str]:
        """The names of cells. Raises UnsupportedError for one outside the grid."""
        return list(map(self.name, cells))

    def region_of(self, cell: Iterable[Term]) -> str:
        """The name of the region of a cell: CC1, CC2 and so on in reading order."""
        row, column = (int(str(each)) for each in cell)
        return f"CC{(row - 1) * self.shape[1] + column}"

    def cell_of_region(self, name: str) -> Cell:
        """The cell whose region has this name, CC1, CC2 and so on.

        Raises UnsupportedError for any other name.
        """
        match = _REGION.fullmatch(name)
        place = int(match[1]) - 1 if match else -1
        rows, columns = self.shape
        if not 0 <= place < rows * columns:
            raise UnsupportedError(f"{name[:30]!r} instead of the region of a cell")
        return place // columns + 1, place % columns + 1

    def around(self, cell: Cell, diagonal: bool = False) -> Iterator[Cell]:
        """The neighbours of a cell, optionally including diagonal ones."""
        for y, x in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            other = self.near(cell, y, x)
            if other and (diagonal or not y or not x):
                yield other

    def ray(self, cell: Cell, down: int, right: int) -> Iterator[Cell]:
        """A cell and those in one direction from it, up to the edge of the grid."""
        while self.inside(cell):
            yield cell
            cell = cell[0] + down, cell[1] + right

    def rows(self) -> list[list[Cell]]:
        """The cells of each row."""
        rows, columns = self.shape
        return [[(row, column) for column in range(1, columns + 1)] for row in range(1, rows + 1)]

    def columns(self) -> list[list[Cell]]:
        """The cells of each column."""
        return [list(cells) for cells in zip(*self.rows(), strict=True)]

    def lines(self) -> Iterator[list[Cell]]:
        """The cells of each row and of each column, alternately."""
        for pair in zip_longest(self.rows(), self.columns()):
            yield from filter(None, pair)

    def boxes(self, cells: int) -> list[list[Cell]]:
        """The cells of each box, in reading order, for boxes with this number of cells.

        Empty if such boxes do not cover the grid.
        """
        shape = self.box(cells)
        if not shape:
            return []
        height, width = shape
        inside = [(y, x) for y in range(1, height + 1) for x in range(1, width + 1)]
        rows, columns = self.shape
        corners = [(y, x) for y in range(0, rows, height) for x in range(0, columns, width)]
        return [[(y + y1, x + x1) for y1, x1 in inside] for y, x in corners]

    def box(self, cells: int) -> tuple[int, int] | None:
        """Rows and columns of a box: as nearly square as possible, and not taller than wide if the
        grid permits both.

        None if no boxes cover the grid, and for a grid without houses.
        """
        return default_box(*self.shape, cells) if self.houses else None


def iss_name(cell: Iterable[Term]) -> str:
    """The name of a cell, such as R1Cg. Raises ValueError if it is outside the largest grid."""
    row, column = cell
    span = range(1, LARGEST + 1)
    if row not in span or column not in span:
        raise ValueError
    return f"R{SIGNS[int(str(row))]}C{SIGNS[int(str(column))]}"


def parse_shape(arguments: list[str]) -> IssGrid:
    """Parse a shape such as 9x9, 6x8, 6x6~9, 6x6~0-5 or 9x9~~Raw, which has no rows and columns.

    Raises PuzzleError for an invalid or unsupported shape.
    """
    shape = "~".join(arguments)
    typed = _TYPED.fullmatch(shape) if shape.count("~") == 2 else None
    match = _SHAPE.fullmatch(typed[1] if typed else shape)
    if not match:
        raise PuzzleError(
            f"invalid shape {shape[:30]!r}: expected e.g. 9x9, 6x6~9 for nine numbers, or 6x6~0-5"
        )
    rows, columns = int(match[1]), int(match[2])
    size = max(rows, columns)
    first, last = int(match[3] or 1), int(match[4] or size)
    houses = not typed or typed[2] != "Raw"
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise PuzzleError(
            f"invalid size {rows}x{columns}: this format allows 1 to {LARGEST} rows and columns"
        )
    least = size if houses else 1
    if first > 1 or not least <= last - first + 1 <= LARGEST:
        raise PuzzleError(
            f"invalid numbers {first} to {last}: a grid of {rows} rows of {columns} cells allows"
            f" {least} to {LARGEST} numbers, starting with 0 or 1"
        )
    board = None if rows == columns else (rows, columns)
    return IssGrid(size, range(first, last + 1), board, houses=houses)
