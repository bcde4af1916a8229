"""What is removed from a text never changes the number of its cells: comments, tabs, bars, blanks.

The expected grids are written out.
"""

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all
from aspdoku.formats.registry import by_name

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [NINE[start : start + 9] for start in range(0, 81, 9)]
FOUR = ("1..2", "....", "....", "2..1")


def drawn(rows, between, empty):
    return "\n".join(between.join(row).replace(".", empty) for row in rows)


SEPARATED = {
    "commas": drawn(ROWS, ",", "0"),
    "commas, blank cells": drawn(ROWS, ",", ""),
    "commas and blanks": drawn(ROWS, ", ", "_"),
    "quotes": "\n".join(",".join(f'"{cell}"' for cell in row).replace(".", "") for row in ROWS),
    "commas at the end": "\n".join(",".join(row) + "," for row in ROWS),
    "semicolons, blank cells": drawn(ROWS, ";", ""),
    "tabs, blank cells": drawn(ROWS, "\t", ""),
    "tabs, indented": "\n".join("\t" + "\t".join(row) for row in ROWS),
    "floats of pandas": "\n".join(
        ",".join("" if cell == "." else f"{cell}.0" for cell in row) for row in ROWS
    ),
    "floats of pandas, with labels": "\n".join(
        [
            ",".join(["", *map(str, range(9))]),
            *(
                ",".join([str(at), *("" if cell == "." else f"{cell}.0" for cell in row)])
                for at, row in enumerate(ROWS)
            ),
        ]
    ),
    "nan between commas": drawn(ROWS, ",", "nan"),
    "floats and NaN between blanks": "\n".join(
        " ".join("NaN" if cell == "." else f"{cell}.0" for cell in row) for row in ROWS
    ),
    "a Markdown table with blank names": "\n".join(
        [f"|{'   |' * 9}", "|---" * 9 + "|", *(f"| {' | '.join(row)} |" for row in ROWS)]
    ).replace(".", " "),
    "a Markdown table with names": "\n".join(
        [
            "|" + "".join(f" {name} |" for name in "abcdefghi"),
            "|:--" * 9 + "|",
            *(f"| {' | '.join(row)} |" for row in ROWS),
        ]
    ).replace(".", " "),
    "a Markdown table with longer names": "\n".join(
        [
            "|" + "".join(f" c{at} |" for at in range(1, 10)),
            "| -- " * 9 + "|",
            *(f"| {' | '.join(row)} |" for row in ROWS),
        ]
    ).replace(".", " "),
    "a Markdown table, centred": "\n".join(
        f"| {' | '.join(row)} |\n|{':---:|' * 9}".replace(".", " ") for row in ROWS
    ),
    "bars, blank cells": "\n".join(f"| {' | '.join(row)} |".replace(".", " ") for row in ROWS),
    "bars, a Markdown table": "\n".join(
        f"|{'|'.join(row)}|\n|{'---|' * 9}".replace(".", " ") for row in ROWS
    ),
    "numbers of the columns": ",".join(map(str, range(9))) + "\n" + drawn(ROWS, ",", "0"),
    "names of the columns": ",".join(f"c{c}" for c in range(9)) + "\n" + drawn(ROWS, ",", "0"),
    "numbers of rows and columns": "\n".join(
        [
            ",".join(["", *map(str, range(9))]),
            *(f"{at},{','.join(row)}".replace(".", "0") for at, row in enumerate(ROWS)),
        ]
    ),
    "letters of the columns": "A,B,C,D,E,F,G,H,I\n" + drawn(ROWS, ",", ""),
    "letters of the columns, numbers of the rows": "\n".join(
        [
            ";".join(["", *"ABCDEFGHI"]),
            *(f"{at};{';'.join(row)}".replace(".", "") for at, row in enumerate(ROWS, 1)),
        ]
    ),
    "names of the columns, numbers of the rows": "\n".join(
        [
            ",".join(["row", *(f"c{c}" for c in range(9))]),
            *(f"{at},{','.join(row)}".replace(".", "") for at, row in enumerate(ROWS)),
        ]
    ),
    "names of rows and columns": "\n".join(
        [
            "\t".join(["", *(f"c{c}" for c in range(9))]),
            *("\t".join([f"r{at}", *row]).replace(".", "") for at, row in enumerate(ROWS)),
        ]
    ),
    "letters of the columns, numbers of the rows, Markdown": "\n".join(
        [
            "| |A|B|C|D|E|F|G|H|I|",
            "|-" * 10 + "|",
            *(f"|{at}|{'|'.join(row)}|".replace(".", " ") for at, row in enumerate(ROWS, 1)),
        ]
    ),
    "names of rows": "\n".join(
        f"row {at},{','.join(row)}".replace(".", "") for at, row in enumerate(ROWS)
    ),
    "blank rows below": drawn(ROWS, ";", "") + f"\n{';' * 8}" * 2,
    "blank rows above": f"{',' * 8}\n" * 2 + drawn(ROWS, ",", ""),
    "a Markdown table with bold givens": "\n".join(
        f"|{'|'.join(' ' if cell == '.' else f'**{cell}**' for cell in row)}|" for row in ROWS
    ),
    "blanks of a fixed width": drawn(ROWS, "", " "),
    "a size above, with commas": "9 9\n" + drawn(ROWS, ",", "_"),
    "CRLF": drawn(ROWS, ",", "").replace("\n", "\r\n"),
    "a comment for each row": "\n".join(f"{','.join(row)}  # row" for row in ROWS),
}


