"""Rules that let a ground program grow without end, as far as their text shows it, and a way to end
its grounding.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clingo import Number, Observer, SymbolType, parse_term
from clingo.ast import (
    AggregateFunction,
    BinaryOperation,
    BinaryOperator,
    ComparisonOperator,
    SymbolicTerm,
    Transformer,
    UnaryOperator,
    Variable,
)

from aspdoku.program import library
from aspdoku.program.rulefile import SIZES
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

_LESS = (ComparisonOperator.LessThan, ComparisonOperator.LessEqual)
_GREATER = (ComparisonOperator.GreaterThan, ComparisonOperator.GreaterEqual)
_SIZE = 9  # stands for the size of a grid in X+n, whose sign is that of X+9
# How many equations of a rule are solved, and the nodes of terms that are too large to be written
# for variables. Growth by further ones is not detected on the text, and ends with the grounding.
_MOST_EQUATIONS, _LARGE_TERM = 10, 12

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
    uses = dependencies(statements)
    for statement in statements:
        used = {signature(atom) for literal in _body(statement) for atom in atoms(literal)}
        derived = set(map(signature, heads(statement)))
        if not any(derived & reachable(each, uses) for each in used if derived):
            continue
        solved = _without_equations(statement)
        for head in heads(solved):
            if name := min(_unbounded(head, _body(solved), uses), default=""):
                called, arity = signature(head)
                yield Growth(
                    f"{called}/{arity} depends on itself, and nothing bounds {name}:"
                    " its terms may grow without end",
                    statement,
                )


def dependencies(statements: Iterable[AST]) -> dict[Signature, set[Signature]]:
    """The predicates from which each predicate is derived."""
    uses: dict[Signature, set[Signature]] = defaultdict(set)
    for statement in statements:
        for head in heads(statement):
            uses[signature(head)] |= read_by(statement)
    return uses


def read_by(statement: AST) -> set[Signature]:
    """The predicates from which a statement derives its heads."""
    body = {signature(atom) for literal in _body(statement) for atom in atoms(literal)}
    conditions = {signature(atom) for atom in atoms(statement)} - body
    return body | conditions.difference(map(signature, heads(statement)))


def _unbounded(
    head: AST, body: Sequence[AST], uses: dict[Signature, set[Signature]]
) -> Iterator[str]:
    """The variables whose terms in the head are larger, or further from 0 on one side, than in the
    atoms of the body that depend on the head, and that nothing in the body bounds on that side.
    """

    def recursive(literal: AST) -> bool:
        return any(signature(head) in reachable(signature(atom), uses) for atom in atoms(literal))

    own: list[AST] = []
    before: dict[str, list[_Place]] = defaultdict(list)
    # The signs of the steps that a variable cannot take without end.
    bounded: dict[str, set[int]] = defaultdict(set)
    for literal in body:
        if is_positive_atom(literal) and recursive(literal):
            for atom in atoms(literal):
                own.append(atom)
                for place in _places(atom):
                    before[place.name].append(place)
        elif (total := _growing_total(literal)) and recursive(literal):
            before[total].append(_Place(total, -1, None))
        else:
            for name, signs in _bounds(literal):
                bounded[name] |= signs
    steps = [
        (place.name, signs)
        for place in _places(head)
        if place.name in before and (signs := place.steps(before[place.name]))
    ]
    # K+1 with K bounded ends the growth of all other terms, as in sum(K+1,S+N), and so does N with
    # N > K in place of K.
    ordered = {
        tuple(map(str, sides))
        for literal in body
        if (sides := _compared(literal, _LESS[0], _GREATER[0]))
    }
    ends = any(len(signs) == 1 and signs <= bounded[name] for name, signs in steps) or any(
        ordered & {(str(old), str(new)), (str(new), str(old))} and bounded[str(new)] == {1, -1}
        for atom in own
        if signature(atom) == signature(head)
        for old, new in zip(_arguments(atom), _arguments(head), strict=True)
    )
    if not ends:
        yield from (name for name, signs in steps if not signs & bounded[name])


class _Place(NamedTuple):
    """A variable in an atom.

    depth: how deep it is nested in functions and in operations that can make terms larger
    offset: what is added to it, if its term only adds numbers; None otherwise
    absolute: whether that is its absolute value
    """

    name: str
    depth: int
    offset: int | None
    absolute: bool = False

    def steps(self, before: Sequence[_Place]) -> set[int]:
        """The signs of the steps from some places to this one, both if they are not known; empty
        if the term does not become larger.
        """
        deepest = max(each.depth for each in before)
        if self.depth != deepest or self.offset is None:
            return {1, -1} if self.depth > deepest else set()
        offsets = [each.offset for each in before if each.offset is not None]
        if len(offsets) < len(before):
            return set()
        if self.offset > max(offsets):
            return {1}
        return {-1} if self.offset < min(offsets) and not self.absolute else set()


def _places(atom: AST) -> Iterator[_Place]:
    """The variables in the arguments of an atom."""
    for argument in _arguments(atom):
        yield from _places_in(argument, 0)


def _arguments(atom: AST) -> Sequence[AST]:
    """Those of an atom, also of one with strong negation."""
    return list(getattr(atom, "argument", atom).arguments)


def _places_in(term: AST, depth: int) -> Iterator[_Place]:
    if term.ast_type.name in ("Function", "Pool"):
        for argument in term.arguments:
            yield from _places_in(argument, depth + (term.ast_type.name == "Function"))
    elif linear := _linear(term):
        if linear.sign > 0:  # p(n+1-X) from p(X) leads back to p(X)
            yield _Place(linear.name, depth, linear.offset, linear.absolute)
        else:
            yield _Place(linear.name, depth, None)
    else:
        for name, more in _depths(term).items():
            yield _Place(name, depth + more, None)


class _Linear(NamedTuple):
    """The term X+offset or, if the sign is -1, offset-X."""

    name: str
    sign: int
    offset: int
    absolute: bool = False


def _linear(term: AST) -> _Linear | None:
    """The term as a variable and what is added; None if it is anything else."""
    kind = term.ast_type.name
    if kind == "Variable":
        return _Linear(term.name, 1, 0)
    if kind == "UnaryOperation":
        inner = _linear(term.argument)
        if inner and term.operator_type == UnaryOperator.Minus and not inner.absolute:
            return _Linear(inner.name, -inner.sign, -inner.offset)
        if inner and term.operator_type == UnaryOperator.Absolute and not inner.offset:
            return _Linear(inner.name, 1, 0, True)
    if kind == "BinaryOperation" and term.operator_type in (
        BinaryOperator.Plus,
        BinaryOperator.Minus,
    ):
        factor = 1 if term.operator_type == BinaryOperator.Plus else -1
        one, other = _linear(term.left), _linear(term.right)
        if one and (number := _constant(term.right)) is not None:
            return one._replace(offset=one.offset + factor * number)
        if other and (number := _constant(term.left)) is not None:
            if factor < 0 and other.absolute:
                return None
            return other._replace(sign=factor * other.sign, offset=number + factor * other.offset)
    return None


def _constant(term: AST) -> int | None:
    """The value of a term without variables, in which the size of the grid is some number."""
    sizes = {
        str(each): _SIZE
        for each in walk(term)
        if each.ast_type.name == "SymbolicTerm" and str(each) in SIZES
    }
    text = re.sub(r"\w+", lambda found: str(sizes.get(found[0], found[0])), str(term))
    return _evaluated(text)


def _without_equations(statement: AST) -> AST:
    """A rule whose equations X = TERM are solved: the term is written for X everywhere.

    Equations after the first ones, and those that lead to large terms, stay.
    """
    terms: dict[str, AST] = {}  # contain none of the variables that they are written for
    unsolved: list[AST] = []
    for literal in statement.body:
        sides = _compared(literal, ComparisonOperator.Equal)
        if (
            len(terms) == _MOST_EQUATIONS
            or sides is None
            or any(_is_large(side) for side in sides)
            or not (solved := _solved(_Substitution(terms).visit(literal)))
            or (more := _with_term(terms, *solved)) is None
        ):
            unsolved.append(literal)
        else:
            terms = more
    return _Substitution(terms).visit(statement.update(body=unsolved))


def _with_term(terms: dict[str, AST], name: str, term: AST) -> dict[str, AST] | None:
    """The terms for variables with a further one; None if one of them becomes large."""
    new = {name: _shortened(term)}
    if _is_large(new[name]):
        return None
    for each, before in terms.items():
        new[each] = before
        if name in variables(before):
            new[each] = _shortened(_Substitution({name: new[name]}).visit(before))
            if _is_large(new[each]):
                return None
    return new


def _shortened(term: AST) -> AST:
    """The same term; X+2 for X+1+1."""
    linear = _linear(term)
    if linear is None or linear.absolute or not linear.offset:
        return term
    number = SymbolicTerm(term.location, Number(linear.offset))
    variable = Variable(term.location, linear.name)
    if linear.sign < 0:
        return BinaryOperation(term.location, BinaryOperator.Minus, number, variable)
    return BinaryOperation(term.location, BinaryOperator.Plus, variable, number)


def _is_large(term: AST) -> bool:
    return next(islice(walk(term), _LARGE_TERM, None), None) is not None


class _Substitution(Transformer):
    """Writes terms for variables."""

    def __init__(self, terms: dict[str, AST]) -> None:
        self._terms = terms

    def visit_Variable(self, node: AST) -> AST:  # noqa: N802 (the name that clingo calls)
        return self._terms.get(node.name, node)


def _solved(literal: AST) -> tuple[str, AST] | None:
    """A variable and the term that is equal to it by a literal; None if there is none."""
    if not (sides := _compared(literal, ComparisonOperator.Equal)):
        return None
    one, other = sides
    for left, right in ((one, other), (other, one)):
        if left.ast_type.name == "Variable" and left.name not in variables(right):
            return left.name, right
    first, second = _linear(one), _linear(other)
    if first and second and first.name != second.name and first.sign > 0 and not first.absolute:
        number = SymbolicTerm(one.location, Number(first.offset))
        return first.name, BinaryOperation(one.location, BinaryOperator.Minus, other, number)
    return None


def _compared(literal: AST, *comparisons: ComparisonOperator) -> tuple[AST, AST] | None:
    """The sides of a literal that is one comparison by one of these operators."""
    atom = getattr(literal, "atom", None)
    if (
        atom is None
        or literal.sign
        or atom.ast_type.name != "Comparison"
        or len(atom.guards) != 1
        or atom.guards[0].comparison not in comparisons
    ):
        return None
    return atom.term, atom.guards[0].term


def _bounds(literal: AST) -> Iterator[tuple[str, set[int]]]:
    """The variables that a literal bounds, with the signs of the steps that it ends: X > 0 ends
    X-1, X-2, …, but not X+1, X+2, …
    """
    one_sided: dict[str, set[int]] = {}
    for comparisons, sign in ((_LESS, 1), (_GREATER, -1)):
        if sides := _compared(literal, *comparisons):
            for side, ended in zip(sides, (sign, -sign), strict=True):
                linear = _linear(side)
                if linear and not linear.absolute:
                    one_sided[linear.name] = {ended * linear.sign}
    for name in variables(literal):
        yield name, one_sided.get(name, {1, -1})


def _growing_total(literal: AST) -> str:
    """The variable that is the value of an aggregate with ever larger values, if its elements
    depend on it.
    """
    atom = getattr(literal, "atom", None)
    if atom is None or literal.sign or "Aggregate" not in atom.ast_type.name:
        return ""
    guard = atom.left_guard or atom.right_guard
    if (
        guard is None
        or guard.comparison != ComparisonOperator.Equal
        or guard.term.ast_type.name != "Variable"
    ):
        return ""
    chosen = getattr(atom, "function", None) in (AggregateFunction.Min, AggregateFunction.Max)
    if chosen and not any(
        max(_depths(term).values(), default=0) for each in atom.elements for term in each.terms[:1]
    ):
        return ""
    return str(guard.term.name)


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
    return _evaluated(str(term))


def _evaluated(text: str) -> int | None:
    with suppress(RuntimeError), postponed:
        value = parse_term(text, logger=lambda *_: None)
        return value.number if value.type is SymbolType.Number else None
    return None


def _body(rule: AST) -> Sequence[AST]:
    return getattr(rule, "body", ())
