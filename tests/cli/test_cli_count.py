"""`aspdoku count` and `aspdoku unique`: output and exit status, against tests/oracle.py and plain
clingo.
"""

import json
import re
import subprocess
import sys
import time
from functools import cache

import oracle
import pytest
from cli_runner import (
    ENDLESS,
    GROWS,
    HARD,
    INSTANCES,
    interrupt,
    run,
    run_process,
    start,
    wait_until_it_works,
    without_schema,
)
from in_one_test import in_one_test

BLANK = ". . . .\n" * 4
UNIQUE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
TWO_SOLUTIONS = ". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"
CONTRADICTORY = "1 1 . .\n. . . .\n. . . .\n. . . .\n"
SIGNS = f"with: greater-than\n{BLANK}[facts]\ngt(1,1,1,2). gt(1,2,2,2). gt(4,4,4,3).\n"
CAGES = f"with: killer\n{BLANK}[cage]\nA A . .\n. . . .\n. . B B\n. . . B\nA = 7\nB = 8\n"
CHAIN = f"with: chain\n{BLANK}[facts]\nchain(1,1,1). chain(2,2,1). chain(3,3,1). chain(4,4,1).\n"
KNIGHT = "with: anti-knight\nwithout: box\n1 2 . .\n. . . .\n. . . .\n. . . .\n"
SIX = "1 2 3 4 5 6\n4 5 6 1 2 3\n2 . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n"
TEXTS = {
    "blank": BLANK,
    "without boxes": f"without: box\n{BLANK}",
    "unique": UNIQUE,
    "two": TWO_SOLUTIONS,
    "none": CONTRADICTORY,
    "signs": SIGNS,
    "cages": CAGES,
    "chain": CHAIN,
    "anti-knight": KNIGHT,
    "6x6": SIX,
}

both = pytest.mark.parametrize("command", ["count", "unique"])


@cache
def number_of(text):
    return len(oracle.solutions(*oracle.read(text)))


# ---- count ----


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_count_prints_the_number_of_solutions_of_the_oracle(text, file):
    number = number_of(text)
    result = run("count", file(text, "grid.txt"))
    assert (result.stdout, result.stderr, result.exit_code) == (
        f"{number}\n",
        "",
        0 if number else 20,
    )


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_count_as_json(text):
    number = number_of(text)
    result = run("count", "--format", "json", "-", given=text)
    assert without_schema(json.loads(result.stdout)) == {
        "count": number,
        "exact": True,
        "ended": "complete",
        "method": "enumeration",
    }
    assert (result.stderr, result.exit_code) == ("", 0 if number else 20)


@pytest.mark.slow_cases("arguments4-rules4")
@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (["-c", "n=4"], oracle.CLASSIC),
        (["-c", "n=4", "--without", "box"], oracle.LATIN),
        (["-c", "n=4", "--with", "anti-knight"], oracle.Rules(anti_knight=True)),
        (
            ["-c", "n=4", "--with", "anti-knight,offset"],
            oracle.Rules(anti_knight=True, offset=True),
        ),
        (
            ["-c", "n=4", "--with", "offset", "--without", "box,row"],
            oracle.Rules(rows=False, boxes=False, offset=True),
        ),
        (["-c", "n=4", "-c", "box_rows=4"], oracle.Rules(box_shape=(4, 1))),
        (["-c", "n=3"], oracle.CLASSIC),
        (["-c", "n=1"], oracle.CLASSIC),
    ],
)
def test_count_of_a_blank_grid(arguments, rules):
    (size,) = re.findall(r"n=(\d)", " ".join(arguments))
    true = len(oracle.solutions([[None] * int(size)] * int(size), rules))
    result = run("count", *arguments)
    assert result.stdout in (f"{true}\n", f"{true} (counted by a table)\n")
    assert (result.stderr, result.exit_code) == ("", 0 if true else 20)


