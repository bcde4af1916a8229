"""Drawings in SudokuPad's documents for rules that these cannot state, read back as elements."""

import json
from collections import defaultdict

import pytest
from instance_files import ELABORATED

import aspdoku
from aspdoku import Puzzle
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, registry, urls
from aspdoku.formats.drawn.sketches import sketch_of
from aspdoku.formats.equivalence import differences
from aspdoku.program import library
from aspdoku.puzzle.puzzle import RULES_IN_WORDS
from aspdoku.puzzle.term import Function

PAD = registry.by_name("sudokupad")


def puzzle(size, names, *facts, **more):
    stated = tuple(Function(name, tuple(arguments)) for name, *arguments in facts)
    return Puzzle(((None,) * size,) * size, facts=stated, elaborations=names, **more)


def drawn(document):
    found = urls.puzzle_from_document(document)
    return found, sketch_of(document, found)


def elements_of(puzzle):
    """The elements of the document that is written for a puzzle."""
    _, found = drawn(json.loads(registry.write(PAD, [puzzle])))
    assert found.unread == ()
    return found.elements


def path(name, label, *cells):
    return [(name, label, place, *cell) for place, cell in enumerate(cells, 1)]


# A rule, facts, and the elements that they are drawn as.
DRAWN = {
    "thermo": (
        path("thermo", 1, (1, 1), (1, 2), (2, 3)),
        ["grey thermometer along r1c1…r2c3"],
    ),
    "arrow": (
        [*path("arrow", 1, (1, 1), (1, 2), (2, 3)), *path("arrow", 2, (1, 1), (2, 1))],
        ["grey arrow from r1c1 to r1c2, r2c3 to r2c1"],
    ),
    "pill-arrow": (
        [*path("pill_arrow", 1, (1, 1), (1, 2), (2, 2), (3, 2)), ("pill_arrow_pill", 1, 2)],
        ["grey arrow from r1c1, r1c2 to r2c2, r3c2"],
    ),
    "between": (
        path("between", 1, (1, 1), (1, 2), (2, 3)),
        ["grey line along r1c1…r2c3", "white circle in r1c1", "white circle in r2c3"],
    ),
    "palindrome": (path("palindrome", 1, (1, 1), (1, 2)), ["grey line along r1c1, r1c2"]),
    "white-dots": (
        [("white_dot", 1, 1, 1, 2, 1), ("white_dot", 2, 2, 1, 2, 3)],
        ["white dot between r1c1, r1c2", "white dot '3' between r1c2, r2c2"],
    ),
    "black-dots": ([("black_dot", 1, 1, 1, 2, 2)], ["black dot between r1c1, r1c2"]),
    "xv": (
        [("xv", 1, 1, 1, 2, 10), ("xv", 2, 1, 3, 1, 5)],
        ["sign 'X' between r1c1, r1c2", "sign 'V' between r2c1, r3c1"],
    ),
    "greater-than": (
        [("gt", 1, 1, 1, 2), ("gt", 2, 2, 2, 1), ("gt", 3, 3, 4, 3), ("gt", 4, 4, 3, 4)],
        [
            f"sign '>' between {pair}"
            for pair in ("r1c1, r1c2", "r2c2, r2c1", "r3c3, r4c3", "r4c4, r3c4")
        ],
    ),
    "quadruple": (
        [("quadruple", 1, 1, 3, 1), ("quadruple", 1, 1, 4, 2)],
        ["white circle '3 4 4' at the corner of r1c1, r1c2, r2c1, r2c2"],
    ),
    "sandwich": (
        [("sandwich_row", 2, 5), ("sandwich_column", 3, 0)],
        [
            "clue '5' outside the grid before r2c1…r2c4",
            "clue '0' outside the grid before r1c3…r4c3",
        ],
    ),
    "little-killer": (
        [*path("little_killer", 1, (1, 2), (2, 3), (3, 4)), ("little_killer_value", 1, 9)],
        ["black clue '9' outside the grid before r1c2…r3c4"],
    ),
    "odd": ([("odd", 1, 1)], ["grey circle in r1c1"]),
    "even": ([("even", 1, 1)], ["grey square in r1c1"]),
    "maximum": ([("maximum", 2, 2)], ["grey mark in r2c2", "grey shaded area in r2c2"]),
    "taxicab": ([("taxicab", 3)], []),
}


@pytest.mark.parametrize("rule", DRAWN)
def test_facts_are_drawn(rule):
    facts, expected = DRAWN[rule]
    found = elements_of(puzzle(4, (rule,), *facts))
    assert sorted(map(str, found)) == sorted(expected)


