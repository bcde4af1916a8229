"""New puzzles with a unique solution, for any rules. A random solution gets clues (`full_puzzles`),
then givens and clues are removed in random order while the solution stays unique (`thinning`). A
puzzle that is not as wanted (`wishes`) is discarded, or gets givens again until it is easy enough.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from aspdoku.engine import Solver
from aspdoku.errors import AspdokuError
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.cores import Group, items_of
from aspdoku.explanation.explainer import Explainer, StepFinder, finder_of_solution
from aspdoku.explanation.propagation import Propagator
from aspdoku.explanation.steps import GRADES, Difficulty, Step, difficulty_of, label_of
from aspdoku.explanation.techniques import DEFINITIONS
from aspdoku.generation.clues import renamed
from aspdoku.generation.full_puzzles import FullPuzzles
from aspdoku.generation.thinning import Draft, Thinner
from aspdoku.generation.wishes import SINGLE, Frame, UnfitError, Wishes
from aspdoku.program import Program, RuleFile, library
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.inputs import Kind
from aspdoku.puzzle.puzzle import REGION
from aspdoku.puzzle.term import Signature, Term
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import listening, note

_TECHNIQUES = tuple(DEFINITIONS)


@dataclass(frozen=True)
class GeneratedPuzzle:
    """A puzzle with a unique solution.

    program: of the puzzle
    minimal: whether none of its givens and clues can be removed; with a symmetry, none together
        with those that are symmetrical to it; of clues that a `.gen` file draws together, not all
    difficulty: None if none was wanted
    """

    program: Program
    solution: Solution
    minimal: bool
    difficulty: Difficulty | None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle, which names its rules."""
        return self.program.puzzle


