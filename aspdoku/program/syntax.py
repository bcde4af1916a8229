"""Rule files as clingo's abstract syntax trees (`clingo.ast`), and queries on them."""

from __future__ import annotations

import atexit
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from aspdoku.program.rulefile import offset_of
from aspdoku.runtime.signals import postponed

if TYPE_CHECKING:
    from clingo.ast import AST as AST
    from clingo.ast import ASTType

    from aspdoku.program.messages import Message
    from aspdoku.program.rulefile import RuleFile

Signature = tuple[str, int]

# Variables; also constants and strings, because they may contain the text of a variable.
NAMES = re.compile(r"""[A-Z_]\w*'*|[a-z]\w*|"(?:\\.|[^"\\])*\"""")
EQUAL = 5  # a comparison operator in clingo's syntax tree
# The operations that clingo inverts to bind their only variable: plus, minus, times.
_LINEAR = (3, 4, 5)
_MINUS_SIGN = 0


def parse(rule: RuleFile) -> tuple[list[AST], list[Message]]:
    """The statements of a rule file, and its syntax errors, if any. A file that is not known to be
    safe is vetted first: embedded code, `#include` and excessive nesting or size are errors.
    """
    if not rule.vetted:
        from aspdoku.program.vetting import vet  # no bundled rule needs it

        if errors := vet(rule.text, rule.place):
            from aspdoku.program.syntax_hints import in_words

            return [], in_words(rule, errors)
    return list(_statements(rule.text)), []


@lru_cache(maxsize=256)  # all functions of this module parse the file again
def _statements(text: str) -> tuple[AST, ...]:
    from clingo.ast import parse_string

    statements: list[AST] = []
    with postponed:
        parse_string(text, statements.append)
    return tuple(statements)


# Statements that outlive the clingo module raise errors when Python exits.
atexit.register(_statements.cache_clear)


def walk(node: AST) -> Iterator[AST]:
    """The node and all its descendants, in textual order."""
    yield node
    for child in children(node):
        yield from walk(child)


def nodes(node: AST, *kinds: str) -> Iterator[AST]:
    """The nodes of these types in and below a node."""
    kind = node.ast_type
    if kind.name in kinds:
        yield node
    for child in _below(node, kind):
        yield from nodes(child, *kinds)


def sides_of(comparison: AST) -> list[AST]:
    """The terms of a comparison."""
    return [comparison.term, *(guard.term for guard in comparison.guards)]


# The children of each type of node; clingo finds them again whenever it is asked.
_KEYS: dict[ASTType, list[str]] = {}


def children(node: AST) -> Iterator[AST]:
    """The nodes below a node, in textual order."""
    return _below(node, node.ast_type)


def _below(node: AST, kind: ASTType) -> Iterator[AST]:
    from clingo.ast import AST

    if kind not in _KEYS:
        _KEYS[kind] = node.child_keys
    for key in _KEYS[kind]:
        child = getattr(node, key)
        yield from (child,) if isinstance(child, AST) else child or ()


def atoms(node: AST) -> Iterator[AST]:
    """The terms of all atoms in and below the node; of a pool, each of its members."""
    kind = node.ast_type.name
    if kind == "SymbolicAtom":
        yield from (
            node.symbol.arguments if node.symbol.ast_type.name == "Pool" else (node.symbol,)
        )
    elif kind != "Comparison":  # of terms, without atoms
        for child in children(node):
            yield from atoms(child)


def heads(statement: AST) -> Iterator[AST]:
    """The terms of the atoms that a rule, choice, disjunction or external can make true."""
    if statement.ast_type.name == "External":
        yield from atoms(statement.atom)
    elif statement.ast_type.name == "Rule":
        for element in getattr(statement.head, "elements", [statement.head]):
            if element.ast_type.name == "HeadAggregateElement":
                element = element.condition
            literal = getattr(element, "literal", element)
            if literal.ast_type.name == "Literal" and literal.sign == 0:
                yield from atoms(literal)


def negated_head(statement: AST) -> AST | None:
    """The body literal for a constraint's head, e.g. `not N < 5` for `N < 5`, or None."""
    head = statement.head
    return None if str(head) == "#false" else head.update(sign=2 if head.sign == 1 else 1)


def signature(symbol: AST) -> Signature:
    """Name and arity of an atom's term."""
    if symbol.ast_type.name == "UnaryOperation":
        name, arity = signature(symbol.argument)
        return f"-{name}", arity
    return symbol.name, len(symbol.arguments)


@lru_cache(maxsize=256)  # a program is assembled again for each other grid
def predicates(rule: RuleFile) -> frozenset[Signature]:
    """The predicates that occur in the rules of a file, in heads and bodies."""
    statements, _ = parse(rule)
    return frozenset(signature(atom) for statement in statements for atom in atoms(statement))


def source_of(rule: RuleFile, node: AST) -> str:
    """The node as its author wrote it, on one line."""
    begin, end = span(rule.text, node)
    return " ".join(rule.text[begin:end].split())


def span(text: str, node: AST) -> tuple[int, int]:
    """Where a node begins and ends in the text of its file."""
    begin, end = node.location.begin, node.location.end
    return offset_of(text, begin.line, begin.column), offset_of(text, end.line, end.column)


def position_of(node: AST) -> tuple[int, int]:
    """The line and column at which the node begins."""
    begin = node.location.begin
    return begin.line, begin.column


