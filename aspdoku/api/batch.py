"""Many puzzles that share one grounding: `batch`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    Rules,
    program_of,
    require_integer,
)
from aspdoku.engine.batch import BatchJob, LineResult, solve_lines
from aspdoku.engine.processes import ChildProcessExecutor
from aspdoku.errors import AspdokuError
from aspdoku.puzzle import Puzzle


def batch(
    lines: Iterable[str],
    *,
    size: int = 9,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    jobs: int = 1,
    time_limit_each: float | None = None,
) -> Iterator[LineResult]:
    """Solve many puzzles of one size, which share one grounding; a result for each line, in order.

    lines: a puzzle each: one character per cell, optionally followed by a space and facts
    size: number of rows of the grids
    jobs: number of child processes
    time_limit_each: seconds for each line
    The other arguments are those of `solve`. A line that is not a puzzle gives a result with the
    status "bad input". Raises PuzzleError for an invalid size, RuleError, TypeError for anything
    that is not a string where a line is expected.
    """
    if isinstance(lines, str | bytes) or not isinstance(lines, Iterable):
        raise TypeError("expected several lines, such as text.splitlines() or an open file")
    require_integer(jobs, "a number of processes")
    if jobs < 1:
        raise AspdokuError(f"invalid number of processes {jobs}: expected at least 1")
    program = program_of(Puzzle.blank(size), with_, without, constants, facts, time_limit_each)
    executor = partial(ChildProcessExecutor, jobs)
    checked = map(_require_text, lines)
    return solve_lines(checked, BatchJob(program, time_limit_each), executor, 2 * jobs)


def _require_text(line: str) -> str:
    if not isinstance(line, str):
        raise TypeError(f"expected a line of text, not {line!r}")
    return line
