"""Calls in child processes, each of which answers one call after the other.

Clingo cannot be interrupted while it grounds, and it may take its process down when memory ends.
Work on programs that may do either runs in a child process, which can be killed and replaced while
the others go on.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from aspdoku.engine.sandbox import start_python

Value = TypeVar("Value")

_CODE = "from aspdoku.engine.processes import serve; serve({})"
# Seconds between two checks of a child whether its parent is still alive.
_HEARTBEAT = 1.0
# The threads of an idle child: the main one, and the one that watches the parent.
_THREADS = 2


class ChildError(Exception):
    """A child process ended before it answered a call."""


class ChildPool:
    """Child processes, started as they are needed.

    Several threads may call at the same time, each call has its own child.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
        self._ended = False

    def call(self, function: Callable[..., Value], *arguments: object) -> Value:
        """The value of `function(*arguments)` in a child.

        Raises the exception that it raises there, or ChildError.

        The function, its arguments and its value are pickled, so the function has to be one that
        its module holds by name.
        """
        child = self._take()
        reply = None
        try:
            reply = child.ask(function, arguments)
        finally:
            self._release(child, reusable=reply is not None and not reply.running)
        if reply.failed:
            raise reply.value
        return reply.value  # type: ignore[no-any-return]

    def end(self) -> None:
        """Kill the children, even in the middle of a call; there will be no others."""
        with self._lock:
            self._ended = True
            idle, self._idle = self._idle, []
            for child in self._busy:  # the thread that waits for its answer closes it
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
        """End the child processes, in the middle of their work unless it is to be waited for."""
        if not wait:
            self._children.end()
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._children.end()


class NestedExecutor(Executor):
    """An executor that runs each call in a child of the process in which another executor, such as
    Dask's, would run it.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call."""
        return self._executor.submit(_call, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut the other executor down; its processes keep their children for later calls.

        Dask's cannot cancel futures.
        """
        self._executor.shutdown(wait)


_children = ChildPool()


def _call(function: Callable[..., Value], *arguments: object) -> Value:
    return _children.call(function, *arguments)


class _Reply(NamedTuple):
    """The value of a call, or the exception that it failed with.

    `running` if it has left a thread that still runs.
    """

    value: Any
    failed: bool
    running: bool


class _Child:
    def __init__(self) -> None:
        self._process = start_python(_CODE.format(os.getpid()), subprocess.DEVNULL)

    def ask(self, function: Callable[..., object], arguments: tuple[object, ...]) -> _Reply:
        call = pickle.dumps((function, arguments))
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(call)
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
        with (
            suppress(OSError),
            self._process,
        ):  # what was not written to its input cannot be written any more
            return


def serve(parent: int) -> None:
    """The main loop of a child.

    Read calls from standard input and write replies, until there are no more or the parent is gone.

    Ctrl-C is for the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as channel:
        os.dup2(
            sys.stderr.fileno(), sys.stdout.fileno()
        )  # nothing that is printed may get between the replies
        while call := _next_call():
            channel.write(_answer(*call))
            channel.flush()
    os._exit(0)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_HEARTBEAT)
    os._exit(1)


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
    running = threading.active_count() > _THREADS
    try:
        return pickle.dumps(_Reply(value, failed, running))
    except Exception as error:
        return pickle.dumps(
            _Reply(TypeError(f"the value of a call cannot be sent: {error}"), True, running)
        )
