"""Redundant givens, clues and rules as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from aspdoku.engine.redundancy import RemovalResult
from aspdoku.engine.solver import SearchEnd, SearchStatus

WIDTH = 110

_MAX_NEEDED = 10


def redundancy_text(items: Sequence[RemovalResult]) -> str:
    """The redundant items among the givens, the clues of each rule, and the rules.

    Needed items are listed, too, if there are at most _MAX_NEEDED.
    """
    if not items:
        return "no givens, clues or rules to remove"
    groups: dict[str, list[RemovalResult]] = {}
    for item in items:
        groups.setdefault(
            f"clues of {item.rule}" if item.kind == "clue" else f"{item.kind}s", []
        ).append(item)
    width = max(map(len, groups))
    lines = ["The solution stays unique without any single one of these:", ""]
    for heading, group in groups.items():
        spare, needed = (
            [item.name for item in group if item.needed is answer] for answer in (False, True)
        )
        lines.append(
            _listed(f"{heading.ljust(width)}  {len(spare)} of {len(group)}", spare, width + 2)
        )
        if 0 < len(needed) <= _MAX_NEEDED:
            lines.append(_listed(f"{' ' * width}  needed", needed, width + 4))
    if undecided := [item.name for item in items if item.needed is None]:
        lines += ["", _listed("not decided in time", undecided)]
    return "\n".join(lines)


def redundancy_json(
    status: SearchStatus, ended: SearchEnd | None, items: Sequence[RemovalResult]
) -> dict[str, object]:
    """The result as a JSON object, with an object in `items` for each item.

    status: of the puzzle itself; there are only items if it is "unique"
    ended: "time" or "interrupted" if items are missing or undecided
    """
    return {
        "status": status,
        "ended": ended,
        "items": [
            {
                "kind": item.kind,
                "name": item.name,
                "rule": item.rule,
                "facts": [f"{fact}." for fact in item.facts],
                "needed": item.needed,
                "status": item.status,
            }
            for item in items
        ],
    }


def _listed(heading: str, names: Sequence[str], indent: int = 0) -> str:
    return fill(
        f"{heading}: {', '.join(names)}" if names else heading,
        WIDTH,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
