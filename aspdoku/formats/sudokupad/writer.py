"""Writer for SudokuPad documents, which are drawings.

Anything that they cannot represent reliably is an error.
"""

from __future__ import annotations

from aspdoku.formats.base import unrepresentable
from aspdoku.formats.json_document import Object
from aspdoku.formats.pending import PendingContent
from aspdoku.formats.shapes import Clue, SquareGrid, cell_name, shape_of
from aspdoku.formats.sudokupad import table
from aspdoku.puzzle.puzzle import Puzzle, format_range
from aspdoku.puzzlefile.writer import solution_line

FORMAT = "sudokupad"


def write(puzzle: Puzzle) -> Object:
    """The document. Raises PuzzleError listing everything that the format cannot represent."""
    pending = PendingContent(puzzle, FORMAT)
    board = SquareGrid(puzzle.size)
    regions: dict[int, list[list[int]]] = {}
    for (row, column), region in pending.regions().items():
        regions.setdefault(region, []).append([row - 1, column - 1])
    found: Object = {
        "metadata": _metadata(puzzle),
        "cells": [
            [{} if number is None else {"value": number} for number in row] for row in puzzle.grid
        ],
        "regions": [
            *regions.values(),
            *(_cells(clue, board) for clue in _clues(pending, board, table.EXTRA)),
        ],
        "cages": [
            {
                "cells": _cells(clue, board),
                **look,
                **({} if clue.value is None else {"value": str(clue.value)}),
            }
            for rule, look in (
                (table.KILLER, {"style": "killer", "unique": True}),
                (table.SUM_CAGE, {"unique": False}),
            )
            for clue in _clues(pending, board, rule)
        ],
        "global": [word for word, name in table.RULES.items() if pending.mark_rules_written(name)],
    }
    pending.require_empty(
        *([] if puzzle.has_default_numbers else [f"the numbers {format_range(puzzle.numbers)}"])
    )
    return found


def _metadata(puzzle: Puzzle) -> Object:
    texts = {"title": puzzle.title, "author": puzzle.author, "rules": puzzle.rules}
    found = texts | {"solution": solution_line(puzzle.solution) if puzzle.solution else ""}
    return {key: text for key, text in found.items() if text or key == "title"}


def _clues(pending: PendingContent, board: SquareGrid, rule: str) -> list[Clue]:
    """The sets of cells that a rule uses."""
    sets = shape_of(rule)
    there = pending.has_facts(sets.signatures) and pending.mark_rules_written(rule)
    return pending.write_facts(sets, board) if there else []


def _cells(clue: Clue, board: SquareGrid) -> list[list[int]]:
    """Rows and columns from 0. Raises PuzzleError for a cell outside the grid."""
    for cell in clue.cells:
        if not board.has(cell):
            raise unrepresentable(FORMAT, [f"the cell {cell_name(cell)}"])
    return [[row - 1, column - 1] for row, column in clue.cells]
