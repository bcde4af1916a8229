"""Lines with shapes at their ends, and marks in cells."""

from __future__ import annotations

from aspdoku.drawing.canvas import GREY, Canvas, Layer
from aspdoku.drawing.facts import FactGroup
from aspdoku.drawing.geometry import chevron, direction
from aspdoku.drawing.shapes import Circle, Path, Point
from aspdoku.drawing.style import DrawStyle

END = 0.76


def draw_line(
    style: DrawStyle, colour: str, width: float, way: list[Point], group: FactGroup, canvas: Canvas
) -> None:
    """Draw a line with its ends; a line without colour and last end starts with a dot."""
    size = style.size or END
    first, rest = way[: group.head], way[max(1, group.head) - 1 :]
    if len(rest) > 1:
        canvas.add(
            Layer.LINE, Path(tuple(_shortened(rest, style.last)), colour, width, kind="line")
        )
    elif not (style.first or style.last):
        canvas.add(Layer.LINE, Circle(way[0], max(width, 0.2) / 2, fill=colour, kind="line"))
    if style.last == "tip" and len(rest) > 1:
        towards = direction(rest[-2], rest[-1])
        canvas.add(
            Layer.LINE,
            Path(
                chevron(rest[-1].moved(0.1 * towards.x, 0.1 * towards.y), towards, 0.22, 1.5),
                colour,
                width,
            ),
        )
    elif style.last and len(rest) > 1:
        _draw_end(style.last, [rest[-1]], size, colour, canvas)
    if style.first:
        _draw_end(style.first, first, size, colour, canvas)
    elif len(way) > 1 and not (style.colour or style.last or group.closed):
        canvas.add(Layer.LINE_END, Circle(way[0], 0.13, fill=GREY, kind="start"))


def draw_mark(
    shape: str, at: Point, size: float, colour: str, outline: str, canvas: Canvas
) -> None:
    """Draw a shape in the centre of a cell.

    `inward` and `outward` are an angle at each of its sides.
    """
    if shape in ("inward", "outward"):
        for towards in (Point(0, -1), Point(1, 0), Point(0, 1), Point(-1, 0)):
            out = 0.44 if shape == "outward" else 0.34
            way = towards if shape == "outward" else Point(-towards.x, -towards.y)
            tip = at.moved(out * towards.x, out * towards.y)
            canvas.add(
                Layer.LINE_END,
                Path(chevron(tip, way, 0.1, 2.4), outline or GREY, 0.035, kind="mark"),
            )
        if colour:
            canvas.add(Layer.AREA, _polygon("square", at, 1.0, colour, ""))
    elif shape == "circle":
        canvas.add(
            Layer.LINE_END,
            Circle(at, size / 2, outline, 0.035 if outline else 0.0, colour, kind="mark"),
        )
    elif shape != "none":
        layer = Layer.AREA if size >= 1 else Layer.LINE_END
        canvas.add(
            layer,
            _polygon("diamond" if shape == "diamond" else "square", at, size, colour, outline),
        )


def _draw_end(shape: str, at: list[Point], size: float, colour: str, canvas: Canvas) -> None:
    if shape == "bulb":
        canvas.add(Layer.LINE_END, Circle(at[0], size / 2, fill=colour, kind="bulb"))
    elif shape == "circle" and len(at) > 1:
        canvas.add(Layer.LINE, Path(tuple(at), colour, size + 0.07, kind="pill"))
        canvas.add(Layer.LINE_END, Path(tuple(at), "#ffffff", size - 0.07, kind="pill"))
    elif shape == "circle":
        canvas.add(Layer.LINE_END, Circle(at[0], size / 2, colour, 0.07, "#ffffff", kind="end"))
    elif shape == "tip":
        canvas.add(Layer.LINE_END, Circle(at[0], 0.1, fill=colour, kind="end"))
    else:
        canvas.add(Layer.LINE_END, _polygon(shape, at[0], size, "#ffffff", colour))


def _shortened(way: list[Point], last: str) -> list[Point]:
    """The line, extended to the tip if it ends in an arrow."""
    if last != "tip":
        return way
    towards = direction(way[-2], way[-1])
    return [*way[:-1], way[-1].moved(0.08 * towards.x, 0.08 * towards.y)]


def _polygon(shape: str, at: Point, size: float, fill: str, stroke: str) -> Path:
    half = size / 2
    around = [(-half, -half), (half, -half), (half, half), (-half, half)]
    if shape == "diamond":
        half *= 1.2
        around = [(0, -half), (half, 0), (0, half), (-half, 0)]
    return Path(
        tuple(at.moved(x, y) for x, y in around),
        stroke,
        0.06 if stroke else 0.0,
        fill,
        closed=True,
        kind="mark",
    )
