"""Codecs that convert the arguments of constraints to facts and back.

Those here are of clues in a shape that other formats also have.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from aspdoku.formats import shapes
from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError
from aspdoku.formats.iss.grid import IssGrid, iss_name
from aspdoku.program import library
from aspdoku.program.library import default_values
from aspdoku.puzzle.puzzle import REGION, Cell
from aspdoku.puzzle.term import Function, Signature, Term

_NUMBER = re.compile(r"[0-9]{1,6}")
_VALUE = re.compile(r"-?[0-9]{1,9}")
_LINE = re.compile(r"([RrCc])([1-9][0-9]?)")  # a decimal number, unlike those in the names of cells
_FACTORS = re.compile(r"(-?[0-9]{1,6})_=((?:_-?[0-9]{1,3})+)")
_LARGEST_FACTOR = 100
_OPPOSITE = str.maketrans("UDLR", "DURL")

Facts = Iterator[Function]
Written = Iterator[list[str]]


@dataclass(frozen=True)
class Codec(ABC):
    """Converts the arguments of a constraint to facts and back.

    rule: the elaboration that uses the facts
    written: whether writers use it; one of several names with the same meaning
    """

    rule: str
    written: bool = field(default=True, kw_only=True)

    @property
    def predicate(self) -> str:
        """The predicate of the main input of the rule."""
        return shapes.main_input(self.rule).name

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the facts that it writes."""
        inputs = library.find(self.rule).inputs
        return frozenset(each.signature for each in inputs) - {REGION}

    @property
    def rules(self) -> set[str]:
        """The elaborations that use these predicates."""
        return {shapes.rule_of(signature, self.rule) for signature in self.signatures}

    @abstractmethod
    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        """The facts, with the next labels as names. Raises UnsupportedError."""

    @abstractmethod
    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        """The arguments of the constraints for these facts. Raises UnsupportedError."""


