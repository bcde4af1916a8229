"""Candidate grids as text and JSON: read back, they equal the candidates, and their columns are
aligned.
"""

import json
import re
from random import Random
from types import SimpleNamespace

import pytest
from in_one_test import in_one_test

from aspdoku import Puzzle, Solution
from aspdoku.engine.candidates import CandidateCounts, Candidates
from aspdoku.puzzle import box_shape
from aspdoku.questions import text
from aspdoku.questions.candidates import CandidateGrid

SIZES = [1, 2, 4, 6, 9, 10, 12, 16, 25, 35, 36, 40]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
WIDTH = 110
ONE_DIGIT = list(
    "123456789"
)  # single numbers in a large grid are aligned as `solve` aligns them: on the units digit


def at_random(size, most, seed=1, box=None):
    """A puzzle with random candidates, up to `most` per cell; about half of the single ones are
    givens.
    """
    random = Random(f"{size}{most}{seed}")

    def numbers():
        least = 1 if most else 0
        return tuple(
            sorted(random.sample(range(1, size + 1), random.randint(least, min(most, size))))
        )

    possible = tuple(tuple(numbers() for _ in range(size)) for _ in range(size))
    givens = tuple(
        tuple(cell[0] if len(cell) == 1 and random.random() < 0.5 else None for cell in row)
        for row in possible
    )
    return Puzzle(givens, box), possible


def result(found, puzzle=None):
    return CandidateGrid(SimpleNamespace(puzzle=puzzle), found)


def candidates_text(found, puzzle, colour=False):
    return result(found, puzzle).text(colour)


def candidates_json(found):
    return result(found).to_json()


def blocks_of(text):
    return text.split("\n\n")


def cells_of(drawing):
    """The texts of the cells, row by row, each with its starting column.

    Separator lines are left out.
    """
    lines = [line for line in drawing.splitlines() if not re.fullmatch(r"[-+]+", line)]
    return [[(match[0], match.start()) for match in re.finditer(r"[^ |]+", line)] for line in lines]


def numbers_in(marks, size):
    found = marks.rstrip("?")
    return tuple(map(int, found.split(",") if size > 9 and found else found))


@in_one_test("size", SIZES)
@in_one_test("most", [0, 1, 3, 1000])
@in_one_test("ended", ["complete", "time"])
def test_a_rendered_grid_is_read_back(size, most, ended):
    puzzle, possible = at_random(size, most)
    if most == 0 and ended == "complete":
        assert candidates_text(Candidates(possible, ended, (), None), puzzle) == "no solution"
        return
    drawing, *_ = blocks_of(candidates_text(Candidates(possible, ended, (), None), puzzle))
    assert (
        tuple(tuple(numbers_in(text, size) for text, _ in row) for row in cells_of(drawing))
        == possible
    )


@in_one_test("size", SIZES)
@in_one_test("most", [1, 3, 1000])
@in_one_test("colour", [False, True])
def test_cells_of_a_column_are_aligned(size, most, colour):
    puzzle, possible = at_random(size, most)
    drawing, *_ = blocks_of(
        candidates_text(Candidates(possible, "time", None, None), puzzle, colour)
    )
    rows = cells_of(COLOUR.sub("", drawing))
    assert [len(row) for row in rows] == [size] * size
    starts = [
        [start - (size > 9 and text.rstrip("?") in ONE_DIGIT) for text, start in row]
        for row in rows
    ]
    assert starts == [starts[0]] * size
    widest = max(len(text) for row in rows for text, _ in row)
    assert all(
        after - before >= widest + 1
        for before, after in zip(starts[0], starts[0][1:], strict=False)
    )
    assert not any(line.endswith(" ") for line in COLOUR.sub("", drawing).splitlines())


