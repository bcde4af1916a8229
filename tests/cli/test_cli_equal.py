"""`aspdoku equal`: exit status, output, and rejected arguments."""

import json
import re

import oracle
import pytest
from cli_runner import ASP, INSTANCES, run, run_process, without_schema

import aspdoku
from aspdoku.program import library

GT = "#defined gt/4.  % gt(R,C,R1,C1): the number in R,C is greater than the one in R1,C1\n"
SIDEWAYS = GT + ":- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N <= N1, C != C1.\n"
KNIGHTS = "slides/anti-knight-eight-rules"
DISTANCE = "slides/anti-knight-distance"


VERDICTS = [
    (
        (KNIGHTS, "anti-knight"),
        0,
        "equivalent: no grid distinguishes asp/slides/anti-knight-eight-rules.lp and",
    ),
    ((DISTANCE, "anti-knight", "--size", 6), 0, "equivalent: "),
    (
        (DISTANCE, "anti-knight", "--without", "row,column"),
        1,
        "asp/slides/anti-knight-distance.lp is stricter than asp/ela",
    ),
    (
        (DISTANCE, "anti-knight", "--without", "row", "--without", "column"),
        1,
        "asp/slides/anti-knight-distance.lp is stricter",
    ),
    (
        ("anti-knight", DISTANCE, "--without", "row"),
        1,
        "asp/slides/anti-knight-distance.lp is stricter than asp/elaborations",
    ),
    (
        ("anti-knight", "offset", "--size", 4),
        1,
        "different: asp/elaborations/anti-knight.lp and asp/elaborations/offset.lp each",
    ),
    (
        ("offset", "slides/offset-aggregate", "--time-limit", 0.001),
        4,
        "undecided: no grid that distinguishes",
    ),
]


@pytest.mark.parametrize(("arguments", "status", "verdict"), VERDICTS)
def test_verdict_and_exit_status(arguments, status, verdict):
    result = run("equal", *arguments)
    assert (result.exit_code, result.stderr) == (status, "")
    assert result.stdout.startswith(verdict)


@pytest.mark.slow
def test_the_exit_status_of_a_process():
    done = run_process("equal", DISTANCE, "anti-knight", "--without", "row,column")
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    ("size", "sizes"),
    [
        ((), "(4x4: the same, 6x6: the same, 9x9: the same)"),
        (("--size", 4), "(4x4: the same)"),
        (("--size", 5), "(4x4: the same, 5x5: the same)"),
        (("--size", 3), "(3x3: the same)"),
    ],
)
def test_sizes_are_searched_in_increasing_order(size, sizes):
    assert run("equal", "slides/offset-pairwise", "offset", *size).stdout.splitlines()[1] == sizes


def test_the_text_shows_the_line_and_the_cells_in_brackets():
    lines = run("equal", DISTANCE, "anti-knight", "--without", "row,column").stdout.splitlines()
    assert lines[1] == "(4x4: different; without row and column)"
    match = re.fullmatch(
        r"asp/slides/anti-knight-distance\.lp:3 forbids this grid \(r(\d)c(\d), r(\d)c(\d)\), "
        r"and asp/elaborations/anti-knight\.lp allows it:",
        lines[3],
    )
    assert match
    drawn = [re.findall(r"\[?\d\]?", line) for line in lines[5:] if re.search(r"\d", line)]
    marked = [
        (r, c)
        for r, row in enumerate(drawn, 1)
        for c, cell in enumerate(row, 1)
        if cell.startswith("[")
    ]
    r, c, r1, c1 = map(int, match.groups())
    assert marked == sorted([(r, c), (r1, c1)])
    assert abs(r - r1) + abs(c - c1) == 3
    assert drawn[r - 1][c - 1] == drawn[r1 - 1][c1 - 1]


