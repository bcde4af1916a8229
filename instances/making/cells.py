"""Cells of a grid, and shapes that are laid on it at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from random import Random
from typing import TypeVar

Cell = tuple[int, int]
Thing = TypeVar("Thing")
# How often a shape is begun in a random cell.
_ATTEMPTS = 60


def cells_of(size: int) -> list[Cell]:
    """All cells in reading order."""
    return [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]


def neighbours(cell: Cell, size: int, diagonal: bool = True) -> list[Cell]:
    """The cells around one, those beyond its corners among them or not."""
    row, column = cell
    steps = [
        (down, right)
        for down, right in product((-1, 0, 1), repeat=2)
        if (down or right) and (diagonal or not (down and right))
    ]
    around = [(row + down, column + right) for down, right in steps]
    return [(r, c) for r, c in around if 1 <= r <= size and 1 <= c <= size]


def sides(size: int) -> list[tuple[Cell, Cell]]:
    """Each two cells that lie side by side."""
    return [
        (cell, other)
        for cell in cells_of(size)
        for other in neighbours(cell, size, diagonal=False)
        if cell < other
    ]


def paths(chance: Random, size: int, shortest: int, longest: int) -> list[list[Cell]]:
    """Paths from neighbour to neighbour that have no cell in common and do not cross."""

    def ahead(path: list[Cell], others: list[list[Cell]]) -> list[Cell]:
        steps = {frozenset(step) for each in [path, *others] for step in pairwise(each)}
        row, column = path[-1]
        return [
            (r, c)
            for r, c in neighbours(path[-1], size)
            if frozenset(((row, c), (r, column))) not in steps
        ]

    return laid(chance, size, shortest, longest, ahead)


def groups(
    chance: Random, size: int, smallest: int, largest: int, diagonal: bool
) -> list[list[Cell]]:
    """Sets of cells that hang together and have no cell in common, each in reading order."""

    def around(cells: list[Cell], _: list[list[Cell]]) -> list[Cell]:
        return [each for cell in cells for each in neighbours(cell, size, diagonal)]

    return [sorted(cells) for cells in laid(chance, size, smallest, largest, around)]


def laid(
    chance: Random,
    size: int,
    least: int,
    most: int,
    beside: Callable[[list[Cell], list[list[Cell]]], list[Cell]],
) -> list[list[Cell]]:
    """Shapes that grow cell by cell, each by one of those beside it, with regard to the others,
    that no shape has.
    """
    free = set(cells_of(size))
    found: list[list[Cell]] = []
    for _ in range(_ATTEMPTS):
        if not free:
            break
        shape = [chance.choice(sorted(free))]
        for _ in range(chance.randint(least, most) - 1):
            near = sorted(set(beside(shape, found)) & free - set(shape))
            if not near:
                break
            shape.append(chance.choice(near))
        if len(shape) >= least:
            found.append(shape)
            free -= set(shape)
    return found


def sized(groups: list[list[Cell]], sizes: Sequence[int]) -> list[list[list[Cell]]]:
    """The groups sorted out: for each of these sizes some of that size, no group twice."""
    found: list[list[list[Cell]]] = [[] for _ in sizes]
    for group in groups:
        fit = [have for have, size in zip(found, sizes, strict=True) if size == len(group)]
        if fit:
            min(fit, key=len).append(group)
    return found


def mixed(things: Sequence[Thing], chance: Random) -> list[Thing]:
    """The same in a random order."""
    return chance.sample(things, len(things))
