"""Rules that are written in words, and read back from them."""

from __future__ import annotations

import json

import pytest
from in_one_test import in_one_test
from instance_files import ELABORATED

import aspdoku
from aspdoku import Puzzle
from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, registry, worded
from aspdoku.formats.equivalence import differences
from aspdoku.program import library
from aspdoku.puzzle.term import Function
from aspdoku.words import reader

FILES = sorted({file for file, _ in ELABORATED.values()})
# Drawings have no names of clues, and no colours for pairs or groups of sets.
NOT_READ_BACK = {"clone", "equal-sums", "liar", "same-values"}
PAD = registry.by_name("sudokupad")
WHISPERS = "Neighbouring numbers on a whispers line differ by its value or more"


def puzzle(size, names, *facts, **more):
    stated = tuple(Function(name, tuple(arguments)) for name, *arguments in facts)
    return Puzzle(((None,) * size,) * size, facts=stated, elaborations=names, **more)


def path(name, *cells):
    return [(name, 1, place, *cell) for place, cell in enumerate(cells, 1)]


def stated(text):
    """The rules of a text with what they are about; None if a part is not understood."""
    readings = reader().read(text)
    if any(each.unread for each in readings):
        return None
    found = [each for reading in readings for each in reading.stated]
    return [(each.rule, [(e.kind, e.colours) for e in each.elements]) for each in found]


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("name", ["sudokupad", "fpuzzles", "puzzle"])
def test_the_bundled_puzzles_are_read_back(name, file):
    format_, given = registry.by_name(name), aspdoku.read(file)
    try:
        text = aspdoku.convert(given, name)
    except PuzzleError:  # for reasons that test_sudokupad_drawings and others list
        assert name != "puzzle"
        return
    (again,) = format_.read(text, "x")
    assert (again.title, again.author, again.solution) == (
        given.title,
        given.author,
        given.solution,
    )
    for rule in given.elaborations:
        assert library.find(rule).title.rstrip(".") in again.rules
    if name == "sudokupad" and file.stem in NOT_READ_BACK:
        assert again.unsupported
        return
    assert (again.unsupported, differences(given, again)) == ((), [])


@in_one_test("name", library.rule_names())
def test_a_rule_is_known_by_its_title(name):
    title = library.find(name).title
    if name == "offset":  # the same rule as disjoint-groups in grids with boxes
        return
    assert [rule for rule, _ in stated(title)][:1] == [name]
    assert [rule for rule, _ in stated(f"{name.capitalize()}: {title}")][:1] == [name]


LABELS = [
    (f"Whispers: {WHISPERS}.", [("whispers", [("line", ())])]),
    (f"Whispers (light green lines): {WHISPERS}.", [("whispers", [("line", ("light green",))])]),
    (f"Whispers (lines): {WHISPERS}: 5 where none is written.", [("whispers", [("line", ())])]),
    (f"WHISPERS: {WHISPERS.lower()}", [("whispers", [("line", ())])]),
    (f"Renban: {WHISPERS}.", None),
    (f"Whispers (nothing): {WHISPERS}.", None),
    (f"Whispers, sometimes: {WHISPERS}.", None),
    (f"{WHISPERS} or less.", None),
    (f"{WHISPERS}, unless they are prime.", None),
]


@pytest.mark.parametrize(("text", "expected"), LABELS)
def test_labels_before_titles(text, expected):
    assert stated(text) == expected


# For each puzzle a part of its words, and another one that states something else.
CHANGED = {
    "a note": (puzzle(4, ("taxicab",), ("taxicab", 3)), "numbers: 3.", "numbers: 2."),
    "a value that is not written": (
        puzzle(9, ("whispers",), *path("whispers", (3, 1), (3, 2))),
        "5 where none",
        "4 where none",
    ),
    "a colour": (
        puzzle(9, ("whispers",), *path("whispers", (3, 1), (3, 2))),
        "green lines",
        "red lines",
    ),
    "a title": (puzzle(4, ("mixed-parity",)), "three successive", "two successive"),
    "boxes": (puzzle(4, ("mixed-parity",)), "Normal sudoku rules apply.", ""),
}


@pytest.mark.parametrize("what", CHANGED)
def test_words_that_were_changed_do_not_give_the_puzzle(what):
    given, part, other = CHANGED[what]
    text = registry.write(PAD, [given])
    found = parse(text)
    assert (found.unsupported, differences(given, found)) == ((), [])
    changed = worded.read(text.replace(part, other, 1))
    assert part in text
    assert changed.puzzle.unsupported or changed.assumed or differences(given, changed.puzzle)


def test_a_drawing_that_was_changed_does_not_give_the_puzzle():
    given = puzzle(4, ("battenburg",), ("battenburg", 1, 1))
    document = json.loads(registry.write(PAD, [given]))
    assert not differences(given, parse(json.dumps(document)))
    document["overlays"][0]["text"] = "C"
    assert parse(json.dumps(document)).unsupported


def test_words_of_the_author_stay_and_titles_follow_where_needed():
    own = "Have fun!\nDigits on a grey thermometer increase from the bulb."
    given = puzzle(*(4, ("thermo", "mixed-parity"), *path("thermo", (3, 1), (3, 2))), rules=own)
    written = parse(aspdoku.convert(given, "sudokupad")).rules
    title = library.find("mixed-parity").title
    assert written == f"{own}\n\nMixed-parity: {title}"
    assert aspdoku.parse(aspdoku.convert(given, "puzzle")).rules == written


ALIKE = {
    "lines": (
        ("whispers", "double-arrow"),
        *path("whispers", (1, 1), (1, 2), (1, 3)),
        *path("double_arrow", (3, 1), (3, 2), (3, 3)),
    ),
    "clues outside the grid": (
        ("x-sum", "sandwich"),
        ("x_sum", "left", 1, 5),
        ("sandwich_row", 2, 5),
    ),
}


@pytest.mark.parametrize("noun", ALIKE)
def test_rules_whose_clues_look_alike_are_open(noun):
    names, *facts = ALIKE[noun]
    found = parse(registry.write(PAD, [puzzle(4, names, *facts)]))
    assert found.rules.count(f"({noun}):") == 2
    assert found.unsupported


def test_pairs_whose_order_is_not_drawn_are_refused():
    facts = [("pair_allowed", 1, 1, 2), ("pair", 1, 1, 2, 1, 1)]
    with pytest.raises(PuzzleError, match="cannot represent"):
        registry.write(PAD, [puzzle(4, ("pair",), *facts)])
    assert registry.write(PAD, [puzzle(4, ("white-dots",), ("white_dot", 1, 2, 1, 1, 1))])
