"""What `check` finds in rules as beginners write them, and that the advice leads to the rule that
was meant: a corrected file has no finding, and allows the grids that plain Python allows.
"""

import re

import clingo
import pytest
from full_grids import all_sudokus_of_four
from in_one_test import in_one_test
from sampling import one_in

import aspdoku
from aspdoku.lecture import trial
from aspdoku.program import RuleFile, lint
from aspdoku.program.library import data_dir

GRIDS = all_sudokus_of_four()
CAGES = (
    "#defined cage/3.  % cage(R,C,I): the cell is in cage I\n"
    "#defined cage_value/2.  % cage_value(I,S): the sum of cage I\n"
)
SUM = "[cage]\nA A . .\nA . . .\n. . . .\n. . . .\nA = 7"


def diagonal(grid):
    return [grid[place][place] for place in range(4)]


def column(grid):
    return [row[0] for row in grid]


# A rule, what the finding says, the rule with the advice applied, what it forbids, and a section.
CORRECTED = {
    "weights that are equal": (
        ":- #sum { 1 : a(1,1,1); 1 : a(2,3,1); 1 : a(3,2,1) } != 1.",
        "write #sum { 1,1 : a(1,1,1); 1,2 : a(2,3,1); 1,3 : a(3,2,1) }",
        ":- #sum { 1,1 : a(1,1,1); 1,2 : a(2,3,1); 1,3 : a(3,2,1) } != 1.",
        lambda grid: [grid[0][0], grid[1][2], grid[2][1]].count(1) == 1,
        "",
    ),
    "numbers that are equal": (
        ":- #sum { N : a(R,R,N) } < 12.",
        "write #sum { N,R : a(R,R,N) }",
        ":- #sum { N,R : a(R,R,N) } < 12.",
        lambda grid: sum(diagonal(grid)) >= 12,
        "",
    ),
    "names that contain a variable": (
        'myN(R,"N") :- row(R).\n:- #sum { N : a(R,R,N), myN(R,"N") } < 12.',
        'write #sum { N,R : a(R,R,N), myN(R,"N") }',
        'myN(R,"N") :- row(R).\n:- #sum { N,R : a(R,R,N), myN(R,"N") } < 12.',
        lambda grid: sum(diagonal(grid)) >= 12,
        "",
    ),
    "numbers of a cage": (
        CAGES + ":- cage_value(I,S), #sum { N : cage(R,C,I), a(R,C,N) } != S.",
        "write #sum { N,R,C : cage(R,C,I), a(R,C,N) }",
        CAGES + ":- cage_value(I,S), #sum { N,R,C : cage(R,C,I), a(R,C,N) } != S.",
        lambda grid: grid[0][0] + grid[0][1] + grid[1][0] == 7,
        SUM,
    ),
    "a term for an atom": (
        ":- #count { a(R,R,3) : row(R) } < 2.",
        "write 3,R : a(R,R,3), row(R)",
        ":- #count { 3,R : a(R,R,3), row(R) } < 2.",
        lambda grid: diagonal(grid).count(3) >= 2,
        "",
    ),
    "terms for atoms of a sum": (
        ":- #sum { a(1,1,N) : number(N) } > 2.",
        "write N,1 : a(1,1,N), number(N)",
        ":- #sum { N,1 : a(1,1,N), number(N) } > 2.",
        lambda grid: grid[0][0] <= 2,
        "",
    ),
    "aggregates compared": (
        ":- #count { R : a(R,R,N), N <= 2 } != #count { R : a(R,R,N), N > 2 }.",
        "write X = #count { R : a(R,R,N), N <= 2 }, Y = #count { R : a(R,R,N), N > 2 }, X != Y",
        ":- X = #count { R : a(R,R,N), N <= 2 }, Y = #count { R : a(R,R,N), N > 2 }, X != Y.",
        lambda grid: sum(number <= 2 for number in diagonal(grid)) == 2,
        "",
    ),
    "a range of gringo 3": (
        ":- a(1,1,N), N in 1..3.",
        "clingo has no operator 'in'; write =, as in N = 1..3",
        ":- a(1,1,N), N = 1..3.",
        lambda grid: grid[0][0] == 4,
        "",
    ),
    "a domain of gringo 3": (
        "#domain row(R).\n:- a(R,1,N), a(R+1,1,N+1).",
        "remove it, and add row(R) to the body of each rule with R",
        ":- row(R), a(R,1,N), a(R+1,1,N+1).",
        lambda grid: all(
            two - one != 1 for one, two in zip(column(grid), column(grid)[1:], strict=False)
        ),
        "",
    ),
    "a sum of gringo 3": (
        CAGES + ":- cage_value(I,S), S+1 #sum [ a(R,C,N) = N : cage(R,C,I) ].",
        "write #sum { N,R,C : a(R,C,N), cage(R,C,I) }",
        CAGES + ":- cage_value(I,S), S+1 #sum { N,R,C : a(R,C,N), cage(R,C,I) }.",
        lambda grid: grid[0][0] + grid[0][1] + grid[1][0] <= 7,
        SUM,
    ),
    "a program of its own": (
        "1 { sudoku(R,C,N) : number(N) } 1 :- cell(R,C).\n:- sudoku(R,R,1).",
        "write a(R,C,N) in its constraints, without rules that choose",
        ":- a(R,R,1).",
        lambda grid: 1 not in diagonal(grid),
        "",
    ),
}

