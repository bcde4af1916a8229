"""Ending a search from outside: a time limit, Ctrl-C, and a closed pipe."""

import json
import os
import re
import signal
import subprocess
import time

import oracle
import pytest
from cli_runner import (
    ASP,
    COMMAND,
    ENDLESS,
    GROWS,
    HARD,
    INSTANCES,
    MANY,
    SOON,
    environment,
    grid_of_line,
    grids,
    interrupt,
    run,
    run_process,
    start,
    wait_until_it_works,
    worker,
)

pytestmark = pytest.mark.versions


@pytest.fixture
def endless(tmp_path):
    file = tmp_path / "endless.lp"
    file.write_text(ENDLESS)
    return ["-c", "n=4", "--with", file]


def nothing(ended):
    """The JSON result of a search without results."""
    return {
        "schema": "aspdoku/solve/1",
        "status": "unknown",
        "complete": False,
        "ended": ended,
        "solutions": [],
        "conflicts": [],
        "rules_alone": False,
    }


# ---- The time limit ----


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["grid", "json"])
def test_a_time_limit_while_grounding(endless, format_):
    began = time.monotonic()
    done = run_process("solve", *endless, "--time-limit", "2", "--stats", "--format", format_)
    assert time.monotonic() - began < SOON
    assert done.returncode == 124
    assert done.stderr.endswith(GROWS)
    assert done.stderr.count(b"\n") == 1
    if format_ == "grid":
        verdict, _, cause = done.stdout.partition(b"; ")
        assert verdict == b"no result before the time limit: the program was still being grounded"
        assert cause.endswith(GROWS)
    else:
        assert json.loads(done.stdout) == nothing("time")


@pytest.mark.slow
def test_a_time_limit_while_solving():
    began = time.monotonic()
    done = run_process("solve", *HARD, "--time-limit", "3", "--stats")
    assert time.monotonic() - began < SOON
    assert done.returncode == 124
    assert done.stdout == b"no solution found before the time limit, but there may be one\n"
    solving = re.search(rb"solving (\d+\.\d+) s", done.stderr)
    assert 0.1 < float(solving[1]) < SOON


@pytest.mark.slow
def test_a_time_limit_while_solving_as_json():
    done = run_process("solve", *HARD, "--time-limit", "3", "--format", "json")
    assert (done.returncode, done.stderr) == (124, b"")
    assert json.loads(done.stdout) == nothing("time")


@pytest.mark.slow
def test_a_time_limit_among_many_solutions():
    done = run_process("solve", *MANY, "--time-limit", "1", "--format", "line")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 124
    assert len(lines) == len(set(lines)) > 1
    assert (
        done.stderr.decode()
        == f"{len(lines)} solutions found before the time limit; there may be others\n"
    )


# ---- Ctrl-C ----


@pytest.mark.slow
def test_ctrl_c_while_grounding(endless):
    process = start("solve", *endless)
    wait_until_it_works(process)
    out, err, status = interrupt(process)
    assert status == 130
    assert out == "no result before the interruption: the program was still being grounded\n"
    assert err.encode().endswith(GROWS)
    assert err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_while_solving():
    process = start("solve", *HARD)
    wait_until_it_works(process)
    time.sleep(1.5)
    assert interrupt(process) == (
        "no solution found before the interruption, but there may be one\n",
        "",
        130,
    )


@pytest.mark.slow
def test_ctrl_c_while_solving_as_json():
    process = start("solve", *HARD, "--format", "json")
    wait_until_it_works(process)
    time.sleep(1.5)
    out, err, status = interrupt(process)
    assert (status, err) == (130, "")
    assert json.loads(out) == nothing("interrupted")


@pytest.mark.slow_cases("while the pipe is full-grid", "while the pipe is full-line")
@pytest.mark.parametrize("format_", ["grid", "line"])
@pytest.mark.parametrize("pause", [0, 0.5], ids=["immediately", "while the pipe is full"])
def test_ctrl_c_among_many_solutions(format_, pause):
    """Whether it arrives during the search or while a solution is printed, the solutions found are
    reported.
    """
    process = start("solve", *MANY, "--format", format_)
    for _ in range(30):
        process.stdout.readline()
    time.sleep(pause)
    out, err, status = interrupt(process)
    assert status == 130
    assert "no result" not in err
    verdict = re.search(
        r"^(\d+) solutions found before the interruption; there may be others$",
        out + err,
        re.MULTILINE,
    )
    assert verdict
    assert int(verdict[1]) >= (len(grids(out)) if format_ == "grid" else len(out.splitlines()) - 1)
    assert int(verdict[1]) >= 30 // 12


@pytest.mark.slow
def test_ctrl_c_among_many_solutions_as_json():
    process = start("solve", *MANY, "--format", "json")
    wait_until_it_works(process)
    time.sleep(1.5)
    out, err, status = interrupt(process)
    document = json.loads(out)
    assert (status, err) == (130, "")
    assert (document["status"], document["complete"], document["ended"]) == (
        "several",
        False,
        "interrupted",
    )
    assert len(document["solutions"]) > 1
    assert oracle.violations(document["solutions"][-1], [[None] * 9] * 9, oracle.CLASSIC) == []


