"""Puzzles on one line: one character per cell, then optionally the solution, facts or a comment.

An empty cell is one of `. 0 _ - *`; in a grid of digits also x or X, or a blank. A comment starts
with `#`, `;` or `%`, or consists of words and numbers only: text with parentheses or other syntax
of logic programs is read as facts.

53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
............1... 3412214343211234  # easy
1...............  gt(1,2,1,1). gt(3,3,3,4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt
from typing import IO, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.puzzle import Grid, format_range
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile import facts
from aspdoku.puzzlefile.grid import EMPTY, MIN_CELLS_IN_ONE_LINE
from aspdoku.puzzlefile.lines import quote

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LARGEST = len(SYMBOLS)
_LONGEST = 1_000_000
CROSSED = re.compile(r"[1-9xX]+")  # x for an empty cell
SPACED = re.compile(r"(?=.*  )(?=.*[1-9])[0-9 ]*")  # a blank for an empty cell
COMMENTED = ("#", ";", "%")
_CELLS = re.compile(r"[0-9._*-]{4,}")
_COMMENT = re.compile(r"(?:#(?![a-z])|;|%(?!\*))\s*(.*)", re.DOTALL)
_FACTS = re.compile(r"_*[a-z][A-Za-z0-9_']*\s*[(.]|.*(?:[][(){}\"@\\]|:-|%\*|\#[a-z])", re.DOTALL)

_OTHER = 255
_NUMBERS = bytearray([_OTHER]) * 256
for _sign in EMPTY:
    _NUMBERS[ord(_sign)] = 0
for _number, _symbol in enumerate(SYMBOLS, 1):
    _NUMBERS[ord(_symbol)] = _NUMBERS[ord(_symbol.lower())] = _number
_SIGNS = b"." + SYMBOLS.encode() + b"?" * (255 - LARGEST)


class LineContent(NamedTuple):
    """The content of a line.

    numbers: the cells in reading order, 0 for an empty one
    unused: the indices of the cells that are marked as unused
    solution: the numbers of the solution that the line states, if it does
    """

    numbers: bytes
    facts: tuple[Function, ...]
    comment: str = ""
    unused: tuple[int, ...] = ()
    solution: bytes = b""


def parse_line(
    line: str, size: int, numbers: range = range(0), unused: str = ""
) -> LineContent | None:
    """Parse a line with a grid of `size` rows; None for a blank line or a comment.

    numbers: the numbers that a cell may hold, by default 1 to n
    unused: the sign of a cell that is not used, if there can be any
    Raises PuzzleError if the line has no puzzle or one of another size.
    """
    cells, rest = split_line(line)
    if not cells or cells.startswith(COMMENTED):
        return None
    allowed = numbers or range(1, size + 1)
    check_numbers(size, allowed)
    if len(line.rstrip("\r\n")) > _LONGEST:
        raise PuzzleError(f"line too long: more than {_LONGEST} characters")
    marked: tuple[int, ...] = ()
    if unused and unused in cells:
        marked = tuple(index for index, sign in enumerate(cells) if sign == unused)
        cells = cells.replace(unused, ".")
    found = cells.encode("latin-1", "replace").translate(_NUMBERS)
    if len(found) != size * size:
        raise PuzzleError(f"{len(found)} cells in the line; a {size}x{size} grid has {size * size}")
    least, greatest = allowed[0], allowed[-1]
    if max(found) > greatest or (least > 1 and any(0 < number < least for number in found)):
        index = next(index for index, number in enumerate(found) if number not in {0, *allowed})
        row, column = divmod(index, size)
        called = "this puzzle" if numbers else f"a {size}x{size} grid"
        raise PuzzleError(
            f"invalid number {quote(cells[index])} in r{row + 1}c{column + 1}: {called}"
            f" contains {least} to {SYMBOLS[greatest - 1]}, or . for an empty cell"
        )
    if "0" in cells and max(found) >= 10 and any(sign in cells for sign in EMPTY - {"0"}):
        raise PuzzleError(
            "ambiguous 0 in a grid with letters and another sign for empty cells: write . in every"
            " empty cell"
        )
    solution, rest = _split_solution(found, rest)
    comment = _comment(cells, rest)
    try:
        stated = () if comment is not None else facts.parse_fact_text(rest)
    except PuzzleError as error:
        raise PuzzleError(f"{error} (start a comment after the grid with `# `)") from None
    return LineContent(found, stated, comment or "", marked, solution)


def difference(given: bytes, solution: bytes) -> str:
    """The first cell whose number is not that of a full solution; empty if there is none."""
    for index, (number, other) in enumerate(zip(given, solution, strict=True)):
        if number and number != other:
            row, column = divmod(index, isqrt(len(given)))
            return f"r{row + 1}c{column + 1}"
    return ""


def rows_of(numbers: bytes, size: int) -> Grid:
    """The rows of a grid in reading order, with None for 0, which is an empty or unused cell."""
    cells = [number or None for number in numbers]
    return tuple(tuple(cells[start : start + size]) for start in range(0, len(cells), size))


def _split_solution(cells: bytes, rest: str) -> tuple[bytes, str]:
    """The full grid after the cells, if there is one, and the text after it.

    Raises PuzzleError if it has other numbers in cells with givens.
    """
    word, *more = rest.split(None, 1) or [""]
    found = word.encode("latin-1", "replace").translate(_NUMBERS)
    if len(found) != len(cells) or 0 in found or max(found) > isqrt(len(cells)):
        return b"", rest
    if place := difference(cells, found):
        raise PuzzleError(f"the stated solution has another number than the one given in {place}")
    return found, "".join(more)


def check_numbers(size: int, numbers: range) -> None:
    """Raise PuzzleError for a grid whose numbers do not all have a one-character symbol."""
    if numbers[-1] > LARGEST:
        raise PuzzleError(
            f"a {size}x{size} grid with the numbers {format_range(numbers)} cannot be written with"
            f" one character per cell, which allows numbers up to {LARGEST}"
        )
    if 0 in numbers:
        raise PuzzleError(
            "a grid with the number 0 cannot be written on a line: 0 is an empty cell"
        )


def bounded_lines(stream: IO[str]) -> Iterator[str]:
    """The lines of a stream; overlong lines are truncated, just long enough to be rejected."""
    while line := stream.readline(_LONGEST + 1):
        yield line
        while line and not line.endswith("\n"):
            line = stream.readline(_LONGEST + 1)


def line_size(line: str) -> int | None:
    """The number of rows of the grid on a line, from its length.

    None if that is not a square, or the line is blank or a comment.
    """
    cells, _ = split_line(line)
    size = isqrt(len(cells))
    if (
        len(cells) < MIN_CELLS_IN_ONE_LINE
        or size > LARGEST
        or size * size != len(cells)
        or cells.startswith(COMMENTED)
    ):
        return None
    return size if max(cells.encode("latin-1", "replace").translate(_NUMBERS)) <= size else None


def begins_with_grid(line: str, size: int = 0) -> bool:
    """Whether a line begins with a word as long as a grid, or as one of this size."""
    length = len(split_line(line)[0])
    return _is_square(length) or length == size * size > 0


def format_line(numbers: bytes) -> str:
    """The grid on one line: one character per cell, A for 10 and so on, a dot for an empty cell."""
    return numbers.translate(_SIGNS).decode()


def split_line(line: str) -> tuple[str, str]:
    """The grid, with a dot for each x or blank that means an empty cell, and the text after it."""
    words = line.split(None, 1)
    if (
        len(words) == 2
        and SPACED.fullmatch(spaced := line.rstrip("\r\n"))
        and _is_square(len(spaced))
    ):
        return spaced.replace(" ", "."), ""
    cells = words[0] if words else ""
    if CROSSED.fullmatch(cells):
        cells = cells.replace("x", ".").replace("X", ".")
    return cells, words[1] if len(words) == 2 else ""


def _is_square(cells: int) -> bool:
    return cells >= MIN_CELLS_IN_ONE_LINE and isqrt(cells) ** 2 == cells


def _comment(cells: str, text: str) -> str | None:
    """The comment after the grid; None if the text must be facts.

    Raises PuzzleError if the text seems to be more of the grid: a blank or a # within it.
    """
    marked = _COMMENT.fullmatch(text.strip())
    text = marked[1] if marked else text.strip()
    word = text.split(None, 1)[0] if text else ""
    if marked is None and len(word) == len(cells) and EMPTY & {*word} and _CELLS.fullmatch(word):
        raise PuzzleError(
            f"{quote(word)} after the grid has empty cells, so it is no solution: delete it, or"
            " write the grids on lines of their own"
        )
    whole = len(word) == len(cells) and not EMPTY & {*word}  # the solution
    if not whole and is_rest(cells, word):
        raise PuzzleError(
            f"{len(cells)} cells, and {quote(word)} after a blank or #: if these are cells, write"
            " the grid in one word"
        )
    return None if not marked and (_FACTS.match(text) or whole) else text


def is_rest(cells: str, word: str) -> bool:
    """Whether a word is rather the rest of a grid than a word after it."""
    lengths = (len(cells) + len(word), len(cells) + len(word) + 1)
    return _CELLS.fullmatch(word) is not None and (
        len(word) >= MIN_CELLS_IN_ONE_LINE or any(map(_is_square, lengths))
    )
