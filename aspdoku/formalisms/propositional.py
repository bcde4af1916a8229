"""Propositional logic: the clauses of the Strimko assignment, solved by unit propagation (its
"evidence loop") with DPLL search, and by a SAT solver.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import groupby, islice
from threading import Timer

from aspdoku.engine.solver import TimeLimitError
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.clauses import (
    CellLiteral,
    CommentedClause,
    dimacs,
    grid_of,
    literal_of,
    parse,
)
from aspdoku.formalisms.dpll import Assignment, ClauseSet, DpllSearch, ImpliedLiteral
from aspdoku.formalisms.encodings import Encoding
from aspdoku.formalisms.engine import Engine, Outcome
from aspdoku.puzzle.puzzle import Grid

# A solver of python-sat that can be interrupted, unlike CaDiCaL.
_SOLVER = "glucose42"


class _Propositional(Engine):
    """A clause for each cell, row, column and box, and for each pair of exclusive atoms."""

    folder = "propositional"
    extension = "cnf"
    ground = True

    def statements(self, program: str) -> Counter[str]:
        """Clauses as sets of literals."""
        return Counter(clause.statement for clause in parse(program))


class UnitPropagation(_Propositional):
    """Unit propagation, followed by DPLL search if it does not solve the puzzle."""

    name = "evidence"
    title = "Propositional logic, evidence"

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Propagate, then search for up to two solutions."""
        began = time.perf_counter()
        deadline = time.monotonic() + seconds
        theory = ClauseSet(_clauses(encoding), case.size)
        started = time.perf_counter()
        state = Assignment(theory, deadline)
        pieces = sum(1 for _ in state.propagate())
        notes = [f"literals derived by unit propagation: {pieces}; it {_end(state, case.size)}"]
        search = DpllSearch(state)
        found: list[Grid] = []
        needed: list[int] = []
        for true in islice(search, 2):
            found.append(grid_of(true, case.size))
            needed.append(search.decisions)
        if search.decisions:
            notes.append(_decisions(needed, search.decisions))
        solve = time.perf_counter() - started
        return Outcome(
            found[0] if found else None, len(found) < 2, started - began, solve, notes=tuple(notes)
        )

    def trace(self, case: Case, encoding: Encoding, seconds: float) -> list[str]:
        """The steps of unit propagation: each number found, and below it, indented, what it
        excludes.
        """
        clauses = list(_clauses(encoding))
        state = Assignment(ClauseSet(clauses, case.size), time.monotonic() + seconds)
        lines = list(_lines(state.propagate(), clauses, case.size))
        if state.conflict is not None:
            lines.append(
                f"{clauses[state.conflict].words}: no literal is left, which is a contradiction"
            )
        return [*lines, f"Unit propagation {_end(state, case.size)}."]


class SatSolver(_Propositional):
    """The same clauses in DIMACS format, by a SAT solver."""

    name = "sat"
    title = "Propositional logic, SAT solver"

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
        with Solver(_SOLVER, bootstrap_with=formula) as solver:
            started = time.perf_counter()
            timer = Timer(max(0.0, seconds - (started - began)), solver.interrupt)
            timer.start()
            try:
                found: list[list[int]] = []
                while (
                    len(found) < 2
                    and (solved := solver.solve_limited(expect_interrupt=True)) is not False
                ):
                    if solved is None:
                        raise TimeLimitError(f"no answer within {seconds:g} s")
                    found.append([literal for literal in solver.get_model() if literal > 0])
                    solver.add_clause([-literal for literal in found[-1]])
            finally:
                timer.cancel()
                timer.join()
        solve = time.perf_counter() - started
        return Outcome(
            grid_of(found[0], case.size) if found else None, len(found) < 2, started - began, solve
        )


def _clauses(encoding: Encoding) -> Iterator[CommentedClause]:
    yield from parse(encoding.program)
    yield from parse(encoding.instance)


def _lines(
    pieces: Iterable[ImpliedLiteral], clauses: list[CommentedClause], size: int
) -> Iterator[str]:
    """A line for each number found, followed by one for all exclusions with the same comment."""
    steps = [
        (literal_of(piece.literal, size), clauses[piece.clause])
        for piece in pieces
        if piece.clause is not None
    ]
    for (holds, words), group in groupby(steps, lambda step: (step[0].holds, step[1].words)):
        if holds:
            yield from (_found(literal, clause) for literal, clause in group)
        else:
            yield f"  {words}: {', '.join(_phrase(literal) for literal, _ in group)}"


def _found(literal: CellLiteral, clause: CommentedClause) -> str:
    if len(clause.literals) == 1:
        return f"{clause.words}: {_phrase(literal)}"
    cells = {(each.row, each.column) for each in clause.literals}
    numbers = {each.number for each in clause.literals}
    left = f"only r{literal.row}c{literal.column} is left"
    if len(cells) == 1:
        left = f"only {literal.number} is left"
    elif len(numbers) > 1:
        left = "nothing else is left"
    return f"{clause.words}: {left}, so {_phrase(literal)}"


def _phrase(literal: CellLiteral) -> str:
    return f"r{literal.row}c{literal.column} {'=' if literal.holds else '≠'} {literal.number}"


def _end(state: Assignment, size: int) -> str:
    if state.conflict is not None:
        return "ends in a contradiction"
    cells = sum(literal > 0 for literal in state.true)
    return (
        f"solves all {cells} cells" if cells == size**2 else f"stops at {cells} of {size**2} cells"
    )


def _decisions(needed: list[int], in_all: int) -> str:
    intro = "decisions of the subsequent search:"
    if not needed:
        return f"{intro} {in_all} to prove that there is no solution"
    then = (
        f"{needed[1]} to the second"
        if len(needed) > 1
        else f"{in_all} to prove that there is no other"
    )
    return f"{intro} {needed[0]} to the first solution, {then}"
