"""Boards of any shape, and several boards in one grid: cells that are not used, and everything that
shows a grid.
"""

import json
import re
from collections import Counter
from functools import cache
from itertools import combinations, permutations, product
from random import Random
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from instance_files import BOARDS, BOARDS_FOLDER
from sampling import one_in

import aspdoku
from aspdoku import AspdokuError, Solver, compose
from aspdoku.cli import cli
from aspdoku.drawing import Marks, picture_of_program

by_name = pytest.mark.parametrize(
    ("puzzle", "solution"), BOARDS, ids=[puzzle.stem for puzzle, _ in BOARDS]
)
some_by_name = pytest.mark.parametrize(
    ("puzzle", "solution"),
    [
        pytest.param(*pair, id=pair[0].stem, marks=[] if index % 4 == 0 else pytest.mark.slow)
        for index, pair in enumerate(BOARDS)
    ],
)

# Two boards of 4x4 that share a box, on a grid of 6x6.
PAIR = {"upper": (1, 1, 4, 4), "lower": (3, 3, 4, 4)}


def text_of(boards, size, numbers, givens=(), sign="/"):
    """A puzzle file. A board of one cell is an extra cell."""
    used = {cell for board in boards.values() for cell in cells_of(board)}
    given = {each[:2]: each[2] for each in givens}
    span = range(1, size + 1)
    rows = (
        " ".join(str(given.get((r, c), "." if (r, c) in used else sign)) for c in span)
        for r in span
    )
    extra = [(r, c) for r, c, *shape in boards.values() if shape == [1, 1]]
    facts = [
        *(f"board({name},{r},{c},{h},{w})." for name, (r, c, h, w) in boards.items() if h * w > 1),
        *(f"extra_cell({r},{c})." for r, c in extra),
    ]
    rules = "boards, extra-cell" if extra else "boards"
    header = f"with: {rules}\nwithout: row, column\nnumbers: 1-{numbers}"
    return "\n".join([header, "", *rows, "", "[facts]", *facts])


def cells_of(board):
    top, left, height, width = board
    return [(top + y, left + x) for y in range(height) for x in range(width)]


def units_of(board, numbers):
    """The rows, columns and boxes of a board; a board whose sides do not fit has no boxes."""
    top, left, height, width = board
    yield from ([(top + y, left + x) for x in range(width)] for y in range(height))
    yield from ([(top + y, left + x) for y in range(height)] for x in range(width))
    shapes = [(y, numbers // y) for y in range(2, numbers) if numbers % y == 0]
    fitting = [(y, x) for y, x in shapes if x > 1 and height % y == 0 and width % x == 0]
    if fitting:
        down, across = min(fitting, key=lambda shape: (abs(shape[0] - shape[1]), shape[0]))
        for y, x in product(range(0, height, down), range(0, width, across)):
            yield cells_of((top + y, left + x, down, across))


def brute_force(boards, numbers, givens):
    """All ways to fill the cells of the boards, cell by cell."""
    peers = {cell: set() for board in boards.values() for cell in cells_of(board)}
    for board in boards.values():
        for unit in units_of(board, numbers):
            for cell in unit:
                peers[cell].update(set(unit) - {cell})
    cells = sorted(peers)
    given = {each[:2]: each[2] for each in givens}
    filled = {}

    def fill(place):
        if place == len(cells):
            yield frozenset(filled.items())
            return
        cell = cells[place]
        for number in range(1, numbers + 1):
            if given.get(cell, number) == number and all(
                filled.get(peer, given.get(peer)) != number for peer in peers[cell]
            ):
                filled[cell] = number
                yield from fill(place + 1)
                del filled[cell]

    return set(fill(0))


def run(*arguments, **options):
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], **options)


