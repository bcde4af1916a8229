"""Which rules the number of a cell depends on: the minimal sets of rules without which the cell can
hold another number.

The program is grounded once, with the fact `ab(NAME)` of each active rule as a choice, so that a
set of retracted rules is a set of assumptions. The sets are tried as in Reiter's hitting set tree
("A theory of diagnosis from first principles", Artificial Intelligence 32, 1987), smaller sets
first: if no cell can change, the unsatisfiable core names active rules, and each larger set that
changes a cell has to retract one of them. This does not assume that retracting a rule only adds
solutions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from clingo import Model

from aspdoku.engine.clues import retractable
from aspdoku.engine.solver import SearchEnd, Solver, Stoppable
from aspdoku.program import Program, library
from aspdoku.program.messages import Message
from aspdoku.puzzle import Solution
from aspdoku.puzzle.puzzle import Cell

# The facts are chosen through another predicate, because rules may derive facts `ab(NAME)`, too; by
# numbers, because a name can be a constant of the program.
_RETRACTED = "retracted__"


class Retraction(NamedTuple):
    """A minimal set of rules without which a cell can hold another number, and these numbers; None
    if they were not asked for, or not found in time.
    """

    rules: tuple[str, ...]
    numbers: tuple[int, ...] | None


class CellDependence(NamedTuple):
    """The minimal sets of rules that the number of a cell depends on, smaller ones first; a single
    empty one if the cell can hold another number although no rule is retracted.
    """

    cell: Cell
    number: int
    retractions: tuple[Retraction, ...]

    @property
    def is_open(self) -> bool:
        """Whether the puzzle does not determine the number of the cell."""
        return any(not each.rules for each in self.retractions)

    @property
    def rules(self) -> frozenset[str]:
        """The rules in at least one of the sets: those that the number depends on."""
        return frozenset(rule for each in self.retractions for rule in each.rules)


class DependenceSearch(NamedTuple):
    """The result for some cells, or all.

    solution: to which the numbers belong; None if there is none, or none in time
    rules: the names of the active rules that can be retracted
    fixed: the names of the rule files that no name retracts
    cells: the cells that were asked for, without givens, in reading order
    ended: unless it is "complete", cells may depend on more rules, and have more sets
    """

    solution: Solution | None
    rules: tuple[str, ...]
    fixed: tuple[str, ...]
    cells: tuple[CellDependence, ...]
    ended: SearchEnd
    messages: tuple[Message, ...] = ()


def find_dependences(
    program: Program,
    cell: Cell | None = None,
    time_limit: float | None = None,
    interruptible: bool = False,
) -> DependenceSearch:
    """The rules that the number of each cell depends on; for one cell, also the other numbers that
    it can hold. At the time limit, or at KeyboardInterrupt if interruptible, returns the results so
    far. Raises RuleError if the program cannot be grounded.
    """
    rules, words = program.rules, library.vocabulary().values()
    every = dict.fromkeys(name for rule in rules for name in sorted(retractable(rule)))
    names = tuple(name for name in every if name not in program.puzzle.without)
    fixed = tuple(each.name for each in rules if each not in words and not retractable(each))
    choices = [
        f"{{ {_atom(index)} }}.  ab({name.replace('-', '_')}) :- {_atom(index)}."
        for index, name in enumerate(names)
    ]
    solver = Solver(program, time_limit, extra_program="\n".join(choices), project=False)
    search: _Search | None = None
    with Stoppable(interruptible) as run:
        search = _Search(solver, names)
        if search.solution is not None:
            search.find([cell] if cell else program.puzzle.cells())
            if cell:
                search.find_numbers(cell)
    solution, cells = (search.solution, search.results()) if search else (None, ())
    return DependenceSearch(solution, names, fixed, cells, run.ended, tuple(solver.messages))


def _atom(index: int) -> str:
    return f"{_RETRACTED}({index})"


class _Search:
    """Searches with sets of retracted rules as assumptions; each may raise TimeLimitError."""

    def __init__(self, solver: Solver, names: tuple[str, ...]) -> None:
        self._solver = solver
        self._control = solver.ground()
        self._control.configuration.solve.models = 1  # type: ignore[union-attr]
        self._placements = solver.placements()
        literals = solver.literals([(_RETRACTED, 1)])
        self._retraction = {name: literals[_atom(index)] for index, name in enumerate(names)}
        self._selector = 0
        self._found: dict[Cell, list[frozenset[str]]] = {}
        self._numbers: dict[frozenset[str], tuple[int, ...]] = {}
        self.solution: Solution | None = None
        self._core(frozenset(), [], self._keep_solution)

    def find(self, cells: Iterable[Cell]) -> None:
        givens = self._solver.program.puzzle.givens()
        self._found = {cell: [] for cell in cells if cell not in givens}
        level = {frozenset[str](): set(self._found)}
        while level:
            larger: dict[frozenset[str], set[Cell]] = defaultdict(set)
            for retracted, concerned in level.items():
                left = {
                    cell
                    for cell in concerned
                    if not any(smaller <= retracted for smaller in self._found[cell])
                }
                changed, reasons = self._changes(retracted, left)
                for cell in changed:
                    self._found[cell].append(retracted)
                for name in reasons:
                    larger[retracted | {name}] |= left - changed
            level = larger

    def find_numbers(self, cell: Cell) -> None:
        for retracted in self._found.get(cell, ()):
            self._numbers[retracted] = tuple(
                number
                for number in self._solver.program.puzzle.numbers
                if number != self._number(cell)
                and (literal := self._placements.get((*cell, number)))
                and self._core(retracted, [literal]) is None
            )

    def results(self) -> tuple[CellDependence, ...]:
        names = list(self._retraction)

        def retractions(sets: Iterable[frozenset[str]]) -> Iterator[Retraction]:
            ordered = sorted((sorted(map(names.index, each)), each) for each in sets)
            for indices, each in sorted(ordered, key=lambda pair: len(pair[0])):
                rules = tuple(names[index] for index in indices)
                yield Retraction(rules, self._numbers.get(each))

        return tuple(
            CellDependence(cell, self._number(cell), tuple(retractions(sets)))
            for cell, sets in self._found.items()
        )

    def _changes(
        self, retracted: frozenset[str], cells: Collection[Cell]
    ) -> tuple[set[Cell], list[str]]:
        """The cells that can hold another number without these rules, and active rules that
        together keep the others from it.
        """
        left = {cell: self._placements[*cell, self._number(cell)] for cell in cells}
        changed: set[Cell] = set()

        def compare(model: Model) -> None:
            changed.update(cell for cell, literal in left.items() if not model.is_true(literal))

        while left:
            core = self._core(retracted, [self._difference(left.values())], compare)
            if core is not None:
                return changed, [name for name, atom in self._retraction.items() if -atom in core]
            left = {cell: literal for cell, literal in left.items() if cell not in changed}
        return changed, []

    def _difference(self, literals: Iterable[int]) -> int:
        """A literal that requires one of these to be false if it is assumed."""
        with self._control.backend() as backend:
            selector: int = backend.add_atom()
            backend.add_rule([selector], choice=True)
            backend.add_rule([], [*literals, selector])
            if self._selector:  # so that the former one takes no more time
                backend.add_rule([], [self._selector])
        self._selector = selector
        return selector

    def _core(
        self,
        retracted: frozenset[str],
        others: Iterable[int],
        inspect: Callable[[Model], None] | None = None,
    ) -> set[int] | None:
        """Assumptions that have no solution if exactly these rules are retracted; None if there is
        one.
        """
        assumed = [atom if name in retracted else -atom for name, atom in self._retraction.items()]
        with self._control.solve(
            [*assumed, *others], yield_=True, async_=self._solver.is_async
        ) as handle:
            self._solver.wait(handle)
            model = handle.model()
            if model is None:
                return set(handle.core())
            if inspect:
                inspect(model)
            return None

    def _keep_solution(self, model: Model) -> None:
        self.solution = self._solver.solution(model.symbols(shown=True))

    def _number(self, cell: Cell) -> int:
        assert self.solution is not None
        number = self.solution[cell]
        assert number is not None
        return number
