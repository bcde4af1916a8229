"""Blocks of alternatives, Or, as options, and the names by which rules make exceptions of clues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from aspdoku.formats.base import UnsupportedError
from aspdoku.program import library
from aspdoku.puzzle.term import Function, Term

OR, AND = "Or", "And"
_MOST_OPTIONS = 500

_EXCEPTION = re.compile(r"not ab\(\w+,(?:([A-Z])|\(([A-Z0-9,]+)\))\)")


class Constraint(NamedTuple):
    """The name of a constraint, which is empty for givens, and its arguments.

    inside: the constraints of a block
    """

    word: str
    arguments: list[str]
    inside: tuple[Constraint, ...] = ()


Option = tuple[Constraint, ...]


def options(block: Constraint) -> list[Option]:
    """The options of a block: all constraints of at least one of them are true.

    Raises UnsupportedError for an empty block, and if there are too many.
    """
    if not block.word:
        parts = list(map(_numbers, block.arguments))
    elif block.word in (OR, AND):
        parts = [options(each) for each in block.inside]
    else:
        return [(block,)]
    if not parts:
        raise UnsupportedError(f"an empty {block.word or 'given'}")
    if block.word == OR:
        return _limited(option for part in parts for option in part)
    return _limited(sum(each, ()) for each in product(*parts))


def _numbers(given: str) -> list[Option]:
    """A given with several numbers, such as R1C2_3_4, as options with one each."""
    cell, _, numbers = given.partition("_")
    return [(Constraint("", [f"{cell}_{number}"]),) for number in numbers.split("_")]


def _limited(found: Iterable[Option]) -> list[Option]:
    listed: list[Option] = []
    for option in found:
        listed.append(option)
        if len(listed) > _MOST_OPTIONS:
            raise UnsupportedError(f"more than {_MOST_OPTIONS} alternatives")
    return listed


def exceptions(facts: Iterable[Function], name: str) -> Iterator[tuple[Term, Term]]:
    """The arguments of the facts `ab(T,U)` that retract the clues of a rule: its symbol, and the
    name of a clue, or all arguments of a clue without a name.

    Raises UnsupportedError if the rule has no exception for a single clue.
    """
    rule = library.find(name)
    found = [match.groups() for match in _EXCEPTION.finditer(rule.code)]
    letters = {letter for letter, _ in found if letter}
    tuples = {tuple(listed.split(",")) for _, listed in found if listed}
    declared = {item.signature: item for item in rule.inputs}
    clues: dict[Term, None] = {}
    for fact in facts:
        item = declared[fact.signature]
        named = [fact.arguments[place] for place in item.names if item.arguments[place] in letters]
        if not named and item.arguments in tuples:
            named = [Function("", fact.arguments)]
        clues |= dict.fromkeys(named)
    if not clues:
        raise UnsupportedError(f"no exception names a clue of {name}")
    symbol = Function(name.replace("-", "_"))
    yield from ((symbol, clue) for clue in clues)
