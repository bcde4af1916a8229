"""Parser for a grid of numbers, drawn with or without separators, or on one line."""

from __future__ import annotations

import re
import string
from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from math import isqrt
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import LARGEST_SIZE, Grid, format_range
from aspdoku.puzzlefile.lines import Line, is_digits, pluralize, quote

FIRST_LETTER = 10  # A stands for ten, as in the digits of base 36


def parse_grid(
    lines: list[Line], numbers: range = range(0), unused: str = "", size: int = 0
) -> Grid:
    """Parse the lines of a grid whose cells hold these numbers, by default 1 to n.

    unused: the sign of a cell that is not used, if there can be any
    size: the number of rows, if it is known
    Raises PuzzleError if the lines are not a grid, or a cell is not one of the numbers.
    """
    rows = grid_rows(lines, unused, size)
    size = len(rows)
    if size > LARGEST_SIZE:
        raise rows[0].line.error(
            f"the grid is {size}x{size}; the largest possible is {LARGEST_SIZE}x{LARGEST_SIZE}"
        )
    allowed = numbers or range(1, size + 1)
    if 0 not in allowed:
        _reject_ambiguous_zero(rows)
    called = "this puzzle" if numbers else ""
    return tuple(
        tuple(
            None
            if cell == unused
            else cell_number(cell, allowed, f"r{row}c{column}", line, called, unused)
            for column, cell in enumerate(cells, 1)
        )
        for row, (line, cells) in enumerate(rows, 1)
    )


def drawn_box_shape(lines: list[Line]) -> tuple[int, int] | None:
    """The shape of the boxes that separators draw in a grid, if any."""
    return box_shape_of_separators(lines, grid_rows(lines))


def letter_value(cell: str) -> int | None:
    """The value of a letter of either case as a digit of base 36; None for anything else."""
    # str.isalpha alone would accept letters such as a dotless i, which is not a digit of base 36.
    return int(cell, 36) if len(cell) == 1 and cell.isascii() and cell.isalpha() else None


def counts(labels: list[str]) -> bool:
    """Whether these are the numbers from 0 or 1, or the letters from A."""
    numbers = ([str(at + first) for at in range(len(labels))] for first in (0, 1))
    return [*map(str.upper, labels)] in (*numbers, [*string.ascii_uppercase[: len(labels)]])


def plain_cell(cell: str) -> str:
    """A cell as programs for tables of numbers write it, `3.0` or `nan`, as 3 or a dot."""
    number = FLOAT.fullmatch(cell)
    return "." if cell in NO_NUMBER else number[1] if number else cell


def cell_number(
    cell: str, numbers: range, where: str, line: Line, called: str = "", unused: str = ""
) -> int | None:
    """The number in a cell, in digits or as a letter from ten on; None for an empty cell.

    called: what has these numbers, if not a grid of as many rows
    unused: the sign of a cell that is not used, if there can be any
    Raises PuzzleError for anything else.
    """
    if cell == "0" and 0 in numbers:
        return 0
    cell = plain_cell(cell)
    if cell in EMPTY:
        return None
    number = letter = letter_value(cell)
    # Only short digit strings are converted: Python refuses very long ones.
    if is_digits(cell) and not cell.startswith("0") and len(cell) <= len(str(LARGEST_SIZE)):
        number = int(cell)
    if number is not None and number in numbers:
        return number
    shown = cell if is_digits(cell) and len(cell) < 10 else quote(cell)
    meaning = f" (which means {letter})" if letter else ""
    last = min(numbers[-1], FIRST_LETTER + 25)
    letters = f", A to {chr(ord('A') + last - FIRST_LETTER)} for {FIRST_LETTER} to {last}"
    other = f", {unused} for one that is not used" if unused and not is_digits(cell) else ""
    raise line.error(
        f"invalid number {shown}{meaning} in {where}:"
        f" {called or f'a {len(numbers)}x{len(numbers)} grid'} contains {format_range(numbers)}"
        f"{letters if last >= FIRST_LETTER else ''}, or . for an empty cell{other}"
    )


def _reject_ambiguous_zero(rows: list[GridRow]) -> None:
    """Raise PuzzleError if 0 may be a number, as in hexadecimal grids, or an empty cell."""
    signs = {cell for row in rows for cell in row.cells}
    others = sorted((signs & EMPTY) - {"0"})
    if "0" in signs and others and any(letter_value(sign) for sign in signs):
        line = next(row.line for row in rows if "0" in row.cells)
        raise line.error(
            f"ambiguous 0 in a grid with letters: 0 and {others[0]} both mean an empty cell, or 0"
            " is a number; write . in every empty cell"
        )


