"""The regions of a grid.

Boxes, pieces of a jigsaw, or, if a row cannot hold all numbers, sets of cells that just differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.formats.iss import table
from aspdoku.formats.iss.grid import IssGrid
from aspdoku.puzzle.puzzle import REGION, Cell
from aspdoku.puzzle.term import Function

ConstraintArguments = Mapping[str, list[list[str]]]


class Regions(NamedTuple):
    """The facts, the rules that read them, how many sets of cells that differ are among them, and
    the retracted rules.

    boxes: whether the boxes that rules derive from the size of the grid are those of this puzzle,
    with NoBoxes or without
    even: whether boxes or drawn regions divide the grid, each with all numbers
    cells: the number of cells in a region
    unread: constraints on regions that have no effect on this grid
    """

    facts: list[Function]
    elaborations: list[str]
    labels: int
    without: tuple[str, ...]
    cells: int
    boxes: bool = False
    even: bool = False
    unread: tuple[str, ...] = ()


def regions_of(field: IssGrid, said: ConstraintArguments) -> Regions:
    """The regions of the grid: boxes, pieces of a jigsaw, or both. Raises PuzzleError.

    A size such as 7x7 has no boxes. Where there are no boxes, for this reason or because of
    NoBoxes, the pieces of a jigsaw are the regions; otherwise each piece is one more set of cells
    in which no number repeats.
    """
    size = _size(field, said)
    possible = field.boxes(size)
    boxes = [] if said.get("NoBoxes") else possible
    drawn = _drawn(field, said, size)
    disjoint = (
        [list(place) for place in zip(*possible, strict=True)]
        if said.get(table.DISJOINT_WORD)
        else []
    )
    unread = _without_effect(said, possible, drawn)
    if field.wide:
        different = _different([*field.lines(), *boxes, *drawn, *disjoint])
        return Regions(*different, ("row", "column", "box"), size, unread=unread)
    if size != field.size:
        return Regions(*_different([*boxes, *disjoint]), ("box",), size, unread=unread)
    if drawn and not boxes:
        facts = [
            Function(REGION[0], (*cell, place))
            for place, cells in enumerate(drawn, 1)
            for cell in cells
        ]
        more, names, number = _different(disjoint)
        return Regions(
            [*facts, *more],
            names,
            number,
            (),
            size,
            even=len(facts) == field.size**2,
            unread=unread,
        )
    facts, names, number = _different(drawn)
    names += table.DISJOINT if disjoint else ()
    without = ("box",) if said.get("NoBoxes") else ()
    return Regions(
        facts, names, number, without, size, boxes=bool(possible), even=bool(boxes), unread=unread
    )


def _without_effect(
    said: ConstraintArguments, possible: list[list[Cell]], drawn: list[list[Cell]]
) -> tuple[str, ...]:
    """The constraints that need boxes or pieces where there are none."""
    needs = ((table.DISJOINT_WORD, possible, "boxes"), ("Jigsaw", drawn, "regions"))
    return tuple(
        f"{word}: a grid without {what}"
        for word, cells, what in needs
        if said.get(word) and not cells
    )


def _different(sets: list[list[Cell]]) -> tuple[list[Function], list[str], int]:
    """The facts that no number stands twice in any of these sets, the rule for them, and how many
    they are.
    """
    name, predicate = table.DIFFERENT
    facts = [
        Function(predicate, (*cell, label)) for label, cells in enumerate(sets, 1) for cell in cells
    ]
    return facts, [name] if sets else [], len(sets)


def _size(field: IssGrid, said: ConstraintArguments) -> int:
    """How many cells a box has."""
    sizes = {"~".join(arguments) for arguments in said.get("RegionSize", [])} or {str(field.size)}
    size = sizes.pop()
    if sizes or not size.isdecimal() or not 1 <= int(size) <= len(field.numbers):
        raise PuzzleError(
            f"RegionSize: {size[:30]!r} is not one size from 1 to {len(field.numbers)}"
        )
    return int(size)


def _drawn(field: IssGrid, said: ConstraintArguments, size: int) -> list[list[Cell]]:
    """The pieces of a jigsaw. Cells that lie in no piece share a sign."""
    regions: dict[str, list[Cell]] = defaultdict(list)
    layouts = said.get("Jigsaw", [])
    for arguments in layouts:
        layout = "~".join(arguments)
        if len(layout) != field.size**2 or len(layouts) > 1:
            raise PuzzleError(
                f"Jigsaw: {field.size**2} signs are needed, one a cell, and said once; here are"
                f" {len(layout)}"
            )
        for place, sign in enumerate(layout):
            regions[sign].append((place // field.size + 1, place % field.size + 1))
    pieces = [cells for cells in regions.values() if field.size <= len(cells) <= len(field.numbers)]
    if len(regions) > len(pieces) + 1 or any(len(cells) != size for cells in pieces):
        raise PuzzleError(
            f"Jigsaw: regions of this grid have {size} cells; one other sign can mark cells outside"
            " of them"
        )
    return pieces
