"""The JSON of lisudoku: `{"gridSize": 9, "fixedNumbers": …, "thermos": …}`, counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from aspdoku.errors import PuzzleError
from aspdoku.formats import ipuz, json_document
from aspdoku.formats.base import Format, UnsupportedError
from aspdoku.formats.shapes import Clue, SquareGrid, shape_of
from aspdoku.puzzle.puzzle import GIVEN, REGION, Cell, Puzzle, grid_of
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import quote

SIZE = "gridSize"
# The rule of each key: of cells, of lines, of sets of cells, and of each kind of dots.
CELLS = {"evenCells": "even", "oddCells": "odd"}
LINES = {"thermos": "thermo", "palindromes": "palindrome", "renbans": "renban"}
SETS = {"regions": REGION[0], "extraRegions": "extra-region"}
CAGES = {"killerCages": "killer"}
DOTS = {"Consecutive": "white-dots", "Double": "black-dots"}
CLUES = {*CELLS, *LINES, *SETS, *CAGES, "kropkiDots"}
FLAGS = {
    "antiKnight": ("anti-knight",),
    "antiKing": ("anti-king",),
    "kropkiNegative": ("negative-white-dots", "negative-black-dots"),
    "topBottom": ("top-bottom",),
}
# The rule covers both diagonals, so each one that is missing becomes an exception.
DIAGONALS = {"primaryDiagonal": "down", "secondaryDiagonal": "up"}
DIAGONAL = "diagonal"


def fits(text: str) -> bool:
    """Whether the text is a JSON object that mentions gridSize."""
    return json_document.looks_like_object(text) and f'"{SIZE}"' in text and not ipuz.fits(text)


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text; keys without a known meaning are reported. Raises PuzzleError."""
    document = json_document.load(text, name)
    size = document.get(SIZE)
    if not isinstance(size, int) or isinstance(size, bool) or not 2 <= size <= 35:
        raise PuzzleError(f"{SIZE} must be a number from 2 to 35, not {quote(str(size))}", name)
    stated = {key: value for key, value in document.items() if not json_document.is_blank(value)}
    facts: list[Function] = []
    rules: list[str] = []
    of_clues: list[str] = []
    unsupported: list[str] = []
    for key, value in stated.items():
        try:
            if key == "fixedNumbers":
                facts += _numbers(value, size)
            elif key in CLUES:
                labels, grid = count(1), SquareGrid(size)
                for rule, clue in _clues(key, value, size):
                    try:
                        facts += list(shape_of(rule).read(clue, labels, grid))
                    except UnsupportedError as what:
                        unsupported.append(f"{key}: {what}")
                    else:
                        of_clues += [rule] if rule != REGION[0] else []
            elif key in FLAGS and value is True:
                rules += FLAGS[key]
            elif key in DIAGONALS and value is True:
                rules.append(DIAGONAL)
            elif key != SIZE:
                unsupported.append(quote(key))
        except PuzzleError as error:
            raise PuzzleError(f"{key}: {error}", name) from None
    if DIAGONAL in rules:
        facts += [
            Function("ab", (Function(DIAGONAL), Function(way)))
            for key, way in DIAGONALS.items()
            if stated.get(key) is not True
        ]
    givens = _givens([fact for fact in facts if fact.signature == GIVEN], name)
    return [
        Puzzle(
            grid_of(size, givens),
            facts=tuple(fact for fact in facts if fact.signature != GIVEN),
            elaborations=tuple(dict.fromkeys([*rules, *of_clues])),
            unsupported=tuple(unsupported),
        )
    ]


def _givens(facts: list[Function], name: str) -> dict[Cell, int]:
    givens: dict[Cell, int] = {}
    for fact in facts:
        row, column, number = (int(str(term)) for term in fact.arguments)
        if givens.setdefault((row, column), number) != number:
            raise PuzzleError(f"two numbers in r{row}c{column}", name)
    return givens


def _object(value: object, keys: set[str]) -> Mapping[str, object]:
    """An object with these keys; `sum` may be missing."""
    if not isinstance(value, dict) or not keys - {"sum"} <= value.keys() <= keys:
        raise PuzzleError(f"expected an object with {' and '.join(sorted(keys))}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or not value:
        raise PuzzleError("expected a list that is not empty")
    return value


def _number(value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise PuzzleError(f"expected a number from {least} to {most}, not {quote(str(value))}")
    return value


def _cell(value: object, size: int) -> Cell:
    place = _object(value, {"row", "col"})
    return _number(place["row"], 0, size - 1) + 1, _number(place["col"], 0, size - 1) + 1


def _cells(value: object, size: int) -> list[Cell]:
    return [_cell(each, size) for each in _list(value)]


def _numbers(value: object, size: int) -> Iterator[Function]:
    for each in _list(value):
        given = _object(each, {"position", "value"})
        cell = _cell(given["position"], size)
        yield Function(GIVEN[0], (*cell, _number(given["value"], 1, size)))


def _clues(key: str, value: object, size: int) -> Iterator[tuple[str, Clue]]:
    """The clues of a key, each with its rule."""
    if key in CELLS:
        yield CELLS[key], Clue(cells=_cells(value, size))
        return
    for each in _list(value):
        if key in LINES:
            yield LINES[key], Clue(lines=[_cells(each, size)])
        elif key in SETS:
            yield SETS[key], Clue(cells=_cells(each, size))
        elif key in CAGES:
            cage = _object(each, {"region", "sum"})
            has_sum = not json_document.is_blank(cage.get("sum"))
            total = _number(cage["sum"], 1, 100_000) if has_sum else None
            yield CAGES[key], Clue(cells=_cells(cage["region"], size), value=total)
        else:
            yield _dot(_object(each, {"cell1", "cell2", "dotType"}), size)


def _dot(dot: Mapping[str, object], size: int) -> tuple[str, Clue]:
    rule = DOTS.get(str(dot["dotType"]))
    if not rule:
        raise PuzzleError(f"unknown dotType {quote(str(dot['dotType']))}")
    one, other = _cell(dot["cell1"], size), _cell(dot["cell2"], size)
    if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
        raise PuzzleError(f"no common side of r{one[0]}c{one[1]} and r{other[0]}c{other[1]}")
    return rule, Clue(cells=(one, other))


FORMAT = Format("lisudoku", "the JSON of lisudoku", fits, read)
