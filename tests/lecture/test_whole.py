"""Whole programs of students: what plays the part of a/3 in them, and their rules over a/3, against
plain clingo.
"""

import re
import time

import clingo
import pytest

import aspdoku
from aspdoku import RuleFile
from aspdoku.lecture.played_grid import ask
from aspdoku.runtime import progress
from aspdoku.runtime.deadline import Deadline

SUDOKU = """\
% a choice for each cell, and givens of their own
#const size = 4.
x(1..size). y(1..size). n(1..size).
initial(1,2,3). initial(3,3,1).
1 { sudoku(X,Y,N) : n(N) } 1 :- x(X), y(Y).
:- sudoku(X,Y1,N), sudoku(X,Y2,N), Y1 != Y2.
:- sudoku(X1,Y,N), sudoku(X2,Y,N), X1 != X2.
:- sudoku(X1,Y1,N), sudoku(X2,Y2,N), (X1-1)/2 == (X2-1)/2, (Y1-1)/2 == (Y2-1)/2, X1 < X2, Y1 != Y2.
:- initial(X,Y,N), not sudoku(X,Y,N).
:- sudoku(X,Y,N),  % a step to the right and down
   sudoku(X+1,Y+1,N).
#show sudoku/3.
"""
VAL = """\
% numbers first, places from 0, without a choice
#const n = 4.
num(1..n). pos(0..n-1).
val(N,R,C) :- num(N), pos(R), pos(C), not other(N,R,C).
other(N,R,C) :- num(N), pos(R), pos(C), val(M,R,C), M != N.
:- val(N,R,C1), val(N,R,C2), C1 < C2.
:- val(N,R1,C), val(N,R2,C), R1 < R2.
:- val(N,R1,C1), val(N,R2,C2), R1/2 == R2/2, C1/2 == C2/2, R1 < R2, C1 != C2.
:- val(N,R,R), val(N,S,S), R < S.
"""
HOLDS = """\
% the boxes place the numbers; row/1 and box/3 are words of our base with another meaning
row(0..3). box(R,C,(R-1)/2*2+(C-1)/2) :- R = 1..4, C = 1..4.
1 { holds(R,N,C) : box(R,C,B) } 1 :- row(B), N = 1..4.
:- holds(R,N,C), holds(R,M,C), N < M.
:- #count { C : holds(R,N,C) } != 1, R = 1..4, N = 1..4.
:- #count { R : holds(R,N,C) } != 1, C = 1..4, N = 1..4.
:- holds(R,N,C), box(R,C,B), row(B), N = B+1, limit > 0, R = 1.
#const limit = 2.
"""


