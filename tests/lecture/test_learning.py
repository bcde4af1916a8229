"""Rules found by examples and questions, compared with the rules in plain Python."""

import re
from functools import cache, partial
from itertools import pairwise
from random import Random

import oracle
import pytest
from full_grids import all_sudokus_of_four
from instance_files import ROOT
from rule_semantics import RULE_SEMANTICS

import aspdoku
from aspdoku.errors import AspdokuError, PuzzleError, RuleError, TimeLimitError
from aspdoku.lecture.learning import Learner, hypotheses
from aspdoku.program import library
from aspdoku.puzzle import Puzzle, Solution
from aspdoku.puzzle.puzzle import box_shape

# Half of the moves of each block `cells`: the rules are symmetric.
MOVES = {
    "side by side": [(0, 1), (1, 0)],
    "diagonally adjacent": [(1, 1), (1, -1)],
    "a knight's move apart": [(1, 2), (2, 1), (2, -1), (1, -2)],
    "two apart in a row or column": [(0, 2), (2, 0)],
    "two apart on a diagonal": [(2, 2), (2, -2)],
    "three apart in a row or column": [(0, 3), (3, 0)],
    "three rows and one column apart, or three columns and one row": [
        *[(1, 3), (3, 1)],
        *[(3, -1), (1, -3)],
    ],
    "three apart on a diagonal": [(3, 3), (3, -3)],
}
RELATIONS = {
    "contain different numbers": lambda a, b, _n: a != b,
    "do not contain consecutive numbers": lambda a, b, _n: abs(a - b) != 1,
    "differ by at least 2": lambda a, b, _n: abs(a - b) >= 2,
    "do not contain a number and its double": lambda a, b, _n: 2 * a != b and 2 * b != a,
    "do not add up to one more than the largest number": lambda a, b, n: a + b != n + 1,
    "do not both contain the smallest number": lambda a, b, _n: not a == b == 1,
}
WITHOUT_INPUTS = [
    rule.name
    for rule in library.available_rules()
    if not (rule.inputs or rule.shown or rule.replaced) and rule.name != "box"
]


def _without_facts(holds, grid):
    return holds(grid, {})


def top_bottom(grid):
    """Number K is in row K from the top, and from the bottom, below or diagonally below K-1."""
    for rows in (grid, grid[::-1]):
        columns = [row.index(number) for number, row in enumerate(rows, 1)]
        if any(abs(one - two) > 1 for one, two in pairwise(columns)):
            return False
    return True


SEMANTICS = {name: partial(_without_facts, each.holds) for name, each in RULE_SEMANTICS.items()} | {
    "anti-knight": oracle.anti_knight,
    "top-bottom": top_bottom,
    "offset": lambda grid: oracle.offset(grid, *box_shape(len(grid))),
}


@cache
def all_grids():
    return sorted(all_sudokus_of_four())


def allowed(title, grid):
    """Whether a combination of a block of cells and a relation allows a grid."""
    size = len(grid)
    ((moves, relation),) = [
        (MOVES[cells], RELATIONS[words])
        for cells in MOVES
        for words in RELATIONS
        if title == f"Cells {cells} {words}."
    ]
    return all(
        relation(grid[r][c], grid[r + y][c + x], size)
        for r in range(size)
        for c in range(size)
        for y, x in moves
        if r + y < size and 0 <= c + x < size
    )


def in_python(rule, grid):
    if rule.name in SEMANTICS:
        return SEMANTICS[rule.name](grid)
    return allowed(rule.title, grid)


def test_the_space_is_what_its_file_says():
    rules = hypotheses().rules
    combined = {f"Cells {cells} {words}." for cells in MOVES for words in RELATIONS}
    assert [rule.title for rule in rules if rule.title in combined] == [
        rule.title for rule in rules[len(WITHOUT_INPUTS) :]
    ]
    assert {rule.title for rule in rules[len(WITHOUT_INPUTS) :]} == combined
    assert [rule.name for rule in rules[: len(WITHOUT_INPUTS)]] == WITHOUT_INPUTS


@pytest.mark.slow
def test_the_rules_that_fit_a_grid():
    space = hypotheses()
    for grid in Random(1).sample(all_grids(), 4):
        fitting = Learner(Puzzle.blank(4), space).learn([solution(grid)], None, 0).rules
        assert set(fitting) == {rule for rule in space.rules if in_python(rule, grid)}


@pytest.mark.parametrize(
    "title",
    [
        "Cells a knight's move apart do not both contain the smallest number.",
        "Cells diagonally adjacent do not add up to one more than the largest number.",
    ],
)
def test_a_rule_known_only_to_python(title):
    """All 4x4 grids agree with the rule that is found, and each question parts the rules."""
    fitting = [grid for grid in all_grids() if allowed(title, grid)]
    found = aspdoku.learn(fitting[:2], lambda grid: allowed(title, grid.rows), without=())
    assert found
    assert found.status == "found"
    assert {grid for grid in all_grids() if in_python(found.rules[0], grid)} == set(fitting)
    for each in found.rules:
        assert {grid for grid in all_grids() if in_python(each, grid)} == set(fitting)
    left = [found.data.fitting, *(question.left for question in found.data.questions)]
    assert left == sorted(set(left), reverse=True)
    assert len(found.data.questions) <= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_INPUTS)
def test_each_bundled_rule_is_found_from_three_grids_and_five_questions(name):
    found = aspdoku.learn(answer=name, size=6)
    assert found
    assert len(found.data.shown) == 3
    assert len(found.data.questions) <= 5
    assert library.find(name) in found.rules
    assert found.data.proof.relation == "same"
    assert {each.relation for each in found.data.comparisons} <= {"same"}
    holds = SEMANTICS[name]
    assert all(holds(grid.rows) for grid in found.data.shown)
    assert all(holds(each.grid.rows) == each.allowed for each in found.data.questions)


