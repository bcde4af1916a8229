"""URLs of Penpa+ and of puzz.link.

The documents here are built from the numbers of points as Penpa+ itself computes them, not with the
package: `n0` columns with margins, `n0*n0` points of each kind.
"""

import base64
import json
import os
import zlib
from random import Random

import pytest
from in_one_test import in_one_test
from instance_files import BOARDS, ROOT

import aspdoku
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import parse, parse_all, registry
from aspdoku.formats.equivalence import differences
from aspdoku.puzzle import Function, Puzzle

N = 4
WIDTH = N + 4
POINTS = WIDTH * WIDTH


def centre(row, column):
    return (row + 1) * WIDTH + column + 1


def corner(row, column):
    """The lower right corner of a cell."""
    return POINTS + centre(row, column)


def below(row, column):
    return 2 * POINTS + centre(row, column)


def right(row, column):
    return 3 * POINTS + centre(row, column)


def small(row, column, place=0):
    return 4 * POINTS + 4 * centre(row, column) + place


def lines(*ends, style=2):
    return {f"{corner(*one)},{corner(*other)}": style for one, other in ends}


def boxes(size=N, half=2):
    across = [((half, place), (half, place + 1)) for place in range(size)]
    return lines(*across, *[((place, half), (place + 1, half)) for place in range(size)])


def url(drawn, genres=(), settings="0,0,0,0", header="", cells=None, type_="sudoku", lines_=18):
    """The URL of a 4x4 board with boxes."""
    if cells is None:
        cells = [centre(row, column) for row in range(1, N + 1) for column in range(1, N + 1)]
    steps = [cell - before for before, cell in zip([0, *cells], cells, strict=False)]
    first = f"{type_},{N},{N},38,0,1,1,190,190,36,36,{settings}{header}"
    texts = [first, "[0,0,0,0]", "{}", json.dumps({"lineE": boxes(), **drawn}), "{}"]
    texts += [json.dumps(steps), "[]", "{}", *['"x"'] * 9, json.dumps(list(genres))]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress("\n".join(texts[:lines_]).encode()) + packer.flush()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={base64.b64encode(packed).decode()}"


def read(drawn, **more):
    return parse(url(drawn, **more))


def facts(puzzle):
    return {str(fact) for fact in puzzle.facts}


# What is drawn, the facts, the rules.
DRAWN = {
    "nothing": ({}, set(), ()),
    "a diagonal": (
        {"lineE": boxes() | lines(*[((k, k), (k + 1, k + 1)) for k in range(N)], style=12)},
        {"ab(diagonal,up)"},
        ("diagonal",),
    ),
    "the other diagonal": (
        {"lineE": boxes() | {f"{corner(k + 1, 3 - k)},{corner(k, 4 - k)}": 12 for k in range(N)}},
        {"ab(diagonal,down)"},
        ("diagonal",),
    ),
    "a cage": (
        {"killercages": [[centre(1, 1), centre(2, 1)]], "numberS": {small(1, 1): [" 5", 1]}},
        {"cage(1,1,1)", "cage(2,1,1)", "cage_value(1,5)"},
        ("killer",),
    ),
    "a cage and its outline": (
        {"killercages": [[centre(1, 1)], []], "cage": {f"{small(1, 1, 1)},{small(1, 1, 3)}": 10}},
        {"cage(1,1,1)"},
        ("killer",),
    ),
    "a thermometer": (
        {"thermo": [[centre(4, 1), centre(3, 2)], []]},
        {"thermo(1,1,4,1)", "thermo(1,2,3,2)"},
        ("thermo",),
    ),
    "arrows": (
        {"arrows": [[centre(1, 1), centre(1, 2), centre(2, 2)]]},
        {"arrow(1,1,1,1)", "arrow(1,2,1,2)", "arrow(1,3,2,2)"},
        ("arrow",),
    ),
    "dots": (
        {
            "symbol": {
                right(1, 2): [8, "circle_SS", 2],
                below(3, 4): [2, "circle_S", 1],
            }
        },
        {"white_dot(1,2,1,3,1)", "black_dot(3,4,4,4,2)"},
        ("white-dots", "black-dots"),
    ),
    "signs": (
        {
            "symbol": {
                right(1, 1): [1, "inequality", 2],
                right(2, 1): [7, "inequality", 2],
                below(1, 4): [6, "inequality", 2],
                below(2, 4): [4, "inequality", 2],
            }
        },
        {"gt(1,2,1,1)", "gt(2,1,2,2)", "gt(2,4,1,4)", "gt(2,4,3,4)"},
        ("greater-than",),
    ),
    "X and V": (
        {"number": {f"{right(1, 1)}E": ["X", 1, "1"], below(1, 1): ["V", 6, "5"]}},
        {"xv(1,1,1,2,10)", "xv(1,1,2,1,5)"},
        ("xv",),
    ),
    "a quadruple": (
        {"number": {corner(2, 1): ["133", 6, "4"]}},
        {"quadruple(2,1,1,1)", "quadruple(2,1,3,2)"},
        ("quadruple",),
    ),
    "a diagonal sum": (
        {"number": {centre(0, 2): ["7_6", 1, "2"], centre(0, 0): ["9_7", 1, "2"]}},
        {
            *("little_killer(1,1,1,1)", "little_killer_value(1,7)", "little_killer_value(2,9)"),
            *(f"little_killer(2,{k},{k},{k})" for k in range(1, 5)),
        },
        ("little-killer",),
    ),
}


