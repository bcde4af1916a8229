"""Random solutions: their distribution, by chi-square tests with fixed seeds, and the command."""

import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache

import oracle
import pytest
from click.testing import CliRunner
from full_grids import all_sudokus_of_four
from rule_files import rule_file

import aspdoku
from aspdoku import Puzzle
from aspdoku.cli import cli
from aspdoku.counting import sampling
from aspdoku.counting.sampling import Sampler
from aspdoku.errors import AspdokuError, NoSolutionError, TimeLimitError
from aspdoku.program import compose

pytestmark = pytest.mark.versions

BLANK = [[None] * 4 for _ in range(4)]
GIVENS = [[1, None, None, None], [None] * 4, [None, None, 2, None], [None] * 4]
CASES = {
    "blank": (BLANK, oracle.CLASSIC, (), ()),
    "givens": (GIVENS, oracle.CLASSIC, (), ()),
    "anti-knight": (BLANK, oracle.Rules(boxes=False, anti_knight=True), ("anti-knight",), ("box",)),
}

fours = cache(lambda: list(all_sudokus_of_four()))


def chi_square(samples, solutions):
    """The statistic, and its degrees of freedom, of the samples if all solutions were equally
    likely.
    """
    counts = Counter(samples)
    assert counts.keys() <= set(solutions)
    expected = len(samples) / len(solutions)
    return (
        sum((counts[solution] - expected) ** 2 / expected for solution in solutions),
        len(solutions) - 1,
    )


def is_plausible(samples, solutions):
    """Whether the statistic is within 4 standard deviations of its mean under uniformity."""
    found, freedom = chi_square(samples, solutions)
    return abs(found - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize("case", CASES)
def test_solutions_are_equally_likely(case):
    givens, rules, with_, without = CASES[case]
    solutions = [tuple(map(tuple, grid)) for grid in oracle.solutions(givens, rules)]
    sampler = Sampler(compose(Puzzle.from_rows(givens), *with_, without=without), seed=1)
    assert (sampler.is_uniform, sampler.total, sampler.obstacle) == (True, len(solutions), "")
    samples = [sampler.draw().rows for _ in range(20 * len(solutions))]
    assert is_plausible(samples, solutions)


def test_the_test_of_uniformity_rejects_random_decisions_of_clingo(monkeypatch):
    monkeypatch.setattr(sampling, "_MOST_ENTRIES", 1)
    monkeypatch.setattr(sampling, "_ASSUMED", ())
    monkeypatch.setattr(Sampler, "_with_exchanged_numbers", lambda _, solution: solution)
    sampler = Sampler(compose(Puzzle.blank(4)), seed=1)
    assert (sampler.is_uniform, sampler.total) == (False, None)
    assert not is_plausible([sampler.draw().rows for _ in range(1000)], fours())


@pytest.mark.parametrize(
    ("size", "with_", "uniform"),
    [
        (6, (), True),
        (6, ("anti-knight",), True),
        (6, ("offset",), True),
        pytest.param(9, (), False, marks=pytest.mark.slow),
    ],
)
def test_samples_are_solutions(size, with_, uniform):
    sampler = Sampler(compose(Puzzle.blank(size), *with_), seed=1)
    assert sampler.is_uniform == uniform
    rules = oracle.Rules(anti_knight="anti-knight" in with_, offset="offset" in with_)
    drawn = [sampler.draw().rows for _ in range(20)]
    for grid in drawn:
        assert oracle.violations(grid, [[None] * size] * size, rules) == []
    assert len(set(drawn)) == 20


def test_a_table_that_takes_too_much_of_the_time_limit_is_given_up(monkeypatch):
    def too_late(*arguments):
        assert 0 < arguments[-1].seconds_left() < 30
        raise TimeLimitError

    monkeypatch.setattr(sampling.Completions, "of", too_late)
    sampler = Sampler(compose(Puzzle.blank(4)), seed=1, time_limit=60)
    assert not sampler.is_uniform
    assert sampler.draw().rows in fours()


CAGES = (
    "with: killer\n"
    + ". . . .\n" * 4
    + "[cage]\nA A . .\n. . . .\n. . . B\n. . . B\nA = 7\nB = 6\n"
)


@pytest.mark.slow
def test_all_solutions_are_drawn_if_they_are_not_equally_likely():
    givens, rules = oracle.read(CAGES)
    solutions = {tuple(map(tuple, grid)) for grid in oracle.solutions(givens, rules)}
    sampler = Sampler(compose(aspdoku.parse(CAGES)), seed=1)
    assert not sampler.is_uniform
    assert {sampler.draw().rows for _ in range(1000)} == solutions


def test_a_uniform_sample_has_the_shown_atoms_of_its_grid():
    rule = rule_file("even(R,C) :- a(R,C,N), N \\ 2 = 0. #show even/2.\n")
    sampler = Sampler(compose(Puzzle.blank(4), rule), seed=1)
    assert sampler.is_uniform
    solution = sampler.draw()
    assert {each.arguments for each in solution.shown} == {
        (row, column)
        for row, line in enumerate(solution.rows, 1)
        for column, number in enumerate(line, 1)
        if number % 2 == 0
    }


def test_shown_atoms_fit_to_their_grid_if_numbers_are_interchangeable():
    """Numbers are not exchanged afterwards: other atoms may depend on them."""
    rule = rule_file("top(N) :- a(1,1,N). :- a(1,1,N), not a(2,3,N). #show top/1.\n")
    sampler = Sampler(compose(Puzzle.blank(4), rule), seed=1)
    assert not sampler.is_uniform
    for _ in range(10):
        solution = sampler.draw()
        assert [each.arguments for each in solution.shown] == [(solution[1, 1],)]


def test_unused_cells_are_empty():
    """Two sudokus of 4x4 share a box; each of its 24 fillings is in equally many of them."""
    rows = ". . . . / /\n" * 2 + ". . . . . .\n" * 2 + "/ / . . . .\n" * 2
    facts = "[facts]\nboard(1,1,1,4,4). board(2,3,3,4,4).\n"
    text = f"numbers: 1-4\nwith: boards\nwithout: row, column\n{rows}{facts}"
    found = aspdoku.solve(text, random=True, seed=1, limit=5)
    assert found.sample == (1, True, 288 * 288 // 24)
    for solution in found.solutions:
        empty = [(r, c) for r, row in enumerate(solution.rows) for c, n in enumerate(row) if not n]
        assert empty == [(0, 4), (0, 5), (1, 4), (1, 5), (4, 0), (4, 1), (5, 0), (5, 1)]
        for first in (0, 2):
            board = [row[first : first + 4] for row in solution.rows[first : first + 4]]
            assert oracle.violations(board, BLANK, oracle.CLASSIC) == []


def test_no_solution():
    sampler = Sampler(compose(aspdoku.parse("11.. .... .... ....")), seed=1)
    with pytest.raises(NoSolutionError):
        sampler.draw()


# ---- The public function ----


def test_solve_draws_as_many_as_requested():
    found = aspdoku.solve(Puzzle.blank(4), random=True, seed=5, limit=3)
    assert (found.status, found.ended, len(found)) == ("several", "limit", 3)
    assert found.sample == (5, True, 288)
    assert str(found).endswith("\n3 random solutions of 288, all equally likely (seed 5)")
    again = aspdoku.solve(Puzzle.blank(4), random=True, seed=5, limit=3)
    assert again.solutions == found.solutions
    other = aspdoku.solve(Puzzle.blank(4), random=True, seed=6, limit=3)
    assert other.solutions != found.solutions


def test_a_new_seed_is_reported():
    found = aspdoku.solve(Puzzle.blank(4), random=True)
    again = aspdoku.solve(Puzzle.blank(4), random=True, seed=found.sample.seed)
    assert again.solutions == found.solutions


def test_a_remark_says_that_solutions_are_not_equally_likely():
    found = aspdoku.solve(CAGES, random=True, seed=1, limit=1)
    assert found.sample == (1, False, None)
    assert found.remarks == (
        "the random solutions are not equally likely: the rules require more than that cells"
        " differ",
    )


@pytest.mark.parametrize(
    ("text", "status", "total"),
    [(". 4 . . . . . 4 . . 2 . 1 . . .", "unique", 1), ("11" + "." * 14, "none", 0)],
)
def test_a_puzzle_without_a_choice(text, status, total):
    found = aspdoku.solve(text, random=True, seed=1)
    assert (found.status, found.ended, len(found)) == (status, "complete", total)
    assert found.sample == (1, True, total)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"random": True, "limit": 0}, AspdokuError, "limit"),
        ({"seed": 1}, AspdokuError, "random=True"),
    ],
)
def test_arguments_that_do_not_fit(arguments, error, words):
    with pytest.raises(error, match=words):
        aspdoku.solve(Puzzle.blank(4), **arguments)


