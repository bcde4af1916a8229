"""The section [greater-than]: the grid drawn with inequality signs between neighbouring cells.

    . < . > .
    ^       v
    .   . < .

The tip of a sign points at the smaller number, so the first two cells are `gt(1,2,1,1)`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from math import dist
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.grid import (
    FIRST_LETTER,
    letter_value,
    must_be_separator,
    split_characters,
    without_bars,
)
from aspdoku.puzzlefile.lines import Line, LocatedFact, Section, is_digits, pluralize, quote

if TYPE_CHECKING:
    from aspdoku.puzzle.puzzle import Cell, Grid

    Edge = tuple[tuple[int, ...], tuple[int, ...]]

# The only section whose name differs from that of its predicate.
SECTION = "greater_than"
SECTIONS = {SECTION: "gt", "gt": "gt"}
PREDICATE = ("gt", 4)

BESIDE = "<>"
BELOW = "^v"
SECOND_IS_GREATER = "<^"

SHORT_MARK = re.compile(r"\S")
LONG_MARK = re.compile(r"[0-9]+|\S")


class Mark(NamedTuple):
    """The text of a cell or a sign, with its first column and the column after its last one."""

    text: str
    start: int
    end: int


class DrawnRow(NamedTuple):
    """A drawn row of the grid.

    signs: the signs between cells, by the number of the column to their left
    """

    line: Line
    cells: list[Mark]
    signs: dict[int, str]


def parse_inequalities(section: Section, grid: Grid) -> list[LocatedFact]:
    """The facts of the signs. Raises PuzzleError if the drawing does not match the grid."""
    number = len(cell_lines(section.contents))
    if number != len(grid):
        raise section.heading.error(
            f"{section.title} has {pluralize(number, 'row')} of cells, but the grid has"
            f" {len(grid)}: draw the grid with signs < > ^ v between its cells"
        )
    rows, stated = read_drawing(section.contents)
    for row, (drawn, givens) in enumerate(zip(rows, grid, strict=True), 1):
        for column, (cell, given) in enumerate(zip(drawn.cells, givens, strict=True), 1):
            number = _number(cell.text, len(grid))
            if number and number != given:
                expected = "is empty" if given is None else f"contains {given}"
                raise drawn.line.error(
                    f"r{row}c{column} is {quote(cell.text)} in the drawing, but the cell {expected}"
                    " in the grid"
                )
    if not stated:
        raise section.heading.error(f"{section.title} contains no sign < > ^ v")
    return stated


def cell_lines(lines: list[Line]) -> list[Line]:
    """The lines with cells, without separators and signs between rows."""
    return [line for line in lines if not must_be_separator(line) and not _is_between_rows(line)]


def read_drawing(lines: list[Line]) -> tuple[list[DrawnRow], list[LocatedFact]]:
    """The rows of a square grid, and the facts of its signs. Raises PuzzleError."""
    drawn = cell_lines(lines)
    rows = [_row(line, row, len(drawn)) for row, line in enumerate(drawn, 1)]
    stated = [
        LocatedFact(_fact(sign, (number, column), (number, column + 1)), row.line)
        for number, row in enumerate(rows, 1)
        for column, sign in row.signs.items()
    ]
    for before, line in pairwise([None, *(line for line in lines if not must_be_separator(line))]):
        if line and _is_between_rows(line):
            stated += _below(line, before, rows)
    return rows, stated


def draw_inequalities(size: int, facts: list[Function]) -> tuple[list[str], list[Function]]:
    """The drawing of facts `gt/4`, and those that it contains: one per pair of neighbours."""
    span = range(1, size + 1)
    signs_at: dict[Edge, list[tuple[str, Function]]] = defaultdict(list)
    for fact in facts:
        terms = [term for term in fact.arguments if isinstance(term, int) and term in span]
        greater, smaller = tuple(terms[:2]), tuple(terms[2:])
        if len(terms) == len(fact.arguments) and dist(greater, smaller) == 1:
            signs = BESIDE if greater[0] == smaller[0] else BELOW
            edge = min(greater, smaller), max(greater, smaller)
            signs_at[edge].append((signs[greater < smaller], fact))
    drawn = {edge: stated[0] for edge, stated in signs_at.items() if len(stated) == 1}
    lines = []
    for row in span if drawn else ():
        edges = (((row, column), (row, column + 1)) for column in range(1, size))
        right = [drawn.get(edge, " ")[0] for edge in edges]
        edges = (((row, column), (row + 1, column)) for column in span)
        below = [drawn.get(edge, " ")[0] for edge in edges]
        lines += [" ".join(f". {sign}" for sign in right) + " .", "   ".join(below).rstrip()]
    return list(filter(None, lines)), [fact for _, fact in drawn.values()]


def _fact(sign: str, first: Cell, second: Cell) -> Function:
    greater, smaller = (second, first) if sign in SECOND_IS_GREATER else (first, second)
    return Function(PREDICATE[0], (*greater, *smaller))


def _is_between_rows(line: Line) -> bool:
    return set(split_characters(line.content)) <= set(BELOW)


def _marks(line: Line, piece: re.Pattern[str]) -> list[Mark]:
    matches = piece.finditer(without_bars(line).expandtabs())
    return [Mark(match[0], *match.span()) for match in matches]


def _row(line: Line, row: int, size: int) -> DrawnRow:
    cells: list[Mark] = []
    signs: dict[int, str] = {}
    pieces = _marks(line, LONG_MARK if size >= FIRST_LETTER else SHORT_MARK)
    for place, piece in enumerate(pieces, 1):
        if piece.text in BELOW:
            raise line.error(
                f"misplaced sign {piece.text}: put {' and '.join(BELOW)} on a separate line between"
                " two rows"
            )
        if piece.text not in BESIDE:
            cells.append(piece)
        elif not cells or len(cells) in signs or place == len(pieces):
            raise line.error(
                f"misplaced sign {piece.text} in column {piece.start + 1}: not between two cells"
            )
        else:
            signs[len(cells)] = piece.text
    if len(cells) != size:
        raise line.error(
            f"row {row} of the drawing has {pluralize(len(cells), 'cell')}, but the grid has {size}"
        )
    return DrawnRow(line, cells, signs)


def _number(cell: str, size: int) -> int:
    """The number in a drawn cell, or 0; a letter only counts if the grid is large enough."""
    if is_digits(cell):
        return int(cell[-4:])
    number = letter_value(cell)
    return number if number and number <= size else 0


def _below(line: Line, before: Line | None, rows: list[DrawnRow]) -> list[LocatedFact]:
    above = next((number for number, row in enumerate(rows, 1) if row.line == before), 0)
    if not 1 <= above < len(rows):
        raise line.error(
            "misplaced line of signs ^ and v: it must have a row directly above and below"
        )
    stated = []
    for sign, start, _ in _marks(line, SHORT_MARK):
        signs = [
            {column for column, cell in enumerate(row.cells, 1) if cell.start <= start < cell.end}
            for row in rows[above - 1 : above + 1]
        ]
        if not signs[0] or signs[0] != signs[1]:
            raise line.error(
                f"misplaced sign {sign} in column {start + 1}: not vertically between two cells"
            )
        (column,) = signs[0]
        stated.append(LocatedFact(_fact(sign, (above, column), (above + 1, column)), line))
    return stated
