"""The generated pages of docs/ are up to date, except for grids, which depend on the version of
clingo.
"""

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
from aspdoku.program.library import available_rules

ROOT = Path(__file__).parents[1]
GRID = re.compile(r"[\s\d\[\]|+-]*\d[\s\d\[\]|+-]*")


def without_grids(text):
    """The lines of a page that do not depend on which solution was found."""
    lines = [line for line in text.splitlines() if not GRID.fullmatch(line)]
    return [re.sub(r"\(r\d+c\d+.*?\)|by line \d+|:\d+ forbids", "", line) for line in lines]


def outdated(name, title=""):
    """The message of a test that finds a page, or a section of it, that is not up to date."""
    section = f' "{title}"' if title else ""
    return f"docs/{name}.md is not up to date: run `python docs/build.py {name}{section}`"


def build(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import build

    assert Path(sys.modules["build"].__file__).parent == ROOT / "docs"
    return build


def sections(name):
    """The sections of a generated page, by their titles; the introduction is that without one."""
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    introduction, *others = re.split("^## (?=.*\n\n)", text, flags=re.MULTILINE)
    return {"": introduction, **dict(section.split("\n", 1) for section in others)}


@pytest.mark.parametrize("name", ["elaborations", "explanations"])
def test_a_page_has_the_sections_that_are_generated(name, monkeypatch):
    introduction, reports, _ = build(monkeypatch).PAGES[ROOT / "docs" / f"{name}.md"]
    written = sections(name)
    assert list(written) == ["", *reports], outdated(name)
    assert written[""].strip() == introduction.strip(), outdated(name)


def test_the_tables_of_all_elaborations_have_a_row_for_each_rule():
    """The base of the slides has the rule about boxes itself."""
    title = "All elaborations"
    tables = re.findall(r"^--+  .*\n((?:.+\n)+)", sections("elaborations")[title], re.MULTILINE)
    ours, slides = (
        {row.split("  ")[0].rstrip("*") for row in table.splitlines()} - {"```"} for table in tables
    )
    names = {rule.name for rule in available_rules()} | {"(no boxes)"}
    assert ours == names, outdated("elaborations", title)
    assert slides == names - {"box"}, outdated("elaborations", title)


@pytest.mark.slow
@pytest.mark.parametrize("title", [title for title in sections("elaborations") if title])
def test_a_section_of_the_page_of_elaborations_is_up_to_date(title, monkeypatch):
    made = build(monkeypatch)
    page = made.page("", {title: made.ELABORATION_REPORTS[title]}, made.ELABORATION_NOTES)
    assert without_grids(page.partition(f"## {title}\n")[2].rstrip()) == without_grids(
        sections("elaborations")[title].rstrip()
    ), outdated("elaborations", title)


@pytest.mark.slow
@pytest.mark.parametrize("title", [title for title in sections("explanations") if title])
def test_a_section_of_the_page_of_explanations_is_up_to_date(title, monkeypatch):
    made = build(monkeypatch)
    page = made.page("", {title: made.EXPLANATION_REPORTS[title]}, {})
    made_now = page.partition(f"## {title}\n")[2].rstrip()
    assert made_now == sections("explanations")[title].rstrip(), outdated("explanations", title)


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
        outdated("formalisms", "The table")
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
            assert section in text, outdated("formalisms", title)
