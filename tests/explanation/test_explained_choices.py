"""Puzzles of rules that make choices or retract default rules: every forced claim is explained,
with a message for each cited rule.
"""

from random import Random

import pytest
from choice_semantics import VARIANTS

from aspdoku.engine import Solver
from aspdoku.explanation.explainer import Explainer
from aspdoku.program import compose

# Brute force takes long for these.
NAMES = [
    pytest.param(name, marks=pytest.mark.slow if name in ("indexers", "suguru") else ())
    for name in sorted(VARIANTS)
]


def puzzle_of(name):
    """A puzzle with random facts, and most numbers of a solution as givens."""
    variant = VARIANTS[name]
    for seed in range(30):
        rng = Random(f"{name} {seed} explained")
        facts = variant.example(rng, variant.size)
        solutions = sorted(variant.solutions(variant.size, facts))
        if solutions:
            grid = rng.choice(solutions)
            kept = set(
                rng.sample(
                    [(r, c) for r in range(variant.size) for c in range(variant.size)],
                    variant.size**2 // 2,
                )
            )
            shown = tuple(
                tuple(n if (r, c) in kept else None for c, n in enumerate(row))
                for r, row in enumerate(grid)
            )
            return variant.puzzle(facts).replace(grid=shown)
    raise AssertionError(f"no facts made for {name} have a solution")


@pytest.mark.slow_cases(
    "chaos-construction", "either", "liar", "path", "path-room", "path-whispers", "schroedinger"
)
@pytest.mark.parametrize("name", NAMES)
def test_a_game_with_choices_is_explained(name):
    program = compose(puzzle_of(name), name, without=VARIANTS[name].without)
    assert Solver(program).search(1).count() == 1
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
