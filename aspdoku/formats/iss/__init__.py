"""Reader and writer for the constraint strings of Interactive Sudoku Solver and its URLs.

`table` maps the names of constraints to predicates and rules; `codecs` and `arguments` convert
their arguments.
"""

from aspdoku.formats.base import Format
from aspdoku.formats.iss import reader
from aspdoku.formats.iss.reader import read
from aspdoku.formats.iss.writer import write

__all__ = ["FORMAT", "read", "write"]

FORMAT = Format(
    "iss",
    "constraints of Interactive Sudoku Solver, such as .Cage~10~R1C1~R1C2",
    reader.fits,
    read,
    write,
    allows_long=True,
)
