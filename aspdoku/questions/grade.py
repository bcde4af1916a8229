"""How hard a puzzle is: `grade`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Unpack

from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import Difficulty, difficulty_of
from aspdoku.puzzle import Puzzle
from aspdoku.questions.result import Result, encoded, tagged
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.runtime.signals import interruptible

_SEVERAL = "several solutions: only forced claims are graded"


@encoded.register
def difficulty_json(difficulty: Difficulty) -> dict[str, Any]:
    """A difficulty as a JSON object."""
    technique = difficulty.technique
    return difficulty._asdict() | {"technique": None if technique is None else str(technique)}


@dataclass(frozen=True, repr=False)
class Grade(Result):
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

    def _json(self) -> dict[str, Any]:
        unsupported = self.puzzle.unsupported
        more = {"unsupported": unsupported} if unsupported else {}
        return {"file": self.name, **difficulty_json(self.difficulty), **more}


def grades_json(grades: list[Grade]) -> dict[str, Any]:
    """The grades of puzzles as a JSON object."""
    return tagged(Grade._kind, {"grades": [each._json() for each in grades]})


def grade_header(width: int, first: str = "puzzle") -> str:
    """The header of a table of grades, whose first column has this width and this heading."""
    return f"{first:<{width}}  {'grade':<9}  {'work':>6}  hardest step"


def grade_row(name: str, grade: Difficulty, width: int, caveat: str = "") -> str:
    """A row of a table of grades: the grade, the work, which counts all rules and steps, and the
    number of rules and the technique of the hardest step.
    """
    note = ("" if grade.unique else f"; {_SEVERAL}") + caveat
    label = grade.label if grade.unique else "-"
    return f"{name:<{width}}  {label:<9}  {grade.work:>6}  {grade.hardest_step}{note}"


def grade_name(name: str) -> str:
    """The name of a puzzle in a table of grades."""
    return "standard input" if name == "-" else name


@interruptible
def grade(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    **rules: Unpack[RuleOptions],
) -> Grade:
    """Rate the difficulty of a puzzle by the rule instances that its hardest step needs.

    The arguments are those of `solve`.
    Raises TimeLimitError, NoSolutionError, PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
    explainer = Explainer(program, time_limit)
    name = program.puzzle.name or program.puzzle.title or "puzzle"
    return Grade(name, difficulty_of(explainer.steps(), explainer.unique), program.puzzle)
