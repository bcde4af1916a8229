"""The drawing of a board that the scripts of a page fill with numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from aspdoku.drawing import NOTEBOOK_SECONDS, Board
from aspdoku.drawing.output import PIXELS, svg_shapes
from aspdoku.drawing.shapes import Shape, Text
from aspdoku.program import Program, RuleFile


def drawing_of(program: Program, names: bool = False) -> dict[str, Any]:
    """The drawing of the puzzle without givens, as SVG, and where numbers are drawn in a cell.
    What of the puzzle is unsupported is not drawn: the page says it.

    below, above: SVG; shapes that are not drawn if a rule is retracted are in groups with the names
    of such rules as `data-rules`, divided by spaces
    digit: x, y and size of a number in a cell, in cells; y is that of the middle
    marks: x, y and size of each pencil mark, by the number of labels in the cell
    labels: the cells with labels, and how many
    inks: the cells for whose numbers a style states a colour, which hides them in black cells, with
    this colour and the rules without which it is not stated
    unused: the cells that are not part of the puzzle
    """
    puzzle = program.puzzle
    size = range(1, puzzle.size + 1)
    blank = program.without_givens().changed(unsupported=())
    board = Board(blank, NOTEBOOK_SECONDS, names)
    without = {
        name: Board(blank.changed(retracted=[name]), NOTEBOOK_SECONDS, names)
        for name in _retractable(blank)
    }
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
        # The cells that a retracted rule leaves out are drawn beyond those of the others.
        "width": max(each.width for each in (board, *without.values())),
        "height": max(each.height for each in (board, *without.values())),
        "grid": [board.grid.x, board.grid.y],
        "below": _svg(board.below, {name: each.below for name, each in without.items()}),
        "above": _svg(board.above, {name: each.above for name, each in without.items()}),
        "digit": _places(largest)[0],
        "marks": {
            count: _places(board.shapes(board.content(cell, None, tuple(puzzle.numbers))))
            for count, cell in samples.items()
        },
        "labels": {f"r{row}c{column}": count for (row, column), count in labels.items()},
        "inks": {
            f"r{row}c{column}": [
                ink,
                [
                    name
                    for name, each in without.items()
                    if each.content((row, column), None).ink != ink
                ],
            ]
            for row in size
            for column in size
            if (ink := board.content((row, column), None).ink)
        },
        "unused": [f"r{row}c{column}" for row, column in sorted(program.puzzle.unused)],
    }


def drawing_of_rule(program: Program, rule: RuleFile) -> dict[str, str] | None:
    """What a rule adds to the drawing of a puzzle: `below` and `above`, as in `drawing_of`. None if
    more than shapes would change, such as the place of the grid.

    Raises RuleError for an invalid style, TimeLimitError.
    """
    blank = program.without_givens()
    plain, board = (
        Board(each, NOTEBOOK_SECONDS, names=False)
        for each in (blank, blank.changed([*blank.rules, rule]))
    )
    size = range(1, program.puzzle.size + 1)
    frames = [
        (
            (each.width, each.height, each.grid),
            [each.content((row, column), None) for row in size for column in size],
        )
        for each in (plain, board)
    ]
    if frames[0] != frames[1]:
        return None
    return {
        place: _svg((shape for shape in shapes if shape not in known), {rule.name: ()})
        for place, shapes, known in (
            ("below", board.below, set(plain.below)),
            ("above", board.above, set(plain.above)),
        )
    }


def _retractable(program: Program) -> list[str]:
    """The names of the rule files after the base that a fact retracts as a whole."""
    return [
        part.rule.name
        for part in program.parts[1:]
        if part.rule.name.replace("-", "_") in part.rule.retractable
        and part.rule.name not in program.puzzle.without
    ]


def _svg(shapes: Iterable[Shape], without: Mapping[str, Iterable[Shape]]) -> str:
    """Shapes as SVG, those that are missing without some rules in groups with their names."""
    left = {name: set(others) for name, others in without.items()}

    def rules(shape: Shape) -> str:
        return " ".join(name for name, others in left.items() if shape not in others)

    return "".join(
        f'<g data-rules="{names}">{svg_shapes(part)}</g>' if names else svg_shapes(part)
        for names, part in groupby(shapes, rules)
    )


def _places(shapes: tuple[Any, ...]) -> list[tuple[float, float, float]]:
    texts = [shape for shape in shapes if isinstance(shape, Text)]
    return [(round(text.at.x, 4), round(text.at.y, 4), round(text.size, 4)) for text in texts]
