"""Puzzles and their solutions as data.

R, C   row and column of a cell, counted from 1 at the top left
N      a number, from 1 to the size of the grid unless the puzzle specifies other numbers
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from operator import index
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from aspdoku.errors import PuzzleError
from aspdoku.puzzle import render
from aspdoku.puzzle.term import Function, Term, sort_key, to_asp

_Number = TypeVar("_Number", bound=int | None)
_Content = TypeVar("_Content")
Grid = tuple[tuple[int | None, ...], ...]
Cell = tuple[int, int]

LARGEST_SIZE = 100
GIVEN = ("a", 3)
REGION = ("box", 3)
UNUSED = ("unused", 2)
# The unsupported part of a puzzle whose rules are stated in words that nothing has interpreted.
RULES_IN_WORDS = "the rules in words"
# That of a puzzle whose words were understood, but that has no solution, or several.
MISREAD = "the rules in words, which were probably misunderstood"
# The positions of clues outside the grid.
EDGES = ("left", "right", "top", "bottom")


def grid_of(size: int, numbers: Mapping[Cell, int]) -> Grid:
    """The grid with these numbers in its cells."""
    span = range(1, size + 1)
    return tuple(tuple(numbers.get((row, column)) for column in span) for row in span)


def joined_cells(
    cells: Iterable[Cell], borders: Collection[tuple[Cell, Cell]] = ()
) -> list[list[Cell]]:
    """The sets of cells that borders, pairs of neighbours, leave connected, in reading order."""
    left = dict.fromkeys(cells)
    sets = []
    while left:
        joined = [next(iter(left))]
        del left[joined[0]]
        for row, column in joined:
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                other = row + down, column + right
                pair = min((row, column), other), max((row, column), other)
                if other in left and pair not in borders:
                    del left[other]
                    joined.append(other)
        sets.append(sorted(joined))
    return sets


def box_shape(size: int) -> tuple[int, int]:
    """Rows and columns of a box, as close to a square as possible, and never taller than wide."""
    rows = next(height for height in range(isqrt(size), 0, -1) if size % height == 0)
    return rows, size // rows


class SectionFacts(NamedTuple):
    """A section of a puzzle file whose facts depend on what a rule declares about its predicate.

    name: the predicate
    cells: the content as a picture, paths or clues, independent of any rule
    lines: the number of the line of each of these
    facts: those of the puzzle, by the declarations that were known when the file was read
    """

    name: str
    cells: tuple[Function, ...]
    lines: tuple[int, ...]
    facts: tuple[Function, ...]


class Wording(NamedTuple):
    """A sentence of rules in words, as it was read.

    rules: the names of the rules that it states
    about: the drawn elements that it was taken to be about, in words
    unread: its words that were not understood
    problem: why a sentence that was understood is open
    """

    text: str
    rules: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    problem: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the sentence was not, or not completely, understood."""
        return bool(self.unread or self.problem)


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A grid with its givens and the other inputs of the rules.

    grid: n rows of n cells, each a number or None; see `from_rows` for other types of rows
    box: rows and columns of a box; if not given, inferred from the size, or None if the facts
    define regions, `box(R,C,I)`
    facts: inputs of the rules, sorted and without duplicates; `a(R,C,N)` facts become givens
    elaborations: names or paths of the rule files that the puzzle uses
    without: names of the rules that it retracts
    numbers: the contiguous range of numbers that cells may hold; 1 to n if not given
    unsupported: constraints in the source that could not be interpreted; results ignore them
    author: of the puzzle, in one line
    rules: the rules in words, in any number of lines, for people; a source from which nothing else
        states all rules also has RULES_IN_WORDS among the unsupported parts
    solution: the solution that the source states, None in cells that it leaves open. It is never
        an answer: `solve` and `unique` compare their own with it
    wording: the sentences of `rules` from which the rules of the puzzle were read; empty if the
        source states them in another way
    assumed: of two readings of `rules`, the weaker one that was taken, in words
    layout: the cells that are not used, `unused(R,C)`, and the regions, `box(R,C,I)`, as far as
        they are not among the facts but derived by rules, or drawn in the grid of a file
    origin: the file that the puzzle was read from, if any
    name: how reports call it: by default the path of the file; example:NAME for a bundled puzzle
    sections: those of the file whose facts the rules of a program determine

    Raises PuzzleError if the grid is not square, a number, the box shape or the solution does not
    fit it, two givens share a cell, or one is in an unused cell.
    """

    grid: Grid
    box: tuple[int, int] | None = None
    facts: tuple[Function, ...] = ()
    elaborations: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    title: str = ""
    numbers: range = range(0)
    unsupported: tuple[str, ...] = ()
    author: str = ""
    rules: str = ""
    solution: Grid | None = None
    wording: tuple[Wording, ...] = field(default=(), compare=False)
    assumed: tuple[str, ...] = field(default=(), compare=False)
    layout: tuple[Function, ...] = field(default=(), compare=False)
    origin: Path | None = field(default=None, compare=False)
    name: str = field(default="", compare=False)
    sections: tuple[SectionFacts, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        size = self.size
        if not 1 <= size <= LARGEST_SIZE:
            raise PuzzleError(f"invalid grid of {size} rows: expected 1 to {LARGEST_SIZE}")
        for row, cells in enumerate(self.grid, 1):
            if len(cells) != size:
                raise PuzzleError(f"row {row} has {len(cells)} cells, but the grid has {size} rows")
        self._set_numbers()
        givens = [fact for fact in self.facts if fact.signature == GIVEN]
        facts = sorted({fact for fact in self.facts if fact.signature != GIVEN}, key=sort_key)
        object.__setattr__(self, "facts", tuple(facts))
        object.__setattr__(self, "grid", with_givens(self.grid, givens))
        for cell, number in self.givens().items():
            name = "r{}c{}".format(*cell)
            self._require_number(number, name)
            if cell in self.unused:
                raise PuzzleError(f"{name} is not used, but the number {number} is given in it")
        self._set_box()
        if self.solution is not None:
            self._require_fitting(self.solution)
        if self.origin and not self.name:
            object.__setattr__(self, "name", str(self.origin))

    def _set_numbers(self) -> None:
        if not self.numbers:
            object.__setattr__(self, "numbers", range(1, self.size + 1))
        elif self.numbers[0] < 0 or self.numbers[-1] > LARGEST_SIZE or self.numbers.step != 1:
            raise PuzzleError(
                f"invalid numbers {format_range(self.numbers)}: use a contiguous range within"
                f" 0 to {LARGEST_SIZE}"
            )

    def _require_fitting(self, solution: Grid) -> None:
        if [len(solution), *map(len, solution)] != [self.size] * (self.size + 1):
            raise PuzzleError(f"the stated solution is not a {self.size}x{self.size} grid")
        for number in numbers_by_cell(solution).values():
            self._require_number(number, "the stated solution")

    def _require_number(self, number: int, where: str) -> None:
        if number not in self.numbers:
            grid = f"a {self.size}x{self.size} grid" if self.has_default_numbers else "this puzzle"
            known = f"the numbers of {grid} are {format_range(self.numbers)}"
            raise PuzzleError(f"invalid number {number} in {where}: {known}")

    @property
    def has_default_numbers(self) -> bool:
        """Whether the numbers are 1 to n."""
        return self.numbers == range(1, self.size + 1)

    def _set_box(self) -> None:
        has_regions = any(fact.signature == REGION for fact in self.facts)
        if self.layout and self.box in (None, box_shape(self.size)):
            object.__setattr__(self, "box", None)
        elif self.layout:
            raise PuzzleError("both a box shape and rules that derive the regions: remove one")
        elif self.box is None:
            object.__setattr__(self, "box", None if has_regions else box_shape(self.size))
        elif has_regions:
            raise PuzzleError("both a box shape and explicit regions are given; remove one")
        elif min(self.box) < 1 or self.box[0] * self.box[1] != self.size:
            (rows, columns), size = self.box, self.size
            needed = f"a {size}x{size} grid needs boxes of {size}"
            problem = f"invalid box shape {rows}x{columns}: it has {rows * columns} cells, but"
            raise PuzzleError(f"{problem} {needed}")

    @property
    def size(self) -> int:
        """Number of rows, of columns and of numbers."""
        return len(self.grid)

    def contains(self, row: int, column: int, number: int) -> bool:
        """Whether the cell is in the grid and the number in the range of numbers."""
        return 1 <= row <= self.size and 1 <= column <= self.size and number in self.numbers

    @property
    def heading(self) -> str:
        """The title and the author in one line, such as `Autumn, by Ada`; empty without either."""
        by = f"by {self.author}" if self.author else ""
        return ", ".join(filter(None, (self.title, by)))

    @property
    def caveat(self) -> str:
        """Caveat to append to every result if parts of the source are unsupported."""
        ignored = [part for part in self.unsupported if part != MISREAD]
        caveat = f" - ignoring unsupported parts: {', '.join(ignored)}" if ignored else ""
        if MISREAD in self.unsupported:
            caveat += " - probably misunderstood: the rules were read from words"
        return caveat

    def doubted(self, status: str) -> Puzzle:
        """The puzzle, or, if its rules were read from words, nothing is open, and it does not have
        exactly one solution, the puzzle with a part "probably misunderstood".

        status: that of a search, or "differs" if its solution is not the one that its source states
        """
        is_odd = status in ("none", "several", "differs")
        is_doubted = self.wording and not self.unsupported and is_odd
        return self.with_unsupported(MISREAD) if is_doubted else self

    def with_unsupported(self, *parts: str) -> Puzzle:
        """The puzzle with more parts of its source that are not supported."""
        return self.replace(unsupported=(*self.unsupported, *parts))

    def __getitem__(self, cell: Cell) -> int | None:
        """The given number in a row and column, counted from 1, or None.

        Raises IndexError outside the grid, TypeError for anything but a row and a column.
        """
        return _content(self.grid, cell)

    def __iter__(self) -> Iterator[tuple[int | None, ...]]:
        return iter(self.grid)

    def givens(self) -> dict[Cell, int]:
        """The given numbers by row and column from 1, in reading order."""
        return numbers_by_cell(self.grid)

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[object]]) -> Puzzle:
        """A puzzle from rows of any type: lists, or an array.

        rows: n rows of n cells, each a number; 0, None or "." in an empty cell
        Raises PuzzleError like `Puzzle`, TypeError if these are not rows of numbers.
        """
        grid = (
            tuple(_number((row, column), each) for column, each in enumerate(_elements(cells), 1))
            for row, cells in enumerate(_elements(rows), 1)
        )
        return cls(tuple(grid))

    @classmethod
    def blank(cls, size: int = 9, box: tuple[int, int] | None = None) -> Puzzle:
        """An empty grid of size x size cells.

        Raises PuzzleError for an invalid size or box shape.
        """
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"expected a number of rows, not {size!r}")
        if not 1 <= size <= LARGEST_SIZE:
            raise PuzzleError(f"invalid grid of {size} rows: expected 1 to {LARGEST_SIZE}")
        return cls(((None,) * size,) * size, box)

    def replace(self, **changes: object) -> Puzzle:
        """A copy with these fields changed.

        Regions among new facts replace a box shape that was inferred from the size.
        """
        if "facts" in changes and self.box == box_shape(self.size):
            changes.setdefault("box", None)
        return replace(self, **changes)  # type: ignore[arg-type]

    @cached_property
    def unused(self) -> frozenset[Cell]:
        """The cells that are not part of the puzzle. They hold no number in a solution."""
        return frozenset(
            (row, column)
            for row, column in (
                fact.arguments for fact in (*self.facts, *self.layout) if fact.signature == UNUSED
            )
            if isinstance(row, int) and isinstance(column, int)
        )

    def cells(self) -> list[Cell]:
        """The cells that are used, in reading order."""
        span = range(1, self.size + 1)
        cells = ((row, column) for row in span for column in span)
        return [cell for cell in cells if cell not in self.unused]

    def regions(self) -> dict[Cell, set[object]]:
        """The boxes or regions of each cell; empty if a box is the same as a row or column."""
        if self.box:
            height, width = self.box
            span = range(self.size) if min(self.box) > 1 else range(0)
            return {
                (row + 1, column + 1): {(row // height, column // width)}
                for row in span
                for column in span
            }
        regions: dict[Cell, set[object]] = {}
        for fact in filter(self.is_region, (*self.facts, *self.layout)):
            row, column, name = fact.arguments
            assert isinstance(row, int)
            assert isinstance(column, int)
            regions.setdefault((row, column), set()).add(name)
        return regions

    def is_region(self, fact: Function) -> bool:
        """Whether a fact assigns a cell of the grid to a region."""
        return fact.signature == REGION and all(
            isinstance(index, int) and 1 <= index <= self.size for index in fact.arguments[:2]
        )

    def __str__(self) -> str:
        return render.text(self, self.grid)

    def __repr__(self) -> str:
        title = [self.heading] if self.heading else []
        rules = [*title, f"{self.size}x{self.size}", *self.elaborations]
        counts = f"givens: {len(self.givens())}, other facts: {len(self.facts)}"
        return f"<Puzzle: {render.shortened(', '.join(rules))}; {counts}>"

    def _repr_html_(self) -> str:
        return render.html(self)


@dataclass(frozen=True, repr=False)
class Solution:
    """A solution of a puzzle.

    rows: n rows of n numbers, None in unused cells
    shown: the other atoms that the rules `#show`
    """

    puzzle: Puzzle
    rows: Grid
    shown: tuple[Term, ...] = ()

    def __getitem__(self, cell: Cell) -> int | None:
        """The number in a row and column, counted from 1; None in an unused cell.

        Raises IndexError outside the grid, TypeError for anything but a row and a column.
        """
        return _content(self.rows, cell)

    def __iter__(self) -> Iterator[tuple[int | None, ...]]:
        return iter(self.rows)

    def numbers(self) -> dict[Cell, int]:
        """The numbers by row and column from 1, in reading order, without unused cells."""
        return numbers_by_cell(self.rows)

    def __str__(self) -> str:
        return render.text(self.puzzle, self.rows)

    def __repr__(self) -> str:
        return f"<Solution: {render.shortened(render.line(self.rows))}>"

    def to_json(self) -> dict[str, object]:
        """The rows, and the other shown atoms, for `json.dumps`."""
        return {"rows": list(map(list, self.rows)), "shown": list(map(to_asp, self.shown))}

    def _repr_html_(self) -> str:
        return render.html(self)


GridLike = Puzzle | Solution


def numbers_by_cell(grid: Iterable[Iterable[_Content | None]]) -> dict[Cell, _Content]:
    """The numbers, or the candidates, by row and column from 1, in reading order, without None."""
    return {
        (row, column): number
        for row, cells in enumerate(grid, 1)
        for column, number in enumerate(cells, 1)
        if number is not None
    }


def format_range(numbers: range) -> str:
    """The range in words, such as `0 to 8`."""
    return f"{numbers[0]} to {numbers[-1]}"


def _elements(rows: object) -> Iterable[Any]:
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        text = "; aspdoku.parse reads a text" if isinstance(rows, str) else ""
        raise TypeError(f"expected rows of numbers, not {rows!r}{text}")
    return rows


def _number(cell: Cell, content: object) -> int | None:
    if content is None or (isinstance(content, str) and content == "."):
        return None
    if isinstance(content, str) and content.isascii() and content.isdecimal():
        content = int(content[:10])
    try:
        return index(content) or None  # type: ignore[arg-type]
    except TypeError:
        expected = "r{}c{}, or 0, None or '.' if it is empty".format(*cell)
        raise TypeError(f"expected a number in {expected}, not {content!r}") from None


def _content(rows: Sequence[Sequence[_Number]], cell: Cell) -> _Number:
    size = len(rows)
    try:
        row, column = map(index, cell)
    except (TypeError, ValueError):
        expected = f"expected a row and a column, such as [1, {size}]"
        raise TypeError(f"{expected}, not {cell!r}") from None
    if not (1 <= row <= size and 1 <= column <= size):
        missing = f"no cell in row {row} and column {column}"
        raise IndexError(f"{missing}: rows and columns are 1 to {size}")
    return rows[row - 1][column - 1]


def with_givens(grid: Grid, facts: list[Function]) -> Grid:
    """The grid with the facts `a(R,C,N)` as givens. Raises PuzzleError."""
    rows = [list(cells) for cells in grid]
    size = len(rows)
    for fact in facts:
        row, column, number = fact.arguments
        if not (isinstance(row, int) and isinstance(column, int) and isinstance(number, int)):
            raise PuzzleError(f"invalid given {fact}: a(R,C,N) takes three numbers")
        if not (1 <= row <= size and 1 <= column <= size):
            lines = f"its rows and columns are 1 to {size}"
            raise PuzzleError(f"given {fact} is outside the grid: {lines}")
        if (known := rows[row - 1][column - 1]) not in (None, number):
            raise PuzzleError(f"given {fact} contradicts the grid: r{row}c{column} is {known}")
        rows[row - 1][column - 1] = number
    return tuple(tuple(cells) for cells in rows)