@dataclass(frozen=True)
class ShapeCodec(Codec):
    """Arguments for clues of the shape that the inputs of the rule determine."""

    @property
    def shape(self) -> shapes.ClueShape:
        return shapes.shape_of(self.rule)

    @property
    def signatures(self) -> frozenset[Signature]:
        return self.shape.signatures

    @abstractmethod
    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        """The clues for these arguments. Raises UnsupportedError."""

    @abstractmethod
    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        """The arguments for a clue; None for another constraint. Raises UnsupportedError."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        for clue in self.clues(arguments, field):
            yield from self.shape.read(clue, labels, field)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        """The arguments of the constraints; if a clue has no value, with the default."""
        defaults = default_values(f"{self.shape.predicate}_value", 2, len(field.numbers))
        for clue in self.shape.write(stated, field):
            valued = replace(clue, value=defaults[0]) if defaults and clue.value is None else clue
            if arguments := self.arguments(valued, field):
                yield arguments


@dataclass(frozen=True)
class Cells(ShapeCodec):
    """Cells, as a set and as a line, after their value if the rule has one.

    optional: whether 0 and an empty value mean no value
    default: the value of arguments that do not begin with a number
    least: the smallest valid value
    """

    optional: bool = False
    default: str = ""
    least: int = 0

    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        value, names = "", arguments
        if self.shape.valued:
            has_value = not self.default or _VALUE.fullmatch("".join(arguments[:1]))
            value, *names = arguments if has_value else [self.default, *arguments]
            if not value and not self.optional:
                raise UnsupportedError("one without a value")
            if value.isdecimal() and int(value) < self.least:
                raise UnsupportedError(f"the value {value[:30]!r}")
        cells = field.cells_named(names)
        value = "" if self.optional and value == "0" else value
        yield shapes.Clue(cells=cells, lines=[cells], value=value)

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        names = field.names_of(clue.cells or clue.lines[0])
        if not self.shape.valued:
            return names
        if clue.value is None and not self.optional:
            raise UnsupportedError("one without a value")
        return [str(clue.value or 0), *names]


@dataclass(frozen=True)
class Pairs(ShapeCodec):
    """All pairs of neighbours among the cells, each with this value. The earlier cell comes first,
    and is the greater one if the rule compares them.
    """

    value: str = ""

    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        cells = field.distinct_cells(arguments)
        pairs = [
            (cell, other)
            for place, cell in enumerate(cells)
            for other in field.around(cell)
            if other in cells[place + 1 :]
        ]
        for name, cell in zip(arguments, cells, strict=True):
            if not any(cell in pair for pair in pairs):
                raise UnsupportedError(f"the cell {name}, which is adjacent to none of the others")
        for pair in pairs:
            yield shapes.Clue(cells=pair, value=self.value)

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        return field.names_of(clue.cells) if self.value in ("", clue.value) else None


@dataclass(frozen=True)
class Arrow(ShapeCodec):
    """A circle or a pill, and its shaft.

    pill: whether the number of cells of a pill comes before these
    """

    pill: bool = False

    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        size, *names = arguments if self.pill else ["1", *arguments]
        if self.pill and size not in ("2", "3"):
            raise UnsupportedError(f"a pill of {size[:30]!r} cells")
        cells = field.cells_named(names)
        yield shapes.Clue(cells=cells[: int(size)], lines=[cells[int(size) - 1 :]])

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        if self.pill == (len(clue.cells) == 1):
            return None
        names = field.names_of([*clue.cells, *clue.lines[0][1:]])
        return [str(len(clue.cells)), *names] if self.pill else names


@dataclass(frozen=True)
class Ends(ShapeCodec):
    """A row or a column, and the clues at its start and at its end, of which one may be missing.

    of_numbers: whether a clue must be one of the numbers of the puzzle
    """

    of_numbers: bool = False

    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        name, first, last = [*arguments, *[""] * (3 - len(arguments))]
        match = _LINE.fullmatch(name)
        if not match or int(match[2]) > field.shape[match[1] in "Cc"]:
            raise UnsupportedError(f"{name[:30]!r} instead of a row or a column")
        line = int(match[2])
        for clue, outside in ((first, 0), (last, field.size + 1)):
            if self.of_numbers and clue.isdecimal() and int(clue) not in field.numbers:
                raise UnsupportedError(
                    f"the clue {clue[:30]}, which is not a number of this puzzle"
                )
            if clue:
                place = (line, outside) if match[1] in "Rr" else (outside, line)
                yield shapes.Clue(outside=place, value=clue)

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        edge, line = field.nearest_edge(clue.outside or (0, 0))
        ends = [str(clue.value), ""]
        kind = "R" if edge in ("left", "right") else "C"
        return [f"{kind}{line}", *(ends if edge in ("left", "top") else ends[::-1])]


class Sandwich(Ends):
    """A sum, and a row or column: p_row(R,S) or p_column(C,S). If the line has fewer cells than
    there are numbers, its least and its greatest number are the ends of a lunchbox. In a block of
    alternatives, all lines are lunchboxes, which have names: the rule is `lunchbox`.
    """

    @property
    def shape(self) -> shapes.ClueShape:
        return shapes.shape_of("sandwich")

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        total, line = arguments
        named = self.rule == "lunchbox"
        for fact in super().read([line, total], labels, field):
            kind = fact.name.removeprefix("sandwich_")
            place, number = fact.arguments
            cells = (field.rows() if kind == "row" else field.columns())[int(str(place)) - 1]
            if len(cells) == len(field.numbers) and not named:
                yield fact
                continue
            label: Term = next(labels) if named else Function(kind, (place,))
            yield from shapes.line_facts("lunchbox", label, cells)
            yield Function("lunchbox_value", (label, number))

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        line, *clues = super().arguments(clue, field) or []
        return ["".join(clues), line]


class DiagonalSum(ShapeCodec):
    """A clue, and the edge cell where its diagonal starts, which determines the direction."""

    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        clue, name = arguments
        row, column = field.of(name)
        way = self._from(row, column, *field.shape)
        if not way or min(field.shape) == 1:
            raise UnsupportedError(f"a clue at {name[:30]}, where no diagonal begins")
        if clue == "0":
            raise UnsupportedError("a sum of 0")
        before = row - (1 if "D" in way else -1), column - (1 if "R" in way else -1)
        yield shapes.Clue(outside=before, direction=way, value=clue)

    @staticmethod
    def _from(row: int, column: int, rows: int, columns: int) -> str:
        """The direction from an edge cell; empty if that diagonal is read from its other end."""
        if column == 1 and row < rows:
            return "DR"
        if column == columns and 1 < row < rows:
            return "UL" if row < columns else ""
        if row == 1 and 1 < column <= columns:
            return "DL"
        return "UR" if row == rows and 1 < column < columns and columns - column + 1 < rows else ""

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        """The end of the diagonal from which this format reads it; the sum is the same."""
        cells, way = clue.cells, clue.direction
        for cell, start in ((cells[0], way), (cells[-1], way.translate(_OPPOSITE))):
            if self._from(*cell, *field.shape) == start:
                return [str(clue.value), field.name(cell)]
        raise UnsupportedError(
            f"the clue before {iss_name(cells[0])}, where another diagonal begins"
        )


class Cage(Cells):
    """A sum and cells in which no number repeats: p(R,C,I) and p_value(I,S). If a cell counts
    twice, these are a sum with factors and a set without repeated numbers.
    """

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        cells = field.cells_named(arguments[1:])
        if len(set(cells)) == len(cells):
            yield from super().read(arguments, labels, field)
            return
        label = Function("cage", (next(labels),))
        yield from (Function("extra_region", (*cell, label)) for cell in dict.fromkeys(cells))
        if total := number_in(arguments[0] or "0"):
            yield from _weighted_sum(label, cells, [1] * len(cells), total)


class WeightedSum(Cells):
    """A sum and cells; or a sum, "=" and a factor for each cell, separated by _: 0_=_1_-2.
    p(R,C,I), p_value(I,S), and p_factor(R,C,I,X) for each factor other than 1.
    """

    signatures = Codec.signatures

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        match, cells = _FACTORS.fullmatch(arguments[0]), field.cells_named(arguments[1:])
        if not match and len(set(cells)) == len(cells):
            yield from super().read(arguments, labels, field)
            return
        total = int(match[1]) if match else number_in(arguments[0])
        factors = list(map(int, match[2].split("_")[1:])) if match else [1] * len(cells)
        if len(cells) != len(factors):
            raise UnsupportedError(f"{len(cells)} cells with {len(factors)} factors")
        if any(abs(factor) > _LARGEST_FACTOR for factor in factors):
            raise UnsupportedError(f"a factor above {_LARGEST_FACTOR}")
        yield from _weighted_sum(next(labels), cells, factors, total)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        factors = {tuple(each): factor for *each, factor in stated["sum_cage_factor", 4]}
        values = shapes.values_by_label(stated, "sum_cage_value")
        weighted = {label for *_, label in factors}
        cages = stated["sum_cage", 3]
        if not factors.keys() <= {*cages}:
            raise UnsupportedError("a factor of a cell that is in no cage")
        for label, cells in shapes.by_last(each for each in cages if each[-1] in weighted).items():
            listed = "_".join(str(factors.get((*cell, label), 1)) for cell in cells)
            yield [f"{values[label]}_=_{listed}", *field.names_of(cells)]
        rest = [each for each in cages if each[-1] not in weighted]
        yield from super().write({**stated, ("sum_cage", 3): rest}, field)


def _weighted_sum(label: Term, cells: list[Cell], factors: list[int], total: int) -> Facts:
    """The facts for a sum of cells with factors; those of a cell that occurs twice are added."""
    weights: Counter[Cell] = Counter()
    for cell, factor in zip(cells, factors, strict=True):
        weights[cell] += factor
    for cell, factor in weights.items():
        yield Function("sum_cage", (*cell, label))
        if factor != 1:
            yield Function("sum_cage_factor", (*cell, label, factor))
    yield Function("sum_cage_value", (label, total))


def number_in(text: str) -> int:
    """The number in an argument. Raises UnsupportedError."""
    if not _NUMBER.fullmatch(text):
        raise UnsupportedError(f"the value {text[:30]!r}")
    return int(text)
