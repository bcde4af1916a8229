"""Writer for f-puzzles' JSON. Anything that it cannot represent is an error."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

from aspdoku.formats.fpuzzles import table
from aspdoku.formats.fpuzzles.entries import write_entries
from aspdoku.formats.json_document import Object
from aspdoku.formats.pending import PendingContent
from aspdoku.formats.shapes import SquareGrid
from aspdoku.program.library import default_values
from aspdoku.puzzle.puzzle import Puzzle, format_range
from aspdoku.puzzle.term import Function, Term


def write(puzzle: Puzzle, format_: str = "fpuzzles") -> Object:
    """The document. Raises PuzzleError listing everything that the format cannot represent.

    format_: the name of the format in errors
    """
    return _DocumentWriter(puzzle, format_).document()


class _DocumentWriter:
    def __init__(self, puzzle: Puzzle, format_: str) -> None:
        self._puzzle = puzzle
        self._pending = PendingContent(puzzle, format_)

    def document(self) -> Object:
        puzzle = self._puzzle
        rules = self._constraints() | self._flags() | self._negatives()
        grid = self._grid()
        self._pending.require_empty(
            *([] if puzzle.has_default_numbers else [f"the numbers {format_range(puzzle.numbers)}"])
        )
        texts = {"title": puzzle.title, "author": puzzle.author, "ruleset": puzzle.rules}
        solution = {"solution": list(chain(*puzzle.solution))} if puzzle.solution else {}
        stated = {key: text for key, text in texts.items() if text or key == "title"}
        return {"size": puzzle.size, "grid": grid} | stated | solution | rules

    def _constraints(self) -> Object:
        found: Object = {}
        board = SquareGrid(self._puzzle.size)
        for kind in table.CONSTRAINTS:
            on = self._pending.rules.intersection(kind.elaborations)
            if on and self._pending.has_facts(kind.shape.signatures):
                clues = self._pending.write_facts(kind.shape, board)
                found[kind.key] = [entry for clue in clues for entry in write_entries(clue, kind)]
                self._pending.mark_rules_written(*on)
        return found

    def _flags(self) -> Object:
        found: Object = {
            key: True for key, name in table.FLAGS.items() if self._pending.mark_rules_written(name)
        }
        if self._pending.mark_rules_written(table.DIAGONAL):
            off = {
                key
                for key, way in table.DIAGONALS.items()
                if self._pending.mark_exception_written(table.DIAGONAL, way)
            }
            found |= {key: True for key in table.DIAGONALS if key not in off}
        return found

    def _negatives(self) -> Object:
        """`negative` can only list the values that the marks in the grid have."""
        found = []
        for key, (name, predicate, marks) in table.NEGATIVES.items():
            if name not in self._pending.rules:
                continue
            defaults = set(default_values(predicate, 1, len(self._puzzle.numbers)))
            values = {arguments[0] for arguments in self._pending.arguments[predicate, 1]}
            marked = {arguments[-1] for arguments in self._pending.arguments[marks, 5]}
            if not predicate or (values or defaults) == (marked or defaults):
                found.append(key)
                self._pending.mark_rules_written(name)
                self._pending.mark_written((predicate, 1))
        return {"negative": found} if found else {}

    def _grid(self) -> list[list[Object]]:
        puzzle = self._puzzle
        name, predicate = table.PENCILMARKS
        span = range(1, puzzle.size + 1)
        cells: dict[tuple[Term, Term], Object] = {
            (row, column): {} for row in span for column in span
        }
        for cell, number in puzzle.givens().items():
            cells[cell] |= {"value": number, "given": True}
        regions = self._pending.regions()
        if not self._pending.has_default_boxes:
            for (row, column), entry in cells.items():
                entry["region"] = regions.get((row, column))  # type: ignore[arg-type]
        if self._pending.mark_rules_written(name):
            marks = defaultdict(list)
            for row, column, mark in self._pending.arguments[predicate, 3]:
                marks[row, column].append(mark)
            for place, numbers in marks.items():
                if place in cells and all(isinstance(mark, int) for mark in numbers):
                    cells[place]["givenPencilMarks"] = numbers
                    self._pending.mark_facts_written(
                        Function(predicate, (*place, number)) for number in numbers
                    )
        return [[cells[row, column] for column in span] for row in span]
