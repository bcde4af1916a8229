"""A text in answer set programming, whoever wrote it, run as it stands; what it says of `a/3` is its grid."""

from __future__ import annotations

import time
from typing import NamedTuple

from clingo import Control, Model

from aspdoku.engine.settings import SOUND
from aspdoku.engine.solver import ATOM, TimeLimitError
from aspdoku.errors import RuleError
from aspdoku.puzzle.puzzle import Grid


class Plain(NamedTuple):
    """The grids of the answer sets that were asked for, None in an empty cell, and the seconds for grounding and for solving."""

    grids: tuple[Grid, ...]
    grounding: float
    solving: float


def grids(text: str, size: int, seconds: float, models: int = 2) -> Plain:
    """The grids of up to so many answer sets.

    Raises RuleError where the text cannot be grounded, TimeLimitError where there is no answer after so many seconds of solving.
    """
    remarks: list[str] = []
    began = time.perf_counter()
    control = Control([*SOUND, str(models)], logger=lambda _, message: remarks.append(message))
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise RuleError("\n".join(remarks) or str(error)) from None
    grounded = time.perf_counter()
    found: list[Grid] = []
    with control.solve(on_model=lambda model: found.append(_grid(model, size)), async_=True) as handle:
        if not handle.wait(seconds):
            raise TimeLimitError(f"no answer after {seconds:g} s")
        handle.get()
    return Plain(tuple(found), grounded - began, time.perf_counter() - grounded)


def _grid(model: Model, size: int) -> Grid:
    numbers = {}
    for atom in model.symbols(atoms=True):
        if cell := ATOM.fullmatch(str(atom)):
            numbers[int(cell[1]), int(cell[2])] = int(cell[3])
    span = range(1, size + 1)
    return tuple(tuple(numbers.get((row, column)) for column in span) for row in span)
