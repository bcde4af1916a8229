"""Rules that let a ground program grow without end, as far as their text shows it, and a way to end
its grounding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clingo import Observer, SymbolType, parse_term
from clingo.ast import BinaryOperator, ComparisonOperator

from aspdoku.program import library
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
from aspdoku.runtime.signals import postponed

if TYPE_CHECKING:
    from clingo.ast import AST

    from aspdoku.program.rulefile import RuleFile

# The numbers of a range that is too large: those of grids and their sums are far smaller.
_LARGE_RANGE = 100_000
# As in p((X+1)\n) and p(X/2).
_SHRINKING = (BinaryOperator.Modulo, BinaryOperator.Division, BinaryOperator.And)

# Ground rules between two questions whether a grounding has to end: a thousandth of a second.
_UNCHECKED = 1000


class Brake(Observer):
    """Ends a grounding. clingo cannot be interrupted while it grounds, but reports ground rules.

    must_end: asked from time to time, with the number of ground rules
    """

    def __init__(self, must_end: Callable[[int], bool]) -> None:
        self._must_end = must_end
        self.rules = 0
        self.used = False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Count a ground rule."""
        self.rules += 1
        if self.rules % _UNCHECKED == 0 and self._must_end(self.rules):
            self.used = True
            raise RuntimeError


class Growth(NamedTuple):
    """A statement that makes a ground program large, and how."""

    text: str
    statement: AST


def growths(rule: RuleFile) -> Iterator[Growth]:
    """The rules with terms that may grow without end, then those with large ranges."""
    statements, _ = parse(rule)
    yield from _growing_terms(statements)
    yield from _large_ranges(rule, statements)


@lru_cache(maxsize=64)  # the same for each grid of a batch
def may_exceed(
    rule: RuleFile, most: int, size: int, others: int, read: frozenset[Signature]
) -> bool:
    """Whether a file may make a program have more ground rules than `most`, as far as its text
    shows it.

    Without new terms, the instances of a rule are bounded by the values of its variables.

    size: how many rows and numbers a grid has at most
    others: how many terms the facts of the puzzle may have besides
    read: the inputs of the rules of the program
    """
    statements = [each for each in parse(rule)[0] if hasattr(each, "body")]
    base = {signature(head) for each in parse(library.base())[0] for head in heads(each)}
    nodes = [node for each in statements for node in walk(each)]
    if any(each.ast_type.name == "Interval" for each in nodes):
        return True
    others += size + len({str(each) for each in nodes if each.ast_type.name == "SymbolicTerm"})
    bound = 0
    for statement in statements:
        derived = set(map(signature, heads(statement)))
        if derived & read or (derived and _makes_terms(statement)):
            return True
        in_grid = [
            str(argument)
            for literal in statement.body
            if is_positive_atom(literal) and signature(literal.atom.symbol) in base
            for argument in literal.atom.symbol.arguments
        ]
        # clingo projects each anonymous variable out, by rules with its values.
        nameless = [node for node in walk(statement) if str(node) == "_"]
        names = variables(statement) - {"_"}
        free = len(names.difference(in_grid)) + len(nameless) - in_grid.count("_")
        bound += size ** (len(names) + len(nameless) - free) * others**free
    return bound > most


def _makes_terms(statement: AST) -> bool:
    """Whether a rule with a head may derive other terms than its body or its text contains."""
    for literal in statement.body:
        atom = getattr(literal, "atom", None)
        if atom is None or "Aggregate" in atom.ast_type.name:
            return True
        if atom.ast_type.name == "Comparison" and any(
            guard.comparison == ComparisonOperator.Equal for guard in atom.guards
        ):
            return True
    parts = [*heads(statement), *(atom for each in statement.body for atom in atoms(each))]
    return any(
        node.ast_type.name in ("BinaryOperation", "UnaryOperation", "Function")
        and (node.ast_type.name != "Function" or len(node.arguments) > 0)
        for part in parts
        for argument in getattr(part, "arguments", [part])
        for node in walk(argument)
    )


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
