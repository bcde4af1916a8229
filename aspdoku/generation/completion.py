"""Single additions that make the solution of a puzzle unique: a given, or a clue.

All givens are tried, and all clues of one fact that are like those of the puzzle. Of other clues,
such as cages and lines, some are drawn at random (`new_clues`).

An addition suffices if exactly one solution contains it. One search decides that for all of them:
each solution that is found must contain an addition of which fewer than two are known, so that it
ends as soon as every addition is known to be in two solutions, or in no others. The program is
grounded once, with the clues as choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from aspdoku.engine import solver
from aspdoku.engine.propagators import PropagationCounter
from aspdoku.errors import PuzzleError
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import Difficulty, difficulty_of
from aspdoku.generation.new_clues import NewClue, drawn_clues, new_clues
from aspdoku.program import Program, RuleFile
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.puzzle.term import to_asp
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

_CHOICE = "additions_choice"
_given_name = "r{}c{}={}".format
# Solutions that are counted with an addition that does not suffice.
_MOST_LEFT = 1000


class Addition(NamedTuple):
    """A given or a clue with which a puzzle has a unique solution.

    name: such as `r1c2=3`, `gt(1,1,1,2)` or `cage 1 from r1c1`
    rule: the name of the rule that a clue belongs to; empty for a given
    drawn: whether it was drawn at random, and not all clues like it were tried
    solution, difficulty: with the addition; the latter is None if it was not graded
    filled: the number of empty cells that it and then unit propagation fill
    """

    name: str
    facts: tuple[Function, ...]
    rule: str
    drawn: bool
    solution: Solution
    filled: int = 0
    difficulty: Difficulty | None = None


class Nearest(NamedTuple):
    """A given, as a clue without a rule, or a clue with which a puzzle still has several solutions.

    left: how many
    """

    clue: NewClue
    left: int


class Completions(NamedTuple):
    """The additions with which a puzzle with several solutions has a unique one.

    additions: the best of them; those after which the puzzle is easiest to solve come first
    total: how many were found
    drawn, seed: how many clues of each rule were drawn and tried, and with which seed
    solutions: how many solutions of the puzzle itself were found; there may be others
    open_cells: the numbers that each empty cell holds in these solutions
    ended: "complete" if all additions were tried, and those returned are graded
    nearest: if no addition suffices, those that leave the fewest solutions: of the clues that were
        tried, and the givens that are in the fewest of the solutions found
    """

    additions: tuple[Addition, ...]
    total: int
    drawn: Mapping[str, int]
    seed: int
    solutions: int
    open_cells: Mapping[Cell, tuple[int, ...]]
    ended: solver.SearchEnd
    nearest: tuple[Nearest, ...] = ()


def complete(
    program: Program,
    intended: Puzzle | None = None,
    limit: int = 10,
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Completions:
    """Find the additions with which the solution of a puzzle is unique, ordered by the number of
    cells that unit propagation fills; the first `limit`, or all for 0, by their difficulty. At the
    time limit, or at KeyboardInterrupt if interruptible, returns what has been found. Raises
    PuzzleError if the intended solution, a filled grid, is none of the puzzle, RuleError for a
    `.gen` file with errors.
    """
    deadline = Deadline(time_limit)
    additions: list[Addition] = []
    counts: dict[str, int] = {}
    pool: list[Solution] = []
    nearest: list[Nearest] = []
    total = 0
    with solver.Stoppable(interruptible) as run:
        known = list(new_clues(program))
        finder = _Finder(program, known, intended, deadline, pool)
        additions += finder.givens()
        additions += finder.clues()
        drawn = drawn_clues(program, finder.intended or pool, known, seed, deadline)
        finders = [finder]
        if drawn:
            finders.append(_Finder(program, list(chain(*drawn.values())), intended, deadline, pool))
            additions += finders[1].clues()
            counts = {rule: len(clues) for rule, clues in drawn.items()}
        total = len(additions)
        if not additions:
            _count_left(finders, limit, nearest)
        note("ordering the additions")
        additions = _ranked([finders[each.drawn].measured(each) for each in additions], limit)
        for index, addition in enumerate(additions):
            note(f"grading {index + 1} of {len(additions)} additions")
            rated = _difficulty(program, addition, deadline)
            additions[index] = addition._replace(difficulty=rated)
    total = total or len(additions)
    additions = _ranked(additions, limit)
    found = len(pool), _open_cells(pool), run.ended
    return Completions(tuple(additions), total, counts, seed, *found, tuple(nearest))


def _count_left(finders: Sequence[_Finder], limit: int, nearest: list[Nearest]) -> None:
    """Put in order those that leave the fewest solutions, and no more than the limit; 0 for all."""
    givens = [(finders[0], *each) for each in finders[0].open_givens(2 * limit)]
    clues = [(finder, *each) for finder in finders for each in finder.open_clues()]
    for number, (finder, clue, atom) in enumerate(every := givens + clues, 1):
        note(f"counting the solutions with {number} of {len(every)} additions")
        is_full = 0 < limit <= len(nearest)
        most = nearest[-1].left if is_full else _MOST_LEFT
        left = finder.count_with(atom, most)
        if 0 < left < most:
            nearest.append(Nearest(clue, left))
            nearest.sort(key=lambda each: each.left)
            del nearest[limit or len(nearest) :]


def _ranked(additions: Iterable[Addition], limit: int) -> list[Addition]:
    """The first additions, easiest puzzles first, otherwise in reading order."""

    def key(addition: Addition) -> tuple[bool, int, int, int]:
        rated = addition.difficulty
        return rated is None, *(rated[:2] if rated else (0, 0)), -addition.filled

    return sorted(additions, key=key)[: limit or None]


def _difficulty(program: Program, addition: Addition, deadline: Deadline) -> Difficulty:
    completed = program.changed(facts=(*program.puzzle.facts, *addition.facts))
    explainer = Explainer(completed, deadline.time_limit())
    return difficulty_of(explainer.steps(), explainer.unique)


def _open_cells(pool: Iterable[Solution]) -> dict[Cell, tuple[int, ...]]:
    numbers: dict[Cell, set[int]] = {}
    for solution in pool:
        for cell, number in solution.numbers().items():
            numbers.setdefault(cell, set()).add(number)
    return {cell: tuple(sorted(its)) for cell, its in numbers.items() if len(its) > 1}


class _Finder:
    """Finds the givens and candidate clues that suffice, if wanted for the `intended` solution."""

    def __init__(
        self,
        program: Program,
        candidates: Sequence[NewClue],
        intended: Puzzle | None,
        deadline: Deadline,
        pool: list[Solution],
    ) -> None:
        self._program = program
        self._deadline = deadline
        self._candidates = {f"{_CHOICE}({place})": clue for place, clue in enumerate(candidates)}
        chosen = [f"{{ {'; '.join(self._candidates)} }} 1."] if candidates else []
        chosen += (
            f"{to_asp(fact)} :- {atom}."
            for atom, clue in self._candidates.items()
            for fact in clue.facts
        )
        additions = RuleFile("additions", "additions", "\n".join(chosen), vetted=True)
        self._extended = program.changed([*program.rules, additions], fast=False)
        self._solver = solver.Solver(
            self._extended,
            deadline.time_limit(),
            options=solver.CANDIDATE_OPTIONS,
            extra_program=f"#project {_CHOICE}/1." if candidates else "",
            project=not solver.has_unique_extensions(program),
        )
        self._literal = self._solver.literals()
        self._open = {atom: self._literal[atom] for atom in self._candidates}
        self._absent = [-literal for literal in self._open.values()]
        self._pool = pool
        self._assumed: list[int] = []
        puzzle = program.puzzle
        empty = (cell for cell in puzzle.cells() if puzzle[cell] is None)
        facts = (Function(GIVEN[0], (*cell, each)) for cell in empty for each in puzzle.numbers)
        self._givens = {text: fact for fact in facts if (text := str(fact)) in self._literal}
        self._wanted = {atom: self._literal[atom] for atom in self._givens}
        self.intended: list[Solution] = []
        if intended:
            self._intend(intended)

    def _intend(self, solution: Puzzle) -> None:
        numbers = solution.givens()
        if solution.size != self._program.puzzle.size or set(numbers) != set(
            self._program.puzzle.cells()
        ):
            raise PuzzleError("the intended solution is not a filled grid of the puzzle's size")
        atoms = [str(Function(GIVEN[0], (*cell, number))) for cell, number in numbers.items()]
        assumed = [self._literal[atom] for atom in atoms if atom in self._literal]
        answer_set = None
        if len(assumed) == len(atoms):
            answer_set = self._solver.first_answer_set([*assumed, *self._absent], shown=True)
        if answer_set is None:
            raise PuzzleError("the intended solution is not a solution of the puzzle")
        self.intended = [self._solver.solution(answer_set)]
        self._assumed = assumed
        self._wanted = {atom: each for atom, each in self._wanted.items() if atom in atoms}

    def givens(self) -> list[Addition]:
        note("looking for givens that suffice")
        counts, sole = self._solutions_with(self._wanted, self._absent, self._pool)
        facts = {atom: self._givens[atom] for atom in self._wanted if counts[atom] == 1}
        return [
            Addition(_given_name(*fact.arguments), (fact,), "", False, sole[atom])
            for atom, fact in facts.items()
        ]

    def clues(self) -> list[Addition]:
        """The clues that suffice; of two that look alike and have the same effect, the first."""
        if not self._candidates:
            return []
        note("looking for clues that suffice")
        if self.intended:
            true, _ = self._solutions_with(self._open, self._assumed, [])
            self._open = {atom: literal for atom, literal in self._open.items() if true[atom]}
        counts, sole = self._solutions_with(self._open, [], [])
        additions: dict[object, Addition] = {}
        for atom, clue in self._candidates.items():
            if counts[atom] == 1:
                addition = Addition(clue.name, clue.facts, clue.rule, clue.drawn, sole[atom])
                additions.setdefault((clue.look, sole[atom].rows), addition)
        return list(additions.values())

    def _solutions_with(
        self, atoms: Mapping[str, int], assumed: Sequence[int], pool: list[Solution]
    ) -> tuple[Counter[str], dict[str, Solution]]:
        """Up to two solutions for each atom, with the literals; all go to the pool."""
        counts: Counter[str] = Counter()
        sole: dict[str, Solution] = {}
        undecided = dict(atoms)
        control = self._solver.ground()
        control.configuration.solve.models = 0  # type: ignore[union-attr]
        is_async = self._solver.is_async
        with control.solve(list(assumed), yield_=True, async_=is_async) as handle:
            for model in self._solver.models(handle):
                solution = self._solver.solution(model.symbols(shown=True))
                pool.append(solution)
                note(f"{len(pool)} solutions found")
                for atom in [each for each in undecided if model.is_true(undecided[each])]:
                    counts[atom] += 1
                    sole.setdefault(atom, solution)
                    if counts[atom] == 2:
                        del undecided[atom]
                model.context.add_clause(list(undecided.values()))
        return counts, sole

    def open_givens(self, most: int) -> list[tuple[NewClue, Function]]:
        """The givens that are in the fewest solutions of the pool, but in one; all if most is 0."""
        numbers = (solution.numbers().items() for solution in self._pool)
        found = Counter(str(Function(GIVEN[0], (*cell, each))) for cell, each in chain(*numbers))
        atoms = sorted((atom for atom in self._wanted if found[atom]), key=found.__getitem__)
        facts = [self._givens[atom] for atom in atoms[: most or None]]
        return [
            (NewClue("", _given_name(*fact.arguments), (fact,), None, False), fact)
            for fact in facts
        ]

    def open_clues(self) -> list[tuple[NewClue, Function]]:
        """The clues that do not contradict the intended solution, if there is one."""
        places = enumerate(self._candidates.items())
        return [
            (clue, Function(_CHOICE, (place,)))
            for place, (atom, clue) in places
            if atom in self._open
        ]

    def count_with(self, atom: Function, most: int) -> int:
        """The number of solutions with a given or the choice of a clue, and no other clue."""
        choices = (Function(_CHOICE, (place,)) for place in range(len(self._candidates)))
        absent = [(each, False) for each in choices if each != atom]
        return self._solver.search(most, [(atom, True), *absent]).count()

    def measured(self, addition: Addition) -> Addition:
        choices = (atom for atom, each in self._candidates.items() if each.facts == addition.facts)
        true = next(choices, to_asp(addition.facts[0]))
        absent = [atom for atom in self._candidates if atom != true]
        return addition._replace(filled=self._counter.count([true], absent))

    @cached_property
    def _counter(self) -> PropagationCounter:
        return PropagationCounter(self._extended, list(self._givens), self._deadline.time_limit())
