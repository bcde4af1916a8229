"""Reader for f-puzzles' JSON. Unsupported content is reported, never ignored silently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import count

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.boards import Board
from aspdoku.formats.fpuzzles import table
from aspdoku.formats.fpuzzles.entries import read_entry, supported_keys, to_list
from aspdoku.formats.json_document import DocumentReader, Object, is_blank
from aspdoku.formats.shapes import Clue, SquareGrid, to_number
from aspdoku.formats.texts import described
from aspdoku.puzzle.puzzle import LARGEST_SIZE, REGION, Cell, Grid, Puzzle, box_shape, grid_of
from aspdoku.puzzle.term import Function

# Entries under these keys are never shown by drawings.
_NOT_DRAWN = table.BASIC | table.COSMETIC.keys() | table.DRAWN


def read(document: Object) -> Puzzle:
    """The puzzle in a document. Raises PuzzleError for an invalid document."""
    return _DocumentReader(document).puzzle()


class _DocumentReader(DocumentReader):
    def __init__(self, document: Object) -> None:
        super().__init__()
        self._document = document
        self._rows = _rows(document)
        self._board = SquareGrid(len(self._rows))
        self._without: tuple[str, ...] = ()
        self._small_regions: list[Clue] = []
        self._even = False
        self._box: tuple[int, int] | None = None

    def puzzle(self) -> Puzzle:
        grid = self._grid()
        self._read_regions()
        for kind in table.CONSTRAINTS:
            self._read_key(kind)
        self._read_flags()
        self._read_negatives()
        self._report_unknown_keys()
        puzzle = self._puzzle(grid, self._box, self._without)
        texts = ([self._document.get(key)] for key in table.TEXTS)
        return described(puzzle, *texts)

    def _cells(self) -> Iterator[tuple[Cell, Object]]:
        for row, cells in enumerate(self._rows, 1):
            for column, cell in enumerate(cells, 1):
                yield (row, column), cell

    def _grid(self) -> Grid:
        """The givens, without numbers entered by the player.

        Given pencil marks become facts.
        """
        name, predicate = table.PENCILMARKS
        givens: dict[Cell, int] = {}
        for (row, column), cell in self._cells():
            with _ErrorPlace(f"R{row}C{column}"):
                self._note_keys("{} of a cell", cell, table.CELL_KEYS | table.CELL_COSMETIC.keys())
                value = _number(cell.get("value")) if _is_on(cell, "given") else None
                if value is not None:
                    givens[row, column] = value
                marks = list(map(_number, to_list(cell.get("givenPencilMarks"))))
                if wrong := [
                    mark for mark in marks if mark is None or not 1 <= mark <= self._board.size
                ]:
                    raise PuzzleError(
                        f"invalid pencil mark {wrong[0]}: the numbers are 1 to {self._board.size}"
                    )
                self._add(
                    [name] if marks else [],
                    [Function(predicate, (row, column, int(str(mark)))) for mark in marks],
                )
        return grid_of(self._board.size, givens)

    def _read_regions(self) -> None:
        """Read drawn regions, unless they are boxes; a grid without any retracts the box rule."""
        height, width = box_shape(self._board.size)
        drawn: dict[object, list[Cell]] = defaultdict(list)
        for (row, column), cell in self._cells():
            box = (row - 1) // height * height + (column - 1) // width
            region = cell.get("region", box)
            if region is not None and region != "":
                with _ErrorPlace(f"R{row}C{column}"):
                    drawn[_number(region)].append((row, column))
        self._even = len(drawn) == self._board.size == min(map(len, drawn.values()), default=0)
        if not drawn:
            self._without = ("box",)
        elif not self._are_boxes(list(drawn.values())):
            for region, cells in drawn.items():
                if len(cells) == self._board.size:
                    label = int(str(region)) + 1
                    self._add([], [Function(REGION[0], (*cell, label)) for cell in cells])
                else:
                    self._small_regions.append(Clue(cells=cells))
            if all(len(cells) != self._board.size for cells in drawn.values()):
                self._without = ("box",)

    def _are_boxes(self, regions: list[list[Cell]]) -> bool:
        """Whether the regions are boxes of one shape, which becomes the box shape of the puzzle."""
        size = self._board.size
        for height in (height for height in range(1, size + 1) if size % height == 0):
            box = height, size // height
            if sorted(regions) == sorted(Board(1, 1, size, size, box).boxes()):
                self._box = box
                return True
        return False

    def _read_key(self, kind: table.ConstraintKey) -> None:
        labels = count(1)
        entries = self._entries(kind.key)
        regions = self._small_regions if kind.key == table.SMALL_REGION else []
        times = len(entries) + len(regions)
        if not times or self._reports_as_undefined(kind.key, times):
            return
        for place, entry in enumerate(entries, 1):
            with _ErrorPlace(f"{kind.key} {place}"):
                self._note_keys(
                    f"{{}} of {kind.key}",
                    entry,
                    supported_keys(kind.shape) | table.ENTRY_COSMETIC.keys(),
                )
                self._read_clue(kind, read_entry(entry, kind.shape, self._board), labels)
        for clue in regions:
            self._read_clue(kind, clue, labels)

    def _read_clue(self, kind: table.ConstraintKey, clue: Clue, labels: Iterator[int]) -> None:
        stated: list[Function] = []
        try:
            for fact in kind.shape.read(clue, labels, self._board):
                stated.append(fact)  # noqa: PERF402 - the facts before an error count
        except UnsupportedError as what:
            self._unsupported[f"{kind.key}: {what}"] += 1
        names = {fact.name for fact in stated}
        fitting = [name for name in kind.elaborations if name.replace("-", "_") in names]
        if stated:
            self._add(fitting or kind.elaborations[:1], stated)

    def _reports_as_undefined(self, key: str, times: int = 1) -> bool:
        """Whether a key is not defined for this size or these regions; if so, it is reported."""
        undefined = ""
        if key in table.BY_THIRDS and self._board.size % 3:
            undefined = f"its meaning in a grid of {self._board.size} rows"
        if key in table.BY_REGION and not self._even:
            undefined = (
                f"its meaning without {self._board.size} regions of {self._board.size} cells"
            )
        if undefined:
            self._unsupported[f"{key}: {undefined}"] += times
        return bool(undefined)

    def _read_flags(self) -> None:
        for key, name in table.FLAGS.items():
            if _is_on(self._document, key) and not self._reports_as_undefined(key):
                self._elaborations.append(name)
        wanted = {key for key in table.DIAGONALS if _is_on(self._document, key)}
        others = table.DIAGONALS.keys() - wanted if wanted else ()
        if wanted:
            self._elaborations.append(table.DIAGONAL)
        self._facts += [
            Function("ab", (Function(table.DIAGONAL), Function(table.DIAGONALS[key])))
            for key in others
        ]

    def _read_negatives(self) -> None:
        for what in to_list(self._document.get("negative")):
            if str(what) in table.NEGATIVE_COSMETIC:
                continue
            if str(what) not in table.NEGATIVES:
                self._unsupported[f"negative: {str(what)[:30]!r}"] += 1
                continue
            if self._reports_as_undefined(str(what)):
                continue
            name, predicate, marks = table.NEGATIVES[str(what)]
            self._elaborations.append(name)
            values = dict.fromkeys(fact.arguments[-1] for fact in self._facts if fact.name == marks)
            self._facts += [Function(predicate, (value,)) for value in values]

    def _report_unknown_keys(self) -> None:
        known = (
            {kind.key for kind in table.CONSTRAINTS}
            | table.FLAGS.keys()
            | table.DIAGONALS.keys()
            | {"negative"}
            | table.BASIC
        )
        for key, value in self._document.items():
            if key in table.DRAWN:
                by_hand = [entry for entry in self._entries(key) if not self._is_explained(entry)]
                if by_hand:
                    self._unsupported[f"drawings that may represent a rule: {key}"] += len(by_hand)
            elif key not in known | table.COSMETIC.keys() and not is_blank(value):
                self._unsupported[repr(key[:30])] += 1

    def _is_explained(self, drawing: Object) -> bool:
        """Whether an editor added a drawing to show entries that exist under another key."""
        keys = [
            key
            for mark, drawn in table.DRAWN_FOR.items()
            if drawing.get(mark) is True
            for key in drawn
        ]
        name = drawing.get("fromConstraint")
        if isinstance(name, str):
            key = name.replace(" ", "").lower()
            keys.append(table.DRAWN_AS.get(key, key))
        return any(
            json_document.items(self._document.get(key)) for key in keys if key not in _NOT_DRAWN
        )

    def _entries(self, key: str) -> list[Object]:
        """The entries under a key, without empty placeholders."""
        with _ErrorPlace(key):
            entries = to_list(self._document.get(key))
            if not all(isinstance(entry, dict) for entry in entries):
                raise PuzzleError("an entry is not an object")
        return [entry for entry in entries if isinstance(entry, dict) and entry]


class _ErrorPlace:
    """Context manager that prefixes errors with a location in the document."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, PuzzleError):
            raise PuzzleError(f"{self._place}: {error}") from None


def _rows(document: Object) -> list[list[Object]]:
    rows = to_list(document.get("grid"))
    size = len(rows)
    stated = _number(document.get("size"))
    if not 1 <= size <= LARGEST_SIZE:
        raise PuzzleError(f"the grid has {size} rows; 1 to {LARGEST_SIZE} are allowed")
    if stated not in (None, size):
        raise PuzzleError(f"size is {stated}, but the grid has {size} rows")
    found: list[list[Object]] = []
    for row, cells in enumerate(rows, 1):
        with _ErrorPlace(f"row {row} of the grid"):
            line = [cell for cell in to_list(cells) if isinstance(cell, dict)]
            if len(line) != size or len(to_list(cells)) != size:
                raise PuzzleError(f"{len(line)} cells instead of {size}")
            found.append(line)
    return found


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
