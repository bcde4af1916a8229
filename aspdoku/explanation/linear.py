"""Bounds propagation of linear constraints.

The smallest and largest value that a sum can still take determine which of its open literals can or
must hold (bounds consistency).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aspdoku.explanation.constraints import NO_RULES, ConstraintModel, Literal, RuleMask, Sum

# Not a code: the conclusion that a constraint is violated.
VIOLATED = -1


class LinearPropagator:
    """A sum over groups of literals of which at most one holds, such as the numbers of a cell.

    Grouping tightens the bounds: a cell contributes one of its numbers, not the total of them.

    codes: the code of each literal, see `refutation`
    """

    def __init__(
        self, each: Sum, constraints: ConstraintModel, codes: Mapping[Literal, int]
    ) -> None:
        self.codes = [codes[literal] for literal in each.signed_literals]
        self._conditions = [codes[literal] for literal in each.conditions]
        self._least, self._most = each.least, each.most
        left = dict(zip(each.literals, each.weights, strict=True))
        # Codes with their weights, and whether one of them has to hold.
        self._parts: list[tuple[list[tuple[int, int]], bool]] = []
        for group in constraints.at_most_ones:
            inside = [literal for literal in group.literals if literal in left]
            if group.bit == NO_RULES and len(inside) > 1:
                exact = frozenset(inside) in constraints.unconditional_clauses
                part = [(codes[literal], left.pop(literal)) for literal in inside]
                self._parts.append((part, exact))
        self._parts += [([(codes[literal], weight)], False) for literal, weight in left.items()]

    def propagate(
        self, state: Sequence[RuleMask | None], mask: RuleMask
    ) -> list[tuple[int, RuleMask]]:
        """The codes that the sum entails, with reasons; VIOLATED if it cannot be in its bounds.

        state: for each code None if it is open, else its reason
        mask: the rule of the sum, with which the reasons start
        """
        open_condition = None
        for condition in self._conditions:
            why = state[condition]
            if why is not None:
                mask |= why
            elif open_condition is not None or state[condition ^ 1] is not None:
                return []
            else:
                open_condition = condition
        low, high, spans, mask = self._bounds(state, mask)
        if self._misses(low, high):
            return [(VIOLATED if open_condition is None else open_condition ^ 1, mask)]
        return [] if open_condition is not None else self._entailed(state, low, high, spans, mask)

    def _bounds(
        self, state: Sequence[RuleMask | None], mask: RuleMask
    ) -> tuple[int, int, list[tuple[int, int, bool]], RuleMask]:
        """The smallest and largest value of the sum and of each part, whether the part is decided,
        and the mask with the rules by which parts have lost values.
        """
        low = high = 0
        spans = []
        for part, exact in self._parts:
            smallest = largest = None if exact else 0
            decided = False
            for code, weight in part:
                why = state[code]
                if why is not None:
                    mask |= why
                    smallest = largest = weight
                    decided = True
                    break
                why = state[code ^ 1]
                if why is not None:
                    mask |= why
                elif smallest is None or largest is None:
                    smallest = largest = weight
                elif weight < smallest:
                    smallest = weight
                elif weight > largest:
                    largest = weight
            low += smallest or 0
            high += largest or 0
            spans.append((smallest or 0, largest or 0, decided))
        return low, high, spans, mask

    def _entailed(
        self,
        state: Sequence[RuleMask | None],
        low: int,
        high: int,
        spans: list[tuple[int, int, bool]],
        mask: RuleMask,
    ) -> list[tuple[int, RuleMask]]:
        """The open codes without which, or with which, the sum would miss its bounds."""
        entailed = []
        for (part, _), (smallest, largest, decided) in zip(self._parts, spans, strict=True):
            rest_low, rest_high = low - smallest, high - largest
            # Usually, whatever an open part contributes, the bounds can be met.
            if not decided and not self._misses(rest_low + largest, rest_high + smallest):
                continue
            for code, weight in part:
                if state[code] is not None or state[code ^ 1] is not None:
                    continue
                if self._misses(rest_low + weight, rest_high + weight):
                    entailed.append((code ^ 1, mask))
                elif len(part) == 1 and self._misses(rest_low, rest_high):
                    entailed.append((code, mask))
        return entailed

    def _misses(self, low: int, high: int) -> bool:
        return (self._least is not None and high < self._least) or (
            self._most is not None and low > self._most
        )
