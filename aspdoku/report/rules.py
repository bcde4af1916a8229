"""Rule files as a list."""

from __future__ import annotations

import json
from collections.abc import Iterable

from aspdoku.program import RuleFile


def listing(rules: Iterable[RuleFile]) -> str:
    """Name and title of each rule, and below it the inputs that the instance has to give, with
    their meaning.
    """
    rules = list(rules)
    width = max((len(rule.name) for rule in rules), default=0)
    lines = []
    for rule in rules:
        lines.append(f"{rule.name:<{width}} {rule.title}".rstrip())
        lines += [f"{'':<{width}}   {item}  {item.meaning}".rstrip() for item in rule.inputs]
    return "\n".join(lines)


def document(rules: Iterable[RuleFile]) -> str:
    """The same as a JSON array of objects."""
    return json.dumps(
        [
            {
                "name": rule.name,
                "file": rule.place,
                "title": rule.title,
                "inputs": [
                    {"name": item.name, "arity": item.arity, "meaning": item.meaning}
                    for item in rule.inputs
                ],
            }
            for rule in rules
        ]
    )
