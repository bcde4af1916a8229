"""Forms of arguments of constraints: conversion to clues and back."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.iss.grid import IssGrid, iss_name
from aspdoku.formats.shapes import Clue, square
from aspdoku.puzzle.puzzle import Cell

_LINE = re.compile(r"([RrCc])([1-9][0-9]?)")  # a decimal number, unlike those in the names of cells
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_OPPOSITE = str.maketrans("UDLR", "DURL")


class ArgumentForm(Protocol):
    """The form of the arguments of a constraint."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        """The clues for these arguments. Raises UnsupportedError."""

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        """The arguments for a clue; None if it belongs to a constraint of another name.

        Raises UnsupportedError.
        """


class CellList:
    """Cells, as a set and as a line."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        yield self._clue(arguments, field)

    @staticmethod
    def _clue(arguments: list[str], field: IssGrid, value: str = "") -> Clue:
        cells = field.cells_named(arguments)
        return Clue(cells=cells, lines=[cells], value=value)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        return field.names_of(clue.cells or clue.lines[0])


@dataclass(frozen=True)
class Valued(CellList):
    """A required value, and cells.

    least: the smallest valid value
    """

    least: int = 0

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        value, *names = arguments
        if not value:
            raise UnsupportedError("one without a value")
        if value.isdecimal() and int(value) < self.least:
            raise UnsupportedError(f"the value {value[:30]!r}")
        yield self._clue(names, field, value)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        if clue.value is None:
            raise UnsupportedError("one without a value")
        return [str(clue.value), *(super().write(clue, field) or [])]


class Summed(Valued):
    """A value and cells; 0 and an empty value mean no value."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        value, *names = arguments
        yield self._clue(names, field, "" if value == "0" else value)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        return super().write(replace(clue, value=clue.value or 0), field)


class DefaultValued(Valued):
    """An optional difference, by default 5, and cells."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        has_value = arguments[:1] and _NUMBER.fullmatch(arguments[0])
        yield from super().read(arguments if has_value else ["5", *arguments], field)


@dataclass(frozen=True)
class AdjacentPairs:
    """All pairs of neighbours among the cells, the earlier one first, each with this value.

    others: values that belong to constraints of other names
    """

    value: str = ""
    others: Collection[str] = ()

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        for pair in neighbours(arguments, field):
            yield Clue(cells=pair, value=self.value)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        return None if str(clue.value) in self.others else field.names_of(clue.cells)


def neighbours(names: list[str], field: IssGrid) -> list[tuple[Cell, Cell]]:
    """The pairs of neighbouring cells, the earlier one first.

    Raises UnsupportedError for a cell that is in no pair.
    """
    found = field.distinct_cells(names)
    pairs = [
        (cell, other)
        for place, cell in enumerate(found)
        for other in field.around(cell)
        if other in found[place + 1 :]
    ]
    for name, cell in zip(names, found, strict=True):
        if not any(cell in pair for pair in pairs):
            raise UnsupportedError(f"the cell {name}, which is adjacent to none of the others")
    return pairs


class ArrowArguments:
    """A circle and its shaft."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        cells = field.cells_named(arguments)
        yield Clue(cells=cells[:1], lines=[cells])

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        return field.names_of(clue.lines[0]) if len(clue.cells) == 1 else None


class PillArguments:
    """The number of cells of the pill, these cells, and the shaft."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        if arguments[:1] not in (["2"], ["3"]):
            raise UnsupportedError(f"a pill of {''.join(arguments[:1])[:30]!r} cells")
        size = int(arguments[0])
        cells = field.cells_named(arguments[1:])
        yield Clue(cells=cells[:size], lines=[cells[size - 1 :]])

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        if len(clue.cells) < 2:
            return None
        return [str(len(clue.cells)), *field.names_of([*clue.cells, *clue.lines[0][1:]])]


@dataclass(frozen=True)
class BothEnds:
    """A row or a column, and the clues at its start and at its end, of which one may be missing.

    of_numbers: whether a clue must be one of the numbers of the puzzle
    """

    of_numbers: bool = False

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        name, first, last = [*arguments, *[""] * (3 - len(arguments))]
        kind, line = _line(name, field)
        for clue, outside in ((first, 0), (last, field.size + 1)):
            if self.of_numbers and clue.isdecimal() and int(clue) not in field.numbers:
                raise UnsupportedError(
                    f"the clue {clue[:30]}, which is not a number of this puzzle"
                )
            if clue:
                place = (line, outside) if kind == "R" else (outside, line)
                yield Clue(outside=place, value=clue)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        if clue.outside is None:
            return None
        edge, line = field.nearest_edge(clue.outside)
        value = str(clue.value)
        kind = "R" if edge in ("left", "right") else "C"
        return [f"{kind}{line}", *([value, ""] if edge in ("left", "top") else ["", value])]


class OneEnd(BothEnds):
    """A clue, and the row or column that it belongs to."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        clue, line = arguments
        yield from super().read([line, clue], field)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        line, *clues = super().write(clue, field) or []
        return ["".join(clues), line]


class DiagonalClue:
    """A clue, and the edge cell where its diagonal starts, which determines the direction."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        clue, name = arguments
        row, column = field.of(name)
        direction = self._from(row, column, *field.shape)
        if not direction or min(field.shape) == 1:
            raise UnsupportedError(f"a clue at {name[:30]}, where no diagonal begins")
        if clue == "0":
            raise UnsupportedError("a sum of 0")
        before = row - (1 if "D" in direction else -1), column - (1 if "R" in direction else -1)
        yield Clue(outside=before, direction=direction, value=clue)

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

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        """The end of the diagonal from which this format reads it; the sum is the same."""
        cells, direction = clue.cells, clue.direction
        for cell, way in ((cells[0], direction), (cells[-1], direction.translate(_OPPOSITE))):
            if self._from(*cell, *field.shape) == way:
                return [str(clue.value), field.name(cell)]
        raise UnsupportedError(
            f"the clue before {iss_name(cells[0])}, where another diagonal begins"
        )


class CornerNumbers:
    """The cell above and to the left of a corner, and the numbers around it."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Clue]:
        corner, *values = arguments
        if "" in values:
            raise UnsupportedError("an empty value")
        cells = square(*field.of(corner))
        if not all(map(field.inside, cells)):
            raise UnsupportedError(f"{corner[:30]!r}, which is not above and to the left of cells")
        yield Clue(cells=cells, values=values)

    def write(self, clue: Clue, field: IssGrid) -> list[str] | None:
        return [field.names_of(clue.cells)[0], *map(str, clue.values)]


def _line(name: str, field: IssGrid) -> tuple[str, int]:
    match = _LINE.fullmatch(name)
    if not match or int(match[2]) > field.shape[match[1] in "Cc"]:
        raise UnsupportedError(f"{name[:30]!r} instead of a row or a column")
    return match[1].upper(), int(match[2])
