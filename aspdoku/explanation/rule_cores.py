"""Minimal sets of rule instances that entail a literal, for steps that only clingo proves.

A core of the whole ground program takes clingo milliseconds, since hundreds of known literals and
of rule instances are assumptions of the search, and a minimal one takes hundreds of cores. So the
constraints of the model are given to clingo anew, without what is known: satisfied constraints and
false literals are left out, and only the guards of rule instances are assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress

from clingo.backend import Backend

from aspdoku.engine.control import Control
from aspdoku.engine.solver import REQUIRED_OPTIONS
from aspdoku.explanation.constraints import (
    CONFLICT,
    AtMostOne,
    Clause,
    Constraint,
    ConstraintModel,
    Literal,
    RuleMask,
    Sum,
    UndecidedError,
    union_of,
)

# In deletion, rule instances are left out in chunks of these sizes, one after the other: of a large
# core, many are not needed.
_CHUNKS = (8, 1)

# clingo's configuration: of those that come with it, among the fastest for these small programs,
# most of which have a solution.
_OPTIONS = ("--configuration=trendy",)

# The most conflicts of a search with some of the rules, and how many searches may end by that.
# Usual ones take less than 300. Where sums or differences leave nothing but search, one takes
# thousands, the fewer rules the more, and no reason is found that could be read anyway.
MOST_CONFLICTS, _MOST_UNDECIDED = 500, 8
# For a conflict of what is known, the most conflicts of the first search, and the size of the first
# chunks: of all rules of a puzzle, few are needed if they can be read.
_MOST_FOR_CONFLICT, _LARGE_CHUNK = 2000, 64


# Finds the rules of a core with at most some conflicts; None if there is none, or none is found.
_CoreOf = Callable[[Literal, RuleMask, int | None], RuleMask | None]


class RuleCores:
    """The constraints of a model with what is known, as a program for clingo."""

    def __init__(self, model: ConstraintModel, known: Set[Literal]) -> None:
        self._model = model
        self._known = known
        self._atoms: dict[Literal, int] = {}
        self._guards: dict[RuleMask, int] = {}
        self._control = Control([*REQUIRED_OPTIONS, *_OPTIONS])
        with self._control.backend() as backend:
            for each in model.constraints:
                self._add(backend, each)
            for atom in (*self._atoms.values(), *self._guards.values()):
                backend.add_rule([atom], choice=True)

    def smallest(self, targets: Sequence[Literal]) -> tuple[Literal, RuleMask] | None:
        """The target whose negation has the smallest core, and the rules needed of it."""
        # The constraints are weaker than a program with positive recursion, see `constraints`.
        return self._smallest(targets, self._core) or self._smallest(targets, self._program_core)

    def of_conflict(self, most: int) -> RuleMask | None:
        """The rules of a minimal core of what is known; None if not found or too many."""
        with suppress(UndecidedError):
            rules = self._of_conflict(self._core, most)
            return rules or self._of_conflict(self._program_core, most)
        return None

    def _of_conflict(self, search: _CoreOf, most: int) -> RuleMask | None:
        needed = 0

        def core_of(literal: Literal, rules: RuleMask, limit: int | None) -> RuleMask | None:
            nonlocal needed
            core = search(literal, rules, limit)
            if core is None:
                # Each part that is needed, of one rule or more, has a rule of the minimal core.
                needed += 1
                if needed > most:
                    raise UndecidedError
            return core

        rules = search(CONFLICT, self._model.all_rules, _MOST_FOR_CONFLICT)
        if rules is None:
            return None
        for chunk in (_LARGE_CHUNK, *_CHUNKS):
            needed = 0
            rules = _reduced(core_of, CONFLICT, _trimmed(search, CONFLICT, rules), chunk)
        return rules

    def _smallest(
        self, targets: Sequence[Literal], search: _CoreOf
    ) -> tuple[Literal, RuleMask] | None:
        undecided = 0

        def core_of(literal: Literal, rules: RuleMask, limit: int | None) -> RuleMask | None:
            nonlocal undecided
            if undecided == _MOST_UNDECIDED:
                return None
            try:
                return search(literal, rules, limit)
            except UndecidedError:
                undecided += 1
                return None

        cores: list[tuple[int, Literal, RuleMask]] = []
        for target in targets:
            # The first core has to be found, if there is one; others may be smaller.
            core = core_of(-target, self._model.all_rules, MOST_CONFLICTS if cores else None)
            if core is not None:
                core = _trimmed(core_of, -target, core)
                cores.append((core.bit_count(), target, core))
        if not cores:
            return None
        _, target, core = min(cores)
        for chunk in _CHUNKS:
            core = _reduced(core_of, -target, core, chunk)
        return target, core

    def _core(self, literal: Literal, rules: RuleMask, limit: int | None) -> RuleMask | None:
        """The rules of a core of a literal; None if satisfiable. Raises UndecidedError."""
        assumed = [guard for bit, guard in self._guards.items() if bit & rules]
        if literal != CONFLICT:
            atom = self._atoms.get(abs(literal))
            if atom is None:
                return None
            assumed.insert(0, atom if literal > 0 else -atom)
        core = self._model.core(self._control, assumed, limit)
        if core is None:
            return None
        return union_of(bit for bit, guard in self._guards.items() if guard in core)

    def _program_core(
        self, literal: Literal, rules: RuleMask, limit: int | None
    ) -> RuleMask | None:
        """The same for the whole ground program."""
        assumed = [literal] if literal != CONFLICT else []
        core = self._model.unsat_core([*assumed, *self._known], rules, limit)
        return core and core[1]

    def _add(self, backend: Backend, each: Constraint) -> None:
        """Add a constraint, unless what is known satisfies it."""
        if isinstance(each, Clause):
            if self._known.isdisjoint(each.literals):
                self._forbid(backend, each, [-literal for literal in each.literals])
            return
        if isinstance(each, AtMostOne):
            weights = (1,) * len(each.literals)
            each = Sum((), each.literals, weights, None, 1, each.bit)
        if any(-condition in self._known for condition in each.conditions):
            return
        if each.most is not None:
            self._forbid_sum(backend, each, each.literals, each.most + 1)
        if each.least is not None:
            opposites = [-literal for literal in each.literals]
            self._forbid_sum(backend, each, opposites, sum(each.weights) - each.least + 1)

    def _forbid_sum(
        self, backend: Backend, each: Sum, literals: Sequence[Literal], bound: int
    ) -> None:
        pairs = list(zip(literals, each.weights, strict=True))
        bound -= sum(weight for literal, weight in pairs if literal in self._known)
        body = [
            (self._literal(backend, literal), weight)
            for literal, weight in pairs
            if literal not in self._known and -literal not in self._known
        ]
        if bound <= 0:
            self._forbid(backend, each, each.conditions)
        elif sum(weight for _, weight in body) >= bound:
            reached = backend.add_atom()
            backend.add_weight_rule([reached], bound, body)
            self._forbid(backend, each, each.conditions, reached)

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


def _trimmed(core_of: _CoreOf, literal: Literal, core: RuleMask) -> RuleMask:
    """A core of a core and so on, as long as it gets smaller."""
    while True:
        smaller = core_of(literal, core, MOST_CONFLICTS)
        if smaller is None or smaller == core:
            return core
        core = smaller


def _reduced(core_of: _CoreOf, literal: Literal, rules: RuleMask, chunk: int) -> RuleMask:
    """The core without chunks of so many rules that can be left out."""
    bits = [RuleMask(1 << place) for place in range(rules.bit_length()) if rules >> place & 1]
    for start in range(0, len(bits), chunk):
        left_out = union_of(bits[start : start + chunk]) & rules
        if left_out:
            core = core_of(literal, rules & ~left_out, MOST_CONFLICTS)
            rules = rules if core is None else core
    return rules
