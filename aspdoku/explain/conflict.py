"""Why a puzzle has no solution: the givens that clash, by which rules, and what would mend it."""

from __future__ import annotations

import time
from typing import Literal, NamedTuple

from aspdoku.explain.constraints import ConstraintModel, RuleInstance
from aspdoku.explain.explainer import StepFinder
from aspdoku.explain.propagation import Propagator
from aspdoku.explain.steps import Claim, Step, relevant_steps
from aspdoku.program import Program

Cause = Literal["none", "impossible", "givens", "rules", "granted"]

# A clash of more rules than this is told step by step: nobody reads such a list.
MOST_RULES = 8


class Conflict(NamedTuple):
    """Givens that cannot be together, and the rules that say so.

    Each by itself if they break it at once, else together.
    """

    givens: tuple[Claim, ...]
    rules: tuple[RuleInstance, ...]


class ConflictExplanation(NamedTuple):
    """Why there is no solution.

    cause: "none": there is one; "impossible": a given that its rules never allow, whatever the
        others; "givens": givens clash; "rules": the rules have no solution, whatever the givens;
        "granted": what the rules take for granted has none
    clashes: those that break a single rule at once, else one that cannot be made smaller
    steps: the way to a rule that breaks, where the clash takes too many rules to be read
    repairs: the givens without which, one at a time, there is a solution
    """

    cause: Cause
    conflicts: tuple[Conflict, ...] = ()
    steps: tuple[Step, ...] = ()
    repairs: tuple[Claim, ...] = ()


def explain_conflict(program: Program, time_limit: float | None = None) -> ConflictExplanation:
    """Why a puzzle has no solution. Raises TimeLimitError where the time does not suffice."""
    began = time.monotonic()
    constraints = ConstraintModel(program, time_limit)
    givens = [(row, column, number) for (row, column), number in program.puzzle.givens().items()]
    literals = constraints.candidates
    claims = {literals[given]: Claim(*given, True) for given in givens if given in literals}
    found = constraints.unsat_core(list(claims), constraints.all_rules)
    impossible = tuple(
        Conflict((Claim(*given, True),), ()) for given in givens if given not in literals
    )
    if impossible:
        repairs = impossible[0].givens if len(impossible) == 1 and found is None else ()
        return ConflictExplanation("impossible", impossible, repairs=repairs)
    if found is None:
        return ConflictExplanation("none")
    repairs = tuple(
        claim for literal, claim in claims.items() if _mends(constraints, claims, literal)
    )
    alone = constraints.unsat_core([], constraints.all_rules)
    if not alone and (at_once := _at_once(constraints, claims)):
        return ConflictExplanation("givens", at_once, repairs=repairs)
    clashing, rules = _smaller(constraints, *(alone or found))
    if not clashing and not rules:
        return ConflictExplanation("granted")
    clash = Conflict(tuple(claims[literal] for literal in clashing), _instances(constraints, rules))
    steps: tuple[Step, ...] = ()
    if len(clash.rules) > MOST_RULES:
        targets = [sign for each in sorted(literals) for sign in (literals[each], -literals[each])]
        left = None if time_limit is None else time_limit - (time.monotonic() - began)
        stepper = StepFinder(constraints, clashing, targets, left)
        steps = tuple(relevant_steps(stepper.steps(), None))
    return ConflictExplanation("givens" if clashing else "rules", (clash,), steps, repairs)


def _mends(constraints: ConstraintModel, claims: dict[int, Claim], literal: int) -> bool:
    return (
        constraints.unsat_core(
            [other for other in claims if other != literal], constraints.all_rules
        )
        is None
    )


def _at_once(constraints: ConstraintModel, claims: dict[int, Claim]) -> tuple[Conflict, ...]:
    """The givens that break a rule by themselves, in reading order, with all rules that the same
    givens break.
    """
    propagator = Propagator(constraints)
    propagator.learn(claims)
    found: dict[tuple[Claim, ...], int] = {}
    for literal, rule in propagator.at_once():
        if not literal and rule:
            givens = tuple(
                sorted(claims[each] for each in propagator.breaking(rule) if each in claims)
            )
            found[givens] = found.get(givens, 0) | rule
    return tuple(
        Conflict(givens, _instances(constraints, found[givens]))
        for givens in sorted(found)
        if givens
    )


def _smaller(
    constraints: ConstraintModel, literals: list[int], rules: int
) -> tuple[list[int], int]:
    """Givens and rules that clash, of which none can be spared."""
    for literal in list(literals):
        if literal in literals:
            found = constraints.unsat_core(
                [other for other in literals if other != literal], constraints.all_rules
            )
            literals, rules = found or (literals, rules)
    for instance in constraints.instances:
        if instance.bit & rules:
            found = constraints.unsat_core(literals, rules & ~instance.bit)
            rules = found[1] if found else rules
    return literals, rules


def _instances(constraints: ConstraintModel, rules: int) -> tuple[RuleInstance, ...]:
    return tuple(each for each in constraints.instances if each.bit & rules)
