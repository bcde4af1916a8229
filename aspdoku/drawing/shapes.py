"""The shapes of a picture; outlines of sets of cells, borders between regions, and links between
neighbouring cells.

Lengths are in cells. The origin is the top left corner of the grid; x increases to the right and y
downwards. The square of the cell in row R and column C, counted from 1, extends from (C-1,R-1) to
(C,R).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import hypot
from typing import NamedTuple
from unicodedata import east_asian_width

from aspdoku.puzzle.puzzle import Cell

Corner = tuple[int, int]


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


def centre(cell: Cell) -> Point:
    """The centre of a cell."""
    row, column = cell
    return Point(column - 0.5, row - 0.5)


def outlines(cells: Collection[Cell], inset: float = 0.0) -> list[tuple[Point, ...]]:
    """Outlines of cells that share sides and of the holes in them, `inset` inside their edges."""
    following: dict[Corner, list[Corner]] = {}
    inside = set(cells)
    for row, column in sorted(inside):
        top_left, top_right = (column - 1, row - 1), (column, row - 1)
        bottom_left, bottom_right = (column - 1, row), (column, row)
        for neighbour, start, end in (
            ((row - 1, column), top_left, top_right),
            ((row, column + 1), top_right, bottom_right),
            ((row + 1, column), bottom_right, bottom_left),
            ((row, column - 1), bottom_left, top_left),
        ):
            if neighbour not in inside:
                following.setdefault(start, []).append(end)
    return [_inset(loop, inset) for loop in _loops(following)]


def borders(
    region_of: Mapping[Cell, Collection[object]], size: int
) -> Iterator[tuple[Point, Point]]:
    """The sides between cells of different regions, without the frame of the grid."""
    span = range(1, size + 1)
    for row, column in ((row, column) for row in span for column in span):
        here = region_of.get((row, column), ())
        if column < size and region_of.get((row, column + 1), ()) != here:
            yield Point(column, row - 1), Point(column, row)
        if row < size and region_of.get((row + 1, column), ()) != here:
            yield Point(column - 1, row), Point(column, row)


def links(cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """Links between cells that share a side or a corner which connect them to a path if possible,
    otherwise to a tree.

    A greedy spanning forest (Kruskal's algorithm): links across sides come first, and while
    possible no cell has more than two.
    """
    inside = set(cells)
    found = sorted(inside)
    near = [
        ((row, column), (row + down, column + right))
        for row, column in found
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if (row + down, column + right) in inside
    ]
    near.sort(key=lambda pair: pair[0][0] != pair[1][0] and pair[0][1] != pair[1][1])
    group = {cell: cell for cell in found}
    degree = dict.fromkeys(found, 0)
    chosen: list[tuple[Cell, Cell]] = []
    for most in (2, 8):  # paths first, then links between components that are still separate
        for one, other in near:
            if _root(group, one) != _root(group, other) and max(degree[one], degree[other]) < most:
                group[_root(group, one)] = _root(group, other)
                degree[one] += 1
                degree[other] += 1
                chosen.append((one, other))
    return chosen


def direction(start: Point, end: Point) -> Point:
    """The unit vector from one point to another; the zero vector if they are the same."""
    length = hypot(end.x - start.x, end.y - start.y)
    return (
        Point((end.x - start.x) / length, (end.y - start.y) / length) if length else Point(0.0, 0.0)
    )


def chevron(
    tip: Point, towards: Point, size: float, open_: float = 1.0
) -> tuple[Point, Point, Point]:
    """An angle with this tip that points in a direction.

    size: distance from the tip to the opening; open_: width of the opening in multiples of it
    """
    x, y = tip.x - size * towards.x, tip.y - size * towards.y
    across = size * open_ / 2
    return (
        Point(x - across * towards.y, y + across * towards.x),
        tip,
        Point(x + across * towards.y, y - across * towards.x),
    )


def _loops(following: dict[Corner, list[Corner]]) -> Iterator[list[Corner]]:
    """The sides joined to closed loops, which continue along a cell where cells only meet."""
    while following:
        # Two loops never meet in the leftmost corner.
        start = min(following)
        loop = [start]
        here = following.pop(start)[0]
        while here != start:
            before = loop[-1]
            loop.append(here)
            ahead = following[here]
            after = min(ahead, key=partial(_turn, before, here))
            ahead.remove(after)
            if not ahead:
                del following[here]
            here = after
        yield loop


def _turn(before: Corner, here: Corner, after: Corner) -> int:
    """0 for a right turn, 1 for straight on, 2 for a left turn."""
    cross = (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (
        after[0] - here[0]
    )
    return 1 - cross


def _inset(loop: list[Corner], inset: float) -> tuple[Point, ...]:
    points = []
    for index, (x, y) in enumerate(loop):
        (x0, y0), (x1, y1) = loop[index - 1], loop[(index + 1) % len(loop)]
        if _turn((x0, y0), (x, y), (x1, y1)) != 1:
            # The cells are to the right of both sides that meet here.
            points.append(
                Point(x + inset * ((y0 - y) + (y - y1)), y + inset * ((x - x0) + (x1 - x)))
            )
    return tuple(points)


def _root(group: dict[Cell, Cell], cell: Cell) -> Cell:
    while group[cell] != cell:
        cell = group[cell]
    return cell
