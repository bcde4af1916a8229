"""Puzzles of every elaboration: the explanation reaches every claim that is forced."""

from random import Random

import pytest
from rule_semantics import RULE_SEMANTICS
from sampling import one_in

from aspdoku.engine import Solver
from aspdoku.explanation.explainer import Explainer
from aspdoku.program import compose
from aspdoku.puzzle import Function, Puzzle

NAMES = sorted(RULE_SEMANTICS)


def puzzle_of(name):
    """Random facts, and three givens of a grid that satisfies the rule: 4x4, or 6x6 if no smaller
    grid does.
    """
    for seed in range(20):
        rng = Random(f"{name} {seed} explained")
        facts = RULE_SEMANTICS[name].example(rng, 4)
        blank = Puzzle.blank(4).replace(
            facts=tuple(Function(each, values) for each, all_ in facts.items() for values in all_)
        )
        solutions = [solution.rows for solution in Solver(compose(blank, name)).search(0)]
        if solutions:
            grid = rng.choice(solutions)
            kept = set(rng.sample([(r, c) for r in range(4) for c in range(4)], 3))
            shown = tuple(
                tuple(n if (r, c) in kept else None for c, n in enumerate(row))
                for r, row in enumerate(grid)
            )
            return blank.replace(grid=shown)
    return None


@pytest.mark.slow_cases(
    "between",
    "clone",
    "full-rank",
    "lunchbox",
    "pill-arrow",
    "region-sum-line",
    "same-values",
    "sandwich",
)
@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_an_elaboration_is_explained(name):
    puzzle = puzzle_of(name)
    if puzzle is None:
        pytest.skip("no grid of 4x4 keeps it")
    program = compose(puzzle, name)
    explainer = Explainer(program, 30)
    steps = list(explainer.steps())
    assert explainer.unexplained() == []
    words = {
        use.instance.words
        for step in steps
        for reason in (*step.reasons, *step.eliminations)
        for use in reason.rules
    }
    assert not any("{" in each or ".lp:" in each for each in words)
