"""A ground program with its at-most-one constraints as binary clauses, for many searches.

In the base program, a cell holds exactly one number, and a number occurs once in each row. gringo
makes cardinality constraints of that; clasp attaches each of them, and variables for its parts,
anew in every search, which takes longer than to solve an easy puzzle. Binary clauses are edges of a
graph that is kept between the searches, which makes these faster (bench/batch.py).

Only integrity constraints are rewritten. In every answer set, an auxiliary atom of gringo that is
the head of a single rule is equivalent to the body of this rule (Clark's completion), and may be
replaced by it: `:- not h` with `h :- b, c` by `:- not b` and `:- not c`, and `:- h` with
`h :- 2 { b; c; d }` by `:- b, c`, `:- b, d` and `:- c, d`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from clingo import Control

from aspdoku.engine.grounding import ReportedRule, RuleCollector

# A constraint that takes more clauses is kept. These are the pairs of 16 cells.
_MOST_CLAUSES = 120

Body = tuple[int, ...]


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

    def external(self, atom: int, value: object) -> None:
        """An external atom."""
        self.complete = False

    def heuristic(self, *_: object) -> None:
        """A directive for the search."""
        self.complete = False

    def acyc_edge(self, *_: object) -> None:
        """An edge of a graph that must not have cycles."""
        self.complete = False

    def theory_atom(self, *_: object) -> None:
        """An atom of a theory."""
        self.complete = False


def load(
    control: Control, program: ProgramCollector, named: set[int], needed: set[int]
) -> dict[int, int]:
    """Load a program with binary clauses into a new control; its atoms by those of the program.

    named: the atoms that have a name
    needed: those of them that the caller uses
    """
    weighed = {literal for _, weights in program.minimized for literal, _ in weights}
    used = weighed.union(program.projected, needed)
    rules, constraints = _rewritten(program.rules, named, used)
    used.update(each for body in constraints for each in body)
    for rule in rules:
        used.update(rule.head)
        used.update(literal for literal, _ in rule.body)
    with control.backend() as backend:
        atoms = {atom: backend.add_atom() for atom in sorted(set(map(abs, used)))}
        new = atoms | {-atom: -number for atom, number in atoms.items()}
        for constraint in constraints:
            backend.add_rule([], [new[each] for each in constraint])
        for rule in rules:
            head = [new[each] for each in rule.head]
            if rule.bound is None:
                backend.add_rule(head, [new[each] for each, _ in rule.body], rule.choice)
            else:
                body = [(new[each], weight) for each, weight in rule.body]
                backend.add_weight_rule(head, rule.bound, body, rule.choice)
        for priority, weights in program.minimized:
            backend.add_minimize(priority, [(new[each], weight) for each, weight in weights])
        backend.add_project([new[each] for each in program.projected])
    return atoms


def _rewritten(
    rules: list[ReportedRule], named: set[int], used: set[int]
) -> tuple[list[ReportedRule], list[Body]]:
    """The rules, without definitions that are not used now, and the rewritten constraints.

    named: atoms with a name, the definitions of which are kept
    used: literals outside of rules
    """
    expander = _Expander(rules, named)
    own = named - expander.facts
    kept: list[ReportedRule] = []
    constraints: list[Body] = []
    definitions: dict[int, list[ReportedRule]] = {}
    for rule in rules:
        if not rule.head and not rule.choice and rule.bound is None:
            constraints += expander.expanded(tuple(literal for literal, _ in rule.body))
        elif rule.choice or len(rule.head) != 1 or rule.head[0] in own:
            kept.append(expander.without_facts(rule))
        else:
            definitions.setdefault(rule.head[0], []).append(rule)
    for literal in used.union(*constraints):
        kept += map(expander.without_facts, definitions.pop(abs(literal), ()))
    for rule in kept:  # grows in this loop
        for literal, _ in rule.body:
            kept += map(expander.without_facts, definitions.pop(abs(literal), ()))
    return kept, constraints


class _Expander:
    """Replaces auxiliary atoms in the bodies of integrity constraints by their definitions."""

    def __init__(self, rules: list[ReportedRule], named: set[int]) -> None:
        heads = Counter(atom for rule in rules for atom in rule.head)
        single = {
            rule.head[0]: rule
            for rule in rules
            if not rule.choice and len(rule.head) == 1 and heads[rule.head[0]] == 1
        }
        self.facts = {atom for atom, rule in single.items() if rule.bound is None and not rule.body}
        self._definitions = {
            atom: rule
            for atom, rule in single.items()
            if atom not in named and atom not in self.facts
        }

    def without_facts(self, rule: ReportedRule) -> ReportedRule:
        if rule.bound is not None:
            return rule
        return rule._replace(body=tuple(each for each in rule.body if each[0] not in self.facts))

    def expanded(self, body: Body) -> list[Body]:
        """The bodies of constraints that are equivalent to the one with this body, together."""
        facts, definitions = self.facts, self._definitions
        if not facts.isdisjoint(-literal for literal in body):
            return []
        body = tuple(literal for literal in body if literal not in facts)
        done: list[Body] = []
        open_ = [body]
        while open_:
            current = open_.pop()
            for place, literal in enumerate(current):
                rule = definitions.get(abs(literal))
                if rule and (alternatives := _alternatives(literal, rule)):
                    rest = current[:place] + current[place + 1 :]
                    bodies = [rest + each for each in alternatives]
                    atoms = {abs(each) for each in rest}.union(abs(each) for each, _ in rule.body)
                    (open_ if atoms & definitions.keys() else done).extend(bodies)
                    break
            else:
                done.append(current)
            if len(done) + len(open_) > _MOST_CLAUSES + 1:
                return [body]
        return done


def _alternatives(literal: int, rule: ReportedRule) -> list[Body]:
    """Conjunctions of which one holds if and only if the literal does; none if there are too many.

    rule: the only rule whose head contains the atom
    """
    literals = tuple(each for each, _ in rule.body)
    if rule.bound is None:
        return [literals] if literal > 0 else [(-each,) for each in literals]
    if any(weight != 1 for _, weight in rule.body):
        return []
    if literal < 0:
        return [tuple(-each for each in literals)] if rule.bound == 1 else []
    return list(combinations(literals, rule.bound)) if rule.bound in (1, 2) else []
