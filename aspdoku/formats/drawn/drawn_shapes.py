"""The shapes that SudokuPad draws: lines through points, and figures around one.

A point is a complex number: how far it is from the upper left corner of the grid, in cells, to the
right and, as the imaginary part, down.
"""

from __future__ import annotations

from cmath import isfinite
from dataclasses import dataclass
from functools import cached_property
from math import floor

from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.drawn.colours import Colour, colour, is_white, names
from aspdoku.formats.json_document import Object, is_blank, items
from aspdoku.puzzle.puzzle import Cell

PIXELS = 64  # of SudokuPad in a cell, for the widths of lines
_FARTHEST = 200
_NEAR = 1e-3  # how much of a step of a line ends in the cell from which it comes
_KEYS = {
    *("wayPoints", "color", "thickness", "headLength", "target", "center", "width", "height"),
    *("rounded", "angle", "backgroundColor", "borderColor", "borderSize", "text", "fontSize"),
    *("stroke", "textStroke", "strokeDashArray", "strokeDashOffset"),
}


@dataclass(frozen=True)
class DrawnShape:
    """A line through several points, or a figure or a text around one.

    colour: of a line, or that fills a figure
    size: the width of a line; the width of a figure and, as the imaginary part, its height
    angle: by how many degrees a figure is turned; head: whether a line is an arrow
    faint: whether the text is white
    parts: the entries of the document that draw it
    """

    points: tuple[complex, ...]
    colour: Colour | None
    border: Colour | None
    size: complex
    text: str
    rounded: bool
    angle: float
    head: bool
    faint: bool
    parts: tuple[str, ...]

    @property
    def is_line(self) -> bool:
        """Whether the shape is a line."""
        return len(self.points) > 1

    @property
    def ends(self) -> tuple[complex, complex]:
        """The first and the last point."""
        return self.points[0], self.points[-1]

    @cached_property
    def length(self) -> float:
        """The greater one of width and height."""
        xs, ys = [each.real for each in self.points], [each.imag for each in self.points]
        own = (0.0, 0.0) if self.is_line else (self.size.real, self.size.imag)
        return max(max(xs) - min(xs), max(ys) - min(ys), *own)

    @cached_property
    def is_ground(self) -> bool:
        """Whether nothing but its text can be seen on white."""
        return is_white(self.colour) and is_white(self.border)

    @property
    def colours(self) -> tuple[str, ...]:
        """The names of its colour; of a figure that is not filled, or white, `white` and those of
        its border, which is often black and then not the colour by which it is called.
        """
        if self.is_line or not is_white(self.colour):
            inner = names(self.colour)
        else:
            inner = () if self.text and self.is_ground else ("white",)
        outer = () if is_white(self.border) else names(self.border)
        return tuple(dict.fromkeys((*inner, *(() if outer[:1] == ("black",) else outer))))

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells along a line, or that of a figure; cells that are no neighbours follow each
        other where a line is neither straight nor diagonal. A line that ends at the edge of a cell
        ends in the cell through which it comes there.
        """
        first, *more = self.points
        way = [first + (more[0] - first) * _NEAR, *more] if more else [first]
        way[-1] += (way[-2] - way[-1]) * _NEAR if more else 0
        path = [cell_at(way[0])]
        for row, column in map(cell_at, way[1:]):
            down, right = row - path[-1][0], column - path[-1][1]
            if down and right and abs(down) != abs(right):
                path.append((row, column))
            while path[-1] != (row, column):
                path.append((path[-1][0] + sign(down), path[-1][1] + sign(right)))
        return path

    def __str__(self) -> str:
        kind = "text" if self.text and self.is_ground else "circle" if self.rounded else "rectangle"
        kind = "arrow" if self.head else "line" if self.is_line else kind
        cells = ", ".join(f"r{row}c{column}" for row, column in map(cell_at, self.points))
        label = f" {self.text[:20]!r}" if self.text else ""
        return f"{' '.join((*self.colours[:1], kind))}{label} at {cells}"


def cell_at(point: complex) -> Cell:
    """The cell that contains a point; a point on an edge belongs to the cell after it."""
    return floor(point.imag + 1e-6) + 1, floor(point.real + 1e-6) + 1


def sign(value: float, least: float = 0.05) -> int:
    """-1, 0 or 1; 0 for a value that is nearly 0."""
    return (value > least) - (value < -least)


def shape(entry: Object, part: str, head: bool = False) -> DrawnShape:
    """The shape of an entry of `lines`, `arrows`, `overlays` or `underlays`.

    Raises UnsupportedError.
    """
    for key, value in entry.items():
        if key not in _KEYS and not is_blank(value):
            raise UnsupportedError(f"{part}: a drawing with {key[:30]!r}")
    points = [_point(each, part) for each in items(entry.get("wayPoints"))]
    is_line = len(points) > 1
    width, height, angle, thickness = (
        _number(entry.get(key) or 0, part) for key in ("width", "height", "angle", "thickness")
    )
    if is_line and colour(entry.get("backgroundColor")):
        raise UnsupportedError(f"{part}: a line that is filled")
    fill = colour(entry.get("color", "?") if is_line else entry.get("backgroundColor"))
    return DrawnShape(
        tuple(points) if is_line else (_point(entry.get("center"), part),),
        fill,
        None if is_line else colour(entry.get("borderColor")),
        thickness / PIXELS if is_line else complex(width, height),
        "" if is_blank(entry.get("text")) else str(entry["text"]).strip(),
        entry.get("rounded") is True and not is_line,
        angle,
        head,
        is_white(colour(entry.get("color") or "#000")),
        (part,),
    )


def _point(value: object, part: str) -> complex:
    numbers = [_number(each, part) for each in items(value)]
    if len(numbers) != 2 or max(map(abs, numbers)) > _FARTHEST:
        raise UnsupportedError(f"{part}: {str(value)[:30]!r} instead of a point near the grid")
    return complex(numbers[1], numbers[0])


def _number(value: object, part: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise UnsupportedError(f"{part}: {str(value)[:30]!r} instead of a number")
    return float(value)
