"""Rules that make exceptions of clues, on all 4x4 grids, in reports about them, and in blocks of
alternatives of Interactive Sudoku Solver.
"""

from itertools import product
from random import Random

import clingo
import pytest
from choice_semantics import clue_holds, satisfies_either, satisfies_liar, sudokus
from oracle import cells_of
from rule_semantics import path

import aspdoku
from aspdoku.engine import Solver
from aspdoku.engine.clues import clues
from aspdoku.formats.equivalence import differences
from aspdoku.formats.native import write_with_labels
from aspdoku.lecture.changes import contract
from aspdoku.program import compose, library
from aspdoku.program.lint import notes
from aspdoku.puzzle import Function, Puzzle

KILLER, THERMO = Function("killer"), Function("thermo")


def random_clues(rng):
    """Three thermometers and three cages, of which some are true together and some are not."""
    facts = {"thermo": [], "cage": [], "cage_value": []}
    for label in "ABC":
        for place, cell in enumerate(path(rng, 4, 3, 2), 1):
            facts["thermo"].append((label, place, *cell))
        cells = rng.sample(cells_of(4), 2)
        facts["cage"] += [(*cell, label) for cell in cells]
        facts["cage_value"].append((label, rng.randint(3, 7)))
    return facts, [*product((KILLER, THERMO), "ABC")]


def solutions(facts, *names):
    atoms = tuple(Function(each, terms) for each, listed in facts.items() for terms in listed)
    program = compose(Puzzle.blank(4).replace(facts=atoms), *names, "killer", "thermo")
    assert program.warnings == ()
    return [solution.rows for solution in Solver(program).search(0)]


@pytest.mark.slow_cases("2")
@pytest.mark.parametrize("seed", range(3))
def test_options_of_several_clues_on_all_4x4_grids(seed):
    rng = Random(f"either {seed}")
    facts, listed = random_clues(rng)
    facts["either"] = [
        (group, option, *clue)
        for group in (1, 2)
        for option in "ab"
        for clue in rng.sample(listed, rng.randint(1, 3))
    ]
    found = solutions(facts, "either")
    assert len(found) == len(set(found))
    assert set(found) == {grid for grid in sudokus(4) if satisfies_either(grid, facts)}


@pytest.mark.slow_cases("2")
@pytest.mark.parametrize("seed", range(3))
def test_one_clue_of_each_group_on_all_4x4_grids(seed):
    rng = Random(f"liar {seed}")
    facts, listed = random_clues(rng)
    rng.shuffle(listed)
    facts["liar"] = [(group, *clue) for group in (1, 2) for clue in listed[group::2]]
    found = solutions(facts, "liar")
    assert len(found) == len(set(found))
    assert set(found) == {grid for grid in sudokus(4) if satisfies_liar(grid, facts)}


def test_the_clue_that_is_named_is_false_if_it_is_the_only_one():
    puzzle = aspdoku.read("example:liar")
    facts = {}
    for fact in puzzle.facts:
        facts.setdefault(fact.name, []).append(fact.arguments)
    found = aspdoku.solve(puzzle)
    (named,) = found.solution.shown
    assert not clue_holds(found.solution.rows, facts, *map(str, named.arguments))
    without = aspdoku.solve(puzzle, without="liar")
    assert without.status == "none"


