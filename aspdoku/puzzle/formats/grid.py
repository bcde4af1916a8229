"""The numbers of a grid."""

from __future__ import annotations

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.cells import EMPTY, Row, drawn_box, rows_of
from aspdoku.puzzle.formats.lines import Line, shown
from aspdoku.puzzle.formats.value import is_digits
from aspdoku.puzzle.puzzle import LARGEST_SIZE, Grid, said

FIRST_LETTER = 10  # A stands for ten, as in the digits of base 36


def read(lines: list[Line], numbers: range = range(0)) -> Grid:
    """The grid that these lines draw, with these numbers, 1 to n where they are not said.

    Raises PuzzleError where they draw none, or a cell holds no number of it.
    """
    rows = rows_of(lines)
    size = len(rows)
    if size > LARGEST_SIZE:
        raise rows[0].line.error(f"the grid is {size}x{size}; the largest possible is {LARGEST_SIZE}x{LARGEST_SIZE}")
    taken = numbers or range(1, size + 1)
    if 0 not in taken:
        _refuse_two_zeros(rows)
    called = "this puzzle" if numbers else f"a {size}x{size} grid"
    return tuple(
        tuple(_number(cell, taken, f"r{row}c{column}", line, called) for column, cell in enumerate(cells, 1))
        for row, (line, cells) in enumerate(rows, 1)
    )


def box(lines: list[Line]) -> tuple[int, int] | None:
    """The shape of the boxes that rulings draw in a grid, if they draw any."""
    return drawn_box(lines, rows_of(lines))


def letter(cell: str) -> int | None:
    """The number that a letter stands for, small or capital; None for anything else."""
    # str.isalpha alone would let in such letters as a dotless i, which is no digit of base 36.
    return int(cell, 36) if len(cell) == 1 and cell.isascii() and cell.isalpha() else None


def _number(cell: str, numbers: range, where: str, line: Line, called: str) -> int | None:
    if cell == "0" and 0 in numbers:
        return 0
    if cell in EMPTY:
        return None
    number = letter(cell)
    # Long digits are not worth a conversion, and Python refuses the very long ones.
    if is_digits(cell) and not cell.startswith("0") and len(cell) <= len(str(LARGEST_SIZE)):
        number = int(cell)
    if number is None or number not in numbers:
        raise _no_number(cell, numbers, where, line, called)
    return number


def _no_number(cell: str, numbers: range, where: str, line: Line, called: str) -> PuzzleError:
    number = letter(cell)
    found = cell if is_digits(cell) and len(cell) < 10 else shown(cell)
    meaning = f", which stands for {number}" if number else ""
    letters = f", {_letters(numbers[-1])}" if numbers[-1] >= FIRST_LETTER else ""
    return line.error(f"{where} holds {found}{meaning}; {called} takes {said(numbers)}{letters}, or . for an empty cell")


def _letters(greatest: int) -> str:
    last = min(greatest, FIRST_LETTER + 25)
    return f"A to {chr(ord('A') + last - FIRST_LETTER)} for {FIRST_LETTER} to {last}"


def _refuse_two_zeros(rows: list[Row]) -> None:
    """Raise PuzzleError where 0 may be the number zero, as in grids in base 16, and would be lost as an empty cell."""
    signs = {cell for row in rows for cell in row.cells}
    others = sorted((signs & EMPTY) - {"0"})
    if "0" in signs and others and any(letter(sign) for sign in signs):
        line = next(row.line for row in rows if "0" in row.cells)
        raise line.error(
            f"beside letters, 0 and {others[0]} both stand for an empty cell here, or 0 is meant as a number: "
            "numbers start at 1, so write . in every empty cell"
        )
