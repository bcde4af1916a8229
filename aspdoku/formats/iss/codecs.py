"""Codecs that convert the arguments of constraints to facts and back.

Most of them use a shape that other formats have, too; the others are specific to this format.
"""

from __future__ import annotations

import re
import string
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, count, pairwise
from typing import ClassVar

from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError
from aspdoku.formats.iss.arguments import (
    ArgumentForm,
    BothEnds,
    CellList,
    OneEnd,
    Valued,
    neighbours,
)
from aspdoku.formats.iss.automata import (
    Automaton,
    automaton,
    decode,
    decode_pattern,
    encode,
    from_expression,
)
from aspdoku.formats.iss.grid import REGION_CELL, IssGrid, iss_name
from aspdoku.formats.shapes import (
    ClueShape,
    as_cell,
    line_facts,
    lines_by_label,
    shape_of,
    values_by_label,
)
from aspdoku.program import library
from aspdoku.program.library import default_values
from aspdoku.puzzle.puzzle import REGION, Cell
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

_NUMBER = re.compile(r"[0-9]{1,6}")
_FACTORS = re.compile(r"(-?[0-9]{1,6})_=((?:_-?[0-9]{1,3})+)")
_LARGEST_FACTOR = 100
_PAIRS = re.compile(r"(?:[0-9]{2})+")
_BITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_SWAPPED = str.maketrans("-_", "_-")
_END_OF_PART = "-"
_LOOP = "LOOP"
_BREAK = "break"
_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))
# The elaboration that finds regions.
FOUND = "chaos-construction"

Facts = Iterator[Function]


