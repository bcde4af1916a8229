"""Interchangeable numbers, against all 4x4 grids in plain Python."""

from functools import cache
from itertools import combinations
from random import Random

import pytest
from full_grids import all_sudokus_of_four
from random_rules import random_file, satisfied_by, text
from rule_files import rule_file
from rule_semantics import RULE_SEMANTICS
from sampling import one_in

import aspdoku
from aspdoku import Puzzle
from aspdoku.counting.symmetry import number_symmetry
from aspdoku.engine import Solver
from aspdoku.program import compose
from aspdoku.puzzle import Function

pytestmark = pytest.mark.versions

fours = cache(lambda: list(all_sudokus_of_four()))

ALL = ((1, 2, 3, 4),)
CLASSES = {
    "": ALL,
    ":- a(1,1,N), a(2,3,N).": ALL,
    ":- number(N), 2 #count { R : a(R,5-R,N) }.": ALL,
    ":- a(1,1,1).": ((2, 3, 4),),
    ":- a(1,1,1), a(2,3,2).": ((3, 4),),
    ":- a(1,1,N), a(2,3,N), N < 3.": ((1, 2), (3, 4)),
    ":- a(R,C,N), R = C, N \\ 2 = 0.": ((1, 3), (2, 4)),
    ":- a(1,1,N), a(2,3,M), N < M.": (),
    ":- a(1,1,N), a(2,3,M), |N-M| = 1.": (),
    ":- #sum { N,C : a(1,C,N), C < 3 } != 5.": (),
    ":- 3 #sum { 1,x : a(1,1,1); 1,y : a(1,1,1); 1,z : a(2,3,(1;2)); 2,x : a(1,1,2) }.": (
        (1, 2),
        (3, 4),
    ),
    # Through defined atoms, which are compared by their definitions.
    "p(R,C) :- a(R,C,1). :- p(1,1), p(2,3).": ((2, 3, 4),),
    "p(N) :- a(1,1,N). :- p(N), a(2,3,N).": ALL,
    "p(N) :- a(1,1,N). :- p(1).": ((2, 3, 4),),
    "p :- a(1,1,1). p :- a(1,1,2). q :- not p. :- q, a(2,2,3).": ((1, 2),),
    # Atoms that depend on each other, and other choices.
    "p(1,1). p(R,C+1) :- p(R,C), a(R,C+1,N). p(R,C) :- p(R,C+1), C > 0. :- p(1,3).": (),
    "{ p }. :- p, a(1,1,1).": (),
}


@pytest.mark.parametrize("rule", CLASSES)
def test_classes(rule):
    program = compose(Puzzle.blank(4), rule_file(f"{rule}\n"), force=True)
    assert number_symmetry(program).classes == CLASSES[rule]


def test_givens_are_not_interchangeable():
    program = compose(aspdoku.parse("1... .... ..2. ...."))
    assert number_symmetry(program).classes == ((3, 4),)
    program = compose(aspdoku.parse("1... .... ..2. ..3."))
    assert number_symmetry(program).factor == 1


@pytest.mark.parametrize(
    ("without", "cells"),
    [
        ((), [(1, 1), (1, 2), (1, 3), (1, 4)]),
        (("row",), [(1, 1), (1, 2), (2, 1), (2, 2)]),
        (("row", "box"), [(1, 1), (2, 1), (3, 1), (4, 1)]),
        (("row", "column", "box"), []),
    ],
)
def test_the_house_whose_numbers_are_ordered(without, cells):
    """Cells among which each number occurs exactly once; without any, nothing can be ordered."""
    found = number_symmetry(compose(Puzzle.blank(4), without=without))
    assert found.classes == ALL
    assert list(found.house) == cells
    assert found.factor == (24 if cells else 1)


def program_of(name, seed):
    facts = RULE_SEMANTICS[name].example(Random(f"{name} {seed}"), 4)
    stated = [Function(each, values) for each, rows in facts.items() for values in rows]
    program = compose(Puzzle.blank(4).replace(facts=tuple(stated)), name)
    return program, {grid for grid in fours() if RULE_SEMANTICS[name].holds(grid, facts)}


def assert_no_false_symmetry(found, grids):
    for one, other in (pair for numbers in found.classes for pair in combinations(numbers, 2)):
        swap = {one: other, other: one}
        assert grids == {
            tuple(tuple(swap.get(number, number) for number in row) for row in grid)
            for grid in grids
        }


def counted(program, found):
    solver = Solver(program, extra_program=found.ordering())
    return solver.search(0).count() * found.factor


@pytest.mark.parametrize("name", one_in(8, sorted(RULE_SEMANTICS)))
def test_bundled_rules(name):
    """Exchanges of claimed symmetries map solutions to solutions, and the counts are right."""
    for seed in range(2):
        program, grids = program_of(name, seed)
        found = number_symmetry(program)
        assert_no_false_symmetry(found, grids)
        assert counted(program, found) == len(grids)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 45))]
)
def test_random_rules(seed):
    rng = Random(seed)
    file = random_file(rng, rng.sample(fours(), 12))
    program = compose(Puzzle.blank(4), rule_file(text(file, rng)))
    kept = satisfied_by(file, fours())
    grids = {grid for grid, keeps in zip(fours(), kept, strict=True) if keeps}
    found = number_symmetry(program)
    assert_no_false_symmetry(found, grids)
    assert counted(program, found) == len(grids)


@pytest.mark.parametrize("seed", range(4))
def test_random_givens(seed):
    rng = Random(seed)
    grid = rng.choice(fours())
    kept = [[number if rng.random() < 0.15 else 0 for number in row] for row in grid]
    program = compose(Puzzle.from_rows(kept), without=rng.choice([(), ("row",), ("column",)]))
    found = number_symmetry(program)
    assert counted(program, found) == Solver(program).search(0).count()
