"""What stands behind the name of a constraint, as entries of f-puzzles' JSON, which the shapes of that format read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from aspdoku.puzzle.formats.elsewhere.documents import Object
from aspdoku.puzzle.formats.elsewhere.fpuzzles.shapes import NotUnderstoodError, name_of
from aspdoku.puzzle.formats.elsewhere.iss.field import Field
from aspdoku.puzzle.puzzle import Cell

Form = Callable[[list[str], Field], Iterator[Object]]

_LINE = re.compile(r"([RrCc])([1-9a-gA-G])")
_NUMBER = re.compile(r"-?[0-9]{1,9}")


def cells(arguments: list[str], field: Field) -> Iterator[Object]:
    """Cells, as a set and as a line."""
    names = _names(field.all_of(arguments))
    yield {"cells": names, "lines": [names]}


def valued(arguments: list[str], field: Field) -> Iterator[Object]:
    """A value and cells, as a set and as a line."""
    for entry in cells(arguments[1:], field):
        yield {"value": arguments[0] if arguments else "", **entry}


def summed(arguments: list[str], field: Field) -> Iterator[Object]:
    """A value and cells; a value of 0 is none."""
    yield from valued(["" if arguments[:1] == ["0"] else "".join(arguments[:1]), *arguments[1:]], field)


def far(arguments: list[str], field: Field) -> Iterator[Object]:
    """A difference, which is 5 where it is not said, and cells."""
    said = arguments[:1] and _NUMBER.fullmatch(arguments[0])
    yield from valued(arguments if said else ["5", *arguments], field)


def side_by_side(value: str = "") -> Form:
    """All pairs of neighbours among the cells, the earlier one first, each with this value."""

    def form(arguments: list[str], field: Field) -> Iterator[Object]:
        for pair in neighbours(field.all_of(arguments), field):
            yield {"cells": _names(pair), "value": value}

    return form


def neighbours(found: list[Cell], field: Field) -> Iterator[tuple[Cell, Cell]]:
    """The pairs of cells side by side, the earlier one first."""
    for place, cell in enumerate(found):
        yield from ((cell, other) for other in field.around(cell) if other in found[place + 1 :])


def arrow(arguments: list[str], field: Field) -> Iterator[Object]:
    """A circle and its shaft."""
    names = _names(field.all_of(arguments))
    yield {"cells": names[:1], "lines": [names]}


def pill(arguments: list[str], field: Field) -> Iterator[Object]:
    """How many cells are the pill, these, and the shaft."""
    if arguments[:1] not in (["2"], ["3"]):
        raise NotUnderstoodError(f"a pill of {''.join(arguments[:1])[:30]!r} cells")
    size = int(arguments[0])
    names = _names(field.all_of(arguments[1:]))
    yield {"cells": names[:size], "lines": [names[size - 1 :]]}


def from_both_ends(arguments: list[str], field: Field) -> Iterator[Object]:
    """A row or a column, and the clues before its first and behind its last cell, of which one may be missing."""
    kind, line = _line(arguments[0], field)
    for clue, outside in zip(arguments[1:3], (0, field.size + 1), strict=False):
        if clue:
            yield {"cell": name_of((line, outside) if kind == "R" else (outside, line)), "value": clue}


def from_one_end(arguments: list[str], field: Field) -> Iterator[Object]:
    """A clue, and the row or the column that it is about."""
    yield from from_both_ends([*arguments[1:2], *arguments[:1]], field)


def along_a_diagonal(arguments: list[str], field: Field) -> Iterator[Object]:
    """A clue, and the cell at the edge where its diagonal begins, which tells the direction."""
    clue, name = arguments
    row, column = field.of(name)
    last = field.size
    if column == 1 and row < last:
        down, right = 1, 1
    elif column == last and 1 < row < last:
        down, right = -1, -1
    elif row == 1 and column > 1:
        down, right = 1, -1
    elif row == last and 1 < column < last:
        down, right = -1, 1
    else:
        raise NotUnderstoodError(f"a clue at {name[:30]}, where no diagonal begins")
    if clue == "0":
        raise NotUnderstoodError("a sum of 0")
    direction = ("D" if down > 0 else "U") + ("R" if right > 0 else "L")
    yield {"cell": name_of((row - down, column - right)), "direction": direction, "value": clue}


def corner(arguments: list[str], field: Field) -> Iterator[Object]:
    """The cell above and left of a corner, and the numbers around it."""
    row, column = field.of(arguments[0])
    square = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
    yield {"cells": _names(square), "values": arguments[1:]}


def _line(name: str, field: Field) -> tuple[str, int]:
    match = _LINE.fullmatch(name)
    if not match or int(match[2], 17) > field.size:
        raise NotUnderstoodError(f"{name[:30]!r} where a row or a column should stand")
    return match[1].upper(), int(match[2], 17)


def _names(found: Iterable[Cell]) -> list[str]:
    return [name_of(cell) for cell in found]
