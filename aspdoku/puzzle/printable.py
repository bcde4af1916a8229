"""Escaping of characters that control a terminal instead of printing something."""

from __future__ import annotations

import re

# C0 and C1 controls except tab and line breaks, line and paragraph separators, bidirectional
# embeddings, overrides and isolates (as in CVE-2021-42574), surrogates and the noncharacters that
# XML excludes. A lone carriage return overwrites the line.
CONTROL = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]|\r(?!\n)"
)


def printable(text: str) -> str:
    r"""The text with each control character replaced by its escape sequence in Python, such as
    `\x1b`.
    """
    return CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)
