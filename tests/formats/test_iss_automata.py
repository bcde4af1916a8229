"""Regular expressions and automata of Interactive Sudoku Solver, compared with Python's `re` and
with automata written bit by bit.
"""

import re
from base64 import urlsafe_b64encode
from itertools import product
from random import Random

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.iss.automata import automaton, decode, encode, from_expression

LONGEST = 5
WORDS = [word for length in range(LONGEST + 1) for word in product((1, 2, 3), repeat=length)]


def accepts(found, word):
    """Whether an automaton accepts the indices of symbols."""
    states = {*range(found.starts)}
    for symbol in word:
        states = {other for state, read, other in found.edges if state in states and read == symbol}
    return not states.isdisjoint(found.accepting)


def random_pattern(rng, depth):
    kind = rng.random() if depth else 0
    if kind < 0.3:
        return rng.choice(("1", "2", "3", ".", "[12]", "[^1]", "[1-3]", "[^2-3]", ""))
    if kind < 0.5:
        return random_pattern(rng, depth - 1) + random_pattern(rng, depth - 1)
    if kind < 0.7:
        return f"({random_pattern(rng, depth - 1)}|{random_pattern(rng, depth - 1)})"
    sign = rng.choice(("*", "+", "?", "{2}", "{1,}", "{0,2}", "{2,3}", "{0}", "{0,0}"))
    return f"({random_pattern(rng, depth - 1)}){sign}"


def test_random_expressions_on_all_words():
    rng = Random("expressions")
    for _ in range(60):
        pattern = random_pattern(rng, 4)
        found = from_expression(pattern, range(1, 4), LONGEST)
        expected = [word for word in WORDS if re.fullmatch(pattern, "".join(map(str, word)))]
        accepted = [word for word in WORDS if accepts(found, [number - 1 for number in word])]
        assert accepted == expected, pattern
        assert decode(encode(found, 3)) == found


@pytest.mark.parametrize(
    ("pattern", "word", "other"),
    [
        ("0[a-c]C", [0, 11, 12], [0, 13, 12]),
        ("9|10", [9], [10]),
        (" 1 2 ", [1, 2], [1]),
        ("1{2}{2}", [1] * 4, [1] * 2),
        ("1+?", [1], [2]),
    ],
)
def test_expressions_that_python_reads_differently(pattern, word, other):
    found = from_expression(pattern, range(14), LONGEST)
    assert accepts(found, word)
    assert not accepts(found, other)


@in_one_test(
    "pattern",
    [
        *("(", ")", "(1", "1)", "*", "1|*", "[", "[]", "[1", "[2-1]", "[1-]", "[^]", "4", "0", "é"),
        *(
            "1{",
            "1{}",
            "1{,2}",
            "1{2,1}",
            "1{2",
            "{1}",
            "1{99999}",
            "]",
            "}",
            "^1",
            "1$",
            "-",
            "\\1",
        ),
        "(" * 50 + "1" + ")" * 50,
    ],
)
def test_invalid_expressions(pattern):
    with pytest.raises(UnsupportedError, match="the pattern"):
        from_expression(pattern, range(1, 4), LONGEST)


@pytest.mark.parametrize("pattern", [".*1" + ".?" * 150, "." * 500])
def test_expressions_that_are_too_large(pattern):
    with pytest.raises(UnsupportedError, match="too large"):
        from_expression(pattern, range(1, 10), 81)


def test_nested_groups_take_no_time():
    nested = "(" * 25 + "1*" + ")*" * 25
    assert accepts(from_expression(nested, range(1, 10), 81), [0] * 81)
    assert accepts(from_expression("(.{0,900}){900}" * 9, range(1, 4), 9), [0] * 9)


def in_base64(*fields):
    """Numbers with their sizes in bits."""
    bits = "".join(f"{number:0{size}b}" for number, size in fields)
    content = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return urlsafe_b64encode(content).decode().rstrip("=")


# Three states and four symbols; the states 0, which accepts, and 1 are starts, and 2 accepts.
HEADER = [(1, 4), (3, 4), (2, 2), (1, 2), (0b01, 2)]
EXPECTED = automaton([0, 1], [0, 2], [(0, 0, 1), (0, 3, 2), (1, 1, 2)])


def test_the_plain_form():
    """For each state the number of its edges, and of each edge the symbol and the next state."""
    edges = [(2, 2), (0, 2), (1, 2), (3, 2), (2, 2), (1, 2), (1, 2), (2, 2), (0, 2)]
    assert decode(in_base64((0, 2), *HEADER, (2, 4), *edges)) == EXPECTED


def test_the_packed_form():
    """For each state the set of its symbols, the first one in the last bit, and the next states."""
    edges = [(0b1001, 4), (1, 2), (2, 2), (0b0010, 4), (2, 2), (0, 4)]
    assert decode(in_base64((1, 2), *HEADER, *edges)) == EXPECTED


def test_states_that_accept_nothing_are_omitted():
    edges = [(0, 0, 1), (0, 1, 2), (2, 0, 2)]
    assert automaton([0], [1], edges) == automaton([0], [1], edges[:1])
    assert automaton([0, 1], [], edges) == (2, frozenset(), ())


@pytest.mark.parametrize(
    "text", ["A", "AA", "____", "BlQw", "BlQwmeK_____", "x.y", in_base64((3, 2), *HEADER)]
)
def test_invalid_automata(text):
    with pytest.raises(UnsupportedError):
        decode(text)


def test_an_empty_automaton_accepts_nothing():
    assert decode("") == (0, frozenset(), ())
    puzzle = aspdoku.parse(".Shape~4x4.NFA~~R1C1~R1C2")
    with pytest.warns(aspdoku.AspdokuWarning, match="automaton also needs automaton_start"):
        assert aspdoku.solve(puzzle).status == "none"


def test_all_grids_with_an_expression():
    """In the first three rows, 1 and 2 are neighbours in this order."""
    lines = "~~".join("~".join(f"R{r}C{c}" for c in range(1, 5)) for r in range(1, 4))
    puzzle = aspdoku.parse(f".Shape~4x4.Regex~LioxMi4q~{lines}")
    assert puzzle.unsupported == ()
    expected = {
        solution.rows
        for solution in aspdoku.Solver(aspdoku.compose(aspdoku.Puzzle.blank(4))).search(0)
        if all("12" in "".join(map(str, row)) for row in solution.rows[:3])
    }
    found = {solution.rows for solution in aspdoku.Solver(aspdoku.compose(puzzle)).search(0)}
    assert found == expected
    assert expected