def test_json(file):
    mine = file("% mine\n:- gt(R,C,R1,C1), a(R,C,N), a(R1,C1,N1), N <= N1, C != C1.\n" + GT)
    result = run("equal", mine, "greater-than", "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    (witness,) = document.pop("witnesses")
    assert without_schema(document) == {
        "one": str(mine),
        "two": "asp/elaborations/greater-than.lp",
        "relation": "two stricter",
        "without": [],
        "sizes": [{"size": 4, "relation": "two stricter"}],
    }
    assert list(witness) == ["violated", "satisfied", "grid", "facts", "violations"]
    assert witness["violated"] == "asp/elaborations/greater-than.lp"
    assert witness["satisfied"] == str(mine)
    assert oracle.violations(witness["grid"], [[None] * 4] * 4, oracle.CLASSIC) == []
    (fact,) = witness["facts"]
    sign = re.fullmatch(r"gt\((\d),(\d),(\d),(\d)\)\.", fact)
    r, c, r1, c1 = map(int, sign.groups())
    assert oracle.number(witness["grid"], (r, c)) <= oracle.number(witness["grid"], (r1, c1))
    lines = (
        (library.data_dir() / "elaborations" / "greater-than.lp").read_text("utf-8").splitlines()
    )
    (line,) = (number for number, text in enumerate(lines, 1) if text.startswith(":-"))
    cells = sorted([[r, c], [r1, c1]])
    message = f"r{r}c{c} is greater than r{r1}c{c1}"
    assert witness["violations"] == [
        {"line": line, "column": 1, "cells": cells, "message": message}
    ]


def test_json_of_equivalent_rules():
    result = run("equal", KNIGHTS, "anti-knight", "--size", 4, "--format", "json")
    assert without_schema(json.loads(result.stdout)) == {
        "one": "asp/slides/anti-knight-eight-rules.lp",
        "two": "asp/elaborations/anti-knight.lp",
        "relation": "same",
        "without": [],
        "sizes": [{"size": 4, "relation": "same"}],
        "witnesses": [],
    }


def test_inputs_of_a_grid_are_used(file):
    mine = file(SIDEWAYS)
    across, down = (
        file(". . . .\n" * 4 + f"\n[facts]\ngt(1,1,{cell}).\n", f"{cell}.txt")
        for cell in ("1,2", "2,1")
    )
    assert run("equal", mine, "greater-than").exit_code == 1
    same = run("equal", mine, "greater-than", across)
    assert (same.exit_code, same.stdout.splitlines()[1]) == (0, "(4x4: the same)")
    different = run("equal", mine, "greater-than", down)
    assert different.exit_code == 1
    assert different.stdout.rstrip().endswith("with gt(1,1,2,1).")


def test_facts_hold_in_every_grid(file):
    """Two rules that differ for some numbers are equivalent if an exception covers these."""
    text = (ASP / "elaborations" / "anti-knight.lp").read_text()
    mine = file(text.replace("a(R,C,N), ", "a(R,C,N), N = 1, "), "mine.lp")
    assert run("equal", "anti-knight", mine, "--size", 4).exit_code == 1
    exception = ["--fact", "ab(anti_knight,2..4)"]
    same = run("equal", "anti-knight", mine, "--size", 4, *exception)
    assert (same.exit_code, same.stdout.splitlines()[1]) == (0, "(4x4: the same)")
    grid = file(". . . .\n" * 4 + "\n[facts]\nab(anti_knight,2..4).\n", "grid.txt")
    assert run("equal", "anti-knight", mine, grid).stdout == same.stdout
    assert aspdoku.equivalent("anti-knight", mine, size=4, facts="ab(anti_knight,2..4)")
    wrong = run("equal", "anti-knight", mine, "--fact", "ab(X)")
    assert (wrong.exit_code, "invalid fact 'ab(X)'" in wrong.stderr) == (65, True)


def test_many_facts_are_wrapped(file):
    facts = [f"even({row},{column})" for row in range(1, 5) for column in range(1, 5)]
    grid = file(". . . .\n" * 4 + "\n[facts]\n" + "".join(f"{fact}.\n" for fact in facts), "g.txt")
    shown = run("equal", "even", file("", "none.lp"), grid).stdout.partition("\nwith ")[2]
    assert shown.split() == [f"{fact}." for fact in facts]
    assert max(map(len, shown.splitlines())) <= 110


def test_givens_of_a_grid_are_used(file):
    """The corner is given as 2, so that a constraint on a 1 there makes no difference."""
    mine, none = file(":- a(1,1,1)."), file("", "none.lp")
    grids = [file(f"{given} . . .\n" + ". . . .\n" * 3, f"{given}.txt") for given in (1, 2)]
    assert [run("equal", mine, none, grid).exit_code for grid in grids] == [1, 0]


def test_a_grid_from_standard_input():
    result = run("equal", KNIGHTS, "anti-knight", "-", given="1 . . . . .\n" + ". . . . . .\n" * 5)
    assert (result.exit_code, result.stdout.splitlines()[1]) == (0, "(6x6: the same)")


def test_a_grid_that_neither_rule_allows_says_nothing():
    grid = (INSTANCES / "slides" / "six.txt").read_text()
    result = run("equal", KNIGHTS, "anti-knight", "-", given=grid)
    assert (result.exit_code, result.stdout.splitlines()[1]) == (4, "(6x6: neither has a solution)")


REJECTED = [
    ("\n{ p(R) : row(R) }.", ":2:1: a choice or disjunction cannot be compared"),
    ("p ; q.", ":1:1: a choice or disjunction cannot be compared"),
    (":- a(1,1,1).\n\na(1,1,2).", ":3:1: a/3 is defined in asp/base.lp"),
    ("p :- not q.\nq :- not p.", ":1:1: p/0 depends on itself"),
    (":- a(1,1,1)", ":1:12: "),
    (":- a(R,C,N), N < M.", ":1:18: "),
]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(("text", "words"), REJECTED)
def test_rules_that_cannot_be_compared_are_rejected_with_the_line(text, words, first, file):
    mine = file(text)
    result = run("equal", *((mine, "anti-knight") if first else ("anti-knight", mine)))
    assert (result.exit_code, result.stdout) == (65, "")
    assert f"{mine}{words}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("anti-knight",), 2, "Missing argument 'TWO'"),
        (("anti-night", "offset"), 65, "Did you mean 'anti-knight'?"),
        (("anti-knight", "offset", "--without", "rov"), 65, "'rov'"),
        (("anti-knight", "offset", "--size", "0"), 2, "--size"),
        (("anti-knight", "offset", "--time-limit", "-1"), 2, "more than 0"),
        (("anti-knight", "offset", "--format", "xml"), 2, "--format"),
    ],
)
def test_bad_arguments_are_rejected(arguments, status, words):
    result = run("equal", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert words in result.stderr


def test_rules_that_the_puzzle_names_or_retracts(tmp_path):
    """Rules that the puzzle adds are not used, with a warning; rules that it retracts are
    retracted.
    """
    puzzle = tmp_path / "grid.txt"
    puzzle.write_text("with: anti-king\nwithout: box\n....\n....\n....\n....\n")
    result = run("equal", "anti-knight", "slides/anti-knight-distance", puzzle)
    assert result.exit_code == 0
    assert "rule anti-king of the puzzle is ignored" in result.stderr


def test_constants(file):
    """A rule about one number, by its constant and by its value."""
    by_name, two = file(":- a(1,1,k)."), file(":- a(1,1,2).", "two.lp")
    same = run("equal", by_name, two, "-c", "n=4", "-c", "k=2")
    assert (same.exit_code, same.stdout.splitlines()[1]) == (0, "(4x4: the same)")
    different = run("equal", by_name, two, "-c", "n=4", "-c", "k=3")
    assert (different.exit_code, different.stdout.splitlines()[0][:9]) == (1, "different")
    assert run("equal", by_name, two, "example:four", "-c", "n=4").exit_code == 2
    assert run("equal", by_name, two, "-c", "box_rows=1").exit_code == 2


BORROWING = [
    (":- box_name(_), a(1,1,1).\n", ":1:4: box_name/1 is a helper of asp/elaborations/box.lp:7"),
    ("#defined low/1.\n:- low(R), a(R,1,1).\n", ":2:4: low/1 is a helper of two.lp:1, which"),
]


@pytest.mark.parametrize(("text", "words"), BORROWING)
def test_a_helper_of_another_file_is_warned_of(text, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.lp").write_text(text)
    (tmp_path / "two.lp").write_text("low(R) :- row(R), R < 3.\n:- low(R), a(R,1,1).\n")
    result = run("equal", "one.lp", "two.lp", "--size", 4)
    assert f"warning: one.lp{words}" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ("--size", 4, "-c", "n=6"),
        ("--size", 9, "1234............"),
        ("-c", "n=4", "-c", "n=6"),
    ],
)
def test_a_size_that_is_stated_twice_is_refused(arguments):
    refused = run("equal", "anti-king", "anti-knight", *arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_facts_and_constants_that_neither_rule_uses_are_reported():
    options = ["--fact", "even(1,1)", "--fact", "ab(nothing)", "-c", "gap=3", "--size", 4]
    done = run("equal", "anti-king", "anti-knight", *options)
    assert done.exit_code == 1
    assert "no effect of even(1,1): neither rule uses it" in done.stderr
    assert "constant gap is set but no rule of this program uses it" in done.stderr
    assert "nothing" in done.stderr
    used = run("equal", "anti-king", "anti-knight", "--fact", "ab(anti_king,5)", "--size", 4)
    assert (used.exit_code, used.stderr) == (1, "")
