"""Calls in processes that are forked from one that has already imported what they need.

`sandbox.run_limited` starts a Python process for each call, whose imports take most of the time of
a short one. A server with threads cannot fork safely: a lock that another thread holds would stay
locked in the child. So it starts a process without threads, which forks a child for each call.

Why not multiprocessing: its children import the main module of their parent, which may be anything,
and it needs a third process for resources that are not used here.
"""

from __future__ import annotations

import gc
import os
import pickle
import selectors
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn, Self, TypeVar

from aspdoku.engine.sandbox import (
    CANCELLED,
    Aborted,
    Limits,
    aborted,
    end_with,
    outcome,
    patience,
    perform,
    run_limited,
    start_python,
)

Value = TypeVar("Value")

# Windows has neither of them.
_SUPPORTED = hasattr(os, "fork") and hasattr(socket, "send_fds")
_SERVER = "from aspdoku.engine.fork_server import server_main; server_main({!r})"
_STATUS = struct.Struct("i")
_PART = 1 << 16  # bytes read at a time


@contextmanager
def fork_server(*modules: str) -> Iterator[Callable[..., Any]]:
    """A replacement for `sandbox.run_limited` that forks its child processes; that function itself
    on systems that cannot.

    modules: names of modules that all children share
    """
    if not _SUPPORTED:
        yield run_limited
        return
    with _Client(modules) as client:
        yield client.run


class _Client:
    """A server, and the end of the socket from which it reads. A server that was killed is replaced
    when it is needed.
    """

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._code = _SERVER.format(modules)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._server = start_python(self._code, subprocess.DEVNULL, theirs.fileno())
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
        """As `sandbox.run_limited`, which answers if no server can be started."""
        deadline = patience(limits)
        with ExitStack() as stack:
            # The call and its answer; what the child prints; and its exit status, from the server,
            # which kills the child if this end is closed first.
            pairs = [socket.socketpair() for _ in range(3)]
            channel, printed, life = (stack.enter_context(ours) for ours, _ in pairs)
            try:
                self._send([theirs.fileno() for _, theirs in pairs])
            except OSError:
                return run_limited(limits, call, *arguments, is_cancelled=is_cancelled)
            finally:
                for _, theirs in pairs:
                    theirs.close()
            channel.settimeout(max(0.0, deadline.seconds_left()))
            with suppress(OSError):  # the status tells why the child does not read
                channel.sendall(pickle.dumps((limits, call, arguments)))
                channel.shutdown(socket.SHUT_WR)
            received = {each: bytearray() for each in (channel, printed, life)}
            selector = stack.enter_context(selectors.DefaultSelector())
            for each in received:
                each.setblocking(False)
                selector.register(each, selectors.EVENT_READ, each)
            while life.fileno() in selector.get_map():
                if deadline.passed:
                    return aborted("time", limits)
                if is_cancelled and is_cancelled():
                    return Aborted("cancelled", "cancelled")
                seconds = max(0.0, deadline.seconds_left())
                for key, _ in selector.select(min(seconds, CANCELLED) if is_cancelled else seconds):
                    source: socket.socket = key.data
                    if not _read(source, received[source]):
                        selector.unregister(source)
            for each in (channel, printed):  # the rest; the child has ended
                while _read(each, received[each]):
                    pass
        # If the server was killed, the child was, too.
        status = _STATUS.unpack(received[life])[0] if received[life] else 1
        text = received[printed].decode(errors="replace")
        return outcome(bytes(received[channel]), text, status, limits)  # type: ignore[no-any-return]


def _read(source: socket.socket, received: bytearray) -> bool:
    """Read what is there. False at the end, or if there is nothing."""
    try:
        part = source.recv(_PART)
    except OSError:
        return False
    received += part
    return bool(part)


def server_main(modules: tuple[str, ...]) -> NoReturn:
    """Entry point of the server: fork a child for each message on standard input, a socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the socket is closed
    for module in modules:
        import_module(module)
    gc.freeze()  # a collection would copy the pages that children share
    waking, woken = socket.socketpair()
    for each in (waking, woken):
        each.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
    control = socket.socket(fileno=os.dup(0))
    lives: dict[socket.socket, int] = {}  # the sockets of children, and their process ids
    with selectors.DefaultSelector() as selector:
        for each in (control, woken):
            selector.register(each, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is control:
                    message, files, _, _ = socket.recv_fds(control, 1, 3)
                    if not message:
                        for child in lives.values():
                            os.kill(child, signal.SIGKILL)
                        os._exit(0)
                    try:
                        child = os.fork()
                    except OSError:  # too many processes: the caller sees the end of its sockets
                        for file in files:
                            os.close(file)
                        continue
                    if not child:
                        for each in (control, *lives):
                            each.close()
                        _serve(*files)
                    for file in files[:2]:
                        os.close(file)
                    life = socket.socket(fileno=files[2])
                    lives[life] = child
                    selector.register(life, selectors.EVENT_READ)
                elif key.fileobj is woken:
                    woken.recv(_PART)
                elif key.fileobj in lives:  # the other end is closed
                    selector.unregister(key.fileobj)
                    os.kill(lives[key.fileobj], signal.SIGKILL)
            for life, child in [*lives.items()]:
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    with suppress(OSError):
                        life.sendall(_STATUS.pack(os.waitstatus_to_exitcode(status)))
                    with suppress(KeyError):
                        selector.unregister(life)
                    del lives[life]
                    life.close()


def _serve(channel: int, printed: int, life: int) -> NoReturn:
    """In a child: answer a call, and end."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(life)
        for descriptor in (1, 2):
            os.dup2(printed, descriptor)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        end_with(os.getppid())
        with os.fdopen(channel, "rb", closefd=False) as calls, os.fdopen(channel, "wb") as answers:
            perform(calls, answers)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    finally:
        os._exit(1)
