"""The width of reports: that of the terminal that they are printed on, or a fixed one.

Reports that go to a file or a pipe look the same everywhere, and browsers wrap those in pages. Only
the command line sets a terminal's width, once, before it runs a command.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Columns of wrapped text if it is not printed on a terminal.
_DEFAULT = 110
NARROWEST, WIDEST = 60, 200
_UNWRAPPED = 100_000

_terminal: ContextVar[int | None] = ContextVar("terminal", default=None)


def use_terminal(columns: int | None) -> None:
    """Lay reports out for a terminal with this many columns; None for no terminal."""
    _terminal.set(columns and max(NARROWEST, min(columns, WIDEST)))


@contextmanager
def unwrapped() -> Iterator[None]:
    """Wrap no lines within this block: for pages and notebooks, which are of any width."""
    before = _terminal.set(_UNWRAPPED)
    try:
        yield
    finally:
        _terminal.reset(before)


def width() -> int:
    """The columns of wrapped text."""
    return _terminal.get() or _DEFAULT


def terminal_width() -> int | None:
    """The columns of the terminal; None if the report is not printed on one.

    Text that is only wrapped for a terminal, such as tables, has lines of any length elsewhere.
    """
    return _terminal.get()


def wrapped(line: str, indentation: int = 0) -> str:
    """The line, wrapped on a terminal only: elsewhere it is one line, for other programs.

    indentation: of the lines after the first one
    """
    columns = terminal_width()
    return line if columns is None or len(line) <= columns else filled(line, indentation)


def filled(text: str, indentation: int = 0) -> str:
    """The text in lines of at most `width()` columns, without broken words.

    indentation: of the lines after the first one
    """
    return textwrap.fill(
        text,
        width(),
        subsequent_indent=" " * indentation,
        break_long_words=False,
        break_on_hyphens=False,
    )
