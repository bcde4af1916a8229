"""Output of the commands: all text for standard output, standard error and -o is written here.

Reports are in colour on a terminal: verdicts, places in files, cells and carets.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

import click

from aspdoku.puzzle.term import printable
from aspdoku.writing import written

# The keys of the file of -o in the context of a command: its path, and the file once it is open.
_PATH, _FILE = "aspdoku.output", "aspdoku.output_file"

# The escape sequences for the colours that reports use, and the reset.
_COLOUR = re.compile(r"(\x1b\[(?:0|1;36|3[1-6])m)")
_BOLD, _RED, _GREEN, _YELLOW, _CYAN = "1", "31", "32", "33", "36"
_BAD = (
    "different:|undecided:|no solution|too strict|too lax|wrong|differs"
    "|DIFFERS|failed|cannot be used|cannot be read|crashed|gave up"
)
# The first pattern that matches at a place decides.
_STYLES = (
    (r"‹[^‹›]*›?|^[^‹›]+›|^   open(?= )", _RED),  # words that were not understood
    (r"^ *\S+\.(?:lp|draw|examples):\d+(?::\d+)?:", _BOLD),  # the place of a finding
    (r"(?<=\| )[ …]*\^$", _RED),
    (r"(?<!\w)r\d+c\d+(?:!?=\d+)?(?!\w)", _CYAN),
    (r"\[ *\d+ *\](?=[ |\n]|$)", _YELLOW),  # a marked cell of a grid
    (
        r"^(?:equivalent:|unique\b|the solution is unique|everything was understood$)"
        r"|: right\b|\bright$|: nothing found$",
        _GREEN,
    ),
    (r"\bagrees\b|(?<=: )passed(?=: )", _GREEN),
    (r"\bcannot hold(?: together)?(?=:?$)", _RED),
    (r"^puzzle +grade +work +hardest step$", _BOLD),
    (r"^[a-z][\w./:#-]*(?=  )", _BOLD),  # a name in a list or a table
    (r"(?<=  )[a-z_]\w*/\d+(?=  )", _CYAN),  # an input of a rule
    (rf"^(?:{_BAD})|(?<=: )(?:{_BAD})", _RED),
    (r"^\d+\. [^:\n]+: \S+$|^All together.*$|^Base: .*$", _BOLD),
    (
        r"^ {3}(?:text|contract|ground|but|solutions|forbids|allows|examples|rule|about)(?= )",
        _YELLOW,
    ),
    (r"(?<= )\+\d+(?= -\d)", _GREEN),
    (r"(?<=\d )-\d+(?= |$)", _RED),
)
_STYLE = re.compile("|".join(f"({pattern})" for pattern, _ in _STYLES))


def colour(*, err: bool = False) -> bool:
    """Whether to print colours to standard output, or to standard error (`err`). An empty NO_COLOR
    and FORCE_COLOR=0 have no effect, as their conventions define.
    """
    if os.environ.get("NO_COLOR") or (not err and output_path()):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    stream = sys.stderr if err else sys.stdout
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def write_to(path: Path | None) -> None:
    """Write to this file instead of standard output, until the command ends; None for neither."""
    click.get_current_context().meta[_PATH] = path


def output_path() -> Path | None:
    """The file that is written to instead of standard output."""
    ctx = click.get_current_context(silent=True)
    path: Path | None = ctx.meta.get(_PATH) if ctx else None
    return path


def _output() -> TextIO | None:
    """The file of `write_to`, opened by the first text, so that a bad input does not empty it."""
    path = output_path()
    if path is None:
        return None
    ctx = click.get_current_context()
    if _FILE not in ctx.meta:
        writing = written(path)
        file = Stream(TextIOWrapper(writing.__enter__(), "utf-8"), str(path))
        ctx.meta[_FILE] = file
        ctx.find_root().call_on_close(lambda: _close(file, writing))
    opened: TextIO = ctx.meta[_FILE]
    return opened


def _close(file: Stream, writing: AbstractContextManager[BinaryIO]) -> None:
    """Replace the file by what was written, unless that has failed, which was reported then."""
    with suppress(OSError) if file.error else nullcontext():
        writing.__exit__(type(file.error) if file.error else None, file.error, None)


def has_written() -> bool:
    """Whether the command has written to standard output, or to the file instead of it."""
    ctx = click.get_current_context(silent=True)
    if ctx and _FILE in ctx.meta:
        return True
    return isinstance(sys.stdout, Stream) and sys.stdout.written


def echo_report(text: str) -> None:
    """Write a report, in colour on a terminal; its control characters are escaped."""
    if not colour():
        echo(text)
        return
    with status_line.erased():
        click.echo(highlighted(_escaped(text, coloured=True)), color=True)


def highlighted(text: str) -> str:
    """The text in colour; a line that is in colour already is kept as it is."""

    def styled(found: re.Match[str]) -> str:
        return f"\x1b[{_STYLES[(found.lastindex or 1) - 1][1]}m{found[0]}\x1b[0m"

    lines = text.split("\n")
    return "\n".join(line if "\x1b[" in line else _STYLE.sub(styled, line) for line in lines)


def on_terminal() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def _columns() -> int:
    from shutil import get_terminal_size  # takes 3 ms, and only long work needs it

    return get_terminal_size().columns


class StatusLine:
    """A line on standard error that says what a long command is doing, and for how long."""

    _DELAY = 1.0
    _PERIOD = 0.5

    def __init__(self) -> None:
        self._activity = ""
        self._columns = 0
        self._began = time.monotonic()
        self._lock = threading.RLock()
        self._done = threading.Event()

    def note(self, activity: str) -> None:
        """Show this activity from now on."""
        first, self._activity = not self._activity, activity
        if first and on_terminal():
            threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Erase the line for good."""
        self._done.set()
        with self.erased():
            self._activity = ""

    def erase_after_kill(self) -> None:
        """Erase the line that another process, which was killed, may have left on the terminal."""
        if on_terminal():
            self._columns = _columns() - 1
        with self.erased():
            pass

    @contextmanager
    def erased(self) -> Iterator[None]:
        """Erase the line, and keep it away during this block."""
        with self._lock:
            if self._columns:
                click.echo(f"\r{' ' * self._columns}\r", nl=False, err=True)
                self._columns = 0
            yield

    def _run(self) -> None:
        self._done.wait(self._DELAY)
        while not self._done.is_set():
            with self.erased():
                seconds = time.monotonic() - self._began
                text = f"{printable(self._activity)[: _columns() - 12]} … {seconds:.0f} s"
                click.echo(text, nl=False, err=True)
                self._columns = len(text)
            self._done.wait(self._PERIOD)


