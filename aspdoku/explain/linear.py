"""Sums, followed by their bounds.

What is left to the literals of a sum where some of them are known.
"""

from __future__ import annotations

from collections.abc import Mapping

from aspdoku.explain.constraints import ConstraintModel, Sum

Mask = int


class LinearPropagator:
    """A sum, its literals put together by cells, or whatever else holds one of them at most."""

    def __init__(self, each: Sum, constraints: ConstraintModel) -> None:
        self.bit = each.bit
        self.conditions = each.conditions
        self.literals = each.literals
        self.least, self.most = each.least, each.most
        weights = dict(zip(each.literals, each.weights, strict=True))
        self._parts: list[tuple[list[tuple[int, int]], bool]] = []
        left = dict(weights)
        for group in constraints.groups:
            if (
                group.bit == 0
                and len(inside := [literal for literal in group.literals if literal in left]) > 1
            ):
                exact = frozenset(inside) in constraints.granted_clauses
                self._parts.append(([(literal, left.pop(literal)) for literal in inside], exact))
        self._parts += [([pair], False) for pair in left.items()]

    def follows(self, known: set[int], reasons: Mapping[int, Mask]) -> list[tuple[int, Mask]]:
        """What the sum makes hold, with the rules for it.

        Literal 0 where it cannot be reached, or is passed.
        """
        mask = self.bit
        open_condition = 0
        for condition in self.conditions:
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
                    mask |= reasons.get(literal, 0)
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
        found = []
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
                    found.append((-literal, mask))
                elif len(part) == 1 and self._misses(rest_low, rest_high):
                    found.append((literal, mask))
        return found

    def _misses(self, low: int, high: int) -> bool:
        return (self.least is not None and high < self.least) or (
            self.most is not None and low > self.most
        )
