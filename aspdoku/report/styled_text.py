"""Text in which it can be seen whose words are whose.

Wrapped for a terminal, coloured by rule file where it is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

WIDTH = 110

_BLANKS = re.compile(r"(\s+)")
_COLOURS = (36, 35, 33, 32, 34, 31)
_RESET = "\x1b[0m"


class Span(NamedTuple):
    """A piece of text, and the name of the rule file whose words it is.

    Empty for the program's own.
    """

    text: str
    source: str = ""


class StyledLine(NamedTuple):
    """A line: what stands before it, and its text.

    What does not fit goes on below, set in by so much.
    """

    lead: str
    spans: tuple[Span, ...]
    hanging: int = 9

    def filled(self, colours: Mapping[str, int] | None = None) -> str:
        """The line as text, broken between words; colours.

        The place of each rule file that has a colour of its own.
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


def join_spans(between: str, parts: Iterable[Iterable[Span]]) -> list[Span]:
    """The parts one after the other, with a text between them."""
    found: list[Span] = []
    for part in parts:
        found += [Span(between), *part] if found else part
    return found


def _words(spans: Iterable[Span]) -> list[list[Span]]:
    """The words, each of one or more pieces: a bracket belongs to the word beside it."""
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
