"""The shapes that each kind of style draws for groups of facts: areas, lines and their ends, marks,
clues outside the grid, and labels of cages and lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import hypot

from aspdoku.drawing.canvas import GREY, INK, LABEL_LINE, Canvas, Layer
from aspdoku.drawing.facts import FactGroup, cells, text_of
from aspdoku.drawing.shapes import (
    Circle,
    Path,
    Point,
    Text,
    borders,
    centre,
    chevron,
    direction,
    links,
    outlines,
    rectangle,
    text_width,
)
from aspdoku.drawing.style import KINDS_WITH_LABELS, DrawStyle
from aspdoku.puzzle.puzzle import Cell, joined_cells

WHITE = "#ffffff"
NAME = "#8a3ffc"
# Distance of the outline of a cage from the edges of its cells, size of its label, and width of the
# end of a line, in cells.
INSET = 0.07
LABEL = 0.24
END = 0.76
MAX_STEPS_OUT = 40  # steps of a tenth of a cell


def draw(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> None:
    """Draw all groups of a style."""
    for group in groups if style.draw in KINDS_WITH_LABELS else ():
        clue = style.rule.replace("-", "_"), group.name[0] if len(group.name) == 1 else ""
        if style.atom.signature in canvas.named or clue in canvas.cited:
            group.caption = group.title
        if colour := canvas.cited.get(clue):
            canvas.highlight(cells(group.facts), colour)
    if style.draw == "borders":
        _draw_borders(style, groups, canvas)
    elif style.draw == "pointer":
        _draw_pointers(style, groups, canvas)
    else:
        for group in groups:
            DRAWERS[style.draw](style, group, canvas)


def _fill(inside: list[Cell], inset: float, colour: str, canvas: Canvas) -> None:
    for points in outlines(inside, inset):
        canvas.add(Layer.AREA, Path(points, fill=colour, closed=True, kind="area"))


def _draw_area(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    inside = cells(group.facts)
    _fill(inside, 0.0, canvas.colour_of(style, group), canvas)
    _draw_label(group, inside, canvas)


def _draw_outline(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a dashed outline inside cells, and a label in the first of them."""
    inside = cells(group.facts)
    ground = canvas.colour_of(style, group) if style.by else style.colour
    if ground:
        _fill(inside, INSET, ground, canvas)
    stroke, width = style.outline or INK, style.width or 0.025
    for points in outlines(inside, INSET):
        outline = Path(points, stroke, width, closed=True, dashed=True, kind="outline")
        canvas.add(Layer.OUTLINE, outline)
    _draw_label(group, inside, canvas, ground=ground or WHITE)


