"""Answers that clients share: a class asks the same questions about the same page.

With thirty of them, sharing is worth more than a second processor.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from werkzeug.exceptions import ServiceUnavailable

BUSY = "the server is busy: try again in a few seconds"
# Seconds between two checks whether a client that waits has gone.
HEARTBEAT = 0.2
_LARGEST = 32_000_000
_WAITING = 30

IsCancelled = Callable[[], bool]


@dataclass
class _Pending:
    """An answer that is being found.

    clients: whether each of those who wait for it has gone
    """

    clients: list[IsCancelled] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)
    answer: bytes = b""
    error: Exception | None = None


class SharedAnswers:
    """Answers by the key of their question: those used last, and those that are being found.

    A question that is being answered is not answered twice: who asks it again waits for that
    answer. It is cancelled when all of them have gone.

    largest: bytes of the answers that are kept
    waiting: how many clients can wait for answers to questions of others
    """

    def __init__(self, largest: int = _LARGEST, waiting: int = _WAITING) -> None:
        self._largest = largest
        self._places = threading.BoundedSemaphore(waiting)
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._pending: dict[bytes, _Pending] = {}
        self._lock = threading.Lock()

    def get(
        self,
        key: bytes,
        find: Callable[[IsCancelled], tuple[bytes, bool]],
        is_cancelled: IsCancelled,
    ) -> bytes:
        """The answer that is kept, or that `find` returns, with whether to keep it.

        Raises what `find` raises, and ServiceUnavailable if the client has gone or too many wait.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            pending = self._pending.get(key)
            is_first = pending is None
            if pending is None:
                pending = self._pending[key] = _Pending()
            elif not self._places.acquire(blocking=False):
                raise ServiceUnavailable(BUSY)
            pending.clients.append(is_cancelled)
        if is_first:
            self._find(key, pending, find)
        else:
            try:
                while not pending.done.wait(HEARTBEAT):
                    if is_cancelled():
                        raise ServiceUnavailable("cancelled")
            finally:
                self._places.release()
        if pending.error:
            raise pending.error
        return pending.answer

    def _find(
        self, key: bytes, pending: _Pending, find: Callable[[IsCancelled], tuple[bytes, bool]]
    ) -> None:
        keep = False
        try:
            pending.answer, keep = find(lambda: self._is_abandoned(key, pending))
        except Exception as error:  # all who wait get it
            pending.error = error
        with self._lock:
            if self._pending.get(key) is pending:
                del self._pending[key]
            if keep:
                self._keep(key, pending.answer)
        pending.done.set()

    def _is_abandoned(self, key: bytes, pending: _Pending) -> bool:
        """Whether all clients have gone. Who asks next does not wait for an answer that is
        cancelled.
        """
        with self._lock:
            if not all(is_cancelled() for is_cancelled in pending.clients):
                return False
            if self._pending.get(key) is pending:
                del self._pending[key]
            return True

    def _keep(self, key: bytes, answer: bytes) -> None:
        self._kept[key] = answer
        size = sum(map(len, self._kept.values()))
        while size > self._largest:
            size -= len(self._kept.popitem(last=False)[1])
