"""The content of a puzzle as writers of documents need it: facts by predicate, clues, regions, and
the boards of a grid: several, or one that is not square, as the rule `boards` has them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import isqrt
from typing import NamedTuple, TypeVar

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import PENCILMARKED, ArgumentsBySignature, UnsupportedError, facts_of_sets
from aspdoku.formats.shapes import Clue, SquareGrid, as_cell, by_last, shape_of
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle, box_shape
from aspdoku.puzzle.term import Function, Signature, Term

Written = TypeVar("Written")

RULE = "boards"
BOARD, BOARD_BOX = ("board", 5), ("board_box", 3)
# The rules about the whole grid, which boards retract.
WITHOUT = ("row", "column")
# The shape of the boxes of a board that has none.
NO_BOXES = (0, 0)
# The rule about both diagonals of the grid; about one, it has an exception for the other one.
DIAGONAL = "diagonal"
_BOTH = {"down", "up"}


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
    """Rows and columns of the boxes of a board, each with this number of cells. As nearly square as
    possible, and not taller than wide if there is a choice. None if no boxes cover the board.
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


def diagonals(ways: Iterable[str]) -> tuple[list[str], list[Function]]:
    """The rule, and its exception if there is one, for these diagonals, `down` or `up`."""
    others = _BOTH.difference(ways)
    excepted = [Function("ab", (Function(DIAGONAL), Function(way))) for way in others]
    return ([DIAGONAL], excepted) if others < _BOTH else ([], [])


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


def boxes_of(size: int, box: tuple[int, int]) -> list[list[Cell]]:
    """The cells of each box of a grid."""
    return list(Board(1, 1, size, size, box).boxes())


def drawn_regions(puzzle: Puzzle) -> list[list[Cell]]:
    """The cells of each region that facts define."""
    drawn = by_last(fact.arguments for fact in puzzle.facts if puzzle.is_region(fact))
    return [sorted(map(as_cell, cells)) for cells in drawn.values()]


def regions_on(puzzle: Puzzle, boards: Iterable[Board]) -> frozenset[frozenset[Cell]]:
    """The regions of a puzzle on boards: those drawn, and boxes, unless their rule is retracted."""
    boxes = (box for board in boards for box in board.boxes() if "box" not in puzzle.without)
    return frozenset(map(frozenset, [*drawn_regions(puzzle), *boxes]))


class Content:
    """The content of a puzzle.

    arguments: the arguments of all facts by signature
    boards: the boards of the puzzle, if its grid is not a single one
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.arguments: dict[Signature, list[tuple[Term, ...]]] = defaultdict(list)
        self.boards = boards_of(puzzle)
        self._puzzle = puzzle
        for fact in puzzle.facts:
            self.arguments[fact.signature].append(fact.arguments)

    def has_rules(self, *names: str) -> bool:
        """Whether the puzzle names all these rules."""
        return {*names} <= {*self._puzzle.elaborations}

    def has_facts(self, signatures: Iterable[Signature]) -> bool:
        """Whether there are facts of these predicates."""
        return any(self.arguments[signature] for signature in signatures)

    def has_exception(self, rule: str, what: str) -> bool:
        """Whether there is the fact ab(rule,what)."""
        return (Function(rule), Function(what)) in self.arguments["ab", 2]

    @property
    def diagonals(self) -> set[str]:
        """The diagonals of the grid that the rule is about."""
        ways = _BOTH if self.has_rules(DIAGONAL) else set[str]()
        return {way for way in ways if not self.has_exception(DIAGONAL, way)}

    def marks(self) -> dict[Cell, list[int]]:
        """The pencil marks of each cell."""
        (predicate,), (rule,), _ = PENCILMARKED
        marks: dict[Cell, list[int]] = defaultdict(list)
        for arguments in self.arguments[predicate] if self.has_rules(rule) else ():
            match arguments:
                case (int(row), int(column), int(mark)) if self._puzzle.contains(row, column, mark):
                    marks[row, column].append(mark)
        return marks

    def written(
        self,
        signatures: Iterable[Signature],
        write: Callable[[ArgumentsBySignature], Iterable[Written]],
    ) -> list[Written]:
        """What `write` makes of the facts of these predicates. Raises UnsupportedError."""
        stated = {signature: self.arguments[signature] for signature in signatures}
        try:
            return list(write(stated))
        except PuzzleError as error:
            raise UnsupportedError(f"an invalid cell: {error}") from None
        except (KeyError, TypeError, ValueError):  # an argument is no cell, edge or number
            names = sorted({name for name, _ in stated})
            raise UnsupportedError(f"all facts of {' and '.join(names)}") from None

    def clues_of(self, rule: str, grid: SquareGrid) -> list[Clue]:
        """The clues of a rule of the puzzle, in the usual shape. Raises UnsupportedError."""
        shape = shape_of(rule)
        if not self.has_rules(rule):
            return []
        return self.written(shape.signatures, partial(shape.write, grid=grid))

    @property
    def has_default_boxes(self) -> bool:
        """Whether the regions are the default boxes."""
        puzzle = self._puzzle
        if not self.boards:
            return "box" not in puzzle.without and puzzle.box == box_shape(puzzle.size)
        boards = [
            each._replace(box=default_box(each.height, each.width, len(puzzle.numbers)))
            for each in self.boards
        ]
        return regions_on(puzzle, self.boards) == regions_on(Puzzle.blank(puzzle.size), boards)

    def regions(self) -> dict[Cell, int]:
        """The region of each cell, numbered from 0; none without `box`. Raises UnsupportedError."""
        puzzle = self._puzzle
        if "box" in puzzle.without:
            return {}
        if self.boards:
            regions = sorted(map(sorted, regions_on(puzzle, self.boards)))
        else:
            regions = boxes_of(puzzle.size, puzzle.box) if puzzle.box else drawn_regions(puzzle)
        region_of = {cell: place for place, cells in enumerate(regions) for cell in cells}
        if len(region_of) < sum(map(len, regions)):
            raise UnsupportedError("regions that overlap")
        return region_of if puzzle.box or self.boards else dict(sorted(region_of.items()))


def regions_or_boxes(
    regions: Sequence[Sequence[Cell]], size: int
) -> tuple[tuple[int, int] | None, list[Function]]:
    """The box shape if the regions, each in reading order, are boxes; else the facts of regions."""
    for height in (height for height in range(1, size + 1) if size % height == 0):
        width = size // height
        if all(
            cell == (cells[0][0] + place // width, cells[0][1] + place % width)
            for cells in regions
            for place, cell in enumerate(cells)
        ):
            return (height, width), []
    return None, facts_of_sets(REGION[0], regions)
