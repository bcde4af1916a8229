"""Solve any number of puzzles, one per line; results come in the order of the lines.

The work is done by processes, each with its own grounding, behind the interface
`concurrent.futures.Executor`: on this machine or on a cluster.

A line has the same status, and if its solution is unique the same solution, wherever and however
often it is solved. The exceptions are "timed out" and "crashed", which depend on the machine. Which
of several solutions is shown depends on the lines that the same process solved before, since
clingo's heuristics and the order of its clauses carry over from one search to the next. A fresh
grounding for each such line would avoid that, but takes a hundred times as long (46 ms instead of
0.45 ms for a 9x9 grid with 16 givens).
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from contextlib import closing
from itertools import islice, tee
from typing import Literal, NamedTuple

from aspdoku.engine.grids import GroundedGrid
from aspdoku.engine.journal import ResultWriter
from aspdoku.engine.solver import disagreement
from aspdoku.errors import AspdokuError, PuzzleError, RuleError
from aspdoku.program import Program
from aspdoku.program.diagnostics import unknown_exceptions, unused_facts
from aspdoku.puzzle import Function
from aspdoku.puzzle.puzzle import numbers_by_cell
from aspdoku.puzzle.render import UNUSED_SIGN
from aspdoku.puzzlefile import oneline
from aspdoku.puzzlefile.oneline import LineContent
from aspdoku.runtime.child import Aborted, Limits, run_limited
from aspdoku.runtime.pool import ChildError, Workers

LineStatus = Literal["unique", "several", "none", "timed out", "bad input", "crashed", "empty"]

# Lines that may pass before one has the length of a grid.
_MOST_LINES_BEFORE_A_GRID = 1000
# Seconds that a chunk of lines should take: long compared with sending it to another process, short
# for a waiting user, and so that the processes end together.
_CHUNK = 0.1
# Bounds the memory for lines and results in transit, however fast lines are solved.
_LONGEST_CHUNK = 1000
# Groundings that a process keeps, for puzzles with their own facts. Each costs memory in every
# process, and a file with more kinds of facts than this is unlikely to alternate among them.
_CACHED_GROUNDINGS = 4
# Lines after which a process prepares the common grounding for many: in time to be worth it for a
# thousand lines, but not for a few.
_MANY = 100
# Seconds between two checks whether an executor can still deliver results.
_HEARTBEAT = 1.0
# Seconds beyond the time limit after which a line is given up while something uninterruptible, such
# as grounding, runs. Solving stops at the limit without being killed, and needs a moment to do so.
_GRACE = 0.5
# Limits for a line whose process has died before, in seconds and bytes. Generous, because the line
# is retried alone: it is given up only if it would bring down the machine.
_RETRY_LIMITS = Limits(seconds=600, memory=4 << 30)
# Seconds between two flushes of the results: often enough to watch, and an interruption loses
# little; each flush costs a write to the file and one to its journal.
_FLUSH_INTERVAL = 0.25


class BatchJob(NamedTuple):
    """The parameters that all lines share.

    program: over a blank grid
    time_limit: seconds for each line, or None. It covers reading the line and grounding its own
        facts, but not grounding the common program.
    """

    program: Program
    time_limit: float | None = None


class LineResult(NamedTuple):
    """The result of a line.

    status: "empty": the line holds no puzzle; "crashed": the process that solves it dies, also when
        the line is retried
    numbers: the solution in reading order, if one was found
    reason: why there is no solution to show, or which parts of the line and of the job's puzzle are
        unsupported
    """

    status: LineStatus
    numbers: bytes = b""
    reason: str = ""


class ChunkResult(NamedTuple):
    """The results of the lines of a chunk, and the seconds that they took. If a line had to be
    given up, its result is the last one: its thread still runs, and its process should be ended.
    """

    results: list[LineResult]
    seconds: float


def lines_up_to_a_grid(lines: Iterator[str]) -> list[str]:
    """The first lines, up to one that determines the size. Raises AspdokuError without one."""
    taken = []
    for line in islice(lines, _MOST_LINES_BEFORE_A_GRID):
        taken.append(line)
        if oneline.line_size(line):
            return taken
    if taken:
        raise AspdokuError(
            "cannot determine the grid size: no line has n x n characters; set it with e.g."
            " -c n=9, or name a puzzle with the size, numbers and boards by --like. To turn a file"
            " in another format into such lines, use `aspdoku convert FILE puzzles.sdm`"
        )
    return taken


def job_warnings(job: BatchJob, time_limit: float | None = None) -> Iterator[str]:
    """Warnings about the rules of a job, but not about facts. Raises TimeLimitError."""
    program = job.program
    yield from (each for each in program.warnings if each not in program.missing_inputs)
    yield from map(str, GroundedGrid(program, time_limit).messages)


def write_results(
    lines: Iterable[str],
    job: BatchJob,
    workers: Workers,
    writer: ResultWriter,
    to_text: Callable[[int, LineResult], str],
) -> Iterator[int]:
    """Solve lines and write their results; yield the number of results after each flush.

    to_text: formats a result as one line, given the number of its input line, counted from 1
    """
    sent, answered = tee(lines)  # the latter a window of lines behind

    def check() -> None:
        workers.check()
        if writer.has_new:  # the next result may take long
            writer.flush()

    last_flush = 0.0
    # Closed here: a traceback would keep the results, and the executor at work.
    with closing(solve_lines(sent, job, workers.executor, workers.window, check)) as results:
        for result, line in zip(results, answered, strict=False):
            writer.add(line, to_text(writer.results + 1, result))
            if (now := time.monotonic()) - last_flush > _FLUSH_INTERVAL:
                writer.flush()
                last_flush = now
                yield writer.results
    writer.flush()
    yield writer.results


def solve_lines(
    lines: Iterable[str],
    job: BatchJob,
    executor: Callable[[], Executor],
    window: int = 1,
    check: Callable[[], None] = lambda: None,
) -> Generator[LineResult, None, None]:
    """The result of each line, in the order of the lines.

    executor: creates an executor, and another one if the first breaks down
    window: how many chunks of lines are submitted at a time, and held in memory
    check: called while results are awaited; raises AspdokuError if there will be no more of them
    """
    run = _Run(job, executor, check)
    try:
        yield from run.results(iter(lines), window)
    finally:
        run.executor.shutdown(wait=False)


def solve_chunk(job: BatchJob, lines: list[str]) -> ChunkResult:
    """In a worker process, the results up to a line that exceeds the time limit uninterruptibly."""
    began = time.perf_counter()
    chunk = _Chunk(job, lines)
    if job.time_limit is None:
        chunk.solve()
    else:  # in a thread, until it is done or a line exceeds the limit and the grace
        longest = job.time_limit + _GRACE
        thread = threading.Thread(target=chunk.solve, daemon=True)
        thread.start()
        while thread.is_alive() and (left := longest - chunk.seconds) > 0:
            thread.join(min(left, longest))
    return ChunkResult(chunk.results(), time.perf_counter() - began)


class _Run:
    """Submits chunks of lines to an executor, which is replaced if it breaks down."""

    def __init__(
        self, job: BatchJob, executor: Callable[[], Executor], check: Callable[[], None]
    ) -> None:
        self._job = job
        self._make = executor
        self._check = check
        self._size = 1
        self.executor = executor()

    def results(self, lines: Iterator[str], window: int) -> Iterator[LineResult]:
        waiting: deque[tuple[list[str], Future[ChunkResult]]] = deque()
        while True:
            while len(waiting) < window and (chunk := list(islice(lines, self._size))):
                waiting.append((chunk, self._submit(chunk)))
            if not waiting:
                return
            chunk, future = waiting.popleft()
            try:
                results, seconds = self._wait(future)
            except AspdokuError:
                raise
            # A process died by accident, or a line of this chunk kills it: the others continue.
            except Exception as error:
                executor = self.executor
                self._renew_after(error)
                results, seconds = list(map(self._retry, chunk)), _CHUNK
                if self.executor is not executor:
                    waiting = deque(
                        (other, done if _succeeded(done) else self._submit(other))
                        for other, done in waiting
                    )
            if rest := chunk[len(results) :]:
                waiting.appendleft((rest, self._submit(rest)))
            in_time = int(len(results) * _CHUNK / max(seconds, 1e-6))
            # One quick line does not predict the next thousand.
            self._size = max(1, min(in_time, self._size * 4, _LONGEST_CHUNK))
            yield from results

    def _submit(self, chunk: list[str]) -> Future[ChunkResult]:
        try:
            return self.executor.submit(solve_chunk, self._job, chunk)
        except Exception as error:
            # The executor broke between two calls: handled when the chunk's results are awaited.
            future: Future[ChunkResult] = Future()
            future.set_exception(error)
            return future

    def _wait(self, future: Future[ChunkResult]) -> ChunkResult:
        while not wait([future], _HEARTBEAT).done:
            self._check()
        return future.result()

    def _renew_after(self, error: Exception) -> None:
        """Replace the executor after an error, unless the error only ended a child process."""
        self._check()
        if not isinstance(error, ChildError):
            self.executor.shutdown(wait=False)
            self.executor = self._make()

    def _retry(self, line: str) -> LineResult:
        """The result of a line of a chunk that failed, if necessary in a process with limits."""
        try:
            return self._wait(self._submit([line])).results[0]
        except AspdokuError:
            raise
        except Exception as error:
            self._renew_after(error)
        outcome = run_limited(_RETRY_LIMITS, solve_chunk, self._job, [line])
        if isinstance(outcome, Aborted):
            return LineResult("crashed", reason=_one_line(str(outcome)))
        return outcome.results[0]


def _succeeded(future: Future[ChunkResult]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _one_line(text: str) -> str:
    return "; ".join(text.splitlines())


class _GroundingCache(threading.local):
    """Per thread, since a Dask worker has several, and clingo's Control is for one at a time."""

    def __init__(self) -> None:
        self.grids: OrderedDict[object, GroundedGrid] = OrderedDict()


