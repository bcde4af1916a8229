"""Grade exercises: is a student's rule equivalent to the reference, and if not, how does it differ?

Each file is assessed in a separate process with limits, so that no file can stop the others. A
symbolic link is not followed: in a folder that students fill, it may lead to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar, get_args

from aspdoku.engine import Solver
from aspdoku.errors import (
    AspdokuError,
    GrowthError,
    PuzzleError,
    RuleError,
    StatementError,
    TimeLimitError,
    UnreadableError,
)
from aspdoku.lecture import equivalence, examples
from aspdoku.lecture.invented import InventedInputs
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.lint import as_message, can_forbid, check, other_arguments, require_valid
from aspdoku.program.messages import Message
from aspdoku.program.transform import negate, own_predicates
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.runtime.child import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline

_Value = TypeVar("_Value")

Compared = Literal["right", "too strict", "too lax", "wrong"]
Unusable = Literal["cannot be used", "cannot be read", "cannot be compared"]
Verdict = Compared | Unusable | Literal["undecided", "gave up", "crashed"]
# The verdicts on files that were compared with the reference.
COMPARED: frozenset[Verdict] = frozenset(get_args(Compared))
HIDDEN_REFERENCE = "the reference"

# Once a difference is known: seconds for each larger size to find another one, or none.
_SECOND_LOOK = 3.0
# Seconds for counting the atoms of a file that exceeded a limit.
_COUNTING = 1.5


Known = tuple[examples.Example, tuple[Solution, ...]]
"""An example on which the reference is right, and a grid of it that the reference allows, if any.
"""


@dataclass(frozen=True)
class Exercise:
    """A rule to be written, and how reports call it.

    puzzles: the blank grids to search, from small to large
    without: default rules to retract
    limits: the resources for one file
    examples: those next to the reference
    """

    reference: RuleFile
    display_name: str
    puzzles: tuple[Puzzle, ...]
    without: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    examples: tuple[Known, ...] = ()

    @classmethod
    def of(
        cls,
        against: str,
        size: int = 9,
        without: Sequence[str] = (),
        limits: Limits = DEFAULT_LIMITS,
    ) -> Exercise:
        """The exercise to write the rule `against`, a name or a path, hidden unless bundled. Raises
        RuleError if it cannot be found or compared with or has no constraint, or if `without` names
        an unknown rule.
        """
        reference = library.find(against)
        name = against if library.is_bundled(reference) else HIDDEN_REFERENCE
        puzzles = tuple(equivalence.blank_grids(size))
        exercise = cls(reference, name, puzzles, tuple(without), limits)
        exercise._refuse_unusable()
        return replace(exercise, examples=tuple(exercise._known()))

    def _refuse_unusable(self) -> None:
        assemble(self.puzzles[0], library.game(), self.without)
        if {name.replace("-", "_") for name in self.without} & self.reference.retractable:
            message = "is the rule of the exercise and cannot be retracted"
            raise RuleError(f"{self.display_name} {message}")
        smallest, seconds = self.puzzles[0], self.limits.seconds
        try:
            stopped = run_limited(self.limits, _ground, self.reference, self, smallest, seconds)
        except RuleError:  # its text may quote the reference
            stopped = Aborted("crashed", "it cannot be compared")
        if stopped:
            details = "`aspdoku check` of that file may show details"
            raise RuleError(f"cannot grade against {self.display_name}: {stopped}; {details}")
        if not can_forbid(self.reference):
            why = "it has no constraint ':- ...', so that it forbids nothing"
            raise RuleError(f"cannot grade against {self.display_name}: {why}")

    def _known(self) -> Iterator[Known]:
        """The examples next to the reference. Raises AspdokuError, as for bad input, if one of them
        fails, or is about another game.
        """
        path = examples.file_next_to(self.reference)
        tried = examples.read_examples(path) if path else []
        for trial in examples.try_all(self.reference, tried, self.limits.seconds):
            example, where = trial.example, f"{path}:{trial.example.line}"
            if trial.outcome == "undecided":
                raise RuleError(f"{where}: this example was not decided in time")
            if trial.outcome == "failed":
                why = "`aspdoku test` of that file shows why"  # the reason may quote the reference
                raise RuleError(f"{where}: {self.display_name} fails this example; {why}")
            if more := sorted({*example.puzzle.without} - {*self.without}):
                raise RuleError(
                    f"{where}: the example retracts {', '.join(more)}, and the exercise does not:"
                    " retract the same rules with --without, or leave the example out"
                )
            yield examples.without_naming(example, self.reference), trial.found[:1]


class Reason(NamedTuple):
    """Why there is no comparison, where in the student's file, and which predicate grew."""

    text: str
    line: int = 0
    growth: str = ""


