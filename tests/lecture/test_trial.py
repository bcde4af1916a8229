"""Rules whose grounding does not end, with what is to blame; clingo alone does not end either."""

import subprocess
import sys
from itertools import islice

import clingo
import pytest
from full_grids import all_sudokus_of_four

import aspdoku
from aspdoku.lecture import trial
from aspdoku.program import RuleFile, library
from aspdoku.questions.check import CheckReport
from aspdoku.runtime.child import Limits
from aspdoku.runtime.deadline import Deadline
from aspdoku.web.questions import ask

FORBIDDING = "\n:- a(R,C,N), a(C,R,N), p(N)."
# Text, the line to blame, and why.
ENDLESS = {
    "a term": ("p(1).\np(f(X)) :- p(X).", 2, "p/1 depends on itself, and nothing bounds X"),
    "a chosen term": ("p(1).\n{ p(f(X)) } :- p(X).", 2, "nothing bounds X"),
    "a number": ("q(1).\np(X+1) :- q(X).\nq(X) :- p(X).", 2, "p/1 depends on itself"),
    "a range": ("p(1..10**9).", 1, "the range 1..10**9 has 1,000,000,000 numbers"),
    "a distant bound": ("p(1).\np(X+1) :- p(X), X < 10**9.", 2, "the largest predicate is p/1"),
    "many facts": ("d(1..3000).\np(X+Y+Z) :- d(X), d(Y), d(Z).", 2, "largest predicate is p/1"),
    "terms that swap": (
        "e((1,2)).\ne((Y,X)) :- e((X,Y)).\np(1..2*10**8) :- e(_).",
        3,
        "the range 1..2*10**8 has 200,000,000 numbers",
    ),
}
SECONDS = 2.0
SPAN = range(1, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_a_rule_whose_grounding_does_not_end_is_an_error(name):
    text, line, reason = ENDLESS[name]
    report = aspdoku.check(RuleFile.from_text("mine", text + FORBIDDING), time_limit=SECONDS)
    (error,) = [each for each in report.findings if each.line == line]
    assert error.line == line
    assert error.text.startswith("grounding a blank 9x9 grid did not end within 1 s: ")
    assert reason in error.text
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(
            [sys.executable, "-P", "-m", "clingo", "--mode=gringo", "-"],
            input=text.encode(),
            stdout=subprocess.DEVNULL,
            timeout=SECONDS / 2,
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "p(1).\np(X+1) :- p(X), X < n.",
        "p(1).\np(X+1) :- p(X), number(X).",
        "p(1..100002).",
        "p(X) :- number(X).",
    ],
)
def test_a_rule_whose_grounding_ends(text):
    found = aspdoku.check(RuleFile.from_text("mine", text + FORBIDDING), time_limit=20).findings
    assert {each.severity for each in found} <= {"warning"}


# Files that choose, and whether plain clingo has an answer set for each of the 288 grids of 4x4.
CHOOSING = {
    "{ mark(R,C) } :- cell(R,C).\n:- mark(R,C), a(R,C,1).": True,
    "1 { chosen(R,C) : cell(R,C) } 1.\n:- chosen(R,C), a(R,C,N), N != R.": True,
    "p(1) | p(2).\n:- p(X), a(X,X,1).": True,
    "p :- not q.  q :- not p.\n:- p, a(1,1,1).": True,
    "1 { chosen(R) : row(R) } 1.\n:- chosen(R), a(R,R,N), N != R.": False,
    "p(1) | p(2).\n:- p(X), a(1,X,1).\n:- p(X), a(X,1,2).": False,
    "p :- not q.  q :- not p.\n:- p, not a(1,1,1).\n:- q, not a(1,1,1).": False,
}


@pytest.mark.parametrize("text", list(CHOOSING)[2::4])
def test_some_grids_are_tried(text, monkeypatch):
    all_grids = trial._grids
    monkeypatch.setattr(trial, "_SAMPLE", 1)
    monkeypatch.setattr(trial, "_grids", lambda *each: islice(all_grids(*each), 20))
    found = trial._forbids_nothing(RuleFile.from_text("mine", text), Deadline(600))
    assert bool(found) == CHOOSING[text]


@pytest.mark.slow
@pytest.mark.parametrize("text", CHOOSING)
def test_a_file_that_chooses_may_forbid_nothing(text, monkeypatch):
    monkeypatch.setattr(trial, "_SAMPLE", 1)
    allowed = [
        clingo_allows(text, [(r, c, row[c - 1]) for r, row in enumerate(grid, 1) for c in SPAN])
        for grid in all_sudokus_of_four()
    ]
    assert all(allowed) == CHOOSING[text]
    found = trial._tried(RuleFile.from_text("mine", text), 600)
    if not CHOOSING[text]:
        assert not found
        return
    (warning,) = found
    assert warning.severity == "warning"
    assert "none of 288 grids of 4x4, 1 grids of 6x6 and 1 grids of 9x9" in warning.text


def clingo_allows(text, grid):
    control = clingo.Control(["--warn=none"])
    facts = "".join(f"a({row},{column},{number})." for row, column, number in grid)
    control.add("base", [], f"row(1..4). cell(1..4,1..4). {facts}\n{text}")
    control.ground()
    return control.solve().satisfiable


def test_a_file_whose_search_does_not_end_is_not_decided():
    text = "{ mark(R,C) } :- cell(R,C).\n:- mark(R,C), a(R,C,1)."
    (note,) = trial._forbids_nothing(RuleFile.from_text("mine", text), Deadline(0))
    assert (note.severity, note.line) == ("note", 2)
    report = CheckReport("mine.lp", (note,))
    assert report


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digit-set", "unique-sets"])
def test_a_rule_is_tried_without_the_rules_that_it_says_it_replaces(name):
    """Both are about more numbers than a row has cells: in usual grids no constraint is violated,
    or none is satisfied.
    """
    rule = library.find(name)
    assert rule.replaced == {"row", "column", "box"}
    assert aspdoku.check(RuleFile.from_text(name, rule.text)).findings == ()
    usual = RuleFile.from_text(name, rule.text.replace("(without: row, column, box)", ""))
    (found,) = aspdoku.check(usual).findings
    assert found.severity == "warning"
    assert "no grid of 4x4, 6x6 or 9x9 " in found.text


def test_the_memory_of_grounding_is_limited(monkeypatch):
    monkeypatch.setattr(trial, "_MEMORY", 100 << 20)
    text = "p(X,f(X),g(X)) :- X = 1..10**9." + FORBIDDING.replace("p(N)", "p(N,_,_)")
    (error,) = aspdoku.check(RuleFile.from_text("mine", text)).findings
    assert "did not end within 0.0977 GB of memory: the range" in error.text


@pytest.mark.slow
def test_the_server_reports_it():
    """Within its usual limits, instead of an answer without findings or a stopped question."""
    question = {"kind": "check", "name": "mine", "text": "p(1).\np(f(X)) :- p(X)." + FORBIDDING}
    (found,) = ask(question, Limits(2, 512 << 20))["findings"]
    assert (found["line"], found["severity"]) == (2, "error")
    assert "grounding a blank 9x9 grid did not end within" in found["text"]
