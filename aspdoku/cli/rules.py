"""`aspdoku rules`."""

from __future__ import annotations

import click

from aspdoku.cli.options import RuleName


@click.command()
@click.argument("name", required=False, type=RuleName())
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="How the list is written.")
def rules(name: str | None, format_: str) -> None:
    """List the rules with their inputs; with a NAME, print that rule's file."""
    from aspdoku.program.library import find, names
    from aspdoku.show.rules import document, listing

    if name is not None:
        click.echo(find(name).text, nl=False)
    else:
        found = [find(known) for known in names()]
        click.echo(document(found) if format_ == "json" else listing(found))
