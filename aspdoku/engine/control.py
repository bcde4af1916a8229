"""clingo's `Control`, whose calls postpone Ctrl-C and the time limit.

clingo calls back in the calling thread unless a search runs in its own one: for each model, for
messages, and at the end of each search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

import clingo
from clingo import SolveHandle

from aspdoku.runtime.signals import postponed

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")


def _postponing(method: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
    @wraps(method)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Value:
        with postponed:
            return method(*arguments, **named)

    return call


class _Handle(SolveHandle):
    """A search, which is closed at the latest when nothing refers to it."""

    cancel = _postponing(SolveHandle.cancel)
    get = _postponing(SolveHandle.get)
    last = _postponing(SolveHandle.last)
    model = _postponing(SolveHandle.model)
    resume = _postponing(SolveHandle.resume)
    wait = _postponing(SolveHandle.wait)

    def __init__(self, handle: SolveHandle, control: Control) -> None:
        super().__init__(handle._rep, handle._handler)  # type: ignore[no-untyped-call]
        self._control = control  # which has to exist until the search is closed
        self._open = True

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        if not self._open:
            return
        with postponed:
            self._open = False
            try:
                super().__exit__(exc_type, exc_val, exc_tb)  # type: ignore[no-untyped-call]
            finally:
                postponed.forward()  # exceptions are lost if a generator is being deleted

    def __del__(self) -> None:
        self.__exit__(None, None, None)


class Control(clingo.Control):
    """A `clingo.Control` that signals cannot harm."""

    add = _postponing(clingo.Control.add)  # type: ignore[assignment]
    ground = _postponing(clingo.Control.ground)

    def solve(self, *arguments: Any, **named: Any) -> Any:
        """As `clingo.Control.solve`."""
        found: Any = None
        try:
            with postponed:
                found = super().solve(*arguments, **named)
                if isinstance(found, SolveHandle):
                    found = _Handle(found, self)
        except BaseException:  # a signal, at the end of the block
            if isinstance(found, _Handle):
                found.__exit__(None, None, None)
            raise
        return found

    def __del__(self) -> None:
        with postponed:
            super().__del__()  # type: ignore[no-untyped-call]
            postponed.forward()