# The same for files in the syntax of gringo 3 or lparse, of other languages and of formulas.
OBSOLETE = {
    "#hide.\n:- a(1,1,1).": ("remove it", ":- a(1,1,1).", lambda grid: grid[0][0] != 1),
    "hide p(X).\n:- a(1,1,1).": ("remove it", ":- a(1,1,1).", lambda grid: grid[0][0] != 1),
    "#base.\n:- a(1,1,1).": ("remove it", ":- a(1,1,1).", lambda grid: grid[0][0] != 1),
    ":- a(1,1,N), a(2,3,M), #abs(N-M) = 1.": (
        "#abs: write |N|",
        ":- a(1,1,N), a(2,3,M), |N-M| = 1.",
        lambda grid: abs(grid[0][0] - grid[1][2]) != 1,
    ),
    ":- #avg [ a(R,R,N) = N ] > 2.": (
        "write S = #sum { N,R,R : a(R,R,N) }, T = #count { N,R,R : a(R,R,N) }, and compare",
        ":- S = #sum { N,R,R : a(R,R,N) }, T = #count { N,R,R : a(R,R,N) }, S > 2*T.",
        lambda grid: sum(diagonal(grid)) <= 2 * 4,
    ),
    ":- #even { a(R,R,1) : row(R) }.": (
        "write S = #count { 1,R,R : a(R,R,1), row(R) }, S \\ 2 = 0",
        ":- S = #count { 1,R,R : a(R,R,1), row(R) }, S \\ 2 = 0.",
        lambda grid: diagonal(grid).count(1) % 2 == 1,
    ),
    ":- #odd { a(1,1,1), a(2,3,1) }.": (
        "write S = #count { 1,a(1,1,1) : a(1,1,1); 1,a(2,3,1) : a(2,3,1) }, S \\ 2 = 1",
        ":- S = #count { 1,a(1,1,1) : a(1,1,1); 1,a(2,3,1) : a(2,3,1) }, S \\ 2 = 1.",
        lambda grid: (grid[0][0] == 1) == (grid[1][2] == 1),
    ),
    ":- 2 [ a(1,1,1), a(2,3,1), a(3,2,1) ].": (
        "#sum { 1,a(1,1,1) : a(1,1,1); 1,a(2,3,1) : a(2,3,1); 1,a(3,2,1) : a(3,2,1) }",
        ":- 2 #sum { 1,a(1,1,1) : a(1,1,1); 1,a(2,3,1) : a(2,3,1); 1,a(3,2,1) : a(3,2,1) }.",
        lambda grid: [grid[0][0], grid[1][2], grid[2][1]].count(1) < 2,
    ),
    "#compute { a(1,1,1), not a(2,3,2) }.": (
        "write :- not A. for each atom A in it, and :- A. for each not A",
        ":- not a(1,1,1).\n:- a(2,3,2).",
        lambda grid: grid[0][0] == 1 and grid[1][2] != 2,
    ),
    "compute 1 { a(1,1,1) }.": (
        "write :- not A. for each atom A in it",
        ":- not a(1,1,1).",
        lambda grid: grid[0][0] == 1,
    ),
    ":- a(1,1,N), N #mod 2 = 1.": (
        "written X \\ 2",
        ":- a(1,1,N), N \\ 2 = 1.",
        lambda grid: grid[0][0] % 2 == 0,
    ),
    ":- a(1,1,N), #pow(N,2) > 3.": (
        "write X**2",
        ":- a(1,1,N), N**2 > 3.",
        lambda grid: grid[0][0] == 1,
    ),
    ":- a(1,1,N), N eq 3.": ("write =", ":- a(1,1,N), N = 3.", lambda grid: grid[0][0] != 3),
    ":- a(1,1,N), 4 // N = 2.": (
        "write /",
        ":- a(1,1,N), 4 / N = 2.",
        lambda grid: grid[0][0] != 2,
    ),
    ":- a(1,1,N), M := N+1, a(2,3,M).": (
        "write =",
        ":- a(1,1,N), M = N+1, a(2,3,M).",
        lambda grid: grid[1][2] != grid[0][0] + 1,
    ),
    "a(1,1,1) v a(2,3,1).": (
        "for atoms of the grid :- not a(1,1,1), not a(2,2,1)",
        ":- not a(1,1,1), not a(2,3,1).",
        lambda grid: 1 in (grid[0][0], grid[1][2]),
    ),
    "p(1) v p(2).\n:- a(1,1,N), not p(N).": (
        "write ; between the atoms of a head",
        "p(1) ; p(2).\n:- a(1,1,N), not p(N).",
        lambda grid: grid[0][0] <= 2,
    ),
    ":- a(1,1,1) v a(2,3,1).": (
        "write a rule for each case",
        ":- a(1,1,1).\n:- a(2,3,1).",
        lambda grid: 1 not in (grid[0][0], grid[1][2]),
    ),
    ":- a(1,1,N) | a(2,3,N), N > 3.": (
        "write a rule for each case",
        ":- a(1,1,N), N > 3.\n:- a(2,3,N), N > 3.",
        lambda grid: 4 not in (grid[0][0], grid[1][2]),
    ),
    ":- a(1,1,1) & a(2,3,2).": (
        "write a comma instead of &",
        ":- a(1,1,1), a(2,3,2).",
        lambda grid: (grid[0][0], grid[1][2]) != (1, 2),
    ),
    ":- a(1,1,N) & N > 3.": (
        "& is an operation on numbers: write a comma",
        ":- a(1,1,N), N > 3.",
        lambda grid: grid[0][0] <= 3,
    ),
    ":- a(1,1,1), ~a(2,3,2).": (
        "write not instead of ~",
        ":- a(1,1,1), not a(2,3,2).",
        lambda grid: grid[0][0] != 1 or grid[1][2] == 2,
    ),
    "p <- a(1,1,1).\n:- p.": ("write :-", "p :- a(1,1,1).\n:- p.", lambda grid: grid[0][0] != 1),
    "<- a(1,1,1).": ("write :-", ":- a(1,1,1).", lambda grid: grid[0][0] != 1),
    "1 { p(1), p(2) } 1.\n:- a(1,1,N), not p(N).": (
        "write ; between the elements of { }",
        "1 { p(1) ; p(2) } 1.\n:- a(1,1,N), not p(N).",
        lambda grid: grid[0][0] <= 2,
    ),
    ":- 2 { a(R,R,1) : row(R) : column(R) }.": (
        "write , between the conditions of { }",
        ":- 2 { a(R,R,1) : row(R), column(R) }.",
        lambda grid: diagonal(grid).count(1) < 2,
    ),
}


