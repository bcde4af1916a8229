"""What a puzzle could do without, in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import fill

from aspdoku.engine.redundancy import Item

WIDTH = 110


def report(items: Sequence[Item]) -> str:
    """For the givens, the clues of each rule, and the rules: how many the solution does not need, and which."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(f"clues of {item.rule}" if item.kind == "clue" else f"{item.kind}s", []).append(item)
    width = max(map(len, groups), default=0)
    lines = ["Left out by itself, each of these leaves the solution the only one:", ""]
    for heading, group in groups.items():
        spare = [item.name for item in group if item.needed is False]
        counted = f"{heading.ljust(width)}  {len(spare)} of {len(group)}"
        indent = " " * (width + 2)
        lines.append(fill(f"{counted}: {', '.join(spare)}" if spare else counted, WIDTH, subsequent_indent=indent))
    if unsettled := [item.name for item in items if item.needed is None]:
        lines += ["", fill(f"not settled in time: {', '.join(unsettled)}", WIDTH)]
    return "\n".join(lines)


def document(items: Sequence[Item]) -> str:
    """The same as a JSON array, an object a thing that was left out."""
    return json.dumps(
        [
            {
                "kind": item.kind,
                "name": item.name,
                "rule": item.rule,
                "facts": [f"{fact}." for fact in item.facts],
                "needed": item.needed,
                "status": item.status,
            }
            for item in items
        ]
    )
