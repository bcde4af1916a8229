"""The layout of pictures: elements do not overlap, and stay within the page."""

from itertools import combinations

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, compose
from aspdoku.drawing import Marks, picture
from aspdoku.drawing.canvas import PALETTE
from aspdoku.drawing.shapes import Circle, Path, Text
from aspdoku.drawing.style import styles_of
from aspdoku.puzzle.puzzle import joined_cells

# Widths of Helvetica-Bold by its font metrics, and the height of its digits, as parts of the font's
# size.
WIDTHS = {
    "W": 0.944,
    "m": 0.889,
    "@": 0.975,
    "i": 0.278,
    "x": 0.556,
    "M": 0.833,
    "A": 0.722,
    "t": 0.333,
    "0": 0.556,
    " ": 0.278,
}
HEIGHT = 0.72


def made(size, stated, *rules, **more):
    puzzle = aspdoku.parse(
        ". " * size + ("\n" + ". " * size) * (size - 1) + "\n[facts]\n" + stated + "\n"
    )
    return picture(puzzle, styles_of(compose(Puzzle.blank(size), *rules)), **more)


def of(kind, drawing):
    return [shape for shape in drawing.shapes if shape.kind == kind]


def box(words):
    """Left, top, right and bottom of digits, which all have the same width."""
    width, half = 0.556 * words.size * len(words.text), HEIGHT * words.size / 2
    left = words.at.x - (width / 2 if words.centred else 0)
    return left, words.at.y - half, left + width, words.at.y + half


def meet(one, other):
    (left, top, right, bottom), (left1, top1, right1, bottom1) = box(one), box(other)
    return left < right1 and left1 < right and top < bottom1 and top1 < bottom


def cells(drawing, words):
    """The cells in which they are placed."""
    corner = of("frame", drawing)[0].points[0]
    return [(int(each.at.y - corner.y) + 1, int(each.at.x - corner.x) + 1) for each in words]


# ---- The page ----