@in_one_test("text", SEPARATED.values())
def test_blank_cells_are_cells(text):
    assert parse(text).grid == parse("\n".join(ROWS)).grid


def test_headers_and_sections_surround_a_separated_grid():
    text = f"title: x\nwith: a,b\n\n{drawn(FOUR, ',', '')}\n\n[even]\nr1c1\tr2c2\n"
    puzzle = parse(text)
    assert puzzle.grid == parse(drawn(FOUR, "", ".")).grid
    assert [str(fact) for fact in puzzle.facts] == ["even(1,1)", "even(2,2)"]


def test_a_list_with_a_puzzle_per_line_can_have_separators():
    line = ",".join(NINE).replace(".", "0")
    assert [each.grid for each in parse_all(f"{line}\n{line}\n")] == [parse(NINE).grid] * 2


SIX = ("12..34", "34..12", "......", "......", "21..43", "43..21")
HASHES = "\n".join(" ".join(row).replace(".", "#") for row in SIX)
AMBIGUOUS = {
    "a # in each empty cell": (HASHES, "line 1: ambiguous #"),
    "a # in empty cells of one column": (
        "1 2 3 4 # 5\n" * 2 + "# # # # 1 2\n" * 2 + "1 2 3 4 # #\n" * 2,
        "line 1: ambiguous #",
    ),
    "a # in one row too short": (HASHES + "\n# #", "line 1: ambiguous #"),
    "a # in the last cell of each row": ("1 2 . #\n. . . #\n2 . . #", "line 1: ambiguous #"),
    "a cell after the # of each row": ("1|2|. # 4\n.|.|. # 2\n2|.|. # .", "line 1: ambiguous #"),
    "# without blanks": ("####\n#2#4\n1234\n#41#", "line 2: ambiguous #"),
    "a 2x2 grid that comments leave": ("# x y\n1 2\n2 1", "line 1: only a 2x2"),
    "a cell after the # of both rows": ("1 2 # 3\n2 1 # 4\n", "line 1: ambiguous #"),
    "blanks that are cells or spaces": (
        "12  34\n34  12\n\n\n21  43\n43  21",
        "line 1: ambiguous blanks: a 6x6 grid with blanks for empty cells, or a 4x4 grid",
    ),
    "a missing row between tabs": (
        drawn(FOUR[:3], "\t", ""),
        "line 3: the grid is not square: 3 rows of 4 cells",
    ),
    "a missing row between bars": (
        "| 1 |   |   | 2 |\n|   | 3 |   | 4 |\n",
        "line 1: blank between bars, but 2 rows of 4 cells are no square",
    ),
    "row numbers before a grid with blank cells": (
        "1,,3,,\n2,,,,\n3,,4,,\n4,,,1,",
        "line 4: the grid is not square: 4 rows of 5 cells",
    ),
    "a missing row, and no number in a column": (
        drawn([f"{row[:8]}." for row in ROWS[:8]], ",", ""),
        "line 8: the grid is not square: 8 rows of 9 cells",
    ),
    "space between boxes, or cells": (
        "1,,,,\n,,,,4\n,,,,\n,,,2,\n,3,,,",
        "line 1: ambiguous blank fields: empty cells of a grid with 5 rows of 5 cells, or space"
        " between the boxes of a 4x4 grid",
    ),
    "space between boxes, or cells, bars": (
        "|1| | | | |\n| | | | |4|\n| | | | | |\n| | | |2| |\n| |3| | | |",
        "line 1: ambiguous blank fields",
    ),
    "space between boxes, or cells, characters": (
        "1    \n    4\n     \n   2 \n 3   ",
        "line 1: ambiguous blank fields",
    ),
    "space between boxes of a 9x9 grid": (
        "\n".join(
            ";;;;;;;;;;"
            if not row
            else ";".join(";".join(row[at : at + 3]) + ";" * (at < 6) for at in (0, 3, 6))
            for row in [*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]
        ).replace(".", ""),
        "line 1: ambiguous blank fields: empty cells of a grid with 11 rows of 11 cells, or space"
        " between the boxes of a 9x9 grid",
    ),
    "space between the columns of boxes": (
        "1,2,3,,4,5,6\n" * 6,
        "line 1: ambiguous blank fields: empty cells of a grid with 6 rows of 7 cells, or space"
        " between the boxes of a 6x6 grid",
    ),
    "a blank last column": (
        drawn([f"{row}." for row in ROWS], ",", ""),
        "line 9: the grid is not square: 9 rows of 10 cells; the last column is blank: delete it",
    ),
    "numbers of rows without those of columns": (
        "1,,3,,2\n2,,,,\n3,,4,,\n4,,,1,",
        "line 4: the grid is not square: 4 rows of 5 cells; the first column seems to count the",
    ),
    "a title above a table": (
        f"My Sudoku{';' * 8}\n{';' * 8}\n" + drawn(ROWS, ";", ""),
        "line 1: 'My Sudoku' in a table of cells: delete the line, or begin it with #",
    ),
    "a word in a table": (
        drawn(FOUR, ",", "").replace("\n,,,", "\n,,x1,", 1),
        "line 2: 'x1' is no cell",
    ),
    "a URL above rows": (
        "https://example.com/1\n" + drawn(FOUR, "", "."),
        "line 1: a URL above a grid: delete one of them, or begin the line of the URL with #",
    ),
    "a URL above cells with blanks": (
        "https://example.com/1\n" + drawn(FOUR, " ", "."),
        "line 1: a URL above a grid",
    ),
    "a size above a solved grid": (
        "4\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1",
        "line 1: ambiguous rows below a size: a 4x4 grid (delete the line with its size), or the"
        " chains of a 4x4 Strimko without givens (--from strimko-rows)",
    ),
    "a size above a solved grid of a program for tables": (
        "4\n1.0 2.0 3.0 4.0\n3. 4. 1. 2.\n2 1 4 3\n4 3 2 1",
        "line 1: ambiguous rows below a size: a 4x4 grid",
    ),
    "a size above a grid of a program for tables": (
        "4\nnan 2 nan 4\nnan 4 nan 2\n2 nan 4 nan\n4 nan 2 nan",
        "line 1: row 1 has 1 cell, the other rows have 4",
    ),
    "a size above a grid": (
        f"9\n{drawn(ROWS, ' ', '0')}",
        "line 1: ambiguous rows below a size: a 9x9 grid",
    ),
    "numbers of rows and columns without separators": (
        "\n".join(
            [
                f"   {'  '.join(map(str, range(9)))}",
                *(f"{at}  {'  '.join(row)}".replace(".", "0") for at, row in enumerate(ROWS)),
            ]
        ),
        "line 1: the first row and the first column seem to count the columns and the rows: delete",
    ),
    "blanks that are cells, without those at the ends of lines": (
        "\n".join(row.replace(".", " ").rstrip() for row in ROWS),
        "line 1: row 1 has 5 characters of 9, and blanks seem to be empty cells",
    ),
    "rows in quotation marks": (
        "\n".join(f'"{row}"' for row in ROWS),
        "line 1: quotation marks around a row of the grid: delete them",
    ),
    "a list that numpy has cut": (
        "[[5 3 0 ... 0 0 0]\n [6 0 0 ... 0 0 0]\n ...\n [0 0 0 ... 0 7 9]]",
        "line 1: the list is not complete: ... stands for cells; in numpy, print it after",
    ),
    "an array that numpy has cut": (
        "array([[5, 3, 0, ..., 0, 0, 0],\n       ...,\n       [0, 0, 0, ..., 0, 7, 9]])",
        "line 1: the list is not complete",
    ),
    "names of columns without rows": ("|a|b| |\n|-|-|--|", ""),
    "a separator at the end of one row": (
        drawn(FOUR, ",", "") + ",",
        "line 4: 5 cells between separators (,), the other rows have 4; delete the separator at",
    ),
    "a cell after a #": (
        "_ , 4 , 1 , #3\n4 , 1 , _ , 2\n_ , _ , 2 , 1\n1 , _ , _ , _",
        "line 1: ambiguous #",
    ),
    "two columns after a #": (
        "1 , 2 , # 3 , 4\n2 , 1 , # 4 , 3\n3 , 4 , # 1 , 2",
        "line 1: ambiguous #",
    ),
    "blanks that are cells, in rows": (
        "12  34\n 3412\n2 14 3\n43  21\n",
        "line 2: ambiguous blanks",
    ),
    "blanks that are cells, in one line": (
        "1  2 3 4 1 2 3  4 1 2 3 4 1 2 3   4",
        "line 1: ambiguous blanks",
    ),
    "blanks that are cells, in lines": (
        "1   2   3   4\n  12        3  4\n1  2  3  4\n    1 2   3    4",
        "line 2: ambiguous blanks in row 2",
    ),
    "a frame of *": (
        "******\n" + "\n".join(f"*{row}*" for row in FOUR) + "\n******",
        "line 1: ambiguous * in all cells at the edges: empty cells of a 6x6 grid",
    ),
    "a line of box drawing is no row": (
        "1..2\n....\n────\n....\n",
        "line 4: the grid is not square: 3 rows of 4 cells",
    ),
    "a line of box drawing in a row": (
        "║1 .║. 2║\n║. .║. .║\n╠═══╬═══╣\n║. .║. .║\n║2 .║.═1║",
        "line 5: invalid character '═'",
    ),
    "a size": ("1x1", "line 1: 1x1 is a size, not a grid"),
    "a missing row of a Markdown table": (
        "| 1 |   |   | 2 |\n|---|---|---|---|\n|   | 3 |   | 4 |\n|   |   | 1 |   |\n",
        "line 1: blank between bars, but 3 rows of 4 cells are no square",
    ),
    "a line of as many * as cells in the rows is a row": (
        "1 2 *\n3 * *\n* * *\n2 * *",
        "line 4: the grid is not square: 4 rows of 3 cells (1 line of dashes could be rows",
    ),
    "a damaged row of numbers of the columns": (
        ",0,,2,3\n0,1,,,2\n1,,,,\n2,,,,\n3,2,,,1",
        "line 1: the first row or the first column seems to count the cells",
    ),
    "two cells in a field": (
        "1,,3 4,\n,,,,\n3,,,,\n,,,,1\n4,,,,",
        "line 1: 4 cells between separators (,), the other rows have 5",
    ),
    "a missing row below the names of a Markdown table": (
        "| | | | |\n|-|-|-|--|\n|1| | |4|\n| |4|1|2|\n| | | | |",
        "line 3: blank between bars, but 3 rows of 4 cells are no square",
    ),
    "a missing cell between commas": ("1,,,2\n,,,\n,,\n2,,,1", "the other rows have 4"),
    "one row of a 4x4 grid": ("1..2", "line 1: 4 cells in one line do not form a grid"),
    "one row of a 9x9 grid": ("1..2..3..", "line 1: 9 cells in one line do not form a grid"),
    "one row among lines of dashes": (
        "1--2------------\n" + "-" * 16 + "\n" + "-" * 15 + "\n----",
        "",
    ),
}


