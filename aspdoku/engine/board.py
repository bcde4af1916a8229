"""One grounding, many grids: the givens of each are assumptions.

A program is grounded over a blank grid and asked about one grid after the other. What the solver learns from one of them holds
for all; how much of it is kept is a setting that was chosen by measurement (bench/questions.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from clingo import Model

from aspdoku.engine.solver import ATOM, Solver
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import GIVEN

Verdict = Literal["unique", "several", "none", "timed out"]

_OPTIONS = ("--configuration=frumpy", "--forget-on-step=15", "--sign-def=pos")
_WIDTH = len("a(1,1,1) ")
_DIGITS = {ord(str(digit)): digit for digit in range(10)}


class Answer(NamedTuple):
    """How many solutions a grid has, and the first of them, in reading order; empty where none was found.

    "timed out": the time did not suffice to find one, or to tell whether there is another
    """

    verdict: Verdict
    numbers: bytes


class Board:
    """A program over a blank grid, grounded once, and asked about any grid of its size.

    time_limit: seconds for each grid; None for as long as it takes
    Raises RuleError where the program cannot be grounded.
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        self._solver = Solver(program, options=_OPTIONS)
        self._control = self._solver.ground()
        self._control.configuration.solve.models = 2  # type: ignore[union-attr]
        self._time_limit = time_limit
        self._size = program.puzzle.size
        self._literals = self._literals_of_numbers()
        # What stands at the places of row and column, where an answer set lists its cells in reading order.
        self._rows = "".join(str(row) * self._size for row in range(1, self._size + 1))
        self._columns = "".join(map(str, range(1, self._size + 1))) * self._size

    def answer(self, numbers: bytes) -> Answer:
        """The answer for a grid: its numbers in reading order, 0 for an empty cell."""
        width, literals = self._size + 1, self._literals
        assumptions = [literals[place * width + number] for place, number in enumerate(numbers) if number]
        if 0 in assumptions:
            return Answer("none", b"")
        found: list[bytes] = []

        def hear(model: Model) -> None:
            found.append(b"" if found else self._read(model))

        complete = self._solve(assumptions, hear)
        if len(found) > 1:
            return Answer("several", found[0])
        if not complete:
            return Answer("timed out", found[0] if found else b"")
        return Answer("unique", found[0]) if found else Answer("none", b"")

    def _literals_of_numbers(self) -> list[int]:
        """The solver's literal for each number 0 to n in each cell, in reading order; 0 where it cannot stand there."""
        width = self._size + 1
        literals = [0] * (self._size**2 * width)
        for atom in self._control.symbolic_atoms.by_signature(*GIVEN):
            cell = ATOM.fullmatch(str(atom.symbol))
            if cell:
                row, column, number = map(int, cell.groups())
                if 0 < row < width and 0 < column < width and 0 < number < width:
                    literals[((row - 1) * self._size + column - 1) * width + number] = atom.literal
        return literals

    def _solve(self, assumptions: list[int], hear: Callable[[Model], None]) -> bool:
        """Look for two solutions; whether the search came to its end, or found both, in the time for one grid."""
        if self._time_limit is None:
            self._control.solve(assumptions, on_model=hear)
            return True
        with self._control.solve(assumptions, on_model=hear, async_=True) as handle:
            return bool(handle.wait(self._time_limit))

    def _read(self, model: Model) -> bytes:
        """The numbers of an answer set, in reading order."""
        # Its text is had in one call, and mostly lists the cells in reading order and nothing else: `a(1,1,5) a(1,2,3) …`.
        text = str(model)
        if text[2::_WIDTH] == self._rows and text[4::_WIDTH] == self._columns:
            return text[6::_WIDTH].translate(_DIGITS).encode()
        return bytes(number for row in self._solver.solution(model) for number in row)
