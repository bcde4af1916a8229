"""The oracle against independent results: published counts, all 4x4 grids, printed solutions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations, product
from pathlib import Path
from random import Random

import oracle
import pytest
from in_one_test import in_one_test
from instance_files import SOLVED
from oracle import CLASSIC, LATIN, Cage, Rules, read, read_grid, solutions, violations

INSTANCES = Path(__file__).parent.parent / "instances"
IDS = [str(puzzle.relative_to(INSTANCES).with_suffix("")) for puzzle, _ in SOLVED]

Rows = tuple[tuple[int, ...], ...]


def blank(n: int) -> list[list[int | None]]:
    return [[None] * n for _ in range(n)]


def with_first_row(n: int) -> list[list[int | None]]:
    return [list(range(1, n + 1)), *blank(n)[1:]]


def reduced(n: int) -> list[list[int | None]]:
    """The givens of a reduced grid: first row and first column in order."""
    return [list(range(1, n + 1)), *([r, *[None] * (n - 1)] for r in range(2, n + 1))]


def frozen(grids: list[list[list[int]]]) -> set[Rows]:
    """The grids as a set, after asserting that there are no duplicates."""
    rows = {tuple(map(tuple, grid)) for grid in grids}
    assert len(rows) == len(grids)
    return rows


@cache
def latin_squares() -> tuple[Rows, ...]:
    """The 4x4 Latin squares, filtered from all stacks of four rows."""
    stacks = product(permutations(range(1, 5)), repeat=4)
    return tuple(
        rows for rows in stacks if all(len(set(column)) == 4 for column in zip(*rows, strict=True))
    )


@cache
def six_by_six() -> frozenset[Rows]:
    """The 6x6 sudoku grids with the first row 1 to 6."""
    return frozenset(frozen(solutions(with_first_row(6))))


def parse(digits: str) -> list[list[int]]:
    return [[int(digit) for digit in row] for row in digits.split()]


# ---- Counts ----


@pytest.mark.slow_cases("reduced Latin squares of order 6, OEIS A000315")
@pytest.mark.parametrize(
    ("givens", "rules", "count"),
    [
        pytest.param(blank(1), CLASSIC, 1, id="1x1"),
        pytest.param(blank(2), LATIN, 2, id="Latin squares of order 2, OEIS A002860"),
        pytest.param(blank(3), LATIN, 12, id="Latin squares of order 3, OEIS A002860"),
        pytest.param(blank(4), LATIN, 576, id="Latin squares of order 4, OEIS A002860"),
        pytest.param(reduced(5), LATIN, 56, id="reduced Latin squares of order 5, OEIS A000315"),
        pytest.param(reduced(6), LATIN, 9408, id="reduced Latin squares of order 6, OEIS A000315"),
        pytest.param(blank(4), CLASSIC, 288, id="4x4 sudoku grids, OEIS A107739"),
        pytest.param(blank(3), replace(LATIN, columns=False), 6**3, id="rows alone"),
        pytest.param(blank(3), replace(LATIN, rows=False), 6**3, id="columns alone"),
        pytest.param(blank(2), replace(LATIN, rows=False, columns=False), 2**4, id="no rule"),
    ],
)
def test_known_counts(givens, rules, count):
    found = solutions(givens, rules)
    assert len(frozen(found)) == count
    assert not any(violations(grid, givens, rules) for grid in found)


@pytest.mark.slow
def test_6x6_count():
    """There are 28,200,960 grids with 2x3 boxes, and 6! ways to fill the first row."""
    assert len(six_by_six()) * 720 == 28_200_960


def test_limit():
    assert len(solutions(blank(9), CLASSIC, 3)) == 3
    assert solutions(blank(4), CLASSIC, 0) == []
    assert len(solutions(blank(4), CLASSIC, 1000)) == 288


# ---- The search finds exactly the grids that satisfy the predicates ----


@pytest.mark.slow
def test_predicates_on_all_latin_squares():
    squares = latin_squares()
    assert len(squares) == 576
    assert all(map(oracle.latin, squares))
    assert frozen(solutions(blank(4), LATIN)) == set(squares)
    assert sum(oracle.boxes(square, 2, 2) for square in squares) == 288


@pytest.mark.slow
def test_other_combinations_of_rows_are_not_latin():
    stacks = Random(4).sample(list(product(permutations(range(1, 5)), repeat=4)), 5000)
    assert {stack for stack in stacks if oracle.latin(stack)} == set(stacks) & set(latin_squares())


@pytest.mark.parametrize("on", list(product([False, True], repeat=3)), ids=str)
def test_boxes_offset_and_anti_knight_on_all_latin_squares(on):
    boxes, offset, anti_knight = on
    left = {
        square
        for square in latin_squares()
        if (not boxes or oracle.boxes(square, 2, 2))
        and (not offset or oracle.offset(square, 2, 2))
        and (not anti_knight or oracle.anti_knight(square))
    }
    rules = Rules(boxes=boxes, offset=offset, anti_knight=anti_knight)
    assert frozen(solutions(blank(4), rules)) == left


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "holds"),
    [
        pytest.param(Rules(offset=True), lambda grid: oracle.offset(grid, 2, 3), id="offset"),
        pytest.param(Rules(anti_knight=True), oracle.anti_knight, id="anti-knight"),
    ],
)
def test_oblong_boxes(rules, holds):
    assert frozen(solutions(with_first_row(6), rules)) == {
        grid for grid in six_by_six() if holds(grid)
    }


def random_rules(seed: int) -> Rules:
    """A random selection of all rules, over random cells of a 4x4 grid."""
    random = Random(seed)
    cells = list(product(range(1, 5), repeat=2))

    def some(most: int) -> range:
        return range(random.choice([0, random.randint(1, most)]))

    def cage() -> Cage:
        size = random.randint(1, 4)
        lowest, highest = size * (size + 1) // 2, size * (9 - size) // 2
        return Cage(
            tuple(random.sample(cells, size)),
            random.choice([None, random.randint(lowest, highest)]),
        )

    return Rules(
        boxes=random.random() < 0.5,
        offset=random.random() < 0.3,
        anti_knight=random.random() < 0.2,
        greater_than=tuple(tuple(random.sample(cells, 2)) for _ in some(6)),
        chains={
            str(i): tuple(random.sample(cells, random.choice([3, 4, 4, 4, 5]))) for i in some(2)
        },
        cages=tuple(cage() for _ in some(4)),
        box_shape=random.choice([None, (2, 2), (1, 4), (4, 1)]),
    )


def satisfies(square: Rows, rules: Rules) -> bool:
    shape = rules.box_shape or (2, 2)
    return (
        (not rules.boxes or oracle.boxes(square, *shape))
        and (not rules.offset or oracle.offset(square, *shape))
        and (not rules.anti_knight or oracle.anti_knight(square))
        and oracle.greater_than(square, rules.greater_than)
        and oracle.chains(square, rules.chains)
        and oracle.cages(square, rules.cages)
    )


@pytest.mark.slow
def test_random_rules_on_all_latin_squares():
    counts = []
    for seed in range(80):
        rules = random_rules(seed)
        left = {square for square in latin_squares() if satisfies(square, rules)}
        assert left == {
            square for square in latin_squares() if not violations(square, blank(4), rules)
        }
        assert frozen(solutions(blank(4), rules)) == left, rules
        counts.append(len(left))
    assert sum(count > 0 for count in counts) > 20
    assert counts.count(0) > 10


@pytest.mark.parametrize("seed", range(20))
def test_random_givens(seed):
    random = Random(seed)
    givens = blank(4)
    for r, c in random.sample(list(product(range(4), repeat=2)), random.randint(1, 5)):
        givens[r][c] = random.randint(1, 4)
    left = {square for square in latin_squares() if not violations(square, givens, CLASSIC)}
    assert frozen(solutions(givens, CLASSIC)) == left


def test_a_given_outside_the_range_of_numbers():
    assert solutions([[5, None, None, None], *blank(4)[1:]], LATIN) == []


# ---- The instances ----


def test_there_are_instances():
    assert len(SOLVED) >= 11


@in_one_test(("puzzle", "solution"), SOLVED)
def test_the_solution_file_solves_the_puzzle(puzzle, solution):
    givens, rules = read(puzzle.read_text())
    grid = read_grid(solution.read_text())
    assert violations(grid, givens, rules) == []
    assert solutions(givens, rules, 2) == [grid]


@pytest.mark.slow_cases("slides/sixteen")
@pytest.mark.parametrize(("puzzle", "solution"), SOLVED, ids=IDS)
def test_every_cell_changed_is_reported(puzzle, solution):
    givens, rules = read(puzzle.read_text())
    grid = read_grid(solution.read_text())
    n = len(grid)
    for r, c in oracle.cells_of(n):
        wrong = [list(row) for row in grid]
        wrong[r - 1][c - 1] = wrong[r - 1][c - 1] % n + 1
        found = violations(wrong, givens, rules)
        assert any(
            violation.startswith(f"r{r}c{c} ") or f" r{r}c{c}" in violation for violation in found
        )


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("slides/offset", {"offset": False}),
        ("slides/anti-knight", {"anti_knight": False}),
        ("slides/greater-than", {"greater_than": ()}),
        ("made/killer", {"cages": ()}),
    ],
)
def test_the_rule_of_an_instance_is_needed(name, dropped):
    """Without the rule there are other solutions, which violate it and no other rule."""
    givens, rules = read((INSTANCES / f"{name}.txt").read_text())
    fewer = replace(rules, **dropped)
    others = solutions(givens, fewer, 20)
    broken = [violations(grid, givens, rules) for grid in others]
    assert len(others) > 1
    assert not any(violations(grid, givens, fewer) for grid in others)
    assert sum(not found for found in broken) <= 1


@pytest.mark.parametrize("name", ["offset", "classic", "anti-knight"])
def test_the_misprinted_grids_have_no_solution(name):
    givens, _ = read((INSTANCES / f"slides/as-printed/{name}.txt").read_text())
    assert solutions(givens, CLASSIC, 1) == []


# ---- Reading ----

EXAMPLE = """
title: An example: all that the reader reads
with: killer, greater-than chain anti_knight
without: box
box: 1x3

 . 3  .
