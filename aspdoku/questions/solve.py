"""The solutions of a puzzle: `solve`, `count` and `unique`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

from aspdoku.engine import solver as engine
from aspdoku.errors import Advice, ArgumentError, AspdokuError, NoSolutionError, TimeLimitError
from aspdoku.program import Program, RuleFile
from aspdoku.program.rulefile import LARGEST_FILE, read_text
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.puzzle import Cell, numbers_by_cell
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import source, text
from aspdoku.questions.result import Pictures, SearchResult, fields, figure
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible
from aspdoku.runtime.supervise import notice_time_limit

if TYPE_CHECKING:
    from aspdoku.counting import CountMethod
    from aspdoku.counting.estimate import Estimate
    from aspdoku.counting.sampling import Sample

_MAX_DRAWN = 6  # solutions that a notebook draws
_NUMBERS_STYLE = re.compile(r"""^\s*draw\s*=\s*["']numbers["']""", re.MULTILINE)
_MAX_CELLS = 6
_METHODS = {
    "enumeration": "",
    "table": " (counted by a table)",
    "symmetry": " (counted up to exchanges of numbers)",
}
_ENDS = {"time": "before the time limit", "interrupted": "before the interruption"}
CellContents = Mapping[Cell, Sequence[int]]
OnSolution = Callable[[Solution], object] | None


@dataclass(frozen=True, repr=False)
class Solutions(SearchResult):
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

    _kind = "solve"
    solutions: tuple[Solution, ...]
    alternative: Solution | None
    conflicts: engine.GivenConflicts
    remarks: tuple[str, ...]
    statistics: engine.Statistics | None
    sample: Sample | None = None

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

    def _text(self) -> str:
        formatted = solution_formatter("grid", False, cell_contents_in(self.program))
        return "\n\n".join([*map(formatted, self.solutions), self._words()])

    def _pictures(self) -> Pictures:
        for solution in self.solutions[:_MAX_DRAWN]:
            yield figure(self.program, solution, labels=False)

    def _words(self) -> str:
        return verdict(self.outcome, len(self.solutions), self.alternative, self.sample)

    def _json(self) -> dict[str, Any]:
        """Solutions as rows of numbers, the cells of conflicting givens, and the search.

        The shown atoms of each solution follow if there are other atoms than the grid.
        """
        answer = _proved(self.outcome) | {
            "solutions": self.solutions,
            "conflicts": self.conflicts.givens,
            "rules_alone": self.conflicts.rules_alone,
        }
        if any(solution.shown for solution in self.solutions):
            answer["shown"] = [list(map(to_asp, solution.shown)) for solution in self.solutions]
        if self.sample:
            answer["random"] = self.sample
        return answer | _shown_otherwise(self.alternative)


@dataclass(frozen=True, repr=False)
class SolutionCount(SearchResult):
    """The number of solutions; `exact` is False if a limit ended the count.

    method: "enumeration", "table" if none had to be found, or "symmetry" if one of those that
        differ by exchanges of numbers had to; see `aspdoku.counting`
    estimate: of the number of solutions, if it was asked for, the number is not known, and all
        descents were finished
    """

    _kind = "count"
    remarks: tuple[str, ...] = ()
    method: CountMethod = "enumeration"
    estimate: Estimate | None = None

    @property
    def count(self) -> int:
        """How many solutions were counted."""
        return self.outcome.found

    @property
    def exact(self) -> bool:
        """Whether there are no others."""
        return self.ended == "complete"

    def __int__(self) -> int:
        return self.count

    def _text(self) -> str:
        number = str(self.count) if self.exact else f"at least {self.count}"
        if estimate := self.estimate:
            from decimal import Decimal  # rarely needed; a float may be too small

            value, low, high = (f"{Decimal(each):.3g}" for each in estimate[:3])
            confidence = "less than 95 %" if estimate.unsure else "95 %"
            interval = f"about {value}, with {confidence} confidence between {low} and {high}"
            drawn = f"{estimate.descents} random descents, seed {estimate.seed}"
            return f"{interval} ({drawn}){self._caveat()}"
        return number + _METHODS[self.method] + self._caveat()

    def _json(self) -> dict[str, Any]:
        answer = fields("count exact ended method")(self)
        return answer | ({"estimate": self.estimate} if self.estimate else {})

    def _pictures(self) -> Pictures:
        yield figure(self.program, labels=False)


@dataclass(frozen=True, repr=False)
class Uniqueness(Solutions):
    """Whether a puzzle has a unique solution, and if it has several, two of them.

    Its truth value is True only if uniqueness is proved.
    """

    _kind = "unique"

    @property
    def status(self) -> engine.SearchStatus:
        """What is proved, as in `Solutions`; "several" if only what the rules show differs."""
        return "several" if self.alternative else self.outcome.status

    def __bool__(self) -> bool:
        return self.status == "unique"

    @property
    def differences(self) -> dict[Cell, tuple[int, int]]:
        """The cells in which two solutions differ, with the number in each of them."""
        if len(self.solutions) < 2:
            return {}
        one, two = (solution.numbers() for solution in self.solutions)
        return {cell: (one[cell], two[cell]) for cell in one if one[cell] != two[cell]}

    def _text(self) -> str:
        if not self.differences:
            return verdict(self.outcome, None, self.alternative)
        differing = self.differences.items()
        cells = [f"r{row}c{column} {one} or {two}" for (row, column), (one, two) in differing]
        listed = ", ".join(cells[:_MAX_CELLS])
        if len(cells) > _MAX_CELLS:
            listed += f" and {pluralize(len(cells) - _MAX_CELLS, 'more cell')}"
        return f"several solutions{self._caveat()}; two of them differ in:\n{listed}"

    def _words(self) -> str:
        return str(self)

    def _summary(self) -> str:
        return str(self).partition(";")[0].partition("\n")[0]

    def _pictures(self) -> Pictures:
        cells = self.differences
        for solution in self.solutions:
            yield figure(self.program, solution, cells=cells, labels=bool(cells))

    def _json(self) -> dict[str, Any]:
        differing = [{"cell": cell, "numbers": two} for cell, two in self.differences.items()]
        answer = {"solutions": self.solutions, "differences": differing}
        return _proved(self.outcome) | answer | _shown_otherwise(self.alternative)


def _proved(search: engine.SearchOutcome) -> dict[str, Any]:
    return {"status": search.status, "complete": search.ended == "complete", "ended": search.ended}


def _shown_otherwise(alternative: Solution | None) -> dict[str, Any]:
    """The shown atoms of another solution with the same, unique grid."""
    return {"shown_otherwise": list(map(to_asp, alternative.shown))} if alternative else {}


@interruptible
def solve(
    puzzle: source.Source,
    *,
    time_limit: float | None = None,
    limit: int = 2,
    random: bool = False,
    seed: int | None = None,
    on_solution: OnSolution = None,
    interruptible: bool = False,
    statistics: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> Solutions:
    """Solve a puzzle.

    By default, a second solution is searched for, so that the result proves whether the first one
    is unique.

    Random solutions are all equally likely if a table of partial grids can be built
    (`aspdoku.counting`); otherwise `remarks` contains a warning. If there are several solutions,
    `limit` of them are drawn independently, so they may repeat.

    puzzle: a puzzle, its text, the path of its file, or a program
    rules: the keyword arguments `with_`, `without`, `constants` and `facts` of `compose`
    time_limit: seconds, grounding included; the results so far are returned
    limit: find up to this many solutions, 0 for all of them
    random: draw solutions at random
    seed: the same seed gives the same random solutions; None for a new one (`Solutions.sample`)
    on_solution: called with each solution when it is found; then only the first is kept
    interruptible: return what is known after KeyboardInterrupt instead of raising it
    statistics: whether the result has them; clingo takes 1 ms to collect them
    Raises PuzzleError or RuleError. Without a solution, `Solutions.solution` raises an error.
    """
    source.require_limit(limit)
    if seed is not None:
        source.require_natural(seed, "seed")
    if random and not limit:
        raise ArgumentError(
            "drawing random solutions never ends without a limit",
            Advice("; --random requires -n of at least 1", "; pass limit=1 or more"),
        )
    if seed is not None and not random:
        advice = Advice("; --seed requires --random", "; also pass random=True")
        raise ArgumentError("a seed is for random solutions", advice)
    program = source.program_of(puzzle, time_limit, **rules)
    if not random:
        return _solutions(program, time_limit, limit, on_solution, interruptible, statistics)
    deadline = Deadline(time_limit)
    result = _solutions(program, time_limit, 2, None, interruptible, statistics)
    seed = source.new_seed() if seed is None else seed
    if result.ended in ("time", "interrupted") and result.status != "several":
        return replace(result, solutions=())
    return _drawn(result, limit, seed, deadline, on_solution, interruptible)


def _drawn(
    result: Solutions,
    limit: int,
    seed: int,
    deadline: Deadline,
    on_solution: OnSolution,
    interruptible: bool,
) -> Solutions:
    from aspdoku.counting.sampling import Sample, Sampler  # loads what is needed only here

    kept: list[Solution] = []
    if result.status != "several":
        for solution in result.solutions:
            _keep(kept, solution, on_solution)
        return replace(result, sample=Sample(seed, True, len(result.solutions)))
    number, remarks = 0, result.remarks
    sample = Sample(seed, False, None)
    with engine.Stoppable(interruptible) as run:
        sampler = Sampler(result.program, seed, deadline.time_limit())
        sample = Sample(seed, sampler.is_uniform, sampler.total)
        if not sampler.is_uniform:
            remarks = (*remarks, f"the random solutions are not equally likely: {sampler.obstacle}")
        while number < limit:
            _keep(kept, sampler.draw(), on_solution)
            number += 1
        run.ended = "limit"
    if run.ended == "time":
        notice_time_limit()
    outcome = result.outcome._replace(found=number, ended=run.ended)
    return replace(result, outcome=outcome, solutions=tuple(kept), sample=sample, remarks=remarks)


def _keep(kept: list[Solution], solution: Solution, on_solution: OnSolution) -> None:
    if on_solution:
        on_solution(solution)
    if not kept or not on_solution:
        kept.append(solution)


def cell_contents_in(
    program: Program, time_limit: float | None = None
) -> Callable[[Solution], CellContents]:
    """What styles draw in the cells of a solution instead of numbers: for most rules, nothing."""
    if not any(_NUMBERS_STYLE.search(_style_of(rule)) for rule in program.rules):
        return lambda _: {}
    from aspdoku.drawing import cell_contents  # only if a style may draw numbers

    def contents(solution: Solution) -> CellContents:
        try:
            return cell_contents(program, solution, time_limit)
        except AspdokuError:
            return {}

    return contents


def _style_of(rule: RuleFile) -> str:
    """A rule's `.draw` file, unparsed, as parsing takes longer than solving; "" if none."""
    with suppress(AspdokuError):
        if rule.path:
            return read_text(rule.path.with_suffix(".draw"), "", "a style file", LARGEST_FILE)
    return ""


def _solutions(
    program: Program,
    time_limit: float | None,
    limit: int,
    on_solution: OnSolution,
    interruptible: bool,
    statistics: bool = False,
    find_conflicts: bool = True,
) -> Solutions:
    solver = engine.Solver(program, time_limit)
    search = solver.search(limit)
    kept: list[Solution] = []
    note("looking for a solution")
    with engine.until_interrupted(search, interruptible):
        for solution in search:
            note("looking for another solution")
            _keep(kept, solution, on_solution)
    outcome = search.outcome()
    known = solver.statistics() if statistics and solver.grounded else None
    alternative, remarks = _alternative(solver, outcome, kept, interruptible)
    numbers, stated = kept[0].numbers() if kept else {}, outcome.puzzle.solution or ()
    if ignored := engine.disagreement(outcome.status, numbers_by_cell(stated), numbers):
        puzzle = outcome.puzzle.doubted("differs").with_unsupported(ignored)
        outcome = outcome._replace(puzzle=puzzle)
        remarks.append(f"unsupported and ignored: {ignored}")
    conflicts = engine.GivenConflicts()
    if find_conflicts:
        conflicts = _conflicts(solver, outcome, interruptible)
    remarks = [*map(str, solver.messages), *remarks]
    return Solutions(program, outcome, tuple(kept), alternative, conflicts, tuple(remarks), known)


def two_solutions(
    program: Program, time_limit: float | None, interruptible: bool
) -> tuple[engine.SearchOutcome, list[Solution], tuple[str, ...]]:
    """The search that questions about a unique solution begin with, and clingo's warnings."""
    solver = engine.Solver(program, time_limit)
    search = solver.search(2)
    solutions: list[Solution] = []
    with engine.until_interrupted(search, interruptible):
        solutions += search
    return search.outcome(), solutions, tuple(map(str, solver.messages))


@interruptible
def count(
    puzzle: source.Source,
    *,
    time_limit: float | None = None,
    limit: int = 0,
    estimate: int = 0,
    seed: int | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> SolutionCount:
    """Count the solutions of a puzzle.

    Solutions are enumerated, unless there are many. Then, if the rules only require cells to
    differ, a table of partial grids counts them without finding any; if the rules treat numbers
    alike, one of the solutions that differ by exchanges of these numbers is found
    (`aspdoku.counting`).

    limit: count up to this many, 0 for all of them
    estimate: estimate the number from so many random descents, at least two; few solutions are
        counted all the same; there is no estimate if the time limit ends the descents
    seed: of the descents; None for a new one (`Estimate.seed`)
    The other arguments are those of `solve`. Solutions counted when the time limit is reached are a
    lower bound. Raises PuzzleError or RuleError.
    """
    from aspdoku.counting import count_solutions  # loads what `solve` does not need

    source.require_limit(limit)
    source.require_natural(estimate, "estimate")
    if seed is not None:
        source.require_natural(seed, "seed")
        if not estimate:
            advice = Advice("; --seed requires --estimate", "; also pass estimate=100")
            raise ArgumentError("a seed is for an estimate", advice)
    if estimate == 1 or (estimate and limit):
        raise ArgumentError("an estimate is from at least two descents, and without a limit")
    program = source.program_of(puzzle, time_limit, **rules)
    if estimate:
        seed = source.new_seed() if seed is None else seed
        return _estimated(program, Deadline(time_limit), estimate, seed, interruptible)
    project = not engine.has_unique_extensions(program)
    solver = engine.Solver(program, time_limit, options=engine.ENUMERATION_OPTIONS, project=project)
    note("counting")
    outcome, method, remarks = count_solutions(solver, limit, interruptible)
    messages = tuple(map(str, solver.messages))
    return SolutionCount(program, outcome, (*messages, *remarks), method)


def _estimated(
    program: Program, deadline: Deadline, descents: int, seed: int, interruptible: bool
) -> SolutionCount:
    from aspdoku.counting.estimate import Descents  # loads what is needed only here

    search = known = None
    with engine.Stoppable(interruptible) as run:
        search = Descents(program, seed, deadline)
        if search.exact is None:
            known = search.run(descents)
            run.ended = "limit"
    if run.ended == "time":
        notice_time_limit()
    least = search.least if search else 0
    status: engine.SearchStatus = "several" if least > 1 else "some" if least else "unknown"
    remarks: tuple[str, ...] = ()
    method: CountMethod = "enumeration"
    if search:
        remarks, method = search.remarks, "symmetry" if search.factor > 1 else "enumeration"
        if search.exact is not None:
            status = "several" if least > 1 else "unique" if least else "none"
        elif not known:
            finished = f"only {search.finished} of {descents} descents were finished"
            remarks += (f"{finished}: an estimate without slow ones would be biased",)
    outcome = engine.SearchOutcome(
        program.puzzle.doubted(status), status, run.ended, least, search is not None
    )
    return SolutionCount(program, outcome, remarks, method, known)


@interruptible
def unique(
    puzzle: source.Source,
    *,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[source.RuleOptions],
) -> Uniqueness:
    """Decide whether a puzzle has a unique solution. The arguments are those of `solve`.

    Raises PuzzleError or RuleError.
    """
    program = source.program_of(puzzle, time_limit, **rules)
    result = _solutions(program, time_limit, 2, None, interruptible, find_conflicts=False)
    return Uniqueness(**vars(result))


def _alternative(
    solver: engine.Solver,
    search: engine.SearchOutcome,
    solutions: list[Solution],
    interruptible: bool,
) -> tuple[Solution | None, list[str]]:
    """Another solution with the unique grid, or a remark if that could not be decided."""
    if search.status != "unique":
        return None, []
    with engine.Stoppable(interruptible) as run:
        return solver.shown_otherwise(solutions[0]), []
    why = "interrupted before the uniqueness of the shown atoms was decided"
    return None, [str(run.error) or why]


def _conflicts(
    solver: engine.Solver, search: engine.SearchOutcome, interruptible: bool
) -> engine.GivenConflicts:
    if search.status != "none" or solver.deadline.passed:
        return engine.GivenConflicts()
    from aspdoku.explanation.conflict import given_conflicts  # only without a solution

    with engine.Stoppable(interruptible):
        return given_conflicts(solver.program, solver.deadline.time_limit())
    return engine.GivenConflicts()


def solution_formatter(
    format_: str, colour: bool, contents: Callable[[Solution], CellContents]
) -> Callable[[Solution], str]:
    """The function that formats a solution as grid, line or facts; `contents` replace numbers."""

    def grid(solution: Solution) -> str:
        cells, puzzle = contents(solution), solution.puzzle
        texts = {cell: text.symbols(numbers, puzzle) for cell, numbers in cells.items()}
        shown = text.candidate_grid(puzzle, texts, colour) if cells else text.grid(solution, colour)
        return "\n\n".join(filter(None, (shown, text.shown_atoms(solution))))

    return {"grid": grid, "line": text.line, "facts": text.facts}[format_]


def verdict(
    search: engine.SearchOutcome,
    shown: int | None,
    alternative: Solution | None = None,
    sample: Sample | None = None,
) -> str:
    """One line on how many solutions there are, as far as the search has decided it.

    shown: the number of solutions printed
    alternative: a solution with the same, unique grid and other shown atoms, which are printed
    """
    if sample and search.status == "several":
        drawn = pluralize(search.found, "random solution")
        if search.ended in _ENDS:
            drawn += f" drawn {_ENDS[search.ended]}"
        elif sample.total is not None:
            drawn += f" of {sample.total}, all equally likely"
        return f"{drawn} (seed {sample.seed}){search.puzzle.caveat}"
    if alternative:
        grid = f"the grid is unique{search.puzzle.caveat}, but the atoms shown with it are not"
        return f"{grid}; they can also be\n\n{text.shown_atoms(alternative)}"
    return _number_of_solutions(search, shown) + search.puzzle.caveat


def _number_of_solutions(search: engine.SearchOutcome, shown: int | None) -> str:
    number = search.found
    if search.ended == "complete":
        return {0: "no solution", 1: "unique solution"}.get(number, f"exactly {number} solutions")
    if search.ended == "limit" and shown is not None and number > shown:
        return "at least two solutions; this is the first"
    if search.ended == "limit" and number == 1:
        return "a solution; no others were searched for"
    if search.ended == "limit":
        return f"{number} solutions; there may be others"
    end = _ENDS[search.ended or "interrupted"]
    if not search.started:
        growth = search.growth and f"; {search.growth}"
        return f"no result {end}: the program was still being grounded{growth}"
    if number == 0:
        return f"no solution found {end}, but there may be one"
    if number == 1:
        return f"a solution; its uniqueness was not decided {end}"
    return f"{number} solutions found {end}; there may be others"


def conflict_lines(puzzle: Puzzle, conflicts: engine.GivenConflicts) -> list[str]:
    """Obvious reasons for the absence of solutions, one line each."""
    if conflicts.rules_alone:
        what = "rules and clues" if puzzle.facts else "rules"
        return [f"the {what} have no solution, whatever the givens are"]
    givens, lines = puzzle.givens(), []
    for cells in conflicts.givens:
        named = " and ".join(f"r{row}c{column}={givens[row, column]}" for row, column in cells)
        alone = f"the rules forbid {named} on its own"
        lines.append(f"{named} conflict" if cells[1:] else alone)
    return lines if conflicts.complete else [*lines, "there may be other conflicts"]


def statistics_text(statistics: engine.Statistics) -> str:
    """Program size and search statistics in two lines."""
    memory = f", {statistics.memory / 1e6:.0f} MB" if statistics.memory else ""
    return (
        f"{statistics.atoms} atoms, {statistics.rules} rules, {statistics.choices} choices,"
        f" {statistics.conflicts} conflicts\ngrounding {statistics.grounding:.3f} s, solving"
        f" {statistics.solving:.3f} s{memory}"
    )
