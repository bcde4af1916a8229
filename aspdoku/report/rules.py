"""Rule files and the findings of the linter, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from aspdoku.program import RuleFile
from aspdoku.program.messages import Message


def rules_text(rules: Iterable[RuleFile]) -> str:
    """The name and title of each rule, with its inputs and their meaning below."""
    rules = list(rules)
    width = max((len(rule.name) for rule in rules), default=0)
    lines = []
    for rule in rules:
        lines.append(f"{rule.name:<{width}} {rule.title}".rstrip())
        lines += [f"{'':<{width}}   {item}  {item.meaning}".rstrip() for item in rule.inputs]
    return "\n".join(lines)


def rules_json(rules: Iterable[RuleFile]) -> list[dict[str, object]]:
    """The rules as JSON objects."""
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
    """A line for each finding, starting with its location, and for each file without findings."""
    lines: list[str] = []
    for file, messages in findings.items():
        lines += map(str, messages) if messages else [f"{file}: nothing found"]
    return "\n".join(lines)


def lint_json(findings: Mapping[str, Sequence[Message]]) -> dict[str, object]:
    """The findings of each file as a JSON object."""
    return {
        file: [
            {"line": message.line, "column": message.column, "text": message.text}
            for message in messages
        ]
        for file, messages in findings.items()
    }
