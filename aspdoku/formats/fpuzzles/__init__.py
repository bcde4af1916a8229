"""The JSON of f-puzzles, the editor in which most variants by people are set, both ways.

`table` says what each of its keys means; `shapes` and `clues` how their entries look.
"""

from aspdoku.formats.fpuzzles.reader import read
from aspdoku.formats.fpuzzles.writer import write

__all__ = ["read", "write"]
