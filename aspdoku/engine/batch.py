"""Any number of puzzles, a line each: answers in the order of the lines, by processes that each have a grounding of their own.

It is written against `concurrent.futures.Executor`: in this process, in several, or on a cluster, with the same answers.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import connection
from typing import Literal, NamedTuple

from aspdoku.engine.board import Board
from aspdoku.engine.limits import Limits, Stopped, run
from aspdoku.errors import AspdokuError, PuzzleError
from aspdoku.program import Program, join
from aspdoku.program.needs import unknown_exceptions, unused_facts
from aspdoku.puzzle import Function
from aspdoku.puzzle.formats import oneline

Status = Literal["unique", "several", "none", "timed out", "bad input", "crashed", "empty"]

# How long a chunk of lines should take, in seconds: long beside its way to another process, short for a person who waits.
_CHUNK = 0.2
_LONGEST_CHUNK = 1000
# Groundings that a process keeps, for puzzles that bring facts of their own.
_BOARDS = 4
# Seconds between two looks whether the parent of a worker is still there, and whether a worker is.
_HEARTBEAT = 1.0
# What a line may take that has brought a process down before, in seconds and bytes.
_ALONE = Limits(seconds=600, processor=600, memory=4 << 30)


class Task(NamedTuple):
    """What all lines have in common: a program over a blank grid, and seconds for each puzzle, None for as long as it takes."""

    program: Program
    time_limit: float | None = None


class Result(NamedTuple):
    """What a line came to: its status, the solution in reading order if one was found, and why there is no answer.

    "empty": the line holds no puzzle; "crashed": it brings a process down, whenever it is tried
    """

    status: Status
    numbers: bytes = b""
    reason: str = ""


# What the lines of a chunk come to, and the seconds that it took.
Answers = tuple[list[Result], float]


class Processes(ProcessPoolExecutor):
    """So many processes, which end at once when they are to drop what they are at; Ctrl-C is for the parent."""

    def __init__(self, number: int) -> None:
        super().__init__(number, initializer=_serve, initargs=(os.getpid(),))

    def has_lost_one(self) -> bool:
        """Whether a process has ended; Python itself does not see it where that was in the middle of an answer."""
        return bool(connection.wait([child.sentinel for child in list((self._processes or {}).values())], 0))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, in the middle of their work where it is not to be waited for."""
        children = [] if wait else list((self._processes or {}).values())
        for child in children:
            child.kill()
        super().shutdown(wait, cancel_futures=cancel_futures)
        for child in children:
            child.join(_HEARTBEAT)


def _serve(parent: int) -> None:
    """The life of a worker: Ctrl-C is not for it, and it ends with its parent, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_HEARTBEAT)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def results(
    lines: Iterable[str],
    task: Task,
    executor: Callable[[], Executor],
    window: int = 1,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """What each line comes to, in the order of the lines.

    executor: makes an executor, and another one where the first breaks down
    window: how many chunks of lines, of at most a thousand each, are on their way at a time; these are held, and the one before
        them, whose results are being taken
    check: is called while results are waited for, and raises AspdokuError where there will be none any more
    """
    run_ = _Run(task, executor, check)
    try:
        yield from run_.results(iter(lines), window)
    finally:
        run_.executor.shutdown(wait=False)


def answer_lines(task: Task, lines: list[str]) -> Answers:
    """What each line comes to, and the seconds that it took: the work of one process."""
    began = time.perf_counter()
    return [_result(task, line) for line in lines], time.perf_counter() - began


class _Run:
    def __init__(self, task: Task, executor: Callable[[], Executor], check: Callable[[], None]) -> None:
        self._task = task
        self._make = executor
        self._check = check
        self._size = 1
        self.executor = executor()

    def results(self, lines: Iterator[str], window: int) -> Iterator[Result]:
        waiting: deque[tuple[list[str], Future[Answers]]] = deque()
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
            except Exception:  # a process was killed, or the line is one that kills: whichever, the others go on
                self._renew()
                found, seconds = self._again(chunk), _CHUNK
                waiting = deque((other, done if _succeeded(done) else self._submit(other)) for other, done in waiting)
            self._size = max(1, min(int(len(chunk) * _CHUNK / max(seconds, 1e-6)), self._size * 4, _LONGEST_CHUNK))
            yield from found

    def _submit(self, chunk: list[str]) -> Future[Answers]:
        try:
            return self.executor.submit(answer_lines, self._task, chunk)
        except Exception as error:  # it broke while nobody waited, which is told when the chunk's turn comes
            future: Future[Answers] = Future()
            future.set_exception(error)
            return future

    def _wait(self, future: Future[Answers]) -> Answers:
        while not wait([future], _HEARTBEAT).done:
            self._check()
            if isinstance(self.executor, Processes) and self.executor.has_lost_one():
                raise BrokenExecutor("a process has ended")
        return future.result()

    def _renew(self) -> None:
        self._check()
        self.executor.shutdown(wait=False)
        self.executor = self._make()

    def _again(self, chunk: list[str]) -> list[Result]:
        """The results of a chunk by itself; if it fails again, of its halves, down to a line in a process that may fail alone."""
        try:
            return self._wait(self._submit(chunk))[0]
        except AspdokuError:
            raise
        except Exception:
            self._renew()
        if len(chunk) == 1:
            return [self._alone(chunk[0])]
        middle = len(chunk) // 2
        return self._again(chunk[:middle]) + self._again(chunk[middle:])

    def _alone(self, line: str) -> Result:
        outcome = run(_ALONE, answer_lines, self._task, [line])
        return Result("crashed", reason=_one_line(str(outcome))) if isinstance(outcome, Stopped) else outcome[0][0]


def _succeeded(future: Future[Answers]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _one_line(text: str) -> str:
    return "; ".join(text.splitlines())


class _Kept(threading.local):
    """The groundings that a thread keeps: a cluster's worker has several threads, and clingo's control is for one at a time."""

    def __init__(self) -> None:
        self.boards: OrderedDict[object, Board] = OrderedDict()


_kept = _Kept()


def _result(task: Task, line: str) -> Result:
    try:
        puzzle = oneline.read(line, task.program.puzzle.size)
        if puzzle is None:
            return Result("empty")
        board = _board(task, puzzle.facts)
    except AspdokuError as error:
        return Result("bad input", reason=_one_line(str(error)))
    answer = board.answer(puzzle.numbers)
    return Result(answer.verdict, answer.numbers)


def _board(task: Task, facts: tuple[Function, ...]) -> Board:
    """The grounding for a puzzle with these facts of its own; the last few are kept."""
    key = task.program.text, task.time_limit, facts
    boards = _kept.boards
    if key not in boards:
        boards[key] = Board(_with_facts(task.program, facts) if facts else task.program, task.time_limit)
        while len(boards) > _BOARDS:
            boards.popitem(last=False)
    boards.move_to_end(key)
    return boards[key]


def _with_facts(program: Program, facts: tuple[Function, ...]) -> Program:
    """The program with a puzzle's own facts. Raises PuzzleError for facts that no rule reads."""
    rules = [part.rule for part in program.parts]
    if unread := [*unused_facts(rules, facts), *unknown_exceptions(rules, facts)]:
        raise PuzzleError("; ".join(unread))
    return join(program.puzzle.but(facts=(*program.puzzle.facts, *facts)), rules, constants=program.constants)
