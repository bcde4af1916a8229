"""Minimised puzzles: the oracle and plain clingo decide whether they are unique and minimal."""

import random
import re
from dataclasses import replace

import clingo
import oracle
import pytest

import aspdoku
from aspdoku.errors import AspdokuError
from aspdoku.runtime.deadline import Deadline

FULL = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
SIGNS = (
    f"with: greater-than\n{FULL}[facts]\n"
    "gt(1,2,1,1). gt(1,4,1,3). gt(2,2,2,1). gt(1,4,2,4). gt(3,1,3,2).\n"
)
CAGES = f"with: killer\n{FULL}[cage]\nA A C C\nA B D D\nB B E F\nG G E F\n"
CAGES += "A = 6\nB = 7\nC = 7\nD = 3\nE = 6\nF = 4\nG = 7\n"
TEXTS = {"classic": FULL, "signs": SIGNS, "cages": CAGES}
# The number 1 may only be in marked cells: without a mark, there are fewer solutions, not more.
MARKED = """% Only marked cells can contain a 1.
#defined mark/2.  % mark(R,C): the cell in row R, column C is marked
:- a(R,C,1), not mark(R,C).
"""


def by_the_oracle(puzzle):
    """The givens and the rules of a puzzle, for the oracle."""
    signs, cells, sums = [], {}, {}
    for fact in puzzle.facts:
        if fact.name == "gt":
            signs.append((fact.arguments[:2], fact.arguments[2:]))
        elif fact.name == "cage":
            cells.setdefault(fact.arguments[2], []).append(fact.arguments[:2])
        else:
            assert fact.name == "cage_value"
            sums[fact.arguments[0]] = fact.arguments[1]
    cages = tuple(
        oracle.Cage(tuple(sorted(its)), sums.get(name), str(name)) for name, its in cells.items()
    )
    rules = replace(oracle.CLASSIC, greater_than=tuple(signs), cages=cages)
    return [list(row) for row in puzzle.grid], rules


def is_unique(givens, rules):
    return len(oracle.solutions(givens, rules, limit=2)) == 1


def smaller(givens, rules):
    """The puzzle without one given or clue, in all ways."""
    for row, cells in enumerate(givens):
        for column, number in enumerate(cells):
            if number is not None:
                left = [list(each) for each in givens]
                left[row][column] = None
                yield left, rules
    for name in ("greater_than", "cages"):
        items = getattr(rules, name)
        for item in items:
            yield givens, replace(rules, **{name: tuple(one for one in items if one != item)})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_oracle_finds_one_solution_and_several_without_any_given_or_clue(text, seed):
    found = aspdoku.minimise(text, seed=seed)
    givens, rules = by_the_oracle(found.puzzle)
    assert found.is_minimal
    assert is_unique(givens, rules)
    assert oracle.solutions(givens, rules)[0] == [
        list(row) for row in aspdoku.solve(text).solutions[0].rows
    ]
    ways = list(smaller(givens, rules))
    assert ways
    assert not any(is_unique(*way) for way in ways)


def count_up_to_two(program):
    """The number of grids of a program text by plain clingo, at most 2."""
    control = clingo.Control(["--project=project", "2"])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


@pytest.mark.parametrize("name", ["anti-knight", "greater-than", "killer"])
def test_plain_clingo_agrees_at_9x9(name):
    puzzle = aspdoku.minimise(f"example:{name}", seed=7).puzzle
    assert count_up_to_two(aspdoku.compose(puzzle).text) == 1
    givens = list(puzzle.givens())
    for row, column in random.Random(1).sample(givens, min(5, len(givens))):
        grid = [list(cells) for cells in puzzle.grid]
        grid[row - 1][column - 1] = None
        without = puzzle.replace(grid=tuple(map(tuple, grid)))
        assert count_up_to_two(aspdoku.compose(without).text) == 2


