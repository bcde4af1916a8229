"""Constraint programming: a model in Python for CP-SAT, the constraint solver of OR-Tools."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec

from aspdoku.formalisms import python_programs
from aspdoku.formalisms.case import Case
from aspdoku.formalisms.encodings import Encoding
from aspdoku.formalisms.engine import Engine, Outcome


class CpSat(Engine):
    """A variable for each cell, and a function for each elaboration that extends the model."""

    name = "cp-sat"
    title = "CP-SAT, Python"
    folder = "cp-sat"
    extension = "py"

    def missing_requirement(self) -> str | None:
        """OR-Tools; found without importing it, because the import is slow."""
        return None if find_spec("ortools") else "ortools (pip install 'aspdoku[cp]')"

    def statements(self, program: str) -> Counter[str]:
        """By Python's syntax tree."""
        return python_programs.statements(program)

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """One solution, and a second search with that solution forbidden.

        The start time is that of Python and the import of OR-Tools.
        """
        answer = python_programs.run(encoding, case.size, seconds)
        grid = answer.grids[0] if answer.grids else None
        return Outcome(grid, len(answer.grids) < 2, answer.start, answer.solve)
