"""Rules that make choices or retract default rules, against brute force in plain Python
(choice_semantics) on small grids.
"""

from random import Random

import clingo
import pytest
from choice_semantics import VALUE_RULES, VARIANTS, all_paths, partitions

from aspdoku.engine import Solver
from aspdoku.program import compose
from aspdoku.puzzle import Function, Puzzle

NAMES = sorted(VARIANTS)
SEEDS = range(6)  # tests/attack covers more facts, with other seeds


def puzzle_of(name, facts):
    return VARIANTS[name].puzzle(facts)


def solutions(name, facts, without=()):
    variant = VARIANTS[name]
    retracted = (*variant.without, *without)
    program = compose(puzzle_of(name, facts), name, *variant.others, without=retracted)
    return [solution.rows for solution in Solver(program).search(0)]


@pytest.mark.slow_cases(
    "chaos-apart",
    "chaos-arrow",
    "chaos-borders",
    "chaos-construction",
    "chaos-count",
    "chaos-distinct",
    "chaos-same",
    "connected",
    "each-row",
    "either",
    "equal-lines",
    "indexers",
    "liar",
    "path",
    "path-room",
    "path-whispers",
    "schroedinger",
    "suguru",
    "unique-sets",
)
@pytest.mark.parametrize("name", NAMES)
def test_the_solutions_are_those_of_exhaustive_search(name):
    variant = VARIANTS[name]
    sizes = set()
    for seed in SEEDS:
        facts = variant.example(Random(f"{name} {seed}"), variant.size)
        found = solutions(name, facts)
        expected = variant.solutions(variant.size, facts)
        assert len(found) == len(set(found))
        assert set(found) == expected, facts
        sizes.add(len(expected))
    assert max(sizes) > 0
    assert len(sizes) > 1 or not facts


@pytest.mark.parametrize("name", NAMES)
def test_a_retracted_rule_requires_nothing(name):
    """If there are more than a thousand grids, a thousand of them are compared; no puzzle with the
    rule has as many.
    """
    variant = VARIANTS[name]
    facts = variant.example(Random(f"{name} back"), variant.size) if name not in VALUE_RULES else {}
    blank, retracted = puzzle_of(name, {}), variant.without
    others = () if name in ("chaos-construction", "path") else variant.others
    free = Solver(compose(blank, *others, without=retracted)).search(1000).count()
    puzzle, retracted = puzzle_of(name, facts), (*retracted, name)
    program = compose(puzzle, name, *variant.others, without=retracted)
    assert Solver(program).search(1000).count() == free


def test_the_partitions_of_a_4x4_grid_into_regions():
    """There are 117 tilings of the 4x4 square by tetrominoes (OEIS A172477)."""
    assert [len(partitions(size)) for size in (2, 3, 4)] == [2, 10, 117]


def test_shown_regions_are_named_by_the_row_of_their_1():
    cuts = {regions(cut.items()) for cut in partitions(4)}
    for solution in Solver(compose(Puzzle.blank(4), "chaos-construction", without=["box"])).search(
        20
    ):
        shown = {(r, c): name for r, c, name in (atom.arguments for atom in solution.shown)}
        assert regions(shown.items()) in cuts
        assert all(shown[r, row.index(1) + 1] == r for r, row in enumerate(solution.rows, 1))


@pytest.mark.parametrize("ends", [0, 1, 2])
def test_the_paths_of_a_4x4_grid(ends):
    puzzle = Puzzle.blank(4).replace(facts=(Function("path_ends", (ends,)),))
    text = compose(puzzle, "path", without=["row", "column", "box"]).text
    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add("base", [], f"{text}\n:- a(R,C,N), N > 1.")
    control.ground()
    found = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            on = (atom.arguments for atom in model.symbols(atoms=True) if atom.name == "path_on")
            found.add(frozenset((r.number, c.number) for r, c in on))
    assert found == {path for path, tips in all_paths(4) if len(tips) == ends}


@pytest.mark.parametrize("name", ["doublers", "negators"])
def test_shown_cells_are_one_per_row_column_box_and_number(name):
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
    """The sets of cells with the same label."""
    found = {}
    for cell, name in names:
        found.setdefault(name, set()).add(cell)
    return frozenset(map(frozenset, found.values()))