@in_one_test("what", DRAWN)
def test_what_is_drawn_is_read(what):
    drawn, stated, rules = DRAWN[what]
    puzzle = read(drawn)
    assert (facts(puzzle), puzzle.elaborations, puzzle.unsupported) == (stated, rules, ())
    assert (puzzle.size, puzzle.box, puzzle.without) == (4, (2, 2), ())


def test_givens_and_titles_are_read():
    drawn = {"number": {centre(1, 1): ["4", 1, "1"], centre(4, 3): [2, 1, "10"]}}
    puzzle = read(drawn, header=",Title: One%2C two,Author: N. N.,,the rules")
    assert puzzle.givens() == {(1, 1): 4, (4, 3): 2}
    assert puzzle.heading == "One, two, by N. N."
    assert (puzzle.rules, puzzle.unsupported) == ("the rules", ("the rules in words",))


def test_clues_outside_are_read_as_the_settings_or_the_genre_state():
    drawn = {"number": {centre(2, 0): ["3", 1, "1"], centre(0, 4): ["0", 1, "1"]}}
    sandwich = read(drawn, settings="0,0,1,0")
    assert facts(sandwich) == {"sandwich_row(2,3)", "sandwich_column(4,0)"}
    skyscraper = read(drawn, genres=["skyscrapers"])
    assert facts(skyscraper) == {"skyscraper(left,2,3)", "skyscraper(top,4,0)"}
    unknown = read(drawn)
    assert facts(unknown) == set()
    assert unknown.unsupported == (
        "number: a clue outside the grid whose kind is not stated (2 times)",
    )


def test_circles_and_squares_are_odd_and_even_if_the_genre_states_it():
    drawn = {"symbol": {centre(1, 1): [3, "circle_L", 2], centre(1, 2): [3, "square_L", 2]}}
    assert facts(read(drawn, genres=["evenodd"])) == {"odd(1,1)", "even(1,2)"}
    assert read(drawn).unsupported == ("symbol: a symbol without a known meaning (2 times)",)
    assert read({}, genres=["nonconsecutive"]).elaborations == ("negative-white-dots",)
    assert read({}, genres=["sudokurve"]).unsupported == ("the genre 'sudokurve'",)


def test_drawn_regions():
    """Columns of four cells; a drawing without lines; regions of different sizes."""
    columns = lines(*[((k, c), (k + 1, c)) for k in range(N) for c in range(1, N)])
    assert read({"lineE": columns}).box == (4, 1)
    assert read({"lineE": {}}).without == ("box",)
    cut = read({"lineE": lines(((0, 1), (1, 1)), ((1, 0), (1, 1)))})
    assert cut.unsupported == ("lineE: 2 regions that have not 4 cells each",)
    # The first two columns and the last two, each cut into an L and the rest.
    ends = [((k, 2), (k + 1, 2)) for k in range(N)]
    for left in (0, 2):
        ends += [((1, left + 1), (1, left + 2)), ((1, left + 1), (3, left + 1))]
        ends[-1:] = [((k, left + 1), (k + 1, left + 1)) for k in (1, 2)]
        ends += [((3, left), (3, left + 1))]
    irregular = read({"lineE": lines(*ends)})
    regions = {fact.arguments[:2]: fact.arguments[2] for fact in irregular.facts}
    rows = ["".join(str(regions[r, c]) for c in range(1, N + 1)) for r in range(1, N + 1)]
    assert rows == ["1122", "1324", "1324", "3344"]


