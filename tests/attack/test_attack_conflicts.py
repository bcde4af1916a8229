"""`conflict` and `redundant` against the oracle, over random puzzles under all bundled rules."""

from collections import defaultdict

from checker import Checker
from random_puzzles import grids_satisfying, random_puzzle
from seeds import blocks

from aspdoku.engine.redundancy import find_redundancies
from aspdoku.explanation.conflict import ConflictExplanation, explain_conflict

STATUS = ("none", "unique", "several")


@blocks(fast=8, long=1, size=60)
def test_the_conflicts_and_repairs_are_correct(block):
    for rng in block.cases():
        puzzle = random_puzzle(rng)
        givens = puzzle.some_givens(rng, 2, 7)
        r, c, n = givens.pop(rng.randrange(len(givens)))
        givens.append((r, c, n % puzzle.size + 1))
        found = explain_conflict(puzzle.program(givens))
        if puzzle.with_givens(givens):
            assert found == ConflictExplanation("none")
            continue
        if not puzzle.solutions:
            assert found.cause in ("rules", "unguarded", "impossible")
            assert found.repairs == ()
            continue
        assert found.cause in ("givens", "impossible")
        assert found.conflicts
        checker = Checker(puzzle.program(), one_number=True)
        for conflict in found.conflicts:
            conflicting = [claim[:3] for claim in conflict.givens]
            assert set(conflicting) <= set(givens)
            assert not puzzle.with_givens(conflicting)
            assert checker.is_conflict(conflict.rules, conflict.givens)
            if not all(checker.is_conflict([rule], conflict.givens) for rule in conflict.rules):
                assert all(puzzle.with_givens(set(conflicting) - {given}) for given in conflicting)
        repairs = {given for given in givens if puzzle.with_givens(set(givens) - {given})}
        assert {claim[:3] for claim in found.repairs} == repairs


@blocks(fast=6, long=1, size=40)
def test_redundant_items_agree_with_the_oracle(block):
    for rng in block.cases():
        puzzle, givens = uniquely_solvable(rng)
        only = puzzle.with_givens(givens)
        for item in find_redundancies(puzzle.program(givens)):
            if item.kind == "given":
                (fact,) = item.facts
                assert item.status == status(
                    puzzle.with_givens(set(givens) - {fact.arguments}), only
                ), item
            elif item.kind == "rule" and (item.name in puzzle.names or item.name == "box"):
                names = [name for name in puzzle.names if name != item.name]
                boxes = item.name != "box" and not puzzle.without
                assert item.status == status(among(names, boxes, puzzle.facts, givens), only), item
            elif item.kind == "clue" and (left := without(puzzle, item.facts)) is not None:
                assert item.status == status(
                    among(puzzle.names, not puzzle.without, left, givens), only
                ), item


def uniquely_solvable(rng):
    """A puzzle with one solution, with givens added until there is just one."""
    puzzle = random_puzzle(rng)
    while not puzzle.solutions:
        puzzle = random_puzzle(rng)
    every = puzzle.some_givens(rng, puzzle.size**2, puzzle.size**2)
    rng.shuffle(every)
    fewest = next(
        count for count in range(len(every) + 1) if len(puzzle.with_givens(every[:count])) == 1
    )
    return puzzle, every[: fewest + rng.randint(0, 2)]


def status(found, only):
    return "another" if len(found) == 1 and found != only else STATUS[min(2, len(found))]


def among(names, boxes, facts, givens):
    grids = grids_satisfying(names, boxes, facts)
    return {grid for grid in grids if all(grid[r - 1][c - 1] == n for r, c, n in givens)}


def without(puzzle, facts):
    """The facts without those of a clue; None if a predicate would have no facts left."""
    left = defaultdict(list, {name: [*each] for name, each in puzzle.facts.items()})
    for fact in facts:
        left[fact.name].remove(fact.arguments)
    if any(not left[fact.name] for fact in facts):
        return None
    return left
