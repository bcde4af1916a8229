"""Elements as shapes of a picture: like clues of `.draw` files, in the colours of the document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aspdoku.drawing.canvas import GREY, INK, Canvas
from aspdoku.drawing.facts import FactGroup, MatchedFact
from aspdoku.drawing.shapes import Circle, Path, Point, Shape, Text, centre, outlines
from aspdoku.drawing.style import DrawStyle
from aspdoku.drawing.styled_shapes import DRAWERS, WHITE
from aspdoku.formats.drawn.elements import KINDS, Element
from aspdoku.puzzle import Function
from aspdoku.puzzle.inputs import Input
from aspdoku.puzzle.puzzle import Cell

# The kinds of elements that are below the digits, from bottom to top.
BELOW = [*KINDS][: [*KINDS].index("dot")]
_NO_INPUT = Input("element", 0, "")
_OPEN = "#b4232a"


def shapes_of(element: Element, size: int, numbers: range) -> Iterable[Shape]:
    """The shapes of an element on a grid; the upper left corner of the grid is the origin."""
    kind, shown, text = element.kind, element.shown or GREY, element.text
    if kind == "outside" and element.place:
        return [Text(centre(element.place), text or "→", 0.42, element.shown or INK, kind="clue")]
    if kind == "border":
        middle, is_below = _middle(element.cells), element.cells[0][0] != element.cells[1][0]
        x, y = (0.5, 0.0) if is_below else (0.0, 0.5)
        return [Path((middle.moved(-x, -y), middle.moved(x, y)), shown, 0.1, kind="border")]
    # A document may list a dot with any number of cells.
    is_pair = len({*element.cells}) == 2
    known = KINDS[kind if is_pair or kind not in ("dot", "sign") else "shade"]
    style = {**known["style"], "words": (("", text),)}
    if kind in ("cage", "region"):
        style["outline"] = element.shown
    elif element.colours[:1] == ("white",):
        style |= {"colour": WHITE, "outline": INK if shown == "#000000" else shown}
    else:
        style["colour"] = shown
    if kind == "sign" and text == ">":
        style |= {"shape": "sign", "size": 0.16}
    if kind == "arrow" and not element.cells:
        style["first"] = ""
    drawn, canvas = DrawStyle(_NO_INPUT, **style), Canvas(size, numbers)
    for way in [(*element.cells, *shaft) for shaft in element.shafts] or [element.cells]:
        if not way:
            continue
        cells = [way] if drawn.draw == "edge" else [(cell,) for cell in way]
        facts = [MatchedFact(Function("element"), {}, each) for each in cells]
        group = FactGroup((), facts[:1] if kind == "corner" else facts, closed=element.closed)
        group.head = len(element.cells) if element.shafts and element.cells else 1
        group.labels = [text] if kind == "cage" and text else []
        DRAWERS[drawn.draw](drawn, group, canvas)
    return canvas.shapes


def frame(element: Element) -> Iterator[Shape]:
    """A frame around an element that is open."""
    if element.kind in ("dot", "sign", "corner", "border") and element.cells:
        yield Circle(_middle(element.cells), 0.3, _OPEN, 0.035, kind="open")
    else:
        cells = {element.place} if element.place else {*element.cells}.union(*element.shafts)
        for points in outlines(cells, 0.04):
            yield Path(points, _OPEN, 0.035, closed=True, dashed=True, kind="open")


def _middle(cells: Iterable[Cell]) -> Point:
    points = [*map(centre, cells)]
    return Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))
