"""Many puzzles that share one grounding: `batch`."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, tee
from typing import Any

from aspdoku.api.source import (
    Constants,
    Facts,
    Names,
    Result,
    Rules,
    Source,
    program_of,
    require_integer,
)
from aspdoku.engine.batch import BatchJob, LineResult, LineStatus, solve_lines
from aspdoku.engine.processes import ChildProcessExecutor
from aspdoku.errors import AspdokuError, AspdokuWarning
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import UNUSED
from aspdoku.puzzle.render import UNUSED_SIGN
from aspdoku.puzzlefile import oneline
from aspdoku.puzzlefile.columns import arranged
from aspdoku.report.batch import result_formatter, result_json
from aspdoku.signals import interruptible


@dataclass(frozen=True, repr=False)
class BatchResult(Result):
    """The result of a line of `batch`.

    blank: the grid without the line's givens and facts
    line: its number, from 1
    text: the line itself
    """

    blank: Puzzle = field(compare=False)
    line: int
    text: str
    data: LineResult

    @property
    def status(self) -> LineStatus:
        """ "unique", "several", "none", "timed out", "bad input", "crashed" or "empty"."""
        return self.data.status

    @property
    def reason(self) -> str:
        """What is wrong with the line, why it could not be solved, or which parts of it and of
        `like` are unsupported, such as a solution that is not the puzzle's; empty otherwise.
        """
        return self.data.reason

    @property
    def numbers(self) -> bytes:
        """The numbers of the solution in reading order; empty if there is none."""
        return self.data.numbers

    @property
    def solution(self) -> Solution | None:
        """The solution, or the first of several; None if there is none."""
        if not self.numbers:
            return None
        blank = self.blank
        content = oneline.parse_line(self.text, blank.size, blank.numbers, UNUSED_SIGN)
        assert content is not None
        facts = (*blank.facts, *content.facts)
        givens = oneline.rows_of(content.numbers, blank.size)
        puzzle = blank.replace(grid=givens, facts=facts, title=content.comment)
        rows = oneline.rows_of(self.numbers, blank.size)
        if 0 in self.numbers:
            unused = tuple(
                Function(UNUSED[0], (row, column))
                for row, numbers in enumerate(rows, 1)
                for column, number in enumerate(numbers, 1)
                if not number
            )
            # The facts of the line may add boards.
            regions = tuple(fact for fact in blank.layout if fact.signature != UNUSED)
            puzzle = puzzle.replace(layout=(*unused, *regions))
        return Solution(puzzle, rows)

    def __str__(self) -> str:
        return result_formatter("line")(self.line, self.data).rstrip("\n")

    def _summary(self) -> str:
        return str(replace(self, data=self.data._replace(reason="")))

    def _caveat(self) -> str:
        return f": {self.reason}" if self.reason else ""

    def _json(self) -> dict[str, Any]:
        """The object that `aspdoku batch --format jsonl` prints."""
        return result_json(self.line, self.data)


class BatchResults(Iterator[BatchResult]):
    """The results of `batch` in the order of the lines, each solved when it is asked for; `repr`
    counts those so far.
    """

    def __init__(self, results: Iterator[BatchResult]) -> None:
        self._results = results
        self._statuses: Counter[str] = Counter()

    def __next__(self) -> BatchResult:
        result = next(self._results)
        self._statuses[result.status] += 1
        return result

    def __repr__(self) -> str:
        counts = ", ".join(f"{number} {status}" for status, number in self._statuses.items())
        return f"<BatchResults so far: {counts or 'none'}>"


@interruptible
def batch(
    lines: Iterable[str],
    *,
    size: int | None = None,
    like: Source | None = None,
    with_: Rules = (),
    without: Names = (),
    constants: Constants = None,
    facts: Facts = (),
    jobs: int = 1,
    time_limit_each: float | None = None,
) -> BatchResults:
    """Solve many puzzles of one size, which share one grounding; a result for each line, in order.

    lines: a puzzle each: one character per cell, optionally followed by a space and facts, or in
        one of several columns, as in a CSV file; cells that are not used may be marked by /
    size: number of rows of the grids; 9 by default
    like: a puzzle or program with the size, the numbers, the rules and the facts of all lines,
        instead of `size`; its givens are left out
    jobs: number of child processes
    time_limit_each: seconds for each line
    The other arguments are those of `solve`. A line that is not a puzzle gives a result with the
    status "bad input". Raises PuzzleError for an invalid size, RuleError, TypeError for anything
    that is not a string where a line is expected, AspdokuError if both `size` and `like` are given.
    """
    if isinstance(lines, str | bytes) or not isinstance(lines, Iterable):
        raise TypeError("expected several lines, such as text.splitlines() or an open file")
    require_integer(jobs, "a number of processes")
    if jobs < 1:
        raise AspdokuError(f"invalid number of processes {jobs}: expected at least 1")
    if size is not None and like is not None:
        raise AspdokuError("size and like exclude each other: like has a size")
    source = Puzzle.blank(9 if size is None else size) if like is None else like
    program = program_of(source, with_, without, constants, facts, time_limit_each)
    program = program.without_givens()
    oneline.check_numbers(program.puzzle.size, program.puzzle.numbers)
    executor = partial(ChildProcessExecutor, jobs)
    unsupported, arranged_lines = arranged(map(_require_text, lines))
    for column in unsupported:
        warnings.warn(f"unsupported and ignored: {column}", AspdokuWarning, stacklevel=3)
    program = replace(program, puzzle=program.puzzle.with_unsupported(*unsupported))
    solved, texts = tee(arranged_lines)
    results = solve_lines(solved, BatchJob(program, time_limit_each), executor, 2 * jobs)
    return BatchResults(
        BatchResult(program.puzzle, number, text, result)
        for result, text, number in zip(results, texts, count(1), strict=False)
    )


def _require_text(line: str) -> str:
    if not isinstance(line, str):
        raise TypeError(f"expected a line of text, not {line!r}")
    return line
