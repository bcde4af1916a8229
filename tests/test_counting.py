"""Counts without enumeration, against counts from the literature, plain Python and clingo."""

import json
from itertools import permutations, product
from random import Random

import pytest
from click.testing import CliRunner
from rule_files import rule_file
from rule_semantics import RULE_SEMANTICS

import aspdoku
from aspdoku import Puzzle, counting
from aspdoku.cli import cli
from aspdoku.counting import count_grids, differences
from aspdoku.deadline import Deadline
from aspdoku.engine import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.program import compose, library
from aspdoku.puzzle import Function

NO_LIMIT = Deadline(None)
BUNDLED = sorted(path.stem for path in (library.data_dir() / "elaborations").glob("*.lp"))
# Rules that only require cells to differ or to hold certain numbers, whatever the facts.
ACCEPTED = {
    "anti-king",
    "anti-knight",
    "box",
    "diagonal",
    "disjoint-groups",
    "even",
    "extra-region",
    "leaper",
    "odd",
    "offset",
    "pencilmarks",
    "taxicab",
    "windoku",
}


def by_table(program, most=1_000_000):
    required = differences(program)
    return required and count_grids(required, most, NO_LIMIT)


def enumerated(program):
    return Solver(program).search(0).count()


# Sources: OEIS A002860 (Latin squares), A107739 (sudoku of 4x4, 6x6, 8x8 …).
@pytest.mark.parametrize(
    ("size", "without", "known"),
    [
        (2, ("box",), 2),
        (3, ("box",), 12),
        (4, ("box",), 576),
        (5, ("box",), 161280),
        (6, ("box",), 812851200),
        (4, (), 288),
        (6, (), 28200960),
        pytest.param(7, ("box",), 61479419904000, marks=pytest.mark.slow),
    ],
)
def test_published_counts(size, without, known):
    assert by_table(compose(Puzzle.blank(size), without=without)) == known


def all_sudokus_of_four():
    rows = list(permutations(range(1, 5)))
    for grid in product(rows, repeat=4):
        columns = all(len(set(column)) == 4 for column in zip(*grid, strict=True))
        if columns and all(
            len({grid[r + i][c + j] for i in (0, 1) for j in (0, 1)}) == 4
            for r in (0, 2)
            for c in (0, 2)
        ):
            yield grid


@pytest.fixture(scope="module")
def fours():
    return list(all_sudokus_of_four())


@pytest.mark.parametrize("name", sorted(RULE_SEMANTICS))
def test_bundled_rules(name, fours):
    """The number of 4x4 grids that satisfy the rule as plain Python evaluates it, or no answer."""
    for seed in range(3):
        facts = RULE_SEMANTICS[name].example(Random(f"{name} {seed}"), 4)
        stated = [Function(each, values) for each, rows in facts.items() for values in rows]
        program = compose(Puzzle.blank(4).replace(facts=tuple(stated)), name)
        found = by_table(program)
        assert found is None or found == sum(
            RULE_SEMANTICS[name].holds(grid, facts) for grid in fours
        )
        if name in ACCEPTED:
            assert found is not None


@pytest.mark.parametrize("name", sorted(ACCEPTED))
def test_accepted_rules_are_bundled(name):
    assert name in BUNDLED


