"""Counts and random solutions without enumeration.

`table` decides on the ground program whether it only requires that certain cells differ
(rows, columns, boxes, diagonals, anti-knight, …) and that cells hold certain numbers. If so, it
counts partial grids instead of solutions, and draws solutions uniformly; `arrays` counts with numpy
what takes Python too long, with those that `orbits` finds alike as one. Otherwise, or if the table
becomes too large, `symmetry` finds numbers that can be exchanged, so that one of k! solutions has
to be found. `count_solutions` tries one after the other; `sampling` does the same for random
solutions.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal, NamedTuple

from aspdoku.counting.symmetry import NumberSymmetry, number_symmetry
from aspdoku.counting.table import Differences, count_grids, differences
from aspdoku.engine.solver import (
    ENUMERATION_OPTIONS,
    Search,
    SearchOutcome,
    Solver,
    until_interrupted,
)
from aspdoku.errors import TimeLimitError
from aspdoku.runtime.progress import note
from aspdoku.runtime.supervise import memory_limit, notice_time_limit

CountMethod = Literal["enumeration", "table", "symmetry"]

# Either method can take a hundred times longer than the other, so they are tried in turn: this many
# solutions, then tables with this many entries for one cell at most. Enumeration is first, because
# most puzzles have few solutions; an entry takes as long as some five solutions, in arrays as one.
# Blank grids of 9x9, with or without boxes, and windoku have up to 13 million entries.
_ATTEMPTS = ((1_000, 20_000), (200_000, 1_000_000))
_ATTEMPTS_WITH_ARRAYS = ((1_000, 20_000), (200_000, 16_000_000), (5_000_000, 1_000_000_000))
# Up to here Python's integers take no longer than the import of numpy.
_FEW_ENTRIES = 20_000
# Of an entry in Python's integers for 9 numbers, with that of the next cell which it leads to.
_BYTES = 1_500
# If the system does not report its memory.
_UNKNOWN_MEMORY = 2 * 10**9

TOO_LARGE = (
    "the table of partial grids became too large; with numpy it can be larger and takes less time:"
    " pip install 'aspdoku[count]'"
)


class Count(NamedTuple):
    """How many solutions there are, or a lower bound, and how they were or could be counted."""

    outcome: SearchOutcome
    method: CountMethod
    remarks: tuple[str, ...] = ()


def count_solutions(solver: Solver, limit: int, interruptible: bool) -> Count:
    """The number of solutions up to a limit, 0 for all, or until Ctrl-C if interruptible."""
    if limit:
        return Count(_enumerate(solver, limit, interruptible).outcome(), "enumeration")
    return _Counting(solver, interruptible).count()


def arrays_are_available() -> bool:
    """Whether numpy is installed."""
    return find_spec("numpy") is not None


class _Counting:
    """A count of all solutions, with what has been found out about the program so far."""

    def __init__(self, solver: Solver, interruptible: bool) -> None:
        self._solver = solver
        self._interruptible = interruptible
        self._required: Differences | None = None
        self._symmetry = NumberSymmetry((), ())
        self._least = 0  # solutions known so far
        self._remarks: tuple[str, ...] = ()

    def count(self) -> Count:
        """The number of all solutions, by one method after the other with growing bounds."""
        attempts = _ATTEMPTS_WITH_ARRAYS if arrays_are_available() else _ATTEMPTS
        for index, (most, entries) in enumerate(attempts):
            search = _enumerate(self._solver, most, self._interruptible)
            if search.ended != "limit":
                return self._result(search)
            self._least = max(self._least, search.found * self._symmetry.factor)
            found = None
            try:
                with until_interrupted(search, self._interruptible):
                    if not index:
                        program, deadline = self._solver.program, self._solver.deadline
                        self._required = differences(program, deadline.time_limit())
                    found = self._by_table(entries)
                    if found is None and not index:
                        self._break_symmetry()
            except TimeLimitError:
                notice_time_limit()
                search.ended = "time"
            if found is not None:
                outcome = search.outcome()._replace(found=found, ended="complete")
                return Count(outcome, "table")
            if search.ended != "limit":
                return self._result(search)
        return self._result(_enumerate(self._solver, 0, self._interruptible))

    def _by_table(self, entries: int) -> int | None:
        """The number of grids; None if a table does not apply, or has too many entries."""
        if self._required is None:
            return None
        memory = (memory_limit() or _UNKNOWN_MEMORY) // 2
        if entries > _FEW_ENTRIES and arrays_are_available():
            from aspdoku.counting.arrays import count_grids_in_arrays  # needs numpy

            return count_grids_in_arrays(self._required, entries, memory, self._solver.deadline)
        grids = count_grids(self._required, min(entries, memory // _BYTES), self._solver.deadline)
        if grids is None and entries > _FEW_ENTRIES:
            self._remarks = (TOO_LARGE,)
        return grids

    def _break_symmetry(self) -> None:
        """From now on, enumerate only one of the solutions that differ by exchanges of numbers."""
        note("looking for interchangeable numbers")
        program, deadline = self._solver.program, self._solver.deadline
        self._symmetry = number_symmetry(program, deadline.time_limit())
        if self._symmetry.factor > 1:
            self._solver = Solver(
                program,
                deadline.time_limit(),
                options=ENUMERATION_OPTIONS,
                extra_program=self._symmetry.ordering(),
                project=False,  # a program for which this is decided has one answer set for a grid
            )
            note("counting, with the interchangeable numbers in order")

    def _result(self, search: Search) -> Count:
        outcome = search.outcome()
        least = max(self._least, outcome.found * self._symmetry.factor)
        if least > 1:
            outcome = outcome._replace(status="several")
        method: CountMethod = "symmetry" if self._symmetry.factor > 1 else "enumeration"
        remarks = () if outcome.ended == "complete" else self._remarks
        return Count(outcome._replace(found=least, started=True), method, remarks)


def _enumerate(solver: Solver, limit: int, interruptible: bool) -> Search:
    search = solver.search(limit)
    with until_interrupted(search, interruptible):
        search.count()
    return search
