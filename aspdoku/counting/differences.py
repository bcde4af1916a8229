"""What a program requires, if it is only that cells differ and hold certain numbers.

This is decided on the ground program, which is compiled to clauses, at-most-ones and sums. No rule
is known by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal as OneOf
from typing import NamedTuple

from aspdoku.engine.candidates import candidates
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.constraints import Clause, Constraint, GroundConstraints, Literal, Sum
from aspdoku.program import Program
from aspdoku.runtime.deadline import Deadline

# What a constraint requires: one of some candidates, not a candidate, a number in at most one of
# some cells, at most one number in a cell, or nothing that the last kind does not imply.
_Kind = OneOf["some", "forbidden", "cells differ", "one number", "implied"]


class Differences(NamedTuple):
    """What a program requires: cells hold allowed numbers, and some cells differ.

    Numbers are indices in `Puzzle.numbers`. Cells are indices of the cells that can hold several
    numbers, in reading order; sets of cells are ints with a bit for each.

    allowed: for each number, the cells that may hold it
    neighbours: for each number, by cell, the cells that cannot hold it, too
    cells: how many there are
    places: the indices of the cells among those of the grid, in reading order
    fixed: the number of each other cell of the grid, by its index
    """

    allowed: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    cells: int
    places: tuple[int, ...]
    fixed: tuple[tuple[int, int], ...]

    def classes(self) -> tuple[list[int], list[tuple[int, int]]]:
        """The numbers in an order, and the first and last + 1 index of each class in it.

        The numbers of a class have the same neighbours, so only the set of their masks matters.
        """
        order = sorted(range(len(self.allowed)), key=lambda number: self.neighbours[number])
        classes: list[tuple[int, int]] = []
        for index, number in enumerate(order):
            if index and self.neighbours[number] == self.neighbours[order[index - 1]]:
                classes[-1] = classes[-1][0], index + 1
            else:
                classes.append((index, index + 1))
        return order, classes


def differences(program: Program, time_limit: float | None = None) -> Differences | None:
    """What the program requires, if that is only that cells differ; None if it may be more.

    The givens of the puzzle are included. If there are any, cells are allowed their true candidates
    only: with few solutions, a table is up to a thousand times smaller. Raises RuleError if a rule
    cannot be grounded, TimeLimitError.
    """
    deadline = Deadline(time_limit)
    puzzle = program.puzzle
    size, numbers = puzzle.size, puzzle.numbers
    blank = program.without_givens()
    ground = GroundConstraints(blank, time_limit)
    if not ground.is_determined_by_grid:
        return None
    place = {
        literal: ((row - 1) * size + column - 1, numbers.index(number))
        for (row, column, number), literal in ground.candidates.items()
    }
    allowed = [0] * len(numbers)
    for cell, number in place.values():
        allowed[number] |= 1 << cell
    neighbours = [[0] * size**2 for _ in numbers]
    together: list[list[tuple[int, int]]] = []  # positive clauses
    alone = set()  # cells that hold at most one number
    for constraint in ground.constraints:
        deadline.require_time("reading rules")
        kind = _kind_of(constraint, place, len(numbers))
        atoms = [place[abs(literal)] for literal in constraint.literals] if kind else []
        if kind is None:
            return None
        if kind == "some":
            together.append(atoms)
        elif kind == "forbidden":
            allowed[atoms[0][1]] &= ~(1 << atoms[0][0])
        elif kind == "cells differ":
            mask = sum(1 << cell for cell in {cell for cell, _ in atoms})
            for cell, number in atoms:
                neighbours[number][cell] |= mask & ~(1 << cell)
        elif kind == "one number":
            alone.add(atoms[0][0])
    used = [(row - 1) * size + column - 1 for row, column in puzzle.cells()]
    if len(alone) < len(used) or not _are_implied(
        together, neighbours, place.values(), len(used), deadline
    ):
        return None
    for (row, column), number in puzzle.givens().items():
        bit = 1 << (row - 1) * size + column - 1
        for index, each in enumerate(numbers):
            if each != number:
                allowed[index] &= ~bit
    if puzzle.givens():
        for number, possible in enumerate(_possible(program, deadline.time_limit())):
            allowed[number] &= possible
    return _open_part(allowed, neighbours, used, deadline)


def _kind_of(
    constraint: Constraint, place: Mapping[Literal, tuple[int, int]], numbers: int
) -> _Kind | None:
    """What a constraint requires of numbers in cells; None for anything else.

    place: the cell and number of each candidate
    numbers: how many there are
    """
    literals = constraint.literals
    signs = {literal > 0 for literal in literals}
    # Not x or not x is not about two cells: x is false.
    if isinstance(constraint, Sum) or not literals or len({*literals}) < len(literals):
        return None
    if any(abs(literal) not in place for literal in literals):
        return None
    cells, kinds = ({*each} for each in zip(*(place[abs(each)] for each in literals), strict=True))
    is_clause = isinstance(constraint, Clause)
    if is_clause and signs == {True}:
        return "some"
    if is_clause and signs == {False} and len(literals) == 1:
        return "forbidden"
    if signs != {not is_clause} or (is_clause and len(literals) != 2):
        return None
    if len(kinds) == 1:
        return "cells differ"
    if len(cells) > 1:
        return None
    return "one number" if not is_clause and len(kinds) == numbers else "implied"


def _possible(program: Program, time_limit: float | None) -> list[int]:
    """For each number, the cells that hold it in some solution.

    Raises TimeLimitError.
    """
    true_candidates = candidates(program, time_limit, find_equal=False)
    if true_candidates.ended == "interrupted":
        raise KeyboardInterrupt
    if true_candidates.ended != "complete":
        raise TimeLimitError("time limit reached while finding candidates")
    cells = [numbers for row in true_candidates.possible for numbers in row]
    return [
        sum(1 << cell for cell, numbers in enumerate(cells) if number in numbers)
        for number in program.puzzle.numbers
    ]


def _open_part(
    allowed: list[int],
    neighbours: Sequence[Sequence[int]],
    cells: Sequence[int],
    deadline: Deadline,
) -> Differences:
    """The requirements for the cells that can hold several numbers.

    A cell that can hold only one forbids it to its neighbours, and needs no place in a table. A
    cell that can hold none stays, so that there is no grid. Raises TimeLimitError.
    """
    numbers = range(len(allowed))
    fixed: dict[int, int] = {}
    waiting = list(cells)
    while waiting:
        cell = waiting.pop()
        possible = [number for number in numbers if allowed[number] >> cell & 1]
        if cell in fixed or len(possible) != 1:
            continue
        number = possible[0]
        fixed[cell] = number
        lost = allowed[number] & neighbours[number][cell]
        allowed[number] &= ~lost
        waiting += [other for other in cells if lost >> other & 1]
    places = [cell for cell in cells if cell not in fixed or not allowed[fixed[cell]] >> cell & 1]

    def within(mask: int) -> int:
        deadline.require_time("reading rules")
        return sum((mask >> place & 1) << cell for cell, place in enumerate(places))

    return Differences(
        tuple(map(within, allowed)),
        tuple(tuple(within(each[place]) for place in places) for each in neighbours),
        len(places),
        tuple(places),
        tuple((cell, number) for cell, number in fixed.items() if cell not in places),
    )


def _are_implied(
    clauses: list[list[tuple[int, int]]],
    neighbours: Sequence[Sequence[int]],
    candidates: Iterable[tuple[int, int]],
    cells_in_use: int,
    deadline: Deadline,
) -> bool:
    """Whether each clause follows from that each cell holds one number, and cells differ.

    A clause about one cell does if it has all of its candidates, one about one number if its cells
    are a house: as many as there are numbers, any two of which differ. Raises TimeLimitError.
    """
    of_cell: dict[int, set[int]] = defaultdict(set)
    for cell, number in candidates:
        of_cell[cell].add(number)
    for atoms in clauses:
        deadline.require_time("reading rules")
        cells, kinds = {cell for cell, _ in atoms}, {number for _, number in atoms}
        if len(cells) == 1:
            if kinds != of_cell[atoms[0][0]]:
                return False
            continue
        if len(kinds) != 1 or len(cells) != len(neighbours):
            return False
        mask = sum(1 << cell for cell in cells)
        if any(mask & ~(1 << cell) & ~each[cell] for each in neighbours for cell in cells):
            return False
    # Each cell must hold some number: without such a clause it could be empty.
    full = {atoms[0][0] for atoms in clauses if len({cell for cell, _ in atoms}) == 1}
    return len(full) == cells_in_use