@in_one_test(("text", "message"), AMBIGUOUS.values())
def test_a_text_that_would_lose_cells_is_rejected(text, message):
    with pytest.raises(PuzzleError) as raised:
        parse(text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "# 1 2 3 4\n1..2\n....\n....\n2..1",
        "####\n#--#\n1..2\n....\n....\n2..1",
        "1 . . 2  # 1\n. . . .  # 2\n. . . .\n2 . . 1",
        "; 1\n; 2\n1..2\n....\n....\n2..1",
        "1. .2\n.. ..\n\n.. ..\n2. .1",
    ],
)
def test_comments_and_spaces_between_boxes_are_no_cells(text):
    assert parse(text).grid == parse(drawn(FOUR, "", ".")).grid


@pytest.mark.parametrize(
    "text",
    [
        "1  |2  \n   |   \n---+---\n2  |1  \n   |   ",
        "    \n 1  \n    \n    ",
        "++++\n++1+\n++++",
        "*--*\n|1",
    ],
)
def test_a_grid_does_not_shrink_to_its_numbers(text):
    with pytest.raises(PuzzleError):
        parse(text)


def test_a_small_grid_after_a_comment_states_its_numbers():
    with pytest.raises(PuzzleError, match="only a 1x1 grid is left without comments"):
        parse("# a\n1")
    assert parse("# a\nnumbers: 1-1\n1").size == 1
    assert parse("1").size == 1