# The bundled puzzles that cannot be drawn, each with a part of the reason.
REFUSED = {
    **dict.fromkeys(("board-diagonals", "boards", "each-row"), "`without: row`"),
    **dict.fromkeys(("str8ts", "suguru"), "`without: column`"),
    **dict.fromkeys(("doppelganger", "end-view"), "the numbers 0 to 5"),
    **dict.fromkeys(("no-repeat", "digit-set", "unique-sets", "equal-lines"), "the numbers 1 to 9"),
    # Numbers in cages without a further word are sums for everybody who reads the document.
    "flood": "facts flood_cage/3",
    "look-and-say": "facts look_and_say/3",
    "schroedinger": "facts schroedinger_box/3",
    "kenken": "facts kenken/3",  # regions
    "chaos-distinct": "facts chaos_distinct/4",  # no style
    "either": "a drawing that looks like another one",  # thermometers with two bulbs
    **dict.fromkeys(("path-room", "path-whispers"), "a drawing that looks like another one"),
    "pair": "the facts of pair",  # the order of two cells
    "extra-region": "the rule extra-region",
    "pencilmarks": "facts pencilmark/3",
    "pill-arrow": "facts pill_arrow/4",  # a diagonal pill
}


@pytest.mark.slow
def test_the_bundled_puzzles_are_drawn_or_refused():
    refused = {}
    for file in sorted({found for found, _ in ELABORATED.values()}):
        given = aspdoku.read(file)
        try:
            text = registry.write(PAD, [given])
        except PuzzleError as error:
            refused[file.stem] = str(error)
            continue
        again, found = parse(text), drawn(json.loads(text))[1]
        assert (found.unread, again.grid) == ((), given.grid), file.stem
        rules = registry.for_people_only(PAD, given)
        assert bool(rules) == bool(again.unsupported), file.stem
        for name in rules:
            assert library.find(name).title.rstrip(".") in again.rules, file.stem
        assert lines_of(given) <= {each.cells for each in found.elements}, file.stem
    assert refused.keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert reason in refused[name], name


def lines_of(given):
    """The lines of a puzzle whose rules draw them as lines or thermometers."""
    kinds = ("thermo", "whispers", "renban", "between", "palindrome", "zipper", "region_sum_line")
    lines = defaultdict(dict)
    for fact in given.facts:
        if fact.name in kinds and len(fact.arguments) == 4:
            label, place, *cell = fact.arguments
            lines[fact.name, label][place] = tuple(cell)
    return {tuple(cell for _, cell in sorted(line.items())) for line in lines.values()}


def test_a_written_document_states_the_rest():
    given = puzzle(
        *(4, ("killer", "thermo", "anti-king"), ("cage", 1, 1, 1), ("cage", 1, 2, 1)),
        *(("cage_value", 1, 5), *path("thermo", 1, (3, 1), (3, 2))),
        title="A title",
        author="N. N.",
        solution=((1, 2, 3, 4), (3, 4, 1, 2), (2, 3, 4, 1), (4, 1, 2, 3)),
    )
    found = parse(registry.write(PAD, [given]))
    assert (found.title, found.author, found.solution) == ("A title", "N. N.", given.solution)
    assert {*found.elaborations} == {*given.elaborations}
    assert found.facts == given.facts
    assert found.rules.splitlines() == [
        "Normal sudoku rules apply.",
        f"Killer: {library.find('killer').title}",
        f"Thermo (grey thermometers): {library.find('thermo').title}",
        f"Anti-king: {library.find('anti-king').title}",
    ]


def test_rules_of_the_puzzle_are_kept_and_the_others_follow():
    given = puzzle(
        *(4, ("thermo", "mixed-parity", "taxicab"), *path("thermo", 1, (3, 1), (3, 2))),
        ("taxicab", 3),
        rules=f"It gets warmer. {library.find('thermo').title}",
    )
    text = registry.write(PAD, [given])
    first, _, *others = parse(text).rules.splitlines()
    assert first == given.rules
    assert others[0] == f"Mixed-parity: {library.find('mixed-parity').title}"
    assert (len(others), others[1].endswith("numbers: 3.")) == (2, True)


@pytest.mark.parametrize(
    "unsupported", ["drawings that may represent a rule: lines", RULES_IN_WORDS]
)
def test_drawings_and_words_of_rules_that_were_not_read_are_not_replaced(unsupported):
    given = puzzle(
        *(4, ("thermo",), *path("thermo", 1, (3, 1), (3, 2))), unsupported=(unsupported,)
    )
    with pytest.raises(PuzzleError, match="cannot represent the unsupported constraint"):
        registry.write(PAD, [given])


def test_a_fact_of_two_rules_is_drawn_once():
    given = puzzle(4, ("parity-dots", "negative-parity-dots"), ("parity_dot", 1, 1, 1, 2))
    assert len(json.loads(registry.write(PAD, [given]))["overlays"]) == 1


