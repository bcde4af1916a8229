"""Common parts of the benchmarks: interleaved timing, medians, and pages of results.

The machine is shared, so the contenders take turns, in reverse order in every second round: a slow
minute then affects all of them.
"""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).resolve().parent / "results"
# For processes that are measured: they may cache their bytecode, as in normal use, which the
# warm-up rounds write.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}

Times = dict[str, list[float]]


def interleaved(
    contenders: Mapping[str, Callable[[], object]], rounds: int, warm_up: int = 2
) -> Times:
    """Seconds of each contender in each round, after `warm_up` rounds that are discarded.

    The result of a contender is kept until the clock has stopped, so that deallocation is not
    measured.
    """
    times: Times = {name: [] for name in contenders}
    for number in range(-warm_up, rounds):
        for name in list(contenders)[:: -1 if number % 2 else 1]:
            gc.collect()
            began = time.perf_counter()
            kept = contenders[name]()
            seconds = time.perf_counter() - began
            del kept
            if number >= 0:
                times[name].append(seconds)
    return times


def medians(times: Times) -> dict[str, float]:
    """The median time of each contender."""
    return {name: statistics.median(values) for name, values in times.items()}


def middle_half(values: Sequence[float]) -> tuple[float, float]:
    """The quartiles, as a measure of noise."""
    lower, _, upper = statistics.quantiles(values)
    return lower, upper


def goal(name: str, ratio: float, at_most: float) -> str:
    """Whether the goal was met, as text; a benchmark never fails."""
    met = "met" if ratio <= at_most else "not met"
    return f"{name}: {ratio:.3f}; goal: at most {at_most}, {met}"


def at_least(name: str, ratio: float, goal: float) -> str:
    """Whether a goal was met that is a lower bound, as text."""
    return f"{name}: {ratio:.2f}; goal: at least {goal}, {'met' if ratio >= goal else 'not met'}"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, padded for terminals: text is left-aligned, numbers right-aligned."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    ruling = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join(_line(cells, widths) for cells in (headings, ruling, *rows))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return (
        " | ".join(
            ["| " + first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        )
        + " |"
    )


def publish(name: str, title: str, *paragraphs: str) -> None:
    """Print a result and write it to `results/NAME.md`, with a description of the machine."""
    page = "\n\n".join([f"# {title}", *paragraphs, machine()]) + "\n"
    print(page)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(page, "utf-8")


def machine() -> str:
    """The date and the machine of a measurement."""
    packages = ", ".join(
        f"{package} {_version(package)}" for package in ("clingo", "aspdoku", "ortools", "numpy")
    )
    return (
        f"{date.today()}: {_processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; "
        f"Python {platform.python_version()}, {packages}"
    )


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text("utf-8").splitlines() if information.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"