def test_a_header_is_no_row_of_names():
    assert parse("with: a,b,c,d\n1,,,2\n,,,\n,,,\n2,,,1").elaborations == (*"abcd",)


def test_a_strimko_without_givens_is_read_by_its_name():
    text = "4\n1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1"
    (puzzle,) = parse_all(text, format_=by_name("strimko-rows"))
    assert (puzzle.elaborations, puzzle.givens()) == (("chain",), {})


def test_read_mentions_parse_for_the_text_of_a_puzzle():
    for text in (NINE, "\n".join(ROWS), "https://example.com/1"):
        with pytest.raises(PuzzleError, match="; parse reads the text of a puzzle"):
            aspdoku.read(text)
    with pytest.raises(PuzzleError) as raised:
        aspdoku.read("nowhere/53.txt")
    assert "parse" not in str(raised.value)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_blank_row_and_column_in_the_middle_are_cells(separator):
    """Boxes of four rows and four columns are no boxes of an 8x8 grid."""
    rows = ["1..2.3..4", "...5.6...", "7.8...9.1", "2.......3", "." * 9]
    rows += [row[::-1] for row in rows[3::-1]]
    text = "\n".join(separator.join(row).replace(".", "") for row in rows)
    assert [[number or 0 for number in row] for row in parse(text).grid] == [
        [int(cell) for cell in row.replace(".", "0")] for row in rows
    ]
