"""Random rule files through everything that negates, rewrites or explains rules; the referee is tests/random_rules.py.

Nothing here depends on the solver but the list of all grids of 4x4, which tests/test_oracle.py checks.
"""

from functools import cache
from random import Random

import pytest
from random_rules import keeping, line_of, random_file, random_pair, text, violations

from aspdoku import Puzzle, Solution, Solver, compose
from aspdoku.engine.candidates import candidates
from aspdoku.engine.redundancy import items
from aspdoku.lessons.breach import breaches
from aspdoku.lessons.conflict import conflict
from aspdoku.lessons.elaboration import elaborate
from aspdoku.lessons.equality import compare
from aspdoku.lessons.explanation import Explainer
from aspdoku.lessons.marking import Exercise, judge
from aspdoku.program import RuleFile, join, library
from aspdoku.program.check import check

QUICK, LONG = range(8), range(1000, 1400)
seeds = pytest.mark.parametrize("seed", [*QUICK, *(pytest.param(seed, marks=pytest.mark.slow) for seed in LONG)])
VERDICTS = {"same": "right", "one stricter": "too strict", "two stricter": "too lax", "neither": "wrong"}


@cache
def all_grids():
    return [solution.rows for solution in Solver(compose(Puzzle.blank(4))).search(0)]


def some_grids(chance):
    """Enough grids to tell a rule that forbids all of them, or none, from others."""
    return chance.sample(all_grids(), 12)


def rule(file, name="mine", chance=None):
    return RuleFile(name, f"{name}.lp", text(file, chance))


def expected_relation(one, two):
    kept = list(zip(keeping(one, all_grids()), keeping(two, all_grids()), strict=True))
    relations = {(False, False): "same", (True, False): "two stricter", (False, True): "one stricter", (True, True): "neither"}
    return relations[(True, False) in kept, (False, True) in kept]


def lines_and_cells(file, grid):
    return {(line_of(file, found.constraint), found.cells) for found in violations(file, grid)}


@seeds
def test_equal(seed, tmp_path):
    chance = Random(f"equal {seed}")
    files = random_pair(chance, some_grids(chance))
    one, two = (rule(file, name, chance) for file, name in zip(files, ("one", "two"), strict=True))
    assert [*check(one), *check(two)] == []
    expected = expected_relation(*files)
    comparison = compare(one, two, [Puzzle.blank(4)])
    assert comparison.relation == expected
    for witness in comparison.witnesses:
        broken, kept = files if witness.broken == one else files[::-1]
        grid = witness.grid.rows
        assert (keeping(broken, [grid]), keeping(kept, [grid])) == ([False], [True])
        assert {(breach.line, breach.cells) for breach in witness.breaches} == lines_and_cells(broken, grid)
    path = tmp_path / "one.lp"
    path.write_text(one.text)
    marked = judge(path, Exercise(two, "two", (Puzzle.blank(4),)))
    assert marked.verdict == VERDICTS[expected], marked.reason


@seeds
def test_breaches(seed):
    """In grids that need not keep to any rule of the game."""
    chance = Random(f"breaches {seed}")
    file = random_file(chance, some_grids(chance), retractable=chance.random() < 0.5)
    for _ in range(3):
        grid = tuple(tuple(chance.randint(1, 4) for _ in range(4)) for _ in range(4))
        found = breaches(rule(file), Solution(Puzzle.blank(4), grid))
        assert {(breach.line, breach.cells) for breach in found} == lines_and_cells(file, grid)
        without = violations(file, grid, frozenset({"mine"}))
        assert bool(breaches(rule(file), Solution(Puzzle.blank(4), grid), without=["mine"])) == bool(without)
