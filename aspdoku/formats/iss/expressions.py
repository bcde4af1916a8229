"""Regular expressions as Interactive Sudoku Solver has them, as finite automata.

An expression becomes an automaton by partial derivatives (Antimirov 1996): a state is what is left
to be read, so that no empty steps are needed, and there are about as many states as characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.formats.base import UnsupportedError
from aspdoku.formats.iss.automata import Automaton, automaton, decode_base64

# The numbers that characters of an expression stand for.
_VALUES = {
    **{str(digit): digit for digit in range(10)},
    **{chr(ord(first) + place): 10 + place for first in "aA" for place in range(26)},
}
_COUNT = re.compile(r"\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\}")
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_LONGEST, _DEEPEST = 400, 30  # the characters and the nested groups of an expression
_MOST_STATES, _MOST_EDGES = 1 << 12, 20_000


class Group(NamedTuple):
    """Alternatives that are repeated.

    most: None if there is no limit
    """

    options: tuple[Sequence, ...]
    least: int
    most: int | None

    @property
    def can_be_empty(self) -> bool:
        """Whether the empty word matches."""
        return not self.least or any(map(_can_be_empty, self.options))

    def after_one(self) -> Sequence:
        """What is left after one repetition."""
        if self.most == 1:
            return ()
        return (Group(self.options, max(self.least - 1, 0), self.most and self.most - 1),)


# An expression: sets of numbers and groups, one after the other.
Sequence = tuple["frozenset[int] | Group", ...]


def from_expression(pattern: str, numbers: range, length: int) -> Automaton:
    """An automaton that accepts the words of at most this length that match a regular expression.

    Its symbols are the indices of the numbers.
    Raises UnsupportedError for an expression that is invalid or has other numbers.
    """
    too_large = UnsupportedError(f"the pattern {pattern[:30]!r}, which is too large")
    if len(pattern) > _LONGEST:
        raise too_large
    found = [_Parser(pattern, numbers).parse()]
    state = {found[0]: 0}
    edges = []
    for _ in range(length):
        new: dict[Sequence, None] = {}
        for sequence in found:
            for read, rest in _steps(sequence):
                if rest not in state:
                    new[rest] = None
                following = state.setdefault(rest, len(state))
                edges += [(state[sequence], numbers.index(each), following) for each in read]
            if len(edges) > _MOST_EDGES or len(state) > _MOST_STATES:
                raise too_large
        found = list(new)
    ends = [number for sequence, number in state.items() if _can_be_empty(sequence)]
    return automaton([0], ends, edges)


def _steps(sequence: Sequence) -> Iterator[tuple[frozenset[int], Sequence]]:
    """The numbers that can be read next, and what is left after each."""
    for place, part in enumerate(sequence, 1):
        rest = sequence[place:]
        if isinstance(part, frozenset):
            yield part, rest
            return
        if part.most != 0:
            for option in part.options:
                for read, left in _steps(option):
                    yield read, (*left, *part.after_one(), *rest)
        if not part.can_be_empty:
            return


def _can_be_empty(sequence: Sequence) -> bool:
    return all(isinstance(part, Group) and part.can_be_empty for part in sequence)


class _Parser:
    def __init__(self, pattern: str, numbers: range) -> None:
        self._pattern = "".join(pattern.split())
        self._place = 0
        self._numbers = numbers

    def parse(self) -> Sequence:
        found = self._alternatives(0)
        if self._place < len(self._pattern):
            raise self._error()
        return found

    def _error(self, back: int = 0) -> UnsupportedError:
        place = self._place + 1 - back
        return UnsupportedError(f"the pattern {self._pattern[:30]!r}, at its character {place}")

    def _next(self) -> str:
        return self._pattern[self._place : self._place + 1]

    def _take(self, sign: str) -> bool:
        if self._next() != sign:
            return False
        self._place += 1
        return True

    def _taken(self) -> str:
        """The next character. Raises UnsupportedError at the end."""
        sign = self._next()
        if not sign:
            raise self._error()
        self._place += 1
        return sign

    def _alternatives(self, depth: int) -> Sequence:
        if depth > _DEEPEST:
            raise self._error()
        options = [self._sequence(depth)]
        while self._take("|"):
            options.append(self._sequence(depth))
        return options[0] if len(options) == 1 else (Group(tuple(options), 1, 1),)

    def _sequence(self, depth: int) -> Sequence:
        found: Sequence = ()
        while self._next() and self._next() not in "|)":
            found += self._repeated(self._single(depth))
        return found

    def _single(self, depth: int) -> Sequence:
        if self._take("("):
            inside = self._alternatives(depth + 1)
            if not self._take(")"):
                raise self._error()
            return inside
        if self._take("."):
            return (frozenset(self._numbers),)
        return (self._set() if self._take("[") else frozenset([self._number(self._taken())]),)

    def _set(self) -> frozenset[int]:
        negated = self._take("^")
        found: set[int] = set()
        while not self._take("]"):
            first = last = self._taken()
            if self._take("-"):
                last = self._taken()
            if last < first:
                raise self._error()
            found.update(self._number(chr(sign)) for sign in range(ord(first), ord(last) + 1))
        if not found:
            raise self._error()
        return frozenset(self._numbers) - found if negated else frozenset(found)

    def _number(self, sign: str) -> int:
        number = _VALUES.get(sign)
        if number is None or number not in self._numbers:
            raise self._error(back=1)
        return number

    def _repeated(self, found: Sequence) -> Sequence:
        for _ in range(_DEEPEST):
            sign = self._next()
            count = _COUNT.match(self._pattern, self._place)
            if sign in _REPEATS:
                least, most = _REPEATS[sign]
                self._place += 1
            elif count:
                least = int(count[1])
                most = (int(count[3]) if count[3] else None) if count[2] else least
                self._place = count.end()
            else:
                return found
            if most is not None and most < least:
                raise self._error()
            found = (Group((found,), least, most),)
        raise self._error()


def decode_pattern(text: str) -> str:
    """The regular expression in an argument. Raises UnsupportedError."""
    if "%" in text:  # as older versions wrote it
        return unquote(text)
    return decode_base64(text).decode("utf-8", "replace")
