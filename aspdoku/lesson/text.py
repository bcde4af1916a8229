"""The prose of a lesson: code and emphasis of Markdown, and numbers that are computed.

`{count}`, `{was}` and `{hash: base}` in prose, but not in code, stand for what a function knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_MARKED = re.compile(r"`([^`]+)`|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])")
_FIELD = re.compile(r"\{([^{}]*)\}")

Span = list[str]
"""A kind, "", "code" or "em", and a text."""


class Prose(NamedTuple):
    """A paragraph of the file, as one line, and the line at which it begins."""

    text: str
    line: int


def spans(text: str) -> list[Span]:
    """Code in backticks, emphasis between asterisks, and the text around them."""
    spans_read: list[Span] = []
    position = 0
    for match in _MARKED.finditer(text):
        spans_read.append(["", text[position : match.start()]])
        spans_read.append(["code", match[1]] if match[1] else ["em", match[2]])
        position = match.end()
    spans_read.append(["", text[position:]])
    return [span for span in spans_read if span[1]]


def filled(text: str, value: Callable[[str, str], str]) -> list[Span]:
    """The spans of a text, with `{name: of}` outside of code replaced by `value(name, of)`."""

    def fill(match: re.Match[str]) -> str:
        name, _, of = match[1].partition(":")
        return value(name.strip(), of.strip())

    return [
        [kind, words if kind == "code" else _FIELD.sub(fill, words)] for kind, words in spans(text)
    ]
