"""What rules show beside the grid, such as regions to be found: whether the grid leaves just one way for it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from aspdoku.engine.solver import Solver, TimeLimitError, one_to_one
from aspdoku.program import Program
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN


def another(program: Program, solution: Solution, seconds: float = math.inf) -> Solution | None:
    """The same grid with something else shown beside it; None where there is none.

    Raises TimeLimitError where the time does not suffice to tell.
    """
    shown = set().union(*(part.rule.shown for part in program.parts))
    if not shown or one_to_one(program):
        return None
    projected = "\n".join(f"#project {name}/{arity}." for name, arity in sorted(shown))
    search = Solver(program, seconds, also=projected).search(2, ((atom, True) for atom in _atoms(solution)))
    found = [each for each in search if each.shown != solution.shown]
    if not found and search.ended == "time":
        raise TimeLimitError("the time did not suffice to tell whether what is shown beside the grid is the only one")
    return found[0] if found else None


def _atoms(solution: Solution) -> Iterator[Function]:
    for row, cells in enumerate(solution.rows, 1):
        for column, number in enumerate(cells, 1):
            yield Function(GIVEN[0], (row, column, number))
