"""Counts by tables, against counts from the literature, plain Python and clingo."""

from importlib.util import find_spec
from math import factorial
from random import Random

import pytest
from full_grids import all_sudokus_of_four
from in_one_test import in_one_test
from rule_files import rule_file
from rule_semantics import RULE_SEMANTICS
from sampling import one_in

import aspdoku
from aspdoku import Puzzle
from aspdoku.counting.table import Completions, Differences, count_grids, differences
from aspdoku.engine import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.program import compose, library
from aspdoku.puzzle import Function
from aspdoku.runtime.deadline import Deadline

pytestmark = pytest.mark.versions

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


NO_NUMPY = "numpy is not installed"
MEMORY = 4 * 10**9
needs_numpy = pytest.mark.skipif(find_spec("numpy") is None, reason=NO_NUMPY)


def in_arrays(required, most=10**9, memory=MEMORY, deadline=NO_LIMIT):
    arrays = pytest.importorskip("aspdoku.counting.arrays", reason=NO_NUMPY)
    return arrays.count_grids_in_arrays(required, most, memory, deadline)


def by_table(program, most=1_000_000):
    """The count in Python's integers, and in arrays if numpy is installed, also with partial grids
    that are alike as one.
    """
    required = differences(program)
    found = required and count_grids(required, most, NO_LIMIT)
    if required and find_spec("numpy"):
        assert in_arrays(required, most) == found
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("aspdoku.counting.arrays._FEW", 0)
            assert in_arrays(required, most) == found
    return found


def enumerated(program):
    return Solver(program).search(0).count()


# Sources: OEIS A002860 (Latin squares), A107739 (sudoku of 4x4); for 6x6 and 8x8 the article
# "Mathematics of Sudoku" of Wikipedia.
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


def test_the_order_of_the_search_changes_no_count():
    rule = rule_file("#heuristic a(R,C,N) : cell(R,C), number(N). [N,true]\n")
    assert by_table(compose(Puzzle.blank(4), rule)) == 288


@needs_numpy
def test_the_published_count_of_8x8():
    assert in_arrays(differences(compose(Puzzle.blank(8)))) == 29136487207403520


@needs_numpy
@pytest.mark.slow
def test_the_published_count_of_9x9():
    assert in_arrays(differences(compose(Puzzle.blank(9)))) == 6670903752021072936960


# By enumeration with the first row fixed, times 8!.
@needs_numpy
@pytest.mark.slow
def test_8x8_with_anti_knight():
    assert in_arrays(differences(compose(Puzzle.blank(8), "anti-knight"))) == 8435468160


@pytest.mark.parametrize("size", [5, 6, 9])
def test_counts_beyond_64_bits(size):
    """Every row is a permutation, or every cell any number."""
    blank = Puzzle.blank(size)
    rows = compose(blank, without=("box", "column"))
    assert by_table(rows) == factorial(size) ** size
    cells = compose(blank, without=("box", "row", "column"))
    assert by_table(cells) == size ** (size * size)


def test_9x9_whose_masks_do_not_fit_into_a_word():
    program = compose(Puzzle.blank(9), "anti-knight", "anti-king")
    required = differences(program)
    assert required.cells == 81
    first_rows = "1 2 3 4 5 6 7 8 9\n" + ". . . . . . . . .\n" * 8
    one_in_all = enumerated(compose(aspdoku.parse(first_rows), "anti-knight", "anti-king"))
    assert by_table(program) == one_in_all * factorial(9) == 1451520


@needs_numpy
@pytest.mark.parametrize("hashes", ["all equal", "few"])
def test_collisions_of_hashes_change_no_count(hashes, monkeypatch):
    from aspdoku.counting import arrays

    few = {"all equal": 1, "few": 3}[hashes]
    monkeypatch.setattr(arrays, "_hashes", lambda masks: masks.sum(axis=0) % few)
    assert in_arrays(differences(compose(Puzzle.blank(4)))) == 288


@needs_numpy
def test_runs_that_are_merged(monkeypatch):
    from aspdoku.counting import arrays

    monkeypatch.setattr(arrays, "_CHUNK", 16)
    monkeypatch.setattr(arrays, "_RUN", 64)
    assert in_arrays(differences(compose(Puzzle.blank(6)))) == 28200960


@needs_numpy
def test_cells_that_allow_too_many_different_numbers_for_a_mask():
    numbers, cells = 9, 64
    allowed = tuple(
        sum((cell >> number & 1) << cell for cell in range(cells)) for number in range(numbers)
    )
    none = ((0,) * cells,) * numbers
    required = Differences(allowed, none, cells, tuple(range(cells)), ())
    assert in_arrays(required) is None
    assert count_grids(required, 100, NO_LIMIT) == 0  # the first cell allows none


@pytest.fixture(scope="module")
def fours():
    return list(all_sudokus_of_four())


@pytest.mark.slow_cases("reachable")
@pytest.mark.parametrize("name", one_in(4, sorted(RULE_SEMANTICS)))
def test_bundled_rules(name, fours):
    """The number of 4x4 grids that satisfy the rule as plain Python evaluates it, or no answer."""
    for seed in range(2):
        facts = RULE_SEMANTICS[name].example(Random(f"{name} {seed}"), 4)
        stated = [Function(each, values) for each, rows in facts.items() for values in rows]
        program = compose(Puzzle.blank(4).replace(facts=tuple(stated)), name)
        found = by_table(program)
        assert found is None or found == sum(
            RULE_SEMANTICS[name].holds(grid, facts) for grid in fours
        )
        if name in ACCEPTED:
            assert found is not None


