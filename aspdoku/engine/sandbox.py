"""A call in a process of its own, with limits on wall clock, processor time and memory.

Clingo cannot be interrupted while it grounds, and where memory ends it may take the whole process
down. What works on a stranger's rules therefore runs in a child, and whatever happens to the child
is an answer, too.
"""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeVar

from aspdoku.errors import AspdokuError

Value = TypeVar("Value")
LimitKind = Literal["time", "processor", "memory", "crashed"]

# What clingo, Python and the C library say where memory has ended.
_OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "annot allocate memory")
_CHILD = "from aspdoku.engine.sandbox import child_main; child_main()"
_GIGABYTE = 1 << 30


class Limits(NamedTuple):
    """What a call may take.

    Seconds of wall clock and of processor time, and bytes beyond what Python and the imports take.
    """

    seconds: float = 20
    processor: float = 20
    memory: int = _GIGABYTE


DEFAULT_LIMITS = Limits()


class Aborted(NamedTuple):
    """What a call came to that has no value.

    The limit that struck, or "crashed", and the words for it.
    """

    limit: LimitKind
    text: str

    def __str__(self) -> str:
        return self.text


def run_limited(limits: Limits, call: Callable[..., Value], *arguments: object) -> Value | Aborted:
    """The value of `call(*arguments)`, or what stopped it.

    The call, its arguments and its value go through pickle, so the call is a function that its
    module holds by name. Raises the AspdokuError that the call raises; any other exception in it is
    a crash.
    """
    with start_python(_CHILD, subprocess.PIPE) as child:
        try:
            answer, said = child.communicate(
                pickle.dumps((limits, call, arguments)), min(limits.seconds, 1e6)
            )
        except subprocess.TimeoutExpired:
            return _stopped("time", limits)
        finally:
            child.kill()
    outcome = _outcome(answer, said.decode(errors="replace"), child.returncode, limits)
    if isinstance(outcome, AspdokuError):
        raise outcome
    return outcome  # type: ignore[no-any-return]


def start_python(code: str, stderr: int) -> subprocess.Popen[bytes]:
    """A Python process that runs this code, imports from where this one does, and has pipes for
    input and output.
    """
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=pipe, stdout=pipe, stderr=stderr, env=environment
    )


def child_main() -> None:
    """The life of a child.

    Read a call from standard input, write what it comes to, and end at once.

    A thread that still grounds would keep the process from ending in the ordinary way.
    """
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as channel:
        os.dup2(
            sys.stderr.fileno(), sys.stdout.fileno()
        )  # whatever is printed meanwhile is no answer
        limits, call, arguments = pickle.load(sys.stdin.buffer)
        _restrict(limits)
        channel.write(_answer(limits, call, arguments))
    os._exit(0)


def _answer(limits: Limits, call: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    try:
        return pickle.dumps(call(*arguments))
    except Exception as error:
        # An error of ours may stand for the MemoryError that it was raised over.
        if any(
            isinstance(each, MemoryError) or _lacks_memory(str(each))
            for each in (error, error.__context__)
        ):
            return pickle.dumps(_stopped("memory", limits))
        if isinstance(error, AspdokuError):
            return pickle.dumps(error)
        return pickle.dumps(_stopped("crashed", limits, f"{type(error).__name__}: {error}"))


def _lacks_memory(text: str) -> bool:
    return any(sign in text for sign in _OUT_OF_MEMORY)


def _restrict(limits: Limits) -> None:
    """Set this process's limits, where the operating system has them."""
    try:
        import resource
    except ImportError:
        return
    seconds = math.ceil(min(limits.processor, 1e6))
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 1)
    _lower(resource.RLIMIT_AS, _address_space() + limits.memory, _address_space() + limits.memory)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit unless there is a lower one already."""
    import resource

    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    with suppress(
        OSError, ValueError
    ):  # macOS has the name of a limit on memory, but not the limit
        resource.setrlimit(kind, (soft, hard))


def _address_space() -> int:
    """Bytes of address space that this process has by now.

    A guess where the system does not tell.
    """
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return _GIGABYTE // 4


def _outcome(answer: bytes, said: str, status: int, limits: Limits) -> Any:
    """What a child that has ended has to say: its answer, or else what its end tells."""
    if status == 0:
        return pickle.loads(answer)
    if _lacks_memory(said):
        return _stopped("memory", limits)
    if status == -getattr(signal, "SIGXCPU", 0):
        return _stopped("processor", limits)
    if status == -getattr(signal, "SIGKILL", 0):
        return Aborted("memory", "killed, probably for lack of memory")
    last = said.strip().rpartition("\n")[2]
    return _stopped(
        "crashed",
        limits,
        last or (signal.Signals(-status).name if status < 0 else f"status {status}"),
    )


def _stopped(limit: LimitKind, limits: Limits, why: str = "") -> Aborted:
    words = {
        "time": f"more than {limits.seconds:g} s",
        "processor": f"more than {limits.processor:g} s of processor time",
        "memory": f"more than {limits.memory / _GIGABYTE:.3g} GB",
        "crashed": why,
    }
    return Aborted(limit, words[limit])