@dataclass(frozen=True)
class Assessment:
    """The findings, and the comparison of a rule with the reference, or why there is none."""

    file: str
    verdict: Verdict
    findings: tuple[Message, ...] = ()
    comparison: equivalence.RuleComparison | None = None
    reason: Reason | None = None


def assess_all(paths: Sequence[Path], exercise: Exercise, jobs: int = 1) -> Iterator[Assessment]:
    """Assess files, up to `jobs` of them at the same time, in order, until the caller stops."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield from pool.map(partial(assess, exercise=exercise), paths)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def assess(path: Path, exercise: Exercise) -> Assessment:
    """Assess the file at `path`, in a process with the limits of the exercise."""
    marked = _tried(exercise.limits, assess_in_process, path, exercise)
    if isinstance(marked, Assessment):
        return marked
    findings = _tried(exercise.limits, _findings, path)
    crashed = marked.limit == "crashed"
    growth = None if crashed else _tried(exercise.limits, _growth, path, exercise)
    messages = () if isinstance(findings, Aborted) else findings
    reason = Reason(marked.text, growth=growth if isinstance(growth, str) else "")
    verdict: Verdict = "crashed" if crashed else "gave up"
    return Assessment(_printable(path), verdict, messages, reason=reason)


def _tried(limits: Limits, call: Callable[..., _Value], *arguments: object) -> _Value | Aborted:
    """The value of a call in a child process; an error is not raised, since other files wait."""
    try:
        return run_limited(limits, call, *arguments)
    except (AspdokuError, OSError) as error:  # unexpected; its text may quote the reference
        return Aborted("crashed", type(error).__name__)


def assess_in_process(path: Path, exercise: Exercise) -> Assessment:
    """Assess a file in this process. Of the limits, only the time limit applies."""
    try:
        rule = _read(path)
    except RuleError as error:
        unreadable = isinstance(error, UnreadableError)
        verdict: Verdict = "cannot be read" if unreadable else "cannot be used"
        return Assessment(_printable(path), verdict, (as_message(error),))
    return assess_rule(rule, exercise)


def assess_rule(
    rule: RuleFile, exercise: Exercise, known: Sequence[equivalence.Witness] = ()
) -> Assessment:
    """Assess a rule file in this process. Of the limits, only the time limit applies.

    known: grids that distinguish other rules from the reference. The first of them on which this
    rule is wrong as well replaces the search, so that the other direction is not examined.
    """
    file, findings = rule.place, tuple(check(rule))
    verdict: Verdict = "gave up"
    try:
        require_valid(rule)
    except RuleError:  # the reason is in `findings`
        return Assessment(file, "cannot be used", findings)
    try:
        reason = _incomparable(rule, exercise)
        if not reason:
            # Reserve some time to return a result before the process is killed.
            seconds = exercise.limits.seconds
            deadline = Deadline(seconds - min(1.0, seconds / 4))
            failed = tuple(_failed_examples(rule, exercise))
            found = _refutation(rule, exercise, known) or _compared(rule, exercise, deadline)
            comparison = found._replace(examples=failed)
            return Assessment(file, _verdict(comparison), findings, comparison)
        verdict = "cannot be compared"
    except TimeLimitError:
        reason = Reason(f"more than {exercise.limits.seconds:g} s")
    except GrowthError as error:
        growth = error.cause if error.file == file else ""
        reason = Reason(f"more than {error.limit}", growth=growth)
    except _GroundingError as error:
        verdict, reason = "cannot be compared", Reason(str(error))
    return Assessment(file, verdict, findings, reason=reason)


def _incomparable(rule: RuleFile, exercise: Exercise) -> Reason | None:
    """Why a rule cannot be compared with the reference, which is not quoted if it is hidden."""
    reference, name = exercise.reference, exercise.display_name
    hidden = name == HIDDEN_REFERENCE
    try:
        negate(rule, "one")
    except StatementError as error:
        return Reason(error.problem, error.position[0])
    if unlike := equivalence.other_inputs(rule, reference):
        read = "does not" if hidden else f"reads {unlike[1]}"
        return Reason(f"it reads {unlike[0]}, but {name} {read}: give them the same inputs")
    if conflict := next(other_arguments(rule, [reference]), None):
        details = "" if hidden else f": {conflict.text}"
        return Reason(f"it declares the arguments of an input in another order or meaning{details}")
    return None


def _findings(path: Path) -> tuple[Message, ...]:
    """The findings of `aspdoku check`."""
    try:
        return tuple(check(_read(path)))
    except RuleError as error:
        return (as_message(error),)


def _growth(path: Path, exercise: Exercise) -> str:
    """The predicate with the most atoms and its rules, if these are in the student's file."""
    from aspdoku.program.growth import cause_of_growth, largest_in  # not available on Windows

    rule, limits = _read(path), exercise.limits
    text = _alone(rule, exercise, exercise.puzzles[-1]).text
    seconds = min(_COUNTING, limits.seconds / 2)
    cause = cause_of_growth([rule], lambda: largest_in(text, seconds, limits.memory))
    return str(cause) if cause and cause.to_blame else ""