DISJUNCTION = """\
% a number or another: as in the book by Gelfond and Kahl
num(1..4). coord(1..4).
pos(1,X,Y) | pos(2,X,Y) | pos(3,X,Y) | pos(4,X,Y) :- coord(X), coord(Y).
region(X,Y,(X-1)/2*2+(Y-1)/2) :- coord(X), coord(Y).
-pos(N2,X,Y) :- pos(N1,X,Y), num(N2), N1 != N2.
-pos(N,X,Y2) :- pos(N,X,Y1), coord(Y2), Y1 != Y2.
-pos(N,X2,Y) :- pos(N,X1,Y), coord(X2), X1 != X2.
-pos(N,X2,Y2) :- pos(N,X1,Y1), region(X1,Y1,R), region(X2,Y2,R), X1 != X2, Y1 != Y2.
-pos(1,X,X) :- coord(X).
pos(3,1,2).
"""
IN_OR_OUT = """\
in(X,Y,N) | out(X,Y,N) :- row(X), col(Y), val(N).
row(1..4). col(1..4). val(1..4).
:- in(X,Y,N), in(X,Y,M), N < M.
:- row(X), col(Y), not in(X,Y,1), not in(X,Y,2), not in(X,Y,3), not in(X,Y,4).
:- in(X,Y,N), in(X,Z,N), Y < Z.
:- in(X,Y,N), in(Z,Y,N), X < Z.
:- in(X,X,N), in(Y,Y,N), X < Y.
:- in(X,5-X,N), in(Y,5-Y,N), X < Y.
"""
BOARD = """\
#const n = 2.
#const width = n*n.
dim(0..width-1). dig(0..width-1).
subgrid(R,C,R/n*n+C/n) :- dim(R), dim(C).
fixed(0,0,3). fixed(1,2,0).
board(R,C,V) : dig(V) :- dim(R), dim(C), not fixed(R,C,_).
board(R,C,V) :- fixed(R,C,V).
:- board(R,C,V), board(R,C,W), V < W.
:- dim(R), dig(V), not 1 = #count { C : board(R,C,V) }.
:- dim(C), #sum { V,R : board(R,C,V) } != 6.
:- dim(C), dig(V), #count { R : board(R,C,V) } > 1.
:- dim(B), #sum { V,R,C : board(R,C,V), subgrid(R,C,B) } != 6.
:- board(R,C,V), board(R,C+1,V+2).
#show board/3.
"""
CELL = """\
% unit propagation style: not not, helpers, givens that a choice leaves out
size(4).
value(1..S) :- size(S).
pos(1..S,1..S) :- size(S).
initial(1,1,1). initial(2,3,2).
{ cell(X,Y,V) : value(V) } = 1 :- pos(X,Y), not initial(X,Y,_).
cell(X,Y,V) :- initial(X,Y,V).
seen(row(X),V) :- cell(X,_,V).
seen(col(Y),V) :- cell(_,Y,V).
seen(box((X-1)/2,(Y-1)/2),V) :- cell(X,Y,V).
unit(row(1..S)) :- size(S).
unit(col(1..S)) :- size(S).
unit(box(0..1,0..1)).
:- unit(U), value(V), not seen(U,V).
:- initial(X,Y,V), cell(X+1,Y+1,W), V = W.
"""
ALLOWED = """\
% candidates; a choice without bounds, and a constraint that says that there are enough
allowed(R,C,N) :- R = 1..4, C = 1..4, N = 1..4, R+C+N > 3.
{ num(C,R,N) : allowed(R,C,N) }.
:- R = 1..4, C = 1..4, not 1 { num(C,R,N) } 1.
:- num(C,R1,N), num(C,R2,N), R1 < R2.
:- num(C1,R,N), num(C2,R,N), C1 < C2.
:- num(C1,R1,N), num(C2,R2,N), (R1-1)/2 = (R2-1)/2, (C1-1)/2 = (C2-1)/2, (R1,C1) < (R2,C2).
"""
KNIGHT = """\
num(1..4).
1 { q(N,R,C) : C = 1..4 } 1 :- num(N), R = 1..4.
:- q(N,R,C), q(M,R,C), N != M.
:- q(N,R,C), q(N,S,C), R != S.
jump(1,2). jump(2,1). jump(-X,Y) :- jump(X,Y), X > 0. % knights
:- q(N,R,C), jump(X,Y), q(N,R+X,C+Y).
ok :- q(2,1,C), q(3,C,1).
bad :- not ok, not bad.
"""
NEGATIVE = """\
% facts about the grid: givens in a pool, and their complement
num(1..4).
1 { s(R,C,N) : num(N) } 1 :- num(R), num(C).
:- s(R,C,N), s(R,D,N), C < D.
:- s(R,C,N), s(S,C,N), R < S.
:- s(R,C,N), s(S,D,N), (R-1)/2 = (S-1)/2, (C-1)/2 = (D-1)/2, R != S.
s(1,1,2;2,3,2).
-s(4,4,2). -s(R,R,4) :- num(R), R > 2.
#minimize { N : s(4,1,N) }.
"""
# The predicate, the places of row, column and number in it, and the lines that ours state.
PROGRAMS = {
    SUDOKU: ("sudoku", (0, 1, 2), "lines 5, 6, 7, 8 and 9"),
    VAL: ("val", (1, 2, 0), "lines 4, 6, 7 and 8"),
    HOLDS: ("holds", (0, 2, 1), "lines 3, 4, 5 and 6"),
    DISJUNCTION: ("pos", (1, 2, 0), "lines 3, 5, 6, 7 and 8"),
    IN_OR_OUT: ("in", (0, 1, 2), "lines 1, 3, 4, 5 and 6"),
    BOARD: ("board", (0, 1, 2), "lines 6, 7, 8, 9, 10 and 11"),
    CELL: ("cell", (0, 1, 2), "lines 6, 7 and 14"),
    ALLOWED: ("num", (0, 1, 2), "lines 4, 5, 6 and 7"),
    KNIGHT: ("q", (0, 1, 2), "lines 2, 3 and 4"),
    NEGATIVE: ("s", (0, 1, 2), "lines 3, 4, 5 and 6"),
}


