"""Where a grid breaks a rule.

The line of the file that forbids it, and the cells that it points at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from aspdoku.engine import Solver, TimeLimitError
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.negation import helper_rules, negate_per_instance, unused_tag
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term


class Violation(NamedTuple):
    """One way in which a grid breaks a rule.

    The place of the constraint in its file, and the cells that it points at.
    """

    place: str
    line: int
    column: int
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        named = " ".join(f"r{row}c{column}" for row, column in self.cells)
        return f"{self.place}:{self.line}" + (f" at {named}" if named else "")


def find_violations(
    rule: RuleFile,
    grid: Solution,
    facts: Iterable[Function] = (),
    without: Iterable[str] = (),
    time_limit: float | None = None,
    others: Iterable[RuleFile] | None = None,
) -> list[Violation]:
    """All ways in which a full grid breaks the rule, in the order of its lines.

    None where it keeps to it.

    Two that point at the same cells for the same line are one: a rule that counts a pair twice says
    nothing new.

    facts: the inputs of the rule
    without: retracted rules
    time_limit: seconds; TimeLimitError is raised if they do not suffice
    others: the program's other rules, whose helper predicates the rule may use; by default the base
    and the ordinary game
    """
    facts = tuple(facts)
    retractions = (Function(EXCEPTIONS, (Function(name.replace("-", "_")),)) for name in without)
    puzzle = grid.puzzle.replace(
        grid=grid.rows, facts=(*facts, *retractions), elaborations=(), without=()
    )
    tag = unused_tag("it", [rule.text, *map(str, facts)])
    # Without constraints and choices, only the given grid is a solution, whatever it breaks. None
    # is if helpers that depend on a choice contradict each other without it; then no place can be
    # named.
    helpers = [
        helper_rules(other)
        for other in ((library.base(), *library.defaults()) if others is None else others)
    ]
    search = Solver(
        assemble(puzzle, [*helpers, negate_per_instance(rule, tag, facts)]), time_limit
    ).search()
    solutions = list(search)
    if search.ended == "time":
        raise TimeLimitError("the time limit was reached")
    if not solutions:
        return []
    (solution,) = solutions
    found: dict[tuple[Term, ...], dict[str, list[Cell]]] = defaultdict(lambda: defaultdict(list))
    for term in solution.shown:
        if isinstance(term, Function) and term.name.startswith(f"{tag}_"):
            kinds = found[term.arguments[:4]]
            if cell := term.arguments[4:]:
                kinds[term.name.removeprefix(f"{tag}_")].append(cell)  # type: ignore[arg-type]
    return sorted(
        {
            Violation(rule.place, line, column, tuple(sorted(kinds["cell"] or kinds["range"])))  # type: ignore[arg-type]
            for (line, column, *_), kinds in found.items()
        }
    )
