"""ASP constants, integers and quoted strings in a puzzle file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aspdoku.puzzle.printable import CONTROL
from aspdoku.puzzle.term import PREDICATE, Function
from aspdoku.puzzlefile.lines import Line, quote

if TYPE_CHECKING:
    from collections.abc import Collection

    from aspdoku.puzzle.printable import CONTROL
from aspdoku.puzzle.term import Term

DIGITS = re.compile(r"[0-9]+")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,9})")
STRING = re.compile(r'"(?:[^"\\]|\\[n"\\])*"')
VALUE = re.compile(rf"-?[0-9]+|{STRING.pattern}|{PREDICATE.pattern}")
ESCAPE = re.compile(r"\\(.)")

# clingo's numbers; it lets larger ones run over without a word.
INTEGERS = range(-(2**31), 2**31)


def is_digits(text: str) -> bool:
    """Whether `text` is made of the digits 0 to 9; unlike for str.isdigit, ² is none."""
    return DIGITS.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a predicate or a constant can be called so."""
    return text != "not" and PREDICATE.fullmatch(text) is not None


def is_value(term: Term) -> bool:
    """Whether `read` can give this term."""
    return not isinstance(term, Function) or (is_name(term.name) and not term.arguments)


def values_by_owner(owners: Collection[Term], facts: list[Function]) -> dict[Term, Term] | None:
    """The values that facts `name_value(OWNER,VALUE)` give.

    None where `read` could not give each of these owners its own.
    """
    values: dict[Term, Term] = {}
    for fact in facts:
        owner, term = fact.arguments
        if owner not in owners or owner in values or not is_value(term):
            return None
        values[owner] = term
    return values


def parse_integer(text: str, line: Line) -> int:
    """The number that `text` writes. Raises PuzzleError where clingo has no such number."""
    if not INTEGER.fullmatch(text) or int(text) not in INTEGERS:
        raise line.error(
            f"{quote(text)} is not a number for clingo: write {INTEGERS.start} to"
            f" {INTEGERS.stop - 1}, no zeros in front"
        )
    return int(text)


def parse_string(text: str, line: Line) -> str:
    """The string that `text`, in its quotes, writes.

    Raises PuzzleError for a control character, which clingo would print.
    """
    bad = CONTROL.search(text)
    if bad:
        raise line.error(f"control character {bad[0]!a} in the text {quote(text)}: delete it")
    return ESCAPE.sub(lambda escape: "\n" if escape[1] == "n" else escape[1], text[1:-1])


def parse_value(text: str, line: Line) -> Term:
    """The number, string or constant that `text` writes. Raises PuzzleError for anything else."""
    if STRING.fullmatch(text):
        return parse_string(text, line)
    if is_name(text):
        return Function(text)
    if is_digits(text.removeprefix("-")):
        return parse_integer(text, line)
    raise line.error(
        f"{quote(text)} is not a value: write a number, a name such as even, or a text in quotes,"
        ' "so"'
    )
