"""The wording of a rule: what makes no difference, and what does."""

import pytest
from in_one_test import in_one_test

from aspdoku.program import RuleFile
from aspdoku.program.wording import without_remarks, wording

KNIGHT = ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3."


def rule(text):
    return RuleFile.from_text("mine", text)


SAME = {
    "names": (KNIGHT, ":- a(X,Y,Z), a(X1,Y1,Z), |X1-X| + |Y1-Y| == 3."),
    "order of atoms": (KNIGHT, ":- a(R1,C1,N), a(R,C,N), |R1-R| + |C1-C| == 3."),
    "order of conditions": (KNIGHT, ":- |R1-R| + |C1-C| == 3, a(R,C,N), a(R1,C1,N)."),
    "sides": (KNIGHT, ":- a(R,C,N), a(R1,C1,N), 3 = |C-C1| + |R-R1|."),
    "layout": (KNIGHT, "%* Anna *%\n:- a(R,C,N),\n   a(R1,C1,N), |R1-R|+|C1-C|==3. % the end"),
    "declarations": (KNIGHT, f"#defined ab/1.\n{KNIGHT[:-1]}, not ab(mine)."),
    "exceptions": (KNIGHT, f"{KNIGHT[:-1]}, not ab(anna), not ab(anna,N)."),
    "inequalities": (":- a(R,C,N), N < C, R >= 2.", ":- a(X,Y,Z), 2 <= X, Y > Z."),
    "statements": (":- a(1,1,1). :- a(2,2,2).", ":- a(2,2,2).\n:- a(1,1,1)."),
    "a product": (":- a(R,C,R*C+1).", ":- a(R,C,1+C*R)."),
}


@in_one_test("pair", SAME.values())
def test_the_same_wording(pair):
    one, two = map(rule, pair)
    assert wording(one) == wording(two)


OTHER = {
    "a distance": (KNIGHT, KNIGHT.replace("3", "2")),
    "an operation": (KNIGHT, KNIGHT.replace("+", "*")),
    "a difference": (":- a(R,C,R-C).", ":- a(R,C,C-R)."),
    "a comparison": (":- a(R,C,N), N < C.", ":- a(R,C,N), N > C."),
    "a variable": (":- a(R,C,N), a(C,R,N).", ":- a(R,C,N), a(R,C,N)."),
    "negation": (":- a(R,C,N), not b(N).", ":- a(R,C,N), b(N)."),
    "rows and columns": (":- a(R,C,N), a(R+1,C,N).", ":- a(R,C,N), a(R,C+1,N)."),
    "an exception with a condition": (":- a(R,C,N), not ab(R).", ":- a(R,C,N)."),
    "a statement": (":- a(1,1,1).", ":- a(1,1,1). :- a(2,2,2)."),
}


@pytest.mark.parametrize("pair", OTHER.values(), ids=OTHER)
def test_another_wording(pair):
    one, two = map(rule, pair)
    assert wording(one) != wording(two)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("% Anna.\n\n#defined ab/1.  % of Anna\n:- a(1,1,1).\n", ":- a(1,1,1)."),
        (":- a(1,1,1), not ab(anna).", ":- a(1,1,1)."),
        (":- not ab(anna,N), a(1,1,N).", ":- a(1,1,N)."),
        (":- a(1,1,1),  %* Anna\n*% a(2,2,2).", ":- a(1,1,1),   a(2,2,2)."),
    ],
)
def test_without_remarks(text, left):
    assert without_remarks(rule(text)) == left


def test_a_long_file_is_compared_as_it_is():
    """Except for the order of its statements: a right rule may list thousands of cases."""
    lines = [f":- a(1,1,X), a(2,{number},Y), X < Y." for number in range(60)]
    form = wording(rule("\n".join(lines)))
    assert form == wording(rule("\n".join(reversed(lines))))
    assert form != wording(rule("\n".join(lines).replace("X", "Z")))
