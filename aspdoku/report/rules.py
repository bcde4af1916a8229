"""Rule files and the findings of the linter, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from aspdoku.program import RuleFile
from aspdoku.program.messages import Message


def rules_text(rules: Iterable[RuleFile]) -> str:
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


def rules_json(rules: Iterable[RuleFile]) -> list[dict[str, object]]:
    """The same as a JSON array of objects."""
    return [
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


def lint_text(findings: Mapping[str, Sequence[Message]]) -> str:
    """A line for each finding, file:line:column first, and one for each file without any."""
    lines: list[str] = []
    for file, messages in findings.items():
        lines += map(str, messages) if messages else [f"{file}: nothing found"]
    return "\n".join(lines)


def lint_json(findings: Mapping[str, Sequence[Message]]) -> dict[str, object]:
    """A JSON object: the findings of each file, each with line, column and text."""
    return {
        file: [
            {"line": message.line, "column": message.column, "text": message.text}
            for message in messages
        ]
        for file, messages in findings.items()
    }
