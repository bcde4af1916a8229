"""`aspdoku candidates`: output and exit status, against tests/oracle.py and plain clingo."""

import json
import re
import subprocess
import sys
import time
from collections import Counter

import oracle
import pytest
from cli_runner import (
    ENDLESS,
    GROWS,
    INSTANCES,
    interrupt,
    run,
    run_process,
    start,
    wait_until_it_works,
)
from in_one_test import in_one_test

BLANK = ". . . .\n" * 4
UNIQUE = ". 4 . .\n. . . 4\n. . 2 .\n1 . . .\n"
TWO_SOLUTIONS = ". 4 2 .\n3 . . 1\n. . . .\n2 . . .\n"
CONTRADICTORY = "1 1 . .\n. . . .\n. . . .\n. . . .\n"
SIX = (
    "with: anti-knight\nwithout: box\n. 2 . . . .\n. . . . . .\n3 . . . . 2\n4 . . . . 5\n5 6 . 2 ."
    " .\n2 . . . . .\n"
)
CAGES = f"with: killer\n{BLANK}[cage]\nA A . .\n. . . .\n. . B B\n. . . B\nA = 7\nB = 8\n"
SIGNS = f"with: greater-than\n{BLANK}[facts]\ngt(1,1,1,2). gt(1,2,2,2). gt(4,4,4,3).\n"
FEW = {
    "unique": UNIQUE,
    "two": TWO_SOLUTIONS,
    "6x6": SIX,
    "cages": CAGES,
    "signs": SIGNS,
    "anti-knight": f"with: anti-knight\n{BLANK}",
}


def solutions(text):
    return oracle.solutions(*oracle.read(text))


def numbers_in(grids, cell):
    return [oracle.number(grid, cell) for grid in grids]


def rows(n, value):
    return [[value((r, c)) for c in range(1, n + 1)] for r in range(1, n + 1)]


def possible_in(grids):
    return rows(len(grids[0]), lambda cell: sorted(set(numbers_in(grids, cell))))


def equal_in(grids):
    groups = {}
    for cell in oracle.cells_of(len(grids[0])):
        if len(set(numbers_in(grids, cell))) > 1:
            groups.setdefault(tuple(numbers_in(grids, cell)), []).append(list(cell))
    return sorted(cells for cells in groups.values() if len(cells) > 1)


def drawn(block):
    """The candidates in the printed grid: digits, or for sizes above 9, numbers separated by
    commas.
    """
    lines = [
        re.findall(r"[^ |]+", line)
        for line in block.splitlines()
        if not re.fullmatch("[-+]+", line)
    ]
    return [
        [
            [int(number) for number in re.findall(r"\d+" if len(lines) > 9 else r"\d", cell)]
            for cell in line
        ]
        for line in lines
    ]


# ---- Text ----


@pytest.mark.parametrize("text", FEW.values(), ids=FEW)
def test_the_text_shows_all_candidates_and_forced_and_equal_cells(text, file):
    true = solutions(text)
    possible, n = possible_in(true), len(true[0])
    result = run("candidates", file(text, "grid.txt"))
    assert (result.exit_code, result.stderr) == (0, "")
    grid, summary, *others = result.stdout.split("\n\n")
    assert drawn(grid) == possible
    total = sum(len(numbers) for row in possible for numbers in row)
    forced = sum(len(numbers) == 1 for row in possible for numbers in row)
    hold = "holds" if forced == 1 else "hold"
    assert (
        summary.strip()
        == f"{total} candidates; {forced} of {n * n} cells {hold} the same number in every solution"
    )
    groups = ["=".join("r{}c{}".format(*cell) for cell in group) for group in equal_in(true)]
    if not groups:
        assert others == []
        return
    (equal,) = others
    assert max(map(len, equal.splitlines())) <= 110
    assert re.sub(r"\s", "", equal) == "alwaysequal:" + ",".join(groups)


