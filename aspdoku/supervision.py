"""Run a command in a child process that a small parent watches, so that limits on time and memory
always hold.

clingo cannot be interrupted while it grounds, and neither Python nor clingo survives a lack of
memory reliably. The parent holds
nothing but a deadline: it ends the child if its memory passes a limit or it works past the
deadline, and it reports a child that has crashed. Functions that report to the parent do nothing in
a process that is not supervised.

The parent needs `signal.sigtimedwait`, which Linux and most Unix systems have but macOS and Windows
do not; there, commands run unsupervised and time limits rely on the code that keeps them.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

from aspdoku.errors import TimeLimitError

# Seconds after the time limit at which a command is interrupted that did not end by itself, and at
# which it is killed.
_INTERRUPT, _KILL = 0.6, 0.95
_POLL = 0.05
_TOGETHER = 0.5
# The exit status of a child that ends with an unexpected exception.
_CRASH = 70
# The exit status with which the C library ends a process that has no memory for a thread.
_NO_THREAD = 127
# What the child has written for its parent: deadline (0 for none), memory limit, length of the
# program that it is grounding.
_HEADER = struct.Struct("dqq")
_SIZE = 8 << 20
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ()

_shared: mmap.mmap | None = None


class Grounding(NamedTuple):
    """A program: its text, and (file, first line, last line) of each of its parts."""

    text: str
    parts: tuple[tuple[str, int, int], ...]

    def locate(self, line: int) -> str:
        """The file and its line from which a line of the text comes, as FILE:LINE."""
        for place, first, last in self.parts:
            if first <= line <= last:
                return f"{place}:{line - first + 1}"
        return "the puzzle"


class Ending(NamedTuple):
    """How a supervised child ended.

    reason: exited with `status`; ended by the time limit or the memory limit; or crashed, ended by
    the signal `status`
    memory_limit: in bytes
    grounding: the program that it was about, if it got that far
    seconds_left: until the deadline, if there is one
    """

    reason: Literal["exited", "time", "memory", "crashed"]
    status: int
    memory_limit: int
    grounding: Grounding | None
    seconds_left: float | None


def supervise(work: Callable[[], int], memory: int) -> Ending | int:
    """Run `work` in a child process and wait for it.

    The status of `work` itself on systems that cannot supervise.

    memory: limit in bytes of what the child and its own children may occupy together, until
    `limit_memory` sets another
    """
    global _shared
    if not hasattr(signal, "sigtimedwait"):
        return work()
    watched = {*_SIGNALS, signal.SIGCHLD}
    signal.signal(
        signal.SIGCHLD, signal.SIG_DFL
    )  # if it was ignored, the system would not keep the status of the child
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    parent = os.getpid()
    try:
        _shared = mmap.mmap(-1, _SIZE)
        _shared[: _HEADER.size] = _HEADER.pack(0.0, memory, 0)
        child = os.fork()
    except OSError:  # there are too many processes, or there is too little memory, for another one
        _shared = None
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return work()
    if child:
        try:
            return _watch(child, watched)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    status = _CRASH
    try:
        _interrupt_once()
        _end_with(parent)
        limit_memory(memory)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        status = work()
    except BaseException:  # nothing may go on in the code of the parent
        traceback.print_exc()
    finally:
        os._exit(status)


def supervised() -> bool:
    """Whether a parent watches this process."""
    return _shared is not None


def limit_time(seconds: float) -> None:
    """Set the deadline of the command.

    From `_INTERRUPT` seconds after it, TimeLimitError is raised wherever the command is.
    """
    if _shared is None:
        return
    _write(0, "d", time.monotonic() + seconds)

    def interrupt(*_: object) -> None:
        sys.unraisablehook = lambda _: (
            None
        )  # where it cannot be raised, in a destructor, the parent's limit follows
        raise TimeLimitError("the time limit was reached")

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds + _INTERRUPT)


def notice_time_limit() -> None:
    """The code that keeps the time limit has noticed it.

    What it does now is reporting, and is not to be interrupted.
    """
    if _shared is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def limit_memory(limit: int) -> None:
    """Set the memory limit of the command, in bytes."""
    if _shared is None:
        return
    # The parent looks 20 times a second; a single huge allocation is refused by the system. An
    # address space is larger than the memory in use: threads reserve their stacks in it.
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    ceiling = 2 * limit + (1 << 30)
    if hard != resource.RLIM_INFINITY:
        limit, ceiling = min(limit, hard), min(ceiling, hard)
    _write(1, "q", limit)
    resource.setrlimit(resource.RLIMIT_AS, (ceiling, hard))


def report_grounding(text: str, parts: Sequence[tuple[str, int, int]]) -> None:
    """Tell the parent which program the command is about, for its message if memory runs out."""
    if _shared is None:
        return
    _write(2, "q", 0)  # no one may read half of it
    document = json.dumps([text, list(parts)]).encode()
    if _HEADER.size + len(document) > _SIZE:
        return
    _shared[_HEADER.size : _HEADER.size + len(document)] = document
    _write(2, "q", len(document))


def end_by(number: int) -> None:
    """End this process by a signal, as its child was, so that a shell sees what it expects."""
    signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)


def memory_of_machine() -> int:
    """Bytes of physical memory, or the limit of the control group if that is lower.

    0 if the system does not tell.
    """
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 0
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max") as file:
        memory = min(memory, int(file.read()))
    return memory


def _write(field: int, format_: str, value: float) -> None:
    assert _shared is not None
    _shared[8 * field : 8 * field + 8] = struct.pack(format_, value)


def _interrupt_once() -> None:
    """Take signals for an interruption that arrive together for one.

    Both the terminal and the parent may send it.
    """
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        return
    last = -math.inf

    def interrupt(*_: object) -> None:
        nonlocal last
        if time.monotonic() - last > _TOGETHER:
            last = time.monotonic()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)


def _end_with(parent: int) -> None:
    """Have the system kill this process when its parent ends, however that ends."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, Linux only
    except (ImportError, OSError, AttributeError):
        return
    if os.getppid() != parent:  # it has ended in between
        os._exit(1)


