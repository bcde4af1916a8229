"""Signals that arrive while clingo may call back are handled afterwards, none of them lost."""

import signal
import time
from itertools import permutations

import pytest

from aspdoku.runtime.signals import Postponing, postponed

if not hasattr(signal, "SIGUSR1"):
    pytest.skip("not on this system", allow_module_level=True)
NUMBERS = (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM)


@pytest.fixture
def handled():
    """The signals that were handled, of which SIGALRM raises an exception."""
    seen = []

    def handle(number, _):
        seen.append(number)
        if number == signal.SIGALRM:
            raise TimeoutError

    before = {number: signal.signal(number, Postponing(handle)) for number in NUMBERS}
    yield seen
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("order", [*permutations(NUMBERS)])
def test_signals_are_handled_in_the_order_in_which_they_arrived(order, handled):
    def receive():
        with postponed:
            with postponed:
                for number in order:
                    signal.raise_signal(number)
            assert handled == []

    with pytest.raises(TimeoutError):
        receive()
    first = order.index(signal.SIGALRM) + 1
    assert handled[:first] == list(order[:first])
    end = time.monotonic() + 20
    while len(handled) < len(order) and time.monotonic() < end:
        time.sleep(0.01)
    assert sorted(handled) == sorted(order)
