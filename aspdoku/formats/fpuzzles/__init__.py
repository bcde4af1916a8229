"""Reader and writer for the JSON of f-puzzles, the most common editor for variant sudokus.

`table` maps its keys to shapes, predicates and rules; `entries` converts between entries and clues.
"""

from aspdoku.formats.fpuzzles.reader import read
from aspdoku.formats.fpuzzles.writer import write

__all__ = ["read", "write"]
