"""Elaboration tolerance, demonstrated: what each elaboration of a puzzle changes and preserves.

The term is John McCarthy's ("Elaboration Tolerance", 1998). Each step is reported by its text,
contract, ground program and solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from aspdoku.engine import Search, Solver
from aspdoku.engine.solver import Stoppable, grid_atoms
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.lecture.changes import (
    Contract,
    FileStatus,
    GroundDiff,
    TextDiff,
    TracedProgram,
    contract,
    diff_ground_programs,
    diff_texts,
    file_statuses,
    trace,
    unified_text_diff,
)
from aspdoku.lecture.equivalence import Violation, find_program_violations, find_violations
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.transform import negate, unused_tag
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# The size at which all grids can be counted: 576 Latin squares.
COUNTED_SIZE = 4
LIMIT = 1000
_TRIED = 50


class SolutionCount(NamedTuple):
    """The numbers of solutions of one grid; `exact` unless counting stopped at a limit.

    blank: whether this is a blank grid, rather than the puzzle
    A number is None if counting did not start.
    """

    size: int
    blank: bool
    before: int | None
    before_exact: bool
    after: int | None
    after_exact: bool


class ExampleGrid(NamedTuple):
    """A solution of one of two programs, and where it violates the other.

    That is empty if the grid does not determine all other atoms of that program.
    """

    grid: Solution
    violations: tuple[Violation, ...]


class ElaborationStep(NamedTuple):
    """One elaboration, compared with the program before it.

    name: its name; place: its file, or the fact that it consists of
    contract: None for all elaborations combined
    ground_diff: None if grounding was not finished; `gave_up` gives the reason
    counts: solutions at 4x4, where all can be counted, and at the puzzle's size up to a limit
    forbidden: a solution that it excludes, with the violations of the program after it
    allowed: a solution that it adds, with the violations of the program before it
    no_example_reason: why there is neither
    unified_diff: a unified diff of the program texts
    undecided: whether some of these were not computed within the time limit
    """

    name: str
    place: str
    text_diff: TextDiff
    contract: Contract | None
    ground_diff: GroundDiff | None
    gave_up: str
    counts: tuple[SolutionCount, ...]
    forbidden: ExampleGrid | None
    allowed: ExampleGrid | None
    no_example_reason: str
    unified_diff: tuple[str, ...]
    undecided: bool


class ElaborationReport(NamedTuple):
    """The elaborations of a puzzle, each compared with the program before it, and all of them
    combined with the base.

    files: all rule files of the last program
    interrupted: whether KeyboardInterrupt ended the report after the last of the steps
    """

    puzzle: Puzzle
    base: RuleFile
    steps: tuple[ElaborationStep, ...]
    combined: ElaborationStep | None
    files: tuple[FileStatus, ...]
    interrupted: bool = False

    @property
    def asked_for(self) -> ElaborationReport:
        """Only the steps other than the default rules, if there are any."""
        known = {rule.place for rule in library.defaults()}
        steps = tuple(step for step in self.steps if step.place not in known)
        return self._replace(steps=steps, combined=None) if steps else self

    @property
    def complete(self) -> bool:
        """Whether everything was computed within the time limit."""
        every = (*self.steps, *([self.combined] if self.combined else []))
        return not self.interrupted and not any(step.gave_up or step.undecided for step in every)


class Stage(NamedTuple):
    """An intermediate program: its rule files, exceptions, retractions and constants so far."""

    rules: tuple[RuleFile, ...]
    exceptions: tuple[Function, ...] = ()
    without: tuple[str, ...] = ()
    constants: tuple[tuple[str, str | int], ...] = ()

    def program(self, puzzle: Puzzle, sizes: Mapping[str, int] | None = None) -> Program:
        """The program for a puzzle, with the `sizes` of the stage that it is compared with."""
        facts = (*(fact for fact in puzzle.facts if fact.name != EXCEPTIONS), *self.exceptions)
        return assemble(
            puzzle.replace(without=(), facts=facts),
            self.rules,
            self.without,
            dict(self.constants),
            sizes=sizes,
        )

    def with_rule(self, rule: RuleFile) -> Stage:
        """The next stage, with one more file."""
        return self._replace(rules=(*self.rules, rule))


def elaborate(
    puzzle: Puzzle,
    rules: Sequence[RuleFile],
    without: Iterable[str] = (),
    limit: int = LIMIT,
    time_limit: float | None = None,
    base: RuleFile | None = None,
    constants: Mapping[str, str | int] | None = None,
    interruptible: bool = False,
) -> ElaborationReport:
    """Add the rules to the base one by one, then the puzzle's exceptions, then retract rules;
    report on each step.

    rules: in the order in which they are added; the base is not included
    limit: how many solutions to count at the puzzle's own size
    time_limit: seconds for the whole report; what is undecided by then is reported as such
    base: another base program than ours, such as that of the slides
    constants: values for constants in the rules
    interruptible: at KeyboardInterrupt, return the steps that are complete, if there are any
    Raises RuleError for an invalid rule file, and for a rule that cannot be retracted, neither by
    a fact nor with an edited base.
    """
    first = Stage((base or library.base(),), constants=tuple((constants or {}).items()))
    changes = list(_changes(first, puzzle, rules, [*puzzle.without, *without]))
    last = changes[-1].after if changes else first
    ask = _Questions(puzzle, last, limit, time_limit)
    steps: list[ElaborationStep] = []
    combined: ElaborationStep | None = None
    with Stoppable(interruptible) as run:
        for change in changes:
            note(change.rule.name)
            steps.append(_step(ask, change.before, change.after, change.rule))
        if len(steps) > 1:
            note("all together")
            combined = _step(ask, first, last, None)
    if run.error and not (steps and run.ended == "interrupted"):
        raise run.error
    program = ask.program(last, puzzle)
    files = file_statuses(program.rules, program)
    return ElaborationReport(
        puzzle, first.rules[0], tuple(steps), combined, files, run.error is not None
    )


class Change(NamedTuple):
    """An elaboration, as a rule file, and the stages before and after it."""

    before: Stage
    after: Stage
    rule: RuleFile


def _changes(
    stage: Stage, puzzle: Puzzle, rules: Iterable[RuleFile], without: Iterable[str]
) -> Iterator[Change]:
    base = stage.rules[0]

    def change(rule: RuleFile, after: Stage) -> Change:
        nonlocal stage
        before, stage = stage, after
        return Change(before, after, rule)

    for rule in dict.fromkeys(rules):
        yield change(rule, stage.with_rule(rule))
    for fact in (fact for fact in puzzle.facts if fact.name == EXCEPTIONS):
        exceptions = (*stage.exceptions, fact)
        yield change(_as_file("an exception", fact), stage._replace(exceptions=exceptions))
    for name in dict.fromkeys(without):
        symbol = name.replace("-", "_")
        known = any(symbol in rule.retractable for rule in stage.rules)
        if known or base == library.base():
            file = _as_file(f"without {name}", Function(EXCEPTIONS, (Function(symbol),)))
            yield change(file, stage._replace(without=(*stage.without, name)))
        else:
            edited = edited_base(base, name)
            file = RuleFile(f"without {name}", edited.place, "", vetted=True)
            yield change(file, stage._replace(rules=(edited, *stage.rules[1:])))


def edited_base(base: RuleFile, name: str) -> RuleFile:
    """The file `BASE-without-NAME.lp` next to a base that has no exception for the rule."""
    file = base.path and base.path.with_name(f"{base.path.stem}-without-{name}.lp")
    if not file or not file.is_file():
        raise RuleError(
            f"rule '{name}' cannot be retracted: {base.place} lacks"
            f" 'not ab({name.replace('-', '_')})', and there is no edited base"
            f" {base.name}-without-{name}.lp next to it"
        )
    return RuleFile.read(file, base.place.replace(f"{base.name}.lp", file.name), base.vetted)


def _as_file(name: str, fact: Function) -> RuleFile:
    return RuleFile(name, f"{fact}.", f"{fact}.\n", vetted=True)


class _Questions:
    """Cached queries to the stages: each is the result of one step and the start of the next.

    All programs have the sizes of the last one: rules that determine the grid, such as `boards`,
    would replace the box shape that the instance states without them.
    """

    def __init__(self, puzzle: Puzzle, last: Stage, limit: int, time_limit: float | None) -> None:
        self.puzzle = puzzle
        self.undecided = False
        self.deadline = Deadline(time_limit)
        self.sizes = cache(lambda asked: last.program(asked).sizes)
        self.program = cache(lambda stage, asked: stage.program(asked, self.sizes(asked)))
        self.trace = cache(self._trace)
        self.solver = cache(
            lambda stage, asked: Solver(self.program(stage, asked), self.deadline.time_limit())
        )
        self._limit = limit
        self._counted = cache(self._count)

    def settled(self, search: Search) -> bool:
        """Whether a search was completed; records if the time limit ended it."""
        self.undecided |= search.ended == "time"
        return search.ended == "complete"

    def counts(self, before: Stage, after: Stage) -> Iterator[SolutionCount]:
        """The counts at 4x4, where all solutions can be counted, and at the puzzle's own size."""
        small, own = Puzzle.blank(COUNTED_SIZE), self.puzzle
        asked = [(small, 0, True)]
        if Puzzle(own.grid, own.box, own.facts, numbers=own.numbers) != small:
            asked.append((own, self._limit, not own.facts and not own.givens()))
        for puzzle, limit, blank in asked:
            counts = (self._counted(stage, puzzle, limit) for stage in (before, after))
            yield SolutionCount(puzzle.size, blank, *next(counts), *next(counts))

    def _trace(self, stage: Stage) -> TracedProgram | None:
        """The ground program; None if grounding took too long.

        In that case, no other query is made, because it would take as long again.
        """
        with suppress(TimeLimitError):
            return trace(self.program(stage, self.puzzle), self.deadline.time_limit())
        return None

    def _count(self, stage: Stage, asked: Puzzle, limit: int) -> tuple[int | None, bool]:
        """The number of solutions, up to the limit, and whether these are all."""
        if self.trace(stage) is None:
            return None, False
        search = self.solver(stage, asked).search(limit)
        return search.count(), self.settled(search)


