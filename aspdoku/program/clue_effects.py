"""How the clues of rules act, as far as the text of the rules shows it.

Searches with some of the clues of a puzzle are faster if a clue can be left out by an exception to
its rule, such as `ab(killer,3)`, and not only by the absence of its facts: sums over facts are
shorter than sums over atoms that may be false. If clues only ever add constraints, fewer searches
are needed. Both are decided on the syntax trees, so that no rule is known by name; what is not
recognized is not claimed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from aspdoku.program.rulefile import EXCEPTIONS, RuleFile, speed, speed_inputs
from aspdoku.program.syntax import (
    Signature,
    atoms,
    heads,
    is_positive_atom,
    negative_cycles,
    parse,
    signature,
)

if TYPE_CHECKING:
    from clingo.ast import AST

EXCEPTION = EXCEPTIONS, 2
_NOT = 1  # the sign of a literal
_NAME = re.compile(r"_*[a-z]\w*")


@lru_cache(maxsize=64)  # the same for all puzzles that are made with these files
def exception_for_clues(
    rule: RuleFile,
    others: frozenset[RuleFile],
    inputs: frozenset[tuple[Signature, int]],
    stated: frozenset[Signature] = frozenset(),
) -> str:
    """The name X for which a fact `ab(X,I)` has the same effect as to remove all facts of clue I;
    empty if none is recognized: each statement about the inputs has to require a fact of one clue I
    and mention no other clue, and each constraint among them has to have the exception `not
    ab(X,I)`.

    others: the other files of the program
    inputs: the predicates of the clues, each with the index of the argument that names the clue
    stated: the predicates of the facts of the puzzle
    """
    statements = _statements(rule)
    rules = [each for each in statements if each.ast_type.name == "Rule"]
    places = _with_derived(rules, dict(inputs))
    if places is None or any(head in places for _, head in negative_cycles(rules)):
        return ""
    if not stated.isdisjoint(places.keys() - dict(inputs).keys()):  # what rules derive, too
        return ""
    about = {each: _clue(each, places) for each in rules if _mentions(each, places)}
    names = {_exception(each, clue) for each, clue in about.items() if not any(heads(each))}
    if len(names) != 1 or not all(about.values()):
        return ""
    (name,) = names
    elsewhere = [each for each in statements if each not in about]
    elsewhere += [each for other in others for each in _statements(other)]
    if any(_mentions(each, places) for each in elsewhere):
        return ""
    for each in (*about, *elsewhere):
        if EXCEPTION in map(signature, heads(each)) or _contradicts(each, {*places, EXCEPTION}):
            return ""
        # An exception for something else, such as a number, could have the same value as a clue.
        asked = (atom.arguments for atom in atoms(each) if signature(atom) == EXCEPTION)
        for rule_, clue in asked:
            may_be = rule_.ast_type.name != "SymbolicTerm" or str(rule_) == name
            if may_be and str(clue) != about.get(each):
                return ""
    return name


@lru_cache(maxsize=64)
def only_add_constraints(files: frozenset[RuleFile], inputs: frozenset[Signature]) -> bool:
    """Whether facts of these predicates can only forbid grids: they, and what is derived from them,
    are not under `not`, in aggregates, in conditions or in choices.
    """
    statements = [each for file in files for each in _statements(file)]
    found = set(inputs)
    waiting = statements
    while using := [each for each in waiting if _mentions(each, found)]:
        waiting = [each for each in waiting if each not in using]
        for statement in using:
            if not _is_definite(statement):
                return False
            found.update(map(signature, heads(statement)))
    return not any(
        _mentions(literal, found)
        for statement in statements
        if statement.ast_type.name == "Rule"
        for literal in statement.body
        if not is_positive_atom(literal)
    )


def _statements(file: RuleFile) -> list[AST]:
    """Those that solutions depend on, which is nothing that only speeds up the search."""
    if file in speed().values():
        return []
    return [
        each for each in parse(file)[0] if speed_inputs().isdisjoint(map(signature, heads(each)))
    ]


def _with_derived(
    rules: Iterable[AST], inputs: Mapping[Signature, int]
) -> dict[Signature, int] | None:
    """The inputs and all that is derived from them, each with the index of the name of the clue;
    None if anything is chosen, or derived without that name.
    """
    places = dict(inputs)
    waiting = list(rules)
    while using := [each for each in waiting if _mentions(each, places)]:
        waiting = [each for each in waiting if each not in using]
        for statement in using:
            if not _is_definite(statement):
                return None
            clue = _clue(statement, places)
            for head in heads(statement):
                if head.ast_type.name == "UnaryOperation":  # -p(X), which contradicts p(X)
                    return None
                arguments = list(map(str, head.arguments))
                if signature(head) not in places:
                    if clue not in arguments:
                        return None
                    places[signature(head)] = arguments.index(clue)
    return places


def _is_definite(statement: AST) -> bool:
    """Whether a statement is a constraint or derives one atom, without a choice."""
    return (
        statement.ast_type.name == "Rule"
        and statement.head.ast_type.name == "Literal"
        and statement.head.sign == 0
    )


def _mentions(node: AST, predicates: Container[Signature]) -> bool:
    return any(signature(atom) in predicates for atom in atoms(node))


def _contradicts(statement: AST, predicates: Container[Signature]) -> bool:
    """Whether `-p(X)` occurs for one of the predicates: it forbids p(X) without any constraint."""
    return any(
        atom.ast_type.name == "UnaryOperation" and signature(atom.argument) in predicates
        for atom in atoms(statement)
    )


def _clue(rule: AST, places: Mapping[Signature, int]) -> str:
    """The variable for the clue that a rule is about; empty if it may be about several or none."""
    required = any(is_positive_atom(each) and _mentions(each, places) for each in rule.body)
    named = [
        atom.arguments[places[signature(atom)]] for atom in atoms(rule) if signature(atom) in places
    ]
    names = {str(each) if each.ast_type.name == "Variable" else "" for each in named}
    return names.pop() if required and len(names) == 1 and "_" not in names else ""


def _exception(constraint: AST, clue: str) -> str:
    """The name X of the exception `not ab(X,I)` for the clue I; empty if there is none."""
    for literal in constraint.body:
        if literal.ast_type.name != "Literal" or literal.sign != _NOT:
            continue
        for atom in atoms(literal):
            if signature(atom) == EXCEPTION and str(literal.atom) == str(atom):  # not a pool
                name, value = atom.arguments
                if str(value) == clue and _NAME.fullmatch(str(name)):
                    return str(name)
    return ""
