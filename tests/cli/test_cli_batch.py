"""`aspdoku batch`, run as a command: one output line for each input line, whatever happens in
between.
"""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import oracle
import pytest
from cli_runner import COMMAND, INSTANCES, SOON, environment, grid_of_line, run, run_process, worker
from in_one_test import in_one_test

import aspdoku

BLANK = "." * 16
UNIQUE = ".4.....4..2.1..."
TWO_SOLUTIONS = ".42.3..1....2..."
CONTRADICTORY = "11.............."
KILLER = 'cage(1,1,"A"). cage(1,2,"A"). cage_value("A",7).'
# Grounding never ends.
ENDLESS = "endless(1).\nendless(X+1) :- endless(X).\n"
# A pigeonhole problem, fourteen pigeons in thirteen holes, for puzzles with the fact `hard`. clingo
# takes long to prove that there is no solution.
PIGEONS = (
    "#defined hard/0.\n{ mine(P,H) : H = 1..13 } = 1 :- P = 1..14, hard.\n:- mine(P,H), mine(P1,H),"
    " P < P1.\n"
)

with_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"
)


def solution_in_line(line, rules=oracle.CLASSIC):
    (grid,) = oracle.solutions(
        [[number or None for number in row] for row in grid_of_line(line.replace(".", "0"))], rules
    )
    return "".join("0123456789ABCDEFG"[number] for row in grid for number in row)


def in_line(file):
    return "".join(
        "." if number is None else str(number)
        for row in oracle.read_grid(file.read_text("utf-8"))
        for number in row
    )


PUZZLE, SOLUTION = (
    in_line(INSTANCES / "made" / name) for name in ("seventeen.txt", "seventeen.solution.txt")
)
MIXED = f"{UNIQUE}\n\n# a remark\n{CONTRADICTORY}\nnonsense\n{TWO_SOLUTIONS}\n"
STATUSES = ["unique", "empty", "empty", "none", "bad input", "several"]


def many(lines):
    """Input lines and the expected output.

    Most are puzzles with 17 givens, copies of one puzzle with permuted numbers; the others hold no
    puzzle.
    """
    random = Random(lines)
    given, answers = [], []
    for number in range(lines):
        if number % 100 == 99:
            given.append(random.choice(["", "# a remark"]))
            answers.append("- empty")
            continue
        names = str.maketrans("123456789", "".join(random.sample("123456789", 9)))
        given.append(PUZZLE.translate(names))
        answers.append(f"{SOLUTION.translate(names)} unique")
    return "".join(f"{line}\n" for line in given), "".join(f"{line}\n" for line in answers)


@pytest.fixture
def many_lines(tmp_path):
    """A file of many lines, and the expected output."""
    given, answers = many(1500)
    file = tmp_path / "puzzles.txt"
    file.write_text(given)
    return file, answers


@pytest.fixture
def mixed(tmp_path):
    file = tmp_path / "mixed.txt"
    file.write_text(MIXED)
    return file


@pytest.fixture
def endless(tmp_path):
    file = tmp_path / "endless.lp"
    file.write_text(ENDLESS)
    return file


@pytest.fixture
def pigeons(tmp_path):
    file = tmp_path / "pigeons.lp"
    file.write_text(PIGEONS)
    return file


def statuses(text):
    return [re.match(r"\S+ ([a-z ]+)(?:: .*)?", line)[1] for line in text.splitlines()]


# ---- Input and output ----


@pytest.mark.slow_cases("-j 2")
@pytest.mark.parametrize("jobs", [[], ["-j", "1"], ["-j", "2"]], ids=" ".join)
def test_there_is_one_output_line_per_input_line(mixed, jobs):
    result = run("batch", *jobs, mixed)
    assert (result.exit_code, result.stderr) == (0, "")
    assert statuses(result.stdout) == STATUSES
    lines = result.stdout.splitlines()
    assert lines[0] == f"{solution_in_line(UNIQUE)} unique"
    assert lines[1:4] == ["- empty", "- empty", "- none"]
    assert lines[4].startswith("- bad input: 8 cells")
    several = grid_of_line(lines[5].split()[0])
    givens = [
        [number or None for number in row] for row in grid_of_line(TWO_SOLUTIONS.replace(".", "0"))
    ]
    assert oracle.violations(several, givens, oracle.CLASSIC) == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_many_lines_keep_their_order(many_lines, jobs):
    file, answers = many_lines
    done = run_process("batch", "-j", jobs, file)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == answers


@pytest.mark.slow
def test_standard_input_and_a_file_give_the_same(mixed):
    assert run("batch", "-", given=MIXED).stdout == run("batch", mixed).stdout


@pytest.mark.slow
def test_output_to_a_file(mixed, tmp_path):
    result = run("batch", mixed, "-o", tmp_path / "answers")
    assert (result.exit_code, result.output) == (0, "")
    assert (tmp_path / "answers").read_text() == run("batch", mixed).stdout


@pytest.mark.slow
def test_all_formats_have_the_same_results(mixed):
    lines = [line.partition(" ") for line in run("batch", mixed).stdout.splitlines()]
    plain = [(solution.replace("-", ""), *rest.partition(": ")[::2]) for solution, _, rest in lines]
    documents = [
        json.loads(line) for line in run("batch", "--format", "jsonl", mixed).stdout.splitlines()
    ]
    assert [(each["solution"] or "", each["status"], each["reason"]) for each in documents] == plain
    assert [each["line"] for each in documents] == [1, 2, 3, 4, 5, 6]
    rows = list(csv.DictReader(io.StringIO(run("batch", "--format", "csv", mixed).stdout)))
    assert [(row["solution"], row["status"], row["reason"]) for row in rows] == plain
    assert [row["line"] for row in rows] == ["1", "2", "3", "4", "5", "6"]


