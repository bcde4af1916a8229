"""Nothing in an f-puzzles or SudokuPad document is silently ignored.

Every part of a document is removed, replaced, repeated and extended, one change at a time. The
changed document has to be another puzzle, be rejected, or be read with a different list of
unsupported parts. A value that has no effect at all, even when it is removed, is reported as
ignored, too. Keys that may change without effect are listed in the tables of the readers, each with
its reason; the few other parts are in `silent_in_fpuzzles` and `silent_in_sudokupad`.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pytest
from instance_files import ELABORATED, INSTANCES, ROOT

import aspdoku
from aspdoku import Puzzle
from aspdoku.errors import PuzzleError
from aspdoku.formats import fpuzzles, parse, sudokupad
from aspdoku.formats import sudokupad as pad
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.equivalence import differences
from aspdoku.formats.fpuzzles import supported_keys, table
from aspdoku.formats.shapes import (
    CellLines,
    Corners,
    EdgeClues,
    RowColumnClues,
    SingleCells,
    ValuedPairs,
)
from aspdoku.puzzle.puzzle import RULES_IN_WORDS

SEED = os.environ.get("ASPDOKU_SEED", "1")
SAMPLE = 2000
ABSENT = None  # an absent key is one without a value
REMOVED = object()

# ---- Documents that together use everything that the readers support ----

LINES = {
    kind.key: [{"lines": [["R1C1", "R1C2", "R2C3"], ["R4C4", "R5C5"]]}]
    for kind in table.CONSTRAINTS
    if isinstance(kind.shape, CellLines)
}
MARKS = {
    kind.key: (
        [{"cells": ["R1C2", "R3C3"]}]
        if kind.key in table.TOGETHER
        else [{"cell": "R1C2"}, {"cell": "R3C3"}]
    )
    for kind in table.CONSTRAINTS
    if isinstance(kind.shape, SingleCells)
}
CLUES = {
    kind.key: [{"cell": "R0C3", "value": "7"}, {"cell": "R4C7", "value": 0}]
    for kind in table.CONSTRAINTS
    if isinstance(kind.shape, EdgeClues | RowColumnClues)
}
PAIR = ["R3C1", "R3C2"]
KINDS = {
    **(LINES | MARKS | CLUES),
    "whispers": [
        {"lines": [["R1C1", "R1C2"]], "value": "2", "outlineC": "#f00"},
        {"lines": [["R1C1", "R2C2"]]},
    ],
    "extraregion": [{"cells": ["R1C1", "R2C2"]}],
    "killercage": [{"cells": ["R1C1", "R2C2"], "value": "7"}, {"cells": ["R3C3"]}],
    "difference": [{"cells": PAIR, "value": "2"}, {"cells": ["R1C3", "R1C2"]}],
    "ratio": [{"cells": PAIR, "value": 3}, {"cells": ["R5C3", "R5C2"]}],
    "xv": [{"cells": PAIR, "value": "X"}, {"cells": ["R5C3", "R5C2"], "value": "v"}],
    "arrow": [
        {"cells": ["R1C1"], "lines": [["R1C1", "R2C1"], ["R1C1", "R1C2"]]},
        {"cells": ["R5C1", "R5C2"], "lines": [["R5C2", "R5C3", "R5C4"]]},
    ],
    "littlekillersum": [
        {"cell": "R0C3", "direction": "DL", "value": "7"},
        {"cell": "R7C4", "cells": ["R6C5", "R5C6"], "direction": "UR", "value": 4},
    ],
    "clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R4C4", "R4C5"]}],
    "quadruple": [{"cells": ["R3C3", "R3C4", "R4C3", "R4C4"], "values": [1, "1", 5]}],
    **{
        "antiknight": True,
        "antiking": False,
        "nonconsecutive": True,
        "disjointgroups": True,
        "diagonal+": True,
        "diagonal-": None,
    },
    "negative": ["ratio", "xv", "foglight"],
}
GRID = [[{}] * 6] * 6
DRAWINGS = {
    "line": [
        {"lines": [["R1C1", "R1C2"]], "fromConstraint": "Renban", "width": 0.5},
        {"lines": [], "isNewConstraint": True},
    ],
    "rectangle": [{"cells": ["R1C1"], "isLLConstraint": True}],
    **{"renban": LINES["renban"], "lockout": LINES["lockout"]},
}
TEXTS = {"size": 6, "title": "A title", "author": "N. N.", "ruleset": "x", "solution": [1] * 36}
CELLS = [
    {"value": 3, "given": True, "c": "#fff"},
    {"value": 2, "givenPencilMarks": [1, 2], "centerPencilMarks": [1, 2], "region": None},
    {"region": 7},
    *[{}] * 3,
]


def regions(text, **keys):
    """A document with these regions."""
    numbers = [
        [{"region": None if sign == "." else int(sign)} for sign in row] for row in text.split()
    ]
    return {"grid": numbers, **keys}


def drawing(size, height, **keys):
    """A document of SudokuPad, with boxes."""
    width = size // height
    corners = [(r, c) for r in range(0, size, height) for c in range(0, size, width)]
    boxes = [[[r + y, c + x] for y in range(height) for x in range(width)] for r, c in corners]
    return {"cells": [[{} for _ in range(size)] for _ in range(size)], "regions": boxes, **keys}


PAD = drawing(
    4,
    2,
    id="x",
    cellSize=50,
    cages=[
        {"cells": [[0, 0], [0, 1]], "unique": True},
        {"cells": [[1, 0], [1, 1]], "unique": True, "sum": 5},
        {"cells": [[2, 0], [2, 1]], "style": "killer", "value": "5", "outlineC": "#f00"},
        {"cells": [[3, 0], [3, 1]], "sum": 6},
        {"cells": [[3, 2], [3, 3]], "unique": False, "value": 6},
        {
            "cells": [[0, column] for column in range(4)],
            "style": "rowcol",
            "unique": True,
            "hidden": True,
        },
        {"cells": [[0, column] for column in range(4)], "style": "rowcol", "value": "10"},
        {"value": "title: A title"},
        {"value": "author: N. N."},
    ],
    metadata={"antiknight": True, "solution": "3.../..../..../....".replace("/", "")},
)
PAD["global"] = ["antiking"]
PAD["cells"][0][0] = {"value": 3, "given": True, "colors": ["#f00"]}
PAD["regions"].append([[0, 0], [3, 3]])
LATIN = drawing(4, 2, regions=[], metadata={"title": "A title", "author": "N. N."}, cages=[])
WORDS = {"title": "A title", "author": "N. N.", "rules": "x", "info": "y", "solution": "1" * 16}
IN_WORDS = [
    drawing(4, 2, **WORDS),
    drawing(4, 2, metadata=WORDS),
    drawing(4, 2, cages=[{"value": f"{key}: {text}"} for key, text in WORDS.items()]),
]


def converted(codec):
    """The puzzles in `instances/` that the format can represent, with the givens of the first row
    only.
    """
    for file in sorted({puzzle for puzzle, _ in [*INSTANCES, *ELABORATED.values()]}):
        puzzle = aspdoku.read(file)
        first, *others = puzzle.grid
        puzzle = puzzle.replace(grid=(first, *((None,) * puzzle.size for _ in others)))
        with suppress(PuzzleError, UnsupportedError):
            document = codec.write(puzzle)
            if not differences(puzzle, codec.read(document)):
                yield document


def of_fpuzzles():
    yield from ({"grid": GRID, key: value} for key, value in KINDS.items())
    yield {
        "grid": GRID,
        **{key: value[:1] for key, value in KINDS.items() if isinstance(value, list)},
        "negative": ["ratio"],
    }
    yield {"grid": GRID, **DRAWINGS}
    yield {"grid": [CELLS, *GRID[1:]], **TEXTS}
    yield regions(
        "6667 6777 8889 8999",
        regionsumline=[{"lines": [["R1C1", "R1C4", "R2C4"]]}],
        boxindexer=[{"cells": ["R2C2"]}],
    )
    yield regions("6667 6777 8889 899.", **{"diagonal-": True, "antiking": True})


def of_sudokupad():
    yield from (PAD, LATIN, *IN_WORDS)


# ---- Parts that may change without effect ----


def is_nothing(value):
    """Whether a value is empty; the number 0 is not."""
    return json.dumps(value) in ("null", "false", '""', "[]", "{}")


def is_repeated(old, new):
    """Whether the change repeats an element of a list."""
    return (
        isinstance(old, list)
        and isinstance(new, list)
        and new[: len(old)] == old
        and all(each in old for each in new[len(old) :])
    )


SHAPES = {kind.key: kind.shape for kind in table.CONSTRAINTS}


def is_set(path):
    """Whether repeating an element of this list does not change the meaning."""
    match path:
        case ["negative"] | ["grid", _, _, "givenPencilMarks"]:
            return True
        case [key]:
            return isinstance(
                SHAPES.get(key), SingleCells | ValuedPairs | RowColumnClues | EdgeClues | Corners
            )
        case [key, _, "cells"]:
            return isinstance(SHAPES.get(key), SingleCells)
        case [key, _, "lines"]:
            return isinstance(SHAPES.get(key), CellLines)
    return False


def silent_in_fpuzzles(document, path, old, new):
    match path:
        case [key, *_] if key in table.COSMETIC:
            return True
        case ["grid", row, column, "region"] if new == row // 2 * 2 + column // (
            len(document["grid"]) // 2
        ):
            return True  # the region of its box is the default
        case ["grid", row, column, "region"] if type(new) is int:
            return all(
                {"region": new} not in cells for cells in document["grid"]
            )  # a cage of this cell alone, with any number
        case ["grid", row, column, "givenPencilMarks", _]:
            return new in document["grid"][row][column]["givenPencilMarks"]
        case ["grid", row, column, key, *_] if key != "givenPencilMarks":
            cell = document["grid"][row][column]
            players = (key == "value" and cell.get("given") is not True) or (
                key == "given" and is_nothing(cell.get("value"))
            )
            return key in table.CELL_COSMETIC or players
        case ["negative", _]:
            return old in table.NEGATIVE_COSMETIC and new is ABSENT
        case [key] if key in table.DRAWN:
            return is_nothing(new) or is_repeated(old, new)
        case [key, _, *inside] if key in table.DRAWN:
            # A drawing that repeats another key; without its mark it would be reported.
            return (
                is_nothing(new)
                if not inside
                else inside != ["fromConstraint"] and inside[0] not in table.DRAWN_FOR
            )
        case [_, _, key, *_] if key in table.ENTRY_COSMETIC:
            return True
        case ["size"] | ["littlekillersum", _, "cells"]:
            return is_nothing(new)  # follows from the grid, or from the cell and direction
        case [key, _, "value"] if isinstance(SHAPES[key], ValuedPairs):
            return new == SHAPES[key].default
    return is_set(path) and is_repeated(old, new)


def silent_in_sudokupad(document, path, old, new):
    cage = document["cages"][path[1]] if path[0] == "cages" and path[1:] else {}
    match path:
        case [key, *_] if key in pad.COSMETIC:
            return True
        case ["cells", row, column, key, *_]:
            value = document["cells"][row][column].get("value")
            return key in pad.CELL_COSMETIC or (
                key == "given" and (is_nothing(value) or new in (ABSENT, True))
            )
        case ["metadata", key, *_]:
            return key in pad.METADATA_COSMETIC
        case ["cages", _, key, *_] if key in pad.CAGE_COSMETIC:
            return True
        case ["cages", _, "style"] if cage.get("style") == pad.LINE_STYLE and "value" in cage:
            return is_nothing(new)  # rows and columns are always constrained
        case ["cages", _, *inside] if cage.get("style") == pad.LINE_STYLE and "value" not in cage:
            return is_nothing(new) if not inside else inside == ["unique"]
        case ["cages", _, "style" | "unique"] if cage.get("style") == pad.KILLER_STYLE:
            return new is ABSENT or new is True or is_nothing(new)  # either of the two is enough
        case ["global"]:
            return is_repeated(old, new)
        case ["cages"]:
            return is_repeated(old, new) and (
                "cells" not in new[-1] or new[-1].get("style") == pad.LINE_STYLE
            )
    return False


# ---- Changes ----

VALUES = (
    0,
    0.0,
    1,
    "",
    "x",
    None,
    True,
    False,
    [],
    {},
    "R1C1",
    "R0C1",
    "R99C99",
    ["R1C1"],
    [0, 0],
    [99, 99],
)
FPUZZLES_KEYS = {"unknown", *(key for shape in SHAPES.values() for key in supported_keys(shape))}
PAD_KEYS = {"unknown"} | pad.CAGE_KEYS


def rebuilt(node, path, new):
    """The node with another value at this path."""
    first, *rest = path
    copied = dict(node) if isinstance(node, dict) else list(node)
    if new is REMOVED and not rest:
        copied.pop(first)
    else:
        copied[first] = rebuilt(node[first], rest, new) if rest else new
    return copied


def parts(node, path=()):
    """Every part of a document, and its path."""
    inside = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in inside:
        yield [*path, key], value
        yield from parts(value, (*path, key))


def is_same(old, new):
    """Whether two values are equal, possibly in different spellings."""
    return (type(old) is type(new) and old == new) or (
        not isinstance(old, list | dict | bool)
        and not isinstance(new, list | dict | bool)
        and spelled(old) == spelled(new)
    )


def spelled(value):
    return str(value).strip().upper()


def changes(document, keys):
    """The path of each change, and the values before and after it.

    In the grid, only the first row is changed, if it is not empty.
    """
    used = any((document.get("grid") or document["cells"])[0])
    for path, old in [([], document), *parts(document)]:
        if path[:1] in (["grid"], ["cells"]) and path[1:] and (path[1] > 0 or not used):
            continue
        if isinstance(old, dict):
            yield from (
                ([*path, key], ABSENT, new)
                for key in sorted(keys - old.keys())
                for new in VALUES
                if new is not ABSENT
            )
        if path:
            yield path, old, REMOVED
            more = (
                [[*old, each] for each in (*old[:1], *old[-1:], *VALUES) if not is_nothing(each)]
                if isinstance(old, list)
                else []
            )
            yield from ((path, old, new) for new in (*VALUES, *more) if not is_same(old, new))


def outcome(read, document):
    try:
        return read(document)
    except PuzzleError as error:
        return str(error)


def without(read, document, path):
    """The outcomes of the document without each part on this path."""
    return [
        outcome(read, rebuilt(document, path[:length], REMOVED))
        for length in range(1, len(path) + 1)
    ]


def is_dropped(codec, document, puzzle, change):
    """Whether a change or a value has no effect although it should have one."""
    path, old, new = change
    after = ABSENT if new is REMOVED else new
    if (is_nothing(old) and is_nothing(after)) or codec.silent(document, path, old, after):
        return False
    document = rebuilt(document, path, new)
    changed = outcome(codec.read, document)
    if (
        changed == puzzle
        or is_nothing(after)
        or not isinstance(changed, Puzzle)
        or changed.unsupported
    ):
        return changed == puzzle
    return changed in without(codec.read, document, path)


class Codec(NamedTuple):
    """A reader and writer, keys to add everywhere, parts that may change without effect, and the
    documents.
    """

    read: Callable
    write: Callable
    keys: set[str]
    silent: Callable
    documents: Callable


READERS = {
    "fpuzzles": Codec(
        fpuzzles.read, fpuzzles.write, FPUZZLES_KEYS, silent_in_fpuzzles, of_fpuzzles
    ),
    "sudokupad": Codec(
        sudokupad.read, sudokupad.write, PAD_KEYS, silent_in_sudokupad, of_sudokupad
    ),
}


def dropped(codec, document, rng=None, most=0):
    """The changes to a document, or a sample of them, that have no effect."""
    puzzle = codec.read(document)
    assert puzzle.unsupported == ((RULES_IN_WORDS,) if puzzle.rules else ())
    found = list(changes(document, codec.keys))
    if rng:
        found = rng.sample(found, min(most, len(found)))
    return [change for change in found if is_dropped(codec, document, puzzle, change)]


@pytest.mark.slow_cases("fpuzzles")
@pytest.mark.parametrize("name", READERS)
def test_no_change_of_a_sample_is_dropped(name):
    rng = Random(SEED)
    codec = READERS[name]
    documents = list(codec.documents())
    for document in documents:
        assert dropped(codec, document, rng, SAMPLE // len(documents)) == [], f"ASPDOKU_SEED={SEED}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"),
    [
        (name, number)
        for name, codec in READERS.items()
        for number, _ in enumerate(codec.documents())
    ],
)
def test_no_change_is_dropped(name, number):
    document = list(READERS[name].documents())[number]
    assert dropped(READERS[name], document) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_no_change_to_a_puzzle_of_this_repository_is_dropped(name):
    rng = Random(SEED)
    for document in converted(READERS[name]):
        assert dropped(READERS[name], document, rng, 200) == [], f"ASPDOKU_SEED={SEED}"


def test_an_entry_with_only_a_value_is_reported():
    for key, entries in KINDS.items():
        for entry in entries if isinstance(entries, list) and key != "negative" else ():
            alone = {name: entry[name] for name in ("value", "values") if name in entry}
            assert not alone or fpuzzles.read({"grid": GRID, key: [alone]}).unsupported, key


def test_keys_without_meaning_have_a_reason_and_are_documented():
    tables = [table.COSMETIC, table.CELL_COSMETIC, table.ENTRY_COSMETIC, table.NEGATIVE_COSMETIC]
    tables += [pad.COSMETIC, pad.METADATA_COSMETIC, pad.CELL_COSMETIC, pad.CAGE_COSMETIC]
    documented = (ROOT / "docs" / "formats.md").read_text("utf-8")
    for key, reason in (item for each in tables for item in each.items()):
        assert reason
        assert f"`{key}`" in documented


def test_the_documents_use_every_key():
    used = {key for document in of_fpuzzles() for key in document}
    assert used >= SHAPES.keys() | table.FLAGS.keys() | table.DIAGONALS.keys() | table.BASIC | {
        "negative"
    }
    assert {key for document in of_sudokupad() for key in document} >= pad.KNOWN


@pytest.mark.parametrize("name", READERS)
def test_a_repeated_key_is_rejected_in_any_object(name):
    for document in READERS[name].documents():
        for path, value in parts(document):
            if isinstance(path[-1], str):
                repeated = json.dumps(rebuilt(document, [*path[:-1], "REPEATED"], value)).replace(
                    "REPEATED", path[-1]
                )
                with pytest.raises(PuzzleError, match=r"duplicate key '.*' in a JSON object"):
                    parse(repeated)
