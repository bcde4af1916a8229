"""Random solutions: all equally likely if a table of partial grids can be built.

Otherwise clingo finds them with random decisions, after a few random cells have been assumed to
hold random numbers, and interchangeable numbers are exchanged at random. That comes near to a
uniform distribution, but some solutions are likelier than others: a solver that decides at random
prefers solutions that few decisions lead to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import NamedTuple

from aspdoku.counting.symmetry import number_symmetry
from aspdoku.counting.table import Completions, Differences, differences
from aspdoku.engine.solver import Pace, Solver
from aspdoku.errors import NoSolutionError, TimeLimitError
from aspdoku.program import Program
from aspdoku.puzzle import Solution
from aspdoku.puzzle.puzzle import grid_of
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note
from aspdoku.runtime.supervise import memory_limit

# Entries of a table in all: some 2 s and 200 MB.
_MOST_ENTRIES = 250_000
# Entries for the first third of the cells: a blank 9x9 grid exceeds this within 0.1 s, and tables
# that fit in the end have fewer.
_MOST_EARLY = 15_000
_BYTES = 800  # of an entry
# Of the remaining time, so that a short time limit leaves enough for drawing without a table.
_SHARE_OF_TABLE = 0.25
# Assumptions and signs are random, so that few random decisions suffice; with more of them clingo
# takes several times longer under tight rules. Nothing is kept for the next solution: clauses that
# were learned under other assumptions slow down each draw, and it would depend on earlier ones.
_OPTIONS = ("--rand-freq=0.3", "--sign-def=rnd", "--forget-on-step=15")
# Cells that are assumed to hold random numbers, and attempts with so many. More cells are nearer to
# a uniform distribution, but fewer assumptions are consistent.
_ASSUMED = (8, 6, 4, 2)
_ATTEMPTS = 8
_MOST_SEEDS = 2**31


class Sample(NamedTuple):
    """How random solutions were drawn: equally likely or not, and of how many, if known."""

    seed: int
    uniform: bool
    total: int | None


class Sampler:
    """Draws random solutions of a program, independently of each other and within a time limit. The
    same program and seed give the same solutions, unless the limit prevents a table.
    """

    def __init__(self, program: Program, seed: int, time_limit: float | None = None) -> None:
        self._program = program
        self._random = Random(seed)
        self._deadline = Deadline(time_limit)
        self._required = differences(program, time_limit)
        self._table: Completions | None = None
        if self._required:
            self._table = self._built_table(self._required)
        places = self._required.places if self._required else ()
        # The index among the cells of `Differences`, by the index among those of the grid.
        self._index = {place: cell for cell, place in enumerate(places)}
        self.total = self._table.count if self._table else None
        self._shows = any(part.rule.shown for part in program.parts)
        if self._table is None:
            self._solver = Solver(
                program,
                self._deadline.time_limit(),
                options=(*_OPTIONS, f"--seed={self._random.randrange(_MOST_SEEDS)}"),
                pace=Pace(),
            )
            self._literals: dict[tuple[int, int, int], int] = {}

    @cached_property
    def _classes(self) -> tuple[tuple[int, ...], ...]:
        note("looking for interchangeable numbers")
        return number_symmetry(self._program, self._deadline.time_limit()).classes

    @property
    def is_uniform(self) -> bool:
        """Whether all solutions are equally likely."""
        return self._table is not None

    @property
    def obstacle(self) -> str:
        """Why solutions are not equally likely; empty if they are."""
        if self._table:
            return ""
        if self._required:
            return "there are too many partial grids for a table"
        return "the rules require more than that cells differ"

    def draw(self) -> Solution:
        """A random solution. Raises NoSolutionError, TimeLimitError."""
        self._deadline.require_time("drawing solutions")
        if self._table and self._required:
            if not self._table.count:
                raise NoSolutionError("no solution")
            return self._from_table(self._table)
        return self._with_exchanged_numbers(self._found())

    def _built_table(self, required: Differences) -> Completions | None:
        most = min(_MOST_ENTRIES, (memory_limit() or _MOST_ENTRIES * _BYTES * 2) // 2 // _BYTES)
        left = self._deadline.time_limit()
        deadline = Deadline(None if left is None else left * _SHARE_OF_TABLE)
        try:
            return Completions.of(required, most, _MOST_EARLY, deadline)
        except TimeLimitError:
            return None

    def _from_table(self, table: Completions) -> Solution:
        puzzle = self._program.puzzle
        numbers = (puzzle.numbers[index] for index in table.draw(self._random))
        rows = grid_of(puzzle.size, dict(zip(puzzle.cells(), numbers, strict=True)))
        if not self._shows:
            return Solution(puzzle, rows)
        solver = Solver(self._program.with_grid(rows), self._deadline.time_limit())
        for solution in solver.search(1):
            return replace(solution, puzzle=puzzle)
        raise TimeLimitError("time limit reached while drawing solutions")

    def _found(self) -> Solution:
        puzzle = self._program.puzzle
        given = puzzle.givens()
        cells = [cell for cell in puzzle.cells() if cell not in given]
        literals = self._literals = self._literals or self._solver.placements()
        for assumed in _ASSUMED:
            for _ in range(_ATTEMPTS):
                atoms = [
                    (*cell, self._random.choice(puzzle.numbers))
                    for cell in self._random.sample(cells, min(assumed, len(cells)))
                ]
                if any(atom not in literals for atom in atoms) or self._clash(atoms):
                    continue
                if solution := self._first([literals[atom] for atom in atoms]):
                    return solution
        if solution := self._first([]):
            return solution
        raise NoSolutionError("no solution")

    def _clash(self, atoms: Iterable[tuple[int, int, int]]) -> bool:
        """Whether two of the cells have to differ and do not, so that no search is needed."""
        if not self._required:
            return False
        size, numbers = self._program.puzzle.size, self._program.puzzle.numbers
        excluded = [0] * len(numbers)
        for row, column, number in atoms:
            cell = self._index.get((row - 1) * size + column - 1)
            if cell is None:
                continue
            index = numbers.index(number)
            if excluded[index] >> cell & 1:
                return True
            excluded[index] |= self._required.neighbours[index][cell]
        return False

    def _first(self, assumed: list[int]) -> Solution | None:
        atoms = self._solver.first_answer_set(assumed, shown=True)
        return None if atoms is None else self._solver.solution(atoms)

    def _with_exchanged_numbers(self, solution: Solution) -> Solution:
        if self._shows:  # other atoms may depend on the numbers
            return solution
        exchanged: dict[int | None, int | None] = {}
        for numbers in self._classes:
            exchanged |= dict(zip(numbers, self._random.sample(numbers, len(numbers)), strict=True))
        rows = (tuple(exchanged.get(number, number) for number in row) for row in solution.rows)
        return replace(solution, rows=tuple(rows))
