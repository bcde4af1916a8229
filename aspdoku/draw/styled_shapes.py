"""What each kind of look makes of facts: shapes on a canvas."""

from __future__ import annotations

from collections.abc import Callable

from aspdoku.draw import line_ends, outside
from aspdoku.draw.canvas import GREY, INK, Canvas, Layer
from aspdoku.draw.facts import Group, Reading, cell, cells, written
from aspdoku.draw.geometry import borders, centre, chevron, direction, links, outlines
from aspdoku.draw.outside import INSET, LABEL, label
from aspdoku.draw.shapes import Disc, Path, Point, Words, breadth, rectangle
from aspdoku.draw.style import Look
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term


def area(look: Look, group: Group, canvas: Canvas) -> None:
    """Shaded cells."""
    colour = canvas.colour(look, hue(look, group))
    inside = cells(group.readings)
    for line in outlines(inside, 0.0):
        canvas.add(Layer.AREA, Path(line, fill=colour, closed=True, kind="area"))
    label(group, inside, canvas)


def outline(look: Look, group: Group, canvas: Canvas) -> None:
    """A dashed line inside of cells, and what it says in the first of them."""
    inside = cells(group.readings)
    ground = canvas.colour(look, hue(look, group)) if look.by else look.colour
    if ground:
        for line in outlines(inside, INSET):
            canvas.add(Layer.AREA, Path(line, fill=ground, closed=True, kind="area"))
    stroke, width = look.outline or INK, look.width or 0.025
    for line in outlines(inside, INSET):
        canvas.add(
            Layer.OUTLINE, Path(line, stroke, width, closed=True, dashed=True, kind="outline")
        )
    label(group, inside, canvas, ground=ground or "#ffffff")


def border(look: Look, groups: list[Group], canvas: Canvas) -> None:
    """Strong lines between the cells of one region and those of another."""
    region_of: dict[Cell, set[object]] = {}
    for group in groups:
        for each in cells(group.readings):
            region_of.setdefault(each, set()).add(group.name)
    for side in borders(region_of, canvas.size):
        canvas.add(Layer.BORDER, Path(side, look.colour or INK, look.width or 0.06, kind="border"))
    for group in groups:
        label(group, cells(group.readings), canvas)


def line(look: Look, group: Group, canvas: Canvas) -> None:
    """A path through cells, in the order of their places, with marks at its ends."""
    way = [centre(each) for each in cells(group.readings)]
    way += way[:1] if group.closed else []
    colour = canvas.colour(look, hue(look, group))
    width = look.width or 0.16
    if look.extend and len(way) > 1:
        before, after = direction(way[1], way[0]), direction(way[-2], way[-1])
        way = [_beyond(way[0], before, look.extend), *way, _beyond(way[-1], after, look.extend)]
    line_ends.draw(look, colour, width, way, group, canvas)
    label(group, cells(group.readings)[:1], canvas)


def chain(look: Look, group: Group, canvas: Canvas) -> None:
    """A circle in each cell, joined to those of its neighbours."""
    colour = canvas.colour(look, hue(look, group))
    inside = cells(group.readings)
    radius, width = (look.size or 0.76) / 2, look.width or 0.12
    for one, other in links(inside):
        canvas.add(
            Layer.LINE, Path((centre(one), centre(other)), look.outline or GREY, width, kind="link")
        )
    for each in inside:
        canvas.add(
            Layer.LINE_END,
            Disc(centre(each), radius, look.outline or GREY, 0.035, colour, kind="link"),
        )
    label(group, inside[:1], canvas)


def mark(look: Look, group: Group, canvas: Canvas) -> None:
    """A shape behind the digit of each cell."""
    for reading in group.readings:
        for at in map(centre, reading.cells):
            colour = look.colour or ("#d9d9d9" if look.shape != "none" else "")
            line_ends.mark(
                look.shape or "circle", at, look.size or 0.76, colour, look.outline, canvas
            )
        if look.ink:
            canvas.ink.update(dict.fromkeys(reading.cells, look.ink))
        at, text = centre(reading.cells[0]), written(look, reading)
        if text and look.shape not in ("", "none"):
            canvas.add(
                Layer.DOT,
                Words(
                    at.moved(0, 0.02), text, canvas.digit, look.ink or INK, bold=True, kind="mark"
                ),
            )
        elif text:
            canvas.add(
                Layer.DOT,
                Words(at.moved(-0.42, -0.33), text, LABEL, bold=True, centred=False, kind="label"),
            )
            canvas.label(reading.cells[0])


