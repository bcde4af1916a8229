"""Answers about solutions, compared with the oracle, which does not know clingo."""

import math
from dataclasses import replace
from functools import partial

import oracle
import pytest
from in_one_test import in_one_test

import aspdoku

BLANK = ". . . .\n" * 4
ONE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
SEVERAL = "1 . . .\n. . . .\n. . 2 .\n. . . .\n"
SIGNS = f"with: greater-than\n\n{BLANK}\n[facts]\n"

PUZZLES = {
    "blank": BLANK,
    "Latin squares": f"without: box\n\n{SEVERAL}",
    "no rows": f"without: row\n\n{ONE}",
    "several": SEVERAL,
    "one": ONE,
    "more givens": "3 4 . .\n. . . 4\n. . 2 .\n1 . . .\n",
    "two equal givens": "1 1 . .\n" + ". . . .\n" * 3,
    "hidden conflict": "1 2 . .\n. . 3 .\n. . . .\n. . 4 .\n",
    "offset": f"with: offset\n\n{SEVERAL}",
    "anti-knight": f"with: anti-knight\nwithout: box\n\n{BLANK}",
    "signs": f"{SIGNS}gt(1,1,1,2).\ngt(2,1,1,1).\ngt(3,2,2,2).\ngt(2,2,2,3).\n",
    "signs in a circle": f"{SIGNS}gt(1,1,1,2).\ngt(1,2,1,1).\n",
    "cages": (
        f"with: killer\n\n{BLANK}\n[cage]\nA A . B\nA . . B\n. . C C\nD D D C\n"
        "A = 6\nB = 3\nC = 7\nD = 7\n"
    ),
}
STATUS = {0: "none", 1: "unique"}


def rows(solutions):
    """Solutions as a sorted list of lists."""
    return sorted([list(row) for row in getattr(each, "rows", each)] for each in solutions)


@pytest.fixture(params=PUZZLES)
def text(request):
    return PUZZLES[request.param]


@pytest.fixture
def expected(text):
    return oracle.solutions(*oracle.read(text))


def test_solve_finds_all_solutions(text, expected):
    answer = aspdoku.solve(text, limit=0)
    assert rows(answer) == rows(expected)
    assert (answer.status, answer.ended, len(answer)) == (
        STATUS.get(len(expected), "several"),
        "complete",
        len(expected),
    )


@in_one_test("limit", [1, 2, 3])
def test_solve_up_to_a_limit(text, expected, limit):
    seen = []
    answer = aspdoku.solve(text, limit=limit, on_solution=seen.append)
    number = min(limit, len(expected))
    assert len(seen) == answer.outcome.found == number
    assert all(each in rows(expected) for each in rows(seen))
    assert len(rows(seen)) == len({str(row) for row in rows(seen)})
    assert answer.ended == ("complete" if len(expected) < limit else "limit")
    assert answer.status == (STATUS | ({1: "some"} if limit == 1 else {})).get(number, "several")
    assert list(answer) == seen[:1]


def test_count(text, expected):
    counted = aspdoku.count(text)
    assert (counted.count, int(counted), counted.exact) == (len(expected), len(expected), True)
    two = aspdoku.count(text, limit=2)
    assert (two.count, two.exact) == (min(2, len(expected)), len(expected) < 2)


def test_unique(text, expected):
    decided = aspdoku.unique(text)
    assert decided.status == STATUS.get(len(expected), "several")
    assert bool(decided) == (len(expected) == 1)
    assert all(each in rows(expected) for each in rows(decided))


def test_candidates(text, expected):
    grid = aspdoku.candidates(text, count_to=1000)
    size = range(4)
    held = [[[solution[r][c] for solution in expected] for c in size] for r in size]
    possible = tuple(tuple(tuple(sorted(set(cell))) for cell in row) for row in held)
    assert grid.candidates == possible
    assert grid.forced == {
        (r + 1, c + 1): possible[r][c][0] for r in size for c in size if len(possible[r][c]) == 1
    }
    if expected:
        counts = grid.data.counts
        assert (counts.solutions, counts.exact) == (len(expected), True)
        assert counts.counts == tuple(
            tuple(tuple(held[r][c].count(number) for number in possible[r][c]) for c in size)
            for r in size
        )


def without(item, text):
    """The solutions of a puzzle without one of its parts."""
    givens, rules = oracle.read(text)
    if item.kind == "given":
        row, column = item.cell
        givens = [list(row) for row in givens]
        givens[row - 1][column - 1] = None
    elif item.kind == "clue":
        for fact in item.facts:
            text = text.replace(f"{fact}.\n", "")
        givens, rules = oracle.read(text)
    else:
        field = {"row": "rows", "column": "columns", "box": "boxes"}.get(item.name)
        removed = {field: False} if field else {"greater_than": ()}
        rules = replace(rules, **removed)
    return oracle.solutions(givens, rules, limit=2)


def test_redundant(text, expected):
    found = aspdoku.redundant(text)
    assert found.status == STATUS.get(len(expected), "several")
    assert bool(found.items) == (len(expected) == 1)
    kinds = [item.kind for item in found.items]
    givens = sum(cell is not None for row in oracle.read(text)[0] for cell in row)
    assert kinds.count("given") == (givens if len(expected) == 1 else 0)
    for item in found.items:
        assert item.needed == (without(item, text) != expected), item


