"""Round trips of native puzzle files; any text is read as a puzzle or rejected."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

import aspdoku
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import parse
from aspdoku.formats.native import write
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.term import printable as escaped

INSTANCES = Path(__file__).parents[2] / "instances"
FILES = sorted(INSTANCES.rglob("*.txt"))


def plain_numbers(text):
    """The rows of numbers in an instance, by an independent reader: separated by blanks, ignoring
    separator lines.
    """
    lines = text.split("\n[")[0].replace("|", "").split("\n")
    rows = [
        line.split()
        for line in lines
        if line and ":" not in line and not line.startswith(("-", "#"))
    ]
    return tuple(tuple(None if cell in "./" else int(cell) for cell in row) for row in rows)


def test_there_are_instances():
    assert len(FILES) > 20


@in_one_test("file", FILES)
def test_instances_read_and_write(file):
    puzzle = aspdoku.read(file)
    assert puzzle.grid == plain_numbers(file.read_text(encoding="utf-8"))
    assert parse(write(puzzle)) == puzzle


def test_the_killer_instance():
    puzzle = aspdoku.read(INSTANCES / "made" / "killer.txt")
    text = (INSTANCES / "made" / "killer.txt").read_text()
    assert sum(fact.name == "cage" for fact in puzzle.facts) == 81
    values = {str(fact) for fact in puzzle.facts if fact.name == "cage_value"}
    lines = [line.split(" = ") for line in text.split("\n") if " = " in line]
    assert values == {f'cage_value("{label}",{value})' for label, value in lines}


names = st.sampled_from(
    ["p", "q", "_x", "thermo_line", "gt", "greater_than", "facts", "box", "n'", "p_value"]
)
printable = st.characters(exclude_categories=["Cc"]).filter(lambda one: escaped(one) == one)
strings = st.one_of(
    st.sampled_from(["A", "B", "10", "a_1", "r1c1", ".", "é", " #", '"', "\\n", "x: y"]),
    st.text(printable | st.sampled_from("\n\t\\")),
)
atoms = st.one_of(st.integers(-(2**31), 2**31 - 1), strings, st.builds(Function, names))
terms = st.recursive(
    atoms,
    lambda inner: st.builds(
        Function, st.one_of(st.just(""), names), st.lists(inner, max_size=3).map(tuple)
    ),
)
small = st.integers(0, 5)
facts = st.one_of(
    st.builds(Function, names, st.lists(terms, max_size=4).map(tuple)),
    st.builds(Function, names, st.tuples(small, small, strings)),
    st.builds(Function, names, st.tuples(small, small, small, small)),
    st.builds(
        lambda name, owner, term: Function(f"{name}_value", (owner, term)),
        names,
        st.one_of(small, strings),
        atoms,
    ),
)


@st.composite
def pictures(draw, size):
    name, cells = (
        draw(names),
        [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)],
    )
    labels = draw(
        st.dictionaries(
            st.sampled_from(cells), st.sampled_from(["A", "b", "C1", "7", "ß"]), max_size=20
        )
    )
    valued = (
        draw(st.dictionaries(st.sampled_from(sorted(set(labels.values()))), atoms))
        if labels
        else {}
    )
    return [Function(name, (*cell, label)) for cell, label in labels.items()] + [
        Function(f"{name}_value", (label, term)) for label, term in valued.items()
    ]


@st.composite
def lines(draw, size):
    name, cell = draw(names), st.tuples(st.integers(1, size), st.integers(1, size))
    paths = draw(
        st.lists(st.tuples(st.lists(cell, min_size=1, max_size=5), st.none() | atoms), max_size=4)
    )
    return [
        Function(name, (path, position, *place))
        for path, (places, _) in enumerate(paths, 1)
        for position, place in enumerate(places, 1)
    ] + [
        Function(f"{name}_value", (path, term))
        for path, (_, term) in enumerate(paths, 1)
        if term is not None
    ]


@st.composite
def signs(draw, size):
    cell = st.tuples(st.integers(1, size), st.integers(1, size))
    step = st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)])
    pairs = draw(st.lists(st.tuples(cell, step), max_size=12))
    return [
        Function("gt", (row, column, row + down, column + right))
        for (row, column), (down, right) in pairs
    ]


@st.composite
def puzzles(draw):
    size = draw(st.integers(1, 13))
    number = st.none() | st.integers(1, size)
    row = st.lists(number, min_size=size, max_size=size).map(tuple)
    grid = draw(
        st.just(((None,) * size,) * size) | st.lists(row, min_size=size, max_size=size).map(tuple)
    )
    shapes = [(rows, size // rows) for rows in range(1, size + 1) if size % rows == 0]
    parts = [
        draw(pictures(size)),
        draw(lines(size)),
        draw(signs(size)),
        draw(st.lists(facts, max_size=5)),
    ]
    stated = tuple(fact for part in parts for fact in part if fact.signature != ("a", 3))
    regions = any(fact.signature == ("box", 3) for fact in stated)
    labels = st.text(printable).map(
        lambda text: f"n{text}".replace(",", "").replace("#", "").strip()
    )
    named = st.lists(
        st.sampled_from(["killer", "a b", "x#y", 'c"d', "é"]) | labels, max_size=3
    ).map(tuple)
    return Puzzle(
        grid=grid,
        box=None if regions else draw(st.none() | st.sampled_from(shapes)),
        facts=stated,
        elaborations=draw(named),
        without=draw(named),
        title=draw(st.sampled_from(["", "x # y: z", "[x]"]) | st.text(printable).map(str.strip)),
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(puzzles())
def test_every_puzzle_that_can_be_written_is_read_back(puzzle):
    try:
        text = write(puzzle)
    except PuzzleError:
        assume(False)
    text.encode()
    assert parse(text) == puzzle


@in_one_test("name", ["box", "cage", "thermo", "p"])
@in_one_test("word", ["\n", "a\nb", "r1c1\nr1c2"])
def test_a_line_break_in_a_term_is_no_new_line(name, word):
    puzzle = Puzzle.blank(4).replace(facts=(Function(name, (1, 2, word)),))
    assert parse(write(puzzle)).facts == puzzle.facts


FRAGMENTS = [
    "title: x\n", "with: a, b\n", "box: 2x2\n", "box: ²x2\n", "tilte: y\n", ":", "\n", "\r", "\f", " ", "\t", "#", "%*", "*%",  # noqa: E501
    "1...\n..4.\n....\n.2..\n", "....\n" * 4, "- - - -\n", "----\n", "+--+--+\n", "1234", "1", "A", "²", "١", "ı", ".", "0",  # noqa: E501
    "[cage]\n", "[greater-than]\n", "[gt]\n", "[facts]\n", "[box]\n", "[a]\n", "[", "]", "=", "A = 10\n", "A =\n", "A A . .\n",  # noqa: E501
    ". < . > . .\n", "^   v\n", "<", "^", "v", ". . . .\n", "r1c1 r1c2\n", "15: r1c1\n", "r9c9\n", "r²c1\n", '"', "\\",  # noqa: E501
    "p(1).\n", "p(1..3;4).\n", "a(1,1,1).\n", "a(1,1,9).\n", "box(1,1,1).\n", "(", ")", ",", ";", "-", "..", "not ", ":-", "X",  # noqa: E501
    "#inf", "00", "9" * 5000, "(" * 500, "\0", "\ud800", "│", "─", "é", "\u2028", "\x85",
]  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(st.text() | st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_any_text_is_a_puzzle_or_an_error(text):
    is_puzzle_or_error(text)


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_any_text_after_a_grid_is_a_puzzle_or_an_error(text):
    is_puzzle_or_error("....\n" * 4 + text)
    is_puzzle_or_error("....\n" * 4 + "[cage]\n" + text)
    is_puzzle_or_error("....\n" * 4 + "[gt]\n" + text)
    is_puzzle_or_error("....\n" * 4 + "[facts]\n" + text)


def is_puzzle_or_error(text):
    outcome: object
    try:
        outcome = parse(text, "fuzz")
    except AspdokuError as error:
        outcome = str(error)
    assert isinstance(outcome, Puzzle) or str(outcome).startswith("fuzz:")
