"""The end of a time limit that several calls share."""

from __future__ import annotations

import math
import time

from aspdoku.errors import TimeLimitError

_SHORTEST = 1e-6  # so that the next call, not its caller, reports that the time is up
_clock = time.monotonic


def count_processor_time() -> None:
    """Have deadlines count the processor time of this process, which may wait for a processor."""
    global _clock
    _clock = time.process_time


class Deadline:
    """The end of a limit that begins now: seconds of wall clock, or of processor time after
    `count_processor_time`, which may be infinite; None for no limit.
    """

    def __init__(self, time_limit: float | None) -> None:
        self.limited = time_limit is not None
        self._end = math.inf if time_limit is None else _clock() + time_limit

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return self.seconds_left() <= 0

    def seconds_left(self) -> float:
        """The remaining seconds: infinite without a limit, not positive after it."""
        return self._end - _clock()

    def require_time(self, purpose: str) -> None:
        """Raise TimeLimitError if the time is up. The purpose is such as "comparing numbers"."""
        if self.passed:
            raise TimeLimitError(f"time limit reached while {purpose}")

    def time_limit(self) -> float | None:
        """A time limit for the next call: the remaining seconds, but never 0; None without one."""
        return max(_SHORTEST, self.seconds_left()) if self.limited else None

    def share(self, calls: int) -> Deadline:
        """The end of the time for the next one of several calls that share what is left."""
        return Deadline(self.seconds_left() / calls if self.limited else None)
