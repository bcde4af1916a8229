"""Unit propagation and DPLL search (Davis, Logemann and Loveland 1962).

Unit propagation is the "evidence loop" of the Strimko assignment: evidence is a literal that is
true; each clause loses its false literals, and a clause with a single literal left makes it true.
"""

from __future__ import annotations

import time
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from copy import copy
from typing import NamedTuple

from aspdoku.engine.solver import TimeLimitError
from aspdoku.formalisms.clauses import CommentedClause, variable


class ImpliedLiteral(NamedTuple):
    """An implied literal, by its DIMACS number, and the index of the clause that became unit.

    The clause is None for a decision literal.
    """

    literal: int
    clause: int | None


class ClauseSet:
    """Clauses with an occurrence list for each literal.

    clauses: their literals, as DIMACS numbers
    holding: the indices of the clauses that contain a literal
    """

    def __init__(self, clauses: Iterable[CommentedClause], size: int) -> None:
        self.variables = size**3
        self.clauses = [
            tuple({variable(literal, size): None for literal in clause.literals})
            for clause in clauses
        ]
        self.holding: dict[int, list[int]] = defaultdict(list)
        for place, literals in enumerate(self.clauses):
            for literal in literals:
                self.holding[literal].append(place)
        # For decisions, "chain A needs a 3" is more informative than "not both of two": clauses
        # with only positive literals come first.
        positive = [all(literal > 0 for literal in literals) for literals in self.clauses]
        self.disjunctions = [place for place, is_so in enumerate(positive) if is_so]
        self.others = [place for place, is_so in enumerate(positive) if not is_so]


class Assignment:
    """A partial assignment.

    conflict: the index of a clause without remaining literals, if any
    """

    def __init__(self, theory: ClauseSet, deadline: float = float("inf")) -> None:
        """The empty assignment. deadline: by time.monotonic, when to raise TimeLimitError."""
        self.theory, self.deadline = theory, deadline
        self.conflict: int | None = None
        self._truth = array("b", bytes(theory.variables + 1))
        self._left = array("H", map(len, theory.clauses))

    def copy(self) -> Assignment:
        """An independent copy, for another branch of the search."""
        twin = copy(self)
        twin._truth, twin._left = self._truth[:], self._left[:]
        return twin

    @property
    def true(self) -> list[int]:
        """The literals that are true."""
        return [sign * place for place, sign in enumerate(self._truth) if sign]

    def propagate(self, supposed: int | None = None) -> Iterator[ImpliedLiteral]:
        """Propagate to a fixpoint or a conflict, from the unit clauses or from a decision literal.

        Negative literals are propagated before the next positive one, so that the consequences of
        a number directly follow it.
        """
        holds: deque[ImpliedLiteral] = deque()
        holds_not: deque[ImpliedLiteral] = deque()

        def single(place: int | None, literal: int) -> None:
            self._truth[abs(literal)] = 1 if literal > 0 else -1
            (holds if literal > 0 else holds_not).append(ImpliedLiteral(literal, place))

        def look_at(place: int) -> None:
            rest = [literal for literal in self.theory.clauses[place] if not self._is(-literal)]
            if not rest:
                self.conflict = place
            elif not self._is(rest[0]):
                single(place, rest[0])

        if supposed is not None:
            single(None, supposed)
        else:
            for place, literals in enumerate(self.theory.clauses):
                if len(literals) < 2 and self.conflict is None:
                    look_at(place)
        while self.conflict is None and (holds_not or holds):
            if time.monotonic() > self.deadline:
                raise TimeLimitError("time limit reached in unit propagation")
            found = (holds_not or holds).popleft()
            yield found
            for place in self.theory.holding.get(-found.literal, ()):
                self._left[place] -= 1
                if self._left[place] == 1 and self.conflict is None:
                    look_at(place)

    def branching_literal(self) -> int | None:
        """The first remaining literal of the shortest clause that is not yet satisfied.

        None if all clauses are satisfied.
        """
        for places in (self.theory.disjunctions, self.theory.others):
            still = [
                place for place in places if not any(map(self._is, self.theory.clauses[place]))
            ]
            if still:
                clause = self.theory.clauses[min(still, key=self._left.__getitem__)]
                return next(literal for literal in clause if not self._is(-literal))
        return None

    def _is(self, literal: int) -> bool:
        return self._truth[abs(literal)] == (1 if literal > 0 else -1)


class DpllSearch:
    """Depth-first search for solutions, with chronological backtracking.

    If propagation stops without a result, decide a literal, and try its negation afterwards.

    decisions: the number of literals decided so far; their negations do not count, because they
    follow when there is no further solution with the literal
    """

    def __init__(self, start: Assignment) -> None:
        """Start from an assignment on which propagation has finished."""
        self.decisions = 0
        self._open: list[tuple[Assignment, int | None]] = [(start, None)]

    def __iter__(self) -> Iterator[list[int]]:
        """The true literals of each solution."""
        while self._open:
            state, supposed = self._open.pop()
            if supposed is not None:
                for _ in state.propagate(supposed):
                    pass
            if state.conflict is not None:
                continue
            literal = state.branching_literal()
            if literal is None:
                yield state.true
                continue
            self.decisions += 1
            self._open += [(state, -literal), (state.copy(), literal)]
