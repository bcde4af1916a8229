"""The program of the game "guess the rule", against the learner of the command line."""

from itertools import pairwise

import clingo
import pytest

import aspdoku
from aspdoku.lecture.learning import Learner, hypotheses
from aspdoku.puzzle import Puzzle
from aspdoku.web.game import game

GRIDS = ("1234 3412 2143 4321", "1234 3412 2341 4123", "1243 3421 2134 4312")


def answer_set(program):
    control = clingo.Control(["--eq=0"], logger=lambda *_: None)
    control.add(program)
    control.ground()
    with control.solve(yield_=True) as handle:
        for model in handle:
            return {str(atom) for atom in model.symbols(atoms=True)}
    return None


@pytest.mark.slow
@pytest.mark.parametrize("text", GRIDS)
def test_the_rules_that_a_grid_violates(text):
    found = game()
    grid = aspdoku.solve(text).solution
    facts = "".join(
        f"a({row},{column},{number})."
        for row, numbers in enumerate(grid.rows, 1)
        for column, number in enumerate(numbers, 1)
    )
    left = "".join(f"left({index})." for index in range(len(found["rules"])))
    atoms = answer_set(found["sizes"][0]["program"] + facts + left)
    space = hypotheses()
    fitting = Learner(Puzzle.blank(4), space).learn([grid], None, 0).rules
    broken = [index for index, rule in enumerate(space.rules) if rule not in fitting]
    assert {atom for atom in atoms if atom.startswith("broken(")} == {
        f"broken({index})" for index in broken
    }
    assert f"unbalance({abs(2 * len(broken) - len(space.rules))})" in atoms


NONCONSECUTIVE = "246315 513642 351426 624153 462531 135264"


@pytest.mark.slow
@pytest.mark.parametrize("swapped", [False, True])
def test_a_rule_with_a_word_of_the_vocabulary(swapped):
    """`nonconsecutive` is violated after the last rows change places, and not before."""
    rows = NONCONSECUTIVE.split()
    if swapped:
        rows[4:] = rows[:3:-1]
    grid = [[int(sign) for sign in line] for line in rows]
    pairs = [pair for line in (*grid, *zip(*grid, strict=True)) for pair in pairwise(line)]
    assert any(abs(one - other) == 1 for one, other in pairs) == swapped
    found = game()
    names = [rule["name"] for rule in found["rules"]]
    numbers = "".join(
        f"a({r},{c},{number})."
        for r, line in enumerate(grid, 1)
        for c, number in enumerate(line, 1)
    )
    atoms = answer_set(found["sizes"][1]["program"] + numbers)
    assert (f"broken({names.index('nonconsecutive')})" in atoms) == swapped


def test_the_rules_and_boards():
    found = game()
    space = hypotheses()
    assert [rule["text"] for rule in found["rules"]] == [rule.text for rule in space.rules]
    bundled = {rule["name"] for rule in found["rules"] if rule["bundled"]}
    assert {"anti-knight", "nonconsecutive"} <= bundled
    assert "learned" not in bundled
    assert [board["size"] for board in found["sizes"]] == [4, 6]
    assert all(board["drawing"]["above"] for board in found["sizes"])
