"""Engines that are programs of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from aspdoku.engine.solver import TimeLimitError


class ProcessResult(NamedTuple):
    """How a process ended: what it printed, its exit status, and how many seconds it took."""

    output: str
    errors: str
    status: int
    seconds: float


@contextmanager
def _ended_together() -> Iterator[None]:
    """What ends a process from outside ends this one as Ctrl-C does, so that it can end what it has
    started.
    """
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


def run(
    command: Sequence[str], seconds: float, given: str = "", folder: str | None = None
) -> ProcessResult:
    """Run a program to its end, with this on its standard input.

    Raises TimeLimitError where it takes longer; it is killed then, with all that it has started.
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
            raise TimeLimitError(f"no answer after {seconds:g} s") from None
        finally:
            with suppress(
                ProcessLookupError
            ):  # whatever it has started, even where it has ended itself
                os.killpg(process.pid, signal.SIGKILL)
    return ProcessResult(output, errors, process.returncode, time.perf_counter() - began)
