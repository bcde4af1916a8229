"""The names of techniques: positions that follow from their definitions, steps of real puzzles as
HoDoKu names them, and the generic names for other rules.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from in_one_test import in_one_test

import aspdoku
from aspdoku import compose
from aspdoku.explanation.constraints import ConstraintModel
from aspdoku.explanation.explainer import StepFinder

NINE = range(1, 10)


@cache
def model(text="." * 81, rules=()):
    return ConstraintModel(compose(aspdoku.parse(text), *rules))


def cells(text):
    """`r1c13` is r1c1 and r1c3."""
    found = re.findall(r"r(\d+)c(\d+)", text)
    return {(int(r), int(c)) for rows, columns in found for r in rows for c in columns}


HOUSES = {
    "row": lambda cell: cell[0],
    "column": lambda cell: cell[1],
    "box": lambda cell: (cell[0] - 1) // 3 * 3 + (cell[1] - 1) // 3 + 1,
}


def excluded(position):
    """The candidates that a position excludes.

    `r1c1=12`: the candidates of the cell; `row 1 5: r1c34`: the places of the 5 in the row.
    """
    for part in position.split(", "):
        if "=" in part:
            where, numbers = part.split("=")
            for r, c in cells(where):
                yield from ((r, c, n) for n in NINE if str(n) not in numbers)
        else:
            kind, index, number, places = part.replace(":", "").split(" ", 3)
            of = HOUSES[kind]
            for r in NINE:
                for c in NINE:
                    if of((r, c)) == int(index) and (r, c) not in cells(places):
                        yield r, c, int(number)


def technique(finder):
    """The technique of the next step, after eliminations by single rules."""
    return str(next(step for step in finder.steps() if step.reasons).technique)


# The position holds nothing else than the pattern, so that no other reason is as small.
BY_DEFINITION = [
    ("naked single", "r1c1=5", "r1c1=5"),
    ("hidden single", "row 1 5: r1c1", "r1c1=5"),
    ("hidden single", "box 1 5: r1c1", "r1c1=5"),
    ("pointing", "box 1 5: r1c12", "r1c7!=5"),
    ("pointing", "box 5 5: r4c4 r6c4", "r9c4!=5"),
    ("claiming", "row 1 5: r1c12", "r3c3!=5"),
    ("claiming", "column 9 5: r4c9 r6c9", "r5c8!=5"),
    ("naked pair", "r1c15=12", "r1c9!=1"),
    ("naked pair", "r2c2=45, r5c2=45", "r9c2!=4"),
    ("naked triple", "r1c1=12, r1c5=23, r1c9=13", "r1c3!=2"),
    ("naked quad", "r1c1=12, r1c4=23, r1c6=34, r1c9=14", "r1c3!=2"),
    ("hidden pair", "row 1 1: r1c18, row 1 2: r1c18", "r1c1!=3"),
    ("hidden triple", "row 1 1: r1c15, row 1 2: r1c58, row 1 3: r1c18", "r1c1!=4"),
    ("X-wing", "row 1 5: r1c19, row 6 5: r6c19", "r4c9!=5"),
    ("X-wing", "column 1 5: r1c1 r5c1, column 9 5: r1c9 r5c9", "r5c5!=5"),
    ("swordfish", "row 1 5: r1c14, row 5 5: r5c47, row 9 5: r9c17", "r3c4!=5"),
    (
        "jellyfish",
        "row 1 5: r1c1479, row 4 5: r4c1479, row 5 5: r5c1479, row 8 5: r8c1479",
        "r9c7!=5",
    ),
    ("skyscraper", "row 1 5: r1c14, row 5 5: r5c16", "r2c6!=5"),
    ("two-string kite", "row 2 5: r2c15, column 2 5: r1c2 r8c2", "r8c5!=5"),
    ("empty rectangle", "box 1 5: r2c123 r1c2, column 8 5: r2c8 r6c8", "r6c2!=5"),
    ("finned X-wing", "row 1 5: r1c14, row 5 5: r5c1456", "r4c4!=5"),
    ("XY-wing", "r1c1=12, r1c8=23, r5c1=13", "r5c8!=3"),
    ("XYZ-wing", "r1c1=123, r1c8=13, r2c2=23", "r1c2!=3"),
    ("W-wing", "r1c1=12, r5c8=12, row 9 1: r9c18", "r1c8!=2"),
    ("X-chain", "row 1 5: r1c19, row 5 5: r5c94, row 8 5: r8c42", "r7c1!=5"),
    ("XY-chain", "r1c1=12, r1c9=23, r5c9=34, r5c4=41", "r1c4!=1"),
    ("almost locked sets", "r1c1=12, r1c2=123, r5c1=24, r5c2=34", "r2c1!=2"),
    ("alternating chain", "r1c1=12, row 4 2: r4c19, r7c9=23, r7c5=31", "r1c5!=1"),
]


@in_one_test(("name", "position", "conclusion"), BY_DEFINITION)
def test_a_position_is_named_by_the_definition_of_the_technique(name, position, conclusion):
    found = model()
    r, c, sign, n = re.fullmatch(r"r(\d)c(\d)(!?=)(\d)", conclusion).groups()
    target = found.candidates[int(r), int(c), int(n)] * (1 if sign == "=" else -1)
    known = [-found.candidates[each] for each in set(excluded(position))]
    assert technique(StepFinder(found, known, [target])) == name


def recorded():
    text = Path(__file__).with_name("hodoku_steps.txt").read_text("utf-8")
    lines = [line.split(" | ") for line in text.splitlines() if not line.startswith("#")]
    return [(name, state.split(), conclusion) for name, _, state, conclusion in lines]


@in_one_test(("name", "state", "conclusion"), recorded())
def test_a_step_of_a_puzzle_has_the_name_that_hodoku_gives_it(name, state, conclusion):
    found = model()
    claims = [
        (int(r), int(c), int(n), sign == "=")
        for r, c, sign, n in re.findall(r"r(\d)c(\d)(!?=)(\d)", conclusion)
    ]
    targets = [found.candidates[each[:3]] * (1 if each[3] else -1) for each in claims]
    known = []
    for r in NINE:
        for c in NINE:
            numbers = state[9 * r + c - 10]
            known += [-found.candidates[r, c, n] for n in NINE if str(n) not in numbers]
            if len(numbers) == 1 and (r, c) not in {each[:2] for each in claims}:
                known.append(found.candidates[r, c, int(numbers)])
    assert technique(StepFinder(found, known, targets)) == name


EMPTY_ROWS = ". . . . . . . . .\n" * 8
ONE_CAGE = f"""\
with: killer

