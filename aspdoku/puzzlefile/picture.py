"""Sections that are a picture: a grid of labels, optionally followed by a value for each label.

    A A B .
    . A B B      ->   name(1,1,"A").  name(1,2,"A").  name(1,3,"B").  ...  name_value("A",10).
    ...
    A = 10
    B =               B has no value, stated explicitly

R, C   row and column of a cell
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aspdoku.puzzle.puzzle import EDGES
from aspdoku.puzzle.term import Function, to_asp
from aspdoku.puzzlefile.grid import (
    may_be_separator,
    split_at_blanks,
    split_characters,
    without_bars,
)
from aspdoku.puzzlefile.lines import Line, pluralize, quote
from aspdoku.puzzlefile.paths import CELL, cell_at
from aspdoku.puzzlefile.section import LocatedFact, Section, parse_value, values_by_owner

if TYPE_CHECKING:
    from aspdoku.errors import PuzzleError
    from aspdoku.puzzle.puzzle import Cell

NO_LABEL = "."
SIGNS = "put signs < > ^ v between cells into [greater-than]"
LABEL = re.compile(r"[^\W_]\w*")
VALUE_LINE = re.compile(r"\s*([^\s=]+)\s*=\s*(.*)")


def parse_picture(section: Section, size: int) -> list[LocatedFact]:
    """Parse the picture into facts.

    Raises PuzzleError if it is malformed or differs in size from the grid.
    """
    drawn = [line for line in section.contents if not may_be_separator(line)]
    value_lines = [line for line in drawn if VALUE_LINE.match(line.content)]
    rows = [line for line in drawn if not VALUE_LINE.match(line.content)]
    cells = [
        (label, LocatedFact(Function(section.name, (row, column, label)), line))
        for row, (line, labels) in enumerate(_labels(section, rows, size), 1)
        for column, label in enumerate(labels, 1)
        if _is_label(label, f"r{row}c{column}", line)
    ]
    if not cells:
        raise section.heading.error(f"the picture in {section.title} contains no label")
    known = list(dict.fromkeys(label for label, _ in cells))
    return [stated for _, stated in cells] + _values(section, value_lines, known)


def format_picture(size: int, facts: list[Function], values: list[Function]) -> list[str]:
    """The lines that `parse_picture` reads as these facts `name/3` and `name_value/2`.

    Empty if the facts cannot be drawn.
    """
    labels: dict[Cell, str] = {}
    for fact in facts:
        *place, label = fact.arguments
        cell = cell_at(place, size)
        if not cell or cell in labels or not (isinstance(label, str) and _can_be_drawn(label)):
            return []
        labels[cell] = label
    known = list(dict.fromkeys(labels[cell] for cell in sorted(labels)))
    valued = values_by_owner(known, values)
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
    """Whether a picture can contain the label; `r1c1` would turn the section into paths."""
    return LABEL.fullmatch(label) is not None and not CELL.fullmatch(label)


def _is_label(label: str, where: str, line: Line) -> bool:
    if label != NO_LABEL and not LABEL.fullmatch(label):
        hint = f"; {SIGNS}" if label in "<>^" else ""
        raise line.error(
            f"invalid label {quote(label)} in {where} of the picture: a label consists of letters"
            f" and digits, and . means no label{hint}"
        )
    return label != NO_LABEL


def _labels(section: Section, rows: list[Line], size: int) -> list[tuple[Line, list[str]]]:
    """The labels in each row, separated by blanks in all rows or single characters in all rows."""
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
    colon = any(":" in each.content for each in section.contents)
    edges = ", ".join(f"{edge}:" for edge in EDGES)
    hint = (
        f"a value is written as in `A = 3`, and clues outside the grid begin with one of {edges}"
        if colon
        else f"put ASP facts into [facts]; {SIGNS}"
    )
    return line.error(
        f"{section.title} has {found}, but the grid is {size}x{size}. "
        "A section is a picture of the size of the grid, or paths such as r1c1 r1c2, one per line; "
        f"{hint}"
    )


def _values(section: Section, lines: list[Line], known: list[str]) -> list[LocatedFact]:
    """Parse the lines `label = value`: one for every label, or none at all."""
    first_lines: dict[str, Line] = {}
    stated = []
    for line in lines:
        label, term = VALUE_LINE.match(line.content).groups()  # type: ignore[union-attr]
        if label not in known:
            raise line.error(
                f"the picture has no label {quote(label)}; its labels are {', '.join(known)}"
            )
        if label in first_lines:
            raise line.error(
                f"duplicate value of {label}, first given in line {first_lines[label].number}"
            )
        first_lines[label] = line
        if term:
            stated.append(
                LocatedFact(
                    Function(f"{section.name}_value", (label, parse_value(term, line))), line
                )
            )
    missing = next((label for label in known if label not in first_lines), None)
    if lines and missing:
        raise lines[-1].error(
            f"missing value of label {missing}: write `{missing} = 10`, or `{missing} =` for no"
            " value"
        )
    return stated
