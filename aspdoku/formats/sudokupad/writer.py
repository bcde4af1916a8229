"""Writer for SudokuPad documents, which are drawings.

Anything that they cannot represent reliably is an error.
"""

from __future__ import annotations

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import unrepresentable
from aspdoku.formats.fpuzzles.shapes import CellGrid, CellSets
from aspdoku.formats.json_document import Object
from aspdoku.formats.pending import PendingContent
from aspdoku.formats.sudokupad import table
from aspdoku.puzzle.puzzle import Puzzle, format_range

FORMAT = "sudokupad"


def write(puzzle: Puzzle) -> Object:
    """The document. Raises PuzzleError listing everything that the format cannot represent."""
    cargo = PendingContent(puzzle, FORMAT)
    board = CellGrid(puzzle.size)
    regions: dict[int, list[list[int]]] = {}
    for (row, column), region in cargo.regions().items():
        regions.setdefault(region, []).append([row - 1, column - 1])
    found: Object = {
        "metadata": {"title": puzzle.title},
        "cells": [
            [{} if number is None else {"value": number} for number in row] for row in puzzle.grid
        ],
        "regions": [
            *regions.values(),
            *(_cells(entry, board) for entry in _entries(cargo, board, *table.EXTRA)),
        ],
        "cages": [
            {
                "cells": _cells(entry, board),
                **look,
                **({"value": entry["value"]} if "value" in entry else {}),
            }
            for kind, look in (
                (table.KILLER, {"style": "killer", "unique": True}),
                (table.SUM_CAGE, {"unique": False}),
            )
            for entry in _entries(cargo, board, *kind)
        ],
        "global": [word for word, name in table.RULES.items() if cargo.mark_rules_written(name)],
    }
    cargo.require_empty(
        *([] if puzzle.has_default_numbers else [f"the numbers {format_range(puzzle.numbers)}"])
    )
    return found


def _entries(cargo: PendingContent, board: CellGrid, name: str, groups: CellSets) -> list[Object]:
    """The sets of cells that a rule uses."""
    there = cargo.has_facts(groups.signatures) and cargo.mark_rules_written(name)
    return cargo.write_facts(groups, board) if there else []


def _cells(entry: Object, board: CellGrid) -> list[list[int]]:
    """Rows and columns from 0. Raises PuzzleError."""
    try:
        return [[row - 1, column - 1] for row, column in board.cells(entry["cells"])]
    except PuzzleError as error:
        raise unrepresentable(FORMAT, [f"an invalid cell: {error}"]) from None