def test_a_clue_whose_absence_restricts(tmp_path):
    """Its removal can make others removable, and what is not removed can be needed only by it."""
    (tmp_path / "marked.lp").write_text(MARKED)
    file = tmp_path / "grid.txt"
    marks = "".join(f"mark({row},{column})." for row in range(1, 5) for column in range(1, 5))
    file.write_text(f"with: marked.lp\n{FULL}[facts]\n{marks}\n")
    for seed in range(5):
        puzzle = aspdoku.minimise(file, seed=seed).puzzle
        ones = {("mark", (row, column)) for row, column in [(1, 1), (2, 3), (3, 2), (4, 4)]}
        assert {(fact.name, fact.arguments) for fact in puzzle.facts} >= ones
        assert aspdoku.unique(puzzle).status == "unique"
        for fact in puzzle.facts:
            fewer = puzzle.replace(facts=tuple(each for each in puzzle.facts if each != fact))
            assert aspdoku.unique(fewer).status != "unique"


def test_nothing_that_is_to_be_kept_is_removed():
    puzzle = aspdoku.parse(CAGES)
    givens = aspdoku.minimise(puzzle, keep="givens")
    assert givens.puzzle.givens() == puzzle.givens()
    assert not givens.puzzle.facts  # the full grid needs no cage
    clues = aspdoku.minimise(puzzle, keep=["clues"])
    assert clues.puzzle.facts == puzzle.facts
    assert len(clues.puzzle.givens()) < 16
    rule = aspdoku.minimise(puzzle, keep="killer")
    assert (rule.puzzle, rule.removed) == (clues.puzzle, clues.removed)
    some = aspdoku.minimise(puzzle, keep=["r2c3", "C", "cage D from r2c3"])
    assert some.puzzle.givens()[2, 3] == 1
    assert {fact.arguments[2] for fact in some.puzzle.facts if fact.name == "cage"} >= {"C", "D"}


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("r1c5", "nothing to keep: 'r1c5'"),
        ("kller", r"nothing to keep: 'kller'; expected givens, .* Did you mean 'killer'\?"),
    ],
)
def test_a_name_that_nothing_has(keep, message):
    with pytest.raises(AspdokuError) as error:
        aspdoku.minimise(CAGES, keep=keep)
    assert re.match(message, str(error.value))


def test_the_seed_decides_the_order():
    results = [str(aspdoku.minimise(FULL, seed=seed)) for seed in (0, 0, 1, 2, 3)]
    assert results[0] == results[1]
    assert len(set(results)) > 1


def test_regions_are_part_of_the_board():
    regions = "".join(
        f"box({row},{column},{(column + 1) // 2 + 2 * (row > 2)})."
        for row in range(1, 5)
        for column in range(1, 5)
    )
    puzzle = aspdoku.parse(f"{FULL}[facts]\n{regions}\n")
    found = aspdoku.minimise(puzzle)
    assert found.removed
    assert found.puzzle.facts == puzzle.facts


def test_the_puzzle_names_the_rules_that_were_added(tmp_path):
    (tmp_path / "mine.lp").write_text(":- a(1,1,4).\n")
    found = aspdoku.minimise(
        FULL, with_=["even", tmp_path / "mine.lp"], facts="even(1,2)", keep="clues"
    )
    assert found.puzzle.elaborations == ("even",)
    assert found.remarks == (
        f"the puzzle does not name the rule file {tmp_path / 'mine.lp'}: add it with --with or"
        " with_=",
    )
    assert aspdoku.unique(found.puzzle, with_=tmp_path / "mine.lp")


@pytest.mark.parametrize(("text", "status"), [("." * 16, "several"), ("11" + "." * 14, "none")])
def test_only_a_puzzle_with_a_unique_solution_is_minimised(text, status):
    found = aspdoku.minimise(text)
    assert (found.status, found.is_minimal, found.removed) == (status, False, ())
    assert str(found).startswith("only a puzzle with a unique solution can be minimised: ")
    assert found.puzzle == aspdoku.parse(text)


def test_what_was_removed_before_the_time_limit_is_kept(monkeypatch):
    removed = []
    monkeypatch.setattr("aspdoku.generation.minimal.note", removed.append)
    monkeypatch.setattr(Deadline, "passed", property(lambda _: len(removed) > 1))
    monkeypatch.setattr("aspdoku.engine.propagators._UNCHECKED", 1)
    found = aspdoku.minimise(FULL)
    assert not found.is_minimal
    assert found.removed
    assert len(found.removed) + len(found.puzzle.givens()) == 16
    assert is_unique(*by_the_oracle(found.puzzle))
    assert repr(found).endswith("not minimal: the time limit was reached>")
