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
from aspdoku.formats.boards import Board, default_box
from aspdoku.formats.shapes import SquareGrid, as_cell, cell_name, require_distinct
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term

SIGNS = "0123456789abcdefg"  # of rows and columns, from 1 on
LARGEST = len(SIGNS) - 1
LETTERS = "ABCDEFGHIJKLMNOP-"  # of regions, and for a cell in no region
EXTRA = "V"  # before the prefix of extra cells that a constraint declares
REGION_CELL = "CC"  # the group of extra cells for the regions that are to be found

_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])")
_EXTRA = re.compile(r"[A-Z]{2,}[0-9]*")
_REGION = re.compile(rf"{REGION_CELL}([1-9][0-9]{{0,3}})")
# Rows and columns; optionally the first and the last number, and the type.
_SHAPE = re.compile(
    r"([0-9]{1,2})x([0-9]{1,2})(?:~(?!$)(?:(?:([0-9]{1,2})-)?([0-9]{1,2}))?(?:~(Raw|Sudoku))?)?"
)
_MOST_EXTRA_CELLS = 1000


@dataclass(frozen=True)
class IssGrid(SquareGrid):
    """A grid whose cells contain these numbers. A grid that is not square, or has extra cells, is
    in the upper left corner of a field of `size` rows; the extra cells are in a square below it and
    to the right.

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

    def with_extra_cells(self, groups: Sequence[tuple[str, int, int]]) -> IssGrid:
        """The same grid with groups of extra cells: a prefix, and how many cells and columns."""
        number = sum(cells for _, cells, _ in groups)
        columns_of = {prefix: columns for prefix, _, columns in groups}
        if number > _MOST_EXTRA_CELLS or len(columns_of) < len(groups):
            raise PuzzleError(
                f"{number} extra cells: at most {_MOST_EXTRA_CELLS} are possible, and no two of"
                " the same name"
            )
        if not number:
            return self
        names = [
            prefix if cells == 1 and prefix.startswith(EXTRA) else f"{prefix}{place}"
            for prefix, cells, _ in groups
            for place in range(1, cells + 1)
        ]
        rows, columns = self.shape
        width = isqrt(number - 1) + 1
        extra = {
            name: (rows + 1 + place // width, columns + 1 + place % width)
            for place, name in enumerate(names)
        }
        size = max(rows, columns) + width
        return replace(self, size=size, board=(rows, columns), extra=extra, groups=columns_of)

    def group(self, prefix: str) -> list[Cell]:
        """The cells of a group of extra cells. Raises UnsupportedError."""
        if prefix not in self.groups:
            raise UnsupportedError(f"the cells {prefix[:30]!r}, which are not in the grid")
        cells = [cell for name, cell in self.extra.items() if _prefix(name) == prefix]
        width = self.groups[prefix]
        if cells != Board(*cells[0], -(-len(cells) // width), width).cells()[: len(cells)]:
            raise UnsupportedError(f"the group {prefix[:30]}, which has another shape in the field")
        return cells

    def near(self, cell: Cell, down: int, right: int) -> Cell | None:
        """A cell so many rows and columns away in its group or the grid; None without one."""
        name = self._names.get(cell)
        if name is None:
            other = cell[0] + down, cell[1] + right
            return other if self.has(cell) and self.has(other) else None
        prefix, width, row, column = self.position(name)
        if not 0 <= column + right < width:
            return None
        number = (row + down) * width + column + right + 1
        return self.extra.get(f"{prefix}{number}") or self.extra.get(prefix * (number == 1))

    def position(self, name: str) -> tuple[str, int, int, int]:
        """The group of a cell or region, empty for the grid; its columns, row and column from 0."""
        if (group := _prefix(name)) in self.groups:
            width = self.groups[group]
            return group, width, *divmod(int(name.removeprefix(group) or 1) - 1, width)
        group = REGION_CELL if name.startswith(REGION_CELL) else ""
        row, column = self.cell_of_region(name) if group else self.of(name)
        return group, self.shape[1], row - 1, column - 1

    def moved(self, name: str, down: int, right: int) -> str:
        """The name of the cell, or of the region of a cell, so many rows and columns away."""
        is_region = name.startswith(REGION_CELL)
        other = self.near(self.cell_of_region(name) if is_region else self.of(name), down, right)
        if other is None:
            raise UnsupportedError(name)
        return self.region_of(other) if is_region else self.name(other)

    @cached_property
    def _names(self) -> dict[Cell, str]:
        return {cell: name for name, cell in self.extra.items()}

    def has(self, cell: Cell) -> bool:
        """Whether a cell of the field is in the grid itself."""
        return 1 <= cell[0] <= self.shape[0] and 1 <= cell[1] <= self.shape[1]

    def of(self, name: str) -> Cell:
        """The cell of this name, such as R1Cg. Raises PuzzleError for an invalid name,
        UnsupportedError for a cell outside the grid.
        """
        if name in self.extra:
            return self.extra[name]
        match = _CELL.fullmatch(name)
        if match and self.has(cell := (int(match[1], len(SIGNS)), int(match[2], len(SIGNS)))):
            return cell
        if _REGION.fullmatch(name):
            raise UnsupportedError(
                f"{name}, the region of a cell, whose number is a name that the solver chooses"
            )
        if _EXTRA.fullmatch(name):
            raise UnsupportedError(f"the cell {name[:30]}, which is not in the grid")
        rows, columns = self.shape
        raise PuzzleError(
            f"invalid cell {name[:30]!r}: the cells of a {rows}x{columns} grid are R1C1 to"
            f" R{SIGNS[rows]}C{SIGNS[columns]}"
        )

    def cells_named(self, names: Iterable[str]) -> list[Cell]:
        return list(map(self.of, names))

    def distinct_cells(self, names: Iterable[str]) -> list[Cell]:
        """The cells of these names. Raises UnsupportedError if one of them occurs twice."""
        found = self.cells_named(names)
        require_distinct(found, iss_name)
        return found

    def name(self, cell: Sequence[Term]) -> str:
        """The name of a cell. Raises UnsupportedError for one outside the grid, or TypeError."""
        place = as_cell(cell)
        if not self.has(place) and place not in self._names:
            raise UnsupportedError(f"the cell {cell_name(cell)}, which is not in the grid")
        return self._names.get(place) or iss_name(place)

    def names_of(self, cells: Iterable[Sequence[Term]]) -> list[str]:
        return list(map(self.name, cells))

    def region_of(self, cell: Iterable[Term]) -> str:
        """The name of the region of a cell: CC1, CC2 and so on in reading order."""
        row, column = (int(str(each)) for each in cell)
        return f"{REGION_CELL}{(row - 1) * self.shape[1] + column}"

    def cell_of_region(self, name: str) -> Cell:
        """The cell whose region has this name. Raises UnsupportedError for any other name."""
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
        while self.has(cell):
            yield cell
            cell = cell[0] + down, cell[1] + right

    def rows(self) -> list[list[Cell]]:
        rows, columns = self.shape
        return [Board(row, 1, 1, columns).cells() for row in range(1, rows + 1)]

    def columns(self) -> list[list[Cell]]:
        return [list(cells) for cells in zip(*self.rows(), strict=True)]

    def lines(self) -> Iterator[list[Cell]]:
        """The cells of each row and of each column, alternately."""
        for pair in zip_longest(self.rows(), self.columns()):
            yield from filter(None, pair)

    def boxes(self, cells: int) -> list[list[Cell]]:
        """The cells of each box, for boxes with this number of cells; none if there are none."""
        return list(Board(1, 1, *self.shape, self.box(cells)).boxes())

    def box(self, cells: int) -> tuple[int, int] | None:
        """Rows and columns of a box; None if no boxes cover the grid, or it has no houses."""
        return default_box(*self.shape, cells) if self.houses else None


def _prefix(name: str) -> str:
    return name.rstrip("0123456789")


def iss_name(cell: Iterable[Term]) -> str:
    """The name of a cell, such as R1Cg. Raises ValueError if it is outside the largest grid."""
    row, column = cell
    span = range(1, LARGEST + 1)
    if row not in span or column not in span:
        raise ValueError
    return f"R{SIGNS[int(str(row))]}C{SIGNS[int(str(column))]}"


def parse_shape(arguments: list[str]) -> IssGrid:
    """Parse 9x9, 6x8, 6x6~9, 6x6~0-5, or 9x9~~Raw for no rows and columns. Raises PuzzleError."""
    shape = "~".join(arguments)
    match = _SHAPE.fullmatch(shape)
    if not match:
        raise PuzzleError(
            f"invalid shape {shape[:30]!r}: expected e.g. 9x9, 6x6~9 for nine numbers, or 6x6~0-5"
        )
    rows, columns = int(match[1]), int(match[2])
    size = max(rows, columns)
    first, last = int(match[3] or 1), int(match[4] or size)
    houses = match[5] != "Raw"
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
