"""Escaping of control characters, which a terminal would interpret instead of printing."""

from __future__ import annotations

import re

# C0 and C1 controls except tab and line breaks, line and paragraph separators, bidirectional
# embeddings, overrides and isolates (as in CVE-2021-42574), surrogates and the noncharacters that
# XML excludes. A lone carriage return overwrites the line.
CONTROL = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]|\r(?!\n)"
)


def printable(text: str) -> str:
    r"""The text with control characters replaced by Python escape sequences such as `\x1b`."""
    return CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)
