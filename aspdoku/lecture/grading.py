"""Marking an exercise.

Is a student's rule the rule that was asked for, and if not, in what does it differ?

Each file is judged in a process of its own, so that no rule stops the class.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from aspdoku.engine import Solver, TimeLimitError
from aspdoku.engine.sandbox import DEFAULT_LIMITS, Aborted, Limits, run_limited
from aspdoku.errors import AspdokuError, RuleError, UnreadableError
from aspdoku.lecture.equivalence import (
    SMALL_SIZES,
    Relation,
    RuleComparison,
    SizeResult,
    choose_inputs,
    compare_rules,
    comparison_context,
)
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.lint import as_message, check, require_valid
from aspdoku.program.messages import Message
from aspdoku.program.negation import negate
from aspdoku.program.syntax import heads, parse
from aspdoku.puzzle import Puzzle

Verdict = Literal[
    "right",
    "too strict",
    "too lax",
    "wrong",
    "cannot be used",
    "cannot be read",
    "cannot be compared",
    "undecided",
    "gave up",
    "crashed",
]
HIDDEN_REFERENCE = "the reference"

# Once a difference is known, seconds for each larger size to show another, or to show that it is
# the same there.
_SECOND_LOOK = 3.0


@dataclass(frozen=True)
class Exercise:
    """What a class was asked for.

    reference: the rule; `called` is all that is ever said of it
    puzzles: the blank grids to look at, from small to large
    without: rules of the ordinary game to do without
    limits: what judging one file may take
    """

    reference: RuleFile
    display_name: str
    puzzles: tuple[Puzzle, ...]
    without: tuple[str, ...] = ()
    limits: Limits = DEFAULT_LIMITS

    @classmethod
    def of(
        cls,
        against: str,
        size: int = 9,
        without: Sequence[str] = (),
        limits: Limits = DEFAULT_LIMITS,
    ) -> Exercise:
        """The exercise to say the rule `against`, a name or a path.

        One given by its path is hidden.

        Raises RuleError where there is no such rule, where it cannot be compared with, and for a
        name in `without` that is none.
        """
        reference = library.find(against)
        sizes = (*(small for small in SMALL_SIZES if small < size), size)
        exercise = cls(
            reference=reference,
            display_name=HIDDEN_REFERENCE if reference.place == against else against,
            puzzles=tuple(map(Puzzle.blank, sizes)),
            without=tuple(without),
            limits=limits,
        )
        exercise._refuse_unusable()
        return exercise

    def _refuse_unusable(self) -> None:
        assemble(self.puzzles[0], [library.base(), *library.defaults()], self.without)
        if {name.replace("-", "_") for name in self.without} & self.reference.retractable:
            raise RuleError(
                f"{self.display_name} is the rule that was asked for, and cannot be taken back"
            )
        try:
            stopped = run_limited(
                self.limits, _ground, self.reference, self, self.puzzles[0], self.limits.seconds
            )
        except RuleError:  # whose text may quote the reference
            stopped = Aborted("crashed", "it is no rule that can be compared")
        if stopped:
            raise RuleError(
                f"nothing can be marked against {self.display_name}: {stopped}; `aspdoku check` of"
                " that file may say more"
            )


class Reason(NamedTuple):
    """Why there is no comparison: in words, and where in the student's file; line 0 for nowhere."""

    text: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True)
class Assessment:
    """What a file is worth.

    findings: what `aspdoku check` finds in it
    comparison: with the rule that was asked for, where the two can be compared; `one` is the
    student's
    reason: why they could not be, else
    """

    file: str
    verdict: Verdict
    findings: tuple[Message, ...] = ()
    comparison: RuleComparison | None = None
    reason: Reason | None = None


def assess(path: Path, exercise: Exercise) -> Assessment:
    """The mark for the file at `path`, whatever it holds.

    Judged in a process with the limits of the exercise.
    """
    try:
        marked = run_limited(exercise.limits, assess_in_process, path, exercise)
    except (
        AspdokuError
    ) as error:  # not foreseen, and no reason to stop the class; its text may quote the reference
        marked = Aborted("crashed", type(error).__name__)
    if isinstance(marked, Assessment):
        return marked
    found = run_limited(exercise.limits, _findings, path)
    findings = () if isinstance(found, Aborted) else found
    return Assessment(
        _printable(path),
        "crashed" if marked.limit == "crashed" else "gave up",
        findings,
        reason=Reason(marked.text),
    )


