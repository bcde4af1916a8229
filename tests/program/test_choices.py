"""Variants with hidden information or retracted rules, compared with brute force on small grids."""

from random import Random

import pytest
from choice_semantics import VARIANTS, partitions

from aspdoku.engine import Solver
from aspdoku.program import compose
from aspdoku.puzzle import Function, Puzzle

NAMES = sorted(VARIANTS)
SEEDS = range(6)  # tests/attack asks more, with other seeds


def puzzle_of(name, facts):
    stated = tuple(Function(each, arguments) for each, all_ in facts.items() for arguments in all_)
    return Puzzle.blank(VARIANTS[name].size).replace(facts=stated)


def solutions(name, facts, without=()):
    program = compose(puzzle_of(name, facts), name, without=(*VARIANTS[name].without, *without))
    return [solution.rows for solution in Solver(program).search(0)]


@pytest.mark.parametrize("name", NAMES)
def test_the_solutions_are_those_that_trying_finds(name):
    game = VARIANTS[name]
    sizes = set()
    for seed in SEEDS:
        facts = game.example(Random(f"{name} {seed}"), game.size)
        found = solutions(name, facts)
        expected = game.solutions(game.size, facts)
        assert len(found) == len(set(found))
        assert set(found) == expected, facts
        sizes.add(len(expected))
    assert max(sizes) > 0
    assert len(sizes) > 1 or not facts


@pytest.mark.parametrize("name", NAMES)
def test_a_retracted_rule_requires_nothing(name):
    """A thousand grids represent all if there are more; no puzzle has as many."""
    game = VARIANTS[name]
    facts = game.example(Random(f"{name} back"), game.size)
    free = Solver(compose(Puzzle.blank(game.size), without=game.without)).search(1000).count()
    assert (
        Solver(compose(puzzle_of(name, facts), name, without=(*game.without, name)))
        .search(1000)
        .count()
        == free
    )


def test_the_ways_to_cut_a_grid_of_four_into_four():
    """As many as there are tilings of the 4x4 square by tetrominoes: 117 (OEIS A172477)."""
    assert [len(partitions(size)) for size in (2, 3, 4)] == [2, 10, 117]


def test_the_regions_that_are_shown_are_regions_called_by_the_row_of_their_one():
    cuts = {regions(cut.items()) for cut in partitions(4)}
    for solution in Solver(compose(Puzzle.blank(4), "chaos-construction", without=["box"])).search(
        20
    ):
        shown = {(r, c): name for r, c, name in (atom.arguments for atom in solution.shown)}
        assert regions(shown.items()) in cuts
        assert all(shown[r, row.index(1) + 1] == r for r, row in enumerate(solution.rows, 1))


@pytest.mark.parametrize("name", ["doublers", "negators"])
def test_the_cells_that_are_shown_are_one_in_each_row_column_and_box_with_each_number(name):
    for solution in Solver(compose(Puzzle.blank(4), name)).search(20):
        cells = [atom.arguments for atom in solution.shown]
        places = [
            [
                *cell,
                ((cell[0] - 1) // 2, (cell[1] - 1) // 2),
                solution.rows[cell[0] - 1][cell[1] - 1],
            ]
            for cell in cells
        ]
        assert [len(set(each)) for each in zip(*places, strict=True)] == [4, 4, 4, 4]


def regions(names):
    """The sets of cells with one name."""
    found = {}
    for cell, name in names:
        found.setdefault(name, set()).add(cell)
    return frozenset(map(frozenset, found.values()))
