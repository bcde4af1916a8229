"""Why a solution is what it is: step by step, each step by as few rules as were found.

A step concludes what a few rules force, given all that is known by then. The steps by a single rule are taken first, all that
there are at a time; then the smallest reason that is found for anything that is still open. There is no chance in it: the same
puzzle is explained in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from aspdoku.engine.candidates import candidates
from aspdoku.engine.deduction import Knowledge, Link
from aspdoku.engine.network import Candidate, Instance, Network
from aspdoku.errors import AspdokuError
from aspdoku.program import Program
from aspdoku.program.guards import Granted

Kind = Literal["place", "eliminate"]

# Sizes below which reasons are looked for, one after the other.
_FEWEST = 2  # where no single rule concludes anything, nothing does with fewer
_BOUNDS = (3, 4, 5, 6, 8, 11, 15, 22, 60)
# Targets whose cores are looked at where no chain of inferences is found.
_CORES = 8
LABELS = ((1, "easy"), (4, "medium"), (7, "hard"), (10, "very hard"))


class Claim(NamedTuple):
    """That a cell holds a number, or that it does not."""

    row: int
    column: int
    number: int
    holds: bool

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}{'=' if self.holds else '!='}{self.number}"


class Use(NamedTuple):
    """A rule that a reason takes, and the cells and numbers that it had left, where it needs one of them."""

    instance: Instance
    left: tuple[Claim, ...]


class Move(NamedTuple):
    """An inference of a proof: from a supposition and what was inferred before, by one rule; claim None where the rule breaks."""

    claim: Claim | None
    instance: Instance | None


class Reason(NamedTuple):
    """What some rules force.

    claims: what is concluded
    rules: the rules used, as few as were found
    known: what was known before and is used
    supposed: what the proof refutes, first of all; moves: how
    """

    claims: tuple[Claim, ...]
    rules: tuple[Use, ...]
    known: tuple[Claim, ...]
    supposed: Claim
    moves: tuple[Move, ...]


class Step(NamedTuple):
    """One step: numbers that are placed by a single rule each, or what a reason of several rules concludes.

    marks: candidates that go by a single rule each, before it; told only by their number
    size: rules of the largest reason
    """

    number: int
    kind: Kind
    reasons: tuple[Reason, ...]
    marks: tuple[Reason, ...]

    @property
    def size(self) -> int:
        """Rules of the largest reason."""
        return max(len(reason.rules) for reason in self.reasons)


class Grade(NamedTuple):
    """How hard a puzzle is: the rules of its hardest step, all rules and steps together, and a word for the first."""

    hardest: int
    work: int
    label: str


class Explainer:
    """A puzzle and its explanation.

    Raises AspdokuError where it has no solution, TimeLimitError where the time does not suffice.
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        found = candidates(program, time_limit)
        if found.impossible:
            raise AspdokuError("there is no solution to explain; `aspdoku conflict` tells why")
        self.network = Network(program, time_limit)
        self.granted: tuple[Granted, ...] = self.network.granted
        self.knowledge = Knowledge(self.network)
        self._candidate = {literal: candidate for candidate, literal in self.network.candidates.items()}
        self._order = sorted(self._candidate)
        possible = {
            (row, column, number)
            for row, line in enumerate(found.possible, 1)
            for column, numbers in enumerate(line, 1)
            for number in numbers
        }
        forced = {(row, column, number) for (row, column), number in found.forced.items()}
        literals = self.network.candidates
        # What is to be explained: numbers first, then what goes, in reading order.
        self.targets = [literals[candidate] for candidate in sorted(forced) if candidate in literals]
        self.targets += [-literals[candidate] for candidate in sorted(literals) if candidate not in possible]
        self.settled = all(len(numbers) == 1 for line in found.possible for numbers in line)
        self._failed: dict[int, tuple[int, int, frozenset[int]]] = {}
        self.knowledge.learn(literals[row, column, number] for (row, column), number in program.puzzle.givens().items())

    def steps(self) -> Iterator[Step]:
        """The steps, until all that is forced has been explained."""
        number = 1
        marks: list[Reason] = []
        while True:
            marks += self._pencil()
            if not self._open():
                return
            reasons = self._singles()
            kind: Kind = "place"
            if not reasons:
                reasons = [self._smallest()]
                kind = "place" if any(claim.holds for claim in reasons[0].claims) else "eliminate"
            for reason in reasons:
                self._learn(reason.claims)
            yield Step(number, kind, tuple(reasons), tuple(marks))
            marks = []
            number += 1

    def _open(self) -> list[int]:
        self.targets = [target for target in self.targets if target not in self.knowledge.known]
        return self.targets

    def _pencil(self) -> list[Reason]:
        """Strike out what a single rule forbids, until there is nothing left to strike out."""
        found: list[Reason] = []
        while True:
            new: dict[int, int] = {}
            for literal, rule in self.knowledge.at_once():
                if not rule or self._candidate.get(literal) is None:
                    new.setdefault(literal, rule)
            if not new:
                return found
            for literal, rule in new.items():
                if -literal in self._candidate and rule:
                    found.append(self._reason([literal], rule))
            self.knowledge.learn(new)

    def _singles(self) -> list[Reason]:
        """The numbers that a single rule places."""
        found: dict[int, int] = {}
        for literal, rule in self.knowledge.at_once():
            if literal in self._candidate:
                found.setdefault(literal, rule)
        return [self._reason([literal], found[literal]) for literal in sorted(found, key=self._candidate.__getitem__)]

    def _smallest(self) -> Reason:
        """The smallest reason that is found for anything open, with all that it concludes."""
        refute = self.knowledge.refute
        for bound in _BOUNDS:
            best, answer = bound, None
            for target in self.targets:
                if self._is_hopeless(target, best):
                    continue
                rules = refute(-target, best)
                if rules is None:
                    self._failed[target] = best, self.knowledge.now, frozenset(map(abs, self.knowledge.visited))
                else:
                    best, answer = rules.bit_count(), (target, rules)
                    if best == _FEWEST:
                        break
            if answer is not None:
                return self._concluded(*self._minimal(*answer))
        return self._by_clingo()

    def _is_hopeless(self, target: int, bound: int) -> bool:
        """Whether no smaller reason was found before, and nothing that was looked at has changed since."""
        tried, when, visited = self._failed.get(target, (0, 0, frozenset()))
        return tried >= bound and not self.knowledge.changed_since(when, visited)

    def _minimal(self, target: int, rules: int) -> tuple[int, int]:
        """The target and the rules without those that can be spared, one after the other."""
        for instance in reversed(self._instances(rules)):
            fewer = self.knowledge.refute(-target, len(self.network.instances), rules & ~instance.bit)
            if fewer is not None:
                rules = fewer
        return target, rules

    def _concluded(self, target: int, rules: int) -> Reason:
        """The reason by these rules, with all that they conclude by the way."""
        near = self.network.literals_of(rules)
        most = rules.bit_count() + 1
        others = (other for other in self.targets if other != target and abs(other) in near)
        also = [other for other in others if self.knowledge.refute(-other, most, rules) is not None]
        return self._reason([target, *also], rules)

    def _by_clingo(self) -> Reason:
        """A reason that no chain of inferences gives: the smallest unsatisfiable core for a few of the targets, made minimal."""
        cores = []
        for target in self.targets[:_CORES]:
            core = self.network.core(target, self._known_candidates(), self.network.all_rules)
            cores.append((core.bit_count(), target, core))
        _, target, rules = min(cores)
        for instance in self._instances(rules):
            if instance.bit & rules:
                fewer = self.network.core(target, self._known_candidates(), rules & ~instance.bit)
                rules = fewer or rules
        return self._reason([target], rules)

    def _reason(self, targets: list[int], rules: int) -> Reason:
        links = self.knowledge.chain(-targets[0], rules)
        used = 0
        for link in links:
            used |= link.rule
        used = used or rules
        known = sorted({literal for link in links for literal in link.known if abs(literal) in self._candidate}, key=self._place)
        left = {link.rule: link.left for link in links if link.left}
        return Reason(
            claims=tuple(map(self._claim, sorted(targets, key=self._place))),
            rules=tuple(Use(each, self._claims(left.get(each.bit, ()))) for each in self._instances(used)),
            known=self._claims(known),
            supposed=self._claim(-targets[0]),
            moves=tuple(map(self._move, links)),
        )

    def _move(self, link: Link) -> Move:
        claim = self._claim(link.literal) if abs(link.literal) in self._candidate else None
        instance = self.network.instances[link.rule.bit_length() - 1] if link.rule else None
        return Move(claim, instance)

    def _claims(self, literals: Iterable[int]) -> tuple[Claim, ...]:
        return tuple(self._claim(literal) for literal in literals if abs(literal) in self._candidate)

    def _claim(self, literal: int) -> Claim:
        return Claim(*self._candidate[abs(literal)], literal > 0)

    def _place(self, literal: int) -> Candidate:
        return self._candidate[abs(literal)]

    def _learn(self, claims: Iterable[Claim]) -> None:
        literals = [self.network.candidates[claim[:3]] * (1 if claim.holds else -1) for claim in claims]
        self.knowledge.learn(literals)

    def _known_candidates(self) -> list[int]:
        return sorted(literal for literal in self.knowledge.known if abs(literal) in self._candidate)

    def _instances(self, rules: int) -> list[Instance]:
        """The instances in a mask, those of the first files first."""
        found = []
        while rules:
            place = rules.bit_length() - 1
            found.append(self.network.instances[place])
            rules ^= 1 << place
        return sorted(found, key=lambda each: (each.guard.name != "base", each.guard.place, each.guard.line, each.bit))
