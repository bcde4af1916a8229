"""One grounding, many grids: the givens of each are assumptions.

A program is grounded over a blank grid and asked about one grid after the other. What the solver
learns from one of them holds for all; how much of it is kept is a setting that was chosen by
measurement (bench/questions.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from clingo import Model

from aspdoku.engine.solver import CELL_ATOM, ENUMERATION_OPTIONS, Solver, has_unique_extensions
from aspdoku.errors import RuleError
from aspdoku.program import Program, library
from aspdoku.puzzle.puzzle import GIVEN

GridStatus = Literal["unique", "several", "none", "timed out"]


class GridResult(NamedTuple):
    """How many solutions a grid has, and the first of them, in reading order.

    Empty where none was found.

    "timed out": the time did not suffice to find one, or to tell whether there is another
    """

    status: GridStatus
    numbers: bytes


class GroundedGrid:
    """A program over a blank grid, grounded once, and asked about any grid of its size.

    time_limit: seconds for grounding, as in Solver Raises RuleError if the program cannot be
    grounded, TimeLimitError if that takes longer than the limit.
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        self._reader = GridControl(program, ENUMERATION_OPTIONS, time_limit)
        self._control = self._reader.control
        self._control.configuration.solve.models = 2  # type: ignore[union-attr]
        self.messages = self._reader.messages

    def solve(self, numbers: bytes, time_limit: float | None = None) -> GridResult:
        """The answer for a grid.

        numbers: in reading order, 0 for an empty cell
        time_limit: seconds for solving; None for no limit
        """
        assumptions = self._reader.assumptions(numbers)
        if assumptions is None:
            return GridResult("none", b"")
        found: list[bytes] = []

        def hear(model: Model) -> None:
            found.append(b"" if found else self._reader.numbers(model))

        complete = self._solve(assumptions, hear, time_limit)
        if len(found) > 1:
            return GridResult("several", found[0])
        if not complete:
            return GridResult("timed out", found[0] if found else b"")
        return GridResult("unique", found[0]) if found else GridResult("none", b"")

    def _solve(
        self, assumptions: list[int], hear: Callable[[Model], None], time_limit: float | None
    ) -> bool:
        """Look for two solutions.

        Whether the search came to its end, or found both, within the time limit.
        """
        if time_limit is None:
            self._control.solve(assumptions, on_model=hear)
            return True
        with self._control.solve(assumptions, on_model=hear, async_=True) as handle:
            return bool(handle.wait(time_limit))


# Decimal digits that fit into a level of the cost, which has 31 bits.
_DIGITS = 9
_OWN = ("answer_weight__", "answer_width__", "answer_base__")
_NUMBERS = {ord(str(digit)): digit for digit in range(10)}


class GridControl:
    """A grounded program whose cells and numbers are told by place.

    The cells in reading order, from 0.

    options: clingo's, for how it searches
    time_limit: seconds for grounding, and for all that follows Raises RuleError where the program
    cannot be grounded, TimeLimitError where the time does not suffice.
    """

    def __init__(
        self, program: Program, options: Sequence[str] = (), time_limit: float | None = None
    ) -> None:
        self.size = program.puzzle.size
        self.possible_numbers = program.puzzle.numbers
        self._digits = len(str(self.possible_numbers[-1]))
        width = _DIGITS // self._digits
        constants = ("-c", f"answer_base__={10**self._digits}", "-c", f"answer_width__={width}")
        self._solver = Solver(
            program,
            time_limit,
            project=not has_unique_extensions(program),
            options=("--opt-mode=enum", *constants, *options),
            extra_program=library.bundled("answer.lp").text,
        )
        for part in program.parts:
            if any(part.rule.mentions(name) for name in _OWN):
                raise RuleError(
                    f"{part.rule.place}: names that end in two underscores, like {_OWN[0]}, are"
                    " aspdoku's own"
                )
        self.control = self._solver.ground()
        self.messages = list(self._solver.messages)
        self._solver.check_placements()
        groups = [min(width, self.size - start) for start in range(0, self.size, width)]
        self._format = "".join(f"%0{cells * self._digits}d" for cells in groups) * self.size
        self._width = self.possible_numbers[-1] + 1
        self._literals = self._literals_of_numbers()

    def literal(self, place: int, number: int) -> int:
        """The solver's literal for a number in a cell; 0 where the rules never allow it there."""
        return self._literals[place * self._width + number]

    def assumptions(self, numbers: bytes) -> list[int] | None:
        """The literals of a grid's numbers, 0 being an empty cell.

        None where the rules never allow one of them.
        """
        width, literals = self._width, self._literals
        assumed = [
            literals[place * width + number] for place, number in enumerate(numbers) if number
        ]
        return None if 0 in assumed else assumed

    def numbers(self, model: Model) -> bytes:
        """The grid of an answer set."""
        text = self._format % tuple(model.cost)
        if self._digits == 1:
            return text.translate(_NUMBERS).encode()
        return bytes(
            int(text[start : start + self._digits]) for start in range(0, len(text), self._digits)
        )

    def solve(
        self, hear: Callable[[Model], None], assumed: Sequence[int] = (), models: int = 0
    ) -> bool:
        """Show up to so many answer sets, 0 for all, to `hear`; whether there are no others.

        Raises TimeLimitError where the time does not suffice.
        """
        self.control.configuration.solve.models = models  # type: ignore[union-attr]
        with self.control.solve(assumed, on_model=hear, async_=True) as handle:
            self._solver.wait(handle)
            return bool(handle.get().exhausted)

    def brave_candidates(self, possible: list[set[int]]) -> None:
        """Add to each cell the numbers that it holds in some answer set: the brave consequences.

        Raises TimeLimitError where the time does not suffice; those that were found by then are in.
        """
        self.control.configuration.solve.models = 0  # type: ignore[union-attr]
        self.control.configuration.solve.enum_mode = "brave"  # type: ignore[union-attr]
        try:
            with self.control.solve(async_=True) as handle:
                try:
                    self._solver.wait(handle)
                finally:
                    handle.cancel()
                    self._read_union(handle.last(), possible)
        finally:
            self.control.configuration.solve.enum_mode = "auto"  # type: ignore[union-attr]

    def _read_union(self, model: Model | None, possible: list[set[int]]) -> None:
        if model is not None:
            for place, numbers in enumerate(possible):
                literals = (
                    (number, self.literal(place, number)) for number in self.possible_numbers
                )
                numbers |= {
                    number for number, literal in literals if literal and model.is_true(literal)
                }

    def _literals_of_numbers(self) -> list[int]:
        """For each cell the literals of the numbers from 0 on in it; 0 where there is none."""
        width, has = self._width, self._solver.program.puzzle.contains
        literals = [0] * (self.size**2 * width)
        for atom in self.control.symbolic_atoms.by_signature(*GIVEN):
            if cell := CELL_ATOM.fullmatch(str(atom.symbol)):
                row, column, number = map(int, cell.groups())
                if has(row, column, number):
                    literals[((row - 1) * self.size + column - 1) * width + number] = atom.literal
        return literals
