"""Grids with other symbols than digits and letters from ten on.

Letters from A for 1, hexadecimal digits 0 to F for 0 to 15, or two digits per cell.
"""

from __future__ import annotations

import re
import string

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    LARGEST,
    PLAIN,
    Format,
    cell_name,
    content_lines,
    grid_of,
    require_representable,
    to_rows,
)
from aspdoku.puzzle.puzzle import Grid, Puzzle
from aspdoku.puzzlefile import grid
from aspdoku.puzzlefile.grid import EMPTY, TO_ASCII, GridRow, grid_rows
from aspdoku.puzzlefile.lines import quote

LETTERS = string.ascii_uppercase
HEXADECIMAL = string.digits + LETTERS[:6]
FIRST_LETTER = 10
MAX_TYPOS = 2  # letters that may be typos
SEPARATOR_CHARACTERS = frozenset("|+=- \t\n")
PAIRS = re.compile(r"(?:[0-9]{2}|\.\.)+")


def fits_letters(text: str) -> bool:
    """Whether the grid contains only letters, of the first n of the alphabet.

    There must be more than a few, or they could be numbers from ten on as well.
    """
    found = _symbols(text)
    rows = (
        _rows(text)
        if found & {*LETTERS} and found <= {*LETTERS} | EMPTY | SEPARATOR_CHARACTERS
        else []
    )
    letters, empty = {*_cell_symbols(rows)} - EMPTY, {*_cell_symbols(rows)} & EMPTY
    from_ten = {*LETTERS[: max(0, len(rows) - FIRST_LETTER + 1)]}
    significant = len(letters) > MAX_TYPOS or (
        letters and letters <= from_ten and not ("0" in empty and len(empty) > 1)
    )
    return bool(from_ten and significant) and letters <= {*LETTERS[: len(rows)]}


def ambiguity_of_letters(text: str) -> str:
    """A message if the letters could also be numbers from A for 10 on; otherwise empty."""
    rows = _rows(text)
    found = sorted({*_cell_symbols(rows)} - EMPTY)
    if not found or LETTERS.index(found[-1]) + FIRST_LETTER > len(rows):
        return ""
    letters = f"letter {found[0]}" if len(found) == 1 else f"letters {found[0]} to {found[-1]}"
    return (
        f"ambiguous {letters}: A can be 1 or 10, and no digits decide;"
        f" write numbers, or convert it with --from {LETTERS_FROM_ONE.name}"
    )


