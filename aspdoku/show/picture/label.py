"""What is said of a cage or a line, where a reader looks for it."""

from __future__ import annotations

from aspdoku.puzzle.puzzle import Cell
from aspdoku.show.picture.canvas import LABEL_LINE, Canvas, Layer
from aspdoku.show.picture.facts import Group
from aspdoku.show.picture.geometry import pieces
from aspdoku.show.picture.shapes import Point, Words, breadth, rectangle

# How far the outline of a cage lies inside of its cells, and the size of its label, in cells.
INSET = 0.07
LABEL = 0.24


def label(group: Group, inside: list[Cell], canvas: Canvas, ground: str = "") -> None:
    """What is said of a cage or a line, in the upper left of each piece of it, in the first cell where there is room."""
    text = " ".join(group.labels)
    for piece in pieces(inside) if text else ():
        above = min(canvas.labels.get(cell, 0) for cell in piece)
        row, column = place = next(cell for cell in piece if canvas.labels.get(cell, 0) == above)
        canvas.label(place)
        at = Point(column - 1 + INSET - 0.01, row - 1 + INSET + 0.07 + LABEL_LINE * above)
        size = min(LABEL, 0.88 / breadth(text, 1.0))
        if ground:
            right = breadth(text, size) + 0.03
            canvas.add(Layer.OUTLINE, rectangle(at.x - 0.03, at.y - 0.12, at.x + right, at.y + 0.13, ground, "ground"))
        canvas.add(Layer.DOT, Words(at, text, size, centred=False, kind="label"))
