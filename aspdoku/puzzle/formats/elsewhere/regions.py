"""Regions, cages and chains as other programs write them: a label for each cell, in reading order."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.elsewhere.outside import place
from aspdoku.puzzle.term import Function, Term

if TYPE_CHECKING:
    from aspdoku.puzzle.puzzle import Puzzle

NONE = "."
LETTERS = string.ascii_uppercase + string.ascii_lowercase
SIGNS = string.digits + LETTERS


def facts(predicate: str, labels: Sequence[str], size: int) -> list[Function]:
    """The facts predicate(R,C,I) of the cells that have a label."""
    return [
        Function(predicate, (index // size + 1, index % size + 1, label)) for index, label in enumerate(labels) if label != NONE
    ]


def all_of_size(labels: Sequence[str], size: int) -> bool:
    """Whether there are n labels, each of n cells."""
    counts = Counter(labels)
    return len(counts) == size and {*counts.values()} == {size}


def labels_of(puzzle: Puzzle, predicate: str, name: str) -> list[Term]:
    """The label of each cell, `.` where it has none. Raises PuzzleError where a cell has two, or is not in the grid."""
    size = puzzle.size
    cells: dict[int, Term] = {}
    for fact in puzzle.facts:
        if fact.signature != (predicate, 3):
            continue
        row, column, label = fact.arguments
        if not (isinstance(row, int) and isinstance(column, int) and 1 <= row <= size and 1 <= column <= size):
            raise PuzzleError(f"the format {name} cannot carry {fact}, which is about no cell of the grid")
        index = (row - 1) * size + column - 1
        if index in cells:
            raise PuzzleError(f"the format {name} cannot carry two of {predicate}/3 in one cell, as in {place(index, size)}")
        cells[index] = label
    return [cells.get(index, NONE) for index in range(size * size)]


def renamed(labels: Sequence[Term], names: Sequence[str], name: str) -> dict[Term, str]:
    """A name for each label: its own where all are among `names`, else the next one. Raises PuzzleError where these run out."""
    known = list(dict.fromkeys(label for label in labels if label != NONE))
    if all(isinstance(label, str) and label in list(names) for label in known):
        return {label: str(label) for label in known} | {NONE: NONE}
    if len(known) > len(names):
        raise PuzzleError(f"the format {name} has signs for {len(names)} regions, and this puzzle has {len(known)}")
    return dict(zip(known, names, strict=False)) | {NONE: NONE}
