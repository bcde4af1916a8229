"""Lines of a puzzle file, each with its position for error messages."""

from __future__ import annotations

import re
from functools import cached_property

from aspdoku.errors import PuzzleError

BYTE_ORDER_MARK = "\ufeff"
MAX_QUOTED = 30

# Not str.splitlines: it also breaks at form feeds and other characters that may occur in a title or
# a quoted string.
LINE_BREAK = re.compile(r"\r\n|\r|\n")


class Line:
    """A line: its text, its number from 1, and the name of its file, empty if it is in none."""

    def __init__(self, text: str, number: int, name: str) -> None:
        self.text = text
        self.number = number
        self.name = name

    @cached_property
    def content(self) -> str:
        """The line without its comment and trailing blanks; empty if it is only a comment.

        Leading blanks are kept, because the column of a sign drawn between two rows is significant.
        """
        if self.text.lstrip()[:1] in ("#", ";", "%"):
            return ""
        return (_without_comment(self.text) if "#" in self.text else self.text).rstrip()

    def error(self, message: str) -> PuzzleError:
        """A PuzzleError about this line, to be raised."""
        return PuzzleError(message, place_of(self.name, self.number))


def split_lines(text: str, name: str) -> list[Line]:
    """Split the text of a file at line breaks of any kind."""
    texts = LINE_BREAK.split(text.removeprefix(BYTE_ORDER_MARK))
    return [Line(line, number, name) for number, line in enumerate(texts, 1)]


def place_of(name: str, line: int) -> str:
    """A line as the place of an error: `FILE:3`, or `line 3` of a text that is not in a file.

    A text without lines has only line 0, and no place.
    """
    return f"{name}:{line}" if name else f"line {line}" if line else ""


def quote(text: str) -> str:
    """Quote a piece of the file for a message, with control characters escaped, shortened."""
    return repr(text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…")


def pluralize(number: int, noun: str) -> str:
    """A number with a noun: `1 cell`, `2 cells`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _without_comment(text: str) -> str:
    """The text up to the first `#` that follows a blank and is outside double quotes."""
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
