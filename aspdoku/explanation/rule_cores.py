"""Minimal sets of rule instances that entail a literal, for steps that only clingo proves.

A core of the whole ground program takes clingo milliseconds, since hundreds of known literals and
of rule instances are assumptions of the search, and a minimal one takes hundreds of cores. So the
constraints of the model are given to clingo anew, without what is known: satisfied constraints and
false literals are left out, and only the guards of rule instances are assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from clingo import Control
from clingo.backend import Backend

from aspdoku.engine.solver import REQUIRED_OPTIONS
from aspdoku.explanation.constraints import (
    AtMostOne,
    Clause,
    Constraint,
    ConstraintModel,
    Literal,
    RuleMask,
    union_of,
)

# In deletion, rule instances are left out in chunks of these sizes, one after the other: of a large
# core, many are not needed.
_CHUNKS = (8, 1)

# clingo's configuration: of those that come with it, among the fastest for these small programs,
# most of which have a solution.
_OPTIONS = ("--configuration=trendy",)

# Finds the rules of an unsatisfiable core of a literal and rules; None if they are satisfiable.
CoreOf = Callable[[Literal, RuleMask], RuleMask | None]


class RuleCores:
    """The constraints of a model with what is known, as a program for clingo."""

    def __init__(self, model: ConstraintModel, known: Container[Literal]) -> None:
        self._model = model
        self._known = known
        self._atoms: dict[Literal, int] = {}
        self._guards: dict[RuleMask, int] = {}
        self._control = Control([*REQUIRED_OPTIONS, *_OPTIONS])
        constraints: list[Constraint] = [*model.clauses, *model.at_most_ones, *model.sums]
        with self._control.backend() as backend:
            for each in constraints:
                self._add(backend, each)
            for atom in (*self._atoms.values(), *self._guards.values()):
                backend.add_rule([atom], choice=True)

    def core(self, literal: Literal, rules: RuleMask) -> RuleMask | None:
        """The rules of an unsatisfiable core of a literal and rules; None if they are satisfiable.

        Positive recursion is not taken into account, see `constraints`.
        """
        atom = self._atoms.get(abs(literal))
        if atom is None:
            return None
        guards = [guard for bit, guard in self._guards.items() if bit & rules]
        core = self._model.core(self._control, [atom if literal > 0 else -atom, *guards])
        if core is None:
            return None
        return union_of(bit for bit, guard in self._guards.items() if guard in core)

    def _add(self, backend: Backend, each: Constraint) -> None:
        """Add a constraint, unless what is known satisfies it."""
        if isinstance(each, Clause):
            if not any(literal in self._known for literal in each.literals):
                self._forbid(backend, each, [-literal for literal in each.literals])
            return
        if isinstance(each, AtMostOne):
            self._forbid_sum(backend, each, (), each.literals, [1] * len(each.literals), 2)
            return
        if any(-condition in self._known for condition in each.conditions):
            return
        if each.most is not None:
            self._forbid_sum(
                backend, each, each.conditions, each.literals, each.weights, each.most + 1
            )
        if each.least is not None:
            opposites = [-literal for literal in each.literals]
            bound = sum(each.weights) - each.least + 1
            self._forbid_sum(backend, each, each.conditions, opposites, each.weights, bound)

    def _forbid_sum(
        self,
        backend: Backend,
        each: Constraint,
        conditions: Iterable[Literal],
        literals: Sequence[Literal],
        weights: Sequence[int],
        bound: int,
    ) -> None:
        """Forbid that conditions hold and a sum reaches a bound."""
        pairs = list(zip(literals, weights, strict=True))
        bound -= sum(weight for literal, weight in pairs if literal in self._known)
        body = [
            (self._literal(backend, literal), weight)
            for literal, weight in pairs
            if literal not in self._known and -literal not in self._known
        ]
        if bound <= 0:
            self._forbid(backend, each, conditions)
        elif sum(weight for _, weight in body) >= bound:
            reached = backend.add_atom()
            backend.add_weight_rule([reached], bound, body)
            self._forbid(backend, each, conditions, reached)

    def _forbid(
        self, backend: Backend, each: Constraint, literals: Iterable[Literal], *atoms: int
    ) -> None:
        """Forbid that literals hold, and atoms of the program, if the rule is on."""
        body = [
            self._literal(backend, literal) for literal in literals if literal not in self._known
        ]
        if each.bit:
            if each.bit not in self._guards:
                self._guards[each.bit] = backend.add_atom()
            body.append(self._guards[each.bit])
        backend.add_rule([], [*body, *atoms])

    def _literal(self, backend: Backend, literal: Literal) -> int:
        atom = self._atoms.get(abs(literal))
        if atom is None:
            atom = self._atoms[abs(literal)] = backend.add_atom()
        return atom if literal > 0 else -atom


def smallest_core(
    core_of: CoreOf, targets: Sequence[Literal], rules: RuleMask
) -> tuple[Literal, RuleMask] | None:
    """The target whose negation has the smallest core, and its rules, of which none can be left
    out; None if no target has a core.
    """
    cores = [
        (core.bit_count(), target, core)
        for target in targets
        if (core := _trimmed(core_of, -target, rules)) is not None
    ]
    if not cores:
        return None
    _, target, rules = min(cores)
    return target, _minimal(core_of, -target, rules)


def _trimmed(core_of: CoreOf, literal: Literal, rules: RuleMask) -> RuleMask | None:
    """A core of a core and so on, as long as it gets smaller."""
    core = core_of(literal, rules)
    while core is not None and core != rules:
        rules, core = core, core_of(literal, core)
    return core


def _minimal(core_of: CoreOf, literal: Literal, rules: RuleMask) -> RuleMask:
    """The core without rules that can be left out, in chunks and then one after the other."""
    for chunk in _CHUNKS:
        bits = [RuleMask(1 << place) for place in range(rules.bit_length()) if rules >> place & 1]
        for start in range(0, len(bits), chunk):
            left_out = union_of(bits[start : start + chunk]) & rules
            if left_out and (core := core_of(literal, rules & ~left_out)) is not None:
                rules = core
    return rules