def offered(text):
    """The finding about a whole program, and the rule that it offers."""
    report = aspdoku.check(RuleFile.from_text("student", text))
    (finding,) = (each for each in report.findings if "the part of a/3" in each.text)
    said, _, rule = finding.text.partition(" is:\n")
    return said, rule


def grids(text, predicate, order):
    """All grids of a program by plain clingo: each as its atoms in this order, all from 1."""
    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add(text)
    control.ground()
    found = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = (
                [each.number for each in atom.arguments]
                for atom in model.symbols(atoms=True)
                if atom.match(predicate, 3)
            )
            found.add(frozenset(tuple(atom[each] for each in order) for atom in atoms))
    least = [min((atom[each] for grid in found for atom in grid), default=1) for each in range(3)]
    return {
        frozenset(
            tuple(each - low + 1 for each, low in zip(atom, least, strict=True)) for atom in grid
        )
        for grid in found
    }


def offered_program(said, rule):
    """The program that a finding offers, as text: its givens, our rules and its rule file."""
    puzzle = re.search(r"a puzzle has: ([.1-4]{16});", said)
    text = puzzle[1] if puzzle else "." * 16
    with_ = [*re.findall(r"--with ([a-z-]+)", said)]
    if rule:
        written = RuleFile.from_text("written", rule)
        assert [each for each in aspdoku.check(written).findings if each.severity == "error"] == []
        with_.append(written)
    return aspdoku.compose(text, *with_, without=re.findall("--without ([a-z]+)", said)).text


@pytest.mark.slow
@pytest.mark.parametrize("text", PROGRAMS, ids=[predicate for predicate, _, _ in PROGRAMS.values()])
def test_what_is_offered_has_the_grids_of_the_program(text):
    predicate, order, stated = PROGRAMS[text]
    said, rule = offered(text)
    terms = "".join("RCN"[order.index(place)] + "," for place in range(3))
    assert f"{predicate}({terms[:-1]}) is a 4x4 grid" in said
    assert f"the default rules state {stated}" in said
    assert not re.search(rf"\b{predicate}\(", rule)
    expected = grids(re.sub("#minimize.*", "", text), predicate, order)
    assert 0 < len(expected) < 288, "the rule forbids some grids and not all"
    assert grids(offered_program(said, rule), "a", (0, 1, 2)) == expected


@pytest.mark.slow
def test_a_rule_of_ours_in_words_of_a_program():
    said, _ = offered(IN_OR_OUT)
    assert "in 4x4 grids diagonal is the same as lines 7 and 8: --with diagonal" in said
    assert said.endswith("it has no other rule")
    lines = IN_OR_OUT.replace("5-", "6-").splitlines()
    said, rule = offered("\n".join([*lines[:6], lines[7]]))
    assert "diagonal" not in said
    assert rule == ":- a(X,6-X,N), a(Y,6-Y,N), X < Y."


@pytest.mark.slow
def test_what_is_said_about_givens_and_numbers_from_0():
    assert "initial/3 states givens, which a puzzle has: .3........1....." in offered(SUDOKU)[0]
    assert "the givens a puzzle has: 3..............." in offered(HOLDS + "holds(1,3,1).\n")[0]
    said, rule = offered(BOARD)
    assert (
        "it counts rows from 0, columns from 0 and numbers from 0, and ours counts all from 1"
        in said
    )
    assert "fixed/3 states givens, which a puzzle has: 4.....1" in said
    assert rule.endswith("\n:- a(R+1,C+1,V+1), a(R+1,(C+1)+1,(V+2)+1).")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("#external sudoku(1,1,1).", "line 13 is neither a rule, a choice nor"),
        (":- sudoku(1,1,(1;2)), -sudoku(X,Y,N).", "line 13 reads -sudoku/3"),
        (":- sudoku(1,1,1;1,2,2).", "line 13 has a pool of atoms"),
    ],
)
def test_what_cannot_be_written_is_named(line, message):
    assert f"its rules are not shown over a/3, since {message}" in offered(SUDOKU + line)[0]


