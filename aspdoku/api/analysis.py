"""Questions beyond solutions: `candidates` of cells, and `redundant` givens, clues and rules."""

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
    program_of,
    require_limit,
)
from aspdoku.engine.candidates import Candidates, CellNumbers
from aspdoku.engine.candidates import candidates as find_candidates
from aspdoku.engine.redundancy import RemovalResult, find_redundancies
from aspdoku.engine.solver import (
    SearchOutcome,
    SearchStatus,
    Solver,
    until_interrupted,
)
from aspdoku.program import Program
from aspdoku.progress import note
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report.answer import (
    candidates_json,
    candidates_summary,
    candidates_text,
    not_unique_text,
    redundancy_json,
    redundancy_text,
    unsupported_json,
    with_caveat,
)

if TYPE_CHECKING:
    from aspdoku.drawing import Picture


@dataclass(frozen=True, repr=False)
class CandidateGrid(Result):
    """The true candidates of each cell: the numbers that it holds in some solution.

    data: the candidates, and how the search for them ended
    """

    program: Program = field(repr=False, compare=False)
    data: Candidates

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.program.puzzle

    @property
    def candidates(self) -> CellNumbers:
        """Rows of cells of numbers, in ascending order; all empty if there is no solution."""
        return self.data.possible

    @property
    def forced(self) -> dict[Cell, int]:
        """The cells that hold the same number in all solutions, with it."""
        return self.data.forced

    def __str__(self) -> str:
        return candidates_text(self.data, self.puzzle)

    def _summary(self) -> str:
        return candidates_summary(self.data) + self.puzzle.caveat

    def _pictures(self) -> Iterable[Picture]:
        marks = {
            (row, column): numbers
            for row, cells in enumerate(self.candidates, 1)
            for column, numbers in enumerate(cells, 1)
        }
        yield figure(self.program, candidates=marks)

    def _json(self) -> dict[str, Any]:
        """Candidates, forced numbers, equal cells and counts."""
        return candidates_json(self.data, self.puzzle)


@dataclass(frozen=True, repr=False)
class Redundancy(Result):
    """Which givens, clues and rules can each be removed while the solution stays unique.

    items: one for each given, clue and rule; empty unless the puzzle has a unique solution
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    items: tuple[RemovalResult, ...]
    remarks: tuple[str, ...] = ()

    @property
    def status(self) -> SearchStatus:
        """What is proved about the puzzle itself, as in `Solutions`."""
        return self.outcome.status

    def __str__(self) -> str:
        if self.status == "unique":
            return with_caveat(redundancy_text(self.items), self.outcome.puzzle)
        return not_unique_text(self.outcome)

    def _title(self) -> str:
        return "Redundant givens, clues and rules"

    def _summary(self) -> str:
        if self.status != "unique":
            return not_unique_text(self.outcome)
        redundant = sum(item.needed is False for item in self.items)
        return f"{redundant} of {pluralize(len(self.items), 'item')} redundant"

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle, with the redundant givens highlighted."""
        cells = [item.cell for item in self.items if item.cell and item.needed is False]
        yield figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        """The status, and an object for each item."""
        answer = redundancy_json(self.status, self.outcome.ended, self.items)
        return answer | unsupported_json(self.outcome.puzzle)


def candidates(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    count_to: int = 0,
) -> CandidateGrid:
    """Find the true candidates of every cell, and the cells that are always equal.

    count_to: also count in how many of at most this many solutions each candidate occurs; 0 to
        count none
    The other arguments are those of `solve`. After the time limit, `data.ended` is "time" and the
    candidates found by then are returned. Raises PuzzleError or RuleError.
    """
    require_limit(count_to)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    note("looking for candidates")
    return CandidateGrid(program, find_candidates(program, time_limit, count_to))


def redundant(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Redundancy:
    """Find the givens, clues and rules that can each be removed while the solution stays unique.

    The arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    solver = Solver(program, time_limit)
    search = solver.search(2)
    items: list[RemovalResult] = []
    with until_interrupted(search, interruptible):
        search.count()
    outcome = search.outcome()
    note("checking givens, clues and rules")
    try:
        if outcome.status == "unique":
            for item in find_redundancies(program, solver.deadline.time_limit()):
                items.append(item)
                note(f"{len(items)} checked, {sum(not each.needed for each in items)} not needed")
    except KeyboardInterrupt:
        if not interruptible:
            raise
        outcome = outcome._replace(ended="interrupted")
    if outcome.ended == "complete" and any(item.needed is None for item in items):
        outcome = outcome._replace(ended="time")
    return Redundancy(program, outcome, tuple(items), tuple(map(str, solver.messages)))
