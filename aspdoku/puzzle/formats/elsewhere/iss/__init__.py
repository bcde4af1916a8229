"""The constraint strings of Interactive Sudoku Solver, as its addresses hold them, both ways.

`table` says what each of its names means; `entries` and `own` what stands behind them.
"""

from aspdoku.puzzle.formats.elsewhere.iss import items
from aspdoku.puzzle.formats.elsewhere.iss.reader import read
from aspdoku.puzzle.formats.elsewhere.iss.writer import write
from aspdoku.puzzle.formats.elsewhere.outside import Format

__all__ = ["FORMAT", "read", "write"]

FORMAT = Format("iss", "constraints of Interactive Sudoku Solver, such as .Cage~10~R1C1~R1C2", items.fits, read, write, long=True)
