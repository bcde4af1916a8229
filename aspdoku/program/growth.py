"""Rules that let a ground program grow without end, as far as their text shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from clingo import SymbolType, parse_term
from clingo.ast import BinaryOperator

from aspdoku.program.syntax import (
    Signature,
    atoms,
    heads,
    is_positive_atom,
    parse,
    reachable,
    signature,
    source_of,
    variables,
    walk,
)
from aspdoku.signals import postponed

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.program.rulefile import RuleFile

# The numbers of a range that is too large: those of grids and their sums are far smaller.
_LARGE_RANGE = 100_000
# As in p((X+1)\n) and p(X/2).
_SHRINKING = (BinaryOperator.Modulo, BinaryOperator.Division, BinaryOperator.And)


class Growth(NamedTuple):
    """A statement that makes a ground program large, and how."""

    text: str
    statement: AST


def growths(rule: RuleFile) -> Iterator[Growth]:
    """The rules with terms that may grow without end, then those with large ranges."""
    statements, _ = parse(rule)
    yield from _growing_terms(statements)
    yield from _large_ranges(rule, statements)


def _growing_terms(statements: Sequence[AST]) -> Iterator[Growth]:
    """Rules that derive ever larger terms from their own atoms: p(f(X)) or p(X+1) from p(X), where
    nothing else in the body bounds X.
    """
    uses: dict[Signature, set[Signature]] = defaultdict(set)
    for statement in statements:
        used = {signature(atom) for literal in _body(statement) for atom in atoms(literal)}
        for head in heads(statement):
            uses[signature(head)] |= used
    for statement in statements:
        for head in heads(statement):
            own, bounded = _depths(head), set[str]()
            before: dict[str, int] = defaultdict(int)
            for literal in _body(statement):
                found = list(atoms(literal))
                if is_positive_atom(literal) and any(
                    signature(head) in reachable(signature(atom), uses) for atom in found
                ):
                    for name, depth in (each for atom in found for each in _depths(atom).items()):
                        before[name] = max(before[name], depth)
                else:
                    bounded |= variables(literal)
            grows = {name for name in own.keys() & before.keys() if own[name] > before[name]}
            if grows - bounded:
                name, arity = signature(head)
                yield Growth(
                    f"{name}/{arity} depends on itself, and nothing bounds {min(grows - bounded)}:"
                    " its terms may grow without end",
                    statement,
                )


def _depths(term: AST) -> dict[str, int]:
    """How deep each variable is nested in functions and operations that can make terms larger."""
    if term.ast_type.name == "Variable":
        return {term.name: 0}
    if getattr(term, "operator_type", None) in _SHRINKING:
        return {}
    depths: dict[str, int] = {}
    for key in term.child_keys:
        child = getattr(term, key)
        for each in child if isinstance(child, Sequence) else [child]:
            for name, depth in _depths(each).items():
                depths[name] = max(depths.get(name, 0), depth + 1)
    return depths


def _large_ranges(rule: RuleFile, statements: Sequence[AST]) -> Iterator[Growth]:
    for statement in statements:
        for node in walk(statement):
            if node.ast_type.name == "Interval":
                first, last = _number(node.left), _number(node.right)
                if first is not None and last is not None and last - first >= _LARGE_RANGE:
                    source, count = source_of(rule, node), f"{last - first + 1:,}"
                    yield Growth(f"the range {source} has {count} numbers", statement)


def _number(term: AST) -> int | None:
    """The value of a term without variables and constants."""
    with suppress(RuntimeError), postponed:
        value = parse_term(str(term), logger=lambda *_: None)
        return value.number if value.type is SymbolType.Number else None
    return None


def _body(rule: AST) -> Sequence[AST]:
    return getattr(rule, "body", ())
