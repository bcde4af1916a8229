"""URLs of puzz.link and other sites with pzpr: `https://puzz.link/p?sudoku/9/9/...`.

The cells are listed in reading order: a number below 16 as a hexadecimal digit, one below 256 as
`-` and two digits, and 1 to 20 empty cells as a letter from g to z. The program draws boxes of 2x3
cells for 6x6, and square ones for the squares of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    LARGEST,
    PLAIN,
    SMALLEST,
    Format,
    has_urls_only,
    read_urls,
    require_representable,
    to_rows,
)
from aspdoku.puzzle.puzzle import Puzzle

GENRE = "sudoku"
_SITE = r"https?://(?:(?:www\.)?puzz\.link/p(?:_edit)?(?:\.html)?|(?:www\.)?pzv\.jp/p(?:\.html)?|pzplus\.tck\.mn/p(?:\.html)?|pzprxs\.vercel\.app/p(?:\.html)?)"
_URL = re.compile(rf"{_SITE}\?(?P<genre>[^/\s]*)(?P<rest>\S*)", re.IGNORECASE)
_GRID = re.compile(r"/([0-9]{1,3})/([0-9]{1,3})/([^/]*)/?")
_CELL = re.compile(r"-([0-9a-f]{2})|([0-9a-f])|([g-z])")
_LONGEST_RUN = 20


def fits(text: str) -> bool:
    """Whether the text is URLs of such sites, one per line."""
    return has_urls_only(text, _URL)


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzle in each URL. Raises PuzzleError if one is not a sudoku."""
    return read_urls(text, name, _read)


def write(puzzle: Puzzle) -> str:
    """The puzzle as a URL of puzz.link. Raises PuzzleError for what it cannot represent."""
    require_representable(puzzle, PLAIN, FORMAT.name)
    if not _has_boxes(puzzle.size):
        raise PuzzleError(
            f"the format {FORMAT.name} cannot represent the boxes of a {puzzle.size}x{puzzle.size}"
            " grid: it has 4x4, 6x6, 9x9, 16x16 and 25x25"
        )
    cells = [number for row in puzzle.grid for number in row]
    return f"https://puzz.link/p?{GENRE}/{puzzle.size}/{puzzle.size}/{''.join(_packed(cells))}\n"


def _read(url: str) -> Puzzle:
    match = _URL.fullmatch(url)
    if not match:
        raise PuzzleError("not a URL of puzz.link: expected https://puzz.link/p?sudoku/9/9/…")
    if match["genre"].lower() != GENRE:
        raise PuzzleError(
            f"unsupported type of puzzle {match['genre'][:30]!r}: only {GENRE} is supported"
        )
    grid = _GRID.fullmatch(match["rest"])
    if not grid:
        raise PuzzleError("invalid URL of a sudoku: expected …/p?sudoku/9/9/ and the cells")
    columns, rows = int(grid[1]), int(grid[2])
    if columns != rows or not SMALLEST <= rows <= LARGEST or not _has_boxes(rows):
        raise PuzzleError(
            f"the boxes of a grid of {rows} rows and {columns} columns are not defined: 4x4, 6x6,"
            " 9x9, 16x16 and 25x25 are supported"
        )
    cells = list(_unpacked(grid[3].lower(), rows * columns))
    return Puzzle(to_rows(cells))


def _has_boxes(size: int) -> bool:
    return size == 6 or isqrt(size) ** 2 == size


def _unpacked(packed: str, cells: int) -> Iterator[int | None]:
    """The cells in reading order. Raises PuzzleError, in particular if their number is wrong."""
    place = found = 0
    while place < len(packed):
        match = _CELL.match(packed, place)
        if not match:
            raise PuzzleError(f"invalid cell {packed[place : place + 3]!r} in the URL")
        place = match.end()
        number, digit, run = match.groups()
        empty = int(run, 36) - 15 if run else 0
        yield from [None] * empty if empty else [int(number or digit, 16)]
        found += empty or 1
    if found != cells:
        raise PuzzleError(f"the URL has {found} cells instead of {cells}")


def _packed(cells: list[int | None]) -> Iterator[str]:
    empty = 0
    for number in [*cells, 0]:
        if number is None:
            empty += 1
            continue
        for start in range(0, empty, _LONGEST_RUN):
            yield _letter(min(empty - start, _LONGEST_RUN))
        empty = 0
        if number:
            yield f"{number:x}" if number < 16 else f"-{number:x}"


def _letter(empty: int) -> str:
    return chr(ord("g") + empty - 1)


FORMAT = Format(
    "puzzlink",
    "URLs of a sudoku on puzz.link or pzv.jp, one per line",
    fits,
    read,
    write,
    multiple=True,
)
