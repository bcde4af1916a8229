"""Calls in a child process with limits, and the outcome at each limit."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from aspdoku.engine import Solver
from aspdoku.errors import AspdokuError, RuleError, TimeLimitError
from aspdoku.program import RuleFile, assemble, library
from aspdoku.puzzle import Puzzle
from aspdoku.runtime import child
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.runtime.deadline import Deadline
from aspdoku.runtime.fork_server import fork_server

pytestmark = pytest.mark.versions

LIMITS = Limits(seconds=20, memory=200 << 20)


def grandparent():
    """The parent of the parent of this process, which keeps it."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])


def sleep_as(file):
    Path(file).write_text(str(os.getpid()))
    time.sleep(60)


def add(one, two):
    print("this is no answer")
    return one + two


def sleep():
    time.sleep(60)


def burn():
    while True:
        pass


def take_memory():
    return len(bytearray(1 << 34))


def ground(text):
    from clingo import Control

    control = Control(logger=lambda *_: None)
    control.add("base", [], text)
    control.ground([("base", [])])


def ground_under_a_time_limit(text):
    program = assemble(Puzzle.blank(4), [library.base(), RuleFile("mine", "mine.lp", text)])
    Solver(program, time_limit=15).ground()


def ground_in_time(text, seconds):
    program = assemble(Puzzle.blank(4), [library.base(), RuleFile("mine", "mine.lp", text)])
    Solver(program, time_limit=seconds).ground()


def wait_with_a_deadline(seconds, waiting):
    deadline = Deadline(seconds)
    time.sleep(waiting)
    return deadline.passed


def touch_nothing():
    ctypes.string_at(0)


def leave():
    os._exit(3)


def end_by_a_signal():
    os.kill(os.getpid(), signal.SIGTERM)


def fail():
    raise ValueError("no number")


def refuse():
    raise RuleError("mine.lp:1:1: not so")


def answer_with_what_cannot_be_sent():
    return lambda: None


@pytest.fixture(scope="module")
def forking():
    with fork_server("aspdoku.engine") as run:
        yield run


@pytest.fixture(params=["started", "forked"])
def run(request, forking):
    """Each way to make a child process."""
    return forking if request.param == "forked" else run_limited


def test_the_value_of_a_call(run):
    assert run(LIMITS, add, 1, 2) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "call", "arguments", "limit", "text"),
    [
        (LIMITS._replace(seconds=1), burn, (), "processor", "more than 1 s of processor time"),
        (LIMITS, take_memory, (), "memory", "more than 0.195 GB"),
        (LIMITS, ground, ("p(1). p(X+1) :- p(X).",), "memory", "more than 0.195 GB"),
        (LIMITS, ground, ("p(1..30000,1..30000).",), "memory", "more than 0.195 GB"),
        (
            LIMITS,
            ground_under_a_time_limit,
            ("p(1..30000,1..30000).",),
            "memory",
            "more than 0.195 GB",
        ),
        (
            Limits(1, 4 << 30),
            ground,
            ("p(1). p(X+1) :- p(X).",),
            "processor",
            "more than 1 s of processor time",
        ),
        (LIMITS, touch_nothing, (), "crashed", "SIGSEGV"),
        (LIMITS, leave, (), "crashed", "status 3"),
        (LIMITS, end_by_a_signal, (), "crashed", "SIGTERM"),
        (LIMITS, fail, (), "crashed", "ValueError: no number"),
    ],
)
def test_an_aborted_call(limits, call, arguments, limit, text, run):
    stopped = run(limits, call, *arguments)
    assert stopped == Aborted(limit, text)
    assert str(stopped) == text


def test_a_call_that_neither_works_nor_ends(run, monkeypatch):
    monkeypatch.setattr(child, "_TIMES", 1)
    monkeypatch.setattr(child, "_MORE", 1.0)
    assert run(LIMITS._replace(seconds=0.5), sleep) == Aborted("time", "no answer within 1.5 s")