def test_the_puzzles_have_no_one_and_several_solutions():
    numbers = {len(oracle.solutions(*oracle.read(text))) for text in PUZZLES.values()}
    assert {0, 1} < numbers


@pytest.mark.parametrize("jobs", [1, 2])
def test_batch_solves_each_line(jobs):
    lines = [
        "".join(str(cell or ".") for row in oracle.read_grid(text) for cell in row)
        for text in (BLANK, ONE, SEVERAL, PUZZLES["two equal givens"])
    ]
    statuses = ["several", "unique", "several", "none"]
    results = list(aspdoku.batch(lines, size=4, jobs=jobs))
    assert [result.status for result in results] == statuses
    (solution,) = oracle.solutions(*oracle.read(ONE))
    assert list(results[1].data.numbers) == [number for row in solution for number in row]


# ---- Errors and limits


def test_batch_rejects_a_single_string():
    with pytest.raises(TypeError, match="expected several lines"):
        aspdoku.batch("1" + "." * 15, size=4)
    with pytest.raises(aspdoku.PuzzleError, match="grid of 0 rows"):
        aspdoku.batch([], size=0)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (aspdoku.solve, "limit"),
        (aspdoku.count, "limit"),
        (aspdoku.candidates, "count_to"),
        (aspdoku.elaborate, "limit"),
    ],
)
def test_a_limit_is_not_negative(call, argument):
    with pytest.raises(aspdoku.AspdokuError, match="invalid limit -1"):
        call(ONE, **{argument: -1})


def test_the_solution_of_an_unsolvable_puzzle_is_an_error():
    answer = aspdoku.solve(PUZZLES["two equal givens"])
    assert answer.conflicts.givens == (((1, 1), (1, 2)),)
    with pytest.raises(aspdoku.NoSolutionError, match="no solution"):
        _ = answer.solution


SOON = {"time_limit": 1e-6}
LARGE = "." * 81


def test_results_after_the_time_limit():
    """The results so far are returned, marked as incomplete."""
    answer = aspdoku.solve(LARGE, **SOON)
    assert (answer.status, answer.ended, answer.solutions) == ("unknown", "time", ())
    with pytest.raises(aspdoku.TimeLimitError, match="before the time limit"):
        _ = answer.solution
    counted = aspdoku.count(LARGE, **SOON)
    assert (counted.count, counted.exact, str(counted)) == (0, False, "at least 0")
    decided = aspdoku.unique(LARGE, **SOON)
    assert (decided.status, bool(decided)) == ("unknown", False)
    grid = aspdoku.candidates(LARGE, **SOON)
    assert (grid.data.ended, grid.forced) == ("time", {})
    dependence = aspdoku.depends(LARGE, **SOON)
    assert (dependence.status, dependence.cells) == ("unknown", {})
    found = aspdoku.redundant(LARGE, **SOON)
    assert (found.status, found.items) == ("unknown", ())


def test_a_time_limit_that_is_not_reached_changes_nothing(text, expected):
    assert aspdoku.count(text, time_limit=60).count == len(expected)


@pytest.mark.parametrize("ask", [partial(aspdoku.solve, random=True), aspdoku.minimise])
def test_a_seed_is_not_negative(ask):
    with pytest.raises(aspdoku.AspdokuError, match="invalid seed -5"):
        ask("." * 16, seed=-5)


@pytest.mark.parametrize("limit", [math.inf, 1e30])
def test_a_time_limit_that_no_clock_reaches(limit):
    (result,) = aspdoku.batch(["1.....3..4..2..."], size=4, time_limit_each=limit)
    assert result.status == "unique"
    compared = aspdoku.compare("1.....3..4..2...", "findling", time_limit_each=limit)
    assert [row.status for row in compared.rows] == ["agrees"]


NUMBERS = {
    "solve": lambda value: aspdoku.solve(SEVERAL, limit=value),
    "count": lambda value: aspdoku.count(SEVERAL, limit=value),
    "candidates": lambda value: aspdoku.candidates(SEVERAL, count_to=value),
    "elaborate": lambda value: aspdoku.elaborate(SEVERAL, limit=value),
    "batch": lambda value: aspdoku.batch([SEVERAL], jobs=value),
    "generate": lambda value: aspdoku.generate(size=4, count=value),
    "givens": lambda value: aspdoku.generate(size=4, givens=value),
    "seed": lambda value: aspdoku.minimise(ONE, seed=value),
    "learn": lambda value: aspdoku.learn(questions=value),
    "constants": lambda value: aspdoku.compose(SEVERAL, constants=value),
    "convert": lambda value: aspdoku.convert(SEVERAL, value),
}


@in_one_test("name", NUMBERS)
def test_what_is_no_number_or_name_is_a_type_error(name):
    for value in (2.5, True, math.nan):
        with pytest.raises(TypeError, match="expected"):
            NUMBERS[name](value)


@pytest.mark.parametrize("name", ["solve", "count", "candidates", "elaborate"])
def test_a_limit_that_clingo_cannot_count_to_is_an_error(name):
    with pytest.raises(aspdoku.AspdokuError, match="invalid limit"):
        NUMBERS[name](2**63)


def test_the_summary_of_two_solutions_is_complete():
    assert repr(aspdoku.unique(SEVERAL)) == "<Uniqueness: several solutions>"
