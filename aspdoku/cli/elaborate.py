"""`aspdoku elaborate`."""

from __future__ import annotations

import click

from aspdoku.cli import TIME_UP
from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import (
    colour,
    limit_options,
    names_in,
    program_from,
    program_options,
    seconds_left,
    warn,
)

# Seconds for the reports: a rule whose grounding has no end is one that they show, too.
_USUAL_LIMIT = 60.0


@click.command(short_help="Show what each elaboration leaves as it was.")
@program_options
@click.option(
    "--all",
    "all_",
    is_flag=True,
    help="A table of every rule that has a name, over our base and over the slides'.",
)
@click.option("--diff", is_flag=True, help="Show the change of the program's text, too.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Count solutions up to this many.",
)
@limit_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
)
@click.pass_context
def elaborate(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    all_: bool,
    diff: bool,
    limit: int,
    format_: str,
) -> None:
    """Show what each elaboration leaves as it was: text, contract, ground program, solutions.

    One report for each, against what stood before it, then one for all together. The time limit is
    60 seconds by default; --all has none.

    Exit status: 0, or 124 if the time limit left a question open.

    \b
    aspdoku elaborate --with anti-knight grid.txt
    aspdoku elaborate --with chain --without box strimko.txt
    aspdoku elaborate --all
    """
    if all_:
        if grid or with_ or without or constants:
            raise click.UsageError(
                "--all is about every rule that has a name: it takes no grid, no --with, no"
                " --without and no -c"
            )
        ctx.exit(0 if _show_catalogue(format_) else TIME_UP)
    from aspdoku.lecture.elaboration import elaborate as report_on
    from aspdoku.report.elaboration import elaboration_html, elaboration_json, elaboration_text

    program = program_from(grid, with_, without, constants)
    rules = [part.rule for part in program.parts[1:]]
    found = report_on(program.puzzle, rules, names_in(without), limit, seconds_left(_USUAL_LIMIT))
    if format_ == "text":
        echo(elaboration_text(found, diff, colour()), coloured=colour())
    elif format_ == "json":
        echo_json(elaboration_json(found))
    else:
        echo(elaboration_html(found))
    ctx.exit(0 if found.complete else TIME_UP)


def _show_catalogue(format_: str) -> bool:
    """Print the tables of all rules; whether they are complete."""
    from aspdoku.lecture.elaboration_table import catalogue
    from aspdoku.program.library import readable
    from aspdoku.report.elaboration_table import (
        elaboration_table_html,
        elaboration_table_json,
        elaboration_table_text,
    )

    tables = catalogue(readable(), seconds_left())
    if format_ == "json":
        echo_json(elaboration_table_json(tables))
    else:
        echo((elaboration_table_html if format_ == "html" else elaboration_table_text)(tables))
    complete = all(table.complete for table in tables)
    if not complete:
        warn("the time limit was reached: the tables are incomplete")
    return complete
