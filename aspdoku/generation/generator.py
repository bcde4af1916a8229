"""New puzzles with a unique solution, for any rules.

A random solution is drawn, clues for it (`clues`), and then givens and clues are removed in random
order while the solution stays unique (`explanation.cores`). A puzzle that is not as wanted is
discarded, or gets givens again until it is easy enough.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, product
from random import Random
from typing import Literal, NamedTuple

from aspdoku.counting.sampling import Sampler
from aspdoku.counting.symmetry import number_symmetry
from aspdoku.deadline import Deadline
from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import Pace, Solver, alternative_shown_atoms
from aspdoku.errors import AspdokuError, NoSolutionError, did_you_mean
from aspdoku.explanation import Explainer
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.cores import CoreFinder, Group, Item
from aspdoku.explanation.explainer import StepFinder, finder_of_solution
from aspdoku.explanation.steps import GRADES, Claim, Difficulty, Step, difficulty_of, label_of
from aspdoku.explanation.techniques import DEFINITIONS, Namer
from aspdoku.generation.clue_files import SUFFIX, ClueFile, clue_files
from aspdoku.generation.clues import Drawing, Scene, accepted, grouped
from aspdoku.generation.minimal import names_of
from aspdoku.program import Program, RuleFile, assemble, library
from aspdoku.program.diagnostics import missing_inputs
from aspdoku.program.layout import derives_layout
from aspdoku.program.lint import defined_predicates
from aspdoku.program.syntax import predicates
from aspdoku.progress import note
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, REGION, Cell
from aspdoku.puzzle.term import Signature, to_asp
from aspdoku.puzzlefile.lines import pluralize

Symmetry = Literal["none", "rotational", "mirror"]
SYMMETRIES: tuple[Symmetry, ...] = ("none", "rotational", "mirror")

# The arguments that name a cage, a line or a group of them.
_NAMES = "IG"
# The hardest technique of a single rule.
_SINGLE = "hidden single"
# How often the clues for a solution are drawn, if there are to be no givens.
_REDRAWN = 10
# After so many attempts that fail for such a reason, and no other one, there is little hope; if it
# is also a matter of chance, after more.
_HOPELESS, _UNLUCKY, _UNLUCKIER = 10, 50, 200
# Attempts with interchangeable numbers; by chance, few clues may tell nothing about two numbers.
_ALIKE = 3
# If at least this share of the clues was drawn before, the others will be drawn again, too.
_MANY = 1 / 3
# Interchangeable numbers are not the reason why attempts fail.
_NEVER = -1


class Wishes(NamedTuple):
    """What a puzzle has to be like.

    givens, clues: how many, clues as `engine.clues` counts them; None for as few as possible
    minimal: none can be removed, even if a number is wanted
    symmetry: of the cells with givens
    grade: one of `explanation.steps.GRADES`
    technique: of the hardest step, one of `explanation.techniques.DEFINITIONS`
    """

    givens: int | None = None
    clues: int | None = None
    minimal: bool = False
    symmetry: Symmetry = "none"
    grade: str = ""
    technique: str = ""


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


class _UnfitError(Exception):
    """Why a puzzle is not as wanted.

    distance: how far it is from that, to tell which one was the nearest
    remedy: what to change if all attempts end like this
    patience: after so many attempts that all end like this, or with less patience, there is little
        hope
    """

    def __init__(
        self, reason: str, distance: float, remedy: str = "", patience: float = math.inf
    ) -> None:
        super().__init__(f"{reason}: {remedy}" if remedy else reason)
        self.distance = distance
        self.patience = patience


class _Board(NamedTuple):
    """Where solutions come from."""

    program: Program
    sampler: Sampler
    scene: Scene


class _Draft(NamedTuple):
    """A puzzle in which givens and clues have been left out.

    removed: groups of givens that could be put back, those first that are the least important
    """

    givens: list[Group]
    removed: list[Group]
    clues: list[Item]
    minimal: bool


class Generator:
    """Makes puzzles, one after another, from a seed.

    program: the rules, the size and the fixed clues of the puzzles; its givens are ignored
    time_limit: in seconds, for all puzzles
    tried: how many attempts there were
    nearest: what the attempt was like that came nearest to the wishes; empty if there was none
    Raises AspdokuError for wishes that no puzzle can fulfil, RuleError for a `.gen` file with
    errors.
    """

    def __init__(
        self, program: Program, wishes: Wishes, seed: int, time_limit: float | None = None
    ) -> None:
        self._deadline = Deadline(time_limit)
        self._pace = Pace()
        self._wishes = wishes
        self._random = Random(seed)
        self._rules = [part.rule for part in program.parts]
        self._constants = program.constants
        self._files = clue_files(program)
        puzzle = program.puzzle
        self._drawn_inputs = set[Signature]().union(
            *(file.drawn_inputs(puzzle.facts) for file in self._files)
        )
        self._program = self._assembled(
            puzzle.replace(
                title="",
                author="",
                solution=None,
                grid=((None,) * puzzle.size,) * puzzle.size,
                facts=tuple(
                    fact for fact in puzzle.facts if fact.signature not in self._drawn_inputs
                ),
                box=puzzle.box,
            )
        )
        self._orbits = _orbits(puzzle.size, wishes.symmetry)
        self._refuse_impossible()
        # A finder with the clues that were drawn last, or all that were drawn, and their facts.
        self._screen: CoreFinder | None = None
        self._screen_facts: list[Function] = []
        # How much more often drawn clues did not suffice than they did.
        self._insufficient = 0
        self._without: dict[RuleFile, CoreFinder] = {}
        self._shared_model: ConstraintModel | None = None
        # Whether no clue that was drawn has been wrong, so that it takes less time not to ask.
        self._draws_right = True
        # The names that atoms `clue(I,F)` give to the clues of facts.
        self._names: dict[Function, str] = {}
        self.tried = 0
        # The last solution, and the facts of all clues for it; none if it has been judged.
        self._last_drawn: tuple[Solution, list[Function]] | None = None
        self._patience = 0.0
        self._alike = 0
        self._failures: list[_UnfitError] = []
        # What an attempt is doing, if it has not ended.
        self._step = ""

    @property
    def nearest(self) -> str:
        """What the attempt was like that came nearest to the wishes, or in which step the first one
        still is.
        """
        unfinished = f"unfinished while {self._step}" if self._step else ""
        return str(min(self._failures, key=lambda each: each.distance, default=unfinished))

    def puzzles(self) -> Iterator[GeneratedPuzzle]:
        """Puzzles as wanted, without end.

        Raises NoSolutionError if the rules have no solution, TimeLimitError after the time limit,
        AspdokuError if the first attempts show that there is no hope.
        """
        while True:
            self.tried += 1
            note(
                f"attempt {self.tried}" + (f"; the nearest: {self.nearest}" * bool(self._failures))
            )
            try:
                puzzle = self._attempt()
            except _UnfitError as failure:
                nearest = min([*self._failures, failure], key=lambda each: each.distance)
                self._failures = [nearest]
                self._patience = max(self._patience, failure.patience)
                if self.tried >= self._patience:
                    raise AspdokuError(f"{self.tried} attempts failed; {nearest}") from None
                self._refuse_interchangeable()
                self._deadline.require_time("generating")
            else:
                self._alike = _NEVER
                self._patience = math.inf
                yield puzzle

    # --- one attempt

    def _attempt(self) -> GeneratedPuzzle:
        self._step = "drawing a solution and clues"
        finder, solution = self._clued()
        found = [item for item in finder.items if isinstance(item, Clue) and self._is_drawn(item)]
        fixed = [item for item in finder.items if isinstance(item, Clue) and item not in found]
        self._step = "removing givens and clues"
        draft = self._thinned(finder, found, fixed, solution)
        self._require_rules(draft, solution)
        self._step = "looking for steps"
        puzzle = self._graded(draft, solution)
        limit = self._deadline.time_limit()
        if alternative_shown_atoms(puzzle.program, solution, limit) is not None:
            raise _UnfitError(
                "a unique grid, but other atoms that the rules show are not unique", 200
            )
        self._step = ""
        return puzzle

    def _is_drawn(self, clue: Clue) -> bool:
        return clue.facts[0].signature in self._drawn_inputs

    def _clued(self) -> tuple[CoreFinder, Solution]:
        """A solution, and the program with all clues that were drawn for it."""
        self._names = {}
        facts: list[Function] = []
        for file in self._files:
            if not file.follows_solution:
                facts += self._drawn(self._drawing(file, self._blank.scene.blank()))
        are_drawn = bool(facts)
        board, solution = self._solution(facts)
        if are_drawn and not facts:
            names = [file.rule.name for file in self._files if not file.follows_solution]
            raise _UnfitError(
                f"nothing that is drawn for {' and '.join(names)} fits the other rules",
                950,
                "retract one of them, for example --without box",
                patience=_HOPELESS,
            )
        late = [file for file in self._files if file.follows_solution]
        scene = board.scene.solved(solution) if late else []
        drawings = [self._drawing(file, scene) for file in late]
        if late and self._wishes.givens == 0:
            return self._determining(drawings, facts, solution, scene), solution
        if late:
            drawn = [self._drawn(drawing) for drawing in drawings]
            facts = [*facts, *self._accepted(drawings, drawn, solution, scene)]
        self._last_drawn = solution, facts
        if not self._files:
            return self._finder, solution
        finder = self._finder_of(self._with_facts(facts))
        if not finder.allows(finder.items, solution):
            raise _UnfitError("a solution that the rules exclude, or such clues", 1000)
        return finder, solution

    @cached_property
    def _finder(self) -> CoreFinder:
        """Without any drawn clues."""
        return self._finder_of(self._program)

    def _determining(
        self,
        drawings: list[Drawing],
        facts: list[Function],
        solution: Solution,
        scene: list[str],
    ) -> CoreFinder:
        """A finder with clues that tell the solution from all others, without givens.

        Clues where another solution differs are drawn again.
        """
        kept: list[Function] = []
        before: list[dict[Function, str]] = []
        for _ in range(_REDRAWN):
            drawn = [self._drawn(drawing, kept) for drawing in drawings]
            if drawn == before:  # it depends on the solution alone
                break
            before = drawn
            cells = None
            if self._draws_right and not solution.shown:
                every = [*facts, *chain(*drawn)]
                screen, found = self._screened(every)
                cells = screen.differences(found, solution)
            if cells is None:
                self._draws_right = False
                every = [*facts, *self._accepted(drawings, drawn, solution, scene)]
                screen, found = self._screened(every)
                cells = screen.differences(found, solution)
            self._last_drawn = solution, every
            if cells is None:  # clues that are only right without each other
                kept = []
                continue
            self._insufficient += 1 if cells else -1
            if not cells and len(screen.items) > len(found):
                return self._finder_of(self._with_facts(every))
            if not cells:
                return screen
            kept = [fact for clue in found if cells.isdisjoint(clue.cells) for fact in clue.facts]
        raise _several()

    def _screened(self, facts: list[Function]) -> tuple[CoreFinder, list[Clue]]:
        """A finder with the clues of these facts and of all puzzles, and these clues.

        If clues rarely suffice, and many of these were drawn before, such as signs between cells,
        it has all that were drawn before: soon, none is new, so that nothing has to be grounded any
        more. It is for one search only, since it takes longer to search with so many clues.
        """
        puzzle = self._puzzle_with(facts)
        found = clues(replace(self._program, puzzle=puzzle))
        known = self._screen.items if self._screen else ()
        common = len({*found}.intersection(known))
        rare = self._insufficient > 0
        if self._screen and common == len(found) and (rare or len(known) == common):
            return self._screen, found
        every = found
        if rare and common >= _MANY * len(found):
            both = self._puzzle_with(dict.fromkeys([*self._screen_facts, *facts]))
            every = clues(replace(self._program, puzzle=both))
            if {*found}.issubset(every):  # otherwise, facts are one clue together
                puzzle = both
            else:
                every = found
        self._screen_facts = list(puzzle.facts)
        self._screen = CoreFinder(self._assembled(puzzle), self._deadline, self._pace, every)
        return self._screen, found

    def _accepted(
        self,
        drawings: list[Drawing],
        drawn: list[dict[Function, str]],
        solution: Solution,
        scene: list[str],
    ) -> list[Function]:
        """The facts of those clues that the rule files accept."""
        found: list[Function] = []
        for drawing, new in zip(drawings, drawn, strict=True):
            right = accepted(
                drawing.file, new, self._program, solution, scene, self._deadline, self._pace
            )
            if new and not right:
                raise _rejected(drawing.file, new)
            found += right
        return found

    def _solution(self, facts: list[Function]) -> tuple[_Board, Solution]:
        """A random solution with these clues; those that contradict others are removed."""
        board = self._board(facts)
        while True:
            try:
                return board, board.sampler.draw()
            except NoSolutionError:
                if not facts:
                    raise self._no_solution() from None
                facts[:] = self._consistent(facts)
                board = self._board(facts)

    def _no_solution(self) -> NoSolutionError:
        puzzle = self._program.puzzle
        default = library.default_names()
        names = ", ".join(rule.name for rule in self._rules if rule.name not in default)
        return NoSolutionError(
            f"no {puzzle.size}x{puzzle.size} grid satisfies "
            + (f"{names} and the other rules" if names else "the rules")
            + (" with the facts of the puzzle" if puzzle.facts else "")
            + ": choose another size, or retract a rule"
        )

    def _drawn(self, drawing: Drawing, kept: Collection[Function] = ()) -> dict[Function, str]:
        found = drawing.clues(kept)
        file = drawing.file
        stated = {fact.signature for fact in self._program.puzzle.facts}
        if (
            not found
            and file.drawn_inputs(())
            and stated.isdisjoint(item.signature for item in file.rule.inputs)
        ):
            raise _UnfitError(
                f"{file.text.place} draws nothing",
                990,
                f"see `aspdoku check` on {file.rule.place}",
                patience=_HOPELESS,
            )
        self._names |= {fact: name for fact, name in found.items() if name}
        return found

    def _drawing(self, file: ClueFile, facts: list[str]) -> Drawing:
        return Drawing(file, self._program, facts, self._random, self._deadline, self._pace)

    @cached_property
    def _blank(self) -> _Board:
        """Without any drawn clues."""
        return self._new_board(self._program)

    def _board(self, facts: list[Function]) -> _Board:
        return self._new_board(self._with_facts(facts)) if facts else self._blank

    def _new_board(self, program: Program) -> _Board:
        # A rule about cells without a mark holds from the start if no marks are drawn.
        retracted = [
            name
            for file in self._files
            for name in file.retracted
            if not self._drawn_inputs.isdisjoint(item.signature for item in file.rule.inputs)
        ]
        if retracted:
            program = assemble(program.puzzle, self._rules, retracted, constants=program.constants)
        sampler = Sampler(program, self._random.randrange(2**31), self._deadline.time_limit())
        return _Board(program, sampler, Scene(program, self._deadline, self._pace))

    def _consistent(self, facts: list[Function]) -> list[Function]:
        """Those facts that have a solution; clues that contradict others are left out."""
        finder = self._finder_of(self._with_facts(facts))
        kept = grouped((item for item in finder.items if isinstance(item, Clue)), self._names)
        while (core := finder.core(_items(kept))) is not None:
            mutable = [item for item in core if isinstance(item, Clue) and self._is_drawn(item)]
            if not mutable:
                raise self._no_solution()
            wrong = self._random.choice(mutable)
            kept = [group for group in kept if wrong not in group]
        left = {fact for group in kept for clue in group for fact in clue.facts}
        return [fact for fact in facts if fact in left]

    def _finder_of(self, program: Program) -> CoreFinder:
        return CoreFinder(program, self._deadline, self._pace)

    def _with_facts(self, facts: Iterable[Function]) -> Program:
        return self._assembled(self._puzzle_with(facts))

    def _puzzle_with(self, facts: Iterable[Function]) -> Puzzle:
        puzzle = self._program.puzzle
        return puzzle.replace(facts=(*puzzle.facts, *facts), box=puzzle.box)

    def _assembled(self, puzzle: Puzzle) -> Program:
        return assemble(puzzle, self._rules, constants=self._constants)

    # --- fewer givens and clues

    def _thinned(
        self, finder: CoreFinder, found: list[Clue], fixed: list[Clue], solution: Solution
    ) -> _Draft:
        """A part of the givens and clues for which the solution is unique, as wanted."""
        wishes, numbers = self._wishes, solution.numbers()
        orbits = (
            tuple(Claim(*cell, numbers[cell], True) for cell in orbit if cell in numbers)
            for orbit in self._orbits
        )
        groups = self._shuffled(filter(None, orbits))
        each_clue = self._shuffled(grouped(found, self._names))
        total = len(found)
        if wishes.clues is not None and wishes.clues > total:
            raise _UnfitError(
                f"{total} clues instead of {wishes.clues}",
                wishes.clues - total,
                "ask for fewer, or leave their number open",
                patience=_HOPELESS if wishes.clues > total * 3 // 2 else math.inf,
            )
        givens: list[Group] = []
        if wishes.clues is not None and wishes.givens is None:
            each_clue = _filled([], each_clue, wishes.clues, "clue")
            givens = self._reduced(finder, groups, [*_items(each_clue), *fixed], solution)
            filled = wishes.clues > 0
        else:
            filled = False
            if wishes.givens != 0:
                kept = [*_items(each_clue), *fixed]
                givens = self._reduced(finder, groups, kept, solution)
            if wishes.givens is not None:
                fewest = len(_items(givens))
                givens = self._with_more_givens(givens, groups, found, solution)
                filled = fewest < wishes.givens
            few = each_clue
            if each_clue or not givens:
                few = self._reduced(finder, each_clue, [*_items(givens), *fixed], solution)
            if finder.clues_interact and len(few) < len(each_clue):
                # Without some of the clues, a given may be needed no more.
                fewer = self._reduced(finder, givens, [*_items(few), *fixed], solution)
                filled |= wishes.givens is not None and len(fewer) < len(givens)
                if wishes.givens is None:
                    givens = fewer
            if wishes.clues is None:
                each_clue = few
            else:
                each_clue = _filled(few, each_clue, wishes.clues, "clue")
            filled |= len(few) < len(each_clue)
            kept = [*_items(givens), *_items(each_clue), *fixed]
            if filled and finder.core(kept, solution) is None:
                raise _UnfitError("several solutions with more clues", 1000)
            if filled and not finder.allows(kept, solution):
                raise _UnfitError("no solution with more clues", 1000)
        if filled and wishes.minimal:
            items = [*givens, *each_clue]
            needed = len(self._reduced(finder, items, fixed, solution))
            if needed < len(items):
                kind = "givens and clues" if each_clue else "givens"
                raise _UnfitError(
                    f"of {len(items)} {kind}, {needed} are needed",
                    500 + len(items) - needed,
                    "ask for fewer, or leave their number open",
                )
            filled = False
        needed_groups = set(givens)
        removed = [group for group in groups if group not in needed_groups]
        minimal = not filled
        if minimal and any(len(group) > 1 for group in (*givens, *each_clue)):
            # None can be removed together with its group; perhaps one can on its own.
            left = [*_items(givens), *_items(each_clue)]
            rest = ([*(each for each in left if each != item), *fixed] for item in left)
            minimal = all(finder.core(kept, solution) is None for kept in rest)
        return _Draft(givens, removed, _items(each_clue), minimal)

    def _shuffled(self, groups: Iterable[Group]) -> list[Group]:
        listed = list(groups)
        return self._random.sample(listed, len(listed))

    def _reduced(
        self, finder: CoreFinder, groups: list[Group], kept: Sequence[Item], solution: Solution
    ) -> list[Group]:
        found = finder.reduced(groups, kept, solution)
        if found is None:
            raise _several()
        return found

    # --- which rules are needed

    def _with_more_givens(
        self, few: list[Group], groups: list[Group], found: list[Clue], solution: Solution
    ) -> list[Group]:
        """As many givens as wanted: those that are needed, and others, if possible so that the
        solution is not unique without one of the rules.
        """
        wanted = self._wishes.givens or 0
        filled = _filled(few, groups, wanted, "given")
        finders = list(self._finders_without_a_rule(found))
        if len(filled) == len(few) or not _spare(finders, filled, solution):
            return filled
        filled, missing = few.copy(), wanted - len(_items(few))
        spare = ""
        for group in sorted(groups, key=len, reverse=True):
            if group in few or len(group) > missing:
                continue
            name = _spare(finders, [*filled, group], solution)
            if name:
                spare = name
            else:
                filled.append(group)
                missing -= len(group)
        if missing:
            most = pluralize(wanted - missing, "given")
            raise _UnfitError(
                f"{most}, and with any other one the solution is unique without {spare}",
                missing,
                f"ask for fewer givens, or retract rules that {spare} is not played with",
                patience=_UNLUCKY,
            )
        return filled

    def _require_rules(self, draft: _Draft, solution: Solution) -> None:
        """Discard a puzzle that has the same solution without one of the rules asked for."""
        found = [clue for clue in draft.clues if isinstance(clue, Clue)]
        spare = _spare(self._finders_without_a_rule(found), draft.givens, solution)
        if spare:
            raise _UnfitError(
                f"the solution is unique without {spare}",
                300,
                f"ask for fewer givens or more clues, or retract rules that {spare} is not"
                " played with",
                patience=_UNLUCKIER,
            )

    @cached_property
    def _asked_rules(self) -> list[RuleFile]:
        """The added rules, without which the solution must not be unique. A rule that determines
        which cells are used is always needed, and not among them.
        """
        default = library.default_names()
        return [
            rule for rule in self._rules if rule.name not in default and not derives_layout(rule)
        ]

    def _finders_without_a_rule(self, found: Iterable[Clue]) -> Iterator[tuple[str, CoreFinder]]:
        """For each rule asked for, its name, and the program with these clues without it."""
        for rule in self._asked_rules:
            others = [other for other in self._rules if other != rule]
            read = frozenset[Signature]().union(*map(predicates, others))
            kept = [clue for clue in found if any(fact.signature in read for fact in clue.facts)]
            finder = self._without.get(rule)
            if finder is None or kept:
                puzzle, constants = self._puzzle([], self._facts(kept)), self._program.constants
                program = assemble(puzzle, others, constants=constants)
                finder = self._finder_of(program)
                if not kept:  # the same for every puzzle
                    self._without[rule] = finder
            yield rule.name, finder

    # --- difficulty

    def _graded(self, draft: _Draft, solution: Solution) -> GeneratedPuzzle:
        """The puzzle, with givens put back where a step would be too hard."""
        order = GRADES if self._wishes.grade else tuple(DEFINITIONS)
        wanted = self._wishes.grade or self._wishes.technique
        if not wanted:
            return _generated(self._composed(draft, []), solution, draft.minimal, None)
        fixed = self._wishes.minimal or self._wishes.givens is not None
        added: list[Group] = []
        model = self._model(draft)
        while True:
            program = self._composed(draft, added)
            finder = finder_of_solution(
                model, program.puzzle, solution, self._deadline.time_limit()
            )
            difficulty, too_hard = self._difficulty(finder, singles=self._wants_singles)
            if too_hard is None or fixed:
                break
            cells = {claim[:2] for reason in too_hard.reasons for claim in reason.claims}
            rest = [group for group in draft.removed if group not in added]
            added.append(
                next((each for each in rest if not cells.isdisjoint(_cells(each))), rest[0])
            )
        if self._fits(difficulty):
            # clingo has learned from other puzzles, so that it may have found other reasons.
            explainer = Explainer(program, self._deadline.time_limit())
            difficulty, _ = self._difficulty(explainer, singles=True)
        if self._fits(difficulty):
            return _generated(program, solution, draft.minimal and not added, difficulty)
        single = "" if difficulty.hardest else _SINGLE
        name = difficulty.technique.name if difficulty.technique else single
        found = order.index(difficulty.label if self._wishes.grade else name or order[-1])
        raise _UnfitError(_description(difficulty), abs(found - order.index(wanted)))

    def _fits(self, difficulty: Difficulty) -> bool:
        grade, technique = self._wishes.grade, self._wishes.technique
        name = difficulty.technique.name if difficulty.technique else ""
        return grade in ("", difficulty.label) and technique in ("", name)

    def _model(self, draft: _Draft) -> ConstraintModel:
        """The constraints of a draft, which do not depend on its givens."""
        if self._shared_model is None or draft.clues:
            program = self._composed(draft, [])
            model = ConstraintModel(program, self._deadline.time_limit())
            if draft.clues:
                return model
            self._shared_model = model
        return self._shared_model

    @property
    def _wants_singles(self) -> bool:
        """Whether the hardest step may be one by a single rule."""
        names = tuple(DEFINITIONS)
        technique = self._wishes.technique
        if technique:
            return names.index(technique) <= names.index(_SINGLE)
        return self._wishes.grade == GRADES[0]

    def _difficulty(self, finder: StepFinder, singles: bool) -> tuple[Difficulty, Step | None]:
        """How hard a puzzle is. If a step is too hard, the difficulty up to there, and the step.

        singles: count placements by single rules as well; their reasons take half of the time
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
        names = tuple(DEFINITIONS)
        name = step.technique.name if step.technique else names[-1]
        return bool(technique) and names.index(name) > names.index(technique)

    def _composed(self, draft: _Draft, added: list[Group]) -> Program:
        """The program of a draft with these groups of givens put back."""
        facts = _renamed(self._facts(draft.clues), [file.rule for file in self._files])
        return self._assembled(self._puzzle(_items([*draft.givens, *added]), facts))

    def _facts(self, found: Iterable[Item]) -> list[Function]:
        """Those of all puzzles, and of these clues."""
        facts = [fact for clue in found if isinstance(clue, Clue) for fact in clue.facts]
        return [*self._program.puzzle.facts, *facts]

    def _puzzle(self, givens: Iterable[Item], facts: Iterable[Function]) -> Puzzle:
        puzzle = self._program.puzzle
        number_of = {each[:2]: each.number for each in givens if isinstance(each, Claim)}
        sides = range(1, puzzle.size + 1)
        return puzzle.replace(
            grid=tuple(tuple(number_of.get((row, column)) for column in sides) for row in sides),
            facts=tuple(facts),
            elaborations=names_of(puzzle, self._rules),
            box=puzzle.box,
        )

    # --- wishes that cannot be fulfilled

    def _refuse_impossible(self) -> None:
        """Raise AspdokuError for wishes that no puzzle can fulfil."""
        wishes, size = self._wishes, self._program.puzzle.size
        cells = size * size - len(self._program.puzzle.unused)
        if wishes.givens is not None and not 0 <= wishes.givens <= cells:
            raise AspdokuError(f"{wishes.givens} givens are impossible: the grid has {cells} cells")
        names = [rule.name for rule in self._asked_rules]
        if wishes.givens == cells and names:
            raise AspdokuError(
                f"{cells} givens leave no cell empty, so that {names[0]} is not needed: ask for"
                " fewer givens"
            )
        unused = self._program.puzzle.unused
        for orbit in self._orbits:
            if len({cell in unused for cell in orbit}) > 1:
                (row, column), (row1, column1) = orbit
                raise AspdokuError(
                    f"{wishes.symmetry} symmetry is impossible: only one of the cells"
                    f" r{row}c{column} and r{row1}c{column1} is used"
                )
        used = (orbit for orbit in self._orbits if unused.isdisjoint(orbit))
        if wishes.givens and wishes.givens % 2 and all(len(each) == 2 for each in used):
            raise AspdokuError(
                f"{wishes.givens} givens cannot be placed with {wishes.symmetry} symmetry: a"
                f" {size}x{size} grid has no cell that is its own counterpart, so that the number"
                " of givens is even"
            )
        if wishes.clues is not None and wishes.clues < 0:
            raise AspdokuError(f"{wishes.clues} clues are impossible")
        if wishes.clues == 0:
            self._refuse_rules_without_clues()
        if wishes.clues and not self._files:
            raise AspdokuError(
                "no clues can be drawn: none of the rules has inputs with a .gen file next to it"
            )
        fixed = {fact.signature for fact in self._program.puzzle.facts}
        drawn = {file.rule for file in self._files}
        for rule in self._rules:
            if rule.name in library.default_names() or rule in drawn or not rule.inputs:
                continue
            if not any(item.signature in fixed for item in rule.inputs) and not self._reads(rule):
                name = re.sub(r"\.lp$", "", rule.place)
                example = rule.example.partition("\n")[0]
                such = f", e.g. {example}" if example else ""
                raise AspdokuError(
                    f"the rule {rule.name} has inputs, and there is no file {name}{SUFFIX} that"
                    " draws them: write one, or give the inputs as facts with --fact or"
                    f" facts={such}"
                )
        self._refuse_references()
        if wishes.technique and wishes.technique not in DEFINITIONS:
            raise AspdokuError(
                f"unknown technique '{wishes.technique}': expected one of"
                f" {', '.join(DEFINITIONS)}.{did_you_mean(wishes.technique, list(DEFINITIONS))}"
            )
        if wishes.technique and wishes.grade and self._wants_singles and wishes.grade != GRADES[0]:
            raise AspdokuError(
                f"a puzzle whose hardest step is a {wishes.technique} is {GRADES[0]}, not"
                f" {wishes.grade}"
            )
        if wishes.technique and not any(
            REGION in defined_predicates(file.rule) for file in self._files
        ):
            self._refuse_impossible_technique()

    def _refuse_references(self) -> None:
        """Raise AspdokuError for facts about clues that are drawn anew."""
        for rule in self._rules:
            for fact in self._program.puzzle.facts:
                if fact.signature not in rule.references:
                    continue
                place, _ = rule.references[fact.signature]
                name = str(fact.arguments[place]).replace("_", "-")
                if any(file.rule.name == name for file in self._files):
                    raise AspdokuError(
                        f"{fact} is about a clue of {name}, and the clues of {name} are drawn anew:"
                        f" leave {rule.name} out, or change a puzzle that has the clues with"
                        " aspdoku minimise and aspdoku complete"
                    )

    def _refuse_rules_without_clues(self) -> None:
        """Raise AspdokuError for a rule that changes nothing if there are no clues."""
        for warning in missing_inputs(self._rules, self._program.puzzle.facts):
            for file in self._files:
                if warning.startswith(f"rule {file.rule.name} has no effect"):
                    raise AspdokuError(
                        f"0 clues are impossible: without any, the rule {file.rule.name} has no"
                        " effect; leave it out, or ask for clues"
                    )

    def _refuse_interchangeable(self) -> None:
        """Raise AspdokuError if a solution cannot be unique with so few givens, since exchanging
        numbers in it gives another one.

        All but one of the numbers that are interchangeable with all clues have to be given.
        """
        wanted = self._wishes.givens
        last, self._last_drawn = self._last_drawn, None
        if wanted is None or not last or self._alike == _NEVER:
            return
        solution, facts = last
        program = self._with_facts(facts)
        if wanted >= len(program.puzzle.numbers) - 1:
            return
        if not self._can_be_exchanged(program, solution):
            self._alike = _NEVER
            return
        classes = number_symmetry(program, self._deadline.time_limit()).classes
        least = sum(len(numbers) - 1 for numbers in classes)
        if wanted >= least:
            self._alike = _NEVER
            return
        self._alike += 1
        if self._alike == _ALIKE or not self._files:
            alike = " and of ".join(", ".join(map(str, numbers)) for numbers in classes)
            raise AspdokuError(
                f"{pluralize(wanted, 'given')} cannot make a solution unique: by these rules and"
                f" clues, exchanging two of {alike} gives another one, so that at least"
                f" {pluralize(least, 'given')} are needed"
            )

    def _can_be_exchanged(self, program: Program, solution: Solution) -> bool:
        """Whether two numbers can be exchanged in a solution: comparing rules takes seconds."""
        solver = Solver(program, self._deadline.time_limit(), pace=self._pace)
        literal = solver.literals({GIVEN})
        for one, other in combinations(program.puzzle.numbers, 2):
            swap = {one: other, other: one}
            grid = [
                literal.get(str(Function(GIVEN[0], (*cell, swap.get(number, number)))))
                for cell, number in solution.numbers().items()
            ]
            if None not in grid and solver.first_answer_set(filter(None, grid)) is not None:
                return True
        return False

    def _refuse_impossible_technique(self) -> None:
        """Raise AspdokuError if no step by these rules can have the technique."""
        name = self._wishes.technique
        model = ConstraintModel(self._program, self._deadline.time_limit())
        possible = Namer(model).possible(more_clues=bool(self._files))
        if name not in possible:
            size = self._program.puzzle.size
            raise AspdokuError(
                f"the technique '{name}' is impossible with these rules on a {size}x{size} grid"
                f" ({DEFINITIONS[name]}); possible are {', '.join(possible)}"
            )

    def _reads(self, rule: RuleFile) -> bool:
        """Whether another rule draws one of the inputs, such as marks that both rules are about, or
        derives it, such as boxes.
        """
        others = (defined_predicates(other) for other in self._rules if other != rule)
        known = self._drawn_inputs.union(*others)
        return any(item.signature in known for item in rule.inputs)