REPORTED = {
    "surface": {centre(1, 1): 1},
    "line": {f"{centre(1, 1)},{centre(1, 2)}": 3},
    "wall": {"1,2": 3},
    "polygon": [[1, 2]],
    "unknown": 1,
    "thermo": [[centre(1, 1)]],
    "arrows": [[centre(0, 0), centre(1, 1)]],
    "killercages": [[centre(0, 0)], ["x"]],
    "numberS": {small(1, 1): [" 5", 1]},
    "cage": {f"{small(1, 1, 1)},{small(1, 1, 3)}": 10},
    "symbol": {right(1, 4): [8, "circle_SS", 2], right(1, 1): [[1], "arrow_S", 2], "x": [1]},
    "number": {
        centre(1, 1): ["12", 1, "5"],
        centre(1, 2): ["x", 1, "1"],
        centre(0, 1): ["3_0", 1, "2"],
        right(1, 1): ["Z", 1, "1"],
        10**6: ["1", 1, "1"],
    },
    "lineE": {**boxes(), f"{corner(0, 0)},{corner(1, 1)}": 12, f"{corner(1, 1)},{corner(1, 2)}": 3},
}


@in_one_test("key", REPORTED)
def test_everything_else_is_reported(key):
    """Each entry alone is reported, too."""
    value = REPORTED[key]
    assert read({key: value}).unsupported
    for entry in value.items() if isinstance(value, dict) and key != "lineE" else ():
        assert read({key: dict([entry])}).unsupported


INVALID = {
    "not a rectangle": {"cells": [centre(1, 1), centre(1, 2), centre(2, 1)]},
    "no cells": {"cells": []},
    "cells that do not exist": {"cells": [10**9]},
    "another board": {"type_": "hex"},
    "a number twice as large": {"drawn": {"number": {centre(1, 1): ["8", 1, "1"]}}},
    "too few lines": {"lines_": 3},
    "no object": {"drawn": {"x": "\n"}, "lines_": 4},
}


@pytest.mark.parametrize("what", INVALID)
def test_an_invalid_url_is_an_error(what):
    with pytest.raises(PuzzleError, match="line 1: "):
        read(**{"drawn": {}, **INVALID[what]})


def test_damaged_urls_are_errors():
    whole = url({})
    for text in (whole[:-8], whole.replace("p=", "p=A"), whole + "é", whole.replace("&p=", "&q=")):
        with pytest.raises(PuzzleError):
            parse_all(text, "x", registry.by_name("penpa"))
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = bomb.compress(b"a" * 10**7) + bomb.flush()
    with pytest.raises(PuzzleError, match="expands to more than"):
        parse(f"m=edit&p={base64.b64encode(packed).decode()}")


def test_abbreviations_are_expanded():
    """The letter z is written as zZ, and words as z and a sign."""
    drawn = {"number": {centre(1, 1): ["4", 1, "1"]}}
    text = url(drawn, header=",Title: zZ9 azZz")
    assert parse(text).title == "z9 azz"
    puzzle = aspdoku.read(ROOT / "instances" / "made" / "thermo.txt").replace(title="zz9, zO zq")
    written = registry.write(registry.by_name("penpa"), [puzzle])
    assert parse(written).title == puzzle.title


def test_an_outline_and_a_sum_are_drawn_for_a_cage():
    cells = [Function("cage", (r, c, "A")) for r, c in ((1, 1), (1, 2), (2, 1), (2, 2))]
    puzzle = read({}).replace(
        facts=(*cells, Function("cage_value", ("A", 10))), elaborations=("killer",)
    )
    text = registry.write(registry.by_name("penpa"), [puzzle])
    packed = base64.b64decode(text.partition("&p=")[2])
    drawn = zlib.decompress(packed, -15).decode().split("\n")[3]
    assert f'z1:{{"{small(1, 1)}":[" 10",1]}}' in drawn
    assert f'"{small(1, 1, 1)},{small(1, 2)}":10' in drawn  # between the two upper cells
    assert drawn.count(":10") == 8 + 4


def instances():
    """The bundled puzzles of the rules that can be drawn."""
    for name in (
        *("arrow", "black-dots", "cages", "diagonal", "even", "killer", "little-killer", "odd"),
        *("negative-white-dots", "quadruple", "sandwich", "skyscraper", "thermo", "xv"),
    ):
        yield ROOT / "instances" / "made" / f"{name}.txt"