@pytest.mark.parametrize(
    ("boards", "size", "numbers", "givens"),
    [
        (PAIR, 6, 4, [(1, 1, 1), (1, 2, 2), (1, 3, 3), (2, 1, 3), (6, 6, 2), (4, 3, 4)]),
        (PAIR, 6, 4, [(3, 3, 1), (3, 4, 2), (1, 1, 1), (5, 5, 3), (6, 4, 4), (2, 2, 3)]),
        ({"one": (1, 1, 2, 4), "two": (1, 1, 4, 2)}, 4, 4, []),
        ({"wide": (2, 1, 2, 3)}, 3, 3, []),
        ({"wide": (1, 1, 2, 4)}, 4, 4, [(1, 1, 1)]),
        ({"one": (1, 1, 3, 3), "two": (2, 3, 3, 3)}, 5, 3, []),
        ({"one": (1, 1, 2, 2), "apart": (4, 3, 2, 2)}, 5, 3, [(1, 1, 1), (4, 3, 3)]),
    ],
)
def test_the_solutions_are_those_of_brute_force(boards, size, numbers, givens):
    puzzle = aspdoku.parse(text_of(boards, size, numbers, givens))
    found = aspdoku.solve(puzzle, limit=0).solutions
    expected = brute_force(boards, numbers, givens)
    assert len(found) == len(expected) > 1
    assert {frozenset(each.numbers().items()) for each in found} == expected
    assert aspdoku.count(puzzle).count == len(expected)
    possible = aspdoku.candidates(puzzle).candidates
    for r, c in product(range(1, size + 1), repeat=2):
        numbers_there = {number for each in expected for cell, number in each if cell == (r, c)}
        assert set(possible[r - 1][c - 1]) == numbers_there


@by_name
def test_the_unique_solution_of_a_puzzle(puzzle, solution):
    expected = [
        [None if word in "/." else int(word) for word in line.split()]
        for line in solution.read_text("utf-8").splitlines()
    ]
    result = run("solve", "--format", "json", puzzle)
    found = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (found["status"], found["solutions"]) == ("unique", [expected])
    grid = aspdoku.read(puzzle)
    boards = [each.arguments[1:] for each in grid.facts if each.name == "board"]
    extra = {each.arguments for each in grid.facts if each.name == "extra_cell"}
    used = extra.union(*map(cells_of, boards))
    assert {
        (r, c) for r, row in enumerate(expected, 1) for c, number in enumerate(row, 1) if number
    } == used
    for board in boards:
        for unit in units_of(board, len(grid.numbers)):
            numbers = [expected[r - 1][c - 1] for r, c in unit]
            assert len(set(numbers)) == len(numbers)
    assert all(expected[r - 1][c - 1] == number for (r, c), number in grid.givens().items())


@pytest.mark.slow_cases("butterfly")
@pytest.mark.parametrize("puzzle", [puzzle for puzzle, _ in BOARDS], ids=lambda each: each.stem)
def test_a_puzzle_is_written_as_it_was_read(puzzle, tmp_path):
    copy = tmp_path / "copy.txt"
    aspdoku.write(aspdoku.read(puzzle), copy)
    assert aspdoku.read(copy) == aspdoku.read(puzzle)
    assert aspdoku.read(copy).unused == aspdoku.read(puzzle).unused
    assert ("/" in copy.read_text("utf-8")) == (puzzle.stem != "butterfly")


def test_without_boards_all_cells_are_free_and_shown():
    puzzle = aspdoku.read(BOARDS_FOLDER / "oblong.txt")
    assert len(puzzle.unused) == 21
    assert aspdoku.compose(puzzle, without="boards").puzzle.unused == frozenset()
    text = run("candidates", "--without", "boards", BOARDS_FOLDER / "oblong.txt").stdout
    assert text.splitlines()[4:7] == [" ".join(["1234567"] * 7)] * 3
    solved = run("solve", "--without", "boards", BOARDS_FOLDER / "oblong.txt").stdout
    assert [len(row.split()) for row in solved.splitlines()[:7]] == [7] * 7


@by_name
def test_unused_cells_are_blank_in_text(puzzle, solution):
    """The cells are at their places, and no lines are drawn around the boards."""
    rows = [line.split() for line in solution.read_text("utf-8").splitlines()]
    for command in ("solve", "candidates"):
        grid, _ = run(command, puzzle).stdout.split("\n\n")
        lines = [line for line in grid.splitlines() if re.search("[1-9]", line)]
        used = [row for row in rows if set(row) != {"/"}]
        for line, row in zip(lines, used, strict=True):
            cells = line[::2].ljust(len(row)).replace(" ", "/")
            assert list(cells) == row
            assert re.fullmatch(r"( *[1-9]([ |][1-9])*)+", line)


