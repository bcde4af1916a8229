"""Codecs of constraints that no other format has."""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, compress, pairwise, product
from typing import ClassVar

from aspdoku.formats import shapes
from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError
from aspdoku.formats.iss import automata
from aspdoku.formats.iss.clues import Codec, Facts, ShapeCodec, Written, number_in
from aspdoku.formats.iss.grid import IssGrid, iss_name
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Function, Term, sort_key

_PAIRS = re.compile(r"(?:[0-9]{2})+")
_BITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_SWAPPED = str.maketrans("-_", "_-")
_END_OF_PART = "-"
_LOOP = "LOOP"
_BREAK = "break"


# ---- Single cells, pairs and lines ----


@dataclass(frozen=True)
class Circles(Codec):
    """Sets of cells: p(R,C) for the first one and q(R,C,G) for others.

    named: whether the first one has a name, too
    """

    named: bool = False

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        label = next(labels)
        for cell in field.distinct_cells(arguments):
            if self.named or label > 1:
                yield Function("coloured_circle", (*cell, label))
            else:
                yield Function(self.predicate, cell)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        if stated[self.predicate, 2]:
            yield field.names_of(stated[self.predicate, 2])
        for _, cells in _in_groups((name, *cell) for *cell, name in stated["coloured_circle", 3]):
            yield field.names_of(cells)


class Indexers(Codec):
    """R or C, and cells: p(R,C), with one predicate for either letter."""

    predicates: ClassVar = {"R": "row_indexer", "C": "column_indexer"}
    signatures = frozenset((predicate, 2) for predicate in predicates.values())

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        predicate = self.predicates.get(arguments[0])
        if predicate is None:
            raise UnsupportedError(f"the direction {arguments[0][:30]!r}")
        cells = field.distinct_cells(arguments[1:])
        if not all(map(field.has, cells)):
            raise UnsupportedError("a cell in no row and column")
        yield from (Function(predicate, cell) for cell in cells)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        for letter, predicate in self.predicates.items():
            if stated[predicate, 2]:
                yield [letter, *field.names_of(stated[predicate, 2])]


class SumLine(Codec):
    """A sum, and a line that may be a loop: p(I,K,R,C), p_value(I,S) and p_loop(I)."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        value, *names = arguments
        loop = names[-1:] == [_LOOP]
        cells = field.cells_named(names[:-1] if loop else names)
        if not cells or not number_in(value):
            raise UnsupportedError(f"{len(cells)} cells in parts of {value[:30]!r}")
        label = next(labels)
        yield from shapes.line_facts(self.predicate, label, cells)
        yield Function(f"{self.predicate}_value", (label, number_in(value)))
        if loop:
            yield Function(f"{self.predicate}_loop", (label,))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        values = shapes.values_by_label(stated, f"{self.predicate}_value")
        for label, cells in shapes.lines_by_label(stated[self.predicate, 4]).items():
            loop = [_LOOP] if (label,) in stated[f"{self.predicate}_loop", 1] else []
            yield [str(values[label]), *field.names_of(cells), *loop]


# ---- Sets of cells ----


class CellSetGroup(Codec):
    """Sets of cells separated by dashes: p(R,C,G,I) for set I of group G."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        parts, label = self.parts(arguments), next(labels)
        for part, names in enumerate(parts, 1):
            if not names:
                raise UnsupportedError("an empty set of cells")
            for cell in field.distinct_cells(names):
                yield Function(self.predicate, (*cell, label, part))

    def parts(self, arguments: list[str]) -> list[list[str]]:
        """The names of the cells of each set. Raises UnsupportedError."""
        return _split(arguments, _END_OF_PART)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        groups = shapes.by_last(
            (*cell, part, group) for *cell, group, part in stated[self.predicate, 4]
        )
        for sets in groups.values():
            yield self.joined([field.names_of(cells) for cells in shapes.by_last(sets).values()])

    def joined(self, sets: list[list[str]]) -> list[str]:
        """The arguments for sets of cells. Raises UnsupportedError."""
        return [name for names in sets for name in (_END_OF_PART, *names)][1:]


class EqualSizedSets(CellSetGroup):
    """A number of sets, and cells: p(R,C,G,I)."""

    def parts(self, arguments: list[str]) -> list[list[str]]:
        number, names = number_in(arguments[0]), arguments[1:]
        if not number or not names or len(names) % number:
            raise UnsupportedError(f"{len(names)} cells in {number} sets")
        size = len(names) // number
        return [names[start : start + size] for start in range(0, len(names), size)]

    def joined(self, sets: list[list[str]]) -> list[str]:
        if len(set(map(len, sets))) > 1:
            raise UnsupportedError("sets of different sizes that hold the same")
        return [str(len(sets)), *(name for names in sets for name in names)]


