"""The table of elaborations as text, JSON and HTML, for a handmade table."""

import json
import re

import pytest
from html_reader import EVIL, read

from aspdoku.lecture.changes import GroundDiff, Statement, TextDiff
from aspdoku.lecture.elaboration import ElaborationRow, ElaborationTable
from aspdoku.program import RuleFile
from aspdoku.questions.elaborate import (
    HEADINGS,
    LEGEND,
    ElaborationTables,
    table_header_text,
    table_row_text,
)

P, Q, OLD, NEW = (Statement(text, "file.lp", 7) for text in ("p.", "q.", "old.", "new."))
KNIGHT = ElaborationRow(
    "anti-knight",
    "A knight",
    "restricts",
    TextDiff((), (P, Q), (), 4),
    GroundDiff(648, 648, 0, 0, 0, 2016, (), (), ()),
    (288, 24),
    "",
)
SIGN = KNIGHT._replace(name="greater-than", example="gt(1,1,1,2).")
SURGERY = ElaborationRow(
    "(no boxes)",
    "By surgery",
    "surgery",
    TextDiff((), (NEW,), (OLD,), 2),
    GroundDiff(9, 4, 2, 1, 2, 5, (), (), ()),
    (288, 576),
    "",
)
TABLES = (
    ElaborationTable(RuleFile("base", "asp/base.lp", ""), (KNIGHT, SIGN), True),
    ElaborationTable(RuleFile("base", "asp/slides/base.lp", ""), (KNIGHT, SURGERY), True),
)

CASES = [
    (KNIGHT, ("anti-knight", "restricts", "2", "0", "4", "648/648", "0", "2016", "288", "24")),
    (SIGN, ("greater-than*", "restricts", "2", "0", "4", "648/648", "0", "2016", "288", "24")),
    (SURGERY, ("(no boxes)", "surgery", "1", "1", "2", "4/9", "5", "5", "288", "576")),
]


@pytest.mark.parametrize(("row", "texts"), CASES)
def test_a_row_has_a_cell_for_each_heading(row, texts):
    assert re.split(" {2,}", table_row_text(row)) == list(texts)
    assert len(texts) == len(HEADINGS)


def test_the_table_has_aligned_columns_and_lists_removed_statements():
    ours = TABLES[0]
    lines = [*table_header_text(ours.base).splitlines()[2:], *map(table_row_text, ours.rows)]
    assert len(set(map(len, lines))) == 1
    assert ElaborationTables([ours]).notes() == LEGEND
    notes = ElaborationTables(TABLES).notes().removesuffix(LEGEND).rstrip()
    assert notes == "(no boxes) had to replace:\n  - file.lp:7: old.\n  + file.lp:7: new."


def test_json():
    ours, slides = json.loads(json.dumps(ElaborationTables(TABLES).to_json()))["tables"]
    assert (ours["base"], slides["base"]) == ("asp/base.lp", "asp/slides/base.lp")
    assert [row["name"] for row in ours["rows"]] == ["anti-knight", "greater-than"]
    surgery = slides["rows"][1]
    assert surgery["contract"] == "surgery"
    assert (surgery["added"], surgery["removed"]) == ([NEW._asdict()], [OLD._asdict()])
    assert surgery["ground"] == {
        "before": 9,
        "kept": 4,
        "simplified": 2,
        "changed": 1,
        "removed": 2,
        "added": 5,
    }
    assert surgery["solutions"] == [288, 576]


def test_the_page_is_well_formed_and_lists_removed_statements():
    html = read(ElaborationTables(TABLES).to_html())
    assert html.tags.count("table") == 2
    assert html.tags.count("th") == 2 * len(HEADINGS)
    assert "\N{MINUS SIGN} old." in html.text
    assert "+ new." in html.text


@pytest.mark.parametrize("field", ["name", "title"])
def test_a_name_or_a_title_is_escaped(field):
    table = TABLES[0]._replace(rows=(KNIGHT._replace(**{field: EVIL}),))
    html = ElaborationTables([table]).to_html()
    reader = read(html)
    assert "script" not in reader.tags
    assert EVIL in reader.text


def test_a_removed_statement_is_escaped():
    row = SURGERY._replace(
        text_diff=TextDiff((), (P._replace(text=EVIL),), (P._replace(place=EVIL),), 1)
    )
    reader = read(ElaborationTables([TABLES[0]._replace(rows=(row,))]).to_html())
    assert "script" not in reader.tags
    assert reader.text.count(EVIL) == 2
