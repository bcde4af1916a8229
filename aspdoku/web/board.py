"""The drawing of a board that the scripts of a page fill with numbers."""

from __future__ import annotations

from typing import Any

from aspdoku.drawing import NOTEBOOK_SECONDS
from aspdoku.drawing.board import Board
from aspdoku.drawing.output import PIXELS, svg_shapes
from aspdoku.drawing.shapes import Text
from aspdoku.program import Program


def drawing_of(program: Program, names: bool = False) -> dict[str, Any]:
    """The drawing of the puzzle without givens, as SVG, and where numbers are drawn in a cell.

    digit: x, y and size of a number in a cell, in cells; y is that of the middle
    marks: x, y and size of each pencil mark, by the number of labels in the cell
    labels: the cells with labels, and how many
    inks: the cells for whose numbers a style states a colour, which hides them in black cells
    unused: the cells that are not part of the puzzle
    """
    puzzle = program.puzzle
    size = range(1, puzzle.size + 1)
    blank = program.with_grid(tuple((None,) * puzzle.size for _ in size))
    board = Board(blank, NOTEBOOK_SECONDS, names)
    labels = {
        (row, column): count
        for row in size
        for column in size
        if (count := board.content((row, column), None).labels)
    }
    largest = board.shapes(board.content((1, 1), puzzle.numbers[-1]))
    samples = {0: next(((r, c) for r in size for c in size if (r, c) not in labels), (1, 1))}
    samples |= {count: cell for cell, count in labels.items()}
    return {
        "scale": PIXELS,
        "width": board.width,
        "height": board.height,
        "grid": [board.grid.x, board.grid.y],
        "below": svg_shapes(board.below),
        "above": svg_shapes(board.above),
        "digit": _places(largest)[0],
        "marks": {
            count: _places(board.shapes(board.content(cell, None, tuple(puzzle.numbers))))
            for count, cell in samples.items()
        },
        "labels": {f"r{row}c{column}": count for (row, column), count in labels.items()},
        "inks": {
            f"r{row}c{column}": ink
            for row in size
            for column in size
            if (ink := board.content((row, column), None).ink)
        },
        "unused": [f"r{row}c{column}" for row, column in sorted(program.puzzle.unused)],
    }


def _places(shapes: tuple[Any, ...]) -> list[tuple[float, float, float]]:
    texts = [shape for shape in shapes if isinstance(shape, Text)]
    return [(round(text.at.x, 4), round(text.at.y, 4), round(text.size, 4)) for text in texts]
