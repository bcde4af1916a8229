"""Small reasons: which few rules, beside what is known, make a literal hold.

One supposes the opposite and follows the constraints, those first whose rules are fewest, until something breaks. What a literal
rests on is an int with a bit for each rule instance: joining two reasons is `|`, counting their rules is `bit_count`. What is
known already costs nothing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from aspdoku.engine.network import AtMostOne, Clause, Network, Sum

Mask = int

# Cases of a whole proof.
_MOST_CASES_OF_ALL = 60


class Link(NamedTuple):
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


class Chain(NamedTuple):
    """The way of a refutation: inferences, the last of which breaks a rule or leaves the cases; each case with its own way."""

    links: list[Link]
    cases: list[tuple[int, Chain]]

    @property
    def all_links(self) -> list[Link]:
        """Those of the cases too."""
        return [*self.links, *(link for _, chain in self.cases for link in chain.all_links)]


class Knowledge:
    """What is known of the cells of a network, and what follows from it by few rules.

    Atoms of other predicates are never known: what holds of them is derived from the cells, with the rules that it takes.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.known: set[int] = set()
        self._clauses: list[list[int] | None] = [list(clause.literals) for clause in network.clauses]
        self._groups: list[list[int] | None] = [list(group.literals) for group in network.groups]
        self._clause_bits = [clause.bit for clause in network.clauses]
        self._group_bits = [group.bit for group in network.groups]
        self._in_clauses = _index(network.clauses)
        self._in_groups = _index(network.groups)
        self._in_sums: dict[int, list[int]] = defaultdict(list)
        self._sums = [_Adder(each, network) for each in network.sums]
        for place, each in enumerate(network.sums):
            for literal in (*each.conditions, *each.literals):
                for sign in (literal, -literal):
                    self._in_sums[sign].append(place)
        self.now = 0
        self._changed: dict[int, int] = {}
        self._cells = set(network.candidates.values())
        mentioned = {abs(literal) for literal in (*self._in_clauses, *self._in_groups, *self._in_sums)}
        self.has_others = bool(mentioned - self._cells)
        self._derived: dict[int, Mask] = {}
        self._ways: dict[int, Link] = {}
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
        """Whether a constraint over one of these atoms has become shorter since `now` was `when`."""
        return any(self._changed.get(atom, 0) > when for atom in atoms)

    def _touch(self, literals: Iterable[int]) -> None:
        for literal in literals:
            self._changed[abs(literal)] = self.now

    def at_once(self) -> Iterator[tuple[int, Mask]]:
        """What each constraint by itself makes hold, with its rule; (0, rule) for a constraint that is broken."""
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
        network = self.network
        found: set[int] = set()
        for clause, left in zip(network.clauses, self._clauses, strict=True):
            if clause.bit == rule and left is not None and not left:
                found |= {-literal for literal in clause.literals}
        for group in network.groups:
            holding = {literal for literal in group.literals if literal in self.known}
            if group.bit == rule and len(holding) > 1:
                found |= holding
        for adder in self._sums:
            if adder.bit == rule and any(not literal for literal, _ in adder.follows(self.known, {})):
                inside = [sign for each in (*adder.conditions, *adder.literals) for sign in (each, -each)]
                found |= {literal for literal in inside if literal in self.known}
        return found

    def contradiction(self) -> tuple[Mask, set[int]] | None:
        """Rules that what is known breaks by way of other predicates, and the known literals used; None where none do."""
        self._derive()
        return self._broken

    def _derive(self) -> None:
        """Find what holds of other predicates than the cells, each with as few rules as are found."""
        if not self.has_others or self._derived_at == self.now:
            return
        before, self._derived, self._ways, self._derived_at = self._derived, {}, {}, self.now
        self._broken = None
        waiting: list[tuple[int, int, Mask, Link]] = []
        order = 0

        def push(link: Link) -> None:
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
                    known |= {each for way in _pruned(self._ways[used], self._ways, set()) for each in way.known}
                self._broken = self._broken or (mask, known)
            elif literal not in self._derived:
                self._derived[literal], self._ways[literal] = mask, link
                for following in self._links(literal, self._derived, -1):
                    push(following)
        for literal in self._derived.keys() - before.keys():
            for places, constraints in ((self._in_clauses, self._clauses), (self._in_groups, self._groups)):
                for sign in (literal, -literal):
                    for place in places.get(sign, ()):
                        self._touch(constraints[place] or ())
            for place in self._in_sums.get(literal, ()):
                self._touch((*self._sums[place].conditions, *self._sums[place].literals))

    def _units(self) -> Iterator[Link]:
        """What single constraints say of other predicates, by what is known of the cells."""
        for place, clause in enumerate(self._clauses):
            if clause is not None and len(clause) == 1:
                known = tuple(-other for other in self.network.clauses[place].literals if -other in self.known)
                yield Link(clause[0], self._clause_bits[place], (), known, tuple(clause))
        for place, group in enumerate(self._groups):
            holding = [literal for literal in group or () if literal in self.known]
            for literal in group or ():
                if holding and literal not in self.known:
                    yield Link(-literal, self._group_bits[place], (), (holding[0],), ())
        for adder in self._sums:
            inside = [sign for each in (*adder.conditions, *adder.literals) for sign in (each, -each)]
            known = tuple(each for each in inside if each in self.known)
            for literal, _ in adder.follows(self.known, {}):
                yield Link(literal, adder.bit, (), known, ())

    def refute(self, supposed: int, best: int, allowed: Mask = -1, holding: Mapping[int, Mask] | None = None) -> Mask | None:
        """The rules of a refutation with fewer than `best` of them; None if none is found. `visited` is what holds by then.

        allowed: use only these rules
        holding: what holds already, with the rules for it; None for what is known alone
        """
        if best < 1:
            return None
        reasons = dict(self._given(allowed) if holding is None else holding)
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
        """All that follows from a supposition, by however many rules, one inference after the other; None where a rule breaks."""
        holding = self._given(-1)
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

    def _cases_left(self, place: int, holding: Container[int], allowed: Mask) -> list[int]:
        """The literals of a clause of which one is to hold; empty for a clause that is met, may not be used, or is about more."""
        clause, bit = self._clauses[place], self._clause_bits[place]
        if clause is None or (bit and not bit & allowed) or any(literal in holding for literal in clause):
            return []
        left = [literal for literal in clause if -literal not in holding]
        return left if self._cells.issuperset(left) else []

    def _given(self, allowed: Mask) -> dict[int, Mask]:
        """What holds of other predicates by these rules, without any supposition."""
        self._derive()
        return {literal: mask for literal, mask in self._derived.items() if not mask & ~allowed}

    def chain(self, supposed: int, allowed: Mask) -> Chain | None:
        """The way from a supposition to something that breaks, by these rules only, through cases where it takes any.

        None where there is none, or none of so few cases that somebody would read it.
        """
        holding = self._given(allowed)
        links = {literal: self._ways[literal] for literal in holding}
        found = self._way(supposed, _Scene(holding, links, {supposed}, frozenset()), allowed, [_MOST_CASES_OF_ALL])
        return found and found[0]

    def _way(self, supposed: int, scene: _Scene, allowed: Mask, budget: list[int]) -> tuple[Chain, set[int]] | None:
        """The way from a supposition, and the literals inferred outside that it uses."""

        def parted(end: Link) -> tuple[list[Link], set[int]]:
            way = _pruned(end, scene.links, scene.supposed)
            used = {link.literal for link in way if link.literal in scene.outside}
            return [link for link in way if link.literal not in used], used

        end = self._follow(supposed, scene.holding, scene.links, allowed)
        if end is not None:
            links, used = parted(end)
            return Chain(links, []), used
        place = self._parting(scene.holding, allowed)
        if place is None:
            return None
        clause = self._clauses[place] or []
        left = self._cases_left(place, scene.holding, allowed)
        budget[0] -= len(left)
        if budget[0] < 0:
            return None
        known = tuple(-other for other in self.network.clauses[place].literals if -other in self.known)
        uses = tuple(-each for each in clause if -each in scene.holding)
        parting = Link(0, self._clause_bits[place], uses, known, tuple(left))
        cases: list[tuple[int, Chain]] = []
        before: set[int] = set()
        for case in left:
            inner = _Scene(dict(scene.holding), dict(scene.links), {*scene.supposed, case}, frozenset(scene.links))
            found = self._way(case, inner, allowed, budget)
            if found is None:
                return None
            cases.append((case, found[0]))
            before |= found[1]
        (*common, _), used = parted(parting._replace(uses=(*uses, *sorted(before))))
        return Chain([*common, parting], cases), used

    def _parting(self, holding: Mapping[int, Mask], allowed: Mask) -> int | None:
        """The clause whose cases break soonest: the fewest of them go on, and then it has the fewest."""
        most = len(self.network.instances) + 1
        best, found = (most, most), None
        breaks: dict[int, bool] = {}
        for place in range(len(self._clauses)):
            left = self._cases_left(place, holding, allowed)
            if len(left) < 2:
                continue
            for literal in left:
                if literal not in breaks:
                    breaks[literal] = self.refute(literal, most, allowed, holding) is not None
            score = sum(not breaks[literal] for literal in left), len(left)
            if score < best:
                best, found = score, place
        return found

    def _follow(self, supposed: int, holding: dict[int, Mask], links: dict[int, Link], allowed: Mask) -> Link | None:
        """Add what follows from a supposition to what holds, and the links to it, until something breaks: that link."""
        waiting = deque([supposed])
        while waiting:
            literal = waiting.popleft()
            if literal in holding:
                continue
            holding[literal] = 0
            for link in self._links(literal, holding, allowed):
                if not link.literal or -link.literal in holding or -link.literal in self.known:
                    return link if not link.literal else link._replace(literal=0, uses=(*link.uses, -link.literal))
                if link.literal not in holding and link.literal not in links:
                    links[link.literal] = link
                    waiting.append(link.literal)
        return None

    def _links(self, literal: int, reasons: dict[int, Mask], allowed: Mask) -> Iterator[Link]:
        for place in self._in_groups.get(literal, ()):
            group, bit = self._groups[place], self._group_bits[place]
            if group is not None and (not bit or bit & allowed):
                for other in group:
                    if other in self.known:
                        yield Link(0, bit, (literal,), (other,), ())
                    elif other != literal:
                        yield Link(-other, bit, (literal,), (), ())
        for place in self._in_clauses.get(-literal, ()):
            clause, bit = self._clauses[place], self._clause_bits[place]
            if clause is None or (bit and not bit & allowed):
                continue
            left = [other for other in clause if -other not in reasons]
            if len(left) <= 1 and not any(other in reasons for other in left):
                uses = tuple(-other for other in clause if -other in reasons)
                known = tuple(-other for other in self.network.clauses[place].literals if -other in self.known)
                yield Link(left[0] if left else 0, bit, uses, known, tuple(clause))
        for place in self._in_sums.get(literal, ()):
            adder = self._sums[place]
            if not adder.bit or adder.bit & allowed:
                inside = [sign for each in (*adder.conditions, *adder.literals) for sign in (each, -each)]
                uses = tuple(each for each in inside if each in reasons)
                known = tuple(each for each in inside if each in self.known)
                for other, _ in adder.follows(self.known, reasons):
                    yield Link(other, adder.bit, uses, known, ())


