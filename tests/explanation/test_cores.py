"""Minimal sets of givens and clues: each is checked with puzzles that have only these."""

from dataclasses import replace
from itertools import pairwise, product
from random import Random

import oracle
import pytest

import aspdoku
from aspdoku import Solver, compose
from aspdoku.engine.clues import clues
from aspdoku.explanation import cores
from aspdoku.explanation.cores import CoreFinder, with_cores
from aspdoku.explanation.steps import CitedRule, Claim, Conflict, Reason, Step
from aspdoku.puzzle import Function, Solution
from aspdoku.questions.explain import relevant_steps_text
from aspdoku.questions.steps import step_lines, wrapped_lines
from aspdoku.runtime.deadline import Deadline

PUZZLES = {
    "classic": ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n",
    "killer": """\
with: killer
. . . .
. . . 4
. . . .
1 . . .
[cage]
A A B .
. . B .
E C C .
E . . D
A = 7
B = 4
C = 5
D = 3
E = 5
""",
    "thermo": """\
with: thermo
. . . .
. . . .
3 . . .
. . . .
[facts]
thermo(1,1,1,1). thermo(1,2,1,2). thermo(1,3,1,3). thermo(1,4,1,4). thermo(2,1,3,4).
thermo(2,2,2,4).
""",
    "chain": """\
with: chain
without: box
. . . 4
1 . . .
. . 2 .
. . . .
[chain]
A B B B
A A A B
C C C D
C D D D
""",
}


FEW_SOLUTIONS = [
    "1 2 3 4\n3 4 . .\n2 . . .\n. . . .\n",
    """\
with: killer
. . . .
. . . .
. . . .
. . . .
[cage]
A A . .
. . . .
E C C .
E . . D
A = 7
C = 5
D = 3
E = 5
""",
    PUZZLES["chain"].replace(". . 2 .", ". . . ."),
]


def program_with(puzzle, core):
    """The puzzle with these givens and clues only."""
    given = {claim[:2]: claim.number for claim in core.givens}
    kept = {fact for clue in core.clues for fact in clue.facts}
    dropped = {fact for clue in clues(compose(puzzle)) for fact in clue.facts} - kept
    span = range(1, puzzle.size + 1)
    grid = tuple(tuple(given.get((r, c)) for c in span) for r in span)
    facts = tuple(fact for fact in puzzle.facts if fact not in dropped)
    return compose(puzzle.replace(grid=grid, facts=facts))


def entails(puzzle, core, claim):
    opposite = Function("a", claim[:3]), not claim.holds
    return Solver(program_with(puzzle, core)).search(1, [opposite]).count() == 0


@pytest.mark.slow_cases("killer-500")
@pytest.mark.parametrize(("name", "conflicts"), [*product(PUZZLES, ["500"]), ("chain", "0")])
def test_a_core_entails_its_claim_and_is_minimal(name, conflicts, monkeypatch):
    """Also if each search is one that takes longer with clues that are assumptions."""
    monkeypatch.setattr(cores, "_SHORT", conflicts)
    puzzle = aspdoku.parse(PUZZLES[name])
    finder = CoreFinder(compose(puzzle), Deadline(None))
    candidates = aspdoku.candidates(puzzle).candidates
    claims = [
        Claim(r, c, n, len(numbers) == 1)
        for r, row in enumerate(candidates, 1)
        for c, numbers in enumerate(row, 1)
        for n in range(1, 5)
        if (n in numbers) == (len(numbers) == 1)
    ]
    assert len(claims) > 6
    for claim in claims[::8]:
        core = finder.minimal(finder.items, claim)
        assert entails(puzzle, core, claim)
        for item in core.givens:
            fewer = core._replace(givens=tuple(each for each in core.givens if each != item))
            assert not entails(puzzle, fewer, claim)
        for item in core.clues:
            fewer = core._replace(clues=tuple(each for each in core.clues if each != item))
            assert not entails(puzzle, fewer, claim)


@pytest.mark.parametrize("seed", range(6))
def test_givens_are_left_out_in_their_order(seed):
    """As if each group in turn was removed where the rest has no other solution."""
    random = Random(seed)
    puzzle = aspdoku.parse(PUZZLES["classic"])
    solution = aspdoku.solve(puzzle).solutions[0]
    finder = CoreFinder(compose(puzzle), Deadline(None))
    full = [Claim(*cell, number, True) for cell, number in solution.numbers().items()]
    items = list(dict.fromkeys([*finder.items, *full]))
    random.shuffle(items)
    groups = [tuple(items[place : place + 2]) for place in range(0, len(items), 2)]
    kept = groups.pop()
    left = groups.copy()
    for group in groups:
        rest = [*kept, *(item for other in left if other != group for item in other)]
        if Solver(program_with(puzzle, Conflict(tuple(rest), ()))).search(2).count() == 1:
            left.remove(group)
    seen = []
    assert set(finder.reduced(groups, kept, solution, seen.append)) == {*left}
    assert {*seen[-1]} == {*left}
    assert all(set(later) <= set(earlier) for earlier, later in pairwise(seen))


