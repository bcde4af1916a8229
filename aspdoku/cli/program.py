"""`aspdoku program`."""

from __future__ import annotations

import click

from aspdoku.cli.echo import echo
from aspdoku.cli.options import limit_options, program_from, program_options


@click.command(short_help="Print the composed program, for plain clingo.")
@program_options
@limit_options
def program(
    grid: str | None, with_: tuple[str, ...], without: tuple[str, ...], constants: tuple[str, ...]
) -> None:
    """Print the program that `solve` would run, for plain clingo.

    Rule files stand in it byte for byte, each below its name.

    \b
    aspdoku program --with anti-knight grid.txt | clingo --eq=0 --project=project 0
    """
    echo(program_from(grid, with_, without, constants).text, nl=False)
