"""Sums in which two cells may have equal terms.

The elements of an aggregate are a set of tuples, so that `#sum { N : a(R,R,N) }` counts each number
once, while the author wants the sum of the cells. Whether two cells can have equal terms is a
question to clingo.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from typing import NamedTuple

from clingo.ast import AST

from aspdoku.program.rulefile import RuleFile
from aspdoku.program.syntax import atoms, is_positive_atom, parse, position_of, signature, variables
from aspdoku.program.transform import Fresh
from aspdoku.puzzle.puzzle import GIVEN


class _Element(NamedTuple):
    """An element: its terms and conditions, the row and column of the cell that it reads, if any,
    and whether the terms name something else than a cell, such as a position on a line.
    """

    terms: list[str]
    conditions: list[str]
    cell: list[str]
    has_name: bool

    @classmethod
    def of(cls, element: AST, known: set[str]) -> _Element:
        read = [
            atom
            for literal in element.condition
            if is_positive_atom(literal)
            for atom in atoms(literal)
            if signature(atom) == GIVEN
        ]
        terms = list(map(str, element.terms))
        cell = list(map(str, read[0].arguments[:2])) if read else []
        numbers = set[str]().union(*(variables(atom.arguments[2]) for atom in read))
        names = set(terms[1:]) & (variables(element) - known)
        conditions = list(map(str, element.condition))
        return cls(terms, conditions, cell, bool(names - set(cell) - numbers))

    @property
    def places(self) -> list[int]:
        """The places of the row and the column among the terms; empty if both are not there."""
        inside = all(each in self.terms for each in self.cell)
        return list(map(self.terms.index, self.cell)) if inside else []


class Sum(NamedTuple):
    """A sum in the body of a rule.

    apart: the elements with other names for the variables that are only theirs
    around: the literals of the body that bind variables of the rule
    """

    position: tuple[int, int]
    elements: tuple[_Element, ...]
    apart: tuple[_Element, ...]
    around: tuple[str, ...]

    def questions(self, tag: str) -> Mapping[tuple[int, int], str]:
        """For pairs of elements, a rule that derives `TAG_twice` if they have equal terms for two
        cells. A pair of an element and itself are two instances of it.
        """
        found = {}
        for pair in combinations_with_replacement(range(len(self.elements)), 2):
            one, other = self.elements[pair[0]], self.apart[pair[1]]
            if not (one.cell and other.cell) or len(one.terms) != len(other.terms):
                continue
            if one.places and one.places == other.places:  # equal terms are those of one cell
                continue
            if one.has_name or other.has_name or _differ(one.terms, other.terms):
                continue
            equal = (
                f"{term} = {second}" for term, second in zip(one.terms, other.terms, strict=True)
            )
            conditions = [
                *self.around,
                *one.conditions,
                *other.conditions,
                *equal,
                f"({','.join(one.cell)}) != ({','.join(other.cell)})",
            ]
            found[pair] = f"{tag}_twice :- {', '.join(conditions)}.\n#defined {tag}_twice/0.\n"
        return found

    def with_places(self, equal: Iterable[tuple[int, int]]) -> str:
        """The elements with further terms, so that those of these pairs differ for two cells."""
        equal = list(equal)
        shown = []
        for place, element in enumerate(self.elements):
            terms = list(element.terms)
            if (place, place) in equal:
                terms += [each for each in dict.fromkeys(element.cell) if each not in terms]
            if any(one != other for one, other in equal):
                terms.append(str(place + 1))
            shown.append(f"{','.join(terms)} : {', '.join(element.conditions)}")
        return "; ".join(shown)


def _differ(one: list[str], other: list[str]) -> bool:
    return any(
        term != second and term.isdigit() and second.isdigit()
        for term, second in zip(one, other, strict=True)
    )


def sums(rule: RuleFile) -> Iterator[Sum]:
    """The sums in the bodies of a file's rules."""
    for statement in parse(rule)[0]:
        body = statement.body if statement.ast_type.name == "Rule" else ()
        totals = [each.atom for each in body if _is_aggregate(each) and "#sum" in str(each)]
        if not totals:
            continue
        others = [each for each in body if not _is_aggregate(each)]
        known = set[str]().union(*map(variables, others))
        bound = set[str]().union(*(variables(each) for each in others if is_positive_atom(each)))
        around = tuple(str(each) for each in others if variables(each) <= bound | {"_"})
        for total in totals:
            fresh = Fresh(statement, known)
            elements, apart = (
                tuple(_Element.of(each, known) for each in every)
                for every in (total.elements, map(fresh.apart, total.elements))
            )
            yield Sum(position_of(total), elements, apart, around)


def _is_aggregate(literal: AST) -> bool:
    return literal.ast_type.name == "Literal" and literal.atom.ast_type.name == "BodyAggregate"
