"""Round trips of generated puzzles through each format.

What a format's writer writes, its reader reads as an equal puzzle; no other format recognizes the
text as its own; and any text is read as a puzzle or rejected.
"""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from optional_extras import can_be_read, with_extras

from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.formats import parse, registry
from aspdoku.formats.equivalence import differences
from aspdoku.puzzle import Function, Puzzle
from aspdoku.puzzle.puzzle import box_shape

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
titles = st.sampled_from(["", "x", "No. 5 # of 9", 'a "b" ; % c', "[x]", "box: 2x2"])


def grids(size, first=1):
    cell = st.none() | st.integers(first, first + size - 1)
    row = st.lists(cell, min_size=size, max_size=size).map(tuple)
    one_row = row.map(lambda each: (each,) * size)
    return (
        st.just(((None,) * size,) * size)
        | one_row
        | st.lists(row, min_size=size, max_size=size).map(tuple)
    )


def cells(size):
    return [(r, c) for r in range(1, size + 1) for c in range(1, size + 1)]


def labelled(name, labels, size):
    return [
        Function(name, (r, c, label))
        for (r, c), label in zip(cells(size), labels, strict=True)
        if label != "."
    ]


def plain(*sizes, title=False):
    return st.sampled_from(sizes).flatmap(
        lambda size: st.builds(Puzzle, grid=grids(size), title=titles if title else st.just(""))
    )


@st.composite
def of_regions(draw, name, names, with_=(), without=()):
    """n random regions of n cells each."""
    size = draw(st.integers(4, 9))
    labels = draw(st.permutations([label for label in names[:size] for _ in range(size)]))
    return Puzzle(
        draw(grids(size)),
        facts=tuple(labelled(name, labels, size)),
        elaborations=with_,
        without=without,
    )


