"""Many puzzles that share one grounding: `batch`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from aspdoku.api.source import (
    Constants,
    Names,
    Rules,
    program_of,
)
from aspdoku.engine.batch import BatchJob, LineResult, solve_lines
from aspdoku.engine.processes import ChildProcessExecutor
from aspdoku.puzzle import Puzzle


def batch(
    lines: Iterable[str],
    *,
    size: int = 9,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    jobs: int = 1,
    time_limit_each: float | None = None,
) -> Iterator[LineResult]:
    """Solve many puzzles of one size, which share one grounding; a result for each line, in order.

    lines: a puzzle each: one character per cell, optionally followed by a space and facts
    size: number of rows of the grids
    jobs: number of child processes
    time_limit_each: seconds for each line
    The other arguments are those of `solve`. A line that is not a puzzle gives a result with the
    status "bad input". Raises PuzzleError for an invalid size, RuleError.
    """
    if isinstance(lines, str | bytes):
        raise TypeError("expected several lines, not one string: use text.splitlines()")
    program = program_of(Puzzle.blank(size), with_, without, constants)
    executor = partial(ChildProcessExecutor, jobs)
    return solve_lines(lines, BatchJob(program, time_limit_each), executor, 2 * jobs)
