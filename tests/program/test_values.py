"""Every rule about sums with every rule by which cells count other values than their numbers."""

from random import Random

import pytest
from choice_semantics import VALUES, cages, holds_for_values, sudokus
from rule_semantics import RULE_SEMANTICS
from value_semantics import SUMS

from aspdoku import Puzzle, Solver, compose
from aspdoku.program import library
from aspdoku.puzzle import Function

SEEDS = range(6)
# Different cells of a box never count the same.
WITHOUT_SOLUTION = {("segment-sums", "negators")}


def two_segments(rng, _):
    """Two segments of a box with a common cell, so that two cells count the same."""
    row, column = rng.choice(((1, 1), (1, 3), (3, 1), (3, 3)))
    ends = ((row, column + 1), (row + 1, column))
    return {
        "segment_sum": [
            (line, place, *cell)
            for line, end in enumerate(ends, 1)
            for place, cell in enumerate(((row, column), end), 1)
        ]
    }


EXAMPLES = {"killer": cages, "segment-sums": two_segments}


def example_of(name):
    return EXAMPLES.get(name) or RULE_SEMANTICS[name].example


def puzzle_of(facts):
    atoms = (Function(name, each) for name, all_ in facts.items() for each in all_)
    return Puzzle.blank(4).replace(facts=tuple(atoms))


@pytest.mark.slow
@pytest.mark.parametrize("values", sorted(VALUES))
@pytest.mark.parametrize("name", sorted(SUMS))
def test_sums_are_those_of_the_values(name, values):
    kept = set()
    holds = holds_for_values(values, SUMS[name])
    for seed in SEEDS:
        facts = example_of(name)(Random(f"{name} {values} {seed}"), 4)
        program = compose(puzzle_of(facts), name, values)
        found = {solution.rows for solution in Solver(program).search(0)}
        assert found == {grid for grid in sudokus(4) if holds(grid, facts)}, facts
        kept.add(len(found))
    assert (max(kept) > 0) == ((name, values) not in WITHOUT_SOLUTION)


def test_every_rule_that_reads_values_is_tested():
    reading = {
        name
        for name in library.rule_names()
        if any(item.signature == ("value", 4) for item in library.find(name).declared)
    }
    assert reading == SUMS.keys()


@pytest.mark.parametrize(
    ("rules", "chosen"), [(("doublers",), 4), (("negators",), 4), (("doublers", "negators"), 8)]
)
def test_no_cell_counts_as_two_things(rules, chosen):
    """Each row has a cell of each rule."""
    puzzle = puzzle_of({"cage": [(1, 1, "A"), (1, 2, "A")]})
    for solution in Solver(compose(puzzle, "killer", *rules)).search(20):
        cells = [each.arguments for each in solution.shown]
        assert len(cells) == len({*cells}) == chosen
