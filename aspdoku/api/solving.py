"""Solutions of one puzzle: `solve`, `count` and `unique`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
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
    require_seed,
)
from aspdoku.deadline import Deadline
from aspdoku.engine.solver import (
    ENUMERATION_OPTIONS,
    GivenConflicts,
    Search,
    SearchEnd,
    SearchOutcome,
    SearchStatus,
    Solver,
    Statistics,
    Stoppable,
    alternative_shown_atoms,
    disagreement,
    has_unique_extensions,
    until_interrupted,
)
from aspdoku.errors import AspdokuError, NoSolutionError, TimeLimitError
from aspdoku.program import Program, RuleFile
from aspdoku.program.rulefile import LARGEST_FILE, read_text
from aspdoku.progress import note
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.puzzle import Cell, numbers_by_cell
from aspdoku.report.answer import (
    CellContents,
    answer_json,
    count_json,
    count_text,
    differences,
    solution_formatter,
    uniqueness_json,
    uniqueness_text,
    verdict,
)
from aspdoku.signals import interruptible
from aspdoku.supervision import notice_time_limit

if TYPE_CHECKING:
    from aspdoku.counting import CountMethod
    from aspdoku.counting.sampling import Sample
    from aspdoku.drawing import Picture

_MAX_DRAWN = 6  # solutions that a notebook draws
_NEW_SEEDS = 10**6  # short enough to be typed again
_NUMBERS_STYLE = re.compile(r"""^\s*draw\s*=\s*["']numbers["']""", re.MULTILINE)


@dataclass(frozen=True, repr=False)
class Solutions(Result):
    """The result of a search for solutions.

    `str` and `to_json` give all solutions that were found: by default two, as `aspdoku solve -n 2`
    prints them; without -n, the command prints the first one only.

    program: what was solved
    outcome: how many were found, and how the search ended
    solutions: those that were found, at most as many as were requested
    alternative: if the grid is unique but the rules show more than the grid, another solution with
        the same grid
    conflicts: if there is no solution, conflicting givens that are cheap to find
    remarks: clingo's warnings about the rules, and questions that were not decided
    statistics: size of the program and effort; None if the time limit ended the grounding, or if
        they were not asked for
    sample: how the solutions were drawn, if random ones were requested; they may repeat
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    solutions: tuple[Solution, ...]
    alternative: Solution | None
    conflicts: GivenConflicts
    remarks: tuple[str, ...]
    statistics: Statistics | None
    sample: Sample | None = None

    @property
    def status(self) -> SearchStatus:
        """What is proved: "none", "unique", "several", "some" (at least one) or "unknown"."""
        return self.outcome.status

    @property
    def ended(self) -> SearchEnd | None:
        """Why the search ended: "complete", "limit", "time" or "interrupted"."""
        return self.outcome.ended

    @property
    def solution(self) -> Solution:
        """The first solution.

        Raises NoSolutionError if there is none, TimeLimitError if none was found in time.
        """
        if self.solutions:
            return self.solutions[0]
        problem = verdict(self.outcome, 0)
        raise NoSolutionError(problem) if self.status == "none" else TimeLimitError(problem)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __len__(self) -> int:
        return len(self.solutions)

    def __str__(self) -> str:
        formatted = solution_formatter("grid", False, cell_contents_in(self.program))
        return "\n\n".join([*map(formatted, self.solutions), self._words()])

    def _pictures(self) -> Iterable[Picture]:
        for solution in self.solutions[:_MAX_DRAWN]:
            yield figure(self.program, solution, labels=False)

    def _summary(self) -> str:
        return self._words().partition("\n")[0]

    def _words(self) -> str:
        return verdict(self.outcome, len(self.solutions), self.alternative, self.sample)

    def _json(self) -> dict[str, Any]:
        """Solutions as rows of numbers, and the outcome of the search."""
        return answer_json(
            self.outcome, self.solutions, self.conflicts, self.alternative, self.sample
        )


@dataclass(frozen=True, repr=False)
class SolutionCount(Result):
    """The number of solutions; `exact` is False if a limit ended the count.

    method: "enumeration", "table" if none had to be found, or "symmetry" if one of those that
        differ by exchanges of numbers had to; see `aspdoku.counting`
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    remarks: tuple[str, ...] = ()
    method: CountMethod = "enumeration"

    @property
    def count(self) -> int:
        """How many solutions were counted."""
        return self.outcome.found

    @property
    def exact(self) -> bool:
        """Whether there are no others."""
        return self.outcome.ended == "complete"

    def __int__(self) -> int:
        return self.count

    def __str__(self) -> str:
        return count_text(self.outcome, self.method)

    def _pictures(self) -> Iterable[Picture]:
        yield figure(self.program, labels=False)

    def _json(self) -> dict[str, Any]:
        """The count, whether it is exact, and why it ended."""
        return count_json(self.outcome, self.method)


@dataclass(frozen=True, repr=False)
class Uniqueness(Result):
    """Whether a puzzle has a unique solution, and if it has several, two of them.

    Its truth value is True only if uniqueness is proved.
    """

    answer: Solutions

    def _puzzle(self) -> Puzzle:
        return self.answer.outcome.puzzle

    @property
    def status(self) -> SearchStatus:
        """What is proved, as in `Solutions`; "several" if only what the rules show differs."""
        return "several" if self.answer.alternative else self.answer.status

    def __bool__(self) -> bool:
        return self.status == "unique"

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """The solution, or two of them; empty if none was found."""
        return self.answer.solutions

    @property
    def differences(self) -> dict[Cell, tuple[int, int]]:
        """The cells in which two solutions differ, with the number in each of them."""
        if len(self.solutions) < 2:
            return {}
        return {cell: (one, two) for cell, one, two in differences(*self.solutions)}

    def __str__(self) -> str:
        answer = self.answer
        return uniqueness_text(answer.outcome, answer.solutions, answer.alternative)

    def _pictures(self) -> Iterable[Picture]:
        """The solution, or two of them with the cells in which they differ."""
        cells = self.differences
        for solution in self.solutions:
            yield figure(self.answer.program, solution, cells=cells, labels=bool(cells))

    def _json(self) -> dict[str, Any]:
        """The status, the solutions and the cells in which they differ."""
        answer = self.answer
        return uniqueness_json(answer.outcome, answer.solutions, answer.alternative)


@interruptible
def solve(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    limit: int = 2,
    random: bool = False,
    seed: int | None = None,
    on_solution: Callable[[Solution], object] | None = None,
    interruptible: bool = False,
    statistics: bool = True,
) -> Solutions:
    """Solve a puzzle.

    By default, a second solution is searched for, so that the result proves whether the first one
    is unique.

    Random solutions are all equally likely if a table of partial grids can be built
    (`aspdoku.counting`); otherwise `remarks` contains a warning. If there are several solutions,
    `limit` of them are drawn independently, so they may repeat.

    puzzle: a puzzle, its text, the path of its file, or a program
    with_, without, constants, facts: see `compose`
    time_limit: seconds, grounding included; the results so far are returned
    limit: find up to this many solutions, 0 for all of them
    random: draw solutions at random
    seed: the same seed gives the same random solutions; None for a new one (`Solutions.sample`)
    on_solution: called with each solution when it is found; then only the first is kept
    interruptible: return what is known after KeyboardInterrupt instead of raising it
    statistics: whether the result has them; clingo takes 1 ms to collect them
    Raises PuzzleError or RuleError. Without a solution, `Solutions.solution` raises an error.
    """
    require_limit(limit)
    if seed is not None:
        require_seed(seed)
    if random and not limit:
        raise AspdokuError("random solutions need a limit: drawing them never ends")
    if seed is not None and not random:
        raise AspdokuError("a seed is for random solutions: pass random=True, too")
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    if not random:
        return _solutions(
            program,
            time_limit,
            limit,
            on_solution,
            interruptible,
            find_conflicts=True,
            statistics=statistics,
        )
    deadline = Deadline(time_limit)
    found = _solutions(
        program, time_limit, 2, None, interruptible, find_conflicts=True, statistics=statistics
    )
    seed = int.from_bytes(os.urandom(4), "big") % _NEW_SEEDS if seed is None else seed
    if found.ended in ("time", "interrupted") and found.status != "several":
        return replace(found, solutions=())
    return _drawn(found, limit, seed, deadline, on_solution, interruptible)


def _drawn(
    found: Solutions,
    limit: int,
    seed: int,
    deadline: Deadline,
    on_solution: Callable[[Solution], object] | None,
    interruptible: bool,
) -> Solutions:
    """Random solutions instead of those that were found: none, the unique one, or two."""
    from aspdoku.counting.sampling import Sample, Sampler  # loads what is needed only here

    kept: list[Solution] = []

    def add(solution: Solution) -> None:
        if on_solution:
            on_solution(solution)
        if not kept or not on_solution:
            kept.append(solution)

    if found.status != "several":
        for solution in found.solutions:
            add(solution)
        return replace(found, sample=Sample(seed, True, len(found.solutions)))
    number, remarks = 0, found.remarks
    sample = Sample(seed, False, None)
    with Stoppable(interruptible) as run:
        sampler = Sampler(found.program, seed, deadline.time_limit())
        sample = Sample(seed, sampler.is_uniform, sampler.total)
        if not sampler.is_uniform:
            remarks = (*remarks, f"the random solutions are not equally likely: {sampler.obstacle}")
        while number < limit:
            add(sampler.draw())
            number += 1
        run.ended = "limit"
    if run.ended == "time":
        notice_time_limit()
    outcome = found.outcome._replace(found=number, ended=run.ended)
    return replace(found, outcome=outcome, solutions=tuple(kept), sample=sample, remarks=remarks)


def cell_contents_in(
    program: Program, time_limit: float | None = None
) -> Callable[[Solution], CellContents]:
    """The function for what the cells of a solution show instead of their numbers, by the styles of
    the program's rules; it returns nothing for most rules, if a style is invalid or time is up.
    """
    if not any(_NUMBERS_STYLE.search(_draw_file_text(part.rule)) for part in program.parts):
        return lambda _: {}
    from aspdoku.drawing import cell_contents  # only if a style may draw numbers

    def contents(solution: Solution) -> CellContents:
        try:
            return cell_contents(program, solution, time_limit)
        except AspdokuError:
            return {}

    return contents


def _draw_file_text(rule: RuleFile) -> str:
    """The text of a rule's `.draw` file, unparsed: that takes longer than solving most puzzles."""
    file = rule.path.with_suffix(".draw") if rule.path else None
    try:
        return (
            read_text(file, str(file), "a style file", LARGEST_FILE)
            if file and file.is_file()
            else ""
        )
    except AspdokuError:
        return ""


def _solutions(
    program: Program,
    time_limit: float | None,
    limit: int,
    on_solution: Callable[[Solution], object] | None,
    interruptible: bool,
    find_conflicts: bool,
    statistics: bool,
) -> Solutions:
    solver = Solver(program, time_limit)
    search = solver.search(limit)
    kept: list[Solution] = []
    note("looking for a solution")
    with until_interrupted(search, interruptible):
        for solution in search:
            note("looking for another solution")
            if on_solution:
                on_solution(solution)
            if not kept or not on_solution:
                kept.append(solution)
    alternative, remarks = _alternative(solver, search, kept, interruptible)
    outcome = search.outcome()
    numbers = kept[0].numbers() if kept else {}
    if ignored := disagreement(
        outcome.status, numbers_by_cell(outcome.puzzle.solution or ()), numbers
    ):
        outcome = outcome._replace(puzzle=outcome.puzzle.with_unsupported(ignored))
        remarks.append(f"unsupported and ignored: {ignored}")
    return Solutions(
        program,
        outcome,
        tuple(kept),
        alternative,
        _conflicts(solver, search, interruptible) if find_conflicts else GivenConflicts(),
        (*map(str, solver.messages), *remarks),
        solver.statistics() if statistics and solver.grounded else None,
    )


@interruptible
def count(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    limit: int = 0,
    interruptible: bool = False,
) -> SolutionCount:
    """Count the solutions of a puzzle.

    Solutions are enumerated, unless there are many. Then, if the rules only require cells to
    differ, a table of partial grids counts them without finding any; if the rules treat numbers
    alike, one of the solutions that differ by exchanges of these numbers is found
    (`aspdoku.counting`).

    limit: count up to this many, 0 for all of them
    The other arguments are those of `solve`. Solutions counted when the time limit is reached are a
    lower bound. Raises PuzzleError or RuleError.
    """
    from aspdoku.counting import count_solutions  # loads what `solve` does not need

    require_limit(limit)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    project = not has_unique_extensions(program)
    solver = Solver(program, time_limit, options=ENUMERATION_OPTIONS, project=project)
    note("counting")
    outcome, method, remarks = count_solutions(solver, limit, interruptible)
    messages = tuple(map(str, solver.messages))
    return SolutionCount(program, outcome, (*messages, *remarks), method)


@interruptible
def unique(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Uniqueness:
    """Decide whether a puzzle has a unique solution. The arguments are those of `solve`.

    Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    return Uniqueness(
        _solutions(
            program, time_limit, 2, None, interruptible, find_conflicts=False, statistics=True
        )
    )


def _alternative(
    solver: Solver, search: Search, found: list[Solution], interruptible: bool
) -> tuple[Solution | None, list[str]]:
    """Another solution with the unique grid, if the rules show more than the grid; and a remark if
    that could not be decided.
    """
    if search.status != "unique":
        return None, []
    with Stoppable(interruptible) as run:
        return alternative_shown_atoms(solver.program, found[0], solver.deadline.time_limit()), []
    why = "interrupted before the uniqueness of the shown atoms was decided"
    return None, [str(run.error) or why]


def _conflicts(solver: Solver, search: Search, interruptible: bool) -> GivenConflicts:
    """Conflicting givens, found in the remaining time, if there is no solution."""
    if search.status != "none" or solver.deadline.passed:
        return GivenConflicts()
    from aspdoku.explanation.conflict import given_conflicts  # only without a solution

    with Stoppable(interruptible):
        return given_conflicts(solver.program, solver.deadline.time_limit())
    return GivenConflicts()