@pytest.mark.slow
def test_the_bundled_puzzles_are_written_and_read_back():
    for file in instances():
        puzzle = aspdoku.read(file)
        text = registry.write(registry.by_name("penpa"), [puzzle])
        assert not differences(puzzle, parse(text)), file


# ---- Boards that are not square, and several boards ----


class Drawing:
    """A document of Penpa+ with these cells, on a board of 12x12."""

    size = 12

    def __init__(self, cells):
        self.cells = set(cells)
        self.drawn = {"lineE": {}, "number": {}}

    def point(self, row, column, kind=0):
        width = self.size + 4
        return kind * width * width + (row + 1) * width + column + 1

    def borders(self, squares, style=2):
        """Lines around rectangles, except where Penpa+ itself draws the frame."""
        for row, column, height, width in squares:
            inside = {(row + y, column + x) for y in range(height) for x in range(width)}
            for r, c in inside:
                for y, x, ends in (
                    (-1, 0, ((r - 1, c - 1), (r - 1, c))),
                    (1, 0, ((r, c - 1), (r, c))),
                    (0, -1, ((r - 1, c - 1), (r, c - 1))),
                    (0, 1, ((r - 1, c), (r, c))),
                ):
                    if (r + y, c + x) in self.cells - inside:
                        line = ",".join(str(self.point(*end, kind=1)) for end in ends)
                        self.drawn["lineE"][line] = style
        return self

    def url(self):
        places = sorted(self.point(*cell) for cell in self.cells)
        steps = [each - before for before, each in zip([0, *places], places, strict=False)]
        first = f"square,{self.size},{self.size},38,0,1,1,494,494,136,136,0,0,0,0"
        texts = [first, "[0,0,0,0]", "{}", json.dumps(self.drawn), "{}", json.dumps(steps)]
        texts += ["[]", "{}", *['"x"'] * 9, "[]"]
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress("\n".join(texts).encode()) + packer.flush()
        return f"https://x.org/penpa-edit/#m=edit&p={base64.b64encode(packed).decode()}"

    def read(self):
        return parse(self.url())


def rectangle(row, column, height, width):
    return [(row + y, column + x) for y in range(height) for x in range(width)]


