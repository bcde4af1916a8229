"""Small reasons: which few rules, beside what is known, make a literal hold.

One supposes the opposite and follows the constraints, those first whose rules are fewest, until
something breaks. What a literal
rests on is an int with a bit for each rule instance: joining two reasons is `|`, counting their
rules is `bit_count`. What is known already costs nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from aspdoku.explain.constraints import AtMostOne, Clause, ConstraintModel
from aspdoku.explain.linear import LinearPropagator, Mask


class Inference(NamedTuple):
    """One inference on the way.

    literal: what is inferred; 0 for a rule that breaks
    rule: the bit of the rule that it takes; 0 for none that counts
    uses: literals supposed or inferred before
    known: literals known before
    left: literals of the rule that were open before the supposition
    """

    literal: int
    rule: Mask
    uses: tuple[int, ...]
    known: tuple[int, ...]
    left: tuple[int, ...]


class Propagator:
    """What is known of the cells of a network, and what follows from it by few rules.

    Atoms of other predicates are never known: what holds of them is derived from the cells, with
    the rules that it takes.
    """

    def __init__(self, constraints: ConstraintModel) -> None:
        self.constraints = constraints
        self.known: set[int] = set()
        self._clauses: list[list[int] | None] = [
            list(clause.literals) for clause in constraints.clauses
        ]
        self._groups: list[list[int] | None] = [
            list(group.literals) for group in constraints.groups
        ]
        self._clause_bits = [clause.bit for clause in constraints.clauses]
        self._group_bits = [group.bit for group in constraints.groups]
        self._in_clauses = _index(constraints.clauses)
        self._in_groups = _index(constraints.groups)
        self._in_sums: dict[int, list[int]] = defaultdict(list)
        self._sums = [LinearPropagator(each, constraints) for each in constraints.sums]
        for place, each in enumerate(constraints.sums):
            for literal in (*each.conditions, *each.literals):
                for sign in (literal, -literal):
                    self._in_sums[sign].append(place)
        self.now = 0
        self._changed: dict[int, int] = {}
        self._cells = set(constraints.candidates.values())
        mentioned = {
            abs(literal) for literal in (*self._in_clauses, *self._in_groups, *self._in_sums)
        }
        self.has_others = bool(mentioned - self._cells)
        self._derived: dict[int, Mask] = {}
        self._ways: dict[int, Inference] = {}
        self._derived_at = -1
        self._broken: tuple[Mask, set[int]] | None = None
        self.visited: dict[int, Mask] = {}

    def learn(self, literals: Iterable[int]) -> None:
        """Take literals as known from now on."""
        for literal in literals:
            if literal in self.known:
                continue
            self.known.add(literal)
            self.now += 1
            for place in self._in_clauses.get(literal, ()):
                self._clauses[place] = None
            for place in self._in_clauses.get(-literal, ()):
                clause = self._clauses[place]
                if clause is not None:
                    clause.remove(-literal)
                    self._touch(clause)
            for place in self._in_groups.get(-literal, ()):
                group = self._groups[place]
                if group is not None:
                    group.remove(-literal)
            for place in self._in_groups.get(literal, ()):
                group = self._groups[place]
                if group is not None:
                    self._touch(group)
            for place in self._in_sums.get(literal, ()):
                self._touch((*self._sums[place].conditions, *self._sums[place].literals))

    def changed_since(self, when: int, atoms: Iterable[int]) -> bool:
        """Whether a constraint over one of these atoms was shortened since `now` was `when`."""
        return any(self._changed.get(atom, 0) > when for atom in atoms)

    def _touch(self, literals: Iterable[int]) -> None:
        for literal in literals:
            self._changed[abs(literal)] = self.now

    def at_once(self) -> Iterator[tuple[int, Mask]]:
        """What each constraint by itself makes hold, with its rule.

        (0, rule) for a constraint that is broken.
        """
        for place, clause in enumerate(self._clauses):
            if clause is not None and len(clause) <= 1:
                yield (clause[0] if clause else 0), self._clause_bits[place]
        for place, group in enumerate(self._groups):
            holding = [literal for literal in group or () if literal in self.known]
            if holding:
                for literal in group or ():
                    if literal is not holding[0]:
                        yield (0 if literal in self.known else -literal), self._group_bits[place]
        for adder in self._sums:
            for literal, _ in adder.follows(self.known, {}):
                yield literal, adder.bit

    def breaking(self, rule: Mask) -> set[int]:
        """The known literals by which the constraints of this rule are broken."""
        constraints = self.constraints
        found: set[int] = set()
        for clause, left in zip(constraints.clauses, self._clauses, strict=True):
            if clause.bit == rule and left is not None and not left:
                found |= {-literal for literal in clause.literals}
        for group in constraints.groups:
            holding = {literal for literal in group.literals if literal in self.known}
            if group.bit == rule and len(holding) > 1:
                found |= holding
        for adder in self._sums:
            if adder.bit == rule and any(
                not literal for literal, _ in adder.follows(self.known, {})
            ):
                inside = [
                    sign for each in (*adder.conditions, *adder.literals) for sign in (each, -each)
                ]
                found |= {literal for literal in inside if literal in self.known}
        return found

    def contradiction(self) -> tuple[Mask, set[int]] | None:
        """Rules that what is known breaks by way of other predicates, and the known literals used.

        None where none do.
        """
        self._derive()
        return self._broken

    def _derive(self) -> None:
        """Find entailed auxiliary atoms, each with as few rule instances as are found."""
        if not self.has_others or self._derived_at == self.now:
            return
        before, self._derived, self._ways, self._derived_at = self._derived, {}, {}, self.now
        self._broken = None
        waiting: list[tuple[int, int, Mask, Inference]] = []
        order = 0

        def push(link: Inference) -> None:
            nonlocal order
            if link.literal and abs(link.literal) in self._cells:
                return
            mask = link.rule
            for used in link.uses:
                mask |= self._derived[used]
            order += 1
            heappush(waiting, (mask.bit_count(), order, mask, link))

        for link in self._units():
            push(link)
        while waiting:
            _, _, mask, link = heappop(waiting)
            literal = link.literal
            if not literal or -literal in self._derived:
                known = set(link.known)
                for used in (*link.uses, *([-literal] if literal else [])):
                    mask |= self._derived[used]
                    known |= {
                        each
                        for way in relevant_inferences(self._ways[used], self._ways, set())
                        for each in way.known
                    }
                self._broken = self._broken or (mask, known)
            elif literal not in self._derived:
                self._derived[literal], self._ways[literal] = mask, link
                for following in self.links(literal, self._derived, -1):
                    push(following)
        for literal in self._derived.keys() - before.keys():
            for places, constraints in (
                (self._in_clauses, self._clauses),
                (self._in_groups, self._groups),
            ):
                for sign in (literal, -literal):
                    for place in places.get(sign, ()):
                        self._touch(constraints[place] or ())
            for place in self._in_sums.get(literal, ()):
                self._touch((*self._sums[place].conditions, *self._sums[place].literals))

    def _units(self) -> Iterator[Inference]:
        """What single constraints say of other predicates, by what is known of the cells."""
        for place, clause in enumerate(self._clauses):
            if clause is not None and len(clause) == 1:
                yield Inference(
                    clause[0], self._clause_bits[place], (), self._known_of(place), tuple(clause)
                )
        for place, group in enumerate(self._groups):
            holding = [literal for literal in group or () if literal in self.known]
            for literal in group or ():
                if holding and literal not in self.known:
                    yield Inference(-literal, self._group_bits[place], (), (holding[0],), ())
        for adder in self._sums:
            inside = [
                sign for each in (*adder.conditions, *adder.literals) for sign in (each, -each)
            ]
            known = tuple(each for each in inside if each in self.known)
            for literal, _ in adder.follows(self.known, {}):
                yield Inference(literal, adder.bit, (), known, ())

    def refute(
        self,
        supposed: int,
        best: int,
        allowed: Mask = -1,
        holding: Mapping[int, Mask] | None = None,
    ) -> Mask | None:
        """The rules of a refutation with fewer than `best` of them; None if none is found.

        `visited` is what holds by then.

        allowed: use only these rules
        holding: what holds already, with the rules for it; None for what is known alone
        """
        if best < 1:
            return None
        reasons = dict(self.given(allowed) if holding is None else holding)
        self.visited = reasons
        queue: list[list[tuple[int, Mask]]] = [[] for _ in range(best)]
        queue[0].append((supposed, 0))
        answer: Mask | None = None
        known, clauses, groups, sums = self.known, self._clauses, self._groups, self._sums
        size = 0
        while size < best:
            if not queue[size]:
                size += 1
                continue
            literal, reason = queue[size].pop()
            if literal in reasons:
                continue
            reasons[literal] = reason
            if -literal in reasons or -literal in known:
                both = reason | reasons.get(-literal, 0)
                if both.bit_count() < best:
                    best, answer = both.bit_count(), both
                continue
            for place in self._in_groups.get(literal, ()):
                group, bit = groups[place], self._group_bits[place]
                if group is None or (bit and not bit & allowed):
                    continue
                mask = reason | bit
                count = mask.bit_count()
                if count < best:
                    bucket = queue[count]
                    for other in group:
                        if other != literal and -other not in reasons:
                            bucket.append((-other, mask))
            for place in self._in_clauses.get(-literal, ()):
                clause, mask = clauses[place], self._clause_bits[place]
                if clause is None or (mask and not mask & allowed):
                    continue
                left = 0
                for other in clause:
                    why = reasons.get(-other)
                    if why is not None:
                        mask |= why
                    elif left:
                        break
                    else:
                        left = other
                else:
                    count = mask.bit_count()
                    if count < best:
                        if not left:
                            best, answer = count, mask
                        elif left not in reasons:
                            queue[count].append((left, mask))
            for place in self._in_sums.get(literal, ()):
                adder = sums[place]
                if adder.bit and not adder.bit & allowed:
                    continue
                for other, mask in adder.follows(known, reasons):
                    count = mask.bit_count()
                    if count < best:
                        if not other:
                            best, answer = count, mask
                        elif other not in reasons:
                            queue[count].append((other, mask))
        return answer

    def consequences(self, supposed: int) -> frozenset[int] | None:
        """All that follows from a supposition, by however many rules, one inference after the
        other; None where a rule breaks.
        """
        holding = self.given(-1)
        waiting = [supposed]
        known, clauses, groups = self.known, self._clauses, self._groups
        while waiting:
            literal = waiting.pop()
            if literal in holding:
                continue
            if -literal in holding or -literal in known:
                return None
            holding[literal] = 0
            for place in self._in_groups.get(literal, ()):
                waiting += [-other for other in groups[place] or () if other != literal]
            for place in self._in_clauses.get(-literal, ()):
                clause = clauses[place]
                if clause is None:
                    continue
                left = 0
                for other in clause:
                    if -other not in holding:
                        if left:
                            break
                        left = other
                else:
                    if not left:
                        return None
                    waiting.append(left)
            for place in self._in_sums.get(literal, ()):
                for other, _ in self._sums[place].follows(known, holding):
                    if not other:
                        return None
                    waiting.append(other)
        return frozenset(holding)

    def cases_left(self, place: int, holding: Container[int], allowed: Mask) -> list[int]:
        """The literals of a clause of which one is to hold.

        Empty for a clause that is met, may not be used, or is about more.
        """
        clause, bit = self._clauses[place], self._clause_bits[place]
        if (
            clause is None
            or (bit and not bit & allowed)
            or any(literal in holding for literal in clause)
        ):
            return []
        left = [literal for literal in clause if -literal not in holding]
        return left if self._cells.issuperset(left) else []

    def leaving(self, place: int, holding: Container[int], left: Iterable[int]) -> Inference:
        """The inference that a clause leaves just these cases."""
        uses = tuple(-each for each in self._clauses[place] or () if -each in holding)
        return Inference(0, self._clause_bits[place], uses, self._known_of(place), tuple(left))

    def way_to(self, literal: int) -> Inference:
        """The inference of what holds of another predicate, without any supposition."""
        return self._ways[literal]

    def _known_of(self, place: int) -> tuple[int, ...]:
        """What is known by which a clause has become shorter."""
        return tuple(
            -other for other in self.constraints.clauses[place].literals if -other in self.known
        )

    def given(self, allowed: Mask) -> dict[int, Mask]:
        """What holds of other predicates by these rules, without any supposition."""
        self._derive()
        return {literal: mask for literal, mask in self._derived.items() if not mask & ~allowed}

    def links(self, literal: int, reasons: dict[int, Mask], allowed: Mask) -> Iterator[Inference]:
        """What follows from a literal and what holds, each with its own inference."""
        for place in self._in_groups.get(literal, ()):
            group, bit = self._groups[place], self._group_bits[place]
            if group is not None and (not bit or bit & allowed):
                for other in group:
                    if other in self.known:
                        yield Inference(0, bit, (literal,), (other,), ())
                    elif other != literal:
                        yield Inference(-other, bit, (literal,), (), ())
        for place in self._in_clauses.get(-literal, ()):
            clause, bit = self._clauses[place], self._clause_bits[place]
            if clause is None or (bit and not bit & allowed):
                continue
            left = [other for other in clause if -other not in reasons]
            if len(left) <= 1 and not any(other in reasons for other in left):
                uses = tuple(-other for other in clause if -other in reasons)
                yield Inference(
                    left[0] if left else 0, bit, uses, self._known_of(place), tuple(clause)
                )
        for place in self._in_sums.get(literal, ()):
            adder = self._sums[place]
            if not adder.bit or adder.bit & allowed:
                inside = [
                    sign for each in (*adder.conditions, *adder.literals) for sign in (each, -each)
                ]
                uses = tuple(each for each in inside if each in reasons)
                known = tuple(each for each in inside if each in self.known)
                for other, _ in adder.follows(self.known, reasons):
                    yield Inference(other, adder.bit, uses, known, ())


def relevant_inferences(
    end: Inference, links: Mapping[int, Inference], supposed: set[int]
) -> list[Inference]:
    """The links that the end rests on, in the order in which they were found, and the end."""
    needed, waiting = set(), list(end.uses)
    while waiting:
        literal = waiting.pop()
        if literal not in supposed and literal not in needed:
            needed.add(literal)
            waiting += links[literal].uses
    return [*(link for literal, link in links.items() if literal in needed), end]


def _index(constraints: Iterable[Clause | AtMostOne]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for place, each in enumerate(constraints):
        for literal in each.literals:
            found[literal].append(place)
    return dict(found)
