"""A puzzle under elaborations, as a rival formalism is told of it: plain data, and no clingo."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from aspdoku.program import Program, compose, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import REGION, Cell
from aspdoku.puzzle.term import Term


@dataclass(frozen=True)
class Case:
    """A puzzle and the elaborations that it is played with.

    elaborations: their names, in order, without the base, the rules of the ordinary game, and what is taken back
    boxes: rows and columns of a box; None where the boxes are taken back
    program: it all, for clingo
    """

    puzzle: Puzzle
    elaborations: tuple[str, ...]
    boxes: tuple[int, int] | None
    program: Program

    @classmethod
    def of(cls, program: Program) -> Case:
        """The case of a program."""
        game = [rule.name for rule in library.defaults()]
        gone = set(program.puzzle.without)
        names = [part.rule.name for part in program.parts[1:]]
        boxes = None if gone.intersection(game) else program.puzzle.box
        return cls(program.puzzle, tuple(name for name in names if name not in (*game, *gone)), boxes, program)

    @classmethod
    def ordinary(cls) -> Case:
        """The ordinary game: a blank 9x9 grid, to which the texts of the formalisms are elaborated."""
        return cls.of(compose(Puzzle.blank(9)))

    @property
    def size(self) -> int:
        """Rows of the grid."""
        return self.puzzle.size

    @property
    def units(self) -> dict[str, list[list[Cell]]]:
        """The cells of each row, each column and each box, by what they are called: `rows`, `columns`, `boxes`."""
        span = range(1, self.size + 1)
        found = {
            "rows": [[(row, column) for column in span] for row in span],
            "columns": [[(row, column) for row in span] for column in span],
            "boxes": [],
        }
        if self.boxes:
            height, width = self.boxes
            tops, lefts = range(1, self.size + 1, height), range(1, self.size + 1, width)
            found["boxes"] = [
                list(product(range(top, top + height), range(left, left + width))) for top, left in product(tops, lefts)
            ]
        return found

    @property
    def beyond(self) -> list[str]:
        """What the puzzle says that no rival has a text for: regions of its own, and exceptions from a rule."""
        regions = ["regions that the puzzle draws"] if any(fact.signature == REGION for fact in self.puzzle.facts) else []
        return regions + [f"the exception {fact}" for fact in self.puzzle.facts if fact.name == EXCEPTIONS]

    def facts(self, name: str, arity: int) -> list[tuple[object, ...]]:
        """The arguments of the puzzle's facts of this kind, in order: whole numbers and texts."""
        return [tuple(map(_plain, fact.arguments)) for fact in self.puzzle.facts if fact.signature == (name, arity)]

    def groups(self, name: str) -> dict[object, list[Cell]]:
        """The cells of each cage, chain or the like, from facts `name(R,C,I)`, by I."""
        found: dict[object, list[Cell]] = {}
        for row, column, label in self.facts(name, 3):
            found.setdefault(label, []).append((int(str(row)), int(str(column))))
        return found


def _plain(term: Term) -> object:
    return str(term) if isinstance(term, Function) else term
