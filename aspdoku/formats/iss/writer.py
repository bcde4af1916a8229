"""Writer for the constraint strings of Interactive Sudoku Solver.

Anything that they cannot represent is an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from aspdoku.formats import boards
from aspdoku.formats.base import UnsupportedError, unrepresentable
from aspdoku.formats.iss import table
from aspdoku.formats.iss.grid import EXTRA, LARGEST, LETTERS, IssGrid
from aspdoku.formats.pending import PendingContent
from aspdoku.puzzle.puzzle import Cell, Puzzle, format_range
from aspdoku.puzzle.term import Function

FORMAT = "iss"


def write(puzzle: Puzzle) -> str:
    """The constraints, one per line. Raises PuzzleError listing all that they cannot represent."""
    field = _field_of(puzzle)
    if max(field.shape) > LARGEST:
        rows, columns = field.shape
        raise unrepresentable(FORMAT, [f"a {rows}x{columns} grid"])
    constraints = _ConstraintWriter(puzzle, field).constraints()
    return "".join(f".{'~'.join(constraint)}\n" for constraint in constraints)


def _field_of(puzzle: Puzzle) -> IssGrid:
    """The grid of a puzzle; one that is not square, or has extra cells, is the first of its boards.

    Raises PuzzleError for other boards.
    """
    if not (placed := boards.boards_of(puzzle)):
        houses = not {*boards.WITHOUT, "box"} <= {*puzzle.without}
        return IssGrid(puzzle.size, puzzle.numbers, houses=houses)
    first, *others = placed
    if others:
        raise unrepresentable(FORMAT, ["several boards"])
    extra = [fact.arguments for fact in puzzle.facts if fact.name == table.EXTRA_CELL[1]]
    shape = first.height, first.width
    houses = Function("ab", (Function(boards.RULE), Function(table.GRID))) not in puzzle.facts
    field = IssGrid(max(shape), puzzle.numbers, shape, houses=houses)
    field = field.with_extra_cells(_extra_cells(puzzle, first.height, len(extra)))
    if (
        first[:2] != (1, 1)
        or sorted(extra) != sorted(field.extra.values())
        or field.size != puzzle.size
    ):
        corner = f"r{first.height + 1}c{first.width + 1}"
        raise unrepresentable(
            FORMAT,
            [
                "a board other than one in the upper left corner with extra cells in a block that"
                f" begins at {corner}"
            ],
        )
    return field


def _extra_cells(puzzle: Puzzle, rows: int, number: int) -> list[tuple[str, int, int]]:
    """The groups of so many extra cells: first those with the numbers that houses lack."""
    name, predicate = table.MISSING
    kinds = {str(fact.arguments[0]) for fact in puzzle.facts if fact.signature == (predicate, 5)}
    groups = [
        (prefix, rows, 1)
        for prefix, kind in table.MISSING_CELLS.items()
        if name in puzzle.elaborations and kind in kinds
    ]
    others = number - rows * len(groups)
    return [*groups, (f"{EXTRA}{table.EXTRA_GROUP}", others, 1)] if others > 0 else groups


class _ConstraintWriter:
    def __init__(self, puzzle: Puzzle, field: IssGrid) -> None:
        self._puzzle = puzzle
        self._field = field
        self._pending = PendingContent(puzzle, FORMAT)

    def constraints(self) -> list[list[str]]:
        numbers = self._puzzle.numbers
        found = [
            *self._shape(),
            *self._flags(),
            *self._ties(),
            *self._constraints(),
            *self._givens(),
        ]
        square = self._field.houses and not self._field.board
        possible = numbers[0] <= 1 and (len(numbers) == self._puzzle.size or not square)
        self._pending.require_empty(*([] if possible else [f"the numbers {format_range(numbers)}"]))
        return found

    def _shape(self) -> Iterator[list[str]]:
        puzzle, field = self._puzzle, self._field
        rows, columns = field.shape
        numbers = puzzle.numbers
        default = numbers == range(1, max(rows, columns) + 1)
        shape = [f"{rows}x{columns}", "" if default else f"{numbers[0]}-{numbers[-1]}"]
        yield ["Shape", *(filter(None, shape) if field.houses else [*shape, table.RAW])]
        if field.board:
            self._pending.mark_boards_written()
        if self._pending.mark_rules_written(table.EXTRA_CELL[0]):
            self._pending.mark_written((table.EXTRA_CELL[1], 2))
        if self._pending.mark_rules_written(table.MISSING[0]):
            self._pending.mark_written((table.MISSING[1], 5))
            yield [table.MISSING_WORD]
        if number := sum(name.startswith(EXTRA) for name in field.extra):
            yield [table.EXTRA_WORD, table.EXTRA_GROUP, "", str(number)]
        if not field.houses:
            self._pending.mark_retractions_written(*boards.WITHOUT)
            self._pending.mark_exception_written(boards.RULE, table.GRID)
            return
        regions = self._pending.regions()
        if self._pending.has_default_boxes:
            return
        yield ["NoBoxes"]
        if max(regions.values(), default=0) >= LARGEST:
            raise unrepresentable(FORMAT, [f"more than {LARGEST} regions"])
        if regions:
            yield [
                "Jigsaw",
                "".join(LETTERS[regions.get(cell, -1)] for row in field.rows() for cell in row),
            ]

    def _flags(self) -> Iterator[list[str]]:
        for word, names in table.FLAGS.items():
            if self._pending.mark_rules_written(*names):
                yield [word]
        if self._pending.mark_rules_written(*table.DISJOINT):
            yield [table.DISJOINT_WORD]
        if self._pending.mark_rules_written(table.DIAGONAL):
            for word, way in table.DIAGONALS.items():
                if not self._pending.mark_exception_written(table.DIAGONAL, way):
                    yield [table.DIAGONAL_WORD, word]

    def _constraints(self) -> Iterator[list[str]]:
        for word, codec in (
            (word, codecs[word])
            for word in table.CONSTRAINTS
            for codecs in (table.CONSTRAINTS, table.OF_REGIONS)
            if word in codecs
        ):
            names = codec.rules.intersection(self._puzzle.elaborations)
            if codec.written and names and self._pending.has_facts(codec.signatures):
                write = partial(codec.write, field=self._field)
                for arguments in self._pending.write_facts(codec.signatures, write):
                    yield [word, *arguments]
                self._pending.mark_rules_written(*names & self._pending.rules)

    def _ties(self) -> Iterator[list[str]]:
        """The constraint that lines may be equal, if there is an exception for it, or that no
        lines are.
        """
        if self._pending.mark_rules_written(table.NO_TIES):
            yield [table.TIED, table.TIES_NONE]
        for word, exception in table.TIES.items():
            if (
                exception
                and table.CONSTRAINTS[table.RANKED].rule in self._puzzle.elaborations
                and self._pending.mark_exception_written(*exception)
            ):
                yield [table.TIED, word]

    def _givens(self) -> Iterator[list[str]]:
        """The givens and the pencil marks, one list per row of the grid."""
        name, predicate = table.PENCILMARKS
        numbers: dict[Cell, list[int]] = defaultdict(list)
        for cell, number in self._puzzle.givens().items():
            numbers[cell] = [number]
        if self._pending.mark_rules_written(name):
            for row, column, mark in self._pending.arguments[predicate, 3]:
                if (
                    isinstance(row, int)
                    and isinstance(column, int)
                    and isinstance(mark, int)
                    and self._puzzle.contains(row, column, mark)
                ):
                    numbers[row, column].append(mark)
                    self._pending.mark_facts_written([Function(predicate, (row, column, mark))])
        rows: dict[int, list[str]] = defaultdict(list)
        for cell in sorted(numbers):
            try:
                name = self._field.name(cell)
            except UnsupportedError as what:
                raise unrepresentable(FORMAT, [f"a given in {what}"]) from None
            rows[cell[0]].append("_".join([name, *map(str, numbers[cell])]))
        yield from (["", *row] for row in rows.values())
