"""A child process that answers calls, a call with limits on processor time, wall clock and memory,
and another program, which is ended with all that it has started.

A call, its arguments and its value are pickled, so the call is a function defined at module level.

Why not a library: `concurrent.futures.ProcessPoolExecutor` kills no call, and a child that dies
breaks the whole pool; pebble kills calls at a timeout, but leaves limits on memory and processor
time, and the reason for which a child died, to its user; multiprocessing imports the main module of
the parent, which may be anything.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, BinaryIO, Literal, NamedTuple, NoReturn, Protocol, Self, TypeVar

from aspdoku.errors import AspdokuError, TimeLimitError
from aspdoku.runtime.deadline import Deadline, count_processor_time
from aspdoku.runtime.signals import postponed

Value = TypeVar("Value")
LimitKind = Literal["time", "processor", "memory", "crashed", "cancelled"]

# What clingo, Python and the C library print when memory is exhausted.
_OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "annot allocate memory")
_CHILD = "from aspdoku.runtime.child import main; main({})"
# Seconds between two checks of a child whether its parent is still alive. Orphans are rare and do
# little harm in a second; checking costs a system call.
_HEARTBEAT = 1.0
# Seconds between two checks of a parent whether a call was cancelled.
_CANCELLED = 0.2
# Seconds for which the operating system can wait for a program; a longer limit is none.
_LONGEST_WAIT = 10.0**6
# The threads of an idle child: the main thread, and the one that watches the parent.
_IDLE_THREADS = 2
_GIGABYTE = 1 << 30


class Limits(NamedTuple):
    """Limits of a call, which do not count the start of its process. The defaults are as long as a
    user would wait, and small enough for a shared machine.

    seconds: of processor time, which deadlines in the process count, too; of wall clock, it may
        take `_TIMES` times as many and `_MORE`, as a process may get a tenth of a busy processor
    memory: bytes, in addition to what Python and the imports take
    """

    seconds: float = 20
    memory: int = _GIGABYTE


DEFAULT_LIMITS = Limits()
_TIMES, _MORE = 20, 60.0


class Aborted(NamedTuple):
    """The result of a call that was aborted: by a limit, "crashed" or "cancelled", in words."""

    limit: LimitKind
    text: str

    def __str__(self) -> str:
        return self.text


class Reply(NamedTuple):
    """The value of a call, or its exception, and whether it has left a thread that still runs."""

    value: Any
    failed: bool
    running: bool


class Process(Protocol):
    """What `subprocess.Popen` and a process of a fork server have in common."""

    def kill(self) -> None:
        """End the process, unless it has ended."""

    def wait(self) -> int:
        """Wait for its end; the exit status, or the negative number of a signal."""

    def __enter__(self) -> Self:
        """Use it, ..."""

    def __exit__(self, *_: Any) -> None:
        """... and forget it; one that this process has started has ended then."""


class Child:
    """A process that answers calls, and the streams to and from it."""

    def __init__(self, process: Process, calls: IO[bytes], answers: IO[bytes]) -> None:
        self.process = process
        self._calls = calls
        self._answers = answers

    def ask(
        self, limits: Limits | None, function: Callable[..., object], arguments: tuple[object, ...]
    ) -> Reply | None:
        """The reply to a call, the last one with limits; None if the process ends instead."""
        request = pickle.dumps((limits, function, arguments))
        try:
            self._calls.write(request)
            self._calls.flush()
            reply = pickle.load(self._answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        assert isinstance(reply, Reply)
        return reply

    def close(self) -> None:
        """Kill the process, and forget it."""
        with self.process:
            self.process.kill()
            # Closing the stream flushes the rest of a call, which fails once the process has ended.
            for stream in (self._calls, self._answers):
                with suppress(OSError):
                    stream.close()


def start_python(code: str, stdin: int = subprocess.PIPE, **files: Any) -> subprocess.Popen[bytes]:
    """Start a Python process with the same import path, and a pipe for each of input and output."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-P", "-c", code]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=stdin, stdout=pipe, env=environment, **files)


def start(printed: int = subprocess.DEVNULL) -> Child:
    """Start a process that answers calls. printed: a file descriptor"""
    process = start_python(_CHILD.format(os.getpid()), stderr=printed)
    assert process.stdin is not None
    assert process.stdout is not None
    return Child(process, process.stdin, process.stdout)


def run_limited(
    limits: Limits,
    call: Callable[..., Value],
    *arguments: object,
    is_cancelled: Callable[[], bool] | None = None,
) -> Value | Aborted:
    """The value of `call(*arguments)` in a child process, or why it was aborted; an AspdokuError is
    raised, any other exception is a crash. In another thread, `is_cancelled` is asked several times
    a second whether the value is not needed any more.
    """
    return run_in(start, limits, call, arguments, is_cancelled)


def run_in(
    start_child: Callable[[int], Child],
    limits: Limits,
    call: Callable[..., Value],
    arguments: tuple[object, ...],
    is_cancelled: Callable[[], bool] | None,
) -> Value | Aborted:
    """As `run_limited`, in a child that prints to the file descriptor with which it is started."""
    deadline = Deadline(_TIMES * min(limits.seconds, 1e5) + _MORE)
    source, sink = os.pipe()
    printed: list[bytes] = []

    def read() -> None:
        # The thread closes what it reads: to close that elsewhere is to wait for the thread.
        with os.fdopen(source, "rb") as pipe:
            printed.append(pipe.read())

    reader = threading.Thread(target=read, daemon=True)
    child = None
    try:
        with postponed:  # Ctrl-C in here would leave a child that nobody closes
            reader.start()
            try:
                child = start_child(sink)
            finally:
                os.close(sink)
        with _watched(child.process, deadline, is_cancelled) as killed:
            reply = child.ask(limits, call, arguments)
            status = 0 if reply else child.process.wait()
    finally:
        if child:
            child.close()
    if reply and reply.failed:
        raise reply.value
    if reply:
        return reply.value  # type: ignore[no-any-return]
    if killed:
        return _aborted(killed[0], limits)
    reader.join()
    return _end_of(status, printed[0].decode(errors="replace"), limits)