@pytest.mark.parametrize("text", FEW.values(), ids=FEW)
def test_counts_in_the_text(text):
    true = solutions(text)
    result = run("candidates", "--counts", "-", given=text)
    lines = result.stdout.split("\n\n")[-1].splitlines()
    assert result.exit_code == 0
    expected = []
    for cell in oracle.cells_of(len(true[0])):
        counts = Counter(numbers_in(true, cell))
        if len(counts) > 1:
            expected.append(
                f"  {oracle.label(cell)}: "
                + ", ".join(f"{number} in {counts[number]}" for number in sorted(counts))
            )
    assert lines[0] == (
        "the solution is unique" if len(true) == 1 else f"occurrences in {len(true)} solutions"
    )
    assert lines[1:] == expected


def test_counts_up_to_a_limit_have_a_caveat():
    result = run("candidates", "--counts", "--limit", 10, "-c", "n=4")
    lines = result.stdout.split("\n\n")[-1].splitlines()
    assert result.exit_code == 0
    assert (
        lines[0]
        == "occurrences in the first 10 solutions found, which are not representative of all"
        " solutions"
    )
    assert len(lines) == 17
    for line in lines[1:]:
        assert sum(map(int, re.findall(r"in (\d+)", line))) == 10


def test_a_pipe_gets_no_colours():
    assert b"\x1b" not in run_process("candidates", "-", given=TWO_SOLUTIONS.encode()).stdout


# ---- JSON ----


@pytest.mark.parametrize("text", FEW.values(), ids=FEW)
def test_json(text, file):
    true = solutions(text)
    possible, n = possible_in(true), len(true[0])
    document = json.loads(
        run("candidates", "--counts", "--format", "json", file(text, "grid.txt")).stdout
    )
    assert document.pop("schema") == "aspdoku/candidates/1"
    assert document.pop("candidates") == possible
    assert document.pop("forced") == [
        [numbers[0] if len(numbers) == 1 else None for numbers in row] for row in possible
    ]
    assert sorted(document.pop("equal")) == equal_in(true)
    counts = rows(
        n,
        lambda cell: [
            numbers_in(true, cell).count(number) for number in sorted(set(numbers_in(true, cell)))
        ],
    )
    assert document.pop("counts") == counts
    assert document == {
        "complete": True,
        "ended": "complete",
        "counted": {"solutions": len(true), "exact": True},
    }


def test_json_without_counts():
    document = json.loads(run("candidates", "--format", "json", "-", given=TWO_SOLUTIONS).stdout)
    assert (document["counts"], document["counted"]) == (None, None)


def test_json_with_a_limit():
    document = json.loads(
        run("candidates", "--counts", "--limit", 7, "--format", "json", "-c", "n=4").stdout
    )
    assert document["counted"] == {"solutions": 7, "exact": False}
    assert all(sum(counts) == 7 for row in document["counts"] for counts in row)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        (CONTRADICTORY, []),
        (CONTRADICTORY, ["--counts"]),
        (f"with: killer\n{BLANK}[cage]\nA A . .\n. . . .\n. . . .\n. . . .\nA = 8\n", []),
    ],
)
def test_no_solution(text, arguments):
    assert solutions(text) == []
    result = run("candidates", *arguments, "-", given=text)
    assert (result.stdout, result.stderr, result.exit_code) == ("no solution\n", "", 20)
    result = run("candidates", *arguments, "--format", "json", "-", given=text)
    document = json.loads(result.stdout)
    assert result.exit_code == 20
    assert (document["candidates"], document["forced"], document["equal"]) == (
        [[[]] * 4] * 4,
        [[None] * 4] * 4,
        [],
    )
    assert (document["complete"], document["counted"]) == (
        True,
        {"solutions": 0, "exact": True} if arguments else None,
    )


# ---- Plain clingo ----


