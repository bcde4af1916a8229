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
from clingo.ast import AST

from aspdoku.program.lint import fatal_errors, growth
from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import heads, nodes, parse, position_of, sides_of, source_of, span
from aspdoku.program.transform import is_exception

# Comparisons that are mistaken for others.
_MISTAKEN = {
    ">": (">=",),
    "<": ("<=",),
    "<=": ("<",),
    ">=": (">",),
    "!=": ("<", ">"),
    "=": ("<=", ">="),
}
_SIGN = r"([<>!=]=|[<>=])"
_BETWEEN = re.compile(_SIGN)
_BEFORE, _AFTER = re.compile(rf"{_SIGN}[\s(]*\Z"), re.compile(rf"[\s)]*{_SIGN}")
_TRUE = "#true"  # in place of a condition that is left out


class Variant(NamedTuple):
    """A rule file with one change, and what the change is."""

    words: str
    rule: RuleFile


def variants(rule: RuleFile) -> Iterator[Variant]:
    """The valid variants of a rule file, in the order of its lines."""
    text = rule.text
    grows = any(growth(rule))
    for statement in (each for each in parse(rule)[0] if each.ast_type.name == "Rule"):
        for node, begin, end, new in _changes(statement, text):
            changed = replace(rule, text=text[:begin] + new + text[end:], vetted=False)
            if fatal_errors(changed) or (not grows and any(growth(changed))):
                continue
            line, (first, last) = position_of(node)[0], span(text, node)
            words = f"line {line} left out"
            if node != statement:
                words = f"line {line} without {source_of(rule, node)}"
            if new not in ("", _TRUE):
                shown = text[first:begin] + new + text[end:last]
                words = f"line {line} with {' '.join(shown.split())}"
            yield Variant(words, changed)


def _changes(statement: AST, text: str) -> Iterator[tuple[AST, int, int, str]]:
    """The statement or condition that changes, from where to where, and what is there instead."""
    if not any(heads(statement)):
        yield statement, *span(text, statement), ""
    for literal in (each for each in statement.body if not is_exception(each)):
        yield literal, *span(text, literal), _TRUE
        for node in nodes(literal, "Comparison", "Aggregate", "BodyAggregate"):
            for sign in _signs(node, text):
                for other in _MISTAKEN.get(sign[1], ()):
                    yield literal, *sign.span(1), other
        for term in nodes(literal, "SymbolicTerm"):
            if term.symbol.type == SymbolType.Number:
                for number in (term.symbol.number - 1, term.symbol.number + 1):
                    yield literal, *span(text, term), str(number)


def _signs(node: AST, text: str) -> Iterator[re.Match[str]]:
    """The signs of a comparison with two sides, or of an aggregate."""
    if node.ast_type.name == "Comparison":
        sides = sides_of(node)
        places = [(span(text, sides[0])[1], span(text, sides[1])[0])] if len(sides) == 2 else []
        found = [_BETWEEN.search(text, *place) for place in places]
    else:
        # clingo calls the only guard the left one, wherever it is.
        guards = [span(text, each.term) for each in (node.left_guard, node.right_guard) if each]
        start, _ = span(text, node)
        found = [
            _BEFORE.search(text, start, first) or _AFTER.match(text, last) for first, last in guards
        ]
    yield from filter(None, found)
