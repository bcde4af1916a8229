"""The command line: `aspdoku COMMAND`.

Commands are grouped by theme in modules, which are imported when one of their commands is run.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from errno import EPIPE
from importlib import import_module
from io import StringIO

import click

from aspdoku import __version__
from aspdoku.cli.echo import Stream, echo, echo_json, has_written, status_line
from aspdoku.errors import AspdokuError, OutOfMemoryError, TimeLimitError, did_you_mean
from aspdoku.runtime import supervise
from aspdoku.runtime.progress import listening
from aspdoku.runtime.supervise import INTERRUPTED, Ending, notice_time_limit

# The order of the help text: each theme with the module that holds its commands.
THEMES = {
    "Begin": ("files", ["example", "docs", "help"]),
    "Solve": ("solving", ["solve", "count", "unique", "candidates", "depends", "redundant"]),
    "Solve many": ("batch", ["batch"]),
    "Explain": ("reasons", ["explain", "hint", "why", "conflict", "grade"]),
    "Make puzzles": ("generation", ["generate", "minimise", "fewest", "complete", "review"]),
    "Write rules": ("rule_files", ["rules", "new", "format", "check", "test", "equal", "program"]),
    "Guess the rule": ("lesson", ["learn"]),
    "Show elaboration tolerance": ("lesson", ["elaborate", "compare"]),
    "Convert and draw": ("files", ["read", "draw", "handout", "convert"]),
    "Teach in a browser": ("web", ["serve"]),
    "Give a lesson": ("web", ["lesson"]),
    "Serve an agent": ("servers", ["mcp"]),
    "Serve an editor": ("servers", ["lsp"]),
}
MODULES = {command: module for module, commands in THEMES.values() for command in commands}
NO_SOLUTION, CRASHED, NOT_WRITTEN, TIME_UP = 20, 70, 74, 124
_INTERRUPTIONS = {TIME_UP: "time limit reached", INTERRUPTED: "interrupted"}
# Keys in `Context.meta`: the time limit of the command, and whether its results are JSON.
DEADLINE, JSON = "aspdoku.runtime.deadline", "aspdoku.json"

# Seconds for finding the predicate that takes the memory.
_DIAGNOSIS = 1.5
_COMPLETION = "_ASPDOKU_COMPLETE"  # the variable with which shells ask for completions
CLOSED_PIPE = 141  # as shells report a process that was killed by SIGPIPE


class Commands(click.Group):
    """A group that imports a command when it is used, and turns errors into exit statuses."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help text."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, or None."""
        if cmd_name not in MODULES:
            return None
        command = getattr(import_module(f"aspdoku.cli.{MODULES[cmd_name]}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name. Fails with a suggestion if there is none."""
        name = args[0]
        if name not in MODULES and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(no_such_command(name))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by theme, with their descriptions in one column."""
        width = max(map(len, MODULES))
        for theme, (_, names) in THEMES.items():
            commands = ((name, self.get_command(ctx, name)) for name in names)
            with formatter.section(theme):
                named = ((name.ljust(width), command) for name, command in commands if command)
                helps = [(name, each.get_short_help_str(formatter.width)) for name, each in named]
                formatter.write_dl(helps)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error becomes its message on standard error and its exit status."""
        if sys.stdout is not None and sys.stdout.isatty():
            from shutil import get_terminal_size  # takes 3 ms, and only terminals need it

            from aspdoku.questions.text import use_terminal

            use_terminal(get_terminal_size().columns)
        try:
            with listening(status_line.note):
                return super().invoke(ctx)
        except (OutOfMemoryError, MemoryError) as error:
            if not supervise.supervised():
                echo(f"aspdoku: {error or 'out of memory'}", err=True)
            ctx.exit(supervise.OUT_OF_MEMORY if supervise.supervised() else AspdokuError.exit_code)
        except AspdokuError as error:
            notice_time_limit()  # this error is the result
            echo(f"aspdoku: {error.on_command_line}", err=True)
            _echo_error(ctx, error.on_command_line, error.exit_code)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            status = interruption("" if has_written() else "; no result")
            _echo_error(ctx, _INTERRUPTIONS[status], status)
            ctx.exit(status)
        except OSError as error:
            if error.errno == EPIPE:
                raise
            ctx.exit(_failed(error))
        except click.ClickException as error:
            shown = StringIO()
            error.show(shown)
            echo(shown.getvalue(), nl=False, err=True)
            _echo_error(ctx, error.format_message(), error.exit_code)
            ctx.exit(error.exit_code)
        finally:
            status_line.close()


