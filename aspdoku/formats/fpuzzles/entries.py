"""Entries of f-puzzles' JSON: conversion to clues and back."""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats.fpuzzles.table import TOGETHER, ConstraintKey
from aspdoku.formats.json_document import Object, is_blank
from aspdoku.formats.shapes import Clue, ClueShape, SingleCells, SquareGrid, cell_name
from aspdoku.puzzle.puzzle import Cell

_CELL = re.compile(r"[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})")

# The key of each part of a clue, in the order in which they are written.
_KEYS = {
    "outside": "cell",
    "cells": "cells",
    "others": "cloneCells",
    "lines": "lines",
    "direction": "direction",
    "value": "value",
    "values": "values",
}


def supported_keys(shape: ClueShape) -> frozenset[str]:
    """The keys of an entry in this shape."""
    keys = frozenset(_KEYS[part] for part in shape.parts)
    return keys | {"cell"} if isinstance(shape, SingleCells) else keys


def read_entry(entry: Object, shape: ClueShape, grid: SquareGrid) -> Clue:
    """The clue in an entry. Raises PuzzleError for an invalid cell or list."""
    given = {key: entry.get(key) for key in supported_keys(shape)}
    cells = parse_cells(given.get("cells"), grid)
    outside = None
    if not is_blank(given.get("cell")):
        if isinstance(shape, SingleCells):
            cells.append(parse_cell(given["cell"], grid))
        else:
            outside = parse_cell(given["cell"], grid, outside=True)
    return Clue(
        cells=cells,
        others=parse_cells(given.get("cloneCells"), grid),
        lines=[parse_cells(line, grid) for line in to_list(given.get("lines"))],
        outside=outside,
        direction=str(given.get("direction")),
        value=given.get("value"),
        values=to_list(given.get("values")),
    )


def write_entries(clue: Clue, kind: ConstraintKey) -> list[Object]:
    """The entries for a clue: one, or one for each of several single cells."""
    if isinstance(kind.shape, SingleCells) and kind.key not in TOGETHER:
        return [{"cell": cell_name(cell)} for cell in clue.cells]
    written: Object = {
        "outside": cell_name(clue.outside) if clue.outside else None,
        "cells": [cell_name(cell) for cell in clue.cells],
        "others": [cell_name(cell) for cell in clue.others],
        "lines": [[cell_name(cell) for cell in line] for line in clue.lines],
        "direction": clue.direction,
        "value": None if clue.value is None else str(clue.value),
        "values": list(clue.values),
    }
    return [{_KEYS[part]: value for part, value in written.items() if not is_blank(value)}]


def parse_cell(name: object, grid: SquareGrid, outside: bool = False) -> Cell:
    """The row and column of a cell. Raises PuzzleError if the grid has no such cell.

    outside: allow the rows and columns around the grid
    """
    match = _CELL.fullmatch(name) if isinstance(name, str) else None
    span = range(grid.size + 2) if outside else range(1, grid.size + 1)
    if not match or int(match[1]) not in span or int(match[2]) not in span:
        raise PuzzleError(
            f"invalid cell {str(name)[:30]!r}: the cells of a {grid.size}x{grid.size} grid are"
            f" R1C1 to R{grid.size}C{grid.size}"
        )
    return int(match[1]), int(match[2])


def parse_cells(names: object, grid: SquareGrid) -> list[Cell]:
    """The cells of a list of names, which may be missing. Raises PuzzleError."""
    return [parse_cell(name, grid) for name in to_list(names)]


def to_list(value: object) -> list[object]:
    """A list; a missing one is empty. Raises PuzzleError for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise PuzzleError(f"{str(value)[:30]!r} instead of a list")
    return value
