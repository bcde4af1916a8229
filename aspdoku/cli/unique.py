"""`aspdoku unique`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    limit_options,
    program_from,
    program_options,
    seconds_left,
    status_of,
    until_interrupted,
    warn,
)

if TYPE_CHECKING:
    from aspdoku.puzzle import Solution

SEVERAL = 1


@click.command(short_help="Tell whether a puzzle has one solution.")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def unique(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell whether a puzzle has one solution, and if it has several, in which cells two of them
    differ.

    Exit status: 0 it has one, 1 it has several, 20 none, 65 bad input, 124 time limit, 130
    interrupted.

    \b
    aspdoku unique --with anti-knight grid.txt && echo fit to print
    """
    from aspdoku.cli.solve import otherwise
    from aspdoku.engine import Solver
    from aspdoku.report.answer import uniqueness_json, uniqueness_text

    solver = Solver(program_from(grid, with_, without, constants), seconds_left())
    search = solver.search(2)
    solutions: list[Solution] = []
    with until_interrupted(search):
        solutions += search
    other = otherwise(solver, search, solutions[0] if solutions else None)
    if format_ == "json":
        echo_json(uniqueness_json(search, solutions, other))
    else:
        echo(uniqueness_text(search, solutions, other))
    for remark in solver.remarks:
        warn(str(remark))
    ctx.exit(SEVERAL if search.status == "several" or other else status_of(search))
