"""Steps that rest on a unique solution: their names, by HoDoKu and by definition, and what cannot
be exchanged.
"""

import re
from itertools import product
from pathlib import Path

import clingo
import pytest

import aspdoku
from aspdoku import compose
from aspdoku.engine.solver import Solver
from aspdoku.errors import AspdokuError
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.explainer import StepFinder
from aspdoku.explanation.techniques import DEFINITIONS, UNIQUENESS
from aspdoku.explanation.uniqueness import Uniqueness
from aspdoku.program.library import find, rule_names

NINE = range(1, 10)
GRID = ".... .... .... ...."


def recorded():
    text = Path(__file__).with_name("hodoku_uniqueness.txt").read_text("utf-8")
    lines = [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]
    return [(name, puzzle, state.split(), conclusion) for name, puzzle, state, conclusion in lines]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "puzzle", "state", "conclusion"), recorded())
def test_a_step_of_a_puzzle_has_the_name_that_hodoku_gives_it(name, puzzle, state, conclusion):
    uniqueness = Uniqueness(compose(aspdoku.parse(puzzle)))
    model = ConstraintModel(uniqueness.program)
    literal = model.candidates
    known = []
    for r in NINE:
        for c in NINE:
            numbers = state[9 * r + c - 10]
            known += [-literal[r, c, n] for n in NINE if str(n) not in numbers]
            if len(numbers) == 1:
                known.append(literal[r, c, int(numbers)])
    gone = [tuple(map(int, each)) for each in re.findall(r"r(\d)c(\d)!=(\d)", conclusion)]
    targets = [-literal[each] for each in gone]
    if name == "BUG+1":
        (r, c), *_ = (each[:2] for each in gone)
        (n,) = {*map(int, state[9 * r + c - 10])} - {each[2] for each in gone}
        targets = [literal[r, c, n]]
    finder = StepFinder(model, known, targets, uniqueness=uniqueness)
    assert str(next(step for step in finder.steps() if step.reasons).technique) == name


# Two of the recorded puzzles, with steps that were followed by hand.
STEPS = {
    "000080001607000000400000000000600430008070000010000000050003040200400000000000700": {
        "r3c2!=2": "unique rectangle type 4",  # in row 3, only r3c2 and r3c8 can hold 8
        # r3c9=9, so r2c7=5, so neither r3c8 nor r3c2 holds another number than 2 and 8.
        "r3c9!=9": "grouped alternating chain with unique rectangle",
    },
    "000300080200050000000000010081700000000090600003000000000000502040100000600000900": {
        "r3c6!=2": "unique rectangle type 1",  # r3c6 is the only corner with more numbers
        "r1c3!=5": "hidden rectangle",  # row 3 needs a 5 in r3c3 or r3c9
        # r3c4=6, so r3c3=5, so r3c9 holds no other number than 4 and 6.
        "r3c4!=6": "grouped alternating chain with unique rectangle",
        # r3c4=4, so r7c4=9, so r1c2=9, so r1c3 and r3c9 hold no other number than 5 and 6.
        "r3c4!=4": "alternating chain with unique rectangle",
    },
}


def corners_of(rule):
    """The cells of a rectangle, which the words of the rule state."""
    return {*re.findall(r"r\d+c\d+", rule["words"])}


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", STEPS)
def test_only_a_step_within_the_four_cells_is_called_a_rectangle(puzzle):
    names = {}
    for step in aspdoku.explain(puzzle, unique=True).to_json()["steps"]:
        for reason in step["reasons"]:
            found = [each for each in reason["rules"] if each["name"] == "unique"]
            if found:
                names |= dict.fromkeys(reason["claims"], reason["technique"])
                bases = [rule["options"] for rule in reason["rules"] if rule["part"] == "least"]
                cells = {option.partition("=")[0] for base in bases for option in base}
                outside = cells - corners_of(*found)
                assert bool(outside) == reason["technique"].endswith(" with unique rectangle")
    assert names.items() >= STEPS[puzzle].items()


def rectangles(text, *rules, without=()):
    """What can be exchanged in a puzzle with one solution."""
    program = compose(aspdoku.parse(text), *rules, without=without)
    facts = Uniqueness(program).program.puzzle.facts
    return {each.arguments for each in facts if each.name == "unique_rectangle"}


