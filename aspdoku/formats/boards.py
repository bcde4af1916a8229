"""The boards of a grid: several, or one that is not square, as the rule `boards` has them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import isqrt
from typing import NamedTuple

from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle
from aspdoku.puzzle.term import Function, Signature, Term

RULE = "boards"
BOARD, BOARD_BOX = ("board", 5), ("board_box", 3)
# The rules about the whole grid, which boards retract.
WITHOUT = ("row", "column")
# The shape of the boxes of a board that has none.
NO_BOXES = (0, 0)


class Board(NamedTuple):
    """A rectangle of cells, of which the upper left one is in this row and column.

    box: rows and columns of a box; None if it has no boxes
    """

    row: int
    column: int
    height: int
    width: int
    box: tuple[int, int] | None = None

    def cells(self) -> list[Cell]:
        """The cells in reading order."""
        return [
            (self.row + down, self.column + right)
            for down in range(self.height)
            for right in range(self.width)
        ]

    def diagonals(self) -> dict[str, list[Cell]]:
        """The cells of the two diagonals, down and up; none unless the board is a square."""
        if self.height != self.width:
            return {}
        steps = range(self.height)
        return {
            "down": [(self.row + step, self.column + step) for step in steps],
            "up": [(self.row + step, self.column + self.width - 1 - step) for step in steps],
        }

    def boxes(self) -> Iterator[list[Cell]]:
        """The cells of each box, in reading order."""
        if self.box is None:
            return
        height, width = self.box
        for row in range(self.row, self.row + self.height, height):
            for column in range(self.column, self.column + self.width, width):
                yield Board(row, column, height, width).cells()


def default_box(height: int, width: int, cells: int) -> tuple[int, int] | None:
    """Rows and columns of the boxes of a board, each with this number of cells.

    As nearly square as possible, and not taller than wide if there is a choice. None if no boxes
    cover the board.
    """
    for small in (each for each in range(isqrt(cells), 1, -1) if cells % each == 0):
        for rows, columns in ((small, cells // small), (cells // small, small)):
            if height % rows == 0 and width % columns == 0:
                return rows, columns
    return None


def board_facts(
    name: Term, place: tuple[int, int, int, int], box: tuple[int, int] | None = None
) -> list[Function]:
    """The facts for a board from its row, column, height and width.

    box: the shape of its boxes, or `NO_BOXES`; None for what the rule derives
    """
    facts = [Function(BOARD[0], (name, *place))]
    return [*facts, Function(BOARD_BOX[0], (name, *box))] if box else facts


def boards_of(puzzle: Puzzle) -> list[Board]:
    """The boards, sorted by their place. Empty if there are none, or if their facts are invalid."""
    stated: dict[Signature, dict[Term, list[int]]] = {BOARD: {}, BOARD_BOX: {}}
    for fact in puzzle.facts:
        if fact.signature in stated:
            name, *numbers = fact.arguments
            valid = [each for each in numbers if isinstance(each, int) and each >= 0]
            if len(valid) < len(numbers) or name in stated[fact.signature]:
                return []
            stated[fact.signature][name] = valid
    if RULE not in puzzle.elaborations or not stated[BOARD].keys() >= stated[BOARD_BOX].keys():
        return []
    boards = []
    for name, (row, column, height, width) in stated[BOARD].items():
        rows, columns = stated[BOARD_BOX].get(name) or (
            default_box(height, width, len(puzzle.numbers)) or NO_BOXES
        )
        box = (rows, columns) if rows and columns else None
        inside = row + height - 1 <= puzzle.size and column + width - 1 <= puzzle.size
        if not (inside and min(row, column, height, width) > 0) or (
            box and (height % rows or width % columns)
        ):
            return []
        boards.append(Board(row, column, height, width, box))
    return sorted(boards, key=lambda board: board[:4])


def regions_on(puzzle: Puzzle, boards: Iterable[Board]) -> frozenset[frozenset[Cell]]:
    """The regions of a puzzle on boards: those drawn, and boxes, unless their rule is retracted."""
    drawn: dict[Term, set[Cell]] = defaultdict(set)
    for fact in puzzle.facts:
        if fact.signature == REGION:
            row, column, label = fact.arguments
            if isinstance(row, int) and isinstance(column, int):
                drawn[label].add((row, column))
    boxes = (box for board in boards for box in board.boxes() if "box" not in puzzle.without)
    return frozenset(map(frozenset, [*drawn.values(), *boxes]))
