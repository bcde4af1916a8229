"""Reader for SudokuPad documents.

They are drawings; only givens, regions, cages and a few rules can be interpreted reliably.
"""

from __future__ import annotations

import re

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import UnsupportedError, facts_of_sets
from aspdoku.formats.boards import Board
from aspdoku.formats.json_document import DocumentReader, Object, is_blank
from aspdoku.formats.shapes import Clue, SquareGrid, require_distinct, shape_of, to_number
from aspdoku.formats.sudokupad import table
from aspdoku.formats.texts import described
from aspdoku.puzzle.puzzle import LARGEST_SIZE, REGION, Cell, Grid, Puzzle, box_shape

_NO_RULES = table.METADATA_COSMETIC.keys() | table.TEXT_KEYS
_METADATA = re.compile(rf"\s*({'|'.join(_NO_RULES)})\s*:(.*)", re.IGNORECASE | re.DOTALL)


def read(document: Object) -> Puzzle:
    """The puzzle in a document. Raises PuzzleError for an invalid document."""
    return _DocumentReader(document).puzzle()


class _DocumentReader(DocumentReader):
    def __init__(self, document: Object) -> None:
        super().__init__()
        self._document = document
        self._texts: list[Object] = []
        self._size = len(_list(document.get("cells"), "cells"))
        self._board = SquareGrid(self._size)

    def puzzle(self) -> Puzzle:
        grid = self._grid()
        without = self._regions()
        for label, cage in enumerate(_objects(self._document.get("cages"), "cages"), 1):
            self._cage(cage, label)
        self._rules()
        for key in filter(table.DRAWN.__contains__, self._document):
            if drawn := _objects(self._document[key], key):
                self._unsupported[f"drawings that may represent a rule: {key}"] += len(drawn)
        self._note_keys("{}", self._document, table.KNOWN | table.COSMETIC.keys() | table.DRAWN)
        puzzle = self._puzzle(grid, without=without)
        metadata = {key.lower(): value for key, value in self._metadata().items()}
        sources = (metadata, self._document, *self._texts)
        return described(
            puzzle,
            *([source.get(key) for key in keys for source in sources] for keys in table.TEXTS),
        )

    def _grid(self) -> Grid:
        rows = _list(self._document.get("cells"), "cells")
        if not 1 <= len(rows) <= LARGEST_SIZE:
            raise PuzzleError(f"the grid has {len(rows)} rows; 1 to {LARGEST_SIZE} are allowed")
        grid = []
        for row, cells in enumerate(rows, 1):
            line = _objects(cells, f"row {row} of cells")
            if len(line) != len(rows):
                raise PuzzleError(f"row {row} of cells: {len(line)} cells instead of {len(rows)}")
            grid.append(
                tuple(self._given(cell, row, column) for column, cell in enumerate(line, 1))
            )
        return tuple(grid)

    def _given(self, cell: Object, row: int, column: int) -> int | None:
        self._note_keys("{} of a cell", cell, table.CELL_KEYS | table.CELL_COSMETIC.keys())
        if not (cell.get("given") is None or cell["given"] is True or is_blank(cell.get("value"))):
            self._unsupported["'given' of a cell"] += 1
        return self._number(cell, "value", "in a cell")

    def _number(self, entry: Object, key: str, where: str) -> int | None:
        """The number under a key. Any other value is reported."""
        try:
            return None if is_blank(entry.get(key)) else to_number(entry[key])
        except UnsupportedError:
            self._unsupported[f"{str(entry[key])[:20]!r} {where}"] += 1
            return None

    def _regions(self) -> tuple[str, ...]:
        """Read the regions; a document without any retracts the box rule."""
        regions = [
            self._cells(region, "regions")
            for region in _list(self._document.get("regions"), "regions")
        ]
        regions = list(filter(None, regions))
        if any(len(set(cells)) < len(cells) for cells in regions):
            raise PuzzleError("regions: a cell is listed twice in one of them")
        whole = [sorted(cells) for cells in regions if len(cells) == self._size]
        boxes = Board(1, 1, self._size, self._size, box_shape(self._size)).boxes()
        if sorted(whole) != sorted(boxes):
            self._facts += facts_of_sets(REGION[0], whole)
        extra = shape_of(table.EXTRA)
        for label, cells in enumerate(regions, 1):
            if len(cells) != self._size:
                clue = Clue(cells=cells)
                self._add(
                    [table.EXTRA], list(extra.read(clue, iter([f"region {label}"]), self._board))
                )
        return () if whole else ("box",)

    def _cage(self, cage: Object, label: int) -> None:
        """A cage with distinct numbers, or a sum, or both; one without cells is metadata."""
        cells = self._cells(cage.get("cells"), "cages")
        self._note_keys("{} of a cage", cage, table.CAGE_KEYS | table.CAGE_COSMETIC.keys())
        if not cells:
            self._text(cage)
            return
        try:
            require_distinct(cells)
            self._add_cage(cage, cells, label)
        except UnsupportedError as what:
            self._unsupported[f"a cage with {what}"] += 1

    def _add_cage(self, cage: Object, cells: list[Cell], label: int) -> None:
        reported = self._unsupported.total()
        total = self._sum(cage)
        unique, style = cage.get("unique"), cage.get("style")
        if not (unique is None or isinstance(unique, bool)):
            self._unsupported[f"{str(unique)[:20]!r} as 'unique' of a cage"] += 1
        if not is_blank(style) and style not in (table.KILLER_STYLE, table.LINE_STYLE):
            self._unsupported[f"the style {str(style)[:20]!r} of a cage"] += 1
        if style == table.LINE_STYLE and not self._is_line(cells):
            self._unsupported["a hidden cage that is neither a row nor a column"] += 1
            return
        if style == table.LINE_STYLE and total is None and unique is not False:
            return
        distinct = unique is True or (style == table.KILLER_STYLE and unique is not False)
        if distinct or total is not None:
            name = table.KILLER if distinct else table.SUM_CAGE
            clue = Clue(cells=cells, value=total)
            self._add([name], list(shape_of(name).read(clue, iter([label]), self._board)))
        elif self._unsupported.total() == reported:
            self._unsupported["a cage without a meaning"] += 1

    def _sum(self, cage: Object) -> int | None:
        """The sum of a cage, under either of two keys. Any other value is reported."""
        total, value = (self._number(cage, key, "on a cage") for key in ("sum", "value"))
        if None not in (total, value) and total != value:
            self._unsupported[f"{value} on a cage"] += 1
        return value if total is None else total

    def _text(self, cage: Object) -> None:
        """Metadata in a cage without cells: title, author and so on. Anything else is reported."""
        value = cage.get("value")
        text = _METADATA.fullmatch(value) if isinstance(value, str) else None
        more = [key for key in ("sum", "unique", "style") if not is_blank(cage.get(key))]
        if more or not (text or is_blank(value)):
            what = cage.get("sum") if is_blank(value) else value
            self._unsupported[f"a cage without cells: {str(what)[:30]!r}"] += 1
        elif text:
            self._texts.append({text[1].lower(): text[2]})

    def _is_line(self, cells: list[Cell]) -> bool:
        rows, columns = ({cell[axis] for cell in cells} for axis in (0, 1))
        return len(cells) == self._size and (len(rows) == 1 or len(columns) == 1)

    def _rules(self) -> None:
        metadata = self._metadata()
        stated = [str(name) for name in _list(self._document.get("global"), "global")]
        stated += [
            key for key, value in metadata.items() if value is True and key.lower() not in _NO_RULES
        ]
        for name in stated:
            if name in table.RULES:
                self._elaborations.append(table.RULES[name])
            else:
                self._unsupported[f"the rule {name[:30]!r}"] += 1
        for key, value in metadata.items():
            if value is not True and not is_blank(value) and key.lower() not in _NO_RULES:
                self._unsupported[f"{key[:30]!r} of the metadata"] += 1

    def _metadata(self) -> Object:
        metadata = self._document.get("metadata")
        if not is_blank(metadata) and not isinstance(metadata, dict):
            raise PuzzleError(f"metadata: {str(metadata)[:30]!r} instead of an object")
        return metadata if isinstance(metadata, dict) else {}

    def _cells(self, value: object, where: str) -> list[Cell]:
        """Cells given as pairs of a row and a column, counted from 0."""
        found = []
        for pair in _list(value, where):
            inside = isinstance(pair, list) and all(
                type(each) is int and 0 <= each < self._size for each in pair
            )
            if not (isinstance(pair, list) and len(pair) == 2 and inside):
                raise PuzzleError(
                    f"{where}: invalid cell {str(pair)[:30]!a}: expected [row,column], each 0 to"
                    f" {self._size - 1}"
                )
            found.append((pair[0] + 1, pair[1] + 1))
        return found


def _list(value: object, where: str) -> list[object]:
    if value in (None, {}):
        return []
    if not isinstance(value, list):
        raise PuzzleError(f"{where}: {str(value)[:30]!r} instead of a list")
    return value


def _objects(value: object, where: str) -> list[Object]:
    found = _list(value, where)
    if not all(isinstance(each, dict) for each in found):
        raise PuzzleError(f"{where}: an item is not an object")
    return [each for each in found if isinstance(each, dict)]
