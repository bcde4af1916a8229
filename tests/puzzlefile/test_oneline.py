"""Puzzles in one line: round trips, and any text is a puzzle, skipped or rejected."""

import io
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse_all
from aspdoku.formats.detection import arranged
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.term import printable
from aspdoku.puzzlefile import oneline
from aspdoku.puzzlefile.oneline import LineContent

# The character for each number; 0 is an empty cell.
SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LARGEST = len(SIGNS) - 1
BLANK = "." * 16
LONG = 1_000_000


def numbers_of(line):
    return list(oneline.parse_line(line, round(len(line.split()[0]) ** 0.5)).numbers)


def fact(name, *arguments):
    return Function(name, arguments)


# ---- Accepted lines ----

READ = [
    # a line, and the numbers in it
    ("1234341221434321", [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]),
    ("1...............", [1, *[0] * 15]),
    ("...............4", [*[0] * 15, 4]),
    (".0_-*1.0_-*2.0_-", [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]),
    ("0000000000000003", [*[0] * 15, 3]),
    ("  1...............\n", [1, *[0] * 15]),
    ("\t1...............\r\n", [1, *[0] * 15]),
    (".", [0]),
    ("1", [1]),
    ("12.1", [1, 2, 0, 1]),
    ("987654321" + "." * 72, [9, 8, 7, 6, 5, 4, 3, 2, 1, *[0] * 72]),
    ("9A" + "." * 98, [9, 10, *[0] * 98]),
    ("ABCDEFG1" + "." * 248, [10, 11, 12, 13, 14, 15, 16, 1, *[0] * 248]),
    ("abcdefg1" + "." * 248, [10, 11, 12, 13, 14, 15, 16, 1, *[0] * 248]),
    ("gG" + "0" * 254, [16, 16, *[0] * 254]),
    ("YZyz" + "." * 1221, [34, 35, 34, 35, *[0] * 1221]),
]


@in_one_test(("line", "numbers"), READ)
def test_the_numbers_of_a_line(line, numbers):
    assert numbers_of(line) == numbers


@in_one_test("number", range(1, LARGEST + 1))
def test_each_number_has_a_character_and_case_does_not_matter(number):
    cells = SIGNS[number] + "." * (LARGEST**2 - 1)
    assert numbers_of(cells)[0] == numbers_of(cells.lower())[0] == number


@in_one_test(
    "line",
    [
        "",
        "\n",
        " ",
        " \t \r\n",
        "#",
        "# a comment",
        "  # 1...............",
        "#" + BLANK,
        "; a comment",
        "% 1",
    ],
)
def test_a_line_without_a_puzzle(line):
    assert oneline.parse_line(line, 4) is None


FACTS = [
    # the text after the grid, and its facts
    (" gt(1,2,1,1).", [fact("gt", 1, 2, 1, 1)]),
    ("   gt(1,2,1,1).  gt(3,3,3,4).\n", [fact("gt", 1, 2, 1, 1), fact("gt", 3, 3, 3, 4)]),
    (
        ' cage(1,1,"A b").cage_value("A b",5).',
        [fact("cage", 1, 1, "A b"), fact("cage_value", "A b", 5)],
    ),
    (" even(1,1..3).", [fact("even", 1, 1), fact("even", 1, 2), fact("even", 1, 3)]),
    (" thermo.", [fact("thermo")]),
    ("\tgt(1,2,1,1).", [fact("gt", 1, 2, 1, 1)]),
    (" gt(1,2,1,1). # a comment", [fact("gt", 1, 2, 1, 1)]),
    (" gt(1,2,1,1). % a comment", [fact("gt", 1, 2, 1, 1)]),
    (" gt (1,2,1,1).", [fact("gt", 1, 2, 1, 1)]),
    (" thermo .", [fact("thermo")]),
    (" %* a comment *% thermo.", [fact("thermo")]),
    ("  \n", []),
]


@in_one_test(("end", "facts"), FACTS)
def test_the_facts_after_a_grid(end, facts):
    assert oneline.parse_line(BLANK + end, 4) == LineContent(bytes(16), tuple(facts))


COMMENTS = [
    # the text after the grid, if it is a comment
    (" # a comment", "a comment"),
    (" #5", "5"),
    (" % 7.1", "7.1"),
    (" ; from the newspaper\n", "from the newspaper"),
    (" # gt(1,2,1,1).", "gt(1,2,1,1)."),
    (" # # 1", "# 1"),
    (" 9.0 Escargot", "9.0 Escargot"),
    (" Easy, by A. B. # of 9", "Easy, by A. B. # of 9"),
]