@pytest.mark.parametrize("text", OBSOLETE)
def test_the_advice_for_obsolete_syntax(text):
    words, corrected, allows = OBSOLETE[text]
    found = lint.check(RuleFile.from_text("mine", text))
    assert any(words in each.text for each in found), found
    assert "error" in {each.severity for each in found}
    rule = RuleFile.from_text("mine", corrected)
    assert not lint.check(rule)
    assert aspdoku.count("....\n" * 4, with_=rule).count == sum(map(allows, GRIDS))


@pytest.mark.parametrize("case", one_in(3, CORRECTED))
def test_the_advice_leads_to_the_rule_that_was_meant(case):
    text, words, corrected, allows, section = CORRECTED[case]
    found = aspdoku.check(RuleFile.from_text("mine", text)).findings
    assert any(words in each.text for each in found), found
    rule = RuleFile.from_text("mine", corrected)
    assert aspdoku.check(rule).findings == ()
    expected = sum(map(allows, GRIDS))
    assert 0 < expected < len(GRIDS)
    assert aspdoku.count("....\n" * 4 + section, with_=rule).count == expected


# Files without an effect on the grids of the base and box, and the lines that have none.
NO_EFFECT = {
    "a number that no cell holds": (":- a(1,1,N), N > 99.", [1]),
    "one of two constraints": (":- a(1,1,2).\n:- a(R,C,N), a(R,C,M), N != M.", [2]),
    "terms that are counted": (":- #count { a(R,C,4) : cell(R,C) } < 3.", [1]),
    "twice in a row": (":- a(R,C,N), a(R,C1,N), C < C1.", [1]),
    "an input": (
        "#defined mark/2.  % mark(R,C): marked\n:- mark(R,C), a(R,C,N), N > 99.",
        [2],
    ),
    "what is chosen": ("{ mine(N) : number(N) } = 1.\n:- mine(N), number(N), N > 99.", [2]),
    "a bound": ("{ mine(N) : number(N) } 99.\n:- a(1,1,N), N > 99.", [1, 2]),
    "a comparison as a head": ("N < 99 :- a(R,C,N).", [1]),
}


