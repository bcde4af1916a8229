"""Limits on time and memory: whatever a rule file does, a command ends in time, and the machine
stays usable.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_runner import (
    SOON,
    commands_with,
    environment,
    run,
    run_process,
    start,
    wait_until_it_works,
    worker,
)

from aspdoku.runtime import supervise

RULES = {
    "grounds forever": "endless(1).\nendless(X+1) :- endless(X).\n:- endless(0).\n",
    # 14 pigeons in 13 holes: small to ground, but too hard for a solver based on clause learning.
    "solves forever": "{ in(P,H) : H = 1..13 } = 1 :- P = 1..14.\n:- in(P,H), in(Q,H), P < Q.\n",
    "endless solutions": "% Forbids nothing.\n",
}
# A text, why it needs much memory, and the line to blame.
MEMORY = {
    "an infinite recursion": (
        "p(0).\np(X+1) :- p(X).\n",
        "p/1 depends on itself, and nothing bounds X",
        2,
    ),
    "an interval": (
        "p(1..1000000000).\n",
        "the range 1..1000000000 has 1,000,000,000 numbers",
        1,
    ),
    "a product": (
        "d(1..3000).\np(X,Y,Z) :- d(X), d(Y), d(Z).\n",
        "the largest predicate is p/3",
        2,
    ),
    "choices": (
        "d(1..3000).\n{ p(X,Y,Z) } :- d(X), d(Y), d(Z).\n",
        "the largest predicate is p/3",
        2,
    ),
}
# Each command with its arguments for a rule file and a grid, and whether it queries clingo about
# the rule.
COMMANDS = {
    "solve": (["solve", "--with", "RULE", "-n", "0", "GRID"], True),
    "count": (["count", "--with", "RULE", "GRID"], True),
    "unique": (["unique", "--with", "RULE", "GRID"], True),
    "candidates": (
        ["candidates", "--counts", "--limit", "1000000000", "--with", "RULE", "GRID"],
        True,
    ),
    "depends": (["depends", "--with", "RULE", "GRID"], True),
    "redundant": (["redundant", "--with", "RULE", "GRID"], True),
    "generate": (["generate", "--size", "4", "--with", "RULE"], True),
    "minimise": (["minimise", "--with", "RULE", "GRID"], True),
    "fewest": (["fewest", "--with", "RULE", "GRID"], True),
    "complete": (["complete", "--with", "RULE", "GRID"], True),
    "review": (["review", "--with", "RULE", "GRID"], True),
    "handout": (["handout", "--static", "--with", "RULE", "GRID"], True),
    "explain": (["explain", "--with", "RULE", "GRID"], True),
    "hint": (["hint", "--with", "RULE", "GRID"], True),
    "why": (["why", "r1c1=1", "--with", "RULE", "GRID"], True),
    "conflict": (["conflict", "--with", "RULE", "GRID"], True),
    "grade": (["grade", "--with", "RULE", "GRID"], True),
    "draw": (["draw", "--true", "--with", "RULE", "GRID"], True),
    "elaborate": (["elaborate", "--limit", "1000000000", "--with", "RULE", "GRID"], True),
    "compare": (["compare", "--engine", "asp", "--with", "RULE", "GRID"], True),
    "equal": (["equal", "RULE", "anti-knight"], True),
    "check --against": (["check", "RULE", "--against", "anti-knight"], True),
    "batch": (["batch", "--with", "RULE", "GRID"], True),
    "check": (["check", "RULE"], False),
    "program": (["program", "--with", "RULE", "GRID"], False),
    "convert": (["convert", "GRID", "-"], False),
}
# The default run tries solve with all three kinds of rules, and these with one that grounds
# forever.
QUICK = ("explain", "elaborate")
LIMIT = 1


@pytest.fixture(scope="module")
def usual():
    """The seconds that a command takes to start on this machine under its current load."""
    began = time.monotonic()
    run_process("solve", "-c", "n=4")
    return time.monotonic() - began


def arguments(command, tmp_path, text):
    rule, grid = tmp_path / "mine.lp", tmp_path / "grid.txt"
    rule.write_text(text)
    grid.write_text("." * 81)
    return [str({"RULE": rule, "GRID": grid}.get(each, each)) for each in command]


def test_every_command_with_rules_is_tested():
    names = {arguments[0] for arguments, _ in COMMANDS.values()} | {"serve"}  # which has no end
    assert commands_with("--with") <= names, "COMMANDS needs a case for each command with --with"


def cases():
    for kind in RULES:
        for command in COMMANDS:
            quick = command == "solve" or (command in QUICK and kind == "grounds forever")
            marks = [] if quick else [pytest.mark.slow]
            yield pytest.param(command, kind, id=f"{command}: {kind}", marks=marks)


@pytest.mark.parametrize(("command", "kind"), list(cases()))
def test_a_command_ends_at_its_time_limit(command, kind, tmp_path, usual):
    given, asks = COMMANDS[command]
    began = time.monotonic()
    done = run_process(*arguments(given, tmp_path, RULES[kind]), "--time-limit", LIMIT)
    elapsed = time.monotonic() - began
    assert elapsed < LIMIT + 1 + 4 * usual + 1
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    if asks and kind == "grounds forever" and command != "equal":
        assert done.returncode == 124, done.stdout + done.stderr
    # some commands end immediately: redundant, hint and conflict do not search if a grid has many
    # solutions
    else:
        assert done.returncode in (0, 1, 4, 20, 65, 124), done.stdout + done.stderr
    assert done.returncode == 0 or done.stdout + done.stderr  # and reports the reason


PIGEONS = (
    "{ in(P,H) : H = 1..13 } = 1 :- P = 1..14, hard.\n:- in(P,H), in(Q,H), P < Q.\n#defined"
    " hard/0.\n"
)


@pytest.fixture
def easy_and_hard(tmp_path):
    """A rule file, and a list of puzzles of which the second cannot be solved in the time."""
    (tmp_path / "mine.lp").write_text(PIGEONS)
    (tmp_path / "grids").write_text(
        "12.." + "." * 12 + "\n" + "." * 16 + " hard.\n" + "." * 16 + "\n"
    )
    return tmp_path


@pytest.mark.slow
def test_batch_writes_the_results_up_to_the_time_limit(easy_and_hard, usual):
    command = ["batch", "--with", "mine.lp", "grids", "-o", "answers"]
    done = run_process(*command, "--time-limit", 1 + 6 * usual, cwd=easy_and_hard)
    assert (done.returncode, done.stderr) == (
        124,
        b"aspdoku: time limit reached; 1 line done; continue with --resume\n",
    )
    done = run_process(*command, "--resume", "--time-limit-each", 0.5, cwd=easy_and_hard)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line.split()[1:] for line in (easy_and_hard / "answers").read_text().splitlines()] == [
        ["several"],
        ["timed", "out"],
        ["several"],
    ]


@pytest.mark.slow
def test_grade_reports_the_puzzles_graded_up_to_the_time_limit(easy_and_hard, usual):
    (easy_and_hard / "hard.txt").write_text("12..\n34..\n....\n....\n\n[facts]\nhard.\n")
    (easy_and_hard / "easy.txt").write_text("12..\n34..\n....\n....\n")
    done = run_process(
        "grade",
        "--with",
        "mine.lp",
        "easy.txt",
        "hard.txt",
        "easy.txt",
        "--time-limit",
        1 + 6 * usual,
        cwd=easy_and_hard,
    )
    assert done.returncode == 124, done.stderr
    assert done.stdout.count(b"easy.txt") == 1
    assert b"time limit" in done.stderr


@pytest.mark.slow
def test_compare_reports_the_engines_run_up_to_the_time_limit(tmp_path, usual):
    (tmp_path / "hard.txt").write_text(
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    )
    given = ("compare", "--engine", "asp,findling", "hard.txt", "--time-limit", 1 + 3 * usual)
    done = run_process(*given, cwd=tmp_path)
    assert done.returncode == 124, done.stdout
    assert b"aspdoku: time limit reached at findling\n" in done.stderr
    assert b"agrees" in done.stdout


@pytest.mark.slow
def test_check_against_reports_the_files_graded_up_to_the_time_limit(tmp_path, usual):
    (tmp_path / "right.lp").write_text(
        "move(1,2). move(2,1). move(-1,2). move(-2,1).\n:- a(R,C,N), move(Y,X), a(R+Y,C+X,N).\n"
    )
    # Grounding takes long without growing, so that no other limit ends it.
    (tmp_path / "endless.lp").write_text(
        "p(1) :- (X,Y,Z) = (1..9999,1..9999,1..9999), X*Y*Z < 0.\n:- p(2).\n"
    )
    done = run_process(
        "check",
        "right.lp",
        "endless.lp",
        "--against",
        "anti-knight",
        "--size",
        4,
        "--time-limit",
        2 + 10 * usual,
        cwd=tmp_path,
    )
    assert done.returncode == 124, done.stdout
    assert done.stderr == b"aspdoku: time limit reached; 1 of 2 files graded\n"
    assert b"right.lp" in done.stdout


def test_partial_results_are_reported_at_the_time_limit(tmp_path):
    text = RULES["endless solutions"]
    counted = run_process(*arguments(COMMANDS["count"][0], tmp_path, text), "--time-limit", LIMIT)
    assert re.fullmatch(
        rb"at least \d+( \(counted up to exchanges of numbers\))?\n", counted.stdout
    )
    found = run_process(
        *arguments(COMMANDS["candidates"][0], tmp_path, text), "--time-limit", LIMIT
    )
    assert b"\n" in found.stdout
    assert (counted.returncode, found.returncode) == (124, 124)


def memory_cases():
    for command, (_, asks) in COMMANDS.items():
        for kind in MEMORY if asks else ():
            # `equal` and `check --against` guess inputs and have limits for each file. `elaborate`
            # reads ground rules in Python, so that its time limit comes long before memory ends.
            if command in ("equal", "check --against", "elaborate"):
                continue
            if command != "solve" and kind != "an infinite recursion":
                continue
            quick = command == "solve" and kind == "a product"
            yield pytest.param(
                command, kind, id=f"{command}: {kind}", marks=[] if quick else [pytest.mark.slow]
            )


@pytest.mark.slow_cases("solve: a product")
@pytest.mark.parametrize(("command", "kind"), list(memory_cases()))
def test_the_memory_limit_is_reported_with_its_cause(command, kind, tmp_path):
    """The message names what grows without end, or else the predicate with the most atoms, and
    where it is defined.
    """
    text, cause, line = MEMORY[kind]
    given = arguments(COMMANDS[command][0], tmp_path, text)
    done = run_process(
        *given,
        "--memory-limit",
        "120M",  # which is reached before a million ground rules
        *(["--time-limit-each", 50] if command == "compare" else []),
    )
    assert done.returncode == 65, done.stdout + done.stderr
    message = done.stderr.decode()
    assert "memory limit" in message
    assert "--memory-limit" in message
    assert cause in message
    assert f"mine.lp:{line}: {text.splitlines()[line - 1]}" in message
    assert "Traceback" not in message
    assert "std::" not in message


@pytest.mark.slow
def test_an_invalid_memory_limit_is_rejected():
    for wrong in ("1", "x", "-1G", "1T", ""):
        assert run_process("solve", "-c", "n=4", "--memory-limit", wrong).returncode == 2
    assert run_process("solve", "-c", "n=4", "--memory-limit", "1.5G").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["a product", "choices"])
def test_a_memory_limit_of_the_shell(kind, tmp_path):
    """Under `ulimit -v`, the system refuses memory before our own limit is reached; the C++ library
    may then abort.
    """
    given = " ".join(arguments(COMMANDS["solve"][0], tmp_path, MEMORY[kind][0]))
    command = f"ulimit -v 1000000; exec {sys.executable} -m aspdoku {given}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, env=environment(), timeout=120
    )
    assert done.returncode == 65, done.stderr
    assert b"memory limit" in done.stderr
    assert MEMORY[kind][1].encode() in done.stderr


CRASH = (
    "import os; from aspdoku import __main__, cli;"
    " cli.cli = lambda: os.kill(os.getpid(), {signal}); __main__.main()"
)


def crashed(number):
    return subprocess.run(
        [sys.executable, "-c", CRASH.format(signal=int(number))],
        capture_output=True,
        env=environment(),
        timeout=SOON,
    )


@pytest.mark.parametrize("processes", [1, 2, 16])
def test_processes_together_cannot_exceed_the_memory_limit_unseen(processes):
    """Each may take zeroed pages at 2 GB/s; only the shortest pause may be longer than allowed."""
    shortest = supervise._until_next_check(0, processes, 0.5)
    for left in (1 << 28, 1 << 30, 1 << 32, 1 << 34):
        pause = supervise._until_next_check(left, processes, 0.5)
        assert pause in (shortest, 0.5) or processes * pause * (2 << 30) < left
        assert pause < 0.5 or processes * pause * (2 << 30) < left


def test_a_crash_is_reported_in_one_line():
    done = crashed(signal.SIGSEGV)
    assert done.returncode == 70
    assert done.stderr == b"aspdoku: the command was killed by SIGSEGV; no result\n"


def test_a_signal_that_ends_the_worker_ends_the_command():
    assert (crashed(signal.SIGTERM).returncode, crashed(signal.SIGTERM).stderr) == (
        -signal.SIGTERM,
        b"",
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_worker_ends_with_the_command(number, tmp_path):
    """Also if the supervising process is killed, which it cannot handle."""
    if number != signal.SIGKILL and signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip(f"{number.name} is ignored here, as under nohup")
    with start(*arguments(COMMANDS["solve"][0], tmp_path, RULES["grounds forever"])) as process:
        working = worker(process)
        process.send_signal(number)
        assert process.wait(SOON) == -number
    for _ in range(100):
        try:
            os.kill(working, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.kill(working, signal.SIGKILL)
    pytest.fail("the work goes on")


def test_a_second_interrupt_changes_nothing(tmp_path):
    """Ctrl-C reaches the whole process group; `timeout -s INT` signals a process and then its
    group.
    """
    rule = tmp_path / "mine.lp"
    rule.write_text(RULES["grounds forever"])
    with start("solve", "-c", "n=4", "--with", rule) as process:
        working = worker(process)
        wait_until_it_works(process)
        for each in (working, process.pid):
            os.kill(each, signal.SIGINT)
        out, err = process.communicate(timeout=SOON)
    assert process.returncode == 130
    assert out == b"no result before the interruption: the program was still being grounded\n"
    assert err.count(b"\n") == 1
    assert b"mine.lp:2:1: endless/1 depends on itself" in err


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_search_for_the_cause_can_be_interrupted(number, tmp_path):
    """Also if the ground program is one long text, which is slow to read."""
    text = 'p("' + " b(" * 100_000 + ';").\nq(1..1000000000).\n'
    with start(
        *arguments(COMMANDS["count"][0], tmp_path, text), "--memory-limit", "150M"
    ) as process:
        for _ in range(600):  # the worker has ended when the search for the cause begins
            if "gringo" in commands_below(process.pid) or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(number)
        process.communicate(timeout=SOON)
    assert process.returncode in ((130, 65) if number == signal.SIGINT else (-number, 65))


def commands_below(process):
    """The command lines of the child processes."""
    children = Path(f"/proc/{process}/task/{process}/children")
    found = children.read_text().split() if children.exists() else []
    return "".join(
        Path(f"/proc/{child}/cmdline").read_text()
        for child in found
        if Path(f"/proc/{child}").exists()
    )


def test_a_caller_that_ignores_sigchld():
    command = f"trap '' CHLD; {sys.executable} -m aspdoku count -c n=4"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, env=environment(), timeout=SOON
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"288\n", b"")


@pytest.mark.slow
def test_a_message_that_cannot_be_written_changes_no_status(tmp_path):
    given = " ".join(arguments(COMMANDS["count"][0], tmp_path, MEMORY["an interval"][0]))
    command = f"{sys.executable} -m aspdoku {given} --memory-limit 150M 2>/dev/full"
    assert (
        subprocess.run(
            ["bash", "-c", command], capture_output=True, env=environment(), timeout=60
        ).returncode
        == 65
    )


def test_help_names_the_limits():
    for command in {given[0] for given, _ in COMMANDS.values()} | {"batch"}:
        help_text = run(command, "--help").output
        assert "--time-limit" in help_text
        assert "--memory-limit" in help_text


def test_an_interruption_before_the_command_starts_prints_nothing():
    """The signal arrives while it is blocked, as it does during the first milliseconds."""
    code = (
        "import os, signal\n"
        "from aspdoku.runtime import supervise\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "supervise.limit_memory = lambda _: os.kill(os.getpid(), signal.SIGINT)\n"
        "os._exit(supervise.supervise(lambda: 0))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
