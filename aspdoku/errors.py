"""The exceptions that aspdoku raises for its users."""

from __future__ import annotations

TYPE_CHECKING = False  # that of `typing`, which a command only imports after its fork
if TYPE_CHECKING:
    from typing import Self


class Advice:
    """How to fix an error: the end of its message on the command line, in Python, and on a page."""

    def __init__(self, command: str = "", function: str = "", page: str = "") -> None:
        self.command, self.function, self.page = command, function, page


NO_ADVICE = Advice()


class AspdokuError(Exception):
    """The base class of all errors: invalid input, unless a subclass says otherwise.

    `str(error)` describes the problem, where it is, and how to fix it: `words` and the advice for
    programs in Python. `on_command_line` and `on_page` are the messages of the other front ends.

    `exit_code` is the exit status of a command that ends with this error (65: bad input, as in
    sysexits.h).
    """

    exit_code = 65

    def __init__(self, words: str = "", advice: Advice = NO_ADVICE) -> None:
        super().__init__(*self.args)  # with which a child process sends it
        self.words, self.advice = words, advice

    def __str__(self) -> str:
        return self.words + self.advice.function

    @property
    def on_command_line(self) -> str:
        """The message of a command."""
        return self.words + self.advice.command

    @property
    def on_page(self) -> str:
        """The message of a page."""
        return self.words + self.advice.page

    def at(self, place: str) -> Self:
        """The error with the place before its words."""
        self.words = f"{place}: {self.words}"
        return self


class AspdokuWarning(UserWarning):
    """Something suspicious about a puzzle or a rule that is not an error."""


class MissingInputWarning(AspdokuWarning):
    """A rule has no effect, as the puzzle lacks its inputs."""


class ArgumentError(AspdokuError):
    """Arguments of a function, or options of a command, that do not fit together."""

    exit_code = 2


class PuzzleError(AspdokuError):
    """An invalid puzzle. `place` is the file, or the line of it, that is at fault."""

    def __init__(self, message: str, place: str = "", advice: Advice = NO_ADVICE) -> None:
        self.place = place
        super().__init__(f"{place}: {message}" if place else message, advice)


class RuleError(AspdokuError):
    """A rule file that cannot be found, read or combined with the others."""


class StatementError(RuleError):
    """A statement of a rule file, at a line and column, that has a problem."""

    def __init__(self, place: str, position: tuple[int, int], problem: str) -> None:
        self.problem, self.position = problem, position
        super().__init__(f"{place}:{position[0]}:{position[1]}: {problem}")


class UnreadableError(RuleError):
    """A rule file that does not exist or cannot be read."""


class GrowthError(RuleError):
    """A ground program grew so large that grounding was ended: because of `cause`, at `limit`.

    file, position: of the statement to blame, with its line and column; "" if none is known
    """

    def __init__(
        self, cause: str, limit: str, file: str = "", position: tuple[int, int] = (1, 1)
    ) -> None:
        self.file, self.position, self.limit = file, position, limit
        self.cause = f"{file}:{position[0]}: {cause}" if file else cause
        self.problem = f"{cause}; grounding was ended after {limit}"
        super().__init__(f"{self.cause}; grounding was ended after {limit}")


class LessonError(AspdokuError):
    """A lesson with mistakes: a line for each, with file, line and what to do."""


class NoSolutionError(AspdokuError):
    """The puzzle has no solution, but the question requires one."""

    exit_code = 20


class RefutedClaimError(AspdokuError):
    """A claim holds in no solution. `instead` is the opposite claim, which holds in all."""

    def __init__(self, claim: str, instead: str) -> None:
        super().__init__(
            f"{claim} holds in no solution",
            Advice(
                function=f"; run `aspdoku.why(puzzle, '{instead}')` for the reason",
                page=f": ask about {instead} instead",
            ),
        )
        self.instead = instead


class TimeLimitError(AspdokuError):
    """The time limit was reached before an answer was found."""

    exit_code = 124


class OutOfMemoryError(AspdokuError):
    """There is not enough memory to ground or solve a program."""


def did_you_mean(name: str, known: list[str]) -> str:
    """A suggestion to append to an error about an unknown name, such as `" Did you mean 'box'?"`.
    First the same name in another spelling, then most of its words, last any of them.
    """
    near = nearest(name, known)
    return f" Did you mean '{near}'?" if near else ""


def nearest(name: str, known: list[str]) -> str:
    """The known name that `did_you_mean` suggests, or an empty text."""
    from difflib import get_close_matches

    near = [each for each in known if _letters(each) == _letters(name)]
    parts = [each for each in known if {*_words(each)} and {*_words(each)} <= {*_words(name)}]
    near = near or get_close_matches(name, parts, n=1, cutoff=0.65)
    near = near or get_close_matches(name, known, n=1, cutoff=0.7)
    near = near or sorted(parts, key=len)[-1:]
    return near[0] if near else ""


def _words(name: str) -> list[str]:
    """The words of a name in lower case."""
    return name.casefold().translate(dict.fromkeys(map(ord, " -_"), " ")).split()


def _letters(name: str) -> str:
    """A name in lower case, without spaces, hyphens and underscores."""
    return name.casefold().translate(dict.fromkeys(map(ord, " -_")))
