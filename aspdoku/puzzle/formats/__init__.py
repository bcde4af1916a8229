"""Reading and writing puzzle files.

A file is cut into lines (`lines`), a header (`header`), a grid (`cells`, `grid`) and sections (`section`). A section is
ASP facts (`lexer`, `facts`), a picture (`picture`), paths (`paths`) or inequality signs (`inequalities`); which of them
is told by its content, never by knowing what its name means.

The formats of other programs are in `elsewhere`; `source` tells by the content of a file which one it is in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aspdoku.puzzle.formats.source import LARGEST_FILE, from_bytes, parse, parse_all, read, read_all, text_of

if TYPE_CHECKING:
    from aspdoku.puzzle.puzzle import Puzzle

__all__ = ["LARGEST_FILE", "from_bytes", "parse", "parse_all", "read", "read_all", "text_of", "write"]


def write(puzzle: Puzzle) -> str:
    """The puzzle as a puzzle file. Raises PuzzleError for what such a file cannot hold."""
    from aspdoku.puzzle.formats import writer

    return writer.write(puzzle)
