"""What the page's script finds in a rule, compared with `aspdoku check`. Needs Node."""

import json
import shutil
import subprocess
from pathlib import Path

import clingo
import pytest

import aspdoku
from aspdoku.program.lint import definitions

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")
# Lines before and after the rule, as in a program of a page.
BEFORE = "#program base.\n{ a(1,1,1..4) }. { number(1..4) }.\n"
AFTER = "% the puzzle\na(1,1,2).\n"

SAME = [
    ":- a(R,C,N), N >",
    ":- a(R,C,N), N > 3\n\n% that was all",
    "% Endless. %* no block %*\n%* block %* nested *% :- p(X). *%\n:- a(1,1,1)",
    ":- a(1,1,1).\n%* not closed\n:- a(1,1,2).",
    "% A title.\n#minimize { N : a(1,1,N) }.",
    "#maximise { N : a(1,1,N) }.",
    ":- a(1,1,1).\n:~ a(1,1,1). [1]",
    "#const n=4.\n:- a(1,1,n).",
    "#project a/3.\n:- a(1,1,1).",
    "#program other.\n:- a(1,1,1).",
    "a(1,1,1..9).",
    "% Wider.\n:- a(1,1,1).\ncell(10,10).",
    "{ a(R,C,1) : number(C) } = 1 :- number(R).",
    "% Boxes.\nbox_name(1). box(1,1,1).\n:- box_name(R), a(R,1,1).",
    "mine_x(1).\n:- mine_x(R), a(R,1,1).\nbox_name(R) :- row(R).\nab(box).",
    "mine(1) | a(1,1,2) :- number(3).\n:- mine(1).",
    ":- a(1,1,N), N ≠ 3.",
    "% Consecutive.\n:- A(1,1,1).",
    ":- a(1,1,N), N =< 3.",
    ":- a(1,1,N), not N \\= 3.",
    ":- a(1,1,1)\n:- a(1,1,2).",
    ":- a(1,1,1)\np(1).",
    ":- a(1,1,1,.",
    ":- a(R,C,N), foo(R.",
    ":- a(1,1,1)).",
    ":- a(1,1,1),.",
    ":- a(1,1,1) a(1,1,2).",
    ":- 3 < sum { N : a(1,1,N) }.",
    ':- a(1,1,"x).',
    ":- a(1,1,N), mine(N,f(N,1)).",
    "#defined adjacent/4.\nadjacent(1,1,1,2).\n:- adjacent(1,1,R,C), a(R,C,1).",
    "#defined adjacent/4.  % adjacent(R,C,R1,C1): marked cells\n:- adjacent(1,1,R,C), a(R,C,1).",
    "#defined adjacent/4.  % neighbours\n:- adjacent(1,1,R,C), a(R,C,1), a(1,1,2)",
]


def findings(*texts):
    rules = [part.rule for part in aspdoku.compose("." * 16, "nonconsecutive").parts]
    defined = {
        f"{name}/{arity}": f"{rule.place}:{line}"
        for rule in rules
        for (name, arity), (line, _) in definitions(rule).items()
    }
    lines = [json.dumps([text, "mine", defined, messages(text), 3]) for text in texts]
    done = subprocess.run(
        [NODE, Path(__file__).with_name("findings_in_node.mjs")],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return list(map(json.loads, done.stdout.splitlines()))


def messages(text):
    """clingo's messages about a program with the rule, as its command prints them."""
    found = []
    if not text.isascii():  # its Python API ends the process
        return ""
    try:
        control = clingo.Control(logger=lambda _, message: found.append(message))
        control.add(f"{BEFORE}{text}\n{AFTER}")
        control.ground()
    except RuntimeError:
        pass
    return "\n".join(found).replace("<block>:", "-:")


@pytest.mark.slow
def test_findings_are_those_of_check():
    for text, (before, of_clingo) in zip(SAME, findings(*SAME), strict=True):
        found = before or of_clingo
        checked = aspdoku.check(aspdoku.RuleFile.from_text("mine", text)).findings
        expected = {(each.line, each.text) for each in checked if each.severity == "error"}
        assert {(each["line"], each["text"]) for each in found} == expected, text


def test_findings_that_check_words_more_precisely():
    texts = [":- a(R,C,N), N > M.", ":- a(1,1,N), N/0 > 1.", ":- a(R,C,N), R = = 3."]
    found = [of_clingo for _, of_clingo in findings(*texts)]
    assert [[each["text"] for each in every] for every in found] == [
        ["unsafe variable: M; bind it with an atom such as number(M) in the body"],
        ["undefined operation (N/0): clingo discards the rule or the element that contains it"],
        ["syntax error, unexpected '='"],
    ]


def test_scripts_are_refused_in_comments_too():
    texts = ["% #script(lua) os.exit() #end.", ':- a(1,1,1).\n#include "x".', ":- a(1,1,@f(1))."]
    for text, (before, _) in zip(texts, findings(*texts), strict=True):
        (finding,) = before
        assert finding["error"], text
        assert "rule files may not" in finding["text"]


@pytest.mark.slow
def test_bundled_rules_have_no_findings():
    # A second copy of a rule in the program defines its helpers twice.
    present = {part.rule.name for part in aspdoku.compose("." * 16).parts}
    texts = [
        rule.text
        for rule in aspdoku.rules()
        if not rule.name.startswith("slides/") and rule.name not in present
    ]
    assert [before for before, _ in findings(*texts)] == [[]] * len(texts)