@dataclass(frozen=True)
class Codec(ABC):
    """Converts the arguments of a constraint to facts and back.

    rule: the elaboration that uses the facts
    written: whether writers use it; one of several names with the same meaning
    """

    rule: str
    written: bool = field(default=True, kw_only=True)
    others: ClassVar[Mapping[str, str]] = {}
    """Elaborations for facts of other predicates, by predicate."""
    more: ClassVar[frozenset[Signature]] = frozenset()
    """Those of the other predicates that this codec writes."""

    @property
    def predicate(self) -> str:
        """The predicate of the first input of the rule."""
        return library.find(self.rule).inputs[0].name

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the facts that it writes."""
        inputs = {each.signature for each in library.find(self.rule).inputs}
        return frozenset((inputs | self.more) - {REGION})

    @abstractmethod
    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        """The facts, with the next labels as names.

        Raises UnsupportedError if they have no supported meaning.
        """

    @abstractmethod
    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        """The arguments of the constraints for these facts.

        Raises UnsupportedError for facts that they cannot represent.
        """


@dataclass(frozen=True)
class ShapeCodec(Codec):
    """Arguments of a form, for clues of the shape that the inputs of the rule determine.

    form: by default the clues at both ends of a row or column; or cells, after their value if they
    have one
    """

    form: ArgumentForm | None = None

    @property
    def shape(self) -> ClueShape:
        """The shape of the clues."""
        return shape_of(self.rule)

    @property
    def _form(self) -> ArgumentForm:
        parts = self.shape.parts
        default = BothEnds if "outside" in parts else Valued if "value" in parts else CellList
        return self.form or default()

    @property
    def signatures(self) -> frozenset[Signature]:
        return self.shape.signatures | self.more

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        for clue in self._form.read(arguments, field):
            yield from self.shape.read(clue, labels, field)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        """The arguments of the constraints; if a clue has no value, with the default."""
        defaults = default_values(f"{self.shape.predicate}_value", 2, len(field.numbers))
        for clue in self.shape.write(stated, field):
            valued = replace(clue, value=defaults[0]) if defaults and clue.value is None else clue
            if arguments := self._form.write(valued, field):
                yield arguments


class WeightedSum(ShapeCodec):
    """A sum and cells; or a sum, "=" and a factor for each cell, separated by _: 0_=_1_-2.

    p(R,C,I), p_value(I,S), and p_factor(R,C,I,X) for each factor other than 1.
    """

    more = frozenset({("sum_cage_factor", 4)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        match, cells = _FACTORS.fullmatch(arguments[0]), field.cells_named(arguments[1:])
        if not match and len(set(cells)) == len(cells):
            yield from super().read(arguments, labels, field)
            return
        total = int(match[1]) if match else _number(arguments[0])
        factors = match[2].split("_")[1:] if match else ["1"] * len(cells)
        if len(cells) != len(factors):
            raise UnsupportedError(f"{len(cells)} cells with {len(factors)} factors")
        if any(abs(int(factor)) > _LARGEST_FACTOR for factor in factors):
            raise UnsupportedError(f"a factor above {_LARGEST_FACTOR}")
        yield from weighted_sum(self.predicate, next(labels), cells, map(int, factors), total)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        factors = {tuple(each): factor for *each, factor in stated[f"{self.predicate}_factor", 4]}
        values = values_by_label(stated, f"{self.predicate}_value")
        weighted = {label for *_, label in factors}
        cages = stated[self.predicate, 3]
        if any(each not in cages for each in factors):
            raise UnsupportedError("a factor of a cell that is in no cage")
        for label, cells in _by_last(cages).items():
            if label not in weighted:
                continue
            listed = "_".join(str(factors.get((*cell, label), 1)) for cell in cells)
            yield [f"{values[label]}_=_{listed}", *map(field.name, cells)]
        rest = defaultdict(list, stated)
        rest[self.predicate, 3] = [each for each in cages if each[-1] not in weighted]
        yield from super().write(rest, field)


def weighted_sum(
    predicate: str, label: Term, cells: Iterable[Cell], factors: Iterable[int], total: int
) -> Facts:
    """The facts for a sum of cells with factors; those of a cell that occurs twice are added."""
    weights: Counter[Cell] = Counter()
    for cell, factor in zip(cells, factors, strict=True):
        weights[cell] += factor
    for cell, factor in weights.items():
        yield Function(predicate, (*cell, label))
        if factor != 1:
            yield Function(f"{predicate}_factor", (*cell, label, factor))
    yield Function(f"{predicate}_value", (label, total))


class Cage(ShapeCodec):
    """A sum and cells in which no number repeats: p(R,C,I) and p_value(I,S).

    If a cell counts twice, these are a sum with factors and a set without repeated numbers.
    """

    others: ClassVar = {
        **dict.fromkeys(("sum_cage", "sum_cage_factor", "sum_cage_value"), "sum-cage"),
        "extra_region": "extra-region",
    }

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        cells = field.cells_named(arguments[1:])
        if len(set(cells)) == len(cells):
            yield from super().read(arguments, labels, field)
            return
        label = Function("cage", (next(labels),))
        yield from (Function("extra_region", (*cell, label)) for cell in dict.fromkeys(cells))
        if total := _number(arguments[0] or "0"):
            yield from weighted_sum("sum_cage", label, cells, [1] * len(cells), total)


class Quad(ShapeCodec):
    """A cell and the numbers around its lower right corner: p(R,C,N,Q).

    In a group of extra cells, which can have another shape in the field, these are a set of cells
    with counted numbers.
    """

    others: ClassVar = dict.fromkeys(("look_at_least", "look_at_least_count"), "look-at-least")

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        corner, *values = arguments
        cell = field.of(corner)
        if field.inside(cell):
            yield from super().read(arguments, labels, field)
            return
        cells = [field.near(cell, down, right) for down in (0, 1) for right in (0, 1)]
        found = [each for each in cells if each]
        if len(found) < len(cells):
            raise UnsupportedError(f"{corner[:30]!r}, which is not above and to the left of cells")
        counted = CountedNumbers("look-at-least")
        yield from counted.facts(Function("quad", cell), found, "_".join(values))


class DistinctNumbers(ShapeCodec):
    """A cell that counts the different numbers in other cells: p(I,K,R,C); or their different
    regions, if the others are regions.
    """

    others: ClassVar = {"chaos_distinct": FOUND}
    more = frozenset({("chaos_distinct", 4)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        first, *names = arguments
        if not names or not all(name.startswith(REGION_CELL) for name in names):
            yield from super().read(arguments, labels, field)
            return
        cells = [field.of(first), *map(field.cell_of_region, names)]
        yield from line_facts("chaos_distinct", next(labels), cells)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        yield from super().write(stated, field)
        for cells in lines_by_label(stated["chaos_distinct", 4]).values():
            yield [field.name(cells[0]), *map(field.region_of, cells[1:])]


class DifferentCells(ShapeCodec):
    """Cells without repeated numbers, p(R,C,I); or cells in different regions: q(R,C,R1,C1)."""

    others: ClassVar = {"chaos_apart": FOUND}
    more = frozenset({("chaos_apart", 4)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        if not all(name.startswith(REGION_CELL) for name in arguments):
            yield from super().read(arguments, labels, field)
            return
        for one, other in combinations(map(field.cell_of_region, arguments), 2):
            yield Function("chaos_apart", (*one, *other))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        yield from super().write(stated, field)
        for row, column, *other in stated["chaos_apart", 4]:
            yield [field.region_of((row, column)), field.region_of(other)]


@dataclass(frozen=True)
class CellGroups(Codec):
    """Sets of cells: p(R,C) for the first one and q(R,C,G) for others.

    named: whether the first one has a name, too
    """

    group: ClassVar[str] = "coloured_circle"
    named: bool = False

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        label = next(labels)
        for cell in field.distinct_cells(arguments):
            if self.named or label > 1:
                yield Function(self.group, (*cell, label))
            else:
                yield Function(self.predicate, cell)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        groups: dict[tuple[Term, ...], list[str]] = defaultdict(list)
        for signature in ((self.predicate, 2), (self.group, 3)):
            for row, column, *name in stated[signature]:
                groups[tuple(name)].append(field.name((row, column)))
        yield from groups.values()


class Indexers(Codec):
    """R or C, and cells: p(R,C), with one predicate for either letter."""

    predicates: ClassVar = {"R": "row_indexer", "C": "column_indexer"}
    others: ClassVar = {"column_indexer": "column-indexer"}
    more = frozenset({("column_indexer", 2)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        predicate = self.predicates.get(arguments[0])
        if predicate is None:
            raise UnsupportedError(f"the direction {arguments[0][:30]!r}")
        cells = field.distinct_cells(arguments[1:])
        if not all(map(field.inside, cells)):
            raise UnsupportedError("a cell in no row and column")
        yield from (Function(predicate, cell) for cell in cells)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for letter, predicate in self.predicates.items():
            if stated[predicate, 2]:
                yield [letter, *map(field.name, stated[predicate, 2])]


class GreaterThan(Codec):
    """Cells, each greater than its later neighbours: p(R,C,R1,C1)."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        for one, other in neighbours(arguments, field):
            yield Function(self.predicate, (*one, *other))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for row, column, *other in stated[self.predicate, 4]:
            yield [field.name((row, column)), field.name(other)]


