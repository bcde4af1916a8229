"""Run a command in a child process, and enforce its limits on time and memory from the parent.

clingo cannot be interrupted while it grounds, and neither Python nor clingo survives a lack of
memory reliably. The parent therefore does nothing but watch: it kills the child if that exceeds the
memory limit or runs past the deadline, and it reports a child that has crashed. Functions that
report to the parent do nothing in a process that is not supervised.

The parent needs `signal.sigtimedwait`, which Linux and most Unix systems have but macOS and Windows
do not; there, commands run unsupervised, and nothing but their own code enforces time limits.

This module imports little: all memory that it takes before the fork is copied when the child uses
it.
"""

from __future__ import annotations

import marshal  # needs no import of Python code, unlike json
import math
import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from aspdoku.errors import TimeLimitError
from aspdoku.runtime.signals import Postponing, postponed

TYPE_CHECKING = False  # that of `typing`, whose import takes 5 ms
if TYPE_CHECKING:
    from typing import Literal

    Reason = Literal["time", "memory", "crashed"]

# Seconds after the time limit at which a command that is still running is interrupted, and at which
# it is killed.
_INTERRUPT, _KILL = 0.6, 0.95
# Seconds before the first check of the limits, and the least and the most between two of them. Most
# commands end before the first one, and there is little that they could do by then but start.
_FIRST_POLL, _POLL, _LONG_POLL = 0.2, 0.05, 0.5
# Bytes by which the memory of each process of a command grows in a second, at most: until the limit
# can be reached, it need not be checked. (Zeroed pages come at 1 to 2 GB/s for each processor.)
_GROWTH = 4 << 30
_TOGETHER = 0.5
# Bytes of memory to assume if the system does not report them.
_UNKNOWN_MEMORY = 8 << 30
# Exit statuses of a child: interrupted by Ctrl-C; reports to its parent that it lacks memory; ends
# with an unexpected exception.
INTERRUPTED, OUT_OF_MEMORY, _CRASH = 130, 71, 70
# The exit status with which the C library ends a process that has no memory for a thread.
_NO_THREAD = 127
# The child's report to its parent: deadline (0 for none), memory limit, length of the program that
# it is grounding. The files that it is writing follow, and then the program.
_HEADER = struct.Struct("dqq")
_FILES = 1 << 14
_SIZE = 8 << 20
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ()

_shared: mmap.mmap | None = None


class Ending:  # no NamedTuple, see the import of `typing`
    """Why a supervised child did not end by itself.

    reason: the time limit, the memory limit, or a signal, which is 0 otherwise
    memory_limit: in bytes
    grounding: the program that it was grounding or solving, if any: its text, and (file, first
        line, last line) of each of its parts
    seconds_left: until the deadline, if there is one
    output: the file that has what the command had written, if any
    """

    def __init__(
        self,
        reason: Reason,
        signal: int,
        memory_limit: int,
        grounding: tuple[str, tuple[tuple[str, int, int], ...]] | None,
        seconds_left: float | None,
        output: str,
    ) -> None:
        self.reason = reason
        self.signal = signal
        self.memory_limit = memory_limit
        self.grounding = grounding
        self.seconds_left = seconds_left
        self.output = output


