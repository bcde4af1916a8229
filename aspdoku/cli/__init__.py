"""The command line: `aspdoku COMMAND`. Each command is a short function in a module of its own, imported when it is run."""

from __future__ import annotations

import gc
import os
import sys
from errno import EPIPE
from importlib import import_module
from io import TextIOWrapper

import click

from aspdoku import __version__
from aspdoku.errors import AspdokuError

COMMANDS = (
    *("solve", "draw", "count", "unique", "candidates", "redundant", "batch"),
    *("explain", "hint", "why", "conflict", "grade"),
    *("convert", "program", "rules", "new", "check", "equal", "elaborate", "compare"),
)
NO_SOLUTION, NOT_WRITTEN, TIME_UP, INTERRUPTED = 20, 74, 124, 130


class Commands(click.Group):
    """A group that imports a command when it is asked for, and ends with what our errors say."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"aspdoku.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error becomes its message on standard error and its exit status."""
        try:
            return super().invoke(ctx)
        except AspdokuError as error:
            click.echo(f"aspdoku: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("aspdoku: interrupted; nothing is known", err=True)
            ctx.exit(INTERRUPTED)
        except OSError as error:
            if error.errno == EPIPE:
                raise
            click.echo(f"aspdoku: {error.filename or 'standard output'} cannot be written: {error.strerror or error}", err=True)
            ctx.exit(NOT_WRITTEN)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="aspdoku")
def cli() -> None:
    """Sudoku and its variants in answer set programming.

    A base program says what a Latin square is and never changes; each variant is one small rule file beside it.

    \b
    aspdoku solve grid.txt
    aspdoku solve --with anti-knight grid.txt
    aspdoku rules
    """


def _stay_within_memory() -> None:
    """Have the system refuse memory that the machine does not have, which can be told, instead of ending the process for it."""
    try:
        import resource

        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_AS, (physical if hard == soft else min(physical, hard), hard))
    except (ImportError, OSError, ValueError):  # not every system has such limits
        return


def main() -> None:
    """Run a command and end the process with its exit status.

    The process ends at once: nothing is left to tidy up, which would take a tenth of the time of a short command, and a
    thread that still grounds after a time limit or Ctrl-C cannot be stopped in any other way.
    """
    _stay_within_memory()
    gc.set_threshold(100_000)  # imports make many objects and no garbage
    status: object = 0
    if sys.stdout is None:  # the shell has closed it: >&-
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a letter that the terminal does not know is no reason to fail
            stream.reconfigure(errors="backslashreplace")
    try:
        cli()
    except SystemExit as end:
        status = end.code
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # whoever read our output has gone
        status = 1
    os._exit(status if isinstance(status, int) else 1)
