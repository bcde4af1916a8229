"""Grids as plain text, for `str`, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any, Protocol

from aspdoku.puzzle.term import printable

_Cell = tuple[int, int]
Rows = Sequence[Sequence[int | None]]

UNUSED_SIGN = "/"  # of a cell that is not part of the puzzle, also in puzzle files
BOLD_CYAN, RESET = "\x1b[1;36m", "\x1b[0m"


class _GridLayout(Protocol):
    """The parts of a Puzzle that determine how a grid is rendered."""

    @property
    def size(self) -> int: ...
    @property
    def box(self) -> tuple[int, int] | None: ...
    @property
    def numbers(self) -> range: ...
    @property
    def layout(self) -> Collection[object]: ...
    @property
    def unused(self) -> Collection[_Cell]: ...
    def givens(self) -> Mapping[_Cell, int]: ...
    def regions(self) -> Mapping[_Cell, set[object]]: ...


def text(
    puzzle: _GridLayout, rows: Rows, colour: bool = False, marked: Collection[_Cell] = ()
) -> str:
    """The grid with lines between boxes; givens are in colour, marked cells in brackets."""
    givens, unused = puzzle.givens(), puzzle.unused
    width = len(str(puzzle.numbers[-1]))

    def cell(position: _Cell, number: int | None) -> str:
        blank = " " if position in unused else "."
        shown = (blank if number is None else str(number)).rjust(width)
        if marked:
            mark = position in marked and position not in unused
            shown = f"[{shown}]" if mark else f" {shown} "
        return f"{BOLD_CYAN}{shown}{RESET}" if colour and position in givens else shown

    lines = [
        [cell((row, column), number) for column, number in enumerate(cells, 1)]
        for row, cells in enumerate(rows, 1)
    ]
    return with_borders(lines, puzzle, width + 2 if marked else width)


def line(rows: Rows) -> str:
    """The rows next to each other, on one line."""
    numbers = [["." if number is None else str(number) for number in cells] for cells in rows]
    separator = "" if all(len(number) == 1 for cells in numbers for number in cells) else ","
    return " ".join(separator.join(cells) for cells in numbers)


def shortened(text: str, longest: int = 150) -> str:
    """The text, with an ellipsis at its end if it is longer than this."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


Drawer = Callable[[Any], str]
_drawer: Drawer | None = None


def set_drawer(drawer: Drawer) -> None:
    """Let a function draw what notebooks display; drawing depends on this package."""
    global _drawer
    _drawer = drawer


def html(shown: object) -> str:
    """A puzzle, solution or program as HTML: a drawing if there is a function for it, or text."""
    from html import escape  # commands that print text do without it

    return _drawer(shown) if _drawer else f"<pre>{escape(printable(str(shown)))}</pre>"


def with_borders(lines: list[list[str]], puzzle: _GridLayout, width: int) -> str:
    """The cells with lines between boxes, or with borders around irregular regions."""
    if puzzle.box or not (regions := puzzle.regions()):
        return "\n".join(with_box_lines(lines, puzzle.box, width)).rstrip("\n")
    unused = frozenset(puzzle.unused)

    def separated(one: _Cell, other: _Cell) -> bool:
        return regions.get(one) != regions.get(other) and unused.isdisjoint((one, other))

    def sign(y: int, x: int) -> str:
        """What is in this row and column of the cells, which are odd, and the lines between."""
        row, column = (y + 1) // 2, (x + 1) // 2
        here, right, below, across = product((row, row + 1), (column, column + 1))
        if y % 2 and x % 2:
            return lines[row - 1][column - 1]
        if y % 2:
            return "|" if separated(here, right) else " "
        if x % 2:
            return ("-" if separated(here, below) else " ") * width
        horizontal = separated(here, below) or separated(right, across)
        vertical = separated(here, right) or separated(below, across)
        # Boards are large, and their boxes are seen without the corners of vertical lines.
        return "+" if horizontal or (vertical and not puzzle.layout) else " "

    span = range(1, 2 * puzzle.size)
    rendered = [("".join(sign(y, x) for x in span).rstrip(), y % 2) for y in span]
    kept = [line for line, cells in rendered if line or (unused and (cells or not puzzle.layout))]
    return "\n".join(kept).rstrip("\n")


def with_box_lines(cells: list[list[str]], box: tuple[int, int] | None, width: int) -> list[str]:
    """The lines of cells of this width, with `|`, `-` and `+` between boxes."""
    size = len(cells)
    height, breadth = box if box and min(box) > 1 else (size, size)
    separator = "-+-".join(["-" * (breadth * (width + 1) - 1)] * (size // breadth))
    lines: list[str] = []
    for number, row in enumerate(cells):
        lines += [separator] if number and number % height == 0 else []
        bands = (" ".join(row[start : start + breadth]) for start in range(0, size, breadth))
        lines.append(" | ".join(bands).rstrip())
    return lines