@pytest.mark.parametrize(
    ("error", "ended", "words"),
    [
        (TimeLimitError, "time", "0 random solutions drawn before the time limit (seed 1)"),
        (KeyboardInterrupt, "interrupted", "0 random solutions drawn before the interruption"),
    ],
)
def test_a_limit_while_drawing(error, ended, words, monkeypatch):
    def stop(_):
        raise error

    monkeypatch.setattr(Sampler, "draw", stop)
    found = aspdoku.solve(Puzzle.blank(4), random=True, seed=1, interruptible=True)
    assert (found.ended, found.status, found.solutions) == (ended, "several", ())
    assert words in str(found)


# ---- The command ----


def test_the_command():
    drawn = CliRunner().invoke(
        cli, ["solve", "--random", "--seed", "1", "-n", "2", "-c", "n=4", "--format", "json"]
    )
    answer = json.loads(drawn.stdout)
    assert answer["random"] == {"seed": 1, "uniform": True, "total": 288}
    assert (answer["status"], answer["ended"], drawn.exit_code) == ("several", "limit", 0)
    assert all(oracle.violations(grid, BLANK, oracle.CLASSIC) == [] for grid in answer["solutions"])
    line = CliRunner().invoke(
        cli, ["solve", "--random", "--seed", "1", "-n", "2", "-c", "n=4", "--format", "line"]
    )
    assert line.stdout.split() == [
        "".join(str(number) for row in grid for number in row) for grid in answer["solutions"]
    ]
    assert line.stderr == ""


@pytest.mark.parametrize("arguments", [["--seed", "1"], ["--random", "-n", "0"]])
def test_options_that_do_not_fit(arguments):
    refused = CliRunner().invoke(cli, ["solve", "-c", "n=4", *arguments])
    assert refused.exit_code == 2
    assert "requires" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", "n=4"],
        pytest.param(["-c", "n=6", "--with", "anti-diagonal"], marks=pytest.mark.slow),
    ],
    ids=["table", "clingo"],
)
def test_a_seed_gives_the_same_solutions_in_another_process(arguments):
    command = [sys.executable, "-m", "aspdoku", "solve", "--random", "--seed", "3", "-n", "5"]
    printed = {
        subprocess.run(
            [*command, *arguments, "--format", "line"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1
    assert len(printed.pop().split()) == 5
