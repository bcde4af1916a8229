"""Executors whose calls run in child processes, each of which serves one call after another and can
be killed and replaced while the others continue.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple, TypeVar

from aspdoku.errors import AspdokuError
from aspdoku.runtime.child import Child, start

Value = TypeVar("Value")

# Seconds to wait for a Dask scheduler, and for its first worker.
_DASK_TIMEOUT = 10


class ChildError(Exception):
    """A child process ended before it answered a call."""


class ChildPool:
    """Child processes, started on demand. Several threads may call, each with its own child."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._ended = False

    def call(self, function: Callable[..., Value], *arguments: object) -> Value:
        """The value of `function(*arguments)` in a child, or its exception, or ChildError."""
        child = self._take()
        reply = None
        try:
            reply = child.ask(None, function, arguments)
        finally:
            self._release(child, reusable=reply is not None and not reply.running)
        if reply is None:
            raise ChildError("a child process ended before it answered")
        if reply.failed:
            raise reply.value
        return reply.value  # type: ignore[no-any-return]

    def end(self) -> None:
        """Kill the children, even during a call, and start no others."""
        with self._lock:
            self._ended = True
            idle, self._idle = self._idle, []
            for child in self._busy:  # closed by the thread that waits for its reply
                child.process.kill()
        for child in idle:
            child.close()

    def _take(self) -> Child:
        with self._lock:
            if self._ended:
                raise ChildError("the child processes have been ended")
            child = self._idle.pop() if self._idle else start()
            self._busy.add(child)
            return child

    def _release(self, child: Child, reusable: bool) -> None:
        with self._lock:
            self._busy.discard(child)
            if reusable and not self._ended:
                self._idle.append(child)
                return
        child.close()


class ChildProcessExecutor(ThreadPoolExecutor):
    """Runs calls in up to `number` child processes, which `shutdown(wait=False)` kills."""

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
    """Calls of an executor such as Dask's, each in a child of its process, which can be killed."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call."""
        return self._executor.submit(_call, fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut the wrapped executor down; its processes keep their children for later calls."""
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
    """The workers of a Dask cluster; `open_` holds the connection to its scheduler. Raises
    ImportError without the package distributed, AspdokuError without a scheduler or a worker.
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
        lacking = f"the Dask scheduler at {address} has no worker"
        raise AspdokuError(f"{lacking}: start one with dask worker {address}") from None

    # Dask's threads log a lost connection at length; `check` reports it in one line.
    logging.disable()

    def check() -> None:
        if client.status != "running":
            lost = f"lost the connection to the Dask scheduler at {address}"
            raise AspdokuError(f"{lost}; continue with --resume when it is available again")

    window = 2 * max(1, sum(client.ncores().values()))
    return Workers(lambda: NestedExecutor(client.get_executor()), window, check)


_children = ChildPool()


def _call(function: Callable[..., Value], *arguments: object) -> Value:
    return _children.call(function, *arguments)
