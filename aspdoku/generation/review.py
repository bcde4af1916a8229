"""Checks before a puzzle is published, and a fingerprint by which copies of it are found.

The fingerprint is a hash of the puzzle in a canonical form: its size, regions, numbers, givens,
rules and facts, sorted. The names of cages and lines are replaced by what the facts state about
them, by colour refinement (Weisfeiler and Leman, 1968): all names have the same colour at first,
and a name's next colour is the multiset of its facts with the colours of the names in them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Literal, NamedTuple, get_args

from aspdoku.engine import solver
from aspdoku.engine.clues import effect_warnings, retractable
from aspdoku.engine.dependence import RemovalKind, RemovalResult, find_redundancies
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import LABELS, Difficulty, Step, difficulty_of
from aspdoku.program import Program, RuleFile, compose, library
from aspdoku.program.rulefile import EXCEPTIONS, without_comments
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import REGION, numbers_by_cell
from aspdoku.puzzle.term import Term, sort_key, to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

CheckResult = Literal["passed", "warning", "failed", "undecided"]
CheckName = Literal["input", "solution", "rules", "givens", "clues", "difficulty", "spike"]
_CHECKS: tuple[CheckName, ...] = get_args(CheckName)

# A step is a spike if it needs more than this many times the rules of the second hardest one, and
# is harder than "medium".
_SPIKE = 2
_MEDIUM = next(most for most, label in LABELS if label == "medium")
_MOST_NAMES = 5
_LENGTH = 16  # hexadecimal digits of a fingerprint


class Check(NamedTuple):
    """A check, its result, a warning for a matter of taste, and the reason for it in one line."""

    name: CheckName
    result: CheckResult
    reason: str


class StepSizes(NamedTuple):
    """How many rules the hardest step needs, the second hardest one if any, and the median one."""

    hardest: int
    second: int
    median: float


class PuzzleReview(NamedTuple):
    """The checks of a puzzle, only the first two if the solution is not unique; each given, clue
    and rule, and whether it is needed. Ended "complete" if all checks were made.
    """

    checks: tuple[Check, ...]
    fingerprint: str
    removals: tuple[RemovalResult, ...]
    difficulty: Difficulty | None
    steps: StepSizes | None
    ended: solver.SearchEnd

    @property
    def publishable(self) -> bool:
        """Whether all checks were made and none failed."""
        return self.ended == "complete" and self.failed == 0

    @property
    def failed(self) -> int:
        """How many checks failed."""
        return sum(check.result == "failed" for check in self.checks)


def review(
    program: Program, time_limit: float | None = None, interruptible: bool = False
) -> PuzzleReview:
    """Check a puzzle before it is published. Checks that take longer, or are left at
    KeyboardInterrupt if interruptible, are undecided. Raises RuleError if a rule cannot be
    grounded.
    """
    reviewer = _Reviewer(program, Deadline(time_limit))
    with solver.Stoppable(interruptible) as run:
        reviewer.run()
    if run.error:
        reviewer.leave_undecided(str(run.error) or "interrupted")
    ended = run.ended
    if any(check.result == "undecided" for check in reviewer.checks) and ended == "complete":
        ended = "time"
    return PuzzleReview(
        tuple(reviewer.checks),
        fingerprint_of_program(program),
        tuple(reviewer.removals),
        reviewer.difficulty,
        reviewer.steps,
        ended,
    )


class _Reviewer:
    def __init__(self, program: Program, deadline: Deadline) -> None:
        self._program = program
        self._deadline = deadline
        self.checks: list[Check] = []
        self.removals: list[RemovalResult] = []
        self.difficulty: Difficulty | None = None
        self.steps: StepSizes | None = None

    def run(self) -> None:
        self._add("input", *self._input())
        self._add("solution", *self._solution())
        result = self.checks[-1].result
        if result == "undecided":
            self.leave_undecided("not tried")
        if result != "passed":
            return
        note("checking givens, clues and rules")
        self._deadline.require_time("checking givens, clues and rules")
        self.removals += find_redundancies(self._program, self._deadline.time_limit())
        self._add("rules", *self._not_needed("rule"))
        self._add("givens", *self._not_needed("given"))
        self._add("clues", *self._not_needed("clue"))
        note("grading")
        self._deadline.require_time("grading")
        self._grade()

    def leave_undecided(self, reason: str) -> None:
        for name in _CHECKS[len(self.checks) :]:
            self._add(name, "undecided", reason)

    def _add(self, name: CheckName, result: CheckResult, reason: str) -> None:
        self.checks.append(Check(name, result, reason))

    def _input(self) -> tuple[CheckResult, str]:
        if unsupported := self._program.puzzle.unsupported:
            reason = f"unsupported, so that no other check is about it: {_listed(unsupported)}"
            return "failed", reason
        if warnings := (*self._program.warnings, *effect_warnings(self._program)):
            return "warning", f"{pluralize(len(warnings), 'warning')}: {_listed(warnings)}"
        return "passed", "everything in the puzzle is used"

    def _solution(self) -> tuple[CheckResult, str]:
        found = solver.Solver(self._program, self._deadline.time_limit())
        search = found.search(2)
        solutions = list(search)
        if search.status == "none":
            return "failed", f"there is no solution{search.outcome().puzzle.caveat}"
        if search.status == "several":
            one, other = (each.numbers().items() for each in solutions)
            cells = ("r{}c{}".format(*cell) for cell, _ in sorted(one - other))
            several = f"there are several solutions{search.outcome().puzzle.caveat}"
            return "failed", f"{several}; two differ in {_listed(cells)}"
        if search.status != "unique":
            return "undecided", "time limit reached before uniqueness was decided"
        stated = numbers_by_cell(self._program.puzzle.solution or ())
        if ignored := solver.disagreement(search.status, stated, solutions[0].numbers()):
            return "failed", f"the solution is unique, and not {ignored}"
        try:
            again = found.shown_otherwise(solutions[0])
            if again is not None:
                different = sorted({*solutions[0].shown} ^ {*again.shown}, key=sort_key)
                reason = "the numbers are unique, but not what else is to be found: two solutions"
                return "failed", f"{reason} differ in {_listed(map(to_asp, different))}"
        except TimeLimitError as error:
            return "undecided", str(error)
        return "passed", "the solution is unique"

    def _not_needed(self, kind: RemovalKind) -> tuple[CheckResult, str]:
        items = [item for item in self.removals if item.kind == kind]
        spare = [item for item in items if item.needed is False]
        names = _listed(item.name if kind == "rule" else item.words or item.name for item in spare)
        total = pluralize(len(items), kind)
        words = f"{len(spare)} of {total} can be removed, each on its own: {names}"
        failed = False
        if kind == "rule":
            board = {*retractable(library.base()), *library.default_names()}
            failed = any(item.name not in board for item in spare)
            words = f"the solution is unique without each of these rules: {names}"
        unknown = sum(item.needed is None for item in items)
        if unknown and not failed:
            undecided = f"time limit reached; undecided: {unknown} of {total}"
            return "undecided", f"{undecided}; {words}" if spare else undecided
        if not items:
            return "passed", f"there are no {kind}s"
        if not spare:
            all_needed = f"all {total} are needed" if len(items) > 1 else f"the {kind} is needed"
            return "passed", all_needed
        return "failed" if failed else "warning", words

    def _grade(self) -> None:
        explainer = Explainer(self._program, self._deadline.time_limit())
        steps: list[Step] = []
        try:
            steps += explainer.steps()
        except TimeLimitError as error:
            hardest = f"; the hardest so far needs {pluralize(_sizes(steps).hardest, 'rule')}"
            progress = f"{error}: {pluralize(len(steps), 'step')} found{hardest if steps else ''}"
            self._add("difficulty", "undecided", progress)
            self.leave_undecided("not tried")
            return
        self.difficulty = rated = difficulty_of(steps, explainer.unique)
        opaque = rated.technique is None and rated.hardest > 1
        words = f"{rated.label}; the hardest step needs {rated.hardest_step}"
        self._add("difficulty", "warning" if opaque else "passed", words)
        self.steps = sizes = _sizes(steps)
        spike = sizes.hardest > max(_MEDIUM, _SPIKE * sizes.second)
        figures = (
            f"the hardest step needs {pluralize(sizes.hardest, 'rule')}, the second hardest"
            f" {sizes.second}, the median {sizes.median:g}"
        )
        self._add("spike", "warning" if spike else "passed", figures)


def _sizes(steps: Iterable[Step]) -> StepSizes:
    sizes = sorted((step.size for step in steps if step.reasons), reverse=True) or [0]
    return StepSizes(sizes[0], sizes[1] if len(sizes) > 1 else 0, median(sizes))


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - _MOST_NAMES
    return ", ".join(listed[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def fingerprint(puzzle: Puzzle) -> str:
    """A hash that ignores titles, comments, names and order. Raises RuleError."""
    return fingerprint_of_program(compose(puzzle, trust=True))


def fingerprint_of_program(program: Program) -> str:
    """The fingerprint of a puzzle and of the rules that were added to it."""
    puzzle = program.puzzle
    regions: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for cell, names in puzzle.regions().items():
        for name in names:
            regions[name].append(cell)
    return _digest(
        puzzle.size,
        (puzzle.numbers[0], puzzle.numbers[-1]),
        puzzle.grid,
        sorted(map(sorted, regions.values())),
        sorted(_identity(part.rule) for part in program.parts),
        sorted(puzzle.without),
        sorted((name, str(value)) for name, value in program.constants.items()),
        sorted(puzzle.unsupported),
        _canonical_facts(program),
    )


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:_LENGTH]


def _identity(rule: RuleFile) -> str:
    """The name of a rule of the library; the statements of another one, without comments."""
    if rule.vetted:
        return rule.name
    return " ".join(without_comments(rule.text).split())


class _Name(NamedTuple):
    """A name of a cage or line: of a rule, in a group if it has one."""

    rule: str
    letter: str
    group: Term | None
    value: Term


def _canonical_facts(program: Program) -> list[str]:
    """The facts other than regions, sorted, with the colours of names instead of the names."""
    facts = [fact for fact in program.puzzle.facts if fact.signature != REGION]
    names = _names_in_facts(program, facts)
    colours = dict.fromkeys((name for each in names.values() for name in each.values()), "")
    about: dict[_Name, list[Function]] = defaultdict(list)
    for fact, its in names.items():
        for name in its.values():
            about[name].append(fact)
    classes = 0
    while classes < len(set(colours.values())):
        classes = len(set(colours.values()))
        colours = {
            name: _digest(*sorted(_coloured(fact, names[fact], colours, name) for fact in its))
            for name, its in about.items()
        }
    return sorted(_coloured(fact, names[fact], colours) for fact in facts)


def _names_in_facts(
    program: Program, facts: Sequence[Function]
) -> dict[Function, dict[int, _Name]]:
    """The names in each fact, by the positions of the arguments."""
    inputs = {
        item.signature: (item, part.rule.name)
        for part in reversed(program.parts)
        for item in part.rule.inputs
    }
    names_by_place: dict[Function, dict[int, _Name]] = {fact: {} for fact in facts}
    for fact in facts:
        if fact.signature in inputs:
            item, rule = inputs[fact.signature]
            groups = item.of_kind("group")
            group = fact.arguments[groups[0]] if groups else None
            for place in item.names:
                outer = None if place in groups else group
                name = _Name(rule, item.arguments[place][0], outer, fact.arguments[place])
                names_by_place[fact][place] = name
    known = {name for names in names_by_place.values() for name in names.values()}
    for fact in facts:
        if fact.name == EXCEPTIONS and len(fact.arguments) > 1:
            rule = str(fact.arguments[0]).replace("_", "-")
            called = enumerate(_Name(rule, "I", None, value) for value in fact.arguments)
            names_by_place[fact] = {place: name for place, name in called if name in known}
    return names_by_place


def _coloured(
    fact: Function, names: dict[int, _Name], colours: dict[_Name, str], own: _Name | None = None
) -> str:
    """A fact with colours instead of names, and a mark instead of the name that it is about."""
    arguments = list(map(to_asp, fact.arguments))
    for place, name in names.items():
        arguments[place] = "*" if name == own else f"<{colours[name]}>"
    return f"{fact.name}({','.join(arguments)})"
