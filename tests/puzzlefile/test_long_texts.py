"""Reading takes time proportional to the length of a text, and texts that are too large for a
puzzle are rejected early.
"""

import re
import time
from contextlib import suppress
from itertools import permutations

import pytest
from in_one_test import in_one_test
from optional_extras import with_extras

from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import parse, parse_all, registry
from aspdoku.program.rulefile import RuleFile, message_templates
from aspdoku.puzzle import Puzzle
from aspdoku.puzzlefile import writer

GRID = "....\n" * 4
SIGNS = ' \n.01aAv<|-=+*#%:,"\\(['
SOME_PAIRS = ["".join(pair) for pair in permutations(SIGNS, 2)][::47]
# The text before and after a long run of characters.
PLACES = [
    ("", "x\n"),
    ("title: a", "b\n" + GRID),
    ("unsupported: a", "# b\n" + GRID),
    ("grid 1", "x\n" + GRID),
    ("1111", "x"),
    ("4 4", "x\n" + GRID),
    ("a1", "x"),
    (GRID + "[cage]\n", "=\n"),
    (GRID + "[thermo]\nr1c1", ":\n"),
    (GRID + "[greater-than]\n. ", ".\n"),
    (GRID + "[facts]\neven(1", ",1).\n"),
    ("." * 16 + " ", "x"),
    ("#const n", "= 4. a(1,1,1)."),
    ("a", "(1,1,1)."),
    ("2x2::k:", "x"),
    ("https://www.f-puzzles.com/?load=", "x"),
    (".Cage~10~", "x"),
]
# A text of this many characters is read in half a second if the time grows with the length,
# and in more than ten seconds if it grows with its square: the limit only distinguishes these two.
LENGTH, LIMIT = 30_000, 5.0


def seconds(text, format_=None):
    began = time.process_time()
    with suppress(AspdokuError):
        parse_all(text, "x", format_)
    return time.process_time() - began


def too_slow(places, runs, format_=None):
    return [
        (before, run)
        for before, after in places
        for run in runs
        if seconds(before + run * (LENGTH // len(run)) + after, format_) > LIMIT
    ]


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES[:6], ids=ascii)
def test_a_long_run_of_a_character_takes_linear_time(place):
    assert too_slow([place], [" ", "1", "a", "\n", ":", "#"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES, ids=ascii)
def test_a_long_run_of_any_two_characters_takes_linear_time(place):
    assert too_slow([place], ["\t", "\r", *SIGNS[::2], *SOME_PAIRS]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "format_", with_extras(registry.ALL, lambda each: each.name), ids=lambda each: each.name
)
def test_a_long_run_takes_linear_time_in_each_format(format_):
    runs = [
        *SIGNS,
        "1 ",
        "a ",
        ". ",
        "<.",
        "1\n",
        "..\n",
        '"a',
        '\\"',
        "= ",
        "A=",
        "a1,",
        "=0J0",
        "r1c1 ",
        ".Cage~",
    ]
    # Each format has another part of the places and runs.
    first = registry.ALL.index(format_) % 4
    slow = [
        too_slow([place], runs[(first + k) % 4 :: 4], format_)
        for k, place in enumerate(PLACES[::3])
    ]
    assert not any(slow)


@pytest.mark.parametrize("line", ["#\r\n", "# a\r\n", "\r\n", " \r\n", "; \r", "%\n"])
def test_many_comment_lines_before_the_grid(line):
    """With Windows line ends, the time was once exponential in the number of comment lines."""
    assert parse(line * 1000 + "1" + "." * 15) == parse("1" + "." * 15)
    assert parse(line * 1000 + "title: x\n" + GRID).title == "x"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("No. #5", "No. #5"),
        ("a # b", "a # b"),
        ("a  # b", "a"),
        ("a  #b", "a  #b"),
        ("a  #", "a  #"),
        ("a  #b  # c", "a  #b"),
        ("a \t # b # c", "a"),
        ("a  # b  # c", "a"),
    ],
)
def test_the_comment_after_a_title(text, title):
    assert parse(f"title: {text}\n{GRID}").title == title
    assert parse(f"unsupported: {text}\n{GRID}").unsupported == (title,)
    if text == title:
        assert parse(writer.write(Puzzle.blank(4).replace(title=text))).title == text
    else:
        with pytest.raises(PuzzleError):
            writer.write(Puzzle.blank(4).replace(title=text))


def test_a_wording_with_many_blanks():
    blanks = " " * 40_000
    rule = RuleFile("x", "x.lp", f"%@ a{blanks}b\n:- a(1,1,1).\n")
    began = time.process_time()
    assert [each.parts for each in message_templates(rule).values()] == [(f"a{blanks}b",)]
    assert time.process_time() - began < LIMIT


TOO_LARGE = [
    ("\n" * 100_001, "more than 100000 lines"),
    ("\r" * 100_001, "more than 100000 lines"),
    ("ABC\n" * 50_000, "50000 lines are too many for one grid"),
    ("-\n" * 50_000, "50000 lines are too many for one grid"),
    ("1 2\n" * 1001, "1001 lines are too many for one grid"),
    (GRID + "[thermo]\n" + "r1c1 r1c2 r1c3\n" * 34_000, "more than 100000 facts"),
]


@pytest.mark.slow_cases("1", "3", "5")
@pytest.mark.parametrize(("text", "message"), TOO_LARGE, ids=range(len(TOO_LARGE)))
def test_a_text_too_large_for_a_puzzle_is_rejected(text, message):
    with pytest.raises(PuzzleError) as caught:
        parse(text, "x")
    assert message in str(caught.value)
    assert re.match(r"x(:\d+)?: ", str(caught.value))


@in_one_test("format_", registry.FOREIGN)
def test_many_lines_are_rejected_soon_by_a_format_that_is_named(format_):
    began = time.process_time()
    with pytest.raises(PuzzleError):
        parse_all("1\n" * 20_000, "x", format_)
    assert time.process_time() - began < LIMIT
