"""What is known of each cell: its true `candidates`, and the rules that its number `depends` on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.candidates import CandidateCounts, Candidates, CellNumbers
from aspdoku.engine.candidates import candidates as find_candidates
from aspdoku.engine.dependence import CellDependence, DependenceSearch, find_dependences
from aspdoku.engine.solver import SearchStatus
from aspdoku.errors import PuzzleError
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell, grid_of, numbers_by_cell
from aspdoku.puzzlefile.lines import enumerated, pluralize, quote
from aspdoku.questions import result, text
from aspdoku.questions.source import RuleOptions, Source, program_of, require_limit
from aspdoku.runtime.progress import note
from aspdoku.runtime.signals import interruptible

_CELL = re.compile(r"\s*r([0-9]{1,3})c([0-9]{1,3})\s*", re.IGNORECASE)
_GIVEN, _OPEN = ".", "-"
_MEANING = "the number of rules that the number in each cell depends on"


@dataclass(frozen=True, repr=False)
class CandidateGrid(result.ProgramResult):
    """The true candidates of each cell: the numbers that it holds in some solution.

    data: the candidates, and how the search for them ended
    """

    _kind = "candidates"
    data: Candidates

    def _puzzle(self) -> Puzzle | None:
        puzzle = super()._puzzle()
        return puzzle and puzzle.doubted("none" if self.data.unsatisfiable else "")

    @property
    def candidates(self) -> CellNumbers:
        """Rows of cells of numbers, in ascending order; all empty if there is no solution."""
        return self.data.possible

    @property
    def forced(self) -> dict[Cell, int]:
        """The cells that hold the same number in all solutions, with it."""
        return self.data.forced

    def text(self, colour: bool = False) -> str:
        """The candidates of each cell as a grid, and the number of forced cells.

        In grids beyond 9x9, commas separate the candidates of a cell. A `?` after them means that
        the cell may have more.

        colour: whether to highlight givens
        """
        if self.data.unsatisfiable:
            return f"no solution{self._caveat()}"
        grid = text.candidate_grid(self.program.puzzle, self._marks(), colour)
        blocks = [grid, self._summary() + self._caveat()]
        equal = self.data.equal_cells
        if equal:
            words = ", ".join(" = ".join(map(_cell_name, group)) for group in equal)
            blocks.append(text.filled(f"always equal: {words}", 2))
        if equal is None and self.data.ended == "complete":
            blocks.append("which cells are always equal was not decided")
        if self.data.counts:
            blocks.append("\n".join(self._counts(self.data.counts)))
        return "\n\n".join(blocks)

    _text = text

    def _marks(self) -> dict[Cell, str]:
        puzzle, complete = self.program.puzzle, self.data.ended == "complete"
        size, givens = len(puzzle.numbers), puzzle.givens()
        width = len(str(puzzle.numbers[-1]))
        marks = {}
        for cell, numbers in numbers_by_cell(self.candidates).items():
            settled = complete or len(numbers) == (1 if cell in givens else size)
            listed = ("," if width > 1 else "").join(map(str, numbers)).rjust(width)
            marks[cell] = listed + ("" if settled else "?")
        return marks

    def _summary(self) -> str:
        number = sum(len(numbers) for line in self.candidates for numbers in line)
        if why := result.ENDED.get(self.data.ended):
            if not number:
                return f"{why} before a solution was found; there may be none"
            return text.filled(
                f"{why}, so this is incomplete, with {pluralize(number, 'candidate')} so far: "
                "a cell with ? may have others, even if it shows one number only"
            )
        cells = sum(bool(numbers) for line in self.candidates for numbers in line)
        forced = len(self.forced)
        hold = f"{'holds' if forced == 1 else 'hold'} the same number in every solution"
        counted = f"{pluralize(number, 'candidate')}; {forced} of {pluralize(cells, 'cell')}"
        return f"{counted} {hold}"

    def _counts(self, counts: CandidateCounts) -> list[str]:
        ended = self.data.counting_ended
        why = f"{result.ENDED[ended]}: " if ended in result.ENDED else ""
        if not counts.solutions:
            return [f"{why}no solution was counted"]
        if counts.exact and counts.solutions == 1:
            return ["the solution is unique"]
        solutions = pluralize(counts.solutions, "solution")
        first = "first solution" if counts.solutions == 1 else f"first {solutions}"
        counted = f"{first} found, which are not representative of all solutions"
        lines = [f"{why}occurrences in the {counted}"]
        if counts.exact:
            lines = [f"occurrences in {solutions}"]
        occurrences = numbers_by_cell(counts.counts)
        for cell, numbers in numbers_by_cell(self.candidates).items():
            if len(numbers) > 1:
                pairs = zip(numbers, occurrences[cell], strict=True)
                listed = ", ".join(f"{number} in {count}" for number, count in pairs)
                lines.append(f"  {_cell_name(cell)}: {listed}")
        return lines

    def _pictures(self) -> result.Pictures:
        yield result.figure(self.program, candidates=numbers_by_cell(self.candidates))

    def _json(self) -> dict[str, Any]:
        """Candidates, forced numbers, equal cells and counts.

        `complete` is false if cells may have candidates that were not found.
        """
        counts = self.data.counts
        return {
            "candidates": self.candidates,
            "complete": self.data.ended == "complete",
            "ended": self.data.ended,
            "forced": grid_of(len(self.candidates), self.forced),
            "equal": self.data.equal_cells,
            "counts": counts and counts.counts,
            "counted": counts and result.fields("solutions exact")(counts),
        }


_cell_name = "r{0[0]}c{0[1]}".format


@interruptible
def candidates(
    puzzle: Source,
    *,
    time_limit: float | None = None,
    count_to: int = 0,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> CandidateGrid:
    """Find the true candidates of every cell, and the cells that are always equal.

    count_to: also count in how many of at most this many solutions each candidate occurs; 0 to
        count none
    The other arguments are those of `solve`. After the time limit, `data.ended` is "time" and the
    candidates found by then are returned. Raises PuzzleError or RuleError.
    """
    require_limit(count_to)
    program = program_of(puzzle, time_limit, **rules)
    note("looking for candidates")
    data = find_candidates(program, time_limit, count_to, interruptible=interruptible)
    return CandidateGrid(program, data)


@dataclass(frozen=True, repr=False)
class Dependence(result.ProgramResult):
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
        if self.cell or not self.data.solution:
            return self._words()
        puzzle, cells = self.program.puzzle, self.data.cells
        counts = {each.cell: _OPEN if each.is_open else str(len(each.rules)) for each in cells}
        grid = text.candidate_grid(puzzle, dict.fromkeys(puzzle.cells(), _GIVEN) | counts)
        return f"{grid}\n\n{self._words()}"

    def _words(self) -> str:
        if self.data.solution is None:
            if self.data.ended != "complete":
                stopped = result.STOPPED[self.data.ended]
                return f"{stopped} before a solution was found; there may be none"
            return f"no solution{self._caveat()}"
        if self.cell:
            return self._with_remarks([*self._cell_lines(self.cell)])
        counted = [f"  {rule}: {pluralize(count, 'cell')}" for rule, count in self._counts()]
        open_ = ", - is not determined" * (len(self._determined()) < len(self.data.cells))
        return self._with_remarks([f"{_MEANING}; . is a given{open_}", *counted])

    def _first_line(self) -> result.Verdict | None:
        return result.Verdict("No solution", "none") if self.status == "none" else None

    def sections(self) -> list[result.Section]:
        """The picture and the words; the numbers of cells are in a table."""
        (shown,) = super().sections()
        if self.cell or not self.data.solution or not shown.pictures:
            return [shown]
        rows = tuple((rule, str(count)) for rule, count in self._counts())
        words = self._with_remarks([_MEANING])  # without the signs of the text
        table = result.Table(("rule", "cells that depend on it"), rows, (1,))
        return [shown._replace(words=words, table=table)]

    def _with_remarks(self, lines: list[str]) -> str:
        if self.data.fixed:
            lines.append(f"without a name that retracts them: {', '.join(self.data.fixed)}")
        if self.data.ended != "complete":
            lines.append(f"{result.STOPPED[self.data.ended]}: there may be others")
        return self._with_caveat("\n".join(text.filled(line, 4) for line in lines))

    def _determined(self) -> list[CellDependence]:
        return [each for each in self.data.cells if not each.is_open]

    def _counts(self) -> Iterator[tuple[str, int]]:
        """The number of cells that depend on each rule."""
        determined = self._determined()
        for rule in self.data.rules:
            yield rule, sum(rule in each.rules for each in determined)

    def _cell_lines(self, cell: Cell) -> Iterator[str]:
        name = _cell_name(cell)
        if (given := self.program.puzzle[cell]) is not None:
            yield f"{name} is {given}, a given"
            return
        (each,) = self.data.cells
        if each.is_open:
            numbers = each.retractions[0].numbers
            known = sorted((each.number, *(numbers or ())))
            listed = enumerated([*known, *["other numbers"] * (numbers is None)])
            yield f"{name} is not determined: {listed} are possible"
        elif each.retractions:
            yield f"{name} is {each.number}"
            for rules, numbers in each.retractions:
                instead = "another number" if numbers is None else enumerated(numbers, "or")
                yield f"  without {enumerated(rules)}, {instead} would be possible"
        elif self.data.ended == "complete":
            yield f"{name} is {each.number}, whatever rules are retracted"
        else:
            yield f"{name} is {each.number} in a solution"

    def _pictures(self) -> result.Pictures:
        cells = [self.cell] if self.cell else []
        heat = {} if self.cell else {each.cell: len(each.rules) for each in self._determined()}
        yield result.figure(self.program, self.data.solution, cells=cells, heat=heat)

    def _json(self) -> dict[str, Any]:
        return {
            "complete": self.data.ended == "complete",
            **result.fields("ended solution rules fixed")(self.data),
            "cells": list(map(self._cell_json, self.data.cells)),
        }

    def _cell_json(self, each: CellDependence) -> dict[str, Any]:
        rules = [rule for rule in self.data.rules if rule in each.rules]
        named = {"rules": rules, "retractions": each.retractions}
        return result.fields("cell number")(each) | named


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
        raise PuzzleError(f"{_cell_name(cell)} is not used: it holds no number")
    return row, column
