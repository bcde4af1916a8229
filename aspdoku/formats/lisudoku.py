"""The JSON of lisudoku: `{"gridSize": 9, "fixedNumbers": …, "thermos": …}`, counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count

from aspdoku.errors import PuzzleError
from aspdoku.formats import ipuz, json_document
from aspdoku.formats.base import Format, errors_at
from aspdoku.formats.boards import DIAGONAL, diagonals
from aspdoku.formats.json_document import DocumentReader, Object, is_blank, number_of
from aspdoku.formats.shapes import Clue, SquareGrid, shape_of
from aspdoku.puzzle.puzzle import GIVEN, REGION, Cell, Puzzle, grid_of
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import quote

SIZE, GIVENS = "gridSize", "fixedNumbers"
# The rule of each key: of cells, of lines, of sets of cells, and of each kind of dots.
CELLS = {"evenCells": "even", "oddCells": "odd"}
LINES = {"thermos": "thermo", "palindromes": "palindrome", "renbans": "renban"}
SETS = {"regions": REGION[0], "extraRegions": "extra-region"}
CAGES = {"killerCages": "killer"}
DOTS = {"Consecutive": "white-dots", "Double": "black-dots"}
CLUES = {*CELLS, *LINES, *SETS, *CAGES, "kropkiDots"}
DIAGONALS = {"primaryDiagonal": "down", "secondaryDiagonal": "up"}
FLAGS = {
    "antiKnight": ("anti-knight",),
    "antiKing": ("anti-king",),
    "kropkiNegative": ("negative-white-dots", "negative-black-dots"),
    "topBottom": ("top-bottom",),
    **dict.fromkeys(DIAGONALS, (DIAGONAL,)),
}


def fits(text: str) -> bool:
    """Whether the text is a JSON object that mentions gridSize."""
    return json_document.looks_like_object(text) and f'"{SIZE}"' in text and not ipuz.fits(text)


class _DocumentReader(DocumentReader):
    def __init__(self, document: Object) -> None:
        super().__init__()
        with errors_at(SIZE):
            self._size = number_of(document.get(SIZE), 2, 35)
        self._stated = {key: value for key, value in document.items() if not is_blank(value)}

    def puzzle(self) -> Puzzle:
        on = [key for key, value in self._stated.items() if key in FLAGS and value is True]
        self._add((rule for key in on for rule in FLAGS[key]), ())
        self._add(*diagonals(way for key, way in DIAGONALS.items() if key in on))
        for key, value in self._stated.items():
            with errors_at(key):
                if key in CLUES:
                    self._read_clues(key, value)
                elif key == GIVENS:
                    self._add((), map(self._given, _list(value)))
                elif key not in (SIZE, *on):
                    self._unsupported[quote(key)] += 1
        return self._puzzle(grid_of(self._size, {}))

    def _given(self, value: object) -> Function:
        given = _object(value, "position", "value")
        cell, number = self._cell(given["position"]), number_of(given["value"], 1, self._size)
        return Function(GIVEN[0], (*cell, number))

    def _read_clues(self, key: str, value: object) -> None:
        labels, grid = count(1), SquareGrid(self._size)
        for rule, clue in self._clues(key, value):
            with self._reporting(key):
                facts = list(shape_of(rule).read(clue, labels, grid))
                self._add([rule] if rule != REGION[0] else [], facts)

    def _clues(self, key: str, value: object) -> Iterator[tuple[str, Clue]]:
        if key in CELLS:
            yield CELLS[key], Clue(cells=self._cells(value))
            return
        for each in _list(value):
            if key in LINES:
                yield LINES[key], Clue(lines=[self._cells(each)])
            elif key in SETS:
                yield SETS[key], Clue(cells=self._cells(each))
            elif key in CAGES:
                cage = _object(each, "region", optional="sum")
                total = cage.get("sum")
                value = None if is_blank(total) else number_of(total, 1, 100_000)
                yield CAGES[key], Clue(cells=self._cells(cage["region"]), value=value)
            else:
                yield self._dot(_object(each, "cell1", "cell2", "dotType"))

    def _dot(self, dot: Mapping[str, object]) -> tuple[str, Clue]:
        rule = DOTS.get(str(dot["dotType"]))
        if not rule:
            raise PuzzleError(f"unknown dotType {quote(str(dot['dotType']))}")
        one, other = self._cell(dot["cell1"]), self._cell(dot["cell2"])
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
            raise PuzzleError(f"no common side of r{one[0]}c{one[1]} and r{other[0]}c{other[1]}")
        return rule, Clue(cells=(one, other))

    def _cell(self, value: object) -> Cell:
        place = _object(value, "row", "col")
        row, column = (number_of(place[key], 0, self._size - 1) for key in ("row", "col"))
        return row + 1, column + 1

    def _cells(self, value: object) -> list[Cell]:
        return list(map(self._cell, _list(value)))


def _object(value: object, *keys: str, optional: str = "") -> Mapping[str, object]:
    """An object with these keys, of which an optional one may be missing."""
    if not isinstance(value, dict) or not {*keys} <= value.keys() <= {*keys, optional}:
        expected = " and ".join(sorted(filter(None, (*keys, optional))))
        raise PuzzleError(f"expected an object with {expected}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or not value:
        raise PuzzleError("expected a list that is not empty")
    return value


FORMAT = Format(
    "lisudoku",
    "the JSON of lisudoku",
    fits,
    partial(json_document.puzzle_of, read=lambda document: _DocumentReader(document).puzzle()),
)
