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
from itertools import combinations

from clingo import Control

from aspdoku.engine.grounding import Body, ProgramCollector, ReportedRule

# A constraint that takes more clauses is kept. These are the pairs of 16 cells.
_MOST_CLAUSES = 120

Conjunction = tuple[int, ...]


def load(
    control: Control, program: ProgramCollector, named: set[int], needed: set[int]
) -> dict[int, int]:
    """Load a program with binary clauses into a new control; its atoms by those of the program.
    `named` are the atoms that have a name, `needed` those that the caller uses.
    """
    weighed = {literal for _, weights in program.minimized for literal, _ in weights}
    used = weighed.union(program.projected, needed)
    rules, constraints = _rewritten(program.rules, named, used)
    used.update(*constraints)
    for _, head, body in rules:
        used.update(head, body.literals)
    with control.backend() as backend:
        atoms = {atom: backend.add_atom() for atom in sorted(set(map(abs, used)))}
        new = atoms | {-atom: -number for atom, number in atoms.items()}
        for constraint in constraints:
            backend.add_rule([], [new[each] for each in constraint])
        for choice, head, body in rules:
            heads, literals = [new[each] for each in head], [new[each] for each in body.literals]
            if body.weights is None:
                backend.add_rule(heads, literals, choice)
            else:
                weighted = list(zip(literals, body.weights, strict=True))
                backend.add_weight_rule(heads, body.bound, weighted, choice)
        for priority, weights in program.minimized:
            backend.add_minimize(priority, [(new[each], weight) for each, weight in weights])
        backend.add_project([new[each] for each in program.projected])
    return atoms


def _rewritten(
    rules: list[ReportedRule], named: set[int], used: set[int]
) -> tuple[list[ReportedRule], list[Conjunction]]:
    """The rules, without definitions that are not used now, and the rewritten constraints.
    Definitions of `named` atoms are kept; `used` are literals outside of rules.
    """
    expander = _Expander(rules, named)
    own = named - expander.facts
    kept: list[ReportedRule] = []
    constraints: list[Conjunction] = []
    definitions: dict[int, list[ReportedRule]] = {}
    for rule in rules:
        choice, head, body = rule
        if not head and not choice and body.weights is None:
            constraints += expander.expanded(body.literals)
        elif choice or len(head) != 1 or head[0] in own:
            kept.append(expander.without_facts(rule))
        else:
            definitions.setdefault(head[0], []).append(rule)
    for literal in used.union(*constraints):
        kept += map(expander.without_facts, definitions.pop(abs(literal), ()))
    for _, _, body in kept:  # grows in this loop
        for literal in body.literals:
            kept += map(expander.without_facts, definitions.pop(abs(literal), ()))
    return kept, constraints


class _Expander:
    """Replaces auxiliary atoms in the bodies of integrity constraints by their definitions."""

    def __init__(self, rules: list[ReportedRule], named: set[int]) -> None:
        heads = Counter(atom for _, head, _ in rules for atom in head)
        single = {
            head[0]: body
            for choice, head, body in rules
            if not choice and len(head) == 1 and heads[head[0]] == 1
        }
        self.facts = {atom for atom, body in single.items() if body == Body(())}
        own = named | self.facts
        self._definitions: dict[int, Body] = {
            atom: body for atom, body in single.items() if atom not in own
        }

    def without_facts(self, rule: ReportedRule) -> ReportedRule:
        choice, head, body = rule
        if body.weights is not None:
            return rule
        return choice, head, Body(tuple(each for each in body.literals if each not in self.facts))

    def expanded(self, body: Conjunction) -> list[Conjunction]:
        """The bodies of constraints that are equivalent to the one with this body, together."""
        facts, definitions = self.facts, self._definitions
        if not facts.isdisjoint(-literal for literal in body):
            return []
        body = tuple(literal for literal in body if literal not in facts)
        done: list[Conjunction] = []
        open_ = [body]
        while open_:
            current = open_.pop()
            for place, literal in enumerate(current):
                meaning = definitions.get(abs(literal))
                if meaning and (alternatives := _alternatives(literal, meaning)):
                    rest = current[:place] + current[place + 1 :]
                    bodies = [rest + each for each in alternatives]
                    atoms = {*map(abs, rest), *map(abs, meaning.literals)}
                    (open_ if atoms & definitions.keys() else done).extend(bodies)
                    break
            else:
                done.append(current)
            if len(done) + len(open_) > _MOST_CLAUSES + 1:
                return [body]
        return done


def _alternatives(literal: int, body: Body) -> list[Conjunction]:
    """Conjunctions of which one holds if and only if the literal does; none if there are too many.
    The body is that of the only rule whose head contains the atom.
    """
    literals = body.literals
    if body.weights is None:
        return [literals] if literal > 0 else [(-each,) for each in literals]
    if any(weight != 1 for weight in body.weights):
        return []
    if literal < 0:
        return [tuple(-each for each in literals)] if body.bound == 1 else []
    return list(combinations(literals, body.bound)) if body.bound in (1, 2) else []
