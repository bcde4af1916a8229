"""Grids drawn with signs < > ^ v: Futoshiki (without boxes) or greater-than sudoku (with boxes).

The drawing determines the type: a greater-than sudoku has separators such as `----+----` between
its boxes, or signs between all neighbours within a box and nowhere else; in a Futoshiki, signs may
be anywhere.
"""

from __future__ import annotations

import re
from dataclasses import replace

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    FUTOSHIKI,
    GREATER,
    LARGEST,
    Format,
    RuleSet,
    cell_number,
    content_lines,
    puzzle_with,
    require_representable,
    to_rows,
)
from aspdoku.puzzle.puzzle import Puzzle, box_shape
from aspdoku.puzzlefile.grid import FIRST_LETTER, TO_ASCII, must_be_separator
from aspdoku.puzzlefile.inequalities import cell_lines, draw_inequalities, read_drawing
from aspdoku.puzzlefile.lines import Line

SIGNS = frozenset("<>^v\u2227\u2228")
DRAWING_CHARACTERS = frozenset("0123456789.*_|+=- \t\n") | SIGNS
UP_AND_DOWN = str.maketrans("\u2227\u2228", "^v")
BELOW = frozenset("^v| \t")
WITHOUT, WITH = "futoshiki", "greater-than"
PITCH = 4  # columns per cell in the drawing of `inequalities`


def _ambiguity_of_futoshiki(text: str) -> str:
    """A message if all signs are inside boxes, as in a greater-than sudoku; otherwise empty."""
    shapes = _shapes(*_size_and_pairs(text))
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
    if not _is_drawing(text):
        return False
    if _has_boxes(text):
        return True
    size, pairs = _size_and_pairs(text)
    return any(
        len(pairs) == 2 * size * size - size * (height + width)
        for height, width in _shapes(size, pairs)
    )


def _read_greater(text: str, name: str) -> list[Puzzle]:
    """The one puzzle of the text, with the first box shape whose edges no sign crosses."""
    puzzle = _read(text, name, GREATER)
    shapes = _shapes(puzzle.size, _pairs(puzzle))
    return [replace(puzzle, box=shapes[0] if shapes else None)]


def _with_separators(text: str, size: int) -> str:
    """The drawing with separators between the boxes, except in positions of signs."""
    height, width = box_shape(size)
    edges = range(PITCH * width - 2, PITCH * (size - 1), PITCH * width)
    separator = "".join("+" if column in edges else "-" for column in range(PITCH * size - 3))
    lines, rows = list[str](), 0
    for line in text.splitlines():
        if _is_below(line):
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


def _is_drawing(text: str) -> bool:
    found = {sign for line in content_lines(text) for sign in line.content.translate(TO_ASCII)}
    return found <= DRAWING_CHARACTERS and bool(found & SIGNS) and _size_and_pairs(text)[0] > 1


def _has_boxes(text: str) -> bool:
    """Whether there is one separator between any two bands of boxes and no other, with a `+` at the
    corners of boxes.
    """
    lines = [line for line in _lines(text) if not _is_below(line.content)]
    order = "".join("-" if must_be_separator(line) else "." for line in lines).strip("-")
    size = order.count(".")
    height, width = box_shape(size)
    separators = [
        line.content.translate(TO_ASCII).strip("+ \t") for line in lines if must_be_separator(line)
    ]
    crossings = {separator.count("+") for separator in separators} - {
        0
    }  # without those of a frame, which has none inside
    return (
        height > 1
        and order == "-".join(["." * height] * (size // height))
        and crossings == {size // width - 1}
    )


def _lines(text: str, name: str = "") -> list[Line]:
    return [
        Line(line.text.translate(UP_AND_DOWN), line.number, line.name)
        for line in content_lines(text, name)
    ]


def _is_below(text: str) -> bool:
    """Whether a line contains only signs between two rows."""
    return set(text) <= BELOW


def _size_and_pairs(text: str) -> tuple[int, set[tuple[int, ...]]]:
    """The size of the grid and the pairs of cells (r, c, r1, c1) with a sign between them.

    The size is 0 if the text is not such a drawing.
    """
    try:
        puzzle = _read(text, "", FUTOSHIKI)
    except PuzzleError:
        return 0, set()
    return puzzle.size, _pairs(puzzle)


def _pairs(puzzle: Puzzle) -> set[tuple[int, ...]]:
    return {tuple(int(str(term)) for term in fact.arguments) for fact in puzzle.facts}


def _shapes(size: int, pairs: set[tuple[int, ...]]) -> list[tuple[int, int]]:
    """The box shapes, the default one first, for which no sign crosses the edge of a box."""
    heights = sorted(range(2, size // 2 + 1), key=lambda height: height != box_shape(size)[0])
    shapes = [(height, size // height) for height in heights if size % height == 0]
    return [shape for shape in shapes if all(_in_a_box(pair, *shape) for pair in pairs)]


def _in_a_box(pair: tuple[int, ...], height: int, width: int) -> bool:
    row, column, row_1, column_1 = (term - 1 for term in pair)
    return (row // height, column // width) == (row_1 // height, column_1 // width)


def _read(text: str, name: str, kind: RuleSet) -> Puzzle:
    lines = _lines(text, name)
    size = len(cell_lines(lines))
    if not size:
        raise PuzzleError("no grid found", name)
    if size > LARGEST:
        raise cell_lines(lines)[LARGEST].error(
            f"the grid has {size} rows; this format allows at most {LARGEST}"
        )
    rows, stated = read_drawing(lines)
    if not stated:
        raise lines[0].error("the drawing contains no sign < > ^ v")
    grid = [
        cell_number(cell.text, size, row.line, f"r{number}c{column}")
        for number, row in enumerate(rows, 1)
        for column, cell in enumerate(row.cells, 1)
    ]
    return puzzle_with(kind, to_rows(grid), [fact for fact, _ in stated])


def _write(puzzle: Puzzle, kind: RuleSet, name: str) -> str:
    require_representable(puzzle, kind, name, largest=FIRST_LETTER - 1, least=2)
    lines, drawn = draw_inequalities(puzzle.size, list(puzzle.facts))
    lost = [fact for fact in puzzle.facts if fact not in drawn]
    if lost or not drawn:
        raise PuzzleError(
            f"the format {name} cannot represent {lost[0] if lost else 'a puzzle without signs'}"
        )
    numbers = iter(str(number or ".") for row in puzzle.grid for number in row)
    return re.sub(r"\.", lambda _: next(numbers), "\n".join(lines) + "\n")


WITHOUT_BOXES = Format(
    WITHOUT,
    "a grid with signs < > ^ v, without boxes",
    lambda text: _is_drawing(text) and not _fits_greater(text),
    lambda text, name: [_read(text, name, FUTOSHIKI)],
    lambda puzzle: _write(puzzle, FUTOSHIKI, WITHOUT),
    ambiguity=_ambiguity_of_futoshiki,
)
WITH_BOXES = Format(
    WITH,
    "a grid with signs < > ^ v, with boxes",
    _fits_greater,
    _read_greater,
    lambda puzzle: _with_separators(_write(puzzle, GREATER, WITH), puzzle.size),
)
