"""The bundled rules against the oracle."""

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.puzzle import Function

CELLS = [(row, column) for row in range(1, 5) for column in range(1, 5)]
SHAPES = [
    (1, 1),
    (2, 2),
    (2, 3),
    (3, 2),
    (2, 4),
    (4, 2),
    (3, 3),
    (2, 5),
    (5, 2),
    (3, 4),
    (4, 3),
    (4, 4),
    (5, 5),
    (1, 5),
    (5, 1),
]


def grids(puzzle, *names, without=(), limit=0):
    return [
        solution.rows for solution in Solver(compose(puzzle, *names, without=without)).search(limit)
    ]


def same(ours, theirs):
    """Whether two lists contain the same grids, without repetitions."""
    theirs = [tuple(map(tuple, grid)) for grid in theirs]
    return len(set(ours)) == len(ours) and set(ours) == set(theirs)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_boxes_of_every_shape(shape):
    size = shape[0] * shape[1]
    (grid,) = grids(Puzzle.blank(size, shape), limit=1)
    assert oracle.latin(grid)
    assert oracle.boxes(grid, *shape)


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3, 3), (2, 4)], ids=str)
@pytest.mark.parametrize("name", ["offset", "anti-knight"])
def test_rules_that_need_no_input_at_other_sizes(shape, name):
    size = shape[0] * shape[1]
    for grid in grids(Puzzle.blank(size, shape), name, limit=20):
        assert oracle.violations(grid, [[None] * size] * size, rules_of({name}, shape)) == []


def rules_of(names, shape=(2, 2), without=()):
    return oracle.Rules(
        rows="row" not in without,
        columns="column" not in without,
        boxes="box" not in without,
        offset="offset" in names,
        anti_knight="anti-knight" in names,
        box_shape=shape,
    )


@in_one_test("without", [(), ("box",), ("row",), ("column",)])
@in_one_test("names", [(), ("offset",), ("anti-knight",), ("offset", "anti-knight")])
def test_all_4x4_grids_under_a_first_row(names, without):
    first_row = aspdoku.parse("1234" + "." * 12)
    givens = [[1, 2, 3, 4], *[[None] * 4] * 3]
    theirs = oracle.solutions(givens, rules_of(names, without=without))
    assert same(grids(first_row, *names, without=without), theirs)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(st.permutations(CELLS).map(lambda cells: tuple(cells[:2])), max_size=6))
def test_greater_than(pairs):
    facts = tuple(Function("gt", (*cell, *other)) for cell, other in pairs)
    theirs = oracle.solutions([[None] * 4] * 4, oracle.Rules(greater_than=tuple(pairs)))
    assert same(grids(Puzzle.blank(4).replace(facts=facts), "greater-than"), theirs)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.permutations(CELLS), st.integers(0, 4), st.booleans())
def test_chain(order, count, with_boxes):
    chains = {f"{index}": tuple(order[4 * index : 4 * index + 4]) for index in range(count)}
    facts = tuple(
        Function("chain", (*cell, name)) for name, cells in chains.items() for cell in cells
    )
    theirs = oracle.solutions([[None] * 4] * 4, oracle.Rules(boxes=with_boxes, chains=chains))
    ours = grids(
        Puzzle.blank(4).replace(facts=facts), "chain", without=[] if with_boxes else ["box"]
    )
    assert same(ours, theirs)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.permutations(CELLS),
    st.lists(st.tuples(st.integers(1, 4), st.none() | st.integers(1, 12)), max_size=4),
)
def test_killer(order, sizes):
    cages, rest = [], list(order)
    for index, (size, total) in enumerate(sizes):
        cages.append(oracle.Cage(tuple(rest[:size]), total, str(index)))
        rest = rest[size:]
    facts = [Function("cage", (*cell, cage.name)) for cage in cages for cell in cage.cells]
    facts += [
        Function("cage_value", (cage.name, cage.total)) for cage in cages if cage.total is not None
    ]
    theirs = oracle.solutions([[None] * 4] * 4, oracle.Rules(cages=tuple(cages)))
    assert same(grids(Puzzle.blank(4).replace(facts=tuple(facts)), "killer"), theirs)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.permutations(CELLS))
def test_drawn_regions_are_boxes(order):
    regions = {str(index): tuple(order[4 * index : 4 * index + 4]) for index in range(4)}
    facts = tuple(
        Function("box", (*cell, name)) for name, cells in regions.items() for cell in cells
    )
    puzzle = Puzzle.blank(4).replace(box=None, facts=facts)
    theirs = oracle.solutions([[None] * 4] * 4, oracle.Rules(boxes=False, chains=regions))
    assert puzzle.box is None
    assert same(grids(puzzle), theirs)


@pytest.mark.parametrize("name", ["box", "anti-knight"])
def test_an_exception_is_a_fact_and_retracts_only_its_instances(name):
    """Two numbers are exempt: if only one were, the other three would determine its cells."""
    still = {"box": boxes_but, "anti-knight": knight_but}[name]
    facts = tuple(Function("ab", (Function(name.replace("-", "_")), number)) for number in (1, 2))
    names, without = (["anti-knight"], ["box"]) if name == "anti-knight" else ([], [])
    ours = grids(Puzzle.blank(4).replace(facts=facts), *names, without=without)
    latin = oracle.solutions([[None] * 4] * 4, oracle.LATIN)
    assert same(ours, [grid for grid in latin if still(grid, {1, 2})])
    assert set(grids(Puzzle.blank(4), *names, without=without)) < set(ours)


def boxes_but(grid, exempt):
    places = [
        [(2 * y + i, 2 * x + j) for i in (0, 1) for j in (0, 1)] for y in (0, 1) for x in (0, 1)
    ]
    held = ([grid[row][column] for row, column in box] for box in places)
    return all(numbers.count(number) == 1 for numbers in held for number in {1, 2, 3, 4} - exempt)


def knight_but(grid, exempt):
    return not any(
        grid[row - 1][column - 1] == grid[other - 1][next_column - 1] not in exempt
        for row, column in CELLS
        for other, next_column in CELLS
        if {abs(row - other), abs(column - next_column)} == {1, 2}
    )
