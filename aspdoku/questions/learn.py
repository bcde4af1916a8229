"""Guess the rule: `learn` finds a rule by grids and questions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aspdoku.errors import PuzzleError
from aspdoku.lecture.equivalence import RuleComparison
from aspdoku.lecture.hypotheses import hypotheses
from aspdoku.lecture.learning import (
    Answer,
    Learner,
    LearnStatus,
    Lesson,
    require_learnable,
    require_same_game,
    solved_grid,
)
from aspdoku.program import RuleFile
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions import text
from aspdoku.questions.equal import blank_grids, relation_text, rule_file
from aspdoku.questions.result import Result, fields
from aspdoku.questions.source import (
    Names,
    PuzzleSource,
    Rule,
    names_in,
    puzzle_of,
    require_seconds,
)
from aspdoku.questions.text import wrapped
from aspdoku.runtime.signals import interruptible

# Grids that are drawn if a rule to be learned is known, and none are shown.
_EXAMPLES = 3
# More rules than these are counted, not listed.
_MOST_LISTED = 10


@dataclass(frozen=True, repr=False)
class Learned(Result):
    """The rules that fit the grids and the answers; its truth value is whether one was found, and
    is equivalent to the hidden one if that is known.

    data: the questions, and what is proved
    """

    _kind = "learn"
    data: Lesson

    def __bool__(self) -> bool:
        proof = self.data.proof
        return self.status == "found" and (proof is None or proof.relation == "same")

    @property
    def status(self) -> LearnStatus:
        """ "found" (also if several rules are equivalent), "several" or "none"."""
        return self.data.status

    @property
    def rules(self) -> tuple[RuleFile, ...]:
        """The rules that are left; `rules[0].text` is the text of the rule that was found."""
        return self.data.rules

    @property
    def next(self) -> Solution | None:
        """If several rules are left: a grid that separates them."""
        return self.data.next

    def _text(self) -> str:
        lesson, fits = self.data, "fits" if self.data.fitting == 1 else "fit"
        start = (
            f"{lesson.fitting} of the {pluralize(len(lesson.space.rules), 'rule')} in"
            f" {lesson.space.place} {fits} {pluralize(len(lesson.shown), 'allowed grid')}"
        )
        blocks = [wrapped(start), *map(text.grid, lesson.shown)]
        for number, question in enumerate(lesson.questions, 1):
            answer, fits = (
                "yes" if question.allowed else "no",
                "fits" if question.left == 1 else "fit",
            )
            blocks += [
                f"question {number}: is this grid allowed?",
                text.grid(question.grid),
                f"{answer}: {pluralize(question.left, 'rule')} still {fits}",
            ]
        return "\n\n".join([*blocks, *self._verdict()])

    def _verdict(self) -> list[str]:
        place = self.data.space.place
        if self.status == "none":
            none = f"none of the rules in {place} fits"
            return [wrapped(f"{none}: the rule is another one, or an answer was wrong")]
        if self.status == "several":
            lines = [f"{len(self.rules)} rules fit:"]
            lines += [wrapped(f"  {rule.title}") for rule in self.rules[:_MOST_LISTED]]
            if len(self.rules) > _MOST_LISTED:
                lines.append(f"  and {len(self.rules) - _MOST_LISTED} more")
            assert self.next is not None
            question = "this grid separates them: is it allowed?"
            return ["\n".join(lines), question, text.grid(self.next)]
        blocks = [wrapped(f"the rule in {place} that fits: {self.rules[0].title}")]
        if comparisons := self.data.comparisons:
            size = comparisons[0].results[-1].size
            listed = [wrapped(f"  {each.two.title}{_doubt(each)}") for each in comparisons]
            blocks.append("\n".join([f"no {size}x{size} grid tells it apart from", *listed]))
        return [*blocks, *([relation_text(self.data.proof)] if self.data.proof else [])]

    def _summary(self) -> str:
        return f"{self.status}, {len(self.rules)} rules, {len(self.data.questions)} questions"

    def _json(self) -> dict[str, Any]:
        lesson = self.data
        return {
            "status": self.status,
            "space": lesson.space.place,
            "considered": len(lesson.space.rules),
            **fields("shown fitting")(lesson),
            "questions": list(map(fields("grid allowed left"), lesson.questions)),
            "rules": list(map(fields("name title text"), self.rules)),
            "next": self.next,
            "comparisons": list(map(_comparison, lesson.comparisons)),
            "proof": lesson.proof and _comparison(lesson.proof),
        }


def _doubt(comparison: RuleComparison) -> str:
    return "" if comparison.relation == "same" else f" ({comparison.relation})"


def _comparison(comparison: RuleComparison) -> dict[str, Any]:
    sizes = list(map(fields("size relation"), comparison.results))
    return fields("one=one.place two=two.place relation")(comparison) | {"sizes": sizes}


@interruptible
def learn(
    grids: Iterable[PuzzleSource] = (),
    answer: Callable[[Solution], bool | None] | Rule | None = None,
    *,
    size: int = 6,
    space: str | os.PathLike[str] | None = None,
    without: Names = (),
    questions: int = 20,
    time_limit: float | None = None,
) -> Learned:
    """Find the rule of a hypothesis space that fits solved grids, and the answers to questions.

    grids: solved grids that are allowed, of one size
    answer: whether a grid is allowed, a function of the grid that may return None to stop; or the
        rule to be found, which then answers, and allows three random grids if `grids` is empty; or
        None to ask no questions
    size: number of rows, without grids
    space: the file with the rules to choose from, by default asp/hypotheses.lp
    without: default rules to retract
    questions: the largest number of them
    time_limit: seconds
    Raises PuzzleError for a grid with empty cells, rules of its own or another size, RuleError if
    the space or the rule cannot be used, or the rule is part of the game, TimeLimitError.
    """
    require_seconds(time_limit)
    if isinstance(grids, str | Puzzle | Solution | os.PathLike):
        raise TypeError("expected a list of grids")
    shown = [solved_grid(puzzle_of(grid)) for grid in grids]
    require_same_game(shown)
    game = shown[0].puzzle if shown else Puzzle.blank(size)
    game = game.replace(without=(*game.without, *names_in(without)))
    learner = Learner(game, hypotheses(Path(space) if space is not None else None), time_limit)
    if answer is None or callable(answer):
        return Learned(learner.learn(shown, _asking(answer), questions))
    hidden = rule_file(answer)
    require_learnable(hidden, game)
    for grid in shown:
        if not learner.allows(hidden, grid):
            raise PuzzleError(f"a grid that is shown violates {hidden.place}", grid.puzzle.name)
    shown = shown or learner.examples(hidden, _EXAMPLES)
    lesson = learner.learn(shown, lambda grid: learner.allows(hidden, grid), questions)
    if lesson.status == "found":
        sizes = blank_grids(game.size) if game.box == Puzzle.blank(game.size).box else [game]
        proof = learner.compare(lesson.rules[0], hidden, sizes)
        lesson = replace(lesson, proof=proof)
    return Learned(lesson)


def _asking(answer: Callable[[Solution], bool | None] | None) -> Answer | None:
    """The answers of a function. Raises TypeError if one is not True, False or None."""
    if answer is None:
        return None

    def checked(grid: Solution) -> bool | None:
        allowed = answer(grid)
        if allowed is not None and not isinstance(allowed, bool):
            raise TypeError(f"expected True, False or None as an answer, not {allowed!r}")
        return allowed

    return checked
