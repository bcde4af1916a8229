"""The review of a puzzle, as text and as JSON."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import tagged
from aspdoku.report.answer import removal_json
from aspdoku.report.explanation_json import difficulty_json
from aspdoku.report.layout import width as layout_width

if TYPE_CHECKING:
    from aspdoku.generation.review import PuzzleReview

_NAME, _RESULT = len("difficulty"), len("undecided")
_STOPPED = {"time": "time limit reached", "interrupted": "interrupted"}


def review_text(found: PuzzleReview) -> str:
    """A line for each check, the fingerprint, and whether the puzzle can be published."""
    lines = [
        textwrap.fill(
            f"{check.name:<{_NAME}}  {check.result:<{_RESULT}}  {check.reason}",
            layout_width(),
            subsequent_indent=" " * (_NAME + _RESULT + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for check in found.checks
    ]
    return "\n".join([*lines, "", f"fingerprint {found.fingerprint}", review_summary(found)])


def review_summary(found: PuzzleReview) -> str:
    """Whether the puzzle can be published."""
    if found.failed:
        return f"not ready to publish: {pluralize(found.failed, 'check')} failed"
    if not found.publishable:
        undecided = [check.name for check in found.checks if check.result == "undecided"]
        return (
            f"not decided whether the puzzle is ready: {_STOPPED[found.ended]} before"
            f" {pluralize(len(undecided), 'check')} ended ({', '.join(undecided)})"
        )
    warnings = sum(check.result == "warning" for check in found.checks)
    return "ready to publish" + (f", with {pluralize(warnings, 'warning')}" if warnings else "")


def review_json(found: PuzzleReview) -> dict[str, object]:
    """The result as a JSON object."""
    return tagged(
        "review",
        {
            "publishable": found.publishable,
            "ended": found.ended,
            "checks": [check._asdict() for check in found.checks],
            "items": [removal_json(item) for item in found.removals],
            "grade": found.difficulty and difficulty_json(found.difficulty),
            "steps": found.steps and found.steps._asdict(),
            "fingerprint": found.fingerprint,
        },
    )
