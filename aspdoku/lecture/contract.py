"""The syntactic contract of a rule file: how it may affect a program, as determined by its heads.

It is a guarantee, by the splitting set theorem (Lifschitz and Turner 1994, "Splitting a Logic
Program"); nothing is run to establish it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from aspdoku.program import RuleFile
from aspdoku.program.lint import defined_predicates
from aspdoku.program.rulefile import EXCEPTIONS
from aspdoku.program.syntax import heads, parse, position_of, predicates, signature

ContractKind = Literal["restricts", "extends", "parameter", "trespasses"]

_THEOREM = "splitting set theorem, Lifschitz and Turner 1994"
_SPLIT = (
    "None of its heads occurs in the program before it, which is therefore a bottom part, whose"
    " answer sets it can only"
)
GUARANTEES: dict[ContractKind, str] = {
    "restricts": f"{_SPLIT} filter ({_THEOREM}).",
    "extends": f"{_SPLIT} filter, or extend by new atoms ({_THEOREM}).",
    "parameter": (
        "It provides inputs of the program before it: rules that depend on them become applicable,"
        " or cease to be."
    ),
    "trespasses": (
        "It defines predicates that were defined before it: the program is not split, and nothing"
        f" is guaranteed ({_THEOREM})."
    ),
}


class DefinedPredicate(NamedTuple):
    """A predicate that a file defines, the line, and its role in the program before it."""

    predicate: str
    line: int
    role: Literal["helper", "vocabulary", "input", "trespass"]


class Contract(NamedTuple):
    """How a file may affect the program before it, and the heads that determine this."""

    kind: ContractKind
    heads: tuple[DefinedPredicate, ...]

    @property
    def guarantee(self) -> str:
        """The consequence in one sentence, and the theorem it follows from."""
        return GUARANTEES[self.kind]


def contract(rule: RuleFile, before: Iterable[RuleFile]) -> Contract:
    """The contract of a file with the files before it.

    restricts: only constraints and private helpers, whose names begin with the name of the file
    extends: new vocabulary, or a choice
    parameter: heads that occur in bodies before it or are declared as inputs, including `ab`
    trespasses: heads that were already defined
    """
    before = list(before)
    defined = set().union(*(defined_predicates(other) for other in before))
    # A predicate in a body of the program before is an input of it, declared or not: with a head
    # over it, that program is not a bottom part.
    asked = {(item.name, item.arity) for other in before for item in other.inputs}.union(
        *map(predicates, before)
    )
    symbol = rule.name.replace("-", "_")
    found = []
    for statement in parse(rule)[0]:
        chooses = statement.ast_type.name != "Rule" or statement.head.ast_type.name != "Literal"
        for head in heads(statement):
            name, arity = signature(head)
            role: Literal["helper", "vocabulary", "input", "trespass"]
            if (name, arity) in defined:
                role = "trespass"
            elif name == EXCEPTIONS or (name, arity) in asked:
                role = "input"
            elif chooses or not (name == symbol or name.startswith(f"{symbol}_")):
                role = "vocabulary"
            else:
                role = "helper"
            found.append(DefinedPredicate(f"{name}/{arity}", position_of(statement)[0], role))
    roles = {head.role for head in found}
    kind: ContractKind = (
        "trespasses"
        if "trespass" in roles
        else (
            "parameter" if "input" in roles else "extends" if "vocabulary" in roles else "restricts"
        )
    )
    return Contract(kind, tuple(dict.fromkeys(found)))