@dataclass(frozen=True)
class CountedNumbers(Codec):
    """Numbers separated by _, and cells: p(R,C,I), and p_count(I,N,Q) if N occurs Q times.

    pairs: the numbers are pairs of digits, how often a number occurs and the number: 23 for two 3s
    """

    pairs: bool = False

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

    def _counts(self, values: str) -> Mapping[int, int]:
        if not self.pairs:
            return Counter(map(number_in, values.split("_")))
        if not _PAIRS.fullmatch(values):
            raise UnsupportedError(f"the value {values[:30]!r}")
        counts: dict[int, int] = {}
        for often, number in zip(values[::2], values[1::2], strict=True):
            if counts.setdefault(int(number), int(often)) != int(often):
                raise UnsupportedError(f"two counts of {number} in {values[:30]!r}")
        return counts

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        held = shapes.by_last(stated[self.predicate, 3])
        counts: dict[Term, list[str]] = defaultdict(list)
        for label, number, often in stated[f"{self.predicate}_count", 3]:
            cells = len(held[label])
            possible = range(min(cells, 9) + 1) if self.pairs else range(1, cells + 1)
            if often not in possible or (self.pairs and number not in range(10)):
                raise UnsupportedError(f"{number} {often} times in {cells} cells")
            each = [f"{often}{number}"] if self.pairs else [str(number)] * int(str(often))
            counts[label] += each
        for label, cells_of_set in held.items():
            separator = "" if self.pairs else "_"
            yield [separator.join(counts[label]), *field.names_of(cells_of_set)]


class Quad(ShapeCodec):
    """A cell and the numbers around its lower right corner: p(R,C,N,Q). In a group of extra cells,
    which can have another shape in the field, these are a set of cells with counted numbers.
    """

    def clues(self, arguments: list[str], field: IssGrid) -> Iterator[shapes.Clue]:
        corner, *values = arguments
        if "" in values:
            raise UnsupportedError("an empty value")
        yield shapes.Clue(cells=shapes.square(*field.of(corner)), values=values)

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        corner, *values = arguments
        cell = field.of(corner)
        near = (field.near(cell, down, right) for down in (0, 1) for right in (0, 1))
        cells = list(filter(None, near))
        if len(cells) < 4:
            raise UnsupportedError(f"{corner[:30]!r}, which is not above and to the left of cells")
        if field.has(cell):
            yield from super().read(arguments, labels, field)
        else:
            counted = CountedNumbers("look-at-least")
            yield from counted.facts(Function("quad", cell), cells, "_".join(values))

    def arguments(self, clue: shapes.Clue, field: IssGrid) -> list[str] | None:
        return [field.names_of(clue.cells)[0], *map(str, clue.values)]


class ConnectedSets(Codec):
    """A group of extra cells or, if empty, the grid; numbers separated by _; optionally a size.
    p_set(I,N), p_size(I,S), and p_in(R,C,I) for the cells of a group.
    """

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        group, values, *sizes = arguments
        numbers = sorted(set(map(number_in, values.split("_"))))
        if not set(numbers) <= set(field.numbers):
            raise UnsupportedError(f"the numbers {values[:30]!r}")
        if len(sizes) > 1 or sizes == ["0"]:
            raise UnsupportedError(f"the size {'~'.join(sizes)[:30]!r}")
        cells = field.group(group) if group else []
        label = next(labels)
        yield from (Function("connected_set", (label, number)) for number in numbers)
        for size in filter(None, sizes):
            yield Function("connected_size", (label, number_in(size)))
        yield from (Function("connected_in", (*cell, label)) for cell in cells)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        for row, column, label in stated["connected_in", 3]:
            raise UnsupportedError(f"set {label}, which is about the cell r{row}c{column}")
        sizes = shapes.values_by_label(stated, "connected_size")
        for label, numbers in _in_groups(stated["connected_set", 2]):
            size = [str(sizes[label])] if label in sizes else []
            yield ["", "_".join(str(number) for (number,) in numbers), *size]


# ---- Regions that are to be found ----


class DifferentRegions(Codec):
    """Regions of cells, each two of which differ: p(R,C,R1,C1)."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        for one, other in combinations(map(field.cell_of_region, arguments), 2):
            yield Function(self.predicate, (*one, *other))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        for cells in stated[self.predicate, 4]:
            yield [field.region_of(cells[:2]), field.region_of(cells[2:])]


class SameRegions(DifferentRegions):
    """A number, and as many regions of cells, which are the same: p(R,C,R1,C1)."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        first, *others = map(field.cell_of_region, arguments[1:])
        if number_in(arguments[0]) != len(arguments[1:]):
            raise UnsupportedError(f"{len(arguments[1:])} regions in {arguments[0]} sets")
        yield from (Function(self.predicate, (*first, *other)) for other in others)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        for regions in super().write(stated, field):
            yield ["2", *regions]


