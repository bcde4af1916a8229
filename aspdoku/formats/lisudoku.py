"""The JSON of lisudoku: `{"gridSize": 9, "fixedNumbers": …, "thermos": …}`, counted from 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from aspdoku.errors import PuzzleError
from aspdoku.formats import ipuz, json_document
from aspdoku.formats.base import Format, UnsupportedError
from aspdoku.formats.shapes import require_distinct
from aspdoku.puzzle.puzzle import GIVEN, REGION, Cell, Puzzle
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import quote

SIZE = "gridSize"
DOTS = {"Consecutive": ("white_dot", 1), "Double": ("black_dot", 2)}
# The predicate of each key with cells, with cells on lines, or in sets of cells.
CELLS = {"evenCells": "even", "oddCells": "odd"}
LINES = {"thermos": "thermo", "palindromes": "palindrome", "renbans": "renban"}
SETS = {"regions": REGION[0], "extraRegions": "extra_region"}
# The rules for the facts of a predicate, by predicate; regions need none.
RULES = {
    **{name: name for name in chain(CELLS.values(), LINES.values())},
    **{"extra_region": "extra-region", "cage": "killer"},
    **{"white_dot": "white-dots", "black_dot": "black-dots"},
}
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
    unsupported: list[str] = []
    for key, value in stated.items():
        try:
            if key in READERS:
                facts += list(READERS[key](key, value, size))
            elif key in FLAGS and value is True:
                rules += FLAGS[key]
            elif key in DIAGONALS and value is True:
                rules.append(DIAGONAL)
            elif key != SIZE:
                unsupported.append(quote(key))
        except UnsupportedError as what:
            unsupported.append(f"{key}: {what}")
        except PuzzleError as error:
            raise PuzzleError(f"{key}: {error}", name) from None
    if DIAGONAL in rules:
        facts += [
            Function("ab", (Function(DIAGONAL), Function(way)))
            for key, way in DIAGONALS.items()
            if stated.get(key) is not True
        ]
    rules += [RULES[fact.name] for fact in facts if fact.name in RULES]
    givens = _givens([fact for fact in facts if fact.signature == GIVEN], name)
    span = range(1, size + 1)
    return [
        Puzzle(
            tuple(tuple(givens.get((row, column)) for column in span) for row in span),
            facts=tuple(fact for fact in facts if fact.signature != GIVEN),
            elaborations=tuple(dict.fromkeys(rules)),
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


def _set(value: object, size: int) -> list[Cell]:
    """Cells, none of them twice. Raises UnsupportedError."""
    found = _cells(value, size)
    require_distinct(found)
    return found


def _read_numbers(_: str, value: object, size: int) -> Iterator[Function]:
    for each in _list(value):
        given = _object(each, {"position", "value"})
        cell = _cell(given["position"], size)
        yield Function(GIVEN[0], (*cell, _number(given["value"], 1, size)))


def _read_cells(key: str, value: object, size: int) -> Iterator[Function]:
    return (Function(CELLS[key], cell) for cell in _set(value, size))


def _read_lines(key: str, value: object, size: int) -> Iterator[Function]:
    for label, line in enumerate(_list(value), 1):
        for place, cell in enumerate(_cells(line, size), 1):
            yield Function(LINES[key], (label, place, *cell))


def _read_sets(key: str, value: object, size: int) -> Iterator[Function]:
    for label, region in enumerate(_list(value), 1):
        yield from (Function(SETS[key], (*cell, label)) for cell in _set(region, size))


def _read_cages(_: str, value: object, size: int) -> Iterator[Function]:
    for label, each in enumerate(_list(value), 1):
        cage = _object(each, {"region", "sum"})
        yield from (Function("cage", (*cell, label)) for cell in _set(cage["region"], size))
        if not json_document.is_blank(cage.get("sum")):
            yield Function("cage_value", (label, _number(cage["sum"], 1, 100_000)))


def _read_dots(_: str, value: object, size: int) -> Iterator[Function]:
    for each in _list(value):
        dot = _object(each, {"cell1", "cell2", "dotType"})
        if str(dot["dotType"]) not in DOTS:
            raise PuzzleError(f"unknown dotType {quote(str(dot['dotType']))}")
        name, by = DOTS[str(dot["dotType"])]
        one, other = _cell(dot["cell1"], size), _cell(dot["cell2"], size)
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
            raise PuzzleError(f"no common side of r{one[0]}c{one[1]} and r{other[0]}c{other[1]}")
        yield Function(name, (*one, *other, by))


READERS: dict[str, Callable[[str, object, int], Iterator[Function]]] = {
    "fixedNumbers": _read_numbers,
    **dict.fromkeys(CELLS, _read_cells),
    **dict.fromkeys(LINES, _read_lines),
    **dict.fromkeys(SETS, _read_sets),
    "killerCages": _read_cages,
    "kropkiDots": _read_dots,
}
FORMAT = Format("lisudoku", "the JSON of lisudoku", fits, read)
