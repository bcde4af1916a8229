"""The additions that make a puzzle unique, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import STOPPED, tagged
from aspdoku.report.answer import verdict
from aspdoku.report.explanation import grade_header, grade_row
from aspdoku.report.explanation_json import difficulty_json

if TYPE_CHECKING:
    from aspdoku.engine.solver import SearchOutcome
    from aspdoku.generation.completion import Addition, Completions

_MOST_CELLS = 5
_FILLED = "filled"


def completion_text(search: SearchOutcome, found: Completions | None) -> str:
    """The additions as a table, after a line on how many there are, and before the facts of those
    that were drawn; or why there are none.

    search: for solutions of the puzzle itself; there are only additions if it has several
    """
    if found is None or not found.additions:
        return completion_summary(search, found)
    width = max(map(len, ("addition", *(each.name for each in found.additions))))
    header = f"{'addition':<{width}}  {_FILLED}"
    rows = (_row(each, width) for each in found.additions)
    table = [grade_header(len(header), header), *rows]
    drawn = [f"{each.name}: {_facts(each)}" for each in found.additions if each.facts[1:]]
    lines = [f"{completion_summary(search, found)}:", "", *table]
    return "\n".join([*lines, "", *drawn] if drawn else lines)


def _facts(addition: Addition) -> str:
    return " ".join(f"{fact}." for fact in addition.facts)


def _row(addition: Addition, width: int) -> str:
    name = f"{addition.name:<{width}}  {addition.filled:>{len(_FILLED)}}"
    if addition.difficulty is None:
        return f"{name}  not graded"
    return grade_row(name, addition.difficulty, len(name))


def completion_summary(search: SearchOutcome, found: Completions | None) -> str:
    """How many additions make the solution unique, in one line; if none does, a second line names
    the cells with the most numbers.
    """
    if found is None:
        if search.status == "unique":
            return f"the solution is unique already{search.puzzle.caveat}"
        return verdict(search, None)
    caveat = search.puzzle.caveat
    drawn = _drawn(found)
    stopped = f"; incomplete: {STOPPED[found.ended]}" if found.ended in STOPPED else ""
    if found.additions:
        makes = "makes" if found.total == 1 else "make"
        shown = len(found.additions)
        best = f"; the best {shown}" if shown < found.total else ""
        total = pluralize(found.total, "single addition")
        return f"{total} {makes} the solution unique{drawn}{caveat}{stopped}{best}"
    known = f"at least {pluralize(found.solutions, 'solution')}"
    if stopped:
        return f"no addition was found{drawn}{caveat}; {known}{stopped}"
    none = f"no single addition makes the solution unique{drawn}{caveat}"
    return f"{none}: {known}\n{_open_cells(found)}"


def _drawn(found: Completions) -> str:
    """That not all clues were tried, but some that were drawn at random."""
    if not found.drawn:
        return ""
    drawn = [f"{number} of {rule}" for rule, number in found.drawn.items()]
    return f" (of clues drawn at random with seed {found.seed}, {' and '.join(drawn)} were tried)"


def _open_cells(found: Completions) -> str:
    """The cells with the most numbers."""
    cells = sorted(found.open_cells.items(), key=lambda each: -len(each[1]))
    named = (
        f"r{row}c{column} ({pluralize(len(numbers), 'number')})"
        for (row, column), numbers in cells[:_MOST_CELLS]
    )
    return f"the most open cells: {', '.join(named)}"


def completion_json(search: SearchOutcome, found: Completions | None) -> dict[str, object]:
    """The result as a JSON object; without additions unless the puzzle has several solutions."""
    cells = found.open_cells if found else {}
    drawn = found.drawn if found else {}
    return tagged(
        "complete",
        {
            "status": search.status,
            "ended": found.ended if found else search.ended,
            "solutions": found.solutions if found else search.found,
            "total": found.total if found else 0,
            "seed": found.seed if found else None,
            "drawn": [{"rule": rule, "clues": number} for rule, number in drawn.items()],
            "additions": [_addition_json(each) for each in found.additions] if found else [],
            "open_cells": [{"cell": cell, "numbers": its} for cell, its in cells.items()],
        },
    )


def _addition_json(addition: Addition) -> dict[str, object]:
    return {
        "kind": "clue" if addition.rule else "given",
        "name": addition.name,
        "rule": addition.rule,
        "facts": [f"{fact}." for fact in addition.facts],
        "drawn": addition.drawn,
        "filled": addition.filled,
        "grade": addition.difficulty and difficulty_json(addition.difficulty),
        "solution": addition.solution.rows,
    }
