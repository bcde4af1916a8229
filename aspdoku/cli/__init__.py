"""The command line: `aspdoku COMMAND`. Each command is a short function in a module of its own, imported when it is run."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from errno import EPIPE
from importlib import import_module
from io import StringIO

import click

from aspdoku import __version__
from aspdoku.cli.echo import Stream, echo
from aspdoku.errors import AspdokuError

COMMANDS = (
    *("solve", "draw", "count", "unique", "candidates", "redundant", "batch"),
    *("explain", "hint", "why", "conflict", "grade"),
    *("convert", "program", "rules", "new", "check", "equal", "elaborate", "compare"),
)
NO_SOLUTION, NOT_WRITTEN, TIME_UP, INTERRUPTED = 20, 74, 124, 130
CLOSED_PIPE = 141  # what a shell reports for a process that SIGPIPE has ended


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
            echo(f"aspdoku: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            echo("aspdoku: interrupted; nothing is known", err=True)
            ctx.exit(INTERRUPTED)
        except OSError as error:
            if error.errno == EPIPE:
                raise
            ctx.exit(_failed(error))
        except click.ClickException as error:
            shown = StringIO()
            error.show(shown)
            echo(shown.getvalue(), nl=False, err=True)
            ctx.exit(error.exit_code)


def _failed(error: OSError) -> int:
    """Report an error of the operating system; the exit status for it. An error without a file names what failed itself."""
    reason = error.strerror or str(error)
    echo(f"aspdoku: {error.filename} cannot be written: {reason}" if error.filename else f"aspdoku: {reason}", err=True)
    return NOT_WRITTEN


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
    if sys.stdout is None:  # the shell has closed it: >&-
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115  # on which every write fails
    sys.stdout = output = Stream(sys.stdout, "standard output")
    if sys.stderr is not None:  # as it is after 2>&-
        sys.stderr = Stream(sys.stderr, "standard error", raises=False)  # there is nowhere to report an error of it
    status = _status()
    with suppress(OSError):
        output.flush()
    if output.error and status != NOT_WRITTEN:
        status = CLOSED_PIPE if output.error.errno == EPIPE else _failed(output.error)
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 1)


def _status() -> object:
    """Run the command; its exit status."""
    try:
        cli()
    except SystemExit as end:
        return end.code
    except OSError as error:  # in writing a help text
        return _failed(error)
    return 0
