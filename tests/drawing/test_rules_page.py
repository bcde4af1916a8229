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
    assert made.rules_page() == page, (
        "docs/rules.md is not up to date: run `python docs/build.py rules`, for the picture of one"
        " rule only `python docs/build.py rules NAME`"
    )
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
@pytest.mark.parametrize("rule", available_rules(), ids=lambda rule: rule.name)
def test_the_picture_of_a_rule_is_up_to_date(rule, monkeypatch):
    made = build(monkeypatch)
    file = made.PICTURES / f"{rule.name}.svg"
    assert made.picture(rule) == (file.read_text("utf-8") if file.exists() else None), (
        f"the picture of {rule.name} is not up to date: run `python docs/build.py rules"
        f" {rule.name}`"
    )


def test_each_picture_is_of_a_rule(monkeypatch):
    files = build(monkeypatch).PICTURES.iterdir()
    assert {file.name for file in files} <= {f"{rule.name}.svg" for rule in available_rules()}, (
        "a picture of a rule that does not exist: run `python docs/build.py rules`"
    )
