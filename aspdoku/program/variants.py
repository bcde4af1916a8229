"""Rules that differ from a rule in one place, as if its author had meant or written another thing.

A variant lacks a constraint or a condition, or has another comparison or number in a condition.
They are readings of a rule that its examples should tell apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from clingo import SymbolType
from clingo.ast import AST, Position

from aspdoku.program.lint import fatal_errors, growth
from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import heads, nodes, parse, position_of
from aspdoku.program.transform import is_exception

# Comparisons that are mistaken for others.
_MISTAKEN = {
    **{">": (">=",), "<": ("<=",), "<=": ("<",), ">=": (">",), "!=": ("<",), "=": ("<=", ">=")}
}
_SIGN = re.compile(r"[<>!]?=|[<>]")
_TRUE = "#true"  # in place of a condition that is left out


class Variant(NamedTuple):
    """A rule file with one change, and what the change is."""

    words: str
    rule: RuleFile


def variants(rule: RuleFile) -> Iterator[Variant]:
    """The valid variants of a rule file, in the order of its lines."""
    text = _Text(rule.text)
    grows = any(growth(rule))
    for statement in (each for each in parse(rule)[0] if each.ast_type.name == "Rule"):
        for node, begin, end, new in _changes(statement, text):
            changed = replace(rule, text=text.with_part(begin, end, new), vetted=False)
            if fatal_errors(changed) or (not grows and any(growth(changed))):
                continue
            line, location = position_of(node)[0], node.location
            words = f"line {line} left out"
            if node != statement:
                words = f"line {line} without {text.part(location.begin, location.end)}"
            if new not in ("", _TRUE):
                shown = text.part(location.begin, begin), text.part(end, location.end)
                words = f"line {line} with {new.join(shown)}"
            yield Variant(words, changed)


def _changes(statement: AST, text: _Text) -> Iterator[tuple[AST, Position, Position, str]]:
    """The statement or condition that changes, from where to where, and what is there instead."""
    if not any(heads(statement)):
        yield statement, statement.location.begin, statement.location.end, ""
    for literal in (each for each in statement.body if not is_exception(each)):
        yield literal, literal.location.begin, literal.location.end, _TRUE
        atom = getattr(literal, "atom", literal)
        if atom.ast_type.name == "Comparison" and len(atom.guards) == 1:
            between = atom.term.location.end, atom.guards[0].term.location.begin
            if sign := _SIGN.search(written := text.part(*between)):
                for other in _MISTAKEN.get(sign[0], ()):
                    yield literal, *between, _SIGN.sub(other, written, count=1)
        for term in nodes(literal, "SymbolicTerm"):
            if term.symbol.type == SymbolType.Number:
                for number in (term.symbol.number - 1, term.symbol.number + 1):
                    yield literal, term.location.begin, term.location.end, str(number)


class _Text:
    """A text whose parts clingo names by lines and columns, which count bytes."""

    def __init__(self, text: str) -> None:
        self._lines = [f"{line}\n".encode() for line in text.split("\n")]

    def part(self, begin: Position, end: Position) -> str:
        """A part, with single blanks for line breaks and indentation."""
        words = self._before(end)[len(self._before(begin)) :].decode()
        return re.sub(r"\s+", " ", words)

    def with_part(self, begin: Position, end: Position, new: str) -> str:
        """The text with another part in place of this one."""
        after = b"".join(self._lines)[len(self._before(end)) :]
        return (self._before(begin) + new.encode() + after).decode()

    def _before(self, place: Position) -> bytes:
        *lines, last = self._lines[: place.line]
        return b"".join([*lines, last[: place.column - 1]])
