"""Encodings in Python: split a program into statements, and run it in a child process.

A program is a module with a function `solutions`, which yields each solution as a dictionary from
(row, column) to number. It imports the puzzle from the module `instance`. Its counters, if any, are
in the dictionary `counters`.
"""

from __future__ import annotations

import ast
import json
import sys
import tempfile
from collections import Counter
from copy import copy
from pathlib import Path
from typing import NamedTuple

from aspdoku.formalisms import process, python_runner
from aspdoku.formalisms.encodings import Encoding
from aspdoku.formalisms.engine import EngineError
from aspdoku.puzzle.puzzle import Grid


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
        (folder / "__main__.py").write_text(
            Path(python_runner.__file__).read_text("utf-8"), "utf-8"
        )
        done = process.run([sys.executable, name], seconds)
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
    span = range(1, size + 1)
    return tuple(tuple(numbers.get((row, column)) for column in span) for row in span)
