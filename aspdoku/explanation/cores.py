"""Minimal sets of givens and clues that have no solution, or that entail a claim.

The program is grounded once, over a blank grid and with a choice for each clue, so that givens and
clues can be left out. If there are givens only, a minimal set is found by a single search that
decides about them in order; clues are assumptions of one search after another. What is chosen is an
exception to the clue, if that has the same effect as to remove it, or else its facts.
`ConstraintModel` cannot be used for this: it has no choices.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain, islice

from clingo import Model

from aspdoku.engine.clues import Clue, clues, exceptions
from aspdoku.engine.propagators import OrderedSearch
from aspdoku.engine.solver import ENUMERATION_OPTIONS, Pace, Solver, grid_atoms
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.steps import Claim, Conflict, Step
from aspdoku.program import Program
from aspdoku.program.clue_effects import only_add_constraints
from aspdoku.puzzle import Solution
from aspdoku.puzzle.puzzle import GIVEN, Cell, grid_of
from aspdoku.puzzle.term import to_asp
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import postponed

Item = Claim | Clue
Group = tuple[Item, ...]
Goal = Claim | Solution | None  # what a solution that is looked for contradicts, or differs from
Inspect = Callable[[list[Group]], None]  # receives groups that have no solution, fewer and fewer

# clingo's transformation of cardinality rules would take longer than most of the searches.
_CLUE_OPTIONS = ("--configuration=crafty", "--trans-ext=no")
# Those for enumerating, but with a configuration that takes less time under tight rules.
_GIVEN_OPTIONS = ("--configuration=jumpy", *ENUMERATION_OPTIONS[1:])
_FACT_OPTIONS = ("--configuration=tweety", "--trans-ext=no")
# Conflicts of a search, for the option --solve-limit.
_SHORT, _UNLIMITED = "500", "umax"
# How much the limit of a search that was ended grows until it is begun again.
_GROWTH = 4
# Other solutions, of which the one that differs most is wanted.
_OTHERS = 5
# The core of a search that ended after so many conflicts; no literal is 0.
_UNDECIDED = {0}


class CoreFinder:
    """Searches with some of the givens and clues of a program.

    items: the givens that the rules allow, and the clues
    impossible: the other givens
    pace: of similar programs
    found: the clues that are items, by default all of the program; others always hold
    clues_interact: whether to remove a clue can forbid a grid
    """

    def __init__(
        self,
        program: Program,
        deadline: Deadline,
        pace: Pace | None = None,
        found: Collection[Clue] | None = None,
    ) -> None:
        self._clues = found = clues(program) if found is None else found
        self._program = program
        self._deadline = deadline
        self._pace = pace
        removing = exceptions(program, found)
        open_facts = {fact for clue in found if clue not in removing for fact in clue.facts}
        puzzle, rules = program.puzzle, program.rules
        if open_facts or puzzle.givens():
            program = program.changed(
                fast=not open_facts,
                grid=grid_of(puzzle.size, {}),
                facts=tuple(fact for fact in puzzle.facts if fact not in open_facts),
            )
        signatures = frozenset(fact.signature for fact in open_facts)
        self.clues_interact = bool(signatures) and not only_add_constraints(
            frozenset(rules), signatures
        )
        chosen = {*open_facts, *removing.values()}
        # Clues take harder proofs, which learn what the next ones need; with givens only, most of
        # what is learned for some of them is of no use for others. Chosen by measurement.
        self._solver = Solver(
            program,
            deadline.time_limit(),
            options=_CLUE_OPTIONS if found else _GIVEN_OPTIONS,
            extra_program="\n".join(f"{{ {fact} }}." for fact in sorted(map(to_asp, chosen))),
            project=bool(found),
            pace=pace,
        )
        self._control = self._solver.ground()
        # Most searches are so short that a second thread, for the time limit, would take longer.
        self._control.configuration.solve.solve_limit = _SHORT  # type: ignore[union-attr]
        self._literal = lru_cache(maxsize=None)(self._solver.literal)
        self._other: list[int] = []
        self._are_whole = False
        self._excluded: tuple[Solution, int] | None = None
        # Proofs about clues are harder, and take longer if the order of decisions is fixed.
        self._ordered = None if found else OrderedSearch(self._control, deadline)
        self._assumptions: dict[Item, list[int]] = {
            clue: [-self._known(to_asp(removing[clue]))]
            if clue in removing
            else [self._known(to_asp(fact)) for fact in clue.facts]
            for clue in found
        }
        self._clue_literals = list(chain.from_iterable(map(self._literals, found)))
        givens = [Claim(*cell, number, True) for cell, number in puzzle.givens().items()]
        self.impossible = [each for each in givens if self._literal(_atom(each)) is None]
        self._givens = [each for each in givens if each not in self.impossible]

    @property
    def items(self) -> tuple[Item, ...]:
        """The clues, and the givens that the rules allow."""
        return *self._clues, *self._givens

    def core_shortly(self, kept: Iterable[Item]) -> list[Item] | None:
        """The items without a solution, whichever other clues hold; None if unknown."""
        kept = list(kept)
        core = self._searched(self._held(kept), limit=_SHORT)
        return None if core is None or core is _UNDECIDED else self._items_in(core, kept)

    def core(
        self, kept: Iterable[Item], goal: Goal = None, all_if_hard: bool = False
    ) -> list[Item] | None:
        """The items by which there is no solution other than the goal; None if there is one.

        goal: only ask for solutions that contradict this claim, or differ from this solution
        all_if_hard: all of the items, if a short search does not decide it
        """
        kept = list(kept)
        contrary = self._contrary(goal)
        if contrary is None:
            return []
        assumed = [*self._assumed(kept), *contrary]
        facts_if_hard = self.clues_interact or all_if_hard
        core = self._searched(assumed, self._keep, limit=_SHORT if facts_if_hard else _UNLIMITED)
        if core is _UNDECIDED:
            return self._core_of_facts(kept, goal)
        return None if core is None else self._items_in(core, kept)

    def _items_in(self, core: set[int], items: Iterable[Item]) -> list[Item]:
        return [item for item in items if not core.isdisjoint(self._literals(item))]

    def _contrary(self, goal: Goal) -> list[int] | None:
        """What contradicts a goal, as assumptions; None if nothing does."""
        if goal is None:
            return []
        if isinstance(goal, Solution):
            return [self._other_than(goal)]
        literal = self._literal(_atom(goal))
        if literal is None:
            return [] if goal.holds else None
        return [-literal if goal.holds else literal]

    def _core_of_facts(self, kept: list[Item], goal: Goal) -> list[Item] | None:
        """All of the items, stated as facts, if there is no solution; None if there is one. A hard
        search takes a fraction of the time: sums over atoms that are only assumed cannot be
        simplified.
        """
        excluded = ""
        if isinstance(goal, Solution):
            excluded = f":- {', '.join(map(str, grid_atoms(goal)))}."
        elif goal is not None:
            excluded = f":- {'not ' * (not goal.holds)}{_atom(goal)}."
        solver = Solver(
            self.stated(kept),
            self._deadline.time_limit(),
            options=_FACT_OPTIONS,
            extra_program=excluded,
            project=False,
        )
        answer_set = solver.first_answer_set(shown=True)
        if answer_set is None:
            return kept
        cells = self._cells
        self._other = [cells[atom] for atom in map(str, answer_set) if atom in cells]
        return None

    def stated(self, kept: Collection[Item]) -> Program:
        """The program with these givens and clues."""
        open_facts = {fact for clue in self._clues for fact in clue.facts}
        stated = {fact for item in kept if isinstance(item, Clue) for fact in item.facts}
        givens = {item[:2]: item.number for item in kept if isinstance(item, Claim)}
        puzzle = self._program.puzzle
        return self._program.changed(
            grid=grid_of(puzzle.size, givens),
            facts=tuple(fact for fact in puzzle.facts if fact not in open_facts or fact in stated),
        )

    def _keep(self, model: Model) -> None:
        """Note the grid of a solution, in case that a group is tested twice."""
        if self.clues_interact:
            literals = self._cells.values()
            self._other = [literal for literal in literals if model.is_true(literal)]

    def _assumed(self, kept: Iterable[Item]) -> list[int]:
        """The items as assumptions, without the other clues; other givens are left open."""
        held = dict.fromkeys(chain.from_iterable(map(self._literals, kept)))
        return [*held, *(-literal for literal in self._clue_literals if literal not in held)]

    def _held(self, kept: Iterable[Item]) -> list[int]:
        """The items as assumptions, so that the other clues may hold or not, but none in part: a
        rule can be about their absence. Otherwise, it takes less time to assume that they do not
        hold.
        """
        if not self.clues_interact:
            return self._assumed(kept)
        if not self._are_whole:
            self._are_whole = True
            with self._control.backend() as backend:
                for clue in self._clues:
                    literals = self._literals(clue)
                    for one, other in zip(literals, literals[1:] + literals[:1], strict=True):
                        if one != other:
                            backend.add_rule([], [one, -other])
        return list(dict.fromkeys(chain.from_iterable(map(self._literals, kept))))

    @cached_property
    def _cells(self) -> dict[str, int]:
        return self._solver.literals({GIVEN})

    def _known(self, atom: str) -> int:
        literal = self._literal(atom)
        assert literal is not None
        return literal

    def _literals(self, item: Item) -> list[int]:
        literals = self._assumptions.get(item)
        if literals is None:
            assert isinstance(item, Claim)
            literals = self._assumptions[item] = [self._known(_atom(item))]
        return literals

    def _is_satisfiable(self, kept: Iterable[Item], grid: Iterable[int]) -> bool:
        return self._searched([*self._assumed(kept), *grid]) is None

    def _searched(
        self,
        assumed: list[int],
        inspect: Callable[[Model], None] | None = None,
        most: int = 1,
        limit: str = _UNLIMITED,
    ) -> set[int] | None:
        """The core, `_UNDECIDED` at the limit, or None with up to `most` answer sets seen."""
        self._deadline.require_time("solving")
        with postponed:
            core = self._core_of(assumed, inspect, most, in_thread=False)
        if core is not _UNDECIDED or limit == _SHORT:
            return core
        solving = self._control.configuration.solve
        solving.solve_limit = limit  # type: ignore[union-attr]
        try:
            return self._core_of(assumed, inspect, 1, in_thread=self._solver.is_async)
        finally:
            solving.solve_limit = _SHORT  # type: ignore[union-attr]

    def _core_of(
        self,
        assumed: list[int],
        inspect: Callable[[Model], None] | None,
        most: int,
        in_thread: bool,
    ) -> set[int] | None:
        self._control.configuration.solve.models = most  # type: ignore[union-attr]
        count = 0
        with self._control.solve(assumed, yield_=True, async_=in_thread) as handle:
            models = self._solver.models(handle) if in_thread else iter(handle)
            for model in islice(models, most):
                count += 1
                if inspect:
                    inspect(model)
            if count:
                return None
            return set(handle.core()) if handle.get().unsatisfiable else _UNDECIDED

    def minimal(self, items: Iterable[Item], claim: Claim | None = None) -> Conflict | None:
        """Some items without a solution, or that entail a claim, none of which can go."""
        groups = self.reduced([(item,) for item in items], (), claim)
        return None if groups is None else Conflict.of(items_of(groups))

    def irreducible(
        self,
        items: Iterable[Item],
        inspect: Callable[[list[Item], bool], None] = lambda _items, _is_hard: None,
    ) -> tuple[list[Item], dict[Item, bool]]:
        """Some of the items, of which none can be left out: they have no solution, whichever of the
        other clues hold. Also, as far as it is known, whether all others of the program have one. A
        search that takes many conflicts is ended, and begun again with a larger limit after those
        without other items: one can take a thousand times as long as the others.

        items: all of them have no solution
        inspect: receives smaller and smaller lists of items that have no solution, and whether a
            search was ended
        """
        left, is_hard = list(items), False
        inspect(left, is_hard)
        needed, repairing = set[Item](), dict[Item, bool]()
        most = int(_SHORT)
        while waiting := [item for item in left if item not in needed]:
            for item in waiting:
                if item not in left:
                    continue
                rest = [other for other in left if other != item]
                core: set[int] | None = _UNDECIDED
                if not self.clues_interact and item not in repairing:
                    # Mostly, one search shows both that an item is needed and that it is wrong.
                    every = [other for other in self.items if other != item]
                    core = self._searched(self._held(every), limit=_SHORT)
                    if core is not _UNDECIDED:
                        repairing[item] = core is None
                    if core is not None and not self._is_core_of(core, rest):
                        core = _UNDECIDED
                if core is _UNDECIDED:
                    core = self._searched(self._held(rest), limit=str(most))
                if core is None:
                    needed.add(item)
                elif core is not _UNDECIDED:
                    left = self._items_in(core, rest)
                    inspect(left, is_hard)
                elif not is_hard:
                    is_hard = True
                    inspect(left, is_hard)
            most *= _GROWTH
        return left, repairing

    def _is_core_of(self, core: set[int], items: list[Item]) -> bool:
        """Whether a core is known and needs no other items than these."""
        held = set(chain.from_iterable(map(self._literals, items)))
        return all(literal in held or -literal in self._clue_literals for literal in core)

    def reduced(
        self,
        groups: Iterable[Group],
        kept: Collection[Item],
        goal: Goal,
        inspect: Inspect = lambda _: None,
    ) -> list[Group] | None:
        """Some of the groups of items that have no solution together with those kept, and of which
        none can be left out; None if all groups have a solution. The first groups are left out
        first.
        """
        groups = list(groups)
        if self._ordered:
            return self._in_one_search(groups, kept, goal, inspect)
        if self.clues_interact and not any(map(_has_clue, groups)):
            return self._of_givens(kept).reduced(groups, _claims(kept), goal, inspect)
        left = self._smaller(groups, kept, goal)
        if left is None:
            return None
        inspect(left)
        others: dict[Group, list[int]] = {}
        clues_differ = True
        while clues_differ:
            # Without a clue, another one may be needed no more, if a rule is about its absence.
            clues_differ = False
            for group in left.copy():
                if group not in left:
                    continue
                rest = [other for other in left if other is not group]
                # The grid that was found without the group may still be a solution.
                items = [*kept, *items_of(rest)]
                if group in others and self._is_satisfiable(items, others[group]):
                    continue
                self._other = []
                found = self._smaller(rest, kept, goal)
                if found is not None:
                    clues_differ |= self.clues_interact and any(map(_has_clue, {*left} - {*found}))
                    left = found
                    inspect(left)
                elif self._other:
                    others[group] = self._other
        return left

    def _of_givens(self, kept: Collection[Item]) -> CoreFinder:
        return CoreFinder(self.stated(kept), self._deadline, self._pace, found=())

    def _in_one_search(
        self, groups: list[Group], kept: Collection[Item], goal: Goal, inspect: Inspect
    ) -> list[Group] | None:
        """`reduced` for givens, by a search that decides that they hold, the last group first. The
        first group that does not hold in an answer set is needed: those before it have a solution,
        but none in which it holds as well, because the decisions that they hold imply its negation.
        From then on it has to hold, and those after it are left out. Most searches for one given
        would take most of their time to begin and to end.
        """
        contrary = self._contrary(goal)
        if contrary is None:
            inspect([])
            return []
        left, needed = groups[::-1], list[Group]()
        literals = [list(chain.from_iterable(map(self._literals, group))) for group in left]
        order = list(chain.from_iterable(literals))
        # For each literal of the order, the place of its group.
        places = [place for place, its in enumerate(literals) for _ in its]

        def see(model: Model, first: int) -> int | None:
            if first == len(places):
                return None
            failed = places[first]
            start = bisect_left(places, failed)
            for literal in order[start : bisect_right(places, failed)]:
                model.context.add_clause([literal])
            del places[start:]
            needed.append(left[failed])
            del left[failed:]
            inspect([*left, *needed])
            return start

        assumed = [*self._assumed(kept), *contrary]
        assert self._ordered is not None
        if not self._ordered.search(self._control, order, assumed, see):
            return None
        inspect(needed)
        return needed

    def _smaller(
        self, groups: list[Group], kept: Collection[Item], goal: Goal
    ) -> list[Group] | None:
        """Those of the groups that have no solution with those kept; None if there is one."""
        items = [*kept, *items_of(groups)]
        found = self.core(items, goal)
        if found is None or (self.clues_interact and not self.allows(items, goal)):
            return None
        needed = set(found)
        core = [group for group in groups if not needed.isdisjoint(group)]
        # The absence of a clue that the core leaves out can forbid the solution. It cannot allow
        # another one: what is left has no solution whether those clues hold or not.
        if (
            self.clues_interact
            and any(_has_clue(group) and group not in core for group in groups)
            and not self.allows([*kept, *items_of(core)], goal)
        ):
            return groups
        return core

    def is_unique(self, kept: Sequence[Item], solution: Solution) -> bool:
        """Whether there is no other solution with these items."""
        if not self.clues_interact:
            # Mostly, one of two solutions is another one, so that this one need not be excluded.
            grid = self._grid(solution)
            others: list[bool] = []

            def compare(model: Model) -> None:
                others.append(not all(literal and model.is_true(literal) for literal in grid))

            self._searched(self._assumed(kept), compare, most=2, limit=_SHORT)
            if any(others):
                return False
        return self.core(kept, solution) is not None

    def allows(self, kept: Iterable[Item], goal: Goal) -> bool:
        """Whether a goal that is a solution is one of the puzzle with these items."""
        if not isinstance(goal, Solution):
            return True
        grid = self._grid(goal)
        # None if the rules alone exclude it.
        return None not in grid and self._is_satisfiable(kept, filter(None, grid))

    def differences(self, kept: Sequence[Item], solution: Solution) -> set[Cell] | None:
        """Cells where another solution differs most; empty if unique, None if it is no solution."""
        if self.clues_interact:
            return self._of_givens(kept).differences(_claims(kept), solution)
        if not self.allows(kept, solution):
            return None
        grid = list(zip(solution.numbers(), filter(None, self._grid(solution)), strict=True))
        found: list[set[Cell]] = []

        def note(model: Model) -> None:
            found.append({cell for cell, literal in grid if not model.is_true(literal)})

        assumed = [*self._assumed(kept), self._other_than(solution)]
        self._searched(assumed, note, _OTHERS)
        return max(found, key=len, default=set())

    def _grid(self, solution: Solution) -> list[int | None]:
        """The literals of the numbers of a solution; None for one that the rules alone exclude."""
        return [
            self._literal(f"{GIVEN[0]}({row},{column},{number})")
            for (row, column), number in solution.numbers().items()
        ]

    def _other_than(self, solution: Solution) -> int:
        """A literal that excludes the grid of a solution if it is assumed."""
        if self._excluded and self._excluded[0] is solution:
            return self._excluded[1]
        with self._control.backend() as backend:
            literal: int = backend.add_atom()
            backend.add_rule([literal], choice=True)
            grid = self._grid(solution)
            if None not in grid:
                backend.add_rule([], [*filter(None, grid), literal])
            if self._excluded:  # so that the former one takes no more time
                backend.add_rule([], [self._excluded[1]])
        self._excluded = solution, literal
        return literal


def with_cores(steps: Iterable[Step], program: Program, deadline: Deadline) -> Iterator[Step]:
    """The steps; reasons that only clingo proves have givens and clues, until the deadline."""
    finder: CoreFinder | None = None
    for step in steps:
        reasons = list(step.reasons)
        for place, reason in enumerate(reasons):
            if reason.is_opaque:
                with suppress(TimeLimitError):
                    finder = finder or CoreFinder(program, deadline)
                    core = finder.minimal(finder.items, reason.claims[0])
                    reasons[place] = reason._replace(core=core)
        yield step._replace(reasons=tuple(reasons))


def items_of(groups: Iterable[Group]) -> list[Item]:
    """The items of all groups."""
    return list(chain.from_iterable(groups))


def _claims(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if isinstance(item, Claim)]


def _has_clue(group: Group) -> bool:
    return any(isinstance(item, Clue) for item in group)


def _atom(claim: Claim) -> str:
    return f"{GIVEN[0]}({claim.row},{claim.column},{claim.number})"
