"""Outlines of cells, borders between them, and ways through them.

R, C   row and column of a cell, counted from 1; its square reaches from (C-1,R-1) to (C,R)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from math import hypot

from aspdoku.draw.shapes import Point
from aspdoku.puzzle.puzzle import Cell

Corner = tuple[int, int]


def centre(cell: Cell) -> Point:
    """The middle of a cell."""
    row, column = cell
    return Point(column - 0.5, row - 0.5)


def outlines(cells: Collection[Cell], inset: float = 0.0) -> list[tuple[Point, ...]]:
    """The closed lines around cells that share sides, and around the holes in them, so far inside
    of their edges.

    Cells that only share a corner have outlines of their own.
    """
    following: dict[Corner, list[Corner]] = {}
    inside = set(cells)
    for row, column in sorted(inside):
        top_left, top_right, bottom_right, bottom_left = _corners((row, column))
        for beside, start, end in (
            ((row - 1, column), top_left, top_right),
            ((row, column + 1), top_right, bottom_right),
            ((row + 1, column), bottom_right, bottom_left),
            ((row, column - 1), bottom_left, top_left),
        ):
            if beside not in inside:
                following.setdefault(start, []).append(end)
    return [_inset(loop, inset) for loop in _loops(following)]


def borders(
    region_of: Mapping[Cell, Collection[object]], size: int
) -> Iterator[tuple[Point, Point]]:
    """The sides between cells that are not of the same regions, those of the grid left out."""
    span = range(1, size + 1)
    for row, column in ((row, column) for row in span for column in span):
        here = region_of.get((row, column), ())
        if column < size and region_of.get((row, column + 1), ()) != here:
            yield Point(column, row - 1), Point(column, row)
        if row < size and region_of.get((row + 1, column), ()) != here:
            yield Point(column - 1, row), Point(column, row)


def links(cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """What joins cells that share a side or a corner to a chain, or where that cannot be to a tree.

    Sides come first.
    """
    inside = set(cells)
    found = sorted(inside)
    near = [(one, other) for one in found for other in _beyond(one) if other in inside]
    near.sort(key=lambda pair: pair[0][0] != pair[1][0] and pair[0][1] != pair[1][1])
    group = {cell: cell for cell in found}
    degree = dict.fromkeys(found, 0)
    chosen: list[tuple[Cell, Cell]] = []
    for most in (2, 8):  # a chain as far as it goes, then whatever is still apart
        for one, other in near:
            if _root(group, one) != _root(group, other) and max(degree[one], degree[other]) < most:
                group[_root(group, one)] = _root(group, other)
                degree[one] += 1
                degree[other] += 1
                chosen.append((one, other))
    return chosen


def pieces(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Cells that share sides put together, each piece from its upper left."""
    left = set(cells)
    found = []
    while left:
        piece = [min(left)]
        left.remove(piece[0])
        for row, column in piece:
            beside = {
                (row - 1, column),
                (row, column + 1),
                (row + 1, column),
                (row, column - 1),
            } & left
            piece += beside
            left -= beside
        found.append(sorted(piece))
    return found


def direction(start: Point, end: Point) -> Point:
    """One cell's length from one place towards another; nowhere where they are the same."""
    length = hypot(end.x - start.x, end.y - start.y)
    return (
        Point((end.x - start.x) / length, (end.y - start.y) / length) if length else Point(0.0, 0.0)
    )


def chevron(
    tip: Point, towards: Point, size: float, open_: float = 1.0
) -> tuple[Point, Point, Point]:
    """An angle with its tip there, pointing in a direction.

    `size` from tip to opening, the opening as wide times `open_`.
    """
    x, y = tip.x - size * towards.x, tip.y - size * towards.y
    across = size * open_ / 2
    return (
        Point(x - across * towards.y, y + across * towards.x),
        tip,
        Point(x + across * towards.y, y - across * towards.x),
    )


def _corners(cell: Cell) -> tuple[Corner, Corner, Corner, Corner]:
    row, column = cell
    return (column - 1, row - 1), (column, row - 1), (column, row), (column - 1, row)


def _loops(following: dict[Corner, list[Corner]]) -> Iterator[list[Corner]]:
    """The sides put together.

    Where two cells meet in a corner only, the line stays with its own.
    """
    while following:
        # Two lines never meet in the leftmost corner.
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
    """0 for a turn to the right, 1 straight on, 2 to the left."""
    cross = (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (
        after[0] - here[0]
    )
    return 1 - cross


def _inset(loop: list[Corner], inset: float) -> tuple[Point, ...]:
    points = []
    for index, (x, y) in enumerate(loop):
        (x0, y0), (x1, y1) = loop[index - 1], loop[(index + 1) % len(loop)]
        if _turn((x0, y0), (x, y), (x1, y1)) != 1:
            # The cells lie to the right of both sides that meet here.
            points.append(
                Point(x + inset * ((y0 - y) + (y - y1)), y + inset * ((x - x0) + (x1 - x)))
            )
    return tuple(points)


def _beyond(cell: Cell) -> tuple[Cell, ...]:
    row, column = cell
    return (row, column + 1), (row + 1, column), (row + 1, column + 1), (row + 1, column - 1)


def _root(group: dict[Cell, Cell], cell: Cell) -> Cell:
    while group[cell] != cell:
        cell = group[cell]
    return cell
