"""The table of elaborations: over our base no statement is removed, over the slides' base
one is.
"""

from functools import cache

import oracle
import pytest

from aspdoku.lecture.elaboration import elaboration_tables
from aspdoku.program import library

pytestmark = pytest.mark.slow


@cache
def tables():
    return elaboration_tables(library.available_rules())


def rows():
    return [(table.base.place, row) for table in tables() for row in table.rows]


def test_every_elaboration_has_a_row_and_dropping_the_boxes_is_last():
    ours, slides = ([row.name for row in table.rows] for table in tables())
    assert sorted(ours) == sorted([*library.rule_names(), "(no boxes)"])
    assert sorted(slides) == sorted({*library.rule_names(), "(no boxes)"} - {"box"})
    assert (ours[0], ours[-1], slides[-1]) == ("box", "(no boxes)", "(no boxes)")


# A puzzle with this rule has boxes that the rule derives, so it states no box shape, by which the
# base of the slides places the numbers.
OTHER_BOXES = "boards"


def test_only_dropping_the_boxes_of_the_slides_removes_a_statement():
    removed = {(place, row.name): row.text_diff.removed for place, row in rows()}
    assert {key: len(lines) for key, lines in removed.items() if lines} == {
        ("asp/slides/base.lp", "(no boxes)"): 1,
    }


def test_every_elaboration_keeps_every_ground_rule_unless_it_makes_exceptions():
    """The base of the slides has none."""
    for place, row in rows():
        whole = row.ground_diff.kept == row.ground_diff.before
        assert (row.kind in ("restricts", "extends")) == (
            row.name not in {"(no boxes)", "either", "extra-cell", "liar"}
            and (row.name != OTHER_BOXES or "slides" in place)
        )
        assert whole == (
            row.name != "(no boxes)"
            and (row.kind not in ("parameter", "redefines") or "slides" in place)
        ), (place, row.name)


def test_our_boxes_are_retracted_by_a_fact_and_those_of_the_slides_by_editing():
    ours, slides = (table.rows[-1] for table in tables())
    assert ours.text_diff.added == (("ab(box).", "the puzzle", 0),)
    assert all(file.untouched for file in ours.text_diff.kept)
    assert not all(file.untouched for file in slides.text_diff.kept)
    assert (ours.ground_diff.removed, ours.ground_diff.added) == (162, 0)


SOLUTIONS = [
    ("anti-knight", 288, oracle.Rules(anti_knight=True)),
    ("offset", 288, oracle.Rules(offset=True)),
    ("greater-than", 288, oracle.Rules(greater_than=(((1, 1), (1, 2)),))),
    ("chain", 288, oracle.Rules(chains={"A": ((1, 1), (2, 2), (3, 2), (4, 3))})),
    ("killer", 288, oracle.Rules(cages=(oracle.Cage(((1, 1), (2, 1)), 5),))),
    ("(no boxes)", 288, oracle.LATIN),
]


@pytest.mark.parametrize(("name", "before", "rules"), SOLUTIONS)
def test_the_number_of_4x4_solutions_is_that_of_the_oracle_for_both_bases(name, before, rules):
    after = len(oracle.solutions(((None,) * 4,) * 4, rules))
    found = [row.solutions for _, row in rows() if row.name == name]
    assert found == [(before, after)] * 2


def test_the_box_row_counts_latin_squares():
    assert tables()[0].rows[0].solutions == (576, 288)


def test_the_same_number_of_rules_is_added_to_both_bases():
    ours, slides = (
        {
            row.name: row.ground_diff.added
            for row in table.rows
            if row.name not in {"(no boxes)", OTHER_BOXES}
        }
        for table in tables()
    )
    # The slides' base has no box/3, so a rule that uses it has fewer instances there, except for
    # arrows, that their cells are alone, and for lines, that each cell is a part.
    asking = {
        name
        for name in slides
        if any(item.signature == ("box", 3) for item in library.find(name).inputs)
    }
    assert {"doublers", "indexers", "negators", "vampires"} <= asking
    assert all(slides[name] <= ours[name] for name in asking - {"little-killer", "subset-line"})
    # Extra cells are in no row and column; the slides' base has no rules about other cells.
    assert slides["extra-cell"] < ours["extra-cell"]
    alike = slides.keys() - asking - {"extra-cell"}
    assert {name: slides[name] for name in alike} == {
        name: ours[name] for name in ours.keys() - {"box", "extra-cell", *asking}
    }
    assert slides["anti-knight"] == 2016


def test_the_examples_of_the_files_are_used_and_shown():
    assert {row.name for _, row in rows() if row.example} == {
        rule.name for rule in library.available_rules() if rule.example
    }
