"""What an explanation is made of.

Claims on cells, the reasons for them, and steps of such reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from aspdoku.errors import AspdokuError
from aspdoku.explain.constraints import RuleInstance
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import format_range

_CLAIM = re.compile(r"r([0-9]{1,3})c([0-9]{1,3})(!?=)([0-9]{1,3})", re.IGNORECASE)

StepKind = Literal["place", "eliminate", "contradiction"]
LABELS = ((1, "easy"), (4, "medium"), (7, "hard"), (10, "very hard"))


class NoSolutionError(AspdokuError):
    """There is nothing to explain: the puzzle has no solution."""

    exit_code = 20


class Claim(NamedTuple):
    """That a cell holds a number, or that it does not."""

    row: int
    column: int
    number: int
    holds: bool

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}{'=' if self.holds else '!='}{self.number}"

    @classmethod
    def parse(cls, text: str, puzzle: Puzzle) -> Claim:
        """The claim in a text like `r3c4=5` or `r3c4!=5`.

        Raises AspdokuError where it is none about the puzzle.
        """
        found = _CLAIM.fullmatch(text.replace(" ", ""))
        if not found:
            raise AspdokuError(f"'{text}' says nothing about a cell; write r3c4=5, or r3c4!=5")
        row, column, number = (int(found[part]) for part in (1, 2, 4))
        if not puzzle.contains(row, column, number):
            numbers = (
                ""
                if puzzle.has_default_numbers
                else f" with the numbers {format_range(puzzle.numbers)}"
            )
            raise AspdokuError(f"'{text}' lies outside a {puzzle.size}x{puzzle.size} grid{numbers}")
        return cls(row, column, number, found[3] == "=")


class CitedRule(NamedTuple):
    """A rule that a reason takes, and the cells and numbers that it had left, where it needs one of
    them.
    """

    instance: RuleInstance
    options: tuple[Claim, ...]


class ProofStep(NamedTuple):
    """An inference of a proof: from a supposition and what was inferred before, by one rule.

    Claim None where the rule breaks.
    """

    claim: Claim | None
    instance: RuleInstance | None


class Proof(NamedTuple):
    """The moves from a supposition to a rule that breaks, or to cases that one rule leaves, each
    with a proof of its own.
    """

    assumption: Claim
    inferences: tuple[ProofStep, ...]
    cases: tuple[Proof, ...]


class Reason(NamedTuple):
    """What some rules force.

    claims: what is concluded
    rules: the rules used, as few as were found
    known: what was known before and is used
    proof: how the opposite of the first claim is refuted; None where a rule is broken at once, or
    no proof was found
    marks: the pencil marks that it rests on, each by a single rule
    """

    claims: tuple[Claim, ...]
    rules: tuple[CitedRule, ...]
    premises: tuple[Claim, ...]
    proof: Proof | None
    eliminations: tuple[Reason, ...] = ()

    @property
    def uses(self) -> set[str]:
        """The names of the rule files that it rests on, by way of pencil marks too."""
        return {
            use.instance.guard.name for reason in (self, *self.eliminations) for use in reason.rules
        }


class Step(NamedTuple):
    """One step.

    Numbers that are placed by a single rule each, or what a reason of several rules concludes.

    reasons: none at the end, where only pencil marks are left to be made
    marks: candidates that go by a single rule each, before it
    size: rules of the largest reason
    """

    number: int
    kind: StepKind
    reasons: tuple[Reason, ...]
    eliminations: tuple[Reason, ...]

    @property
    def size(self) -> int:
        """Rules of the largest reason."""
        return max((len(reason.rules) for reason in self.reasons), default=0)


class Difficulty(NamedTuple):
    """How hard a puzzle is.

    The rules of its hardest step, all rules and steps together, and a word for the first.

    settled: whether it has one solution; of several, only what they share is graded
    """

    hardest: int
    work: int
    label: str
    unique: bool


def relevant_steps(steps: Iterable[Step], claim: Claim | None) -> list[Step]:
    """The steps that lead to a claim, or to a rule that breaks, each with only those reasons that
    it rests on.
    """
    wanted: set[Claim | None] = {claim}
    kept: list[Step] = []
    for step in reversed(list(steps)):
        reasons = tuple(
            each
            for each in step.reasons
            if wanted.intersection(each.claims) or (claim is None and not each.claims)
        )
        wanted |= {premise for reason in reasons for premise in reason.premises}
        eliminations = tuple(
            mark for mark in reversed(step.eliminations) if _is_wanted(mark, wanted)
        )[::-1]
        if reasons or eliminations:
            kept.append(step._replace(reasons=reasons, eliminations=eliminations))
    return kept[::-1]


def _is_wanted(mark: Reason, wanted: set[Claim | None]) -> bool:
    if not wanted.intersection(mark.claims):
        return False
    wanted.update(mark.premises)
    return True


def difficulty_of(steps: Iterable[Step], unique: bool) -> Difficulty:
    """How hard a puzzle with these steps is, which has one solution or is not settled."""
    sizes = [step.size for step in steps if step.reasons]
    hardest = max(sizes, default=0)
    label = next((label for most, label in LABELS if hardest <= most), "extreme")
    return Difficulty(hardest, sum(sizes) + len(sizes), label, unique)
