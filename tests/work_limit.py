"""A limit on work instead of time, so that every moment at which a search can end is tested."""

from aspdoku.errors import TimeLimitError
from aspdoku.runtime.deadline import Deadline


class WorkLimit(Deadline):
    """A deadline that is reached after so many searches: `left`."""

    left = 0

    def __init__(self, _):
        super().__init__(None)

    def require_time(self, purpose):
        WorkLimit.left -= 1
        if WorkLimit.left < 0:
            raise TimeLimitError(f"limit reached while {purpose}")
