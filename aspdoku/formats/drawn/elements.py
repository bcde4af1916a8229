"""What a drawing shows: elements with a kind, colours, cells and a text; no rule is known here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from aspdoku.puzzle.puzzle import Cell

# The kinds of elements, with the words for people before their cells, and the place of the text.
KINDS = {
    "line": "line{} along",
    "thermo": "thermometer{} along",
    "arrow": "arrow{} from",
    "dot": "dot{} between",
    "sign": "sign{} between",
    "border": "bar{} between",
    "corner": "circle{} at the corner of",
    "circle": "circle{} in",
    "square": "square{} in",
    "diamond": "diamond{} in",
    "shade": "shaded area{} in",
    "cage": "cage{} in",
    "region": "region{} of",
    "text": "text{} in",
    "tick": "mark{} in",
    "outside": "clue{} outside the grid before",
}


@dataclass(frozen=True)
class Element:
    """A thing that is drawn.

    kind: one of KINDS
    cells: in order: along a line or from the bulb of a thermometer; the circle of an arrow; the
    cells of a dot or a corner in reading order, but of a sign `>` first the one at its open side;
    those that a clue outside the grid looks at, the nearest first
    colours: the English names that its colour may be called, the nearest first
    text: in or beside it; of a sign `>`, or a text such as X
    shafts: the cells of each shaft of an arrow, without its circle
    closed: whether a line ends where it begins; its first cell is listed once
    place: the cell outside the grid where a clue is written, in row or column 0 or n + 1
    direction: the steps down and to the right in which it looks
    pieces: the cells of each piece of a line that was drawn in several, which meet end to end
    distinct: whether the document states that no number repeats in a cage, if it states either
    conventions: the keys of f-puzzles under which it is listed; words decide what they mean
    parts: the entries of the document that draw it
    shown: its colour as `#rrggbb`, for pictures
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
    distinct: bool | None = None
    conventions: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    shown: str = field(default="", compare=False)

    def __str__(self) -> str:
        label = f" {self.text!r}" if self.text else ""
        noun = KINDS[self.kind].format(label)
        words = " ".join((*self.colours[:1], *(["closed"] if self.closed else []), noun))
        ways = [self.cells, *self.shafts] if self.cells else self.shafts
        is_path = self.kind in ("line", "thermo", "outside")
        whole = [_cells(way, is_path or way is not self.cells) for way in ways]
        return f"{words} {' to '.join(whole)}"


def _cells(cells: Iterable[Cell], is_path: bool) -> str:
    found = [f"r{row}c{column}" for row, column in cells]
    return f"{found[0]}…{found[-1]}" if is_path and len(found) > 2 else ", ".join(found)
