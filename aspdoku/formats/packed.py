"""Grids packed in a word: ids of Solo, URLs of puzz.link, and a parameter of sudokuwiki.org.

Solo, in Simon Tatham's Portable Puzzle Collection: `3x3:g7_9b2…`, as `validate_desc` and
`spec_to_dsf` in solo.c read it.

    2x3:…      boxes of 2 rows and 3 columns; `9j` is a jigsaw; then x for diagonals, k for killer
    a5c_12     an empty cell, a 5, three empty cells, a 12; `_` only separates numbers
    ,a_bz      after a comma, the lines between cells: first those between columns, by rows, then
               those between rows, by columns; a letter skips so many places before a line, and z
               25 without one. This is the jigsaw, then the cages.
    ,c15g7     the sum of each cage, in one of its cells

puzz.link and other sites with pzpr: `https://puzz.link/p?sudoku/9/9/…`. A number below 16 is a
hexadecimal digit, one below 256 `-` and two digits, and 1 to 20 empty cells a letter from g to z.
The program draws boxes of 2x3 cells for 6x6, and square ones for the squares of numbers.

sudokuwiki.org: the parameter `bd` is 81 numbers, or two signs per cell. Version B, `S9B…`, is in
base 36: a clue, 9 + a number that was entered, or 18 + a set of candidates as bits; S9B is a
sudoku, X9B one with diagonals, W9B a windoku. Without this header, base 32: 2 * a set of candidates
as bits, + 1 for a clue. Numbers that were entered and candidates are a state of solving, and become
facts pencilmark(R,C,N). https://www.sudokuwiki.org/Sudoku_String_Definitions
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from math import isqrt

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    JIGSAW,
    KILLER,
    LARGEST,
    PLAIN,
    SMALLEST,
    Format,
    UnsupportedError,
    cell_name,
    facts_of_sets,
    has_lines_only,
    read_urls,
    to_rows,
)
from aspdoku.formats.candidates import with_candidates
from aspdoku.puzzle.puzzle import Cell, Puzzle, joined_cells
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import quote

# The id alone, or at the end of the URL of a page, of which the name of the game is a part.
SOLO_ID = re.compile(
    r"(?:\S*\bsolo(?:\.html)?[:#?/]+)?(?P<c>[1-9][0-9]?)(?:x(?P<r>[1-9][0-9]?))?"
    r"(?P<kind>(?:[jxk]|[rma]d?[0-9]*|d[tbiaeu])*)"
    r"(?::(?P<parts>[a-z0-9_]+(?:,[a-z0-9_]+)*)|#(?P<seed>[0-9]+))"
)
SOLO_CELL = re.compile("_|([a-z])|([1-9][0-9]*)")
LARGEST_SOLO = 31
_SITE = r"https?://(?:(?:www\.)?puzz\.link/p(?:_edit)?(?:\.html)?|(?:www\.)?pzv\.jp/p(?:\.html)?|pzplus\.tck\.mn/p(?:\.html)?|pzprxs\.vercel\.app/p(?:\.html)?)"
PUZZLINK_URL = re.compile(rf"{_SITE}\?(?P<genre>[^/\s]*)(?P<rest>\S*)", re.IGNORECASE)
PUZZLINK_GRID = re.compile(r"/([0-9]{1,3})/([0-9]{1,3})/([^/]*)/?")
PUZZLINK_CELL = re.compile(r"([g-z])|-([0-9a-f]{2})|([0-9a-f])")
LONGEST_RUN = 20
GENRE = "sudoku"
BOXED = "4x4, 6x6, 9x9, 16x16 and 25x25"
WIKI_SIZE = 9
WIKI_CELLS = WIKI_SIZE * WIKI_SIZE
ALL_CANDIDATES = 2**WIKI_SIZE - 1
WIKI_NUMBERS = re.compile(f"[0-9.]{{{WIKI_CELLS}}}")
WIKI_STATE = re.compile(rf"(?:([A-Z])9B)?([0-9a-z]{{{2 * WIKI_CELLS}}})", re.IGNORECASE)
WIKI_RULES: dict[str, tuple[str, ...]] = {"": (), "S": (), "X": ("diagonal",), "W": ("windoku",)}
# Pages whose puzzles have no other rules than their cells state.
WIKI_PAGES = {"", "sudoku.htm", "sudoku_player.htm"}


def fits(text: str) -> bool:
    """Whether the text is ids of Solo, or URLs of puzz.link."""
    return SOLO.fits(text) or PUZZLINK.fits(text)


def _cells(
    packed: str, sign: re.Pattern[str], empty: str, base: int, cells: int
) -> list[int | None]:
    """The numbers of cells in reading order. Raises PuzzleError.

    sign: matches one or more cells: in its first group a letter for empty cells, in the others a
        number
    empty: the letter for one empty cell
    """
    numbers_read: list[int | None] = []
    for run, *numbers in sign.findall(packed):
        numbers_read += [None] * (ord(run) - ord(empty) + 1) if run else []
        numbers_read += [int(number, base) for number in numbers if number]
    if rest := sign.sub("", packed):
        raise PuzzleError(f"invalid cell {quote(rest)}")
    if len(numbers_read) != cells:
        raise PuzzleError(f"the grid has {len(numbers_read)} cells instead of {cells}")
    return numbers_read


def _read_solo(text: str) -> Puzzle:
    match = SOLO_ID.fullmatch(text)
    if not match:
        raise PuzzleError("no game id of Solo: expected one such as 3x3:g7_9b2…")
    if match["seed"]:
        raise PuzzleError(
            f"the random seed {match['seed'][:20]} of Solo does not contain the puzzle: copy the"
            " game id, such as 3x3:g7_9b2…, from the menu of Solo"
        )
    kind = re.sub("d[tbiaeu]|[rma]d?[0-9]*", "", match["kind"])
    rows, columns = int(match["c"]), int(match["r"] or match["c"])
    size = rows * columns if match["r"] or "j" not in kind else rows
    if not 2 <= size <= LARGEST_SOLO:
        raise PuzzleError(f"invalid size {size}: Solo has grids of 2 to {LARGEST_SOLO} rows")
    parts = match["parts"].split(",")
    expected = 1 + ("j" in kind) + 2 * ("k" in kind)
    if len(parts) != expected:
        raise PuzzleError(f"the game id has {len(parts)} parts; {expected} are needed for its type")
    numbers = _solo_numbers(parts.pop(0), size, size)
    facts: list[Function] = []
    if "j" in kind:
        regions = _solo_sets(parts.pop(0), size)
        if any(len(cells) != size for cells in regions):
            raise PuzzleError(f"the regions of the jigsaw do not have {size} cells each")
        facts += facts_of_sets(JIGSAW.predicates[0][0], regions)
    if "k" in kind:
        cages = _solo_sets(parts.pop(0), size)
        sums = to_rows(_solo_numbers(parts.pop(0), size, size * size * size))
        facts += facts_of_sets(KILLER.predicates[0][0], cages)
        for label, cells in enumerate(cages, 1):
            stated = [value for r, c in cells if (value := sums[r - 1][c - 1])]
            if len(stated) != 1:
                row, column = cells[0]
                raise PuzzleError(f"the cage of r{row}c{column} has {len(stated)} sums")
            facts.append(Function(KILLER.predicates[1][0], (label, stated[0])))
    rules = [rule for letter, rule in (("x", "diagonal"), ("k", "killer")) if letter in kind]
    box = None if "j" in kind else (rows, columns)
    return Puzzle(to_rows(numbers), box, facts=tuple(facts), elaborations=tuple(rules))


def _solo_numbers(part: str, size: int, largest: int) -> list[int | None]:
    cells = _cells(part, SOLO_CELL, "a", 10, size * size)
    for index, number in enumerate(cells):
        if number is not None and number > largest:
            raise PuzzleError(f"invalid number {number} in {cell_name(index, size)}")
    return cells


def _solo_sets(part: str, size: int) -> list[list[Cell]]:
    """The sets of cells between the lines. Raises PuzzleError."""
    span = range(1, size + 1)
    places = [((r, c), (r, c + 1)) for r in span for c in span[:-1]]
    places += [((r, c), (r + 1, c)) for c in span for r in span[:-1]]
    lines, place = set(), 0
    for sign in part:
        place += 0 if sign == "_" else 25 if sign == "z" else ord(sign) - ord("a") + 1
        if sign != "z":
            lines.add(place)
            place += 1
    if re.search("[^_a-z]", part) or place != len(places) + 1:
        raise PuzzleError("the game id describes too many or too few lines between cells")
    # The last line is outside the grid.
    borders = {places[at] for at in lines if at < len(places)}
    return joined_cells(((r, c) for r in span for c in span), borders)


def _read_puzzlink(url: str) -> Puzzle:
    match = PUZZLINK_URL.fullmatch(url)
    if not match:
        raise PuzzleError("not a URL of puzz.link: expected https://puzz.link/p?sudoku/9/9/…")
    if match["genre"].lower() != GENRE:
        raise PuzzleError(
            f"unsupported type of puzzle {match['genre'][:30]!r}: only {GENRE} is supported"
        )
    grid = PUZZLINK_GRID.fullmatch(match["rest"])
    if not grid:
        raise PuzzleError("invalid URL of a sudoku: expected …/p?sudoku/9/9/ and the cells")
    columns, rows = int(grid[1]), int(grid[2])
    if columns != rows or not SMALLEST <= rows <= LARGEST or not _has_boxes(rows):
        raise PuzzleError(
            f"the boxes of a grid of {rows} rows and {columns} columns are not defined: {BOXED} are"
            " supported"
        )
    return Puzzle(to_rows(_cells(grid[3].lower(), PUZZLINK_CELL, "g", 16, rows * columns)))


def _write_puzzlink(puzzle: Puzzle) -> str:
    size = puzzle.size
    if not _has_boxes(size):
        raise UnsupportedError(f"the boxes of a {size}x{size} grid: it has {BOXED}")
    cells = [number for row in puzzle.grid for number in row]
    return f"https://puzz.link/p?{GENRE}/{size}/{size}/{''.join(_packed(cells))}\n"


def _has_boxes(size: int) -> bool:
    return size == 6 or isqrt(size) ** 2 == size


def _packed(cells: list[int | None]) -> Iterator[str]:
    for number, run in groupby(cells):
        length = len(list(run))
        if number is None:
            for start in range(0, length, LONGEST_RUN):
                yield chr(ord("g") - 1 + min(length - start, LONGEST_RUN))
        else:
            yield (f"{number:x}" if number < 16 else f"-{number:x}") * length


def read_sudokuwiki(packed: str, page: str) -> Puzzle:
    """The puzzle in the parameter; other pages have unsupported rules. Raises PuzzleError."""
    lost = () if page.lower() in WIKI_PAGES else (f"the rules of the page {quote(page)}",)
    if WIKI_NUMBERS.fullmatch(packed):
        numbers = [int(sign) if sign not in ".0" else None for sign in packed]
        return Puzzle(to_rows(numbers), unsupported=lost)
    state = WIKI_STATE.fullmatch(packed)
    kind = (state[1] or "").upper() if state else ""
    if not state or kind not in WIKI_RULES:
        raise PuzzleError(
            f"{quote(packed)} is not a sudoku of sudokuwiki.org: expected 81 numbers, or two signs"
            f" per cell, perhaps after S9B, X9B or W9B"
        )
    cells = [
        _wiki_cell(field, bool(kind), index)
        for index, field in enumerate(re.findall("..", state[2]))
    ]
    span = range(1, WIKI_SIZE + 1)
    left = [[n for n in span if (bits or ALL_CANDIDATES) >> (n - 1) & 1] for _, bits in cells]
    puzzle = with_candidates([given for given, _ in cells], left)
    rules = (*WIKI_RULES[kind], *puzzle.elaborations)
    return puzzle.replace(elaborations=rules, unsupported=lost)


def _wiki_cell(field: str, version_b: bool, index: int) -> tuple[int | None, int]:
    """The given in a cell, or None and its candidates as bits."""
    value = int(field, 36)
    if version_b and value <= 2 * WIKI_SIZE:
        return (value or None, 0) if value <= WIKI_SIZE else (None, 1 << (value - WIKI_SIZE - 1))
    if version_b:
        candidates, clue = value - 2 * WIKI_SIZE, 0
    else:
        valid = not re.search("[w-z]", field, re.IGNORECASE)
        candidates, clue = divmod(int(field, 32), 2) if valid else (ALL_CANDIDATES + 1, 0)
    if candidates > ALL_CANDIDATES or (clue and candidates.bit_count() != 1):
        raise PuzzleError(
            f"invalid cell {field!r} in {cell_name(index, WIKI_SIZE)}: copy all of the URL"
        )
    return (candidates.bit_length(), 0) if clue else (None, candidates)


SOLO = Format(
    "solo",
    "game ids of Solo, in Simon Tatham's puzzles",
    partial(has_lines_only, pattern=SOLO_ID),
    partial(read_urls, read=_read_solo),
    multiple=True,
)
PUZZLINK = Format(
    "puzzlink",
    "URLs of a sudoku on puzz.link or pzv.jp, one per line",
    partial(has_lines_only, pattern=PUZZLINK_URL),
    partial(read_urls, read=_read_puzzlink),
    _write_puzzlink,
    kinds=(PLAIN,),
    multiple=True,
)
