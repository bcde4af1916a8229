"""What a program requires, if it is only that cells differ and hold certain numbers, and the table
of the partial grids that satisfy it.

To the cells that follow, a partial grid matters only by which numbers are forbidden where. The
cells are filled in reading order; partial grids that forbid the same are counted together, and so
are those that become the same by exchanging numbers with the same neighbours. For 6x6 sudoku,
28,200,960 grids are counted with fewer than 4,000 entries. This is dynamic programming over the
cells, as in transfer-matrix methods for counting Latin rectangles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Literal as OneOf
from typing import NamedTuple

from aspdoku.engine.candidates import candidates
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.constraints import Clause, Constraint, GroundConstraints, Literal, Sum
from aspdoku.program import Program
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.progress import note

# What a constraint requires: one of some candidates, not a candidate, a number in at most one of
# some cells, at most one number in a cell, or nothing that the last kind does not imply.
_Kind = OneOf["some", "forbidden", "cells differ", "one number", "implied"]
# Entries after which the limits are checked again.
_CHECK = 4096

# For each number, in the order of `Differences.classes`, the cells to come that cannot hold it,
# shifted so that the next cell has the lowest bit. The masks of a class are sorted.
_State = tuple[int, ...]


class Differences(NamedTuple):
    """What a program requires: cells hold allowed numbers, and some cells differ. Numbers are
    indices in `Puzzle.numbers`. Cells are indices of the cells that can hold several numbers, in
    reading order; sets of cells are ints with a bit for each.

    allowed: for each number, the cells that may hold it
    neighbours: for each number, by cell, the other cells that then cannot hold it
    places: the indices of the cells among those of the grid, in reading order
    fixed: the number of each other cell of the grid, by its index
    """

    allowed: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    cells: int
    places: tuple[int, ...]
    fixed: tuple[tuple[int, int], ...]

    def classes(self) -> tuple[list[int], list[tuple[int, int]]]:
        """The numbers in an order, and the first and last + 1 index of each class in it. The
        numbers of a class have the same neighbours, so only the set of their masks matters.
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
    """What the program requires, if that is only that cells differ, as the ground program shows; no
    rule is known by name. If there are givens, cells are allowed their true candidates only: with
    few solutions, a table is up to a thousand times smaller. Raises RuleError, TimeLimitError.
    """
    deadline, puzzle = Deadline(time_limit), program.puzzle
    size, numbers = puzzle.size, puzzle.numbers
    ground = GroundConstraints(program.without_givens(), time_limit)
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
        if kind is None:
            return None
        atoms = [place[abs(literal)] for literal in constraint.literals]
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
    """What a constraint requires of so many numbers in cells; None for anything else."""
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
    """The requirements for cells with several numbers or none; the others forbid theirs."""
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
    """Whether each clause follows from that each cell holds one number, and cells differ: a clause
    about one cell if it has all of its candidates, one about one number if its cells are a house,
    as many as there are numbers, any two of which differ.
    """
    of_cell: dict[int, set[int]] = defaultdict(set)
    for cell, number in candidates:
        of_cell[cell].add(number)
    full: set[int] = set()
    for atoms in clauses:
        deadline.require_time("reading rules")
        cells, kinds = {cell for cell, _ in atoms}, {number for _, number in atoms}
        if len(cells) == 1:
            full |= cells
            if kinds != of_cell[atoms[0][0]]:
                return False
            continue
        if len(kinds) != 1 or len(cells) != len(neighbours):
            return False
        mask = sum(1 << cell for cell in cells)
        if any(mask & ~(1 << cell) & ~each[cell] for each in neighbours for cell in cells):
            return False
    # Each cell must hold some number: without such a clause it could be empty.
    return len(full) == cells_in_use


def count_grids(required: Differences, most_states: int, deadline: Deadline) -> int | None:
    """How many grids satisfy the requirements; None if there are too many entries for one cell."""
    form = _Form(required)
    table: dict[_State, int] = {form.start: 1}
    for cell in range(required.cells):
        note(f"counting: cell {cell + 1} of {required.cells}, {len(table)} partial grids")
        later = form.later(cell)
        following: dict[_State, int] = defaultdict(int)
        for steps, (state, count) in enumerate(table.items()):
            if not steps % _CHECK and (deadline.passed or len(following) > most_states):
                break
            for changed, factor in form.continuations(state, later):
                following[changed] += count * factor
        deadline.require_time("counting")
        if len(following) > most_states:
            return None
        table = following
    return sum(table.values())


