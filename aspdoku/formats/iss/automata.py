"""Finite automata, and the binary form in which Interactive Sudoku Solver writes them.

The form is a header, then the edges from each state, as bits in URL-safe base64 (RFC 4648).
"""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from aspdoku.formats.base import UnsupportedError

# The fields of the header, in bits; the others have as many bits as the number of a state.
_LAYOUT, _STATE_SIZE, _LAST_SYMBOL, _COUNT_SIZE = 2, 4, 4, 4
_PLAIN, _PACKED = 0, 1
_MOST_SYMBOLS = 1 << _LAST_SYMBOL


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
