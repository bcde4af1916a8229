"""Killer sudokus as in forums: optional rows of cells, rows of cage letters, and sums `a20,b4`."""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats import regions
from aspdoku.formats.base import Format, content_lines, grid_of, grid_size
from aspdoku.formats.regions import Cages, cages_of, killer_puzzle
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.grid import (
    GridRow,
    box_shape_of_rulings,
    must_be_ruling,
    split_characters,
    without_bars,
)
from aspdoku.puzzlefile.lines import Line

SUM = re.compile(r"([A-Za-z])(?:\s*[=:])?\s*([0-9]{1,5})")
SUMS = re.compile(rf"\s*{SUM.pattern}(?:[\s,;]+{SUM.pattern})*[\s,;]*")


def fits(text: str) -> bool:
    """Whether the text is one or two grids, the last one of letters, and sums of letters."""
    cells, sums = _parts(content_lines(text))
    labels = cells[len(cells) // 2 :] if grid_size(len(cells) // 2) else cells
    letters = set(labels) - {regions.NO_REGION}
    return (
        bool(sums and grid_size(len(labels)) and letters)
        and letters <= {*regions.LETTERS}
        and {*dict(sums)} <= letters
    )


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = content_lines(text, name)
    cells, sums = _parts(lines)
    if not (grid_size(len(cells)) or grid_size(len(cells) // 2)):
        raise PuzzleError(
            f"{len(cells)} characters before the sums: a 9x9 killer sudoku has 81 cage letters,"
            " optionally after 81 cells",
            name,
        )
    size = grid_size(len(cells)) or grid_size(len(cells) // 2)
    labels = cells[-size * size :]
    values = dict(sums)
    wrong = next((label for label in values if label not in labels), "") or next(
        iter({*labels} - {*regions.LETTERS, "."}), ""
    )
    if wrong or len(values) < len(sums):
        at_fault = wrong or next(
            label for label, _ in sums if [each for each, _ in sums].count(label) > 1
        )
        raise PuzzleError(
            f"{at_fault!r} is not the letter of a cage with one sum: write cages as letters, and"
            " sums as in a20,b4",
            name,
        )
    grid = grid_of(cells[: size * size], lines[0]) if len(cells) > size * size else None
    rows = [GridRow(line, split_characters(without_bars(line))) for line in _drawn(lines)][-size:]
    box = (
        box_shape_of_rulings([line for line in lines if line.number > rows[0].line.number], rows)
        if len(rows) == size
        else None
    )
    return [
        killer_puzzle(
            Cages(labels, {label: int(total) for label, total in values.items()}), grid, box=box
        )
    ]


def write(puzzle: Puzzle) -> str:
    """Cells, cages and sums. Raises PuzzleError."""
    cages = cages_of(puzzle, regions.LETTERS, FORMAT.name)
    if not cages.sums:
        raise PuzzleError(
            f"the format {FORMAT.name} cannot represent a puzzle in which no cage has a sum"
        )
    size = puzzle.size
    rows = [
        "".join("." if each is None else regions.SIGNS[each] for each in row) for row in puzzle.grid
    ]
    labels = ["".join(cages.labels[start : start + size]) for start in range(0, size * size, size)]
    return (
        "\n".join(
            [
                *rows,
                "",
                *labels,
                "",
                ",".join(f"{label}{total}" for label, total in cages.sums.items()),
            ]
        )
        + "\n"
    )


def _parts(lines: list[Line]) -> tuple[list[str], list[tuple[str, str]]]:
    """The characters of the grids, and pairs of a letter and its sum."""
    last = _last(lines)
    signs = [sign for line in _drawn(lines) for sign in split_characters(without_bars(line))]
    return signs, [sum_ for line in lines[last:] for sum_ in SUM.findall(line.content)]


def _drawn(lines: list[Line]) -> list[Line]:
    """The lines of the grids, without rulings."""
    return [line for line in lines[: _last(lines)] if not must_be_ruling(line)]


def _last(lines: list[Line]) -> int:
    """The index of the first line with sums."""
    last = len(lines)
    while (
        last
        and SUMS.fullmatch(lines[last - 1].content)
        and any(sign.isdigit() for sign in lines[last - 1].content)
    ):
        last -= 1
    return last


FORMAT = Format("killer", "cells, cage letters, and sums such as a20,b4", fits, read, write)
