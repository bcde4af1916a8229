"""Constraints that f-puzzles' JSON has no shape for: each read from its arguments into facts."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import NotUnderstoodError, Shape, path
from aspdoku.puzzle.formats.elsewhere.iss import entries
from aspdoku.puzzle.formats.elsewhere.iss.entries import Form
from aspdoku.puzzle.formats.elsewhere.iss.field import Field
from aspdoku.puzzle.term import Function

# The facts of a constraint, each thing in it called by the next label. Raises NotUnderstoodError where it has no meaning.
Reading = Callable[[list[str], Iterator[int], Field], Iterator[Function]]

_NUMBER = re.compile(r"[0-9]{1,6}")
_BITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_SWAPPED = str.maketrans("-_", "_-")
_END_OF_PART = "-"


def shaped(form: Form, shape: Shape) -> Reading:
    """What an entry of this form means in a shape of f-puzzles."""

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        for entry in form(arguments, field):
            yield from shape.read(entry, labels, field)

    return reading


def marks(predicate: str) -> Reading:
    """Cells that are one set: p(R,C). A second set cannot be told from the first."""

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        if next(labels) > 1:
            raise NotUnderstoodError("a second set")
        yield from (Function(predicate, cell) for cell in field.all_of(arguments))

    return reading


def of_a_line(rows: str, columns: str) -> Reading:
    """R or C, and cells: p(R,C), with one predicate for each of the two letters."""

    def reading(arguments: list[str], _: Iterator[int], field: Field) -> Iterator[Function]:
        predicate = {"R": rows, "C": columns}.get(arguments[0])
        if predicate is None:
            raise NotUnderstoodError(f"the direction {arguments[0][:30]!r}")
        yield from (Function(predicate, cell) for cell in field.all_of(arguments[1:]))

    return reading


def greater(predicate: str) -> Reading:
    """Cells, each greater than the later ones beside it: p(R,C,R1,C1)."""

    def reading(arguments: list[str], _: Iterator[int], field: Field) -> Iterator[Function]:
        for one, other in entries.neighbours(field.all_of(arguments), field):
            yield Function(predicate, (*one, *other))

    return reading


def line_in_parts(predicate: str) -> Reading:
    """A sum, and a line that may be a loop: p(I,K,R,C), p_value(I,S) and p_loop(I)."""

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        label, loop = next(labels), arguments[-1] == "LOOP"
        yield from path(predicate, label, field.all_of(arguments[1:-1] if loop else arguments[1:]))
        yield Function(f"{predicate}_value", (label, _number(arguments[0])))
        if loop:
            yield Function(f"{predicate}_loop", (label,))

    return reading


def parts(predicate: str) -> Reading:
    """Sets of cells with a dash between them: p(R,C,G,I) for set I of group G."""

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        label, part = next(labels), 1
        for name in arguments:
            if name == _END_OF_PART:
                part += 1
            else:
                yield Function(predicate, (*field.of(name), label, part))

    return reading


def sets_of_a_size(predicate: str, together: str) -> Reading:
    """A number of sets, and cells: p(R,C,G,I). Regions of cells, each a set by itself, are one: q(R,C,R1,C1)."""

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        number, names = _number(arguments[0]), arguments[1:]
        if not number or not names or len(names) % number:
            raise NotUnderstoodError(f"{len(names)} cells in {number} sets")
        if number == len(names) and not names[0].upper().startswith("R"):
            regions = [field.in_region(name) for name in names]
            yield from (Function(together, (*regions[0], *other)) for other in regions[1:])
            return
        label, size = next(labels), len(names) // number
        for place, cell in enumerate(field.all_of(names)):
            yield Function(predicate, (*cell, label, place // size + 1))

    return reading


def held(predicate: str) -> Reading:
    """Numbers with _ between them, and cells: p(R,C,I), and p_count(I,N,Q), where N is said Q times."""

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        label = next(labels)
        yield from (Function(predicate, (*cell, label)) for cell in field.all_of(arguments[1:]))
        for number, often in Counter(map(_number, arguments[0].split("_"))).items():
            yield Function(f"{predicate}_count", (label, number, often))

    return reading


def counted_around(predicate: str) -> Reading:
    """A cell that counts itself and those that it touches: p(R,C). Any other cells that it may count are not understood."""

    def reading(arguments: list[str], _: Iterator[int], field: Field) -> Iterator[Function]:
        cell = field.of(arguments[0])
        listed = {field.in_region(name) for name in arguments[2:]}
        if arguments[1:2] not in ([], [""], ["0"]) or listed not in (set(), {cell, *field.around(cell, diagonal=True)}):
            raise NotUnderstoodError("a count of other cells than those around it")
        yield Function(predicate, cell)

    return reading


def paired(predicate: str, every: bool = False, swapped: bool = False) -> Reading:
    """A table and lines: p(I,R,C,R1,C1) for neighbours, or for any two cells, and p_allowed(I,N,N1).

    swapped: the table has - for _ and _ for -
    """

    def reading(arguments: list[str], labels: Iterator[int], field: Field) -> Iterator[Function]:
        label = next(labels)
        key = arguments[0].translate(_SWAPPED) if swapped else arguments[0]
        for line in _split(arguments[1:]):
            found = field.all_of(line)
            for one, other in combinations(found, 2) if every else pairwise(found):
                yield Function(predicate, (label, *one, *other))
        for number, other_number in _allowed(key, field.numbers):
            yield Function(f"{predicate}_allowed", (label, number, other_number))

    return reading


def _split(names: list[str]) -> list[list[str]]:
    """The lines, between which an empty name stands; a name with _ before it is what a line is called."""
    lines: list[list[str]] = [[]]
    for name in names:
        if not name:
            lines.append([])
        elif not name.startswith("_"):
            lines[-1].append(name)
    return lines


def _allowed(key: str, numbers: range) -> Iterator[tuple[int, int]]:
    """The pairs of a table: a bit a pair, row by row, six in a sign, the least first; zeros at the end are left out."""
    if set(key) - set(_BITS):
        raise NotUnderstoodError(f"the table {key[:30]!r}")
    bits = [_BITS.index(sign) >> place & 1 for sign in key for place in range(6)]
    pairs = ((number, other) for number in numbers for other in numbers)
    yield from (pair for pair, bit in zip(pairs, bits, strict=False) if bit)


def _number(said: str) -> int:
    if not _NUMBER.fullmatch(said):
        raise NotUnderstoodError(f"the value {said[:30]!r}")
    return int(said)
