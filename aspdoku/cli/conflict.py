"""`aspdoku conflict`."""

from __future__ import annotations

import math

import click

from aspdoku.cli import NO_SOLUTION
from aspdoku.cli.options import Seconds, answer, program_from, program_options


@click.command(short_help="Tell why a puzzle has no solution.")
@program_options
@click.option("--time-limit", type=Seconds(), metavar="S", help="Give up after this many seconds.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def conflict(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    time_limit: float | None,
    format_: str,
) -> None:
    """Tell why a puzzle has no solution: the givens that clash and by which rules, and which single given to take away.

    Exit status: 0 it has one, 20 it has none, 65 bad input, 124 time limit.

    \b
    aspdoku conflict grid.txt
    """
    from aspdoku.lessons.conflict import conflict as find
    from aspdoku.show.explanation import conflicting
    from aspdoku.show.explanation_data import document_of_conflict

    program = program_from(grid, with_, without, constants)
    found = find(program, time_limit or math.inf)
    answer(program.puzzle, document_of_conflict(found) if format_ == "json" else conflicting(found))
    ctx.exit(0 if found.cause == "none" else NO_SOLUTION)
