"""Grids at random, and chains or cages that cover one.

The puzzles whose clues lie on every cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_letters

from aspdoku import Puzzle
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import box_shape
from making.cells import Cell, neighbours
from making.setting import thinned

Grid = list[list[int]]
# How many cells one attempt to lay the chains may try; then it is begun anew.
_PATIENCE = 20_000


def strimko(size: int, seed: int) -> Puzzle:
    """Chains of as many cells as the grid has rows, each number once in each; no boxes."""
    chance = Random(seed)
    while True:
        solution = latin(size, chance)
        laid = next(chains(solution, chance), None)
        if laid is not None:
            break
    facts = [
        Function("chain", (*cell, name))
        for name, chain in zip("ABCDEFGHI", laid, strict=False)
        for cell in chain
    ]
    title = f"Strimko {size}x{size}"
    return thinned(
        Puzzle(tuple(map(tuple, solution)), None, tuple(facts), ("chain",), ("box",), title), chance
    )


def killer(size: int, seed: int) -> Puzzle:
    """Cages of two to five cells."""
    chance = Random(seed)
    solution = boxed(size, chance)
    facts = []
    for name, cage in zip(ascii_letters, cages(solution, chance), strict=False):
        facts += [Function("cage", (*cell, name)) for cell in cage]
        facts.append(Function("cage_value", (name, sum(solution[r - 1][c - 1] for r, c in cage))))
    title = f"Killer {size}x{size}"
    return thinned(
        Puzzle(tuple(map(tuple, solution)), None, tuple(facts), ("killer",), (), title), chance
    )


def latin(size: int, chance: Random) -> Grid:
    """A Latin square: a cyclic one with its rows, columns and numbers shuffled."""
    rows, columns, numbers = (chance.sample(range(size), size) for _ in range(3))
    return [[numbers[(row + column) % size] + 1 for column in columns] for row in rows]


def boxed(size: int, chance: Random) -> Grid:
    """A grid with boxes.

    A regular one with the bands, the rows of each, the same of columns, and the numbers shuffled.
    """
    height, width = box_shape(size)

    def shuffled(bands: int, lines: int) -> list[int]:
        return [
            band * lines + line
            for band in chance.sample(range(bands), bands)
            for line in chance.sample(range(lines), lines)
        ]

    rows, columns, numbers = (
        shuffled(width, height),
        shuffled(height, width),
        chance.sample(range(size), size),
    )
    return [
        [
            numbers[(width * (row % height) + row // height + column) % size] + 1
            for column in columns
        ]
        for row in rows
    ]


def chains(solution: Grid, chance: Random) -> Iterator[list[list[Cell]]]:
    """Ways to cover the grid with chains from neighbour to neighbour, diagonals too, that hold each
    number once.
    """
    size = len(solution)
    cells = [(row, column) for row in range(1, size + 1) for column in range(1, size + 1)]
    patience = _PATIENCE

    def lay(
        free: set[Cell], done: list[list[Cell]], chain: list[Cell]
    ) -> Iterator[list[list[Cell]]]:
        nonlocal patience
        patience -= 1
        if patience < 0:
            return
        if len(chain) == size:
            done, chain = [*done, chain], []
        if not free and not chain:
            yield done
            return
        held = {solution[row - 1][column - 1] for row, column in chain}
        nearest = neighbours(chain[-1], size) if chain else [min(free)]
        for cell in chance.sample(nearest, len(nearest)):
            if cell in free and solution[cell[0] - 1][cell[1] - 1] not in held:
                yield from lay(free - {cell}, done, [*chain, cell])

    yield from lay(set(cells), [], [])


def cages(solution: Grid, chance: Random) -> list[list[Cell]]:
    """Cages that grow from cell to neighbour, no number twice in one, until they are as large as
    they are meant to be.
    """
    size = len(solution)
    free = {(row, column) for row in range(1, size + 1) for column in range(1, size + 1)}
    found = []
    while free:
        cage = [min(free)]
        free.remove(cage[0])
        for _ in range(chance.randint(1, 4)):
            held = {solution[row - 1][column - 1] for row, column in cage}
            beside = {each for cell in cage for each in neighbours(cell, size, diagonal=False)}
            fit = sorted(
                cell for cell in beside & free if solution[cell[0] - 1][cell[1] - 1] not in held
            )
            if not fit:
                break
            cage.append(chance.choice(fit))
            free.remove(cage[-1])
        found.append(cage)
    return found
