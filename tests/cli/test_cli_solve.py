"""`aspdoku solve`: the results in every output format, against the oracle."""

import json
import re

import oracle
import pytest
from cli_runner import (
    INSTANCES,
    grid_of_facts,
    grid_of_line,
    grids,
    on_terminal,
    run,
    run_process,
)

pytestmark = pytest.mark.versions

CLASSIC = INSTANCES / "slides" / "classic.txt"
CLASSIC_SOLUTION = oracle.read_grid(
    (INSTANCES / "slides" / "classic.solution.txt").read_text("utf-8")
)
MISPRINT = INSTANCES / "slides" / "as-printed" / "classic.txt"


def blank(size):
    return [[None] * size for _ in range(size)]


def as_lines(found):
    return sorted("".join(str(number) for row in grid for number in row) for grid in found)


# ---- Number of solutions ----


@pytest.mark.parametrize(
    ("size", "without", "count"),
    [
        (4, "", 288),
        (4, "box", 576),
        (1, "", 1),
        (2, "", 2),
        (3, "", 12),
        (2, "row,column,box", 16),
        (2, "row", 2),  # boxes of 1x2 are rows
        (2, "box,row", 4),
        (3, "box,row", 216),
        (3, "row,column", 216),
        (3, "box,column", 216),
    ],
)
def test_all_solutions_of_a_blank_grid(size, without, count):
    arguments = ["--without", without] if without else []
    result = run("solve", "-c", f"n={size}", *arguments, "-n", "0", "--format", "line")
    assert result.exit_code == 0
    found = list(map(grid_of_line, result.stdout.splitlines()))
    rules = oracle.Rules(
        rows="row" not in without, columns="column" not in without, boxes="box" not in without
    )
    assert len(found) == count
    assert all(oracle.violations(grid, blank(size), rules) == [] for grid in found)
    assert as_lines(found) == as_lines(oracle.solutions(blank(size), rules))
    assert result.stderr == ""


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_no_more_solutions_than_requested(number):
    result = run("solve", "-c", "n=4", "-n", number)
    found = grids(result.stdout)
    assert len(set(as_lines(found))) == len(found) == number
    assert all(oracle.violations(grid, blank(4), oracle.CLASSIC) == [] for grid in found)
    verdict = (
        "a solution; no others were searched for"
        if number == 1
        else f"{number} solutions; there may be others"
    )
    assert result.stdout.splitlines()[-1] == verdict


def test_without_a_number_one_of_several_is_shown():
    result = run("solve", "-c", "n=4")
    assert len(grids(result.stdout)) == 1
    assert result.stdout.endswith("\n\nat least two solutions; this is the first\n")


@pytest.mark.parametrize("number", [0, 3])
def test_more_solutions_requested_than_exist(number):
    text = ". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"
    expected = oracle.solutions(oracle.read_grid(text))
    assert len(expected) == 2  # precondition of the test
    result = run("solve", "-n", number, "-", given=text)
    assert result.exit_code == 0
    assert as_lines(grids(result.stdout)) == as_lines(expected)
    assert result.stdout.splitlines()[-1] == "exactly 2 solutions"


@pytest.mark.parametrize("number", [0, 2, 5])
def test_a_unique_solution_is_reported_for_any_limit_but_one(number):
    result = run("solve", "-n", number, CLASSIC)
    assert grids(result.stdout) == [CLASSIC_SOLUTION]
    assert result.stdout.endswith("unique solution\n")


def test_one_requested_solution_is_not_reported_as_unique():
    result = run("solve", "-n", "1", CLASSIC)
    assert grids(result.stdout) == [CLASSIC_SOLUTION]
    assert result.stdout.endswith("a solution; no others were searched for\n")


def test_a_negative_number_is_rejected():
    assert run("solve", "-n", "-1", CLASSIC).exit_code == 2


# ---- Sizes and shapes ----


@pytest.mark.parametrize(
    ("constants", "size", "shape"),
    [
        (["n=4"], 4, (2, 2)),
        (["n=6"], 6, (2, 3)),
        (["n=6", "box_rows=3"], 6, (3, 2)),
        (["n=6", "box_columns=2"], 6, (3, 2)),
        (["n=6", "box_rows=1"], 6, (1, 6)),
        (["n=6", "box_rows=6", "box_columns=1"], 6, (6, 1)),
        (["n=8", "box_rows=4"], 8, (4, 2)),
        (["n=10"], 10, (2, 5)),
        (["n=12"], 12, (3, 4)),
        (["n=5"], 5, (1, 5)),
        ([" n = 6 "], 6, (2, 3)),
    ],
)
def test_size_and_box_shape(constants, size, shape):
    arguments = [part for constant in constants for part in ("-c", constant)]
    result = run("solve", *arguments, "--format", "json", "--with", "offset")
    assert (result.exit_code, result.stderr) == (0, "")
    (grid,) = json.loads(result.stdout)["solutions"]
    assert oracle.violations(grid, blank(size), oracle.Rules(offset=True, box_shape=shape)) == []


