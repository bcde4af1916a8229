"""Solutions or candidates of many grids with one grounding: the givens are assumptions.

A program is grounded over a blank grid and solved for one grid after another. What the solver
learns from one of them holds for all; how much of it is kept is set by options that were chosen by
measurement (`ENUMERATION_OPTIONS`, bench/questions.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from clingo import Model

from aspdoku.engine.binary import load
from aspdoku.engine.grounding import ProgramCollector
from aspdoku.engine.solver import ENUMERATION_OPTIONS, Solver, has_unique_extensions
from aspdoku.errors import RuleError
from aspdoku.program import Program, library

# Larger ground programs are not rewritten for many grids: that takes seconds in Python.
_MOST_RULES = 100_000

GridStatus = Literal["unique", "several", "none", "timed out"]


class GridResult(NamedTuple):
    """How many solutions a grid has.

    status: "timed out" before a solution was found, or before a second one was found or ruled out
    numbers: the first solution in reading order; empty if none was found
    """

    status: GridStatus
    numbers: bytes


# Decimal digits that fit into one priority level of the cost, which clingo holds in 32 bits with
# sign: 999,999,999 is below 2**31.
_DIGITS = 9
# Names that answer.lp defines, and that rules must not use.
_RESERVED = ("answer_weight__", "answer_width__", "answer_base__")
_VALUES_OF_DIGITS = bytes.maketrans(b"0123456789", bytes(range(10)))


class GridControl:
    """A clingo Control for a grid, with cells addressed by index, in reading order from 0.

    The numbers of an answer set are read from its cost, to which answer.lp adds them as decimal
    digits: one call, instead of one per atom.

    options: command-line options of clingo for the search
    time_limit: seconds for grounding and all that follows
    for_many: allows `prepare_for_many`
    Raises RuleError if the program cannot be grounded, TimeLimitError if the time is up.
    """

    def __init__(
        self,
        program: Program,
        options: Sequence[str] = (),
        time_limit: float | None = None,
        for_many: bool = False,
    ) -> None:
        self.size = program.puzzle.size
        self.possible_numbers = program.puzzle.numbers
        self._digits = len(str(self.possible_numbers[-1]))
        width = _DIGITS // self._digits
        constants = ("-c", f"answer_base__={10**self._digits}", "-c", f"answer_width__={width}")
        self._ground = ProgramCollector() if for_many else None
        self._solver = Solver(
            program,
            time_limit,
            self._ground,
            project=not has_unique_extensions(program),
            options=("--opt-mode=enum", *constants, *options),
            extra_program=library.bundled("answer.lp").text,
        )
        for part in program.parts:
            if any(part.rule.mentions(name) for name in _RESERVED):
                raise RuleError(
                    f"{part.rule.place}: reserved name: names that end in two underscores, like"
                    f" {_RESERVED[0]}, are for internal use"
                )
        self.control = self._solver.ground()
        self.messages = list(self._solver.messages)
        placements = self._solver.placements()
        groups = [min(width, self.size - start) for start in range(0, self.size, width)]
        self._format = "".join(f"%0{cells * self._digits}d" for cells in groups) * self.size
        self._width = self.possible_numbers[-1] + 1
        self._literals = [0] * (self.size**2 * self._width)
        for (row, column, number), literal in placements.items():
            self._literals[((row - 1) * self.size + column - 1) * self._width + number] = literal

    def prepare_for_many(self) -> None:
        """Replace the control by one whose searches are faster (`aspdoku.engine.binary`). Once:
        this takes as long as it saves in hundreds of searches.
        """
        ground, self._ground = self._ground, None
        if ground is None or not ground.complete or len(ground.rules) > _MOST_RULES:
            return
        named = {atom.literal for atom in self.control.symbolic_atoms}
        self.control = self._solver.new_control()
        atoms = load(self.control, ground, named, {*self._literals} - {0})
        self._literals = [literal and atoms[literal] for literal in self._literals]

    def literal(self, index: int, number: int) -> int:
        """The solver's literal for a number in a cell; 0 if the rules never allow it there."""
        return self._literals[index * self._width + number]

    def assumptions(self, numbers: bytes) -> list[int] | None:
        """The literals of the numbers of a grid, 0 for an empty cell; None if the rules never allow
        one.
        """
        width, literals = self._width, self._literals
        assumed = [
            literals[index * width + number] for index, number in enumerate(numbers) if number
        ]
        return None if 0 in assumed else assumed

    def numbers(self, model: Model) -> bytes:
        """The numbers of an answer set, in reading order; 0 in unused cells."""
        text = self._format % tuple(model.cost)
        if self._digits == 1:
            return text.encode().translate(_VALUES_OF_DIGITS)
        places = range(0, len(text), self._digits)
        return bytes(int(text[start : start + self._digits]) for start in places)

    def search(
        self, on_model: Callable[[Model], None], assumptions: Sequence[int] = (), models: int = 0
    ) -> bool:
        """Call `on_model` for each of up to `models` answer sets, 0 for all; whether there are no
        others. Raises TimeLimitError.
        """
        self.control.configuration.solve.models = models  # type: ignore[union-attr]
        with self.control.solve(assumptions, on_model=on_model, async_=True) as handle:
            self._solver.wait(handle)
            return bool(handle.get().exhausted)

    def brave_candidates(self, possible: list[set[int]]) -> None:
        """Add to each cell the numbers that it holds in some answer set: the brave consequences, or
        those found before TimeLimitError is raised.
        """
        self.control.configuration.solve.models = 0  # type: ignore[union-attr]
        self.control.configuration.solve.enum_mode = "brave"  # type: ignore[union-attr]
        try:
            with self.control.solve(async_=True) as handle:
                try:
                    self._solver.wait(handle)
                finally:
                    handle.cancel()
                    if model := handle.last():
                        for index, numbers in enumerate(possible):
                            numbers.update(self._true_numbers(model, index))
        finally:
            self.control.configuration.solve.enum_mode = "auto"  # type: ignore[union-attr]

    def _true_numbers(self, model: Model, index: int) -> Iterator[int]:
        for number in self.possible_numbers:
            if (literal := self.literal(index, number)) and model.is_true(literal):
                yield number


class GroundedGrid(GridControl):
    """A program over a blank grid, grounded once, that solves any grid of its size. `unused` has
    the indices of cells that are not part of the puzzle, `solved` counts the grids.
    """

    def __init__(
        self, program: Program, time_limit: float | None = None, for_many: bool = False
    ) -> None:
        super().__init__(program, (*ENUMERATION_OPTIONS, "--models=2"), time_limit, for_many)
        cells = program.puzzle.unused
        self.unused = frozenset((row - 1) * self.size + column - 1 for row, column in cells)
        self.solved = 0

    def solve(self, numbers: bytes, time_limit: float | None = None) -> GridResult:
        """Solve a grid in reading order, 0 for an empty cell, up to a second solution."""
        self.solved += 1
        assumptions = self.assumptions(numbers)
        if assumptions is None:
            return GridResult("none", b"")
        found: list[bytes] = []

        def on_model(model: Model) -> None:
            found.append(b"" if found else self.numbers(model))

        complete = True
        if time_limit is None:
            self.control.solve(assumptions, on_model=on_model)
        else:
            with self.control.solve(assumptions, on_model=on_model, async_=True) as handle:
                complete = handle.wait(time_limit)
        if len(found) > 1:
            return GridResult("several", found[0])
        if not complete:
            return GridResult("timed out", found[0] if found else b"")
        return GridResult("unique", found[0]) if found else GridResult("none", b"")
