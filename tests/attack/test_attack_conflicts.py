"""`conflict` and `redundant` against the oracle, over random puzzles under all bundled rules."""

from collections import defaultdict

from checker import Checker
from clingo import Control
from random_puzzles import grids_satisfying, random_puzzle
from seeds import blocks

from aspdoku.engine.clues import Clue, clues
from aspdoku.engine.dependence import find_redundancies
from aspdoku.explanation.conflict import ConflictExplanation, explain_conflict

STATUS = ("none", "unique", "several")


@blocks(fast=3, long=2, size=60)
def test_the_conflicts_and_repairs_are_correct(block):
    for rng in block.cases():
        puzzle = random_puzzle(rng)
        givens = puzzle.some_givens(rng, 2, 7)
        r, c, n = givens.pop(rng.randrange(len(givens)))
        givens.append((r, c, n % puzzle.size + 1))
        known = []
        found = explain_conflict(puzzle.program(givens), on_improved=known.append)
        if puzzle.with_givens(givens):
            assert found == ConflictExplanation("none")
            assert known == []
            continue
        assert known[-1] == found
        every = clues(puzzle.program())
        check_sets(puzzle, every, known)
        check_rules(puzzle, found)
        check_clues_alone(puzzle, every, known[0])
        if not puzzle.solutions:
            assert found.cause in ("rules", "unguarded", "impossible")
            assert found.repairs == ()
            continue
        assert found.cause in ("givens", "impossible")
        assert found.conflicts
        for conflict in found.conflicts:
            assert {claim[:3] for claim in conflict.givens} <= set(givens)
        repairs = {given for given in givens if puzzle.with_givens(set(givens) - {given})}
        assert {claim[:3] for claim in found.repairs} == repairs


@blocks(fast=2, long=1, size=60)
def test_the_conflicts_of_clues_are_correct(block):
    """Up to four rules with random facts, which mostly contradict each other."""
    for rng in block.cases():
        puzzle = random_puzzle(rng, most=4)
        known = []
        found = explain_conflict(puzzle.program(), on_improved=known.append)
        assert bool(puzzle.solutions) == (found.cause == "none")
        every = clues(puzzle.program())
        check_sets(puzzle, every, known)
        check_rules(puzzle, found)
        if known:
            check_clues_alone(puzzle, every, known[0])
        for clue in found.clue_repairs:
            assert solvable(program_of(puzzle, every, [each for each in every if each != clue]))


def check_sets(puzzle, every, known):
    """Each set that was reported has no solution, whichever of the other clues hold, and nothing
    can be left out of a minimal one; the sets get smaller until one is minimal.
    """
    sizes = [len(each.conflicts[0].words) for each in known if not (each.minimal or each.is_hard)]
    assert sizes == sorted(set(sizes), reverse=True)
    minimal = [each.minimal for each in known]
    assert minimal == sorted(minimal)
    for found in known:
        for conflict in found.conflicts:
            items = [*conflict.givens, *conflict.clues]
            assert not solvable_with_others(puzzle, every, items)
            if found.minimal and found.cause != "impossible":
                for item in items:
                    others = [other for other in items if other != item]
                    assert solvable_with_others(puzzle, every, others)


def check_rules(puzzle, found):
    """The rules that are cited are rules of the puzzle, and contradict the givens."""
    if found.cause in ("givens", "rules"):
        checker = Checker(puzzle.program(), one_number=True)
        for conflict in found.conflicts:
            assert conflict.rules or found.is_deep
            if conflict.rules:
                assert checker.is_conflict(conflict.rules, conflict.givens)


def check_clues_alone(puzzle, every, first):
    """If clues fail alone, they are what is reported first."""
    if first.cause == "impossible" or not solvable_with_others(puzzle, every, []):
        return
    alone = [(clue,) for clue in every if not solvable_with_others(puzzle, every, [clue])]
    if alone:
        assert [conflict.clues for conflict in first.conflicts] == alone


def program_of(puzzle, every, items):
    """The program with these givens and clues only."""
    of_clues = {fact for clue in every for fact in clue.facts}
    kept = {fact for item in items if isinstance(item, Clue) for fact in item.facts}
    facts = defaultdict(list)
    for fact in puzzle.puzzle([]).facts:
        if fact not in of_clues or fact in kept:
            facts[fact.name].append(fact.arguments)
    givens = [item[:3] for item in items if not isinstance(item, Clue)]
    return puzzle._replace(facts=facts).program(givens)


def solvable_with_others(puzzle, every, items):
    """Whether there is a solution with these givens and clues, and any of the other clues."""
    others = [clue for clue in every if clue not in items]
    choices = [f"{{ other({number}) }}." for number in range(len(others))]
    facts = [
        f"{fact} :- other({number})." for number, clue in enumerate(others) for fact in clue.facts
    ]
    return solvable(program_of(puzzle, every, items), "\n".join([*choices, *facts]))


def solvable(program, more=""):
    """Whether plain clingo finds a solution of the printed program."""
    control = Control(["--eq=0"])
    control.add("base", [], f"{program.text}\n{more}")
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


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
