"""What a drawing shows: elements with a kind, colours, cells and a text; no rule is known here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from aspdoku.formats.base import by_key
from aspdoku.puzzle.puzzle import Cell

KINDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_PATHS = ("line", "thermo", "outside")


@dataclass(frozen=True)
class Element:
    """A thing that is drawn.

    kind: one of KINDS
    cells: in order: along a line or from the bulb of a thermometer; the circle of an arrow; the
    cells of a dot or a corner in reading order, but of a sign `>` first the one at its open side;
    those that a clue outside the grid looks at, the nearest first
    colours: the English names that its colour may be called, the nearest first
    text: in the drawing or next to it; of a sign `>`, or a text such as X
    shafts: the cells of each shaft of an arrow, without its circle
    closed: whether a line ends where it begins; its first cell is listed once
    place: the cell outside the grid where a clue is written, in row or column 0 or n + 1
    direction: the steps down and to the right in which it looks
    pieces: the cells of each piece of a line that was drawn in several, which meet end to end
    conventions: the keys of f-puzzles under which it is listed; words decide what they mean
    parts: the entries of the document that draw it
    shown: its colour as `#rrggbb`, for pictures
    size: the width of a line or a figure, in cells
    """

    kind: str
    cells: tuple[Cell, ...] = ()
    colours: tuple[str, ...] = ()
    text: str = ""
    shafts: tuple[tuple[Cell, ...], ...] = ()
    closed: bool = False
    place: Cell | None = None
    direction: Cell = (0, 0)
    pieces: tuple[tuple[Cell, ...], ...] = ()
    conventions: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    shown: str = field(default="", compare=False)
    size: float = field(default=0.0, compare=False)

    def __str__(self) -> str:
        label = f" {self.text!r}" if self.text else ""
        return f"{self.called.format(label)} {self.where(2 if self.kind in _PATHS else 0)}"

    @property
    def called(self) -> str:
        """The colour and the kind in words, with a place for a text or a plural."""
        closed, words = ["closed"] if self.closed else [], KINDS[self.kind]["words"]
        return " ".join((*self.colours[:1], *closed, words))

    def where(self, most: int = 0) -> str:
        """The cells; of more than `most`, the first and the last one, unless `most` is 0."""
        ways = [self.cells, *self.shafts] if self.cells else self.shafts
        whole = [_cells(way, most if way is self.cells else most or 2) for way in ways]
        return " to ".join(whole)


def grouped(elements: Iterable[Element], most: int = 4) -> list[str]:
    """The elements in words, those of a kind and colour together: `3 red lines: r1c1…r4c1, …`.

    most: how many of a group are listed
    """
    found = []
    for called, same in by_key((each.called, each) for each in elements).items():
        noun = called.format("s" if len(same) > 1 else "").rpartition(" ")[0]
        places = [f"{each.text} {each.where(1)}".lstrip() for each in same[:most]]
        number = f"{len(same)} " if len(same) > 1 else ""
        more = ", …" if len(same) > most else ""
        found.append(f"{number}{noun}: {', '.join(places)}{more}")
    return found


def _cells(cells: Iterable[Cell], most: int) -> str:
    found = [f"r{row}c{column}" for row, column in cells]
    return f"{found[0]}…{found[-1]}" if 0 < most < len(found) else ", ".join(found)
