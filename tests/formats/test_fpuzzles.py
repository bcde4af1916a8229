"""The JSON format of f-puzzles: each key against facts written by hand, in both directions;
unsupported and invalid content.
"""

import copy
import json
from itertools import groupby

import oracle
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

import aspdoku
from aspdoku import Puzzle, Solver, compose
from aspdoku.errors import PuzzleError
from aspdoku.formats import fpuzzles, registry
from aspdoku.formats.fpuzzles import table
from aspdoku.program import library
from aspdoku.puzzle.puzzle import RULES_IN_WORDS


def document(size=9, **keys):
    return {"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **keys}


def read_again(puzzle):
    """The puzzle that is read by the keys of what is written for it, without its rules in words."""
    found = fpuzzles.read(json.loads(json.dumps(fpuzzles.write(puzzle))))
    assert found.unsupported == ((RULES_IN_WORDS,) if puzzle.elaborations else ())
    return found.replace(unsupported=(), rules=puzzle.rules)


LINE = {"lines": [["R1C1", "R1C2", "R2C3"]]}
# A key, its value, the rules that it activates, and its facts.
KEYS = [
    ("odd", [{"cell": "R1C2"}, {"cell": "R9C9"}], ["odd"], ["odd(1,2)", "odd(9,9)"]),
    ("even", [{"cell": "R1C2"}], ["even"], ["even(1,2)"]),
    ("minimum", [{"cell": "R1C2"}], ["minimum"], ["minimum(1,2)"]),
    ("maximum", [{"cell": "R1C2"}], ["maximum"], ["maximum(1,2)"]),
    ("rowindexer", [{"cells": ["R1C2", "R1C3"]}], ["row-indexer"], ["row_indexer(1,2)", "row_indexer(1,3)"]),  # noqa: E501
    ("columnindexer", [{"cells": ["R1C2"]}], ["column-indexer"], ["column_indexer(1,2)"]),
    ("boxindexer", [{"cells": ["R1C2"]}], ["box-indexer"], ["box_indexer(1,2)"]),
    ("extraregion", [{"cells": ["R1C2", "R2C2"]}], ["extra-region"], ["extra_region(1,2,1)", "extra_region(2,2,1)"]),  # noqa: E501
    ("killercage", [{"cells": ["R1C2"], "value": "7"}], ["killer"], ["cage(1,2,1)", "cage_value(1,7)"]),  # noqa: E501
    ("killercage", [{"cells": ["R1C2"]}, {"cells": ["R2C2"], "value": ""}], ["killer"], ["cage(1,2,1)", "cage(2,2,2)"]),  # noqa: E501
    ("difference", [{"cells": ["R1C2", "R1C3"]}], ["white-dots"], ["white_dot(1,2,1,3,1)"]),
    ("difference", [{"cells": ["R1C2", "R1C3"], "value": "4"}], ["white-dots"], ["white_dot(1,2,1,3,4)"]),  # noqa: E501
    ("difference", [{"cells": ["R1C2", "R1C3"], "value": 0}], ["white-dots"], ["white_dot(1,2,1,3,0)"]),  # noqa: E501
    ("ratio", [{"cells": ["R1C2", "R1C3"]}], ["black-dots"], ["black_dot(1,2,1,3,2)"]),
    ("ratio", [{"cells": ["R1C2", "R1C3"], "value": 3}], ["black-dots"], ["black_dot(1,2,1,3,3)"]),
    ("xv", [{"cells": ["R1C2", "R1C3"], "value": "X"}], ["xv"], ["xv(1,2,1,3,10)"]),
    ("xv", [{"cells": ["R1C2", "R1C3"], "value": "v"}], ["xv"], ["xv(1,2,1,3,5)"]),
    *(
        (key, [LINE], [name], [f"{name.replace('-', '_')}(1,{cell})" for cell in ("1,1,1", "2,1,2", "3,2,3")])  # noqa: E501
        for key, name in [
            *[("thermometer", "thermo"), ("slowthermometer", "slow-thermo"), ("palindrome", "palindrome"), ("renban", "renban")],  # noqa: E501
            *[("nabner", "nabner"), ("regionsumline", "region-sum-line"), ("betweenline", "between"), ("lockout", "lockout")],  # noqa: E501
            *[("entropicline", "entropic"), ("modularline", "modular"), ("zipperline", "zipper")],
            ("doublearrow", "double-arrow"),
        ]
    ),
    ("whispers", [{"lines": [["R1C1", "R2C1"]], "value": "4"}], ["whispers"], [
        "whispers(1,1,1,1)", "whispers(1,2,2,1)", "whispers_value(1,4)"]),
    ("thermometer", [{"lines": [["R1C1", "R2C1"], ["R1C1", "R1C2"], ["R1C1", "R2C1"]]}], ["thermo"], [  # noqa: E501
        "thermo(1,1,1,1)", "thermo(1,2,2,1)", "thermo(2,1,1,1)", "thermo(2,2,1,2)"]),
    ("arrow", [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"], ["R1C1", "R2C1"]]}], ["arrow"], [
        "arrow(1,1,1,1)", "arrow(1,2,1,2)", "arrow(2,1,1,1)", "arrow(2,2,2,1)"]),
    ("arrow", [{"cells": ["R1C2", "R1C1"], "lines": [["R1C2", "R1C3"]]}], ["pill-arrow"], [
        "pill_arrow(1,1,1,1)", "pill_arrow(1,2,1,2)", "pill_arrow(1,3,1,3)", "pill_arrow_pill(1,2)"]),  # noqa: E501
    ("littlekillersum", [{"cell": "R0C3", "direction": "DL", "value": "7"}], ["little-killer"], [
        "little_killer(1,1,1,2)", "little_killer(1,2,2,1)", "little_killer_value(1,7)"]),
    ("sandwichsum", [{"cell": "R0C3", "value": "7"}, {"cell": "R4C10", "value": "0"}], ["sandwich"], [  # noqa: E501
        "sandwich_column(3,7)", "sandwich_row(4,0)"]),
    ("xsum", [{"cell": "R10C3", "value": "7"}, {"cell": "R4C10", "value": "8"}], ["x-sum"], [
        "x_sum(bottom,3,7)", "x_sum(right,4,8)"]),
    ("skyscraper", [{"cell": "R0C3", "value": "7"}, {"cell": "R4C0", "value": "8"}], ["skyscraper"], [  # noqa: E501
        "skyscraper(left,4,8)", "skyscraper(top,3,7)"]),
    ("clone", [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R4C4", "R4C5"]}], ["clone"], ["clone(1,1,1,4,4)", "clone(1,1,2,4,5)"]),  # noqa: E501
    ("quadruple", [{"cells": ["R3C3", "R3C4", "R4C3", "R4C4"], "values": [1, "1", 5]}], ["quadruple"], [  # noqa: E501
        "quadruple(3,3,1,2)", "quadruple(3,3,5,1)"]),
    ("antiknight", True, ["anti-knight"], []),
    ("antiking", True, ["anti-king"], []),
    ("disjointgroups", True, ["disjoint-groups"], []),
    ("nonconsecutive", True, ["negative-white-dots"], []),
    ("diagonal+", True, ["diagonal"], ["ab(diagonal,down)"]),
    ("diagonal-", True, ["diagonal"], ["ab(diagonal,up)"]),
    ("negative", ["xv"], ["negative-xv"], []),
    ("negative", ["ratio"], ["negative-black-dots"], []),
    *(
        ("negative", [f"{kind}indexer"], [f"negative-{kind}-indexer"], [])
        for kind in ("row", "column", "box")
    ),
]  # fmt: skip
NAMED = [f"{key} {number}" for number, (key, *_) in enumerate(KEYS)]


@in_one_test(("key", "value", "names", "facts"), KEYS)
def test_a_key_becomes_facts_and_a_key_again(key, value, names, facts):
    puzzle = fpuzzles.read(document(**{key: value}))
    assert sorted(map(str, puzzle.facts)) == facts
    assert list(puzzle.elaborations) == names
    assert puzzle.unsupported == ()
    assert key in fpuzzles.write(puzzle)
    assert read_again(puzzle) == puzzle


def test_the_table_names_existing_rules_and_inputs():
    named = (
        {name for kind in table.CONSTRAINTS for name in kind.rules}
        | set(table.FLAGS.values())
        | {"diagonal"}
    )
    named |= {name for name, _, _ in table.NEGATIVES.values()}
    assert named <= set(library.rule_names())
    assert {key for key, *_ in KEYS} == {
        kind.key for kind in table.CONSTRAINTS
    } | table.FLAGS.keys() | table.DIAGONALS.keys() | {"negative"}
    for kind in table.CONSTRAINTS:
        inputs = {
            (item.name, item.arity) for name in kind.rules for item in library.find(name).inputs
        }
        assert kind.shape.signatures <= inputs, kind.key


def test_both_diagonals_need_no_exception():
    puzzle = fpuzzles.read(document(**{"diagonal+": True, "diagonal-": True}))
    assert (puzzle.elaborations, puzzle.facts) == (("diagonal",), ())


def test_the_diagonal_with_the_plus_goes_up_from_the_bottom_left():
    puzzle = fpuzzles.read(document(5, **{"diagonal+": True}))
    grids = [solution.rows for solution in Solver(compose(puzzle)).search(200)]
    assert grids
    assert all(len({grid[4 - place][place] for place in range(5)}) == 5 for grid in grids)
    assert not all(len({grid[place][place] for place in range(5)}) == 5 for grid in grids)


def test_negative_applies_to_the_ratios_in_use():
    dots = [{"cells": ["R1C2", "R1C3"], "value": "3"}]
    puzzle = fpuzzles.read(document(ratio=dots, negative=["ratio"]))
    assert [str(fact) for fact in puzzle.facts] == ["black_dot(1,2,1,3,3)", "negative_black_dot(3)"]
    assert read_again(puzzle) == puzzle


@pytest.mark.parametrize(
    ("regions_", "expected"), [("0011 0011 2233 2233", ()), ("0001 0011 2233 2233", None)]
)
def test_negative_box_indexers_need_regions_of_equal_sizes(regions_, expected):
    puzzle = fpuzzles.read(regions(regions_) | {"negative": ["boxindexer"]})
    if expected is None:
        expected = ("boxindexer: its meaning without 4 regions of 4 cells",)
    assert puzzle.unsupported == expected


# ---- The grid ----


def test_givens_regions_and_pencil_marks():
    found = document(4, title=" A\ttitle\n", author="N. N.")
    found["grid"][0][0] = {"value": 3, "given": True}
    found["grid"][0][1] = {"value": 2}  # the player's
    found["grid"][0][2] = {"givenPencilMarks": [1, 2], "centerPencilMarks": [4], "c": "#fff"}
    puzzle = fpuzzles.read(found)
    assert puzzle.givens() == {(1, 1): 3}
    assert puzzle.heading == "A title, by N. N."
    assert (puzzle.elaborations, [str(fact) for fact in puzzle.facts]) == (
        ("pencilmarks",),
        ["pencilmark(1,3,1)", "pencilmark(1,3,2)"],
    )
    assert (puzzle.box, puzzle.unsupported) == ((2, 2), ())


def regions(text, size=4):
    found = document(size)
    for row, line in enumerate(text.split()):
        for column, sign in enumerate(line):
            found["grid"][row][column]["region"] = None if sign == "." else int(sign)
    return found


@pytest.mark.parametrize(
    ("drawn", "box", "without", "facts"),
    [
        ("0011 0011 2233 2233", (2, 2), (), 0),
        ("3322 3322 1100 1100", (2, 2), (), 0),
        ("0000 1111 2222 3333", (1, 4), (), 0),
        ("0001 0111 2223 2333", None, (), 16),
        (".... .... .... ....", (2, 2), ("box",), 0),
        ("0000 1111 .... ....", None, (), 8),
        ("00.. .... .... ....", (2, 2), ("box",), 2),
    ],
)
def test_regions(drawn, box, without, facts):
    puzzle = fpuzzles.read(regions(drawn))
    assert (puzzle.box, puzzle.without, len(puzzle.facts)) == (box, without, facts)
    assert read_again(puzzle) == puzzle


def test_an_empty_name_of_a_region_means_no_region():
    found = regions("0011 0011 2233 2233")
    found["grid"][0][0]["region"] = ""
    assert len(fpuzzles.read(found).facts) == 15


@pytest.mark.slow
def test_boxes_of_another_shape_are_written_as_regions():
    blank = Puzzle.blank(6, (3, 2))
    puzzle = fpuzzles.read(fpuzzles.write(blank))
    assert (puzzle.box, puzzle.facts) == ((3, 2), ())
    grids = [
        {solution.rows for solution in Solver(compose(each.replace(grid=SIX))).search(0)}
        for each in (blank, puzzle)
    ]
    assert grids[0] == grids[1] != set()


SIX = ((1, 2, 3, 4, 5, 6), (3, 4, 5, 6, 1, 2), *((None,) * 6 for _ in range(4)))


# ---- Unsupported content ----

BY_HAND = "drawings that may represent a rule"
AT_NOTHING = "a clue at R0C1 that points at no cell"
INSIDE = "a clue at R1C3, which is inside the grid"
TWICE_IN_CIRCLE = "the cell R3C1, listed twice"
NO_CIRCLE = "an arrow that does not begin in its circle"
NO_CORNER = "a circle that does not lie between four cells"


@in_one_test(
    ("keys", "unsupported"),
    [
        ({"newrule": [{"cells": ["R1C1"]}]}, ("'newrule'",)),
        ({"newrule": False, "other": [], "more": None}, ()),
        ({"killercage": [{"cells": ["R1C1"], "value": "AB"}]}, ("killercage: the value 'AB'",)),
        ({"extraregion": [{"cells": ["R1C1"], "value": "3"}]}, ("'value' of extraregion",)),
        ({"killercage": [{"cells": ["R1C1"], "colour": "red"}]}, ("'colour' of killercage",)),
        ({"killercage": [{"cells": ["R1C1"], "outlineC": "#f00", "fontC": "#000"}]}, ()),
        ({"xv": [{"cells": ["R1C1", "R1C2"], "value": ""}, {}]}, ()),
        ({"negative": ["ratio", "foglight", "sum"]}, ("negative: 'sum'",)),
        ({"line": [{"lines": [["R1C1", "R1C2"]], "outlineC": "#00f"}] * 2}, (f"{BY_HAND}: line (2 times)",)),  # noqa: E501
        ({"newrule": 0, "other": 0.0}, ("'newrule'", "'other'")),
        ({"odd": [{"cell": "R1C1", "colour": 0}]}, ("'colour' of odd",)),
        ({"line": [{"lines": [], "fromConstraint": "Renban"}], "renban": [LINE]}, ()),
        ({"line": [{"lines": [], "fromConstraint": "German Whispers"}], "whispers": [LINE]}, ()),
        ({"text": [{"value": "7", "fromConstraint": "X Sum"}], "xsum": [{"cell": "R0C1", "value": 7}]}, ()),  # noqa: E501
        ({"line": [{"isNewConstraint": True}], "rectangle": [{"isLLConstraint": True}], "lockout": [LINE], "renban": [LINE]}, ()),  # noqa: E501
        ({"line": [{"lines": [], "fromConstraint": "Renban"}], "palindrome": [LINE]}, (f"{BY_HAND}: line",)),  # noqa: E501
        ({"line": [{"lines": [], "fromConstraint": "Line"}]}, (f"{BY_HAND}: line",)),
        ({"line": [{"lines": [], "fromConstraint": "Grid"}]}, (f"{BY_HAND}: line",)),
        ({"cage": [{"isNewConstraint": True}]}, (f"{BY_HAND}: cage",)),
        ({"cage": [{"cells": ["R1C1"], "value": "DR5"}]}, (f"{BY_HAND}: cage",)),
        ({"littlekillersum": [{"cell": "R0C1", "direction": "UP", "value": 4}]}, ("littlekillersum: the direction 'UP'",)),  # noqa: E501
        ({"littlekillersum": [{"cell": "R0C1", "direction": "DL", "value": 4}]}, (f"littlekillersum: {AT_NOTHING}",)),  # noqa: E501
        ({"littlekillersum": [{"cell": "R0C1", "direction": "", "value": ""}]}, ()),
        ({"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": "0"}]}, ("littlekillersum: a sum of 0",)),  # noqa: E501
        ({"littlekillersum": [{"cell": "R1C3", "direction": "DL", "value": 4}]}, (f"littlekillersum: {INSIDE}",)),  # noqa: E501
        ({"littlekillersum": [{"direction": "DL", "value": 4}]}, ("littlekillersum: the value 4 without a cell",)),  # noqa: E501
        ({"skyscraper": [{"cell": None, "value": 4}]}, ("skyscraper: the value 4 without a cell",)),
        ({"sandwichsum": [{"cell": "", "value": "0"}]}, ("sandwichsum: the value 0 without a cell",)),  # noqa: E501
        ({"whispers": [{"lines": [], "value": "4"}]}, ("whispers: the value 4 without cells",)),
        ({"ratio": [{"cells": [], "value": "4"}]}, ("ratio: 0 cells instead of two",)),
        ({"xv": [{"cells": ["R1C1", "R1C1"], "value": "X"}]}, ("xv: the cell R1C1, listed twice",)),
        ({"quadruple": [{"cells": [], "values": [1]}]}, (f"quadruple: {NO_CORNER}",)),
        ({"thermometer": [{"lines": [["R5C5"]]}]}, ("thermometer: a line of one cell",)),
        ({"skyscraper": [{"cell": "R0C0", "value": 4}]}, ("skyscraper: a clue at R0C0, which is not before a row or a column",)),  # noqa: E501
        ({"quadruple": [{"cells": ["R1C1", "R1C2"], "values": [1]}]}, (f"quadruple: {NO_CORNER}",)),
        ({"clone": [{"cells": ["R1C1"], "cloneCells": []}]}, ("clone: 1 cells with 0 clones",)),
        ({"killercage": [{"cells": [], "value": "7"}]}, ("killercage: the value 7 without cells",)),
        ({"arrow": [{"cells": ["R3C1"], "lines": [["R5C5", "R5C6"]]}]}, (f"arrow: {NO_CIRCLE}",)),
        ({"arrow": [{"cells": ["R3C1"], "lines": []}]}, ("arrow: a circle without an arrow",)),
        ({"arrow": [{"cells": ["R3C1"], "lines": [["R3C1"]]}]}, ("arrow: a circle without an arrow",)),  # noqa: E501
        ({"arrow": [{"cells": ["R3C1", "R3C1"], "lines": [["R3C1", "R3C2"]]}]}, (f"arrow: {TWICE_IN_CIRCLE}",)),  # noqa: E501
        ({"arrow": [{"cells": [], "lines": [["R5C5", "R5C6"]]}]}, (f"arrow: {NO_CIRCLE}",)),
        (
            {"littlekillersum": [{"cell": "R0C3", "cells": ["R1C2"], "direction": "DL", "value": 4}]},  # noqa: E501
            ("littlekillersum: a clue at R0C3 with cells that are not those on its diagonal",),
        ),
        ({"fogofwar": ["R1C1"], "solution": [1] * 81, "successMessage": "y"}, ()),
        ({"solution": [1] * 80, "ruleset": "x"}, ("the rules in words", "a solution that does not fit the grid")),  # noqa: E501
    ],
)  # fmt: skip
def test_unsupported_constraints_are_named(keys, unsupported):
    assert fpuzzles.read(document(**keys)).unsupported == unsupported


# ---- Invalid content ----


@in_one_test(
    ("change", "message"),
    [
        ({"grid": []}, "the grid has 0 rows"),
        ({"grid": None}, "the grid has 0 rows"),
        ({"grid": "x"}, "the grid: 'x' instead of a list"),
        ({"grid": [[{}, {}], [{}]]}, "row 2 of the grid: 1 cells instead of 2"),
        (
            {"grid": [[{}, 7], [{}, {}]], "size": 2},
            "row 1 of the grid: an item is not an object",
        ),
        ({"size": 8}, "size is 8, but the grid has 9 rows"),
        ({"size": "many"}, "the value 'many' is not a number"),
        ({"odd": [{"cell": 0}]}, "odd 1: invalid cell '0': the cells of a"),
        ({"antiking": 0}, "antiking is '0' instead of true or false"),
        (
            {"odd": [{"cell": "R0C1"}]},
            "odd 1: invalid cell 'R0C1': the cells of a 9x9 grid are R1C1 to",
        ),
        ({"odd": [{"cell": "R1C1"}, {"cell": 5}]}, "odd 2: invalid cell '5': the cells of a"),
        ({"odd": {"cell": "R1C1"}}, "odd: \"{'cell': 'R1C1'}\" instead of a list"),
        ({"odd": ["R1C1"]}, "odd: an item is not an object"),
        ({"antiknight": "yes"}, "antiknight is 'yes' instead of true or false"),
        (
            {"grid": [[{"value": 3, "given": True}]]},
            "invalid number 3 in r1c1: the numbers of a 1x1 grid are 1 to 1",
        ),
        (
            {"grid": [[{"givenPencilMarks": [0, 1]}]]},
            "R1C1: invalid pencil mark 0: the numbers are 1 to 1",
        ),
        (
            {"grid": [[{"givenPencilMarks": [None]}]]},
            "R1C1: invalid pencil mark None: the numbers are 1 to 1",
        ),
        ({"grid": [[{"value": "x", "given": True}]]}, "R1C1: the value 'x' is not a number"),
        (
            {"grid": [[{"value": 1, "given": 0}]]},
            "R1C1: given is '0' instead of true or false",
        ),
    ],
)
def test_invalid_documents_are_reported(change, message):
    broken = document() | change
    if "grid" in change:
        broken.pop("size") if "size" not in change else None
    with pytest.raises(PuzzleError) as error:
        fpuzzles.read(broken)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("depth", [40, 490, 700, 970, 975, 976, 977, 100_000])
def test_json_that_is_nested_too_deeply_is_rejected(depth):
    for key in ("size", "odd", "antiknight", "title", "unknown"):
        with pytest.raises(PuzzleError, match="nested too deeply"):
            aspdoku.parse(f'{{"grid": [[{{}}]], "{key}": {"[" * depth}{"]" * depth}}}')


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from(["", "R1C1", "R2C2", "R0C1", "X", "5", "DL", "ratio"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cell", "cells", "lines", "value", "values", "direction", "cloneCells"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(
        st.sampled_from([key for key, *_ in KEYS] + ["size", "line", "other"]), ANYTHING, max_size=4
    ),
    ANYTHING,
)
def test_any_document_is_a_puzzle_or_an_error(keys, cell):
    found = document(4) | keys
    found["grid"][0][0] = cell
    try:
        puzzle = fpuzzles.read(copy.deepcopy(found))
    except PuzzleError:
        return
    compose(puzzle)
    assert read_again(puzzle.replace(unsupported=())) == puzzle.replace(unsupported=())


# ---- What the format cannot represent ----


@in_one_test(
    ("text", "message"),
    [
        ("with: windoku\n\n1...\n....\n....\n....\n", "the rule windoku"),
        ("with: odd\n\n1...\n....\n....\n....\n[facts]\nodd(1,2). blue(1,2).\n", "facts blue/2"),
        ("1...\n....\n....\n....\n[facts]\nodd(1,2).\n", "facts odd/2"),
        ("without: row\n\n1...\n....\n....\n....\n", "`without: row`"),
        ("numbers: 0-3\n\n1...\n....\n....\n....\n", "the numbers 0 to 3"),
        ("with: xv\n\n1...\n....\n....\n....\n[facts]\nxv(1,1,1,2,6).\n", "xv(1,1,1,2,6)"),
        (
            "with: sum-cage, odd, anti-knight, zipper, even\n\n1...\n....\n....\n....\n",
            "the rules sum-cage, odd, zipper and even",
        ),
        (
            "with: quadruple\n\n1...\n....\n....\n....\n[facts]\nquadruple(1,1,1,30000000).\n",
            "30000000 times a number",
        ),
        (
            "with: thermo\n\n1...\n....\n....\n....\n[facts]\nthermo(1,1,1,1). thermo(1,3,1,2).\n",
            "line 1, whose places",
        ),
        (
            "with: x-sum\n\n1...\n....\n....\n....\n[facts]\nx_sum(middle,1,10).\n",
            "all facts of x_sum",
        ),
        (
            "with: pencilmarks\n\n1...\n....\n....\n....\n[facts]\npencilmark(1,1,a).\n",
            "the rule pencilmarks",
        ),
        ("unsupported: fog\n\n1...\n....\n....\n....\n", "the unsupported constraint (fog)"),
        (
            "with: little-killer\n\n1...\n....\n....\n....\n[little-killer]\n5: r1c1 r1c2\n",
            "the clue 1, which is not at the start of a diagonal",
        ),
    ],
)
def test_unrepresentable_content_is_rejected(text, message):
    with pytest.raises(PuzzleError) as error:
        registry.write(registry.by_name("fpuzzles"), [aspdoku.parse(text)])
    assert f"the format fpuzzles cannot represent {message}" in str(error.value)


def test_an_invalid_truth_value_is_rejected():
    found = document(4)
    found["grid"][0][0] = {"value": 3, "given": "no"}
    with pytest.raises(PuzzleError, match="R1C1: given is 'no' instead of true or false"):
        fpuzzles.read(found)


def test_a_duplicate_cell_in_a_cage_is_reported():
    puzzle = fpuzzles.read(document(4, killercage=[{"cells": ["R1C1", "R1C1"], "value": "3"}]))
    assert (puzzle.facts, puzzle.unsupported) == (
        (),
        ("killercage: the cell R1C1, listed twice",),
    )


def test_the_supported_part_of_an_entry_is_kept():
    lines = [["R5C5"], ["R1C1", "R1C2"]]
    puzzle = fpuzzles.read(
        document(
            thermometer=[{"lines": lines}],
            arrow=[{"cells": ["R1C1"], "lines": [lines[1], ["R1C1"]]}],
        )
    )
    assert {fact.name for fact in puzzle.facts} == {"thermo", "arrow"}
    assert puzzle.unsupported == (
        "thermometer: a line of one cell",
        "arrow: a circle without an arrow",
    )


# ---- Kinds whose meaning depends on the size or on the regions ----


@pytest.mark.parametrize(
    ("size", "known"), [(4, False), (5, False), (6, True), (8, False), (9, True), (10, False)]
)
def test_thirds_of_the_numbers_are_supported_only_if_they_are_equal(size, known):
    unsupported = () if known else (f"entropicline: its meaning in a grid of {size} rows",)
    assert fpuzzles.read(document(size, entropicline=[LINE])).unsupported == unsupported


BY_REGION = [
    ("regionsumline", [LINE]),
    ("boxindexer", [{"cells": ["R1C1"]}]),
    ("disjointgroups", True),
]


@in_one_test(("key", "value"), BY_REGION)
@in_one_test(
    "drawn",
    [".... .... .... ....", "0011 0011 223. 2233", "0011 0011 2223 2233", "0000 0000 2222 3333"],
)
def test_kinds_that_need_regions_are_reported_without_them(key, value, drawn):
    puzzle = fpuzzles.read(regions(drawn) | {key: value})
    assert puzzle.unsupported == (f"{key}: its meaning without 4 regions of 4 cells",)
    assert all(fact.name in ("box", "extra_region") for fact in puzzle.facts)


SEVEN = "0101000 1022110 1122222 3443333 3545443 5655654 6656664"


@pytest.mark.parametrize("line", [[], [(7, 7), (6, 7), (7, 6), (7, 5), (6, 5)]])
def test_regions_of_a_size_without_boxes(line):
    """The oracle's solutions, filtered by the sums along the line."""
    region = {
        (r, c): sign for r, row in enumerate(SEVEN.split(), 1) for c, sign in enumerate(row, 1)
    }
    givens = [[(2 * r + c) % 7 + 1 if r < 2 else None for c in range(7)] for r in range(7)]
    found = oracle.solutions(
        givens,
        oracle.Rules(
            boxes=False,
            chains={sign: tuple(c for c in region if region[c] == sign) for sign in "0123456"},
        ),
    )

    def sums(grid):
        return {sum(grid[r - 1][c - 1] for r, c in cells) for _, cells in groupby(line, region.get)}

    expected = {tuple(map(tuple, grid)) for grid in found if len(sums(grid)) < 2}
    drawn = regions(SEVEN, 7) | {"regionsumline": [{"lines": [[f"R{r}C{c}" for r, c in line]]}]}
    for row, numbers in zip(drawn["grid"], givens[:2], strict=False):
        for cell, number in zip(row, numbers, strict=True):
            cell |= {"value": number, "given": True}
    puzzle = fpuzzles.read(drawn)
    assert puzzle.unsupported == ()
    assert len(expected) == (11 if line else 223)
    assert {solution.rows for solution in Solver(compose(puzzle)).search(0)} == expected


@pytest.mark.parametrize(
    ("size", "box"),
    [(5, (1, 5)), (6, (2, 3)), (7, (1, 7)), (8, (2, 4)), (12, (3, 4)), (15, (3, 5))],
)
def test_boxes_that_are_not_drawn_are_those_of_other_solvers(size, box):
    """Boxes have two rows for sizes 6, 8 and 10, and three for 12 and 15.

    A prime size has no boxes; its regions are the rows.
    """
    assert fpuzzles.read(document(size)).box == box
