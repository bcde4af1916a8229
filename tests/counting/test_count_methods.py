"""Which method counts, its bounds and limits, and how the answer names it."""

import json
from math import factorial

import pytest
from click.testing import CliRunner

import aspdoku
from aspdoku import Puzzle, counting
from aspdoku.cli import cli
from aspdoku.errors import TimeLimitError

pytestmark = pytest.mark.versions


@pytest.fixture
def ends_early(monkeypatch):
    """Any enumeration ends after 2000 solutions, as at a time limit."""
    enumerate_ = counting._enumerate
    monkeypatch.setattr(
        counting,
        "_enumerate",
        lambda solver, limit, interruptible: enumerate_(
            solver, min(limit, 2000) or 2000, interruptible
        ),
    )


def test_count_says_how_it_counted():
    counted = aspdoku.count(Puzzle.blank(6))
    assert (counted.count, counted.exact, counted.method) == (28200960, True, "table")
    assert aspdoku.count(Puzzle.blank(4)).method == "enumeration"
    assert aspdoku.count(Puzzle.blank(6), limit=2000).method == "enumeration"


def test_a_limit_during_a_table_leaves_a_lower_bound(monkeypatch):
    def too_late(*_):
        raise TimeLimitError

    monkeypatch.setattr(counting, "count_grids", too_late)
    counted = aspdoku.count(Puzzle.blank(6), time_limit=60)
    assert (counted.count, counted.exact, counted.outcome.ended) == (1000, False, "time")


def test_an_interrupted_table_leaves_a_lower_bound(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(counting, "count_grids", interrupt)
    assert str(aspdoku.count(Puzzle.blank(6), interruptible=True)) == "at least 1000"
    with pytest.raises(KeyboardInterrupt):
        aspdoku.count(Puzzle.blank(6))


def test_tables_that_are_given_up_leave_it_to_other_methods(monkeypatch):
    monkeypatch.setattr(counting, "_ATTEMPTS", ((10, 1), (100, 1)))
    monkeypatch.setattr(counting, "_ATTEMPTS_WITH_ARRAYS", ((10, 1), (100, 1)))
    counted = aspdoku.count(Puzzle.blank(4))
    assert (counted.count, counted.exact, counted.method) == (288, True, "symmetry")


def test_symmetry_counts_where_no_table_does(monkeypatch):
    """The published count of 6x6, as if it could not be counted by a table."""
    monkeypatch.setattr(counting, "differences", lambda *_: None)
    counted = aspdoku.count(Puzzle.blank(6))
    assert (counted.count, counted.exact, counted.method) == (28200960, True, "symmetry")
    assert str(counted) == "28200960 (counted up to exchanges of numbers)"


@pytest.mark.usefixtures("ends_early")
def test_symmetry_at_a_limit(monkeypatch):
    """A lower bound: what was found, each with all orders of the numbers."""
    monkeypatch.setattr(counting, "differences", lambda *_: None)
    counted = aspdoku.count(Puzzle.blank(9))
    assert (counted.exact, counted.method) == (False, "symmetry")
    assert counted.count == 2000 * factorial(9)
    assert str(counted).startswith(f"at least {2000 * factorial(9)} ")


@pytest.mark.usefixtures("ends_early")
def test_without_numpy(monkeypatch):
    """Python's integers count the same; if they do not suffice, a remark names the package."""
    monkeypatch.setattr(counting, "find_spec", lambda _: None)
    exact = aspdoku.count(Puzzle.blank(6))
    assert (exact.count, exact.remarks) == (28200960, ())
    monkeypatch.setattr(counting, "count_grids", lambda *_: None)
    counted = aspdoku.count(Puzzle.blank(9))
    assert (counted.exact, counted.remarks) == (False, (counting.TOO_LARGE,))
    assert "pip install 'aspdoku[count]'" in counting.TOO_LARGE


def test_memory_bounds_a_table(monkeypatch):
    monkeypatch.setattr(counting, "memory_limit", lambda: 100_000)
    assert aspdoku.count(Puzzle.blank(6)).method == "symmetry"


def test_the_command():
    done = CliRunner().invoke(cli, ["count", "-c", "n=6"])
    assert (done.exit_code, done.stdout) == (0, "28200960 (counted by a table)\n")
    done = CliRunner().invoke(cli, ["count", "-c", "n=6", "--format", "json"])
    assert json.loads(done.stdout) == {
        "schema": "aspdoku/count/1",
        "count": 28200960,
        "exact": True,
        "ended": "complete",
        "method": "table",
    }
