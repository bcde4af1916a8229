"""Why a grid has no solution, as far as a glance shows it: givens that cannot stand together."""

from __future__ import annotations

import time
from typing import NamedTuple

from clingo import Control

from aspdoku.engine.solver import CELL_ATOM, Solver, TimeLimitError
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell

# Conflicts that one question may cost: a clash of one or two givens shows at once, and a deep one
# is not looked for here.
_EFFORT = "2000"
_MOST = 20


class GivenConflicts(NamedTuple):
    """What a glance shows of a program without a solution.

    rules_alone: the rules and the facts of the puzzle have none, whatever the givens
    givens: cells of givens, alone or in pairs, that the rules forbid, in reading order; one for
    each that would have to go
    """

    rules_alone: bool = False
    givens: tuple[tuple[Cell, ...], ...] = ()


def find_given_conflicts(program: Program, time_limit: float | None = None) -> GivenConflicts:
    """What can be seen at once of why a program has no solution.

    Nothing where it has one, or the reason lies deeper.

    time_limit: seconds to look; what has been found by then is returned
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    size = program.puzzle.size
    try:
        control = Solver(program.with_grid(((None,) * size,) * size), time_limit).ground()
    except TimeLimitError:
        return GivenConflicts()
    control.configuration.solve.solve_limit = _EFFORT  # type: ignore[union-attr]
    control.configuration.solve.models = 1  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        if handle.get().unsatisfiable:
            return GivenConflicts(rules_alone=True)
    literals = _given_literals(control, program)
    everything = sorted(literals, key=lambda literal: literals[literal])
    found: list[list[int]] = []
    aside: list[list[int]] = []
    remaining = list(everything)
    while len(found) < _MOST and (deadline is None or time.monotonic() < deadline):
        core = _minimal_core(control, remaining)
        if not core:
            break
        remaining.remove(core[-1])
        (found if len(core) <= 2 else aside).append(core)
    # What went because of a deeper reason may still clash with a single other given.
    for deep in aside:
        found += [
            pair for other in everything if (pair := _pair(control, other, deep[-1], everything))
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
    """Assumptions of which all are needed to fail together, in the order given.

    Empty where they do not fail.
    """
    core = _core(control, assumptions)
    for literal in list(core):
        if literal in core:
            core = _core(control, [other for other in core if other != literal]) or core
    return [literal for literal in assumptions if literal in core]


def _pair(control: Control, one: int, other: int, order: list[int]) -> list[int]:
    """The two literals, in order, if they fail together and neither fails alone."""
    if (
        one == other
        or _core(control, [one])
        or _core(control, [other])
        or not _core(control, [one, other])
    ):
        return []
    return [literal for literal in order if literal in (one, other)]


def _core(control: Control, assumptions: list[int]) -> list[int]:
    """Assumptions that fail together.

    Empty where they do not, or where it cannot be told at once.
    """
    with control.solve(assumptions=assumptions, yield_=True) as handle:
        return handle.core() if handle.get().unsatisfiable else []
