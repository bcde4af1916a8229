"""`aspdoku batch`."""

from __future__ import annotations

import logging
import math
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from io import BufferedWriter, FileIO, TextIOWrapper
from itertools import chain, count, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from aspdoku.cli import interruption
from aspdoku.cli.echo import echo
from aspdoku.cli.options import (
    blank,
    each_limit_option,
    interrupted_at_time_limit,
    limit_options,
    program_of,
    rule_options,
    settings_from,
    shorter,
    warn,
)
from aspdoku.errors import AspdokuError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from _typeshed import ReadableBuffer

    from aspdoku.engine.batch import BatchJob, LineResult
    from aspdoku.engine.journal import Journal
    from aspdoku.program import Program

# How many lines may pass before the size of the grids has to show.
_PEEK = 1000
_SECONDS = 0.25  # from one look at how far it has come to the next
_SECONDS_TO_CONNECT = 10


@click.command(short_help="Solve many puzzles, a line each.")
@click.argument("file", type=click.Path(allow_dash=True))
@rule_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write here instead of to standard output.",
)
@click.option(
    "--resume", is_flag=True, help="Go on behind the last line that stands in the output."
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Processes to work in.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Work on this Dask cluster instead, as in tcp://127.0.0.1:8786.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["line", "jsonl", "csv"]),
    default="line",
    show_default=True,
)
@each_limit_option("puzzle, grounding of its own facts included")
@limit_options
@click.pass_context
def batch(
    ctx: click.Context,
    file: str,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    output: Path | None,
    resume: bool,
    jobs: int,
    dask: str | None,
    format_: str,
    each_limit: float | None,
) -> None:
    """Solve any number of puzzles of one size under one set of rules.

    FILE is a file, or - for standard input.

    A line holds a grid, a character a cell, and behind a blank the facts of its own, if any. A line
    out for each line in, in
    order: the solution and unique, several, none, timed out, bad input, crashed, or empty. With -o
    FILE, FILE.resume records what --resume needs to check that puzzles and rules are the same.
    Exit status: 0 all lines were read, 65 bad input, 74 output, 124 time limit, 130 interrupted.

    \b
    aspdoku batch --with anti-knight -j 2 puzzles.txt -o answers.txt
    aspdoku batch --with anti-knight -j 2 puzzles.txt -o answers.txt --resume
    """
    from aspdoku.engine.batch import BatchJob, solve_lines
    from aspdoku.puzzlefile import oneline
    from aspdoku.report.batch import result_formatter

    if resume and output is None:
        raise click.UsageError("--resume goes with --output: what has been done is read there")
    settings = settings_from(constants)
    with ExitStack() as open_:
        lines = oneline.bounded_lines(_source(file, open_))
        if (
            output is not None
            and file != "-"
            and output.is_file()
            and os.path.samefile(file, output)
        ):
            raise click.UsageError(
                f"{output} is the file of the puzzles: the answers go into another one"
            )
        peeked = [] if "n" in settings else _up_to_a_grid(lines)
        puzzle = blank(settings, (oneline.line_size(peeked[-1]) if peeked else None) or 9)
        oneline.check_size(puzzle.size)
        task = BatchJob(program_of(puzzle, with_, without, settings), each_limit)
        _tell_remarks(task)
        executor, window, check = _executor(jobs, dask, open_)
        out = _Output(output, open_)
        source = "standard input" if file == "-" else file
        lines = out.start(format_, task.program, chain(peeked, lines), source, resume)
        answer = partial(solve_lines, task=task, executor=executor, window=window, check=check)
        try:
            with interrupted_at_time_limit():
                _write(
                    _answered(lines, answer),
                    out,
                    result_formatter(format_),
                    _left(file, out.results),
                )
        except KeyboardInterrupt:
            reason, status = interruption(ctx)
            echo(f"aspdoku: {reason}; {out.interrupted()}", err=True)
            ctx.exit(status)


def _tell_remarks(task: BatchJob) -> None:
    """Report what is wrong with the rules.

    But not that facts are lacking, for a line may bring its own.

    Raises TimeLimitError if grounding the rules alone exceeds the limit for each puzzle by more
    than a second.
    """
    from aspdoku.engine.grids import GroundedGrid
    from aspdoku.program.diagnostics import missing_inputs

    program = task.program
    lacking = missing_inputs([part.rule for part in program.parts], program.puzzle.facts)
    for warning in program.warnings:
        if warning not in lacking:
            warn(warning)
    for remark in GroundedGrid(program, shorter((task.time_limit or math.inf) + 1)).messages:
        warn(str(remark))


