"""Sections that draw a picture.

A label in each cell that belongs to something, and perhaps a value of each label.

    A A B .
    . A B B      ->   name(1,1,"A").  name(1,2,"A").  name(1,3,"B").  ...  name_value("A",10).
    ...
    A = 10
    B =               B has no value, and that is no oversight

R, C   row and column of a cell
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aspdoku.puzzle.term import Function, to_asp
from aspdoku.puzzlefile import value
from aspdoku.puzzlefile.grid import may_be_ruling, split_at_blanks, split_characters, without_bars
from aspdoku.puzzlefile.lines import Line, pluralize, quote
from aspdoku.puzzlefile.paths import CELL, cell_at
from aspdoku.puzzlefile.section import LocatedFact, Section

if TYPE_CHECKING:
    from aspdoku.errors import PuzzleError
    from aspdoku.puzzle.puzzle import Cell

NO_LABEL = "."
SIGNS = "signs < > ^ v between cells belong in [greater-than]"
LABEL = re.compile(r"[^\W_]\w*")
VALUE_LINE = re.compile(r"\s*([^\s=]+)\s*=\s*(.*)")


def parse_picture(section: Section, size: int) -> list[LocatedFact]:
    """The facts that the picture stands for.

    Raises PuzzleError where it has not the size of the grid, and so on.
    """
    drawn = [line for line in section.contents if not may_be_ruling(line)]
    value_lines = [line for line in drawn if VALUE_LINE.match(line.content)]
    rows = [line for line in drawn if not VALUE_LINE.match(line.content)]
    cells = [
        (label, LocatedFact(Function(section.name, (row, column, label)), line))
        for row, (line, labels) in enumerate(_labels(section, rows, size), 1)
        for column, label in enumerate(labels, 1)
        if _is_label(label, f"r{row}c{column}", line)
    ]
    if not cells:
        raise section.heading.error(f"the picture of {section.title} has no label in it")
    known = list(dict.fromkeys(label for label, _ in cells))
    return [stated for _, stated in cells] + _values(section, value_lines, known)


def format_picture(size: int, facts: list[Function], values: list[Function]) -> list[str]:
    """The lines from which `read` makes these facts `name/3` and `name_value/2`.

    None where they are no picture.
    """
    labels: dict[Cell, str] = {}
    for fact in facts:
        *place, label = fact.arguments
        cell = cell_at(place, size)
        if not cell or cell in labels or not (isinstance(label, str) and _can_be_drawn(label)):
            return []
        labels[cell] = label
    known = list(dict.fromkeys(labels[cell] for cell in sorted(labels)))
    valued = value.values_by_owner(known, values)
    if valued is None:
        return []
    width = max(map(len, known))
    rows = [
        " ".join(labels.get((row, column), NO_LABEL).rjust(width) for column in range(1, size + 1))
        for row in range(1, size + 1)
    ]
    return rows + [
        f"{label} = {to_asp(valued[label]) if label in valued else ''}".rstrip()
        for label in known
        if valued
    ]


def _can_be_drawn(label: str) -> bool:
    """Whether the label can stand in a picture.

    `r1c1` cannot, for it would make the picture a path.
    """
    return LABEL.fullmatch(label) is not None and not CELL.fullmatch(label)


def _is_label(label: str, where: str, line: Line) -> bool:
    if label != NO_LABEL and not LABEL.fullmatch(label):
        hint = f"; {SIGNS}" if label in "<>^" else ""
        raise line.error(
            f"{where} of the picture holds {quote(label)}: a label is made of letters and digits,"
            f" and . means no label{hint}"
        )
    return label != NO_LABEL


def _labels(section: Section, rows: list[Line], size: int) -> list[tuple[Line, list[str]]]:
    """The labels in each row.

    They have blanks between them, or are one character each, in all rows alike.
    """
    if len(rows) != size:
        raise _section_error(
            section, section.heading, f"{pluralize(len(rows), 'row')} of a picture", size
        )
    splits = [
        [split(without_bars(line)) for line in rows]
        for split in (split_at_blanks, split_characters)
    ]
    labels = max(splits, key=lambda labels: sum(len(row) == size for row in labels))
    for number, (line, row) in enumerate(zip(rows, labels, strict=True), 1):
        if len(row) != size:
            raise _section_error(
                section, line, f"{pluralize(len(row), 'label')} in row {number} of a picture", size
            )
    return list(zip(rows, labels, strict=True))


def _section_error(section: Section, line: Line, found: str, size: int) -> PuzzleError:
    return line.error(
        f"{section.title} has {found}, but the grid is {size}x{size}. "
        "A section is a picture as large as the grid, or paths such as r1c1 r1c2, one a line; "
        f"ASP facts belong in [facts]; {SIGNS}"
    )


def _values(section: Section, lines: list[Line], known: list[str]) -> list[LocatedFact]:
    """The values that the lines `label = value` say: of each label, if of any."""
    said: dict[str, Line] = {}
    stated = []
    for line in lines:
        label, term = VALUE_LINE.match(line.content).groups()  # type: ignore[union-attr]
        if label not in known:
            raise line.error(
                f"there is no label {quote(label)} in the picture; its labels are"
                f" {', '.join(known)}"
            )
        if label in said:
            raise line.error(
                f"the value of {label} is said twice, first in line {said[label].number}"
            )
        said[label] = line
        if term:
            stated.append(
                LocatedFact(
                    Function(f"{section.name}_value", (label, value.parse_value(term, line))), line
                )
            )
    missing = next((label for label in known if label not in said), None)
    if lines and missing:
        raise lines[-1].error(
            f"label {missing} has no value: write `{missing} = 10`, or `{missing} =` if it has none"
        )
    return stated
