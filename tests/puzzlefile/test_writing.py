"""Writing puzzle files, and the errors for puzzles that a file cannot represent."""

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku.errors import PuzzleError
from aspdoku.formats.native import write
from aspdoku.puzzle import Function, Puzzle

FULL = Puzzle(
    grid=(
        (None, 1, None, None),
        (None, None, None, 4),
        (2, None, None, None),
        (None, None, None, None),
    ),
    facts=(
        Function("cage", (1, 1, "A")),
        Function("cage", (1, 2, "B10")),
        Function("cage", (4, 4, "A")),
        Function("cage_value", ("A", -3)),
        Function("thermo", (1, 1, 1, 1)),
        Function("thermo", (1, 2, 2, 2)),
        Function("thermo", (2, 1, 4, 4)),
        Function("thermo_value", (2, "so")),
        Function("gt", (1, 1, 1, 2)),
        Function("gt", (1, 4, 1, 3)),
        Function("gt", (1, 1, 2, 1)),
        Function("gt", (2, 4, 1, 4)),
        Function("gt", (4, 3, 4, 4)),
        Function("gt", (1, 1, 2, 2)),
        Function("even", (Function("", (1, 2)), 'a"\n')),
        Function("even"),
    ),
    elaborations=("killer", "my rules.lp"),
    without=("row",),
    title="A title, # and all",
)
FULL_TEXT = """\
title: A title, # and all
with: killer, my rules.lp
without: row

. 1 | . .
. . | . 4
----+----
2 . | . .
. . | . .

[cage]
  A B10   .   .
  .   .   .   .
  .   .   .   .
  .   .   .   A
A = -3
B10 =

[thermo]
r1c1 r2c2
"so": r4c4

[greater-than]
. > .   . < .
v           ^
.   .   .   .
.   .   .   .
.   .   . > .

[facts]
even.
even((1,2),"a\\"\\n").
gt(1,1,2,2).
"""


def test_a_puzzle_with_everything():
    assert write(FULL) == FULL_TEXT
    assert aspdoku.parse(FULL_TEXT) == FULL


@pytest.mark.parametrize(
    ("puzzle", "text"),
    [
        (Puzzle.blank(1), ".\n"),
        (Puzzle.blank(3), ". . .\n. . .\n. . .\n"),
        (Puzzle.blank(4, (1, 4)), "box: 1x4\n\n. . . .\n. . . .\n. . . .\n. . . .\n"),
        (
            Puzzle.blank(6, (3, 2)),
            "box: 3x2\n\n. . | . . | . .\n. . | . . | . .\n. . | . . | . .\n----+-----+----\n"
            ". . | . . | . .\n. . | . . | . .\n. . | . . | . .\n",
        ),
    ],
)
def test_grids(puzzle, text):
    assert write(puzzle) == text


def test_numbers_of_two_digits_are_aligned():
    grid = [[None] * 12 for _ in range(12)]
    grid[0][0], grid[1][1], grid[11][11] = 12, 3, 10
    lines = write(Puzzle(tuple(map(tuple, grid)))).split("\n")
    assert lines[0] == "12  .  .  . |  .  .  .  . |  .  .  .  ."
    assert lines[1] == " .  3  .  . |  .  .  .  . |  .  .  .  ."
    assert lines[3] == "------------+-------------+------------"
    assert lines[14] == " .  .  .  . |  .  .  .  . |  .  .  . 10"


UNDRAWABLE = {
    "picture outside": [Function("p", (1, 3, "A"))],
    "picture row not a number": [Function("p", ("x", 1, "A"))],
    "two labels": [Function("p", (1, 1, "A")), Function("p", (1, 1, "B"))],
    "number as label": [Function("p", (1, 1, 1))],
    "blank in label": [Function("p", (1, 1, "A B"))],
    "label like an empty cell": [Function("p", (1, 1, "."))],
    "label like a cell": [Function("p", (1, 1, "r1c1"))],
    "value without a label": [Function("p", (1, 1, "A")), Function("p_value", ("B", 1))],
    "two values": [
        Function("p", (1, 1, "A")),
        Function("p_value", ("A", 1)),
        Function("p_value", ("A", 2)),
    ],
    "value too complex": [
        Function("p", (1, 1, "A")),
        Function("p_value", ("A", Function("f", (1,)))),
    ],
    "path outside": [Function("p", (1, 1, 3, 1)), Function("p", (1, 2, 3, 2))],
    "path from two": [Function("p", (2, 1, 1, 1)), Function("p", (2, 2, 1, 2))],
    "position from two": [Function("p", (1, 2, 1, 1)), Function("p", (1, 3, 1, 2))],
    "named path": [Function("p", (Function("x"), k, 1, k)) for k in (1, 2)],
    "fork": [Function("p", (1, 1, 1, 1)), Function("p", (1, 1, 1, 2))],
    "value of no path": [
        Function("p", (1, 1, 1, 1)),
        Function("p", (1, 2, 1, 2)),
        Function("p_value", (2, 1)),
    ],
    "paths of one cell": [Function("p", (1, 1, 1, 2))],
    "cells that are not adjacent": [Function("gt", (1, 1, 2, 2))],
    "outside": [Function("gt", (1, 2, 1, 3))],
    "contradiction": [Function("gt", (1, 1, 1, 2)), Function("gt", (1, 2, 1, 1))],
    "other arity": [Function("gt", (1, 1, "A"))],
    "section's other name": [Function("greater_than", (1, 1, 1, 1))],
    "reserved name": [Function("facts", (1, 1, "A"))],
}


