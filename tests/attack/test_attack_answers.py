"""Solutions, counts, candidates and batch results of random puzzles against the oracles in plain
Python, under all bundled rules, with and without givens.
"""

from collections import Counter

from random_puzzles import random_puzzle, random_variant
from seeds import blocks

from aspdoku.engine import Solver
from aspdoku.engine.candidates import candidates
from aspdoku.engine.grids import GroundedGrid

STATUS = ("none", "unique", "several")


@blocks(fast=6, long=1, size=100)
def test_the_answers_agree_with_the_oracle(block):
    for rng in block.cases():
        puzzle = random_variant(rng) if rng.random() < 0.1 else random_puzzle(rng, 3)
        givens = puzzle.some_givens(rng, 0, 6)
        if givens and rng.random() < 0.3:
            r, c, _ = givens.pop()
            givens.append((r, c, rng.randint(1, puzzle.size)))
        expected = puzzle.with_givens(givens)
        program = puzzle.program(givens)
        status_is_right(program, expected)
        candidates_are_right(program, expected)
        verdict_is_right(puzzle.program(), givens, expected)


def status_is_right(program, expected):
    search = Solver(program).search(0)
    found = [solution.rows for solution in search]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert search.ended == "complete"
    assert (
        Solver(program, 60).search(0).count() == Solver(program).search(0).count() == len(expected)
    )
    search = Solver(program).search(2)
    assert len(list(search)) == min(2, len(expected))
    assert search.status == STATUS[min(2, len(expected))]


def candidates_are_right(program, expected):
    found = candidates(program, count_to=len(expected) + 1)
    size = program.puzzle.size
    cells = [(r, c) for r in range(size) for c in range(size)]
    held = {(r, c): [grid[r][c] for grid in sorted(expected)] for r, c in cells}
    assert found.ended == found.counting_ended == "complete"
    assert found.possible == tuple(
        tuple(tuple(sorted(set(held[r, c]))) for c in range(size)) for r in range(size)
    )
    assert found.unsatisfiable == (not expected)
    assert found.counts.solutions == len(expected)
    counts = {cell: Counter(numbers) for cell, numbers in held.items()}
    assert found.counts.counts == tuple(
        tuple(tuple(counts[r, c][n] for n in found.possible[r][c]) for c in range(size))
        for r in range(size)
    )
    alike = {}
    for (r, c), numbers in held.items():
        if len(set(numbers)) > 1:
            alike.setdefault(tuple(numbers), []).append((r + 1, c + 1))
    assert sorted(found.equal_cells) == sorted(
        tuple(group) for group in alike.values() if len(group) > 1
    )


def verdict_is_right(program, givens, expected):
    board = GroundedGrid(program)
    size = program.puzzle.size
    numbers = bytearray(size * size)
    for r, c, n in givens:
        numbers[(r - 1) * size + c - 1] = n
    answer = board.solve(bytes(numbers))
    assert answer.status == STATUS[min(2, len(expected))]
    if expected:
        assert (
            tuple(tuple(answer.numbers[r * size : (r + 1) * size]) for r in range(size)) in expected
        )
