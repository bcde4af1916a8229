"""What can go wrong for a user, said in the user's words."""

from __future__ import annotations


class AspdokuError(Exception):
    """Something the user gave cannot be used.

    `str(error)` says what, where and what would be right.

    `exit_code` is the exit status of a command that ends with this error (65: bad input, as in
    sysexits).
    """

    exit_code = 65


class AspdokuWarning(UserWarning):
    """Something suspicious about a puzzle or a rule that is not an error."""


class PuzzleError(AspdokuError):
    """A puzzle that is not one. `place` is the file, or file:line, that the complaint is about."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)


class RuleError(AspdokuError):
    """A rule file that cannot be found, read or combined with the others."""


class UnreadableError(RuleError):
    """A rule file that is not there, or that the system does not let us read."""


class NoSolutionError(AspdokuError):
    """The puzzle has no solution, so that there is nothing to explain."""

    exit_code = 20


class TimeLimitError(AspdokuError):
    """The time limit was reached before there was an answer."""

    exit_code = 124


class OutOfMemoryError(AspdokuError):
    """There was not enough memory to ground or solve a program."""


def did_you_mean(name: str, known: list[str]) -> str:
    """The question to put behind an unknown name, `" Did you mean 'box'?"`, or nothing where no
    known name is near.
    """
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=0.7)
    return f" Did you mean '{near[0]}'?" if near else ""
