"""Completed puzzles: plain clingo tries every single given and clue on its own."""

from itertools import product
from pathlib import Path

import clingo
import pytest

import aspdoku
from aspdoku.errors import PuzzleError, TimeLimitError
from aspdoku.generation import completion

INSTANCES = Path(__file__).parents[2] / "instances"
SIGNS = (
    "with: greater-than\n. 2 . .\n. . . .\n. . . 1\n. . . .\n[facts]\ngt(1,2,1,1). gt(1,4,2,4).\n"
)
DOTS = "with: white-dots\n. . . .\n. . . .\n3 . . .\n. . . 1\n[facts]\nwhite_dot(1,1,1,2,1).\n"
MARKS = "with: even\n. . . .\n. 2 . .\n. . 4 .\n. . . 3\n[facts]\neven(1,1).\n"
CAGES = """with: killer
. . . .
. . 1 2
. . . .
. . . .
[cage]
A A C C
. B . D
. B . D
. . . .
A = 3
B = 6
C =
D =
"""
VIEWS = "with: skyscraper\n. . . .\n. . . .\n. . . 1\n. . 3 .\n[facts]\nskyscraper(left,1,2).\n"
VIEWS += "skyscraper(top,3,3).\n"
CLASSIC = "1... .... .... ..4."
TEXTS = {
    "classic": CLASSIC,
    "pairs": "1... ..3. 3... ..1.",
    "diagonal": "with: diagonal\n1 . . .\n. . . .\n. . . .\n. 2 . .\n",
    "signs": SIGNS,
    "dots": DOTS,
    "marks": MARKS,
    "cages": CAGES,
    "views": VIEWS,
}
SPAN = range(1, 5)
NEXT = [
    (row, column, row1, column1)
    for row, column, row1, column1 in product(SPAN, repeat=4)
    if abs(row - row1) + abs(column - column1) == 1
]
# All clues of one fact, without those at a place where the puzzle has one.
CLUES = {
    "signs": [
        f"gt{cells}"
        for cells in NEXT
        if {cells[:2], cells[2:]} not in ({(1, 1), (1, 2)}, {(1, 4), (2, 4)})
    ],
    "dots": [
        f"white_dot{(*cells, 1)}"
        for cells in NEXT
        if cells[:2] < cells[2:] and cells != (1, 1, 1, 2)
    ],
    "marks": [f"even{cell}" for cell in product(SPAN, repeat=2) if cell != (1, 1)],
    "cages": [f'cage_value("{name}",{value})' for name in "CD" for value in range(17)],
    "views": [
        f"skyscraper({edge},{place},{value})"
        for edge in ("left", "right", "top", "bottom")
        for place in SPAN
        for value in range(17)
        if (edge, place) not in (("left", 1), ("top", 3))
    ],
}


def grids(program, most=0):
    """The grids of a program text by plain clingo."""
    control = clingo.Control(["--project=project", str(most)])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return [
            {str(atom) for atom in model.symbols(atoms=True) if atom.match("a", 3)}
            for model in models
        ]


def sufficient(program, facts):
    """The facts with which there is one grid."""
    return {fact.replace(" ", "") for fact in facts if len(grids(f"{program}\n{fact}.", 2)) == 1}


def all_givens(puzzle):
    return [
        f"a({row},{column},{number})"
        for row, column, number in product(SPAN, repeat=3)
        if puzzle[row, column] is None
    ]


@pytest.fixture
def ungraded(monkeypatch):
    """Additions are not graded, which takes longer than to find them."""
    monkeypatch.setattr(completion, "_difficulty", lambda *_: None)


@pytest.mark.usefixtures("ungraded")
@pytest.mark.parametrize("name", TEXTS)
def test_plain_clingo_finds_the_same_givens_and_clues(name):
    program = aspdoku.compose(aspdoku.parse(TEXTS[name]))
    expected = sufficient(program.text, [*all_givens(program.puzzle), *CLUES.get(name, ())])
    found = aspdoku.complete(TEXTS[name], limit=0)
    assert {str(each.fact) for each in found.additions} == expected
    assert found.total == len(expected)
    for each in found.additions:
        (grid,) = grids(f"{program.text}\n{each.fact}.")
        rows = each.solution.rows
        assert grid == {f"a({r},{c},{rows[r - 1][c - 1]})" for r, c in product(SPAN, repeat=2)}


