"""Numbers that violate a single rule, as propagation finds them without search."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from aspdoku.explanation.constraints import (
    AtMostOne,
    ConstraintModel,
    Literal,
    RuleInstance,
    RuleMask,
)
from aspdoku.explanation.propagation import Propagator
from aspdoku.explanation.steps import Claim, Conflict


def direct_conflicts(
    model: ConstraintModel, claims: Mapping[Literal, Claim]
) -> tuple[Conflict, ...]:
    """The numbers that violate a rule directly, in reading order, with all rules they violate.

    Of more than two of which at most one may hold, each two are a conflict.

    claims: the numbers by their literals
    """
    propagator = Propagator(model)
    propagator.assert_literals(claims)
    violated: dict[tuple[Claim, ...], RuleMask] = {}
    for literal, constraint in propagator.unit_consequences():
        if not literal and constraint.bit:
            literals = propagator.conflict_literals(constraint.bit)
            givens = tuple(sorted(claims[each] for each in literals if each in claims))
            for each in combinations(givens, 2) if isinstance(constraint, AtMostOne) else [givens]:
                violated[each] = violated.get(each, constraint.bit) | constraint.bit
    return tuple(
        Conflict(givens, rules=instances(model, violated[givens]))
        for givens in sorted(violated)
        if givens
    )


def instances(model: ConstraintModel, rules: RuleMask) -> tuple[RuleInstance, ...]:
    """The rule instances in a mask."""
    return tuple(each for each in model.instances if each.bit & rules)
