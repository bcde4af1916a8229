"""`aspdoku redundant`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from aspdoku.cli import INTERRUPTED, TIME_UP
from aspdoku.cli.options import Seconds, program_from, program_options, status_of, until_interrupted, warn
from aspdoku.cli.unique import SEVERAL

if TYPE_CHECKING:
    from aspdoku.engine.redundancy import Item

_WORDS = {"several": "this one has several", "none": "this one has none"}


@click.command(short_help="Tell what a puzzle could do without: givens, clues, rules.")
@program_options
@click.option("--time-limit", type=Seconds(), metavar="S", help="Stop after this many seconds.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def redundant(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    time_limit: float | None,
    format_: str,
) -> None:
    """Tell which givens, which clues of a rule (a cage, a line, a sign) and which rules a puzzle could do without.

    Each is left out by itself: does the solution stay the only one?
    Exit status: 0 told, 1 the puzzle has several solutions, 20 it has none, 65 bad input, 124 time limit, 130 interrupted.

    \b
    aspdoku redundant --with killer killer.txt
    """
    from aspdoku.engine import Solver
    from aspdoku.engine.redundancy import items
    from aspdoku.show.answer import verdict
    from aspdoku.show.redundancy import document, report

    program = program_from(grid, with_, without, constants)
    solver = Solver(program, time_limit or math.inf)
    search = solver.search(2)
    with until_interrupted(search):
        search.count()
    for remark in solver.remarks:
        warn(str(remark))
    if search.status != "unique":
        why = _WORDS.get(search.status) or verdict(search, None)
        warn(f"only a puzzle with one solution has something that it could do without: {why}")
        ctx.exit(SEVERAL if search.status == "several" else status_of(search))
    found: list[Item] = []
    with until_interrupted(search):
        for item in items(program, solver.seconds_left()):
            found.append(item)  # noqa: PERF402
    click.echo(document(found) if format_ == "json" else report(found))
    if search.ended == "interrupted":
        warn("interrupted: these are not all")
        ctx.exit(INTERRUPTED)
    ctx.exit(TIME_UP if any(item.needed is None for item in found) else 0)
