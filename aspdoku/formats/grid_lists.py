"""Several grids in sequence, each n lines of n cells, optionally after a title line (`Grid 01`)."""

from __future__ import annotations

import re
import string
from bisect import bisect_left

from aspdoku.errors import PuzzleError
from aspdoku.formats import line_lists
from aspdoku.formats.base import PLAIN, SMALLEST, Format, content_lines, require_representable
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.grid import (
    EMPTY,
    box_shape_of_separators,
    grid_rows,
    may_be_separator,
    split_at_blanks,
    split_characters,
    without_bars,
)
from aspdoku.puzzlefile.lines import Line

SIGNS = EMPTY | {*string.digits, *string.ascii_letters}
TITLE = re.compile(r"\s*((?:grid|puzzle|sudoku|no\.?)\s*[0-9]+)\s*(?::\s*)?", re.IGNORECASE)


def fits(text: str) -> bool:
    """Whether all lines except titles and certain separators have n cells, and their number is a
    multiple of n, at least 2n.
    """
    rows = [line for line in _drawn(content_lines(text)) if not TITLE.fullmatch(line.content)]
    return bool(_size(rows)) and len(rows) > _size(rows) and not line_lists.fits(text)


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzles of the text. Raises PuzzleError at the line that is wrong."""
    every = content_lines(text, name)
    numbers = [line.number for line in every]
    lines = _drawn(every)
    size = _size([line for line in lines if not TITLE.fullmatch(line.content)])
    if not size:
        raise PuzzleError("expected a sequence of grids of n lines with n cells each", name)
    puzzles = []
    title, rows = "", list[Line]()
    for line in lines:
        match = TITLE.fullmatch(line.content)
        if match and rows:
            raise line.error(f"incomplete grid above this line: {len(rows)} of {size} rows")
        if match:
            title = match[1]
            continue
        rows.append(line)
        if len(rows) == size:
            first, last = (bisect_left(numbers, row.number) for row in (rows[0], rows[-1]))
            puzzles.append(
                Puzzle(
                    grid.parse_grid(rows),
                    box_shape_of_separators(every[first:last], grid_rows(rows)),
                    title=title,
                )
            )
            title, rows = "", []
    return puzzles


def write(puzzle: Puzzle) -> str:
    """The grid, followed by an empty line.

    Raises PuzzleError for anything but an ordinary sudoku.
    """
    require_representable(puzzle, PLAIN, FORMAT.name)
    rows = [
        " ".join("." if number is None else str(number) for number in row) for row in puzzle.grid
    ]
    return "\n".join([*rows, "", ""])


def _drawn(lines: list[Line]) -> list[Line]:
    """The lines without separators.

    A line that could be a row or a separator counts as a separator if it contains -, + or =.
    """
    return [
        line for line in lines if not (may_be_separator(line) and set(line.content) & set("-=+"))
    ]


def _size(rows: list[Line]) -> int:
    """The number of cells per row, if it is the same for all rows, split in one way, and the rows
    form whole grids; else 0.
    """
    for split in (split_at_blanks, split_characters):
        size = len(split(without_bars(rows[0]))) if rows else 0
        if size < SMALLEST or len(rows) % size:
            continue
        cells = (split(without_bars(line)) for line in rows)
        if all(len(row) == size and SIGNS.issuperset("".join(row)) for row in cells):
            return size
    return 0


FORMAT = Format(
    "grids",
    "several grids in sequence",
    fits,
    read,
    write,
    multiple=True,
    allows_long=True,
)