@pytest.mark.parametrize(
    ("size", "box"),
    [
        (4, None),
        (9, None),
        (16, None),
        (36, None),
        (6, None),
        (6, (3, 2)),
        (6, (1, 6)),
        (6, (6, 1)),
        (7, None),
    ],
)
def test_separators_are_only_between_boxes(size, box):
    puzzle, possible = at_random(size, 3, box=box)
    drawing, *_ = blocks_of(candidates_text(Candidates(possible, "complete", (), None), puzzle))
    lines = drawing.splitlines()
    height, breadth = box or box_shape(size)
    ruled = [number for number, line in enumerate(lines) if re.fullmatch(r"[-+]+", line)]
    if min(height, breadth) == 1:
        assert ruled == []
        assert "|" not in drawing
        return
    assert ruled == [block * (height + 1) + height for block in range(size // height - 1)]
    drawn = [line for number, line in enumerate(lines) if number not in ruled]
    bars = {tuple(match.start() for match in re.finditer(r"\|", line)) for line in drawn}
    assert len(bars) == 1
    assert all(
        [len(part.split()) for part in line.split("|")] == [breadth] * (size // breadth)
        for line in drawn
    )
    crossings = {
        tuple(match.start() for match in re.finditer(r"\+", lines[number])) for number in ruled
    }
    assert crossings == bars


DRAWINGS = [
    # candidates of the first rows (all other cells hold 1), and the first line of the output
    (4, [(1, 2), (3,), (1, 2, 3, 4), (4,)], "12   3    | 1234 4"),
    (
        9,
        [(1,), (2, 3), (4, 5, 6), (7,), (8,), (9,), (1, 9), (2,), (3,)],
        "1   23  456 | 7   8   9   | 19  2   3",
    ),
    (10, [(1, 10), (10,), *[(2,)] * 8], "1,10 10    2    2    2   |  2    2    2    2    2"),
    (
        16,
        [(9, 10), (16,), (10, 16), *[(1,)] * 13],
        "9,10  16    10,16  1    |" + "  1     1     1     1    |" * 2 + "  1     1     1     1",
    ),
]


@pytest.mark.parametrize(("size", "first", "line"), DRAWINGS)
def test_the_first_line_of_a_rendered_grid(size, first, line):
    possible = (tuple(first), *[((1,),) * size] * (size - 1))
    drawing, *_ = blocks_of(
        candidates_text(Candidates(possible, "complete", (), None), Puzzle.blank(size))
    )
    assert drawing.splitlines()[0] == line


@in_one_test("size", [4, 9, 10, 16, 36])
@in_one_test("colour", [False, True])
def test_a_single_solution_is_rendered_as_by_solve(size, colour):
    puzzle, possible = at_random(size, 1)
    drawing, *_ = blocks_of(
        candidates_text(Candidates(possible, "complete", (), None), puzzle, colour)
    )
    assert drawing == text.grid(
        Solution(puzzle, tuple(tuple(number for (number,) in row) for row in possible)), colour
    )


@pytest.mark.parametrize("ended", ["time", "interrupted"])
def test_cells_that_may_have_other_candidates_are_marked(ended):
    """All except givens, and cells in which every number is possible: these are decided."""
    possible = (((1,), (2,), (1, 2, 3, 4), ()), *[((3, 4),) * 4] * 3)
    puzzle = Puzzle(((1, None, None, None), *[(None,) * 4] * 3))
    drawing, *_ = blocks_of(candidates_text(Candidates(possible, ended, None, None), puzzle))
    assert drawing.splitlines()[:2] == ["1    2?   | 1234  ?", "34?  34?  | 34?  34?"]
    drawing, *_ = blocks_of(
        candidates_text(Candidates((((),) * 4,) * 4, ended, None, None), puzzle)
    )
    assert re.findall("[^ |+-]+", drawing.replace("\n", " ")) == ["?"] * 16
    assert "?" not in candidates_text(Candidates(possible[1:] * 2, "complete", (), None), puzzle)


# ---- Colours ----


@pytest.mark.parametrize("size", [4, 9, 16, 36])
def test_colour_only_adds_escape_sequences(size):
    puzzle, possible = at_random(size, 2)
    found = Candidates(possible, "complete", (), None)
    plain, coloured = candidates_text(found, puzzle), candidates_text(found, puzzle, colour=True)
    assert "\x1b" not in plain
    assert candidates_text(found, puzzle, colour=False) == plain
    assert COLOUR.sub("", coloured) == plain


@pytest.mark.parametrize("size", [4, 9, 16, 36])
def test_only_the_givens_are_coloured(size):
    puzzle, possible = at_random(size, 2)
    drawing, *_ = blocks_of(
        candidates_text(Candidates(possible, "complete", (), None), puzzle, colour=True)
    )
    lines = [line for line in drawing.splitlines() if not re.fullmatch(r"[-+]+", line)]
    coloured = set()
    for row, line in enumerate(lines, 1):
        texts = re.findall(r"(\x1b\[1;36m)? *([^ |\x1b]+)(\x1b\[0m)?", line)
        assert len(texts) == size
        assert all(bool(before) == bool(after) for before, _, after in texts)
        coloured |= {(row, column) for column, (before, _, _) in enumerate(texts, 1) if before}
    assert coloured == set(puzzle.givens())
    assert coloured or size == 1


# ---- The text below the grid ----


def test_the_summary_of_all_candidates_counts_them():
    puzzle, possible = at_random(9, 3)
    numbers = [numbers for row in possible for numbers in row]
    total, forced = sum(map(len, numbers)), sum(len(each) == 1 for each in numbers)
    _, summary = blocks_of(candidates_text(Candidates(possible, "complete", (), None), puzzle))
    assert (
        summary
        == f"{total} candidates; {forced} of 81 cells hold the same number in every solution"
    )


@pytest.mark.parametrize(
    ("ended", "why"), [("time", "time limit reached"), ("interrupted", "interrupted")]
)
def test_the_summary_of_incomplete_candidates_has_no_forced_cells(ended, why):
    puzzle, possible = at_random(9, 3)
    found = Candidates(possible, ended, None, None)
    total = sum(len(numbers) for row in possible for numbers in row)
    _, summary = blocks_of(candidates_text(found, puzzle))
    assert max(map(len, summary.splitlines())) <= WIDTH
    assert (
        summary.replace("\n", " ")
        == f"{why}, so this is incomplete, with {total} candidates so far: a cell with ? may have"
        " others, even if it shows one number only"
    )
    assert found.forced == {}
    assert candidates_json(found)["forced"] == [[None] * 9] * 9


def test_equal_cells_are_wrapped():
    puzzle, possible = at_random(9, 3)
    cells = [(row, column) for row in range(1, 10) for column in range(1, 10)]
    groups = tuple(tuple(cells[start : start + 3]) for start in range(0, 81, 3))
    *_, listed = blocks_of(candidates_text(Candidates(possible, "complete", groups, None), puzzle))
    lines = listed.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= WIDTH
    assert lines[0].startswith("always equal: r1c1 = r1c2 = r1c3, r1c4 = ")
    assert [tuple(map(int, cell)) for cell in re.findall(r"r(\d+)c(\d+)", listed)] == cells
    assert len(re.sub(r"\s", " ", listed).split(",")) == len(groups)


def test_no_equal_cells_are_reported_if_there_are_none():
    puzzle, possible = at_random(4, 3)
    assert "equal" not in candidates_text(Candidates(possible, "complete", (), None), puzzle)


def test_undecided_equal_cells_are_reported():
    puzzle, possible = at_random(4, 3)
    *_, last = blocks_of(candidates_text(Candidates(possible, "complete", None, None), puzzle))
    assert last == "which cells are always equal was not decided"


@pytest.mark.parametrize(
    ("ended", "why"), [("time", "time limit reached"), ("interrupted", "interrupted")]
)
def test_if_no_solution_was_found_there_may_be_none(ended, why):
    *_, last = blocks_of(
        candidates_text(Candidates((((),) * 4,) * 4, ended, None, None), Puzzle.blank(4))
    )
    assert last == f"{why} before a solution was found; there may be none"


SUMMARIES = [
    # rows of candidates, and their summary, with correct singulars
    ((((1,),),), "1 candidate; 1 of 1 cell holds the same number in every solution"),
    (
        (((1,), (1, 2)), ((1, 2), (1, 2))),
        "7 candidates; 1 of 4 cells holds the same number in every solution",
    ),
    (
        (((1,), (2,)), ((2,), (1,))),
        "4 candidates; 4 of 4 cells hold the same number in every solution",
    ),
]


@pytest.mark.parametrize(("possible", "summary"), SUMMARIES)
def test_the_summary_uses_singular_and_plural(possible, summary):
    _, text = blocks_of(
        candidates_text(Candidates(possible, "complete", (), None), Puzzle.blank(len(possible)))
    )
    assert text == summary


def test_one_candidate_so_far():
    _, text = blocks_of(
        candidates_text(Candidates((((1,), ()), ((), ())), "time", None, None), Puzzle.blank(2))
    )
    assert "with 1 candidate so far" in text


@pytest.mark.parametrize("exact", [True, False])
def test_counts_are_listed_for_open_cells(exact):
    possible = (((1,), (1, 2)), ((1, 2), (2,)))
    counts = CandidateCounts((((7,), (3, 4)), ((0, 7), (7,))), 7, exact)
    found = Candidates(possible, "complete", (), counts)
    *_, listed = blocks_of(candidates_text(found, Puzzle.blank(2)))
    heading, *lines = listed.splitlines()
    first = (
        "occurrences in the first 7 solutions found, which are not representative of all solutions"
    )
    assert heading == ("occurrences in 7 solutions" if exact else first)
    assert lines == ["  r1c2: 1 in 3, 2 in 4", "  r2c1: 1 in 0, 2 in 7"]
    document = json.loads(json.dumps(candidates_json(found)))
    assert document["counts"] == [[[7], [3, 4]], [[0, 7], [7]]]
    assert document["counted"] == {"solutions": 7, "exact": exact}


@pytest.mark.parametrize(
    ("solutions", "exact", "ended", "heading"),
    [
        (1, True, "complete", "the solution is unique"),
        (
            1,
            False,
            "limit",
            (
                "occurrences in the first solution found, which are not representative of all"
                " solutions"
            ),
        ),
        (0, False, "time", "time limit reached: no solution was counted"),
        (0, False, "interrupted", "interrupted: no solution was counted"),
        (
            2,
            False,
            "time",
            (
                "time limit reached: occurrences in the first 2 solutions found, which are not"
                " representative of all"
            ),
        ),
        (
            2,
            False,
            "interrupted",
            (
                "interrupted: occurrences in the first 2 solutions found, which are not"
                " representative of all"
            ),
        ),
    ],
)
def test_the_heading_of_counts(solutions, exact, ended, heading):
    counts = CandidateCounts((((solutions,),),), solutions, exact)
    *_, last = blocks_of(
        candidates_text(Candidates((((1,),),), "complete", (), counts, ended), Puzzle.blank(1))
    )
    assert last.startswith(heading)


# ---- JSON ----


@pytest.mark.parametrize("size", [1, 4, 9, 16, 36])
def test_json_has_the_candidates_as_numbers(size):
    puzzle, possible = at_random(size, 3)
    equal = (((1, 1), (size, size)),)
    document = json.loads(
        json.dumps(candidates_json(Candidates(possible, "complete", equal, None)))
    )
    assert document["candidates"] == [[list(numbers) for numbers in row] for row in possible]
    assert document["equal"] == [[[1, 1], [size, size]]]
    assert document["forced"] == [
        [numbers[0] if len(numbers) == 1 else None for numbers in row] for row in possible
    ]
    assert all(
        document["forced"][row - 1][column - 1] == number
        for (row, column), number in puzzle.givens().items()
    )
    assert (document["complete"], document["ended"], document["counts"], document["counted"]) == (
        True,
        "complete",
        None,
        None,
    )