@pytest.mark.slow_cases("made/seventeen-without4")
@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("slides/classic", []),
        ("slides/classic", ["--without", "box"]),
        ("slides/anti-knight", ["--without", "anti-knight"]),
        ("slides/offset", ["--without", "offset"]),
        ("made/seventeen", ["--without", "box"]),
        ("slides/six", ["--without", "row,column"]),
    ],
)
def test_candidates_agree_with_plain_clingo_on_the_printed_program(name, without):
    """The brave and cautious consequences of the program that `aspdoku program` prints."""
    puzzle = INSTANCES / f"{name}.txt"
    program = run("program", *without, puzzle).stdout
    n = len(oracle.read_grid(puzzle.read_text()))

    def inferred(mode):
        clingo = [sys.executable, "-m", "clingo", "--project=project", f"--enum-mode={mode}", "0"]
        output = subprocess.run(
            clingo, input=program, capture_output=True, text=True, timeout=60
        ).stdout
        last = re.findall(r"^a\(.*$", output, re.MULTILINE)[-1]
        atoms = [tuple(map(int, atom)) for atom in re.findall(r"\ba\((\d+),(\d+),(\d+)\)", last)]
        return rows(
            n, lambda cell: sorted(number for *place, number in atoms if tuple(place) == cell)
        )

    document = json.loads(run("candidates", *without, "--format", "json", puzzle).stdout)
    assert document["candidates"] == inferred("brave")
    assert [
        [[number] if number else [] for number in row] for row in document["forced"]
    ] == inferred("cautious")


def test_a_unique_solution_of_16x16_is_printed_as_by_solve():
    result = run("candidates", INSTANCES / "slides" / "sixteen.txt")
    solution = oracle.read_grid((INSTANCES / "slides" / "sixteen.solution.txt").read_text())
    grid, summary = result.stdout.split("\n\n")
    assert drawn(grid) == [[[number] for number in row] for row in solution]
    assert grid == run("solve", INSTANCES / "slides" / "sixteen.txt").stdout.split("\n\n")[0]
    assert summary == "256 candidates; 256 of 256 cells hold the same number in every solution\n"


# ---- Bad input ----

BAD = [
    # arguments, standard input, exit status, and a part of the message
    (["nowhere.txt"], "", 65, "nowhere.txt"),
    (["."], "", 65, "directory"),
    (["-"], "", 65, "standard input"),
    (["-"], "1 2 3 5\n. . . .\n. . . .\n. . . .\n", 65, "standard input:1"),
    (["-"], f"with: nonsense\n{BLANK}", 65, "nonsense"),
    (["-", "--without", "nonsense"], BLANK, 65, "nonsense"),
    (["-", "-c", "n=4"], BLANK, 65, "constant n cannot be set: its value comes from the grid"),
    (["-c", "n=0"], "", 2, "n is a positive number"),
    (["-c", "n=4", "--limit", "0"], "", 2, "--limit"),
    (["-c", "n=4", "--counts", "--limit", "-3"], "", 2, "--limit"),
    (["-c", "n=4", "--time-limit", "0"], "", 2, "--time-limit"),
    (["-c", "n=4", "--format", "grid"], "", 2, "grid"),
    (["-", "-"], BLANK, 2, "unexpected extra argument"),
]


@in_one_test(("arguments", "given", "status", "fragment"), BAD)
def test_bad_input(arguments, given, status, fragment):
    result = run("candidates", *arguments, given=given)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (status, "")
    assert fragment in result.stderr


@pytest.mark.parametrize(
    "text", [":- not a(R,1,1).", ":- a(1,1,1) b.", "#script (python) #end.", ":- a(1,1,@f(1))."]
)
def test_an_invalid_rule_file_is_rejected(text, file):
    mine = file(f"% Mine.\n{text}\n")
    result = run("candidates", "-c", "n=4", "--with", mine)
    assert (result.exit_code, result.stdout) == (65, "")
    assert f"{mine}:2:" in result.stderr


@pytest.mark.parametrize("text", ["cell(5,1).", "a(0,1,1).", "a(1,1,7).", "a(1,1,x)."])
def test_several_numbers_in_a_cell_are_rejected_as_by_solve(text, file):
    mine = file(f"% Mine.\n{text}\n")
    assert run("solve", "-c", "n=4", "--with", mine).exit_code == 65
    assert run("candidates", "-c", "n=4", "--with", mine, "--counts").exit_code == 65


