"""A puzzle in one line, so that a file can hold many.

One character per cell, optionally followed by facts or a remark.

An empty cell is one of `. 0 _ - *`; in a grid of digits also x or X, or a blank. A remark begins
with `#`, `;` or `%`, or is
made of words and numbers only: text with parentheses and other signs of a logic program is read as
facts.

53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
1...............  gt(1,2,1,1). gt(3,3,3,4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt
from typing import IO, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile import facts
from aspdoku.puzzlefile.grid import EMPTY, MIN_CELLS_IN_ONE_LINE
from aspdoku.puzzlefile.lines import Line, quote
from aspdoku.puzzlefile.section import Section

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LARGEST = len(SYMBOLS)
_LONGEST = 1_000_000
CROSSED = re.compile(r"[1-9xX]+")  # an x in every empty cell
SPACED = re.compile(r"(?=.*  )(?=.*[1-9])[0-9 ]*")  # a blank in every empty cell
COMMENTED = ("#", ";", "%")
_REMARK = re.compile(r"(?:#(?![a-z])|;|%(?!\*))\s*(.*)", re.DOTALL)
_FACTS = re.compile(r"_*[a-z][A-Za-z0-9_']*\s*[(.]|.*(?:[][(){}\"@\\]|:-|%\*|\#[a-z])", re.DOTALL)

_OTHER = 255
_NUMBERS = bytearray([_OTHER]) * 256
for _sign in EMPTY:
    _NUMBERS[ord(_sign)] = 0
for _number, _symbol in enumerate(SYMBOLS, 1):
    _NUMBERS[ord(_symbol)] = _NUMBERS[ord(_symbol.lower())] = _number
_SIGNS = b"." + SYMBOLS.encode() + b"?" * (255 - LARGEST)


class LineContent(NamedTuple):
    """What a line holds: the numbers of its grid in reading order, 0 for an empty cell.

    Its facts, or a remark instead.
    """

    numbers: bytes
    facts: tuple[Function, ...]
    remark: str = ""


def parse_line(line: str, size: int) -> LineContent | None:
    """The puzzle in a line, on a grid of `size` rows; None for a line that is empty or a comment.

    Raises PuzzleError where there is none, or one of another size.
    """
    cells, rest = split_line(line)
    if not cells or cells.startswith(COMMENTED):
        return None
    check_size(size)
    if len(line.rstrip("\r\n")) > _LONGEST:
        raise PuzzleError(f"the line is longer than any puzzle: {_LONGEST} characters at most")
    numbers = cells.encode("latin-1", "replace").translate(_NUMBERS)
    if len(numbers) != size * size:
        raise PuzzleError(
            f"{len(numbers)} cells in the line; a {size}x{size} grid has {size * size}"
        )
    if max(numbers) > size:
        place = next(place for place, number in enumerate(numbers) if number > size)
        row, column = divmod(place, size)
        largest = SYMBOLS[size - 1]
        raise PuzzleError(
            f"r{row + 1}c{column + 1} holds {quote(cells[place])}; "
            f"a {size}x{size} grid takes 1 to {largest}, or . for an empty cell"
        )
    if "0" in cells and max(numbers) >= 10 and any(sign in cells for sign in EMPTY - {"0"}):
        raise PuzzleError(
            "beside letters and another sign for an empty cell, 0 may be meant as a number: write ."
            " in every empty cell"
        )
    remark = _remark(cells, rest)
    return LineContent(numbers, () if remark is not None else _facts(rest), remark or "")


def check_size(size: int) -> None:
    """Raise PuzzleError for a grid whose numbers do not all have a one-character symbol."""
    if size > LARGEST:
        raise PuzzleError(
            f"a line has signs for numbers up to {LARGEST}, and a {size}x{size} grid has more"
        )


def bounded_lines(stream: IO[str]) -> Iterator[str]:
    """The lines of a stream; of one that is longer than any puzzle just the beginning."""
    while line := stream.readline(_LONGEST + 1):
        yield line
        while line and not line.endswith("\n"):
            line = stream.readline(_LONGEST + 1)


def line_size(line: str) -> int | None:
    """The rows of the grid in a line, by its length.

    None where that is no square, or the line is empty or a comment.
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


def format_line(numbers: bytes) -> str:
    """The grid in a line: a character a cell, A for 10 and so on, a dot where it is empty."""
    return numbers.translate(_SIGNS).decode()


def split_line(line: str) -> tuple[str, str]:
    """The grid, with a dot for every x or blank that means an empty cell, and the text after it."""
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


def _remark(cells: str, text: str) -> str | None:
    """The remark that follows the grid.

    None if the text is facts, or has to be facts to mean anything.

    A word as long as the grid may be a second grid, and is not taken for a remark either.
    """
    text = text.strip()
    if marked := _REMARK.fullmatch(text):
        return marked[1]
    if _FACTS.match(text) or len(text.split(None, 1)[0] if text else "") == len(cells):
        return None
    return text


def _facts(text: str) -> tuple[Function, ...]:
    try:
        stated = facts.parse_facts(Section(facts.SECTION, Line("", 0, ""), [Line(text, 0, "")]))
    except PuzzleError as error:
        raise PuzzleError(
            f"{str(error).removeprefix(':0: ')} (a remark after the grid begins with #)"
        ) from None
    return tuple(each.fact for each in stated)