@pytest.mark.parametrize("text", [KNIGHT, SIX, CAGES], ids=["anti-knight", "6x6", "cages"])
def test_count_agrees_with_plain_clingo_on_the_printed_program(text, file):
    path = file(text, "grid.txt")
    program = run("program", path).stdout
    clingo = [sys.executable, "-m", "clingo", "--project=project", "-q", "0"]
    output = subprocess.run(
        clingo, input=program, capture_output=True, text=True, timeout=60
    ).stdout
    assert run("count", path).stdout == re.search(r"Models\s*: (\d+)", output)[1] + "\n"


@pytest.mark.parametrize("limit", [1, 2, 100, 287])
def test_count_up_to_a_limit(limit):
    assert number_of(BLANK) > limit
    result = run("count", "-c", "n=4", "--limit", limit)
    assert (result.stdout, result.stderr, result.exit_code) == (f"at least {limit}\n", "", 0)
    result = run("count", "-c", "n=4", "--limit", limit, "--format", "json")
    assert without_schema(json.loads(result.stdout)) == {
        "count": limit,
        "exact": False,
        "ended": "limit",
        "method": "enumeration",
    }
    assert result.exit_code == 0


@pytest.mark.parametrize("limit", [289, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**63 - 1])
def test_count_below_a_limit_is_exact(limit):
    result = run("count", "-c", "n=4", "--limit", limit)
    assert (result.stdout, result.exit_code) == (f"{number_of(BLANK)}\n", 0)


@pytest.mark.parametrize("limit", [2**63, 2**64, 2**64 + 1])
def test_count_with_a_limit_too_large_for_clingo(limit):
    result = run("count", "-c", "n=4", "--limit", limit)
    assert isinstance(result.exception, SystemExit | None)
    assert result.exit_code in (0, 2)


def test_count_of_no_solution_below_a_limit():
    result = run("count", "--limit", 1, "-", given=CONTRADICTORY)
    assert (result.stdout, result.exit_code) == ("0\n", 20)


@pytest.mark.parametrize(
    "text",
    [
        "{ mine(1..9) }.",
        "mine ; yours.",
        "mine :- not yours. yours :- not mine.",
        "mine :- not not mine.",
    ],
)
@both
def test_answer_sets_with_the_same_grid_count_once(command, text, file):
    result = run(command, "--with", file(f"% Mine.\n{text}\n"), "-", given=UNIQUE)
    assert (result.stdout, result.exit_code) == (
        {"count": "1\n", "unique": "unique solution\n"}[command],
        0,
    )


def test_answer_sets_of_two_rule_files_with_the_same_grid_count_once(file):
    one = file("% One.\n#defined yours/0.\nmine :- not yours.\n", "one.lp")
    two = file("% Two.\n#defined mine/0.\nyours :- not mine.\n", "two.lp")
    assert run("count", "--with", f"{one},{two}", "-", given=UNIQUE).stdout == "1\n"


# ---- unique ----

VERDICTS = {0: ("no solution\n", 20), 1: ("unique solution\n", 0)}


@pytest.mark.parametrize("text", [text for text in TEXTS.values() if number_of(text) < 2])
def test_unique_distinguishes_one_solution_from_none(text, file):
    result = run("unique", file(text, "grid.txt"))
    assert (result.stdout, result.exit_code) == VERDICTS[number_of(text)]
    assert result.stderr == ""


@pytest.mark.parametrize("text", [text for text in TEXTS.values() if number_of(text) > 1])
def test_unique_lists_cells_in_which_two_solutions_differ(text, file):
    """Some of these cells are listed, with the number of the others; the first six have to fit two
    solutions.
    """
    result = run("unique", file(text, "grid.txt"))
    assert (result.exit_code, result.stderr) == (1, "")
    first, second = result.stdout.splitlines()
    assert first == "several solutions; two of them differ in:"
    shown = [
        (int(r), int(c), int(one), int(two))
        for r, c, one, two in re.findall(r"r(\d)c(\d) (\d) or (\d)", second)
    ]
    more = re.search(r" and (\d+) more cells?$", second)
    listed = ", ".join("r{}c{} {} or {}".format(*each) for each in shown)
    assert second == listed + (more[0] if more else "")
    assert len(shown) == 6 if more else 1 < len(shown) <= 6

    true = oracle.solutions(*oracle.read(text))
    total = len(shown) + (int(more[1]) if more else 0)
    ones = [grid for grid in true if all(grid[r - 1][c - 1] == one for r, c, one, _ in shown)]
    others = [grid for grid in true if all(grid[r - 1][c - 1] == two for r, c, _, two in shown)]
    assert any(
        len(cells) == total and [cell[:2] for cell in shown] == cells[:6]
        for one in ones
        for other in others
        if (
            cells := [
                (r, c)
                for r, c in oracle.cells_of(len(one))
                if one[r - 1][c - 1] != other[r - 1][c - 1]
            ]
        )
    )


