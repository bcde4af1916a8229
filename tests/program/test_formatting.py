"""`format`: the bundled files are as it leaves them, and clingo reads the same program."""

import random
import re
from pathlib import Path

import pytest
from clingo.ast import ASTType, parse_string
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test
from rule_files import rule_file

from aspdoku import RuleError, RuleFile
from aspdoku.program.formatting import formatted
from aspdoku.program.library import data_dir
from aspdoku.program.rulefile import comments, opaque
from aspdoku.program.templates import rule_template

BENCH = Path(__file__).parents[2] / "bench" / "rules"
FILES = sorted([*data_dir().rglob("*.lp"), *data_dir().rglob("*.gen"), *BENCH.glob("*.lp")])
# They quote the lecture, which writes N!=N1 and 1{…}.
QUOTED = data_dir() / "slides"


def statements(text):
    """The syntax trees of a text as clingo writes them, without comments."""
    found = []
    parse_string(text, found.append)
    return [str(each) for each in found if each.ast_type != ASTType.Comment]


def assert_same(before, after):
    assert statements(after) == statements(before)
    assert "".join(after.split()) == "".join(before.split())
    assert [text for _, _, text in comments(after)] == [
        text if text.startswith("%*") else text.rstrip() for _, _, text in comments(before)
    ]
    strings = [
        [text[start:end] for start, end, sign in opaque(text) if sign == '"']
        for text in (before, after)
    ]
    assert strings[0] == strings[1]
    again = formatted(RuleFile("again", "again", after, vetted=True))
    assert again == after


def test_the_bundled_files_are_formatted():
    others = [file for file in FILES if QUOTED not in file.parents]
    assert len(others) > 200
    changed = {
        file.name
        for file in others
        if formatted(RuleFile.read(file, vetted=True)) != file.read_text("utf-8")
    }
    assert changed == set()


def test_a_new_file_is_formatted():
    text = rule_template("no-touch")
    assert formatted(rule_file(text)) == text


def test_a_quotation_would_change_and_stay_the_same_program():
    for file in QUOTED.glob("*.lp"):
        assert_same(file.read_text("utf-8"), formatted(RuleFile.read(file)))
    text = rule_file("1{R != R1; C!=C1} :- p(R,R1,C,C1).\n")
    assert formatted(text) == "1 { R != R1; C != C1 } :- p(R,R1,C,C1).\n"


def perturbed(text, chance):
    """The text with other blanks and more line breaks where clingo allows them."""
    parts, position = [], 0

    def blanks(found):
        if "\n" in found[0]:
            return chance.choice(["\n", "  \n\t ", "\n\n\n\n", " \r\n   "])
        return chance.choice([" ", "   ", "\t", "\n", "\n      "] + [""] * 5 * (not found[0]))

    gap = re.compile(r"\s+|(?<=[][(){},;])(?=\S)|(?<=\S)(?=[]){},;])")
    for start, end, _ in (*opaque(text), (len(text), len(text), "")):
        parts += gap.sub(blanks, text[position:start]), text[start:end]
        position = end
    return "".join(parts)


def check_perturbed(file, seed):
    text = perturbed(file.read_text("utf-8"), random.Random(seed))
    assert_same(text, formatted(RuleFile(file.stem, file.name, text, vetted=True)))


@settings(max_examples=25)
@given(st.sampled_from(FILES), st.integers(0, 2**32))
def test_other_blanks_stay_the_same_program(file, seed):
    check_perturbed(file, seed)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_other_blanks_in_each_file(file):
    for seed in range(3):
        check_perturbed(file, seed)


@in_one_test(
    ("before", "after"),
    [
        ("p:-q.", "p :- q.\n"),
        (":-a( R ,C,N ),N<3,not  ab( mine ) .", ":- a(R,C,N), N < 3, not ab(mine).\n"),
        (":- a(R, C,N).", ":- a(R, C, N).\n"),
        (":- a(R,\tC,N), R<>C.", ":- a(R, C, N), R <> C.\n"),
        (":- a(R,C, N).", ":- a(R,C,N).\n"),
        (
            ":- p(X), X=1 .. 3, |X - 1|>=X\\2, X = (1; 2;3).",
            ":- p(X), X = 1..3, |X - 1| >= X\\2, X = (1; 2; 3).\n",
        ),
        ("{p(X):q(X),r;s}=1:-t.", "{ p(X) : q(X), r; s } = 1 :- t.\n"),
        (
            ":- #sum{N, K:a(N,K) ;2,1 : b}!=S, c(S).",
            ":- #sum { N, K : a(N,K); 2,1 : b } != S, c(S).\n",
        ),
        (":- 1#count{X:p(X)}2 .", ":- 1 #count { X : p(X) } 2.\n"),
        ("#const n=9.[default]", "#const n = 9. [default]\n"),
        ("a(X):b(X),c(X) ;d:-not  not e,X = - 1.", "a(X) : b(X), c(X); d :- not not e, X = - 1.\n"),
        (":- not p(X):q(X);r.", ":- not p(X) : q(X); r.\n"),
        ("p (1).q.", "p(1).  q.\n"),
        ('p( "a  ,b" , X ):-q(X).', 'p("a  ,b", X) :- q(X).\n'),
        (":~p(X).[1@2,X]", ":~ p(X). [1@2,X]\n"),
        (":~p(X).%a\n[1@2]\nq.", ":~ p(X).  %a\n   [1@2]\nq.\n"),
        ("#const n=9.\n[default]", "#const n = 9.\n    [default]\n"),
        ("p:-\nq,\n    r.", "p :-\n    q,\n    r.\n"),
        (":- q,\n      r.", ":- q,\n   r.\n"),
        (":- #sum { 1 : p;\n2 : q } > 1,\nr.", ":- #sum { 1 : p;\n          2 : q } > 1,\n   r.\n"),
        ("p(X) :-\nX = (\n1;\n2\n).", "p(X) :-\n    X = (\n        1;\n        2\n    ).\n"),
        ("\n\np.\n\n\n\nq.\n\n", "p.\n\nq.\n"),
        ("p.   \n", "p.\n"),
        ("", ""),
        ("  % a\n\n\n% b  \np.%c", "  % a\n\n% b\np.  %c\n"),
        ("p.   % a\nq(1).% b", "p.   % a\nq(1).  % b\n"),
        ("p( X )    :- q(X).       % a", "p(X) :- q(X).            % a\n"),
        ("p(X) :- %* x,y *% q(X).", "p(X) :- %* x,y *% q(X).\n"),
        ("%*\n\n\n  p( X ).\n*%\np.", "%*\n\n\n  p( X ).\n*%\np.\n"),
        ("p :- q,\n  %  why\n r.", "p :- q,\n  %  why\n    r.\n"),
        ("p.\r\n\r\n\r\nq.", "p.\r\n\r\nq.\r\n"),
    ],
)
def test_what_is_changed(before, after):
    assert formatted(rule_file(before)) == after
    assert_same(before.replace("\r", ""), after.replace("\r", ""))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("% T\np( X) :- q( X\n", "mine.lp:2:14: incomplete last statement"),
        (":- a(R,C,N),N =< 3.\n", "mine.lp:1:15: syntax error: clingo has no operator =<"),
        ("#script (python)\ndef f( ): pass\n#end.\n", "mine.lp:1:1: #script cannot be used"),
        ("&sum{x}<3 :- p.\n", "mine.lp: not formatted, because it has theory atoms"),
    ],
)
def test_what_is_refused(text, reason):
    with pytest.raises(RuleError, match=re.escape(reason)):
        formatted(rule_file(text))
