"""aspdoku: sudoku and its variants in answer set programming, one small rule file a variant.

from aspdoku import Solver, compose, read

puzzle = read("grid.txt")
for solution in Solver(compose(puzzle)).search(limit=2):
    print(solution)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aspdoku.engine import Solver
    from aspdoku.errors import AspdokuError
    from aspdoku.formats import parse, read
    from aspdoku.program import Program, compose
    from aspdoku.puzzle import Puzzle, Solution
    from aspdoku.puzzlefile import write

__all__ = [
    "AspdokuError",
    "Program",
    "Puzzle",
    "Solution",
    "Solver",
    "compose",
    "parse",
    "read",
    "write",
]
__version__ = "0.1.0"

_HOMES = {
    "AspdokuError": "aspdoku.errors",
    "Program": "aspdoku.program",
    "Puzzle": "aspdoku.puzzle",
    "Solution": "aspdoku.puzzle",
    "Solver": "aspdoku.engine",
    "compose": "aspdoku.program",
    "parse": "aspdoku.formats",
    "read": "aspdoku.formats",
    "write": "aspdoku.puzzlefile",
}


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for: a command pays only for what it uses."""
    if name not in _HOMES:
        raise AttributeError(f"module 'aspdoku' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
