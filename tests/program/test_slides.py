"""The slides' own wording has the solutions that ours has: on every instance, and on every grid of a small size."""

import corpus
import pytest

from aspdoku import Puzzle, Solver
from aspdoku.program import join, library

WORDINGS = {
    "offset": ["offset-aggregate", "offset-pairwise"],
    "anti-knight": ["anti-knight-eight-rules", "anti-knight-distance"],
    "greater-than": ["greater-than"],
}
FUSED = {"base", "box"}  # what the slides' base says at once


def ours(name):
    return library.base() if name == "base" else library.find(name)


def slides(name):
    return library.bundled(f"slides/{name}.lp")


def all_solutions(puzzle, rules, limit):
    search = Solver(join(puzzle.but(elaborations=()), rules)).search(limit)
    return {solution.rows for solution in search}, search.ended


@pytest.mark.parametrize("path", [path for path, _ in corpus.INSTANCES], ids=lambda path: path.stem)
def test_slides_base_solves_every_instance_as_ours_does(path):
    puzzle = Puzzle.read(path)
    if not puzzle.givens():
        pytest.skip("a grid without givens: its solutions are too many to compare")
    others = [ours(name) for name in puzzle.elaborations]
    mine = all_solutions(puzzle, [ours("base"), ours("box"), *others], 10)
    theirs = all_solutions(puzzle, [slides("base"), *others], 10)
    assert mine == theirs
    assert mine[1] == "complete"
    assert len(mine[0]) == 1


@pytest.mark.parametrize(("name", "wording"), [(name, wording) for name, ones in WORDINGS.items() for wording in ones])
@pytest.mark.parametrize("path", [path for path, _ in corpus.INSTANCES], ids=lambda path: path.stem)
def test_slides_elaborations_have_our_solutions_on_every_instance(path, name, wording):
    puzzle = Puzzle.read(path)
    if not puzzle.givens() and name not in puzzle.elaborations:
        pytest.skip("without givens and under another rule, its solutions are too many to compare")
    others = [ours(other) for other in puzzle.elaborations if other != name]
    mine = all_solutions(puzzle, [ours("base"), ours("box"), *others, ours(name)], 10)
    theirs = all_solutions(puzzle, [ours("base"), ours("box"), *others, slides(wording)], 10)
    assert mine == theirs
    assert mine[1] == "complete"


INEQUALITIES = Puzzle.parse(". . . .\n" * 4 + "[facts]\ngt(1,1,1,2). gt(2,3,1,3). gt(4,1,4,2). gt(3,3,4,3).").facts


@pytest.mark.parametrize(("name", "wording"), [(name, wording) for name, ones in WORDINGS.items() for wording in ones])
def test_slides_elaborations_leave_the_same_4x4_grids(name, wording):
    puzzle = Puzzle.blank(4).but(facts=INEQUALITIES if name == "greater-than" else ())
    for frame in ([ours("base"), ours("box")], [slides("base")]):
        mine = all_solutions(puzzle, [*frame, ours(name)], 0)
        theirs = all_solutions(puzzle, [*frame, slides(wording)], 0)
        assert mine == theirs
        assert mine[1] == "complete"


@pytest.mark.parametrize("shape", [(2, 3), (3, 2)])
def test_slides_base_leaves_the_same_6x6_grids_under_a_first_row(shape):
    puzzle = Puzzle.parse("123456" + "." * 12 + "561234"[::-1] + "." * 12).but(box=shape)
    mine = all_solutions(puzzle, [ours("base"), ours("box")], 0)
    theirs = all_solutions(puzzle, [slides("base")], 0)
    assert mine == theirs
    assert mine[1] == "complete"
    assert len(mine[0]) > 1
