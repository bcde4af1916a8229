"""Grades for automatic graders: valid XML, and the keys of Gradescope's format."""

from xml.etree import ElementTree

import pytest

from aspdoku import Puzzle
from aspdoku.lecture.grading import Exercise, assess_in_process
from aspdoku.program import library
from aspdoku.questions.check import gradescope_results, junit_xml

FILES = {
    "anna.lp": (":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.\n", None),
    "<b>&\"'.lp": (":- a(1,1,1).\n", "failure"),
    "cleo\x1b\uffff.lp": ("{ p }.\n", "error"),
    "dora.lp": (":- a(R,C,N) & <\ufffe>]]>\n", "error"),
}
# https://gradescope-autograders.readthedocs.io/en/latest/specs/
OF_A_TEST = {"name", "score", "max_score", "status", "output", "output_format"}


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    exercise = Exercise(library.find("anti-knight"), "anti-knight", (Puzzle.blank(4),))
    found = []
    for name, (text, _) in FILES.items():
        (folder / name).write_text(text)
        found.append(assess_in_process(folder / name, exercise))
    (folder / "finn.lp").symlink_to(folder / "anna.lp")
    return [*found, assess_in_process(folder / "finn.lp", exercise)]


def test_junit(marks):
    suites = ElementTree.fromstring(junit_xml(marks, "<anti>"))
    (suite,) = suites
    assert suite.attrib == {
        "name": "aspdoku check --against <anti>",
        "tests": "5",
        "failures": "1",
        "errors": "3",
        "skipped": "0",
    }
    assert [case.get("name") for case in suite] == [mark.file for mark in marks]
    assert {case.get("classname") for case in suite} == {"<anti>"}
    outcomes = [case[0] for case in suite]
    assert [each.tag for each in outcomes] == ["system-out", "failure", *["error"] * 3]
    assert [each.get("type") for each in outcomes[1:]] == [mark.verdict for mark in marks[1:]]
    assert all(each.get("message") for each in outcomes[1:])
    assert "1   2" in outcomes[1].text or "[1]" in outcomes[1].text
    assert "symbolic link" in outcomes[4].text


def test_gradescope(marks):
    document = gradescope_results(marks, "anti-knight", 7)
    assert document.keys() == {"tests"}
    assert all(test.keys() == OF_A_TEST for test in document["tests"])
    assert [(test["score"], test["max_score"], test["status"]) for test in document["tests"]] == [
        (7, 7, "passed"),
        *[(0, 7, "failed")] * 4,
    ]
    assert [test["name"] for test in document["tests"]] == [mark.file for mark in marks]
    assert "your rule" not in document["tests"][0]["output"].lower()
    assert "Your rule is too strict" in document["tests"][1]["output"]