def test_unique_lists_all_differing_cells_if_they_are_few():
    """Two solutions that differ in four cells: the oracle's two grids in either order."""
    one, two = oracle.solutions(oracle.read_grid(TWO_SOLUTIONS))
    differ = [(r, c) for r, c in oracle.cells_of(4) if one[r - 1][c - 1] != two[r - 1][c - 1]]
    lines = [
        ", ".join(
            f"{oracle.label(cell)} {oracle.number(a, cell)} or {oracle.number(b, cell)}"
            for cell in differ
        )
        for a, b in ((one, two), (two, one))
    ]
    result = run("unique", "-", given=TWO_SOLUTIONS)
    assert result.exit_code == 1
    assert result.stdout in [
        f"several solutions; two of them differ in:\n{line}\n" for line in lines
    ]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_unique_as_json(text):
    true = oracle.solutions(*oracle.read(text))
    result = run("unique", "--format", "json", "-", given=text)
    document = json.loads(result.stdout)
    found = document["solutions"]
    assert result.exit_code == {0: 20, 1: 0}.get(len(true), 1)
    assert document["status"] == {0: "none", 1: "unique"}.get(len(true), "several")
    assert len(found) == min(2, len(true))
    assert all(grid in true for grid in found)
    differences = []
    if len(found) == 2:
        one, two = found
        assert one != two
        cells = oracle.cells_of(len(one))
        numbers = [(cell, [oracle.number(one, cell), oracle.number(two, cell)]) for cell in cells]
        differences = [
            {"cell": list(cell), "numbers": pair} for cell, pair in numbers if pair[0] != pair[1]
        ]
    else:
        assert document["ended"] == "complete"
    assert document["differences"] == differences
    assert document["complete"] == (len(true) < 2)


@pytest.mark.parametrize(
    "name", ["slides/anti-knight", "made/killer", "slides/greater-than", "slides/sixteen"]
)
def test_a_published_puzzle_has_a_unique_solution(name):
    puzzle = INSTANCES / f"{name}.txt"
    assert run("unique", puzzle).stdout == "unique solution\n"
    assert run("count", puzzle).stdout == "1\n"
    (found,) = json.loads(run("unique", "--format", "json", puzzle).stdout)["solutions"]
    assert found == oracle.read_grid(puzzle.with_name(f"{puzzle.stem}.solution.txt").read_text())


def test_unique_rejects_several_numbers_in_a_cell(file):
    result = run("unique", "-c", "n=4", "--with", file("% Mine.\na(1,1,7).\n"))
    assert (result.exit_code, result.stdout) == (65, "")
    assert "a(1,1,7)" in result.stderr


def test_count_rejects_several_numbers_in_a_cell(file):
    result = run("count", "-c", "n=4", "--with", file("% Mine.\ncell(5,1).\n"))
    assert (result.exit_code, result.stdout) == (65, "")


# ---- Warnings and bad input ----


@both
@pytest.mark.parametrize("format_", ["text", "json"])
def test_messages_of_clingo_have_the_file_and_line(command, format_, file):
    mine = file("% One.\n\nmine(N/(N-N)) :- number(N).\n")
    result = run(command, "--with", mine, "--format", format_, "-", given=UNIQUE)
    assert result.exit_code == 0
    assert f"{mine}:3:6: " in result.stderr
    assert "undefined" not in result.stdout


