"""Sections that list paths, one per line, each optionally preceded by a value.

    r1c1 r1c2 r2c3    ->   name(1,1,1,1).  name(1,2,1,2).  name(1,3,2,3).
    15: r4c1 r4c2     ->   name(2,1,4,1).  name(2,2,4,2).  name_value(2,15).
    5,8,8: r2c2       ->   name(3,1,2,2).  name_value(3,"5,8,8").

I      number of a path, from 1
K      position of a cell on its path, from 1
R, C   row and column of that cell
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, cast

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.term import Function, to_asp
from aspdoku.puzzlefile.lines import Line, quote
from aspdoku.puzzlefile.section import STRING, LocatedFact, Section, parse_value, values_by_owner

if TYPE_CHECKING:
    from collections.abc import Callable

    from aspdoku.puzzle.puzzle import Cell
    from aspdoku.puzzle.term import Term

CELL = re.compile(r"[rR]([0-9]{1,9})[cC]([0-9]{1,9})")
_NUMBER = "(?:0|[1-9][0-9]{0,8})"
LIST = re.compile(rf"{_NUMBER}(?:,{_NUMBER})+")
PATH = re.compile(rf"\s*(?:({STRING.pattern}|[^\s:]*)\s*:)?(.*)")


def looks_like_paths(section: Section) -> bool:
    """Whether a line of the section starts with a cell, possibly after a value."""
    return any(CELL.fullmatch(name) for line in section.contents for name in _parts(line)[1][:1])


def parse_paths(section: Section, size: int, meaning: Callable[[], str] = str) -> list[LocatedFact]:
    """Parse the paths into facts.

    meaning: of the facts, for the error about an invalid value
    Raises PuzzleError if a line is not a path on a grid of this size.
    """
    stated = []
    for path, line in enumerate(section.contents, 1):
        value, cells = _parts(line)
        if not cells:
            raise line.error("empty path: list its cells, e.g. r1c1 r1c2 r2c3")
        if value is not None:
            term = _value(value, line, meaning)
            stated.append(LocatedFact(Function(f"{section.name}_value", (path, term)), line))
        stated += [
            LocatedFact(Function(section.name, (path, position, *_cell(name, size, line))), line)
            for position, name in enumerate(cells, 1)
        ]
    return stated


def format_paths(size: int, facts: list[Function], values: list[Function]) -> list[str]:
    """The lines that `parse_paths` reads as these facts `name/4` and `name_value/2`.

    Empty if the facts do not describe paths.
    """
    cells: dict[Term, dict[Term, Cell]] = defaultdict(dict)
    for fact in facts:
        path, position, *place = fact.arguments
        cell = cell_at(place, size)
        if not cell or position in cells[path]:
            return []
        cells[path][position] = cell
    valued = values_by_owner(cells, values)
    numberings = [set(cells), *map(set, cells.values())]
    if valued is None or not all(
        numbers == set(range(1, len(numbers) + 1)) for numbers in numberings
    ):
        return []
    return [
        (f"{to_asp(valued[path])}: " if path in valued else "")
        + " ".join(
            "r{}c{}".format(*cells[path][position]) for position in range(1, len(cells[path]) + 1)
        )
        for path in range(1, len(cells) + 1)
    ]


def cell_at(place: list[Term], size: int) -> Cell | None:
    """The cell with the row and column in `place`; None if it is outside a grid of this size."""
    row, column = place
    inside = (
        isinstance(row, int)
        and isinstance(column, int)
        and 1 <= row <= size
        and 1 <= column <= size
    )
    return cast("Cell", (row, column)) if inside else None


def _parts(line: Line) -> tuple[str | None, list[str]]:
    """The value before the colon, if there is one, and the words after it."""
    value, cells = PATH.fullmatch(line.content).groups()  # type: ignore[union-attr]
    return value, cells.split()


def _value(text: str, line: Line, meaning: Callable[[], str]) -> Term:
    """The value before a path; a list such as `5,8,8` is a string."""
    if LIST.fullmatch(text):
        return text
    try:
        return parse_value(text, line)
    except PuzzleError as error:
        raise PuzzleError("; ".join(filter(None, (str(error), meaning())))) from None


def _cell(name: str, size: int, line: Line) -> Cell:
    match = CELL.fullmatch(name)
    if not match:
        raise line.error(
            f"invalid cell {quote(name)}: write a path as r1c1 r1c2 r2c3, with blanks between its"
            " cells"
        )
    row, column = int(match[1]), int(match[2])
    if not (1 <= row <= size and 1 <= column <= size):
        raise line.error(f"{name} is outside the grid: its rows and columns are 1 to {size}")
    return row, column