@in_one_test("size", [2, 4, 9, 16, 25])
@in_one_test("letter", sorted(set(WIDTHS) - {" "}))
@in_one_test("length", [7, 300])
def test_a_title_stays_on_the_page_and_loses_no_letter(size, letter, length):
    title = " ".join(letter * length for _ in range(30 // length + 1))
    drawing = picture(Puzzle.blank(size).replace(title=title))
    lines = of("title", drawing)
    assert "".join(each.text for each in lines).replace(" ", "") == title.replace(" ", "")
    assert all(each.size * sum(map(WIDTHS.get, each.text)) <= drawing.width for each in lines)


def test_a_note_stays_on_the_page():
    drawing = picture(Puzzle.blank(4), titles={"ours": "M" * 200})
    lines = of("note", drawing)
    assert len(lines) > 1
    assert all(each.at.x + 0.833 * each.size * len(each.text) <= drawing.width for each in lines)


def test_a_short_title_is_one_line():
    assert [
        each.text
        for each in of(
            "title", picture(Puzzle.blank(9).replace(title="Jigsaw with overlapping cages"))
        )
    ] == ["Jigsaw with overlapping cages"]


# ---- Labels ----


@pytest.mark.parametrize(
    ("stated", "labels"),
    [
        ("cage(1,1..2,a). cage(1..2,1,a). cage(1,1..2,b).", {(1, 1): "20", (1, 2): "7"}),
        ("cage(4,4,a). cage(3,3,a).", {(3, 3): "20", (4, 4): "20"}),
        ("cage(1,1..2,a). cage(3,1..2,a).", {(1, 1): "20", (3, 1): "20"}),
        ("cage(1,1..2,a). cage(2,1..2,b).", {(1, 1): "20", (2, 1): "7"}),
    ],
)
def test_each_piece_of_a_cage_has_a_label_in_a_separate_cell(stated, labels):
    drawing = made(
        4, stated + "cage_value(a,20)." + ("cage_value(b,7)." if ",b)" in stated else ""), "killer"
    )
    found = of("label", drawing)
    assert dict(zip(cells(drawing, found), (each.text for each in found), strict=True)) == labels


@pytest.mark.parametrize("number", [2, 3])
def test_labels_of_the_same_single_cell_are_stacked(number):
    drawing = made(4, f"cage(2,2,1..{number}). cage_value(1..{number},123456).", "killer")
    found = of("label", drawing)
    assert cells(drawing, found) == [(2, 2)] * number
    assert not any(meet(one, other) for one, other in combinations(found, 2))
    assert all(box(each)[2] < of("frame", drawing)[0].points[0].x + 2 for each in found)


@pytest.mark.parametrize("size", [4, 6, 9, 16])
@pytest.mark.parametrize("cages", [1, 2])
def test_candidates_and_labels_do_not_overlap(size, cages):
    span = range(1, size + 1)
    every = Marks(candidates={(row, column): span for row in span for column in span})
    drawing = made(size, f"cage(2,2,1..{cages}). cage_value(1..{cages},45).", "killer", marks=every)
    candidates, labels = of("candidate", drawing), of("label", drawing)
    assert (len(candidates), len(labels)) == (size**3, cages)
    assert not any(meet(one, label) for one in candidates for label in labels)
    inside = [
        each
        for each, cell in zip(candidates, cells(drawing, candidates), strict=True)
        if cell == (2, 2)
    ]
    assert len(inside) == size
    assert not any(meet(one, other) for one, other in combinations(inside, 2))


def test_pencil_marks_are_below_the_labels_of_a_later_rule():
    drawing = made(
        9, "pencilmark(2,2,1..9). cage(2,2,a). cage_value(a,45).", "pencilmarks", "killer"
    )
    (label,) = of("label", drawing)
    assert len(of("candidate", drawing)) == 9
    assert not any(meet(each, label) for each in of("candidate", drawing))


def test_joined_cells_are_connected_by_sides():
    assert joined_cells([(1, 1), (1, 2), (2, 2), (3, 3), (4, 4)]) == [
        [(1, 1), (1, 2), (2, 2)],
        [(3, 3)],
        [(4, 4)],
    ]


# ---- Outside of the grid ----

DIAGONALS = "little_killer({0},1,1,{1}). little_killer({0},2,2,{2}). little_killer_value({0},{3})."


@pytest.mark.parametrize(
    ("stated", "moved"),
    [
        (
            DIAGONALS.format(1, 2, 3, 25)
            + "sandwich_column(1,15). sandwich_row(1,20). x_sum(top,1,31).",
            0,
        ),
        (DIAGONALS.format(1, 1, 2, 25) + "sandwich_column(1,15). sandwich_row(1,20).", 0),
        (DIAGONALS.format(1, 2, 3, 25) + DIAGONALS.format(2, 2, 3, 24), 1),
        (DIAGONALS.format(1, 1, 2, 1234567890) + DIAGONALS.format(2, 1, 2, 1234567890), 1),
        (DIAGONALS.format(1, 4, 5, 125) + DIAGONALS.format(2, 2, 1, 123), 0),
        (
            DIAGONALS.format(1, 3, 3, 125)
            + DIAGONALS.format(2, 4, 5, 123)
            + DIAGONALS.format(3, 3, 4, 1234567),
            2,
        ),
    ],
)
def test_clues_do_not_overlap_and_stay_on_the_page(stated, moved):
    drawing = made(6, stated, "sandwich", "x-sum", "little-killer")
    clues = of("clue", drawing)
    assert len(clues) >= 2
    assert not any(meet(one, other) for one, other in combinations(clues, 2))
    assert len(of("leader", drawing)) == moved
    corner = of("frame", drawing)[0].points[0]
    for left, top, right, bottom in map(box, clues):
        assert left >= 0
        assert top >= 0
        assert right <= drawing.width
        assert right < corner.x or bottom < corner.y or left > corner.x + 6


# ---- Input that no rule uses ----


def test_a_cell_with_a_fact_of_an_unknown_predicate_is_shaded():
    drawing = made(4, "p(1,2).")
    assert [type(each) for each in of("area", drawing)] == [Path]
    assert not any(isinstance(each, Circle) for each in drawing.shapes)


@pytest.mark.parametrize(
    ("stated", "rules", "starts"),
    [
        ("p(1,1,2,2). p(1,2,2,3).", (), [(2, 2)]),
        ("p(1,2,2,2). p(1,1,2,3).", (), [(2, 3)]),
        ("p(1,1,2,2).", (), []),
        ("renban(1,1,2,2). renban(1,2,2,3).", ("renban",), []),
    ],
)
def test_a_line_with_the_default_style_begins_with_a_dot(stated, rules, starts):
    drawing = made(4, stated, *rules)
    corner = of("frame", drawing)[0].points[0]
    found = [
        (each.centre.y - corner.y + 0.5, each.centre.x - corner.x + 0.5)
        for each in of("start", drawing)
    ]
    assert [tuple(round(each, 6) for each in place) for place in found] == starts


def test_the_legend_shows_every_colour():
    drawing = made(4, "p(1,1,a). p(2,2,b). p(3,3,c).")
    patches = [each for each in of("note", drawing) if isinstance(each, Path)]
    assert [each.fill for each in patches] == list(PALETTE[:3])
    (text,) = [each for each in of("note", drawing) if isinstance(each, Text)]
    assert max(point.x for each in patches for point in each.points) < text.at.x
