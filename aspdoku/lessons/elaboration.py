"""The lesson itself: what each elaboration leaves as it was: text, contract, ground program, solutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from aspdoku.engine import Solver
from aspdoku.errors import RuleError
from aspdoku.lessons.breach import Breach, breaches
from aspdoku.lessons.contract import Contract, contract
from aspdoku.lessons.evidence import Evidence, evidence, trace
from aspdoku.lessons.wording import Wording, difference, wording
from aspdoku.program import Program, RuleFile, join, library
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.violations import breach
from aspdoku.puzzle import Function, Puzzle, Solution

# The size at which all grids can be counted: 576 Latin squares.
COUNTED_SIZE = 4
LIMIT = 1000
_TRIED = 50
_TAG = "it"


class Count(NamedTuple):
    """How many solutions there are at one size; `exact` unless the counting stopped at the limit."""

    size: int
    before: int
    before_exact: bool
    after: int
    after_exact: bool


class Forbidden(NamedTuple):
    """A solution that stood before, and where it breaks the elaboration."""

    grid: Solution
    breaches: tuple[Breach, ...]


class Step(NamedTuple):
    """One elaboration beside all that stood before it.

    name: what it is called; place: its file, or the fact that it is
    contract: None where there is no one file to judge: a fact, or all elaborations together
    counts: solutions at 4x4, where all can be counted, and at the puzzle's own size up to a limit
    forbidden: a solution that it rules out; allowed: one that it lets in; `silence` says why there is neither
    """

    name: str
    place: str
    wording: Wording
    contract: Contract | None
    evidence: Evidence
    counts: tuple[Count, ...]
    forbidden: Forbidden | None
    allowed: Solution | None
    silence: str
    difference: tuple[str, ...]


class Report(NamedTuple):
    """The elaborations of a puzzle, each against what stood before it, and all of them together against the base."""

    puzzle: Puzzle
    base: RuleFile
    steps: tuple[Step, ...]
    together: Step | None


class Stage(NamedTuple):
    """A program on the way: its rule files, and what has been excepted and taken back by then."""

    rules: tuple[RuleFile, ...]
    exceptions: tuple[Function, ...] = ()
    without: tuple[str, ...] = ()

    def program(self, puzzle: Puzzle) -> Program:
        """The program for a puzzle at this stage."""
        facts = (*(fact for fact in puzzle.facts if fact.name != EXCEPTIONS), *self.exceptions)
        return join(puzzle.but(without=(), facts=facts), self.rules, self.without)

    def with_rule(self, rule: RuleFile) -> Stage:
        """The stage after it, with one more file."""
        return self._replace(rules=(*self.rules, rule))


def elaborate(
    puzzle: Puzzle,
    rules: Sequence[RuleFile],
    without: Iterable[str] = (),
    limit: int = LIMIT,
    time_limit: float | None = None,
    base: RuleFile | None = None,
) -> Report:
    """Add the rules to the base one by one, then the puzzle's exceptions, then take back what is to go; report on each step.

    rules: in the order in which they join; the base is not among them
    limit: how many solutions to count at the puzzle's own size
    time_limit: seconds for each question about solutions
    Raises RuleError for a rule file that is none.
    """
    base = base or library.base()
    stages = [Stage((base,))]
    labels: list[tuple[str, str, RuleFile | None]] = []
    for rule in dict.fromkeys(rules):
        stages.append(stages[-1].with_rule(rule))
        labels.append((rule.name, rule.place, rule))
    for fact in (fact for fact in puzzle.facts if fact.name == EXCEPTIONS):
        stages.append(stages[-1]._replace(exceptions=(*stages[-1].exceptions, fact)))
        labels.append(("an exception", f"{fact}.", None))
    for name in dict.fromkeys([*puzzle.without, *without]):
        stages.append(stages[-1]._replace(without=(*stages[-1].without, name)))
        labels.append((f"without {name}", f"ab({name.replace('-', '_')}).", None))
    ask = _Questions(puzzle, limit, time_limit)
    steps = [_step(ask, *each) for each in zip(stages, stages[1:], labels, strict=False)]
    together = _step(ask, stages[0], stages[-1], ("all together", base.place, None)) if len(steps) > 1 else None
    return Report(puzzle, base, tuple(steps), together)


class _Questions:
    """What is asked of a program on the way, each once: it stands after one step and before the next."""

    def __init__(self, puzzle: Puzzle, limit: int, time_limit: float | None) -> None:
        self.puzzle = puzzle
        self.time_limit = time_limit
        self.trace = cache(lambda stage: trace(stage.program(puzzle)))
        self._small = Puzzle.blank(COUNTED_SIZE)
        self._limit = limit
        self._counted = cache(lambda stage, asked, limit: self.grids(stage.program(asked), limit))

    def counts(self, before: Stage, after: Stage) -> Iterator[Count]:
        """At the size where all can be counted, and at the puzzle's own."""
        for asked, limit in ((self._small, 0), (self.puzzle, self._limit)):
            if asked is self._small or asked.but(title="", elaborations=(), without=()) != self._small:
                yield Count(asked.size, *self._counted(before, asked, limit), *self._counted(after, asked, limit))

    def grids(self, program: Program, limit: int) -> tuple[int, bool]:
        """How many solutions there are, up to the limit, and whether these are all."""
        search = Solver(program, self.time_limit).search(limit)
        return search.count(), search.ended == "complete"


def _step(ask: _Questions, before: Stage, after: Stage, label: tuple[str, str, RuleFile | None]) -> Step:
    name, place, rule = label
    old, new = before.program(ask.puzzle), after.program(ask.puzzle)
    forbidden, silence = _forbidden(ask, before, rule) if rule else (None, "")
    allowed = _allowed(ask, before, after) if before.rules == after.rules else None
    if before.rules == after.rules and allowed is None:
        silence = f"no grid that was none before is among the first {_TRIED} solutions"
    return Step(
        name=name,
        place=place,
        wording=wording(old, new),
        contract=contract(rule, before.rules) if rule else None,
        evidence=evidence(ask.trace(before), ask.trace(after)),
        counts=tuple(ask.counts(before, after)),
        forbidden=forbidden,
        allowed=allowed,
        silence=silence,
        difference=tuple(difference(old, new)),
    )


def _forbidden(ask: _Questions, before: Stage, rule: RuleFile) -> tuple[Forbidden | None, str]:
    """A solution of the program before that breaks the rule, or why there is none to show."""
    try:
        asking = before.with_rule(breach(rule, _TAG)).program(ask.puzzle)
    except RuleError as error:
        return None, str(error)
    search = Solver(asking, ask.time_limit).search(1, [(Function(f"{_TAG}_broken"), True)])
    for grid in search:
        solution = Solution(ask.puzzle, grid.rows)
        return Forbidden(solution, tuple(breaches(rule, solution, before.program(ask.puzzle).puzzle.facts, before.without))), ""
    if search.ended != "complete":
        return None, "no solution that it forbids was found in the time given"
    return None, "it forbids no solution of this puzzle"


def _allowed(ask: _Questions, before: Stage, after: Stage) -> Solution | None:
    """A solution of the program after that the program before did not have, if one of the first few is."""
    for grid in Solver(after.program(ask.puzzle), ask.time_limit).search(_TRIED):
        found, _ = ask.grids(before.program(ask.puzzle.but(grid=grid.rows)), 1)
        if not found:
            return Solution(ask.puzzle, grid.rows)
    return None