@pytest.mark.parametrize(("end", "comment"), COMMENTS)
def test_the_comment_after_a_grid(end, comment):
    assert oneline.parse_line(BLANK + end, 4) == LineContent(bytes(16), (), comment)


EMPTY = [
    ("1xxxxX2xxxxxxxxx", "1.....2........."),
    ("1     2    3    ", "1.....2....3...."),
    ("     2    3    1\n", ".....2....3....1"),
    ("1234341221434321".ljust(25) + "\n", "1234341221434321"),
]


@pytest.mark.parametrize(("line", "cells"), EMPTY)
def test_an_x_or_a_blank_for_an_empty_cell(line, cells):
    assert oneline.parse_line(line, 4) == oneline.parse_line(cells, 4)


# ---- Rejected lines ----

REJECTED = [
    # a line, the size of the grid, and a part of the message
    (BLANK[1:], 4, ["15 cells", "4x4", "16"]),
    (BLANK + ".", 4, ["17 cells", "16"]),
    (BLANK, 9, ["16 cells", "9x9", "81"]),
    (".", 9, ["1 cell"]),
    ("5" + BLANK[1:], 4, ["'5' in r1c1", "4x4", "1 to 4"]),
    ("......7.........", 4, ["'7' in r2c3"]),
    ("............1235", 4, ["'5' in r4c4"]),
    ("..A.............", 4, ["'A' in r1c3"]),
    ("?" + BLANK[1:], 4, ["'?' in r1c1"]),
    ("....é...........", 4, ["'é' in r2c1"]),
    ("........\N{DIGIT ONE}...٣...", 4, ["'٣' in r4c1"]),
    ("...............\N{SUPERSCRIPT TWO}", 4, ["'²' in r4c4"]),
    ("...\0............", 4, ["'\\x00' in r1c4"]),
    ("..\x1b.............", 4, ["'\\x1b' in r1c3"]),
    ("\N{GRINNING FACE}" + BLANK[1:], 4, ["invalid number", "r1c1"]),
    ("|...............", 4, ["'|' in r1c1"]),
    ("." * 9 + "H" + "." * 246, 16, ["'H' in r1c10", "1 to G"]),
    ("." * 255 + "z", 16, ["'z' in r16c16", "1 to G"]),
    ("A0." + "." * 97, 10, ["ambiguous 0"]),
    ("-0a" + "0" * 97, 10, ["ambiguous 0"]),
    (BLANK + " gt(1,2,1,1)", 4, ["full stop"]),
    (BLANK + " gt(1,2,1,1).. ", 4, ["'..'"]),
    (BLANK + " gt(1,2", 4, ["incomplete fact"]),
    (BLANK + ' cage(1,1,"A).', 4, ["unterminated string"]),
    (BLANK + " :- a(1,1,1).", 4, ["':-'", "only facts"]),
    (BLANK + " { a(1,1,1) }.", 4, ["'{'", "only facts"]),
    (BLANK + " even(X).", 4, ["'X'", "only facts"]),
    (BLANK + ' #include "/etc/passwd".', 4, ["'#include'", "only facts"]),
    (BLANK + " #script (python) #end.", 4, ["'#script'", "only facts"]),
    (BLANK + " even(@f(1)).", 4, ["'@'", "only facts"]),
    (BLANK + " even(99999999999).", 4, ["99999999999"]),
    (BLANK + " even(1..1000000).", 4, ["100000"]),
    (BLANK + " even(" + "(" * 100_000, 4, ["parentheses"]),
    (BLANK + " %* never closed", 4, ["unterminated comment"]),
    (BLANK + " 1...............", 4, ["'1...............' after the grid has empty cells"]),
    (BLANK[:9] + " " + BLANK[9:], 3, ["9 cells, and '.......' after"]),
    (BLANK + "  # .........", 4, ["16 cells, and '.........' after"]),
    (BLANK + " Gt(1,2,1,1).", 4, ["'Gt'", "only facts", "start a comment"]),
    (BLANK + " #easy", 4, ["'#easy'", "only facts"]),
    ("." * 1296, 36, ["36x36"]),
    ("Z" * 1296, 36, ["36x36"]),
    ("?" * 10_000, 100, ["100x100"]),
]


