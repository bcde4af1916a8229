"""`aspdoku lsp`: a language server for editors."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec

from aspdoku.cli import options
from aspdoku.errors import AspdokuError


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
    if not (find_spec("pygls") and find_spec("pygls.lsp.server")):  # version 1 has no such module
        advice = "install it with: pip install 'aspdoku[editor]'"
        raise AspdokuError(f"aspdoku lsp needs the package pygls, version 2 or later; {advice}")
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
