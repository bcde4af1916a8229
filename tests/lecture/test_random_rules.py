"""Random rule files through everything that negates, rewrites or explains rules, against the
evaluator in tests/random_rules.py.

Nothing else here depends on a solver except the list of all 4x4 grids, which tests/test_oracle.py
checks.
"""

from functools import cache
from random import Random

import pytest
from random_rules import line_of, random_file, random_pair, satisfied_by, text, violations

from aspdoku import Puzzle, Solution, Solver, compose
from aspdoku.engine.candidates import candidates
from aspdoku.engine.dependence import find_redundancies
from aspdoku.engine.grounding import ground
from aspdoku.explanation.conflict import explain_conflict
from aspdoku.explanation.explainer import Explainer, counterexamples
from aspdoku.explanation.steps import Claim, relevant_steps
from aspdoku.lecture.changes import trace
from aspdoku.lecture.elaboration import elaborate
from aspdoku.lecture.equivalence import compare_rules, find_violations
from aspdoku.lecture.grading import Exercise, assess_in_process
from aspdoku.program import RuleFile, assemble, library
from aspdoku.program.lint import check

QUICK, LONG = range(1), [*range(1, 3), *range(1000, 1020)]
seeds = pytest.mark.parametrize(
    "seed", [*QUICK, *(pytest.param(seed, marks=pytest.mark.slow) for seed in LONG)]
)
SIDES = range(1, 5)
CELLS = [(r, c) for r in SIDES for c in SIDES]
VERDICTS = {
    "same": "right",
    "one stricter": "too strict",
    "two stricter": "too lax",
    "neither": "wrong",
}


@cache
def all_grids():
    return [solution.rows for solution in Solver(compose(Puzzle.blank(4))).search(0)]


def some_grids(rng):
    """Enough grids to distinguish a rule that forbids all or none of them from others."""
    return rng.sample(all_grids(), 12)


def rule(file, name="mine", rng=None):
    return RuleFile(name, f"{name}.lp", text(file, rng))


def expected_relation(one, two):
    kept = list(zip(satisfied_by(one, all_grids()), satisfied_by(two, all_grids()), strict=True))
    relations = {
        (False, False): "same",
        (True, False): "two stricter",
        (False, True): "one stricter",
        (True, True): "neither",
    }
    return relations[(True, False) in kept, (False, True) in kept]


def lines_and_cells(file, grid):
    return {(line_of(file, found.constraint), found.cells) for found in violations(file, grid)}


@seeds
def test_equal(seed, tmp_path):
    rng = Random(f"equal {seed}")
    files = random_pair(rng, some_grids(rng))
    one, two = (rule(file, name, rng) for file, name in zip(files, ("one", "two"), strict=True))
    assert all(each.severity == "warning" for each in (*check(one), *check(two)))
    expected = expected_relation(*files)
    comparison = compare_rules(one, two, [Puzzle.blank(4)])
    assert comparison.relation == expected
    for witness in comparison.witnesses:
        broken, kept = files if witness.violated == one else files[::-1]
        grid = witness.grid.rows
        assert (satisfied_by(broken, [grid]), satisfied_by(kept, [grid])) == ([False], [True])
        assert {
            (violation.line, violation.cells) for violation in witness.violations
        } == lines_and_cells(broken, grid)
    path = tmp_path / "one.lp"
    path.write_text(one.text)
    marked = assess_in_process(path, Exercise(two, "two", (Puzzle.blank(4),)))
    assert marked.verdict == VERDICTS[expected], marked.reason


@seeds
def test_violations(seed):
    """On grids that may violate the other rules, too."""
    rng = Random(f"breaches {seed}")
    file = random_file(rng, some_grids(rng), retractable=rng.random() < 0.5)
    for _ in range(3):
        grid = tuple(tuple(rng.randint(1, 4) for _ in range(4)) for _ in range(4))
        found = find_violations(rule(file), Solution(Puzzle.blank(4), grid))
        assert {(violation.line, violation.cells) for violation in found} == lines_and_cells(
            file, grid
        )
        without = violations(file, grid, frozenset({"mine"}))
        assert bool(
            find_violations(rule(file), Solution(Puzzle.blank(4), grid), without=["mine"])
        ) == bool(without)


def puzzle_of(rng, file):
    """A puzzle under a rule: some numbers of a grid that satisfies it, and all solutions."""
    kept = [
        grid
        for grid, keeps in zip(all_grids(), satisfied_by(file, all_grids()), strict=True)
        if keeps
    ]
    grid = rng.choice(kept)
    shown = set(rng.sample(CELLS, rng.randint(1, 6)))
    givens = tuple(
        tuple(grid[r - 1][c - 1] if (r, c) in shown else None for c in SIDES) for r in SIDES
    )
    solutions = [
        other for other in kept if all(other[r - 1][c - 1] == grid[r - 1][c - 1] for r, c in shown)
    ]
    return Puzzle(givens), solutions


def program_of(puzzle, *rules):
    return assemble(puzzle, [library.base(), library.find("box"), *rules])


