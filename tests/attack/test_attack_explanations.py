"""Explanations of random puzzles, replayed by the independent checker: each conclusion follows from
the cited rule instances and earlier claims, and each forced claim is explained.
"""

from checker import Checker
from random_puzzles import random_puzzle
from seeds import blocks

import aspdoku
from aspdoku.explanation.explainer import Explainer, counterexamples
from aspdoku.explanation.steps import Claim
from aspdoku.program import compose


def solvable(rng, most):
    """A random puzzle with a solution, and random givens."""
    while True:
        puzzle = random_puzzle(rng, most)
        if puzzle.solutions:
            return puzzle, puzzle.some_givens(rng, 0, 6)


def claims_of(size):
    span = range(1, size + 1)
    return [
        Claim(r, c, n, holds) for r in span for c in span for n in span for holds in (True, False)
    ]


def true_in(claim, grids):
    """The grids in which the claim holds."""
    return {
        grid
        for grid in grids
        if (grid[claim.row - 1][claim.column - 1] == claim.number) == claim.holds
    }


def reason_groups(step):
    """The reasons of a step in order, with simultaneous ones grouped."""
    yield from ([mark] for mark in step.eliminations)
    yield list(step.reasons)


def cited(reason):
    return [use.instance for use in reason.rules]


def main_claim(reason):
    """The main claim of a reason; only this one has to follow from the listed premises alone."""
    return (
        reason.proof.assumption._replace(holds=not reason.proof.assumption.holds)
        if reason.proof
        else reason.claims[0]
    )


def test_the_checker_needs_the_cited_rules_and_what_is_known():
    program = compose(aspdoku.parse(".4..\n...4\n..2.\n1..."))
    checker = Checker(program, one_number=False)
    reasons = [
        reason
        for step in Explainer(program).steps()
        for reason in (*step.eliminations, *step.reasons)
    ]
    assert len(reasons) > 20
    for reason in reasons:
        assert checker.follows(reason.claims, cited(reason), reason.premises)
        assert not checker.follows(reason.claims, cited(reason)[1:], reason.premises)
        assert not checker.follows(reason.claims, cited(reason), reason.premises[1:])


@blocks(fast=3, long=1, size=40)
def test_every_conclusion_follows_from_the_cited_rules(block):
    for rng in block.cases():
        puzzle, givens = solvable(rng, 2)
        program = puzzle.program(givens)
        expected = puzzle.with_givens(givens)
        explainer = Explainer(program)
        checker = Checker(program, one_number=bool(explainer.constraints.sums))
        known = {Claim(*given, True) for given in givens}
        for step in explainer.steps():
            for reasons in reason_groups(step):
                for reason in reasons:
                    assert all(true_in(claim, expected) == expected for claim in reason.claims)
                    assert checker.follows(reason.claims, cited(reason), known), (
                        f"step {step.number}: {reason}"
                    )
                    assert checker.follows([main_claim(reason)], cited(reason), reason.premises), (
                        f"step {step.number}: {reason}"
                    )
                known |= {claim for reason in reasons for claim in reason.claims}
        placed = {claim[:2] for claim in known if claim.holds}
        forced = [claim for claim in claims_of(puzzle.size) if true_in(claim, expected) == expected]
        assert not [
            claim
            for claim in forced
            if claim not in known and (claim.holds or claim[:2] not in placed)
        ]


@blocks(fast=4, long=1, size=40)
def test_why_explains_forced_claims_and_shows_two_solutions_for_others(block):
    for rng in block.cases():
        puzzle, givens = solvable(rng, 2)
        expected = puzzle.with_givens(givens)
        claim = rng.choice([claim for claim in claims_of(puzzle.size) if true_in(claim, expected)])
        shown = counterexamples(puzzle.program(givens), claim)
        if true_in(claim, expected) != expected:
            assert shown.holds.rows in true_in(claim, expected)
            assert shown.fails.rows in expected - true_in(claim, expected)
            continue
        assert shown is None
        given_or_placed = {given[:2] for given in givens}
        steps = Explainer(puzzle.program(givens)).steps_to(claim)
        concluded = {
            each
            for step in steps
            for reason in (*step.eliminations, *step.reasons)
            for each in reason.claims
        }
        given_or_placed |= {each[:2] for each in concluded if each.holds}
        assert claim in concluded or claim[:2] in given_or_placed
