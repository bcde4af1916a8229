"""Elements from shapes: what they are by their geometry.

Each shape becomes a part of one element, or of the paths of one thermometer; or it is listed as
without meaning, or else as unread.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise

from aspdoku.formats.base import by_key
from aspdoku.formats.drawn.colours import is_like, is_white, notation
from aspdoku.formats.drawn.drawn_shapes import DrawnShape, cell_at, sign
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.shapes import SquareGrid, square
from aspdoku.puzzle.puzzle import Cell, joined_cells

# The direction of the open side of a sign that is not turned. A letter v may be a V.
_OPEN = {"<": 1, ">": -1, "^": 1j, "∧": 1j, "˄": 1j, "∨": -1j, "˅": -1j}
SMALL = 0.5  # the greatest length of a mark, and the least one of a bulb or the circle of an arrow
_SHORT = 0.9  # a line of this length has an end in the middle of a cell, or is a mark
BROAD = 0.2  # the least width of a line whose bulb may be hollow
_WHOLE = 0.93  # the least length of a figure that fills a cell

Path = tuple[Cell, ...]
Edge = frozenset[complex]


class Recognition:
    """The elements of shapes on a grid of `size` rows and columns with these regions."""

    def __init__(self, size: int, regions: Iterable[Iterable[Cell]] = ()) -> None:
        self.elements: list[Element] = []
        self.without_meaning: list[str] = []
        self._size = size
        self._inside = {*SquareGrid(size).in_order()}
        self._left: list[DrawnShape] = []
        self._regions = {cell: at for at, cells in enumerate(regions) for cell in cells}

    def recognize(self, shapes: Iterable[DrawnShape]) -> list[str]:
        """Add the elements of shapes, given from bottom to top. Returns what is unread in words."""
        for each in shapes:
            below = (at for at, other in enumerate(self._left) if _is_one_thing(other, each))
            place = max(below, default=None)
            if place is None:
                self._left.append(each)
            else:
                self._left[place] = _merged(self._left[place], each)
        self._left = [
            replace(each, text="") if self._is_faint(each) else each for each in self._left
        ]
        self._drop_without_meaning()
        self._read_arrows()
        self._read_thermometers()
        self._read_lines()
        self._read_outside()
        self._read_areas()
        for each in [each for each in self._left if not each.is_line]:
            self._read_figure(each)
        return list(map(str, self._left))

    def add(self, kind: str, cells: Iterable[Cell], *shapes: DrawnShape, **more: object) -> None:
        """Add an element that consists of shapes, which are then read."""
        parts = tuple(part for each in shapes for part in each.parts)
        first = shapes[0]
        shown = first.border if is_white(first.colour) else first.colour
        colours = {"colours": first.colours, "shown": notation(shown)}
        about = {**colours, "text": first.text, "parts": parts, "size": first.size.real, **more}
        self.elements.append(Element(kind, tuple(cells), **about))  # type: ignore[arg-type]
        self._left = [each for each in self._left if each.parts[0] not in parts]

    def _is_faint(self, each: DrawnShape) -> bool:
        """Whether a text is white on white."""
        return each.faint and not any(
            abs(each.points[0] - other.points[0]) < other.length / 2
            for other in self._left
            if not (other.is_line or is_white(other.colour))
        )

    def _is_visible(self, each: DrawnShape) -> bool:
        """Whether a shape can be seen; a white one if it covers a cell, or a part of the grid or of
        a line.
        """
        if each.is_line or each.text or not each.is_ground:
            return bool(each.text) or not each.is_line or each.colour is not None
        if min(each.size.real, each.size.imag) >= _WHOLE:
            return each.colour is not None and each.cells[0] in self._inside
        over = any(other.is_line and each.cells[0] in other.cells for other in self._left)
        covers = over or _off(each.points[0]) > 0.4
        return each.colour is not None and each.rounded and covers

    def _drop_without_meaning(self) -> None:
        edges = {each: _edges(each) for each in self._left if each.is_line and _is_on_edges(each)}
        sides: dict[Edge, list[int | None]] = defaultdict(list)
        for row, column in self._inside:
            corner = complex(column - 1, row - 1)
            for start, end in ((0, 1), (0, 1j), (1, 1 + 1j), (1j, 1 + 1j)):
                edge = frozenset((corner + start, corner + end))
                sides[edge].append(self._regions.get((row, column)))
        is_grid = sides.keys() <= set().union(*edges.values())
        borders = {edge for edge, (at, *other) in sides.items() if is_grid or other != [at]}
        for each in list(self._left):
            why = ""
            if not self._is_visible(each):
                why = "that cannot be seen"
            elif each in edges and edges[each] <= borders:
                why = "that is part of the grid"
            elif not each.is_line and len(self._covered(each)) == self._size**2 and not each.text:
                why = "behind the grid"
            if why:
                self.without_meaning.append(f"{str(each).partition(' at ')[0]} {why}")
                self._left.remove(each)

    def _covered(self, each: DrawnShape) -> Path:
        """The cells whose middle a figure covers; of a small one, its own."""
        if each.length < 1.2:
            return tuple(cell for cell in each.cells if cell in self._inside)
        middle, half = each.points[0] + 0.5 + 0.5j, each.size / 2
        inside = (
            (row, column)
            for row, column in self._inside
            if abs(column - middle.real) < half.real and abs(row - middle.imag) < half.imag
        )
        return tuple(sorted(inside))

    def _is_path(self, way: Sequence[Cell]) -> bool:
        """Whether cells are in the grid, and each touches the next one."""
        steps = (max(abs(a - c), abs(b - d)) for (a, b), (c, d) in pairwise(way))
        return bool(way) and self._inside.issuperset(way) and all(far == 1 for far in steps)

    # ---- Lines ----

    def _read_arrows(self) -> None:
        """Read the arrows inside the grid; one that begins in a circle or at its rim with it."""
        arrows = [each for each in self._left if each.head and each.cells[0] in self._inside]
        for circle in [each for each in self._left if self._is_circle(each)]:
            cells = self._covered(circle)
            here = [each for each in arrows if _is_at_rim(each.points[0], circle)]
            shafts = [tuple(dropwhile(cells.__contains__, each.cells)) for each in here]
            if here and all(map(self._is_path, shafts)):
                names = dict.fromkeys((*here[0].colours, *circle.colours))
                self.add("arrow", cells, circle, *here, shafts=tuple(shafts), colours=tuple(names))
                arrows = [each for each in arrows if each not in here]
        for each in arrows:
            if each.length >= _SHORT and self._is_path(each.cells):
                self.add("arrow", (), each, shafts=(tuple(each.cells),))

    def _is_circle(self, each: DrawnShape) -> bool:
        in_place = each.length > 1.2 or _off(each.points[0]) < 0.1
        return each.rounded and in_place and each.length >= SMALL and each.cells[0] in self._inside

    def _read_thermometers(self) -> None:
        """Read lines with a circle of their colour at one end as thermometers, with branches."""
        lines = [each for each in self._left if self._is_line(each)]
        bulbs = [each for each in self._left if self._is_circle(each) and each.length < 1.2]
        starts = {bulb: [each for each in lines if _is_bulb_of(bulb, each)] for bulb in bulbs}
        number = Counter(each for found in starts.values() for each in found)
        free = [each for each in lines if not number[each]]
        starts = {
            bulb: found
            for bulb, found in starts.items()
            if found and all(number[each] == 1 for each in found)
        }
        while True:
            trees = {bulb: _with_branches(found, free) for bulb, found in starts.items()}
            number = Counter(each for found in trees.values() for each in found)
            if max(number.values(), default=1) == 1:
                break
            free = [each for each in free if number[each] == 1]
        for bulb, found in trees.items():
            for path in _paths(bulb.cells[0], found, len(starts[bulb])):
                self.add("thermo", path, bulb, *found, colours=found[0].colours)

    def _is_line(self, each: DrawnShape) -> bool:
        line = each.is_line and not each.head and not _is_on_edges(each)
        return line and not _is_mark(each) and self._is_path(each.cells)

    def _read_lines(self) -> None:
        """Read the other lines; those that meet end to end are one. Short ones are marks."""
        for each in [each for each in self._left if each.is_line and _is_mark(each)]:
            framed = len(each.points) == 5 and abs(each.ends[0] - each.ends[1]) < 0.05
            if {*each.cells} <= self._inside and not each.head:
                self.add("square" if framed else "tick", dict.fromkeys(each.cells), each)
        figures = [each.points[0] for each in self._left if not each.is_line]
        for pieces in _joined([each for each in self._left if self._is_line(each)], figures):
            ways = [tuple(each.cells) for each in pieces]
            cells = [*ways[0], *(cell for way in ways[1:] for cell in way[1:])]
            closed = len(cells) > 3 and cells[0] == cells[-1]
            shown = tuple(ways) if len(ways) > 1 else ()
            self.add("line", cells[:-1] if closed else cells, *pieces, closed=closed, pieces=shown)

    # ---- Figures ----

    def _read_outside(self) -> None:
        """Read the texts outside the grid; each may have an arrow that shows where it looks."""
        texts: dict[Cell, DrawnShape] = {}
        arrows: dict[Cell, DrawnShape] = {}
        for each in self._left:
            if each.cells[0] not in self._inside and (each.head or each.text):
                (arrows if each.head else texts)[each.cells[0]] = each
        for place in dict.fromkeys((*texts, *arrows)):
            shapes = [found[place] for found in (arrows, texts) if place in found]
            step = self.inwards(place)
            if place in arrows:
                towards = arrows[place].ends[1] - arrows[place].ends[0]
                step = sign(towards.imag), sign(towards.real)
            if cells := self.seen(place, step):
                text = texts[place].text if place in texts else ""
                self.add("outside", cells, *shapes, text=text, place=place, direction=step)

    def inwards(self, place: Cell) -> Cell:
        """The step from a place outside the grid along its row or column; none at a corner."""
        row, column = place
        down = (row < 1) - (row > self._size) if 1 <= column <= self._size else 0
        right = (column < 1) - (column > self._size) if 1 <= row <= self._size else 0
        return down, right

    def seen(self, place: Cell, step: Cell) -> Path:
        """The cells from a place outside the grid on."""
        way = range(1, 2 * self._size) if step != (0, 0) else ()
        cells = ((place[0] + far * step[0], place[1] + far * step[1]) for far in way)
        return tuple(filter(self._inside.__contains__, cells))

    def _read_areas(self) -> None:
        """Read the figures that fill cells; those of a colour that touch each other are one."""
        areas: dict[tuple[object, ...], list[DrawnShape]] = defaultdict(list)
        for each in self._left:
            other = each.is_line or each.rounded or each.text or is_white(each.colour)
            if not other and min(each.size.real, each.size.imag) >= _WHOLE and not each.angle % 90:
                areas[tuple(round(part, 2) for part in each.colour or ())].append(each)
        for alike in areas.values():
            filled = {cell for each in alike for cell in self._covered(each)}
            for cells in joined_cells(sorted(filled)):
                here = [each for each in alike if {*self._covered(each)} <= {*cells}]
                self.add("shade", cells, *here)

    def _read_figure(self, each: DrawnShape) -> None:
        """Read a figure by the place of its middle: in a cell, on an edge, or on a corner."""
        middle, cells = each.points[0], self._covered(each)
        x, y = round(middle.real), round(middle.imag)
        on_x, on_y = abs(middle.real - x) < 0.1, abs(middle.imag - y) < 0.1
        between = middle - 0.5 if on_x else middle - 0.5j
        pair = cell_at(between), cell_at(middle + (0.5 if on_x else 0.5j))
        turned = 20 < each.angle % 90 < 70
        kind = "circle" if each.rounded else "diamond" if turned else "square"
        if len(cells) > 1 and each.rounded:
            self.add("circle", cells, each)
        elif each.length > 1.2 or not self._inside.issuperset(each.cells):
            return
        elif on_x and on_y:
            if self._inside.issuperset(square(y, x)):
                self.add("corner", square(y, x), each)
        elif on_x or on_y:
            if self._inside.issuperset(pair) and _off(between) < 0.2:
                self._read_between(each, pair, on_x, kind)
        elif each.text and each.is_ground:
            self.add("text", cells, each)
        elif each.length >= 0.3 and _off(middle) < 0.2:
            self.add(kind, cells, each)

    def _read_between(self, each: DrawnShape, pair: Path, in_row: bool, kind: str) -> None:
        """Read a figure on the edge of two cells: a sign, a dot, or a bar."""
        towards = _OPEN.get(each.text, 0) * 1j ** round(each.angle / 90)
        opened = sign(towards.real if in_row else towards.imag, 0.5)
        bar = sorted((each.size.real, each.size.imag), reverse=not in_row)
        if each.text in _OPEN:
            if opened:
                self.add("sign", pair[::-opened], each, text=">")
        elif each.text and (each.is_ground or each.text.upper() in ("X", "V")):
            self.add("sign", pair, each, text=each.text.upper())
        elif kind == "circle":
            self.add("dot", pair, each)
        elif bar[1] < 2 * bar[0] and bar[0] < 2 * bar[1]:
            self.add(kind, pair, each)
        elif [each.size.real, each.size.imag] == bar:
            self.add("border", pair, each)


def _is_one_thing(below: DrawnShape, above: DrawnShape) -> bool:
    """Whether a figure belongs to what is below it: a text, a copy, or a part of a mark between
    cells, in which several texts have a place; or a line is a copy of one below it.
    """
    if below.is_line or above.is_line:
        is_copy = above.points in (below.points, below.points[::-1])
        return is_copy and _is_alike(below, above) and below.head == above.head
    away, is_text = abs(below.points[0] - above.points[0]), above.is_ground and bool(above.text)
    if away > max(0.05, is_text * below.length / 2):
        return False
    if _off(below.points[0]) > 0.4 and not below.is_ground:
        return True
    if below.text not in ("", above.text) or away > 0.05:
        return False
    if below.is_ground or min(below.size.real, below.size.imag) >= _WHOLE:
        return below.is_ground and is_text
    return is_text or (below.size, below.rounded) == (above.size, above.rounded)


def _merged(below: DrawnShape, above: DrawnShape) -> DrawnShape:
    return replace(
        below,
        colour=above.colour if is_white(below.colour) else below.colour,
        border=above.border if is_white(below.border) else below.border,
        text=" ".join(filter(None, dict.fromkeys((below.text, above.text)))),
        angle=below.angle or above.angle,
        faint=above.faint if above.text else below.faint,
        parts=(*below.parts, *above.parts),
    )


def _is_on_edges(each: DrawnShape) -> bool:
    steps = (end - start for start, end in pairwise(each.points))
    level = all(min(abs(step.real), abs(step.imag)) < 0.03 for step in steps)
    return level and all(abs(point - _rounded(point)) < 0.03 for point in each.points)


def _edges(each: DrawnShape) -> set[Edge]:
    edges: set[Edge] = set()
    for start, end in pairwise(map(_rounded, each.points)):
        steps = round(abs(end - start)) or 1
        way = [start + (end - start) * at / steps for at in range(steps + 1)]
        edges |= set(map(frozenset, pairwise(map(_rounded, way))))
    return edges


def _rounded(point: complex) -> complex:
    return complex(round(point.real), round(point.imag))


def _off(point: complex) -> float:
    """How far a point is from the middle of its cell."""
    return max(abs(point.real % 1 - 0.5), abs(point.imag % 1 - 0.5))


def _is_at_rim(point: complex, circle: DrawnShape) -> bool:
    away, half = point - circle.points[0], circle.size / 2
    return abs(away.real) < half.real + 0.15 and abs(away.imag) < half.imag + 0.15


def _is_mark(each: DrawnShape) -> bool:
    """Whether a line is too short to be one."""
    inside_one = len({*each.cells}) == 1 or min(map(_off, each.ends)) > 0.3
    return each.length < SMALL or (each.length < _SHORT and inside_one)


def _is_bulb_of(bulb: DrawnShape, line: DrawnShape) -> bool:
    """Whether a circle is at an end of a line of its colour; a hollow one has it as its border."""
    hollow = is_white(bulb.colour) and abs(line.size) >= BROAD
    near = any(abs(end - bulb.points[0]) < 0.3 for end in line.ends)
    return near and is_like(bulb.border if hollow else bulb.colour, line.colour)


def _is_alike(one: DrawnShape, other: DrawnShape) -> bool:
    return is_like(one.colour, other.colour) and abs(one.size - other.size) < 0.05


def _with_branches(start: list[DrawnShape], free: list[DrawnShape]) -> list[DrawnShape]:
    """Lines, and those of the same style that begin or end in a cell of them, and so on."""
    path = list(start)
    for tree in path:
        cells = tree.cells
        for each in free:
            at_cell = any(cell_at(end) in cells for end in each.ends)
            if at_cell and each not in path and _is_alike(each, tree):
                path.append(each)
    return path


def _paths(start: Cell, lines: list[DrawnShape], direct: int) -> list[Path]:
    """The paths from a bulb to each tip of lines, of which the first `direct` begin at it.

    If they cross, each of these is a path; none if the others could then be reached in two ways.
    """
    ways = [tuple(each.cells) for each in lines]
    joined: dict[Cell, dict[Cell, None]] = defaultdict(dict)
    for one, other in (step for way in ways for step in pairwise(way)):
        joined[one][other] = joined[other][one] = None
    if sum(map(len, joined.values())) != 2 * (len(joined) - 1):
        turned = [way if way[0] == start else way[::-1] for way in ways]
        return turned if direct == len(lines) else []
    paths: list[Path] = []
    todo: list[Path] = [(start,)]
    while todo:
        path = todo.pop()
        ahead = [cell for cell in joined[path[-1]] if cell not in path]
        todo += [(*path, cell) for cell in reversed(ahead)]
        paths += [] if ahead else [path]
    return paths


def _joined(lines: list[DrawnShape], figures: list[complex]) -> list[list[DrawnShape]]:
    """The pieces of each line, in order: lines that meet end to end, unless a third one passes
    there or a figure is there.
    """
    groups = {each.parts: [each] for each in lines}
    passing = by_key((cell, each) for each in lines for cell in {*each.cells})
    for style, point in ((each, end) for each in lines for end in each.ends):
        here = [each for each in passing.get(cell_at(point), ()) if _is_alike(each, style)]
        alone = not any(abs(each - point) < 0.3 for each in figures)
        if len(here) == 2 and alone and groups[here[0].parts] is not groups[here[1].parts]:
            one, other = (groups[each.parts] for each in here)
            one = one if one[-1].ends[1] == point else _backwards(one)
            other = other if other[0].ends[0] == point else _backwards(other)
            if one[-1].ends[1] == point == other[0].ends[0]:
                whole = [*one, *other]
                groups |= {each.parts: whole for each in whole}
    return list({id(group): group for group in groups.values()}.values())


def _backwards(line: list[DrawnShape]) -> list[DrawnShape]:
    return [replace(each, points=each.points[::-1]) for each in reversed(line)]