status_line = StatusLine()


def echo(text: str = "", *, nl: bool = True, err: bool = False, coloured: bool = False) -> None:
    """Write text with escaped control characters: text from files must not control a terminal."""
    with status_line.erased():
        file = None if err else _output()
        click.echo(_escaped(text, coloured), file, nl=nl, err=err, color=coloured or None)


def warn(*messages: object) -> None:
    """Write warnings to standard error."""
    label = f"\x1b[1;{_YELLOW}mwarning:\x1b[0m" if colour(err=True) else "warning:"
    for message in messages:
        with status_line.erased():
            click.echo(f"{label} {_escaped(str(message), coloured=False)}", err=True, color=True)


def _escaped(text: str, coloured: bool) -> str:
    parts = _COLOUR.split(text) if coloured else [text]
    return "".join(part if place % 2 else printable(part) for place, part in enumerate(parts))


def echo_json(value: object) -> None:
    """Write a value as one line of JSON."""
    import json  # slow to import, and not needed for text

    echo(json.dumps(value))


class Stream(TextIOWrapper):
    """Standard output or standard error, in which an OSError names the stream. Characters that the
    encoding cannot represent are written as escape sequences.
    """

    def __init__(self, stream: TextIO, called: str, *, raises: bool = True) -> None:
        assert isinstance(stream, TextIOWrapper)
        encoding, line_buffering = stream.encoding, stream.line_buffering
        super().__init__(
            stream.detach(), encoding, "backslashreplace", line_buffering=line_buffering
        )
        self.error: OSError | None = None
        self.written = False
        self._called, self._raises = called, raises

    def write(self, text: str) -> int:
        """Write text. Raises OSError, unless the stream was created with raises=False."""
        self.written = True
        try:
            return super().write(text)
        except OSError as error:
            self._fail(error)
            return 0

    def flush(self) -> None:
        """Write the buffered text. Raises like `write`."""
        try:
            super().flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        error.filename = self._called
        self.error = error
        if self._raises:
            raise error