def _pruned(end: Link, links: Mapping[int, Link], supposed: set[int]) -> list[Link]:
    """The links that the end rests on, in the order in which they were found, and the end."""
    needed, waiting = set(), list(end.uses)
    while waiting:
        literal = waiting.pop()
        if literal not in supposed and literal not in needed:
            needed.add(literal)
            waiting += links[literal].uses
    return [*(link for literal, link in links.items() if literal in needed), end]


class _Scene(NamedTuple):
    """Where a way is looked for: what holds, the links to it, all that was supposed, and what was inferred outside."""

    holding: dict[int, Mask]
    links: dict[int, Link]
    supposed: set[int]
    outside: frozenset[int]


class _Adder:
    """A sum, its literals put together by cells, or whatever else holds one of them at most."""

    def __init__(self, each: Sum, network: Network) -> None:
        self.bit = each.bit
        self.conditions = each.conditions
        self.literals = each.literals
        self.least, self.most = each.least, each.most
        weights = dict(zip(each.literals, each.weights, strict=True))
        self._parts: list[tuple[list[tuple[int, int]], bool]] = []
        left = dict(weights)
        exact = {frozenset(clause.literals) for clause in network.clauses if clause.bit == 0}
        for group in network.groups:
            if group.bit == 0 and len(inside := [literal for literal in group.literals if literal in left]) > 1:
                self._parts.append(([(literal, left.pop(literal)) for literal in inside], frozenset(inside) in exact))
        self._parts += [([pair], False) for pair in left.items()]

    def follows(self, known: set[int], reasons: dict[int, Mask]) -> list[tuple[int, Mask]]:
        """What the sum makes hold, with the rules for it; literal 0 where it cannot be reached, or is passed."""
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
                if literal in known or -literal in known or literal in reasons or -literal in reasons:
                    continue
                if self._misses(rest_low + weight, rest_high + weight):
                    found.append((-literal, mask))
                elif len(part) == 1 and self._misses(rest_low, rest_high):
                    found.append((literal, mask))
        return found

    def _misses(self, low: int, high: int) -> bool:
        return (self.least is not None and high < self.least) or (self.most is not None and low > self.most)


def _index(constraints: Iterable[Clause | AtMostOne]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for place, each in enumerate(constraints):
        for literal in each.literals:
            found[literal].append(place)
    return dict(found)
