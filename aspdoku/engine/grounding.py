"""The ground program as clingo's observer reports it, and in readable form: named atoms, without
the auxiliary atoms of gringo.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clingo import Observer

from aspdoku.engine.solver import Solver
from aspdoku.program import Program

if TYPE_CHECKING:
    # A type like NewType, but closed under the operations that are used on it. At run time it is
    # plain int: a conversion per operation would slow propagation down.

    class Literal(int):
        """A literal of the solver: `v` for an atom, `-v` for its negation. An atom is positive."""

        def __neg__(self) -> Literal: ...
        def __abs__(self) -> Literal: ...
else:
    Literal = int


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
    """How often each ground rule occurs, the atoms that are true, and those that may be true."""

    rules: Counter[GroundRule]
    facts: frozenset[str]
    atoms: frozenset[str]


def ground(program: Program, time_limit: float | None = None) -> GroundProgram:
    """Ground a program and read the result through clingo's observer. Raises RuleError if it cannot
    be grounded, TimeLimitError after `time_limit` seconds.
    """
    collector = RuleCollector()
    control = Solver(program, time_limit, collector).ground()
    names = {atom.literal: str(atom.symbol) for atom in control.symbolic_atoms}
    facts = frozenset(str(atom.symbol) for atom in control.symbolic_atoms if atom.is_fact)
    rules = Counter(_Unfolder(names, collector.rules).rules())
    return GroundProgram(rules, facts, frozenset(names.values()))


class Body(NamedTuple):
    """A conjunction, or (with weights) a sum of literals that is at least its bound."""

    literals: tuple[Literal, ...]
    weights: tuple[int, ...] | None = None
    bound: int = 0


# A ground rule as clingo's observer reports it: whether it is a choice, its head, its body.
ReportedRule = tuple[bool, tuple[Literal, ...], Body]


class RuleCollector(Observer):
    """Collects the ground rules that clingo reports."""

    def __init__(self) -> None:
        self.rules: list[ReportedRule] = []

    # Called for each of thousands of rules: without a conversion of the types.
    def rule(self, choice: bool, head: Sequence[Literal], body: Sequence[Literal]) -> None:  # type: ignore[override]
        """A rule with a conjunction as its body."""
        self.rules.append((choice, tuple(head), Body(tuple(body))))

    def weight_rule(  # type: ignore[override]
        self,
        choice: bool,
        head: Sequence[Literal],
        lower_bound: int,
        body: Sequence[tuple[Literal, int]],
    ) -> None:
        """A rule with a weighted sum as its body, in which a literal may occur several times."""
        literals, weights = zip(*body, strict=True) if body else ((), ())
        self.rules.append((choice, tuple(head), Body(literals, weights, lower_bound)))


class ProgramCollector(RuleCollector):
    """Collects a whole ground program.

    complete: whether there is nothing but rules, weights to be minimized, and a projection
    """

    def __init__(self) -> None:
        super().__init__()
        self.minimized: list[tuple[int, list[tuple[int, int]]]] = []
        self.projected: list[int] = []
        self.complete = True

    def minimize(self, priority: int, literals: Sequence[tuple[int, int]]) -> None:
        """Weights to be minimized."""
        self.minimized.append((priority, list(literals)))

    def project(self, atoms: Sequence[int]) -> None:
        """Atoms that answer sets are projected on."""
        self.projected += atoms

    def _see_another(self, *_arguments: object, **_named: object) -> None:
        self.complete = False

    external = heuristic = acyc_edge = theory_atom = theory_atom_with_guard = _see_another


class _Unfolder:
    """Replaces the auxiliary atoms of gringo by their definitions."""

    def __init__(self, names: dict[int, str], rules: Sequence[ReportedRule]) -> None:
        self._names = names
        self._named: list[ReportedRule] = []
        self._bodies: dict[int, list[Body]] = defaultdict(list)
        for choice, head, body in rules:
            if choice or len(head) != 1 or head[0] in names:
                self._named.append((choice, head, body))
            else:
                self._bodies[head[0]].append(body)
        self._texts: dict[int, str] = {}
        self._atoms: dict[int, frozenset[str]] = {}

    def rules(self) -> Iterator[GroundRule]:
        """The constraints and the rules whose heads are named, without facts."""
        for choice, head, body in self._named:
            inner = sorted(self._names.get(atom, "") for atom in head)
            text = "{ " + "; ".join(inner) + " }" if choice else " | ".join(inner)
            literals = self._body(body)
            if literals or choice or len(head) != 1:
                atoms = map(self._named_in, {*head, *map(abs, body.literals)})
                yield GroundRule(text, literals, frozenset().union(*atoms))

    def _named_in(self, atom: int) -> frozenset[str]:
        if atom in self._names:
            return frozenset((self._names[atom],))
        if atom not in self._atoms:
            self._atoms[atom] = frozenset()  # stops recursion
            used = {abs(literal) for body in self._bodies[atom] for literal in body.literals}
            self._atoms[atom] = frozenset().union(*map(self._named_in, used))
        return self._atoms[atom]

    def _body(self, body: Body) -> tuple[str, ...]:
        texts = list(map(self._literal, body.literals))
        if body.weights is None:
            return tuple(dict.fromkeys(sorted(filter(None, texts))))
        weighted = (
            (text or "#true") + (f"*{weight}" if weight != 1 else "")
            for text, weight in zip(texts, body.weights, strict=True)
        )
        return (f"{body.bound} {{ {'; '.join(sorted(weighted))} }}",)

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
            bodies = sorted(_joined(self._body(body)) for body in self._bodies[atom])
            self._texts[atom] = (
                "" if "" in bodies else bodies[0] if len(bodies) == 1 else f"({' | '.join(bodies)})"
            )
        return self._texts[atom]


def _joined(body: tuple[str, ...]) -> str:
    return body[0] if len(body) == 1 else f"({', '.join(body)})" if body else ""
