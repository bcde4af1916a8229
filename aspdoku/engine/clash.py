"""Why a grid has no solution, as far as a glance shows it: givens that cannot stand together."""

from __future__ import annotations

from clingo import Control

from aspdoku.engine.solver import Solver
from aspdoku.program import Program
from aspdoku.puzzle.puzzle import Cell

# Conflicts that one question may cost: a clash of one or two givens shows at once, and a deep one is not looked for here.
_EFFORT = "2000"


def clashes(program: Program) -> list[tuple[Cell, ...]]:
    """Givens, alone or in pairs, that the rules forbid: one for each given that would have to go, in reading order.

    Empty where the program has a solution, and also where only three or more givens together rule it out.
    """
    size = program.puzzle.size
    control = Solver(program.with_grid(((None,) * size,) * size)).ground()
    control.configuration.solve.solve_limit = _EFFORT  # type: ignore[union-attr]
    control.configuration.solve.models = 1  # type: ignore[union-attr]
    literals = {
        atom.literal: (atom.symbol.arguments[0].number, atom.symbol.arguments[1].number)
        for atom in control.symbolic_atoms.by_signature("a", 3)
        if program.puzzle.givens().get((atom.symbol.arguments[0].number, atom.symbol.arguments[1].number))
        == atom.symbol.arguments[2].number
    }
    remaining = sorted(literals, key=lambda literal: literals[literal])
    found = []
    while core := _small_core(control, remaining):
        found.append(tuple(literals[literal] for literal in core))
        remaining.remove(core[-1])
    return sorted(found)


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
