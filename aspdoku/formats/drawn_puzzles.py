"""Puzzles with their drawings: in a URL or a document of SudokuPad or f-puzzles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document, urls
from aspdoku.formats.base import read_urls
from aspdoku.formats.boards import Board
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.drawn.sketches import Sketch
from aspdoku.formats.shapes import as_cell, by_last
from aspdoku.puzzle.puzzle import REGION, Cell, Puzzle


@dataclass(frozen=True)
class DrawnPuzzle:
    """A puzzle with its drawing.

    puzzle: what is stated in another way than by a drawing: givens, regions, texts, solution
    unread: descriptions of drawings that are no element
    without_meaning: descriptions of those that show nothing: white on white, a background, a grid
    """

    puzzle: Puzzle
    elements: tuple[Element, ...] = ()
    unread: tuple[str, ...] = ()
    without_meaning: tuple[str, ...] = ()


def read(text: str, name: str = "") -> DrawnPuzzle:
    """The puzzle and its drawing in a URL or a document of SudokuPad or f-puzzles.

    Raises PuzzleError for a text that contains none, or several.
    """
    if json_document.looks_like_object(text):
        return of_document(json_document.load(text, name), name)
    found = read_urls(text, name, urls.content)
    if len(found) != 1:
        raise PuzzleError(f"{len(found)} URLs, where one puzzle is expected", name)
    content = found[0]
    return DrawnPuzzle(content) if isinstance(content, Puzzle) else of_document(content, name)


def of_document(document: json_document.Object, name: str = "") -> DrawnPuzzle:
    """The puzzle and its drawing in a document. Raises PuzzleError."""
    return drawn(document, urls.puzzle_from_document(document, name))


def drawn(document: json_document.Object, puzzle: Puzzle) -> DrawnPuzzle:
    """The puzzle that was read from a document, with its drawing. Raises PuzzleError."""
    sketch = Sketch(document, puzzle.size, _regions(puzzle))
    return DrawnPuzzle(puzzle, sketch.elements, sketch.unread, sketch.without_meaning)


def _regions(puzzle: Puzzle) -> Iterable[list[Cell]]:
    if puzzle.box and "box" not in puzzle.without:
        return Board(1, 1, puzzle.size, puzzle.size, puzzle.box).boxes()
    regions = by_last(fact.arguments for fact in puzzle.facts if fact.signature == REGION)
    return [list(map(as_cell, cells)) for cells in regions.values()]
