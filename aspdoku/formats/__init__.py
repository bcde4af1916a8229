"""Puzzles in files of any format: `read` and `parse` recognize the format by content.

`registry` lists the formats in the order in which they are tried, with one module for each format
or family of formats. They share `base`; `presets` holds the facts and rules behind their kinds of
puzzles. `fpuzzles`, `sudokupad` and `urls` read JSON documents and addresses of web applications,
`iss` the constraint strings of Interactive Sudoku Solver.
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
