"""Whole programs of students: what plays the part of a/3 in them, and their rules over a/3, against
plain clingo.
"""

import re
import time
from contextlib import suppress

import clingo
import pytest

import aspdoku
from aspdoku import RuleFile
from aspdoku.program.library import data_dir

ASP = data_dir()
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


def offered(text):
    """The finding about a whole program, and the rule that it offers."""
    report = aspdoku.check(RuleFile.from_text("student", text))
    (finding,) = (each for each in report.findings if "the part of a/3" in each.text)
    said, _, rule = finding.text.partition(" is:\n")
    return said, rule


def grids(text, predicate, order):
    """All grids of a program by plain clingo, each as its atoms in this order from 1."""
    control = clingo.Control(["0"], logger=lambda *_: None)
    control.add(text)
    control.ground()
    found = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = (
                [each.number for each in atom.arguments]
                for atom in model.symbols(atoms=True)
                if (atom.name, len(atom.arguments)) == (predicate, 3)
            )
            found.add(frozenset(tuple(atom[each] for each in order) for atom in atoms))
    shifts = [1 - min(column) for column in zip(*next(iter(found)), strict=True)]
    return {
        frozenset(tuple(map(sum, zip(atom, shifts, strict=True))) for atom in grid)
        for grid in found
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "predicate", "order", "stated"),
    [
        (SUDOKU, "sudoku", (0, 1, 2), "lines 5, 6, 7, 8 and 9"),
        (VAL, "val", (1, 2, 0), "lines 4, 6, 7 and 8"),
        (HOLDS, "holds", (0, 2, 1), "lines 3, 4, 5 and 6"),
    ],
)
def test_the_rule_that_is_offered_has_the_grids_of_the_program(text, predicate, order, stated):
    said, rule = offered(text)
    letters = dict(zip(order, "RCN", strict=True))
    assert f"{predicate}({','.join(letters[each] for each in range(3))}) is a 4x4 grid" in said
    assert f"the default rules state {stated}" in said
    assert predicate not in rule
    free = "\n".join(line for line in text.splitlines() if "initial" not in line)
    expected = grids(free, predicate, order)
    assert 0 < len(expected) < 288, "the rule forbids some grids and not all"
    constants = {"limit": 2} if "limit" in rule else None
    written = RuleFile.from_text("written", rule)
    assert [each for each in aspdoku.check(written).findings if each.severity == "error"] == []
    named = re.findall("--with ([a-z-]+)", said)
    found = aspdoku.solve(
        "." * 16, with_=[written, *named] if rule else named, limit=0, constants=constants
    )
    assert {
        frozenset((r, c, n) for (r, c), n in each.numbers().items()) for each in found.solutions
    } == expected


