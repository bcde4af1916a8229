"""Grade drafts of puzzles, and put givens back where a step would be too hard."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from aspdoku.explanation import Explainer
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.cores import Group
from aspdoku.explanation.explainer import StepFinder, finder_of_solution
from aspdoku.explanation.steps import GRADES, Claim, Difficulty, Step, difficulty_of, label_of
from aspdoku.explanation.techniques import DEFINITIONS
from aspdoku.generation.full_puzzles import items_of
from aspdoku.generation.thinning import Draft
from aspdoku.generation.wishes import SINGLE, Frame, UnfitError, Wishes
from aspdoku.program import Program, RuleFile, library
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.inputs import Kind
from aspdoku.puzzle.puzzle import REGION, Cell

_TECHNIQUES = tuple(DEFINITIONS)


class Grader:
    """Grades drafts as the wishes ask for."""

    def __init__(self, frame: Frame, wishes: Wishes) -> None:
        self._frame = frame
        self._wishes = wishes
        self._shared_model: ConstraintModel | None = None

    def graded(self, draft: Draft, solution: Solution) -> tuple[Program, bool, Difficulty | None]:
        """The program of a draft that is easy enough, whether it is minimal, and its difficulty if
        one is wanted. Raises UnfitError if it is not as hard as wanted.
        """
        wishes = self._wishes
        if not (wishes.grade or wishes.technique):
            return self._composed(draft, []), draft.minimal, None
        fixed = wishes.minimal or wishes.givens is not None
        added: list[Group] = []
        model = self._model(draft)
        while True:
            program = self._composed(draft, added)
            limit = self._frame.deadline.time_limit()
            finder = finder_of_solution(model, program.puzzle, solution, limit)
            difficulty, too_hard = self._difficulty(finder, wishes.singles)
            if too_hard is None or fixed:
                break
            cells = {claim[:2] for reason in too_hard.reasons for claim in reason.claims}
            rest = [group for group in draft.removed if group not in added]
            near = (group for group in rest if not cells.isdisjoint(_cells(group)))
            added.append(next(near, rest[0]))
        if self._fits(difficulty):
            # clingo has learned from other puzzles, so that it may have found other reasons.
            explainer = Explainer(program, self._frame.deadline.time_limit())
            difficulty, _ = self._difficulty(explainer, singles=True)
        if not self._fits(difficulty):
            raise self._unfit(difficulty)
        return program, draft.minimal and not added, difficulty

    def _fits(self, difficulty: Difficulty) -> bool:
        grade, technique = self._wishes.grade, self._wishes.technique
        name = difficulty.technique.name if difficulty.technique else ""
        return grade in ("", difficulty.label) and technique in ("", name)

    def _unfit(self, difficulty: Difficulty) -> UnfitError:
        technique = difficulty.technique.name if difficulty.technique else ""
        wanted, order, label = self._wishes.grade, tuple(GRADES), difficulty.label
        if not wanted:
            wanted, order = self._wishes.technique, _TECHNIQUES
            label = technique or (order[-1] if difficulty.hardest else SINGLE)
        hardest = f", hardest step: {technique}" * bool(technique)
        return UnfitError(
            f"{difficulty.label}{hardest if difficulty.hardest else ', singles only'}"
            f" instead of {wanted}",
            abs(order.index(label) - order.index(wanted)),
            "allow more time, or ask for another grade or technique: not all of them occur by all"
            " rules",
        )

    def _model(self, draft: Draft) -> ConstraintModel:
        """The constraints of a draft, which do not depend on its givens."""
        if self._shared_model is None or draft.clues:
            program = self._composed(draft, [])
            model = ConstraintModel(program, self._frame.deadline.time_limit())
            if draft.clues:
                return model
            self._shared_model = model
        return self._shared_model

    def _composed(self, draft: Draft, added: list[Group]) -> Program:
        """The program of a draft with these groups of givens put back."""
        frame = self._frame
        facts = _renamed(frame.facts(draft.clues), [file.rule for file in frame.files])
        return frame.named(items_of([*draft.givens, *added]), facts)

    def _difficulty(self, finder: StepFinder, singles: bool) -> tuple[Difficulty, Step | None]:
        """How hard a puzzle is. If a step is too hard, the difficulty up to there, and the step.

        singles: count placements by single rules; their reasons take half of the time
        """
        steps: list[Step] = []
        if not singles:
            finder.take_singles()
        for step in finder.steps():
            steps.append(step)
            if self._is_too_hard(step):
                return difficulty_of(steps, unique=True), step
            if not singles:
                finder.take_singles()
        return difficulty_of(steps, unique=True), None

    def _is_too_hard(self, step: Step) -> bool:
        if not step.reasons:
            return False
        grade, technique = self._wishes.grade, self._wishes.technique
        if grade and GRADES.index(label_of(step.size)) > GRADES.index(grade):
            return True
        name = step.technique.name if step.technique else _TECHNIQUES[-1]
        return bool(technique) and _TECHNIQUES.index(name) > _TECHNIQUES.index(technique)


def _cells(group: Group) -> set[Cell]:
    return {item[:2] for item in group if isinstance(item, Claim)}


def _renamed(facts: list[Function], rules: Iterable[RuleFile]) -> list[Function]:
    """The facts with 1, 2, ... as the names of the cages and lines of these rules.

    `.gen` files name them after a cell; puzzle files count them. Names by which facts refer to
    clues stay.
    """
    if library.refers_to_clues(facts):
        return facts
    kinds: tuple[Kind, ...] = ("group", "name")
    for rule, kind in product(rules, kinds):
        positions = {
            item.signature: item.of_kind(kind) for item in rule.inputs if item.signature != REGION
        }
        names = {
            fact.arguments[place]
            for fact in facts
            for place in positions.get(fact.signature, ())
            if isinstance(fact.arguments[place], int)
        }
        if not names:
            continue
        new = {name: number for number, name in enumerate(sorted(names, key=int), 1)}  # type: ignore[arg-type]
        facts = [
            Function(
                fact.name,
                tuple(
                    new.get(value, value) if place in positions.get(fact.signature, ()) else value
                    for place, value in enumerate(fact.arguments)
                ),
            )
            for fact in facts
        ]
    return facts
