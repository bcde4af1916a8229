"""Another program in a child process, which is ended with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from aspdoku.errors import TimeLimitError


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
    """Run a program, with `given` as its standard input.

    Raises TimeLimitError after `seconds` and kills the program with all processes it has started.
    """
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
            output, errors = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TimeLimitError(f"no answer within {seconds:g} s") from None
        finally:
            # Kill the whole group: the program may have left processes even if it has exited.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return ProcessResult(output, errors, process.returncode, time.perf_counter() - began)