def _read(path: Path) -> RuleFile:
    """The file. Raises RuleError if it cannot be read, or is a link or a folder."""
    file = _printable(path)
    if path.is_symlink():
        raise UnreadableError(f"{file}: a symbolic link is not followed: hand in the file itself")
    if path.is_dir():
        raise UnreadableError(f"{file}: a folder: name the rule file in it")
    return RuleFile.read(path, file)


def refuted(
    rule: RuleFile, exercise: Exercise, known: Sequence[equivalence.Witness]
) -> Assessment | None:
    """Assess a valid rule file by known grids alone; None if it is right on all of them."""
    comparison = _refutation(rule, exercise, known)
    if comparison is None:
        return None
    comparison = comparison._replace(examples=tuple(_failed_examples(rule, exercise)))
    return Assessment(rule.place, _verdict(comparison), tuple(check(rule)), comparison)


def _failed_examples(rule: RuleFile, exercise: Exercise) -> Iterator[equivalence.Witness]:
    """For each example that the rule fails, a grid on which it differs from the reference."""
    deadline = Deadline(min(_SECOND_LOOK, exercise.limits.seconds / 4))
    for example, known in exercise.examples:
        with suppress(TimeLimitError, PuzzleError, RuleError):  # the comparison has the reason
            (trial,) = examples.try_all(rule, [example], deadline.time_limit())
            for grid in (*known, *trial.grids) if trial.outcome == "failed" else ():
                asked = grid, grid.puzzle.facts, exercise.without, deadline.time_limit()
                own = tuple(equivalence.find_violations(rule, *asked))
                theirs = tuple(equivalence.find_violations(exercise.reference, *asked))
                if bool(own) != bool(theirs):
                    pair = (rule, exercise.reference) if own else (exercise.reference, rule)
                    facts, title = grid.puzzle.facts, example.title
                    yield equivalence.Witness(*pair, grid, facts, own or theirs, title)
                    break


