"""Python as a rival's language: its statements, and a text run in a process of its own.

A text is a module with a function `solutions`, which yields each solution as a dictionary from row
and column to number. It finds the puzzle in the module `instance`. What it counts, if anything, is
its dictionary `counters`.
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
    """What a text said: up to two solutions, and what it had counted at the first.

    solve: seconds of the search for both; start: all else that the process took, the text's imports
    among it
    """

    grids: tuple[Grid, ...]
    counters: dict[str, int]
    start: float
    solve: float


def statements(program: str) -> Counter[str]:
    """The statements at the top level of a module, and for each class its head and its members.

    Comments and docstrings dropped.

    A function is one statement: a line more in it is a statement removed and another added. Raises
    EngineError where the text is no Python.
    """
    try:
        tree = ast.parse(program)
    except SyntaxError as error:
        raise EngineError(f"line {error.lineno}: {error.msg}") from None
    _silence(tree)
    return Counter(ast.unparse(part) for statement in tree.body for part in _parts(statement))


def run(text: Encoding, size: int, seconds: float) -> ProgramAnswer:
    """Run a text in a child process.

    Raises TimeLimitError, and EngineError where the text fails.
    """
    with tempfile.TemporaryDirectory(prefix="aspdoku-") as name:
        folder = Path(name)
        (folder / "sudoku.py").write_text(text.program, "utf-8")
        (folder / "instance.py").write_text(text.instance, "utf-8")
        (folder / "__main__.py").write_text(
            Path(python_runner.__file__).read_text("utf-8"), "utf-8"
        )
        done = process.run([sys.executable, name], seconds)
    if done.status:
        raise EngineError(_complaint(done.errors) or f"it ended with status {done.status}")
    try:
        said = json.loads(done.output.splitlines()[-1])
    except (IndexError, ValueError):
        raise EngineError("it ended without an answer") from None
    grids = tuple(_grid(cells, size) for cells in said["grids"])
    return ProgramAnswer(grids, said["counters"], done.seconds - said["solve"], said["solve"])


def _silence(tree: ast.Module) -> None:
    """Drop the docstrings; comments are none of the syntax tree's."""
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


def _complaint(errors: str) -> str:
    """The line of the last traceback that names the error."""
    _, _, last = errors.rpartition("Traceback (most recent call last):")
    return next((line for line in last.splitlines() if line and not line.startswith(" ")), "")


def _grid(cells: list[list[int]], size: int) -> Grid:
    numbers = {(row, column): number for row, column, number in cells}
    span = range(1, size + 1)
    return tuple(tuple(numbers.get((row, column)) for column in span) for row in span)
