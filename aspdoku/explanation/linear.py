"""Bounds propagation of linear constraints.

The smallest and largest value that a sum can still take determine which of its open literals can or
must hold (bounds consistency).
"""

from __future__ import annotations

from collections.abc import Mapping

from aspdoku.explanation.constraints import (
    CONFLICT,
    NO_RULES,
    ConstraintModel,
    Literal,
    RuleMask,
    Sum,
)


class LinearPropagator:
    """A sum over groups of literals of which at most one holds, such as the numbers of a cell.

    Grouping tightens the bounds: a cell contributes one of its numbers, not the total of them.
    """

    def __init__(self, each: Sum, constraints: ConstraintModel) -> None:
        self.signed_literals = each.signed_literals
        self._conditions = each.conditions
        self._least, self._most = each.least, each.most
        left = dict(zip(each.literals, each.weights, strict=True))
        # Literals with their weights, and whether one of them has to hold.
        self._parts: list[tuple[list[tuple[Literal, int]], bool]] = []
        for group in constraints.at_most_ones:
            inside = [literal for literal in group.literals if literal in left]
            if group.bit == NO_RULES and len(inside) > 1:
                exact = frozenset(inside) in constraints.unconditional_clauses
                self._parts.append(([(literal, left.pop(literal)) for literal in inside], exact))
        self._parts += [([pair], False) for pair in left.items()]

    def propagate(
        self, known: set[Literal], reasons: Mapping[Literal, RuleMask], mask: RuleMask
    ) -> list[tuple[Literal, RuleMask]]:
        """The literals that the sum entails, with reasons; CONFLICT if it cannot be in its bounds.

        mask: the rule of the sum, with which the reasons start
        """
        open_condition = CONFLICT
        for condition in self._conditions:
            if condition in known:
                continue
            why = reasons.get(condition)
            if why is not None:
                mask |= why
            elif open_condition or -condition in known or -condition in reasons:
                return []
            else:
                open_condition = condition
        low = high = 0
        spans = []
        for part, exact in self._parts:
            weights: list[int] = [] if exact else [0]
            for literal, weight in part:
                if literal in known or literal in reasons:
                    mask |= reasons.get(literal, NO_RULES)
                    weights = [weight]
                    break
                if -literal in reasons:
                    mask |= reasons[-literal]
                elif -literal not in known:
                    weights.append(weight)
            smallest, largest = (min(weights), max(weights)) if weights else (0, 0)
            low += smallest
            high += largest
            spans.append((smallest, largest))
        if self._misses(low, high):
            return [(-open_condition, mask)]
        if open_condition:
            return []
        entailed = []
        for (part, _), (smallest, largest) in zip(self._parts, spans, strict=True):
            rest_low, rest_high = low - smallest, high - largest
            for literal, weight in part:
                if (
                    literal in known
                    or -literal in known
                    or literal in reasons
                    or -literal in reasons
                ):
                    continue
                if self._misses(rest_low + weight, rest_high + weight):
                    entailed.append((-literal, mask))
                elif len(part) == 1 and self._misses(rest_low, rest_high):
                    entailed.append((literal, mask))
        return entailed

    def _misses(self, low: int, high: int) -> bool:
        return (self._least is not None and high < self._least) or (
            self._most is not None and low > self._most
        )
