"""Results of `solve`, `count` and `unique` as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from aspdoku.puzzle.puzzle import Cell, Puzzle, Solution
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import text

if TYPE_CHECKING:
    from aspdoku.engine.conflicts import GivenConflicts
    from aspdoku.engine.solver import SearchOutcome, Statistics

_MAX_CELLS = 6
_ENDS = {"time": "before the time limit", "interrupted": "before the interruption"}


def solution_formatter(format_: str, colour: bool) -> Callable[[Solution], str]:
    """The function that formats a solution as grid, line or facts."""
    if format_ == "grid":
        return lambda solution: "\n\n".join(
            filter(None, (text.grid(solution, colour), text.shown_atoms(solution)))
        )
    return {"line": text.line, "facts": text.facts}[format_]


def verdict(search: SearchOutcome, shown: int | None, other: Solution | None = None) -> str:
    """One line on how many solutions there are, as far as the search has decided it.

    shown: the number of solutions printed
    other: a solution with the same, unique grid and other shown atoms; these are printed, too
    """
    if other:
        return (
            f"the grid is unique{search.puzzle.caveat}, but the atoms shown with it are not; they"
            f" can also be\n\n{text.shown_atoms(other)}"
        )
    return _number_of_solutions(search, shown) + search.puzzle.caveat


def unsupported_json(puzzle: Puzzle) -> dict[str, tuple[str, ...]]:
    """The unsupported parts of a puzzle as a key `unread` of a JSON object, if there are any."""
    return {"unread": puzzle.unsupported} if puzzle.unsupported else {}


def _number_of_solutions(search: SearchOutcome, shown: int | None) -> str:
    found = search.found
    if search.ended == "complete":
        return {0: "no solution", 1: "the only solution"}.get(
            found, f"{found} solutions, and no others"
        )
    if search.ended == "limit" and shown is not None and found > shown:
        return "at least two solutions; this is the first"
    if search.ended == "limit":
        return (
            "a solution; no others were searched for"
            if found == 1
            else f"{found} solutions; there may be others"
        )
    end = _ENDS[search.ended or "interrupted"]
    if not search.started:
        return f"no result {end}: the program was still being grounded"
    if found == 0:
        return f"no solution found {end}, but there may be one"
    if found == 1:
        return f"a solution; its uniqueness was not decided {end}"
    return f"{found} solutions found {end}; there may be others"


def answer_json(
    search: SearchOutcome,
    solutions: Sequence[Solution],
    clashes: GivenConflicts,
    other: Solution | None = None,
) -> dict[str, object]:
    """The answer as a JSON object.

    status, ended, complete: what is proved
    solutions: rows of numbers
    clashes: the cells of conflicting givens
    rules_alone: whether the rules are unsatisfiable for any givens
    shown: the shown atoms of each solution other than the grid, if there are any
    shown_otherwise: the shown atoms of another solution with the same, unique grid
    """
    answer: dict[str, object] = {
        "status": search.status,
        "complete": search.ended == "complete",
        "ended": search.ended,
        "solutions": [solution.rows for solution in solutions],
        "clashes": clashes.givens,
        "rules_alone": clashes.rules_alone,
    }
    if any(solution.shown for solution in solutions):
        answer["shown"] = [list(map(to_asp, solution.shown)) for solution in solutions]
    return answer | _alternative_json(other) | unsupported_json(search.puzzle)


def _alternative_json(other: Solution | None) -> dict[str, list[str]]:
    return {"shown_otherwise": list(map(to_asp, other.shown))} if other else {}


def count_text(search: SearchOutcome) -> str:
    """The number of solutions, or a lower bound."""
    number = str(search.found) if search.ended == "complete" else f"at least {search.found}"
    return number + search.puzzle.caveat


def count_json(search: SearchOutcome) -> dict[str, object]:
    """The result as a JSON object."""
    count: dict[str, object] = {
        "count": search.found,
        "exact": search.ended == "complete",
        "ended": search.ended,
    }
    return count | unsupported_json(search.puzzle)


def uniqueness_text(
    search: SearchOutcome, solutions: Sequence[Solution], other: Solution | None = None
) -> str:
    """Whether the solution is unique; if not, a second line lists cells in which two differ.

    other: as for `verdict`
    """
    caveat = search.puzzle.caveat
    if search.status == "unique" and not other:
        return f"one solution{caveat}"
    if search.status != "several":
        return verdict(search, None, other)
    cells = [
        f"r{row}c{column} {one} or {two}" for (row, column), one, two in _differences(*solutions)
    ]
    more = (
        f" and {pluralize(len(cells) - _MAX_CELLS, 'cell')} more" if len(cells) > _MAX_CELLS else ""
    )
    listed = ", ".join(cells[:_MAX_CELLS])
    return f"several solutions{caveat}; two of them differ in\n{listed}{more}"


def uniqueness_json(
    search: SearchOutcome, solutions: Sequence[Solution], other: Solution | None = None
) -> dict[str, object]:
    """The result as a JSON object."""
    differences = _differences(*solutions) if len(solutions) > 1 else ()
    answer: dict[str, object] = {
        "status": search.status,
        "ended": search.ended,
        "solutions": [solution.rows for solution in solutions],
        "differences": [{"cell": cell, "numbers": [one, two]} for cell, one, two in differences],
    }
    return answer | _alternative_json(other) | unsupported_json(search.puzzle)


def _differences(one: Solution, two: Solution) -> Iterator[tuple[Cell, int, int]]:
    size = one.puzzle.size
    for cell in ((row, column) for row in range(1, size + 1) for column in range(1, size + 1)):
        if one[cell] != two[cell]:
            yield cell, one[cell], two[cell]


def conflict_lines(puzzle: Puzzle, clashes: GivenConflicts) -> list[str]:
    """Obvious reasons for the absence of solutions, one line each."""
    if clashes.rules_alone:
        return ["the rules and the other facts of the puzzle are unsatisfiable for any givens"]
    return [_conflict_line(puzzle, cells) for cells in clashes.givens]


def _conflict_line(puzzle: Puzzle, cells: tuple[Cell, ...]) -> str:
    givens = puzzle.givens()
    named = [f"r{row}c{column}={givens[row, column]}" for row, column in cells]
    return (
        f"the rules forbid {named[0]} on its own"
        if len(named) == 1
        else f"{' and '.join(named)} conflict"
    )


def statistics_text(statistics: Statistics) -> str:
    """Program size and search statistics in two lines."""
    memory = f", {statistics.memory / 1e6:.0f} MB" if statistics.memory else ""
    return (
        f"{statistics.atoms} atoms, {statistics.rules} rules, {statistics.choices} choices,"
        f" {statistics.conflicts} conflicts\ngrounding {statistics.grounding:.3f} s, solving"
        f" {statistics.solving:.3f} s{memory}"
    )