class DistinctRegions(Codec):
    """A cell that counts the different regions of other cells: p(I,K,R,C)."""

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        cells = [field.of(arguments[0]), *map(field.cell_of_region, arguments[1:])]
        yield from shapes.line_facts(self.predicate, next(labels), cells)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        for first, *others in shapes.lines_by_label(stated[self.predicate, 4]).values():
            yield [field.name(first), *map(field.region_of, others)]


class RegionCount(Codec):
    """A cell that counts itself and other cells in its region: those around it, p(R,C), or listed
    ones, p(R,C,R1,C1). The regions of these cells are listed; those that equal the first one are
    counted.
    """

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        cell = field.of(arguments[0])
        around = sorted([cell, *field.around(cell, diagonal=True)])
        listed = list(map(field.cell_of_region, arguments[2:])) or around
        _require_no_offset(arguments)
        if len(set(listed)) < len(listed) or (arguments[2:] and listed[0] != cell):
            raise UnsupportedError(f"a count that does not begin with {iss_name(cell)}")
        if sorted(listed) == around:
            yield Function(self.predicate, cell)
        else:
            yield from (Function(self.predicate, (*cell, *other)) for other in listed[1:] or listed)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        counted: dict[Cell, list[Cell]] = defaultdict(list)
        for cells in stated[self.predicate, 4]:
            counted[shapes.as_cell(cells[:2])].append(shapes.as_cell(cells[2:]))
        for around in map(shapes.as_cell, stated[self.predicate, 2]):
            if around in counted:
                raise UnsupportedError(f"two counts in {iss_name(around)}")
            counted[around] = list(field.around(around, diagonal=True))
        for cell, others in counted.items():
            listed = [cell, *(other for other in others if other != cell)]
            yield [field.name(cell), "0", *map(field.region_of, listed)]


@dataclass(frozen=True)
class RegionArrows(Codec):
    """A cell that counts the cells of its region along arrows, up to the first other one:
    p(I,K,R,C) for each arrow, which begins in that cell. The regions of the cells are listed, with
    a dash between arrows; without them, there are arrows in all four directions. A single arrow
    with an offset counts by itself, D cells more than the

    number: q(I,D).
    alone: whether a single arrow counts by itself without an offset, too
    """

    offset: ClassVar = "chaos_offset"
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
            list(map(field.cell_of_region, names)) for names in _split(arguments[2:], _END_OF_PART)
        ]
        if not arguments[2:]:
            arrows = [list(field.ray(cell, *step)) for step in ((0, -1), (0, 1), (-1, 0), (1, 0))]
        if any(arrow[:1] != [cell] for arrow in arrows):
            raise UnsupportedError(f"an arrow that does not begin in {iss_name(cell)}")
        others = [other for arrow in arrows for other in arrow[1:]]
        if len(set(others)) < len(others) or cell in others:
            raise UnsupportedError("arrows with a common cell")
        for arrow in arrows:
            label = next(labels)
            yield from shapes.line_facts(self.predicate, label, arrow)
            if offset:
                yield Function(self.offset, (label, int(offset)))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        arrows: dict[Cell, list[str]] = defaultdict(list)
        offsets = shapes.values_by_label(stated, self.offset)
        for label, cells in shapes.lines_by_label(stated[self.predicate, 4]).items():
            regions = list(map(field.region_of, cells))
            if label not in offsets:
                arrows[cells[0]] += [_END_OF_PART, *regions]
            elif offsets[label] in (0, 1):
                yield [field.name(cells[0]), str(offsets[label]), *regions]
            else:
                raise UnsupportedError(f"the offset {offsets[label]} of arrow {label}")
        for cell, (_, *listed) in arrows.items():
            yield [field.name(cell), "0", *listed]


def is_single_arrow(arguments: list[str]) -> bool:
    """Whether the arguments of a clue that counts along arrows list just one arrow."""
    return len(arguments) > 2 and _END_OF_PART not in arguments


def _require_no_offset(arguments: list[str]) -> None:
    """Raise UnsupportedError if the count in the first cell is one less than that of the cells."""
    if arguments[1:2] not in ([], [""], ["0"]):
        raise UnsupportedError(f"the offset {arguments[1][:30]!r}")


