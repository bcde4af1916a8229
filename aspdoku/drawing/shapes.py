"""The shapes of a picture. Lengths are in cells.

The origin is the top left corner of the grid; x increases to the right and y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple
from unicodedata import east_asian_width


class Point(NamedTuple):
    """A point in the picture, or a vector."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> Point:
        """The point moved by x to the right and by y down."""
        return Point(self.x + x, self.y + y)


@dataclass(frozen=True)
class Path:
    """A polyline, or a polygon if it is closed; stroke or fill "" draws none."""

    points: tuple[Point, ...]
    stroke: str = ""
    width: float = 0.0
    fill: str = ""
    closed: bool = False
    dashed: bool = False
    kind: str = "line"


@dataclass(frozen=True)
class Circle:
    """A circle."""

    centre: Point
    radius: float
    stroke: str = ""
    width: float = 0.0
    fill: str = ""
    kind: str = "circle"


@dataclass(frozen=True)
class Text:
    """A text in one line.

    at: its centre, or if it is not centred the middle of its left end
    """

    at: Point
    text: str
    size: float
    colour: str = "#111111"
    bold: bool = False
    centred: bool = True
    kind: str = "text"

    @property
    def width(self) -> float:
        """An upper bound for the width."""
        return text_width(self.text, self.size)


Shape = Path | Circle | Text


def translated(shape: Shape, x: float, y: float) -> Shape:
    """The shape moved by x and y."""
    if isinstance(shape, Path):
        return replace(shape, points=tuple(point.moved(x, y) for point in shape.points))
    if isinstance(shape, Circle):
        return replace(shape, centre=shape.centre.moved(x, y))
    return replace(shape, at=shape.at.moved(x, y))


def rectangle(left: float, top: float, right: float, bottom: float, fill: str, kind: str) -> Path:
    """A filled rectangle."""
    corners = (Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom))
    return Path(corners, fill=fill, closed=True, kind=kind)


def text_width(text: str, size: float) -> float:
    """An upper bound for the width of a text in bold Helvetica or Arial; an estimate for other
    scripts.
    """
    return size * sum(map(_character_width, text))


def _character_width(sign: str) -> float:
    """The width of a character as a fraction of the font size."""
    if sign in _WIDTHS:
        return _WIDTHS[sign]
    if sign.isascii():
        return 0.78 if sign.isupper() else 0.62
    return 0.8 if sign.isalpha() and east_asian_width(sign) not in "WF" else 1.05


_WIDTHS = {
    sign: width
    for signs, width in ((" ijlI.,'|", 0.28), ("ftr-!:;()[]", 0.39), ("mM%w", 0.89), ("W@", 0.98))
    for sign in signs
}
