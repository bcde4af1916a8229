"""Grades of students' files: the verdict, and the grids shown as evidence.

The grids are checked by the oracle, with each student's rule implemented a second time in Python.
"""

import os
import threading
from dataclasses import replace
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import NamedTuple

import oracle
import pytest

from aspdoku import Puzzle
from aspdoku.errors import AspdokuError, RuleError
from aspdoku.lecture import grading
from aspdoku.lecture.grading import Exercise, assess, assess_in_process
from aspdoku.program import library
from aspdoku.questions.check import grading_json, grading_summary, grading_text
from aspdoku.runtime.child import Limits

SHORT = Limits(seconds=2)


@cache
def exercise(against, size=9, without=()):
    return Exercise.of(against, size, without)


def distance(cell, other):
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def steps(cell, other):
    """The distance of two cells in rows and columns, from the upper to the lower one."""
    (r, c), (r1, c1) = sorted((cell, other))
    return r1 - r, c1 - c


def apart(relation):
    """The rule that related cells hold different numbers."""
    return lambda grid, _signs: not any(oracle.equal_pairs(grid, relation))


def on_signs(related):
    """The rule that the numbers at each sign are in this relation."""
    return lambda grid, signs: all(
        related(oracle.number(grid, one), oracle.number(grid, two)) for one, two in signs
    )


def anything(_grid, _signs):
    return True


def nothing(_grid, _signs):
    return False


REFERENCES = {
    "anti-knight": lambda grid, _signs: oracle.anti_knight(grid),
    "offset": lambda grid, _signs: oracle.offset(grid, *oracle.CLASSIC.shape(len(grid))),
    "box": lambda grid, _signs: oracle.boxes(grid, *oracle.CLASSIC.shape(len(grid))),
    "greater-than": oracle.greater_than,
}
REFERENCES["slides/anti-knight-distance"] = apart(lambda cell, other: distance(cell, other) == 3)

GT = "#defined gt/4.  % gt(R,C,R1,C1): the number in R,C is greater than the one in R1,C1"
LATIN_OFF = ("row", "column")
ALL_OFF = ("row", "column", "box")


class Case(NamedTuple):
    about: str
    text: str
    against: str
    verdict: str
    satisfies: object
    size: int = 6
    without: tuple = ()


