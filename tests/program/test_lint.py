"""The findings of the linter, with line and column."""

import pytest

from aspdoku.program.compose import rule_template
from aspdoku.program.library import data_dir
from aspdoku.program.lint import check_file

CASES = [
    # text, then line:column and a fragment for each finding
    (":- a(R,C,N), a(R,C1,N), C < C1, not ab(mine).", []),
    ("#defined mark/2.\n:- mark(R,C), a(R,C,1).", []),
    ("seen(N) :- a(R,C,N).\n:- number(N), not seen(N).", []),
    (":- a(R,C,N), box_rows < N, n > N.", []),
    (":- a(1,1,1)", [("1:12", "incomplete last statement: is its full stop missing?")]),
    (":- a(1,1,1)\n\n% the end\n", [("1:12", "incomplete last statement")]),
    (":- a(R,C,N) number(N).", [("1:13", "syntax error")]),
    (":- a(R,C,N), N < N1.", [("1:18", "N1 appears only in a comparison")]),
    (":- not a(R,1,1).", [("1:10", "R appears only under not")]),
    ("p(X) :- number(N).", [("1:3", "X appears only in the head")]),
    (":- a(R*R,1,1).", [("1:6", "R appears only in an arithmetic term")]),
    (":- 2 { a(R,C,N) : N < M }.", [("1:23", "M appears only inside { }")]),
    (
        "p(X) :- not a(X,1,1), X > 2.",
        [("1:3", "X appears only in the head and under not and in a comparison")],
    ),
    (":- numbr(N), a(1,1,N).", [("1:4", "undefined predicate numbr/1. Did you mean 'number'?")]),
    (
        ":- a(R,C), R > 3.",
        [("1:4", "undefined predicate a/2. Did you mean a/3, with 3 arguments?")],
    ),
    (
        ":- mark(R,C), a(R,C,1).",
        [
            (
                "1:4",
                "mark/2. If it comes from the puzzle, declare it: #defined mark/2.",
            )
        ],
    ),
    (":- number(N), not seen(N).", [("1:19", "undefined predicate seen/1")]),
    (":- 2 { a(1,1,N) : lucky(N) }.", [("1:19", "undefined predicate lucky/1")]),
    ("a(1,1,5).", [("1:1", "a/3 is defined in base.lp")]),
    ("{ a(R,C,1) : cell(R,C) }.", [("1:3", "a/3 is defined in base.lp")]),
    ("number(10).", [("1:1", "number/1 is defined in base.lp")]),
    ("cell(R,0) :- row(R).", [("1:1", "cell/2 is defined in base.lp")]),
    ("#external a(1,1,1).", [("1:11", "a/3 is defined in base.lp")]),
    ("#const k = 4.", [("1:1", "#const is not allowed")]),
    ("#const k = 4. [override]", [("1:1", "[override]")]),
    ('#include "base.lp".', [("1:1", "#include")]),
    ("% a rule\n#script (python)\n#end.", [("2:1", "#script")]),
    ("p(@f(1)).", [("1:3", "@f")]),
    ("#minimize { N : a(1,1,N) }.", [("1:13", "not which one is best")]),
    (":~ a(1,1,N). [N]", [("1:1", "not which one is best")]),
    ("#program other.", [("1:1", "#program")]),
    ("#program base.\n:- a(1,1,1).", []),
    ("ž(1).", [("1:1", "invalid character")]),
    (
        "a(1,1,5).\n:- numbr(N).\n#const k = 1.",
        [("1:1", "a/3"), ("2:4", "numbr"), ("3:1", "#const")],
    ),
    ("% never grounded\np(1).\np(X+1) :- p(X).", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_findings(tmp_path, text, expected):
    path = tmp_path / "student.lp"
    path.write_text(text, encoding="utf-8")
    messages = [str(message) for message in check_file(path)]
    assert len(messages) == len(expected), messages
    for message, (place, fragment) in zip(messages, expected, strict=True):
        assert message.startswith(f"{path}:{place}: ")
        assert fragment in message


@pytest.mark.parametrize(
    "path", sorted((data_dir() / "elaborations").glob("*.lp")), ids=lambda path: path.stem
)
def test_bundled_elaborations_have_no_findings(path):
    assert check_file(path) == []


def test_the_starter_is_a_good_rule_file(tmp_path):
    path = tmp_path / "my-rule.lp"
    path.write_text(rule_template("my-rule"), encoding="utf-8")
    assert check_file(path) == []


def test_file_that_cannot_be_read(tmp_path):
    assert "No such file" in str(check_file(tmp_path / "none.lp")[0])
    assert "Is a directory" in str(check_file(tmp_path)[0])