def supervise(work: Callable[[], int]) -> Ending | int:
    """Run `work` in a child process and wait for it; its exit status, or why it has none. On
    systems without supervision, `work` runs in this process. The child and its own children may
    take half of the machine's memory, until `limit_memory` sets another limit.
    """
    global _shared
    if not hasattr(signal, "sigtimedwait"):
        return work()
    memory = (memory_of_machine() or _UNKNOWN_MEMORY) // 2
    watched = {*_SIGNALS, signal.SIGCHLD}
    signal.signal(
        signal.SIGCHLD, signal.SIG_DFL
    )  # if it was ignored, the system would not keep the status of the child
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    try:
        reading, writing = os.pipe()  # the parent holds the only end to write to, and never writes
        _shared = mmap.mmap(-1, _SIZE)
        _shared[: _HEADER.size] = _HEADER.pack(0.0, memory, 0)
        child = os.fork()
    except OSError:  # too many processes, or too little memory for another one
        _shared = None
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return work()
    if child:
        os.close(reading)
        try:
            return _watch(child, watched)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    status = _CRASH
    try:
        _interrupt_once()
        os.close(writing)
        _end_with_parent(reading)
        limit_memory(memory)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        status = work()
    except TimeLimitError as error:  # it may be raised anywhere, also when the work is done
        status = error.exit_code
    except KeyboardInterrupt:  # before `work` can handle it
        status = INTERRUPTED
    except BaseException:  # the child must not continue in the code of the parent
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def supervised() -> bool:
    """Whether a parent watches this process."""
    return _shared is not None


def limit_time(seconds: float) -> None:
    """Set the deadline of the command: TimeLimitError is raised `_INTERRUPT` seconds later."""
    if _shared is None:
        return
    _write(0, "d", time.monotonic() + seconds)

    def interrupt(*_: object) -> None:
        raise TimeLimitError("time limit reached")

    signal.signal(signal.SIGALRM, Postponing(interrupt))
    signal.setitimer(signal.ITIMER_REAL, seconds + _INTERRUPT)


def notice_time_limit() -> None:
    """Cancel the interruption: the command has reached its time limit and is reporting results."""
    if _shared is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def limit_memory(limit: int) -> None:
    """Set the memory limit of the command, in bytes."""
    if _shared is None:
        return
    # The parent checks now and then, so a single huge allocation has to be refused by the system.
    # An address space is larger than the memory in use: threads reserve their stacks in it.
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    ceiling = 2 * limit + (1 << 30)
    if hard != resource.RLIM_INFINITY:
        limit, ceiling = min(limit, hard), min(ceiling, hard)
    _write(1, "q", limit)
    resource.setrlimit(resource.RLIMIT_AS, (ceiling, hard))


def memory_limit() -> int:
    """The memory limit of the command in bytes, or half of the machine's memory; 0 if unknown."""
    if _shared is None:
        return memory_of_machine() // 2
    _, limit, _ = _HEADER.unpack(_shared[: _HEADER.size])
    return int(limit)


def report_grounding(text: str, parts: Sequence[tuple[str, int, int]]) -> None:
    """Report the command's program to the parent, for the message if memory runs out."""
    if _shared is None:
        return
    _write(2, "q", 0)  # the parent must not read an incomplete document
    if _report(_HEADER.size + _FILES, _SIZE, document := marshal.dumps((text, tuple(parts)))):
        _write(2, "q", len(document))


def report_files(files: Sequence[tuple[str, str]]) -> None:
    """Report where the command writes files, and where the parent moves them at its end; without a
    target, it removes them.
    """
    if _shared is not None:
        _report(_HEADER.size, _HEADER.size + _FILES, marshal.dumps(tuple(files)))


def end_by(number: int) -> None:
    """Kill this process by the signal that killed its child, as a shell expects."""
    signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)


