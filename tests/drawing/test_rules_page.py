"""The page of all rules in docs/, and its pictures, are up to date."""

import re
import sys

import pytest
from instance_files import ROOT

from aspdoku.program.library import available_rules


def build(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    sys.modules.pop("build", None)
    import build

    return build


def test_the_page_of_rules_is_up_to_date(monkeypatch):
    made = build(monkeypatch)
    page = made.RULES_PAGE.read_text("utf-8")
    assert made.rules_page() == page
    assert re.findall("^## (.*)$", page, re.MULTILINE) == sorted(
        rule.name for rule in available_rules()
    )


def test_a_section_states_inputs_exceptions_and_a_puzzle(monkeypatch):
    made = build(monkeypatch)
    page = made.RULES_PAGE.read_text("utf-8")
    _, _, section = page.partition("\n## skyscraper\n")
    section, _, _ = section.partition("\n## ")
    for text in (
        "| `skyscraper/3` | skyscraper(E,J,S): ",
        "`ab(skyscraper,S)`, `ab(skyscraper,(E,J,S))`",
        "`example:skyscraper`",
        'src="pictures/rules/skyscraper.svg"',
    ):
        assert text in section


@pytest.mark.slow
def test_the_pictures_of_rules_are_up_to_date(monkeypatch):
    made = build(monkeypatch)
    written = {file.stem: file.read_text("utf-8") for file in made.PICTURES.glob("*.svg")}
    assert made.pictures() == written
