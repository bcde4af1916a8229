"""Completed puzzles: plain clingo tries every single given and clue on its own."""

from itertools import chain, product
from pathlib import Path

import clingo
import pytest

import aspdoku
from aspdoku.errors import PuzzleError, RuleError, TimeLimitError
from aspdoku.generation import completion, new_clues
from aspdoku.puzzle.term import to_asp

INSTANCES = Path(__file__).parents[2] / "instances"
SIGNS = (
    "with: greater-than\n. 2 . .\n. . . .\n. . . 1\n. . . .\n[facts]\ngt(1,2,1,1). gt(1,4,2,4).\n"
)
DOTS = "with: white-dots\n. . . .\n. . . .\n3 . . .\n. . . 1\n[facts]\nwhite_dot(1,1,1,2,1).\n"
MARKS = "with: even\n. . . .\n. 2 . .\n. . 4 .\n. . . 3\n[facts]\neven(1,1).\n"
CAGES = """with: killer
. . . .
. . 1 2
. . . .
. . . .
[cage]
A A C C
. B . D
. B . D
. . . .
A = 3
B = 6
C =
D =
"""
VIEWS = "with: skyscraper\n. . . .\n. . . .\n. . . 1\n. . 3 .\n[facts]\nskyscraper(left,1,2).\n"
VIEWS += "skyscraper(top,3,3).\n"
CLASSIC = "1... .... .... ..4."
SIX = ". 2 3 .\n4 . . .\n. . . .\n. . . .\n"
LINES = f"with: thermo\n{SIX}[facts]\n"
LINES += "thermo(1,1,1,1). thermo(1,2,1,2). thermo(1,3,2,2).\n"
CORNERS = "with: quadruple\n. . . .\n. . . 1\n. 4 . 2\n. . . .\n[facts]\n"
CORNERS += "quadruple(1,1,3,1). quadruple(1,1,4,1).\n"
TEXTS = {
    "classic": CLASSIC,
    "pairs": "1... ..3. 3... ..1.",
    "diagonal": "with: diagonal\n1 . . .\n. . . .\n. . . .\n. 2 . .\n",
    "signs": SIGNS,
    "dots": DOTS,
    "marks": MARKS,
    "cages": CAGES,
    "views": VIEWS,
}
SPAN = range(1, 5)
NEXT = [
    (row, column, row1, column1)
    for row, column, row1, column1 in product(SPAN, repeat=4)
    if abs(row - row1) + abs(column - column1) == 1
]
# All clues of one fact, without those at a place where the puzzle has one.
CLUES = {
    "signs": [
        f"gt{cells}"
        for cells in NEXT
        if {cells[:2], cells[2:]} not in ({(1, 1), (1, 2)}, {(1, 4), (2, 4)})
    ],
    "dots": [
        f"white_dot{(*cells, 1)}"
        for cells in NEXT
        if cells[:2] < cells[2:] and cells != (1, 1, 1, 2)
    ],
    "marks": [f"even{cell}" for cell in product(SPAN, repeat=2) if cell != (1, 1)],
    "cages": [f'cage_value("{name}",{value})' for name in "CD" for value in range(17)],
    "views": [
        f"skyscraper({edge},{place},{value})"
        for edge in ("left", "right", "top", "bottom")
        for place in SPAN
        for value in range(17)
        if (edge, place) not in (("left", 1), ("top", 3))
    ],
}


def grids(program, most=0):
    """The grids of a program text by plain clingo."""
    control = clingo.Control(["--project=project", str(most)])
    control.add("base", [], program)
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        return [
            {str(atom) for atom in model.symbols(atoms=True) if atom.match("a", 3)}
            for model in models
        ]


def sufficient(program, facts):
    """The facts with which there is one grid."""
    return {fact.replace(" ", "") for fact in facts if len(grids(f"{program}\n{fact}.", 2)) == 1}


def all_givens(puzzle):
    return [
        f"a({row},{column},{number})"
        for row, column, number in product(SPAN, repeat=3)
        if puzzle[row, column] is None
    ]


@pytest.fixture
def ungraded(monkeypatch):
    """Additions are not graded, which takes longer than to find them."""
    monkeypatch.setattr(completion, "_difficulty", lambda *_: None)