# ---- Tables and automata ----


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
        # One bit per pair, row by row, without zeros at the end.
        bits, numbers = bits_of(key), list(product(field.numbers, repeat=2))
        if any(bits[len(numbers) :]):
            raise UnsupportedError(f"the table {key[:30]!r}, which is for more numbers")
        for pair in compress(numbers, bits):
            yield Function(f"{self.predicate}_allowed", (label, *pair))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        allowed = dict(_in_groups(stated[f"{self.predicate}_allowed", 3]))
        for label, pairs in _in_groups(stated[self.predicate, 5]):
            lines = [["", *field.names_of([pair[:2], pair[2:]])] for pair in pairs]
            bits = [pair in allowed.get(label, ()) for pair in product(field.numbers, repeat=2)]
            parts = (bits[start : start + 6] for start in range(0, len(bits), 6))
            signs = (sum(bit << place for place, bit in enumerate(part)) for part in parts)
            key = "".join(_BITS[sign] for sign in signs).rstrip(_BITS[0])
            yield [key.translate(_SWAPPED) if self.swapped else key, *chain(*lines)]


@dataclass(frozen=True)
class AutomatonLines(Codec):
    """An automaton, and lines whose parts are separated by dashes. p(I,K,R,C), p_break(I,K) between
    two parts, p_value(I,A); p_start(A,Z), p_accepting(A,Z) and p_edge(A,Z,W,Z1) for automaton A,
    which is named after the first line.

    expression: whether the automaton is a regular expression, and the lines have one part
    """

    expression: bool = False

    def _fact(self, kind: str, *arguments: Term) -> Function:
        return Function(f"{self.predicate}{kind}", arguments)

    def read(self, arguments: list[str], labels: Iterator[int], field: IssGrid) -> Facts:
        key, *names = arguments
        separator = "" if self.expression else _END_OF_PART
        lines = [
            [None if name == separator else field.of(name) for name in line]
            for line in filter(None, _split(names, ""))
        ]
        if not lines:
            raise UnsupportedError("no cells")
        longest = max(len(list(filter(None, cells))) for cells in lines)
        found = (
            automata.from_expression(automata.decode_pattern(key), field.numbers, longest)
            if self.expression
            else automata.decode(key)
        )
        named = [(next(labels), cells) for cells in lines]
        name = named[0][0]
        for label, cells in named:
            for place, cell in enumerate(cells, 1):
                yield (
                    self._fact("", label, place, *cell)
                    if cell
                    else self._fact("_break", label, place)
                )
            yield self._fact("_value", label, name)
        symbols = [*field.numbers, Function(_BREAK)]
        yield from (self._fact("_start", name, state) for state in range(found.starts))
        yield from (self._fact("_accepting", name, state) for state in sorted(found.accepting))
        for state, symbol, following in found.edges:
            if symbol < len(symbols):  # no line has the others
                yield self._fact("_edge", name, state, symbols[symbol], following)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Written:
        breaks = ((*each, _END_OF_PART) for each in stated[f"{self.predicate}_break", 2])
        cells = (
            (label, place, field.name(cell)) for label, place, *cell in stated[self.predicate, 4]
        )
        items = {
            label: [name for _, name in sorted(placed, key=lambda each: sort_key(each[0]))]
            for label, placed in _in_groups([*breaks, *cells])
        }
        for name, lines in shapes.by_last(stated[f"{self.predicate}_value", 2]).items():
            listed = [str(item) for (label,) in lines for item in ("", *items[label])]
            symbols = len(field.numbers) + (_END_OF_PART in listed)
            yield [automata.encode(self._automaton(name, stated, field), symbols), *listed]

    def _automaton(
        self, name: Term, stated: ArgumentsBySignature, field: IssGrid
    ) -> automata.Automaton:
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
        return automata.automaton(
            [number[state] for state in starts],
            [number[state] for state in accepting],
            [(number[one], symbols.index(read), number[other]) for one, read, other in edges],
        )


def _in_groups(stated: Iterable[tuple[Term, ...]]) -> list[tuple[Term, list[tuple[Term, ...]]]]:
    return list(shapes.by_last((*others, first) for first, *others in stated).items())


def _split(names: list[str], separator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for name in names:
        if name == separator:
            parts.append([])
        else:
            parts[-1].append(name)
    return parts


def bits_of(key: str) -> list[int]:
    """The bits that a table or a set encodes: six per character, the lowest one first."""
    if set(key) - set(_BITS):
        raise UnsupportedError(f"the table {key[:30]!r}")
    return [_BITS.index(sign) >> place & 1 for sign in key for place in range(6)]
