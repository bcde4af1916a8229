"""Reader and writer for the JSON of f-puzzles, the most common editor for variant sudokus.

`table` maps its keys to predicates and rules. Content that is not supported is reported when it is
read, and an error when it would have to be written; none is ignored.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import chain, count

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import PENCILMARKED, UnsupportedError, errors_at
from aspdoku.formats.boards import Content, diagonals, regions_or_boxes
from aspdoku.formats.fpuzzles import table
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
from aspdoku.formats.shapes import (
    Clue,
    ClueShape,
    SingleCells,
    SquareGrid,
    cell_name,
    rule_of,
    to_number,
)
from aspdoku.formats.stated_rules import with_words
from aspdoku.program.library import default_values
from aspdoku.puzzle.puzzle import REGION, Cell, Grid, Puzzle, box_shape, grid_of
from aspdoku.puzzle.term import Function

_CELL = re.compile(r"[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})")
# The key of each part of a clue, in the order in which they are written.
_KEYS = {
    "outside": "cell",
    "cells": "cells",
    "others": "cloneCells",
    "lines": "lines",
    "direction": "direction",
    "value": "value",
    "values": "values",
}
# Entries under these keys are never shown by drawings.
_NOT_DRAWN = table.BASIC | table.COSMETIC.keys() | table.DRAWN
_RULES = {kind.key for kind in table.CONSTRAINTS} | table.FLAGS.keys() | table.DIAGONALS.keys()
_KNOWN = _NOT_DRAWN | _RULES | {"negative"}


def read(document: Object) -> Puzzle:
    """The puzzle in a document. Raises PuzzleError for an invalid document."""
    return _DocumentReader(document).puzzle()


def write(puzzle: Puzzle) -> Object:
    """The document, without what the format cannot represent. Raises UnsupportedError."""
    content = Content(puzzle)
    texts = {"title": puzzle.title, "author": puzzle.author, "ruleset": with_words(puzzle).rules}
    solution = {"solution": list(chain(*puzzle.solution))} if puzzle.solution else {}
    stated = {key: text for key, text in texts.items() if text or key == "title"}
    document: Object = {"size": puzzle.size, "grid": _written_grid(puzzle, content), **stated}
    return document | solution | _written_rules(puzzle, content)


def clues(document: Object) -> Iterator[tuple[str, int, Clue]]:
    """The clues that a document lists, each with its key and place. Raises PuzzleError."""
    reader = _DocumentReader(document)
    for kind in table.CONSTRAINTS:
        for place, entry in enumerate(reader._entries(kind.key), 1):
            yield kind.key, place, reader._clue(entry, kind.shape)


def supported_keys(shape: ClueShape) -> frozenset[str]:
    """The keys of an entry in this shape."""
    keys = frozenset(_KEYS[part] for part in shape.parts)
    return keys | {"cell"} if isinstance(shape, SingleCells) else keys


class _DocumentReader(DocumentReader):
    def __init__(self, document: Object) -> None:
        super().__init__()
        self._document = document
        self._cells = _cells(document)
        self._size = max(row for row, _ in self._cells)
        self._board = SquareGrid(self._size)
        self._small_regions: list[Clue] = []
        self._even = False

    def puzzle(self) -> Puzzle:
        grid = self._grid()
        box, without = self._read_regions()
        for kind in table.CONSTRAINTS:
            self._read_key(kind)
        self._read_flags()
        self._read_negatives()
        self._note_keys("{}", self._document, _KNOWN)
        for key in filter(table.DRAWN.__contains__, self._document):
            drawings = objects_of(self._document[key], key)
            if by_hand := [each for each in drawings if each and not self._is_explained(each)]:
                part = OfDrawing(f"drawings that may represent a rule: {key}")
                self._unsupported[part] += len(by_hand)
        texts = ([self._document.get(key)] for key in table.TEXTS)
        return described(self._puzzle(grid, box, without), *texts)

    def _grid(self) -> Grid:
        """The givens, without numbers entered by the player.

        Given pencil marks become facts.
        """
        ((predicate, _),), rules, _ = PENCILMARKED
        givens: dict[Cell, int] = {}
        for place, cell in self._cells.items():
            with errors_at(cell_name(place)):
                self._note_keys("{} of a cell", cell, table.CELL_KEYS | table.CELL_COSMETIC.keys())
                value = _number(cell.get("value")) if _is_on(cell, "given") else None
                if value is not None:
                    givens[place] = value
                marks = list(map(_number, list_of(cell.get("givenPencilMarks"))))
                for mark in marks:
                    if mark is None or not 1 <= mark <= self._size:
                        raise PuzzleError(
                            f"invalid pencil mark {mark}: the numbers are 1 to {self._size}"
                        )
                    self._add(rules, [Function(predicate, (*place, mark))])
        return grid_of(self._size, givens)

    def _read_regions(self) -> tuple[tuple[int, int] | None, tuple[str, ...]]:
        """Read regions. Returns the shape of boxes, and `box` if no region has n cells."""
        size = self._size
        height, width = box_shape(size)
        drawn: dict[int | None, list[Cell]] = defaultdict(list)
        for (row, column), cell in self._cells.items():
            box = (row - 1) // height * height + (column - 1) // width
            region = cell.get("region", box)
            if region is not None and region != "":
                with errors_at(cell_name((row, column))):
                    drawn[_number(region)].append((row, column))
        whole = [cells for cells in drawn.values() if len(cells) == size]
        self._even = len(whole) == len(drawn) == size
        if self._even and (shape := regions_or_boxes(whole, size)[0]):
            return shape, ()
        for region, cells in drawn.items():
            if len(cells) == size:
                label = int(str(region)) + 1
                self._add([], [Function(REGION[0], (*cell, label)) for cell in cells])
            else:
                self._small_regions.append(Clue(cells=cells))
        return None, () if whole else ("box",)

    def _read_key(self, kind: table.ConstraintKey) -> None:
        labels = count(1)
        entries = self._entries(kind.key)
        regions = self._small_regions if kind.key == table.SMALL_REGION else []
        times = len(entries) + len(regions)
        if not times or self._reports_as_undefined(kind.key, times):
            return
        known = supported_keys(kind.shape) | table.ENTRY_COSMETIC.keys()
        for place, entry in enumerate(entries, 1):
            with errors_at(f"{kind.key} {place}"):
                self._note_keys(f"{{}} of {kind.key}", entry, known)
                self._read_clue(kind, self._clue(entry, kind.shape), labels)
        for clue in regions:
            self._read_clue(kind, clue, labels)

    def _clue(self, entry: Object, shape: ClueShape) -> Clue:
        given = {key: entry.get(key) for key in supported_keys(shape)}
        cells = self._cells_of(given.get("cells"))
        outside, cell = None, given.get("cell")
        if not is_blank(cell) and isinstance(shape, SingleCells):
            cells.append(self._cell(cell, range(1, self._size + 1)))
        elif not is_blank(cell):
            outside = self._cell(cell, range(self._size + 2))
        return Clue(
            cells=cells,
            others=self._cells_of(given.get("cloneCells")),
            lines=[self._cells_of(line) for line in list_of(given.get("lines"))],
            outside=outside,
            direction=str(given.get("direction")),
            value=given.get("value"),
            values=list_of(given.get("values")),
        )

    def _cells_of(self, names: object) -> list[Cell]:
        return [self._cell(name, range(1, self._size + 1)) for name in list_of(names)]

    def _cell(self, name: object, span: range) -> Cell:
        match = _CELL.fullmatch(name) if isinstance(name, str) else None
        if not match or int(match[1]) not in span or int(match[2]) not in span:
            size = self._size
            raise PuzzleError(
                f"invalid cell {str(name)[:30]!r}: the cells of a {size}x{size} grid are R1C1 to"
                f" R{size}C{size}"
            )
        return int(match[1]), int(match[2])

    def _read_clue(self, kind: table.ConstraintKey, clue: Clue, labels: Iterator[int]) -> None:
        with self._reporting(kind.key):
            for fact in kind.shape.read(clue, labels, self._board):
                self._add([rule_of(fact.signature, kind.rule)], [fact])

    def _reports_as_undefined(self, key: str, times: int = 1) -> bool:
        """Whether a key is not defined for this size or these regions; if so, it is reported."""
        size, undefined = self._size, ""
        if key in table.BY_THIRDS and size % 3:
            undefined = f"in a grid of {size} rows"
        if key in table.BY_REGION and not self._even:
            undefined = f"without {size} regions of {size} cells"
        if undefined:
            self._unsupported[f"{key}: its meaning {undefined}"] += times
        return bool(undefined)

    def _read_flags(self) -> None:
        for key, name in table.FLAGS.items():
            if _is_on(self._document, key) and not self._reports_as_undefined(key):
                self._elaborations.append(name)
        ways = (way for key, way in table.DIAGONALS.items() if _is_on(self._document, key))
        self._add(*diagonals(ways))

    def _read_negatives(self) -> None:
        for what in map(str, list_of(self._document.get("negative"))):
            if what in table.NEGATIVE_COSMETIC or self._reports_as_undefined(what):
                continue
            if what not in table.NEGATIVES:
                self._unsupported[f"negative: {what[:30]!r}"] += 1
                continue
            name, predicate, marks = table.NEGATIVES[what]
            values = dict.fromkeys(fact.arguments[-1] for fact in self._facts if fact.name == marks)
            self._add([name], [Function(predicate, (value,)) for value in values])

    def _is_explained(self, drawing: Object) -> bool:
        """Whether an editor added a drawing to show entries that exist under another key."""
        marks = (keys for mark, keys in table.DRAWN_FOR.items() if drawing.get(mark) is True)
        keys = [*chain(*marks)]
        name = drawing.get("fromConstraint")
        if isinstance(name, str):
            key = name.replace(" ", "").lower()
            keys.append(table.DRAWN_AS.get(key, key))
        shown = (self._document.get(key) for key in keys if key not in _NOT_DRAWN)
        return any(value for value in shown if isinstance(value, list))

    def _entries(self, key: str) -> list[Object]:
        """The entries under a key, without empty placeholders."""
        return list(filter(None, objects_of(self._document.get(key), key)))


def _cells(document: Object) -> dict[Cell, Object]:
    """The cells in reading order. Raises PuzzleError unless they form a square."""
    rows = square_of(document.get("grid"), "the grid")
    size, stated = len(rows), _number(document.get("size"))
    if stated not in (None, size):
        raise PuzzleError(f"size is {stated}, but the grid has {size} rows")
    return {(r, c): cell for r, line in enumerate(rows, 1) for c, cell in enumerate(line, 1)}


def _is_on(entry: Object, key: str) -> bool:
    value = entry.get(key)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise PuzzleError(f"{key} is {str(value)[:30]!r} instead of true or false")


def _number(value: object) -> int | None:
    try:
        return to_number(value)
    except UnsupportedError as what:
        raise PuzzleError(f"{what} is not a number") from None


def _written_rules(puzzle: Puzzle, content: Content) -> Object:
    entries: Object = {}
    board = SquareGrid(puzzle.size)
    for kind in table.CONSTRAINTS:
        signatures = kind.shape.signatures
        if kind.rules & {*puzzle.elaborations} and content.has_facts(signatures):
            clues = content.written(signatures, partial(kind.shape.write, grid=board))
            entries[kind.key] = [entry for clue in clues for entry in _entries(clue, kind)]
    entries |= {key: True for key, name in table.FLAGS.items() if content.has_rules(name)}
    entries |= {key: True for key, way in table.DIAGONALS.items() if way in content.diagonals}
    negative = []
    for key, (name, predicate, marks) in table.NEGATIVES.items():
        # `negative` can only list the values that the marks in the grid have.
        defaults = set(default_values(predicate, 1, len(puzzle.numbers)))
        values = {arguments[0] for arguments in content.arguments[predicate, 1]}
        marked = {arguments[-1] for arguments in content.arguments[marks, 5]}
        same = not predicate or (values or defaults) == (marked or defaults)
        negative += [key] if same and content.has_rules(name) else []
    return entries | ({"negative": negative} if negative else {})


def _written_grid(puzzle: Puzzle, content: Content) -> list[list[Object]]:
    span = range(1, puzzle.size + 1)
    cells: dict[Cell, Object] = {(row, column): {} for row in span for column in span}
    for cell, marks in content.marks().items():
        cells[cell]["givenPencilMarks"] = marks
    for cell, number in puzzle.givens().items():
        cells[cell] |= {"value": number, "given": True}
    if not content.has_default_boxes:
        regions = content.regions()
        for (row, column), entry in cells.items():
            entry["region"] = regions.get((row, column))
    return [[cells[row, column] for column in span] for row in span]


def _entries(clue: Clue, kind: table.ConstraintKey) -> list[Object]:
    """The entries for a clue: one, or one for each of several single cells."""
    if isinstance(kind.shape, SingleCells) and kind.key not in table.TOGETHER:
        return [{"cell": cell_name(cell)} for cell in clue.cells]
    written: Object = {
        "outside": cell_name(clue.outside) if clue.outside else None,
        "cells": list(map(cell_name, clue.cells)),
        "others": list(map(cell_name, clue.others)),
        "lines": [list(map(cell_name, line)) for line in clue.lines],
        "direction": clue.direction,
        "value": None if clue.value is None else str(clue.value),
        "values": list(clue.values),
    }
    return [{_KEYS[part]: value for part, value in written.items() if not is_blank(value)}]
