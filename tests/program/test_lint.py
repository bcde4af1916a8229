"""The findings of the linter, with line and column."""

import re
from pathlib import Path

import pytest
from in_one_test import in_one_test

from aspdoku.program import RuleFile
from aspdoku.program.lint import check, check_file, notes
from aspdoku.program.templates import rule_template

pytestmark = pytest.mark.versions

READ = "\n:- p(N), a(1,1,N)."
CASES = [
    # text, then line:column and a fragment for each finding
    (":- a(R,C,N), a(R,C1,N), C < C1, not ab(mine).", []),
    ("#defined mark/2.\n:- mark(R,C), a(R,C,1).", []),
    ("seen(N) :- a(R,C,N).\n:- number(N), not seen(N).", []),
    (":- a(_,_,N), box_rows < N, n > N.", []),
    (
        ":- a(R,C,N), a(R+1,C+1,M).",
        [("1:10", "warning: N and M each occur only once in this rule")],
    ),
    (":- a(R,C,N), a(R+1,C+1,_Other), N > 3.", []),
    ("bad(R,C) :- a(R,C,N), a(R+1,C+1,N).\n:- bad(R,C).", []),
    ("bad(R,C) :- a(R,C,N), a(R+1,C+1,N).\n:- bad(R,C), not ab(mine).", []),
    (
        "bad(R,C) :- a(R,C,N), a(R+1,C+1,N).\n:- bad(R,C), row(X).",
        [("2:8", "warning: R, C and X each occur only once in this rule")],
    ),
    ("bad(R,C) :- a(R,C,N), a(R+1,C+1,N).\n:- bad(R,1).", [("2:8", "warning: R occurs once")]),
    (":- row(R), a(R,C,1) : col(C), C > 1.", [("1:23", "col/1. Did you mean 'column'?")]),
    (":- a(R,C,N), (R=1 or C=1), N=1.", [("1:19", "a body has no 'or': write a constraint for")]),
    (":- a(R,C,N), (R>1; C>1), N=1.", [("1:18", "a body has no 'or'")]),
    (":- a(R,C,N), (N=1, R>2).", [("1:14", "comparisons in a body without parentheses")]),
    ("%@(N) no {N}\n:- a(_,_,N).", []),
    ("seen(R) :- a(R,C,N).\n:- seen(9).", []),
    (
        ":- a(R,C,N), a(R+1,C+1,M), abs(N-M) = 1.",
        [("1:28", "warning: abs(N-M) is a term that is not evaluated: write |N-M|")],
    ),
    (":- a(_,_,N), N > x.", [("1:18", "warning: x is a constant, not a number: variables")]),
    (":- a(r,c,n), a(r+1,c+1,n).", [("1:4", "warning: r and c are constants, but the arguments")]),
    (":- a(1,n,N), a(n,box_rows,N).", []),
    ("a(R,C,N) != a(R+1,C+1,N).", [("1:1", "atoms cannot be compared, as a(R,C,N) is here")]),
    (":- a(R,C,N), a(R,C,N) < a(R,C,M).", [("1:14", "atoms cannot be compared")]),
    (":- cell(R,C,N), N > 3.", [("1:4", "Did you mean a(R,C,N), the number in a cell?")]),
    (":- a(1,1,1)", [("1:12", "incomplete last statement: is its full stop missing?")]),
    (":- a(1,1,1)\n\n% the end\n", [("1:12", "incomplete last statement")]),
    (":- a(R,C,N) number(N).", [("1:12", "syntax error: missing comma before 'number'")]),
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
    (
        ":- adjacent(R,C,R1,C1), a(R,C,N), a(R1,C1,N).",
        [("1:4", "adjacent/4. asp/vocabulary/adjacent.lp defines it: add #defined adjacent/4.")],
    ),
    (":- number(N), not seen(N).", [("1:19", "undefined predicate seen/1")]),
    (":- 2 { a(1,1,N) : lucky(N) }.", [("1:19", "undefined predicate lucky/1")]),
    ("a(1,1,5).", [("1:1", "a/3 is defined in asp/base.lp")]),
    ("{ a(R,C,1) : cell(R,C) }.", [("1:3", "a/3 is defined in asp/base.lp")]),
    ("number(10).", [("1:1", "number/1 is defined in asp/base.lp")]),
    ("cell(R,0) :- row(R).", [("1:1", "cell/2 is defined in asp/base.lp")]),
    ("#external a(1,1,1).", [("1:11", "a/3 is defined in asp/base.lp")]),
    ("#const k = 4.", [("1:1", "#const is not allowed")]),
    ("#const k = 4. [override]", [("1:1", "#const is not allowed")]),
    ('#include "base.lp".', [("1:1", "#include")]),
    ("% a rule\n#script (python)\n#end.", [("2:1", "#script")]),
    ("p(@f(1)).", [("1:3", "@f")]),
    ("#minimize { N : a(1,1,N) }.", [("1:13", "not which one is best")]),
    (":~ a(1,1,N). [N]", [("1:1", "not which one is best")]),
    ("#program other.\n:- a(1,1,1).", [("1:1", "#program")]),
    ("#program base.\n:- a(1,1,1).", []),
    ("ž(1).", [("1:1", "invalid character")]),
    (
        "a(1,1,5).\n:- numbr(N).\n#const k = 1.",
        [("1:1", "a/3"), ("2:4", "numbr"), ("3:1", "#const")],
    ),
    (":- a(R,C,N), N =< 3.", [("1:16", "no operator =<; write <=")]),
    (":- a(R,C,N), \\+ a(C,R,N).", [("1:14", "no operator \\+; write not")]),
    (":- a(R,C,N), N =\\= 3.", [("1:16", "write !=")]),
    (":- a(R,C,N), M is N+1, a(C,R,M).", [("1:16", "write =")]),
    (":- a(R,C,N), N mod 2 = 1.", [("1:16", "remainder")]),
    (":- A(R,1,N), number(N), row(R).", [("1:4", "'A' begins with a capital letter")]),
    (":- a(1,1,1), Not a(2,2,2).", [("1:14", "write 'not' in lowercase")]),
    (":- a(1,1,1)\n:- a(2,2,2).", [("1:12", "missing full stop")]),
    (":- a(1,1,1)\n\n% next\nseen(1).", [("1:12", "missing full stop")]),
    ("#defined mark/2\n:- mark(1,1).", [("1:16", "missing full stop")]),
    ("seen(1), :- a(1,1,1).", [("1:8", "remove the comma before ':-'")]),
    (":- a(1,1,1), .", [("1:12", "remove the comma before the full stop")]),
    (":- a(1,1,1) not a(2,2,2).", [("1:12", "missing comma before 'not'")]),
    (":- a(1,1,(1), a(2,2,2).", [("1:5", "'(' is never closed")]),
    (":- a(1,1,1)), a(2,2,2).", [("1:12", "')' closes nothing")]),
    (":- 3 < sum { N : a(1,1,N) }.", [("1:8", "write #sum")]),
    (":- #cuont { N : a(1,1,N) } > 3.", [("1:4", "Did you mean '#count'?")]),
    ("# a comment\nseen(1).", [("1:1", "a comment begins with %")]),
    (':- a(1,1,"x).', [("1:10", "unterminated string")]),
    (":- a(1,1,N), N ≠ 3.", [("1:16", "'≠' outside comments and strings; write !=")]),
    ('seen("é") seen(2).', [("1:10", "missing comma")]),
    ("", [("1:1", "this file has no rule")]),
    ("% a title\n#defined ab/1.", [("1:1", "this file has no rule")]),
    (
        ":- student(R,C,I), a(R,C,1).\nstudent_cage(I) :- number(I).",
        [("1:4", "If it comes from the puzzle, declare it: #defined student/3.")],
    ),
    ("{ _x(1) }.\n#show _x/1.\n#show _y : _x(1).", [("2:1", "only in _x"), ("3:1", "only in _y")]),
    (":- a(1,1,N), N = 1/0.", [("1:18", "division by zero in 1/0: clingo discards")]),
    (":- a(1,1,N), N \\ (1-1) = 0, N / n = N / 2.", [("1:14", "division by zero in N \\ (1-1)")]),
    (":- numbr(N,N), number(N).", [("1:4", "declare it: #defined numbr/2.")]),
    (
        "p(1).\np(X+1) :- p(X)." + READ,
        [("2:1", "warning: p/1 depends on itself, and nothing bounds X")],
    ),
    (
        "p(1).  q(f(X)) :- p(X).  p(X) :- q(X)." + READ,
        [("1:8", "q/1 depends on itself, and nothing")],
    ),
    ("p(1).\np(X+1) :- p(X), X < n.\np(X-1) :- p(X), number(X)." + READ, []),
    ("p(1).\np((X+1)\\9) :- p(X).\np(X/2) :- p(X)." + READ, []),
    ("p(1..10**6)." + READ, [("1:1", "warning: the range 1..10**6 has 1,000,000 numbers")]),
]


