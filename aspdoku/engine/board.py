"""One grounding, many grids: the givens of each are assumptions.

A program is grounded over a blank grid and asked about one grid after the other. What the solver learns from one of them holds
for all; how much of it is kept is a setting that was chosen by measurement (bench/questions.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from clingo import Model

from aspdoku.engine.reading import Reader
from aspdoku.engine.settings import ANSWERS
from aspdoku.program import Program

Verdict = Literal["unique", "several", "none", "timed out"]


class Answer(NamedTuple):
    """How many solutions a grid has, and the first of them, in reading order; empty where none was found.

    "timed out": the time did not suffice to find one, or to tell whether there is another
    """

    verdict: Verdict
    numbers: bytes


class Board:
    """A program over a blank grid, grounded once, and asked about any grid of its size.

    time_limit: seconds for grounding, as in Solver
    Raises RuleError if the program cannot be grounded, TimeLimitError if that takes longer than the limit.
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        self._reader = Reader(program, ANSWERS, time_limit)
        self._control = self._reader.control
        self._control.configuration.solve.models = 2  # type: ignore[union-attr]
        self.remarks = self._reader.remarks

    def answer(self, numbers: bytes, time_limit: float | None = None) -> Answer:
        """The answer for a grid.

        numbers: in reading order, 0 for an empty cell
        time_limit: seconds for solving; None for no limit
        """
        assumptions = self._reader.assumptions(numbers)
        if assumptions is None:
            return Answer("none", b"")
        found: list[bytes] = []

        def hear(model: Model) -> None:
            found.append(b"" if found else self._reader.numbers(model))

        complete = self._solve(assumptions, hear, time_limit)
        if len(found) > 1:
            return Answer("several", found[0])
        if not complete:
            return Answer("timed out", found[0] if found else b"")
        return Answer("unique", found[0]) if found else Answer("none", b"")

    def _solve(self, assumptions: list[int], hear: Callable[[Model], None], time_limit: float | None) -> bool:
        """Look for two solutions; whether the search came to its end, or found both, within the time limit."""
        if time_limit is None:
            self._control.solve(assumptions, on_model=hear)
            return True
        with self._control.solve(assumptions, on_model=hear, async_=True) as handle:
            return bool(handle.wait(time_limit))
