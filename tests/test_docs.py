"""The pages of docs/ are what the commands print, but for the grids in them, of which another clingo may find others."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GRID = re.compile(r"[\s\d\[\]|+-]*\d[\s\d\[\]|+-]*")


def without_grids(text):
    """The lines of a page that another solution would leave as they are."""
    lines = [line for line in text.splitlines() if not GRID.fullmatch(line)]
    return [re.sub(r"\(r\d+c\d+.*?\)|by line \d+|:\d+ forbids", "", line) for line in lines]


def build(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import build

    assert Path(sys.modules["build"].__file__).parent == ROOT / "docs"
    return build


@pytest.mark.slow
def test_the_page_of_elaborations_is_what_the_commands_print(monkeypatch):
    made = build(monkeypatch)
    file = ROOT / "docs" / "elaborations.md"
    written = without_grids(file.read_text("utf-8"))
    assert without_grids(made.page(*made.PAGES[file])) == written
    assert len(written) > 100


@pytest.mark.slow
def test_the_page_of_explanations_is_what_the_commands_print(monkeypatch):
    made = build(monkeypatch)
    file = ROOT / "docs" / "explanations.md"
    assert made.page(*made.PAGES[file]) == file.read_text("utf-8")