@pytest.mark.slow
def test_unused_cells_in_other_tables():
    table = run("depends", BOARDS_FOLDER / "oblong.txt").stdout.splitlines()
    assert len([line for line in table if re.search("[1-7]", line)]) >= 4
    assert not any(line.endswith("|") or set(line) <= set("-+ ") for line in table if line)
    shown = run("elaborate", BOARDS_FOLDER / "oblong.txt").stdout
    assert "[ ]" not in shown


def test_no_lines_without_cells_are_printed():
    puzzle = aspdoku.parse(text_of({"one": (1, 1, 4, 4), "two": (3, 3, 4, 4)}, 6, 4))
    for without in ((), "boards"):
        shown = str(aspdoku.solve(puzzle, without=without).solutions[0])
        assert all(re.search(r"[1-4/-]", line) for line in shown.splitlines())


def test_unused_cells_are_not_drawn():
    puzzle = aspdoku.read(BOARDS_FOLDER / "oblong.txt")
    drawing = str(aspdoku.draw(aspdoku.solve(puzzle).solutions[0]))
    square = str(aspdoku.draw(aspdoku.solve(aspdoku.Puzzle.blank(7)).solutions[0]))
    shown = [len(re.findall(r"<text[^>]*>[1-7]</text>", each)) for each in (drawing, square)]
    assert shown == [28, 49]


@pytest.mark.slow_cases("windmill-candidates")
@pytest.mark.parametrize("kind", ["candidates", "true_candidates"])
@pytest.mark.parametrize("name", ["rectangle", "windmill"])
def test_pencil_marks_are_drawn_in_cells_that_are_used(kind, name):
    puzzle = aspdoku.read(BOARDS_FOLDER / f"{name}.txt")
    drawn = aspdoku.draw(puzzle, **{kind: True}).picture
    marked = {
        (int(shape.at.y - drawn.grid.y) + 1, int(shape.at.x - drawn.grid.x) + 1)
        for shape in drawn.shapes
        if shape.kind == "candidate"
    }
    cells = set(product(range(1, puzzle.size + 1), repeat=2))
    assert marked == cells - puzzle.unused - puzzle.givens().keys()


def test_a_picture_ends_below_the_last_row_that_is_used():
    rectangle = aspdoku.read(BOARDS_FOLDER / "rectangle.txt")
    whole = aspdoku.compose(rectangle, without="boards")
    six, eight = (
        picture_of_program(program, captions=False)
        for program in (aspdoku.compose(rectangle), whole)
    )
    assert eight.height - six.height == pytest.approx(2)
    assert eight.width == six.width


def test_rows_and_columns_are_numbered_up_to_the_last_that_is_used():
    numbered = Marks(axes=True)
    for name, expected in (("rectangle", [6, 8]), ("oblong", [4, 7]), ("samurai", [21, 21])):
        program = aspdoku.compose(aspdoku.read(BOARDS_FOLDER / f"{name}.txt"))
        drawn = picture_of_program(program, marks=numbered, captions=False, title="")
        labels = [int(shape.text) for shape in drawn.shapes if shape.kind == "axis"]
        assert Counter(labels) == Counter(n for last in expected for n in range(1, last + 1))
    heat = aspdoku.depends(BOARDS_FOLDER / "oblong.txt").to_html()
    assert re.findall(r"<text[^>]*>(\d)</text>", heat).count("7") < 7 * 7


def test_clues_are_next_to_the_boards():
    text = text_of({"wide": (1, 1, 2, 4)}, 4, 4)
    clues = "skyscraper(bottom,1,2). skyscraper(right,1,2). little_killer(1,1,2,1)."
    puzzle = aspdoku.parse(f"{text}\n{clues} little_killer(1,2,1,2).")
    program = aspdoku.compose(puzzle, "skyscraper", "little-killer")
    drawn = picture_of_program(program, captions=False)
    places = {
        (shape.at.x - drawn.grid.x, shape.at.y - drawn.grid.y)
        for shape in drawn.shapes
        if shape.kind == "clue"
    }
    below = {y for x, y in places if x < 4}
    assert all(2 < y < 4 for y in below)
    assert any(4 < x < 5 for x, _ in places)
    assert "pointer" in {shape.kind for shape in drawn.shapes}


