"""What a long computation is doing, for whoever wants to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


def note(activity: str) -> None:
    """Tell the listener, if there is one, what is done now, as in `6x6`."""
    if listener := _listener.get():
        listener(activity)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Pass the notes of this block to a function."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
