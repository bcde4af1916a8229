"""The ground program in readable form: named atoms, without the auxiliary atoms of gringo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clingo import Observer

from aspdoku.engine.solver import Solver
from aspdoku.program import Program


class GroundRule(NamedTuple):
    """A rule without variables.

    head: empty for a constraint, in braces for a choice
    body: literals, sorted
    atoms: all named atoms that the rule depends on
    """

    head: str
    body: tuple[str, ...] = ()
    atoms: frozenset[str] = frozenset()

    def __str__(self) -> str:
        if not self.body:
            return f"{self.head}."
        return f"{self.head} :- {', '.join(self.body)}.".lstrip()


class GroundProgram(NamedTuple):
    """A ground program.

    rules: how often each rule occurs
    facts: the atoms that are true
    atoms: the atoms that may be true
    """

    rules: Counter[GroundRule]
    facts: frozenset[str]
    atoms: frozenset[str]


def ground(program: Program, time_limit: float | None = None) -> GroundProgram:
    """Ground a program and read the result through clingo's observer.

    Raises RuleError if it cannot be grounded, TimeLimitError after `time_limit` seconds.
    """
    collector = RuleCollector()
    control = Solver(program, time_limit, collector).ground()
    names = {atom.literal: str(atom.symbol) for atom in control.symbolic_atoms}
    facts = frozenset(str(atom.symbol) for atom in control.symbolic_atoms if atom.is_fact)
    return GroundProgram(
        Counter(_Unfolder(names, collector).rules()), facts, frozenset(names.values())
    )


class ReportedRule(NamedTuple):
    """One ground rule as clingo's observer reports it.

    bound: the lower bound of a weighted body, None for a conjunction
    """

    head: tuple[int, ...]
    choice: bool
    bound: int | None
    body: tuple[tuple[int, int], ...]


class RuleCollector(Observer):
    """Collects the ground rules that clingo reports."""

    def __init__(self) -> None:
        self.rules: list[ReportedRule] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """A rule with a conjunction as its body."""
        self.rules.append(
            ReportedRule(tuple(head), choice, None, tuple((literal, 1) for literal in body))
        )

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        """A rule with a weighted sum as its body."""
        self.rules.append(ReportedRule(tuple(head), choice, lower_bound, tuple(body)))


class _Unfolder:
    """Replaces the auxiliary atoms of gringo by their definitions."""

    def __init__(self, names: dict[int, str], collector: RuleCollector) -> None:
        self._names = names
        self._named: list[ReportedRule] = []
        self._meaning: dict[int, list[ReportedRule]] = {}
        for rule in collector.rules:
            made_up = not rule.choice and len(rule.head) == 1 and rule.head[0] not in names
            (self._meaning.setdefault(rule.head[0], []) if made_up else self._named).append(rule)
        self._texts: dict[int, str] = {}
        self._atoms: dict[int, frozenset[str]] = {}

    def rules(self) -> Iterator[GroundRule]:
        """The constraints and the rules whose heads are named, without facts."""
        for rule in self._named:
            inner = sorted(self._names.get(atom, "") for atom in rule.head)
            head = "{ " + "; ".join(inner) + " }" if rule.choice else " | ".join(inner)
            body = self._body(rule)
            if body or rule.choice or len(rule.head) != 1:
                yield GroundRule(head, body, self._atoms_of(rule))

    def _atoms_of(self, rule: ReportedRule) -> frozenset[str]:
        return frozenset().union(
            *map(self._named_in, {*rule.head, *(abs(literal) for literal, _ in rule.body)})
        )

    def _named_in(self, atom: int) -> frozenset[str]:
        if atom in self._names:
            return frozenset((self._names[atom],))
        if atom not in self._atoms:
            self._atoms[atom] = frozenset()  # stops recursion
            defining = (
                {abs(literal) for literal, _ in rule.body} for rule in self._meaning.get(atom, [])
            )
            self._atoms[atom] = frozenset().union(*map(self._named_in, set().union(*defining)))
        return self._atoms[atom]

    def _body(self, rule: ReportedRule) -> tuple[str, ...]:
        literals = sorted(text for literal, _ in rule.body if (text := self._literal(literal)))
        if rule.bound is None:
            return tuple(dict.fromkeys(literals))
        weighted = (
            f"{text}*{weight}" if weight != 1 else text for text, weight in self._weighted(rule)
        )
        return (f"{rule.bound} {{ {'; '.join(sorted(weighted))} }}",)

    def _weighted(self, rule: ReportedRule) -> Iterator[tuple[str, int]]:
        return ((self._literal(literal) or "#true", weight) for literal, weight in rule.body)

    def _literal(self, literal: int) -> str:
        """The text of a literal; empty for one that always holds."""
        text = self._atom(abs(literal))
        if literal > 0:
            return text
        return f"not {text}" if text else "#false"

    def _atom(self, atom: int) -> str:
        if atom in self._names:
            return self._names[atom]
        if atom not in self._texts:
            self._texts[atom] = f"#{atom}"  # stops recursion, e.g. through an aggregate
            bodies = sorted(_joined(self._body(rule)) for rule in self._meaning.get(atom, []))
            self._texts[atom] = (
                "" if "" in bodies else bodies[0] if len(bodies) == 1 else f"({' | '.join(bodies)})"
            )
        return self._texts[atom]


def _joined(body: tuple[str, ...]) -> str:
    return body[0] if len(body) == 1 else f"({', '.join(body)})" if body else ""
