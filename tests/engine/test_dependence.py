"""The rules that cells depend on, against plain clingo on the program with facts `ab(NAME)`."""

from functools import cache
from itertools import chain, combinations

import clingo
import pytest

import aspdoku
from aspdoku.engine.dependence import find_dependences
from aspdoku.program import RuleFile

pytestmark = pytest.mark.versions

# A rule that derives an exception, and two for which a retracted rule takes solutions away.
DERIVED = RuleFile.from_text("derived", "#defined ab/1.\nab(box) :- a(1,1,1).\n")
LESS = RuleFile.from_text("less", "#defined ab/1.\n:- ab(row), a(4,4,N), N != 2.\n:- ab(box).\n")
PUZZLES = {
    "unique": (". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n", ()),
    "several solutions": ("1 . . .\n. . 3 .\n. 4 . .\n2 . . .\n".replace("3", "."), ()),
    "blank": ("....\n" * 4, ()),
    "all givens": ("1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n", ()),
    "none": ("11..\n....\n....\n....\n", ()),
    "without boxes": ("without: box\n. 1 . .\n. 4 . .\n1 2 3 .\n4 . 1 .\n", ()),
    "anti-knight": ("with: anti-knight\n. . . .\n. 2 3 .\n2 . . 3\n. 4 . 2\n", ()),
    "killer": (
        "with: killer\n....\n....\n....\n...1\n[cage]\n3: r1c1 r1c2\n5: r4c1 r4c2\n4: r1c3 r2c3\n",
        (),
    ),
    "a choice": ("with: doublers\n1...\n....\n....\n....\n", ()),
    "no name retracts it": (". 4 . .\n. . . .\n. . 2 .\n1 . . .\n", [":- a(1,1,N), N != 2."]),
    "a derived exception": (". . . .\n. . 3 .\n. 4 . .\n2 . . .\n", [DERIVED]),
    "fewer solutions": (". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n", [LESS]),
    "many rules": (
        "with: diagonal, offset, even, odd, greater-than\n1 . . .\n. . . .\n. . . .\n. . . .\n"
        "[facts]\neven(1,2). odd(2,3). gt(1,2,1,4). gt(2,1,2,2).\n",
        (),
    ),
}


def composed(name):
    text, rules = PUZZLES[name]
    own = [RuleFile.from_text("own", each) if isinstance(each, str) else each for each in rules]
    return aspdoku.compose(text, *own)


@cache
def numbers_without(program, names):
    """By cell, the numbers that it holds in some answer set if these rules are retracted."""
    control = clingo.Control(["--eq=0", "--enum-mode=brave", "0"], logger=lambda *_: None)
    facts = "".join(f"ab({name.replace('-', '_')}).\n" for name in names)
    control.add("base", [], f"{program}\n{facts}#show a/3.\n")
    control.ground([("base", [])])
    possible = []
    control.solve(on_model=lambda model: possible.append(model.symbols(shown=True)))
    found = {}
    for atom in possible[-1] if possible else ():
        if atom.match("a", 3):
            row, column, number = (each.number for each in atom.arguments)
            found.setdefault((row, column), set()).add(number)
    return found


def minimal_sets(program, rules, solution):
    """By cell without a given, its sets of rules, each with the other numbers."""
    subsets = chain.from_iterable(combinations(rules, size) for size in range(len(rules) + 1))
    found = {}
    for subset in subsets:
        numbers = numbers_without(str(program), subset)
        for cell in numbers:
            others = numbers[cell] - {solution[cell]}
            sets = found.setdefault(cell, {})
            if others and not any(set(smaller) <= set(subset) for smaller in sets):
                sets[subset] = others
    givens = program.puzzle.givens()
    return {cell: sets for cell, sets in found.items() if cell not in givens}


SLOW = ["blank", "many rules"]


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[pytest.mark.slow] * (each in SLOW)) for each in PUZZLES],
)
def test_the_minimal_sets_of_every_cell(name):
    program = composed(name)
    found = find_dependences(program)
    assert found.ended == "complete"
    assert (found.solution is None) == (name == "none")
    if found.solution is None:
        assert found.cells == ()
        return
    expected = minimal_sets(program, found.rules, found.solution)
    assert {each.cell for each in found.cells} == expected.keys()
    for each in found.cells:
        assert each.number == found.solution[each.cell]
        assert {retraction.rules for retraction in each.retractions} == set(expected[each.cell])
        assert [len(retraction.rules) for retraction in each.retractions] == sorted(
            map(len, expected[each.cell])
        )
        assert each.is_open == (() in expected[each.cell])


@pytest.mark.parametrize("name", ["unique", "several solutions", "killer", "fewer solutions"])
def test_the_other_numbers_of_a_cell(name):
    program = composed(name)
    rules = find_dependences(program).rules
    for cell in [(1, 1), (1, 3), (4, 4), (3, 2)]:
        found = find_dependences(program, cell)
        expected = minimal_sets(program, rules, found.solution).get(cell)
        if cell in program.puzzle.givens():
            assert found.cells == ()
            continue
        (each,) = found.cells
        assert {
            retraction.rules: set(retraction.numbers) for retraction in each.retractions
        } == expected


def test_a_rule_that_no_name_retracts_is_named():
    assert find_dependences(composed("no name retracts it")).fixed == ("own",)
    assert find_dependences(composed("unique")).fixed == ()


def test_names_of_retracted_rules_are_not_active():
    assert find_dependences(composed("without boxes")).rules == ("column", "row")


def test_a_time_limit():
    found = find_dependences(aspdoku.compose("." * 625, "offset"), time_limit=0.01)
    assert (found.solution, found.cells, found.ended) == (None, (), "time")
