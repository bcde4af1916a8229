"""Why a grid has no solution, as far as a glance shows it: givens that cannot stand together."""

from __future__ import annotations

import time
from typing import NamedTuple

from clingo import Control

from aspdoku.engine.solver import Solver, TimeLimitError
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell

# Conflicts that one question may cost: a clash of one or two givens shows at once, and a deep one is not looked for here.
_EFFORT = "2000"
_MOST = 20


class Clashes(NamedTuple):
    """What a glance shows of a program without a solution.

    rules_alone: the rules and the facts of the puzzle have none, whatever the givens
    givens: cells of givens, alone or in pairs, that the rules forbid, in reading order; one for each that would have to go
    """

    rules_alone: bool = False
    givens: tuple[tuple[Cell, ...], ...] = ()


def clashes(program: Program, time_limit: float | None = None) -> Clashes:
    """What can be seen at once of why a program has no solution; nothing where it has one, or the reason lies deeper.

    time_limit: seconds to look; what has been found by then is returned
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    size = program.puzzle.size
    try:
        control = Solver(program.with_grid(((None,) * size,) * size), time_limit).ground()
    except TimeLimitError:
        return Clashes()
    control.configuration.solve.solve_limit = _EFFORT  # type: ignore[union-attr]
    control.configuration.solve.models = 1  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        if handle.get().unsatisfiable:
            return Clashes(rules_alone=True)
    literals = _given_literals(control, program)
    remaining = sorted(literals, key=lambda literal: literals[literal])
    found: list[tuple[Cell, ...]] = []
    while len(found) < _MOST and (deadline is None or time.monotonic() < deadline):
        core = _small_core(control, remaining)
        if not core:
            break
        found.append(tuple(literals[literal] for literal in core))
        remaining.remove(core[-1])
    return Clashes(givens=tuple(sorted(found)))


def _given_literals(control: Control, program: Program) -> dict[int, Cell]:
    """The literals of the givens, each with its cell."""
    givens = program.puzzle.givens()
    literals = {}
    for atom in control.symbolic_atoms.by_signature("a", 3):
        row, column, number = (argument.number for argument in atom.symbol.arguments)
        if givens.get((row, column)) == number:
            literals[atom.literal] = row, column
    return literals


def _small_core(control: Control, assumptions: list[int]) -> list[int]:
    """One or two of the assumptions that fail together, in the order given; empty where there are none so few."""
    core = _core(control, assumptions)
    for literal in list(core):
        fewer = _core(control, [other for other in core if other != literal])
        if fewer:
            core = fewer
    return [literal for literal in assumptions if literal in core] if len(core) <= 2 else []


def _core(control: Control, assumptions: list[int]) -> list[int]:
    """Assumptions that fail together; empty where they do not, or where it cannot be told at once."""
    with control.solve(assumptions=assumptions, yield_=True) as handle:
        return handle.core() if handle.get().unsatisfiable else []
