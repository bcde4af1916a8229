"""Two puzzles as JSON: `{"values": …, "less_than": [[r, c, r1, c1], …]}` and `{"n": …, "streams": …, "givens": [[r, c, n], …]}`.

The first is a Futoshiki, in which the first cell of each four numbers holds the smaller number; the second is a Strimko.
"""

from __future__ import annotations

import json
from typing import Any

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.elsewhere import strimko
from aspdoku.puzzle.formats.elsewhere.outside import LARGEST, Format, puzzle_of, refuse, squared
from aspdoku.puzzle.formats.elsewhere.table import FUTOSHIKI
from aspdoku.puzzle.puzzle import GIVEN, Puzzle
from aspdoku.puzzle.term import Function

SIGN = FUTOSHIKI.predicates[0][0]


def fits_less_than(text: str) -> bool:
    """Whether the text is a JSON object with values and less_than."""
    return "less_than" in text and {"values", "less_than"} <= _document(text).keys()


def read_less_than(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    document = _document(text)
    rows = document.get("values")
    size = len(rows) if isinstance(rows, list) else 0
    numbers = [_number(each, size, name, empty=True) for row in _rows(rows, size, name) for each in row]
    signs = document.get("less_than")
    if not isinstance(signs, list):
        raise PuzzleError("less_than has to be a list of r, c, r1, c1: the first cell holds less than the second", name)
    facts = [
        Function(SIGN, (row_1, column_1, row, column))
        for row, column, row_1, column_1 in ([_number(each, size, name) for each in _of(sign, 4, name)] for sign in signs)
    ]
    return [puzzle_of(FUTOSHIKI, squared([each or None for each in numbers]), facts)]


def write_less_than(puzzle: Puzzle) -> str:
    """The puzzle as JSON. Raises PuzzleError."""
    refuse(puzzle, FUTOSHIKI, LESS_THAN.name, least=2)
    values = [[number or 0 for number in row] for row in puzzle.grid]
    signs = [[*fact.arguments[2:], *fact.arguments[:2]] for fact in puzzle.facts]
    for sign in signs:
        if not all(isinstance(each, int) and 1 <= each <= puzzle.size for each in sign):
            raise PuzzleError(f"the format {LESS_THAN.name} cannot carry a sign that is not between cells of the grid")
    return json.dumps({"values": values, "less_than": signs}) + "\n"


def fits_streams(text: str) -> bool:
    """Whether the text is a JSON object with n, streams and givens."""
    return "streams" in text and {"n", "streams", "givens"} <= _document(text).keys()


def read_streams(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text. Raises PuzzleError."""
    document = _document(text)
    size = _number(document.get("n"), LARGEST, name)
    labels = [str(_number(each, size, name)) for row in _rows(document.get("streams"), size, name) for each in row]
    givens = document.get("givens")
    if not isinstance(givens, list):
        raise PuzzleError("givens has to be a list of row, column and number", name)
    facts = [Function(GIVEN[0], tuple(_number(each, size, name) for each in _of(given, 3, name))) for given in givens]
    puzzle = strimko.strimko(labels, squared([None] * (size * size)), name)
    return [puzzle.but(facts=(*puzzle.facts, *facts))]


def write_streams(puzzle: Puzzle) -> str:
    """The puzzle as JSON. Raises PuzzleError."""
    labels, size = list(map(int, strimko.labels_of(puzzle, STREAMS.name))), puzzle.size
    streams = [labels[start : start + size] for start in range(0, size * size, size)]
    givens = [[row, column, number] for (row, column), number in puzzle.givens().items()]
    return json.dumps({"n": size, "streams": streams, "givens": givens}) + "\n"


def _document(text: str) -> dict[str, Any]:
    """The object that the text is, empty where it is none."""
    try:
        document = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _rows(rows: object, size: int, name: str) -> list[list[object]]:
    if not isinstance(rows, list) or len(rows) != size or not 1 < size <= LARGEST:
        raise PuzzleError(f"a grid is a list of 2 to {LARGEST} rows with as many cells each", name)
    return [_of(row, size, name) for row in rows]


def _of(items: object, length: int, name: str) -> list[object]:
    if not isinstance(items, list) or len(items) != length:
        raise PuzzleError(f"{str(items)[:30]!r} is not a list of {length} numbers", name)
    return items


def _number(item: object, largest: int, name: str, empty: bool = False) -> int:
    """The number; 0 and null are one where cells may be empty."""
    if empty and item is None:
        return 0
    if not isinstance(item, int) or isinstance(item, bool) or not (0 if empty else 1) <= item <= largest:
        raise PuzzleError(f"{str(item)[:30]!r} is not a number from 1 to {largest}", name)
    return item


LESS_THAN = Format("less-than", "a Futoshiki as JSON: values, less_than", fits_less_than, read_less_than, write_less_than)
STREAMS = Format("streams", "a Strimko as JSON: n, streams, givens", fits_streams, read_streams, write_streams)
