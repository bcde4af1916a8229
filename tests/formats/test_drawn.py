"""Elements of drawings, from documents made by hand; what is expected follows from the geometry."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from drawn_documents import GREY, RING, TEXT, WHITE, arrow, circle, editor, line, pad, square
from in_one_test import in_one_test

from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import urls, worded
from aspdoku.formats.drawn import pictures
from aspdoku.formats.drawn.colours import colour, names
from aspdoku.formats.drawn.sketches import sketch_of
from aspdoku.formats.fpuzzles import table

LINKS = Path(__file__).parents[3] / "shared" / "data" / "links.jsonl"


def sketch(document):
    return sketch_of(document, urls.puzzle_from_document(document))


# Drawings of a 4x4 grid, with the elements in words.
DRAWINGS = {
    "a line": ({"lines": [line((1, 1), (1, 3), (2, 4))]}, ["grey line along r1c1…r2c4"]),
    "a thermometer": (
        {"lines": [line((1, 1), (1, 3))], "underlays": [circle(1, 1, **GREY)]},
        ["grey thermometer along r1c1…r1c3"],
    ),
    "a thermometer drawn from its tip": (
        {"lines": [line((1, 3), (1, 1))], "underlays": [circle(1, 1, **GREY)]},
        ["grey thermometer along r1c1…r1c3"],
    ),
    "a thermometer with branches": (
        {
            "lines": [line((1, 1), (1, 3)), line((1, 2), (3, 2)), line((2, 2), (2, 4))],
            "underlays": [circle(1, 1, **GREY)],
        },
        [
            "grey thermometer along r1c1…r1c3",
            "grey thermometer along r1c1…r3c2",
            "grey thermometer along r1c1…r2c4",
        ],
    ),
    "thermometers that cross in a cell": (
        {
            "lines": [line((2, 1), (2, 3)), line((1, 2), (3, 2))],
            "underlays": [circle(2, 1, **GREY), circle(1, 2, **GREY)],
        },
        ["grey thermometer along r2c1…r2c3", "grey thermometer along r1c2…r3c2"],
    ),
    "a branch of two thermometers": (
        {
            "lines": [line((1, 1), (1, 3)), line((3, 1), (3, 3)), line((1, 2), (3, 2))],
            "underlays": [circle(1, 1, **GREY), circle(3, 1, **GREY)],
        },
        [
            "grey thermometer along r1c1…r1c3",
            "grey thermometer along r3c1…r3c3",
            "grey line along r1c2…r3c2",
        ],
    ),
    "a hollow bulb": (
        {
            "lines": [line((1, 1), (1, 3)), line((3, 1), (3, 3), thickness=8)],
            "overlays": [
                circle(1, 1, backgroundColor="#fff", borderColor="#cccccc"),
                circle(3, 1, backgroundColor="#fff", borderColor="#cccccc"),
            ],
        },
        [
            "grey thermometer along r1c1…r1c3",
            "grey line along r3c1…r3c3",
            "white circle in r3c1",
        ],
    ),
    "circles at both ends": (
        {"lines": [line((1, 1), (1, 3))], "overlays": [circle(1, 1, **GREY), circle(1, 3, **GREY)]},
        ["grey line along r1c1…r1c3", "grey circle in r1c1", "grey circle in r1c3"],
    ),
    "a circle of another colour": (
        {
            "lines": [line((1, 1), (1, 3))],
            "underlays": [circle(1, 1, backgroundColor="#ff0000")],
        },
        ["grey line along r1c1…r1c3", "red circle in r1c1"],
    ),
    "a closed line": (
        {"lines": [line((1, 1), (1, 2), (2, 2), (2, 1), (1, 1), color="#67f067")]},
        ["green closed line along r1c1…r2c1"],
    ),
    "two pieces": (
        {"lines": [line((1, 3), (1, 2)), line((1, 3), (3, 3))]},
        ["grey line along r1c2…r3c3"],
    ),
    "pieces that meet where a third line passes": (
        {"lines": [line((1, 2), (1, 3)), line((1, 3), (2, 3)), line((1, 4), (1, 3), (2, 4))]},
        [
            "grey line along r1c2, r1c3",
            "grey line along r1c3, r2c3",
            "grey line along r1c4…r2c4",
        ],
    ),
    "pieces of two colours": (
        {"lines": [line((1, 2), (1, 3)), line((1, 3), (2, 3), color="#f067f0")]},
        ["grey line along r1c2, r1c3", "purple line along r1c3, r2c3"],
    ),
    "pieces that meet in a circle": (
        {
            "lines": [line((1, 2), (1, 3)), line((1, 3), (2, 3))],
            "overlays": [circle(1, 3, **WHITE)],
        },
        ["grey line along r1c2, r1c3", "grey line along r1c3, r2c3", "white circle in r1c3"],
    ),
    "a mark": ({"lines": [line((1, 1.2), (1, 1.4))]}, ["grey mark in r1c1"]),
    "an arrow": (
        {"overlays": [circle(1, 1, **RING)], "arrows": [arrow((0.5, 0.9), (0.5, 2.5), (1.5, 2.5))]},
        ["grey arrow from r1c1 to r1c2…r2c3"],
    ),
    "two arrows of a circle": (
        {
            "overlays": [circle(2, 2, **RING)],
            "arrows": [arrow((1.5, 1.9), (1.5, 2.5)), arrow((1.2, 1.2), (0.5, 0.5))],
        },
        ["grey arrow from r2c2 to r2c3 to r1c1"],
    ),
    "an arrow from a pill": (
        {
            "overlays": [circle(1, 1.5, 0.8, width=1.8, **RING)],
            "arrows": [arrow((0.9, 1.5), (3.5, 1.5))],
        },
        ["grey arrow from r1c1, r1c2 to r2c2…r4c2"],
    ),
    "an arrow without a circle": (
        {"arrows": [arrow((0.5, 0.5), (2.5, 0.5))]},
        ["grey arrow from r1c1…r3c1"],
    ),
    "a diagonal before the grid": (
        {"arrows": [arrow((-0.3, 0.7), (-0.1, 0.9))], "overlays": [circle(0, 1, 1, text="9")]},
        ["grey clue '9' outside the grid before r1c2…r3c4"],
    ),
    "an arrow before the grid": (
        {"arrows": [arrow((-0.3, 0.7), (-0.1, 0.9))]},
        ["grey clue outside the grid before r1c2…r3c4"],
    ),
    "a clue with a white text": (
        {
            "arrows": [arrow((-0.3, 0.7), (-0.1, 0.9))],
            "overlays": [circle(0, 1, 1, text="?", color="#FFFFFF")],
        },
        ["grey clue outside the grid before r1c2…r3c4"],
    ),
    "clues at four edges": (
        {
            "overlays": [
                *(circle(0, 2, **{**TEXT, "text": "1"}), circle(5, 2, **{**TEXT, "text": "2"})),
                *(circle(2, 0, **{**TEXT, "text": "3"}), circle(2, 5, **{**TEXT, "text": "4"})),
            ]
        },
        [
            "clue '1' outside the grid before r1c2…r4c2",
            "clue '2' outside the grid before r4c2…r1c2",
            "clue '3' outside the grid before r2c1…r2c4",
            "clue '4' outside the grid before r2c4…r2c1",
        ],
    ),
    "dots": (
        {"overlays": [circle(1, 1.5, 0.3, **WHITE), circle(1.5, 1, 0.3, backgroundColor="#000")]},
        ["white dot between r1c1, r1c2", "black dot between r1c1, r2c1"],
    ),
    "a dot of a circle and a text": (
        {"overlays": [circle(1, 1.5, 0.3, **WHITE), circle(1, 1.5, **{**TEXT, "text": "2"})]},
        ["white dot '2' between r1c1, r1c2"],
    ),
    "a white text on a black dot": (
        {
            "overlays": [
                circle(1, 1.5, 0.4, backgroundColor="#000"),
                circle(1, 1.5, **{**TEXT, "text": "3", "color": "#fff"}),
            ]
        },
        ["black dot '3' between r1c1, r1c2"],
    ),
    "a white text in a shaded cell": (
        {
            "underlays": [square(1, 1, 1, backgroundColor="#000")],
            "overlays": [circle(1, 1, **{**TEXT, "text": "3", "color": "#fff"})],
        },
        ["black shaded area in r1c1", "text '3' in r1c1"],
    ),
    "a white circle on a line": (
        {"lines": [line((1, 1), (1, 3))], "overlays": [circle(1, 2, backgroundColor="#fff")]},
        ["grey line along r1c1…r1c3", "white circle in r1c2"],
    ),
    "a white square that hides a cell": (
        {"overlays": [square(1, 2, 1, backgroundColor="#fff")]},
        ["white square in r1c2"],
    ),
    "a text on a white ground": (
        {"overlays": [circle(1, 1.5, 0.3, backgroundColor="#fff", text="x")]},
        ["sign 'X' between r1c1, r1c2"],
    ),
    "signs": (
        {
            "overlays": [
                *(circle(1, 1.5, text="<"), circle(2, 1.5, text=">")),
                *(circle(1.5, 3, text="<", angle=90), circle(2.5, 3, text="∨")),
            ]
        },
        [
            "sign '>' between r1c2, r1c1",
            "sign '>' between r2c1, r2c2",
            "sign '>' between r2c3, r1c3",
            "sign '>' between r2c3, r3c3",
        ],
    ),
    "a corner": (
        {"overlays": [circle(1.5, 1.5, 0.6, text="1 3", **WHITE)]},
        ["white circle '1 3' at the corner of r1c1, r1c2, r2c1, r2c2"],
    ),
    "figures in cells": (
        {
            "underlays": [
                *(circle(1, 1, **GREY), square(1, 2, **GREY), square(1, 3, angle=45, **GREY)),
            ],
            "overlays": [circle(2, 1, **WHITE), square(2, 1, **{**TEXT, "text": "7"})],
        },
        [
            "grey circle in r1c1",
            "grey square in r1c2",
            "grey diamond in r1c3",
            "white circle '7' in r2c1",
        ],
    ),
    "a text in a cell": ({"underlays": [circle(3, 3, text="☀")]}, ["text '☀' in r3c3"]),
    "areas": (
        {
            "underlays": [
                *(square(1, 1, 1, **GREY), square(1, 2, 1, **GREY), square(3, 3, 1, **GREY)),
                square(2, 2, 1, backgroundColor="#ffff00"),
            ]
        },
        [
            "grey shaded area in r1c1, r1c2",
            "grey shaded area in r3c3",
            "yellow shaded area in r2c2",
        ],
    ),
    "a large rectangle": (
        {"underlays": [square(1.5, 2, 1, width=1, **{**GREY, "height": 2})]},
        ["grey shaded area in r1c2, r2c2"],
    ),
    "cages": (
        {
            "cages": [
                {"cells": [[0, 0], [0, 1]], "value": "?", "outlineC": "#0000ff"},
                {"cells": [[2, 2]], "sum": 3},
                {"value": "title: A title"},
            ]
        },
        ["blue cage '?' in r1c1, r1c2", "cage '3' in r3c3"],
    ),
    "a bar": (
        {"overlays": [square(1, 1.5, 0.9, **{"width": 0.1, "backgroundColor": "#000"})]},
        ["black bar between r1c1, r1c2"],
    ),
    "a line from corner to corner": (
        {"lines": [{"wayPoints": [[4, 0], [0, 4]], "color": "#34bbe6", "thickness": 2}]},
        ["blue line along r4c1…r1c4"],
    ),
    "several texts in a corner": (
        {
            "overlays": [
                circle(1.5, 1.5, 0.6, **WHITE),
                *(
                    circle(1.4, 1.4, **{**TEXT, "text": "1"}),
                    circle(1.4, 1.6, **{**TEXT, "text": "3"}),
                ),
            ]
        },
        ["white circle '1 3' at the corner of r1c1, r1c2, r2c1, r2c2"],
    ),
    "a region": (
        {"extraRegions": [{"cells": [[0, 0], [1, 1]], "backgroundColor": "#0000ff"}]},
        ["blue region of r1c1, r2c2"],
    ),
    "a dashed line": (
        {"lines": [line((1, 1), (1, 2), strokeDashArray=[3, 3])]},
        ["grey line along r1c1, r1c2"],
    ),
    "the same twice": (
        {"overlays": [circle(1, 1.5, 0.3, **WHITE), circle(1, 1.5, 0.3, **WHITE)]},
        ["white dot between r1c1, r1c2"],
    ),
}


@in_one_test("name", DRAWINGS)
def test_elements(name):
    drawings, expected = DRAWINGS[name]
    found = sketch(pad(**drawings))
    assert (sorted(map(str, found.elements)), found.unread) == (sorted(expected), ())


UNREAD = {
    "grey line at r1c1, r2c3": {"lines": [line((1, 1), (2, 3))]},
    "grey line at r1c1, r1c6": {"lines": [line((1, 1), (1, 6))]},
    "red rectangle at r1c1": {"overlays": [square(1, 1, 0.1, backgroundColor="#f00")]},
    "text '5' at r0c0": {"overlays": [circle(0, 0, text="5")]},
    "text '<' at r1c2": {"overlays": [circle(1, 1.5, text="<", angle=90)]},
    "grey line at r2c2, r2c4": {
        "lines": [{"wayPoints": [[1, 1], [1, 3]], "color": "#ccc", "thickness": 3}]
    },
    "lines 1: a line that is filled": {"lines": [line((1, 1), (1, 2), backgroundColor="#f00")]},
    "lines 1: a drawing with 'd'": {"lines": [{**line((1, 1), (1, 2)), "d": "M0 0"}]},
    "lines 1: 'x' instead of a number": {"lines": [{"wayPoints": [[0, "x"], [0, 1]]}]},
    "lines 1: '[0, 1000000]' instead of a point near the grid": {
        "lines": [{"wayPoints": [[0, 1], [0, 10**6]]}]
    },
    "overlays 1: '[]' instead of a point near the grid": {
        "overlays": [{"text": "3", "center": []}]
    },
    "arrow at r1c1, r1c1": {"arrows": [arrow((0.2, 0.2), (0.4, 0.4))]},
}


@in_one_test("words", UNREAD)
def test_what_is_unread_is_listed(words):
    found = sketch(pad(**UNREAD[words]))
    assert (found.elements, [words in text for text in found.unread]) == ((), [True])


GRID = [{"wayPoints": [[at, 0], [at, 4]], "color": "#ccc", "thickness": 1} for at in range(5)] + [
    {"wayPoints": [[0, at], [4, at]], "color": "#ccc", "thickness": 1} for at in range(5)
]


def test_what_shows_nothing_is_listed_apart():
    found = sketch(
        pad(
            lines=[*GRID, line((1, 1), (1, 2), color="none")],
            underlays=[
                *(square(2.5, 2.5, 4, **GREY), square(1, 1, backgroundColor="#fff")),
                circle(1, 2, text="", backgroundColor="#ff000000"),
            ],
        )
    )
    assert (found.elements, found.unread) == ((), ())
    assert sorted(found.without_meaning) == [
        "grey line that is part of the grid (10 times)",
        "grey rectangle behind the grid",
        "line that cannot be seen",
        "white circle that cannot be seen",
        "white rectangle that cannot be seen",
    ]


def test_a_part_of_the_grid_is_unread_except_for_its_frame():
    found = sketch(pad(lines=GRID[:-1]))
    assert len(found.unread) == 6
    assert found.without_meaning == ("grey line that is part of the grid (3 times)",)


def test_lines_around_regions_show_nothing_else():
    boxes = [[[r + y, c + x] for y in (0, 1) for x in (0, 1)] for r in (0, 2) for c in (0, 2)]
    middle = {"wayPoints": [[2, 0], [2, 2], [4, 2]], "color": "#000", "thickness": 3}
    found = sketch(pad(regions=boxes, lines=[middle]))
    assert (found.unread, found.without_meaning) == ((), ("black line that is part of the grid",))
    assert len(sketch(pad(lines=[middle])).unread) == 1


@pytest.mark.parametrize(
    ("drawings", "message"),
    [
        ({"lines": [line((1, 1), (1, 2))] * 1501}, "1501 shapes: at most 1500"),
        ({"lines": [line(*[(1, 1), (1, 2)] * 3000)]}, "6000 points of lines: at most 5000"),
        ({"cages": [{"cells": [[0, 0], [0, 1]]}] * 10_001}, "20002 cells in clues: at most 20000"),
    ],
)
def test_a_drawing_that_is_too_large(drawings, message):
    with pytest.raises(PuzzleError, match=f"a drawing of {message} are read"):
        sketch(pad(**drawings))


def test_details_of_elements():
    (joined,) = sketch(pad(lines=[line((1, 3), (1, 2)), line((1, 3), (3, 3))])).elements
    assert joined.pieces == (((1, 2), (1, 3)), ((1, 3), (2, 3), (3, 3)))
    assert joined.cells == ((1, 2), (1, 3), (2, 3), (3, 3))
    cages = [{"cells": [[0, 0]], "unique": each} for each in (True, False)] + [{"cells": [[1, 1]]}]
    found = sketch(pad(cages=cages)).elements
    assert [(each.cells, each.parts) for each in found] == [
        (((1, 1),), ("cages 1", "cages 2")),
        (((2, 2),), ("cages 3",)),
    ]
    clue = sketch(pad(arrows=[arrow((4.3, 1.7), (4.1, 1.9))])).elements[0]
    assert (clue.place, clue.direction) == ((5, 2), (-1, 1))
    assert clue.cells == ((4, 3), (3, 4))


def test_two_pieces_of_a_loop():
    pieces = [line((1, 1), (1, 2), (2, 2)), line((1, 1), (2, 1), (2, 2))]
    (found,) = sketch(pad(lines=pieces)).elements
    assert (found.kind, found.closed, len(found.pieces)) == ("line", True, 2)
    assert sorted(found.cells) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_each_part_of_a_drawing_is_in_an_element():
    drawings = {
        "lines": [line((1, 1), (1, 3)), line((1, 2), (3, 2)), line((4, 1), (4, 3), color="#f0f")],
        "underlays": [circle(1, 1, **GREY), square(3, 3, 1, **GREY), square(3, 4, 1, **GREY)],
        "overlays": [circle(2, 1.5, 0.3, **WHITE), circle(2, 1.5, **{**TEXT, "text": "1"})],
    }
    parts = {part for each in sketch(pad(**drawings)).elements for part in each.parts}
    assert parts == {
        f"{key} {at}" for key, items in drawings.items() for at in range(1, len(items) + 1)
    }


EDITOR = {
    "thermometer": ([{"lines": [["R1C1", "R1C2", "R1C3"]]}], "grey thermometer along r1c1…r1c3"),
    "odd": ([{"cell": "R2C2"}], "grey circle in r2c2"),
    "even": ([{"cell": "R2C2"}], "grey square in r2c2"),
    "maximum": ([{"cell": "R2C2"}], "grey shaded area in r2c2"),
    "difference": ([{"cells": ["R1C2", "R1C1"]}], "white dot between r1c1, r1c2"),
    "ratio": ([{"cells": ["R1C1", "R1C2"], "value": "3"}], "black dot '3' between r1c1, r1c2"),
    "xv": ([{"cells": ["R1C1", "R1C2"], "value": "X"}], "sign 'X' between r1c1, r1c2"),
    "killercage": ([{"cells": ["R1C1", "R1C2"], "value": "5"}], "cage '5' in r1c1, r1c2"),
    "cage": ([{"cells": ["R1C1"], "value": "<4", "outlineC": "#f00"}], "red cage '<4' in r1c1"),
    "arrow": (
        [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"], ["R1C1", "R2C2", "R3C3"]]}],
        "grey arrow from r1c1 to r1c2 to r2c2, r3c3",
    ),
    "quadruple": (
        [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 3]}],
        "white circle '1 3' at the corner of r1c1, r1c2, r2c1, r2c2",
    ),
    "sandwichsum": ([{"cell": "R2C0", "value": "8"}], "clue '8' outside the grid before r2c1…r2c4"),
    "littlekillersum": (
        [{"cell": "R0C1", "direction": "DR", "value": "8"}],
        "clue '8' outside the grid before r1c2…r3c4",
    ),
    "text": ([{"cells": ["R0C1"], "value": "<7"}], "clue '<7' outside the grid before r1c1…r4c1"),
    "circle": (
        [{"cells": ["R1C1", "R1C2"], "baseC": "#f00", "width": 0.3, "height": 0.3}],
        "red dot between r1c1, r1c2",
    ),
    "rectangle": (
        [{"cells": ["R1C1"], "baseC": "#00f", "width": 0.7, "height": 0.7}],
        "blue square in r1c1",
    ),
    "line": (
        [{"lines": [["R1C1", "R1C3"]], "outlineC": "#00f", "width": 0.2}],
        "blue line along r1c1…r1c3",
    ),
}


@in_one_test("key", EDITOR)
def test_elements_of_an_editor(key):
    entries, expected = EDITOR[key]
    found = sketch(editor(**{key: entries}))
    assert (list(map(str, found.elements)), found.unread) == ([expected], ())
    usual = key in {kind.key for kind in table.CONSTRAINTS}
    assert [each.conventions for each in found.elements] == [(key,) if usual else ()]


def test_an_editor_draws_lines_that_are_listed():
    lines = [["R1C1", "R1C2"], ["R2C1", "R2C2", "R2C3"]]
    found = sketch(
        editor(
            palindrome=[{"lines": lines[1:]}],
            whispers=[{"lines": lines[1:]}],
            line=[{"lines": lines, "outlineC": "#67F067", "width": 0.3}],
        )
    )
    assert [(str(each), each.conventions, each.parts) for each in found.elements] == [
        (
            *("green line along r2c1…r2c3", ("palindrome", "whispers")),
            ("palindrome 1", "line 1.2", "whispers 1"),
        ),
        ("green line along r1c1, r1c2", (), ("line 1.1",)),
    ]


def test_two_lines_of_an_editor_at_the_same_place():
    way = [["R1C1", "R1C2"]]
    colours = ("#67F067", "#F067F0")
    lines = [{"lines": way, "outlineC": each, "width": 0.3} for each in colours]
    found = sketch(editor(line=lines)).elements
    assert list(map(str, found)) == ["green line along r1c1, r1c2", "purple line along r1c1, r1c2"]
    found = sketch(editor(line=lines, whispers=[{"lines": way}])).elements
    assert [(each.colours[0], each.conventions) for each in found] == [
        ("green", ("whispers",)),
        ("purple", ()),
    ]


@pytest.mark.parametrize("key", ["line", "text", "circle"])
def test_cells_of_an_editor_that_are_none(key):
    cells = {"lines": [["R1C1", "x"]]} if key == "line" else {"cells": ["R1C1", "x"], "value": "7"}
    found = sketch(editor(**{key: [cells]}))
    assert (found.elements, len(found.unread)) == ((), 1)


def test_lines_between_circles_of_an_editor():
    found = sketch(editor(lockout=[{"lines": [["R1C1", "R1C2", "R1C3"]]}])).elements
    assert list(map(str, found)) == [
        "blue line along r1c1…r1c3",
        "white diamond in r1c1",
        "white diamond in r1c3",
    ]


def test_colours_of_cells():
    document = editor()
    document["grid"][1][2] = {"c": "#a3e048"}
    assert list(map(str, sketch(document).elements)) == ["lime shaded area in r2c3"]


def test_every_key_for_clues_has_a_look():
    assert table.LOOKS.keys() == {kind.key for kind in table.CONSTRAINTS}


COLOURS = {
    "#ff0000": "red",
    "red": "red",
    "Purple": "purple",
    "pink": "pink",
    "cyan": "cyan",
    "maroon": "maroon",
    "brown": "brown",
    "#00ff00": "green",
    "#0000ff": "blue",
    "#800080": "purple",
    "#ffff00": "yellow",
    "#ffa500": "orange",
    "#a0522d": "brown",
    "#808080": "grey",
    "#888": "grey",
    "8": "grey",
    "#000": "black",
    "#ffffffff": "white",
    "#ff000080": "red",
    "#00000033": "grey",
    "rgba(0, 0, 255, 0.5)": "blue",
    "rgb(255,0,0)": "red",
    "lightgrey": "grey",
}


@in_one_test("notation", COLOURS)
def test_names_of_colours(notation):
    assert COLOURS[notation] in names(colour(notation))


@pytest.mark.parametrize(
    "notation", ["", "none", "transparent", "#ff000000", None, "rgba(1,2,3,0)"]
)
def test_colours_that_cannot_be_seen(notation):
    assert colour(notation) is None


def test_elements_keep_the_colour_of_the_document():
    """A white figure has that of its border."""
    ring = circle(3, 3, backgroundColor="#FFFFFF", borderColor="#12f")
    document = pad(lines=[line((1, 1), (1, 3), color="#8040c0")], overlays=[ring])
    assert [each.shown for each in sketch(document).elements] == ["#8040c0", "#1122ff"]


def test_a_notation_that_is_not_known_has_no_name():
    assert names(colour("url(#pattern)")) == ()


def test_texts_of_a_puzzle_and_urls():
    document = pad(
        metadata={"title": "T", "author": "A", "rules": "Rules.", "solution": "1234" * 4}
    )
    found = urls.puzzle_from_document(document)
    assert (found.title, found.author, found.rules) == ("T", "A", "Rules.")
    assert worded.read("https://sudokupad.app/classic" + "1" + "Z" * 3 + "F").elements == ()
    with pytest.raises(PuzzleError, match="2 URLs"):
        worded.read(f"https://sudokupad.app/{_packed()}\nhttps://sudokupad.app/{_packed()}")


def _packed():
    lzstring = pytest.importorskip("lzstring")
    return "scl" + lzstring.LZString.compressToBase64(json.dumps(pad()))


def test_any_document_has_elements_or_an_error():
    random = Random(1)
    values = [None, -1, 0.5, 1e99, "#", [], {}, True, "R1C1", [[0.5, 0.5]], 10**30]
    documents = [pad(**drawings) for drawings, _ in DRAWINGS.values()]
    documents += [editor(**{key: entries}) for key, (entries, _) in EDITOR.items()]
    for document in documents:
        for _ in range(20):
            text = json.loads(json.dumps(document))
            at = text[random.choice(sorted(set(text) - {"size"}))]
            while isinstance(at, list | dict) and at:
                place = random.choice([*(at if isinstance(at, dict) else range(len(at)))])
                if random.random() < 0.4 or not at[place] or not isinstance(at[place], list | dict):
                    at[place] = random.choice(values)
                    break
                at = at[place]
            try:
                found = sketch(text)
            except AspdokuError:
                continue
            assert all(isinstance(str(each), str) for each in found.elements)


@pytest.mark.skipif(not LINKS.exists(), reason="the collected links are not here")
@pytest.mark.slow
def test_thermometers_and_signs_of_published_puzzles():
    """The stated solutions fit what the drawings show, where the rules are the usual ones."""
    number = 0
    for entry in map(json.loads, LINKS.read_text().splitlines()):
        size, text = entry["rows"], entry["rules"].lower()
        if "wrogn" in text or not entry["solution"]:
            continue
        rows = [entry["solution"][at : at + size] for at in range(0, size * size, size)]
        for each in sketch(urls.content(entry["url"])).elements:
            values = [int(rows[row - 1][column - 1]) for row, column in each.cells]
            if each.kind == "thermo":
                slow = "same" in text
                assert all(a < b or (slow and a == b) for a, b in pairwise(values)), entry["title"]
                number += 1
            if each.kind == "sign" and each.text in ("X", "V") and "negator" not in text:
                assert sum(values) == {"X": 10, "V": 5}[each.text], entry["title"]
                number += 1
    assert number > 60


def test_documents_in_urls():
    assert urls.content(f"https://sudokupad.app/{_packed()}") == pad()


@in_one_test("cells", [[], ["R1C1"], ["R1C1", "R1C1"], ["R1C1", "R1C2", "R1C3"]])
@in_one_test("key", sorted({kind.key for kind in table.CONSTRAINTS} - {"disjointgroups"}))
def test_each_element_that_a_document_lists_can_be_drawn(key, cells):
    """A document may list any number of cells, and these may be the same."""
    entry = {"cells": cells, "cell": "R2C0", "lines": [cells], "value": "3", "direction": "DR"}
    try:
        found = sketch(editor(**{key: [entry]})).elements
    except AspdokuError:
        return
    for each in found:
        for shape in (*pictures.shapes_of(each, 4, range(1, 5)), *pictures.frame(each)):
            assert shape.kind
