"""Calls in reusable child processes: each call has its reply, regardless of what happens to other
processes.
"""

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from aspdoku.errors import PuzzleError
from aspdoku.runtime import child, pool
from aspdoku.runtime.pool import ChildError, ChildPool, ChildProcessExecutor, NestedExecutor

pytestmark = pytest.mark.versions


@pytest.fixture
def children():
    children = ChildPool()
    yield children
    children.end()


def add(one, two):
    print("this is no answer")
    return os.getpid(), one + two


def refuse():
    raise PuzzleError("not so", "here")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def die_in_the_middle_of_the_answer():
    """Sends half of the reply, and then ends the process."""

    class Half(bytes):
        def __new__(cls, data):
            os.write(answers, data[: len(data) // 2])
            die()

    answers = max(
        int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")
    )
    real = child._answer
    child._answer = lambda *call: Half(real(*call))


def leave_a_thread():
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return os.getpid()


def answer_with_what_cannot_be_sent():
    return lambda: None


def test_one_process_serves_several_calls(children):
    answers = [children.call(add, number, 1) for number in range(20)]
    assert [total for _, total in answers] == list(range(1, 21))
    assert len({process for process, _ in answers} - {os.getpid()}) == 1


def test_an_exception_is_passed_on_and_the_process_is_kept(children):
    process, _ = children.call(add, 1, 1)
    with pytest.raises(PuzzleError, match="here: not so"):
        children.call(refuse)
    assert children.call(add, 1, 1) == (process, 2)


def test_a_value_that_cannot_be_pickled_is_an_error(children):
    with pytest.raises(TypeError, match="cannot pickle"):
        children.call(answer_with_what_cannot_be_sent)
    assert children.call(add, 1, 1)[1] == 2


@pytest.mark.slow
def test_a_process_that_dies_is_replaced(children):
    with pytest.raises(ChildError):
        children.call(die)
    assert children.call(add, 1, 1)[1] == 2


@pytest.mark.slow
def test_a_process_that_dies_while_it_is_idle_is_replaced(children):
    process, _ = children.call(add, 1, 1)
    os.kill(process, signal.SIGKILL)
    time.sleep(0.1)
    with pytest.raises(ChildError):
        children.call(add, 1, 1)
    assert children.call(add, 1, 1)[0] != process


@pytest.mark.skipif(sys.platform != "linux", reason="looks for a file descriptor in /proc")
def test_a_truncated_reply_is_an_error(children):
    children.call(die_in_the_middle_of_the_answer)
    with pytest.raises(ChildError):
        children.call(add, 1, 1)


@pytest.mark.slow
def test_a_process_with_a_running_thread_is_ended(children):
    process = children.call(leave_a_thread)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert children.call(add, 1, 1)[0] != process


@pytest.mark.slow
def test_ending_the_processes_ends_running_calls(children):
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(children.call, time.sleep, 60)
        time.sleep(0.5)
        children.end()
        with pytest.raises(ChildError):
            call.result(timeout=20)
    with pytest.raises(ChildError):
        children.call(add, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "executor",
    [lambda: ChildProcessExecutor(2), lambda: NestedExecutor(ThreadPoolExecutor(2))],
    ids=["own", "another"],
)
def test_an_executor(executor, children, monkeypatch):
    monkeypatch.setattr(pool, "_children", children)
    with executor() as running:
        answers = [
            future.result() for future in [running.submit(add, number, 1) for number in range(30)]
        ]
        assert [total for _, total in answers] == list(range(1, 31))
        assert os.getpid() not in {process for process, _ in answers}
        with pytest.raises(PuzzleError):
            running.submit(refuse).result()


class OfDask(ThreadPoolExecutor):
    """Shuts down without other arguments, like Dask's executor."""

    def shutdown(self, wait=True):
        super().shutdown(wait)


def test_an_executor_that_cannot_cancel_futures(children, monkeypatch):
    monkeypatch.setattr(pool, "_children", children)
    running = NestedExecutor(OfDask(1))
    assert running.submit(add, 1, 1).result()[1] == 2
    running.shutdown(wait=False, cancel_futures=True)
