"""Steps that rest on a unique solution, in random puzzles under random rules, whose solutions are
all known: what is said to be exchangeable can be exchanged, and each conclusion holds.
"""

from random import Random

from random_puzzles import random_puzzle
from rule_semantics import cells_of
from seeds import blocks

from aspdoku.explanation.explainer import Explainer
from aspdoku.explanation.uniqueness import Uniqueness


def with_unique_solution(rng: Random):
    """A random puzzle, its solution, and givens without which it has more."""
    while True:
        puzzle = random_puzzle(rng, 2)
        if len(puzzle.solutions) > 1:
            break
    grid = rng.choice(sorted(puzzle.solutions))
    givens = []
    cells = rng.sample(cells_of(puzzle.size), puzzle.size**2)
    while len(puzzle.with_givens(givens)) > 1:
        r, c = cells.pop()
        givens.append((r, c, grid[r - 1][c - 1]))
    return puzzle, grid, givens


def exchanged(grid, rectangle):
    """The grid with the two numbers exchanged; None if a corner holds another number."""
    r, c, r1, c1, n, m = rectangle
    rows = [list(row) for row in grid]
    for row in (r, r1):
        for column in (c, c1):
            if rows[row - 1][column - 1] not in (n, m):
                return None
            rows[row - 1][column - 1] = n + m - rows[row - 1][column - 1]
    return tuple(map(tuple, rows))


@blocks(fast=25, long=2, size=100)
def test_what_is_exchangeable_can_be_exchanged_in_every_solution(block):
    tried = 0
    for rng in block.cases():
        puzzle, _, givens = with_unique_solution(rng)
        facts = Uniqueness(puzzle.program(givens)).program.puzzle.facts
        for fact in facts:
            if fact.name == "unique_rectangle":
                for grid in puzzle.solutions:
                    other = exchanged(grid, fact.arguments)
                    tried += other is not None
                    assert other is None or other in puzzle.solutions, (puzzle, givens, fact)
    assert tried


@blocks(fast=10, long=2, size=100)
def test_every_conclusion_holds_in_the_unique_solution(block):
    for rng in block.cases():
        puzzle, grid, givens = with_unique_solution(rng)
        for step in Explainer(puzzle.program(givens), unique=True).steps():
            for reason in (*step.eliminations, *step.reasons):
                for claim in reason.claims:
                    held = grid[claim.row - 1][claim.column - 1] == claim.number
                    assert held == claim.holds, (puzzle, givens, str(reason))
