"""`aspdoku count`."""

from __future__ import annotations

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


@click.command(short_help="Count the solutions.")
@program_options
@click.option("--limit", type=click.IntRange(1, 2**63 - 1), help="Count up to this many.")
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def count(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    limit: int | None,
    format_: str,
) -> None:
    """Count the solutions.

    Exactly, or "at least" so many where a limit, the time or Ctrl-C comes first.

    Exit status: 0 counted, 20 no solution, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku count -c n=4
    aspdoku count --with anti-knight --limit 1000 grid.txt
    """
    from aspdoku.engine import Solver
    from aspdoku.engine.solver import ENUMERATION_OPTIONS, has_unique_extensions
    from aspdoku.report.answer import count_json, count_text

    program = program_from(grid, with_, without, constants)
    solver = Solver(
        program,
        seconds_left(),
        options=ENUMERATION_OPTIONS,
        project=not has_unique_extensions(program),
    )
    search = solver.search(limit or 0)
    with until_interrupted(search):
        search.count()
    if format_ == "json":
        echo_json(count_json(search))
    else:
        echo(count_text(search))
    for remark in solver.remarks:
        warn(str(remark))
    ctx.exit(status_of(search))