@pytest.mark.usefixtures("ungraded")
@pytest.mark.slow_cases("cages", "views")
@pytest.mark.parametrize("name", TEXTS)
def test_plain_clingo_finds_the_same_givens_and_clues(name):
    program = aspdoku.compose(aspdoku.parse(TEXTS[name]))
    expected = sufficient(program.text, [*all_givens(program.puzzle), *CLUES.get(name, ())])
    found = aspdoku.complete(TEXTS[name], limit=0)
    assert {
        str(fact) for each in found.additions if not each.drawn for fact in each.facts
    } == expected
    assert found.total == len(found.additions)
    for each in found.additions:
        (grid,) = grids(program.text + "".join(f"\n{fact}." for fact in each.facts))
        rows = each.solution.rows
        assert grid == {f"a({r},{c},{rows[r - 1][c - 1]})" for r, c in product(SPAN, repeat=2)}


def test_only_those_with_the_intended_solution():
    every = aspdoku.complete(SIGNS, limit=0).additions
    intended = every[0].solution
    wanted = [each.facts for each in every if each.solution == intended]
    found = aspdoku.complete(SIGNS, intended, limit=0)
    assert {each.facts for each in found.additions} == set(wanted)
    assert 0 < len(wanted) < len(every)


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        ("1234 3412 2143 4321", "is not a solution"),
        ("1234 3412 2143 432.", "is not a filled grid"),
        (aspdoku.Puzzle.blank(6), "is not a filled grid"),
    ],
)
def test_an_intended_solution_that_is_none(solution, message):
    with pytest.raises(PuzzleError, match=message):
        aspdoku.complete(SIGNS, solution)


def test_the_easiest_come_first_and_ties_are_in_reading_order():
    found = aspdoku.complete(SIGNS)
    grades = [(each.difficulty.hardest, each.difficulty.work) for each in found.additions]
    assert grades == sorted(grades)
    assert grades[0] == grades[1]
    assert [each.name for each in found.additions][:2] == ["r3c3=3", "r3c3=4"]
    for each in found.additions:
        puzzle = found.program.puzzle.replace(facts=(*found.program.puzzle.facts, *each.facts))
        assert aspdoku.grade(puzzle).difficulty == each.difficulty


ONE_CAGE = """with: killer
. . . .
. . . .
. . . .
. . . .
[cage]
A A . .
. . . .
. B B .
. B . .
A = 3
B =
"""


@pytest.mark.parametrize("limit", [0, 3])
@pytest.mark.parametrize(
    "text", ["1234" + "." * 12, pytest.param(ONE_CAGE, marks=pytest.mark.slow)]
)
def test_if_none_suffices_plain_clingo_counts_as_many_solutions_left(text, limit):
    program = aspdoku.compose(aspdoku.parse(text))
    found = aspdoku.complete(text, limit=limit)
    assert not found.additions
    nearest = found.data.nearest
    for clue, left in nearest:
        facts = "".join(f"\n{to_asp(fact)}." for fact in clue.facts)
        assert len(grids(program.text + facts)) == left > 1
    lefts = [each.left for each in nearest]
    assert lefts == sorted(lefts)
    every = {fact: len(grids(f"{program.text}\n{fact}.")) for fact in all_givens(program.puzzle)}
    if limit:
        assert len(nearest) == limit
    else:
        stated = {to_asp(each.clue.facts[0]): each.left for each in nearest if not each.clue.rule}
        assert stated == {fact: left for fact, left in every.items() if left}
    assert lefts[0] <= min(filter(None, every.values()))
    printed = [line.rsplit(maxsplit=1) for line in str(found).splitlines()]
    assert [[clue.name, str(left)] in printed for clue, left in nearest] == [True] * len(nearest)


def test_the_nearest_have_the_intended_solution():
    solution = "1234 3412 2143 4321"
    program = aspdoku.compose(aspdoku.parse("1234" + "." * 12))
    found = aspdoku.complete(program, solution, limit=0)
    assert not found.additions
    rows = solution.split()
    cells = {f"a({r},{c},{rows[r - 1][c - 1]})" for r, c in product(SPAN, repeat=2)}
    assert {to_asp(each.clue.facts[0]) for each in found.data.nearest} == cells - {
        f"a(1,{column},{column})" for column in SPAN
    }


