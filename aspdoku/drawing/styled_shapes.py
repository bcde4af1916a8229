"""The shapes that each kind of style draws for groups of facts, and the ends of lines."""

from __future__ import annotations

from collections.abc import Callable

from aspdoku.drawing import outside_clues
from aspdoku.drawing.canvas import GREY, INK, Canvas, Layer
from aspdoku.drawing.facts import FactGroup, MatchedFact, cell, cells, text_of
from aspdoku.drawing.geometry import borders, centre, chevron, direction, links, outlines
from aspdoku.drawing.outside_clues import INSET, LABEL, draw_label
from aspdoku.drawing.shapes import Circle, Path, Point, Text, rectangle, text_width
from aspdoku.drawing.style import KINDS_WITH_LABELS, DrawStyle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term


def draw_area(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Shade cells."""
    colour = canvas.colour_of(style, colour_key(style, group))
    inside = cells(group.facts)
    for draw_path in outlines(inside, 0.0):
        canvas.add(Layer.AREA, Path(draw_path, fill=colour, closed=True, kind="area"))
    draw_label(group, inside, canvas)


def draw_outline(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a dashed outline inside cells, and a label in the first of them."""
    inside = cells(group.facts)
    ground = canvas.colour_of(style, colour_key(style, group)) if style.by else style.colour
    if ground:
        for draw_path in outlines(inside, INSET):
            canvas.add(Layer.AREA, Path(draw_path, fill=ground, closed=True, kind="area"))
    stroke, width = style.outline or INK, style.width or 0.025
    for draw_path in outlines(inside, INSET):
        canvas.add(
            Layer.OUTLINE, Path(draw_path, stroke, width, closed=True, dashed=True, kind="outline")
        )
    draw_label(group, inside, canvas, ground=ground or "#ffffff")


def draw_borders(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> None:
    """Draw thick lines between different regions."""
    region_of: dict[Cell, set[object]] = {}
    for group in groups:
        for cell_ in cells(group.facts):
            region_of.setdefault(cell_, set()).add(group.name)
    for side in borders(region_of, canvas.size):
        canvas.add(
            Layer.BORDER, Path(side, style.colour or INK, style.width or 0.06, kind="border")
        )
    for group in groups:
        draw_label(group, cells(group.facts), canvas)


def draw_path(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a line through cells in the order of their positions, with shapes at its ends."""
    way = [centre(each) for each in cells(group.facts)]
    way += way[:1] if group.closed else []
    colour = canvas.colour_of(style, colour_key(style, group))
    width = style.width or 0.16
    if style.extend and len(way) > 1:
        before, after = direction(way[1], way[0]), direction(way[-2], way[-1])
        way = [
            _extended(way[0], before, style.extend),
            *way,
            _extended(way[-1], after, style.extend),
        ]
    draw_line(style, colour, width, way, group, canvas)
    draw_label(group, cells(group.facts)[:1], canvas)


def draw_links(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a circle in each cell, linked to those of neighbouring cells."""
    colour = canvas.colour_of(style, colour_key(style, group))
    inside = cells(group.facts)
    radius, width = (style.size or 0.76) / 2, style.width or 0.12
    for one, other in links(inside):
        canvas.add(
            Layer.LINE,
            Path((centre(one), centre(other)), style.outline or GREY, width, kind="link"),
        )
    for each in inside:
        canvas.add(
            Layer.LINE_END,
            Circle(centre(each), radius, style.outline or GREY, 0.035, colour, kind="link"),
        )
    draw_label(group, inside[:1], canvas)


def draw_marks(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a shape behind the digit of each cell."""
    grey = "#d9d9d9" if style.shape != "none" else ""
    colour = canvas.colour_of(style, colour_key(style, group)) if style.by else style.colour or grey
    for matched in group.facts:
        for at in map(centre, matched.cells):
            draw_mark(
                style.shape or "circle", at, style.size or 0.76, colour, style.outline, canvas
            )
        if style.ink:
            canvas.digit_colours.update(dict.fromkeys(matched.cells, style.ink))
        at, text = centre(matched.cells[0]), text_of(style, matched)
        if text and style.shape not in ("", "none"):
            canvas.add(
                Layer.DOT,
                Text(
                    at.moved(0, 0.02),
                    text,
                    canvas.digit_size,
                    style.ink or INK,
                    bold=True,
                    kind="mark",
                ),
            )
        elif text:
            canvas.add(
                Layer.DOT,
                Text(at.moved(-0.42, -0.33), text, LABEL, bold=True, centred=False, kind="label"),
            )
            canvas.count_label(matched.cells[0])


def draw_corner(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a circle on the lower right corner of a cell, with the texts of all its facts."""
    row, column = cell(group.facts[0], "R", "C")
    at = Point(column, row)
    texts = [
        text_of(style, matched) for matched in group.facts for _ in range(_repetitions(matched))
    ]
    canvas.add(Layer.DOT, Circle(at, 0.3, INK, 0.025, style.colour or "#ffffff", kind="corner"))
    half = (len(texts) + 1) // 2
    lines = [texts] if len(texts) <= 2 else [texts[:half], texts[half:]]
    for index, texts in enumerate(lines):
        down = 0.23 * (index - (len(lines) - 1) / 2)
        canvas.add(Layer.DOT, Text(at.moved(0, down), " ".join(texts), 0.25, kind="corner"))


def draw_edge(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw a dot, a text or an inequality sign between two cells.

    If the cells are not neighbours, a thin line connects them.
    """
    for matched in group.facts:
        one, other = matched.cells
        start, end = centre(one), centre(other)
        at = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
        towards = direction(start, end)
        if max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1:
            canvas.add(Layer.LINE, Path((start, end), GREY, 0.03, kind="join"))
        size = style.size or 0.3
        text = text_of(style, matched)
        if style.shape == "sign":
            tip = at.moved(towards.x * size / 2, towards.y * size / 2)
            canvas.add(
                Layer.DOT,
                rectangle(at.x - 0.14, at.y - 0.14, at.x + 0.14, at.y + 0.14, "#ffffff", "ground"),
            )
            canvas.add(
                Layer.DOT,
                Path(chevron(tip, towards, size, 1.3), INK, style.width or 0.045, kind="sign"),
            )
        elif style.shape != "none":
            fill = style.colour or "#ffffff"
            canvas.add(
                Layer.DOT, Circle(at, size / 2, style.outline or INK, 0.03, fill, kind="dot")
            )
        elif text:
            half = max(0.13, text_width(text, size) / 2)
            canvas.add(
                Layer.DOT,
                rectangle(at.x - half, at.y - 0.15, at.x + half, at.y + 0.15, "#ffffff", "ground"),
            )
        if text:
            colour = style.ink or INK
            small = min(size, 0.36) * (1 if style.shape == "none" else min(0.72, 1.3 / len(text)))
            canvas.add(Layer.DOT, Text(at, text, small, colour, bold=True, kind="edge"))


def draw_candidates(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Draw pencil marks in a cell."""
    for matched in group.facts:
        number = matched.values["N"]
        if isinstance(number, int) and number in canvas.numbers:
            canvas.add_candidate(matched.cells[0], number, style.ink or INK)


def draw_numbers(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Note the numbers that a cell of a solution shows instead of its own."""
    for matched in group.facts:
        number = matched.values["N"]
        if isinstance(number, int):
            canvas.contents.setdefault(matched.cells[0], []).append(number)
            if style.ink:
                canvas.digit_colours[matched.cells[0]] = style.ink


def draw_note(style: DrawStyle, group: FactGroup, canvas: Canvas) -> None:
    """Add a text to the caption of the rule below the grid.

    Texts with the same beginning up to a colon are joined.
    """
    found: dict[str, dict[object, dict[str, None]]] = {}
    for matched in group.facts:
        heading, _, item = text_of(style, matched).rpartition(": ")
        alternative = matched.values[style.by] if style.by else item
        found.setdefault(heading, {}).setdefault(alternative, {})[item] = None
    separator = " or " if style.by else ", "
    texts = [
        (f"{heading}: " if heading else "") + separator.join(map(" with ".join, items.values()))
        for heading, items in found.items()
    ]
    canvas.notes.setdefault(style.rule, []).append("; ".join(texts))


DRAWERS: dict[str, Callable[[DrawStyle, FactGroup, Canvas], None]] = {
    "area": draw_area,
    "outline": draw_outline,
    "line": draw_path,
    "links": draw_links,
    "mark": draw_marks,
    "corner": draw_corner,
    "edge": draw_edge,
    "clue": outside_clues.draw_clue,
    "candidates": draw_candidates,
    "numbers": draw_numbers,
    "note": draw_note,
}


def draw(style: DrawStyle, groups: list[FactGroup], canvas: Canvas) -> None:
    """Draw all groups of a style."""
    for group in groups if style.draw in KINDS_WITH_LABELS else ():
        clue = style.rule.replace("-", "_"), group.name[0] if len(group.name) == 1 else ""
        if style.atom.signature in canvas.named or clue in canvas.cited:
            group.caption = group.title
        if colour := canvas.cited.get(clue):
            canvas.highlight(cells(group.facts), colour)
    if style.draw == "borders":
        draw_borders(style, groups, canvas)
    elif style.draw == "pointer":
        outside_clues.draw_pointers(style, groups, canvas)
    else:
        for group in groups:
            DRAWERS[style.draw](style, group, canvas)


def colour_key(style: DrawStyle, group: FactGroup) -> tuple[Term, ...]:
    """The key that selects the colour: the name of the group, or the argument `by`."""
    return (group.facts[0].values[style.by],) if style.by else group.name


def _repetitions(matched: MatchedFact) -> int:
    """How often the text of a corner is repeated: the argument Q, if there is one."""
    times = matched.values.get("Q", 1)
    return max(1, min(times, 4)) if isinstance(times, int) else 1


def _extended(end: Point, outwards: Point, cells: float) -> Point:
    """The end moved outwards by a number of cells, which are longer along a diagonal."""
    length = cells / max(abs(outwards.x), abs(outwards.y), 1e-9)
    return end.moved(outwards.x * length, outwards.y * length)


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
