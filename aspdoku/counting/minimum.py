"""The least number of givens with which some grid is the unique solution, with a proof.

A set of cells determines a grid unless another solution has the same numbers there. The cells in
which two solutions differ are an unavoidable set: one of them has to be given. So the cells that
determine a grid are the hitting sets of its unavoidable sets. There are too many of those to list
them: clingo finds a hitting set of the known ones, and if another solution agrees with it, the
smallest part in which such a solution differs is one more (implicit hitting sets, McGuire et al.
2012 for sudoku). If there is no hitting set of so many cells, so many givens do not suffice.

That is shown for one grid of each class up to symmetry: exchanges of numbers, and permutations of
cells (`symmetry`). The bound grows by one when no grid has so few givens; the first grid that has
them ends the search, and all with fewer have been refuted.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from random import Random

from aspdoku.counting.symmetry import NumberSymmetry, cell_symmetries, number_symmetry
from aspdoku.engine.grids import GridControl
from aspdoku.engine.hitting import HittingSets
from aspdoku.engine.solver import ENUMERATION_OPTIONS, SearchEnd, Stoppable
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# Solutions that are kept in memory, of those that differ by exchanges of numbers one: some 150 MB.
_MOST_GRIDS = 1_500_000
# Grids from which cells are removed at random for a first upper bound.
_TRIED = 20


Unavoidable = frozenset[int]


class MinimumSearch:
    """The search, and what is known when it ends.

    least: a proved lower bound; equal to the number of `givens` if the minimum is known
    givens: those of a puzzle with a unique solution, as few as were found, with those of the
        program; None before the first
    solutions: how many there are; None if they were not all found
    classes: how many of them differ by more than the symmetries; None if that is not known
    refuted: of these, how many have no unique solution from `least` givens either
    ended: "limit" if there are too many solutions
    """

    def __init__(self, program: Program, deadline: Deadline) -> None:
        self._program, self._deadline = program, deadline
        puzzle = program.puzzle
        self._stated = puzzle.givens()
        cells = [cell for cell in puzzle.cells() if cell not in self._stated]
        self._open = [(row - 1) * puzzle.size + column - 1 for row, column in cells]
        self.least = len(self._stated)
        self.givens: dict[Cell, int] | None = None
        self.solutions: int | None = None
        self.classes: int | None = None
        self.refuted = 0
        self.ended: SearchEnd = "complete"
        self.remarks: tuple[str, ...] = ()

    def run(self, interruptible: bool) -> None:
        """Search until the minimum is known, or the time limit, or Ctrl-C if interruptible."""
        with Stoppable(interruptible) as run:
            left = self._deadline.time_limit
            self._control = GridControl(self._program, ENUMERATION_OPTIONS, left(), for_many=True)
            self.remarks = tuple(map(str, self._control.messages))
            self._control.prepare_for_many()
            note("looking for symmetries")
            numbers = number_symmetry(self._program, left())
            if numbers.house:
                # Two such numbers that are not given could be exchanged.
                self.least += sum(len(each) - 1 for each in numbers.classes)
            first: list[bytes] = []
            self._control.search(lambda model: first.append(self._control.numbers(model)), models=1)
            for grid in first:
                self._improve(grid)
            grids = self._classes(numbers)
            if grids is None:
                run.ended = "limit"
            elif grids:
                self._decide(grids)
        self.ended = run.ended

    def _classes(self, symmetry: NumberSymmetry) -> list[bytes] | None:
        """A solution of each class; None if there are too many solutions."""
        ordering = symmetry.ordering() if symmetry.factor > 1 else ""
        options, left = ENUMERATION_OPTIONS, self._deadline.time_limit
        control = GridControl(self._program, options, left(), extra_program=ordering)
        unseen: dict[bytes, None] = {}
        note("looking for all solutions")
        if not control.search(
            lambda model: unseen.setdefault(control.numbers(model)), models=_MOST_GRIDS
        ):
            return None
        self.solutions = len(unseen) * symmetry.factor
        if self.solutions > 1:  # without a further given, none of them is unique
            self.least = max(self.least, len(self._stated) + 1)
        note("comparing solutions")
        stated = [number for row in self._program.puzzle for number in row]
        moves = [
            itemgetter(*each)
            for each in cell_symmetries(self._program, left())
            if [stated[cell] for cell in each] == stated
        ]
        size, classes = self._program.puzzle.size, []
        house = [(row - 1) * size + column - 1 for row, column in symmetry.house]
        while unseen:
            waiting = [unseen.popitem()[0]]
            classes.append(waiting[0])
            while waiting:
                self._deadline.require_time("comparing solutions")
                grid = waiting.pop()
                for move in moves:
                    image = _in_order(bytes(move(grid)), house, symmetry.classes)
                    if image in unseen:
                        del unseen[image]
                        waiting.append(image)
        self.classes = len(classes)
        return classes

    def _decide(self, grids: list[bytes]) -> None:
        """Raise the bound until some grid has a unique solution from so many givens."""
        unavoidable: list[list[Unavoidable]] = [[] for _ in grids]
        for grid in grids[:_TRIED]:
            self._improve(grid)
        while self.givens is None or len(self.givens) > self.least:
            self.refuted = 0
            for grid, known in zip(grids, unavoidable, strict=True):
                note(f"{self.least} givens: {self.refuted} of {len(grids)} grids refuted")
                cells = self._determining(grid, known)
                if cells is not None:
                    self._keep(grid, cells)
                    return
                self.refuted += 1
            self.least, self.refuted = self.least + 1, 0

    def _determining(self, grid: bytes, known: list[Unavoidable]) -> set[int] | None:
        """Cells, at most as many as the bound, whose numbers determine the grid; None if there are
        none. The unavoidable sets that are found are added to those that are known.
        """
        hitting = HittingSets(self._open, self.least - len(self._stated), self._control.wait)
        for each in known:
            hitting.add(each)
        while (chosen := hitting.find()) is not None:
            given, added = set(chosen), 0
            # More sets, without a cell in common, as long as the numbers outside of them allow it.
            while differing := self._differing(grid, given):
                each = self._smallest(grid, differing)
                known.append(each)
                hitting.add(each)
                given |= each
                added += 1
            if not added:
                return chosen
        return None

    def _differing(self, grid: bytes, given: Iterable[int]) -> Unavoidable:
        """The cells in which another solution with these cells differs; none if there is none."""
        solutions: list[bytes] = []
        assumed = [self._control.literal(cell, grid[cell]) for cell in given]
        self._control.search(
            lambda model: solutions.append(self._control.numbers(model)), assumed, models=2
        )
        other = next((each for each in solutions if each != grid), grid)
        return frozenset(cell for cell in self._open if grid[cell] != other[cell])

    def _smallest(self, grid: bytes, differing: Unavoidable) -> Unavoidable:
        """A part of an unavoidable set that is unavoidable, and no part of which is."""
        for cell in sorted(differing):
            if cell in differing:
                outside = [each for each in self._open if each not in differing or each == cell]
                differing = self._differing(grid, outside) or differing
        return differing

    def _improve(self, grid: bytes) -> None:
        """Leave out the numbers of a grid at random while they determine it."""
        given = set(self._open)
        for cell in Random(0).sample(self._open, len(self._open)):
            if not self._differing(grid, given - {cell}):
                given.remove(cell)
        if self.givens is None or len(given) < len(self.givens):
            self._keep(grid, given)

    def _keep(self, grid: bytes, cells: Iterable[int]) -> None:
        size = self._program.puzzle.size
        chosen = {(cell // size + 1, cell % size + 1): grid[cell] for cell in cells}
        self.givens = self._stated | chosen


def _in_order(grid: bytes, house: Iterable[int], classes: Iterable[tuple[int, ...]]) -> bytes:
    """The grid that differs only by exchanges, with the numbers of a class in ascending order."""
    in_house = [grid[cell] for cell in house]
    table = bytearray(range(256))
    if in_house:
        for numbers in classes:
            for number, new in zip(filter(numbers.__contains__, in_house), numbers, strict=True):
                table[number] = new
    return grid.translate(bytes(table))