ENDS = {
    "CRLF line endings": MIXED.replace("\n", "\r\n"),
    "CR line endings": MIXED.replace("\n", "\r"),
    "no newline at the end": MIXED.removesuffix("\n"),
    "a byte order mark": "\ufeff" + MIXED,
    "surrounding spaces": "".join(f"  {line} \t\n" for line in MIXED.splitlines()),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("source", ["a file", "standard input"])
def test_line_endings_of_other_systems(text, source, tmp_path):
    file = tmp_path / "lines.txt"
    file.write_bytes(text.encode())
    result = run("batch", file) if source == "a file" else run("batch", "-", given=text.encode())
    assert (result.exit_code, statuses(result.stdout)) == (0, STATUSES)
    assert result.stdout == run("batch", "-", given=MIXED).stdout


@pytest.mark.parametrize("given", [b"", b"\n", b"\n\n# a remark\n"], ids=ascii)
@pytest.mark.parametrize("format_", ["line", "jsonl", "csv"])
def test_an_input_without_puzzles(given, format_, tmp_path):
    """If the size is given, such lines get results like others; otherwise the input has to be
    empty.
    """
    file = tmp_path / "lines.txt"
    file.write_bytes(given)
    result = run("batch", "-c", "n=9", "--format", format_, file)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == given.count(b"\n") + (format_ == "csv")
    if not given:
        assert run("batch", "--format", format_, file).stdout == result.stdout


# ---- The size ----


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6, 12, 16])
def test_the_size_is_given_or_detected(size):
    cells = "." * size**2
    result = run("batch", "-c", f"n={size}", "-", given=f"{cells}\n{cells}.\n")
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    solution, status = first.split()
    assert status == ("unique" if size == 1 else "several")
    assert oracle.violations(grid_of_line(solution), [[None] * size] * size, oracle.CLASSIC) == []
    assert (
        second
        == f"- bad input: {size**2 + 1} cells in the line; a {size}x{size} grid has {size**2}"
    )
    if size >= 4:
        assert run("batch", "-", given=f"{cells}\n{cells}.\n").stdout == result.stdout


def test_the_size_is_that_of_the_first_possible_grid():
    result = run(
        "batch", "-", given=f"\n# 81 are too many\ntwo words\n{'.' * 17}\n{UNIQUE}\n{'.' * 81}\n"
    )
    assert statuses(result.stdout) == [
        "empty",
        "empty",
        "bad input",
        "bad input",
        "unique",
        "bad input",
    ]


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (1, 6), (6, 1)])
def test_the_box_shape_can_be_given(shape):
    height, width = shape
    blank = [[None] * 6] * 6
    rules = oracle.Rules(box_shape=shape)
    full = "".join(
        str(number) for row in oracle.solutions(blank, rules, limit=1)[0] for number in row
    )
    result = run(
        "batch",
        "-c",
        f"box_rows={height}",
        "-c",
        f"box_columns={width}",
        "-",
        given=f"{full}\n{'.' * 36}\n",
    )
    assert result.stdout.splitlines()[0] == f"{full} unique"
    assert (
        oracle.violations(grid_of_line(result.stdout.splitlines()[1].split()[0]), blank, rules)
        == []
    )


# ---- Rules and facts ----


@pytest.mark.slow
def test_each_line_can_have_facts_for_the_rules():
    lines = [
        BLANK,
        f"{BLANK} gt(1,2,1,1).",
        f"{BLANK} {KILLER}",
        f"{BLANK} gt(1,2,1,1). gt(1,1,1,2).",
        f"{BLANK} thermo(1,1,1,1).",
    ]
    result = run("batch", "--with", "greater-than,killer", "-", given="\n".join(lines))
    assert (result.exit_code, result.stderr) == (
        0,
        "",
    )  # no warning about missing facts, because each line has its own
    assert statuses(result.stdout) == ["several", "several", "several", "none", "bad input"]
    assert "thermo/4" in result.stdout.splitlines()[4]
    signs = oracle.Rules(greater_than=(((1, 2), (1, 1)),))
    cages = oracle.Rules(cages=(oracle.Cage(((1, 1), (1, 2)), 7),))
    for place, rules in ((1, signs), (2, cages)):
        grid = grid_of_line(result.stdout.splitlines()[place].split()[0])
        assert oracle.violations(grid, [[None] * 4] * 4, rules) == []


def test_regions_of_a_line_replace_the_boxes():
    """Rows as regions forbid nothing more; boxes of 2x2 forbid this grid."""
    grid = "1234234134124123"
    rows = " ".join(f"box({row},{column},{row})." for row in range(1, 5) for column in range(1, 5))
    result = run("batch", "-c", "n=4", "-", given=f"{grid} {rows}\n{grid}\n")
    assert statuses(result.stdout) == ["unique", "none"], result.output


@pytest.mark.slow
def test_a_rule_can_be_retracted():
    line = "1234" + "2341" + "3412" + "...."
    assert statuses(run("batch", "-", given=line).stdout) == ["none"]
    assert run("batch", "--without", "box", "-", given=line).stdout == "1234234134124123 unique\n"


