"""Search for refutations: propagate an assumption until a constraint is violated.

This is where explanations spend their time, so the search has its own representation. An atom that
occurs in a constraint has an index i; its literal has the code 2i, and its negation 2i + 1, so that
the state of all literals is a list, and `code ^ 1` is the opposite. Each clause has a counter of
the literals that are still open: only when one or none is left, the clause is looked at.

- `refute` processes literals by the size of their reasons, and finds a small set of rules
- `is_refutable` counts no rules
- `refuted` is the same for the cases of a proof, from literals that hold and by some rules only
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from aspdoku.explanation.constraints import (
    ALL_RULES,
    CONFLICT,
    NO_RULES,
    ConstraintModel,
    Literal,
    RuleMask,
    Sum,
    atoms_of,
)

# Not a code: the conclusion that a constraint is violated.
_VIOLATED = -1


class _Base(NamedTuple):
    """Where searches start, as of an epoch: what is known and other literals that hold, with
    reasons.

    state: for each code None if it is open, else its reason
    left: the number of open literals of each clause
    codes: those that hold and are not known
    """

    holding: Mapping[Literal, RuleMask]
    epoch: int
    state: list[RuleMask | None]
    left: list[int]
    codes: list[int]


class _Changes(NamedTuple):
    """How constraints changed.

    atoms: those of literals that became known, and of constraints that may entail more by that
    clauses: those that became shorter, each as the opposites of its codes
    """

    atoms: set[int]
    clauses: dict[int, frozenset[int]]


class RefutationSearch(ABC):
    """Refutations over a model's constraints and what is known; `epoch` counts known literals."""

    def __init__(self, model: ConstraintModel) -> None:
        atoms = set(model.candidates.values()).union(*map(atoms_of, model.constraints))
        self._literals = [sign for atom in sorted(atoms) for sign in (atom, -atom)]
        self._codes = {literal: code for code, literal in enumerate(self._literals)}
        count, codes = len(self._literals), self._codes
        self.epoch = 0
        self._visited: Iterable[int] = ()
        # For each code None if it is open, else its reason: no rules for one that is known.
        self._state: list[RuleMask | None] = [None] * count
        # There may be thousands of auxiliary literals that hold, in one search after the other.
        self._base = _Base({}, 0, self._state, [], [])
        self._clauses = [
            [codes[literal] for literal in dict.fromkeys(each.literals)] for each in model.clauses
        ]
        self._satisfied: set[int] = set()
        self._left = list(map(len, self._clauses))
        self._clause_rules = [each.bit for each in model.clauses]
        self._in_clauses = _occurrences(self._clauses, count)
        # An at-most-one as the opposites of its codes: what follows if one of them holds.
        self._groups = [
            [codes[each] ^ 1 for each in group.literals] for group in model.at_most_ones
        ]
        self._in_groups: list[list[tuple[list[int], RuleMask]]] = [[] for _ in range(count)]
        for group, opposites in zip(model.at_most_ones, self._groups, strict=True):
            for code in opposites:
                self._in_groups[code ^ 1].append((opposites, group.bit))
        self._sums = [_LinearPropagator(each, model, codes) for each in model.sums]
        self._sum_rules = [each.bit for each in model.sums]
        self._in_sums = _occurrences((linear.codes for linear in self._sums), count)
        self._changes = [_Changes(set(), {})]  # of each epoch
        # All since an epoch: codes, and by their codes the clauses that became shorter.
        self._changes_since: dict[int, tuple[set[int], dict[int, list[frozenset[int]]]]] = {}
        self._refutable: set[int] = set()
        # What holds if an assumption does that is not refuted from this base.
        self._unrefuted: tuple[_Base, set[int]] = self._base, set()

    @property
    def visited(self) -> frozenset[int]:
        """The codes that the last `refute` reached, for `has_changed`."""
        return frozenset(self._visited)

    @abstractmethod
    def entailed_auxiliaries(self, allowed: RuleMask) -> Mapping[Literal, RuleMask]:
        """The auxiliary literals that hold by these rules before any assumption, with reasons."""

    def _by_sum(self, index: int, state: list[RuleMask | None]) -> list[Literal]:
        """The literals that a sum entails in a state; CONFLICT if it is violated."""
        entailed = self._sums[index].propagate(state, NO_RULES)
        return [CONFLICT if code == _VIOLATED else self._literals[code] for code, _ in entailed]

    def _assert(self, literal: Literal) -> None:
        self.epoch += 1
        atoms, shorter = changes = _Changes(set(), {})
        self._changes.append(changes)
        self._changes_since.clear()
        code = self._codes.get(literal)
        if code is None:
            return
        self._state[code] = NO_RULES
        atoms.add(code >> 1)
        self._satisfied.update(self._in_clauses[code])
        for index in self._in_clauses[code]:
            # The clause is taken out where it would be looked for.
            for other in self._clauses[index]:
                if other != code:
                    self._in_clauses[other].remove(index)
        for index in self._in_clauses[code ^ 1]:
            clause = self._clauses[index]
            clause.remove(code ^ 1)
            self._left[index] -= 1
            shorter[index] = frozenset(other ^ 1 for other in clause)
        for opposites, _ in self._in_groups[code ^ 1]:
            opposites.remove(code)
        for opposites, _ in self._in_groups[code]:
            atoms.update(other >> 1 for other in opposites)
        for index in self._in_sums[code]:
            atoms.update(other >> 1 for other in self._sums[index].codes)

    def _assert_first(self, literals: Iterable[Literal]) -> None:
        """The same for many literals, before any others."""
        self.epoch += 1
        self._changes.append(_Changes({code >> 1 for code in self._codes.values()}, {}))
        true = {self._codes[literal] for literal in literals if literal in self._codes}
        for code in true:
            self._state[code] = NO_RULES
            self._satisfied.update(self._in_clauses[code])
        for index, clause in enumerate(self._clauses):
            if index not in self._satisfied:
                clause[:] = [code for code in clause if code ^ 1 not in true]
                self._left[index] = len(clause)
        for indices in self._in_clauses:
            indices[:] = [index for index in indices if index not in self._satisfied]
        for opposites in self._groups:
            opposites[:] = [code for code in opposites if code not in true]

    def _note_entailed(self, literals: Iterable[Literal]) -> None:
        """Note that auxiliary literals are entailed, by which the constraints over them change."""
        atoms = self._changes[self.epoch].atoms
        self._changes_since.clear()
        for literal in literals:
            code = self._codes[literal]
            for each in (code, code ^ 1):
                for index in self._in_clauses[each]:
                    atoms.update(other >> 1 for other in self._clauses[index])
                for opposites, _ in self._in_groups[each]:
                    atoms.update(other >> 1 for other in opposites)
            for index in self._in_sums[code]:
                atoms.update(other >> 1 for other in self._sums[index].codes)

    def has_changed(self, epoch: int, codes: frozenset[int]) -> bool:
        """Whether more may follow from these codes than at the epoch. From a clause that became
        shorter, it does only if at most one of its literals is left.
        """
        if epoch not in self._changes_since:
            changes = self._changes[epoch + 1 :]
            atoms = set[int]().union(*(each.atoms for each in changes))
            clauses: dict[int, frozenset[int]] = {}
            for each in changes:
                clauses |= each.clauses
            by_code: dict[int, list[frozenset[int]]] = defaultdict(list)
            for clause in clauses.values():
                for code in clause:
                    by_code[code].append(clause)
            changed = {code for atom in atoms for code in (2 * atom, 2 * atom + 1)}
            self._changes_since[epoch] = changed, by_code
        changed, by_code = self._changes_since[epoch]
        return not changed.isdisjoint(codes) or any(
            len(clause - codes) < 2 for code in by_code.keys() & codes for clause in by_code[code]
        )

    def refute(
        self, assumption: Literal, bound: int, allowed: RuleMask = ALL_RULES
    ) -> RuleMask | None:
        """The rules of a refutation with fewer than `bound` of them; None if none is found.
        Smallest reasons first, up to the smallest conflict: the bound shrinks with each conflict.
        """
        if bound < 1:
            return None
        base = self._with(self.entailed_auxiliaries(allowed))
        state, left = base.state, base.left.copy()
        clauses, clause_rules = self._clauses, self._clause_rules
        in_groups, in_clauses, in_sums = self._in_groups, self._in_clauses, self._in_sums
        restricted = allowed != ALL_RULES
        trail: list[int] = []
        # The queue: codes with their common reason, by the size of the reason; last in, first out.
        # The codes of an at-most-one include the one that the others follow from.
        buckets: list[list[tuple[Iterator[int], RuleMask, int]]] = [[] for _ in range(bound)]
        buckets[0].append((iter((self._codes[assumption],)), NO_RULES, _VIOLATED))
        best: RuleMask | None = None
        size = 0
        try:
            while size < bound:
                if not buckets[size]:
                    size += 1
                    continue
                codes, reason, source = buckets[size][-1]
                for code in codes:
                    if state[code] is not None or code == source:
                        continue
                    state[code] = reason
                    trail.append(code)
                    opposite = state[code ^ 1]
                    if opposite is not None:
                        for index in in_clauses[code ^ 1]:
                            left[index] -= 1
                        both = reason | opposite
                        if both.bit_count() < bound:
                            bound, best = both.bit_count(), both
                            break
                        continue
                    # Whether something follows that is to be processed before the other codes.
                    first = False
                    for opposites, rule in in_groups[code]:
                        if restricted and rule and not rule & allowed:
                            continue
                        mask = reason | rule
                        count = mask.bit_count()
                        if count < bound:
                            buckets[count].append((reversed(opposites), mask, code ^ 1))
                            first |= count == size
                    for index in in_clauses[code ^ 1]:
                        open_ = left[index] - 1
                        left[index] = open_
                        if open_ > 1:
                            continue
                        mask = clause_rules[index]
                        if restricted and mask and not mask & allowed:
                            continue
                        unit = _VIOLATED
                        for other in clauses[index]:
                            why = state[other ^ 1]
                            if why is None:
                                unit = other
                            else:
                                mask |= why
                        count = mask.bit_count()
                        if count < bound:
                            if unit == _VIOLATED:
                                bound, best = count, mask
                            elif state[unit] is None:
                                buckets[count].append((iter((unit,)), mask, _VIOLATED))
                                first |= count == size
                    for index in in_sums[code]:
                        rule = self._sum_rules[index]
                        if restricted and rule and not rule & allowed:
                            continue
                        for unit, mask in self._sums[index].propagate(state, rule):
                            count = mask.bit_count()
                            if count < bound:
                                if unit == _VIOLATED:
                                    bound, best = count, mask
                                elif state[unit] is None:
                                    buckets[count].append((iter((unit,)), mask, _VIOLATED))
                                    first |= count == size
                    if first or bound <= size:
                        break
                else:
                    buckets[size].pop()
        finally:
            for code in trail:
                state[code] = None
        self._visited = chain(trail, base.codes)
        return best

    def is_refutable(self, assumption: Literal) -> bool:
        """Whether there is a refutation, by however many rules."""
        code = self._codes[assumption]
        if code in self._refutable:
            return True
        base = self._with(self.entailed_auxiliaries(ALL_RULES))
        if self._unrefuted[0] is not base:
            self._unrefuted = base, set()
        _, unrefuted = self._unrefuted
        # What follows from it is not refuted either, as no more follows from that.
        if code in unrefuted:
            return False
        followed = self._followed([code], base, ALL_RULES)
        if followed is None:
            self._refutable.add(code)
            return True
        unrefuted.update(followed)
        return False

    def refuted(
        self,
        assumptions: Iterable[Literal],
        holding: Mapping[Literal, RuleMask],
        allowed: RuleMask,
    ) -> set[Literal]:
        """The assumptions that allowed rules refute, by what holds and all that follows."""
        base = self._started(holding)
        return {
            each
            for each in assumptions
            if self._followed([self._codes[each]], base, allowed) is None
        }

    def following(self, literals: Iterable[Literal]) -> set[Literal]:
        """The literals that follow from these, each by one rule; none if there is a conflict."""
        base = self._with(self.entailed_auxiliaries(ALL_RULES))
        followed = self._followed([self._codes[each] for each in literals], base, ALL_RULES)
        return {self._literals[code] for code in followed or ()}

    def _with(self, holding: Mapping[Literal, RuleMask]) -> _Base:
        """What holds at the start of a search; kept for the next one with the same mapping."""
        if self._base.holding is not holding or self._base.epoch != self.epoch:
            self._base = self._started(holding)
        return self._base

    def _started(self, holding: Mapping[Literal, RuleMask]) -> _Base:
        state, left, codes = self._state.copy(), self._left.copy(), []
        for literal, reason in holding.items():
            code = self._codes[literal]
            if state[code] is None:
                state[code] = reason
                codes.append(code)
                for index in self._in_clauses[code ^ 1]:
                    left[index] -= 1
        return _Base(holding, self.epoch, state, left, codes)

    def _followed(self, assumptions: list[int], base: _Base, allowed: RuleMask) -> list[int] | None:
        """What follows, propagated without counting rules; None if there is a conflict."""
        state = base.state
        if any(state[code ^ 1] is not None for code in assumptions):
            return None
        added = [code for code in assumptions if state[code] is None]
        for code in added:
            state[code] = NO_RULES
        try:
            is_violated = self._spread(assumptions, state, added, base.left.copy(), allowed)
            return None if is_violated else added
        finally:
            for code in added:
                state[code] = None

    def _spread(
        self,
        waiting: list[int],
        state: list[RuleMask | None],
        added: list[int],
        left: list[int],
        allowed: RuleMask,
    ) -> bool:
        """Add what follows from the codes that wait to the state; whether there is a conflict."""
        clauses, clause_rules = self._clauses, self._clause_rules
        in_groups, in_clauses, in_sums = self._in_groups, self._in_clauses, self._in_sums
        restricted = allowed != ALL_RULES
        # Sums take the longest and share literals, so they wait until nothing else follows.
        sums: set[int] = set()
        while waiting or sums:
            if not waiting:
                for other, _ in self._sums[sums.pop()].propagate(state, NO_RULES):
                    if other == _VIOLATED:
                        return True
                    if state[other] is None:
                        state[other] = NO_RULES
                        added.append(other)
                        if state[other ^ 1] is not None:
                            return True
                        waiting.append(other)
                continue
            code = waiting.pop()
            opposite = code ^ 1
            for opposites, rule in in_groups[code]:
                if restricted and rule and not rule & allowed:
                    continue
                for other in opposites:
                    if state[other] is None and other != opposite:
                        state[other] = NO_RULES
                        added.append(other)
                        if state[other ^ 1] is not None:
                            return True
                        waiting.append(other)
            for index in in_clauses[opposite]:
                open_ = left[index] - 1
                left[index] = open_
                if open_ > 1:
                    continue
                rule = clause_rules[index]
                if restricted and rule and not rule & allowed:
                    continue
                for other in clauses[index]:
                    if state[other ^ 1] is None:
                        if state[other] is None:
                            state[other] = NO_RULES
                            added.append(other)
                            waiting.append(other)
                        break
                else:
                    return True
            for index in in_sums[code]:
                rule = self._sum_rules[index]
                if not (restricted and rule and not rule & allowed):
                    sums.add(index)
        return False


def _occurrences(constraints: Iterable[Iterable[int]], count: int) -> list[list[int]]:
    indices: list[list[int]] = [[] for _ in range(count)]
    for index, codes in enumerate(constraints):
        for code in codes:
            indices[code].append(index)
    return indices


class _LinearPropagator:
    """Bounds consistency: the smallest and largest value that a sum can still take determine which
    of its open literals can or must hold. Literals of which at most one holds are a group, such as
    the numbers of a cell, which contributes one of them, not their total.
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
        """The codes that the sum entails, with reasons; _VIOLATED if it misses its bounds."""
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
            return [(_VIOLATED if open_condition is None else open_condition ^ 1, mask)]
        entailed: list[tuple[int, RuleMask]] = []
        if open_condition is not None:
            return entailed
        # The open codes without which, or with which, the sum would miss its bounds.
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

    def _misses(self, low: int, high: int) -> bool:
        return (self._least is not None and high < self._least) or (
            self._most is not None and low > self._most
        )
