"""What a drawing shows: elements with a kind, colours, cells and a text; no rule is known here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aspdoku.puzzle.puzzle import Cell, Puzzle

# The kinds of elements, with their names for people.
KINDS = {
    "line": "line",
    "thermo": "thermometer",
    "arrow": "arrow",
    "dot": "dot",
    "corner": "circle where four cells meet",
    "circle": "circle",
    "square": "square",
    "diamond": "diamond",
    "shade": "shaded area",
    "cage": "cage",
    "outside": "clue outside the grid",
    "text": "text",
    "sign": "sign",
    "border": "bar",
    "tick": "mark",
    "region": "region",
}
# The kinds that are named by their first and last cell, and those that are named by all cells.
_PATHS = {"line", "thermo"}


@dataclass(frozen=True)
class Element:
    """A thing that is drawn.

    kind: one of KINDS
    cells: in order: along a line or from the bulb of a thermometer; the circle of an arrow; the two
    cells of a dot or the four of a corner in reading order, but of a sign `>` first the cell at its
    open side; the cells that a clue outside the grid looks at, the nearest first
    colours: the English names that its colour may be called, the nearest first; empty if it has no
    colour or none that is known
    text: in or beside it; of a sign `>`, or a text such as X
    shafts: the cells of each shaft of an arrow, without its circle
    closed: whether a line ends where it begins; its first cell is listed once
    place: the cell outside the grid where a clue is written, in row or column 0 or n + 1
    direction: the steps down and to the right in which a clue outside the grid looks
    pieces: the cells of each drawn line, if a line was drawn in several that meet end to end
    distinct: whether the document states that no number repeats in a cage, if it states either
    convention: the key of f-puzzles under which it is listed; words decide what it means
    parts: the entries of the document that draw it
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
    convention: str = ""
    parts: tuple[str, ...] = ()

    def __str__(self) -> str:
        number = f" {self.text!r}" if self.text else ""
        kind = "loop" if self.closed else KINDS[self.kind]
        words = " ".join(filter(None, (*self.colours[:1], f"{kind}{number}")))
        if self.place:
            return f"{words} before {cell_list(self.cells, True)}"
        shafts = "".join(f" to {cell_list(shaft, True)}" for shaft in self.shafts)
        return f"{words} {_PREPOSITIONS.get(self.kind, 'in')} {self._cells()}{shafts}"

    def _cells(self) -> str:
        return cell_list(self.cells or self.shafts[0][:1], self.kind in _PATHS)


_PREPOSITIONS = {
    **dict.fromkeys(("line", "thermo"), "along"),
    **dict.fromkeys(("dot", "sign", "border"), "between"),
    "corner": "at",
    "arrow": "from",
}


@dataclass(frozen=True)
class DrawnPuzzle:
    """A puzzle with its drawing.

    puzzle: what is stated in another way than by a drawing: givens, regions, texts, solution
    elements: in the order in which they are drawn
    unread: descriptions of drawings that are no element
    without_meaning: descriptions of drawings that show nothing: white on white, backgrounds, grids
    """

    puzzle: Puzzle
    elements: tuple[Element, ...] = ()
    unread: tuple[str, ...] = ()
    without_meaning: tuple[str, ...] = ()


def cell_list(cells: Iterable[Cell], path: bool = False) -> str:
    """The names of cells, such as r1c2; of a path, those of the first and the last."""
    found = [f"r{row}c{column}" for row, column in cells]
    if path and len(found) > 2:
        return f"{found[0]} to {found[-1]}"
    return ", ".join(found)