def dependencies(statements: Iterable[AST]) -> dict[Signature, set[Signature]]:
    """The predicates from which each predicate is derived."""
    uses: dict[Signature, set[Signature]] = defaultdict(set)
    for statement in statements:
        for head in heads(statement):
            uses[signature(head)] |= read_by(statement)
    return uses


def read_by(statement: AST) -> set[Signature]:
    """The predicates from which a statement derives its heads."""
    predicates_read = {signature(atom) for literal in body_of(statement) for atom in atoms(literal)}
    if statement.ast_type.name == "Rule" and statement.head.ast_type.name != "Literal":
        conditions = {signature(atom) for atom in atoms(statement.head)}
        predicates_read |= conditions.difference(map(signature, heads(statement)))
    return predicates_read


def body_of(statement: AST) -> Sequence[AST]:
    """The literals of a rule; none for other statements."""
    return getattr(statement, "body", ())


def negative_cycles(statements: Iterable[AST]) -> Iterator[tuple[AST, Signature]]:
    """The statements, with predicates, in recursion through negation. Without any: stratified."""
    uses: dict[Signature, set[Signature]] = defaultdict(set)
    deriving = []
    for statement in statements:
        # Walking a tree is slow, and constraints, the longest statements, derive nothing.
        derived = [signature(head) for head in heads(statement)]
        negated: set[Signature] = set()
        for literal in body_of(statement) if derived else ():
            used = {signature(atom) for atom in atoms(literal)}
            for head in derived:
                uses[head] |= used
            if not is_positive_atom(literal):
                negated |= used
        deriving.append((statement, derived, negated))
    for statement, derived, negated in deriving:
        for head in derived:
            if any(head in reachable(each, uses) for each in negated):
                yield statement, head


def restricting(statements: Iterable[AST]) -> Iterator[AST]:
    """The rules that can exclude an answer set: constraints, choices with bounds, strong negation,
    recursion through negation or aggregates, and disjunctions. Without them, there is an answer
    set.
    """
    rules = [each for each in statements if each.ast_type.name == "Rule"]
    circular = [each for each, _ in negative_cycles(rules)]
    for rule in rules:
        kind, derived = rule.head.ast_type.name, [signature(head) for head in heads(rule)]
        bounded = kind == "Aggregate" and (rule.head.left_guard or rule.head.right_guard)
        if (
            not derived
            or bounded
            or kind not in ("Literal", "Aggregate")
            or any(name.startswith("-") for name, _ in derived)
            or rule in circular
        ):
            yield rule


def is_positive_atom(literal: AST) -> bool:
    """Whether a body literal is an atom without negation."""
    return (
        literal.ast_type.name == "Literal"
        and literal.sign == 0
        and literal.atom.ast_type.name == "SymbolicAtom"
    )


def reachable(start: Signature, uses: Mapping[Signature, set[Signature]]) -> set[Signature]:
    """The predicates that a predicate depends on, and itself."""
    found, waiting = {start}, [start]
    while waiting:
        new = uses.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def variables(node: AST) -> set[str]:
    """The names of the variables in and below the node."""
    return {found.name for found in nodes(node, "Variable")}


def bound_variables(statement: AST) -> list[str]:
    """The variables that atoms and comparisons of the body bind, in textual order."""
    bound = set().union(
        *(_binding(literal.atom.symbol) for literal in statement.body if is_positive_atom(literal))
    )
    comparisons = [literal.atom for literal in statement.body if is_comparison(literal)]
    while True:
        new = {name for comparison in comparisons for name in _assigned(comparison, bound)} - bound
        if not new:
            break
        bound |= new
    names = [name for literal in statement.body for name in variables_in_order(literal)]
    return [name for name in dict.fromkeys(names) if name in bound]


def _binding(node: AST) -> set[str]:
    """The variables that an atom with this term binds: not those of S*S or |S-3|."""
    kind = node.ast_type.name
    if kind == "Variable":
        return {node.name} - {"_"}
    if kind == "Function":
        return set().union(*map(_binding, node.arguments))
    if kind == "UnaryOperation" and node.operator_type == _MINUS_SIGN:
        return _binding(node.argument)
    if (
        kind == "BinaryOperation"
        and node.operator_type in _LINEAR
        and not (names_in(node.left) and names_in(node.right))
    ):
        return _binding(node.left) | _binding(node.right)
    return set()


def _assigned(comparison: AST, bound: set[str]) -> Iterator[str]:
    """The variable that `X = …` binds, once all variables on the other side are bound."""
    if len(comparison.guards) == 1 and comparison.guards[0].comparison == EQUAL:
        sides = comparison.term, comparison.guards[0].term
        for one, other in (sides, sides[::-1]):
            if one.ast_type.name == "Variable" and names_in(other) <= bound:
                yield one.name


def is_comparison(literal: AST) -> bool:
    """Whether a body literal is a comparison without negation."""
    return (
        literal.ast_type.name == "Literal"
        and literal.sign == 0
        and literal.atom.ast_type.name == "Comparison"
    )


def names_in(node: AST) -> set[str]:
    """The variables in a node, from its text."""
    return set(variables_in_order(node))


def variables_in_order(node: AST) -> list[str]:
    """The variables in a node, from its text: to walk its tree takes 20 times as long."""
    return [name for name in NAMES.findall(str(node)) if name.lstrip("_")[:1].isupper()]
