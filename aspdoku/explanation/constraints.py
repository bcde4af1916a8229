"""The ground program as clauses, at-most-one constraints and sums, for our own propagator.

A program whose rules have guards (`program.transform`) is grounded over a blank grid, and clingo's
observer reports its ground rules. Integrity constraints become clauses, at-most-ones and sums, each
with the bit of the rule instance that its guard stands for. Definitions become clauses without a
bit, by Clark's completion: an atom holds if and only if the body of one of its rules does. For a
program with positive recursion the completion is weaker than the stable model semantics, so what
propagation derives is sound, and clingo decides the rest.

`RuleInstance` connects a bit with its guard, and so with the name, file, line and words of the
rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clingo import Control, Symbol

from aspdoku.engine.grounding import Body as Body
from aspdoku.engine.grounding import Literal as Literal
from aspdoku.engine.grounding import ProgramCollector, ReportedRule, RuleCollector
from aspdoku.engine.solver import CELL_ATOM, Solver, from_symbol
from aspdoku.program import Program
from aspdoku.program.transform import Guard, Unguarded, add_guards
from aspdoku.puzzle.puzzle import Cell, grid_of
from aspdoku.runtime.deadline import Deadline

if TYPE_CHECKING:

    class RuleMask(int):  # as `Literal`
        """A set of rule instances: an int with one bit for each."""

        def __or__(self, other: RuleMask) -> RuleMask: ...  # type: ignore[override]
        def __and__(self, other: RuleMask) -> RuleMask: ...  # type: ignore[override]
        def __xor__(self, other: RuleMask) -> RuleMask: ...  # type: ignore[override]
        def __invert__(self) -> RuleMask: ...
else:
    RuleMask = int

# Not a literal: the conclusion that a constraint is violated.
CONFLICT = Literal(0)
NO_RULES = RuleMask(0)
ALL_RULES = RuleMask(-1)

# The most conjunctions into which a body is expanded; beyond that its parts get auxiliary atoms.
# Expanded bodies make shorter explanations, but their number is the product over their parts.
# Bodies of common rules, such as two comparisons of aggregates, have far fewer.
_MOST_CONJUNCTIONS = 64
# Chains of more negations than this are taken for cycles.
_MOST_STRATA = 100

Candidate = tuple[int, int, int]
_Number = TypeVar("_Number", bound=tuple[int, ...])  # a candidate, or a claim that it holds


class RuleInstance(NamedTuple):
    """A ground rule: a rule with values for its variables.

    symbol, literal: the atom of its guard, which holds the values, and clingo's literal for it;
        assuming that switches the instance on
    bit: the mask of this instance alone, or of those from which it follows
    """

    guard: Guard
    symbol: Symbol
    literal: Literal
    bit: RuleMask

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the guard's variables."""
        terms = map(from_symbol, self.symbol.arguments[1].arguments)
        return tuple(term if isinstance(term, str) else str(term) for term in terms)

    @property
    def words(self) -> str:
        """The message of the rule for these values."""
        return self.guard.message(self.values)


class Clause(NamedTuple):
    """At least one of the literals holds."""

    literals: tuple[Literal, ...]
    bit: RuleMask


class AtMostOne(NamedTuple):
    """At most one of the literals holds."""

    literals: tuple[Literal, ...]
    bit: RuleMask


class Sum(NamedTuple):
    """If all conditions hold, the total weight of the true literals is in these bounds, if any."""

    conditions: tuple[Literal, ...]
    literals: tuple[Literal, ...]
    weights: tuple[int, ...]
    least: int | None
    most: int | None
    bit: RuleMask

    @property
    def signed_literals(self) -> tuple[Literal, ...]:
        """The literals on which propagation depends, conditions included, with both signs."""
        return tuple(sign for each in (*self.conditions, *self.literals) for sign in (each, -each))


Constraint = Clause | AtMostOne | Sum
_Plain = TypeVar("_Plain", Clause, AtMostOne)


def atoms_of(constraint: Constraint) -> set[Literal]:
    """The atoms of a constraint, those of its conditions included."""
    conditions = constraint.conditions if isinstance(constraint, Sum) else ()
    return {abs(literal) for literal in (*conditions, *constraint.literals)}


class UndecidedError(Exception):
    """A search has reached its limit of conflicts."""


class _Collector(ProgramCollector):
    def heuristic(self, *_arguments: object, **_named: object) -> None:
        """A directive for the search, which changes no solution."""


