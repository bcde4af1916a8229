"""The text of a puzzle file: its lines, each with its place, its sections, and the values in them.

A section is a heading `[name]` and the lines up to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.errors import PuzzleError
from aspdoku.puzzle.term import CONTROL, PREDICATE, Function

if TYPE_CHECKING:
    from aspdoku.puzzle.term import Term

BYTE_ORDER_MARK = "\ufeff"
MAX_QUOTED = 30

# Not str.splitlines: it also breaks at form feeds and other characters that may occur in a title or
# a quoted string.
LINE_BREAK = re.compile(r"\r\n|\r|\n")
# Up to the first # that follows a blank and is outside double quotes.
_BEFORE_COMMENT = re.compile(r'(?:[^"#]|(?<!\s)#|"(?:\\.|[^"\\])*+(?:"|\\?\Z))*+')
DIGITS = re.compile(r"[0-9]+")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,9})")
STRING = re.compile(r'"(?:[^"\\]|\\[n"\\])*"')
ESCAPE = re.compile(r"\\(.)")

# The integers of clingo, which silently overflow beyond this range.
INTEGERS = range(-(2**31), 2**31)


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
        before = _BEFORE_COMMENT.match(self.text) if "#" in self.text else None
        return (before[0] if before else self.text).rstrip()

    def error(self, message: str) -> PuzzleError:
        """A PuzzleError about this line, to be raised."""
        return PuzzleError(message, place_of(self.name, self.number))


class LocatedFact(NamedTuple):
    """A fact and the line that it comes from."""

    fact: Function
    line: Line


class Section(NamedTuple):
    """A section.

    name: the predicate that it defines
    heading: its first line, `[name]`
    lines: all lines after the heading, including blank ones
    """

    name: str
    heading: Line
    lines: list[Line]

    @property
    def contents(self) -> list[Line]:
        """The lines that are not just comments or blank."""
        return [line for line in self.lines if line.content]

    @property
    def title(self) -> str:
        """The section's name in messages."""
        return self.heading.content.strip()

    def empty_section_error(self) -> PuzzleError:
        """A PuzzleError for an empty section, to be raised."""
        return self.heading.error(f"section {self.title} is empty")


def split_lines(text: str, name: str) -> list[Line]:
    """Split the text of a file at line breaks of any kind."""
    texts = LINE_BREAK.split(text.removeprefix(BYTE_ORDER_MARK))
    return [Line(line, number, name) for number, line in enumerate(texts, 1)]


def split_sections(lines: list[Line]) -> tuple[list[Line], list[Section]]:
    """Split a file into the lines before the first section, and the sections.

    Raises PuzzleError for an invalid heading.
    """
    starts = [place for place, line in enumerate(lines) if line.content.lstrip().startswith("[")]
    sections = [
        Section(_section_name(lines[start]), lines[start], lines[start + 1 : end])
        for start, end in pairwise([*starts, len(lines)])
    ]
    return lines[: starts[0]] if starts else lines, sections


def _section_name(line: Line) -> str:
    text = line.content.strip()
    inner = text[1:].removesuffix("]").strip()
    if not text.endswith("]") or "]" in inner or "[" in inner:
        raise line.error(
            f"invalid section heading {quote(text)}: expected a name in brackets, e.g. [cage]"
        )
    name = inner.replace("-", "_")
    if not is_name(name):
        raise line.error(
            f"invalid section name {quote(inner)}: a name consists of letters, digits and -, and"
            " starts with a lowercase letter"
        )
    return name


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


def enumerated(names: Iterable[str]) -> str:
    """At least one name, as in `row, column and box`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def is_digits(text: str) -> bool:
    """Whether `text` consists of the digits 0 to 9; unlike str.isdigit, rejects ²."""
    return DIGITS.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether `text` is a valid name of a predicate or constant."""
    return text != "not" and PREDICATE.fullmatch(text) is not None


def parse_integer(text: str, line: Line) -> int:
    """Parse an integer. Raises PuzzleError if it is not an integer of clingo."""
    if not INTEGER.fullmatch(text) or int(text) not in INTEGERS:
        raise line.error(
            f"invalid integer {quote(text)}: clingo's integers are {INTEGERS.start} to"
            f" {INTEGERS.stop - 1}, without leading zeros"
        )
    return int(text)


def parse_string(text: str, line: Line) -> str:
    """Parse a quoted string.

    Raises PuzzleError for a control character, which clingo would print unescaped.
    """
    bad = CONTROL.search(text)
    if bad:
        raise line.error(f"control character {bad[0]!a} in the string {quote(text)}: delete it")
    return ESCAPE.sub(lambda escape: "\n" if escape[1] == "n" else escape[1], text[1:-1])


def parse_value(text: str, line: Line) -> Term:
    """Parse an integer, a quoted string or a constant. Raises PuzzleError for anything else."""
    if STRING.fullmatch(text):
        return parse_string(text, line)
    if is_name(text):
        return Function(text)
    if is_digits(text.removeprefix("-")):
        return parse_integer(text, line)
    raise line.error(
        f"invalid value {quote(text)}: expected an integer, a name such as even, or a string in"
        " double quotes"
    )
