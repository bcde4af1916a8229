"""`aspdoku candidates`."""

from __future__ import annotations

import click

from aspdoku.cli import INTERRUPTED, NO_SOLUTION, TIME_UP
from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    colour,
    limit_options,
    program_from,
    program_options,
    seconds_left,
    warn,
)


@click.command(short_help="Show the true candidates of every cell.")
@program_options
@click.option(
    "--counts", is_flag=True, help="Tell in how many solutions each candidate stands, too."
)
@click.option(
    "--limit",
    type=click.IntRange(1, 2**63 - 1),
    default=10_000,
    show_default=True,
    metavar="N",
    help=(
        "Count among the first N solutions that the search finds; where there are more, these are"
        " not representative."
    ),
)
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def candidates(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    counts: bool,
    limit: int,
    format_: str,
) -> None:
    """Show the true candidates of every cell, each of which stands in some solution, what is
    forced, and what is always equal.

    Where the time limit or Ctrl-C comes first, a cell with ? may have candidates that were not
    found (JSON: complete is false). In grids beyond 9x9 commas stand between the numbers of a cell.

    Exit status: 0 all were found, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku candidates --with anti-knight grid.txt
    aspdoku candidates --format json grid.txt
    """
    from aspdoku.engine.candidates import candidates as find
    from aspdoku.report.candidates import candidates_json, candidates_text

    if not counts and ctx.get_parameter_source("limit") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError("--limit goes with --counts")
    program = program_from(grid, with_, without, constants)
    found = find(program, seconds_left(), limit if counts else 0)
    if format_ == "json":
        echo_json(candidates_json(found, program.puzzle))
    else:
        echo(candidates_text(found, program.puzzle, colour()), coloured=colour())
    for remark in found.remarks:
        warn(str(remark))
    ended = found.counted or found.ended
    ctx.exit(
        NO_SOLUTION
        if found.impossible
        else {"time": TIME_UP, "interrupted": INTERRUPTED}.get(ended, 0)
    )
