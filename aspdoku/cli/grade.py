"""`aspdoku grade`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aspdoku.cli import interruption
from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    each_limit_option,
    interrupted_at_time_limit,
    limit_options,
    program_of,
    puzzle_from,
    rule_options,
    settings_from,
    shorter,
    trust_option,
    warn,
)
from aspdoku.errors import AspdokuError, PuzzleError

if TYPE_CHECKING:
    from aspdoku.explain.steps import Difficulty
    from aspdoku.puzzle import Puzzle


@click.command(short_help="Tell how hard puzzles are.")
@click.argument(
    "grids",
    nargs=-1,
    required=True,
    metavar="GRID...",
    type=click.Path(allow_dash=True, readable=False),
)
@rule_options
@trust_option
@each_limit_option("puzzle")
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def grade(
    ctx: click.Context,
    grids: tuple[str, ...],
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    each_limit: float | None,
    format_: str,
) -> None:
    """Tell how hard puzzles are, under any rules.

    The rules of the hardest step, the work of all of them, and a word.

    A file holds one puzzle, or several with a line each. easy: 1 rule a step; medium: up to 4;
    hard: up to 7; very hard: up to 10; extreme: more.

    Exit status: 0 all are graded, else that of the first that is not: 20 no solution, 65 bad input,
    124 time limit.

    \b
    aspdoku grade --with anti-knight *.txt
    """
    from aspdoku.explain.explainer import Explainer
    from aspdoku.explain.steps import difficulty_of as graded
    from aspdoku.report.explanation import grades_text
    from aspdoku.report.explanation_json import grades_json

    found: list[tuple[str, Difficulty]] = []
    statuses = []
    try:
        with interrupted_at_time_limit():
            for name, puzzle in (each for grid in grids for each in _puzzles(grid)):
                try:
                    program = program_of(puzzle(), with_, without, settings_from(constants))
                    for warning in program.warnings:
                        warn(f"{name}: {warning}")
                    explainer = Explainer(program, shorter(each_limit))
                    found.append((name, graded(explainer.steps(), explainer.settled)))
                except AspdokuError as error:
                    message = str(error)
                    echo(
                        f"aspdoku: {message if message.startswith(name) else f'{name}: {message}'}",
                        err=True,
                    )
                    statuses.append(error.exit_code)
    except KeyboardInterrupt:
        reason, status = interruption(ctx)
        echo(f"aspdoku: {reason}; {len(found)} puzzles were graded", err=True)
        statuses.insert(0, status)
    if format_ == "json":
        echo_json(grades_json(found))
    elif found:
        echo(grades_text(found))
    ctx.exit(next(iter(statuses), 0))


def _puzzles(grid: str) -> Iterator[tuple[str, Callable[[], Puzzle]]]:
    """What reads the puzzle in a file, with the file's name.

    Or those in its lines, with their numbers too.
    """
    from aspdoku.formats import parse
    from aspdoku.puzzlefile import oneline

    file = Path(grid)
    try:
        puzzle = puzzle_from(grid)
    except PuzzleError as error:
        lines = (
            file.read_text(encoding="utf-8", errors="replace").splitlines()
            if file.is_file()
            else []
        )
        numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        if len(numbered) > 1 and all(oneline.line_size(line) for _, line in numbered):
            yield from (
                (f"{grid}:{number}", partial(parse, line, f"{grid}:{number}"))
                for number, line in numbered
            )
        elif several := _several(file):
            yield from (
                (f"{grid}#{number}", partial(_given, each))
                for number, each in enumerate(several, 1)
            )
        else:
            yield grid, partial(_refuse, error)
    else:
        yield grid, lambda: puzzle


def _several(file: Path) -> list[Puzzle]:
    """The puzzles of a file in a format for several; none where it cannot be read."""
    from aspdoku.formats import read_all

    try:
        return read_all(file)
    except PuzzleError:
        return []


def _given(puzzle: Puzzle) -> Puzzle:
    return puzzle


def _refuse(error: PuzzleError) -> Puzzle:
    raise error
