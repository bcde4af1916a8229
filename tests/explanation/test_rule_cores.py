"""Cores of rule instances: clingo decides on the model, encoded as a program, that they suffice and
that each is needed.
"""

import random
from itertools import islice
from pathlib import Path

import oracle
import pytest
from constraint_cases import BLANK, RULES, constraints_of, encoded, literals_of

import aspdoku
from aspdoku.explanation import explainer, rule_cores
from aspdoku.explanation.constraints import ConstraintModel, union_of

ROOT = Path(__file__).resolve().parents[2] / "instances"

# Sums, conditions and auxiliary atoms are among them.
NAMES = [
    *RULES,
    "a sum under a condition",
    "a sum between",
    "two aggregates",
    "a helper that is needed",
    "a count that is needed",
    "sums that must be equal",
]


def states(name):
    """Some literals of a solution, and others that follow from them or do not."""
    constraints, rng = constraints_of(name), random.Random(name)
    grids = oracle.solutions(BLANK.grid, RULES.get(name, oracle.CLASSIC))
    for _ in range(4):
        literals = literals_of(constraints, rng.choice(grids))
        known = set(rng.sample(literals, rng.randint(8, 30)))
        left = [each for each in literals if each not in known]
        yield constraints, known, rng.sample(left, 4)


@pytest.mark.parametrize("name", NAMES)
def test_a_core_suffices_and_each_of_its_rules_is_needed(name):
    found = 0
    for constraints, known, targets in states(name):
        for target in targets:
            answer = rule_cores.RuleCores(constraints, known).smallest([target])
            entailed = not encoded(name).possible([-target, *known], constraints.all_rules)
            assert (answer is not None) == entailed
            if answer:
                found += 1
                assert answer[0] == target
                rules = answer[1]
                assert not encoded(name).possible([-target, *known], rules)
                for place in range(rules.bit_length()):
                    if rules >> place & 1:
                        fewer = rules & ~(1 << place)
                        assert encoded(name).possible([-target, *known], fewer)
    assert found


@pytest.mark.slow
def test_steps_are_valid_if_searches_for_smaller_cores_are_not_decided(monkeypatch):
    """Searches with some of the rules are limited; here, nearly all of them come to the limit."""
    for module in (rule_cores, explainer):
        monkeypatch.setattr(module, "MOST_CONFLICTS", 1)
    explained = explainer.Explainer(aspdoku.compose(aspdoku.read(ROOT / "csp/escargot.txt")))
    model = ConstraintModel(explained.constraints.program)
    bits = {str(each.symbol): each.bit for each in model.instances}
    largest = 0
    for step in explained.steps():
        for reason in step.reasons:
            rules = sum(bits[str(cited.instance.symbol)] for cited in reason.rules)
            premises = [literal(model, claim) for claim in reason.premises]
            for claim in reason.claims:
                assert model.unsat_core([-literal(model, claim), *premises], rules) is not None
        largest = max(largest, step.size)
    assert explained.unexplained() == []
    assert largest > 200


def literal(model, claim):
    found = model.candidates[claim[:3]]
    return found if claim.holds else -found


DOUBLERS = """\
with: doublers, killer

. . . . . .
. . . . . .
. . . . . .
. . . . . .
. . . . . .
. . . . . .

[cage]
A A . . B B
C D D D . E
C . . . . E
C . . F . E
G . . F . H
G G G F . H
A = 12
B = 7
C = 12
D = 9
E = 11
F = 12
G = 11
H = 13
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["doublers", "double-arrow", "equal-sums"])
def test_premises_and_rules_entail_the_conclusion_if_a_check_is_limited(name):
    """In these puzzles, the last check of a core stops at its limit."""
    known = {"doublers": aspdoku.parse(DOUBLERS)}
    program = aspdoku.compose(known.get(name, ROOT / "made" / f"{name}.txt"))
    model = ConstraintModel(program)
    bits = {str(each.symbol): each.bit for each in model.instances}
    literals = model.candidates

    def literal(claim):
        return literals[claim[:3]] * (1 if claim.holds else -1)

    checked = 0
    for step in islice(explainer.Explainer(program, 60).steps(), 7):
        for reason in step.reasons:
            if len(reason.rules) > 1:
                rules = union_of(bits[str(use.instance.symbol)] for use in reason.rules)
                premises = [literal(each) for each in reason.premises]
                assert model.unsat_core([-literal(reason.claims[0]), *premises], rules)
                checked += 1
    assert checked
