"""Grids with other symbols than digits and letters from ten on.

Letters from A for 1, hexadecimal digits 0 to F for 0 to 15, or two digits per cell.
"""

from __future__ import annotations

import re
import string
from functools import partial

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    LARGEST,
    PLAIN,
    Format,
    cell_name,
    cells_of,
    content_lines,
    grid_of,
    to_rows,
)
from aspdoku.puzzle.puzzle import Puzzle
from aspdoku.puzzlefile.grid import EMPTY, TO_ASCII, GridRow, drawn_box_shape, grid_rows
from aspdoku.puzzlefile.lines import quote

LETTERS = string.ascii_uppercase
HEXADECIMAL = string.digits + LETTERS[:6]
FIRST_LETTER = 10
MAX_TYPOS = 2  # letters that may be typos
SEPARATOR_CHARACTERS = frozenset("|+=- \t\n")
PAIRS = re.compile(r"(?:[0-9]{2}|\.\.)+")


def _rows_of(text: str, signs: set[str]) -> list[list[str]]:
    """The cells of a grid with these symbols, in upper case; empty for another text."""
    lines = content_lines(text)
    signs_used = {sign for line in lines for sign in line.content.translate(TO_ASCII).upper()}
    if not signs_used <= signs | SEPARATOR_CHARACTERS:
        return []
    try:
        rows = [[cell.upper() for cell in row.cells] for row in grid_rows(lines)]
    except (PuzzleError, IndexError):
        return []
    return rows if all(len(cell) == 1 for row in rows for cell in row) else []


def fits_letters(text: str) -> bool:
    """Whether the grid contains only the first n letters, and enough not to be numbers from ten."""
    rows = _rows_of(text, {*LETTERS} | EMPTY)
    signs = {cell for row in rows for cell in row}
    letters, empty = signs - EMPTY, signs & EMPTY
    from_ten = {*LETTERS[: max(0, len(rows) - FIRST_LETTER + 1)]}
    significant = len(letters) > MAX_TYPOS or (
        letters and letters <= from_ten and not ("0" in empty and len(empty) > 1)
    )
    return bool(from_ten and significant) and letters <= {*LETTERS[: len(rows)]}


def _ambiguity_of_letters(text: str) -> str:
    """A message if the letters could also be numbers from A for 10 on; otherwise empty."""
    rows = _rows_of(text, {*LETTERS} | EMPTY)
    letters_used = sorted({cell for row in rows for cell in row} - EMPTY)
    if not letters_used or LETTERS.index(letters_used[-1]) + FIRST_LETTER > len(rows):
        return ""
    letters = (
        f"letter {letters_used[0]}"
        if len(letters_used) == 1
        else f"letters {letters_used[0]} to {letters_used[-1]}"
    )
    return (
        f"ambiguous {letters}: A can be 1 or 10, and no digits decide;"
        f" write numbers, or convert it with --from {LETTERS_FROM_ONE.name}"
    )


def _fits_hexadecimal(text: str) -> bool:
    """Whether a 16x16 grid contains 0, but never twice in a row or column, and no G. Dots are empty
    cells if all of 0 to F occur; otherwise both 0 and a dot could mean an empty cell.
    """
    rows = _rows_of(text, {*HEXADECIMAL, "."})
    signs = {cell for row in rows for cell in row}
    return (
        len(rows) == len(HEXADECIMAL)
        and "0" in signs
        and ("." not in signs or signs >= {*HEXADECIMAL})
        and all(line.count("0") <= 1 for line in (*rows, *zip(*rows, strict=True)))
    )


def _read(text: str, name: str, signs: str, numbers: range = range(0)) -> Puzzle:
    """The grid in which these symbols are these numbers, or 1 to n. Raises PuzzleError."""
    first = min(numbers, default=1)
    lines = content_lines(text, name)
    rows: list[GridRow] = grid_rows(lines) if lines else []
    if not rows:
        raise PuzzleError("no grid found", name)
    known = signs[: len(rows)]
    cells = [(row.line, cell.upper()) for row in rows for cell in row.cells]
    for index, (line, cell) in enumerate(cells):
        if cell not in EMPTY | {*known}:
            raise line.error(
                f"invalid symbol {quote(cell)} in {cell_name(index, len(rows))}: this grid contains"
                f" {known[0]} to {known[-1]}, or . for an empty cell"
            )
    grid = to_rows([known.index(cell) + first if cell in known else None for _, cell in cells])
    return Puzzle(grid, drawn_box_shape(lines), numbers=numbers)


def _write(puzzle: Puzzle, signs: str, first: int) -> str:
    cells = cells_of(puzzle, lambda number: signs[number - first])
    return "".join("".join(row) + "\n" for row in to_rows(cells))


def _fits_pairs(text: str) -> bool:
    """Whether the text is one line with two digits or dots for each of n² cells, n at least 10."""
    lines = content_lines(text)
    size = round((len(lines[0].content.strip()) / 2) ** 0.5) if len(lines) == 1 else 0
    whole = FIRST_LETTER <= size <= LARGEST and 2 * size * size == len(lines[0].content.strip())
    return whole and PAIRS.fullmatch(lines[0].content.strip()) is not None


def _read_pairs(text: str, name: str) -> list[Puzzle]:
    lines = content_lines(text, name)
    if not _fits_pairs(text):
        raise PuzzleError(
            "expected one line with two digits per cell, e.g. 0107..12, for a 10x10 grid or larger",
            name,
        )
    cells = re.findall("..", lines[0].content.strip())
    return [Puzzle(grid_of([cell.strip(".").lstrip("0") or "." for cell in cells], lines[0]))]


LETTERS_FROM_ONE = Format(
    "letters",
    "one letter per cell, A for 1",
    fits_letters,
    lambda text, name: [_read(text, name, LETTERS)],
    partial(_write, signs=LETTERS, first=1),
    kinds=(PLAIN,),
    sizes=range(FIRST_LETTER, len(LETTERS) + 1),
    ambiguity=_ambiguity_of_letters,
)
HEX = Format(
    "hexadecimal",
    "16x16 with the numbers 0 to F",
    _fits_hexadecimal,
    lambda text, name: [_read(text, name, HEXADECIMAL, range(len(HEXADECIMAL)))],
    partial(_write, signs=HEXADECIMAL, first=0),
    kinds=(PLAIN,),
    sizes=range(16, 17),
    numbers=range(16),
)
PAIRED_DIGITS = Format(
    "pairs",
    "two digits per cell, on one line",
    _fits_pairs,
    _read_pairs,
    lambda puzzle: "".join(cells_of(puzzle, "{:02}".format, "..")) + "\n",
    kinds=(PLAIN,),
    sizes=range(FIRST_LETTER, LARGEST + 1),
)
