"""Writer for the constraint strings of Interactive Sudoku Solver.

Anything that they cannot represent is an error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from aspdoku.formats.base import unrepresentable
from aspdoku.formats.iss import table
from aspdoku.formats.iss.grid import LARGEST, LETTERS, IssGrid, iss_name
from aspdoku.formats.pending import PendingContent
from aspdoku.puzzle.puzzle import Cell, Puzzle, format_range
from aspdoku.puzzle.term import Function

FORMAT = "iss"


def write(puzzle: Puzzle) -> str:
    """The constraints, one per line. Raises PuzzleError listing all that they cannot represent."""
    if puzzle.size > LARGEST:
        raise unrepresentable(FORMAT, [f"a {puzzle.size}x{puzzle.size} grid"])
    constraints = _ConstraintWriter(puzzle).constraints()
    return "".join(f".{'~'.join(constraint)}\n" for constraint in constraints)


class _ConstraintWriter:
    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._field = IssGrid(puzzle.size, puzzle.numbers)
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
        possible = numbers[0] <= 1 and len(numbers) == self._puzzle.size
        self._pending.require_empty(*([] if possible else [f"the numbers {format_range(numbers)}"]))
        return found

    def _shape(self) -> Iterator[list[str]]:
        puzzle = self._puzzle
        size = f"{puzzle.size}x{puzzle.size}"
        yield (
            ["Shape", size]
            if puzzle.has_default_numbers
            else ["Shape", size, f"{puzzle.numbers[0]}-{puzzle.numbers[-1]}"]
        )
        regions = self._pending.regions()
        if self._pending.has_default_boxes:
            return
        yield ["NoBoxes"]
        if max(regions.values(), default=0) >= LARGEST:
            raise unrepresentable(FORMAT, [f"more than {LARGEST} regions"])
        if regions:
            span = range(1, puzzle.size + 1)
            yield [
                "Jigsaw",
                "".join(LETTERS[regions.get((row, column), -1)] for row in span for column in span),
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
        for word, kind in table.CONSTRAINTS.items():
            names = {kind.elaboration, *kind.others.values()}.intersection(
                self._puzzle.elaborations
            )
            if kind.written and names and self._pending.has_facts(kind.codec.signatures):
                for arguments in self._pending.write_facts(kind.codec, self._field):
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
                and table.CONSTRAINTS[table.RANKED].elaboration in self._puzzle.elaborations
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
            rows[cell[0]].append("_".join([iss_name(cell), *map(str, numbers[cell])]))
        yield from (["", *row] for row in rows.values())
