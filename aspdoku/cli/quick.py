"""Parts of click without what it imports or does slowly, for a quick start of the common commands.

click passes the help text of each option to `inspect`, whose import takes 6 ms, and the help texts
of its own options to `locale`. `aspdoku.__main__` loads `inspect` when it is used.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from aspdoku.cli.echo import echo


class Option(click.Option):
    """An option whose help text is one line."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        text = attributes.pop("help", None)
        super().__init__(*args, **attributes)
        self.help = text


option = partial(click.option, cls=Option)


def _show_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        echo(ctx.get_help())
        ctx.exit()


_HELP = Option(
    ["-h", "--help"],
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_help,
    help="Show this message and exit.",
)


class Command(click.Command):
    """A command with --help."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option --help."""
        return _HELP


class Group(Command, click.Group):
    """A group of commands with --help."""