def test_a_fact_about_an_unused_cell_is_drawn():
    """It is an error of the puzzle, which a picture has to show."""
    text = text_of({"wide": (1, 1, 2, 4)}, 4, 4)
    program = aspdoku.compose(aspdoku.parse(f"{text}\neven(4,2)."), "even")
    drawn = picture_of_program(program, captions=False)
    assert drawn.height - drawn.grid.y > 4


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["depends", "r8c8"], "r8c8 is not used"),
        (["why", "r8c8=1"], "r8c8 is not used"),
        (["why", "r7c1!=2"], "r7c1 is not used"),
    ],
)
def test_a_question_about_an_unused_cell(command, message):
    done = run(*command, BOARDS_FOLDER / "rectangle.txt")
    assert (done.exit_code, done.stdout) == (65, "")
    assert message in done.stderr


def test_an_entry_in_an_unused_cell():
    puzzle = aspdoku.read(BOARDS_FOLDER / "oblong.txt")
    solution = aspdoku.read(BOARDS_FOLDER / "oblong.solution.txt").grid
    wrong = (*solution[:6], (3, *solution[6][1:]))
    with pytest.raises(AspdokuError, match="r7c1 is not used, but the number 3 is entered in it"):
        aspdoku.hint(puzzle, aspdoku.Puzzle(wrong))
    assert aspdoku.hint(puzzle, aspdoku.Puzzle(solution)).step is None


def test_the_explanation_is_about_cells_that_are_used():
    puzzle = aspdoku.read(BOARDS_FOLDER / "oblong.txt")
    explanation = aspdoku.explain(puzzle)
    placed = {
        claim[:3]
        for step in explanation.steps
        for reason in step.reasons
        for claim in reason.claims
        if claim.holds
    }
    (solution,) = aspdoku.solve(puzzle).solutions
    empty = solution.numbers().keys() - puzzle.givens().keys()
    assert placed == {(*cell, solution[cell]) for cell in empty}
    assert not any(
        claim[:2] in puzzle.unused
        for step in explanation.steps
        for reason in (*step.reasons, *step.eliminations)
        for claim in (*reason.claims, *reason.premises)
    )


def test_batch_shows_dots_in_unused_cells():
    boards = ["board(one,1,1,2,3)"]
    line = "1" + "." * 8
    (result,) = aspdoku.batch(
        [line], size=3, with_="boards", without=("row", "column"), facts=boards
    )
    assert result.status == "several"
    assert str(result).split()[0][6:] == "..."
    assert result.solution.rows[2] == (None, None, None)


def lines_of(puzzle):
    """The grid on one line: with unused cells marked, and with dots in them."""
    span = range(1, puzzle.size + 1)
    cells = [(r, c) for r in span for c in span]
    signs = {cell: str(number) for cell, number in puzzle.givens().items()}
    dots = "".join(signs.get(cell, ".") for cell in cells)
    return "".join(
        "/" if cell in puzzle.unused else sign for cell, sign in zip(cells, dots, strict=True)
    ), dots


