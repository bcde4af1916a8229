"""Where a full grid violates a rule, against the oracle, on grids of random numbers."""

from random import Random

import oracle
import pytest

from aspdoku import Puzzle, Solution
from aspdoku.lecture.equivalence import Violation, find_program_violations, find_violations
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Function

SIZES = [4, 6, 9]
BLANK = Puzzle.blank(4)
RELATIONS = {
    "anti-knight": lambda _: oracle.knights_move,
    "slides/anti-knight-eight-rules": lambda _: oracle.knights_move,
    "slides/anti-knight-distance": lambda _: (
        lambda one, two: abs(one[0] - two[0]) + abs(one[1] - two[1]) == 3
    ),
    "slides/offset-aggregate": lambda n: oracle.same_box_position(*oracle.CLASSIC.shape(n)),
    "slides/offset-pairwise": lambda n: (
        lambda one, two: (
            oracle.same_box_position(*oracle.CLASSIC.shape(n))(one, two)
            and one[0] != two[0]
            and one[1] != two[1]
        )
    ),
}


def solution(rows):
    return Solution(Puzzle.blank(len(rows)), tuple(map(tuple, rows)))


def at_random(size, seed=1):
    random = Random(f"{size} {seed}")
    return [[random.randint(1, size) for _ in range(size)] for _ in range(size)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", RELATIONS)
def test_rules_about_pairs(name, size):
    grid = at_random(size)
    expected = {tuple(sorted(pair)) for pair in oracle.equal_pairs(grid, RELATIONS[name](size))}
    found = {violation.cells for violation in find_violations(library.find(name), solution(grid))}
    assert expected
    assert found == expected


@pytest.mark.parametrize("size", SIZES)
def test_a_rule_that_counts(size):
    """offset.lp has an aggregate: a violation lists all cells in the same position that hold the
    number.
    """
    grid = at_random(size)
    related = oracle.same_box_position(*oracle.CLASSIC.shape(size))
    expected = {
        tuple(
            sorted(
                {
                    pair[0],
                    *(
                        cell
                        for twin in oracle.equal_pairs(grid, related)
                        if pair[0] in twin
                        for cell in twin
                    ),
                }
            )
        )
        for pair in oracle.equal_pairs(grid, related)
    }
    assert {
        violation.cells for violation in find_violations(library.find("offset"), solution(grid))
    } == expected


@pytest.mark.parametrize("name", ["greater-than", "slides/greater-than"])
def test_a_rule_with_inputs(name):
    grid = at_random(6)
    signs = [((r, c), (r, c + 1)) for r in range(1, 7) for c in range(1, 6)]
    facts = [Function("gt", (*one, *two)) for one, two in signs]
    expected = {pair for pair in signs if not oracle.greater_than(grid, [pair])}
    assert 0 < len(expected) < len(signs)
    assert {
        violation.cells for violation in find_violations(library.find(name), solution(grid), facts)
    } == expected
    assert find_violations(library.find(name), solution(grid)) == []


def test_the_violation_of_a_missing_number_is_its_possible_cells():
    """In a grid of ones, each box lacks 2, 3 and 4, and holds 1 four times; in both cases its cells
    are reported.
    """
    found = find_violations(library.find("box"), solution([[1] * 4] * 4))
    boxes = {tuple((r + i, c + j) for i in (0, 1) for j in (0, 1)) for r in (1, 3) for c in (1, 3)}
    assert {violation.cells for violation in found} == boxes
    assert len({violation.line for violation in found}) == 2


def test_exceptions_and_retracted_rules():
    grid = solution([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
    rule = library.find("anti-knight")
    all_of_them = {violation.cells for violation in find_violations(rule, grid)}
    but_ones = {
        violation.cells
        for violation in find_violations(rule, grid, [Function("ab", (Function("anti_knight"), 1))])
    }
    ones = {cells for cells in all_of_them if oracle.number(grid.rows, cells[0]) == 1}
    assert ones
    assert but_ones == all_of_them - ones
    assert find_violations(rule, grid, without=["anti-knight"]) == []


def test_the_order_and_the_place():
    rule = RuleFile(
        "mine", "mine.lp", "% mine\n:- a(2,2,_), cell(1,1).  :- a(1,1,N).\n:- number(N), N > 3."
    )
    assert find_violations(rule, solution([[1] * 4] * 4)) == [
        Violation("mine.lp", 2, 1, ((2, 2),)),
        Violation("mine.lp", 2, 26, ((1, 1),)),
        Violation("mine.lp", 3, 1, ()),
    ]


def test_str():
    assert str(Violation("mine.lp", 3, 1, ((1, 2), (10, 4)))) == "mine.lp:3 at r1c2 r10c4"
    assert str(Violation("mine.lp", 3, 1, ())) == "mine.lp:3"


def test_the_message_has_the_values_of_the_instance():
    grid = at_random(6)
    found = find_violations(library.find("anti-knight"), solution(grid))
    expected = {
        f"r{r}c{c} and r{r1}c{c1} are a knight's move apart"
        for pair in oracle.equal_pairs(grid, oracle.knights_move)
        for (r, c), (r1, c1) in [sorted(pair)]
    }
    assert expected
    assert {violation.message for violation in found} == expected


MESSAGES = [
    # a rule, and its message in a grid of ones
    ("%@ r{R}c{C} is no {N}\n:- a(R,C,N), R = 2, C = 3.", "r2c3 is no 1"),
    ("%@ too high in {R}\n:- row(R), { a(R,C,1) } > 3, R = (2;4).", "too high in 2"),
    (":- a(2,2,1).", ""),
    ("%@ -\n:- a(2,2,1).", ""),
    ('name("cage A").\n%@ {U} here\n:- name(U), a(1,1,1).', "cage A here"),
]


@pytest.mark.parametrize(("text", "message"), MESSAGES)
def test_the_message_of_a_rule(text, message):
    rule = RuleFile("mine", "mine.lp", text)
    assert find_violations(rule, solution([[1] * 4] * 4))[0].message == message


def houses(grid):
    """The message for each number that a house of a grid lacks, or holds twice."""
    size = len(grid)
    for kind, lines in (("row", grid), ("column", list(zip(*grid, strict=True)))):
        for index, line in enumerate(lines, 1):
            for number in range(1, size + 1):
                if number not in line:
                    yield f"{kind} {index} needs a {number}"
                if line.count(number) > 1:
                    yield f"{kind} {index} has at most one {number}"


def test_a_program_is_violated_also_in_the_bounds_of_its_choices():
    grid = [[1, 2, 3, 4], [1, 2, 3, 4], [3, 4, 1, 2], [4, 3, 2, 1]]
    rules = [library.base(), library.find("offset")]
    found = [
        violation.message
        for violation in find_program_violations(assemble(BLANK, rules), solution(grid))
        if violation.place == "asp/base.lp"
    ]
    assert set(found) <= set(houses(grid))
    # A violation of the same line with the same cells is listed once.
    for bound in ("needs", "has at most one"):
        columns = {message.split(f" {bound}")[0] for message in found if bound in message}
        assert columns == {"column 1", "column 2", "column 3", "column 4"}
    retracted = assemble(BLANK, rules, ["column", "offset"])
    assert find_program_violations(retracted, solution(grid)) == []
