"""Sections: grids of labels, paths and drawings with signs, as tables of a section and its
facts.
"""

import pytest
from in_one_test import in_one_test

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse

GRID = "...\n...\n..3\n\n"

SECTIONS = {
    "picture": (
        "[cage]\nA A .\n. B .\n. B B",
        'cage(1,1,"A"). cage(1,2,"A"). cage(2,2,"B"). cage(3,2,"B"). cage(3,3,"B").',
    ),
    "packed picture": ("[cage]\nAa.\n...\n..1", 'cage(1,1,"A"). cage(1,2,"a"). cage(3,3,"1").'),
    "long labels": (
        "[cage]\n A1 . .\n. é_ .\n. . 10",
        'cage(1,1,"A1"). cage(2,2,"é_"). cage(3,3,"10").',
    ),
    "picture with separators": (
        "[cage]\n+--+-+\n|A.|.|\n|..|.|\n=====\n|..|B|\n+--+-+",
        'cage(1,1,"A"). cage(3,3,"B").',
    ),
    "boxed picture": (
        "[cage]\n┌──┬─┐\n│A.│.│\n│..│.│\n├──┼─┤\n│..│B│\n└──┴─┘",
        'cage(1,1,"A"). cage(3,3,"B").',
    ),
    "v as a label": ("[x]\n. v .\n. . .\n. . .", 'x(1,2,"v").'),
    "values": (
        '[cage]\nA B C\nD . .\n. . .\nA = 10\nB=-3\n  C = even # comment\nD = "a # \\"b\\""',
        (
            'cage(1,1,"A"). cage(1,2,"B"). cage(1,3,"C"). cage(2,1,"D"). cage_value("A",10).'
            ' cage_value("B",-3). cage_value("C",even). cage_value("D","a # \\"b\\"").'
        ),
    ),
    "no value": (
        "[cage]\nA B .\n...\n...\nA = 1\nB =",
        'cage(1,1,"A"). cage(1,2,"B"). cage_value("A",1).',
    ),
    "regions": ("[box]\nA A B\nA C B\nC C B", None),
    "hyphens": ("[ anti-knight ] # comment\nA..\n...\n...", 'anti_knight(1,1,"A").'),
    "paths": (
        "[thermo]\nr1c1 R1C2 r2c3\n\n# comment\n  r03c1  # comment\n",
        "thermo(1,1,1,1). thermo(1,2,1,2). thermo(1,3,2,3). thermo(2,1,3,1).",
    ),
    "paths with values": (
        '[arrow]\n15: r1c1\nr1c2\n-1 :r1c3\nodd: r2c1\n"a: b # r1c1": r2c2 r2c2',
        (
            "arrow(1,1,1,1). arrow(2,1,1,2). arrow(3,1,1,3). arrow(4,1,2,1). arrow(5,1,2,2)."
            " arrow(5,2,2,2). arrow_value(1,15). arrow_value(3,-1). arrow_value(4,odd)."
            ' arrow_value(5,"a: b # r1c1").'
        ),
    ),
    "signs": (
        "[greater-than]\n. < . > .\n^       v\n.   .   .\n\n. > .   .",
        "gt(1,2,1,1). gt(1,2,1,3). gt(2,1,1,1). gt(1,3,2,3). gt(3,1,3,2).",
    ),
    "signs and numbers": (
        "[gt]\no<o o\n  ^\no o o\no o>3",
        "gt(1,2,1,1). gt(2,2,1,2). gt(3,2,3,3).",
    ),
    "signs with separators": ("[gt]\n.<.|.\n-+-+-\n. .|.\n. .|.", "gt(1,2,1,1)."),
    "signs and tabs": ("[gt]\n.\t.\t.\n\t^\n.\t.\t.\n.\t.\t.", "gt(2,2,1,2)."),
    "facts": ("[facts]\neven(3,4).", "even(3,4)."),
    "several sections": (
        "[x]\nr1c1\n[y]\nA..\n...\n...\n[facts]\nz.",
        'x(1,1,1,1). y(1,1,"A"). z.',
    ),
}