def corner(look: Look, group: Group, canvas: Canvas) -> None:
    """A circle around the lower right corner of a cell, with all that is said of it."""
    row, column = cell(group.readings[0], "R", "C")
    at = Point(column, row)
    texts = [written(look, reading) for reading in group.readings for _ in range(_times(reading))]
    canvas.add(Layer.DOT, Disc(at, 0.3, INK, 0.025, look.colour or "#ffffff", kind="corner"))
    half = (len(texts) + 1) // 2
    lines = [texts] if len(texts) <= 2 else [texts[:half], texts[half:]]
    for place, texts in enumerate(lines):
        down = 0.23 * (place - (len(lines) - 1) / 2)
        canvas.add(Layer.DOT, Words(at.moved(0, down), " ".join(texts), 0.25, kind="corner"))


def edge(look: Look, group: Group, canvas: Canvas) -> None:
    """A dot, a word or a sign between two cells.

    Where they are not neighbours, a thin line shows which.
    """
    for reading in group.readings:
        one, other = reading.cells
        start, end = centre(one), centre(other)
        at = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
        towards = direction(start, end)
        if max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1:
            canvas.add(Layer.LINE, Path((start, end), GREY, 0.03, kind="join"))
        size = look.size or 0.3
        text = written(look, reading)
        if look.shape == "sign":
            tip = at.moved(towards.x * size / 2, towards.y * size / 2)
            canvas.add(
                Layer.DOT,
                rectangle(at.x - 0.14, at.y - 0.14, at.x + 0.14, at.y + 0.14, "#ffffff", "ground"),
            )
            canvas.add(
                Layer.DOT,
                Path(chevron(tip, towards, size, 1.3), INK, look.width or 0.045, kind="sign"),
            )
        elif look.shape != "none":
            fill = look.colour or "#ffffff"
            canvas.add(Layer.DOT, Disc(at, size / 2, look.outline or INK, 0.03, fill, kind="dot"))
        elif text:
            half = max(0.13, breadth(text, size) / 2)
            canvas.add(
                Layer.DOT,
                rectangle(at.x - half, at.y - 0.15, at.x + half, at.y + 0.15, "#ffffff", "ground"),
            )
        if text:
            colour = look.ink or INK
            small = min(size, 0.36) * (1 if look.shape == "none" else min(0.72, 1.3 / len(text)))
            canvas.add(Layer.DOT, Words(at, text, small, colour, bold=True, kind="edge"))


def candidates(look: Look, group: Group, canvas: Canvas) -> None:
    """Small numbers in a cell, each at its own place."""
    for reading in group.readings:
        number = reading.values["N"]
        if isinstance(number, int) and number in canvas.numbers:
            canvas.candidate(reading.cells[0], number, look.ink or INK)


def note(look: Look, group: Group, canvas: Canvas) -> None:
    """Told below the grid, behind what the rule says."""
    texts = dict.fromkeys(written(look, reading) for reading in group.readings)
    canvas.notes.setdefault(look.rule, []).append(", ".join(texts))


ONE_BY_ONE: dict[str, Callable[[Look, Group, Canvas], None]] = {
    "area": area,
    "outline": outline,
    "line": line,
    "links": chain,
    "mark": mark,
    "corner": corner,
    "edge": edge,
    "clue": outside.clue,
    "pointer": outside.pointer,
    "candidates": candidates,
    "note": note,
}


def draw(look: Look, groups: list[Group], canvas: Canvas) -> None:
    """All that a look shows."""
    if look.draw == "borders":
        border(look, groups, canvas)
    else:
        for group in groups:
            ONE_BY_ONE[look.draw](look, group, canvas)


def hue(look: Look, group: Group) -> tuple[Term, ...]:
    """What has a colour of its own: the name of the group, or just one part of it."""
    return (group.readings[0].values[look.by],) if look.by else group.name


def _times(reading: Reading) -> int:
    """How often a number stands in a circle, where that is said."""
    times = reading.values.get("Q", 1)
    return max(1, min(times, 4)) if isinstance(times, int) else 1


def _beyond(end: Point, outwards: Point, cells: float) -> Point:
    """A place so many cells further; along a diagonal these are longer."""
    length = cells / max(abs(outwards.x), abs(outwards.y), 1e-9)
    return end.moved(outwards.x * length, outwards.y * length)
