"""Drawings of SudokuPad and f-puzzles as elements: what is drawn, in which colour, in which cells.

`read` is the entry. `sketches` has the shapes of a document, `recognition` finds the elements by
their geometry, and `colours` names their colours. No rule is known here: words decide what an
element means, and the elements that no words are about are listed by who asks.
"""

from __future__ import annotations

from aspdoku.errors import PuzzleError
from aspdoku.formats import json_document, urls
from aspdoku.formats.drawn.elements import DrawnPuzzle, Element
from aspdoku.formats.drawn.sketches import Sketch
from aspdoku.puzzle.puzzle import Puzzle

__all__ = ["DrawnPuzzle", "Element", "of_document", "read"]


def read(text: str, name: str = "") -> DrawnPuzzle:
    """The puzzle and its drawing in a URL or a document of SudokuPad or f-puzzles.

    Raises PuzzleError for a text that contains none, or several.
    """
    if json_document.looks_like_object(text):
        return of_document(json_document.load(text, name), name)
    found = urls.contents(text, name)
    if len(found) != 1:
        raise PuzzleError(f"{len(found)} URLs, where one puzzle is expected", name)
    content = found[0]
    return DrawnPuzzle(content) if isinstance(content, Puzzle) else of_document(content, name)


def of_document(document: json_document.Object, name: str = "") -> DrawnPuzzle:
    """The puzzle and its drawing in a document. Raises PuzzleError."""
    puzzle = urls.puzzle_from_document(document, name)
    sketch = Sketch(document, puzzle.size)
    return DrawnPuzzle(puzzle, sketch.elements, sketch.unread, sketch.without_meaning)
