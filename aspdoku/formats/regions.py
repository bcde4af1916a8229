"""Regions, cages and chains as other programs write them.

A label for each cell, in reading order.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.formats.base import cell_name, puzzle_with, require_representable, to_rows
from aspdoku.formats.presets import KILLER, RuleSet
from aspdoku.puzzle.term import Function, Term

if TYPE_CHECKING:
    from aspdoku.puzzle.puzzle import Grid, Puzzle

NO_REGION = "."
LETTERS = string.ascii_uppercase + string.ascii_lowercase
SIGNS = string.digits + LETTERS


def region_facts(predicate: str, labels: Sequence[str], size: int) -> list[Function]:
    """The facts predicate(R,C,I) of the cells that have a label."""
    return [
        Function(predicate, (index // size + 1, index % size + 1, label))
        for index, label in enumerate(labels)
        if label != NO_REGION
    ]


def is_partition(labels: Sequence[str], size: int) -> bool:
    """Whether there are n labels, each of n cells."""
    counts = Counter(labels)
    return len(counts) == size and {*counts.values()} == {size}


def cell_labels(puzzle: Puzzle, predicate: str, name: str) -> list[Term]:
    """The label of each cell, `.` where it has none.

    Raises PuzzleError where a cell has two, or is not in the grid.
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
                f"the format {name} cannot carry {fact}, which is about no cell of the grid"
            )
        index = (row - 1) * size + column - 1
        if index in cells:
            raise PuzzleError(
                f"the format {name} cannot carry two of {predicate}/3 in one cell, as in"
                f" {cell_name(index, size)}"
            )
        cells[index] = label
    return [cells.get(index, NO_REGION) for index in range(size * size)]


def relabelled(labels: Sequence[Term], names: Sequence[str], name: str) -> dict[Term, str]:
    """A name for each label: its own where all are among `names`, else the next one.

    Raises PuzzleError where these run out.
    """
    known = list(dict.fromkeys(label for label in labels if label != NO_REGION))
    if all(isinstance(label, str) and label in list(names) for label in known):
        return {label: str(label) for label in known} | {NO_REGION: NO_REGION}
    if len(known) > len(names):
        raise PuzzleError(
            f"the format {name} has signs for {len(names)} regions, and this puzzle has"
            f" {len(known)}"
        )
    return dict(zip(known, names, strict=False)) | {NO_REGION: NO_REGION}


CAGE, VALUE = (name for name, _ in KILLER.predicates)
MAX_SUM = 100_000


class Cages(NamedTuple):
    """The label of each cell in reading order, `.` where it lies in no cage, and the sums of those
    labels that have one.
    """

    labels: list[str]
    sums: dict[str, int]


def killer_puzzle(
    cages: Cages,
    grid: Grid | None = None,
    kind: RuleSet = KILLER,
    box: tuple[int, int] | None = None,
) -> Puzzle:
    """The puzzle with these cages, on an empty grid where none is given."""
    size = round(len(cages.labels) ** 0.5)
    stated = region_facts(CAGE, cages.labels, size)
    stated += [Function(VALUE, (label, total)) for label, total in cages.sums.items()]
    return puzzle_with(kind, grid or to_rows([None] * (size * size)), stated, box)


def cages_of(
    puzzle: Puzzle, names: Sequence[str], name: str, kind: RuleSet = KILLER, largest: int = 35
) -> Cages:
    """The cages of a puzzle, labelled with `names`. Raises PuzzleError for what this cannot say."""
    require_representable(puzzle, kind, name, largest=largest)
    labels = cell_labels(puzzle, CAGE, name)
    known = relabelled(labels, names, name)
    sums: dict[str, int] = {}
    for fact in puzzle.facts:
        if fact.signature == (VALUE, 2):
            label, total = fact.arguments
            if label not in known or known[label] in sums or not _is_sum(total):
                raise PuzzleError(
                    f"the format {name} cannot carry {fact}: a cage of the grid has one sum, a"
                    " number above 0"
                )
            sums[known[label]] = int(str(total))
    return Cages([known[label] for label in labels], sums)


def require_all_sums(cages: Cages, name: str) -> None:
    """Raise PuzzleError where a cage has no sum, for a format in which every cage has one."""
    for label in cages.labels:
        if label not in cages.sums:
            what = "a cell in no cage" if label == NO_REGION else f"cage {label}, which has no sum"
            raise PuzzleError(f"the format {name} cannot carry {what}")


def first_cells(labels: Sequence[str]) -> Mapping[str, int]:
    """The first cell of each label, by its index in reading order."""
    return {label: index for index, label in reversed(list(enumerate(labels)))}


def _is_sum(term: Term) -> bool:
    return isinstance(term, int) and 0 < term <= MAX_SUM
