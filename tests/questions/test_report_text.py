"""Grids as text: reading back what is printed gives the same grid."""

import re
from random import Random

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solution
from aspdoku.errors import AspdokuError
from aspdoku.puzzle import Function, box_shape
from aspdoku.questions import text

SIZES = [1, 4, 6, 9, 12, 16, 25]
SHAPES = [(size, None) for size in SIZES] + [
    (6, (3, 2)),
    (6, (1, 6)),
    (6, (6, 1)),
    (8, (4, 2)),
    (12, (2, 6)),
    (5, None),
    (7, None),
]

shapes = pytest.mark.parametrize(("size", "box"), SHAPES)


def puzzle_of(size, box=None, share=0.4, seed=1):
    """A grid of random numbers, not necessarily solvable."""
    random = Random(f"{size}{box}{share}{seed}")
    rows = tuple(
        tuple(random.randint(1, size) if random.random() < share else None for _ in range(size))
        for _ in range(size)
    )
    return Puzzle(rows, box)


def solution_of(size, box=None):
    puzzle = puzzle_of(size, box)
    return Solution(puzzle, puzzle_of(size, box, share=2).grid)


@shapes
@in_one_test("share", [0, 0.05, 0.4, 2])
@in_one_test("seed", [1, 2, 3])
def test_a_rendered_puzzle_is_read_back(size, box, share, seed):
    puzzle = puzzle_of(size, box, share, seed)
    assert aspdoku.parse(text.grid(puzzle)).grid == puzzle.grid


@shapes
def test_a_rendered_solution_is_read_back(size, box):
    solution = solution_of(size, box)
    assert aspdoku.parse(text.grid(solution)).grid == solution.rows
    assert str(solution) == text.grid(solution)


@shapes
def test_separators_are_only_between_boxes(size, box):
    rows, columns = box or box_shape(size)
    lines = text.grid(puzzle_of(size, box)).splitlines()
    ruled = [line for line in lines if set(line) <= set("-+")]
    drawn = [line for line in lines if line not in ruled]
    assert len(drawn) == size
    assert len({len(line) for line in lines}) == 1
    if min(rows, columns) == 1:  # boxes that are whole rows or columns are not drawn
        assert ruled == []
        assert not any("|" in line for line in drawn)
        return
    assert [number for number, line in enumerate(lines) if line in ruled] == [
        block * (rows + 1) + rows for block in range(size // rows - 1)
    ]
    for line in drawn:
        assert [len(block.split()) for block in line.split("|")] == [columns] * (size // columns)
    for line in ruled:
        assert [place for place, sign in enumerate(line) if sign == "+"] == [
            place for place, sign in enumerate(drawn[0]) if sign == "|"
        ]


def test_a_rendered_grid_in_full():
    puzzle = aspdoku.parse("box: 2x3\n2.5...\n.16...\n...6..\n..2..5\n.3....\n....34\n")
    assert (
        text.grid(puzzle)
        == "2 . 5 | . . .\n. 1 6 | . . .\n------+------\n. . . | 6 . .\n. . 2 | . ."
        " 5\n------+------\n. 3 . | . . .\n. . . | . 3 4"
    )


def test_only_givens_are_coloured():
    solution = solution_of(12)
    coloured = text.grid(solution, colour=True)
    plain = text.grid(solution)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    marked = [int(number) for number in re.findall(r"\x1b\[1;36m([ \d]+)\x1b\[0m", coloured)]
    assert marked == [solution[cell] for cell in solution.puzzle.givens()]
    assert "\x1b" not in plain


def test_a_blank_grid_has_nothing_to_colour():
    assert "\x1b" not in text.grid(Puzzle.blank(9), colour=True)


# ---- Lines ----


@shapes
def test_a_line_has_one_character_per_cell(size, box):
    puzzle = puzzle_of(size, box)
    signs = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    line = text.line(puzzle)
    assert [signs.index(sign) for sign in line] == [
        number or 0 for row in puzzle.grid for number in row
    ]
    if size >= 4:
        assert aspdoku.parse(line).grid == puzzle.grid


def test_a_line_has_symbols_up_to_35():
    assert text.line(Puzzle.blank(35)) == "." * 35 * 35
    with pytest.raises(AspdokuError, match="35"):
        text.line(Puzzle.blank(36))


# ---- Facts ----


@shapes
def test_there_is_a_fact_for_every_filled_cell(size, box):
    puzzle = puzzle_of(size, box)
    found = re.findall(r"a\((\d+),(\d+),(\d+)\)\.", text.facts(puzzle))
    expected = [
        (str(r), str(c), str(number))
        for r, row in enumerate(puzzle.grid, 1)
        for c, number in enumerate(row, 1)
        if number
    ]
    assert found == expected
    assert re.sub(r"a\(\d+,\d+,\d+\)\.", "", text.facts(puzzle)).strip() == ""


@shapes
def test_facts_are_read_back(size, box):
    solution = solution_of(size, box)
    dots = (". " * size + "\n") * size
    assert aspdoku.parse(f"{dots}\n[facts]\n{text.facts(solution)}\n").grid == solution.rows


# ---- Explicit regions ----

JIGSAW = "1234\n....\n....\n...2\n[box]\nA A A B\nA C B B\nC C D B\nC D D D\n"


def test_borders_are_only_between_regions():
    assert text.grid(aspdoku.parse(JIGSAW)).splitlines() == [
        "1 2 3|4",
        " +-+-+",
        ".|.|. .",
        "-+ +-+",
        ". .|.|.",
        " +-+ +-",
        ".|. . 2",
    ]


@pytest.mark.parametrize("size", [4, 9, 16])
def test_a_grid_with_borders_is_read_back(size):
    random = Random(size)
    names = random.sample([name for name in range(size) for _ in range(size)], size * size)
    facts = tuple(
        Function("box", (place // size + 1, place % size + 1, name))
        for place, name in enumerate(names)
    )
    for drawable in (
        puzzle_of(size).replace(facts=facts),
        puzzle_of(size, share=2).replace(facts=facts),
    ):
        assert aspdoku.parse(text.grid(drawable)).grid == drawable.grid
