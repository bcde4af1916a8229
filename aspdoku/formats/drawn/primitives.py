"""The shapes of which a document consists: strokes and figures, with lengths in cells.

A point is the distance from the upper left corner of the grid, down and to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite

from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.drawn.colours import Colour, colour, is_white, names
from aspdoku.formats.json_document import Object, is_blank, items
from aspdoku.puzzle.puzzle import Cell

Point = tuple[float, float]

PIXELS = 64  # of SudokuPad in a cell, for the widths of lines
_FARTHEST = 200.0
_STROKE_KEYS = {"wayPoints", "color", "thickness", "headLength"}
_FIGURE_KEYS = {
    *("center", "width", "height", "rounded", "angle", "backgroundColor", "borderColor", "text"),
    *("color", "fontSize", "thickness", "stroke", "borderSize"),
}
# Keys that change neither what an entry shows nor where.
_COSMETIC = {"target", "fontC", "borderSize", "textStroke", "stroke-width", "stroke-linecap"}


@dataclass(frozen=True)
class Stroke:
    """A line through points; `head` if its end is an arrowhead; `part`: its place in a document."""

    points: tuple[Point, ...]
    colour: Colour | None
    width: float
    part: str
    head: bool = False

    @property
    def span(self) -> float:
        """The greater of its extents down and to the right."""
        rows, columns = zip(*self.points, strict=True)
        return max(max(rows) - min(rows), max(columns) - min(columns))

    @property
    def is_closed(self) -> bool:
        """Whether it ends where it begins."""
        return len(self.points) > 2 and is_near(self.points[0], self.points[-1])

    def __str__(self) -> str:
        kind = "arrow" if self.head else "line"
        cells = dict.fromkeys(cell_at(point) for point in self.points)
        where = ", ".join(f"r{row}c{column}" for row, column in cells)
        return f"{_a(_name(self.colour))} {kind} through {where}"


@dataclass(frozen=True)
class Figure:
    """A circle, a rectangle or a text around a point; lengths of 0 mean that only its text is seen.

    angle: by how many degrees it is turned
    """

    centre: Point
    height: float
    width: float
    rounded: bool
    angle: float
    fill: Colour | None
    border: Colour | None
    text: str
    parts: tuple[str, ...]

    @property
    def size(self) -> float:
        """The greater of its lengths."""
        return max(self.height, self.width)

    @property
    def is_ground(self) -> bool:
        """Whether the figure without its text cannot be seen on white."""
        return (is_white(self.fill) and is_white(self.border)) or self.size < 0.01

    @property
    def colours(self) -> tuple[str, ...]:
        """The names of its filling; if that is white, also those of its border unless it is black;
        if it has no border that is coloured, white.
        """
        inner = names(self.fill) if not is_white(self.fill) else ("white",)
        outer = names(self.border)
        return tuple(dict.fromkeys((*inner, *(() if outer[:1] == ("black",) else outer))))

    def __str__(self) -> str:
        row, column = cell_at(self.centre)
        if self.text and self.is_ground:
            return f"the text {self.text[:20]!r} at r{row}c{column}"
        kind = "circle" if self.rounded else "rectangle"
        label = f" with the text {self.text[:20]!r}" if self.text else ""
        name = _name(self.border if is_white(self.fill) else self.fill)
        return f"{_a(name)} {kind} at r{row}c{column}{label}"


def _name(seen: Colour | None) -> str:
    return "white" if is_white(seen) else next(iter(names(seen)), "")


def _a(name: str) -> str:
    return f"an {name}" if name[:1] in ("a", "i", "o") else f"a {name}".strip()


def cell_at(point: Point) -> Cell:
    """The cell that contains a point; a point on an edge belongs to the cell after it."""
    return floor(point[0] + 1e-6) + 1, floor(point[1] + 1e-6) + 1


def centre_of(cells: list[Cell]) -> Point:
    """The middle of cells."""
    rows, columns = ([each[axis] - 0.5 for each in cells] for axis in (0, 1))
    return sum(rows) / len(cells), sum(columns) / len(cells)


def is_near(one: Point, other: Point, most: float = 0.05) -> bool:
    """Whether two points are at the same place."""
    return abs(one[0] - other[0]) < most and abs(one[1] - other[1]) < most


def stroke(entry: Object, part: str, head: bool) -> Stroke:
    """The stroke of an entry of `lines` or `arrows`. Raises UnsupportedError."""
    _require_known(entry, _STROKE_KEYS, part)
    points = tuple(_point(each, part) for each in items(entry.get("wayPoints")))
    if len(points) < 2:
        raise UnsupportedError(f"{part}: a line without points")
    width = _length(entry, "thickness", part) / PIXELS
    return Stroke(points, colour(entry.get("color", "?")), width, part, head)


def figure(entry: Object, part: str) -> Figure:
    """The figure of an entry of `overlays` or `underlays`. Raises UnsupportedError."""
    _require_known(entry, _FIGURE_KEYS, part)
    text = "" if is_blank(entry.get("text")) else str(entry["text"]).strip()
    fill = colour(entry.get("backgroundColor"))
    seen = is_white(colour(entry.get("color", "#000"))) and is_white(fill)
    return Figure(
        _point(entry.get("center"), part),
        _length(entry, "height", part),
        _length(entry, "width", part),
        entry.get("rounded") is True,
        _length(entry, "angle", part),
        fill,
        colour(entry.get("borderColor")),
        "" if seen else text,
        (part,),
    )


def _require_known(entry: Object, known: set[str], part: str) -> None:
    for key, value in entry.items():
        if key not in known | _COSMETIC and not is_blank(value):
            raise UnsupportedError(f"{part}: a drawing with {key[:30]!r}")


def _point(value: object, part: str) -> Point:
    found = [_real(each, part) for each in items(value)]
    if len(found) != 2:
        raise UnsupportedError(f"{part}: {str(value)[:30]!r} instead of a point")
    return found[0], found[1]


def _length(entry: Object, key: str, part: str) -> float:
    value = entry.get(key)
    return 0.0 if is_blank(value) else _real(value, part, 1e4)


def _real(value: object, part: str, most: float = _FARTHEST) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise UnsupportedError(f"{part}: {str(value)[:30]!r} instead of a number")
    if abs(value) > most:
        raise UnsupportedError(f"{part}: {value} is too far from the grid")
    return float(value)