@some_by_name
def test_batch_solves_boards_like_those_of_a_puzzle(puzzle, solution, tmp_path):
    expected = [word for line in solution.read_text("utf-8").splitlines() for word in line.split()]
    expected = "".join("." if word == "/" else word for word in expected)
    marked, dotted = lines_of(aspdoku.read(puzzle))
    (lines, found) = (tmp_path / "lines.txt", tmp_path / "found.txt")
    lines.write_text(f"{marked}\n{dotted}\n", "utf-8")
    command = ["batch", "--like", puzzle, lines, "-o", found]
    small = puzzle.stem in ("oblong", "rectangle")
    for options in ([], ["--resume"]) if small else ([],):
        done = run(*command, *options)
        assert (done.exit_code, done.stderr) == (0, "")
        assert found.read_text("utf-8").splitlines() == [f"{expected} unique"] * 2
    if small:
        results = list(aspdoku.batch([marked], like=aspdoku.read(puzzle)))
        assert [(each.status, str(each.solution)) for each in results] == [
            ("unique", str(aspdoku.solve(puzzle).solutions[0]))
        ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("5" + "." * 35, "invalid number '5' in r1c1: this puzzle contains 1 to 4"),
        ("/" + "." * 35, "r1c1 is marked as unused, but by the rules it is used"),
        ("." * 4 + "2" + "." * 31, "r1c5 is not used, but the number 2 is given in it"),
        ("." * 16, "16 cells in the line; a 6x6 grid has 36"),
    ],
)
def test_a_line_that_does_not_fit_its_boards(line, message):
    like = aspdoku.parse(text_of(PAIR, 6, 4, [(1, 1, 1)]))
    fine = "2" + "." * 35  # the given of the other puzzle does not count
    bad, good = aspdoku.batch([line, fine], like=aspdoku.compose(like))
    assert (bad.status, bad.data.reason.partition(",")[0]) == (
        "bad input",
        message.partition(",")[0],
    )
    assert message in bad.data.reason
    assert (good.status, good.solution[1, 1], good.solution[1, 5]) == ("several", 2, None)


def test_boards_of_a_batch_are_those_of_another_puzzle(tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("/" * 16 + "\n", "utf-8")
    assert "by --like" in run("batch", lines).stderr
    assert "puzzle that --like names" in run("batch", "-c", "n=4", lines).stdout
    with pytest.raises(AspdokuError, match="size and like exclude each other"):
        aspdoku.batch([], size=4, like="example:samurai")
    with pytest.raises(AspdokuError, match="0 is an empty cell"):
        aspdoku.batch([], like=aspdoku.parse("numbers: 0-3\n" + ".... " * 4))


def test_the_facts_of_boards_are_not_clues():
    found = aspdoku.redundant(aspdoku.read(BOARDS_FOLDER / "oblong.txt"))
    assert {item.kind for item in found.items} == {"given", "rule"}


def test_a_new_puzzle_on_the_same_boards():
    made = aspdoku.generate(like=aspdoku.parse(text_of(PAIR, 6, 4)), seed=3).puzzle
    assert made.unused == {(r, c) for r, c in product(range(1, 7), repeat=2) if abs(r - c) > 3} | {
        (r, c) for r, c in product(range(1, 7), repeat=2) if min(r, c) < 3 and max(r, c) > 4
    }
    assert len(brute_force(PAIR, 4, [(*cell, n) for cell, n in made.givens().items()])) == 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (lambda text: text.replace("/", ".", 1), "r1c5 is used in the grid, but"),
        (lambda text: text.replace(".", "/", 1), "r1c1 is unused in the grid, but"),
        (lambda text: text.replace("with: boards", ""), "r1c5 is unused in the grid, but"),
        (lambda text: text.replace("/", "3", 1), "r1c5 is not used, but the number 3"),
        (lambda text: f"box: 1x6\n{text}", "both a box shape and rules that derive the regions"),
    ],
)
def test_a_grid_that_does_not_fit_its_boards(changed, message):
    with pytest.raises(AspdokuError, match=message):
        aspdoku.solve(aspdoku.parse(changed(text_of(PAIR, 6, 4))))


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (
            "4,3,4,4",
            r"board\(lower,4,3,4,4\) is outside the grid: rows 4 to 7 are not between 1 and 6",
        ),
        ("3,3,4,5", r"board\(lower,3,3,4,5\) is outside the grid: columns 3 to 7 are not between"),
        ("3,3,0,4", r"board\(lower,3,3,0,4\) is outside the grid: rows 3 to 2"),
        ("7,3,4,4", r"board\(lower,7,3,4,4\) is outside the grid: 7 is not a row"),
    ],
)
def test_a_board_has_to_lie_in_the_grid(board, message):
    puzzle = aspdoku.parse(text_of(PAIR, 6, 4).replace("3,3,4,4", board).replace("/", "."))
    with pytest.raises(AspdokuError, match=message):
        aspdoku.solve(puzzle)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (". . . .  # #\n" * 3, "3 rows of 4 cells (fill up a rectangle with / for cells that are"),
        (". . . .\n. . . .\n" + ". . . . . .\n" * 4, "write / in each of them"),
        ("....##\n" * 6, "'#' in r1c5: a 6x6 grid contains 1 to 6, or . for an empty cell, / for"),
        ("....##\n" * 4, "or . for empty, or / if it is not used"),
    ],
)
def test_other_signs_for_unused_cells(rows, message):
    with pytest.raises(AspdokuError) as raised:
        aspdoku.parse(f"with: boards\n\n{rows}")
    assert message in str(raised.value)