@contextmanager
def _watched(
    process: Process, deadline: Deadline, is_cancelled: Callable[[], bool] | None
) -> Iterator[list[LimitKind]]:
    """Kill the process at the deadline, or when its answer is not needed any more; and why."""
    killed: list[LimitKind] = []
    ended = threading.Event()

    def watch() -> None:
        longest = _CANCELLED if is_cancelled else threading.TIMEOUT_MAX
        while not ended.wait(min(longest, max(0.0, deadline.seconds_left()))):
            if deadline.passed or (is_cancelled and is_cancelled()):
                killed.append("time" if deadline.passed else "cancelled")
                process.kill()
                return

    thread = threading.Thread(target=watch, daemon=True)
    try:
        with postponed:
            thread.start()
        yield killed
    finally:
        ended.set()
        if thread.is_alive():
            thread.join()


def _end_of(status: int, printed: str, limits: Limits) -> Aborted:
    if _lacks_memory(printed):
        return _aborted("memory", limits)
    if status == -getattr(signal, "SIGXCPU", 0):
        return _aborted("processor", limits)
    if status == -getattr(signal, "SIGKILL", 0):
        return Aborted("memory", "killed, probably out of memory")
    last = printed.strip().rpartition("\n")[2]
    ended = signal.Signals(-status).name if status < 0 else f"status {status}"
    return _aborted("crashed", limits, last or ended)


def _aborted(limit: LimitKind, limits: Limits, reason: str = "") -> Aborted:
    texts = {
        "time": f"no answer within {_TIMES * limits.seconds + _MORE:g} s",
        "processor": f"more than {limits.seconds:g} s of processor time",
        "memory": f"more than {limits.memory / _GIGABYTE:.3g} GB",
        "crashed": reason,
        "cancelled": "cancelled",
    }
    return Aborted(limit, texts[limit])


def _lacks_memory(text: str) -> bool:
    return any(sign in text for sign in _OUT_OF_MEMORY)


class ProcessResult(NamedTuple):
    """The result of a process: its output, exit status, and duration in seconds."""

    output: str
    errors: str
    status: int
    seconds: float


@contextmanager
def _ended_together() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like Ctrl-C, so that child processes are killed, too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_program(
    command: Sequence[str], seconds: float, given: str = "", folder: str | None = None
) -> ProcessResult:
    """Run a program; raise TimeLimitError after `seconds`, and kill it with all it has started."""
    began = time.perf_counter()
    with (
        _ended_together(),
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=folder,
            start_new_session=True,
        ) as process,
    ):
        try:
            longest = seconds if seconds <= _LONGEST_WAIT else None
            output, errors = process.communicate(given, timeout=longest)
        except subprocess.TimeoutExpired:
            raise TimeLimitError(f"no answer within {seconds:g} s") from None
        finally:
            # Kill the whole group: the program may have left processes even if it has exited.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return ProcessResult(output, errors, process.returncode, time.perf_counter() - began)


# ---- In the child ----


def main(parent: int) -> None:
    """Entry point of a child: answer calls from standard input, not Ctrl-C of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        # Printed text goes to stderr, so that it does not get between the replies.
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        serve(parent, sys.stdin.buffer, answers)


def serve(parent: int, calls: BinaryIO, answers: BinaryIO) -> NoReturn:
    """Answer calls until they end, or up to the first one with limits, and end this process: at
    once, since a thread that is still grounding would keep it alive, and soon after its parent.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_HEARTBEAT)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    limits = None
    while limits is None:
        try:
            limits, function, arguments = pickle.load(calls)  # which imports the function's module
        except EOFError:
            break
        if limits:
            _restrict(limits)
            count_processor_time()
        answers.write(_answer(limits, function, arguments))
        answers.flush()
    os._exit(0)


def _answer(
    limits: Limits | None, function: Callable[..., object], arguments: tuple[object, ...]
) -> bytes:
    value: object
    try:
        value, failed = function(*arguments), False
    except Exception as error:
        value, failed = _seen_by_caller(error, limits)
    running = threading.active_count() > _IDLE_THREADS
    try:
        return pickle.dumps(Reply(value, failed, running))
    except Exception as error:
        unsent = TypeError(f"cannot pickle the value of a call: {error}")
        return pickle.dumps(Reply(*_seen_by_caller(unsent, limits), running))


def _seen_by_caller(error: Exception, limits: Limits | None) -> tuple[object, bool]:
    """The result of a call that raised an exception, and whether that is raised to its caller."""
    if limits is None:
        return error, True
    # An AspdokuError may have been raised while a MemoryError was handled.
    causes = (error, error.__context__)
    if any(isinstance(each, MemoryError) or _lacks_memory(str(each)) for each in causes):
        return _aborted("memory", limits), False
    if isinstance(error, AspdokuError):
        return error, True
    return _aborted("crashed", limits, f"{type(error).__name__}: {error}"), False


def _restrict(limits: Limits) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such module
        return
    seconds = math.ceil(time.process_time() + min(limits.seconds, 1e6))
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)
    _lower(resource.RLIMIT_AS, _address_space() + limits.memory, _address_space() + limits.memory)


def _lower(kind: int, soft: int, hard: int) -> None:
    import resource  # `_restrict` has checked that the module exists

    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    # macOS defines RLIMIT_AS but does not support it.
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (soft, hard))


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return _GIGABYTE // 4
