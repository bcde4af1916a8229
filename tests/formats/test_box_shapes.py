"""The box shape read from separator lines and inequality signs, in every format that draws them,
against drawings and solutions generated here.
"""

import oracle
import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all, registry
from aspdoku.formats.native import write

SHAPES = [(2, 3), (3, 2)]


def drawing(rows, height, width, blank=" ", frame=False, bar="|"):
    """The rows, each a list of cells, with separator lines around boxes of this shape."""
    lines = []
    for number, row in enumerate(rows):
        if number and number % height == 0:
            lines.append("-" * 3 * len(row))
        parts = [blank.join(row[start : start + width]) for start in range(0, len(row), width)]
        lines.append((f"{blank}{bar}{blank}").join(parts))
    if frame:
        lines = ["*" + "-" * 20 + "*", *(f"|{line}|" for line in lines), "*" + "-" * 20 + "*"]
    return "\n".join(lines) + "\n"


def latin(size, height, width, signs):
    """A full grid with boxes of this shape; each row is a shift of the one before."""
    return [
        [signs[(row % height * width + row // height + column) % size] for column in range(size)]
        for row in range(size)
    ]


def emptied(grid, empty="."):
    return [
        [cell if (row + column) % 3 == 0 else empty for column, cell in enumerate(cells)]
        for row, cells in enumerate(grid)
    ]


def in_format(name, height, width):
    """A text in a format, drawn with boxes of this shape."""
    six = emptied(latin(6, height, width, "123456"))
    if name == "grids":
        return drawing(six, height, width) * 2
    if name == "sadman":
        return "#D drawn\n" + drawing(six, height, width)
    if name == "simple":
        return drawing(
            emptied(latin(6, height, width, "123456"), "X"), height, width, blank="", frame=True
        )
    if name == "candidate-grid":
        return drawing(
            [["12" if cell == "." else cell for cell in row] for row in six], height, width
        )
    if name == "killer":
        return (
            drawing(
                [["A", "A", *"......"[2:]], *[list("......")] * 5], height, width, blank=""
            ).replace("-", "=")
            + "A3\n"
        )
    return drawing(six, height, width)


@in_one_test("shape", SHAPES)
@in_one_test("name", ["puzzle", "grids", "sadman", "simple", "candidate-grid", "killer"])
def test_separator_lines_draw_the_boxes_in_every_format_with_separators(name, shape):
    text = in_format(name, *shape)
    fitting = [each.name for each in registry.FOREIGN if each.fits(text)]
    assert fitting == ([] if name == "puzzle" else [name])
    assert {puzzle.box for puzzle in parse_all(text)} == {shape}


@pytest.mark.parametrize("shape", [(3, 4), (4, 3), (2, 6), (6, 2)])
def test_separator_lines_draw_the_boxes_of_a_grid_of_letters(shape):
    text = drawing(latin(12, *shape, "ABCDEFGHIJKL"), *shape)
    (puzzle,) = parse_all(text)
    assert puzzle.box == shape
    assert next(each for each in registry.FOREIGN if each.fits(text)).name == "letters"


@pytest.mark.parametrize("shape", [(4, 4), (2, 8), (8, 2)])
def test_separator_lines_draw_the_boxes_of_a_hexadecimal_grid(shape):
    puzzle = parse(drawing(latin(16, *shape, "0123456789ABCDEF"), *shape))
    assert (puzzle.box, puzzle.numbers) == (shape, range(16))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_drawn_puzzle_has_the_solutions_of_the_oracle(shape):
    givens = [
        [None if cell == "." else int(cell) for cell in row]
        for row in emptied(latin(6, *shape, "123456"))
    ]
    expected = {
        tuple(map(tuple, grid)) for grid in oracle.solutions(givens, oracle.Rules(box_shape=shape))
    }
    found = Solver(compose(parse(in_format("puzzle", *shape)))).search(0)
    assert {solution.rows for solution in found} == expected
    assert expected != {
        tuple(map(tuple, grid))
        for grid in oracle.solutions(givens, oracle.Rules(box_shape=shape[::-1]))
    }


GRID = [list("......")] * 6
ROW = ". . . . . .\n"


@in_one_test(
    ("text", "box"),
    [
        (drawing(GRID, 3, 2, bar="+").replace("-", "="), (3, 2)),
        (drawing(GRID, 3, 2).replace("-", "─").replace("|", "│"), (3, 2)),
        (drawing(GRID, 3, 2, blank=""), (3, 2)),
        (drawing(GRID, 3, 6), (3, 2)),  # separator lines in one direction
        (drawing(GRID, 6, 2), (3, 2)),
        (drawing(GRID, 1, 1), (2, 3)),  # around every cell
        (drawing(GRID, 3, 3), (2, 3)),  # no boxes of six cells
        (drawing(GRID, 1, 6), (2, 3)),
        (f"{ROW * 2}------\n{ROW * 3}------\n{ROW}", (2, 3)),  # not evenly spaced
        (ROW * 6, (2, 3)),
        (". . | . . . .\n" + ROW * 5, (2, 3)),  # not in every row
        (f"box: 2x3\n{drawing(GRID, 3, 2)}", (2, 3)),  # the header decides
        (
            f"{drawing(GRID, 3, 2)}\n[box]\n" + "AABBCC\n" * 3 + "DDEEFF\n" * 3,
            None,
        ),  # and so do explicit regions
        ("." * 36, (2, 3)),
    ],
)
def test_separator_lines_that_draw_no_boxes_are_ignored(text, box):
    assert aspdoku.parse(text).box == box


@pytest.mark.parametrize("shape", SHAPES)
def test_a_written_puzzle_is_drawn_with_its_boxes(shape):
    puzzle = Puzzle.blank(6, shape)
    without_header = write(puzzle).replace("box: 3x2\n", "")
    assert parse(write(puzzle)) == parse(without_header) == puzzle


# ---- Signs between cells ----


def signs(height, width, left_out=()):
    """A 6x6 grid with a sign between all neighbours in boxes of this shape, except for those
    omitted.
    """
    lines = []
    for row in range(6):
        line = "".join(
            "."
            + (
                " "
                if column == 5
                or column // width != (column + 1) // width
                or (row, column) in left_out
                else "<"
            )
            for column in range(6)
        )
        lines += [line, "" if row == 5 or row // height != (row + 1) // height else "v v v v v v"]
    return "\n".join(filter(None, lines)) + "\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_signs_between_all_neighbours_in_boxes_draw_the_boxes(shape):
    text = signs(*shape)
    assert [each.name for each in registry.FOREIGN if each.fits(text)] == ["greater-than"]
    puzzle = parse(text)
    assert (puzzle.box, puzzle.without) == (shape, ())
    pairs = {((r, c), (r1, c1)) for r, c, r1, c1 in (fact.arguments for fact in puzzle.facts)}
    crossing = [pair for pair in pairs if not oracle.same_box(*shape)(*pair)]
    assert (len(pairs), crossing) == (42, [])


@pytest.mark.parametrize("shape", SHAPES)
def test_signs_in_boxes_that_are_not_between_all_neighbours_could_be_a_futoshiki(shape):
    text = signs(*shape, left_out=[(0, 0)])
    with pytest.raises(PuzzleError, match="all signs are inside {}x{}".format(*shape)):
        parse(text)
    assert registry.by_name("futoshiki").read(text, "x")[0].without == ("box",)
    assert registry.by_name("greater-than").read(text, "x")[0].box == shape