COMPARED = [
    Case(
        "right: by distance",
        ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.",
        "anti-knight",
        "right",
        apart(lambda cell, other: distance(cell, other) == 3),
        9,
    ),
    Case(
        "right: half of the moves are enough",
        """
        :- a(R,C,N), a(R+1,C-2,N).  :- a(R,C,N), a(R+1,C+2,N).
        :- a(R,C,N), a(R+2,C-1,N).  :- a(R,C,N), a(R+2,C+1,N).
        """,
        "anti-knight",
        "right",
        apart(oracle.knights_move),
    ),
    Case(
        "right: a comparison inside an aggregate",
        ":- cell(R,C), #count { N,R1,C1 : a(R,C,N), a(R1,C1,M), N = M, |R1-R| + |C1-C| = 3 } > 0.",
        "anti-knight",
        "right",
        apart(lambda cell, other: distance(cell, other) == 3),
    ),
    Case(
        "right: with a helper, counted",
        """
        near(R,C,R1,C1) :- cell(R,C), cell(R1,C1), (R1-R)**2 + (C1-C)**2 == 5.
        :- near(R,C,R1,C1), number(N), 2 { a(R,C,N); a(R1,C1,N) }.
        """,
        "anti-knight",
        "right",
        apart(oracle.knights_move),
    ),
    Case(
        "too strict: by distance, where rows and columns do not help",
        ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.",
        "anti-knight",
        "too strict",
        apart(lambda cell, other: distance(cell, other) == 3),
        6,
        LATIN_OFF,
    ),
    Case(
        "right: with the pairs of cells written out",
        ":- a(R,C,N), a(R1,C1,M), |R1-R| + |C1-C| = 1, |N-M| = 1.",
        "nonconsecutive",
        "right",
        lambda grid, _signs: (
            not any(
                abs(one - other) == 1
                for line in (*grid, *zip(*grid, strict=True))
                for one, other in pairwise(line)
            )
        ),
    ),
    Case(
        "wrong constant",
        ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 4.",
        "anti-knight",
        "wrong",
        apart(lambda cell, other: distance(cell, other) == 4),
    ),
    Case(
        "wrong constant, compared with the slides' encoding",
        ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 4.",
        "slides/anti-knight-distance",
        "wrong",
        apart(lambda cell, other: distance(cell, other) == 4),
    ),
    Case(
        "forgotten symmetry: four moves, and not one of those to the side",
        """
        :- a(R,C,N), a(R-2,C-1,N).  :- a(R,C,N), a(R-2,C+1,N).
        :- a(R,C,N), a(R+2,C-1,N).  :- a(R,C,N), a(R+2,C+1,N).
        """,
        "anti-knight",
        "too lax",
        apart(lambda cell, other: steps(cell, other) in {(2, 1), (2, -1)}),
    ),
    Case(
        "forgotten symmetry: only to the right",
        ":- a(R,C,N), a(R+1,C+2,N).  :- a(R,C,N), a(R+2,C+1,N).",
        "anti-knight",
        "too lax",
        apart(lambda cell, other: steps(cell, other) in {(1, 2), (2, 1)}),
    ),
    Case(
        "off by one: the distance at most 3",
        ":- a(R,C,N), a(R1,C1,N), 0 < |R1-R| + |C1-C|, |R1-R| + |C1-C| <= 3.",
        "anti-knight",
        "too strict",
        apart(lambda cell, other: 0 < distance(cell, other) <= 3),
    ),
    Case(
        "off by one: a bishop's step",
        ":- a(R,C,N), a(R1,C1,N), |R1-R| == 1, |C1-C| == 1.",
        "anti-knight",
        "wrong",
        apart(lambda cell, other: {abs(cell[0] - other[0]), abs(cell[1] - other[1])} == {1}),
    ),
    Case(
        "two numbers where one is meant: everything is forbidden",
        ":- a(R,C,N), a(R1,C1,N1), |R1-R| + |C1-C| == 3.",
        "anti-knight",
        "too strict",
        nothing,
    ),
    Case("no constraint at all", "near(R,C) :- cell(R,C).", "anti-knight", "too lax", anything),
    Case("nothing at all", "% to do\n", "anti-knight", "too lax", anything),
    Case(
        "`R != R1, C != C1` where rows and columns differ anyway",
        ":- a(R,C,N), a(R1,C1,N), R\\box_rows == R1\\box_rows, C\\box_columns == C1\\box_columns, R"
        " != R1, C != C1.",
        "offset",
        "right",
        apart(oracle.same_box_position(3, 3)),
    ),
    Case(
        "`R != R1, C != C1` where it matters",
        ":- a(R,C,N), a(R1,C1,N), R\\box_rows == R1\\box_rows, C\\box_columns == C1\\box_columns, R"
        " != R1, C != C1.",
        "offset",
        "too lax",
        apart(
            lambda cell, other: (
                oracle.same_box_position(2, 2)(cell, other)
                and cell[0] != other[0]
                and cell[1] != other[1]
            )
        ),
        6,
        LATIN_OFF,
    ),
    Case(
        "rows and columns of a box mixed up: with boxes of 2x3 that asks six numbers of nine cells,"
        " so nothing is left",
        ":- a(R,C,N), a(R1,C1,N), R\\box_rows == R1\\box_rows, C\\box_rows == C1\\box_rows, (R,C)"
        " != (R1,C1).",
        "offset",
        "too strict",
        apart(lambda cell, other: oracle.same_box_position(2, 2)(cell, other)),
        6,
    ),
    Case(
        "the box rule by pairs",
        """
        in_box(R,C,(R-1)/box_rows,(C-1)/box_columns) :- cell(R,C).
        :- in_box(R,C,Y,X), in_box(R1,C1,Y,X), (R,C) < (R1,C1), a(R,C,N), a(R1,C1,N).
        """,
        "box",
        "right",
        apart(oracle.same_box(2, 3)),
        6,
    ),
    Case(
        "boxes off by one",
        """
        in_box(R,C,R/box_rows,C/box_columns) :- cell(R,C).
        :- in_box(R,C,Y,X), in_box(R1,C1,Y,X), (R,C) < (R1,C1), a(R,C,N), a(R1,C1,N).
        """,
        "box",
        "wrong",
        apart(lambda cell, other: cell[0] // 2 == other[0] // 2 and cell[1] // 2 == other[1] // 2),
        4,
    ),
    Case(
        "`N < N1` for `<=`",
        GT + "\n:- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N < N1.",
        "greater-than",
        "too lax",
        on_signs(int.__ge__),
        4,
        ALL_OFF,
    ),
    Case(
        "the sign reversed",
        GT + "\n:- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N >= N1.",
        "greater-than",
        "wrong",
        on_signs(int.__lt__),
        4,
    ),
    Case(
        "wrong arity",
        ":- gt(R,C), a(R,C,N), a(R1,C1,N1), N <= N1.",
        "greater-than",
        "too lax",
        anything,
        4,
    ),
    Case(
        "an input that is not declared",
        ":- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N1 >= N.",
        "greater-than",
        "right",
        on_signs(int.__gt__),
        6,
    ),
    Case(
        "it uses an auxiliary predicate of the reference",
        ":- two_broken.",
        "greater-than",
        "too lax",
        anything,
        4,
    ),
]


@pytest.mark.slow_cases(
    "`N < N1` for `<=`",
    "`R != R1, C != C1` where it matters",
    "an input that is not declared",
    "boxes off by one",
    "right: by distance",
    "right: half of the moves are enough",
    "the box rule by pairs",
    "the sign reversed",
    "too strict: by distance, where rows and columns do not help",
    "wrong constant, compared with the slides' encoding",
)
@pytest.mark.parametrize("case", COMPARED, ids=[case.about for case in COMPARED])
def test_the_verdict_and_its_grids(case, tmp_path):
    file = tmp_path / "student.lp"
    file.write_text(dedent(case.text))
    judged = assess_in_process(file, exercise(case.against, case.size, case.without))
    assert (judged.file, judged.verdict) == (str(file), case.verdict)
    wrong = {
        "right": set(),
        "too strict": {"forbids"},
        "too lax": {"allows"},
        "wrong": {"forbids", "allows"},
    }
    witnesses = {
        "forbids" if witness.violated.place == str(file) else "allows": witness
        for witness in judged.comparison.witnesses
    }
    assert witnesses.keys() == wrong[case.verdict]
    off = {*case.without, *({"box"} if case.against == "box" else ())}
    base = oracle.Rules(rows="row" not in off, columns="column" not in off, boxes="box" not in off)
    for kind, witness in witnesses.items():
        grid = witness.grid.rows
        signs = [(tuple(fact.arguments[:2]), tuple(fact.arguments[2:])) for fact in witness.facts]
        assert oracle.violations(grid, [[None] * len(grid)] * len(grid), base) == []
        assert REFERENCES[case.against](grid, signs) == (kind == "forbids")
        assert case.satisfies(grid, signs) == (kind == "allows")
        first = witness.violations[0]
        if kind == "forbids":
            assert ":-" in file.read_text().splitlines()[first.line - 1]
        elif case.against in ("anti-knight", "offset"):
            one, two = first.cells
            assert oracle.number(grid, one) == oracle.number(grid, two)


NOT_COMPARED = [
    ("unsafe", ":- a(R,C,N), N < M.", "cannot be used", 1, "M appears only in a comparison"),
    ("no dot", ":- a(R,C,N), a(R+1,C+2,N)", "cannot be used", 1, "is its full stop missing?"),
    ("no rule", "\nNo two numbers a knight's move apart.", "cannot be used", 2, "syntax error"),
    ("a script", "#script (python)\n#end.", "cannot be used", 1, "rule files may not run code"),
    ("a text in another encoding", b"% \xe4\n:- a(1,1,1).", "cannot be used", 0, "UTF-8"),
    ("a preference", "#minimize { N : a(1,1,N) }.", "cannot be used", 1, "not which one is best"),
    (
        "a head of the base",
        "\na(1,1,1).",
        "cannot be compared",
        2,
        "use a constraint ':- ...' to forbid grids",
    ),
    (
        "a choice",
        "\n\n{ near(R,C) : cell(R,C) }.",
        "cannot be compared",
        3,
        "it allows atoms instead of forbidding grids",
    ),
    (
        "an implicit choice",
        "p :- not q.\nq :- not p.",
        "cannot be compared",
        1,
        "implicit choice",
    ),
    ("a constant", "#const far = 3.", "cannot be used", 1, "#const is not allowed"),
    (
        "facts for an input",
        f"{GT}\ngt(R,C,R,C) :- cell(R,C).",
        "cannot be compared",
        2,
        "declared as an input",
    ),
    ("forbidding by a minus", "-a(1,1,1).", "cannot be compared", 1, "use a constraint"),
    (
        "weights that overflow",
        ":- #sum { N*1000000000 : a(1,1,N) } > 5.",
        "cannot be compared",
        0,
        "exceeds 32 bits",
    ),
]


@pytest.mark.parametrize(
    ("text", "verdict", "line", "words"),
    [case[1:] for case in NOT_COMPARED],
    ids=[case[0] for case in NOT_COMPARED],
)
def test_files_that_cannot_be_compared(text, verdict, line, words, tmp_path):
    file = tmp_path / "student.lp"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    judged = assess_in_process(file, exercise("anti-knight"))
    assert (judged.verdict, judged.comparison) == (verdict, None)
    messages = [*judged.findings, *([judged.reason] if judged.reason else [])]
    assert line in {each.line for each in messages}
    shown = grading_text(judged, "anti-knight")
    assert words in shown
    assert shown.startswith(f"{file}: {verdict}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "limits", "verdict", "words"),
    [
        (
            "p(1).\np(X+1) :- p(X).\n:- p(X), a(X,X,N).",
            SHORT,
            "gave up",
            "did not end within its limits (more than 2 s)",
        ),
        (
            "p(1..30000,1..30000).\n:- p(X,Y), a(X,Y,1).",
            Limits(memory=150 << 20),
            "gave up",
            "did not end within its limits (more than 0.146 GB); the largest predicate is p/2",
        ),
        (
            ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3.",
            Limits(),
            "right",
            "no grid distinguishes it from anti-knight",
        ),
    ],
    ids=["endless", "too large", "right"],
)
def test_verdicts_on_failing_child_processes(text, limits, verdict, words, tmp_path):
    file = tmp_path / "student.lp"
    file.write_text(text)
    marked = assess(file, replace(exercise("anti-knight"), limits=limits))
    assert marked.verdict == verdict
    assert words in grading_text(marked, "anti-knight")


def abort(*_):
    os.abort()


def raise_something(*_):
    raise RuleError("of the secret reference")


@pytest.mark.slow
@pytest.mark.parametrize("accident", [abort, raise_something])
def test_an_unexpected_failure_is_an_assessment_too(accident, tmp_path, monkeypatch):
    file = tmp_path / "student.lp"
    file.write_text(":- cel(1,1).")
    monkeypatch.setattr(grading, "assess_in_process", accident)
    marked = assess(file, exercise("anti-knight", 4))
    assert (marked.verdict, [finding.line for finding in marked.findings]) == ("crashed", [1])
    shown = grading_text(marked, "anti-knight")
    assert "clingo or aspdoku failed on this file: " in shown
    assert "secret" not in shown


@pytest.mark.slow
def test_findings_are_reported_for_a_file_that_exceeded_a_limit(tmp_path):
    file = tmp_path / "student.lp"
    file.write_text("p(1..30000,1..30000).\n:- p(X,Y), a(X,Y,1), cel(X,Y).")
    marked = assess(file, replace(exercise("anti-knight"), limits=Limits(memory=150 << 20)))
    assert marked.verdict == "gave up"
    assert [finding.line for finding in marked.findings] == [2]
    assert "Did you mean 'cell'?" in marked.findings[0].text
    assert marked.reason.growth.endswith(f"\n  {file}:1: p(1..30000,1..30000).")


@pytest.mark.slow
def test_a_hard_comparison_is_undecided_instead_of_aborted(tmp_path):
    """The box rule by pairs at 16x16: that each box holds each number is a pigeonhole problem."""
    file = tmp_path / "student.lp"
    file.write_text("""
        in_box(R,C,(R-1)/box_rows,(C-1)/box_columns) :- cell(R,C).
        :- in_box(R,C,Y,X), in_box(R1,C1,Y,X), (R,C) < (R1,C1), a(R,C,N), a(R1,C1,N).
        """)
    large = replace(
        exercise("box"), puzzles=(Puzzle.blank(4), Puzzle.blank(16)), limits=Limits(seconds=4)
    )
    judged = assess_in_process(file, large)
    assert judged.verdict == "undecided"
    assert [finding.relation for finding in judged.comparison.results] == ["same", "undecided"]
    assert "no grid that distinguishes it from box was found in time at 16x16" in grading_text(
        judged, "box"
    )


@pytest.mark.slow
def test_a_literal_size_is_reported(tmp_path):
    """The slides use 3 for the rows and columns of a box, which is correct only at 9x9."""
    file = tmp_path / "student.lp"
    file.write_text(":- a(R,C,N), a(R1,C1,N), R\\3 == R1\\3, C\\3 == C1\\3, R != R1, C != C1.\n")
    judged = assess_in_process(file, exercise("offset"))
    assert judged.verdict == "wrong"
    assert [finding.relation == "same" for finding in judged.comparison.results] == [
        False,
        False,
        True,
    ]
    assert "At 9x9 the rule is right." in grading_text(judged, "offset")


def test_a_missing_constraint_is_reported(tmp_path):
    file = tmp_path / "student.lp"
    file.write_text("near(R,C) :- cell(R,C).\n")
    assert "no constraint ':- ...', so that it forbids no grid" in grading_text(
        assess_in_process(file, exercise("anti-knight", 4)), "anti-knight"
    )


@pytest.mark.slow
def test_a_grid_is_drawn_with_the_cells_and_the_line(tmp_path):
    file = tmp_path / "student.lp"
    file.write_text("% mine\n:- a(1,1,N), a(6,6,N).\n")
    judged = assess_in_process(file, exercise("anti-knight", 6))
    allowed, forbidden = judged.comparison.witnesses  # found at 4x4 and at 6x6
    shown = grading_text(judged, "anti-knight").split("\n\n")
    assert f"{file}:2 forbids this grid (r1c1, r6c6), and anti-knight allows it" in shown[1]
    number = forbidden.grid.rows[0][0]
    assert shown[2].splitlines()[0].startswith(f"[{number}]")
    assert shown[2].splitlines()[-1].endswith(f"[{number}]")
    assert shown[2].count("[") == 2
    cells = ", ".join(f"r{row}c{column}" for row, column in allowed.violations[0].cells)
    assert (
        shown[3]
        == f"Your rule is too lax: anti-knight forbids this grid ({cells}), and your rule allows"
        " it."
    )


def test_the_keys_of_the_document_do_not_change(tmp_path):
    texts = [":- a(1,1,N), a(4,4,N).", "{ p }.", "nonsense", "% nothing"]
    keys = {"file", "verdict", "explanation", "findings", "sizes", "witnesses"}
    for text in texts:
        file = tmp_path / "student.lp"
        file.write_text(text)
        mark = assess_in_process(file, exercise("anti-knight", 4))
        document = grading_json([mark], "anti-knight")
        assert document.keys() == {"schema", "reference", "files"}
        (found,) = document["files"]
        assert found.keys() == keys
        for witness in found["witnesses"]:
            assert witness.keys() == {"difference", "size", "grid", "facts", "cells", "lines"}
            assert witness["lines"] == ([1] if witness["difference"] == "forbids too much" else [])


def test_the_table_counts_correct_files(tmp_path):
    marks = []
    for name, text in [
        ("anna", ":- a(R,C,N), a(R1,C1,N), |R1-R| + |C1-C| == 3."),
        ("bo", "{ p }."),
    ]:
        file = tmp_path / f"{name}.lp"
        file.write_text(text)
        marks.append(assess_in_process(file, exercise("anti-knight", 4)))
    assert grading_summary(marks).splitlines() == [
        f"{tmp_path / 'anna.lp'}  right",
        f"{tmp_path / 'bo.lp'}    cannot be compared",
        "1 of 2 right",
    ]


@pytest.mark.parametrize("against", ["nowhere", "./nowhere.lp"])
def test_a_missing_reference(against):
    with pytest.raises(RuleError, match="nowhere"):
        Exercise.of(against)


@pytest.mark.parametrize("without", [("nonsense",), ("anti-knight",), ("anti_knight",)])
def test_unknown_rules_cannot_be_retracted(without):
    with pytest.raises(RuleError, match="retract"):
        Exercise.of("anti-knight", 4, without)


@pytest.mark.parametrize(
    "text", ["{ secret }.", "secret", ":- secret(X), not X.", "a(1,1,1) :- not secret."]
)
def test_an_invalid_hidden_reference_is_not_quoted(text, tmp_path):
    file = tmp_path / "hidden.lp"
    file.write_text(text)
    with pytest.raises(RuleError) as caught:
        Exercise.of(str(file), 4)
    assert "secret" not in str(caught.value)
    assert "cannot grade against the reference" in str(caught.value)


def test_a_reference_without_a_constraint_is_refused(tmp_path):
    file = tmp_path / "secret.lp"
    file.write_text("% Nothing.\nsecret_pair(1,2).\n")
    with pytest.raises(RuleError, match="cannot grade against the reference: it has no constraint"):
        Exercise.of(str(file), size=4)


KNIGHTS = "forbidden: two ones\n1 . . .\n. . 1 .\n. . . .\n. . . .\n"
NONE = "allowed: none at all\n1 2 3 4\n4 3 2 1\n3 4 1 2\n2 1 4 3\n"


@pytest.fixture
def with_examples(tmp_path):
    def exercise(text, size=4, without=()):
        reference = tmp_path / "secret.lp"
        reference.write_text(
            "% Secret.\n%@ secret words\n:- a(R,C,N), a(Y,X,N), |R-Y| * |C-X| = 2.\n"
        )
        reference.with_suffix(".examples").write_text(text)
        return Exercise.of(str(reference), size, without)

    return exercise


STUDENTS = {
    "right": (":- a(R,C,N), a(Y,X,N), |R-Y| + |C-X| = 3, R != Y, C != X.\n", None),
    "too lax": (":- a(R,C,2), a(Y,X,2), |R-Y| * |C-X| = 2.\n", "two ones"),
    "too strict": (":- a(R,C,N), a(Y,X,N), |R-Y| * |C-X| = 2.\n:- a(1,1,1).\n", "none at all"),
    "wrong": (":- a(1,1,1), a(2,2,3).\n", "none at all"),
    "as the examples": (":- a(1,1,1), a(2,3,1).\n", None),
    "undefined": (":- a(R,C,N), a(R+1,C+2,N), not other(R).\n:- a(1,1,1).\n", None),
}


@pytest.mark.slow_cases("wrong", "too strict", "undefined")
@pytest.mark.parametrize("name", STUDENTS)
def test_examples_of_the_reference_are_shown_first(name, with_examples, tmp_path):
    """They do not change the verdict, which is that of the bundled rule with the same meaning."""
    text, title = STUDENTS[name]
    file = tmp_path / "anna.lp"
    file.write_text(text)
    exercise = with_examples(f"{KNIGHTS}{NONE}")
    mark = assess_in_process(file, exercise)
    assert mark.verdict == assess_in_process(file, Exercise.of("anti-knight", 4)).verdict
    words = grading_text(mark, exercise.display_name)
    (document,) = grading_json([mark], "the reference")["files"]
    shown = [each.get("example") for each in document["witnesses"]]
    assert ('the example "' in words) == (title is not None)
    if shown:
        assert shown[0] == title
    else:
        assert title is None
    assert "secret" not in words.replace("secret.lp", "")
    for each in document["witnesses"]:
        (r, c), *_ = each["cells"] or [(1, 1)]
        if each.get("example") == "two ones":
            assert each["grid"][0][0] == each["grid"][1][2] == each["grid"][r - 1][c - 1] == 1
            assert sorted(each["cells"]) == [[1, 1], [2, 3]]
        if each.get("example") == "none at all":
            assert each["grid"] == [[1, 2, 3, 4], [4, 3, 2, 1], [3, 4, 1, 2], [2, 1, 4, 3]]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{NONE}{KNIGHTS.replace('forbidden', 'allowed')}", 6),
        ("\nallowed: in no box\nwithout: box\n1234\n2143\n3412\n4321\n", 2),
        ("forbidden: no grid\n", 1),
        ("allowed: twice\n11..\n....\n....\n....\n", 1),
    ],
    ids=["wrong", "other game", "no grid", "no grid of the game"],
)
def test_examples_that_the_exercise_cannot_have(text, line, with_examples):
    with pytest.raises(AspdokuError, match=rf"secret\.examples:{line}: ") as caught:
        with_examples(text)
    assert "secret words" not in str(caught.value)


