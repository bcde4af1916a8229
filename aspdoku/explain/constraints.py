"""A guarded program, grounded, as constraints over literals that can be followed by hand.

A literal is a whole number: `v` for an atom, `-v` for its negation. The rules of the game come as
clauses (at least one of these), as at-most-ones and as sums, each with the bit of its guard;
definitions come without a guard, as what follows from them in any case (Clark's completion; what
else a recursive definition rules out is left to clingo).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from clingo import Control, Observer, Symbol

from aspdoku.engine.solver import CELL_ATOM, Solver, from_symbol
from aspdoku.program import Program, assemble
from aspdoku.program.guards import Guard, Unguarded, add_guards

# How many constraints one body may be taken apart into, before its parts get atoms of their own.
_MOST_PARTS = 64

Candidate = tuple[int, int, int]


class RuleInstance(NamedTuple):
    """One rule with the values of its variables.

    symbol: its guard, which has these values; literal: clingo's for it; bit: its place in masks
    """

    guard: Guard
    symbol: Symbol
    literal: int
    bit: int

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the guard's variables."""
        return tuple(map(_shown, self.symbol.arguments[1].arguments))

    @property
    def words(self) -> str:
        """What it says."""
        return self.guard.message(self.values)


class Clause(NamedTuple):
    """At least one of the literals holds."""

    literals: tuple[int, ...]
    bit: int


class AtMostOne(NamedTuple):
    """At most one of the literals holds."""

    literals: tuple[int, ...]
    bit: int


class Sum(NamedTuple):
    """If all conditions hold, the weights of the true literals add up to `least` to `most`."""

    conditions: tuple[int, ...]
    literals: tuple[int, ...]
    weights: tuple[int, ...]
    least: int | None
    most: int | None
    bit: int


Constraint = Clause | AtMostOne | Sum