class Generator:
    """Makes puzzles, one after another, from a seed, within a time limit for all of them. Raises
    AspdokuError for wishes that no puzzle can fulfil, RuleError for a `.gen` file with errors.

    program: the rules, the size and the fixed clues of the puzzles; its givens are ignored
    tried: how many attempts there were
    """

    def __init__(
        self, program: Program, wishes: Wishes, seed: int, time_limit: float | None = None
    ) -> None:
        self._frame = Frame(program, Random(seed), Deadline(time_limit))
        for problem in wishes.problems(self._frame):
            raise problem
        self._wishes = wishes
        self._full_puzzles = FullPuzzles(self._frame, without_givens=wishes.givens == 0)
        self._thinner = Thinner(self._frame, wishes)
        self._shared_blank: Propagator | None = None  # of all drafts without clues
        self.tried = 0
        self._nearest: UnfitError | None = None
        self._step = ""  # what an attempt is doing, if it has not ended

    @property
    def nearest(self) -> str:
        """The attempt nearest to the wishes, or the step of an unfinished first one, or ""."""
        unfinished = f"unfinished while {self._step}" if self._step else ""
        return str(self._nearest or unfinished)

    def puzzles(self) -> Iterator[GeneratedPuzzle]:
        """Yield matching puzzles forever. Raises NoSolutionError if the rules have no solution,
        TimeLimitError, AspdokuError if the first attempts show that there is no hope.
        """
        patience = 0.0
        while True:
            self.tried += 1
            try:
                puzzle = self._attempt()
            except UnfitError as failure:
                if self._nearest is None or failure.distance < self._nearest.distance:
                    self._nearest = failure
                patience = max(patience, failure.patience)
                if self.tried >= patience:
                    raise AspdokuError(f"{self.tried} attempts failed; {self.nearest}") from None
                self._frame.deadline.require_time("generating")
            else:
                patience = math.inf
                yield puzzle

    def _attempt(self) -> GeneratedPuzzle:
        self._begin("drawing a solution and clues")
        with listening(lambda _: None):  # instead of what an attempt has in common with all others
            full = self._full_puzzles.next()
        self._begin("removing givens and clues")
        draft = self._thinner.draft(full)
        self._begin("looking for steps")
        program, minimal, difficulty = self._graded(draft, full.solution)
        solver = Solver(program, self._frame.deadline.time_limit())
        if solver.shown_otherwise(full.solution) is not None:
            reason = "a unique grid, but other atoms that the rules show are not unique"
            raise UnfitError(reason, 200)
        self._step = ""
        # The solution was found with more clues.
        solution = replace(full.solution, puzzle=program.puzzle)
        return GeneratedPuzzle(program, solution, minimal, difficulty)

    def _begin(self, step: str) -> None:
        """Note a step, or what is more than that: how near an attempt has come."""
        self._step = step
        known = f"; the nearest: {self._nearest}" if self._nearest else f", {step}"
        note(f"attempt {self.tried}{known}")

    def _graded(self, draft: Draft, solution: Solution) -> tuple[Program, bool, Difficulty | None]:
        """The program of an easy enough draft, whether it is minimal, and its difficulty."""
        wishes, deadline = self._wishes, self._frame.deadline
        program = self._composed(draft, [])
        if not (wishes.grade or wishes.technique):
            return program, draft.minimal, None
        fixed = wishes.minimal or wishes.givens is not None
        blank, added = self._blank(draft, program), list[Group]()
        while True:
            limit = deadline.time_limit()
            finder = finder_of_solution(blank, program.puzzle, solution, limit, wishes.singles)
            difficulty, too_hard = self._difficulty(finder, wishes.singles)
            if too_hard is None or fixed:
                break
            cells = {claim[:2] for reason in too_hard.reasons for claim in reason.claims}
            rest = [group for group in draft.removed if group not in added]
            near = (group for group in rest if not cells.isdisjoint(item[:2] for item in group))
            added.append(next(near, rest[0]))
            program = self._composed(draft, added)
        if self._fits(difficulty):
            # clingo has learned from other puzzles, so that it may have found other reasons.
            explainer = Explainer(program, deadline.time_limit())
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
            "allow more time, or ask for another grade or technique: not all of them occur with all"
            " rules",
        )

    def _blank(self, draft: Draft, program: Program) -> Propagator:
        """The constraints of a draft, which do not depend on its givens."""
        if self._shared_blank is not None and not draft.clues:
            return self._shared_blank
        blank = Propagator(ConstraintModel(program, self._frame.deadline.time_limit()))
        if not draft.clues:
            self._shared_blank = blank
        return blank

    def _composed(self, draft: Draft, added: list[Group]) -> Program:
        frame = self._frame
        facts = _renamed(frame.facts(draft.clues), [file.rule for file in frame.files])
        return frame.named(items_of([*draft.givens, *added]), facts)

    def _difficulty(
        self, finder: StepFinder | None, singles: bool
    ) -> tuple[Difficulty, Step | None]:
        """How hard a puzzle is. If a step is too hard, the difficulty up to there, and the step.

        finder: None if single rules suffice
        singles: count placements by single rules; their reasons take half of the time
        """
        taken: list[Step] = []
        if finder is None:
            return difficulty_of(taken, unique=True), None
        if not singles:
            finder.take_singles()
        for step in finder.steps():
            taken.append(step)
            if self._is_too_hard(step):
                return difficulty_of(taken, unique=True), step
            if not singles:
                finder.take_singles()
        return difficulty_of(taken, unique=True), None

    def _is_too_hard(self, step: Step) -> bool:
        name = step.technique.name if step.technique else _TECHNIQUES[-1]
        return bool(step.reasons) and any(
            wanted and order.index(reached) > order.index(wanted)
            for order, reached, wanted in (
                (GRADES, label_of(step.size), self._wishes.grade),
                (_TECHNIQUES, name, self._wishes.technique),
            )
        )


def _renamed(facts: list[Function], rules: Iterable[RuleFile]) -> list[Function]:
    """The facts with 1, 2, ... as names of cages and lines, except those that facts refer to."""
    if library.refers_to_clues(facts):
        return facts
    kinds: tuple[Kind, ...] = ("group", "name")
    for rule, kind in product(rules, kinds):
        places = defaultdict[Signature, tuple[int, ...]](tuple)
        places |= {each.signature: each.of_kind(kind) for each in rule.inputs}
        places[REGION] = ()
        names = {fact.arguments[place] for fact in facts for place in places[fact.signature]}
        numbers = sorted(name for name in names if isinstance(name, int))
        new: dict[Term, Term] = {name: number for number, name in enumerate(numbers, 1)}
        facts = [renamed(fact, places[fact.signature], new) for fact in facts]
    return facts