def read_letters(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    return [
        Puzzle(_grid(text, name, LETTERS, first=1), grid.drawn_box_shape(content_lines(text, name)))
    ]


def write_letters(puzzle: Puzzle) -> str:
    """The grid with A for 1 and so on.

    Raises PuzzleError for anything but an ordinary sudoku from 10x10 to 26x26.
    """
    require_representable(
        puzzle, PLAIN, LETTERS_FROM_ONE.name, largest=len(LETTERS), least=FIRST_LETTER
    )
    return "".join(
        "".join("." if each is None else LETTERS[each - 1] for each in row) + "\n"
        for row in puzzle.grid
    )


def fits_hexadecimal(text: str) -> bool:
    """Whether a 16x16 grid contains 0, but never twice in a row or column, and no G.

    Dots are empty cells if all of 0 to F occur; otherwise both 0 and a dot could mean an empty
    cell.
    """
    found = _symbols(text)
    dots = {"."} if found >= {*HEXADECIMAL} else set()
    rows = (
        _rows(text)
        if "0" in found and found <= {*HEXADECIMAL} | SEPARATOR_CHARACTERS | dots
        else []
    )
    cells = [[cell.upper() for cell in row.cells] for row in rows]
    lines = [*cells, *map(list, zip(*cells, strict=True))]
    return (
        len(rows) == len(HEXADECIMAL)
        and "0" in _cell_symbols(rows)
        and {*_cell_symbols(rows)} <= {*HEXADECIMAL} | dots
        and all(line.count("0") <= 1 for line in lines)
    )


def read_hexadecimal(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text, with the numbers 0 to 15. Raises PuzzleError."""
    return [
        Puzzle(
            _grid(text, name, HEXADECIMAL, first=0),
            grid.drawn_box_shape(content_lines(text, name)),
            numbers=range(len(HEXADECIMAL)),
        )
    ]


def write_hexadecimal(puzzle: Puzzle) -> str:
    """The grid with 0 to F.

    Raises PuzzleError for anything but an ordinary 16x16 sudoku with the numbers 0 to 15.
    """
    require_representable(puzzle, PLAIN, HEX.name, largest=16, least=16, first=0)
    return "".join(
        "".join("." if each is None else HEXADECIMAL[each] for each in row) + "\n"
        for row in puzzle.grid
    )


def fits_pairs(text: str) -> bool:
    """Whether the text is one line with two digits or dots for each of n² cells, n at least 10."""
    lines = content_lines(text)
    size = round((len(lines[0].content.strip()) / 2) ** 0.5) if len(lines) == 1 else 0
    whole = FIRST_LETTER <= size <= LARGEST and 2 * size * size == len(lines[0].content.strip())
    return whole and PAIRS.fullmatch(lines[0].content.strip()) is not None


def read_pairs(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    lines = content_lines(text, name)
    if not fits_pairs(text):
        raise PuzzleError(
            "expected one line with two digits per cell, e.g. 0107..12, for a 10x10 grid or larger",
            name,
        )
    cells = re.findall("..", lines[0].content.strip())
    return [Puzzle(grid_of(["." if cell in ("..", "00") else cell for cell in cells], lines[0]))]


def write_pairs(puzzle: Puzzle) -> str:
    """The grid on one line. Raises PuzzleError unless it is an ordinary sudoku, 10x10 or larger."""
    require_representable(puzzle, PLAIN, PAIRED_DIGITS.name, least=FIRST_LETTER)
    return (
        "".join(".." if each is None else f"{each:02}" for row in puzzle.grid for each in row)
        + "\n"
    )


def _symbols(text: str) -> set[str]:
    """All characters of the text, with letters in upper case and box drawing as ASCII."""
    return {
        sign for line in content_lines(text) for sign in line.content.translate(TO_ASCII).upper()
    }


def _rows(text: str, name: str = "") -> list[GridRow]:
    """The rows of the grid; empty if the text is not a grid."""
    try:
        return grid_rows(content_lines(text, name))
    except (PuzzleError, IndexError):
        return []


def _cell_symbols(rows: list[GridRow]) -> str:
    """The characters of the cells; empty if a cell has several."""
    if any(len(cell) > 1 for row in rows for cell in row.cells):
        return ""
    return "".join(cell for row in rows for cell in row.cells).upper()


def _grid(text: str, name: str, signs: str, first: int) -> Grid:
    """The grid in which these symbols are the numbers from `first` on. Raises PuzzleError."""
    lines = content_lines(text, name)
    rows = grid_rows(lines) if lines else []
    if not rows:
        raise PuzzleError("no grid found", name)
    numbers: list[int | None] = []
    for index, (line, cell) in enumerate(
        (row.line, cell.upper()) for row in rows for cell in row.cells
    ):
        known = signs[: len(rows)]
        if cell not in EMPTY | {*known}:
            where = cell_name(index, len(rows))
            raise line.error(
                f"invalid symbol {quote(cell)} in {where}: this grid contains {known[0]} to"
                f" {known[-1]}, or . for an empty cell"
            )
        numbers.append(known.index(cell) + first if cell in known else None)
    return to_rows(numbers)


LETTERS_FROM_ONE = Format(
    "letters",
    "one letter per cell, A for 1",
    fits_letters,
    read_letters,
    write_letters,
    ambiguity=ambiguity_of_letters,
)
HEX = Format(
    "hexadecimal",
    "16x16 with the numbers 0 to F",
    fits_hexadecimal,
    read_hexadecimal,
    write_hexadecimal,
)
PAIRED_DIGITS = Format(
    "pairs", "two digits per cell, on one line", fits_pairs, read_pairs, write_pairs
)
