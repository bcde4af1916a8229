"""Ctrl-C in a Python process: each public function raises KeyboardInterrupt, wherever its work is
interrupted, and the process answers right afterwards.

Each function runs in a process of its own, since an interruption in a callback of clingo ends it.
"""

import inspect
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from interruptions import FUNCTIONS

import aspdoku

SCRIPT = Path(__file__).with_name("interruptions.py")
TIMES = 200
# With a search in the calling thread, and in another one.
OFTEN = ("solve", "Solver with a time limit")

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="not on this system")


def interrupt(name, times, seed):
    done = subprocess.run(
        [sys.executable, SCRIPT, name, str(times), str(seed)], capture_output=True, text=True
    )
    assert re.fullmatch(rf"{times} of \d+ calls were interrupted\n", done.stdout), done.stderr
    assert done.stderr == ""


def test_all_public_functions_are_interrupted():
    public = {name for name in aspdoku.__all__ if inspect.isfunction(getattr(aspdoku, name))}
    assert public
    assert public <= FUNCTIONS.keys()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in OFTEN else pytest.mark.slow) for name in FUNCTIONS],
)
def test_some_interruptions(name):
    interrupt(name, 3, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_interruptions(name):
    interrupt(name, TIMES, 7)


def test_the_handler_of_the_program_is_kept():
    """Of Ctrl-C: asyncio and notebooks replace it only if it is that of Python."""
    before = signal.getsignal(signal.SIGINT)
    aspdoku.count("1... .... ..2. ....")
    assert signal.getsignal(signal.SIGINT) is before
    received = []
    signal.signal(signal.SIGINT, lambda *given: received.append(given))
    try:
        aspdoku.solve(
            "1... .... ..2. ....", on_solution=lambda _: signal.raise_signal(signal.SIGINT)
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(received) > 0


def test_candidates_and_dependences_so_far(monkeypatch):
    """Only if they are asked for, as in all other functions."""

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("aspdoku.engine.grids.GridControl.brave_candidates", stop)
    monkeypatch.setattr("aspdoku.engine.dependence._Search.find", stop)
    for function in (aspdoku.candidates, aspdoku.depends):
        with pytest.raises(KeyboardInterrupt):
            function("1... .... ..2. ....")
        assert function("1... .... ..2. ....", interruptible=True).data.ended == "interrupted"
