"""The evidence loop of the Strimko assignment, and the search by Davis, Putnam, Logemann and
Loveland on top of it.

A piece of evidence is a literal that is true. Each disjunction loses what contradicts it; one with
a single literal left is the next piece of evidence. SAT solvers call this unit propagation.
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
    """A piece of evidence: a literal, by its number, and the place of the clause that came to it.

    None where it is supposed.
    """

    literal: int
    clause: int | None


class ClauseSet:
    """Clauses, with each literal's own ones beside it.

    clauses: literals by their numbers; holding: the places of the clauses with a literal
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
        # Where one has to suppose something, "chain A needs a 3" tells more than "not both of two":
        # the former are asked first.
        positive = [all(literal > 0 for literal in literals) for literals in self.clauses]
        self.disjunctions = [place for place, is_so in enumerate(positive) if is_so]
        self.others = [place for place, is_so in enumerate(positive) if not is_so]


class Assignment:
    """How far the loop is.

    contradiction: the place of a clause that has lost all its literals
    """

    def __init__(self, theory: ClauseSet, deadline: float = float("inf")) -> None:
        """Nothing is known yet. deadline: by time.monotonic, when to raise TimeLimitError."""
        self.theory, self.deadline = theory, deadline
        self.conflict: int | None = None
        self._truth = array("b", bytes(theory.variables + 1))
        self._left = array("H", map(len, theory.clauses))

    def copy(self) -> Assignment:
        """The same state, to go on from in another way."""
        twin = copy(self)
        twin._truth, twin._left = self._truth[:], self._left[:]
        return twin

    @property
    def true(self) -> list[int]:
        """The literals that are true."""
        return [sign * place for place, sign in enumerate(self._truth) if sign]

    def propagate(self, supposed: int | None = None) -> Iterator[ImpliedLiteral]:
        """Take up evidence until there is no more, or a contradiction.

        From the clauses, or from a literal that is supposed.

        What cells do not hold is taken up before the next number that one holds: what follows from
        a number stands below it.
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
                raise TimeLimitError("the time was up in the evidence loop")
            found = (holds_not or holds).popleft()
            yield found
            for place in self.theory.holding.get(-found.literal, ()):
                self._left[place] -= 1
                if self._left[place] == 1 and self.conflict is None:
                    look_at(place)

    def branching_literal(self) -> int | None:
        """The first literal left of the shortest disjunction that is not yet true.

        None where all are.
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
    """Solutions one after the other.

    Where the loop sticks, a literal is supposed, and its negation after that.

    decisions: literals supposed so far; a negation is none, as it follows where there is no
    solution left with the literal
    """

    def __init__(self, start: Assignment) -> None:
        """From a state at which the loop has ended."""
        self.decisions = 0
        self._open: list[tuple[Assignment, int | None]] = [(start, None)]

    def __iter__(self) -> Iterator[list[int]]:
        """The literals that are true, for each solution."""
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
