"""The command line: `aspdoku COMMAND`. Each command is a short function in a module of its own, imported when it is run."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress
from errno import EPIPE
from importlib import import_module
from io import TextIOWrapper

import click

from aspdoku import __version__
from aspdoku.errors import AspdokuError, OutOfMemoryError
from aspdoku.supervision import Ending, end_by, memory_of_machine, supervise, supervised

COMMANDS = (
    *("solve", "draw", "count", "unique", "candidates", "redundant", "batch"),
    *("explain", "hint", "why", "conflict", "grade"),
    *("convert", "program", "rules", "new", "check", "equal", "elaborate", "compare"),
)
NO_SOLUTION, CRASHED, NOT_WRITTEN, TIME_UP, INTERRUPTED = 20, 70, 74, 124, 130
# The status with which the process of a command reports a lack of memory to the one that watches it.
OUT_OF_MEMORY = 71

_UNKNOWN_MEMORY = 8 << 30
# Seconds for finding out what takes the memory.
_DIAGNOSIS = 1.5


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
        except (OutOfMemoryError, MemoryError) as error:
            if not supervised():
                click.echo(f"aspdoku: {error or 'out of memory'}", err=True)
            ctx.exit(OUT_OF_MEMORY if supervised() else AspdokuError.exit_code)
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


def main() -> None:
    """Run a command and end the process with its exit status.

    The command runs in a child process, which is ended at its limits on time and memory (`aspdoku.supervision`).
    """
    ending = supervise(_run, (memory_of_machine() or _UNKNOWN_MEMORY) // 2)
    status = ending if isinstance(ending, int) else _status(ending)
    os._exit(status)


def _run() -> int:
    """Run a command; its exit status.

    The process is to end at once: nothing is left to tidy up, which would take a tenth of the time of a short command, and a
    thread that still grounds after a time limit or Ctrl-C cannot be stopped in any other way.
    """
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
    return status if isinstance(status, int) else 1


def _status(ending: Ending) -> int:
    """The exit status for a supervised command, with a message if it did not end by itself."""
    if ending.reason == "exited" and ending.status != OUT_OF_MEMORY:
        return ending.status
    if ending.reason == "time":
        click.echo("aspdoku: the time limit was reached; nothing is known", err=True)
        return TIME_UP
    if ending.reason == "crashed":
        with suppress(ValueError):
            if signal.Signals(ending.status) in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                end_by(ending.status)
            click.echo(f"aspdoku: the command was ended by {signal.Signals(ending.status).name}; nothing is known", err=True)
        return CRASHED
    from aspdoku.engine.growth import largest_predicate

    seconds = _DIAGNOSIS if ending.seconds_left is None else min(_DIAGNOSIS, ending.seconds_left)
    cause = largest_predicate(ending.grounding, seconds) if ending.grounding else ""
    limit = f"the memory limit of {ending.memory_limit / 1e9:.3g} GB was reached"
    click.echo("\n".join(filter(None, (f"aspdoku: {limit}; raise it with --memory-limit", cause))), err=True)
    return AspdokuError.exit_code
