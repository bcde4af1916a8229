"""`aspdoku compare`."""

from __future__ import annotations

import click

from aspdoku.cli.options import Seconds, colour, names_in, program_from, program_options

SECONDS = 60.0
DIFFERS = 1


@click.command(short_help="Run the rival formalisms beside ASP, and compare.")
@program_options
@click.option("--engine", "wanted", metavar="NAME", multiple=True, help="Only this one; several are separated by commas.")
@click.option("--time-limit", type=Seconds(), metavar="S", default=SECONDS, show_default=True, help="For each engine.")
@click.option("--diff", "diffs", is_flag=True, help="Show all that each text adds and removes.")
@click.option("--table", "as_table", is_flag=True, help="All formalisms by all elaborations of the lecture, as a table.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def compare(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    wanted: tuple[str, ...],
    time_limit: float,
    diffs: bool,
    as_table: bool,
    format_: str,
) -> None:
    """Say a puzzle in OWL, Prolog, constraints and propositional logic, too: run each, compare the answers and the texts.

    An engine that is not installed is skipped, unless --engine asks for it by name.

    Exit status: 0 all that ran agree, 1 one does not, 2 no such engine, 65 bad input, 124 time limit.

    \b
    aspdoku compare instances/owl/four.txt
    aspdoku compare --with anti-knight --engine prolog-source --diff grid.txt
    """
    from aspdoku.lessons.rivals import engines
    from aspdoku.lessons.rivals.comparison import compare as compared
    from aspdoku.lessons.rivals.comparison import require
    from aspdoku.show import rivals as show

    known = engines()
    names = names_in(wanted)
    for name in names:
        if name not in known:
            raise click.BadParameter(f"there is no engine '{name}'; there are {', '.join(known)}", param_hint="--engine")
    chosen = [known[name] for name in names] or list(known.values())
    if names:
        require(chosen)
    if as_table:
        from aspdoku.lessons.rivals.table import table

        found = table(chosen, time_limit)
        click.echo(show.dumps(show.table_document(found)) if format_ == "json" else show.table(found))
        ctx.exit(DIFFERS if any(cell.status == "differs" for _, cells in found.rows for cell in cells) else 0)
    program = program_from(grid, with_, without, constants)
    rows = []
    if format_ == "text":
        click.echo(show.heading())
    for row in compared(program, chosen, time_limit):
        rows.append(row)
        if format_ == "text":
            click.echo(show.line(row))
    if format_ == "json":
        click.echo(show.dumps(show.document(rows)))
    else:
        blocks = [*(show.diff(row, colour(), diffs) for row in rows), show.notes(rows)]
        click.echo("".join(f"\n{block}\n" for block in blocks if block), nl=False)
    ctx.exit(DIFFERS if any(row.status in ("differs", "failed") for row in rows) else 0)