def no_such_command(name: str) -> str:
    """The message for an unknown command, with a suggestion."""
    return f"No such command {name!a}.{did_you_mean(name, list(MODULES))}"


def _echo_error(ctx: click.Context, error: str, status: int) -> None:
    if ctx.meta.get(JSON) and not has_written():
        from aspdoku.questions.result import tagged

        echo_json(tagged("error", {"error": error, "exit_status": status}))


def interruption(done: str) -> int:
    """Report a KeyboardInterrupt (Ctrl-C or the time limit); its exit status.

    done: the end of the message: how far the command came
    """
    deadline = click.get_current_context().meta.get(DEADLINE)
    status = TIME_UP if deadline and deadline.passed else INTERRUPTED
    echo(f"aspdoku: {_INTERRUPTIONS[status]}{done}", err=True)
    return status


def _failed(error: OSError) -> int:
    """Report an error of the operating system and return its exit status."""
    where = f"{error.filename} cannot be written: " if error.filename else ""
    echo(f"aspdoku: {where}{error.strerror or error}", err=True)
    return NOT_WRITTEN


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, prog_name="aspdoku")
def cli() -> None:
    """Sudoku and its variants in answer set programming.

    The base program defines a Latin square and never changes; each variant is one small rule file.

    \b
    aspdoku solve example:killer
    aspdoku solve 1.....3..4..2...
    aspdoku solve --with anti-knight grid.txt
    aspdoku help solve
    """


def run() -> int:
    """Run a command; its exit status. The process then exits without cleanup, which is not needed
    and would take a tenth of the time of a short command. A thread that is still grounding after a
    time limit or Ctrl-C cannot be stopped in any other way.
    """
    if sys.stdout is None:  # the shell has closed it: >&-
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115  # every write fails
    sys.stdout = output = Stream(sys.stdout, "standard output")
    if sys.stderr is not None:  # None after 2>&-; its errors cannot be reported anywhere
        sys.stderr = Stream(sys.stderr, "standard error", raises=False)
    status = _status()
    with suppress(OSError):
        output.flush()
    if output.error and status != NOT_WRITTEN:
        status = CLOSED_PIPE if output.error.errno == EPIPE else _failed(output.error)
    if sys.stderr is not None:
        sys.stderr.flush()
    return status if isinstance(status, int) else 1


def _status() -> object:
    if _COMPLETION in os.environ:
        import_module("aspdoku.cli.completion")
    try:
        cli()
    except SystemExit as end:
        return end.code
    except OSError as error:  # raised while a help text was written
        return _failed(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except TimeLimitError:
        return TIME_UP
    finally:
        notice_time_limit()
    return 0


def status_of_ending(ending: Ending) -> int:
    """Report why a supervised command did not end by itself; the exit status for that."""
    if ending.signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        supervise.end_by(ending.signal)
    message, status = _message(ending)
    with suppress(OSError):  # errors of standard error cannot be reported anywhere
        status_line.erase_after_kill()
        echo(f"aspdoku: {message}", err=True)
    return status


def _message(ending: Ending) -> tuple[str, int]:
    """The reason why a supervised command was killed, and its exit status."""
    result = f"{ending.output} has what was written" if ending.output else "no result"
    if ending.reason == "time":
        return f"time limit reached; {result}", TIME_UP
    if ending.reason == "crashed":
        name = signal.Signals(ending.signal).name
        return f"the command was killed by {name}; {result}", CRASHED
    from aspdoku.program import RuleFile
    from aspdoku.program.growth import cause_of_growth, largest_in

    seconds = _DIAGNOSIS if ending.seconds_left is None else min(_DIAGNOSIS, ending.seconds_left)
    cause = None
    if ending.grounding and seconds > 0:
        text, parts = ending.grounding
        lines = text.split("\n")
        rules = [
            RuleFile(place, place, "\n".join(lines[first - 1 : last]), vetted=True)
            for place, first, last in parts
        ]
        cause = cause_of_growth(rules, lambda: largest_in(text, seconds, ending.memory_limit))
    limit = f"the memory limit of {ending.memory_limit / 1e9:.3g} GB was reached"
    limit += "; raise it with --memory-limit"
    return "\n".join([limit, *([str(cause)] if cause else [])]), AspdokuError.exit_code