. . . . . . . . .
{EMPTY_ROWS}
[cage]
C C . . . . . . .
{EMPTY_ROWS}
C = 16
"""


def test_a_clue_is_named_by_its_message():
    """The cage holds 7 and 9, not two 8s, so that the rest of row 1 and of box 1 loses them."""
    found = ConstraintModel(compose(aspdoku.parse(ONE_CAGE)))
    for conclusion in ((1, 4, 7), (2, 1, 9)):
        known = [-found.candidates[1, c, 8] for c in (1, 2)]
        finder = StepFinder(found, known, [-found.candidates[conclusion]])
        assert technique(finder) == "locked candidates with cage C"


@pytest.mark.parametrize(
    ("rule", "facts", "clue"),
    [
        # "on thermometer 1 r1c2 is greater than r1c1"
        ("thermo", "thermo(1,1,1,1). thermo(1,2,1,2). thermo(1,3,1,3).", "thermometer 1"),
        # "between its least and its greatest number row 1 adds up to 5" does not begin with a name
        ("sandwich", "sandwich_row(1,5).", "sandwich"),
    ],
)
def test_a_clue_whose_message_begins_with_a_preposition(rule, facts, clue):
    puzzle = aspdoku.parse("1 . . .\n" + ". . . .\n" * 3 + "\n[facts]\n" + facts)
    explanation = aspdoku.explain(puzzle, with_=rule)
    clues = {each for step in explanation.steps if step.technique for each in step.technique.clues}
    assert clues == {clue}


def test_cells_that_differ_are_links_as_in_a_house():
    """All places of the 5 in box 1 are a knight's move from r3c4, or in its row."""
    found = ConstraintModel(compose(aspdoku.parse("." * 81), "anti-knight"))
    known = [-found.candidates[each] for each in excluded("box 1 5: r1c3 r3c2")]
    finder = StepFinder(found, known, [-found.candidates[3, 4, 5]])
    assert technique(finder) == "locked candidates with anti-knight"


