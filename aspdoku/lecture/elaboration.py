"""Elaboration tolerance, demonstrated: what each elaboration of a puzzle changes and preserves.

The term is John McCarthy's ("Elaboration Tolerance", 1998). Each step is reported by its text,
contract, ground program and solutions. Tables do so for all rules and a base: ours, or that of the
slides, in which the choice rule for boxes is what places the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from aspdoku.engine import Search, Solver
from aspdoku.engine.solver import Stoppable, grid_atoms
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.lecture import changes
from aspdoku.lecture.equivalence import Violation, find_program_violations, find_violations
from aspdoku.lecture.own_base import OwnBase, require_apart
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.transform import negate, unused_tag
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzlefile.reader import parse_native
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# The size at which all grids can be counted: 576 Latin squares.
COUNTED_SIZE = 4
LIMIT = 1000
_ENDLESS = "grounding was not finished within the time limit and may be infinite"
_LATE = "the time limit was reached before this step"
_TRIED = 50


class SolutionCount(NamedTuple):
    """The numbers of solutions of a blank grid or the puzzle; None if they were not counted."""

    size: int
    blank: bool
    before: int | None
    before_exact: bool
    after: int | None
    after_exact: bool


class ExampleGrid(NamedTuple):
    """A solution of one program, and where it violates the other, if the grid decides that."""

    grid: Solution
    violations: tuple[Violation, ...]


class ElaborationStep(NamedTuple):
    """One elaboration, compared with the program before it.

    place: its file, or the fact that it consists of
    contract: None for all elaborations combined
    ground_diff: None if grounding was not finished; `gave_up` gives the reason
    forbidden: a solution that it excludes, with the violations of the program after it
    allowed: a solution that it adds, with the violations of the program before it
    undecided: whether some of these were not computed within the time limit
    """

    name: str
    place: str
    text_diff: changes.TextDiff
    contract: changes.Contract | None
    ground_diff: changes.GroundDiff | None
    gave_up: str
    counts: tuple[SolutionCount, ...]
    forbidden: ExampleGrid | None
    allowed: ExampleGrid | None
    no_example_reason: str
    unified_diff: tuple[str, ...]
    undecided: bool


class ElaborationReport(NamedTuple):
    """The elaborations of a puzzle, each compared with the program before it, and all combined.

    files: all rule files of the last program
    interrupted: whether KeyboardInterrupt ended the report after the last of the steps
    left_out: the files for this puzzle that only speed up the search
    """

    puzzle: Puzzle
    base: RuleFile
    steps: tuple[ElaborationStep, ...]
    combined: ElaborationStep | None
    files: tuple[changes.FileStatus, ...]
    interrupted: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def asked_for(self) -> ElaborationReport:
        """Only the steps other than the default rules, if there are any."""
        known = {rule.place for rule in library.defaults()}
        steps = tuple(step for step in self.steps if step.place not in known)
        return self._replace(steps=steps, combined=None) if steps else self

    @property
    def all_steps(self) -> list[ElaborationStep]:
        """The steps in order, then all combined."""
        return [*self.steps, *([self.combined] if self.combined else [])]

    @property
    def complete(self) -> bool:
        """Whether everything was computed within the time limit."""
        left_open = (step.gave_up or step.undecided for step in self.all_steps)
        return not self.interrupted and not any(left_open)


class Stage(NamedTuple):
    """An intermediate program: its rule files, exceptions, retractions and constants so far. It is
    without what only speeds up the search.

    own: the program in words of its own that is the base, if it is one
    """

    rules: tuple[RuleFile, ...]
    exceptions: tuple[Function, ...] = ()
    without: tuple[str, ...] = ()
    constants: tuple[tuple[str, str | int], ...] = ()
    own: OwnBase | None = None

    def program(self, puzzle: Puzzle, sizes: Mapping[str, int] | None = None) -> Program:
        """The program for a puzzle, with the `sizes` of the stage that it is compared with."""
        facts = (*(fact for fact in puzzle.facts if fact.name != EXCEPTIONS), *self.exceptions)
        puzzle = puzzle.replace(without=(), facts=facts)
        constants = dict(self.constants)
        return assemble(puzzle, self.rules, self.without, constants, sizes=sizes, fast=False)

    def with_rule(self, rule: RuleFile) -> Stage:
        """The next stage, with one more file."""
        return self._replace(rules=(*self.rules, rule))


def elaborate(
    puzzle: Puzzle,
    rules: Sequence[RuleFile],
    limit: int = LIMIT,
    time_limit: float | None = None,
    base: RuleFile | OwnBase | None = None,
    constants: Mapping[str, str | int] | None = None,
    interruptible: bool = False,
) -> ElaborationReport:
    """Add the rules to the base one by one, then the puzzle's exceptions, then retract rules;
    report on each step.

    limit: how many solutions to count at the puzzle's own size
    base: another base program than ours, such as that of the slides
    interruptible: at KeyboardInterrupt, return the steps that are complete, if there are any
    Raises RuleError for an invalid rule file, and for a rule that cannot be retracted, neither by
    a fact nor with an edited base.
    """
    set_ = tuple((constants or {}).items())
    if isinstance(base, OwnBase):
        require_apart(base, rules)
        first = Stage((base.program, base.bridge), constants=set_, own=base)
    else:
        first = Stage((base or library.base(),), constants=set_)
    left_out = [rule for rule in rules if rule in library.speed().values()]
    added = [rule for rule in rules if rule not in left_out]
    deadline = Deadline(time_limit)
    planned = list(planned_changes(first, puzzle, added, deadline))
    last = planned[-1].after if planned else first
    ask = _Questions(puzzle, last, limit, deadline)
    steps: list[ElaborationStep] = []
    combined: ElaborationStep | None = None
    with Stoppable(interruptible) as run:
        for change in planned:
            note(change.rule.name)
            steps.append(_step(ask, change.before, change.after, change.rule))
        if len(steps) > 1:
            note("all together")
            combined = _step(ask, first, last, None)
    if run.error and not (steps and run.ended == "interrupted"):
        raise run.error
    program, interrupted = ask.program(last, puzzle), run.error is not None
    files = changes.file_statuses(program.rules, program)
    places = tuple(rule.place for rule in left_out)
    return ElaborationReport(
        puzzle, first.rules[0], tuple(steps), combined, files, interrupted, places
    )


class Change(NamedTuple):
    """An elaboration, as a rule file, and the stages before and after it."""

    before: Stage
    after: Stage
    rule: RuleFile


def planned_changes(
    stage: Stage, puzzle: Puzzle, rules: Iterable[RuleFile], deadline: Deadline
) -> Iterator[Change]:
    """The elaborations of a puzzle from a stage on: its rules, its exceptions, its retractions.
    Raises RuleError for one that cannot be retracted.
    """
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
    for name in dict.fromkeys(puzzle.without):
        symbol = name.replace("-", "_")
        known = any(symbol in rule.retractable for rule in stage.rules)
        if known or base == library.base():
            file = _as_file(f"without {name}", Function(EXCEPTIONS, (Function(symbol),)))
            yield change(file, stage._replace(without=(*stage.without, name)))
        else:
            own = stage.own
            edited = own.without(name, deadline) if own else edited_base(base, name)
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
    """Cached queries to the stages: each is the result of one step and the start of the next. All
    programs have the sizes of the last one: rules that determine the grid, such as `boards`, would
    replace the box shape that the instance states without them.
    """

    def __init__(self, puzzle: Puzzle, last: Stage, limit: int, deadline: Deadline) -> None:
        self.puzzle = puzzle
        self.undecided = False
        self.deadline = deadline
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
        blank = not own.facts and not own.givens()
        if before.own:  # which has a size of its own, and may have givens
            asked = [(own, self._limit, blank and not before.own.grid.given)]
        else:
            asked = [(small, 0, True)]
            if Puzzle(own.grid, own.box, own.facts, numbers=own.numbers) != small:
                asked.append((own, self._limit, blank))
        for puzzle, limit, blank in asked:
            counts = (self._counted(stage, puzzle, limit) for stage in (before, after))
            yield SolutionCount(puzzle.size, blank, *next(counts), *next(counts))

    def _trace(self, stage: Stage) -> changes.TracedProgram | None:
        """The ground program; None if grounding took too long: then no other query is made."""
        with suppress(TimeLimitError):
            return changes.trace(self.program(stage, self.puzzle), self.deadline.time_limit())
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
    judged = changes.contract(rule, before.rules) if rule else None
    if rule and before.rules[0] != after.rules[0]:
        judged = changes.Contract("surgery", ())
    late = ask.deadline.seconds_left() <= 0
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
        text_diff=changes.diff_texts(old, new),
        contract=judged,
        ground_diff=changes.diff_ground_programs(was, is_now) if was and is_now else None,
        gave_up="" if ended else _LATE if late else _ENDLESS,
        counts=counts,
        forbidden=forbidden,
        allowed=allowed,
        no_example_reason=silence,
        unified_diff=tuple(changes.unified_text_diff(old, new)),
        undecided=ask.undecided,
    )


def _examples(
    ask: _Questions, before: Stage, after: Stage, rule: RuleFile, judged: changes.Contract
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
        violations = find_violations(rule, solution, program=program)
        return ExampleGrid(solution, tuple(violations)), None, ""
    if not ask.settled(search):
        return None, None, "no solution that it forbids was found within the time limit"
    return None, None, "it forbids no solution of this puzzle"


def _only_in(ask: _Questions, here: Stage, there: Stage) -> ExampleGrid | None:
    """A solution of one stage that is none of the other, if one of a few is, with its violations.
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
                    violations = find_program_violations(program, solution, left)
                except TimeLimitError:
                    ask.undecided, violations = True, []
                return ExampleGrid(solution, tuple(violations))
    return None


