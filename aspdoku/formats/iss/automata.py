"""Finite automata, and the two forms in which Interactive Sudoku Solver writes them.

The binary form is a header, then the edges from each state, as bits in URL-safe base64 (RFC 4648).
A regular expression becomes an automaton by partial derivatives (Antimirov 1996): a state is what
is left to be read, so that no empty steps are needed, and there are about as many states as
characters.
"""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.formats.base import UnsupportedError

# The fields of the header, in bits; the others have as many bits as the number of a state.
_LAYOUT, _STATE_SIZE, _LAST_SYMBOL, _COUNT_SIZE = 2, 4, 4, 4
_PLAIN, _PACKED = 0, 1
_MOST_SYMBOLS = 1 << _LAST_SYMBOL

# The numbers that characters of an expression stand for.
_VALUES = {
    **{str(digit): digit for digit in range(10)},
    **{chr(ord(first) + place): 10 + place for first in "aA" for place in range(26)},
}
_COUNT = re.compile(r"\{([0-9]{1,4})(?:(,)([0-9]{1,4})?)?\}")
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_LONGEST, _DEEPEST = 400, 30  # the characters and the nested groups of an expression
_MOST_STATES, _MOST_EDGES = 1 << 12, 20_000


class Automaton(NamedTuple):
    """A finite automaton without empty steps.

    starts: the number of start states, which are 0, 1, …
    accepting: the accepting states; those that are not starts come next
    edges: a state, the index of the symbol that is read there, and the next state
    """

    starts: int
    accepting: frozenset[int]
    edges: tuple[tuple[int, int, int], ...]


def automaton(
    starts: Collection[int], accepting: Collection[int], edges: Collection[tuple[int, int, int]]
) -> Automaton:
    """An automaton with these states in the order of their numbers, without those from which no
    accepting one can be reached.
    """
    before: dict[int, set[int]] = defaultdict(set)
    for state, _, following in edges:
        before[following].add(state)
    useful = {*accepting}
    pending = [*accepting]
    while pending:
        new = before[pending.pop()] - useful
        useful |= new
        pending += new
    ordered = [*sorted({*starts}), *sorted({*accepting}), *sorted(useful)]
    number = {state: place for place, state in enumerate(dict.fromkeys(ordered))}
    found = {
        (number[state], symbol, number[following])
        for state, symbol, following in edges
        if following in useful
    }
    return Automaton(
        len({*starts}), frozenset(number[state] for state in accepting), tuple(sorted(found))
    )


def decode(text: str) -> Automaton:
    """The automaton in an argument. Raises UnsupportedError."""
    if not text:
        return Automaton(0, frozenset(), ())
    try:
        return _read(_Bits(decode_base64(text)))
    except ValueError:
        raise UnsupportedError(f"the automaton {text[:30]!r}") from None


def decode_base64(text: str) -> bytes:
    """The content of URL-safe base64 without padding. Raises UnsupportedError."""
    try:
        return b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except ValueError:
        raise UnsupportedError(f"the argument {text[:30]!r}") from None


class _Bits:
    """Bits from which numbers are read; all methods raise ValueError if there are not enough."""

    def __init__(self, content: bytes) -> None:
        self._text = "".join(f"{byte:08b}" for byte in content)
        self._place = 0

    @property
    def left(self) -> int:
        """The number of bits that have not been read."""
        return len(self._text) - self._place

    def number(self, size: int) -> int:
        """The next number of this many bits, the highest one first."""
        if size > self.left:
            raise ValueError
        self._place += size
        return int(self._text[self._place - size : self._place] or "0", 2)