def _several() -> _UnfitError:
    return _UnfitError(
        "several solutions with all clues",
        800,
        "ask for more givens or clues, or leave their numbers open",
    )


def _rejected(file: ClueFile, drawn: Collection[Function]) -> _UnfitError:
    """No clue that a `.gen` file draws is right for a solution."""
    example = min(map(to_asp, drawn))
    return _UnfitError(
        f"{file.text.place}: the rule {file.rule.name} rejects all {pluralize(len(drawn), 'fact')}"
        f" that it draws, such as {example}",
        900,
        "draw what is true of the solution, a(R,C,N)",
        patience=_HOPELESS,
    )


def _generated(
    program: Program, solution: Solution, minimal: bool, difficulty: Difficulty | None
) -> GeneratedPuzzle:
    """The puzzle with its solution, which was drawn for one with more clues."""
    own = Solution(program.puzzle, solution.rows, solution.shown)
    return GeneratedPuzzle(program, own, minimal, difficulty)


def _orbits(size: int, symmetry: Symmetry) -> list[tuple[Cell, ...]]:
    """The cells in groups that a symmetry maps to each other."""
    counterparts: dict[Symmetry, Callable[[Cell], Cell]] = {
        "none": lambda cell: cell,
        "rotational": lambda cell: (size + 1 - cell[0], size + 1 - cell[1]),
        "mirror": lambda cell: (cell[0], size + 1 - cell[1]),
    }
    counterpart = counterparts[symmetry]
    cells = ((row, column) for row in range(1, size + 1) for column in range(1, size + 1))
    pairs = ({cell, counterpart(cell)} for cell in cells)
    return list(dict.fromkeys(tuple(sorted(pair)) for pair in pairs))


