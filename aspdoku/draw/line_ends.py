"""Lines with what stands at their ends, and marks in cells."""

from __future__ import annotations

from aspdoku.draw.canvas import GREY, Canvas, Layer
from aspdoku.draw.facts import Group
from aspdoku.draw.geometry import chevron, direction
from aspdoku.draw.shapes import Disc, Path, Point
from aspdoku.draw.style import Look

END = 0.76


def draw(
    look: Look, colour: str, width: float, way: list[Point], group: Group, canvas: Canvas
) -> None:
    """The line, and what stands at its ends; one of no certain look begins with a dot."""
    size = look.size or END
    first, rest = way[: group.head], way[max(1, group.head) - 1 :]
    if len(rest) > 1:
        canvas.add(Layer.LINE, Path(tuple(_shortened(rest, look.last)), colour, width, kind="line"))
    elif not (look.first or look.last):
        canvas.add(Layer.LINE, Disc(way[0], max(width, 0.2) / 2, fill=colour, kind="line"))
    if look.last == "tip" and len(rest) > 1:
        towards = direction(rest[-2], rest[-1])
        canvas.add(
            Layer.LINE,
            Path(
                chevron(rest[-1].moved(0.1 * towards.x, 0.1 * towards.y), towards, 0.22, 1.5),
                colour,
                width,
            ),
        )
    elif look.last and len(rest) > 1:
        _end(look.last, [rest[-1]], size, colour, canvas)
    if look.first:
        _end(look.first, first, size, colour, canvas)
    elif len(way) > 1 and not (look.colour or look.last or group.closed):
        canvas.add(Layer.LINE_END, Disc(way[0], 0.13, fill=GREY, kind="start"))


def mark(shape: str, at: Point, size: float, colour: str, outline: str, canvas: Canvas) -> None:
    """A shape in the middle of a cell.

    `inward` and `outward` are an angle before each side of it.
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
            Disc(at, size / 2, outline, 0.035 if outline else 0.0, colour, kind="mark"),
        )
    elif shape != "none":
        layer = Layer.AREA if size >= 1 else Layer.LINE_END
        canvas.add(
            layer,
            _polygon("diamond" if shape == "diamond" else "square", at, size, colour, outline),
        )


def _end(shape: str, at: list[Point], size: float, colour: str, canvas: Canvas) -> None:
    if shape == "bulb":
        canvas.add(Layer.LINE_END, Disc(at[0], size / 2, fill=colour, kind="bulb"))
    elif shape == "circle" and len(at) > 1:
        canvas.add(Layer.LINE, Path(tuple(at), colour, size + 0.07, kind="pill"))
        canvas.add(Layer.LINE_END, Path(tuple(at), "#ffffff", size - 0.07, kind="pill"))
    elif shape == "circle":
        canvas.add(Layer.LINE_END, Disc(at[0], size / 2, colour, 0.07, "#ffffff", kind="end"))
    elif shape == "tip":
        canvas.add(Layer.LINE_END, Disc(at[0], 0.1, fill=colour, kind="end"))
    else:
        canvas.add(Layer.LINE_END, _polygon(shape, at[0], size, "#ffffff", colour))


def _shortened(way: list[Point], last: str) -> list[Point]:
    """A line that ends in an arrow ends where its point is."""
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
