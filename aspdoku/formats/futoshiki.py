"""Grids drawn with signs < > ^ v: Futoshiki (without boxes) or greater-than sudoku (with boxes).

The drawing determines the type: a greater-than sudoku has separators such as `----+----` between
its boxes, or signs between all neighbours within a box and nowhere else; in a Futoshiki, signs may
be anywhere.
"""

from __future__ import annotations

import re
from dataclasses import replace

from aspdoku.errors import PuzzleError
from aspdoku.formats import base
from aspdoku.puzzle.puzzle import Puzzle, box_shape
from aspdoku.puzzlefile.grid import FIRST_LETTER, TO_ASCII, must_be_separator
from aspdoku.puzzlefile.inequalities import cell_lines, draw_inequalities, read_drawing
from aspdoku.puzzlefile.lines import Line

SIGNS = frozenset("<>^v\u2227\u2228")
DRAWING_CHARACTERS = frozenset("0123456789.*_|+=- \t\n") | SIGNS
UP_AND_DOWN = str.maketrans("\u2227\u2228", "^v")
BELOW = frozenset("^v| \t")
WITHOUT, WITH = "futoshiki", "greater-than"
SIZES = range(2, FIRST_LETTER)
PITCH = 4  # columns per cell in the drawing of `inequalities`


def _ambiguity_of_futoshiki(text: str) -> str:
    """A message if all signs are inside boxes, as in a greater-than sudoku; otherwise empty."""
    shapes = _shapes(_read(text, "", base.FUTOSHIKI))
    if not shapes:
        return ""
    height, width = shapes[0]
    return (
        f"ambiguous drawing: all signs are inside {height}x{width} boxes, so that this is a"
        " greater-than sudoku with boxes or a Futoshiki without; convert it with --from"
        f" {WITH} or --from {WITHOUT}"
    )


def _fits_greater(text: str) -> bool:
    """Whether the text is a grid with separators between its boxes, or with signs between all
    neighbours within a box and nowhere else.
    """
    puzzle = _drawing(text)
    if puzzle is None or _has_boxes(text):
        return puzzle is not None
    size, signs = puzzle.size, len({*puzzle.facts})
    return any(signs == 2 * size * size - size * sum(shape) for shape in _shapes(puzzle))


def _read_greater(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text, with the first box shape whose edges no sign crosses."""
    puzzle = _read(text, name, base.GREATER)
    return [replace(puzzle, box=next(iter(_shapes(puzzle)), None))]


def _with_separators(text: str, size: int) -> str:
    """The drawing with separators between the boxes, except in positions of signs."""
    height, width = box_shape(size)
    edges = range(PITCH * width - 2, PITCH * (size - 1), PITCH * width)
    separator = "".join("+" if column in edges else "-" for column in range(PITCH * size - 3))
    lines, rows = list[str](), 0
    for line in text.splitlines():
        if {*line} <= BELOW:  # signs between two rows
            lines.append(line)
            continue
        lines.append(
            "".join(
                "|" if column in edges and sign == " " else sign for column, sign in enumerate(line)
            )
        )
        rows += 1
        lines += [separator] if rows % height == 0 and rows < size else []
    return "\n".join(lines) + "\n"


def _drawing(text: str) -> Puzzle | None:
    """The puzzle in a drawing, without boxes; None if the text is none."""
    signs = {sign for line in base.content_lines(text) for sign in line.content.translate(TO_ASCII)}
    if not signs <= DRAWING_CHARACTERS or not signs & SIGNS:
        return None
    try:
        puzzle = _read(text, "", base.FUTOSHIKI)
    except PuzzleError:
        return None
    return puzzle if puzzle.size > 1 else None


def _has_boxes(text: str) -> bool:
    """Whether separators are between bands of boxes only, with a `+` at the corners of boxes."""
    lines = [line for line in _lines(text) if not {*line.content} <= BELOW]
    order = "".join("-" if must_be_separator(line) else "." for line in lines).strip("-")
    size = order.count(".")
    height, width = box_shape(size)
    separators = [
        line.content.translate(TO_ASCII).strip("+ \t") for line in lines if must_be_separator(line)
    ]
    crossings = {separator.count("+") for separator in separators} - {0}  # without a frame
    return (
        height > 1
        and order == "-".join(["." * height] * (size // height))
        and crossings == {size // width - 1}
    )


def _lines(text: str, name: str = "") -> list[Line]:
    return base.translated(base.content_lines(text, name), UP_AND_DOWN)


def _shapes(puzzle: Puzzle) -> list[tuple[int, int]]:
    """The box shapes, the default one first, for which no sign crosses the edge of a box."""
    size = puzzle.size
    pairs = [[int(str(term)) - 1 for term in fact.arguments] for fact in puzzle.facts]
    heights = sorted(range(2, size // 2 + 1), key=lambda height: height != box_shape(size)[0])
    return [
        (height, width)
        for height in heights
        if size % height == 0
        for width in [size // height]
        if all((r // height, c // width) == (r1 // height, c1 // width) for r, c, r1, c1 in pairs)
    ]


def _read(text: str, name: str, kind: base.RuleSet) -> Puzzle:
    lines = _lines(text, name)
    size = len(cell_lines(lines))
    if not size:
        raise PuzzleError("no grid found", name)
    if size > base.LARGEST:
        raise cell_lines(lines)[base.LARGEST].error(
            f"the grid has {size} rows; this format allows at most {base.LARGEST}"
        )
    rows, stated = read_drawing(lines)
    if not stated:
        raise lines[0].error("the drawing contains no sign < > ^ v")
    grid = [
        base.number_in(cell.text, size, f"r{number}c{column}", row.line)
        for number, row in enumerate(rows, 1)
        for column, cell in enumerate(row.cells, 1)
    ]
    return base.puzzle_with(kind, base.to_rows(grid), [fact for fact, _ in stated])


def _write(puzzle: Puzzle) -> str:
    lines, drawn = draw_inequalities(puzzle.size, list(puzzle.facts))
    if not drawn:
        raise base.UnsupportedError("a puzzle without signs between neighbours")
    numbers = iter(base.cells_of(puzzle))
    return re.sub(r"\.", lambda _: next(numbers), "\n".join(lines) + "\n")


WITHOUT_BOXES = base.Format(
    WITHOUT,
    "a grid with signs < > ^ v, without boxes",
    lambda text: _drawing(text) is not None and not _fits_greater(text),
    lambda text, name: [_read(text, name, base.FUTOSHIKI)],
    _write,
    kinds=(base.FUTOSHIKI,),
    sizes=SIZES,
    ambiguity=_ambiguity_of_futoshiki,
)
WITH_BOXES = base.Format(
    WITH,
    "a grid with signs < > ^ v, with boxes",
    _fits_greater,
    _read_greater,
    lambda puzzle: _with_separators(_write(puzzle), puzzle.size),
    kinds=(base.GREATER,),
    sizes=SIZES,
)
