"""Where shapes are put, layer upon layer, and room is made for what stands outside of the grid."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from math import ceil, sqrt

from aspdoku.draw.shapes import Point, Shape, Words
from aspdoku.draw.style import Look
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term

INK = "#111111"
GREY = "#8a8a8a"
# Light enough to read a digit on, and different enough from each other, also without colours.
PALETTE = ("#f6d5a7", "#bcdcf0", "#c9e4bf", "#f3c6cf", "#d8cdea", "#f0ea9f", "#b9e3da", "#e2d2c3")


# How much of the height of a cell a label takes.
LABEL_LINE = 0.22


class Layer(IntEnum):
    """What lies above what."""

    AREA = 0
    LINE = 1
    LINE_END = 2
    GRID = 3
    OUTLINE = 4
    BORDER = 5
    DOT = 6
    DIGIT = 7
    OUTSIDE = 8


@dataclass
class Canvas:
    """A grid of so many cells a side, and the numbers that it is played with.

    ink: colour of the digits in some cells; notes: what to tell below, by rule; margins: rooms
    around the grid, in cells
    labels: how many labels stand in a cell
    """

    size: int
    numbers: range
    ink: dict[Cell, str] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    margins: dict[str, float] = field(
        default_factory=lambda: {"left": 0.0, "right": 0.0, "top": 0.0, "bottom": 0.0}
    )
    labels: dict[Cell, int] = field(default_factory=dict)
    _shapes: list[tuple[Layer, Shape]] = field(default_factory=list)
    _colours: dict[tuple[str, tuple[Term, ...]], str] = field(default_factory=dict)
    _rings: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What was put there, from the bottom to the top."""
        return tuple(shape for _, shape in sorted(self._shapes, key=lambda each: each[0]))

    def add(self, layer: Layer, shape: Shape) -> None:
        """Put a shape there."""
        self._shapes.append((layer, shape))

    def label(self, cell: Cell) -> None:
        """Keep the place of a label from whatever comes later."""
        self.labels[cell] = self.labels.get(cell, 0) + 1

    def colour(self, look: Look, name: tuple[Term, ...]) -> str:
        """The colour of a look, or one of its own for each name."""
        return look.colour or self._colours.setdefault(
            (look.atom.name, name), PALETTE[len(self._colours) % len(PALETTE)]
        )

    def outside(self, side: str, index: int, look: Look, text: str) -> None:
        """Write a clue before a row or a column; each look has a ring of its own."""
        ring = self._rings.get((side, look.atom.name))
        if ring is None:
            ring = self.margins[side]
            self._rings[side, look.atom.name] = ring
            self.margins[side] += 0.8
        size = (look.size or 0.42) * min(1.0, 3.2 / max(1, len(text)))
        out, along = ring + 0.45, index - 0.5
        x, y = {
            "left": (-out, along),
            "right": (self.size + out, along),
            "top": (along, -out),
            "bottom": (along, self.size + out),
        }[side]
        self.add(Layer.OUTSIDE, Words(Point(x, y), text, size, look.colour or INK, kind="clue"))

    def clear(self, words: Words) -> bool:
        """Whether a text outside of the grid would stand apart from those already there."""
        others = [
            shape
            for layer, shape in self._shapes
            if layer is Layer.OUTSIDE and isinstance(shape, Words)
        ]
        return not any(
            abs(words.at.x - other.at.x) < (words.breadth + other.breadth) / 2 + 0.05
            and abs(words.at.y - other.at.y) < 0.4 * (words.size + other.size)
            for other in others
        )

    def around(self, words: Words) -> None:
        """Have room for a centred text outside of the grid, and for one cell at least on the sides
        where it stands.
        """
        x, y, half = words.at.x, words.at.y, words.breadth / 2
        beyond = {"left": half - x, "right": x + half - self.size, "top": words.size / 2 - y}
        beyond["bottom"] = y + words.size / 2 - self.size
        on = {"left": x < 0, "right": x > self.size, "top": y < 0, "bottom": y > self.size}
        for side, out in beyond.items():
            self.margins[side] = max(self.margins[side], out, 1.0 if on[side] else 0.0)

    @property
    def digit(self) -> float:
        """How large the numbers in the cells are, all of them alike."""
        return {1: 0.62, 2: 0.5}.get(len(str(self.numbers[-1])), 0.38)

    def candidate(self, cell: Cell, number: int, colour: str) -> None:
        """A small number in a cell, at its own place below what may stand in the corner."""
        row, column = cell
        across = ceil(sqrt(len(self.numbers)))
        down = ceil(len(self.numbers) / across)
        place = self.numbers.index(number)
        top = 0.17 if cell not in self.labels else min(0.5, 0.06 + LABEL_LINE * self.labels[cell])
        x = column - 1 + 0.08 + 0.84 * (place % across + 0.5) / across
        y = row - 1 + top + (0.91 - top) * (place // across + 0.5) / down
        size = min(0.3, 0.76 / across, (0.91 - top) / down if cell in self.labels else 1.0)
        self.add(
            Layer.DIGIT,
            Words(Point(x, y), str(number), size, self.ink.get(cell, colour), kind="candidate"),
        )
