"""Results as pages: their contents, their drawings, and that texts from files are escaped."""

import re

import pytest
from html_reader import EVIL, read

import aspdoku
from aspdoku.drawing.output import PIXELS
from aspdoku.formalisms import engines
from aspdoku.formalisms.comparison import EncodingChange, EngineResult, FormalismTable, Transcript
from aspdoku.formalisms.engine import Encoding
from aspdoku.program import RuleFile
from aspdoku.puzzle import Puzzle
from aspdoku.questions import text
from aspdoku.questions.compare import ComparisonTable, Transcripts
from aspdoku.questions.result import Section, Table, in_columns, result_page, result_part

pytestmark = pytest.mark.versions

UNIQUE = "title: {}\n\n. 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
SEVERAL = "title: {}\n\n1 . . .\n. . . .\n. . 2 .\n. . . .\n"
# Two cells of a row cannot add up to 2.
CAGES = """with: killer

. . . .
. . . .
. . . 1
. . . .

[facts]
cage(1,1,a). cage(1,2,a). cage_value(a,2).
cage(4,1,b). cage(4,2,b). cage_value(b,3).
"""


def results(title):
    """A result of each command with a page, about puzzles and rules with this title."""
    unique, several = (aspdoku.parse(text.format(title)) for text in (UNIQUE, SEVERAL))
    rule = RuleFile.from_text("rule", f"% {title}\n:- a(1,1,2).\n")
    return {
        "hint": aspdoku.hint(unique),
        "why": aspdoku.why(unique, "r3c2=3"),
        "why not": aspdoku.why(several, "r1c2=3"),
        "conflict": aspdoku.conflict(several, with_=rule, facts="a(1,2,1)"),
        "depends": aspdoku.depends(unique),
        "redundant": aspdoku.redundant(unique),
        "equal": aspdoku.equivalent(rule, "anti-knight", size=4),
        "compare": aspdoku.compare(unique, "findling"),
    }


@pytest.fixture(scope="module")
def evil():
    return results(EVIL)


DRAWINGS = {"why not": 2, "equal": 2}


@pytest.mark.parametrize(
    "name", ["hint", "why not", "conflict", "depends", "redundant", "equal", "compare"]
)
def test_a_page_has_the_drawings_of_the_notebook_and_the_words(name, evil):
    page, part = read(evil[name].to_html()), evil[name]._repr_html_()
    assert page.tags.count("svg") == part.count("<svg ") == DRAWINGS.get(name, 1)
    drawing = re.search("<svg .*?</svg>", part, re.DOTALL)[0]
    assert drawing in evil[name].to_html()
    words = [word for word in str(evil[name]).split() if re.fullmatch("[a-z]{3,}", word)]
    assert words
    if name != "why not":  # in words, its solutions are grids
        assert set(words) <= set(re.findall("[a-z]+", page.text))


@pytest.mark.slow
def test_a_blank_grid_is_not_drawn():
    for puzzle, drawings in ((Puzzle.blank(4), 0), (SEVERAL.format("Two"), 1)):
        page = read(aspdoku.compare(puzzle, "findling").to_html())
        assert page.tags.count("svg") == drawings
        assert "clingo finds several solutions" in page.text


def test_the_legend_of_a_page_has_no_signs_of_the_text(evil):
    assert "; . is a given" in str(evil["depends"])
    assert "is a given" not in read(evil["depends"].to_html()).text


@pytest.mark.parametrize(
    "name", ["hint", "why", "why not", "conflict", "depends", "redundant", "equal", "compare"]
)
def test_titles_are_escaped(name, evil):
    html = evil[name].to_html()
    assert EVIL not in html
    assert read(html).tags.count("script") == (name == "why")  # its steps follow the arrow keys
    if name != "equal":
        assert EVIL in read(html).text.replace("\n", "")


def test_the_page_of_a_claim_shows_the_grid_at_each_step(evil):
    found = evil["why"]
    page = read(found.to_html())
    steps = [step for step in found.steps if step.reasons]
    assert page.tags.count("section") == len(steps) > 0
    assert "Why r3c2=3?" in page.text


