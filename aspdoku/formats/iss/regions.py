"""The regions of a grid: boxes, pieces of a jigsaw, or sets of cells without repeated numbers."""

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
    """The regions as facts.

    elaborations: the rules that use the facts
    labels: the number of sets of cells without repeated numbers
    without: the retracted rules
    cells: the number of cells in a region
    boxes: whether this format has the default boxes that rules derive from the size of the grid
    even: whether boxes or drawn regions partition the grid, each with all numbers
    unsupported: constraints on regions that have no effect on this grid
    """

    facts: list[Function]
    elaborations: list[str]
    labels: int
    without: tuple[str, ...]
    cells: int
    boxes: bool = False
    even: bool = False
    unsupported: tuple[str, ...] = ()


def regions_of(field: IssGrid, constraints: ConstraintArguments) -> Regions:
    """The regions of the grid: boxes, pieces of a jigsaw, or both. Raises PuzzleError.

    Sizes such as 7x7 have no boxes. Without boxes, for this reason or because of NoBoxes, the
    pieces of a jigsaw are the regions; otherwise each piece is an additional set of cells without
    repeated numbers.
    """
    size = _size(field, constraints)
    possible = field.boxes(size)
    boxes = [] if constraints.get("NoBoxes") else possible
    drawn = _drawn(field, constraints, size)
    disjoint = (
        [list(place) for place in zip(*possible, strict=True)]
        if constraints.get(table.DISJOINT_WORD)
        else []
    )
    unsupported = _without_effect(constraints, possible, drawn)
    if field.wide:
        different = _different([*field.lines(), *boxes, *drawn, *disjoint])
        return Regions(*different, ("row", "column", "box"), size, unsupported=unsupported)
    if size != field.size:
        return Regions(*_different([*boxes, *disjoint]), ("box",), size, unsupported=unsupported)
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
            unsupported=unsupported,
        )
    facts, names, number = _different(drawn)
    names += table.DISJOINT if disjoint else ()
    without = ("box",) if constraints.get("NoBoxes") else ()
    return Regions(
        facts,
        names,
        number,
        without,
        size,
        boxes=bool(possible),
        even=bool(boxes),
        unsupported=unsupported,
    )


def _without_effect(
    constraints: ConstraintArguments, possible: list[list[Cell]], drawn: list[list[Cell]]
) -> tuple[str, ...]:
    """The constraints that need boxes or pieces, if there are none."""
    needs = ((table.DISJOINT_WORD, possible, "boxes"), ("Jigsaw", drawn, "regions"))
    return tuple(
        f"{word}: a grid without {what}"
        for word, cells, what in needs
        if constraints.get(word) and not cells
    )


def _different(sets: list[list[Cell]]) -> tuple[list[Function], list[str], int]:
    """The facts for sets of cells without repeated numbers, their rule, and the number of sets."""
    name, predicate = table.DIFFERENT
    facts = [
        Function(predicate, (*cell, label)) for label, cells in enumerate(sets, 1) for cell in cells
    ]
    return facts, [name] if sets else [], len(sets)


def _size(field: IssGrid, constraints: ConstraintArguments) -> int:
    """The number of cells in a box."""
    sizes = {"~".join(arguments) for arguments in constraints.get("RegionSize", [])} or {
        str(field.size)
    }
    size = sizes.pop()
    if sizes or not size.isdecimal() or not 1 <= int(size) <= len(field.numbers):
        raise PuzzleError(
            f"RegionSize: expected one size from 1 to {len(field.numbers)}, not {size[:30]!r}"
        )
    return int(size)


def _drawn(field: IssGrid, constraints: ConstraintArguments, size: int) -> list[list[Cell]]:
    """The pieces of a jigsaw. Cells outside all pieces share a character."""
    regions: dict[str, list[Cell]] = defaultdict(list)
    layouts = constraints.get("Jigsaw", [])
    for arguments in layouts:
        layout = "~".join(arguments)
        if len(layout) != field.size**2 or len(layouts) > 1:
            raise PuzzleError(
                f"Jigsaw: expected once, with {field.size**2} characters, one per cell; found"
                f" {len(layout)}"
            )
        for place, sign in enumerate(layout):
            regions[sign].append((place // field.size + 1, place % field.size + 1))
    pieces = [cells for cells in regions.values() if field.size <= len(cells) <= len(field.numbers)]
    if len(regions) > len(pieces) + 1 or any(len(cells) != size for cells in pieces):
        raise PuzzleError(
            f"Jigsaw: regions of this grid must have {size} cells; one other character can mark"
            " cells outside them"
        )
    return pieces