def test_rules_that_do_not_exempt_unused_cells_are_reported():
    puzzle = aspdoku.parse(text_of(PAIR, 6, 4))
    program = aspdoku.compose(puzzle, "offset", "anti-king")
    assert [each for each in program.warnings if "unused cells" in each] == [
        "rule offset is about whole rows and columns of the square, with the unused cells: there"
        " may be no solution"
    ]


@pytest.mark.parametrize(
    ("boards", "size", "numbers"),
    [
        ({"wide": (1, 1, 2, 4)}, 4, 4),
        ({"one": (1, 1, 3, 3), "two": (2, 3, 3, 3)}, 5, 3),
        ({"low": (3, 2, 2, 3), "single": (1, 1, 1, 1)}, 4, 3),
    ],
)
def test_rules_about_all_cells_exempt_those_in_no_grid(boards, size, numbers):
    """Unused cells, and extra cells."""
    used = {cell for name, board in boards.items() if name != "single" for cell in cells_of(board)}
    grids = brute_force(boards, numbers, [])
    rules = {"anti-king": (0, ((1, 1), (1, -1))), "nonconsecutive": (1, ((0, 1), (1, 0)))}
    for rule, (difference, steps) in rules.items():
        pairs = [
            ((r, c), (r + y, c + x)) for r, c in used for y, x in steps if (r + y, c + x) in used
        ]
        expected = {
            grid
            for grid in grids
            if all(abs(dict(grid)[a] - dict(grid)[b]) != difference for a, b in pairs)
        }
        puzzle = aspdoku.parse(text_of(boards, size, numbers))
        found = aspdoku.solve(puzzle, with_=rule, limit=0).solutions
        assert {frozenset(each.numbers().items()) for each in found} == expected


def test_the_elaborations_of_a_board():
    """A grid without the boards is excluded because it has numbers in unused cells."""
    done = run("elaborate", "--format", "json", BOARDS_FOLDER / "oblong.txt")
    assert done.exit_code == 0
    steps = {step["name"]: step for step in json.loads(done.stdout)["steps"]}
    excluded = steps["boards"]["forbidden"]
    assert excluded["violations"] == []
    assert all(excluded["grid"][6])


# ---- Rules with inputs, on boards ----


def around(numbers, cell, diagonal=False):
    """The cells of these numbers next to a cell."""
    r, c = cell
    return [
        (r + y, c + x)
        for y, x in product((-1, 0, 1), repeat=2)
        if (y or x) and (diagonal or not (y and x)) and (r + y, c + x) in numbers
    ]


def row_of(numbers, cell):
    """The numbers in the row of a cell, from the left."""
    return [n for (r, _), n in sorted(numbers.items()) if r == cell[0]]


def column_of(numbers, cell):
    """The numbers in the column of a cell, from the top."""
    return [n for (_, c), n in sorted(numbers.items()) if c == cell[1]]


def reached(numbers, start, may_step):
    """The cells to which steps lead."""
    found, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        new = {each for each in around(numbers, cell) if may_step(cell, each)} - found
        found |= new
        waiting += new
    return found


def wins(numbers, cell):
    """Whether the player who moves the token from this cell wins."""
    return any(
        numbers[other] < numbers[cell] and not wins(numbers, other)
        for other in around(numbers, cell)
    )


def seen(line):
    """How many buildings are seen."""
    return sum(all(height > other for other in line[:k]) for k, height in enumerate(line))


def sandwiched(line, greatest):
    """The sum of the numbers between the first and the last 1 or greatest number."""
    ends = [k for k, n in enumerate(line) if n in (1, greatest)]
    return sum(set(line[ends[0] + 1 : ends[-1]])) if ends else 0


