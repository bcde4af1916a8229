"""Shown atoms other than a/3, which a unique grid need not determine."""

import pytest

import aspdoku
from aspdoku import Solver, compose
from aspdoku.errors import TimeLimitError
from aspdoku.program import RuleFile, library
from aspdoku.program.compose import assemble
from aspdoku.questions import text

pytestmark = pytest.mark.versions

GRID = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
ONE_OF_TWO = "{ mine(R,C) : a(R,C,1), R < 3 } = 1.\n"


def program(rule, grid=GRID):
    return assemble(
        aspdoku.parse(grid),
        [library.base(), *library.defaults(), RuleFile("mine", "mine.lp", rule)],
    )


def only(found):
    (solution,) = Solver(found).search(2)
    return solution


@pytest.mark.parametrize(
    ("rule", "several"),
    [
        (ONE_OF_TWO + "#show mine/2.", True),
        (ONE_OF_TWO + ":- mine(1,_).\n#show mine/2.", False),
        (ONE_OF_TWO, False),  # it is not shown
        (ONE_OF_TWO + "#show left : mine(1,_).", True),
        ("mine(R,C) :- a(R,C,1).\n#show mine/2.", False),  # the grid determines it
        (ONE_OF_TWO + "{ hidden }.\n:- mine(1,_).\n#show mine/2.", False),
    ],
)
def test_alternative_shown_atoms_are_found(rule, several):
    found = program(rule)
    solution = only(found)
    other = Solver(found, 60).shown_otherwise(solution)
    assert (other is not None) == several
    if other:
        assert (other.rows, other.shown != solution.shown) == (solution.rows, True)


def test_a_time_limit_is_an_error():
    found = program(ONE_OF_TWO + ":- mine(1,_).\n#show mine/2.")
    with pytest.raises(TimeLimitError):
        Solver(found, 1e-9).shown_otherwise(only(found))


def test_regions_that_are_not_unique():
    puzzle = aspdoku.parse("1 2 3 4\n2 1 4 3\n3 4 1 2\n4 3 2 1\n")
    found = compose(puzzle, "chaos-construction", without=["box"])
    solution = only(found)
    other = Solver(found, 60).shown_otherwise(solution)
    assert other is not None
    for each in (solution, other):
        regions = {}
        for term in each.shown:
            row, column, region = term.arguments
            regions.setdefault(region, []).append(each[row, column])
        assert all(sorted(numbers) == [1, 2, 3, 4] for numbers in regions.values())
    name, *rows = text.shown_atoms(solution).splitlines()
    assert name == "chaos-construction-region"
    assert [len(row.split()) for row in rows] == [4] * 4


def test_shown_atoms_as_text():
    rule = 'mine(1,2). mine(3,3). name("x",1). far(9,9). two(1,1,a). two(1,1,b).'
    rule += " #show mine/2. #show name/2. #show far/2. #show two/3."
    assert text.shown_atoms(only(program(rule))).split("\n\n") == [
        "mine\n. x . .\n. . . .\n. . x .\n. . . .",
        "two\na . . .\n. . . .\n. . . .\n. . . .",
        'far(9,9) name("x",1) two(1,1,b)',
    ]