@pytest.mark.parametrize(
    ("line", "size", "fragments"), REJECTED, ids=[ascii(line[:40]) for line, _, _ in REJECTED]
)
def test_an_invalid_line_is_rejected_with_the_cell_or_the_word(line, size, fragments):
    with pytest.raises(PuzzleError) as caught:
        oneline.parse_line(line, size)
    message = str(caught.value)
    assert [fragment for fragment in fragments if fragment not in message] == []
    assert len(message) < 300
    assert message.isprintable()
    assert not message.startswith(":")


@pytest.mark.slow
@given(st.integers(1, 12), st.data())
def test_the_cell_that_is_named_is_the_first_wrong_one(size, data):
    cells = ["."] * size**2
    places = data.draw(st.sets(st.integers(0, size**2 - 1), min_size=1))
    for place in places:
        # x is an empty cell
        cells[place] = data.draw(
            st.sampled_from([*SIGNS[size + 1 :].replace("X", ""), "?", "+", "é", "\0"])
        )
    with pytest.raises(PuzzleError) as caught:
        oneline.parse_line("".join(cells), size)
    r, c = map(int, re.match(r"invalid number .* in r(\d+)c(\d+):", str(caught.value)).groups())
    assert (r - 1) * size + c - 1 == min(places)


# ---- Agreement with the reader of puzzle files ----

AFTER_GRID = [
    "gt(1,2,1,1).", "gt (1,2,1,1).", "gt", "(", ")", "(1,2,1,1)", ".", "thermo.", "no. 5", "#", "# x", "#x", "%", "%*", "*%", ";",  # noqa: E501
    ":-", " ", "  ", "\t", "Easy", "7.1", "ED=7.1/1.2", BLANK, "1..2", "1", '"', '"a b"', "{", "x", "@f", "\\", "[cage]",  # noqa: E501
    "title: x",
]  # fmt: skip
after_grid = st.lists(st.sampled_from(AFTER_GRID), max_size=6).map("".join) | st.text(max_size=8)
cells = st.sampled_from(
    [
        "1xxxX2xx..3.4xxx",
        "1xxxX2xxxx3x4xxx",
        BLANK,
        "1234341221434321",
        "1   2    3    4 ",
        "0" * 16,
        "1-_*0.1-_*0.1-_*",
    ]
)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(cells, st.sampled_from(["", " ", "  ", "\t"]), after_grid)
@example("................", "", "A~")
@example(".X..............", " ", "A~")
def test_a_line_has_the_same_meaning_in_a_list_and_for_batch(cells, apart, after_grid):
    line = "".join(sign for sign in cells + apart + after_grid if sign not in "\r\n")

    def one_of_a_list():
        try:
            puzzle = parse_all(f"{line}\n{BLANK}\n{BLANK}\n{BLANK}\n{BLANK}\n{BLANK}", "x")[0]
        except PuzzleError:
            return None
        return bytes(number or 0 for row in puzzle.grid for number in row), puzzle.facts

    def of_batch():
        try:
            found = oneline.parse_line(next(arranged([line, *[BLANK] * 5])[1]), 4)
            puzzle = Puzzle.blank(4).replace(facts=found.facts)
        except PuzzleError:
            return None
        return found.numbers, puzzle.facts

    assert one_of_a_list() == of_batch()


# ---- Round trips ----

grids = st.integers(1, LARGEST).flatmap(
    lambda size: st.lists(st.integers(0, size), min_size=size**2, max_size=size**2).map(
        lambda numbers: (size, bytes(numbers))
    )
)
names = st.sampled_from(["gt", "cage", "cage_value", "p", "n'", "_x", "ab"])
characters = st.characters().filter(lambda one: printable(one) == one)
atoms = st.integers(-(2**31), 2**31 - 1) | st.text(characters) | st.builds(Function, names)
facts_ = st.lists(st.builds(Function, names, st.lists(atoms, max_size=4).map(tuple)), max_size=5)


@pytest.mark.slow
@settings(deadline=None)
@given(grids, facts_)
def test_a_formatted_line_is_read_back(grid, facts):
    size, numbers = grid
    written = oneline.format_line(numbers)
    assert written == "".join(SIGNS[number] for number in numbers)
    line = " ".join([written, *(f"{each}." for each in facts)])
    assert oneline.parse_line(line + "\n", size) == LineContent(numbers, tuple(facts))


def test_an_empty_grid_is_an_empty_line():
    assert oneline.format_line(b"") == ""


# ---- Arbitrary text ----

