"""Shapes of clues, common to all formats: cells, lines, pairs, arrows, clues outside the grid.

The reader of a format turns its syntax into a `Clue`, and a shape turns the clue into facts;
writers do the reverse. The table of a format maps its own names to rules, whose inputs determine
the shape: `shape_of`. A table has shapes only where the format differs from other formats.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count, takewhile
from typing import ClassVar

from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError, by_key
from aspdoku.program import library
from aspdoku.program.library import default_values
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

_NUMBER = re.compile(r"\s*[0-9]{1,9}\s*")

# Directions of diagonals: up or down, left or right.
STEPS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}


@dataclass(frozen=True)
class Clue:
    """A clue as a format gives it, before a shape turns it into facts.

    cells: its cells, or the first of two groups of cells
    others: the second group
    lines: lines of cells, each from its start
    outside: the cell outside the grid where it is written, in row or column 0 or n + 1
    direction: where a diagonal goes from there, a key of `STEPS`
    value: a number or a word as the format writes it; None or "" if there is none
    values: several values, for a clue that has more than one
    """

    cells: Sequence[Cell] = ()
    others: Sequence[Cell] = ()
    lines: Sequence[Sequence[Cell]] = ()
    outside: Cell | None = None
    direction: str = ""
    value: object = None
    values: Sequence[object] = ()


@dataclass(frozen=True)
class SquareGrid:
    """A grid of `size` rows and columns, and the places for clues around it."""

    size: int

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return self.size, self.size

    def in_order(self) -> list[Cell]:
        """All cells in reading order."""
        rows, columns = self.shape
        places = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
        return list(filter(self.has, places))

    def has(self, cell: Cell) -> bool:
        """Whether a cell is inside the grid."""
        return 1 <= cell[0] <= self.size and 1 <= cell[1] <= self.size

    def nearest_edge(self, cell: Cell) -> tuple[str, int]:
        """The edge next to a cell outside the grid, and the row or column there.

        Raises UnsupportedError for a corner.
        """
        row, column = cell
        inside = range(1, self.size + 1)
        if row in inside and column not in inside:
            return ("left" if column == 0 else "right"), row
        if column in inside and row not in inside:
            return ("top" if row == 0 else "bottom"), column
        raise UnsupportedError(
            f"a clue at {cell_name(cell)}, which is not before a row or a column"
        )

    def outside(self, edge: str, line: int) -> Cell:
        """The cell outside the grid next to a row or column."""
        far = self.size + 1
        return {"left": (line, 0), "right": (line, far), "top": (0, line), "bottom": (far, line)}[
            edge
        ]


def cell_name(cell: Iterable[object]) -> str:
    """The name of a cell in messages and in f-puzzles, such as R1C2."""
    return "R{}C{}".format(*cell)


def to_number(value: object) -> int | None:
    """A number given as such or as a string; None if there is none. Raises UnsupportedError."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
        return value
    raise UnsupportedError(f"the value {str(value)[:30]!r}")


def require_distinct(cells: Iterable[Cell], name: Callable[[Cell], str] = cell_name) -> None:
    """Raise UnsupportedError if a cell is listed twice, as a set cannot contain it twice."""
    for cell, times in Counter(cells).items():
        if times > 1:
            raise UnsupportedError(f"the cell {name(cell)}, listed twice")


