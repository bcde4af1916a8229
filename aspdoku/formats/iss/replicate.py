"""Repeated constraints of Interactive Sudoku Solver: `Replicate~TARGETS~ORIGIN`, a template, `End`.

For each target, the cells of the template move so that the origin comes to lie on the target. The
copies are written out before anything else is read, as a block `And`, `End`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.iss import table
from aspdoku.formats.iss.codecs import bits_of
from aspdoku.formats.iss.grid import LARGEST, iss_name
from aspdoku.puzzle.puzzle import Cell

WORD = "Replicate"
MOST_CONSTRAINTS = 20_000  # in all copies; more can only be an attack
_OPENING = {"And", "Or", WORD}
_SHAPE = re.compile(r"\.Shape~([1-9][0-9]?)x([1-9][0-9]?)(?![0-9])")
_CELL = re.compile(r"[Rr]([1-9a-gA-G])[Cc]([1-9a-gA-G])((?:_[0-9]+)*)")
_OTHER_CELL = re.compile(r"[A-Z]{2,}[0-9]+")
_BASE = 17


def expand(text: str) -> str:
    """The text with the copies for each template.

    A block that cannot be written out stays as it is, so that it is reported as unsupported: one
    with blocks or clues outside the grid in it, or with copies outside the grid.
    """
    shape = _SHAPE.search(text)
    rows, columns = (int(shape[1]), int(shape[2])) if shape else (9, 9)
    items = text.split(".")[1:]
    result: list[str] = []
    place = 0
    while place < len(items):
        word, *arguments = items[place].split("~")
        end = _end(items, place) if word == WORD else 0
        if end:
            template = items[place + 1 : end]
            try:
                copies = list(_copies(arguments, template, rows, columns))
            except UnsupportedError:
                copies = []
            if copies:
                result += ["And", *copies, "End"]
                place = end + 1
                continue
        result.append(items[place])
        place += 1
    return "".join(f".{item}" for item in result)


def _end(items: Sequence[str], start: int) -> int:
    """The index of the end of the block that begins at this index; 0 if there is a block in it."""
    for index in range(start + 1, len(items)):
        word = items[index].partition("~")[0]
        if word in _OPENING or word == "End":
            return index if items[index] == "End" else 0
    return 0


def _copies(
    arguments: Sequence[str], template: Sequence[str], rows: int, columns: int
) -> Iterator[str]:
    targets, origin = [*arguments, "R1C1"][:2]
    match = _CELL.fullmatch(origin)
    if not 1 <= len(arguments) <= 2 or not match or match[3] or max(rows, columns) > LARGEST:
        raise UnsupportedError(origin)
    row, column = _position(match)
    start = (row - 1) * columns + column - 1
    found = [start + index for index, bit in enumerate(bits_of(targets)) if bit]
    if len(found) * len(template) > MOST_CONSTRAINTS:
        raise UnsupportedError(targets)
    for target in found:
        by = target // columns + 1 - row, target % columns + 1 - column
        for item in template:
            yield _moved(item, by, rows, columns)


def _moved(item: str, by: Cell, rows: int, columns: int) -> str:
    """A constraint with all its cells moved by as many rows and columns."""
    word, *arguments = item.split("~")
    cells = [_CELL.fullmatch(argument) for argument in arguments]
    if word in table.OUTSIDE or not any(cells) or any(map(_OTHER_CELL.fullmatch, arguments)):
        raise UnsupportedError(word)
    moved = []
    for argument, match in zip(arguments, cells, strict=True):
        if not match:
            moved.append(argument)
            continue
        row, column = _position(match)
        cell = row + by[0], column + by[1]
        if not (1 <= cell[0] <= rows and 1 <= cell[1] <= columns):
            raise UnsupportedError(argument)
        moved.append(iss_name(cell) + match[3])
    return "~".join([word, *moved])


def _position(match: re.Match[str]) -> Cell:
    return int(match[1], _BASE), int(match[2], _BASE)