EMPTY = frozenset(".0_-*")
NO_NUMBER = frozenset(("nan", "NaN", "None", "null", "false", "False"))
FLOAT = re.compile(r"([0-9]{1,3})\.0*")
FRAME = "*-_"  # signs of empty cells that frames are drawn with
RULE = re.compile(r"(?=.*\|)[\s|]*+:?-[\s|:-]*+")  # below the names in a table of Markdown
SHAPE = re.compile(r"\s*[0-9]{1,2} ?[xX] ?[0-9]{1,2}")
GAP = re.compile(r"([\s|+]*)[^\s|+]")
SEPARATOR = re.compile(r"[-=+:|*\s\u2500-\u257f]*")  # a colon in a table of Markdown

BOX_DRAWING = range(0x2500, 0x2580)
HORIZONTAL = "─━┄┅┈┉╌╍═╴╶╸╺╼╾"
VERTICAL = "│┃┆┇┊┋╎╏║╵╷╹╻╽╿"
TO_ASCII = (
    dict.fromkeys(BOX_DRAWING, "+")
    | dict.fromkeys(map(ord, HORIZONTAL), "=")  # not a dash, which can be an empty cell
    | dict.fromkeys(map(ord, VERTICAL), "|")
)
TO_BLANK = str.maketrans("|+", "  ")

# Separators included, a drawing of the largest grid has far fewer lines.
MAX_GRID_LINES = 1000

# From 16 cells on, a line with a square number of cells may be a whole puzzle; 3x3 is not played.
MIN_CELLS_IN_ONE_LINE = 16


class GridRow(NamedTuple):
    """The cells of a row as text, and their line."""

    line: Line
    cells: list[str]


def without_bars(line: Line) -> str:
    """The line with its vertical separators blanked out; every character keeps its column."""
    return line.content.translate(TO_ASCII).translate(TO_BLANK)


def may_be_separator(line: Line) -> bool:
    """Whether the line contains only characters that separators are drawn with."""
    return SEPARATOR.fullmatch(line.content) is not None


def must_be_separator(line: Line) -> bool:
    """Whether the line is certainly a separator: some character cannot be part of a row."""
    if not may_be_separator(line):
        return False
    signs = {*line.content.translate(TO_ASCII)}
    return bool(signs & {*"=+:"}) or not signs & EMPTY


def split_characters(text: str) -> list[str]:
    """Cells of one character each, ignoring blanks."""
    return list("".join(text.split()))


def grid_rows(lines: list[Line], unused: str = "", known: int = 0) -> list[GridRow]:
    """The n rows of n cells in these lines, which may also be one line of n * n cells.

    unused: a sign that cells may have in addition to the usual ones
    known: the number of rows, if it is known
    Raises PuzzleError if the lines are not a grid.
    """
    if len(lines) > MAX_GRID_LINES:
        raise lines[MAX_GRID_LINES].error(
            f"{len(lines)} lines are too many for one grid, which has at most {LARGEST_SIZE} rows;"
            " several puzzles in a file must be grids of one size, or lines with the same number of"
            " cells"
        )
    drawn = [line for line in lines if not must_be_separator(line)]
    if not drawn:
        raise lines[0].error("no grid found, only separator lines")
    rows = (
        _square_rows(drawn, str.split, least=2)
        or _square_rows(drawn, split_characters, least=1)
        or _single_line_rows(drawn, known)
    )
    if not rows:
        raise _grid_error(drawn, unused)
    _require_even_blanks(rows)
    _require_no_frame(rows)
    return rows


def _require_even_blanks(rows: list[GridRow]) -> None:
    """Raise PuzzleError if blanks between cells of one character are at different places in
    different rows, and can therefore be empty cells, since no other sign is one.
    """
    if any(len(cell) > 1 or cell in EMPTY for row in rows for cell in row.cells):
        return
    gaps = [gap for line in dict.fromkeys(row.line for row in rows) for gap in _gaps(line)]
    size = len(rows)
    for at, gap in enumerate(gaps):
        above = gaps[at % size] if at % size else gaps[min(size, len(gaps) - 1)]
        if at and -1 not in (gap, above) and gap != above:  # the first row may have no indent
            raise rows[at // size].line.error(
                f"ambiguous blanks in row {at // size + 1}: they are at other places than in the"
                " rows above, and can be empty cells; write . in every empty cell"
            )


