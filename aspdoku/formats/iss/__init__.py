"""The constraint strings of Interactive Sudoku Solver, as its addresses hold them, both ways.

`table` says what each of its names means; `entries` and `own` what stands behind them.
"""

from aspdoku.formats.base import Format
from aspdoku.formats.iss import syntax
from aspdoku.formats.iss.reader import read
from aspdoku.formats.iss.writer import write

__all__ = ["FORMAT", "read", "write"]

FORMAT = Format(
    "iss",
    "constraints of Interactive Sudoku Solver, such as .Cage~10~R1C1~R1C2",
    syntax.fits,
    read,
    write,
    allows_long=True,
)
