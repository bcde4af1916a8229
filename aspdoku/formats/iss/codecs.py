"""Codecs that convert the arguments of constraints to facts and back.

Most of them use a shape that other formats have, too; the others are specific to this format.
"""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Protocol

from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError
from aspdoku.formats.iss.arguments import ArgumentForm, neighbours
from aspdoku.formats.iss.grid import IssGrid, iss_name
from aspdoku.formats.shapes import Shape, line_facts, lines_by_label, values_by_label
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

_NUMBER = re.compile(r"[0-9]{1,6}")
_BITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_SWAPPED = str.maketrans("-_", "_-")
_END_OF_PART = "-"
_LOOP = "LOOP"


class Codec(Protocol):
    """Converts the arguments of a constraint to facts and back."""

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the facts."""

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        """The facts, with the next labels as names.

        Raises UnsupportedError if they have no supported meaning.
        """

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        """The arguments of the constraints for these facts.

        Raises UnsupportedError for facts that they cannot represent.
        """


@dataclass(frozen=True)
class ShapeCodec:
    """Arguments of this form, for clues of this shape."""

    form: ArgumentForm
    shape: Shape

    @property
    def signatures(self) -> frozenset[Signature]:
        return self.shape.signatures

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        for clue in self.form.read(arguments, field):
            yield from self.shape.read(clue, labels, field)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        yield from filter(
            None, (self.form.write(clue, field) for clue in self.shape.write(stated, field))
        )


@dataclass(frozen=True)
class OneCellSet:
    """One set of cells: p(R,C). Several sets cannot be represented."""

    predicate: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 2)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        if next(labels) > 1:
            raise UnsupportedError("a second set")
        yield from (Function(self.predicate, cell) for cell in field.distinct_cells(arguments))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        yield list(map(iss_name, stated[self.predicate, 2]))


@dataclass(frozen=True)
class Indexers:
    """R or C, and cells: p(R,C), with one predicate for either letter."""

    rows: str
    columns: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.rows, 2), (self.columns, 2)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        predicate = {"R": self.rows, "C": self.columns}.get(arguments[0])
        if predicate is None:
            raise UnsupportedError(f"the direction {arguments[0][:30]!r}")
        yield from (Function(predicate, cell) for cell in field.distinct_cells(arguments[1:]))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for letter, predicate in (("R", self.rows), ("C", self.columns)):
            if stated[predicate, 2]:
                yield [letter, *map(iss_name, stated[predicate, 2])]


@dataclass(frozen=True)
class GreaterThan:
    """Cells, each greater than its later neighbours: p(R,C,R1,C1)."""

    predicate: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 4)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        for one, other in neighbours(arguments, field):
            yield Function(self.predicate, (*one, *other))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for row, column, *other in stated[self.predicate, 4]:
            yield [iss_name((row, column)), iss_name(other)]


@dataclass(frozen=True)
class SumLine:
    """A sum, and a line that may be a loop: p(I,K,R,C), p_value(I,S) and p_loop(I)."""

    predicate: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset(
            {(self.predicate, 4), (f"{self.predicate}_value", 2), (f"{self.predicate}_loop", 1)}
        )

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
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
            yield [str(values[label]), *map(iss_name, cells), *([_LOOP] if label in loops else [])]


@dataclass(frozen=True)
class CellSetGroup:
    """Sets of cells separated by dashes: p(R,C,G,I) for set I of group G."""

    predicate: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 4)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
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
            yield [name for cells in parts for name in (_END_OF_PART, *map(iss_name, cells))][1:]


@dataclass(frozen=True)
class EqualSizedSets:
    """A number of sets, and cells: p(R,C,G,I).

    If each set is the region of one cell, these regions are the same: q(R,C,R1,C1).
    """

    predicate: str
    together: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 4), (self.together, 4)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        number, names = _number(arguments[0]), arguments[1:]
        if not number or not names or len(names) % number:
            raise UnsupportedError(f"{len(names)} cells in {number} sets")
        if number == len(names) and not names[0].upper().startswith("R"):
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
            yield [str(len(sets)), *(iss_name(cell) for cells in sets for cell in cells)]
        for row, column, *other in stated[self.together, 4]:
            yield ["2", field.region_of((row, column)), field.region_of(other)]


@dataclass(frozen=True)
class ContainsAtLeast:
    """Numbers separated by _, and cells: p(R,C,I), and p_count(I,N,Q) if N occurs Q times."""

    predicate: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 3), (f"{self.predicate}_count", 3)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        values, *names = arguments
        if not names:
            raise UnsupportedError("no cells")
        label = next(labels)
        yield from (
            Function(self.predicate, (*cell, label)) for cell in field.distinct_cells(names)
        )
        for number, often in Counter(map(_number, values.split("_"))).items():
            yield Function(f"{self.predicate}_count", (label, number, often))

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        held = _by_last(stated[self.predicate, 3])
        numbers: dict[Term, list[str]] = defaultdict(list)
        for label, number, often in stated[f"{self.predicate}_count", 3]:
            if not isinstance(often, int) or not 0 < often <= len(held[label]):
                raise UnsupportedError(f"{number} {often} times in {len(held[label])} cells")
            numbers[label] += [str(number)] * often
        for label, cells in held.items():
            yield ["_".join(numbers[label]), *map(iss_name, cells)]


@dataclass(frozen=True)
class NeighbourCount:
    """A cell that counts itself and the cells around it in its region: p(R,C).

    The regions of these cells may be listed; those that equal the first one are counted. Counting
    any other cells is unsupported.
    """

    predicate: str

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 2)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
        cell = field.of(arguments[0])
        around = sorted([cell, *field.around(cell, diagonal=True)])
        listed = [field.cell_of_region(name) for name in arguments[2:]]
        if arguments[1:2] not in ([], [""], ["0"]) or (
            listed and (listed[0] != cell or sorted(listed) != around)
        ):
            raise UnsupportedError("a count of other cells than those around it")
        yield Function(self.predicate, cell)

    def write(self, stated: ArgumentsBySignature, field: IssGrid) -> Iterator[list[str]]:
        for row, column in stated[self.predicate, 2]:
            cell = int(str(row)), int(str(column))
            yield [
                iss_name(cell),
                "0",
                *map(field.region_of, (cell, *field.around(cell, diagonal=True))),
            ]


@dataclass(frozen=True)
class PairTable:
    """A table of allowed pairs, and lines: p(I,R,C,R1,C1) and p_allowed(I,N,N1).

    every: the pairs are any two cells of a line instead of neighbours
    swapped: the table has - for _ and _ for -
    """

    predicate: str
    every: bool = False
    swapped: bool = False

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 5), (f"{self.predicate}_allowed", 3)})

    def read(
        self, arguments: list[str], labels: Iterator[int], field: IssGrid
    ) -> Iterator[Function]:
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
            lines[label] += ["", iss_name((row, column)), iss_name(other)]
        for label in sorted(lines, key=sort_key):
            key = _key(allowed[label], field.numbers)
            yield [key.translate(_SWAPPED) if self.swapped else key, *lines[label]]


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


def _allowed(key: str, numbers: range) -> Iterator[tuple[int, int]]:
    """The pairs of a table: one bit per pair, row by row, six per character, lowest bit first.

    Trailing zeros are omitted.
    """
    if set(key) - set(_BITS):
        raise UnsupportedError(f"the table {key[:30]!r}")
    bits = [_BITS.index(sign) >> place & 1 for sign in key for place in range(6)]
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