10 .  .
 . .  .

[cage]
A A .
B . .
B . .
A = 5

[facts]
gt(1,2,1,1).  gt(3,3,2,3).
chain(1,1,k). chain(2,2,k). chain(3,3,k).
"""


def test_read():
    givens, rules = read(EXAMPLE)
    assert givens == [[None, 3, None], [10, None, None], [None, None, None]]
    assert rules == Rules(
        boxes=False,
        anti_knight=True,
        greater_than=(((1, 2), (1, 1)), ((3, 3), (2, 3))),
        chains={"k": ((1, 1), (2, 2), (3, 3))},
        cages=(Cage(((1, 1), (1, 2)), 5, "A"), Cage(((2, 1), (3, 1)), None, "B")),
        box_shape=(1, 3),
    )


def test_facts_without_their_rule_have_no_effect():
    without_names = EXAMPLE.replace("with: killer", "title: killer")
    assert read(without_names)[1] == Rules(boxes=False, box_shape=(1, 3))


def test_rules_unknown_to_the_oracle():
    with pytest.raises(ValueError, match="does not know the rule thermo"):
        read("with: thermo\n.")


# ---- Planted errors ----

GRID = "1234 3412 2143 4321"
NO_GIVENS = blank(4)


@in_one_test(
    ("grid", "givens", "rules", "expected"),
    [
        (GRID, NO_GIVENS, CLASSIC, []),
        ("1234 3412 2143", NO_GIVENS, CLASSIC, ["the grid has 3 rows, not 4"]),
        ("1234 341 2143 4321", NO_GIVENS, CLASSIC, ["row 2 has 3 cells, not 4"]),
        ("1234 3412 2143 4320", NO_GIVENS, CLASSIC, ["r4c4 holds 0, which is not one of 1 to 4"]),
        ("1234 3512 2143 4321", NO_GIVENS, CLASSIC, ["r2c2 holds 5, which is not one of 1 to 4"]),
        (GRID, [[None, 3, 3, None], *blank(4)[1:]], CLASSIC, ["r1c2 holds 2, but 3 is given"]),
        (GRID, [[None, 2, 3, None], *blank(4)[1:]], CLASSIC, []),
        (
            "2134 3412 2143 4321",
            NO_GIVENS,
            LATIN,
            [
                "r1c1 and r3c1, in one column, both hold 2",
                "r1c2 and r3c2, in one column, both hold 1",
            ],
        ),
        (
            "1234 3412 2143 4121",
            NO_GIVENS,
            CLASSIC,
            [
                "r4c2 and r4c4, in one row, both hold 1",
                "r3c2 and r4c2, in one column, both hold 1",
                "r3c2 and r4c2, in one box, both hold 1",
            ],
        ),
        (
            "1234 2143 3412 4321",
            NO_GIVENS,
            CLASSIC,
            [
                f"{cells}, in one box, both hold {n}"
                for n, pairs in {
                    1: ["r1c1 and r2c2", "r3c3 and r4c4"],
                    2: ["r1c2 and r2c1", "r3c4 and r4c3"],
                    3: ["r1c3 and r2c4", "r3c1 and r4c2"],
                    4: ["r1c4 and r2c3", "r3c2 and r4c1"],
                }.items()
                for cells in pairs
            ],
        ),
        (
            "1234 3421 4312 2143",
            NO_GIVENS,
            Rules(offset=True),
            [
                "r1c1 and r3c3, at the same place of their boxes, both hold 1",
                "r2c4 and r4c2, at the same place of their boxes, both hold 1",
                "r1c2 and r3c4, at the same place of their boxes, both hold 2",
                "r2c3 and r4c1, at the same place of their boxes, both hold 2",
            ],
        ),
        (
            "1234 3421 4312 2143",
            NO_GIVENS,
            Rules(anti_knight=True),
            [
                "r1c3 and r2c1, a knight's move apart, both hold 3",
                "r1c3 and r3c2, a knight's move apart, both hold 3",
                "r3c2 and r4c4, a knight's move apart, both hold 3",
                "r1c4 and r2c2, a knight's move apart, both hold 4",
                "r2c2 and r4c3, a knight's move apart, both hold 4",
                "r3c1 and r4c3, a knight's move apart, both hold 4",
            ],
        ),
        (
            GRID,
            NO_GIVENS,
            Rules(greater_than=(((1, 2), (1, 1)), ((1, 1), (2, 1)), ((1, 1), (2, 3)))),
            [
                "r1c1 holds 1, which is not greater than 3 in r2c1",
                "r1c1 holds 1, which is not greater than 1 in r2c3",
            ],
        ),
        (GRID, NO_GIVENS, Rules(chains={"k": ((1, 1), (1, 2), (2, 1), (4, 1))}), []),
        (
            GRID,
            NO_GIVENS,
            Rules(chains={"d": ((1, 1), (2, 2), (3, 3), (4, 4))}),
            [
                f"chain d: {count} cells hold {n}, not one"
                for n, count in [(1, 2), (2, 0), (3, 0), (4, 2)]
            ],
        ),
        (
            GRID,
            NO_GIVENS,
            Rules(cages=(Cage(((1, 1), (2, 1), (3, 1)), 6, "A"), Cage(((4, 4), (4, 3)), None))),
            [],
        ),
        (
            GRID,
            NO_GIVENS,
            Rules(cages=(Cage(((1, 1), (2, 1)), 5, "A"),)),
            ["cage A adds up to 4, not 5"],
        ),
        (
            GRID,
            NO_GIVENS,
            Rules(cages=(Cage(((1, 1), (2, 3), (1, 2)), 4, "A"),)),
            ["cage A: 2 cells hold 1"],
        ),
    ],
)
def test_planted_errors(grid, givens, rules, expected):
    assert violations(parse(grid), givens, rules) == expected
