"""Every elaboration against its implementation in plain Python (rule_semantics), on all 4x4 grids,
and on 6x6 grids that satisfy or violate it.
"""

from functools import cache
from itertools import permutations, product
from random import Random

import pytest
from rule_semantics import RULE_SEMANTICS, boxes, path, repeated
from sampling import one_in

from aspdoku.engine import Solver
from aspdoku.program import compose
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import box_shape

NAMES = sorted(RULE_SEMANTICS)
SEEDS = range(6)
# Rules that no 4x4 grid satisfies, or all do.
ALL_OR_NONE = {
    "anti-diagonal",
    "anti-king",
    "global-entropy",
    "global-mod",
    "mixed-parity",
    "nonconsecutive",
    "nonratio",
    "self-taxicab",
    "taxicab",
}


@cache
def all_four():
    return [solution.rows for solution in Solver(compose(Puzzle.blank(4))).search(0)]


def shuffled(rng, bands, lines):
    return [
        band * lines + line
        for band in rng.sample(range(bands), bands)
        for line in rng.sample(range(lines), lines)
    ]


@cache
def some_six():
    """6x6 grids with boxes: one pattern with its numbers, and its lines within bands, shuffled."""
    height, width = box_shape(6)
    found = []
    for seed in range(25):
        rng = Random(seed)
        rows, columns = shuffled(rng, width, height), shuffled(rng, height, width)
        numbers = rng.sample(range(1, 7), 6)
        found.append(
            tuple(
                tuple(numbers[(width * (r % height) + r // height + c) % 6] for c in columns)
                for r in rows
            )
        )
    return found


def with_facts(puzzle, facts):
    return puzzle.replace(
        facts=tuple(Function(name, arguments) for name, each in facts.items() for arguments in each)
    )


@pytest.mark.slow
def test_the_6x6_grids_are_solutions():
    assert len(set(some_six())) == 25
    assert all(Solver(compose(Puzzle(grid))).search(1).count() for grid in some_six())


@pytest.mark.slow_cases(
    "between",
    "black-dots",
    "box-indexer",
    "count-distinct",
    "disjoint-groups",
    "doppelganger",
    "dutch-flatmates",
    "end-view",
    "equality",
    "global-mod",
    "look-and-say",
    "look-at-least",
    "no-ties",
    "pill-arrow",
    "quadruple",
    "region-sum-line",
    "rellik",
    "sum-line",
)
@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_a_rule_on_all_4x4_grids(name):
    kept = 0
    for seed in SEEDS:
        facts = RULE_SEMANTICS[name].example(Random(f"{name} {seed}"), 4)
        found = {
            solution.rows
            for solution in Solver(compose(with_facts(Puzzle.blank(4), facts), name)).search(0)
        }
        expected = {grid for grid in all_four() if RULE_SEMANTICS[name].holds(grid, facts)}
        assert found == expected, facts
        kept += 0 < len(expected) < len(all_four())
    assert kept or name in ALL_OR_NONE


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_rule_on_full_6x6_grids(name):
    kept = set()
    for seed in SEEDS:
        facts = RULE_SEMANTICS[name].example(Random(f"{name} {seed} 6"), 6)
        solver = Solver(compose(with_facts(Puzzle.blank(6), facts), name))
        for grid in some_six():
            given = [
                (Function("a", (r, c, n)), True)
                for r, row in enumerate(grid, 1)
                for c, n in enumerate(row, 1)
            ]
            expected = RULE_SEMANTICS[name].holds(grid, facts)
            assert bool(solver.search(1, given).count()) == expected, facts
            kept.add(expected)
    assert False in kept


@pytest.mark.parametrize("name", sorted(ALL_OR_NONE))
def test_6x6_solutions_of_rules_that_4x4_grids_do_not_test(name):
    facts = RULE_SEMANTICS[name].example(Random(name), 6)
    found = [
        solution.rows
        for solution in Solver(compose(with_facts(Puzzle.blank(6), facts), name)).search(9)
    ]
    assert len(found) == 9
    assert all(RULE_SEMANTICS[name].holds(grid, facts) for grid in found)


JIGSAW = ("ABBB", "AAAB", "CDDD", "CCCD")
DRAWN = {
    "box": [(r, c, label) for r, row in enumerate(JIGSAW, 1) for c, label in enumerate(row, 1)]
}


@cache
def jigsaws():
    """All grids of 4x4 whose rows, columns and regions hold each number once."""
    regions = boxes(4, DRAWN)
    grids = product(permutations(range(1, 5)), repeat=4)
    latin = (
        grid for grid in grids if all(len({*column}) == 4 for column in zip(*grid, strict=True))
    )
    return [
        grid
        for grid in latin
        if all(len({grid[r - 1][c - 1] for r, c in region}) == 4 for region in regions)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["box-indexer", "disjoint-groups", "region-sum-line"])
def test_a_rule_on_all_grids_of_a_jigsaw(name):
    kept = set()
    for seed in range(15):
        rng = Random(f"{name} {seed} drawn")
        facts = RULE_SEMANTICS[name].example(rng, 4) | DRAWN
        facts = repeated(rng, name, facts) if seed % 2 else facts
        found = {
            solution.rows
            for solution in Solver(compose(with_facts(Puzzle.blank(4), facts), name)).search(0)
        }
        expected = {grid for grid in jigsaws() if RULE_SEMANTICS[name].holds(grid, facts)}
        assert found == expected, facts
        kept.add(len(expected))
    assert kept - {0, len(jigsaws())}


@pytest.mark.slow
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("ends", ["open", "loop", "closed"])
def test_long_sum_lines_on_all_4x4_grids(ends, least):
    """Also with numbers from 0, and positions that are not consecutive."""
    kept = set()
    for seed in range(8):
        rng = Random(f"{ends} {least} {seed}")
        cells = path(rng, 4, 9, 5)
        cells += cells[:1] if ends == "closed" else []
        places = sorted(rng.sample(range(1, 2 * len(cells)), len(cells)))
        facts = {
            "sum_line": [(1, place, *cell) for place, cell in zip(places, cells, strict=True)],
            "sum_line_value": [(1, rng.randint(3, 8))],
            "sum_line_loop": [(1,)] if ends == "loop" else [],
        }
        puzzle = with_facts(Puzzle.blank(4).replace(numbers=range(least, least + 4)), facts)
        found = {solution.rows for solution in Solver(compose(puzzle, "sum-line")).search(0)}
        grids = {
            tuple(tuple(number + least - 1 for number in row) for row in grid)
            for grid in all_four()
        }
        assert found == {grid for grid in grids if RULE_SEMANTICS["sum-line"].holds(grid, facts)}, (
            facts
        )
        kept.add(len(found))
    assert kept - {0, 288}


def test_every_elaboration_has_an_implementation_in_python():
    import oracle
    from choice_semantics import VARIANTS

    from aspdoku.program import library

    # Extra cells are not in a square grid: `test_boards` compares them with brute force.
    assert set(library.rule_names()) - {"extra-cell"} == set(RULE_SEMANTICS) | set(VARIANTS) | (
        oracle.RULE_NAMES - {"row", "column"}
    )
