"""Grids as plain text and as an HTML table, for `str` and for notebooks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from aspdoku.puzzle.term import printable

_Cell = tuple[int, int]
Rows = Sequence[Sequence[int | None]]

BOLD_CYAN, RESET = "\x1b[1;36m", "\x1b[0m"
_TABLE = "border-collapse:collapse;font:1.1em/1 sans-serif;text-align:center"
_CELL = "width:2em;height:2em;padding:0;text-align:center"


class GridLayout(Protocol):
    """The parts of a Puzzle that determine how a grid is rendered."""

    @property
    def size(self) -> int:
        """Number of rows."""

    @property
    def box(self) -> tuple[int, int] | None:
        """Rows and columns of a box, or None if there are regions instead."""

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


def text(
    puzzle: GridLayout, rows: Rows, colour: bool = False, marked: Collection[_Cell] = ()
) -> str:
    """The grid with dots for empty cells and lines between boxes.

    colour: whether to highlight givens
    marked: cells to show in brackets
    """
    givens = puzzle.givens()
    width = len(str(puzzle.numbers[-1]))

    def cell(position: _Cell, number: int | None) -> str:
        shown = ("." if number is None else str(number)).rjust(width)
        if marked:
            shown = f"[{shown}]" if position in marked else f" {shown} "
        return f"{BOLD_CYAN}{shown}{RESET}" if colour and position in givens else shown

    lines = [
        [cell((row, column), number) for column, number in enumerate(cells, 1)]
        for row, cells in enumerate(rows, 1)
    ]
    return with_borders(lines, puzzle, width + 2 if marked else width)


def html(puzzle: GridLayout, rows: Rows) -> str:
    """A table with borders between boxes or regions; givens are bold.

    Styles are inline, because notebooks remove style sheets.
    """
    from html import escape  # commands that print text do without it

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


def _html_cells(puzzle: GridLayout, row: int, cells: Sequence[int | None]) -> Iterator[str]:
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
            thick = not {*other} <= {*inside} or region_of.get((row, column)) != region_of.get(
                other
            )
            borders.append(f"border-{side}:{'2px solid #222' if thick else '1px solid #bbb'}")
        ink = "font-weight:bold;color:#111" if (row, column) in givens else "color:#36c"
        shown = "" if number is None else number
        yield f'<td style="{_CELL};{";".join(borders)};{ink}">{shown}</td>\n'


def with_borders(lines: list[list[str]], puzzle: GridLayout, width: int) -> str:
    """The cells with lines between boxes, or with borders around irregular regions."""
    if puzzle.box or not (regions := puzzle.regions()):
        return _with_box_lines(lines, puzzle.box, width)
    size = puzzle.size

    def separated(one: _Cell, other: _Cell) -> bool:
        return regions.get(one) != regions.get(other)

    def joint(row: int, column: int) -> str:
        here, right, below, across = (
            (row, column),
            (row, column + 1),
            (row + 1, column),
            (row + 1, column + 1),
        )
        return (
            "+"
            if separated(here, right)
            or separated(here, below)
            or separated(right, across)
            or separated(below, across)
            else " "
        )

    rendered = []
    for row, cells in enumerate(lines, 1):
        signs = (
            "|" if separated((row, column), (row, column + 1)) else " " for column in range(1, size)
        )
        rendered.append(
            "".join(
                part for pair in zip(cells, [*signs, ""], strict=True) for part in pair
            ).rstrip()
        )
        if row < size:
            below = (
                "-" * width if separated((row, column), (row + 1, column)) else " " * width
                for column in range(1, size + 1)
            )
            joints = [*(joint(row, column) for column in range(1, size)), ""]
            rendered.append(
                "".join(part for pair in zip(below, joints, strict=True) for part in pair).rstrip()
            )
    return "\n".join(line for line in rendered if line)


def _with_box_lines(lines: list[list[str]], box: tuple[int, int] | None, width: int) -> str:
    """The cells separated by spaces, with `|`, `-` and `+` between boxes that are not a single row
    or column.
    """
    size = len(lines)
    height, box_width = box if box and min(box) > 1 else (size, size)
    rendered = []
    for row, cells in enumerate(lines):
        if row and row % height == 0:
            blocks = ["-" * (box_width * (width + 1) - 1)] * (size // box_width)
            rendered.append("-+-".join(blocks))
        blocks = [" ".join(cells[start : start + box_width]) for start in range(0, size, box_width)]
        rendered.append(" | ".join(blocks).rstrip())
    return "\n".join(rendered)
