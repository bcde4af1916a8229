"""Shapes of f-puzzles' JSON that belong to single rules.

Arrows, clues outside the grid, clones, and circles on corners.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError, default_values
from aspdoku.formats.fpuzzles.shapes import (
    CellGrid,
    fpuzzles_name,
    line_facts,
    lines_by_label,
    require_distinct,
    to_list,
    to_number,
    values_by_label,
)
from aspdoku.formats.json_document import Object, is_blank
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

_STEPS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}


def outside_clue(entry: Object, board: CellGrid) -> tuple[Cell, int] | None:
    """The cell outside the grid with a clue, and its value; None for an empty clue.

    Raises UnsupportedError for a value without a cell.
    """
    value = to_number(entry.get("value"))
    if value is None:
        return None
    if is_blank(entry.get("cell")):
        raise UnsupportedError(f"the value {value} without a cell")
    return board.cell(entry["cell"], outside=True), value


@dataclass(frozen=True)
class Arrows:
    """A circle or a pill with shafts.

    Each shaft becomes a separate arrow p(I,K,R,C) that starts with the circle. With a pill:
    q(I,K,R,C), whose first P cells are the pill, and q_pill(I,P).
    """

    predicate: str
    pill: str
    keys = frozenset({"cells", "lines"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 4), (self.pill, 4), (f"{self.pill}_pill", 2)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        bulb = board.cells(entry.get("cells"))
        require_distinct(bulb, "its circle")
        lines = list(filter(None, map(board.cells, to_list(entry.get("lines")))))
        if any(line[0] not in bulb for line in lines):
            raise UnsupportedError("an arrow that does not begin in its circle")
        shafts = [line[1:] for line in lines if len(line) > 1]
        for shaft in shafts:
            name = next(labels)
            if len(bulb) == 1:
                yield from line_facts(self.predicate, name, [*bulb, *shaft])
            else:
                yield from line_facts(self.pill, name, [*sorted(bulb), *shaft])
                yield Function(f"{self.pill}_pill", (name, len(bulb)))
        if bulb and (not shafts or len(shafts) < len(lines)):
            raise UnsupportedError("a circle without an arrow")

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        for line in lines_by_label(stated[self.predicate, 4]).values():
            yield {"cells": [fpuzzles_name(line[0])], "lines": [list(map(fpuzzles_name, line))]}
        pills = values_by_label(stated, f"{self.pill}_pill")
        (default,) = default_values(f"{self.pill}_pill", 2, board.size)
        for label, line in lines_by_label(stated[self.pill, 4]).items():
            length = pills.get(label, default)
            if not isinstance(length, int) or not 0 < length < len(line):
                raise UnsupportedError(f"arrow {label}, whose pill is not a part of it")
            if line[:length] != sorted(line[:length]):
                raise UnsupportedError(
                    f"arrow {label}, whose pill is not read from left to right or from top to"
                    " bottom"
                )
            cells = list(map(fpuzzles_name, line))
            yield {"cells": cells[:length], "lines": [cells[length - 1 :]]}


@dataclass(frozen=True)
class DiagonalSums:
    """A clue at the start of a diagonal: p(I,K,R,C) for its K-th cell, and p_value(I,S)."""

    predicate: str
    keys = frozenset({"cell", "cells", "direction", "value"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 4), (f"{self.predicate}_value", 2)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        clue = outside_clue(entry, board)
        if clue is None:
            return
        start, total = clue
        step = _STEPS.get(str(entry.get("direction")))
        if step is None:
            raise UnsupportedError(f"the direction {str(entry.get('direction'))[:30]!r}")
        if board.has(start):
            raise UnsupportedError(f"a clue at {fpuzzles_name(start)}, which is inside the grid")
        cells = list(self._along(start, step, board))
        if not cells:
            raise UnsupportedError(f"a clue at {fpuzzles_name(start)} that points at no cell")
        repeated = board.cells(entry.get("cells"))
        if repeated and sorted(repeated) != sorted(cells):
            raise UnsupportedError(
                f"a clue at {fpuzzles_name(start)} with cells that are not those on its diagonal"
            )
        if total == 0:
            raise UnsupportedError("a sum of 0")
        label = next(labels)
        yield from line_facts(self.predicate, label, cells)
        yield Function(f"{self.predicate}_value", (label, total))

    @staticmethod
    def _along(cell: Cell, step: tuple[int, int], board: CellGrid) -> Iterator[Cell]:
        row, column = cell[0] + step[0], cell[1] + step[1]
        while board.has((row, column)):
            yield row, column
            row, column = row + step[0], column + step[1]

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        totals = values_by_label(stated, f"{self.predicate}_value")
        for label, line in lines_by_label(stated[self.predicate, 4]).items():
            if label not in totals:
                raise UnsupportedError(f"the clue {label}, which has no sum")
            row, column = line[0]
            for name, step in _STEPS.items():
                outside = row - step[0], column - step[1]
                if list(self._along(outside, step, board)) == line and not board.has(outside):
                    cells = list(map(fpuzzles_name, line))
                    yield {
                        "cell": fpuzzles_name(outside),
                        "cells": cells,
                        "direction": name,
                        "value": str(totals[label]),
                    }
                    break
            else:
                raise UnsupportedError(f"the clue {label}, which stands before no diagonal")


@dataclass(frozen=True)
class RowColumnClues:
    """A clue for a row or a column, at either end: p_row(R,S) and p_column(C,S)."""

    predicate: str
    keys = frozenset({"cell", "value"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(f"{self.predicate}_row", 2), (f"{self.predicate}_column", 2)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        if clue := outside_clue(entry, board):
            edge, line = board.nearest_edge(clue[0])
            yield Function(
                f"{self.predicate}_{'row' if edge in ('left', 'right') else 'column'}",
                (line, clue[1]),
            )

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        for kind, edge in (("row", "left"), ("column", "top")):
            for line, value in stated[f"{self.predicate}_{kind}", 2]:
                yield {"cell": board.outside(edge, int(str(line))), "value": str(value)}


@dataclass(frozen=True)
class EdgeClues:
    """A clue for a row or a column, seen from one edge: p(E,J,S)."""

    predicate: str
    keys = frozenset({"cell", "value"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 3)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        if clue := outside_clue(entry, board):
            edge, line = board.nearest_edge(clue[0])
            yield Function(self.predicate, (Function(edge), line, clue[1]))

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        for edge, line, value in stated[self.predicate, 3]:
            yield {"cell": board.outside(str(edge), int(str(line))), "value": str(value)}


@dataclass(frozen=True)
class Clones:
    """Two lists of cells with pairwise equal numbers: p(I,R,C,R1,C1)."""

    predicate: str
    keys = frozenset({"cells", "cloneCells"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 5)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        ones, others = board.cells(entry.get("cells")), board.cells(entry.get("cloneCells"))
        if len(ones) != len(others):
            raise UnsupportedError(f"{len(ones)} cells with {len(others)} clones")
        label = next(labels) if ones else 0
        yield from (
            Function(self.predicate, (label, *one, *other))
            for one, other in zip(ones, others, strict=True)
        )

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        pairs: dict[Term, list[tuple[str, str]]] = defaultdict(list)
        for label, row, column, row1, column1 in stated[self.predicate, 5]:
            pairs[label].append((fpuzzles_name((row, column)), fpuzzles_name((row1, column1))))
        for label in sorted(pairs, key=sort_key):
            yield {
                "cells": [one for one, _ in pairs[label]],
                "cloneCells": [other for _, other in pairs[label]],
            }


@dataclass(frozen=True)
class Corners:
    """Numbers where four cells meet.

    p(R,C,N,Q): N occurs Q times around the corner below and right of a cell.
    """

    predicate: str
    keys = frozenset({"cells", "values"})

    @property
    def signatures(self) -> frozenset[Signature]:
        return frozenset({(self.predicate, 4)})

    def read(self, entry: Object, labels: Iterator[int], board: CellGrid) -> Iterator[Function]:
        cells = sorted(board.cells(entry.get("cells")))
        values = [
            value for value in map(to_number, to_list(entry.get("values"))) if value is not None
        ]
        if not values:
            return
        row, column = cells[0] if cells else (0, 0)
        if cells != [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]:
            raise UnsupportedError("a circle that does not lie between four cells")
        for value, often in sorted(Counter(values).items()):
            yield Function(self.predicate, (row, column, value, often))

    def write(self, stated: ArgumentsBySignature, board: CellGrid) -> Iterator[Object]:
        around: dict[Cell, list[int]] = defaultdict(list)
        for row, column, value, often in stated[self.predicate, 4]:
            if not isinstance(often, int) or not 0 < often <= 4:
                raise UnsupportedError(f"{often} times a number around a corner")
            around[int(str(row)), int(str(column))] += [int(str(value))] * int(str(often))
        for (row, column), values in sorted(around.items()):
            cells = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
            yield {"cells": list(map(fpuzzles_name, cells)), "values": values}