def test_the_default_grid_is_blank_9x9_and_reported():
    result = run("solve")
    assert result.stderr == "warning: no grid given: using a blank 9x9 grid\n"
    assert oracle.violations(grids(result.stdout)[0], blank(9), oracle.CLASSIC) == []


def test_a_constant_reaches_the_rule_that_uses_it(tmp_path):
    (tmp_path / "first.lp").write_text("% The first cell holds `first`.\n:- not a(1,1,first).\n")
    for number in (1, 2, 3, 4):
        constants = ["-c", "n=4", "-c", f"first={number}"]
        result = run(
            "solve", "-n", "0", *constants, "--with", tmp_path / "first.lp", "--format", "line"
        )
        assert (result.exit_code, result.stderr) == (0, "")
        assert {line[0] for line in result.stdout.splitlines()} == {str(number)}


# ---- Added and retracted rules ----


def keeps(grid, names):
    shape = (2, 2)
    rules = {
        "anti-knight": oracle.anti_knight(grid),
        "offset": oracle.offset(grid, *shape),
    }
    return all(rules[name] for name in names)


@pytest.mark.parametrize(
    "names",
    [(), ("offset",), ("anti-knight",), ("offset", "anti-knight"), ("anti-knight", "offset")],
)
@pytest.mark.parametrize("spelling", ["one option", "several options"])
def test_the_solutions_are_the_grids_that_satisfy_the_rules(names, spelling):
    arguments = (
        ["--with", ",".join(names)]
        if names and spelling == "one option"
        else [part for name in names for part in ("--with", name)]
    )
    result = run(
        "solve", "-n", "0", "-c", "n=4", "--without", "box", *arguments, "--format", "json"
    )
    latin = oracle.solutions(blank(4), oracle.LATIN)
    assert as_lines(json.loads(result.stdout)["solutions"]) == as_lines(
        grid for grid in latin if keeps(grid, names)
    )


def test_an_exception_exempts_one_number(tmp_path):
    file = tmp_path / "free.txt"
    file.write_text("with: anti-knight\n\n" + ". . . .\n" * 4 + "\n[facts]\nab(anti_knight,1).\n")
    expected = [
        grid
        for grid in oracle.solutions(blank(4))
        if all(
            oracle.number(grid, cell) == 1
            for cell, _ in oracle.equal_pairs(grid, oracle.knights_move)
        )
    ]
    assert 0 < len(expected) < 288
    result = run("solve", "-n", "0", "--format", "line", file)
    assert as_lines(map(grid_of_line, result.stdout.splitlines())) == as_lines(expected)


# ---- Output formats ----


def test_all_formats_have_the_same_solutions():
    line = run("solve", "--format", "line", CLASSIC).stdout.strip()
    facts = run("solve", "--format", "facts", CLASSIC).stdout
    document = json.loads(run("solve", "--format", "json", CLASSIC).stdout)
    assert grid_of_line(line) == CLASSIC_SOLUTION
    assert grid_of_facts(facts) == CLASSIC_SOLUTION
    assert grids(run("solve", "--format", "grid", CLASSIC).stdout) == [CLASSIC_SOLUTION]
    assert document == {
        "schema": "aspdoku/solve/1",
        "status": "unique",
        "complete": True,
        "ended": "complete",
        "solutions": [CLASSIC_SOLUTION],
        "conflicts": [],
        "rules_alone": False,
    }


def test_printed_facts_can_be_solved_again(tmp_path):
    facts = run("solve", "--format", "facts", CLASSIC).stdout
    file = tmp_path / "back.txt"
    file.write_text(". . . . . . . . .\n" * 9 + "\n[facts]\n" + facts)
    result = run("solve", file)
    assert (result.exit_code, grids(result.stdout)) == (0, [CLASSIC_SOLUTION])
    assert result.stdout.endswith("unique solution\n")


@pytest.mark.parametrize(
    ("arguments", "status", "ended", "solutions"),
    [
        (["-c", "n=4"], "several", "limit", 1),
        (["-c", "n=4", "-n", "1"], "some", "limit", 1),
        (["-c", "n=4", "-n", "5"], "several", "limit", 5),
        (["-c", "n=4", "-n", "0"], "several", "complete", 288),
        (["-n", "1", CLASSIC], "some", "limit", 1),
        (["-n", "0", CLASSIC], "unique", "complete", 1),
        ([MISPRINT], "none", "complete", 0),
    ],
)
def test_json_has_the_end_of_the_search(arguments, status, ended, solutions):
    document = json.loads(run("solve", "--format", "json", *arguments).stdout)
    assert (document["status"], document["ended"], len(document["solutions"])) == (
        status,
        ended,
        solutions,
    )
    assert document["complete"] == (ended == "complete")


def test_json_lists_the_conflicts_of_the_warnings():
    result = run("solve", "--format", "json", MISPRINT)
    conflicts = json.loads(result.stdout)["conflicts"]
    named = re.findall(
        r"r(\d+)c(\d+)=\d+ and r(\d+)c(\d+)=\d+ conflict", run("solve", MISPRINT).stderr
    )
    assert result.exit_code == 20
    assert [[[int(r), int(c)], [int(r1), int(c1)]] for r, c, r1, c1 in named] == conflicts != []