def test_problems_of_a_rule_file_are_reported_once(tmp_path):
    """The warning about an undefined predicate is the same as in `solve`."""
    (tmp_path / "odd.lp").write_text("% Odd.\n:- nothing(1).\n")
    rules = ["--force", "--with", tmp_path / "odd.lp"]
    solve_messages = run("solve", *rules, "-c", "n=4").stderr
    result = run("batch", *rules, "-", given=UNIQUE)
    assert (result.exit_code, result.stdout) == (0, f"{solution_in_line(UNIQUE)} unique\n")
    assert (solve_messages.count("odd.lp:2:"), result.stderr.count("odd.lp:2:")) == (1, 1)


# ---- Rejected input ----

# Arguments, standard input, exit status, and a part of the message.
REJECTED = {
    "a missing file": (["nowhere.txt"], "", 65, ["nowhere.txt", "No such file"]),
    "a folder": (["/tmp"], "", 65, ["/tmp", "directory"]),
    "no file": ([], "", 2, ["FILE"]),
    "two files": (["-", "-"], "", 2, ["unexpected extra argument"]),
    "no line that determines the size": (
        ["-"],
        "one\ntwo\n",
        65,
        ["cannot determine the grid size", "-c n=9"],
    ),
    "blank lines only": (["-"], "\n\n", 65, ["-c n=9"]),
    "a size of zero": (["-c", "n=0", "-"], "", 2, ["'0'"]),
    "a size without characters": (["-c", "n=36", "-"], "." * 1296, 65, ["35"]),
    "a size without characters, and no line": (["-c", "n=36", "-"], "", 65, ["35"]),
    "a size without characters, and an invalid line": (
        ["-c", "n=36", "-"],
        "nonsense\n",
        65,
        ["35"],
    ),
    "a size that is too large": (["-c", "n=101", "-"], "", 65, ["101"]),
    "boxes that do not fit": (["-c", "box_rows=4", "-"], "." * 36, 2, ["6x6"]),
    "an unknown rule": (
        ["--with", "anti-night", "-"],
        BLANK,
        65,
        ["'anti-night'", "Did you mean 'anti-knight'?"],
    ),
    "a puzzle file": (
        ["-"],
        f"# one\ntitle: t\nsolution: 1234341221434321\n{BLANK}\n",
        65,
        ["standard input:2: title: is a header of a puzzle file", "`aspdoku solve`"],
    ),
    "a solution in a puzzle file": (
        ["--like", BLANK, "-"],
        f"solution: 1234341221434321\n{BLANK}\n",
        65,
        ["standard input:1: solution: is a header of a puzzle file"],
    ),
    "an unknown rule to retract": (["--without", "boxx", "-"], BLANK, 65, ["'boxx'"]),
    "no processes": (["-j", "0", "-"], BLANK, 2, ["--jobs"]),
    "an unknown format": (["--format", "xml", "-"], BLANK, 2, ["xml", "jsonl"]),
    "a time limit of zero": (["--time-limit-each", "0", "-"], BLANK, 2, ["--time-limit-each"]),
    "resume without an output": (["--resume", "-"], BLANK, 2, ["--output"]),
    "an output in a missing folder": (
        ["-", "-o", "/nowhere/answers"],
        BLANK,
        74,
        ["/nowhere/answers", "No such file"],
    ),
    "a folder as output": (["-", "-o", "/tmp"], BLANK, 2, ["/tmp"]),
}


@in_one_test(("arguments", "given", "status", "fragments"), REJECTED.values())
def test_bad_arguments_are_rejected(arguments, given, status, fragments):
    result = run("batch", *arguments, given=given)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.stdout) == (status, "")
    assert [fragment for fragment in fragments if fragment not in result.stderr] == []


RULES = {
    "a syntax error": (":- a(1,1,1) b.\n", "mine.lp:1:12: "),
    "an unsafe variable": ("% one\n:- not a(R,1,1).\n", "mine.lp:2:10: "),
    "an optimization": ("#minimize { N : a(1,1,N) }.\n", "mine.lp:1:"),
    "a weak constraint": (":~ a(1,1,N). [N]\n", "mine.lp:1:"),
    "a number outside the range": ("a(1,2,10).\n", "a/3"),
    "a cell outside the grid": ("a(5,1,1).\n", "a/3"),
    "a symbol in a cell": ("a(1,1,x).\n", "a/3"),
}


@pytest.mark.parametrize(("text", "fragment"), RULES.values(), ids=RULES)
def test_an_invalid_rule_file_is_rejected_before_the_first_line(text, fragment, tmp_path):
    (tmp_path / "mine.lp").write_text(text)
    result = run("batch", "--with", tmp_path / "mine.lp", "-", given=f"{UNIQUE}\n")
    assert (result.exit_code, result.stdout) == (65, "")
    assert fragment in result.stderr
    assert result.stderr.startswith("aspdoku: ") or "\naspdoku: " in result.stderr


@pytest.mark.parametrize(
    "content",
    [bytes(range(256)) * 40, b"\xff\xfe" + MIXED.encode("utf-16-le"), b"\0" * 1000],
    ids=len,
)
def test_binary_input_is_rejected(content, tmp_path):
    file = tmp_path / "junk"
    file.write_bytes(content)
    for options in ([], ["-c", "n=4"]):
        result = run("batch", *options, file)
        assert (result.exit_code, result.stdout) == (65, "")
        assert "junk: not a text file: a puzzle file is UTF-8 text" in result.stderr


def test_a_line_of_many_megabytes_is_one_bad_line():
    result = run(
        "batch",
        "-",
        given=f"{UNIQUE}\n{'.' * 5_000_000}\n{BLANK}{' ' * 3_000_000}a(1,1,1).\n{UNIQUE}\n",
    )
    assert statuses(result.stdout) == ["unique", "bad input", "bad input", "unique"]
    assert len(result.stdout) < 2000


