"""Rules whose grounding does not end, with what is to blame; clingo alone does not end either."""

import subprocess
import sys

import pytest

import aspdoku
from aspdoku.lecture import trial
from aspdoku.program import RuleFile
from aspdoku.runtime.child import Limits
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


@pytest.mark.slow
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
