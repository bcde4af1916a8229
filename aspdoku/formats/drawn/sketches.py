"""The elements of a document of SudokuPad or f-puzzles: its shapes, and the clues that it lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from aspdoku.errors import PuzzleError
from aspdoku.formats import fpuzzles
from aspdoku.formats.base import UnsupportedError, by_key
from aspdoku.formats.boards import boxes_of, drawn_regions
from aspdoku.formats.drawn.colours import colour, names, notation
from aspdoku.formats.drawn.drawn_shapes import PIXELS, DrawnShape, shape
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.drawn.recognition import Recognition
from aspdoku.formats.fpuzzles.table import ENDS, LOOKS
from aspdoku.formats.json_document import Object, counted, is_blank, items, objects_of
from aspdoku.formats.shapes import STEPS, Clue
from aspdoku.puzzle.puzzle import Cell, Puzzle

_CELL = re.compile(r"[Rr](-?[0-9]{1,2})[Cc](-?[0-9]{1,2})")
# The keys of f-puzzles' drawings, as SudokuPad calls them.
_KEYS = {"baseC": "backgroundColor", "outlineC": "borderColor", "fontC": "color", "value": "text"}
# Many times as many as there are in any known document.
_MOST = {"shapes": 1500, "points of lines": 5000, "cells in clues": 20_000}
_Entries = list[tuple[Object, str]]


def sketch_of(document: Object, puzzle: Puzzle) -> Sketch:
    """The sketch of a document that was read as a puzzle. Raises PuzzleError."""
    box = None if "box" in puzzle.without else puzzle.box
    regions = boxes_of(puzzle.size, box) if box else drawn_regions(puzzle)
    return Sketch(document, puzzle.size, regions)


class Sketch:
    """The elements of a document; in words what is unread, and what shows nothing, such as white on
    white, a background or a grid.

    The document has been read as a puzzle: its lists are lists, the cells of its cages valid.
    Raises PuzzleError for a drawing of too many shapes, or through too many cells.
    """

    def __init__(self, document: Object, size: int, regions: Iterable[Iterable[Cell]] = ()) -> None:
        self._document = document
        self._found = found = Recognition(size, regions)
        unread: list[str] = []
        shapes: list[DrawnShape] = []
        for entry, part in self._of_fpuzzles() if "grid" in document else self._of_sudokupad():
            try:
                shapes.append(shape(entry, part, part.startswith("arrows")))
            except UnsupportedError as what:
                unread.append(str(what))
        points = sum(len(each.points) for each in shapes)
        listed = sum(len(each.cells) for each in found.elements)
        for (kind, most), number in zip(_MOST.items(), (len(shapes), points, listed), strict=True):
            if number > most:
                raise PuzzleError(f"a drawing of {number} {kind}: at most {most} are read")
        self.unread = counted([*unread, *found.recognize(shapes)])
        self.without_meaning = counted(found.without_meaning)
        once = by_key((replace(each, parts=(), conventions=()), each) for each in found.elements)
        self.elements = tuple(
            replace(
                key,
                parts=tuple(dict.fromkeys(part for each in same for part in each.parts)),
                conventions=tuple(name for each in same for name in each.conventions),
            )
            for key, same in once.items()
        )

    def _entries(self, key: str) -> Iterator[tuple[Object, str]]:
        for at, entry in enumerate(objects_of(self._document.get(key), key), 1):
            if entry:
                yield entry, f"{key} {at}"

    def _of_sudokupad(self) -> _Entries:
        for cage, part in self._entries("cages"):
            self._read_cage(cage, part, _pairs(cage.get("cells")))
        for region, part in self._entries("extraRegions"):
            self._list("region", _pairs(region.get("cells")), part, region.get("backgroundColor"))
        drawn = ("lines", "arrows", "underlays", "overlays")
        return [entry for key in drawn for entry in self._entries(key)]

    def _read_cage(self, cage: Object, part: str, cells: list[Cell]) -> None:
        values = (cage.get(key) for key in ("value", "sum"))
        text = next((str(value) for value in values if not is_blank(value)), "")
        if cells and (cage.get("style") == "rowcol" or (cage.get("hidden") is True and not text)):
            self._found.without_meaning.append("cage that is hidden")
        elif cells:
            seen = cage.get("outlineC") or cage.get("borderColor")
            self._list("cage", cells, part, seen, text=text)

    def _list(self, kind: str, cells: Iterable[Cell], part: str, seen: object, **more: Any) -> None:
        """Add an element that the document lists."""
        drawn = colour(seen or "")
        about = {"colours": names(drawn), "shown": notation(drawn), "parts": (part,), **more}
        self._found.elements.append(Element(kind, tuple(cells), **about))

    # ---- f-puzzles ----

    def _of_fpuzzles(self) -> _Entries:
        """The drawings as SudokuPad has them. Adds the elements of clues and cages."""
        lines = [
            (tuple(_cells(way)), entry, f"{part}.{at}")
            for entry, part in self._entries("line")
            for at, way in enumerate(items(entry.get("lines")), 1)
        ]
        first = {way: (entry, part) for way, entry, part in reversed(lines)}
        listed = set()
        for key, at, clue in fpuzzles.clues(self._document):
            self._read_clue(key, clue, f"{key} {at}", first)
            listed |= {cells for way in clue.lines for cells in (tuple(way), tuple(way)[::-1])}
        for cage, part in self._entries("cage"):
            self._read_cage(cage, part, _cells(cage.get("cells")))
        shapes = [
            (_line(entry, way), part)
            for way, entry, part in lines
            if way not in listed or first[way][1] != part
        ]
        for row, line in enumerate(items(self._document["grid"]), 1):
            for column, cell in enumerate(objects_of(line, "grid"), 1):
                square = {"width": 1, "height": 1, "center": [row - 0.5, column - 0.5]}
                values = filter(None, (cell.get("c"), *items(cell.get("cArray"))))
                shapes += [
                    ({**square, "backgroundColor": value}, f"colour {at} of r{row}c{column}")
                    for at, value in enumerate(values, 1)
                ]
        for key in ("rectangle", "circle", "text"):
            shapes += [(_figure(each, key == "circle"), part) for each, part in self._entries(key)]
        return shapes

    def _read_clue(
        self, key: str, clue: Clue, part: str, lines: dict[tuple[Cell, ...], tuple[Object, str]]
    ) -> None:
        """Add the elements of an entry for clues, in the colour in which it is drawn."""
        kind, usual = LOOKS[key]
        values = (str(value) for value in (clue.value, *clue.values) if not is_blank(value))
        about: dict[str, Any] = {"conventions": (key,), "text": " ".join(values)}
        if clue.outside:
            step = STEPS.get(clue.direction) or self._found.inwards(clue.outside)
            about |= {"place": clue.outside, "direction": step}
            self._list(kind, self._found.seen(clue.outside, step), part, usual, **about)
        elif kind == "arrow":
            shafts = tuple(tuple(way[1:]) for way in clue.lines)
            self._list(kind, clue.cells, part, usual, shafts=shafts, **about)
        elif clue.lines:
            for way in filter(None, map(tuple, clue.lines)):
                entry, drawn = lines.get(way) or lines.get(way[::-1]) or ({}, "")
                closed = len(way) > 3 and way[0] == way[-1]
                about |= {"closed": closed, "parts": tuple(filter(None, (part, drawn)))}
                seen = entry.get("outlineC") or usual
                self._list(kind, way[:-1] if closed else way, part, seen, **about)
                for end in (way[0], way[-1]) if key in ENDS else ():
                    self._list(ENDS[key], [end], part, "#fff", conventions=(key,))
        else:
            single = kind in ("circle", "square") or (kind == "shade" and not clue.others)
            groups = [[cell] for cell in clue.cells] if single else [clue.cells, clue.others]
            for cells in filter(None, groups):
                ordered = sorted(cells) if kind in ("dot", "sign", "corner") else cells
                self._list(kind, ordered, part, usual, **about)


def _line(entry: Object, way: Iterable[Cell]) -> Object:
    width = entry.get("width")
    return {
        "wayPoints": [[row - 0.5, column - 0.5] for row, column in way],
        "color": entry.get("outlineC", "?"),
        "thickness": width * PIXELS if isinstance(width, (int, float)) else width,
    }


def _figure(entry: Object, rounded: bool) -> Object:
    cells = _cells(entry.get("cells"))
    middle = [sum(part) / len(cells) - 0.5 for part in zip(*cells, strict=True)]
    attributes = {name: entry.get(key) for key, name in _KEYS.items()}
    sizes = {key: entry.get(key) for key in ("width", "height", "angle")}
    return {**attributes, **sizes, "center": middle, "rounded": rounded}


def _pairs(value: object) -> list[Cell]:
    """Cells given as pairs of a row and a column, counted from 0."""
    pairs = (pair for pair in items(value) if isinstance(pair, list) and len(pair) == 2)
    return [(row + 1, column + 1) for row, column in pairs if type(row) is type(column) is int]


def _cells(value: object) -> list[Cell]:
    """Cells given by their names; none if one of them is no name of a cell."""
    matches = [_CELL.fullmatch(str(name)) for name in items(value)]
    return [(int(each[1]), int(each[2])) for each in matches if each] if all(matches) else []
