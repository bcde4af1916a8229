"""Any number of puzzles, one per line.

Results in the order of the lines, computed by processes with a grounding each.

It is written against `concurrent.futures.Executor`: in this process, in several, or on a cluster. A
line has the same status, and if its solution is the only one the same solution, wherever and
however often it is answered. The exceptions are "timed out" and "crashed", which depend on the
machine. Which of several solutions is shown depends on the lines that the same process answered
before, since clingo's heuristics and the order of its clauses carry over from one search to the
next. A fresh grounding for each such line would avoid that, but takes a hundred times as long (46
ms instead of 0.45 ms for a 9x9 grid with 16 givens).
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, wait
from itertools import islice
from typing import Literal, NamedTuple

from aspdoku.engine.grids import GroundedGrid
from aspdoku.engine.processes import ChildError
from aspdoku.engine.sandbox import Aborted, Limits, run_limited
from aspdoku.errors import AspdokuError, PuzzleError, RuleError
from aspdoku.program import Program, assemble
from aspdoku.program.diagnostics import unknown_exceptions, unused_facts
from aspdoku.puzzle import Function
from aspdoku.puzzlefile import oneline

LineStatus = Literal["unique", "several", "none", "timed out", "bad input", "crashed", "empty"]

# How long a chunk of lines should take, in seconds: long beside its way to another process, short
# for a person who waits.
_CHUNK = 0.2
_LONGEST_CHUNK = 1000
# Groundings that a process keeps, for puzzles that bring facts of their own.
_BOARDS = 4
# Seconds between two checks whether an executor can still deliver results.
_HEARTBEAT = 1.0
# Seconds beyond the time limit after which a line is given up in the middle of what cannot be
# interrupted, such as grounding.
_GRACE = 0.5
# What a line may take that has brought a process down before, in seconds and bytes.
_ALONE = Limits(seconds=600, processor=600, memory=4 << 30)


class BatchJob(NamedTuple):
    """What all lines have in common.

    A program over a blank grid, and seconds for each line, or None.

    The limit covers reading the line and grounding its own facts; grounding the common program does
    not count.
    """

    program: Program
    time_limit: float | None = None


class LineResult(NamedTuple):
    """What a line came to.

    Its status, the solution in reading order if one was found, and why there is no answer.

    "empty": the line holds no puzzle; "crashed": it brings a process down, whenever it is tried
    """

    status: LineStatus
    numbers: bytes = b""
    reason: str = ""


class ChunkResult(NamedTuple):
    """The results of the lines of a chunk, and the seconds that they took.

    If a line had to be given up, its result is the last one, and the following lines are not
    answered: its thread still runs, and the process that it runs in should be ended.
    """

    results: list[LineResult]
    seconds: float


def solve_lines(
    lines: Iterable[str],
    task: BatchJob,
    executor: Callable[[], Executor],
    window: int = 1,
    check: Callable[[], None] = lambda: None,
) -> Iterator[LineResult]:
    """What each line comes to, in the order of the lines.

    executor: makes an executor, and another one where the first breaks down
    window: how many chunks of lines, of at most a thousand each, are on their way at a time; these
        are held, and the one before them, whose results are being taken
    check: is called while results are waited for, and raises AspdokuError where there will be none
    any more
    """
    run_ = _Run(task, executor, check)
    try:
        yield from run_.results(iter(lines), window)
    finally:
        run_.executor.shutdown(wait=False)


def solve_chunk(task: BatchJob, lines: list[str]) -> ChunkResult:
    """The results of lines, up to one that exceeds the time limit and cannot be interrupted.

    The work of one process.
    """
    began = time.perf_counter()
    chunk = _Chunk(task, lines, _kept.boards)
    if task.time_limit is None:
        chunk.answer()
    else:
        _watch(chunk, task.time_limit)
    return ChunkResult(chunk.results(), time.perf_counter() - began)


def _watch(chunk: _Chunk, time_limit: float) -> None:
    """Answer a chunk in a thread, until it is done or has spent more than the limit and some grace
    on a line.
    """
    thread = threading.Thread(target=chunk.answer, daemon=True)
    thread.start()
    while thread.is_alive() and (left := time_limit + _GRACE - chunk.seconds) > 0:
        thread.join(min(left, time_limit + _GRACE))


class _Run:
    def __init__(
        self, task: BatchJob, executor: Callable[[], Executor], check: Callable[[], None]
    ) -> None:
        self._task = task
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
                found, seconds = self._wait(future)
            except AspdokuError:
                raise
            # a process ended, or the line is one that ends processes: in either case the others go
            # on
            except Exception as error:
                executor = self.executor
                self._renew_after(error)
                found, seconds = list(map(self._single, chunk)), _CHUNK
                if self.executor is not executor:
                    waiting = deque(
                        (other, done if _succeeded(done) else self._submit(other))
                        for other, done in waiting
                    )
            if rest := chunk[len(found) :]:
                waiting.appendleft((rest, self._submit(rest)))
            self._size = max(
                1,
                min(int(len(found) * _CHUNK / max(seconds, 1e-6)), self._size * 4, _LONGEST_CHUNK),
            )
            yield from found

    def _submit(self, chunk: list[str]) -> Future[ChunkResult]:
        try:
            return self.executor.submit(solve_chunk, self._task, chunk)
        except (
            Exception
        ) as error:  # it broke while nobody waited, which is told when the chunk's turn comes
            future: Future[ChunkResult] = Future()
            future.set_exception(error)
            return future

    def _wait(self, future: Future[ChunkResult]) -> ChunkResult:
        while not wait([future], _HEARTBEAT).done:
            self._check()
        return future.result()

    def _renew_after(self, error: Exception) -> None:
        """Replace the executor after an error, unless that only cost it a child process."""
        self._check()
        if not isinstance(error, ChildError):
            self.executor.shutdown(wait=False)
            self.executor = self._make()

    def _single(self, line: str) -> LineResult:
        """The result of a line of a chunk that failed.

        If it fails again, it is tried in a process with limits.
        """
        try:
            return self._wait(self._submit([line])).results[0]
        except AspdokuError:
            raise
        except Exception as error:
            self._renew_after(error)
        outcome = run_limited(_ALONE, solve_chunk, self._task, [line])
        return (
            LineResult("crashed", reason=_one_line(str(outcome)))
            if isinstance(outcome, Aborted)
            else outcome.results[0]
        )


def _succeeded(future: Future[ChunkResult]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _one_line(text: str) -> str:
    return "; ".join(text.splitlines())


class _Kept(threading.local):
    """The groundings that a thread keeps.

    A cluster's worker has several threads, and clingo's control is for one at a time.
    """

    def __init__(self) -> None:
        self.boards: OrderedDict[object, GroundedGrid] = OrderedDict()


_kept = _Kept()


class _Chunk:
    """Lines that are answered in one thread while another one may look how far it is."""

    def __init__(
        self, task: BatchJob, lines: list[str], boards: OrderedDict[object, GroundedGrid]
    ) -> None:
        self._task = task
        self._lines = lines
        self._boards = boards
        self._found: list[LineResult] = []
        self._failure: BaseException | None = None
        self._current = (
            0,
            math.inf,
        )  # the line that is being answered, and since when; one tuple, so that both change at once

    @property
    def seconds(self) -> float:
        """How long the current line has taken."""
        return time.monotonic() - self._current[1]

    def answer(self) -> None:
        """Answer the lines."""
        try:
            for place, line in enumerate(self._lines):
                self._current = place, time.monotonic()
                self._found.append(self._result(line))
            self._current = len(self._lines), math.inf
        except BaseException as error:
            self._failure = error

    def results(self) -> list[LineResult]:
        """The results; if the chunk is not done, up to the current line, which has timed out.

        Raises what a line raised.
        """
        if self._failure is not None:
            raise self._failure
        current = self._current[0]
        return (
            self._found
            if current == len(self._lines)
            else [*self._found[:current], LineResult("timed out")]
        )

    def _result(self, line: str) -> LineResult:
        try:
            puzzle = oneline.parse_line(line, self._task.program.puzzle.size)
            if puzzle is None:
                return LineResult("empty")
            board = self._board(puzzle.facts) if puzzle.facts else self._common()
        except (PuzzleError, RuleError) as error:
            return LineResult("bad input", reason=_one_line(str(error)))
        except AspdokuError as error:
            return LineResult("crashed", reason=_one_line(str(error)))
        limit = self._task.time_limit
        answer = board.solve(
            puzzle.numbers, None if limit is None else max(0.0, limit - self.seconds)
        )
        return LineResult(answer.status, answer.numbers)

    def _common(self) -> GroundedGrid:
        """The grounding for puzzles without facts of their own.

        Making it does not count as time for the line.
        """
        place, _ = self._current
        self._current = place, math.inf
        board = self._board(())
        self._current = place, time.monotonic()
        return board

    def _board(self, facts: tuple[Function, ...]) -> GroundedGrid:
        """The grounding for a puzzle with these facts of its own; the last few are kept."""
        key = self._task.program.text, facts
        if key not in self._boards:
            self._boards[key] = GroundedGrid(
                _with_facts(self._task.program, facts) if facts else self._task.program
            )
            while len(self._boards) > _BOARDS:
                self._boards.popitem(last=False)
        self._boards.move_to_end(key)
        return self._boards[key]


def _with_facts(program: Program, facts: tuple[Function, ...]) -> Program:
    """The program with a puzzle's own facts. Raises PuzzleError for facts that no rule reads."""
    rules = [part.rule for part in program.parts]
    if unread := [*unused_facts(rules, facts), *unknown_exceptions(rules, facts)]:
        raise PuzzleError("; ".join(unread))
    return assemble(
        program.puzzle.replace(facts=(*program.puzzle.facts, *facts)),
        rules,
        constants=program.constants,
    )
