"""Regions, cages and chains as a list of labels, one for each cell in reading order."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import (
    JIGSAW,
    KILLER,
    SMALLEST,
    RuleSet,
    cell_name,
    facts_of_sets,
    puzzle_with,
    require_representable,
    to_rows,
)
from aspdoku.puzzle.puzzle import REGION
from aspdoku.puzzle.term import Function, Term

if TYPE_CHECKING:
    from aspdoku.puzzle.puzzle import Cell, Grid, Puzzle

NO_REGION = "."
LETTERS = string.ascii_uppercase + string.ascii_lowercase
SIGNS = string.digits + LETTERS


def region_facts(predicate: str, labels: Sequence[str], size: int) -> list[Function]:
    """The facts predicate(R,C,I) for the cells with a label."""
    return [
        Function(predicate, (index // size + 1, index % size + 1, label))
        for index, label in enumerate(labels)
        if label != NO_REGION
    ]


def is_partition(labels: Sequence[str], size: int) -> bool:
    """Whether there are n labels, each of n cells."""
    counts = Counter(labels)
    return len(counts) == size and {*counts.values()} == {size}


def regions_or_boxes(
    regions: Sequence[Sequence[Cell]], size: int
) -> tuple[tuple[int, int] | None, list[Function]]:
    """The box shape if the regions, each in reading order, are boxes; else the facts of regions."""
    for height in (height for height in range(1, size + 1) if size % height == 0):
        width = size // height
        if all(
            cell == (cells[0][0] + place // width, cells[0][1] + place % width)
            for cells in regions
            for place, cell in enumerate(cells)
        ):
            return (height, width), []
    return None, facts_of_sets(REGION[0], regions)


def cell_labels(puzzle: Puzzle, predicate: str, name: str) -> list[Term]:
    """The label of each cell, `.` for none.

    Raises PuzzleError if a cell has two labels or is outside the grid.
    """
    size = puzzle.size
    cells: dict[int, Term] = {}
    for fact in puzzle.facts:
        if fact.signature != (predicate, 3):
            continue
        row, column, label = fact.arguments
        if not (
            isinstance(row, int)
            and isinstance(column, int)
            and 1 <= row <= size
            and 1 <= column <= size
        ):
            raise PuzzleError(
                f"the format {name} cannot represent {fact}, which is outside the grid"
            )
        index = (row - 1) * size + column - 1
        if index in cells:
            raise PuzzleError(
                f"the format {name} cannot represent two facts {predicate}/3 for one cell, as in"
                f" {cell_name(index, size)}"
            )
        cells[index] = label
    return [cells.get(index, NO_REGION) for index in range(size * size)]


def relabelled(labels: Sequence[Term], names: Sequence[str], name: str) -> dict[Term, str]:
    """A name for each label: the label itself if all are among `names`, else the next unused name.

    Raises PuzzleError if there are too few names.
    """
    known = list(dict.fromkeys(label for label in labels if label != NO_REGION))
    if all(isinstance(label, str) and label in list(names) for label in known):
        return {label: str(label) for label in known} | {NO_REGION: NO_REGION}
    if len(known) > len(names):
        raise PuzzleError(
            f"the format {name} has symbols for {len(names)} regions, but this puzzle has"
            f" {len(known)}"
        )
    return dict(zip(known, names, strict=False)) | {NO_REGION: NO_REGION}


def partition_labels(
    puzzle: Puzzle, kind: RuleSet, names: Sequence[str], name: str, least: int = SMALLEST
) -> list[str]:
    """The label of each cell of a puzzle whose facts are n regions of n cells, among `names`.

    Raises PuzzleError for any other puzzle.
    """
    require_representable(puzzle, kind, name, least=least)
    original = cell_labels(puzzle, kind.predicates[0][0], name)
    new = relabelled(original, names, name)
    labels = [new[label] for label in original]
    if not is_partition(labels, puzzle.size):
        what = "a jigsaw with n regions" if kind == JIGSAW else "n chains"
        raise PuzzleError(f"the format {name} requires {what} of n cells")
    return labels


CAGE, VALUE = (name for name, _ in KILLER.predicates)
MAX_SUM = 100_000


class Cages(NamedTuple):
    """The label of each cell in reading order, `.` for no cage, and the sums by label."""

    labels: list[str]
    sums: dict[str, int]


def killer_puzzle(
    cages: Cages,
    grid: Grid | None = None,
    kind: RuleSet = KILLER,
    box: tuple[int, int] | None = None,
) -> Puzzle:
    """The puzzle with these cages, by default on an empty grid."""
    size = round(len(cages.labels) ** 0.5)
    stated = region_facts(CAGE, cages.labels, size)
    stated += [Function(VALUE, (label, total)) for label, total in cages.sums.items()]
    return puzzle_with(kind, grid or to_rows([None] * (size * size)), stated, box)


def cages_of(
    puzzle: Puzzle, names: Sequence[str], name: str, kind: RuleSet = KILLER, largest: int = 35
) -> Cages:
    """The cages of a puzzle, labelled with `names`. Raises PuzzleError for anything else in it."""
    require_representable(puzzle, kind, name, largest=largest)
    labels = cell_labels(puzzle, CAGE, name)
    known = relabelled(labels, names, name)
    sums: dict[str, int] = {}
    for fact in puzzle.facts:
        if fact.signature == (VALUE, 2):
            label, total = fact.arguments
            if label not in known or known[label] in sums or not _is_sum(total):
                raise PuzzleError(
                    f"the format {name} cannot represent {fact}: a cage has one sum, a positive"
                    " number"
                )
            sums[known[label]] = int(str(total))
    return Cages([known[label] for label in labels], sums)


def require_all_sums(cages: Cages, name: str) -> None:
    """Raise PuzzleError if a cage has no sum, for a format in which every cage has one."""
    for label in cages.labels:
        if label not in cages.sums:
            what = (
                "a cell outside all cages" if label == NO_REGION else f"cage {label}, without a sum"
            )
            raise PuzzleError(f"the format {name} cannot represent {what}")


def first_cells(labels: Sequence[str]) -> Mapping[str, int]:
    """The index of the first cell with each label, in reading order."""
    return {label: index for index, label in reversed(list(enumerate(labels)))}


def _is_sum(term: Term) -> bool:
    return isinstance(term, int) and 0 < term <= MAX_SUM
