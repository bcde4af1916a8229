"""Game ids of Solo, in Simon Tatham's Portable Puzzle Collection: `3x3:g7_9b2…`.

    2x3:…      boxes of 2 rows and 3 columns; `9j` is a jigsaw; then x for diagonals, k for killer
    a5c_12     an empty cell, a 5, three empty cells, a 12; `_` only separates numbers
    ,a_bz      after a comma, the lines between cells: first those between columns, by rows, then
               those between rows, by columns; a letter skips so many places before a line, and z
               25 without one. This is the jigsaw, then the cages.
    ,c15g7     the sum of each cage, in one of its cells

The format is that of `validate_desc` and `spec_to_dsf` in solo.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    JIGSAW,
    KILLER,
    Format,
    cell_name,
    facts_of_sets,
    has_urls_only,
    read_urls,
    to_rows,
)
from aspdoku.formats.regions import joined_cells
from aspdoku.puzzle.puzzle import Cell, Puzzle
from aspdoku.puzzle.term import Function

# The id alone, or at the end of the URL of a page, of which the name of the game is a part.
ID = re.compile(
    r"(?:\S*\bsolo(?:\.html)?[:#?/]+)?(?P<c>[1-9][0-9]?)(?:x(?P<r>[1-9][0-9]?))?"
    r"(?P<kind>(?:[jxk]|[rma]d?[0-9]*|d[tbiaeu])*)"
    r"(?::(?P<parts>[a-z0-9_]+(?:,[a-z0-9_]+)*)|#(?P<seed>[0-9]+))"
)
RUN = re.compile("_|([a-z])|([1-9][0-9]*)")
LARGEST = 31


def fits(text: str) -> bool:
    """Whether each line is a game id with a description of the grid, or with a random seed."""
    return has_urls_only(text, ID)


def read(text: str, name: str) -> list[Puzzle]:
    """The puzzle in each line. Raises PuzzleError."""
    return read_urls(text, name, _read)


def _read(text: str) -> Puzzle:
    found = ID.fullmatch(text)
    if not found:
        raise PuzzleError("no game id of Solo: expected one such as 3x3:g7_9b2…")
    if found["seed"]:
        raise PuzzleError(
            f"the random seed {found['seed'][:20]} of Solo does not contain the puzzle: copy the"
            " game id, such as 3x3:g7_9b2…, from the menu of Solo"
        )
    kind = re.sub("d[tbiaeu]|[rma]d?[0-9]*", "", found["kind"])
    rows, columns = int(found["c"]), int(found["r"] or found["c"])
    size = rows * columns if found["r"] or "j" not in kind else rows
    if not 2 <= size <= LARGEST:
        raise PuzzleError(f"invalid size {size}: Solo has grids of 2 to {LARGEST} rows")
    parts = found["parts"].split(",")
    expected = 1 + ("j" in kind) + 2 * ("k" in kind)
    if len(parts) != expected:
        raise PuzzleError(f"the game id has {len(parts)} parts; {expected} are needed for its type")
    numbers = _cells(parts.pop(0), size, size)
    facts: list[Function] = []
    if "j" in kind:
        regions = _groups(parts.pop(0), size)
        if any(len(cells) != size for cells in regions):
            raise PuzzleError(f"the regions of the jigsaw do not have {size} cells each")
        facts += facts_of_sets(JIGSAW.predicates[0][0], regions)
    if "k" in kind:
        cages = _groups(parts.pop(0), size)
        sums = _cells(parts.pop(0), size, size * size * size)
        facts += [*facts_of_sets(KILLER.predicates[0][0], cages), *_sums(cages, sums, size)]
    return Puzzle(
        to_rows(numbers),
        None if "j" in kind else (rows, columns),
        facts=tuple(facts),
        elaborations=(*(["diagonal"] if "x" in kind else []), *(["killer"] if "k" in kind else [])),
    )


def _cells(part: str, size: int, largest: int) -> list[int | None]:
    """The numbers of the cells. Raises PuzzleError."""
    cells: list[int | None] = []
    for run, number in RUN.findall(part):
        cells += [None] * (ord(run) - ord("a") + 1) if run else [int(number)] if number else []
    if RUN.sub("", part) or len(cells) != size * size:
        raise PuzzleError(f"the game id describes {len(cells)} cells; {size * size} are needed")
    for index, number in enumerate(cells):
        if number is not None and number > largest:
            raise PuzzleError(f"invalid number {number} in {cell_name(index, size)}")
    return cells


def _groups(part: str, size: int) -> list[list[Cell]]:
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
    if set(part) - {*"_abcdefghijklmnopqrstuvwxyz"} or place != len(places) + 1:
        raise PuzzleError("the game id describes too many or too few lines between cells")
    # The last line is outside the grid.
    borders = {places[at] for at in lines if at < len(places)}
    return joined_cells(((r, c) for r in span for c in span), borders)


def _sums(cages: list[list[Cell]], sums: list[int | None], size: int) -> Iterator[Function]:
    for label, cells in enumerate(cages, 1):
        stated = [value for r, c in cells if (value := sums[(r - 1) * size + c - 1])]
        if len(stated) != 1:
            raise PuzzleError(f"the cage of r{cells[0][0]}c{cells[0][1]} has {len(stated)} sums")
        yield Function(KILLER.predicates[1][0], (label, stated[0]))


FORMAT = Format("solo", "game ids of Solo, in Simon Tatham's puzzles", fits, read, multiple=True)
