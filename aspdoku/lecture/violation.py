"""Find where a grid violates a rule: the line of the file that forbids it, and the cells."""

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
    """A violation of a rule by a grid: the position of the constraint, and the cells involved."""

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
    """All violations of the rule by a full grid, in the order of lines; empty if it is satisfied.

    Violations of the same line with the same cells are listed once.

    facts: the inputs of the rule
    without: retracted rules
    time_limit: seconds, after which TimeLimitError is raised
    others: the program's other rules, whose helper predicates the rule may use; by default the base
    and the default rules
    """
    facts = tuple(facts)
    retractions = (Function(EXCEPTIONS, (Function(name.replace("-", "_")),)) for name in without)
    puzzle = grid.puzzle.replace(
        grid=grid.rows, facts=(*facts, *retractions), elaborations=(), without=()
    )
    tag = unused_tag("it", [rule.text, *map(str, facts)])
    # Without constraints and choices, the given grid is the only solution, whatever it violates.
    # There is none if helpers that depend on a choice contradict each other without it; then no
    # violation can be located.
    helpers = [
        helper_rules(other)
        for other in ((library.base(), *library.defaults()) if others is None else others)
    ]
    search = Solver(
        assemble(puzzle, [*helpers, negate_per_instance(rule, tag, facts)]), time_limit
    ).search()
    solutions = list(search)
    if search.ended == "time":
        raise TimeLimitError("time limit reached")
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
