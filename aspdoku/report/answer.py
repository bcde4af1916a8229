"""What a search found, in words and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from aspdoku.puzzle.puzzle import Cell, Puzzle, Solution
from aspdoku.puzzle.term import to_asp
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import text

if TYPE_CHECKING:
    from aspdoku.engine import Search, Statistics
    from aspdoku.engine.conflicts import GivenConflicts

_CELLS_NAMED = 6
_LAST_WORDS = {"time": "before the time limit", "interrupted": "before the interruption"}


def solution_formatter(format_: str, colour: bool) -> Callable[[Solution], str]:
    """What turns a solution into text in one of the formats grid, line and facts."""
    if format_ == "grid":
        return lambda solution: "\n\n".join(
            filter(None, (text.grid(solution, colour), text.shown_atoms(solution)))
        )
    return {"line": text.line, "facts": text.facts}[format_]


def verdict(search: Search, shown: int | None, other: Solution | None = None) -> str:
    """How many solutions there are, as far as the search has settled it, in one line.

    `shown` of them stand above it.

    other: a solution with the only grid that shows something else beside it, which then stands
    below the line
    """
    if other:
        return (
            f"the only grid{search.puzzle.caveat}; but what is shown beside it can also"
            f" be\n\n{text.shown_atoms(other)}"
        )
    return _settled(search, shown) + search.puzzle.caveat


def unsupported_json(puzzle: Puzzle) -> dict[str, tuple[str, ...]]:
    """What was not understood, for a JSON object: a key `unread` where there is something."""
    return {"unread": puzzle.unsupported} if puzzle.unsupported else {}


def _settled(search: Search, shown: int | None) -> str:
    found = search.found
    if search.ended == "complete":
        return {0: "no solution", 1: "the only solution"}.get(
            found, f"{found} solutions, and no others"
        )
    if search.ended == "limit" and shown is not None and found > shown:
        return "at least two solutions; this is the first"
    if search.ended == "limit":
        return (
            "a solution; others were not looked for"
            if found == 1
            else f"{found} solutions; there may be others"
        )
    end = _LAST_WORDS[search.ended or "interrupted"]
    if not search.started:
        return f"nothing is known {end}: the program was still being grounded"
    if found == 0:
        return f"no solution was found {end}, and none was ruled out"
    if found == 1:
        return f"a solution; whether it is the only one was not settled {end}"
    return f"{found} solutions were found {end}; there may be others"


def answer_json(
    search: Search,
    solutions: Sequence[Solution],
    clashes: GivenConflicts,
    other: Solution | None = None,
) -> dict[str, object]:
    """The answer as a JSON object.

    status, ended and complete say what is settled, solutions are rows of numbers, clashes cells of
    givens, and rules_alone whether there is no solution whatever the givens. Where rules show
    something beside the grid, shown is that of each solution, and shown_otherwise what another
    solution with the only grid has instead.
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


def count_text(search: Search) -> str:
    """How many solutions were counted, and whether these are all."""
    number = str(search.found) if search.ended == "complete" else f"at least {search.found}"
    return number + search.puzzle.caveat


def count_json(search: Search) -> dict[str, object]:
    """The same as a JSON object."""
    count: dict[str, object] = {
        "count": search.found,
        "exact": search.ended == "complete",
        "ended": search.ended,
    }
    return count | unsupported_json(search.puzzle)


def uniqueness_text(
    search: Search, solutions: list[Solution], other: Solution | None = None
) -> str:
    """Whether there is one solution, in a line.

    Where there are several, the cells in which two of them differ in another.

    other: as in `verdict`
    """
    if search.status != "several":
        one = search.status == "unique" and not other
        return f"one solution{search.puzzle.caveat}" if one else verdict(search, None, other)
    cells = [
        f"r{row}c{column} {one} or {two}" for (row, column), one, two in _differences(*solutions)
    ]
    more = (
        f" and {pluralize(len(cells) - _CELLS_NAMED, 'cell')} more"
        if len(cells) > _CELLS_NAMED
        else ""
    )
    but = search.puzzle.caveat
    return f"several solutions{but}; two of them differ in\n{', '.join(cells[:_CELLS_NAMED])}{more}"


def uniqueness_json(
    search: Search, solutions: list[Solution], other: Solution | None = None
) -> dict[str, object]:
    """The same as a JSON object."""
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
    """Why there is no solution, as far as it shows at once, a line each."""
    if clashes.rules_alone:
        return [
            "the rules and what the puzzle says beside its givens have no solution, whatever the"
            " givens"
        ]
    return [_clash(puzzle, cells) for cells in clashes.givens]


def _clash(puzzle: Puzzle, cells: tuple[Cell, ...]) -> str:
    givens = puzzle.givens()
    named = [f"r{row}c{column}={givens[row, column]}" for row, column in cells]
    return (
        f"the rules forbid {named[0]} by itself"
        if len(named) == 1
        else f"{' and '.join(named)} clash"
    )


def statistics_text(statistics: Statistics) -> str:
    """Size and effort in two lines."""
    memory = f", {statistics.memory / 1e6:.0f} MB" if statistics.memory else ""
    return (
        f"{statistics.atoms} atoms, {statistics.rules} rules, {statistics.choices} choices,"
        f" {statistics.conflicts} conflicts\ngrounding {statistics.grounding:.3f} s, solving"
        f" {statistics.solving:.3f} s{memory}"
    )
