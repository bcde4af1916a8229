"""Rules about the smallest or largest number, or thirds of the numbers, on grids with other numbers
than 1 to n, against the rules in plain Python.
"""

from random import Random

import pytest
from in_one_test import in_one_test
from rule_semantics import RULE_SEMANTICS

from aspdoku.engine import Solver
from aspdoku.program import compose
from aspdoku.puzzle import Function, Puzzle

pytestmark = pytest.mark.versions

FOUR = [solution.rows for solution in Solver(compose(Puzzle.blank(4))).search(0)]


def shifted(grid, by):
    return tuple(tuple(number + by for number in row) for row in grid)


def solutions(name, facts, numbers):
    stated = tuple(Function(each, arguments) for each, all_ in facts.items() for arguments in all_)
    return {
        solution.rows
        for solution in Solver(
            compose(Puzzle.blank(4).replace(facts=stated, numbers=numbers), name)
        ).search(0)
    }


@in_one_test(
    "name", ["entropic", "global-entropy", "whispers", "lockout", "diagonal", "renban", "full-rank"]
)
@in_one_test("least", [0, 3])
def test_rules_about_order_and_distance_do_not_depend_on_the_numbers(name, least):
    facts = RULE_SEMANTICS[name].example(Random(f"{name} numbers"), 4)
    expected = {
        shifted(grid, least - 1) for grid in FOUR if RULE_SEMANTICS[name].holds(grid, facts)
    }
    assert solutions(name, facts, range(least, least + 4)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("least", [0, 1, 3])
def test_a_sandwich_lies_between_the_smallest_and_the_largest_number(least):
    def inner(line):
        ends = sorted((line.index(least), line.index(least + 3)))
        return sum(line[ends[0] + 1 : ends[1]])

    grids = [shifted(grid, least - 1) for grid in FOUR]
    for total in {inner(grid[1]) for grid in grids}:
        expected = {grid for grid in grids if inner(grid[1]) == total}
        assert (
            solutions("sandwich", {"sandwich_row": [(2, total)]}, range(least, least + 4))
            == expected
        )
        turned = {grid for grid in grids if inner([row[2] for row in grid]) == total}
        assert (
            solutions("sandwich", {"sandwich_column": [(3, total)]}, range(least, least + 4))
            == turned
        )
