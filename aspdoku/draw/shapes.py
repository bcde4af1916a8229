"""What a picture consists of. Lengths are in cells.

X grows to the right and y downwards from the grid's top left corner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple
from unicodedata import east_asian_width


class Point(NamedTuple):
    """A place in the picture."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> Point:
        """The place so far to the right and below."""
        return Point(self.x + x, self.y + y)


@dataclass(frozen=True)
class Path:
    """A line through points, or a polygon where it is closed; an empty colour draws nothing."""

    points: tuple[Point, ...]
    stroke: str = ""
    width: float = 0.0
    fill: str = ""
    closed: bool = False
    dashed: bool = False
    kind: str = "line"


@dataclass(frozen=True)
class Disc:
    """A circle."""

    centre: Point
    radius: float
    stroke: str = ""
    width: float = 0.0
    fill: str = ""
    kind: str = "disc"


@dataclass(frozen=True)
class Words:
    """A text in one line.

    `at` is the middle of it, or its left end on half height where it is not centred.
    """

    at: Point
    text: str
    size: float
    colour: str = "#111111"
    bold: bool = False
    centred: bool = True
    kind: str = "text"

    @property
    def breadth(self) -> float:
        """How wide it is at most."""
        return breadth(self.text, self.size)


Shape = Path | Disc | Words


def shifted(shape: Shape, x: float, y: float) -> Shape:
    """The same elsewhere."""
    if isinstance(shape, Path):
        return replace(shape, points=tuple(point.moved(x, y) for point in shape.points))
    if isinstance(shape, Disc):
        return replace(shape, centre=shape.centre.moved(x, y))
    return replace(shape, at=shape.at.moved(x, y))


def rectangle(left: float, top: float, right: float, bottom: float, fill: str, kind: str) -> Path:
    """A filled rectangle."""
    corners = (Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom))
    return Path(corners, fill=fill, closed=True, kind=kind)


def breadth(text: str, size: float) -> float:
    """How wide a text is at most, in the bold letters of Helvetica or Arial.

    About so wide in other scripts.
    """
    return size * sum(map(_wide, text))


def _wide(sign: str) -> float:
    """A letter's width as a part of the size of its font."""
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
