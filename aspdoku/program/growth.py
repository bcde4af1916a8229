"""Ground programs that grow too large: what the text of rules shows of that, a way to end their
grounding, and the predicate with the most atoms.

A variable of a recursive rule is compared in its head and in its body (`_Place`). The equations of
the body are solved first, so that p(Y) :- p(X), Y = X+1 is read as p(X+1) :- p(X).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import chain, islice
from typing import NamedTuple

from clingo import Control, Observer, SymbolType, parse_term
from clingo.ast import AST, AggregateFunction, BinaryOperator, ComparisonOperator, UnaryOperator

from aspdoku.errors import AspdokuError
from aspdoku.program import library
from aspdoku.program.rulefile import SIZES, RuleFile
from aspdoku.program.syntax import (
    Signature,
    atoms,
    body_of,
    children,
    dependencies,
    heads,
    is_comparison,
    is_positive_atom,
    nodes,
    parse,
    position_of,
    reachable,
    signature,
    source_of,
    variables,
)
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.signals import postponed
from aspdoku.runtime.supervise import peak_memory

# The numbers of a range that is too large: those of grids and their sums are far smaller.
_LARGE_RANGE = 100_000
# As in p((X+1)\n) and p(X/2).
_SHRINKING = (BinaryOperator.Modulo, BinaryOperator.Division, BinaryOperator.And)

_LESS = (ComparisonOperator.LessThan, ComparisonOperator.LessEqual)
_GREATER = (ComparisonOperator.GreaterThan, ComparisonOperator.GreaterEqual)
# In X+n, which grows as X+9 does, n is the size of the grid.
_SIZE, _SIZES = "9", re.compile(rf"\b(?:{'|'.join(SIZES)})\b")
# Equations of a rule, and places in one of their terms, that are considered. Growth by further ones
# is not detected on the text, and ends with the grounding.
_MOST_EQUATIONS, _MOST_PLACES = 100, 12

# Ground rules between two questions whether a grounding has to end: a thousandth of a second.
_UNCHECKED = 1000
# Ground rules after which counting stops: one predicate dominates long before.
_MOST_RULES = 500_000
# Atoms of a predicate that are counted.
_MOST_ATOMS = 1_000_000
# Variables of a rule whose values may have too many combinations: those of three cells.
_MANY_VARIABLES = 9
# Rules that define the predicate to show: enough to find the cause, and few enough to read.
_SHOWN = 3
# Seconds for counting the atoms of a ground program.
_COUNTING = 5.0


class Brake(Observer):
    """Ends a grounding when a function of the number of ground rules says so."""

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


class Cause(NamedTuple):
    """Why a ground program is too large, and the statements to blame, with their files."""

    text: str
    to_blame: list[tuple[RuleFile, AST]]

    @property
    def file(self) -> str:
        """The file of the first statement to blame; empty if there is none."""
        return self.to_blame[0][0].place if self.to_blame else ""

    @property
    def position(self) -> tuple[int, int]:
        """The line and column of the first statement to blame; line 1 if there is none."""
        return position_of(self.to_blame[0][1]) if self.to_blame else (1, 1)

    def __str__(self) -> str:
        lines = (
            f"{rule.place}:{position_of(each)[0]}: {source_of(rule, each)}"
            for rule, each in self.to_blame[:_SHOWN]
        )
        return "\n  ".join([self.text, *lines])


class LargestPredicate(NamedTuple):
    """The predicate with the most ground atoms. counted: whether these are all of them"""

    name: str
    arity: int
    atoms: int
    counted: bool = True


def growths(rule: RuleFile) -> Iterator[Cause]:
    """The rules with terms that may grow without end, then those with large ranges."""
    statements, _ = parse(rule)
    yield from _growing_terms(rule, statements)
    for statement in statements:
        for node in nodes(statement, "Interval"):
            first, last = evaluated(str(node.left)), evaluated(str(node.right))
            if first is not None and last is not None and last - first >= _LARGE_RANGE:
                numbers = f"the range {source_of(rule, node)} has {last - first + 1:,} numbers"
                yield Cause(numbers, [(rule, statement)])


def cause_of_growth(
    rules: Iterable[RuleFile], largest: Callable[[], LargestPredicate | None]
) -> Cause | None:
    """Why the ground program of some rules is too large; None if that is not clear. `largest` finds
    the largest predicate, if no statement shows that it may grow; if no file defines it, the rule
    with the most variables is to blame.
    """
    rules = list(rules)
    for rule in rules:
        for cause in growths(rule):
            return cause
    if (predicate := largest()) is None:
        return _widest(rules)
    number = f"{'' if predicate.counted else 'at least '}{predicate.atoms:,} ground atoms"
    text = f"the largest predicate is {predicate.name}/{predicate.arity}, with {number}"

    def is_found(atom: AST) -> bool:
        name, arity = signature(atom)
        # A file that was made from this one may have renamed it.
        return arity == predicate.arity and f"_{predicate.name}".endswith(f"_{name}")

    statements = [(rule, each) for rule in rules for each in parse(rule)[0]]
    defining = [pair for pair in statements if any(map(is_found, heads(pair[1])))]
    endless = [
        (rule, each)
        for rule, each in defining
        if any(is_found(atom) for part in body_of(each) for atom in atoms(part))
    ]
    if endless:
        text += "; it depends on itself and may be infinite"
    if not defining and (widest := _widest(rules)):
        return widest
    return Cause(text, endless or defining)


def _widest(rules: Iterable[RuleFile]) -> Cause | None:
    """The statement with the most variables, whose values are combined; None for few of them."""
    statements = [(rule, each) for rule in rules for each in parse(rule)[0]]
    widest = max(statements, key=lambda found: len(variables(found[1])), default=None)
    if widest is None or (number := len(variables(widest[1]))) < _MANY_VARIABLES:
        return None
    return Cause(f"the rule with the most variables combines the values of {number}", [widest])


def largest_in(text: str, seconds: float, memory: int) -> LargestPredicate | None:
    """The largest predicate of a program, which a child grounds within these limits."""
    from aspdoku.runtime.child import Limits, run_limited  # slow to import, and rarely needed

    limits = Limits(seconds + _COUNTING, memory)
    with suppress(AspdokuError):
        largest = run_limited(limits, _largest_when_grounded, text, seconds, memory // 2)
        return largest if isinstance(largest, LargestPredicate) else None
    return None


def largest_predicate(control: Control, most: int = _MOST_ATOMS) -> LargestPredicate | None:
    """The predicate with the most ground atoms, of some that are counted; None without atoms."""
    counts = []
    for name, arity, positive in control.symbolic_atoms.signatures:
        all_atoms = control.symbolic_atoms.by_signature(name, arity, positive)
        number = sum(1 for _ in islice(all_atoms, most))
        called = ("" if positive else "-") + name
        counts.append(LargestPredicate(called, arity, number, number < most))
    return max(counts, key=lambda each: each.atoms, default=None)


def _largest_when_grounded(text: str, seconds: float, memory: int) -> LargestPredicate | None:
    control = Control(logger=lambda *_: None)
    deadline, most = Deadline(seconds), peak_memory() + memory
    brake = Brake(lambda rules: rules >= _MOST_RULES or deadline.passed or peak_memory() > most)
    control.register_observer(brake)
    control.add(text)
    with suppress(RuntimeError):  # of the brake
        control.ground()
    return largest_predicate(control)


@lru_cache(maxsize=64)  # the same for each grid of a batch
def may_exceed(
    rule: RuleFile, most: int, size: int, others: int, read: frozenset[Signature]
) -> bool:
    """Whether a file may make a program have more ground rules than `most`, as far as its text
    shows it: without new terms, the instances of a rule are bounded by the values of its variables.

    size: how many rows and numbers a grid has at most
    others: how many other terms the facts of the puzzle may have
    read: the inputs of the rules of the program
    """
    statements = [each for each in parse(rule)[0] if hasattr(each, "body")]
    found = [*chain.from_iterable(nodes(each, "Interval", "SymbolicTerm") for each in statements)]
    if any(each.ast_type.name == "Interval" for each in found):
        return True
    others += size + len(set(map(str, found)))
    bound = 0
    for statement in statements:
        derived = set(map(signature, heads(statement)))
        if derived & read or (derived and _makes_terms(statement)):
            return True
        in_grid = [
            str(argument)
            for literal in statement.body
            if is_positive_atom(literal) and signature(literal.atom.symbol) in _in_base()
            for argument in literal.atom.symbol.arguments
        ]
        names = Counter(each.name for each in nodes(statement, "Variable"))
        # clingo projects each anonymous variable out, by rules with its values.
        nameless = names.pop("_", 0)
        free = len(names.keys() - {*in_grid}) + nameless - in_grid.count("_")
        bound += size ** (len(names) + nameless - free) * others**free
    return bound > most


@cache
def _in_base() -> frozenset[Signature]:
    """The predicates that the base defines."""
    statements, _ = parse(library.base())
    return frozenset(signature(head) for each in statements for head in heads(each))


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
        node.ast_type.name != "Function" or len(node.arguments) > 0
        for part in parts
        for argument in getattr(part, "arguments", [part])
        for node in nodes(argument, "BinaryOperation", "UnaryOperation", "Function")
    )


def _growing_terms(rule: RuleFile, statements: Sequence[AST]) -> Iterator[Cause]:
    """Rules that derive ever larger terms from their own atoms, such as p(f(X)) from p(X)."""
    uses = dependencies(statements)
    for statement in statements:
        used = {signature(atom) for literal in body_of(statement) for atom in atoms(literal)}
        derived = set(map(signature, heads(statement)))
        if not any(derived & reachable(each, uses) for each in used if derived):
            continue
        known, body = _solved(body_of(statement))
        for head in heads(statement):
            if name := min(_unbounded(head, body, known, uses), default=""):
                called, arity = signature(head)
                text = f"{called}/{arity} depends on itself, and nothing bounds {name}:"
                yield Cause(f"{text} its terms may grow without end", [(rule, statement)])


class _Place(NamedTuple):
    """A variable in a term: offset + sign * variable, or a term that is no such sum.

    depth: how deep it is nested in functions and in operations that can make terms larger
    offset: None if the term does not only add numbers
    absolute: whether the sum is with the absolute value of the variable
    """

    name: str
    depth: int = 0
    offset: int | None = 0
    sign: int = 1
    absolute: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether numbers are added, or the sign is another one."""
        return self.offset is not None and self != _Place(self.name, self.depth)

    def moved(self, sign: int, number: int) -> _Place | None:
        """number + sign * this term; None if that is no sum of this kind."""
        if self.offset is None or (sign < 0 and self.absolute):
            return None
        return self._replace(sign=sign * self.sign, offset=number + sign * self.offset)

    def containing(self, inner: _Place) -> _Place:
        """This term with another one in place of the variable."""
        depth = self.depth + inner.depth
        if self.offset is not None and not self.is_changed:
            return inner._replace(depth=depth)
        found = None
        if self.absolute and inner.offset == 0:
            found = inner._replace(sign=1, offset=self.offset, absolute=True)
        elif self.offset is not None and not self.absolute:
            found = inner.moved(self.sign, self.offset)
        if found:
            return found._replace(depth=depth)
        return _Place(inner.name, depth + self.is_changed + inner.is_changed, None)

    def steps(self, before: Sequence[_Place]) -> set[int]:
        """The signs of the steps from some places to this one, both if they are not known; empty if
        the term does not become larger.
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


# What is written for variables.
_Known = Mapping[str, tuple[_Place, ...]]


def _places(term: AST, known: _Known) -> tuple[_Place, ...]:
    kind = term.ast_type.name
    if kind == "Variable":
        return known.get(term.name, (_Place(term.name),))
    if kind == "BinaryOperation" and term.operator_type in _SHRINKING:
        return ()
    found = dict.fromkeys(place for each in children(term) for place in _places(each, known))
    if kind == "Pool":
        return tuple(found)
    if kind == "Function":
        return tuple(place._replace(depth=place.depth + 1) for place in found)
    if len(found) == 1 and (sum_ := _sum(term, *found)):
        return (sum_,)
    if kind == "UnaryOperation" and term.operator_type == UnaryOperator.Absolute:
        return ()  # such as a distance |X-Y|
    return tuple(_Place("", 1, None).containing(each) for each in found if not each.absolute)


def _sum(operation: AST, place: _Place) -> _Place | None:
    """An operation on a term and a number as one term; None if it does more than to add."""
    kind, operator = operation.ast_type.name, operation.operator_type
    if kind == "UnaryOperation" and operator == UnaryOperator.Minus:
        return place.moved(-1, 0)
    if kind == "UnaryOperation" and operator == UnaryOperator.Absolute and place.offset == 0:
        return place._replace(sign=1, absolute=True)
    if kind == "BinaryOperation" and operator in (BinaryOperator.Plus, BinaryOperator.Minus):
        factor = 1 if operator == BinaryOperator.Plus else -1
        if (number := _constant(operation.right)) is not None:
            return place.moved(1, factor * number)
        if (number := _constant(operation.left)) is not None:
            return place.moved(factor, number)
    return None


def _constant(term: AST) -> int | None:
    """The value of a term without variables, in which the size of the grid is some number."""
    return evaluated(_SIZES.sub(_SIZE, str(term)))


def evaluated(text: str) -> int | None:
    """The number that a term without variables and constants is; None for other terms."""
    with suppress(RuntimeError), postponed:
        value = parse_term(text, logger=lambda *_: None)
        return value.number if value.type is SymbolType.Number else None
    return None


def _solved(body: Iterable[AST]) -> tuple[_Known, list[AST]]:
    """What the equations of a body state about variables, and the other literals."""
    known: dict[str, tuple[_Place, ...]] = {}
    others = []
    for literal in body:
        sides = _compared(literal, ComparisonOperator.Equal)
        solved = _equation(*(_places(side, known) for side in sides)) if sides else None
        if solved is None or len(known) == _MOST_EQUATIONS:
            others.append(literal)
            continue
        name, places = solved
        known |= {each: _written(name, places, before) for each, before in known.items()}
        known[name] = places
    return known, others


def _written(
    name: str, instead: tuple[_Place, ...], places: tuple[_Place, ...]
) -> tuple[_Place, ...]:
    parts = (map(place.containing, instead) if place.name == name else (place,) for place in places)
    return tuple(dict.fromkeys(chain.from_iterable(parts)))


def _equation(
    one: tuple[_Place, ...], other: tuple[_Place, ...]
) -> tuple[str, tuple[_Place, ...]] | None:
    """A variable, and what is equal to it if two terms are; None if there is none."""
    if max(len(one), len(other)) > _MOST_PLACES:
        return None
    for left, right in ((one, other), (other, one)):
        if len(left) == 1:
            name = left[0].name
            if left[0] == _Place(name) and all(place.name != name for place in right):
                return name, right
    if len(one) == len(other) == 1 and one[0].name != other[0].name:
        offset = one[0].offset
        if offset is not None and one[0] == _Place(one[0].name, 0, offset):
            found = other[0].moved(1, -offset)
            return (one[0].name, (found,)) if found else None
    return None


def _unbounded(
    head: AST, body: Sequence[AST], known: _Known, uses: Mapping[Signature, set[Signature]]
) -> Iterator[str]:
    """The variables whose terms in the head are larger, or further from 0 on one side, than in the
    atoms of the body that depend on the head, and that nothing in the body bounds on that side.
    """
    own: list[AST] = []
    before: dict[str, list[_Place]] = defaultdict(list)
    # The signs of the steps that a variable cannot take without end.
    bounded: dict[str, set[int]] = defaultdict(set)
    for literal in body:
        recursive = any(
            signature(head) in reachable(signature(atom), uses) for atom in atoms(literal)
        )
        if recursive and is_positive_atom(literal):
            own += atoms(literal)
        elif recursive and (total := _growing_total(literal, known)):
            for place in known.get(total, (_Place(total),)):
                before[place.name].append(_Place(place.name, -1, None))
        else:
            for name, signs in _bounds(literal, known):
                bounded[name] |= signs
    for place in (place for atom in own for place in _places_in(atom, known)):
        before[place.name].append(place)
    steps = [
        (place.name, signs)
        for place in _places_in(head, known)
        if place.name in before and (signs := place.steps(before[place.name]))
    ]
    # K+1 with K bounded ends the growth of all other terms, as in sum(K+1,S+N).
    ends = any(len(signs) == 1 and signs <= bounded[name] for name, signs in steps)
    if not ends and not _is_ordered(head, own, body, known, bounded):
        yield from (name for name, signs in steps if not signs & bounded[name])


def _is_ordered(
    head: AST,
    own: Sequence[AST],
    body: Sequence[AST],
    known: _Known,
    bounded: Mapping[str, set[int]],
) -> bool:
    """Whether N in the head is in place of K in the body, with N > K or N < K, and N is bounded."""
    compared = [_compared(literal, _LESS[0], _GREATER[0]) for literal in body]
    pairs = [{_places(side, known) for side in sides} for sides in compared if sides]
    for atom in own:
        if signature(atom) == signature(head):
            for old, new in zip(_arguments(atom), _arguments(head), strict=True):
                places = _places(new, known)
                if {_places(old, known), places} in pairs and all(
                    bounded.get(place.name) == {1, -1} for place in places
                ):
                    return True
    return False


def _places_in(atom: AST, known: _Known) -> Iterator[_Place]:
    for argument in _arguments(atom):
        for place in _places(argument, known):
            # p(n+1-X) from p(X) leads back to p(X)
            yield place if place.sign > 0 else place._replace(offset=None)


def _arguments(atom: AST) -> Sequence[AST]:
    return list(getattr(atom, "argument", atom).arguments)


def _compared(literal: AST, *comparisons: ComparisonOperator) -> tuple[AST, AST] | None:
    """The sides of a literal that is one comparison by one of these operators."""
    if not is_comparison(literal) or len(literal.atom.guards) != 1:
        return None
    (guard,) = literal.atom.guards
    return (literal.atom.term, guard.term) if guard.comparison in comparisons else None


def _bounds(literal: AST, known: _Known) -> Iterator[tuple[str, set[int]]]:
    """The variables that a literal bounds, with the signs of steps: X > 0 ends X-1, X-2, …"""
    one_sided: dict[str, set[int]] = {}
    for comparisons, sign in ((_LESS, 1), (_GREATER, -1)):
        for side, ended in zip(_compared(literal, *comparisons) or (), (sign, -sign), strict=False):
            places = _places(side, known)
            if len(places) == 1 and places[0].offset is not None and not places[0].absolute:
                one_sided[places[0].name] = {ended * places[0].sign}
    for name in variables(literal):
        for place in known.get(name, (_Place(name),)):
            yield place.name, one_sided.get(place.name, {1, -1})


def _growing_total(literal: AST, known: _Known) -> str:
    """The variable that is the value of an aggregate with ever larger values over its elements."""
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
    if getattr(atom, "function", None) in (AggregateFunction.Min, AggregateFunction.Max):
        terms = (term for each in atom.elements for term in each.terms[:1])
        places = (place for term in terms for place in _places(term, known))
        if all(place == _Place(place.name) for place in places):
            return ""
    return str(guard.term.name)