class SumLine(Codec):
    """A sum, and a line that may be a loop: p(I,K,R,C), p_value(I,S) and p_loop(I)."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        value, *names = arguments
        loop = names[-1:] == [_LOOP]
        cells = field.cells_named(names[:-1] if loop else names)
        if not cells or not _number(value):
            raise UnsupportedError(f"{len(cells)} cells in parts of {value[:30]!r}")
        label = next(labels)
        yield from line_facts(self.predicate, label, cells)
        yield Function(f"{self.predicate}_value", (label, _number(value)))
        if loop:
            yield Function(f"{self.predicate}_loop", (label,))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        values = values_by_label(stated, f"{self.predicate}_value")
        loops = {label for (label,) in stated[f"{self.predicate}_loop", 1]}
        for label, cells in lines_by_label(stated[self.predicate, 4]).items():
            yield [
                str(values[label]),
                *map(field.name, cells),
                *([_LOOP] if label in loops else []),
            ]


@dataclass(frozen=True)
class Sandwich(ShapeCodec):
    """A sum, and a row or column: p_row(R,S) or p_column(C,S).

    If the line has fewer cells than there are numbers, its least and its greatest number are the
    ends of a lunchbox. In a block of alternatives, all lines are lunchboxes, which have names: the
    rule is `lunchbox`.
    """

    form: ArgumentForm | None = field(default_factory=OneEnd)
    others: ClassVar = dict.fromkeys(("lunchbox", "lunchbox_value"), "lunchbox")

    @property
    def shape(self) -> ClueShape:
        return shape_of("sandwich")

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        named = self.rule == "lunchbox"
        for fact in super().read(arguments, labels, field):
            line, total = fact.arguments
            kind = fact.name.removeprefix("sandwich_")
            cells = (field.rows() if kind == "row" else field.columns())[int(str(line)) - 1]
            if len(cells) == len(field.numbers) and not named:
                yield fact
                continue
            label: Term = next(labels) if named else Function(kind, (line,))
            yield from line_facts("lunchbox", label, cells)
            yield Function("lunchbox_value", (label, total))


class CellSetGroup(Codec):
    """Sets of cells separated by dashes: p(R,C,G,I) for set I of group G."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        label = next(labels)
        for part, names in enumerate(_split(arguments, _END_OF_PART), 1):
            if not names:
                raise UnsupportedError("an empty set of cells")
            yield from (
                Function(self.predicate, (*cell, label, part))
                for cell in field.distinct_cells(names)
            )

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for parts in _groups(stated[self.predicate, 4]):
            yield [name for cells in parts for name in (_END_OF_PART, *map(field.name, cells))][1:]


