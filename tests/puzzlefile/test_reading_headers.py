"""Header lines, and the error messages for invalid ones."""

import pytest
from in_one_test import in_one_test

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse

GRID = "......\n" * 6


def test_a_file_without_headers_has_default_values():
    puzzle = parse(GRID)
    assert (puzzle.title, puzzle.elaborations, puzzle.without, puzzle.box) == ("", (), (), (2, 3))


@in_one_test(
    ("header", "field", "value"),
    [
        ("title: Anti-knight, slide 17", "title", "Anti-knight, slide 17"),
        ("Title :  a # b: c  ", "title", "a # b: c"),
        ("title: # not a comment", "title", "# not a comment"),
        ("title:", "title", ""),
        ("\n# comment\n\n  title: x\n; comment\n", "title", "x"),
        ("with: anti-knight", "elaborations", ("anti-knight",)),
        ("with: anti-knight   # a comment", "elaborations", ("anti-knight",)),
        (
            "with: killer,offset , my rules/a#b.lp",
            "elaborations",
            ("killer", "offset", "my rules/a#b.lp"),
        ),
        ("with: b, a\nwith: b", "elaborations", ("b", "a", "b")),
        ("with:", "elaborations", ()),
        ("WITHOUT: box", "without", ("box",)),
        ("without: box\nwithout: row, column", "without", ("box", "row", "column")),
        ("box: 3x2", "box", (3, 2)),
        ("box: 1 X 6  # rows only", "box", (1, 6)),
    ],
)
def test_the_values_of_a_header(header, field, value):
    assert getattr(parse(f"{header}\n{GRID}"), field) == value


@in_one_test(
    ("text", "message"),
    [
        (
            "tilte: x\n" + GRID,
            (
                "f:1: unknown header 'tilte'; the headers are title, author, rules,"
                " with, without, box, numbers, unsupported, solution. Did you mean 'title'?"
            ),
        ),
        (
            "Editor: x\n" + GRID,
            (
                "f:1: unknown header 'editor'; the headers are title, author, rules,"
                " with, without, box, numbers, unsupported, solution."
            ),
        ),
        ("title: x\n\ntitle: x\n" + GRID, "f:3: duplicate header title, first given"),
        ("box: 2x3\nbox: 2x3\n" + GRID, "f:2: duplicate header box, first given"),
        (
            "box: big\n" + GRID,
            "f:1: invalid box shape 'big': expected rows and columns, e.g. 2x3",
        ),
        ("box: ²x3\n" + GRID, "f:1: invalid box shape '²x3': expected"),
        (
            "title: x\nbox: 3x3\n" + GRID,
            "f:2: invalid box shape 3x3: it has 9 cells, but a 6x6 grid needs boxes of 6",
        ),
        ("box: 0x6\n" + GRID, "f:1: invalid box shape 0x6: it has 0 cells"),
        ("with: a,,b\n" + GRID, "f:1: empty name in 'a,,b': separate names with"),
        ("with: killer thermo\n" + GRID, "f:1: blanks in 'killer thermo': separate names with"),
        ("without: row  box, a\n" + GRID, "f:1: blanks in 'row  box': separate names with"),
        ("title: x\nsolution:\n" + GRID, "f:2: solution is empty: "),
        ("with: a,\n" + GRID, "f:1: empty name in 'a,': separate names"),
        (
            GRID + "title: late",
            "f:7: header 'title' after the grid: headers must precede it",
        ),
        (GRID + "[even]\ntitle: late", "f:8: header 'title' after the grid: headers must precede"),
        ("title: x", "f: no grid found: a puzzle file"),
        ("title: x\n[facts]\np.\n" + GRID, "f:2: no grid found: a puzzle file"),
    ],
)
def test_invalid_headers_are_rejected(text, message):
    with pytest.raises(PuzzleError) as raised:
        parse(text, "f")
    assert str(raised.value).startswith(message)