def _refutation(
    rule: RuleFile, exercise: Exercise, known: Sequence[equivalence.Witness]
) -> equivalence.RuleComparison | None:
    """The comparison by the first known grid on which the rule, evaluated on it, is wrong."""
    deadline, own = Deadline(exercise.limits.seconds), own_predicates(rule)
    for witness in known:
        facts = [fact for fact in witness.facts if fact.signature not in own]
        try:
            asked = witness.grid, facts, exercise.without, deadline.time_limit()
            violations = equivalence.find_violations(rule, *asked)
        except GrowthError:
            raise
        except RuleError:  # the comparison has the reason
            return None
        is_lax = witness.violated == exercise.reference
        if is_lax != bool(violations):
            if is_lax:
                shared = witness._replace(satisfied=rule)
            else:
                shared = witness._replace(violated=rule, violations=tuple(violations))
            relation: equivalence.SizeRelation = "two stricter" if is_lax else "one stricter"
            differing = equivalence.SizeResult(witness.grid.puzzle.size, relation, (shared,))
            return equivalence.RuleComparison(
                rule, exercise.reference, (differing,), without=tuple(exercise.without)
            )
    return None


class _GroundingError(AspdokuError):
    """clingo cannot ground the student's rule file; the text does not quote the reference."""


def _compared(rule: RuleFile, exercise: Exercise, deadline: Deadline) -> equivalence.RuleComparison:
    """The comparison at each size: a rule too strict at 4x4 may also be too lax at 9x9. Raises
    TimeLimitError if the rule is not grounded in time, and no smaller size has shown a difference;
    _GroundingError if clingo cannot ground the rule.
    """
    results: list[equivalence.SizeResult] = []
    differs = False
    for puzzle in exercise.puzzles:
        look = Deadline(min(deadline.seconds_left(), _SECOND_LOOK)) if differs else deadline
        if not differs:
            try:
                _ground(rule, exercise, puzzle, look.time_limit())
            except GrowthError:
                raise
            except RuleError as error:
                raise _GroundingError(str(error)) from None
        comparison = equivalence.compare_rules(
            rule, exercise.reference, [puzzle], exercise.without, time_limit=look.time_limit()
        )
        results += comparison.results
        differs |= bool(comparison.witnesses)
        if results[-1].relation == "undecided" and not differs:
            break
    return comparison._replace(results=tuple(results))


def _ground(rule: RuleFile, exercise: Exercise, puzzle: Puzzle, time_limit: float | None) -> None:
    """Ground a rule alone, to distinguish infinite grounding from a hard comparison."""
    require_valid(rule)
    Solver(_alone(negate(rule, "one"), exercise, puzzle), time_limit).ground()


def _alone(rule: RuleFile, exercise: Exercise, puzzle: Puzzle) -> Program:
    """The program of a rule, or of its negation, with invented inputs."""
    game, inputs = equivalence.comparison_context(rule.source or rule, exercise.reference)
    invented = InventedInputs.of(inputs).rules(puzzle.size)
    return assemble(puzzle, [*game, invented, rule], exercise.without, fast=False)


def _verdict(comparison: equivalence.RuleComparison) -> Verdict:
    """The verdict: a witness in one direction suffices even if the other is undecided."""
    broken = {witness.violated for witness in comparison.witnesses}
    if len(broken) == 1:
        return "too strict" if comparison.one in broken else "too lax"
    return VERDICTS[comparison.relation]


# The verdict on a student's rule, the first of two, for its relation to the reference.
VERDICTS: dict[equivalence.SizeRelation, Verdict] = {
    "same": "right",
    "one stricter": "too strict",
    "two stricter": "too lax",
    "neither": "wrong",
    "different": "wrong",
    "undecided": "undecided",
    "vacuous": "undecided",
}


def _printable(path: Path) -> str:
    name = str(path)
    return name if name.isprintable() else ascii(name)