@in_one_test(("text", "expected"), CASES)
def test_findings(tmp_path, text, expected):
    path = tmp_path / "student.lp"
    path.write_text(text, encoding="utf-8")
    messages = [str(message) for message in check_file(path)]
    assert len(messages) == len(expected), messages
    for message, (place, fragment) in zip(messages, expected, strict=True):
        assert message.startswith(f"{path}:{place}: ")
        assert fragment in message


def caret(finding):
    """The source line that a finding shows, and the text above its caret and after it."""
    source, below = finding.excerpt.split("\n")
    margin = source.index(" | ") + 3
    assert below.index("|") == margin - 2
    return source[margin:], source[below.index("^") :]


@pytest.mark.parametrize(
    ("text", "shown", "above"),
    [
        ("% one\n\t:- a(R,C,N), N =< 3.", " :- a(R,C,N), N =< 3.", "=< 3."),
        ('seen("é") x seen(2).', 'seen("é") x seen(2).', " x seen(2)."),
        (":- nubmer(N).\r\n", ":- nubmer(N).", "nubmer(N)."),
        (":- a(1,1,1)", ":- a(1,1,1)", ""),
    ],
)
def test_a_finding_shows_its_line_with_a_caret(text, shown, above):
    (finding,) = check(RuleFile.from_text("student", text))
    assert caret(finding) == (shown, above)


