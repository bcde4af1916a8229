"""`aspdoku mcp` and `lsp`: servers for an agent and for an editor, on standard input and output."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import click
from click import option

from aspdoku.cli import options


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
    modules = "mcp", "mcp_types"  # which version 1 does not have
    options.require_packages("mcp", "the package mcp, version 2 or later", "agent", *modules)
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


@options.command(short_help="Check and complete rule files in an editor (LSP).")
@options.each_limit_option("answer", 20)
def lsp(each_limit: float) -> None:
    """Answer an editor on standard input and output, in the Language Server Protocol. The editor
    starts this command, for files .lp, .draw, .gen, .words and .examples, and for puzzles.

    It shows the findings of `aspdoku check` while a file is typed, with their remedies, completes
    words, says what they mean and where they are defined, renames them, and shows grids that a
    constraint forbids. A comment `% against: RULE` compares the file with that rule. Each answer is
    computed in a child process with limits on time and memory, which the next key ends. Nothing is
    written but copies of open files and of those next to them, in a temporary folder that is
    removed at the end.

    Needs the extra aspdoku[editor].

    Exit status: 0 the editor has ended it, 65 bad input.

    \b
    aspdoku lsp
    aspdoku lsp --time-limit-each 60
    """
    modules = "pygls", "pygls.lsp.server"  # version 1 has no such module
    options.require_packages("lsp", "the package pygls, version 2 or later", "editor", *modules)
    from shutil import rmtree
    from tempfile import TemporaryDirectory

    from aspdoku.editor.server import server
    from aspdoku.runtime.child import Limits
    from aspdoku.runtime.fork_server import fork_server
    from aspdoku.runtime.supervise import end_by

    with (
        fork_server("aspdoku.editor.warm") as run,
        TemporaryDirectory(prefix="aspdoku-") as folder,
    ):

        def end(number: int, _: object) -> None:
            """End at once: a thread that waits for standard input would keep the process alive."""
            rmtree(folder, ignore_errors=True)
            end_by(number)

        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, end)
        asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")  # it closes them
        server(run, Limits(each_limit), folder).start_io(asked, answers)
