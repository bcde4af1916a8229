"""Sections of a puzzle file: a heading `[name]` and the lines up to the next; values in them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from aspdoku.puzzle.term import CONTROL, PREDICATE, Function
from aspdoku.puzzlefile.lines import Line, quote

if TYPE_CHECKING:
    from collections.abc import Collection

    from aspdoku.errors import PuzzleError
    from aspdoku.puzzle.term import Term


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


DIGITS = re.compile(r"[0-9]+")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,9})")
STRING = re.compile(r'"(?:[^"\\]|\\[n"\\])*"')
VALUE = re.compile(rf"-?[0-9]+|{STRING.pattern}|{PREDICATE.pattern}")
ESCAPE = re.compile(r"\\(.)")

# The integers of clingo, which silently overflow beyond this range.
INTEGERS = range(-(2**31), 2**31)


def is_digits(text: str) -> bool:
    """Whether `text` consists of the digits 0 to 9; unlike str.isdigit, rejects ²."""
    return DIGITS.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether `text` is a valid name of a predicate or constant."""
    return text != "not" and PREDICATE.fullmatch(text) is not None


def is_value(term: Term) -> bool:
    """Whether `parse_value` can return this term."""
    return not isinstance(term, Function) or (is_name(term.name) and not term.arguments)


def values_by_owner(owners: Collection[Term], facts: list[Function]) -> dict[Term, Term] | None:
    """The values in facts `name_value(OWNER,VALUE)`, by owner.

    None if an owner is unknown or has several values, or if `parse_value` cannot return a value.
    """
    values: dict[Term, Term] = {}
    for fact in facts:
        owner, term = fact.arguments
        if owner not in owners or owner in values or not is_value(term):
            return None
        values[owner] = term
    return values


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
