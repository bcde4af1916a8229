"""`aspdoku grade`."""

from __future__ import annotations

import math

import click

from aspdoku.cli.options import Seconds, program_of, puzzle_from, rule_options, settings_from


@click.command(short_help="Tell how hard puzzles are.")
@click.argument("grids", nargs=-1, required=True, metavar="GRID...", type=click.Path(allow_dash=True, readable=False))
@rule_options
@click.option("--time-limit", type=Seconds(), metavar="S", help="Give up after this many seconds, for each puzzle.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def grade(
    grids: tuple[str, ...],
    with_: tuple[str, ...],
    without: tuple[str, ...],
    constants: tuple[str, ...],
    time_limit: float | None,
    format_: str,
) -> None:
    """Tell how hard puzzles are, under any rules: the rules of the hardest step, the work of all of them, and a word.

    easy: 1 rule a step; medium: up to 4; hard: up to 7; very hard: up to 10; extreme: more.

    Exit status: 0 explained, 20 no solution, 65 bad input, 124 time limit.

    \b
    aspdoku grade --with anti-knight *.txt
    """
    from aspdoku.lessons.explanation import Explainer
    from aspdoku.lessons.explanation import grade as graded
    from aspdoku.show.explanation import dumps, grades

    found = []
    for grid in grids:
        program = program_of(puzzle_from(grid), with_, without, settings_from(constants))
        found.append((grid, graded(Explainer(program, time_limit or math.inf).steps())))
    if format_ == "json":
        click.echo(dumps([{"file": name, **each._asdict()} for name, each in found]))
    else:
        click.echo(grades(found))
