"""Propagation with provenance: clingo checks that the cited rules alone entail each conclusion."""

import random
from functools import cache

import oracle
import pytest
from constraint_cases import BLANK, RULES, STUDENTS, constraints_of, encoded, grids, literals_of
from in_one_test import in_one_test
from sampling import one_in

import aspdoku
from aspdoku.explanation.propagation import Propagator
from aspdoku.explanation.propagation import derive as chain_of

NAMES = [*RULES, *STUDENTS]


@cache
def solutions_of(name):
    constraints = constraints_of(name)
    if name in RULES:
        found = oracle.solutions(BLANK.grid, RULES[name])
    else:
        found = [
            grid
            for grid in grids()
            if constraints.unsat_core(literals_of(constraints, grid), constraints.all_rules) is None
        ]
    return found


def states(name, count=2):
    """Propagators with some literals, positive and negative, of a solution or of another grid."""
    constraints = constraints_of(name)
    rng = random.Random(name)
    for number in range(count):
        pool = solutions_of(name) if number % 2 == 0 else grids()
        literals = literals_of(constraints, rng.choice(pool))
        propagator = Propagator(constraints)
        numbers = [literal for literal in literals if literal > 0]
        rest = [literal for literal in literals if literal < 0]
        propagator.assert_literals(
            rng.sample(numbers, rng.randint(0, 6)) + rng.sample(rest, rng.randint(0, 10))
        )
        yield constraints, propagator, rng


