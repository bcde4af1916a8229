"""Forms of arguments, converted to entries of f-puzzles' JSON and back.

The shapes of that format convert the entries to facts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from aspdoku.formats.base import UnsupportedError, default_values
from aspdoku.formats.fpuzzles.shapes import fpuzzles_name, to_list
from aspdoku.formats.iss.grid import IssGrid, iss_name
from aspdoku.formats.json_document import Object
from aspdoku.puzzle.puzzle import Cell

_LINE = re.compile(r"([RrCc])([1-9][0-9]?)")  # a decimal number, unlike those in the names of cells
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_OPPOSITE = str.maketrans("UDLR", "DURL")


class ArgumentForm(Protocol):
    """The form of the arguments of a constraint."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        """The entries for these arguments. Raises UnsupportedError."""

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        """The arguments for an entry; None if it belongs to a constraint of another name.

        Raises UnsupportedError.
        """


class CellList:
    """Cells, as a set and as a line."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        yield self._cells(arguments, field)

    @staticmethod
    def _cells(arguments: list[str], field: IssGrid) -> Object:
        names = _names(field.cells_named(arguments))
        return {"cells": names, "lines": [names]}

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        return field.names_of(entry["cells"] if "cells" in entry else to_list(entry["lines"])[0])


@dataclass(frozen=True)
class Valued(CellList):
    """A required value, and cells. For an entry without a value, the default is written.

    predicate: the one whose default is written
    least: the smallest valid value
    """

    predicate: str = ""
    least: int = 0

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        value, *names = arguments
        if not value:
            raise UnsupportedError("one without a value")
        if value.isdecimal() and int(value) < self.least:
            raise UnsupportedError(f"the value {value[:30]!r}")
        yield {"value": value, **self._cells(names, field)}

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        value = entry.get("value", self._default(field))
        if value is None:
            raise UnsupportedError("one without a value")
        return [str(value), *(super().write(entry, field) or [])]

    def _default(self, field: IssGrid) -> int | None:
        return next(iter(default_values(self.predicate, 2, field.size)), None)


class Summed(Valued):
    """A value and cells; 0 and an empty value mean no value."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        value, *names = arguments
        yield {"value": "" if value == "0" else value, **self._cells(names, field)}

    def _default(self, field: IssGrid) -> int | None:
        return 0


class DefaultValued(Valued):
    """An optional difference, by default 5, and cells."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        said = arguments[:1] and _NUMBER.fullmatch(arguments[0])
        yield from super().read(arguments if said else ["5", *arguments], field)


@dataclass(frozen=True)
class AdjacentPairs:
    """All pairs of neighbours among the cells, the earlier one first, each with this value.

    others: values that belong to constraints of other names
    """

    value: str = ""
    others: Collection[str] = ()

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        for pair in neighbours(arguments, field):
            yield {"cells": _names(pair), "value": self.value}

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        return None if entry.get("value") in self.others else field.names_of(entry["cells"])


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
    for cell in found:
        if not any(cell in pair for pair in pairs):
            raise UnsupportedError(
                f"the cell {iss_name(cell)}, which is next to none of the others"
            )
    return pairs


class ArrowArguments:
    """A circle and its shaft."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        names = _names(field.cells_named(arguments))
        yield {"cells": names[:1], "lines": [names]}

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        return (
            field.names_of(to_list(entry["lines"])[0])
            if len(to_list(entry["cells"])) == 1
            else None
        )


class PillArguments:
    """The number of cells of the pill, these cells, and the shaft."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        if arguments[:1] not in (["2"], ["3"]):
            raise UnsupportedError(f"a pill of {''.join(arguments[:1])[:30]!r} cells")
        size = int(arguments[0])
        names = _names(field.cells_named(arguments[1:]))
        yield {"cells": names[:size], "lines": [names[size - 1 :]]}

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        pill = field.names_of(entry["cells"])
        return (
            [str(len(pill)), *pill, *field.names_of(to_list(entry["lines"])[0])[1:]]
            if len(pill) > 1
            else None
        )


@dataclass(frozen=True)
class BothEnds:
    """A row or a column, and the clues at its start and at its end, of which one may be missing.

    of_numbers: whether a clue must be one of the numbers of the puzzle
    """

    of_numbers: bool = False

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        name, first, last = [*arguments, *[""] * (3 - len(arguments))]
        kind, line = _line(name, field)
        for clue, outside in ((first, 0), (last, field.size + 1)):
            if self.of_numbers and clue.isdecimal() and int(clue) not in field.numbers:
                raise UnsupportedError(
                    f"the clue {clue[:30]}, which is not a number of this puzzle"
                )
            if clue:
                yield {
                    "cell": fpuzzles_name((line, outside) if kind == "R" else (outside, line)),
                    "value": clue,
                }

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        edge, line = field.nearest_edge(field.cell(entry["cell"], outside=True))
        clue = str(entry["value"])
        kind = "R" if edge in ("left", "right") else "C"
        return [f"{kind}{line}", *([clue, ""] if edge in ("left", "top") else ["", clue])]


class OneEnd(BothEnds):
    """A clue, and the row or column that it belongs to."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        clue, line = arguments
        yield from super().read([line, clue], field)

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        line, *clues = super().write(entry, field) or []
        return ["".join(clues), line]


class DiagonalClue:
    """A clue, and the edge cell where its diagonal starts, which determines the direction."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        clue, name = arguments
        row, column = field.of(name)
        direction = self._from(row, column, field.size)
        if not direction:
            raise UnsupportedError(f"a clue at {name[:30]}, where no diagonal begins")
        if clue == "0":
            raise UnsupportedError("a sum of 0")
        before = row - (1 if "D" in direction else -1), column - (1 if "R" in direction else -1)
        yield {"cell": fpuzzles_name(before), "direction": direction, "value": clue}

    @staticmethod
    def _from(row: int, column: int, last: int) -> str:
        if column == 1 and row < last:
            return "DR"
        if column == last and 1 < row < last:
            return "UL"
        if row == 1 and column > 1:
            return "DL"
        return "UR" if row == last and 1 < column < last else ""

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        """The end of the diagonal from which this format reads it; the sum is the same."""
        cells, direction = field.cells(entry["cells"]), str(entry["direction"])
        for cell, way in ((cells[0], direction), (cells[-1], direction.translate(_OPPOSITE))):
            if self._from(*cell, field.size) == way:
                return [str(entry["value"]), iss_name(cell)]
        raise UnsupportedError(
            f"the clue before {iss_name(cells[0])}, where another diagonal begins"
        )


class CornerNumbers:
    """The cell above and to the left of a corner, and the numbers around it."""

    def read(self, arguments: list[str], field: IssGrid) -> Iterator[Object]:
        corner, *values = arguments
        if "" in values:
            raise UnsupportedError("an empty value")
        row, column = field.of(corner)
        square = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
        yield {"cells": _names(square), "values": values}

    def write(self, entry: Object, field: IssGrid) -> list[str] | None:
        return [field.names_of(entry["cells"])[0], *map(str, to_list(entry["values"]))]


def _line(name: str, field: IssGrid) -> tuple[str, int]:
    match = _LINE.fullmatch(name)
    if not match or int(match[2]) > field.size:
        raise UnsupportedError(f"{name[:30]!r} where a row or a column should stand")
    return match[1].upper(), int(match[2])


def _names(found: Iterable[Cell]) -> list[str]:
    return [fpuzzles_name(cell) for cell in found]
