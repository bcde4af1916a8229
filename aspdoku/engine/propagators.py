"""Propagators of clingo: a search that decides in a given order that literals hold, and how many
atoms follow from assumptions by unit propagation alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from clingo import Assignment, Control, Model, PropagateControl, PropagateInit, Propagator

from aspdoku.engine.solver import Solver
from aspdoku.errors import TimeLimitError
from aspdoku.program import Program
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import postponed
from aspdoku.runtime.supervise import notice_time_limit

# Decisions and answer sets between two checks of the time: some hundredths of a second.
_UNCHECKED = 1000
_NO_LEVEL = sys.maxsize
# What is learned from a conflict in one search must not count in the next one.
_OPTIONS = ("--forget-on-step=15",)


class OrderedSearch(Propagator):
    """Searches of a control, each with its own order of decisions: their answer sets tell which
    assumptions of a proof are needed, without a search for each of them. They need no second thread
    to obey the deadline and Ctrl-C. Other searches of the same control use clingo's heuristic.
    Create it before the first search: later, clingo may not call `decide`.
    """

    def __init__(self, control: Control, deadline: Deadline) -> None:
        self._deadline = deadline
        # Only during a search: otherwise, it and the propagator would keep each other in memory.
        self._control: Control | None = None
        self._literals: list[int] = []
        self._order: list[int] = []
        # For each decision level, a place in the order up to which all literals hold there.
        self._places: list[int] = []
        # From this decision level on, the first literal that does not hold is false, or all hold.
        self._settled = _NO_LEVEL
        # The first place whose literal does not hold in the last complete assignment.
        self._failed = 0
        self._unchecked = 0
        control.register_propagator(self)

    def init(self, init: PropagateInit) -> None:
        """Translate the literals of the program for a search."""
        self._order = [init.solver_literal(literal) for literal in self._literals]
        self._places = [0]
        self._settled = _NO_LEVEL

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        """The first literal that does not hold, if it is undecided, or what clingo would decide.
        Literals after one that is false need no decision.
        """
        if self._control is None:
            return fallback
        self._count(self._control)
        level = assignment.decision_level
        if level >= self._settled:
            return fallback
        place, order = self._place(assignment, level), self._order
        self._places[level + 1] = place
        if place < len(order) and assignment.value(order[place]) is None:
            self._settled = _NO_LEVEL
            return order[place]
        self._settled = level
        return fallback

    def check(self, control: PropagateControl) -> None:
        """Note the first literal that is false in an assignment that is complete."""
        if self._control is not None:
            self._count(self._control)
            assignment = control.assignment
            self._failed = self._place(assignment, min(assignment.decision_level, self._settled))

    def _place(self, assignment: Assignment, level: int) -> int:
        """The first place of the order whose literal does not hold at this decision level."""
        places, order, value = self._places, self._order, assignment.value
        places += [0] * (level + 2 - len(places))
        place = min(places[level], len(order))  # a search shortens the order
        while place < len(order) and value(order[place]):
            place += 1
        places[level] = place
        return place

    def search(
        self,
        control: Control,
        order: Iterable[int],
        assumptions: list[int],
        see: Callable[[Model, int], int | None],
    ) -> bool:
        """Enumerate answer sets, preferring those with the literals at the start of an order;
        whether all were found: False if `see` has ended the search. Raises TimeLimitError,
        KeyboardInterrupt.

        control: the one for which this was made
        see: receives each answer set, and the index of the first literal of the order that does not
            hold in it, or the length of the order. It may exclude other answer sets by clauses,
            which hold until the search ends. It returns how many literals of the order are left for
            the next decisions, or None to end the search.
        """
        self._deadline.require_time("solving")
        self._literals = list(order)
        solving = control.configuration.solve
        before = solving.models, solving.solve_limit  # type: ignore[union-attr]
        solving.models, solving.solve_limit = 0, "umax"  # type: ignore[union-attr]
        complete = False
        try:
            self._control = control
            with postponed, control.solve(assumptions, yield_=True) as handle:
                while (model := handle.model()) is not None:
                    left = see(model, self._failed)
                    if left is None:
                        return False
                    del self._order[left:]
                    handle.resume()
                complete = bool(handle.get().exhausted)
        finally:
            self._control = None
            self._literals = []
            solving.models, solving.solve_limit = before  # type: ignore[union-attr]
        if complete:
            return True
        if not self._deadline.passed:  # a signal, for which Python has no handler that raises
            raise KeyboardInterrupt
        notice_time_limit()
        raise TimeLimitError("time limit reached while solving")

    def _count(self, control: Control) -> None:
        """Count a decision or an answer set; from time to time, end a search that has to end."""
        self._unchecked += 1
        if self._unchecked >= _UNCHECKED:
            self._unchecked = 0
            if self._deadline.passed or postponed.waits():
                control.interrupt()


class PropagationCounter:
    """Counts atoms, written as clingo prints them, of a program that is grounded once. Raises
    TimeLimitError, here and in `count`.
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
    """Counts true literals at the first decision of a search; None at a conflict."""

    def __init__(self, literals: Sequence[int]) -> None:
        self._of_program = literals
        self._of_solver: list[int] = []
        self.count: int | None = None

    def init(self, init: PropagateInit) -> None:
        self._of_solver = list(map(init.solver_literal, self._of_program))

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        self._count(assignment)
        return 0

    def check(self, control: PropagateControl) -> None:
        self._count(control.assignment)

    def _count(self, assignment: Assignment) -> None:
        if self.count is None:
            self.count = sum(map(assignment.is_true, self._of_solver))