class _File(FileIO):
    """A file whose write errors name it."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self.name
            raise


class _Output:
    """Where the results go: standard output, or a file, which is locked and has a journal.

    results: how many there are, those of earlier runs included
    """

    def __init__(self, path: Path | None, open_: ExitStack) -> None:
        self.results = 0
        self.sink: IO[str] = sys.stdout
        self._path = path
        self._open = open_
        self._journal: Journal | None = None
        self._flushed = 0, 0  # results and bytes at the last flush
        if path is not None:
            self.sink = self._append_to(path)
            if path.is_file():
                _lock(self.sink, path)

    def start(
        self, format_: str, program: Program, lines: Iterator[str], source: str, resume: bool
    ) -> Iterator[str]:
        """Prepare for writing, and return the lines whose results are not in the file yet.

        Raises AspdokuError if it holds results that do not belong to these lines and rules.
        """
        from aspdoku.engine import journal
        from aspdoku.report.batch import header, read_results

        if self._path is None or not self._path.is_file():
            self.sink.write(header(format_))
            return lines
        if self._path.stat().st_size and not resume:
            raise click.UsageError(
                f"{self._path} is not empty: continue with --resume, or remove it"
            )
        side = journal.path_of(self._path)
        journal.refuse_foreign(side)
        checked = journal.check(
            self._path, program, lines, source, read_results(self._path, format_)
        )
        record = self._append_to(side)
        self.sink.truncate(len(header(format_)) + checked.size if checked.results else 0)
        record.truncate(checked.end)
        if not checked.results:
            self.sink.write(header(format_))
            record.write(journal.head(program))
        self._journal = journal.Journal(record, checked.results, checked.digest)
        self.results = checked.results
        self.flush()
        return checked.rest

    def add(self, line: str, text: str) -> None:
        """Write the result of a line."""
        self.sink.write(text)
        self.results += 1
        if self._journal:
            self._journal.add(line, text)

    def flush(self) -> None:
        """Flush the results, and record them after that."""
        self.sink.flush()
        if self._journal and self._path:
            self._flushed = self.results, self._path.stat().st_size
            self._journal.record()

    def interrupted(self) -> str:
        """Flush the results after an interruption, which may have come between writing a result and
        counting it.
        """
        self.sink.flush()
        if self._journal is None or self._path is None:
            return f"{self.results} lines are done"
        results, size = self._flushed
        with self._path.open("rb") as file:
            file.seek(size)
            results += file.read().count(b"\n")
        return f"{results} lines are done; continue with --resume"

    def _append_to(self, path: Path) -> IO[str]:
        return self._open.enter_context(
            TextIOWrapper(BufferedWriter(_File(path, "a")), encoding="utf-8", newline="\n")
        )


def _lock(file: IO[str], path: Path) -> None:
    """Lock a file until it is closed, where the system has flock.

    Raises OSError if another process holds the lock.
    """
    try:
        import fcntl
    except ImportError:  # Windows: there, two commands that write to one file go unnoticed
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise OSError(error.errno, "another aspdoku batch is writing to it", str(path)) from None


def _answered(
    lines: Iterator[str], answer: Callable[[Iterator[str]], Iterator[LineResult]]
) -> Iterator[tuple[str, LineResult]]:
    """Each line with its result."""
    asked: deque[str] = deque()

    def ask() -> Iterator[str]:
        for line in lines:
            asked.append(line)
            yield line

    for result in answer(ask()):
        yield asked.popleft(), result


def _write(
    found: Iterator[tuple[str, LineResult]],
    out: _Output,
    write: Callable[[int, LineResult], str],
    left: int | None,
) -> None:
    """Write the results as they come, and show the progress on a terminal."""
    before, last, began = out.results, 0.0, time.monotonic()
    bar = click.progressbar(
        count(1),
        left,
        file=sys.stderr,
        hidden=not _on_terminal() or out.sink.isatty(),
        show_pos=True,
        item_show_func=lambda done: (
            f"{done / (time.monotonic() - began):.0f} lines a second" if done else None
        ),
    )

    def show() -> None:
        bar.update(out.results - before - bar.pos, out.results - before)

    with bar:
        for line, result in found:
            out.add(line, write(out.results + 1, result))
            if (now := time.monotonic()) - last > _SECONDS:
                out.flush()
                show()
                last = now
        out.flush()
        show()


def _left(file: str, before: int) -> int | None:
    """How many lines are left to do.

    None where nobody sees it or the lines can be read only once, as those of a pipe.
    """
    if not _on_terminal() or file == "-" or not Path(file).is_file():
        return None
    with open(file, encoding="latin-1") as stream:
        return sum(1 for _ in stream) - before


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _source(file: str, open_: ExitStack) -> IO[str]:
    if file == "-" and sys.stdin is None:
        raise AspdokuError("there is no standard input to read")
    if file == "-":
        return TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")
    try:
        return open_.enter_context(open(file, encoding="utf-8-sig", errors="replace"))
    except OSError as error:
        raise AspdokuError(f"{file}: {error.strerror or error}") from None


def _up_to_a_grid(lines: Iterator[str]) -> list[str]:
    """The first lines, up to one whose length says how large the grids are."""
    from aspdoku.puzzlefile.oneline import line_size

    peeked = []
    for line in islice(lines, _PEEK):
        peeked.append(line)
        if line_size(line):
            return peeked
    if peeked:
        raise AspdokuError(
            "no line tells how large the grids are: it holds n x n characters; or say so with -c"
            " n=9. A file in another format becomes such lines by `aspdoku convert FILE"
            " puzzles.sdm`"
        )
    return peeked


def _executor(
    jobs: int, dask: str | None, open_: ExitStack
) -> tuple[Callable[[], Executor], int, Callable[[], None]]:
    """What makes an executor, how many chunks of lines to have on their way in it, and what finds
    out that it is gone.
    """
    from aspdoku.engine.processes import ChildProcessExecutor, NestedExecutor

    if dask is None:
        return partial(ChildProcessExecutor, jobs), 2 * jobs, lambda: None
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError(
            "--dask needs a package that is not there: pip install 'aspdoku[dask]'"
        ) from None
    try:
        client = open_.enter_context(Client(dask, timeout=_SECONDS_TO_CONNECT))  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise AspdokuError(f"no Dask scheduler answers at {dask}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_CONNECT)
    except TimeoutError:
        raise AspdokuError(
            f"the Dask scheduler at {dask} has no worker: start one with dask worker {dask}"
        ) from None

    # what Dask's own threads have to say of a lost connection is said here in one line
    logging.disable()

    def check() -> None:
        if client.status != "running":
            raise AspdokuError(
                f"the Dask scheduler at {dask} does not answer any more; --resume goes on when it"
                " is there again"
            )

    return (
        lambda: NestedExecutor(client.get_executor()),
        2 * max(1, sum(client.ncores().values())),
        check,
    )
