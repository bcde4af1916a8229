"""What a rule file may do to the program that it joins, read off its heads.

A guarantee, for nothing has to be run.
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
    "Nothing before it is a head of it, so all before it is a bottom part of the program, whose"
    " answer sets it can only"
)
GUARANTEES: dict[ContractKind, str] = {
    "restricts": f"{_SPLIT} filter ({_THEOREM}).",
    "extends": f"{_SPLIT} filter, or extend by atoms of its own ({_THEOREM}).",
    "parameter": (
        "It fills inputs of what stood before it: rules that ask for them come to apply, or cease"
        " to, as written."
    ),
    "trespasses": (
        "It defines what was defined before it: there is no split, and nothing is guaranteed"
        f" ({_THEOREM})."
    ),
}


class DefinedPredicate(NamedTuple):
    """A predicate that a file defines, with the line.

    `role` is what that does to the program before it.
    """

    predicate: str
    line: int
    role: Literal["helper", "vocabulary", "input", "trespass"]


class Contract(NamedTuple):
    """What a file may do to the program before it, and the heads that decide it."""

    kind: ContractKind
    heads: tuple[DefinedPredicate, ...]

    @property
    def guarantee(self) -> str:
        """One sentence that says what follows, and from which theorem."""
        return GUARANTEES[self.kind]


def contract(rule: RuleFile, before: Iterable[RuleFile]) -> Contract:
    """The contract of a file towards the files before it.

    restricts: constraints and private helpers only, whose names begin with the file's own
    extends: vocabulary of its own, or a choice
    parameter: heads that a body before it asks for, or that stood declared as an input, `ab` among
    them
    trespasses: a head that stood defined before
    """
    before = list(before)
    defined = set().union(*(defined_predicates(other) for other in before))
    # Whatever a body before asks for is an input of it, declared or not: a head over it is no
    # bottom part's business.
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
