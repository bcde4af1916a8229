"""New puzzles with a unique solution, for any rules.

A random solution gets clues (`full_puzzles`), then givens and clues are removed in random order
while the solution stays unique (`thinning`). A puzzle that is not as wanted (`wishes`) is
discarded, or gets givens again until it is easy enough (`grading`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from aspdoku.engine.solver import alternative_shown_atoms
from aspdoku.errors import AspdokuError
from aspdoku.explanation.steps import Difficulty
from aspdoku.generation.full_puzzles import FullPuzzles
from aspdoku.generation.grading import Grader
from aspdoku.generation.thinning import Thinner
from aspdoku.generation.wishes import Frame, UnfitError, Wishes
from aspdoku.program import Program
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note


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
    """Makes puzzles, one after another, from a seed.

    program: the rules, the size and the fixed clues of the puzzles; its givens are ignored
    time_limit: in seconds, for all puzzles
    tried: how many attempts there were
    Raises AspdokuError for wishes that no puzzle can fulfil, RuleError for a `.gen` file with
    errors.
    """

    def __init__(
        self, program: Program, wishes: Wishes, seed: int, time_limit: float | None = None
    ) -> None:
        self._frame = Frame(program, Random(seed), Deadline(time_limit))
        for problem in wishes.problems(self._frame):
            raise AspdokuError(problem)
        self._full_puzzles = FullPuzzles(self._frame, without_givens=wishes.givens == 0)
        self._thinner = Thinner(self._frame, wishes)
        self._grader = Grader(self._frame, wishes)
        self.tried = 0
        self._nearest: UnfitError | None = None
        # What an attempt is doing, if it has not ended.
        self._step = ""

    @property
    def nearest(self) -> str:
        """Description of the attempt that was the nearest to the wishes, or the step of the first
        attempt if it has not ended; empty if there was none.
        """
        unfinished = f"unfinished while {self._step}" if self._step else ""
        return str(self._nearest or unfinished)

    def puzzles(self) -> Iterator[GeneratedPuzzle]:
        """Yield matching puzzles forever.

        Raises NoSolutionError if the rules have no solution, TimeLimitError after the time limit,
        AspdokuError if the first attempts show that there is no hope.
        """
        patience = 0.0
        while True:
            self.tried += 1
            nearest = f"; the nearest: {self.nearest}" if self._nearest else ""
            note(f"attempt {self.tried}{nearest}")
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
        self._step = "drawing a solution and clues"
        full = self._full_puzzles.next()
        self._step = "removing givens and clues"
        draft = self._thinner.draft(full)
        self._step = "looking for steps"
        program, minimal, difficulty = self._grader.graded(draft, full.solution)
        limit = self._frame.deadline.time_limit()
        if alternative_shown_atoms(program, full.solution, limit) is not None:
            raise UnfitError(
                "a unique grid, but other atoms that the rules show are not unique", 200
            )
        self._step = ""
        # The solution was found with more clues.
        solution = Solution(program.puzzle, full.solution.rows, full.solution.shown)
        return GeneratedPuzzle(program, solution, minimal, difficulty)