@pytest.mark.parametrize("case", one_in(3, NO_EFFECT))
def test_constraints_that_no_grid_violates(case, monkeypatch):
    """The sizes that were tried are named; of the 288 grids of size 4, none is excluded."""
    text, lines = NO_EFFECT[case]
    monkeypatch.setattr(trial, "_SEARCH", 60.0)  # however busy the machine is
    found = trial._tried(RuleFile.from_text("mine", text), 60)
    assert [each.line for each in found] == lines
    assert all("no grid of 4x4, 6x6 or 9x9 violates this" in each.text for each in found)
    declared = [each for each in text.splitlines() if each.startswith(("#", "{"))]
    alone = "\n".join([*declared, text.splitlines()[-1]])
    marked = "....\n" * 4 + ("[mark]\nr1c1 r2c2" if "mark" in text else "")
    assert aspdoku.count(marked, with_=RuleFile.from_text("m", alone)).count == len(GRIDS)


def test_check_tries_grids():
    report = aspdoku.check(RuleFile.from_text("mine", ":- a(1,1,N), N > 99."))
    assert report
    assert "no grid of 4x4, 6x6 or 9x9 violates this constraint" in str(report)


WITH_EFFECT = {
    "only in large grids": ":- a(R,C,9), a(R+1,C+1,8).",
    "a choice": "{ mine(N) : number(N) } = 1.\n:- mine(N), a(1,1,N).",
    "a value in a large choice": "{ mine(N) : number(N) } 2.\n:- 2 { mine(N) }, a(1,1,1).",
    "a number of a puzzle from 0": ":- a(1,1,0).",
    "only shown": "mine(N) :- a(1,1,N).\n#show mine/1.",
    "an exception": "#defined ab/1.\nab(box).",
    "distinct numbers": ":- row(R), #sum { N : a(R,C,N) } != n*(n+1)/2 + 1.",
    "a set": ":- #count { N : a(R,R,N) } < 3.",
    "cages without repetition": CAGES
    + ":- cage_value(I,S), #sum { N : cage(R,C,I), a(R,C,N) } != S.\n"
    + ":- cage(R,C,I), cage(R1,C1,I), (R,C) != (R1,C1), a(R,C,N), a(R1,C1,N).",
    "in place of the rule on rows": "#defined line/1.  % line(R): the row is complete\n"
    ":- line(R), a(R,C,N), a(R,C1,N), C < C1.",
    "a value of zero": "#defined par/3.  % par(R,C,N): the parity of the number is N\n"
    ":- par(R,C,0), a(R,C,N), N \\ 2 = 1.",
}


@pytest.mark.parametrize("case", one_in(3, WITH_EFFECT))
def test_files_that_are_not_reported(case):
    found = aspdoku.check(RuleFile.from_text("mine", WITH_EFFECT[case])).findings
    assert not any("has no effect" in each.text or "a set" in each.text for each in found), found


def grids_of_clingo(text, numbers="1..n"):
    """How many 4x4 grids plain clingo allows with the base program, box and a rule, at most 2."""
    names = [*(f"-c{name}" for name in ("n=4", "box_rows=2", "box_columns=2")), "2", "--eq=0"]
    control = clingo.Control([*names, "--warn=none"])
    control.add("base", [], f"own_numbers.  number({numbers}).\n{text}")
    for file in ("base.lp", "elaborations/box.lp"):
        control.load(str(data_dir() / file))
    control.ground()
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


