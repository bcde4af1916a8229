"""`aspdoku batch`."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from io import TextIOWrapper
from itertools import chain, count
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click
from click import option

from aspdoku.cli import interruption, options
from aspdoku.cli.echo import on_terminal, warn
from aspdoku.errors import AspdokuError, PuzzleError

if TYPE_CHECKING:
    from aspdoku.engine.journal import ResultWriter
    from aspdoku.runtime.pool import Workers


@options.command(short_help="Solve many puzzles, one per line.", requiring={"--resume": "--output"})
@click.argument("file", type=click.Path(allow_dash=True))
@options.rule_options
@options.trust_option
@option(
    "--like",
    metavar="GRID",
    type=options.GRID,
    help="The size, numbers, regions, rules and facts of this puzzle hold for all lines.",
)
@option("-o", "--output", type=options.OUTPUT, help="Output file; the default is standard output.")
@options.flag("--resume", help="Continue after the last line already in the output file.")
@options.jobs_option(1)
@option(
    "--dask", metavar="ADDRESS", help="Use this Dask cluster instead, e.g. tcp://127.0.0.1:8786."
)
@options.format_choice("line", "jsonl", "csv")
@options.each_limit_option("puzzle, including the grounding of its own facts")
@options.limit_options
@click.pass_context
def batch(
    ctx: click.Context,
    file: str,
    like: str | None,
    output: Path | None,
    resume: bool,
    jobs: int,
    dask: str | None,
    format_: str,
    each_limit: float | None,
) -> None:
    """Solve any number of puzzles of one size under one set of rules.

    FILE is a file, or - for standard input. Each input line holds a grid, one character per cell,
    optionally followed by a space and facts; in a CSV file and other lists with columns, one
    column does. Each puzzle in a file of another format counts as a line. Other numbers, regions,
    and boards with unused cells (/), are those of a puzzle: --like. Each output line holds the
    solution and one of unique, several, none, timed out, bad input, crashed and empty, in the order
    of the input.

    With -o FILE, FILE.resume records what --resume needs to check that puzzles and rules are
    unchanged.

    Exit status: 0 all lines were read, 65 bad input, 74 output, 124 time limit, 130 interrupted.

    \b
    aspdoku batch --with anti-knight -j 2 puzzles.txt -o answers.txt
    aspdoku batch --with anti-knight -j 2 puzzles.txt -o answers.txt --resume
    aspdoku batch --like example:samurai samurais.txt
    """
    from aspdoku.engine.batch import BatchJob, job_warnings, lines_up_to_a_grid, write_results
    from aspdoku.engine.journal import ResultWriter
    from aspdoku.formats.detection import STANDARD_INPUT, arranged
    from aspdoku.puzzlefile import oneline
    from aspdoku.puzzlefile.lines import pluralize
    from aspdoku.questions.batch import for_all_lines, header, read_results, result_formatter

    if file == "-" == like:
        raise click.UsageError("FILE and --like cannot both be standard input")
    settings = options.settings_from()
    with ExitStack() as open_:
        known = options.puzzle_from(like) if like is not None else None
        if "n" in settings and known is None:
            known = options.blank(settings)
        name = STANDARD_INPUT if file == "-" else file
        lines = _checked(oneline.bounded_lines(_source(file, open_)), name)
        unsupported, lines = arranged(lines, name, known.size if known else 0)
        if output and file != "-" and output.is_file() and os.path.samefile(file, output):
            raise click.UsageError(f"{output} is the input file: use another file for --output")
        first = [] if known else lines_up_to_a_grid(lines)
        puzzle = known or options.blank(
            settings, (oneline.line_size(first[-1]) if first else None) or 9
        )
        oneline.check_numbers(puzzle.size, puzzle.numbers)
        program = for_all_lines(options.program_of(puzzle, settings), options.given("fact"))
        puzzle = program.puzzle.with_unsupported(*unsupported)
        job = BatchJob(replace(program, puzzle=puzzle), each_limit)
        # One second more than for a line, because the rules are grounded only once.
        for warning in job_warnings(job, options.shorter((each_limit or math.inf) + 1)):
            warn(warning)
        workers = _workers(jobs, dask, open_)
        writer = ResultWriter(output, open_)
        if writer.has_content and not resume:
            raise click.UsageError(f"{output} is not empty: continue with --resume, or remove it")
        read = partial(read_results, format_=format_)
        lines = writer.start(job.program, chain(first, lines), name, header(format_), read)
        progress = write_results(lines, job, workers, writer, result_formatter(format_))
        try:
            with options.interrupted_at_time_limit():
                _show(progress, writer, _lines_left(file, writer.results))
        except KeyboardInterrupt:
            done = pluralize(writer.flush_interrupted(), "line")
            resumable = "; continue with --resume" if writer.resumable else ""
            ctx.exit(interruption(f"; {done} done{resumable}"))


def _workers(jobs: int, dask: str | None, open_: ExitStack) -> Workers:
    from aspdoku.runtime.pool import dask_workers, local_workers

    if dask is None:
        return local_workers(jobs)
    try:
        return dask_workers(dask, open_)
    except ImportError:
        message = "--dask requires an optional package: pip install 'aspdoku[dask]'"
        raise click.UsageError(message) from None


def _show(progress: Iterator[int], writer: ResultWriter, lines_left: int | None) -> None:
    """Consume the numbers of results written so far, and show them on a terminal."""
    before, began = writer.results, time.monotonic()
    bar = click.progressbar(
        count(1),
        lines_left,
        file=sys.stderr,
        hidden=not on_terminal() or writer.sink.isatty(),
        show_pos=True,
        item_show_func=lambda done: (
            f"{done / (time.monotonic() - began):.0f} lines/s" if done else None
        ),
    )
    with bar:
        for results in progress:
            bar.update(results - before - bar.pos, results - before)


def _lines_left(file: str, done: int) -> int | None:
    """The number of remaining lines; None if that is not shown, or lines are read only once."""
    if not on_terminal() or file == "-" or not Path(file).is_file():
        return None
    with open(file, encoding="latin-1") as stream:
        return sum(1 for _ in stream) - done


def _checked(lines: Iterator[str], name: str) -> Iterator[str]:
    """The lines of a file. Raises PuzzleError for a line that is not text, or not UTF-8."""
    from aspdoku.formats.detection import NOT_TEXT

    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise PuzzleError(NOT_TEXT, name)
        if not line.isascii() and any("\udc80" <= sign <= "\udcff" for sign in line):
            message = "the line is not valid UTF-8: save the file as UTF-8"
            raise PuzzleError(message, f"{name}:{number}")
        yield line


def _source(file: str, open_: ExitStack) -> IO[str]:
    if file == "-" and sys.stdin is None:
        raise AspdokuError("standard input is closed")
    if file == "-":
        return TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="surrogateescape")
    try:
        return open_.enter_context(open(file, encoding="utf-8-sig", errors="surrogateescape"))
    except OSError as error:
        from shlex import quote

        from aspdoku.formats.detection import PREFIX, is_path

        advice = ""
        if not is_path(file) or file.startswith(PREFIX):
            advice = (
                "; batch reads a file, or - for standard input, with a grid in each line: to solve"
                f" one puzzle, run `aspdoku solve {quote(file)}`"
            )
        raise AspdokuError(f"{file}: {error.strerror or error}{advice}") from None