def test_at_most_one_clue_of_a_group_is_false_and_a_unique_exempt_one_is():
    """The clue that a solution names may be true; it is false if no other solution has the same
    grid, as the guide says.
    """
    facts = {
        "cage": [(1, 1, "A"), (1, 2, "A"), (3, 3, "B"), (4, 3, "B"), (3, 1, "C"), (4, 2, "C")],
        "cage_value": [("A", 3), ("B", 5), ("C", 5)],
        "liar": [(1, KILLER, label) for label in "ABC"],
    }
    atoms = tuple(Function(each, terms) for each, listed in facts.items() for terms in listed)
    program = compose(Puzzle.blank(4).replace(facts=atoms), "liar", "killer")
    named = {}
    control = clingo.Control(["0"])
    control.add(program.text)
    control.ground()
    with control.solve(yield_=True) as models:
        for model in models:
            atoms = model.symbols(shown=True)
            cells = (atom.arguments for atom in atoms if atom.name == "a")
            numbers = {(r, c): number.number for r, c, number in cells}
            (exempt,) = (atom for atom in atoms if atom.name == "liar_exempt")
            rows = tuple(
                tuple(numbers[clingo.Number(r), clingo.Number(c)] for c in range(1, 5))
                for r in range(1, 5)
            )
            named.setdefault(rows, []).append(exempt.arguments[1].string)
    false = {
        grid: [label for label in "ABC" if not clue_holds(grid, facts, "killer", label)]
        for grid in sudokus(4)
    }
    assert {grid for grid in false if len(false[grid]) <= 1} == named.keys()
    assert all(sorted(named[grid]) == (false[grid] or [*"ABC"]) for grid in named)
    assert {len(false[grid]) for grid in named} == {0, 1}


@pytest.mark.slow_cases("either")
@pytest.mark.parametrize("name", ["either", "liar"])
def test_reports_about_a_puzzle_with_clues_that_may_be_false(name):
    """The rule is a parameter of the others; its clues are removed together, and only with it."""
    assert notes(library.find(name)) == []
    puzzle = aspdoku.read(f"example:{name}")
    program = compose(puzzle)
    assert program.warnings == ()
    assert {clue.rule for clue in clues(program)} == {name}
    before = [part.rule for part in program.parts if part.rule.name != name]
    assert contract(library.find(name), before).kind == "parameter"
    for each in aspdoku.redundant(puzzle).items:
        if each.kind == "clue":
            rest = [fact for fact in puzzle.facts if fact not in each.facts]
            count = Solver(compose(puzzle.replace(facts=tuple(rest)))).search(2).count()
            assert each.needed == (count == 2)


@pytest.mark.parametrize(
    ("fact", "warning"),
    [
        (
            "either(1,1,kiler,1)",
            "no rule of this program uses either(1,1,kiler,1). Did you mean 'killer'?",
        ),
        ("either(1,1,killer,2)", "either(1,1,killer,2): the rule killer has no clue 2"),
        ("either(1,1,killer,1)", None),
        ("either(1,1,box,7)", None),
    ],
)
def test_a_clue_that_there_is_not_is_reported(fact, warning):
    text = "with: killer, either\n\n" + ". . . .\n" * 4 + f"[facts]\ncage(1,1,1). {fact}.\n"
    assert compose(aspdoku.parse(text)).warnings == ((warning,) if warning else ())


def test_a_rule_that_names_a_retracted_rule_gets_a_note():
    text = "#defined p/2.  % p(T,U): clue U of rule T\nab(box) :- p(T,U).\nab(T,U) :- p(T,U).\n"
    (note,) = notes(aspdoku.RuleFile.from_text("other", text))
    assert note.line == 2


# ---- Interactive Sudoku Solver ----

BLOCKS = {
    ".Or.Cage~3~R1C1~R1C2.Thermo~R1C1~R2C1.End": (
        "cage(1,1,1). cage(1,2,1). cage_value(1,3). either(1,1,killer,1)."
        " thermo(1,1,1,1). thermo(1,2,2,1). either(1,2,thermo,1)."
    ),
    ".And.Or.~R1C1_1_2.Or.And.~R2C2_3~R3C3_4.End.End.End.End": (
        "sum_cage(1,1,1). sum_cage_value(1,1). either(1,1,sum_cage,1)."
        " sum_cage(1,1,2). sum_cage_value(2,2). either(1,2,sum_cage,2)."
        " sum_cage(2,2,3). sum_cage_value(3,3). either(1,3,sum_cage,3)."
        " sum_cage(3,3,4). sum_cage_value(4,4). either(1,3,sum_cage,4)."
    ),
    ".Or.Skyscraper~R1~2~3.Sum~4~R1C1.End.Skyscraper~R1~4~": (
        "skyscraper(left,1,4). skyscraper(left,1,2). skyscraper(right,1,3)."
        " either(1,1,skyscraper,(left,1,2)). either(1,1,skyscraper,(right,1,3))."
        " sum_cage(1,1,1). sum_cage_value(1,4). either(1,2,sum_cage,1)."
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "facts"), BLOCKS.items())
def test_a_block_of_alternatives_becomes_facts(text, facts):
    puzzle = aspdoku.parse(f".Shape~4x4{text}")
    assert puzzle.unsupported == ()
    assert {f"{fact}." for fact in puzzle.facts} == set(facts.split(" "))
    assert compose(puzzle).warnings == ()