def _step(ask: _Questions, before: Stage, after: Stage, rule: RuleFile | None) -> ElaborationStep:
    """The step from one stage to another: by one elaboration, or by all combined."""
    old, new = ask.program(before, ask.puzzle), ask.program(after, ask.puzzle)
    judged = contract(rule, before.rules) if rule else None
    if rule and before.rules[0] != after.rules[0]:
        judged = Contract("surgery", ())
    was, is_now = ask.trace(before), ask.trace(after)
    ended = was is not None and is_now is not None
    ask.undecided = False
    forbidden, allowed, silence = None, None, ""
    if ended and rule and judged:
        forbidden, allowed, silence = _examples(ask, before, after, rule, judged)
    counts = tuple(ask.counts(before, after))
    return ElaborationStep(
        name=rule.name if rule else "all together",
        place=(rule or old.rules[0]).place,
        text_diff=diff_texts(old, new),
        contract=judged,
        ground_diff=diff_ground_programs(was, is_now) if was and is_now else None,
        gave_up=(
            "" if ended else "grounding was not finished within the time limit and may be infinite"
        ),
        counts=counts,
        forbidden=forbidden,
        allowed=allowed,
        no_example_reason=silence,
        unified_diff=tuple(unified_text_diff(old, new)),
        undecided=ask.undecided,
    )


