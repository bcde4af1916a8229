"""Checks before a puzzle is published: `review`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.generation.review import Check, PuzzleReview
from aspdoku.generation.review import review as make_checks
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.grade import difficulty_json
from aspdoku.questions.redundant import removal_json
from aspdoku.questions.result import ENDED, Pictures, ProgramResult, fields, figure
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.questions.text import filled
from aspdoku.runtime.signals import interruptible

_NAME, _RESULT = len("difficulty"), len("undecided")


@dataclass(frozen=True, repr=False)
class Review(ProgramResult):
    """The checks of a puzzle before it is published; its truth value is whether none failed.

    data: the checks, and the figures that they rest on
    """

    _kind = "review"
    _heading = "Review"
    data: PuzzleReview

    def __bool__(self) -> bool:
        return self.data.publishable

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks, each with its result and the reason for it."""
        return self.data.checks

    @property
    def fingerprint(self) -> str:
        """A hash by which copies of the puzzle are found; see `docs/guide.md`."""
        return self.data.fingerprint

    def _text(self) -> str:
        lines = [
            filled(
                f"{check.name:<{_NAME}}  {check.result:<{_RESULT}}  {check.reason}",
                _NAME + _RESULT + 4,
            )
            for check in self.checks
        ]
        return "\n".join([*lines, "", f"fingerprint {self.fingerprint}", self._summary()])

    def _with_caveat(self, text: str) -> str:
        return text  # the first check is about what is unsupported

    def _summary(self) -> str:
        if self.data.failed:
            return f"not ready to publish: {pluralize(self.data.failed, 'check')} failed"
        if not self:
            undecided = [check.name for check in self.checks if check.result == "undecided"]
            return (
                f"not decided whether the puzzle is ready: {ENDED[self.data.ended]} before"
                f" {pluralize(len(undecided), 'check')} ended ({', '.join(undecided)})"
            )
        warnings = sum(check.result == "warning" for check in self.checks)
        return "ready to publish" + (f", with {pluralize(warnings, 'warning')}" if warnings else "")

    def _pictures(self) -> Pictures:
        cells = [item.cell for item in self.data.removals if item.cell and item.needed is False]
        yield figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        return fields("publishable ended checks")(self.data) | {
            "items": list(map(removal_json, self.data.removals)),
            "grade": self.data.difficulty and difficulty_json(self.data.difficulty),
            **fields("steps fingerprint")(self.data),
        }


@interruptible
def review(
    puzzle: Source,
    *,
    time_limit: float | None = 60,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> Review:
    """Check a puzzle before it is published.

    The checks: everything in the file is used, the solution is unique, every rule is needed, no
    given and no clue can be removed, the difficulty, and whether one step is much harder than the
    others.

    time_limit: seconds, after which the other checks are undecided; None for no limit
    The other arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
    return Review(program, make_checks(program, time_limit, interruptible))
