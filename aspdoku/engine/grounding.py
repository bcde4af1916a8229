"""The ground program as a reader would write it.

Atoms by their names, and without the atoms that clingo makes up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clingo import Observer

from aspdoku.engine.solver import Solver
from aspdoku.program import Program


class GroundRule(NamedTuple):
    """A rule without variables. `head` is empty for a constraint and in braces for a choice.

    Literals are sorted.

    atoms: all that it speaks of
    """

    head: str
    body: tuple[str, ...] = ()
    atoms: frozenset[str] = frozenset()

    def __str__(self) -> str:
        if not self.body:
            return f"{self.head}."
        return f"{self.head} :- {', '.join(self.body)}.".lstrip()


class GroundProgram(NamedTuple):
    """What grounding made of a program.

    Its rules, each as often as it stands there, its facts, and all that may be true.
    """

    rules: Counter[GroundRule]
    facts: frozenset[str]
    atoms: frozenset[str]


def ground(program: Program, time_limit: float | None = None) -> GroundProgram:
    """Ground a program and read the result through clingo's observer.

    Raises RuleError where it cannot be grounded, TimeLimitError where `time_limit` seconds do not
    suffice.
    """
    listener = _Listener()
    control = Solver(program, time_limit, listener).ground()
    names = {atom.literal: str(atom.symbol) for atom in control.symbolic_atoms}
    facts = frozenset(str(atom.symbol) for atom in control.symbolic_atoms if atom.is_fact)
    return GroundProgram(
        Counter(_Reader(names, listener).rules()), facts, frozenset(names.values())
    )


class _Heard(NamedTuple):
    """One rule as clingo reports it.

    `bound` is that of a weighted body, None where all of the body has to hold.
    """

    head: tuple[int, ...]
    choice: bool
    bound: int | None
    body: tuple[tuple[int, int], ...]


class _Listener(Observer):
    def __init__(self) -> None:
        self.heard: list[_Heard] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.heard.append(
            _Heard(tuple(head), choice, None, tuple((literal, 1) for literal in body))
        )

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        self.heard.append(_Heard(tuple(head), choice, lower_bound, tuple(body)))


class _Reader:
    """Puts what an atom of clingo's own making stands for in its place."""

    def __init__(self, names: dict[int, str], listener: _Listener) -> None:
        self._names = names
        self._named: list[_Heard] = []
        self._meaning: dict[int, list[_Heard]] = {}
        for heard in listener.heard:
            made_up = not heard.choice and len(heard.head) == 1 and heard.head[0] not in names
            (self._meaning.setdefault(heard.head[0], []) if made_up else self._named).append(heard)
        self._texts: dict[int, str] = {}
        self._atoms: dict[int, frozenset[str]] = {}

    def rules(self) -> Iterator[GroundRule]:
        """The rules whose heads the author named, and the constraints; facts are not among them."""
        for heard in self._named:
            inner = sorted(self._names.get(atom, "") for atom in heard.head)
            head = "{ " + "; ".join(inner) + " }" if heard.choice else " | ".join(inner)
            body = self._body(heard)
            if body or heard.choice or len(heard.head) != 1:
                yield GroundRule(head, body, self._spoken_of(heard))

    def _spoken_of(self, heard: _Heard) -> frozenset[str]:
        """The named atoms in a rule, those behind atoms of clingo's own making among them."""
        return frozenset().union(
            *map(self._named_in, {*heard.head, *(abs(literal) for literal, _ in heard.body)})
        )

    def _named_in(self, atom: int) -> frozenset[str]:
        if atom in self._names:
            return frozenset((self._names[atom],))
        if atom not in self._atoms:
            self._atoms[atom] = frozenset()  # should it come back to itself
            behind = (
                {abs(literal) for literal, _ in heard.body} for heard in self._meaning.get(atom, [])
            )
            self._atoms[atom] = frozenset().union(*map(self._named_in, set().union(*behind)))
        return self._atoms[atom]

    def _body(self, heard: _Heard) -> tuple[str, ...]:
        literals = sorted(text for literal, _ in heard.body if (text := self._literal(literal)))
        if heard.bound is None:
            return tuple(dict.fromkeys(literals))
        weighted = (
            f"{text}*{weight}" if weight != 1 else text for text, weight in self._weighted(heard)
        )
        return (f"{heard.bound} {{ {'; '.join(sorted(weighted))} }}",)

    def _weighted(self, heard: _Heard) -> Iterator[tuple[str, int]]:
        return ((self._literal(literal) or "#true", weight) for literal, weight in heard.body)

    def _literal(self, literal: int) -> str:
        """The literal's text; empty for one that always holds."""
        text = self._atom(abs(literal))
        if literal > 0:
            return text
        return f"not {text}" if text else "#false"

    def _atom(self, atom: int) -> str:
        if atom in self._names:
            return self._names[atom]
        if atom not in self._texts:
            self._texts[atom] = (
                f"#{atom}"  # should it come back to itself, through a recursive aggregate
            )
            bodies = sorted(_joined(self._body(heard)) for heard in self._meaning.get(atom, []))
            self._texts[atom] = (
                "" if "" in bodies else bodies[0] if len(bodies) == 1 else f"({' | '.join(bodies)})"
            )
        return self._texts[atom]


def _joined(body: tuple[str, ...]) -> str:
    return body[0] if len(body) == 1 else f"({', '.join(body)})" if body else ""
