"""Clues outside the grid, and labels of cages and lines."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from aspdoku.drawing.canvas import GREY, INK, LABEL_LINE, Canvas, Layer
from aspdoku.drawing.facts import FactGroup, cells, text_of
from aspdoku.drawing.geometry import centre, chevron, direction, pieces
from aspdoku.drawing.shapes import Path, Point, Text, rectangle, text_width
from aspdoku.drawing.style import DrawStyle
from aspdoku.puzzle.puzzle import Cell

MAX_STEPS_OUT = 40  # steps of a tenth of a cell


def draw_clue(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a clue outside the grid, at the end of a row or column."""
    texts = [text_of(style, matched) for matched in group.facts]
    side, index = group.facts[0].outside or ("left", 1)
    canvas.add_clue(side, index, style, ", ".join(texts))


def draw_pointers(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> None:
    """Draw clues outside the grid, each with an arrow along its path.

    If a path does not start at the edge of the grid, draw a thin line and a label in its first
    cell instead. All arrows are drawn before the texts, which avoid them.
    """
    texts = []
    for group in groups:
        inside = cells(group.facts)
        colour = style.colour or INK
        start, aim = inside[0], _initial_direction(inside, canvas)
        before = (start[0] - aim[0], start[1] - aim[1])
        if aim == (0, 0) or (1 <= before[0] <= canvas.rows and 1 <= before[1] <= canvas.columns):
            canvas.add(Layer.LINE, Path(tuple(map(centre, inside)), GREY, 0.03, kind="join"))
            draw_label(group, inside[:1], canvas)
            continue
        towards = direction(Point(0, 0), Point(aim[1], aim[0]))
        at = centre(before)
        gap = 0.5 if 0 in aim else 0.5 * 2**0.5
        tip = at.moved(towards.x * (gap - 0.06), towards.y * (gap - 0.06))
        tail = tip.moved(-0.17 * towards.x, -0.17 * towards.y)
        head = chevron(tip, towards, 0.1, 1.4)
        canvas.add(Layer.OUTSIDE, Path((tail, tip), colour, 0.03, kind="pointer"))
        canvas.add(Layer.OUTSIDE, Path(head, colour, 0.03, kind="pointer"))
        words = " ".join([*([f"{group.caption}:"] if group.caption else []), *group.labels])
        row, column = before
        out = direction(
            Point(0, 0),
            Point((column > canvas.columns) - (column < 1), (row > canvas.rows) - (row < 1)),
        )
        text = Text(tail, words, style.size or 0.32, colour, kind="clue")
        texts.append((text, out, tail))
    for text, out, tail in texts:
        near = _moved_apart(text, out, canvas, texts=False)
        apart = _moved_apart(text, out, canvas)
        if apart != near:
            canvas.add(
                Layer.LINE,
                Path(
                    (apart.at.moved(-0.18 * out.x, -0.18 * out.y), tail),
                    GREY,
                    0.02,
                    kind="leader",
                ),
            )
        canvas.reserve(apart)
        canvas.add(Layer.OUTSIDE, apart)


def _moved_apart(text: Text, out: Point, canvas: Canvas, texts: bool = True) -> Text:
    """The text, moved outwards until it overlaps neither grid nor arrows, nor if `texts` is true
    other texts, by MAX_STEPS_OUT at most.
    """
    for step in range(MAX_STEPS_OUT):
        moved = replace(text, at=text.at.moved(0.1 * step * out.x, 0.1 * step * out.y))
        if canvas.is_free(moved, texts):
            return moved
    return text


def _initial_direction(inside: list[Cell], canvas: Canvas) -> Cell:
    """The initial direction of a path, as steps down and to the right.

    A path of a single cell enters the grid over the nearest corner or edge.
    """
    for one, other in pairwise(inside):
        if one != other:
            return _sign(other[0] - one[0]), _sign(other[1] - one[1])
    row, column = inside[0]
    return (row == 1) - (row == canvas.rows), (column == 1) - (column == canvas.columns)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# Distance of the outline of a cage from the edges of its cells, and size of its label, in cells.
INSET = 0.07
LABEL = 0.24
NAME = "#8a3ffc"


def draw_label(group: FactGroup, inside: list[Cell], canvas: Canvas, ground: str = "") -> None:
    """Draw the name and labels of a cage or line in the upper left of each connected piece of it,
    in the first cell with the fewest labels.
    """
    text = " ".join(group.labels)
    for piece in pieces(inside) if text or group.caption else ():
        above = min(canvas.labels.get(cell, 0) for cell in piece)
        row, column = first = next(cell for cell in piece if canvas.labels.get(cell, 0) == above)
        canvas.count_label(first)
        at = Point(column - 1 + INSET - 0.01, row - 1 + INSET + 0.07 + LABEL_LINE * above)
        whole = " ".join(filter(None, (group.caption, text)))
        size = min(LABEL, 0.88 / text_width(whole, 1.0))
        if ground:
            right = text_width(whole, size) + 0.03
            canvas.add(
                Layer.OUTLINE,
                rectangle(at.x - 0.03, at.y - 0.12, at.x + right, at.y + 0.13, ground, "ground"),
            )
        if group.caption:
            name = Text(at, group.caption, size, NAME, bold=True, centred=False, kind="name")
            canvas.add(Layer.DOT, name)
            at = at.moved(text_width(f"{group.caption} ", size), 0)
        if text:
            canvas.add(Layer.DOT, Text(at, text, size, centred=False, kind="label"))
