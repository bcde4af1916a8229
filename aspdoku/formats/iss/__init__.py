"""Reader and writer for the constraint strings of Interactive Sudoku Solver and its URLs.

`syntax` parses them, and `table` maps their names to codecs, which convert their arguments.
"""

from aspdoku.formats.base import Format
from aspdoku.formats.iss.reader import read
from aspdoku.formats.iss.syntax import fits
from aspdoku.formats.iss.writer import write

__all__ = ["FORMAT", "read", "write"]

FORMAT = Format(
    "iss",
    "constraints of Interactive Sudoku Solver, such as .Cage~10~R1C1~R1C2",
    fits,
    read,
    write,
    allows_long=True,
)