def test_limits_do_not_count_waiting(run):
    """As a process has to on a busy machine. Neither do deadlines in the process."""
    assert run(Limits(1), wait_with_a_deadline, 0.5, 1.5) is False


@pytest.mark.slow
def test_limits_do_not_count_the_start_of_the_process(monkeypatch):
    """Nor the imports of the called module."""
    code = "import time; time.sleep(1.5)\n"
    monkeypatch.setattr(child, "_CHILD", code + child._CHILD)
    assert run_limited(Limits(1), add, 1, 2) == 3
    burning = "import time\nwhile time.process_time() < 1.5: pass\n"
    monkeypatch.setattr(child, "_CHILD", burning + child._CHILD)
    assert run_limited(Limits(1), add, 1, 2) == 3


def test_deadlines_of_a_call_end_its_work(run):
    with pytest.raises(TimeLimitError):
        run(LIMITS, ground_in_time, "p(1). p(X+1) :- p(X).", 0.5)


@pytest.mark.slow
def test_an_aspdoku_error_is_raised(run):
    with pytest.raises(RuleError, match=r"mine\.lp:1:1: not so") as caught:
        run(LIMITS, refuse)
    assert isinstance(caught.value, AspdokuError)


@pytest.mark.slow
def test_a_value_that_cannot_be_pickled_is_a_crash(run):
    assert run(LIMITS, answer_with_what_cannot_be_sent).limit == "crashed"


@pytest.mark.slow
def test_no_child_process_is_left():
    def children():
        return "".join(file.read_text() for file in Path("/proc/self/task").glob("*/children"))

    before = children()
    assert run_limited(LIMITS._replace(seconds=1), burn).limit == "processor"
    assert children() == before


@pytest.mark.slow
def test_a_call_ends_with_its_caller(tmp_path):
    """Even if the caller is killed: nobody waits for the answer."""
    file = tmp_path / "pid"
    code = (
        f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
        "from test_child import LIMITS, run_limited, sleep_as\n"
        f"run_limited(LIMITS, sleep_as, {str(file)!r})"
    )
    caller = subprocess.Popen([sys.executable, "-c", code])
    until(lambda: file.exists() and file.read_text())
    caller.kill()
    caller.wait()
    child = Path("/proc") / file.read_text()
    until(lambda: not child.exists() or "\nState:\tZ" in (child / "status").read_text())


def test_calls_at_the_same_time(forking):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: forking(LIMITS, bytes, 10_000 * number), range(40)))
    assert [len(each) for each in found] == [10_000 * number for number in range(40)]


@pytest.mark.slow
def test_a_cancelled_call_ends_its_process(forking, tmp_path):
    file = tmp_path / "pid"
    found = forking(LIMITS, sleep_as, str(file), is_cancelled=lambda: file.exists() and True)
    assert found.limit == "cancelled"
    if file.read_text():
        until(lambda: not Path("/proc", file.read_text()).exists())


@pytest.mark.slow
def test_calls_without_their_server():
    """Its process was killed: the next call starts another one."""
    with fork_server("aspdoku.engine") as run:
        server = run(LIMITS, grandparent)
        os.kill(server, signal.SIGKILL)
        until(lambda: "\nState:\tZ" in Path(f"/proc/{server}/status").read_text())
        assert run(LIMITS, add, 1, 2) == 3
        assert run(LIMITS, grandparent) not in (server, os.getpid())
        assert run(LIMITS, grandparent) == run(LIMITS, grandparent)


def until(condition, seconds=20):
    """Wait for something that happens soon, even on a busy machine."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_no_child_is_left_if_its_start_is_interrupted():
    children = []

    def started(printed):
        children.append(child.start(printed))
        os.kill(os.getpid(), signal.SIGINT)
        return children[0]

    with pytest.raises(KeyboardInterrupt):
        child.run_in(started, LIMITS, add, (1, 2), None)
    assert children[0].process.poll() == -signal.SIGKILL
