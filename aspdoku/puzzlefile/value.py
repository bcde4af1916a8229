"""ASP constants, integers and quoted strings in a puzzle file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aspdoku.puzzle.printable import CONTROL
from aspdoku.puzzle.term import PREDICATE, Function
from aspdoku.puzzlefile.lines import Line, quote

if TYPE_CHECKING:
    from collections.abc import Collection

    from aspdoku.puzzle.term import Term

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