def _draw_borders(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> None:
    region_of: dict[Cell, set[object]] = {}
    for group in groups:
        for each in cells(group.facts):
            region_of.setdefault(each, set()).add(group.name)
    colour, width = style.colour or INK, style.width or 0.06
    for side in borders(region_of, canvas.size):
        canvas.add(Layer.BORDER, Path(side, colour, width, kind="border"))
    for group in groups:
        _draw_label(group, cells(group.facts), canvas)


def _draw_path(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a line with shapes at its ends; one without colour and last end starts with a dot."""
    way = [centre(each) for each in cells(group.facts)]
    way += way[:1] if group.closed else []
    colour, width = canvas.colour_of(style, group), style.width or 0.16
    if style.extend and len(way) > 1:
        ends = (_extended(before, end, style.extend) for before, end in (way[1::-1], way[-2:]))
        way = [next(ends), *way, *ends]
    first_cells, rest = way[: group.head], way[max(1, group.head) - 1 :]
    if len(rest) > 1:
        _draw_rest(style, rest, colour, width, canvas)
    elif not (style.first or style.last):
        canvas.add(Layer.LINE, Circle(way[0], max(width, 0.2) / 2, fill=colour, kind="line"))
    if style.first:
        _draw_end(style.first, first_cells, style.size or END, colour, canvas)
    elif len(way) > 1 and not (style.colour or style.last or group.closed):
        canvas.add(Layer.LINE_END, Circle(way[0], 0.13, fill=GREY, kind="start"))
    _draw_label(group, cells(group.facts)[:1], canvas)


def _draw_rest(
    style: DrawStyle, way: list[Point], colour: str, width: float, canvas: Canvas
) -> None:
    """Draw a line and its last end; a line that ends in an arrow reaches its tip."""
    x, y = direction(way[-2], way[-1])
    arrow = style.last == "tip"
    line = [*way[:-1], way[-1].moved(0.08 * x, 0.08 * y)] if arrow else way
    canvas.add(Layer.LINE, Path(tuple(line), colour, width, kind="line"))
    if arrow:
        tip = chevron(way[-1].moved(0.1 * x, 0.1 * y), Point(x, y), 0.22, 1.5)
        canvas.add(Layer.LINE, Path(tip, colour, width))
    elif style.last:
        _draw_end(style.last, way[-1:], style.size or END, colour, canvas)


def _draw_end(shape: str, at: list[Point], size: float, colour: str, canvas: Canvas) -> None:
    if shape == "circle" and len(at) > 1:
        canvas.add(Layer.LINE, Path(tuple(at), colour, size + 0.07, kind="pill"))
        canvas.add(Layer.LINE_END, Path(tuple(at), WHITE, size - 0.07, kind="pill"))
        return
    end = {
        "bulb": Circle(at[0], size / 2, fill=colour, kind="bulb"),
        "circle": Circle(at[0], size / 2, colour, 0.07, WHITE, kind="end"),
        "tip": Circle(at[0], 0.1, fill=colour, kind="end"),
    }
    canvas.add(Layer.LINE_END, end.get(shape) or _polygon(shape, at[0], size, WHITE, colour))


def _draw_links(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    colour, edge = canvas.colour_of(style, group), style.outline or GREY
    inside = cells(group.facts)
    radius, width = (style.size or 0.76) / 2, style.width or 0.12
    for link in links(inside):
        canvas.add(Layer.LINE, Path(tuple(map(centre, link)), edge, width, kind="link"))
    for each in inside:
        canvas.add(Layer.LINE_END, Circle(centre(each), radius, edge, 0.035, colour, kind="link"))
    _draw_label(group, inside[:1], canvas)


def _draw_marks(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    grey = "#d9d9d9" if style.shape != "none" else ""
    colour = canvas.colour_of(style, group) if style.by else style.colour or grey
    for matched in group.facts:
        for at in map(centre, matched.cells):
            _draw_mark(style, at, colour, canvas)
        if style.ink:
            canvas.digit_colours.update(dict.fromkeys(matched.cells, style.ink))
        at, text = centre(matched.cells[0]), text_of(style, matched)
        if text and style.shape not in ("", "none"):
            at, size, ink = at.moved(0, 0.02), canvas.digit_size, style.ink or INK
            canvas.add(Layer.DOT, Text(at, text, size, ink, bold=True, kind="mark"))
        elif text:
            at = at.moved(-0.42, -0.33)
            canvas.add(Layer.DOT, Text(at, text, LABEL, bold=True, centred=False, kind="label"))
            canvas.count_label(matched.cells[0])


def _draw_mark(style: DrawStyle, at: Point, colour: str, canvas: Canvas) -> None:
    """Draw a shape in the centre of a cell; `inward` and `outward` are an angle at each side."""
    shape, size, outline = style.shape or "circle", style.size or 0.76, style.outline
    if shape in ("inward", "outward"):
        out, sign = (0.44, 1) if shape == "outward" else (0.34, -1)
        for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            angle = chevron(at.moved(out * x, out * y), Point(sign * x, sign * y), 0.1, 2.4)
            canvas.add(Layer.LINE_END, Path(angle, outline or GREY, 0.035, kind="mark"))
        if colour:
            canvas.add(Layer.AREA, _polygon("square", at, 1.0, colour, ""))
    elif shape == "circle":
        width = 0.035 if outline else 0.0
        canvas.add(Layer.LINE_END, Circle(at, size / 2, outline, width, colour, kind="mark"))
    elif shape != "none":
        layer = Layer.AREA if size >= 1 else Layer.LINE_END
        canvas.add(layer, _polygon(shape, at, size, colour, outline))


def _polygon(shape: str, at: Point, size: float, fill: str, stroke: str) -> Path:
    """A diamond, or a square for any other shape."""
    half = size / 2
    around = [(-half, -half), (half, -half), (half, half), (-half, half)]
    if shape == "diamond":
        half *= 1.2
        around = [(0, -half), (half, 0), (0, half), (-half, 0)]
    corners = tuple(at.moved(x, y) for x, y in around)
    width = 0.06 if stroke else 0.0
    return Path(corners, stroke, width, fill, closed=True, kind="mark")


def _draw_corner(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a circle on the lower right corner of a cell, with the texts of all its facts."""
    row, column = group.facts[0].cells[0]
    at = Point(column, row)
    texts: list[str] = []
    for matched in group.facts:
        times = matched.values.get("Q", 1)
        texts += [text_of(style, matched)] * (
            max(1, min(times, 4)) if isinstance(times, int) else 1
        )
    canvas.add(Layer.DOT, Circle(at, 0.3, INK, 0.025, style.colour or WHITE, kind="corner"))
    half = (len(texts) + 1) // 2
    lines = [texts] if len(texts) <= 2 else [texts[:half], texts[half:]]
    for index, texts in enumerate(lines):
        down = 0.23 * (index - (len(lines) - 1) / 2)
        canvas.add(Layer.DOT, Text(at.moved(0, down), " ".join(texts), 0.25, kind="corner"))


def _draw_edge(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a dot, a text or an inequality sign between two cells, joined if they are apart."""
    size = style.size or 0.3
    for matched in group.facts:
        one, other = matched.cells
        start, end = centre(one), centre(other)
        at = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
        towards = direction(start, end)
        if max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1:
            canvas.add(Layer.LINE, Path((start, end), GREY, 0.03, kind="join"))
        text = text_of(style, matched)
        if style.shape == "sign":
            _draw_ground(at, 0.14, 0.14, canvas)
            tip = at.moved(towards.x * size / 2, towards.y * size / 2)
            sign = chevron(tip, towards, size, 1.3)
            canvas.add(Layer.DOT, Path(sign, INK, style.width or 0.045, kind="sign"))
        elif style.shape != "none":
            fill, edge = style.colour or WHITE, style.outline or INK
            canvas.add(Layer.DOT, Circle(at, size / 2, edge, 0.03, fill, kind="dot"))
        elif text:
            _draw_ground(at, max(0.13, text_width(text, size) / 2), 0.15, canvas)
        if text:
            small = min(size, 0.36) * (1 if style.shape == "none" else min(0.72, 1.3 / len(text)))
            canvas.add(Layer.DOT, Text(at, text, small, style.ink or INK, bold=True, kind="edge"))


def _draw_ground(at: Point, half: float, high: float, canvas: Canvas) -> None:
    ground = rectangle(at.x - half, at.y - high, at.x + half, at.y + high, WHITE, "ground")
    canvas.add(Layer.DOT, ground)


def _draw_candidates(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    for matched in group.facts:
        number = matched.values["N"]
        if isinstance(number, int) and number in canvas.numbers:
            canvas.add_candidate(matched.cells[0], number, style.ink or INK)


def _draw_numbers(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Note the numbers that a cell of a solution shows instead of its own."""
    for matched in group.facts:
        number = matched.values["N"]
        if isinstance(number, int):
            canvas.contents.setdefault(matched.cells[0], []).append(number)
            if style.ink:
                canvas.digit_colours[matched.cells[0]] = style.ink


def _draw_note(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Add a text to the caption of the rule; those with the same words up to a colon are joined."""
    found: dict[str, dict[object, dict[str, None]]] = {}
    for matched in group.facts:
        heading, _, item = text_of(style, matched).rpartition(": ")
        alternative = matched.values[style.by] if style.by else item
        found.setdefault(heading, {}).setdefault(alternative, {})[item] = None
    separator = " or " if style.by else ", "
    texts = [
        (f"{heading}: " if heading else "") + separator.join(map(" with ".join, items.values()))
        for heading, items in found.items()
    ]
    canvas.notes.setdefault(style.rule, []).append("; ".join(texts))


def _draw_clue(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    texts = [text_of(style, matched) for matched in group.facts]
    side, index = group.facts[0].outside or ("left", 1)
    canvas.add_clue(side, index, style, ", ".join(texts))


def _draw_pointers(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> None:
    """Draw clues outside the grid, each with an arrow along its path.

    If a path does not start at the edge of the grid, draw a thin line and a label in its first
    cell instead. All arrows are drawn before the texts, which avoid them.
    """
    texts = []
    colour, size = style.colour or INK, style.size or 0.32
    for group in groups:
        inside = cells(group.facts)
        start, aim = inside[0], _initial_direction(inside, canvas)
        row, column = before = (start[0] - aim[0], start[1] - aim[1])
        if aim == (0, 0) or (1 <= row <= canvas.rows and 1 <= column <= canvas.columns):
            canvas.add(Layer.LINE, Path(tuple(map(centre, inside)), GREY, 0.03, kind="join"))
            _draw_label(group, inside[:1], canvas)
            continue
        x, y = towards = direction(Point(0, 0), Point(aim[1], aim[0]))
        gap = 0.5 * hypot(*aim) - 0.06
        tip = centre(before).moved(x * gap, y * gap)
        tail = tip.moved(-0.17 * x, -0.17 * y)
        for points in ((tail, tip), chevron(tip, towards, 0.1, 1.4)):
            canvas.add(Layer.OUTSIDE, Path(points, colour, 0.03, kind="pointer"))
        outward = (column > canvas.columns) - (column < 1), (row > canvas.rows) - (row < 1)
        words = " ".join([*([f"{group.caption}:"] if group.caption else []), *group.labels])
        text = Text(tail, words, size, colour, kind="clue")
        texts.append((text, direction(Point(0, 0), Point(*outward))))
    for text, out in texts:
        apart = _moved_apart(text, out, canvas)
        if apart != _moved_apart(text, out, canvas, texts=False):
            leader = apart.at.moved(-0.18 * out.x, -0.18 * out.y), text.at
            canvas.add(Layer.LINE, Path(leader, GREY, 0.02, kind="leader"))
        canvas.reserve(apart)
        canvas.add(Layer.OUTSIDE, apart)


def _moved_apart(text: Text, out: Point, canvas: Canvas, texts: bool = True) -> Text:
    """The text, moved outwards until it overlaps neither grid, arrows nor, if asked, texts."""
    for step in range(MAX_STEPS_OUT):
        moved = replace(text, at=text.at.moved(0.1 * step * out.x, 0.1 * step * out.y))
        if canvas.is_free(moved, texts):
            return moved
    return text


def _initial_direction(inside: list[Cell], canvas: Canvas) -> Cell:
    """The initial direction of a path, as steps down and to the right.

    A path of a single cell enters the grid over the nearest corner or edge.
    """
    for (row, column), (row_1, column_1) in pairwise(inside):
        if (row, column) != (row_1, column_1):
            return (row_1 > row) - (row_1 < row), (column_1 > column) - (column_1 < column)
    row, column = inside[0]
    return (row == 1) - (row == canvas.rows), (column == 1) - (column == canvas.columns)


def _extended(before: Point, end: Point, length: float) -> Point:
    """The end moved outwards by a number of cells, which are longer along a diagonal."""
    x, y = direction(before, end)
    length /= max(abs(x), abs(y), 1e-9)
    return end.moved(x * length, y * length)


def _draw_label(group: FactGroup, inside: list[Cell], canvas: Canvas, ground: str = "") -> None:
    """Draw the name and labels of a cage or line in the upper left of each connected piece of it,
    in the first cell with the fewest labels.
    """
    text = " ".join(group.labels)
    whole = " ".join(filter(None, (group.caption, text)))
    for piece in joined_cells(sorted(inside)) if whole else ():
        above = min(canvas.labels.get(each, 0) for each in piece)
        row, column = first = next(each for each in piece if canvas.labels.get(each, 0) == above)
        canvas.count_label(first)
        at = Point(column - 1 + INSET - 0.01, row - 1 + INSET + 0.07 + LABEL_LINE * above)
        size = min(LABEL, 0.88 / text_width(whole, 1.0))
        if ground:
            right = at.x + text_width(whole, size) + 0.03
            below = rectangle(at.x - 0.03, at.y - 0.12, right, at.y + 0.13, ground, "ground")
            canvas.add(Layer.OUTLINE, below)
        if group.caption:
            name = Text(at, group.caption, size, NAME, bold=True, centred=False, kind="name")
            canvas.add(Layer.DOT, name)
            at = at.moved(text_width(f"{group.caption} ", size), 0)
        if text:
            canvas.add(Layer.DOT, Text(at, text, size, centred=False, kind="label"))


DRAWERS: dict[str, Callable[[DrawStyle, FactGroup, Canvas], None]] = {
    "area": _draw_area,
    "outline": _draw_outline,
    "line": _draw_path,
    "links": _draw_links,
    "mark": _draw_marks,
    "corner": _draw_corner,
    "edge": _draw_edge,
    "clue": _draw_clue,
    "candidates": _draw_candidates,
    "numbers": _draw_numbers,
    "note": _draw_note,
}