def test_groups_of_sets_have_a_colour_each():
    facts = [("same_values", 1, 1, 1, 1), ("same_values", 1, 2, 1, 2)]
    facts += [("same_values", 4, 3, 2, 1), ("same_values", 4, 4, 2, 2)]
    found = elements_of(puzzle(4, ("same-values",), *facts))
    shaded = [each for each in found if each.kind == "shade"]
    assert [each.cells for each in shaded] == [((1, 1), (1, 2)), ((4, 3), (4, 4))]
    assert shaded[0].colours[0] != shaded[1].colours[0]


def test_areas_are_below_marks():
    given = puzzle(4, ("odd", "row-indexer"), ("odd", 1, 1), ("row_indexer", 1, 1))
    figures = json.loads(registry.write(PAD, [given]))["underlays"]
    assert [each.get("rounded", False) for each in figures] == [False, True]


HIDDEN = [
    (("white-dots", "black-dots"), ("white_dot", 1, 1, 1, 2, 1), ("black_dot", 1, 1, 1, 2, 2)),
    (
        ("palindrome", "renban"),
        *(*path("palindrome", 1, (1, 1), (1, 2)), *path("renban", 1, (1, 2), (1, 1))),
    ),
    (("clone",), ("clone", 1, 1, 1, 3, 3), ("clone", 2, 1, 1, 4, 4)),
    (("counting-circles",), ("counting_circle", 1, 1), ("coloured_circle", 1, 1, 1)),
    (("killer", "prime-cage"), ("cage", 1, 1, 1), ("prime_cage", 1, 1, 1)),
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_drawing_that_hides_another_one_is_an_error(hidden):
    with pytest.raises(PuzzleError, match="a drawing that hides another one near r1c"):
        registry.write(PAD, [puzzle(4, *hidden)])


def test_values_that_are_not_written_are_stated():
    given = puzzle(9, ("whispers",), *path("whispers", 1, (3, 1), (3, 2)))
    assert (
        "its value or more: 5 where none is written." in parse(registry.write(PAD, [given])).rules
    )


def test_notes_are_in_words():
    assert (
        "contain different numbers: 3."
        in parse(registry.write(PAD, [puzzle(4, ("taxicab",), ("taxicab", 3))])).rules
    )


def test_urls_of_sudokupad_for_rules_that_fpuzzles_does_not_have():
    pytest.importorskip("lzstring")
    address = registry.by_name("address")
    given = puzzle(4, ("taxicab", "thermo"), ("taxicab", 3), *path("thermo", 1, (1, 1), (1, 2)))
    text = registry.write(address, [given])
    assert text.startswith("https://sudokupad.app/scl")
    assert registry.for_people_only(address, given) == []
    assert not differences(given, parse(text))
    assert drawn(urls.content(text.strip()))[1].elements == elements_of(given)
    given = puzzle(4, ("thermo",), *path("thermo", 1, (1, 1), (1, 2)))
    assert "f-puzzles.com" in registry.write(address, [given])
    assert registry.for_people_only(address, given) == []


LOOKS_LIKE_ANOTHER = {
    "two bulbs": (
        "thermo",
        [*path("thermo", 1, (1, 1), (1, 2)), *path("thermo", 2, (1, 2), (1, 1))],
    ),
    "two clues at a place": (
        "little-killer",
        [
            *(*path("little_killer", 1, (1, 3), (2, 4)), ("little_killer_value", 1, 3)),
            *(*path("little_killer", 2, (1, 1)), ("little_killer_value", 2, 4)),
            *(*path("little_killer", 3, (1, 3), (2, 2), (3, 1)), ("little_killer_value", 3, 4)),
            *(*path("little_killer", 4, (1, 1), (2, 2)), ("little_killer_value", 4, 4)),
        ],
    ),
    "a corner outside": ("quadruple", [("quadruple", 4, 1, 2, 1)]),
}


@pytest.mark.parametrize("what", LOOKS_LIKE_ANOTHER)
def test_what_would_look_like_something_else_is_an_error(what):
    rule, facts = LOOKS_LIKE_ANOTHER[what]
    with pytest.raises(PuzzleError, match="the format sudokupad cannot represent"):
        registry.write(PAD, [puzzle(4, (rule,), *facts)])


@pytest.mark.parametrize(
    ("rule", "fact"),
    [("greater-than", ("gt", 1, 1, 3, 3)), ("flood", ("flood_cage", 1, 1, 1))],
)
def test_what_cannot_be_drawn_is_named(rule, fact):
    facts = [fact, ("flood_cage_value", 1, 7)] if rule == "flood" else [fact]
    with pytest.raises(PuzzleError, match=f"cannot represent facts {fact[0]}/"):
        registry.write(PAD, [puzzle(4, (rule,), *facts)])
