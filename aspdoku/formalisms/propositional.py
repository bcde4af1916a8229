"""Propositional logic: the clauses of the Strimko assignment, solved by DPLL and by a SAT solver.

In the readable format a clause is a line such as `c(1,1,4) | -c(1,2,4)`: row 1, column 1 contains a
4, or row 1, column 2 does not. `false` is the empty clause. A comment, after `%`, describes the
clauses below it, up to the next comment. The other format is DIMACS CNF.

DPLL (Davis, Logemann and Loveland 1962) alternates unit propagation and search. Unit propagation is
the "evidence loop" of the assignment: evidence is a literal that is true; each clause loses its
false literals, and a clause with a single literal left makes it true.
"""

from __future__ import annotations

import math
import re
import time
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from copy import copy
from functools import cache
from importlib.util import find_spec
from itertools import groupby, islice
from threading import Timer
from typing import NamedTuple

from aspdoku.errors import TimeLimitError
from aspdoku.formalisms.engine import Case, Encoding, Engine, EngineError, Outcome
from aspdoku.puzzle.puzzle import Grid, grid_of

# A solver of python-sat that can be interrupted, unlike CaDiCaL.
_SOLVER = "glucose42"
_LITERAL = re.compile(r"(-?)c\((\d+),(\d+),(\d+)\)")
_EMPTY = "false"


