"""HoDoKu's library format: lines such as `:0000:x:+4.5…:112 812:…::`, with the grid in field 4.

Such a line is a state of solving: a number after a + was placed, and the groups of three digits in
field 5 are deleted candidates (number, row, column). Neither has to follow from the givens, so the
other candidates of these cells become facts pencilmark(R,C,N). The fields after that name a step
and its conclusions, which are no part of the state.
"""

from __future__ import annotations

import re

from aspdoku.formats.base import (
    PENCILMARKED,
    Format,
    cell_name,
    cell_symbols,
    content_lines,
    grid_of,
    grid_size,
    puzzle_with,
)
from aspdoku.formats.candidates import candidates_of, mark
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.lines import Line, quote

SIZE = 9
LINE = re.compile(r"\s*:[^:]*:[^:]*:([^:]*):([^:]*)(:[^:]*)*")
DELETED = re.compile("([1-9])([1-9])([1-9])")
CELL = re.compile(r"\+?[0-9.]")
CELLS = re.compile(rf"(?:{CELL.pattern})*")


def _fits(text: str) -> bool:
    """Whether every line starts with a colon and has at least four of them."""
    lines = content_lines(text)
    return bool(lines) and all(LINE.fullmatch(line.content) for line in lines)


def _write(puzzle: Puzzle) -> str:
    known = candidates_of(puzzle, FORMAT.name, SIZE, SIZE)
    deleted = (
        f"{number}{index // SIZE + 1}{index % SIZE + 1}"
        for index, (cell, candidates) in enumerate(zip(cell_symbols(puzzle), known, strict=True))
        for number in range(1, SIZE + 1)
        if cell == "." and number not in candidates
    )
    return f":0000:x:{cell_symbols(puzzle)}:{' '.join(deleted)}::\n"


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
    grid = grid_of([cell if "+" not in cell else "." for cell in found], line)
    size = len(grid)
    left = [{int(cell[-1])} if cell[-1] in "123456789" else {*range(1, size + 1)} for cell in found]
    changed = {index for index, cell in enumerate(found) if "+" in cell and len(left[index]) == 1}
    for group in match[2].split() if match else ():
        deleted = DELETED.fullmatch(group)
        number, row, column = map(int, deleted.groups()) if deleted else (0, 0, 0)
        if not 1 <= max(number, row, column) <= size:
            raise line.error(
                f"invalid deleted candidate {quote(group)}: expected number, row and column, e.g."
                " 112"
            )
        index = (row - 1) * size + column - 1
        left[index].discard(number)
        changed.add(index)
        if not left[index]:
            raise line.error(f"all candidates of {cell_name(index, size)} are deleted")
    marks = [
        mark(index, size, number)
        for index in sorted(changed)
        if found[index] not in {*"123456789"} and len(left[index]) < size
        for number in left[index]
    ]
    return puzzle_with(PENCILMARKED, grid, marks)


FORMAT = Format(
    "hodoku",
    "lines of HoDoKu's library",
    _fits,
    lambda text, name: [_puzzle(line) for line in content_lines(text, name)],
    _write,
    suffixes=(".hodoku",),
    multiple=True,
    allows_long=True,
)
