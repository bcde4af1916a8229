"""Clues outside of the grid."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from aspdoku.draw.canvas import GREY, INK, LABEL_LINE, Canvas, Layer
from aspdoku.draw.facts import Group, cells, written
from aspdoku.draw.geometry import centre, chevron, direction, pieces
from aspdoku.draw.shapes import Path, Point, Words, breadth, rectangle
from aspdoku.draw.style import Look
from aspdoku.puzzle.puzzle import Cell

FURTHEST = 40  # steps of a tenth of a cell


def clue(look: Look, group: Group, canvas: Canvas) -> None:
    """What stands outside of the grid, before a row or a column."""
    texts = [written(look, reading) for reading in group.readings]
    side, index = group.readings[0].outside or ("left", 1)
    canvas.outside(side, index, look, ", ".join(texts))


def pointer(look: Look, group: Group, canvas: Canvas) -> None:
    """What stands outside of the grid, with an arrow into it.

    Within, beside a thin line, where the way begins inside.
    """
    inside = cells(group.readings)
    colour = look.colour or INK
    text = " ".join(group.labels)
    start, aim = inside[0], _aim(inside, canvas.size)
    before = (start[0] - aim[0], start[1] - aim[1])
    if aim == (0, 0) or all(1 <= each <= canvas.size for each in before):
        canvas.add(Layer.LINE, Path(tuple(map(centre, inside)), GREY, 0.03, kind="join"))
        label(group, inside[:1], canvas)
        return
    towards = direction(Point(0, 0), Point(aim[1], aim[0]))
    at = centre(before)
    gap = 0.5 if 0 in aim else 0.5 * 2**0.5
    tip = at.moved(towards.x * (gap - 0.06), towards.y * (gap - 0.06))
    tail = tip.moved(-0.17 * towards.x, -0.17 * towards.y)
    canvas.add(Layer.OUTSIDE, Path((tail, tip), colour, 0.03, kind="pointer"))
    canvas.add(Layer.OUTSIDE, Path(chevron(tip, towards, 0.1, 1.4), colour, 0.03, kind="pointer"))
    words = Words(
        tip.moved(-0.35 * towards.x, -0.35 * towards.y),
        text,
        look.size or 0.32,
        colour,
        kind="clue",
    )
    apart = _apart(words, towards, canvas)
    if apart != words:
        canvas.add(
            Layer.LINE,
            Path(
                (apart.at.moved(0.18 * towards.x, 0.18 * towards.y), tail),
                GREY,
                0.02,
                kind="leader",
            ),
        )
    canvas.around(apart)
    canvas.add(Layer.OUTSIDE, apart)


def _apart(words: Words, towards: Point, canvas: Canvas) -> Words:
    """The same, so much further out, up to some cells, that it lies upon no other text."""
    for step in range(FURTHEST):
        moved = replace(words, at=words.at.moved(-0.1 * step * towards.x, -0.1 * step * towards.y))
        if canvas.clear(moved):
            return moved
    return words


def _aim(inside: list[Cell], size: int) -> Cell:
    """Which way a path sets out, as steps down and right.

    One of a single cell comes in over the nearest corner or edge.
    """
    for one, other in pairwise(inside):
        if one != other:
            return _sign(other[0] - one[0]), _sign(other[1] - one[1])
    row, column = inside[0]
    return (row == 1) - (row == size), (column == 1) - (column == size)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# How far the outline of a cage lies inside of its cells, and the size of its label, in cells.
INSET = 0.07
LABEL = 0.24


def label(group: Group, inside: list[Cell], canvas: Canvas, ground: str = "") -> None:
    """What is said of a cage or a line, in the upper left of each piece of it, in the first cell
    where there is room.
    """
    text = " ".join(group.labels)
    for piece in pieces(inside) if text else ():
        above = min(canvas.labels.get(cell, 0) for cell in piece)
        row, column = place = next(cell for cell in piece if canvas.labels.get(cell, 0) == above)
        canvas.label(place)
        at = Point(column - 1 + INSET - 0.01, row - 1 + INSET + 0.07 + LABEL_LINE * above)
        size = min(LABEL, 0.88 / breadth(text, 1.0))
        if ground:
            right = breadth(text, size) + 0.03
            canvas.add(
                Layer.OUTLINE,
                rectangle(at.x - 0.03, at.y - 0.12, at.x + right, at.y + 0.13, ground, "ground"),
            )
        canvas.add(Layer.DOT, Words(at, text, size, centred=False, kind="label"))