@in_one_test("name", sorted(ACCEPTED))
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
    "no answer set": "p :- a(1,1,1), not p.",
    "no answer set, in a cycle": "p :- not q, a(1,1,1). q :- not r. r :- not p.",
    "two answer sets": "p :- not q. q :- not p.",
    "a choice": "{ p(1..3) }.",
    "a choice that matters": "{ p }. :- p, a(1,1,1). :- not p, a(1,1,2).",
    "a disjunction": "p ; q. :- p, a(1,1,1). :- q, a(1,1,2).",
    "unsatisfiable": ":- cell(1,1).",
    "a sum of what is not": ":- #count { R : not a(R,R,1), row(R) } < 2.",
    "a sum in one cell": ":- #count { N : not a(1,1,N), number(N), N > 2 } < 2.",
    "an atom twice in a sum": ":- 2 #count { 1 : a(1,1,1); 2 : a(1,1,1); 3 : a(2,3,1) }.",
    "an atom twice, for every number": (
        ":- number(N), 2 #count { 1 : a(1,1,N); 2 : a(1,1,N); 3 : a(2,3,N) }."
    ),
    "an atom as condition and element": ":- a(1,1,1), 1 { a(1,1,1); a(2,3,1) }.",
}
# These only require that cells differ, or forbid numbers.
NO_MORE = {
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


def test_givens_on_a_board_do_not_exclude_unused_cells():
    """A board of 4x3, and single cells that hold any number."""
    singles = "".join(f"board(s{k},5,{k},1,1)." for k in range(1, 5))
    rows = "2 . . . .\n. . . . .\n. . . . .\n. . 2 . .\n. . . . .\n"
    program = aspdoku.compose(
        "with: boards\nwithout: row, column\nnumbers: 1-4\n"
        f"{rows}[facts]\nboard(x,1,1,4,3). {singles}"
    )
    assert by_table(program) == aspdoku.count(program).count == 48 * 4**4
    assert len(aspdoku.solve(program, limit=0).solutions) == 48 * 4**4


def test_a_table_that_becomes_too_large_is_given_up():
    program = compose(Puzzle.blank(6))
    assert by_table(program, 10) is None


# The columns of a stack in any order, and the stacks; without boxes all columns.
@needs_numpy
@pytest.mark.parametrize(
    ("size", "without", "cells", "known"),
    [
        (9, (), 27, factorial(3) ** 4),
        (6, (), 12, factorial(3) ** 2 * 2),
        (8, (), 16, factorial(4) ** 2 * 2),
        (5, ("box",), 10, factorial(5)),
    ],
)
def test_permutations_of_the_cells_to_come(size, without, cells, known):
    from aspdoku.counting import arrays, orbits

    required = differences(compose(Puzzle.blank(size), without=without))
    order, classes = required.classes()
    _, _, groups = arrays._plan(required, order, classes)
    found = orbits.Orbits(required, order, classes, groups)
    assert found.at_peak(cells - 1) == known


@needs_numpy
def test_partial_grids_that_are_alike_are_one(monkeypatch):
    required = differences(compose(Puzzle.blank(6)))
    assert in_arrays(required, 100) is None
    monkeypatch.setattr("aspdoku.counting.arrays._FEW", 0)
    assert in_arrays(required, 100) == 28200960


def test_a_table_for_drawing_is_given_up_early():
    assert Completions.of(differences(compose(Puzzle.blank(9))), 10**9, 15_000, NO_LIMIT) is None


@needs_numpy
def test_partial_grids_without_a_number_for_a_cell_are_left_out():
    """A 17-clue puzzle less one given, counted by clingo; there are 282,790 with them."""
    sixteen = "000100045050060000000700020000080300402000000700000000090002800000400000000000000"
    assert in_arrays(differences(compose(aspdoku.parse(sixteen))), 100_000) == 423228


@needs_numpy
def test_arrays_that_need_too_much_memory_are_given_up():
    required = differences(compose(Puzzle.blank(6)))
    assert in_arrays(required, memory=100_000) is None
    assert in_arrays(required, memory=1_000_000) == 28200960


def test_the_time_limit_ends_a_table():
    required = differences(compose(Puzzle.blank(9)))
    with pytest.raises(TimeLimitError):
        count_grids(required, 10**9, Deadline(0.2))
    if find_spec("numpy"):
        with pytest.raises(TimeLimitError):
            in_arrays(required, deadline=Deadline(0.2))


@pytest.mark.parametrize("left_out", [0, 10, 20])
def test_givens(left_out):
    """A puzzle with one solution, with one given less."""
    puzzle = aspdoku.read("example:escargot")
    rows = [list(row) for row in puzzle.grid]
    row, column = sorted(puzzle.givens())[left_out]
    rows[row - 1][column - 1] = None
    program = compose(puzzle.replace(grid=tuple(map(tuple, rows))))
    assert by_table(program) == enumerated(program) > 1
