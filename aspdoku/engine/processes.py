"""Executors whose calls run in child processes, each of which serves one call after another.

Clingo cannot be interrupted while it grounds, and may end its process when memory is exhausted.
Work on programs that may do either runs in a child process, which can be killed and replaced while
the others continue.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from aspdoku.engine.sandbox import end_with, start_python
from aspdoku.errors import AspdokuError

Value = TypeVar("Value")

_CODE = "from aspdoku.engine.processes import serve; serve({})"
# The threads of an idle child: the main thread, and the one that watches the parent.
_IDLE_THREADS = 2
# Seconds to wait for a Dask scheduler, and for its first worker.
_DASK_TIMEOUT = 10


class ChildError(Exception):
    """A child process ended before it answered a call."""


class ChildPool:
    """Child processes, started as they are needed.

    Several threads may call at the same time; each call has its own child.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
        self._ended = False

    def call(self, function: Callable[..., Value], *arguments: object) -> Value:
        """The value of `function(*arguments)` in a child.

        Raises the exception that it raises there, or ChildError. The function, its arguments and
        its value are pickled, so the function has to be defined at module level.
        """
        child = self._take()
        reply = None
        try:
            reply = child.call(function, arguments)
        finally:
            self._release(child, reusable=reply is not None and not reply.running)
        if reply.failed:
            raise reply.value
        return reply.value  # type: ignore[no-any-return]

    def end(self) -> None:
        """Kill the children, even during a call, and start no others."""
        with self._lock:
            self._ended = True
            idle, self._idle = self._idle, []
            for child in self._busy:  # closed by the thread that waits for its reply
                child.kill()
        for child in idle:
            child.close()

    def _take(self) -> _Child:
        with self._lock:
            if self._ended:
                raise ChildError("the child processes have been ended")
            child = self._idle.pop() if self._idle else _Child()
            self._busy.add(child)
            return child

    def _release(self, child: _Child, reusable: bool) -> None:
        with self._lock:
            self._busy.discard(child)
            if reusable and not self._ended:
                self._idle.append(child)
                return
        child.close()


class ChildProcessExecutor(ThreadPoolExecutor):
    """An executor whose calls run in up to `number` child processes.

    `shutdown(wait=False)` kills them.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._children = ChildPool()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call."""
        return super().submit(self._children.call, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the child processes: after their calls if `wait`, else at once."""
        if not wait:
            self._children.end()
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._children.end()


class NestedExecutor(Executor):
    """Wraps an executor such as Dask's: each call runs in a child of the process that would run it.

    Dask's workers can be neither killed nor limited from outside; their children can.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call."""
        return self._executor.submit(_call, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut the wrapped executor down; its processes keep their children for later calls.

        Dask's executor cannot cancel futures.
        """
        self._executor.shutdown(wait)


class Workers(NamedTuple):
    """The processes that do the work.

    executor: creates an executor
    window: how many calls to submit at a time: two per process, so that none waits for work
    check: raises AspdokuError if the executor will return no more results
    """

    executor: Callable[[], Executor]
    window: int
    check: Callable[[], None] = lambda: None


def local_workers(number: int) -> Workers:
    """Child processes on this machine."""
    return Workers(partial(ChildProcessExecutor, number), 2 * number)


def dask_workers(address: str, open_: ExitStack) -> Workers:
    """The workers of a Dask cluster; `open_` holds the connection to its scheduler.

    Raises ImportError without the package distributed, AspdokuError if there is no scheduler at the
    address, or it has no worker.
    """
    # An optional package, and slow to import.
    from distributed import Client

    try:
        client = open_.enter_context(Client(address, timeout=_DASK_TIMEOUT))  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise AspdokuError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=_DASK_TIMEOUT)
    except TimeoutError:
        raise AspdokuError(
            f"the Dask scheduler at {address} has no worker: start one with dask worker {address}"
        ) from None

    # Dask's threads log a lost connection at length; `check` reports it in one line.
    logging.disable()

    def check() -> None:
        if client.status != "running":
            raise AspdokuError(
                f"lost the connection to the Dask scheduler at {address}; continue with --resume"
                " when it is available again"
            )

    return Workers(
        lambda: NestedExecutor(client.get_executor()),
        2 * max(1, sum(client.ncores().values())),
        check,
    )


_children = ChildPool()


def _call(function: Callable[..., Value], *arguments: object) -> Value:
    return _children.call(function, *arguments)


class _Reply(NamedTuple):
    """The value of a call, or the exception that it raised.

    running: whether it has left a thread that still runs
    """

    value: Any
    failed: bool
    running: bool


class _Child:
    def __init__(self) -> None:
        self._process = start_python(_CODE.format(os.getpid()), subprocess.DEVNULL)

    def call(self, function: Callable[..., object], arguments: tuple[object, ...]) -> _Reply:
        request = pickle.dumps((function, arguments))
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
            reply = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise ChildError("a child process ended before it answered") from None
        assert isinstance(reply, _Reply)
        return reply

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self.kill()
        # Closing its input flushes the rest of the buffer, which fails after the child has exited.
        with suppress(OSError), self._process:
            return


def serve(parent: int) -> None:
    """The main loop of a child: read calls from stdin and write replies, until either side ends.

    Ctrl-C is left to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(parent)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as channel:
        # Printed text goes to stderr, so that it does not get between the replies.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        while call := _next_call():
            channel.write(_answer(*call))
            channel.flush()
    os._exit(0)


def _next_call() -> tuple[Callable[..., object], tuple[object, ...]] | None:
    try:
        return pickle.load(sys.stdin.buffer)  # type: ignore[no-any-return]
    except EOFError:
        return None


def _answer(function: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    try:
        value, failed = function(*arguments), False
    except Exception as error:
        value, failed = error, True
    running = threading.active_count() > _IDLE_THREADS
    try:
        return pickle.dumps(_Reply(value, failed, running))
    except Exception as error:
        return pickle.dumps(
            _Reply(TypeError(f"cannot pickle the value of a call: {error}"), True, running)
        )