def test_all_grids_of_blocks_of_alternatives():
    """Nested blocks, compared with a condition in Python."""
    text = (
        ".Or.And.~R1C1_1_2.Or.Skyscraper~R1~2~.XSum~C1~~4.NumberedRoom~C1~3~.End.End"
        ".And.HiddenSkyscraper~R4~3~.~R1C1_4.End.Pair~Q~~R1C1~R1C2.End"
    )

    def holds(grid):
        first, bottom = grid[0], [row[0] for row in grid][::-1]
        column = bottom[::-1]
        seen = sum(number > max(first[:place], default=0) for place, number in enumerate(first))
        hidden = [n for place, n in enumerate(grid[3]) if n < max(grid[3][:place], default=0)]
        return (
            (
                first[0] in (1, 2)
                and (seen == 2 or sum(bottom[: bottom[0]]) == 4 or column[column[0] - 1] == 3)
            )
            or (hidden[:1] == [3] and first[0] == 4)
            or first[:2] == (2, 1)
        )

    puzzle = aspdoku.parse(f".Shape~4x4{text}")
    assert puzzle.unsupported == ()
    found = {solution.rows for solution in Solver(compose(puzzle)).search(0)}
    assert found == {grid for grid in sudokus(4) if holds(grid)}


def rank(grid, place):
    """The rank of a row among all rows and columns read from both ends."""
    lines = [*grid, *zip(*grid, strict=True)]
    return 1 + sum(line < grid[place] for each in lines for line in (each, each[::-1]))


def counts_circles(grid, *cells):
    numbers = [grid[r - 1][c - 1] for r, c in cells]
    return all(numbers.count(number) == number for number in numbers)


# Kinds of clues that have no names, as conditions on a grid.
UNNAMED = {
    "CountingCircles~R1C1~R2C3~R3C2": lambda grid: counts_circles(grid, (1, 1), (2, 3), (3, 2)),
    "WhiteDot~R1C1~R1C2": lambda grid: abs(grid[0][0] - grid[0][1]) == 1,
    "WhiteDot~R1C1~R1C2~R1C3": lambda grid: (
        abs(grid[0][0] - grid[0][1]) == abs(grid[0][1] - grid[0][2]) == 1
    ),
    "BlackDot~R1C1~R2C1": lambda grid: 2 in (grid[0][0] / grid[1][0], grid[1][0] / grid[0][0]),
    "V~R3C3~R3C4": lambda grid: grid[2][2] + grid[2][3] == 5,
    "GreaterThan~R4C4~R4C3": lambda grid: grid[3][3] > grid[3][2],
    "Quad~R2C2~1~4": lambda grid: {1, 4} <= {grid[r][c] for r in (1, 2) for c in (1, 2)},
    "Sandwich~5~R1": lambda grid: sorted(grid[0][1:3]) == [2, 3],
    "FullRank~R2~6~": lambda grid: rank(grid, 1) == 6,
    "Indexing~R~R2C3": lambda grid: grid[grid[1][2] - 1][2] == 2,
    "Indexing~C~R2C3": lambda grid: grid[1][grid[1][2] - 1] == 3,
}