def differ(numbers, is_pair):
    """Whether no two cells at such a distance contain the same number."""
    return not any(
        numbers[a] == numbers[b] and is_pair(abs(a[0] - b[0]), abs(a[1] - b[1]))
        for a, b in combinations(numbers, 2)
    )


class OnBoards(NamedTuple):
    """The numbers of the cells that are in a board of several cells; two of these cells, a value in
    the facts of a rule, and the greatest number.
    """

    numbers: dict
    x: tuple
    y: tuple
    v: int
    s: int


# For each rule: facts about a cell {x}, its row {r} and column {c}, a cell {y} and a value {v}, and
# whether they are satisfied.
WITH_INPUTS = {
    "minimum": (
        "minimum({x}).",
        lambda on: all(on.numbers[on.x] < on.numbers[z] for z in around(on.numbers, on.x)),
    ),
    "maximum": (
        "maximum({y}).",
        lambda on: all(on.numbers[on.y] > on.numbers[z] for z in around(on.numbers, on.y)),
    ),
    "flood": (
        "flood({x}). flood_cage({y},1). flood_cage_value(1,99).",
        lambda on: on.y in reached(on.numbers, on.x, lambda _, to: on.numbers[to] <= on.s // 2),
    ),
    "reachable": (
        "reachable_start({x}). reachable({y}). reachable_limit({v}).",
        lambda on: (
            on.y
            in reached(
                on.numbers, on.x, lambda at, to: abs(on.numbers[at] - on.numbers[to]) <= on.v
            )
        ),
    ),
    "whispers": (
        "whispers(1,1,{x}). whispers(1,2,{y}).",
        lambda on: abs(on.numbers[on.x] - on.numbers[on.y]) >= (on.s + 1) // 2,
    ),
    "lockout": (
        "lockout(1,1,{x}). lockout(1,2,{y}).",
        lambda on: abs(on.numbers[on.x] - on.numbers[on.y]) >= on.s // 2,
    ),
    "token-game": (
        "token_game_won({x}). token_game_lost({y}).",
        lambda on: wins(on.numbers, on.x) and not wins(on.numbers, on.y),
    ),
    "suguru": (
        "suguru({x},1).",
        lambda on: (
            on.numbers[on.x] == 1
            and differ(on.numbers, lambda down, across: max(down, across) == 1)
        ),
    ),
    "leaper": (
        "leaper(1,{v}).",
        lambda on: differ(on.numbers, lambda down, across: (down, across) == (1, on.v)),
    ),
    "taxicab": (
        "taxicab({v}).",
        lambda on: differ(on.numbers, lambda down, across: down + across == on.v),
    ),
    "end-view": (
        "end_view(right,{r},{v}). end_view(top,{c},{v}).",
        lambda on: row_of(on.numbers, on.x)[-1] == on.v == column_of(on.numbers, on.x)[0],
    ),
    "skyscraper": (
        "skyscraper(right,{r},{v}). skyscraper(top,{c},2).",
        lambda on: (
            seen(row_of(on.numbers, on.x)[::-1]) == on.v and seen(column_of(on.numbers, on.x)) == 2
        ),
    ),
    "sandwich": (
        "sandwich_row({r},{v}). sandwich_column({c},0).",
        lambda on: (
            sandwiched(row_of(on.numbers, on.x), on.s) == on.v
            and sandwiched(column_of(on.numbers, on.x), on.s) == 0
        ),
    ),
    "each-row": (
        "each_row({r}).",
        lambda on: sorted(row_of(on.numbers, on.x)) == list(range(1, on.s + 1)),
    ),
}

OF_SEVERAL_SHAPES = [
    ({"flat": (1, 1, 2, 3)}, 3, 3),
    ({"high": (1, 2, 4, 2)}, 4, 4),
    ({"left": (1, 1, 2, 2), "right": (1, 4, 2, 2)}, 5, 3),
    ({"one": (1, 1, 3, 3), "two": (2, 3, 3, 3)}, 5, 3),
    ({"low": (3, 2, 2, 3), "single": (2, 3, 1, 1), "extra": (1, 1, 1, 1)}, 4, 3),
]


@cache
def fillings(index):
    """All ways to fill the boards of one of these grids."""
    boards, _, numbers = OF_SEVERAL_SHAPES[index]
    return brute_force(boards, numbers, [])


@pytest.mark.parametrize("rule", one_in(4, WITH_INPUTS))
def test_rules_with_inputs_exempt_cells_in_no_grid(rule):
    """Unused cells, and extra cells."""
    facts, holds = WITH_INPUTS[rule]
    rng, several, fewer = Random(rule), 0, 0
    for (index, (boards, size, numbers)), value in product(enumerate(OF_SEVERAL_SHAPES), (1, 2, 3)):
        if (index + value) % 3 == 0:  # two of the values for each grid
            continue
        used = {cell for each in boards.values() if each[2:] != (1, 1) for cell in cells_of(each)}
        x, y = rng.sample(sorted(used), 2)
        places = {"x": "{},{}".format(*x), "y": "{},{}".format(*y), "r": x[0], "c": x[1]}
        text = f"{text_of(boards, size, numbers)}\n{facts.format(v=value, **places)}\n"
        found = Solver(compose(aspdoku.parse(text), rule)).search(0)
        grids = fillings(index)
        expected = {
            grid
            for grid in grids
            if holds(OnBoards({cell: n for cell, n in grid if cell in used}, x, y, value, numbers))
        }
        assert {frozenset(each.numbers().items()) for each in found} == expected, text
        several += len(expected) > 1
        fewer += len(expected) < len(grids)
    assert several
    assert fewer


def test_rules_without_an_exemption_of_unused_cells_are_reported():
    """Those with inputs, too, if they are about all cells or about whole rows or columns."""
    puzzle = aspdoku.parse(text_of(PAIR, 6, 4))
    cases = {
        "doublers": True,
        "indexers": True,
        "negators": True,
        "vampires": True,
        "str8ts": True,
        "schroedinger": True,
        "zipper": False,  # all of its cells are on lines
        "killer": False,
        "pencilmarks": False,
        **dict.fromkeys(WITH_INPUTS, False),
    }
    for rule, expected in cases.items():
        warnings = aspdoku.compose(puzzle, rule).warnings
        assert any("unused cells" in each for each in warnings) == expected, rule


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("cell(R,C), a(R,C,N), own_limit(L), N > L", False),
        ("own(R,C), number(N), { a(R,C1,N) : column(C1) } < 1", True),
        ("own(R,C), number(N), { a(R,C1,N) : cell(R,C1) } < 1", False),
        ("row(R), number(N), { a(R,C1,N) } < 1", True),
        ("own(R,C), a(R,C,N), a(R,C+1,N)", False),
    ],
)
def test_the_cells_of_a_rule_of_ones_own(body, expected):
    inputs = "#defined own/2. #defined own_limit/1."
    rule = aspdoku.RuleFile.from_text("own", f"{inputs}\n:- {body}, not ab(own).\n#defined ab/1.")
    program = aspdoku.compose(aspdoku.parse(text_of(PAIR, 6, 4)), rule)
    assert any("unused cells" in each for each in program.warnings) == expected


def test_each_board_has_diagonals():
    grids = [
        grid
        for grid in product(permutations(range(1, 5)), repeat=4)
        if all(len({*line}) == 4 for line in zip(*grid, strict=True))
        and all(
            len({grid[y + i][x + j] for i in (0, 1) for j in (0, 1)}) == 4
            for y, x in product((0, 2), repeat=2)
        )
        and len({grid[i][i] for i in range(4)}) == len({grid[i][3 - i] for i in range(4)}) == 4
    ]
    assert len(grids) == 48
    upper = [grid for grid in grids if (grid[0][0], grid[1][1]) == (1, 2)]
    lower = [grid for grid in grids if (grid[2][3], grid[3][2]) == (3, 4)]
    shared = list(product((0, 1), repeat=2))
    expected = sum(
        all(one[2 + y][2 + x] == other[y][x] for y, x in shared)
        for one, other in product(upper, lower)
    )
    text = text_of(PAIR, 6, 4, [(1, 1, 1), (2, 2, 2), (5, 6, 3), (6, 5, 4)])
    program = compose(aspdoku.parse(text.replace("with: boards", "with: boards, board-diagonals")))
    assert aspdoku.count(program).count == expected
    assert not program.warnings
