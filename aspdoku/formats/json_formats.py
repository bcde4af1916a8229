"""The JSON formats of f-puzzles and SudokuPad, their URLs, and two for Futoshiki and Strimko.

Futoshiki: `{"values": …, "less_than": [[r, c, r1, c1], …]}`, the first cell having the smaller
number. Strimko: `{"n": …, "streams": …, "givens": [[r, c, n], …]}`.
"""

from __future__ import annotations

import json
from functools import partial

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
    errors_at,
    puzzle_with,
    to_rows,
)
from aspdoku.formats.json_document import number_of, unread_keys
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


_read = partial(json_document.puzzle_of, read=lambda document: worded.of_document(document).puzzle)
_read_plain = partial(json_document.puzzle_of, read=urls.puzzle_from_document)

FPUZZLES = Format(
    "fpuzzles",
    "the JSON of f-puzzles",
    _fits_fpuzzles,
    _read,
    lambda puzzle: json_document.dumps(fpuzzles.write(puzzle), "grid"),
    sizes=range(1, LARGEST_SIZE + 1),
    suffixes=(".json",),
    texts=ALL_TEXTS,
    plain=_read_plain,
)
SUDOKUPAD = Format(
    "sudokupad",
    "the JSON of SudokuPad",
    _fits_sudokupad,
    _read,
    lambda puzzle: json_document.dumps(sudokupad.write(puzzle), "cells"),
    sizes=range(1, LARGEST_SIZE + 1),
    texts=ALL_TEXTS,
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
    texts=ALL_TEXTS,
    stated=urls.stated,
    plain=urls.read,
)


KEYS = ('"less_than"', '"streams"')
SIGN = FUTOSHIKI.predicates[0][0]
_SIGNS = "[r, c, r1, c1], the first cell having the smaller number"


def _read_less_than(document: json_document.Object) -> Puzzle:
    size = len(json_document.items(document.get("values")))
    numbers = _square(document, "values", size, least=0)
    cells = _lists(document, "less_than", _SIGNS, size)
    facts = [Function(SIGN, (*each[2:], *each[:2])) for each in cells]
    puzzle = puzzle_with(FUTOSHIKI, to_rows([each or None for each in numbers]), facts)
    return puzzle.replace(unsupported=tuple(unread_keys(document, {"values", "less_than"})))


def _write_less_than(puzzle: Puzzle) -> str:
    values = [[number or 0 for number in row] for row in puzzle.grid]
    signs = [[*fact.arguments[2:], *fact.arguments[:2]] for fact in puzzle.facts]
    if not all(isinstance(each, int) for sign in signs for each in sign):
        raise UnsupportedError("a sign that is not between cells")
    return json.dumps({"values": values, "less_than": signs}) + "\n"


def _mentions(text: str, key: str) -> bool:
    return json_document.looks_like_object(text) and key in text and not ipuz.fits(text)


def _read_streams(document: json_document.Object) -> Puzzle:
    with errors_at("n"):
        size = number_of(document.get("n"), 2, LARGEST)
    labels = list(map(str, _square(document, "streams", size)))
    givens = _lists(document, "givens", "[row, column, number]", size)
    puzzle = partitioned(STRIMKO, labels, to_rows([None] * (size * size)), "")
    facts = (*puzzle.facts, *(Function(GIVEN[0], each) for each in givens))
    unread = tuple(unread_keys(document, {"n", "streams", "givens"}))
    return puzzle.replace(facts=facts, unsupported=unread)


def _write_streams(puzzle: Puzzle) -> str:
    streams = to_rows(list(map(int, chain_labels(puzzle))))
    givens = [[row, column, number] for (row, column), number in puzzle.givens().items()]
    return json.dumps({"n": puzzle.size, "streams": streams, "givens": givens}) + "\n"


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
    partial(json_document.puzzle_of, read=_read_less_than),
    _write_less_than,
    kinds=(FUTOSHIKI,),
    sizes=range(2, LARGEST + 1),
)
STREAMS = Format(
    "streams",
    "a Strimko as JSON: n, streams, givens",
    lambda text: _mentions(text, KEYS[1]) and KEYS[0] not in text,
    partial(json_document.puzzle_of, read=_read_streams),
    _write_streams,
    kinds=(STRIMKO,),
    sizes=STRIMKO_SIZES,
)
