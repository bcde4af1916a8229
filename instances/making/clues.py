"""Clues as facts: one fact, cells in order with a number, or cells with a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from string import ascii_letters

from aspdoku.puzzle import Function
from making.cells import Cell

# The facts of a clue, for its number among the clues of the puzzle.
Clue = Callable[[int], list[Function]]
# For each place of a clue what it may say: the first that fits is taken.
Offers = Callable[[Random, int], Iterator[list[Clue]]]


def fact(name: str, *arguments: int | str | Function) -> Clue:
    """A clue that is one fact."""
    return lambda _: [Function(name, arguments)]


def line(name: str, cells: Sequence[Cell], value: int | None = None) -> Clue:
    """Cells in order, and what is said of them."""

    def facts(number: int) -> list[Function]:
        valued = [] if value is None else [Function(f"{name}_value", (number, value))]
        return [
            *(Function(name, (number, place, *cell)) for place, cell in enumerate(cells, 1)),
            *valued,
        ]

    return facts


def cage(name: str, cells: Iterable[Cell], *values: tuple[int, ...], value: str = "value") -> Clue:
    """Cells with a label, and what is said of it."""

    def facts(number: int) -> list[Function]:
        label = ascii_letters[number - 1]
        valued = [Function(f"{name}_{value}", (label, *each)) for each in values]
        return [*(Function(name, (*cell, label)) for cell in cells), *valued]

    return facts
