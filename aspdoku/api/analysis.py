"""Questions beyond solutions: `candidates` of cells, the rules that a cell `depends` on, and
`redundant` givens, clues and rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    Result,
    Rules,
    Source,
    figure,
    program_of,
    require_limit,
)
from aspdoku.engine.candidates import Candidates, CellNumbers
from aspdoku.engine.candidates import candidates as find_candidates
from aspdoku.engine.dependence import CellDependence, DependenceSearch, find_dependences
from aspdoku.engine.redundancy import RemovalResult, find_redundancies
from aspdoku.engine.solver import SearchOutcome, SearchStatus, Solver, Stoppable, until_interrupted
from aspdoku.errors import PuzzleError
from aspdoku.program import Program
from aspdoku.progress import note
from aspdoku.puzzle import Puzzle
from aspdoku.puzzle.puzzle import Cell
from aspdoku.puzzlefile.lines import pluralize, quote
from aspdoku.report.answer import (
    candidates_json,
    candidates_summary,
    candidates_text,
    not_unique_text,
    redundancy_json,
    redundancy_text,
    with_caveat,
)
from aspdoku.report.dependence import dependence_json, dependence_text, dependence_words
from aspdoku.signals import interruptible

if TYPE_CHECKING:
    from aspdoku.drawing import Picture

_CELL = re.compile(r"\s*r([0-9]{1,3})c([0-9]{1,3})\s*", re.IGNORECASE)


@dataclass(frozen=True, repr=False)
class CandidateGrid(Result):
    """The true candidates of each cell: the numbers that it holds in some solution.

    data: the candidates, and how the search for them ended
    """

    program: Program = field(repr=False, compare=False)
    data: Candidates

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.program.puzzle

    @property
    def candidates(self) -> CellNumbers:
        """Rows of cells of numbers, in ascending order; all empty if there is no solution."""
        return self.data.possible

    @property
    def forced(self) -> dict[Cell, int]:
        """The cells that hold the same number in all solutions, with it."""
        return self.data.forced

    def __str__(self) -> str:
        return candidates_text(self.data, self.puzzle)

    def _summary(self) -> str:
        return candidates_summary(self.data)

    def _pictures(self) -> Iterable[Picture]:
        marks = {
            (row, column): numbers
            for row, cells in enumerate(self.candidates, 1)
            for column, numbers in enumerate(cells, 1)
        }
        yield figure(self.program, candidates=marks)

    def _json(self) -> dict[str, Any]:
        """Candidates, forced numbers, equal cells and counts."""
        return candidates_json(self.data)


@dataclass(frozen=True, repr=False)
class Redundancy(Result):
    """Which givens, clues and rules can each be removed while the solution stays unique.

    items: one for each given, clue and rule; empty unless the puzzle has a unique solution
    """

    program: Program = field(repr=False, compare=False)
    outcome: SearchOutcome
    items: tuple[RemovalResult, ...]
    remarks: tuple[str, ...] = ()

    @property
    def status(self) -> SearchStatus:
        """What is proved about the puzzle itself, as in `Solutions`."""
        return self.outcome.status

    def __str__(self) -> str:
        if self.status == "unique":
            return with_caveat(redundancy_text(self.items), self.outcome.puzzle)
        return not_unique_text(self.outcome)

    def _title(self) -> str:
        return "Redundant givens, clues and rules"

    def _summary(self) -> str:
        if self.status != "unique":
            return not_unique_text(self.outcome)
        redundant = sum(item.needed is False for item in self.items)
        return f"{redundant} of {pluralize(len(self.items), 'item')} redundant"

    def _pictures(self) -> Iterable[Picture]:
        """The puzzle, with the redundant givens highlighted."""
        cells = [item.cell for item in self.items if item.cell and item.needed is False]
        yield figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        """The status, and an object for each item."""
        return redundancy_json(self.status, self.outcome.ended, self.items)


@dataclass(frozen=True, repr=False)
class Dependence(Result):
    """Which rules the numbers of cells depend on.

    cell: the cell that was asked for; None for all
    data: the minimal sets of rules without which other numbers are possible
    """

    program: Program = field(repr=False, compare=False)
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

    def __str__(self) -> str:
        return dependence_text(self.data, self.program.puzzle, self.cell)

    def to_svg(self) -> str:
        """The heat map: the solution, each cell with the number of rules that it depends on."""
        from aspdoku.drawing.output import svg  # text does without pictures

        (picture,) = self._pictures()
        return svg(picture)

    def _title(self) -> str:
        return "Rules that cells depend on"

    def _words(self) -> str:
        return dependence_words(self.data, self.program.puzzle, self.cell)

    def _summary(self) -> str:
        return self._words().partition("\n")[0]

    def _pictures(self) -> Iterable[Picture]:
        """The heat map, or the solution with the cell highlighted."""
        heat = {
            cell: len(each.rules)
            for cell, each in self.cells.items()
            if not self.cell and not each.is_open
        }
        yield figure(
            self.program, self.data.solution, cells=[self.cell] if self.cell else (), heat=heat
        )

    def _json(self) -> dict[str, Any]:
        """The sets of rules of each cell."""
        return dependence_json(self.data)


@interruptible
def candidates(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    count_to: int = 0,
    interruptible: bool = False,
) -> CandidateGrid:
    """Find the true candidates of every cell, and the cells that are always equal.

    count_to: also count in how many of at most this many solutions each candidate occurs; 0 to
        count none
    The other arguments are those of `solve`. After the time limit, `data.ended` is "time" and the
    candidates found by then are returned. Raises PuzzleError or RuleError.
    """
    require_limit(count_to)
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    note("looking for candidates")
    found = find_candidates(program, time_limit, count_to, interruptible=interruptible)
    return CandidateGrid(program, found)


@interruptible
def depends(
    puzzle: Source,
    cell: str | Cell | None = None,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Dependence:
    """Find the rules that the number of a cell, or of each cell, depends on.

    These are the minimal sets of active rules without which, retracted by `ab(NAME)`, another
    number is possible.

    cell: such as "r3c4" or (3, 4), to find the other numbers, too; None for all cells
    The other arguments are those of `solve`. After the time limit, `data.ended` is "time" and the
    sets found by then are returned. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
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


@interruptible
def redundant(
    puzzle: Source,
    *,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    time_limit: float | None = None,
    interruptible: bool = False,
) -> Redundancy:
    """Find the givens, clues and rules that can each be removed while the solution stays unique.

    The arguments are those of `solve`. Raises PuzzleError or RuleError.
    """
    program = program_of(puzzle, with_, without, constants, facts, time_limit)
    solver = Solver(program, time_limit)
    search = solver.search(2)
    items: list[RemovalResult] = []
    with until_interrupted(search, interruptible):
        search.count()
    outcome = search.outcome()
    note("checking givens, clues and rules")
    with Stoppable(interruptible) as run:
        if outcome.status == "unique":
            for item in find_redundancies(program, solver.deadline.time_limit()):
                items.append(item)
                note(f"{len(items)} checked, {sum(not each.needed for each in items)} not needed")
    if run.error:
        outcome = outcome._replace(ended=run.ended)
    if outcome.ended == "complete" and any(item.needed is None for item in items):
        outcome = outcome._replace(ended="time")
    return Redundancy(program, outcome, tuple(items), tuple(map(str, solver.messages)))
