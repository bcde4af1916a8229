"""Unit propagation with provenance: find a small set of rule instances that entails a literal.

To show that a literal follows from the known ones, assume its negation and propagate until a
constraint is violated: a refutation. Each literal that propagation derives carries its *reason*,
the rule instances that it took, as an int with one bit per instance: the union of two reasons is
`|`, the size of one is `bit_count`. Literals are processed in order of the size of their reasons,
from one bucket per size. This is Dijkstra's algorithm with unit costs, except that a reason is a
set: two reasons that share instances cost less together than the sum of their sizes, so the first
reason found for a literal is small, but not always the smallest. Known literals cost nothing.

All queries share the representation of `ConstraintModel`: clauses, of which all literals but one
have to be false; at-most-ones, of which one has to be true; and sums (`LinearPropagator`). Clauses
and at-most-ones are shortened as literals become known. There are three ways to propagate:

- `unit_consequences`: one pass over all constraints, for the consequences of single constraints
- `refute`, `is_refutable` and `refuted`: from an assumption; this takes most of the time and has
  its own representation (`refutation`)
- `inferences`: from one literal, with everything that an explanation cites: used for the reasons
  that are shown (`derive`), and for literals that are not about cells
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain
from typing import NamedTuple

from aspdoku.explanation.constraints import (
    ALL_RULES,
    CONFLICT,
    NO_RULES,
    AtMostOne,
    Clause,
    Constraint,
    ConstraintModel,
    Literal,
    RuleMask,
)
from aspdoku.explanation.refutation import RefutationSearch

# The most cases of a derivation, including nested ones. A proof with more would not be readable,
# and without a limit the search is exponential.
_MOST_CASES = 60


class Inference(NamedTuple):
    """One inference of a derivation.

    literal: the conclusion; CONFLICT if the rule is violated
    rule: the mask of the rule instance applied; NO_RULES for a definition
    antecedents, premises: literals assumed or inferred before, and those known before
    options: the literals of a clause that were open before the assumption
    """

    literal: Literal
    rule: RuleMask
    antecedents: tuple[Literal, ...]
    premises: tuple[Literal, ...]
    options: tuple[Literal, ...]


class Propagator(RefutationSearch):
    """The known literals of a model, all of cells, and their consequences. Literals of auxiliary
    atoms, those of other predicates, are derived from the cells, each with its reason.
    """

    def __init__(self, constraints: ConstraintModel) -> None:
        super().__init__(constraints)
        self.constraints = constraints
        self.known: set[Literal] = set()
        self._cells = set(constraints.candidates.values())
        self.has_auxiliary_atoms = not self._cells.issuperset(map(abs, self._literals))
        # What single constraints entail, as of an epoch.
        self._consequences: Sequence[tuple[Literal, Constraint]] = ()
        self._consequences_epoch = -1
        # The entailed auxiliary literals, with reasons and inferences, as of an epoch.
        self._auxiliary: dict[Literal, RuleMask] = {}
        self.auxiliary_inferences: dict[Literal, Inference] = {}
        self._auxiliary_epoch = -1
        # Those by some rules only, as of an epoch, for one search after the other.
        self._allowed = NO_RULES, -1
        self._allowed_auxiliary: dict[Literal, RuleMask] = {}
        self._conflict: tuple[RuleMask, set[Literal]] | None = None

    def assert_literals(self, literals: Iterable[Literal]) -> None:
        """Make literals known."""
        new = [each for each in dict.fromkeys(literals) if each not in self.known]
        self.known.update(new)
        if self.epoch:
            for literal in new:
                self._assert(literal)
        elif new:
            self._assert_first(new)

    def singles(self, literals: Iterable[Literal]) -> set[Literal]:
        """These literals of cells, and what follows by single rules, one after the other; but only
        these if there are auxiliary atoms, by which others would follow, too.
        """
        found = set(literals)
        return found if self.has_auxiliary_atoms else found | self.following(found)

    def unit_consequences(self) -> Sequence[tuple[Literal, Constraint]]:
        """The literals that single constraints entail; CONFLICT for a violated constraint."""
        # Eliminations, violations and placements are looked for one after the other.
        if self._consequences_epoch != self.epoch:
            self._consequences_epoch = self.epoch
            self._consequences = list(self._unit_consequences())
        return self._consequences

    def _unit_consequences(self) -> Iterator[tuple[Literal, Constraint]]:
        known, literals, constraints = self.known, self._literals, self.constraints
        for index, codes in enumerate(self._clauses):
            if len(codes) <= 1 and index not in self._satisfied:
                yield (literals[codes[0]] if codes else CONFLICT), constraints.clauses[index]
        for group, opposites in zip(constraints.at_most_ones, self._groups, strict=True):
            true = [code for code in opposites if self._state[code ^ 1] is not None]
            if true:
                for code in opposites:
                    if code != true[0]:
                        literal = literals[code]
                        yield (CONFLICT if -literal in known else literal), group
        for index, each in enumerate(constraints.sums):
            for literal in self._by_sum(index, self._state):
                yield literal, each

    def conflict_literals(self, rule: RuleMask) -> set[Literal]:
        """The known literals by which constraints of this rule are violated."""
        return {
            premise
            for literal, constraint in self.unit_consequences()
            if not literal and constraint.bit == rule
            for premise in self._premises(constraint)
        }

    def _premises(self, constraint: Constraint) -> tuple[Literal, ...]:
        """The known literals by which a constraint has become shorter."""
        if isinstance(constraint, Clause):
            signed: Iterable[Literal] = (-each for each in constraint.literals)
        elif isinstance(constraint, AtMostOne):
            signed = constraint.literals
        else:
            signed = constraint.signed_literals
        return tuple(literal for literal in signed if literal in self.known)

    def conflict(self) -> tuple[RuleMask, set[Literal]] | None:
        """The rules of a conflict through auxiliary atoms, and the known literals involved."""
        self._derive_auxiliaries()
        return self._conflict

    def entailed_auxiliaries(self, allowed: RuleMask) -> Mapping[Literal, RuleMask]:
        """The auxiliary literals that the known ones entail by these rules, with reasons."""
        self._derive_auxiliaries()
        if allowed == ALL_RULES or not self._auxiliary:
            return self._auxiliary
        if self._allowed != (allowed, self._auxiliary_epoch):
            self._allowed = allowed, self._auxiliary_epoch
            self._allowed_auxiliary = {
                literal: reason
                for literal, reason in self._auxiliary.items()
                if not reason & ~allowed
            }
        return self._allowed_auxiliary

    def _derive_auxiliaries(self) -> None:
        """Find the entailed auxiliary literals, each with a small reason: smallest first, as in
        `refute`, but first in, first out among reasons of the same size. The inferences are shown,
        and constraints that the rules mention first should come first.
        """
        if not self.has_auxiliary_atoms or self._auxiliary_epoch == self.epoch:
            return
        before, self._auxiliary, self.auxiliary_inferences = self._auxiliary, {}, {}
        self._auxiliary_epoch = self.epoch
        self._conflict = None
        derived = self._auxiliary
        heap: list[tuple[int, int, RuleMask, Inference]] = []
        order = 0

        def push(inference: Inference) -> None:
            nonlocal order
            if inference.literal and abs(inference.literal) in self._cells:
                return
            reason = inference.rule
            for antecedent in inference.antecedents:
                reason |= derived[antecedent]
            order += 1
            heappush(heap, (reason.bit_count(), order, reason, inference))

        for literal, constraint in self.unit_consequences():
            options = (literal,) if isinstance(constraint, Clause) else ()
            push(Inference(literal, constraint.bit, (), self._premises(constraint), options))
        while heap:
            _, _, reason, inference = heappop(heap)
            literal = inference.literal
            if not literal or -literal in derived:
                premises = set(inference.premises)
                for used in (*inference.antecedents, *([-literal] if literal else [])):
                    reason |= derived[used]
                    last = self.auxiliary_inferences[used]
                    for each in relevant_inferences(last, self.auxiliary_inferences, set()):
                        premises |= set(each.premises)
                self._conflict = self._conflict or (reason, premises)
            elif literal not in derived:
                derived[literal], self.auxiliary_inferences[literal] = reason, inference
                for following in self.inferences(literal, derived, ALL_RULES):
                    push(following)
        self._note_entailed(derived.keys() - before.keys())

    def inferences(
        self, literal: Literal, holding: Mapping[Literal, RuleMask], allowed: RuleMask
    ) -> Iterator[Inference]:
        """The inferences from a literal and those that hold, by one constraint each."""
        code, literals = self._codes[literal], self._literals
        for opposites, rule in self._in_groups[code]:
            if not rule or rule & allowed:
                for other in opposites:
                    if self._state[other ^ 1] is not None:
                        yield Inference(CONFLICT, rule, (literal,), (literals[other ^ 1],), ())
                    elif other != code ^ 1:
                        yield Inference(literals[other], rule, (literal,), (), ())
        for index in self._in_clauses[code ^ 1]:
            if self._is_usable(index, allowed):
                open_ = self._open_literals(index, holding)
                if len(open_) <= 1 and not any(each in holding for each in open_):
                    conclusion = open_[0] if open_ else CONFLICT
                    yield self.by_clause(index, conclusion, holding, self._open_literals(index))
        if not self._in_sums[code]:
            return
        state = self._state_with(holding)
        for index in self._in_sums[code]:
            each = self.constraints.sums[index]
            if not each.bit or each.bit & allowed:
                antecedents = tuple(other for other in each.signed_literals if other in holding)
                premises = self._premises(each)
                for entailed in self._by_sum(index, state):
                    yield Inference(entailed, each.bit, antecedents, premises, ())

    def _state_with(self, holding: Mapping[Literal, RuleMask]) -> list[RuleMask | None]:
        state = self._state.copy()
        for literal, reason in holding.items():
            code = self._codes[literal]
            if state[code] is None:
                state[code] = reason
        return state

    def _is_usable(self, index: int, allowed: RuleMask) -> bool:
        rule = self._clause_rules[index]
        return index not in self._satisfied and (not rule or bool(rule & allowed))

    def _open_literals(self, index: int, holding: Container[Literal] = ()) -> list[Literal]:
        """The literals of a clause that can be true with those that hold."""
        every = (self._literals[code] for code in self._clauses[index])
        return [literal for literal in every if -literal not in holding]

    def open_cases(
        self, index: int, holding: Container[Literal], allowed: RuleMask
    ) -> list[Literal]:
        """The literals of a clause of which one has to hold; empty for a clause that holds or may
        not be used, or that has auxiliary literals open.
        """
        clause = self._open_literals(index) if self._is_usable(index, allowed) else []
        if any(literal in holding for literal in clause):
            return []
        open_ = [literal for literal in clause if -literal not in holding]
        return open_ if self._cells.issuperset(open_) else []

    def by_clause(
        self, index: int, literal: Literal, holding: Container[Literal], options: Iterable[Literal]
    ) -> Inference:
        """The inference of a literal by a clause, or, for CONFLICT, that it leaves options."""
        antecedents = tuple(-each for each in self._open_literals(index) if -each in holding)
        premises = self._premises(self.constraints.clauses[index])
        return Inference(literal, self._clause_rules[index], antecedents, premises, tuple(options))


def relevant_inferences(
    end: Inference, inferences: Mapping[Literal, Inference], assumptions: set[Literal]
) -> list[Inference]:
    """The inferences that the last one depends on, in the order in which they were found."""
    needed: set[Literal] = set()
    waiting = list(end.antecedents)
    while waiting:
        literal = waiting.pop()
        if literal not in assumptions and literal not in needed:
            needed.add(literal)
            waiting += inferences[literal].antecedents
    return [*(each for literal, each in inferences.items() if literal in needed), end]


class Derivation(NamedTuple):
    """A refutation: its last inference violates a rule, or leaves cases with derivations."""

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
    """The state at the start of a derivation by the allowed rules: how many cases there may be yet;
    the literals that hold, with reasons, and the inferences by which they were derived; all
    literals assumed so far; those inferred before the current case.
    """

    propagator: Propagator
    allowed: RuleMask
    budget: list[int]
    holding: dict[Literal, RuleMask]
    inferences: dict[Literal, Inference]
    assumptions: set[Literal]
    outside: frozenset[Literal]


def derive(propagator: Propagator, assumption: Literal, allowed: RuleMask) -> Derivation | None:
    """The derivation of a conflict from an assumption, by these rules only, with few enough cases.
    If unit propagation does not reach a conflict, since clingo found the rules, a clause is split
    into its open cases, and each case is refuted in turn, as in the DPLL procedure.
    """
    holding = dict(propagator.entailed_auxiliaries(allowed))
    inferences = {literal: propagator.auxiliary_inferences[literal] for literal in holding}
    budget = [_MOST_CASES]
    context = _Context(propagator, allowed, budget, holding, inferences, {assumption}, frozenset())
    derived = _derive(assumption, context)
    return derived and derived[0]


def _derive(assumption: Literal, context: _Context) -> tuple[Derivation, set[Literal]] | None:
    """The derivation, and the literals inferred outside the current case that it uses."""
    propagator, budget = context.propagator, context.budget

    def split_off_outside(end: Inference) -> tuple[list[Inference], set[Literal]]:
        relevant = relevant_inferences(end, context.inferences, context.assumptions)
        used = {each.literal for each in relevant if each.literal in context.outside}
        return [each for each in relevant if each.literal not in used], used

    end = _propagate(assumption, context)
    if end is not None:
        inferences, used = split_off_outside(end)
        return Derivation(inferences, []), used
    index = _choose_split(context)
    if index is None:
        return None
    literals = propagator.open_cases(index, context.holding, context.allowed)
    budget[0] -= len(literals)
    if budget[0] < 0:
        return None
    split = propagator.by_clause(index, CONFLICT, context.holding, literals)
    cases: list[tuple[Literal, Derivation]] = []
    used_in_cases: set[Literal] = set()
    for literal in literals:
        inner = context._replace(
            holding=dict(context.holding),
            inferences=dict(context.inferences),
            assumptions={*context.assumptions, literal},
            outside=frozenset(context.inferences),
        )
        found = _derive(literal, inner)
        if found is None:
            return None
        cases.append((literal, found[0]))
        used_in_cases |= found[1]
    (*common, _), used = split_off_outside(
        split._replace(antecedents=(*split.antecedents, *sorted(used_in_cases)))
    )
    return Derivation([*common, split], cases), used


def _choose_split(context: _Context) -> int | None:
    """The clause to split: the fewest cases without immediate conflict, then the fewest cases."""
    propagator, holding, allowed = context.propagator, context.holding, context.allowed
    splits = {}
    for index in range(len(propagator.constraints.clauses)):
        cases = propagator.open_cases(index, holding, allowed)
        if len(cases) > 1:
            splits[index] = cases
    fails = propagator.refuted({*chain(*splits.values())}, holding, allowed)

    def key(index: int) -> tuple[int, int]:
        return sum(case not in fails for case in splits[index]), len(splits[index])

    return min(splits, key=key, default=None)


def _propagate(assumption: Literal, context: _Context) -> Inference | None:
    """Add the consequences of an assumption to the context; stop at a conflict and return it."""
    propagator, holding, inferences = context.propagator, context.holding, context.inferences
    waiting = deque([assumption])
    while waiting:
        literal = waiting.popleft()
        if literal in holding:
            continue
        holding[literal] = NO_RULES
        for each in propagator.inferences(literal, holding, context.allowed):
            if not each.literal:
                return each
            if -each.literal in holding or -each.literal in propagator.known:
                antecedents = (*each.antecedents, -each.literal)
                return each._replace(literal=CONFLICT, antecedents=antecedents)
            if each.literal not in holding and each.literal not in inferences:
                inferences[each.literal] = each
                waiting.append(each.literal)
    return None
