"""Which cells are regions: boxes, those of a jigsaw, or, where a row has not all numbers, sets of cells that just differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.elsewhere.iss import table
from aspdoku.puzzle.formats.elsewhere.iss.field import Field
from aspdoku.puzzle.puzzle import REGION, Cell
from aspdoku.puzzle.term import Function

Said = Mapping[str, list[list[str]]]


class Regions(NamedTuple):
    """The facts, the rules that read them, how many sets of cells that differ are among them, and the rules taken back.

    boxes: whether the boxes are those of any puzzle of this size
    even: whether boxes or drawn regions divide the grid, each with all numbers
    """

    facts: list[Function]
    elaborations: list[str]
    labels: int
    without: tuple[str, ...] = ()
    boxes: bool = False
    even: bool = False


def regions_of(field: Field, said: Said) -> Regions:
    """What is said of regions. Raises PuzzleError."""
    size = _size(field, said)
    boxes = [] if said.get("NoBoxes") else field.boxes(size)
    drawn = _drawn(field, said)
    disjoint = [list(place) for place in zip(*field.boxes(size), strict=True)] if said.get(table.DISJOINT_WORD) else []
    if field.wide or size != field.size:
        lines = list(field.lines()) if field.wide else []
        without = ("row", "column", "box") if field.wide else ("box",)
        return Regions(*_different([*lines, *boxes, *drawn, *disjoint]), without)
    if said.get("NoBoxes") and drawn:
        facts = [Function(REGION[0], (*cell, place)) for place, cells in enumerate(drawn, 1) for cell in cells]
        more, names, number = _different(disjoint)
        return Regions([*facts, *more], names, number, even=True)
    facts, names, number = _different(drawn)
    names += table.DISJOINT if disjoint else ()
    return Regions(facts, names, number, ("box",) if said.get("NoBoxes") else (), boxes=True, even=not said.get("NoBoxes"))


def _different(sets: list[list[Cell]]) -> tuple[list[Function], list[str], int]:
    """The facts that no number stands twice in any of these sets, the rule for them, and how many they are."""
    name, predicate = table.DIFFERENT
    facts = [Function(predicate, (*cell, label)) for label, cells in enumerate(sets, 1) for cell in cells]
    return facts, [name] if sets else [], len(sets)


def _size(field: Field, said: Said) -> int:
    """How many cells a box has."""
    sizes = {"~".join(arguments) for arguments in said.get("RegionSize", [])} or {str(field.size)}
    size = sizes.pop()
    if sizes or not size.isdecimal() or not 1 <= int(size) <= len(field.numbers):
        raise PuzzleError(f"RegionSize: {size[:30]!r} is not one size from 1 to {len(field.numbers)}")
    return int(size)


def _drawn(field: Field, said: Said) -> list[list[Cell]]:
    """The regions of a jigsaw. Cells that are in none of them share a sign, and have another number of cells."""
    regions: dict[str, list[Cell]] = defaultdict(list)
    layouts = said.get("Jigsaw", [])
    for arguments in layouts:
        layout = "".join(arguments[-1:])
        if len(layout) != field.size**2 or len(layouts) > 1:
            raise PuzzleError(f"Jigsaw: {field.size**2} signs are needed, one a cell, and said once; here are {len(layout)}")
        for place, sign in enumerate(layout):
            regions[sign].append((place // field.size + 1, place % field.size + 1))
    whole = [cells for cells in regions.values() if field.size <= len(cells) <= len(field.numbers)]
    if len(regions) > len(whole) + 1:
        raise PuzzleError(f"Jigsaw: regions of a {field.size}x{field.size} grid have {field.size} cells, and these have not")
    return whole
