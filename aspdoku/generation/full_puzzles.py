"""Random solutions with all clues that `.gen` files generate for them, before any is removed."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from aspdoku.counting.sampling import Sampler
from aspdoku.engine.clues import Clue
from aspdoku.errors import NoSolutionError
from aspdoku.explanation.cores import CoreFinder, items_of
from aspdoku.generation.clue_files import ClueFile
from aspdoku.generation.clues import Drawing, Scene, grouped
from aspdoku.generation.wishes import HOPELESS, Frame, UnfitError
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize

# How often the clues for a solution are generated, if there are to be no givens.
_ROUNDS = 10
# Above this share of known clues, keep one program for all clues.
_MANY = 1 / 3


class FullPuzzle(NamedTuple):
    """A solution, its searches with all clues, and the names of clues by their facts."""

    finder: CoreFinder
    solution: Solution
    names: dict[Function, str]


class _Board(NamedTuple):
    sampler: Sampler
    scene: Scene


class FullPuzzles:
    """Makes full puzzles, one after another, perhaps with clues that determine the solution."""

    def __init__(self, frame: Frame, without_givens: bool) -> None:
        self._frame = frame
        self._without_givens = without_givens
        self._early = [file for file in frame.files if not file.follows_solution]
        self._late = [file for file in frame.files if file.follows_solution]
        self._names: dict[Function, str] = {}
        # The finder for the last clues, or for all generated so far, and its facts.
        self._screen: CoreFinder | None = None
        self._screen_facts: list[Function] = []
        # How much more often generated clues did not suffice than they did.
        self._insufficient = 0
        # Whether no generated clue has been wrong so far, so that checking them can wait.
        self._are_right = True

    def next(self) -> FullPuzzle:
        """A random solution with clues. Raises UnfitError if it cannot have any that are right."""
        self._names = {}
        drawn: list[Function] = []
        for file in self._early:
            drawn += self._generated(self._drawing(file, self._blank.scene.blank()))
        scene, solution, facts = self._solution(drawn)
        if drawn and not facts:
            raise UnfitError(
                f"nothing that is drawn for {' and '.join(each.rule.name for each in self._early)}"
                " fits the other rules",
                950,
                "retract one of them, for example box",
                patience=HOPELESS,
            )
        if self._late:
            known = scene.solved(solution)
            drawings = [self._drawing(file, known) for file in self._late]
            if self._without_givens:
                finder = self._determining(drawings, facts, solution)
                return FullPuzzle(finder, solution, self._names)
            generated = [self._generated(drawing) for drawing in drawings]
            facts = [*facts, *self._accepted(drawings, generated, solution)]
        if not self._frame.files:
            return FullPuzzle(self._finder, solution, {})
        finder = self._frame.finder_with(facts)
        if not finder.allows(finder.items, solution):
            raise UnfitError("a solution that the rules exclude, or such clues", 1000)
        return FullPuzzle(finder, solution, self._names)

    @cached_property
    def _finder(self) -> CoreFinder:
        """Without generated clues."""
        return self._frame.finder_with([])

    # --- clues that determine the solution

    def _determining(
        self, drawings: list[Drawing], facts: list[Function], solution: Solution
    ) -> CoreFinder:
        """A finder with clues that determine the solution without givens."""
        kept: list[Function] = []
        before: list[dict[Function, str]] = []
        for _ in range(_ROUNDS):
            generated = [self._generated(drawing, kept) for drawing in drawings]
            if generated == before:  # it depends on the solution alone
                break
            before = generated
            cells = None
            if self._are_right and not solution.shown:
                every = [*facts, *chain(*generated)]
                screen, own, cells = self._screened(every, solution)
            if cells is None:
                self._are_right = False
                every = [*facts, *self._accepted(drawings, generated, solution)]
                screen, own, cells = self._screened(every, solution)
            if cells is None:  # clues that are only right without each other
                kept = []
                continue
            self._insufficient += 1 if cells else -1
            if not cells:
                return screen if len(screen.items) == len(own) else self._frame.finder_with(every)
            kept = [fact for clue in own if cells.isdisjoint(clue.cells) for fact in clue.facts]
        raise several_solutions()

    def _screened(
        self, facts: list[Function], solution: Solution
    ) -> tuple[CoreFinder, list[Clue], set[Cell] | None]:
        """A finder with the fixed clues and the clues of these facts, these clues, and where
        another solution with them differs. If clues rarely suffice, and many of these were
        generated before, such as signs between cells, the finder has all clues that were generated
        before: soon, none is new, so that nothing has to be grounded any more. It is for one search
        only, since it takes longer to search with so many clues.
        """
        frame = self._frame
        own = frame.clues(facts)
        known = self._screen.items if self._screen else ()
        common = len({*own}.intersection(known))
        rare = self._insufficient > 0
        screen = self._screen
        if not (screen and common == len(own) and (rare or len(known) == common)):
            every = own
            if rare and common >= _MANY * len(own):
                both = list(dict.fromkeys([*self._screen_facts, *facts]))
                clues_of_both = frame.clues(both)
                if {*own}.issubset(clues_of_both):  # otherwise, facts are one clue together
                    facts, every = both, clues_of_both
            self._screen_facts = facts
            self._screen = screen = frame.finder_with(facts, every)
        return screen, own, screen.differences(own, solution)

    # --- one `.gen` file

    def _drawing(self, file: ClueFile, facts: list[str]) -> Drawing:
        frame = self._frame
        return Drawing(file, frame.program, facts, frame.random, frame.deadline, frame.pace)

    def _generated(self, drawing: Drawing, kept: Collection[Function] = ()) -> dict[Function, str]:
        """Facts with the names of their clues. Raises UnfitError if a file generates none."""
        facts = drawing.clues(kept)
        file = drawing.file
        fixed = {fact.signature for fact in self._frame.program.puzzle.facts}
        if (
            not facts
            and file.drawn_inputs(())
            and fixed.isdisjoint(item.signature for item in file.rule.inputs)
        ):
            raise UnfitError(
                f"{file.text.place} draws nothing",
                990,
                f"check {file.rule.place}",
                patience=HOPELESS,
            )
        self._names |= {fact: name for fact, name in facts.items() if name}
        return facts

    def _accepted(
        self, drawings: list[Drawing], generated: list[dict[Function, str]], solution: Solution
    ) -> list[Function]:
        right: list[Function] = []
        for drawing, new in zip(drawings, generated, strict=True):
            file, facts = drawing.file, drawing.accepted(new, solution)
            if new and not facts:
                raise UnfitError(
                    f"{file.text.place}: the rule {file.rule.name} rejects all"
                    f" {pluralize(len(new), 'fact')} that it draws, such as"
                    f" {min(map(to_asp, new))}",
                    900,
                    "draw what is true of the solution, a(R,C,N)",
                    patience=HOPELESS,
                )
            right += facts
        return right

    # --- solutions

    def _solution(self, facts: list[Function]) -> tuple[Scene, Solution, list[Function]]:
        while True:
            board = self._board(facts) if facts else self._blank
            try:
                return board.scene, board.sampler.draw(), facts
            except NoSolutionError:
                if not facts:
                    raise self._no_solution() from None
                facts = self._consistent(facts)

    def _no_solution(self) -> NoSolutionError:
        puzzle = self._frame.program.puzzle
        names = ", ".join(rule.name for rule in self._frame.program.added)
        return NoSolutionError(
            f"no {puzzle.size}x{puzzle.size} grid satisfies "
            + (f"{names} and the other rules" if names else "the rules")
            + (" with the facts of the puzzle" if puzzle.facts else "")
            + ": choose another size, or retract a rule"
        )

    @cached_property
    def _blank(self) -> _Board:
        """Without generated clues."""
        return self._board([])

    def _board(self, facts: list[Function]) -> _Board:
        frame = self._frame
        # A rule about cells without a mark holds from the start if no marks are generated.
        retracted = [
            name
            for file in frame.files
            for name in file.retracted
            if not frame.generated.isdisjoint(item.signature for item in file.rule.inputs)
        ]
        program = frame.with_facts(facts, retracted)
        sampler = Sampler(program, frame.random.randrange(2**31), frame.deadline.time_limit())
        return _Board(sampler, Scene(program, frame.deadline, frame.pace))

    def _consistent(self, facts: list[Function]) -> list[Function]:
        """Drop contradicting clues; return the remaining facts."""
        frame = self._frame
        finder = frame.finder_with(facts)
        kept = grouped((item for item in finder.items if isinstance(item, Clue)), self._names)
        while (core := finder.core(items_of(kept))) is not None:
            mutable = [item for item in core if isinstance(item, Clue) and frame.is_generated(item)]
            if not mutable:
                raise self._no_solution()
            wrong = frame.random.choice(mutable)
            kept = [group for group in kept if wrong not in group]
        remaining = {fact for group in kept for clue in group for fact in clue.facts}
        return [fact for fact in facts if fact in remaining]


def several_solutions() -> UnfitError:
    """All clues together do not determine the solution."""
    return UnfitError(
        "several solutions with all clues",
        800,
        "ask for more givens or clues, or leave their numbers open",
    )
