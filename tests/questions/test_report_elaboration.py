"""Elaboration reports as text, JSON and HTML: their contents, and that they are well-formed."""

import json
from functools import cache

from html_reader import EVIL, read

from aspdoku.lecture.elaboration import elaborate
from aspdoku.program import RuleFile, assemble, compose, library
from aspdoku.puzzle import Puzzle
from aspdoku.questions.elaborate import Elaborations, elaboration_text


@cache
def found():
    puzzle = Puzzle.blank(4).replace(without=("box",))
    return elaborate(puzzle, [library.find("box"), library.find("anti-knight")])


def test_the_text_has_each_step_and_the_combination():
    text = elaboration_text(found())
    headings = [
        "1. box: asp/elaborations/box.lp",
        "2. anti-knight: asp/elaborations/anti-knight.lp",
        "3. without box: ab(box).",
        "All together, against asp/base.lp",
        "SHA-256",
    ]
    places = [text.index(heading) for heading in headings]
    assert places == sorted(places)
    assert "blank 4x4 grid: 576 before, 288 after" in text
    assert "blank 4x4 grid: 288 before, 24 after" in text
    assert found().steps[0].text_diff.kept[0].sha256 in text
    assert max(map(len, text.splitlines())) <= 110


def test_the_grid_shown_has_the_marked_cells_between_brackets():
    text = elaboration_text(elaborate(Puzzle.blank(4), [library.find("anti-knight")]))
    assert (
        text.count("[")
        == len(
            elaborate(Puzzle.blank(4), [library.find("anti-knight")])
            .steps[0]
            .forbidden.violations[0]
            .cells
        )
        == 2
    )


def test_a_diff_is_shown_on_request_and_has_only_additions():
    plain, full = elaboration_text(found()), elaboration_text(found(), diff=True)
    assert "+++ after" not in plain
    lines = [line.strip() for line in full.splitlines() if line not in plain.splitlines()]
    assert "+ab(box)." in lines
    assert [line for line in lines if line.startswith("-")] == ["--- before"] * 4
    assert "\x1b[" not in full
    assert "\x1b[32m+ab(box).\x1b[0m" in elaboration_text(found(), diff=True, colour=True)


def test_json_agrees_with_the_report():
    read_back = json.loads(json.dumps(Elaborations(None, found()).to_json()))
    assert [step["name"] for step in read_back["steps"]] == ["box", "anti-knight", "without box"]
    assert [step["solutions"][0]["after"] for step in read_back["steps"]] == [288, 24, 96]
    box, knight, without = read_back["steps"]
    assert knight["contract"]["kind"] == "restricts"
    assert knight["ground"]["kept"] == knight["ground"]["before"]
    assert ([each["text"] for each in without["text"]["added"]], without["text"]["removed"]) == (
        ["ab(box)."],
        [],
    )
    assert without["contract"]["kind"] == "parameter"
    assert "+ab(box)." in without["text"]["diff"]
    assert [len(row) for row in box["forbidden"]["grid"]] == [4] * 4
    assert without["allowed"]
    assert not without["forbidden"]


def test_json_of_a_single_step_has_no_combination():
    alone = elaborate(Puzzle.blank(4), [library.find("box")])
    assert Elaborations(None, alone).to_json()["combined"] is None


def test_the_page_is_well_formed_and_agrees_with_the_text():
    html = read(Elaborations(compose(Puzzle.blank(4), "anti-knight"), found()).to_html())
    examples = [each for step in (*found().steps, found().combined) for each in step[7:9] if each]
    assert html.tags.count("svg") == len(examples) > 2
    assert html.tags.count("h2") == 5
    assert "blank 4x4 grid: 288 before, 24 after" in html.text
    assert "+ab(box)." in html.text


def test_contents_and_names_of_files_are_escaped():
    evil = RuleFile(EVIL, f"{EVIL}.lp", f"% {EVIL}\n:- a(1,1,1).")
    program = assemble(Puzzle.blank(4), [library.base(), evil])
    html = Elaborations(program, elaborate(Puzzle.blank(4), [evil])).to_html()
    reader = read(html)
    assert "script" not in reader.tags
    assert EVIL not in html
    assert reader.text.count(EVIL) >= 3  # the name, the file and line, and the diff
