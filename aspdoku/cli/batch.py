"""`aspdoku batch`."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from io import TextIOWrapper
from itertools import chain, count, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from aspdoku.cli import INTERRUPTED
from aspdoku.cli.echo import echo
from aspdoku.cli.options import Seconds, blank, memory_limit_option, program_of, rule_options, settings_from, warn
from aspdoku.errors import AspdokuError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from aspdoku.engine.batch import Result
    from aspdoku.program import Program
    from aspdoku.show.batch import Done

# How many lines may pass before the size of the grids has to show.
_PEEK = 1000
_SECONDS = 0.25  # from one look at how far it has come to the next
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
@memory_limit_option
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
    from aspdoku.puzzle.formats import oneline
    from aspdoku.show.batch import Done, cut, done, head, writer

    if resume and output is None:
        raise click.UsageError("--resume goes with --output: what has been done is read there")
    if output is not None and not resume and output.exists() and output.stat().st_size:
        raise click.UsageError(f"{output} holds something already: go on with --resume, or take it away")
    settings = settings_from(constants)
    with ExitStack() as open_:
        lines = oneline.lines(_source(file, open_))
        if output is not None and file != "-" and output.is_file() and os.path.samefile(file, output):
            raise click.UsageError(f"{output} is the file of the puzzles: the answers go into another one")
        peeked = [] if "n" in settings else _up_to_a_grid(lines)
        puzzle = blank(settings, (oneline.size_of(peeked[-1]) if peeked else None) or 9)
        oneline.refuse_too_large(puzzle.size)
        task = Task(program_of(puzzle, with_, without, settings), time_limit)
        _tell_remarks(task.program)
        executor, window, check = _executor(jobs, dask, open_)
        answer = partial(results, task=task, executor=executor, window=window, check=check)
        before, write, lines = Done(), writer(format_), chain(peeked, lines)
        if output is None or not resume:
            found = answer(lines)
        else:
            before = done(output, format_)
            found = _go_on(lines, before, answer, write, output, file)
            cut(output, before)
        sink = _sink(output, open_)
        sink.write("" if before.results else head(format_))
        _write(ctx, found, before.results, sink, output, format_, _left(file, before.results))


def _tell_remarks(program: Program) -> None:
    """Tell what is wrong with the rules; but not that facts are lacking, for a line may bring its own."""
    from aspdoku.engine.board import Board
    from aspdoku.program.needs import unmet

    lacking = unmet([part.rule for part in program.parts], program.puzzle.facts)
    for warning in program.warnings:
        if warning not in lacking:
            warn(warning)
    for remark in Board(program).remarks:
        warn(str(remark))


def _go_on(
    lines: Iterator[str],
    before: Done,
    answer: Callable[[Iterator[str]], Iterator[Result]],
    write: Callable[[int, Result], str],
    output: Path,
    file: str,
) -> Iterator[Result]:
    """What the lines come to that are left to do.

    Raises AspdokuError where the last one that was done comes to something else now: under other rules, or in another file.
    """
    number, source = before.results, "standard input" if file == "-" else file
    if not number:
        return answer(lines)
    last = next(islice(lines, number - 1, None), None)
    if last is None:
        raise AspdokuError(f"{output} holds {number} results, and {source} has fewer lines: these are other puzzles")
    if not before.settled:
        return answer(lines)
    found = answer(chain([last], lines))
    result = next(found)
    if not before.agrees(result, text := write(number, result)):
        raise AspdokuError(f"{output}:{before.line} is not what {source}:{number} comes to under these rules: {text.rstrip()}")
    return found


def _write(
    ctx: click.Context,
    found: Iterator[Result],
    before: int,
    sink: IO[str],
    output: Path | None,
    format_: str,
    left: int | None,
) -> None:
    """Write the results as they come; Ctrl-C ends with those that are there."""
    from aspdoku.show.batch import done, writer

    write = writer(format_)
    number, last, began = before, 0.0, time.monotonic()
    bar = click.progressbar(
        count(1),
        left,
        file=sys.stderr,
        hidden=not _on_terminal() or sink.isatty(),
        show_pos=True,
        item_show_func=lambda done: f"{done / (time.monotonic() - began):.0f} lines a second" if done else None,
    )

    def show() -> None:
        bar.update(number - before - bar.pos, number - before)

    try:
        with bar:
            for result in found:
                sink.write(write(number + 1, result))
                number += 1
                if (now := time.monotonic()) - last > _SECONDS:
                    sink.flush()
                    show()
                    last = now
            show()
    except KeyboardInterrupt:
        sink.flush()
        more = ""
        if output is not None and output.is_file():  # Ctrl-C may have come between a line and its count
            number = done(output, format_).results
            more = "; --resume goes on behind them"
        echo(f"aspdoku: interrupted; {number} lines are done{more}", err=True)
        ctx.exit(INTERRUPTED)


def _sink(output: Path | None, open_: ExitStack) -> IO[str]:
    if output is None:
        return sys.stdout
    try:
        return open_.enter_context(output.open("a", encoding="utf-8"))
    except OSError as error:
        raise AspdokuError(f"{output}: {error.strerror or error}") from None


def _left(file: str, before: int) -> int | None:
    """How many lines are left to do; None where nobody sees it or the lines can be read only once, as those of a pipe."""
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
    from aspdoku.puzzle.formats.oneline import size_of

    peeked = []
    for line in islice(lines, _PEEK):
        peeked.append(line)
        if size_of(line):
            return peeked
    if peeked:
        raise AspdokuError(
            "no line tells how large the grids are: it holds n x n characters; or say so with -c n=9. "
            "A file in another format becomes such lines by `aspdoku convert FILE puzzles.sdm`"
        )
    return peeked


def _executor(jobs: int, dask: str | None, open_: ExitStack) -> tuple[Callable[[], Executor], int, Callable[[], None]]:
    """What makes an executor, how many chunks of lines to have on their way in it, and what finds out that it is gone."""
    from concurrent.futures import ThreadPoolExecutor

    from aspdoku.engine.batch import Processes

    if dask is None:
        # A thread of its own, for clingo cannot be interrupted in this one.
        made: Callable[[], Executor] = partial(ThreadPoolExecutor, 1) if jobs == 1 else partial(Processes, jobs)
        return made, 2 * jobs, lambda: None
    try:
        from distributed import Client
    except ImportError:
        raise click.UsageError("--dask needs a package that is not there: pip install 'aspdoku[dask]'") from None
    try:
        client = open_.enter_context(Client(dask, timeout=_SECONDS_TO_CONNECT))  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise AspdokuError(f"no Dask scheduler answers at {dask}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=_SECONDS_TO_CONNECT)
    except TimeoutError:
        raise AspdokuError(f"the Dask scheduler at {dask} has no worker: start one with dask worker {dask}") from None

    logging.disable()  # what Dask's own threads have to say of a lost connection is said here in one line

    def check() -> None:
        if client.status != "running":
            raise AspdokuError(f"the Dask scheduler at {dask} does not answer any more; --resume goes on when it is there again")

    return client.get_executor, 2 * max(1, sum(client.ncores().values())), check