class GroundConstraints:
    """The constraints of a program as it is, without guards.

    candidates: the literal of each number in each cell, without those that the rules never allow
    constraints: all constraints, those of definitions included
    rules: the ground rules
    is_determined_by_grid: whether each grid that satisfies the constraints belongs to exactly one
        answer set, projected to the grid: nothing else is chosen, no negation is cyclic, and no
        statement but rules matters
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        observer = _Collector()
        solver = Solver(program.changed(fast=False), time_limit, observer)
        atoms = {str(each.symbol): Literal(each.literal) for each in solver.ground().symbolic_atoms}
        self.candidates = {
            (int(cell[1]), int(cell[2]), int(cell[3])): literal
            for text, literal in atoms.items()
            if (cell := CELL_ATOM.fullmatch(text))
        }
        self.rules = observer.rules
        compiler = _Compiler(self.rules, {}, frozenset(atoms.values()), solver.deadline)
        clauses, at_most_ones, sums = compiler.constraints()
        self.constraints: list[Constraint] = [
            *(each for each in clauses if compiler.facts.isdisjoint(each.literals)),
            *at_most_ones,
            *sums,
        ]
        self.is_determined_by_grid = (
            observer.complete
            and not observer.minimized
            and all(program.puzzle.contains(*candidate) for candidate in self.candidates)
            and _are_stratified(self.rules, frozenset(self.candidates.values()))
        )


class ConstraintModel:
    """The constraints of a program over a blank grid.

    candidates: the literal of each number in each cell, without those that the rules never allow
    instances: the rule instances, in the order of their bits
    unguarded: restrictive statements without a guard, which no explanation can cite
    """

    def __init__(self, program: Program, time_limit: float | None = None) -> None:
        guarded = add_guards(program.rules)
        self.program = program
        self.unguarded: tuple[Unguarded, ...] = guarded.unguarded
        observer = RuleCollector()
        blank = grid_of(program.puzzle.size, {})
        rewritten = program.changed(guarded.rules, fast=False, grid=blank)
        self._solver = Solver(rewritten, time_limit, observer)
        self.control: Control = self._solver.ground()
        self.candidates: dict[Candidate, Literal] = {}
        self.instances: list[RuleInstance] = []
        bits: dict[Literal, RuleMask] = {}
        named: set[Literal] = set()
        prefix = f"{guarded.predicate}("
        # There are thousands of atoms, and each call into clingo takes time: the text of an atom is
        # one call, its name and its arguments would be several.
        for atom in self.control.symbolic_atoms:
            symbol, literal = atom.symbol, Literal(atom.literal)
            text = str(symbol)
            named.add(literal)
            if text.startswith(prefix):
                guard = guarded.guards[int(text[len(prefix) : text.index(",")])]
                bits[literal] = RuleMask(1 << len(self.instances))
                self.instances.append(RuleInstance(guard, symbol, literal, bits[literal]))
            elif cell := CELL_ATOM.fullmatch(text):
                candidate = int(cell[1]), int(cell[2]), int(cell[3])
                if program.puzzle.contains(*candidate):
                    self.candidates[candidate] = literal
        self.clauses, self.at_most_ones, self.sums = _Compiler(
            observer.rules, bits, frozenset(named), self._solver.deadline
        ).constraints()
        self._exempt = NO_RULES
        if self.sums:
            self._exempt_cell_rules()

    @cached_property
    def unconditional_clauses(self) -> frozenset[frozenset[Literal]]:
        """The literals of each clause that holds whatever rules are switched off."""
        return frozenset(
            frozenset(clause.literals) for clause in self.clauses if clause.bit == NO_RULES
        )

    @property
    def all_rules(self) -> RuleMask:
        """The mask of all instances."""
        return RuleMask((1 << len(self.instances)) - 1)

    @cached_property
    def candidate_of(self) -> dict[Literal, Candidate]:
        """The number and the cell of each literal in `candidates`."""
        return {literal: candidate for candidate, literal in self.candidates.items()}

    def instances_of(self, rules: RuleMask) -> tuple[RuleInstance, ...]:
        """The rule instances in a mask."""
        return tuple(each for each in self.instances if each.bit & rules)

    def literals_of(self, numbers: Iterable[_Number]) -> dict[Literal, _Number]:
        """The numbers in cells by their literals, without those that the rules never allow."""
        literals = self.candidates
        return {
            literals[key]: each
            for each in numbers
            if (key := (each[0], each[1], each[2])) in literals
        }

    @property
    def constraints(self) -> list[Constraint]:
        """All constraints."""
        return [*self.clauses, *self.at_most_ones, *self.sums]

    def adds_numbers(self, total: Sum) -> bool:
        """Whether a sum is of the numbers in cells, neither of multiples nor of differences."""
        numbers = [self.candidate_of.get(each, (0, 0, 0))[2] for each in total.literals]
        return numbers == list(total.weights)

    def atoms_near(self, target: Literal, rules: RuleMask) -> set[Literal]:
        """The atoms that a conclusion from these rules can depend on: those of their constraints,
        and all that constraints without a rule (definitions, numbers of a cell) connect with them.
        """
        constraints = self.constraints
        near = {abs(target)}.union(*(atoms_of(each) for each in constraints if each.bit & rules))
        free = [atoms_of(each) for each in constraints if not each.bit]
        grown = True
        while grown:
            connected = [atoms for atoms in free if not near.isdisjoint(atoms)]
            grown = bool(connected)
            near.update(*connected)
            free = [atoms for atoms in free if not atoms <= near]
        return near

    @cached_property
    def cells_of_rules(self) -> Mapping[RuleInstance, tuple[Cell, ...]]:
        """The cells whose numbers the constraints of each rule instance mention."""
        of_literal = self.candidate_of
        found: dict[RuleMask, set[Cell]] = defaultdict(set)
        for each in self.constraints:
            atoms = map(abs, each.literals)
            found[each.bit].update(of_literal[atom][:2] for atom in atoms if atom in of_literal)
        return {each: tuple(sorted(found.get(each.bit, ()))) for each in self.instances}

    def unsat_core(
        self, literals: Sequence[Literal], rules: RuleMask, limit: int | None = None
    ) -> tuple[list[Literal], RuleMask] | None:
        """A core of the literals and rules; None if satisfiable. Raises UndecidedError."""
        assumed = [each.literal for each in self.instances if each.bit & (rules | self._exempt)]
        core = self.core(self.control, [*literals, *assumed], limit)
        if core is None:
            return None
        used = union_of(each.bit for each in self.instances if each.literal in core)
        return [literal for literal in literals if literal in core], used & ~self._exempt

    def core(
        self, control: Control, assumptions: Sequence[int], limit: int | None
    ) -> set[int] | None:
        """A core of assumptions; None if satisfiable. Raises UndecidedError, TimeLimitError."""
        solving = control.configuration.solve
        solving.solve_limit = "umax" if limit is None else str(limit)  # type: ignore[union-attr]
        with control.solve(assumptions, async_=True) as handle:
            self._solver.wait(handle)
            result = handle.get()
            if result.unknown:
                raise UndecidedError
            return set(handle.core()) if result.unsatisfiable else None

    def _exempt_cell_rules(self) -> None:
        """Do not count the base's rules that a cell holds one number, if there are sums. Otherwise
        a reason with a sum would include such a rule for each cell of the sum: reasons would be
        longer, and the search for small ones much slower. Rules of other files about a single cell
        are counted.
        """
        of_literal = self.candidate_of
        base = self.program.parts[0].rule.place
        bits = {each.bit for each in self.instances if each.guard.place == base}

        def counted(constraint: _Plain) -> _Plain:
            cells = {of_literal.get(literal, (0, 0))[:2] for literal in constraint.literals}
            if constraint.bit not in bits or len(cells) != 1 or (0, 0) in cells:
                return constraint
            self._exempt |= constraint.bit
            return constraint._replace(bit=NO_RULES)

        self.clauses = list(map(counted, self.clauses))
        self.at_most_ones = list(map(counted, self.at_most_ones))


def union_of(masks: Iterable[RuleMask]) -> RuleMask:
    """The union of sets of rules."""
    return reduce(or_, masks, NO_RULES)


# An expanded body: literals, and sums with whether they reach their bound, all of which hold.
_Conjunction = list["Literal | tuple[Body, bool]"]


def _are_stratified(rules: Iterable[ReportedRule], chosen: frozenset[Literal]) -> bool:
    """Whether rules define all atoms from chosen ones without cyclic negation."""
    bodies: dict[Literal, list[Literal]] = defaultdict(list)
    for choice, head, body in rules:
        if not all((atom in chosen) == choice for atom in head) or len(head) > 1 > choice:
            return False
        if not choice:
            for atom in head:
                bodies[atom] += body.literals
    # The longest chain of negations below each atom; it grows without end on a cycle.
    depth: dict[Literal, int] = dict.fromkeys(bodies, 0)
    for _ in range(len(bodies) + 1):
        deeper = {}
        for atom, literals in bodies.items():
            below = max((depth.get(abs(each), 0) + (each < 0) for each in literals), default=0)
            if below > depth[atom]:
                deeper[atom] = below
        if not deeper:
            return True
        if max(deeper.values()) > _MOST_STRATA:
            return False
        depth |= deeper
    return False


class _Compiler:
    """Compiles ground rules to constraints. `bits` has the mask of each guard, `named` the atoms of
    the rule files: gringo introduces the others.
    """

    def __init__(
        self,
        rules: Sequence[ReportedRule],
        bits: dict[Literal, RuleMask],
        named: frozenset[Literal],
        deadline: Deadline,
    ) -> None:
        self._deadline = deadline
        self._bits = bits
        self._named = named
        # For each atom the bodies that entail it, and those that may support it, also in a choice.
        self._definitions: dict[Literal, list[Body]] = defaultdict(list)
        self._supports: dict[Literal, list[Body]] = defaultdict(list)
        self.facts: set[Literal] = set()
        self._bodies: list[Body] = []
        for choice, head, body in rules:
            if body.weights is not None:
                body = _with_distinct_literals(body)
            if not head:
                self._bodies.append(body)
            for atom in head:
                self._supports[atom].append(body)
                if not choice and len(head) == 1:
                    self._definitions[atom].append(body)
                    if body == Body(()):
                        self.facts.add(atom)
        self._kept = named - self.facts  # atoms that are not replaced by their definitions
        # A set that keeps the order. The type is in the key, since tuples of different types with
        # the same literals are equal.
        self._constraints: dict[tuple[type, Constraint], None] = {}
        self._atoms: set[Literal] = set()
        used = (abs(each) for _, head, body in rules for each in (*head, *body.literals))
        self._last_atom: int = max(used, default=0)

    def constraints(self) -> tuple[list[Clause], list[AtMostOne], list[Sum]]:
        """All constraints, without duplicates, those of the rules before those of definitions."""
        for body in self._bodies:
            self._deadline.require_time("reading rules")
            self._forbid(body)
        done: set[Literal] = set()
        while waiting := sorted(self._atoms - done):
            done |= set(waiting)
            for atom in waiting:
                self._deadline.require_time("reading rules")
                self._define(atom)
        found = [constraint for _, constraint in self._constraints]
        clauses = [each for each in found if isinstance(each, Clause)]
        at_most_ones = [each for each in found if isinstance(each, AtMostOne)]
        return clauses, at_most_ones, _merged(each for each in found if isinstance(each, Sum))

    def _add(self, constraint: Constraint) -> None:
        self._constraints.setdefault((type(constraint), constraint))
        self._atoms.update(map(abs, constraint.literals))
        if isinstance(constraint, Sum):
            self._atoms.update(map(abs, constraint.conditions))

    def _forbid(self, body: Body) -> None:
        if body.weights is not None:
            self._add_below((), body, NO_RULES)
            return
        bit = NO_RULES
        rest = []
        plain = True
        for literal in body.literals:
            if literal in self._bits:
                bit |= self._bits[literal]
            else:
                rest.append(literal)
                plain = plain and literal in self._kept
        if plain:  # as in the thousands of constraints of a rule that compares cells
            self._forbid_literals(rest, bit)
            return
        for conjunction in self._expand(rest):
            self._forbid_conjunction(conjunction, bit)

    def _expand(self, literals: Sequence[Literal]) -> list[_Conjunction]:
        """A disjunction of conjunctions that is equivalent to the conjunction of these literals:
        gringo's auxiliary atoms are replaced by their definitions, unless that takes too many.
        """
        conjunctions: list[_Conjunction] = [[]]
        for literal in literals:
            expansion = self._expand_literal(literal)
            if len(conjunctions) * len(expansion) > _MOST_CONJUNCTIONS:
                expansion = [[literal]]
            conjunctions = [[*one, *other] for one in conjunctions for other in expansion]
        return conjunctions

    def _expand_literal(self, literal: Literal) -> list[_Conjunction]:
        """The same for one literal; the literal itself if its atom occurs in a rule file."""
        atom = abs(literal)
        if atom in self.facts:
            return [[]] if literal > 0 else []
        if atom in self._named or atom not in self._definitions:
            return [[literal]]
        bodies = self._definitions[atom]
        expansion: list[_Conjunction] = [[literal]]
        if literal > 0:
            expansion = [each for body in bodies for each in self._expand_body(body)]
        # A negated atom: no body holds, so that of a single conjunction some literal is false.
        elif len(bodies) == 1 and bodies[0].weights is None:
            expansion = [
                each for inner in bodies[0].literals for each in self._expand_literal(-inner)
            ]
        elif all(body.weights is not None or len(body.literals) == 1 for body in bodies):
            expansion = [[]]
            for body in bodies:
                failing: list[_Conjunction] = (
                    [[(body, False)]]
                    if body.weights is not None
                    else self._expand_literal(-body.literals[0])
                )
                if len(expansion) * len(failing) > _MOST_CONJUNCTIONS:
                    return [[literal]]
                expansion = [[*one, *other] for one in expansion for other in failing]
        return expansion if len(expansion) <= _MOST_CONJUNCTIONS else [[literal]]

    def _expand_body(self, body: Body) -> list[_Conjunction]:
        return [[(body, True)]] if body.weights is not None else self._expand(body.literals)

    def _forbid_conjunction(self, conjunction: _Conjunction, bit: RuleMask) -> None:
        sums = [part for part in conjunction if isinstance(part, tuple)]
        literals = tuple(dict.fromkeys(each for each in conjunction if not isinstance(each, tuple)))
        if not sums:
            self._forbid_literals(literals, bit)
        elif not any(-literal in literals for literal in literals):
            (body, reached), *others = sums
            named = (self._name_sum(*other) for other in others)
            add = self._add_below if reached else self._add_reached
            add((*literals, *named), body, bit)

    def _forbid_literals(self, literals: Iterable[Literal], bit: RuleMask) -> None:
        opposites = tuple(-literal for literal in dict.fromkeys(literals))
        if not any(-literal in opposites for literal in opposites):
            self._add(Clause(opposites, bit))

    def _new_atom(self) -> Literal:
        self._last_atom += 1
        return Literal(self._last_atom)

    def _name_sum(self, body: Body, reached: bool) -> Literal:
        """A new literal that holds if and only if the sum reaches its bound, or does not."""
        atom = self._new_atom()
        self._add_reached((atom,), body, NO_RULES)
        self._add_below((-atom,), body, NO_RULES)
        return atom if reached else -atom

    def _add_reached(self, conditions: tuple[Literal, ...], body: Body, bit: RuleMask) -> None:
        weights = body.weights or ()
        if body.bound == 1 or all(weight >= body.bound for weight in weights):
            self._add(Clause((*(-each for each in conditions), *body.literals), bit))
        else:
            self._add(Sum(conditions, body.literals, weights, body.bound, None, bit))

    def _add_below(self, conditions: tuple[Literal, ...], body: Body, bit: RuleMask) -> None:
        """Add the constraint that the sum stays below its bound if the conditions hold."""
        weights = body.weights or ()
        if body.bound == 2 and set(weights) == {1} and not conditions:
            self._add(AtMostOne(body.literals, bit))
        elif all(weight >= body.bound for weight in weights):
            for literal in body.literals:
                self._add(Clause((*(-each for each in conditions), -literal), bit))
        else:
            self._add(Sum(conditions, body.literals, weights, None, body.bound - 1, bit))

    def _define(self, atom: Literal) -> None:
        """Add the completion of an atom: it holds if and only if the body of a rule does."""
        if atom in self.facts or atom not in self._supports:
            return
        for body in self._definitions[atom]:
            if body.weights is None:
                rest = (-literal for literal in body.literals if literal not in self.facts)
                self._add(Clause((atom, *rest), NO_RULES))
            else:
                self._add_below((-atom,), body, NO_RULES)
        supports = self._supports[atom]
        if Body(()) not in supports:
            self._add(Clause((-atom, *map(self._name, supports)), NO_RULES))

    def _name(self, body: Body) -> Literal:
        if body.weights is not None:
            return self._name_sum(body, True)
        if len(body.literals) == 1:
            return body.literals[0]
        atom = self._new_atom()
        for literal in body.literals:
            self._add(Clause((-atom, literal), NO_RULES))
        self._add(Clause((atom, *(-literal for literal in body.literals)), NO_RULES))
        return atom


def _with_distinct_literals(total: Body) -> Body:
    """A literal may occur several times, each for another tuple of the aggregate."""
    weights: dict[Literal, int] = defaultdict(int)
    for literal, weight in zip(total.literals, total.weights or (), strict=True):
        weights[literal] += weight
    return Body(tuple(weights), tuple(weights.values()), total.bound)


def _merged(sums: Iterable[Sum]) -> list[Sum]:
    merged: dict[Sum, Sum] = {}
    for each in sums:
        key = each._replace(least=None, most=None)
        both = each, merged.get(key, each)
        least = max((bound.least for bound in both if bound.least is not None), default=None)
        most = min((bound.most for bound in both if bound.most is not None), default=None)
        merged[key] = key._replace(least=least, most=most)
    return list(merged.values())