def _gaps(line: Line) -> list[int]:
    """The number of blanks before each character; -1 if a separator is among them."""
    text = line.content.translate(TO_ASCII).lstrip("\f").expandtabs()
    return [-1 if {*gap} & {*"|+"} else len(gap) for gap in GAP.findall(text)]


def _require_no_frame(rows: list[GridRow]) -> None:
    """Raise PuzzleError if the cells at the edges can be a frame around a smaller grid."""
    first, last = rows[0].cells, rows[-1].cells
    sides = {cell for _, cells in rows for cell in (cells[0], cells[-1])}
    signs = {*first, *last} | sides
    if len(signs) == 1 and signs <= {*FRAME} and any({*cells} - EMPTY for _, cells in rows):
        (sign,) = signs
        size = len(rows)
        raise rows[0].line.error(
            f"ambiguous {sign} in all cells at the edges: empty cells of a {size}x{size} grid, or a"
            f" frame around a {size - 2}x{size - 2} grid; write . in every empty cell, and delete a"
            " frame"
        )


def _certain(lines: list[Line]) -> list[Line]:
    return [line for line in lines if not may_be_separator(line)] or lines


def _square_rows(lines: list[Line], split: Callable[[str], list[str]], least: int) -> list[GridRow]:
    """The rows, split in this way, if they form a square of at least `least` rows; else nothing."""
    rows = [GridRow(line, split(without_bars(line))) for line in lines]
    certain = [row for row in rows if not may_be_separator(row.line)]
    if certain:  # a line of as many of the signs that are in the cells is no separator
        signs, cells = {cell for row in certain for cell in row.cells}, len(certain[0].cells)
        certain = [
            row
            for row in rows
            if not may_be_separator(row.line)
            or (len(row.cells) == cells and signs.issuperset(row.cells))
        ]
    widths = {len(row.cells) for row in certain or rows}
    if certain and len(widths) > 1:
        return []
    for width in sorted(widths, reverse=True):
        wide = [row for row in rows if len(row.cells) == width]
        for chosen in (certain, wide):
            if len(chosen) == width >= least:
                return chosen
    return []


def _single_line_rows(lines: list[Line], known: int) -> list[GridRow]:
    certain = _certain(lines)
    if len(certain) != 1 or len(lines) > 3:  # a frame has one line above the grid and one below it
        return []
    cells = _single_line_cells(certain[0])
    size = isqrt(len(cells))
    if size * size != len(cells) or (size != known and len(cells) < MIN_CELLS_IN_ONE_LINE):
        return []
    return [
        GridRow(certain[0], cells[start : start + size]) for start in range(0, len(cells), size)
    ]


def _single_line_cells(line: Line) -> list[str]:
    """The cells of a line that contains a whole grid. Words separated by blanks, if all of them can
    be cells, otherwise single characters: as 1234 is not a number of a 2x2 grid, `1234 3412 2143
    4321` are the sixteen cells of a 4x4 grid.
    """
    cells = without_bars(line).split()
    return (
        cells if len(cells) > 1 and _may_be_cells(cells) else split_characters(without_bars(line))
    )


def _may_be_cells(words: list[str]) -> bool:
    longest = len(str(LARGEST_SIZE))
    cells = map(plain_cell, words)
    return all(len(cell) == 1 or (is_digits(cell) and len(cell) <= longest) for cell in cells)


def _grid_error(drawn: list[Line], unused: str) -> PuzzleError:
    """The error for lines that are not a grid: an invalid character, otherwise a wrong count."""
    lines = _certain(drawn)
    for line in lines:
        if line.content.strip()[0] in "\"'":
            return line.error("quotation marks around a row of the grid: delete them")
        for sign in split_characters(line.content):
            if not (sign.isascii() and sign.isalnum()) and not {sign, sign.translate(TO_ASCII)} & (
                EMPTY | {unused, "|", "+"}
            ):
                return line.error(
                    f"invalid character {quote(sign)} in the grid: a cell is a number, a letter or"
                    f" . for empty{f', or {unused} if it is not used' if unused else ''}"
                )
    if len(lines) == 1 and SHAPE.fullmatch(lines[0].content):
        return lines[0].error(
            f"{lines[0].content.strip()} is a size, not a grid: write the cells of the grid, with ."
            " for an empty cell"
        )
    if len(lines) == 1:
        number = pluralize(len(_single_line_cells(lines[0])), "cell")
        return lines[0].error(
            f"{number} in one line do not form a grid: a 4x4 grid has 16, a 6x6 grid 36, a 9x9 grid"
            " 81"
        )
    characters = [len(split_characters(without_bars(line))) for line in lines]
    words = [without_bars(line).split() for line in lines]
    splits = (
        [characters] if not all(map(_may_be_cells, words)) else [list(map(len, words)), characters]
    )
    widths = min(splits, key=lambda widths: abs(max(widths, key=widths.count) - len(lines)))
    if len(set(widths)) > 1:
        return _row_length_error(lines, widths, unused)
    return _several_grids_error(lines, characters) or _row_count_error(
        lines, widths[0], len(drawn) - len(lines), unused
    )


