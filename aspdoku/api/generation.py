"""Making puzzles: `generate` and `minimise`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    Result,
    Rules,
    Source,
    figure,
    names_in,
    program_of,
    require_integer,
    require_seed,
    with_facts,
)
from aspdoku.engine.solver import (
    SearchEnd,
    SearchOutcome,
    SearchStatus,
    Solver,
    Stoppable,
    until_interrupted,
)
from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.explanation.cores import Item
from aspdoku.explanation.techniques import DEFINITIONS
from aspdoku.formats import registry
from aspdoku.generation.clue_files import clue_files
from aspdoku.generation.generator import GeneratedPuzzle, Generator
from aspdoku.generation.minimal import Reduction, reduce, unnamed_rules
from aspdoku.generation.wishes import Symmetry, Wishes
from aspdoku.program import Program
from aspdoku.program.rulefile import SIZES
from aspdoku.progress import note
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.report.answer import not_unique_text
from aspdoku.report.generation import (
    attempts_summary,
    generated_json,
    generated_summary,
    generated_text,
    rules_text,
)
from aspdoku.report.reduction import reduction_json, reduction_summary
from aspdoku.signals import interruptible
from aspdoku.supervision import notice_time_limit

if TYPE_CHECKING:
    from aspdoku.drawing import Picture
    from aspdoku.report.page import Section

_MOST_SEEDS = 10**6
# A warning about a rule whose inputs are still to be drawn.
NO_INPUTS = "rule .* has no effect"


@dataclass(frozen=True, repr=False)
class GeneratedPuzzles(Result):
    """New puzzles, each with a unique solution.

    puzzles: each with its `puzzle`, its `solution`, its composed `program`, whether it is
        `minimal`, and its `difficulty` if a grade or a technique was wanted
    wanted: how many were asked for
    seed: with which the same arguments give the same puzzles
    tried: how many attempts there were
    ended: "complete" if there are as many puzzles as wanted, or else why not
    nearest: if not, what the attempt was like that came nearest
    """

    puzzles: tuple[GeneratedPuzzle, ...]
    wanted: int
    seed: int
    tried: int
    ended: SearchEnd
    nearest: str

    @property
    def puzzle(self) -> Puzzle:
        """The first puzzle. Raises TimeLimitError if none was found in time."""
        if not self.puzzles:
            error = TimeLimitError if self.ended == "time" else AspdokuError
            raise error(self._summary())
        return self.puzzles[0].puzzle

    def __str__(self) -> str:
        return "\n\n".join(generated_text(each.puzzle) for each in self.puzzles) or self._summary()

    @property
    def summary(self) -> str:
        """How many puzzles were found, and why no more."""
        return self._summary()

    def _summary(self) -> str:
        return attempts_summary(
            len(self.puzzles), self.wanted, self.tried, self.ended, self.nearest
        )

    def _title(self) -> str:
        return "Generated puzzles"

    def _sections(self) -> list[Section]:
        """Each puzzle with its rules, then the solutions."""
        from aspdoku.report.page import Section  # text does without pictures

        sections = [
            Section(
                f"{number}. {generated_summary(each)}\n{rules_text(each)}",
                (figure(each.program, labels=False),),
            )
            for number, each in enumerate(self.puzzles, 1)
        ]
        solutions = [figure(each.program, each.solution, labels=False) for each in self.puzzles]
        return [*sections, Section(f"Solutions\n{self._summary()}", tuple(solutions))]

    def _json(self) -> dict[str, Any]:
        """The puzzles as text, each with its solution, and how they were found."""
        return generated_json(self.puzzles, self.seed, self.tried, self.ended, self.nearest)


@interruptible
def generate(
    with_: Rules = (),
    *,
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    size: int | None = None,
    like: Source | None = None,
    givens: int | None = None,
    clues: int | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    grade: str = "",
    technique: str = "",
    seed: int | None = None,
    count: int = 1,
    time_limit: float | None = 60,
    on_puzzle: Callable[[GeneratedPuzzle], None] | None = None,
    interruptible: bool = False,
) -> GeneratedPuzzles:
    """Make puzzles with a unique solution, by any rules.

    The inputs of a rule, such as cages or signs, are drawn by the `.gen` file next to it. A puzzle
    that would have the same solution without one of the rules is discarded.

    with_, without, constants, facts: as in `solve`
    size: of the grid; 9 by default
    like: a puzzle or program with the size, the regions and the rules, instead of `size`; its clues
        are drawn anew if there is a `.gen` file for them, and its givens are ignored; facts about
        the whole grid, such as a distance, are kept
    givens: how many givens; None for as few as possible
    clues: how many clues; None for as few as possible
    minimal: no given and no clue can be removed, even if their number is wanted
    symmetry: of the cells with givens: "rotational" (by 180 degrees), "mirror" (left and right)
    grade: "easy", "medium", "hard", "very hard" or "extreme", as `grade` rates it
    technique: of the hardest step, by one of the names that `explain` uses, such as "X-wing" or
        "x-wing"
    seed: the same one gives the same puzzles; None for a new one
    count: how many puzzles
    time_limit: seconds for all of them
    on_puzzle: is called with each puzzle when it is found
    Raises NoSolutionError if the rules have no solution, AspdokuError for arguments that no puzzle
    fits, PuzzleError or RuleError.
    """
    if seed is None:
        seed = new_seed()
    require_seed(seed)
    _require_numbers(givens, clues, count)
    if size is not None:
        require_integer(size, "a size")
    given_sizes = set(SIZES).intersection(constants) if isinstance(constants, Mapping) else set()
    if given_sizes and like is None:
        raise AspdokuError(
            f"the constant {min(given_sizes)} follows from the grid: pass size=N instead, or for"
            " boxes of another shape like=Puzzle.blank(N, (ROWS, COLUMNS))"
        )
    if size is not None and like is not None:
        raise AspdokuError("size and like exclude each other: like has a size")
    source = Puzzle.blank(9 if size is None else size) if like is None else like
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", NO_INPUTS)
        program = program_of(source, with_, without, constants, facts, time_limit)
    refuse_drawn(program, facts)
    technique = next((each for each in DEFINITIONS if _equal(each, technique)), technique)
    wishes = Wishes(givens, clues, minimal, symmetry, grade, technique)
    generator = Generator(program, wishes, seed, time_limit)
    found: list[GeneratedPuzzle] = []
    with Stoppable(interruptible) as run:
        for each in generator.puzzles():
            found.append(each)
            if on_puzzle:
                on_puzzle(each)
            if len(found) == count:
                break
    if run.ended == "time":
        notice_time_limit()
    nearest = "" if run.ended == "complete" else generator.nearest
    return GeneratedPuzzles(tuple(found), count, seed, generator.tried, run.ended, nearest)


def _equal(name: str, other: str) -> bool:
    """Whether two names differ at most in case."""
    return name.casefold() == other.casefold()


def new_seed() -> int:
    """A random seed, short enough to be typed."""
    return SystemRandom().randrange(_MOST_SEEDS)


def refuse_drawn(program: Program, facts: Facts) -> None:
    """Raise AspdokuError for facts that would be drawn instead: givens, and clues of a rule with a
    `.gen` file.
    """
    stated = with_facts(Puzzle.blank(program.puzzle.size), facts)
    if stated.givens():
        raise AspdokuError("givens cannot be stated: they are those of a random solution")
    for fact in stated.facts:
        if any(fact.signature in file.drawn_inputs(stated.facts) for file in clue_files(program)):
            raise AspdokuError(f"{fact} cannot be stated: clues of this kind are drawn")


def _require_numbers(givens: int | None, clues: int | None, count: int) -> None:
    """Raise TypeError or AspdokuError for invalid arguments of `generate`."""
    require_integer(count, "a number of puzzles")
    for number, what in ((givens, "givens"), (clues, "clues")):
        if number is not None:
            require_integer(number, f"a number of {what}")
    if count < 1:
        raise AspdokuError(f"invalid number of puzzles {count}: expected at least 1")


@dataclass(frozen=True, repr=False)
class MinimalPuzzle(Result):
    """A puzzle with fewer givens and clues, and the same unique solution.

    program: of the original puzzle
    outcome: of the search for its solutions; unless there is a unique one, nothing was removed
    reduction: what was removed, and how that ended; None if nothing was tried
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    reduction: Reduction | None = None
    remarks: tuple[str, ...] = ()

    @property
    def status(self) -> SearchStatus:
        """What is proved about the original puzzle, as in `Solutions`."""
        return self.outcome.status

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is left, which names the rules of the library that it was solved with."""
        return (self.reduction or self).program.puzzle

    @property
    def removed(self) -> tuple[Item, ...]:
        """The givens and clues that were removed."""
        return self.reduction.removed if self.reduction else ()

    @property
    def is_minimal(self) -> bool:
        """Whether no given and no clue can be removed, except those that were to be kept."""
        return self.reduction is not None and self.reduction.ended == "complete"

    def __str__(self) -> str:
        if self.reduction is None:
            return self._summary()
        return registry.write(registry.NATIVE, [self.puzzle]).removesuffix("\n")

    def _summary(self) -> str:
        if self.reduction is None:
            return not_unique_text(self.outcome, "can be minimised")
        return reduction_summary(self.reduction) + self.puzzle.caveat

    def _title(self) -> str:
        return "Minimal puzzle"

    def _pictures(self) -> Iterable[Picture]:
        yield figure((self.reduction or self).program)

    def _words(self) -> str:
        return self._summary()

    def _json(self) -> dict[str, Any]:
        """The status, the puzzle as text, and the givens and clues removed and left."""
        text = str(self) if self.reduction else None
        return reduction_json(self.outcome, self.reduction, text)


@interruptible
def minimise(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    keep: Names = (),
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> MinimalPuzzle:
    """Remove givens and clues while the solution stays unique, until none can be removed.

    Regions and other inputs of the default rules are never removed.

    keep: what not to remove: "givens", "clues", the name of a rule whose clues to keep, a cell such
        as "r1c2", or a clue by the name that `redundant` gives it
    seed: of the random order in which they are removed
    The other arguments are those of `solve`. After the time limit, `is_minimal` is false. Raises
    PuzzleError or RuleError, and AspdokuError for a name in `keep` that nothing has.
    """
    require_seed(seed)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    solver = Solver(program, time_limit)
    search = solver.search(2)
    solutions: list[Solution] = []
    with until_interrupted(search, interruptible):
        solutions += search
    outcome = search.outcome()
    if outcome.status != "unique":
        return MinimalPuzzle(program, outcome, None, tuple(map(str, solver.messages)))
    note("removing givens and clues")
    reduction = reduce(
        program,
        solutions[0],
        names_in(keep),
        seed,
        solver.deadline.time_limit(),
        interruptible,
    )
    remarks = [
        f"the puzzle does not name the rule file {place}: add it with --with or with_="
        for place in unnamed_rules(reduction.program)
    ]
    return MinimalPuzzle(program, outcome, reduction, (*map(str, solver.messages), *remarks))
