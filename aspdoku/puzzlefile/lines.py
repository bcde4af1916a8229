"""The lines of a puzzle file; each knows where it stands, so that every complaint can say so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from aspdoku.errors import PuzzleError

BYTE_ORDER_MARK = "\ufeff"
MAX_QUOTED = 30

# Not str.splitlines: it also breaks at form feeds and other signs that may stand inside a title or
# a quoted string.
LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Line:
    """A line: its text, its number from 1, and the name of its file."""

    text: str
    number: int
    name: str

    @cached_property
    def content(self) -> str:
        """The line without its comment and the blanks at its end; empty where it is all comment.

        Blanks at its start stay, because signs that are drawn between two rows mean something by
        their column.
        """
        if self.text.lstrip()[:1] in ("#", ";", "%"):
            return ""
        return (_without_comment(self.text) if "#" in self.text else self.text).rstrip()

    def error(self, message: str) -> PuzzleError:
        """The complaint about this line, to be raised."""
        return PuzzleError(message, f"{self.name}:{self.number}")


def split_lines(text: str, name: str) -> list[Line]:
    """The lines of a file's text, with whatever line breaks it has."""
    texts = LINE_BREAK.split(text.removeprefix(BYTE_ORDER_MARK))
    return [Line(line, number, name) for number, line in enumerate(texts, 1)]


def quote(text: str) -> str:
    """A piece of the file as messages quote it.

    In quotes, unprintable characters spelt out, and not too long.
    """
    return repr(text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…")


def pluralize(number: int, noun: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _without_comment(text: str) -> str:
    """The text up to the first `#` that follows a blank and stands outside double quotes."""
    quoted = escaped = False
    for place, sign in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif sign == "#" and not quoted and text[place - 1 : place].isspace():
            return text[:place]
    return text