_grounding_cache = _GroundingCache()


class _Chunk:
    """Lines that are solved in one thread while another one may watch the progress."""

    def __init__(self, job: BatchJob, lines: list[str]) -> None:
        self._job = job
        self._lines = lines
        self._grids = _grounding_cache.grids  # of the thread that creates the chunk
        self._results: list[LineResult] = []
        self._failure: BaseException | None = None
        # The index of the current line, and its start time. One tuple, so that another thread never
        # sees the one without the other.
        self._current = (0, math.inf)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._current[1]

    def solve(self) -> None:
        try:
            for index, line in enumerate(self._lines):
                self._current = index, time.monotonic()
                self._results.append(self._result(line))
            self._current = len(self._lines), math.inf
        except BaseException as error:
            self._failure = error

    def results(self) -> list[LineResult]:
        """The results; if the chunk is not done, up to the current line, which has timed out."""
        if self._failure is not None:
            raise self._failure
        current = self._current[0]
        if current == len(self._lines):
            return self._results
        return [*self._results[:current], LineResult("timed out")]

    def _result(self, line: str) -> LineResult:
        try:
            blank = self._job.program.puzzle
            puzzle = oneline.parse_line(line, blank.size, blank.numbers, UNUSED_SIGN)
            if puzzle is None:
                return LineResult("empty")
            grid = self._grid(puzzle.facts) if puzzle.facts else self._common_grid()
            _check_unused(puzzle, grid.unused, blank.size)
        except (PuzzleError, RuleError) as error:
            return LineResult("bad input", reason=_one_line(str(error)))
        except AspdokuError as error:
            return LineResult("crashed", reason=_one_line(str(error)))
        limit = self._job.time_limit
        left = None if limit is None else max(0.0, limit - self.seconds)
        status, numbers = grid.solve(puzzle.numbers, left)
        if puzzle.solution:
            both = (oneline.rows_of(each, blank.size) for each in (puzzle.solution, numbers))
            if ignored := disagreement(status, *map(numbers_by_cell, both)):
                blank = blank.with_unsupported(ignored)
        return LineResult(status, numbers, blank.caveat.lstrip(" -"))

    def _common_grid(self) -> GroundedGrid:
        """The grounding for puzzles without their own facts, not counted in the time for a line."""
        index, _ = self._current
        self._current = index, math.inf
        grid = self._grid(())
        if grid.solved == _MANY:
            grid.prepare_for_many()
        self._current = index, time.monotonic()
        return grid

    def _grid(self, facts: tuple[Function, ...]) -> GroundedGrid:
        program, grids = self._job.program, self._grids
        key = program.text, facts
        if key not in grids:
            own = _with_facts(program, facts) if facts else program
            grids[key] = GroundedGrid(own, for_many=not facts)
            while len(grids) > _CACHED_GROUNDINGS:
                grids.popitem(last=False)
        grids.move_to_end(key)
        return grids[key]


def _check_unused(content: LineContent, unused: Collection[int], size: int) -> None:
    for index in (*content.unused, *unused):
        place = f"r{index // size + 1}c{index % size + 1}"
        if index not in unused:
            advice = "" if unused else "; boards are stated by the puzzle that --like names"
            raise PuzzleError(f"{place} is marked as unused, but by the rules it is used{advice}")
        if number := content.numbers[index]:
            raise PuzzleError(f"{place} is not used, but the number {number} is given in it")


def _with_facts(program: Program, facts: tuple[Function, ...]) -> Program:
    rules = program.rules
    if unused := [*unused_facts(rules, facts), *unknown_exceptions(rules, facts)]:
        raise PuzzleError("; ".join(unused))
    return program.changed(facts=(*program.puzzle.facts, *facts))
