"""How many atoms follow from assumptions by clingo's unit propagation alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clingo import Assignment, PropagateControl, PropagateInit, Propagator

from aspdoku.engine.solver import Solver
from aspdoku.program import Program

# What is learned from a conflict in one search must not count in the next one.
_OPTIONS = ("--forget-on-step=15",)


class PropagationCounter:
    """Counts atoms of a program that is grounded once.

    atoms: the atoms to count, as clingo prints them
    Raises TimeLimitError, here and in `count`, after the time limit.
    """

    def __init__(
        self, program: Program, atoms: Sequence[str], time_limit: float | None = None
    ) -> None:
        self._solver = Solver(program, time_limit, options=_OPTIONS)
        self._literals = self._solver.literals()
        self._counter = _Counter([self._literals[atom] for atom in atoms])
        control = self._solver.ground()
        control.register_propagator(self._counter)
        # No answer set is wanted: the atoms are counted before the first decision.
        control.configuration.solve.solve_limit = "1"  # type: ignore[union-attr]

    def count(self, true: Iterable[str], false: Iterable[str]) -> int:
        """How many of the atoms follow; 0 if the assumptions are contradictory."""
        assumed = [self._literals[atom] for atom in true]
        assumed += [-self._literals[atom] for atom in false]
        self._counter.count = None
        self._solver.first_answer_set(assumed)
        return self._counter.count or 0


class _Counter(Propagator):
    """Counts true literals at the first decision after the assumptions of a search.

    count: None if there was a conflict before
    """

    def __init__(self, literals: Sequence[int]) -> None:
        self._of_program = literals
        self._of_solver: list[int] = []
        self.count: int | None = None

    def init(self, init: PropagateInit) -> None:
        """Find the solver's literals."""
        self._of_solver = list(map(init.solver_literal, self._of_program))

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        """Count before the first decision, and leave all decisions to the solver."""
        self._count(assignment)
        return 0

    def check(self, control: PropagateControl) -> None:
        """Count if there is nothing to decide."""
        self._count(control.assignment)

    def _count(self, assignment: Assignment) -> None:
        if self.count is None:
            self.count = sum(map(assignment.is_true, self._of_solver))
