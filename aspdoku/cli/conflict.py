"""`aspdoku conflict`."""

from __future__ import annotations

import click

from aspdoku.cli import NO_SOLUTION
from aspdoku.cli.options import answer, limit_options, program_from, program_options, seconds_left


@click.command(short_help="Tell why a puzzle has no solution.")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def conflict(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell why a puzzle has no solution.

    The givens that clash and by which rules, and which single given to take away.

    Exit status: 0 it has one, 20 it has none, 65 bad input, 124 time limit.

    \b
    aspdoku conflict grid.txt
    """
    from aspdoku.explain.conflict import explain_conflict as find
    from aspdoku.report.explanation import conflict_text
    from aspdoku.report.explanation_json import conflict_json

    program = program_from(grid, with_, without, constants)
    found = find(program, seconds_left())
    answer(program.puzzle, conflict_json(found) if format_ == "json" else conflict_text(found))
    ctx.exit(0 if found.cause == "none" else NO_SOLUTION)
