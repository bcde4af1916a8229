"""Names of lines and cages change in a puzzle file if a section can then represent them."""

import pytest

import aspdoku
from aspdoku.formats.equivalence import differences
from aspdoku.formats.native import write_with_labels

SECTIONS = {
    'thermo("b",1,1,1). thermo("b",2,1,2). thermo("a",1,4,1). thermo("a",2,3,1).': (
        "[thermo]\nr1c1 r1c2\nr4c1 r3c1\n"
    ),
    'cage(1,1,"A"). cage(1,2,"A"). cage(1,2,"B"). cage(1,3,"B"). cage_value("B",5).': (
        "[cage]\nr1c1 r1c2\n5: r1c2 r1c3\n"
    ),
    'same_values(1,1,"x","a"). same_values(3,1,"x","b").': (
        '[same-values]\n"x": r1c1\n"x": r3c1\n'
    ),
    'equal_sum_cage(1,1,1,"A"). equal_sum_cage(1,2,1,"A"). equal_sum_cage(3,1,1,"B").': (
        "[equal-sum-cage]\n1: r1c1 r1c2\n1: r3c1\n"
    ),
    "sum_cage(1,1,1). sum_cage(1,2,1). sum_cage(1,2,7). sum_cage_value(7,3).": (
        "[sum-cage]\nr1c1 r1c2\n3: r1c2\n"
    ),
}
FACTS = (
    'mine("a"). thermo("a",1,1,1). thermo("a",2,1,2).',  # a fact whose meaning is unknown
    'ab(thermo,"a"). thermo("a",1,1,1). thermo("a",2,1,2).',
    'cage(1,1,"A"). cage(1,2,"A"). cage_value("Z",5).',
)


def parsed(facts):
    return aspdoku.parse(f"{'.' * 16}\n[facts]\n{facts}")


@pytest.mark.parametrize(("facts", "section"), SECTIONS.items())
def test_names_become_numbers_for_a_section(facts, section):
    puzzle = parsed(facts)
    text = write_with_labels(puzzle)
    assert text.endswith(f"\n{section}")
    assert not differences(puzzle, aspdoku.parse(text))


@pytest.mark.parametrize("facts", FACTS)
def test_names_stay_if_a_fact_refers_to_them_or_no_section_results(facts):
    puzzle = parsed(facts)
    text = write_with_labels(puzzle)
    assert "[facts]" in text
    assert {*aspdoku.parse(text).facts} == {*puzzle.facts}


def test_retracted_boxes_are_not_drawn():
    puzzle = aspdoku.parse("without: box\n\n1...\n....\n....\n....\n")
    assert "|" not in write_with_labels(puzzle)
    assert aspdoku.parse(write_with_labels(puzzle)) == puzzle
    kept = aspdoku.Puzzle.blank(6, (3, 2)).replace(without=("box",))
    assert aspdoku.parse(write_with_labels(kept)).box == (3, 2)


def test_groups_of_circles_are_a_picture():
    puzzle = aspdoku.parse(".Shape~4x4.CountingCircles~R1C1~R2C2.CountingCircles~R3C3~R4C4")
    text = write_with_labels(puzzle)
    assert "[coloured-circle]\n. . . .\n. . . .\n. . A .\n. . . A\n" in text
    assert differences(puzzle, aspdoku.parse(text)) == []


def test_whether_a_row_or_a_column_lacks_a_number_is_no_name():
    row, column = (
        parsed(f"doppelganger({line},4,4,1,1). doppelganger({line},4,4,1,2).")
        for line in ("row", "column")
    )
    assert differences(row, column) == [
        "the fact doppelganger(row,4,4,1,1)",
        "the fact doppelganger(row,4,4,1,2)",
    ]
