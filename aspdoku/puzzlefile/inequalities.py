"""The section [greater-than]: the grid drawn with inequality signs between neighbouring cells.

    . < . > .
    ^       v
    .   . < .

The tip of a sign points at the smaller number, so the first two cells are `gt(1,2,1,1)`.

R, C     row and column of a cell
R1, C1   those of another
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

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

    Edge = tuple[Cell, Cell]

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
    """Parse the signs into facts.

    Raises PuzzleError if the drawing does not match the grid.
    """
    lines = [line for line in section.contents if not must_be_separator(line)]
    drawn = [line for line in lines if not _is_between_rows(line)]
    if len(drawn) != len(grid):
        raise section.heading.error(
            f"{section.title} has {pluralize(len(drawn), 'row')} of cells, but the grid has"
            f" {len(grid)}: draw the grid with signs < > ^ v between its cells"
        )
    rows = [_row(line, row, grid) for row, line in enumerate(drawn, 1)]
    stated = [
        LocatedFact(_fact(sign, (number, column), (number, column + 1)), row.line)
        for number, row in enumerate(rows, 1)
        for column, sign in row.signs.items()
    ]
    for before, line in pairwise([None, *lines]):
        if line and _is_between_rows(line):
            stated += _below(line, before, rows)
    if not stated:
        raise section.heading.error(f"{section.title} contains no sign < > ^ v")
    return stated


def format_inequalities(size: int, facts: list[Function]) -> list[str]:
    """The drawing that `parse_inequalities` reads as these facts `gt/4`; empty without facts.

    All facts must be `drawable`.
    """
    signs = dict(map(_sign, facts))
    lines = []
    for row in range(1, size + 1):
        right = [signs.get(((row, column), (row, column + 1)), " ") for column in range(1, size)]
        below = [
            signs.get(((row, column), (row + 1, column)), " ") for column in range(1, size + 1)
        ]
        lines += [" ".join(f". {sign}" for sign in right) + " .", "   ".join(below).rstrip()]
    return [line for line in lines if line] if facts else []


def drawable(size: int, facts: list[Function]) -> list[Function]:
    """The facts `gt/4` that a sign can represent: between neighbours, one per pair of cells."""
    near = [fact for fact in facts if _is_between_neighbours(fact, size)]
    edges = Counter(_sign(fact)[0] for fact in near)
    return [fact for fact in near if edges[_sign(fact)[0]] == 1]


def _fact(sign: str, first: Cell, second: Cell) -> Function:
    greater, smaller = (second, first) if sign in SECOND_IS_GREATER else (first, second)
    return Function(PREDICATE[0], (*greater, *smaller))


def _sign(fact: Function) -> tuple[Edge, str]:
    """The two cells, left or upper one first, and the sign between them."""
    row, column, row_1, column_1 = cast("tuple[int, int, int, int]", fact.arguments)
    first, second = sorted([(row, column), (row_1, column_1)])
    sign = (BESIDE if row == row_1 else BELOW)[first == (row, column)]
    return (first, second), sign


def _is_between_neighbours(fact: Function, size: int) -> bool:
    numbers = [term for term in fact.arguments if isinstance(term, int) and 1 <= term <= size]
    if len(numbers) < len(fact.arguments):
        return False
    row, column, row_1, column_1 = numbers
    return abs(row - row_1) + abs(column - column_1) == 1


def _is_between_rows(line: Line) -> bool:
    return set(split_characters(line.content)) <= set(BELOW)


def _marks(line: Line, piece: re.Pattern[str]) -> list[Mark]:
    matches = piece.finditer(without_bars(line).expandtabs())
    return [Mark(match[0], *match.span()) for match in matches]


def _row(line: Line, row: int, grid: Grid) -> DrawnRow:
    cells: list[Mark] = []
    signs: dict[int, str] = {}
    pieces = _marks(line, LONG_MARK if len(grid) >= FIRST_LETTER else SHORT_MARK)
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
    if len(cells) != len(grid):
        raise line.error(
            f"row {row} of the drawing has {pluralize(len(cells), 'cell')}, but the grid has"
            f" {len(grid)}"
        )
    for column, (cell, given) in enumerate(zip(cells, grid[row - 1], strict=True), 1):
        number = _number(cell.text, len(grid))
        if number and number != str(given):
            expected = "is empty" if given is None else f"contains {given}"
            raise line.error(
                f"r{row}c{column} is {quote(cell.text)} in the drawing, but the cell {expected} in"
                " the grid"
            )
    return DrawnRow(line, cells, signs)


def _number(cell: str, size: int) -> str:
    """The number in a drawn cell, as digits; a letter only counts if the grid is large enough."""
    if is_digits(cell):
        return cell.lstrip("0")
    number = letter_value(cell)
    return str(number) if number and number <= size else ""


def _below(line: Line, before: Line | None, rows: list[DrawnRow]) -> list[LocatedFact]:
    """The facts of a line of signs, which must be directly between two rows."""
    above = next((number for number, row in enumerate(rows, 1) if row.line == before), 0)
    if not 1 <= above < len(rows):
        raise line.error(
            "misplaced line of signs ^ and v: it must have a row directly above and below"
        )
    stated = []
    for sign, start, _ in _marks(line, SHORT_MARK):
        column, column_below = (_column(row.cells, start) for row in rows[above - 1 : above + 1])
        if not column or column != column_below:
            raise line.error(
                f"misplaced sign {sign} in column {start + 1}: not vertically between two cells"
            )
        stated.append(LocatedFact(_fact(sign, (above, column), (above + 1, column)), line))
    return stated


def _column(cells: list[Mark], position: int) -> int:
    """The number of the cell at this position of the text, or 0."""
    return next(
        (column for column, cell in enumerate(cells, 1) if cell.start <= position < cell.end), 0
    )
