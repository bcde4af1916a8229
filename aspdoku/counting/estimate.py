"""An unbiased estimate of the number of solutions, from random descents (Knuth 1975).

A descent fills one cell after the other with a random number among those that lead to a solution,
and multiplies how many these are. When few solutions are left, they are counted. The product of all
is a random variable whose mean is the number of solutions. If numbers are interchangeable, only
solutions with these in order are estimated, which makes the products less different.
"""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from random import Random
from typing import NamedTuple

from aspdoku.counting.symmetry import number_symmetry
from aspdoku.engine.grids import GridControl
from aspdoku.engine.solver import ENUMERATION_OPTIONS
from aspdoku.program import Program
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# Solutions that are counted at the end of a descent.
_COUNTED = 100
_NORMAL = statistics.NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """An estimate of the number of solutions.

    value: the mean of all descents
    low, high: an interval that contains the number with a probability of about 95 %
    descents: how many there were; `seed` is that of their random numbers
    """

    value: int
    low: int
    high: int
    descents: int
    seed: int


class Descents:
    """Random descents, and what they have found.

    exact: the number of solutions, if there are few
    least: how many there are at least
    factor: how many solutions differ only by exchanges of numbers
    """

    def __init__(self, program: Program, seed: int, deadline: Deadline) -> None:
        symmetry = number_symmetry(program, deadline.time_limit())
        self.factor, self._seed, self._random = symmetry.factor, seed, Random(seed)
        ordering = symmetry.ordering() if self.factor > 1 else ""
        options, left = ENUMERATION_OPTIONS, deadline.time_limit()
        self._control = GridControl(program, options, left, True, extra_program=ordering)
        self.remarks = tuple(map(str, self._control.messages))
        self._control.prepare_for_many()
        size, puzzle = program.puzzle.size, program.puzzle
        self._cells = [(row - 1) * size + column - 1 for row, column in puzzle.cells()]
        self._products: list[int] = []
        self.least = 0
        self.exact = self._counted([])

    def run(self, descents: int) -> None:
        """Descend so often. Raises TimeLimitError; those before are kept."""
        while len(self._products) < descents:
            note(f"descent {len(self._products) + 1} of {descents}")
            self._products.append(self._product())

    def estimate(self) -> Estimate | None:
        """The mean and its interval; None with fewer than two descents.

        The products are positive, and a few are much larger than the others, so the logarithm of
        their mean is nearer to a normal distribution than the mean is.
        """
        number = len(self._products)
        if number < 2:
            return None
        mean = Fraction(sum(self._products), number)
        variance = sum((each - mean) ** 2 for each in self._products) / (number - 1)
        error = math.exp(_NORMAL * math.sqrt(variance / mean**2 / number))
        low, high = mean / Fraction(error), mean * Fraction(error)
        return Estimate(round(mean), round(low), round(high), number, self._seed)

    def _counted(self, assumed: list[int]) -> int | None:
        """How many solutions there are with these literals; None if they are not few."""
        found: list[bytes] = []
        keep = found.append
        control = self._control
        complete = control.search(lambda model: keep(control.numbers(model)), assumed, _COUNTED + 1)
        self.least = max(self.least, len(found) * self.factor)
        return len(found) * self.factor if complete else None

    def _product(self) -> int:
        assumed: list[int] = []
        product = 1
        for cell in self._cells:
            possible = [
                literal
                for number in self._control.possible_numbers
                if (literal := self._control.literal(cell, number))
                and self._has_solution([*assumed, literal])
            ]
            product *= len(possible)
            assumed.append(self._random.choice(possible))
            if (solutions := self._counted(assumed)) is not None:
                return product * solutions
        raise AssertionError  # a full grid is one solution

    def _has_solution(self, assumed: list[int]) -> bool:
        found: list[None] = []
        self._control.search(lambda _: found.append(None), assumed, 1)
        return bool(found)
