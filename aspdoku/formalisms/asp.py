"""Answer set programming: the encoding of the lecture slides, with a fixed 9, and aspdoku's own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from clingo import Model

from aspdoku.engine.control import Control
from aspdoku.engine.solver import CELL_ATOM, REQUIRED_OPTIONS, Solver
from aspdoku.errors import RuleError, TimeLimitError
from aspdoku.formalisms.case import Case, Encoding
from aspdoku.formalisms.engine import Engine, EngineError, Outcome
from aspdoku.program import RuleFile
from aspdoku.program.syntax import parse, source_of
from aspdoku.puzzle.puzzle import Grid, grid_of

# Statements that are not counted: they do not affect the answer sets.
_IGNORED = ("Comment", "Program", "Defined")


class SlidesAsp(Engine):
    """Boxes and numbers in one rule, and the literal 9 for the size."""

    name = "asp-slides"
    title = "ASP, the slides' text"
    folder = "asp-slides"
    extension = "lp"

    def statements(self, program: str) -> Counter[str]:
        """By clingo's syntax tree."""
        return Counter(normal for normal, _ in _statements(program))

    def as_written(self, program: str) -> dict[str, str]:
        """The rules of the file, each on one line."""
        return dict(_statements(program))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two answer sets of the unchanged program."""
        try:
            found = run_text(f"{encoding.program}\n{encoding.instance}", case.size, seconds)
        except RuleError as error:
            raise EngineError(str(error)) from None
        return Outcome(
            found.grids[0] if found.grids else None,
            len(found.grids) < 2,
            found.grounding,
            found.solving,
        )


class AspdokuAsp(Engine):
    """Base, elaborations and puzzle as `aspdoku program` prints them."""

    name = "asp"
    title = "ASP, aspdoku's text"
    folder = "asp"
    extension = "lp"
    native = True

    def encode(self, case: Case) -> Encoding:
        """The unchanged rule files with a fact for each retracted rule, and the instance."""
        back = "".join(f"ab({name.replace('-', '_')}).\n" for name in case.puzzle.without)
        rules = "\n".join(part.rule.text for part in case.program.parts)
        lines = case.program.text.splitlines(keepends=True)
        return Encoding(rules + back, "".join(lines[case.program.parts[-1].last_line :]))

    def program_text(self, case: Case, encoding: Encoding) -> str:
        """The composed program."""
        return case.program.text

    def statements(self, program: str) -> Counter[str]:
        """By clingo's syntax tree."""
        return Counter(normal for normal, _ in _statements(program))

    def as_written(self, program: str) -> dict[str, str]:
        """The rules of the file, each on one line."""
        return dict(_statements(program))

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two solutions of the composed program."""
        solver = Solver(case.program, seconds)
        began = time.perf_counter()
        solver.ground()
        started = time.perf_counter()
        search = solver.search(2)
        found = [solution.rows for solution in search]
        if search.ended == "time":
            raise TimeLimitError(f"no answer within {seconds:g} s")
        return Outcome(
            found[0] if found else None,
            len(found) < 2,
            started - began,
            time.perf_counter() - started,
        )


def _statements(program: str) -> Iterator[tuple[str, str]]:
    """Each statement as clingo prints it and as it is written."""
    rule = RuleFile("rival", "rival", program, vetted=True)
    for statement in parse(rule)[0]:
        if statement.ast_type.name not in _IGNORED:
            yield str(statement), source_of(rule, statement)


class TextRun(NamedTuple):
    """The grids of the answer sets, None for an empty cell, and the seconds for grounding and
    solving.
    """

    grids: tuple[Grid, ...]
    grounding: float
    solving: float


def run_text(text: str, size: int, seconds: float, models: int = 2) -> TextRun:
    """Run an arbitrary ASP program unchanged and read the grids from the a/3 atoms.

    models: the maximum number of answer sets
    Raises RuleError if the program cannot be grounded, TimeLimitError if solving takes longer than
    `seconds`.
    """
    remarks: list[str] = []
    began = time.perf_counter()
    control = Control(
        [*REQUIRED_OPTIONS, str(models)], logger=lambda _, message: remarks.append(message)
    )
    try:
        control.add("base", [], text)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise RuleError("\n".join(remarks) or str(error)) from None
    grounded = time.perf_counter()
    found: list[Grid] = []
    with control.solve(
        on_model=lambda model: found.append(_grid(model, size)), async_=True
    ) as handle:
        if not handle.wait(seconds):
            raise TimeLimitError(f"no answer after {seconds:g} s")
        handle.get()
    return TextRun(tuple(found), grounded - began, time.perf_counter() - grounded)


def _grid(model: Model, size: int) -> Grid:
    numbers = {}
    for atom in model.symbols(atoms=True):
        if cell := CELL_ATOM.fullmatch(str(atom)):
            numbers[int(cell[1]), int(cell[2])] = int(cell[3])
    return grid_of(size, numbers)
