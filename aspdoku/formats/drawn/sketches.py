"""The shapes and the listed clues of a document of SudokuPad or f-puzzles, and its elements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from aspdoku.formats import fpuzzles
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.drawn.colours import colour, names
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.drawn.primitives import (
    PIXELS,
    Figure,
    Stroke,
    centre_of,
    figure,
    stroke,
)
from aspdoku.formats.drawn.recognition import Recognition
from aspdoku.formats.json_document import Object, is_blank, items, objects_of
from aspdoku.formats.shapes import STEPS, Clue
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import pluralize

# What f-puzzles draws for the entries of a key: the kind of element, and its colour.
_CONVENTIONS = {
    "odd": ("circle", "#ccc"),
    "even": ("square", "#ccc"),
    **dict.fromkeys(("minimum", "maximum", "clone"), ("shade", "#ccc")),
    **dict.fromkeys(("rowindexer", "columnindexer", "boxindexer"), ("shade", "#ccc")),
    "extraregion": ("region", "#ccc"),
    "killercage": ("cage", ""),
    "difference": ("dot", "#fff"),
    "ratio": ("dot", "#000"),
    "xv": ("sign", ""),
    **dict.fromkeys(("thermometer", "slowthermometer"), ("thermo", "#ccc")),
    "arrow": ("arrow", "#ccc"),
    **dict.fromkeys(("palindrome", "betweenline", "doublearrow", "zipperline"), ("line", "#ccc")),
    **dict.fromkeys(("renban", "nabner"), ("line", "#f067f0")),
    "whispers": ("line", "#67f067"),
    "regionsumline": ("line", "#2ecbff"),
    "lockout": ("line", "#2ecbff"),
    "entropicline": ("line", "#fca"),
    "modularline": ("line", "#3bb"),
    **dict.fromkeys(("littlekillersum", "sandwichsum", "xsum", "skyscraper"), ("outside", "")),
    "quadruple": ("corner", "#fff"),
}
_CELL = re.compile(r"[Rr](-?[0-9]{1,2})[Cc](-?[0-9]{1,2})")
Ways = dict[tuple[Cell, ...], tuple[Object, str]]
Entries = Iterable[tuple[str, Object]]
Shape = TypeVar("Shape", Stroke, Figure)


class Sketch:
    """The shapes of a document and the elements that it lists as such.

    The document has been read as a puzzle: its lists are lists, its cells and cages valid.
    """

    def __init__(self, document: Object, size: int) -> None:
        self._document = document
        self._found = Recognition(size)

    def recognized(self) -> tuple[tuple[Element, ...], tuple[str, ...], tuple[str, ...]]:
        """The elements, what is unread, and what has no meaning; equal elements once."""
        found = self._found
        if "grid" in self._document:
            drawn = self._of_fpuzzles()
        else:
            for part, cage in self._entries("cages"):
                self._read_cage(cage, part)
            keys = ("lines", "arrows", "underlays", "overlays")
            drawn = {key: list(self._entries(key)) for key in keys}
        lines, arrows, *figures = drawn.values()
        found.recognize(
            [
                *self._shapes(lines, lambda entry, part: stroke(entry, part, False)),
                *self._shapes(arrows, lambda entry, part: stroke(entry, part, True)),
            ],
            [each for entries in figures for each in self._shapes(entries, figure)],
        )
        once: dict[Element, tuple[str, ...]] = {}
        for each in found.elements:
            key = replace(each, parts=())
            once[key] = tuple(dict.fromkeys((*once.get(key, ()), *each.parts)))
        elements = (replace(each, parts=parts) for each, parts in once.items())
        return tuple(elements), _counted(found.unread), _counted(found.without_meaning)

    def _entries(self, key: str) -> Iterator[tuple[str, Object]]:
        for at, entry in enumerate(objects_of(self._document.get(key), key), 1):
            if entry:
                yield f"{key} {at}", entry

    def _shapes(self, entries: Entries, read: Callable[[Object, str], Shape]) -> Iterator[Shape]:
        for part, entry in entries:
            try:
                yield read(entry, part)
            except UnsupportedError as what:
                self._found.unread.append(str(what))

    def _read_cage(self, cage: Object, part: str) -> None:
        cells: Any = items(cage.get("cells"))
        values = (cage.get(key) for key in ("value", "sum"))
        text = next((str(value) for value in values if not is_blank(value)), "")
        if cells and (cage.get("style") == "rowcol" or (cage.get("hidden") is True and not text)):
            self._found.without_meaning.append("a cage that is hidden")
        elif cells:
            unique = cage.get("unique")
            self._add(
                *("cage", ((row + 1, column + 1) for row, column in cells), part),
                colours=names(colour(cage.get("outlineC", ""))),
                text=text,
                distinct=unique if isinstance(unique, bool) else None,
            )

    def _add(self, kind: str, cells: Iterable[Cell], *parts: str, **more: Any) -> None:
        self._found.elements.append(Element(kind, tuple(cells), parts=parts, **more))

    # ---- f-puzzles ----

    def _of_fpuzzles(self) -> dict[str, list[tuple[str, Object]]]:
        """Add the elements of entries for clues and of cages. Returns the other drawings as
        SudokuPad has them.
        """
        ways: Ways = {}
        for part, entry in self._entries("line"):
            ways |= {tuple(_cells(way)): (entry, part) for way in items(entry.get("lines"))}
        listed = set()
        for key, at, clue in fpuzzles.clues(self._document):
            self._read_clue(key, clue, f"{key} {at}", ways)
            listed |= {cells for way in clue.lines for cells in (tuple(way), tuple(way)[::-1])}
        for part, cage in self._entries("cage"):
            cells = [[row - 1, column - 1] for row, column in _cells(cage.get("cells"))]
            self._read_cage({**cage, "cells": cells}, part)
        lines = [
            (part, _line(entry, way)) for way, (entry, part) in ways.items() if way not in listed
        ]
        colours = [
            (f"the colour of r{row}c{column}", {"cells": [f"R{row}C{column}"], "baseC": value})
            for row, line in enumerate(items(self._document["grid"]), 1)
            for column, cell in enumerate(objects_of(line, "grid"), 1)
            for value in (cell.get("c"), *items(cell.get("cArray")))
            if not is_blank(value)
        ]
        figures = [
            (part, _figure({"width": 1, "height": 1, **entry}, False)) for part, entry in colours
        ]
        for key in ("rectangle", "circle", "text"):
            figures += [
                (part, _figure(entry, key == "circle")) for part, entry in self._entries(key)
            ]
        return {"lines": lines, "arrows": [], "figures": figures}

    def _read_clue(self, key: str, clue: Clue, part: str, ways: Ways) -> None:
        """Add the elements of an entry for clues, in the colour in which it is drawn."""
        kind, usual = _CONVENTIONS[key]
        values = [clue.value, *clue.values]
        about: dict[str, Any] = {
            "convention": key,
            "text": " ".join(str(value) for value in values if not is_blank(value)),
            "colours": names(colour(usual)),
        }
        cells = [tuple(clue.cells), tuple(clue.others)]
        if clue.outside:
            step = STEPS.get(clue.direction) or self._found.inwards(clue.outside)
            seen = self._found.seen(clue.outside, step)
            self._add(kind, seen, part, place=clue.outside, direction=step, **about)
        elif kind == "arrow":
            shafts = tuple(tuple(way[1:]) for way in clue.lines)
            self._add(kind, cells[0], part, shafts=shafts, **about)
        elif clue.lines:
            for way in map(tuple, clue.lines):
                entry, drawn = ways.get(way) or ways.get(way[::-1]) or ({}, "")
                about["colours"] = names(colour(entry.get("outlineC", usual)))
                closed = len(way) > 3 and way[0] == way[-1]
                parts = filter(None, (part, drawn))
                self._add(kind, way[:-1] if closed else way, *parts, closed=closed, **about)
        else:
            single = kind in ("circle", "square") or (kind == "shade" and key != "clone")
            groups = [(cell,) for cell in cells[0]] if single else cells
            for group in filter(None, groups):
                ordered = sorted(group) if kind in ("dot", "sign", "corner") else group
                self._add(kind, ordered, part, **about)


def _line(entry: Object, way: Iterable[Cell]) -> Object:
    points = [[*centre_of([cell])] for cell in way]
    width = entry.get("width")
    thickness = width * PIXELS if isinstance(width, (int, float)) else width
    return {"wayPoints": points, "color": entry.get("outlineC", "?"), "thickness": thickness}


def _figure(entry: Object, rounded: bool) -> Object:
    keys = {
        "baseC": "backgroundColor",
        "outlineC": "borderColor",
        "fontC": "color",
        "value": "text",
    }
    found = {keys[key]: value for key, value in entry.items() if key in keys}
    found |= {key: entry.get(key) for key in ("width", "height", "angle")}
    cells = _cells(entry.get("cells"))
    return {**found, "center": [*centre_of(cells)] if cells else None, "rounded": rounded}


def _cells(names_: object) -> list[Cell]:
    found = (_CELL.fullmatch(name) for name in items(names_) if isinstance(name, str))
    return [(int(each[1]), int(each[2])) for each in found if each]


def _counted(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        text if often == 1 else f"{text} ({pluralize(often, 'time')})"
        for text, often in Counter(texts).items()
    )