@in_one_test(("section", "facts"), SECTIONS.values())
def test_the_facts_of_a_section(section, facts):
    if facts is None:
        rows = section.split("\n")[1:]
        facts = " ".join(
            f'box({r},{c},"{label}").'
            for r, row in enumerate(rows, 1)
            for c, label in enumerate(row.split(), 1)
        )
    stated = " ".join(sorted(f"{fact}." for fact in parse(GRID + section).facts))
    assert stated == " ".join(sorted(f"{fact}." for fact in facts.removesuffix(".").split(". ")))


def test_facts_about_numbers_are_givens():
    puzzle = parse(GRID + "[facts]\na(1,2,3). a(3,3,3). even(1,1).")
    assert puzzle.givens() == {(1, 2): 3, (3, 3): 3}
    assert [str(fact) for fact in puzzle.facts] == ["even(1,1)"]


def test_a_drawing_has_numbers_of_two_digits_in_large_grids():
    rows = ["12 <  ." + "   ." * 8, " ^" + " " * 6, " .    ." + "   ." * 8] + [
        " .    ." + "   ." * 8
    ] * 8
    grid = "\n".join(["10" + " ." * 9, *[". " * 10] * 9])
    assert [
        str(fact) for fact in parse(grid + "\n[gt]\n" + "\n".join(rows).replace("12", "10")).facts
    ] == [
        "gt(1,2,1,1)",
        "gt(2,1,1,1)",
    ]


def test_a_letter_in_a_drawing_is_a_number_only_if_the_grid_has_it():
    grid = "A" + " ." * 9 + "\n" + (". " * 10 + "\n") * 9
    assert len(parse(grid + "[gt]\na < o" + " ." * 8 + ("\n" + ". " * 10) * 9).facts) == 1
    with pytest.raises(
        PuzzleError, match="p:12: r1c2 is 'a' in the drawing, but the cell is empty in"
    ):
        parse(grid + "[gt]\na < a" + " ." * 8 + ("\n" + ". " * 10) * 9, "p")


