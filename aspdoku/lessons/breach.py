"""Where a grid breaks a rule: the line of the file that forbids it, and the cells that it points at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.engine import Solver, TimeLimitError
from aspdoku.program import RuleFile, join, library
from aspdoku.program.violations import offences
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import Cell

_TAG = "it"


class Breach(NamedTuple):
    """One way in which a grid breaks a rule: the place of the constraint in its file, and the cells that it points at."""

    place: str
    line: int
    column: int
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        named = " ".join(f"r{row}c{column}" for row, column in self.cells)
        return f"{self.place}:{self.line}" + (f" at {named}" if named else "")


def breaches(
    rule: RuleFile,
    grid: Solution,
    facts: Iterable[Function] = (),
    without: Iterable[str] = (),
    time_limit: float | None = None,
) -> list[Breach]:
    """All ways in which a full grid breaks the rule, in the order of its lines; none where it keeps to it.

    Two that point at the same cells for the same line are one: a rule that counts a pair twice says nothing new.

    facts: the inputs of the rule
    without: rules taken back; only a rule's own name matters, for nothing else is asked
    time_limit: seconds; TimeLimitError is raised if they do not suffice
    """
    puzzle = grid.puzzle.but(grid=grid.rows, facts=tuple(facts), elaborations=(), without=())
    # The grid is looked at, not solved: what the base says of rows and columns is taken back.
    rules = [library.base(), offences(rule, _TAG)]
    taken_back = {"row", "column", *without} & {name.replace("_", "-") for each in rules for name in each.retractable}
    search = Solver(join(puzzle, rules, sorted(taken_back)), time_limit).search()
    solutions = list(search)
    if search.ended == "time":
        raise TimeLimitError("the time limit was reached")
    (solution,) = solutions
    found: dict[tuple[int, int, str], dict[str, list[Cell]]] = {}
    for term in solution.shown:
        if isinstance(term, Function) and term.name.startswith(f"{_TAG}_"):
            line, column, values, *cell = term.arguments
            kinds = found.setdefault((line, column, str(values)), defaultdict(list))  # type: ignore[arg-type]
            if cell:
                kinds[term.name.removeprefix(f"{_TAG}_")].append(tuple(cell))  # type: ignore[arg-type]
    return sorted(
        {
            Breach(rule.place, line, column, tuple(sorted(kinds["cell"] or kinds["room"])))
            for (line, column, _), kinds in found.items()
        }
    )
