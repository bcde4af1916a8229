"""Ctrl-C and the time limit, raised only where Python code can handle them.

Python calls a signal handler between any two instructions. An exception that it raises in a
callback of clingo ends the process, and one that it raises in a destructor is lost. A handler that
is `Postponing` waits until the end of the outermost `postponed` block, which surrounds each call of
clingo that may call back, and until a destructor has ended.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without the conversions of `signal`: 15 µs
import _thread
import signal
import sys
import time
from collections.abc import Callable
from functools import wraps
from types import FrameType, TracebackType

TYPE_CHECKING = False  # that of `typing`, whose import takes 5 ms
if TYPE_CHECKING:
    from typing import ParamSpec, TypeVar

    Parameters = ParamSpec("Parameters")
    Value = TypeVar("Value")
    Handler = Callable[[int, FrameType | None], object]

# Seconds until a signal that arrived in a destructor is sent again.
_AGAIN = 0.002


class Postponing:
    """A signal handler that postpones another one."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal, unless it has to wait."""
        if postponed.depth:
            postponed.waiting.setdefault(number)
        elif _in_destructor(frame):
            _send_again(number)
        else:
            self._handler(number, frame)


class _Postponed:
    """The block at whose end signals are handled. Only the main thread handles signals.

    depth: the number of nested blocks
    waiting: the signals that have arrived in them, in that order
    installed: whether the handler of Ctrl-C is postponed already
    """

    def __init__(self) -> None:
        self.depth = 0
        self.waiting: dict[int, None] = {}
        self.installed = False
        self._replaced: Handler | None = None

    def __enter__(self) -> None:
        if _in_main_thread():
            # Counted last: if a signal interrupts this method, the block is not left either.
            if not self.depth and not self.installed:
                self._replaced = postpone_interrupt() or self._replaced
            self.depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if _in_main_thread():
            self.depth -= 1
            if not self.depth and self._replaced:
                replaced, self._replaced = self._replaced, None
                _signal.signal(signal.SIGINT, replaced)
            try:
                while self.waiting and not self.depth:
                    signal.raise_signal(self._first())
            finally:  # one that raises an exception does not keep back those after it
                if not self.depth:
                    self.forward()

    def forward(self) -> None:
        """Have the signals that have arrived handled in a moment, not at the end of the block."""
        while self.waits():
            _send_again(self._first())

    def _first(self) -> int:
        number = next(iter(self.waiting))
        del self.waiting[number]
        return number

    def waits(self) -> bool:
        """Whether a signal of this thread waits for the end of the block."""
        return bool(self.waiting) and _in_main_thread()


postponed = _Postponed()


def interruptible(function: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
    """The function, during which Ctrl-C raises KeyboardInterrupt where that does no harm."""

    @wraps(function)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Value:
        replaced = None if postponed.installed else postpone_interrupt()
        if replaced is None:
            return function(*arguments, **named)
        try:
            postponed.installed = True
            return function(*arguments, **named)
        finally:
            postponed.installed = False
            _signal.signal(signal.SIGINT, replaced)

    return call


def postpone_interrupt() -> Handler | None:
    """Postpone the handler of Ctrl-C, and return it; None if there is none to postpone here."""
    handler: Handler = _signal.getsignal(signal.SIGINT)
    if not callable(handler) or isinstance(handler, Postponing) or not _in_main_thread():
        return None
    _signal.signal(signal.SIGINT, Postponing(handler))
    return handler


def _send_again(number: int) -> None:
    """Send a signal to the main thread once more, in a moment."""

    def send() -> None:
        time.sleep(_AGAIN)
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(_main_thread(), number)
        else:
            _thread.interrupt_main(signal.Signals(number))

    _thread.start_new_thread(send, ())


def _in_destructor(frame: FrameType | None) -> bool:
    while frame:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def _in_main_thread() -> bool:
    # Not imported before the fork of a supervised process, nor in a destructor at the exit.
    threading = sys.modules.get("threading")
    return threading is None or _thread.get_ident() == threading.main_thread().ident


def _main_thread() -> int:
    import threading

    return threading.main_thread().ident or 0
