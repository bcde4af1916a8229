"""Recursion through `not` or an aggregate: rules that choose, or rule something out, without looking like it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from aspdoku.program.syntax import Signature, atoms, heads, signature

if TYPE_CHECKING:
    from clingo.ast import AST


def closing_circles(statements: Iterable[AST]) -> Iterator[tuple[AST, Signature]]:
    """The statements by which a predicate hangs on itself through a `not` or an aggregate, with the predicate."""
    statements = list(statements)
    uses: dict[Signature, set[Signature]] = {}
    for statement in statements:
        for head in heads(statement):
            uses.setdefault(signature(head), set()).update(signature(atom) for part in statement.body for atom in atoms(part))
    for statement in statements:
        through_not = {signature(atom) for literal in statement.body if not _is_plain(literal) for atom in atoms(literal)}
        for head in heads(statement):
            if any(signature(head) in _reachable(used, uses) for used in through_not):
                yield statement, signature(head)


def _is_plain(literal: AST) -> bool:
    return literal.ast_type.name == "Literal" and literal.sign == 0 and literal.atom.ast_type.name == "SymbolicAtom"


def _reachable(start: Signature, uses: Mapping[Signature, set[Signature]]) -> set[Signature]:
    found, waiting = {start}, [start]
    while waiting:
        new = uses.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
