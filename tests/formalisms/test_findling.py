"""Findling's algorithm: its solutions, and its counters against an independent implementation and
the figures of the paper.
"""

import pytest
from in_one_test import in_one_test
from instance_files import FOLDER, SOLVED

import aspdoku
from aspdoku.errors import TimeLimitError
from aspdoku.formalisms.comparison import compare_formalisms, encoding_change
from aspdoku.formalisms.engine import Case
from aspdoku.formalisms.programs import Findling, published
from aspdoku.program import compose
from aspdoku.puzzle import Puzzle

pytestmark = pytest.mark.versions

# Puzzles with thousands of guesses.
SLOW = ("everest", "seventeen", "greater-than", "cages")


def run(puzzle, seconds=60):
    case = Case.of(compose(puzzle))
    return Findling().run(case, Findling().encode(case), seconds)


@pytest.mark.slow_cases("killer")
@pytest.mark.parametrize(
    ("file", "solution"),
    [
        pytest.param(
            *files, id=files[0].stem, marks=[pytest.mark.slow] if files[0].stem in SLOW else []
        )
        for files in SOLVED
        if not Case.of(compose(aspdoku.read(files[0]))).unsupported
    ],
)
def test_each_instance_is_solved(file, solution):
    outcome = run(aspdoku.read(file), 300)
    assert (outcome.grid, outcome.unique) == (aspdoku.read(solution).grid, True)


# 4x4 puzzles: grids that violate an elaboration are rejected.
FOURS = [
    ("11..\n....\n....\n....", "", (None, True)),
    ("1...\n.1..\n....\n....", "", (None, True)),
    (
        "1234\n3412\n2143\n4321",
        "",
        (((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1)), True),
    ),
    ("1234\n3412\n2143\n4321", "anti-knight", (None, True)),
    ("1234\n3421\n4312\n2143", "offset", (None, True)),
    ("1234\n3412\n2143\n4321\n\n[facts]\ngt(1,1,1,2).", "greater-than", (None, True)),
    ('1234\n3412\n2143\n4321\n\n[facts]\nchain(1,1,"A"). chain(2,3,"A").', "chain", (None, True)),
    ('1234\n3412\n2143\n4321\n\n[facts]\ncage(1,1,"A"). cage(2,3,"A").', "killer", (None, True)),
    (
        '1234\n3412\n2143\n4321\n\n[facts]\ncage(1,1,"A"). cage(1,2,"A"). cage_value("A",4).',
        "killer",
        (None, True),
    ),
    (
        '....\n3412\n2143\n4321\n\n[facts]\ncage(1,1,"A"). cage_value("A",2).',
        "killer",
        (None, True),
    ),
]


@pytest.mark.parametrize(("text", "name", "expected"), FOURS)
def test_elaborations_are_checked(text, name, expected):
    outcome = run(aspdoku.parse(text).replace(elaborations=(name,) if name else ()))
    assert (outcome.grid, outcome.unique) == expected


@pytest.mark.parametrize("name", ["", "anti-knight", "offset"])
def test_several_solutions(name):
    puzzle = Puzzle.blank(6).replace(elaborations=(name,) if name else ())
    (row,) = compare_formalisms(compose(puzzle), [Findling()], 60)
    assert (row.status, row.outcome.unique) == ("agrees", False)


# Counted by an independent implementation of the same algorithm.
COUNTERS = [
    ("escargot", "iterations 1476, logic 1396, guesses 86, backtracks 79"),
    ("blank", "iterations 260, logic 169, guesses 135, backtracks 90"),
]


@pytest.mark.parametrize(("name", "counters"), COUNTERS)
def test_the_counters_are_those_of_an_independent_implementation(name, counters):
    ours, papers = run(aspdoku.read(FOLDER / "csp" / f"{name}.txt")).notes
    assert ours == f"up to the first solution: {counters}"
    assert papers.startswith("figures in the paper: ")
    assert papers.endswith("no interpretation of its text that we tried reproduces them")


def test_an_easy_puzzle_takes_a_step_for_each_empty_cell_and_no_guess():
    puzzle = aspdoku.read(FOLDER / "owl" / "four.txt")
    empty = 16 - len(puzzle.givens())
    assert run(puzzle).notes == (
        f"up to the first solution: iterations {empty}, logic {empty}, guesses 0, backtracks 0",
    )


def test_the_first_rows_of_a_blank_grid_are_those_of_the_paper():
    grid = run(Puzzle.blank(9)).grid
    assert grid[:2] == ((1, 2, 3, 4, 5, 6, 7, 8, 9), (4, 5, 6, 7, 8, 9, 1, 2, 3))


ESCARGOT = {"iterations": 18530, "logic": 17836, "guesses": 1386, "backtracks": 1375}
PUBLISHED = [
    (aspdoku.read(FOLDER / "csp" / "escargot.txt"), ESCARGOT),
    (Puzzle.blank(9), {"guesses": 2289, "backtracks": 2230}),
    (Puzzle.blank(9).replace(elaborations=("anti-knight",)), {}),
    (Puzzle.blank(9, (1, 9)), {}),
    (Puzzle.blank(9).replace(without=("box",)), {}),
    (Puzzle.blank(4), {}),
    (aspdoku.read(FOLDER / "slides" / "classic.txt"), {}),
]


@pytest.mark.parametrize(("puzzle", "figures"), PUBLISHED)
def test_the_published_figures_of_a_puzzle(puzzle, figures):
    assert published(Case.of(compose(puzzle))) == figures


# Counted by hand: another size changes the start and the squares; without boxes there are no
# squares; an elaboration is a method and its call.
CHANGES = [
    (Puzzle.blank(9), (0, 0)),
    (Puzzle.blank(6), (2, 2)),
    (Puzzle.blank(16), (2, 2)),
    (Puzzle.blank(9).replace(without=("box",)), (3, 5)),
    (Puzzle.blank(9).replace(elaborations=("anti-knight",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("offset",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("greater-than",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("killer",)), (2, 1)),
    (Puzzle.blank(9).replace(elaborations=("anti-knight", "offset")), (3, 1)),
    (Puzzle.blank(9).replace(elaborations=("chain",), without=("box",)), (4, 5)),
]


@in_one_test(("puzzle", "counts"), CHANGES)
def test_numbers_of_added_and_removed_statements(puzzle, counts):
    made = encoding_change(Findling(), Case.of(compose(puzzle)))
    assert (len(made.added), len(made.removed)) == counts


@pytest.mark.slow
def test_thousands_of_guesses_reach_the_time_limit():
    with pytest.raises(TimeLimitError):
        run(aspdoku.read(FOLDER / "made" / "seventeen.txt"), 0.5)
