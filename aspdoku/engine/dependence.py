"""What a solution depends on: the minimal sets of rules without which a cell can hold another
number, and the givens, clues and rules without which the solution is not unique.

For a cell, the program is grounded once, with the fact `ab(NAME)` of each active rule as a choice,
so that a set of retracted rules is a set of assumptions. The sets are tried as in Reiter's hitting
set tree ("A theory of diagnosis from first principles", Artificial Intelligence 32, 1987), smaller
sets first: if no cell can change, the unsatisfiable core names active rules, and each larger set
that changes a cell has to retract one of them. This does not assume that retracting a rule only
adds solutions.

Redundant are the givens, clues and rules that are not needed. Each is removed on its own: givens
are assumptions of one grounding; a program without a clue or a rule is grounded again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from clingo import Model

from aspdoku.engine.clues import clues, names_of_files, retractable
from aspdoku.engine.solver import Search, SearchEnd, SearchStatus, Solver, Stoppable
from aspdoku.program import Program, RuleFile, library
from aspdoku.program.messages import Message
from aspdoku.puzzle import Function, Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell
from aspdoku.runtime.deadline import Deadline

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
    open_ = program.changed(fast=False)
    solver = Solver(open_, time_limit, extra_program="\n".join(choices), project=False)
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
        """The cells that can differ without these rules, and active rules that keep the others."""
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
        """Assumptions without a solution if exactly these rules are retracted; None if none."""
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


RemovalKind = Literal["given", "clue", "rule"]


class RemovalResult(NamedTuple):
    """A given, clue or rule, and how many solutions there are without it.

    name: of a given `r1c2=3`; of a clue the name of its cage, line or chain, or else the fact; of a
        rule its name, or the path of its file if another rule has the same name
    rule: the name of the rule that a clue belongs to; empty for givens and rules
    facts: the facts removed
    status: of the puzzle without it; "unique" if it is redundant, "another" if the solution is
        unique but a different one
    words: of a clue its name and its place, such as "cage A in r1c1"; otherwise empty
    """

    kind: RemovalKind
    name: str
    rule: str
    facts: tuple[Function, ...]
    cell: Cell | None
    status: SearchStatus | Literal["another"]
    words: str = ""

    @property
    def needed(self) -> bool | None:
        """Whether the solution is another one, or not unique, without it; None if undecided."""
        return None if self.status in ("some", "unknown") else self.status != "unique"


def find_redundancies(program: Program, time_limit: float | None = None) -> Iterator[RemovalResult]:
    """Remove each given, clue and rule of a puzzle with a unique solution in turn."""
    deadline = Deadline(time_limit)
    only = next(iter(list(Solver(program, deadline.time_limit()).search(1))), None)
    yield from _givens(program, only, deadline)
    puzzle = program.puzzle
    for clue in clues(program):
        rest = tuple(fact for fact in puzzle.facts if fact not in clue.facts)
        status = _status(program, only, program.rules, rest, puzzle.without, deadline)
        yield RemovalResult("clue", clue.name, clue.rule, clue.facts, None, status, clue.words)
    for name, rules, without in _rules(program):
        status = _status(program, only, rules, puzzle.facts, without, deadline)
        yield RemovalResult("rule", name, "", (), None, status)


def _givens(program: Program, only: Solution | None, deadline: Deadline) -> Iterator[RemovalResult]:
    solver = Solver(program.without_givens(), deadline.time_limit())
    numbers = program.puzzle.givens()
    givens = {cell: Function(GIVEN[0], (*cell, number)) for cell, number in numbers.items()}
    for cell, given in givens.items():
        search = solver.search(2, [(each, True) for each in givens.values() if each is not given])
        status = "unknown" if deadline.passed else _status_of(search, only)
        name = "r{}c{}={}".format(*given.arguments)
        yield RemovalResult("given", name, "", (given,), cell, status)


def _rules(program: Program) -> Iterator[tuple[str, list[RuleFile], tuple[str, ...]]]:
    """Each rule by its name, with the files and retracted names without it."""
    names, retracted = names_of_files(program), program.puzzle.without
    base, *files = rules = program.rules
    for name in sorted(retractable(base).difference(retracted)):
        yield name, rules, (*retracted, name)
    for rule in files:
        if rule in library.vocabulary().values():
            continue
        name = rule.name.replace("_", "-")
        is_retractable = name in retractable(rule)
        if is_retractable and name in retracted:
            continue
        if is_retractable and names[rule] == rule.name:
            yield rule.name, rules, (*retracted, name)
        else:
            others = [other for other in rules if other is not rule]
            known = retractable(*others)
            yield names[rule], others, tuple(each for each in retracted if each in known)


def _status(
    program: Program,
    only: Solution | None,
    rules: list[RuleFile],
    facts: tuple[Function, ...],
    without: tuple[str, ...],
    deadline: Deadline,
) -> SearchStatus | Literal["another"]:
    changed = program.changed(rules, facts=facts, without=without)
    return _status_of(Solver(changed, deadline.time_limit()).search(2), only)


def _status_of(search: Search, only: Solution | None) -> SearchStatus | Literal["another"]:
    solutions = list(search)
    if search.status == "unique" and only and solutions[0].rows != only.rows:
        return "another"
    return search.status
