"""The grid that constraints of Interactive Sudoku Solver describe, and its regions, as facts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import prod
from typing import NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.formats import boards
from aspdoku.formats.base import facts_of_sets
from aspdoku.formats.iss import table
from aspdoku.formats.iss.grid import EXTRA, IssGrid, parse_shape
from aspdoku.puzzle.puzzle import REGION, Cell
from aspdoku.puzzle.term import Function

_PREFIX = re.compile(r"[A-Z]{1,20}")
_NUMBER = re.compile(r"(?:([1-9][0-9]{0,3})x)?([1-9][0-9]{0,3})?")

ArgumentsByWord = Mapping[str, list[list[str]]]


def field_of(stated: ArgumentsByWord) -> tuple[IssGrid, dict[str, list[Cell]]]:
    """The grid with its extra cells, and houses by the name of a cell for the number they lack."""
    shapes = stated.get("Shape", [["9x9"]])
    if len(shapes) > 1:
        raise PuzzleError("several shapes")
    grid = parse_shape(shapes[0])
    rows, columns = grid.shape
    groups, lacking = [], dict[str, list[Cell]]()
    if _lacks_numbers(grid, stated):
        boxes = [] if stated.get("NoBoxes") else grid.boxes(rows)
        box = grid.box(columns)
        widths = (columns, columns, box[1] if box else 1)
        houses = (grid.rows(), grid.columns(), boxes)
        for prefix, width, listed in zip(table.MISSING_CELLS, widths, houses, strict=True):
            groups.append((prefix, len(listed), width))
            lacking |= {f"{prefix}{place}": cells for place, cells in enumerate(listed, 1)}
    for arguments in stated.get(table.EXTRA_WORD, []):
        prefix, _, number = [*arguments, "", "", ""][:3]
        match = _NUMBER.fullmatch(number)
        if not _PREFIX.fullmatch(prefix) or not match or len(arguments) > 3:
            raise PuzzleError(
                f"{table.EXTRA_WORD}: invalid {'~'.join(arguments)[:30]!r}: expected e.g."
                f" {table.EXTRA_WORD}~S~label~6 for six cells, or 2x3 for their number"
            )
        high, wide = map(int, match.groups("1"))
        groups.append((f"{EXTRA}{prefix}", high * wide, wide if match[1] else columns))
    return grid.with_extra_cells(groups), lacking


def _lacks_numbers(grid: IssGrid, stated: ArgumentsByWord) -> bool:
    size = grid.shape[0]
    return bool(
        stated.get(table.MISSING_WORD)
        and grid.houses
        and grid.shape == (size, size)
        and grid.numbers == range(size + 1)
        and all(each == [str(size)] for each in stated.get("RegionSize", []))
    )


class Regions(NamedTuple):
    """The regions as facts.

    elaborations: the rules that use the facts
    labels: the number of sets of cells without repeated numbers
    without: the retracted rules
    cells: the number of cells in a region
    boxes: whether this format has the default boxes that rules derive from the size of the grid
    windows: the cells of each window, on a grid where these are not those of the whole field
    even: whether boxes or drawn regions partition the grid, each with all numbers
    unsupported: constraints on regions that have no effect on this grid
    """

    facts: list[Function]
    elaborations: list[str]
    labels: int
    without: tuple[str, ...]
    cells: int
    boxes: bool
    windows: list[list[Cell]]
    even: bool
    unsupported: list[str]


def regions_of(field: IssGrid, stated: ArgumentsByWord) -> Regions:
    """The regions of the grid: boxes, pieces of a jigsaw, or both. Raises PuzzleError. Sizes such
    as 7x7 have no boxes. Without boxes, for this reason or because of NoBoxes, the pieces of a
    jigsaw are the regions; otherwise each piece is an additional set of cells without repeated
    numbers.
    """
    size = _size(field, stated)
    possible, drawn = field.boxes(size), _drawn(field, stated, size)
    boxes = [] if stated.get("NoBoxes") else possible
    disjoint = zip(*possible, strict=True) if stated.get(table.DISJOINT_WORD) else ()
    windows = _windows(field, stated)
    others = [*map(list, disjoint), *_diagonals(field, stated), *windows]
    whole = field.houses and not field.board and not field.wide and size == field.size
    sets, regions, without, box = _parts(field, stated, size, boxes, drawn, others, whole)
    same = _same_values(field, boxes, drawn) if stated.get(table.SAME_IN_REGIONS) else []
    ordinary = whole and not regions
    rules = {
        boards.RULE: field.board,
        table.EXTRA_CELL[0]: field.extra,
        table.DIFFERENT[0]: sets,
        table.DISJOINT[0]: ordinary and possible and stated.get(table.DISJOINT_WORD),
        table.SAME[0]: same,
    }
    needs = ((table.DISJOINT_WORD, possible, "boxes"), ("Jigsaw", drawn, "regions"))
    return Regions(
        [
            *facts_of_sets(REGION[0], regions),
            *facts_of_sets(table.DIFFERENT[1], sets),
            *same,
            *_board_facts(field, box, bool(regions and field.box(size))),
        ],
        [rule for rule, holds in rules.items() if holds],
        len(sets),
        without,
        size,
        boxes=ordinary and bool(possible),
        windows=windows,
        even=bool(box) or sum(map(len, regions)) == prod(field.shape),
        unsupported=[
            f"{word}: a grid without {what}"
            for word, cells, what in needs
            if stated.get(word) and not cells
        ],
    )


def _parts(
    field: IssGrid,
    stated: ArgumentsByWord,
    size: int,
    boxes: list[list[Cell]],
    drawn: list[list[Cell]],
    others: list[list[Cell]],
    whole: bool,
) -> tuple[list[list[Cell]], list[list[Cell]], tuple[str, ...], tuple[int, int] | None]:
    """Sets of cells without repeated numbers, regions, retracted rules, and the shape of boxes."""
    if whole and drawn and not boxes:
        return others, drawn, (), None
    if whole:
        without = ("box",) if stated.get("NoBoxes") else ()
        return drawn, [], without, field.box(size) if boxes else None
    sets = [*boxes, *drawn, *others]
    if field.board or not field.houses:
        plain = size == len(field.numbers) and not stated.get(table.DISJOINT_WORD)
        if plain and boxes and not drawn and (box := field.box(size)):
            return others, [], boards.WITHOUT, box
        if plain and field.board and drawn and not boxes:
            return others, drawn, boards.WITHOUT, None
    elif field.wide:
        sets = [*field.lines(), *sets]
    else:
        return sets, [], ("box",), None
    return sets, [], (*boards.WITHOUT, "box"), None


def _board_facts(
    field: IssGrid, box: tuple[int, int] | None, would_have_boxes: bool
) -> Iterator[Function]:
    """The facts for a grid that is a part of a field; the rule may derive boxes that it has not."""
    if field.board:
        stated = box or (boards.NO_BOXES if would_have_boxes else None)
        yield from boards.board_facts(Function(table.GRID), (1, 1, *field.board), stated)
        yield from (Function(table.EXTRA_CELL[1], cell) for cell in field.extra.values())
        if not field.houses:
            yield Function("ab", (Function(boards.RULE), Function(table.GRID)))


def _diagonals(field: IssGrid, stated: ArgumentsByWord) -> list[list[Cell]]:
    """The cells of each diagonal, on a grid where it has other numbers than the whole field."""
    if not (field.board or field.wide):
        return []
    diagonals = boards.Board(1, 1, *field.shape).diagonals()
    words = {"~".join(arguments) for arguments in stated.get(table.DIAGONAL_WORD, [])}
    return [diagonals[way] for word, way in table.DIAGONALS.items() if word in words and diagonals]


def _windows(field: IssGrid, stated: ArgumentsByWord) -> list[list[Cell]]:
    if not stated.get(table.WINDOWS_WORD) or not (field.board or field.wide):
        return []
    size = _size(field, stated) if stated.get("RegionSize") else len(field.numbers)
    box = field.box(size)
    rows, columns = field.shape
    if not box or rows != columns:
        return []
    height, width = box
    return [
        boards.Board(top, left, height, width).cells()
        for left in range(2, columns - width + 1, width + 1)
        for top in range(2, rows - height + 1, height + 1)
    ]


def _same_values(
    field: IssGrid, boxes: list[list[Cell]], drawn: list[list[Cell]]
) -> list[Function]:
    """The facts for the largest regions, which contain the same numbers; none if these are all."""
    regions = [*(field.lines() if field.houses else ()), *boxes, *drawn]
    largest = max(map(len, regions), default=0)
    sets = [cells for cells in regions if len(cells) == largest < len(field.numbers)]
    return facts_of_sets(table.SAME[1], sets, (table.SAME_GROUP,)) if field.wide else []


def _size(field: IssGrid, stated: ArgumentsByWord) -> int:
    sizes = {"~".join(arguments) for arguments in stated.get("RegionSize", [])}
    size = sizes.pop() if sizes else str(max(field.shape))
    largest = max(*field.shape, len(field.numbers))
    if sizes or not size.isdecimal() or not 1 <= int(size) <= largest:
        raise PuzzleError(f"RegionSize: expected one size from 1 to {largest}, not {size[:30]!r}")
    return int(size)


def _drawn(field: IssGrid, stated: ArgumentsByWord, size: int) -> list[list[Cell]]:
    """The pieces of a jigsaw. Cells outside all pieces share a character."""
    regions: dict[str, list[Cell]] = defaultdict(list)
    layouts = ["~".join(arguments) for arguments in stated.get("Jigsaw", [])]
    cells = [cell for row in field.rows() for cell in row]
    for layout in layouts:
        if len(layout) != len(cells) or len(layouts) > 1:
            raise PuzzleError(
                f"Jigsaw: expected once, with {len(cells)} characters, one per cell; found"
                f" {len(layout)}"
            )
        for cell, sign in zip(cells, layout, strict=True):
            regions[sign].append(cell)
    least, most = max(field.shape), len(field.numbers)
    pieces = [piece for piece in regions.values() if least <= len(piece) <= most]
    if len(regions) > len(pieces) + 1 or any(len(piece) != size for piece in pieces):
        raise PuzzleError(
            f"Jigsaw: regions of this grid must have {size} cells; one other character can mark"
            " cells outside them"
        )
    return pieces