def _watch(child: int, watched: set[signal.Signals]) -> Ending:
    """Wait for the child, pass signals on, and end it at its limits."""
    assert _shared is not None
    reason: Literal["exited", "time", "memory", "crashed"] = "exited"
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            break
        deadline, limit, _ = _HEADER.unpack(_shared[: _HEADER.size])
        if reason == "exited" and deadline and time.monotonic() > deadline + _KILL:
            reason = "time"
            _kill(child)
        elif reason == "exited" and sum((memory := _resident(child)).values()) > limit:
            # Killing a process that works for the command may be enough: `batch` goes on with the
            # next line.
            largest = max(memory, key=lambda process: memory[process])
            reason = "memory" if largest == child else "exited"
            _kill(largest)
        received = signal.sigtimedwait(watched, _POLL)
        # The terminal sends Ctrl-C to the child, too; what another process sends to this one has to
        # be passed on.
        if received is not None and received.si_signo != signal.SIGCHLD and received.si_code <= 0:
            with suppress(ProcessLookupError):
                os.kill(child, received.si_signo)
    deadline, limit, length = _HEADER.unpack(_shared[: _HEADER.size])
    code = os.waitstatus_to_exitcode(status)
    if reason == "exited" and (code < 0 or code == _NO_THREAD):
        lacked = code in (-signal.SIGABRT, _NO_THREAD) and usage.ru_maxrss * 1024 > limit // 4
        reason = "memory" if lacked else "crashed" if code < 0 else "exited"
    grounding = None
    if length:
        text, parts = json.loads(_shared[_HEADER.size : _HEADER.size + length])
        grounding = Grounding(text, tuple(map(tuple, parts)))
    return Ending(
        reason,
        abs(code),
        limit,
        grounding,
        deadline + _KILL - time.monotonic() if deadline else None,
    )


def _kill(process: int) -> None:
    """Kill a process and its descendants."""
    for each in (*_descendants(process), process):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def _resident(process: int) -> dict[int, int]:
    """Bytes of memory that a process and its descendants occupy.

    None if the system does not tell.
    """
    found = {}
    for each in (process, *_descendants(process)):
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{each}/statm") as file:
            found[each] = int(file.read().split()[1]) * mmap.PAGESIZE
    return found


def _descendants(process: int) -> list[int]:
    """The children of a process, their children, and so on."""
    found: list[int] = []
    with suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children") as file:
                for child in map(int, file.read().split()):
                    found += [*_descendants(child), child]
    return found