def _several_grids_error(rows: list[Line], widths: list[int]) -> PuzzleError | None:
    width, height = widths[0], len(rows)
    if len(set(widths)) > 1:
        return None
    whole = isqrt(width) ** 2 == width >= MIN_CELLS_IN_ONE_LINE
    if whole and not width // 2 < height <= width:
        return rows[1].error(
            f"expected one puzzle; the file seems to contain {height}, one per line with"
            f" {width} cells"
        )
    if height > width > 1 and height % width == 0:
        number = height // width
        return rows[width].error(
            f"expected one puzzle; the file seems to contain {number}, each {width}x{width}"
        )
    return None


def _row_length_error(rows: list[Line], widths: list[int], unused: str) -> PuzzleError:
    common = max(widths, key=widths.count)
    odd = [number for number, width in enumerate(widths) if width != common]
    if counts(rows[0].content.split()) and counts([row.content.split()[0] for row in rows[1:]]):
        raise rows[0].error(
            "the first row and the first column seem to count the columns and the rows: delete them"
        )
    lengths = [len(row.text) for row in rows]
    at, longest = lengths.index(min(lengths)), max(lengths)
    if longest == len(rows) > lengths[at] and any(" " in row.text for row in rows):
        raise rows[at].error(
            f"row {at + 1} has {lengths[at]} characters of {longest}, and blanks seem to be empty"
            " cells: write . in every empty cell"
        )
    others = "the other rows have" if len(odd) == 1 else "most rows have"
    first = odd[0]
    hint = f" (if cells are not used, write {unused} in each of them)" if unused else ""
    return rows[first].error(
        f"row {first + 1} has {pluralize(widths[first], 'cell')}, {others} {common}{hint}"
    )


def _row_count_error(rows: list[Line], width: int, doubtful: int, unused: str) -> PuzzleError:
    height = len(rows)
    line = rows[width] if height > width else rows[-1]
    height += doubtful * (height == width)
    each = f"{pluralize(height, 'row')} of {pluralize(width, 'cell')}"
    dashes = pluralize(doubtful, "line")
    hint = f" ({dashes} of dashes could be rows or separator lines: write . for an empty cell)"
    if not doubtful or len(rows) > width:
        hint = f" (fill up a rectangle with {unused} for cells that are not used)" if unused else ""
    return line.error(f"the grid is not square: {each}{hint}")


def box_shape_of_separators(lines: list[Line], rows: list[GridRow]) -> tuple[int, int] | None:
    """Rows and columns of a box, if the separators draw boxes of n cells; otherwise None.
    Separators in one direction are enough. Separators around every cell do not draw boxes.
    """
    size = len(rows)
    numbers = [row.line.number for row in rows]
    if len(set(numbers)) < size:
        return None
    bars = _bars(rows[0])
    if any(_bars(row) != bars for row in rows):
        return None
    across = {bisect(numbers, line.number) for line in lines if line.number not in numbers}
    height, width = _separator_distance(across, size), _separator_distance(bars, size)
    shape = (
        (size // max(width, 1) if height == size else height),
        (size // max(height, 1) if width == size else width),
    )
    return shape if min(shape) > 1 and shape[0] * shape[1] == size else None


def _bars(row: GridRow) -> set[int]:
    """The number of cells to the left of each vertical separator of a row."""
    parts = row.line.content.translate(TO_ASCII).replace("+", "|").split("|")
    for split in (str.split, split_characters):
        counts = [len(split(part)) for part in parts]
        if sum(counts) == len(row.cells):
            return set(accumulate(counts))
    return set()


def _separator_distance(positions: set[int], size: int) -> int:
    """The distance between separators at these positions. The size if none lies inside the grid, 0
    if they are not evenly spaced.
    """
    inside = positions - {0, size}
    least = min(inside, default=size)
    return least if inside == set(range(least, size, least)) else 0
