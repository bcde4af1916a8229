"""The sudokus of ipuz, a format of puzzles in JSON (ipuz.org, version 2).

The kinds of the document name the rules; cages are `cages`, and regions are `zones`. Cells are
[column, row]. Programs count them from 0 or from 1, which follows from the smallest and the largest
number; cells of a document that leaves it open are reported.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import chain, count

from aspdoku.errors import PuzzleError
from aspdoku.formats import base, json_document
from aspdoku.formats.boards import Content
from aspdoku.formats.json_document import (
    DocumentReader,
    Object,
    described,
    items,
    objects_of,
    unread_keys,
)
from aspdoku.formats.shapes import Clue, SquareGrid, shape_of
from aspdoku.puzzle.puzzle import REGION, Grid, Puzzle
from aspdoku.puzzle.term import Function

_MARK = '"http://ipuz.org/'
_SUDOKU = "http://ipuz.org/sudoku"
_LATIN, _JIGSAW, _KILLER = "latinsquare", "jigsawsudoku", "killersudoku"
# The rules of kinds that have no further data.
_RULES = {"diagonalsudoku": "diagonal", "hypersudoku": "windoku"}
_KINDS = {"", "wordoku", _LATIN, _JIGSAW, _KILLER, *_RULES}
_WINDOWS = 9  # the only size at which all programs agree on the windows of a hyper sudoku
_CAGES = "killer"
_SIDES = ("width", "height")
_CELL_KEYS = {"given", "value"}
_CAGE_KEYS = {"cells", "value", "operator", "style"}
# The fields of the title, the author, the rules in words, and the solution.
_TEXTS = (("title",), ("author",), ("intro", "notes", "annotation", "explanation"), ("solution",))
_READ = {"kind", "puzzle", "charset", "boxes", "empty", "cages", "zones"}.union(*_TEXTS)
# Fields that do not constrain the puzzle: about the publication, the player's entries, appearance.
_COSMETIC = {
    *("version", "copyright", "publisher", "publication", "url", "uniqueid", "editor"),
    *("date", "difficulty", "origin", "dimensions", "block"),
    *("checksum", "saved", "volatile"),
    *("displaycharset", "showoperators", "cageborder", "styles"),
}


def fits(text: str) -> bool:
    """Whether the text is a JSON object that mentions ipuz.org."""
    return json_document.looks_like_object(text) and _MARK in text


def write(puzzle: Puzzle) -> str:
    """The puzzle as a document, without what it cannot represent. Raises UnsupportedError."""
    content = Content(puzzle)
    size = puzzle.size
    texts = {"title": puzzle.title, "author": puzzle.author, "intro": puzzle.rules}
    escaped = {key: html.escape(text, quote=False) for key, text in texts.items() if text}
    regions = base.by_key((region, [c - 1, r - 1]) for (r, c), region in content.regions().items())
    boxes = content.has_default_boxes
    cages = content.clues_of(_CAGES, SquareGrid(size))
    kinds = {
        "": True,
        f"/{_LATIN}": not regions,
        f"/{_JIGSAW}": regions and not boxes,
        f"/{_KILLER}": cages,
        **{f"/{kind}": content.has_rules(rule) for kind, rule in _RULES.items()},
    }
    if not all(isinstance(clue.value, int | None) for clue in cages):
        raise base.UnsupportedError("a sum of a cage that is no number")
    zones = [] if boxes else [{"cells": cells} for cells in regions.values()]
    caged = [
        {"cells": [[column - 1, row - 1] for row, column in clue.cells]}
        | ({} if clue.value is None else {"value": clue.value})
        for clue in cages
    ]
    document: Object = {
        "version": "http://ipuz.org/v2",
        "kind": [f"{_SUDOKU}{kind}#1" for kind, holds in kinds.items() if holds],
        **escaped,
        "charset": base.SYMBOLS[:size],
        **({"zones": zones} if zones else {}),
        "boxes": boxes,
        **({"cages": caged} if caged else {}),
        "puzzle": _cells(puzzle.grid),
        **({"solution": _cells(puzzle.solution)} if puzzle.solution else {}),
    }
    return json_document.dumps(document, "puzzle")


def _cells(grid: Grid) -> list[list[int | str]]:
    return [[0 if number is None else base.SYMBOLS[number - 1] for number in row] for row in grid]


def _rows(document: Object) -> list[object]:
    rows = items(document.get("puzzle"))
    size = len(rows)
    if not base.SMALLEST <= size <= base.LARGEST or any(len(items(row)) != size for row in rows):
        raise PuzzleError(
            f"puzzle must be a list of {base.SMALLEST} to {base.LARGEST} rows with as many cells"
            " each"
        )
    characters = document.get("charset") or base.SYMBOLS
    if not isinstance(characters, str) or (
        len(characters) != size and not base.SYMBOLS.startswith(characters)
    ):
        raise PuzzleError(
            f"charset {str(characters)[:40]!r} is not the {size} characters for the numbers of the"
            f" grid, which has {size} rows"
        )
    sides = document.get("dimensions")
    if isinstance(sides, dict) and {sides.get(side, size) for side in _SIDES} != {size}:
        raise PuzzleError(f"dimensions does not fit puzzle, which has {size} rows of {size} cells")
    return rows


class _DocumentReader(DocumentReader):
    def __init__(self, document: Object) -> None:
        super().__init__()
        self._document = document
        self._rows = _rows(document)
        self._size = len(self._rows)

    def puzzle(self) -> Puzzle:
        document = self._document
        kinds = self._kinds()
        grid = tuple(
            tuple(
                _number(cell, document, f"r{row}c{column}", self._unsupported)
                for column, cell in enumerate(items(cells), 1)
            )
            for row, cells in enumerate(self._rows, 1)
        )
        self._add((rule for kind, rule in _RULES.items() if kind in kinds), ())
        self._read_groups(kinds)
        self._note_keys("{}", document, _READ | _COSMETIC)
        boxes = kinds.isdisjoint((_LATIN, _JIGSAW)) and document.get("boxes") is not False
        regions = any(fact.signature == REGION for fact in self._facts)
        puzzle = self._puzzle(grid, without=() if boxes or regions else ("box",))
        stated = {key: document.get(key) for keys in _TEXTS for key in keys}
        plain = {key: html.unescape(each) for key, each in stated.items() if isinstance(each, str)}
        texts = [[plain.get(key, stated[key]) for key in keys] for keys in _TEXTS]
        texts[-1] = [_numbers(document.get("solution"), document)]
        return described(puzzle, *texts)

    def _kinds(self) -> set[str]:
        names = [str(kind).partition("#")[0] for kind in items(self._document.get("kind"))]
        if not any(name == _SUDOKU or name.startswith(f"{_SUDOKU}/") for name in names):
            raise PuzzleError(
                f"unsupported kind of puzzle {str(names[:3])[:60]}: only sudokus, {_SUDOKU}, are"
                " supported"
            )
        kinds = {name.removeprefix(_SUDOKU).removeprefix("/") for name in names}
        for kind in sorted(kinds - _KINDS):
            self._unsupported[f"the kind {kind[:60]!r}"] += 1
        if "hypersudoku" in kinds and self._size != _WINDOWS:
            self._unsupported[f"the windows of a grid of {self._size} rows"] += 1
            kinds.discard("hypersudoku")
        return kinds

    def _read_groups(self, kinds: set[str]) -> None:
        """Read the cages and the regions, which only some kinds have."""
        groups = {key: objects_of(self._document.get(key), key) for key in ("cages", "zones")}
        places = {key: list(map(_places, listed)) for key, listed in groups.items()}
        first = _first_number(chain(*chain(*chain(*places.values()))), self._size)
        grid, labels = SquareGrid(self._size), count(1)
        for key, kind in (("cages", _KILLER), ("zones", _JIGSAW)):
            with self._reporting(key):
                if bool(groups[key]) != (kind in kinds):
                    raise base.UnsupportedError(
                        "their meaning in this kind of puzzle" if groups[key] else "none"
                    )
                clues = list(map(partial(_clue, first=first), places[key], groups[key]))
                if key == "zones":
                    self._add((), _region_facts(clues, self._size))
                elif clues:
                    read = partial(shape_of(_CAGES).read, labels=labels, grid=grid)
                    self._add([_CAGES], list(chain.from_iterable(map(read, clues))))


def _numbers(solution: object, document: Object) -> object:
    """A solution with numbers in place of its characters; unchanged if one has no number."""
    try:
        return [[_number(cell, document, "", Counter()) for cell in items(row)] for row in solution]  # type: ignore[attr-defined]
    except (PuzzleError, TypeError):
        return solution


def _number(cell: object, document: Object, name: str, unsupported: Counter[str]) -> int | None:
    if isinstance(cell, dict):
        if unread_keys(cell, _CELL_KEYS):
            unsupported["the style of a cell"] += 1
        cell = cell.get("given", cell.get("value"))
    empty = document.get("empty", 0)
    if cell is None or str(cell) in (str(empty), ""):
        return None
    characters = str(document.get("charset") or base.SYMBOLS)
    text = str(cell)
    if len(text) == 1 and characters.count(text) == 1:
        return characters.index(text) + 1
    is_number = text.isascii() and text.isdecimal() and len(text) < 4
    if is_number and base.SYMBOLS.startswith(characters):
        return int(text)
    raise PuzzleError(
        f"invalid number {text[:20]!r} in {name}: expected one of {characters[:40]}, or"
        f" {str(empty)[:20]} for an empty cell"
    )


def _places(group: Object) -> list[list[int]]:
    cells = items(group.get("cells"))
    for cell in cells:
        if len(items(cell)) != 2 or not all(type(each) is int for each in items(cell)):
            raise PuzzleError(f"invalid cell {str(cell)[:30]}: expected [column, row]")
    return cells  # type: ignore[return-value]


def _first_number(listed: Iterable[int], size: int) -> int | None:
    """The number of the first row and column, 0 or 1; None if that cannot be known."""
    numbers = {*listed}
    possible = [
        first for first in (0, 1) if all(first <= number < size + first for number in numbers)
    ]
    if not possible:
        raise PuzzleError(
            f"the cells of cages and zones have numbers from {min(numbers)} to {max(numbers)},"
            f" more than {size}"
        )
    return possible[0] if len(possible) == 1 else None


def _clue(places: list[list[int]], group: Object, first: int | None) -> Clue:
    if first is None:
        raise base.UnsupportedError("cells that could be counted from 0 or from 1")
    if unread_keys(group, _CAGE_KEYS):
        raise base.UnsupportedError("a group with other fields than its cells and its value")
    if group.get("operator") not in (None, "", "+"):
        raise base.UnsupportedError("an operator other than +")
    cells = [(row - first + 1, column - first + 1) for column, row in places]
    return Clue(cells=cells, value=group.get("value"))


def _region_facts(clues: list[Clue], size: int) -> list[Function]:
    cells = [cell for clue in clues for cell in clue.cells]
    sizes = {len(clue.cells) for clue in clues}
    if clues and (sizes != {size} or len(set(cells)) != size * size or len(cells) != size * size):
        raise base.UnsupportedError(f"regions that are not {size} of {size} cells")
    return base.facts_of_sets(REGION[0], (clue.cells for clue in clues))


FORMAT = base.Format(
    "ipuz",
    "the JSON of ipuz: sudokus, with cages or regions",
    fits,
    partial(json_document.puzzle_of, read=lambda document: _DocumentReader(document).puzzle()),
    write,
    suffixes=(".ipuz",),
    texts=base.ALL_TEXTS,
)