def test_an_example_that_names_the_reference(with_examples, tmp_path):
    """The rule is tried without the reference, which would forbid the grid."""
    file = tmp_path / "anna.lp"
    file.write_text(STUDENTS["too lax"][0])
    exercise = with_examples(KNIGHTS.replace("ones\n", "ones\nwith: ./secret.lp\n"))
    mark = assess_in_process(file, exercise)
    assert [each.title for each in mark.comparison.examples] == ["two ones"]


def test_an_example_that_is_not_decided_is_not_said_to_fail(tmp_path):
    reference = tmp_path / "secret.lp"
    reference.write_text(":- a(R,C,N), a(R+1,C+2,N).\n")
    empty = ". . . . . . . . .\n" * 9
    reference.with_suffix(".examples").write_text(f"allowed: x\n{empty}")
    hasty = replace(
        exercise("anti-knight", 4), reference=library.find(str(reference)), limits=Limits(1e-3)
    )
    with pytest.raises(RuleError, match=r"secret\.examples:1: this example was not decided"):
        [*hasty._known()]


def test_examples_of_a_game_without_a_default_rule(with_examples):
    text = "allowed: x\nwithout: box\n1234\n2143\n3412\n4321\n"
    assert with_examples(text, without=("box",)).examples[0][0].title == "x"


