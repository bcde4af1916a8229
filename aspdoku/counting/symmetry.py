"""Interchangeable numbers: exchanging two of them in any solution gives another solution; and
permutations of cells that do so, such as an exchange of two rows.

This is decided on the ground program, without its givens: if an exchange in a/3 changes no more
than the order of its rules, with all other atoms replaced by their definitions, it maps
solutions to solutions. The test is syntactic, so it may miss a symmetry but claims no false one.

Of the k! solutions that differ only by exchanging k numbers, one has these numbers in ascending
order in a given row. Enumeration therefore counts only those (symmetry breaking).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, pairwise, product
from math import factorial, prod
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.explanation.constraints import AtMostOne, Body, Candidate, Clause, GroundConstraints
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell
from aspdoku.runtime.deadline import Deadline

if TYPE_CHECKING:
    from aspdoku.explanation.constraints import Literal


class NumberSymmetry(NamedTuple):
    """Sets of at least two interchangeable numbers, ascending, and cells among which each of these
    numbers occurs exactly once; empty if there are none.
    """

    classes: tuple[tuple[int, ...], ...]
    house: tuple[Cell, ...]

    @property
    def factor(self) -> int:
        """How many solutions correspond to each one that `ordering` allows."""
        return prod(factorial(len(numbers)) for numbers in self.classes) if self.house else 1

    def ordering(self) -> str:
        """Constraints that the numbers of each class are in ascending order in the house."""
        lines = []
        last = len(self.house) - 1
        for numbers in self.classes:
            for index, number in enumerate(numbers):
                # Redundant, but clingo would find it out by search.
                least, most = index, last - (len(numbers) - 1 - index)
                for place, (row, column) in enumerate(self.house):
                    if not least <= place <= most:
                        lines.append(f":- a({row},{column},{number}).")
            for (lower, higher), cells in product(pairwise(numbers), combinations(self.house, 2)):
                (row, column), (row1, column1) = cells
                lines.append(f":- a({row},{column},{higher}), a({row1},{column1},{lower}).")
        return "\n".join(lines)


def number_symmetry(program: Program, time_limit: float | None = None) -> NumberSymmetry:
    """The interchangeable numbers that are not given. Raises RuleError, TimeLimitError."""
    puzzle = program.puzzle
    deadline = Deadline(time_limit)
    ground = GroundConstraints(program.without_givens(), time_limit)
    given = set(puzzle.givens().values())
    classes: list[list[int]] = []
    if ground.is_determined_by_grid and (rules := _Rules.of(ground)):
        for number in puzzle.numbers:
            if number in given:
                continue
            # The relation is transitive: one member stands for its class.
            for numbers in classes:
                if rules.is_symmetry(_exchange(numbers[0], number), deadline):
                    numbers.append(number)
                    break
            else:
                classes.append([number])
    found = tuple(tuple(numbers) for numbers in classes if len(numbers) > 1)
    return NumberSymmetry(found, _house(ground, {each for numbers in found for each in numbers}))


def _exchange(one: int, other: int) -> Callable[[Candidate], Candidate]:
    swap = {one: other, other: one}
    return lambda candidate: (*candidate[:2], swap.get(candidate[2], candidate[2]))


def cell_symmetries(program: Program, time_limit: float | None = None) -> list[tuple[int, ...]]:
    """Permutations of the cells that map solutions to solutions, by indices in reading order; their
    products do so, too. Those that are tried move whole rows, columns, or both alike, or transpose
    the grid. Raises RuleError, TimeLimitError.
    """
    deadline, size = Deadline(time_limit), program.puzzle.size
    ground = GroundConstraints(program.without_givens(), time_limit)
    rules = _Rules.of(ground) if ground.is_determined_by_grid else None
    if rules is None:
        return []

    def is_symmetry(places: tuple[int, ...]) -> bool:
        def moved(candidate: Candidate) -> Candidate:
            row, column, number = candidate
            place = places[(row - 1) * size + column - 1]
            return place // size + 1, place % size + 1, number

        return rules.is_symmetry(moved, deadline)

    cells, lines = range(size**2), range(size)
    transposed = tuple(cell % size * size + cell // size for cell in cells)
    symmetries = [transposed] if is_symmetry(transposed) else []
    free = list(lines), list(lines)  # rows and columns, by which of them any order is a symmetry
    for move in _moves(size):
        of_rows = tuple(move[row] * size + column for row in lines for column in lines)
        of_columns = tuple(row * size + move[column] for row in lines for column in lines)
        alone = False
        for places, groups in zip((of_rows, of_columns), free, strict=True):
            moved = [line for line in lines if move[line] != line]
            if all(groups[line] == groups[move[line]] for line in moved):
                alone = True  # a product of those that were found
            elif is_symmetry(places):
                alone = True
                symmetries.append(places)
                if len(moved) == 2:
                    one, other = (groups[line] for line in moved)
                    groups[:] = [one if each == other else each for each in groups]
        both = tuple(of_columns[cell] for cell in of_rows)
        if not alone and is_symmetry(both):
            symmetries.append(both)
    return symmetries


def _moves(size: int) -> list[tuple[int, ...]]:
    """Permutations of lines: two blocks exchanged, single lines first, also with those opposite to
    them, and all lines reversed.
    """
    lines = range(size)
    moves: dict[tuple[int, ...], None] = {}
    for height in (height for height in lines[1:] if size % height == 0):
        for one, other in combinations(range(0, size, height), 2):
            swap = dict(zip(lines[one:][:height], lines[other:][:height], strict=True))
            swap |= {to: line for line, to in swap.items()}
            moves[tuple(swap.get(line, line) for line in lines)] = None
            opposite = {size - 1 - line: size - 1 - to for line, to in swap.items()}
            if opposite.keys().isdisjoint(swap):
                moves[tuple((swap | opposite).get(line, line) for line in lines)] = None
    return [*moves, tuple(reversed(lines))]


def _house(ground: GroundConstraints, numbers: set[int]) -> tuple[Cell, ...]:
    """The first cells in reading order, if any, that hold each of the numbers exactly once."""
    of_literal = {literal: candidate for candidate, literal in ground.candidates.items()}
    holding: dict[tuple[type, tuple[Cell, ...]], set[int]] = defaultdict(set)
    for constraint in ground.constraints:
        kind = type(constraint)
        if kind in (Clause, AtMostOne) and of_literal.keys() >= {*constraint.literals}:
            candidates = [of_literal[literal] for literal in constraint.literals]
            kinds = {number for _, _, number in candidates}
            if len(kinds) == 1:
                cells = tuple(sorted((row, column) for row, column, _ in candidates))
                holding[kind, cells] |= kinds
    houses = [
        cells
        for (of_kind, cells), occurring in list(holding.items())
        if of_kind is Clause and numbers and numbers <= occurring & holding[AtMostOne, cells]
    ]
    return min(houses, default=())


class _Rules:
    """The ground rules, with the definitions of all atoms but candidates in topological order."""

    def __init__(self, ground: GroundConstraints, order: list[int]) -> None:
        self._candidates: Mapping[int, Candidate] = {
            literal: candidate for candidate, literal in ground.candidates.items()
        }
        self._order = order
        # Choices and integrity constraints.
        self._restricting: list[tuple[bool, tuple[Literal, ...], Body]] = []
        self._bodies: dict[int, list[Body]] = defaultdict(list)
        for choice, head, body in ground.rules:
            if choice or not head:
                self._restricting.append((choice, head, body))
            else:
                self._bodies[head[0]].append(body)
        self._ids: dict[Hashable, int] = {}
        self._original: frozenset[int] | None = None

    @classmethod
    def of(cls, ground: GroundConstraints) -> _Rules | None:
        """None if atoms depend on each other: a definition cannot be replaced in itself."""
        depends: dict[int, set[int]] = defaultdict(set)
        for choice, head, body in ground.rules:
            if not choice and head:
                depends[head[0]].update(map(abs, body.literals))
        try:
            return cls(ground, list(TopologicalSorter(depends).static_order()))
        except CycleError:
            return None

    def is_symmetry(self, moved: Callable[[Candidate], Candidate], deadline: Deadline) -> bool:
        """Whether the rules are the same after each candidate has been replaced by another one.
        Raises TimeLimitError.
        """
        if self._original is None:
            self._original = frozenset(self._image(lambda candidate: candidate, deadline))
        return all(rule in self._original for rule in self._image(moved, deadline))

    def _image(self, moved: Callable[[Candidate], Candidate], deadline: Deadline) -> Iterator[int]:
        """The rules after each candidate has been replaced, each as an id of its structure: equal
        ids mean equal rules, up to the order in them and the names of defined atoms. The last ones
        come first: rules that were added to others have the fewest symmetries.
        """
        atoms: dict[int, int] = {}

        def id_of_body(body: Body) -> int:
            deadline.require_time("comparing numbers")
            literals = [
                (atoms.setdefault(abs(literal), false), literal > 0) for literal in body.literals
            ]
            if body.weights is None:
                return self._id("all", frozenset(literals))
            totals = Counter[tuple[int, bool]]()  # a literal may occur several times
            for each, weight in zip(literals, body.weights, strict=True):
                totals[each] += weight
            return self._id("sum", body.bound, frozenset(totals.items()))

        false = self._id("any", frozenset())
        for literal, candidate in self._candidates.items():
            atoms[literal] = self._id("a", *moved(candidate))
        for atom in self._order:
            if atom not in self._candidates:
                atoms[atom] = self._id("any", frozenset(map(id_of_body, self._bodies[atom])))
        for choice, head, body in reversed(self._restricting):
            yield self._id(choice, frozenset(atoms[atom] for atom in head), id_of_body(body))

    def _id(self, *structure: Hashable) -> int:
        return self._ids.setdefault(structure, len(self._ids))