def memory_of_machine() -> int:
    """Bytes of physical memory, or the limit of the control group if lower; 0 if unknown."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 0
    with suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max") as file:
        memory = min(memory, int(file.read()))
    return memory


def peak_memory() -> int:
    """Bytes that this process has used at most; 0 if the system does not report them."""
    try:
        import resource
    except ImportError:  # Windows has no such module
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _report(start: int, end: int, document: bytes) -> bool:
    assert _shared is not None
    if start + len(document) > end:
        return False
    _shared[start : start + len(document)] = document
    return True


def _write(field: int, format_: str, value: float) -> None:
    assert _shared is not None
    _shared[8 * field : 8 * field + 8] = struct.pack(format_, value)


def _interrupt_once() -> None:
    """Handle interrupts that arrive together as one: terminal and parent may both send one."""
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        return
    last = -math.inf

    def interrupt(*_: object) -> None:
        nonlocal last
        if time.monotonic() - last > _TOGETHER:
            last = time.monotonic()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, Postponing(interrupt))
    postponed.installed = True


def _end_with_parent(pipe: int) -> None:
    """Have the system end this process when its parent ends, however that ends: it closes the pipe,
    and sends a SIGIO, which ends a process that does not handle it. This is as reliable as Linux's
    PR_SET_PDEATHSIG, which only ctypes can set: to import that takes 5 ms. A thread that asks for
    the parent, as in `child.serve`, would take an import and up to a second.
    """
    import fcntl  # not on Windows, where nothing is supervised

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGIO})
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    with suppress(BlockingIOError):  # the parent is there
        os.read(pipe, 1)
        os._exit(1)


def _watch(child: int, watched: set[signal.Signals]) -> Ending | int:
    assert _shared is not None
    reason: Reason | None = None
    seconds, longest = _FIRST_POLL, _POLL
    while True:
        received = signal.sigtimedwait(watched, seconds)
        # The terminal sends Ctrl-C to the child, too; signals from other processes have to be
        # passed on.
        if received is not None and received.si_signo != signal.SIGCHLD and received.si_code <= 0:
            with suppress(ProcessLookupError):
                os.kill(child, received.si_signo)
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            break
        deadline, limit, _ = _HEADER.unpack(_shared[: _HEADER.size])
        seconds = _POLL
        if reason:
            continue
        if deadline and time.monotonic() > deadline + _KILL:
            reason = "time"
            _kill(child)
            continue
        memory = _resident(child)
        if (left := limit - sum(memory.values())) < 0:
            # Killing a child process of the command may be enough: `batch` continues with the next
            # line.
            largest = max(memory, key=lambda process: memory[process])
            reason = "memory" if largest == child else None
            _kill(largest)
            continue
        longest = min(_LONG_POLL, 2 * longest)  # the command may set its limits late
        seconds = _until_next_check(left, len(memory), longest)
        if deadline:
            seconds = max(0.01, min(seconds, deadline + _KILL - time.monotonic()))
    output = _finish_files()
    deadline, limit, length = _HEADER.unpack(_shared[: _HEADER.size])
    code = os.waitstatus_to_exitcode(status)
    if not reason:
        may_lack = code in (-signal.SIGABRT, _NO_THREAD) and usage.ru_maxrss * 1024 > limit // 4
        if may_lack or code == OUT_OF_MEMORY:
            reason = "memory"
        elif code < 0:
            reason = "crashed"
        else:
            return code
    start = _HEADER.size + _FILES
    grounding = marshal.loads(_shared[start : start + length]) if length else None
    left = deadline + _KILL - time.monotonic() if deadline else None
    number = -code if reason == "crashed" else 0
    return Ending(reason, number, limit, grounding, left, output)


def _until_next_check(left: int, processes: int, longest: float) -> float:
    """Seconds in which some processes together cannot take this many bytes, within bounds."""
    return max(_POLL, min(longest, left / (_GROWTH * max(1, processes))))


def _finish_files() -> str:
    """Move the files that the child was writing to their places, or remove those that are empty or
    have none; the last place.
    """
    assert _shared is not None
    last = ""
    # Without a report, or with half of one, there is nothing to be read.
    with suppress(EOFError, ValueError, TypeError):
        for place, target in marshal.loads(_shared[_HEADER.size : _HEADER.size + _FILES]):
            with suppress(OSError):
                if target and os.stat(place).st_size:
                    os.replace(place, target)
                    last = target
                else:
                    os.unlink(place)
    return last


def _kill(process: int) -> None:
    for each in (*_descendants(process), process):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def _resident(process: int) -> dict[int, int]:
    found = {}
    for each in (process, *_descendants(process)):
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{each}/statm") as file:
            found[each] = int(file.read().split()[1]) * mmap.PAGESIZE
    return found


def _descendants(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children") as file:
                for child in map(int, file.read().split()):
                    found += [*_descendants(child), child]
    return found
