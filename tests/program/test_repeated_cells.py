"""A cell that occurs twice: on a line, where it counts at each place unless only its cells count; in
a set of cells; in a path.
"""

from random import Random

import pytest
from choice_semantics import VARIANTS
from rule_semantics import RULE_SEMANTICS, repeated
from test_rule_semantics import all_four, with_facts

from aspdoku.engine import Solver
from aspdoku.program import compose
from aspdoku.program.library import available_rules
from aspdoku.puzzle import Puzzle

LINES = {
    rule.name: names
    for rule in available_rules()
    if (names := [item.name for item in rule.inputs if item.arguments == ("I", "K", "R", "C")])
}
# No numbers satisfy these rules if a cell occurs twice.
NONE = {"lunchbox", "thermo"}


def in_python(name, facts):
    if name in VARIANTS:
        return set(VARIANTS[name].solutions(4, facts))
    return {grid for grid in all_four() if RULE_SEMANTICS[name].holds(grid, facts)}


def in_clingo(name, facts):
    without = VARIANTS[name].without if name in VARIANTS else ()
    program = compose(with_facts(Puzzle.blank(4), facts), name, without=without)
    return {solution.rows for solution in Solver(program).search(0)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LINES))
def test_a_cell_twice_on_a_line_on_all_4x4_grids(name):
    counts = set()
    rules = VARIANTS[name] if name in VARIANTS else RULE_SEMANTICS[name]
    for seed in range(24):
        rng = Random(f"{name} {seed} repeated")
        facts = rules.example(rng, 4)
        twice = repeated(rng, facts, LINES[name])
        if twice != facts:
            expected = in_python(name, twice)
            assert in_clingo(name, twice) == expected, twice
            counts.add(len(expected))
    assert counts == {0} if name in NONE else len(counts) > 1


def line(name, cells, **values):
    return {
        name: [(1, place, *map(int, cell)) for place, cell in enumerate(cells.split(), 1)],
        **{f"{name}_{key}": [(1, value)] for key, value in values.items()},
    }


# The counts are those of the 288 grids that a few lines of plain Python find.
@pytest.mark.parametrize(
    ("name", "facts", "solutions"),
    [
        ("renban", line("renban", "11 12 22 21 11"), 288),
        ("renban", line("renban", "12 13 23 22 12"), 96),
        ("nabner", line("nabner", "11 23 11"), 72),
        ("zipper", line("zipper", "11 12 22 21 11"), 24),
        ("zipper", line("zipper", "11 23 32 11"), 84),
        ("double-arrow", line("double_arrow", "11 23 32 11"), 84),
        ("region-sum-line", line("region_sum_line", "12 13 23 22 12"), 128),
        ("region-sum-line", line("region_sum_line", "11 12 22 11"), 288),
        ("sum-line", line("sum_line", "12 13 23 22 12", value=5), 96),
        ("between", line("between", "11 12 22 11"), 0),
    ],
)
def test_loops(name, facts, solutions):
    assert len(in_clingo(name, facts)) == solutions
