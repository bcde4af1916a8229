"""Encodings in Python: models for CP-SAT, and the algorithm of Findling's paper.

A program is a module with a function `solutions`, which yields each solution as a dictionary from
(row, column) to number. It imports the puzzle from the module `instance`. Its counters, if any, are
in the dictionary `counters`. It runs in a child process.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from collections import Counter
from copy import copy
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from aspdoku.formalisms.case import Case, Encoding, encodings_dir
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.puzzle.puzzle import Grid, box_shape, grid_of
from aspdoku.runtime.child import run_program

# The main program. It prints JSON: up to two grids as lists of [row, column, number], the counters
# at the first of them, and the seconds from the end of the import to the end of the search. It is
# measured from the start of Python, as the engines of other languages are, and so imports nothing
# of aspdoku.
_DRIVER = """\
import json
import sudoku
import time
from itertools import islice

began = time.perf_counter()
solutions = sudoku.solutions()
found = list(islice(solutions, 1))
counters = dict(getattr(sudoku, "counters", {}))
found += islice(solutions, 1)
grids = [[[*cell, number] for cell, number in grid.items()] for grid in found]
print(json.dumps({"grids": grids, "counters": counters, "solve": time.perf_counter() - began}))
"""


class ProgramAnswer(NamedTuple):
    """The answer of a program: up to two solutions, and the counters at the first.

    solve: seconds for the search for both
    start: the remaining seconds of the process, including imports
    """

    grids: tuple[Grid, ...]
    counters: dict[str, int]
    start: float
    solve: float


def statements(program: str) -> Counter[str]:
    """The top-level statements of a module, and for each class its head and its members.

    Comments and docstrings are ignored.

    A function is one statement: a change in it counts as one statement removed and one added.
    Raises EngineError for invalid Python.
    """
    try:
        tree = ast.parse(program)
    except SyntaxError as error:
        raise EngineError(f"line {error.lineno}: {error.msg}") from None
    _silence(tree)
    return Counter(ast.unparse(part) for statement in tree.body for part in _parts(statement))


def run(encoding: Encoding, size: int, seconds: float) -> ProgramAnswer:
    """Run a program in a child process.

    Raises TimeLimitError at the time limit, EngineError if the program fails.
    """
    with tempfile.TemporaryDirectory(prefix="aspdoku-") as name:
        folder = Path(name)
        (folder / "sudoku.py").write_text(encoding.program, "utf-8")
        (folder / "instance.py").write_text(encoding.instance, "utf-8")
        (folder / "__main__.py").write_text(_DRIVER, "utf-8")
        done = run_program([sys.executable, name], seconds)
    if done.status:
        raise EngineError(_last_error(done.errors) or f"exited with status {done.status}")
    try:
        answer = json.loads(done.output.splitlines()[-1])
    except (IndexError, ValueError):
        raise EngineError("exited without an answer") from None
    grids = tuple(_grid(cells, size) for cells in answer["grids"])
    return ProgramAnswer(grids, answer["counters"], done.seconds - answer["solve"], answer["solve"])


def _silence(tree: ast.Module) -> None:
    """Remove docstrings; the syntax tree does not contain comments."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]


def _parts(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.ClassDef):
        return [statement]
    members = [ast.ClassDef(statement.name, [], [], [member], []) for member in statement.body]
    head = copy(statement)
    head.body = [ast.Expr(ast.Constant(...))]
    return [head, *members]


def _last_error(errors: str) -> str:
    """The line of the last traceback that names the exception."""
    _, _, last = errors.rpartition("Traceback (most recent call last):")
    return next((line for line in last.splitlines() if line and not line.startswith(" ")), "")


def _grid(cells: list[list[int]], size: int) -> Grid:
    numbers = {(row, column): number for row, column, number in cells}
    return grid_of(size, numbers)


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
        return statements(program)

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """One solution, and a second search with that solution forbidden.

        The start time is that of Python and the import of OR-Tools.
        """
        answer = run(encoding, case.size, seconds)
        grid = answer.grids[0] if answer.grids else None
        return Outcome(grid, len(answer.grids) < 2, answer.start, answer.solve)


_PUBLISHED = "published"


class Findling(Engine):
    """The algorithm of Holger Findling's "Sudoku, a Constraint Satisfaction Problem".

    Propagation, guessing and chronological backtracking, with domains and a stack; each elaboration
    edits one of its methods. The paper contains figures but no program; ours is one interpretation
    of it and does not reproduce its figures.
    """

    name = "findling"
    title = "Findling, our reading, Python"
    folder = "findling"
    extension = "py"

    def statements(self, program: str) -> Counter[str]:
        """By Python's syntax tree."""
        return statements(program)

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """The first solution, and by further backtracking a second one, unlike in the paper."""
        answer = run(encoding, case.size, seconds)
        grid = answer.grids[0] if answer.grids else None
        until = "up to the first solution" if grid else "until all guesses were tried"
        notes = [f"{until}: {_listed(answer.counters)}"]
        if figures := published(case):
            notes.append(
                f"figures in the paper: {_listed(figures)}; no interpretation of its text that we"
                " tried reproduces them"
            )
        return Outcome(grid, len(answer.grids) < 2, answer.start, answer.solve, notes=tuple(notes))


def published(case: Case) -> dict[str, int]:
    """The figures in the paper for this puzzle, by name; empty if there are none.

    The file `published` in the folder of the encoding has a line for each puzzle, with `-` for
    figures that the paper does not contain.
    """
    if not case.is_classic or case.boxes != box_shape(case.size):
        return {}
    grid = "".join(
        "." if number is None else str(number) for row in case.puzzle.grid for number in row
    )
    heading, *lines = (
        (encodings_dir() / Findling.folder / _PUBLISHED).read_text("utf-8").splitlines()
    )
    for cells, *figures in map(str.split, lines):
        if cells == grid:
            named = zip(heading.split()[1:], figures, strict=True)
            return {name: int(figure) for name, figure in named if figure != "-"}
    return {}


def _listed(counters: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counters.items())
