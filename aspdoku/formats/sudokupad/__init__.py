"""Reader and writer for SudokuPad documents.

They are drawings; only givens, regions, cages and a few rules can be interpreted reliably. The rest
is reported when it is read. The writer draws the clues of other rules, and states these in words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import UnsupportedError, by_key, facts_of_sets
from aspdoku.formats.boards import Content, boxes_of
from aspdoku.formats.json_document import (
    DocumentReader,
    Object,
    OfDrawing,
    described,
    is_blank,
    list_of,
    objects_of,
    square_of,
)
from aspdoku.formats.shapes import Clue, SquareGrid, require_distinct, shape_of, to_number
from aspdoku.formats.stated_rules import with_words
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle, box_shape
from aspdoku.puzzlefile.writer import solution_line

if TYPE_CHECKING:
    from aspdoku.formats.sudokupad.drawings import Drawings

# Rules that are only switched on or off, in `global` or in `metadata`.
RULES = {"antiknight": "anti-knight", "antiking": "anti-king"}

# The rules for sets of cells.
KILLER, SUM_CAGE, EXTRA = "killer", "sum-cage", "extra-region"

DRAWN = {"lines", "arrows", "overlays", "underlays"}
# The keys of the title, the author, the rules in words, and the solution: in the document, in
# `metadata`, and in cages without cells, whose value begins with one of them and a colon.
TEXTS = (("title",), ("author",), ("rules", "info"), ("solution",))
TEXT_KEYS = {key for keys in TEXTS for key in keys}
KNOWN = {"cells", "regions", "cages", "global", "metadata", *TEXT_KEYS}
CELL_KEYS = {"value", "given"}
CAGE_KEYS = {"cells", "value", "sum", "unique", "style"}
# Styles of cages. A cage in the style of rows and columns must be one, and repeats its rule.
KILLER_STYLE, LINE_STYLE = "killer", "rowcol"

# Keys that do not constrain the puzzle, each with the reason: those of the document, of `metadata`
# and of cages without cells, of cells, and of cages.
_COSMETIC = tomllib.loads(Path(__file__).with_name("cosmetic.toml").read_text("utf-8"))
COSMETIC, METADATA_COSMETIC = _COSMETIC["document"], _COSMETIC["metadata"]
CELL_COSMETIC, CAGE_COSMETIC = _COSMETIC["cell"], _COSMETIC["cage"]

_NO_RULES = METADATA_COSMETIC.keys() | TEXT_KEYS
_METADATA = re.compile(rf"\s*({'|'.join(_NO_RULES)})\s*:(.*)", re.IGNORECASE | re.DOTALL)


def read(document: Object) -> Puzzle:
    """The puzzle in a document. Raises PuzzleError for an invalid document."""
    return _DocumentReader(document).puzzle()


class _DocumentReader(DocumentReader):
    def __init__(self, document: Object) -> None:
        super().__init__()
        self._document = document
        self._texts: list[Object] = []
        self._rows = square_of(document.get("cells"), "cells")
        self._size = len(self._rows)
        self._board = SquareGrid(self._size)
        stated = document.get("metadata")
        metadata = {} if is_blank(stated) else stated
        if not isinstance(metadata, dict):
            raise PuzzleError(f"metadata: {str(metadata)[:30]!r} instead of an object")
        self._metadata: Object = metadata

    def puzzle(self) -> Puzzle:
        grid = tuple(tuple(map(self._given, line)) for line in self._rows)
        without = self._regions()
        for label, cage in enumerate(objects_of(self._document.get("cages"), "cages"), 1):
            self._cage(cage, label)
        self._rules()
        for key in filter(DRAWN.__contains__, self._document):
            if drawn := objects_of(self._document[key], key):
                part = OfDrawing(f"drawings that may represent a rule: {key}")
                self._unsupported[part] += len(drawn)
        self._note_keys("{}", self._document, KNOWN | COSMETIC.keys() | DRAWN)
        puzzle = self._puzzle(grid, without=without)
        metadata = {key.lower(): value for key, value in self._metadata.items()}
        sources = (metadata, self._document, *self._texts)
        return described(
            puzzle, *([source.get(key) for key in keys for source in sources] for keys in TEXTS)
        )

    def _given(self, cell: Object) -> int | None:
        self._note_keys("{} of a cell", cell, CELL_KEYS | CELL_COSMETIC.keys())
        if not (cell.get("given") is None or cell["given"] is True or is_blank(cell.get("value"))):
            self._unsupported["'given' of a cell"] += 1
        return self._number(cell, "value", "{} in a cell")

    def _number(self, entry: Object, key: str, where: str) -> int | None:
        """The number under a key. Any other value is reported; `where` is a format for it."""
        try:
            return None if is_blank(entry.get(key)) else to_number(entry[key])
        except UnsupportedError:
            value = repr(str(entry[key])[:20])
            self._unsupported[type(where)(where.format(value))] += 1
            return None

    def _regions(self) -> tuple[str, ...]:
        """Read the regions; a document without any retracts the box rule."""
        listed = list_of(self._document.get("regions"), "regions")
        regions = [cells for region in listed if (cells := self._cells(region, "regions"))]
        if any(len(set(cells)) < len(cells) for cells in regions):
            raise PuzzleError("regions: a cell is listed twice in one of them")
        whole = [sorted(cells) for cells in regions if len(cells) == self._size]
        if sorted(whole) != boxes_of(self._size, box_shape(self._size)):
            self._facts += facts_of_sets(REGION[0], whole)
        for label, cells in enumerate(regions, 1):
            if len(cells) != self._size:
                self._add_set(EXTRA, Clue(cells=cells), f"region {label}")
        return () if whole else ("box",)

    def _add_set(self, rule: str, clue: Clue, label: int | str) -> None:
        self._add([rule], shape_of(rule).read(clue, iter([label]), self._board))

    def _cage(self, cage: Object, label: int) -> None:
        """A cage with distinct numbers, or a sum, or both; one without cells is metadata."""
        cells = self._cells(cage.get("cells"), "cages")
        self._note_keys("{} of a cage", cage, CAGE_KEYS | CAGE_COSMETIC.keys())
        if not cells:
            self._text(cage)
            return
        try:
            require_distinct(cells)
        except UnsupportedError as what:
            self._unsupported[f"a cage with {what}"] += 1
        else:
            self._add_cage(cage, cells, label)

    def _add_cage(self, cage: Object, cells: list[Cell], label: int) -> None:
        reported = self._unsupported.total()
        total = self._sum(cage)
        unique, style = cage.get("unique"), cage.get("style")
        if not (unique is None or isinstance(unique, bool)):
            self._unsupported[f"{str(unique)[:20]!r} as 'unique' of a cage"] += 1
        if not is_blank(style) and style not in (KILLER_STYLE, LINE_STYLE):
            self._unsupported[f"the style {str(style)[:20]!r} of a cage"] += 1
        if style == LINE_STYLE:
            is_line = any(len({cell[axis] for cell in cells}) == 1 for axis in (0, 1))
            if len(cells) != self._size or not is_line:
                self._unsupported["a hidden cage that is neither a row nor a column"] += 1
                return
            if total is None and unique is not False:
                return
        distinct = unique is True or (style == KILLER_STYLE and unique is not False)
        if distinct or total is not None:
            rule = KILLER if distinct else SUM_CAGE
            self._add_set(rule, Clue(cells=cells, value=total), label)
        elif self._unsupported.total() == reported:
            self._unsupported[OfDrawing("a cage without a meaning")] += 1

    def _sum(self, cage: Object) -> int | None:
        """The sum of a cage, under either of two keys. Any other value is reported."""
        total, value = (
            self._number(cage, key, OfDrawing("{} on a cage")) for key in ("sum", "value")
        )
        if None not in (total, value) and total != value:
            self._unsupported[f"{value} on a cage"] += 1
        return value if total is None else total

    def _text(self, cage: Object) -> None:
        """Metadata in a cage without cells: title, author and so on. Anything else is reported."""
        value = cage.get("value")
        text = _METADATA.fullmatch(value) if isinstance(value, str) else None
        more = any(not is_blank(cage.get(key)) for key in ("sum", "unique", "style"))
        if more or not (text or is_blank(value)):
            what = cage.get("sum") if is_blank(value) else value
            self._unsupported[f"a cage without cells: {str(what)[:30]!r}"] += 1
        elif text:
            self._texts.append({text[1].lower(): text[2]})

    def _rules(self) -> None:
        metadata = {
            key: value
            for key, value in self._metadata.items()
            if key.lower() not in _NO_RULES and not is_blank(value)
        }
        stated = map(str, list_of(self._document.get("global"), "global"))
        for name in (*stated, *(key for key, value in metadata.items() if value is True)):
            if name in RULES:
                self._elaborations.append(RULES[name])
            else:
                self._unsupported[f"the rule {name[:30]!r}"] += 1
        for key, value in metadata.items():
            if value is not True:
                self._unsupported[f"{key[:30]!r} of the metadata"] += 1

    def _cells(self, value: object, where: str) -> list[Cell]:
        """Cells given as pairs of a row and a column, counted from 0."""
        cells = []
        for pair in list_of(value, where):
            if not (
                isinstance(pair, list)
                and len(pair) == 2
                and all(type(each) is int and 0 <= each < self._size for each in pair)
            ):
                raise PuzzleError(
                    f"{where}: invalid cell {str(pair)[:30]!a}: expected [row,column], each 0 to"
                    f" {self._size - 1}"
                )
            cells.append((pair[0] + 1, pair[1] + 1))
        return cells


def stated(puzzle: Puzzle) -> Puzzle:
    """The part of a puzzle that its document states, and not only draws or states in words.

    Raises UnsupportedError if the document cannot be written.
    """
    drawings = _written_document(puzzle)[1]
    if not drawings:
        return puzzle
    return puzzle.replace(
        facts=[fact for fact in puzzle.facts if fact not in drawings.facts],
        elaborations=[name for name in puzzle.elaborations if name not in drawings.rules],
    )


def write(puzzle: Puzzle) -> Object:
    """The document, without what the format cannot represent. Raises UnsupportedError."""
    return _written_document(puzzle)[0]


def _written_document(puzzle: Puzzle) -> tuple[Object, Drawings | None]:
    """The document, and the drawings in it if there are any. Raises UnsupportedError."""
    content = Content(puzzle)
    board = SquareGrid(puzzle.size)
    regions = by_key((region, cell) for cell, region in content.regions().items())
    texts = {
        "title": puzzle.title,
        "author": puzzle.author,
        "rules": with_words(puzzle).rules,
        "solution": solution_line(puzzle.solution) if puzzle.solution else "",
    }
    sets = [*regions.values(), *(clue.cells for clue in content.clues_of(EXTRA, board))]
    looks: dict[str, Object] = {
        KILLER: {"style": "killer", "unique": True},
        SUM_CAGE: {"unique": False},
    }
    document: Object = {
        "metadata": {key: text for key, text in texts.items() if text or key == "title"},
        "cells": [
            [{} if number is None else {"value": number} for number in row] for row in puzzle.grid
        ],
        "regions": list(map(_written, sets)),
        "cages": [
            {
                "cells": _written(clue.cells),
                **look,
                **({} if clue.value is None else {"value": str(clue.value)}),
            }
            for rule, look in looks.items()
            for clue in content.clues_of(rule, board)
        ],
        "global": [word for word, name in RULES.items() if content.has_rules(name)],
    }
    others = [name for name in puzzle.elaborations if name not in {EXTRA, *looks, *RULES.values()}]
    return document, _with_drawings(document, puzzle, others) if others else None


def _with_drawings(found: Object, puzzle: Puzzle, rules: Sequence[str]) -> Drawings:
    """Add the drawings of rules to a document, and the rules in words after those of the puzzle.

    Raises UnsupportedError if a drawing looks like another one, or hides it.
    """
    from aspdoku.formats.sudokupad.drawings import Drawings, require_visible

    drawings = Drawings(puzzle, rules)
    drawings.check()
    for key, entries in drawings.document.items():
        if entries:
            found[key] = [*list_of(found.get(key)), *entries]
    require_visible(found)
    texts: Object = found["metadata"]  # type: ignore[assignment]
    texts["rules"] = drawings.words()
    return drawings


def _written(cells: Sequence[Cell]) -> list[list[int]]:
    return [[row - 1, column - 1] for row, column in cells]
