"""A puzzle as data, and a solution of it.

R, C   row and column of a cell, counted from 1 at the top left
N      a number, 1 to the size of the grid where the puzzle says no others
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.puzzle import render
from aspdoku.puzzle.term import Function, Term, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterator

Grid = tuple[tuple[int | None, ...], ...]
Cell = tuple[int, int]

LARGEST_SIZE = 100
GIVEN = ("a", 3)
REGION = ("box", 3)
# Where a clue outside of the grid can stand.
EDGES = ("left", "right", "top", "bottom")


def box_shape(size: int) -> tuple[int, int]:
    """Rows and columns of a box of a `size` x `size` grid.

    As near to a square as the size allows, never taller than wide.
    """
    rows = next(height for height in range(isqrt(size), 0, -1) if size % height == 0)
    return rows, size // rows


@dataclass(frozen=True)
class Puzzle:
    """A grid with its givens and the other inputs of the rules.

    grid: n rows of n cells, each a number or None
    box: rows and columns of a box; if not given, inferred from the size, or None if the facts
    define regions, `box(R,C,I)`
    facts: inputs of the rules, sorted and without duplicates; `a(R,C,N)` facts become givens
    elaborations: names or paths of the rule files that the puzzle uses
    without: names of the rules that it retracts
    numbers: the contiguous range of numbers that cells may hold; 1 to n if not given
    unsupported: constraints in the source that could not be interpreted; results ignore them
    origin: the file that the puzzle was read from, if any

    Raises PuzzleError if the grid is not square, a number or the box shape does not fit it, or two
    givens share a cell.
    """

    grid: Grid
    box: tuple[int, int] | None = None
    facts: tuple[Function, ...] = ()
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    title: str = ""
    numbers: range = range(0)
    unsupported: tuple[str, ...] = ()
    origin: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        size = self.size
        if not 1 <= size <= LARGEST_SIZE:
            raise PuzzleError(f"the grid has {size} rows; 1 to {LARGEST_SIZE} are possible")
        for row, cells in enumerate(self.grid, 1):
            if len(cells) != size:
                raise PuzzleError(f"row {row} has {len(cells)} cells, but the grid has {size} rows")
        self._settle_numbers()
        stated = [fact for fact in self.facts if fact.signature == GIVEN]
        facts = sorted({fact for fact in self.facts if fact.signature != GIVEN}, key=sort_key)
        object.__setattr__(self, "facts", tuple(facts))
        object.__setattr__(self, "grid", with_givens(self.grid, stated))
        for (row, column), number in self.givens().items():
            if number not in self.numbers:
                raise PuzzleError(
                    f"r{row}c{column} holds {number}; the numbers of {self._called()} are"
                    f" {format_range(self.numbers)}"
                )
        self._settle_box()

    def _settle_numbers(self) -> None:
        if not self.numbers:
            object.__setattr__(self, "numbers", range(1, self.size + 1))
        elif self.numbers[0] < 0 or self.numbers[-1] > LARGEST_SIZE or self.numbers.step != 1:
            raise PuzzleError(
                f"invalid numbers {format_range(self.numbers)}: use a contiguous range within"
                f" 0 to {LARGEST_SIZE}"
            )

    def _called(self) -> str:
        return f"a {self.size}x{self.size} grid" if self.has_default_numbers else "this puzzle"

    @property
    def has_default_numbers(self) -> bool:
        """Whether the numbers are 1 to n."""
        return self.numbers == range(1, self.size + 1)

    def _settle_box(self) -> None:
        draws_regions = any(fact.signature == REGION for fact in self.facts)
        if self.box is None:
            object.__setattr__(self, "box", None if draws_regions else box_shape(self.size))
        elif draws_regions:
            raise PuzzleError(
                "the puzzle gives a box shape and draws regions of its own: one of them has to go"
            )
        elif min(self.box) < 1 or self.box[0] * self.box[1] != self.size:
            shape, grid = "{}x{}".format(*self.box), f"{self.size}x{self.size}"
            held = self.box[0] * self.box[1]
            raise PuzzleError(
                f"boxes of {shape} hold {held} cells, but those of a {grid} grid hold {self.size}"
            )

    @property
    def size(self) -> int:
        """Number of rows, of columns and of numbers."""
        return len(self.grid)

    def contains(self, row: int, column: int, number: int) -> bool:
        """Whether the cell is in the grid and the number in the range of numbers."""
        return 1 <= row <= self.size and 1 <= column <= self.size and number in self.numbers

    @property
    def caveat(self) -> str:
        """Caveat to append to every result if parts of the source were not understood; otherwise
        empty.
        """
        if not self.unsupported:
            return ""
        return f" - ignoring unsupported parts: {', '.join(self.unsupported)}"

    def givens(self) -> dict[Cell, int]:
        """The numbers that the grid holds, by row and column from 1, in reading order."""
        return {
            (row, column): number
            for row, cells in enumerate(self.grid, 1)
            for column, number in enumerate(cells, 1)
            if number is not None
        }

    @classmethod
    def blank(cls, size: int = 9, box: tuple[int, int] | None = None) -> Puzzle:
        """A grid of size x size empty cells.

        Raises PuzzleError for a size or a box shape that is not possible.
        """
        if not 1 <= size <= LARGEST_SIZE:
            raise PuzzleError(f"a grid of {size} rows is not possible; 1 to {LARGEST_SIZE} are")
        return cls(((None,) * size,) * size, box)

    def replace(self, **changes: object) -> Puzzle:
        """A copy with these fields changed.

        Regions among new facts replace a box shape that was inferred from the size.
        """
        if "facts" in changes and self.box == box_shape(self.size):
            changes.setdefault("box", None)
        return replace(self, **changes)  # type: ignore[arg-type]

    def regions(self) -> dict[Cell, set[object]]:
        """The boxes of each cell, by their shape or by the facts.

        Empty if a box is just a row or a column.
        """
        if self.box:
            if min(self.box) == 1:
                return {}
            height, width = self.box
            span = range(self.size)
            return {
                (row + 1, column + 1): {(row // height, column // width)}
                for row in span
                for column in span
            }
        found: dict[Cell, set[object]] = {}
        for fact in filter(self.is_region, self.facts):
            row, column, name = fact.arguments
            assert isinstance(row, int)
            assert isinstance(column, int)
            found.setdefault((row, column), set()).add(name)
        return found

    def is_region(self, fact: Function) -> bool:
        """Whether a fact puts a cell of the grid into a region."""
        return fact.signature == REGION and all(
            isinstance(each, int) and 1 <= each <= self.size for each in fact.arguments[:2]
        )

    def __str__(self) -> str:
        return render.text(self, self.grid)

    def _repr_html_(self) -> str:
        return render.html(self, self.grid)


@dataclass(frozen=True)
class Solution:
    """A grid filled by the rules.

    N rows of n numbers, the puzzle that it solves, and what else the rules `#show`.
    """

    puzzle: Puzzle = field(repr=False)
    rows: tuple[tuple[int, ...], ...]
    shown: tuple[Term, ...] = ()

    def __getitem__(self, cell: Cell) -> int:
        row, column = cell
        return self.rows[row - 1][column - 1]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(self.rows)

    def __str__(self) -> str:
        return render.text(self.puzzle, self.rows)

    def _repr_html_(self) -> str:
        return render.html(self.puzzle, self.rows)


GridLike = Puzzle | Solution


def format_range(numbers: range) -> str:
    """The range in words, such as `0 to 8`."""
    return f"{numbers[0]} to {numbers[-1]}"


def with_givens(grid: Grid, facts: list[Function]) -> Grid:
    """The grid with the facts `a(R,C,N)` written into it.

    Raises PuzzleError where one does not fit in.
    """
    rows = [list(cells) for cells in grid]
    size = len(rows)
    for fact in facts:
        row, column, number = fact.arguments
        if not (isinstance(row, int) and isinstance(column, int) and isinstance(number, int)):
            raise PuzzleError(f"{fact} is not a given: a(R,C,N) takes three numbers")
        if not (1 <= row <= size and 1 <= column <= size):
            raise PuzzleError(
                f"{fact} lies outside the grid, whose rows and columns are 1 to {size}"
            )
        if rows[row - 1][column - 1] not in (None, number):
            raise PuzzleError(
                f"{fact} contradicts the grid, where r{row}c{column} holds"
                f" {rows[row - 1][column - 1]}"
            )
        rows[row - 1][column - 1] = number
    return tuple(tuple(cells) for cells in rows)
