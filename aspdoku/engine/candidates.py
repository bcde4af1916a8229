"""The true candidates of every cell, and the cells that are always equal.

The true candidates, the numbers that a cell holds in some solution, are the brave consequences of
the program. As every cell holds one number, a number is in all solutions if and only if it is the
only candidate of its cell, so the cautious consequences need no query of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from clingo import Model

from aspdoku.engine.grids import GridControl
from aspdoku.engine.solver import CANDIDATE_OPTIONS, SearchEnd, Stoppable
from aspdoku.errors import TimeLimitError
from aspdoku.program import Program
from aspdoku.program.messages import Message
from aspdoku.puzzle.puzzle import Cell, numbers_by_cell

CellNumbers = tuple[tuple[tuple[int, ...], ...], ...]


class CandidateCounts(NamedTuple):
    """The number of solutions that contain each candidate.

    counts: rows of cells, with a count for each of their candidates, in their order
    solutions: how many were counted
    exact: whether these are all solutions
    """

    counts: CellNumbers
    solutions: int
    exact: bool


class Candidates(NamedTuple):
    """The true candidates of a puzzle.

    possible: rows of cells of numbers, ascending; empty in unused cells or without a solution
    ended: unless it is "complete", there may be more candidates than these
    equal_cells: groups of cells that hold the same number in every solution, though not always the
        same one; None if unknown
    counts, counting_ended: None if not requested
    """

    possible: CellNumbers
    ended: SearchEnd
    equal_cells: tuple[tuple[Cell, ...], ...] | None
    counts: CandidateCounts | None
    counting_ended: SearchEnd | None = None
    messages: tuple[Message, ...] = ()

    @property
    def forced(self) -> dict[Cell, int]:
        """The numbers that are in every solution; none unless all candidates are known."""
        if self.ended != "complete":
            return {}
        cells = numbers_by_cell(self.possible)
        return {cell: numbers[0] for cell, numbers in cells.items() if len(numbers) == 1}

    @property
    def unsatisfiable(self) -> bool:
        """Whether there is no solution."""
        return self.ended == "complete" and not any(map(any, self.possible))


def candidates(
    program: Program,
    time_limit: float | None = None,
    count_to: int = 0,
    find_equal: bool = True,
    interruptible: bool = False,
) -> Candidates:
    """The true candidates of a puzzle, and the cells that are always equal. At the time limit, or
    at KeyboardInterrupt if interruptible, returns the results so far. Raises RuleError if the
    program cannot be grounded.

    count_to: count the solutions that contain each candidate, among at most this many; 0 for none
    find_equal: find the cells that are always equal
    """
    size = program.puzzle.size
    try:
        search = _CandidateSearch(program, CANDIDATE_OPTIONS, time_limit)
    except TimeLimitError:
        return Candidates((((),) * size,) * size, "time", None, None)
    equal, counts, counting_ended = None, None, None
    with Stoppable(interruptible) as run:
        search.brave_candidates(search.possible)
        # The candidates are known and worth returning, even if there is no time for the rest.
        with Stoppable(interruptible):
            equal = search.equal_cells() if find_equal else None
        if count_to:
            counts, counting_ended = search.count(count_to, interruptible)
    possible = search.in_rows(map(tuple, map(sorted, search.possible)))
    return Candidates(possible, run.ended, equal, counts, counting_ended, tuple(search.messages))


class _CandidateSearch(GridControl):
    @cached_property
    def possible(self) -> list[set[int]]:
        return [set() for _ in range(self.size**2)]

    def equal_cells(self) -> tuple[tuple[Cell, ...], ...]:
        """Cells with the same candidates are assumed to be equal until a solution separates them;
        each such solution splits all groups.
        """
        alike: dict[frozenset[int], list[int]] = defaultdict(list)
        for index, numbers in enumerate(self.possible):
            if len(numbers) > 1:
                alike[frozenset(numbers)].append(index)
        waiting = [group for group in alike.values() if len(group) > 1]
        equal: dict[int, list[int]] = {}
        while waiting:
            first, second, *others = waiting[-1]
            if solution := self._solution_with_difference(first, second):
                waiting = _split(waiting, solution)
                continue
            equal.setdefault(first, [first]).append(second)
            waiting[-1] = [first, *others]
            if not others:
                waiting.pop()
        span = range(1, self.size + 1)
        cells = [(row, column) for row in span for column in span]
        return tuple(tuple(cells[index] for index in group) for group in sorted(equal.values()))

    def count(self, limit: int, interruptible: bool) -> tuple[CandidateCounts, SearchEnd]:
        """The number of the first `limit` solutions with each candidate, and how that ended."""
        found: Counter[tuple[int, int]] = Counter()
        solutions = 0

        def on_model(model: Model) -> None:
            nonlocal solutions
            solutions += 1
            found.update(enumerate(self.numbers(model)))

        with Stoppable(interruptible) as run:
            if not self.search(on_model, models=limit):
                run.ended = "limit"
        counts = [
            tuple(found[index, number] for number in sorted(numbers))
            for index, numbers in enumerate(self.possible)
        ]
        return CandidateCounts(self.in_rows(counts), solutions, run.ended == "complete"), run.ended

    def in_rows(self, cells: Iterable[tuple[int, ...]]) -> CellNumbers:
        each = iter(cells)
        return tuple(tuple(islice(each, self.size)) for _ in range(self.size))

    def _solution_with_difference(self, one: int, two: int) -> bytes | None:
        solutions: list[bytes] = []
        for number in sorted(self.possible[one]):
            assumptions = [self.literal(one, number), -self.literal(two, number)]
            self.search(lambda model: solutions.append(self.numbers(model)), assumptions, models=1)
            if solutions:
                return solutions[0]
        return None


def _split(groups: list[list[int]], solution: bytes) -> list[list[int]]:
    """Split groups of cells by their numbers in a solution; single cells are dropped."""
    parted = []
    for group in groups:
        parts: dict[int, list[int]] = defaultdict(list)
        for index in group:
            parts[solution[index]].append(index)
        parted += [part for part in parts.values() if len(part) > 1]
    return parted