@pytest.mark.parametrize("clue", UNNAMED)
def test_all_grids_of_a_clue_without_a_name_in_a_block(clue):
    for text, holds in {
        f".Or.{clue}.~R1C1_1.End": lambda grid: UNNAMED[clue](grid) or grid[0][0] == 1,
        f".Or.{clue}.~R1C1_1.End.{clue}": lambda grid: UNNAMED[clue](grid),
        f".Or.And.{clue}.~R1C1_2.End.And.{clue}.~R1C1_3.End.~R2C2_3.End": lambda grid: (
            (UNNAMED[clue](grid) and grid[0][0] in (2, 3)) or grid[1][1] == 3
        ),
    }.items():
        puzzle = aspdoku.parse(f".Shape~4x4{text}")
        program = compose(puzzle)
        assert puzzle.unsupported == program.warnings == ()
        expected = {grid for grid in sudokus(4) if holds(grid)}
        assert {solution.rows for solution in Solver(program).search(0)} == expected
        assert 0 < len(expected) < 288


def test_two_sandwiches_of_a_row_in_a_block():
    puzzle = aspdoku.parse(".Shape~4x4.Or.Sandwich~5~R1.Sandwich~2~R1.End")
    found = {solution.rows for solution in Solver(compose(puzzle)).search(0)}
    sums = {grid: sorted(row.index(n) for n in (1, 4)) for grid in sudokus(4) for row in grid[:1]}
    assert found == {g for g, (a, b) in sums.items() if sum(g[0][a + 1 : b]) in (2, 5)}


@pytest.mark.parametrize(
    ("block", "unsupported"),
    [
        (".Or.End", "Or: an empty Or"),
        (".Or.And.End.~R1C1_1.End", "Or: an empty And"),
        (".Or.AntiKnight.~R1C1_1.End", "Or: AntiKnight, a whole rule"),
        (
            ".ChaosConstruction.Or.ChaosCount~R1C1.~R1C1_1.End",
            "Or: ChaosCount: no exception names a clue of chaos-count",
        ),
        (
            ".StrictKropki.Or.WhiteDot~R1C1~R1C2.~R1C1_1.End",
            "Or: WhiteDot, undefined with StrictKropki",
        ),
        (".StrictXV.Or.V~R1C1~R1C2.~R1C1_1.End", "Or: V, undefined with StrictXV"),
        (".Or.Cage~x~R1C1.End", "Or: Cage: the value 'x'"),
        (".Or.Replicate~A.Cage~7~R1C1.End.End", "Or: Replicate"),
        (".Or" + ".~R1C1_1_2_3_4" * 126 + ".End", "Or: more than 500 alternatives"),
    ],
)
def test_a_block_that_is_not_supported_is_reported(block, unsupported):
    puzzle = aspdoku.parse(f".Shape~4x4.~R4C4_1{block}")
    assert puzzle.unsupported == (unsupported,)
    assert puzzle.facts == ()


@pytest.mark.parametrize(
    "reference",
    [
        "either(1,1,killer,1). either(1,2,killer,2).",
        "liar(1,killer,1). liar(1,killer,2).",
        "ab(killer,1).",
    ],
)
def test_clues_that_facts_refer_to_keep_their_names_in_a_puzzle_file(reference):
    """Cages with numbers get letters, so that they can be drawn, unless a fact refers to one."""
    rule = reference.partition("(")[0].replace("ab", "killer")
    cages = "cage(4,1,2). cage(4,2,2). cage(1,1,1). cage(1,2,1). cage_value(1,3). cage_value(2,4)."
    text = f"with: killer, {rule}\n\n" + ". . . .\n" * 4 + f"[facts]\n{cages} {reference}\n"
    puzzle = aspdoku.parse(text.replace("killer, killer", "killer"))
    written = aspdoku.parse(write_with_labels(puzzle))
    assert set(written.facts) == set(puzzle.facts)
    swapped = {1: 2, 2: 1}
    other = puzzle.replace(
        facts=tuple(
            Function(fact.name, (*fact.arguments[:-1], swapped[fact.arguments[-1]]))
            if fact.name == "cage"
            else Function(fact.name, (swapped[fact.arguments[0]], *fact.arguments[1:]))
            if fact.name == "cage_value"
            else fact
            for fact in puzzle.facts
        )
    )
    assert differences(puzzle, other)  # the facts refer to another cage
