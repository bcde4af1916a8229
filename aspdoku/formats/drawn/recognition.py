"""Elements from strokes and figures: what they are by their geometry.

Each shape becomes a part of one element, or of the paths of one thermometer; or it is listed as
unread or as without meaning.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise
from math import hypot

from aspdoku.formats.drawn.colours import is_like, is_white, names
from aspdoku.formats.drawn.elements import Element
from aspdoku.formats.drawn.primitives import Figure, Point, Stroke, cell_at, is_near
from aspdoku.formats.shapes import SquareGrid, square
from aspdoku.puzzle.puzzle import Cell, joined_cells

# The steps down and to the right to the open side of a sign. A letter v may be a V.
_SIGNS = {
    "<": (0, 1),
    ">": (0, -1),
    "^": (1, 0),
    "∧": (1, 0),
    "˄": (1, 0),
    "∨": (-1, 0),
    "˅": (-1, 0),
}
_TICK = 0.5  # the greatest extent of a mark, and the least of a bulb, an area or a pill
_LEAST_LINE = 0.9  # shorter lines are lines only if they begin or end in the middle of a cell


class Recognition:
    """The elements of strokes and figures on a grid of `size` rows and columns."""

    def __init__(self, size: int) -> None:
        self.elements: list[Element] = []
        self.unread: list[str] = []
        self.without_meaning: list[str] = []
        self._size = size
        self._board = SquareGrid(size)

    def recognize(self, strokes: Iterable[Stroke], figures: Iterable[Figure]) -> None:
        """Add the elements of all shapes, which are given from bottom to top."""
        lines: list[Stroke] = []
        arrows: list[Stroke] = []
        pointers: list[Stroke] = []
        edges: list[Stroke] = []
        pills, strokes = _pills(list(strokes))
        for each in strokes:
            if each.colour is None:
                self.without_meaning.append(f"{each}, which cannot be seen")
            elif all(is_near(point, _rounded(point), 0.02) for point in each.points):
                edges.append(each)
            elif each.head:
                inside = self._board.has(cell_at(each.points[0]))
                (arrows if inside else pointers).append(each)
            elif not self._is_small(each):
                lines.append(each)
        self._read_edges(edges)
        left = self._read_arrows(arrows, self._stacked([*pills, *figures]))
        left = self._read_thermometers(lines, left)
        self._read_lines(_joined(lines, left))
        for shape in left:
            self._read_figure(shape)
        self._shade([shape for shape in left if self._is_shade(shape)])
        self._point(pointers)

    # ---- Figures ----

    def _stacked(self, figures: list[Figure]) -> list[Figure]:
        """The figures that mean something; a text belongs to the figure below it."""
        found: list[Figure] = []
        for each in figures:
            below = [
                at
                for at, other in enumerate(found)
                if is_near(other.centre, each.centre) and _is_one_thing(other, each)
            ]
            if below:
                found[below[-1]] = _merged(found[below[-1]], each)
            else:
                found.append(each)
        unseen = [
            each
            for each in found
            if each.is_ground and not each.text and not (each.rounded and _is_between(each.centre))
        ]
        self.without_meaning += [f"{each}, which cannot be seen" for each in unseen]
        return [each for each in found if each not in unseen]

    def _is_shade(self, each: Figure) -> bool:
        large = min(each.height, each.width) > 0.93
        return large and not (each.rounded or each.text or each.angle % 90 or is_white(each.fill))

    def _covered(self, each: Figure) -> tuple[Cell, ...]:
        """The cells whose middle a figure covers; for a small one, the cell around it."""
        (row, column), half = each.centre, (each.height / 2, each.width / 2)
        inside = [
            (r, c)
            for r, c in self._board.in_order()
            if abs(r - 0.5 - row) < half[0] and abs(c - 0.5 - column) < half[1]
        ]
        return tuple(inside) if each.size > 1.2 else (cell_at(each.centre),)

    def _read_figure(self, each: Figure) -> None:
        cells = self._covered(each)
        if not self._board.has(cell_at(each.centre)):
            self._read_outside(each)
        elif self._is_shade(each):
            if len(cells) == self._size**2:
                self.without_meaning.append(f"{each} that covers the grid")
        elif len(cells) > 1 and each.rounded:
            self._add("circle", cells, each)
        elif each.size > 1.2:
            self.unread.append(str(each))
        else:
            row, column = each.centre
            across, down = abs(column - round(column)) < 0.1, abs(row - round(row)) < 0.1
            corner = round(row), round(column)
            if across and down and {*square(*corner)} <= {*self._board.in_order()}:
                self._add("corner", tuple(square(*corner)), each)
            elif across != down:
                self._read_between(each, across)
            elif each.is_ground and each.text:
                self._add("text", cells, each, ())
            elif each.size < _TICK / 2 or max(_off_centre(each.centre)) > 0.2:
                self.unread.append(str(each))
            else:
                turned = abs(each.angle % 90 - 45) < 20
                kind = "circle" if each.rounded else "diamond" if turned else "square"
                self._add(kind, cells, each)

    def _read_between(self, each: Figure, across: bool) -> None:
        """Read a figure on the middle of the edge of two cells: a dot, a sign or a bar."""
        row, column = each.centre
        pair = (
            cell_at((row, round(column) - 0.5)) if across else cell_at((round(row) - 0.5, column))
        )
        other = (pair[0], pair[1] + 1) if across else (pair[0] + 1, pair[1])
        middle = row - int(row) if across else column - int(column)
        if not (self._board.has(pair) and self._board.has(other)) or abs(middle - 0.5) > 0.2:
            self.unread.append(str(each))
            return
        cells, turned = (pair, other), _turned(_SIGNS.get(each.text, (0, 0)), each.angle)
        if turned != (0, 0):
            ahead = turned[1] if across else turned[0]
            if ahead:
                self._add("sign", cells if ahead < 0 else (other, pair), each, (), ">")
            else:
                self.unread.append(f"{each}, which points at neither of its two cells")
        elif each.text and (each.is_ground or each.text.upper() in ("X", "V")):
            self._add("sign", cells, each, (), each.text)
        elif each.rounded:
            self._add("dot", cells, each)
        elif max(each.height, each.width) > 2 * min(each.height, each.width):
            along = (each.height > each.width) == across
            if along:
                self._add("border", cells, each)
            else:
                self.unread.append(str(each))
        else:
            self._add("diamond" if abs(each.angle % 90 - 45) < 20 else "square", cells, each)

    def _read_outside(self, each: Figure) -> None:
        """Read a text outside; the direction in which it looks may follow from an arrow."""
        place = cell_at(each.centre)
        if not each.text or max(_off_centre(each.centre)) > 0.3:
            self.unread.append(f"{each}, outside the grid")
            return
        colours = () if each.is_ground else each.colours
        self._outside(place, self.inwards(place), each.text, colours, each.parts)

    def inwards(self, place: Cell) -> Cell:
        """The step from a place outside the grid along its row or column; none at a corner."""
        row, column = place
        down = (row < 1) - (row > self._size) if 1 <= column <= self._size else 0
        right = (column < 1) - (column > self._size) if 1 <= row <= self._size else 0
        return down, right

    def _outside(
        self, place: Cell, step: Cell, text: str, colours: tuple[str, ...], parts: tuple[str, ...]
    ) -> None:
        self.elements.append(
            Element(
                *("outside", self.seen(place, step), colours, text),
                place=place,
                direction=step,
                parts=parts,
            )
        )

    def seen(self, place: Cell, step: Cell) -> tuple[Cell, ...]:
        """The cells from a place outside the grid on."""
        steps = range(1, 2 * self._size + 2) if step != (0, 0) else ()
        way = [(place[0] + far * step[0], place[1] + far * step[1]) for far in steps]
        return tuple(filter(self._board.has, way))

    def _point(self, pointers: list[Stroke]) -> None:
        """Give the arrows outside the grid to the clues beside which they are."""
        for each in pointers:
            place = cell_at(each.points[0])
            (top, left), (bottom, right) = each.points[0], each.points[-1]
            step = _sign(bottom - top), _sign(right - left)
            same = [
                at
                for at, clue in enumerate(self.elements)
                if clue.kind == "outside" and clue.place == place and len(clue.parts) == 1
            ]
            seen = self.seen(place, step)
            if not seen:
                self.unread.append(f"{each}, outside the grid")
            elif same:
                clue = self.elements[same[0]]
                self.elements[same[0]] = replace(
                    clue,
                    cells=seen,
                    direction=step,
                    colours=clue.colours or names(each.colour),
                    parts=(*clue.parts, each.part),
                )
            else:
                self._outside(place, step, "", names(each.colour), (each.part,))
        lost = [each for each in self.elements if each.kind == "outside" and not each.cells]
        self.elements = [each for each in self.elements if each not in lost]
        self.unread += [f"the text {each.text[:20]!r} outside the grid" for each in lost]

    def _shade(self, figures: list[Figure]) -> None:
        """Add the shaded areas: connected cells of one colour."""
        left = [each for each in figures if len(self._covered(each)) < self._size**2]
        while left:
            alike = [each for each in left if is_like(each.fill, left[0].fill, 0.03)]
            left = [each for each in left if each not in alike]
            parts: dict[Cell, dict[str, None]] = defaultdict(dict)
            for each in alike:
                for cell in self._covered(each):
                    parts[cell].update(dict.fromkeys(each.parts))
            for cells in joined_cells(sorted(parts)):
                drawn = dict.fromkeys(part for cell in cells for part in parts[cell])
                self.elements.append(
                    Element("shade", tuple(cells), alike[0].colours, parts=tuple(drawn))
                )

    # ---- Strokes ----

    def _is_small(self, each: Stroke) -> bool:
        """Whether a stroke is no line; if so, it has been read: signs, marks, drawn squares."""
        cells = dict.fromkeys(cell_at(point) for point in each.points)
        ends = each.points[0], each.points[-1]
        if each.is_closed and each.span < 1 and len(each.points) in (4, 5) and len(cells) == 1:
            level = any(
                min(abs(a[0] - b[0]), abs(a[1] - b[1])) < 0.02 for a, b in pairwise(each.points)
            )
            self._draw("square" if level else "diamond", tuple(cells), each)
        elif (len(each.points) == 3 and each.span < _TICK) and (pair := self._compared(each)):
            self._draw("sign", pair, each, text=">")
        elif each.span < _TICK or (
            each.span < _LEAST_LINE
            and (len(cells) == 1 or min(max(_off_centre(end)) for end in ends) > 0.3)
        ):
            self._draw("tick", tuple(cells), each)
        else:
            return False
        return True

    def _compared(self, each: Stroke) -> tuple[Cell, ...] | None:
        """The two cells between which an angle is, first the one at its open side."""
        start, tip, end = each.points
        back = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        ahead = tip[0] - back[0], tip[1] - back[1]
        step = (_sign(ahead[0], 0.02), _sign(ahead[1], 0.02))
        lengths = [hypot(point[0] - tip[0], point[1] - tip[1]) for point in (start, end)]
        if (step[0] != 0) == (step[1] != 0) or abs(lengths[0] - lengths[1]) > 0.05:
            return None
        axis = 0 if step[0] else 1
        edge, along = round(tip[axis]), tip[1 - axis]
        if abs(tip[axis] - edge) > 0.25 or abs(along % 1 - 0.5) > 0.1:
            return None
        sides = [edge - 0.5, edge + 0.5][:: step[axis]]
        cells = [cell_at((side, along) if axis == 0 else (along, side)) for side in sides]
        return tuple(cells) if all(map(self._board.has, cells)) else None

    def _read_edges(self, strokes: list[Stroke]) -> None:
        """Read strokes along the edges of cells: together the grid, bars, or frames."""
        drawn: dict[tuple[Cell, Cell], list[Stroke]] = defaultdict(list)
        for each in strokes:
            for start, end in pairwise(map(_rounded, each.points)):
                steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
                towards = _sign(end[0] - start[0]), _sign(end[1] - start[1])
                for far in range(steps):
                    one = start[0] + towards[0] * far, start[1] + towards[1] * far
                    two = one[0] + towards[0], one[1] + towards[1]
                    drawn[min(one, two), max(one, two)].append(each)
        span = range(self._size + 1)
        grid = {((r, c), (r, c + 1)) for r in span for c in span[:-1]}
        grid |= {((c, r), (c + 1, r)) for r in span for c in span[:-1]}
        for each in strokes:
            if drawn.keys() >= grid and all(
                is_like(each.colour, strokes[0].colour) for each in strokes
            ):
                self.without_meaning.append(f"{each}, a part of the grid")
            else:
                self.unread.append(f"{each}, along the edges of cells")

    def _read_lines(self, lines: list[list[Stroke]]) -> None:
        """Read the lines that are no thermometer; each list has the pieces of a line."""
        for group in lines:
            ways = [_way(each) for each in group]
            parts = tuple(each.part for each in group)
            cells = [*ways[0]]
            for way in ways[1:]:
                cells += way[1:]
            if not self._is_in_grid(cells, group):
                continue
            first, *_, last = cells
            closed = first == last and len(cells) > 3
            pieces = tuple(map(tuple, ways)) if len(ways) > 1 else ()
            colours = names(group[0].colour)
            kept = tuple(cells[:-1] if closed else cells)
            self.elements.append(
                Element("line", kept, colours, closed=closed, pieces=pieces, parts=parts)
            )

    def _is_in_grid(self, cells: list[Cell], strokes: Sequence[Stroke]) -> bool:
        if all(map(self._board.has, cells)) and all(map(_is_step, pairwise(cells))):
            return True
        self.unread += [f"{each}, which is not a path through the grid" for each in strokes]
        return False

    def _read_arrows(self, arrows: list[Stroke], figures: list[Figure]) -> list[Figure]:
        """Read the arrows that begin at the rim of a circle. Returns the other figures."""
        shafts: dict[int, list[Stroke]] = defaultdict(list)
        for each in arrows:
            heads = [at for at, circle in enumerate(figures) if self._begins_at(each, circle)]
            if heads:
                shafts[heads[-1]].append(each)
            elif each.span < _LEAST_LINE:
                self.unread.append(str(each))
            elif self._is_in_grid(way := _way(each), [each]):
                self._draw("arrow", (), each, shafts=(tuple(way),))
        for at, strokes in shafts.items():
            circle = figures[at]
            cells = self._covered(circle)
            found, parts = [], [*circle.parts]
            for each in strokes:
                way = _way(each)
                shaft = tuple(dropwhile(cells.__contains__, way))
                if shaft and self._is_in_grid(way, [each]):
                    found.append(shaft)
                    parts.append(each.part)
                elif not shaft:
                    self.unread.append(f"{each}, which does not leave its circle")
            seen = dict.fromkeys((*names(strokes[0].colour), *circle.colours))
            self.elements.append(
                Element("arrow", cells, tuple(seen), circle.text, tuple(found), parts=tuple(parts))
            )
        return [each for at, each in enumerate(figures) if at not in shafts]

    def _begins_at(self, arrow: Stroke, circle: Figure) -> bool:
        start, (row, column) = arrow.points[0], circle.centre
        far = max(
            abs(start[0] - row) - circle.height / 2, abs(start[1] - column) - circle.width / 2
        )
        single = len(self._covered(circle)) == 1
        if not circle.rounded or circle.size < _TICK or (single and _is_between(circle.centre)):
            return False
        return far < 0.15 and self._board.has(cell_at(circle.centre))

    def _read_thermometers(self, lines: list[Stroke], figures: list[Figure]) -> list[Figure]:
        """Read lines with a filled circle of their colour at one end as thermometers, with their
        branches. Removes the lines that it reads; returns the figures that are no bulbs.
        """
        bulbs = [each for each in figures if self._is_bulb(each)]
        at_bulbs = {
            at: [each for each in lines if is_like(each.colour, bulb.fill) and _ends_at(each, bulb)]
            for at, bulb in enumerate(bulbs)
        }
        number = Counter(id(each) for found in at_bulbs.values() for each in found)
        starts = {
            at: found
            for at, found in at_bulbs.items()
            if found and all(number[id(each)] == 1 for each in found)
        }
        free = [each for each in lines if not number[id(each)]]
        while True:
            trees = {at: _with_branches(found, free) for at, found in starts.items()}
            often = Counter(id(each) for strokes in trees.values() for each in strokes)
            if max(often.values(), default=1) == 1:
                break
            free = [each for each in free if often[id(each)] < 2]
        used = []
        for at, strokes in trees.items():
            bulb = bulbs[at]
            if paths := self._paths(cell_at(bulb.centre), strokes, len(starts[at])):
                parts = (*bulb.parts, *(each.part for each in strokes))
                used.append(bulb)
                for each in strokes:
                    lines.remove(each)
                self.elements += [
                    Element("thermo", path, bulb.colours, bulb.text, parts=parts) for path in paths
                ]
        return [each for each in figures if each not in used]

    def _is_bulb(self, each: Figure) -> bool:
        filled = each.rounded and not is_white(each.fill) and each.size >= _TICK
        return filled and max(_off_centre(each.centre)) < 0.1 and len(self._covered(each)) == 1

    def _paths(self, start: Cell, strokes: list[Stroke], direct: int) -> list[tuple[Cell, ...]]:
        """The paths from a bulb to each tip of strokes, of which the first `direct` begin at it.

        If they cross, each of these is a path; none if others could then be reached in two ways.
        """
        ways = list(map(_way, strokes))
        if not all(self._board.has(cell) for way in ways for cell in way):
            return []
        if not all(_is_step(step) for way in ways for step in pairwise(way)):
            return []
        joined: dict[Cell, dict[Cell, None]] = defaultdict(dict)
        for one, other in (step for way in ways for step in pairwise(way)):
            joined[one][other] = joined[other][one] = None
        if sum(map(len, joined.values())) != 2 * (len(joined) - 1):
            turned = [tuple(way if way[0] == start else way[::-1]) for way in ways]
            return turned if direct == len(strokes) else []
        found: list[tuple[Cell, ...]] = []
        todo: list[tuple[Cell, ...]] = [(start,)]
        while todo:
            path = todo.pop()
            ahead = [cell for cell in joined[path[-1]] if cell not in path]
            todo += [(*path, cell) for cell in reversed(ahead)]
            found += [] if ahead else [path]
        return found

    # ---- Elements ----

    def _add(
        self,
        kind: str,
        cells: tuple[Cell, ...],
        each: Figure,
        colours: tuple[str, ...] | None = None,
        text: str | None = None,
    ) -> None:
        seen = each.colours if colours is None else colours
        label = each.text if text is None else text
        self.elements.append(Element(kind, cells, seen, label, parts=each.parts))

    def _draw(
        self,
        kind: str,
        cells: tuple[Cell, ...],
        each: Stroke,
        text: str = "",
        shafts: tuple[tuple[Cell, ...], ...] = (),
    ) -> None:
        self.elements.append(
            Element(kind, cells, names(each.colour), text, shafts, parts=(each.part,))
        )


def _with_branches(start: list[Stroke], free: list[Stroke]) -> list[Stroke]:
    """The strokes, and those of the same style that begin or end in a cell of them, and so on."""
    found = list(start)
    for tree in found:
        cells = _way(tree)
        found += [
            each
            for each in free
            if each not in found
            and _is_alike(each, tree)
            and any(cell_at(end) in cells for end in (each.points[0], each.points[-1]))
        ]
    return found


def _joined(lines: list[Stroke], figures: list[Figure]) -> list[list[Stroke]]:
    """The lines; those that meet end to end in one group, in order, unless a third line passes
    there or a figure is there.
    """
    groups = [[each] for each in lines]
    for point in [end for each in lines for end in (each.points[0], each.points[-1])]:
        here = [group for group in groups if any(cell_at(point) in _way(each) for each in group)]
        here = [group for group in here if _is_alike(group[0], here[0][0])]
        if len(here) != 2 or any(is_near(each.centre, point, 0.3) for each in figures):
            continue
        one, other = here
        one = one if is_near(one[-1].points[-1], point) else _backwards(one)
        other = other if is_near(other[0].points[0], point) else _backwards(other)
        if is_near(one[-1].points[-1], point) and is_near(other[0].points[0], point):
            groups = [group for group in groups if group not in here] + [[*one, *other]]
    return groups


def _backwards(group: list[Stroke]) -> list[Stroke]:
    return [replace(each, points=each.points[::-1]) for each in reversed(group)]


def _pills(strokes: list[Stroke]) -> tuple[list[Figure], list[Stroke]]:
    """The long circles that are drawn as a broad line below a white one; and the other strokes."""
    found, left = [], list(strokes)
    for outer, inner in pairwise(strokes):
        ends = (outer.points[0], outer.points[-1])
        if (
            outer.points == inner.points
            and len(ends) == len(outer.points)
            and is_white(inner.colour)
            and _TICK <= inner.width <= outer.width
            and any(abs(a - b) < 0.02 for a, b in zip(*ends, strict=True))
        ):
            (top, left_), (bottom, right) = ends
            size = (abs(bottom - top) + outer.width, abs(right - left_) + outer.width)
            middle = (top + bottom) / 2, (left_ + right) / 2
            parts = outer.part, inner.part
            found.append(Figure(middle, *size, True, 0.0, inner.colour, outer.colour, "", parts))
            left = [each for each in left if each not in (outer, inner)]
    return found, left


def _is_one_thing(below: Figure, above: Figure) -> bool:
    """Whether a figure belongs to one with the same centre below it."""
    if below.text and above.text and below.text != above.text:
        return False
    if min(below.height, below.width) > _LEAST_LINE and not below.rounded:
        return False
    same = (below.height, below.width, below.rounded) == (above.height, above.width, above.rounded)
    return (above.is_ground and bool(above.text)) or _is_between(below.centre) or same


def _merged(below: Figure, above: Figure) -> Figure:
    return replace(
        below,
        height=max(below.height, above.height),
        width=max(below.width, above.width),
        fill=above.fill if is_white(below.fill) else below.fill,
        border=above.border if is_white(below.border) else below.border,
        text=below.text or above.text,
        parts=(*below.parts, *above.parts),
    )


def _way(each: Stroke) -> list[Cell]:
    """The cells of a stroke; two that are no neighbours where it is not straight or diagonal."""
    found = [cell_at(each.points[0])]
    for row, column in map(cell_at, each.points[1:]):
        down, right = row - found[-1][0], column - found[-1][1]
        if not down or not right or abs(down) == abs(right):
            step = _sign(down), _sign(right)
            while found[-1] != (row, column):
                found.append((found[-1][0] + step[0], found[-1][1] + step[1]))
        else:
            found.append((row, column))
    return found


def _is_step(cells: tuple[Cell, Cell]) -> bool:
    (row, column), (row_1, column_1) = cells
    return max(abs(row - row_1), abs(column - column_1)) == 1


def _is_alike(one: Stroke, other: Stroke) -> bool:
    return is_like(one.colour, other.colour, 0.03) and abs(one.width - other.width) < 0.05


def _ends_at(each: Stroke, bulb: Figure) -> bool:
    return any(is_near(end, bulb.centre, 0.3) for end in (each.points[0], each.points[-1]))


def _turned(step: Cell, angle: float) -> Cell:
    """A step after turns by 90 degrees clockwise."""
    for _ in range(round(angle / 90) % 4):
        step = step[1], -step[0]
    return step


def _rounded(point: Point) -> Cell:
    return round(point[0]), round(point[1])


def _off_centre(point: Point) -> tuple[float, float]:
    """How far a point is from the middle of its cell, down and to the right."""
    return abs(point[0] % 1 - 0.5), abs(point[1] % 1 - 0.5)


def _is_between(point: Point) -> bool:
    """Whether a point is on an edge or a corner of cells."""
    return max(_off_centre(point)) > 0.4


def _sign(value: float, least: float = 0.05) -> int:
    return (value > least) - (value < -least)