# The size of the grids whose ground rules a table counts.
SIZE = 9


class ElaborationRow(NamedTuple):
    """One elaboration, compared with the program before it.

    kind: its contract
    ground_diff: the ground programs of a blank 9x9 grid
    solutions: the numbers of all 4x4 grids before and after, with the `example` facts of the file
    """

    name: str
    title: str
    kind: changes.ContractKind
    text_diff: changes.TextDiff
    ground_diff: changes.GroundDiff
    solutions: tuple[int, int]
    example: str


class ElaborationTable(NamedTuple):
    """The elaborations of one base, all of them unless the time limit was reached."""

    base: RuleFile
    rows: tuple[ElaborationRow, ...]
    complete: bool


def elaboration_tables(
    rules: Iterable[RuleFile],
    time_limit: float | None = None,
    on_row: Callable[[RuleFile, ElaborationRow], None] = lambda *_: None,
) -> tuple[ElaborationTable, ElaborationTable]:
    """The table of these elaborations for our base, and for that of the slides. The last row of
    each retracts the boxes, as Strimko requires: for our base, by adding a fact; for that of the
    slides, by editing it. `on_row` is called with the base and each row.
    """
    game = library.defaults()
    others = [rule for rule in rules if rule not in game]
    retracted = tuple(rule.name for rule in game)
    bare, slides = Stage((library.base(),)), Stage((library.bundled("slides/base.lp"),))
    played = Stage((library.base(), *game))
    edited = Stage((edited_base(slides.rules[0], "box"),))
    back = _no_boxes("by adding a fact", retracted)
    ours = [Change(bare, bare.with_rule(rule), rule) for rule in game]
    ours += [Change(played, played.with_rule(rule), rule) for rule in others]
    ours.append(Change(played, played._replace(without=retracted), back))
    theirs = [Change(slides, slides.with_rule(rule), rule) for rule in others]
    theirs.append(Change(slides, edited, _no_boxes("by editing the base")))
    deadline = Deadline(time_limit)
    return _table(ours, deadline, on_row), _table(theirs, deadline, on_row)


