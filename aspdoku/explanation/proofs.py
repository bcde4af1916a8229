"""Derivations of refutations, to be shown: inference by inference, with case splits if needed.

`Propagator.refute` finds the rules of a refutation; the derivation that uses only these rules is
found afterwards, by unit propagation that records its inferences. If unit propagation does not
reach a conflict, since clingo found the rules, a clause is split into its open cases, and each case
is refuted in turn, as in the DPLL procedure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from aspdoku.explanation.constraints import CONFLICT, NO_RULES, Literal, RuleMask
from aspdoku.explanation.propagation import Inference, Propagator, relevant_inferences

# The most cases of a derivation, including nested ones. A proof with more would not be readable,
# and without a limit the search is exponential.
_MOST_CASES = 60


class Derivation(NamedTuple):
    """The derivation of a refutation.

    inferences: the last one violates a rule, or leaves the cases
    cases: the literal of each case, and its derivation
    """

    inferences: list[Inference]
    cases: list[tuple[Literal, Derivation]]

    @property
    def all_inferences(self) -> list[Inference]:
        """The inferences, those of the cases included."""
        return [
            *self.inferences,
            *(each for _, case in self.cases for each in case.all_inferences),
        ]


class _Context(NamedTuple):
    """The state at the start of a derivation.

    holding: the literals that hold, with reasons
    inferences: the inferences by which they were derived
    assumptions: all literals assumed so far
    outside: the literals inferred before the current case
    """

    holding: dict[Literal, RuleMask]
    inferences: dict[Literal, Inference]
    assumptions: set[Literal]
    outside: frozenset[Literal]


def derive(propagator: Propagator, assumption: Literal, allowed: RuleMask) -> Derivation | None:
    """The derivation of a conflict from an assumption, by these rules only.

    None if there is none, or none with few enough cases.
    """
    holding = dict(propagator.entailed_auxiliaries(allowed))
    inferences = {literal: propagator.derivation_of(literal) for literal in holding}
    context = _Context(holding, inferences, {assumption}, frozenset())
    found = _derive(propagator, assumption, context, allowed, [_MOST_CASES])
    return found and found[0]


def _derive(
    propagator: Propagator,
    assumption: Literal,
    context: _Context,
    allowed: RuleMask,
    budget: list[int],
) -> tuple[Derivation, set[Literal]] | None:
    """The derivation, and the literals inferred outside the current case that it uses."""

    def split_off_outside(end: Inference) -> tuple[list[Inference], set[Literal]]:
        relevant = relevant_inferences(end, context.inferences, context.assumptions)
        used = {each.literal for each in relevant if each.literal in context.outside}
        return [each for each in relevant if each.literal not in used], used

    end = _propagate(propagator, assumption, context, allowed)
    if end is not None:
        inferences, used = split_off_outside(end)
        return Derivation(inferences, []), used
    index = _choose_split(propagator, context.holding, allowed)
    if index is None:
        return None
    literals = propagator.open_cases(index, context.holding, allowed)
    budget[0] -= len(literals)
    if budget[0] < 0:
        return None
    split = propagator.case_split(index, context.holding, literals)
    cases: list[tuple[Literal, Derivation]] = []
    used_in_cases: set[Literal] = set()
    for literal in literals:
        inner = _Context(
            dict(context.holding),
            dict(context.inferences),
            {*context.assumptions, literal},
            frozenset(context.inferences),
        )
        found = _derive(propagator, literal, inner, allowed, budget)
        if found is None:
            return None
        cases.append((literal, found[0]))
        used_in_cases |= found[1]
    (*common, _), used = split_off_outside(
        split._replace(antecedents=(*split.antecedents, *sorted(used_in_cases)))
    )
    return Derivation([*common, split], cases), used


def _choose_split(
    propagator: Propagator, holding: Mapping[Literal, RuleMask], allowed: RuleMask
) -> int | None:
    """The index of the clause to split: the fewest cases without an immediate conflict, then the
    fewest cases.
    """
    splits = {}
    for index in range(len(propagator.constraints.clauses)):
        cases = propagator.open_cases(index, holding, allowed)
        if len(cases) > 1:
            splits[index] = cases
    literals = {literal for cases in splits.values() for literal in cases}
    fails = propagator.refuted(literals, holding, allowed)
    return min(
        splits,
        key=lambda index: (sum(case not in fails for case in splits[index]), len(splits[index])),
        default=None,
    )


def _propagate(
    propagator: Propagator, assumption: Literal, context: _Context, allowed: RuleMask
) -> Inference | None:
    """Add the consequences of an assumption to the context; stop at a conflict and return it."""
    holding, inferences = context.holding, context.inferences
    waiting = deque([assumption])
    while waiting:
        literal = waiting.popleft()
        if literal in holding:
            continue
        holding[literal] = NO_RULES
        for each in propagator.inferences(literal, holding, allowed):
            if not each.literal:
                return each
            if -each.literal in holding or -each.literal in propagator.known:
                antecedents = (*each.antecedents, -each.literal)
                return each._replace(literal=CONFLICT, antecedents=antecedents)
            if each.literal not in holding and each.literal not in inferences:
                inferences[each.literal] = each
                waiting.append(each.literal)
    return None
