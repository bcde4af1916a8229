"""What of a puzzle is still to be written.

A writer takes from it what it has a place for, and the rest is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import unrepresentable
from aspdoku.formats.fpuzzles.shapes import ArgumentsBySignature, UnsupportedError
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle, box_shape
from aspdoku.puzzle.term import Function, Signature, Term, sort_key

Target = TypeVar("Target", contravariant=True)
Output = TypeVar("Output", covariant=True)


class FactWriter(Protocol[Target, Output]):
    """How what is stated with some predicates is written, on a board of some kind.

    Raises NotUnderstoodError.
    """

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates."""

    def write(self, stated: ArgumentsBySignature, board: Target, /) -> Iterator[Output]:
        """Each thing that is stated."""


class PendingContent:
    """The facts and rules of a puzzle that have no place yet in the format of this name.

    stated: the arguments of all facts by predicate, also of those that were taken
    rules: the names of the elaborations that are left
    """

    def __init__(self, puzzle: Puzzle, format_: str) -> None:
        self.arguments: dict[Signature, list[tuple[Term, ...]]] = defaultdict(list)
        self.rules = set(puzzle.elaborations)
        self._puzzle = puzzle
        self._format = format_
        self._left = set(puzzle.facts)
        for fact in puzzle.facts:
            self.arguments[fact.signature].append(fact.arguments)

    def has_facts(self, signatures: Iterable[Signature]) -> bool:
        """Whether there are facts of these predicates."""
        return any(self.arguments[signature] for signature in signatures)

    def write_facts(self, shape: FactWriter[Target, Output], board: Target) -> list[Output]:
        """What a shape makes of its facts, which have their place then. Raises PuzzleError."""
        stated = {signature: self.arguments[signature] for signature in shape.signatures}
        try:
            found = list(shape.write(stated, board))
        except UnsupportedError as what:
            raise unrepresentable(self._format, [str(what)]) from None
        except PuzzleError as error:
            raise unrepresentable(self._format, [f"what is said of a cell: {error}"]) from None
        except (
            KeyError,
            TypeError,
            ValueError,
        ):  # something else stands where a cell, an edge or a number should
            names = sorted({name for name, _ in stated})
            raise unrepresentable(
                self._format, [f"all that is said of {' and '.join(names)}"]
            ) from None
        self.mark_written(*stated)
        return found

    def mark_written(self, *signatures: Signature) -> None:
        """All facts of these predicates have their place."""
        self.mark_facts_written(
            Function(name, arguments)
            for name, arity in signatures
            for arguments in self.arguments[name, arity]
        )

    def mark_facts_written(self, facts: Iterable[Function]) -> None:
        """These facts have their place."""
        self._left.difference_update(facts)

    def mark_rules_written(self, *names: str) -> bool:
        """These rules have their place. Whether they are there; where one is not, none is taken."""
        if not self.rules.issuperset(names):
            return False
        self.rules.difference_update(names)
        return True

    def mark_exception_written(self, rule: str, what: str) -> bool:
        """The fact ab(rule,what) has its place. Whether it is there."""
        fact = Function("ab", (Function(rule), Function(what)))
        self.mark_facts_written([fact])
        return fact in self._puzzle.facts

    @property
    def has_default_boxes(self) -> bool:
        """Whether the regions are the boxes that go without saying."""
        return "box" not in self._puzzle.without and self._puzzle.box == box_shape(
            self._puzzle.size
        )

    def regions(self) -> dict[Cell, int]:
        """The box or the drawn region of each cell, numbered from 0.

        Nothing where the rule of boxes is taken back.
        """
        puzzle = self._puzzle
        span = range(1, puzzle.size + 1)
        if "box" in puzzle.without:
            return {}
        if puzzle.box is not None:
            height, width = puzzle.box
            return {
                (row, column): (row - 1) // height * height + (column - 1) // width
                for row in span
                for column in span
            }
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

    def require_empty(self, *more: str) -> None:
        """Raise PuzzleError where something was not taken, or more has no place."""
        puzzle = self._puzzle
        lost = [
            f"facts {predicate}/{arity}"
            for predicate, arity in sorted({fact.signature for fact in self._left})
        ]
        lost += more
        lost += [f"the rule {name}" for name in puzzle.elaborations if name in self.rules]
        lost += [f"`without: {name}`" for name in puzzle.without if name != "box"]
        lost += [f"what was not understood ({text})" for text in puzzle.unsupported]
        if lost:
            raise unrepresentable(self._format, lost)
