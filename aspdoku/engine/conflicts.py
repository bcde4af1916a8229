"""Conflicting givens that are cheap to find, for the message that a puzzle has no solution.

Unsatisfiable cores of the givens, minimized by deletion, with a bound on the solver's effort. For a
full explanation see `aspdoku.explanation.conflict`.
"""

from __future__ import annotations

from typing import NamedTuple

from clingo import Control

from aspdoku.deadline import Deadline
from aspdoku.engine.solver import CELL_ATOM, Solver
from aspdoku.errors import TimeLimitError
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell

# Solver conflicts per query. One or two conflicting givens are found within a few; deep conflicts
# are not searched for here, so that the message appears at once.
_SOLVE_LIMIT = "2000"
# Conflicts to report. If there are more, the grid as a whole is probably wrong, e.g. its digits are
# in another order.
_MOST_CONFLICTS = 20


class GivenConflicts(NamedTuple):
    """Conflicts of a program without a solution.

    rules_alone: the rules and the facts of the puzzle have no solution, whatever the givens
    givens: cells of givens that the rules forbid, alone or in pairs, in reading order; one conflict
        for each given that has to be removed
    """

    rules_alone: bool = False
    givens: tuple[tuple[Cell, ...], ...] = ()


def find_given_conflicts(program: Program, time_limit: float | None = None) -> GivenConflicts:
    """Conflicts of one or two givens; none if there is a solution, or only deeper conflicts.

    time_limit: seconds for the search; the results so far are returned
    """
    deadline = Deadline(time_limit)
    try:
        control = Solver(program.without_givens(), time_limit).ground()
    except TimeLimitError:
        return GivenConflicts()
    control.configuration.solve.solve_limit = _SOLVE_LIMIT  # type: ignore[union-attr]
    control.configuration.solve.models = 1  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        if handle.get().unsatisfiable:
            return GivenConflicts(rules_alone=True)
    literals = _given_literals(control, program)
    everything = sorted(literals, key=lambda literal: literals[literal])
    found: list[list[int]] = []
    deep: list[list[int]] = []
    remaining = list(everything)
    while len(found) < _MOST_CONFLICTS and not deadline.passed:
        core = _minimal_core(control, remaining)
        if not core:
            break
        remaining.remove(core[-1])
        (found if len(core) <= 2 else deep).append(core)
    # A given that was removed because of a deeper conflict may also conflict with a single other.
    for core in deep:
        found += [
            pair for other in everything if (pair := _pair(control, other, core[-1], everything))
        ]
    pairs = {tuple(literals[literal] for literal in core) for core in found}
    return GivenConflicts(givens=tuple(sorted(pairs)))


def _given_literals(control: Control, program: Program) -> dict[int, Cell]:
    """The literals of the givens, each with its cell."""
    givens = program.puzzle.givens()
    literals = {}
    for atom in control.symbolic_atoms.by_signature("a", 3):
        cell = CELL_ATOM.fullmatch(str(atom.symbol))
        if cell and givens.get((int(cell[1]), int(cell[2]))) == int(cell[3]):
            literals[atom.literal] = int(cell[1]), int(cell[2])
    return literals


def _minimal_core(control: Control, assumptions: list[int]) -> list[int]:
    """A minimal unsatisfiable subset of the assumptions, in their order; empty if there is none."""
    core = _core(control, assumptions)
    for literal in list(core):
        if literal in core:
            core = _core(control, [other for other in core if other != literal]) or core
    return [literal for literal in assumptions if literal in core]


def _pair(control: Control, one: int, other: int, order: list[int]) -> list[int]:
    """The two literals, in order, if they are unsatisfiable together and neither is alone."""
    if (
        one == other
        or _core(control, [one])
        or _core(control, [other])
        or not _core(control, [one, other])
    ):
        return []
    return [literal for literal in order if literal in (one, other)]


def _core(control: Control, assumptions: list[int]) -> list[int]:
    """An unsatisfiable core of the assumptions.

    Empty if they are satisfiable, or if the solve limit was reached.
    """
    with control.solve(assumptions=assumptions, yield_=True) as handle:
        return handle.core() if handle.get().unsatisfiable else []