def test_the_caret_takes_account_of_wide_characters():
    (finding,) = check(RuleFile.from_text("student", 'seen("数") x seen(2).'))
    source, below = finding.excerpt.split("\n")
    assert below.index("^") == source.index(" x seen") + 1  # 数 takes two columns


def test_an_excerpt_is_cut_around_the_caret_and_shows_no_control_characters():
    long = ":- " + "a(1,1,1), " * 3000 + "N =< 3, " + "a(1,1,1), " * 3000 + "a(1,1,1)."
    (finding,) = check(RuleFile.from_text("student", long))
    shown, above = caret(finding)
    assert above.startswith("=< 3")
    assert shown[0] == shown[-1] == "…"
    assert len(shown) <= 80
    (finding,) = check(RuleFile.from_text("student", 'seen("\x1b[2J\u202e") x.'))
    shown, above = caret(finding)
    assert shown.isprintable()
    assert above == " x."


def test_notes_on_what_is_valid_but_probably_not_meant():
    def said(name, text):
        return [(note.line, note.text) for note in notes(RuleFile.from_text(name, text))]

    (untouched,) = said("mine", rule_template("mine"))
    assert "unchanged template" in untouched[1]
    assert said("mine", rule_template("mine").replace("describe your", "this is my")) == []
    ((line, text),) = said("mine", "p(9).\n:- a(9,C,N), not ab(mine).")
    assert (line, "write n" in text) == (2, True)
    ((_, text),) = said("Bad_Name", ":- a(1,1,1).")
    assert "call the file bad-name.lp and add the literal not ab(bad_name)" in text


# The places of numbers that are the last row, column or number, so that n is meant.
SIZES = {
    ":- a(9,C,N), a(1,C,9), not ab(mine).": [6, 20],
    ":- a(R,C,N), a(9-R+1,C,N), R < C, not ab(mine).": [16],
    ":- a(R,C,N), N < 9, R = 9, not ab(mine).": [18, 25],
    ":- a(1,C,N), N = 1..9, not ab(mine).": [21],
    ":- a(1,C,N), a(C,1,M), N+M < 9, not ab(mine).": [],
    ":- a(1,C,N), a(C,1,M), |N-M| >= 9, not ab(mine).": [],
    ":- #sum { N,R : a(R,R,N) } > 9, not ab(mine).": [],
    ":- a(1,1,N), N = 3..9, not ab(mine).": [],
    "mine(9).\n:- mine(N), a(1,1,N), not ab(mine).": [],
    ":- a(R,C,N), N > 8, not ab(mine).": [18],
    ":- a(1,C,8), not ab(mine).": [],
    ":- a(R,C,N), a(R1,C,N), (R-1)/3 < (R1-1)/3, not ab(mine).": [31, 42],
    ":- cell(R,C), C \\ 3 = 0, a(R,C,1), not ab(mine).": [19],
    ":- a(R,C,N), N \\ 3 = 0, |R-C| = 3, not ab(mine).": [],
}


def test_a_constant_that_is_set_twice():
    found = check(RuleFile.from_text("mine", "#const m = 1.\n#const m = 2.\n:- a(1,1,m)."))
    assert any("redefinition of constant" in each.text for each in found)


def test_strong_negation_in_a_head_retracts_no_rule():
    text = "-p(R,C,M) :- a(R,C,N), number(M), N != M.\n-ab(mine).\n"
    assert not any("retracts" in note.text for note in notes(RuleFile.from_text("mine", text)))


@in_one_test("text", SIZES)
def test_numbers_that_are_the_size(text):
    found = notes(RuleFile.from_text("mine", text))
    assert [each.column for each in found] == SIZES[text]
    assert all(re.search("write (n|box_rows)", each.text) for each in found)


def test_a_line_that_does_not_fit_on_a_slide(tmp_path):
    path = tmp_path / "mine.lp"
    long = "% " + 99 * "x"
    path.write_text(f"% A title.\n{long}\n:- a(1,1,1), not ab(mine).\n", "utf-8")
    path.with_suffix(".gen").write_text(f"{long}\n", "utf-8")
    found = notes(RuleFile.read(path))
    assert [(Path(each.place).suffix, each.line) for each in found] == [(".lp", 2), (".gen", 1)]
    assert check(RuleFile.read(path)) == []


def test_a_file_may_not_have_the_name_of_a_rule_of_the_base():
    (finding,) = check(RuleFile.from_text("row", ":- a(1,1,1), not ab(row)."))
    assert "give this file another name" in finding.text


def test_the_starter_is_a_good_rule_file(tmp_path):
    path = tmp_path / "my-rule.lp"
    path.write_text(rule_template("my-rule"), encoding="utf-8")
    assert check_file(path) == []


def test_file_that_cannot_be_read(tmp_path):
    assert "No such file" in str(check_file(tmp_path / "none.lp")[0])
    assert "Is a directory" in str(check_file(tmp_path)[0])
