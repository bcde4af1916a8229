"""Grids as plain text and as an HTML table, without any other package.

What `str` and a notebook show.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from typing import Protocol

from aspdoku.puzzle.printable import printable

_Cell = tuple[int, int]
Rows = Sequence[Sequence[int | None]]

BOLD_CYAN, RESET = "\x1b[1;36m", "\x1b[0m"
_TABLE = "border-collapse:collapse;font:1.1em/1 sans-serif;text-align:center"
_CELL = "width:2em;height:2em;padding:0;text-align:center"


class Frame(Protocol):
    """What surrounds the numbers of a grid; a Puzzle is one."""

    @property
    def size(self) -> int:
        """Number of rows."""

    @property
    def box(self) -> tuple[int, int] | None:
        """Rows and columns of a box."""

    @property
    def numbers(self) -> range:
        """The numbers that a cell may hold."""

    @property
    def title(self) -> str:
        """A caption."""

    def givens(self) -> Mapping[_Cell, int]:
        """The given numbers by cell."""

    def regions(self) -> Mapping[_Cell, set[object]]:
        """The regions of each cell."""


def text(puzzle: Frame, rows: Rows, colour: bool = False, marked: Collection[_Cell] = ()) -> str:
    """The grid with a dot for an empty cell and rules between its boxes.

    colour: givens stand out
    marked: cells to put between brackets
    """
    givens = puzzle.givens()
    width = len(str(puzzle.numbers[-1]))

    def cell(place: _Cell, number: int | None) -> str:
        shown = ("." if number is None else str(number)).rjust(width)
        if marked:
            shown = f"[{shown}]" if place in marked else f" {shown} "
        return f"{BOLD_CYAN}{shown}{RESET}" if colour and place in givens else shown

    lines = [
        [cell((row, column), number) for column, number in enumerate(cells, 1)]
        for row, cells in enumerate(rows, 1)
    ]
    return framed(lines, puzzle, width + 2 if marked else width)


def html(puzzle: Frame, rows: Rows) -> str:
    """A table with borders between boxes or drawn regions; givens are bold.

    Styles are inline, as notebooks need them.
    """
    caption = (
        f'<caption style="padding:.4em 0">{escape(printable(puzzle.title))}</caption>\n'
        if puzzle.title
        else ""
    )
    body = "".join(
        f"<tr>\n{''.join(_html_cells(puzzle, row, cells))}</tr>\n"
        for row, cells in enumerate(rows, 1)
    )
    return f'<table style="{_TABLE}">\n{caption}{body}</table>'


def _html_cells(puzzle: Frame, row: int, cells: Sequence[int | None]) -> Iterator[str]:
    region_of = puzzle.regions()
    givens = puzzle.givens()
    inside = range(1, puzzle.size + 1)
    for column, number in enumerate(cells, 1):
        borders = []
        for side, down, right in (
            ("top", -1, 0),
            ("left", 0, -1),
            ("bottom", 1, 0),
            ("right", 0, 1),
        ):
            other = row + down, column + right
            strong = not {*other} <= {*inside} or region_of.get((row, column)) != region_of.get(
                other
            )
            borders.append(f"border-{side}:{'2px solid #222' if strong else '1px solid #bbb'}")
        ink = "font-weight:bold;color:#111" if (row, column) in givens else "color:#36c"
        shown = "" if number is None else number
        yield f'<td style="{_CELL};{";".join(borders)};{ink}">{shown}</td>\n'


def framed(lines: list[list[str]], puzzle: Frame, width: int) -> str:
    """The cells set out with rules between the boxes, or with borders around the regions that the
    puzzle draws.
    """
    if puzzle.box or not (drawn := puzzle.regions()):
        return _ruled(lines, puzzle.box, width)
    size = puzzle.size

    def parted(one: _Cell, other: _Cell) -> bool:
        return drawn.get(one) != drawn.get(other)

    def joint(row: int, column: int) -> str:
        here, right, below, across = (
            (row, column),
            (row, column + 1),
            (row + 1, column),
            (row + 1, column + 1),
        )
        return (
            "+"
            if parted(here, right)
            or parted(here, below)
            or parted(right, across)
            or parted(below, across)
            else " "
        )

    found = []
    for row, cells in enumerate(lines, 1):
        signs = (
            "|" if parted((row, column), (row, column + 1)) else " " for column in range(1, size)
        )
        found.append(
            "".join(
                part for pair in zip(cells, [*signs, ""], strict=True) for part in pair
            ).rstrip()
        )
        if row < size:
            below = (
                "-" * width if parted((row, column), (row + 1, column)) else " " * width
                for column in range(1, size + 1)
            )
            joints = [*(joint(row, column) for column in range(1, size)), ""]
            found.append(
                "".join(part for pair in zip(below, joints, strict=True) for part in pair).rstrip()
            )
    return "\n".join(line for line in found if line)


def _ruled(lines: list[list[str]], box: tuple[int, int] | None, width: int) -> str:
    """The cells set out with spaces, and `|`, `-` and `+` between boxes that are more than a row or
    a column.
    """
    size = len(lines)
    height, breadth = box if box and min(box) > 1 else (size, size)
    drawn = []
    for row, cells in enumerate(lines):
        if row and row % height == 0:
            blocks = ["-" * (breadth * (width + 1) - 1)] * (size // breadth)
            drawn.append("-+-".join(blocks))
        blocks = [" ".join(cells[start : start + breadth]) for start in range(0, size, breadth)]
        drawn.append(" | ".join(blocks).rstrip())
    return "\n".join(drawn)
