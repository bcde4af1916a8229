"""Conflicting givens against the oracle: the pairs that conflict, and that none is missed."""

from itertools import combinations, product
from random import Random

import oracle
import pytest

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.explanation.conflict import given_conflicts

pytestmark = pytest.mark.versions

# A 4x4 grid, rules to add, and the conflicts.
CASES = {
    "none": ("1 . . .\n. . . .\n. . 1 .\n. . . .\n", [], []),
    "blank": (". . . .\n" * 4, [], []),
    "in a row": ("1 . . 1\n. . . .\n. . . .\n. . . .\n", [], [((1, 1), (1, 4))]),
    "in a column": (". 3 . .\n. . . .\n. . . .\n. 3 . .\n", [], [((1, 2), (4, 2))]),
    "in a box": ("2 . . .\n. 2 . .\n. . . .\n. . . .\n", [], [((1, 1), (2, 2))]),
    "a knight's move apart": (
        "1 . . .\n. . 1 .\n. . . .\n. . . .\n",
        ["anti-knight"],
        [((1, 1), (2, 3))],
    ),
    "a knight's move apart, without a rule": ("1 . . .\n. . 1 .\n. . . .\n. . . .\n", [], []),
    "at one position of their boxes": (
        "1 . . .\n. . . .\n. . 1 .\n. . . .\n",
        ["offset"],
        [((1, 1), (3, 3))],
    ),
    "two pairs": ("1 . . 1\n. . . .\n. 2 . .\n. 2 . .\n", [], [((1, 1), (1, 4)), ((3, 2), (4, 2))]),
}


@pytest.mark.parametrize(("text", "names", "expected"), CASES.values(), ids=CASES)
def test_conflicting_givens(text, names, expected):
    found = given_conflicts(compose(aspdoku.parse(text), *names))
    assert (found.rules_alone, list(found.givens)) == (False, expected)


def test_a_conflict_of_a_single_given():
    """The smaller cell of an inequality cannot hold the largest number."""
    text = ". . . .\n. 4 . .\n" + ". . . .\n" * 2 + "[facts]\ngt(1,1,2,2).\n"
    assert given_conflicts(compose(aspdoku.parse(text), "greater-than")).givens == (((2, 2),),)


def test_three_equal_givens_are_two_conflicts():
    """Two of them have to be removed."""
    found = given_conflicts(compose(aspdoku.parse("1 . 1 1\n. . . .\n. . . .\n. . . .\n"))).givens
    assert len(found) == 2
    assert set().union(*found) == {(1, 1), (1, 3), (1, 4)}


@pytest.mark.parametrize(
    "facts",
    [
        "gt(1,1,1,2). gt(1,2,1,1).",
        "gt(1,1,1,2). gt(1,2,1,3). gt(1,3,1,4). gt(1,4,2,2). gt(2,2,1,1).",
    ],
)
@pytest.mark.parametrize("grid", [". . . .\n" * 4, "1 . . 1\n" + ". . . .\n" * 3])
def test_no_conflicting_givens_if_the_rules_alone_are_unsatisfiable(grid, facts):
    found = given_conflicts(compose(aspdoku.parse(f"{grid}[facts]\n{facts}\n"), "greater-than"))
    assert (found.rules_alone, found.givens) == (True, ())


def test_a_time_limit_before_the_search():
    program = compose(aspdoku.parse("1 . . 1\n" + ". . . .\n" * 3))
    assert given_conflicts(program, 1e-9) == (False, (), True)
    assert given_conflicts(program, 60) == given_conflicts(program)


def related(rules):
    relations = [oracle.same_row, oracle.same_column, oracle.same_box(3, 3)]
    relations += [oracle.knights_move] if rules.anti_knight else []
    relations += [oracle.same_box_position(3, 3)] if rules.offset else []
    return lambda cell, other: any(relation(cell, other) for relation in relations)


@pytest.mark.slow_cases("anti-knight-7")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", [None, "anti-knight", "offset"])
def test_all_pairs_are_found_in_random_grids(name, seed):
    """Each reported pair conflicts; after removing one given of each, no conflict is left."""
    random = Random(f"{name}{seed}")
    cells = random.sample([(r, c) for r in range(1, 10) for c in range(1, 10)], 14)
    givens = {cell: random.randint(1, 9) for cell in cells}
    grid = tuple(tuple(givens.get((r, c)) for c in range(1, 10)) for r in range(1, 10))
    sees = related(oracle.Rules(anti_knight=name == "anti-knight", offset=name == "offset"))
    seeing = {
        pair
        for pair in combinations(sorted(cells), 2)
        if givens[pair[0]] == givens[pair[1]] and sees(*pair)
    }

    found = given_conflicts(compose(Puzzle(grid), *[name] * bool(name))).givens
    assert {conflict for conflict in found if len(conflict) == 2} <= seeing
    assert any(all(gone & set(pair) for pair in seeing) for gone in map(set, product(*found)))


def test_a_grid_of_one_number_has_more_conflicts_than_are_listed():
    """Of 81 equal numbers, 810 pairs are in one row, column or box."""
    puzzle = Puzzle(((1,) * 9,) * 9)
    see = related(oracle.Rules())
    cells = [*product(range(1, 10), repeat=2)]
    number = sum(see(*pair) for pair in combinations(cells, 2))
    found = aspdoku.conflict(puzzle)
    assert (len(found.data.conflicts), found.data.unlisted) == (20, number - 20)
    assert all(see(*(given[:2] for given in each.givens)) for each in found.data.conflicts)
    assert f"{number - 20} more" in str(found)
    cheap = given_conflicts(compose(puzzle))
    assert (len(cheap.givens), cheap.complete) == (20, False)


def test_a_given_that_grounding_excludes_is_a_conflict_of_its_own():
    """The largest number in the smaller cell of an inequality."""
    puzzle = aspdoku.parse("4 . . .\n" + ". . . .\n" * 3 + "[facts]\ngt(1,2,1,1).\n")
    assert given_conflicts(compose(puzzle, "greater-than")).givens == (((1, 1),),)