@in_one_test("facts", UNDRAWABLE.values())
def test_facts_that_cannot_be_drawn_are_written_as_facts(facts):
    puzzle = Puzzle.blank(2).replace(facts=tuple(facts))
    expected = "".join(f"{fact}.\n" for fact in puzzle.facts)
    assert write(puzzle) == f". .\n. .\n\n[facts]\n{expected}"
    assert aspdoku.parse(write(puzzle)) == puzzle


def test_a_picture_and_paths_of_one_name_share_its_values():
    picture, path = Function("p", (1, 1, "A")), Function("p", (1, 1, 1, 1))
    values = (Function("p_value", ("A", 1)), Function("p_value", (1, 2)))
    for facts in (
        (picture, path),
        (picture, path, values[0]),
        (picture, path, values[1]),
        (picture, path, *values),
    ):
        puzzle = Puzzle.blank(2).replace(facts=facts)
        assert aspdoku.parse(write(puzzle)) == puzzle


@in_one_test(
    ("changes", "message"),
    [
        ({"title": "two\nlines"}, "cannot represent the title 'two\\nlines': it is one line"),
        ({"title": " x"}, "cannot represent the title ' x'"),
        ({"title": "\ud800"}, "cannot represent the title '\\ud800'"),
        ({"title": "a\0b"}, "cannot represent the title"),
        ({"elaborations": ("a,b",)}, "cannot represent the name 'a,b'"),
        ({"elaborations": ("",)}, "cannot represent the name ''"),
        ({"elaborations": ("a ",)}, "cannot represent the name 'a '"),
        ({"without": ("#a",)}, "cannot represent the name '#a'"),
        ({"without": ("a #b",)}, "cannot represent the name 'a #b'"),
        ({"without": ("a\rb",)}, "cannot represent the name 'a\\rb'"),
        ({"facts": (Function("not"),)}, "cannot represent the fact 'not'"),
        ({"facts": (Function("", (1, 2)),)}, "cannot represent the fact '(1,2)'"),
        ({"facts": (Function("P", (1,)),)}, "cannot represent the fact 'P(1)'"),
        ({"facts": (Function("p", (2**31,)),)}, "integer 2147483648 is out of range"),
        ({"facts": (Function("p", (Function("X"),)),)}, "cannot represent the fact 'p(X)'"),
        ({"facts": (Function("p", ("a\rb",)),)}, "cannot represent the fact"),
        (
            {"facts": (Function("p", (1, 1, "A")), Function("p_value", ("A", "\0")))},
            "a puzzle file cannot represent the fact",
        ),
    ],
)
def test_unrepresentable_content_is_rejected(changes, message):
    puzzle = Puzzle.blank(2).replace(**changes)
    with pytest.raises(PuzzleError) as raised:
        write(puzzle)
    assert message in str(raised.value)


def test_terms_too_deep_for_the_reader_are_rejected():
    deepest = Puzzle.blank(2).replace(facts=(Function("p", (_nest(50),)),))
    assert aspdoku.parse(write(deepest)) == deepest
    with pytest.raises(PuzzleError, match="a puzzle file cannot represent the fact"):
        write(Puzzle.blank(2).replace(facts=(Function("p", (_nest(51),)),)))


def _nest(depth):
    term = 1
    for _ in range(depth):
        term = Function("f", (term,))
    return term


@pytest.mark.slow
def test_more_facts_than_the_reader_accepts_are_rejected():
    many = tuple(Function("p", (number,)) for number in range(100_001))
    with pytest.raises(PuzzleError, match="cannot contain 100001 facts, only 100000"):
        write(Puzzle.blank(2).replace(facts=many))
