"""Why a solution is what it is: step by step, each step by as few rules as were found.

A step concludes what a few rules force, given all that is known by then. The steps by a single rule
are taken first, all that there are at a time; then the smallest reason that is found for anything
that is still open. There is no chance in it: the same puzzle is explained in the same words.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from aspdoku.engine.candidates import candidates
from aspdoku.engine.solver import Solver, TimeLimitError
from aspdoku.errors import AspdokuError
from aspdoku.explain import proofs
from aspdoku.explain.constraints import Candidate, ConstraintModel, RuleInstance
from aspdoku.explain.proofs import Derivation
from aspdoku.explain.propagation import Inference, Propagator
from aspdoku.explain.steps import (
    CitedRule,
    Claim,
    NoSolutionError,
    Proof,
    ProofStep,
    Reason,
    Step,
    StepKind,
)
from aspdoku.program import Program
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import GIVEN, with_givens

# Sizes below which reasons are looked for, one after the other.
_FEWEST = 2  # where no single rule concludes anything, nothing does with fewer
_SMALL, _LARGE = (3, 6), (12, 24, 60)
# Targets whose cores are looked at where no chain of inferences is found.
_CORES = 8


class StepFinder:
    """Steps from what is known to all that is to be shown, or to a rule that breaks.

    targets: literals to be shown, those first that are preferred where reasons are equally small
    time_limit: seconds for all steps; TimeLimitError is raised where they do not suffice
    """

    def __init__(
        self,
        constraints: ConstraintModel,
        known: Iterable[int],
        targets: Iterable[int],
        time_limit: float | None = None,
    ) -> None:
        self.constraints = constraints
        self._deadline = math.inf if time_limit is None else time.monotonic() + time_limit
        self.propagator = Propagator(constraints)
        self.propagator.learn(known)
        self.targets = list(targets)
        self._candidate = {
            literal: candidate for candidate, literal in constraints.candidates.items()
        }
        places = [part.rule.place for part in constraints.program.parts]
        self._rank = [places.index(instance.guard.place) for instance in constraints.instances]
        self._eliminations: dict[Claim, Reason] = {}
        self._failed: dict[int, tuple[int, int, frozenset[int]]] = {}

    def unexplained(self) -> list[Claim]:
        """What is forced and has not been explained."""
        return [self._claim(target) for target in self._open()]

    def steps(self, singles: bool = False) -> Iterator[Step]:
        """The steps, until all that is forced has been explained.

        With `singles`, until no single rule goes on.
        """
        number = 1
        eliminations: list[Reason] = []
        while True:
            eliminations += self._pencil()
            self._eliminations |= {claim: mark for mark in eliminations for claim in mark.claims}
            if (broken := self._broken()) is not None:
                yield Step(
                    number, "contradiction", (self._with_marks(broken),), tuple(eliminations)
                )
                return
            if not self._open():
                if eliminations:
                    yield Step(number, "eliminate", (), tuple(eliminations))
                return
            reasons = self._singles()
            if not reasons and singles:
                return
            if not reasons:
                reasons = [self._smallest()]
            kind: StepKind = (
                "place" if any(claim.holds for claim in reasons[0].claims) else "eliminate"
            )
            for reason in reasons:
                self._learn(reason.claims)
            yield Step(number, kind, tuple(map(self._with_marks, reasons)), tuple(eliminations))
            eliminations = []
            number += 1

    def steps_to(self, claim: Claim) -> list[Step]:
        """The steps up to the one that concludes a claim."""
        taken = []
        for step in self.steps():
            taken.append(step)
            if any(claim in reason.claims for reason in (*step.reasons, *step.eliminations)):
                break
        return taken

    def _open(self) -> list[int]:
        self.targets = [target for target in self.targets if target not in self.propagator.known]
        return self.targets

    def _pencil(self) -> list[Reason]:
        """Strike out what a single rule forbids, until there is nothing left to strike out."""
        found: list[Reason] = []
        while True:
            new: dict[int, int] = {}
            for literal, rule in self.propagator.at_once():
                if not literal:
                    return found
                if -literal in self._candidate:
                    new[literal] = self._plainer(rule, new.get(literal, rule))
            if not new:
                return found
            found += [self._reason([literal], rule) for literal, rule in new.items()]
            self.propagator.learn(new)

    def _broken(self) -> Reason | None:
        """A rule that what is known breaks."""
        for literal, rule in self.propagator.at_once():
            if not literal:
                known = self.propagator.breaking(rule)
                uses = tuple(CitedRule(each, ()) for each in self._instances(rule))
                return Reason((), uses, self._claims(sorted(known, key=abs)), None)
        if broken := self.propagator.contradiction():
            rules, known = broken
            uses = tuple(CitedRule(each, ()) for each in self._instances(rules))
            return Reason((), uses, self._claims(sorted(known, key=abs)), None)
        return None

    def _singles(self) -> list[Reason]:
        """The numbers that a single rule places.

        If there are none, what one concludes by way of other predicates.
        """
        found: dict[int, int] = {}
        for literal, rule in self.propagator.at_once():
            if literal in self._candidate:
                found[literal] = self._plainer(rule, found.get(literal, rule))
        if found or not self.propagator.has_others:
            return [
                self._reason([literal], found[literal])
                for literal in sorted(found, key=self._candidate.__getitem__)
            ]
        alone = ((target, self.propagator.refute(-target, _FEWEST)) for target in self.targets)
        target, rules = next(
            ((target, rules) for target, rules in alone if rules is not None), (0, 0)
        )
        return [self._concluded(target, rules)] if target else []

    def _with_marks(self, reason: Reason) -> Reason:
        """The reason with the pencil marks that it rests on."""
        found: dict[Claim, Reason] = {}
        waiting = list(reason.premises)
        while waiting:
            claim = waiting.pop()
            if claim in self._eliminations and claim not in found:
                found[claim] = self._eliminations[claim]
                waiting += found[claim].premises
        return reason._replace(eliminations=tuple(found.values()))

    def _plainer(self, *rules: int) -> int:
        """Of rules that all do, that of the file which joined the program first."""
        return min(rules, key=lambda rule: self._rank[rule.bit_length() - 1] if rule else -1)

    def _smallest(self) -> Reason:
        """The smallest reason that is found for anything open, with all that it concludes."""
        for bound in _SMALL:
            if answer := self._refuted(self.targets, bound):
                return self._concluded(*self._minimal(*answer))
        refutable = [target for target in self.targets if self._breaks(target)]
        for bound in (*_LARGE, len(self.constraints.instances) + 1):
            if answer := self._refuted(refutable, bound):
                return self._concluded(*self._minimal(*answer))
        return self._by_clingo()

    def _refuted(self, targets: list[int], bound: int) -> tuple[int, int] | None:
        """The target with the smallest reason, and its rules.

        None where all take as many rules as the bound, or more.
        """
        best, answer = bound, None
        for target in targets:
            if self._is_hopeless(target, best):
                continue
            self._look_at_the_clock()
            rules = self.propagator.refute(-target, best)
            if rules is None:
                self._failed[target] = (
                    best,
                    self.propagator.now,
                    frozenset(map(abs, self.propagator.visited)),
                )
            else:
                best, answer = rules.bit_count(), (target, rules)
                if best <= _FEWEST:
                    break
        return answer

    def _breaks(self, target: int) -> bool:
        """Whether the opposite of a target can be refuted by one inference after the other, by
        however many rules.
        """
        every = len(self.constraints.instances) + 1
        if self._is_hopeless(target, every):
            return False
        self._look_at_the_clock()
        reached = self.propagator.consequences(-target)
        if reached is not None:
            self._failed[target] = every, self.propagator.now, frozenset(map(abs, reached))
        return reached is None

    def _look_at_the_clock(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeLimitError("the time limit came before all was explained")

    def _is_hopeless(self, target: int, bound: int) -> bool:
        """Whether no smaller reason was found before, and nothing that was looked at has changed
        since.
        """
        tried, when, visited = self._failed.get(target, (0, 0, frozenset()))
        return tried >= bound and not self.propagator.changed_since(when, visited)

    def _minimal(self, target: int, rules: int) -> tuple[int, int]:
        """The target and the rules without those that can be spared, one after the other."""
        for instance in reversed(self._instances(rules)):
            if instance.bit & rules:
                fewer = self.propagator.refute(-target, rules.bit_count(), rules & ~instance.bit)
                rules = rules if fewer is None else fewer
        return target, rules

    def _concluded(self, target: int, rules: int) -> Reason:
        """The reason by these rules, with all that they conclude by the way."""
        most = rules.bit_count() + 1
        also = [
            other
            for other in self._near(target, rules)
            if self.propagator.refute(-other, most, rules) is not None
        ]
        self._check([target, *also], rules)
        return self._reason([target, *also], rules)

    def _near(self, target: int, rules: int) -> list[int]:
        """The other targets that these rules speak of."""
        near = self.constraints.literals_of(rules)
        return [other for other in self.targets if other != target and abs(other) in near]

    def _check(self, targets: list[int], rules: int) -> None:
        """Have clingo prove each conclusion by these rules.

        Raises AspdokuError for one that does not follow.
        """
        known = self._known_candidates()
        for target in targets:
            if self.constraints.unsat_core([-target, *known], rules) is None:
                raise AspdokuError(
                    f"the reason found for {self._claim(target)} does not hold: please report this"
                    " fault of aspdoku"
                )

    def _by_clingo(self) -> Reason:
        """A reason that no chain of inferences gives.

        The smallest unsatisfiable core for a few of the targets, made minimal.
        """
        known = self._known_candidates()
        clashes = (
            (target, self.constraints.unsat_core([-target, *known], self.constraints.all_rules))
            for target in self.targets[:_CORES]
        )
        cores = [(found[1].bit_count(), target, found) for target, found in clashes if found]
        if not cores:
            raise AspdokuError(
                f"no reason was found for {self._claim(self.targets[0])}: please report this fault"
                " of aspdoku"
            )
        _, target, (used, rules) = min(cores)
        for instance in self._instances(rules):
            if instance.bit & rules and (
                fewer := self.constraints.unsat_core([-target, *known], rules & ~instance.bit)
            ):
                used, rules = fewer
        return self._reason([target], rules, [literal for literal in used if literal != -target])

    def _reason(self, targets: list[int], rules: int, used: Sequence[int] = ()) -> Reason:
        """The reason for these literals by these rules, with the way to the first of them.

        used: what is known and used, for where no way is found
        """
        chains = [proofs.derive(self.propagator, -target, rules) for target in targets]
        links = [link for chain in chains if chain for link in chain.all_links]
        if None in chains:
            links.append(Inference(0, rules, (), tuple(used), ()))
        facts = {literal for link in links for literal in link.known}
        first = chains[0]
        left = {link.rule: link.left for link in (first.all_links if first else ()) if link.left}
        taken = reduce(or_, (link.rule for link in links))
        return Reason(
            claims=tuple(map(self._claim, sorted(targets, key=self._place))),
            rules=tuple(
                CitedRule(each, self._claims(left.get(each.bit, ())))
                for each in self._instances(taken)
            ),
            premises=self._claims(
                sorted(
                    (literal for literal in facts if abs(literal) in self._candidate),
                    key=self._place,
                )
            ),
            proof=first and self._proof(-targets[0], first),
        )

    def _proof(self, supposed: int, chain: Derivation) -> Proof:
        cases = tuple(self._proof(literal, inner) for literal, inner in chain.cases)
        return Proof(self._claim(supposed), tuple(map(self._move, chain.links)), cases)

    def _move(self, link: Inference) -> ProofStep:
        claim = self._claim(link.literal) if abs(link.literal) in self._candidate else None
        instance = self.constraints.instances[link.rule.bit_length() - 1] if link.rule else None
        return ProofStep(claim, instance)

    def _claims(self, literals: Iterable[int]) -> tuple[Claim, ...]:
        return tuple(
            self._claim(literal) for literal in literals if abs(literal) in self._candidate
        )

    def _claim(self, literal: int) -> Claim:
        return Claim(*self._candidate[abs(literal)], literal > 0)

    def _place(self, literal: int) -> Candidate:
        return self._candidate[abs(literal)]

    def _learn(self, claims: Iterable[Claim]) -> None:
        literals = [
            self.constraints.candidates[claim[:3]] * (1 if claim.holds else -1) for claim in claims
        ]
        self.propagator.learn(literals)

    def _known_candidates(self) -> list[int]:
        return sorted(
            literal for literal in self.propagator.known if abs(literal) in self._candidate
        )

    def _instances(self, rules: int) -> list[RuleInstance]:
        """The instances in a mask, those of the first files first."""
        found = []
        while rules:
            place = rules.bit_length() - 1
            found.append(self.constraints.instances[place])
            rules ^= 1 << place
        return sorted(
            found,
            key=lambda each: (self._rank[each.bit.bit_length() - 1], each.guard.line, each.bit),
        )


class Explainer(StepFinder):
    """A puzzle and its explanation.

    entries: numbers that a player has entered, known from the start; those that are wrong, alone or
    together, are in `wrong_entries`
    Raises NoSolutionError if the puzzle has no solution, TimeLimitError if the time is up.
    """

    def __init__(
        self, program: Program, time_limit: float | None = None, entries: Iterable[Claim] = ()
    ) -> None:
        began = time.monotonic()

        def left() -> float | None:
            return (
                None if time_limit is None else max(0.01, time_limit - (time.monotonic() - began))
            )

        constraints = ConstraintModel(program, left())
        literals = constraints.candidates
        givens = [
            (row, column, number) for (row, column), number in program.puzzle.givens().items()
        ]
        entries = list(entries)
        self.wrong_entries = _wrong(constraints, givens, entries)
        known = [*givens, *(entry[:3] for entry in entries if entry not in self.wrong_entries)]
        grid = with_givens(program.puzzle.grid, [Function(GIVEN[0], each) for each in known])
        self.candidates = candidates(program.with_grid(grid), left(), find_equal=False)
        if self.candidates.unsatisfiable:
            raise NoSolutionError(
                f"there is no solution to explain{program.puzzle.caveat}; `aspdoku conflict`"
                " tells why"
            )
        if self.candidates.ended == "interrupted":
            raise KeyboardInterrupt
        if self.candidates.ended != "complete":
            raise TimeLimitError("the time limit came before it was known what there is to explain")
        rows = self.candidates.possible
        forced = sorted((*cell, number) for cell, number in self.candidates.forced.items())
        # Numbers first, then what goes, in reading order.
        targets = [literals[candidate] for candidate in forced if candidate in literals]
        targets += [
            -literals[each]
            for each in sorted(literals)
            if each[2] not in rows[each[0] - 1][each[1] - 1]
        ]
        super().__init__(
            constraints, [literals[each] for each in known if each in literals], targets, left()
        )

    @property
    def unique(self) -> bool:
        """Whether there is one solution, so that everything is explained."""
        return all(len(numbers) == 1 for row in self.candidates.possible for numbers in row)


def _wrong(
    constraints: ConstraintModel, givens: list[Candidate], entries: list[Claim]
) -> list[Claim]:
    """The entries that cannot be.

    Those that no solution has, or else some that no solution has together.
    """
    if not entries:
        return []
    start = [constraints.candidates[given] for given in givens if given in constraints.candidates]
    literals = {
        constraints.candidates[entry[:3]]: entry
        for entry in entries
        if entry[:3] in constraints.candidates
    }
    found = [entry for entry in entries if entry[:3] not in constraints.candidates]
    found += [
        entry
        for literal, entry in literals.items()
        if constraints.unsat_core([*start, literal], constraints.all_rules)
    ]
    right = [literal for literal, entry in literals.items() if entry not in found]
    while clash := constraints.unsat_core([*start, *right], constraints.all_rules):
        together = [literal for literal in clash[0] if literal in right]
        if not together:
            break
        found += [literals[literal] for literal in together]
        right = [literal for literal in right if literal not in together]
    return sorted(found)


class Counterexamples(NamedTuple):
    """A claim that is not forced: a solution in which it holds, and one in which it does not."""

    holds: Solution
    fails: Solution


def counterexamples(
    program: Program, claim: Claim, time_limit: float | None = None
) -> Counterexamples | None:
    """Two solutions that differ over a claim; None where all agree that it holds.

    Raises AspdokuError where it holds in none, NoSolutionError where there is none, TimeLimitError
    Raises NoSolutionError if the puzzle has no solution, TimeLimitError if the time is up.
    """
    atom = Function(GIVEN[0], claim[:3])
    solver = Solver(program, time_limit)
    found = []
    for value in (claim.holds, not claim.holds):
        search = solver.search(1, [(atom, value)])
        found.append(next(iter(list(search)), None))
        if search.ended == "time":
            raise TimeLimitError("the time limit came before it was known whether that is so")
    holds, fails = found
    if holds is None:
        if fails is None:
            raise NoSolutionError(
                f"there is no solution to ask about{program.puzzle.caveat}; `aspdoku conflict`"
                " tells why"
            )
        other = claim._replace(holds=not claim.holds)
        raise AspdokuError(f"{claim} holds in no solution; `aspdoku why '{other}'` tells why")
    return Counterexamples(holds, fails) if fails else None


def entries_beyond_givens(puzzle: Puzzle, grid: Puzzle) -> list[Claim]:
    """The numbers that a grid holds beside those of the puzzle.

    Raises AspdokuError where it is not a grid of this puzzle.
    """
    if grid.size != puzzle.size:
        raise AspdokuError(
            f"the entries are on a {grid.size}x{grid.size} grid, the puzzle is"
            f" {puzzle.size}x{puzzle.size}"
        )
    givens = puzzle.givens()
    for (row, column), number in grid.givens().items():
        if givens.get((row, column), number) != number:
            raise AspdokuError(
                f"r{row}c{column} is entered as {number}, but the puzzle gives"
                f" {givens[row, column]}"
            )
    return [
        Claim(*cell, number, True) for cell, number in grid.givens().items() if cell not in givens
    ]
