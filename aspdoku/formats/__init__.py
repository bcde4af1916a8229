"""Puzzles in files of any format: `read` and `parse` detect the format from the content.

`registry` lists the formats in the order in which they are tried; each format or family of formats
is one module. All of them use `base`, and those of variants use the clues in `shapes`. `fpuzzles`,
`sudokupad` and `urls` read JSON documents and URLs of web applications, `iss` reads the constraint
strings of Interactive Sudoku Solver.
"""

from aspdoku.formats.detection import (
    MAX_FILE_SIZE,
    from_bytes,
    parse,
    parse_all,
    read,
    read_all,
    text_of,
)

__all__ = ["MAX_FILE_SIZE", "from_bytes", "parse", "parse_all", "read", "read_all", "text_of"]
