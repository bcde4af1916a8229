"""`aspdoku mcp`: tools for an agent."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec
from pathlib import Path

import click
from click import option

from aspdoku.cli import options
from aspdoku.errors import AspdokuError


@options.command(short_help="Let an agent check rules and make puzzles (MCP).")
@option(
    "--folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Let the agent save rules in this folder, and use those in it by name.",
)
@options.flag(
    "--text-only",
    help="Answer without JSON, which is long for explain, and which some clients give the model.",
)
@options.each_limit_option("call", 20)
def mcp(folder: Path | None, text_only: bool, each_limit: float) -> None:
    """Answer an agent, a program in which a language model calls tools, on standard input and
    output, in the Model Context Protocol. The client of the agent starts this command.

    The tools are those of rules (rules, rule_text, check_rule, compare_rules) and of puzzles
    (read_puzzle, draw, solve, explain, why, conflict, count, generate, elaborate). Each call is
    answered in a child process with limits on time and memory, as text and as JSON. No file is read
    by its path, and nothing is written without --folder.

    Needs the extra aspdoku[agent].

    Exit status: 0 the client has closed standard input, 65 bad input.

    \b
    aspdoku mcp
    aspdoku mcp --folder rules --time-limit-each 60
    """
    if not (find_spec("mcp") and find_spec("mcp_types")):  # which version 1 does not have
        advice = "install it with: pip install 'aspdoku[agent]'"
        raise AspdokuError(f"aspdoku mcp needs the package mcp, version 2 or later; {advice}")
    where = folder and folder.resolve()
    if where and os.pathsep in str(where):  # which separates folders on ASPDOKU_PATH
        raise click.UsageError(
            f"--folder: no rule is found in a folder with '{os.pathsep}' in its path"
        )
    import anyio

    from aspdoku.agents.server import serve, server
    from aspdoku.runtime.child import Limits
    from aspdoku.runtime.fork_server import fork_server

    # A thread waits for standard input, and would keep Ctrl-C from ending the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with fork_server("aspdoku.web.warm", "aspdoku.agents.tools") as run:
        anyio.run(serve, server(run, Limits(each_limit), where, text_only))
