"""H. Findling, "Sudoku, a Constraint Satisfaction Problem".

Logic, guesses and chronological backtracking, in Python.

The paper publishes figures and no program text; ours is one reading of it, and does not come to its
figures.
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
    """The algorithm by hand: domains, a stack, and an edit of a method for each elaboration."""

    name = "findling"
    title = "Findling, our reading, Python"
    folder = "findling"
    extension = "py"

    def statements(self, program: str) -> Counter[str]:
        """By Python's syntax tree."""
        return python_programs.statements(program)

    def run(self, case: Case, text: Encoding, seconds: float) -> Outcome:
        """The first solution, and on by its backtracking to a second, for which the paper's
        algorithm does not look.
        """
        answer = python_programs.run(text, case.size, seconds)
        grid = answer.grids[0] if answer.grids else None
        until = "until the first solution" if grid else "until no guess was left"
        notes = [f"{until}: {_listed(answer.counters)}"]
        if figures := published(case):
            notes.append(
                f"the paper says: {_listed(figures)}; no reading of its text that we tried comes to"
                " these figures"
            )
        return Outcome(grid, len(answer.grids) < 2, answer.start, answer.solve, notes=tuple(notes))


def published(case: Case) -> dict[str, int]:
    """What the paper says that it counted on this puzzle, by what it counted.

    Empty where it says nothing.

    The file `published` beside the text has a line for each puzzle, with `-` for a figure that the
    paper does not give.
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