# Each requires more than that cells differ, or has several or no answer sets for a grid.
MORE = {
    "two numbers": ":- a(1,1,1), a(2,3,2).",
    "three cells": ":- a(1,1,1), a(2,3,1), a(3,2,1).",
    "an implication": ":- a(1,1,1), not a(2,3,1).",
    "a clause over cells and numbers": ":- not a(1,1,1), not a(2,3,2).",
    "a clause over some numbers": ":- not a(1,1,1), not a(1,1,2).",
    "a clause over some cells": ":- not a(1,1,1), not a(2,3,1).",
    "a number of one kind": ":- #count { R,C : a(R,C,1), R = C } != 1.",
    "a sum": ":- #sum { N,C : a(1,C,N), C < 3 } != 5.",
    "at most two": ":- 3 #count { R : a(R,R,1) }.",
    "through a predicate": "p(R,C) :- a(R,C,1). :- p(1,1), not p(2,3).",
    "recursion": "p(1,1). p(R,C+1) :- p(R,C), a(R,C+1,N), N > 1. :- p(1,3).",
    "a number by another": "a(2,3,1) :- a(1,1,1).",
    "no answer set": "p :- a(1,1,1), not p.",
    "no answer set, in a cycle": "p :- not q, a(1,1,1). q :- not r. r :- not p.",
    "two answer sets": "p :- not q. q :- not p.",
    "a choice": "{ p(1..3) }.",
    "a choice that matters": "{ p }. :- p, a(1,1,1). :- not p, a(1,1,2).",
    "a disjunction": "p ; q. :- p, a(1,1,1). :- q, a(1,1,2).",
    "unsatisfiable": ":- cell(1,1).",
}
# These only require that cells differ, or forbid numbers.
NO_MORE = {
    "a cell twice": "{ a(1,1,N) : number(N) }.",
    "a pair": ":- a(1,1,N), a(2,3,N).",
    "a pair for one number": ":- a(1,1,1), a(2,3,1).",
    "pairs for two numbers": ":- a(1,1,N), a(2,3,N), N < 3.",
    "a group": ":- number(N), 2 #count { R : a(R,5-R,N) }.",
    "a forbidden number": ":- a(1,1,1).",
    "all numbers but one": ":- a(1,1,N), N != 3.",
    "through a predicate": "r(2). q(X) :- number(X), not r(X). :- a(1,1,N), a(2,3,N), q(N).",
    "the same twice": ":- a(1,1,N), a(2,3,N). :- a(2,3,N), a(1,1,N).",
}


@pytest.mark.parametrize("name", MORE)
def test_rules_that_require_more_are_not_accepted(name):
    program = compose(Puzzle.blank(4), rule_file(MORE[name] + "\n"))
    assert differences(program) is None


@pytest.mark.parametrize("name", NO_MORE)
def test_rules_that_require_no_more(name):
    program = compose(Puzzle.blank(4), rule_file(NO_MORE[name] + "\n"))
    assert by_table(program) == enumerated(program)


@pytest.mark.parametrize("seed", range(12))
def test_random_differences(seed):
    """Pairs of cells that differ, for all numbers or for one; forbidden numbers; givens."""
    rng = Random(seed)
    lines = []
    for _ in range(rng.randint(0, 6)):
        (r, c), (r1, c1) = (tuple(rng.choices(range(1, 5), k=2)) for _ in "ab")
        if (r, c) != (r1, c1):
            number = rng.choice(["N", "N", "1", "3"])
            lines.append(f":- a({r},{c},{number}), a({r1},{c1},{number}).")
    forbidden = [rng.choices(range(1, 5), k=3) for _ in range(rng.randint(0, 5))]
    lines += [f":- a({r},{c},{n})." for r, c, n in forbidden]
    grid = [[None] * 4 for _ in range(4)]
    for _ in range(rng.randint(0, 2)):
        grid[rng.randrange(4)][rng.randrange(4)] = rng.randint(1, 4)
    puzzle = Puzzle(tuple(map(tuple, grid)))
    program = compose(
        puzzle, rule_file("\n".join([*lines, ""])), without=rng.choice([(), ("row",)])
    )
    assert by_table(program) == enumerated(program), program.text


@pytest.mark.parametrize(
    ("text", "with_"),
    [
        ("numbers: 0-3\n. . . .\n. 0 . .\n. . . .\n. . . 3\n", ()),
        ("numbers: 1-5\n. . . .\n. 1 . .\n. . . .\n. . . 5\n", ()),
        ("1 . . .\n. . 1 .\n. . . .\n. . . .\n", ()),
        ("1 1 . .\n. . . .\n. . . .\n. . . .\n", ()),
        ("1 2 3 4 5 6\n" + ". . . . . .\n" * 5, ("anti-knight",)),
    ],
)
def test_puzzles(text, with_):
    program = compose(aspdoku.parse(text), *with_)
    found = by_table(program)
    assert found in (None, enumerated(program))
    assert found is not None or "1-5" in text


def test_a_table_that_becomes_too_large_is_given_up():
    program = compose(Puzzle.blank(6))
    assert by_table(program, 100) is None


def test_the_time_limit_ends_a_table():
    required = differences(compose(Puzzle.blank(9)))
    with pytest.raises(TimeLimitError):
        count_grids(required, 10**9, Deadline(0.2))


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


def test_tables_that_are_given_up_leave_it_to_enumeration(monkeypatch):
    monkeypatch.setattr(counting, "_ATTEMPTS", ((10, 1), (100, 1)))
    counted = aspdoku.count(Puzzle.blank(4))
    assert (counted.count, counted.exact, counted.method) == (288, True, "enumeration")


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
