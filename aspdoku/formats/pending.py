"""The facts and rules of a puzzle that a writer has not written yet; leftovers are an error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import ArgumentsBySignature, UnsupportedError, lost_rules, unrepresentable
from aspdoku.formats.boards import (
    BOARD,
    BOARD_BOX,
    RULE,
    WITHOUT,
    Board,
    boards_of,
    default_box,
    regions_on,
)
from aspdoku.formats.shapes import Clue, SquareGrid, shape_of
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle, box_shape, format_range
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

Written = TypeVar("Written")


class PendingContent:
    """Facts and rules of a puzzle, with a record of which have been written.

    arguments: the arguments of all facts by signature, written or not
    rules: the names of the elaborations that have not been written
    boards: the boards of the puzzle, if its grid is not a single one
    """

    def __init__(self, puzzle: Puzzle, format_: str) -> None:
        self.arguments: dict[Signature, list[tuple[Term, ...]]] = defaultdict(list)
        self.rules = set(puzzle.elaborations)
        self.boards = boards_of(puzzle)
        self._puzzle = puzzle
        self._format = format_
        self._left = set(puzzle.facts)
        self._without = [name for name in puzzle.without if name != "box"]
        for fact in puzzle.facts:
            self.arguments[fact.signature].append(fact.arguments)

    def has_facts(self, signatures: Iterable[Signature]) -> bool:
        """Whether there are facts of these predicates."""
        return any(self.arguments[signature] for signature in signatures)

    def write_facts(
        self,
        signatures: Iterable[Signature],
        write: Callable[[ArgumentsBySignature], Iterable[Written]],
    ) -> list[Written]:
        """Write the facts of these predicates and mark them as written. Raises PuzzleError."""
        stated = {signature: self.arguments[signature] for signature in signatures}
        try:
            found = list(write(stated))
        except UnsupportedError as what:
            raise unrepresentable(self._format, [str(what)]) from None
        except PuzzleError as error:
            raise unrepresentable(self._format, [f"an invalid cell: {error}"]) from None
        except (KeyError, TypeError, ValueError):  # an argument is no cell, edge or number
            names = sorted({name for name, _ in stated})
            raise unrepresentable(self._format, [f"all facts of {' and '.join(names)}"]) from None
        self.mark_written(*stated)
        return found

    def clues_of(self, rule: str, grid: SquareGrid) -> list[Clue]:
        """The clues of a rule in the usual shape, which count as written; none without the rule.

        Raises PuzzleError.
        """
        shape = shape_of(rule)
        if not self.has_facts(shape.signatures) or not self.mark_rules_written(rule):
            return []
        return self.write_facts(shape.signatures, partial(shape.write, grid=grid))

    def mark_written(self, *signatures: Signature) -> None:
        """Mark all facts of these predicates as written."""
        self.mark_facts_written(
            Function(name, arguments)
            for name, arity in signatures
            for arguments in self.arguments[name, arity]
        )

    def mark_facts_written(self, facts: Iterable[Function]) -> None:
        """Mark these facts as written."""
        self._left.difference_update(facts)

    def mark_rules_written(self, *names: str) -> bool:
        """Mark these rules as written and return True, unless one of them is missing."""
        if not self.rules.issuperset(names):
            return False
        self.rules.difference_update(names)
        return True

    def mark_exception_written(self, rule: str, what: str) -> bool:
        """Mark the fact ab(rule,what) as written; whether there is one."""
        fact = Function("ab", (Function(rule), Function(what)))
        self.mark_facts_written([fact])
        return fact in self._puzzle.facts

    def mark_retractions_written(self, *names: str) -> bool:
        """Mark the retractions of these rules as written and return True, unless one is missing."""
        if not set(names) <= {*self._puzzle.without}:
            return False
        self._without = [name for name in self._without if name not in names]
        return True

    def mark_boards_written(self) -> None:
        """Mark the boards, their boxes, and what they retract as written."""
        self.mark_written(BOARD, BOARD_BOX)
        self.mark_rules_written(RULE)
        self.mark_retractions_written(*WITHOUT)

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
        """The box or drawn region of each cell, numbered from 0; empty if `box` is retracted.

        Raises PuzzleError if regions of boards overlap.
        """
        puzzle = self._puzzle
        span = range(1, puzzle.size + 1)
        if "box" in puzzle.without:
            return {}
        if self.boards:
            return self._regions_on_boards()
        if puzzle.box is not None:
            boxes = Board(1, 1, puzzle.size, puzzle.size, puzzle.box).boxes()
            return {cell: place for place, cells in enumerate(boxes) for cell in cells}
        drawn = {
            (row, column): label
            for row, column, label in self.arguments[REGION]
            if row in span and column in span
        }
        if len(drawn) == len(self.arguments[REGION]):
            self.mark_written(REGION)
        numbers = {
            label: place for place, label in enumerate(sorted(set(drawn.values()), key=sort_key))
        }
        return {cell: numbers[label] for cell, label in sorted(drawn.items())}  # type: ignore[misc]

    def _regions_on_boards(self) -> dict[Cell, int]:
        regions = sorted(map(sorted, regions_on(self._puzzle, self.boards)))
        found = {cell: place for place, cells in enumerate(regions) for cell in cells}
        if len(found) < sum(map(len, regions)):
            raise unrepresentable(self._format, ["regions that overlap"])
        self.mark_written(REGION)
        return found

    def require_empty(self, *more: str, largest: int = 0) -> None:
        """Raise PuzzleError if anything has not been written; `more` lists further content.

        largest: if the numbers have to be 1 to this one, it
        """
        puzzle = self._puzzle
        rules = [name for name in puzzle.elaborations if name in self.rules]
        lost = [*lost_rules(rules, {fact.signature for fact in self._left}), *more]
        if largest and puzzle.numbers != range(1, largest + 1):
            lost.append(f"the numbers {format_range(puzzle.numbers)}")
        lost += [f"`without: {name}`" for name in self._without]
        lost += [f"the unsupported constraint ({text})" for text in puzzle.unsupported]
        if lost:
            raise unrepresentable(self._format, lost)
