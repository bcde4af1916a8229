"""The page of each rule on the site, which docs/site_pages.py makes."""

import sys

import pytest
from instance_files import ROOT

from aspdoku.program.library import available_rules


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    sys.modules.pop("site_pages", None)
    import site_pages

    return site_pages


def test_a_page_states_inputs_exceptions_words_formats_and_a_puzzle(pages):
    rule = next(rule for rule in available_rules() if rule.name == "skyscraper")
    page = pages._rule(rule, "skyscraper", is_drawn=True)
    for text in (
        "| `skyscraper/3` | skyscraper(E,J,S): ",
        "`ab(skyscraper,S)`, `ab(skyscraper,(E,J,S))`",
        "`aspdoku solve example:skyscraper`",
        "](skyscraper.svg)",
        "| f-puzzles | `skyscraper` |",
        "| iss | `Skyscraper` |",
        "## In words",
    ):
        assert text in page


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("thermo", "| Penpa+ | `thermo` |"),
        ("odd", "| Penpa+ | `circle_L`, `circle_M` |"),
        ("white-dots", "| Penpa+ | `circle_S`, `circle_SS` |"),
        ("anti-king", "| SudokuPad | `antiking` |"),
        ("whispers", "| SudokuPad, drawn | `line` |"),
    ],
)
def test_a_page_has_what_carries_the_rule_in_a_drawing(name, row, pages):
    rule = next(rule for rule in available_rules() if rule.name == name)
    assert row in pages._rule(rule, "", is_drawn=True).splitlines()


def test_only_a_rule_that_draws_something_has_a_picture(pages):
    drawn = {rule.name: pages.picture(rule) for rule in available_rules() if rule.name in NAMES}
    assert {name: bool(drawing) for name, drawing in drawn.items()} == NAMES


NAMES = {"thermo": True, "anti-knight": False}