@st.composite
def killers(
    draw, sizes=(4, 6, 9), names=LETTERS, largest=45, caged=False, givens=False, rules=("killer",)
):
    """Cages in rows: runs of cells with sums, some of which may be missing."""
    size = draw(st.sampled_from(sizes))
    labels, sums = [], {}
    for _ in range(size):
        left = size
        while left:
            run = draw(st.integers(1, left))
            left -= run
            assume(len(sums) < len(names))
            name = names[len(sums)]
            if not caged and draw(st.booleans()):
                labels += ["."] * run
                continue
            labels += [name] * run
            sums[name] = (
                draw(st.integers(run * (run + 1) // 2, largest))
                if caged or run == 1 or draw(st.booleans())
                else 0
            )
    assume(any(sums.values()))
    facts = labelled("cage", labels, size) + [
        Function("cage_value", item) for item in sums.items() if item[1]
    ]
    grid = draw(grids(size)) if givens else ((None,) * size,) * size
    return Puzzle(grid, facts=tuple(facts), elaborations=rules)


@st.composite
def marked(draw, sizes):
    size = draw(st.sampled_from(sizes))
    marks = [draw(st.sets(st.integers(1, size), min_size=1, max_size=size)) for _ in cells(size)]
    facts = [
        Function("a" if len(each) == 1 else "pencilmark", (*cell, number))
        for cell, each in zip(cells(size), marks, strict=True)
        for number in each
        if len(each) < size
    ]
    named = ("pencilmarks",) if any(fact.name == "pencilmark" for fact in facts) else ()
    return Puzzle(((None,) * size,) * size, facts=tuple(facts), elaborations=named)


@st.composite
def hexadecimals(draw):
    """Partly filled grids without repeats in rows and columns, because two zeros in one of them
    would be read as empty cells.
    """
    numbers = draw(st.permutations(range(16)))
    left_out = draw(st.sets(st.sampled_from(cells(16)), max_size=150))
    held = {
        (r + 1, c + 1): numbers[(4 * (r % 4) + r // 4 + c) % 16]
        for r in range(16)
        for c in range(16)
    }
    grid = [
        [None if (r, c) in left_out else held[r, c] for c in range(1, 17)] for r in range(1, 17)
    ]
    return Puzzle(tuple(map(tuple, grid)), numbers=range(16))


@st.composite
def parities(draw):
    size = draw(st.sampled_from([4, 6, 9]))
    marks = draw(
        st.dictionaries(st.sampled_from(cells(size)), st.sampled_from(["even", "odd"]), min_size=1)
    )
    grid = [
        [None if (r, c) in marks else n for c, n in enumerate(row, 1)]
        for r, row in enumerate(draw(grids(size)), 1)
    ]
    facts = tuple(Function(name, cell) for cell, name in marks.items())
    return Puzzle(tuple(map(tuple, grid)), facts=facts, elaborations=("even", "odd"))


def pairs(size, height=0, width=0):
    """Pairs of neighbours, optionally in the same box only."""
    near = [((r, c), (r, c + 1)) for r, c in cells(size) if c < size] + [
        ((r, c), (r + 1, c)) for r, c in cells(size) if r < size
    ]
    boxes = {
        (r, c): (0, 0) if not height else ((r - 1) // height, (c - 1) // width)
        for r, c in cells(size)
    }
    return [pair for pair in near if boxes[pair[0]] == boxes[pair[1]]]


@st.composite
def futoshikis(draw, least=2):
    size = draw(st.integers(least, 9))
    chosen = draw(st.lists(st.sampled_from(pairs(size)), min_size=1, unique=True))
    facts = [Function("gt", (*a, *b) if draw(st.booleans()) else (*b, *a)) for a, b in chosen]
    return Puzzle(
        draw(grids(size)), facts=tuple(facts), elaborations=("greater-than",), without=("box",)
    )


@st.composite
def greater_thans(draw):
    size, height, width = draw(st.sampled_from([(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3)]))
    facts = [
        Function("gt", (*a, *b) if draw(st.booleans()) else (*b, *a))
        for a, b in pairs(size, height, width)
    ]
    return Puzzle(draw(grids(size)), facts=tuple(facts), elaborations=("greater-than",))


@st.composite
def some_signs(draw):
    """Signs between any cells, also across box borders, in a grid with boxes."""
    puzzle = draw(futoshikis(least=4))
    return puzzle.replace(without=())


@st.composite
def with_facts(draw, title):
    puzzle = draw(plain(4, 5, 9, title=title))
    terms = st.lists(
        st.integers(-5, 9) | st.sampled_from(["A", 'x "y"', "# z", "%", "\n"]), max_size=4
    ).map(tuple)
    return puzzle.replace(
        facts=tuple(
            draw(
                st.lists(st.builds(Function, st.sampled_from(["p", "gt", "_q"]), terms), max_size=4)
            )
        )
    )


@st.composite
def on_boards(draw, format_):
    """Some numbers on the boards of a type, which its reader places."""
    rows, columns = BOARD_SIZES[format_.name.removeprefix("janko-")]
    empty = f"{rows} {columns}\n" + ("- " * columns + "\n") * rows
    (puzzle,) = format_.read(empty, "x")
    places = [fact.arguments[1:3] for fact in puzzle.facts if fact.name == "board"]
    cell = st.tuples(st.sampled_from(places), st.integers(0, 8), st.integers(0, 8))
    grid = [list(row) for row in puzzle.grid]
    for ((row, column), down, right), number in draw(
        st.dictionaries(cell, st.integers(1, 9), max_size=20)
    ).items():
        grid[row + down - 1][column + right - 1] = number
    return puzzle.replace(grid=tuple(map(tuple, grid)))


BOARD_SIZES = {
    **{"samurai": (21, 21), "butterfly": (12, 12), "windmill": (21, 21), "sohei": (21, 21)},
    **{"sumo": (33, 33), "gattai-8": (21, 33), "shogun": (21, 45)},
    **{"clueless-1": (27, 27), "clueless-2": (27, 27)},
}
NUMBERS = [str(number) for number in range(1, 82)]
CARRIED = {
    "puzzle": plain(4, 9, 16, title=True),
    "lines": with_facts(title=True) | plain(16, 25, title=True),
    "grids": plain(4, 9, 16),
    "sadman": plain(4, 6, 9, title=True),
    "simple": plain(4, 6, 9),
    "hodoku": plain(9) | marked([9]),
    "candidates": marked([4, 6, 9, 10]),
    "candidate-grid": marked([4, 6, 9]),
    "letters": plain(10, 16, 25),
    "hexadecimal": hexadecimals(),
    "pairs": plain(10, 12, 16),
    "jigsaw": of_regions("box", LETTERS),
    "sumocue": of_regions("box", [str(number) for number in range(9)]),
    "janko": (
        plain(4, 6, 9)
        | parities()
        | of_regions("box", NUMBERS)
        | killers(caged=True, names=NUMBERS)
    ),
    "killer": killers(givens=True),
    "killer-long": (
        killers(sizes=(4, 9), names=NUMBERS)
        | killers(sizes=(9,), names=NUMBERS, rules=("killer", "diagonal"))
    ),
    "killer-short": killers(sizes=(9,), names=NUMBERS),
    "strimko": of_regions("chain", NUMBERS, ("chain",), ("box",)),
    "strimko-rows": of_regions("chain", NUMBERS, ("chain",), ("box",)),
    "futoshiki": futoshikis(),
    "greater-than": greater_thans() | some_signs(),
    "less-than": futoshikis(),
    "streams": of_regions("chain", NUMBERS, ("chain",), ("box",)),
    "facts": with_facts(title=False),
    "fpuzzles": (
        plain(4, 6, 9, 16, title=True)
        | of_regions("box", range(1, 10))
        | killers(givens=True, names=range(1, 82))
    ),
    "address": plain(4, 6, 9, 16, title=True) | of_regions("box", range(1, 10)),
    "sudokupad": (
        plain(4, 6, 9, 16, title=True)
        | of_regions("box", range(1, 10))
        | killers(givens=True, names=range(1, 82))
    ),
    "iss": (
        plain(4, 6, 9, 16)
        | of_regions("box", range(1, 10))
        | killers(givens=True, names=range(1, 82))
        | futoshikis()
    ),
    "penpa": (
        plain(4, 6, 9, 16, title=True)
        | killers(givens=True, names=range(1, 82))
        | futoshikis()
        | greater_thans()
    ),
    "puzzlink": plain(4, 6, 9, 16),
    "opensudoku": plain(9, title=True),
    "ipuz": (
        plain(4, 6, 9, 16, title=True)
        | of_regions("box", range(1, 10))
        | killers(givens=True, names=range(1, 82))
    ),
    **{each.name: on_boards(each) for each in registry.ALL if each.undetected and each.write},
}
# In these formats, a region with the shape of a box is read as a box.
DRAW_BOXES = {"fpuzzles", "address", "sudokupad", "iss", "penpa", "ipuz"}


def test_every_format_is_tested():
    assert CARRIED.keys() == {each.name for each in registry.ALL if each.write}, (
        "CARRIED needs random puzzles for each format with a writer, all of which it represents"
    )


def written(format_, puzzle):
    """The text, or the error message."""
    try:
        return registry.write(format_, [puzzle]), ""
    except PuzzleError as error:
        return "", str(error)


def without_regions(puzzle):
    facts = tuple(fact for fact in puzzle.facts if fact.name != "box")
    return puzzle.replace(facts=facts, box=box_shape(puzzle.size))


def regions(puzzle):
    """The sets of cells that hold every number."""
    boxes = {}
    for fact in puzzle.facts:
        if fact.name == "box":
            boxes.setdefault(fact.arguments[2], set()).add(fact.arguments[:2])
    if puzzle.box:
        height, width = puzzle.box
        for row, column in cells(puzzle.size):
            boxes.setdefault(((row - 1) // height, (column - 1) // width), set()).add((row, column))
    return sorted(map(sorted, boxes.values()))


def alike(one, other):
    return without_regions(one) == without_regions(other) and regions(one) == regions(other)


def check_that_what_is_written_is_read_as_it_was(name, data):
    format_ = registry.by_name(name)
    puzzle = data.draw(CARRIED[name])
    text, message = written(format_, puzzle)
    assert text or "cannot represent" in message
    assume(text)
    (again,) = format_.read(text, "x")
    same = again if puzzle.rules else again.replace(rules="")  # it may state the rules in words
    assert same == puzzle or (name in DRAW_BOXES and alike(same, puzzle))
    assert sum(each.fits(text) for each in registry.FOREIGN) <= 1
    if format_.undetected:
        with pytest.raises(PuzzleError):
            parse(text)
        return
    by_content = parse(text)
    with_title = "title" in format_.texts
    assert by_content == again or (not with_title and by_content.replace(title="") == again)


@pytest.mark.slow_cases(
    "address",
    "candidate-grid",
    "candidates",
    "facts",
    "fpuzzles",
    "futoshiki",
    "greater-than",
    "grids",
    "iss",
    "killer-short",
    "letters",
    "lines",
    "pairs",
    "puzzle",
    "streams",
    "strimko-rows",
    "sudokupad",
)
@pytest.mark.parametrize("name", with_extras(CARRIED))
@settings(deadline=None, max_examples=8)
@given(data=st.data())
def test_a_written_puzzle_is_read_back(name, data):
    check_that_what_is_written_is_read_as_it_was(name, data)


@pytest.mark.slow
@pytest.mark.parametrize("name", with_extras(CARRIED))
@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(data=st.data())
def test_many_written_puzzles_are_read_back(name, data):
    check_that_what_is_written_is_read_as_it_was(name, data)


ANY = st.one_of(*CARRIED.values())


@pytest.mark.parametrize(
    "format_", with_extras([each for each in registry.ALL if each.write], lambda each: each.name)
)
@settings(deadline=None, max_examples=5)
@given(puzzle=ANY)
def test_unrepresentable_content_is_rejected_and_never_changed(format_, puzzle):
    text, message = written(format_, puzzle)
    if not text:
        assert message
        return
    (again,) = format_.read(text, "x")
    if registry.for_people_only(format_, puzzle):
        assert again.unsupported
        (again,) = format_.plain(text, "x")
        puzzle, again = format_.stated(puzzle), again.replace(unsupported=())
    assert not differences(puzzle, again)


WRITTEN_TOGETHER = [each.name for each in registry.ALL if each.multiple and each.write]


@pytest.mark.slow
@pytest.mark.parametrize("name", with_extras(WRITTEN_TOGETHER))
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_several_puzzles_in_a_file_are_read_back(name, data):
    format_ = registry.by_name(name)
    puzzles = data.draw(st.lists(plain(9), min_size=2, max_size=5))
    text = registry.write(format_, puzzles)
    assert format_.fits(text)
    assert format_.read(text, "x") == puzzles


ODD = {
    "a rule": (Puzzle(((None,) * 9,) * 9, elaborations=("anti-knight",)), "the rule anti-knight"),
    "a retracted rule": (Puzzle(((None,) * 9,) * 9, without=("row",)), "`without: row`"),
    "facts": (
        Puzzle(((None,) * 9,) * 9, facts=(Function("even", (1, 1)), Function("thermo", ()))),
        "facts even/2 and thermo/0",
    ),
    "boxes": (Puzzle(((None,) * 6,) * 6, box=(3, 2)), "boxes of 3x2"),
    "numbers": (Puzzle(((7,) * 16,) * 16, numbers=range(2, 18)), "the numbers 2 to 17"),
    "an unsupported constraint": (
        Puzzle(((None,) * 9,) * 9, unsupported=("two grids",)),
        "two grids",
    ),
    "a large grid": (Puzzle(((1, *(None,) * 99), *((None,) * 100,) * 99)), "a 100x100 grid"),
}


BY_JSON = {"a rule", "boxes", "a large grid"}
CAN_CARRY = {
    **{"facts": {"facts", "a large grid"}, "lines": {"facts"}, "iss": {"a rule", "boxes"}},
    **{"penpa": {"boxes"}, "ipuz": {"boxes"}},
    **dict.fromkeys(["fpuzzles", "address", "sudokupad"], BY_JSON),
}
READABLE = list(filter(can_be_read, registry.FOREIGN))
WRITERS = [each for each in registry.FOREIGN if each.write]


@pytest.mark.slow_cases("fpuzzles-a large grid", "sudokupad-a large grid")
@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize(
    "format_", with_extras(WRITERS, lambda each: each.name), ids=lambda each: each.name
)
def test_unrepresentable_content_is_named(format_, what):
    puzzle, lost = ODD[what]
    if what in CAN_CARRY.get(format_.name, ()):
        assert registry.write(format_, [puzzle])
        return
    if format_.undetected and puzzle.without == ("row",):
        lost = "a 9x9 grid"  # boards retract the rules about rows and columns
    with pytest.raises(PuzzleError) as caught:
        registry.write(format_, [puzzle])
    assert f"the format {format_.name} cannot represent" in str(caught.value)
    assert lost in str(caught.value)


@pytest.mark.parametrize(
    ("number", "end"),
    [(6, "p5/0; a puzzle"), (7, "p5/0 and 1 more; a puzzle"), (9, "p5/0 and 3 more; a")],
)
def test_only_some_of_many_unrepresentable_items_are_named(number, end):
    puzzle = Puzzle(
        ((None,) * 9,) * 9, facts=tuple(Function(f"p{place}", ()) for place in range(number))
    )
    with pytest.raises(PuzzleError) as caught:
        registry.write(registry.by_name("hodoku"), [puzzle])
    assert end in str(caught.value)


FRAGMENTS = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "." * 81, "x" * 81, " ", "\n", "\t",  # noqa: E501
    "1.....4......2..", "1...\n..4.\n....\n.2..\n", "AABBAABCDDBCDDCC", "ABCDEFGHIJKLMNOP", "#A x\n", "#D y\n", "[Puzzle]\n",  # noqa: E501
    ":0000:x:", ":::", "+4", "4 4\n", "9 9 D\n", "- - 4 -\n", "1 1 2 2\n", "4\n", "1 1 1\n", "a20,b4\n", "a = 5\n", "3x3::k:",  # noqa: E501
    "2x2:d:k:", "1537:", "0:" * 16, "F<^", "0" * 79, "><", "SumoCueV1", "=0J0", "=12J3", "1...12....34.2..", "1234", "12 | 34",  # noqa: E501
    ".---.---.\n", "+---+\n", "< ", "> ", "^ ", "v ", "\u2227", "a(1,1,1). ", "#const n=4.", "gt(1,2,1,1).", ":- a.",  # noqa: E501
    '{"values": [[0,0],[0,0]], ', '"less_than": [[1,2,1,1]]}', '{"n": 4, "streams": ', "[[1,1,2,2]]", ', "givens": []}',  # noqa: E501
    "https://tinyurl.com/abcd", "https://www.f-puzzles.com/?load=N4Ig", "sudokupad.app/scf", "AAAABBBBCCCCDDDE", '{"cells": [], ',  # noqa: E501
    "1234" * 15, "<" * 80, "https://puzz.link/p?sudoku/4/4/", "g1k23k3g", "https://x.org/penpa-edit/#", "m=edit&p=", "S03NyUw", '{"kind": ["http://ipuz.org/sudoku#1"], ', '"puzzle": [[0]]}',  # noqa: E501
    "[" * 5000, "0102", "..", "*", "-" * 50, "|", "\ufeff", "\r\n", "²", "١", "\0", "é", "9" * 5000, "title: x\n", "[cage]\n",  # noqa: E501
]  # fmt: skip


@pytest.mark.slow
@settings(deadline=None, max_examples=120)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join) | st.text())
def test_any_text_is_a_puzzle_or_an_error_and_in_at_most_one_format(text):
    fitting = [each for each in registry.FOREIGN if each.fits(text)]
    assert len(fitting) <= 1
    assume(all(map(can_be_read, fitting)))
    outcome: object
    try:
        outcome = parse(text, "x")
    except AspdokuError as error:
        outcome = str(error)
    assert isinstance(outcome, Puzzle) or str(outcome).startswith("x")


def test_a_killer_with_81_characters_is_not_a_short_killer():
    text = "......\n" * 6 + "\nAAAAAA\n......\n......\nBBBBBB\nC...DE\nFF....\n\nC1,D10,E1\n"
    assert [each.name for each in registry.FOREIGN if each.fits(text)] == ["killer"]


@pytest.mark.slow
@settings(deadline=None, max_examples=120)
@given(
    st.sampled_from(list(filter(can_be_read, registry.FOREIGN))),
    st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join) | st.text(),
)
def test_any_text_in_a_named_format_is_puzzles_or_an_error(format_, text):
    from aspdoku.formats import parse_all

    outcome: object
    try:
        outcome = parse_all(text, "x", format_)
    except AspdokuError as error:
        outcome = str(error)
    assert isinstance(outcome, list) or str(outcome).startswith("x")


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(
    plain(4, 5, 6, 7, 9), st.sampled_from(["rows", "line", "separated lines", "spaced", "zeros"])
)
def test_a_grid_of_the_fast_path_is_in_no_other_format(puzzle, drawing):
    """The fast path for plain grids reads no text that another format would recognize."""
    rows = ["".join(str(number or ".") for number in row) for row in puzzle.grid]
    drawn = {
        "rows": "\n".join(rows),
        "line": "".join(rows),
        "separated lines": "\n\n".join(rows),
        "spaced": "\n".join(map(" ".join, rows)),
        "zeros": "\n".join(rows).replace(".", "0"),
    }
    assert parse(drawn[drawing]) == puzzle
    assert registry.detect(drawn[drawing]) is None
