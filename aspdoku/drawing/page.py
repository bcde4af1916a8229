"""Page layout: the title above the grid and notes below it, wrapped to the width of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from aspdoku.drawing.canvas import Canvas
from aspdoku.drawing.shapes import Point, Shape, Text, rectangle, text_width, translated
from aspdoku.puzzle.puzzle import Cell

MARGIN = 0.25


@dataclass(frozen=True)
class Picture:
    """Shapes from bottom to top, with the origin at the upper left; width and height in cells.

    grid: the upper left corner of the grid
    areas: the number of shapes, from the first, that are below highlighted cells
    labels: the number of lines at the top of cells that labels use
    inks: the colours of numbers in cells for which a style states one
    """

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]
    grid: Point
    areas: int
    labels: Mapping[Cell, int]
    inks: Mapping[Cell, str]


class Note(NamedTuple):
    """A text below the grid, and the colours of the shapes that it describes."""

    text: str
    colours: tuple[str, ...] = ()


def layout(canvas: Canvas, title: str, notes: list[Note]) -> Picture:
    """The grid with its title above and the notes below, each after a swatch of its colours.

    The grid is centred if there is a title or a note.
    """
    margins = {side: margin + MARGIN for side, margin in canvas.margins.items()}
    if title or notes:
        margins["left"] = margins["right"] = max(margins["left"], margins["right"])
    across, down = canvas.extent
    width = margins["left"] + across + margins["right"]
    small = min(0.32, max(0.2, 0.034 * width)) if canvas.size < 16 else 0.028 * width
    small = min(small, 0.15 * width)
    shapes: list[Shape] = []
    y = MARGIN
    for line in wrap(title, width - 2 * MARGIN, small * 1.25):
        y += 2 * small
        shapes.append(
            Text(Point(width / 2, y - 0.9 * small), line, small * 1.25, bold=True, kind="title")
        )
    left = margins["left"]
    top = y + margins["top"]
    areas = len(shapes) + canvas.areas
    shapes += [translated(shape, left, top) for shape in canvas.shapes]
    y = top + down + margins["bottom"] + 0.1
    indent = 2 * small
    for note in notes:
        shapes += _swatch(note.colours, y, small)
        for line in wrap(note.text, width - 2 * MARGIN - indent, small) or [""]:
            at = Point(MARGIN + indent, y + 0.7 * small)
            shapes.append(Text(at, line, small, "#333333", centred=False, kind="note"))
            y += 1.45 * small
    return Picture(
        width,
        y + 0.2,
        title,
        tuple(shapes),
        Point(left, top),
        areas,
        canvas.labels,
        canvas.digit_colours,
    )


def wrap(text: str, width: float, size: float) -> list[str]:
    """Lines of a text, no wider than `width`; words that are too long are broken."""
    found: list[str] = []
    for piece in (piece for word in text.split() for piece in _break_word(word, width, size)):
        if found and text_width(f"{found[-1]} {piece}", size) <= width:
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def _break_word(word: str, width: float, size: float) -> Iterator[str]:
    start, room = 0, width
    for at, sign in enumerate(word):
        room -= text_width(sign, size)
        if room < 0 and at > start:
            yield word[start:at]
            start, room = at, width - text_width(sign, size)
    yield word[start:]


def _swatch(colours: tuple[str, ...], top: float, small: float) -> list[Shape]:
    """Rectangles in the colours, next to each other."""
    across = 1.3 * small / max(1, len(colours))
    lefts = (MARGIN + across * index for index in range(len(colours)))
    bottom = top + 1.2 * small
    return [
        rectangle(left, top + 0.2 * small, left + across, bottom, colour, "note")
        for left, colour in zip(lefts, colours, strict=True)
    ]
