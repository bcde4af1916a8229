"""Making puzzles: `minimise`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    Result,
    Rules,
    Source,
    figure,
    names_in,
    program_of,
    require_seed,
)
from aspdoku.engine.solver import SearchOutcome, SearchStatus, Solver, until_interrupted
from aspdoku.explanation.cores import Item
from aspdoku.formats import registry
from aspdoku.generation.minimal import Reduction, reduce, unnamed_rules
from aspdoku.program import Program
from aspdoku.progress import note
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.report.answer import not_unique_text, unsupported_json
from aspdoku.report.reduction import reduction_json, reduction_summary

if TYPE_CHECKING:
    from aspdoku.drawing import Picture


@dataclass(frozen=True, repr=False)
class MinimalPuzzle(Result):
    """A puzzle with fewer givens and clues, and the same unique solution.

    program: of the original puzzle
    outcome: of the search for its solutions; unless there is a unique one, nothing was removed
    reduction: what was removed, and how that ended; None if nothing was tried
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    reduction: Reduction | None = None
    remarks: tuple[str, ...] = ()

    @property
    def status(self) -> SearchStatus:
        """What is proved about the original puzzle, as in `Solutions`."""
        return self.outcome.status

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is left, which names the rules of the library that it was solved with."""
        return (self.reduction or self).program.puzzle

    @property
    def removed(self) -> tuple[Item, ...]:
        """The givens and clues that were removed."""
        return self.reduction.removed if self.reduction else ()

    @property
    def is_minimal(self) -> bool:
        """Whether no given and no clue can be removed, except those that were to be kept."""
        return self.reduction is not None and self.reduction.ended == "complete"

    def __str__(self) -> str:
        if self.reduction is None:
            return self._summary()
        return registry.write(registry.NATIVE, [self.puzzle]).removesuffix("\n")

    def _summary(self) -> str:
        if self.reduction is None:
            return not_unique_text(self.outcome, "can be minimised")
        return reduction_summary(self.reduction) + self.puzzle.caveat

    def _title(self) -> str:
        return "Minimal puzzle"

    def _pictures(self) -> Iterable[Picture]:
        yield figure((self.reduction or self).program)

    def _words(self) -> str:
        return self._summary()

    def _json(self) -> dict[str, Any]:
        """The status, the puzzle as text, and the givens and clues removed and left."""
        text = str(self) if self.reduction else None
        answer = reduction_json(self.outcome, self.reduction, text)
        return answer | unsupported_json(self.puzzle)


def minimise(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    keep: Names = (),
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> MinimalPuzzle:
    """Remove givens and clues while the solution stays unique, until none can be removed.

    Regions and other inputs of the default rules are never removed.

    keep: what not to remove: "givens", "clues", the name of a rule whose clues to keep, a cell such
        as "r1c2", or a clue by the name that `redundant` gives it
    seed: of the random order in which they are removed
    The other arguments are those of `solve`. After the time limit, `is_minimal` is false. Raises
    PuzzleError or RuleError, and AspdokuError for a name in `keep` that nothing has.
    """
    require_seed(seed)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    solver = Solver(program, time_limit)
    search = solver.search(2)
    solutions: list[Solution] = []
    with until_interrupted(search, interruptible):
        solutions += search
    outcome = search.outcome()
    if outcome.status != "unique":
        return MinimalPuzzle(program, outcome, None, tuple(map(str, solver.messages)))
    note("removing givens and clues")
    reduction = reduce(
        program,
        solutions[0],
        names_in(keep),
        seed,
        solver.deadline.time_limit(),
        interruptible,
    )
    remarks = [
        f"the puzzle does not name the rule file {place}: add it with --with or with_="
        for place in unnamed_rules(reduction.program)
    ]
    return MinimalPuzzle(program, outcome, reduction, (*map(str, solver.messages), *remarks))
