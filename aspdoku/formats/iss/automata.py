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
from io import StringIO
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote

from aspdoku.formats.base import UnsupportedError, by_key

# The fields of the header, in bits; the others have as many bits as the number of a state.
_LAYOUT, _STATE_SIZE, _LAST_SYMBOL, _COUNT_SIZE = 2, 4, 4, 4
_PLAIN, _PACKED = 0, 1
_MOST_SYMBOLS = 1 << _LAST_SYMBOL

# The numbers that characters of an expression stand for.
_VALUES = {
    **{str(digit): digit for digit in range(10)},
    **{chr(ord(first) + place): 10 + place for first in "aA" for place in range(26)},
}
# A set, a character or sign, or how often what is before it is repeated.
_TOKEN = re.compile(
    r"\[(?P<negated>\^?)(?P<listed>(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+)\]|(?P<sign>[0-9A-Za-z.()|])"
    r"|(?P<repeat>[*+?]|\{(?P<least>[0-9]{1,4})(?:(?P<open>,)(?P<most>[0-9]{1,4})?)?\})"
)
_RANGE = re.compile("(.)(?:-(.))?")
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
    """An automaton with these states in order, without those from which none accepts."""
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
        return _read(decode_base64(text))
    except ValueError:
        raise UnsupportedError(f"the automaton {text[:30]!r}") from None


def decode_base64(text: str) -> bytes:
    """The content of URL-safe base64 without padding. Raises UnsupportedError."""
    try:
        return b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except ValueError:
        raise UnsupportedError(f"the argument {text[:30]!r}") from None


def _read(content: bytes) -> Automaton:
    text = "".join(f"{byte:08b}" for byte in content)
    bits = StringIO(text)

    def left() -> int:
        return len(text) - bits.tell()

    def number(size: int) -> int:
        if size > left():
            raise ValueError
        return int(bits.read(size) or "0", 2)

    layout, state_size, symbols = number(_LAYOUT), number(_STATE_SIZE) + 1, number(_LAST_SYMBOL) + 1
    starts, others = number(state_size), number(state_size)
    accepting = number(starts)
    edges: list[tuple[int, int, int]] = []
    states = count()
    if layout == _PLAIN:
        count_size = number(_COUNT_SIZE)
        symbol_size = (symbols - 1).bit_length()
        while count_size and left() >= count_size:
            times, state = number(count_size), next(states)
            edges += [(state, number(symbol_size), number(state_size)) for _ in range(times)]
    elif layout == _PACKED:
        while left() >= symbols:
            read, state = number(symbols), next(states)
            chosen = (symbol for symbol in range(symbols) if read >> symbol & 1)
            edges += [(state, symbol, number(state_size)) for symbol in chosen]
    else:
        raise ValueError
    if number(left()):
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
    following = by_key((state, (symbol, other)) for state, symbol, other in edges)
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
        ways = following.get(state, [])
        fields.append((len(ways), count_size))
        for symbol, other in ways:
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
    least: int = 1
    most: int | None = 1


# An expression: sets of numbers and groups, one after the other.
Sequence = tuple["frozenset[int] | Group", ...]


def from_expression(pattern: str, numbers: range, length: int) -> Automaton:
    """An automaton that accepts the words of at most this length that match a regular expression.
    Its symbols are the indices of the numbers. Raises UnsupportedError for an expression that is
    invalid or has other numbers.
    """
    too_large = UnsupportedError(f"the pattern {pattern[:30]!r}, which is too large")
    if len(pattern) > _LONGEST:
        raise too_large
    sequences = [_parsed("".join(pattern.split()), numbers)]
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
        options, least, most = part
        if most != 1:
            rest = (Group(options, max(least - 1, 0), most and most - 1), *rest)
        for option in options if most != 0 else ():
            for read, following in _steps(option):
                yield read, (*following, *rest)
        if not _can_be_empty((part,)):
            return


def _can_be_empty(sequence: Sequence) -> bool:
    return all(
        isinstance(part, Group) and (not part.least or any(map(_can_be_empty, part.options)))
        for part in sequence
    )


def _parsed(pattern: str, numbers: range) -> Sequence:
    levels: list[list[Sequence]] = [[()]]  # the alternatives in each open group
    place = repeats = 0
    try:
        while place < len(pattern):
            token = _TOKEN.match(pattern, place)
            repeats = repeats + 1 if token and token["repeat"] else 0
            if token is None or max(repeats, len(levels) - 1) > _DEEPEST:
                raise ValueError
            _add(token, levels, numbers)
            place = token.end()
        (options,) = levels
    except (ValueError, LookupError):
        where = f"at its character {place + 1}"
        raise UnsupportedError(f"the pattern {pattern[:30]!r}, {where}") from None
    return options[0] if len(options) == 1 else (Group(tuple(options)),)


def _add(token: re.Match[str], levels: list[list[Sequence]], numbers: range) -> None:
    """Add what a token writes. Raises ValueError or LookupError if it cannot be in this place."""
    options = levels[-1]
    if token["repeat"]:
        *before, last = options[-1]
        options[-1] = (*before, _repeated(last, token))
    elif token["sign"] == "(":
        levels.append([()])
    elif token["sign"] == "|":
        options.append(())
    elif token["sign"] == ")":
        levels.pop()
        levels[-1][-1] += (Group(tuple(options)),)
    else:
        options[-1] += (_numbers_of(token, numbers),)


def _repeated(part: frozenset[int] | Group, token: re.Match[str]) -> Group:
    least, most = _REPEATS.get(token["repeat"]) or (int(token["least"]), None)
    if token["least"] and (token["most"] or not token["open"]):
        most = int(token["most"] or least)
    if most is not None and most < least:
        raise ValueError
    if isinstance(part, Group) and part.least == part.most == 1:
        return Group(part.options, least, most)
    return Group(((part,),), least, most)


def _numbers_of(token: re.Match[str], numbers: range) -> frozenset[int]:
    if token["sign"] == ".":
        return frozenset(numbers)
    listed: set[int] = set()
    for first, last in _RANGE.findall(token["listed"] or token["sign"]):
        signs = range(ord(first), ord(last or first) + 1)
        listed.update(_VALUES[chr(sign)] for sign in signs)
        if not signs or not listed <= {*numbers}:
            raise ValueError
    return frozenset(numbers) - listed if token["negated"] else frozenset(listed)


def decode_pattern(text: str) -> str:
    """The regular expression in an argument. Raises UnsupportedError."""
    if "%" in text:  # as older versions wrote it
        return unquote(text)
    return decode_base64(text).decode("utf-8", "replace")
