"""Answer set programming: the encoding of the lecture slides, with a fixed 9, and aspdoku's own."""

from __future__ import annotations

import time
from collections import Counter

from clingo import Model

from aspdoku.engine.control import Control
from aspdoku.engine.solver import CELL_ATOM, REQUIRED_OPTIONS, Solver
from aspdoku.errors import TimeLimitError
from aspdoku.formalisms.engine import Case, Encoding, Engine, EngineError, Outcome
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
        remarks: list[str] = []
        began = time.perf_counter()
        control = Control([*REQUIRED_OPTIONS, "2"], logger=lambda _, text: remarks.append(text))
        try:
            control.add("base", [], self.program_text(case, encoding))
            control.ground([("base", [])])
        except RuntimeError as error:
            raise EngineError("\n".join(remarks) or str(error)) from None
        started = time.perf_counter()
        grids: list[Grid] = []
        with control.solve(
            on_model=lambda model: grids.append(_grid(model, case.size)), async_=True
        ) as handle:
            if not handle.wait(seconds):
                raise TimeLimitError(f"no answer after {seconds:g} s")
            handle.get()
        return Outcome.of(grids, started - began, time.perf_counter() - started)


class AspdokuAsp(SlidesAsp):
    """Base, elaborations and puzzle as `aspdoku program` prints them."""

    name = "asp"
    title = "ASP, aspdoku's text"
    folder = "asp"
    native = True

    def encode(self, case: Case) -> Encoding:
        """The unchanged rule files with a fact for each retracted rule, and the instance."""
        back = "".join(f"ab({name.replace('-', '_')}).\n" for name in case.puzzle.without)
        rules = "\n".join(rule.text for rule in case.program.rules)
        lines = case.program.text.splitlines(keepends=True)
        return Encoding(rules + back, "".join(lines[case.program.parts[-1].last_line :]))

    def program_text(self, case: Case, encoding: Encoding) -> str:
        """The composed program."""
        return case.program.text

    def run(self, case: Case, encoding: Encoding, seconds: float) -> Outcome:
        """Up to two solutions of the composed program."""
        began = time.perf_counter()
        solver = Solver(case.program, seconds)
        solver.ground()
        started = time.perf_counter()
        search = solver.search(2)
        grids = [solution.rows for solution in search]
        if search.ended == "time":
            raise TimeLimitError(f"no answer within {seconds:g} s")
        return Outcome.of(grids, started - began, time.perf_counter() - started)


def _statements(program: str) -> list[tuple[str, str]]:
    """Each statement as clingo prints it and as it is written."""
    rule = RuleFile("rival", "rival", program, vetted=True)
    return [
        (str(statement), source_of(rule, statement))
        for statement in parse(rule)[0]
        if statement.ast_type.name not in _IGNORED
    ]


def _grid(model: Model, size: int) -> Grid:
    cells = filter(None, map(CELL_ATOM.fullmatch, map(str, model.symbols(atoms=True))))
    return grid_of(size, {(int(cell[1]), int(cell[2])): int(cell[3]) for cell in cells})