class ConstraintModel:
    """The constraints of a program over a blank grid.

    candidates: the literal of each number in each cell; those that the rules never allow are
    missing
    instances: by the place of their bit
    clauses, groups, sums: the constraints
    granted: statements that restrict and have no guard
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        rewritten = add_guards(part.rule for part in program.parts)
        self.program = program
        self.unguarded: tuple[Unguarded, ...] = rewritten.unguarded
        listener = _Listener()
        blank = program.with_grid(((None,) * program.puzzle.size,) * program.puzzle.size).puzzle
        self._solver = Solver(
            assemble(blank, rewritten.rules, constants=program.constants), time_limit, listener
        )
        self.control: Control = self._solver.ground()
        self.candidates: dict[Candidate, int] = {}
        self.instances: list[RuleInstance] = []
        bits: dict[int, int] = {}
        named: set[int] = set()
        beginning = f"{rewritten.predicate}("
        for atom in (
            self.control.symbolic_atoms
        ):  # each call to clingo counts here: there are thousands of atoms
            symbol, literal = atom.symbol, atom.literal
            text = str(symbol)
            named.add(literal)
            if text.startswith(beginning):
                guard = rewritten.guards[int(text[len(beginning) : text.index(",")])]
                bits[literal] = 1 << len(self.instances)
                self.instances.append(RuleInstance(guard, symbol, literal, bits[literal]))
            elif cell := CELL_ATOM.fullmatch(text):
                candidate = int(cell[1]), int(cell[2]), int(cell[3])
                if program.puzzle.contains(*candidate):
                    self.candidates[candidate] = literal
        self.clauses, self.groups, self.sums = _Builder(
            listener, bits, frozenset(named)
        ).constraints()
        self._uncounted = 0
        if self.sums:
            self._grant_cells()

    @cached_property
    def granted_clauses(self) -> frozenset[frozenset[int]]:
        """The literals of each clause that holds whatever rules are switched off."""
        return frozenset(frozenset(clause.literals) for clause in self.clauses if clause.bit == 0)

    @property
    def all_rules(self) -> int:
        """The mask of all instances."""
        return (1 << len(self.instances)) - 1

    def literals_of(self, rules: int) -> set[int]:
        """The atoms that these rules speak of."""
        constraints: list[Constraint] = [*self.clauses, *self.groups, *self.sums]
        return {
            abs(literal) for each in constraints if each.bit & rules for literal in each.literals
        }

    def core(self, targets: Iterable[int], known: Iterable[int], rules: int) -> int:
        """Rules among these by which, with what is known, one of the targets holds.

        0 where none does, or no rule is needed.
        """
        found = self.unsat_core([*(-target for target in targets), *known], rules)
        return found[1] if found else 0

    def unsat_core(self, literals: Sequence[int], rules: int) -> tuple[list[int], int] | None:
        """Those of the literals, and of the rules, that cannot be together, as clingo finds them.

        None where all can.
        """
        assumed = [each.literal for each in self.instances if each.bit & (rules | self._uncounted)]
        with self.control.solve([*literals, *assumed], async_=True) as handle:
            self._solver.wait(handle)
            if not handle.get().unsatisfiable:
                return None
            core = set(handle.core())
        used = sum(each.bit for each in self.instances if each.literal in core) & ~self._uncounted
        return [literal for literal in literals if literal in core], used

    def _grant_cells(self) -> None:
        """That a cell holds one number is not counted among reasons where sums are, each of which
        would drag it along.

        That goes for what the base says of cells, not for what another file says of one.
        """
        cell_of = {literal: candidate[:2] for candidate, literal in self.candidates.items()}
        base = self.program.parts[0].rule.place
        bits = {each.bit for each in self.instances if each.guard.place == base}

        def in_one_cell(constraint: Clause | AtMostOne) -> bool:
            cells = {cell_of.get(literal) for literal in constraint.literals}
            return constraint.bit in bits and len(cells) == 1 and None not in cells

        constraints: list[Clause | AtMostOne] = [*self.clauses, *self.groups]
        self._uncounted = sum({each.bit for each in constraints if in_one_cell(each)})
        self.clauses = [
            each._replace(bit=0) if in_one_cell(each) else each for each in self.clauses
        ]
        self.groups = [each._replace(bit=0) if in_one_cell(each) else each for each in self.groups]


def _shown(symbol: Symbol) -> str:
    value = from_symbol(symbol)
    return value if isinstance(value, str) else str(value)


class _Body(NamedTuple):
    """A conjunction, or a weighted sum of literals that reaches its bound."""

    literals: tuple[int, ...]
    weights: tuple[int, ...] | None
    bound: int


class _Listener(Observer):
    def __init__(self) -> None:
        self.rules: list[tuple[bool, tuple[int, ...], _Body]] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules.append((choice, tuple(head), _Body(tuple(body), None, 0)))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        literals, weights = tuple(zip(*body, strict=True)) if body else ((), ())
        self.rules.append((choice, tuple(head), _Body(literals, weights, lower_bound)))


class _Builder:
    """Takes the ground rules apart."""

    def __init__(self, listener: _Listener, bits: dict[int, int], named: frozenset[int]) -> None:
        self._bits = bits
        self._named = named
        self._definitions: dict[int, list[_Body]] = defaultdict(list)
        self._supports: dict[int, list[_Body]] = defaultdict(list)
        self._facts: set[int] = set()
        self._bodies: list[_Body] = []
        for choice, head, body in listener.rules:
            if not head:
                self._bodies.append(body)
            for atom in head:
                self._supports[atom].append(body)
                if not choice and len(head) == 1:
                    self._definitions[atom].append(body)
                    if body.weights is None and not body.literals:
                        self._facts.add(atom)
        self._found: dict[Constraint, None] = {}
        self._needed: set[int] = set()
        self._next = (
            max(
                [
                    abs(literal)
                    for _, head, body in listener.rules
                    for literal in (*head, *body.literals)
                ],
                default=0,
            )
            + 1
        )

    def constraints(self) -> tuple[list[Clause], list[AtMostOne], list[Sum]]:
        """All of them, each once, those of the rules first."""
        for body in self._bodies:
            self._forbid(body)
        done: set[int] = set()
        while waiting := sorted(self._needed - done):
            done |= set(waiting)
            for atom in waiting:
                self._define(atom)
        found = list(self._found)
        clauses = [each for each in found if isinstance(each, Clause)]
        groups = [each for each in found if isinstance(each, AtMostOne)]
        return clauses, groups, _joined([each for each in found if isinstance(each, Sum)])

    def _add(self, constraint: Constraint) -> None:
        self._found.setdefault(constraint)
        self._needed |= {abs(literal) for literal in constraint.literals}
        if isinstance(constraint, Sum):
            self._needed |= {abs(literal) for literal in constraint.conditions}

    def _forbid(self, body: _Body) -> None:
        """Constraints that say that the body does not hold."""
        if body.weights is not None:
            self._not_reached((), body, 0)
            return
        bit = 0
        rest = []
        for literal in body.literals:
            if literal in self._bits:
                bit |= self._bits[literal]
            else:
                rest.append(literal)
        for parts in self._taken_apart(rest):
            self._forbid_parts(parts, bit)

    def _taken_apart(self, literals: Sequence[int]) -> list[list[int | tuple[_Body, bool]]]:
        """Conjunctions that together say what this one says, of literals and of sums that reach
        their bound or not.
        """
        conjunctions: list[list[int | tuple[_Body, bool]]] = [[]]
        for literal in literals:
            ways = self._ways(literal)
            if len(conjunctions) * len(ways) > _MOST_PARTS:
                ways = [[literal]]
            conjunctions = [[*conjunction, *way] for conjunction in conjunctions for way in ways]
        return conjunctions

    def _ways(self, literal: int) -> list[list[int | tuple[_Body, bool]]]:
        """The ways in which an auxiliary literal of clingo's holds.

        Itself for an author's atom, or if there are too many.
        """
        atom = abs(literal)
        if atom in self._facts:
            return [[]] if literal > 0 else []
        if not self._made_up(atom):
            return [[literal]]
        bodies = self._definitions[atom]
        ways: list[list[int | tuple[_Body, bool]]] = [[literal]]
        if literal > 0:
            ways = [way for body in bodies for way in self._ways_of(body)]
        # Not one of the bodies: for a single conjunction that is one of its literals not holding.
        elif len(bodies) == 1 and bodies[0].weights is None:
            ways = [way for each in bodies[0].literals for way in self._ways(-each)]
        elif all(body.weights is not None or len(body.literals) == 1 for body in bodies):
            ways = [[]]
            for body in bodies:
                failing = (
                    [[(body, False)]] if body.weights is not None else self._ways(-body.literals[0])
                )
                if len(ways) * len(failing) > _MOST_PARTS:
                    return [[literal]]
                ways = [[*way, *more] for way in ways for more in failing]
        return ways if len(ways) <= _MOST_PARTS else [[literal]]

    def _ways_of(self, body: _Body) -> list[list[int | tuple[_Body, bool]]]:
        return [[(body, True)]] if body.weights is not None else self._taken_apart(body.literals)

    def _made_up(self, atom: int) -> bool:
        return atom not in self._named and atom in self._definitions

    def _forbid_parts(self, parts: list[int | tuple[_Body, bool]], bit: int) -> None:
        sums = [part for part in parts if not isinstance(part, int)]
        literals = tuple(dict.fromkeys(part for part in parts if isinstance(part, int)))
        if any(-literal in literals for literal in literals):
            return
        if not sums:
            self._add(Clause(tuple(-literal for literal in literals), bit))
            return
        for body, reached in sums[1:]:
            literals = (*literals, self._named_sum(body, reached))
        body, reached = sums[0]
        if reached:
            self._not_reached(literals, body, bit)
        else:
            self._reached(literals, body, bit)

    def _named_sum(self, body: _Body, reached: bool) -> int:
        """A literal of our own that holds just where the sum reaches its bound, or does not."""
        name, self._next = self._next, self._next + 1
        self._reached((name,), body, 0)
        self._not_reached((-name,), body, 0)
        return name if reached else -name

    def _reached(self, conditions: tuple[int, ...], body: _Body, bit: int) -> None:
        weights = body.weights or ()
        if body.bound == 1 or all(weight >= body.bound for weight in weights):
            self._add(Clause((*(-each for each in conditions), *body.literals), bit))
        else:
            self._add(Sum(conditions, body.literals, weights, body.bound, None, bit))

    def _not_reached(self, conditions: tuple[int, ...], body: _Body, bit: int) -> None:
        weights = body.weights or ()
        if body.bound == 2 and set(weights) == {1} and not conditions:
            self._add(AtMostOne(body.literals, bit))
        elif all(weight >= body.bound for weight in weights):
            for literal in body.literals:
                self._add(Clause((*(-each for each in conditions), -literal), bit))
        else:
            self._add(Sum(conditions, body.literals, weights, None, body.bound - 1, bit))

    def _define(self, atom: int) -> None:
        """What an atom's rules say of it, both ways."""
        if atom in self._facts or atom not in self._supports:
            return
        for body in self._definitions[atom]:
            if body.weights is None:
                self._add(
                    Clause(
                        (
                            atom,
                            *(-literal for literal in body.literals if literal not in self._facts),
                        ),
                        0,
                    )
                )
            else:
                self._not_reached((-atom,), body, 0)
        supports = self._supports[atom]
        if any(body.weights is None and not body.literals for body in supports):
            return
        self._add(Clause((-atom, *(self._name(body) for body in supports)), 0))

    def _name(self, body: _Body) -> int:
        """A literal that holds just where the body does."""
        if body.weights is not None:
            return self._named_sum(body, True)
        if len(body.literals) == 1:
            return body.literals[0]
        name, self._next = self._next, self._next + 1
        for literal in body.literals:
            self._add(Clause((-name, literal), 0))
        self._add(Clause((name, *(-literal for literal in body.literals)), 0))
        return name


def _joined(sums: Iterable[Sum]) -> list[Sum]:
    """The sums, those of the same literals and the same guard in one."""
    found: dict[object, Sum] = {}
    for each in sums:
        key = each._replace(least=None, most=None)
        other = found.get(key)
        if other is None:
            found[key] = each
        else:
            least = [bound for bound in (other.least, each.least) if bound is not None]
            most = [bound for bound in (other.most, each.most) if bound is not None]
            found[key] = each._replace(least=max(least, default=None), most=min(most, default=None))
    return list(found.values())