PIECES = [
    BLANK, "1234341221434321", "." * 81, "." * 256, "1", "9", "A", "z", "0", ".", "_", "-", "*", "#", "%", "%*", "*%", ";", " ",  # noqa: E501
    "\t", "\n", "\r", "\f", "\x1c", "\x85", "\u2028", "\u00a0", "\ufeff", "\0", "\ud800", "²", "١", "é", "\N{GRINNING FACE}",  # noqa: E501
    "|", "+", '"', "\\", "(", ")", "gt(1,2,1,1).", "gt(1,2,1,1)", "a(1,1,1).", "a(1,1,9).", "box(1,1,1).", "p(1..3;4).",  # noqa: E501
    "p(X).", ":-", "not ", "#inf", "#include", "@f", "(" * 500, "9" * 5000, "..", ",", "=", "n(1).", "ab(box).",  # noqa: E501
]  # fmt: skip
junk = (
    st.text()
    | st.binary().map(lambda data: data.decode("utf-8", "replace"))
    | st.binary().map(lambda data: data.decode("latin-1"))
)
pieces = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(
    st.sampled_from(["", BLANK, BLANK + " "]),
    junk | pieces,
    st.sampled_from([1, 2, 4, 9, 16, 35, 36, 100]),
)
def test_any_text_is_a_puzzle_or_nothing_or_an_error(start, text, size):
    try:
        found = oneline.parse_line(start + text, size)
    except PuzzleError:
        return
    if found is None:
        assert (start + text).strip()[:1] in ("", "#", ";", "%")
        return
    assert len(found.numbers) == size**2
    assert max(found.numbers) <= size
    assert all(isinstance(each, Function) for each in found.facts)


@given(junk | pieces)
def test_the_size_of_any_text_is_that_of_its_cells_or_none(text):
    size = oneline.line_size(text)
    assert size is None or len(oneline.split_line(text)[0]) == size**2


SIZES = [
    (BLANK, 4),
    ("." * 36, 6),
    (" " + "." * 81 + "\r\n", 9),
    ("1" * 144 + " gt(1,2,1,1).", 12),
    ("1" * 144 + "\tgt(1,2,1,1).", 12),
    ("." * LARGEST**2, LARGEST),
    ("." * 36**2, None),
    ("." * 80, None),
    ("." * 82, None),
    ("." * 9, None),
    (".", None),
    ("", None),
    (" \n", None),
    ("# " + "." * 81, None),
    ("#" + "." * 80, None),
]


@in_one_test(("line", "size"), SIZES)
def test_the_size_of_a_grid_is_detected_by_the_length_of_its_line(line, size):
    assert oneline.line_size(line) == size


# ---- Lines of a stream ----


@given(st.lists(st.text(st.characters(exclude_characters="\r\n")), min_size=1, max_size=5))
def test_the_lines_of_a_stream_are_all_its_lines(texts):
    text = "\n".join(texts)
    found = list(oneline.bounded_lines(io.StringIO(text)))
    assert "".join(found) == text
    assert [line.removesuffix("\n") for line in found] == (texts if texts[-1] else texts[:-1])


@pytest.mark.parametrize(
    "long", ["." * (3 * LONG), BLANK + " " * (3 * LONG) + "gt(1,2,1,1).", "\0" * (LONG + 2)]
)
@pytest.mark.parametrize("end", ["\n", ""])
def test_a_line_longer_than_any_puzzle_is_one_line_and_never_in_memory(long, end):
    """The line is rejected whatever it begins with, because the part that is cut off could contain
    facts.
    """
    found = list(
        oneline.bounded_lines(
            io.StringIO(f"1{BLANK[1:]}\n{long}{end}" + (f"2{BLANK[1:]}\n" if end else ""))
        )
    )
    assert len(found) == (3 if end else 2)
    assert found[0] == f"1{BLANK[1:]}\n"
    assert len(found[1]) < 1.1 * LONG
    assert found[2:] == ([f"2{BLANK[1:]}\n"] if end else [])
    with pytest.raises(PuzzleError):
        oneline.parse_line(found[1], 4)


@pytest.mark.parametrize("spare", [0, 1, 2])
def test_a_line_of_nearly_a_million_characters_is_read_completely(spare):
    text = BLANK + " gt(1,2,1,1).".rjust(LONG - len(BLANK) - spare)
    (line,) = oneline.bounded_lines(io.StringIO(text))
    assert oneline.parse_line(line, 4).facts == (fact("gt", 1, 2, 1, 1),)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_binary_data_is_invalid_lines(data):
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="replace")
    for line in oneline.bounded_lines(stream):
        try:
            found = oneline.parse_line(line, 4)
        except PuzzleError:
            continue
        assert found is None or len(found.numbers) == 16