def test_dask_without_its_package(monkeypatch, mixed):
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("batch", "--dask", "tcp://127.0.0.1:1", mixed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "pip install 'aspdoku[dask]'" in result.stderr


def test_closed_standard_input():
    done = subprocess.run(
        ["sh", "-c", f"{COMMAND[0]} -m aspdoku batch - <&-"],
        capture_output=True,
        env=environment(),
        timeout=60,
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 65)


# ---- The output ----


@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_an_output_with_other_content_is_never_overwritten(mixed, tmp_path, resume):
    for content in (b"my notes\nare precious\n", b"my notes are precious", b"notes", b"\n"):
        (tmp_path / "notes").write_bytes(content)
        result = run("batch", mixed, "-o", tmp_path / "notes", *resume)
        assert result.exit_code in (2, 65)
        assert "notes" in result.stderr
        assert (tmp_path / "notes").read_bytes() == content


@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_the_input_file_is_rejected_as_output(tmp_path, resume):
    file = tmp_path / "puzzles.txt"
    (tmp_path / "link").symlink_to(file)
    for text in (
        f"{UNIQUE}\n{BLANK} a(1,1,1).\n",
        f"{BLANK} a(1,1,1).\n{UNIQUE}\n",
        UNIQUE,
        "- none\n",
        "",
    ):
        file.write_text(text)
        for name in ("puzzles.txt", "link"):
            result = run("batch", file, "-o", tmp_path / "." / name, *resume)
            assert result.exit_code in (2, 65)
            assert file.read_text() == text


@pytest.mark.parametrize("resume", [[], ["--resume"]])
def test_missing_puzzles_with_an_existing_output(tmp_path, resume):
    (tmp_path / "answers").touch()
    result = run("batch", tmp_path / "nowhere.txt", "-o", tmp_path / "answers", *resume)
    assert (result.exit_code, result.stderr) == (
        65,
        f"aspdoku: {tmp_path / 'nowhere.txt'}: No such file or directory\n",
    )


def test_an_empty_output_file_is_filled(mixed, tmp_path):
    (tmp_path / "answers").touch()
    assert run("batch", mixed, "-o", tmp_path / "answers").exit_code == 0
    assert statuses((tmp_path / "answers").read_text()) == STATUSES


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    ("way", "name"), [("-o /dev/full", "/dev/full"), ("> /dev/full", "standard output")]
)
def test_a_full_output_device(mixed, way, name):
    command = f"{COMMAND[0]} -m aspdoku batch {mixed} {way}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, env=environment(), timeout=60)
    assert (done.returncode, done.stderr.decode()) == (
        74,
        f"aspdoku: {name} cannot be written: No space left on device\n",
    )


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_read_only_output(mixed, tmp_path):
    output = tmp_path / "answers"
    output.touch(0o400)
    result = run("batch", mixed, "-o", output)
    assert (result.exit_code, result.stderr) == (
        74,
        f"aspdoku: {output} cannot be written: Permission denied\n",
    )


# ---- Resuming ----


def side_of(output):
    """The file that records which input the output belongs to."""
    return output.with_name(f"{output.name}.resume")


@pytest.fixture
def broken_off(mixed, tmp_path):
    """A function that makes an output and truncates it, and returns the file and the complete
    output.
    """

    def make(end, *arguments):
        output = tmp_path / "answers"
        assert run("batch", *arguments, mixed, "-o", output).exit_code == 0
        whole = output.read_text()
        output.write_text(whole[: end if isinstance(end, int) else whole.index(end)])
        return output, whole

    return make


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["line", "jsonl", "csv"])
def test_resume_continues_wherever_the_output_was_truncated(mixed, broken_off, format_):
    output, whole = broken_off(0, "--format", format_)
    recorded = side_of(output).read_text()
    first = whole.index("\n", whole.index("unique")) + 1
    for end in [first, first + 1, *range(first + 5, len(whole), 79), len(whole) - 1, len(whole)]:
        output.write_text(whole[:end])
        side_of(output).write_text(recorded)
        result = run("batch", "--format", format_, mixed, "-o", output, "--resume")
        assert (result.exit_code, result.output) == (0, "")
        assert output.read_text() == whole


@pytest.mark.slow
@pytest.mark.parametrize("cut", [0, 1, 20, 60])
def test_resume_continues_after_a_truncated_last_record(mixed, broken_off, cut):
    output, whole = broken_off("several")
    recorded = side_of(output).read_text()
    side_of(output).write_text(recorded[: len(recorded) - cut])
    for _ in range(2):
        assert run("batch", mixed, "-o", output, "--resume").exit_code == 0
        assert output.read_text() == whole
    assert side_of(output).read_text().splitlines()[-1] == recorded.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("start", [None, "", "line,status,solution,reason\n"], ids=repr)
def test_resume_without_results_starts_at_the_first_line(mixed, start, tmp_path):
    file = tmp_path / "answers"
    if start is not None:
        file.write_text(start)
    assert run("batch", "--format", "csv", mixed, "-o", file, "--resume").exit_code == 0
    assert file.read_text() == run("batch", "--format", "csv", mixed).stdout


@pytest.mark.slow
def test_resume_from_standard_input(broken_off):
    output, whole = broken_off(25)
    assert run("batch", "-", "-o", output, "--resume", given=MIXED).exit_code == 0
    assert output.read_text() == whole


