"""Time from the program to the proof of uniqueness, for puzzles of many variants."""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Iterator

import measure

from aspdoku import Program, Solver, compose

sys.path.insert(0, str(measure.ROOT / "tests"))
from published_puzzles import Case, cases

ROUNDS = 3
LIMIT = 20.0
SLOWEST = 20
GOAL, FAST, SHARE = 10.0, 0.3, 0.95
STEPS = (0.03, 0.1, FAST, 1.0, 3.0, GOAL)
PERCENTILES = (50, 75, 90, 95, 99)


def main() -> None:
    covered = [case for case in cases() if case.covered]
    if not covered:
        sys.exit("there is no collection beside the checkout")
    times = dict(measured(covered))
    slowest = sorted(covered, key=lambda case: times[case.name], reverse=True)
    fast = sum(seconds < FAST for seconds in times.values()) / len(times)
    measure.publish(
        "variants",
        "Variants: ground, and find all solutions that are stated and that there is no other",
        f"{len(covered)} puzzles of {len({kind for case in covered for kind in case.kinds})} kinds;"
        f" {len(cases()) - len(covered)} of the collection are not covered. Medians of {ROUNDS}"
        f" rounds, {LIMIT:g} s at most.",
        measure.table(["time", "puzzles"], distribution(list(times.values()))),
        measure.table(["percentile", "s"], percentiles(list(times.values()))),
        measure.table(
            ["the slowest", "kinds", "s"],
            [row(case, times[case.name]) for case in slowest[:SLOWEST]],
        ),
        measure.goal("the slowest, in seconds", max(times.values()), GOAL),
        f"within {FAST} s: {fast:.3f} of them; goal: at least {SHARE},"
        f" {'met' if fast >= SHARE else 'not met'}",
    )


def row(case: Case, seconds: float) -> list[str]:
    return [case.name, ", ".join(case.kinds), shown(seconds)]


def shown(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < LIMIT else f"over {LIMIT:g}"


def percentiles(seconds: list[float]) -> Iterator[list[str]]:
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    for percentile in PERCENTILES:
        yield [f"{percentile} %", shown(cuts[percentile - 1])]


def distribution(seconds: list[float]) -> Iterator[list[str]]:
    for step in STEPS:
        yield [f"within {step:g} s", str(sum(each < step for each in seconds))]
    yield ["all", str(len(seconds))]


def measured(covered: list[Case]) -> Iterator[tuple[str, float]]:
    """The median time of each puzzle; those that reach the time limit are not repeated."""
    for case in covered:
        assert case.puzzle
        program = compose(case.puzzle)
        seconds = [once(program, case)]
        if seconds[0] < LIMIT:
            seconds += [once(program, case) for _ in range(ROUNDS - 1)]
        yield case.name, statistics.median(seconds)


def once(program: Program, case: Case) -> float:
    """Seconds for grounding and solving, searching for one solution more than there are."""
    gc.collect()
    began = time.perf_counter()
    search = Solver(program, LIMIT).search(1 + (1 if case.count is None else case.count))
    found = search.count()
    seconds = time.perf_counter() - began
    if search.ended != "time" and case.count not in (None, found):
        sys.exit(f"{case.name}: {found} solutions, and not {case.count}")
    return LIMIT if search.ended == "time" else seconds


if __name__ == "__main__":
    main()
