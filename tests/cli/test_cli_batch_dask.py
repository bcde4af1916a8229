"""`aspdoku batch --dask` with a scheduler and two workers on this machine, one of which is
killed.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random

import oracle
import pytest
from cli_runner import COMMAND, INSTANCES, environment, run_process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("distributed") is None,
        reason="the package distributed is not installed",
    ),
]

# seconds: starting a worker takes a few for imports, on a busy machine many
LATER = 90
PIGEONS = (
    "#defined hard/0.\n{ mine(P,H) : H = 1..13 } = 1 :- P = 1..14, hard.\n:- mine(P,H), mine(P1,H),"
    " P < P1.\n"
)


def in_line(name):
    grid = oracle.read_grid((INSTANCES / "made" / name).read_text("utf-8"))
    return "".join("." if number is None else str(number) for row in grid for number in row)


def many(lines):
    """Puzzles with 17 givens, copies of one puzzle with permuted numbers, and the expected
    output.
    """
    random, puzzle, solution = (
        Random(lines),
        in_line("seventeen.txt"),
        in_line("seventeen.solution.txt"),
    )
    names = [
        str.maketrans("123456789", "".join(random.sample("123456789", 9))) for _ in range(lines)
    ]
    given = [puzzle.translate(each) for each in names]
    answers = [f"{solution.translate(each)} unique" for each in names]
    for place in range(50, lines, 100):
        given[place], answers[place] = "", "- empty"
    return "".join(f"{line}\n" for line in given), "".join(f"{line}\n" for line in answers)


@contextmanager
def dask(command, *arguments):
    """A process of Dask, which is ended after the test in any case."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            f"distributed.cli.dask_{command}",
            "--host",
            "127.0.0.1",
            "--no-dashboard",
            *map(str, arguments),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(condition):
    end = time.monotonic() + LATER
    while not (found := condition()):
        if time.monotonic() > end:
            pytest.fail("waited too long")
        time.sleep(0.02)
    return found


def address_in(file):
    """The address that a scheduler has written to the file; None if it has not written one yet."""
    try:
        return json.loads(file.read_text())["address"]
    except (OSError, ValueError):
        return None


@pytest.fixture
def scheduler(tmp_path):
    file = tmp_path / "scheduler.json"
    with dask("scheduler", "--port", "0", "--scheduler-file", file) as process:
        yield process, wait_for(lambda: address_in(file))


@pytest.fixture
def cluster(scheduler):
    """The scheduler's process, its address, and its connected workers."""
    from distributed import Client

    process, address = scheduler
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(address)) for _ in range(2)]
        # In a separate process, because the client leaves resources open.
        script = (
            f"from distributed import Client\nClient({address!r},"
            " timeout=60).wait_for_workers(2, 60)"
        )
        assert Client is not None
        subprocess.run(
            [sys.executable, "-c", script], check=True, stderr=subprocess.DEVNULL, timeout=LATER
        )
        yield process, address, workers


def worker(address, threads=1):
    return dask("worker", address, "--no-nanny", "--nthreads", threads, "--death-timeout", LATER)


@contextmanager
def started(*arguments):
    """The running command, which is ended after the test in any case."""
    process = subprocess.Popen(
        COMMAND + [str(argument) for argument in arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture
def puzzles(tmp_path):
    given, answers = many(4000)
    file = tmp_path / "puzzles.txt"
    file.write_text(given)
    return file, answers


def test_a_cluster_gives_the_same_bytes_and_a_killed_worker_changes_nothing(
    cluster, puzzles, tmp_path
):
    _, address, workers = cluster
    file, answers = puzzles
    local = run_process("batch", file)
    assert local.stdout.decode() == answers

    whole = run_process("batch", "--dask", address, file)
    assert (whole.returncode, whole.stdout.decode()) == (0, answers)

    output = tmp_path / "answers"
    with started("batch", "--dask", address, file, "-o", output) as process:
        wait_for(lambda: process.poll() is not None or (output.exists() and output.stat().st_size))
        workers[0].kill()
        out, _ = process.communicate(timeout=LATER)
        assert (process.returncode, out) == (0, b"")
    assert output.read_text() == answers


def test_a_worker_with_several_threads(scheduler, puzzles):
    """clingo cannot answer two queries to one grounding at the same time."""
    _, address = scheduler
    file, answers = puzzles
    with (
        worker(address, threads=3) as process,
        started("batch", "--dask", address, file) as command,
    ):
        out, _ = command.communicate(timeout=LATER)
        assert (command.returncode, out.decode()) == (0, answers)
        assert process.poll() is None


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_resume_after_a_run_on_a_cluster_was_ended(cluster, puzzles, tmp_path, sent):
    _, address, _ = cluster
    file, answers = puzzles
    (tmp_path / "pigeons.lp").write_text(PIGEONS)
    lines, expected = file.read_text().splitlines(), answers.splitlines()
    lines.insert(3500, "." * 81 + " hard.")
    expected.insert(3500, "- timed out")
    file.write_text("\n".join(lines))
    output = tmp_path / "answers"
    arguments = ("batch", "--with", tmp_path / "pigeons.lp", file, "-o", output)
    with started(*arguments, "--dask", address, "--time-limit-each", "20") as process:
        wait_for(lambda: process.poll() is not None or (output.exists() and output.stat().st_size))
        process.send_signal(sent)
        _, err = process.communicate(timeout=LATER)
        assert process.returncode == (130 if sent == signal.SIGINT else -signal.SIGKILL)
        assert b"Traceback" not in err, err.decode()
    left = output.read_text()
    assert "".join(f"{line}\n" for line in expected).startswith(left)
    assert left
    done = run_process(*arguments, "--resume", "--time-limit-each", "0.2")
    assert done.returncode == 0
    assert output.read_text().splitlines() == expected


def test_a_lost_scheduler_is_reported(cluster, tmp_path):
    """It is an error: the command does not silently continue with one line at a time."""
    process, address, _ = cluster
    (tmp_path / "pigeons.lp").write_text(PIGEONS)
    (tmp_path / "puzzles.txt").write_text(
        f"{in_line('seventeen.txt')}\n" * 20 + "." * 81 + " hard.\n"
    )
    output = tmp_path / "answers"
    with started(
        *(
            "batch",
            "--with",
            tmp_path / "pigeons.lp",
            "--dask",
            address,
            tmp_path / "puzzles.txt",
            "-o",
            output,
        )
    ) as command:
        wait_for(lambda: command.poll() is not None or (output.exists() and output.stat().st_size))
        process.kill()
        _, err = command.communicate(timeout=LATER)
        assert command.returncode == 65
        assert b"Traceback" not in err, err.decode()
        assert address in err.decode()


def test_a_scheduler_without_workers_is_reported(scheduler, puzzles):
    _, address = scheduler
    with started("batch", "--dask", address, puzzles[0]) as command:
        out, err = command.communicate(timeout=LATER)
        assert (command.returncode, out) == (65, b"")
        assert "worker" in err.decode()
        assert address in err.decode()


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense", "", "nonsense://127.0.0.1:1", "inproc://x"],
)
def test_a_missing_scheduler_is_reported(address, tmp_path):
    file = Path(tmp_path / "puzzles.txt")
    file.write_text(f"{in_line('seventeen.txt')}\n")
    done = run_process("batch", "--dask", address, file)
    assert (done.returncode, done.stdout) == (65, b"")
    message = done.stderr.decode()
    assert message.startswith(f"aspdoku: no Dask scheduler answers at {address}")
    assert len(message.splitlines()) == 1
