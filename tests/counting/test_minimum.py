"""The least number of givens, against all subsets of cells of all 4x4 grids in plain Python."""

from collections import Counter
from functools import cache
from itertools import combinations, compress, permutations, product
from operator import itemgetter
from random import Random

import pytest
from full_grids import all_sudokus_of_four
from random_rules import random_file, satisfied_by, text
from rule_files import rule_file
from rule_semantics import RULE_SEMANTICS
from sampling import one_in

import aspdoku
from aspdoku import Puzzle
from aspdoku.counting import minimum as search
from aspdoku.counting.symmetry import cell_symmetries
from aspdoku.program import compose
from aspdoku.puzzle import Function

sudokus = cache(lambda: list(all_sudokus_of_four()))


@cache
def latin_squares():
    rows = permutations(range(1, 5))
    return [
        grid
        for grid in product(list(rows), repeat=4)
        if all(len(set(column)) == 4 for column in zip(*grid, strict=True))
    ]


def flat(grids):
    return [sum(grid, ()) for grid in grids]


def least_givens(grids):
    """The least size of a set of cells whose numbers are those of one grid only."""
    flattened = flat(grids)
    for size in range(17):
        for cells in combinations(range(16), size):
            seen = Counter(tuple(grid[cell] for cell in cells) for grid in flattened)
            if 1 in seen.values():
                return size
    return None


def matching(grids, puzzle):
    givens = puzzle.givens()
    return [grid for grid in grids if all(grid[r - 1][c - 1] == n for (r, c), n in givens.items())]


def assert_minimum(found, grids):
    assert found.solutions == len(grids)
    if not grids:
        assert (found.puzzle, found.status, found.exact) == (None, "none", False)
        return
    least = least_givens(grids)
    assert (found.least, found.most, found.exact, found.ended) == (least, least, True, "complete")
    assert len(matching(grids, found.puzzle)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "grids"), [((), sudokus), (("box",), latin_squares)], ids=["sudoku", "Latin"]
)
def test_default_rules(without, grids):
    found = aspdoku.fewest("." * 16, without=without)
    assert_minimum(found, grids())
    assert found.classes == 2  # known: two sudokus, and two main classes of Latin squares


@pytest.mark.parametrize("name", one_in(16, sorted(RULE_SEMANTICS)))
def test_rules_with_clues(name):
    program, grids = program_of(name)
    assert_minimum(aspdoku.fewest(program), grids)


def program_of(name):
    facts = RULE_SEMANTICS[name].example(Random(f"{name} minimum"), 4)
    stated = [Function(each, values) for each, rows in facts.items() for values in rows]
    program = compose(Puzzle.blank(4).replace(facts=tuple(stated)), name)
    return program, [grid for grid in sudokus() if RULE_SEMANTICS[name].holds(grid, facts)]


@pytest.mark.parametrize("seed", one_in(40, range(40)))
def test_random_rules(seed):
    """A random rule, and a random one about pairs of cells, which often has symmetries."""
    rng = Random(seed)
    file = random_file(rng, rng.sample(sudokus(), 12))
    row, column = rng.sample(["R", "C", "5-R", "5-C"], 2)
    total = rng.randint(2, 8)

    def holds(grid):
        cells = product(range(1, 5), repeat=2)
        return all(grid[r - 1][c - 1] + moved(grid, r, c) != total for r, c in cells)

    def moved(grid, r, c):
        value = {"R": r, "C": c, "5-R": 5 - r, "5-C": 5 - c}
        return grid[value[row] - 1][value[column] - 1]

    pairs = f":- a(R,C,N), a({row},{column},M), N+M = {total}."
    for rules, grids in (
        (pairs, [grid for grid in sudokus() if holds(grid)]),
        (text(file, rng), list(compress(sudokus(), satisfied_by(file, sudokus())))),
    ):
        program = compose(Puzzle.blank(4), rule_file(rules))
        assert_symmetries(program, grids)
        assert_minimum(aspdoku.fewest(program), grids)


