"""What is said of a cage or a line, where a reader looks for it."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import Cell
from aspdoku.show.picture.canvas import Canvas, Layer
from aspdoku.show.picture.facts import Group
from aspdoku.show.picture.shapes import Point, Words, breadth, rectangle

# How far the outline of a cage lies inside of its cells, and the size of its label, in cells.
INSET = 0.07
LABEL = 0.24


def label(group: Group, inside: list[Cell], canvas: Canvas, ground: str = "") -> None:
    """What is said of a cage or a line, in the upper left of the first of its cells."""
    if not group.labels or not inside:
        return
    text = " ".join(group.labels)
    row, column = min(inside)
    at = Point(column - 1 + INSET - 0.01, row - 1 + INSET + 0.07)
    if ground:
        right = min(breadth(text, LABEL) + 0.04, 0.9)
        canvas.add(Layer.OUTLINE, rectangle(at.x - 0.03, at.y - 0.12, at.x + right, at.y + 0.13, ground, "ground"))
    canvas.add(Layer.DOT, Words(at, text, min(LABEL, LABEL * 5.5 / len(text)), centred=False, kind="label"))