@pytest.mark.slow
def test_what_is_preferred_is_left_out_and_said():
    said, _ = offered(NEGATIVE)
    assert "what line 9 prefers is left out" in said
    assert "a puzzle has: 2.....2........." in said
    assert "prefers" not in offered(SUDOKU)[0]


@pytest.mark.slow
def test_rules_of_ours_that_a_program_lacks():
    lines = SUDOKU.splitlines()
    without_columns = "\n".join(line for line in lines if "X1 != X2" not in line)
    # line 8 relies on columns
    assert "for lack of box and column" in offered(without_columns)[0]
    without_boxes = "\n".join(line for line in lines if "/2 ==" not in line)
    said, _ = offered(without_boxes)
    assert "it allows grids that ours forbid, for lack of box, as with --without box" in said
    assert "which argument is the number is not determined" in said


def test_the_number_is_the_argument_that_a_choice_gives_to_a_cell():
    text = "{ s(N,X,Y) : N=1..4 } = 1 :- X=1..4, Y=1..4.\n"
    text += ":- s(N,X,Y), s(N,X,Z), Y < Z.\n:- s(N,X,Y), s(N,Z,Y), X < Z.\n"
    said, rule = offered(f"{text}:- s(N,X,Y), s(N,X+1,Y+1).\n")
    assert "s(N,R,C) is a 4x4 grid" in said
    assert "which argument is the number is not determined" in said
    assert rule == ":- a(X,Y,N), a(X+1,Y+1,N)."


GRID_OF = "1 {{ {0}(R,C,N) : N=1..4 }} 1 :- R=1..4, C=1..4.\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "{ edge(X,Y,Z) : X=1..3, Y=1..3, Z=1..3 }.\n:- edge(X,X,_).",
            "edge/3 cannot play the part of a/3: in 50 answer sets",
        ),
        (
            GRID_OF.format("p") + GRID_OF.format("q") + ":- p(R,C,N), q(R,C,N).",
            "p/3 and q/3 are each a grid: which of them plays the part of a/3 is not determined",
        ),
        (GRID_OF.format("p") + ":- p(1,1,_).", "a program without an answer set"),
        (":- p(R,C,N), q(R,C,N).", "p/3 and q/3 have three arguments, and nothing defines them"),
        (
            "1 { p(R,C,N) : N=(x;y) } 1 :- R=1..2, C=1..2.\n:- p(R,C,x), p(R,C+1,x).",
            "p/3 cannot play the part of a/3",
        ),
    ],
)
def test_no_grid_or_two(text, message):
    findings = aspdoku.check(RuleFile.from_text("student", text)).findings
    assert any(message in each.text for each in findings)
    assert not any("plays the part of a/3 here: in" in each.text for each in findings)


@pytest.mark.slow
def test_a_rule_over_another_predicate():
    said, rule = offered(":- cell(R,C,N), cell(R+1,C+1,N).")
    assert "if cell/3 plays the part of a/3 here, with row, column and number in this order" in said
    assert "for lack of" not in said
    assert rule == ":- a(R,C,N), a(R+1,C+1,N)."


@pytest.mark.slow
def test_a_derived_copy_of_the_grid_is_not_the_one_that_is_chosen():
    text = SUDOKU + "turned(Y,X,N) :- sudoku(X,Y,N).\n"
    assert "sudoku/3 plays the part of a/3" in offered(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        ":- a(R,C,N), p(R,C,N).",
        "#defined p/3.  % p(R,C,N): clues\n:- p(R,C,N).",
        "seen(R,C) :- row(R), column(C).",
        "box(R,C,(R-1)/3*3+(C-1)/3+1) :- R=1..9, C=1..9.",
    ],
)
def test_nothing_is_said_about_other_files(text):
    findings = aspdoku.check(RuleFile.from_text("student", text)).findings
    assert not any("the part of a/3" in each.text for each in findings)