@pytest.mark.parametrize("givens", ["1" + "." * 15, "12.. .... ..1. ....", "1... .2.. .... ...3"])
def test_givens_are_kept(givens):
    puzzle = aspdoku.parse(givens)
    found = aspdoku.fewest(puzzle)
    assert found.puzzle.givens().items() >= puzzle.givens().items()
    grids = matching(sudokus(), puzzle)
    assert found.solutions == len(grids)
    assert found.least == found.most == len(puzzle.givens()) + least_givens(grids)
    assert len(matching(sudokus(), found.puzzle)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "without", "least", "classes"),
    [(5, "box", 6, 2), (6, (), 8, 49)],
    ids=["Latin squares of 5", "sudokus of 6"],
)
def test_published_values(size, without, least, classes):
    """Least critical sets of Latin squares, n²/4 for small n; 6x6 sudoku: 8 givens, 49 grids."""
    found = aspdoku.fewest(Puzzle.blank(size), without=without)
    assert (found.least, found.most, found.classes) == (least, least, classes)
    assert aspdoku.unique(found.puzzle)


@pytest.mark.parametrize("name", one_in(8, sorted(RULE_SEMANTICS)))
def test_symmetries_of_cells_map_solutions_to_solutions(name):
    assert_symmetries(*program_of(name))


def assert_symmetries(program, grids):
    expected = set(flat(grids))
    for move in cell_symmetries(program):
        assert sorted(move) == list(range(16))
        assert {itemgetter(*move)(grid) for grid in expected} == expected


@pytest.mark.parametrize(
    ("with_", "orbit"), [([], 16), (["diagonal"], 8), (["even"], 1)], ids=["", "X", "even"]
)
def test_symmetries_of_cells_that_are_found(with_, orbit):
    """How many cells the corner can be mapped to: all; if diagonals count, those on them; none if
    it alone is even.
    """
    facts = ["even(1,1)."] if "even" in with_ else []
    moves = cell_symmetries(aspdoku.compose("." * 16, *with_, facts=facts))
    reached, waiting = {0}, [0]
    while waiting:
        cell = waiting.pop()
        new = {move[cell] for move in moves} - reached
        reached |= new
        waiting += new
    assert len(reached) == orbit


@pytest.mark.slow
def test_bounds_are_proved_if_the_time_ends():
    """Of 9x9 sudokus at least 8 numbers have to be given; their least number of givens is 17."""
    found = aspdoku.fewest("." * 81, time_limit=2)
    assert (found.least, found.solutions, found.classes, found.ended) == (8, None, None, "time")
    assert not found.exact
    assert found.most is None or found.most >= 17
    assert "the minimum is not known: the time limit was reached" in found.summary()


def test_too_many_solutions(monkeypatch):
    monkeypatch.setattr(search, "_MOST_GRIDS", 5)
    found = aspdoku.fewest("." * 16)
    assert (found.ended, found.least, found.exact, found.solutions) == ("limit", 3, False, None)
    assert "too many solutions" in found.summary()
    assert aspdoku.unique(found.puzzle)


def test_bounds_while_grids_are_refuted(monkeypatch):
    """The lower bound is the last one for which all grids were refuted."""
    refute, calls = search.MinimumSearch._determining, []

    def interrupted(self, grid, known):
        calls.append(grid)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return refute(self, grid, known)

    monkeypatch.setattr(search.MinimumSearch, "_determining", interrupted)
    monkeypatch.setattr(search.MinimumSearch, "_improve", lambda *_: None)
    found = aspdoku.fewest("." * 16, interruptible=True)
    assert (found.least, found.refuted, found.classes, found.ended) == (3, 1, 2, "interrupted")
    assert (found.most, found.exact) == (None, False)


def test_one_given_at_least_if_there_are_several_solutions(monkeypatch):
    """Also where no numbers can be exchanged, from which other bounds follow."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(search.MinimumSearch, "_determining", interrupted)
    found = aspdoku.fewest("." * 16, with_="top-bottom", interruptible=True)
    assert (found.solutions, found.least, found.refuted) == (74, 1, 0)