def unguarded_cell_rules(constraints):
    return (
        sum(each.bit for each in constraints.instances if each.guard.name == "base")
        if constraints.sums
        else 0
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_unit_consequences_follow_from_their_constraint_alone(name):
    for constraints, propagator, _ in states(name):
        known = sorted(propagator.known)
        for literal, constraint in list(propagator.unit_consequences()):
            rule = constraint.bit
            assert rule.bit_count() <= 1
            assert not encoded(name).possible([*known, *([-literal] if literal else [])], rule)
            if abs(literal) in constraints.candidates.values():
                assert (
                    constraints.unsat_core(
                        [-literal, *known], rule | unguarded_cell_rules(constraints)
                    )
                    is not None
                )


def is_consistent_closure(propagator):
    """Assert unit consequences until there are no more; return whether no constraint is
    violated.
    """
    while True:
        found = [literal for literal, _ in propagator.unit_consequences()]
        if 0 in found or any(-literal in found for literal in found):
            return False
        if not set(found) - propagator.known:
            return True
        propagator.assert_literals(found)


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_the_rules_of_a_refutation_suffice_and_are_below_the_bound(name):
    for constraints, propagator, rng in states(name):
        if rng.random() < 0.5 and not is_consistent_closure(propagator):
            continue
        known = sorted(propagator.known)
        everything = [
            sign for literal in constraints.candidates.values() for sign in (literal, -literal)
        ]
        left = [each for each in everything if abs(each) not in map(abs, known)]
        for supposed in rng.sample(left, min(12, len(left))):
            best = rng.choice((1, 2, 3, 5, 9, len(constraints.instances)))
            rules = propagator.refute(supposed, best)
            if rules is not None:
                assert rules.bit_count() < best
                assert not encoded(name).possible([supposed, *known], rules)


@pytest.mark.parametrize("name", NAMES)
def test_a_refutation_uses_only_the_rules_that_are_allowed(name):
    for constraints, propagator, rng in states(name):
        allowed = sum(each.bit for each in constraints.instances if rng.random() < 0.7)
        for supposed in rng.sample([*constraints.candidates.values()], 12):
            rules = propagator.refute(supposed, len(constraints.instances), allowed)
            assert rules is None or rules & ~allowed == 0


@in_one_test("name", NAMES)
def test_a_refutation_is_found_again_by_its_own_rules(name):
    """A looser size limit loses no refutation, and the rules of a refutation suffice by
    themselves.
    """
    for constraints, propagator, rng in states(name):
        if not is_consistent_closure(propagator):
            continue
        for supposed in rng.sample([*constraints.candidates.values()], 10):
            rules = propagator.refute(supposed, len(constraints.instances))
            if rules is not None and supposed not in propagator.known:
                again = propagator.refute(supposed, rules.bit_count() + 1, rules)
                assert again is not None
                assert again & ~rules == 0


def follow(name, propagator, chain, supposed, rules):
    """Check each inference of a derivation, including those of its cases; return the number of
    cases.
    """
    inferred = set(supposed)
    *links, last = chain.inferences
    for link in [*links, last]:
        assert set(link.antecedents) <= inferred
        assert set(link.premises) <= propagator.known
        assert link.rule & ~rules == 0
        ruled_out = [-link.literal] if link.literal else [-case for case, _ in chain.cases]
        assert not encoded(name).possible(
            [*link.antecedents, *link.premises, *ruled_out], link.rule
        )
        inferred.add(link.literal)
    assert all(link.literal for link in links)
    assert not last.literal
    return len(chain.cases) + sum(
        follow(name, propagator, inner, inferred | {case}, rules) for case, inner in chain.cases
    )


@in_one_test("name", NAMES)
def test_each_inference_follows_from_its_antecedents_and_premises(name):
    for constraints, propagator, rng in states(name):
        if not is_consistent_closure(propagator):
            continue
        for supposed in rng.sample([*constraints.candidates.values()], 12):
            rules = propagator.refute(supposed, len(constraints.instances))
            if rules is not None and abs(supposed) not in map(abs, propagator.known):
                assert (
                    follow(
                        name, propagator, chain_of(propagator, supposed, rules), {supposed}, rules
                    )
                    == 0
                )


@pytest.mark.slow_cases(
    "a choice of any number but two",
    "a choice over the grid",
    "a condition over two",
    "a custom choice",
    "a helper",
    "a sum under a condition",
    "a sum with a name",
    "extrema of many numbers",
    "simplified away",
    "three aggregates",
    "two aggregates, one negated",
    "two equal sums",
)
@pytest.mark.parametrize("name", NAMES)
def test_a_derivation_with_cases_follows_inference_by_inference(name):
    """For claims that clingo refutes, but propagation without case splits does not."""
    for constraints, propagator, rng in states(name, 4):
        if not is_consistent_closure(propagator):
            continue
        known = sorted(propagator.known)
        for supposed in rng.sample([*constraints.candidates.values()], 12):
            if (
                abs(supposed) in map(abs, known)
                or propagator.refute(supposed, len(constraints.instances) + 1) is not None
            ):
                continue
            core = constraints.unsat_core([supposed, *known], constraints.all_rules)
            chain = chain_of(propagator, supposed, constraints.all_rules)
            assert core or not chain
            if chain:
                assert follow(name, propagator, chain, {supposed}, constraints.all_rules) > 1


@in_one_test("name", NAMES)
def test_a_refutation_of_any_size_is_found_if_there_is_one(name):
    for constraints, propagator, rng in states(name):
        if not is_consistent_closure(propagator):
            continue
        for supposed in rng.sample([*constraints.candidates.values()], 10):
            if abs(supposed) not in map(abs, propagator.known):
                refutable = propagator.is_refutable(supposed)
                rules = propagator.refute(supposed, len(constraints.instances) + 1)
                assert refutable == (rules is not None)


@in_one_test("name", NAMES)
def test_what_follows_from_an_assumption_is_carried_on(name):
    """A propagator that is asked after each new literal answers like one that is asked once."""
    constraints = constraints_of(name)
    rng = random.Random(name)
    literals = literals_of(constraints, rng.choice(solutions_of(name)))
    asked = [
        sign
        for literal in rng.sample([*constraints.candidates.values()], 12)
        for sign in (literal, -literal)
    ]
    old, known = Propagator(constraints), []
    for _ in range(5):
        known += rng.sample(literals, 4)
        old.assert_literals(known)
        new = Propagator(constraints)
        new.assert_literals(known)
        if not (is_consistent_closure(old) and is_consistent_closure(new)):
            break
        for supposed in asked:
            if abs(supposed) not in map(abs, new.known):
                assert old.is_refutable(supposed) == new.is_refutable(supposed)
                limit = len(constraints.instances) + 1
                assert new.is_refutable(supposed) == (new.refute(supposed, limit) is not None)


@in_one_test("name", NAMES)
def test_refuted_cases_are_those_that_a_refutation_without_limit_finds(name):
    for constraints, propagator, rng in states(name):
        if not is_consistent_closure(propagator):
            continue
        known = {abs(each) for each in propagator.known}
        everything = [each for each in constraints.candidates.values() if each not in known]
        cases = rng.sample(everything, min(10, len(everything)))
        allowed = sum(each.bit for each in constraints.instances if rng.random() < 0.8)
        limit = len(constraints.instances) + 1
        holding = propagator.entailed_auxiliaries(allowed)
        assert propagator.refuted(cases, holding, allowed) == {
            case for case in cases if propagator.refute(case, limit, allowed) is not None
        }


@pytest.mark.parametrize("name", [*RULES, "a sum", "a helper", "two aggregates", "a count"])
def test_a_violated_rule_is_violated_by_its_conflict_literals(name):
    violated = 0
    for grid in random.Random(name).sample(grids(), 15):
        constraints = constraints_of(name)
        propagator = Propagator(constraints)
        propagator.assert_literals(literals_of(constraints, grid))
        for literal, constraint in list(propagator.unit_consequences()):
            if not literal:
                violated += 1
                literals = propagator.conflict_literals(constraint.bit)
                assert literals <= propagator.known
                assert not encoded(name).possible(literals, constraint.bit)
    assert violated


@pytest.mark.parametrize("name", RULES)
def test_unit_consequences_do_not_depend_on_the_order_of_assertions(name):
    constraints = constraints_of(name)
    literals = literals_of(constraints, solutions_of(name)[0])[::3]
    one, other = Propagator(constraints), Propagator(constraints)
    one.assert_literals(literals)
    for literal in reversed(literals):
        other.assert_literals([literal, literal])
    assert set(one.unit_consequences()) == set(other.unit_consequences())


def test_a_blank_grid_has_no_consequences_under_the_classic_rules():
    propagator = Propagator(constraints_of("box"))
    assert list(propagator.unit_consequences()) == []
    assert all(
        propagator.refute(literal, 9) is None
        for literal in constraints_of("box").candidates.values()
    )


@pytest.mark.slow_cases("killer", "thermo")
@pytest.mark.parametrize("example", ["killer", "sum-cage", "thermo"])
def test_searches_that_are_not_repeated_would_fail_again(monkeypatch, example):
    steps = aspdoku.explain(f"example:{example}").steps
    repeated = []
    monkeypatch.setattr(Propagator, "has_changed", lambda *_: repeated.append(1) or True)
    assert aspdoku.explain(f"example:{example}").steps == steps
    assert repeated
