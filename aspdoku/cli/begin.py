"""`aspdoku example` and `help`: where to begin."""

from __future__ import annotations

import click

from aspdoku.cli import no_such_command
from aspdoku.cli.echo import echo, echo_json, echo_report
from aspdoku.cli.options import Completed, format_option


@click.command(short_help="List the bundled puzzles, or print one.")
@click.argument("name", metavar="[NAME]", required=False, type=Completed("example"))
@format_option("text", "json")
def example(name: str | None, format_: str) -> None:
    """List the bundled puzzles with their titles and rules; with a NAME, print that puzzle's file.

    Wherever a command takes a GRID, example:NAME is the bundled puzzle.

    \b
    aspdoku solve example:killer
    aspdoku example killer > my-killer.txt
    """
    from aspdoku.formats import read
    from aspdoku.formats.examples import PREFIX, example_file, examples
    from aspdoku.questions.files import examples_json, examples_text

    if name is not None and format_ == "text":
        echo(example_file(name.removeprefix(PREFIX)).read_text("utf-8"), nl=False)
        return
    names = list(examples()) if name is None else [name.removeprefix(PREFIX)]
    found = {each: read(example_file(each)) for each in names}
    if format_ == "json":
        echo_json(examples_json(found))
    else:
        echo_report(examples_text(found))


@click.command(short_help="Show the help of aspdoku or of a command.")
@click.argument("name", metavar="[COMMAND]", required=False, type=Completed("command"))
@click.pass_context
def help(ctx: click.Context, name: str | None) -> None:  # noqa: A001  # the name of the command
    """Show the help of aspdoku, or of a COMMAND, as COMMAND --help does."""
    parent = ctx.parent or ctx
    if name is None:
        echo(parent.get_help())
        return
    group = parent.command
    assert isinstance(group, click.Group)
    command = group.get_command(parent, name)
    if command is None:
        parent.fail(no_such_command(name))
    with command.make_context(name, [], parent=parent, resilient_parsing=True) as context:
        echo(command.get_help(context))