@pytest.mark.slow
def test_resume_with_more_puzzles_than_before(broken_off):
    output, whole = broken_off(25)
    assert (
        run("batch", "-", "-o", output, "--resume", given=f"{MIXED}{UNIQUE}\n{UNIQUE}").exit_code
        == 0
    )
    assert output.read_text() == whole + f"{solution_in_line(UNIQUE)} unique\n" * 2


# Input that differs from MIXED, of which all six lines are done, and a part of the message.
OTHERS = {
    "fewer lines": (f"{UNIQUE}\n\n", "answers holds 6 results, but {file} has only 2 lines"),
    "no lines": ("", "answers holds 6 results, but {file} has only 0 lines"),
    "another first line": (MIXED.replace(UNIQUE, BLANK), "lines 1 to 1 of {file}"),
    "another line in the middle": (
        MIXED.replace(CONTRADICTORY, "22" + BLANK[2:]),
        "lines 2 to 6 of {file}",
    ),
    "another last line": (MIXED.replace(TWO_SOLUTIONS, BLANK), "lines 2 to 6 of {file}"),
    "the lines in another order": ("\n" + MIXED, "lines 1 to 1 of {file}"),
}


@pytest.mark.slow_cases("another line in the middle", "no lines")
@pytest.mark.parametrize(("given", "fragment"), OTHERS.values(), ids=OTHERS)
def test_resume_with_other_puzzles_is_rejected(mixed, broken_off, given, fragment):
    output, whole = broken_off(0)
    output.write_text(whole)
    mixed.write_text(given)
    for file in (mixed, "-"):
        result = run("batch", "-c", "n=4", file, "-o", output, "--resume", given=given)
        assert (result.exit_code, result.stdout) == (65, "")
        assert fragment.format(file="standard input" if file == "-" else file) in result.stderr
        assert output.read_text() == whole


# Rules under which blank grids still have several solutions, and a rule file that is changed.
OTHER_RULES = [
    ["--with", "anti-king"],
    ["--without", "box"],
    ["-c", "gap=1"],
    ["--with", "mine.lp"],
]