@both
def test_the_size_of_a_default_grid_is_reported(command):
    result = run(command, "--without", "row,column,box", "--with", "killer", "--time-limit", 0.001)
    assert "9x9" in result.stderr


BAD = [
    # arguments, standard input, exit status, and a part of the message
    (["nowhere.txt"], "", 65, "nowhere.txt"),
    (["."], "", 65, "directory"),
    (["-"], "", 65, "standard input"),
    (["-"], "1 2 3\n", 65, "standard input"),
    (["-"], "1 2 3 5\n. . . .\n. . . .\n. . . .\n", 65, "standard input:1"),
    (["-"], f"with: nonsense\n{BLANK}", 65, "nonsense"),
    (["-", "--without", "nonsense"], BLANK, 65, "nonsense"),
    (["-", "--with", "nowhere.lp"], BLANK, 65, "nowhere.lp"),
    (["-", "-c", "n=4"], BLANK, 65, "constant n cannot be set: its value comes from the grid"),
    (["-c", "n=0"], "", 2, "n is a positive number"),
    (["-c", "n"], "", 2, "NAME=VALUE"),
    (["-c", "n=101"], "", 65, "101"),
    (["-c", "n=4", "--time-limit", "0"], "", 2, "--time-limit"),
    (["-c", "n=4", "--time-limit", "-1"], "", 2, "--time-limit"),
    (["-c", "n=4", "--time-limit", "nan"], "", 2, "--time-limit"),
    (["-c", "n=4", "--time-limit", "soon"], "", 2, "soon"),
    (["-c", "n=4", "--format", "xml"], "", 2, "xml"),
    (["-c", "n=4", "--nonsense"], "", 2, "--nonsense"),
    (["-", "-"], BLANK, 2, "unexpected extra argument"),
]


@both
@in_one_test(("arguments", "given", "status", "fragment"), BAD)
def test_bad_input(command, arguments, given, status, fragment):
    result = run(command, *arguments, given=given)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (status, "")
    assert fragment in result.stderr


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1.5", ""])
def test_an_invalid_limit_is_rejected(limit):
    result = run("count", "-c", "n=4", "--limit", limit)
    assert (result.exit_code, result.stdout) == (2, "")


# ---- The time limit, and Ctrl-C ----


@pytest.mark.slow
@both
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_time_limit_while_grounding(command, format_, file):
    done = run_process(
        command, "-c", "n=4", "--with", file(ENDLESS), "--time-limit", 1, "--format", format_
    )
    assert done.returncode == 124
    assert done.stderr.endswith(GROWS)
    assert done.stderr.count(b"\n") == 1
    if format_ == "text":
        assert done.stdout.decode().startswith(
            {"count": "at least 0\n", "unique": "no result"}[command]
        )
    elif command == "count":
        assert without_schema(json.loads(done.stdout)) == {
            "count": 0,
            "exact": False,
            "ended": "time",
            "method": "enumeration",
        }
    else:
        assert without_schema(json.loads(done.stdout)) == {
            "status": "unknown",
            "complete": False,
            "ended": "time",
            "solutions": [],
            "differences": [],
        }


@pytest.mark.slow
def test_a_time_limit_while_counting():
    done = run_process("count", "-c", "n=9", "--time-limit", 0.5, "--format", "json")
    document = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (124, b"")
    assert (document["exact"], document["ended"]) == (False, "time")


@pytest.mark.slow
def test_a_time_limit_before_a_first_solution():
    done = run_process("unique", *HARD, "--time-limit", 3)
    assert done.returncode == 124
    assert done.stdout == b"no solution found before the time limit, but there may be one\n"


@pytest.mark.slow
def test_ctrl_c_while_counting():
    process = start("count", "-c", "n=9")
    wait_until_it_works(process)
    time.sleep(0.6)
    out, err, status = interrupt(process)
    assert (status, err) == (130, "")
    method = r"( \(counted up to exchanges of numbers\))?"
    assert int(re.fullmatch(rf"at least (\d+){method}\n", out)[1]) > 0
