"""A puzzle's drawing as the background of many grids: the steps of an explanation.

The background is drawn once. The content of a cell is drawn as if the cell were the upper left one,
so that equal contents can share their shapes.
"""

from __future__ import annotations

from typing import NamedTuple

from aspdoku.drawing import Marks, picture_of_program
from aspdoku.drawing.canvas import Canvas
from aspdoku.drawing.picture import CANDIDATE, SOLVED
from aspdoku.drawing.shapes import Path, Shape, rectangle
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell


class CellContent(NamedTuple):
    """The number in a cell, or its pencil marks.

    eliminated: pencil marks that are struck through
    labels: the number of lines in the cell that labels of the drawing use
    ink: the colour of numbers, if the drawing states one: that of the cell, for a black cell
    """

    number: int | None
    candidates: tuple[int, ...]
    eliminated: tuple[int, ...]
    labels: int
    ink: str


class Board:
    """The drawing of a program's puzzle, with numbered rows and columns, and without captions.

    names: draw cages and lines that messages name with their names
    grid: the upper left corner of the grid
    below, above: the shapes below and above highlighted cells
    """

    def __init__(
        self, program: Program, time_limit: float | None = None, names: bool = True
    ) -> None:
        drawn = picture_of_program(
            program,
            marks=Marks(axes=True),
            captions=False,
            title="",
            time_limit=time_limit,
            names=names,
        )
        self.width, self.height, self.grid = drawn.width, drawn.height, drawn.grid
        # Pencil marks that a rule gives would overlap those of the steps, which respect the rule.
        shapes = [shape for shape in drawn.shapes if shape.kind != "candidate"]
        self.below, self.above = shapes[: drawn.areas], shapes[drawn.areas :]
        self._numbers = program.puzzle.numbers
        self._labels, self._inks = drawn.labels, drawn.inks

    def content(
        self,
        cell: Cell,
        number: int | None,
        candidates: tuple[int, ...] = (),
        eliminated: tuple[int, ...] = (),
    ) -> CellContent:
        """What a cell shows; only its number, if it has one."""
        ink = self._inks.get(cell, "")
        if number is not None:
            return CellContent(number, (), (), 0, ink)
        return CellContent(None, candidates, eliminated, self._labels.get(cell, 0), ink)

    def shapes(self, content: CellContent) -> tuple[Shape, ...]:
        """The shapes of a content in a cell whose upper left corner is the origin."""
        first = 1, 1
        canvas = Canvas(
            1,
            self._numbers,
            labels={first: content.labels} if content.labels else {},
            digit_colours={first: content.ink} if content.ink else {},
        )
        if content.number is not None:
            canvas.add_number(first, content.number, SOLVED, given=False, kind="solved")
        for number in content.candidates:
            canvas.add_candidate(first, number, CANDIDATE, eliminated=number in content.eliminated)
        return canvas.shapes

    def square(self, cell: Cell, colour: str, kind: str) -> Path:
        """A cell filled with a colour."""
        row, column = cell
        left, top = self.grid.moved(column - 1, row - 1)
        return rectangle(left, top, left + 1, top + 1, colour, kind)