def filled_by_singles(givens):
    """The number of cells of a classic 9x9 puzzle that are filled after its naked and hidden
    singles.
    """
    span = range(1, 10)
    units = [[(row, column) for column in span] for row in span]
    units += [[(row, column) for row in span] for column in span]
    units += [
        [(row + down, column + right) for down in range(3) for right in range(3)]
        for row, column in product((1, 4, 7), repeat=2)
    ]
    grid, before = dict(givens), -1
    while before < len(grid):
        before = len(grid)
        seen = {
            cell: {grid.get(other) for unit in units if cell in unit for other in unit}
            for cell in product(span, repeat=2)
        }
        possible = {cell: {*span} - numbers for cell, numbers in seen.items() if cell not in grid}
        for unit in units:
            for number in span:
                places = [cell for cell in unit if number in possible.get(cell, ())]
                if len(places) == 1:
                    grid[places[0]] = number
        grid |= {cell: min(numbers) for cell, numbers in possible.items() if len(numbers) == 1}
    return len(grid)


@pytest.mark.usefixtures("ungraded")
def test_the_cells_that_singles_fill():
    puzzle = aspdoku.read(INSTANCES / "csp" / "escargot.txt")
    grid = [list(cells) for cells in puzzle.grid]
    grid[0][0] = None
    found = aspdoku.complete(puzzle.replace(grid=tuple(map(tuple, grid))), limit=0)
    givens = found.program.puzzle.givens()
    assert len({each.filled for each in found.additions}) > 2
    for each in found.additions:
        row, column, number = each.facts[0].arguments
        filled = filled_by_singles(givens | {(row, column): number})
        assert each.filled == filled - len(givens), each.name


def test_a_limit():
    found = aspdoku.complete(SIGNS, limit=2)
    assert (found.total, len(found.additions)) == (5, 2)
    assert str(found).startswith("5 single additions make the solution unique; the best 2:\n")


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("." * 16, "several", "no single addition makes the solution unique: at least "),
        ("11" + "." * 14, "none", "no solution"),
        (".4.....4..2.1...", "unique", "the solution is unique already"),
    ],
)
def test_nothing_to_add(text, status, words):
    found = aspdoku.complete(text)
    assert (found.status, found.additions, found.total) == (status, (), 0)
    assert str(found).startswith(words)


def test_the_open_cells_of_a_puzzle_that_needs_more_than_one_addition():
    found = aspdoku.complete(CLASSIC)
    candidates = aspdoku.candidates(CLASSIC).candidates
    assert found.data.open_cells == {
        (row, column): candidates[row - 1][column - 1]
        for row, column in product(SPAN, repeat=2)
        if len(candidates[row - 1][column - 1]) > 1
    }


def test_what_was_found_before_the_time_limit_is_kept(monkeypatch):
    calls = []

    def difficulty(*arguments):
        calls.append(arguments)
        if len(calls) > 2:
            raise TimeLimitError("time limit reached")
        return rated(*arguments)

    rated = completion._difficulty
    monkeypatch.setattr(completion, "_difficulty", difficulty)
    found = aspdoku.complete(SIGNS)
    assert (found.total, found.data.ended) == (5, "time")
    assert [each.difficulty is None for each in found.additions] == [False] * 2 + [True] * 3
    assert "incomplete: the time limit was reached" in str(found)
    assert str(found).endswith("not graded")


DRAWN = {
    "cages": CAGES,
    "no cages": f"with: killer\n{SIX}",
    "lines": LINES,
    "corners": CORNERS,
    "no signs": f"with: greater-than\n{SIX}".replace("4 . . .", ". 4 . ."),
}


def shape(clue):
    """The facts without the name of the cage or line."""
    named = clue.rule in ("killer", "thermo")
    place = {"cage": 2, "cage_value": 0, "thermo": 0}
    return {
        (fact.name, *(each for at, each in enumerate(fact.arguments) if at != place.get(fact.name)))
        if named
        else fact
        for fact in clue.facts
    }


def completed(monkeypatch, text, *arguments, **options):
    """A puzzle with its additions, and the clues that were drawn for it."""
    found = {}

    def recorded(*arguments):
        found.update(new_clues.drawn_clues(*arguments))
        return found

    monkeypatch.setattr(completion, "drawn_clues", recorded)
    result = aspdoku.complete(text, *arguments, limit=0, **options)
    return result, list(chain(*found.values()))