def test_a_limit_too_large_for_clingo():
    assert run("candidates", "-c", "n=4", "--counts", "--limit", 2**64).exit_code in (0, 2)


def test_messages_of_clingo_have_the_file_and_line(file):
    mine = file("% One.\n\nmine(N/0) :- number(N).\n")
    assert f"{mine}:3:6: " in run("candidates", "-c", "n=4", "--with", mine).stderr


# ---- The time limit, and Ctrl-C ----


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_time_limit_while_grounding(format_, file):
    done = run_process(
        "candidates",
        "-c",
        "n=4",
        "--with",
        file(ENDLESS),
        "--time-limit",
        1,
        "--format",
        format_,
        "--counts",
    )
    assert done.returncode == 124
    assert done.stderr.endswith(GROWS)
    assert done.stderr.count(b"\n") == 1
    if format_ == "json":
        document = json.loads(done.stdout)
        assert document["candidates"] == [[[]] * 4] * 4
        assert document["forced"] == [[None] * 4] * 4
        assert (document["complete"], document["ended"]) == (False, "time")
        assert (document["equal"], document["counts"], document["counted"]) == (None, None, None)
    else:
        row, rule = b" ?  ? |  ?  ?\n", b"------+------\n"
        message = b"time limit reached before a solution was found; there may be none\n"
        assert done.stdout == row * 2 + rule + row * 2 + b"\n" + message


@pytest.fixture
def large(file):
    """A 20x20 grid whose candidates take some seconds.

    The givens in its first row and box exclude others.
    """
    first = " ".join(map(str, range(1, 21)))
    return file("box: 4x5\n" + first + "\n" + (". " * 20 + "\n") * 19, "large.txt")


def may_hold(cell, number):
    """The candidates of the grid `large`, derived by hand: numbers of the first row are excluded
    from the same row, column and box.
    """
    row, column = cell
    if row == 1:
        return number == column
    return number != column and not (row <= 4 and (number - 1) // 5 == (column - 1) // 5)


def assert_true_as_far_as_known(possible):
    for cell in oracle.cells_of(20):
        numbers = oracle.number(possible, cell)
        assert numbers == sorted(set(numbers))
        assert all(may_hold(cell, number) for number in numbers)


@pytest.mark.slow
def test_partial_results_are_printed_at_the_time_limit(large):
    done = run_process("candidates", "--time-limit", 1, "--format", "json", large)
    document = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (124, b"")
    assert (document["complete"], document["ended"], document["equal"]) == (False, "time", None)
    assert document["forced"] == [[None] * 20] * 20
    assert_true_as_far_as_known(document["candidates"])


@pytest.mark.slow
def test_ctrl_c_while_searching_for_candidates(large):
    process = start("candidates", large)
    wait_until_it_works(process)
    time.sleep(0.7)
    out, err, status = interrupt(process)
    assert status == 130
    if err:  # grounding had not ended
        assert (out, err) == ("", "aspdoku: interrupted; no result\n")
        return
    grid, summary = out.split("\n\n")
    assert_true_as_far_as_known(drawn(grid))
    number = sum(len(numbers) for row in drawn(grid) for numbers in row)
    assert all(
        "?" in cell
        for line in grid.splitlines()[1:]
        for cell in re.findall(r"[\d,]+\??", line)
        if cell.count(",") < 19
    )
    assert f"interrupted, so this is incomplete, with {number} candidates so far" in summary


@pytest.mark.slow
def test_ctrl_c_while_counting():
    """The 6x6 grid has 28 million solutions, but its candidates are found immediately."""
    process = start("candidates", "-c", "n=6", "--counts", "--limit", 10**9, "--format", "json")
    wait_until_it_works(process)
    time.sleep(0.7)
    out, err, status = interrupt(process)
    assert err == ""
    assert json.loads(out)["counted"]["exact"] is False
    assert status == 130
