"""Drawings for SudokuPad of clues that its documents cannot state, as `.draw` files define them.

What is drawn is read back with `aspdoku.formats.drawn`, and has to be the elements that were meant:
solvers see what was drawn, and a drawing that looks like another one is an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from aspdoku.drawing.canvas import GREY, INK, Canvas
from aspdoku.drawing.facts import FactGroup, cells, group_facts, text_of
from aspdoku.drawing.shapes import links
from aspdoku.drawing.style import DrawStyle, draw_file_styles
from aspdoku.drawing.styled_shapes import DRAWERS, END, LABEL, WHITE
from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.drawn.drawn_shapes import PIXELS
from aspdoku.formats.drawn.elements import KINDS, Element
from aspdoku.formats.drawn.recognition import BROAD, SMALL, Recognition
from aspdoku.formats.drawn.sketches import Sketch
from aspdoku.formats.json_document import Object, items, objects_of
from aspdoku.formats.shapes import SquareGrid, to_number
from aspdoku.formats.stated_rules import in_words
from aspdoku.program.library import bundled_rule
from aspdoku.program.rulefile import RuleFile
from aspdoku.puzzle.puzzle import Cell, Puzzle
from aspdoku.puzzle.term import Function

_FONT = 80  # the size of a text for one of the height of a cell
# What a text calls the signs with a text, as the lexicon reads it.
_SIGNS = {"X": "X", "V": "V", ">": "inequality signs"}


class Drawings:
    """The drawings of a puzzle's facts for these rules, and the rules in words.

    rules: the names of those that are drawn, or stated in words only if they have no facts
    facts: those that are drawn
    """

    def __init__(self, puzzle: Puzzle, names: Iterable[str]) -> None:
        self.document: dict[str, list[Object]] = {
            key: [] for key in ("lines", "arrows", "underlays", "overlays", "cages")
        }
        self.facts: set[Function] = set()
        self.rules: list[str] = []
        self._puzzle = puzzle
        self._board = SquareGrid(puzzle.size)
        self._canvas = Canvas(puzzle.size, puzzle.numbers)
        self._meant: list[Element] = []
        self._nouns: dict[str, tuple[str, str]] = {}  # for each rule a colour and a noun
        self._drawn_for: dict[str, list[Element]] = {}
        for rule in filter(None, map(bundled_rule, names)):
            self._draw_rule(rule)
        for key in ("lines", "underlays"):  # the largest below the others
            self.document[key].sort(key=_extent, reverse=True)

    def words(self) -> str:
        """The rules in words, with what is drawn for them, and the clues that are not drawn.

        No colour is named for elements that look like those of another rule.
        """
        times = Counter(self._nouns.values())
        nouns = {
            rule: f"{hue} {noun}".strip() if times[hue, noun] == 1 else noun
            for rule, (hue, noun) in self._nouns.items()
        }
        return in_words(self._puzzle, nouns, self._canvas.notes)

    def check(self) -> None:
        """Raise UnsupportedError if the drawing does not show what it means."""
        sketch = Sketch({**self.document}, self._puzzle.size)
        seen, meant = (_comparable(each) for each in (sketch.elements, self._meant))
        if sketch.unread or seen != meant:
            what = [*sketch.unread, *sorted(map(str, seen ^ meant))]
            raise UnsupportedError(f"a drawing that looks like another one: {what[0]}")
        colours = {part: each.colours for each in sketch.elements for part in _comparable([each])}
        for rule, elements in self._drawn_for.items():
            self._nouns[rule] = _noun(elements, colours)

    def _draw_rule(self, rule: RuleFile) -> None:
        """Draw the facts of a rule, all that a style is about or none, unless another rule with the
        same facts has drawn them.
        """
        others = {*self.facts}
        self._drawn_for[rule.name] = []
        for style in draw_file_styles(rule):
            groups, shown = group_facts(style, self._puzzle.facts, self._puzzle.size)
            if shown <= others:
                continue
            before = {key: len(entries) for key, entries in self.document.items()}
            meant = len(self._meant)
            try:
                for group in groups:
                    self._draw(style, group)
            except UnsupportedError:
                for key, number in before.items():
                    del self.document[key][number:]
                del self._meant[meant:]
            else:
                self.facts |= shown
            # Lines that link the cells of a set are no line of the rule.
            self._drawn_for[rule.name] += self._meant[meant:] if style.draw != "links" else []
        self.rules.append(rule.name)

    def _draw(self, style: DrawStyle, group: FactGroup) -> None:
        kinds = {
            **{"line": self._line, "mark": self._mark, "edge": self._edge, "area": self._area},
            **{"outline": self._outline, "links": self._links, "clue": self._clue},
            **{"pointer": self._pointer, "corner": self._corner},
        }
        if style.draw == "note":
            DRAWERS["note"](style, group, self._canvas)
        elif style.draw in kinds:
            kinds[style.draw](style, group)
        else:
            raise UnsupportedError(style.draw)

    # ---- The kinds of drawing ----

    def _line(self, style: DrawStyle, group: FactGroup) -> None:
        way = tuple(cells(group.facts))
        if any(max(abs(a - c), abs(b - d)) != 1 for (a, b), (c, d) in pairwise(way)):
            raise UnsupportedError("a line that is no path")
        colour = self._canvas.colour_of(style, group)
        width, size = style.width or 0.16, style.size or END
        is_hollow = (style.first, style.last) == ("circle", "") and width >= BROAD
        is_bulb = is_hollow or (style.first == "bulb" and size >= SMALL)
        if style.last == "tip" and style.first == "circle":
            self._arrow(way[: group.head], way[max(1, group.head) :], colour, size)
        elif style.last == "tip":
            self._arrow((), way, colour, size)
        else:
            self._stroke((*way, *way[:1]) if group.closed else way, colour, width)
            self._mean("thermo" if is_bulb else "line", way, closed=group.closed)
        if style.first == "bulb":
            self._figure(way[:1], "circle", size, colour, "")
            self._meant += [] if is_bulb else [Element("circle", way[:1])]
        for shape, cell in ((style.first, way[0]), (style.last, way[-1])):
            if shape in ("square", "diamond") or (shape == "circle" and style.last != "tip"):
                self._figure([cell], shape, size, WHITE, colour)
                self._meant += [] if is_bulb else [Element(shape, (cell,))]
        self._label(way[0], " ".join(group.labels))

    def _arrow(self, head: Sequence[Cell], shaft: Sequence[Cell], colour: str, size: float) -> None:
        if not shaft or not (len({r for r, _ in head}) < 2 or len({c for _, c in head}) < 2):
            raise UnsupportedError("an arrow without a shaft, or a bent pill")
        points = [(row - 0.5, column - 0.5) for row, column in (*head[-1:], *shaft)]
        if head:
            self._figure(sorted(head), "circle", size, WHITE, colour)
            (row, column), (row_1, column_1) = points[:2]
            points[0] = row + (row_1 - row) * size / 2, column + (column_1 - column) * size / 2
        elif len(points) < 2:
            raise UnsupportedError("an arrow of one cell")
        self._pointed(points, colour)
        self._mean("arrow", sorted(head), shafts=(tuple(shaft),))

    def _mark(self, style: DrawStyle, group: FactGroup) -> None:
        grey = "#d9d9d9" if style.shape != "none" else ""
        by_value = self._canvas.colour_of(style, group) if style.by else ""
        colour, size, shape = by_value or style.colour or grey, style.size or END, style.shape
        for matched in group.facts:
            cell, text = matched.cells[0], text_of(style, matched)
            if shape == "none":
                self._label(cell, text)
            elif shape in ("inward", "outward"):
                self._angles(cell, shape == "outward", style.outline or GREY)
                if colour:
                    self._area_of([cell], colour)
            elif shape == "square" and size >= 1:
                self._area_of([cell], colour)
                self._label(cell, text)
            else:
                self._figure([cell], shape or "circle", size, colour, style.outline, text)
                self._mean(shape or "circle", [cell], text=text)

    def _angles(self, cell: Cell, outward: bool, colour: str) -> None:
        """Four angles that point to the neighbours of a cell, or away from them."""
        tip, back = (0.44, 0.39) if outward else (0.34, 0.39)
        row, column = cell[0] - 0.5, cell[1] - 0.5
        for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            ends = [(back * x + 0.12 * y, back * y + 0.12 * x), (tip * x, tip * y)]
            ends.append((back * x - 0.12 * y, back * y - 0.12 * x))
            points = [[row + down, column + right] for right, down in ends]
            line = {"wayPoints": points, "color": colour, "thickness": 2}
            self.document["lines"].append(line)
        self._mean("tick", [cell])

    def _edge(self, style: DrawStyle, group: FactGroup) -> None:
        for matched in group.facts:
            one, other = matched.cells
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
                raise UnsupportedError("cells that do not share a side")
            pair, text, size = sorted((one, other)), text_of(style, matched), style.size or 0.3
            if style.shape == "sign":
                angle = {(0, 1): 0, (1, 0): 90, (0, -1): 180, (-1, 0): 270}
                turn = angle[other[0] - one[0], other[1] - one[1]]
                self._figure(pair, "text", 0.3, WHITE, "", ">", angle=turn)
                self._mean("sign", (one, other), text=">")
            elif style.shape == "none":
                self._figure(pair, "text", size, WHITE, "", text)
                self._mean("sign", pair, text=text.upper())
            else:
                fill, edge, ink = style.colour or WHITE, style.outline or INK, style.ink or INK
                self._figure(pair, "dot", size, fill, edge, text, ink=ink)
                self._mean("dot", pair, text=text)

    def _corner(self, style: DrawStyle, group: FactGroup) -> None:
        row, column = group.facts[0].cells[0]
        around = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
        repeated = [
            text_of(style, each)
            for each in group.facts
            for _ in range(to_number(each.values.get("Q", 1)) or 1)
        ]
        self._figure(around, "dot", 0.6, style.colour or WHITE, INK, " ".join(repeated))
        self._mean("corner", around, text=" ".join(repeated))

    def _area(self, style: DrawStyle, group: FactGroup) -> None:
        colour = self._canvas.colour_of(style, group)
        self._area_of(cells(group.facts), colour)
        self._label(min(cells(group.facts)), " ".join(group.labels))

    def _area_of(self, inside: Iterable[Cell], colour: str) -> None:
        for cell in inside:
            self._figure([cell], "square", 1, colour, "")
            self._mean("shade", [cell])

    def _outline(self, style: DrawStyle, group: FactGroup) -> None:
        inside, text = sorted(cells(group.facts)), " ".join(group.labels)
        if text.isdigit():
            raise UnsupportedError("a cage with a number, which would be read as its sum")
        if style.by or style.colour:
            self._area_of(inside, self._canvas.colour_of(style, group))
        zero = [[row - 1, column - 1] for row, column in inside]
        outline = {"outlineC": style.outline} if style.outline else {}
        self.document["cages"].append(
            {"cells": zero, **({"value": text} if text else {}), **outline}
        )
        self._mean("cage", inside, text=text)

    def _links(self, style: DrawStyle, group: FactGroup) -> None:
        colour = self._canvas.colour_of(style, group)
        for link in links(cells(group.facts)):
            self._stroke(link, style.outline or GREY, style.width or 0.12)
            self._mean("line", link)
        for cell in cells(group.facts):
            self._figure([cell], "circle", style.size or END, colour, style.outline or GREY)
            self._mean("circle", [cell])

    def _clue(self, style: DrawStyle, group: FactGroup) -> None:
        text = ", ".join(text_of(style, matched) for matched in group.facts)
        side, index = group.facts[0].outside or ("left", 1)
        place = self._board.outside(side, index)
        inwards = Recognition(self._puzzle.size).inwards(place)
        while any(each.place == place for each in self._meant):
            place = place[0] - inwards[0], place[1] - inwards[1]
        self._outside(place, inwards, text, style.colour or INK)

    def _pointer(self, style: DrawStyle, group: FactGroup) -> None:
        way = cells(group.facts)
        step = (0, 0) if len(way) < 2 else (way[1][0] - way[0][0], way[1][1] - way[0][1])
        if len(way) < 2:  # over the nearest corner
            step = tuple((at == 1) - (at == self._puzzle.size) for at in way[0])  # type: ignore[assignment]
        place = way[0][0] - step[0], way[0][1] - step[1]
        seen = Recognition(self._puzzle.size).seen(place, step)
        if seen != tuple(way) or self._board.has(place):
            raise UnsupportedError("a path that is not a whole diagonal")
        self._outside(place, step, " ".join(group.labels), style.colour or INK, "#000000")

    def _outside(self, place: Cell, step: Cell, text: str, ink: str, arrow: str = "") -> None:
        self._figure([place], "text", 0.42, "", "", text, ink=ink)
        if arrow:
            start = [place[0] - 0.5 + 0.25 * step[0], place[1] - 0.5 + 0.25 * step[1]]
            end = [start[0] + 0.2 * step[0], start[1] + 0.2 * step[1]]
            self._pointed([start, end], arrow)
        seen = Recognition(self._puzzle.size).seen(place, step)
        self._mean("outside", seen, text=text, place=place, direction=step)

    # ---- Entries of the document ----

    def _mean(self, kind: str, where: Iterable[Cell], **about: object) -> None:
        self._meant.append(Element(kind, tuple(where), **about))  # type: ignore[arg-type]

    def _label(self, cell: Cell, text: str) -> None:
        if text:
            middle = [cell[0] - 0.85, cell[1] - 0.8]
            more = {"text": text, "fontSize": LABEL * _FONT, "color": INK}
            self.document["overlays"].append({"center": middle, "width": 0, "height": 0, **more})
            self._mean("text", [cell], text=text)

    def _stroke(self, way: Iterable[Cell], colour: str, width: float) -> None:
        points = [[row - 0.5, column - 0.5] for row, column in way]
        self.document["lines"].append(
            {"wayPoints": points, "color": colour, "thickness": round(width * PIXELS, 1)}
        )

    def _pointed(self, points: Iterable[Sequence[float]], colour: str) -> None:
        rounded = [[round(part, 2) for part in each] for each in points]
        entry = {"wayPoints": rounded, "color": colour}
        self.document["arrows"].append({**entry, "thickness": 3, "headLength": 0.3})

    def _figure(
        self,
        around: Sequence[Cell],
        shape: str,
        size: float,
        fill: str,
        border: str,
        text: str = "",
        ink: str = INK,
        angle: int = 0,
    ) -> None:
        """A figure in the middle of cells; of several in a row, a circle around all of them."""
        rows, columns = ([cell[axis] for cell in around] for axis in (0, 1))
        wide = shape == "circle"
        entry: Object = {
            "center": [sum(rows) / len(rows) - 0.5, sum(columns) / len(columns) - 0.5],
            "width": size + wide * (max(columns) - min(columns)),
            "height": size + wide * (max(rows) - min(rows)),
            "rounded": shape in ("circle", "dot"),
            "angle": 45 if shape == "diamond" else angle,
            "backgroundColor": fill,
            "borderColor": border,
            "text": text,
            "fontSize": round(
                size * _FONT * (1 if shape == "text" else min(0.5, 2.2 / (len(text) or 1)))
            ),
            "color": ink,
        }
        above = shape in ("dot", "text") or fill == WHITE  # covers lines, but no numbers
        stated = {key: value for key, value in entry.items() if value not in ("", 0, False)}
        self.document["overlays" if above else "underlays"].append(
            stated if text else {k: v for k, v in stated.items() if k not in ("fontSize", "color")}
        )


def require_visible(document: Object) -> None:
    """Raise UnsupportedError if a drawing hides another one at the same place."""
    figures = [*items(document.get("underlays")), *items(document.get("overlays"))]
    for entries in (figures, items(document.get("lines")), items(document.get("cages"))):
        places: dict[str, Object] = {}
        for entry in objects_of(entries, "drawings"):
            way = items(entry.get("wayPoints"))
            points = min(way, way[::-1]) or entry.get("cells") or [entry.get("center")]
            below = places.get(str(points), entry)
            if below != entry and _extent(below) <= _extent(entry):
                row, column = points[0]  # type: ignore[index]
                where = f"r{int(row) + 1}c{int(column) + 1}"
                raise UnsupportedError(f"a drawing that hides another one near {where}")
            places[str(points)] = entry


def _extent(entry: Object) -> float:
    """The width of a line, or of a figure; 0 for a text or a cage."""
    return float(str(entry.get("thickness", entry.get("width", 0))))


def _noun(
    elements: Sequence[Element], colours: Mapping[Element, tuple[str, ...]]
) -> tuple[str, str]:
    """The colour of elements that are drawn for a rule, and what a text calls them; empty texts if
    they have several colours, or if there is no word for them.

    Of a rule with several kinds of elements, such as lines with circles at their ends, the first.
    """
    if signs := dict.fromkeys(each.text for each in elements if each.kind == "sign"):
        called = [_SIGNS.get(text, "") for text in signs]
        return "", " and ".join(sorted(called, reverse=True)) if all(called) else ""
    kind = next((each.kind for each in elements if "noun" in KINDS[each.kind]), "")
    parts = _comparable(each for each in elements if each.kind == kind)
    hues = {colours.get(each, ())[:1] for each in parts}
    hue = "".join(*hues) if len(hues) == 1 else ""
    return (hue or "shaded" * (kind == "shade"), KINDS[kind]["noun"]) if kind else ("", "")


def _comparable(elements: Iterable[Element]) -> set[Element]:
    """The elements without colours, in pieces that do not depend on how they are grouped."""
    keys = set()
    for each in elements:
        ways = [*(each.pieces or [each.cells])]
        if each.kind == "shade":
            ways = [(cell,) for cell in each.cells]
        if each.kind == "line" and not each.closed:
            ways = [min(way, way[::-1]) for way in ways]
        for way in ways:
            for shaft in each.shafts or ((),):
                shafts = (shaft,) if shaft else ()
                place, step = each.place, each.direction
                keys.add(Element(each.kind, way, (), each.text, shafts, each.closed, place, step))
    return keys
