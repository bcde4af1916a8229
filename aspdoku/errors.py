"""The exceptions that aspdoku raises for its users."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_on_command_line: ContextVar[bool] = ContextVar("on_command_line", default=False)


class AspdokuError(Exception):
    """The base class of all errors: invalid input, unless a subclass says otherwise.

    `str(error)` describes the problem, where it is, and how to fix it.

    `exit_code` is the exit status of a command that ends with this error (65: bad input, as in
    sysexits.h).
    """

    exit_code = 65


class AspdokuWarning(UserWarning):
    """Something suspicious about a puzzle or a rule that is not an error."""


class MissingInputWarning(AspdokuWarning):
    """A rule has no effect, as the puzzle lacks its inputs."""


class PuzzleError(AspdokuError):
    """An invalid puzzle. `place` is the file, or file:line, that is at fault."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)


class RuleError(AspdokuError):
    """A rule file that cannot be found, read or combined with the others."""


class UnreadableError(RuleError):
    """A rule file that does not exist or cannot be read."""


class GrowthError(RuleError):
    """A ground program grew so large that grounding was ended: because of `cause`, at `limit`.

    position: the line and column of the statement to blame; line 1 if none is known
    """

    def __init__(self, cause: str, limit: str, position: tuple[int, int] = (1, 1)) -> None:
        super().__init__(cause, limit, position)  # with which a child process sends it
        self.cause, self.limit, self.position = cause, limit, position

    def __str__(self) -> str:
        return f"{self.cause}; grounding was ended after {self.limit}"


class NoSolutionError(AspdokuError):
    """The puzzle has no solution, but the question requires one."""

    exit_code = 20


class RefutedClaimError(AspdokuError):
    """A claim holds in no solution. `instead` is the opposite claim, which holds in all."""

    def __init__(self, claim: str, instead: str) -> None:
        super().__init__(claim, instead)  # with which a child process sends it
        self.instead = instead

    def __str__(self) -> str:
        claim, instead = self.args
        return (
            f"{claim} holds in no solution; run `aspdoku.why(puzzle, '{instead}')` for the reason"
        )


class TimeLimitError(AspdokuError):
    """The time limit was reached before an answer was found."""

    exit_code = 124


class OutOfMemoryError(AspdokuError):
    """There is not enough memory to ground or solve a program."""


@contextmanager
def on_command_line() -> Iterator[None]:
    """Let the messages of this block name commands instead of functions."""
    token = _on_command_line.set(True)
    try:
        yield
    finally:
        _on_command_line.reset(token)


def see(command: str, function: str) -> str:
    """What a message advises to run: the command on the command line, the function in Python."""
    return f"`aspdoku {command}`" if _on_command_line.get() else f"`aspdoku.{function}`"


def did_you_mean(name: str, known: list[str]) -> str:
    """A suggestion to append to an error about an unknown name, such as `" Did you mean 'box'?"`.

    A name that differs only in case, spaces, hyphens and underscores comes first, and one that is
    part of a longer name last, such as that of German whispers. Empty if no known name is similar.
    """
    from difflib import get_close_matches

    near = [each for each in known if _letters(each) == _letters(name)]
    near = near or get_close_matches(name, known, n=1, cutoff=0.7)
    parts = (each for each in known if {*_words(each)} and {*_words(each)} <= {*_words(name)})
    near = near or sorted(parts, key=len)[-1:]
    return f" Did you mean '{near[0]}'?" if near else ""


def _words(name: str) -> list[str]:
    """The words of a name in lower case."""
    return name.casefold().translate(dict.fromkeys(map(ord, " -_"), " ")).split()


def _letters(name: str) -> str:
    """A name in lower case, without spaces, hyphens and underscores."""
    return name.casefold().translate(dict.fromkeys(map(ord, " -_")))
