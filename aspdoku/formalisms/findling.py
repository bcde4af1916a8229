"""The algorithm of Holger Findling's paper "Sudoku, a Constraint Satisfaction Problem", in Python:
propagation, guessing and chronological backtracking.

The paper contains figures but no program; ours is one interpretation of it and does not reproduce
its figures.
"""

from __future__ import annotations

from collections import Counter

from aspdoku.formalisms import python_programs
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Encoding, encodings_dir
from aspdoku.formalisms.engine import Engine, Outcome
from aspdoku.puzzle.puzzle import box_shape

_PUBLISHED = "published"


class Findling(Engine):
    """The algorithm with domains and a stack; each elaboration edits one of its methods."""

    name = "findling"
    title = "Findling, our reading, Python"
    folder = "findling"
    extension = "py"

    def statements(self, program: str) -> Counter[str]:
        """By Python's syntax tree."""
        return python_programs.statements(program)

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """The first solution, and by further backtracking a second one, unlike in the paper."""
        answer = python_programs.run(encoding, case.size, seconds)
        grid = answer.grids[0] if answer.grids else None
        until = "up to the first solution" if grid else "until all guesses were tried"
        notes = [f"{until}: {_listed(answer.counters)}"]
        if figures := published(case):
            notes.append(
                f"figures in the paper: {_listed(figures)}; no interpretation of its text that we"
                " tried reproduces them"
            )
        return Outcome(grid, len(answer.grids) < 2, answer.start, answer.solve, notes=tuple(notes))


def published(case: Case) -> dict[str, int]:
    """The figures in the paper for this puzzle, by name; empty if there are none.

    The file `published` in the folder of the encoding has a line for each puzzle, with `-` for
    figures that the paper does not contain.
    """
    if not case.is_classic or case.boxes != box_shape(case.size):
        return {}
    grid = "".join(
        "." if number is None else str(number) for row in case.puzzle.grid for number in row
    )
    heading, *lines = (
        (encodings_dir() / Findling.folder / _PUBLISHED).read_text("utf-8").splitlines()
    )
    for cells, *figures in map(str.split, lines):
        if cells == grid:
            named = zip(heading.split()[1:], figures, strict=True)
            return {name: int(figure) for name, figure in named if figure != "-"}
    return {}


def _listed(counters: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counters.items())
