"""Additions that make a solution unique: `complete`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from aspdoku.engine.solver import SearchEnd
from aspdoku.generation.completion import Addition, Completions
from aspdoku.generation.completion import complete as find_additions
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.questions.grade import grade_header, grade_row
from aspdoku.questions.result import STOPPED, Pictures, SearchResult, encoded, fields, figure
from aspdoku.questions.solve import two_solutions, verdict
from aspdoku.questions.source import (
    PuzzleSource,
    RuleOptions,
    Source,
    program_of,
    puzzle_of,
    require_natural,
)
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import interruptible

_MOST_CELLS = 5
_FILLED = "filled"


@dataclass(frozen=True, repr=False)
class Completion(SearchResult):
    """The single givens and clues with which a puzzle with several solutions has a unique one.

    outcome: of the search for solutions of the puzzle itself
    data: what was found; None unless the puzzle has several solutions
    """

    _kind = "complete"
    _heading = "Additions that make the solution unique"
    data: Completions | None = None
    remarks: tuple[str, ...] = ()

    @property
    def ended(self) -> SearchEnd | None:
        """Why the search for additions ended, or that for solutions if there was no other."""
        return self.data.ended if self.data else self.outcome.ended

    @property
    def additions(self) -> tuple[Addition, ...]:
        """The additions, those after which the puzzle is easiest to solve first."""
        return self.data.additions if self.data else ()

    @property
    def total(self) -> int:
        """How many single additions were found that make the solution unique."""
        return self.data.total if self.data else 0

    def _text(self) -> str:
        if not self.additions:
            return self._verdict()
        width = max(map(len, ("addition", *(each.name for each in self.additions))))
        header = f"{'addition':<{width}}  {_FILLED}"
        rows = []
        for each in self.additions:
            name = f"{each.name:<{width}}  {each.filled:>{len(_FILLED)}}"
            grade = each.difficulty
            rows.append(grade_row(name, grade, len(name)) if grade else f"{name}  not graded")
        clues = [
            f"{each.name}: {' '.join(f'{fact}.' for fact in each.facts)}"
            for each in self.additions
            if each.facts[1:]
        ]
        lines = [f"{self._verdict()}:", "", grade_header(len(header), header), *rows]
        return "\n".join([*lines, "", *clues] if clues else lines)

    def _summary(self) -> str:
        return self._verdict().partition("\n")[0]

    def _verdict(self) -> str:
        """How many additions make the solution unique, in one line; if none does, a second line
        names the cells with the most numbers.
        """
        if self.data is None:
            if self.status == "unique":
                return f"the solution is unique already{self._caveat()}"
            return verdict(self.outcome, None)
        tried = _tried(self.data) + self._caveat()
        ended = self.data.ended
        stopped = f"; incomplete: {STOPPED[ended]}" if ended in STOPPED else ""
        if self.additions:
            makes = "makes" if self.total == 1 else "make"
            shown = len(self.additions)
            best = f"; the best {shown}" if shown < self.total else ""
            total = pluralize(self.total, "single addition")
            return f"{total} {makes} the solution unique{tried}{stopped}{best}"
        known = f"at least {pluralize(self.data.solutions, 'solution')}"
        if stopped:
            return f"no addition was found{tried}; {known}{stopped}"
        none = f"no single addition makes the solution unique{tried}"
        return f"{none}: {known}\n{_open_cells(self.data)}"

    def _pictures(self) -> Pictures:
        givens = (each.facts[0].arguments for each in self.additions if not each.rule)
        cells = [(int(str(row)), int(str(column))) for row, column, _ in givens]
        yield figure(self.program, cells=cells)

    def _json(self) -> dict[str, Any]:
        data = self.data
        tried = data.drawn.items() if data else ()
        cells = data.open_cells.items() if data else ()
        return {
            "status": self.status,
            "ended": self.ended,
            "solutions": data.solutions if data else self.outcome.found,
            "total": self.total,
            "seed": data.seed if data else None,
            "drawn": [{"rule": rule, "clues": number} for rule, number in tried],
            "additions": self.additions,
            "open_cells": [{"cell": cell, "numbers": numbers} for cell, numbers in cells],
        }


@encoded.register
def _(addition: Addition) -> dict[str, Any]:
    attributes = fields("name rule facts drawn filled grade=difficulty solution")(addition)
    return {"kind": "clue" if addition.rule else "given", **attributes}


def _tried(data: Completions) -> str:
    """How many random clues were tried; empty if all clues were."""
    if not data.drawn:
        return ""
    counts = [f"{number} of {rule}" for rule, number in data.drawn.items()]
    return f" (of clues drawn at random with seed {data.seed}, {' and '.join(counts)} were tried)"


def _open_cells(data: Completions) -> str:
    cells = sorted(data.open_cells.items(), key=lambda each: -len(each[1]))
    named = (
        f"r{row}c{column} ({pluralize(len(numbers), 'number')})"
        for (row, column), numbers in cells[:_MOST_CELLS]
    )
    return f"the most open cells: {', '.join(named)}"


@interruptible
def complete(
    puzzle: Source,
    solution: PuzzleSource | None = None,
    *,
    limit: int = 10,
    seed: int = 0,
    time_limit: float | None = None,
    interruptible: bool = False,
    **rules: Unpack[RuleOptions],
) -> Completion:
    """Find the givens and clues with which a puzzle with several solutions has a unique one.

    Each is added on its own. All clues of one fact are tried that are like those that the puzzle
    has. Of other clues, such as cages and lines, the `.gen` files of the rules draw some.

    solution: a filled grid; only look for additions with which this is the solution
    limit: grade and return this many additions, 0 for all
    seed: of the clues that are drawn
    The other arguments are those of `solve`. Additions found before the time limit are returned.
    Raises PuzzleError or RuleError, and PuzzleError if `solution` is no solution of the puzzle.
    """
    require_natural(limit, "limit")
    require_natural(seed, "seed")
    program = program_of(puzzle, time_limit, **rules)
    intended = None if solution is None else puzzle_of(solution)
    deadline = Deadline(time_limit)
    outcome, _, remarks = two_solutions(program, time_limit, interruptible)
    data = None
    if outcome.status == "several":
        seconds = deadline.time_limit()
        data = find_additions(program, intended, limit, seed, seconds, interruptible)
    return Completion(program, outcome, data, remarks)
