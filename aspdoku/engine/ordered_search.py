"""A search that decides in a given order that literals hold.

Its answer sets tell which assumptions of a proof are needed, without a search for each of them.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from clingo import Control, Propagator

from aspdoku.deadline import Deadline
from aspdoku.errors import TimeLimitError
from aspdoku.supervision import notice_time_limit, signals_postponed

if TYPE_CHECKING:
    from clingo import Assignment, Model, PropagateInit

# Decisions between two checks of the time, some 10 microseconds each.
_UNCHECKED = 1000


class OrderedSearch(Propagator):
    """Searches of a control, by decisions in an order that is different in each of them.

    It needs no second thread to obey the deadline and Ctrl-C. Other searches of the same control
    make their own decisions.
    """

    def __init__(self, control: Control, deadline: Deadline) -> None:
        self._control = control
        self._deadline = deadline
        self._literals: list[int] = []
        self._order: list[int] = []
        # For each decision level, the first place in the order that may be undecided there.
        self._places: list[int] = []
        self._decisions = 0
        control.register_propagator(self)

    def init(self, init: PropagateInit) -> None:
        """Translate the literals of the program for a search."""
        self._order = [init.solver_literal(literal) for literal in self._literals]
        self._places = [0]

    def decide(self, thread_id: int, assignment: Assignment, fallback: int) -> int:
        """The first literal that is undecided, or else what clingo would decide."""
        if not self._order:
            return fallback
        self._decisions += 1
        if self._decisions % _UNCHECKED == 0 and self._must_end():
            self._control.interrupt()
        places, order, value = self._places, self._order, assignment.value
        level = assignment.decision_level
        places += [0] * (level + 2 - len(places))
        place = places[level]
        while place < len(order) and value(order[place]) is not None:
            place += 1
        places[level] = place
        places[level + 1] = place
        return order[place] if place < len(order) else fallback

    def search(
        self, order: Iterable[int], assumptions: list[int], inspect: Callable[[Model], int | None]
    ) -> bool:
        """Find answer sets, those first in which the first literals of an order hold.

        order, assumptions: literals of the program
        inspect: receives each answer set, may exclude others by clauses, and returns how many
            literals of the order are left; None to end the search
        Returns whether there are no others.
        Raises TimeLimitError.
        """
        self._deadline.require_time("solving")
        self._literals = list(order)
        solving = self._control.configuration.solve
        before = solving.models, solving.solve_limit  # type: ignore[union-attr]
        solving.models, solving.solve_limit = 0, "umax"  # type: ignore[union-attr]
        ended = True
        try:
            with (
                signals_postponed(),
                self._control.solve(assumptions, yield_=True) as handle,
            ):
                while (model := handle.model()) is not None:
                    left = inspect(model)
                    if left is None:
                        return False
                    del self._order[left:]
                    if self._must_end():
                        ended = False
                        break
                    handle.resume()
                else:
                    ended = bool(handle.get().exhausted)
        finally:
            self._literals = []
            solving.models, solving.solve_limit = before  # type: ignore[union-attr]
        if not ended:
            notice_time_limit()
            raise TimeLimitError("time limit reached while solving")
        return True

    def _must_end(self) -> bool:
        """Whether the time is up, or a signal waits until the search has ended."""
        return self._deadline.passed or bool(_PENDING())


_PENDING: Callable[[], set[signal.Signals]] = getattr(signal, "sigpending", set)