# Each section starts in line 5.
WRONG = {
    "unclosed bracket": (
        "[cage",
        5,
        "invalid section heading '[cage': expected a name in brackets, e.g. [cage]",
    ),
    "text after the name": ("[cage] x", 5, "invalid section heading '[cage] x'"),
    "two names": ("[cage] [x]", 5, "invalid section heading '[cage] [x]'"),
    "capital": (
        "[Cage]\nA",
        5,
        "invalid section name 'Cage': a name consists of letters, digits and -, and starts",
    ),
    "no name": ("[]", 5, "invalid section name '': a name"),
    "digit": ("[1x]", 5, "invalid section name '1x': a name"),
    "not": ("[not]\nA..\n...\n...", 5, "invalid section name 'not': a name"),
    "empty": ("[cage]\n# A\n\n[x]\nr1c1", 5, "section [cage] is empty"),
    "no facts": ("[facts]\n% p.\n", 5, "section [facts] is empty"),
    "twice": ("[a-b]\nr1c1\n[a_b]\nr1c1", 7, "duplicate section [a_b], first given in line 5"),
    "repeated under another name": (
        "[gt]\n.<. .\n. . .\n. . .\n[greater-than]\n.<. .",
        9,
        "duplicate section [greater-than], first",
    ),
    "two rows": (
        "[cage]\nA A A\nB B B",
        5,
        "[cage] has 2 rows of a picture, but the grid is 3x3. A section is a picture",
    ),
    "short row": (
        "[cage]\nA A A\nB B\nC C C",
        7,
        "[cage] has 2 labels in row 2 of a picture, but the grid is 3x3",
    ),
    "prose": (
        "[cage]\nsum of ten",
        5,
        "[cage] has 1 row of a picture, but the grid is 3x3. A section is a picture of the",
    ),
    "no label": ("[cage]\n...\n...\n...", 5, "the picture in [cage] contains no label"),
    "sign as label": (
        "[cage]\nA . .\n. @ .\n. . .",
        7,
        "invalid label '@' in r2c2 of the picture: a label consists of letters",
    ),
    "underscore as label": (
        "[cage]\nA__\n...\n...",
        6,
        "invalid label '_' in r1c2 of the picture: a label consists",
    ),
    "label without value": (
        "[cage]\nA B .\n...\n...\nA = 1",
        9,
        "missing value of label B: write `B = 10`, or `B =` for no value",
    ),
    "value without label": (
        "[cage]\nA B .\n...\n...\nC = 1",
        9,
        "the picture has no label 'C'; its labels are A, B",
    ),
    "repeated value": (
        "[cage]\nA . .\n...\n...\nA = 1\nA = 1",
        10,
        "duplicate value of A, first given in line 9",
    ),
    "invalid value": (
        "[cage]\nA . .\n...\n...\nA = 1+2",
        9,
        "invalid value '1+2': expected an integer, a name such as",
    ),
    "variable as value": (
        "[cage]\nA . .\n...\n...\nA = X",
        9,
        "invalid value 'X': expected an integer",
    ),
    "not as value": ("[cage]\nA . .\n...\n...\nA = not", 9, "invalid value 'not': expected an"),
    "huge value": (
        "[cage]\nA . .\n...\n...\nA = 2147483648",
        9,
        "invalid integer '2147483648': clingo's integers are",
    ),
    "Arabic value": ("[cage]\nA . .\n...\n...\nA = ١", 9, "invalid value '١': expected an integer"),
    "picture of givens": (
        "[a]\n. 1 .\n...\n...",
        6,
        'invalid given a(1,2,"1"): a(R,C,N) takes three numbers',
    ),
    "cell outside": (
        "[thermo]\nr1c1 r1c2\nr3c3 r3c4",
        7,
        "r3c4 is outside the grid: its rows and columns are 1 to 3",
    ),
    "cell zero": ("[thermo]\nr0c1", 6, "r0c1 is outside the grid: its rows and"),
    "comma on path": (
        "[thermo]\nr1c1, r1c2\nr1c1",
        6,
        "invalid cell 'r1c1,': write a path as r1c1 r1c2 r2c3, with blanks",
    ),
    "word on path": ("[thermo]\nr1c1\nten r1c2", 7, "invalid cell 'ten': write a path as"),
    "superscript cell": ("[thermo]\nr1c1 r²c1", 6, "invalid cell 'r²c1': write a path as"),
    "path without cells": ("[thermo]\nr1c1\n15:", 7, "empty path: list its cells, e.g. r1c1"),
    "invalid value of a path": ("[thermo]\nTen: r1c1", 6, "invalid value 'Ten': expected an"),
    "signs elsewhere": (
        "[cage]\n.<. .\n. . .\n. . .",
        6,
        "[cage] has 2 labels in row 1 of a picture, but the",
    ),
    "signs that fit": (
        "[cage]\n. > .\n. . .\n. . .",
        6,
        "invalid label '>' in r1c2 of the picture: a label consists of",
    ),
    "no sign": ("[gt]\n. . .\n. . .\n. . .", 5, "[gt] contains no sign < > ^ v"),
    "rows of signs": ("[gt]\n. < . .\n. . .", 5, "[gt] has 2 rows of cells, but the grid has 3"),
    "cells of signs": (
        "[gt]\n. < .\n. . .\n. . .",
        6,
        "row 1 of the drawing has 2 cells, but the grid has 3",
    ),
    "sign first": (
        "[gt]\n< . . .\n. . .\n. . .",
        6,
        "misplaced sign < in column 1: not between two cells",
    ),
    "sign last": (
        "[gt]\n. . . >\n. . .\n. . .",
        6,
        "misplaced sign > in column 7: not between two cells",
    ),
    "two signs": (
        "[gt]\n. <> . .\n. . .\n. . .",
        6,
        "misplaced sign > in column 4: not between two cells",
    ),
    "sign between columns": (
        "[gt]\n. . .\n ^\n. . .\n. . .",
        7,
        "misplaced sign ^ in column 2: not vertically between two cells",
    ),
    "sign below no cell": (
        "[gt]\n. . .\n  ^\n.   . .\n. . .",
        7,
        "misplaced sign ^ in column 3: not vertically",
    ),
    "sign above the grid": (
        "[gt]\n^\n. . .\n. . .\n. . .",
        6,
        "misplaced line of signs ^ and v: it",
    ),
    "sign below the grid": (
        "[gt]\n. . .\n. . .\n. . .\nv",
        9,
        "misplaced line of signs ^ and v: it",
    ),
    "two lines of signs": (
        "[gt]\n. . .\nv\n  v\n. . .\n. . .",
        8,
        "misplaced line of signs ^ and v: it",
    ),
    "signs mixed": (
        "[gt]\n. v . .\n. . .\n. . .",
        6,
        "misplaced sign v: put ^ and v on a separate line between two rows",
    ),
    "other number": (
        "[gt]\n. . .\n. . .\n. < . 2",
        8,
        "r3c3 is '2' in the drawing, but the cell contains 3",
    ),
    "new number": (
        "[gt]\n1 < . .\n. . .\n. . .",
        6,
        "r1c1 is '1' in the drawing, but the cell is empty in",
    ),
    "given outside": ("[facts]\neven(1,1).\na(1,4,1).", 7, "given a(1,4,1) is outside the grid"),
    "given too large": (
        "[facts]\na(1,1,1).\na(1,2,4).\na(1,3,9).",
        7,
        "invalid number 4 in r1c2: the numbers of a 3x3 grid are 1 to 3",
    ),
    "repeated given": (
        "[x]\nr1c1\n[facts]\na(1,1,1).\na(1,1,2). b.",
        9,
        "given a(1,1,2) contradicts the grid: r1c1 is 1",
    ),
}


