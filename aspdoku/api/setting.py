"""Questions before a puzzle is published: `complete` and `review`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    PuzzleSource,
    Result,
    Rules,
    Source,
    figure,
    program_of,
    puzzle_of,
    require_limit,
    require_seed,
)
from aspdoku.engine.solver import SearchOutcome, SearchStatus, Solver, until_interrupted
from aspdoku.generation.completion import Addition, Completions
from aspdoku.generation.completion import complete as find_additions
from aspdoku.generation.review import Check, PuzzleReview
from aspdoku.generation.review import review as make_checks
from aspdoku.program import Program
from aspdoku.report.completion import completion_json, completion_summary, completion_text
from aspdoku.report.review import review_json, review_summary, review_text
from aspdoku.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.drawing import Picture


@dataclass(frozen=True, repr=False)
class Completion(Result):
    """The single givens and clues with which a puzzle with several solutions has a unique one.

    outcome: of the search for solutions of the puzzle itself
    data: what was found; None unless the puzzle has several solutions
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    data: Completions | None = None
    remarks: tuple[str, ...] = ()

    @property
    def status(self) -> SearchStatus:
        """What is proved about the puzzle itself, as in `Solutions`."""
        return self.outcome.status

    @property
    def additions(self) -> tuple[Addition, ...]:
        """The additions, those after which the puzzle is easiest to solve first."""
        return self.data.additions if self.data else ()

    @property
    def total(self) -> int:
        """How many single additions were found that make the solution unique."""
        return self.data.total if self.data else 0

    def __str__(self) -> str:
        return completion_text(self.outcome, self.data)

    def _summary(self) -> str:
        return completion_summary(self.outcome, self.data).partition("\n")[0]

    def _title(self) -> str:
        return "Additions that make the solution unique"

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle, with the cells of the givens that could be added highlighted."""
        givens = (each.facts[0] for each in self.additions if not each.rule)
        cells = [
            (int(str(row)), int(str(column)))
            for row, column, _ in (fact.arguments for fact in givens)
        ]
        yield figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        """The additions, and the numbers that are open in each cell."""
        return completion_json(self.outcome, self.data)


@interruptible
def complete(
    puzzle: Source,
    solution: PuzzleSource | None = None,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    limit: int = 10,
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Completion:
    """Find the givens and clues with which a puzzle with several solutions has a unique one.

    Each is added on its own. All clues of one fact are tried that are like those that the puzzle
    has. Of other clues, such as cages and lines, the `.gen` files of the rules draw some.

    solution: a filled grid; only look for additions with which this is the solution
    limit: grade and return this many additions, 0 for all
    seed: of the clues that are drawn
    The other arguments are those of `solve`. Additions found before the time limit are returned.
    Raises PuzzleError or RuleError, and PuzzleError if `solution` is no solution of the puzzle.
    """
    require_limit(limit)
    require_seed(seed)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    intended = None if solution is None else puzzle_of(solution)
    solver = Solver(program, time_limit)
    search = solver.search(2)
    with until_interrupted(search, interruptible):
        search.count()
    data = None
    if search.status == "several":
        left = solver.deadline.time_limit()
        data = find_additions(program, intended, limit, seed, left, interruptible)
    return Completion(program, search.outcome(), data, tuple(map(str, solver.messages)))


@dataclass(frozen=True, repr=False)
class Review(Result):
    """The checks of a puzzle before it is published; its truth value is whether none failed.

    data: the checks, and the figures that they rest on
    """

    program: Program = field(repr=False, compare=False)
    data: PuzzleReview

    def __bool__(self) -> bool:
        return self.data.publishable

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks, each with its result and the reason for it."""
        return self.data.checks

    @property
    def fingerprint(self) -> str:
        """A hash by which copies of the puzzle are found; see `docs/guide.md`."""
        return self.data.fingerprint

    def __str__(self) -> str:
        return review_text(self.data)

    def _summary(self) -> str:
        return review_summary(self.data)

    def _title(self) -> str:
        return "Review"

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle, with the givens that are not needed highlighted."""
        cells = [item.cell for item in self.data.removals if item.cell and item.needed is False]
        yield figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        """The checks, the figures that they rest on, and the fingerprint."""
        return review_json(self.data)


@interruptible
def review(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = 60,
    interruptible: bool = False,
) -> Review:
    """Check a puzzle before it is published.

    The checks: everything in the file is used, the solution is unique, every rule is needed, no
    given and no clue can be removed, the difficulty, and whether one step is much harder than the
    others.

    time_limit: seconds, after which the other checks are undecided; None for no limit
    The other arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    return Review(program, make_checks(program, time_limit, interruptible))