def test_a_claim_that_does_not_follow_has_no_core():
    finder = CoreFinder(compose(aspdoku.parse("1...\n....\n....\n....")), Deadline(None))
    assert finder.minimal(finder.items, Claim(2, 3, 1, True)) is None
    assert finder.minimal(finder.items) is None


@pytest.mark.parametrize("text", FEW_SOLUTIONS)
def test_the_other_solution_that_differs_most(text):
    """All are compared, since there are at most five others. A grid that is none has no
    differences.
    """
    puzzle = aspdoku.parse(text)
    grids = oracle.solutions(*oracle.read(text), limit=9)
    assert 3 <= len(grids) <= 6
    finder = CoreFinder(compose(puzzle), Deadline(None))
    for grid in grids:
        found = finder.differences(finder.items, Solution(puzzle, tuple(map(tuple, grid))))
        others = [changed(grid, other) for other in grids if other != grid]
        assert found in others
        assert len(found) == max(map(len, others))
    wrong = Solution(puzzle, tuple(tuple(row[::-1]) for row in grids[0]))
    assert finder.differences(finder.items, wrong) is None


def changed(grid, other):
    cells = product(range(1, 5), repeat=2)
    return {(r, c) for r, c in cells if grid[r - 1][c - 1] != other[r - 1][c - 1]}


@pytest.mark.parametrize("text", FEW_SOLUTIONS)
def test_whether_a_solution_is_unique_with_some_of_the_givens(text):
    puzzle = aspdoku.parse(text)
    for grid in oracle.solutions(*oracle.read(text), limit=9):
        solved = puzzle.replace(grid=tuple(map(tuple, grid)))
        solution = Solution(solved, solved.grid)
        finder = CoreFinder(compose(solved), Deadline(None))
        givens = [item for item in finder.items if isinstance(item, Claim)]
        every_clue = [item for item in finder.items if item not in givens]
        for count in range(17):
            sample = Random(count).sample(givens, count)
            kept, cells = [*every_clue, *sample], {item[:2] for item in sample}
            rows = [
                [n if (r, c) in cells else None for c, n in enumerate(row, 1)]
                for r, row in enumerate(grid, 1)
            ]
            others = oracle.solutions(rows, oracle.read(text)[1], limit=2)
            assert finder.is_unique(kept, solution) == (others == [grid])


def test_a_unique_solution_has_no_differences():
    puzzle = aspdoku.parse(PUZZLES["classic"])
    ((*rows,),) = oracle.solutions([list(row) for row in puzzle.grid], oracle.CLASSIC, limit=2)
    solution = Solution(puzzle, tuple(map(tuple, rows)))
    finder = CoreFinder(compose(puzzle), Deadline(None))
    assert finder.differences(finder.items, solution) == set()


def test_only_reasons_without_a_proof_get_a_core():
    program = compose(aspdoku.parse(PUZZLES["classic"]))
    explanation = aspdoku.explain(program)
    first = explanation.steps[0]
    rules = tuple(CitedRule(each, ()) for each in [*explanation.data.cells][:2])
    claim = Claim(3, 2, 3, True)

    def closing(*steps):
        return replace(explanation, data=explanation.data._replace(steps=steps)).closing()

    opaque = Step(2, "place", (Reason((claim,), rules, (), None),), ())
    plain, found = with_cores([first, opaque], program, Deadline(None))
    assert plain == first
    assert found.reasons[0].core.givens
    assert entails(program.puzzle, found.reasons[0].core, claim)
    words = ", ".join(map(str, found.reasons[0].core.givens))
    assert wrapped_lines(step_lines(found)).startswith(
        f"  2. {claim}: 2 rules together, proved by clingo"
    )
    for text in (wrapped_lines(step_lines(found)), relevant_steps_text(claim, [found])):
        assert f"it follows from {words}" in text
    assert "follows from" not in wrapped_lines(step_lines(opaque))
    assert closing(first, opaque).endswith(
        "1 step proved by clingo only: --clues lists givens and clues that suffice"
    )
    assert "--clues" not in closing(first, found)
    (late,) = with_cores([opaque], program, Deadline(0))
    assert late.reasons[0].core is None