def numbers_in(solutions):
    return tuple(
        tuple(tuple(sorted({grid[r - 1][c - 1] for grid in solutions})) for c in SIDES)
        for r in SIDES
    )


@seeds
def test_candidates(seed):
    rng = Random(f"candidates {seed}")
    file = random_file(rng, some_grids(rng))
    puzzle, solutions = puzzle_of(rng, file)
    found = candidates(program_of(puzzle, rule(file, rng=rng)), count_to=1000)
    assert found.possible == numbers_in(solutions)
    assert (found.counts.solutions, found.counts.exact) == (len(solutions), True)


@seeds
def test_elaborate(seed):
    rng = Random(f"elaborate {seed}")
    file = random_file(rng, some_grids(rng))
    report = elaborate(Puzzle.blank(4), [library.find("box"), rule(file, rng=rng)])
    step = report.steps[1]
    assert (step.counts[0].before, step.counts[0].after) == (
        288,
        sum(satisfied_by(file, all_grids())),
    )
    if step.forbidden is None:  # the random rule forbids nothing
        assert step.counts[0].after == 288
        return
    assert not satisfied_by(file, [step.forbidden.grid.rows])[0]
    if step.forbidden.violations:
        found = {(violation.line, violation.cells) for violation in step.forbidden.violations}
        assert found == lines_and_cells(file, step.forbidden.grid.rows)


@seeds
def test_explain(seed):
    """Each conclusion is true in every solution, everything forced is explained, and each forced
    claim has a reason.
    """
    rng = Random(f"explain {seed}")
    file = random_file(rng, some_grids(rng))
    puzzle, solutions = puzzle_of(rng, file)
    program = program_of(puzzle, rule(file, rng=rng))
    explainer = Explainer(program)
    claims = {
        claim
        for step in explainer.steps()
        for reason in (*step.reasons, *step.eliminations)
        for claim in reason.claims
    }
    possible = numbers_in(solutions)
    for row, column, number, holds in claims:
        assert all((grid[row - 1][column - 1] == number) == holds for grid in solutions)
    assert explainer.unexplained() == []
    forced = [
        (r, c, n, True)
        for r, c in CELLS
        for n in possible[r - 1][c - 1]
        if len(possible[r - 1][c - 1]) == 1
    ]
    asked = Claim(*rng.choice(forced))
    assert counterexamples(program, asked) is None
    if puzzle.grid[asked.row - 1][asked.column - 1] is None:
        assert relevant_steps(Explainer(program).steps_to(asked), asked)


@seeds
def test_redundant(seed):
    rng = Random(f"redundant {seed}")
    file = random_file(rng, some_grids(rng))
    kept = [
        grid
        for grid, keeps in zip(all_grids(), satisfied_by(file, all_grids()), strict=True)
        if keeps
    ]
    only = rng.choice(kept)
    shown = list(CELLS)
    for cell in rng.sample(CELLS, 12):
        fewer = [other for other in shown if other != cell]
        shown = fewer if solutions_with(kept, only, fewer) == [only] else shown
    extra = rng.choice(CELLS)
    shown = sorted({*shown, extra})
    givens = tuple(
        tuple(only[r - 1][c - 1] if (r, c) in shown else None for c in SIDES) for r in SIDES
    )
    for item in find_redundancies(program_of(Puzzle(givens), rule(file, rng=rng))):
        if item.kind == "given":
            left = solutions_with(kept, only, [cell for cell in shown if cell != item.cell])
            assert item.needed == (left != [only])
        elif item.name == "mine":
            assert item.needed == (solutions_with(all_grids(), only, shown) != [only])


def solutions_with(grids, only, cells):
    return [
        grid for grid in grids if all(grid[r - 1][c - 1] == only[r - 1][c - 1] for r, c in cells)
    ]


@seeds
def test_conflict(seed):
    rng = Random(f"conflict {seed}")
    file = random_file(rng, some_grids(rng))
    pairs = list(zip(all_grids(), satisfied_by(file, all_grids()), strict=True))
    kept = [grid for grid, keeps in pairs if keeps]
    broken = rng.choice([grid for grid, keeps in pairs if not keeps])
    shown = rng.sample(CELLS, rng.randint(4, 16))
    givens = tuple(
        tuple(broken[r - 1][c - 1] if (r, c) in shown else None for c in SIDES) for r in SIDES
    )
    found = explain_conflict(program_of(Puzzle(givens), rule(file, rng=rng)))
    assert (found.cause == "none") == bool(solutions_with(kept, broken, shown))
    if found.cause == "none":
        return
    for conflict in found.conflicts:
        assert not solutions_with(
            kept, broken, [(claim.row, claim.column) for claim in conflict.givens]
        )
    mending = {
        cell
        for cell in shown
        if solutions_with(kept, broken, [other for other in shown if other != cell])
    }
    assert {(claim.row, claim.column) for claim in found.repairs} == mending


@seeds
def test_traced_to_its_lines(seed):
    """The rules with line markers ground to those of the file."""
    rng = Random(f"marks {seed}")
    program = program_of(Puzzle.blank(4), rule(random_file(rng, some_grids(rng)), rng=rng))
    assert trace(program).program == ground(program)