@pytest.mark.slow
def test_the_steps_of_a_claim_are_numbered_from_one():
    """Not as in the whole explanation, of which they are a part."""
    found = aspdoku.why("example:example", "r3c2=9")
    numbers = [int(number) for number in re.findall(r'1.0em">(\d+)\. ', found.to_html())]
    assert [step.number for step in found.steps if step.reasons] != numbers
    assert numbers == list(range(1, len(numbers) + 1)) != []


def highlighted(html):
    """The cells that a drawing highlights, from the corners of the frame."""
    shapes = {
        kind: [
            [float(number) / PIXELS for number in points.replace(",", " ").split()[:2]]
            for points in re.findall(rf'class="{kind}" points="([^"]*)"', html)
        ]
        for kind in ("frame", "highlight")
    }
    ((left, top),) = shapes["frame"]
    return {(round(y - top) + 1, round(x - left) + 1) for x, y in shapes["highlight"]}


def test_the_clues_of_a_conflict_are_highlighted():
    """Those of cage a: cage b can hold 1 and 2."""
    assert highlighted(aspdoku.conflict(CAGES).to_html()) == {(1, 1), (1, 2)}


def test_the_proof_of_a_conflict_is_on_request():
    """One wrong number in a published puzzle: dozens of rules are needed to show it."""
    grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..97"
    assert "contradiction" not in read(aspdoku.conflict(grid).to_html()).text
    assert "contradiction" in read(aspdoku.conflict(grid, proof=True).to_html()).text


def test_unsupported_parts_are_named_on_the_page_of_an_explanation():
    puzzle = aspdoku.parse(UNIQUE.format("fog")).replace(unsupported=("a drawn fog",))
    with pytest.warns(aspdoku.AspdokuWarning):
        found = aspdoku.explain(puzzle)
    assert "ignoring unsupported parts: a drawn fog" in read(found.to_html()).text


def test_long_lines_are_not_wrapped_for_a_page():
    found = aspdoku.equivalent("anti-king", "anti-knight", size=4)
    with text.unwrapped():
        assert text.width() > 1000
    assert text.width() == 110
    lines = [line for line in read(found.to_html()).text.split("\n") if "forbids" in line]
    assert all(line.endswith("allows it") for line in lines)


def test_indentation_becomes_padding_and_tables_are_kept():
    table = Table(("name", "cells"), (("row", "3"),), (1,))
    listed = Section("row  3", words="", table=table)
    html = result_page("T", [Section("one\n  - two"), in_columns("a   b"), listed])
    assert 'padding-left: 2ch">- two<' in html
    assert ">a   b</pre>" in html
    page = read(html)
    assert (page.tags.count("th"), page.tags.count("td")) == (3, 1)
    assert "row  3" not in page.text


def test_a_notebook_shows_the_text_of_a_result_without_pictures():
    part = result_part(Section(f"{EVIL}\n  x"))
    assert "<svg" not in part
    assert read(part).text.strip() == f"{EVIL}\n  x"


def test_the_table_of_formalisms_and_transcripts():
    engine = next(iter(engines().values()))
    encoding, unchanged = Encoding("", ""), EncodingChange()
    cells = (
        EngineResult(engine, "agrees", "", encoding, EncodingChange(("a.", "b.", "c.")), None),
        EngineResult(engine, "not written", EVIL, encoding, unchanged, None),
    )
    page = read(ComparisonTable(FormalismTable(("box", EVIL), ((engine, cells),))).to_html())
    assert (page.tags.count("td"), page.tags.count("th")) == (2, 4)
    assert page.text.count(EVIL) == 2
    assert f"1. not written: {EVIL}" in page.text
    page = read(Transcripts((Transcript(engine.name, EVIL, (EVIL, "two")),)).to_html())
    assert page.tags.count("h2") == 1
    assert page.text.count(EVIL) == 2
