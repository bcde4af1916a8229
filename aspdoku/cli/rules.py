"""`aspdoku rules`."""

from __future__ import annotations

import click

from aspdoku.cli.echo import echo, echo_json
from aspdoku.cli.options import RuleName, warn


@click.command(short_help="List the rules, or print the file of one.")
@click.argument("name", required=False, type=RuleName())
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How the list is written.",
)
def rules(name: str | None, format_: str) -> None:
    """List the rules with their inputs; with a NAME, print that rule's file."""
    from aspdoku.program.library import find, names, readable
    from aspdoku.report.rules import rules_json, rules_text

    if name is not None and format_ == "text":
        echo(find(name).text, nl=False)
        return
    found = readable() if name is None else [find(name)]
    if format_ == "json":
        echo_json(rules_json(found))
    else:
        echo(rules_text(found))
    for missing in () if name else sorted(set(names()) - {rule.name for rule in found}):
        warn(f"{missing} is on ASPDOKU_PATH, but is no rule file: aspdoku rules {missing}")
