"""The numbers of a grid."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from itertools import accumulate
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import LARGEST_SIZE, Grid, format_range
from aspdoku.puzzlefile.lines import Line, counted, shown
from aspdoku.puzzlefile.value import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_LETTER = 10  # A stands for ten, as in the digits of base 36


def read(lines: list[Line], numbers: range = range(0)) -> Grid:
    """The grid that these lines draw, with these numbers, 1 to n where they are not said.

    Raises PuzzleError where they draw none, or a cell holds no number of it.
    """
    rows = rows_of(lines)
    size = len(rows)
    if size > LARGEST_SIZE:
        raise rows[0].line.error(
            f"the grid is {size}x{size}; the largest possible is {LARGEST_SIZE}x{LARGEST_SIZE}"
        )
    taken = numbers or range(1, size + 1)
    if 0 not in taken:
        _refuse_two_zeros(rows)
    called = "this puzzle" if numbers else f"a {size}x{size} grid"
    return tuple(
        tuple(
            _number(cell, taken, f"r{row}c{column}", line, called)
            for column, cell in enumerate(cells, 1)
        )
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
    return line.error(
        f"{where} holds {found}{meaning}; {called} takes {format_range(numbers)}{letters}, or . for"
        " an empty cell"
    )


def _letters(greatest: int) -> str:
    last = min(greatest, FIRST_LETTER + 25)
    return f"A to {chr(ord('A') + last - FIRST_LETTER)} for {FIRST_LETTER} to {last}"


def _refuse_two_zeros(rows: list[Row]) -> None:
    """Raise PuzzleError where 0 may be the number zero, as in grids in base 16, and would be lost
    as an empty cell.
    """
    signs = {cell for row in rows for cell in row.cells}
    others = sorted((signs & EMPTY) - {"0"})
    if "0" in signs and others and any(letter(sign) for sign in signs):
        line = next(row.line for row in rows if "0" in row.cells)
        raise line.error(
            f"beside letters, 0 and {others[0]} both stand for an empty cell here, or 0 is meant as"
            " a number: numbers start at 1, so write . in every empty cell"
        )


EMPTY = frozenset(".0_-*")
RULING = re.compile(r"[-=+|*\s\u2500-\u257f]*")

BOX_DRAWING = range(0x2500, 0x2580)
HORIZONTAL = "─━┄┅┈┉╌╍═╴╶╸╺╼╾"
VERTICAL = "│┃┆┇┊┋╎╏║╵╷╹╻╽╿"
TO_ASCII = (
    dict.fromkeys(BOX_DRAWING, "+")
    | dict.fromkeys(map(ord, HORIZONTAL), "-")
    | dict.fromkeys(map(ord, VERTICAL), "|")
)
TO_BLANK = str.maketrans("|+", "  ")

# Rulings included, a drawing of the largest grid has far fewer lines.
MOST_LINES = 1000

# From 16 cells on, a line that holds a square number of them can be a whole puzzle; nobody plays
# 3x3.
SMALLEST_PUZZLE_IN_A_LINE = 16


class Row(NamedTuple):
    """The cells of a row as they are written, and the line where they stand."""

    line: Line
    cells: list[str]


def unruled(line: Line) -> str:
    """The line with blanks for its vertical rulings; every character keeps its column."""
    return line.content.translate(TO_ASCII).translate(TO_BLANK)


def may_be_ruling(line: Line) -> bool:
    """Whether the line holds no sign but such as rulings are drawn with."""
    return RULING.fullmatch(line.content) is not None


def must_be_ruling(line: Line) -> bool:
    """Whether the line is a ruling beyond doubt.

    Not all of its signs could be empty cells or stand between such.
    """
    if not may_be_ruling(line):
        return False
    signs = {*line.content.translate(TO_ASCII)}
    return "=" in signs or "+" in signs or not signs & EMPTY


def by_blanks(text: str) -> list[str]:
    """Cells with blanks between them, each of one character or more."""
    return text.split()


def by_character(text: str) -> list[str]:
    """Cells of one character each, blanks ignored."""
    return list("".join(text.split()))


def rows_of(lines: list[Line]) -> list[Row]:
    """The n rows of n cells that the lines draw; one line of n * n cells is a grid as well.

    Raises PuzzleError.
    """
    if len(lines) > MOST_LINES:
        raise lines[MOST_LINES].error(
            f"{len(lines)} lines cannot be one grid, which has at most {LARGEST_SIZE} rows; several"
            " puzzles in a file are grids of one size, or lines with the same number of cells"
        )
    drawn = [line for line in lines if not must_be_ruling(line)]
    if not drawn:
        raise lines[0].error("there is no grid in it, only rulings")
    rows = (
        _square(drawn, by_blanks, least=2)
        or _square(drawn, by_character, least=1)
        or _in_one_line(drawn)
    )
    if not rows:
        raise _misfit(drawn)
    return rows


def _certain(lines: list[Line]) -> list[Line]:
    """The lines that are rows beyond doubt; all where none is."""
    return [line for line in lines if not may_be_ruling(line)] or lines


def _square(lines: list[Line], split: Callable[[str], list[str]], least: int) -> list[Row]:
    """The rows, if so split there are as many as each has cells, and at least `least`.

    Else nothing.
    """
    rows = [Row(line, split(unruled(line))) for line in lines]
    certain = [row for row in rows if not may_be_ruling(row.line)]
    widths = {len(row.cells) for row in certain or rows}
    if certain and len(widths) > 1:
        return []
    for width in sorted(widths, reverse=True):
        wide = [row for row in rows if len(row.cells) == width]
        for chosen in (certain, wide):
            if len(chosen) == width >= least:
                return chosen
    return []


def _in_one_line(lines: list[Line]) -> list[Row]:
    """The rows, if there is one line and it holds n * n cells; else nothing."""
    certain = _certain(lines)
    if len(certain) != 1:
        return []
    cells = _cells_of_all(certain[0])
    size = isqrt(len(cells))
    if size * size != len(cells):
        return []
    return [Row(certain[0], cells[start : start + size]) for start in range(0, len(cells), size)]


def _cells_of_all(line: Line) -> list[str]:
    """The cells of a line that holds all of them.

    What stands between blanks, if that can be cells, else characters.

    The four cells of a 2x2 grid could not hold `1234 3412 2143 4321`, so these are the sixteen of a
    4x4 grid.
    """
    cells = by_blanks(unruled(line))
    return cells if len(cells) > 1 and _may_be_cells(cells) else by_character(unruled(line))


def _may_be_cells(words: list[str]) -> bool:
    longest = len(str(LARGEST_SIZE))
    return all(len(word) == 1 or (is_digits(word) and len(word) <= longest) for word in words)


def _misfit(drawn: list[Line]) -> PuzzleError:
    """What to say of lines that are no grid.

    The strange character, else the count that does not fit.
    """
    lines = _certain(drawn)
    for line in lines:
        for sign in by_character(unruled(line)):
            if not (sign.isascii() and sign.isalnum()) and sign not in EMPTY:
                return line.error(
                    f"{shown(sign)} cannot stand in a grid: a cell is a number, a letter or . for"
                    " empty"
                )
    if len(lines) == 1:
        number = counted(len(_cells_of_all(lines[0])), "cell")
        return lines[0].error(
            f"{number} in one line are no grid: a 4x4 grid takes 16, a 6x6 grid 36, a 9x9 grid 81"
        )
    characters = [len(by_character(unruled(line))) for line in lines]
    words = [by_blanks(unruled(line)) for line in lines]
    splits = (
        [characters] if not all(map(_may_be_cells, words)) else [list(map(len, words)), characters]
    )
    widths = min(splits, key=lambda widths: abs(_common(widths) - len(lines)))
    if len(set(widths)) > 1:
        return _odd_row(lines, widths)
    return _several(lines, characters) or _odd_number(lines, widths[0], len(drawn) - len(lines))


def _common(widths: list[int]) -> int:
    return Counter(widths).most_common(1)[0][0]


def _several(rows: list[Line], widths: list[int]) -> PuzzleError | None:
    """The complaint, if each line is a puzzle of its own, or several whole grids stand one below
    the other.
    """
    width, height = widths[0], len(rows)
    if len(set(widths)) > 1:
        return None
    whole = isqrt(width) ** 2 == width >= SMALLEST_PUZZLE_IN_A_LINE
    if whole and not width // 2 < height <= width:
        return rows[1].error(
            f"the file seems to hold {height} puzzles, one a line with {width} cells; one is"
            " expected"
        )
    if height > width > 1 and height % width == 0:
        number = height // width
        return rows[width].error(
            f"the file seems to hold {number} puzzles, each {width}x{width}; one is expected"
        )
    return None


def _odd_row(rows: list[Line], widths: list[int]) -> PuzzleError:
    common = _common(widths)
    odd = [number for number, width in enumerate(widths) if width != common]
    others = "the other rows have" if len(odd) == 1 else "most rows have"
    first = odd[0]
    return rows[first].error(
        f"row {first + 1} has {counted(widths[first], 'cell')}, {others} {common}"
    )


def _odd_number(rows: list[Line], width: int, doubtful: int) -> PuzzleError:
    height = len(rows)
    line = rows[width] if height > width else rows[-1]
    each = f"{counted(height, 'row')} of {counted(width, 'cell')}"
    lines = (
        f"{counted(doubtful, 'line')} of dashes could be rows or rulings: write . for an empty cell"
    )
    hint = f" ({lines})" if doubtful and height < width else ""
    return line.error(f"the grid has {each}: it needs as many rows as cells in a row{hint}")


def drawn_box(lines: list[Line], rows: list[Row]) -> tuple[int, int] | None:
    """Rows and columns of a box, if lines between the rows and bars in them draw boxes of n cells.

    Otherwise None.

    Rulings in one direction are enough. Rulings around every cell draw no boxes.
    """
    size = len(rows)
    numbers = [row.line.number for row in rows]
    if len(set(numbers)) < size:
        return None
    bars = _bars(rows[0])
    if any(_bars(row) != bars for row in rows):
        return None
    across = {bisect(numbers, line.number) for line in lines if line.number not in numbers}
    height, width = _distance(across, size), _distance(bars, size)
    shape = (
        (size // max(width, 1) if height == size else height),
        (size // max(height, 1) if width == size else width),
    )
    return shape if min(shape) > 1 and shape[0] * shape[1] == size else None


def _bars(row: Row) -> set[int]:
    """How many cells of a row stand before each of its vertical rulings."""
    parts = row.line.content.translate(TO_ASCII).replace("+", "|").split("|")
    for split in (by_blanks, by_character):
        counts = [len(split(part)) for part in parts]
        if sum(counts) == len(row.cells):
            return set(accumulate(counts))
    return set()


def _distance(places: set[int], size: int) -> int:
    """The distance between rulings at these places.

    The size if there are none inside, 0 if they are not evenly spaced.
    """
    inside = places - {0, size}
    least = min(inside, default=size)
    return least if inside == set(range(least, size, least)) else 0
