"""A call in a separate process, with limits on processor time, wall clock and memory.

Clingo cannot be interrupted while it grounds, and it may end its process when memory is exhausted.
Work on untrusted rules therefore runs in a child process, whose end by a limit or a crash is a
result, too.

Why not a library: `concurrent.futures.ProcessPoolExecutor` kills no call, and a child that dies
breaks the whole pool; pebble kills calls at a timeout, but leaves limits on memory and processor
time, and the reason for which a child died, to its user.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Literal, NamedTuple, NoReturn, TypeVar

from aspdoku.deadline import Deadline, count_processor_time
from aspdoku.errors import AspdokuError

Value = TypeVar("Value")
LimitKind = Literal["time", "processor", "memory", "crashed", "cancelled"]

# What clingo, Python and the C library print when memory is exhausted.
_OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "annot allocate memory")
_CHILD = "from aspdoku.engine.sandbox import child_main; child_main({})"
# Seconds between two checks of a child whether its parent is still alive. Orphans are rare and do
# little harm in a second; checking costs a system call.
_HEARTBEAT = 1.0
CANCELLED = 0.2  # seconds between two checks of a parent whether a call was cancelled
_GIGABYTE = 1 << 30


class Limits(NamedTuple):
    """Limits of a call, which do not count the start of its process.

    The defaults are as long as a user would wait, and small enough for a shared machine.

    seconds: of processor time, which deadlines in the process count, too; of wall clock, it may
        take as many as `patience` allows
    memory: bytes, in addition to what Python and the imports take
    """

    seconds: float = 20
    memory: int = _GIGABYTE


DEFAULT_LIMITS = Limits()
# The wall clock of a call that neither ends nor works: how many times its `seconds`, and how many
# seconds in addition. On a busy machine, a process may get a tenth of a processor.
_TIMES, _MORE = 20, 60.0


def patience(limits: Limits) -> Deadline:
    """When a call that begins now is given up although its processor time is not used up."""
    return Deadline(_TIMES * min(limits.seconds, 1e5) + _MORE)


class Aborted(NamedTuple):
    """The result of a call that was aborted.

    limit: the limit exceeded, "crashed" or "cancelled"
    text: a description
    """

    limit: LimitKind
    text: str

    def __str__(self) -> str:
        return self.text


def run_limited(
    limits: Limits,
    call: Callable[..., Value],
    *arguments: object,
    is_cancelled: Callable[[], bool] | None = None,
) -> Value | Aborted:
    """The value of `call(*arguments)` in a child process, or why it was aborted.

    The call, its arguments and its value are pickled, so the call has to be a function defined at
    module level. Raises the AspdokuError that the call raises; any other exception is a crash.

    is_cancelled: asked several times a second whether the value is not needed any more
    """
    deadline = patience(limits)
    call_data: bytes | None = pickle.dumps((limits, call, arguments))
    with start_python(_CHILD.format(os.getpid()), subprocess.PIPE) as child:
        try:
            while True:
                seconds = max(0.0, deadline.seconds_left())
                try:
                    answer, errors = child.communicate(
                        call_data, min(seconds, CANCELLED) if is_cancelled else seconds
                    )
                    break
                except subprocess.TimeoutExpired:
                    call_data = None  # the rest of it is kept
                    if deadline.passed:
                        return aborted("time", limits)
                    if is_cancelled and is_cancelled():
                        return Aborted("cancelled", "cancelled")
        finally:
            child.kill()
    printed = errors.decode(errors="replace")
    return outcome(answer, printed, child.returncode, limits)  # type: ignore[no-any-return]


def start_python(code: str, stderr: int, stdin: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Start a Python process that runs this code, with the same import path, a pipe for output,
    and one for input unless a file descriptor is given.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=stdin, stdout=pipe, stderr=stderr, env=environment
    )


def child_main(parent: int) -> None:
    """Child process entry point: read a pickled call from stdin, write its pickled result, exit.

    It exits at once, since a thread that is still grounding would keep the process alive.
    """
    end_with(parent)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as channel:
        # Printed text goes to stderr, so that it does not get into the result.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        perform(sys.stdin.buffer, channel)


def perform(calls: BinaryIO, answers: BinaryIO) -> NoReturn:
    """Read a pickled call, write its pickled result, and end this process."""
    limits, call, arguments = pickle.load(calls)  # which imports the module of the call
    _restrict(limits)
    count_processor_time()
    answers.write(_answer(limits, call, arguments))
    answers.flush()
    os._exit(0)


def end_with(parent: int) -> None:
    """End this process soon after the process that has started it."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_HEARTBEAT)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answer(limits: Limits, call: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    try:
        return pickle.dumps(call(*arguments))
    except Exception as error:
        # An AspdokuError may have been raised while a MemoryError was handled.
        if any(
            isinstance(each, MemoryError) or _lacks_memory(str(each))
            for each in (error, error.__context__)
        ):
            return pickle.dumps(aborted("memory", limits))
        if isinstance(error, AspdokuError):
            return pickle.dumps(error)
        return pickle.dumps(aborted("crashed", limits, f"{type(error).__name__}: {error}"))


def _lacks_memory(text: str) -> bool:
    return any(sign in text for sign in _OUT_OF_MEMORY)


def _restrict(limits: Limits) -> None:
    """Set the limits of this process, as far as the operating system supports them."""
    try:
        import resource
    except ImportError:  # Windows has no such module
        return
    seconds = math.ceil(time.process_time() + min(limits.seconds, 1e6))
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)
    _lower(resource.RLIMIT_AS, _address_space() + limits.memory, _address_space() + limits.memory)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit unless a lower one is set already."""
    import resource  # `_restrict` has checked that the module exists

    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    # macOS defines RLIMIT_AS but does not support it.
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (soft, hard))


def _address_space() -> int:
    """Bytes of address space of this process; a guess if the system does not report it."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return _GIGABYTE // 4


def outcome(answer: bytes, errors: str, status: int, limits: Limits) -> Any:
    """The result of a child that has ended: its value, or why it was aborted.

    Raises the AspdokuError that the call has raised.
    """
    if status == 0:
        found = pickle.loads(answer)
        if isinstance(found, AspdokuError):
            raise found
        return found
    if _lacks_memory(errors):
        return aborted("memory", limits)
    if status == -getattr(signal, "SIGXCPU", 0):
        return aborted("processor", limits)
    if status == -getattr(signal, "SIGKILL", 0):
        return Aborted("memory", "killed, probably out of memory")
    last = errors.strip().rpartition("\n")[2]
    return aborted(
        "crashed",
        limits,
        last or (signal.Signals(-status).name if status < 0 else f"status {status}"),
    )


def aborted(limit: LimitKind, limits: Limits, reason: str = "") -> Aborted:
    """The result of a call at a limit. reason: of a crash"""
    texts = {
        "time": f"no answer within {_TIMES * limits.seconds + _MORE:g} s",
        "processor": f"more than {limits.seconds:g} s of processor time",
        "memory": f"more than {limits.memory / _GIGABYTE:.3g} GB",
        "crashed": reason,
    }
    return Aborted(limit, texts[limit])