JIGSAW = """\
A A A B B B
A A B B B C
A D D C C C
D D D D C C
E E E F F F
E E E F F F
"""


def step_of(found, excluded, conclusion):
    """The name of the step to a conclusion, after these candidates."""
    known = [-found.candidates[each] for each in excluded]
    literal = found.candidates[conclusion[:3]] * (1 if conclusion[3] else -1)
    return technique(StepFinder(found, known, [literal]))


def test_a_cell_outside_lines_and_one_outside_their_regions_are_equal():
    """Rows 1 and 2 and the regions A and B differ in r2c6 and r3c1."""
    regions = "".join(
        f"box({r},{c},{name.lower()})."
        for r, line in enumerate(JIGSAW.splitlines(), 1)
        for c, name in enumerate(line.split(), 1)
    )
    puzzle = aspdoku.parse(f"{('. ' * 6 + chr(10)) * 6}\n[facts]\n{regions}")
    found = ConstraintModel(compose(puzzle))
    assert step_of(found, [(2, 6, 1)], (3, 1, 1, False)) == "law of leftovers"
    assert step_of(found, [(3, 1, 1)], (2, 6, 1, False)) == "law of leftovers"


@pytest.mark.slow
def test_what_houses_leave_of_others_is_a_house():
    """Columns 2 to 4 without two windows are nine cells in rows 1, 5 and 9, with one 5."""
    found = ConstraintModel(compose(aspdoku.parse("." * 81), "windoku"))
    left = [(r, c) for r in (1, 5, 9) for c in (2, 3, 4)]
    single = [(*cell, 5) for cell in left if cell != (5, 3)]
    assert step_of(found, single, (5, 3, 5, True)) == "implied house with windoku"
    in_row = [(*cell, 5) for cell in left if cell[0] != 5]
    assert step_of(found, in_row, (5, 8, 5, False)) == "implied house with windoku"


def test_the_sets_of_numbers_of_a_sum_are_a_cage_combination():
    """16 in two cells is 7 and 9: 8 and 8 are not different."""
    found = ConstraintModel(compose(aspdoku.parse(ONE_CAGE)))
    assert step_of(found, [], (1, 1, 8, False)) == "cage combination with cage C"


def test_a_sum_of_other_cells_than_a_cage_is_no_cage_combination():
    """The same step with the cells of an arrow that points along a diagonal of box 1."""
    facts = "little_killer(1,1,1,1). little_killer(1,2,2,2). little_killer_value(1,16)."
    puzzle = aspdoku.parse(f"{'.' * 81}\n[facts]\n{facts}")
    found = ConstraintModel(compose(puzzle, "little-killer"))
    assert step_of(found, [], (1, 1, 8, False)) == "combination with arrow 1"


def test_singles_are_in_the_order_in_which_they_are_seen():
    """A number with one place in a box, then in a line, then the last number of a cell."""
    found = model()
    position = "r1c1=1, column 9 2: r2c9, row 9 5: r9c5, box 5 3: r5c5"
    conclusions = [(5, 5, 3), (2, 9, 2), (9, 5, 5), (1, 1, 1)]
    known = [-found.candidates[each] for each in set(excluded(position))]
    targets = [found.candidates[each] for each in sorted(conclusions)]
    steps = StepFinder(found, known, targets).steps(batch=False)
    placed = [step.reasons[0].claims[0][:3] for step in steps if step.reasons]
    assert placed == [(5, 5, 3), (2, 9, 2), (9, 5, 5), (1, 1, 1)]


def test_of_several_reasons_for_a_number_the_easiest_is_cited():
    found = model()
    position = "r5c5=3, row 5 3: r5c5, column 5 3: r5c5, box 5 3: r5c5"
    known = [-found.candidates[each] for each in set(excluded(position))]
    (step,) = StepFinder(found, known, [found.candidates[5, 5, 3]]).steps()
    assert [cited.instance.words for cited in step.reasons[0].rules] == ["box 5 needs a 3"]
