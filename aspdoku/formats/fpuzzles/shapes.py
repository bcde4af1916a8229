"""Shapes of the entries in f-puzzles' JSON, with conversion to facts and back.

A shape is independent of keys and rules: `table` maps each key to a shape and a predicate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError
from aspdoku.formats.json_document import Object, is_blank
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

_CELL = re.compile(r"[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})")
_NUMBER = re.compile(r"\s*[0-9]{1,9}\s*")


@dataclass(frozen=True)
class CellGrid:
    """A grid of `size` rows with cells R1C1 and so on; clues are one row or column outside."""

    size: int

    def cell(self, name: object, outside: bool = False) -> Cell:
        """The row and column of a cell name. Raises PuzzleError if there is no such cell."""
        match = _CELL.fullmatch(name) if isinstance(name, str) else None
        span = range(self.size + 2) if outside else range(1, self.size + 1)
        if not match or int(match[1]) not in span or int(match[2]) not in span:
            raise PuzzleError(
                f"invalid cell {str(name)[:30]!r}: the cells of a {self.size}x{self.size} grid are"
                f" R1C1 to R{self.size}C{self.size}"
            )
        return int(match[1]), int(match[2])

    def has(self, cell: Cell) -> bool:
        """Whether a cell is inside the grid."""
        return 1 <= cell[0] <= self.size and 1 <= cell[1] <= self.size

    def cells(self, names: object) -> list[Cell]:
        """The cells of a list of names, which may be missing."""
        return [self.cell(name) for name in to_list(names)]

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
            f"a clue at {fpuzzles_name(cell)}, which is not before a row or a column"
        )

    def outside(self, edge: str, line: int) -> str:
        """The name of the cell outside the grid next to a row or column."""
        far = self.size + 1
        return fpuzzles_name(
            {"left": (line, 0), "right": (line, far), "top": (0, line), "bottom": (far, line)}[edge]
        )


def fpuzzles_name(cell: Iterable[object]) -> str:
    """The name of a cell in f-puzzles."""
    return "R{}C{}".format(*cell)


def to_list(value: object) -> list[object]:
    """A list; a missing one is empty. Raises PuzzleError for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise PuzzleError(f"{str(value)[:30]!r} instead of a list")
    return value


def to_number(value: object) -> int | None:
    """A number given as such or as a string; None if there is none.

    Raises UnsupportedError for anything else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
        return value
    raise UnsupportedError(f"the value {str(value)[:30]!r}")


def require_distinct(cells: Collection[Cell], where: str) -> None:
    """Raise UnsupportedError if a cell is listed twice."""
    if len(set(cells)) < len(cells):
        raise UnsupportedError(f"a duplicate cell in {where}")


class Shape(Protocol):
    """The form of the entries under a key."""

    @property
    def keys(self) -> frozenset[str]:
        """The supported keys."""

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates of the resulting facts."""

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        """The facts of an entry, with the next labels as names.

        Raises UnsupportedError if the entry, or the part of it that has not been yielded as facts,
        has no supported meaning.
        """

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        """The entries for these facts. Raises UnsupportedError if they cannot be represented."""


@dataclass(frozen=True)
class SingleCells:
    """Single cells: p(R,C). All in the `cells` of one entry, or one entry per cell."""

    predicate: str
    together: bool = False
    keys = frozenset({"cell", "cells"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 2)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        cell = entry.get("cell")
        names = [*to_list(entry.get("cells")), *([] if is_blank(cell) else [cell])]
        yield from (Function(self.predicate, cell) for cell in board.cells(names))

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        names = [fpuzzles_name(cell) for cell in stated[self.predicate, 2]]
        if self.together:
            yield {"cells": names}
        else:
            for name in names:
                yield {"cell": name}


@dataclass(frozen=True)
class CellSets:
    """Sets of cells, some with a value: p(R,C,I) and p_value(I,V)."""

    predicate: str
    valued: bool = False

    @property
    def value(self) -> str:
        """The predicate of the values."""
        return f"{self.predicate}_value"

    @property
    def keys(self) -> frozenset[str]:
        return frozenset({"cells", "value"} if self.valued else {"cells"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 3), *([(self.value, 2)] if self.valued else [])})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        value = to_number(entry.get("value")) if self.valued else None
        cells = board.cells(entry.get("cells"))
        if not cells and value is not None:
            raise UnsupportedError(f"the value {value} without cells")
        require_distinct(cells, "it")
        if not cells:
            return
        label = next(labels)
        yield from (Function(self.predicate, (*cell, label)) for cell in cells)
        if value is not None:
            yield Function(self.value, (label, value))

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        values = values_by_label(stated, self.value) if self.valued else {}
        cells: dict[Term, list[str]] = defaultdict(list)
        for row, column, label in stated[self.predicate, 3]:
            cells[label].append(fpuzzles_name((row, column)))
        for label in sorted(cells, key=sort_key):
            yield {
                "cells": cells[label],
                **({"value": str(values[label])} if label in values else {}),
            }


