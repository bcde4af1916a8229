"""Which puzzles `convert` considers equal, and the puzzles in `instances/` in every format that can
represent their rules.
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test
from instance_files import ROOT
from optional_extras import with_extras

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.errors import PuzzleError
from aspdoku.formats import fpuzzles, iss, parse, registry, sudokupad
from aspdoku.formats.equivalence import differences
from aspdoku.formats.fpuzzles.table import CONSTRAINTS
from aspdoku.formats.shapes import shape_of
from aspdoku.program.library import bundled_inputs, default_values
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import REGION

MADE = sorted(
    file
    for file in (ROOT / "instances" / "made").glob("*.txt")
    if not file.stem.endswith(".solution")
)
PUZZLES = {file.stem: aspdoku.read(file) for file in MADE}
SOLVED = {
    name: puzzle
    for name, puzzle in PUZZLES.items()
    if (ROOT / f"instances/made/{name}.solution.txt").exists()
}
NAMES = {
    signature: declared.names
    for signature, (declared, _) in bundled_inputs().items()
    if declared.names and signature != REGION
}
NAMED = {
    name: puzzle
    for name, puzzle in PUZZLES.items()
    if any(fact.signature in NAMES for fact in puzzle.facts)
}


def same(one, other):
    return not differences(one, other) and not differences(other, one)


POSITIONS = {
    ("cage", 3): (2,),
    ("cage_value", 2): (0,),
    ("thermo", 4): (0,),
    ("pill_arrow_pill", 2): (0,),
    ("look_at_least_count", 3): (0,),
    ("equal_sum_cage", 4): (2, 3),
    ("pair", 5): (0,),
    ("clone", 5): (0,),
    ("gt", 4): None,
    ("even", 2): None,
    ("full_rank", 3): None,
    ("quadruple", 4): None,
}


@in_one_test(("signature", "positions"), POSITIONS.items())
def test_the_rule_files_declare_which_arguments_are_names(signature, positions):
    assert NAMES.get(signature) == positions


def test_the_arguments_of_everything_that_the_formats_write_are_declared():
    shapes = [kind.shape for kind in CONSTRAINTS] + [*iss.table.CONSTRAINTS.values()]
    shapes += map(shape_of, (sudokupad.KILLER, sudokupad.SUM_CAGE, sudokupad.EXTRA))
    for signature in set().union(*(shape.signatures for shape in shapes)):
        declared, _ = bundled_inputs()[signature]
        assert declared.arguments, signature


DEFAULTS = {
    ("whispers_value", 2): [2, 3, 3, 4],
    ("lockout_value", 2): [2, 2, 3, 3],
    ("modular_value", 2): [3, 3, 3, 3],
    ("pill_arrow_pill", 2): [2, 2, 2, 2],
    ("negative_white_dot", 1): [1, 1, 1, 1],
    ("negative_black_dot", 1): [2, 2, 2, 2],
}


def test_the_rule_files_declare_the_defaults():
    for signature, values in DEFAULTS.items():
        assert [default_values(*signature, size) for size in (4, 5, 6, 7)] == [
            (value,) for value in values
        ]
    assert default_values("negative_xv", 1, 9) == (5, 10)
    assert default_values("first_seen_number", 1, 9) == (1, 2, 3)
    assert default_values("reachable_limit", 1, 9) == (3,)
    assert default_values("path_whispers", 1, 9) == (5,)
    assert default_values("near_edge_cells", 1, 9) == (3,)
    assert default_values("near_line_value", 2, 9) == (2,)
    declared = {
        signature for signature, (item, _) in bundled_inputs().items() if "default" in item.meaning
    }
    assert declared == {
        *DEFAULTS,
        ("negative_xv", 1),
        ("reachable_limit", 1),
        ("first_seen_number", 1),
        ("path_whispers", 1),
        ("path_ends", 1),
        ("near_edge_cells", 1),
        ("near_line_value", 2),
    }
    assert default_values("cage_value", 2, 9) == ()
    assert default_values("nothing", 7, 9) == ()


@pytest.mark.slow
@pytest.mark.parametrize("predicate", [name for name, arity in DEFAULTS if arity == 2])
@pytest.mark.parametrize("size", [4, 5, 6])
def test_a_rule_has_the_same_solutions_with_the_default_value_as_without_a_value(predicate, size):
    line = predicate.rsplit("_", 1)[0]
    cells = [(1, 1), (1, 2), (1, 3), (2, 3)]
    facts = [Function(line, ("x", place, *cell)) for place, cell in enumerate(cells, 1)]

    def grids(*more):
        puzzle = Puzzle(
            ((None,) * size,) * size, facts=(*facts, *more), elaborations=(line.replace("_", "-"),)
        )
        return [Solver(compose(puzzle)).search(1, [(Function("a", (*cell, number)), True)]).count()
                for cell in cells for number in range(1, size + 1)]  # fmt: skip

    (default,) = default_values(predicate, 2, size)
    assert grids() == grids(Function(predicate, ("x", default)))
    assert same(
        Puzzle(((None,) * size,) * size, facts=tuple(facts)),
        Puzzle(((None,) * size,) * size, facts=(*facts, Function(predicate, ("x", default)))),
    )


@pytest.mark.parametrize(
    ("rule", "predicate"),
    [
        ("negative-white-dots", "negative_white_dot"),
        ("negative-black-dots", "negative_black_dot"),
        ("negative-xv", "negative_xv"),
    ],
)
def test_stating_all_default_values_changes_nothing(rule, predicate):
    plain = Puzzle.blank(4).replace(elaborations=(rule,))
    facts = [Function(predicate, (value,)) for value in default_values(predicate, 1, 4)]
    stated = plain.replace(facts=tuple(facts))
    assert same(plain, stated)
    assert not same(plain, plain.replace(facts=(Function(predicate, (3,)),)))
    assert not same(plain, plain.replace(facts=(*facts, Function(predicate, (3,)))))
    counts = [Solver(compose(puzzle)).search(0).count() for puzzle in (plain, stated)]
    assert counts[0] == counts[1]


def renamed(puzzle, names):
    """The puzzle with other names for its regions, cages and lines."""

    def fact_of(fact):
        arguments = list(fact.arguments)
        for place in NAMES.get(fact.signature, ()):
            arguments[place] = names(arguments[place])
        return Function(fact.name, tuple(arguments))

    return puzzle.replace(facts=tuple(map(fact_of, puzzle.facts)))


@in_one_test("name", NAMED)
def test_renamed_puzzles_are_equivalent(name):
    """Unless facts refer to clues, such as liar(1,killer,"A"): these would mean other clues."""
    puzzle = NAMED[name]
    refers = any(
        fact.name == "ab" or {"T", "U"} <= {*bundled_inputs()[fact.signature][0].arguments}
        for fact in puzzle.facts
        if fact.signature != REGION
    )
    assert same(puzzle, renamed(puzzle, lambda label: f"other {label}")) != refers


def test_merging_two_names_changes_the_puzzle():
    cages = PUZZLES["killer"]
    assert not same(cages, renamed(cages, lambda _: 1))


def test_automata_are_compared_by_their_edges():
    def puzzle(one, other, of_first):
        stated = [("", 1, 1, 1, 1), ("", 2, 1, 2, 2), ("_value", 1, of_first), ("_value", 2, other)]
        stated += [("_edge", one, 0, 1, 1), ("_edge", other, 0, 2, 1)]
        facts = tuple(Function(f"automaton{name}", tuple(terms)) for name, *terms in stated)
        return Puzzle.blank(4).replace(facts=facts, elaborations=("automaton",))

    assert same(puzzle("a", "b", "a"), puzzle("b", "a", "b"))
    assert not same(puzzle("a", "b", "a"), puzzle("a", "b", "b"))
    assert not same(puzzle("a", "b", "a"), puzzle("a", "a", "a"))


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.sampled_from(sorted(PUZZLES)), st.data())
def test_an_added_removed_or_changed_fact_changes_the_puzzle(name, data):
    puzzle = PUZZLES[name]
    assume(puzzle.facts)
    fact = data.draw(st.sampled_from(puzzle.facts))
    place = data.draw(st.integers(0, len(fact.arguments) - 1)) if fact.arguments else None
    less = tuple(each for each in puzzle.facts if each != fact)
    is_default = (fact.arguments[-1],) == default_values(*fact.signature, puzzle.size)
    assert same(puzzle, puzzle.replace(facts=less)) == is_default
    if (
        place is not None
        and place not in NAMES.get(fact.signature, ())
        and (fact.name, place) != ("little_killer", 1)
    ):
        changed = Function(fact.name, (*fact.arguments[:place], 77, *fact.arguments[place + 1 :]))
        assert not same(puzzle, puzzle.replace(facts=(*less, changed)))


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"elaborations": ("anti-king",)},
            {"without": ("row",)},
            {"unsupported": ("a line",)},
            {"numbers": range(9)},
        ),
        *({"box": (1, 9)}, {"grid": ((5, *(None,) * 8), *((None,) * 9,) * 8)}),
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_change_other_than_of_facts_changes_the_puzzle(change):
    puzzle = Puzzle.blank(9)
    assert not same(puzzle, puzzle.replace(**change))
    assert same(puzzle, puzzle.replace(title="x"))


def written(format_, puzzle):
    """The text, or the error message."""
    try:
        return registry.write(registry.by_name(format_), [puzzle]), ""
    except PuzzleError as error:
        return "", str(error)


LINE = [
    ("little_killer", (1, 1, 1, 4)),
    ("little_killer", (1, 2, 2, 3)),
    ("little_killer", (1, 3, 3, 2)),
    ("little_killer", (1, 4, 4, 1)),
]
LINE += [("little_killer_value", (1, 6))]
ODD = {
    "two cells at one position": (4, [*LINE, ("little_killer", (1, 3, 1, 4))], "little-killer"),
    "two values for a cage": (
        4,
        [("cage", (1, 1, 1)), ("cage_value", (1, 2)), ("cage_value", (1, 3))],
        "killer",
    ),
    "a value without a cage": (4, [("cage", (1, 1, 1)), ("cage_value", (2, 2))], "killer"),
    "as many regions as cells": (
        5,
        [("box", (r, c, 10 * r + c)) for r in range(1, 6) for c in range(1, 6)],
        None,
    ),
    "marks outside": (9, [("pencilmark", (17, 1, 1)), ("pencilmark", (17, 1, 2))], "pencilmarks"),
    "marks before the first row": (
        9,
        [("pencilmark", (-3, 1, 1)), ("pencilmark", (-3, 1, 2))],
        "pencilmarks",
    ),
    "an invalid cell": (9, [("row_indexer", (4, -1))], "row-indexer"),
    "a cell with a symbol": (9, [("cage", ("one", 1, 1)), ("cage_value", (1, 3))], "killer"),
    "a corner at the edge": (4, [("quadruple", (4, 1, 2, 1))], "quadruple"),
    "dots without cells": (4, [("black_dot", ())], "negative-black-dots"),
    "an impossible count": (
        9,
        [("look_at_least", (1, 1, 1)), ("look_at_least_count", (1, 2, 10**9))],
        "look-at-least",
    ),
    "a mark of seven": (9, [("xv", (1, 1, 1, 2, 7))], "xv"),
    "cells that are not adjacent": (
        9,
        [("gt", (1, 1, 5, 5)), ("white_dot", (1, 1, 1, 3, 1))],
        "greater-than",
    ),
}


# What SudokuPad's documents draw, because a text with any number can be drawn.
DRAWN = {"an impossible count", "a mark of seven"}


@pytest.mark.parametrize("format_", with_extras(["fpuzzles", "iss", "sudokupad"]))
@pytest.mark.parametrize("what", ODD)
def test_odd_facts_are_rejected_by_name(what, format_):
    size, stated, name = ODD[what]
    if format_ == "sudokupad" and what in DRAWN:
        pytest.skip("it is drawn")
    facts = tuple(Function(*each) for each in stated)
    puzzle = Puzzle(((None,) * size,) * size, facts=facts, elaborations=(name,) if name else ())
    text, message = written(format_, puzzle)
    assert not text
    assert f"the format {format_} cannot represent" in message


def test_facts_without_meaning_are_written_to_a_puzzle_file():
    puzzle = Puzzle(
        ((None,) * 4,) * 4, facts=(Function("whispers_value", ()), Function("modular_value", (3,)))
    )
    assert parse(registry.write(registry.NATIVE, [puzzle])) == puzzle


# Uses of supported rules that the formats cannot represent.
CANNOT = {
    "fpuzzles": {"pill-arrow": "pills that are read from right to left"},
    "iss": {
        "connected": "all numbers of the grid at once, instead of a set of numbers",
        "pill-arrow": "pills that are read from right to left",
        "dutch-flatmates": "numbers other than 1 to 9",
        "entropic": "numbers other than 1 to 9",
        "global-entropy": "numbers other than 1 to 9",
        "negative-black-dots": "one of the two colours without the other",
        "negative-white-dots": "one of the two colours without the other",
    },
    "sudokupad": {"extra-region": "a region with all numbers in addition to those of the game"},
}


def supported_by(format_):
    """The rules that a format can represent."""
    if format_ == "sudokupad":
        return {
            *sudokupad.RULES.values(),
            *(sudokupad.KILLER, sudokupad.SUM_CAGE, sudokupad.EXTRA),
        }
    if format_ == "iss":
        kinds = {
            name
            for kind in (*iss.table.CONSTRAINTS.values(), *iss.table.OF_REGIONS.values())
            for name in kind.rules
        }
        flags = {name for names in iss.table.FLAGS.values() for name in names}
        return kinds | flags | {*iss.table.DISJOINT, "diagonal", "pencilmarks"}
    kinds = {name for kind in CONSTRAINTS for name in kind.rules} | {
        *fpuzzles.table.FLAGS.values(),
        "diagonal",
    }
    return kinds | {name for name, _, _ in fpuzzles.table.NEGATIVES.values()} | {"pencilmarks"}


@pytest.mark.slow
@pytest.mark.parametrize("format_", with_extras(["fpuzzles", "iss", "sudokupad"]))
def test_our_puzzles_with_supported_rules_are_written_and_have_the_same_solution(format_):
    known = supported_by(format_)
    carried = set()
    for name, puzzle in SOLVED.items():
        text, message = written(format_, puzzle)
        if not text:
            assert "cannot represent" in message
            continue
        if registry.for_people_only(registry.by_name(format_), puzzle):
            assert parse(text).unsupported
            continue
        carried.add(name)
        again = parse(text)
        grids = [solution.rows for solution in Solver(compose(again)).search(2)]
        expected = aspdoku.read(ROOT / "instances" / "made" / f"{name}.solution.txt")
        assert grids == [expected.grid], name
    assert {
        name for name, puzzle in SOLVED.items() if known.issuperset(puzzle.elaborations)
    } - carried == CANNOT[format_].keys()