def _table(
    planned: list[Change], deadline: Deadline, on_row: Callable[[RuleFile, ElaborationRow], None]
) -> ElaborationTable:
    base = planned[0].before.rules[0]
    rows: list[ElaborationRow] = []
    with suppress(TimeLimitError):
        for number, change in enumerate(planned, 1):
            note(f"{base.place}: {change.rule.name}, {number} of {len(planned)}")
            rows.append(_row(change, deadline))
            on_row(base, rows[-1])
    return ElaborationTable(base, tuple(rows), len(rows) == len(planned))


def _no_boxes(how: str, retracted: Iterable[str] = ()) -> RuleFile:
    """A rule file that retracts the boxes by facts, or has no facts if that is impossible."""
    facts = "".join(f"{EXCEPTIONS}({name.replace('-', '_')}).\n" for name in retracted)
    return RuleFile("(no boxes)", "the puzzle", f"% Strimko: no boxes, {how}\n{facts}", vetted=True)


def _row(change: Change, deadline: Deadline) -> ElaborationRow:
    """The row of one elaboration. Raises TimeLimitError at the deadline."""
    rule = change.rule

    def programs(size: int) -> tuple[Program, Program]:
        """Those for a blank grid with the example's facts."""
        puzzle = Puzzle.blank(size)
        if rule.example:
            text = f"{'.' * size * size}\n[facts]\n{rule.example}"
            puzzle = puzzle.replace(facts=parse_native(text, "example").facts)
        after = change.after.program(puzzle)
        return change.before.program(puzzle, after.sizes), after

    def count(program: Program) -> int:
        search = Solver(program, deadline.time_limit()).search(0)
        number = search.count()
        if search.ended == "time":
            raise TimeLimitError("time limit reached")
        return number

    before, after = programs(SIZE)
    changed = changes.diff_texts(before, after)
    untouched = not changed.removed and all(file.untouched for file in changed.kept)
    kind = changes.contract(rule, change.before.rules).kind if untouched else "surgery"
    ground = (changes.trace(program, deadline.time_limit()) for program in (before, after))
    few, fewer = programs(COUNTED_SIZE)
    diff, numbers = changes.diff_ground_programs(*ground), (count(few), count(fewer))
    return ElaborationRow(rule.name, rule.title, kind, changed, diff, numbers, rule.example)
