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
# The interval is called unsure if the mean would have a larger relative standard error, with
# products that are distributed as their logarithms suggest. Of samples of 40 out of 400 descents
# for disjoint groups of 9x9, where it is 0.8, 80 % have an interval that contains the number; for
# windoku, where it is 0.3, 95 % do.
_MOST_ERROR = 0.5
_UNSURE = (
    "the descents differ so much that the interval contains the number with a probability of less"
    " than 95 %: more descents make it surer"
)
_NORMAL = statistics.NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """An estimate of the number of solutions.

    value: the mean of all descents
    low, high: an interval that contains the number with a probability of about 95 %
    descents: how many there were; `seed` is that of their random numbers
    unsure: whether the descents differ so much that the probability is lower
    """

    value: int
    low: int
    high: int
    descents: int
    seed: int
    unsure: bool


class Descents:
    """Random descents, and what they have found.

    finished: how many descents there were before the last one
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
        self.finished = self.least = 0
        self.exact = self._counted([])

    def run(self, descents: int) -> Estimate:
        """Descend so often, and estimate. Raises TimeLimitError: which descents end in time depends
        on their products, so those that did say nothing unbiased.
        """
        products = []
        for self.finished in range(descents):
            note(f"descent {self.finished + 1} of {descents}")
            products.append(self._product())
        return self._estimate(products)

    def _estimate(self, products: list[int]) -> Estimate:
        """The mean and its interval, which is one of the logarithm of the mean.

        The products are positive, and some are much larger than most. A sample without these has
        too small a mean and a variance that does not show it. The logarithms of products of many
        random factors are nearly normal, so the interval also contains the one that follows from a
        normal distribution of the logarithms (Cox's).
        """
        number, total = len(products), sum(products)
        mean, logs = Fraction(total, number), [math.log(each) for each in products]
        variance = sum((each / mean - 1) ** 2 for each in products) / (number - 1)
        error = _NORMAL * math.sqrt(variance / number)
        spread = statistics.variance(logs)
        centre = statistics.fmean(logs) + spread / 2 - math.log(total) + math.log(number)
        log_error = _NORMAL * math.sqrt(spread / number + spread**2 / 2 / (number - 1))
        unsure = math.log1p(number * _MOST_ERROR**2) < spread
        if unsure:
            self.remarks += (_UNSURE,)
        low, high = (
            round(mean * Fraction(math.exp(end)))
            for end in (min(-error, centre - log_error), max(error, centre + log_error))
        )
        return Estimate(round(mean), low, high, number, self._seed, unsure)

    def _counted(self, assumed: list[int]) -> int | None:
        """How many solutions there are with these literals; None if they are not few."""
        solutions: list[bytes] = []
        keep = solutions.append
        control = self._control
        complete = control.search(lambda model: keep(control.numbers(model)), assumed, _COUNTED + 1)
        self.least = max(self.least, len(solutions) * self.factor)
        return len(solutions) * self.factor if complete else None

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
        solutions: list[None] = []
        self._control.search(lambda _: solutions.append(None), assumed, 1)
        return bool(solutions)
