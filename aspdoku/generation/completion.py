"""Single additions that make the solution of a puzzle unique: a given, or a clue.

An addition suffices if exactly one solution contains it. One search decides that for all of them:
each solution that is found must contain an addition of which fewer than two are known, so that it
ends as soon as every addition is known to be in two solutions, or in no others. The program is
grounded once, with the clues as choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from aspdoku.deadline import Deadline
from aspdoku.engine.propagated import PropagationCounter
from aspdoku.engine.solver import CANDIDATE_OPTIONS, SearchEnd, Solver, has_unique_extensions
from aspdoku.errors import PuzzleError, TimeLimitError
from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.steps import Difficulty, difficulty_of
from aspdoku.generation.new_clues import new_clues
from aspdoku.program import Program, RuleFile, assemble
from aspdoku.progress import note
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.puzzle.term import to_asp


class Addition(NamedTuple):
    """A given or a clue with which a puzzle has a unique solution.

    fact: a given `a(R,C,N)`, or an input of a rule
    rule: the name of the rule that a clue belongs to; empty for a given
    solution: with the addition
    filled: the number of empty cells that it and then unit propagation fill; for most rules, those
        that singles fill
    difficulty: with the addition; None if it was not graded
    """

    fact: Function
    rule: str
    solution: Solution
    filled: int
    difficulty: Difficulty | None = None

    @property
    def name(self) -> str:
        """Such as `r1c2=3` or `gt(1,1,1,2)`."""
        return str(self.fact) if self.rule else "r{}c{}={}".format(*self.fact.arguments)


class Completions(NamedTuple):
    """The additions with which a puzzle with several solutions has a unique one.

    additions: the best of them; those after which the puzzle is easiest to solve come first
    total: how many there are
    solutions: how many solutions of the puzzle itself were found; there may be others
    open_cells: the numbers that each empty cell holds in these solutions
    ended: "complete" if all additions were tried, and those returned are graded
    """

    additions: tuple[Addition, ...]
    total: int
    solutions: int
    open_cells: Mapping[Cell, tuple[int, ...]]
    ended: SearchEnd


def complete(
    program: Program,
    intended: Puzzle | None = None,
    limit: int = 10,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Completions:
    """Find the additions with which the solution of a puzzle is unique.

    They are ordered by the number of cells that unit propagation fills, and the first `limit` of
    them by the rules in the hardest step and the work, as `grade` counts them.

    program: of a puzzle with several solutions
    intended: a filled grid; only look for additions with which this is the solution
    limit: return this many additions, 0 for all
    time_limit: in seconds; what has been found by then is returned
    interruptible: at KeyboardInterrupt, return what has been found
    Raises PuzzleError if the intended solution is none of the puzzle.
    """
    deadline = Deadline(time_limit)
    ended: SearchEnd = "complete"
    found: list[Addition] = []
    finder: _Finder | None = None
    total = 0
    try:
        finder = _Finder(program, intended, deadline)
        found += finder.givens()
        found += finder.clues()
        total = len(found)
        found = _ranked(finder.measured(found))[: limit or None]
        for index, addition in enumerate(found):
            note(f"grading {index + 1} of {len(found)} additions")
            rated = _difficulty(program, addition, deadline)
            found[index] = addition._replace(difficulty=rated)
    except TimeLimitError:
        ended = "time"
    except KeyboardInterrupt:
        if not interruptible:
            raise
        ended = "interrupted"
    found = _ranked(found)[: limit or None]
    pool = finder.pool if finder else []
    return Completions(tuple(found), total or len(found), len(pool), _open_cells(pool), ended)


def _ranked(additions: Iterable[Addition]) -> list[Addition]:
    """The additions, easiest puzzles first; the sort is stable, and they are in reading order."""

    def key(addition: Addition) -> tuple[bool, int, int, int]:
        rated = addition.difficulty
        grade = (rated.hardest, rated.work) if rated else (0, 0)
        return rated is None, *grade, -addition.filled

    return sorted(additions, key=key)


def _difficulty(program: Program, addition: Addition, deadline: Deadline) -> Difficulty:
    puzzle = program.puzzle.replace(
        facts=(*program.puzzle.facts, addition.fact), box=program.puzzle.box
    )
    rules = [part.rule for part in program.parts]
    explainer = Explainer(
        assemble(puzzle, rules, constants=program.constants), deadline.time_limit()
    )
    return difficulty_of(explainer.steps(), explainer.unique)


def _open_cells(pool: Iterable[Solution]) -> dict[Cell, tuple[int, ...]]:
    numbers: dict[Cell, set[int]] = {}
    for solution in pool:
        for cell, number in solution.numbers().items():
            numbers.setdefault(cell, set()).add(number)
    return {cell: tuple(sorted(its)) for cell, its in numbers.items() if len(its) > 1}


class _Finder:
    """Finds the additions that suffice.

    pool: the solutions of the puzzle itself that were found
    """

    def __init__(self, program: Program, intended: Puzzle | None, deadline: Deadline) -> None:
        self._program = program
        self._deadline = deadline
        self._candidates = list(new_clues(program))
        facts = [to_asp(clue.fact) for clue in self._candidates]
        choices = [f"{{ {'; '.join(facts)} }} 1."] if facts else []
        self._extended = assemble(
            program.puzzle,
            [
                *(part.rule for part in program.parts),
                RuleFile("additions", "additions", "\n".join(choices), vetted=True),
            ],
            constants=program.constants,
        )
        signatures = {clue.fact.signature for clue in self._candidates}
        self._solver = Solver(
            self._extended,
            deadline.time_limit(),
            options=CANDIDATE_OPTIONS,
            extra_program="\n".join(f"#project {name}/{arity}." for name, arity in signatures),
            project=not has_unique_extensions(program),
        )
        self._literal = self._solver.literals()
        self._absent = [-self._literal[fact] for fact in facts]
        self.pool: list[Solution] = []
        self._intended: list[int] | None = None
        self._wanted = self._number_atoms()
        if intended:
            self._intend(intended)

    def _intend(self, solution: Puzzle) -> None:
        """Restrict the additions to those with this solution. Raises PuzzleError if it is none."""
        numbers = solution.givens()
        if solution.size != self._program.puzzle.size or set(numbers) != set(self._cells()):
            raise PuzzleError("the intended solution is not a filled grid of the puzzle's size")
        atoms = [Function(GIVEN[0], (*cell, number)) for cell, number in numbers.items()]
        self._intended = [self._literal[str(atom)] for atom in atoms if str(atom) in self._literal]
        assumed = [*self._intended, *self._absent]
        if len(self._intended) < len(atoms) or self._solver.first_answer_set(assumed) is None:
            raise PuzzleError("the intended solution is not a solution of the puzzle")
        self._wanted = {atom: each for atom, each in self._wanted.items() if atom in atoms}

    def _cells(self) -> Iterator[Cell]:
        span = range(1, self._program.puzzle.size + 1)
        cells = ((row, column) for row in span for column in span)
        return (cell for cell in cells if cell not in self._program.puzzle.unused)

    def _number_atoms(self) -> dict[Function, int]:
        """The atoms for the numbers of empty cells, in reading order."""
        puzzle = self._program.puzzle
        atoms = (
            Function(GIVEN[0], (*cell, number))
            for cell in self._cells()
            if puzzle[cell] is None
            for number in puzzle.numbers
        )
        return {atom: self._literal[str(atom)] for atom in atoms if str(atom) in self._literal}

    def givens(self) -> list[Addition]:
        """The givens that suffice."""
        note("looking for givens that suffice")
        counts, sole = self._solutions_with(self._wanted, self._absent, self.pool)
        return [Addition(atom, "", sole[atom], 0) for atom in self._wanted if counts[atom] == 1]

    def clues(self) -> list[Addition]:
        """The clues that suffice; of two that only differ in the order of their cells and have the
        same effect, the first.
        """
        if not self._candidates:
            return []
        note("looking for clues that suffice")
        atoms = {clue.fact: self._literal[to_asp(clue.fact)] for clue in self._candidates}
        if self._intended is not None:
            true, _ = self._solutions_with(atoms, self._intended, [])
            atoms = {fact: literal for fact, literal in atoms.items() if true[fact]}
        counts, sole = self._solutions_with(atoms, [], [])
        found: dict[object, Addition] = {}
        for clue in self._candidates:
            if counts[clue.fact] == 1:
                same = clue.kind, clue.place, clue.value, sole[clue.fact].rows
                found.setdefault(same, Addition(clue.fact, clue.rule, sole[clue.fact], 0))
        return list(found.values())

    def _solutions_with(
        self, atoms: Mapping[Function, int], assumed: Sequence[int], pool: list[Solution]
    ) -> tuple[Counter[Function], dict[Function, Solution]]:
        """In how many solutions each atom is, up to two, and one solution for each of them.

        assumed: literals that hold
        pool: to which the solutions that are found are added
        """
        counts: Counter[Function] = Counter()
        sole: dict[Function, Solution] = {}
        undecided = dict(atoms)
        control = self._solver.ground()
        control.configuration.solve.models = 0  # type: ignore[union-attr]
        is_async = self._solver.is_async
        with control.solve(list(assumed), yield_=True, async_=is_async) as handle:
            while True:
                handle.resume()
                self._solver.wait(handle)
                model = handle.model()
                if model is None:
                    return counts, sole
                solution = self._solver.solution(model.symbols(shown=True))
                pool.append(solution)
                note(f"{len(pool)} solutions found")
                for atom in [each for each in undecided if model.is_true(undecided[each])]:
                    counts[atom] += 1
                    sole.setdefault(atom, solution)
                    if counts[atom] == 2:
                        del undecided[atom]
                model.context.add_clause(list(undecided.values()))

    def measured(self, additions: Iterable[Addition]) -> list[Addition]:
        """The additions with the number of cells that unit propagation fills."""
        note("ordering the additions")
        counter = PropagationCounter(
            self._extended,
            list(map(str, self._number_atoms())),
            self._deadline.time_limit(),
        )
        clues = [to_asp(clue.fact) for clue in self._candidates]
        found = []
        for addition in additions:
            fact = to_asp(addition.fact)
            absent = [clue for clue in clues if clue != fact]
            found.append(addition._replace(filled=counter.count([fact], absent)))
        return found
