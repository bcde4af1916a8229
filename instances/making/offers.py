"""What clues a kind of puzzle may have: each function lays one shape on a grid at random.

name   predicate of the facts
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

from aspdoku.puzzle import Function
from making.cells import Cell, cells_of, groups, mixed, neighbours, paths, sides, sized
from making.clues import Clue, Offers, cage, fact, line

EDGES = ("left", "right", "top", "bottom")
# How many ways to lay marks that are kept all or none are tried.
_ATTEMPTS = 60


def singles(name: str) -> Offers:
    """A mark in any cell."""
    return lambda chance, size: ([fact(name, *cell)] for cell in mixed(cells_of(size), chance))


def lonely(name: str) -> Offers:
    """Marks in cells no two of which are side by side."""

    def offers(chance: Random, size: int) -> Iterator[list[Clue]]:
        free = set(cells_of(size))
        for cell in mixed(cells_of(size), chance):
            if cell in free:
                free -= {cell, *neighbours(cell, size, diagonal=False)}
                yield [fact(name, *cell)]

    return offers


def some(name: str, count: int) -> Offers:
    """So many marks, all of them or none."""

    def marks(chance: Random, size: int) -> Clue:
        cells = sorted(chance.sample(cells_of(size), count))
        return lambda _: [Function(name, cell) for cell in cells]

    return lambda chance, size: iter([[marks(chance, size) for _ in range(_ATTEMPTS)]])


def pencilmarks(name: str, count: int) -> Offers:
    """So many numbers written small into any cell."""

    def marks(cell: Cell, numbers: list[int]) -> Clue:
        return lambda _: [Function(name, (*cell, number)) for number in numbers]

    return lambda chance, size: (
        [marks(cell, sorted(chance.sample(range(1, size + 1), count)))]
        for cell in mixed(cells_of(size), chance)
    )


def walls(count: str, same: str, apart: str) -> Offers:
    """Cells that count, and sides between two cells that are a wall or none."""

    def offers(chance: Random, size: int) -> Iterator[list[Clue]]:
        for cell in mixed(cells_of(size), chance):
            other = chance.choice(neighbours(cell, size, diagonal=False))
            yield [
                mixed(
                    [fact(count, *cell), fact(same, *cell, *other), fact(apart, *cell, *other)],
                    chance,
                )[0]
            ]

    return offers


def dots(name: str, *values: int) -> Offers:
    """A mark between any two cells side by side, with one of these values."""
    return lambda chance, size: (
        [fact(name, *cell, *other, value) for value in values]
        for cell, other in mixed(sides(size), chance)
    )


def pairs(name: str) -> Offers:
    """Any two cells side by side, one way round or the other."""
    return lambda chance, size: (
        [fact(name, 1, *cell, *other), fact(name, 1, *other, *cell)]
        for cell, other in mixed(sides(size), chance)
    )


def circles(name: str, count: int) -> Offers:
    """So many numbers in a circle where four cells meet."""

    def circle(corner: Cell, numbers: list[int]) -> Clue:
        return lambda _: [Function(name, (*corner, number, 1)) for number in numbers]

    return lambda chance, size: (
        [circle(corner, sorted(chance.sample(range(1, size + 1), count)))]
        for corner in mixed(cells_of(size - 1), chance)
    )


def lines(name: str, shortest: int, longest: int, values: Sequence[int | None] = (None,)) -> Offers:
    """Lines from cell to neighbour, diagonals too, none of them over another.

    Each with one of these values.
    """
    return lambda chance, size: (
        [line(name, cells, value) for value in values]
        for cells in paths(chance, size, shortest, longest)
    )


def diagonals(name: str, values: Callable[[int], Sequence[int]]) -> Offers:
    """All slanting rows of three cells or more, from the edge on.

    The values are those for their length.
    """

    def offers(chance: Random, size: int) -> Iterator[list[Clue]]:
        starts = [(1, column, step) for column in range(1, size + 1) for step in (-1, 1)]
        starts += [
            (row, column, step)
            for row in range(2, size + 1)
            for column, step in ((1, 1), (size, -1))
        ]
        rows = [
            [
                (r + k, c + k * step)
                for k in range(size)
                if r + k <= size and 1 <= c + k * step <= size
            ]
            for r, c, step in starts
        ]
        return (
            [line(name, cells, value) for value in values(len(cells))]
            for cells in mixed(rows, chance)
            if len(cells) > 2
        )

    return offers


def cages(
    name: str,
    smallest: int,
    largest: int,
    values: Callable[[int], Sequence[int]],
    diagonal: bool = False,
) -> Offers:
    """Cages of neighbours, none of them over another.

    The values are those for their number of cells.
    """
    return lambda chance, size: (
        [cage(name, cells, (value,)) for value in values(len(cells))]
        for cells in groups(chance, size, smallest, largest, diagonal)
    )


def regions(name: str, most: int) -> Offers:
    """Cages of as many cells as there are numbers, of which nothing is said."""
    return lambda chance, size: (
        [cage(name, cells)] for cells in groups(chance, size, size, size, True)[:most]
    )


def counted(name: str, cells: int, often: int) -> Offers:
    """Cages that say of two numbers how often they stand there."""

    def offers(chance: Random, size: int) -> Iterator[list[Clue]]:
        for group in groups(chance, size, cells, cells, False):
            pairs = [sorted(chance.sample(range(1, size + 1), 2)) for _ in range(5)]
            yield [
                cage(name, group, *((number, often) for number in pair), value="count")
                for pair in pairs
            ]

    return offers


def alike(name: str, *sizes: int) -> Offers:
    """Groups of cages of these sizes, none of them over another."""

    def group(cages: list[list[Cell]]) -> Clue:
        return lambda number: [
            Function(name, (*cell, number, "ABC"[k]))
            for k, cells in enumerate(cages)
            for cell in cells
        ]

    def offers(chance: Random, size: int) -> Iterator[list[Clue]]:
        by_size = [
            iter(found)
            for found in sized(groups(chance, size, min(sizes), max(sizes), False), sizes)
        ]
        return ([group(list(cages))] for cages in zip(*by_size, strict=False))

    return offers


def clones(name: str, smallest: int, largest: int) -> Offers:
    """Shapes that lie in the grid twice, without turning."""

    def clone(cells: list[Cell], down: int, right: int) -> Clue:
        return lambda number: [
            Function(name, (number, r, c, r + down, c + right)) for r, c in cells
        ]

    def offers(chance: Random, size: int) -> Iterator[list[Clue]]:
        free = set(cells_of(size))
        for cells in groups(chance, size, smallest, largest, False):
            for down, right in mixed(list(product(range(1 - size, size), repeat=2)), chance):
                other = {(r + down, c + right) for r, c in cells}
                if free >= other | set(cells) and not other & set(cells):
                    free -= other | set(cells)
                    yield [clone(cells, down, right)]
                    break

    return offers


def clues(name: str, values: Callable[[int], Sequence[int]]) -> Offers:
    """A clue at both ends of each row and of each column; the values are those for the size."""
    return lambda chance, size: (
        [fact(name, Function(edge), place, value) for value in values(size)]
        for edge, place in mixed(list(product(EDGES, range(1, size + 1))), chance)
    )


def rows_and_columns(row: str, column: str, values: Callable[[int], Sequence[int]]) -> Offers:
    """A clue for each row and each column; the values are those for the size."""
    return lambda chance, size: (
        [fact(name, place, value) for value in values(size)]
        for name, place in mixed(list(product((row, column), range(1, size + 1))), chance)
    )