def text_of(facts):
    return "".join(f"\n{to_asp(fact)}." for fact in facts)


@pytest.mark.usefixtures("ungraded")
@pytest.mark.filterwarnings("ignore::aspdoku.errors.MissingInputWarning")
@pytest.mark.parametrize("name", DRAWN)
def test_plain_clingo_finds_the_same_of_the_clues_that_are_drawn(name, monkeypatch):
    found, clues = completed(monkeypatch, DRAWN[name])
    text = found.program.text
    answers = [len(grids(text + text_of(clue.facts), 2)) for clue in clues]
    assert 0 not in answers, "a clue that is wrong in all solutions"
    expected = {clue.facts for clue, number in zip(clues, answers, strict=True) if number == 1}
    assert expected, "nothing to find"
    assert sum(found.data.drawn.values()) == len(clues)
    assert {each.facts for each in found.additions if each.drawn} == expected


@pytest.mark.usefixtures("ungraded")
@pytest.mark.filterwarnings("ignore::aspdoku.errors.MissingInputWarning")
@pytest.mark.parametrize("name", DRAWN)
def test_clues_that_are_drawn_are_new(name, monkeypatch):
    found, clues = completed(monkeypatch, DRAWN[name])
    program = found.program
    looks = [frozenset(shape(clue)) for clue in clues]
    assert len(set(looks)) == len(looks)
    taken = {fact.arguments[-2:] for fact in program.puzzle.facts if fact.name == "thermo"}
    taken |= {
        fact.arguments[:2] for fact in program.puzzle.facts if fact.name in ("cage", "quadruple")
    }
    names = set()
    for clue in clues:
        for fact in clue.facts:
            cell = fact.arguments[-2:] if fact.name == "thermo" else fact.arguments[:2]
            assert fact.name == "cage_value" or cell not in taken
        own = {fact.arguments[0] for fact in clue.facts if fact.name in ("thermo", "cage_value")}
        assert names.isdisjoint(own)
        names |= own
    assert '"A"' not in map(to_asp, names)


@pytest.mark.usefixtures("ungraded")
def test_the_seed_of_the_clues_that_are_drawn(monkeypatch):
    one, again, other = (completed(monkeypatch, CAGES, seed=seed)[1] for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.usefixtures("ungraded")
def test_clues_are_drawn_for_the_intended_solution(monkeypatch):
    *_, intended = aspdoku.solve(CAGES, limit=0)
    rows = {f"a({r},{c},{intended.rows[r - 1][c - 1]})" for r, c in product(SPAN, repeat=2)}
    found, clues = completed(monkeypatch, CAGES, intended)
    assert clues
    for clue in clues:
        assert rows in grids(found.program.text + text_of(clue.facts))
    assert {each.solution for each in found.additions} == {intended}


@pytest.mark.usefixtures("ungraded")
def test_the_answer_states_how_many_clues_were_drawn():
    found = aspdoku.complete(CAGES, limit=0, seed=3)
    number = found.data.drawn["killer"]
    words = f"(of clues drawn at random with seed 3, {number} of killer were tried)"
    assert words in str(found).splitlines()[0]
    cage = next(each for each in found.additions if each.drawn and each.facts[1:])
    assert f"\n{cage.name}: {' '.join(f'{fact}.' for fact in cage.facts)}" in str(found)
    assert found.to_json()["drawn"] == [{"rule": "killer", "clues": number}]
    assert "drawn at random" not in str(aspdoku.complete(SIGNS, limit=0))


@pytest.mark.filterwarnings("ignore::aspdoku.errors.MissingInputWarning")
def test_an_invalid_gen_file(tmp_path):
    (tmp_path / "mine.lp").write_text(
        "% Mine.\n#defined mine/2.  % mine(R,C): odd\n:- mine(R,C), a(R,C,N), N \\ 2 = 0.\n"
    )
    (tmp_path / "mine.gen").write_text("mine(R,C) :- a(R,C,N)\n")
    with pytest.raises(RuleError, match=r"mine\.gen"):
        aspdoku.complete(CLASSIC, with_=tmp_path / "mine.lp")
