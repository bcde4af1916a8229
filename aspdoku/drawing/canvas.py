"""The canvas: shapes in layers, and the margins that clues outside the grid need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from math import ceil, sqrt

from aspdoku.drawing.facts import FactGroup
from aspdoku.drawing.shapes import Circle, Path, Point, Shape, Text, rectangle, text_width
from aspdoku.drawing.style import DrawStyle, Signature
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzle.term import Term

INK = "#111111"
GREY = "#8a8a8a"
# Light enough for digits to be readable, and distinguishable from each other in greyscale, too.
PALETTE = ("#f6d5a7", "#bcdcf0", "#c9e4bf", "#f3c6cf", "#d8cdea", "#f0ea9f", "#b9e3da", "#e2d2c3")
# Height of a label as a fraction of a cell.
LABEL_LINE = 0.22
ELIMINATED = "#d0021b"
AXIS = "#6a6a6a"


class Layer(IntEnum):
    """The layers, from bottom to top."""

    AREA = 0
    HIGHLIGHT = 1
    LINE = 2
    LINE_END = 3
    GRID = 4
    OUTLINE = 5
    BORDER = 6
    DOT = 7
    DIGIT = 8
    OUTSIDE = 9


@dataclass
class Canvas:
    """The shapes of a grid of `size` x `size` cells.

    numbers: the numbers that a cell may hold
    digit_colours: colours of the digits, for cells in which they differ from the default
    notes: texts for the caption below the grid, by rule
    margins: space around the grid, in cells
    labels: the number of labels in each cell
    named: predicates whose cages or lines are drawn with their names
    unused: cells that are not part of the puzzle; clues are next to the last row and column that
        have other cells
    cited: the clues that notes name, by the name of a rule in facts and that of a clue, with a
        colour for their cells, or none; they are drawn with their names, too
    contents: what cells of a solution show instead of their numbers; if it is not empty, other
        cells show nothing
    """

    size: int
    numbers: range
    digit_colours: dict[Cell, str] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    margins: dict[str, float] = field(
        default_factory=lambda: {"left": 0.0, "right": 0.0, "top": 0.0, "bottom": 0.0}
    )
    labels: dict[Cell, int] = field(default_factory=dict)
    named: Collection[Signature] = ()
    unused: Collection[Cell] = ()
    cited: Mapping[tuple[str, Term], str] = field(default_factory=dict)
    contents: dict[Cell, list[int]] = field(default_factory=dict)
    _shapes: list[tuple[Layer, Shape]] = field(default_factory=list)
    _colours: dict[tuple[str, tuple[Term, ...]], str] = field(default_factory=dict)
    _rings: dict[tuple[str, str], float] = field(default_factory=dict)

    @cached_property
    def rows(self) -> int:
        """The last row with a cell that is used."""
        span = range(self.size, 0, -1)
        return next((r for r in span if any((r, c) not in self.unused for c in span)), self.size)

    @cached_property
    def columns(self) -> int:
        """The last column with a cell that is used."""
        span = range(self.size, 0, -1)
        return next((c for c in span if any((r, c) not in self.unused for r in span)), self.size)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the rows and columns up to the last that are used, or in whose unused
        cells something is drawn.
        """
        width, height = float(self.columns), float(self.rows)
        for layer, shape in self._shapes if self.unused else ():
            if layer is not Layer.OUTSIDE:
                for x, y in _corners(shape):
                    width, height = max(width, x), max(height, y)
        return min(width, self.size), min(height, self.size)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes, from bottom to top."""
        return tuple(shape for _, shape in sorted(self._shapes, key=lambda each: each[0]))

    @property
    def areas(self) -> int:
        """The number of shapes that are below highlights."""
        return sum(layer is Layer.AREA for layer, _ in self._shapes)

    def add(self, layer: Layer, shape: Shape) -> None:
        """Add a shape to a layer."""
        self._shapes.append((layer, shape))

    def count_label(self, cell: Cell) -> None:
        """Count a label in a cell, so that later ones are placed elsewhere."""
        self.labels[cell] = self.labels.get(cell, 0) + 1

    def colour_of(self, style: DrawStyle, group: FactGroup) -> str:
        """The colour of a style, or if it has none, one for each value of its argument `by`, or for
        each name.
        """
        name = (group.facts[0].values[style.by],) if style.by else group.name
        return style.colour or self._colours.setdefault(
            (style.atom.name, name), PALETTE[len(self._colours) % len(PALETTE)]
        )

    def add_clue(self, side: str, index: int, style: DrawStyle, text: str) -> None:
        """Add a clue outside a row or column; the clues of each style have the same distance."""
        ring = self._rings.get((side, style.atom.name))
        if ring is None:
            ring = self.margins[side]
            self._rings[side, style.atom.name] = ring
            self.margins[side] += 0.8
        size = (style.size or 0.42) * min(1.0, 3.2 / max(1, len(text)))
        out, along = ring + 0.45, index - 0.5
        x, y = {
            "left": (-out, along),
            "right": (self.columns + out, along),
            "top": (along, -out),
            "bottom": (along, self.rows + out),
        }[side]
        self.add(Layer.OUTSIDE, Text(Point(x, y), text, size, style.colour or INK, kind="clue"))

    def is_free(self, text: Text, texts: bool = True) -> bool:
        """Whether a text would overlap neither the grid nor arrows outside it.

        texts: whether it must not overlap other texts there either
        """
        outside = [shape for layer, shape in self._shapes if layer is Layer.OUTSIDE]
        x, y, half = text.at.x, text.at.y, text.width / 2 + 0.04
        at_side = abs(x - self.columns / 2) - half >= self.columns / 2 + 0.04
        below = abs(y - self.rows / 2) - 0.4 * text.size >= self.rows / 2 + 0.04
        if not at_side and not below:
            return False
        return not any(
            abs(x - other.at.x) < half + other.width / 2
            and abs(y - other.at.y) < 0.4 * (text.size + other.size)
            for other in outside
            if texts and isinstance(other, Text)
        ) and not any(
            abs(x - point.x) < half and abs(y - point.y) < 0.45 * text.size
            for other in outside
            if isinstance(other, Path)
            for point in other.points
        )

    def reserve(self, text: Text) -> None:
        """Extend the margins to contain a centred text outside the grid, and to at least one cell
        on the sides on which it is.
        """
        x, y, half = text.at.x, text.at.y, text.width / 2
        beyond = {"left": half - x, "right": x + half - self.columns, "top": text.size / 2 - y}
        beyond["bottom"] = y + text.size / 2 - self.rows
        on = {"left": x < 0, "right": x > self.columns, "top": y < 0, "bottom": y > self.rows}
        for side, out in beyond.items():
            self.margins[side] = max(self.margins[side], out, 1.0 if on[side] else 0.0)

    def highlight(self, cells: Iterable[Cell], colour: str) -> None:
        """Fill cells below lines and numbers, but above shaded areas."""
        for row, column in sorted(cells):
            square = rectangle(column - 1, row - 1, column, row, colour, "highlight")
            self.add(Layer.HIGHLIGHT, square)

    def add_axes(self) -> None:
        """Number the rows and columns, on the left and above, beyond all clues."""
        left, top = self.margins["left"] + 0.28, self.margins["top"] + 0.28
        for index in range(1, self.size + 1):
            at_left, above = Point(-left, index - 0.5), Point(index - 0.5, -top)
            for at, last in ((at_left, self.rows), (above, self.columns)):
                if index <= last:
                    self.add(Layer.OUTSIDE, Text(at, str(index), 0.28, AXIS, kind="axis"))
        self.margins["left"] += 0.45
        self.margins["top"] += 0.45

    @property
    def digit_size(self) -> float:
        """Font size of the numbers in the cells."""
        return {1: 0.62, 2: 0.5}.get(len(str(self.numbers[-1])), 0.38)

    def add_number(
        self, cell: Cell, number: int | str, colour: str, given: bool, kind: str
    ) -> None:
        """Add a number to a cell, or several as one text; givens are bold."""
        row, column = cell
        ink = self.digit_colours.get(cell, colour)
        at, text = Point(column - 0.5, row - 0.48), str(number)
        size = min(self.digit_size, 0.84 / text_width(text, 1.0))
        self.add(Layer.DIGIT, Text(at, text, size, ink, bold=given, kind=kind))

    def add_candidate(self, cell: Cell, number: int, colour: str, eliminated: bool = False) -> None:
        """Add a small number at its position in a cell, below the labels of the cell.

        eliminated: draw it red and struck through
        """
        row, column = cell
        across = ceil(sqrt(len(self.numbers)))
        down = ceil(len(self.numbers) / across)
        index = self.numbers.index(number)
        top = 0.17 if cell not in self.labels else min(0.5, 0.06 + LABEL_LINE * self.labels[cell])
        x = column - 1 + 0.08 + 0.84 * (index % across + 0.5) / across
        y = row - 1 + top + (0.91 - top) * (index // across + 0.5) / down
        size = min(0.3, 0.76 / across, (0.91 - top) / down if cell in self.labels else 1.0)
        ink = ELIMINATED if eliminated else self.digit_colours.get(cell, colour)
        kind = "eliminated" if eliminated else "candidate"
        text = Text(Point(x, y), str(number), size, ink, kind=kind)
        self.add(Layer.DIGIT, text)
        if eliminated:
            half = text.width / 2
            ends = Point(x - half, y + 0.4 * size), Point(x + half, y - 0.4 * size)
            self.add(Layer.DIGIT, Path(ends, ELIMINATED, 0.03, kind="strike"))


def _corners(shape: Shape) -> Iterable[Point]:
    """Points up to which a shape extends; for a circle or a text, the lower right of its cell."""
    if isinstance(shape, Path):
        return shape.points
    x, y = shape.centre if isinstance(shape, Circle) else shape.at
    return [Point(ceil(x), ceil(y))]
