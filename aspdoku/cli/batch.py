"""`aspdoku batch`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from aspdoku.cli import INTERRUPTED
from aspdoku.cli.options import Seconds, blank, program_of, rule_options, settings_from, warn
from aspdoku.errors import AspdokuError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from aspdoku.engine.batch import Result

# How many lines may pass before the size of the grids has to show.
_PEEK = 1000
_SECONDS = 0.25  # between two looks at how far it has come
_SECONDS_TO_CONNECT = 10


@click.command(short_help="Solve many puzzles, a line each.")
@click.argument("file", type=click.Path(allow_dash=True))
@rule_options
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write here instead of to standard output.")
@click.option("--resume", is_flag=True, help="Go on behind the last line that stands in the output.")
@click.option("-j", "--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Processes to work in.")
@click.option("--dask", metavar="ADDRESS", help="Work on this Dask cluster instead, as in tcp://127.0.0.1:8786.")
@click.option("--format", "format_", type=click.Choice(["line", "jsonl", "csv"]), default="line", show_default=True)
@click.option("--time-limit", type=Seconds(), metavar="S", help="For each puzzle.")
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
    time_limit: float | None,
) -> None:
    """Solve any number of puzzles of one size under one set of rules. FILE is a file, or - for standard input.

    A line holds a grid, a character a cell, and behind a blank the facts of its own, if any. A line out for each line in, in
    order: the solution and unique, several, none, timed out, bad input, crashed, or empty.
    Exit status: 0 all lines were read, 65 bad input, 130 interrupted.

    \b
    aspdoku batch --with anti-knight -j 2 puzzles.txt -o answers.txt
    aspdoku batch --with anti-knight -j 2 puzzles.txt -o answers.txt --resume
    """
    from aspdoku.engine.batch import Task, results
    from aspdoku.engine.board import Board
    from aspdoku.puzzle.formats import oneline
    from aspdoku.show.batch import done, head, writer

    if resume and output is None:
        raise click.UsageError("--resume goes with --output: what has been done is read there")
    if output is not None and not resume and output.exists() and output.stat().st_size:
        raise click.UsageError(f"{output} holds something already: go on with --resume, or take it away")
    settings = settings_from(constants)
    with ExitStack() as open_:
        lines = oneline.lines(_source(file, open_))
        peeked = [] if "n" in settings else _up_to_a_grid(lines)
        size = oneline.size_of(peeked[-1]) if peeked else None
        task = Task(program_of(blank(settings, size or 9), with_, without, settings), time_limit)
        for remark in Board(task.program).remarks:  # what is wrong with the rules is told before the first puzzle
            warn(str(remark))
        before = done(output, format_) if output is not None and resume else 0
        sink = _sink(output, open_)
        executor, window = _executor(jobs, dask, open_)
        found = results(islice(chain(peeked, lines), before, None), task, executor, window)
        _write(ctx, found, before, sink, head(format_), writer(format_), _progress(file, before))


def _write(
    ctx: click.Context,
    found: Iterator[Result],
    before: int,
    sink: IO[str],
    head: str,
    write: Callable[[int, Result], str],
    progress: Callable[[int], None],
) -> None:
    """Write the results as they come; Ctrl-C ends with those that are there."""
    number, last = before, 0.0
    try:
        sink.write("" if before else head)
        for number, result in enumerate(found, before + 1):
            sink.write(write(number, result))
            if (now := time.monotonic()) - last > _SECONDS:
                sink.flush()
                progress(number)
                last = now
        progress(number)
    except KeyboardInterrupt:
        sink.flush()
        more = "" if sink is sys.stdout else "; --resume goes on behind them"
        click.echo(f"\naspdoku: interrupted; {number} lines are done{more}", err=True)
        ctx.exit(INTERRUPTED)


def _sink(output: Path | None, open_: ExitStack) -> IO[str]:
    if output is None:
        return sys.stdout
    try:
        return open_.enter_context(output.open("a", encoding="utf-8"))
    except OSError as error:
        raise AspdokuError(f"{output}: {error.strerror or error}") from None


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
    from aspdoku.puzzle.formats.oneline import size_of

    peeked = []
    for line in islice(lines, _PEEK):
        peeked.append(line)
        if size_of(line):
            return peeked
    if peeked:
        raise AspdokuError("no line tells how large the grids are: it holds n x n characters; or say so with -c n=9")
    return peeked


def _executor(jobs: int, dask: str | None, open_: ExitStack) -> tuple[Callable[[], Executor], int]:
    """What makes an executor, and how many chunks of lines to have on their way in it."""
    from concurrent.futures import ThreadPoolExecutor

    from aspdoku.engine.batch import Processes

    if dask is None:
        # A thread of its own, for clingo cannot be interrupted in this one.
        return (partial(ThreadPoolExecutor, 1), 2) if jobs == 1 else (partial(Processes, jobs), 2 * jobs)
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError("--dask needs a package that is not there: pip install 'aspdoku[dask]'") from None
    try:
        client = open_.enter_context(Client(dask, timeout=_SECONDS_TO_CONNECT))  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise AspdokuError(f"no Dask scheduler answers at {dask}: {error}") from None
    return client.get_executor, 2 * max(1, sum(client.ncores().values()))


def _progress(file: str, before: int) -> Callable[[int], None]:
    """What shows how far it has come, with the rate and the time that remains, on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None
    total = _count_lines(file) if file != "-" else None
    began = time.monotonic()

    def show(number: int) -> None:
        rate = (number - before) / max(time.monotonic() - began, 1e-6)
        left = (
            f" of {total}, {rate:.0f} a second, {(total - number) / max(rate, 1e-6):.0f} s to go"
            if total
            else f", {rate:.0f} a second"
        )
        bar = f"[{'#' * (30 * number // total):30}] " if total else ""
        click.echo(f"\r{bar}{number}{left}\x1b[K" + ("\n" if number == total else ""), err=True, nl=False)

    return show


def _count_lines(file: str) -> int:
    with open(file, "rb") as stream:
        blocks = iter(partial(stream.read, 1 << 20), b"")
        ends = [(block.count(b"\n"), block[-1:]) for block in blocks]
    return sum(count for count, _ in ends) + (bool(ends) and ends[-1][1] != b"\n")
