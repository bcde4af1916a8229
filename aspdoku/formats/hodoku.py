"""HoDoKu's library format: lines such as `:0000:x:+4.5…:112 812:…::`, with the grid in field 4.

A number after a + was placed by a solver, and a group of three digits after the grid is a candidate
that it removed. Both follow from the givens and the rules, so they are ignored.
"""

from __future__ import annotations

import re

from aspdoku.formats.base import (
    PLAIN,
    Format,
    cell_symbols,
    content_lines,
    grid_of,
    grid_size,
    require_representable,
)
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.lines import Line, quote

LINE = re.compile(r"\s*:[^:]*:[^:]*:([^:]*):[^:]*(:[^:]*)*")
CELL = re.compile(r"\+?[0-9.]")
CELLS = re.compile(rf"(?:{CELL.pattern})*")


def fits(text: str) -> bool:
    """Whether every line starts with a colon and has at least four of them."""
    lines = content_lines(text)
    return bool(lines) and all(LINE.fullmatch(line.content) for line in lines)


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzle of each line. Raises PuzzleError at the first invalid line."""
    return [_puzzle(line) for line in content_lines(text, name)]


def write(puzzle: Puzzle) -> str:
    """The puzzle on one line. Raises PuzzleError for anything but an ordinary 9x9 sudoku."""
    require_representable(puzzle, PLAIN, FORMAT.name, largest=9, least=9)
    return f":0000:x:{cell_symbols(puzzle)}:::\n"


def _puzzle(line: Line) -> Puzzle:
    match = LINE.fullmatch(line.content)
    cells = match[1].strip() if match else ""
    if not CELLS.fullmatch(cells):
        strange = CELL.sub("", cells)
        raise line.error(
            f"invalid characters {quote(strange)} in the grid: a cell is a digit, + and a digit, or"
            " . for empty"
        )
    found = CELL.findall(cells)
    if not grid_size(len(found)):
        raise line.error(f"field 4 of the line has {len(found)} cells; a 9x9 grid has 81")
    return Puzzle(grid_of(["." if "+" in cell else cell for cell in found], line))


FORMAT = Format(
    "hodoku",
    "lines of HoDoKu's library",
    fits,
    read,
    write,
    suffixes=(".hodoku",),
    multiple=True,
    allows_long=True,
)
