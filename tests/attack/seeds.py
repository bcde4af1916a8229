"""Seeds and sizes of the randomized tests.

Each has a fast share in every run, with a fixed seed, and a long share (marked slow), with a random
seed. ASPDOKU_SEED sets the seed of both. The random generator of a case is seeded with
`seed/block/index`.
"""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import pytest

FIXED = "1"
SEED = os.environ.get("ASPDOKU_SEED")
FRESH = SEED or str(secrets.randbelow(10**6))


@dataclass
class Block:
    """Cases that run as one test.

    `case` is the seed of the current one; pytest shows it with the arguments of a failed test.
    """

    seed: str
    number: int
    size: int
    case: str = ""

    def cases(self) -> Iterator[Random]:
        """A random generator for each case."""
        print(f"ASPDOKU_SEED={self.seed}")
        for index in range(self.size):
            self.case = f"{self.seed}/{self.number}/{index}"
            yield Random(self.case)


def blocks(fast: int, long: int, size: int):
    """Parametrize a test with a block of `fast` cases, and with `long` blocks of `size` cases for
    the long share.
    """
    first = pytest.param(Block(SEED or FIXED, 0, fast), id="fast")
    rest = [Block(FRESH, number, size) for number in range(1, long + 1)]
    slow = [
        pytest.param(block, id=f"long-{block.number}", marks=pytest.mark.slow) for block in rest
    ]
    return pytest.mark.parametrize("block", [first, *slow])


@contextmanager
def within(seconds: float, what: str) -> Iterator[None]:
    """Fail if the code inside takes more processor time than this.

    The load of the machine does not count.
    """

    def fail(*_: object) -> None:
        raise AssertionError(f"more than {seconds} s of processor time: {what}")

    before = signal.signal(signal.SIGVTALRM, fail)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
