"""How hard a puzzle is: `grade`, and whether it is ready to be published: `review`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import Difficulty, difficulty_of
from aspdoku.generation.review import Check, PuzzleReview
from aspdoku.generation.review import review as make_checks
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import result
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.questions.text import filled
from aspdoku.runtime.signals import interruptible

_SEVERAL = "several solutions: only forced claims are graded"
_NAME, _RESULT = len("difficulty"), len("undecided")


@result.encoded.register
def _(difficulty: Difficulty) -> dict[str, Any]:
    technique = difficulty.technique
    return difficulty._asdict() | {"technique": None if technique is None else str(technique)}


@dataclass(frozen=True, repr=False)
class Grade(result.Result):
    """How hard a puzzle is; `name` identifies it in a table.

    `to_json` is one of the objects in the list that the command prints, which grades several.
    """

    _kind = "grade"
    name: str
    difficulty: Difficulty
    puzzle: Puzzle = field(repr=False, compare=False)

    @property
    def label(self) -> str:
        """One of "easy", "medium", "hard", "very hard" and "extreme"."""
        return self.difficulty.label

    def _summary(self) -> str:
        return f"{self.name}, {self.label}"

    def _caveat(self) -> str:
        return self.puzzle.caveat

    def _text(self) -> str:
        width = max(len("puzzle"), len(self.name))
        return f"{grade_header(width)}\n{self.row(width)}"

    def row(self, width: int) -> str:
        """The row of the puzzle in a table of grades whose first column has this width."""
        return grade_row(grade_name(self.name), self.difficulty, width, self.puzzle.caveat)

    def to_json(self) -> dict[str, Any]:
        """The name and the figures, in a list of one grade."""
        return grades_json([self])


def grades_json(grades: Sequence[Grade]) -> dict[str, Any]:
    """The grades of puzzles as a JSON object."""
    listed = []
    for each in grades:
        unsupported = {"unsupported": each.puzzle.unsupported} if each.puzzle.unsupported else {}
        listed.append({"file": each.name, **result.encoded(each.difficulty), **unsupported})
    return result.tagged(Grade._kind, {"grades": listed})


def grade_header(width: int, first: str = "puzzle") -> str:
    """The header of a table of grades, whose first column has this width and this heading."""
    return f"{first:<{width}}  {'grade':<9}  {'work':>6}  hardest step"


def grade_row(name: str, grade: Difficulty, width: int, caveat: str = "") -> str:
    """A row of a table of grades: the grade, the work of all steps, and the hardest step."""
    note = ("" if grade.unique else f"; {_SEVERAL}") + caveat
    label = grade.label if grade.unique else "-"
    return f"{name:<{width}}  {label:<9}  {grade.work:>6}  {grade.hardest_step}{note}"


def grade_name(name: str) -> str:
    """The name of a puzzle in a table of grades."""
    return "standard input" if name == "-" else name


@interruptible
def grade(
    puzzle: Source, *, time_limit: float | None = None, **rules: Unpack[RuleOptions]
) -> Grade:
    """Rate the difficulty of a puzzle by the rule instances that its hardest step needs.

    The arguments are those of `solve`.
    Raises TimeLimitError, NoSolutionError, PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
    explainer = Explainer(program, time_limit)
    name = program.puzzle.name or program.puzzle.title or "puzzle"
    difficulty = difficulty_of(explainer.steps(), explainer.unique)
    return Grade(name, difficulty, program.puzzle.doubted("" if explainer.unique else "several"))


@dataclass(frozen=True, repr=False)
class Review(result.ProgramResult):
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
        """A hash by which copies of the puzzle are found; see `docs/guide/solutions.md`."""
        return self.data.fingerprint

    def _text(self) -> str:
        lines = (
            filled(f"{name:<{_NAME}}  {status:<{_RESULT}}  {reason}", _NAME + _RESULT + 4)
            for name, status, reason in self.checks
        )
        return "\n".join([*lines, "", f"fingerprint {self.fingerprint}", self._summary()])

    def _with_caveat(self, text: str) -> str:
        return text  # the first check is about what is unsupported

    def _summary(self) -> str:
        if self.data.failed:
            return f"not ready to publish: {pluralize(self.data.failed, 'check')} failed"
        if not self:
            undecided = [check.name for check in self.checks if check.result == "undecided"]
            number = f"{pluralize(len(undecided), 'check')} ended ({', '.join(undecided)})"
            ended = result.ENDED[self.data.ended]
            return f"not decided whether the puzzle is ready: {ended} before {number}"
        warnings = sum(check.result == "warning" for check in self.checks)
        return "ready to publish" + (f", with {pluralize(warnings, 'warning')}" if warnings else "")

    def _pictures(self) -> result.Pictures:
        cells = [item.cell for item in self.data.removals if item.cell and item.needed is False]
        yield result.figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        removal = result.fields("kind name rule facts needed status")
        return result.fields("publishable ended checks")(self.data) | {
            "items": list(map(removal, self.data.removals)),
            **result.fields("grade=difficulty steps fingerprint")(self.data),
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
