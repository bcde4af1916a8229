"""Estimates of the number of solutions, against exact counts."""

import math
import re
import statistics
from functools import cache
from random import Random

import pytest
from full_grids import all_sudokus_of_four

import aspdoku
from aspdoku import Puzzle
from aspdoku.counting import estimate
from aspdoku.errors import ArgumentError
from aspdoku.runtime.deadline import Deadline

fours = cache(lambda: list(all_sudokus_of_four()))


@pytest.fixture
def descend_to_the_end(monkeypatch):
    """Nothing is counted at the end of a descent."""
    monkeypatch.setattr(estimate, "_COUNTED", 1)


def diagonal(grid):
    return len({grid[i][i] for i in range(4)}) == 4 == len({grid[i][3 - i] for i in range(4)})


def rising(grid):
    return grid[0][0] < grid[1][0] and grid[2][3] < grid[3][3]


@pytest.mark.usefixtures("descend_to_the_end")
@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ({}, lambda _: True),
        ({"with_": "diagonal"}, diagonal),
        ({"with_": "greater-than", "facts": "gt(2,1,1,1). gt(4,4,3,4)."}, rising),
    ],
    ids=["", "diagonal", "greater-than"],
)
def test_four_by_four(options, holds):
    number = sum(map(holds, fours()))
    found = aspdoku.count("." * 16, estimate=60, seed=1, **options)
    if found.exact:
        assert found.count == number
        return
    assert found.estimate.low <= number <= found.estimate.high
    assert found.estimate.low <= found.estimate.value <= found.estimate.high
    assert found.count <= number


# Published: "Mathematics of Sudoku" (Wikipedia), and OEIS A002860.
SIXES = {(): (28_200_960, 0.02), ("box",): (812_851_200, 0.1)}


@pytest.mark.slow
@pytest.mark.parametrize("without", SIXES, ids=["sudoku", "Latin"])
def test_the_interval_contains_the_number_for_most_seeds(without):
    """Of 40 intervals of 95 %, fewer than 34 contain the number with a probability of 0.2 %."""
    number, error = SIXES[without]
    found = [
        aspdoku.count(Puzzle.blank(6), without=without, estimate=30, seed=seed).estimate
        for seed in range(40)
    ]
    assert sum(each.low <= number <= each.high for each in found) >= 34
    mean = statistics.fmean(each.value for each in found)
    assert abs(mean / number - 1) < 3 * error


@pytest.mark.slow
def test_an_interval_narrows_with_the_number_of_descents():
    few, many = (
        aspdoku.count(Puzzle.blank(6), estimate=number, seed=1).estimate for number in (10, 40)
    )
    assert many.high / many.low < few.high / few.low
    assert (few.descents, many.descents) == (10, 40)


def test_few_solutions_are_counted():
    for text, number, status in (
        ("1... .... ..2. ....", None, "several"),
        ("1... .... ..2. .4.3", None, None),
        ("11.. .... .... ....", 0, "none"),
    ):
        found = aspdoku.count(text, estimate=10)
        assert (found.exact, found.estimate) == (True, None)
        assert found.count == aspdoku.count(text).count
        assert number is None or found.count == number
        assert status is None or found.status == status


@pytest.mark.slow
def test_the_seed_decides():
    one, same, other = (
        aspdoku.count(Puzzle.blank(6), estimate=5, seed=seed).estimate for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.slow
def test_no_estimate_from_the_descents_that_end_in_time():
    found = aspdoku.count("." * 81, estimate=10**6, seed=1, time_limit=3)
    assert (found.exact, found.ended, found.estimate) == (False, "time", None)
    assert found.count > 100  # those that were counted
    assert re.match(r"only [1-9]\d* of 1000000 descents were finished", found.remarks[-1])


def lognormal(sigma, number, rng):
    return [round(10**9 * math.exp(rng.gauss(0, sigma))) for _ in range(number)]


@pytest.mark.parametrize(("sigma", "number"), [(0.3, 20), (1, 40), (1.8, 40)])
def test_intervals_of_products_with_heavy_tails(sigma, number):
    """The mean of a log-normal distribution is known. Of 200 intervals that contain it with a
    probability of 95 %, fewer than 178 do with one of 0.03 %.
    """
    rng = Random(1)
    descents = estimate.Descents(aspdoku.compose("." * 16), 1, Deadline(None))
    mean = 10**9 * math.exp(sigma**2 / 2)
    found = [descents._estimate(lognormal(sigma, number, rng)) for _ in range(200)]
    assert sum(each.low <= mean <= each.high for each in found) >= 178
    assert (sum(each.unsure for each in found) > 100) == (sigma == 1.8)


@pytest.mark.parametrize(
    "wrong", [{"estimate": 1}, {"estimate": 5, "limit": 2}, {"seed": 1}], ids=str
)
def test_arguments(wrong):
    with pytest.raises(ArgumentError):
        aspdoku.count("." * 16, **wrong)