def test_a_link_is_not_followed(tmp_path):
    """It may lead to the reference: that would be right, and its errors would quote other files."""
    (tmp_path / "key.lp").write_text(":- a(R,C,N), a(R+1,C+2,N).\nsecret(\n")
    (tmp_path / "anna.lp").symlink_to(tmp_path / "key.lp")
    (tmp_path / "bert.lp").symlink_to("nowhere.lp")
    (tmp_path / "cleo.lp").mkdir()
    words = {"anna": "symbolic link", "bert": "symbolic link", "cleo": "a folder"}
    for name, reason in words.items():
        mark = assess_in_process(tmp_path / f"{name}.lp", exercise("anti-knight", 4))
        assert mark.verdict == "cannot be read"
        (finding,) = mark.findings
        assert reason in finding.text
        assert "secret" not in grading_text(mark, "anti-knight")


def test_files_are_assessed_together_and_reported_in_order(tmp_path, monkeypatch):
    """Each waits for the last one, so that they only end if they run at the same time."""
    files = [tmp_path / f"{number}.lp" for number in range(3)]
    meeting = threading.Barrier(3)

    def together(path, exercise):
        meeting.wait(20)
        return path, exercise

    monkeypatch.setattr(grading, "assess", together)
    found = list(grading.assess_all(files, "exercise", 3))
    assert found == [(path, "exercise") for path in files]
