"""The formats of JSON documents and URLs of f-puzzles and SudokuPad."""

from __future__ import annotations

import json

from aspdoku.formats import fpuzzles, json_document, json_lists, urls
from aspdoku.formats.base import Format
from aspdoku.formats.sudokupad import writer as sudokupad
from aspdoku.puzzle.puzzle import Puzzle


def fits_sudokupad(text: str) -> bool:
    """Whether the text is a JSON object that mentions cells but no grid."""
    return (
        json_document.looks_like_object(text)
        and '"cells"' in text
        and '"grid"' not in text
        and not _is_listed(text)
    )


def fits_fpuzzles(text: str) -> bool:
    """Whether the text is any other JSON object, except those of `json_lists`.

    The reader reports what is wrong with it.
    """
    return (
        json_document.looks_like_object(text) and not fits_sudokupad(text) and not _is_listed(text)
    )


def _is_listed(text: str) -> bool:
    return any(key in text for key in json_lists.KEYS)


def read(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of a document. Raises PuzzleError."""
    return [urls.puzzle_from_document(json_document.load(text, name), name)]


def _dumps(found: json_document.Object, rows: str) -> str:
    """A document as text, with one line per row of the grid."""
    drawn = ",\n".join(
        json.dumps(row, ensure_ascii=False) for row in json_document.items(found[rows])
    )
    rest = (
        f",\n{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in found.items()
        if key != rows
    )
    return f'{{"{rows}": [\n{drawn}]{"".join(rest)}}}\n'


def write_fpuzzles(puzzle: Puzzle) -> str:
    """The puzzle as an f-puzzles document. Raises PuzzleError."""
    return _dumps(fpuzzles.write(puzzle), "grid")


def write_sudokupad(puzzle: Puzzle) -> str:
    """The puzzle as a SudokuPad document. Raises PuzzleError."""
    return _dumps(sudokupad.write(puzzle), "cells")


FPUZZLES = Format(
    "fpuzzles",
    "the JSON of f-puzzles",
    fits_fpuzzles,
    read,
    write_fpuzzles,
    suffixes=(".json",),
    has_title=True,
    allows_long=True,
)
SUDOKUPAD = Format(
    "sudokupad",
    "the JSON of SudokuPad",
    fits_sudokupad,
    read,
    write_sudokupad,
    has_title=True,
    allows_long=True,
)
ADDRESS = Format(
    "address",
    "URLs of f-puzzles or SudokuPad that contain the puzzle, one per line",
    urls.fits,
    urls.read,
    urls.write,
    suffixes=(".url",),
    multiple=True,
    allows_long=True,
    has_title=True,
)