class UnitPropagation(Engine):
    """Unit propagation, followed by DPLL search if it does not solve the puzzle."""

    name = "evidence"
    title = "Propositional logic, evidence"
    folder = "propositional"
    extension = "cnf"
    ground = True

    def statements(self, program: str) -> Counter[str]:
        """Clauses as sets of literals."""
        clauses = (sorted(set(clause.literals)) for clause in parse(program))
        return Counter(" | ".join(map(str, literals)) or _EMPTY for literals in clauses)

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Propagate, then search for up to two solutions."""
        began = time.perf_counter()
        deadline = time.monotonic() + seconds
        state = Assignment(_clauses(encoding), case.size, deadline)
        started = time.perf_counter()
        pieces = sum(1 for _ in state.propagate())
        notes = [f"literals derived by unit propagation: {pieces}; it {_end(state, case.size)}"]
        ends = list(islice(solutions(state), 2))
        if ends[-1][1]:
            notes.append(_decisions([decisions for _, decisions in ends], ends[-1][0] is None))
        grids = [_grid(true, case.size) for true, _ in ends if true is not None]
        return Outcome.of(grids, started - began, time.perf_counter() - started, notes)

    def trace(self, case: Case, encoding: Encoding, seconds: float) -> list[str]:
        """The steps of unit propagation: each number found, above the numbers that it excludes."""
        clauses = list(_clauses(encoding))
        state = Assignment(clauses, case.size, time.monotonic() + seconds)
        lines = list(_lines(state.propagate(), clauses, case.size))
        if state.conflict is not None:
            lines.append(
                f"{clauses[state.conflict].words}: no literal is left, which is a contradiction"
            )
        return [*lines, f"Unit propagation {_end(state, case.size)}."]


class SatSolver(UnitPropagation):
    """The same clauses in DIMACS format, by a SAT solver."""

    name = "sat"
    title = "Propositional logic, SAT solver"
    trace = Engine.trace

    def missing_requirement(self) -> str | None:
        """python-sat; another package is also named pysat, but only this one has solvers."""
        return None if find_spec("pysolvers") else "python-sat (pip install 'aspdoku[sat]')"

    def program_text(self, case: Case, encoding: Encoding) -> str:
        """The clauses in DIMACS format."""
        return dimacs(_clauses(encoding), case.size)

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """One solution, and a second one with a clause that forbids the first."""
        from pysat.formula import CNF
        from pysat.solvers import Solver

        began = time.perf_counter()
        formula = CNF(from_string=self.program_text(case, encoding))
        grids: list[Grid] = []
        with Solver(_SOLVER, bootstrap_with=formula) as solver:
            started = time.perf_counter()
            timer = Timer(max(0.0, seconds - (started - began)), solver.interrupt)
            timer.start()
            try:
                while len(grids) < 2:
                    solved = solver.solve_limited(expect_interrupt=True)
                    if solved is None:
                        raise TimeLimitError(f"no answer within {seconds:g} s")
                    if not solved:
                        break
                    true = [literal for literal in solver.get_model() if literal > 0]
                    grids.append(_grid(true, case.size))
                    solver.add_clause([-literal for literal in true])
            finally:
                timer.cancel()
                timer.join()
        return Outcome.of(grids, started - began, time.perf_counter() - started)


def _clauses(encoding: Encoding) -> Iterator[CommentedClause]:
    yield from parse(encoding.program)
    yield from parse(encoding.instance)


def _grid(variables: Iterable[int], size: int) -> Grid:
    held = (literal_of(each, size) for each in variables if each > 0)
    return grid_of(size, {each[:2]: each.number for each in held})


def _lines(
    pieces: Iterable[ImpliedLiteral], clauses: list[CommentedClause], size: int
) -> Iterator[str]:
    """A line for each number found, followed by one for all exclusions with the same comment."""
    implied = ((literal, place) for literal, place in pieces if place is not None)
    steps = ((literal_of(literal, size), clauses[place]) for literal, place in implied)
    for (holds, words), group in groupby(steps, lambda step: (step[0].holds, step[1].words)):
        if holds:
            yield from (_found(literal, clause) for literal, clause in group)
        else:
            yield f"  {words}: {', '.join(literal.text for literal, _ in group)}"


def _found(literal: CellLiteral, clause: CommentedClause) -> str:
    if len(clause.literals) == 1:
        return f"{clause.words}: {literal.text}"
    if len({(each.row, each.column) for each in clause.literals}) == 1:
        left = f"only {literal.number} is left"
    elif len({each.number for each in clause.literals}) > 1:
        left = "nothing else is left"
    else:
        left = f"only r{literal.row}c{literal.column} is left"
    return f"{clause.words}: {left}, so {literal.text}"


def _end(state: Assignment, size: int) -> str:
    if state.conflict is not None:
        return "ends in a contradiction"
    cells, total = sum(literal > 0 for literal in state.true), size**2
    return f"solves all {cells} cells" if cells == total else f"stops at {cells} of {total} cells"


def _decisions(numbers: list[int], exhausted: bool) -> str:
    """The decisions up to each of two solutions, or to the proof that there is no other."""
    purposes = ["to the first solution", "to the second"]
    if exhausted:
        other = "is no other" if len(numbers) > 1 else "is no solution"
        purposes[len(numbers) - 1] = f"to prove that there {other}"
    steps = map("{} {}".format, numbers, purposes)
    return f"decisions of the subsequent search: {', '.join(steps)}"


class CellLiteral(NamedTuple):
    """The literal that a cell contains a number, or that it does not."""

    row: int
    column: int
    number: int
    holds: bool = True

    def __str__(self) -> str:
        return f"{'' if self.holds else '-'}c({self.row},{self.column},{self.number})"

    @property
    def text(self) -> str:
        """As in `r1c2 ≠ 3`."""
        return f"r{self.row}c{self.column} {'=' if self.holds else '≠'} {self.number}"


class CommentedClause(NamedTuple):
    """A disjunction of literals, and the comment that describes it."""

    words: str
    literals: tuple[CellLiteral, ...]


def parse(text: str) -> Iterator[CommentedClause]:
    """The clauses of a text. Raises EngineError for invalid lines."""
    words = ""
    for line, content in enumerate(map(str.strip, text.splitlines()), 1):
        if content.startswith("%"):
            words = content[1:].strip()
        elif content:
            parts = [] if content == _EMPTY else content.split("|")
            try:
                yield CommentedClause(words, tuple(_literal(part.strip()) for part in parts))
            except EngineError as error:
                raise EngineError(f"line {line}: {error}") from None


# The same few literals occur in very many clauses.
@cache
def _literal(text: str) -> CellLiteral:
    if not (match := _LITERAL.fullmatch(text)):
        raise EngineError(f"invalid literal '{text}': expected e.g. c(1,1,4) or -c(1,1,4)")
    return CellLiteral(int(match[2]), int(match[3]), int(match[4]), not match[1])


def variable(literal: CellLiteral, size: int) -> int:
    """The DIMACS number of a literal: 1 for c(1,1,1), 2 for c(1,1,2) etc., negative if negated."""
    number = ((literal.row - 1) * size + literal.column - 1) * size + literal.number
    return number if literal.holds else -number


def literal_of(variable: int, size: int) -> CellLiteral:
    """The literal of a number: the inverse of `variable`."""
    cell, number = divmod(abs(variable) - 1, size)
    row, column = divmod(cell, size)
    return CellLiteral(row + 1, column + 1, number + 1, variable > 0)


def dimacs(clauses: Iterable[CommentedClause], size: int) -> str:
    """The clauses in DIMACS CNF, the format of the SAT competitions, with comments."""
    lines: list[str] = []
    for words, group in groupby(clauses, lambda clause: clause.words):
        lines += [f"c {words}"] if words else []
        for clause in group:
            numbers = (variable(literal, size) for literal in clause.literals)
            lines.append(" ".join(map(str, (*numbers, 0))))
    count = sum(not line.startswith("c") for line in lines)
    variables = f"variable {size**2}*(R-1) + {size}*(C-1) + N"
    meaning = f"c {variables}: the cell in row R, column C holds the number N"
    return "\n".join([meaning, f"p cnf {size**3} {count}", *lines, ""])


class ImpliedLiteral(NamedTuple):
    """A literal as a DIMACS number, and the clause that became unit; None for a decision."""

    literal: int
    clause: int | None


class Assignment:
    """A partial assignment; `conflict` is the index of a clause without remaining literals.

    deadline: by time.monotonic, when to raise TimeLimitError
    """

    def __init__(
        self, clauses: Iterable[CommentedClause], size: int, deadline: float = math.inf
    ) -> None:
        self.conflict: int | None = None
        self._deadline = deadline
        self._clauses = [
            tuple({variable(literal, size): None for literal in clause.literals})
            for clause in clauses
        ]
        # For each literal, the indices of its clauses.
        self._holding: dict[int, list[int]] = defaultdict(list)
        # For decisions, "chain A needs a 3" is more informative than "not both of two": clauses
        # with only positive literals come first.
        self._disjunctions: list[int] = []
        self._others: list[int] = []
        for place, literals in enumerate(self._clauses):
            for literal in literals:
                self._holding[literal].append(place)
            positive = all(literal > 0 for literal in literals)
            (self._disjunctions if positive else self._others).append(place)
        self._truth = array("b", bytes(size**3 + 1))
        self._left = array("H", map(len, self._clauses))

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
        Negative literals come first, so that the consequences of a number directly follow it.
        """
        holds: deque[ImpliedLiteral] = deque()
        holds_not: deque[ImpliedLiteral] = deque()

        def single(place: int | None, literal: int) -> None:
            self._truth[abs(literal)] = 1 if literal > 0 else -1
            (holds if literal > 0 else holds_not).append(ImpliedLiteral(literal, place))

        def look_at(place: int) -> None:
            rest = [literal for literal in self._clauses[place] if not self._is(-literal)]
            if not rest:
                self.conflict = place
            elif not self._is(rest[0]):
                single(place, rest[0])

        if supposed is not None:
            single(None, supposed)
        else:
            for place, literals in enumerate(self._clauses):
                if len(literals) < 2 and self.conflict is None:
                    look_at(place)
        while self.conflict is None and (holds_not or holds):
            if time.monotonic() > self._deadline:
                raise TimeLimitError("time limit reached in unit propagation")
            piece = (holds_not or holds).popleft()
            yield piece
            for place in self._holding.get(-piece.literal, ()):
                self._left[place] -= 1
                if self._left[place] == 1 and self.conflict is None:
                    look_at(place)

    def branching_literal(self) -> int | None:
        """The first remaining literal of the shortest clause that is not satisfied, if any."""
        for places in (self._disjunctions, self._others):
            still = [place for place in places if not any(map(self._is, self._clauses[place]))]
            if still:
                clause = self._clauses[min(still, key=self._left.__getitem__)]
                return next(literal for literal in clause if not self._is(-literal))
        return None

    def _is(self, literal: int) -> bool:
        return self._truth[abs(literal)] == (1 if literal > 0 else -1)


def solutions(start: Assignment) -> Iterator[tuple[list[int] | None, int]]:
    """Depth-first search from a propagated assignment: the true literals of each solution, and at
    the end None, with the number of decisions so far. The negation of a decision is tried
    afterwards, and does not count: it follows when there is no further solution with the literal.
    """
    decisions = 0
    waiting: list[tuple[Assignment, int | None]] = [(start, None)]
    while waiting:
        state, supposed = waiting.pop()
        if supposed is not None:
            for _ in state.propagate(supposed):
                pass
        if state.conflict is not None:
            continue
        literal = state.branching_literal()
        if literal is None:
            yield state.true, decisions
            continue
        decisions += 1
        waiting += [(state, -literal), (state.copy(), literal)]
    yield None, decisions
