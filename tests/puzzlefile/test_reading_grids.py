"""Grids in various styles, and the error messages for invalid ones."""

import pytest
from in_one_test import in_one_test

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse

# The same 4x4 grid throughout: 1 in r1c1, 4 in r2c3, 2 in r4c2.
FOUR = (
    (1, None, None, None),
    (None, None, 4, None),
    (None, None, None, None),
    (None, 2, None, None),
)

DRAWINGS = {
    "dots": "1 . . .\n. . 4 .\n. . . .\n. 2 . .",
    "packed": "1...\n..4.\n....\n.2..",
    "packed by box": "1. ..\n.. 4.\n.. ..\n.2 ..",
    "zeros": "1000\n0040\n0000\n0200",
    "underscores": "1 _ _ _\n_ _ 4 _\n_ _ _ _\n_ 2 _ _",
    "stars": "1***\n**4*\n****\n*2**",
    "dashes": "1 - - -\n- - 4 -\n- - - -\n- 2 - -",
    "packed dashes": "1---\n--4-\n----\n-2--",
    "a mixture of empty signs": "1.0_\n-*4.\n0000\n_2-.",
    "bars": "1 . | . .\n. . | 4 .\n. . | . .\n. 2 | . .",
    "a frame": (
        "+-----+-----+\n| 1 . | . . |\n| . . | 4 . |\n+-----+-----+\n| . . | . . |\n| . 2 | . ."
        " |\n+-----+-----+"
    ),
    "separators without plus": "1. ..\n.. 4.\n-----\n.. ..\n.2 ..",
    "separators as wide as the grid": "1...\n..4.\n----\n....\n.2..",
    "separators as wide as the grid, dashes for empty": "1---\n--4-\n----\n-2--\n-+--",
    "separators of another width, dashes for empty": (
        "1 - | - -\n- - | 4 -\n---------\n- - | - -\n- 2 | - -"
    ),
    "equals signs": "=====\n1. ..\n.. 4.\n=====\n.. ..\n.2 ..\n=====",
    "SimpleSudoku": "*-----*\n|1.|..|\n|..|4.|\n|--+--|\n|..|..|\n|.2|..|\n*-----*",
    "box drawing": "┌───┬───┐\n│1 .│. .│\n│. .│4 .│\n├───┼───┤\n│. .│. .│\n│. 2│. .│\n└───┴───┘",
    "double box drawing": "╔══╦══╗\n║1.║..║\n║..║4.║\n╠══╬══╣\n║..║..║\n║.2║..║\n╚══╩══╝",
    "one line": "1.....4......2..",
    "one line of zeros": "1000004000000200",
    "one line, separated rows": "1... ..4. .... .2..",
    "one line, only digits, separated rows": "1000 0040 0000 0200",
    "one line, separated cells": "1 . . . . . 4 . . . . . . 2 . .",
    "one line with dashes": "1-----4------2--",
    "one line with bars": "1...|..4.|....|.2..",
    "one line between separators": "----------------\n1.....4......2..\n----------------",
    "byte order mark": "\ufeff1...\n..4.\n....\n.2..",
    "CRLF": "1...\r\n..4.\r\n....\r\n.2..\r\n",
    "CR": "1...\r..4.\r....\r.2..\r",
    "tabs": "\t1\t.\t.\t.\n\t.\t.\t4\t.\n\t.\t.\t.\t.\n\t.\t2\t.\t.",
    "blank lines and form feeds": "\n\n1...\n..4.\n \t\n\f\n....\n\f.2..\n\n\n",
    "comments": "# one\n1...  # first\n; two\n..4.\n  % three\n.... # last\n.2..",
}


@in_one_test("text", DRAWINGS.values())
def test_every_drawing_of_a_grid_is_read(text):
    assert parse(text).grid == FOUR


def test_two_digit_numbers_have_blanks_between_them():
    rows = [["."] * 12 for _ in range(12)]
    rows[0][0], rows[1][2], rows[11][11] = "12", "7", "10"
    expected = {(1, 1): 12, (2, 3): 7, (12, 12): 10}
    assert parse("\n".join(" ".join(row) for row in rows)).givens() == expected
    assert parse(" ".join(" ".join(row) for row in rows)).givens() == expected


def test_letters_are_numbers_from_ten_on():
    rows = ["." * 16] * 14
    text = "\n".join(["9ABC............", *rows, "...........dEfG."])
    assert parse(text).givens() == {
        (1, 1): 9, (1, 2): 10, (1, 3): 11, (1, 4): 12, (16, 12): 13, (16, 13): 14, (16, 14): 15, (16, 15): 16  # noqa: E501
    }  # fmt: skip
    assert parse(text.replace("\n", "")) == parse(text)
    assert parse("\n".join(" ".join(row) for row in text.split("\n"))) == parse(text)


@in_one_test(
    ("text", "size"),
    [
        (".", 1),
        ("-", 1),
        ("..\n..", 2),
        ("." * 81, 9),
        ("-" * 81, 9),
        ("0" * 256, 16),
        ("---------\n" * 9, 9),
        ("- - - | - - - | - - -\n" * 9, 9),
        ((("- - - | - - - | - - -\n" * 3) + "------+-------+------\n") * 3, 9),
        ("* * * * * *\n" * 6, 6),
        (". " * 10_000, 100),
    ],
)
def test_blank_grids_of_any_size(text, size):
    puzzle = parse(text)
    assert (puzzle.size, puzzle.givens()) == (size, {})


