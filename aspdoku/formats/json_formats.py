"""The JSON formats of f-puzzles and SudokuPad, their URLs, and two for Futoshiki and Strimko.

Futoshiki: `{"values": …, "less_than": [[r, c, r1, c1], …]}`, the first cell having the smaller
number. Strimko: `{"n": …, "streams": …, "givens": [[r, c, n], …]}`.
"""

from __future__ import annotations

import json

from aspdoku.errors import PuzzleError
from aspdoku.formats import (
    fpuzzles,
    ipuz,
    json_document,
    lisudoku,
    matrices,
    sudokupad,
    urls,
    worded,
)
from aspdoku.formats.base import (
    ALL_TEXTS,
    FUTOSHIKI,
    LARGEST,
    STRIMKO,
    Format,
    UnsupportedError,
    puzzle_with,
    to_rows,
)
from aspdoku.formats.json_document import errors_at, number_of
from aspdoku.formats.partitions import STRIMKO_SIZES, chain_labels, partitioned
from aspdoku.puzzle.puzzle import GIVEN, LARGEST_SIZE, Puzzle
from aspdoku.puzzle.term import Function


def _fits_sudokupad(text: str) -> bool:
    mentioned = '"cells"' in text and '"grid"' not in text
    return mentioned and json_document.looks_like_object(text) and not _is_listed(text)


def _fits_fpuzzles(text: str) -> bool:
    """Whether the text is JSON in none of the other formats; the reader reports errors."""
    like = json_document.is_other_value(text) or json_document.looks_like_object(text)
    return like and not _fits_sudokupad(text) and not _is_listed(text)