def test_a_given_that_the_rules_forbid_by_itself(tmp_path):
    (tmp_path / "no-five.lp").write_text(":- a(1,1,5).\n")
    file = tmp_path / "five.txt"
    file.write_text("with: no-five.lp\n5" + "." * 80 + "\n")
    result = run("solve", file)
    assert (result.exit_code, result.stdout) == (20, "no solution\n")
    assert result.stderr == "warning: the rules forbid r1c1=5 on its own\n"


def test_rules_that_have_no_solution_by_themselves(tmp_path):
    """In this case, no given is blamed."""
    (tmp_path / "never.lp").write_text(":- cell(1,1).\n")
    result = run("solve", "--with", tmp_path / "never.lp", MISPRINT)
    assert (result.exit_code, result.stdout) == (20, "no solution\n")
    assert "whatever the givens are" in result.stderr
    assert " conflict" not in result.stderr
    document = json.loads(
        run("solve", "--format", "json", "--with", tmp_path / "never.lp", MISPRINT).stdout
    )
    assert (document["status"], document["conflicts"], document["rules_alone"]) == (
        "none",
        [],
        True,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-c", "n=4"], "at least two solutions; this is the first\n"),
        (["-c", "n=4", "-n", "3"], ""),
        (["-c", "n=4", "-n", "0"], ""),
        (["-c", "n=4", "-n", "300"], "exactly 288 solutions\n"),
        ([CLASSIC], ""),
        ([MISPRINT], "no solution\n"),
    ],
)
@pytest.mark.parametrize("format_", ["line", "facts"])
def test_with_lines_and_facts_only_unrequested_results_are_reported(format_, arguments, message):
    result = run("solve", "--format", format_, *arguments)
    assert (
        "".join(
            line + "\n" for line in result.stderr.splitlines() if not line.startswith("warning")
        )
        == message
    )
    assert not any(word in result.stdout for word in ("solution", "warning"))


def test_a_line_has_no_character_for_36():
    result = run(
        "solve", "-c", "n=36", "-n", "1", "--without", "box,row,column", "--format", "line"
    )
    assert result.exit_code == 65
    assert "35" in result.stderr


def test_a_size_without_characters_is_rejected_before_solving(tmp_path):
    """Also for a puzzle without solutions."""
    (tmp_path / "never.lp").write_text(":- cell(1,1).\n")
    result = run("solve", "-c", "n=64", "--with", tmp_path / "never.lp", "--format", "line")
    assert (result.exit_code, result.stdout) == (65, "")
    assert "35" in result.stderr


def test_stats_go_to_standard_error():
    plain = run("solve", CLASSIC)
    result = run("solve", "--stats", CLASSIC)
    assert result.stdout == plain.stdout
    first, second = result.stderr.splitlines()
    assert re.fullmatch(r"\d+ atoms, \d+ rules, \d+ choices, \d+ conflicts", first)
    assert re.fullmatch(r"grounding \d+\.\d{3} s, solving \d+\.\d{3} s(, \d+ MB)?", second)
    assert int(first.split()[0]) > 9 * 9  # at least one atom for each cell


# ---- Colour ----

ESCAPE = "\x1b"


def test_a_pipe_gets_no_colour():
    assert ESCAPE.encode() not in run_process("solve", CLASSIC).stdout


def test_a_terminal_gets_colour_for_the_givens_and_the_same_text():
    written, _ = on_terminal("solve", CLASSIC, streams=["stdout"])
    coloured = re.findall(r"\x1b\[[0-9;]+m(.)\x1b\[0m", written)
    givens = [
        number for row in oracle.read_grid(CLASSIC.read_text("utf-8")) for number in row if number
    ]
    assert list(map(int, coloured)) == givens
    assert re.sub(r"\x1b\[[0-9;]*m", "", written) == run("solve", CLASSIC).stdout


def test_no_color_disables_colours_on_a_terminal():
    written, _ = on_terminal("solve", CLASSIC, streams=["stdout"], NO_COLOR="1")
    assert written == run("solve", CLASSIC).stdout


@pytest.mark.parametrize("format_", ["line", "json", "facts"])
def test_machine_readable_formats_have_no_colour_on_a_terminal(format_):
    written, _ = on_terminal("solve", "--format", format_, CLASSIC)
    assert (ESCAPE in written, "1" in written) == (False, True)


# ---- Standard input ----


def test_a_puzzle_on_standard_input():
    done = run_process("solve", "--format", "line", "-", given=CLASSIC.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert grid_of_line(done.stdout.decode().strip()) == CLASSIC_SOLUTION


BAD_INPUT = {
    "empty": b"",
    "binary": b"\x00\xff",
    "not UTF-8": b"\xff\xfe",
    "ragged": b"1 2\n",
    "2 MB": b"9" * 2_000_000,
}


@pytest.mark.parametrize("content", BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_standard_input_is_named_as_such(content):
    done = run_process("solve", "-", given=content)
    assert (done.returncode, done.stdout) == (65, b"")
    assert done.stderr.startswith(b"aspdoku: standard input:")
    assert b"Traceback" not in done.stderr