class EqualSizedSets(Codec):
    """A number of sets, and cells: p(R,C,G,I).

    If each set is the region of one cell, these regions are the same: q(R,C,R1,C1).
    """

    together: ClassVar[str] = "chaos_same"
    others: ClassVar = {together: FOUND}
    more = frozenset({(together, 4)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        number, names = _number(arguments[0]), arguments[1:]
        if not number or not names or len(names) % number:
            raise UnsupportedError(f"{len(names)} cells in {number} sets")
        if number == len(names) and names[0].startswith(REGION_CELL):
            regions = [field.cell_of_region(name) for name in names]
            yield from (Function(self.together, (*regions[0], *other)) for other in regions[1:])
            return
        label, size = next(labels), len(names) // number
        for part in range(number):
            for cell in field.distinct_cells(names[part * size : (part + 1) * size]):
                yield Function(self.predicate, (*cell, label, part + 1))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for sets in _groups(stated[self.predicate, 4]):
            if len(set(map(len, sets))) > 1:
                raise UnsupportedError("sets of different sizes that hold the same")
            yield [str(len(sets)), *(field.name(cell) for cells in sets for cell in cells)]
        for row, column, *other in stated[self.together, 4]:
            yield ["2", field.region_of((row, column)), field.region_of(other)]


class CountedNumbers(Codec):
    """Numbers separated by _, and cells: p(R,C,I), and p_count(I,N,Q) if N occurs Q times."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        values, *names = arguments
        if not names:
            raise UnsupportedError("no cells")
        yield from self.facts(next(labels), field.distinct_cells(names), values)

    def facts(self, label: Term, cells: Iterable[Cell], values: str) -> Facts:
        """The facts for a set of cells and numbers."""
        yield from (Function(self.predicate, (*cell, label)) for cell in cells)
        for number, often in self._counts(values).items():
            yield Function(f"{self.predicate}_count", (label, number, often))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        held = _by_last(stated[self.predicate, 3])
        counts: dict[Term, dict[Term, int]] = defaultdict(dict)
        for label, number, often in stated[f"{self.predicate}_count", 3]:
            if not isinstance(often, int) or not self._can_write(number, often, len(held[label])):
                raise UnsupportedError(f"{number} {often} times in {len(held[label])} cells")
            counts[label][number] = often
        for label, cells in held.items():
            yield [self._text(counts[label]), *map(field.name, cells)]

    def _counts(self, values: str) -> Mapping[int, int]:
        return Counter(map(_number, values.split("_")))

    def _can_write(self, number: Term, often: int, cells: int) -> bool:
        return 0 < often <= cells

    def _text(self, counts: Mapping[Term, int]) -> str:
        return "_".join(str(number) for number, often in counts.items() for _ in range(often))


class LookAndSay(CountedNumbers):
    """The same with pairs of digits, how often a number occurs and the number: 23 for two 3s."""

    def _counts(self, values: str) -> Mapping[int, int]:
        if not _PAIRS.fullmatch(values):
            raise UnsupportedError(f"the value {values[:30]!r}")
        counts: dict[int, int] = {}
        for often, number in zip(values[::2], values[1::2], strict=True):
            if counts.setdefault(int(number), int(often)) != int(often):
                raise UnsupportedError(f"two counts of {number} in {values[:30]!r}")
        return counts

    def _can_write(self, number: Term, often: int, cells: int) -> bool:
        return 0 <= often <= min(cells, 9) and isinstance(number, int) and 0 <= number <= 9

    def _text(self, counts: Mapping[Term, int]) -> str:
        return "".join(f"{often}{number}" for number, often in counts.items())


class ConnectedSets(Codec):
    """A group of extra cells or, if empty, the grid; numbers separated by _; optionally a size.

    p_set(I,N), p_size(I,S), and p_in(R,C,I) for the cells of a group.
    """

    signatures = frozenset({("connected_set", 2), ("connected_size", 2), ("connected_in", 3)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        group, values, *sizes = arguments
        numbers = sorted(set(map(_number, values.split("_"))))
        if not set(numbers) <= set(field.numbers):
            raise UnsupportedError(f"the numbers {values[:30]!r}")
        if len(sizes) > 1 or sizes == ["0"]:
            raise UnsupportedError(f"the size {'~'.join(sizes)[:30]!r}")
        cells = field.group(group) if group else []
        label = next(labels)
        yield from (Function(f"{self.predicate}_set", (label, number)) for number in numbers)
        for size in filter(None, sizes):
            yield Function(f"{self.predicate}_size", (label, _number(size)))
        yield from (Function(f"{self.predicate}_in", (*cell, label)) for cell in cells)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for row, column, label in stated[f"{self.predicate}_in", 3]:
            raise UnsupportedError(f"set {label}, which is about the cell r{row}c{column}")
        sizes = values_by_label(stated, f"{self.predicate}_size")
        numbers: dict[Term, list[str]] = defaultdict(list)
        for label, number in stated[f"{self.predicate}_set", 2]:
            numbers[label].append(str(number))
        for label in sorted(numbers, key=sort_key):
            size = [str(sizes[label])] if label in sizes else []
            yield ["", "_".join(numbers[label]), *size]


class RegionCount(Codec):
    """A cell that counts itself and other cells in its region: those around it, p(R,C), or listed
    ones, p(R,C,R1,C1).

    The regions of these cells are listed; those that equal the first one are counted.
    """

    predicate = "chaos_count"
    signatures = frozenset({(predicate, 2), (predicate, 4)})

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        cell = field.of(arguments[0])
        around = sorted([cell, *field.around(cell, diagonal=True)])
        listed = [field.cell_of_region(name) for name in arguments[2:]] or around
        _require_no_offset(arguments)
        if len(set(listed)) < len(listed) or (arguments[2:] and listed[0] != cell):
            raise UnsupportedError(f"a count that does not begin with {iss_name(cell)}")
        if sorted(listed) == around:
            yield Function(self.predicate, cell)
        else:
            yield from (Function(self.predicate, (*cell, *other)) for other in listed[1:] or listed)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        counted: dict[Cell, list[Cell]] = defaultdict(list)
        for row, column, *other in stated[self.predicate, 4]:
            counted[as_cell((row, column))].append(as_cell(other))
        for around in map(as_cell, stated[self.predicate, 2]):
            if around in counted:
                raise UnsupportedError(f"two counts in {iss_name(around)}")
            counted[around] = list(field.around(around, diagonal=True))
        for cell, others in counted.items():
            listed = [cell, *(other for other in others if other != cell)]
            yield [field.name(cell), "0", *map(field.region_of, listed)]


@dataclass(frozen=True)
class RegionArrows(Codec):
    """A cell that counts the cells of its region along arrows, up to the first other one:
    p(I,K,R,C) for each arrow, which begins in that cell.

    The regions of the cells are listed, with a dash between arrows; without them, there are arrows
    in all four directions. A single arrow with an offset counts by itself, D cells more than the
    number: q(I,D).

    alone: whether a single arrow counts by itself without an offset, too
    """

    predicate = "chaos_arrow"
    offset = "chaos_offset"
    signatures = frozenset({(predicate, 4), (offset, 2)})
    alone: bool = False

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        cell = field.of(arguments[0])
        offset = ""
        if not is_single_arrow(arguments):
            _require_no_offset(arguments)
        elif (stated := arguments[1] or "0") not in ("0", "1"):
            raise UnsupportedError(f"the offset {stated[:30]!r}")
        elif self.alone or stated == "1":
            offset = stated
        arrows = [
            [field.cell_of_region(name) for name in names]
            for names in _split(arguments[2:], _END_OF_PART)
        ]
        if not arguments[2:]:
            arrows = [list(field.ray(cell, *step)) for step in _STEPS]
        if any(arrow[:1] != [cell] for arrow in arrows):
            raise UnsupportedError(f"an arrow that does not begin in {iss_name(cell)}")
        others = [other for arrow in arrows for other in arrow[1:]]
        if len(set(others)) < len(others) or cell in others:
            raise UnsupportedError("arrows with a common cell")
        for arrow in arrows:
            label = next(labels)
            yield from line_facts(self.predicate, label, arrow)
            if offset:
                yield Function(self.offset, (label, int(offset)))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        arrows: dict[Cell, list[list[str]]] = defaultdict(list)
        offsets = values_by_label(stated, self.offset)
        for label, cells in lines_by_label(stated[self.predicate, 4]).items():
            regions = list(map(field.region_of, cells))
            if label not in offsets:
                arrows[cells[0]].append(regions)
            elif offsets[label] in (0, 1):
                yield [field.name(cells[0]), str(offsets[label]), *regions]
            else:
                raise UnsupportedError(f"the offset {offsets[label]} of arrow {label}")
        for cell, parts in arrows.items():
            listed = [name for part in parts for name in (_END_OF_PART, *part)][1:]
            yield [field.name(cell), "0", *listed]


def is_single_arrow(arguments: list[str]) -> bool:
    """Whether the arguments of a clue that counts along arrows list just one arrow."""
    return len(arguments) > 2 and _END_OF_PART not in arguments


def _require_no_offset(arguments: list[str]) -> None:
    """Raise UnsupportedError if the count in the first cell is one less than that of the cells."""
    if arguments[1:2] not in ([], [""], ["0"]):
        raise UnsupportedError(f"the offset {arguments[1][:30]!r}")


@dataclass(frozen=True)
class PairTable(Codec):
    """A table of allowed pairs, and lines: p(I,R,C,R1,C1) and p_allowed(I,N,N1).

    every: the pairs are any two cells of a line instead of neighbours
    swapped: the table has - for _ and _ for -
    """

    every: bool = False
    swapped: bool = False

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        label = next(labels)
        key = arguments[0].translate(_SWAPPED) if self.swapped else arguments[0]
        for line in filter(None, _split(arguments[1:], "")):
            found = field.cells_named(line)
            if len(found) < 2:
                raise UnsupportedError(f"a line of the cell {line[0]} alone")
            for one, other in combinations(found, 2) if self.every else pairwise(found):
                yield Function(self.predicate, (label, *one, *other))
        if not any(arguments[1:]):
            raise UnsupportedError("no cells")
        for number, other_number in _allowed(key, field.numbers):
            yield Function(f"{self.predicate}_allowed", (label, number, other_number))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        allowed: dict[Term, set[tuple[Term, ...]]] = defaultdict(set)
        lines: dict[Term, list[str]] = defaultdict(list)
        for label, *pair in stated[f"{self.predicate}_allowed", 3]:
            allowed[label].add(tuple(pair))
        for label, row, column, *other in stated[self.predicate, 5]:
            lines[label] += ["", field.name((row, column)), field.name(other)]
        for label in sorted(lines, key=sort_key):
            key = _key(allowed[label], field.numbers)
            yield [key.translate(_SWAPPED) if self.swapped else key, *lines[label]]


@dataclass(frozen=True)
class AutomatonLines(Codec):
    """An automaton, and lines whose parts are separated by dashes.

    p(I,K,R,C), p_break(I,K) between two parts, p_value(I,A); p_start(A,Z), p_accepting(A,Z) and
    p_edge(A,Z,W,Z1) for automaton A, which is named after the first line.

    expression: whether the automaton is a regular expression, and the lines have one part
    """

    expression: bool = False

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        key, *names = arguments
        lines = [
            [list(map(field.of, part)) for part in self._parts(line)]
            for line in filter(None, _split(names, ""))
        ]
        if not lines:
            raise UnsupportedError("no cells")
        found = (
            from_expression(
                decode_pattern(key), field.numbers, max(sum(map(len, parts)) for parts in lines)
            )
            if self.expression
            else decode(key)
        )
        symbols = [*field.numbers, Function(_BREAK)]
        named = [(next(labels), parts) for parts in lines]
        name = named[0][0]
        for label, parts in named:
            yield from self._line(label, parts)
            yield Function(f"{self.predicate}_value", (label, name))
        for state in range(found.starts):
            yield Function(f"{self.predicate}_start", (name, state))
        for state in sorted(found.accepting):
            yield Function(f"{self.predicate}_accepting", (name, state))
        for state, symbol, following in found.edges:
            if symbol < len(symbols):  # no line has the others
                yield Function(f"{self.predicate}_edge", (name, state, symbols[symbol], following))

    def _parts(self, line: list[str]) -> list[list[str]]:
        return [line] if self.expression else _split(line, _END_OF_PART)

    def _line(self, label: int, parts: list[list[Cell]]) -> Facts:
        place = count(1)
        for part in parts:
            if part is not parts[0]:
                yield Function(f"{self.predicate}_break", (label, next(place)))
            for cell in part:
                yield Function(self.predicate, (label, next(place), *cell))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        places: dict[Term, dict[Term, str]] = defaultdict(dict)
        for label, place, *cell in stated[self.predicate, 4]:
            places[label][place] = field.name(cell)
        for label, place in stated[f"{self.predicate}_break", 2]:
            places[label][place] = _END_OF_PART
        lines: dict[Term, list[str]] = defaultdict(list)
        names = values_by_label(stated, f"{self.predicate}_value")
        for label in sorted(names, key=sort_key):
            cells = [places[label][place] for place in sorted(places[label], key=sort_key)]
            lines[names[label]] += ["", *cells]
        for name, items in lines.items():
            symbols = len(field.numbers) + (_END_OF_PART in items)
            yield [encode(self._automaton(name, stated, field), symbols), *items]

    def _automaton(self, name: Term, stated: ArgumentsBySignature, field: IssGrid) -> Automaton:
        edges = [edge for its, *edge in stated[f"{self.predicate}_edge", 4] if its == name]
        starts, accepting = (
            [state for its, state in stated[f"{self.predicate}_{kind}", 2] if its == name]
            for kind in ("start", "accepting")
        )
        states = {*starts, *accepting, *(state for edge in edges for state in edge[::2])}
        number = {state: place for place, state in enumerate(sorted(states, key=sort_key))}
        symbols: list[Term] = [*field.numbers, Function(_BREAK)]
        if any(symbol not in symbols for _, symbol, _ in edges):
            raise UnsupportedError(f"automaton {name}, which reads other symbols than numbers")
        return automaton(
            [number[state] for state in starts],
            [number[state] for state in accepting],
            [(number[one], symbols.index(read), number[other]) for one, read, other in edges],
        )


def _by_last(stated: Iterable[tuple[Term, ...]]) -> dict[Term, list[tuple[Term, ...]]]:
    """The other arguments, grouped by the last argument in order."""
    found: dict[Term, list[tuple[Term, ...]]] = defaultdict(list)
    for *before, last in stated:
        found[last].append(tuple(before))
    return {last: found[last] for last in sorted(found, key=sort_key)}


def _groups(stated: Iterable[tuple[Term, ...]]) -> list[list[list[tuple[Term, ...]]]]:
    """The cells of each set of each group: p(R,C,G,I)."""
    groups: dict[Term, dict[Term, list[tuple[Term, ...]]]] = defaultdict(dict)
    for part, cells in _by_last(stated).items():
        for group, inside in _by_last(cells).items():
            groups[group][part] = inside
    return [list(groups[group].values()) for group in sorted(groups, key=sort_key)]


def _split(names: list[str], separator: str) -> list[list[str]]:
    """The names between separators."""
    parts: list[list[str]] = [[]]
    for name in names:
        if name == separator:
            parts.append([])
        else:
            parts[-1].append(name)
    return parts


def bits_of(key: str) -> list[int]:
    """The bits that a table or a set encodes: six per character, the lowest one first.

    Raises UnsupportedError for other characters.
    """
    if set(key) - set(_BITS):
        raise UnsupportedError(f"the table {key[:30]!r}")
    return [_BITS.index(sign) >> place & 1 for sign in key for place in range(6)]


def _allowed(key: str, numbers: range) -> Iterator[tuple[int, int]]:
    """The pairs of a table: one bit per pair, row by row, six per character, lowest bit first.

    Trailing zeros are omitted.
    """
    bits = bits_of(key)
    pairs = [(number, other) for number in numbers for other in numbers]
    if any(bits[len(pairs) :]):
        raise UnsupportedError(f"the table {key[:30]!r}, which is for more numbers")
    yield from (pair for pair, bit in zip(pairs, bits, strict=False) if bit)


def _key(pairs: Collection[tuple[Term, ...]], numbers: range) -> str:
    """The table of the pairs, as `_allowed` reads it."""
    bits = [(number, other) in pairs for number in numbers for other in numbers]
    signs = (
        sum(bit << place for place, bit in enumerate(bits[start : start + 6]))
        for start in range(0, len(bits), 6)
    )
    return "".join(_BITS[each] for each in signs).rstrip(_BITS[0])


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise UnsupportedError(f"the value {text[:30]!r}")
    return int(text)
