"""What a check of rule files found, in lines and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from aspdoku.program.messages import Message


def report(findings: Mapping[str, Sequence[Message]]) -> str:
    """A line for each finding, file:line:column first, and one for each file without any."""
    lines: list[str] = []
    for file, messages in findings.items():
        lines += map(str, messages) if messages else [f"{file}: nothing found"]
    return "\n".join(lines)


def document(findings: Mapping[str, Sequence[Message]]) -> str:
    """A JSON object: the findings of each file, each with line, column and text."""
    return json.dumps(
        {
            file: [
                {"line": message.line, "column": message.column, "text": message.text}
                for message in messages
            ]
            for file, messages in findings.items()
        }
    )