@in_one_test(("section", "line", "message"), WRONG.values())
def test_invalid_sections_are_rejected(section, line, message):
    with pytest.raises(PuzzleError) as raised:
        parse(GRID + section, "p")
    assert str(raised.value).startswith(f"p:{line}: ")
    assert message in str(raised.value)


def test_a_box_shape_and_regions_are_rejected_at_the_regions():
    with pytest.raises(PuzzleError, match="p:8: both a box shape and explicit regions are given"):
        parse("box: 1x3\n" + GRID + "\n[box]\nA A B\nA C B\nC C B", "p")


def test_the_example_of_the_design():
    text = """
title: Anti-knight, slide 17        # header lines, before the grid
with: anti-knight                   # so `aspdoku solve FILE` needs no --with
without: box                        # likewise
box: 2x2                            # inferred where the size allows

. . | . 3
. 1 | . .
----+----
. . | 2 .
. . | . .

[cage]                              # a picture
A A B B
. . . .
. . . .
. . . .
A = 5                               # a value of a label
B = 4

[thermo]                            # paths, one a line
r1c1 r1c2 r2c3                      # or with a value
15: r1c1 r1c2

[greater-than]                      # the grid as it is drawn
. < . . 3
v
. . . .
. . . .
. . . .

[facts]                             # anything else
even(3,4).
"""
    puzzle = parse(text)
    assert puzzle.givens() == {(1, 4): 3, (2, 2): 1, (3, 3): 2}
    assert (puzzle.elaborations, puzzle.without, puzzle.box) == (("anti-knight",), ("box",), (2, 2))
    assert "\n".join(map(str, puzzle.facts)).split() == [
        "cage(1,1,\"A\")", "cage(1,2,\"A\")", "cage(1,3,\"B\")", "cage(1,4,\"B\")",
        "cage_value(\"A\",5)", "cage_value(\"B\",4)", "even(3,4)", "gt(1,1,2,1)", "gt(1,2,1,1)",
        "thermo(1,1,1,1)", "thermo(1,2,1,2)", "thermo(1,3,2,3)", "thermo(2,1,1,1)", "thermo(2,2,1,2)",  # noqa: E501
        "thermo_value(2,15)",
    ]  # fmt: skip


def test_an_invalid_value_of_a_declared_input_is_explained():
    with pytest.raises(PuzzleError) as raised:
        parse("....\n" * 4 + "[xv]\nV: r1c1 r1c2\n", "x")
    assert str(raised.value).startswith("x:6: invalid value 'V': expected an integer")
    assert "10 at an X, 5 at a V" in str(raised.value)
