"""Killers as puzzles here have them: the cages with their sums, read from and written to labels of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.formats.elsewhere import regions
from aspdoku.puzzle.formats.elsewhere.outside import puzzle_of, refuse, squared
from aspdoku.puzzle.formats.elsewhere.table import KILLER, Kind
from aspdoku.puzzle.term import Function, Term

if TYPE_CHECKING:
    from aspdoku.puzzle.puzzle import Grid, Puzzle

CAGE, VALUE = (name for name, _ in KILLER.predicates)
LARGEST_SUM = 100_000


class Cages(NamedTuple):
    """The label of each cell in reading order, `.` where it lies in no cage, and the sums of those labels that have one."""

    labels: list[str]
    sums: dict[str, int]


def killer(cages: Cages, grid: Grid | None = None, kind: Kind = KILLER, box: tuple[int, int] | None = None) -> Puzzle:
    """The puzzle with these cages, on an empty grid where none is given."""
    size = round(len(cages.labels) ** 0.5)
    facts = regions.facts(CAGE, cages.labels, size)
    facts += [Function(VALUE, (label, total)) for label, total in cages.sums.items()]
    return puzzle_of(kind, grid or squared([None] * (size * size)), facts, box)


def cages_of(puzzle: Puzzle, names: Sequence[str], name: str, kind: Kind = KILLER, largest: int = 35) -> Cages:
    """The cages of a puzzle, labelled with `names`. Raises PuzzleError for what this cannot say."""
    refuse(puzzle, kind, name, largest=largest)
    labels = regions.labels_of(puzzle, CAGE, name)
    known = regions.renamed(labels, names, name)
    sums: dict[str, int] = {}
    for fact in puzzle.facts:
        if fact.signature == (VALUE, 2):
            label, total = fact.arguments
            if label not in known or known[label] in sums or not _is_sum(total):
                raise PuzzleError(f"the format {name} cannot carry {fact}: a cage of the grid has one sum, a number above 0")
            sums[known[label]] = int(str(total))
    return Cages([known[label] for label in labels], sums)


def refuse_without_sum(cages: Cages, name: str) -> None:
    """Raise PuzzleError where a cage has no sum, for a format in which every cage has one."""
    for label in cages.labels:
        if label not in cages.sums:
            what = "a cell in no cage" if label == regions.NONE else f"cage {label}, which has no sum"
            raise PuzzleError(f"the format {name} cannot carry {what}")


def heads(labels: Sequence[str]) -> Mapping[str, int]:
    """The first cell of each label, by its index in reading order."""
    return {label: index for index, label in reversed(list(enumerate(labels)))}


def _is_sum(term: Term) -> bool:
    return isinstance(term, int) and 0 < term <= LARGEST_SUM