def _examples(
    ask: _Questions, before: Stage, after: Stage, rule: RuleFile, judged: Contract
) -> tuple[ExampleGrid | None, ExampleGrid | None, str]:
    """An excluded solution, an added one, and the reason if there is neither."""
    restricting = judged.kind in ("restricts", "extends")
    if restricting:
        with suppress(RuleError):  # the file cannot be negated
            return _by_its_lines(ask, before, rule)
    lost = _only_in(ask, before, after)
    gained = None if restricting else _only_in(ask, after, before)
    silence = f"none found: up to {_TRIED} solutions of the program before were tested"
    silence += "" if restricting else " and as many of the program after"
    return lost, gained, "" if lost or gained else silence


def _by_its_lines(
    ask: _Questions, before: Stage, rule: RuleFile
) -> tuple[ExampleGrid | None, None, str]:
    """A solution of the program before that violates the rule. Raises RuleError."""
    program = ask.program(before, ask.puzzle)
    facts = program.puzzle.facts
    tag = unused_tag("it", [rule.text, *(other.text for other in before.rules), *map(str, facts)])
    asking = ask.program(before.with_rule(negate(rule, tag, facts)), ask.puzzle)
    broken = [(Function(f"{tag}_broken"), True)]
    search = Solver(asking, ask.deadline.time_limit()).search(1, broken)
    for grid in search:
        solution = Solution(ask.puzzle, grid.rows)
        found = find_violations(rule, solution, program=program)
        return ExampleGrid(solution, tuple(found)), None, ""
    if not ask.settled(search):
        return None, None, "no solution that it forbids was found within the time limit"
    return None, None, "it forbids no solution of this puzzle"


def _only_in(ask: _Questions, here: Stage, there: Stage) -> ExampleGrid | None:
    """A solution of one stage that is not a solution of the other, if one of a few is, with its
    violations of the other, unless the time limit is reached.

    Each of the solutions tested has another number in some cell.
    """
    span = range(1, ask.puzzle.size + 1)
    for place in islice(product(span, span, ask.puzzle.numbers), _TRIED):
        for grid in ask.solver(here, ask.puzzle).search(1, [(Function(GIVEN[0], place), True)]):
            whole = [(atom, True) for atom in grid_atoms(grid)]
            other = ask.solver(there, ask.puzzle).search(1, whole)
            if not other.count() and ask.settled(other):
                solution = Solution(ask.puzzle, grid.rows)
                program, left = ask.program(there, ask.puzzle), ask.deadline.time_limit()
                try:
                    found = find_program_violations(program, solution, left)
                except TimeLimitError:
                    ask.undecided, found = True, []
                return ExampleGrid(solution, tuple(found))
    return None