@dataclass(frozen=True)
class ClueShape(ABC):
    """A kind of clue: which parts it has, and the facts that represent it.

    predicate: of the facts; the names of further predicates begin with it
    valued: whether a clue can have a value, p_value(I,V)
    """

    predicate: str
    valued: bool = False
    inputs: ClassVar[Mapping[str, int]]
    """What follows the name of the predicate, with the number of arguments."""
    content: ClassVar[frozenset[str]]
    """The attributes of `Clue` that it uses, except for the value."""

    @property
    def parts(self) -> frozenset[str]:
        """The attributes of `Clue` that it uses."""
        return self.content | ({"value"} if self.valued else set())

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the facts."""
        ends = {**self.inputs, **({"_value": 2} if self.valued else {})}
        return frozenset((f"{self.predicate}{end}", arity) for end, arity in ends.items())

    @abstractmethod
    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        """The facts of a clue, with the next labels as names.

        Raises UnsupportedError if the clue, or the part of it that has not been yielded as facts,
        has no supported meaning.
        """

    @abstractmethod
    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        """The clues for these facts. Raises UnsupportedError if there are none."""

    def value_of(self, clue: Clue, has_cells: bool) -> int | None:
        """The value of a clue. Raises UnsupportedError for a value of a clue without cells."""
        value = to_number(clue.value) if self.valued else None
        if value is not None and not has_cells:
            raise UnsupportedError(f"the value {value} without cells")
        return value

    def value_facts(self, label: Term, value: int | None) -> Iterator[Function]:
        """The fact for a value, if there is one."""
        if value is not None:
            yield Function(f"{self.predicate}_value", (label, value))

    def values(self, stated: ArgumentsBySignature) -> dict[Term, Term]:
        """The values by label, if clues can have a value."""
        return values_by_label(stated, f"{self.predicate}_value") if self.valued else {}


class SingleCells(ClueShape):
    """Single cells: p(R,C)."""

    inputs: ClassVar = {"": 2}
    content = frozenset({"cells"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        require_distinct(clue.cells)
        yield from (Function(self.predicate, cell) for cell in clue.cells)

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        yield Clue(cells=list(map(as_cell, stated[self.predicate, 2])))


class CellSets(ClueShape):
    """Sets of cells, some with a value: p(R,C,I) and p_value(I,V)."""

    inputs: ClassVar = {"": 3}
    content = frozenset({"cells"})
    group: ClassVar[tuple[Term, ...]] = ()

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        value = self.value_of(clue, bool(clue.cells))
        require_distinct(clue.cells)
        if clue.cells:
            label = next(labels)
            for cell in clue.cells:
                yield Function(self.predicate, (*cell, *self.group, label))
            yield from self.value_facts(label, value)

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        values = self.values(stated)
        for label, cells in by_last(stated[self.predicate, self.inputs[""]]).items():
            yield Clue(cells=[as_cell(each[:2]) for each in cells], value=values.get(label))


class GroupedSets(CellSets):
    """Sets of cells in one group: p(R,C,1,I)."""

    inputs: ClassVar = {"": 4}
    group = (1,)


@dataclass(frozen=True)
class ValuedPairs(ClueShape):
    """Two neighbouring cells with a value: p(R,C,R1,C1,V).

    default: the value of a clue without one; None if such a clue is an empty placeholder
    words: values that are given as words
    """

    inputs: ClassVar = {"": 5}
    content = frozenset({"cells", "value"})
    default: int | None = None
    words: Mapping[str, int] = field(default_factory=dict)

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        cells = clue.cells
        value = self.words.get(str(clue.value).strip().upper())
        value = to_number(clue.value) if value is None else value
        if len(cells) != 2 and (cells or value is not None):
            raise UnsupportedError(f"{len(cells)} cells instead of two")
        require_distinct(cells)
        value = self.default if value is None else value
        if cells and value is not None:
            yield Function(self.predicate, (*cells[0], *cells[1], value))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        letters: dict[Term, str] = {value: word for word, value in self.words.items()}
        for *cells, value in stated[self.predicate, 5]:
            if self.words and value not in letters:
                raise UnsupportedError(f"{Function(self.predicate, (*cells, value))}")
            yield Clue(
                cells=[as_cell(cells[:2]), as_cell(cells[2:])],
                value=None if value == self.default else letters.get(value, value),
            )


class CellPairs(ClueShape):
    """Two neighbouring cells: p(R,C,R1,C1), of a sign first the one at its open side."""

    inputs: ClassVar = {"": 4}
    content = frozenset({"cells"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        if len(clue.cells) != 2:
            raise UnsupportedError(f"{len(clue.cells)} cells instead of two")
        yield Function(self.predicate, (*clue.cells[0], *clue.cells[1]))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        for cells in stated[self.predicate, 4]:
            yield Clue(cells=[as_cell(cells[:2]), as_cell(cells[2:])])


class CellLines(ClueShape):
    """Lines through cells: p(I,K,R,C) for the K-th cell of line I, and p_value(I,V)."""

    inputs: ClassVar = {"": 4}
    content = frozenset({"lines"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        lines = list(filter(None, dict.fromkeys(map(tuple, clue.lines))))
        value = self.value_of(clue, bool(lines))
        for line in (line for line in lines if len(line) > 1):
            label = next(labels)
            yield from line_facts(self.predicate, label, line)
            yield from self.value_facts(label, value)
        if any(len(line) == 1 for line in lines):
            raise UnsupportedError("a line of one cell")

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        values = self.values(stated)
        for label, line in lines_by_label(stated[self.predicate, 4]).items():
            yield Clue(lines=[line], value=values.get(label))


class Arrows(ClueShape):
    """A circle or a pill with shafts.

    Each shaft becomes a separate arrow p(I,K,R,C) that starts with the circle. With a pill:
    pill_p(I,K,R,C), whose first P cells are the pill, and pill_p_pill(I,P).
    """

    content = frozenset({"cells", "lines"})

    @property
    def signatures(self) -> frozenset[Signature]:
        pill = f"pill_{self.predicate}"
        return frozenset({(self.predicate, 4), (pill, 4), (f"{pill}_pill", 2)})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        bulb = clue.cells
        require_distinct(bulb)
        lines = list(filter(None, clue.lines))
        if any(line[0] not in bulb for line in lines):
            raise UnsupportedError("an arrow that does not begin in its circle")
        shafts = [line[1:] for line in lines if len(line) > 1]
        for shaft in shafts:
            name = next(labels)
            predicate = self.predicate if len(bulb) == 1 else f"pill_{self.predicate}"
            yield from line_facts(predicate, name, [*sorted(bulb), *shaft])
            if len(bulb) > 1:
                yield Function(f"{predicate}_pill", (name, len(bulb)))
        if bulb and (not shafts or len(shafts) < len(lines)):
            raise UnsupportedError("a circle without an arrow")

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        for line in lines_by_label(stated[self.predicate, 4]).values():
            yield Clue(cells=line[:1], lines=[line])
        pill = f"pill_{self.predicate}"
        pills = values_by_label(stated, f"{pill}_pill")
        (default,) = default_values(f"{pill}_pill", 2, grid.size)
        for label, line in lines_by_label(stated[pill, 4]).items():
            length = pills.get(label, default)
            if not isinstance(length, int) or not 0 < length < len(line):
                raise UnsupportedError(f"arrow {label}, whose pill is not a part of it")
            if line[:length] != sorted(line[:length]):
                raise UnsupportedError(
                    f"arrow {label}, whose pill is not read from left to right or from top to"
                    " bottom"
                )
            yield Clue(cells=line[:length], lines=[line[length - 1 :]])


class DiagonalSums(ClueShape):
    """A clue at the start of a diagonal: p(I,K,R,C) for its K-th cell, and p_value(I,S)."""

    inputs: ClassVar = {"": 4}
    content = frozenset({"outside", "cells", "direction"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        found = _outside_clue(clue)
        if found is None:
            return
        start, total = found
        where = f"a clue at {cell_name(start)}"
        step = STEPS.get(clue.direction)
        if step is None:
            raise UnsupportedError(f"the direction {clue.direction[:30]!r}")
        if grid.has(start):
            raise UnsupportedError(f"{where}, which is inside the grid")
        cells = self._along(start, step, grid)
        if not cells:
            raise UnsupportedError(f"{where} that points at no cell")
        if clue.cells and sorted(clue.cells) != sorted(cells):
            raise UnsupportedError(f"{where} with cells that are not those on its diagonal")
        if total == 0:
            raise UnsupportedError("a sum of 0")
        label = next(labels)
        yield from line_facts(self.predicate, label, cells)
        yield from self.value_facts(label, total)

    @staticmethod
    def _along(cell: Cell, step: tuple[int, int], grid: SquareGrid) -> list[Cell]:
        places = ((cell[0] + step[0] * far, cell[1] + step[1] * far) for far in count(1))
        return list(takewhile(grid.has, places))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        totals = self.values(stated)
        for label, line in lines_by_label(stated[self.predicate, 4]).items():
            if label not in totals:
                raise UnsupportedError(f"the clue {label}, which has no sum")
            starts = {
                name: (line[0][0] - down, line[0][1] - right)
                for name, (down, right) in STEPS.items()
            }
            for name, outside in starts.items():
                if self._along(outside, STEPS[name], grid) == line and not grid.has(outside):
                    yield Clue(cells=line, outside=outside, direction=name, value=totals[label])
                    break
            else:
                raise UnsupportedError(f"the clue {label}, which is not at the start of a diagonal")


class EdgeClues(ClueShape):
    """A clue for a row or a column, seen from one edge: p(E,J,S)."""

    inputs: ClassVar = {"": 3}
    content = frozenset({"outside", "value"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        if found := _outside_clue(clue):
            edge, line = grid.nearest_edge(found[0])
            yield Function(self.predicate, (Function(edge), line, found[1]))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        for edge, line, value in stated[self.predicate, 3]:
            yield Clue(outside=grid.outside(str(edge), int(str(line))), value=value)


class RowColumnClues(EdgeClues):
    """A clue for a row or a column, at either end: p_row(R,S) and p_column(C,S)."""

    inputs: ClassVar = {"_row": 2, "_column": 2}

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        for fact in super().read(clue, labels, grid):
            edge, line, value = fact.arguments
            kind = "row" if str(edge) in ("left", "right") else "column"
            yield Function(f"{self.predicate}_{kind}", (line, value))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        for kind, edge in (("row", "left"), ("column", "top")):
            for line, value in stated[f"{self.predicate}_{kind}", 2]:
                yield Clue(outside=grid.outside(edge, int(str(line))), value=value)


class Clones(ClueShape):
    """Two lists of cells with pairwise equal numbers: p(I,R,C,R1,C1)."""

    inputs: ClassVar = {"": 5}
    content = frozenset({"cells", "others"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        if len(clue.cells) != len(clue.others):
            raise UnsupportedError(f"{len(clue.cells)} cells with {len(clue.others)} clones")
        label = next(labels) if clue.cells else 0
        for one, other in zip(clue.cells, clue.others, strict=True):
            yield Function(self.predicate, (label, *one, *other))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        pairs = by_last((*cells, label) for label, *cells in stated[self.predicate, 5])
        for cells in pairs.values():
            yield Clue(
                cells=[as_cell(each[:2]) for each in cells],
                others=[as_cell(each[2:]) for each in cells],
            )


class Corners(ClueShape):
    """Numbers where four cells meet.

    p(R,C,N,Q): N occurs Q times around the corner below and right of a cell.
    """

    inputs: ClassVar = {"": 4}
    content = frozenset({"cells", "values"})

    def read(self, clue: Clue, labels: Iterator[Term], grid: SquareGrid) -> Iterator[Function]:
        values = [value for value in map(to_number, clue.values) if value is not None]
        if not values:
            return
        row, column = min(clue.cells, default=(0, 0))
        if sorted(clue.cells) != square(row, column):
            raise UnsupportedError("a circle that does not lie between four cells")
        for value, often in sorted(Counter(values).items()):
            yield Function(self.predicate, (row, column, value, often))

    def write(self, stated: ArgumentsBySignature, grid: SquareGrid) -> Iterator[Clue]:
        around: dict[Cell, list[int]] = defaultdict(list)
        for row, column, value, often in stated[self.predicate, 4]:
            if not isinstance(often, int) or not 0 < often <= 4:
                raise UnsupportedError(f"{often} times a number around a corner")
            around[int(str(row)), int(str(column))] += [int(str(value))] * often
        for (row, column), values in sorted(around.items()):
            yield Clue(cells=square(row, column), values=values)


# What other programs state in another way than the inputs of the rule.
_SHAPES: Mapping[str, ClueShape] = {
    "box": CellSets("box"),
    "white-dots": ValuedPairs("white_dot", default=1),
    "black-dots": ValuedPairs("black_dot", default=2),
    "xv": ValuedPairs("xv", words={"X": 10, "V": 5}),
    **dict.fromkeys(("arrow", "pill-arrow"), Arrows("arrow")),
    "little-killer": DiagonalSums("little_killer", valued=True),
}
# All others, by the letters of the arguments of the first input; the last one can be another.
_BY_ARGUMENTS: Mapping[tuple[str, ...], type[ClueShape]] = {
    ("R", "C"): SingleCells,
    ("R", "C", "I"): CellSets,
    ("R", "C", "G", "I"): GroupedSets,
    ("R", "C", "R1", "C1"): CellPairs,
    ("I", "K", "R", "C"): CellLines,
    ("E", "J", "_"): EdgeClues,
    ("R", "_"): RowColumnClues,
    ("R", "C", "N", "Q"): Corners,
    ("I", "R", "C", "R1", "C1"): Clones,
}


@cache
def shape_of(rule: str) -> ClueShape:
    """The shape of the main input of a rule, with its values if it declares any."""
    if rule in _SHAPES:
        return _SHAPES[rule]
    item, inputs = main_input(rule), library.find(rule).inputs
    valued = any(each.signature == (f"{item.name}_value", 2) for each in inputs)
    form = _BY_ARGUMENTS.get(item.arguments) or _BY_ARGUMENTS[*item.arguments[:-1], "_"]
    return form(item.name.removesuffix("_row"), valued)


def main_input(rule: str) -> Input:
    """The input of a rule that has its name, or else the first one."""
    inputs = library.find(rule).inputs
    return next((each for each in inputs if each.name == rule.replace("-", "_")), inputs[0])


def rule_of(signature: Signature, rule: str) -> str:
    """The rule with an input: this one if it declares it, else the first one that does."""
    inputs = {each.signature for each in library.find(rule).inputs}
    return rule if signature in inputs else library.bundled_inputs()[signature][1]


def square(row: int, column: int) -> list[Cell]:
    """The four cells around the corner below and right of a cell."""
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


def _outside_clue(clue: Clue) -> tuple[Cell, int] | None:
    """The cell outside the grid and the number of a clue; None for an empty clue.

    Raises UnsupportedError for a value without a cell.
    """
    value = to_number(clue.value)
    if value is None:
        return None
    if clue.outside is None:
        raise UnsupportedError(f"the value {value} without a cell")
    return clue.outside, value


def as_cell(arguments: Sequence[Term]) -> Cell:
    """The row and column of a fact. Raises TypeError if they are not numbers."""
    row, column = arguments
    if not isinstance(row, int) or not isinstance(column, int):
        raise TypeError
    return row, column


def line_facts(predicate: str, label: Term, cells: Iterable[Cell]) -> Iterator[Function]:
    """The facts of a line: p(I,K,R,C)."""
    for place, cell in enumerate(cells, 1):
        yield Function(predicate, (label, place, *cell))


def by_last(stated: Iterable[tuple[Term, ...]]) -> dict[Term, list[tuple[Term, ...]]]:
    """The other arguments, grouped by the last argument in order."""
    by_name = by_key((last, tuple(before)) for *before, last in stated)
    return {last: by_name[last] for last in sorted(by_name, key=sort_key)}


def values_by_label(stated: ArgumentsBySignature, predicate: str) -> dict[Term, Term]:
    """The value of each label: p(I,V). Raises UnsupportedError for two values of a label."""
    found: dict[Term, Term] = {}
    for label, value in stated[predicate, 2]:
        if found.setdefault(label, value) != value:
            raise UnsupportedError(f"two values, {found[label]} and {value}, for {label}")
    return found


def lines_by_label(stated: Iterable[tuple[Term, ...]]) -> dict[Term, list[Cell]]:
    """The cells of each line, in order, by label."""
    cells_by_label = by_last((*placed, label) for label, *placed in stated)
    lines = {
        label: sorted(cells, key=lambda each: sort_key(each[0]))
        for label, cells in cells_by_label.items()
    }
    for label, cells in lines.items():
        if [place for place, *_ in cells] != [*range(1, len(cells) + 1)]:
            raise UnsupportedError(f"line {label}, whose places are not 1, 2 and so on, once each")
    return {label: [as_cell(cell) for _, *cell in cells] for label, cells in lines.items()}