GIVENS = "1... .... ..3. 4..."  # with several solutions


def test_givens_and_cells_of_four_boxes_are_never_exchanged():
    (_, text, *_), *_ = recorded()
    givens = aspdoku.parse(text).givens()
    found = rectangles(text)
    for r, c, r1, c1, *_ in found:
        assert not givens.keys() & {(r, c), (r, c1), (r1, c), (r1, c1)}
        assert ((r - 1) // 3 == (r1 - 1) // 3) != ((c - 1) // 3 == (c1 - 1) // 3)
    assert found


CAGES = """\
with: killer

. 2 . .
. . . .
. . 4 .
. 3 2 .

[cage]
{}
. . . .
. . . .
A = {}
B = {}
"""


@pytest.mark.parametrize(
    ("cages", "sums", "exchangeable"),
    [
        ("A . . A\nB . . B", (5, 5), True),
        ("A A . .\nB B . .", (3, 7), False),
    ],
)
def test_numbers_are_exchanged_only_inside_a_sum(cages, sums, exchangeable):
    """The rectangle is the first and the last cell of rows 1 and 2."""
    found = rectangles(CAGES.format(cages, *sums))
    assert any(each[:4] == (1, 1, 2, 4) for each in found) == exchangeable


class OneSolution(Solver):
    """A search that finds the first solution only, so that any puzzle seems to have one."""

    def search(self, count):
        assert count == 2
        return super().search(1)


def grids(program):
    control = clingo.Control(["0", "--eq=0"], logger=lambda *_: None)
    control.add(program.text)
    control.ground()
    with control.solve(yield_=True) as models:
        for model in models:
            atoms = [each.arguments for each in model.symbols(atoms=True) if each.match("a", 3)]
            yield {(r.number, c.number): n.number for r, c, n in atoms}


def exchanged(rule, monkeypatch):
    """How often numbers are exchanged in solutions of a 4x4 grid with the example clues of a rule;
    each time, the result has to be a solution as well.
    """
    monkeypatch.setattr(aspdoku.explanation.uniqueness, "Solver", OneSolution)
    program = compose(GRID, rule, facts=rule.example.split(".")[:-1])
    facts = Uniqueness(program).program.puzzle.facts
    found = [each.arguments for each in facts if each.name == "unique_rectangle"]
    solutions = list(grids(program)) if found else []
    count = 0
    for r, c, r1, c1, *pair in found:
        corners = list(product((r, r1), (c, c1)))
        for grid in solutions:
            if all(grid[corner] in pair for corner in corners):
                other = {corner: sum(pair) - grid[corner] for corner in corners}
                assert grid | other in solutions
                count += 1
    return count


@pytest.mark.parametrize("name", ["killer", "thermo", "zipper"])
def test_after_an_exchange_there_is_a_solution(name, monkeypatch):
    assert exchanged(find(name), monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", rule_names())
def test_after_an_exchange_there_is_a_solution_with_each_rule(name, monkeypatch):
    exchanged(find(name), monkeypatch)


def test_the_assumption_is_refused_if_there_are_several_solutions():
    with pytest.raises(AspdokuError, match="several solutions") as caught:
        aspdoku.explain(GIVENS, unique=True)
    assert caught.value.exit_code == 65
    with pytest.raises(AspdokuError, match="several solutions"):
        aspdoku.hint(GIVENS, unique=True)


def test_what_follows_from_an_exchange_of_all_is_not_said_to_be_proved_by_clingo():
    _, puzzle, state, _ = next(each for each in recorded() if each[0] == "BUG+1")
    entries = "".join(each if len(each) == 1 else "." for each in state)
    hint = str(aspdoku.hint(puzzle, entries, degree="proof", unique=True))
    assert hint.startswith("r8c5=4: BUG+1\n  - the solution is unique")
    assert "clingo" not in hint


def test_without_the_assumption_no_step_rests_on_it():
    (_, puzzle, *_), *_ = recorded()
    for unique in (False, True):
        explanation = aspdoku.explain(puzzle, unique=unique)
        names = {step.technique.name for step in explanation.steps if step.technique}
        assert bool(names & set(UNIQUENESS)) == unique
        words = "the solution is unique" in str(explanation)
        assert words == unique


def test_no_name_has_two_definitions():
    assert not DEFINITIONS.keys() & UNIQUENESS.keys()
