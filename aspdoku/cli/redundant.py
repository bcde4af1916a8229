"""`aspdoku redundant`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aspdoku.cli.options import (
    answer,
    limit_options,
    program_from,
    program_options,
    seconds_left,
    status_of,
    until_interrupted,
    warn,
)
from aspdoku.cli.unique import SEVERAL

if TYPE_CHECKING:
    from aspdoku.engine.redundancy import RemovalResult

_WORDS = {"several": "this one has several", "none": "this one has none"}


@click.command(short_help="Tell what a puzzle could do without: givens, clues, rules.")
@program_options
@limit_options
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def redundant(
    ctx: click.Context,
    grid: str | None,
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    format_: str,
) -> None:
    """Tell which givens, which clues of a rule (a cage, a line, a sign) and which rules a puzzle
    could do without.

    Each is left out by itself: does the solution stay the only one? JSON is an object: `status`
    says whether the puzzle is unique, or else several, none, some or unknown; `items` are the
    things left out, none unless it is unique; `ended` is time or interrupted where the answer is
    not whole.

    Exit status: 0 told, 1 the puzzle has several solutions, 20 it has none, 65 bad input, 124 time
    limit, 130 interrupted.

    \b
    aspdoku redundant --with killer killer.txt
    aspdoku redundant --format json grid.txt
    """
    from aspdoku.engine import Solver
    from aspdoku.engine.redundancy import find_redundancies
    from aspdoku.report.answer import verdict
    from aspdoku.report.redundancy import redundancy_json, redundancy_text

    program = program_from(grid, with_, without, constants)
    solver = Solver(program, seconds_left())
    search = solver.search(2)
    with until_interrupted(search):
        search.count()
    for remark in solver.remarks:
        warn(str(remark))
    found: list[RemovalResult] = []
    status = search.status
    if status == "unique":
        with until_interrupted(search):
            for item in find_redundancies(program, solver.seconds_left()):
                found.append(item)  # noqa: PERF402
        if search.ended == "complete" and any(item.needed is None for item in found):
            search.ended = "time"
    if format_ == "json":
        answer(program.puzzle, redundancy_json(status, search.ended, found))
    elif status == "unique":
        answer(program.puzzle, redundancy_text(found))
        if search.ended == "interrupted":
            warn("interrupted: these are not all")
    else:
        why = _WORDS[status] + program.puzzle.caveat if status in _WORDS else verdict(search, None)
        warn(f"only a puzzle with one solution has something that it could do without: {why}")
    ctx.exit(SEVERAL if status == "several" else status_of(search))
