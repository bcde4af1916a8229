"""The grid of Interactive Sudoku Solver: names of cells and regions, and default boxes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.shapes import SquareGrid, cell_name
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term

SIGNS = "0123456789abcdefg"  # of rows and columns, from 1 on
LARGEST = len(SIGNS) - 1
LETTERS = "ABCDEFGHIJKLMNOP-"  # of regions, and for a cell in no region

_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])")
_EXTRA = re.compile(r"[A-Z]{2,}[0-9]*")
_REGION = re.compile(r"CC([1-9][0-9]{0,3})")
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})(?:~(?:([0-9]{1,2})-)?([0-9]{1,2}))?")


@dataclass(frozen=True)
class IssGrid(SquareGrid):
    """A grid of `size` rows whose cells contain these numbers."""

    numbers: range

    @property
    def wide(self) -> bool:
        """Whether there are more numbers than cells in a row."""
        return len(self.numbers) > self.size

    def of(self, name: str) -> Cell:
        """The cell of this name, such as R1Cg.

        Raises PuzzleError for an invalid name, UnsupportedError for a cell outside the grid.
        """
        match = _CELL.fullmatch(name)
        if (
            match
            and max(cell := (int(match[1], len(SIGNS)), int(match[2], len(SIGNS)))) <= self.size
        ):
            return cell
        if not match and _EXTRA.fullmatch(name):
            raise UnsupportedError(f"the cell {name[:30]}, which is not in the grid")
        last = SIGNS[self.size]
        raise PuzzleError(
            f"invalid cell {name[:30]!r}: the cells of a {self.size}x{self.size} grid are R1C1 to"
            f" R{last}C{last}"
        )

    def cells_named(self, names: Iterable[str]) -> list[Cell]:
        """The cells of these names."""
        return [self.of(name) for name in names]

    def distinct_cells(self, names: Iterable[str]) -> list[Cell]:
        """The cells of these names.

        Raises UnsupportedError if one of them occurs twice, as a set cannot hold it twice.
        """
        found = self.cells_named(names)
        for cell, times in Counter(found).items():
            if times > 1:
                raise UnsupportedError(f"the cell {iss_name(cell)}, listed {times} times")
        return found

    def names_of(self, cells: Iterable[Cell]) -> list[str]:
        """The names of cells. Raises UnsupportedError for one outside the grid."""
        found = list(cells)
        for cell in found:
            if not self.has(cell):
                raise UnsupportedError(f"the cell {cell_name(cell)}, which is not in the grid")
        return [iss_name(cell) for cell in found]

    def region_of(self, cell: Iterable[Term]) -> str:
        """The name of the region of a cell: CC1 to CCn² in reading order."""
        row, column = (int(str(each)) for each in cell)
        return f"CC{(row - 1) * self.size + column}"

    def cell_of_region(self, name: str) -> Cell:
        """The cell whose region has this name, CC1 to CCn².

        Raises UnsupportedError for any other name.
        """
        match = _REGION.fullmatch(name)
        place = int(match[1]) - 1 if match else -1
        if not 0 <= place < self.size**2:
            raise UnsupportedError(f"{name[:30]!r} instead of the region of a cell")
        return place // self.size + 1, place % self.size + 1

    def around(self, cell: Cell, diagonal: bool = False) -> Iterator[Cell]:
        """The neighbours of a cell, optionally including diagonal ones."""
        for y, x in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            if (
                (diagonal or not y or not x)
                and 1 <= cell[0] + y <= self.size
                and 1 <= cell[1] + x <= self.size
            ):
                yield cell[0] + y, cell[1] + x

    def lines(self) -> Iterator[list[Cell]]:
        """The cells of each row and of each column."""
        span = range(1, self.size + 1)
        for line in span:
            yield [(line, each) for each in span]
            yield [(each, line) for each in span]

    def boxes(self, cells: int) -> list[list[Cell]]:
        """The cells of each box, in reading order, for boxes with this number of cells.

        Empty if such boxes do not cover the grid.
        """
        shape = self._box(cells)
        if not shape:
            return []
        height, width = shape
        inside = [(y, x) for y in range(1, height + 1) for x in range(1, width + 1)]
        corners = [(y, x) for y in range(0, self.size, height) for x in range(0, self.size, width)]
        return [[(y + y1, x + x1) for y1, x1 in inside] for y, x in corners]

    def _box(self, cells: int) -> tuple[int, int] | None:
        """Rows and columns of a box: as nearly square as possible, and not taller than wide."""
        for small in range(isqrt(cells), 1, -1):
            large = cells // small
            if cells % small == 0 and self.size % small == 0 and self.size % large == 0:
                return small, large
        return None


def iss_name(cell: Iterable[Term]) -> str:
    """The name of a cell, such as R1Cg. Raises ValueError if it is outside the largest grid."""
    row, column = cell
    span = range(1, LARGEST + 1)
    if row not in span or column not in span:
        raise ValueError
    return f"R{SIGNS[int(str(row))]}C{SIGNS[int(str(column))]}"


def parse_shape(arguments: list[str]) -> IssGrid:
    """Parse a shape such as 9x9, 6x6~9 or 6x6~0-5.

    Raises PuzzleError for an invalid or unsupported shape.
    """
    shape = "~".join(arguments)
    match = _SHAPE.fullmatch(shape)
    if not match:
        raise PuzzleError(
            f"invalid shape {shape[:30]!r}: expected e.g. 9x9, 6x6~9 for nine numbers, or 6x6~0-5"
        )
    rows, columns = int(match[1]), int(match[2])
    first, last = int(match[3] or 1), int(match[4] or rows)
    if rows != columns:
        raise PuzzleError(f"unsupported shape: {rows} rows of {columns} cells are not square")
    if not 1 <= rows <= LARGEST:
        raise PuzzleError(f"invalid size {rows}: this format allows 1 to {LARGEST} rows")
    if first > 1 or not rows <= last - first + 1 <= LARGEST:
        raise PuzzleError(
            f"invalid numbers {first} to {last}: a grid of {rows} rows allows {rows} to {LARGEST}"
            " numbers, starting with 0 or 1"
        )
    return IssGrid(rows, range(first, last + 1))