def test_only_those_with_the_intended_solution():
    every = aspdoku.complete(SIGNS, limit=0).additions
    intended = every[0].solution
    wanted = [each.fact for each in every if each.solution == intended]
    found = aspdoku.complete(SIGNS, intended, limit=0)
    assert {each.fact for each in found.additions} == set(wanted)
    assert 0 < len(wanted) < len(every)


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        ("1234 3412 2143 4321", "is not a solution"),
        ("1234 3412 2143 432.", "is not a filled grid"),
        (aspdoku.Puzzle.blank(6), "is not a filled grid"),
    ],
)
def test_an_intended_solution_that_is_none(solution, message):
    with pytest.raises(PuzzleError, match=message):
        aspdoku.complete(SIGNS, solution)


def test_the_easiest_come_first_and_ties_are_in_reading_order():
    found = aspdoku.complete(SIGNS)
    grades = [(each.difficulty.hardest, each.difficulty.work) for each in found.additions]
    assert grades == sorted(grades)
    assert grades[0] == grades[1]
    assert [each.name for each in found.additions][:2] == ["r3c3=3", "r3c3=4"]
    for each in found.additions:
        puzzle = found.program.puzzle.replace(facts=(*found.program.puzzle.facts, each.fact))
        assert aspdoku.grade(puzzle).difficulty == each.difficulty


def filled_by_singles(givens):
    """The number of cells of a classic 9x9 puzzle that are filled after its naked and hidden
    singles.
    """
    span = range(1, 10)
    units = [[(row, column) for column in span] for row in span]
    units += [[(row, column) for row in span] for column in span]
    units += [
        [(row + down, column + right) for down in range(3) for right in range(3)]
        for row, column in product((1, 4, 7), repeat=2)
    ]
    grid, before = dict(givens), -1
    while before < len(grid):
        before = len(grid)
        seen = {
            cell: {grid.get(other) for unit in units if cell in unit for other in unit}
            for cell in product(span, repeat=2)
        }
        possible = {cell: {*span} - numbers for cell, numbers in seen.items() if cell not in grid}
        for unit in units:
            for number in span:
                places = [cell for cell in unit if number in possible.get(cell, ())]
                if len(places) == 1:
                    grid[places[0]] = number
        grid |= {cell: min(numbers) for cell, numbers in possible.items() if len(numbers) == 1}
    return len(grid)


@pytest.mark.usefixtures("ungraded")
def test_the_cells_that_singles_fill():
    puzzle = aspdoku.read(INSTANCES / "csp" / "escargot.txt")
    grid = [list(cells) for cells in puzzle.grid]
    grid[0][0] = None
    found = aspdoku.complete(puzzle.replace(grid=tuple(map(tuple, grid))), limit=0)
    givens = found.program.puzzle.givens()
    assert len({each.filled for each in found.additions}) > 2
    for each in found.additions:
        row, column, number = each.fact.arguments
        filled = filled_by_singles(givens | {(row, column): number})
        assert each.filled == filled - len(givens), each.name


def test_a_limit():
    found = aspdoku.complete(SIGNS, limit=2)
    assert (found.total, len(found.additions)) == (5, 2)
    assert str(found).startswith("5 single additions make the solution unique; the best 2:\n")


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("." * 16, "several", "no single addition makes the solution unique: at least "),
        ("11" + "." * 14, "none", "no solution"),
        (".4.....4..2.1...", "unique", "the solution is unique already"),
    ],
)
def test_nothing_to_add(text, status, words):
    found = aspdoku.complete(text)
    assert (found.status, found.additions, found.total) == (status, (), 0)
    assert str(found).startswith(words)


def test_the_open_cells_of_a_puzzle_that_needs_more_than_one_addition():
    found = aspdoku.complete(CLASSIC)
    candidates = aspdoku.candidates(CLASSIC).candidates
    assert found.data.open_cells == {
        (row, column): candidates[row - 1][column - 1]
        for row, column in product(SPAN, repeat=2)
        if len(candidates[row - 1][column - 1]) > 1
    }


def test_what_was_found_before_the_time_limit_is_kept(monkeypatch):
    calls = []

    def difficulty(*arguments):
        calls.append(arguments)
        if len(calls) > 2:
            raise TimeLimitError("time limit reached")
        return rated(*arguments)

    rated = completion._difficulty
    monkeypatch.setattr(completion, "_difficulty", difficulty)
    found = aspdoku.complete(SIGNS)
    assert (found.total, found.data.ended) == (5, "time")
    assert [each.difficulty is None for each in found.additions] == [False] * 2 + [True] * 3
    assert "incomplete: the time limit was reached" in str(found)
    assert str(found).endswith("not graded")
