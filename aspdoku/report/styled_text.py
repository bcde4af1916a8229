"""Text spans tagged with their rule file, wrapped for a terminal and optionally coloured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

WIDTH = 110

_BLANKS = re.compile(r"(\s+)")
_COLOURS = (36, 35, 33, 32, 34, 31)
_RESET = "\x1b[0m"


class Span(NamedTuple):
    """A text and the name of the rule file that it comes from, or "" if from none."""

    text: str
    source: str = ""


class StyledLine(NamedTuple):
    """A line of text after a lead, such as a bullet.

    hanging: the indentation of continuation lines
    """

    lead: str
    spans: tuple[Span, ...]
    hanging: int = 9

    def wrapped(self, colours: Mapping[str, int] | None = None) -> str:
        """The line as text, wrapped between words.

        colours: the index of the colour of each rule file that has one
        """
        lines: list[str] = []
        current, width = self.lead, len(self.lead)
        fresh = True
        for word in _words(self.spans):
            length = sum(len(text) for text, _ in word)
            if not fresh and width + 1 + length > WIDTH:
                lines.append(current)
                current, width, fresh = " " * self.hanging, self.hanging, True
            current += ("" if fresh else " ") + "".join(
                _coloured(span, colours or {}) for span in word
            )
            width += length + (not fresh)
            fresh = False
        return "\n".join([*lines, current])


def join_spans(separator: str, parts: Iterable[Iterable[Span]]) -> list[Span]:
    """The parts, joined by a separator."""
    found: list[Span] = []
    for part in parts:
        found += [Span(separator), *part] if found else part
    return found


def _words(spans: Iterable[Span]) -> list[list[Span]]:
    """The words, each of one or more spans: a bracket belongs to the adjacent word."""
    words: list[list[Span]] = [[]]
    for text, source in spans:
        for piece in _BLANKS.split(text):
            if piece.isspace():
                words.append([])
            elif piece:
                words[-1].append(Span(piece, source))
    return [word for word in words if word]


def _coloured(span: Span, colours: Mapping[str, int]) -> str:
    if span.source not in colours:
        return span.text
    return f"\x1b[{_COLOURS[colours[span.source] % len(_COLOURS)]}m{span.text}{_RESET}"
