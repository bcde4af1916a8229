"""The published puzzles, if the collection exists next to the checkout, against independent readers
in `collected_puzzles`.
"""

import json

import pytest
from collected_puzzles import DATA, collection

from aspdoku.errors import PuzzleError
from aspdoku.formats import parse, parse_all, registry
from aspdoku.formats.equivalence import differences
from aspdoku.program.library import bundled_inputs

FILE = DATA / "puzzles.jsonl"
pytestmark = pytest.mark.skipif(
    not FILE.exists(), reason=f"there is no {FILE}: the puzzles of others are not in the repository"
)
FORMATS = {"81char", "puzzlekit-text", "strimko-json", "lt-list"}


def documents():
    return [json.loads(line) for line in FILE.read_text().splitlines()] if FILE.exists() else []


def text_of(each):
    return each["puzzle"] if isinstance(each["puzzle"], str) else json.dumps(each["puzzle"])


def cells_by_label(puzzle, name):
    labels = {}
    for fact in puzzle.facts:
        if fact.signature == (name, 3):
            labels.setdefault(fact.arguments[2], set()).add(fact.arguments[:2])
    return labels


def test_the_puzzles_are_those_of_an_independent_reader():
    known = [found for found in collection() if found[0]["format"] in FORMATS]
    assert len(known) > 110
    for each, grid, rules in known:
        puzzle = parse(text_of(each))
        assert puzzle.grid == tuple(map(tuple, grid)), each["id"]
        regions = cells_by_label(puzzle, "chain") | cells_by_label(puzzle, "box")
        assert regions == {name: {*cells} for name, cells in rules.chains.items()}, each["id"]
        cages = cells_by_label(puzzle, "cage")
        assert cages == {cage.name: {*cage.cells} for cage in rules.cages}, each["id"]
        sums = {fact.arguments for fact in puzzle.facts if fact.name == "cage_value"}
        assert sums == {(cage.name, cage.total) for cage in rules.cages}, each["id"]
        signs = {fact.arguments for fact in puzzle.facts if fact.name == "gt"}
        assert signs == {(*greater, *smaller) for greater, smaller in rules.greater_than}, each[
            "id"
        ]
        assert ("box" in puzzle.without) == (not rules.boxes and "jigsaw" not in each["kind"]), (
            each["id"]
        )


@pytest.mark.parametrize(
    "each",
    [pytest.param(each, id=each["id"]) for each in documents() if each["format"] == "iss-text"],
)
def test_the_stated_solution_satisfies_cages_and_candidates(each):
    puzzle = parse(each["puzzle"])
    entries = each.get("solution") or each["computed_solution"]
    held = {(r, c): int(entries[(r - 1) * 9 + c - 1]) for r in range(1, 10) for c in range(1, 10)}
    assert all(held[cell] == number for cell, number in puzzle.givens().items())
    marks = {}
    for fact in puzzle.facts:
        if fact.name == "pencilmark":
            marks.setdefault(fact.arguments[:2], set()).add(fact.arguments[2])
    assert all(held[cell] in numbers for cell, numbers in marks.items())
    cages = cells_by_label(puzzle, "cage")
    sums = {
        fact.arguments[0]: fact.arguments[1] for fact in puzzle.facts if fact.name == "cage_value"
    }
    assert marks or len(sums) > 10
    for label, cells in cages.items():
        assert len({held[cell] for cell in cells}) == len(cells)
        assert sum(held[cell] for cell in cells) == sums.get(
            label, sum(held[cell] for cell in cells)
        )


def test_other_kinds_in_the_same_format_are_rejected_and_not_misread():
    taken = {"classic", "jigsaw", "killer", "even", "odd"}
    others = [
        each
        for each in documents()
        if each["format"] == "puzzlekit-text" and not {*each["kind"]} <= taken
    ]
    assert len(others) > 30
    for each in others:
        with pytest.raises(PuzzleError):
            parse(each["puzzle"])


def test_even_and_odd_cells_hold_even_and_odd_numbers():
    marked = [
        each
        for each in documents()
        if each["kind"] == ["even", "odd"] and each["format"] == "puzzlekit-text"
    ]
    assert marked
    for each in marked:
        rows = [list(map(int, line.split())) for line in each["solution"].splitlines()[1:]]
        facts = parse(each["puzzle"]).facts
        assert len(facts) > 20
        for fact in facts:
            row, column = fact.arguments
            assert rows[row - 1][column - 1] % 2 == (fact.name == "odd")


@pytest.mark.slow
def test_every_line_of_a_long_list_is_a_puzzle():
    for name in ("clues-17.txt", "hardest.txt"):
        text = (DATA / name).read_text()
        puzzles = parse_all(text)
        assert len(puzzles) == len(text.split())
        assert registry.write(registry.by_name("lines"), puzzles[:50]).split() == [
            line.replace("0", ".") for line in text.split()[:50]
        ]


# Inputs about cells whose facts may remain: lines with breaks, sets numbered in each group,
# a second input of the same name, and exceptions.
NOT_DRAWN = {"automaton", "same_values", "chaos_count", "ab"}


def is_about_cells(fact):
    """Whether the fact states an input whose declaration has a section."""
    signature = (fact.partition("(")[0], fact.count(",") + 1)
    declared, _ = bundled_inputs().get(signature, (None, ""))
    return declared is not None and declared.shape is not None


@pytest.mark.slow
def test_converted_puzzles_state_clues_in_sections():
    """Facts remain of inputs that have no section, and of a few others; all are read back."""
    converted = 0
    for each in documents():
        try:
            puzzles = parse_all(text_of(each))
        except PuzzleError:
            continue
        for puzzle in puzzles:
            text = registry.write(registry.NATIVE, [puzzle])
            assert not differences(puzzle, parse(text)), each["id"]
            facts = text.partition("[facts]\n")[2].split()
            names = {fact.partition("(")[0] for fact in facts if is_about_cells(fact)}
            assert names <= NOT_DRAWN, each["id"]
            converted += 1
    assert converted > 250
