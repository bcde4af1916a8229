"""Calls in processes that are forked from one that has already imported what they need.

`run_limited` starts a Python process for each call, whose imports take most of the time of a short
one. A server with threads cannot fork safely: a lock that another thread holds would stay locked in
the child. So it starts a process without threads, which forks children in advance.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn, Self, TypeVar

from aspdoku.runtime.child import (
    Aborted,
    Child,
    Limits,
    run_in,
    run_limited,
    serve,
    start,
    start_python,
)

Value = TypeVar("Value")

# Windows has neither of them.
_SUPPORTED = hasattr(os, "fork") and hasattr(socket, "send_fds")
_SERVER = "from aspdoku.runtime.fork_server import server_main; server_main({!r})"
_STATUS = struct.Struct("i")


@contextmanager
def fork_server(*modules: str) -> Iterator[Callable[..., Any]]:
    """A replacement for `run_limited` that forks children with these modules, if it can."""
    if not _SUPPORTED:
        yield run_limited
        return
    with _Client(modules) as client:
        yield client.run


class _Forked:
    """A process of the server, by the socket that reports its status, and whose end kills it."""

    def __init__(self, life: socket.socket) -> None:
        self._life = life

    def kill(self) -> None:
        with suppress(OSError):  # it has ended
            self._life.shutdown(socket.SHUT_WR)

    def wait(self) -> int:
        report = b""
        with suppress(ConnectionError):
            report = self._life.recv(_STATUS.size)
        return _STATUS.unpack(report)[0] if report else 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._life.close()


class _Client:
    """A server, and the socket from which it reads; one that was killed is replaced on demand."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._code = _SERVER.format(modules)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._server = start_python(self._code, theirs.fileno(), stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_: object) -> None:
        with self._server:  # waits for its end
            self._control.close()  # upon which it ends

    def _send(self, files: list[int]) -> None:
        with self._lock:
            try:
                socket.send_fds(self._control, [b"\0"], files)
            except OSError as error:
                if not isinstance(error, ConnectionError) and self._server.poll() is None:
                    raise
                self.__exit__()
                self.__enter__()
                socket.send_fds(self._control, [b"\0"], files)

    def run(
        self,
        limits: Limits,
        call: Callable[..., Value],
        *arguments: object,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> Value | Aborted:
        return run_in(self._start, limits, call, arguments, is_cancelled)

    def _start(self, printed: int) -> Child:
        """A forked child, or another one if no server can be started."""
        (channel, their_channel), (life, their_life) = socket.socketpair(), socket.socketpair()
        with their_channel, their_life, channel:
            try:
                self._send([their_channel.fileno(), printed, their_life.fileno()])
            except OSError:
                life.close()
                return start(printed)
            return Child(_Forked(life), channel.makefile("wb"), channel.makefile("rb"))


def server_main(modules: tuple[str, ...]) -> NoReturn:
    """Entry point of the server: fork for each message on standard input, a socket. The process of
    the next call is forked before that comes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the socket is closed
    for module in modules:
        import_module(module)
    gc.freeze()  # a collection would copy the pages that children share
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system removes children that have ended
    control = socket.socket(fileno=0)
    while True:
        taken, their_taken = os.pipe()
        with suppress(OSError):  # too many processes
            if not os.fork():
                os.close(taken)
                _serve(control, their_taken)
        os.close(their_taken)
        if not os.read(taken, 1):  # no process waits: the caller sees the end of its sockets
            for file in _received(control):
                os.close(file)
        os.close(taken)


def _received(control: socket.socket) -> list[int]:
    """The files of the next call. Ends the process if there is none to come."""
    message, files, _, _ = socket.recv_fds(control, 1, 3)
    if not message:
        os._exit(0)
    return files


def _serve(control: socket.socket, taken: int) -> NoReturn:
    """Have a child answer the next call, kill it when `life` is closed, and report its exit status.

    taken: is written to when there is a call
    """
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        keeper = os.getpid()
        ours, theirs = socket.socketpair()
        if not (child := os.fork()):
            for each in (ours.fileno(), taken):
                os.close(each)
            _leave(control)
            _answer(keeper, theirs)
        theirs.close()
        channel, printed, life = _received(control)
        _leave(control)
        with suppress(OSError):  # the server was killed
            os.write(taken, b"\0")
        socket.send_fds(ours, [b"\0"], [channel, printed])
        for file in (channel, printed, taken):
            os.close(file)

        def kill() -> None:
            os.read(life, 1)
            os.kill(child, signal.SIGKILL)

        threading.Thread(target=kill, daemon=True).start()
        _, status = os.waitpid(child, 0)
        os.write(life, _STATUS.pack(os.waitstatus_to_exitcode(status)))
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    finally:
        os._exit(1)


def _leave(control: socket.socket) -> None:
    """Close the socket of the server, whose end could not be seen at its other end."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), control.fileno())


def _answer(keeper: int, files: socket.socket) -> NoReturn:
    """Answer the call whose files come from the keeper."""
    channel, printed = _received(files)
    files.close()
    for descriptor in (1, 2):
        os.dup2(printed, descriptor)
    with (
        os.fdopen(channel, "rb", closefd=False) as calls,
        os.fdopen(channel, "wb") as answers,
    ):
        serve(keeper, calls, answers)