class Completions:
    """The table the other way round: in how many ways each partial grid can be completed. A grid is
    drawn number by number, each with the probability of its share of the completions, so that all
    of `count` grids are equally likely.
    """

    def __init__(self, required: Differences, levels: list[dict[_State, int]], form: _Form) -> None:
        self._required = required
        self._levels = levels
        self._form = form
        self.count = levels[0][form.start]

    @staticmethod
    def of(
        required: Differences, most_states: int, most_early: int, deadline: Deadline
    ) -> Completions | None:
        """None if the table has too many entries in all, or for the first third of the cells."""
        form = _Form(required)
        levels: list[dict[_State, int]] = [{form.start: 0}]
        entries = 0
        for cell in range(required.cells):
            note(f"building a table: cell {cell + 1} of {required.cells}, {entries} partial grids")
            later = form.later(cell)
            most = min(most_states, most_early) if 3 * cell < required.cells else most_states
            following: dict[_State, int] = {}
            for steps, state in enumerate(levels[-1]):
                if not steps % _CHECK:
                    deadline.require_time("building a table")
                if entries + len(following) > most:
                    return None
                for changed, _ in form.continuations(state, later):
                    following[changed] = 0
            levels.append(following)
            entries += len(following)
        levels[-1] = dict.fromkeys(levels[-1], 1)
        for cell in reversed(range(required.cells)):
            deadline.require_time("building a table")
            later, after = form.later(cell), levels[cell + 1]
            for state in levels[cell]:
                levels[cell][state] = sum(
                    factor * after[changed] for changed, factor in form.continuations(state, later)
                )
        return Completions(required, levels, form)

    def draw(self, random: Random) -> list[int]:
        """The numbers of the used cells of a random grid in reading order, as indices."""
        if not self.count:
            raise ValueError("there is no grid to draw")
        form = self._form
        drawn = dict(self._required.fixed)
        masks = form.masks  # by index in the order of the classes, not sorted
        for cell, place in enumerate(self._required.places):
            later, after = form.later(cell), self._levels[cell + 1]
            choices, weights = [], []
            for (first, last), neighbours in zip(form.classes, later, strict=True):
                for index in range(first, last):
                    if masks[index] & 1:
                        continue
                    changed = [mask >> 1 for mask in masks]
                    changed[index] = (masks[index] | neighbours) >> 1
                    choices.append((index, changed))
                    weights.append(after.get(form.canonical(changed), 0))
            index, masks = choices[_weighted(random, weights)]
            drawn[place] = form.order[index]
        return [drawn[place] for place in sorted(drawn)]


class _Form:
    """How states are written: numbers in the order of `Differences.classes`, and the empty grid."""

    def __init__(self, required: Differences) -> None:
        self._neighbours = required.neighbours
        self.order, self.classes = required.classes()
        every = (1 << required.cells) - 1
        self.masks = [every & ~required.allowed[number] for number in self.order]
        self.start = self.canonical(self.masks)

    def canonical(self, masks: Sequence[int]) -> _State:
        return tuple(mask for first, last in self.classes for mask in sorted(masks[first:last]))

    def later(self, cell: int) -> list[int]:
        """The neighbours of a cell among those that follow, by class; the cell has bit 0."""
        return [self._neighbours[self.order[first]][cell] >> cell for first, _ in self.classes]

    def continuations(self, state: _State, later: list[int]) -> list[tuple[_State, int]]:
        """The states after the next cell that are possible, and by how many numbers."""
        changes = []
        # The cells in which all numbers, or all but one, are forbidden.
        all_forbidden = one_left = -1
        for mask in state:
            one_left = one_left & mask | all_forbidden
            all_forbidden &= mask
        rest = [mask >> 1 for mask in state]
        for (first, last), neighbours in zip(self.classes, later, strict=True):
            index = first
            while index < last:
                mask, begin = state[index], index
                while index < last and state[index] == mask:
                    index += 1
                if mask & 1 or one_left & ~mask & neighbours:
                    continue
                # The numbers from `begin` to `index` are forbidden in the same cells.
                changed = rest.copy()
                changed[begin] = (mask | neighbours) >> 1
                if len(self.classes) == 1:
                    changed.sort()
                else:
                    changed[first:last] = sorted(changed[first:last])
                changes.append((tuple(changed), index - begin))
        return changes


def _weighted(random: Random, weights: list[int]) -> int:
    """A random index, by integer weights of any size: `random.choices` would round them."""
    point = random.randrange(sum(weights))
    for index, weight in enumerate(weights):
        if point < weight:
            return index
        point -= weight
    raise AssertionError