# Files that exclude every grid, and the place of what does.
NO_GRID = {
    "its own choice": ("1 { mine(R,C) : cell(R,C) } 1.\n:- mine(R,C), a(R,C,_).", (1, 1)),
    "contradictory bounds": ("2 { mine(1..3) } 1 :- a(1,1,_).", (1, 1)),
    "a choice of inputs": (
        "#defined in/2.  % in(R,C): a cell\n1 { mine(R,C) : in(R,C) } 1.\n:- mine(R,C), a(R,C,_).",
        (2, 1),
    ),
    "its own negation": ("% mine\nmine :- not mine.", (2, 1)),
    "its own negation for a number": ("mine(N) :- a(R,C,N), not mine(N).", (1, 1)),
    "both signs": ("mine(1).  -mine(N) :- number(N).", (1, 11)),
    "two constraints together": (":- a(1,1,N), N < 3.\n:- a(1,1,N), N > 2.", None),
    "a head that is false": ("% mine\nN > 9 :- a(R,C,N).", (2, 1)),
}


@pytest.mark.parametrize("case", NO_GRID)
def test_files_that_no_grid_satisfies(case, monkeypatch):
    text, place = NO_GRID[case]
    monkeypatch.setattr(trial, "_SEARCH", 60.0)
    (found,) = trial._tried(RuleFile.from_text("mine", text), 60)
    assert "no grid of 4x4, 6x6 or 9x9 satisfies this rule" in found.text
    free = "".join(re.findall(r"(?m)^#defined in.*", text)) and "{ in(R,C) } :- cell(R,C).\n"
    assert not grids_of_clingo(free + text)
    if place:
        assert (found.line, found.column) == place


SATISFIED = {
    "with other numbers": ("1 { mine(0) : number(0) } 1.\n:- mine(N), a(1,1,N).", "0..3"),
    "a choice that one grid needs": ("1 { mine(N) : a(1,1,N) } 1.\n:- mine(N), N < 4.", "1..n"),
    "recursion with two answer sets": ("p :- not q, a(1,1,1).\nq :- not p, a(1,1,1).", "1..n"),
    "both signs of different atoms": ("mine(1).  -mine(2).  :- mine(N), a(1,1,N).", "1..n"),
}


@pytest.mark.parametrize("case", SATISFIED)
def test_files_that_a_grid_satisfies(case):
    text, numbers = SATISFIED[case]
    found = trial._tried(RuleFile.from_text("mine", text), 20)
    assert not [each for each in found if "satisfies" in each.text]
    assert grids_of_clingo(text, numbers)


# Whether a file forbids nothing, which has no effect on other rules or on what is shown either.
WITHOUT_CONSTRAINT = {
    "mine(R,C) :- a(R,C,1).": True,
    "{ mine(N) : number(N) } :- a(1,1,1).": True,
    "#external mine.": True,
    "mine(N) :- a(1,1,N), not other(N).  other(N) :- a(2,2,N).": True,
    "{ mine(N) : number(N) } = 1 :- a(1,1,1).": False,
    "mine :- a(1,1,1), not mine.": False,
    "mine(N) :- a(1,1,N).  -mine(N) :- a(2,2,N).": False,
    "N < 4 :- a(1,1,N).": False,
    "mine(R,C) :- a(R,C,1).  #show mine/2.": False,
    "#defined ab/1.\nab(box).": False,
    "gt(R,C,R+1,C) :- cell(R,C), cell(R+1,C), R \\ 2 = 0.": False,
}


@in_one_test("text", WITHOUT_CONSTRAINT)
def test_files_without_a_constraint(text):
    found = [each.text for each in lint.check(RuleFile.from_text("mine", text))]
    expected = WITHOUT_CONSTRAINT[text]
    assert any("so that it forbids no grid" in each for each in found) == expected
    if expected:
        assert aspdoku.count("....\n" * 4, with_=RuleFile.from_text("mine", text)).count == 288


def test_nothing_is_claimed_if_a_search_does_not_end(monkeypatch):
    rule = RuleFile.from_text("mine", NO_EFFECT["a number that no cell holds"][0])
    monkeypatch.setattr(trial, "_SEARCH", 0.0)
    assert trial._tried(rule, 20) == []


def test_choices_have_variables_that_occur_once():
    text = "{ mine(R,K) : number(K) } :- row(R).\n:- row(R), 2 { mine(R,K) }, a(R,1,1)."
    assert lint.check(RuleFile.from_text("mine", text)) == []


def test_variables_that_occur_once_are_listed_in_one_sentence():
    text = ":- a(R,C,3), a(X,Y,4)."
    found, *_ = aspdoku.check(RuleFile.from_text("mine", text)).findings
    assert "R, C, X and Y each occur only once in this rule, so that" in found.text
    assert not re.search("and .* and", found.text.partition(" in this rule")[0])