LINES = """\
row(1..4). col(1..4). val(1..4).
:- {0}(X,Y,V), {0}(X,Z,V), Y != Z.
:- {0}(X,Y,V), {0}(Z,Y,V), X != Z.
:- {0}(X,Y,V), {0}(Z,W,V), X != Z, Y != W, (X-1)/2 == (Z-1)/2, (Y-1)/2 == (W-1)/2.
"""
# Programs as they are found on the web, with the givens in them, as row, column and number from 1.
PROGRAMS = {
    "givens in every part": (
        "cell",
        [(1, 2, 3), (3, 3, 1)],
        LINES.format("cell")
        + """\
initial(1,2,3). initial(3,3,1).
1 { cell(X,Y,N) : val(N) } 1 :- row(X), col(Y), not initial(X,Y,_).
cell(X,Y,N) :- initial(X,Y,N).
:- initial(X,Y,N), initial(X,Y,M), N < M.
:- initial(X,Y,N), cell(X,Y,M), N != M.
% a rule about givens
:- initial(X,Y,N), cell(X+1,Y+1,N).
""",
    ),
    "all from 0, and facts about subgrids": (
        "sudoku",
        [(1, 1, 1)],
        """\
num(0..3).
subgrid(0,0,0;;0,1,0;;1,0,0;;1,1,0;;0,2,1;;0,3,1;;1,2,1;;1,3,1).
subgrid(2,0,2;;2,1,2;;3,0,2;;3,1,2;;2,2,3;;2,3,3;;3,2,3;;3,3,3).
{ sudoku(X,Y,V) : num(V) } = 1 :- num(X), num(Y).
:- sudoku(X,Y1,V), sudoku(X,Y2,V), Y1 != Y2.
:- sudoku(X1,Y,V), sudoku(X2,Y,V), X1 != X2.
:- sudoku(X1,Y1,V), sudoku(X2,Y2,V), subgrid(X1,Y1,S), subgrid(X2,Y2,S), (X1,Y1) != (X2,Y2).
sudoku(0,0,0).
:- num(X), #sum { V,Y : sudoku(X,Y,V), Y < 2 } = 3.
""",
    ),
    "a disjunction with its complement": (
        "in",
        [],
        LINES.format("in")
        + """\
in(X,Y,V) | out(X,Y,V) :- row(X), col(Y), val(V).
:- in(X,Y,V), in(X,Y,W), V != W.
assigned(X,Y) :- in(X,Y,_).
:- row(X), col(Y), not assigned(X,Y).
:- row(X), X < 3, not out(X,X,1).
""",
    ),
    "a disjunction of the numbers, and sums": (
        "board",
        [],
        """\
row(1..4). col(1..4).
board(R,C,1) ; board(R,C,2) ; board(R,C,3) ; board(R,C,4) :- row(R), col(C).
:- row(R), #sum { N,C : board(R,C,N) } != 10.
:- row(R), #count { N : board(R,C,N) } != 4.
:- col(C), #count { N : board(R,C,N) } != 4.
box(R,C,(R-1)/2*2+(C-1)/2) :- row(R), col(C).
:- box(_,_,B), #count { N : board(R,C,N), box(R,C,B) } != 4.
:- #sum { N,R : board(R,R,N) } > 9.
""",
    ),
    "numbers that a choice leaves out": (
        "g",
        [],
        LINES.format("g")
        + """\
even(1,1). even(2,3).
1 { g(R,C,N) : val(N), N\\2 = 0 } 1 :- even(R,C).
1 { g(R,C,N) : val(N) } 1 :- row(R), col(C), not even(R,C).
""",
    ),
    "a disjunction with a condition, and a constant": (
        "p",
        [],
        LINES.format("p")
        + """\
#const most = 2.
p(R,C,N) : val(N) :- row(R), col(C).
:- p(R,R,N), most < #count { S : p(S,S,N) }.
high(R,C) :- p(R,C,N), N > 2.
{ marked(R) } :- high(R,R).
:- marked(R), not marked(R+1), R < 4.
:- not marked(1).
""",
    ),
    "a rule of ours, and names of the vocabulary": (
        "s",
        [],
        LINES.format("s")
        + """\
1 { s(R,C,N) : val(N) } 1 :- row(R), col(C).
adjacent(R,C,R+1,C) :- row(R), col(C).
adjacent(R,C,R,C+1) :- row(R), col(C).
:- s(1,1,N), s(2,4,N).
:- s(R,R,N), s(S,S,N), R < S.
:- s(R,C,N), s(S,D,N), R < S, R+C = 5, S+D = 5.
:- adjacent(2,2,R,C), s(2,2,2), s(R,C,3).
""",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_all_that_is_offered_has_the_grids_of_the_program(name):
    predicate, givens, text = PROGRAMS[name]
    said, rule = offered(text)
    plain = re.sub("%.*", "", text)
    expected = grids(plain, predicate, (0, 1, 2))
    files = ["base.lp", "elaborations/box.lp"]
    files += [f"elaborations/{each}.lp" for each in re.findall("--with ([a-z-]+)", said)]
    ours = "".join((ASP / each).read_text() for each in files)
    if "adjacent" in text:
        assert "are the rule 'diagonal' of ours, --with diagonal" in said
    constants = "#const n = 4. #const box_rows = 2. #const box_columns = 2. #const most = 2."
    facts = "".join(f"initial({r},{c},{n}). :- not a({r},{c},{n}). " for r, c, n in givens)
    assert grids(f"{constants}{ours}{rule}\n{facts}", "a", (0, 1, 2)) == expected
    assert 0 < len(expected) < 288


@pytest.mark.slow
def test_a_statement_about_givens_is_not_dropped():
    _, _, text = PROGRAMS["givens in every part"]
    said, rule = offered(text)
    assert rule.splitlines() == [
        "#defined initial/3.  % initial(R,C,N): a given, as a fact",
        ":- initial(X,Y,N), a(X+1,Y+1,N).",
    ]
    assert "leaves out" not in said
    assert (
        "rows, columns and numbers count from 0"
        in offered(PROGRAMS["all from 0, and facts about subgrids"][2])[0]
    )


@pytest.mark.slow
def test_what_is_no_rule_is_named():
    text = SUDOKU + "#minimize { N : sudoku(1,1,N) }.\n"
    assert f"line {text.count(chr(10))} is no rule, and left out" in offered(text)[0]
    refused = SUDOKU + "-sudoku(X,Y,M) :- sudoku(X,Y,N), n(M), M != N.\n"
    findings = aspdoku.check(RuleFile.from_text("student", refused)).findings
    assert any("the strong negation of its grid" in each.text for each in findings)


@pytest.mark.slow
def test_what_is_said_about_givens_and_constants():
    assert "initial/3 states givens" in offered(SUDOKU)[0]
    assert offered(HOLDS)[0].endswith("with -c limit=2")
    assert "holds/3 states givens" in offered(HOLDS + "holds(1,1,3).\n")[0]
    assert (
        "its constant n is 2, and n is 4"
        in offered(
            VAL.replace("n = 4", "n = 2")
            .replace("(1..n)", "(1..n*n)")
            .replace("0..n-1", "0..n*n-1")
        )[0]
    )


@pytest.mark.slow
def test_rules_of_ours_that_a_program_lacks():
    lines = SUDOKU.splitlines()
    without_columns = "\n".join(line for line in lines if "X1 != X2" not in line)
    assert 'by asp/base.lp: "column' in offered(without_columns)[0]
    without_boxes = "\n".join(line for line in lines if "/2 ==" not in line)
    said, _ = offered(without_boxes)
    assert "base.lp: " not in said
    assert 'by asp/elaborations/box.lp: "box' in said
    assert "which argument is the number cannot be told" in said


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
            "p/3 and q/3 are each a grid: which of them plays the part of a/3 cannot be told",
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


def test_a_rule_over_another_predicate():
    said, rule = offered(":- cell(R,C,N), cell(R+1,C+1,N).")
    assert "if cell/3 plays the part of a/3 here, with row, column and number in this order" in said
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


@pytest.mark.slow
def test_a_program_whose_grounding_does_not_end():
    text = "p(1). p(X+1) :- p(X).\n1 { g(R,C,N) : N=1..4 } 1 :- R=1..4, C=1..4, p(R).\n"
    findings = aspdoku.check(RuleFile.from_text("student", text), time_limit=2).findings
    assert any("was not decided: more than" in each.text for each in findings)
    assert not any("without an answer set" in each.text for each in findings)


@pytest.mark.slow
def test_endless_grounding_is_an_error_and_trials_are_made():
    endless = "p(1).\np(X+1) :- p(X).\n{ g(R,C,N) : N=1..4 } :- R=1..4, C=1..4, p(R).\n"
    findings = aspdoku.check(RuleFile.from_text("student", endless), time_limit=2).findings
    assert any(each.severity == "error" and "did not end within" in each.text for each in findings)


def test_strong_negation_in_a_head():
    text = "-p(R,C,M) :- a(R,C,N), number(M), M != N.\n:- -p(1,1,1).\n"
    findings = aspdoku.check(RuleFile.from_text("student", text)).findings
    assert [each for each in findings if each.severity == "error"] == []


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
def test_a_clue_in_a_box_stays_without_boxes():
    text = LINES.format("g") + "1 { g(R,C,N) : val(N) } 1 :- row(R), col(C).\n"
    clue = ":- g(1,1,N), g(2,2,N).\n"
    for program in (text + clue, clue + text):
        (step,) = elaborated(program.replace("row", "line"), "g/3", without=["box"]).steps
        box = next(n for n, line in enumerate(program.splitlines(), 1) if "/2" in line)
        assert [each.line for each in step.text_diff.removed] == [box]
        assert step.text_diff.added == ()
        lines = program.splitlines()
        (count,) = step.counts
        expected = grids("\n".join(lines[: box - 1] + lines[box:]), "g", (0, 1, 2))
        assert (count.before, count.after) == (288, len(expected))


@pytest.mark.slow
def test_numbers_from_0_as_a_base():
    text = PROGRAMS["all from 0, and facts about subgrids"][2]
    (step,) = elaborated(text, "sudoku/3", with_=["anti-diagonal"]).steps
    assert step.counts[0].before == len(grids(text, "sudoku", (0, 1, 2)))
    with pytest.raises(aspdoku.RuleError, match="name such a puzzle, or a blank one by -c n=4"):
        aspdoku.elaborate("." * 81, over=RuleFile.from_text("student", text), grid="sudoku/3")


@pytest.mark.slow
def test_one_time_limit_for_all_steps():
    text = PROGRAMS["a rule of ours, and names of the vocabulary"][2].replace("row", "line")
    text = text.replace("adjacent", "touching").replace("1..4", "1..9").replace("/2", "/3")
    began = time.monotonic()
    with suppress(aspdoku.AspdokuError):
        aspdoku.elaborate(
            "." * 81,
            over=RuleFile.from_text("student", text),
            grid="s/3",
            without=["box", "row", "column"],
            with_=["anti-king", "windoku"],
            limit=0,
            time_limit=4,
        )
    assert time.monotonic() - began < 8


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
@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (SUDOKU, {"grid": "sudoko/3"}, "student.lp defines no sudoko/3"),
        (SUDOKU, {"grid": "sudoku"}, "student.lp defines no sudoku"),
        (GRID_OF.format("a"), {"grid": "a/3"}, "student.lp defines a/3"),
        ("{ e(X,Y,Z) : X=1..3, Y=1..3, Z=1..3 }.", {"grid": "e/3"}, "e/3 cannot play the part"),
        (GRID_OF.replace("4", "9").format("p"), {"grid": "p/3"}, "is about 9x9 grids"),
        (HOLDS, {"grid": "holds/3"}, "row/1 is a word of our elaborations, with another meaning"),
        (
            GRID_OF.format("p") + "gt(1,1,1,2).",
            {"grid": "p/3", "with_": ["greater-than"], "facts": "gt(1,1,2,1)"},
            "greater-than.lp reads gt/4, which student.lp:2 defines",
        ),
        (GRID_OF.format("p"), {"grid": "p/3", "without": ["box"]}, "none of its rules states it"),
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
