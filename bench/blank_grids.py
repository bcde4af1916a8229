"""Scaling of the encoding: time and memory for one solution of blank grids of increasing size.

Compares aspdoku's base and boxes, the formulation on the lecture slides (pairs of cells), and
OR-Tools CP-SAT. Every run is a separate process, so that its peak memory can be measured; the
parent stays small, because on Linux the peak memory of a child starts with that of its parent.
`python bench/blank_grids.py NAME SIZE` is one run.
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from math import isqrt
from typing import NamedTuple

import measure

SIZES = (9, 16, 25, 36, 49)
LIMIT = 120.0  # time limit of a run in seconds
LONG = 20.0  # runs that take longer are not repeated
ROUNDS = 3

Rows = Sequence[Sequence[int]]


def main() -> None:
    contenders = [
        name for name in SOLVERS if name != "CP-SAT" or importlib.util.find_spec("ortools")
    ]
    remarks = (
        []
        if "CP-SAT" in contenders
        else ["CP-SAT is left out: ortools is missing, `pip install 'aspdoku[bench]'`."]
    )
    rows = []
    for size in SIZES:
        runs: dict[str, list[Run]] = {name: [] for name in contenders}
        for number in range(ROUNDS):
            for name in contenders[:: -1 if number % 2 else 1]:
                if not any(run.wall > LONG for run in runs[name]):
                    runs[name].append(run_alone(name, size))
        rows += [row(size, name, runs[name]) for name in contenders]
    measure.publish(
        "blank_grids",
        "Blank grids: the first solution",
        measure.table(
            ["grid", "solver", "seconds", "whole process", "peak MB", "MB before", "runs"], rows
        ),
        "Medians. Seconds are for building, grounding and solving, after the imports and a 4×4"
        f" grid to warm up; MB before is the peak until then. A run gets {LIMIT:.0f} s, CP-SAT one"
        " worker, and clingo its standard configuration.",
        *remarks,
    )


class Run(NamedTuple):
    """The result of a run: seconds is None after a timeout, wall is the time of the whole process.

    Memory is in MB; `before` is without the work itself.
    """

    seconds: float | None
    wall: float
    peak: float
    before: float


def row(size: int, name: str, runs: list[Run]) -> list[str]:
    seconds = [run.seconds for run in runs if run.seconds is not None]
    wall, peak, before = (statistics.median(values) for values in list(zip(*runs, strict=True))[1:])
    took = (
        [f"{statistics.median(seconds):.2f}", f"{wall:.2f}"]
        if len(seconds) == len(runs)
        else ["gave up", f"> {LIMIT:.0f}"]
    )
    return [
        f"{size}×{size}",
        name,
        *took,
        f"{peak:.0f}",
        f"{before:.0f}" if before else "",
        str(len(runs)),
    ]


def run_alone(name: str, size: int) -> Run:
    """Execute one run in a child process with a time limit."""
    print(f"{size}×{size} {name}", file=sys.stderr)
    began = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, __file__, name, str(size)], stdout=subprocess.PIPE, text=True
    )
    alarm = threading.Timer(LIMIT, child.kill)
    alarm.start()
    with child:
        assert child.stdout
        printed = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    alarm.cancel()
    if child.returncode and wall < LIMIT:
        sys.exit(f"{name} failed on a blank {size}×{size} grid")
    report = json.loads(printed) if printed else {"seconds": None, "before": 0.0}
    return Run(report["seconds"], wall, megabytes(usage.ru_maxrss), report["before"])


def megabytes(maximum: int) -> float:
    """Peak memory as reported by the operating system: in kilobytes, but in bytes on macOS."""
    return maximum / (1e6 if sys.platform == "darwin" else 1024)


def run(name: str, size: int) -> None:
    """Entry point of the child process."""
    solve = SOLVERS[name]
    solve(4)
    before = megabytes(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    began = time.perf_counter()
    rows = solve(size)
    seconds = time.perf_counter() - began
    if not is_solution(rows, size):
        sys.exit(f"{name} gave what is no solution")
    print(json.dumps({"seconds": seconds, "before": before}))


def is_solution(rows: Rows, size: int) -> bool:
    """Whether every row, column and box holds every number."""
    numbers = set(range(1, size + 1))
    units = [
        *rows,
        *zip(*rows, strict=True),
        *([rows[r][c] for r, c in cells] for cells in boxes(size)),
    ]
    return len(rows) == size and all(set(unit) == numbers for unit in units)


def boxes(size: int) -> list[list[tuple[int, int]]]:
    """The cells of each box; rows and columns are counted from 0."""
    side = isqrt(size)
    corners = [(r, c) for r in range(0, size, side) for c in range(0, size, side)]
    return [[(r + y, c + x) for y in range(side) for x in range(side)] for r, c in corners]


def aspdoku(size: int) -> Rows:
    from aspdoku import Puzzle, Solver, compose

    return next(iter(Solver(compose(Puzzle.blank(size))).search(limit=1))).rows


def slides(size: int) -> Rows:
    from aspdoku import Puzzle, Solver
    from aspdoku.program import assemble, library

    return next(
        iter(
            Solver(assemble(Puzzle.blank(size), [library.bundled("slides/base.lp")])).search(
                limit=1
            )
        )
    ).rows


def cp_sat(size: int) -> Rows:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [
        [model.new_int_var(1, size, f"r{r}c{c}") for c in range(1, size + 1)]
        for r in range(1, size + 1)
    ]
    for unit in [
        *cells,
        *zip(*cells, strict=True),
        *([cells[r][c] for r, c in box] for box in boxes(size)),
    ]:
        model.add_all_different(unit)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.solve(model)
    return [[solver.value(cell) for cell in row] for row in cells]


SOLVERS: dict[str, Callable[[int], Rows]] = {"aspdoku": aspdoku, "slides": slides, "CP-SAT": cp_sat}


if __name__ == "__main__":
    if sys.argv[1:]:
        run(sys.argv[1], int(sys.argv[2]))
    else:
        main()