# ---- Signals, and the file of -o ----


def ended(process):
    """Standard error of a process that has to end soon."""
    try:
        return process.communicate(timeout=SOON)[1]
    finally:
        process.kill()


@pytest.mark.slow_cases("SIGKILL", "SIGHUP", "SIGINT")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL"])
def test_a_file_has_what_was_written_before_a_signal(number, tmp_path):
    """Of the process that works: SIGKILL is how the time limit and a lack of memory end it."""
    file = tmp_path / "answers.txt"
    file.write_text("before")
    with start("solve", *MANY, "--format", "line", "-o", file) as process:
        for _ in range(400):
            if any(each != file and each.stat().st_size for each in tmp_path.iterdir()):
                break
            time.sleep(0.05)
        os.kill(worker(process), getattr(signal, number))
        err = ended(process)
    assert [*tmp_path.iterdir()] == [file]
    lines = [line for line in file.read_text().splitlines() if len(line) == 81]
    assert lines
    assert not oracle.violations(grid_of_line(lines[0]), [[None] * 9] * 9, oracle.CLASSIC)
    assert (str(file).encode() in err) == (number == "SIGKILL")


@pytest.mark.slow
def test_a_signal_before_a_result_leaves_a_file_as_it_was(endless, tmp_path):
    file = tmp_path / "answers.txt"
    file.write_text("before")
    files = {*tmp_path.iterdir()}
    with start("solve", *endless, "-o", file) as process:
        wait_until_it_works(process)
        process.terminate()
        ended(process)
    assert {*tmp_path.iterdir()} == files
    assert file.read_text() == "before"


# ---- Closed pipes ----


@pytest.mark.parametrize("format_", ["grid", "line", "facts"])
def test_a_closed_pipe_ends_the_command_silently(format_):
    """As in `aspdoku solve -n 0 | head -1`: the command ends by itself without a message."""
    with start("solve", *MANY, "--format", format_) as process:
        first = process.stdout.readline()
        process.stdout.close()
        try:
            process.wait(SOON)
        finally:
            process.kill()
        assert first != b""
        assert process.stderr.read() == b""
        assert process.returncode == 141


@pytest.mark.slow_cases("batch -c n=4", "equal box offset --size")
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "-c", "n=4"],
        *(
            ["unique", "-c", "n=4"],
            ["equal", "box", "offset", "--size", "4"],
            ["count", "-c", "n=4"],
        ),
        ["batch", "-c", "n=4", INSTANCES / "slides" / "six.solution.txt"],
        ["convert", INSTANCES / "slides" / "classic.txt", "-"],
        ["solve", "-c", "n=4", "-n", "0", "--format", "line"],
        ["solve", "-c", "n=4", "-n", "1", "--format", "json"],
        ["program", "-c", "n=4"],
        ["rules"],
        ["rules", "box"],
        ["check", ASP / "elaborations" / "box.lp"],
        ["--help"],
        ["solve", "--help"],
        ["--version"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:-1])),
)
def test_a_pipe_that_is_closed_from_the_start(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            env=environment(),
            timeout=60,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")  # as if ended by SIGPIPE


def shell(command):
    """Run a shell command line that begins with `aspdoku`."""
    return subprocess.run(
        ["sh", "-c", f"{COMMAND[0]} -m aspdoku {command}"],
        capture_output=True,
        env=environment(),
        timeout=60,
    )


@pytest.mark.parametrize(
    "command",
    ["solve -c n=4 -n 0", "unique -c n=4", "rules", "--help", "solve --help", "--version"],
)
@pytest.mark.parametrize(
    ("output", "reason"),
    [(">&-", b"Bad file descriptor"), (">/dev/full", b"No space left on device")],
)
def test_a_standard_output_that_cannot_be_written(command, output, reason):
    done = shell(f"{command} {output}")
    assert (done.returncode, done.stderr) == (
        74,
        b"aspdoku: standard output cannot be written: " + reason + b"\n",
    )


@pytest.mark.slow
def test_a_standard_output_that_is_not_used(tmp_path):
    done = shell(f"draw -c n=4 -o {tmp_path / 'grid.svg'} >&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "grid.svg").stat().st_size > 0


@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full"])
def test_a_standard_error_that_cannot_be_written(errors):
    done = shell(f"solve nowhere.txt {errors}")
    assert (done.returncode, done.stdout) == (65, b"")
    done = shell(f"solve -c gap=1 -c n=4 --format line {errors}")  # with a warning
    assert (done.returncode, len(done.stdout)) == (0, 17)


def test_a_temporary_file_that_cannot_be_made(monkeypatch):
    """The message names the temporary file, not standard output."""
    monkeypatch.setattr("tempfile._candidate_tempdir_list", lambda: ["/nowhere"])
    monkeypatch.setattr("tempfile.tempdir", None)
    result = run("compare", "-c", "n=4", "--engine", "findling")
    assert (result.exit_code, result.stderr) == (
        74,
        "aspdoku: No usable temporary directory found in ['/nowhere']\n",
    )