@pytest.mark.parametrize("rules", OTHER_RULES, ids=" ".join)
def test_resume_under_other_rules_is_rejected(tmp_path, rules, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine = Path("mine.lp")
    mine.write_text("% Mine.\n:- a(1,1,N), N > 4.\n")
    before = rules if "mine.lp" in rules else []
    Path("puzzles.txt").write_text(f"{BLANK}\n" * 3)
    assert run("batch", *before, "puzzles.txt", "-o", "answers").exit_code == 0
    begun = Path("answers").read_text()
    assert statuses(begun) == ["several"] * 3
    mine.write_text("% Mine.\n:- a(1,1,N), N > 5.\n")
    result = run("batch", *rules, "puzzles.txt", "-o", "answers", "--resume")
    assert (result.exit_code, result.stdout) == (65, "")
    assert "answers was written under other rules" in result.stderr
    assert Path("answers").read_text() == begun


@pytest.mark.slow
def test_resume_with_a_changed_comment_or_path_of_a_rule_file(
    tmp_path, monkeypatch, broken_off, mixed
):
    (tmp_path / "mine.lp").write_text("% Mine.\n:- a(1,1,N), N > 4.\n")
    output, whole = broken_off(30, "--with", tmp_path / "mine.lp")
    (tmp_path / "mine.lp").write_text("% Ours, and better.\n:- a(1,1,N), N > 4. % as before\n")
    monkeypatch.chdir(tmp_path)
    assert run("batch", "--with", "./mine.lp", mixed, "-o", output, "--resume").exit_code == 0
    assert output.read_text() == whole


SPOILT = {
    "an invalid line": (
        lambda lines: [*lines[:2], "garbage\n", *lines[3:]],
        "answers:3: not result 3",
    ),
    "an empty line": (lambda lines: [*lines[:2], "\n", *lines[2:]], "answers:3: not result 3"),
    "an invalid line at the end": (
        lambda lines: [*lines, "garbage\n"],
        "answers:7: not result 7",
    ),
    "a missing line": (lambda lines: lines[:1] + lines[2:], "or their results in"),
    "a repeated line": (lambda lines: lines[:2] + lines[1:], "or their results in"),
    "a line with another result": (
        lambda lines: [*lines[:3], "- timed out\n", *lines[4:]],
        "or their results in",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("spoil", "fragment"), SPOILT.values(), ids=SPOILT)
def test_an_output_that_was_changed_is_not_continued(mixed, broken_off, spoil, fragment):
    more = mixed.with_name("more.txt")
    more.write_text(MIXED + f"{UNIQUE}\n" * 5)
    output, whole = broken_off(0)
    output.write_text(whole)
    assert run("batch", more, "-o", output, "--resume").exit_code == 0
    spoilt = (
        "".join(spoil(output.read_text().splitlines(keepends=True)[:6]))
        + f"{solution_in_line(UNIQUE)} unique\n"
    )
    output.write_text(spoilt)
    result = run("batch", more, "-o", output, "--resume")
    assert result.exit_code == 65
    assert fragment in result.stderr
    assert output.read_text() == spoilt


@pytest.mark.parametrize(
    ("format_", "line"),
    [
        ("jsonl", '{"line": 7, "status": "empty", "solution": null, "reason": ""}\n'),
        ("csv", "7,empty,,\n"),
    ],
)
def test_a_result_of_another_line_is_rejected(mixed, broken_off, format_, line):
    output, whole = broken_off(0, "--format", format_)
    lines = whole.splitlines(keepends=True)
    place = 1 + (format_ == "csv")
    output.write_text("".join([*lines[:place], line, *lines[place + 1 :]]))
    result = run("batch", "--format", format_, mixed, "-o", output, "--resume")
    assert result.exit_code == 65
    assert f"answers:{place + 1}: not result 2" in result.stderr


@pytest.mark.slow
def test_resume_without_its_record_is_rejected(mixed, broken_off):
    output, _ = broken_off(40)
    for content in (None, b"", b"my notes", bytes(range(256))):
        side_of(output).unlink() if content is None else side_of(output).write_bytes(content)
        result = run("batch", mixed, "-o", output, "--resume")
        assert (result.exit_code, len(output.read_text())) == (65, 40)
        assert "answers.resume" in result.stderr
        assert side_of(output).exists() == (content is not None)


def test_another_file_with_the_name_of_the_record_is_never_overwritten(mixed, tmp_path):
    side_of(tmp_path / "answers").write_text("My curriculum vitae.\n")
    result = run("batch", mixed, "-o", tmp_path / "answers")
    assert (result.exit_code, result.stdout) == (65, "")
    assert "answers.resume" in result.stderr
    assert side_of(tmp_path / "answers").read_text() == "My curriculum vitae.\n"


@pytest.mark.slow
def test_a_removed_output_is_started_again(mixed, broken_off):
    output, whole = broken_off(40)
    output.unlink()
    assert run("batch", "--without", "box", mixed, "-o", output).exit_code == 0
    output.unlink()
    assert run("batch", mixed, "-o", output, "--resume").exit_code == 0
    assert output.read_text() == whole


@pytest.mark.slow
def test_resume_does_not_retry_lines_that_timed_out(pigeons, tmp_path):
    """It would probably time out again."""
    file, output = tmp_path / "puzzles.txt", tmp_path / "answers"
    file.write_text(f"{BLANK} hard.\n")
    assert (
        run("batch", "--time-limit-each", "0.1", "--with", pigeons, file, "-o", output).exit_code
        == 0
    )
    file.write_text(f"{BLANK} hard.\n{UNIQUE}\n")
    assert run("batch", "--with", pigeons, file, "-o", output, "--resume").exit_code == 0
    assert output.read_text() == f"- timed out\n{solution_in_line(UNIQUE)} unique\n"


@pytest.mark.slow
def test_resume_of_a_complete_output_changes_nothing(mixed, broken_off):
    output, whole = broken_off(0)
    output.write_text(whole)
    assert run("batch", mixed, "-o", output, "--resume").exit_code == 0
    assert output.read_text() == whole


# ---- Killed processes ----


def start(*arguments, **streams):
    """Start the command as the leader of a process group, which Ctrl-C reaches."""
    return subprocess.Popen(
        COMMAND + [str(argument) for argument in arguments],
        stdin=subprocess.DEVNULL,
        stdout=streams.get("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def stat_of(process):
    """State, parent and group of a process; None if it does not exist."""
    try:
        state, parent, group, *_ = (
            Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        )
    except OSError:
        return None
    return state, int(parent), int(group)


def group_of(leader):
    """The processes of a group that have not ended."""
    all_ = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [
        process
        for process in all_
        if (stat := stat_of(process)) and stat[2] == leader and stat[0] != "Z"
    ]


def workers_of(process):
    """The processes that solve lines: the children of the main worker."""
    parent = worker(process)
    return [each for each in group_of(process.pid) if (stat := stat_of(each)) and stat[1] == parent]


def wait_for(condition):
    """Wait until the condition holds; fail if it does not hold soon."""
    end = time.monotonic() + SOON
    while not condition():
        if time.monotonic() > end:
            pytest.fail("waited too long")
        time.sleep(0.005)


def end_group(process):
    """Kill all remaining processes of the group of a process."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


def has_written(process, file, size):
    return lambda: process.poll() is not None or (file.exists() and file.stat().st_size >= size)


@pytest.fixture
def stalled(many_lines, pigeons):
    """A file of many lines with a hard one towards its end, the results within a time limit, and
    the arguments for a run without one, which does not end by itself.
    """
    file, answers = many_lines
    lines, results = file.read_text().splitlines(), answers.splitlines()
    place = len(lines) * 9 // 10
    lines.insert(place, "." * 81 + " hard.")
    results.insert(place, "- timed out")
    file.write_text("\n".join(lines))
    return (
        file,
        "".join(f"{line}\n" for line in results),
        ["--with", pigeons, file, "-o", file.with_name("answers")],
    )


@pytest.mark.parametrize(
    ("jobs", "part"),
    [
        (2, 0.2),
        *(
            pytest.param(jobs, part, marks=pytest.mark.slow)
            for jobs, part in ((1, 0.001), (1, 0.2), (2, 0.001), (2, 0.1))
        ),
    ],
)
def test_after_kill_9_resume_ends_with_the_same_bytes(stalled, jobs, part):
    file, answers, arguments = stalled
    output = file.with_name("answers")
    process = start("batch", "-j", jobs, *arguments)
    try:
        wait_for(has_written(process, output, part * len(answers)))
        process.kill()
        assert process.wait() == -signal.SIGKILL
        left = output.read_text()
        assert answers.startswith(left)
        assert 0 < len(left) < len(answers)
    finally:
        end_group(process)
    done = run_process("batch", "-j", jobs, *arguments, "--resume", "--time-limit-each", "0.2")
    assert (done.returncode, done.stdout) == (0, b"")
    assert output.read_text() == answers


@pytest.mark.slow
def test_results_are_in_the_file_while_the_next_one_takes_long(pigeons, tmp_path):
    file, output = tmp_path / "puzzles", tmp_path / "answers"
    file.write_text(f"{'.' * 81}\n" * 2 + "." * 81 + " hard.")
    process = start("batch", "--with", pigeons, file, "-o", output)
    try:
        wait_for(lambda: output.exists() and output.read_text().count(" several\n") == 2)
        assert process.poll() is None
    finally:
        end_group(process)


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize(("jobs", "part"), [(1, 0.001), (1, 0.1), (1, 0.2), (2, 0.1)])
def test_after_ctrl_c_the_reported_lines_are_in_the_output_and_resume_continues(
    stalled, jobs, part
):
    file, answers, arguments = stalled
    output = file.with_name("answers")
    process = start("batch", "-j", jobs, *arguments)
    try:
        wait_for(has_written(process, output, part * len(answers)))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
        out, err = process.communicate(timeout=SOON)
        assert (process.returncode, out) == (130, b"")
        assert b"Traceback" not in err
        message = re.search(
            r"^aspdoku: interrupted; (\d+) lines? done; continue with --resume$",
            err.decode(),
            re.MULTILINE,
        )
        left = output.read_text()
        assert answers.startswith(left)
        assert left.count("\n") == int(message[1]) > 0
        assert left.endswith("\n")
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)
    done = run_process("batch", "-j", jobs, *arguments, "--resume", "--time-limit-each", "0.2")
    assert done.returncode == 0
    assert output.read_text() == answers


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("limit", [[], ["--time-limit-each", "600"]], ids=" ".join)
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_in_the_middle_of_a_hard_puzzle(pigeons, jobs, limit):
    file = pigeons.with_name("puzzles.txt")
    file.write_text(f"{UNIQUE}\n{BLANK} hard.\n")
    process = start("batch", "-j", jobs, *limit, "--with", pigeons, file)
    try:
        first = process.stdout.readline()
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=SOON)
        assert (process.returncode, first + out) == (
            130,
            f"{solution_in_line(UNIQUE)} unique\n".encode(),
        )
        assert b"Traceback" not in err
        assert err.decode().splitlines()[-1] == "aspdoku: interrupted; 1 line done"
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_while_a_rule_is_grounded_without_end(endless, mixed, jobs):
    process = start("batch", "-j", jobs, "--with", endless, mixed)
    try:
        time.sleep(1.2)
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=SOON)
        assert (process.returncode, out) == (130, b"")
        assert b"Traceback" not in err
        warning, end = err.splitlines()
        assert b"endless.lp:2:1: endless/1 depends on itself" in warning
        assert end.startswith(b"aspdoku: interrupted")
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_one_that_started_it(stalled, sent):
    file, _, arguments = stalled
    process = start("batch", "-j", 2, *arguments)
    try:
        wait_for(has_written(process, file.with_name("answers"), 1))
        assert len(workers_of(process)) == 2
        process.send_signal(sent)
        assert process.wait(SOON) == -sent
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_process_is_replaced(many_lines, tmp_path, jobs):
    file, answers = many_lines
    output = tmp_path / "answers"
    process = start("batch", "-j", jobs, file, "-o", output)
    try:
        for part in (0.001, 0.2):
            wait_for(has_written(process, output, part * len(answers)))
            for child in workers_of(process)[:1]:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        out, err = process.communicate(timeout=50)
        assert (process.returncode, out, err) == (0, b"", b"")
        assert output.read_text() == answers
    finally:
        end_group(process)


# ---- The time limit ----


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_puzzle_that_takes_too_long_does_not_stop_the_others(pigeons, jobs):
    done = run_process(
        *("batch", "-j", jobs, "--time-limit-each", "0.5", "--with", pigeons, "-"),
        given=f"{BLANK} hard.\n{UNIQUE}\n{UNIQUE} hard.\n{CONTRADICTORY}\n".encode(),
    )
    assert done.returncode == 0
    assert (
        done.stdout.decode()
        == f"- timed out\n{solution_in_line(UNIQUE)} unique\n- timed out\n- none\n"
    )


@pytest.mark.slow
def test_the_time_limit_also_stops_grounding_a_line():
    """Grounding 3,000 cages over the same cells takes many seconds."""
    facts = "cage(1..4,1..4,1..3000). cage_value(1..3000,10..25)."
    began = time.monotonic()
    done = run_process(
        "batch",
        "--time-limit-each",
        "0.5",
        "--with",
        "killer",
        "-",
        given=f"{BLANK} {facts}\n{UNIQUE}\n{BLANK} {facts}\n".encode(),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"- timed out\n{solution_in_line(UNIQUE)} unique\n- timed out\n"
    assert time.monotonic() - began < SOON


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_too_short_to_ground_the_rules(endless, mixed, jobs):
    process = start("batch", "-j", jobs, "--time-limit-each", "0.5", "--with", endless, mixed)
    try:
        out, err = process.communicate(timeout=SOON)
        assert (process.returncode, out) == (124, b"")
        warning, end = err.splitlines()
        assert b"endless.lp:2:1: endless/1 depends on itself" in warning
        assert end == b"aspdoku: time limit reached while grounding"
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_continues_grounding_a_line_after_a_signal(sent, tmp_path):
    (tmp_path / "mine.lp").write_text("#defined k/1.\nmine(N) :- k(N).\nmine(N+1) :- mine(N).\n")
    (tmp_path / "puzzles").write_text(f"{UNIQUE}\n{BLANK} k(1).\n")
    process = start(
        "batch", "--time-limit-each", "600", "--with", tmp_path / "mine.lp", tmp_path / "puzzles"
    )
    try:
        assert process.stdout.readline()
        time.sleep(0.5)
        os.killpg(process.pid, sent) if sent == signal.SIGINT else process.send_signal(sent)
        process.wait(SOON)
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)


# ---- Memory ----


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sets a limit of address space")
def test_a_line_that_exceeds_the_memory_limit_does_not_affect_others(tmp_path):
    (tmp_path / "mine.lp").write_text("#defined k/1.\nmine(1..N,1..N) :- k(N).\n")
    (tmp_path / "puzzles").write_text(
        f"{UNIQUE}\n{UNIQUE} k(30000).\n{UNIQUE} k(3).\n{CONTRADICTORY}\n"
    )
    command = (
        f"ulimit -v 400000; {COMMAND[0]} -m aspdoku batch --with {tmp_path}/mine.lp"
        f" {tmp_path}/puzzles"
    )
    done = subprocess.run(["sh", "-c", command], capture_output=True, env=environment(), timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert [lines[0], lines[2], lines[3]] == [f"{solution_in_line(UNIQUE)} unique"] * 2 + ["- none"]
    assert re.match(r"- crashed: .*(memory|GB)", lines[1])


# ---- Concurrent runs ----


@pytest.mark.slow
@with_proc
def test_two_runs_cannot_write_the_same_output(stalled):
    file, answers, arguments = stalled
    output = file.with_name("answers")
    process = start("batch", *arguments)
    try:
        wait_for(has_written(process, output, 1))
        for resume in ([], ["--resume"]):
            second = run_process("batch", *arguments, *resume)
            assert (second.returncode, second.stdout) == (74, b"")
            assert (
                second.stderr.decode()
                == f"aspdoku: {output} cannot be written: another aspdoku batch is writing to it\n"
            )
        process.kill()
        process.wait()
        assert answers.startswith(output.read_text())
    finally:
        end_group(process)
    assert run_process("batch", *arguments, "--resume", "--time-limit-each", "0.2").returncode == 0
    assert output.read_text() == answers


# ---- Readers and writers ----


@pytest.mark.slow
@with_proc
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_closed_pipe_ends_the_command_silently(many_lines, jobs):
    """As in `aspdoku batch puzzles.txt | head -1`: the command ends by itself without a message."""
    file, answers = many_lines
    process = start("batch", "-j", jobs, file)
    try:
        assert process.stdout.readline().decode() == answers.partition("\n")[0] + "\n"
        process.stdout.close()
        assert process.wait(SOON) == 141  # as for a process that was ended by SIGPIPE
        assert process.stderr.read() == b""
        wait_for(lambda: group_of(process.pid) == [])
    finally:
        end_group(process)


@pytest.mark.slow
def test_results_are_printed_while_the_input_is_still_being_written():
    """As in a pipe from a program that generates puzzles."""
    command = [*COMMAND, "batch", "-c", "n=4", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as process:
        try:
            process.stdin.write(f"{UNIQUE}\n".encode() * 3)
            process.stdin.flush()
            assert process.stdout.readline() == f"{solution_in_line(UNIQUE)} unique\n".encode()
            process.stdin.close()
            assert len(process.stdout.read().splitlines()) == 2
            assert process.wait(SOON) == 0
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals here")
@pytest.mark.parametrize("source", ["puzzles.txt", "<(cat puzzles.txt)", "- < puzzles.txt"])
def test_a_terminal_shows_the_progress_and_all_lines(tmp_path, source):
    """A pipe can be read only once, so its lines are not counted in advance."""
    given, answers = many(200)
    (tmp_path / "puzzles.txt").write_text(given)
    ours, theirs = os.openpty()
    try:
        done = subprocess.run(
            ["bash", "-c", f"{COMMAND[0]} -m aspdoku batch {source}"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            cwd=tmp_path,
            env=environment(),
            timeout=60,
        )
        shown = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stdout.decode()) == (0, answers)
    assert ("200/200" in shown) == (source == "puzzles.txt")
    assert "200" in shown


def test_commands_and_batch_interpret_a_section(tmp_path):
    """Each cell of a diagonal holds at most 1, so that there is no solution."""
    (tmp_path / "atmost.lp").write_text(
        "#defined atmost/3.  % atmost(R,C,V): the cell holds at most V\n"
        ":- atmost(R,C,V), a(R,C,N), N > V.\n"
    )
    diagonal = "1 . . .\n. 1 . .\n. . 1 .\n. . . 1\n"
    (tmp_path / "p.txt").write_text(f"....\n....\n....\n....\n\n[atmost]\n{diagonal}")
    rule = str(tmp_path / "atmost.lp")
    puzzle = str(tmp_path / "p.txt")
    assert run("count", "--with", rule, puzzle).stdout == "0\n"
    line = run("batch", "--like", puzzle, "--with", rule, "-", given="." * 16 + "\n")
    assert "none" in line.stdout or "no solution" in line.stdout, line.stdout


@pytest.mark.parametrize("fact", ["a(1,1,2)", "a(1,1..2,3)."])
def test_a_given_for_all_lines_is_refused(fact):
    refused = run("batch", "-", "--fact", fact, given=f"{BLANK}\n")
    assert (refused.exit_code, refused.stdout) == (65, "")
    assert "givens cannot be stated: each line has those of its grid" in refused.stderr
    with pytest.raises(aspdoku.AspdokuError, match="givens cannot be stated"):
        aspdoku.batch([BLANK], size=4, facts=fact)
