"""Minimal sets of givens and clues that have no solution, or that entail a claim.

The program is grounded once, over a blank grid and with the facts of the clues as choices, so that
givens and clues are assumptions of a search. An unsatisfiable core of them is minimized by
deletion. `ConstraintModel` cannot be used for this: there, clues are facts, so that each rule
instance is short.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from aspdoku.deadline import Deadline
from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.steps import Claim, PuzzleCore, Step
from aspdoku.program import Program, RuleFile, assemble
from aspdoku.puzzle import Solution
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import to_asp

Item = Claim | Clue


class CoreFinder:
    """Searches with some of the givens and clues of a program.

    items: the givens and clues
    Raises TimeLimitError, here and in all methods, after the deadline.
    """

    def __init__(self, program: Program, deadline: Deadline) -> None:
        found = clues(program)
        facts = {fact for clue in found for fact in clue.facts}
        puzzle = program.puzzle
        blank = puzzle.replace(
            grid=((None,) * puzzle.size,) * puzzle.size,
            facts=tuple(fact for fact in puzzle.facts if fact not in facts),
            box=puzzle.box,
        )
        choices = "\n".join(f"{{ {to_asp(fact)} }}." for fact in sorted(facts, key=to_asp))
        rules = [*(part.rule for part in program.parts), RuleFile("clues", "clues", choices, True)]
        self._solver = Solver(
            assemble(blank, rules, constants=program.constants), deadline.time_limit()
        )
        self._control = self._solver.ground()
        self._literal = {str(atom.symbol): atom.literal for atom in self._control.symbolic_atoms}
        self._excluded: dict[Solution, int] = {}
        self._assumptions: dict[Item, list[int]] = {
            clue: [self._literal[to_asp(fact)] for fact in clue.facts] for clue in found
        }
        for (row, column), number in puzzle.givens().items():
            given = Claim(row, column, number, True)
            if literal := self._literal.get(_atom(given)):
                self._assumptions[given] = [literal]

    @property
    def items(self) -> tuple[Item, ...]:
        """The givens that the rules allow, and the clues."""
        return tuple(self._assumptions)

    def core(self, kept: Iterable[Item], goal: Claim | Solution | None = None) -> list[Item] | None:
        """Those of the given items by which there is no solution; None if there is one.

        goal: only ask for solutions that contradict this claim, or differ from this solution
        """
        kept = list(kept)
        contrary: list[int] = []
        if isinstance(goal, Solution):
            contrary = [self._other_than(goal)]
        elif goal is not None and (literal := self._literal.get(_atom(goal))):
            contrary = [-literal if goal.holds else literal]
        elif goal is not None and not goal.holds:
            return []
        core = self._unsatisfiable([*self._assumed(kept), *contrary])
        if core is None:
            return None
        return [item for item in kept if not core.isdisjoint(self._assumptions[item])]

    def _assumed(self, kept: Iterable[Item]) -> list[int]:
        """The items as assumptions. The other clues are assumed not to hold; the other givens are
        just not assumed.
        """
        held = dict.fromkeys(kept)
        assumed = [literal for item in held for literal in self._assumptions[item]]
        for item, literals in self._assumptions.items():
            if isinstance(item, Clue) and item not in held:
                assumed += [-literal for literal in literals]
        return assumed

    def _unsatisfiable(self, assumed: Iterable[int]) -> set[int] | None:
        """Assumptions that have no solution; None if all of them have one."""
        with self._control.solve(list(assumed), async_=True) as handle:
            self._solver.wait(handle)
            return set(handle.core()) if handle.get().unsatisfiable else None

    def minimal(self, items: Iterable[Item], claim: Claim | None = None) -> PuzzleCore | None:
        """Some of the items that have no solution, or entail a claim, and of which none can be left
        out; None if all of them have a solution.
        """
        found = list(self.reductions(items, (), claim))
        if not found:
            return None
        left = found[-1]
        givens = tuple(sorted(item for item in left if isinstance(item, Claim)))
        return PuzzleCore(givens, tuple(item for item in left if isinstance(item, Clue)))

    def reductions(
        self, items: Iterable[Item], kept: Collection[Item], goal: Claim | Solution | None
    ) -> Iterator[list[Item]]:
        """Smaller and smaller lists of the items that have no solution together with those kept;
        of the last one, none can be left out. There are no lists if all items have a solution.

        The items that come first are left out first. `goal` is that of `core`.
        """
        left = self._smaller(list(items), kept, goal)
        if left is None:
            return
        yield left
        clues_differ = True
        while clues_differ:
            # Without a clue, another one may be needed no more, if a rule is about its absence.
            clues_differ = False
            for item in left.copy():
                if item not in left:
                    continue
                found = self._smaller([other for other in left if other != item], kept, goal)
                if found is not None:
                    clues_differ |= any(isinstance(each, Clue) for each in {*left} - {*found})
                    left = found
                    yield left

    def _smaller(
        self, items: list[Item], kept: Collection[Item], goal: Claim | Solution | None
    ) -> list[Item] | None:
        """Those of the items that have no solution with those kept; None if there is one."""
        found = self.core([*kept, *items], goal)
        if found is None or not self._allows([*kept, *items], goal):
            return None
        core = [item for item in items if item in found]
        # The absence of a clue that the core leaves out can allow or forbid solutions, too.
        if any(isinstance(item, Clue) and item not in core for item in items):
            left = [*kept, *core]
            return core if self.core(left, goal) is not None and self._allows(left, goal) else items
        return core

    def _allows(self, kept: Iterable[Item], goal: Claim | Solution | None) -> bool:
        """Whether a goal that is a solution is one of the puzzle with these items."""
        if not isinstance(goal, Solution):
            return True
        grid = [self._literal[atom] for atom in _atoms(goal)]
        return self._unsatisfiable([*self._assumed(kept), *grid]) is None

    def _other_than(self, solution: Solution) -> int:
        """A literal that excludes the grid of a solution if it is assumed."""
        if solution not in self._excluded:
            with self._control.backend() as backend:
                literal = self._excluded[solution] = backend.add_atom()
                backend.add_rule([literal], choice=True)
                backend.add_rule([], [*(self._literal[atom] for atom in _atoms(solution)), literal])
        return self._excluded[solution]


def with_cores(steps: Iterable[Step], program: Program, deadline: Deadline) -> Iterator[Step]:
    """The steps; reasons that only clingo has proved have givens and clues that suffice for them.

    Those not found before the deadline are left out.
    """
    finder: CoreFinder | None = None
    for step in steps:
        reasons = []
        for reason in step.reasons:
            if reason.is_opaque:
                try:
                    finder = finder or CoreFinder(program, deadline)
                    core = finder.minimal(finder.items, reason.claims[0])
                except TimeLimitError:
                    core = None
                reasons.append(reason._replace(core=core))
            else:
                reasons.append(reason)
        yield step._replace(reasons=tuple(reasons))


def _atom(claim: Claim) -> str:
    return f"{GIVEN[0]}({claim.row},{claim.column},{claim.number})"


def _atoms(solution: Solution) -> Iterator[str]:
    for row, numbers in enumerate(solution.rows, 1):
        for column, number in enumerate(numbers, 1):
            yield f"{GIVEN[0]}({row},{column},{number})"