def _is_listed(text: str) -> bool:
    others = (lisudoku, ipuz, matrices)
    return any(key in text for key in KEYS) or any(each.fits(text) for each in others)


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of a document. Raises PuzzleError."""
    return [worded.of_document(json_document.load(text, name), name).puzzle]


def _read_plain(text: str, name: str) -> list[Puzzle]:
    return [urls.puzzle_from_document(json_document.load(text, name), name)]


def _dumps(found: json_document.Object, rows: str) -> str:
    drawn = ",\n".join(
        json.dumps(row, ensure_ascii=False) for row in json_document.items(found[rows])
    )
    rest = (
        f",\n{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in found.items()
        if key != rows
    )
    return f'{{"{rows}": [\n{drawn}]{"".join(rest)}}}\n'


FPUZZLES = Format(
    "fpuzzles",
    "the JSON of f-puzzles",
    _fits_fpuzzles,
    read,
    lambda puzzle: _dumps(fpuzzles.write(puzzle), "grid"),
    sizes=range(1, LARGEST_SIZE + 1),
    suffixes=(".json",),
    texts=ALL_TEXTS,
    allows_long=True,
    plain=_read_plain,
)
SUDOKUPAD = Format(
    "sudokupad",
    "the JSON of SudokuPad",
    _fits_sudokupad,
    read,
    lambda puzzle: _dumps(sudokupad.write(puzzle), "cells"),
    sizes=range(1, LARGEST_SIZE + 1),
    texts=ALL_TEXTS,
    allows_long=True,
    stated=sudokupad.stated,
    plain=_read_plain,
)
ADDRESS = Format(
    "address",
    "URLs of f-puzzles or SudokuPad that contain the puzzle, one per line",
    urls.fits,
    worded.puzzles,
    urls.write,
    sizes=range(1, LARGEST_SIZE + 1),
    suffixes=(".url",),
    multiple=True,
    allows_long=True,
    texts=ALL_TEXTS,
    stated=urls.stated,
    plain=urls.read,
)


KEYS = ('"less_than"', '"streams"')
SIGN = FUTOSHIKI.predicates[0][0]
_SIGNS = "[r, c, r1, c1], the first cell having the smaller number"


def _read_less_than(text: str, name: str) -> list[Puzzle]:
    document = json_document.load(text, name)
    with errors_at(name):
        size = len(json_document.items(document.get("values")))
        numbers = _square(document, "values", size, least=0)
        cells = _lists(document, "less_than", _SIGNS, size)
        facts = [Function(SIGN, (*each[2:], *each[:2])) for each in cells]
        puzzle = puzzle_with(FUTOSHIKI, to_rows([each or None for each in numbers]), facts)
        return [puzzle.replace(unsupported=_unread(document, {"values", "less_than"}))]


def _write_less_than(puzzle: Puzzle) -> str:
    values = [[number or 0 for number in row] for row in puzzle.grid]
    signs = [[*fact.arguments[2:], *fact.arguments[:2]] for fact in puzzle.facts]
    if not all(isinstance(each, int) for sign in signs for each in sign):
        raise UnsupportedError("a sign that is not between cells")
    return json.dumps({"values": values, "less_than": signs}) + "\n"


def _mentions(text: str, key: str) -> bool:
    return json_document.looks_like_object(text) and key in text and not ipuz.fits(text)


def _read_streams(text: str, name: str) -> list[Puzzle]:
    document = json_document.load(text, name)
    with errors_at(name):
        with errors_at("n"):
            size = number_of(document.get("n"), 2, LARGEST)
        labels = list(map(str, _square(document, "streams", size)))
        givens = _lists(document, "givens", "[row, column, number]", size)
    puzzle = partitioned(STRIMKO, labels, to_rows([None] * (size * size)), name)
    facts = (*puzzle.facts, *(Function(GIVEN[0], each) for each in givens))
    unread = _unread(document, {"n", "streams", "givens"})
    return [puzzle.replace(facts=facts, unsupported=unread)]


def _write_streams(puzzle: Puzzle) -> str:
    labels, size = list(map(int, chain_labels(puzzle))), puzzle.size
    streams = [labels[start : start + size] for start in range(0, size * size, size)]
    givens = [[row, column, number] for (row, column), number in puzzle.givens().items()]
    return json.dumps({"n": size, "streams": streams, "givens": givens}) + "\n"


def _unread(document: json_document.Object, known: set[str]) -> tuple[str, ...]:
    """The unknown keys that have a value; zero is a value."""
    return tuple(
        repr(key[:30])
        for key, value in document.items()
        if key not in known and not json_document.is_blank(value)
    )


def _square(document: json_document.Object, key: str, size: int, least: int = 1) -> list[int]:
    """The numbers in the cells of a grid; null is a number in cells that may have 0."""
    rows = document.get(key)
    if not isinstance(rows, list) or len(rows) != size or not 1 < size <= LARGEST:
        raise PuzzleError(
            f"a grid must be a list of 2 to {LARGEST} rows with as many cells each", key
        )
    lines = (_numbers(row, size, size, least, f"{key} {at}") for at, row in enumerate(rows, 1))
    return [number for line in lines for number in line]


def _lists(document: json_document.Object, key: str, form: str, size: int) -> list[tuple[int, ...]]:
    entries = document.get(key)
    if not isinstance(entries, list):
        raise PuzzleError(f"expected a list of {form}", key)
    length = form.partition("]")[0].count(",") + 1
    return [
        _numbers(entry, length, size, 1, f"{key} {place}") for place, entry in enumerate(entries, 1)
    ]


def _numbers(items: object, length: int, size: int, least: int, where: str) -> tuple[int, ...]:
    if not isinstance(items, list) or len(items) != length:
        raise PuzzleError(f"{str(items)[:30]!r} is not a list of {length} numbers", where)
    with errors_at(where):
        return tuple(number_of(0 if each is None else each, least, size) for each in items)


LESS_THAN = Format(
    "less-than",
    "a Futoshiki as JSON: values, less_than",
    lambda text: _mentions(text, KEYS[0]),
    _read_less_than,
    _write_less_than,
    kinds=(FUTOSHIKI,),
    sizes=range(2, LARGEST + 1),
    allows_long=True,
)
STREAMS = Format(
    "streams",
    "a Strimko as JSON: n, streams, givens",
    lambda text: _mentions(text, KEYS[1]) and KEYS[0] not in text,
    _read_streams,
    _write_streams,
    kinds=(STRIMKO,),
    sizes=STRIMKO_SIZES,
    allows_long=True,
)
