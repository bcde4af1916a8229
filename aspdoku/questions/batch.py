"""Many puzzles that share one grounding: `batch`, and the files of its results."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, product, tee
from pathlib import Path
from typing import Any, Unpack, get_args

from aspdoku.engine.batch import BatchJob, LineResult, LineStatus, solve_lines
from aspdoku.errors import AspdokuError, AspdokuWarning
from aspdoku.formats.detection import arranged
from aspdoku.program import Program
from aspdoku.puzzle import Function, Puzzle, Solution
from aspdoku.puzzle.puzzle import UNUSED, numbers_by_cell
from aspdoku.puzzle.render import UNUSED_SIGN
from aspdoku.puzzlefile import oneline
from aspdoku.puzzlefile.lines import quote
from aspdoku.questions import source
from aspdoku.questions.result import Result
from aspdoku.runtime.pool import ChildProcessExecutor
from aspdoku.runtime.signals import interruptible

_LONGEST = 10.0**6  # seconds; a longer limit is none: no thread can wait so long
_HEADER = "line,status,solution,reason\n"
_FIRST = '{"line": 1, "status": '
_SIGNS = re.compile("[1-9A-Z.]+|-")  # a dot for an unused cell
_STATUS = rf"({'|'.join(get_args(LineStatus))})"
_LINES = {
    "line": re.compile(rf"(?:{_SIGNS.pattern}) {_STATUS}(?:: .*)?\n"),
    "jsonl": re.compile(rf'{{"line": (?P<number>\d+), "status": "{_STATUS}", .*}}\n'),
    "csv": re.compile(rf"(?P<number>\d+),{_STATUS},.*,.*\n"),
}


@dataclass(frozen=True, repr=False)
class BatchResult(Result):
    """The result of a line of `batch`.

    blank: the grid without the line's givens and facts
    line: its number, from 1
    text: the line itself
    data: the result, with the `reason` why there is no solution, or which parts are unsupported
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
    def solution(self) -> Solution | None:
        """The solution, or the first of several; None if there is none."""
        if not self.data.numbers:
            return None
        blank = self.blank
        content = oneline.parse_line(self.text, blank.size, blank.numbers, UNUSED_SIGN)
        assert content is not None
        facts = (*blank.facts, *content.facts)
        givens = oneline.rows_of(content.numbers, blank.size)
        puzzle = blank.replace(grid=givens, facts=facts, title=content.comment)
        rows = oneline.rows_of(self.data.numbers, blank.size)
        if 0 in self.data.numbers:
            used = numbers_by_cell(rows)
            cells = product(range(1, blank.size + 1), repeat=2)
            unused = tuple(Function(UNUSED[0], cell) for cell in cells if cell not in used)
            # The facts of the line may add boards.
            regions = tuple(fact for fact in blank.layout if fact.signature != UNUSED)
            puzzle = puzzle.replace(layout=(*unused, *regions))
        return Solution(puzzle, rows)

    def __str__(self) -> str:
        return _line(self.line, self.data).rstrip("\n")

    _text = __str__

    def _summary(self) -> str:
        return str(replace(self, data=self.data._replace(reason="")))

    def _caveat(self) -> str:
        return f": {self.data.reason}" if self.data.reason else ""

    def to_json(self) -> dict[str, Any]:
        """The object that `aspdoku batch --format jsonl` prints."""
        return _result_json(self.line, self.data)


