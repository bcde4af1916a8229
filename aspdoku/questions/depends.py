"""The rules that the numbers of cells depend on: `depends`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.dependence import CellDependence, DependenceSearch, find_dependences
from aspdoku.engine.solver import SearchStatus
from aspdoku.errors import PuzzleError
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import pluralize, quote
from aspdoku.questions import text
from aspdoku.questions.result import STOPPED, Pictures, ProgramResult, fields, figure
from aspdoku.questions.source import RuleOptions, Source, program_of
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible

_CELL = re.compile(r"\s*r([0-9]{1,3})c([0-9]{1,3})\s*", re.IGNORECASE)
_GIVEN, _OPEN = ".", "-"


@dataclass(frozen=True, repr=False)
class Dependence(ProgramResult):
    """Which rules the numbers of cells depend on.

    cell: the cell that was asked for; None for all
    data: the minimal sets of rules without which other numbers are possible
    """

    _kind = "depends"
    _heading = "Rules that cells depend on"
    cell: Cell | None
    data: DependenceSearch

    @property
    def cells(self) -> dict[Cell, CellDependence]:
        """The cells without givens, each with its sets of rules."""
        return {each.cell: each for each in self.data.cells}

    @property
    def status(self) -> SearchStatus:
        """What is proved: "some" (at least one solution), "none" or "unknown"."""
        if self.data.solution:
            return "some"
        return "none" if self.data.ended == "complete" else "unknown"

    def _text(self) -> str:
        grid = "" if self.cell or not self.data.solution else self._grid()
        return "\n\n".join(filter(None, [grid, self._words()]))

    def _words(self) -> str:
        if self.data.solution is None:
            if self.data.ended != "complete":
                return f"{STOPPED[self.data.ended]} before a solution was found; there may be none"
            return f"no solution{self._caveat()}"
        lines = list(self._cell_lines(self.cell) if self.cell else self._legend())
        if self.data.fixed:
            lines.append(f"without a name that retracts them: {', '.join(self.data.fixed)}")
        if self.data.ended != "complete":
            lines.append(f"{STOPPED[self.data.ended]}: there may be others")
        words = "\n".join(
            textwrap.fill(line, text.width(), subsequent_indent="    ") for line in lines
        )
        return self._with_caveat(words)

    def _grid(self) -> str:
        counts = {
            each.cell: _OPEN if each.is_open else str(len(each.rules)) for each in self.data.cells
        }
        puzzle = self.program.puzzle
        return text.candidate_grid(puzzle, dict.fromkeys(puzzle.cells(), _GIVEN) | counts)

    def _legend(self) -> Iterator[str]:
        determined = [each for each in self.data.cells if not each.is_open]
        some = ", - is not determined" * (len(determined) < len(self.data.cells))
        yield f"the number of rules that the number in each cell depends on; . is a given{some}"
        for rule in self.data.rules:
            count = sum(rule in each.rules for each in determined)
            yield f"  {rule}: {pluralize(count, 'cell')}"

    def _cell_lines(self, cell: Cell) -> Iterator[str]:
        name = "r{}c{}".format(*cell)
        if (given := self.program.puzzle[cell]) is not None:
            yield f"{name} is {given}, a given"
            return
        (each,) = self.data.cells
        if each.is_open:
            numbers = each.retractions[0].numbers
            known = sorted((each.number, *(numbers or ())))
            listed = _listed([*map(str, known), *["other numbers"] * (numbers is None)], "and")
            yield f"{name} is not determined: {listed} are possible"
        elif each.retractions:
            yield f"{name} is {each.number}"
            for rules, numbers in each.retractions:
                instead = "another number" if numbers is None else _listed(numbers, "or")
                yield f"  without {_listed(rules, 'and')}, {instead} would be possible"
        elif self.data.ended == "complete":
            yield f"{name} is {each.number}, whatever rules are retracted"
        else:
            yield f"{name} is {each.number} in a solution"

    def _summary(self) -> str:
        return self._words().partition("\n")[0]

    def _pictures(self) -> Pictures:
        cells = [self.cell] if self.cell else []
        determined = () if self.cell else (each for each in self.data.cells if not each.is_open)
        heat = {each.cell: len(each.rules) for each in determined}
        yield figure(self.program, self.data.solution, cells=cells, heat=heat)

    def _json(self) -> dict[str, Any]:
        return {
            "complete": self.data.ended == "complete",
            **fields("ended solution rules fixed")(self.data),
            "cells": [
                fields("cell number")(each)
                | {
                    "rules": [rule for rule in self.data.rules if rule in each.rules],
                    "retractions": each.retractions,
                }
                for each in self.data.cells
            ],
        }


def _listed(words: Sequence[object], conjunction: str) -> str:
    """The words with commas, and a conjunction before the last one."""
    *first, last = map(str, words)
    return f"{', '.join(first)} {conjunction} {last}" if first else last


@interruptible
def depends(
    puzzle: Source,
    cell: str | Cell | None = None,
    *,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> Dependence:
    """Find the rules that the number of a cell, or of each cell, depends on.

    These are the minimal sets of active rules without which, retracted by `ab(NAME)`, another
    number is possible.

    cell: such as "r3c4" or (3, 4): the result then has the other numbers; None for all cells
    The other arguments are those of `solve`. After the time limit, `data.ended` is "time" and the
    sets found by then are returned. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, time_limit, **rules)
    chosen = None if cell is None else _cell_of(program.puzzle, cell)
    note("retracting rules")
    return Dependence(program, chosen, find_dependences(program, chosen, time_limit, interruptible))


def _cell_of(puzzle: Puzzle, cell: str | Cell) -> Cell:
    """The cell with this name. Raises PuzzleError if it is not in the grid, or not used."""
    if isinstance(cell, str):
        named = _CELL.fullmatch(cell)
        if not named:
            raise PuzzleError(f"invalid cell {quote(cell)}: use a row and a column, as in r3c4")
        cell = int(named[1]), int(named[2])
    try:
        puzzle[cell]
    except IndexError as error:
        raise PuzzleError(str(error)) from None
    row, column = cell
    if (row, column) in puzzle.unused:
        raise PuzzleError(f"r{row}c{column} is not used: it holds no number")
    return row, column