@dataclass(frozen=True)
class ValuedPairs:
    """Two neighbouring cells with a value: p(R,C,R1,C1,V).

    default: the value of an entry without one; None if such an entry is an empty placeholder
    words: values that are given as words
    """

    predicate: str
    default: int | None = None
    words: Mapping[str, int] = field(default_factory=dict)
    keys = frozenset({"cells", "value"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 5)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        cells = board.cells(entry.get("cells"))
        said = entry.get("value")
        value = self.words.get(str(said).strip().upper())
        value = to_number(said) if value is None else value
        if len(cells) != 2 and (cells or value is not None):
            raise UnsupportedError(f"{len(cells)} cells where two should be")
        require_distinct(cells, "it")
        value = self.default if value is None else value
        if cells and value is not None:
            yield Function(self.predicate, (*cells[0], *cells[1], value))

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        letters = {value: word for word, value in self.words.items()}
        for row, column, row1, column1, value in stated[self.predicate, 5]:
            entry: Object = {
                "cells": [fpuzzles_name((row, column)), fpuzzles_name((row1, column1))]
            }
            if self.words and value not in letters:
                raise UnsupportedError(
                    f"{Function(self.predicate, (row, column, row1, column1, value))}"
                )
            if value != self.default:
                entry["value"] = letters.get(value, str(value))  # type: ignore[arg-type]
            yield entry


@dataclass(frozen=True)
class CellLines:
    """Lines through cells: p(I,K,R,C) for the K-th cell of line I, and p_value(I,V)."""

    predicate: str
    valued: bool = False

    @property
    def keys(self) -> frozenset[str]:
        return frozenset({"lines", "value"} if self.valued else {"lines"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset(
            {(self.predicate, 4), *([(f"{self.predicate}_value", 2)] if self.valued else [])}
        )

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        value = to_number(entry.get("value")) if self.valued else None
        lines = list(
            filter(
                None,
                dict.fromkeys(tuple(board.cells(line)) for line in to_list(entry.get("lines"))),
            )
        )
        if not lines and value is not None:
            raise UnsupportedError(f"the value {value} without cells")
        for line in (line for line in lines if len(line) > 1):
            label = next(labels)
            yield from line_facts(self.predicate, label, line)
            if value is not None:
                yield Function(f"{self.predicate}_value", (label, value))
        if any(len(line) == 1 for line in lines):
            raise UnsupportedError("a line of one cell")

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        values = values_by_label(stated, f"{self.predicate}_value") if self.valued else {}
        for label, line in lines_by_label(stated[self.predicate, 4]).items():
            yield {
                "lines": [list(map(fpuzzles_name, line))],
                **({"value": str(values[label])} if label in values else {}),
            }


def line_facts(predicate: str, label: Term, cells: Iterable[Cell]) -> Iterator[Function]:
    """The facts of a line: p(I,K,R,C)."""
    for place, cell in enumerate(cells, 1):
        yield Function(predicate, (label, place, *cell))


def values_by_label(stated: ArgumentsBySignature, predicate: str) -> dict[Term, Term]:
    """The value of each label: p(I,V). Raises UnsupportedError for two values of a label."""
    found: dict[Term, Term] = {}
    for label, value in stated[predicate, 2]:
        if found.setdefault(label, value) != value:
            raise UnsupportedError(f"two values, {found[label]} and {value}, for {label}")
    return found


def lines_by_label(stated: Iterable[tuple[Term, ...]]) -> dict[Term, list[Cell]]:
    """The cells of each line, in order, by label."""
    found: dict[Term, dict[Term, Cell]] = defaultdict(dict)
    for label, place, row, column in stated:
        if place in found[label]:
            raise UnsupportedError(f"line {label}, where two cells are at place {place}")
        found[label][place] = row, column  # type: ignore[assignment]
    for label, cells in found.items():
        if set(cells) != set(range(1, len(cells) + 1)):
            raise UnsupportedError(f"line {label}, whose places are not 1, 2 and so on")
    return {
        label: [found[label][place] for place in sorted(found[label], key=sort_key)]
        for label in sorted(found, key=sort_key)
    }