def assess_in_process(path: Path, exercise: Exercise) -> Assessment:
    """The mark for the file at `path`, judged in this process.

    Of the limits only that on time is kept.
    """
    file, findings = _printable(path), _findings(path)
    try:
        rule = RuleFile.read(path, file)
        require_valid(rule)
    except UnreadableError:  # `findings` says why
        return Assessment(file, "cannot be read", findings)
    except RuleError:
        return Assessment(file, "cannot be used", findings)
    try:
        negate(rule, "one")
    except RuleError as error:
        return Assessment(file, "cannot be compared", findings, reason=_reason(rule, error))
    if not _constrains(rule):
        findings += (
            Message(
                file,
                0,
                0,
                "error",
                "there is no constraint ':- ...' in this file, so it forbids nothing",
            ),
        )
    try:
        comparison = _compared(rule, exercise)
    except TimeLimitError:
        return Assessment(
            file, "gave up", findings, reason=Reason(f"more than {exercise.limits.seconds:g} s")
        )
    except _GroundingError as error:
        return Assessment(file, "cannot be compared", findings, reason=Reason(str(error)))
    return Assessment(file, _verdict(comparison), findings, comparison)


def _findings(path: Path) -> tuple[Message, ...]:
    """What `aspdoku check` finds."""
    try:
        return tuple(check(RuleFile.read(path, _printable(path))))
    except RuleError as error:
        return (as_message(error),)


class _GroundingError(AspdokuError):
    """Clingo cannot ground the rule file under examination.

    The text does not concern the reference.
    """


def _compared(rule: RuleFile, exercise: Exercise) -> RuleComparison:
    """The comparison at each size.

    A rule that is too strict at 4x4 may well be too lax at 9x9 besides.

    Raises TimeLimitError where the time is up before the rule is grounded, and no smaller size has
    shown a difference; _GroundingError if clingo cannot ground the rule.
    """
    # What is left is for ending in good order before the process is ended.
    deadline = time.monotonic() + exercise.limits.seconds - min(1.0, exercise.limits.seconds / 4)
    findings: list[SizeResult] = []
    differs = False
    for puzzle in exercise.puzzles:
        left = max(0.01, deadline - time.monotonic())
        look = min(left, _SECOND_LOOK) if differs else left
        if not differs:
            try:
                _ground(rule, exercise, puzzle, look)
            except RuleError as error:
                raise _GroundingError(str(error)) from None
            look = max(0.01, deadline - time.monotonic())
        findings += compare_rules(
            rule, exercise.reference, [puzzle], exercise.without, time_limit=look
        ).results
        differs |= bool(findings[-1].witnesses)
        if findings[-1].relation == "undecided" and not differs:
            break
    return RuleComparison(rule, exercise.reference, tuple(findings))


def _ground(rule: RuleFile, exercise: Exercise, puzzle: Puzzle, time_limit: float) -> None:
    """Ground a rule by itself, to tell one that does not come to an end from a comparison that is
    hard.

    Raises RuleError where it cannot be used, TimeLimitError where the time does not suffice.
    """
    require_valid(rule)
    game, inputs = comparison_context(rule, exercise.reference)
    program = assemble(
        puzzle, [*game, choose_inputs(inputs), negate(rule, "one")], exercise.without
    )
    Solver(program, time_limit).ground()


def _verdict(comparison: RuleComparison) -> Verdict:
    """A grid that tells the rules apart settles it, even where the search for the opposite one did
    not come to an end.
    """
    broken = {witness.violated for witness in comparison.witnesses}
    if len(broken) == 2:
        return "wrong"
    if broken:
        return "too strict" if comparison.one in broken else "too lax"
    return verdict_of(comparison.relation)


def verdict_of(relation: Relation) -> Verdict:
    """The verdict on a student's rule that stands in this relation, as the first of two, to the one
    that was asked for.
    """
    words: dict[Relation, Verdict] = {
        "same": "right",
        "one stricter": "too strict",
        "two stricter": "too lax",
        "neither": "wrong",
        "different": "wrong",
        "undecided": "undecided",
    }
    return words[relation]


def _constrains(rule: RuleFile) -> bool:
    statements, _ = parse(rule)
    return any(
        statement.ast_type.name == "Rule" and not any(heads(statement)) for statement in statements
    )


def _reason(rule: RuleFile, error: RuleError) -> Reason:
    """The place and the text of an error that begins with FILE:LINE:COLUMN."""
    line, column, text = str(error).removeprefix(f"{rule.place}:").split(":", 2)
    return Reason(text.strip(), int(line), int(column))


def _printable(path: Path) -> str:
    name = str(path)
    return name if name.isprintable() else ascii(name)