def test_no_code_is_run(tmp_path):
    mark = tmp_path / "mark"
    script = f'#script (python)\nopen("{mark}", "w")\n#end.\n'
    included = '#include "/etc/hostname".\n'
    for text in (script + SUDOKU, included + SUDOKU):
        findings = aspdoku.check(RuleFile.from_text("student", text)).findings
        assert not any("the part of a/3" in each.text for each in findings)
        assert "cannot be used in a rule file" in findings[0].text
    assert not mark.exists()


ENDLESS = "p(1). p(X+1) :- p(X).\n1 { g(R,C,N) : N=1..4 } 1 :- R=1..4, C=1..4, p(R).\n"


@pytest.mark.slow
def test_a_program_whose_grounding_does_not_end():
    findings = aspdoku.check(RuleFile.from_text("student", ENDLESS), time_limit=2).findings
    assert any("was not decided: more than" in each.text for each in findings)
    errors = [each.text for each in findings if each.severity == "error"]
    assert any("did not end within 1 s" in each for each in errors)


def test_a_file_without_a_grid_is_tried_as_a_rule():
    text = "1 { mark(X,Y,Z) : Z=1..3 } 1 :- row(X), column(Y).\n:- mark(X,X,_).\n"
    findings = aspdoku.check(RuleFile.from_text("student", text)).findings
    assert any("cannot play the part of a/3" in each.text for each in findings)
    alone = [each for each in findings if "a/3" not in each.text]
    assert any("no grid of 4x4, 6x6 or 9x9 satisfies" in each.text for each in alone)


def test_a_program_that_clingo_cannot_ground():
    with pytest.raises(aspdoku.RuleError, match="clingo cannot ground this file"):
        ask(GRID_OF.format("p") + "q(X).", [("p", 3)], Deadline(9))
    with pytest.raises(aspdoku.RuleError, match="without an answer set"):
        ask(GRID_OF.format("p") + ":- p(1,1,_).", [("p", 3)], Deadline(9))


def test_a_constant_that_is_set_on_the_command_line_of_clingo():
    text = GRID_OF.format("p").replace("4", "n") + ":- p(R,C,N), p(R,C+1,N)."
    findings = aspdoku.check(RuleFile.from_text("student", text)).findings
    assert any(each.text.endswith("; no #const sets n") for each in findings)


@pytest.mark.slow
def test_a_9x9_program_with_knights():
    lines = SUDOKU.replace("size = 4", "size = 9").replace("-1)/2", "-1)/3").splitlines()
    jumps = [
        f":- sudoku(X,Y,N), sudoku(X+{x},Y{y:+d},N)." for x, y in ((1, 2), (2, 1), (1, -2), (2, -1))
    ]
    said, rule = offered("\n".join([*lines[:9], *jumps]))
    assert "the default rules state lines 5, 6, 7, 8 and 9" in said
    assert "in 9x9 grids anti-knight is the same as lines 10, 11, 12 and 13" in said
    assert not rule


# Without an answer set, which takes clingo very long to prove.
PIGEONS = """\
{ in(P,H) : H = 1..13 } = 1 :- P = 1..14.
:- in(P,H), in(Q,H), P < Q.
"""


def elaborated(text, grid, **options):
    """The steps of a report on a program of one's own as the base, in a blank 4x4 grid."""
    base = RuleFile.from_text("student", text)
    return aspdoku.elaborate("." * 16, over=base, grid=grid, limit=0, **options).data