def _items(groups: Iterable[Group]) -> list[Item]:
    return [item for group in groups for item in group]


def _cells(group: Group) -> set[Cell]:
    return {item[:2] for item in group if isinstance(item, Claim)}


def _filled(few: list[Group], groups: list[Group], wanted: int, kind: str) -> list[Group]:
    """As many items as wanted: the groups that are needed, and others.

    Raises _UnfitError if more are needed.
    """
    found, missing = few.copy(), wanted - sum(map(len, few))
    if missing < 0:
        raise _UnfitError(pluralize(wanted - missing, kind), -missing)
    # Pairs first: a cell that is its own counterpart fits in at the end.
    for group in sorted(groups, key=len, reverse=True):
        if group not in few and len(group) <= missing:
            found.append(group)
            missing -= len(group)
    if missing:
        raise _UnfitError(pluralize(wanted - missing, kind), missing)
    return found


def _spare(
    finders: Iterable[tuple[str, CoreFinder]], givens: Iterable[Group], solution: Solution
) -> str:
    """The first rule without which the solution is unique; empty if all are needed.

    finders: of the program without each rule, by its name
    """
    items = _items(givens)
    for name, finder in finders:
        if finder.is_unique([*items, *finder.items], solution):
            return name
    return ""


def _description(difficulty: Difficulty) -> str:
    if not difficulty.hardest:
        return f"{difficulty.label}, singles only"
    name = f", hardest step: {difficulty.technique.name}" if difficulty.technique else ""
    return f"{difficulty.label}{name}"


def _renamed(facts: list[Function], rules: Iterable[RuleFile]) -> list[Function]:
    """The facts with 1, 2, ... as the names of the cages and lines of these rules.

    `.gen` files name them after a cell; puzzle files count them. Names by which facts refer to
    clues stay.
    """
    if library.refers_to_clues(facts):
        return facts
    for rule, letter in product(rules, _NAMES):
        positions = {item.signature: item.positions(letter) for item in rule.inputs}
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
