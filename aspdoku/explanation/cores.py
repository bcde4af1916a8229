"""Minimal sets of givens and clues that have no solution, or that entail a claim.

The program is grounded once, over a blank grid and with the facts of the clues as choices, so that
givens and clues are assumptions of a search. An unsatisfiable core of them is minimized by
deletion. `ConstraintModel` cannot be used for this: there, clues are facts, so that each rule
instance is short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aspdoku.deadline import Deadline
from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.solver import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.explanation.steps import Claim, PuzzleCore, Step
from aspdoku.program import Program, RuleFile, assemble
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

    def core(self, kept: Iterable[Item], claim: Claim | None = None) -> list[Item] | None:
        """Those of the given items by which there is no solution; None if there is one.

        claim: only ask for solutions that contradict it
        """
        kept = dict.fromkeys(kept)
        # Clues that are left out are assumed not to hold; givens are just not assumed.
        assumed = [
            literal if item in kept else -literal
            for item, literals in self._assumptions.items()
            if item in kept or isinstance(item, Clue)
            for literal in literals
        ]
        if claim is not None and (literal := self._literal.get(_atom(claim))):
            assumed.append(-literal if claim.holds else literal)
        elif claim is not None and not claim.holds:
            return []
        with self._control.solve(assumed, async_=True) as handle:
            self._solver.wait(handle)
            if not handle.get().unsatisfiable:
                return None
            core = set(handle.core())
        return [item for item in kept if not core.isdisjoint(self._assumptions[item])]

    def minimal(self, items: Iterable[Item], claim: Claim | None = None) -> PuzzleCore | None:
        """Some of the items that have no solution, or entail a claim, and of which none can be left
        out; None if all of them have a solution.
        """
        left = list(items)
        found = self.core(left, claim)
        if found is None:
            return None
        left = self._smaller(left, found, claim)
        for item in list(left):
            if item in left:
                others = [other for other in left if other != item]
                found = self.core(others, claim)
                if found is not None:
                    left = self._smaller(others, found, claim)
        givens = tuple(sorted(item for item in left if isinstance(item, Claim)))
        return PuzzleCore(givens, tuple(item for item in left if isinstance(item, Clue)))

    def _smaller(self, items: list[Item], core: list[Item], claim: Claim | None) -> list[Item]:
        """The core, unless a clue that it leaves out makes the puzzle solvable by its absence."""
        clues_differ = any(isinstance(item, Clue) and item not in core for item in items)
        return items if clues_differ and self.core(core, claim) is None else core


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
