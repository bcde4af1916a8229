"""The true candidates of every cell: the numbers that it holds in some solution.

And the cells that are always equal.

The candidates are the brave consequences of the program. As every cell holds one number, a number
stands in all solutions just
where it is the only candidate of its cell: what is forced (the cautious consequences) needs no
question of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from typing import NamedTuple

from clingo import Model

from aspdoku.engine.grids import GridControl
from aspdoku.engine.solver import CANDIDATE_OPTIONS, SearchEnd, TimeLimitError
from aspdoku.program import Program
from aspdoku.program.messages import Message
from aspdoku.puzzle.puzzle import Cell

CellNumbers = tuple[tuple[tuple[int, ...], ...], ...]


class CandidateCounts(NamedTuple):
    """In how many solutions each candidate stands.

    Rows of cells with a count for each of their candidates, in their order.

    solutions: how many were counted; all of them where `exact`
    """

    counts: CellNumbers
    solutions: int
    exact: bool


class Candidates(NamedTuple):
    """What the cells of a puzzle may hold.

    possible: rows of cells of numbers, ascending; all empty where there is no solution
    ended: "complete", or else there may be more candidates than these
    equal: groups of cells that hold the same number in every solution, though not always the same
    one; None where not known
    counts: None where it was not asked for; counted: how the counting ended
    remarks: what clingo said of the rules
    """

    possible: CellNumbers
    ended: SearchEnd
    equal_cells: tuple[tuple[Cell, ...], ...] | None
    counts: CandidateCounts | None
    counting_ended: SearchEnd | None = None
    messages: tuple[Message, ...] = ()

    @property
    def forced(self) -> dict[Cell, int]:
        """The numbers that stand in every solution, as far as that is known."""
        if self.ended != "complete":
            return {}
        cells = (
            (row, column, numbers)
            for row, line in enumerate(self.possible, 1)
            for column, numbers in enumerate(line, 1)
        )
        return {(row, column): numbers[0] for row, column, numbers in cells if len(numbers) == 1}

    @property
    def unsatisfiable(self) -> bool:
        """Whether there is no solution."""
        return self.ended == "complete" and not self.possible[0][0]


def candidates(
    program: Program, time_limit: float | None = None, count_to: int = 0, find_equal: bool = True
) -> Candidates:
    """The true candidates of a puzzle, and the cells that are always equal.

    time_limit: seconds for all of it; what is known by then is returned
    relations: look for cells that are always equal, too
    count_to: count in how many solutions each candidate stands, among so many of them at most; 0
    not to Raises RuleError where the program cannot be grounded.
    """
    size = program.puzzle.size
    try:
        search = _Search(GridControl(program, CANDIDATE_OPTIONS, time_limit))
    except TimeLimitError:
        return Candidates((((),) * size,) * size, "time", None, None)
    ended: SearchEnd = "complete"
    equal, counts, counting_ended = None, None, None
    try:
        search.find_all()
        with suppress(TimeLimitError, KeyboardInterrupt):  # what is possible is known all the same
            equal = search.equal_cells() if find_equal else None
        if count_to:
            counts, counting_ended = search.count(count_to)
    except (TimeLimitError, KeyboardInterrupt) as end:
        ended = "time" if isinstance(end, TimeLimitError) else "interrupted"
    possible = search.in_rows([tuple(sorted(numbers)) for numbers in search.possible])
    return Candidates(possible, ended, equal, counts, counting_ended, tuple(search.messages))


class _Search:
    def __init__(self, reader: GridControl) -> None:
        self._reader = reader
        self._size = reader.size
        self.messages = reader.messages
        self.possible: list[set[int]] = [set() for _ in range(self._size**2)]

    def find_all(self) -> None:
        """Find the candidates. Raises TimeLimitError where the time does not suffice."""
        self._reader.brave_candidates(self.possible)

    def equal_cells(self) -> tuple[tuple[Cell, ...], ...]:
        """The groups of cells that are always equal.

        Raises TimeLimitError where the time does not suffice.
        """
        alike: dict[frozenset[int], list[int]] = defaultdict(list)
        for place, numbers in enumerate(self.possible):
            if len(numbers) > 1:
                alike[frozenset(numbers)].append(place)
        waiting = [places for places in alike.values() if len(places) > 1]
        equal: dict[int, list[int]] = {}
        while waiting:
            first, second, *others = waiting[-1]
            if another := self._in_which_differ(first, second):
                waiting = _split(waiting, another)
                continue
            equal.setdefault(first, [first]).append(second)
            waiting[-1] = [first, *others]
            if not others:
                waiting.pop()
        return tuple(tuple(map(self._cell, group)) for group in sorted(equal.values()))

    def count(self, limit: int) -> tuple[CandidateCounts, SearchEnd]:
        """In how many solutions each candidate stands, among the first `limit`, and how the
        counting ended.
        """
        found: Counter[tuple[int, int]] = Counter()
        solutions = 0

        def hear(model: Model) -> None:
            nonlocal solutions
            solutions += 1
            found.update(enumerate(self._reader.numbers(model)))

        ended: SearchEnd = "limit"
        try:
            if self._reader.solve(hear, models=limit):
                ended = "complete"
        except (TimeLimitError, KeyboardInterrupt) as end:
            ended = "time" if isinstance(end, TimeLimitError) else "interrupted"
        counts = [
            tuple(found[place, number] for number in sorted(numbers))
            for place, numbers in enumerate(self.possible)
        ]
        return CandidateCounts(self.in_rows(counts), solutions, ended == "complete"), ended

    def in_rows(self, cells: list[tuple[int, ...]]) -> CellNumbers:
        """A list of cells in reading order as rows."""
        return tuple(
            tuple(cells[start : start + self._size]) for start in range(0, len(cells), self._size)
        )

    def _in_which_differ(self, one: int, two: int) -> bytes | None:
        """A solution in which two cells hold different numbers."""
        for number in sorted(self.possible[one]):
            found: list[bytes] = []
            assumed = [self._reader.literal(one, number), -self._reader.literal(two, number)]

            def hear(model: Model, found: list[bytes] = found) -> None:
                found.append(self._reader.numbers(model))

            self._reader.solve(hear, assumed, models=1)
            if found:
                return found[0]
        return None

    def _cell(self, place: int) -> Cell:
        row, column = divmod(place, self._size)
        return row + 1, column + 1


def _split(groups: list[list[int]], solution: bytes) -> list[list[int]]:
    """The groups parted by what their cells hold in a solution.

    What is left of one cell is none any more.
    """
    parted = []
    for group in groups:
        parts: dict[int, list[int]] = defaultdict(list)
        for place in group:
            parts[solution[place]].append(place)
        parted += [part for part in parts.values() if len(part) > 1]
    return parted