def _read(bits: _Bits) -> Automaton:
    layout = bits.number(_LAYOUT)
    state_size = bits.number(_STATE_SIZE) + 1
    symbols = bits.number(_LAST_SYMBOL) + 1
    starts, others = bits.number(state_size), bits.number(state_size)
    accepting = bits.number(starts)
    edges: list[tuple[int, int, int]] = []
    state = 0
    if layout == _PLAIN:
        count_size = bits.number(_COUNT_SIZE)
        symbol_size = (symbols - 1).bit_length()
        while count_size and bits.left >= count_size:
            edges += [
                (state, bits.number(symbol_size), bits.number(state_size))
                for _ in range(bits.number(count_size))
            ]
            state += 1
    elif layout == _PACKED:
        while bits.left >= symbols:
            read = bits.number(symbols)
            edges += [
                (state, symbol, bits.number(state_size))
                for symbol in range(symbols)
                if read >> symbol & 1
            ]
            state += 1
    else:
        raise ValueError
    if bits.number(bits.left):
        raise ValueError
    ends = [start for start in range(starts) if accepting >> start & 1]
    return automaton(range(starts), [*ends, *range(starts, starts + others)], edges)


def encode(found: Automaton, symbols: int) -> str:
    """The argument for an automaton with this number of symbols. Raises UnsupportedError."""
    starts, accepting, edges = found
    states = 1 + max([0, starts - 1, *accepting, *(max(edge[0], edge[2]) for edge in edges)])
    state_size = max(1, (states - 1).bit_length(), starts.bit_length(), len(accepting).bit_length())
    if not starts or symbols > _MOST_SYMBOLS or state_size > 1 << _STATE_SIZE:
        raise UnsupportedError(f"an automaton of {states} states and {symbols} symbols")
    following: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for state, symbol, other in edges:
        following[state].append((symbol, other))
    count_size = max(map(len, following.values()), default=0).bit_length()
    others = [state for state in accepting if state >= starts]
    fields = [
        (_PLAIN, _LAYOUT),
        (state_size - 1, _STATE_SIZE),
        (symbols - 1, _LAST_SYMBOL),
        (starts, state_size),
        (len(others), state_size),
        (sum(1 << state for state in accepting if state < starts), starts),
        (count_size, _COUNT_SIZE),
    ]
    for state in range(states):
        fields.append((len(following[state]), count_size))
        for symbol, other in following[state]:
            fields += [(symbol, (symbols - 1).bit_length()), (other, state_size)]
    text = "".join(f"{value:0{size}b}" for value, size in fields if size)
    content = bytes(
        int(text[place : place + 8].ljust(8, "0"), 2) for place in range(0, len(text), 8)
    )
    return urlsafe_b64encode(content).decode("ascii").rstrip("=")


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
    sequences = [_Parser(pattern, numbers).parse()]
    state = {sequences[0]: 0}
    edges = []
    for _ in range(length):
        new: dict[Sequence, None] = {}
        for sequence in sequences:
            for read, rest in _steps(sequence):
                if rest not in state:
                    new[rest] = None
                following = state.setdefault(rest, len(state))
                edges += [(state[sequence], numbers.index(each), following) for each in read]
            if len(edges) > _MOST_EDGES or len(state) > _MOST_STATES:
                raise too_large
        sequences = list(new)
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
                for read, following in _steps(option):
                    yield read, (*following, *part.after_one(), *rest)
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
        sequence = self._alternatives(0)
        if self._place < len(self._pattern):
            raise self._error()
        return sequence

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
        sequence: Sequence = ()
        while self._next() and self._next() not in "|)":
            sequence += self._repeated(self._single(depth))
        return sequence

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
        listed: set[int] = set()
        while not self._take("]"):
            first = last = self._taken()
            if self._take("-"):
                last = self._taken()
            if last < first:
                raise self._error()
            listed.update(self._number(chr(sign)) for sign in range(ord(first), ord(last) + 1))
        if not listed:
            raise self._error()
        return frozenset(self._numbers) - listed if negated else frozenset(listed)

    def _number(self, sign: str) -> int:
        number = _VALUES.get(sign)
        if number is None or number not in self._numbers:
            raise self._error(back=1)
        return number

    def _repeated(self, sequence: Sequence) -> Sequence:
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
                return sequence
            if most is not None and most < least:
                raise self._error()
            sequence = (Group((sequence,), least, most),)
        raise self._error()


def decode_pattern(text: str) -> str:
    """The regular expression in an argument. Raises UnsupportedError."""
    if "%" in text:  # as older versions wrote it
        return unquote(text)
    return decode_base64(text).decode("utf-8", "replace")
