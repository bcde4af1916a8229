"""`aspdoku new`."""

from __future__ import annotations

from pathlib import Path

import click

from aspdoku.cli.echo import echo


@click.command(short_help="Write a rule file to start a rule of one's own from.")
@click.argument("name")
def new(name: str) -> None:
    """Write NAME.lp, a small rule file to start a rule of one's own from."""
    from aspdoku.errors import RuleError
    from aspdoku.program.templates import starter

    file = Path(f"{name}.lp")
    text = starter(name)
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise RuleError(f"{file} exists already, and is left as it is") from None
    echo(f"wrote {file}; now say your rule in it, then\n")
    echo(f"  aspdoku check {file}\n  aspdoku solve --with ./{file} grid.txt")
