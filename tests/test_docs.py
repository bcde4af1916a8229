"""The page that needs every engine is up to date, and notes have the figures of reports."""

import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import aspdoku
from aspdoku.formalisms import engines
from aspdoku.formalisms.comparison import encoding_change
from aspdoku.formalisms.engine import Case
from aspdoku.program import compose

ROOT = Path(__file__).parents[1]


def outdated(title):
    """The message of a test that finds a section that is not up to date."""
    return f"{title!r} in docs/formalisms.md is not up to date: run `python docs/build.py`"


def build(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import build

    assert Path(sys.modules["build"].__file__).parent == ROOT / "docs"
    return build


@pytest.mark.slow
def test_the_note_on_clues_that_may_be_false_has_the_figures_of_the_report(monkeypatch):
    made = build(monkeypatch)
    title = "Clues that may be false"
    report = " ".join(made.printed(made.ELABORATION_REPORTS[title]).split())
    note = " ".join(made.ELABORATION_NOTES[title].split())
    stated = re.search(r"of (\d+) ground rules only (\d+) are kept. The other (\d+),", note)
    assert int(stated[1]) - int(stated[2]) == int(stated[3])
    assert f"of {stated[1]} rules {stated[2]} kept; {stated[3]} changed" in report


@pytest.mark.slow
def test_the_step_that_assumes_a_unique_solution_is_shown(monkeypatch):
    made = build(monkeypatch)
    title = "A step that assumes a unique solution"
    assert "the solution is unique" in made.printed(made.EXPLANATION_REPORTS[title])


def cells_of(table):
    """The numbers in a Markdown table, by formalism and elaboration."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    ]
    head, _, *body = rows
    return {
        (row[0], heading): cell
        for row in body
        for heading, cell in zip(head[1:], row[1:], strict=True)
    }


@pytest.mark.slow
def test_the_table_of_formalisms_is_up_to_date(monkeypatch):
    """Engines that are not installed, or that reach the time limit here, are not compared."""
    made = build(monkeypatch)
    text = (ROOT / "docs" / "formalisms.md").read_text("utf-8")
    written = cells_of(text[text.index("\n|") : text.index("\n## ", text.index("\n|"))])
    found = cells_of(made.printed("compare --table"))
    assert found.keys() == written.keys()
    both = {place for place in found if "–" not in found[place] + written[place]}
    assert {place: found[place] for place in both} == {place: written[place] for place in both}, (
        outdated("The table")
    )
    assert len(both) >= 20


def test_the_table_of_the_step_to_clues_that_may_be_false():
    """The statements about the cages, before the rule that makes an exception of one."""
    text = (ROOT / "docs" / "formalisms.md").read_text("utf-8")
    _, _, section = text.partition("\n## Clues that may be false\n")
    rows = (line.split(" | ") for line in section.splitlines() if line.startswith("| "))
    written = {name.removeprefix("| "): figures for name, figures, _ in rows}
    puzzle = aspdoku.read(ROOT / "instances" / "made" / "liar.txt")
    facts = tuple(fact for fact in puzzle.facts if fact.name != "liar")
    case = Case.of(compose(puzzle.replace(elaborations=("killer",), facts=facts)))
    for engine in engines().values():
        change = encoding_change(engine, case)
        title = engine.title if engine.title in written else engine.title.partition(",")[0]
        assert written[title] == f"+{len(change.added)} −{len(change.removed)}"
    assert len(written) == 10


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("java") and find_spec("owlready2")), reason="needs java and owlready2"
)
def test_the_rest_of_the_page_of_formalisms_is_up_to_date(monkeypatch):
    made = build(monkeypatch)
    text = (ROOT / "docs" / "formalisms.md").read_text("utf-8")
    for title, command in made.FORMALISM_REPORTS.items():
        if command and "--table" not in command:
            section = f"$ aspdoku {command}\n{made.printed(command)}```"
            assert section in text, outdated(title)


def test_the_page_of_others_has_the_figures_of_benchmarks():
    def cells(name, row):
        text = (ROOT / "bench" / "results" / f"{name}.md").read_text("utf-8")
        (line,) = re.findall(rf"^\| {row} +\|(.*)\|$", text, re.MULTILINE)
        return [cell.strip() for cell in line.split("|")]

    page = " ".join((ROOT / "docs" / "others.md").read_text("utf-8").split())
    assert f"takes [{cells('batch', 'clues-17')[1]} µs](../bench/results/batch.md)" in page
    every, long = (float(cells("peers", row)[1]) for row in ("all", "over 0.2 s there"))
    assert every > 10
    assert "on half of its own puzzles aspdoku takes over ten times its processor time" in page
    assert f"on those that take it more than 0.2 s, {long:.1f} times" in page