def squares_apart(grid):
    """Whether no two equal numbers are diagonally adjacent: anti-king, given rows and columns."""
    numbers = {(row, column): number for row, column, number in grid}
    return not any(
        numbers[row, column] == numbers.get((row + 1, column + step))
        for row, column in numbers
        for step in (1, -1)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "grid", "order", "line"),
    [
        (SUDOKU.replace("initial(1,2,3). initial(3,3,1).", ""), "sudoku/3", (0, 1, 2), 8),
        (VAL, "val/3", (1, 2, 0), 8),
    ],
)
def test_an_elaboration_of_a_base_in_words_of_its_own(text, grid, order, line):
    report = elaborated(text, grid, with_=["anti-king"], without=["box"])
    added, edited = report.steps
    before = grids(text, grid[:-2], order)
    after = set(filter(squares_apart, before))
    (count,) = added.counts
    assert (count.before, count.after) == (len(before), len(after))
    assert added.contract.kind == "restricts"
    assert len(added.text_diff.added) == 1
    assert all(file.untouched for file in added.text_diff.kept)
    assert edited.contract.kind == "surgery"
    assert edited.place == f"student.lp without line {line}"
    assert [each.line for each in edited.text_diff.removed] == [line]
    lines = text.splitlines()
    without = "\n".join([*lines[: line - 1], *lines[line:]])
    (count,) = edited.counts
    assert count.after == len(list(filter(squares_apart, grids(without, grid[:-2], order))))


@pytest.mark.slow
def test_a_clue_inside_of_a_box_is_kept_when_boxes_are_retracted():
    clue = ":- sudoku(1,2,N), sudoku(2,1,N).\n"
    repeated = ":- sudoku(X,Y,N), sudoku(Z,T,N), (X-1)/2 = (Z-1)/2, (Y-1)/2 = (T-1)/2, X < Z.\n"
    (step,) = elaborated(SUDOKU + clue + repeated, "sudoku/3", without=["box"]).steps
    assert [each.line for each in step.text_diff.removed] == [8, 14]
    lines = (SUDOKU + clue).splitlines()
    (count,) = step.counts
    expected = grids("\n".join([*lines[:7], *lines[8:]]), "sudoku", (0, 1, 2))
    assert count.after == len(expected)
    assert len(grids("\n".join([*lines[:7], *lines[8:-1]]), "sudoku", (0, 1, 2))) > count.after


@pytest.mark.slow
def test_a_base_that_counts_from_0():
    text = re.sub(r"\bn\b", "m", BOARD)
    (step,) = elaborated(text, "board/3", with_=["anti-king"]).steps
    before = grids(BOARD, "board", (0, 1, 2))
    (count,) = step.counts
    assert (count.before, count.after) == (len(before), len(list(filter(squares_apart, before))))
    with pytest.raises(aspdoku.RuleError, match="by -c n=4"):
        aspdoku.elaborate(
            "." * 81, over=RuleFile.from_text("student", text), grid="board/3", limit=1
        )


@pytest.mark.slow
def test_all_questions_about_a_base_share_one_time_limit():
    hard = PIGEONS + "1 { sudoku(X,Y,N) : N = 1..9 } 1 :- X = 1..9, Y = 1..9.\n"
    began = time.monotonic()
    with pytest.raises(aspdoku.RuleError, match="was not decided"):
        aspdoku.elaborate(
            "." * 81,
            over=RuleFile.from_text("student", hard),
            grid="sudoku/3",
            without=["row", "column", "box"],
            time_limit=3,
        )
    assert time.monotonic() - began < 5


@pytest.mark.slow
def test_boxes_that_place_the_numbers_are_replaced():
    text = HOLDS.replace("row(", "region(").replace("box(", "block(")
    text = text.replace("N = B+1, limit > 0, R = 1", "limit < 0")
    (step,) = elaborated(text, "holds/3", without=["box"]).steps
    assert [each.line for each in step.text_diff.removed] == [3]
    assert [each.text for each in step.text_diff.added] == [
        "1 { holds(R,N,C) : number(N) } 1 :- cell(R,C)."
    ]
    (count,) = step.counts
    assert (count.before, count.after) == (288, 576), "boxes, and all Latin squares"


