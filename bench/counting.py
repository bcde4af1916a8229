"""Time of exact counts and of random solutions.

Counts are whole processes, `aspdoku count` with and without numpy, and the peer is enumeration by
plain clingo of the program that `aspdoku program` prints. As most counts are out of its reach, it
gets a time limit, and the table shows how many solutions it has found by then. Random solutions are
drawn in the process, and the peer is clingo with random decisions, which are not uniform.

Processor time is measured, because the machine is shared.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

import measure
from start_up import ASPDOKU

from aspdoku import Program, Puzzle, Solver, compose
from aspdoku.counting.sampling import Sampler

ROUNDS = 5
LONG = 5.0  # a run that takes longer is not repeated
PEER_LIMIT = 20
DRAWN = 1000
WITHOUT_NUMPY = [
    sys.executable,
    "-c",
    "import sys; sys.modules['numpy'] = None; from aspdoku.__main__ import main; main()",
]
PEER = [sys.executable, "-m", "clingo", "-", "0", "--quiet=2", "--outf=2"]


class Case(NamedTuple):
    """A count: options of `aspdoku count`, its known value, and goals in seconds.

    without_numpy: whether Python's integers can do it, too
    """

    options: str
    known: int
    without_numpy: bool = True
    goal: float | None = None
    goal_without_numpy: float | None = None


# A puzzle with 17 givens less three.
FOURTEEN_GIVENS = (
    "000100045050060000000700020000080300402000000700000000090002000000000000000000000"
)
# Known values: "Mathematics of Sudoku" of Wikipedia, OEIS A002860 (Latin squares); anti-knight and
# anti-king by clingo with the first row fixed, times n!; 14 givens by tables alone.
CASES = [
    Case("-c n=6", 28_200_960, goal=0.3),
    Case("-c n=6 --without box", 812_851_200, goal=0.5),
    Case("-c n=7 --without box", 61_479_419_904_000, goal_without_numpy=15),
    Case("-c n=8", 29_136_487_207_403_520, without_numpy=False, goal=4),
    Case("-c n=8 --with anti-knight", 8_435_468_160, without_numpy=False),
    Case("-c n=9", 6_670_903_752_021_072_936_960, without_numpy=False, goal=60),
    Case("-c n=9 --with anti-knight,anti-king", 1_451_520, goal=1),
    Case("-c n=6 --with anti-diagonal", 72_000),
    Case(FOURTEEN_GIVENS, 258_873_160, without_numpy=False, goal=60),
]


def main() -> None:
    has_numpy = importlib.util.find_spec("numpy") is not None
    rows, goals = [], []
    for case in CASES:
        contenders = {}
        if has_numpy:
            contenders["numpy"] = [ASPDOKU]
        if case.without_numpy:
            contenders["Python"] = WITHOUT_NUMPY
        seconds: dict[str, list[float]] = {name: [] for name in contenders}
        for number in range(ROUNDS):
            for name in list(contenders)[:: -1 if number % 2 else 1]:
                if not any(each > LONG for each in seconds[name]):
                    seconds[name].append(count(contenders[name], case))
        medians = {name: statistics.median(values) for name, values in seconds.items()}
        found, peer = enumerate_with_clingo(case)
        rows.append(
            [
                f"`{case.options}`",
                f"{case.known:,}",
                *(
                    f"{medians[name]:.2f}" if name in medians else ""
                    for name in ("numpy", "Python")
                ),
                f"{peer:.2f}" if found == case.known else f"{found:,} in {peer:.0f} s",
            ]
        )
        for name, at_most in (("numpy", case.goal), ("Python", case.goal_without_numpy)):
            if at_most and name in medians:
                goals.append(measure.goal(f"{case.options}, {name}, s", medians[name], at_most))
    measure.publish(
        "counting",
        "Exact counts and random solutions",
        measure.table(["aspdoku count", "solutions", "numpy, s", "Python, s", "clingo, s"], rows),
        "Seconds of processor time of whole processes, medians of"
        f" {ROUNDS} rounds, of one if it takes more than {LONG:.0f} s. numpy: with aspdoku[count];"
        " Python: without it. clingo enumerates the printed program, for"
        f" {PEER_LIMIT} s at most.",
        *goals,
        measure.table(
            ["random solutions", "likelihood", "preparation, s", "a second", "clingo, a second"],
            [draws(size, *with_) for size, *with_ in ((4,), (6,), (6, "anti-diagonal"), (9,))],
        ),
        f"{DRAWN} solutions of blank grids in the process, with boxes and the rule that is named."
        " clingo: one grounding, `--rand-freq=1 --sign-def=rnd`, which is not uniform.",
    )


def count(command: list[str], case: Case) -> float:
    """Processor time of a count, which has to be right."""
    with processor_time() as seconds:
        done = subprocess.run(
            [*command, "count", *case.options.split(), "--format", "json"],
            env=measure.ENVIRONMENT,
            cwd=measure.ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    answer = json.loads(done.stdout)
    if (answer["count"], answer["exact"]) != (case.known, True):
        sys.exit(f"aspdoku count {case.options}: {answer}, not {case.known}")
    return seconds[0]


def enumerate_with_clingo(case: Case) -> tuple[int, float]:
    """How many solutions plain clingo finds, and its processor time."""
    program = subprocess.run(
        [ASPDOKU, "program", *case.options.split()],
        env=measure.ENVIRONMENT,
        cwd=measure.ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with processor_time() as seconds:
        done = subprocess.run(
            [*PEER, f"--time-limit={PEER_LIMIT}"],
            input=program,
            capture_output=True,
            text=True,
            check=False,
        )
    answer = json.loads(re.sub(r"^[^{]*", "", done.stdout))
    found, more = answer["Models"]["Number"], answer["Models"]["More"]
    if more == "no" and found != case.known:
        sys.exit(f"clingo finds {found} solutions for {case.options}, not {case.known}")
    return found, seconds[0]


@contextmanager
def processor_time() -> Iterator[list[float]]:
    """The processor time of the child processes that end in this block, as the only element."""
    seconds: list[float] = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    yield seconds
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def draws(size: int, *with_: str) -> list[str]:
    """A row: how fast random solutions of a blank grid are drawn."""
    program = compose(Puzzle.blank(size), *with_)
    began = time.process_time()
    sampler = Sampler(program, seed=1)
    sampler.draw()
    ready = time.process_time()
    for _ in range(DRAWN):
        sampler.draw()
    ended = time.process_time()
    return [
        " ".join([f"{size}×{size}", *with_]),
        "equal" if sampler.is_uniform else "not equal",
        f"{ready - began:.2f}",
        f"{DRAWN / (ended - ready):.0f}",
        f"{DRAWN / clingo_seconds(program):.0f}",
    ]


def clingo_seconds(program: Program) -> float:
    """Processor time of clingo for as many solutions found by random decisions."""
    solver = Solver(program, options=("--rand-freq=1", "--sign-def=rnd", "--seed=1"))
    list(solver.search(1))
    began = time.process_time()
    for _ in range(DRAWN):
        list(islice(solver.search(1), 1))
    return time.process_time() - began


if __name__ == "__main__":
    os.chdir(measure.ROOT)
    main()
