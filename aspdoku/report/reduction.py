"""A minimised puzzle: what was removed, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aspdoku.engine.clues import Clue
from aspdoku.explanation.steps import Claim
from aspdoku.puzzle.puzzle import GIVEN
from aspdoku.puzzle.term import Function
from aspdoku.puzzlefile.lines import pluralize
from aspdoku.report import STOPPED, tagged

if TYPE_CHECKING:
    from aspdoku.engine.solver import SearchOutcome
    from aspdoku.generation.minimal import Reduction


def reduction_summary(found: Reduction) -> str:
    """How many givens and clues were removed, and whether the rest is minimal."""
    parts = []
    for one, kind in (("given", Claim), ("clue", Clue)):
        removed, left = (
            sum(isinstance(item, kind) for item in items) for items in (found.removed, found.left)
        )
        if removed + left:
            parts.append(f"{removed} of {pluralize(removed + left, one)}")
    state = (
        f"none{' of the others' * bool(found.removed)} can be removed"
        if found.ended == "complete"
        else f"not minimal: {STOPPED[found.ended]}"
    )
    return f"removed {' and '.join(parts) or 'nothing'}; {state}"


def reduction_json(
    search: SearchOutcome, found: Reduction | None, text: str | None
) -> dict[str, object]:
    """The result as a JSON object; without a puzzle unless the solution is unique.

    text: of the puzzle that is left
    """
    return tagged(
        "minimise",
        {
            "status": search.status,
            "ended": found.ended if found else search.ended,
            "puzzle": text,
            "removed": [_item_json(item) for item in found.removed] if found else [],
            "left": [_item_json(item) for item in found.left] if found else [],
        },
    )


def _item_json(item: Claim | Clue) -> dict[str, object]:
    if isinstance(item, Clue):
        facts = [f"{fact}." for fact in item.facts]
        return {"kind": "clue", "name": item.name, "rule": item.rule, "facts": facts}
    fact = Function(GIVEN[0], (item.row, item.column, item.number))
    return {"kind": "given", "name": str(item), "rule": "", "facts": [f"{fact}."]}