@pytest.mark.slow
def test_boxes_that_place_numbers_with_others_are_removed():
    text = """\
1 { q(R,C,N) : N=1..4 } 1 :- R=1..4, C=1..4.
1 { q(R,C,N) : C=1..4 } 1 :- R=1..4, N=1..4.
1 { q(R,C,N) : R=1..4 } 1 :- C=1..4, N=1..4.
1 { q(R,C,N) : R=2*I+1..2*I+2, C=2*J+1..2*J+2 } 1 :- I=0..1, J=0..1, N=1..4.
"""
    (step,) = elaborated(text, "q/3", without=["box"]).steps
    assert [each.line for each in step.text_diff.removed] == [4]
    assert not step.text_diff.added
    (count,) = step.counts
    assert (count.before, count.after) == (288, 576), "boxes, and all Latin squares"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (SUDOKU, {"grid": "sudoko/3"}, "student.lp defines no sudoko/3"),
        (BOARD, {"grid": "board/3"}, "its constant n is 2, which is something else in our"),
        (SUDOKU, {"grid": "sudoku"}, "student.lp defines no sudoku"),
        (
            "\n" + GRID_OF.format("a"),
            {"grid": "a/3"},
            "student.lp:2: a/3 is the grid of our elaborations, which a file of its own derives",
        ),
        ("{ e(X,Y,Z) : X=1..3, Y=1..3, Z=1..3 }.", {"grid": "e/3"}, "e/3 cannot play the part"),
        (GRID_OF.replace("4", "9").format("p"), {"grid": "p/3"}, "is about 9x9 grids"),
        (HOLDS, {"grid": "holds/3"}, "row/1 is a word of our elaborations, with another meaning"),
        (
            GRID_OF.format("p") + "gt(1,1,1,2).",
            {"grid": "p/3", "with_": ["greater-than"], "facts": "gt(1,1,2,1)"},
            "greater-than.lp reads gt/4, which student.lp:2 defines",
        ),
        (GRID_OF.format("p"), {"grid": "p/3", "without": ["box"]}, "none of its rules states it"),
        (
            GRID_OF.format("p") + ":- -p(1,1,1).",
            {"grid": "p/3", "without": ["row"]},
            "lacks the rule 'row': line 2 reads -p/3",
        ),
        (GRID_OF.format("p") + "#minimize { N : p(1,1,N) }.", {"grid": "p/3"}, "#minimize"),
        ("#script (lua) #end.\n" + GRID_OF.format("p"), {"grid": "p/3"}, "#script cannot be used"),
    ],
)
def test_a_base_that_cannot_be_used(text, options, message):
    with pytest.raises(aspdoku.RuleError, match=re.escape(message)):
        elaborated(text, **options)


def test_a_base_without_a_grid_of_ours():
    with pytest.raises(aspdoku.RuleError, match="defines no a/3: name the predicate"):
        elaborated(GRID_OF.format("p"), None)
    with pytest.raises(aspdoku.RuleError, match="incomplete last statement"):
        elaborated("p(1,2", None)


def test_grid_requires_another_base():
    with pytest.raises(aspdoku.AspdokuError, match="it requires over"):
        aspdoku.elaborate("." * 16, grid="sudoku/3")


WITHOUT_BOXES = """\
num(1..4).
1 { s(X,Y,N) : num(N) } 1 :- num(X), num(Y).
:- s(X,Y,N), s(X,Z,N), Y < Z.  % each number once in a row
:- s(X,Y,N), s(Z,Y,N), X < Z.
"""


def test_what_is_said_of_a_rule_file_is_not_said_of_a_whole_program():
    """Neither that a fact ab(NAME) does not retract its constraints, nor that it should read a/3
    of base.lp.
    """
    with progress.listening((heard := []).append):
        report = aspdoku.check(RuleFile.from_text("student", WITHOUT_BOXES))
    assert heard[:2] == ["looking for the grid of a whole program", "comparing its rules with ours"]
    assert [each.line for each in report.findings] == [2]
    assert "s/3 plays the part of a/3 here" in report.findings[0].text
    assert report.notes == ()


def test_there_are_no_notes_about_a_program_without_an_answer_set():
    """The advice on a/3 is left: the file may be meant as a rule."""
    report = aspdoku.check(RuleFile.from_text("student", WITHOUT_BOXES + ":- num(1)."))
    said = " ".join(each.text for each in report.findings)
    assert "a program without an answer set" in said
    assert "no rule of this file reads a(R,C,N)" in said
    assert report.notes == ()


def test_notes_about_a_rule_file_are_part_of_its_report():
    text = ":- a(R,C,N), a(R+1,C+1,N)."
    assert [each.line for each in aspdoku.check(RuleFile.from_text("student", text)).notes] == [1]
    assert aspdoku.check(RuleFile.from_text("student", text + ":- b.")).notes == ()
