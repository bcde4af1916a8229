"""`aspdoku compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aspdoku.cli.options import Seconds, colour, names_in, program_from, program_options

if TYPE_CHECKING:
    from aspdoku.lessons.rivals.engine import Engine

SECONDS = 60.0
DIFFERS = 1


@click.command(short_help="Run the rival formalisms beside ASP, and compare.")
@program_options
@click.option("--engine", "wanted", metavar="NAME", multiple=True, help="Only this one; several are separated by commas.")
@click.option("--time-limit", type=Seconds(), metavar="S", default=SECONDS, show_default=True, help="For each engine.")
@click.option("--diff", "diffs", is_flag=True, help="Show all that each text adds and removes.")
@click.option("--print", "printed", is_flag=True, help="Print the texts, as the engines read them, and run nothing.")
@click.option("--trace", is_flag=True, help="Tell how the engines that can tell it come to the answer, step by step.")
@click.option("--why", metavar="r3c2=3", help="Tell why a cell holds a number, as the reasoners explain it.")
@click.option("--table", is_flag=True, help="All formalisms by all elaborations of the lecture, as a table.")
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
    printed: bool,
    trace: bool,
    why: str | None,
    table: bool,
    format_: str,
) -> None:
    """Say a puzzle in OWL, Prolog, constraints and propositional logic, too: run each, compare the answers and the texts.

    An engine that is not installed is skipped, unless --engine asks for it by name.

    Exit status: 0 all that ran agree, 1 one does not, 2 no such engine, 65 bad input, 124 time limit.

    \b
    aspdoku compare instances/owl/four.txt
    aspdoku compare --engine evidence --trace instances/made/strimko.txt
    aspdoku compare --engine owl-source --why r3c2=3 instances/owl/four.txt
    """
    from aspdoku.lessons.rivals import telling
    from aspdoku.lessons.rivals.case import Case
    from aspdoku.lessons.rivals.comparison import compare as compared
    from aspdoku.show import rivals as show

    if sum([table, printed, trace, why is not None]) > 1:
        raise click.UsageError("--table, --print, --trace and --why each show something else: one at a time")
    chosen = _chosen(wanted, must_run=not printed)
    if table:
        _table(ctx, chosen, time_limit, format_)
    program = program_from(grid, with_, without, constants)
    if printed or trace or why is not None:
        case = Case.of(program)
        if printed:
            told = telling.texts(chosen, case)
        elif why is None:
            told = telling.traces(chosen, case, time_limit)
        else:
            told = telling.reasons(chosen, case, why, time_limit)
        found = list(told)
        click.echo(show.dumps(show.told_document(found)) if format_ == "json" else show.blocks(found))
        return
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
        parts = [*show.diffs(rows, colour(), diffs), show.notes(rows)]
        click.echo("".join(f"\n{part}\n" for part in parts if part), nl=False)
    ctx.exit(DIFFERS if any(row.status in ("differs", "failed") for row in rows) else 0)


def _chosen(wanted: tuple[str, ...], must_run: bool) -> list[Engine]:
    from aspdoku.lessons.rivals import engines
    from aspdoku.lessons.rivals.comparison import require

    known = engines()
    names = names_in(wanted)
    for name in names:
        if name not in known:
            raise click.BadParameter(f"there is no engine '{name}'; there are {', '.join(known)}", param_hint="--engine")
    if must_run:
        require(known[name] for name in names)
    return [known[name] for name in names] or list(known.values())


def _table(ctx: click.Context, chosen: list[Engine], seconds: float, format_: str) -> None:
    from aspdoku.lessons.rivals.table import table
    from aspdoku.show import rivals as show

    found = table(chosen, seconds)
    click.echo(show.dumps(show.table_document(found)) if format_ == "json" else show.table(found))
    ctx.exit(DIFFERS if any(cell.status in ("differs", "failed") for _, cells in found.rows for cell in cells) else 0)