NINE = ". . . . . . . . .\n"
NO_GRIDS = {
    "nothing": ("", "no grid found: a puzzle file"),
    "comments": ("# nothing\n\n% at all", "no grid found: a puzzle file"),
    "header without a colon": (
        "with killer\n" + "....\n" * 4,
        "line 1: missing colon after 'with': write with: …",
    ),
    "only separators": ("+---+\n|   |\n+---+", "line 1: no grid found, only separator lines"),
    "short row": (
        NINE * 3 + ". . . . . . . .\n" + NINE * 5,
        "line 4: row 4 has 8 cells, the other rows have 9",
    ),
    "short packed row": (
        ".........\n" * 8 + "........",
        "line 9: row 9 has 8 cells, the other rows have 9",
    ),
    "short row of numbers": (
        "12 " * 12 + "\n" + "1 " * 11 + "\n" + "12 " * 12 + "\n",
        "line 2: row 2 has 11 cells, the other rows have 12",
    ),
    "two odd rows": (". .\n" * 2 + NINE * 7, "line 1: row 1 has 2 cells, most rows have 9"),
    "line numbers count comments": (
        "# a\n\n...\n# b\n..\n...",
        "line 5: row 2 has 2 cells, the other rows have 3",
    ),
    "missing row": (
        NINE * 8,
        "line 8: the grid is not square: 8 rows of 9 cells",
    ),
    "missing rows of numbers": ("10 1 1\n1 1 1", "line 2: the grid is not square: 2 rows"),
    "additional row": (NINE * 10, "line 10: the grid is not square: 10 rows"),
    "one line of dashes": (
        "1...\n..4.\n----",
        ("line 2: the grid is not square: 2 rows of 4 cells (1 line of dashes could"),
    ),
    "rows or separators": (
        "1---\n--4-\n----\n----\n-2--",
        (
            "line 5: the grid is not square: 3 rows of 4 cells "
            "(2 lines of dashes could be rows or separator lines: write . for an empty cell)"
        ),
    ),
    "80 cells": (
        "." * 80,
        "line 1: 80 cells in one line do not form a grid: a 4x4 grid has 16, a 6x6",
    ),
    "list of puzzles": (
        ("." * 81 + "\n") * 2,
        "line 2: expected one puzzle; the text seems to contain 2, one per line with 81 cells",
    ),
    "long list": (
        ("1" * 16 + "\n") * 40,
        "line 2: expected one puzzle; the text seems to contain 40, one per line with 16",
    ),
    "grids without separation": (
        NINE * 27,
        "line 10: expected one puzzle; the text seems to contain 3, each 9x9",
    ),
    "too large": (
        ("." * 101 + "\n") * 101,
        "line 1: the grid is 101x101; the largest possible is 100x100",
    ),
    "too large in a line": ("." * 101**2, "line 1: the grid is 101x101"),
    "number too large": (
        "....\n...5\n....\n....",
        "line 2: invalid number 5 in r2c4: a 4x4 grid contains 1 to 4, or . for",
    ),
    "number too large, in one line": (
        "1234" * 3 + "1235",
        "line 1: invalid number 5 in r4c4: a 4x4 grid",
    ),
    "number much too large": ("9" * 5000 + " 1\n1 2", "line 1: invalid number"),
    "letter too large": (
        NINE * 8 + "X" + NINE[1:],
        "line 9: invalid number 'X' (which means 33) in r9c1: a 9x9",
    ),
    "letters explained": (
        ("." * 16 + "\n") * 15 + "H" + "." * 15,
        "invalid number 'H' (which means 17) in r16c1: a 16x16",
    ),
    "leading zero": (
        "00 .\n. .",
        "line 1: invalid number 00 in r1c1: a 2x2 grid contains 1 to 2, or . for",
    ),
    "invalid character": (
        ". . . .\n. ? . .\n. . . .\n. . . .",
        "line 2: invalid number '?' in r2c2: a 4x4 grid",
    ),
    "invalid character and count": (
        ".........\n...x.!...\n",
        "line 2: invalid character '!' in the grid: a cell is a",
    ),
    "superscript": ("..\n.²", "line 2: invalid number '²' in r2c2: a"),
    "Arabic digit": ("..\n.١", "line 2: invalid number '١' in r2c2: a"),
    "dotless i": ("..\n.ı", "line 2: invalid number 'ı' in r2c2: a"),
    "NUL": ("..\n.\0", "line 2: invalid number '\\x00' in"),
    "base 16": (
        "\n".join(["0..............A", *["." * 16] * 15]),
        (
            "line 1: ambiguous 0 in a grid with letters: 0 and . both mean an empty cell, or 0 is"
            " a number"
        ),
    ),
}


@in_one_test(("text", "message"), NO_GRIDS.values())
def test_invalid_grids_are_rejected(text, message):
    with pytest.raises(PuzzleError) as raised:
        parse(text)
    assert message in str(raised.value)