def test_no_rule_fits(tmp_path):
    space = written(tmp_path, "%! rule anti-king\n%! rule anti-knight\n")
    grid = next(grid for grid in all_grids() if not oracle.anti_knight(grid))
    found = aspdoku.learn([grid], lambda _: False, space=space)
    assert (found.status, found.rules, bool(found)) == ("none", (), False)
    assert "none of the rules in" in str(found)


def test_without_questions_several_rules_fit():
    found = aspdoku.learn([all_grids()[0]])
    assert (found.status, bool(found), len(found.data.questions)) == ("several", False, 0)
    verdicts = {in_python(rule, found.next.rows) for rule in found.rules}
    assert verdicts == {True, False}
    stopped = aspdoku.learn([all_grids()[0]], lambda _: None)
    assert stopped.rules == found.rules
    limited = aspdoku.learn([all_grids()[0]], lambda _: True, questions=1)
    assert (limited.status, len(limited.data.questions)) == ("several", 1)


def test_a_hidden_rule_outside_the_space(tmp_path):
    """The answers fit another rule; the proof tells that it is not this one."""
    space = written(tmp_path, "%! rule anti-knight\n")
    hidden = aspdoku.RuleFile.from_text("both", ":- a(R,C,N), a(R+1,C+2,N).\n:- a(1,1,1).\n")
    found = aspdoku.learn(answer=hidden, space=space, size=4)
    assert found.status in ("found", "none")
    assert not found


def test_a_space_of_ones_own(tmp_path):
    (tmp_path / "corner.lp").write_text("% A 1 in the corner.\n:- not a(1,1,1).\n")
    text = (
        "% Corners.\n\n#defined ab/1.\n\n%! rule corner.lp\n%! cells of the first row\n"
        "learned_cell(1,C) :- column(C).\n%! relation do not contain a 1\n"
        ":- learned_cell(R,C), a(R,C,1).\n%! relation do not begin with a 2\n:- a(1,1,2).\n"
    )
    space = written(tmp_path, text)
    found = aspdoku.learn(answer=lambda grid: grid.rows[0][0] == 1, space=space, size=4)
    assert found
    assert [rule.title for rule in found.rules] == ["A 1 in the corner."]
    titles = [rule.title for rule in hypotheses(space).rules]
    assert titles[1:] == [
        "Cells of the first row do not contain a 1.",
        "Cells of the first row do not begin with a 2.",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rules to choose from"),
        ("%! cells apart\np(1).\n", "no rules to choose from"),
        ("p(1).\n\n%! rulez\n", r":3:1: unknown block '%! rulez'"),
        ("%! rules of mine\n", ":1:1: unknown block"),
        ("%! cells\np(1).\n", ":1:1: unknown block"),
        ("%! cells apart\n% nothing\n", ":1:1: the block '%! cells apart' is empty"),
        ("%! rules\np(1).\n", ":1:1: the block '%! rules' contains a rule"),
        ("%! rule even\n", ":1:1: even has inputs, such as even/2"),
        ("%! rule evem\n", ":1:1: unknown rule 'evem'"),
        ("%! cells apart\np(1)\n", ":2:5: incomplete last statement"),
        ("%! cells apart\n{ p(1) }.\n%! relation x\n:- p(1).\n", "space.lp:2:1: a choice"),
        ("%! cells apart\np(1).\n%! relation x\n:- q(1).\n", "q/1"),
        ('%! rules\n#include "x".\n', "include"),
    ],
)
def test_an_invalid_space(text, message, tmp_path):
    with pytest.raises(RuleError, match=message):
        aspdoku.learn(space=written(tmp_path, text), size=4)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"grids": ["1" + "." * 15]}, PuzzleError, "r1c2 is empty"),
        ({"grids": ["1234341221434321", "123456" * 6]}, AspdokuError, "one game"),
        ({"grids": ["1" * 16]}, PuzzleError, "violates the rules of the game"),
        ({"grids": ["1234341221434321"], "answer": "anti-knight"}, PuzzleError, "violates asp"),
        ({"answer": "killer"}, RuleError, "has inputs, such as cage/3"),
        ({"answer": "box"}, RuleError, r"box.lp is a rule of the game.*\(--without box\)"),
        ({"answer": ROOT / "asp" / "elaborations" / "box.lp"}, RuleError, "is a rule of the game"),
        ({"answer": "anti-king", "size": 4}, RuleError, "allows no 4x4 grid"),
        ({"answer": "anti-knigt"}, RuleError, "unknown rule"),
        ({"answer": "offset", "time_limit": 1e-6}, TimeLimitError, "time limit"),
        ({"grids": "1234341221434321"}, TypeError, "a list of grids"),
        ({"answer": lambda _: 1, "size": 4}, TypeError, "True, False or None"),
    ],
)
def test_invalid_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        aspdoku.learn(**arguments)


def test_the_text_of_a_combination_is_a_rule_file(tmp_path):
    """It can be checked and used like any other file."""
    rule = hypotheses().rules[-1]
    file = tmp_path / "learned.lp"
    file.write_text(rule.text)
    assert aspdoku.check(file).findings == ()
    assert re.search(r"^% Cells .*\.$", rule.text.splitlines()[0])
    assert not aspdoku.equivalent(file, "anti-knight", size=4)


def solution(grid):
    return Solution(Puzzle.blank(4), grid)


def written(folder, text):
    file = folder / "space.lp"
    file.write_text(text)
    return file
