"""Tests of declared inputs: what the letters of their arguments mean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from in_one_test import in_one_test

from aspdoku.program import RuleFile, library
from aspdoku.program.lint import check
from aspdoku.puzzle import Function
from aspdoku.puzzle.inputs import LETTERS, PATHS, Input, Shape

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
SHAPES = {
    "p(R,C)": Shape(((0, 1),)),
    "p(C,R)": Shape(((1, 0),)),
    "p(R,C,N)": Shape(((0, 1),), 2),
    "p(R,C,I)": Shape(((0, 1),), 2, named=True),
    "p(R,C,R1,C1)": Shape(((0, 1), (2, 3))),
    "p(R,C,R1,C1,D)": Shape(((0, 1), (2, 3)), 4),
    "p(I,K,R,C)": PATHS,
    "p(R,C,G,I)": Shape(((0, 1),), 2, line=3),
    "p(R,C,N,Q)": Shape(((0, 1),), 2, times=3),
    "p(R,C,K)": None,
    "p(E,J,N)": None,
    "p(I,S)": None,
}
ORDERS = {
    "p(R,N)": (0, 1),
    "p(N,C)": (1, 0),
    "p(E,J,S)": (0, 1, 2),
    "p(J,S,E)": (1, 2, 0),
    "p(R,C,N)": None,
    "p(E,N)": None,
}


def declared(text: str) -> Input:
    found = Input.from_text(text)
    assert found is not None
    return found


@in_one_test("text", SHAPES)
def test_the_letters_determine_how_cells_state_facts(text: str) -> None:
    assert declared(text).shape == SHAPES[text]


@pytest.mark.parametrize("text", ORDERS)
def test_the_letters_determine_the_order_in_a_list_of_clues(text: str) -> None:
    assert declared(text).clue_order == ORDERS[text]


def test_a_fact_has_cells_and_names() -> None:
    item = declared("same(R,C,G,I)")
    fact = Function("same", (1, 2, Function("a"), 3))
    assert (item.cells_of(fact), item.names, item.identity) == ([(1, 2)], (2, 3), (3,))
    assert item.of(fact) == {"R": 1, "C": 2, "G": Function("a"), "I": 3}
    assert item.cells_of(Function("same", (Function("n"), 2, 1, 3))) == []


@pytest.mark.parametrize("text", ["p(Row,C)", "p(R,R)", "p", "p()", "p(R,C", "P(R)"])
def test_what_is_no_predicate_with_letters(text: str) -> None:
    assert Input.from_text(text) is None


def test_contributing_lists_all_letters() -> None:
    rows = re.findall(r"^\| ([A-Z]) \| (.*) \|$", CONTRIBUTING.read_text("utf-8"), re.MULTILINE)
    assert dict(rows) == {letter: each.meaning for letter, each in LETTERS.items()}


def test_bundled_rules_use_letters_with_a_meaning() -> None:
    assert [item for item, _ in library.bundled_inputs().values() if item.fault] == []


@pytest.mark.parametrize(
    ("comment", "fault"),
    {
        "mine(R,F): x": "F has no meaning in mine(R,F)",
        "mine(Row,Col): x": "Row has no meaning in mine(Row,Col)",
        "mine(R,R): x": "not every argument of mine/2 has a letter of its own",
        "mine(R,C,N): x": "not every argument of mine/2 has a letter of its own",
    }.items(),
)
def test_check_reports_a_letter_without_a_meaning(comment: str, fault: str) -> None:
    text = f"% Mine.\n#defined mine/2.  % {comment}\n:- mine(R,C), a(R,C,1), not ab(mine).\n"
    (message,) = check(RuleFile.from_text("mine", text))
    assert (message.line, message.column, message.severity) == (2, 1, "warning")
    assert fault in message.text
    assert all(f"{letter}, {each.meaning}" in message.text for letter, each in LETTERS.items())