def tiles(cells, height, width):
    """Boxes of this shape that cover the cells, from the upper left one on."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return [
        (r, c, height, width)
        for r, c in sorted(cells)
        if (r - top) % height == 0 and (c - left) % width == 0
    ]


def places(puzzle):
    return {fact.arguments[1:] for fact in puzzle.facts if fact.name == "board"}


@pytest.mark.parametrize(
    ("box", "stated"),
    [
        ((2, 3), []),
        ((6, 1), [Function("board_box", (1, 6, 1))]),
        ((1, 6), [Function("board_box", (1, 1, 6))]),
        (None, [Function("board_box", (1, 0, 0))]),
    ],
)
def test_a_rectangle_is_a_board(box, stated):
    cells = rectangle(3, 2, 6, 6)[:24] if box != (6, 1) else rectangle(3, 2, 6, 4)
    rows, columns = (6, 4) if box == (6, 1) else (4, 6)
    drawing = Drawing(cells)
    if box:
        drawing.borders(tiles(cells, *box))
    drawing.drawn["number"][drawing.point(3, 4)] = ["5", 1, "1"]
    puzzle = drawing.read()
    assert puzzle.facts == (Function("board", (1, 1, 1, rows, columns)), *stated)
    assert puzzle.givens() == {(1, 3): 5}
    assert (puzzle.size, puzzle.numbers, puzzle.unsupported) == (6, range(1, 7), ())
    assert (puzzle.elaborations, puzzle.without) == (("boards",), ("row", "column"))


def test_regions_of_a_rectangle():
    cells = rectangle(1, 1, 2, 4)
    drawing = Drawing(cells)
    drawing.drawn["lineE"] = {
        f"{drawing.point(*one, kind=1)},{drawing.point(*other, kind=1)}": 2
        for one, other in (((0, 3), (1, 3)), ((1, 1), (1, 2)), ((1, 2), (1, 3)), ((1, 1), (2, 1)))
    }
    puzzle = drawing.read()
    regions = {fact.arguments[:2]: fact.arguments[2] for fact in puzzle.facts if fact.name == "box"}
    assert [[regions[r, c] for c in range(1, 5)] for r in (1, 2)] == [[1, 1, 1, 2], [1, 2, 2, 2]]
    assert Function("board_box", (1, 0, 0)) in puzzle.facts
    assert aspdoku.count(puzzle).count == 72  # as the brute force of the tests of another format
    drawing.drawn["lineE"].popitem()
    assert drawing.read().unsupported == ()  # a line with a loose end divides nothing
    odd = Drawing(cells).borders([(1, 1, 2, 1)]).read()
    assert odd.unsupported == ("lineE: 2 regions that have not 4 cells each",)


# Boards of 4x4 with boxes of 2x2.
SQUARES = {
    "two": [(1, 1), (3, 3)],
    "three in a corner": [(1, 1), (1, 5), (5, 1)],
    "a ring": [(1, 3), (3, 1), (3, 5), (5, 3)],
    "a windmill": [(1, 3), (3, 7), (5, 1), (5, 5)],
    "a flower": [(1, 3), (3, 1), (3, 3), (3, 5), (5, 3)],
    "apart": [(1, 1), (7, 6)],
}
# Those that another square of the same size in the drawing makes ambiguous, without thicker lines.
AMBIGUOUS = {"three in a corner", "a ring", "a windmill", "a flower"}


def drawing_of(squares):
    cells = {cell for square in squares for cell in rectangle(*square, 4, 4)}
    boxes = {box for square in squares for box in tiles(rectangle(*square, 4, 4), 2, 2)}
    return Drawing(cells).borders(sorted(boxes))


@pytest.mark.parametrize("name", SQUARES)
def test_several_boards_are_determined_by_their_boxes_or_by_thicker_lines(name):
    squares = SQUARES[name]
    drawing = drawing_of(squares)
    expected = {(*square, 4, 4) for square in squares}
    if name in AMBIGUOUS:
        with pytest.raises(PuzzleError, match="it is not clear whether the 4x4 cells from r"):
            drawing.read()
    else:
        puzzle = drawing.read()
        assert (places(puzzle), puzzle.numbers) == (expected, range(1, 5))
        assert {fact.name for fact in puzzle.facts} == {"board"}
    puzzle = drawing.borders([(*square, 4, 4) for square in squares], 21).read()
    if name == "a ring":  # its middle is framed, too
        expected.add((3, 3, 4, 4))
    assert (places(puzzle), puzzle.unsupported) == (expected, ())


@pytest.mark.parametrize("style", [2, 21])
def test_a_square_is_one_grid_unless_some_lines_are_thicker_than_others(style):
    drawing = Drawing(rectangle(1, 1, 6, 6)).borders(tiles(rectangle(1, 1, 6, 6), 2, 2), style)
    puzzle = drawing.read()
    assert puzzle.unsupported == ("lineE: 9 regions that have not 6 cells each",)
    assert (places(puzzle), puzzle.elaborations, puzzle.without) == (set(), (), ("box",))


def test_a_drawing_that_determines_no_boards_is_rejected():
    cells = [*rectangle(1, 1, 4, 4), *rectangle(5, 1, 1, 2)]
    with pytest.raises(PuzzleError, match="r1c1 is in no square of 18 regions of 18 cells"):
        Drawing(cells).read()
    with pytest.raises(PuzzleError, match="do not divide them into regions of the same size"):
        Drawing(cells).borders(tiles(cells[:16], 2, 2)).read()
    cells = [*rectangle(1, 1, 4, 4), *rectangle(5, 1, 2, 2)]
    with pytest.raises(PuzzleError, match="r5c1 is in no square of 4 regions of 4 cells"):
        Drawing(cells).borders(tiles(cells, 2, 2)).read()
    drawing = drawing_of(SQUARES["two"]).borders([(1, 1, 2, 2)], 21)
    with pytest.raises(PuzzleError, match="the thickest lines are not the outlines of boards"):
        drawing.read()


DIAGONAL_CASES = {
    "both boards": ([(1, 1, 1), (3, 3, 1), (1, 4, -1), (3, 6, -1)], []),
    "down, by one line": ([(1, 1, 1), (3, 3, 1)], ["1,down", "2,down"]),
    "one of the lower board": ([(3, 6, -1)], ["2,up"]),
}


def draw_diagonals(drawing, starts, length=4):
    for row, column, step in starts:
        for k in range(length):
            y, x = row + k, column + step * k
            ends = [(y - 1, x - 1), (y, x)] if step == 1 else [(y - 1, x), (y, x - 1)]
            first, last = sorted(drawing.point(*end, kind=1) for end in ends)
            drawing.drawn["lineE"][f"{first},{last}"] = 12


@pytest.mark.parametrize("name", DIAGONAL_CASES)
def test_diagonals_of_boards(name):
    starts, expected = DIAGONAL_CASES[name]
    drawing = drawing_of(SQUARES["two"])
    draw_diagonals(drawing, starts)
    puzzle = drawing.read()
    assert (puzzle.elaborations, puzzle.unsupported) == (("board-diagonals", "boards"), ())
    chosen = [str(fact) for fact in puzzle.facts if fact.name == "board_diagonal"]
    assert chosen == [f"board_diagonal({each})" for each in expected]
    again = parse(registry.write(registry.by_name("penpa"), [puzzle]))
    assert facts(again) == facts(puzzle)


def test_parts_of_diagonals_and_texts_outside_of_boards_are_reported():
    drawing = drawing_of(SQUARES["two"])
    draw_diagonals(drawing, [(1, 1, 1)], 3)
    drawing.drawn["number"][drawing.point(2, 5)] = ["7", 1, "1"]
    drawing.drawn["number"][drawing.point(3, 5)] = ["3", 1, "1"]
    puzzle = drawing.read()
    assert puzzle.givens() == {(3, 5): 3}
    assert puzzle.elaborations == ("boards",)
    assert puzzle.unsupported == (
        "lineE: a part of a diagonal",
        "number: a text outside several boards, or a rectangle",
    )


PLAIN_BOARDS = [file for file, _ in BOARDS if file.stem != "extra-cell"]  # which is not on a board


@pytest.mark.parametrize("file", PLAIN_BOARDS, ids=lambda file: file.stem)
def test_bundled_puzzles_on_boards_are_written_and_read_back(file):
    puzzle = aspdoku.read(file)
    again = parse(registry.write(registry.by_name("penpa"), [puzzle]))
    assert places(again) == places(puzzle)
    assert (again.grid, again.numbers) == (puzzle.grid, puzzle.numbers)
    assert aspdoku.solve(again).solution.rows == aspdoku.solve(puzzle).solution.rows


def result(call):
    """What is returned, or the error message."""
    try:
        return call(), ""
    except PuzzleError as error:
        return None, str(error)


@in_one_test("seed", range(40))
def test_random_boards_are_read_back_or_rejected(seed):
    """Without thicker lines, the same drawing gives the same boards or an error, no others."""
    random = Random(f"boards {seed}")
    squares = {(2 * random.randrange(4) + 1, 2 * random.randrange(4) + 1) for _ in range(4)}
    squares = [(row - 2 * (min(squares)[0] // 2), column) for row, column in sorted(squares)]
    left = min(column for _, column in squares) - 1
    squares = [(row, column - left) for row, column in squares]
    size = max(map(max, squares)) + 3
    facts = tuple(
        Function("board", (f"b{place}", *square, 4, 4)) for place, square in enumerate(squares)
    )
    puzzle = Puzzle(
        ((None,) * size,) * size,
        facts=facts,
        elaborations=("boards",),
        without=("row", "column"),
        numbers=range(1, 5),
    )
    expected = {(*square, 4, 4) for square in squares}
    text, message = result(lambda: registry.write(registry.by_name("penpa"), [puzzle]))
    assert places(parse(text)) == expected if text else "cannot represent" in message
    plain, message = result(drawing_of(squares).read)
    if plain:
        assert plain.unsupported or places(plain) == expected or len(squares) == 1
    else:
        assert "the cells of the board do not form a rectangle" in message


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        ("board(x,2,1,4,6).", "empty rows or columns around the boards"),
        ("board(x,1,1,4,4).", "empty rows or columns around the boards"),
        ("board(x,1,1,6,6).", "the rule boards"),
        ("board(x,1,1,4,6). skyscraper(left,1,2).", "clues outside several boards, or a rectangle"),
        ("board(x,1,1,4,6). board(y,3,1,4,6).", "the rule boards"),
        ("board(x,1,1,4,6). board(y,5,1,2,2).", "into regions of the same size"),
        ("board(x,1,1,4,6). board_box(x,2,5).", "the rule boards"),
        ("board(x,1,1,4,6). thermo(1,1,4,1). thermo(1,2,5,1).", "a cell outside the grid"),
    ],
)
def test_other_boards_are_not_written(facts, what):
    rows = ". . . . . .\n" * 6
    rules = [rule for rule in ("skyscraper", "thermo") if rule in facts]
    text = f"with: {', '.join(['boards', *rules])}\nwithout: row, column\n{rows}[facts]\n{facts}"
    with pytest.raises(PuzzleError) as caught:
        registry.write(registry.by_name("penpa"), [parse(text)])
    assert what in str(caught.value)


# ---- puzz.link ----

# The grids were decoded by hand: letters from g to z are 1 to 20 empty cells.
PUZZLINK = {
    "https://puzz.link/p?sudoku/4/4/g1k23k3g": ".1.....23.....3.",
    "https://puzz.link/p.html?sudoku/4/4/g1k23k3g": ".1.....23.....3.",
    "https://puzz.link/p_edit.html?sudoku/4/4/g1k23k3g": ".1.....23.....3.",
    "http://pzv.jp/p.html?sudoku/4/4/i1g2j4g3i": "...1.2....4.3...",
}


@pytest.mark.parametrize("text", PUZZLINK)
def test_a_url_of_puzzlink_is_read(text):
    puzzle = parse(text)
    cells = "".join(str(number or ".") for row in puzzle.grid for number in row)
    assert cells == PUZZLINK[text]
    again = registry.write(registry.by_name("puzzlink"), [puzzle])
    assert again.strip().rpartition("?")[2] == text.rpartition("?")[2]


def test_numbers_above_15_have_two_digits():
    puzzle = parse("https://puzz.link/p?sudoku/16/16/-10z" + "z" * 11 + "u")
    assert puzzle.givens() == {(1, 1): 16}
    assert puzzle.box == (4, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://puzz.link/p?nurikabe/4/4/g1k23k3g", "unsupported type of puzzle 'nurikabe'"),
        ("https://puzz.link/p?sudoku/8/8/zzzj", "boxes of a grid of 8 rows"),
        ("https://puzz.link/p?sudoku/4/5/zz", "boxes of a grid of 5 rows and 4 columns"),
        ("https://puzz.link/p?sudoku/4/4/g1k23k3", "15 cells instead of 16"),
        ("https://puzz.link/p?sudoku/4/4/g1k23k3%", "invalid cell '%'"),
        ("https://puzz.link/p?sudoku/4/4/g5k23k3g", "invalid number 5"),
        ("https://puzz.link/p?sudoku/4/4/g0k23k3g", "invalid number 0"),
        ("https://puzz.link/p?sudoku", "expected …/p?sudoku/9/9/"),
    ],
)
def test_other_urls_of_puzzlink_are_errors(text, message):
    with pytest.raises(PuzzleError) as caught:
        parse(text, "x")
    assert str(caught.value).startswith("x:1: ")
    assert message in str(caught.value)


# ---- Damaged documents ----

JUNK = [0, -1, 1.5, "", "x", "1,2", "²", None, True, [], {}, [[1]], {"²": ["1", 1, "1"]}, 10**12]


def damaged(node, rng):
    """The node with one key or value replaced."""
    if isinstance(node, dict) and node and rng.random() < 0.8:
        key = rng.choice(list(node))
        if rng.random() < 0.2:
            return {("-1" if each == key else each): value for each, value in node.items()}
        return node | {key: damaged(node[key], rng)}
    if isinstance(node, list) and node and rng.random() < 0.8:
        place = rng.randrange(len(node))
        return [*node[:place], damaged(node[place], rng), *node[place + 1 :]]
    return rng.choice(JUNK)


def test_a_damaged_document_is_a_puzzle_or_an_error():
    rng = Random(os.environ.get("ASPDOKU_SEED", "1"))
    whole = [drawn for drawn, _, _ in DRAWN.values()] + [{key: REPORTED[key]} for key in REPORTED]
    for _ in range(300):
        drawn = json.loads(json.dumps({**rng.choice(whole), **rng.choice(whole)}))
        key = rng.choice(list(drawn) or ["x"])
        text = url(drawn | {key: damaged(drawn.get(key), rng)})
        outcome: object
        try:
            outcome = parse(text, "x")
        except AspdokuError as error:
            outcome = str(error)
        assert isinstance(outcome, Puzzle) or str(outcome).startswith("x:1: ")