class BatchResults(Iterator[BatchResult]):
    """The results of `batch` in the order of the lines, each solved when it is asked for."""

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
    like: source.Source | None = None,
    jobs: int = 1,
    time_limit_each: float | None = None,
    **rules: Unpack[source.RuleOptions],
) -> BatchResults:
    """Solve many puzzles of one size, which share one grounding; a result for each line, in order.

    lines: a puzzle each: one character per cell, optionally followed by a space and facts, or in
        one of several columns, as in a CSV file; cells that are not used may be marked by /. The
        lines of a text in another format are read as `read` does, with a result for each puzzle
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
    source.require_natural(jobs, "number of processes", 1)
    program = source.program_of(source.blank_or(like, size), time_limit_each, **rules)
    program = for_all_lines(program, rules.get("facts", ()))
    oneline.check_numbers(program.puzzle.size, program.puzzle.numbers)
    executor = partial(ChildProcessExecutor, jobs)
    known = program.puzzle.size if size is not None or like is not None else 0
    unsupported, arranged_lines = arranged(map(_require_text, lines), size=known)
    for column in unsupported:
        warnings.warn(f"unsupported and ignored: {column}", AspdokuWarning, stacklevel=3)
    program = replace(program, puzzle=program.puzzle.with_unsupported(*unsupported))
    solved, texts = tee(arranged_lines)
    each = time_limit_each if (time_limit_each or 0) <= _LONGEST else None
    results = solve_lines(solved, BatchJob(program, each), executor, 2 * jobs)
    return BatchResults(
        BatchResult(program.puzzle, number, text, result)
        for result, text, number in zip(results, texts, count(1), strict=False)
    )


def for_all_lines(program: Program, facts: source.Facts) -> Program:
    """The program without the givens of its puzzle. Raises AspdokuError if facts are givens."""
    source.refuse_givens(facts, program.puzzle.size, "each line has those of its grid")
    return program.without_givens()


def _require_text(line: str) -> str:
    if not isinstance(line, str):
        raise TypeError(f"expected a line of text, not {line!r}")
    return line


def header(format_: str) -> str:
    """The header of the results, if the format has one."""
    return _HEADER if format_ == "csv" else ""


def result_formatter(format_: str) -> Callable[[int, LineResult], str]:
    """The function that formats a result, given the number of its input line, counted from 1."""
    return {"line": _line, "jsonl": _jsonl, "csv": _csv}[format_]


def read_results(path: Path, format_: str) -> Iterator[bytes]:
    """The complete results in a file, one line each; none if there is no file. Raises AspdokuError
    if the file holds anything else.
    """
    if not path.is_file():
        return
    heads = len(header(format_).splitlines())
    with path.open("rb") as file:
        for number, line in enumerate(file, 1 - heads):
            text = line.decode(errors="replace")
            if number == 1 - heads and not _may_begin(text, format_):
                message = f"not a file of results in the format {format_}; cannot resume"
                raise AspdokuError(f"{path}: {message}")
            if not line.endswith(b"\n"):
                return
            if number < 1:
                continue
            match = _LINES[format_].fullmatch(text)
            if not match or int(match.groupdict().get("number", number)) != number:
                message = f"not result {number} in the format {format_}: {quote(text)}"
                raise AspdokuError(f"{path}:{number + heads}: {message}")
            yield line


def _may_begin(line: str, format_: str) -> bool:
    """Whether a file of results can start with this line, which may be incomplete."""
    begin, known = line, [{"csv": _HEADER, "jsonl": _FIRST}.get(format_, "")]
    if format_ == "line":
        signs, _, begin = line.partition(" ")
        known = [status + end for status in get_args(LineStatus) for end in (": ", "\n")]
        if not _SIGNS.fullmatch(signs):
            return False
    return any(begin.startswith(each) or each.startswith(begin) for each in known)


def _line(_: int, result: LineResult) -> str:
    reason = f": {_one_line(result)}" if result.reason else ""
    return f"{oneline.format_line(result.numbers) or '-'} {result.status}{reason}\n"


def _result_json(number: int, result: LineResult) -> dict[str, object]:
    return {
        "line": number,
        "status": result.status,
        "solution": oneline.format_line(result.numbers) or None,
        "reason": _one_line(result),
    }


def _jsonl(number: int, result: LineResult) -> str:
    return json.dumps(_result_json(number, result)) + "\n"


def _csv(number: int, result: LineResult) -> str:
    text = io.StringIO()
    row = [number, result.status, oneline.format_line(result.numbers), _one_line(result)]
    csv.writer(text, lineterminator="\n").writerow(row)
    return text.getvalue()


def _one_line(result: LineResult) -> str:
    return "; ".join(result.reason.splitlines())
