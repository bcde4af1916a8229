"""Numbers that violate a single rule, as propagation finds them without search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.explanation.constraints import ConstraintModel, Literal, RuleInstance, RuleMask
from aspdoku.explanation.propagation import Propagator
from aspdoku.explanation.steps import Claim


class Conflict(NamedTuple):
    """Givens or entries that contradict each other, and the rules by which they do.

    The rules are each violated by these numbers directly, or else contradict them together.
    """

    givens: tuple[Claim, ...]
    rules: tuple[RuleInstance, ...]


def direct_conflicts(
    model: ConstraintModel, claims: Mapping[Literal, Claim]
) -> tuple[Conflict, ...]:
    """The numbers that violate a rule directly, in reading order, with all rules they violate.

    claims: the numbers by their literals
    """
    propagator = Propagator(model)
    propagator.assert_literals(claims)
    violated: dict[tuple[Claim, ...], RuleMask] = {}
    for literal, constraint in propagator.unit_consequences():
        if not literal and constraint.bit:
            literals = propagator.conflict_literals(constraint.bit)
            givens = tuple(sorted(claims[each] for each in literals if each in claims))
            violated[givens] = violated.get(givens, constraint.bit) | constraint.bit
    return tuple(
        Conflict(givens, instances(model, violated[givens]))
        for givens in sorted(violated)
        if givens
    )


def instances(model: ConstraintModel, rules: RuleMask) -> tuple[RuleInstance, ...]:
    """The rule instances in a mask."""
    return tuple(each for each in model.instances if each.bit & rules)
